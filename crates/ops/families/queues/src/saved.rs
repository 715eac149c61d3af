//! `QueueSave`, `QueueRestore` and their V2 forms: what a queue holds, as tensors that a checkpoint can have. TensorFlow has no such ops.
//!
//! What waits to enter counts: elements of nodes that wait to enqueue, and those that wait for the turn of their ticket. After
//! the queue has been restored they enter before all others, as soon as there is room.

use super::create::queue_input;
use super::queue::{Config, Element, QueueState, Want};
use crate::prelude::*;
use levada_graph::{read, write};

/// Version of the numbers in `state`.
const VERSION: i64 = 1;

/// What a queue holds.
struct Saved {
    /// `VERSION`, closed, closing, elements, elements that wait to enter, random numbers drawn.
    numbers: [i64; 6],
    elements: Vec<Element>,
}

impl Saved {
    /// # Errors
    /// Where a batch that waits cannot be taken apart.
    fn of(state: &QueueState, wants: &[&Want]) -> Result<Saved> {
        let mut elements = Vec::new();
        // What those who wait for more have taken comes first again.
        for want in wants {
            if let Want::DequeueMany { taken, .. } = want {
                elements.extend(taken.iter().cloned());
            }
        }
        elements.extend(state.elements.all());
        let stored = elements.len();
        elements.extend(state.backlog.iter().cloned());
        let mut closing = state.closing;
        for want in wants.iter().copied().chain(state.promised.values()) {
            match want {
                Want::Enqueue(element) => elements.push(element.clone()),
                Want::EnqueueMany { batch, next, size } => {
                    for i in *next..*size {
                        elements.push(batch.iter().map(|t| t.row(i)).collect::<Result<Element>>()?);
                    }
                }
                Want::Close => closing = true,
                Want::Dequeue | Want::DequeueMany { .. } => {}
            }
        }
        let waiting = elements.len() - stored;
        let (stored, waiting, drawn) = (stored as i64, waiting as i64, state.elements.drawn() as i64);
        let numbers = [VERSION, state.closed.into(), closing.into(), stored, waiting, drawn];
        Ok(Saved { numbers, elements })
    }

    /// # Errors
    /// `DATA_LOSS` where the tensors are none that `QueueSave` gave for such a queue.
    fn read(config: &Config, numbers: &[i64], elements: &[Bytes]) -> Result<Saved> {
        let broken = || {
            Error::data_loss(format!("this is no state of {} '{}'", config.kind.name(), config.name))
                .help("the graph must have the queue as it was when the state was saved")
        };
        let numbers: [i64; 6] = numbers.try_into().map_err(|_| broken())?;
        let [version, _, _, stored, waiting, _] = numbers;
        let components = config.types.len();
        let count = stored.checked_add(waiting).and_then(|n| usize::try_from(n).ok()).ok_or_else(broken)?;
        if version != VERSION || stored < 0 || waiting < 0 || count.checked_mul(components) != Some(elements.len()) {
            return Err(broken());
        }
        let element = |parts: &[Bytes]| -> Result<Element> {
            let element: Element = parts.iter().map(|b| read::tensor_from_pb(b)).collect::<Result<_>>()?;
            config.check_element(&element)?;
            Ok(element)
        };
        Ok(Saved { numbers, elements: elements.chunks(components).map(element).collect::<Result<_>>()? })
    }

    fn restore(self, state: &mut QueueState, config: &Config) {
        let Saved { numbers: [_, closed, closing, stored, _, drawn], mut elements } = self;
        let waiting = elements.split_off((stored as usize).min(elements.len()));
        state.elements.reset(drawn as u64);
        elements.into_iter().for_each(|element| state.elements.push(element));
        state.backlog = waiting.into();
        (state.closed, state.closing) = (closed != 0, closing != 0);
        state.settle(config);
    }
}

macro_rules! saves {
    ($($save:ident, $restore:ident, $handle:expr;)*) => {$(
        attrs! {
            /// Gives what a queue holds, and leaves it there: numbers, and each component of each element as a message
            /// `TensorProto`.
            pub struct $save {}
        }

        impl Op for $save {
            const SPEC: Spec = Spec {
                name: stringify!($save),
                inputs: &[$handle],
                outputs: &[arg("state", is(DType::I64)), arg("elements", is(DType::Str))],
                ..Spec::STATEFUL
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                cx.output_vector(0, Some(6));
                cx.output_vector(1, None);
                Ok(())
            }
        }

        impl Kernel<Cpu> for $save {
            const COST: Cost = Cost::Heavy;

            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                save(cx)
            }
        }

        attrs! {
            /// Lets a queue hold what was saved of it, and nothing else.
            pub struct $restore {}
        }

        impl Op for $restore {
            const SPEC: Spec = Spec {
                name: stringify!($restore),
                inputs: &[$handle, arg("state", is(DType::I64)), arg("elements", is(DType::Str))],
                ..Spec::STATEFUL
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                cx.with_rank(1, 1)?;
                cx.with_rank(2, 1).map(drop)
            }
        }

        impl Kernel<Cpu> for $restore {
            const COST: Cost = Cost::Heavy;

            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                restore(cx)
            }
        }
    )*};
}

saves! {
    QueueSave, QueueRestore, arg("handle", is(DType::Str)).by_ref();
    QueueSaveV2, QueueRestoreV2, arg("handle", is(DType::Resource));
}

fn save(cx: &mut Cx<'_, '_>) -> Result<()> {
    let saved = queue_input(cx, 0)?.survey(|state, wants| Saved::of(state, &wants))?;
    let parts = saved.elements.iter().flatten();
    let parts = parts.map(|part| write::tensor_to_pb(part).map(Bytes::from)).collect::<Result<Vec<Bytes>>>()?;
    cx.set(0, Tensor::vector(saved.numbers.to_vec()));
    cx.set(1, Tensor::vector(parts));
    Ok(())
}

fn restore(cx: &mut Cx<'_, '_>) -> Result<()> {
    let queue = queue_input(cx, 0)?;
    let saved = Saved::read(&queue.config, cx.slice::<i64>(1)?, cx.slice::<Bytes>(2)?)?;
    queue.change(|state| saved.restore(state, &queue.config));
    Ok(())
}

//! `QueueSave`, `QueueRestore` and their V2 forms: the contents of a queue as tensors for a checkpoint. TensorFlow has
//! no such ops.
//!
//! Elements waiting to enter are included: those of nodes waiting to enqueue, and those waiting for the turn of their
//! ticket. After a restore they enter before all others, as soon as there is room.

use super::create::queue_input;
use super::queue::{Config, Element, QueueState, Want};
use crate::prelude::*;
use crate::{HANDLE, REFERENCE};
use levada_graph::{read, write};

/// Format version of `state`.
const VERSION: i64 = 1;

/// The contents of a queue.
struct Saved {
    /// `VERSION`, closed, closing, number of elements, number of elements waiting to enter, number of random values
    /// drawn.
    numbers: [i64; 6],
    elements: Vec<Element>,
}

impl Saved {
    /// Collects the state and the requests that wait to enqueue.
    ///
    /// # Errors
    /// If a waiting batch cannot be split into rows.
    fn of(state: &QueueState, wants: &[&Want]) -> Result<Saved> {
        let mut elements = Vec::new();
        // Elements taken by dequeues that still wait for more come first.
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

    /// Reads the tensors of a saved state.
    ///
    /// # Errors
    /// `DATA_LOSS` if the tensors were not made by `QueueSave` for such a queue.
    fn read(config: &Config, numbers: &[i64], elements: &[Bytes]) -> Result<Saved> {
        let broken = || {
            Error::data_loss(format!("this is not a saved state of {} '{}'", config.kind.name, config.name))
                .help("the graph must define the queue as it did when the state was saved")
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

attrs! {
    /// Returns the contents of a queue without removing them: the state, and each component of each element as a
    /// `TensorProto` message.
    pub struct QueueSave {}
}

pub static QUEUE_SAVE: Def<QueueSave> = op("QueueSave")
    .inputs(&[REFERENCE])
    .outputs(&[STATE, ELEMENTS])
    .also(&[form("QueueSaveV2").inputs(&[HANDLE])])
    .stateful()
    .shape(|_, cx| {
        cx.output_vector(0, Some(6));
        cx.output_vector(1, None);
        Ok(())
    })
    .kernel(save)
    .heavy();

attrs! {
    /// Replaces the contents of a queue by what was saved.
    pub struct QueueRestore {}
}

pub static QUEUE_RESTORE: Def<QueueRestore> = op("QueueRestore")
    .inputs(&[REFERENCE, STATE, ELEMENTS])
    .also(&[form("QueueRestoreV2").inputs(&[HANDLE, STATE, ELEMENTS])])
    .stateful()
    .shape(|_, cx| {
        cx.with_rank(1, 1)?;
        cx.with_rank(2, 1).map(drop)
    })
    .kernel(restore)
    .heavy();

const STATE: Arg = arg("state", is(DType::I64));
const ELEMENTS: Arg = arg("elements", is(DType::Str));

fn save(_: &QueueSave, cx: &mut Cx<'_, '_>) -> Result<()> {
    let saved = queue_input(cx, 0)?.survey(|state, wants| Saved::of(state, &wants))?;
    let parts = saved.elements.iter().flatten();
    let parts = parts.map(|part| write::tensor_to_pb(part).map(Bytes::from)).collect::<Result<Vec<Bytes>>>()?;
    cx.set(0, Tensor::vector(saved.numbers.to_vec()));
    cx.set(1, Tensor::vector(parts));
    Ok(())
}

fn restore(_: &QueueRestore, cx: &mut Cx<'_, '_>) -> Result<()> {
    let queue = queue_input(cx, 0)?;
    let saved = Saved::read(&queue.config, cx.slice::<i64>(1)?, cx.slice::<Bytes>(2)?)?;
    queue.change(|state| saved.restore(state, &queue.config));
    Ok(())
}

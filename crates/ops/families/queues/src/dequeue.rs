//! `QueueDequeue`, `QueueDequeueMany`, `QueueDequeueUpTo` and their V2 forms.

use super::create::queue_input;
use super::enqueue::check_timeout;
use super::queue::Want;
use crate::prelude::*;

/// Checks that a queue gives what the node's outputs say.
fn check_types(expected: &[DType], found: &[DType]) -> Result<()> {
    if expected == found {
        return Ok(());
    }
    Err(Error::invalid("the queue's components are not of the dtypes that are dequeued")
        .attr("component_types")
        .expected(format!("{found:?}"))
        .found(format!("{expected:?}")))
}

macro_rules! dequeues {
    ($($(#[doc = $doc:literal])* $name:ident, $handle:expr;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Dtypes of the components.
                types: Vec<DType> = Attr::dtypes("component_types", sets::ANY).at_least(1),
                /// A time limit; only -1, for none, is allowed.
                timeout_ms: i64 = Attr::int("timeout_ms").or_int(-1),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[$handle],
                outputs: &[arg("components", each("component_types"))],
                act: Some(Act::Take),
                ..Spec::STATEFUL
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                cx.output_elements(&[]);
                Ok(())
            }
        }

        impl Kernel<Cpu> for $name {
            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                check_timeout(self.timeout_ms)?;
                let queue = queue_input(cx, 0)?;
                check_types(&self.types, &queue.config.types)?;
                queue.submit(cx, Want::Dequeue)
            }
        }
    )*};
}

dequeues! {
    /// Takes an element out of a queue, as soon as there is one.
    QueueDequeue, arg("handle", is(DType::Str)).by_ref();
    /// Takes an element out of a queue, as soon as there is one.
    QueueDequeueV2, arg("handle", is(DType::Resource));
}

macro_rules! batches {
    ($($(#[doc = $doc:literal])* $name:ident, $handle:expr, $up_to:expr;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Dtypes of the components.
                types: Vec<DType> = Attr::dtypes("component_types", sets::ANY).at_least(1),
                /// A time limit; only -1, for none, is allowed.
                timeout_ms: i64 = Attr::int("timeout_ms").or_int(-1),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[$handle, arg("n", is(DType::I32))],
                outputs: &[arg("components", each("component_types"))],
                act: Some(Act::Take),
                ..Spec::STATEFUL
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                let n = cx.constant_i64s(1).and_then(|n| usize::try_from(*n.first()?).ok());
                cx.output_elements(&[if $up_to { None } else { n }]);
                Ok(())
            }
        }

        impl Kernel<Cpu> for $name {
            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                check_timeout(self.timeout_ms)?;
                batch(cx, &self.types, $up_to)
            }
        }
    )*};
}

batches! {
    /// Takes `n` elements out of a queue, as they come, and gives them as one batch.
    QueueDequeueMany, arg("handle", is(DType::Str)).by_ref(), false;
    /// Takes `n` elements out of a queue, as they come, and gives them as one batch.
    QueueDequeueManyV2, arg("handle", is(DType::Resource)), false;
    /// As `QueueDequeueMany`, but gives what is left where the queue is closed before there are `n`.
    QueueDequeueUpTo, arg("handle", is(DType::Str)).by_ref(), true;
    /// As `QueueDequeueMany`, but gives what is left where the queue is closed before there are `n`.
    QueueDequeueUpToV2, arg("handle", is(DType::Resource)), true;
}

fn batch(cx: &mut Cx<'_, '_>, types: &[DType], up_to: bool) -> Result<()> {
    let queue = queue_input(cx, 0)?;
    let n = cx.scalar::<i32>(1)?;
    let n = usize::try_from(n)
        .map_err(|_| Error::invalid(format!("DequeueManyOp requested {n} < 0 elements")))?;
    check_types(types, &queue.config.types)?;
    queue.config.check_batches()?;
    let arena = cx.device.arena.clone();
    if n == 0 {
        for (i, tensor) in queue.config.batch(&[], &arena)?.into_iter().enumerate() {
            cx.set(i, tensor);
        }
        return Ok(());
    }
    queue.submit(cx, Want::DequeueMany { n, up_to, taken: Vec::new(), arena })
}

//! `QueueDequeue`, `QueueDequeueMany`, `QueueDequeueUpTo` and their V2 forms.

use super::create::queue_input;
use super::enqueue::check_timeout;
use super::queue::Want;
use crate::prelude::*;
use crate::{HANDLE, REFERENCE};

/// Checks that the dtypes of a queue's components match the outputs of the node.
fn check_types(expected: &[DType], found: &[DType]) -> Result<()> {
    if expected == found {
        return Ok(());
    }
    Err(Error::invalid("the queue's components are not of the dtypes that are dequeued")
        .attr("component_types")
        .expected(format!("{found:?}"))
        .found(format!("{expected:?}")))
}

attrs! {
    /// The attrs of dequeue ops.
    pub struct Dequeue {
        /// Dtypes of the components.
        types: Vec<DType> = Attr::dtypes("component_types", sets::ANY).at_least(1),
        /// Timeout; must be -1, for none.
        timeout_ms: i64 = Attr::int("timeout_ms").or_int(-1),
    }
}

const N: Arg = arg("n", is(DType::I32));
const COMPONENTS: &[Arg] = &[arg("components", each("component_types"))];

pub static QUEUE_DEQUEUE: Def<Dequeue> = op("QueueDequeue")
    .doc("Takes an element out of a queue. Waits until there is one.")
    .inputs(&[REFERENCE])
    .outputs(COMPONENTS)
    .also(&[form("QueueDequeueV2").inputs(&[HANDLE])])
    .act(Act::Take)
    .shape(|_, cx| {
        cx.output_elements(&[]);
        Ok(())
    })
    .kernel(|op, cx| {
        check_timeout(op.timeout_ms)?;
        let queue = queue_input(cx, 0)?;
        check_types(&op.types, &queue.config.types)?;
        queue.submit(cx, Want::Dequeue)
    });

pub static QUEUE_DEQUEUE_MANY: Def<Dequeue> = op("QueueDequeueMany")
    .doc("Takes `n` elements out of a queue and returns them as a batch. Waits until there are enough.")
    .inputs(&[REFERENCE, N])
    .outputs(COMPONENTS)
    .also(&[form("QueueDequeueManyV2").inputs(&[HANDLE, N])])
    .act(Act::Take)
    .shape(|_, cx| {
        let n = cx.constant_i64s(1).and_then(|n| usize::try_from(*n.first()?).ok());
        cx.output_elements(&[n]);
        Ok(())
    })
    .kernel(|op, cx| batch(op, cx, false));

pub static QUEUE_DEQUEUE_UP_TO: Def<Dequeue> = op("QueueDequeueUpTo")
    .doc("Like `QueueDequeueMany`, but returns the remaining elements if the queue is closed before there are `n`.")
    .inputs(&[REFERENCE, N])
    .outputs(COMPONENTS)
    .also(&[form("QueueDequeueUpToV2").inputs(&[HANDLE, N])])
    .act(Act::Take)
    .shape(|_, cx| {
        cx.output_elements(&[None]);
        Ok(())
    })
    .kernel(|op, cx| batch(op, cx, true));

fn batch(op: &Dequeue, cx: &mut Cx<'_, '_>, up_to: bool) -> Result<()> {
    check_timeout(op.timeout_ms)?;
    let queue = queue_input(cx, 0)?;
    let n = cx.scalar::<i32>(1)?;
    let n = usize::try_from(n).map_err(|_| Error::invalid(format!("DequeueManyOp requested {n} < 0 elements")))?;
    check_types(&op.types, &queue.config.types)?;
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

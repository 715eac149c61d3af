//! `QueueEnqueue`, `QueueEnqueueMany` and their V2 forms.

use super::create::queue_input;
use super::queue::{Element, Want};
use crate::prelude::*;
use crate::{HANDLE, REFERENCE};

/// Returns the components that a node enqueues.
fn components(cx: &mut Cx<'_, '_>) -> Result<Element> {
    (1..cx.num_inputs()).map(|i| cx.take(i)).collect()
}

/// Refuses a timeout, as TensorFlow does.
pub(super) fn check_timeout(timeout_ms: i64) -> Result<()> {
    if timeout_ms == -1 {
        return Ok(());
    }
    Err(Error::invalid("Timeout not supported yet.").attr("timeout_ms").found(timeout_ms))
}

fn enqueue(op: &Enqueue, cx: &mut Cx<'_, '_>) -> Result<()> {
    check_timeout(op.timeout_ms)?;
    let queue = queue_input(cx, 0)?;
    let element = components(cx)?;
    queue.config.check_element(&element)?;
    queue.submit(cx, Want::Enqueue(element))
}

fn enqueue_many(op: &Enqueue, cx: &mut Cx<'_, '_>) -> Result<()> {
    check_timeout(op.timeout_ms)?;
    let queue = queue_input(cx, 0)?;
    let batch = components(cx)?;
    let size = queue.config.check_batch(&batch)?;
    if size == 0 {
        return Ok(());
    }
    // Rows without elements take up memory too, as elements of the queue.
    cx.device.arena.check(queue.config.fitting(size).saturating_mul(size_of_val(&batch[..])))?;
    queue.submit(cx, Want::EnqueueMany { batch, next: 0, size })
}

attrs! {
    /// The attrs of enqueue ops.
    pub struct Enqueue {
        /// Dtypes of the components.
        types: Vec<DType> = Attr::dtypes("Tcomponents", sets::ANY).at_least(1),
        /// Timeout; must be -1, for none.
        timeout_ms: i64 = Attr::int("timeout_ms").or_int(-1),
    }
}

const COMPONENTS: Arg = arg("components", each("Tcomponents"));

pub static QUEUE_ENQUEUE: Def<Enqueue> = op("QueueEnqueue")
    .doc("Adds an element to a queue. Waits until there is room.")
    .inputs(&[REFERENCE, COMPONENTS])
    .also(&[form("QueueEnqueueV2").inputs(&[HANDLE, COMPONENTS])])
    .act(Act::Put)
    .kernel(enqueue);

pub static QUEUE_ENQUEUE_MANY: Def<Enqueue> = op("QueueEnqueueMany")
    .doc("Adds the rows of the components to a queue, one element per row. Waits until there is room.")
    .inputs(&[REFERENCE, COMPONENTS])
    .also(&[form("QueueEnqueueManyV2").inputs(&[HANDLE, COMPONENTS])])
    .act(Act::Put)
    .kernel(enqueue_many);

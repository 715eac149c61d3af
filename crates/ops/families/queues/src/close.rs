//! `QueueClose`, `QueueIsClosed`, `QueueSize` and their V2 forms.

use super::create::queue_input;
use super::queue::{ENQUEUE, QueueState, Want};
use crate::prelude::*;
use crate::{HANDLE, REFERENCE, scalar};

attrs! {
    /// Closes a queue: further elements are refused, but the remaining ones can still be dequeued.
    pub struct QueueClose {
        /// Whether pending enqueues are cancelled instead of completed first.
        cancel_pending_enqueues: bool = Attr::bool("cancel_pending_enqueues").or_bool(false),
    }
}

pub static QUEUE_CLOSE: Def<QueueClose> =
    op("QueueClose").inputs(&[REFERENCE]).also(&[form("QueueCloseV2").inputs(&[HANDLE])]).act(Act::Close).kernel(
        |op, cx| {
            let queue = queue_input(cx, 0)?;
            if op.cancel_pending_enqueues {
                queue.cancel_lane(ENQUEUE, QueueState::close_at_once);
                return Ok(());
            }
            queue.submit(cx, Want::Close)
        },
    );

attrs! {
    /// Returns whether a queue is closed.
    pub struct QueueIsClosed {}
}

pub static QUEUE_IS_CLOSED: Def<QueueIsClosed> = op("QueueIsClosed")
    .inputs(&[REFERENCE])
    .outputs(&[arg("is_closed", is(DType::Bool))])
    .also(&[form("QueueIsClosedV2").inputs(&[HANDLE])])
    .stateful()
    .shape(scalar)
    .kernel(|_, cx| {
        let closed = queue_input(cx, 0)?.look(|state| state.closed);
        cx.set(0, Tensor::scalar(closed));
        Ok(())
    });

attrs! {
    /// Returns the number of elements in a queue.
    pub struct QueueSize {}
}

pub static QUEUE_SIZE: Def<QueueSize> = op("QueueSize")
    .inputs(&[REFERENCE])
    .outputs(&[arg("size", is(DType::I32))])
    .also(&[form("QueueSizeV2").inputs(&[HANDLE])])
    .stateful()
    .shape(scalar)
    .kernel(|_, cx| {
        let size = queue_input(cx, 0)?.look(|state| state.elements.len() as i32);
        cx.set(0, Tensor::scalar(size));
        Ok(())
    });

//! `QueueClose`, `QueueIsClosed`, `QueueSize` and their V2 forms.

use super::create::queue_input;
use super::queue::{ENQUEUE, QueueState, Want};
use crate::prelude::*;

macro_rules! closes {
    ($($name:ident, $handle:expr;)*) => {$(
        attrs! {
            /// Closes a queue: nothing more is enqueued, what is there can be dequeued.
            pub struct $name {
                /// True where those who wait to enqueue are cancelled; else they come first.
                cancel_pending_enqueues: bool = Attr::bool("cancel_pending_enqueues").or_bool(false),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec { name: stringify!($name), inputs: &[$handle], act: Some(Act::Close), ..Spec::STATEFUL };
        }

        impl Kernel<Cpu> for $name {
            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                let queue = queue_input(cx, 0)?;
                if self.cancel_pending_enqueues {
                    queue.cancel_lane(ENQUEUE, QueueState::close_at_once);
                    return Ok(());
                }
                queue.submit(cx, Want::Close)
            }
        }
    )*};
}

closes! {
    QueueClose, arg("handle", is(DType::Str)).by_ref();
    QueueCloseV2, arg("handle", is(DType::Resource));
}

macro_rules! looks {
    ($($(#[doc = $doc:literal])* $name:ident, $handle:expr, $output:expr, |$state:ident| $value:expr;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {}
        }

        impl Op for $name {
            const SPEC: Spec =
                Spec { name: stringify!($name), inputs: &[$handle], outputs: &[$output], ..Spec::STATEFUL };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                cx.output_scalar(0);
                Ok(())
            }
        }

        impl Kernel<Cpu> for $name {
            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                let value = queue_input(cx, 0)?.look(|$state| $value);
                cx.set(0, Tensor::scalar(value));
                Ok(())
            }
        }
    )*};
}

looks! {
    /// Says whether a queue is closed.
    QueueIsClosed, arg("handle", is(DType::Str)).by_ref(), arg("is_closed", is(DType::Bool)), |s| s.closed;
    /// Says whether a queue is closed.
    QueueIsClosedV2, arg("handle", is(DType::Resource)), arg("is_closed", is(DType::Bool)), |s| s.closed;
    /// Number of elements in a queue.
    QueueSize, arg("handle", is(DType::Str)).by_ref(), arg("size", is(DType::I32)), |s| s.elements.len() as i32;
    /// Number of elements in a queue.
    QueueSizeV2, arg("handle", is(DType::Resource)), arg("size", is(DType::I32)), |s| s.elements.len() as i32;
}

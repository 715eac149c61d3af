//! `Abort`: fails the step.

use crate::prelude::*;

attrs! {
    /// Fails the step. TensorFlow aborts the process; a graph, being untrusted input, must not be able to.
    pub struct Abort {
        /// The error message.
        error_msg: Bytes = Attr::string("error_msg").or_str(""),
        /// In TensorFlow, whether the process exits with code 0.
        exit_without_error: bool = Attr::bool("exit_without_error").or_bool(false),
    }
}

pub static ABORT: Def<Abort> = op("Abort").stateful().kernel(|op: &Abort, _| {
    Err(Error::aborted(format!("Abort_op intentional failure; {}", String::from_utf8_lossy(&op.error_msg))))
});

//! `Abort`: fails the step.

use crate::prelude::*;

attrs! {
    /// Fails the step. TensorFlow's ends the process; a graph that is only input must not be able to.
    pub struct Abort {
        /// What the error says.
        error_msg: Bytes = Attr::string("error_msg").or_str(""),
        /// In TensorFlow, whether the process ends with exit code 0.
        exit_without_error: bool = Attr::bool("exit_without_error").or_bool(false),
    }
}

pub static ABORT: Def<Abort> = op("Abort").stateful().kernel(|op: &Abort, _| {
    Err(Error::aborted(format!("Abort_op intentional failure; {}", String::from_utf8_lossy(&op.error_msg))))
});

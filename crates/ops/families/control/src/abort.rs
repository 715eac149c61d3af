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

impl Op for Abort {
    // Stateful, so that it is never folded or merged.
    const SPEC: Spec = Spec { name: "Abort", ..Spec::STATEFUL };
}

impl Kernel<Cpu> for Abort {
    fn compute(&self, _: &mut Cx<'_, '_>) -> Result<()> {
        Err(Error::aborted(format!("Abort_op intentional failure; {}", String::from_utf8_lossy(&self.error_msg))))
    }
}

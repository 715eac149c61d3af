//! `NoOp`: does nothing, in order.

use crate::prelude::*;

attrs! {
    /// Does nothing; its control edges order other nodes.
    pub struct NoOp {}
}

impl Op for NoOp {
    const SPEC: Spec = Spec { name: "NoOp", ..Spec::PURE };
}

impl Kernel<Cpu> for NoOp {
    fn compute(&self, _: &mut Cx<'_, '_>) -> Result<()> {
        Ok(())
    }
}

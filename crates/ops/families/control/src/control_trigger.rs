//! `ControlTrigger`: runs even where what it waits for is dead.

use crate::prelude::*;

attrs! {
    /// Does nothing, once its control inputs have run or turned out dead.
    pub struct ControlTrigger {}
}

impl Op for ControlTrigger {
    const SPEC: Spec = Spec { name: "ControlTrigger", role: Role::ControlTrigger, ..Spec::PURE };
}

impl Kernel<Cpu> for ControlTrigger {
    fn compute(&self, _: &mut Cx<'_, '_>) -> Result<()> {
        Ok(())
    }
}

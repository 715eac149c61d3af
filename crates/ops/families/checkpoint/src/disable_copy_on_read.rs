//! `DisableCopyOnRead`: says that reads of a variable may share its elements, which they always do here.

use crate::prelude::*;
use crate::variable::Target;

attrs! {
    /// Lets reads of a variable share its elements. They always do; it fails where there is no such variable.
    pub struct DisableCopyOnRead {}
}

impl Op for DisableCopyOnRead {
    const SPEC: Spec =
        Spec { name: "DisableCopyOnRead", inputs: &[arg("resource", is(DType::Resource))], ..Spec::STATEFUL };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.with_rank(0, 0).map(drop)
    }
}

impl Kernel<Cpu> for DisableCopyOnRead {
    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        Target::of(cx, 0).map(drop)
    }
}

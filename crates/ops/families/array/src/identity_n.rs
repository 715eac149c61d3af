//! `IdentityN`: passes a list on.

use crate::prelude::*;

attrs! {
    /// Gives its inputs.
    pub struct IdentityN {
        /// Element types.
        dtypes: Vec<DType> = Attr::dtypes("T", sets::ANY).at_least(1),
    }
}

impl Op for IdentityN {
    const SPEC: Spec = Spec {
        name: "IdentityN",
        inputs: &[arg("input", each("T"))],
        outputs: &[arg("output", each("T"))],
        ..Spec::PURE
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        for i in 0..cx.num_outputs() {
            let shape = cx.input(i);
            cx.output(i, shape);
        }
        Ok(())
    }
}

impl Kernel<Cpu> for IdentityN {
    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        for i in 0..cx.num_inputs() {
            let tensor = cx.take(i)?;
            cx.set(i, tensor);
        }
        Ok(())
    }
}

//! `VariableV2` and `Variable`: reference variables.

use crate::variable::{Legacy, container_here, resource_name, unset};
use crate::prelude::*;
use std::sync::Arc;

macro_rules! variables {
    ($($(#[doc = $doc:literal])* $name:ident |$this:ident| $shape:expr;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Shape of the value.
                shape: PartialShape = Attr::shape("shape"),
                /// Element type.
                dtype: DType = Attr::dtype("dtype", sets::ANY),
                /// Container that holds the variable; empty for the default one.
                container: String = Attr::string("container").or_str(""),
                /// Name in the container; empty for the node's.
                shared_name: String = Attr::string("shared_name").or_str(""),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                outputs: &[arg("ref", of("dtype")).by_ref()],
                ..Spec::STATEFUL
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                let $this = self;
                cx.output(0, $shape);
                Ok(())
            }
        }

        impl Kernel<Cpu> for $name {
            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                let name = resource_name(&self.shared_name, cx);
                let make = || {
                    let mut cell = unset(&cx.node().name, &self.shape);
                    // Without elements there is nothing to initialise.
                    if let Some(shape) = self.shape.known().filter(|s| s.num_elements() == 0) {
                        *cell.value.get_mut() = Some(Tensor::zeros(self.dtype, shape));
                    }
                    Ok(Legacy(Arc::new(cell)))
                };
                let variable = cx.env().resources.get_or_create::<Legacy>(&container_here(&self.container, cx), name, make)?;
                cx.set_entry(0, Entry::Ref(variable.0.clone()));
                Ok(())
            }
        }
    )*};
}

variables! {
    /// A reference to a variable, which lives as long as its container.
    VariableV2 |op| op.shape.clone();
    /// [`VariableV2`] as it was first: a shape without axes stands for one that is not known.
    Variable |op| match op.shape.rank() {
        Some(0) => PartialShape::Unknown,
        _ => op.shape.clone(),
    };
}

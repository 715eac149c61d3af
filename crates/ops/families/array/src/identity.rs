//! `Identity` and the ops that are identities outside of gradients.

use crate::flow::pass;
use crate::prelude::*;

macro_rules! identities {
    ($($(#[doc = $doc:literal])* $name:ident $forwards:literal ( $($attr:tt)* );)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Element type.
                dtype: DType = Attr::dtype("T", sets::ANY),
                $($attr)*
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[arg("input", of("T"))],
                outputs: &[arg("output", of("T"))],
                forwards: $forwards,
                ..Spec::PURE
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                cx.same_as_input(0);
                Ok(())
            }
        }

        impl Kernel<Cpu> for $name {
            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                let value = pass(cx, 0, false)?;
                cx.set_entry(0, value);
                Ok(())
            }
        }
    )*};
}

identities! {
    /// Gives its input.
    Identity true ();
    /// Gives its input; asking for a gradient through it is an error.
    PreventGradient true (
        /// Said when a gradient is asked for.
        message: Bytes = Attr::string("message").or_str(""),
    );
    /// Gives its input as it is now, whatever becomes of the variable behind it.
    Snapshot false ();
    /// Gives its input; gradients stop here.
    StopGradient true ();
}

//! Ops that copy, or promise something about, a tensor. Tensors are values here, so all of them pass theirs on.

use crate::prelude::*;

macro_rules! copies {
    ($($(#[doc = $doc:literal])* $name:ident ($input:literal, $output:literal, $spec:expr, $($attrs:tt)*);)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Element type.
                dtype: DType = Attr::dtype("T", sets::ANY),
                $($attrs)*
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[arg($input, of("T"))],
                outputs: &[arg($output, of("T"))],
                ..$spec
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                cx.same_as_input(0);
                Ok(())
            }
        }

        impl Kernel<Cpu> for $name {
            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                let tensor = cx.take(0)?;
                cx.set(0, tensor);
                Ok(())
            }
        }
    )*};
}

copies! {
    /// A copy of its input.
    Copy("input", "output", Spec::PURE,
        /// Name of the tensor, for debuggers.
        tensor_name: Bytes = Attr::string("tensor_name").or_str(""),
        /// What debuggers do with it.
        debug_ops_spec: Vec<Bytes> = Attr::strings("debug_ops_spec").or_empty(),
    );
    /// A copy of its input on the host.
    CopyHost("input", "output", Spec::PURE,
        /// Name of the tensor, for debuggers.
        tensor_name: Bytes = Attr::string("tensor_name").or_str(""),
        /// What debuggers do with it.
        debug_ops_spec: Vec<Bytes> = Attr::strings("debug_ops_spec").or_empty(),
    );
    /// Gives its input; debuggers find gradients by it.
    DebugGradientIdentity("input", "output", Spec::PURE,);
    /// A copy of its input.
    DeepCopy("x", "y", Spec::STATEFUL,);
    /// Gives its input, which never changes.
    GuaranteeConst("input", "output", Spec::STATEFUL,);
}

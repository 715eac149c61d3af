//! Ops that copy a tensor or make a promise about it. Tensors are immutable values here, so all of them pass theirs on.

use crate::prelude::*;
use crate::rules::pass;

attrs! {
    /// Returns a copy of its input.
    pub struct Copied {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Name of the tensor, for debuggers.
        tensor_name: Bytes = Attr::string("tensor_name").or_str(""),
        /// What debuggers do with the tensor.
        debug_ops_spec: Vec<Bytes> = Attr::strings("debug_ops_spec").or_empty(),
    }
}

const INPUT: &[Arg] = &[arg("input", of("T"))];
const OUTPUT: &[Arg] = &[arg("output", of("T"))];

const fn copy(name: &'static str) -> Def<Copied> {
    op::<Copied>(name).inputs(INPUT).outputs(OUTPUT).shape(same_as_input).gradient(|_, g| pass(g)).kernel(|_, cx| {
        let tensor = cx.take(0)?;
        cx.set(0, tensor);
        Ok(())
    })
}

pub static COPY: Def<Copied> =
    copy("Copy").also(&[form("CopyHost").doc("Returns a copy of its input on the host.")]).batch(elementwise);

pub static DEBUG_GRADIENT_IDENTITY: Def<Copied> = copy("DebugGradientIdentity")
    .doc("Returns its input; marks a gradient for debuggers.")
    .without(&["tensor_name", "debug_ops_spec"])
    .batch(elementwise);

pub static DEEP_COPY: Def<Copied> = copy("DeepCopy")
    .without(&["tensor_name", "debug_ops_spec"])
    .inputs(&[arg("x", of("T"))])
    .outputs(&[arg("y", of("T"))])
    .stateful()
    .batch(elementwise);

pub static GUARANTEE_CONST: Def<Copied> = copy("GuaranteeConst")
    .doc("Returns its input and promises that its value never changes.")
    .without(&["tensor_name", "debug_ops_spec"])
    .stateful()
    .kernel(|op, cx| {
        if op.dtype == DType::Resource {
            return Err(Error::invalid("Input tensor cannot be a resource variable handle."));
        }
        let tensor = cx.take(0)?;
        cx.set(0, tensor);
        Ok(())
    })
    .batch(elementwise);

//! `TensorArrayGradV3` and its siblings: the array that accumulates the gradients of an array's elements.

use super::handle::{
    ARRAYS, FLOW_IN, FLOW_OUT, GRADIENTS, HANDLE, NAME, V1, V2, V3, array_input, pass_flow, set_array,
};
use crate::moves::Mover;
use crate::prelude::*;
use crate::rules::never;
use levada_ops_core::handle::named_input;

attrs! {
    /// Returns the array of gradients of an array.
    pub struct TensorArrayGradV3 {
        /// Distinguishes several gradients of the same array.
        source: String = Attr::string("source"),
        /// Version of the tensor array ops.
        version: i64 = Attr::int("version").or_int(3),
    }
}

const GRADIENT_HANDLE: Arg = arg("grad_handle", is(DType::Resource));
const GRADIENT_NAME: Arg = arg("grad_handle", is(DType::Str));

pub static TENSOR_ARRAY_GRAD_V3: Def<TensorArrayGradV3> = op::<TensorArrayGradV3>("TensorArrayGradV3")
    .store(Store::Like)
    .inputs(&[HANDLE, FLOW_IN])
    .outputs(&[GRADIENT_HANDLE, FLOW_OUT])
    .fixed(V3)
    .also(&[
        form("TensorArrayGradV2").inputs(&[NAME, FLOW_IN]).outputs(&[GRADIENT_NAME]).fixed(V2),
        form("TensorArrayGrad").inputs(&[NAME, FLOW_IN]).outputs(&[GRADIENT_NAME.by_ref()]).fixed(V1),
    ])
    .stateful()
    .shape(|op, cx| {
        cx.output(0, if op.version == 3 { PartialShape::scalar() } else { PartialShape::vector(Some(2)) });
        cx.output_scalar(1);
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(tensor_array_grad::<Cpu>);

/// The kernel of `TensorArrayGradV3`, on any device that moves elements.
pub fn tensor_array_grad<D: Mover>(op: &TensorArrayGradV3, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    gradient(cx, &op.source, &Shape::scalar(), op.version)
}

attrs! {
    /// Returns the array of gradients of an array, whose elements have additional leading axes.
    pub struct TensorArrayGradWithShape {
        /// Distinguishes several gradients of the same array.
        source: String = Attr::string("source"),
    }
}

pub static TENSOR_ARRAY_GRAD_WITH_SHAPE: Def<TensorArrayGradWithShape> = op("TensorArrayGradWithShape")
    .store(Store::Like)
    .inputs(&[HANDLE, FLOW_IN, arg("shape_to_prepend", is(DType::I32))])
    .outputs(&[GRADIENT_HANDLE, FLOW_OUT])
    .stateful()
    .host_inputs(&[2])
    .shape(|_, cx| {
        cx.output_scalar(0);
        cx.output_scalar(1);
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(tensor_array_grad_with_shape::<Cpu>);

/// The kernel of `TensorArrayGradWithShape`, on any device that moves elements.
pub fn tensor_array_grad_with_shape<D: Mover>(
    op: &TensorArrayGradWithShape,
    cx: &mut KernelCx<'_, '_, D>,
) -> Result<()> {
    let before = Shape::from_signed(&cx.i64s(2)?)?;
    gradient(cx, &op.source, &before, 3)
}

/// Returns the gradient array of the array in input 0, ordered after `flow`, and the flow from there.
pub(super) fn gradient_array<'g>(g: &'g GradCx, version: i64, flow: V<'g>) -> (V<'g>, V<'g>) {
    let op = TensorArrayGradV3 { source: g.source().to_owned(), version };
    let array = TENSOR_ARRAY_GRAD_V3.node(g, &op, &[g.input(0), flow]);
    // Arrays of the first versions have no separate flow output.
    (array, if version == 3 { array.out(1) } else { flow })
}

fn gradient<D: Mover>(cx: &mut KernelCx<'_, '_, D>, source: &str, before: &Shape, version: i64) -> Result<()> {
    if version < 3 {
        let (container, name) = named_input(cx, 0)?;
        if container != ARRAYS {
            return Err(Error::invalid(format!("the handle of {name} does not refer to a TensorArray with gradients"))
                .expected(format!("the container {ARRAYS}"))
                .found(container));
        }
    }
    let array = array_input(cx)?;
    if array.is_grad {
        return Err(Error::invalid(format!("the TensorArray {} holds gradients already", array.name)));
    }
    let gradient = array.gradient(source, before)?;
    set_array(cx, GRADIENTS, gradient, version);
    if version == 3 { pass_flow(cx, 1, 1) } else { Ok(()) }
}

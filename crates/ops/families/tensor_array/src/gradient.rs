//! `TensorArrayGradV3` and its siblings: the array that collects the gradients of an array's elements.

use super::handle::{Form, GRADIENTS, array_input, array_ops, pass_flow, set_array};
use crate::moves::Mover;
use crate::prelude::*;

fn gradient<D: Mover>(cx: &mut KernelCx<'_, '_, D>, source: &str, before: &Shape, form: Form) -> Result<()> {
    let array = array_input(cx)?;
    if array.is_grad {
        return Err(Error::invalid(format!(
            "Input container should be '_tensor_arrays', but received '{GRADIENTS}': {} holds gradients already",
            array.name
        )));
    }
    let gradient = array.gradient(source, before)?;
    set_array(cx, GRADIENTS, gradient, form);
    Ok(())
}

array_ops! {
    /// The array of gradients of an array.
    [TensorArrayGrad Reference] {
        /// Which gradient, where there are several.
        source: String = Attr::string("source"),
    } (arg("flow_in", is(DType::F32))) -> (array_ops!(@handle Reference, "grad_handle"))
    host [] -> [];
    shape |_op, cx| {
        cx.output_vector(0, Some(2));
        Ok(())
    };
    compute |op, cx| gradient(cx, &op.source, &Shape::scalar(), Form::Reference)
}

array_ops! {
    /// The array of gradients of an array.
    [TensorArrayGradV2 Strings] {
        /// Which gradient, where there are several.
        source: String = Attr::string("source"),
    } (arg("flow_in", is(DType::F32))) -> (array_ops!(@handle Strings, "grad_handle"))
    host [] -> [];
    shape |_op, cx| {
        cx.output_vector(0, Some(2));
        Ok(())
    };
    compute |op, cx| gradient(cx, &op.source, &Shape::scalar(), Form::Strings)
}

array_ops! {
    /// The array of gradients of an array.
    [TensorArrayGradV3 Resource] {
        /// Which gradient, where there are several.
        source: String = Attr::string("source"),
    } (arg("flow_in", is(DType::F32)))
        -> (array_ops!(@handle Resource, "grad_handle"), arg("flow_out", is(DType::F32)))
    host [] -> [];
    shape |_op, cx| {
        cx.output_scalar(0);
        cx.output_scalar(1);
        Ok(())
    };
    compute |op, cx| {
        gradient(cx, &op.source, &Shape::scalar(), Form::Resource)?;
        pass_flow(cx, 1, 1)
    }
}

array_ops! {
    /// The array of gradients of an array, whose elements have further axes in front.
    [TensorArrayGradWithShape Resource] {
        /// Which gradient, where there are several.
        source: String = Attr::string("source"),
    } (arg("flow_in", is(DType::F32)), arg("shape_to_prepend", is(DType::I32)))
        -> (array_ops!(@handle Resource, "grad_handle"), arg("flow_out", is(DType::F32)))
    host [2] -> [];
    shape |_op, cx| {
        cx.output_scalar(0);
        cx.output_scalar(1);
        Ok(())
    };
    compute |op, cx| {
        let before = Shape::from_signed(&cx.i64s(2)?)?;
        gradient(cx, &op.source, &before, Form::Resource)?;
        pass_flow(cx, 1, 1)
    }
}

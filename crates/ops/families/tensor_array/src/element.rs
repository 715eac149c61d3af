//! `TensorArrayWriteV3`, `TensorArrayReadV3` and their older forms: one element.

use super::handle::{array_input, array_ops, check_dtype, pass_flow};
use crate::moves::Mover;
use crate::prelude::*;

/// The index on input 1.
fn index<D: Mover>(cx: &KernelCx<'_, '_, D>) -> Result<i64> {
    let index = cx.input(1)?;
    if !index.shape().is_scalar() {
        return Err(Error::invalid(format!("TensorArray index must be scalar, but had shape: {}", index.shape())));
    }
    index.item::<i32>().map(i64::from)
}

array_ops! {
    /// Writes an element. A gradient's array adds up what is written to one element.
    [TensorArrayWrite Reference, TensorArrayWriteV2 Strings, TensorArrayWriteV3 Resource] {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
    } (arg("index", is(DType::I32)), arg("value", of("T")), arg("flow_in", is(DType::F32)))
        -> (arg("flow_out", is(DType::F32)))
    host [1] -> [];
    shape |_op, cx| {
        cx.with_rank(1, 0)?;
        cx.output_scalar(0);
        Ok(())
    };
    compute |op, cx| {
        let array = array_input(cx)?;
        let index = index(cx)?;
        check_dtype(&array, op.dtype, "is trying to write")?;
        let value = cx.take(2)?;
        array.write(cx, std::iter::once(Ok((index, value))))?;
        pass_flow(cx, 3, 0)
    }
}

array_ops! {
    /// Reads an element.
    [TensorArrayRead Reference, TensorArrayReadV2 Strings, TensorArrayReadV3 Resource] {
        /// Element type.
        dtype: DType = Attr::dtype("dtype", sets::ANY),
    } (arg("index", is(DType::I32)), arg("flow_in", is(DType::F32))) -> (arg("value", of("dtype")))
    host [1] -> [];
    shape |_op, cx| cx.with_rank(1, 0).map(drop);
    compute |op, cx| {
        let array = array_input(cx)?;
        let index = index(cx)?;
        check_dtype(&array, op.dtype, "requested")?;
        if let Some(value) = array.read(cx, std::iter::once(index))?.pop() {
            cx.set(0, value);
        }
        Ok(())
    }
}

//! `TensorArraySizeV3`, `TensorArrayCloseV3` and their older forms.

use super::handle::{array_input, array_ops};
use crate::moves::Mover;
use crate::prelude::*;

array_ops! {
    /// Number of elements.
    [TensorArraySize Reference, TensorArraySizeV2 Strings, TensorArraySizeV3 Resource] {}
    (arg("flow_in", is(DType::F32))) -> (arg("size", is(DType::I32)))
    host [] -> [0];
    shape |_op, cx| {
        cx.output_scalar(0);
        Ok(())
    };
    compute |_op, cx| {
        let size = array_input(cx)?.size()?;
        cx.set(0, Tensor::scalar(size as i32));
        Ok(())
    }
}

array_ops! {
    /// Gives the memory of an array back; it cannot be used any more.
    [TensorArrayClose Reference, TensorArrayCloseV2 Strings, TensorArrayCloseV3 Resource] {}
    () -> ()
    host [] -> [];
    shape |_op, _cx| Ok(());
    compute |_op, cx| {
        array_input(cx)?.close();
        Ok(())
    }
}

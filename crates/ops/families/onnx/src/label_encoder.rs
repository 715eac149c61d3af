//! `LabelEncoder` of `ai.onnx.ml`.

use crate::prelude::*;
use std::collections::HashMap;

attrs! {
    /// `LabelEncoder` of `ai.onnx.ml`: maps each element of `X` to the value for its key.
    pub struct OnnxLabelEncoder {
        /// Element type of `X`.
        dtype: DType = Attr::dtype("T1", sets::ANY),
        /// Element type of `Y`.
        out: DType = Attr::dtype("T2", sets::ANY),
        /// The keys.
        keys: Tensor = Attr::tensor("keys_tensor"),
        /// The value of each key.
        values: Tensor = Attr::tensor("values_tensor"),
        /// The value for elements that are not keys.
        default: Tensor = Attr::tensor("default_tensor"),
    }
}

pub static ONNX_LABEL_ENCODER: Def<OnnxLabelEncoder> = op("OnnxLabelEncoder")
    .inputs(&[arg("X", of("T1"))])
    .outputs(&[arg("Y", of("T2"))])
    .shape(|_, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .kernel(onnx_label_encoder)
    .heavy();

fn onnx_label_encoder(op: &OnnxLabelEncoder, cx: &mut Cx<'_, '_>) -> Result<()> {
    let x = cx.input(0)?;
    let types_fit = op.keys.dtype() == op.dtype && op.values.dtype() == op.out && op.default.dtype() == op.out;
    if !types_fit || op.keys.num_elements() != op.values.num_elements() || op.default.num_elements() != 1 {
        return Err(Error::invalid("keys, values and the default do not match")
            .attr("keys_tensor")
            .expected(format!("as many values of {} as keys of {}, and one default", op.out, op.dtype))
            .found(format!("{} keys, {} values", op.keys.num_elements(), op.values.num_elements())));
    }
    let (shape, places) = (x.shape().clone(), places(x, &op.keys)?);
    let mut y = cx.alloc(op.out, &shape)?;
    dispatch!(op.out, any, |T| {
        pick::<T>(&places, op.values.slice()?, &op.default.slice()?[0], y.slice_mut()?);
    }, else return Err(Error::unimplemented("labels of this dtype are not supported")));
    cx.set(0, y);
    Ok(())
}

/// The position of each element of `x` among the keys; the last one of equal keys.
fn places(x: &Tensor, keys: &Tensor) -> Result<Vec<Option<usize>>> {
    if x.dtype() == DType::Str {
        let table: HashMap<&Bytes, usize> = keys.slice::<Bytes>()?.iter().enumerate().map(|(i, k)| (k, i)).collect();
        return Ok(x.slice::<Bytes>()?.iter().map(|v| table.get(v).copied()).collect());
    }
    let numbers = |t: &Tensor| -> Result<Vec<u64>> {
        if t.dtype().is_integer() {
            return Ok(t.to_i64s()?.into_iter().map(|v| v as u64).collect());
        }
        let bits = |&v: &f64| if v.is_nan() { u64::MAX } else { (v + 0.0).to_bits() };
        Ok(crate::base::read::<f64>(t)?.iter().map(bits).collect())
    };
    let table: HashMap<u64, usize> = numbers(keys)?.into_iter().enumerate().map(|(i, k)| (k, i)).collect();
    Ok(numbers(x)?.iter().map(|v| table.get(v).copied()).collect())
}

/// The values at these positions, or the default.
fn pick<T: Element>(places: &[Option<usize>], values: &[T], default: &T, out: &mut [T]) {
    let found = places.iter().map(|at| at.map_or(default, |at| &values[at]));
    out.iter_mut().zip(found).for_each(|(out, value)| *out = value.clone());
}

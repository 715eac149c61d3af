//! `OnnxUnique`: the distinct slices of a tensor.

use crate::base::axis_of;
use crate::prelude::*;
use std::collections::BTreeMap;

attrs! {
    /// The index outputs of `Unique` of ONNX for `X`: the first occurrence of each distinct slice, the distinct slice
    /// that each slice equals, and the number of occurrences.
    pub struct OnnxUnique {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// The axis of the slices; ignored if `flat`.
        axis: i64 = Attr::int("axis").or_int(0),
        /// If true, compares single elements.
        flat: bool = Attr::bool("flat").or_bool(false),
        /// If true, results are in ascending order, otherwise in the order of first occurrence.
        sorted: bool = Attr::bool("sorted").or_bool(true),
    }
}

pub static ONNX_UNIQUE: Def<OnnxUnique> = op("OnnxUnique")
    .inputs(&[arg("X", of("T"))])
    .outputs(&[arg("indices", is(DType::I64)), arg("inverse_indices", is(DType::I64)), arg("counts", is(DType::I64))])
    .shape(|_, cx| {
        for i in 0..3 {
            cx.output_vector(i, None);
        }
        Ok(())
    })
    .kernel(onnx_unique)
    .heavy();

fn onnx_unique(op: &OnnxUnique, cx: &mut Cx<'_, '_>) -> Result<()> {
    let x = cx.input(0)?;
    let shape = x.shape();
    let (outer, n, inner) = match op.flat {
        true => (1, shape.num_elements(), 1),
        false => {
            let axis = axis_of(op.axis, shape.rank())?;
            (shape[..axis].iter().product(), shape[axis], shape[axis + 1..].iter().product::<usize>())
        }
    };
    cx.device.arena.check(shape.num_elements().saturating_mul(24))?;
    let keys = keys(x)?;
    let slice =
        |i: usize| -> Vec<u64> { (0..outer).flat_map(|o| &keys[(o * n + i) * inner..][..inner]).copied().collect() };
    // The distinct slices, each with the indices of the slices equal to it.
    let mut groups: BTreeMap<Vec<u64>, Vec<usize>> = BTreeMap::new();
    for i in 0..n {
        groups.entry(slice(i)).or_default().push(i);
    }
    let mut groups: Vec<Vec<usize>> = groups.into_values().collect();
    if !op.sorted {
        groups.sort_by_key(|group| group[0]);
    }
    let mut inverse = vec![0i64; n];
    for (number, group) in groups.iter().enumerate() {
        group.iter().for_each(|&i| inverse[i] = number as i64);
    }
    let first = groups.iter().map(|group| group[0] as i64).collect();
    let counts = groups.iter().map(|group| group.len() as i64).collect();
    cx.set(0, Tensor::vector::<i64>(first));
    cx.set(1, Tensor::vector(inverse));
    cx.set(2, Tensor::vector::<i64>(counts));
    Ok(())
}

/// An order-preserving key for each element; equal elements have equal keys.
fn keys(x: &Tensor) -> Result<Vec<u64>> {
    const SIGN: u64 = 1 << 63;
    let of_float = |v: f64| match v {
        v if v.is_nan() => u64::MAX,
        0.0 => SIGN,
        v if v > 0.0 => v.to_bits() | SIGN,
        v => !v.to_bits(),
    };
    Ok(match x.dtype() {
        DType::Str => {
            let strings = x.slice::<Bytes>()?;
            let mut sorted: Vec<&Bytes> = strings.iter().collect();
            sorted.sort_unstable();
            sorted.dedup();
            strings.iter().map(|s| sorted.partition_point(|t| *t < s) as u64).collect()
        }
        DType::Bool => x.slice::<bool>()?.iter().map(|&v| u64::from(v)).collect(),
        DType::U64 => x.slice::<u64>()?.to_vec(),
        dtype if dtype.is_integer() => x.to_i64s()?.iter().map(|&v| (v as u64) ^ SIGN).collect(),
        _ => crate::base::read::<f64>(x)?.iter().map(|&v| of_float(v)).collect(),
    })
}

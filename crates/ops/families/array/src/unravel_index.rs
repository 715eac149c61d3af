//! `UnravelIndex`: flat indices as index tuples.

use crate::prelude::*;
use crate::rules::never;

attrs! {
    /// Converts each of the flat `indices` to its position along each axis of an array of shape `dims`.
    pub struct UnravelIndex {
        /// Element type.
        index: DType = Attr::dtype("Tidx", sets::INDEX).or_type(DType::I32),
    }
}

pub static UNRAVEL_INDEX: Def<UnravelIndex> = op("UnravelIndex")
    .inputs(&[arg("indices", of("Tidx")), arg("dims", of("Tidx"))])
    .outputs(&[arg("output", of("Tidx"))])
    .shape(shape)
    .gradient(|_, g| never(g))
    .kernel(unravel_index);

fn shape(_: &UnravelIndex, cx: &mut ShapeCx<'_>) -> Result<()> {
    let (indices, dims) = (cx.input(0), cx.with_rank(1, 1)?);
    let shape = match indices.dims() {
        Some([]) => PartialShape::vector(dims.dim(0)),
        Some(_) => PartialShape::new([dims.dim(0), indices.num_elements()]),
        None => PartialShape::Unknown,
    };
    cx.output(0, shape);
    Ok(())
}

fn unravel_index(op: &UnravelIndex, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (indices, dims) = (cx.input(0)?, cx.input(1)?);
    if indices.shape().rank() > 1 {
        return Err(Error::invalid(format!("The indices can only be scalar or vector, got \"{}\"", indices.shape())));
    }
    if dims.shape().rank() != 1 {
        return Err(Error::invalid(format!("The dims can only be 1-D, got \"{}\"", dims.shape())));
    }
    let (numbers, sizes) = (indices.to_i64s()?, dims.to_i64s()?);
    if let Some(i) = sizes.iter().position(|&d| d < 0) {
        return Err(Error::invalid(format!("Input dims cannot be negative. Got dim = {} at index {i}", sizes[i])));
    }
    if let Some(i) = sizes.iter().position(|&d| d == 0) {
        return Err(Error::invalid(format!(
            "Input dims cannot contain a dim of zero, but dims contains zero at index {i}"
        )));
    }
    let total = sizes.iter().try_fold(1i64, |n, &d| n.checked_mul(d));
    let total = total.filter(|&n| op.index != DType::I32 || i32::try_from(n).is_ok()).ok_or_else(|| {
        Error::invalid("Input dims product is causing integer overflow")
            .expected(format!("sizes whose product fits into {}", op.index))
            .found(format!("{sizes:?}"))
    })?;
    if numbers.iter().any(|&i| i >= total) {
        return Err(Error::invalid("index is out of bound as with dims"));
    }
    let mut out = vec![0i64; sizes.len() * numbers.len()];
    for (column, &number) in numbers.iter().enumerate() {
        let mut rest = number;
        for (axis, &size) in sizes.iter().enumerate().rev() {
            out[axis * numbers.len() + column] = rest.wrapping_rem(size);
            rest = rest.wrapping_div(size);
        }
    }
    let shape = match indices.shape().is_scalar() {
        true => Shape::vector(sizes.len()),
        false => Shape::new([sizes.len(), numbers.len()])?,
    };
    let out = match op.index {
        DType::I32 => Tensor::vector(out.iter().map(|&v| v as i32).collect()),
        _ => Tensor::vector(out),
    };
    cx.set(0, out.reshaped(shape)?);
    Ok(())
}

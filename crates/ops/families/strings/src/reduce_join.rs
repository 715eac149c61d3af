//! `ReduceJoin`: joins strings along axes.

use super::join::join;
use crate::prelude::*;
use crate::rules::never;

attrs! {
    /// Joins the strings along the axes in `reduction_indices`, of which the first varies fastest.
    pub struct ReduceJoin {
        /// Whether to keep the reduced axes, with size 1.
        keep_dims: bool = Attr::bool("keep_dims").or_bool(false),
        /// Separator.
        separator: Bytes = Attr::string("separator").or_str(""),
    }
}

pub static REDUCE_JOIN: Def<ReduceJoin> = op("ReduceJoin")
    .inputs(&[arg("inputs", is(DType::Str)), arg("reduction_indices", is(DType::I32))])
    .outputs(&[arg("output", is(DType::Str))])
    .shape(shape)
    .gradient(|_, g| never(g))
    .kernel(reduce_join);

fn shape(op: &ReduceJoin, cx: &mut ShapeCx<'_>) -> Result<()> {
    let input = cx.input(0);
    let (Some(dims), Some(axes)) = (input.dims(), cx.constant_i64s(1)) else {
        if let (Some(rank), true) = (input.rank(), op.keep_dims) {
            cx.output(0, PartialShape::of_rank(rank));
        }
        return Ok(());
    };
    let axes = normalized(&axes, dims.len())?;
    let kept = |i: usize, d: Dim| match axes.contains(&i) {
        true => op.keep_dims.then_some(Some(1)),
        false => Some(d),
    };
    let out = PartialShape::new(dims.iter().enumerate().filter_map(|(i, d)| kept(i, *d)));
    cx.output(0, out);
    Ok(())
}

fn reduce_join(op: &ReduceJoin, cx: &mut Cx<'_, '_>) -> Result<()> {
    let input = cx.input(0)?;
    let strings = input.slice::<Bytes>()?;
    let dims = input.shape().dims();
    let strides = input.shape().strides();
    let axes = normalized(&cx.i64s(1)?, dims.len())?;
    let kept: Vec<usize> = (0..dims.len()).filter(|i| !axes.contains(i)).collect();
    let shape = match op.keep_dims {
        true => Shape::new(dims.iter().enumerate().map(|(i, d)| if axes.contains(&i) { 1 } else { *d }))?,
        false => Shape::new(kept.iter().map(|i| dims[*i]))?,
    };
    // The axes of a tensor without elements may be of any size.
    cx.device.arena.check(shape.num_elements().saturating_mul(size_of::<Bytes>() + size_of::<usize>()))?;
    // `slowest` lists axes from the slowest-varying to the fastest-varying.
    let offsets = |slowest: &[usize]| {
        if slowest.iter().any(|axis| dims[*axis] == 0) {
            return Vec::new();
        }
        let mut offsets = vec![0usize];
        for &axis in slowest {
            let steps = |base: usize| (0..dims[axis]).map(move |i| (base, i));
            offsets = offsets.into_iter().flat_map(steps).map(|(base, i)| base + i * strides[axis]).collect();
        }
        offsets
    };
    let reversed: Vec<usize> = axes.iter().rev().copied().collect();
    let inner = if shape.num_elements() > 0 { offsets(&reversed) } else { Vec::new() };
    let joined_at = |base: usize| {
        let parts: Vec<&Bytes> = inner.iter().map(|offset| &strings[base + offset]).collect();
        join(&parts, &op.separator)
    };
    let separators = op.separator.len().saturating_mul(strings.len());
    cx.check_strings(input.num_bytes().saturating_add(separators))?;
    let joined: Result<Vec<Bytes>> = offsets(&kept).into_iter().map(joined_at).collect();
    let output = Tensor::from_vec(shape, joined?)?;
    cx.set(0, output);
    Ok(())
}

/// Returns the axes as nonnegative indices, in the given order.
fn normalized(axes: &[i64], rank: usize) -> Result<Vec<usize>> {
    let mut found = Vec::with_capacity(axes.len());
    for &axis in axes {
        let from_front = if axis < 0 { axis + rank as i64 } else { axis };
        let i = usize::try_from(from_front).ok().filter(|i| *i < rank).ok_or_else(|| {
            Error::out_of_range(format!("Invalid reduction dimension {axis} for input with {rank} dimension(s)"))
        })?;
        if found.contains(&i) {
            return Err(Error::invalid(format!("Duplicate reduction dimension {axis}")));
        }
        found.push(i);
    }
    Ok(found)
}

//! `Gather` and `GatherV2`: slices of a tensor by their indices along an axis.

use crate::moves::{Gathering, Mover, axis_of, partial_axis};
use crate::prelude::*;

attrs! {
    /// The rows of `params` that `indices` name.
    pub struct Gather {
        /// Without meaning: indices are always checked.
        validate: bool = Attr::bool("validate_indices").or_bool(true),
        /// Element type.
        dtype: DType = Attr::dtype("Tparams", sets::ANY),
        /// Element type of `indices`.
        index: DType = Attr::dtype("Tindices", sets::INDEX),
    }
}

attrs! {
    /// The slices along `axis` of `params` that `indices` name; the first `batch_dims` axes are walked together.
    pub struct GatherV2 {
        /// Number of leading axes that `params` and `indices` share; a negative one counts from the end of `indices`.
        batch_dims: i64 = Attr::int("batch_dims").or_int(0),
        /// Element type.
        dtype: DType = Attr::dtype("Tparams", sets::ANY),
        /// Element type of `indices`.
        index: DType = Attr::dtype("Tindices", &[DType::I16, DType::I32, DType::I64]),
        /// Element type of `axis`.
        axis: DType = Attr::dtype("Taxis", sets::INDEX),
    }
}

/// How many leading axes `batch_dims` means.
fn batch(batch_dims: i64, index_rank: usize) -> Result<usize> {
    let rank = index_rank as i64;
    if !(-rank..=rank).contains(&batch_dims) {
        return Err(Error::invalid(format!(
            "Expected batch_dims in the range [-{rank}, {rank}], but got {batch_dims}"
        ))
        .attr("batch_dims"));
    }
    Ok((if batch_dims < 0 { batch_dims + rank } else { batch_dims }) as usize)
}

fn check_batch(batch: usize, axis: usize, rank: usize) -> Result<()> {
    if batch >= rank {
        return Err(Error::invalid(format!("batch_dims ({batch}) must be less than rank(params) ({rank}).")));
    }
    if batch > axis {
        return Err(Error::invalid(format!("batch_dims ({batch}) must be less than or equal to axis ({axis}).")));
    }
    Ok(())
}

/// Gathers from input 0 by input 1.
fn gather<D: Mover>(cx: &mut KernelCx<'_, '_, D>, axis: i64, batch_dims: i64) -> Result<()> {
    let out = gather_along(cx, cx.input(0)?, cx.input(1)?, axis, batch_dims)?;
    cx.set(0, out);
    Ok(())
}

/// The slices of `params` along an axis that `indices` name.
pub fn gather_along<D: Mover>(
    cx: &KernelCx<'_, '_, D>,
    params: &Tensor,
    indices: &Tensor,
    axis: i64,
    batch_dims: i64,
) -> Result<Tensor> {
    let (from, by) = (params.shape(), indices.shape());
    if from.is_scalar() {
        return Err(Error::invalid("params must be at least 1 dimensional"));
    }
    let rank = from.rank();
    let axis = axis_of(axis, rank)
        .ok_or_else(|| Error::invalid(format!("Expected axis in the range [-{rank}, {rank}), but got {axis}")))?;
    let shared = batch(batch_dims, by.rank())?;
    check_batch(shared, axis, rank)?;
    if let Some(i) = (0..shared).find(|&i| from[i] != by[i]) {
        return Err(Error::invalid(format!(
            "params.shape[{i}]: {} should be equal to indices.shape[{i}]: {}",
            from[i], by[i]
        )));
    }
    let shape = Shape::new(from[..axis].iter().chain(&by[shared..]).chain(&from[axis + 1..]).copied())?;
    let what = Gathering {
        limit: from[axis],
        outer: from[shared..axis].iter().product(),
        inner: from[axis + 1..].iter().product(),
        picks: by[shared..].iter().product(),
        shape,
    };
    D::gather(cx, params, indices, &what)
}

pub static GATHER: Def<Gather> = op("Gather")
    .inputs(&[arg("params", of("Tparams")), arg("indices", of("Tindices"))])
    .outputs(&[arg("output", of("Tparams"))])
    .counts("Tparams")
    .shape(gather_shape)
    .kernel(gather_op::<Cpu>)
    .heavy();

fn gather_shape(_: &Gather, cx: &mut ShapeCx<'_>) -> Result<()> {
    let rows = match cx.rank_at_least(0, 1)?.dims() {
        Some(dims) => PartialShape::new(dims[1..].iter().copied()),
        None => PartialShape::Unknown,
    };
    cx.output(0, cx.input(1).concat(&rows));
    Ok(())
}

/// The kernel of `Gather`, on any device that moves elements.
pub fn gather_op<D: Mover>(_: &Gather, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    gather(cx, 0, 0)
}

pub static GATHER_V2: Def<GatherV2> = op("GatherV2")
    .inputs(&[arg("params", of("Tparams")), arg("indices", of("Tindices")), arg("axis", of("Taxis"))])
    .outputs(&[arg("output", of("Tparams"))])
    .counts("Tparams")
    .shape(gather_v2_shape)
    .kernel(gather_v2::<Cpu>)
    .heavy()
    .host_inputs(&[2]);

fn gather_v2_shape(op: &GatherV2, cx: &mut ShapeCx<'_>) -> Result<()> {
    let (params, indices) = (cx.rank_at_least(0, 1)?, cx.input(1));
    let (Some(from), Some(by)) = (params.dims(), indices.dims()) else { return Ok(()) };
    let shared = batch(op.batch_dims, by.len())?;
    let shape = match partial_axis(cx, 2, from.len())? {
        Some(axis) => {
            check_batch(shared, axis, from.len())?;
            let batch =
                params.dims().zip(indices.dims()).into_iter().flat_map(|(a, b)| a.iter().zip(b).take(shared));
            let merged = batch.map(|(a, b)| a.or(*b)).collect::<Vec<_>>();
            let kept = from[shared..axis].iter().chain(&by[shared..]).chain(&from[axis + 1..]);
            PartialShape::new(merged.into_iter().chain(kept.copied()))
        }
        None => PartialShape::of_rank((from.len() + by.len()).saturating_sub(1 + shared)),
    };
    cx.output(0, shape);
    Ok(())
}

/// The kernel of `GatherV2`, on any device that moves elements.
pub fn gather_v2<D: Mover>(op: &GatherV2, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let axis = cx.input(2)?;
    if !axis.shape().is_scalar() {
        return Err(Error::invalid("axis must be scalar"));
    }
    let axis = axis.to_i64s()?[0];
    gather(cx, axis, op.batch_dims)
}


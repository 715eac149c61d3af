//! `Gather` and `GatherV2`: gather slices of a tensor by index along an axis.

use crate::moves::{Gathering, Mover, axis_of, partial_axis};
use crate::prelude::*;
use crate::rules::{Handles, concat, first, gathered, int, never};

attrs! {
    /// Gathers the slices of `params` along `axis` that `indices` selects; the first `batch_dims` axes are batch axes.
    pub struct Gather {
        /// Number of leading axes that `params` and `indices` share; a negative value counts from the end of `indices`.
        batch_dims: i64 = Attr::int("batch_dims").or_int(0),
        /// Ignored: indices are always checked.
        validate: bool = Attr::bool("validate_indices").or_bool(true),
        /// Element type.
        dtype: DType = Attr::dtype("Tparams", sets::ANY),
        /// Element type of `indices`.
        index: DType = Attr::dtype("Tindices", &[DType::I16, DType::I32, DType::I64]),
        /// Element type of `axis`.
        axis: DType = Attr::dtype("Taxis", sets::INDEX),
    }
}

pub static GATHER: Def<Gather> = op::<Gather>("GatherV2")
    .keeps_finite()
    .inputs(&[arg("params", of("Tparams")), arg("indices", of("Tindices")), arg("axis", of("Taxis"))])
    .outputs(&[arg("output", of("Tparams"))])
    .without(&["validate_indices"])
    .also(&[form("Gather")
        .doc("Gathers the rows of `params` that `indices` selects.")
        .inputs(&[arg("params", of("Tparams")), arg("indices", of("Tindices"))])
        .attrs(&[Attr::dtype("Tindices", sets::INDEX)])
        .fixed(&[("batch_dims", AttrDefault::Int(0)), ("Taxis", AttrDefault::Type(DType::I32))])])
    .counts("Tparams")
    .shape(shape)
    .gradient(|op, g| {
        let (params, indices) = (g.input(0), g.input(1));
        if g.num_inputs() == 2 {
            return rows(g);
        }
        let axis = g.input(2).fixed_ints().and_then(|a| a.first().copied());
        if axis == Some(0) && op.batch_dims == 0 {
            return rows(g);
        }
        let batch = match (indices.rank(), op.batch_dims) {
            (_, batch @ 0..) => batch,
            (Some(rank), batch) => batch + rank as i64,
            (None, _) => {
                g.fail(Error::unimplemented(
                    "the gradient of GatherV2 with negative batch_dims and indices of unknown rank",
                ));
                return never(g);
            }
        };
        let axis = match (axis, params.rank()) {
            (Some(axis @ 0..), _) => int(g, axis as i32),
            (Some(axis), Some(rank)) => int(g, axis as i32 + rank as i32),
            _ => g.input(2).cast(DType::I32).reshape(g.ints(&[])).floor_mod(params.rank_value()),
        };
        first(g, gathered(g, params.shape_value(), axis, batch as i32))
    })
    .kernel(gather::<Cpu>)
    .heavy()
    .host_inputs(&[2])
    .batch(|op, b| {
        let axis = if b.num_inputs() > 2 { *b.fixed_ints(2)?.first()? } else { 0 };
        let (rank, batch) = (b.rank(0)? as i64, op.batch_dims);
        let axis = if axis < 0 { axis + rank } else { axis };
        if !(0..rank).contains(&axis) || batch < 0 || batch > axis {
            return None;
        }
        let gathered = |params, indices, axis: i64, batch: i64| {
            let axis = b.g().constant(Tensor::scalar(axis as i32));
            b.one(b.g().node("GatherV2", &[params, indices, axis], &[("batch_dims", AttrValue::I(batch))]))
        };
        match (b.varies(0), b.varies(1)) {
            (false, true) if axis == 0 => gathered(b.input(0), b.input(1), 0, 0),
            (true, false) if batch == 0 => gathered(b.input(0), b.input(1), axis + 1, 0),
            _ => gathered(b.each(0), b.each(1), axis + 1, batch + 1),
        }
    });

/// The gradient of gathered rows.
fn rows(g: &GradCx) -> Grads {
    let (params, indices, dy) = (g.input(0), g.input(1), g.dy(0));
    let shape = params.dims();
    let count = indices.size().reshape(g.ints(&[1]));
    let values = dy.reshape(concat(g, &[count, shape.slice1(1, -1)], 0));
    let indices = indices.reshape(g.ints(&[-1]));
    let mut grads = never(g);
    grads[0] = Some(Grad::Slices { values: values.at, indices: indices.at, shape: shape.at });
    grads
}

/// Resolves `batch_dims` to a number of leading axes.
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

/// The kernel of `Gather` and `GatherV2`, on any device that moves elements.
pub fn gather<D: Mover>(op: &Gather, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let axis = match cx.num_inputs() {
        2 => 0,
        _ if !cx.input(2)?.shape().is_scalar() => return Err(Error::invalid("axis must be scalar")),
        _ => cx.input(2)?.to_i64s()?[0],
    };
    let out = gather_along(cx, cx.input(0)?, cx.input(1)?, axis, op.batch_dims)?;
    cx.set(0, out);
    Ok(())
}

/// Gathers the slices of `params` along an axis that `indices` selects.
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

fn shape(op: &Gather, cx: &mut ShapeCx<'_>) -> Result<()> {
    let (params, indices) = (cx.rank_at_least(0, 1)?, cx.input(1));
    if cx.num_inputs() == 2 {
        let row = params.dims().map_or(PartialShape::Unknown, |dims| PartialShape::new(dims[1..].iter().copied()));
        cx.output(0, indices.concat(&row));
        return Ok(());
    }
    let (Some(from), Some(by)) = (params.dims(), indices.dims()) else { return Ok(()) };
    let shared = batch(op.batch_dims, by.len())?;
    let shape = match partial_axis(cx, 2, from.len())? {
        Some(axis) => {
            check_batch(shared, axis, from.len())?;
            let batch = params.dims().zip(indices.dims()).into_iter().flat_map(|(a, b)| a.iter().zip(b).take(shared));
            let merged = batch.map(|(a, b)| a.or(*b)).collect::<Vec<_>>();
            let kept = from[shared..axis].iter().chain(&by[shared..]).chain(&from[axis + 1..]);
            PartialShape::new(merged.into_iter().chain(kept.copied()))
        }
        None => PartialShape::of_rank((from.len() + by.len()).saturating_sub(1 + shared)),
    };
    cx.output(0, shape);
    Ok(())
}

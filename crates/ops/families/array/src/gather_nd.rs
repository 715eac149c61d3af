//! `GatherNd`: gathers slices of a tensor by index tuples.

use super::scatter_nd::SCATTER_ND;
use super::scatter_nd::numbered;
use crate::moves::Mover;
use crate::prelude::*;
use crate::rules::{Handles, first};

/// Whether a `bad_indices_policy` ignores out-of-bounds indices.
///
/// # Errors
/// `INVALID_ARGUMENT` for an unknown policy. It is reported here because a graph may contain any policy as long as no
/// run needs the node.
pub fn ignores_bad_indices(policy: &str) -> Result<bool> {
    match policy {
        "IGNORE" => Ok(true),
        "" | "DEFAULT" | "ERROR" => Ok(false),
        other => Err(Error::invalid(format!("Unknown bad indices handling attribute: {other}"))
            .attr("bad_indices_policy")
            .expected("DEFAULT, ERROR, IGNORE or nothing")),
    }
}

attrs! {
    /// Gathers the slices of `params` at the index tuples in the last axis of `indices`.
    pub struct GatherNd {
        /// Element type.
        dtype: DType = Attr::dtype("Tparams", sets::ANY),
        /// Element type of `indices`.
        index: DType = Attr::dtype("Tindices", &[DType::I16, DType::I32, DType::I64]),
        /// Handling of out-of-bounds indices: an error by default, zeros with `IGNORE`.
        policy: String = Attr::string("bad_indices_policy").or_str(""),
    }
}

pub static GATHER_ND: Def<GatherNd> = op::<GatherNd>("GatherNd")
    .keeps_finite()
    .inputs(&[arg("params", of("Tparams")), arg("indices", of("Tindices"))])
    .outputs(&[arg("output", of("Tparams"))])
    .shape(shape)
    .gradient(|_, g| {
        let shape = g.input(0).dims().cast(g.input(1).dtype());
        first(g, SCATTER_ND.call([g.input(1), g.dy(0), shape]))
    })
    .kernel(gather_nd::<Cpu>)
    .heavy()
    .batch(|_, b| {
        let rank = b.rank(1)?;
        match (b.varies(0), rank) {
            (_, 0) => None,
            (false, _) => b.one(b.again(&b.inputs())),
            (true, _) => b.one(b.again(&[b.input(0), numbered(b, b.each(1), rank)])),
        }
    });

fn shape(_: &GatherNd, cx: &mut ShapeCx<'_>) -> Result<()> {
    let (params, indices) = (cx.input(0), cx.rank_at_least(1, 1)?);
    let (Some(from), Some(by)) = (params.dims(), indices.dims()) else { return Ok(()) };
    let Some(depth) = by[by.len() - 1] else { return Ok(()) };
    if depth > from.len() {
        return Err(Error::invalid(format!(
            "indices.shape[-1] must be <= params.rank, but saw indices shape: {indices} and params shape: {params}"
        )));
    }
    cx.output(0, PartialShape::new(by[..by.len() - 1].iter().chain(&from[depth..]).copied()));
    Ok(())
}

/// The kernel of `GatherNd`, on any device that moves elements.
pub fn gather_nd<D: Mover>(op: &GatherNd, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let out = gather_slices(cx, cx.input(0)?, cx.input(1)?, ignores_bad_indices(&op.policy)?)?;
    cx.set(0, out);
    Ok(())
}

/// Gathers the slices of `params` at the index tuples in the last axis of `indices`; with `ignore`, out-of-bounds
/// tuples yield zeros.
pub fn gather_slices<D: Mover>(
    cx: &KernelCx<'_, '_, D>,
    params: &Tensor,
    indices: &Tensor,
    ignore: bool,
) -> Result<Tensor> {
    let (from, by) = (params.shape(), indices.shape());
    if from.is_scalar() {
        return Err(Error::invalid("params must be at least a vector"));
    }
    let Some((&depth, outer)) = by.split_last() else {
        return Err(Error::invalid("indices must be at least a vector"));
    };
    if depth > from.rank() {
        return Err(Error::invalid(format!(
            "index innermost dimension length must be <= params rank; saw: {depth} vs. {}",
            from.rank()
        )));
    }
    let shape = Shape::new(outer.iter().chain(&from[depth..]).copied())?;
    let count: usize = outer.iter().product();
    if count > 0 && params.num_elements() == 0 {
        return Err(Error::invalid(format!(
            "Requested more than 0 entries, but params is empty.  Params shape: {from}"
        )));
    }
    D::gather_slices(cx, params, indices, depth, &shape, ignore)
}

//! Ops that put rows at indices. If several rows are added to the same one, that is done atomically, in an unspecified
//! order. Indices out of bounds are ignored, whatever the `bad_indices_policy`.

use super::entry::{self, Cx, count};
use super::moves::{cell, converted, filled, number, slice_number};
use super::shapes;
use crate::device::{Gpu, GpuCx, reuse};
use crate::ir::{Access, Builder, E, Program, Ty};
use levada_graph::{DType, Error, Result, Tensor};
use levada_kernel::KernelEntry;
use levada_kernel::def::CellOfDef;
use levada_ops::shared::{
    Target, Vectors, check_rows, check_scatter, check_slices, ignores_bad_indices, shape_of_dims,
};
use levada_ops::types::*;
use std::sync::Arc;

/// The kernel entries of this module.
pub(super) fn entries() -> impl Iterator<Item = KernelEntry<Gpu>> {
    entry::entries(CELLS)
}

static CELLS: &[&dyn CellOfDef<Gpu>] = &[
    &entry::cell(&RESOURCE_SCATTER_ADD, |_, cx| rows(cx, Update::Add)).supports(|op| is_added(op.dtype)),
    &entry::cell(&RESOURCE_SCATTER_SUB, |_, cx| rows(cx, Update::Sub)).supports(|op| is_added(op.dtype)),
    &entry::cell(&RESOURCE_SCATTER_UPDATE, |_, cx| rows(cx, Update::Replace)),
    &entry::cell(&SCATTER_ADD, |_, cx| rows(cx, Update::Add)).supports(|op| is_added(op.dtype)),
    &entry::cell(&SCATTER_ND_ADD, |op, cx| slices(cx, &op.policy, Update::Add)).supports(|op| is_added(op.dtype)),
    &entry::cell(&SCATTER_ND_SUB, |op, cx| slices(cx, &op.policy, Update::Sub)).supports(|op| is_added(op.dtype)),
    &entry::cell(&SCATTER_ND_UPDATE, |op, cx| slices(cx, &op.policy, Update::Replace)),
    &entry::cell(&SCATTER_SUB, |_, cx| rows(cx, Update::Sub)).supports(|op| is_added(op.dtype)),
    &entry::cell(&SCATTER_UPDATE, |_, cx| rows(cx, Update::Replace)),
    &entry::cell(&SCATTER_ND, scatter_nd).supports(|op| is_added(op.dtype)),
    &entry::cell(&SCATTER_ND_NON_ALIASING_ADD, |op, cx| changed(cx, &op.policy, Update::Add, Vectors::FirstRow))
        .supports(|op| is_added(op.dtype)),
    &entry::cell(&TENSOR_SCATTER_ADD, |op, cx| changed(cx, &op.policy, Update::Add, Vectors::Refused))
        .supports(|op| is_added(op.dtype)),
    &entry::cell(&TENSOR_SCATTER_SUB, |op, cx| changed(cx, &op.policy, Update::Sub, Vectors::Refused))
        .supports(|op| is_added(op.dtype)),
    &entry::cell(&TENSOR_SCATTER_UPDATE, |op, cx| changed(cx, &op.policy, Update::Replace, Vectors::Refused)),
    &entry::cell(&UNSORTED_SEGMENT_SUM, segment_sum).supports(|op| is_added(op.dtype)),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Update {
    Replace,
    Add,
    Sub,
}

/// True if a program can add to elements atomically, or to wider ones in their place.
fn is_added(dtype: DType) -> bool {
    matches!(dtype, DType::F32 | DType::F16 | DType::BF16 | DType::I32 | DType::U32)
}

/// The dtype that is added to.
fn wide(dtype: DType) -> DType {
    if matches!(dtype, DType::F16 | DType::BF16) { DType::F32 } else { dtype }
}

fn program(update: Update, to: DType, from: DType, index: DType, depth: usize, one: bool) -> Program {
    let mut b = Builder::new("scatter");
    let indices = b.buffer(index, Access::Read);
    let updates = b.buffer(from, Access::Read);
    let out = b.buffer(to, if update == Update::Replace { Access::Write } else { Access::Atomic });
    let (size, width) = (b.param_u32(), b.param_u32());
    let dims: Vec<E> = (0..depth).map(|_| b.param_u32()).collect();
    b.for_each(&size, |b, i| {
        let tuple = b.let_(&i / &width);
        let (slice, inside) = slice_number(b, indices, &tuple, &dims);
        b.if_(inside, |b| {
            let at = b.let_(slice * &width + &i % &width);
            let value = b.load(updates, if one { E::u32(0) } else { i.clone() });
            match update {
                Update::Replace => b.store(out, at, value),
                Update::Add => b.atomic_add(out, at, value.to(Ty::of(to).unwrap_or(Ty::F32))),
                Update::Sub => b.atomic_add(out, at, value.to(Ty::of(to).unwrap_or(Ty::F32)).neg()),
            }
        });
    });
    b.finish()
}

/// Tuples of indices, and the values that update slices.
struct Slices<'a> {
    indices: &'a Tensor,
    /// The number of tuples.
    rows: usize,
    updates: &'a Tensor,
    /// True if one value updates all slices.
    one: bool,
}

/// Updates slices of `out`, below axes of sizes `dims`. `out` has the dtype of [`wide`] if it is added to.
fn scatter(cx: &Cx<'_, '_>, update: Update, out: &Tensor, dims: &[usize], slices: &Slices<'_>) -> Result<()> {
    let &Slices { indices, rows, updates, one } = slices;
    let width = out.num_elements() / dims.iter().product::<usize>().max(1);
    let size = count(rows.saturating_mul(width))?;
    count(out.num_elements())?;
    if size == 0 || out.num_elements() == 0 || updates.num_elements() == 0 {
        return Ok(());
    }
    let index = indices.dtype();
    let (to, from) = match update {
        Update::Replace => (cell(cx.device, out.dtype()), cell(cx.device, updates.dtype())),
        _ => (out.dtype(), updates.dtype()),
    };
    let key = [update as u64, number(to), number(from), number(index), dims.len() as u64, u64::from(one)];
    let program = cx.device.program("scatter", &key, || program(update, to, from, index, dims.len(), one));
    let mut params = vec![size, width as u32];
    params.extend(dims.iter().map(|&d| d as u32));
    cx.launch(&program, size as usize, &[indices, updates, out], &params)
}

/// Puts the rows of `data` at the positions in `indices`, as far as they exist.
///
/// # Errors
/// Those of a launch.
pub(super) fn replace_rows(gpu: &Gpu, node: &Arc<str>, out: &Tensor, indices: &Tensor, data: &Tensor) -> Result<()> {
    let rows = indices.num_elements();
    let limit = count(out.shape().first().copied().unwrap_or(0))?;
    let width = data.num_elements() / rows.max(1);
    let size = count(rows * width)?;
    count(out.num_elements())?;
    let (cell, index) = (cell(gpu, out.dtype()), indices.dtype());
    let key = [Update::Replace as u64, number(cell), number(cell), number(index), 1, 0];
    let program = gpu.program("scatter", &key, || program(Update::Replace, cell, cell, index, 1, false));
    gpu.launch(node, &program, size as usize, &[indices, data, out], &[size, width as u32, limit])
}

/// The number of tuples in `indices`, and how many indices each has.
fn tuples(indices: &Tensor) -> (usize, usize) {
    match indices.shape().split_last() {
        Some((&depth, outer)) => (outer.iter().product(), depth),
        None => (0, 0),
    }
}

fn scatter_nd(op: &ScatterNd, cx: &mut Cx<'_, '_>) -> Result<()> {
    ignores_bad_indices(&op.policy)?;
    let (indices, updates, sizes) = (cx.input(0)?, cx.input(1)?, cx.input(2)?);
    if sizes.shape().rank() != 1 {
        return Err(Error::invalid("Shape must be a vector"));
    }
    let shape = shape_of_dims(sizes, "shape")?;
    check_scatter(
        &shape,
        indices.shape(),
        updates.shape(),
        sizes.num_elements() == 0 || shape.num_elements() == 0,
        Vectors::Refused,
    )?;
    let (rows, depth) = tuples(indices);
    let out = filled(cx, wide(op.dtype), &shape, None)?;
    scatter(cx, Update::Add, &out, &shape[..depth], &Slices { indices, rows, updates, one: false })?;
    let out = if out.dtype() == op.dtype { out } else { converted(cx, &out, op.dtype)? };
    cx.set(0, out);
    Ok(())
}

/// Input 0 with slices changed.
fn changed(cx: &mut Cx<'_, '_>, policy: &str, update: Update, vectors: Vectors) -> Result<()> {
    ignores_bad_indices(policy)?;
    let (tensor, indices, updates) = (cx.input(0)?, cx.input(1)?, cx.input(2)?);
    let (shape, dtype) = (tensor.shape().clone(), tensor.dtype());
    check_scatter(&shape, indices.shape(), updates.shape(), tensor.num_elements() == 0, vectors)?;
    let is_vector = indices.shape().rank() == 1 && indices.num_elements() > 0;
    let (rows, depth) = if is_vector { (1, 1) } else { tuples(indices) };
    let widened = update != Update::Replace && wide(dtype) != dtype;
    let out = if widened {
        converted(cx, cx.input(0)?, wide(dtype))?
    } else {
        match reuse(cx, 0, dtype, &shape) {
            Some(out) => out,
            None => cx.device.duplicate(&cx.node().name, cx.input(0)?)?,
        }
    };
    scatter(
        cx,
        update,
        &out,
        &shape[..depth],
        &Slices { indices: cx.input(1)?, rows, updates: cx.input(2)?, one: false },
    )?;
    let out = if widened { converted(cx, &out, dtype)? } else { out };
    cx.set(0, out);
    Ok(())
}

/// Rows of the variable on input 0 changed.
fn rows(cx: &mut Cx<'_, '_>, update: Update) -> Result<()> {
    let target = Target::of(cx, 0)?;
    let (indices, updates) = (cx.input(1)?.clone(), cx.input(2)?.clone());
    let shared = &*cx;
    target.update(|value| {
        let cx = shared;
        check_rows(&target, value, indices.shape(), &updates)?;
        if value.num_elements() == 0 {
            return Ok(());
        }
        let dtype = value.dtype();
        let first = [value.shape().first().copied().unwrap_or(1)];
        let one = updates.shape().is_scalar();
        let (count, widened) = (indices.num_elements(), update != Update::Replace && wide(dtype) != dtype);
        if widened {
            let sum = converted(cx, value, wide(dtype))?;
            scatter(cx, update, &sum, &first, &Slices { indices: &indices, rows: count, updates: &updates, one })?;
            *value = converted(cx, &sum, dtype)?;
            return Ok(());
        }
        cx.device.unshare(&cx.node().name, value)?;
        scatter(cx, update, value, &first, &Slices { indices: &indices, rows: count, updates: &updates, one })
    })?;
    target.forward(cx);
    Ok(())
}

/// Slices of the variable on input 0 changed.
fn slices(cx: &mut Cx<'_, '_>, policy: &str, update: Update) -> Result<()> {
    ignores_bad_indices(policy)?;
    let target = Target::of(cx, 0)?;
    let (indices, updates) = (cx.input(1)?.clone(), cx.input(2)?.clone());
    let shared = &*cx;
    target.update(|value| {
        let cx = shared;
        check_slices(value, indices.shape(), &updates)?;
        if value.num_elements() == 0 {
            return Ok(());
        }
        let is_vector = indices.shape().rank() == 1 && indices.num_elements() > 0;
        let (rows, depth) = if is_vector { (1, 1) } else { tuples(&indices) };
        let (shape, dtype) = (value.shape().clone(), value.dtype());
        if update != Update::Replace && wide(dtype) != dtype {
            let sum = converted(cx, value, wide(dtype))?;
            scatter(
                cx,
                update,
                &sum,
                &shape[..depth],
                &Slices { indices: &indices, rows, updates: &updates, one: false },
            )?;
            *value = converted(cx, &sum, dtype)?;
            return Ok(());
        }
        cx.device.unshare(&cx.node().name, value)?;
        scatter(cx, update, value, &shape[..depth], &Slices { indices: &indices, rows, updates: &updates, one: false })
    })?;
    target.forward(cx);
    Ok(())
}

fn segment_sum(op: &UnsortedSegment, cx: &mut Cx<'_, '_>) -> Result<()> {
    let shape = shapes::output_of(&UNSORTED_SEGMENT_SUM, op, cx)?;
    let out = filled(cx, wide(op.dtype), &shape, None)?;
    let (data, ids) = (cx.input(0)?, cx.input(1)?);
    scatter(
        cx,
        Update::Add,
        &out,
        &shape[..1],
        &Slices { indices: ids, rows: ids.num_elements(), updates: data, one: false },
    )?;
    let out = if out.dtype() == op.dtype { out } else { converted(cx, &out, op.dtype)? };
    cx.set(0, out);
    Ok(())
}

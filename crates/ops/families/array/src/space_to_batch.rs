//! `SpaceToBatchND` and `SpaceToBatch`: move blocks of the spatial axes into the batch axis.

use super::batch_to_space::{BATCH_TO_SPACE, BATCH_TO_SPACE_ND, BatchToSpace};
use super::pad::margins;
use crate::moves::{Axis, Cell, Layout};
use crate::prelude::*;
use crate::rules::first;

attrs! {
    /// Pads the axes after the first by `paddings`, divides them into blocks of shape `block_shape`, and moves each
    /// position within a block into a batch of its own.
    pub struct SpaceToBatchND {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Element type of `block_shape`.
        block: DType = Attr::dtype("Tblock_shape", sets::INDEX).or_type(DType::I32),
        /// Element type of `paddings`.
        paddings: DType = Attr::dtype("Tpaddings", sets::INDEX).or_type(DType::I32),
    }
}

attrs! {
    /// `SpaceToBatchND` for images, with square blocks.
    pub struct SpaceToBatch {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Element type of `paddings`.
        paddings: DType = Attr::dtype("Tpaddings", sets::INDEX).or_type(DType::I32),
        /// Side length of a block.
        block_size: i64 = Attr::int("block_size").at_least(2),
    }
}

/// Reads block sizes from a tensor.
pub(super) fn blocks(tensor: &Tensor) -> Result<Vec<usize>> {
    if tensor.shape().rank() != 1 {
        return Err(Error::invalid(format!("block_shape rank should be 1 instead of {}", tensor.shape().rank())));
    }
    let positive = |&b: &i64| usize::try_from(b).ok().filter(|&b| b > 0);
    let sizes = tensor.to_i64s()?;
    let sizes: Option<Vec<usize>> = sizes.iter().map(positive).collect();
    sizes.ok_or_else(|| Error::invalid("All values in block_shape must be positive"))
}

/// Checks that a tensor of this rank has an axis for each block size, and returns the product of the block sizes.
pub(super) fn check_rank(blocks: &[usize], rank: usize) -> Result<usize> {
    if rank < blocks.len() + 1 {
        return Err(Error::invalid(format!("input rank should be >= {} instead of {rank}", blocks.len() + 1)));
    }
    blocks
        .iter()
        .try_fold(1usize, |n, &b| n.checked_mul(b))
        .ok_or_else(|| Error::invalid("Product of block sizes must be positive and fit into int64"))
}

/// Returns the sizes of the result's axes.
fn resolve(dims: &[Dim], blocks: &[usize], pads: &[(usize, usize)]) -> Result<Vec<Dim>> {
    let product = check_rank(blocks, dims.len())?;
    let mut out = vec![dims[0].and_then(|d| d.checked_mul(product))];
    for (i, ((&dim, &block), &(before, after))) in dims[1..].iter().zip(blocks).zip(pads).enumerate() {
        let Some(dim) = dim else {
            out.push(None);
            continue;
        };
        let padded = dim.checked_add(before).and_then(|d| d.checked_add(after));
        let padded = padded.ok_or_else(|| Error::invalid("the padded tensor has too many elements"))?;
        if padded % block != 0 {
            return Err(Error::invalid(format!(
                "padded_shape[{i}]={padded} is not divisible by block_shape[{i}]={block}"
            )));
        }
        out.push(Some(padded / block));
    }
    out.extend(&dims[blocks.len() + 1..]);
    Ok(out)
}

fn compute(cx: &mut Cx<'_, '_>, dtype: DType, blocks: &[usize], paddings: usize) -> Result<()> {
    let (input, paddings) = (cx.input(0)?, cx.input(paddings)?);
    let dims = input.shape();
    check_rank(blocks, dims.rank())?;
    let pads = margins(paddings, blocks.len())?;
    let known: Vec<Dim> = dims.iter().map(|&d| Some(d)).collect();
    let shape = Shape::new(resolve(&known, blocks, &pads)?.into_iter().flatten())?;
    if shape == *dims && pads.iter().all(|p| *p == (0, 0)) {
        let out = cx.take(0)?;
        cx.set(0, out);
        return Ok(());
    }
    let strides = dims.strides();
    let mut out = cx.alloc(dtype, &shape)?;
    // The batches for one position of the blocks are contiguous in the result.
    let size = dims[0] * shape[1..].iter().product::<usize>();
    cells!(dtype, |T| {
        let (src, to) = (T::cells(input)?, T::cells_mut(&mut out)?);
        for (number, piece) in to.chunks_exact_mut(size.max(1)).enumerate() {
            let mut place = number;
            let mut axes = vec![Axis::strided(dims[0], 0, strides[0] as isize)];
            let mut spatial = Vec::with_capacity(blocks.len());
            for i in (0..blocks.len()).rev() {
                let (block, at, (before, _)) = (blocks[i], place % blocks[i], pads[i]);
                place /= block;
                let (dim, count, stride) = (dims[i + 1], shape[i + 1], strides[i + 1] as isize);
                // Block `o` reads position `o * block + at - before`.
                let first = before.saturating_sub(at).div_ceil(block).min(count);
                let past = (dim + before).saturating_sub(at).div_ceil(block).clamp(first, count);
                let from = (first * block + at) as isize - before as isize;
                let axis = Axis::default().fill(first).copy(past - first, from * stride, block as isize * stride);
                spatial.push(axis.fill(count - past));
            }
            axes.extend(spatial.into_iter().rev());
            let rest = dims.iter().zip(&strides).skip(blocks.len() + 1);
            axes.extend(rest.map(|(&d, &s)| Axis::strided(d, 0, s as isize)));
            Layout::new(axes).copy(cx.pool(), src, &T::default(), piece);
        }
    });
    cx.set(0, out);
    Ok(())
}

pub static SPACE_TO_BATCH_ND: Def<SpaceToBatchND> = op("SpaceToBatchND")
    .keeps_finite()
    .inputs(&[arg("input", of("T")), arg("block_shape", of("Tblock_shape")), arg("paddings", of("Tpaddings"))])
    .outputs(&[arg("output", of("T"))])
    .shape(space_to_batch_nd_shape)
    .gradient(|_, g| first(g, BATCH_TO_SPACE_ND.call([g.dy(0), g.input(1), g.input(2)])))
    .kernel(space_to_batch_nd)
    .heavy();

fn space_to_batch_nd_shape(_: &SpaceToBatchND, cx: &mut ShapeCx<'_>) -> Result<()> {
    let input = cx.input(0);
    let Some(dims) = input.dims() else { return Ok(()) };
    let shape = match (cx.constant(1), cx.constant(2)) {
        (Some(block), Some(paddings)) => {
            let blocks = blocks(block)?;
            PartialShape::new(resolve(dims, &blocks, &margins(paddings, blocks.len())?)?)
        }
        _ => PartialShape::of_rank(dims.len()),
    };
    cx.output(0, shape);
    Ok(())
}

fn space_to_batch_nd(op: &SpaceToBatchND, cx: &mut Cx<'_, '_>) -> Result<()> {
    let blocks = blocks(cx.input(1)?)?;
    compute(cx, op.dtype, &blocks, 2)
}

pub static SPACE_TO_BATCH: Def<SpaceToBatch> = op("SpaceToBatch")
    .keeps_finite()
    .inputs(&[arg("input", of("T")), arg("paddings", of("Tpaddings"))])
    .outputs(&[arg("output", of("T"))])
    .shape(|op: &SpaceToBatch, cx| {
        let input = cx.with_rank(0, 4)?;
        let (Some(dims), Some(paddings)) = (input.dims(), cx.constant(1)) else { return Ok(()) };
        let blocks = [op.block_size as usize; 2];
        cx.output(0, PartialShape::new(resolve(dims, &blocks, &margins(paddings, 2)?)?));
        Ok(())
    })
    .gradient(|op, g| {
        let back = BatchToSpace { dtype: op.dtype, block_size: op.block_size, crops: op.paddings };
        first(g, BATCH_TO_SPACE.node(g, &back, &[g.dy(0), g.input(1)]))
    })
    .kernel(space_to_batch)
    .heavy();

fn space_to_batch(op: &SpaceToBatch, cx: &mut Cx<'_, '_>) -> Result<()> {
    let rank = cx.input(0)?.shape().rank();
    if rank != 4 {
        return Err(Error::invalid(format!("Input rank should be: 4 instead of: {rank}")));
    }
    compute(cx, op.dtype, &[op.block_size as usize; 2], 1)
}

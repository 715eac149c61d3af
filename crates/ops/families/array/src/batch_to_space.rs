//! `BatchToSpaceND` and `BatchToSpace`: move batch entries into blocks of the spatial axes.

use super::pad::margins;
use super::space_to_batch::{SPACE_TO_BATCH, SPACE_TO_BATCH_ND, SpaceToBatch, blocks, check_rank};
use crate::moves::{Axis, Layout, Mover, rearrange};
use crate::prelude::*;
use crate::rules::first;

attrs! {
    /// Rearranges the batch axis into blocks of shape `block_shape` along the axes after the first, then removes
    /// `crops` from the start and end of each.
    pub struct BatchToSpaceND {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Element type of `block_shape`.
        block: DType = Attr::dtype("Tblock_shape", sets::INDEX).or_type(DType::I32),
        /// Element type of `crops`.
        crops: DType = Attr::dtype("Tcrops", sets::INDEX).or_type(DType::I32),
    }
}

attrs! {
    /// `BatchToSpaceND` for images, with square blocks.
    pub struct BatchToSpace {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Side length of a block.
        block_size: i64 = Attr::int("block_size").at_least(2),
        /// Element type of `crops`.
        crops: DType = Attr::dtype("Tidx", sets::INDEX).or_type(DType::I32),
    }
}

/// Returns the sizes of the result's axes.
fn resolve(dims: &[Dim], blocks: &[usize], crops: &[(usize, usize)]) -> Result<Vec<Dim>> {
    let product = check_rank(blocks, dims.len())?;
    if let Some(batch) = dims[0].filter(|d| d % product != 0) {
        return Err(Error::invalid(format!(
            "Input batch dimension ({batch}) is not divisible by product of block sizes ({product})"
        )));
    }
    let mut out = vec![dims[0].map(|d| d / product)];
    for (i, ((&dim, &block), &(before, after))) in dims[1..].iter().zip(blocks).zip(crops).enumerate() {
        let Some(dim) = dim else {
            out.push(None);
            continue;
        };
        let whole = dim.checked_mul(block).ok_or_else(|| Error::invalid("the tensor has too many elements"))?;
        let cropped = whole.checked_sub(before).and_then(|d| d.checked_sub(after)).ok_or_else(|| {
            Error::invalid(format!(
                "cropped_shape[{i}] of {whole} less crops {before} and {after} must be non-negative"
            ))
        })?;
        out.push(Some(cropped));
    }
    out.extend(&dims[blocks.len() + 1..]);
    Ok(out)
}

fn compute<D: Mover>(cx: &mut KernelCx<'_, '_, D>, blocks: &[usize], crops: usize) -> Result<()> {
    let (input, crops) = (cx.input(0)?, cx.input(crops)?);
    let dims = input.shape();
    check_rank(blocks, dims.rank())?;
    let crops = margins(crops, blocks.len())?;
    let known: Vec<Dim> = dims.iter().map(|&d| Some(d)).collect();
    let shape = Shape::new(resolve(&known, blocks, &crops)?.into_iter().flatten())?;
    if blocks.iter().all(|&b| b == 1) && shape == *dims {
        let out = cx.take(0)?;
        cx.set(0, out);
        return Ok(());
    }
    let strides = dims.strides();
    let mut axes = vec![Axis::strided(shape[0], 0, strides[0] as isize)];
    // Distance in the input between adjacent positions of a block along one axis; the last axis varies fastest.
    let mut apart = shape[0] * strides[0];
    let mut spatial = Vec::with_capacity(blocks.len());
    for i in (0..blocks.len()).rev() {
        let (block, stride) = (blocks[i], strides[i + 1]);
        let mut axis = Axis::default();
        let (mut position, past) = (crops[i].0, crops[i].0 + shape[i + 1]);
        while position < past {
            let (o, at) = (position / block, position % block);
            let count = (block - at).min(past - position);
            axis = axis.copy(count, (o * stride + at * apart) as isize, apart as isize);
            position += count;
        }
        spatial.push(axis);
        apart *= block;
    }
    axes.extend(spatial.into_iter().rev());
    let rest = dims.iter().zip(&strides).skip(blocks.len() + 1);
    axes.extend(rest.map(|(&d, &s)| Axis::strided(d, 0, s as isize)));
    let out = rearrange(cx, input, &Layout::new(axes), &shape, None)?;
    cx.set(0, out);
    Ok(())
}

pub static BATCH_TO_SPACE_ND: Def<BatchToSpaceND> = op("BatchToSpaceND")
    .inputs(&[arg("input", of("T")), arg("block_shape", of("Tblock_shape")), arg("crops", of("Tcrops"))])
    .outputs(&[arg("output", of("T"))])
    .shape(batch_to_space_nd_shape)
    .gradient(|_, g| first(g, SPACE_TO_BATCH_ND.call([g.dy(0), g.input(1), g.input(2)])))
    .kernel(batch_to_space_nd::<Cpu>)
    .heavy()
    .host_inputs(&[1, 2]);

fn batch_to_space_nd_shape(_: &BatchToSpaceND, cx: &mut ShapeCx<'_>) -> Result<()> {
    let input = cx.input(0);
    let Some(dims) = input.dims() else { return Ok(()) };
    let shape = match (cx.constant(1), cx.constant(2)) {
        (Some(block), Some(crops)) => {
            let blocks = blocks(block)?;
            PartialShape::new(resolve(dims, &blocks, &margins(crops, blocks.len())?)?)
        }
        _ => PartialShape::of_rank(dims.len()),
    };
    cx.output(0, shape);
    Ok(())
}

/// The kernel of `BatchToSpaceND`, on any device that moves elements.
pub fn batch_to_space_nd<D: Mover>(_: &BatchToSpaceND, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let blocks = blocks(cx.input(1)?)?;
    compute(cx, &blocks, 2)
}

pub static BATCH_TO_SPACE: Def<BatchToSpace> = op("BatchToSpace")
    .inputs(&[arg("input", of("T")), arg("crops", of("Tidx"))])
    .outputs(&[arg("output", of("T"))])
    .shape(|op: &BatchToSpace, cx| {
        let input = cx.with_rank(0, 4)?;
        let (Some(dims), Some(crops)) = (input.dims(), cx.constant(1)) else { return Ok(()) };
        let blocks = [op.block_size as usize; 2];
        cx.output(0, PartialShape::new(resolve(dims, &blocks, &margins(crops, 2)?)?));
        Ok(())
    })
    .gradient(|op, g| {
        let there = SpaceToBatch { dtype: op.dtype, paddings: op.crops, block_size: op.block_size };
        first(g, SPACE_TO_BATCH.node(g, &there, &[g.dy(0), g.input(1)]))
    })
    .kernel(batch_to_space::<Cpu>)
    .heavy()
    .host_inputs(&[1]);

/// The kernel of `BatchToSpace`, on any device that moves elements.
pub fn batch_to_space<D: Mover>(op: &BatchToSpace, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let rank = cx.input(0)?.shape().rank();
    if rank != 4 {
        return Err(Error::invalid(format!("Input rank should be: 4 instead of: {rank}")));
    }
    compute(cx, &[op.block_size as usize; 2], 1)
}

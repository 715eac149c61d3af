//! `SpaceToDepth` and `DepthToSpace`: move blocks of an image into its channels and back.

use crate::moves::{Axis, Layout, Mover, rearrange};
use crate::prelude::*;
use crate::rules::first;

const FORMATS: &[&str] = &["NHWC", "NCHW", "NCHW_VECT_C"];

attrs! {
    /// Moves blocks of `block_size` x `block_size` pixels into the channels.
    pub struct SpaceToDepth {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Side length of a block.
        block_size: i64 = Attr::int("block_size").at_least(2),
        /// Order of the axes.
        format: String = Attr::one_of("data_format", FORMATS).or_str("NHWC"),
    }
}

attrs! {
    /// Moves channels into blocks of `block_size` x `block_size` pixels.
    pub struct DepthToSpace {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Side length of a block.
        block_size: i64 = Attr::int("block_size").at_least(2),
        /// Order of the axes.
        format: String = Attr::one_of("data_format", FORMATS).or_str("NHWC"),
    }
}

/// Returns the axes of height, width and channels.
fn axes(format: &str, rank: usize) -> Result<(usize, usize, usize)> {
    let expected = if format == "NCHW_VECT_C" { 5 } else { 4 };
    if rank != expected {
        return Err(Error::invalid(format!("Input rank should be {expected} instead of {rank}")));
    }
    Ok(if format == "NHWC" { (1, 2, 3) } else { (2, 3, 1) })
}

fn infer(
    cx: &mut ShapeCx<'_>,
    format: &str,
    resize: impl Fn(&mut [Dim], usize, usize, usize) -> Result<()>,
) -> Result<()> {
    let input = cx.input(0);
    let Some(dims) = input.dims() else { return Ok(()) };
    let (h, w, c) = axes(format, dims.len())?;
    let mut dims = dims.to_vec();
    resize(&mut dims, h, w, c)?;
    cx.output(0, PartialShape::new(dims));
    Ok(())
}

fn divided(dim: Dim, by: usize, what: &str) -> Result<Dim> {
    match dim {
        Some(d) if d % by != 0 => Err(Error::invalid(format!("{what} {d} should be divisible by block_size: {by}"))),
        _ => Ok(dim.map(|d| d / by)),
    }
}

impl SpaceToDepth {
    fn resize(&self, dims: &mut [Dim], h: usize, w: usize, c: usize) -> Result<()> {
        let block = self.block_size as usize;
        let square = block.checked_mul(block).ok_or_else(|| Error::invalid("the blocks are too large"))?;
        dims[h] = divided(dims[h], block, "Image height")?;
        dims[w] = divided(dims[w], block, "Image width")?;
        dims[c] = dims[c].and_then(|d| d.checked_mul(square));
        Ok(())
    }
}

impl DepthToSpace {
    fn resize(&self, dims: &mut [Dim], h: usize, w: usize, c: usize) -> Result<()> {
        let block = self.block_size as usize;
        let square = block.checked_mul(block).ok_or_else(|| Error::invalid("the blocks are too large"))?;
        dims[h] = dims[h].and_then(|d| d.checked_mul(block));
        dims[w] = dims[w].and_then(|d| d.checked_mul(block));
        dims[c] = divided(dims[c], square, "Input depth dimension")?;
        Ok(())
    }
}

/// Returns the shape of the result; every size must be known.
fn whole(dims: &[Dim]) -> Result<Shape> {
    let sizes: Option<Vec<usize>> = dims.iter().copied().collect();
    Shape::new(sizes.ok_or_else(|| Error::invalid("the tensor has too many elements"))?)
}

pub static SPACE_TO_DEPTH: Def<SpaceToDepth> = op::<SpaceToDepth>("SpaceToDepth")
    .keeps_finite()
    .inputs(&[arg("input", of("T"))])
    .outputs(&[arg("output", of("T"))])
    .shape(|op: &SpaceToDepth, cx| infer(cx, &op.format, |dims, h, w, c| op.resize(dims, h, w, c)))
    .gradient(|op, g| {
        let back = DepthToSpace { dtype: op.dtype, block_size: op.block_size, format: op.format.clone() };
        first(g, DEPTH_TO_SPACE.node(g, &back, &[g.dy(0)]))
    })
    .kernel(space_to_depth::<Cpu>)
    .heavy()
    .batch(|_, b| levada_ops_core::batch::fold_rows(b, &[0]));

/// The kernel of `SpaceToDepth`, on any device that moves elements.
pub fn space_to_depth<D: Mover>(op: &SpaceToDepth, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let input = cx.input(0)?;
    let (h, w, c) = axes(&op.format, input.shape().rank())?;
    let (block, s) = (op.block_size as usize, input.shape().strides());
    let mut dims: Vec<Dim> = input.shape().iter().map(|&d| Some(d)).collect();
    op.resize(&mut dims, h, w, c)?;
    let shape = whole(&dims)?;
    let mut axes = Vec::with_capacity(7);
    for (i, &size) in shape.iter().enumerate() {
        let stride = s[i] as isize;
        match i {
            _ if i == c => {
                axes.push(Axis::strided(block, 0, s[h] as isize));
                axes.push(Axis::strided(block, 0, s[w] as isize));
                axes.push(Axis::strided(input.shape()[c], 0, stride));
            }
            _ if i == h || i == w => axes.push(Axis::strided(size, 0, stride * block as isize)),
            _ => axes.push(Axis::strided(size, 0, stride)),
        }
    }
    let out = rearrange(cx, input, &Layout::new(axes), &shape, None)?;
    cx.set(0, out);
    Ok(())
}

pub static DEPTH_TO_SPACE: Def<DepthToSpace> = op::<DepthToSpace>("DepthToSpace")
    .keeps_finite()
    .inputs(&[arg("input", of("T"))])
    .outputs(&[arg("output", of("T"))])
    .shape(|op: &DepthToSpace, cx| infer(cx, &op.format, |dims, h, w, c| op.resize(dims, h, w, c)))
    .gradient(|op, g| {
        let back = SpaceToDepth { dtype: op.dtype, block_size: op.block_size, format: op.format.clone() };
        first(g, SPACE_TO_DEPTH.node(g, &back, &[g.dy(0)]))
    })
    .kernel(depth_to_space::<Cpu>)
    .heavy()
    .batch(|_, b| levada_ops_core::batch::fold_rows(b, &[0]));

/// The kernel of `DepthToSpace`, on any device that moves elements.
pub fn depth_to_space<D: Mover>(op: &DepthToSpace, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let input = cx.input(0)?;
    let (h, w, c) = axes(&op.format, input.shape().rank())?;
    let (block, s) = (op.block_size as usize, input.shape().strides());
    let mut dims: Vec<Dim> = input.shape().iter().map(|&d| Some(d)).collect();
    op.resize(&mut dims, h, w, c)?;
    let shape = whole(&dims)?;
    // The channels of the input are ordered (row in the block, column in the block, channel of the result).
    let column = shape[c] * s[c];
    let mut axes = Vec::with_capacity(7);
    for (i, &size) in shape.iter().enumerate() {
        let stride = s[i] as isize;
        if i == h || i == w {
            let apart = if i == w { column } else { column * block };
            axes.push(Axis::strided(input.shape()[i], 0, stride));
            axes.push(Axis::strided(block, 0, apart as isize));
        } else {
            axes.push(Axis::strided(size, 0, stride));
        }
    }
    let out = rearrange(cx, input, &Layout::new(axes), &shape, None)?;
    cx.set(0, out);
    Ok(())
}

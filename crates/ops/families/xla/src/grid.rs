//! `XlaConcatND` and `XlaSplitND`: join the blocks of a grid to a tensor, and the reverse.

use crate::moves::{Axis, Cell, Layout, rearrange};
use crate::prelude::*;

attrs! {
    /// Joins blocks of equal shape, in row-major order, to a tensor.
    pub struct XlaConcatNd {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Number of blocks.
        n: i64 = Attr::int("N").at_least(1),
        /// Number of blocks along each axis.
        counts: Vec<i64> = Attr::ints("num_concats"),
        /// Number of elements removed from the end of each axis.
        paddings: Vec<i64> = Attr::ints("paddings").or_empty(),
    }
}

attrs! {
    /// Splits a tensor into blocks of equal shape, in row-major order.
    pub struct XlaSplitNd {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Number of blocks.
        n: i64 = Attr::int("N").at_least(1),
        /// Number of blocks along each axis.
        counts: Vec<i64> = Attr::ints("num_splits"),
        /// Number of zeros added at the end of each axis.
        paddings: Vec<i64> = Attr::ints("paddings").or_empty(),
    }
}

pub static XLA_CONCAT_ND: Def<XlaConcatNd> = op::<XlaConcatNd>("XlaConcatND")
    .inputs(&[arg("inputs", of("T")).times("N")])
    .outputs(&[arg("output", of("T"))])
    .shape(|op, cx| {
        let grid = Grid::new(&op.counts, &op.paddings, op.n, "num_concats")?;
        let whole = (1..cx.num_inputs()).try_fold(cx.input(0), |shape, i| shape.merge(&cx.input(i)))?;
        let Some(dims) = whole.dims() else { return Ok(()) };
        grid.check_rank(dims.len())?;
        let size = |(axis, dim): (usize, &Dim)| dim.map(|dim| grid.whole(axis, dim)).transpose();
        let dims = dims.iter().enumerate().map(size).collect::<Result<Vec<Dim>>>()?;
        cx.output(0, PartialShape::new(dims));
        Ok(())
    })
    .kernel(concat)
    .heavy();

pub static XLA_SPLIT_ND: Def<XlaSplitNd> = op::<XlaSplitNd>("XlaSplitND")
    .inputs(&[arg("input", of("T"))])
    .outputs(&[arg("outputs", of("T")).times("N")])
    .shape(|op, cx| {
        let grid = Grid::new(&op.counts, &op.paddings, op.n, "num_splits")?;
        let input = cx.input(0);
        let Some(dims) = input.dims() else { return Ok(()) };
        grid.check_rank(dims.len())?;
        let size = |(axis, dim): (usize, &Dim)| dim.map(|dim| grid.block(axis, dim)).transpose();
        let block = PartialShape::new(dims.iter().enumerate().map(size).collect::<Result<Vec<Dim>>>()?);
        for i in 0..cx.num_outputs() {
            cx.output(i, block.clone());
        }
        Ok(())
    })
    .kernel(split)
    .heavy();

/// The number of blocks along each axis, and the padding at its end.
struct Grid {
    counts: Vec<usize>,
    paddings: Vec<usize>,
}

impl Grid {
    fn new(counts: &[i64], paddings: &[i64], n: i64, attr: &'static str) -> Result<Grid> {
        let sizes = |values: &[i64], least: i64, attr: &'static str| {
            let size = |&value: &i64| {
                usize::try_from(value)
                    .ok()
                    .filter(|_| value >= least)
                    .ok_or_else(|| Error::invalid(format!("{attr} must be at least {least}")).attr(attr).found(value))
            };
            values.iter().map(size).collect::<Result<Vec<usize>>>()
        };
        let counts = sizes(counts, 1, attr)?;
        let mut paddings = sizes(paddings, 0, "paddings")?;
        if paddings.is_empty() {
            paddings = vec![0; counts.len()];
        }
        if paddings.len() != counts.len() {
            return Err(Error::invalid(format!("paddings must have a size for each of {attr}"))
                .attr("paddings")
                .expected(counts.len())
                .found(paddings.len()));
        }
        let blocks = counts.iter().try_fold(1usize, |all, &count| all.checked_mul(count));
        if blocks.and_then(|blocks| i64::try_from(blocks).ok()) != Some(n) {
            return Err(Error::invalid(format!("N must be the product of {attr}")).attr("N").found(n));
        }
        Ok(Grid { counts, paddings })
    }

    fn check_rank(&self, rank: usize) -> Result<()> {
        if rank == self.counts.len() {
            return Ok(());
        }
        Err(Error::invalid("there must be a number of blocks for each axis").expected(rank).found(self.counts.len()))
    }

    /// Returns the size of the tensor along an axis with blocks of size `block`.
    fn whole(&self, axis: usize, block: usize) -> Result<usize> {
        let size = block.checked_mul(self.counts[axis]).and_then(|size| size.checked_sub(self.paddings[axis]));
        size.ok_or_else(|| {
            Error::invalid(format!("paddings cut off more than there is along axis {axis}")).found(self.paddings[axis])
        })
    }

    /// Returns the size of the blocks along an axis of size `whole`.
    fn block(&self, axis: usize, whole: usize) -> Result<usize> {
        let size = whole.checked_add(self.paddings[axis]).filter(|size| size.is_multiple_of(self.counts[axis]));
        size.map(|size| size / self.counts[axis]).ok_or_else(|| {
            Error::invalid(format!("axis {axis} with its padding must be a multiple of its number of blocks"))
                .expected(format!("a multiple of {}", self.counts[axis]))
                .found(whole.saturating_add(self.paddings[axis]))
        })
    }

    /// Returns the start of block number `i`, given the block sizes.
    fn begin(&self, mut i: usize, block: &[usize]) -> Vec<usize> {
        let mut begin = vec![0; block.len()];
        for axis in (0..block.len()).rev() {
            begin[axis] = i % self.counts[axis] * block[axis];
            i /= self.counts[axis];
        }
        begin
    }
}

fn concat(op: &XlaConcatNd, cx: &mut Cx<'_, '_>) -> Result<()> {
    let grid = Grid::new(&op.counts, &op.paddings, op.n, "num_concats")?;
    let block = cx.input(0)?.shape().clone();
    grid.check_rank(block.rank())?;
    let dims = block.iter().enumerate().map(|(axis, &size)| grid.whole(axis, size)).collect::<Result<Vec<_>>>()?;
    let whole = Shape::new(dims)?;
    let mut out = cx.alloc(op.dtype, &whole)?;
    let strides = whole.strides();
    for i in 0..cx.num_inputs() {
        let input = cx.input(i)?;
        if *input.shape() != block {
            return Err(Error::invalid("all inputs must have the same shape").expected(&block).found(input.shape()));
        }
        let begin = grid.begin(i, &block);
        // The part of the block that is not padding.
        let kept: Vec<usize> = block
            .iter()
            .zip(&begin)
            .zip(&whole[..])
            .map(|((&size, &at), &end)| size.min(end.saturating_sub(at)))
            .collect();
        let Some((&line, outer)) = kept.split_last() else {
            out = input.clone();
            continue;
        };
        if kept.contains(&0) {
            continue;
        }
        let rows: usize = outer.iter().product();
        let from_strides = block.strides();
        cells!(op.dtype, |T| {
            let (from, to) = (T::cells(input)?, T::cells_mut(&mut out)?);
            for row in 0..rows {
                let (mut rest, mut at, mut read) = (row, begin[outer.len()], 0);
                for axis in (0..outer.len()).rev() {
                    let index = rest % outer[axis];
                    rest /= outer[axis];
                    at += (begin[axis] + index) * strides[axis];
                    read += index * from_strides[axis];
                }
                to[at..at + line].clone_from_slice(&from[read..read + line]);
            }
        });
    }
    cx.set(0, out);
    Ok(())
}

fn split(op: &XlaSplitNd, cx: &mut Cx<'_, '_>) -> Result<()> {
    let grid = Grid::new(&op.counts, &op.paddings, op.n, "num_splits")?;
    let input = cx.input(0)?.clone();
    let shape = input.shape();
    grid.check_rank(shape.rank())?;
    let dims = shape.iter().enumerate().map(|(axis, &size)| grid.block(axis, size)).collect::<Result<Vec<_>>>()?;
    let block = Shape::new(dims)?;
    for i in 0..cx.num_outputs() {
        let begin = grid.begin(i, &block);
        let axes = (0..shape.rank()).zip(shape.strides()).map(|(axis, stride)| {
            let there = block[axis].min(shape[axis].saturating_sub(begin[axis]));
            let from = if there == 0 { 0 } else { begin[axis] * stride };
            Axis::strided(there, from as isize, stride as isize).fill(block[axis] - there)
        });
        let out = rearrange(cx, &input, &Layout::new(axes), &block, None)?;
        cx.set(i, out);
    }
    Ok(())
}

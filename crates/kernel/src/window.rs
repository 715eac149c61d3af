//! Pieces of a tensor that a fused group reads where they lie: the outputs of a node that splits a tensor into equal
//! pieces.

use crate::arena::Arena;
use crate::io::{Entry, Io, NodeMeta};
use crate::kernel::{AnyKernel, Cost};
use crate::strips::Strip;
use levada_graph::{Error, Result, Shape, Tensor};
use smallvec::SmallVec;
use std::sync::Arc;

/// One of several equal pieces of a tensor along an axis, which is counted from the end if it is negative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// The axis.
    pub axis: i64,
    /// Which piece.
    pub index: usize,
    /// The number of pieces.
    pub count: usize,
}

/// The axis of a tensor of this rank; negative ones count from the end. `None` if there is no such axis.
pub fn axis_of(axis: i64, rank: usize) -> Option<usize> {
    let rank = i64::try_from(rank).ok()?;
    let axis = if axis < 0 { axis.checked_add(rank)? } else { axis };
    (0..rank).contains(&axis).then_some(axis as usize)
}

impl Window {
    /// The shape of the piece; `None` if there are no such pieces.
    pub(crate) fn shape(&self, of: &Shape) -> Option<Shape> {
        let axis = axis_of(self.axis, of.rank()).filter(|&axis| of[axis].is_multiple_of(self.count))?;
        Shape::new(of.iter().enumerate().map(|(i, &n)| if i == axis { n / self.count } else { n })).ok()
    }

    /// The number of elements from each row of the piece to the next, in the tensor and in the piece; `None` if there
    /// are none.
    pub(crate) fn rows(&self, of: &Shape) -> Option<(usize, usize)> {
        let axis = axis_of(self.axis, of.rank()).filter(|_| of.num_elements() > 0)?;
        let row = of[axis..].iter().product::<usize>();
        Some((row, row / self.count))
    }
}

/// An output of a node that splits its input 1 into equal pieces along the axis that its input 0 gives.
pub struct SplitOutput {
    /// The kernel of the node.
    pub kernel: Arc<dyn AnyKernel>,
    /// Names and dtypes of the node.
    pub meta: NodeMeta,
    /// Its input 0.
    pub axis: Tensor,
    /// Which output.
    pub index: usize,
}

impl SplitOutput {
    /// The piece; `None` if the axis is not a scalar.
    pub(crate) fn window(&self) -> Option<Window> {
        let [axis] = self.axis.to_i64s().ok().filter(|_| self.axis.shape().is_scalar())?[..] else { return None };
        Some(Window { axis, index: self.index, count: self.meta.outputs.len() })
    }
}

/// The kernel of such an output alone, of which the tensor is the only input.
pub(crate) struct Cutter {
    of: SplitOutput,
    window: Window,
    arena: Arc<Arena>,
}

impl Cutter {
    pub(crate) fn new(of: SplitOutput, arena: Arc<Arena>) -> Option<Cutter> {
        let window = of.window()?;
        Some(Cutter { of, window, arena })
    }

    /// Copies the piece; `None` for tensors that the node itself has to split, or to refuse.
    fn copied(&self, tensor: &Tensor) -> Option<Result<Tensor>> {
        let (shape, dtype) = (self.window.shape(tensor.shape())?, tensor.dtype());
        if dtype.is_plain() && shape.num_elements() == 0 {
            return Some(self.arena.tensor(dtype, shape));
        }
        let (whole, row) = self.window.rows(tensor.shape())?;
        let (whole, row) = (whole * dtype.size(), row * dtype.size());
        let from = tensor.bytes().filter(|_| dtype.is_plain())?;
        let copy = |mut out: Tensor| {
            let rows = out.bytes_mut().map(|out| out.chunks_exact_mut(row));
            let from = from.chunks_exact(whole).map(|from| &from[self.window.index * row..][..row]);
            rows.into_iter().flatten().zip(from).for_each(|(to, from)| to.copy_from_slice(from));
            out
        };
        Some(self.arena.tensor(dtype, shape).map(copy))
    }
}

impl AnyKernel for Cutter {
    fn compute(&self, io: &mut Io<'_>) -> Result<()> {
        if let Some(piece) = self.copied(io.input(0)?) {
            io.set(0, piece?);
            return Ok(());
        }
        let mut inputs = [Entry::Constant(self.of.axis.clone()), Entry::Value(io.input(0)?.clone())];
        let mut outputs: SmallVec<[Entry; 4]> = SmallVec::from_elem(Entry::Empty, self.window.count);
        io.compute_part(&*self.of.kernel, &mut inputs, &mut outputs, &self.of.meta)?;
        let output = outputs.get_mut(self.of.index).map(std::mem::take);
        io.set_entry(0, output.ok_or_else(|| Error::internal("a split without this output"))?);
        Ok(())
    }

    fn strip(&self, _: Option<&Tensor>) -> Option<Strip> {
        Some(Strip::Window(self.window))
    }

    fn cost(&self) -> Cost {
        Cost::Cheap
    }
}

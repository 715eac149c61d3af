//! `XlaGather`: gathers slices of a tensor at computed indices.

use crate::ELEMENTS_AND_BOOL;
use crate::moves::Cell;
use crate::numbers::{Numbers, vector};
use crate::prelude::*;

attrs! {
    /// Gathers slices of `operand` of the sizes `slice_sizes` at the indices in `start_indices`, which are clamped so
    /// that slices are in bounds; `dimension_numbers` describes the axes of all three.
    pub struct XlaGather {
        /// A `GatherDimensionNumbers` message.
        numbers: Bytes = Attr::string("dimension_numbers"),
        /// Whether the indices are sorted; has no effect here.
        sorted: bool = Attr::bool("indices_are_sorted"),
        /// Element type.
        dtype: DType = Attr::dtype("T", ELEMENTS_AND_BOOL),
        /// Element type of indices and sizes.
        index: DType = Attr::dtype("Tindices", sets::INDEX),
    }
}

pub static XLA_GATHER: Def<XlaGather> = op::<XlaGather>("XlaGather")
    .inputs(&[arg("operand", of("T")), arg("start_indices", of("Tindices")), arg("slice_sizes", of("Tindices"))])
    .outputs(&[arg("output", of("T"))])
    .shape(|op, cx| {
        let sizes = cx.constant_i64s(2);
        let (Some(rank), Some(places)) = (cx.input(0).rank(), cx.input(1).dims().map(<[Dim]>::to_vec)) else {
            return Ok(());
        };
        let axes = Axes::new(op, rank, places.len())?;
        let size = |axis: usize| sizes.as_ref().and_then(|sizes| usize::try_from(*sizes.get(axis)?).ok());
        let shape = axes.output.iter().map(|axis| match *axis {
            Output::Place(axis) => places[axis],
            Output::Slice(axis) => size(axis),
        });
        cx.output(0, PartialShape::new(shape.collect::<Vec<Dim>>()));
        Ok(())
    })
    .kernel(gather)
    .heavy();

/// The source of an axis of the output: an axis of the indices or of the slices.
#[derive(Clone, Copy)]
enum Output {
    Place(usize),
    Slice(usize),
}

/// The roles of the axes.
struct Axes {
    /// Axes of the operand that the components of an index vector refer to.
    starts: Vec<usize>,
    /// The axis of `start_indices` that holds the components of an index vector; their rank, if each is a scalar.
    vector: usize,
    /// Pairs of batch axes of the operand and the indices.
    batch: Vec<(usize, usize)>,
    output: Vec<Output>,
}

impl Axes {
    fn new(op: &XlaGather, operand: usize, places: usize) -> Result<Axes> {
        let numbers = Numbers::of(&op.numbers, "dimension_numbers")?;
        let [collapsed, batch] = [2, 5].map(|field| numbers.axes(field, operand));
        let (collapsed, batch, starts) = (collapsed?, batch?, numbers.axes(3, operand)?);
        let places_batch = numbers.axes(6, places)?;
        let vector = numbers.one(4, places)?;
        let kept: Vec<usize> = (0..operand).filter(|axis| !collapsed.contains(axis) && !batch.contains(axis)).collect();
        let along = (0..places).filter(|&axis| axis != vector).collect::<Vec<usize>>();
        let rank = kept.len() + along.len();
        let slices = numbers.axes(1, rank)?;
        if slices.len() != kept.len() || batch.len() != places_batch.len() || places_batch.contains(&vector) {
            return Err(Error::invalid(
                "dimension_numbers does not have an axis of the output for each axis of a slice",
            )
            .attr("dimension_numbers")
            .expected(format!("{} offset_dims", kept.len()))
            .found(format!("{}", slices.len())));
        }
        let mut output: Vec<Option<Output>> = vec![None; rank];
        slices.iter().zip(kept).for_each(|(&to, axis)| output[to] = Some(Output::Slice(axis)));
        let mut along = along.into_iter();
        let output = output.into_iter().filter_map(|axis| axis.or_else(|| along.next().map(Output::Place))).collect();
        Ok(Axes { starts, vector, batch: batch.into_iter().zip(places_batch).collect(), output })
    }
}

/// Returns the sum of the `steps` for each position along some axes of a tensor, in order.
fn sums(axes: &[(usize, usize)]) -> Vec<usize> {
    axes.iter().fold(vec![0], |sums, &(size, step)| {
        sums.iter().flat_map(|&sum| (0..size).map(move |i| sum + i * step)).collect()
    })
}

fn gather(op: &XlaGather, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (operand, places) = (cx.input(0)?, cx.input(1)?);
    let (shape, indices) = (operand.shape(), places.shape());
    let axes = Axes::new(op, shape.rank(), indices.rank())?;
    let sizes = vector(cx, 2, "slice_sizes", shape.rank())?;
    let taken = sizes.iter().zip(shape.iter()).map(|(&taken, &size)| {
        let taken = usize::try_from(taken).ok().filter(|&taken| taken <= size);
        taken.ok_or_else(|| {
            Error::invalid("slice_sizes must not be larger than the operand")
                .expected(format!("at most {shape}"))
                .found(format!("{sizes:?}"))
        })
    });
    let taken = taken.collect::<Result<Vec<usize>>>()?;
    let count = indices.dims().get(axes.vector).copied().unwrap_or(1);
    if count != axes.starts.len() {
        return Err(Error::invalid("start_indices must have an element for each axis in start_index_map")
            .expected(axes.starts.len())
            .found(count));
    }
    let dropped = |axis: &usize| !axes.output.iter().any(|out| matches!(out, Output::Slice(kept) if kept == axis));
    if let Some(axis) = (0..shape.rank()).filter(dropped).find(|&axis| taken[axis] != 1) {
        return Err(Error::invalid("slice_sizes must be 1 along axes that are left out")
            .found(format!("{} along axis {axis}", taken[axis])));
    }
    for &(own, other) in &axes.batch {
        if shape[own] != indices[other] {
            return Err(Error::invalid("batch axes of operand and start_indices must have the same size")
                .expected(shape[own])
                .found(indices[other]));
        }
    }
    let whole = Shape::new(axes.output.iter().map(|axis| match *axis {
        Output::Place(axis) => indices[axis],
        Output::Slice(axis) => taken[axis],
    }))?;
    let mut out = cx.alloc(op.dtype, &whole)?;
    if whole.num_elements() == 0 {
        cx.set(0, out);
        return Ok(());
    }
    cx.device.arena.check(whole.num_elements().saturating_mul(size_of::<usize>()))?;
    let (from, index_steps, to) = (shape.strides(), indices.strides(), whole.strides());
    let of = |is: &dyn Fn(Output, usize) -> Option<(usize, usize)>| -> Vec<usize> {
        sums(&axes.output.iter().zip(to.iter()).filter_map(|(&axis, &step)| is(axis, step)).collect::<Vec<_>>())
    };
    // Per index vector: the offset of its slice in the output, and that of its components. Per element of a slice: its
    // offsets in the output and in the operand.
    let place_to = of(&|axis, step| if let Output::Place(axis) = axis { Some((indices[axis], step)) } else { None });
    let place_from =
        of(&|axis, _| if let Output::Place(axis) = axis { Some((indices[axis], index_steps[axis])) } else { None });
    let slice_to = of(&|axis, step| if let Output::Slice(axis) = axis { Some((taken[axis], step)) } else { None });
    let slice_from = of(&|axis, _| if let Output::Slice(axis) = axis { Some((taken[axis], from[axis])) } else { None });
    let step = index_steps.get(axes.vector).copied().unwrap_or(0);
    let values = places.to_i64s()?;
    let begin = |at: usize| -> usize {
        let start = |(k, &axis): (usize, &usize)| {
            let last = shape[axis] - taken[axis];
            usize::try_from(values[at + k * step]).unwrap_or(0).min(last) * from[axis]
        };
        let own = |&(own, other): &(usize, usize)| at / index_steps[other] % indices[other] * from[own];
        axes.starts.iter().enumerate().map(start).sum::<usize>() + axes.batch.iter().map(own).sum::<usize>()
    };
    cells!(op.dtype, |T| {
        let (source, out) = (T::cells(operand)?, T::cells_mut(&mut out)?);
        for (&to, &at) in place_to.iter().zip(&place_from) {
            let begin = begin(at);
            for (&slice_to, &slice_from) in slice_to.iter().zip(&slice_from) {
                out[to + slice_to] = source[begin + slice_from].clone();
            }
        }
    });
    cx.set(0, out);
    Ok(())
}

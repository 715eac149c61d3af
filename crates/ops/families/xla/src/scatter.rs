//! `XlaScatter`: combines slices of a tensor with updates at computed indices.

use crate::ELEMENTS_AND_BOOL;
use crate::calls::{Reducer, perform, take};
use crate::numbers::Numbers;
use crate::prelude::*;
use crate::window::combine;

attrs! {
    /// Combines elements of `operand` with those of `updates` by the function `update_computation`, at the indices in
    /// `scatter_indices`; `dimension_numbers` describes the axes of all three. Out-of-bounds updates are skipped.
    pub struct XlaScatter {
        /// Function of an element and its update.
        computation: Func = Attr::func("update_computation"),
        /// A `ScatterDimensionNumbers` message.
        numbers: Bytes = Attr::string("dimension_numbers"),
        /// Whether the indices are sorted; has no effect here.
        sorted: bool = Attr::bool("indices_are_sorted"),
        /// Element type.
        dtype: DType = Attr::dtype("T", ELEMENTS_AND_BOOL),
        /// Element type of the indices.
        index: DType = Attr::dtype("Tindices", sets::INDEX),
    }
}

pub static XLA_SCATTER: Def<XlaScatter> = op::<XlaScatter>("XlaScatter")
    .inputs(&[arg("operand", of("T")), arg("scatter_indices", of("Tindices")), arg("updates", of("T"))])
    .outputs(&[arg("output", of("T"))])
    .role(Role::Call)
    .shape(|_, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .kernel(scatter)
    .heavy();

/// The target of an axis of the updates.
#[derive(Clone, Copy)]
enum Update {
    /// An axis of the operand.
    Window(usize),
    /// An axis of the indices.
    Place(usize),
}

/// Returns the position in the operand of each element of the updates, if in bounds.
fn targets(op: &XlaScatter, operand: &Shape, places: &Tensor, updates: &Shape) -> Result<Vec<Option<usize>>> {
    let (rank, indices) = (operand.rank(), places.shape());
    let numbers = Numbers::of(&op.numbers, "dimension_numbers")?;
    let windows = numbers.axes(1, updates.rank())?;
    let (inserted, starts, batch) = (numbers.axes(2, rank)?, numbers.axes(3, rank)?, numbers.axes(5, rank)?);
    let vector = numbers.one(4, indices.rank())?;
    let places_batch = numbers.axes(6, indices.rank())?;
    let kept: Vec<usize> = (0..rank).filter(|axis| !inserted.contains(axis) && !batch.contains(axis)).collect();
    let along: Vec<usize> = (0..indices.rank()).filter(|axis| *axis != vector).collect();
    let fits = windows.len() == kept.len()
        && updates.rank() == windows.len() + along.len()
        && batch.len() == places_batch.len()
        && !places_batch.contains(&vector)
        && batch.iter().zip(&places_batch).all(|(&own, &other)| operand[own] == indices[other]);
    if !fits {
        return Err(Error::invalid("dimension_numbers do not fit the shapes")
            .attr("dimension_numbers")
            .expected(format!("updates with {} axes of windows and {} axes of places", kept.len(), along.len()))
            .found(format!("operand {operand}, scatter_indices {indices}, updates {updates}")));
    }
    if indices.dims().get(vector).copied().unwrap_or(1) != starts.len() {
        return Err(Error::invalid(
            "scatter_indices must have an element for each axis in scatter_dims_to_operand_dims",
        )
        .expected(starts.len())
        .found(format!("shape {indices}")));
    }
    let (mut kept, mut along) = (kept.into_iter(), along.into_iter());
    let axes: Vec<Update> = (0..updates.rank())
        .filter_map(|axis| match windows.contains(&axis) {
            true => kept.next().map(Update::Window),
            false => along.next().map(Update::Place),
        })
        .collect();
    let mut sizes = vec![1; rank];
    for (axis, &size) in axes.iter().zip(updates.iter()) {
        let (there, what) = match *axis {
            Update::Window(own) => {
                sizes[own] = size;
                (operand[own], size <= operand[own])
            }
            Update::Place(own) => (indices[own], size == indices[own]),
        };
        if !what {
            return Err(Error::invalid("updates do not fit").expected(format!("at most {there}")).found(size));
        }
    }
    let (to, steps, from) = (operand.strides(), indices.strides(), updates.strides());
    let values = places.to_i64s()?;
    let vector_step = steps.get(vector).copied().unwrap_or(0);
    let target = |i: usize| -> Option<usize> {
        let (mut place, mut at) = (0, 0);
        for ((axis, &step), &size) in axes.iter().zip(from.iter()).zip(updates.iter()) {
            let own = i / step % size;
            match *axis {
                Update::Window(axis) => at += own * to[axis],
                Update::Place(axis) => place += own * steps[axis],
            }
        }
        for (k, &axis) in starts.iter().enumerate() {
            let start = usize::try_from(values[place + k * vector_step]).ok()?;
            (start <= operand[axis].checked_sub(sizes[axis])?).then_some(())?;
            at += start * to[axis];
        }
        for (&own, &other) in batch.iter().zip(&places_batch) {
            at += place / steps[other] % indices[other] * to[own];
        }
        Some(at)
    };
    Ok((0..updates.num_elements()).map(target).collect())
}

fn scatter(op: &XlaScatter, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (shape, updates) = (cx.input(0)?.shape().clone(), cx.input(2)?.clone());
    let bytes = updates.num_elements().saturating_add(shape.num_elements()).saturating_mul(4 * size_of::<usize>());
    cx.device.arena.check(bytes)?;
    let targets = targets(op, &shape, cx.input(1)?, updates.shape())?;
    let reducer = Reducer::of(cx, &op.computation, vec![op.dtype])?;
    let operand = cx.take(0)?;
    perform(cx, async move {
        let mut out = operand.reshaped(Shape::vector(shape.num_elements()))?;
        let (from, to): (Vec<usize>, Vec<usize>) =
            targets.into_iter().enumerate().filter_map(|(i, to)| Some((i, to?))).unzip();
        let count = updates.num_elements();
        let updates = take(&updates.reshaped(Shape::vector(count))?, &from)?;
        combine(&reducer, &mut out, &to, &updates).await?;
        Ok(vec![out.reshaped(shape)?])
    });
    Ok(())
}

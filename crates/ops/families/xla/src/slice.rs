//! `XlaDynamicSlice` and `XlaDynamicUpdateSlice`: a slice of a tensor at a computed position. Positions are clamped so
//! that slices are in bounds.

use crate::moves::{Axis, Cell, Layout, owned, rearrange};
use crate::numbers::vector;
use crate::prelude::*;

attrs! {
    /// The attrs of ops on slices of tensors.
    pub struct XlaSlice {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Element type of positions and sizes.
        index: DType = Attr::dtype("Tindices", sets::INDEX),
    }
}

pub static XLA_DYNAMIC_SLICE: Def<XlaSlice> = op::<XlaSlice>("XlaDynamicSlice")
    .doc(
        "Returns the slice of `input` of the sizes `size_indices` at `start_indices`, which are clamped so that the \
        slice is in bounds.",
    )
    .inputs(&[arg("input", of("T")), arg("start_indices", of("Tindices")), arg("size_indices", of("Tindices"))])
    .outputs(&[arg("output", of("T"))])
    .shape(|_, cx| {
        let rank = cx.input(0).rank();
        let sizes = cx.constant_shape(2);
        let shape = match (sizes.rank(), rank) {
            (None, Some(rank)) => PartialShape::of_rank(rank),
            _ => sizes,
        };
        cx.output(0, shape);
        Ok(())
    })
    .kernel(|_, cx| {
        let input = cx.input(0)?;
        let shape = input.shape();
        let starts = vector(cx, 1, "start_indices", shape.rank())?;
        let sizes = vector(cx, 2, "size_indices", shape.rank())?;
        let mut axes = Vec::new();
        for (i, (&size, &wanted)) in shape.iter().zip(&sizes).enumerate() {
            let taken = usize::try_from(wanted).ok().filter(|&taken| taken <= size).ok_or_else(|| {
                Error::invalid(format!("size_indices must not be larger than axis {i} of the input, nor negative"))
                    .expected(format!("at most {size}"))
                    .found(wanted)
            })?;
            axes.push((taken, place(starts[i], size - taken)));
        }
        let whole = Shape::new(axes.iter().map(|(taken, _)| *taken))?;
        let axes = axes
            .iter()
            .zip(shape.strides())
            .map(|(&(taken, start), stride)| Axis::strided(taken, (start * stride) as isize, stride as isize));
        let out = rearrange(cx, input, &Layout::new(axes), &whole, None)?;
        cx.set(0, out);
        Ok(())
    })
    .heavy();

/// Returns the start of a slice, clamped to the range from 0 to `last`.
fn place(start: i64, last: usize) -> usize {
    usize::try_from(start).unwrap_or(0).min(last)
}

pub static XLA_DYNAMIC_UPDATE_SLICE: Def<XlaSlice> = op::<XlaSlice>("XlaDynamicUpdateSlice")
    .doc(
        "Returns `input` with the slice at `indices`, which are clamped so that the slice is in bounds, replaced by \
        `update`.",
    )
    .inputs(&[arg("input", of("T")), arg("update", of("T")), arg("indices", of("Tindices"))])
    .outputs(&[arg("output", of("T"))])
    .shape(|_, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .kernel(|_, cx| {
        let (shape, part) = (cx.input(0)?.shape().clone(), cx.input(1)?.shape().clone());
        if part.rank() != shape.rank() || part.iter().zip(shape.iter()).any(|(part, size)| part > size) {
            return Err(Error::invalid("update must be a part of the input")
                .expected(format!("at most shape {shape}"))
                .found(format!("shape {part}")));
        }
        let starts = vector(cx, 2, "indices", shape.rank())?;
        let begin: usize = (shape.iter().zip(part.iter()).zip(&starts).zip(shape.strides()))
            .map(|(((&size, &part), &start), stride)| place(start, size - part) * stride)
            .sum();
        let mut out = owned(cx, 0)?;
        let update = cx.input(1)?;
        let line = part.last().copied().unwrap_or(1);
        if update.num_elements() > 0 {
            let outer = &part[..part.rank().saturating_sub(1)];
            let strides = shape.strides();
            cells!(out.dtype(), |T| {
                let to = T::cells_mut(&mut out)?;
                for (row, from) in T::cells(update)?.chunks_exact(line).enumerate() {
                    let mut rest = row;
                    let mut at = begin;
                    for (&size, &stride) in outer.iter().zip(strides.iter()).rev() {
                        at += rest % size * stride;
                        rest /= size;
                    }
                    to[at..at + line].clone_from_slice(from);
                }
            });
        }
        cx.set(0, out);
        Ok(())
    })
    .heavy();

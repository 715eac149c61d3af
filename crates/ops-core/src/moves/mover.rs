//! The interface between devices and the ops that only move elements. Such ops are written once for every device: they
//! check their inputs and determine the moves; a [`Mover`] performs them.

use super::tuples::slice_numbers;
use super::{Cell, Layout, positions};
use crate::prelude::*;
use levada_kernel::{Arena, Device};
use smallvec::SmallVec;
use std::sync::Arc;

/// The slices gathered along an axis.
#[derive(Clone, Debug)]
pub struct Gathering {
    /// Shape of the result.
    pub shape: Shape,
    /// Size of the axis.
    pub limit: usize,
    /// Number of slices before the axis, per batch.
    pub outer: usize,
    /// Number of elements after the axis.
    pub inner: usize,
    /// Number of indices per batch.
    pub picks: usize,
}

/// A device that moves elements.
pub trait Mover: Device + Sized {
    /// Returns a new tensor of `shape` whose elements are copied from `input` according to `layout`; filled positions
    /// get the one element of `pad`, or zero.
    ///
    /// # Errors
    /// `RESOURCE_EXHAUSTED` if there is not enough memory, as in all methods that follow.
    fn rearrange(
        cx: &KernelCx<'_, '_, Self>,
        input: &Tensor,
        layout: &Layout,
        shape: &Shape,
        pad: Option<&Tensor>,
    ) -> Result<Tensor>;

    /// Concatenates `parts` along `axis` to a tensor of `shape`; the length of each part follows from its number of
    /// elements.
    ///
    /// # Errors
    /// See [`Mover::rearrange`].
    fn join(cx: &KernelCx<'_, '_, Self>, parts: &[&Tensor], axis: usize, shape: &Shape, dtype: DType)
    -> Result<Tensor>;

    /// Returns a tensor filled with the one element of `value`.
    ///
    /// # Errors
    /// See [`Mover::rearrange`].
    fn fill(cx: &KernelCx<'_, '_, Self>, dtype: DType, shape: &Shape, value: &Tensor) -> Result<Tensor>;

    /// Returns a tensor of zeros, or of empty strings, handles and variants.
    ///
    /// # Errors
    /// See [`Mover::rearrange`].
    fn zeros(cx: &KernelCx<'_, '_, Self>, dtype: DType, shape: &Shape) -> Result<Tensor>;

    /// Adds `value` to `sum`, which has the same dtype and shape; other tensors that share its elements are
    /// unaffected.
    ///
    /// # Errors
    /// See [`Mover::rearrange`]; `INVALID_ARGUMENT` for a dtype that cannot be added.
    fn add_to(cx: &KernelCx<'_, '_, Self>, sum: &mut Tensor, value: &Tensor) -> Result<()>;

    /// Returns the arena for host memory.
    fn arena<'a>(cx: &'a KernelCx<'_, '_, Self>) -> &'a Arc<Arena>;

    /// Gathers the slices of `params` at `indices`.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for an index out of range if the device can detect it; otherwise the slice is zeros.
    fn gather(cx: &KernelCx<'_, '_, Self>, params: &Tensor, indices: &Tensor, what: &Gathering) -> Result<Tensor>;

    /// Gathers the slices of `params` at the tuples of `depth` indices into a result of shape `shape`; with `ignore`,
    /// zeros for tuples out of bounds.
    ///
    /// # Errors
    /// See [`Mover::gather`].
    fn gather_slices(
        cx: &KernelCx<'_, '_, Self>,
        params: &Tensor,
        indices: &Tensor,
        depth: usize,
        shape: &Shape,
        ignore: bool,
    ) -> Result<Tensor>;

    /// Returns a tensor of `shape` in which position `i` of an axis of size `depth`, with `inner` elements after it,
    /// holds the element of `on` if the index is `i`, otherwise that of `off`.
    ///
    /// # Errors
    /// See [`Mover::rearrange`].
    fn one_hot(
        cx: &KernelCx<'_, '_, Self>,
        indices: &Tensor,
        on: &Tensor,
        off: &Tensor,
        shape: &Shape,
        depth: usize,
        inner: usize,
    ) -> Result<Tensor>;

    /// Checks that all of `indices` are below `limit`, if the device can detect it.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` otherwise.
    fn check_indices(cx: &KernelCx<'_, '_, Self>, indices: &Tensor, limit: usize) -> Result<()>;
}

/// [`Mover::rearrange`]
pub fn rearrange<D: Mover>(
    cx: &KernelCx<'_, '_, D>,
    input: &Tensor,
    layout: &Layout,
    shape: &Shape,
    pad: Option<&Tensor>,
) -> Result<Tensor> {
    D::rearrange(cx, input, layout, shape, pad)
}

impl Mover for Cpu {
    fn rearrange(
        cx: &Cx<'_, '_>,
        input: &Tensor,
        layout: &Layout,
        shape: &Shape,
        pad: Option<&Tensor>,
    ) -> Result<Tensor> {
        let mut out = cx.alloc(input.dtype(), shape)?;
        cells!(input.dtype(), |T| {
            let pad = match pad {
                Some(pad) => T::cells(pad)?.first().cloned().unwrap_or_default(),
                None => T::default(),
            };
            layout.copy(cx.pool(), T::cells(input)?, &pad, T::cells_mut(&mut out)?);
        });
        Ok(out)
    }

    fn join(cx: &Cx<'_, '_>, parts: &[&Tensor], axis: usize, shape: &Shape, dtype: DType) -> Result<Tensor> {
        let outer: usize = shape[..axis].iter().product();
        let mut out = cx.alloc(dtype, shape)?;
        if out.num_elements() == 0 {
            return Ok(out);
        }
        cells!(dtype, |T| {
            let mut pieces: SmallVec<[(&[T], usize); 8]> = SmallVec::with_capacity(parts.len());
            for part in parts {
                let slice = T::cells(part)?;
                if !slice.is_empty() {
                    pieces.push((slice, slice.len() / outer));
                }
            }
            let width: usize = pieces.iter().map(|(_, n)| n).sum();
            let nanos = 0.1 + size_of::<T>() as f64 / 8.0;
            if outer == 1 {
                let mut rest = T::cells_mut(&mut out)?;
                for (slice, n) in pieces {
                    let (piece, after) = rest.split_at_mut(n);
                    cx.pool().for_chunks(piece, 1, nanos, |at, to| to.clone_from_slice(&slice[at..at + to.len()]));
                    rest = after;
                }
            } else {
                let nanos = nanos * width as f64 + 3.0 * pieces.len() as f64;
                cx.pool().for_chunks(T::cells_mut(&mut out)?, width, nanos, |first, chunk| {
                    for (row, mut to) in (first..).zip(chunk.chunks_exact_mut(width)) {
                        for (slice, n) in &pieces {
                            let (piece, after) = to.split_at_mut(*n);
                            match piece {
                                [one] => *one = slice[row].clone(),
                                _ => piece.clone_from_slice(&slice[row * n..(row + 1) * n]),
                            }
                            to = after;
                        }
                    }
                });
            }
        });
        Ok(out)
    }

    fn fill(cx: &Cx<'_, '_>, dtype: DType, shape: &Shape, value: &Tensor) -> Result<Tensor> {
        let mut out = cx.alloc(dtype, shape)?;
        cells!(dtype, |T| {
            let value = T::cells(value)?[0].clone();
            cx.pool().for_chunks(T::cells_mut(&mut out)?, 1, 0.3, |_, piece| piece.fill(value.clone()));
        });
        Ok(out)
    }

    fn zeros(cx: &Cx<'_, '_>, dtype: DType, shape: &Shape) -> Result<Tensor> {
        cx.device.arena.zeros(dtype, shape.clone())
    }

    fn add_to(cx: &Cx<'_, '_>, sum: &mut Tensor, value: &Tensor) -> Result<()> {
        if !sum.is_unique() {
            let parts = std::iter::once(&*sum);
            *sum = crate::rows::join(&cx.device.arena, sum.dtype(), sum.shape().clone(), parts)?;
        }
        dispatch!(sum.dtype(), numbers, |T| {
            let value = value.slice::<T>()?;
            sum.slice_mut::<T>()?.iter_mut().zip(value).for_each(|(s, &v)| *s = Number::add(*s, v));
            Ok(())
        }, else Err(Error::invalid(format!("tensors of type {} cannot be added", sum.dtype()))))
    }

    fn arena<'a>(cx: &'a Cx<'_, '_>) -> &'a Arc<Arena> {
        &cx.device.arena
    }

    fn gather(cx: &Cx<'_, '_>, params: &Tensor, indices: &Tensor, what: &Gathering) -> Result<Tensor> {
        let mut out = cx.alloc(params.dtype(), &what.shape)?;
        if out.num_elements() > 0 {
            let &Gathering { limit, outer, inner, picks, .. } = what;
            let positions = positions(indices, limit)?;
            cells!(params.dtype(), |T| {
                let src = T::cells(params)?;
                let nanos = 2.0 + (inner * size_of::<T>()) as f64 / 8.0;
                cx.pool().for_chunks(T::cells_mut(&mut out)?, inner, nanos, |first, piece| {
                    // The row of the output: batch, then outer, then index.
                    let (mut block, mut pick, mut piece) = (first / picks, first % picks, piece);
                    while !piece.is_empty() {
                        let count = (picks - pick).min(piece.len() / inner);
                        let (rows, rest) = std::mem::take(&mut piece).split_at_mut(count * inner);
                        let positions = &positions[block / outer * picks + pick..][..count];
                        let src = &src[block * limit * inner..][..limit * inner];
                        if inner == 1 {
                            rows.iter_mut().zip(positions).for_each(|(to, &at)| *to = src[at].clone());
                        } else {
                            let rows = rows.chunks_exact_mut(inner).zip(positions);
                            rows.for_each(|(row, &at)| row.clone_from_slice(&src[at * inner..][..inner]));
                        }
                        (block, pick, piece) = (block + 1, 0, rest);
                    }
                });
            });
        }
        Ok(out)
    }

    fn gather_slices(
        cx: &Cx<'_, '_>,
        params: &Tensor,
        indices: &Tensor,
        depth: usize,
        shape: &Shape,
        ignore: bool,
    ) -> Result<Tensor> {
        let mut out = cx.alloc(params.dtype(), shape)?;
        let (picked, rest) = params.shape().split_at(depth);
        let numbers = slice_numbers(indices, picked, ignore)?;
        let width: usize = rest.iter().product();
        cells!(params.dtype(), |T| {
            let src = T::cells(params)?;
            let nanos = 2.0 + (width * size_of::<T>()) as f64 / 8.0;
            cx.pool().for_chunks(T::cells_mut(&mut out)?, width, nanos, |first, piece| {
                for (row, number) in piece.chunks_exact_mut(width).zip(&numbers[first..]) {
                    match number {
                        Some(n) => row.clone_from_slice(&src[n * width..(n + 1) * width]),
                        None => row.fill(T::default()),
                    }
                }
            });
        });
        Ok(out)
    }

    fn one_hot(
        cx: &Cx<'_, '_>,
        indices: &Tensor,
        on: &Tensor,
        off: &Tensor,
        shape: &Shape,
        depth: usize,
        inner: usize,
    ) -> Result<Tensor> {
        let mut out = cx.alloc(on.dtype(), shape)?;
        let places = indices.to_i64s()?;
        cells!(on.dtype(), |T| {
            let (on, off) = (&T::cells(on)?[0], &T::cells(off)?[0]);
            let width = depth * inner;
            cx.pool().for_chunks(T::cells_mut(&mut out)?, width, width as f64 * 0.3, |first, piece| {
                piece.fill(off.clone());
                for (to, picks) in piece.chunks_exact_mut(width).zip(places[first * inner..].chunks_exact(inner)) {
                    for (column, &index) in picks.iter().enumerate() {
                        if (0..depth as i64).contains(&index) {
                            to[index as usize * inner + column] = on.clone();
                        }
                    }
                }
            });
        });
        Ok(out)
    }

    fn check_indices(_: &Cx<'_, '_>, indices: &Tensor, limit: usize) -> Result<()> {
        match indices.to_i64s()?.iter().find(|&&i| i < 0 || i as usize >= limit) {
            Some(index) => Err(Error::invalid(format!("indices = {index} is not in [0, {limit})"))),
            None => Ok(()),
        }
    }
}

//! Sums of products over labelled axes, computed with matrix products.

use super::equation::Label;
use super::matrix::offset;
use crate::prelude::*;
use bytemuck::{Pod, cast_slice, cast_slice_mut};
use levada_gemm::{self as gemm, Gemm, Mat, Size};
use levada_kernel::Pool;
use levada_ops_core::moves::{Axis, Cell, Layout};
use levada_reduction::{Axes, SumOf};
use std::borrow::Cow;

/// Sizes of labels.
type Sizes = [(Label, usize)];

fn size_of(sizes: &Sizes, label: Label) -> usize {
    sizes.iter().find(|(l, _)| *l == label).map_or(1, |(_, n)| *n)
}

fn product(sizes: &Sizes, labels: &[Label]) -> usize {
    labels.iter().map(|&l| size_of(sizes, l)).product()
}

/// An element type of sums of products.
pub(super) trait Summed: Gemm + Pod {}

impl<T: Gemm + Pod> Summed for T {}

/// A tensor with labelled axes, each label occurring once.
#[derive(Clone)]
pub(super) struct Labelled<'a, T: Clone> {
    data: Cow<'a, [T]>,
    /// Labels with the strides of their axes; 0 for a broadcast axis.
    axes: Vec<(Label, usize)>,
}

impl<'a, T: Summed> Labelled<'a, T> {
    /// Labels the axes of a tensor. Axes that share a label become their diagonal.
    pub(super) fn new(data: &'a [T], shape: &Shape, labels: &[Label], sizes: &Sizes) -> Result<Labelled<'a, T>> {
        let mut axes: Vec<(Label, usize)> = Vec::new();
        for ((&label, &size), stride) in labels.iter().zip(shape.iter()).zip(shape.strides()) {
            let stride = if size == 1 && size_of(sizes, label) != 1 { 0 } else { stride };
            match axes.iter_mut().find(|(l, _)| *l == label) {
                Some((_, s)) => *s += stride,
                None => axes.push((label, stride)),
            }
        }
        Ok(Labelled { data: Cow::Borrowed(data), axes })
    }

    fn has(&self, label: Label) -> bool {
        self.axes.iter().any(|(l, _)| *l == label)
    }

    fn stride(&self, label: Label) -> usize {
        self.axes.iter().find(|(l, _)| *l == label).map_or(0, |(_, s)| *s)
    }

    /// The elements in the order of these labels, which must be all of the tensor's labels.
    fn gather(&self, pool: &Pool, order: &[Label], sizes: &Sizes) -> Result<Cow<'_, [T]>> {
        let dims: Vec<usize> = order.iter().map(|&l| size_of(sizes, l)).collect();
        let strides: Vec<usize> = order.iter().map(|&l| self.stride(l)).collect();
        if order.len() == self.axes.len() && *Shape::new(dims.iter().copied())?.strides() == strides[..] {
            return Ok(Cow::Borrowed(&self.data[..dims.iter().product()]));
        }
        let mut out = vec![T::zero(); Shape::new(dims.iter().copied())?.num_elements()];
        copy(pool, &self.data, &dims, &strides, &mut out);
        Ok(Cow::Owned(out))
    }

    /// Sums over all labels not in `keep`.
    fn sum_others(self, pool: &Pool, keep: &[Label], sizes: &Sizes) -> Result<Labelled<'a, T>> {
        if self.axes.iter().all(|(l, _)| keep.contains(l)) {
            return Ok(self);
        }
        let (kept, gone): (Vec<Label>, Vec<Label>) = self.axes.iter().map(|(l, _)| *l).partition(|l| keep.contains(l));
        let order: Vec<Label> = kept.iter().chain(&gone).copied().collect();
        let packed = self.gather(pool, &order, sizes)?;
        let (rows, count) = (product(sizes, &kept), product(sizes, &gone));
        let mut out = vec![T::zero(); rows];
        let axes = Axes::new(&Shape::new([rows, count])?, &[1], false)?;
        axes.reduce::<T, SumOf<T>>(pool, &packed, &mut out);
        let shape = Shape::new(kept.iter().map(|&l| size_of(sizes, l)))?;
        let axes = kept.into_iter().zip(shape.strides()).collect();
        Ok(Labelled { data: Cow::Owned(out), axes })
    }

    /// The stride of these labels treated as one axis with the last label running fastest, if they form one.
    fn merged(&self, labels: &[Label], sizes: &Sizes) -> Option<usize> {
        let mut labels = labels.iter().rev().filter(|&&l| size_of(sizes, l) != 1);
        let Some(&last) = labels.next() else { return Some(0) };
        let first = self.stride(last);
        let mut next = first * size_of(sizes, last);
        for &label in labels {
            if self.stride(label) != next {
                return None;
            }
            next *= size_of(sizes, label);
        }
        Some(first)
    }
}

/// Writes the sum of products of one or two operands, with axes in the order of `output`, which may repeat labels.
pub(super) fn contract<T: Summed>(
    pool: &Pool,
    operands: Vec<Labelled<'_, T>>,
    output: &[Label],
    sizes: &Sizes,
    out: &mut [T],
) -> Result<()> {
    let mut unique: Vec<Label> = Vec::new();
    output.iter().for_each(|l| {
        if !unique.contains(l) {
            unique.push(*l);
        }
    });
    if unique.len() < output.len() {
        // Elements off the diagonal are zero.
        let mut packed = vec![T::zero(); product(sizes, &unique)];
        contract(pool, operands, &unique, sizes, &mut packed)?;
        let strides = Shape::new(output.iter().map(|&l| size_of(sizes, l)))?.strides();
        let stride = |l: &Label| output.iter().zip(&strides).filter(|(o, _)| *o == l).map(|(_, s)| s).sum::<usize>();
        let dims: Vec<usize> = unique.iter().map(|&l| size_of(sizes, l)).collect();
        let steps: Vec<usize> = unique.iter().map(stride).collect();
        out.fill(T::zero());
        for (i, &value) in packed.iter().enumerate() {
            out[offset(i, &dims, &steps)] = value;
        }
        return Ok(());
    }
    let mut operands = operands.into_iter();
    match (operands.next(), operands.next()) {
        (Some(only), None) => {
            let only = only.sum_others(pool, output, sizes)?;
            let dims: Vec<usize> = output.iter().map(|&l| size_of(sizes, l)).collect();
            let strides: Vec<usize> = output.iter().map(|&l| only.stride(l)).collect();
            copy(pool, &only.data, &dims, &strides, out);
            Ok(())
        }
        (Some(left), Some(right)) => multiply(pool, left, right, output, sizes, out),
        _ => Err(Error::internal("an einsum has one or two operands")),
    }
}

fn multiply<T: Summed>(
    pool: &Pool,
    left: Labelled<'_, T>,
    right: Labelled<'_, T>,
    output: &[Label],
    sizes: &Sizes,
    out: &mut [T],
) -> Result<()> {
    // First sums over labels that only one operand has and the result lacks.
    let keep = |other: &Labelled<'_, T>| {
        let of_other = other.axes.iter().map(|(l, _)| *l);
        output.iter().copied().chain(of_other).collect::<Vec<Label>>()
    };
    let (keep_left, keep_right) = (keep(&right), keep(&left));
    let left = left.sum_others(pool, &keep_left, sizes)?;
    let right = right.sum_others(pool, &keep_right, sizes)?;

    let in_output = |f: &dyn Fn(Label) -> bool| output.iter().copied().filter(|&l| f(l)).collect::<Vec<Label>>();
    let batch = in_output(&|l| left.has(l) && right.has(l));
    let free_left = in_output(&|l| left.has(l) && !right.has(l));
    let free_right = in_output(&|l| right.has(l) && !left.has(l));
    let contracted: Vec<Label> = left.axes.iter().map(|(l, _)| *l).filter(|l| !output.contains(l)).collect();

    let natural: Vec<Label> = [&batch[..], &free_left, &free_right].concat();
    let swapped: Vec<Label> = [&batch[..], &free_right, &free_left].concat();
    if swapped == output && natural != output {
        return multiply(pool, right, left, output, sizes, out);
    }
    let size = Size { m: product(sizes, &free_left), n: product(sizes, &free_right), k: product(sizes, &contracted) };
    let left = Factor::new(pool, &left, &batch, &free_left, &contracted, sizes)?;
    let right = Factor::new(pool, &right, &batch, &contracted, &free_right, sizes)?;
    let dims: Vec<usize> = batch.iter().map(|&l| size_of(sizes, l)).collect();
    let pairs = |i: usize| (left.matrix(i, &dims), right.matrix(i, &dims));
    if natural == output {
        return products(pool, size, &dims, out, pairs);
    }
    let mut packed = vec![T::zero(); out.len()];
    products(pool, size, &dims, &mut packed, pairs)?;
    let strides = Shape::new(natural.iter().map(|&l| size_of(sizes, l)))?.strides();
    let stride = |l: &Label| natural.iter().zip(&strides).find(|(n, _)| *n == l).map_or(0, |(_, s)| *s);
    let dims: Vec<usize> = output.iter().map(|&l| size_of(sizes, l)).collect();
    copy(pool, &packed, &dims, &output.iter().map(stride).collect::<Vec<_>>(), out);
    Ok(())
}

fn products<'a, T: Summed>(
    pool: &Pool,
    size: Size,
    batch: &[usize],
    out: &mut [T],
    pairs: impl Fn(usize) -> (Mat<'a, T>, Mat<'a, T>) + Sync + Send,
) -> Result<()> {
    if batch.is_empty() && !out.is_empty() {
        let (a, b) = pairs(0);
        return gemm::multiply(pool, size, a, b, out);
    }
    gemm::multiply_batch(pool, size, out, pairs)
}

/// A factor as a batch of matrices.
struct Factor<'a, T: Clone> {
    data: Cow<'a, [T]>,
    batch: Vec<usize>,
    row: usize,
    col: usize,
}

impl<'a, T: Summed> Factor<'a, T> {
    fn new(
        pool: &Pool,
        from: &'a Labelled<'_, T>,
        batch: &[Label],
        rows: &[Label],
        cols: &[Label],
        sizes: &Sizes,
    ) -> Result<Factor<'a, T>> {
        // Matrices whose elements all lie apart, with those of other matrices between them, are gathered first.
        let [height, width, count] = [rows, cols, batch].map(|labels| product(sizes, labels));
        let merged = (from.merged(rows, sizes), from.merged(cols, sizes));
        let is_mixed = |(row, col): (usize, usize)| count > 1 && height * width > 1 && row != 1 && col != 1;
        let strides = merged.0.zip(merged.1);
        if let Some((row, col)) = strides.filter(|&strides| !is_mixed(strides)) {
            let batch = batch.iter().map(|&l| from.stride(l)).collect();
            return Ok(Factor { data: Cow::Borrowed(&from.data), batch, row, col });
        }
        // Broadcast batch axes stay broadcast.
        let own: Vec<Label> = batch.iter().copied().filter(|&l| from.stride(l) != 0).collect();
        // In the order that they lie in, if they have one.
        let (order, row, col) = match strides {
            Some((row, col)) if row < col => ([&own[..], cols, rows], 1, height),
            _ => ([&own[..], rows, cols], width, 1),
        };
        let data = from.gather(pool, &order.concat(), sizes)?;
        let mut stride = height * width;
        let mut strides = vec![0; batch.len()];
        for (s, &label) in strides.iter_mut().zip(batch).rev() {
            if own.contains(&label) {
                *s = stride;
                stride *= size_of(sizes, label);
            }
        }
        Ok(Factor { data, batch: strides, row, col })
    }

    fn matrix(&self, i: usize, dims: &[usize]) -> Mat<'_, T> {
        let data = self.data.get(offset(i, dims, &self.batch)..).unwrap_or_default();
        Mat { data, row: self.row, col: self.col, conj: false }
    }
}

/// Copies elements with the given `strides` to `out` in row-major order.
fn copy<T: Summed>(pool: &Pool, x: &[T], dims: &[usize], strides: &[usize], out: &mut [T]) {
    // The parts of complex numbers are moved one by one.
    let parts = std::mem::size_of::<T>() / align_of::<T>();
    let axes = dims.iter().zip(strides).map(|(&n, &stride)| Axis::strided(n, 0, (stride * parts) as isize));
    let layout = Layout::new(axes.chain((parts > 1).then(|| Axis::strided(parts, 0, 1))));
    match align_of::<T>() {
        1 => copy_as::<T, u8>(pool, &layout, x, out),
        2 => copy_as::<T, u16>(pool, &layout, x, out),
        4 => copy_as::<T, u32>(pool, &layout, x, out),
        _ => copy_as::<T, u64>(pool, &layout, x, out),
    }
}

fn copy_as<T: Summed, C: Cell + Pod>(pool: &Pool, layout: &Layout, x: &[T], out: &mut [T]) {
    layout.copy(pool, cast_slice::<T, C>(x), &C::default(), cast_slice_mut(out));
}

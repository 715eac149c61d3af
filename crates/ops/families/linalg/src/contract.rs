//! Sums of products over labelled axes, computed with matrix products.

use super::equation::Label;
use super::matrix::offset;
use crate::prelude::*;
use levada_gemm::{self as gemm, Gemm, Mat, Size};
use levada_kernel::Pool;
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

/// A tensor with labelled axes, each label occurring once.
#[derive(Clone)]
pub(super) struct Labelled<'a, T: Clone> {
    data: Cow<'a, [T]>,
    /// Labels with the strides of their axes; 0 for a broadcast axis.
    axes: Vec<(Label, usize)>,
}

impl<'a, T: Gemm> Labelled<'a, T> {
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
pub(super) fn contract<T: Gemm>(
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

fn multiply<T: Gemm>(
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

fn products<'a, T: Gemm>(
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

impl<'a, T: Gemm> Factor<'a, T> {
    fn new(
        pool: &Pool,
        from: &'a Labelled<'_, T>,
        batch: &[Label],
        rows: &[Label],
        cols: &[Label],
        sizes: &Sizes,
    ) -> Result<Factor<'a, T>> {
        if let (Some(row), Some(col)) = (from.merged(rows, sizes), from.merged(cols, sizes)) {
            let batch = batch.iter().map(|&l| from.stride(l)).collect();
            return Ok(Factor { data: Cow::Borrowed(&from.data), batch, row, col });
        }
        // Broadcast batch axes stay broadcast.
        let own: Vec<Label> = batch.iter().copied().filter(|&l| from.stride(l) != 0).collect();
        let order: Vec<Label> = [&own[..], rows, cols].concat();
        let data = from.gather(pool, &order, sizes)?;
        let col = 1;
        let row = product(sizes, cols);
        let mut stride = row * product(sizes, rows);
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
fn copy<T: Number>(pool: &Pool, x: &[T], dims: &[usize], strides: &[usize], out: &mut [T]) {
    // Merges adjacent axes that are contiguous.
    let (mut merged_dims, mut merged_strides): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
    for (&n, &s) in dims.iter().zip(strides).filter(|(n, _)| **n != 1) {
        match (merged_dims.last_mut(), merged_strides.last_mut()) {
            (Some(last), Some(stride)) if *stride == n * s => (*last, *stride) = (*last * n, s),
            _ => {
                merged_dims.push(n);
                merged_strides.push(s);
            }
        }
    }
    let (width, step) = (merged_dims.pop().unwrap_or(1), merged_strides.pop().unwrap_or(1));
    pool.for_chunks(out, width, 10.0 + width as f64, |first, out| {
        for (i, out) in out.chunks_exact_mut(width).enumerate() {
            let x = &x[offset(first + i, &merged_dims, &merged_strides)..];
            if step == 1 {
                out.copy_from_slice(&x[..width]);
            } else {
                out.iter_mut().enumerate().for_each(|(j, o)| *o = x[j * step]);
            }
        }
    });
}

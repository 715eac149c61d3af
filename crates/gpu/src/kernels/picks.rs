//! `TopK`, `MatrixBandPart`, `DynamicStitch`.

use super::entry::{self, ALL, Cx, count, fits, made};
use super::moves::{cell, number};
use super::scatter;
use super::shapes;
use crate::device::{Gpu, GpuCx};
use crate::ir::{Access, Builder, E, Ty};
use levada_graph::{AnyOp, DType, Error, Result, Tensor};
use levada_kernel::def::CellOfDef;
use levada_kernel::{AnyKernel, Cost, Io, KernelEntry};
use levada_ops::shared::{band_limits, stitched_shape};
use levada_ops::types::*;
use std::sync::Arc;

/// The kernel entries of this module.
pub(super) fn entries() -> impl Iterator<Item = KernelEntry<Gpu>> {
    entry::entries(CELLS)
}

static CELLS: &[&dyn CellOfDef<Gpu>] = &[
    &made(&DYNAMIC_STITCH, stitch),
    &entry::cell(&MATRIX_BAND_PART, band),
    // The order of unsorted results is that of the CPU's heap.
    &entry::cell(&TOP_K, top_k).supports(|op| op.sorted && Ty::of(op.dtype).is_some_and(|ty| ty != Ty::Bool)),
];

/// The largest elements of each row and their positions: a group finds one after the other.
fn top_k(op: &TopK, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (shape, index) = (&shapes::output_of(&TOP_K, op, cx)?, op.index);
    let x = cx.input(0)?.clone();
    let (columns, k) = (count(x.shape().last().copied().unwrap_or(0))?, count(shape.last().copied().unwrap_or(0))?);
    if index == DType::I16 && columns > i16::MAX as u32 {
        return Err(Error::invalid(format!("Not all indices of {columns} columns fit into {index}")));
    }
    let dtype = x.dtype();
    let (values, indices) = (cx.alloc(dtype, shape)?, cx.alloc(index, shape)?);
    let rows = count(shape.num_elements())?.checked_div(k).unwrap_or(0);
    count(x.num_elements())?;
    const NONE: u32 = u32::MAX;
    let program = cx.device.program("top_k", &[number(dtype), number(index)], || {
        let mut b = Builder::new("top_k");
        let x = b.buffer(dtype, Access::Read);
        let (values, indices) = (b.buffer(dtype, Access::Write), b.buffer(index, Access::Write));
        let (rows, columns, k) = (b.param_u32(), b.param_u32(), b.param_u32());
        let ty = Ty::of(dtype).unwrap_or(Ty::F32);
        let places = b.shared(Ty::U32, 256);
        let best = b.shared(ty, 256);
        let none = |e: &E| e.eq(NONE);
        // True if the second is greater, or equal and further to the left.
        let better = |(v, at): (&E, &E), (w, to): (&E, &E)| {
            let wins = none(at) | w.gt(v) | (w.eq(v) & to.lt(at));
            wins & to.ne(NONE)
        };
        b.for_(E::group(), rows, E::groups(), |b, row| {
            let base = b.let_(&row * &columns);
            let (last, last_at) = (b.let_(E::num(ty, 0.0)), b.let_(E::u32(NONE)));
            b.for_(0u32, &k, 1u32, |b, round| {
                let (mine, mine_at) = (b.let_(E::num(ty, 0.0)), b.let_(E::u32(NONE)));
                b.for_(E::local(), &columns, 256u32, |b, j| {
                    let v = b.let_(b.load(x, &base + &j));
                    let after = none(&last_at) | v.lt(&last) | (v.eq(&last) & j.gt(&last_at));
                    let number = v.is_nan().eq(E::bool(false));
                    b.if_(after & number & better((&mine, &mine_at), (&v, &j)), |b| {
                        b.set(&mine, &v);
                        b.set(&mine_at, &j);
                    });
                });
                b.store_shared(best, E::local(), &mine);
                b.store_shared(places, E::local(), &mine_at);
                b.barrier();
                let mut half = 128;
                while half > 0 {
                    b.if_(E::local().lt(half), |b| {
                        let (v, at) =
                            (b.let_(b.load_shared(best, E::local())), b.let_(b.load_shared(places, E::local())));
                        let w = b.let_(b.load_shared(best, E::local() + half));
                        let to = b.let_(b.load_shared(places, E::local() + half));
                        b.if_(better((&v, &at), (&w, &to)), |b| {
                            b.store_shared(best, E::local(), &w);
                            b.store_shared(places, E::local(), &to);
                        });
                    });
                    b.barrier();
                    half /= 2;
                }
                let found = b.let_(b.load_shared(places, 0u32));
                b.set(&last, b.load_shared(best, 0u32));
                b.set(&last_at, &found);
                // If all are NaN it is the first.
                let column = b.let_(none(&found).select(E::u32(0), &found));
                b.if_(E::local().eq(0u32), |b| {
                    let to = b.let_(&row * &k + &round);
                    b.store(values, &to, b.load(x, &base + &column));
                    b.store(indices, &to, column.to(Ty::of(index).unwrap_or(Ty::I32)));
                });
                b.barrier();
            });
        });
        b.finish()
    });
    cx.launch_groups(&program, rows as usize, &[&x, &values, &indices], &[rows, columns, k])?;
    cx.set(0, values);
    cx.set(1, indices);
    Ok(())
}

fn band(_: &MatrixBandPart, cx: &mut Cx<'_, '_>) -> Result<()> {
    let limits = band_limits(cx)?;
    let x = cx.input(0)?;
    let [.., rows, columns] = x.shape()[..] else { return Err(Error::internal("a matrix is needed")) };
    let out = cx.alloc(x.dtype(), x.shape())?;
    let size = count(x.num_elements())?;
    let cell = cell(cx.device, x.dtype());
    let program = cx.device.program("band_part", &[number(cell)], || {
        let mut b = Builder::new("band_part");
        let (x, out) = (b.buffer(cell, Access::Read), b.buffer(cell, Access::Write));
        let (size, rows, columns) = (b.param_u32(), b.param_u32(), b.param_u32());
        let (lower, upper) = (b.param_u32(), b.param_u32());
        b.for_each(&size, |b, i| {
            let (row, column) = (b.let_(&i / &columns % &rows), b.let_(&i % &columns));
            // Both are below 2^31, so that the sums fit.
            let inside = row.le(&column + &lower) & column.le(&row + &upper);
            let v = b.load(x, &i);
            let zero = v.like(0.0);
            b.store(out, &i, inside.select(v, zero));
        });
        b.finish()
    });
    let [lower, upper] = limits.map(|l| l.min(i32::MAX as usize) as u32);
    cx.launch(&program, size as usize, &[x, &out], &[size, rows as u32, columns as u32, lower, upper])?;
    cx.set(0, out);
    Ok(())
}

fn stitch(op: &Arc<dyn AnyOp>, gpu: &Arc<Gpu>) -> Option<Arc<dyn AnyKernel>> {
    let count = super::entry::dtypes(op, op.spec().inputs)?.len() / 2;
    let indices = ALL.get(..count)?;
    fits(op, gpu, indices, &[]).then(|| Arc::new(Stitch { indices, gpu: gpu.clone() }) as Arc<dyn AnyKernel>)
}

/// Slices of several tensors put together by their indices, which the host reads.
struct Stitch {
    indices: &'static [isize],
    gpu: Arc<Gpu>,
}

impl AnyKernel for Stitch {
    fn compute(&self, io: &mut Io<'_>) -> Result<()> {
        let node = io.node().name.clone();
        let (shape, width) = stitched_shape(io)?;
        let parts = self.indices.len();
        let numbers: Vec<Vec<i32>> =
            (0..parts).map(|i| io.input(i).and_then(|t| Ok(t.slice::<i32>()?.to_vec()))).collect::<Result<_>>()?;
        // Of several slices with the same index the last one counts.
        let mut owner = vec![None; shape.first().copied().unwrap_or(0)];
        for (part, numbers) in numbers.iter().enumerate() {
            for (row, &number) in numbers.iter().enumerate() {
                owner[number as usize] = Some((part, row));
            }
        }
        let dtype = io.input(parts)?.dtype();
        let out = self.gpu.alloc(&node, dtype, &shape)?;
        let some_unset = owner.iter().any(Option::is_none);
        if some_unset {
            let zero = levada_graph::Tensor::try_zeros(dtype, shape.clone())?;
            let zero = self.gpu.upload(&node, &zero)?;
            io.set(0, zero);
        } else {
            io.set(0, out);
        }
        let Some(out) = io.output_entry(0).and_then(|entry| entry.tensor().cloned()) else {
            return Err(Error::internal("an output was not set"));
        };
        for (part, numbers) in numbers.iter().enumerate() {
            let kept = |(row, &number): (usize, &i32)| {
                if owner[number as usize] == Some((part, row)) { number } else { -1 }
            };
            let places: Vec<i32> = numbers.iter().enumerate().map(kept).collect();
            if places.is_empty() || width == 0 {
                continue;
            }
            let places = self.gpu.upload(&node, &Tensor::vector(places))?;
            scatter::replace_rows(&self.gpu, &node, &out, &places, io.input(parts + part)?)?;
        }
        Ok(())
    }
    fn cost(&self) -> Cost {
        Cost::Heavy
    }
    fn host_inputs(&self) -> &'static [isize] {
        self.indices
    }
}

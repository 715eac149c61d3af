//! Reductions along axes: short rows by one invocation for each result, long ones by a group, and if there are few
//! results, in pieces that are reduced again.

use super::entry::{self, Cx, cell, count};
use super::moves::number;
use crate::device::{Gpu, GpuCx};
use crate::expressions::{maximum, minimum};
use crate::ir::{Access, Builder, E, Program, Ty};
use levada_graph::{DType, Result, Shape, Tensor};
use levada_kernel::KernelEntry;
use levada_kernel::def::CellOfDef;
use levada_ops::types::{ALL, ANY, CUMPROD, CUMSUM, EUCLIDEAN_NORM, MAX, MEAN, MIN, PROD, Running, SUM};
use levada_reduction::Axes;

/// The kernel entries of this module.
pub(super) fn entries() -> impl Iterator<Item = KernelEntry<Gpu>> {
    entry::entries(CELLS)
}

static CELLS: &[&dyn CellOfDef<Gpu>] = &[
    &cell(&ALL, |op, cx| folded(cx, Fold::All, op.keep_dims)),
    &cell(&ANY, |op, cx| folded(cx, Fold::Any, op.keep_dims)),
    &cell(&CUMPROD, |op, cx| scan(op, cx, Fold::Prod)).supports(|op| is_number(op.dtype)),
    &cell(&CUMSUM, |op, cx| scan(op, cx, Fold::Sum)).supports(|op| is_number(op.dtype)),
    &cell(&EUCLIDEAN_NORM, |op, cx| folded(cx, Fold::Norm, op.keep_dims)).supports(|op| is_float(op.dtype)),
    &cell(&MAX, |op, cx| folded(cx, Fold::Max, op.keep_dims)).supports(|op| is_number(op.dtype)),
    // Sums of integers are divided in 64 bits.
    &cell(&MEAN, |op, cx| folded(cx, Fold::Mean, op.keep_dims)).supports(|op| is_float(op.dtype)),
    &cell(&MIN, |op, cx| folded(cx, Fold::Min, op.keep_dims)).supports(|op| is_number(op.dtype)),
    &cell(&PROD, |op, cx| folded(cx, Fold::Prod, op.keep_dims)).supports(|op| is_number(op.dtype)),
    &cell(&SUM, |op, cx| folded(cx, Fold::Sum, op.keep_dims)).supports(|op| is_number(op.dtype)),
];

/// How elements are combined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fold {
    Sum,
    Prod,
    Mean,
    Min,
    Max,
    Norm,
    Any,
    All,
}

/// The dtype that values of `dtype` are accumulated in, if a program can.
fn wide(dtype: DType) -> DType {
    match Ty::of(dtype) {
        Some(Ty::F32) => DType::F32,
        Some(Ty::I32) => DType::I32,
        Some(Ty::U32) => DType::U32,
        _ => dtype,
    }
}

impl Fold {
    fn start(self, dtype: DType) -> E {
        let ty = Ty::of(dtype).unwrap_or(Ty::F32);
        let bits = dtype.size() as i32 * 8;
        let (lowest, highest) = match ty {
            Ty::F32 | Ty::F64 => (f64::NEG_INFINITY, f64::INFINITY),
            Ty::I32 | Ty::I64 => (-(2f64.powi(bits - 1)), 2f64.powi(bits - 1) - 1.0),
            _ => (0.0, 2f64.powi(bits) - 1.0),
        };
        E::num(
            ty,
            match self {
                Fold::Sum | Fold::Mean | Fold::Norm | Fold::Any => 0.0,
                Fold::Prod | Fold::All => 1.0,
                Fold::Min => highest,
                Fold::Max => lowest,
            },
        )
    }

    fn lift(self, x: E) -> E {
        if self == Fold::Norm { &x * &x } else { x }
    }

    fn merge(self, a: &E, b: &E) -> E {
        match self {
            Fold::Sum | Fold::Mean | Fold::Norm => a + b,
            Fold::Prod => a * b,
            Fold::Min => minimum(a, b),
            Fold::Max => maximum(a, b),
            Fold::Any => a | b,
            Fold::All => a & b,
        }
    }

    fn finish(self, acc: E, count: &E) -> E {
        match self {
            Fold::Mean => {
                let ty = acc.ty;
                acc / count.to(ty)
            }
            Fold::Norm => acc.sqrt(),
            _ => acc,
        }
    }
}

/// A launch: what a program of a reduction depends on.
#[derive(Clone)]
struct Stage {
    fold: Fold,
    /// The dtype that is reduced, before all stages.
    dtype: DType,
    from: DType,
    to: DType,
    first: bool,
    last: bool,
    /// A group of invocations for each result, else a single one.
    grouped: bool,
    kept: usize,
    reduced: usize,
}

/// Invocations of a group.
const GROUP: u32 = 256;

impl Stage {
    fn key(&self) -> [u64; 5] {
        let flags = [self.first, self.last, self.grouped].iter().fold(0, |key, &f| key << 1 | u64::from(f));
        let types = [self.dtype, self.from, self.to].iter().fold(0, |key, &d| key << 16 | number(d));
        [self.fold as u64, types, flags, self.kept as u64, self.reduced as u64]
    }

    fn program(&self) -> Program {
        let mut b = Builder::new(format!("reduce_{:?}", self.fold).to_lowercase());
        let x = b.buffer(self.from, Access::Read);
        let out = b.buffer(self.to, Access::Write);
        let (results, splits) = (b.param_u32(), b.param_u32());
        // Elements of a result, of a piece of them, and of all stages together.
        let (length, piece, whole) = (b.param_u32(), b.param_u32(), b.param_u32());
        let mut axes = |n: usize| -> Vec<(E, E)> { (0..n).map(|_| (b.param_u32(), b.param_u32())).collect() };
        let (kept, reduced) = (axes(self.kept), axes(self.reduced));
        let fold = self.fold;
        let start = fold.start(self.dtype);
        let all = b.let_(&results * &splits);
        // The offset for the index of a result or of one of its elements.
        let offset = |b: &mut Builder, number: &E, axes: &[(E, E)]| {
            let (mut rest, mut at) = (number.clone(), E::u32(0));
            for (axis, (size, stride)) in axes.iter().enumerate().rev() {
                if axis == 0 {
                    at = at + &rest * stride;
                } else {
                    at = at + &rest % size * stride;
                    rest = b.let_(&rest / size);
                }
            }
            b.let_(at)
        };
        let element = |b: &mut Builder, base: &E, i: &E| {
            let at = base + offset(b, i, &reduced);
            let x = b.load(x, at);
            b.let_(if self.first { fold.lift(x) } else { x })
        };
        let finish = |acc: E| if self.last { fold.finish(acc, &whole) } else { acc };
        if !self.grouped {
            b.for_each(&all, |b, i| {
                let base = offset(b, &(&i % &results), &kept);
                let begin = b.let_(&i / &results * &piece);
                let end = b.let_((&begin + &piece).min(&length));
                let acc = b.let_(start);
                b.for_(begin, end, 1u32, |b, j| {
                    let x = element(b, &base, &j);
                    b.set(&acc, fold.merge(&acc, &x));
                });
                b.store(out, &i, finish(acc));
            });
            return b.finish();
        }
        let shared = b.shared(start.ty, GROUP);
        b.for_(E::group(), all, E::groups(), |b, i| {
            let base = offset(b, &(&i % &results), &kept);
            let begin = b.let_(&i / &results * &piece);
            let end = b.let_((&begin + &piece).min(&length));
            let acc = b.let_(start);
            b.for_(begin + E::local(), end, GROUP, |b, j| {
                let x = element(b, &base, &j);
                b.set(&acc, fold.merge(&acc, &x));
            });
            b.store_shared(shared, E::local(), &acc);
            b.barrier();
            let mut half = GROUP / 2;
            while half > 0 {
                b.if_(E::local().lt(half), |b| {
                    let (mine, other) = (b.load_shared(shared, E::local()), b.load_shared(shared, E::local() + half));
                    let (mine, other) = (b.let_(mine), b.let_(other));
                    b.store_shared(shared, E::local(), fold.merge(&mine, &other));
                });
                b.barrier();
                half /= 2;
            }
            b.if_(E::local().eq(0u32), |b| {
                let acc = b.let_(b.load_shared(shared, 0u32));
                b.store(out, &i, finish(acc));
            });
            b.barrier();
        });
        b.finish()
    }
}

/// Reduces a tensor made of these groups of axes, which are alternately kept and reduced, to one of `shape`.
pub(super) fn reduce(
    cx: &Cx<'_, '_>,
    fold: Fold,
    x: &Tensor,
    groups: &[(usize, bool)],
    shape: &Shape,
) -> Result<Tensor> {
    let dtype = x.dtype();
    let size = |reduced: bool| groups.iter().filter(|g| g.1 == reduced).map(|g| g.0).product::<usize>();
    let (whole, results) = (count(size(true))?, size(false));
    count(results)?;
    let mut x = x.clone();
    let mut groups = groups.to_vec();
    let mut first = true;
    loop {
        let length: usize = groups.iter().filter(|g| g.1).map(|g| g.0).product();
        count(x.num_elements())?;
        let inner = groups.last().is_some_and(|g| g.1);
        let grouped = inner && length > 64;
        let splits = match grouped {
            true if results < 256 && length > 1 << 13 => length.div_ceil(1 << 12).min(512),
            false if results < 1 << 14 && length > 512 => length.div_ceil(256).min(1 << 12),
            _ => 1,
        };
        let piece = length.div_ceil(splits).max(1);
        let splits = length.div_ceil(piece).max(1);
        let last = splits == 1;
        let out = match last {
            true => cx.alloc(dtype, shape)?,
            false => cx.alloc(wide(dtype), &Shape::new([splits, results])?)?,
        };
        let mut strides = vec![1; groups.len()];
        for i in (1..groups.len()).rev() {
            strides[i - 1] = strides[i] * groups[i].0;
        }
        let axes = |reduced: bool| groups.iter().zip(&strides).filter(move |(g, _)| g.1 == reduced);
        let stage = Stage {
            fold,
            dtype,
            from: x.dtype(),
            to: out.dtype(),
            first,
            last,
            grouped,
            kept: axes(false).count(),
            reduced: axes(true).count(),
        };
        let program = cx.device.program("reduce", &stage.key(), || stage.program());
        let mut params = vec![results as u32, splits as u32, length as u32, piece as u32, whole];
        for (group, stride) in axes(false).chain(axes(true)) {
            params.extend([group.0 as u32, *stride as u32]);
        }
        match grouped {
            true => cx.launch_groups(&program, results * splits, &[&x, &out], &params)?,
            false => cx.launch(&program, results * splits, &[&x, &out], &params)?,
        }
        if last {
            return Ok(out);
        }
        groups = if results == 1 { vec![(splits, true)] } else { vec![(splits, true), (results, false)] };
        (x, first) = (out, false);
    }
}

fn folded(cx: &mut Cx<'_, '_>, fold: Fold, keep_dims: bool) -> Result<()> {
    let axes = Axes::new(cx.input(0)?.shape(), &cx.i64s(1)?, keep_dims)?;
    let out = if axes.is_trivial() && fold != Fold::Norm {
        cx.take(0)?.reshaped(axes.shape)?
    } else {
        reduce(cx, fold, cx.input(0)?, &axes.groups, &axes.shape)?
    };
    cx.set(0, out);
    Ok(())
}

fn is_number(dtype: DType) -> bool {
    Ty::of(dtype).is_some_and(|ty| ty != Ty::Bool)
}

fn is_float(dtype: DType) -> bool {
    Ty::of(dtype).is_some_and(Ty::is_float)
}

/// Cumulative results, with an invocation for each line.
fn scan(op: &Running, cx: &mut Cx<'_, '_>, fold: Fold) -> Result<()> {
    let (exclusive, reverse) = (op.exclusive, op.reverse);
    let input = cx.input(0)?;
    let (dtype, shape) = (input.dtype(), input.shape().clone());
    let axis = levada_ops::shared::scan_axis(cx, &shape)?;
    let out = cx.alloc(dtype, &shape)?;
    let size = count(shape.num_elements())?;
    let (length, inner): (usize, usize) = (shape[axis], shape[axis + 1..].iter().product());
    let lines = if size == 0 { 0 } else { size as usize / length };
    let key = [fold as u64, number(dtype), u64::from(exclusive), u64::from(reverse)];
    let program = cx.device.program("scan", &key, || {
        let mut b = Builder::new(format!("scan_{fold:?}").to_lowercase());
        let x = b.buffer(dtype, Access::Read);
        let out = b.buffer(dtype, Access::Write);
        let (lines, length, inner) = (b.param_u32(), b.param_u32(), b.param_u32());
        b.for_each(&lines, |b, line| {
            let base = b.let_(&line / &inner * &length * &inner + &line % &inner);
            let total = b.let_(fold.start(dtype));
            b.for_(0u32, &length, 1u32, |b, i| {
                let i = if reverse { &length - 1u32 - i } else { i };
                let at = b.let_(&base + i * &inner);
                let with = b.let_(fold.merge(&total, &b.load(x, &at)));
                b.store(out, &at, if exclusive { total.clone() } else { with.clone() });
                b.set(&total, with);
            });
        });
        b.finish()
    });
    cx.launch(&program, lines, &[cx.input(0)?, &out], &[lines as u32, length as u32, inner as u32])?;
    cx.set(0, out);
    Ok(())
}

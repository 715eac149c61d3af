//! Functions of rows of logits: softmaxes and cross entropies. A few invocations share a row, more for longer rows.

use super::entry::{self, Cx, cell};
use super::shapes;
use super::tiles::small;
use crate::device::{Gpu, GpuCx};
use crate::ir::{Access, Buf, Builder, E, Shared, Ty};
use levada_graph::{DType, Error, Result, Shape, Tensor};
use levada_kernel::def::CellOfDef;
use levada_kernel::{Def, KernelEntry};
use levada_ops::types::{
    LOG_SOFTMAX, SOFTMAX, SOFTMAX_CROSS_ENTROPY_WITH_LOGITS, SPARSE_SOFTMAX_CROSS_ENTROPY_WITH_LOGITS, Softmax,
    SoftmaxCrossEntropyWithLogits, SparseSoftmaxCrossEntropyWithLogits,
};

/// The kernel entries of this module.
pub(super) fn entries() -> impl Iterator<Item = KernelEntry<Gpu>> {
    entry::entries(CELLS)
}

static CELLS: &[&dyn CellOfDef<Gpu>] = &[
    &cell(&LOG_SOFTMAX, |op, cx| softmax(&LOG_SOFTMAX, op, cx, "log_softmax", true)).heavy(),
    &cell(&SOFTMAX, |op, cx| softmax(&SOFTMAX, op, cx, "softmax", false)).heavy(),
    &cell(&SOFTMAX_CROSS_ENTROPY_WITH_LOGITS, cross_entropy).heavy(),
    &cell(&SPARSE_SOFTMAX_CROSS_ENTROPY_WITH_LOGITS, sparse_cross_entropy).heavy(),
];

/// Invocations that share a row of this length.
pub(super) fn lanes(len: usize) -> u32 {
    match len {
        0..=16 => 1,
        17..=64 => 8,
        65..=1024 => 32,
        _ => 256,
    }
}

/// Number of groups for this many rows.
pub(super) fn groups(rows: usize, lanes: u32) -> usize {
    rows.div_ceil(256 / lanes as usize)
}

/// A row in a program, and this invocation's part in it.
pub(super) struct Row {
    lanes: u32,
    /// Index of the row.
    pub number: E,
    /// True if the row exists: to be checked before anything is read or written.
    pub there: E,
    /// Index of the invocation among those of the row.
    pub lane: E,
}

impl Row {
    /// Calls `f` for each row; all invocations of a group execute it together, each with its own row.
    pub(super) fn each(b: &mut Builder, rows: &E, lanes: u32, f: impl FnOnce(&mut Builder, &Row)) {
        let in_group = 256 / lanes;
        let (lane, own) = (b.let_(E::local() % lanes), b.let_(E::local() / lanes));
        b.for_(E::group() * in_group, rows, E::groups() * in_group, |b, first| {
            let number = b.let_(first + &own);
            let there = b.let_(number.lt(rows));
            f(b, &Row { lanes, number, there, lane: lane.clone() });
        });
    }

    /// Calls `f` with the indices of the columns that this invocation handles.
    pub(super) fn columns(&self, b: &mut Builder, columns: &E, f: impl FnOnce(&mut Builder, E)) {
        b.if_(&self.there, |b| b.for_(&self.lane, columns, self.lanes, f));
    }

    /// Combines the `values` of the row's invocations: `join` combines those of two, the first of which has the lower
    /// index. Afterwards all have the same.
    pub(super) fn join(
        &self,
        b: &mut Builder,
        arrays: &[Shared],
        values: &[&E],
        join: impl Fn(&mut Builder, &[E], &[E]) -> Vec<E>,
    ) {
        if self.lanes == 1 {
            return;
        }
        let at = |b: &mut Builder, place: &E| -> Vec<E> {
            let found: Vec<E> = arrays.iter().map(|&a| b.load_shared(a, place)).collect();
            found.into_iter().map(|v| b.let_(v)).collect()
        };
        for (&array, &value) in arrays.iter().zip(values) {
            b.store_shared(array, E::local(), value);
        }
        b.barrier();
        let mut half = self.lanes / 2;
        while half > 0 {
            b.if_(self.lane.lt(half), |b| {
                let (low, high) = (at(b, &E::local()), at(b, &(E::local() + half)));
                for (&array, joined) in arrays.iter().zip(join(b, &low, &high)) {
                    b.store_shared(array, E::local(), joined);
                }
            });
            b.barrier();
            half /= 2;
        }
        for (value, joined) in values.iter().zip(at(b, &(E::local() - &self.lane))) {
            b.set(value, joined);
        }
        b.barrier();
    }

    /// Combines sums.
    fn sum(&self, b: &mut Builder, array: Shared, sum: &E) {
        self.join(b, &[array], &[sum], |_, low, high| vec![&low[0] + &high[0]]);
    }

    /// The maximum of `value` over the columns; NaN is ignored.
    fn greatest(
        &self,
        b: &mut Builder,
        array: Shared,
        columns: &E,
        ty: Ty,
        value: impl Fn(&mut Builder, &E) -> E,
    ) -> E {
        let greatest = b.let_(E::num(ty, f64::NEG_INFINITY));
        self.columns(b, columns, |b, j| {
            let x = value(b, &j);
            let x = b.let_(x);
            b.if_(greatest.lt(&x), |b| b.set(&greatest, &x));
        });
        self.join(b, &[array], &[&greatest], |_, low, high| vec![low[0].lt(&high[0]).select(&high[0], &low[0])]);
        greatest
    }

    /// The sum of the exponentials of `value` minus `greatest` over the columns.
    fn exponentials(
        &self,
        b: &mut Builder,
        array: Shared,
        columns: &E,
        greatest: &E,
        value: impl Fn(&mut Builder, &E) -> E,
    ) -> E {
        let sum = b.let_(greatest.like(0.0));
        self.columns(b, columns, |b, j| {
            let x = value(b, &j);
            b.set(&sum, &sum + (x - greatest).exp());
        });
        self.sum(b, array, &sum);
        sum
    }
}

fn softmax(def: &'static Def<Softmax>, op: &Softmax, cx: &mut Cx<'_, '_>, name: &'static str, log: bool) -> Result<()> {
    shapes::outputs_of(def, op, cx)?;
    let dtype = op.dtype;
    let x = cx.input(0)?;
    let shape = x.shape();
    let classes = shape.last().copied().unwrap_or(1);
    let rows = shape.num_elements().checked_div(classes).unwrap_or(0);
    let lanes = lanes(classes);
    let program = cx.device.program(name, &[dtype as u64, u64::from(lanes)], || {
        let mut b = Builder::new(name);
        let (x, out) = (b.buffer(dtype, Access::Read), b.buffer(dtype, Access::Write));
        let (rows, classes) = (b.param_u32(), b.param_u32());
        let ty = Ty::of(dtype).unwrap_or(Ty::F32);
        let array = b.shared(ty, 256);
        Row::each(&mut b, &rows, lanes, |b, row| {
            let first = b.let_(&row.number * &classes);
            let value = |b: &mut Builder, j: &E| b.load(x, &first + j);
            let greatest = row.greatest(b, array, &classes, ty, value);
            let sum = row.exponentials(b, array, &classes, &greatest, value);
            let last = b.let_(if log { sum.ln() } else { sum.like(1.0) / &sum });
            row.columns(b, &classes, |b, j| {
                let from = value(b, &j) - &greatest;
                b.store(out, &first + &j, if log { from - &last } else { from.exp() * &last });
            });
        });
        b.finish()
    });
    let out = cx.alloc(dtype, shape)?;
    cx.launch_groups(&program, groups(rows, lanes), &[x, &out], &[small(rows)?, small(classes)?])?;
    cx.set(0, out);
    Ok(())
}

fn cross_entropy(op: &SoftmaxCrossEntropyWithLogits, cx: &mut Cx<'_, '_>) -> Result<()> {
    let shape = cx.input(0)?.shape().broadcast(cx.input(1)?.shape())?;
    if shape.rank() != 2 {
        return Err(Error::invalid(
            "logits and labels must be either 2-dimensional, or broadcasted to be 2-dimensional",
        )
        .found(format!("shapes {} and {}", cx.input(0)?.shape(), cx.input(1)?.shape())));
    }
    let dtype = op.dtype;
    let (features, labels) = (cx.input(0)?, cx.input(1)?);
    let mut strides = Vec::new();
    for tensor in [features, labels] {
        let dims = tensor.shape().dims();
        let (columns, rows) = (dims.last().copied().unwrap_or(1), if dims.len() == 2 { dims[0] } else { 1 });
        strides.push(if rows == 1 { 0 } else { small(columns)? });
        strides.push(u32::from(columns != 1));
    }
    let lanes = lanes(shape[1]);
    let program = cx.device.program("cross_entropy", &[dtype as u64, u64::from(lanes)], || {
        let mut b = Builder::new("cross_entropy");
        let (x, labels) = (b.buffer(dtype, Access::Read), b.buffer(dtype, Access::Read));
        let out = Entropy::declare(&mut b, dtype);
        let strides: Vec<E> = (0..4).map(|_| b.param_u32()).collect();
        Row::each(&mut b, &out.rows, lanes, |b, row| {
            let value = |b: &mut Builder, j: &E| b.load(x, &row.number * &strides[0] + j * &strides[1]);
            let (greatest, sum) = out.start(b, row, value);
            let (log, scale) = (b.let_(sum.ln()), b.let_(sum.like(1.0) / &sum));
            let loss = b.let_(sum.like(0.0));
            row.columns(b, &out.classes, |b, j| {
                let from = value(b, &j) - &greatest;
                let from = b.let_(from);
                let label = b.let_(b.load(labels, &row.number * &strides[2] + &j * &strides[3]));
                b.set(&loss, &loss + &label * (&log - &from));
                b.store(out.backprop, &row.number * &out.classes + &j, from.exp() * &scale - &label);
            });
            row.sum(b, out.array, &loss);
            out.finish(b, row, &loss);
        });
        b.finish()
    });
    let (loss, backprop) = Entropy::outputs(cx, dtype, &shape)?;
    let mut params = vec![small(shape[0])?, small(shape[1])?];
    params.extend(strides);
    let buffers = [features, labels, &loss, &backprop];
    cx.launch_groups(&program, groups(shape[0], lanes), &buffers, &params)?;
    cx.set(0, loss);
    cx.set(1, backprop);
    Ok(())
}

fn sparse_cross_entropy(op: &SparseSoftmaxCrossEntropyWithLogits, cx: &mut Cx<'_, '_>) -> Result<()> {
    let features = cx.input(0)?;
    let (rows, classes, labels) = SparseSoftmaxCrossEntropyWithLogits::labels(features.shape(), cx.input(1)?)?;
    let labels: Vec<u32> = labels.into_iter().map(|label| label as u32).collect();
    let labels = match rows {
        0 => Tensor::vector(labels),
        _ => cx.device.upload(&cx.node().name, &Tensor::vector(labels))?,
    };
    let dtype = op.dtype;
    let lanes = lanes(classes);
    let program = cx.device.program("sparse_cross_entropy", &[dtype as u64, u64::from(lanes)], || {
        let mut b = Builder::new("sparse_cross_entropy");
        let (x, labels) = (b.buffer(dtype, Access::Read), b.buffer(DType::U32, Access::Read));
        let out = Entropy::declare(&mut b, dtype);
        Row::each(&mut b, &out.rows, lanes, |b, row| {
            let first = b.let_(&row.number * &out.classes);
            let value = |b: &mut Builder, j: &E| b.load(x, &first + j);
            let (greatest, sum) = out.start(b, row, value);
            let scale = b.let_(sum.like(1.0) / &sum);
            let label = b.let_(E::u32(0));
            b.if_(&row.there, |b| {
                let found = b.load(labels, &row.number);
                b.set(&label, found);
            });
            row.columns(b, &out.classes, |b, j| {
                let from = value(b, &j) - &greatest;
                let is_label = j.eq(&label).select(sum.like(1.0), sum.like(0.0));
                b.store(out.backprop, &first + &j, from.exp() * &scale - is_label);
            });
            let loss = b.let_(sum.like(0.0));
            b.if_(&row.there, |b| {
                let from = value(b, &label) - &greatest;
                b.set(&loss, sum.ln() - from);
            });
            out.finish(b, row, &loss);
        });
        b.finish()
    });
    let shape = Shape::new([rows, classes])?;
    let (loss, backprop) = Entropy::outputs(cx, dtype, &shape)?;
    let params = [small(rows)?, small(classes)?];
    cx.launch_groups(&program, groups(rows, lanes), &[features, &labels, &loss, &backprop], &params)?;
    cx.set(0, loss);
    cx.set(1, backprop);
    Ok(())
}

/// What both cross entropies have in common in a program.
struct Entropy {
    loss: Buf,
    backprop: Buf,
    rows: E,
    classes: E,
    array: Shared,
    ty: Ty,
}

impl Entropy {
    fn declare(b: &mut Builder, dtype: DType) -> Entropy {
        let ty = Ty::of(dtype).unwrap_or(Ty::F32);
        Entropy {
            loss: b.buffer(dtype, Access::Write),
            backprop: b.buffer(dtype, Access::Write),
            rows: b.param_u32(),
            classes: b.param_u32(),
            array: b.shared(ty, 256),
            ty,
        }
    }

    fn outputs(cx: &Cx<'_, '_>, dtype: DType, shape: &Shape) -> Result<(Tensor, Tensor)> {
        Ok((cx.alloc(dtype, &Shape::vector(shape[0]))?, cx.alloc(dtype, shape)?))
    }

    fn start(&self, b: &mut Builder, row: &Row, value: impl Fn(&mut Builder, &E) -> E) -> (E, E) {
        let greatest = row.greatest(b, self.array, &self.classes, self.ty, &value);
        let sum = row.exponentials(b, self.array, &self.classes, &greatest, &value);
        (greatest, sum)
    }

    fn finish(&self, b: &mut Builder, row: &Row, loss: &E) {
        b.if_(row.lane.eq(0u32) & &row.there, |b| b.store(self.loss, &row.number, loss));
    }
}

//! `ArgMax`, `ArgMin`, `InTopK` and `InTopKV2`.

use super::entry::{self, Cx, cell};
use super::pooling::bounds;
use super::rows::{Row, groups, lanes};
use super::shapes;
use super::tiles::small;
use crate::device::{Gpu, GpuCx};
use crate::ir::{Access, Builder, E, Ty};
use levada_graph::{DType, Result, Shape};
use levada_kernel::def::{Cell, CellOfDef};
use levada_kernel::{Def, KernelEntry};
use levada_ops::sizes::arg_axis;
use levada_ops::types::{ARG_MAX, ARG_MIN, IN_TOP_K, InTopK, Search};

/// The kernel entries of this module.
pub(super) fn entries() -> impl Iterator<Item = KernelEntry<Gpu>> {
    entry::entries(CELLS)
}

static CELLS: &[&dyn CellOfDef<Gpu>] = &[
    &extreme(&ARG_MAX, |op, cx| search(cx, "arg_max", op, false)),
    &extreme(&ARG_MIN, |op, cx| search(cx, "arg_min", op, true)),
    &cell(&IN_TOP_K, in_top_k),
];

const fn extreme(def: &'static Def<Search>, compute: fn(&Search, &mut Cx<'_, '_>) -> Result<()>) -> Cell<Gpu, Search> {
    cell(def, compute).heavy().supports(|op| Ty::of(op.dtype).is_some())
}

/// The search starts from the worst finite value at index 0, as on the CPU: neither NaN nor a value that is not better
/// is found.
fn search(cx: &mut Cx<'_, '_>, name: &'static str, op: &Search, least: bool) -> Result<()> {
    let (dtype, output) = (op.dtype, op.output);
    let input = cx.input(0)?;
    let (shape, [outer, count, inner]) = arg_axis(input.shape(), cx.input(1)?)?;
    let lanes = if inner < 256 { lanes(count) } else { 1 };
    let program = cx.device.program(name, &[dtype as u64, output as u64, u64::from(lanes)], || {
        let mut b = Builder::new(name);
        let (x, out) = (b.buffer(dtype, Access::Read), b.buffer(output, Access::Write));
        let (rows, count, inner) = (b.param_u32(), b.param_u32(), b.param_u32());
        let [low, high] = bounds(dtype);
        let worst = if least { high } else { low };
        let better = |a: &E, b: &E| if least { a.lt(b) } else { b.lt(a) };
        let arrays = [b.shared(worst.ty, 256), b.shared(Ty::U32, 256)];
        Row::each(&mut b, &rows, lanes, |b, row| {
            let first = b.let_(&row.number / &inner * &count * &inner + &row.number % &inner);
            let (best, place) = (b.let_(&worst), b.let_(E::u32(0)));
            row.columns(b, &count, |b, i| {
                let value = b.load(x, &first + &i * &inner).to(worst.ty);
                let value = b.let_(value);
                b.if_(better(&value, &best), |b| {
                    b.set(&best, &value);
                    b.set(&place, &i);
                });
            });
            row.join(b, &arrays, &[&best, &place], |b, low, high| {
                // The first of equal ones.
                let earlier = low[0].eq(&high[0]) & high[1].lt(&low[1]);
                let wins = b.let_(better(&high[0], &low[0]) | earlier);
                vec![wins.select(&high[0], &low[0]), wins.select(&high[1], &low[1])]
            });
            let index = place.to(Ty::of(output).unwrap_or(Ty::I32));
            b.if_(row.lane.eq(0u32) & &row.there, |b| b.store(out, &row.number, index));
        });
        b.finish()
    });
    let rows = outer * inner;
    let out = cx.alloc(output, &shape)?;
    cx.launch_groups(&program, groups(rows, lanes), &[input, &out], &[small(rows)?, small(count)?, small(inner)?])?;
    cx.set(0, out);
    Ok(())
}

fn in_top_k(op: &InTopK, cx: &mut Cx<'_, '_>) -> Result<()> {
    shapes::outputs_of(&IN_TOP_K, op, cx)?;
    let (index, k) = (op.index, op.count(cx)?);
    let predictions = cx.input(0)?;
    let (rows, classes) = (predictions.shape()[0], predictions.shape()[1]);
    let program = cx.device.program("in_top_k", &[index as u64], || {
        let mut b = Builder::new("in_top_k");
        let (x, targets) = (b.buffer(DType::F32, Access::Read), b.buffer(index, Access::Read));
        let out = b.buffer(DType::Bool, Access::Write);
        let (rows, classes, k) = (b.param_u32(), b.param_u32(), b.param_u32());
        let ty = Ty::of(index).unwrap_or(Ty::I32);
        // Neither NaN nor infinite, by the bits.
        let finite = |x: &E| (x.as_bits(Ty::U32) & E::u32(0x7fff_ffff)).lt(0x7f80_0000);
        b.for_each(&rows, |b, row| {
            let target = b.let_(b.load(targets, &row));
            let is_class = E::num(ty, 0.0).le(&target) & target.lt(classes.as_bits(Ty::I32).to(ty));
            let answer = b.let_(E::bool(false));
            b.if_(is_class, |b| {
                let first = b.let_(&row * &classes);
                let own = b.let_(b.load(x, &first + target.to(Ty::U32)));
                let (greater, all) = (b.let_(E::u32(0)), b.let_(E::bool(true)));
                b.for_(0u32, &classes, 1u32, |b, j| {
                    let value = b.let_(b.load(x, &first + j));
                    b.set(&greater, &greater + own.lt(&value).to(Ty::U32));
                    b.set(&all, &all & finite(&value));
                });
                b.set(&answer, &all & greater.lt(&k));
            });
            b.store(out, &row, &answer);
        });
        b.finish()
    });
    let out = cx.alloc(DType::Bool, &Shape::vector(rows))?;
    let k = k.clamp(0, i64::from(u32::MAX)) as u32;
    cx.launch(&program, rows, &[predictions, cx.input(1)?, &out], &[small(rows)?, small(classes)?, k])?;
    cx.set(0, out);
    Ok(())
}

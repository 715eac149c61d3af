//! Reductions, scans along an axis, and selection of maxima.

use super::moving::{counting, ints_from, rank_of};
use super::prelude::*;

pub(crate) const OPERATORS: &[Operator] = &[
    op("ArgMax", &[1, 11, 12, 13], |cx| arg(cx, "ArgMax")),
    op("ArgMin", &[1, 11, 12, 13], |cx| arg(cx, "ArgMin")),
    op("CumProd", &[26], |cx| cumulative(cx, "Cumprod")),
    op("CumSum", &[11, 14], |cx| cumulative(cx, "Cumsum")),
    op("Hardmax", &[1, 11, 13], hardmax),
    op("LogSoftmax", &[1, 11, 13], |cx| softmax(cx, true)),
    op("ReduceL1", &[1, 11, 13, 18], |cx| {
        reduced(cx, |cx, x, axes| {
            let x = cx.op("Abs", &[x])?;
            over(cx, "Sum", &x, axes)
        })
    }),
    op("ReduceL2", &[1, 11, 13, 18], |cx| reduced(cx, l2)),
    op("ReduceLogSum", &[1, 11, 13, 18, 28], |cx| {
        reduced(cx, |cx, x, axes| {
            let sum = over(cx, "Sum", x, axes)?;
            in_floats(cx, &sum, "Log")
        })
    }),
    op("ReduceLogSumExp", &[1, 11, 13, 18, 28], |cx| reduced(cx, log_sum_exp)),
    op("ReduceMax", &[1, 11, 12, 13, 18, 20], |cx| reduced(cx, |cx, x, axes| extreme(cx, "Max", "Any", x, axes))),
    op("ReduceMean", &[1, 11, 13, 18], |cx| reduced(cx, mean)),
    op("ReduceMin", &[1, 11, 12, 13, 18, 20], |cx| reduced(cx, |cx, x, axes| extreme(cx, "Min", "All", x, axes))),
    op("ReduceProd", &[1, 11, 13, 18], |cx| reduced(cx, |cx, x, axes| over(cx, "Prod", x, axes))),
    op("ReduceSum", &[1, 11, 13], |cx| reduced(cx, |cx, x, axes| over(cx, "Sum", x, axes))),
    op("ReduceSumSquare", &[1, 11, 13, 18], |cx| {
        reduced(cx, |cx, x, axes| {
            let x = cx.times(x, x)?;
            over(cx, "Sum", &x, axes)
        })
    }),
    op("Softmax", &[1, 11, 13], |cx| softmax(cx, false)),
    op("TopK", &[1, 10, 11, 24], top_k),
];

/// The axes of a reduction, and whether they are kept with size one.
struct Axes {
    axes: Val,
    keep: bool,
}

fn over(cx: &mut Cx<'_, '_>, op: &'static str, x: &Val, axes: &Axes) -> Result<Val> {
    Ok(cx.node(op).input(x).input(&axes.axes).attr("keep_dims", axes.keep).add()?.like(x))
}

fn reduced(cx: &mut Cx<'_, '_>, reduction: fn(&mut Cx<'_, '_>, &Val, &Axes) -> Result<Val>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let since = if cx.operator() == "ReduceSum" { 13 } else { 18 };
    let axes = ints_from(cx, 1, "axes", since)?;
    let empty = match &axes {
        None => true,
        Some(axes) => cx.shape(axes).dim(0) == Some(0),
    };
    let axes = match (axes, empty) {
        (Some(axes), false) => axes,
        _ if cx.flag("noop_with_empty_axes", false)? => cx.i64s(&[])?,
        _ => match cx.rank(&x) {
            Some(rank) => cx.i64s(&(0..rank as i64).collect::<Vec<_>>())?,
            None => {
                let rank = rank_of(cx, &x)?;
                counting(cx, &rank)?
            }
        },
    };
    let keep = cx.flag("keepdims", true)?;
    let dtype = cx.dtype(&x);
    // 8-bit integers are reduced as wider ones; the result is the same.
    let y = reduction(cx, &x, &Axes { axes, keep })?;
    Ok(vec![cx.cast(&y, dtype)?])
}

/// A function that the library supports for floats only; integers are converted to float64.
fn in_floats(cx: &mut Cx<'_, '_>, x: &Val, op: &'static str) -> Result<Val> {
    let dtype = cx.dtype(x);
    if !dtype.is_integer() {
        return cx.op(op, &[x]);
    }
    let wide = cx.cast(x, DType::F64)?;
    let y = cx.op(op, &[&wide])?;
    cx.cast(&y, dtype)
}

fn l2(cx: &mut Cx<'_, '_>, x: &Val, axes: &Axes) -> Result<Val> {
    let squares = cx.times(x, x)?;
    let sum = over(cx, "Sum", &squares, axes)?;
    in_floats(cx, &sum, "Sqrt")
}

fn mean(cx: &mut Cx<'_, '_>, x: &Val, axes: &Axes) -> Result<Val> {
    over(cx, "Mean", x, axes)
}

fn extreme(cx: &mut Cx<'_, '_>, op: &'static str, of_bools: &'static str, x: &Val, axes: &Axes) -> Result<Val> {
    let op = if cx.dtype(x) == DType::Bool { of_bools } else { op };
    over(cx, op, x, axes)
}

fn log_sum_exp(cx: &mut Cx<'_, '_>, x: &Val, axes: &Axes) -> Result<Val> {
    let x = if cx.dtype(x).is_integer() { cx.cast(x, DType::F64)? } else { x.clone() };
    let kept = Axes { axes: axes.axes.clone(), keep: true };
    let greatest = over(cx, "Max", &x, &kept)?;
    let (is_finite, zero) = (cx.op("IsFinite", &[&greatest])?, cx.op("ZerosLike", &[&greatest])?);
    let known = cx.shape(&greatest);
    let shift = cx.op("SelectV2", &[&is_finite, &greatest, &zero])?.like(&x);
    cx.set_shape(&shift, known);
    let less = cx.minus(&x, &shift)?;
    let powers = cx.op("Exp", &[&less])?;
    let sum = over(cx, "Sum", &powers, axes)?;
    let log = cx.op("Log", &[&sum])?;
    let shift = match axes.keep {
        true => shift,
        false => over(cx, "Sum", &shift, axes)?,
    };
    let infinite = cx.plus(&log, &shift)?;
    Ok(infinite)
}

fn arg(cx: &mut Cx<'_, '_>, op: &'static str) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let (axis, keep) = (cx.int_or("axis", 0)?, cx.flag("keepdims", true)?);
    let axis_val = cx.i32(axis)?;
    let index = match cx.flag("select_last_index", false)? {
        false => cx.op(op, &[&x, &axis_val])?.of_elem(Elem::INT64),
        true => {
            let rank = cx.rank_needed(&x)?;
            let at = cx.axis(axis, rank)?;
            let axes = cx.i32s(&[at as i64])?;
            let reversed = cx.op("ReverseV2", &[&x, &axes])?;
            let index = cx.op(op, &[&reversed, &axis_val])?.of_elem(Elem::INT64);
            let size = cx.size_of(&x, at as i64)?;
            let last = cx.plus_number(&size, -1.0)?;
            cx.minus(&last, &index)?
        }
    };
    Ok(vec![if keep { cx.op("ExpandDims", &[&index, &axis_val])? } else { index }])
}

fn cumulative(cx: &mut Cx<'_, '_>, op: &'static str) -> Result<Vec<Val>> {
    let (x, axis) = (cx.input(0)?, cx.input(1)?);
    let (exclusive, reverse) = (cx.flag("exclusive", false)?, cx.flag("reverse", false)?);
    let axis = cx.reshape(&axis, &[])?;
    Ok(vec![cx.node(op).input(&x).input(&axis).attr("exclusive", exclusive).attr("reverse", reverse).add()?])
}

/// Before version 13 the axes from `axis` on are merged; `last` computes along the last axis, `along` along any.
fn along_axis(
    cx: &mut Cx<'_, '_>,
    x: &Val,
    last: &dyn Fn(&mut Cx<'_, '_>, &Val) -> Result<Val>,
    along: &dyn Fn(&mut Cx<'_, '_>, &Val, i64) -> Result<Val>,
) -> Result<Val> {
    let rank = cx.rank(x);
    if cx.version >= 13 {
        let axis = cx.int_or("axis", -1)?;
        let is_last = axis == -1 || rank.is_some_and(|rank| axis == rank as i64 - 1);
        return if is_last && rank != Some(0) { last(cx, x) } else { along(cx, x, axis) };
    }
    let rank = cx.rank_needed(x)?;
    let axis = cx.axis(cx.int_or("axis", 1)?, rank.max(1))?;
    if axis + 1 == rank {
        return last(cx, x);
    }
    let shape = cx.shape_of(x)?;
    let (outer, inner) = (cx.range_of(&shape, 0, Some(axis as i64))?, cx.range_of(&shape, axis as i64, None)?);
    let (outer, inner) = (cx.reduce("Prod", &outer, &[0], false)?, cx.reduce("Prod", &inner, &[0], false)?);
    let flat = cx.pack(&[outer, inner])?;
    let flat = cx.op("Reshape", &[x, &flat])?;
    let y = last(cx, &flat)?;
    let y = cx.op("Reshape", &[&y, &shape])?;
    let known = cx.shape(x);
    cx.set_shape(&y, known);
    Ok(y)
}

fn softmax(cx: &mut Cx<'_, '_>, log: bool) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    Ok(vec![softmax_of(cx, &x, log)?])
}

/// The softmax of a tensor, or its logarithm, along the axis of the operator's attribute.
pub(super) fn softmax_of(cx: &mut Cx<'_, '_>, x: &Val, log: bool) -> Result<Val> {
    let last = |cx: &mut Cx<'_, '_>, x: &Val| {
        let y = cx.op(if log { "LogSoftmax" } else { "Softmax" }, &[x])?;
        Ok(y)
    };
    let along = |cx: &mut Cx<'_, '_>, x: &Val, axis: i64| {
        let greatest = cx.reduce("Max", x, &[axis], true)?;
        let less = cx.minus(x, &greatest)?;
        let powers = cx.op("Exp", &[&less])?;
        let sum = cx.reduce("Sum", &powers, &[axis], true)?;
        if !log {
            return cx.over(&powers, &sum);
        }
        let sum = cx.op("Log", &[&sum])?;
        cx.minus(&less, &sum)
    };
    along_axis(cx, x, &last, &along)
}

fn hardmax(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let along = |cx: &mut Cx<'_, '_>, x: &Val, axis: i64| {
        let axis_val = cx.i32(axis)?;
        let index = cx.op("ArgMax", &[x, &axis_val])?.of_elem(Elem::INT64);
        let depth = cx.size_of(x, axis)?;
        let depth = cx.cast(&depth, DType::I32)?;
        let (on, off) = (cx.scalar_like(x, 1.0)?, cx.scalar_like(x, 0.0)?);
        let rank = cx.rank_needed(x)?;
        let axis = cx.axis(axis, rank)? as i64;
        let node = cx.node("OneHot").input(&index).input(&depth).input(&on).input(&off);
        Ok(node.attr("axis", axis).add()?.like(x))
    };
    Ok(vec![along_axis(cx, &x, &|cx, x| along(cx, x, -1), &along)?])
}

/// Reverses the order: the largest values become the smallest.
fn inverted(cx: &mut Cx<'_, '_>, x: &Val) -> Result<Val> {
    let op = if cx.dtype(x).is_integer() { "Invert" } else { "Neg" };
    cx.op(op, &[x])
}

fn top_k(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let k = match cx.version < 10 {
        true => {
            let k = cx.int_needed("k")?;
            cx.i32(k)?
        }
        false => {
            let k = cx.input(1)?;
            let k = cx.reshape(&k, &[])?;
            cx.cast(&k, DType::I32)?
        }
    };
    let largest = cx.flag("largest", true)?;
    let axis = cx.int_or("axis", -1)?;
    let (mut y, mut order) = (x.clone(), None);
    if axis != -1 {
        let rank = cx.rank_needed(&x)?;
        let axis = cx.axis(axis, rank)?;
        if axis + 1 != rank {
            let mut swapped: Vec<usize> = (0..rank).collect();
            swapped.swap(axis, rank - 1);
            y = cx.transpose(&y, &swapped)?;
            order = Some(swapped);
        }
    }
    if !largest {
        y = inverted(cx, &y)?;
    }
    let found = cx.node("TopKV2").input(&y).input(&k).attr("sorted", true).all()?;
    let [values, indices] = &found[..] else { return Err(Error::internal("TopKV2 has two outputs")) };
    let mut values = values.clone();
    if !largest {
        values = inverted(cx, &values)?;
    }
    let mut indices = cx.cast(indices, DType::I64)?;
    if let Some(order) = order {
        values = cx.transpose(&values, &order)?;
        indices = cx.transpose(&indices, &order)?;
    }
    Ok(vec![values.like(&x), indices])
}

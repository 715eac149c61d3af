//! `NthElement`: the n-th order statistic of each row.

use super::order;
use super::softmax::last_axis_sum;
use crate::prelude::*;
use crate::rules::{Handles, expand, first};

attrs! {
    /// The element that would be at index `n` of each sorted row.
    pub struct NthElement {
        /// If true, sorts in descending order.
        reverse: bool = Attr::bool("reverse").or_bool(false),
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::REALS),
    }
}

pub static NTH_ELEMENT: Def<NthElement> = op::<NthElement>("NthElement")
    .inputs(&[arg("input", of("T")), arg("n", is(DType::I32))])
    .outputs(&[arg("values", of("T"))])
    .shape(shape)
    .gradient(|_, g| {
        // Equal elements share the gradient.
        let x = g.input(0);
        let chosen = expand(g, g.output(0), -1).equal(x).cast(x.dtype());
        let share = chosen / last_axis_sum(chosen);
        first(g, share * expand(g, g.dy(0), -1))
    })
    .kernel(nth_element)
    .heavy()
    .batch(|_, b| if b.rank(0)? < 1 { None } else { levada_ops_core::batch::leading_first(b, 1) });

fn shape(_: &NthElement, cx: &mut ShapeCx<'_>) -> Result<()> {
    let input = cx.rank_at_least(0, 1)?;
    cx.with_rank(1, 0)?;
    let Some((last, outer)) = input.dims().and_then(|d| d.split_last()) else { return Ok(()) };
    if let Some(&[n]) = cx.constant_i64s(1).as_deref() {
        if n < 0 {
            return Err(Error::invalid(format!("n must be non-negative, got {n}")));
        }
        if last.is_some_and(|last| n >= last as i64) {
            return Err(Error::invalid(format!("Input must have last dimension > n = {n} but is {input}")));
        }
    }
    cx.output(0, PartialShape::new(outer.iter().copied()));
    Ok(())
}

fn nth_element(op: &NthElement, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (input, n) = (cx.input(0)?.shape(), cx.input(1)?);
    if !n.shape().is_scalar() {
        return Err(Error::invalid(format!("N must be scalar but has rank {}", n.shape().rank())));
    }
    let n = n.to_i64s()?[0];
    let Some((&columns, outer)) = input.split_last() else {
        return Err(Error::invalid("Input must be >= 1-D").found("a scalar"));
    };
    let at = usize::try_from(n).ok().filter(|&n| n < columns);
    let Some(at) = at else {
        return Err(Error::invalid("Input must have at least n+1 columns, and n must not be negative")
            .expected(format!("n from 0 to {}", columns as i64 - 1))
            .found(n));
    };
    let (shape, reverse) = (Shape::new(outer.iter().copied())?, op.reverse);
    dispatch!(op.dtype, reals, |T| cx.produce::<T>(0, &shape, |cx, out| {
        let x = cx.slice::<T>(0)?;
        cx.pool().for_chunks(out, 1, columns as f64 * 5.0, |first, out| {
            for (i, o) in out.iter_mut().enumerate() {
                let row = &x[(first + i) * columns..(first + i + 1) * columns];
                let ascending = if reverse { 0 } else { u64::MAX };
                *o = row[order::nth(row.iter().map(|&v| order::descending(v) ^ ascending), at)];
            }
        });
        Ok(())
    }), else unsupported(cx, op.dtype))
}

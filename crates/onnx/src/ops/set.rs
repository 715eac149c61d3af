//! Unique elements.

use super::prelude::*;

pub(crate) const OPERATORS: &[Operator] = &[op("Unique", &[11, 28], unique)];

fn unique(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let (axis, sorted) = (cx.int("axis")?, cx.flag("sorted", true)?);
    let node = cx.node("OnnxUnique").input(&x).attr("axis", axis.unwrap_or(0)).attr("flat", axis.is_none());
    let parts: Vec<Val> = node.attr("sorted", sorted).all()?.into_iter().map(|val| val.of_elem(Elem::INT64)).collect();
    let from = if axis.is_none() { cx.reshape(&x, &[-1])? } else { x.clone() };
    let axis = match axis.unwrap_or(0) {
        axis if axis < 0 => axis + cx.rank_needed(&x)? as i64,
        axis => axis,
    };
    let axis = cx.i32(axis)?;
    let y = cx.op("GatherV2", &[&from, &parts[0], &axis])?.like(&x);
    Ok([vec![y], parts].concat())
}

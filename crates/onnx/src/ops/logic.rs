//! Comparisons, logical and bitwise operators.

use super::elementwise::operands;
use super::prelude::*;

pub(crate) const OPERATORS: &[Operator] = &[
    op("And", &[1, 7], |cx| compared(cx, "LogicalAnd")),
    op("BitShift", &[11], shift),
    op("BitwiseAnd", &[18], |cx| compared(cx, "BitwiseAnd")),
    op("BitwiseNot", &[18], |cx| inverted(cx, "Invert")),
    op("BitwiseOr", &[18], |cx| compared(cx, "BitwiseOr")),
    op("BitwiseXor", &[18], |cx| compared(cx, "BitwiseXor")),
    op("Equal", &[1, 7, 11, 13, 19], |cx| compared(cx, "Equal")),
    op("Greater", &[1, 7, 9, 13], |cx| compared(cx, "Greater")),
    op("GreaterOrEqual", &[12, 16], |cx| compared(cx, "GreaterEqual")),
    op("Less", &[1, 7, 9, 13], |cx| compared(cx, "Less")),
    op("LessOrEqual", &[12, 16], |cx| compared(cx, "LessEqual")),
    op("Not", &[1], |cx| inverted(cx, "LogicalNot")),
    op("Or", &[1, 7], |cx| compared(cx, "LogicalOr")),
    op("Where", &[9, 16], select),
    op("Xor", &[1, 7], |cx| compared(cx, "NotEqual")),
];

fn compared(cx: &mut Cx<'_, '_>, name: &'static str) -> Result<Vec<Val>> {
    let (x, y) = operands(cx)?;
    Ok(vec![cx.op(name, &[&x, &y])?])
}

fn inverted(cx: &mut Cx<'_, '_>, name: &'static str) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    Ok(vec![cx.op(name, &[&x])?])
}

/// Shifts drop bits at one end, also when shifting by more than the width; right shifts are sign-extended.
fn shift(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (x, y) = (cx.input(0)?, cx.input(1)?);
    let name = match &cx.text_or("direction", "")?[..] {
        "LEFT" => "LeftShift",
        "RIGHT" => "RightShift",
        other => {
            let error = Error::invalid("an attribute has an invalid value").attr("direction");
            return Err(error.expected("LEFT or RIGHT").found(other));
        }
    };
    let dtype = cx.dtype(&x);
    let bits = 8.0 * dtype.size() as f64;
    let (bits, zero) = (cx.scalar_like(&y, bits)?, cx.scalar_like(&y, 0.0)?);
    let (low, high) = (cx.op("GreaterEqual", &[&y, &zero])?, cx.op("Less", &[&y, &bits])?);
    let within = cx.op("LogicalAnd", &[&low, &high])?;
    let amount = cx.op("SelectV2", &[&within, &y, &zero])?.like(&y);
    let shifted = cx.op(name, &[&x, &amount])?;
    let empty = match (name, dtype) {
        ("RightShift", DType::I8 | DType::I16 | DType::I32 | DType::I64) => {
            let last = cx.scalar_like(&x, 8.0 * dtype.size() as f64 - 1.0)?;
            cx.op("RightShift", &[&x, &last])?
        }
        _ => cx.scalar_like(&x, 0.0)?,
    };
    Ok(vec![cx.op("SelectV2", &[&within, &shifted, &empty])?.like(&x)])
}

fn select(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (condition, x, y) = (cx.input(0)?, cx.input(1)?, cx.input(2)?);
    Ok(vec![cx.op("SelectV2", &[&condition, &x, &y])?.like(&x)])
}

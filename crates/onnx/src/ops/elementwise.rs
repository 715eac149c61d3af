//! Elementwise arithmetic and functions.

use super::activation::sixth;
use super::prelude::*;

pub(crate) const OPERATORS: &[Operator] = &[
    op("Abs", &[1, 6, 13], abs),
    op("Acos", &[7, 22], |cx| unary(cx, "Acos")),
    op("Acosh", &[9, 22], |cx| unary(cx, "Acosh")),
    op("Add", &[1, 6, 7, 13, 14], |cx| binary(cx, "AddV2")),
    op("Asin", &[7, 22], |cx| unary(cx, "Asin")),
    op("Asinh", &[9, 22], |cx| unary(cx, "Asinh")),
    op("Atan", &[7, 22], |cx| unary(cx, "Atan")),
    op("Atanh", &[9, 22], |cx| unary(cx, "Atanh")),
    op("Ceil", &[1, 6, 13], |cx| rounded(cx, "Ceil")),
    op("Clip", &[1, 6, 11, 12, 13], clip),
    op("Cos", &[7, 22], |cx| unary(cx, "Cos")),
    op("Cosh", &[9, 22], |cx| unary(cx, "Cosh")),
    op("Div", &[1, 6, 7, 13, 14], div),
    op("Erf", &[9, 13], |cx| unary(cx, "Erf")),
    op("Exp", &[1, 6, 13], |cx| unary(cx, "Exp")),
    op("Floor", &[1, 6, 13], |cx| rounded(cx, "Floor")),
    op("Identity", &[1, 13, 14, 16, 19, 21, 23, 24, 25], identity),
    op("IsInf", &[10, 20], is_inf),
    op("IsNaN", &[9, 13, 20], |cx| test(cx, "IsNan")),
    op("Log", &[1, 6, 13], |cx| unary(cx, "Log")),
    op("Max", &[1, 6, 8, 12, 13], |cx| folded(cx, "Maximum")),
    op("Mean", &[1, 6, 8, 13], mean),
    op("Min", &[1, 6, 8, 12, 13], |cx| folded(cx, "Minimum")),
    op("Mod", &[10, 13], modulo),
    op("Mul", &[1, 6, 7, 13, 14], |cx| binary(cx, "Mul")),
    op("Neg", &[1, 6, 13], |cx| unary(cx, "Neg")),
    op("Pow", &[1, 7, 12, 13, 15], pow),
    op("Reciprocal", &[1, 6, 13], |cx| unary(cx, "Reciprocal")),
    op("Round", &[11, 22], |cx| rounded(cx, "Round")),
    op("Sign", &[9, 13], |cx| unary(cx, "Sign")),
    op("Sin", &[7, 22], |cx| unary(cx, "Sin")),
    op("Sinh", &[9, 22], |cx| unary(cx, "Sinh")),
    op("Sqrt", &[1, 6, 13], |cx| unary(cx, "Sqrt")),
    op("Sub", &[1, 6, 7, 13, 14], |cx| binary(cx, "Sub")),
    op("Sum", &[1, 6, 8, 13], |cx| folded(cx, "AddV2")),
    op("Tan", &[7, 22], |cx| unary(cx, "Tan")),
    op("Tanh", &[1, 6, 13], |cx| unary(cx, "Tanh")),
];

/// A unary op of the library.
pub(super) fn unary(cx: &mut Cx<'_, '_>, name: &'static str) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let dtype = cx.dtype(&x);
    // The library lacks reciprocals and functions of integers.
    Ok(vec![match (dtype.is_integer(), name) {
        (true, "Sign" | "Neg") if !matches!(dtype, DType::I32 | DType::I64) => {
            let wide = cx.cast(&x, DType::I64)?;
            let y = cx.op(name, &[&wide])?;
            cx.cast(&y, dtype)?
        }
        _ => cx.op(name, &[&x])?,
    }])
}

/// A function with a bool result.
fn test(cx: &mut Cx<'_, '_>, name: &'static str) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    Ok(vec![cx.op(name, &[&x])?])
}

fn rounded(cx: &mut Cx<'_, '_>, name: &'static str) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let op = if cx.dtype(&x).is_integer() { "Identity" } else { name };
    Ok(vec![cx.op(op, &[&x])?])
}

fn abs(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let dtype = cx.dtype(&x);
    Ok(vec![match dtype {
        DType::U8 | DType::U16 | DType::U32 | DType::U64 => cx.op("Identity", &[&x])?,
        _ => cx.op("Abs", &[&x])?,
    }])
}

fn identity(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    Ok(vec![cx.op("Identity", &[&x])?.like(&x)])
}

/// The operands of a node, the second reshaped for old versions: its axes are aligned with those from `axis` on.
pub(super) fn operands(cx: &mut Cx<'_, '_>) -> Result<(Val, Val)> {
    let (x, y) = (cx.input(0)?, cx.input(1)?);
    if cx.version >= 7 || !cx.flag("broadcast", false)? {
        return Ok((x, y));
    }
    let Some(axis) = cx.int("axis")? else { return Ok((x, y)) };
    let (rank, inner) = (cx.rank_needed(&x)?, cx.rank_needed(&y)?);
    let axis = cx.axis(axis, rank.max(1))?;
    let mut y = y;
    for _ in axis + inner..rank {
        y = cx.expand(&y, -1)?;
    }
    Ok((x, y))
}

fn binary(cx: &mut Cx<'_, '_>, name: &'static str) -> Result<Vec<Val>> {
    let (x, y) = operands(cx)?;
    let is_sixth = name == "Mul" && cx.number_of(&y).is_some_and(|y| (6.0 * y - 1.0).abs() < 1e-6);
    if is_sixth && let Some(swish) = sixth(cx, &x)? {
        return Ok(vec![swish]);
    }
    Ok(vec![cx.op(name, &[&x, &y])?])
}

/// Integer division rounds towards zero.
fn div(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (x, y) = operands(cx)?;
    if cx.number_of(&y) == Some(6.0)
        && let Some(swish) = sixth(cx, &x)?
    {
        return Ok(vec![swish]);
    }
    let op = if cx.dtype(&x).is_integer() { "TruncateDiv" } else { "RealDiv" };
    Ok(vec![cx.op(op, &[&x, &y])?])
}

fn modulo(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (x, y) = operands(cx)?;
    let op = if cx.flag("fmod", false)? { "TruncateMod" } else { "FloorMod" };
    let dtype = cx.dtype(&x);
    let narrow = matches!(dtype, DType::I8 | DType::I16 | DType::U8 | DType::U16 | DType::U32);
    if narrow {
        let (wide, other) = (cx.cast(&x, DType::I64)?, cx.cast(&y, DType::I64)?);
        let z = cx.op(op, &[&wide, &other])?;
        return Ok(vec![cx.cast(&z, dtype)?]);
    }
    Ok(vec![cx.op(op, &[&x, &y])?])
}

/// The exponent may have another type; the result has the base's.
fn pow(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (x, y) = operands(cx)?;
    let (base, exponent) = (cx.dtype(&x), cx.dtype(&y));
    if base == exponent && base.is_float() {
        return Ok(vec![cx.op("Pow", &[&x, &y])?]);
    }
    // If both types are exact, the base's type is used; otherwise float64.
    let common = match (base.is_float(), exponent.is_float()) {
        (true, false) if base != DType::F64 => DType::F64,
        (true, _) => base,
        (false, true) => DType::F64,
        (false, false) => DType::I64,
    };
    let common = if exponent == DType::F64 { DType::F64 } else { common };
    let negative = common == DType::I64 && cx.ints_of(&y).is_none_or(|all| all.iter().any(|&e| e < 0));
    let common = if negative { DType::F64 } else { common };
    let (x, y) = (cx.cast(&x, common)?, cx.cast(&y, common)?);
    let z = cx.op("Pow", &[&x, &y])?;
    Ok(vec![cx.cast(&z, base)?])
}

/// Operators with any number of operands.
fn folded(cx: &mut Cx<'_, '_>, name: &'static str) -> Result<Vec<Val>> {
    let inputs = cx.inputs()?;
    let Some((first, rest)) = inputs.split_first() else { return Err(Error::invalid("the operator has no inputs")) };
    let dtype = cx.dtype(first);
    // The library compares only integers of these types.
    let wide = match dtype {
        DType::I8 | DType::U16 | DType::U32 if name != "AddV2" => DType::I64,
        _ => dtype,
    };
    let mut result = match rest.is_empty() {
        true => cx.op("Identity", &[first])?,
        false => cx.cast(first, wide)?,
    };
    for val in rest {
        let val = cx.cast(val, wide)?;
        result = cx.op(name, &[&result, &val])?;
    }
    Ok(vec![cx.cast(&result, dtype)?])
}

fn mean(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let n = cx.inputs()?.len();
    let sum = folded(cx, "AddV2")?;
    Ok(vec![cx.times_number(&sum[0], 1.0 / n as f64)?])
}

fn clip(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let bound = |cx: &mut Cx<'_, '_>, i: usize, name: &str| match cx.version < 11 {
        true => {
            let bound = cx.float(name)?;
            bound.map(|bound| cx.scalar_like(&x, f64::from(bound))).transpose()
        }
        false => Ok(cx.optional(i)),
    };
    let (low, high) = (bound(cx, 1, "min")?, bound(cx, 2, "max")?);
    let dtype = cx.dtype(&x);
    if let (Some(low), Some(high)) = (&low, &high)
        && (cx.number_of(low), cx.number_of(high)) == (Some(0.0), Some(6.0))
    {
        return Ok(vec![cx.op("Relu6", &[&x])?]);
    }
    let wide = match dtype {
        DType::I8 | DType::U16 | DType::U32 => DType::I64,
        _ => dtype,
    };
    let mut y = cx.cast(&x, wide)?;
    for (bound, op) in [(low, "Maximum"), (high, "Minimum")] {
        if let Some(bound) = bound {
            let bound = cx.cast(&bound, wide)?;
            y = cx.op(op, &[&y, &bound])?;
        }
    }
    Ok(vec![cx.cast(&y, dtype)?])
}

fn is_inf(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let (negative, positive) = (cx.flag("detect_negative", true)?, cx.flag("detect_positive", true)?);
    let is_inf = cx.op("IsInf", &[&x])?;
    if negative && positive {
        return Ok(vec![is_inf]);
    }
    let zero = cx.scalar_like(&x, 0.0)?;
    let side = match (negative, positive) {
        (true, false) => cx.op("Less", &[&x, &zero])?,
        (false, true) => cx.op("Greater", &[&x, &zero])?,
        _ => cx.op("NotEqual", &[&zero, &zero])?,
    };
    Ok(vec![cx.op("LogicalAnd", &[&is_inf, &side])?])
}

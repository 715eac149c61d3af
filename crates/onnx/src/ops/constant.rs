//! Constants, type conversions, and tensors made from a shape.

use super::moving::counting;
use super::prelude::*;

pub(crate) const OPERATORS: &[Operator] = &[
    op("BitCast", &[26], bit_cast),
    op("Cast", &[1, 6, 9, 13, 19, 21, 23, 24, 25, 28], cast),
    op("CastLike", &[15, 19, 21, 23, 24, 25], cast_like),
    op("Constant", &[1, 9, 11, 12, 13, 19, 21, 23, 24, 25], constant),
    op("ConstantOfShape", &[9, 20, 21, 23, 24, 25], constant_of_shape),
    op("EyeLike", &[9, 22], eye_like),
    op("OneHot", &[9, 11, 28], one_hot),
    op("Range", &[11, 27], range),
];

fn constant(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    for name in ["value", "sparse_value"] {
        if let Some((value, elem)) = cx.tensor(name)? {
            return Ok(vec![cx.constant(value)?.of_elem(elem)]);
        }
    }
    let value = if let Some(value) = cx.float("value_float")? {
        Tensor::scalar(value)
    } else if let Some(value) = cx.int("value_int")? {
        Tensor::scalar(value)
    } else if let Some(value) = cx.text("value_string")? {
        Tensor::string(value)
    } else if let Some(values) = cx.floats("value_floats")? {
        Tensor::vector(values)
    } else if let Some(values) = cx.ints("value_ints")? {
        Tensor::vector(values)
    } else if let Some(values) = cx.strings("value_strings")? {
        Tensor::vector(values)
    } else {
        return Err(Error::invalid("a constant has no value"));
    };
    Ok(vec![cx.constant(value)?])
}

fn constant_of_shape(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let shape = cx.input(0)?;
    let (value, elem) = cx.tensor("value")?.unwrap_or((Tensor::scalar(0f32), Elem::FLOAT));
    let value = value.reshaped(Shape::scalar()).map_err(|e| e.attr("value").expected("a tensor of one element"))?;
    let value = cx.constant(value)?;
    Ok(vec![cx.op("Fill", &[&shape, &value])?.of_elem(elem)])
}

/// Converts a tensor to another element type.
pub(super) fn converted(cx: &mut Cx<'_, '_>, x: &Val, to: Elem) -> Result<Val> {
    let (from, target) = (cx.elem(x)?, to.dtype()?);
    let source = cx.dtype(x);
    if from == to {
        return Ok(x.clone());
    }
    if from.is_narrow() || to.is_narrow() {
        let round = cx.text_or("round_mode", "up")?;
        let saturate = cx.flag("saturate", true)?;
        if source == DType::Str || target == DType::Str {
            return Err(Error::unimplemented(format!("{from} cannot be converted to {to}")));
        }
        let node = cx.node("OnnxCast").input(x).attr("from", i64::from(from.0)).attr("to", i64::from(to.0));
        let node = node.attr("DstT", target).attr("saturate", saturate).text("round_mode", &round);
        return Ok(node.add()?.of_elem(to));
    }
    match (source, target) {
        (DType::Str, DType::Str) => Ok(x.clone()),
        (DType::Str, DType::Bool) => {
            let number = cx.node("StringToNumber").input(x).attr("out_type", DType::I64).add()?;
            cx.cast(&number, DType::Bool)
        }
        (DType::Str, _) => {
            let direct = matches!(target, DType::F32 | DType::F64 | DType::I32 | DType::I64);
            let through = match target {
                _ if direct => target,
                t if t.is_float() => DType::F32,
                _ => DType::I64,
            };
            let number = cx.node("StringToNumber").input(x).attr("out_type", through).add()?;
            cx.cast(&number.of_elem(Elem::of(through)), target)
        }
        (_, DType::Str) => {
            let text = match source {
                DType::F64 => cx.node("AsString").input(x).attr("shortest", true).attr("precision", 17i64).add()?,
                source if source.is_float() => {
                    let x = cx.cast(x, DType::F32)?;
                    cx.node("AsString").input(&x).attr("shortest", true).attr("precision", 8i64).add()?
                }
                _ => cx.op("AsString", &[x])?,
            };
            Ok(text.of_elem(Elem::STRING))
        }
        _ => cx.cast(x, target),
    }
}

fn cast(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let to = match cx.version < 6 {
        true => {
            let name = cx.text_or("to", "")?.to_lowercase();
            let elem = Elem::ALL.iter().find(|elem| elem.name() == name).copied();
            elem.ok_or_else(|| {
                Error::invalid("the attribute to does not name an element type").attr("to").found(&name)
            })?
        }
        false => Elem(cx.int_needed("to")? as i32),
    };
    Ok(vec![converted(cx, &x, to)?])
}

fn cast_like(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (x, like) = (cx.input(0)?, cx.input(1)?);
    let to = cx.elem(&like)?;
    Ok(vec![converted(cx, &x, to)?])
}

fn bit_cast(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let to = Elem(cx.int_needed("to")? as i32);
    let dtype = to.dtype()?;
    let source = cx.dtype(&x);
    if dtype == source {
        return Ok(vec![cx.op("Identity", &[&x])?.of_elem(to)]);
    }
    match (source, dtype) {
        // The library cannot reinterpret bools; they are bytes of 0 and 1.
        (DType::Bool, _) => {
            let bytes = cx.cast(&x, DType::U8)?;
            if dtype == DType::U8 {
                return Ok(vec![bytes.of_elem(to)]);
            }
            Ok(vec![cx.node("Bitcast").input(&bytes).attr("type", dtype).add()?.of_elem(to)])
        }
        (_, DType::Bool) => Ok(vec![cx.cast(&x, DType::Bool)?]),
        _ => Ok(vec![cx.node("Bitcast").input(&x).attr("type", dtype).add()?.of_elem(to)]),
    }
}

/// The type in the attribute `dtype`, or else `otherwise`.
pub(super) fn dtype_or(cx: &mut Cx<'_, '_>, otherwise: Elem) -> Result<Elem> {
    Ok(cx.int("dtype")?.map_or(otherwise, |number| Elem(number as i32)))
}

fn eye_like(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let (elem, k) = (cx.elem(&x)?, cx.int_or("k", 0)?);
    let elem = dtype_or(cx, elem)?;
    let (rows, columns) = (cx.size_of(&x, 0)?, cx.size_of(&x, 1)?);
    let (rows, columns) = (counting(cx, &rows)?, counting(cx, &columns)?);
    let rows = cx.plus_number(&rows, k as f64)?;
    let rows = cx.expand(&rows, 1)?;
    let is_one = cx.op("Equal", &[&rows, &columns])?.of_elem(Elem::BOOL);
    Ok(vec![converted(cx, &is_one, elem)?])
}

fn one_hot(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (indices, depth, values) = (cx.input(0)?, cx.input(1)?, cx.input(2)?);
    let axis = cx.int_or("axis", -1)?;
    let axis = match (axis >= -1, cx.rank(&indices)) {
        (true, _) => axis,
        (false, Some(rank)) => cx.axis(axis, rank + 1)? as i64,
        (false, None) => cx.rank_needed(&indices)? as i64,
    };
    let (indices, depth) = (cx.cast(&indices, DType::I64)?, cx.cast(&depth, DType::I64)?);
    let depth = cx.reshape(&depth, &[])?;
    let zero = cx.i64(0)?;
    let is_negative = cx.op("Less", &[&indices, &zero])?;
    let from_end = cx.plus(&indices, &depth)?;
    let known = cx.shape(&indices);
    let indices = cx.op("SelectV2", &[&is_negative, &from_end, &indices])?.of_elem(Elem::INT64);
    cx.set_shape(&indices, known);
    let depth = cx.cast(&depth, DType::I32)?;
    let (first, second) = (cx.range_of(&values, 0, Some(1))?, cx.range_of(&values, 1, Some(2))?);
    let (off, on) = (cx.reshape(&first, &[])?, cx.reshape(&second, &[])?);
    let node = cx.node("OneHot").input(&indices).input(&depth).input(&on).input(&off);
    Ok(vec![node.attr("axis", axis).add()?.like(&values)])
}

fn range(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (start, limit, delta) = (cx.input(0)?, cx.input(1)?, cx.input(2)?);
    let dtype = cx.dtype(&start);
    let through = match dtype {
        DType::F16 | DType::BF16 => DType::F32,
        DType::I16 | DType::I8 | DType::U8 | DType::U16 | DType::U32 | DType::U64 => DType::I64,
        other => other,
    };
    let mut bounds = Vec::new();
    for bound in [start, limit, delta] {
        let bound = cx.reshape(&bound, &[])?;
        bounds.push(cx.cast(&bound, through)?);
    }
    if through.is_float() {
        // start + i * delta, so that errors do not accumulate.
        let [start, limit, delta] = &bounds[..] else { return Err(Error::internal("three bounds")) };
        let span = cx.minus(limit, start)?;
        let count = cx.over(&span, delta)?;
        let count = cx.op("Ceil", &[&count])?;
        let zero = cx.scalar_like(&count, 0.0)?;
        let count = cx.op("Maximum", &[&count, &zero])?;
        let count = cx.cast(&count, DType::I64)?;
        let steps = counting(cx, &count)?;
        let steps = cx.cast(&steps, through)?;
        let steps = cx.times(&steps, delta)?;
        let all = cx.plus(&steps, start)?;
        return Ok(vec![cx.cast(&all, dtype)?]);
    }
    // A limit before the start gives no elements, which `Range` refuses.
    let [start, limit, delta] = &bounds[..] else { return Err(Error::internal("three bounds")) };
    let zero = cx.scalar_like(delta, 0.0)?;
    let (is_up, above) = (cx.op("Greater", &[delta, &zero])?, cx.op("Maximum", &[start, limit])?);
    let below = cx.op("Minimum", &[start, limit])?;
    let limit = cx.op("SelectV2", &[&is_up, &above, &below])?.like(limit);
    let all = cx.op("Range", &[start, &limit, delta])?;
    Ok(vec![cx.cast(&all, dtype)?])
}

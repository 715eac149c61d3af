//! Values that are known before the run, such as the shape arithmetic of exporters.

use levada_graph::attr::Attrs;
use levada_graph::op::FromAttr;
use levada_graph::{DType, PartialShape, Shape, Tensor};

/// Larger values are left to the compiler, which folds constants anyway.
const MOST: usize = 1024;

/// The first output of a node of this op, if it follows from the known inputs.
pub(crate) fn value(op: &str, attrs: &Attrs, shapes: &[PartialShape], inputs: &[Option<&Tensor>]) -> Option<Tensor> {
    match op {
        "Shape" => {
            let dims = shapes.first()?.known()?.to_signed();
            return integers(dtype(attrs, "out_type").unwrap_or(DType::I32), Shape::vector(dims.len()), dims);
        }
        "Size" => {
            let n = shapes.first()?.num_elements()? as i64;
            return integers(dtype(attrs, "out_type").unwrap_or(DType::I32), Shape::scalar(), vec![n]);
        }
        "Rank" => return integers(DType::I32, Shape::scalar(), vec![shapes.first()?.rank()? as i64]),
        _ => {}
    }
    let inputs: Vec<&Tensor> = inputs.iter().copied().collect::<Option<_>>()?;
    let first = *inputs.first()?;
    let is_small = |t: &&Tensor| t.num_elements() <= MOST && (t.dtype().is_integer() || t.dtype() == DType::Bool);
    if !inputs.iter().all(is_small) {
        return None;
    }
    let ints = |i: usize| {
        let tensor = inputs.get(i)?;
        match tensor.slice::<bool>() {
            Ok(bools) => Some(bools.iter().map(|&b| i64::from(b)).collect::<Vec<_>>()),
            Err(_) => tensor.to_i64s().ok(),
        }
    };
    let reshaped = |dims: Vec<usize>| first.clone().reshaped(Shape::new(dims).ok()?).ok();
    let axis = |i: usize, rank: usize| {
        let axis = *ints(i)?.first()?;
        usize::try_from(if axis < 0 { axis + rank as i64 } else { axis }).ok().filter(|a| *a <= rank)
    };
    match op {
        "Identity" => Some(first.clone()),
        "Cast" => {
            let to = dtype(attrs, "DstT").filter(|to| to.is_integer())?;
            integers(to, first.shape().clone(), ints(0)?)
        }
        "Reshape" => {
            let (n, wanted) = (first.num_elements(), ints(1)?);
            let rest: i64 = wanted.iter().filter(|d| **d >= 0).product();
            let filled = wanted.iter().map(|&d| match d {
                d if d >= 0 => usize::try_from(d).ok(),
                _ => n.checked_div(usize::try_from(rest).ok()?),
            });
            reshaped(filled.collect::<Option<_>>()?)
        }
        "ExpandDims" => {
            let rank = first.shape().rank();
            let at = *ints(1)?.first()?;
            let at = usize::try_from(if at < 0 { at + rank as i64 + 1 } else { at }).ok().filter(|a| *a <= rank)?;
            let mut dims = first.shape().to_vec();
            dims.insert(at, 1);
            reshaped(dims)
        }
        "Squeeze" => {
            let squeezed = Vec::<i64>::from_attr(attrs.get("squeeze_dims")?)?;
            let rank = first.shape().rank() as i64;
            let gone = |i: usize| match squeezed.is_empty() {
                true => first.shape()[i] == 1,
                false => squeezed.iter().any(|&s| s == i as i64 || s + rank == i as i64),
            };
            reshaped((0..first.shape().rank()).filter(|&i| !gone(i)).map(|i| first.shape()[i]).collect())
        }
        "Pack" => {
            let scalars = inputs.iter().all(|t| t.shape().is_scalar());
            let all = (0..inputs.len()).map(|i| Some(ints(i)?[0])).collect::<Option<Vec<_>>>();
            scalars.then(|| integers(first.dtype(), Shape::vector(inputs.len()), all?)).flatten()
        }
        "ConcatV2" => {
            let last = inputs.len() - 1;
            let vectors = inputs[..last].iter().all(|t| t.shape().rank() == 1);
            let all: Vec<i64> = (0..last).map(ints).collect::<Option<Vec<_>>>()?.concat();
            vectors.then(|| integers(first.dtype(), Shape::vector(all.len()), all)).flatten()
        }
        "GatherV2" => {
            let (from, at) = (ints(0)?, ints(1)?);
            let (rank, picked) = (first.shape().rank(), inputs[1].shape());
            let chosen = at.iter().map(|&i| from.get(usize::try_from(i).ok()?).copied()).collect::<Option<Vec<_>>>()?;
            (rank == 1 && axis(2, 1)? == 0).then(|| integers(first.dtype(), picked.clone(), chosen)).flatten()
        }
        "Slice" => {
            let (from, begin, size) = (ints(0)?, ints(1)?, ints(2)?);
            let ([begin], [size], 1) = (&begin[..], &size[..], first.shape().rank()) else { return None };
            let begin = usize::try_from(*begin).ok()?;
            let end = if *size < 0 { from.len() } else { begin.checked_add(usize::try_from(*size).ok()?)? };
            let part = from.get(begin..end)?.to_vec();
            integers(first.dtype(), Shape::vector(part.len()), part)
        }
        "StridedSlice" => strided(attrs, first, [ints(0)?, ints(1)?, ints(2)?, ints(3)?]),
        "Range" => {
            let (start, limit, delta) = (ints(0)?[0], ints(1)?[0], ints(2)?[0]);
            let count = match delta {
                0 => return None,
                d if d > 0 => (limit.checked_sub(start)?.max(0) as u64).div_ceil(d as u64),
                d => (start.checked_sub(limit)?.max(0) as u64).div_ceil(d.unsigned_abs()),
            };
            let count = usize::try_from(count).ok().filter(|n| *n <= MOST)?;
            let all = (0..count as i64).map(|i| start + i * delta).collect();
            integers(first.dtype(), Shape::vector(count), all)
        }
        "Prod" => {
            let all = (first.shape().rank() == 1 && ints(1)? == [0]).then(|| ints(0))??;
            let product = all.iter().try_fold(1i64, |n, &d| n.checked_mul(d))?;
            let shape = if bool::from_attr(attrs.get("keep_dims")?)? { Shape::vector(1) } else { Shape::scalar() };
            integers(first.dtype(), shape, vec![product])
        }
        "Neg" => {
            let negated = ints(0)?.into_iter().map(i64::checked_neg).collect::<Option<_>>()?;
            integers(first.dtype(), first.shape().clone(), negated)
        }
        "Fill" => {
            let shape = Shape::from_signed(&ints(0)?).ok().filter(|shape| shape.num_elements() <= MOST)?;
            let number = *ints(1)?.first()?;
            integers(inputs[1].dtype(), shape.clone(), vec![number; shape.num_elements()])
        }
        "SelectV2" => {
            let (which, x, y) = (ints(0)?, ints(1)?, ints(2)?);
            let shape = inputs.iter().map(|t| t.shape()).find(|shape| shape.rank() > 0).unwrap_or(first.shape());
            let fits = inputs.iter().all(|t| t.shape() == shape || t.shape().is_scalar());
            let at = |v: &[i64], i: usize| if v.len() == 1 { v[0] } else { v[i] };
            let chosen = |i: usize| if at(&which, i) != 0 { at(&x, i) } else { at(&y, i) };
            let all = fits.then(|| (0..shape.num_elements()).map(chosen).collect())?;
            integers(inputs[1].dtype(), shape.clone(), all)
        }
        "LogicalNot" => {
            let all = ints(0)?.into_iter().map(|b| i64::from(b == 0)).collect();
            integers(DType::Bool, first.shape().clone(), all)
        }
        "AddV2" | "Sub" | "Mul" | "FloorDiv" | "TruncateDiv" | "Maximum" | "Minimum" | "Equal" | "NotEqual"
        | "Less" | "LessEqual" | "Greater" | "GreaterEqual" | "LogicalAnd" | "LogicalOr" => {
            let tests = |holds: bool| Some(i64::from(holds));
            let combine = |a: i64, b: i64| match op {
                "Equal" => tests(a == b),
                "NotEqual" => tests(a != b),
                "Less" => tests(a < b),
                "LessEqual" => tests(a <= b),
                "Greater" => tests(a > b),
                "GreaterEqual" => tests(a >= b),
                "LogicalAnd" => tests(a != 0 && b != 0),
                "LogicalOr" => tests(a != 0 || b != 0),
                "AddV2" => a.checked_add(b),
                "Sub" => a.checked_sub(b),
                "Mul" => a.checked_mul(b),
                "FloorDiv" => a.checked_div_euclid(b).filter(|_| b > 0),
                "TruncateDiv" => a.checked_div(b),
                "Maximum" => Some(a.max(b)),
                _ => Some(a.min(b)),
            };
            let (a, b) = (ints(0)?, ints(1)?);
            let shape = match (a.len(), b.len()) {
                _ if first.shape() == inputs[1].shape() => first.shape().clone(),
                (1, _) if first.shape().rank() <= inputs[1].shape().rank() => inputs[1].shape().clone(),
                (_, 1) if first.shape().rank() >= inputs[1].shape().rank() => first.shape().clone(),
                _ => return None,
            };
            let at = |v: &[i64], i: usize| if v.len() == 1 { v[0] } else { v[i] };
            let all = (0..shape.num_elements()).map(|i| combine(at(&a, i), at(&b, i))).collect::<Option<_>>()?;
            let numbers = matches!(op, "AddV2" | "Sub" | "Mul" | "FloorDiv" | "TruncateDiv" | "Maximum" | "Minimum");
            integers(if numbers { first.dtype() } else { DType::Bool }, shape, all)
        }
        _ => None,
    }
}

/// A slice of a vector by one range, or an element of it.
fn strided(attrs: &Attrs, from: &Tensor, [values, begin, end, step]: [Vec<i64>; 4]) -> Option<Tensor> {
    let mask = |name: &str| i64::from_attr(attrs.get(name)?);
    let ([begin], [end], [step], 1) = (&begin[..], &end[..], &step[..], from.shape().rank()) else { return None };
    if *step != 1 || mask("ellipsis_mask").unwrap_or(0) != 0 || mask("new_axis_mask").unwrap_or(0) != 0 {
        return None;
    }
    let n = values.len() as i64;
    let place = |i: i64| (if i < 0 { i + n } else { i }).clamp(0, n) as usize;
    if mask("shrink_axis_mask").unwrap_or(0) == 1 {
        let at = usize::try_from(if *begin < 0 { begin + n } else { *begin }).ok()?;
        return integers(from.dtype(), Shape::scalar(), vec![*values.get(at)?]);
    }
    let begin = if mask("begin_mask").unwrap_or(0) == 1 { 0 } else { place(*begin) };
    let end = if mask("end_mask").unwrap_or(0) == 1 { values.len() } else { place(*end) };
    let part = values.get(begin..end.max(begin))?.to_vec();
    integers(from.dtype(), Shape::vector(part.len()), part)
}

fn dtype(attrs: &Attrs, name: &str) -> Option<DType> {
    DType::from_attr(attrs.get(name)?)
}

/// A tensor of these integers, converted to bools for that dtype; `None` if one does not fit.
pub(crate) fn integers(dtype: DType, shape: Shape, values: Vec<i64>) -> Option<Tensor> {
    if dtype == DType::Bool {
        return Tensor::from_vec(shape, values.into_iter().map(|v| v != 0).collect()).ok();
    }
    levada_graph::dispatch!(dtype, integers, |T| {
        let narrow = values.iter().map(|&v| T::try_from(v).ok()).collect::<Option<Vec<T>>>()?;
        Tensor::from_vec(shape, narrow).ok()
    }, else None)
}

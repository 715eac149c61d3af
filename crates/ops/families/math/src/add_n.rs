//! `AddN` and `AccumulateNV2`: the sum of any number of tensors.

use crate::prelude::*;
use levada_graph::Variant;

attrs! {
    /// The elementwise sum of all inputs, which must have the same shape.
    pub struct AddN {
        /// Number of inputs.
        n: i64 = Attr::int("N").at_least(1),
        /// Element type.
        dtype: DType = Attr::dtype("T", SUMMED),
    }
}

const SUMMED: &[DType] = {
    use DType::*;
    &[F32, F64, I32, U8, I16, I8, C64, I64, QI8, QU8, QI32, BF16, QI16, QU16, U16, C128, F16, U32, U64, Variant]
};

pub static ADD_N: Def<AddN> = op::<AddN>("AddN")
    .spreads()
    .inputs(&[arg("inputs", of("T")).times("N")])
    .outputs(&[arg("sum", of("T"))])
    .shape(|op: &AddN, cx| {
        if op.dtype == DType::Variant {
            return Ok(());
        }
        let merged = (1..cx.num_inputs()).try_fold(cx.input(0), |shape, i| shape.merge(&cx.input(i)))?;
        cx.output(0, merged);
        Ok(())
    })
    .gradient(|_, g| vec![g.dy(0).into(); g.num_inputs()])
    .kernel(|op, cx| match op.dtype {
        DType::Variant => sum_variants(cx),
        dtype if cx.is_asked() => dispatch!(dtype, numbers, |T| answer::<T>(op, cx), else Ok(())),
        dtype => sum_inputs(dtype, cx),
    })
    .supports(|op| op.dtype == DType::Variant || sets::NUMBERS.contains(&op.dtype))
    .piecewise(|op| if op.dtype == DType::Variant { Piecewise::No } else { Piecewise::Alike })
    .strip(|op| match usize::try_from(op.n).ok()?.checked_sub(1)? {
        _ if op.dtype != DType::F32 => None,
        0 => Some(Strip::Basic(Basic::Identity)),
        more => Some(Strip::Series { first: 0, then: ADDITIONS.get(..more)? }),
    })
    .epilogue(|op| (op.n == 2 && Epilogue::is_for(op.dtype)).then_some(Epilogue::Sum))
    .batch(|op, b| if op.dtype == DType::Variant { None } else { leading(op, b) });

/// The additions for the inputs after the first; nodes with more inputs are not computed in strips.
const ADDITIONS: &[(Basic, usize)] = &{
    let mut all = [(Basic::Add, 0); 31];
    let mut i = 0;
    while i < all.len() {
        all[i].1 = i + 1;
        i += 1;
    }
    all
};

/// Adds scalar variants as their type defines addition.
fn sum_variants(cx: &mut Cx<'_, '_>) -> Result<()> {
    for i in 0..cx.num_inputs() {
        let shape = cx.input(i)?.shape();
        if !shape.is_scalar() {
            return Err(Error::invalid(format!(
                "AddN of non-scalar Tensor with dtype=DT_VARIANT is not supported; input {i} has shape: {shape}"
            )));
        }
    }
    let mut sum = cx.take(0)?;
    for i in 1..cx.num_inputs() {
        sum = Tensor::scalar(sum.item::<Variant>()?.add(&cx.scalar::<Variant>(i)?)?);
    }
    cx.set(0, sum);
    Ok(())
}

attrs! {
    /// The elementwise sum of all inputs, which must have the same shape.
    pub struct AccumulateNV2 {
        /// Number of inputs.
        n: i64 = Attr::int("N").at_least(1),
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::NUMBERTYPE),
        /// Shape of the inputs and the sum.
        shape: PartialShape = Attr::shape("shape"),
    }
}

pub static ACCUMULATE_NV2: Def<AccumulateNV2> = op::<AccumulateNV2>("AccumulateNV2")
    .inputs(&[arg("inputs", of("T")).times("N")])
    .outputs(&[arg("sum", of("T"))])
    .shape(|op: &AccumulateNV2, cx| {
        let merged = (0..cx.num_inputs()).try_fold(op.shape.clone(), |shape, i| shape.merge(&cx.input(i)))?;
        cx.output(0, merged);
        Ok(())
    })
    .gradient(|_, g| vec![g.dy(0).into(); g.num_inputs()])
    .kernel(accumulate_nv2)
    .supports(|op| sets::NUMBERS.contains(&op.dtype));

fn accumulate_nv2(op: &AccumulateNV2, cx: &mut Cx<'_, '_>) -> Result<()> {
    if !op.shape.accepts(cx.input(0)?.shape()) {
        return Err(Error::invalid("the inputs of AccumulateNV2 do not have the shape of its attr")
            .attr("shape")
            .expected(format!("shape {}", op.shape))
            .found(format!("shape {}", cx.input(0)?.shape())));
    }
    sum_inputs(op.dtype, cx)
}

fn sum_inputs(dtype: DType, cx: &mut Cx<'_, '_>) -> Result<()> {
    let first = cx.input(0)?.shape();
    for i in 1..cx.num_inputs() {
        let other = cx.input(i)?.shape();
        if other != first {
            return Err(Error::invalid(format!(
                "Inputs must have the same size and shape. Input 0: {first} != input {i}: {other}"
            )));
        }
    }
    if cx.num_inputs() == 1 {
        let only = cx.take(0)?;
        cx.set(0, only);
        return Ok(());
    }
    dispatch!(dtype, numbers, |T| sum::<T>(cx), else Err(crate::elementwise::no_kernel(dtype)))
}

/// Registers the function this op computes on scalars.
fn answer<T: Number>(op: &AddN, cx: &mut Cx<'_, '_>) -> Result<()> {
    let count = op.n as usize;
    cx.answer(ScalarFunction::any(move |item| add_up::<T>(count, item)));
    Ok(())
}

/// The sum of scalars. Compiled once, because the order of two NaNs decides which of them the sum is.
#[inline(never)]
fn add_up<T: Number>(count: usize, item: &dyn Fn(usize) -> Option<T>) -> Option<T> {
    let mut sum = item(0)?.widen();
    for i in 1..count {
        sum = sum.add(item(i)?.widen());
    }
    Some(T::narrow(sum))
}

/// Elements summed per block, small enough that the running sums stay in the L1 cache.
const BLOCK: usize = 1024;

fn sum<T: Number>(cx: &mut Cx<'_, '_>) -> Result<()> {
    let (dtype, shape) = (cx.input(0)?.dtype(), cx.input(0)?.shape().clone());
    if shape.is_scalar() {
        let sum = add_up::<T>(cx.num_inputs(), &|i| cx.scalar(i).ok());
        cx.set(0, Tensor::scalar(sum.ok_or_else(|| Error::internal("an input of AddN is not a scalar"))?));
        return Ok(());
    }
    let (mut out, taken) = cx.forward_or_alloc(0, dtype, &shape)?;
    let rest: Vec<&[T]> = (usize::from(taken)..cx.num_inputs()).map(|i| cx.slice(i)).collect::<Result<_>>()?;
    let nanos = 0.05 * (rest.len() * size_of::<T>()) as f64;
    cx.pool().for_chunks(out.slice_mut::<T>()?, 1, nanos, |start, out| {
        vectorized_for!(T, {
            let mut sums = [T::Wide::zero(); BLOCK];
            for (at, out) in (start..).step_by(BLOCK).zip(out.chunks_mut(BLOCK)) {
                let sums = &mut sums[..out.len()];
                let block = at..at + out.len();
                let (first, rest) = match (taken, &rest[..]) {
                    (false, [first, rest @ ..]) => (&first[block.clone()], rest),
                    (_, rest) => (&*out, rest),
                };
                for (sum, x) in sums.iter_mut().zip(first) {
                    *sum = x.widen();
                }
                for pair in rest.chunks(2) {
                    match pair {
                        [x, y] => {
                            for ((sum, x), y) in sums.iter_mut().zip(&x[block.clone()]).zip(&y[block.clone()]) {
                                *sum = sum.add(x.widen()).add(y.widen());
                            }
                        }
                        [x] => {
                            for (sum, x) in sums.iter_mut().zip(&x[block.clone()]) {
                                *sum = sum.add(x.widen());
                            }
                        }
                        _ => {}
                    }
                }
                for (out, sum) in out.iter_mut().zip(sums) {
                    *out = T::narrow(*sum);
                }
            }
        });
    });
    cx.set(0, out);
    Ok(())
}

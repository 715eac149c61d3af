//! Normalizations.

use super::activation::choose;
use super::prelude::*;

pub(crate) const OPERATORS: &[Operator] = &[
    op("BatchNormalization", &[1, 6, 7, 9, 14, 15], batch),
    op("GroupNormalization", &[18, 21], group),
    op("InstanceNormalization", &[1, 6, 22], instance),
    op("LRN", &[1, 13], local_response),
    op("LayerNormalization", &[1, 17], layer),
    op("LpNormalization", &[1, 22], lp),
    op("MeanVarianceNormalization", &[9, 13], mean_variance),
    op("RMSNormalization", &[23], rms),
];

/// The type that statistics are computed in.
fn stash(cx: &mut Cx<'_, '_>, x: &Val) -> Result<DType> {
    let dtype = cx.dtype(x);
    Ok(match cx.int_or("stash_type", 1)? {
        1 if dtype != DType::F64 => DType::F32,
        _ => dtype,
    })
}

/// The mean and the variance over these axes, which are kept with size one.
pub(super) fn moments(cx: &mut Cx<'_, '_>, x: &Val, axes: &[i64]) -> Result<(Val, Val)> {
    let mean = cx.reduce("Mean", x, axes, true)?;
    let squares = cx.op("SquaredDifference", &[x, &mean])?;
    let variance = cx.reduce("Mean", &squares, axes, true)?;
    Ok((mean, variance))
}

/// `1 / sqrt(x + epsilon)`
pub(super) fn inverse_deviation(cx: &mut Cx<'_, '_>, variance: &Val, epsilon: f32) -> Result<Val> {
    let shifted = cx.plus_number(variance, epsilon.into())?;
    cx.op("Rsqrt", &[&shifted])
}

/// One value for each channel, followed by the spatial axes.
fn per_channel(cx: &mut Cx<'_, '_>, val: &Val, rank: usize) -> Result<Val> {
    let mut dims = vec![-1];
    dims.extend(std::iter::repeat_n(1, rank.saturating_sub(2)));
    if dims.len() == 1 { Ok(val.clone()) } else { cx.reshape(val, &dims) }
}

fn batch(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let rank = cx.rank_needed(&x)?;
    let (dtype, epsilon) = (cx.dtype(&x), cx.float_or("epsilon", 1e-5)?);
    let mut parameters = Vec::new();
    for i in 1..5 {
        parameters.push(cx.input(i)?);
    }
    let wide = parameters.iter().map(|val| cx.dtype(val)).find(|d| *d != dtype && !matches!(dtype, DType::F64));
    let common = wide.unwrap_or(dtype);
    let x = cx.cast(&x, common)?;
    let per_element = cx.version < 9 && cx.int_or("spatial", 1)? == 0;
    for val in &mut parameters {
        *val = cx.cast(val, common)?;
        if !per_element {
            *val = per_channel(cx, val, rank)?;
        }
    }
    let [scale, bias, mean, variance] = &parameters[..] else { return Err(Error::internal("four parameters")) };
    if !cx.flag("training_mode", false)? {
        if cx.version < 14 && (1..5).any(|i| cx.wants(i)) && !cx.flag("is_test", false)? {
            return Err(Error::unimplemented(
                "batch normalization in training mode is not supported before version 14",
            ));
        }
        let deviation = inverse_deviation(cx, variance, epsilon)?;
        let factor = cx.times(scale, &deviation)?;
        let shift = cx.times(mean, &factor)?;
        let shift = cx.minus(bias, &shift)?;
        let y = cx.times(&x, &factor)?;
        let y = cx.plus(&y, &shift)?;
        return Ok(vec![cx.cast(&y, dtype)?]);
    }
    let axes: Vec<i64> = (0..rank as i64).filter(|a| *a != 1).collect();
    let (own_mean, own_variance) = moments(cx, &x, &axes)?;
    let deviation = inverse_deviation(cx, &own_variance, epsilon)?;
    let centred = cx.minus(&x, &own_mean)?;
    let y = cx.times(&centred, &deviation)?;
    let y = cx.times(&y, scale)?;
    let y = cx.plus(&y, bias)?;
    let momentum = f64::from(cx.float_or("momentum", 0.9)?);
    let mut outputs = vec![cx.cast(&y, dtype)?];
    for (i, (old, new)) in [(mean, own_mean), (variance, own_variance)].into_iter().enumerate() {
        let input = cx.input(3 + i)?;
        let kind = cx.dtype(&input);
        let (old, new) = (cx.reshape(old, &[-1])?, cx.reshape(&new, &[-1])?);
        let (old, new) = (cx.times_number(&old, momentum)?, cx.times_number(&new, 1.0 - momentum)?);
        let running = cx.plus(&old, &new)?;
        outputs.push(cx.cast(&running, kind)?);
    }
    Ok(outputs)
}

fn instance(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (x, scale, bias) = (cx.input(0)?, cx.input(1)?, cx.input(2)?);
    let rank = cx.rank_needed(&x)?;
    let epsilon = cx.float_or("epsilon", 1e-5)?;
    let dtype = cx.dtype(&x);
    let x = if dtype == DType::F64 { x } else { cx.cast(&x, DType::F32)? };
    let axes: Vec<i64> = (2..rank as i64).collect();
    let (mean, variance) = moments(cx, &x, &axes)?;
    let deviation = inverse_deviation(cx, &variance, epsilon)?;
    let wide = cx.dtype(&x);
    let (scale, bias) = (cx.cast(&scale, wide)?, cx.cast(&bias, wide)?);
    let (scale, bias) = (per_channel(cx, &scale, rank)?, per_channel(cx, &bias, rank)?);
    let centred = cx.minus(&x, &mean)?;
    let y = cx.times(&centred, &deviation)?;
    let y = cx.times(&y, &scale)?;
    let y = cx.plus(&y, &bias)?;
    Ok(vec![cx.cast(&y, dtype)?])
}

/// The axes from `axis` on.
fn from_axis(cx: &mut Cx<'_, '_>, x: &Val) -> Result<Vec<i64>> {
    let axis = cx.int_or("axis", -1)?;
    match (axis < 0, cx.rank(x)) {
        (_, Some(rank)) => {
            let axis = cx.axis(axis, rank)?;
            Ok((axis as i64..rank as i64).collect())
        }
        (true, None) => Ok((axis..0).collect()),
        (false, None) => cx.rank_needed(x).map(|_| Vec::new()),
    }
}

fn layer(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (x, scale, bias) = (cx.input(0)?, cx.input(1)?, cx.optional(2));
    let axes = from_axis(cx, &x)?;
    let (dtype, stash, epsilon) = (cx.dtype(&x), stash(cx, &x)?, cx.float_or("epsilon", 1e-5)?);
    let wide = cx.cast(&x, stash)?;
    let (mean, variance) = moments(cx, &wide, &axes)?;
    let deviation = inverse_deviation(cx, &variance, epsilon)?;
    let centred = cx.minus(&wide, &mean)?;
    let y = cx.times(&centred, &deviation)?;
    let y = cx.cast(&y, dtype)?;
    let scale = cx.cast(&scale, dtype)?;
    let mut y = cx.times(&y, &scale)?;
    if let Some(bias) = bias {
        let bias = cx.cast(&bias, dtype)?;
        y = cx.plus(&y, &bias)?;
    }
    Ok(vec![y, mean, deviation])
}

/// `x / sqrt(mean(x²) + epsilon)` over these axes, computed in the type of the statistics.
pub(super) fn rms_of(cx: &mut Cx<'_, '_>, x: &Val, axes: &[i64], epsilon: f32) -> Result<(Val, Val)> {
    let squares = cx.op("Square", &[x])?;
    let mean = cx.reduce("Mean", &squares, axes, true)?;
    let deviation = inverse_deviation(cx, &mean, epsilon)?;
    Ok((cx.times(x, &deviation)?, deviation))
}

fn rms(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (x, scale) = (cx.input(0)?, cx.input(1)?);
    let axes = from_axis(cx, &x)?;
    let (stash, epsilon) = (stash(cx, &x)?, cx.float_or("epsilon", 1e-5)?);
    let (dtype, result) = (cx.dtype(&x), cx.dtype(&scale));
    let wide = cx.cast(&x, stash)?;
    let (y, _) = rms_of(cx, &wide, &axes, epsilon)?;
    let y = cx.cast(&y, dtype)?;
    let y = cx.cast(&y, result)?;
    Ok(vec![cx.times(&y, &scale)?])
}

fn group(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (x, scale, bias) = (cx.input(0)?, cx.input(1)?, cx.input(2)?);
    let (groups, epsilon) = (cx.int_needed("num_groups")?, cx.float_or("epsilon", 1e-5)?);
    let (rank, dtype) = (cx.rank_needed(&x)?, cx.dtype(&x));
    if groups <= 0 || rank < 2 {
        return Err(Error::invalid("the number of groups is invalid").attr("num_groups").found(groups));
    }
    let stash = if cx.version < 21 { dtype } else { stash(cx, &x)? };
    let shape = cx.shape_of(&x)?;
    let wide = cx.cast(&x, stash)?;
    let batch = cx.size_of(&x, 0)?;
    let (groups_val, rest) = (cx.i64(groups)?, cx.i64(-1)?);
    let dims = cx.pack(&[batch, groups_val, rest])?;
    let flat = cx.op("Reshape", &[&wide, &dims])?;
    let (mean, variance) = moments(cx, &flat, &[2])?;
    let deviation = inverse_deviation(cx, &variance, epsilon)?;
    let centred = cx.minus(&flat, &mean)?;
    let mut y = cx.times(&centred, &deviation)?;
    // The first version has a scale for each group.
    if cx.version < 21 {
        let (scale, bias) = (cx.reshape(&scale, &[-1, 1])?, cx.reshape(&bias, &[-1, 1])?);
        let (scale, bias) = (cx.cast(&scale, stash)?, cx.cast(&bias, stash)?);
        y = cx.times(&y, &scale)?;
        y = cx.plus(&y, &bias)?;
    }
    let known = cx.shape(&x);
    y = cx.op("Reshape", &[&y, &shape])?;
    cx.set_shape(&y, known);
    if cx.version >= 21 {
        let (scale, bias) = (per_channel(cx, &scale, rank)?, per_channel(cx, &bias, rank)?);
        y = cx.cast(&y, dtype)?;
        y = cx.times(&y, &scale)?;
        y = cx.plus(&y, &bias)?;
    }
    Ok(vec![cx.cast(&y, dtype)?])
}

/// The sum of squares over neighbouring channels.
fn local_response(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let (alpha, beta) = (cx.float_or("alpha", 1e-4)?, cx.float_or("beta", 0.75)?);
    let (bias, size) = (cx.float_or("bias", 1.0)?, cx.int_needed("size")?);
    let rank = cx.rank_needed(&x)?;
    if !(1..=1 << 16).contains(&size) || rank < 2 {
        return Err(Error::invalid("the number of channels is invalid").attr("size").found(size));
    }
    let squares = cx.op("Square", &[&x])?;
    let mut pairs = vec![0; 2 * rank];
    (pairs[2], pairs[3]) = ((size - 1) / 2, size / 2);
    let pairs = cx.constant(Tensor::from_vec(Shape::new([rank, 2])?, pairs)?)?;
    let zero = cx.scalar_like(&x, 0.0)?;
    let padded = cx.op("PadV2", &[&squares, &pairs, &zero])?;
    let channels = cx.size_of(&x, 1)?;
    let all = cx.i64(-1)?;
    let sizes: Vec<Val> = (0..rank).map(|i| if i == 1 { channels.clone() } else { all.clone() }).collect();
    let sizes = cx.pack(&sizes)?;
    let mut sum: Option<Val> = None;
    for offset in 0..size {
        let mut begin = vec![0; rank];
        begin[1] = offset;
        let begin = cx.i64s(&begin)?;
        let part = cx.op("Slice", &[&padded, &begin, &sizes])?;
        sum = Some(match sum {
            Some(sum) => cx.plus(&sum, &part)?,
            None => part,
        });
    }
    let sum = sum.ok_or_else(|| Error::internal("a window of at least one channel"))?;
    let scaled = cx.times_number(&sum, f64::from(alpha) / size as f64)?;
    let shifted = cx.plus_number(&scaled, bias.into())?;
    let power = cx.scalar_like(&x, beta.into())?;
    let divisor = cx.op("Pow", &[&shifted, &power])?;
    Ok(vec![cx.over(&x, &divisor)?])
}

/// Zero vectors stay zero.
fn lp(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let (axis, p) = (cx.int_or("axis", -1)?, cx.int_or("p", 2)?);
    let norm = match p {
        1 => {
            let x = cx.op("Abs", &[&x])?;
            cx.reduce("Sum", &x, &[axis], true)?
        }
        2 => {
            let x = cx.op("Square", &[&x])?;
            let sum = cx.reduce("Sum", &x, &[axis], true)?;
            cx.op("Sqrt", &[&sum])?
        }
        other => return Err(Error::invalid("a norm must be of order 1 or 2").attr("p").found(other)),
    };
    let (zero, one) = (cx.scalar_like(&norm, 0.0)?, cx.scalar_like(&norm, 1.0)?);
    let is_zero = cx.op("Equal", &[&norm, &zero])?;
    let divisor = cx.op("SelectV2", &[&is_zero, &one, &norm])?.like(&norm);
    let y = cx.over(&x, &divisor)?;
    let zeros = cx.op("ZerosLike", &[&y])?;
    Ok(vec![choose(cx, &is_zero, &zeros, &y)?])
}

fn mean_variance(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let axes = cx.ints("axes")?.unwrap_or_else(|| vec![0, 2, 3]);
    let (mean, variance) = moments(cx, &x, &axes)?;
    let deviation = cx.op("Sqrt", &[&variance])?;
    let deviation = cx.plus_number(&deviation, 1e-9)?;
    let centred = cx.minus(&x, &mean)?;
    Ok(vec![cx.over(&centred, &deviation)?])
}

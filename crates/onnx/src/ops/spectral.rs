//! Fourier transforms, windows, and the weights of mel spectrograms.

use super::constant::converted;
use super::moving::counting;
use super::prelude::*;
use std::f64::consts::PI;

pub(crate) const OPERATORS: &[Operator] = &[
    op("BlackmanWindow", &[17], |cx| window(cx, [0.42, -0.5, 0.08])),
    op("DFT", &[17, 20], dft),
    op("HammingWindow", &[17], |cx| window(cx, [25.0 / 46.0, 25.0 / 46.0 - 1.0, 0.0])),
    op("HannWindow", &[17], |cx| window(cx, [0.5, -0.5, 0.0])),
    op("MelWeightMatrix", &[17], mel),
    op("STFT", &[17], stft),
];

/// The complex type with parts of a dtype, and the type that the library transforms.
fn complex(dtype: DType) -> (DType, DType) {
    if dtype == DType::F64 { (DType::F64, DType::C128) } else { (DType::F32, DType::C64) }
}

/// The last axis, which holds the real part or both parts, as complex numbers.
fn joined(cx: &mut Cx<'_, '_>, x: &Val) -> Result<Val> {
    let dtype = cx.dtype(x);
    let (part, whole) = complex(dtype);
    let x = cx.cast(x, part)?;
    let both = match cx.shape(&x).dim(-1) {
        Some(1) => {
            let real = cx.squeeze(&x, &[-1])?;
            return Ok(cx.node("Cast").input(&real).attr("DstT", whole).add()?.of_elem(Elem::of(whole)));
        }
        Some(2) => x,
        // Only the run shows whether the imaginary parts are missing.
        None => {
            let two = cx.i64(2)?;
            at_least(cx, &x, &two)?
        }
        Some(other) => return Err(Error::invalid("the last axis of a signal has one or two elements").found(other)),
    };
    let split = cx.node("Unpack").input(&both).attr("num", 2i64).attr("axis", -1i64).all()?;
    let joined = cx.node("Complex").input(&split[0]).input(&split[1]).attr("Tout", whole).add()?;
    Ok(joined.of_elem(Elem::of(whole)))
}

/// Splits complex numbers into both parts along a new last axis.
fn parted(cx: &mut Cx<'_, '_>, x: &Val, dtype: DType) -> Result<Val> {
    let (part, _) = complex(dtype);
    let real = cx.node("Real").input(x).attr("Tout", part).add()?.of_elem(Elem::of(part));
    let imaginary = cx.node("Imag").input(x).attr("Tout", part).add()?.of_elem(Elem::of(part));
    let both = cx.node("Pack").input(&real).input(&imaginary).attr("axis", -1i64).add()?;
    cx.cast(&both, dtype)
}

/// The last axis zero-padded to a length (a scalar int64) if it is shorter.
fn at_least(cx: &mut Cx<'_, '_>, x: &Val, length: &Val) -> Result<Val> {
    let rank = cx.rank_needed(x)?;
    let size = cx.size_of(x, -1)?;
    let zero = cx.i64(0)?;
    let more = cx.minus(length, &size)?;
    let more = cx.op("Maximum", &[&more, &zero])?;
    let mut pairs = vec![zero; 2 * rank];
    pairs[2 * rank - 1] = more;
    let pairs = cx.pack(&pairs)?;
    let (pairs, value) = (cx.reshape(&pairs, &[-1, 2])?, cx.scalar_like(x, 0.0)?);
    cx.op("PadV2", &[x, &pairs, &value])
}

/// The last axis truncated or zero-padded to a length (a scalar int64).
fn of_length(cx: &mut Cx<'_, '_>, x: &Val, length: &Val) -> Result<Val> {
    let rank = cx.rank_needed(x)?;
    let size = cx.size_of(x, -1)?;
    if size == *length || (cx.ints_of(&size).is_some() && cx.ints_of(&size) == cx.ints_of(length)) {
        return Ok(x.clone());
    }
    let padded = at_least(cx, x, length)?;
    let begin = cx.i64s(&vec![0; rank])?;
    let mut sizes = vec![cx.i64(-1)?; rank];
    sizes[rank - 1] = length.clone();
    let sizes = cx.pack(&sizes)?;
    cx.op("Slice", &[&padded, &begin, &sizes])
}

/// The permutation that moves an axis (counted from the front) to the end of `rank`, and its inverse. The axis may be
/// computed in the run.
fn orders(cx: &mut Cx<'_, '_>, axis: &Val, rank: usize) -> Result<(Val, Val)> {
    let rank = cx.i64(rank as i64)?;
    let (all, axis) = (counting(cx, &rank)?, cx.reshape(axis, &[1])?);
    let others = cx.node("ListDiff").input(&all).input(&axis).attr("out_idx", DType::I64).add()?;
    let order = cx.concat(&[others, axis], 0)?;
    let back = cx.op("InvertPermutation", &[&order])?;
    Ok((order, back))
}

fn dft(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let (inverse, onesided) = (cx.flag("inverse", false)?, cx.flag("onesided", false)?);
    let rank = cx.rank_needed(&x)?;
    if rank < 2 {
        return Err(Error::invalid("a signal has an axis and the parts of complex numbers").found(cx.shape(&x)));
    }
    let axis = match cx.version < 20 {
        true => cx.int_or("axis", 1).and_then(|axis| cx.i64(axis))?,
        false => match cx.optional(2) {
            None => cx.i64(-2)?,
            Some(axis) => {
                let axis = cx.cast(&axis, DType::I64)?;
                cx.reshape(&axis, &[])?
            }
        },
    };
    let whole_rank = cx.i64(rank as i64)?;
    let axis = cx.op("FloorMod", &[&axis, &whole_rank])?;
    let dtype = cx.dtype(&x);
    // Errors of float32 accumulate in long transforms.
    let x = cx.cast(&x, DType::F64)?;
    let signal = joined(cx, &x)?;
    let (order, back) = orders(cx, &axis, rank - 1)?;
    let known = PartialShape::of_rank(rank - 1);
    let signal = cx.op("Transpose", &[&signal, &order])?;
    let merged = cx.shape(&signal).merge(&known)?;
    cx.set_shape(&signal, merged);
    let length = match cx.optional(1) {
        Some(length) => {
            let length = cx.cast(&length, DType::I64)?;
            cx.reshape(&length, &[])?
        }
        None => {
            let size = cx.size_of(&signal, -1)?;
            match inverse && onesided {
                true => {
                    let half = cx.plus_number(&size, -1.0)?;
                    cx.times_number(&half, 2.0)?
                }
                false => size,
            }
        }
    };
    if inverse && onesided {
        // Frequencies beyond the last one are zeros.
        let signal = half_of(cx, &signal, &length)?;
        let length = cx.cast(&length, DType::I32)?;
        let length = cx.reshape(&length, &[1])?;
        let node = cx.node("IRFFT").input(&signal).input(&length);
        let y = node.attr("Treal", DType::F64).add()?.of_elem(Elem::DOUBLE);
        let y = cx.op("Transpose", &[&y, &back])?;
        let y = cx.expand(&y, -1)?;
        return Ok(vec![cx.cast(&y, dtype)?]);
    }
    let signal = of_length(cx, &signal, &length)?;
    let mut y = cx.op(if inverse { "IFFT" } else { "FFT" }, &[&signal])?;
    if onesided {
        y = half_of(cx, &y, &length)?;
    }
    let y = cx.op("Transpose", &[&y, &back])?;
    let y = parted(cx, &y, DType::F64)?;
    Ok(vec![cx.cast(&y, dtype)?])
}

/// The frequencies from 0 to half the length of the last axis.
fn half_of(cx: &mut Cx<'_, '_>, x: &Val, length: &Val) -> Result<Val> {
    let two = cx.i64(2)?;
    let half = cx.op("FloorDiv", &[length, &two])?;
    let half = cx.plus_number(&half, 1.0)?;
    of_length(cx, x, &half)
}

fn stft(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (signal, step) = (cx.input(0)?, cx.input(1)?);
    let dtype = cx.dtype(&signal);
    let step = cx.cast(&step, DType::I64)?;
    let step = cx.reshape(&step, &[])?;
    let window = cx.optional(2);
    let length = match (cx.optional(3), &window) {
        (Some(length), _) => {
            let length = cx.cast(&length, DType::I64)?;
            cx.reshape(&length, &[])?
        }
        (None, Some(window)) => cx.size_of(window, 0)?,
        (None, None) => return Err(Error::invalid("STFT needs a window or the length of frames")),
    };
    // Not in the standard, but written by exporters and read by runtimes: a real signal without the axis of parts.
    let signal = if cx.rank(&signal) == Some(2) { cx.expand(&signal, -1)? } else { signal };
    let signal = joined(cx, &signal)?;
    let size = cx.size_of(&signal, 1)?;
    let span = cx.minus(&size, &length)?;
    let frames = cx.op("FloorDiv", &[&span, &step])?;
    let frames = cx.plus_number(&frames, 1.0)?;
    let starts = counting(cx, &frames)?;
    let starts = cx.times(&starts, &step)?;
    let (starts, places) = (cx.expand(&starts, 1)?, counting(cx, &length)?);
    let places = cx.plus(&starts, &places)?;
    let axis = cx.i32(1)?;
    let mut y = cx.op("GatherV2", &[&signal, &places, &axis])?;
    if let Some(window) = window {
        let whole = cx.dtype(&y);
        let weights = cx.node("Cast").input(&window).attr("DstT", whole).add()?.of_elem(Elem::of(whole));
        y = cx.times(&y, &weights)?;
    }
    let mut y = cx.op("FFT", &[&y])?;
    if cx.flag("onesided", true)? {
        y = half_of(cx, &y, &length)?;
    }
    Ok(vec![parted(cx, &y, dtype)?])
}

/// `a[0] + a[1] cos(2πi/n) + a[2] cos(4πi/n)`, where `n` is the size, minus one for symmetric windows.
fn window(cx: &mut Cx<'_, '_>, factors: [f64; 3]) -> Result<Vec<Val>> {
    let size = cx.input(0)?;
    let elem = Elem(cx.int_or("output_datatype", 1)? as i32);
    let size = cx.cast(&size, DType::I64)?;
    let size = cx.reshape(&size, &[])?;
    let numbers = counting(cx, &size)?;
    let (numbers, mut period) = (cx.cast(&numbers, DType::F64)?, cx.cast(&size, DType::F64)?);
    if !cx.flag("periodic", true)? {
        period = cx.plus_number(&period, -1.0)?;
        // A window of one element avoids division by zero.
        let one = cx.scalar(DType::F64, 1.0)?;
        period = cx.op("Maximum", &[&period, &one])?;
    }
    let angle = cx.times_number(&numbers, 2.0 * PI)?;
    let angle = cx.over(&angle, &period)?;
    let cosine = cx.op("Cos", &[&angle])?;
    let mut y = cx.times_number(&cosine, factors[1])?;
    y = cx.plus_number(&y, factors[0])?;
    if factors[2] != 0.0 {
        let double = cx.times_number(&angle, 2.0)?;
        let cosine = cx.op("Cos", &[&double])?;
        let part = cx.times_number(&cosine, factors[2])?;
        y = cx.plus(&y, &part)?;
    }
    Ok(vec![converted(cx, &y, elem)?])
}

/// Triangular filters over the bins of a spectrogram, evenly spaced on the mel scale.
fn mel(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let elem = Elem(cx.int_or("output_datatype", 1)? as i32);
    let mut scalars = Vec::new();
    for i in 0..5 {
        let x = cx.input(i)?;
        let x = cx.reshape(&x, &[])?;
        scalars.push(cx.cast(&x, DType::F64)?);
    }
    let [bins, length, rate, low, high] = &scalars[..] else { return Err(Error::internal("five inputs")) };
    let to_mel = |cx: &mut Cx<'_, '_>, hertz: &Val| {
        let ratio = cx.times_number(hertz, 1.0 / 700.0)?;
        let log = cx.op("Log1p", &[&ratio])?;
        cx.times_number(&log, 2595.0 / std::f64::consts::LN_10)
    };
    let (low, high) = (to_mel(cx, low)?, to_mel(cx, high)?);
    let edges = cx.plus_number(bins, 2.0)?;
    let step = cx.minus(&high, &low)?;
    let step = cx.over(&step, &edges)?;
    let edges = cx.cast(&edges, DType::I64)?;
    let numbers = counting(cx, &edges)?;
    let numbers = cx.cast(&numbers, DType::F64)?;
    let mels = cx.times(&numbers, &step)?;
    let mels = cx.plus(&mels, &low)?;
    let powers = cx.times_number(&mels, std::f64::consts::LN_10 / 2595.0)?;
    let hertz = cx.op("Expm1", &[&powers])?;
    let hertz = cx.times_number(&hertz, 700.0)?;
    let scaled = cx.plus_number(length, 1.0)?;
    let scaled = cx.times(&hertz, &scaled)?;
    // The bins where filters begin, peak and end.
    let places = cx.op("FloorDiv", &[&scaled, rate])?;
    let minus_two = cx.range_of(&places, 0, Some(-2))?;
    let (centre, end) = (cx.range_of(&places, 1, Some(-1))?, cx.range_of(&places, 2, None)?);
    let begin = minus_two;
    let two = cx.scalar(DType::F64, 2.0)?;
    let rows = cx.op("FloorDiv", &[length, &two])?;
    let rows = cx.plus_number(&rows, 1.0)?;
    let rows = cx.cast(&rows, DType::I64)?;
    let rows = counting(cx, &rows)?;
    let rows = cx.cast(&rows, DType::F64)?;
    let rows = cx.expand(&rows, 1)?;
    let (rise, fall) = (cx.minus(&centre, &begin)?, cx.minus(&end, &centre)?);
    let (from_begin, to_end) = (cx.minus(&rows, &begin)?, cx.minus(&end, &rows)?);
    let one = cx.scalar(DType::F64, 1.0)?;
    let zero = cx.scalar(DType::F64, 0.0)?;
    let (safe_rise, safe_fall) = (cx.op("Maximum", &[&rise, &one])?, cx.op("Maximum", &[&fall, &one])?);
    let (up, down) = (cx.over(&from_begin, &safe_rise)?, cx.over(&to_end, &safe_fall)?);
    let is_centre = cx.op("Equal", &[&rows, &centre])?;
    let (before, after) = (cx.op("LessEqual", &[&rows, &centre])?, cx.op("GreaterEqual", &[&rows, &centre])?);
    let (began, not_ended) = (cx.op("GreaterEqual", &[&rows, &begin])?, cx.op("Less", &[&rows, &end])?);
    let (rising, falling) = (cx.op("LogicalAnd", &[&before, &began])?, cx.op("LogicalAnd", &[&after, &not_ended])?);
    // The falling side is written last; a filter without a rising side peaks at its first bin.
    let flat = cx.op("Equal", &[&rise, &zero])?;
    let peak = cx.op("LogicalAnd", &[&is_centre, &flat])?;
    let select = |cx: &mut Cx<'_, '_>, condition: &Val, x: &Val, y: &Val| -> Result<Val> {
        Ok(cx.op("SelectV2", &[condition, x, y])?.of_elem(Elem::DOUBLE))
    };
    let y = select(cx, &rising, &up, &zero)?;
    let y = select(cx, &peak, &one, &y)?;
    let has_fall = cx.op("Greater", &[&fall, &zero])?;
    let falling = cx.op("LogicalAnd", &[&falling, &has_fall])?;
    let y = select(cx, &falling, &down, &y)?;
    Ok(vec![converted(cx, &y, elem)?])
}

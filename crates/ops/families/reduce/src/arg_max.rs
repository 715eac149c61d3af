//! `ArgMax` and `ArgMin`: the index of the maximum or minimum along an axis.

use crate::prelude::*;
use crate::rules::never;

attrs! {
    /// The attrs of `ArgMax` and `ArgMin`.
    pub struct Search {
        /// Element type of `input`.
        dtype: DType = Attr::dtype("T", ORDERED),
        /// Element type of `dimension`.
        index: DType = Attr::dtype("Tidx", &[DType::I16, DType::I32, DType::I64]).or_type(DType::I32),
        /// Element type of the result.
        output: DType = Attr::dtype("output_type", &[DType::I16, DType::U16, DType::I32, DType::I64]).or_type(DType::I64),
    }
}

const INPUTS: &[Arg] = &[arg("input", of("T")), arg("dimension", of("Tidx"))];
const OUTPUTS: &[Arg] = &[arg("output", of("output_type"))];

const fn search(name: &'static str, kernel: fn(&Search, &mut Cx<'_, '_>) -> Result<()>) -> Def<Search> {
    op(name)
        .inputs(INPUTS)
        .outputs(OUTPUTS)
        .shape(infer)
        .gradient(|_, g| never(g))
        .host_inputs(&[1])
        .kernel(kernel)
        .heavy()
        .supports(|op| op.dtype.is_storage())
}

pub static ARG_MAX: Def<Search> = search("ArgMax", extreme::<false>)
    .doc("Returns the index of the maximum along an axis, the first one if there are several. NaN is ignored.")
    .batch(levada_ops_core::batch::along_axes);

pub static ARG_MIN: Def<Search> = search("ArgMin", extreme::<true>)
    .doc("Returns the index of the minimum along an axis, the first one if there are several. NaN is ignored.")
    .attrs(&[
        Attr::dtype("Tidx", sets::INDEX).or_type(DType::I32),
        Attr::dtype("output_type", sets::INDEX).or_type(DType::I64),
    ])
    .batch(levada_ops_core::batch::along_axes);

fn extreme<const LEAST: bool>(op: &Search, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (shape, split) = arg_axis(cx.input(0)?.shape(), cx.input(1)?)?;
    let found = match op.dtype {
        DType::Bool => {
            let bytes: Vec<u8> = cx.slice::<bool>(0)?.iter().map(|&b| b.into()).collect();
            find::<u8, LEAST>(cx, &bytes, split)
        }
        dtype => dispatch!(dtype, reals, |T| find::<T, LEAST>(cx, cx.slice::<T>(0)?, split), else {
            return unsupported(cx, dtype);
        }),
    };
    dispatch!(op.output, integers, |O| cx.produce::<O>(0, &shape, |_, out| {
        out.iter_mut().zip(&found).for_each(|(o, &i)| *o = i as O);
        Ok(())
    }), else unsupported(cx, op.output))
}

const ORDERED: &[DType] = {
    use DType::*;
    &[F32, F64, I32, U8, I16, I8, I64, BF16, U16, F16, U32, U64, QI8, QU8, QI32, QI16, QU16, Bool]
};

fn infer(_: &Search, cx: &mut ShapeCx<'_>) -> Result<()> {
    cx.with_rank(1, 0)?;
    let input = cx.input(0);
    let Some(dims) = input.dims() else { return Ok(()) };
    let rank = dims.len();
    if rank <= 1 {
        cx.output_scalar(0);
        return Ok(());
    }
    match cx.constant_i64s(1).as_deref() {
        Some(&[axis]) => {
            if axis < -(rank as i64) || axis >= rank as i64 {
                return Err(wrong_axis(axis, rank));
            }
            let axis = axis.rem_euclid(rank as i64) as usize;
            cx.output(0, PartialShape::new(dims.iter().enumerate().filter(|&(i, _)| i != axis).map(|(_, &d)| d)));
        }
        _ => cx.output(0, PartialShape::of_rank(rank - 1)),
    }
    Ok(())
}

fn wrong_axis(axis: i64, rank: usize) -> Error {
    Error::invalid(format!("Expected dimension in the range [-{rank}, {rank}), but got {axis}"))
}

/// Returns the result's shape, and the input as (outer, axis, inner).
///
/// # Errors
/// `INVALID_ARGUMENT` if `dimension` is not an axis, or the axis has no elements.
pub fn arg_axis(shape: &Shape, dimension: &Tensor) -> Result<(Shape, [usize; 3])> {
    if !dimension.shape().is_scalar() {
        return Err(Error::invalid(format!(
            "dim must be a scalar, but received tensor of shape: {}",
            dimension.shape()
        )));
    }
    let rank = shape.rank() as i64;
    let axis = dimension.to_i64s()?[0];
    if axis < -rank || axis >= rank {
        return Err(wrong_axis(axis, shape.rank()));
    }
    let axis = axis.rem_euclid(rank) as usize;
    if shape[axis] == 0 {
        return Err(Error::invalid(format!("Reduction axis {axis} is empty in shape {shape}")));
    }
    let split = [shape[..axis].iter().product(), shape[axis], shape[axis + 1..].iter().product()];
    let rest = shape.iter().enumerate().filter(|&(i, _)| i != axis).map(|(_, &d)| d);
    Ok((Shape::new(rest)?, split))
}

fn find<T: Real, const LEAST: bool>(cx: &Cx<'_, '_>, x: &[T], [outer, n, inner]: [usize; 3]) -> Vec<i64> {
    let mut out = vec![0i64; outer * inner];
    let nanos = n as f64 * 0.1 * size_of::<T>() as f64;
    if inner == 1 {
        cx.pool().for_chunks(&mut out, 1, nanos, |first, out| {
            vectorized_for!(T, {
                for (i, o) in out.iter_mut().enumerate() {
                    *o = in_row::<T, LEAST>(&x[(first + i) * n..(first + i + 1) * n]);
                }
            });
        });
    } else {
        cx.pool().for_chunks(&mut out, 1, nanos, |first, out| {
            let mut at = 0;
            while at < out.len() {
                let (i, column) = ((first + at) / inner, (first + at) % inner);
                let width = (inner - column).min(out.len() - at).min(1024);
                let x = &x[i * n * inner + column..(i + 1) * n * inner];
                vectorized_for!(T, in_columns::<T, LEAST>(x, n, inner, &mut out[at..at + width]));
                at += width;
            }
        });
    }
    out
}

/// Returns whether `a` is better than `b`. The search starts from the worst finite value at index 0, so NaN and values
/// that are not better than that are never found, as in TensorFlow.
#[inline(always)]
fn better<T: Real, const LEAST: bool>(a: T, b: T) -> bool {
    if LEAST { a < b } else { a > b }
}

#[inline(always)]
fn worst<T: Real, const LEAST: bool>() -> T {
    if LEAST { T::HIGHEST } else { T::LOWEST }
}

/// Elements of a row that are compared at a time.
const LANES: usize = 32;

#[inline(always)]
fn best_of<T: Real, const LEAST: bool>(a: T, b: T) -> T {
    if better::<T, LEAST>(a, b) { a } else { b }
}

// Plain loops: closures that are not inlined would not be compiled for the vectors of this machine.
#[inline(always)]
fn in_row<T: Real, const LEAST: bool>(x: &[T]) -> i64 {
    let (pieces, rest) = x.as_chunks::<LANES>();
    let mut best = worst::<T, LEAST>();
    if !pieces.is_empty() {
        for v in in_lanes::<T, LEAST>(pieces) {
            best = best_of::<T, LEAST>(v, best);
        }
    }
    for &v in rest {
        best = best_of::<T, LEAST>(v, best);
    }
    if !better::<T, LEAST>(best, worst::<T, LEAST>()) {
        return 0;
    }
    // Without branches within a piece: where the first one is cannot be predicted.
    let mut at = 0;
    for piece in pieces {
        if holds(piece, best) {
            break;
        }
        at += LANES;
    }
    let mut found = 0;
    for (i, &v) in x[at..x.len().min(at + LANES)].iter().enumerate().rev() {
        found = if v == best { i } else { found };
    }
    (at + found) as i64
}

#[inline(always)]
fn in_lanes<T: Real, const LEAST: bool>(pieces: &[[T; LANES]]) -> [T; 4] {
    let mut lanes = [worst::<T, LEAST>(); LANES];
    for piece in pieces {
        for i in 0..LANES {
            lanes[i] = best_of::<T, LEAST>(piece[i], lanes[i]);
        }
    }
    let mut few = [worst::<T, LEAST>(); 4];
    for lanes in lanes.as_chunks::<4>().0 {
        for i in 0..4 {
            few[i] = best_of::<T, LEAST>(lanes[i], few[i]);
        }
    }
    few
}

#[inline(always)]
fn holds<T: Real>(piece: &[T; LANES], value: T) -> bool {
    let mut any = false;
    for &v in piece {
        any |= v == value;
    }
    any
}

#[inline(always)]
fn in_columns<T: Real, const LEAST: bool>(x: &[T], n: usize, stride: usize, out: &mut [i64]) {
    let mut best = vec![worst::<T, LEAST>(); out.len()];
    out.fill(0);
    for i in 0..n {
        let row = &x[i * stride..i * stride + out.len()];
        for ((&v, best), o) in row.iter().zip(&mut best).zip(out.iter_mut()) {
            let found = better::<T, LEAST>(v, *best);
            *best = if found { v } else { *best };
            *o = if found { i as i64 } else { *o };
        }
    }
}

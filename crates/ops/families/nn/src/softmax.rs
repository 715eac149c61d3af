//! `Softmax` and `LogSoftmax` along the last axis.

use super::logits::{LANES, Rows, exp_sum, greatest};
use crate::prelude::*;
use crate::rules::{Handles, first};
use crate::simd::Exp;
use levada_kernel::stream::Stream;

attrs! {
    /// The attrs of softmax ops.
    pub struct Softmax {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::FLOATS),
    }
}

const LOGITS: &[Arg] = &[arg("logits", of("T"))];

const fn softmaxes(name: &'static str, kernel: fn(&Softmax, &mut Cx<'_, '_>) -> Result<()>) -> Def<Softmax> {
    op(name)
        .inputs(LOGITS)
        .shape(|_, cx| {
            let shape = cx.rank_at_least(0, 1)?;
            cx.output(0, shape);
            Ok(())
        })
        .kernel(kernel)
        .heavy()
        .tiles(Stage::Rows, |_, inputs| {
            let shape = inputs.first()?.shape.clone();
            let last = shape.rank().checked_sub(1)?;
            let cut = |axis| (axis < last).then(|| Cut::from_slice(&[Some(axis)]));
            Some(Cuts { axes: (0..shape.rank()).map(cut).collect(), shape })
        })
}

pub static SOFTMAX: Def<Softmax> = softmaxes(
    "Softmax",
    |op, cx| dispatch!(op.dtype, floats, |T| softmax::<T>(cx, false), else unsupported(cx, op.dtype)),
)
.doc("The softmax along the last axis: `exp(x) / sum(exp(x))`.")
.outputs(&[arg("softmax", of("T"))])
.gradient(|_, g| {
    let (y, dy) = (g.output(0), g.dy(0));
    first(g, (dy - last_axis_sum(dy * y)) * y)
})
.batch(|op, b| if b.rank(0)? < 1 { None } else { leading(op, b) });

pub static LOG_SOFTMAX: Def<Softmax> = softmaxes(
    "LogSoftmax",
    |op, cx| dispatch!(op.dtype, floats, |T| softmax::<T>(cx, true), else unsupported(cx, op.dtype)),
)
.doc("The logarithm of the softmax along the last axis.")
.outputs(&[arg("logsoftmax", of("T"))])
.gradient(|_, g| {
    let (y, dy) = (g.output(0), g.dy(0));
    first(g, dy - last_axis_sum(dy) * y.exp())
})
.batch(|op, b| if b.rank(0)? < 1 { None } else { leading(op, b) });

/// The sum along the last axis, which is kept with size 1.
pub(super) fn last_axis_sum(x: V<'_>) -> V<'_> {
    x.sum_keep(x.cx().ints(&[-1]))
}

fn softmax<T: Rows<Base: Exp>>(cx: &mut Cx<'_, '_>, log: bool) -> Result<()> {
    let shape = cx.input(0)?.shape().clone();
    let Some(&classes) = shape.last() else {
        return Err(Error::invalid("logits must have >= 1 dimension").found("a scalar"));
    };
    cx.produce::<T>(0, &shape, |cx, out| {
        let x = cx.slice::<T>(0)?;
        // Halves are first computed in a separate buffer.
        let bytes = if T::DTYPE == T::Base::DTYPE { size_of_val(out) } else { 0 };
        cx.pool().for_chunks(out, classes, 20.0 + classes as f64 * 0.4, |first, out| {
            let x = &x[first * classes..first * classes + out.len()];
            T::map(x, out, |x, out| rows(x, out, classes, log, Stream::to(bytes)));
        });
        Ok(())
    })
}

#[inline(never)]
fn rows<B: num_traits::Float + Number + Exp + Element + Copy>(
    x: &[B],
    out: &mut [B],
    classes: usize,
    log: bool,
    mut stream: Option<Stream>,
) {
    if classes <= SHORT {
        return short_rows(x, out, classes, log);
    }
    let mut made = if stream.is_some() { vec![<B as Number>::zero(); classes] } else { Vec::new() };
    vectorized!({
        for (x, out) in x.chunks_exact(classes).zip(out.chunks_exact_mut(classes)) {
            match &mut stream {
                Some(stream) => {
                    row(x, &mut made, log);
                    stream.copy(&made, out);
                }
                None => row(x, out, log),
            }
        }
    });
}

/// Rows with at most this many classes are processed in groups, so that their exponentials fill vectors.
const SHORT: usize = LANES - 1;
/// Approximate number of elements per group of such rows.
const BLOCK: usize = 1024;

/// As [`rows`] for rows of few classes, with the same summation order.
fn short_rows<B: num_traits::Float + Number + Exp>(x: &[B], out: &mut [B], classes: usize, log: bool) {
    let mut exponentials = [<B as Number>::zero(); BLOCK];
    let block = BLOCK / classes * classes;
    vectorized!({
        for (x, out) in x.chunks(block).zip(out.chunks_mut(block)) {
            let made = &mut exponentials[..x.len()];
            for (x, out) in x.chunks_exact(classes).zip(out.chunks_exact_mut(classes)) {
                let mut max = B::neg_infinity();
                for &x in x {
                    max = if x > max { x } else { max };
                }
                for (out, &x) in out.iter_mut().zip(x) {
                    *out = x - max;
                }
            }
            for (e, &x) in made.iter_mut().zip(&*out) {
                *e = x.fast_exp_below_zero();
            }
            for (made, out) in made.chunks_exact_mut(classes).zip(out.chunks_exact_mut(classes)) {
                if log {
                    let log_sum = halved_sum(made).ln();
                    for out in out {
                        *out = *out - log_sum;
                    }
                } else {
                    for (out, &e) in out.iter_mut().zip(&*made) {
                        *out = e;
                    }
                    let scale = halved_sum(made).recip();
                    for out in out {
                        *out = *out * scale;
                    }
                }
            }
        }
    });
}

/// The sum of between one and [`LANES`] elements, which it overwrites: halves are added until one element is left.
#[inline(always)]
fn halved_sum<B: num_traits::Float>(x: &mut [B]) -> B {
    let mut n = x.len();
    let mut half = n.next_power_of_two() / 2;
    while half > 0 {
        for i in half..n {
            x[i - half] = x[i - half] + x[i];
        }
        n = half;
        half /= 2;
    }
    x[0]
}

#[inline(always)]
fn row<B: num_traits::Float + Number + Exp>(x: &[B], out: &mut [B], log: bool) {
    let max = greatest(x);
    let sum = exp_sum(x, max, out);
    if log {
        let log_sum = sum.ln();
        out.iter_mut().zip(x).for_each(|(o, &x)| *o = x - max - log_sum);
    } else {
        let scale = sum.recip();
        out.iter_mut().for_each(|o| *o = *o * scale);
    }
}

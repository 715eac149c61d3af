//! `Cumsum`, `Cumprod`, `CumulativeLogsumexp`: cumulative reductions along an axis.

use crate::prelude::*;
use crate::rules::{GREATER, Handles, LOG, SELECT_V2, first};
use levada_kernel::Io;

attrs! {
    /// The attrs of cumulative reductions.
    pub struct Running {
        /// Whether to exclude each element from its own result.
        exclusive: bool = Attr::bool("exclusive").or_bool(false),
        /// Whether to run from the end of the axis.
        reverse: bool = Attr::bool("reverse").or_bool(false),
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::NUMBERTYPE),
        /// Element type of `axis`.
        index: DType = Attr::dtype("Tidx", sets::INDEX).or_type(DType::I32),
    }
}

impl Running {
    /// Returns the same in the opposite direction.
    pub fn backwards(&self) -> Running {
        Running { reverse: !self.reverse, ..self.clone() }
    }
}

const INPUTS: &[Arg] = &[arg("x", of("T")), arg("axis", of("Tidx"))];
const OUTPUTS: &[Arg] = &[arg("out", of("T"))];

const fn running(name: &'static str, kernel: fn(&Running, &mut Cx<'_, '_>) -> Result<()>) -> Def<Running> {
    op(name)
        .inputs(INPUTS)
        .outputs(OUTPUTS)
        .shape(|_, cx| {
            cx.same_as_input(0);
            Ok(())
        })
        .host_inputs(&[1])
        .kernel(kernel)
        .heavy()
        .supports(|op| op.dtype.is_storage())
}

pub static CUMSUM: Def<Running> = running(
    "Cumsum",
    |op, cx| dispatch!(op.dtype, numbers, |T| scan::<T, Add>(op, cx), else unsupported(cx, op.dtype)),
)
.doc("Returns the cumulative sum along `axis`. Integers wrap.")
.gradient(|op, g| first(g, CUMSUM.node(g, &op.backwards(), &[g.dy(0), g.input(1)])))
.batch(levada_ops_core::batch::along_axes);

pub static CUMPROD: Def<Running> = running(
    "Cumprod",
    |op, cx| dispatch!(op.dtype, numbers, |T| scan::<T, Multiply>(op, cx), else unsupported(cx, op.dtype)),
)
.doc("Returns the cumulative product along `axis`. Integers wrap.")
.gradient(|op, g| {
    let (x, axis) = (g.input(0), g.input(1));
    let product = CUMPROD.node(g, op, &[x, axis]);
    first(g, CUMSUM.node(g, &op.backwards(), &[product * g.dy(0), axis]).div_no_nan(x))
})
.batch(levada_ops_core::batch::along_axes);

pub static CUMULATIVE_LOGSUMEXP: Def<Running> = running(
    "CumulativeLogsumexp",
    |op, cx| dispatch!(op.dtype, floats, |T| scan::<T, LogSumExp>(op, cx), else unsupported(cx, op.dtype)),
)
.doc("Returns the cumulative log-sum-exp along `axis`.")
.attrs(&[Attr::dtype("T", sets::FLOATS)])
.gradient(|op, g| {
    let (x, axis, y, dy) = (g.input(0), g.input(1), g.output(0), g.dy(0));
    // In the log domain, separately for the positive and the negative gradients.
    let part = |dy: V<'_>| {
        let dy = g.value(dy.at);
        let positive = GREATER.call([dy, dy.like(0.0)]);
        let log = SELECT_V2.call([positive, dy, dy.ones_like()]).apply(LOG);
        let log = SELECT_V2.call([positive, log, dy.like(f64::NEG_INFINITY)]);
        (CUMULATIVE_LOGSUMEXP.node(g, &op.backwards(), &[log - y, axis]) + x).exp()
    };
    first(g, part(dy) - part(-dy))
})
.batch(levada_ops_core::batch::along_axes);

/// The operation of a cumulative reduction.
trait Scan<T: Number> {
    /// Returns the initial total.
    fn start() -> T::Wide;
    /// Returns the total extended by one element.
    fn merge(total: T::Wide, x: T::Wide) -> T::Wide;
}

struct Add;
struct Multiply;
struct LogSumExp;

impl<T: Number> Scan<T> for Add {
    fn start() -> T::Wide {
        T::Wide::zero()
    }
    #[inline(always)]
    fn merge(total: T::Wide, x: T::Wide) -> T::Wide {
        total.add(x)
    }
}

impl<T: Number> Scan<T> for Multiply {
    fn start() -> T::Wide {
        T::Wide::one()
    }
    #[inline(always)]
    fn merge(total: T::Wide, x: T::Wide) -> T::Wide {
        total.mul(x)
    }
}

impl<T: Number<Wide: num_traits::Float>> Scan<T> for LogSumExp {
    fn start() -> T::Wide {
        num_traits::Float::neg_infinity()
    }
    #[inline(always)]
    fn merge(total: T::Wide, x: T::Wide) -> T::Wide {
        use num_traits::Float;
        // NaN in `x` is ignored, as a consequence of the comparisons in TensorFlow's minimum and maximum.
        let (low, high) = (if x < total { x } else { total }, if total < x { x } else { total });
        if high == T::Wide::neg_infinity() { high } else { Float::ln_1p(Float::exp(low - high)) + high }
    }
}

/// Returns the axis given by input 1 of a tensor of this shape.
///
/// # Errors
/// `INVALID_ARGUMENT` if it is not an axis.
pub fn scan_axis(cx: &Io<'_>, shape: &Shape) -> Result<usize> {
    let axis = cx.input(1)?;
    if !axis.shape().is_scalar() {
        return Err(Error::invalid(format!("the axis must be a scalar, not of shape {}", axis.shape())));
    }
    let (axis, rank) = (axis.to_i64s()?[0], shape.rank() as i64);
    if axis < -rank || axis >= rank {
        return Err(Error::invalid(format!("Expected scan axis in the range [-{rank}, {rank}), but got {axis}")));
    }
    Ok(axis.rem_euclid(rank) as usize)
}

fn scan<T: Number, S: Scan<T>>(op: &Running, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (exclusive, reverse) = (op.exclusive, op.reverse);
    let shape = cx.input(0)?.shape().clone();
    let axis = scan_axis(cx, &shape)?;
    let (n, inner): (usize, usize) = (shape[axis], shape[axis + 1..].iter().product());
    cx.produce::<T>(0, &shape, |cx, out| {
        let x = cx.slice::<T>(0)?;
        let slab = n * inner;
        cx.pool().for_chunks(out, slab, slab as f64, |first, out| {
            let x = &x[first * slab..first * slab + out.len()];
            for (x, out) in x.chunks_exact(slab).zip(out.chunks_exact_mut(slab)) {
                if inner == 1 {
                    run::<T, S>(x, out, exclusive, reverse);
                } else {
                    rows::<T, S>(x, out, inner, exclusive, reverse);
                }
            }
        });
        Ok(())
    })
}

fn run<T: Number, S: Scan<T>>(x: &[T], out: &mut [T], exclusive: bool, reverse: bool) {
    let mut total = S::start();
    let step = |(&x, out): (&T, &mut T)| {
        let with = S::merge(total, x.widen());
        *out = T::narrow(if exclusive { total } else { with });
        total = with;
    };
    let pairs = x.iter().zip(out);
    if reverse { pairs.rev().for_each(step) } else { pairs.for_each(step) }
}

fn rows<T: Number, S: Scan<T>>(x: &[T], out: &mut [T], width: usize, exclusive: bool, reverse: bool) {
    let mut totals = vec![S::start(); width];
    let step = |(x, out): (&[T], &mut [T])| {
        for ((&x, out), total) in x.iter().zip(out).zip(&mut totals) {
            let with = S::merge(*total, x.widen());
            *out = T::narrow(if exclusive { *total } else { with });
            *total = with;
        }
    };
    let pairs = x.chunks_exact(width).zip(out.chunks_exact_mut(width));
    if reverse { pairs.rev().for_each(step) } else { pairs.for_each(step) }
}

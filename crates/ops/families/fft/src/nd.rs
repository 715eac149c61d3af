//! `FFTND`, `IFFTND`, `RFFTND` and `IRFFTND`: transforms along axes given by an input.

use super::axes::{Part, along};
use super::complex::scale;
use crate::moves::{Axis, Layout, axis_of, rearrange};
use crate::prelude::*;
use num_complex::Complex;

attrs! {
    /// The attrs of complex transforms along given axes.
    pub struct FourierNd {
        /// Element type.
        dtype: DType = Attr::dtype("Tcomplex", &[DType::C64, DType::C128]).or_type(DType::C64),
        /// If true, computes the inverse transform.
        inverse: bool = Attr::bool("inverse"),
    }
}

attrs! {
    /// The attrs of real transforms along given axes.
    pub struct RealFourierNd {
        /// Element type of the real values.
        real: DType = Attr::dtype("Treal", &[DType::F32, DType::F64]).or_type(DType::F32),
        /// Element type of the complex values.
        complex: DType = Attr::dtype("Tcomplex", &[DType::C64, DType::C128]).or_type(DType::C64),
    }
}

const LENGTHS: Arg = arg("fft_length", is(DType::I32));
const AXES: Arg = arg("axes", is(DType::I32));

pub static FFT_ND: Def<FourierNd> = op::<FourierNd>("FFTND")
    .doc("The discrete Fourier transform over `axes`, each cropped or zero-padded to `fft_length`.")
    .fixed(&[("inverse", AttrDefault::Bool(false))])
    .inputs(&[arg("input", of("Tcomplex")), LENGTHS, AXES])
    .outputs(&[arg("output", of("Tcomplex"))])
    .also(&[form("IFFTND").doc("The inverse of `FFTND`.").fixed(&[("inverse", AttrDefault::Bool(true))])])
    .shape(|_, cx| infer(cx, |length| length))
    .host_inputs(&[1, 2])
    .kernel(|op, cx| match op.dtype {
        DType::C64 => complex::<f32>(op.inverse, cx),
        _ => complex::<f64>(op.inverse, cx),
    })
    .heavy();

pub static RFFT_ND: Def<RealFourierNd> = op::<RealFourierNd>("RFFTND")
    .doc(
        "The discrete Fourier transform of real values over `axes`, each cropped or zero-padded to `fft_length`. Only \
         the first `n / 2 + 1` elements along the last of them are returned.",
    )
    .inputs(&[arg("input", of("Treal")), LENGTHS, AXES])
    .outputs(&[arg("output", of("Tcomplex"))])
    .shape(|_, cx| infer(cx, half))
    .host_inputs(&[1, 2])
    .kernel(|op, cx| {
        op.check()?;
        match op.real {
            DType::F32 => to_complex::<f32>(cx),
            _ => to_complex::<f64>(cx),
        }
    })
    .heavy();

pub static IRFFT_ND: Def<RealFourierNd> = op::<RealFourierNd>("IRFFTND")
    .doc("The inverse of `RFFTND`, with real output.")
    .inputs(&[arg("input", of("Tcomplex")), LENGTHS, AXES])
    .outputs(&[arg("output", of("Treal"))])
    .shape(|_, cx| infer(cx, |length| length))
    .host_inputs(&[1, 2])
    .kernel(|op, cx| {
        op.check()?;
        match op.real {
            DType::F32 => to_real::<f32>(cx),
            _ => to_real::<f64>(cx),
        }
    })
    .heavy();

impl RealFourierNd {
    fn check(&self) -> Result<()> {
        if (self.real == DType::F64) == (self.complex == DType::C128) {
            return Ok(());
        }
        Err(Error::invalid("the real and complex types must have the same precision")
            .found(format!("{} and {}", self.real, self.complex)))
    }
}

/// Length of the last axis in the transform of `length` real values.
fn half(length: usize) -> usize {
    if length == 0 { 0 } else { length / 2 + 1 }
}

fn infer(cx: &mut ShapeCx<'_>, last: fn(usize) -> usize) -> Result<()> {
    let shape = cx.input(0);
    cx.with_rank(1, 1)?;
    cx.with_rank(2, 1)?;
    let Some(dims) = shape.dims() else { return Ok(()) };
    let (Some(lengths), Some(axes)) = (cx.constant_i64s(1), cx.constant_i64s(2)) else {
        cx.output(0, PartialShape::of_rank(dims.len()));
        return Ok(());
    };
    let plan = Plan::new(dims.len(), &lengths, &axes)?;
    let mut dims = dims.to_vec();
    for (i, &(axis, length)) in plan.axes.iter().enumerate() {
        dims[axis] = Some(if i + 1 == plan.axes.len() { last(length) } else { length });
    }
    cx.output(0, PartialShape::new(dims));
    Ok(())
}

/// The axes to transform and their lengths.
struct Plan {
    axes: Vec<(usize, usize)>,
}

impl Plan {
    fn new(rank: usize, lengths: &[i64], axes: &[i64]) -> Result<Plan> {
        if lengths.len() != axes.len() || axes.is_empty() {
            return Err(Error::invalid("fft_length must have one length per axis")
                .expected(format!("{} lengths, at least one", axes.len()))
                .found(lengths.len()));
        }
        let mut found: Vec<(usize, usize)> = Vec::new();
        for (&length, &named) in lengths.iter().zip(axes) {
            let axis = axis_of(named, rank).filter(|axis| found.iter().all(|(other, _)| other != axis));
            let axis = axis.ok_or_else(|| {
                Error::invalid("axes must be distinct axes of the input").expected(format!("below {rank}")).found(named)
            })?;
            let length =
                usize::try_from(length).map_err(|_| Error::invalid("fft_length must not be negative").found(length))?;
            found.push((axis, length));
        }
        Ok(Plan { axes: found })
    }

    fn of(cx: &Cx<'_, '_>) -> Result<Plan> {
        let (lengths, axes) = (cx.input(1)?, cx.input(2)?);
        if lengths.shape().rank() != 1 || axes.shape().rank() != 1 {
            return Err(Error::invalid("fft_length and axes must be vectors"));
        }
        Plan::new(cx.input(0)?.shape().rank(), &lengths.to_i64s()?, &axes.to_i64s()?)
    }

    /// The last axis to transform and its length.
    fn last(&self) -> (usize, usize) {
        self.axes[self.axes.len() - 1]
    }

    /// The input with each of these axes cropped or zero-padded to its length.
    fn fitted(&self, cx: &Cx<'_, '_>) -> Result<Tensor> {
        let input = cx.input(0)?;
        let shape = input.shape();
        let mut dims = shape.to_vec();
        self.axes.iter().for_each(|&(axis, length)| dims[axis] = length);
        let whole = Shape::new(dims)?;
        if whole == *shape {
            return Ok(input.clone());
        }
        let axes = shape.iter().zip(&whole[..]).zip(shape.strides()).map(|((&size, &wanted), stride)| {
            let there = size.min(wanted);
            Axis::strided(there, 0, stride as isize).fill(wanted - there)
        });
        rearrange(cx, input, &Layout::new(axes), &whole, None)
    }

    /// Transforms `data` of shape `shape` along the first `count` axes.
    fn transform<T: Part>(
        &self,
        cx: &Cx<'_, '_>,
        data: &mut [Complex<T>],
        shape: &Shape,
        count: usize,
        inverse: bool,
    ) -> Result<()> {
        for &(axis, length) in self.axes[..count].iter().rev() {
            let inner = shape[axis + 1..].iter().product();
            along(cx.pool(), data, length, inner, inverse)?;
        }
        Ok(())
    }

    /// Number of elements in one transform.
    fn size(&self) -> f64 {
        self.axes.iter().map(|&(_, length)| length as f64).product()
    }
}

fn complex<T: Part>(inverse: bool, cx: &mut Cx<'_, '_>) -> Result<()>
where
    Complex<T>: Element,
{
    let plan = Plan::of(cx)?;
    let mut out = plan.fitted(cx)?;
    let shape = out.shape().clone();
    if shape.num_elements() > 0 {
        let data = out.slice_mut::<Complex<T>>()?;
        plan.transform(cx, data, &shape, plan.axes.len(), inverse)?;
        if inverse {
            scale(cx, data, T::of(1.0 / plan.size()));
        }
    }
    cx.set(0, out);
    Ok(())
}

fn to_complex<T: Part>(cx: &mut Cx<'_, '_>) -> Result<()>
where
    Complex<T>: Element,
{
    let plan = Plan::of(cx)?;
    let fitted = plan.fitted(cx)?;
    let shape = fitted.shape();
    cx.device.arena.check(shape.num_elements().saturating_mul(size_of::<Complex<T>>()))?;
    let mut all: Vec<Complex<T>> = fitted.slice::<T>()?.iter().map(|&re| Complex::new(re, T::default())).collect();
    plan.transform(cx, &mut all, shape, plan.axes.len(), false)?;
    let (axis, length) = plan.last();
    let mut dims = shape.to_vec();
    dims[axis] = half(length);
    let inner: usize = shape[axis + 1..].iter().product();
    cx.produce::<Complex<T>>(0, &Shape::new(dims)?, |_, out| {
        if !out.is_empty() {
            let rows = out.chunks_exact_mut(half(length) * inner).zip(all.chunks_exact(length * inner));
            rows.for_each(|(out, all)| out.copy_from_slice(&all[..out.len()]));
        }
        Ok(())
    })
}

fn to_real<T: Part>(cx: &mut Cx<'_, '_>) -> Result<()>
where
    Complex<T>: Element,
{
    let plan = Plan::of(cx)?;
    let (axis, length) = plan.last();
    let mut read = Plan { axes: plan.axes.clone() };
    let others = read.axes.len() - 1;
    read.axes[others].1 = half(length);
    let mut given = read.fitted(cx)?;
    let shape = given.shape().clone();
    let mut dims = shape.to_vec();
    dims[axis] = length;
    let whole = Shape::new(dims)?;
    if whole.num_elements() == 0 {
        return cx.produce::<T>(0, &whole, |_, _| Ok(()));
    }
    cx.device.arena.check(whole.num_elements().saturating_mul(size_of::<Complex<T>>()))?;
    let data = given.slice_mut::<Complex<T>>()?;
    read.transform(cx, data, &shape, others, true)?;
    // The second half, which is not stored, is the conjugate of the first; elements that are their own conjugates are
    // real.
    let inner: usize = shape[axis + 1..].iter().product();
    let mut all = Vec::with_capacity(whole.num_elements());
    for block in data.chunks_exact(half(length) * inner) {
        for k in 0..length {
            let row = |k: usize| &block[k * inner..][..inner];
            if k == 0 || 2 * k == length {
                all.extend(row(k).iter().map(|value| Complex::new(value.re, T::default())));
            } else if 2 * k < length {
                all.extend_from_slice(row(k));
            } else {
                all.extend(row(length - k).iter().map(Complex::conj));
            }
        }
    }
    along(cx.pool(), &mut all, length, inner, true)?;
    let factor = T::of(1.0 / plan.size());
    cx.produce::<T>(0, &whole, |_, out| {
        out.iter_mut().zip(&all).for_each(|(out, value)| *out = value.re * factor);
        Ok(())
    })
}

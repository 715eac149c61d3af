//! Scales and zero points: a code stands for its distance from the zero point, times the scale.

use crate::code::{Code, greatest, least, to_i32};
use crate::prelude::*;

/// Scales and zero points: either one of each, or one per index of an axis.
pub struct Affine<'a> {
    /// The scales.
    pub scales: &'a [f32],
    /// The zero points.
    pub zeros: &'a [i32],
    /// The quantization axis, for one scale per index.
    pub axis: Option<usize>,
}

impl<'a> Affine<'a> {
    /// Returns the scales and zero points in inputs `i` and `i + 1` for a tensor of this shape.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if they do not match the shape.
    pub fn new(cx: &'a Cx<'_, '_>, i: usize, shape: &Shape, axis: i64) -> Result<Affine<'a>> {
        let (scales, zeros) = (cx.input(i)?, cx.input(i + 1)?);
        if scales.shape() != zeros.shape() {
            return Err(Error::invalid("scales and zero_points must have the same shape")
                .expected(scales.shape())
                .found(zeros.shape()));
        }
        let axis = match usize::try_from(axis) {
            Err(_) if axis == -1 => None,
            Ok(axis) if axis < shape.rank() => Some(axis),
            _ => {
                let error = Error::invalid("quantization_axis must be -1 or in range [0, input.rank)");
                return Err(error.found(format!("axis {axis} of shape {shape}")));
            }
        };
        let fits = axis.map_or(scales.shape().is_scalar(), |axis| scales.shape().dims() == [shape[axis]]);
        if !fits {
            let expected =
                if axis.is_some() { "vectors with an element for each index of the axis" } else { "scalars" };
            let error = Error::invalid("scales and zero_points must go with quantization_axis");
            return Err(error.expected(expected).found(scales.shape()));
        }
        Ok(Affine { scales: scales.slice()?, zeros: zeros.slice()?, axis })
    }

    /// Returns `self` if every scale is positive.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if a scale is not positive.
    pub fn positive(self) -> Result<Affine<'a>> {
        match self.scales.iter().find(|&&scale| !(scale > 0.0)) {
            Some(scale) => Err(Error::invalid("scales must be positive").found(scale)),
            None => Ok(self),
        }
    }

    /// Calls `f` for each run of elements that share a scale and zero point, with the range of their indices and these
    /// two.
    pub fn each(&self, shape: &Shape, mut f: impl FnMut(std::ops::Range<usize>, f32, i32)) {
        let n = shape.num_elements();
        let (channels, after) = match self.axis {
            None => (1, n),
            Some(axis) => (shape[axis], shape[axis + 1..].iter().product()),
        };
        for (i, first) in (0..n).step_by(after.max(1)).enumerate() {
            f(first..first + after, self.scales[i % channels], self.zeros[i % channels]);
        }
    }
}

/// Quantizes a value.
#[inline(always)]
pub fn quantize<T: Code>(value: f32, inverse: f32, zero: i32, [min, max]: [i32; 2]) -> T {
    let code = to_i32((value * inverse + 0.5).floor()).wrapping_add(zero);
    T::wrap(code.min(max).max(min).into())
}

/// A positive number as an integer and a power of two.
#[derive(Clone, Copy)]
pub struct Multiplier {
    factor: i64,
    shift: u32,
}

impl Multiplier {
    /// Returns the closest multiplier to `value`.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for values that are not positive and finite.
    pub fn new(value: f64) -> Result<Multiplier> {
        if !(value > 0.0 && value.is_finite()) {
            return Err(Error::invalid("the quotient of scales must be positive and finite").found(value));
        }
        // The value is q 2^shift with q from 1/2 to 1.
        let mut shift = 0;
        let mut q = value;
        while q >= 1.0 {
            (q, shift) = (q / 2.0, shift + 1);
        }
        while q < 0.5 {
            (q, shift) = (q * 2.0, shift - 1);
        }
        let mut factor = (q * 2_147_483_648.0).round() as i64;
        if factor == 1 << 31 {
            (factor, shift) = (factor / 2, shift + 1);
        }
        let (factor, shift) = match shift {
            ..-31 => (0, 0),
            31.. => ((1 << 31) - 1, 30),
            _ => (factor, shift),
        };
        Ok(Multiplier { factor, shift: (31 - shift) as u32 })
    }

    /// Returns the product with an integer, rounded half up.
    #[inline(always)]
    pub fn times(self, value: i32) -> i32 {
        let product = i64::from(value) * self.factor + (1i64 << (self.shift - 1));
        (product >> self.shift).clamp(i32::MIN.into(), i32::MAX.into()) as i32
    }

    /// Returns the product with an integer as a code.
    #[inline(always)]
    pub fn code<T: Code>(self, value: i32, zero: i32, [min, max]: [i32; 2]) -> T {
        T::wrap(self.times(value).wrapping_add(zero).min(max).max(min).into())
    }
}

/// Returns the smallest and the largest code that an op may use.
///
/// # Errors
/// `INVALID_ARGUMENT` if they do not fit int32.
pub fn limits(min: i64, max: i64) -> Result<[i32; 2]> {
    let int = |attr: &'static str, v: i64| {
        i32::try_from(v).map_err(|_| Error::invalid("the limits of codes must be int32").attr(attr).found(v))
    };
    Ok([int("quantization_min_val", min)?, int("quantization_max_val", max)?])
}

/// Quantizes values to int8, with the codes covering the full range of the values. Returns the codes, the scale and
/// the zero point.
pub fn asymmetric(values: &[f32]) -> (Vec<i8>, f32, i32) {
    let (min, max) =
        values.iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(min, max), &v| (least(min, v), greatest(max, v)));
    let (min, max) = (f64::from(least(0.0, min)), f64::from(greatest(0.0, max)));
    if min == max {
        return (vec![0; values.len()], 1.0, 0);
    }
    let (lowest, highest) = (-128.0, 127.0);
    let scale = (max - min) / (highest - lowest);
    let (from_min, from_max) = (lowest - min / scale, highest - max / scale);
    // Of the two, the one with smaller terms has the smaller error.
    let (error_of_min, error_of_max) = (f64::abs(lowest) + (min / scale).abs(), highest + (max / scale).abs());
    let zero = if error_of_min < error_of_max { from_min } else { from_max };
    let zero = zero.clamp(lowest, highest).round() as i32;
    let inverse = (1.0 / scale) as f32;
    let codes = values.iter().map(|&v| quantize(v, inverse, zero, [-128, 127])).collect();
    (codes, scale as f32, zero)
}

//! Converts feeds to the dtype of their placeholder for `--cast`, as TensorFlow does, but refuses conversions that
//! change a value.

use levada::graph::{Complex32, Complex64, bf16, f16};
use levada::{DType, Error, Result, Tensor};

/// Elements converted at a time.
const CHUNK: usize = 4096;

/// A number between two dtypes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Number {
    Int(i128),
    Float(f64),
    Complex(f64, f64),
}

/// Converts the tensor to this dtype. Floats are rounded to nearest; any other change of a value is refused: fractions
/// to integers, values out of range, imaginary parts.
///
/// # Errors
/// `INVALID_ARGUMENT` with the first element that cannot be converted, and for non-numeric dtypes.
pub fn cast(tensor: &Tensor, to: DType) -> Result<Tensor> {
    let (from, shape) = (tensor.dtype(), tensor.shape());
    let convertible = |d: DType| d.is_plain() && !d.is_quantized();
    if !convertible(from) || !convertible(to) {
        return Err(Error::invalid(format!("{from} cannot be converted to {to}")));
    }
    if let Some(wide) = tensor.widened() {
        return cast(&wide, to);
    }
    if to.is_narrow() {
        let wide = if to.is_narrow_float() { DType::F64 } else { to.wide() };
        return narrowed(&cast(tensor, wide)?, to);
    }
    let mut cast = Tensor::try_zeros(to, shape.clone())?;
    let mut numbers = Vec::with_capacity(CHUNK);
    for start in (0..tensor.num_elements()).step_by(CHUNK) {
        let end = (start + CHUNK).min(tensor.num_elements());
        numbers.clear();
        levada::graph::dispatch!(from, plain, |T| {
            numbers.extend(tensor.slice::<T>()?[start..end].iter().map(|v| v.number()));
        }, else ());
        levada::graph::dispatch!(to, plain, |T| {
            for (i, (out, number)) in cast.slice_mut::<T>()?[start..end].iter_mut().zip(&numbers).enumerate() {
                *out = T::of(*number).ok_or_else(|| lost(*number, start + i, shape, to))?;
            }
        }, else ());
    }
    Ok(cast)
}

/// Converts from the dtype that a narrow one is widened to, back to the narrow one.
fn narrowed(wide: &Tensor, to: DType) -> Result<Tensor> {
    let mut bytes = Vec::with_capacity(wide.num_elements());
    levada::graph::dispatch!(wide.dtype(), plain, |T| {
        for (i, number) in wide.slice::<T>()?.iter().map(Cast::number).enumerate() {
            let value = float(number).unwrap_or(f64::NAN);
            let byte = to.narrow_byte(value);
            let narrow = f64::from(to.narrow_value(byte));
            // Integers are kept exactly, and finite values stay finite.
            let kept = if to.is_narrow_float() { narrow.is_finite() || !value.is_finite() } else { narrow == value };
            bytes.push(kept.then_some(byte).ok_or_else(|| lost(number, i, wide.shape(), to))?);
        }
    }, else ());
    Tensor::from_bytes(to, wide.shape().clone(), &bytes)
}

fn lost(number: Number, index: usize, shape: &[usize], to: DType) -> Error {
    let mut rest = index;
    let mut place: Vec<String> = Vec::new();
    for &n in shape.iter().rev() {
        place.push((rest % n.max(1)).to_string());
        rest /= n.max(1);
    }
    place.reverse();
    let number = match number {
        Number::Int(i) => i.to_string(),
        Number::Float(f) => format!("{f:?}"),
        Number::Complex(re, im) => format!("{re:?}{im:+?}j"),
    };
    Error::invalid(format!("{number} cannot be represented as {to}"))
        .found(format!("{number} at [{}]", place.join(", ")))
}

trait Cast: Sized {
    fn number(&self) -> Number;
    fn of(number: Number) -> Option<Self>;
}

/// The real number, if the imaginary part is zero.
fn real(number: Number) -> Option<Number> {
    match number {
        Number::Complex(re, 0.0) => Some(Number::Float(re)),
        Number::Complex(..) => None,
        other => Some(other),
    }
}

fn whole(number: Number) -> Option<i128> {
    match real(number)? {
        Number::Int(i) => Some(i),
        Number::Float(f) if f.fract() == 0.0 && f.abs() < 1e30 => Some(f as i128),
        _ => None,
    }
}

fn float(number: Number) -> Option<f64> {
    match real(number)? {
        Number::Int(i) => Some(i as f64),
        Number::Float(f) => Some(f),
        Number::Complex(..) => None,
    }
}

macro_rules! integers {
    ($($T:ty),*) => {
        $(impl Cast for $T {
            fn number(&self) -> Number { Number::Int(i128::from(*self)) }
            fn of(number: Number) -> Option<$T> { <$T>::try_from(whole(number)?).ok() }
        })*
    };
}
integers!(i8, i16, i32, i64, u8, u16, u32, u64);

macro_rules! floats {
    ($($T:ty, $wide:expr, $narrow:expr;)*) => {
        $(impl Cast for $T {
            fn number(&self) -> Number { Number::Float($wide(*self)) }
            fn of(number: Number) -> Option<$T> {
                let wide = float(number)?;
                let narrow: $T = $narrow(wide);
                // Finite values stay finite.
                (wide.is_infinite() || !$wide(narrow).is_infinite()).then_some(narrow)
            }
        })*
    };
}
floats! {
    f32, f64::from, |v| v as f32;
    f64, std::convert::identity, std::convert::identity;
    f16, f16::to_f64, f16::from_f64;
    bf16, bf16::to_f64, bf16::from_f64;
}

impl Cast for bool {
    fn number(&self) -> Number {
        Number::Int(i128::from(*self))
    }

    fn of(number: Number) -> Option<bool> {
        match whole(number)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl Cast for Complex64 {
    fn number(&self) -> Number {
        Number::Complex(self.re, self.im)
    }

    fn of(number: Number) -> Option<Complex64> {
        match number {
            Number::Complex(re, im) => Some(Complex64::new(re, im)),
            other => Some(Complex64::new(float(other)?, 0.0)),
        }
    }
}

impl Cast for Complex32 {
    fn number(&self) -> Number {
        Number::Complex(f64::from(self.re), f64::from(self.im))
    }

    fn of(number: Number) -> Option<Complex32> {
        let wide = Complex64::of(number)?;
        Some(Complex32::new(f32::of(Number::Float(wide.re))?, f32::of(Number::Float(wide.im))?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_kept_or_refused() {
        let ints = Tensor::vector(vec![1i64, -2, 3]);
        let floats = Tensor::vector(vec![1.0f64, -2.0, 3.0]);
        assert_eq!(cast(&ints, DType::F32).unwrap(), Tensor::vector(vec![1f32, -2.0, 3.0]));
        assert_eq!(cast(&floats, DType::I64).unwrap(), ints);
        assert_eq!(cast(&Tensor::scalar(0.1f64), DType::F32).unwrap(), Tensor::scalar(0.1f32));
        assert_eq!(cast(&Tensor::scalar(f64::INFINITY), DType::BF16).unwrap(), Tensor::scalar(bf16::INFINITY));
        assert_eq!(cast(&Tensor::scalar(true), DType::F32).unwrap(), Tensor::scalar(1f32));
        assert_eq!(cast(&Tensor::scalar(2u8), DType::C64).unwrap(), Tensor::scalar(Complex32::new(2.0, 0.0)));
        for narrow in DType::ALL.iter().copied().filter(|d| d.is_narrow() && !matches!(d, DType::U4 | DType::U2)) {
            let small = Tensor::vector(vec![1i64, -2, 0]);
            assert_eq!(cast(&cast(&small, narrow).unwrap(), DType::I64).unwrap(), small);
        }
        let many = Tensor::vector((0..10_000).collect::<Vec<i32>>());
        assert_eq!(cast(&cast(&many, DType::F64).unwrap(), DType::I32).unwrap(), many);
        let refused = [
            (floats.clone(), DType::U8, "-2.0 at [1]"),
            (Tensor::vector(vec![0.5f32]), DType::I32, "0.5 at [0]"),
            (Tensor::scalar(1e300f64), DType::F32, "1e300 at []"),
            (Tensor::scalar(f32::NAN), DType::I64, "NaN at []"),
            (Tensor::vector(vec![7i32, 8]), DType::I4, "8 at [1]"),
            (Tensor::scalar(1000f32), DType::F8E4M3, "1000.0 at []"),
            (Tensor::scalar(2i32), DType::Bool, "2 at []"),
            (Tensor::scalar(Complex64::new(1.0, 2.0)), DType::F64, "1.0+2.0j at []"),
            (Tensor::string("1"), DType::I32, "string cannot be converted to int32"),
        ];
        for (tensor, to, part) in refused {
            let error = cast(&tensor, to).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}

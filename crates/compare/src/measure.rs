//! The distance between two tensors.

use levada_graph::{Bytes, Complex32, Complex64, DType, Element, Tensor, bf16, f16};

/// When values count as equal: `|x - y| <= atol + rtol * |y|`; NaN equals NaN. Types other than floats must match
/// exactly.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tolerance {
    /// Relative to the second value.
    pub rtol: f64,
    /// Absolute.
    pub atol: f64,
}

impl Default for Tolerance {
    /// 1e-5 and 1e-6.
    fn default() -> Tolerance {
        Tolerance { rtol: 1e-5, atol: 1e-6 }
    }
}

/// The distance between two tensors of the same shape.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Distance {
    /// Maximum absolute difference; infinite if only one of two elements is NaN.
    pub max: f64,
    /// Mean absolute difference.
    pub mean: f64,
    /// Maximum difference in units in the last place of the coarser dtype; 0 for integers.
    pub ulp: f64,
    /// Cosine of the angle between them; 1 if both are zero.
    pub cosine: f64,
    /// Number of elements outside the tolerance.
    pub beyond: usize,
}

/// The distance, and whether the tensors count as equal.
pub(crate) fn compare(x: &Tensor, y: &Tensor, tolerance: &Tolerance) -> (Option<Distance>, bool) {
    if x.shape() != y.shape() {
        return (None, false);
    }
    if let (Ok(x), Ok(y)) = (x.slice::<Bytes>(), y.slice::<Bytes>()) {
        return (None, x == y);
    }
    let (Some(a), Some(b)) = (numbers(x), numbers(y)) else { return (None, true) };
    let digits = digits(x.dtype()).into_iter().chain(digits(y.dtype())).min();
    let distance = distance(&a, &b, digits, tolerance);
    (Some(distance), distance.beyond == 0)
}

fn distance(x: &[f64], y: &[f64], digits: Option<i32>, tolerance: &Tolerance) -> Distance {
    let (mut max, mut sum, mut ulp, mut beyond) = (0f64, 0f64, 0f64, 0);
    let (mut xy, mut xx, mut yy) = (0f64, 0f64, 0f64);
    let Tolerance { rtol, atol } = if digits.is_some() { *tolerance } else { Tolerance { rtol: 0.0, atol: 0.0 } };
    for (&a, &b) in x.iter().zip(y) {
        (xy, xx, yy) = (xy + a * b, xx + a * a, yy + b * b);
        if a == b || (a.is_nan() && b.is_nan()) {
            continue;
        }
        let apart = if (a - b).is_nan() { f64::INFINITY } else { (a - b).abs() };
        max = max.max(apart);
        sum += apart;
        if !(apart <= atol + rtol * b.abs() && b.is_finite()) {
            beyond += 1;
        }
        if let Some(digits) = digits {
            ulp = ulp.max(apart / spacing(a.abs().max(b.abs()), digits));
        }
    }
    let cosine = if xx == 0.0 && yy == 0.0 { 1.0 } else { xy / (xx.sqrt() * yy.sqrt()) };
    Distance { max, mean: sum / x.len().max(1) as f64, ulp, cosine, beyond }
}

/// The spacing of floats with this many binary digits around a value.
fn spacing(at: f64, digits: i32) -> f64 {
    let exponent = if at > 0.0 && at.is_finite() { at.log2().floor() as i32 } else { -126 };
    2f64.powi(exponent.max(-126) - digits + 1)
}

/// Binary digits of a float type's significand; `None` for other types.
fn digits(dtype: DType) -> Option<i32> {
    Some(match dtype {
        DType::F64 | DType::C128 => 53,
        DType::F32 | DType::C64 => 24,
        DType::F16 => 11,
        DType::BF16 => 8,
        _ if dtype.is_float() => 4,
        _ => return None,
    })
}

/// The elements as doubles, complex ones as two; `None` for non-numeric types.
pub fn numbers(tensor: &Tensor) -> Option<Vec<f64>> {
    fn each<T: Element, const N: usize>(tensor: &Tensor, parts: impl Fn(&T) -> [f64; N]) -> Option<Vec<f64>> {
        Some(tensor.slice::<T>().ok()?.iter().flat_map(parts).collect())
    }
    let t = &tensor.widened().unwrap_or_else(|| tensor.clone());
    match t.dtype() {
        DType::F64 => each(t, |v: &f64| [*v]),
        DType::F32 => each(t, |v: &f32| [f64::from(*v)]),
        DType::F16 => each(t, |v: &f16| [v.to_f64()]),
        DType::BF16 => each(t, |v: &bf16| [v.to_f64()]),
        DType::C64 => each(t, |v: &Complex32| [f64::from(v.re), f64::from(v.im)]),
        DType::C128 => each(t, |v: &Complex64| [v.re, v.im]),
        DType::I64 => each(t, |v: &i64| [*v as f64]),
        DType::U64 => each(t, |v: &u64| [*v as f64]),
        DType::I32 => each(t, |v: &i32| [f64::from(*v)]),
        DType::U32 => each(t, |v: &u32| [f64::from(*v)]),
        DType::I16 => each(t, |v: &i16| [f64::from(*v)]),
        DType::U16 => each(t, |v: &u16| [f64::from(*v)]),
        DType::I8 => each(t, |v: &i8| [f64::from(*v)]),
        DType::U8 => each(t, |v: &u8| [f64::from(*v)]),
        DType::Bool => each(t, |v: &bool| [f64::from(u8::from(*v))]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_those_of_the_elements() {
        let (x, y) = (Tensor::vector(vec![1f32, 2.0, f32::NAN]), Tensor::vector(vec![1f32, 2.5, f32::NAN]));
        let (distance, is_equal) = compare(&x, &y, &Tolerance::default());
        let distance = distance.unwrap();
        assert_eq!((distance.max, distance.beyond, is_equal), (0.5, 1, false));
        assert_eq!(distance.ulp, 0.5 / 2f64.powi(-22));
        let next = Tensor::vector(vec![1f32 + f32::EPSILON]);
        let (distance, is_equal) = compare(&next, &Tensor::vector(vec![1f32]), &Tolerance::default());
        assert_eq!((distance.unwrap().ulp, is_equal), (1.0, true));
    }

    #[test]
    fn integers_strings_and_shapes_must_be_the_same() {
        let ints = |v: i64| Tensor::vector(vec![v, 7]);
        let loose = Tolerance { rtol: 1.0, atol: 1.0 };
        assert!(!compare(&ints(3), &ints(4), &loose).1);
        assert!(!compare(&Tensor::string("a"), &Tensor::string("b"), &loose).1);
        assert!(!compare(&ints(3), &Tensor::scalar(3i64), &loose).1);
        assert!(compare(&ints(3), &ints(3), &loose).1);
    }

    #[test]
    fn nan_beside_a_number_differs() {
        let (distance, is_equal) =
            compare(&Tensor::scalar(f32::NAN), &Tensor::scalar(1f32), &Tolerance { rtol: 1.0, atol: 1e9 });
        assert_eq!((distance.unwrap().max, is_equal), (f64::INFINITY, false));
    }
}

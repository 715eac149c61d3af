//! Whether two tensors agree.

use levada_graph::{Bytes, Complex32, Complex64, DType, Result, Shape, Tensor, bf16, dispatch, f16};

/// An element that is compared with a tolerance.
trait Close {
    fn close(&self, expected: &Self, rtol: f64, atol: f64) -> bool;
}

fn close(a: f64, b: f64, rtol: f64, atol: f64) -> bool {
    a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= atol + rtol * b.abs() && b.is_finite()
}

macro_rules! floats {
    ($($ty:ty),*) => {$(
        impl Close for $ty {
            fn close(&self, expected: &Self, rtol: f64, atol: f64) -> bool {
                close(f64::from(*self), f64::from(*expected), rtol, atol)
            }
        }
    )*};
}

macro_rules! complex {
    ($($ty:ty),*) => {$(
        impl Close for $ty {
            /// By distance in the plane, or by parts if something is not finite.
            fn close(&self, expected: &Self, rtol: f64, atol: f64) -> bool {
                let (re, im) = (f64::from(self.re), f64::from(self.im));
                let (ere, eim) = (f64::from(expected.re), f64::from(expected.im));
                (re - ere).hypot(im - eim) <= atol + rtol * ere.hypot(eim) && ere.is_finite() && eim.is_finite()
                    || close(re, ere, rtol, atol) && close(im, eim, rtol, atol)
            }
        }
    )*};
}

macro_rules! exact {
    ($($ty:ty),*) => {$(
        impl Close for $ty {
            fn close(&self, expected: &Self, _: f64, _: f64) -> bool { self == expected }
        }
    )*};
}

floats!(f16, bf16, f32, f64);
complex!(Complex32, Complex64);
exact!(i8, i16, i32, i64, u8, u16, u32, u64, bool, Bytes);

/// Explains how `found` differs from `expected`; `None` if they agree.
pub fn compare(found: &Tensor, expected: &Tensor, rtol: f64, atol: f64) -> Option<String> {
    if found.dtype() != expected.dtype() {
        return Some(format!("dtype {}, expected {}", found.dtype(), expected.dtype()));
    }
    if found.shape() != expected.shape() {
        return Some(format!("shape {}, expected {}", found.shape(), expected.shape()));
    }
    if let (Some(found), Some(expected)) = (found.widened(), expected.widened()) {
        return compare(&found, &expected, rtol, atol);
    }
    let differing = match found.dtype() {
        DType::Str => differing::<Bytes>(found, expected, rtol, atol),
        dtype => {
            dispatch!(dtype, plain, |T| differing::<T>(found, expected, rtol, atol), else return Some(format!(
                "{dtype} tensors cannot be compared"
            )))
        }
    };
    match differing {
        Ok(None) => None,
        Ok(Some(text)) => Some(text),
        Err(error) => Some(error.message().to_owned()),
    }
}

fn differing<T: Close + levada_graph::Element>(
    found: &Tensor,
    expected: &Tensor,
    rtol: f64,
    atol: f64,
) -> Result<Option<String>> {
    let (found_items, expected_items) = (found.slice::<T>()?, expected.slice::<T>()?);
    let pairs = || found_items.iter().zip(expected_items).enumerate();
    let mut differ = pairs().filter(|(_, (f, e))| !f.close(e, rtol, atol));
    let Some((first, (f, e))) = differ.next() else { return Ok(None) };
    let count = 1 + differ.count();
    let tolerance = if matches!(found.dtype(), d if d.is_float() || d.is_complex()) {
        format!(" with rtol {rtol:e}, atol {atol:e}")
    } else {
        String::new()
    };
    let place = index(found.shape(), first);
    let of = found.num_elements();
    Ok(Some(format!("element {place} is {f:?}, expected {e:?} ({count} of {of} differ{tolerance})")))
}

/// `[1,2]`: the indices of element `flat`.
fn index(shape: &Shape, mut flat: usize) -> String {
    let strides = shape.strides();
    let parts: Vec<String> = strides
        .iter()
        .map(|&s| {
            let i = flat / s.max(1);
            flat %= s.max(1);
            i.to_string()
        })
        .collect();
    format!("[{}]", parts.join(","))
}

/// The elements as text, for bags. Floats are rounded to the tolerance's order.
pub(crate) fn elements(tensor: &Tensor) -> Vec<String> {
    let text = || -> Result<Vec<String>> {
        if tensor.dtype() == DType::Str {
            return Ok(tensor.slice::<Bytes>()?.iter().map(|s| format!("{s:?}")).collect());
        }
        let wide = tensor.widened();
        let tensor = wide.as_ref().unwrap_or(tensor);
        dispatch!(tensor.dtype(), plain, |T| {
            Ok(tensor.slice::<T>()?.iter().map(|v| format!("{v:?}")).collect())
        }, else Ok(vec![tensor.to_string()]))
    };
    text().unwrap_or_else(|e| vec![e.message().to_owned()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_have_tolerance_and_all_else_has_none() {
        let agrees = |a: Tensor, b: Tensor| compare(&a, &b, 1e-3, 1e-6).is_none();
        assert!(agrees(Tensor::scalar(1.0005f32), Tensor::scalar(1.0f32)));
        assert!(!agrees(Tensor::scalar(1.01f32), Tensor::scalar(1.0f32)));
        assert!(agrees(Tensor::scalar(f32::NAN), Tensor::scalar(f32::NAN)));
        assert!(!agrees(Tensor::scalar(1f32), Tensor::scalar(f32::INFINITY)));
        assert!(!agrees(Tensor::scalar(f32::INFINITY), Tensor::scalar(f32::NEG_INFINITY)));
        assert!(!agrees(Tensor::scalar(1f32), Tensor::scalar(1f64)));
        assert!(!agrees(Tensor::scalar(1f32), Tensor::vector(vec![1f32])));
        assert!(!agrees(Tensor::scalar(1_000_000i64), Tensor::scalar(1_000_001i64)));
        assert!(agrees(Tensor::string("a"), Tensor::string("a")));
        let c = |re, im| Tensor::scalar(Complex32::new(re, im));
        assert!(agrees(c(f32::NAN, 1.0), c(f32::NAN, 1.0)));
        assert!(agrees(c(1000.0, 0.1), c(1000.0, 0.0)));
    }

    #[test]
    fn the_first_difference_is_named() {
        let shape = Shape::new([2, 2]).unwrap();
        let a = Tensor::from_vec(shape.clone(), vec![1i32, 2, 3, 4]).unwrap();
        let b = Tensor::from_vec(shape, vec![1i32, 2, 5, 6]).unwrap();
        assert_eq!(compare(&a, &b, 0.0, 0.0).unwrap(), "element [1,0] is 3, expected 5 (2 of 4 differ)");
    }
}

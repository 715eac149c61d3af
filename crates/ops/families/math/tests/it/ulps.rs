//! Errors of single precision.

/// The error in units in the last place. If the exact value is NaN or infinite, or 0 when it is rounded, it is 0 for that
/// value with its sign, and infinite for any other.
pub fn ulps(found: f32, exact: f64) -> f64 {
    let rounded = exact as f32;
    if rounded.is_nan() || rounded.is_infinite() || rounded == 0.0 {
        let same = found == rounded && found.is_sign_negative() == rounded.is_sign_negative();
        return if same || found.is_nan() && rounded.is_nan() { 0.0 } else { f64::INFINITY };
    }
    let unit = f64::from(rounded.abs().next_up()) - f64::from(rounded.abs());
    (f64::from(found) - exact).abs() / unit
}

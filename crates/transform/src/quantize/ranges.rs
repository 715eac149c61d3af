//! The values that codes represent: the measured ranges of activations.

use super::{Feeds, Ranges, Scope};
use levada_graph::{Endpoint, Error, Result, Tensor};
use levada_session::Session;
use std::collections::HashMap;

/// Bins of a histogram.
const BINS: usize = 2048;

/// A code `c` represents `(c - zero) * scale`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    pub scale: f32,
    pub zero: u8,
}

impl Scale {
    /// The scale for a range that includes zero, which is a code.
    fn new(low: f64, high: f64) -> Scale {
        let (low, high) = (low.min(0.0), high.max(0.0));
        let scale = ((high - low) / 255.0) as f32;
        // If all values are zero, or nearly, any scale will do.
        let scale = if scale.is_normal() { scale } else { 1.0 };
        Scale { scale, zero: (-low / f64::from(scale)).round().clamp(0.0, 255.0) as u8 }
    }

    /// The values of the smallest and the largest code.
    pub(super) fn ends(self) -> (f32, f32) {
        (-f32::from(self.zero) * self.scale, (255.0 - f32::from(self.zero)) * self.scale)
    }

    /// The value of a code.
    pub(super) fn number(self, code: u8) -> f32 {
        (f32::from(code) - f32::from(self.zero)) * self.scale
    }
}

/// The values that an endpoint had.
struct Seen {
    low: f64,
    high: f64,
    bins: Vec<u64>,
}

/// The scales of endpoints, from their values in runs with these feeds.
pub(super) fn measure(
    scope: &Scope<'_>,
    session: &Session,
    calibration: &[Feeds],
    endpoints: &[Endpoint],
    ranges: Ranges,
) -> Result<HashMap<Endpoint, Scale>> {
    let mut seen: Vec<Seen> = endpoints.iter().map(|_| Seen { low: 0.0, high: 0.0, bins: vec![0; BINS] }).collect();
    for feeds in calibration {
        for ((seen, &endpoint), value) in seen.iter_mut().zip(endpoints).zip(scope.run(session, feeds, endpoints)?) {
            let (low, high) = extent(&value)?;
            if !(low.is_finite() && high.is_finite()) {
                let node = scope.graph.node(endpoint.node);
                return Err(Error::invalid("a value of the calibration is not finite")
                    .at_node(&node.name, node.op_name())
                    .help("calibrate with feeds for which the graph computes finite numbers"));
            }
            (seen.low, seen.high) = (seen.low.min(low), seen.high.max(high));
        }
    }
    if ranges != Ranges::MinMax {
        for feeds in calibration {
            for (seen, value) in seen.iter_mut().zip(scope.run(session, feeds, endpoints)?) {
                seen.count(value.slice()?, ranges == Ranges::LeastSquares);
            }
        }
    }
    let scale = |seen: &Seen| {
        let (low, high) = match ranges {
            Ranges::MinMax => (seen.low, seen.high),
            Ranges::Percentile(percent) => seen.percentile(percent),
            Ranges::LeastSquares => seen.least_squares(),
        };
        Scale::new(low, high)
    };
    Ok(endpoints.iter().copied().zip(seen.iter().map(scale)).collect())
}

/// The minimum and the maximum, including zero. NaN counts as infinite.
fn extent(value: &Tensor) -> Result<(f64, f64)> {
    let values = value.slice::<f32>()?;
    let (low, high) = values.iter().fold((0f32, 0f32), |(low, high), &v| (low.min(v), high.max(v)));
    let nan = values.iter().any(|v| v.is_nan());
    Ok(if nan { (f64::NAN, f64::NAN) } else { (low.into(), high.into()) })
}

impl Seen {
    /// Counts values in bins: from the minimum to the maximum, or by distance from zero.
    fn count(&mut self, values: &[f32], by_distance: bool) {
        let (low, width) = if by_distance { (0.0, self.reach()) } else { (self.low, self.high - self.low) };
        if width <= 0.0 {
            return;
        }
        let per_number = BINS as f64 / width;
        for &value in values {
            let value = f64::from(value);
            let value = if by_distance { value.abs() } else { value };
            self.bins[(((value - low) * per_number) as usize).min(BINS - 1)] += 1;
        }
    }

    /// The largest distance from zero.
    fn reach(&self) -> f64 {
        self.high.max(-self.low)
    }

    /// The bounds of the range that contains this percentage of the values.
    fn percentile(&self, percent: f64) -> (f64, f64) {
        let total: u64 = self.bins.iter().sum();
        let beyond = total as f64 * (100.0 - percent) / 100.0;
        let signs = f64::from(u8::from(self.low < 0.0) + u8::from(self.high > 0.0)).max(1.0);
        let width = (self.high - self.low) / BINS as f64;
        // Bins at an end that contain no more values than may be clipped.
        let cut = |bins: &mut dyn Iterator<Item = &u64>| {
            let (mut count, mut sum) = (0, 0.0);
            for &bin in bins {
                sum += bin as f64;
                if sum > beyond / signs {
                    break;
                }
                count += 1;
            }
            count as f64 * width
        };
        let low = if self.low < 0.0 { self.low + cut(&mut self.bins.iter()) } else { self.low };
        let high = if self.high > 0.0 { self.high - cut(&mut self.bins.iter().rev()) } else { self.high };
        (low, high)
    }

    /// The bounds of the range that minimizes the sum of squared quantization errors.
    fn least_squares(&self) -> (f64, f64) {
        let ends = |kept: usize| {
            let reach = self.reach() * kept as f64 / BINS as f64;
            (self.low.max(-reach), self.high.min(reach))
        };
        let sum = |kept: usize| {
            let (low, high) = ends(kept);
            let (bin, step) = (self.reach() / BINS as f64, (high - low) / 255.0);
            let inside: u64 = self.bins[..kept].iter().sum();
            let beyond = self.bins[kept..].iter().enumerate();
            // The rounding error is uniform over a step.
            inside as f64 * step * step / 12.0
                + beyond.map(|(i, &count)| count as f64 * ((i as f64 + 0.5) * bin).powi(2)).sum::<f64>()
        };
        let best = (BINS / 16..=BINS).step_by(BINS / 128).min_by(|&a, &b| sum(a).total_cmp(&sum(b)));
        ends(best.unwrap_or(BINS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(values: &[f32], by_distance: bool) -> Seen {
        let ends = values.iter().fold((0f64, 0f64), |(l, h), &v| (l.min(v.into()), h.max(v.into())));
        let mut seen = Seen { low: ends.0, high: ends.1, bins: vec![0; BINS] };
        seen.count(values, by_distance);
        seen
    }

    #[test]
    fn zero_is_a_code() {
        for (low, high) in [(-1.0, 2.0), (0.5, 6.0), (-3.0, -1.0), (0.0, 0.0), (-1e-40, 0.0), (-0.001, 1000.0)] {
            let scale = Scale::new(low, high);
            assert_eq!(scale.number(scale.zero), 0.0);
            let (first, last) = scale.ends();
            let off = f64::from(scale.scale) * 0.51;
            assert!(f64::from(first) <= low.min(0.0) + off && f64::from(last) >= high.max(0.0) - off, "{low} {high}");
        }
    }

    /// 20,000 values near zero, and an outlier.
    fn with_an_outlier(sign: f32) -> Vec<f32> {
        let mut values: Vec<f32> = (0..20_000).map(|i| (i % 200) as f32 / 200.0 * sign).collect();
        values.push(10.0);
        values
    }

    #[test]
    fn outliers_are_cut_off() {
        for sign in [1.0, -1.0] {
            let values = with_an_outlier(sign);
            let (low, high) = seen(&values, false).percentile(99.9);
            assert!(if sign > 0.0 { (0.9..1.1).contains(&high) && low == 0.0 } else { high < 0.1 && low < -0.9 });
        }
        // One value in a million does not justify coarser codes for all others.
        let mut values: Vec<f32> = (0..1_000_000).map(|i| (i % 1000) as f32 / 1000.0).collect();
        values.push(4.0);
        let (_, high) = seen(&values, true).least_squares();
        assert!((0.9..2.0).contains(&high), "{high}");
        let even: Vec<f32> = (0..20_000).map(|i| i as f32).collect();
        assert!(seen(&even, true).least_squares().1 > 19_000.0);
        assert_eq!(seen(&even, false).percentile(100.0), (0.0, 19_999.0));
    }
}

//! Statistics of measured times.

use serde_json::{Map, Value};

/// Times in nanoseconds, sorted.
#[derive(Clone, Debug, Default)]
pub struct Times(Vec<f64>);

impl Times {
    /// Sorts them.
    pub fn new(mut times: Vec<f64>) -> Times {
        times.sort_by(f64::total_cmp);
        Times(times)
    }

    /// Their number.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The quantile for this share, from 0 (the minimum) to 1 (the maximum), linearly interpolated. 0 if there are no
    /// times.
    pub fn at(&self, share: f64) -> f64 {
        let place = share.clamp(0.0, 1.0) * self.0.len().saturating_sub(1) as f64;
        let (below, above) = (place.floor() as usize, place.ceil() as usize);
        match (self.0.get(below), self.0.get(above)) {
            (Some(a), Some(b)) => a + (b - a) * place.fract(),
            _ => 0.0,
        }
    }

    /// The median.
    pub fn median(&self) -> f64 {
        self.at(0.5)
    }

    /// Members of a JSON object: `median_us`, `p90_us`, `p99_us`, `min_us`, `max_us`, `runs`.
    pub fn json(&self) -> Map<String, Value> {
        let shares = [("median_us", 0.5), ("p90_us", 0.9), ("p99_us", 0.99), ("min_us", 0.0), ("max_us", 1.0)];
        let mut json: Map<String, Value> =
            shares.iter().map(|&(key, share)| (key.to_owned(), micros(self.at(share)).into())).collect();
        json.insert("runs".to_owned(), self.len().into());
        json
    }
}

/// Microseconds with three decimals.
pub fn micros(ns: f64) -> f64 {
    ns.round() / 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_lie_between_the_times_around_them() {
        let times = Times::new(vec![40.0, 10.0, 30.0, 20.0, 50.0]);
        assert_eq!([0.0, 0.25, 0.5, 0.9, 1.0].map(|share| times.at(share)), [10.0, 20.0, 30.0, 46.0, 50.0]);
        assert_eq!(Times::new(vec![10.0, 20.0]).median(), 15.0);
        assert_eq!(Times::default().median(), 0.0);
        assert_eq!(times.json()["runs"], 5);
    }
}

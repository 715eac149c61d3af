//! The clock of a device, as far as the host can know it.
//!
//! Nothing tells what a device's clock shows at a time of the host's. But a stamp that the device made after the host had
//! submitted it is later than that, and one that the host saw is earlier: every such pair narrows the range in which the
//! difference of the clocks lies. Its middle is what is taken, half its width the error.

use std::time::{Duration, Instant};

/// How much the clocks may drift apart: nanoseconds in a second.
const DRIFT: f64 = 50_000.0;

/// How long what is known of the clocks is taken to be good without new pairs.
const FRESH: Duration = Duration::from_millis(500);

/// What is known of a device's clock.
#[derive(Debug)]
pub struct Clock {
    /// Where the host's times are counted from.
    zero: Instant,
    /// What is known of the nanoseconds to add to the device's to have the host's, and when it was learned.
    range: Option<(f64, f64, Instant)>,
}

impl Default for Clock {
    fn default() -> Clock {
        Clock { zero: Instant::now(), range: None }
    }
}

impl Clock {
    /// A clock of which nothing is known.
    pub fn new() -> Clock {
        Clock::default()
    }

    fn host(&self, time: Instant) -> f64 {
        match time.checked_duration_since(self.zero) {
            Some(since) => since.as_nanos() as f64,
            None => -(self.zero.duration_since(time).as_nanos() as f64),
        }
    }

    /// Forgets what is known, because the device's times count from elsewhere now.
    pub fn forget(&mut self) {
        self.range = None;
    }

    /// True where the clock was looked at a short time ago and is known to this many nanoseconds.
    pub fn is_known(&self, within_ns: f64) -> bool {
        self.range.is_some_and(|(low, high, at)| at.elapsed() < FRESH && (high - low) / 2.0 <= within_ns)
    }

    /// The device's clock showed `first` and then `last`, in nanoseconds, between `before` and `after`.
    pub fn observe(&mut self, before: Instant, first: f64, last: f64, after: Instant) {
        let (low, high) = (self.host(before) - first, self.host(after) - last);
        let now = Instant::now();
        self.range = Some(match self.range {
            None => (low, high, now),
            Some((known_low, known_high, at)) => {
                let drift = now.duration_since(at).as_secs_f64() * DRIFT;
                let (known_low, known_high) = (known_low - drift, known_high + drift);
                // What contradicts all that was known: the clock was set anew.
                if low > known_high || high < known_low {
                    (low, high, now)
                } else {
                    (low.max(known_low), high.min(known_high), now)
                }
            }
        });
    }

    /// The host's time when the device's clock shows `time`, and how far off that may be; `None` where nothing is known.
    pub fn convert(&self, time: f64) -> Option<(Instant, Duration)> {
        let (low, high, _) = self.range?;
        let ns = time + (low + high) / 2.0;
        let at = if ns >= 0.0 {
            self.zero.checked_add(Duration::from_nanos(ns as u64))?
        } else {
            self.zero.checked_sub(Duration::from_nanos(-ns as u64))?
        };
        Some((at, Duration::from_nanos(((high - low) / 2.0).max(0.0) as u64)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_narrow_what_is_known_until_the_clock_is_set_anew() {
        let mut clock = Clock::new();
        assert!(clock.convert(1.0).is_none());
        let zero = clock.zero;
        let at = |us: u64| zero + Duration::from_micros(us);
        // The device's clock is 5,000 us ahead of the host's.
        let ahead = |us: u64| (us + 5_000) as f64 * 1e3;
        clock.observe(at(100), ahead(150), ahead(160), at(400));
        clock.observe(at(500), ahead(510), ahead(900), at(1_900));
        clock.observe(at(2_000), ahead(2_500), ahead(2_600), at(2_620));
        let (time, error) = clock.convert(ahead(3_000)).unwrap();
        // From 10 us too early to 20 us too late.
        let off = time.duration_since(at(3_000)).as_nanos() as f64;
        assert!((off - 5_000.0).abs() < 100.0, "{off}");
        assert!((14_900..=16_000).contains(&error.as_nanos()), "{error:?}");
        assert!(clock.is_known(20_000.0) && !clock.is_known(10_000.0));

        clock.observe(at(5_000), 0.0, 10.0, at(5_001));
        let (time, error) = clock.convert(5.0).unwrap();
        assert!(error < Duration::from_micros(1) && time >= at(5_000) && time <= at(5_001));
    }
}

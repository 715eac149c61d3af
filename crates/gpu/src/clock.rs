//! The clock of a device, as far as the host can determine it.
//!
//! There is no way to read a device's clock at a given time of the host's. But a stamp that the device made after the
//! host had submitted it is later than that, and one that the host has seen is earlier: every such pair narrows the
//! range in which the difference of the clocks lies. The offset in use is the middle of this range, until the range
//! leaves it or is half as wide: if the offset moved with every pair, the times of consecutive work would be
//! inconsistent. When it moves, the work of a track starts no earlier than the previous work there has ended.

use levada_trace::Track;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Maximum drift between the clocks: nanoseconds per second.
const DRIFT: f64 = 50_000.0;

/// How long an estimate is considered valid without new pairs.
const FRESH: Duration = Duration::from_millis(500);

/// What is known of a device's clock.
#[derive(Debug)]
pub struct Clock {
    /// The origin of the host's times.
    zero: Instant,
    known: Option<Known>,
    /// The latest work of each track.
    before: BTreeMap<Track, Work>,
}

/// Work of a track whose times were reported, in nanoseconds.
#[derive(Debug)]
struct Work {
    /// When it started, by the device's clock.
    first: f64,
    /// When it ended, by the host's clock, and the maximum error of that.
    end: f64,
    error: f64,
}

/// The range of the nanoseconds to add to the device's times to get the host's.
#[derive(Clone, Copy, Debug)]
struct Known {
    low: f64,
    high: f64,
    /// The amount that is added: within the range.
    offset: f64,
    /// Width of the range when `offset` was its middle.
    width: f64,
    at: Instant,
}

impl Known {
    fn new(low: f64, high: f64, at: Instant) -> Known {
        Known { low, high, offset: (low + high) / 2.0, width: high - low, at }
    }

    /// With a range that replaces this one.
    fn replaced(self, low: f64, high: f64, at: Instant) -> Known {
        if (low..=high).contains(&self.offset) && high - low > self.width / 2.0 {
            Known { low, high, at, ..self }
        } else {
            Known::new(low, high, at)
        }
    }

    fn error(&self) -> f64 {
        (self.offset - self.low).max(self.high - self.offset).max(0.0)
    }
}

impl Default for Clock {
    fn default() -> Clock {
        Clock { zero: Instant::now(), known: None, before: BTreeMap::new() }
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

    /// Forgets what is known, because the origin of the device's times has changed.
    pub fn forget(&mut self) {
        self.known = None;
        self.before.clear();
    }

    /// True if the clock was observed a short time ago and is known to within this many nanoseconds.
    pub fn is_known(&self, within_ns: f64) -> bool {
        self.known.is_some_and(|known| known.at.elapsed() < FRESH && known.error() <= within_ns)
    }

    /// Records that the device's clock showed `first` and then `last`, in nanoseconds, between `before` and `after`.
    pub fn observe(&mut self, before: Instant, first: f64, last: f64, after: Instant) {
        let (low, high) = (self.host(before) - first, self.host(after) - last);
        let now = Instant::now();
        self.known = Some(match self.known {
            None => Known::new(low, high, now),
            Some(known) => {
                let drift = now.duration_since(known.at).as_secs_f64() * DRIFT;
                let (known_low, known_high) = (known.low - drift, known.high + drift);
                // An observation that contradicts what was known: the clock was reset.
                if low > known_high || high < known_low {
                    self.before.clear();
                    Known::new(low, high, now)
                } else {
                    known.replaced(low.max(known_low), high.min(known_high), now)
                }
            }
        });
    }

    /// The host's times when work of a track started and ended, at which the device's clock showed `first` and `last`,
    /// and their maximum error; `None` if nothing is known. Work of a track is to be queried in its order.
    pub fn times(&mut self, track: Track, first: f64, last: f64) -> Option<(Instant, Instant, Duration)> {
        let known = self.known?;
        let (mut start, mut error) = (first + known.offset, known.error());
        let before = self.before.get(&track);
        let is_newest = before.is_none_or(|before| first >= before.first);
        if let Some(before) = before.filter(|before| is_newest && start < before.end) {
            (start, error) = (before.end, error.max(before.error));
        }
        let end = start.max(last + known.offset);
        if is_newest {
            self.before.insert(track, Work { first, end, error });
        }
        Some((self.instant(start)?, self.instant(end)?, Duration::from_nanos(error as u64)))
    }

    fn instant(&self, ns: f64) -> Option<Instant> {
        if ns >= 0.0 {
            self.zero.checked_add(Duration::from_nanos(ns as u64))
        } else {
            self.zero.checked_sub(Duration::from_nanos(-ns as u64))
        }
    }
}

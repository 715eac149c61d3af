//! Clocks of devices.

use levada_gpu::clock::*;
use levada_trace::Track;
use std::time::{Duration, Instant};

const TRACK: Track = Track::Compute(0);

#[test]
fn pairs_narrow_what_is_known_until_the_clock_is_set_anew() {
    let mut clock = Clock::new();
    assert!(clock.times(TRACK, 1.0, 1.0).is_none());
    let zero = Instant::now();
    let at = |us: u64| zero + Duration::from_micros(us);
    // The device's clock is 5,000 us ahead of the host's.
    let ahead = |us: u64| (us + 5_000) as f64 * 1e3;
    clock.observe(at(100), ahead(150), ahead(160), at(400));
    clock.observe(at(500), ahead(510), ahead(900), at(1_900));
    clock.observe(at(2_000), ahead(2_500), ahead(2_600), at(2_620));
    let (time, _, error) = clock.times(TRACK, ahead(3_000), ahead(3_000)).unwrap();
    // Between 10 us too early and 20 us too late.
    let off = time.duration_since(at(3_000)).as_nanos() as f64;
    assert!((off - 5_000.0).abs() < 100.0, "{off}");
    assert!((14_900..=16_000).contains(&error.as_nanos()), "{error:?}");
    assert!(clock.is_known(20_000.0) && !clock.is_known(10_000.0));

    clock.observe(at(5_000), 0.0, 10.0, at(5_001));
    let (time, _, error) = clock.times(TRACK, 5.0, 5.0).unwrap();
    assert!(error < Duration::from_micros(1) && time >= at(5_000) && time <= at(5_001));
}

#[test]
fn a_range_that_narrows_a_little_leaves_the_order_of_short_work() {
    let mut clock = Clock::new();
    let zero = Instant::now();
    let at = |us: u64| zero + Duration::from_micros(us);
    let time = |us: u64| us as f64 * 1e3;
    clock.observe(at(100), time(130), time(130), at(160));
    let times = clock.times(TRACK, time(131), time(132)).unwrap();
    assert_eq!(times, (at(131), at(132), Duration::from_micros(30)));
    // The middle of the known range moves by 6 us.
    clock.observe(at(200), time(240), time(240), at(258));
    let (start, end, error) = clock.times(TRACK, time(133), time(133)).unwrap();
    assert_eq!((start, end), (at(133), at(133)));
    assert!((29_900..=30_100).contains(&error.as_nanos()), "{error:?}");
    // Until much more is known: here, that it is 22 us earlier.
    clock.observe(at(278), time(300), time(300), at(278));
    let (start, end, again) = clock.times(TRACK, time(135), time(175)).unwrap();
    assert_eq!((start, end, again), (at(133), at(153), error));
    let (start, end, error) = clock.times(Track::CopiesIn, time(135), time(175)).unwrap();
    assert_eq!((start, end), (at(113), at(153)));
    assert!(error < Duration::from_micros(1), "{error:?}");
}

//! Runs that are cancelled or late at random neither lose nor duplicate an element.

use levada_testkit::soak::{Soak, soak};

#[test]
fn every_element_is_accounted_for() {
    for (kind, threads, batch) in
        [("FIFOQueue", 2, 16), ("FIFOQueue", 1, 4), ("RandomShuffleQueue", 2, 16), ("PaddingFIFOQueue", 4, 16)]
    {
        let elements = if batch > 4 { 100_000 } else { 20_000 };
        // How many runs are late depends on the machine: repeat until some were.
        let (mut cancelled, mut late) = (0, 0);
        for seed in 0..50 {
            let options = Soak { kind: kind.to_owned(), threads, batch, elements, seed, ..Soak::default() };
            let outcome = soak(&options).unwrap_or_else(|error| panic!("{error}"));
            assert!(outcome.is_clean(), "{kind}, {threads} threads, seed {seed}: {outcome}");
            (cancelled, late) = (cancelled + outcome.cancelled, late + outcome.late);
            if cancelled > 0 && late > 0 {
                break;
            }
        }
        assert!(cancelled > 0 && late > 0, "{kind}, {threads} threads: {cancelled} cancelled, {late} late");
    }
}

#[test]
fn a_small_queue_under_heavy_disturbance_stays_whole() {
    for seed in 0..3 {
        let options = Soak { elements: 20_000, capacity: 3, batch: 9, disturb: 2, threads: 2, seed, ..Soak::default() };
        let outcome = soak(&options).unwrap_or_else(|error| panic!("{error}"));
        assert!(outcome.is_clean(), "seed {seed}: {outcome}");
    }
}

//! Whether the steps of a short plan run on several threads.
//!
//! Handing nodes over takes a few microseconds if a thread is awake and many if it sleeps, which depends on the machine
//! and on what else runs there. So both are tried: a few steps on several threads, as many on one, and then, for a
//! while, what was faster. Medians are compared, since other load lengthens some of the steps.

use levada_sync::MODELED;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Steps from one trial to the next.
const PERIOD: u32 = 1024;
/// The first steps of a period that are not tried: they are measured, which takes time itself.
const BEFORE: u32 = 4;
/// Steps that are tried on several threads, and on one.
const EACH: u32 = 9;
/// A plan with more nanoseconds of work, counting a loop's body once, is not tried: it hides the cost of handing nodes
/// over.
const LONGEST: u64 = 1_000_000;

/// What the latest trial has found. Relaxed: a wrong choice is slow, and does no other harm.
#[derive(Default)]
pub(crate) struct Trial {
    /// Nanoseconds of the steps on several threads, and then on one.
    times: [[AtomicU64; EACH as usize]; 2],
    is_alone_faster: AtomicBool,
}

impl Trial {
    /// True if plans with this many nanoseconds of work are tried.
    pub(crate) fn is_for(cost: u64) -> bool {
        !MODELED && cost <= LONGEST
    }

    /// True if the step with this number is one of those that are timed.
    pub(crate) fn times(number: u32) -> bool {
        (BEFORE..BEFORE + 2 * EACH).contains(&(number % PERIOD))
    }

    /// True if the step with this number runs on several threads.
    pub(crate) fn shares(&self, number: u32) -> bool {
        let at = number % PERIOD;
        if at == BEFORE + 2 * EACH {
            let [shared, alone] = self.times.each_ref().map(median);
            self.is_alone_faster.store(alone < shared, Ordering::Relaxed);
        }
        match Trial::times(number) {
            true => at < BEFORE + EACH,
            false => !self.is_alone_faster.load(Ordering::Relaxed),
        }
    }

    /// Takes the time of the step with this number, one of those that are timed.
    pub(crate) fn took(&self, number: u32, nanos: u64) {
        let at = (number % PERIOD - BEFORE) as usize;
        self.times[at / EACH as usize][at % EACH as usize].store(nanos, Ordering::Relaxed);
    }
}

fn median(times: &[AtomicU64; EACH as usize]) -> u64 {
    let mut times = times.each_ref().map(|time| time.load(Ordering::Relaxed));
    times.sort_unstable();
    times[EACH as usize / 2]
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use super::*;

    /// The number of steps of a period that run on several threads, if a step takes this long.
    fn shared(trial: &Trial, period: u32, [on_several, on_one]: [u64; 2]) -> u32 {
        let mut count = 0;
        for number in period * PERIOD..(period + 1) * PERIOD {
            let shares = trial.shares(number);
            if Trial::times(number) {
                let other_load = if number % 3 == 0 { 1_000_000 } else { 0 };
                trial.took(number, other_load + if shares { on_several } else { on_one });
            }
            count += u32::from(shares);
        }
        count
    }

    #[test]
    fn what_was_faster_is_used_until_the_next_trial() {
        let trial = Trial::default();
        assert_eq!(shared(&trial, 0, [90, 80]), BEFORE + EACH);
        assert_eq!(shared(&trial, 1, [90, 80]), EACH);
        assert_eq!(shared(&trial, 2, [70, 80]), PERIOD - BEFORE - EACH);
        assert_eq!(shared(&trial, 3, [70, 80]), PERIOD - EACH);
    }
}

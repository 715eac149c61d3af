//! Several concurrent callers of one session, and the gain of each additional one.

use super::Ending;
use super::requests::Requests;
use super::times::Times;
use crate::show;
use levada::{Error, Result};
use serde_json::{Value, json};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long all numbers of callers are measured in total, and the minimum and maximum for one of them.
const MEASURE: Duration = Duration::from_secs(6);
const PART: (Duration, Duration) = (Duration::from_millis(400), Duration::from_millis(1500));
/// Rounds of each caller, at least.
const LEAST_ROUNDS: u64 = 3;
/// Another caller must bring at least this gain in throughput.
const WORTH: f64 = 1.15;
/// This share of the best throughput counts as equally good.
const NEAR: f64 = 0.95;

/// The results of a number of concurrent callers.
pub struct Level {
    /// Their number.
    pub callers: usize,
    /// Rounds per second of all of them.
    pub per_second: f64,
    /// How long a round took.
    pub times: Times,
}

/// Measures 1 to `most` callers, for large `most` only some of the numbers. `ending` tells the end of the input from a
/// fault.
///
/// # Errors
/// What a run fails with.
pub fn measure(requests: &Requests, most: usize, rounds: Option<u64>, ending: &Ending) -> Result<Vec<Level>> {
    let numbers = numbers(most);
    let part = (MEASURE / numbers.len() as u32).clamp(PART.0, PART.1);
    let mut levels = Vec::new();
    for callers in numbers {
        let level = together(requests, callers, rounds, part, ending)?;
        // A level that the end of the input cut short is not meaningful.
        if level.times.len() == 0 || (ending.reached() && !levels.is_empty()) {
            break;
        }
        levels.push(level);
        if ending.reached() {
            break;
        }
    }
    Ok(levels)
}

/// 1 to 8 one by one, then each about 1.5 times the previous one.
fn numbers(most: usize) -> Vec<usize> {
    let mut numbers: Vec<usize> = (1..=most.min(8)).collect();
    let mut next = 12;
    while next < most {
        numbers.push(next);
        next = if next.is_power_of_two() { next * 3 / 2 } else { next / 3 * 4 };
    }
    if numbers.last() != Some(&most) {
        numbers.push(most);
    }
    numbers
}

/// A gate at which callers wait until all of them have been started.
#[derive(Default)]
struct Gate {
    /// Whether they may begin, once that is known. The lock protects it.
    state: Mutex<Option<bool>>,
    changed: Condvar,
}

impl Gate {
    fn open(&self, begins: bool) {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = Some(begins);
        self.changed.notify_all();
    }

    fn pass(&self) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            match *state {
                Some(begins) => return begins,
                None => state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}

fn together(
    requests: &Requests,
    callers: usize,
    rounds: Option<u64>,
    part: Duration,
    ending: &Ending,
) -> Result<Level> {
    // The callers begin together, unless some cannot be started.
    let gate = Gate::default();
    // Set once a caller fails or the input ends, so that the others stop too. It protects nothing.
    let stop = AtomicBool::new(false);
    let caller = |requests: Requests| -> Result<(Vec<f64>, Instant, Instant)> {
        let mut times = Vec::new();
        if !gate.pass() {
            return Err(Error::cancelled("other callers could not be started"));
        }
        let start = Instant::now();
        let goes_on = |done: u64| match rounds {
            Some(n) => done < n,
            None => done < LEAST_ROUNDS || start.elapsed() < part,
        };
        while goes_on(times.len() as u64) && !stop.load(Ordering::Relaxed) {
            match requests.round() {
                Ok(round) => times.push(round.times.iter().sum()),
                Err(error) => {
                    stop.store(true, Ordering::Relaxed);
                    match ending.is_end(&error) {
                        true => break,
                        false => return Err(error),
                    }
                }
            }
        }
        Ok((times, start, Instant::now()))
    };
    let clones: Vec<Requests> = (0..callers).map(|_| requests.clone()).collect();
    let done: Result<Vec<(Vec<f64>, Instant, Instant)>> = std::thread::scope(|scope| {
        let caller = &caller;
        let start = |own| std::thread::Builder::new().spawn_scoped(scope, move || caller(own));
        let threads: io::Result<Vec<_>> = clones.into_iter().map(start).collect();
        gate.open(threads.is_ok());
        let threads =
            threads.map_err(|error| Error::resource_exhausted(format!("cannot start {callers} threads: {error}")))?;
        // A kernel's panic is a failed run; one of this loop itself is passed on.
        threads.into_iter().map(|t| t.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    });
    let done = done?;
    let start = done.iter().map(|(_, start, _)| *start).min();
    let end = done.iter().map(|(.., end)| *end).max();
    let seconds = start.zip(end).map_or(0.0, |(start, end)| (end - start).as_secs_f64());
    let times = Times::new(done.into_iter().flat_map(|(times, ..)| times).collect());
    Ok(Level { callers, per_second: times.len() as f64 / seconds.max(1e-9), times })
}

/// A row for each number of callers.
pub fn table(levels: &[Level]) -> String {
    let header = ["callers", "runs/s", "times one", "p50", "p90", "p99", "max"].map(str::to_owned);
    let one = levels.first().map_or(1.0, |level| level.per_second);
    let row = |level: &Level| {
        let time = |share| show::time(level.times.at(share));
        [
            level.callers.to_string(),
            rate(level.per_second),
            format!("{:.2}", level.per_second / one),
            time(0.5),
            time(0.9),
            time(0.99),
            time(1.0),
        ]
    };
    let rows: Vec<[String; 7]> = std::iter::once(header).chain(levels.iter().map(row)).collect();
    show::table("rrrrrrr", &rows)
}

/// Runs per second with three significant digits.
pub fn rate(per_second: f64) -> String {
    let digits = match per_second {
        n if n < 10.0 => 2,
        n if n < 100.0 => 1,
        _ => 0,
    };
    format!("{per_second:.digits$}")
}

/// The smallest number of callers that is about as good as the best one.
pub fn best(levels: &[Level]) -> Option<&Level> {
    let most = levels.iter().map(|l| l.per_second).fold(0.0, f64::max);
    levels.iter().find(|l| l.per_second >= NEAR * most)
}

/// Advice on whether to run in parallel, with figures.
pub fn advice(levels: &[Level], threads: usize) -> String {
    let (Some(one), Some(best), Some(last)) = (levels.first(), best(levels), levels.last()) else {
        return "The input ended before anything could be measured.".to_owned();
    };
    let threads = show::count(threads, "thread");
    let gain = best.per_second / one.per_second;
    let (before, now) = (show::time(one.times.median()), show::time(best.times.median()));
    if levels.len() == 1 {
        return format!("One caller does {} runs a second on {threads}.", rate(one.per_second));
    }
    if gain < WORTH {
        return format!(
            "Do not run this graph in parallel: one caller does {} runs a second, which {} callers do not exceed \
             ({}) on {threads}; a run then takes {} rather than {before}. One run at a time uses what there is.",
            rate(one.per_second),
            last.callers,
            rate(last.per_second),
            show::time(last.times.median()),
        );
    }
    let further = if best.callers < last.callers {
        format!(" More callers do not help: {} do {}.", last.callers, rate(last.per_second))
    } else {
        " More callers may help: try a larger --callers.".to_owned()
    };
    format!(
        "Run this graph with {} callers at once: they do {} runs a second on {threads}, {gain:.1} times as many as one; \
         a run takes {now} (p99 {}) rather than {before}.{further}",
        best.callers,
        rate(best.per_second),
        show::time(best.times.at(0.99)),
    )
}

/// The levels as a JSON array.
pub fn json(levels: &[Level]) -> Value {
    let one = levels.first().map_or(1.0, |level| level.per_second);
    let row = |level: &Level| {
        let mut row = level.times.json();
        row.insert("callers".to_owned(), level.callers.into());
        row.insert("runs_per_s".to_owned(), json!((level.per_second * 1e3).round() / 1e3));
        row.insert("times_one".to_owned(), json!((level.per_second / one * 1e3).round() / 1e3));
        Value::Object(row)
    };
    levels.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn levels(per_second: &[f64]) -> Vec<Level> {
        let level = |(i, &rate): (usize, &f64)| {
            let took = (i + 1) as f64 * 1e9 / rate;
            Level { callers: i + 1, per_second: rate, times: Times::new(vec![took; 3]) }
        };
        per_second.iter().enumerate().map(level).collect()
    }

    #[test]
    fn the_advice_follows_from_the_figures() {
        let flat = levels(&[100.0, 104.0, 101.0]);
        assert_eq!(
            advice(&flat, 2),
            "Do not run this graph in parallel: one caller does 100 runs a second, which 3 callers do not exceed (101) on 2 \
             threads; a run then takes 29.7 ms rather than 10.0 ms. One run at a time uses what there is."
        );
        let grows = levels(&[100.0, 190.0, 196.0, 195.0]);
        assert_eq!(best(&grows).unwrap().callers, 2);
        assert_eq!(
            advice(&grows, 4),
            "Run this graph with 2 callers at once: they do 190 runs a second on 4 threads, 1.9 times as many as one; a run \
             takes 10.5 ms (p99 10.5 ms) rather than 10.0 ms. More callers do not help: 4 do 195."
        );
        assert!(advice(&levels(&[100.0, 200.0]), 4).ends_with("try a larger --callers."));
        assert!(advice(&[], 4).contains("input ended"));
    }

    #[test]
    fn few_callers_are_measured_one_by_one_and_many_in_steps() {
        assert_eq!(numbers(1), [1]);
        assert_eq!(numbers(4), [1, 2, 3, 4]);
        assert_eq!(numbers(40), [1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 40]);
    }
}

//! Runs models.

use crate::clock;
#[cfg(loom)]
use crate::thread;
use std::sync::Arc;
#[cfg(loom)]
use std::sync::atomic::{AtomicUsize, Ordering};

/// The stack size of a model's first thread, in words.
const STACK: usize = 1 << 16;

/// Runs a model under every schedule with at most three preemptions, or the number in `LOOM_MAX_PREEMPTIONS`.
#[cfg(loom)]
pub fn explore(model: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = builder.preemption_bound.or(Some(3));
    builder.max_branches = 100_000;
    let (model, schedules) = (Arc::new(model), Arc::new(AtomicUsize::new(0)));
    let counts = schedules.clone();
    builder.check(move || {
        clock::start();
        counts.fetch_add(1, Ordering::Relaxed);
        let model = model.clone();
        let first = thread::Builder::new().stack_size(STACK).spawn(move || model()).unwrap();
        first.join().unwrap();
    });
    eprintln!("{} schedules", schedules.load(Ordering::Relaxed));
}

/// Runs a model under random schedules, half of which rarely switch threads. `LEVADA_SCHEDULES` sets their number and
/// `LEVADA_SEED` the seed; `LEVADA_REPLAY` repeats the schedule that a failure prints.
#[cfg(shuttle)]
pub fn explore(model: impl Fn() + Send + Sync + 'static) {
    use shuttle::scheduler::{PctScheduler, RandomScheduler, ReplayScheduler};
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let schedules = number("LEVADA_SCHEDULES").unwrap_or(2000) as usize;
    let seed = number("LEVADA_SEED").unwrap_or(1);
    let model = Arc::new(move || {
        clock::start();
        model();
    });
    let config = || {
        let mut config = shuttle::Config::new();
        config.stack_size = STACK;
        config.silence_warnings = true;
        config
    };
    let run = model.clone();
    if let Ok(schedule) = std::env::var("LEVADA_REPLAY") {
        shuttle::Runner::new(ReplayScheduler::new_from_encoded(&schedule), config()).run(move || run());
        return;
    }
    eprintln!("LEVADA_SEED={seed}: {schedules} schedules");
    shuttle::Runner::new(RandomScheduler::new_from_seed(seed, schedules / 2), config()).run(move || run());
    shuttle::Runner::new(PctScheduler::new_from_seed(seed, 3, schedules / 2), config()).run(move || model());
}

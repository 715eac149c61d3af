//! One run of a program under a schedule that is determined by a seed.

use crate::checker::scheduler::{Schedule, Scheduler, Task, TaskId};
use crate::checker::{Config, FailurePersistence, MaxSteps, Runner};
use crate::clock;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The stack size of a thread, in words: graphs are compiled on it.
const STACK: usize = 1 << 18;

/// A thread that continues whenever it can gives way to another in one of this many steps.
const STAYS: [u64; 3] = [4, 16, 64];

/// One in this many steps of threads with ranks gives the thread another rank.
const PROMOTED: u64 = 64;

/// How the next thread is chosen.
enum Way {
    /// Any thread.
    Any,
    /// The same as before, except for one in this many steps.
    Stays(u64),
    /// The first by its rank, which changes now and then: threads are delayed for long.
    Ranks(Vec<u64>),
}

/// A schedule that is determined by a seed.
struct Seeded {
    seed: u64,
    state: u64,
    has_begun: bool,
    way: Way,
    steps: Arc<AtomicU64>,
}

impl Seeded {
    fn new(seed: u64, steps: Arc<AtomicU64>) -> Seeded {
        let mut this = Seeded { seed, state: seed, has_begun: false, way: Way::Any, steps };
        this.way = match this.next_u64() % 5 {
            0 => Way::Any,
            4 => Way::Ranks(Vec::new()),
            n => Way::Stays(STAYS[n as usize - 1]),
        };
        this
    }
}

impl Scheduler for Seeded {
    fn new_execution(&mut self) -> Option<Schedule> {
        let is_first = !std::mem::replace(&mut self.has_begun, true);
        is_first.then(|| Schedule::new(self.seed))
    }

    fn next_task(&mut self, runnable: &[&Task], current: Option<TaskId>, is_yielding: bool) -> Option<TaskId> {
        self.steps.fetch_add(1, Ordering::Relaxed);
        let number = self.next_u64();
        // A thread that yields continues only if no other can.
        let gives_way = |task: &TaskId| is_yielding && runnable.len() > 1 && Some(*task) == current;
        let any = |number: u64| {
            let others = runnable.len() - usize::from(runnable.iter().any(|task| gives_way(&task.id())));
            runnable.iter().map(|task| task.id()).filter(|id| !gives_way(id)).nth((number % others as u64) as usize)
        };
        match &mut self.way {
            Way::Any => any(number),
            Way::Stays(most) => {
                let goes_on = current.filter(|id| !is_yielding && runnable.iter().any(|task| task.id() == *id));
                goes_on.filter(|_| number % *most > 0).or_else(|| any(number >> 8))
            }
            Way::Ranks(ranks) => {
                for task in runnable {
                    let id = usize::from(task.id());
                    // Numbers of ended threads are not reused.
                    while ranks.len() <= id {
                        ranks.push(number.rotate_left(7 * ranks.len() as u32 + 1) >> 1);
                    }
                }
                if let Some(current) = current.map(usize::from).filter(|id| *id < ranks.len()) {
                    if is_yielding {
                        ranks[current] = ranks.iter().min().map_or(0, |least| least.saturating_sub(1));
                    } else if number % PROMOTED == 0 {
                        ranks[current] = number >> 1;
                    }
                }
                let all = runnable.iter().map(|task| task.id()).filter(|id| !gives_way(id));
                all.max_by_key(|id| ranks[usize::from(*id)])
            }
        }
    }

    fn next_u64(&mut self) -> u64 {
        // SplitMix64.
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// Runs a program once; the seed determines the order of its threads' steps. Returns how many steps they took.
///
/// # Panics
/// If one of its threads panics, if all of them sleep, and if they take more than `most` steps.
pub fn simulate(seed: u64, most: usize, program: impl Fn() + Send + Sync + 'static) -> u64 {
    let steps = Arc::new(AtomicU64::new(0));
    let mut config = Config::new();
    config.stack_size = STACK;
    config.silence_warnings = true;
    config.failure_persistence = FailurePersistence::None;
    config.max_steps = MaxSteps::FailAfter(most);
    Runner::new(Seeded::new(seed, steps.clone()), config).run(move || {
        clock::start();
        program();
    });
    steps.load(Ordering::Relaxed)
}

//! Every interleaving of a small session: a caller takes elements that a queue runner puts into a queue with room for
//! one.
//!
//! `.ci/threads loom`
//!
//! Counters are read by `fetch_add(0)`, since in loom a sequentially consistent load may return an old value. The
//! steps, the queue and the runner do what those of the crates `executor`, `ops` and `session` do, in the same order.
#![cfg(loom)]

use self::Outcome::{Done, Stalled};
use levada_stall::{Activity, Listing, Roll, Sleeps};
use loom::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering};
use loom::sync::{Condvar, Mutex};
use loom::thread;
use std::sync::Arc;

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Take,
    Put,
}

/// What a step ends with.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Outcome {
    Done,
    Stalled,
}

/// A step of one node, which uses the queue.
struct Step {
    kind: Kind,
    activity: Activity,
    listing: Listing,
    wakes: AtomicU64,
    /// The node was woken and waits for a thread.
    work: Mutex<bool>,
    /// Whether the kernel has returned, and whether the node was finished before.
    deferral: Mutex<(bool, bool)>,
    outcome: Mutex<Option<Outcome>>,
    told: Condvar,
}

impl Step {
    fn new(kind: Kind) -> Arc<Step> {
        Arc::new(Step {
            kind,
            activity: Activity::of_one_thread(),
            listing: Listing::default(),
            wakes: AtomicU64::new(0),
            work: Mutex::new(false),
            deferral: Mutex::new((false, false)),
            outcome: Mutex::new(None),
            told: Condvar::new(),
        })
    }
}

impl Sleeps for Step {
    fn sleeps(&self) -> Option<u64> {
        let wakes = self.wakes.fetch_add(0, Ordering::SeqCst);
        let idle = self.activity.is_idle() && !*self.work.lock().unwrap();
        (idle && self.outcome.lock().unwrap().is_none()).then_some(wakes)
    }
}

#[derive(Default)]
struct Queue {
    elements: usize,
    putter: Option<Arc<Step>>,
    taker: Option<Arc<Step>>,
}

const UNDER_WAY: u8 = 0;
const RETURNED: u8 = 1;
const ENDED: u8 = 2;

struct Session {
    roll: Roll<Step>,
    /// Callers inside runs, plus turns of the runner.
    running: AtomicUsize,
    queue: Mutex<Queue>,
    /// Elements that the runner has not put yet.
    left: AtomicUsize,
    phase: AtomicU8,
    /// True if the runner continues on another thread than the one that ended its step. Loom supports five threads.
    apart: bool,
    /// The fault that the model must find.
    fault: Fault,
    /// Pool threads that have been started.
    pool: Mutex<Vec<thread::JoinHandle<()>>>,
}

#[derive(Clone, Copy, PartialEq)]
enum Fault {
    None,
    /// A step leaves the roll before its end is reported.
    LeavesEarly,
    /// There is no check for a stall after a step has left the roll.
    LeavesUnseen,
}

/// What a thread of the pool is to do.
enum Job {
    Help(Arc<Step>),
    Turn,
}

impl Session {
    fn new(elements: usize, puts: usize, fault: Fault) -> Arc<Session> {
        Arc::new(Session {
            roll: Roll::default(),
            running: AtomicUsize::new(0),
            queue: Mutex::new(Queue { elements, ..Queue::default() }),
            left: AtomicUsize::new(puts),
            phase: AtomicU8::new(RETURNED),
            apart: puts == 1,
            fault,
            pool: Mutex::new(Vec::new()),
        })
    }

    fn check(self: &Arc<Self>) {
        if self.roll.is_empty() {
            return;
        }
        let outside = |callers| self.running.fetch_add(0, Ordering::SeqCst) > callers;
        for (step, caller) in self.roll.stalled(outside).unwrap_or_default() {
            if caller {
                *step.outcome.lock().unwrap() = Some(Stalled);
                step.told.notify_all();
            }
        }
    }

    /// The kernel: returns true if the node is done, false if it waits.
    fn act(self: &Arc<Self>, step: &Arc<Step>, jobs: &mut Vec<Job>) -> bool {
        let mut queue = self.queue.lock().unwrap();
        let (done, woken) = match step.kind {
            Kind::Take if queue.elements > 0 => {
                let putter = queue.putter.take();
                queue.elements -= usize::from(putter.is_none());
                (true, putter)
            }
            Kind::Take => {
                queue.taker = Some(step.clone());
                (false, None)
            }
            Kind::Put => match queue.taker.take() {
                Some(taker) => (true, Some(taker)),
                None if queue.elements == 0 => {
                    queue.elements = 1;
                    (true, None)
                }
                None => {
                    queue.putter = Some(step.clone());
                    (false, None)
                }
            },
        };
        drop(queue);
        if let Some(woken) = woken {
            self.wake(&woken, jobs);
        }
        done
    }

    /// `Deferral::finish`
    fn wake(self: &Arc<Self>, step: &Arc<Step>, jobs: &mut Vec<Job>) {
        let mut deferral = step.deferral.lock().unwrap();
        if !deferral.0 {
            deferral.1 = true;
            return;
        }
        drop(deferral);
        step.wakes.fetch_add(1, Ordering::SeqCst);
        *step.work.lock().unwrap() = true;
        if step.activity.join(1) {
            jobs.push(Job::Help(step.clone()));
        }
    }

    /// `Step::drain`, first with the node and then with what is shared.
    fn drain(self: &Arc<Self>, step: &Arc<Step>, starts: bool, jobs: &mut Vec<Job>) {
        if starts {
            let done = self.act(step, jobs) || {
                let mut deferral = step.deferral.lock().unwrap();
                deferral.0 = true;
                deferral.1
            };
            if done {
                self.finish(step, jobs);
                step.activity.leave();
                return;
            }
        }
        loop {
            if std::mem::take(&mut *step.work.lock().unwrap()) {
                self.finish(step, jobs);
                step.activity.leave();
                return;
            }
            let last = step.activity.leave();
            if !*step.work.lock().unwrap() || !step.activity.join(1) {
                if last {
                    self.check();
                }
                return;
            }
        }
    }

    fn leave(self: &Arc<Self>, step: &Arc<Step>) {
        if let Some(id) = step.listing.over() {
            self.roll.leave(id);
            if self.fault != Fault::LeavesUnseen {
                self.check();
            }
        }
    }

    /// `Step::finish`
    fn finish(self: &Arc<Self>, step: &Arc<Step>, jobs: &mut Vec<Job>) {
        step.outcome.lock().unwrap().get_or_insert(Done);
        step.told.notify_all();
        if self.fault == Fault::LeavesEarly {
            self.leave(step);
        }
        if step.kind == Kind::Put && self.phase.swap(ENDED, Ordering::AcqRel) == RETURNED {
            // `Enqueue::resume`
            self.running.fetch_add(1, Ordering::SeqCst);
            match self.apart {
                true => self.spawn(Job::Turn),
                false => jobs.push(Job::Turn),
            }
        }
        self.leave(step);
    }

    /// `Enqueue::run`, with its counter.
    fn turn(self: &Arc<Self>, jobs: &mut Vec<Job>) {
        while self.left.load(Ordering::SeqCst) > 0 {
            self.left.fetch_sub(1, Ordering::SeqCst);
            self.phase.store(UNDER_WAY, Ordering::Release);
            let step = Step::new(Kind::Put);
            self.drain(&step, true, jobs);
            step.listing.list(|| self.roll.enter(step.clone(), false));
            if self.phase.swap(RETURNED, Ordering::AcqRel) == UNDER_WAY {
                break;
            }
        }
        self.running.fetch_sub(1, Ordering::SeqCst);
        self.check();
    }

    /// Hands work to a thread of the pool.
    fn spawn(self: &Arc<Self>, job: Job) {
        let session = self.clone();
        self.pool.lock().unwrap().push(thread::spawn(move || session.work_off(vec![job])));
    }

    /// What a thread of the pool does.
    fn work_off(self: &Arc<Self>, mut jobs: Vec<Job>) {
        while let Some(job) = jobs.pop() {
            match job {
                Job::Help(step) => self.drain(&step, false, &mut jobs),
                Job::Turn => self.turn(&mut jobs),
            }
        }
    }

    /// `Session::run`: takes an element. What it wakes goes to the pool.
    fn take(self: &Arc<Self>) -> Outcome {
        self.running.fetch_add(1, Ordering::SeqCst);
        let step = Step::new(Kind::Take);
        let mut jobs = Vec::new();
        self.drain(&step, true, &mut jobs);
        jobs.into_iter().for_each(|job| self.spawn(job));
        if step.outcome.lock().unwrap().is_none() {
            let id = self.roll.enter(step.clone(), true);
            self.check();
            let mut outcome = step.outcome.lock().unwrap();
            while outcome.is_none() {
                outcome = step.told.wait(outcome).unwrap();
            }
            drop(outcome);
            self.roll.leave(id);
        }
        self.running.fetch_sub(1, Ordering::SeqCst);
        self.check();
        let outcome = step.outcome.lock().unwrap().expect("it has ended");
        outcome
    }
}

fn explore(elements: usize, puts: usize, fault: Fault, takes: &'static [Outcome]) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(move || {
        let session = Session::new(elements, puts, fault);
        session.running.fetch_add(1, Ordering::SeqCst);
        session.spawn(Job::Turn);
        for expected in takes {
            assert_eq!(session.take(), *expected);
        }
        loop {
            let Some(thread) = session.pool.lock().unwrap().pop() else { break };
            thread.join().unwrap();
        }
    });
}

#[test]
fn a_pipeline_that_goes_on_raises_no_alarm() {
    explore(1, 2, Fault::None, &[Done, Done, Done]);
}

#[test]
fn a_pipeline_that_has_ended_is_told_so() {
    explore(0, 1, Fault::None, &[Done, Stalled]);
    explore(1, 1, Fault::None, &[Done, Done, Stalled]);
}

#[test]
#[should_panic(expected = "Stalled")]
fn the_model_finds_a_step_that_leaves_before_its_end_was_told() {
    explore(1, 2, Fault::LeavesEarly, &[Done, Done, Done]);
}

#[test]
#[should_panic(expected = "deadlock")]
fn the_model_finds_a_step_that_leaves_unseen() {
    explore(1, 1, Fault::LeavesUnseen, &[Done, Done, Stalled]);
}

//! Models of the executor: small plans under every schedule, with loom, or under many random ones, with shuttle. They
//! run the unmodified code of this crate and of `kernel`.
//!
//! ```text
//! .ci/threads
//! ```
//!
//! The models of loops, of partial runs, of waiting steps, and of nodes that wait for their turn are in `loops`,
//! `partial`, `stalls` and `turns`.
//!
//! What holds under every schedule: each node runs once, results are those of any order, a step ends once, and nothing
//! is left in its slots. Debug assertions of the crate check the rest; loom also finds unordered accesses to a slot.

mod loops;
mod partial;
mod stalls;
mod turns;

use crate::plan::{NodeIx, NodeKind, Plan};
use crate::testing::Sketch;
use crate::{OnDone, StepOptions, begin, run, start};
use levada_graph::{Code, Error, Result, Tensor};
use levada_kernel::cancel::Registration;
use levada_kernel::{CancelToken, Completion, Entry, Env, Io, Pool, Rendezvous, Resources, Wait};
use levada_stall::Activity;
use levada_sync::atomic::{AtomicUsize, Ordering};
#[cfg(shuttle)]
use levada_sync::clock;
use levada_sync::{Condvar, Mutex, explore, thread};
use std::sync::Arc;
#[cfg(shuttle)]
use std::time::Duration;

/// The cost of a node that is worth a thread, whatever a first measurement says.
const EXPENSIVE: u32 = 1 << 30;

/// How often each node has run.
#[derive(Clone)]
struct Runs(Arc<[std::sync::atomic::AtomicUsize]>);

impl Runs {
    fn of(nodes: usize) -> Runs {
        Runs((0..nodes).map(|_| Default::default()).collect())
    }

    /// A kernel that counts its runs, and outputs one more than the sum of its inputs.
    fn counts(&self, node: NodeIx) -> impl Fn(&mut Io<'_>) -> Result<()> + Send + Sync + 'static {
        let this = self.clone();
        move |io| {
            this.count(node);
            let inputs = (0..io.num_inputs()).map(|i| Ok(io.slice::<i64>(i)?[0]));
            let sum = inputs.sum::<Result<i64>>()?;
            io.set(0, Tensor::scalar(1 + sum));
            Ok(())
        }
    }

    fn count(&self, node: NodeIx) {
        self.0[node as usize].fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    }

    /// The numbers of runs since the last call.
    fn take(&self) -> Vec<usize> {
        self.0.iter().map(|runs| runs.swap(0, std::sync::atomic::Ordering::Relaxed)).collect()
    }
}

/// A plan of expensive nodes that count their runs, in steps that are not measured.
fn counted(nodes: usize, make: impl Fn(Sketch) -> Sketch) -> (Arc<Plan>, Runs) {
    sketched(nodes, |sketch| make(sketch.known()))
}

/// As [`counted`]; the first steps are measured.
fn sketched(nodes: usize, make: impl Fn(Sketch) -> Sketch) -> (Arc<Plan>, Runs) {
    let runs = Runs::of(nodes);
    let mut sketch = Sketch::of(&vec![EXPENSIVE; nodes]);
    for node in 0..nodes as NodeIx {
        sketch = sketch.acts(node, runs.counts(node));
    }
    (make(sketch).plan(), runs)
}

fn env(threads: usize) -> Arc<Env> {
    Arc::new(Env::new(Arc::new(Pool::new(threads)), Arc::new(Resources::new())))
}

fn values(tensors: &[Tensor]) -> Vec<i64> {
    tensors.iter().map(|tensor| tensor.slice::<i64>().unwrap()[0]).collect()
}

fn fetched(plan: &Arc<Plan>, env: &Arc<Env>) -> Result<Vec<i64>> {
    run(plan, env, Vec::new(), &StepOptions::default()).0.map(|tensors| values(&tensors))
}

/// Runs a plan `steps` times, each time with the memory of the last, as far as it was kept.
fn runs_once(nodes: usize, expected: &'static [i64], steps: usize, make: fn(Sketch) -> Sketch) {
    explore(move || {
        // Of three steps the last is not measured.
        let (plan, runs) = if steps > 1 { sketched(nodes, make) } else { counted(nodes, make) };
        let env = env(2);
        for _ in 0..steps {
            assert_eq!(fetched(&plan, &env).unwrap(), expected);
            assert_eq!(runs.take(), vec![1; nodes]);
        }
    });
}

/// Steps of one run of a model: loom explores every schedule of one, and would take too long for two.
const STEPS: usize = if cfg!(loom) { 1 } else { 3 };

#[test]
fn a_value_parts_and_joins_again() {
    runs_once(4, &[5], STEPS, |sketch| sketch.edges(&[(0, 1), (0, 2), (1, 3), (2, 3)]).fetch(3, 0));
}

#[test]
fn what_is_measured_runs_as_what_is_not() {
    explore(|| {
        let (plan, runs) = sketched(3, |sketch| sketch.edges(&[(0, 1), (0, 2)]).fetch(1, 0).fetch(2, 0));
        let env = env(2);
        assert_eq!(fetched(&plan, &env).unwrap(), [2, 2]);
        assert_eq!(runs.take(), [1; 3]);
    });
}

#[test]
fn a_control_edge_and_a_data_edge_meet() {
    runs_once(4, &[3, 2], STEPS, |sketch| {
        sketch.edges(&[(0, 1), (0, 2), (1, 3)]).controls(&[(2, 3)]).fetch(3, 0).fetch(2, 0)
    });
}

#[test]
fn three_nodes_are_fetched_and_meet_in_a_fourth() {
    runs_once(5, &[7, 2, 2, 2], STEPS, |sketch| {
        let sketch = sketch.edges(&[(0, 1), (0, 2), (0, 3), (1, 4), (2, 4), (3, 4)]);
        [4, 1, 2, 3].into_iter().fold(sketch, |sketch, node| sketch.fetch(node, 0))
    });
}

#[cfg(shuttle)]
#[test]
fn layers_of_nodes_each_of_which_counts_the_layer_before() {
    runs_once(9, &[13], STEPS, |sketch| {
        let edges: Vec<(u32, u32)> = (3..9).flat_map(|to| (0..3).map(move |i| (to / 3 * 3 - 3 + i, to))).collect();
        sketch.edges(&edges).fetch(8, 0)
    });
}

#[test]
fn merges_take_the_value_that_is_alive_and_dead_ends_are_told() {
    // 6 comes first. 1 switches 4 by the predicate 0; 2 and 3 are the branches, 5 merges them.
    explore(|| {
        let runs = Runs::of(7);
        let decides = runs.clone();
        let plan = Sketch::of(&[EXPENSIVE; 7])
            .known()
            .acts(0, move |io| {
                decides.count(0);
                io.set(0, Tensor::scalar(true));
                Ok(())
            })
            .acts(2, runs.counts(2))
            .acts(3, runs.counts(3))
            .acts(4, runs.counts(4))
            .acts(6, runs.counts(6))
            .edges(&[(6, 0), (6, 4), (4, 1), (0, 1)])
            .kind(1, NodeKind::Switch)
            .edge(1, 0, 2)
            .edge(1, 1, 3)
            .kind(5, NodeKind::Merge)
            .edges(&[(2, 5), (3, 5)])
            .fetch(5, 0)
            .plan();
        let env = env(2);
        for _ in 0..STEPS {
            assert_eq!(fetched(&plan, &env).unwrap(), [3]);
            assert_eq!(runs.take(), [1, 0, 0, 1, 1, 0, 1]);
        }
    });
}

#[test]
fn two_live_values_race_for_a_merge() {
    // 1 and 2 come after 0. After the merge, which runs once, comes 4.
    explore(|| {
        let runs = Runs::of(5);
        let sketch = [0, 1, 2, 4]
            .into_iter()
            .fold(Sketch::of(&[EXPENSIVE; 5]).known(), |s, node| s.acts(node, runs.counts(node)));
        let sketch = sketch.kind(3, NodeKind::Merge).edges(&[(0, 1), (0, 2), (1, 3), (2, 3), (3, 4)]).fetch(4, 0);
        let (plan, env) = (sketch.plan(), env(2));
        for _ in 0..STEPS {
            assert_eq!(fetched(&plan, &env).unwrap(), [3]);
            assert_eq!(runs.take(), [1, 1, 1, 0, 1]);
        }
    });
}

#[test]
fn a_merge_waits_for_a_control_edge() {
    // 1 and 2 come after 0; 3 merges the value of 1, after 2.
    explore(|| {
        let runs = Runs::of(5);
        let sketch = [0, 1, 2, 4]
            .into_iter()
            .fold(Sketch::of(&[EXPENSIVE; 5]).known(), |s, node| s.acts(node, runs.counts(node)));
        let sketch = sketch.kind(3, NodeKind::Merge).edges(&[(0, 1), (0, 2), (1, 3), (3, 4)]).controls(&[(2, 3)]);
        let (plan, env) = (sketch.fetch(4, 0).plan(), env(2));
        for _ in 0..STEPS {
            assert_eq!(fetched(&plan, &env).unwrap(), [3]);
            assert_eq!(runs.take(), [1, 1, 1, 0, 1]);
        }
    });
}

#[test]
fn no_more_threads_join_a_step_than_may() {
    explore(|| {
        let activity = Arc::new(Activity::of_one_thread());
        assert!(activity.leave());
        let other = activity.clone();
        let joins = thread::spawn(move || other.join(1));
        let joined = [activity.join(1), joins.join().unwrap()];
        assert!(joined[0] != joined[1], "{joined:?}");
    });
}

/// Where a deferred node leaves its completion.
#[derive(Default)]
struct Desk {
    left: Mutex<Vec<Completion>>,
    changed: Condvar,
}

impl Desk {
    /// A kernel that leaves its completion.
    fn defers(self: &Arc<Self>) -> impl Fn(&mut Io<'_>) -> Result<()> + Send + Sync + 'static {
        let this = self.clone();
        move |io| {
            let completion = io.defer();
            this.left.lock().push(completion);
            this.changed.notify_all();
            Ok(())
        }
    }

    /// Takes a completion, once there is one.
    fn take(&self) -> Completion {
        let mut left = self.left.lock();
        loop {
            match left.pop() {
                Some(completion) => return completion,
                None => self.changed.wait(&mut left),
            }
        }
    }
}

#[test]
fn a_node_is_finished_while_its_kernel_returns() {
    for (threads, is_measured) in [(1, false), (2, false), (1, true)] {
        explore(move || {
            let desk = Arc::new(Desk::default());
            let make = |sketch: Sketch| sketch.edges(&[(0, 1)]).fetch(1, 0).acts(0, desk.defers());
            let (plan, runs) = if is_measured { sketched(2, make) } else { counted(2, make) };
            let env = env(threads);
            let finishes = thread::spawn(move || desk.take().finish(Ok(vec![Tensor::scalar(10i64)])));
            assert_eq!(fetched(&plan, &env).unwrap(), [11]);
            finishes.join().unwrap();
            assert_eq!(runs.take(), [0, 1]);
        });
    }
}

/// Loom supports too few threads for this.
#[cfg(shuttle)]
#[test]
fn two_deferred_nodes_are_finished_at_the_same_time() {
    explore(|| {
        let desk = Arc::new(Desk::default());
        let (plan, _) = counted(3, |sketch| {
            sketch.edges(&[(0, 2), (1, 2)]).fetch(2, 0).acts(0, desk.defers()).acts(1, desk.defers())
        });
        let env = env(1);
        let other = desk.clone();
        let finishes = thread::spawn(move || other.take().finish(Ok(vec![Tensor::scalar(10i64)])));
        let also = thread::spawn(move || desk.take().finish(Ok(vec![Tensor::scalar(10i64)])));
        assert_eq!(fetched(&plan, &env).unwrap(), [21]);
        finishes.join().unwrap();
        also.join().unwrap();
    });
}

#[test]
fn an_operation_that_is_dropped_fails_its_step() {
    explore(|| {
        let desk = Arc::new(Desk::default());
        let (plan, runs) = counted(2, |sketch| sketch.edges(&[(0, 1)]).fetch(1, 0).acts(0, desk.defers()));
        let drops = thread::spawn(move || drop(desk.take()));
        assert_eq!(fetched(&plan, &env(1)).unwrap_err().code(), Code::Internal);
        drops.join().unwrap();
        assert_eq!(runs.take(), [0, 0]);
    });
}

/// A waiting operation, which the first to take it finishes.
type Shared = Arc<Mutex<Option<(Completion, Option<Registration>)>>>;

/// A kernel that waits like those of queues: it is finished by cancellation or by being served.
fn waits(shared: &Shared) -> impl Fn(&mut Io<'_>) -> Result<()> + Send + Sync + 'static {
    let shared = shared.clone();
    move |io| {
        *shared.lock() = Some((io.defer(), None));
        let there = shared.clone();
        let listener = io.cancel().clone().on_cancel(move |reason| {
            let taken = there.lock().take();
            if let Some((completion, _listener)) = taken {
                completion.finish(Err(reason.clone()));
            }
        });
        let mut unused = Some(listener);
        if let Some((_, keeps)) = &mut *shared.lock() {
            *keeps = unused.take();
        }
        drop(unused);
        Ok(())
    }
}

#[test]
fn a_node_is_cancelled_while_it_is_finished() {
    explore(|| {
        let shared = Shared::default();
        let (plan, runs) = counted(2, |sketch| sketch.edges(&[(0, 1)]).fetch(1, 0).acts(0, waits(&shared)));
        let cancel = CancelToken::new();
        let options = StepOptions { cancel: cancel.clone(), ..StepOptions::default() };
        let serves = thread::spawn(move || {
            let taken = shared.lock().take();
            if let Some((completion, listener)) = taken {
                drop(listener);
                completion.finish(Ok(vec![Tensor::scalar(10i64)]));
            }
        });
        let cancels = thread::spawn(move || cancel.cancel());
        // Always ends, since it is cancelled; with the value if it was served before that.
        match run(&plan, &env(1), Vec::new(), &options).0 {
            Ok(tensors) => assert_eq!((values(&tensors), runs.take()), (vec![11], vec![0, 1])),
            Err(error) => assert_eq!(error.code(), Code::Cancelled),
        }
        serves.join().unwrap();
        cancels.join().unwrap();
    });
}

#[test]
fn a_node_that_fails_ends_the_step_once_and_with_its_error() {
    explore(|| {
        let shared = Shared::default();
        let (plan, runs) = counted(4, |sketch| {
            let sketch = sketch.edges(&[(0, 1), (0, 2), (1, 3), (2, 3)]).fetch(3, 0).acts(1, waits(&shared));
            sketch.acts(2, |_| Err(Error::out_of_range("no more")))
        });
        let env = env(2);
        assert_eq!(fetched(&plan, &env).unwrap_err().code(), Code::OutOfRange);
        assert_eq!(runs.take(), [1, 0, 0, 0]);
        assert!(shared.lock().is_none(), "a node waits after the end of its step");
    });
}

#[test]
fn a_callback_is_called_once() {
    for begins in [true, false] {
        explore(move || {
            let edges = &[(0, 1), (0, 2), (1, 3), (2, 3)];
            let (plan, runs) = counted(4, |sketch| sketch.edges(edges).fetch(3, 0));
            let env = env(2);
            let told = Arc::new((Mutex::new(Vec::new()), Condvar::new()));
            let tells = told.clone();
            let on_done: OnDone = Box::new(move |result, _| {
                tells.0.lock().push(result.map(|tensors| values(&tensors)));
                tells.1.notify_all();
            });
            if begins {
                begin(&plan, &env, Vec::new(), &StepOptions::default(), on_done);
            } else {
                start(&plan, &env, Vec::new(), &StepOptions::default(), on_done);
            }
            let mut results = told.0.lock();
            while results.is_empty() {
                told.1.wait(&mut results);
            }
            assert_eq!(results.pop().unwrap().unwrap(), [5]);
            assert_eq!(runs.take(), [1; 4]);
        });
    }
}

#[test]
fn a_step_is_listed_no_longer_than_until_its_end_was_told() {
    explore(|| {
        let desk = Arc::new(Desk::default());
        let (plan, _) = counted(1, |sketch| sketch.fetch(0, 0).acts(0, desk.defers()));
        let env = env(1);
        let told = Arc::new(AtomicUsize::new(0));
        let tells = told.clone();
        let finishes = thread::spawn(move || desk.take().finish(Ok(vec![Tensor::scalar(10i64)])));
        let on_done: OnDone = Box::new(move |_, _| {
            tells.fetch_add(1, Ordering::SeqCst);
        });
        begin(&plan, &env, Vec::new(), &StepOptions::default(), on_done);
        finishes.join().unwrap();
        // The thread that ends the step is one of the pool's: its next job runs after that.
        let after = Arc::new((Mutex::new(false), Condvar::new()));
        let comes = after.clone();
        env.pool
            .spawn(move || {
                *comes.0.lock() = true;
                comes.1.notify_all();
            })
            .unwrap();
        let mut came = after.0.lock();
        while !*came {
            after.1.wait(&mut came);
        }
        assert_eq!(told.fetch_add(0, Ordering::SeqCst), 1);
        assert!(env.watch.steps().is_empty(), "the step has ended and is on the list");
    });
}

#[test]
fn what_is_sent_is_received() {
    explore(|| {
        let rendezvous = Arc::new(Rendezvous::new());
        let there = rendezvous.clone();
        let runs = Runs::of(4);
        let plan = Sketch::of(&[EXPENSIVE; 4])
            .known()
            .acts(0, move |io| {
                there.send(("value".into(), 0), Entry::Value(Tensor::scalar(10i64)))?;
                io.set(0, Tensor::scalar(0i64));
                Ok(())
            })
            .acts(1, move |io| {
                let completion = io.defer_for(Wait::Send);
                rendezvous.receive(("value".into(), 0), completion);
                Ok(())
            })
            .acts(2, runs.counts(2))
            .acts(3, runs.counts(3))
            .edges(&[(3, 0), (3, 1), (0, 2), (1, 2)])
            .fetch(2, 0)
            .plan();
        assert_eq!(fetched(&plan, &env(2)).unwrap(), [11]);
        assert_eq!(runs.take(), [0, 0, 1, 1]);
    });
}

#[test]
fn listeners_hear_of_a_cancellation_once_or_have_left() {
    explore(|| {
        let token = CancelToken::new();
        let child = token.child();
        let heard = Arc::new(AtomicUsize::new(0));
        let hears = heard.clone();
        let stays = child.on_cancel(move |_| {
            hears.fetch_add(1, Ordering::SeqCst);
        });
        let (left, late) = (heard.clone(), child.clone());
        let leaves = thread::spawn(move || {
            let grand = late.child();
            let listener = grand.on_cancel(move |_| {
                left.fetch_add(10, Ordering::SeqCst);
            });
            drop(listener);
            // A child that is added now is cancelled as well, sooner or later.
            let hears = left_over(&grand);
            (hears, grand)
        });
        let cancels = thread::spawn(move || token.cancel());
        let (hears, grand) = leaves.join().unwrap();
        cancels.join().unwrap();
        let heard = heard.fetch_add(0, Ordering::SeqCst);
        assert!(heard == 1 || heard == 11, "{heard}");
        assert_eq!(hears.fetch_add(0, Ordering::SeqCst), 1);
        assert!(child.is_cancelled() && grand.is_cancelled());
        drop(stays);
    });

    fn left_over(token: &CancelToken) -> Arc<AtomicUsize> {
        let heard = Arc::new(AtomicUsize::new(0));
        let hears = heard.clone();
        // It stays for as long as the model runs.
        std::mem::forget(token.on_cancel(move |_| {
            hears.fetch_add(1, Ordering::SeqCst);
        }));
        heard
    }
}

/// Deadlines come at any time: the clock is a thread of the model.
#[cfg(shuttle)]
#[test]
fn a_step_that_is_out_of_time_is_served_or_says_so() {
    explore(|| {
        let shared = Shared::default();
        let (plan, runs) = counted(2, |sketch| sketch.edges(&[(0, 1)]).fetch(1, 0).acts(0, waits(&shared)));
        let deadline = levada_sync::now() + Duration::from_secs(1);
        let options = StepOptions { deadline: Some(deadline), ..StepOptions::default() };
        let passes = thread::spawn(move || {
            for _ in 0..4 {
                thread::yield_now();
                clock::pass(Duration::from_millis(300));
            }
        });
        let serves = thread::spawn(move || {
            let taken = shared.lock().take();
            if let Some((completion, listener)) = taken {
                drop(listener);
                completion.finish(Ok(vec![Tensor::scalar(10i64)]));
            }
        });
        match run(&plan, &env(2), Vec::new(), &options).0 {
            Ok(tensors) => assert_eq!((values(&tensors), runs.take()), (vec![11], vec![0, 1])),
            Err(error) => assert_eq!(error.code(), Code::DeadlineExceeded),
        }
        serves.join().unwrap();
        passes.join().unwrap();
    });
}

/// Several concurrent runs of one plan, on the threads of one pool.
#[cfg(shuttle)]
#[test]
fn runs_beside_each_other_have_their_own_values() {
    explore(|| {
        let plan =
            Sketch::of(&[EXPENSIVE; 4]).known().feed(0).edges(&[(0, 1), (0, 2), (1, 3), (2, 3)]).fetch(3, 0).plan();
        let env = env(2);
        let run = move |plan: &Arc<Plan>, env: &Arc<Env>, fed: i64| {
            let (result, _) = run(plan, env, vec![Tensor::scalar(fed)], &StepOptions::default());
            assert_eq!(values(&result.unwrap()), [2 * (fed + 1) + 3]);
        };
        let callers: Vec<_> = (1..4)
            .map(|fed| {
                let (plan, env) = (plan.clone(), env.clone());
                thread::spawn(move || run(&plan, &env, 100 * fed))
            })
            .collect();
        callers.into_iter().for_each(|caller| caller.join().unwrap());
        run(&plan, &env, 7);
    });
}

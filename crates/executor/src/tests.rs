//! Small plans, with one, two and eight threads.

use crate::plan::{NodeKind, Plan};
use crate::testing::Sketch;
use crate::{PartialStep, StepOptions, begin, run, start};
use levada_graph::{Code, Error, Result, Tensor};
use levada_kernel::{CancelToken, Completion, Env, Io, Pool, Resources, Wait};
use parking_lot::{Condvar, Mutex};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

const THREADS: [usize; 3] = [1, 2, 8];

fn env(threads: usize) -> Arc<Env> {
    Arc::new(Env::new(Arc::new(Pool::new(threads)), Arc::new(Resources::new())))
}

fn fetched(plan: &Arc<Plan>, env: &Arc<Env>) -> Result<Vec<i64>> {
    let (result, _) = run(plan, env, Vec::new(), &StepOptions::default());
    result.map(|tensors| tensors.iter().map(|t| t.slice::<i64>().unwrap()[0]).collect())
}

#[test]
fn every_node_runs_once_its_inputs_are_there() {
    // Layers of four nodes, each of which sums up the whole layer before.
    let (layers, width) = (6u32, 4u32);
    let mut edges = Vec::new();
    for to in width..layers * width {
        let before = (to / width - 1) * width;
        edges.extend((before..before + width).map(|from| (from, to)));
    }
    // Expensive according to the plan, so that threads share them.
    let plan = Sketch::of(&vec![30_000; (layers * width) as usize]).edges(&edges).fetch(layers * width - 1, 0).plan();
    let expected = (1..layers).fold(1, |sum, _| 4 * sum + 1);
    for threads in THREADS {
        let env = env(threads);
        for _ in 0..50 {
            assert_eq!(fetched(&plan, &env).unwrap(), [expected], "{threads} threads");
        }
    }
}

#[test]
fn a_control_edge_orders_and_passes_nothing() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = |name: &'static str| {
        let seen = seen.clone();
        move |io: &mut Io<'_>| {
            seen.lock().push(name);
            io.set(0, Tensor::scalar(0i64));
            Ok(())
        }
    };
    let plan = Sketch::of(&[1, 1, 1]).controls(&[(2, 1), (1, 0)]).acts(0, log("a")).acts(1, log("b")).acts(2, log("c"));
    let plan = plan.fetch(0, 0).plan();
    for threads in THREADS {
        seen.lock().clear();
        assert_eq!(fetched(&plan, &env(threads)).unwrap(), [0]);
        assert_eq!(*seen.lock(), ["c", "b", "a"]);
    }
}

#[test]
fn a_branch_that_was_not_taken_is_dead_up_to_the_merge() {
    // 0 is the value, 1 the predicate, 2 switches; 3 and 4 are the branches, 5 merges, 6 comes after branch 3.
    for (taken, expected) in [(true, 2), (false, 2)] {
        let ran = Arc::new(AtomicUsize::new(0));
        let counted = ran.clone();
        let plan = Sketch::of(&[1; 7])
            .acts(1, move |io| {
                io.set(0, Tensor::scalar(taken));
                Ok(())
            })
            .edges(&[(0, 2), (1, 2)])
            .kind(2, NodeKind::Switch)
            .edge(2, 0, 3)
            .edge(2, 1, 4)
            .kind(5, NodeKind::Merge)
            .edges(&[(3, 5), (4, 5)])
            .controls(&[(3, 6)])
            .acts(6, move |io| {
                counted.fetch_add(1, Ordering::Relaxed);
                io.set(0, Tensor::scalar(0i64));
                Ok(())
            })
            .fetch(5, 0)
            .plan();
        for threads in THREADS {
            ran.store(0, Ordering::Relaxed);
            assert_eq!(fetched(&plan, &env(threads)).unwrap(), [expected]);
            assert_eq!(ran.load(Ordering::Relaxed), usize::from(!taken), "{taken}, {threads} threads");
        }
        // A dead value cannot be fetched.
        let dead = Sketch::of(&[1; 4]).acts(1, move |io| {
            io.set(0, Tensor::scalar(taken));
            Ok(())
        });
        let dead = dead.edges(&[(0, 2), (1, 2)]).kind(2, NodeKind::Switch).edge(2, u32::from(!taken), 3).fetch(3, 0);
        assert_eq!(fetched(&dead.plan(), &env(1)).unwrap_err().code(), Code::InvalidArgument);
    }
}

#[test]
fn the_first_error_names_its_node_and_the_plan_stays_usable() {
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = calls.clone();
    let plan = Sketch::of(&[1, 1, 1]).edges(&[(0, 1), (1, 2)]).fetch(2, 0).acts(1, move |io| {
        match counted.fetch_add(1, Ordering::Relaxed) {
            0 => Err(Error::out_of_range("no more")),
            1 => panic!("the kernel is at fault"),
            _ => {
                io.set(0, Tensor::scalar(5i64));
                Ok(())
            }
        }
    });
    let (plan, env) = (plan.plan(), env(2));
    let error = fetched(&plan, &env).unwrap_err();
    assert_eq!((error.code(), error.fault().node.as_deref()), (Code::OutOfRange, Some("n1")));
    let error = fetched(&plan, &env).unwrap_err();
    assert_eq!((error.code(), error.fault().node.as_deref()), (Code::Internal, Some("n1")));
    assert!(error.message().contains("the kernel is at fault"));
    assert_eq!(fetched(&plan, &env).unwrap(), [6]);
    assert_eq!(calls.load(Ordering::Relaxed), 3);
}

/// A place where two nodes must meet.
#[derive(Default)]
struct Meeting {
    here: Mutex<usize>,
    changed: Condvar,
}

impl Meeting {
    /// Waits for the other; an error if it does not come.
    fn attend(&self) -> Result<()> {
        let mut here = self.here.lock();
        *here += 1;
        self.changed.notify_all();
        let until = Instant::now() + Duration::from_secs(60);
        while !here.is_multiple_of(2) {
            if self.changed.wait_until(&mut here, until).timed_out() {
                return Err(Error::deadline_exceeded("the other branch runs on the same thread"));
            }
            // Both have come: it is enough that the first of them sees it.
            if here.is_multiple_of(2) {
                break;
            }
        }
        Ok(())
    }
}

#[test]
fn branches_whose_first_nodes_are_cheap_run_at_the_same_time() {
    // 0 -> 1 and 2 -> 3, or with two cheap nodes each: 0, 1 -> 2 and 3, 4 -> 5.
    let one = Sketch::of(&[100, 3_000_000, 100, 3_000_000]).edges(&[(0, 1), (2, 3)]);
    let two = Sketch::of(&[100, 100, 3_000_000, 100, 100, 3_000_000]).edges(&[(0, 2), (1, 2), (3, 5), (4, 5)]);
    for (sketch, meets) in [(one, [1, 3]), (two, [2, 5])] {
        let meeting = Arc::new(Meeting::default());
        let attends = |meeting: &Arc<Meeting>| {
            let meeting = meeting.clone();
            move |io: &mut Io<'_>| {
                meeting.attend()?;
                io.set(0, Tensor::scalar(1i64));
                Ok(())
            }
        };
        let sketch = sketch.acts(meets[0], attends(&meeting)).acts(meets[1], attends(&meeting));
        let plan = sketch.fetch(meets[0], 0).fetch(meets[1], 0).plan();
        let env = env(2);
        // Both steps are measured; the second uses the costs from the first.
        for _ in 0..2 {
            assert_eq!(fetched(&plan, &env).unwrap(), [1, 1]);
        }
    }
}

#[test]
fn a_step_that_nobody_waits_for_is_watched_until_its_end_was_told() {
    let parked: Arc<Mutex<Option<Completion>>> = Arc::default();
    let park = parked.clone();
    let plan = Sketch::of(&[1]).acts(0, move |io| {
        *park.lock() = Some(io.defer_for(Wait::External));
        Ok(())
    });
    let (plan, env) = (plan.plan(), env(2));
    let (sender, told) = channel();
    let watching = env.clone();
    let on_done = Box::new(move |result: Result<Vec<Tensor>>, _| {
        sender.send((result.is_ok(), watching.watch.steps().len())).unwrap();
    });
    begin(&plan, &env, Vec::new(), &StepOptions::default(), on_done);
    assert_eq!(env.watch.steps().len(), 1);
    let completion = parked.lock().take().unwrap();
    completion.finish(Ok(vec![Tensor::scalar(1i64)]));
    assert_eq!(told.recv_timeout(Duration::from_secs(60)).unwrap(), (true, 1));
}

/// A loop that counts from 0 to the output of node 1, in frame 1; node 10 comes after it and adds 1. `exit` is the node
/// that the `Exit` takes its input from: the switch (6), or the merge (4), which is an error.
fn counting(limit: i64, parallel_iterations: u32, exit: u32) -> Sketch {
    let number = |n: i64| {
        move |io: &mut Io<'_>| {
            io.set(0, Tensor::scalar(n));
            Ok(())
        }
    };
    let less = |io: &mut Io<'_>| {
        let is_less = io.slice::<i64>(0)?[0] < io.slice::<i64>(1)?[0];
        io.set(0, Tensor::scalar(is_less));
        Ok(())
    };
    Sketch::of(&[30_000; 11])
        .acts(0, number(0))
        .acts(1, number(limit))
        .edges(&[(0, 2), (1, 3), (2, 4), (9, 4), (4, 5), (3, 5), (4, 6), (5, 6)])
        .acts(5, less)
        .edges(&[(exit, 7)])
        .edge(6, 1, 8)
        .edges(&[(8, 9), (7, 10)])
        .kind(2, NodeKind::Enter(false))
        .kind(3, NodeKind::Enter(true))
        .kind(4, NodeKind::Merge)
        .kind(6, NodeKind::Switch)
        .kind(7, NodeKind::Exit)
        .kind(9, NodeKind::NextIteration)
        .frame(0, parallel_iterations, &[4, 5, 6, 7, 8, 9])
        .fetch(10, 0)
}

#[test]
fn a_loop_runs_until_its_condition_is_false() {
    for (parallel_iterations, is_straight) in [(1, false), (3, false), (10, false), (10, true)] {
        for limit in [0, 1, 40] {
            let plan = counting(limit, parallel_iterations, 6).synchronous(is_straight).plan();
            assert_eq!(plan.straight(1).is_some(), is_straight);
            for threads in THREADS {
                let env = env(threads);
                for _ in 0..3 {
                    assert_eq!(fetched(&plan, &env).unwrap(), [limit + 1], "{parallel_iterations}, {threads} threads");
                }
            }
        }
    }
}

#[test]
fn a_straight_loop_that_turns_out_to_be_expensive_goes_on_with_all_threads() {
    let spin = |io: &mut Io<'_>| {
        let start = Instant::now();
        while start.elapsed() < Duration::from_micros(20) {}
        let next = io.slice::<i64>(0)?[0] + 1;
        io.set(0, Tensor::scalar(next));
        Ok(())
    };
    // Marked as cheap, apart from the nodes outside, which are worth several threads.
    for limit in [2, 4, 5, 30] {
        let sketch = counting(limit, 3, 6).cost(&[1; 11]).cost(&[90_000, 90_000]).synchronous(true);
        let plan = sketch.acts(8, spin).plan();
        for _ in 0..3 {
            assert_eq!(fetched(&plan, &env(2)).unwrap(), [limit + 1], "{limit}");
        }
    }
}

#[test]
fn a_straight_loop_ends_with_the_step() {
    // Node 8 fails in the third iteration, panics, or is stopped.
    for fault in 0..3 {
        let cancel = CancelToken::new();
        let of_node = cancel.clone();
        let plan = counting(i64::MAX, 1, 6).synchronous(true).acts(8, move |io| {
            let now = io.slice::<i64>(0)?[0];
            match (fault, now) {
                (0, 2) => return Err(Error::out_of_range("no more")),
                (1, 2) => panic!("the kernel is at fault"),
                (2, 2) => of_node.cancel(),
                _ => {}
            }
            io.set(0, Tensor::scalar(now + 1));
            Ok(())
        });
        let (plan, env) = (plan.plan(), env(1));
        let options = StepOptions { cancel, ..StepOptions::default() };
        let error = run(&plan, &env, Vec::new(), &options).0.unwrap_err();
        let (code, node) =
            [(Code::OutOfRange, Some("n8")), (Code::Internal, Some("n8")), (Code::Cancelled, None)][fault];
        assert_eq!((error.code(), error.fault().node.as_deref()), (code, node), "{error}");
    }
}

#[test]
fn an_exit_that_is_live_in_two_iterations_is_an_error() {
    let env = env(2);
    assert!(counting(0, 10, 4).synchronous(true).plan().straight(1).is_none());
    assert_eq!(fetched(&counting(0, 10, 4).plan(), &env).unwrap(), [1]);
    let plan = counting(3, 10, 4).plan();
    for _ in 0..20 {
        let error = fetched(&plan, &env).unwrap_err();
        assert_eq!((error.code(), error.fault().node.as_deref()), (Code::InvalidArgument, Some("n7")));
    }
}

#[test]
fn a_loop_on_a_branch_that_was_not_taken_is_dead() {
    // Switch 13 takes the value of node 11 through node 12 into the loop or around it; merge 14 joins the branches.
    for (enters, expected, is_straight) in [(true, 4, false), (false, 1, false), (true, 4, true), (false, 1, true)] {
        let sketch = Sketch::of(&[30_000; 15])
            .acts(12, move |io| {
                io.set(0, Tensor::scalar(enters));
                Ok(())
            })
            .acts(1, |io| {
                io.set(0, Tensor::scalar(4i64));
                Ok(())
            })
            .acts(5, |io| {
                let is_less = io.slice::<i64>(0)?[0] < io.slice::<i64>(1)?[0];
                io.set(0, Tensor::scalar(is_less));
                Ok(())
            })
            .edges(&[(11, 13), (12, 13)])
            .edge(13, 1, 2)
            .edges(&[(1, 3), (2, 4), (9, 4), (4, 5), (3, 5), (4, 6), (5, 6), (6, 7)])
            .edge(6, 1, 8)
            .edges(&[(8, 9), (7, 14), (13, 14)])
            .kind(2, NodeKind::Enter(false))
            .kind(3, NodeKind::Enter(true))
            .kind(4, NodeKind::Merge)
            .kind(6, NodeKind::Switch)
            .kind(7, NodeKind::Exit)
            .kind(9, NodeKind::NextIteration)
            .kind(13, NodeKind::Switch)
            .kind(14, NodeKind::Merge)
            .frame(0, 2, &[4, 5, 6, 7, 8, 9])
            .fetch(14, 0);
        let plan = sketch.synchronous(is_straight).plan();
        for threads in THREADS {
            assert_eq!(fetched(&plan, &env(threads)).unwrap(), [expected], "{threads} threads");
        }
    }
}

#[test]
fn deferred_nodes_go_on_whether_they_finish_before_their_kernels_return_or_after() {
    for threads in THREADS {
        let parked: Arc<Mutex<Vec<Completion>>> = Arc::default();
        let park = parked.clone();
        let sketch = Sketch::of(&[1; 4]).edges(&[(0, 2), (1, 2), (2, 3)]).fetch(3, 0);
        let sketch = sketch.acts(0, |io| {
            io.defer().finish(Ok(vec![Tensor::scalar(10i64)]));
            Ok(())
        });
        let plan = sketch.acts(1, move |io| {
            park.lock().push(io.defer());
            Ok(())
        });
        let (plan, env) = (plan.plan(), env(threads));
        for _ in 0..20 {
            let (sender, result) = channel();
            let on_done = Box::new(move |result: Result<Vec<Tensor>>, _| drop(sender.send(result)));
            start(&plan, &env, Vec::new(), &StepOptions::default(), on_done);
            let until = Instant::now() + Duration::from_secs(60);
            let completion = loop {
                match parked.lock().pop() {
                    Some(completion) => break completion,
                    None => assert!(Instant::now() < until, "the node was not deferred"),
                }
                std::thread::yield_now();
            };
            completion.finish(Ok(vec![Tensor::scalar(20i64)]));
            let fetched = result.recv_timeout(Duration::from_secs(60)).unwrap().unwrap();
            assert_eq!(fetched[0].slice::<i64>().unwrap(), [32]);
        }
    }
}

#[test]
fn a_kernel_that_panics_after_it_deferred_ends_the_step() {
    let parked: Arc<Mutex<Option<Completion>>> = Arc::default();
    let park = parked.clone();
    let plan = Sketch::of(&[1]).fetch(0, 0).acts(0, move |io| {
        *park.lock() = Some(io.defer());
        panic!("after deferring")
    });
    assert_eq!(fetched(&plan.plan(), &env(2)).unwrap_err().code(), Code::Internal);
    let late = parked.lock().take().unwrap();
    late.finish(Ok(vec![Tensor::scalar(1i64)]));
}

#[test]
fn feeds_are_checked_and_reach_their_nodes() {
    let plan = Sketch::of(&[1, 1]).feed(0).feed(1).feed(0).edges(&[(0, 1)]).fetch(1, 0).plan();
    let env = env(2);
    let number = |n: i64| Tensor::scalar(n);
    let code = |feeds: Vec<Tensor>| run(&plan, &env, feeds, &StepOptions::default()).0.unwrap_err().code();
    for _ in 0..3 {
        let (result, _) = run(&plan, &env, vec![number(1), number(10), number(100)], &StepOptions::default());
        assert_eq!(result.unwrap()[0].slice::<i64>().unwrap(), [113]);
    }
    assert_eq!(code(vec![number(1)]), Code::InvalidArgument);
    assert_eq!(code(vec![number(1), number(2), Tensor::scalar(3f32)]), Code::InvalidArgument);
    assert_eq!(code(vec![number(1), number(2), Tensor::vector(vec![3i64])]), Code::InvalidArgument);
}

#[test]
fn cancelled_and_late_steps_say_so() {
    let plan = Sketch::of(&[1, 1]).edges(&[(0, 1)]).fetch(1, 0).plan();
    let cancel = CancelToken::new();
    cancel.cancel();
    let code = |options: &StepOptions| run(&plan, &env(2), Vec::new(), options).0.unwrap_err().code();
    assert_eq!(code(&StepOptions { cancel, ..StepOptions::default() }), Code::Cancelled);
    let deadline = Some(Instant::now());
    assert_eq!(code(&StepOptions { deadline, ..StepOptions::default() }), Code::DeadlineExceeded);
}

#[test]
fn a_partial_step_is_fed_and_fetched_piece_by_piece() {
    // 2 and 3 are feeds of 0 and 1, which also takes 0; 4 and 5 fetch them.
    let sketch = Sketch::of(&[1; 6]).edges(&[(2, 0), (3, 1), (0, 1), (0, 4), (1, 5)]).partial(2, 2);
    let plan = sketch.plan();
    for threads in THREADS {
        let step = PartialStep::start(&plan, &env(threads), &StepOptions::default()).unwrap();
        assert_eq!((step.behind(&[0]), step.behind(&[1])), (vec![0, 1], vec![1]));
        assert!(step.check(0, &Tensor::scalar(1f32)).is_err());
        let value = |fetch: usize| step.fetch(&[fetch], None, None).unwrap()[0].slice::<i64>().unwrap()[0];
        step.feed(0, Tensor::scalar(5i64));
        assert_eq!(value(0), 6);
        step.feed(1, Tensor::scalar(50i64));
        assert_eq!(value(1), 57);
        assert!(step.end(None, None).0.is_ok());
    }
    // A step that is dropped before all feeds have come ends.
    let step = PartialStep::start(&plan, &env(2), &StepOptions::default()).unwrap();
    step.feed(1, Tensor::scalar(50i64));
    drop(step);
}

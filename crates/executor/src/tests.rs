//! Small plans, with one, two and eight threads.

use crate::plan::{NodeKind, Plan};
use crate::testing::Sketch;
use crate::{StepOptions, begin, run};
use levada_graph::{Code, Error, Result, Tensor};
use levada_kernel::{Completion, Env, Pool, Resources, Wait};
use parking_lot::{Condvar, Mutex};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;

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
    // Layers of four nodes, each of which counts all of the layer before.
    let (layers, width) = (6u32, 4u32);
    let mut edges = Vec::new();
    for to in width..layers * width {
        let before = (to / width - 1) * width;
        edges.extend((before..before + width).map(|from| (from, to)));
    }
    // Expensive by the plan, so that threads share them.
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
        move |io: &mut levada_kernel::Io<'_>| {
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
        // What is dead cannot be fetched.
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

/// A place where two nodes must be at a time.
#[derive(Default)]
struct Meeting {
    here: Mutex<usize>,
    changed: Condvar,
}

impl Meeting {
    /// Waits for the other; an error where it does not come.
    fn attend(&self) -> Result<()> {
        let mut here = self.here.lock();
        *here += 1;
        self.changed.notify_all();
        let until = std::time::Instant::now() + Duration::from_secs(60);
        while !here.is_multiple_of(2) {
            if self.changed.wait_until(&mut here, until).timed_out() {
                return Err(Error::deadline_exceeded("the other branch runs on the same thread"));
            }
            // Both have come: the first of them to see it is enough.
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
            move |io: &mut levada_kernel::Io<'_>| {
                meeting.attend()?;
                io.set(0, Tensor::scalar(1i64));
                Ok(())
            }
        };
        let sketch = sketch.acts(meets[0], attends(&meeting)).acts(meets[1], attends(&meeting));
        let plan = sketch.fetch(meets[0], 0).fetch(meets[1], 0).plan();
        let env = env(2);
        // The first step is measured, the second of its costs too.
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

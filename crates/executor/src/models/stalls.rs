//! Steps that wait for each other, under every schedule: what arrives is taken, and if nothing can arrive, the stall is
//! reported.

use super::{Desk, EXPENSIVE, Shared, env, values, waits};
use crate::plan::Plan;
use crate::testing::Sketch;
use crate::{OnDone, PartialStep, StepOptions, begin, call, run};
use levada_graph::{Act, Code, Error, Result, Tensor};
use levada_kernel::cancel::Registration;
use levada_kernel::observe::{Kept, Nature, Observer, Ran};
use levada_kernel::watch::{Judge, Need, Sleeper, Usage, Waitable, WaitableState};
use levada_kernel::{Completion, Entry, Env, Io, Pool, Resources, StepCx, Wait};
use levada_sync::atomic::{AtomicUsize, Ordering};
use levada_sync::{Condvar, Mutex, explore, thread};
use std::sync::Arc;

/// Number of callers that may still act, as the session counts them.
struct Actors(AtomicUsize);

impl Judge for Actors {
    fn outside(&self, callers: usize) -> bool {
        // A read-modify-write reads the newest value of a counter.
        self.0.fetch_add(0, Ordering::SeqCst) > callers
    }

    fn verdict(&self, _: &Arc<dyn Sleeper>, _: &[Arc<dyn Sleeper>]) -> Error {
        Error::aborted("nothing can come any more")
    }
}

/// An environment in which this many callers may act.
fn with_actors(threads: usize, actors: usize) -> (Arc<Env>, Arc<Actors>) {
    let (env, actors) = (env(threads), Arc::new(Actors(AtomicUsize::new(actors))));
    let judge: Arc<dyn Judge> = actors.clone();
    env.watch.set_judge(Arc::downgrade(&judge));
    (env, actors)
}

/// A caller stops acting.
fn leaves(env: &Env, actors: &Actors) {
    actors.0.fetch_sub(1, Ordering::SeqCst);
    env.watch.check();
}

/// A place for any number of elements, with at most one waiter.
#[derive(Default)]
struct Shelf(Mutex<OnShelf>);

#[derive(Default)]
struct OnShelf {
    elements: Vec<i64>,
    waiter: Option<(Completion, Option<Registration>)>,
}

impl Shelf {
    /// A kernel that takes an element, once there is one.
    fn takes(self: &Arc<Self>) -> impl Fn(&mut Io<'_>) -> Result<()> + Send + Sync + 'static {
        let this = self.clone();
        move |io| {
            let mut on = this.0.lock();
            if let Some(element) = on.elements.pop() {
                io.set(0, Tensor::scalar(element));
                return Ok(());
            }
            on.waiter = Some((io.defer_for(Wait::On(this.clone(), 0)), None));
            drop(on);
            let there = this.clone();
            let listener = io.cancel().clone().on_cancel(move |reason| {
                let taken = there.0.lock().waiter.take();
                if let Some((done, _listener)) = taken {
                    done.finish(Err(reason.clone()));
                }
            });
            let mut unused = Some(listener);
            if let Some((_, keeps)) = &mut this.0.lock().waiter {
                *keeps = unused.take();
            }
            drop(unused);
            Ok(())
        }
    }

    /// A kernel that puts its input there, or 1 if it has none.
    fn puts(self: &Arc<Self>) -> impl Fn(&mut Io<'_>) -> Result<()> + Send + Sync + 'static {
        let this = self.clone();
        move |io| {
            let element = if io.num_inputs() > 0 { io.slice::<i64>(0)?[0] } else { 1 };
            io.set(0, Tensor::scalar(element));
            this.put(element);
            Ok(())
        }
    }

    fn put(&self, element: i64) {
        let mut on = self.0.lock();
        match on.waiter.take() {
            None => on.elements.push(element),
            Some((done, listener)) => {
                drop(on);
                drop(listener);
                done.finish(Ok(vec![Tensor::scalar(element)]));
            }
        }
    }
}

impl Waitable for Shelf {
    fn state(&self) -> WaitableState {
        WaitableState {
            kind: "Shelf",
            name: String::new(),
            size: self.0.lock().elements.len(),
            capacity: None,
            closed: false,
            min_after_dequeue: 0,
            incomplete: 0,
        }
    }

    fn need(&self, _: u64) -> Option<Need> {
        let need = Need { act: Act::Take, elements: 1, so_far: 0, key: None, turn: false };
        self.0.lock().waiter.as_ref().map(|_| need)
    }

    fn usage(&self) -> Option<Usage> {
        None
    }
}

fn one(act: impl Fn(&mut Io<'_>) -> Result<()> + Send + Sync + 'static) -> Arc<Plan> {
    Sketch::of(&[EXPENSIVE]).known().acts(0, act).fetch(0, 0).plan()
}

/// Runs a plan as a caller that stops acting after it.
fn calls(plan: &Arc<Plan>, env: &Arc<Env>, actors: &Actors) -> Result<Vec<i64>> {
    let (result, _) = run(plan, env, Vec::new(), &StepOptions::default());
    leaves(env, actors);
    result.map(|tensors| values(&tensors))
}

#[test]
fn what_another_step_brings_is_no_stall() {
    explore(|| {
        let shelf = Arc::new(Shelf::default());
        let (env, actors) = with_actors(1, 2);
        let (put, there, also) = (one(shelf.puts()), env.clone(), actors.clone());
        let puts = thread::spawn(move || calls(&put, &there, &also));
        assert_eq!(calls(&one(shelf.takes()), &env, &actors).unwrap(), [1]);
        assert_eq!(puts.join().unwrap().unwrap(), [1]);
    });
}

#[test]
fn two_steps_that_wait_for_each_other_are_told() {
    explore(|| {
        let shelves = [(); 2].map(|()| Arc::new(Shelf::default()));
        let (env, actors) = with_actors(1, 2);
        let (take, there, also) = (one(shelves[0].takes()), env.clone(), actors.clone());
        let other = thread::spawn(move || calls(&take, &there, &also));
        assert_eq!(calls(&one(shelves[1].takes()), &env, &actors).unwrap_err().code(), Code::Aborted);
        assert_eq!(other.join().unwrap().unwrap_err().code(), Code::Aborted);
    });
}

#[test]
fn a_caller_that_leaves_lets_a_stall_be_told() {
    explore(|| {
        let shelf = Arc::new(Shelf::default());
        let (env, actors) = with_actors(1, 2);
        let (there, also) = (env.clone(), actors.clone());
        let goes = thread::spawn(move || leaves(&there, &also));
        assert_eq!(calls(&one(shelf.takes()), &env, &actors).unwrap_err().code(), Code::Aborted);
        goes.join().unwrap();
    });
}

/// What a step without a caller does with the element it takes.
#[derive(Clone, Copy, PartialEq)]
enum Then {
    /// Its second node puts it on another shelf.
    Puts,
    /// The receiver of its end does.
    IsToldAndPuts,
    /// Nothing.
    Ends,
}

/// A step without a caller takes from one shelf, and a caller from another. `comes`: whether there is anything to take.
fn passed_on(then: Then, comes: bool) {
    explore(move || {
        let shelves = [(); 2].map(|()| Arc::new(Shelf::default()));
        let (env, actors) = with_actors(1, 2);
        let mut sketch = Sketch::of(&[EXPENSIVE; 2]).known().acts(0, shelves[0].takes()).edges(&[(0, 1)]);
        if then == Then::Puts {
            sketch = sketch.acts(1, shelves[1].puts());
        }
        let to = shelves[1].clone();
        let on_done: OnDone = Box::new(move |_, _| {
            if then == Then::IsToldAndPuts {
                to.put(7);
            }
        });
        begin(&sketch.fetch(1, 0).plan(), &env, Vec::new(), &StepOptions::default(), on_done);
        let (first, there, also) = (shelves[0].clone(), env.clone(), actors.clone());
        let other = thread::spawn(move || {
            if comes {
                first.put(7);
            }
            leaves(&there, &also);
        });
        match calls(&one(shelves[1].takes()), &env, &actors) {
            Ok(values) => assert!(comes && then != Then::Ends && values == [7]),
            Err(error) => assert!(!(comes && then != Then::Ends) && error.code() == Code::Aborted, "{error}"),
        }
        other.join().unwrap();
        // A waiter that waits forever holds its step.
        let left = shelves[0].0.lock().waiter.take();
        drop(left);
    });
}

#[test]
fn what_a_step_without_a_caller_passes_on_is_no_stall() {
    passed_on(Then::Puts, true);
}

#[test]
fn what_follows_the_end_of_a_step_without_a_caller_is_no_stall() {
    passed_on(Then::IsToldAndPuts, true);
}

#[test]
fn a_step_without_a_caller_that_ends_lets_a_stall_be_told() {
    passed_on(Then::Ends, true);
}

#[test]
fn a_step_without_a_caller_that_waits_too_lets_a_stall_be_told() {
    passed_on(Then::Puts, false);
}

#[test]
fn a_step_that_falls_asleep_again_lets_a_stall_be_told() {
    explore(|| {
        let shelves = [(); 2].map(|()| Arc::new(Shelf::default()));
        let (env, actors) = with_actors(1, 2);
        let (first, there, also) = (shelves[0].clone(), env.clone(), actors.clone());
        let other = thread::spawn(move || {
            first.put(7);
            leaves(&there, &also);
        });
        let sketch = Sketch::of(&[EXPENSIVE; 2]).known().acts(0, shelves[0].takes()).acts(1, shelves[1].takes());
        let plan = sketch.edges(&[(0, 1)]).fetch(1, 0).plan();
        assert_eq!(calls(&plan, &env, &actors).unwrap_err().code(), Code::Aborted);
        other.join().unwrap();
    });
}

#[test]
fn a_fetch_whose_feed_nobody_can_give_is_told() {
    explore(|| {
        let (env, actors) = with_actors(1, 2);
        let plan = Sketch::of(&[EXPENSIVE; 3]).known().edges(&[(1, 0), (0, 2)]).partial(1, 1).plan();
        let step = PartialStep::start(&plan, &env, &StepOptions::default()).unwrap();
        let (there, also) = (env.clone(), actors.clone());
        let goes = thread::spawn(move || leaves(&there, &also));
        assert_eq!(step.fetch(&[0], None, None).unwrap_err().code(), Code::Aborted);
        goes.join().unwrap();
    });
}

/// A step without a caller waits for an event that is certain to come, and passes the element on.
#[test]
fn what_is_certain_to_come_is_no_stall() {
    explore(|| {
        let (desk, shelf) = (Arc::new(Desk::default()), Arc::new(Shelf::default()));
        let (env, actors) = with_actors(1, 1);
        let plan = Sketch::of(&[EXPENSIVE; 2]).known().acts(0, desk.defers()).acts(1, shelf.puts()).edges(&[(0, 1)]);
        begin(&plan.fetch(1, 0).plan(), &env, Vec::new(), &StepOptions::default(), Box::new(|_, _| {}));
        let comes = thread::spawn(move || desk.take().finish(Ok(vec![Tensor::scalar(7i64)])));
        assert_eq!(calls(&one(shelf.takes()), &env, &actors).unwrap(), [7]);
        comes.join().unwrap();
    });
}

/// A thread that checks twice whether a step sleeps sees by the number of wakes that it was awake in between.
#[test]
fn a_node_that_is_woken_is_counted() {
    explore(|| {
        let (desk, env) = (Arc::new(Desk::default()), env(1));
        let scope = Arc::new(env.scope());
        let plan = Sketch::of(&[EXPENSIVE; 2]).known().acts(0, desk.defers()).edges(&[(0, 1)]).fetch(1, 0).plan();
        let options = StepOptions { resources: Some(scope.clone()), ..StepOptions::default() };
        let told = Arc::new((Mutex::new(false), Condvar::new()));
        let tells = told.clone();
        let on_done: OnDone = Box::new(move |result, _| {
            assert_eq!(values(&result.unwrap()), [11]);
            *tells.0.lock() = true;
            tells.1.notify_all();
        });
        // The node is waiting when this returns.
        call(&plan, &env, Vec::new(), &options, on_done);
        let before = scope.wakes();
        desk.take().finish(Ok(vec![Tensor::scalar(10i64)]));
        assert!(scope.wakes() > before);
        let mut is_over = told.0.lock();
        while !*is_over {
            told.1.wait(&mut is_over);
        }
    });
}

/// An observer that ends a step at its second node.
struct Ends;

impl Observer for Ends {
    fn starts(&self, _: &Nature, _: &[Entry], _: &StepCx) -> Option<Kept> {
        Some(Kept::default())
    }

    fn ran(&self, ran: &Ran<'_>) -> Result<()> {
        if &*ran.node.name == "n1" { Err(Error::out_of_range("a value that is not wanted")) } else { Ok(()) }
    }
}

#[test]
fn a_watched_node_ends_a_step_in_which_another_comes_to_wait() {
    explore(|| {
        let shared = Shared::default();
        let sketch = Sketch::of(&[EXPENSIVE; 3]).known().edges(&[(0, 1), (0, 2)]).fetch(1, 0).fetch(2, 0);
        let plan = sketch.acts(2, waits(&shared)).plan();
        let mut env = Env::new(Arc::new(Pool::new(2)), Arc::new(Resources::new()));
        env.observer = Some(Arc::new(Ends));
        let (result, _) = run(&plan, &Arc::new(env), Vec::new(), &StepOptions::default());
        assert_eq!(result.unwrap_err().code(), Code::OutOfRange);
        assert!(shared.lock().is_none(), "a node waits after the end of its step");
    });
}

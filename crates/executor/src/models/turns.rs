//! Work that must wait for its turn: that of a thread in the middle of a kernel, and nodes whose order is chosen.

use super::{EXPENSIVE, Runs, counted, env, values};
use crate::testing::Sketch;
use crate::{OnDone, StepOptions, run, start};
use levada_graph::{Code, Error, Tensor};
use levada_kernel::observe::{Admission, Again, Chooser, Nature, Turn, Uses};
use levada_kernel::{CancelToken, Env, Pool, Resources};
use levada_sync::{Condvar, Mutex, explore, thread};
use std::sync::Arc;

/// Rayon may give a thread work of another step while a kernel waits there for pieces of its own.
#[test]
fn a_step_that_calls_a_thread_in_the_middle_of_a_kernel_is_helped_later() {
    explore(|| {
        let env = env(1);
        let (other, runs) = counted(2, |sketch| sketch.edges(&[(0, 1)]).fetch(1, 0));
        let told = Arc::new((Mutex::new(None), Condvar::new()));
        let tells = told.clone();
        let on_done: OnDone = Box::new(move |result, _| {
            *tells.0.lock() = Some(result.map(|tensors| values(&tensors)));
            tells.1.notify_all();
        });
        let this = Sketch::of(&[EXPENSIVE]).known().fetch(0, 0).acts(0, move |io| {
            io.pool().work_meanwhile();
            io.set(0, Tensor::scalar(3i64));
            Ok(())
        });
        start(&other, &env, Vec::new(), &StepOptions::default(), on_done);
        let (result, _) = run(&this.plan(), &env, Vec::new(), &StepOptions::default());
        assert_eq!(values(&result.unwrap()), [3]);
        let mut result = told.0.lock();
        while result.is_none() {
            told.1.wait(&mut result);
        }
        assert_eq!(result.take().unwrap().unwrap(), [2]);
        assert_eq!(runs.take(), [1, 1]);
    });
}

/// Lets one node at a time use state.
#[derive(Default)]
struct OneByOne(Mutex<Door>);

#[derive(Default)]
struct Door {
    is_taken: bool,
    waiting: Vec<Again>,
}

impl Chooser for OneByOne {
    fn admit(&self, _: &Turn<'_>) -> Admission {
        match std::mem::replace(&mut self.0.lock().is_taken, true) {
            true => Admission::Later(0),
            false => Admission::Now(0),
        }
    }

    fn wait(&self, _: u64, again: Again) {
        let mut door = self.0.lock();
        if door.is_taken {
            door.waiting.push(again);
            return;
        }
        drop(door);
        again();
    }

    fn left(&self, _: u64) {
        let waiting = {
            let mut door = self.0.lock();
            door.is_taken = false;
            std::mem::take(&mut door.waiting)
        };
        waiting.into_iter().for_each(|again| again());
    }
}

fn ordered(chooser: Arc<OneByOne>) -> Arc<Env> {
    let mut env = Env::new(Arc::new(Pool::new(2)), Arc::new(Resources::new()));
    env.chooser = Some(chooser);
    Arc::new(env)
}

#[test]
fn a_node_that_is_held_back_has_its_turn() {
    explore(|| {
        let runs = Runs::of(3);
        let nature = Nature { uses: Uses::Inputs, ..Nature::default() };
        let sketch =
            Sketch::of(&[EXPENSIVE; 3]).known().nature(nature).edges(&[(0, 1), (0, 2)]).fetch(1, 0).fetch(2, 0);
        let plan = (0..3).fold(sketch, |sketch, node| sketch.acts(node, runs.counts(node))).plan();
        let (result, _) = run(&plan, &ordered(Arc::default()), Vec::new(), &StepOptions::default());
        assert_eq!(values(&result.unwrap()), [2, 2]);
        assert_eq!(runs.take(), [1; 3]);
    });
}

#[test]
fn a_node_that_is_held_back_is_cancelled() {
    explore(|| {
        let chooser = Arc::new(OneByOne::default());
        // The turn is never given back.
        chooser.0.lock().is_taken = true;
        let nature = Nature { uses: Uses::Inputs, ..Nature::default() };
        let plan = Sketch::of(&[EXPENSIVE; 1]).known().nature(nature).fetch(0, 0).plan();
        let cancel = CancelToken::new();
        let options = StepOptions { cancel: cancel.clone(), ..StepOptions::default() };
        let cancels = thread::spawn(move || cancel.cancel_with(Error::aborted("enough")));
        let (result, _) = run(&plan, &ordered(chooser.clone()), Vec::new(), &options);
        assert_eq!(result.unwrap_err().code(), Code::Aborted);
        cancels.join().unwrap();
        let waiting = std::mem::take(&mut chooser.0.lock().waiting);
        drop(waiting);
    });
}

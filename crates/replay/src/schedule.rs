//! Steps on several threads.

use crate::case::{Case, Event, Expected};
use crate::compare::elements;
use crate::replay::{Outcome, one_line, panicked, with_timeout};
use crate::runtime::{Run, Session};
use levada_graph::{Code, Error, Result, Tensor};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

type StepResult = Result<Vec<Tensor>>;

/// Results by step. The lock protects the list; the condition is signalled when one is added.
struct Board {
    results: Mutex<Vec<Option<StepResult>>>,
    added: Condvar,
}

impl Board {
    fn post(&self, step: usize, result: StepResult) {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)[step] = Some(result);
        self.added.notify_all();
    }

    /// Waits until `step` has a result, at most for `limit` if there is one.
    fn wait(&self, step: usize, limit: Option<Duration>) {
        let results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        let open = |results: &mut Vec<Option<StepResult>>| results[step].is_none();
        match limit {
            Some(limit) => drop(self.added.wait_timeout_while(results, limit, open)),
            None => drop(self.added.wait_while(results, open)),
        }
    }
}

/// Executes recorded events; returns the result of every started step.
pub(crate) fn events<S: Session>(
    session: &Arc<S>,
    case: &Case,
    events: &[Event],
    head_start: Duration,
) -> Vec<Option<StepResult>> {
    let n = case.steps.len();
    let board = Arc::new(Board { results: Mutex::new(vec![None; n]), added: Condvar::new() });
    let mut threads: BTreeMap<u32, Sender<(usize, Run)>> = BTreeMap::new();
    let mut started = Vec::new();
    for event in events {
        match *event {
            Event::Start(i) => {
                let step = &case.steps[i];
                let thread = threads.entry(step.thread).or_insert_with(|| spawn(session, &board));
                if thread.send((i, with_timeout(&step.run, case))).is_err() {
                    board.post(i, Err(Error::internal("the thread of the step has died")));
                }
                board.wait(i, Some(head_start));
                started.push(i);
            }
            Event::End(i) => board.wait(i, None),
            Event::Close => session.close(),
        }
    }
    for i in started {
        board.wait(i, None);
    }
    let mut results = board.results.lock().unwrap_or_else(PoisonError::into_inner);
    std::mem::take(&mut *results)
}

/// A thread that runs the steps it is sent, until the sender is dropped.
fn spawn<S: Session>(session: &Arc<S>, board: &Arc<Board>) -> Sender<(usize, Run)> {
    let (send, receive) = mpsc::channel::<(usize, Run)>();
    let (session, board) = (session.clone(), board.clone());
    thread::spawn(move || {
        for (i, run) in receive {
            board.post(i, caught(&*session, &run));
        }
    });
    send
}

fn caught<S: Session>(session: &S, run: &Run) -> StepResult {
    catch_unwind(AssertUnwindSafe(|| session.run(run))).unwrap_or_else(|p| Err(Error::internal(panicked(&*p))))
}

/// Runs every thread's steps in order, all threads concurrently, and compares their combined results. A thread starts
/// after the steps that had ended before it started in the recording.
pub(crate) fn bag<S: Session>(session: &Arc<S>, case: &Case, events: &[Event]) -> Outcome {
    let board = Arc::new(Board { results: Mutex::new(vec![None; case.steps.len()]), added: Condvar::new() });
    let mut threads: BTreeMap<u32, Vec<(usize, Run)>> = BTreeMap::new();
    for (i, step) in case.steps.iter().enumerate() {
        threads.entry(step.thread).or_default().push((i, with_timeout(&step.run, case)));
    }
    let ended_before = |first: usize| -> Vec<usize> {
        let before = events.iter().take_while(|e| **e != Event::Start(first));
        before.filter_map(|e| if let Event::End(i) = *e { Some(i) } else { None }).collect()
    };
    for steps in threads.into_values() {
        let (session, board) = (session.clone(), board.clone());
        let before = steps.first().map_or(Vec::new(), |(first, _)| ended_before(*first));
        thread::spawn(move || {
            before.into_iter().for_each(|i| board.wait(i, None));
            for (i, run) in steps {
                board.post(i, caught(&*session, &run));
            }
        });
    }
    (0..case.steps.len()).for_each(|i| board.wait(i, None));
    let results = std::mem::take(&mut *board.results.lock().unwrap_or_else(PoisonError::into_inner));
    let found: Vec<StepResult> = results.into_iter().flatten().collect();
    if let Some(Err(error)) = found.iter().find(|r| matches!(r, Err(e) if e.code() == Code::Unimplemented)) {
        return Outcome::Skipped(one_line(error));
    }
    let expected = case.steps.iter().flat_map(|s| match &s.expected {
        Expected::Tensors(tensors) => tensors.iter().flatten().flat_map(elements).collect(),
        Expected::Error(code) => vec![code.name().to_owned()],
    });
    let found = found.iter().flat_map(|result| match result {
        Ok(tensors) => tensors.iter().flat_map(elements).collect(),
        Err(error) => vec![error.code().name().to_owned()],
    });
    let (mut expected, mut found): (Vec<String>, Vec<String>) = (expected.collect(), found.collect());
    expected.sort();
    found.sort();
    if expected == found {
        return Outcome::Passed;
    }
    let only = |a: &[String], b: &[String]| -> String {
        let only: Vec<&str> = a.iter().filter(|x| b.binary_search(x).is_err()).map(String::as_str).take(5).collect();
        only.join(" ")
    };
    Outcome::Failed(format!(
        "{} elements and codes, expected {}; only found: {}; only expected: {}",
        found.len(),
        expected.len(),
        only(&found, &expected),
        only(&expected, &found)
    ))
}

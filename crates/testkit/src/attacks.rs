//! Hostile graphs, made for every op from its spec: sizes that are huge, negative or overflow together, empty tensors,
//! wrong ranks and indices, zero divisors, handles of the wrong kind, exploding texts, recursive functions. Whatever
//! such a graph does, the outcome is a value or an error.
//!
//! An [`Attack`] is a graph with an op at its center, determined by a seed. [`Attack::run`] runs it under limits, then
//! unchanged and on one thread, and compares. [`hunt`] runs many in child processes with little memory, and continues
//! after one that ends its process.

mod dice;
mod hunt;
mod make;
pub mod recorded;
mod values;

pub use hunt::{Found, Hunt, child, child_with, hunt};
pub use make::Attack;

use levada::{CallableOptions, Code, DType, Limits, Result, RunOptions, Session, SessionOptions, Tensor};
use std::time::{Duration, Instant};

/// Time limit of a run of an attack.
const TIME: Duration = Duration::from_secs(2);

/// How long after its time limit a run may end.
const GRACE: Duration = Duration::from_secs(8);

/// The limits for a graph of an attack.
pub fn limits() -> Limits {
    Limits {
        memory: 256 << 20,
        memory_of_step: 256 << 20,
        time: TIME,
        nodes: 100_000,
        iterations: 20_000,
        depth: 500,
        queue_elements: 10_000,
        string_bytes: 64 << 20,
        output_bytes: 256 << 20,
        ..Limits::default()
    }
}

/// The limits of a session of an attack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Policy {
    /// [`limits`].
    Tight,
    /// The default limits for untrusted graphs, except the time.
    Default,
    /// Only the deadline of a run.
    Deadline,
}

impl Policy {
    /// The policy of this name.
    pub fn named(name: &str) -> Option<Policy> {
        [Policy::Tight, Policy::Default, Policy::Deadline].into_iter().find(|policy| policy.name() == name)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Policy::Tight => "tight",
            Policy::Default => "default",
            Policy::Deadline => "deadline",
        }
    }

    /// Options of a session with this policy.
    pub fn options(self) -> SessionOptions {
        match self {
            Policy::Tight => SessionOptions::untrusted(limits()),
            Policy::Default => SessionOptions::untrusted(Limits { time: TIME, ..Limits::default() }),
            Policy::Deadline => SessionOptions { timeout: Some(TIME), ..SessionOptions::default() },
        }
    }
}

/// The outcome of an attack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The graph was refused before it ran.
    Refused,
    /// A run failed with an error.
    Failed,
    /// It ran.
    Ran,
}

/// What went wrong.
pub type Fault = String;

/// True for an error that indicates a fault of the runtime, not of the graph.
fn is_fault(error: &levada::Error) -> bool {
    error.code() == Code::Internal && error.message().contains("panicked")
}

/// True if an outcome depends on limits, time or memory, and not only on the graph.
fn depends(result: &Result<Vec<Tensor>>) -> bool {
    matches!(result, Err(error) if matches!(error.code(), Code::ResourceExhausted | Code::DeadlineExceeded))
}

/// True for tensors with the same elements, where NaN equals NaN. Objects are not compared.
fn same(a: &Tensor, b: &Tensor) -> bool {
    if a.dtype() != b.dtype() || a.shape() != b.shape() {
        return false;
    }
    match a.dtype() {
        DType::Resource | DType::Variant => true,
        dtype if dtype.is_plain() => match (a.slice::<f32>(), b.slice::<f32>(), a.slice::<f64>(), b.slice::<f64>()) {
            (Ok(a), Ok(b), ..) => a.iter().zip(b).all(|(a, b)| a == b || (a.is_nan() && b.is_nan())),
            (.., Ok(a), Ok(b)) => a.iter().zip(b).all(|(a, b)| a == b || (a.is_nan() && b.is_nan())),
            // The bits of NaNs of narrower types are not compared.
            _ => dtype.is_float() || dtype.is_complex() || a.bytes() == b.bytes(),
        },
        _ => a == b,
    }
}

impl Attack {
    /// Runs it twice in one session, and compares the results of a stateless graph with an unfused run on one thread.
    ///
    /// # Errors
    /// What went wrong in the runtime.
    pub fn run(&self, policy: Policy) -> Result<Outcome, Fault> {
        let first = self.run_with(SessionOptions { threads: 2, ..policy.options() })?;
        let first = match first {
            None => return Ok(Outcome::Refused),
            Some(Err(_)) if self.is_stateful => return Ok(Outcome::Failed),
            Some(Ok(_)) if self.is_stateful => return Ok(Outcome::Ran),
            Some(first) => first,
        };
        let plain = SessionOptions { threads: 1, plain: true, ..policy.options() };
        let Some(second) = self.run_with(plain)? else {
            return Err("the graph is refused where it is not rewritten".to_owned());
        };
        match (&first, &second) {
            (Ok(a), Ok(b)) => match a.iter().zip(b).position(|(a, b)| !same(a, b)) {
                Some(i) => Err(format!("output {i} is {} and, as it is on one thread, {}", a[i], b[i])),
                None => Ok(Outcome::Ran),
            },
            (a, b) if depends(a) || depends(b) => Ok(Outcome::Failed),
            (Err(_), Err(_)) => Ok(Outcome::Failed),
            (Ok(_), Err(error)) => Err(format!("runs, but not as it is on one thread: {error}")),
            (Err(error), Ok(_)) => Err(format!("runs as it is on one thread, but not rewritten: {error}")),
        }
    }

    /// The outcome of a run; `None` for a graph that is refused.
    fn run_with(&self, options: SessionOptions) -> Result<Option<Result<Vec<Tensor>>>, Fault> {
        let Ok(graph) = levada::graph::Graph::from_def(self.graph.clone(), &levada::registry()) else {
            return Ok(None);
        };
        let Ok(session) = Session::new(graph, options) else { return Ok(None) };
        for target in &self.init {
            if let Err(error) = session.run(&[], &[], &[target])
                && is_fault(&error)
            {
                return Err(error.to_string());
            }
        }
        let texts = |names: &[String]| names.to_vec();
        let (names, values): (Vec<String>, Vec<Tensor>) = self.feeds.iter().cloned().unzip();
        let asked = CallableOptions::new(names, texts(&self.fetches), texts(&self.targets));
        let callable = match session.callable(&asked) {
            Ok(callable) => callable,
            Err(error) if is_fault(&error) => return Err(error.to_string()),
            Err(_) => return Ok(None),
        };
        let mut last = None;
        for _ in 0..2 {
            let begin = Instant::now();
            let (result, _) = callable.run_with(&RunOptions::default(), &values);
            let taken = begin.elapsed();
            match &result {
                Err(error) if is_fault(error) => return Err(error.to_string()),
                _ if taken > TIME + GRACE => return Err(format!("took {taken:.1?}, and was given {TIME:?}")),
                _ => last = Some(result),
            }
        }
        Ok(last)
    }
}

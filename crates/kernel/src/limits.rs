//! Limits for untrusted graphs: what a run may use, and the meters that enforce it.
//!
//! A session with a [`Policy`] gives each run a [`Meter`], which the functions that the run calls share. The executor
//! checks it before every node and iteration, the arena before it hands out memory, and kernels before they make
//! strings. Other allocations of kernels are entered when they are returned, and taken off when the last tensor that
//! holds them is dropped.

use crate::arena::total_memory;
use crate::io::Entry;
use levada_graph::buffer::Ledger;
use levada_graph::{Error, Limit, Result, Tensor};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

/// Maximum resources for an untrusted graph. A run that would use more fails with `RESOURCE_EXHAUSTED`, or
/// `DEADLINE_EXCEEDED` for its time, and the error names the node and the [`Limit`]. The session stays usable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of tensors in the session, including results that callers still hold.
    pub memory: usize,
    /// Bytes of live tensors that a run has made, and of those that it is fed.
    pub memory_of_step: usize,
    /// Duration of a run. Runs may ask for less.
    pub time: Duration,
    /// Total time of a run's kernels, over all threads that execute nodes.
    pub processor_time: Duration,
    /// Nodes that a run executes, including those of functions.
    pub nodes: u64,
    /// Total iterations of all loops of a run.
    pub iterations: u64,
    /// Nesting depth of function calls.
    pub depth: u32,
    /// Elements in a queue, barrier or staging area.
    pub queue_elements: usize,
    /// Bytes of the strings in one tensor.
    pub string_bytes: usize,
    /// Bytes that a run returns.
    pub output_bytes: usize,
}

impl Default for Limits {
    /// Limits that legitimate graphs stay far below: half of the machine's memory but at most 4 GiB, a minute, ten
    /// minutes of kernels, 10^8 nodes, 10^7 iterations, 10,000 calls, 10^6 elements, 256 MiB of strings, 1 GiB of
    /// results.
    fn default() -> Limits {
        let memory = total_memory().map_or(4 << 30, |bytes| bytes / 2).min(4 << 30);
        Limits {
            memory,
            memory_of_step: memory,
            time: Duration::from_secs(60),
            processor_time: Duration::from_secs(600),
            nodes: 100_000_000,
            iterations: 10_000_000,
            depth: 10_000,
            queue_elements: 1_000_000,
            string_bytes: (256 << 20).min(memory / 4),
            output_bytes: (1 << 30).min(memory / 2),
        }
    }
}

/// The limits of a session, and its memory account.
pub struct Policy {
    /// The limits.
    pub limits: Limits,
    used: AtomicUsize,
    peak: AtomicUsize,
}

impl Policy {
    /// A session held to these limits.
    pub fn new(limits: Limits) -> Arc<Policy> {
        Arc::new(Policy { limits, used: AtomicUsize::new(0), peak: AtomicUsize::new(0) })
    }

    /// Bytes on the session's account.
    pub fn used(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }

    /// Maximum number of bytes on the session's account since [`Policy::restart_peak`].
    pub fn peak(&self) -> usize {
        self.peak.load(Ordering::Relaxed)
    }

    /// Restarts the peak from the current number of bytes.
    pub fn restart_peak(&self) {
        self.peak.store(self.used(), Ordering::Relaxed);
    }

    /// Checks the size of a run's results, given with the names of their fetches.
    ///
    /// # Errors
    /// `RESOURCE_EXHAUSTED` if it exceeds what a run may return.
    pub fn check_results<'a>(&self, results: impl Iterator<Item = (&'a str, &'a Tensor)>) -> Result<()> {
        let most = self.limits.output_bytes;
        let mut bytes = 0usize;
        for (name, tensor) in results {
            bytes = bytes.saturating_add(tensor.num_bytes());
            if bytes > most {
                return Err(past(Limit::OutputBytes, "the run returns too many bytes", most, bytes).node(name));
            }
        }
        Ok(())
    }
}

/// What one run has used.
pub struct Meter {
    policy: Arc<Policy>,
    memory: AtomicUsize,
    nodes: AtomicU64,
    iterations: AtomicU64,
    nanos: AtomicU64,
}

/// The error for a queue or the like that would hold more than `most` elements.
pub fn too_many_elements(name: &str, most: usize) -> Error {
    past(Limit::QueueElements, &format!("{name} would hold too many elements"), most, "one more")
}

/// The error for a limit.
fn past(limit: Limit, what: &str, most: impl fmt::Display, found: impl fmt::Display) -> Error {
    Error::resource_exhausted(what).limit(limit).expected(format!("at most {most}")).found(found)
}

impl Meter {
    /// A meter for a run that has used nothing yet.
    pub fn new(policy: &Arc<Policy>) -> Meter {
        Meter {
            policy: policy.clone(),
            memory: AtomicUsize::new(0),
            nodes: AtomicU64::new(0),
            iterations: AtomicU64::new(0),
            nanos: AtomicU64::new(0),
        }
    }

    /// The limits.
    pub fn limits(&self) -> &Limits {
        &self.policy.limits
    }

    /// Counts a node that is about to run.
    ///
    /// # Errors
    /// `RESOURCE_EXHAUSTED` past the limit on nodes or on the time of kernels.
    pub fn node(&self) -> Result<()> {
        let Limits { nodes, processor_time, .. } = self.policy.limits;
        if self.nodes.fetch_add(1, Ordering::Relaxed) >= nodes {
            return Err(past(Limit::Nodes, "the run executes too many nodes", nodes, "one more"));
        }
        let spent = Duration::from_nanos(self.nanos.load(Ordering::Relaxed));
        if spent > processor_time {
            let (most, spent) = (format!("{processor_time:?}"), format!("{spent:?}"));
            return Err(past(Limit::ProcessorTime, "the kernels of the run take too long", most, spent));
        }
        Ok(())
    }

    /// Counts an iteration of a loop.
    ///
    /// # Errors
    /// `RESOURCE_EXHAUSTED` past the limit.
    pub fn iteration(&self) -> Result<()> {
        let most = self.policy.limits.iterations;
        match self.iterations.fetch_add(1, Ordering::Relaxed) >= most {
            true => Err(past(Limit::Iterations, "the loops of the run have too many iterations", most, "one more")),
            false => Ok(()),
        }
    }

    /// Checks the nesting depth of function calls.
    ///
    /// # Errors
    /// `RESOURCE_EXHAUSTED` past the limit.
    pub fn check_depth(&self, depth: u32) -> Result<()> {
        let most = self.policy.limits.depth;
        match depth > most {
            true => Err(past(Limit::Depth, "function calls are nested too deep", most, depth)),
            false => Ok(()),
        }
    }

    /// Adds the time that a kernel took.
    pub fn worked(&self, time: Duration) {
        self.nanos.fetch_add(time.as_nanos() as u64, Ordering::Relaxed);
    }

    /// Enters a tensor that the run is fed. It belongs to the caller, so it is not on the session's account.
    ///
    /// # Errors
    /// `RESOURCE_EXHAUSTED` past the limit.
    pub fn feed(&self, bytes: usize) -> Result<()> {
        let most = self.policy.limits.memory_of_step;
        add(&self.memory, bytes, most)
            .map(drop)
            .map_err(|found| past(Limit::MemoryOfStep, "the run is fed too many bytes", most, found))
    }

    /// Checks the bytes of the strings of a tensor.
    ///
    /// # Errors
    /// `RESOURCE_EXHAUSTED` past the limit.
    pub fn check_strings(&self, bytes: usize) -> Result<()> {
        let most = self.policy.limits.string_bytes;
        match bytes > most {
            true => Err(past(Limit::StringBytes, "the strings of a tensor are too long", most, bytes)),
            false => Ok(()),
        }
    }

    /// Checks that there is room for `bytes` more.
    ///
    /// # Errors
    /// As [`Ledger::enter`].
    pub fn check(&self, bytes: usize) -> Result<()> {
        self.enter(bytes)?;
        self.leave(bytes);
        Ok(())
    }

    /// Enters the outputs of a node that are not on any account yet.
    ///
    /// # Errors
    /// `RESOURCE_EXHAUSTED` past a limit.
    pub fn settle(self: &Arc<Self>, outputs: &[Entry]) -> Result<()> {
        let ledger: Arc<dyn Ledger> = self.clone();
        outputs.iter().filter_map(Entry::tensor).try_for_each(|tensor| {
            if tensor.dtype() == levada_graph::DType::Str {
                self.check_strings(tensor.num_bytes())?;
            }
            tensor.charge(&ledger)
        })
    }
}

/// Adds to a counter unless the sum would exceed `most`. Returns the sum, as the error if it would exceed `most`.
fn add(counter: &AtomicUsize, bytes: usize, most: usize) -> Result<usize, usize> {
    let before = counter.fetch_add(bytes, Ordering::Relaxed);
    let after = before.saturating_add(bytes);
    if after <= most {
        return Ok(after);
    }
    counter.fetch_sub(bytes, Ordering::Relaxed);
    Err(after)
}

impl Ledger for Meter {
    fn enter(&self, bytes: usize) -> Result<()> {
        let Limits { memory, memory_of_step, .. } = self.policy.limits;
        let fails = |limit, what, most, found| {
            past(
                limit,
                &format!("{what}: {bytes} more are asked for"),
                format!("{most} bytes"),
                format!("{found} bytes"),
            )
        };
        add(&self.memory, bytes, memory_of_step)
            .map_err(|found| fails(Limit::MemoryOfStep, "the run takes too much memory", memory_of_step, found))?;
        let used = add(&self.policy.used, bytes, memory).map_err(|found| {
            self.memory.fetch_sub(bytes, Ordering::Relaxed);
            fails(Limit::Memory, "the session takes too much memory", memory, found)
        })?;
        self.policy.peak.fetch_max(used, Ordering::Relaxed);
        Ok(())
    }

    fn leave(&self, bytes: usize) {
        self.memory.fetch_sub(bytes, Ordering::Relaxed);
        self.policy.used.fetch_sub(bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arena, Scope, lane};
    use levada_graph::{Bytes, DType, Shape};

    fn metered(limits: Limits) -> (Arc<Policy>, Arc<Scope>) {
        let policy = Policy::new(limits);
        let scope = Arc::new(Scope::metered(Some(&policy)));
        (policy, scope)
    }

    #[test]
    fn memory_of_the_arena_is_entered_and_taken_off() {
        let (policy, scope) = metered(Limits { memory_of_step: 1 << 20, ..Limits::default() });
        let arena = Arena::new(1 << 30, 1 << 30);
        let _entered = lane::enter(Some(scope));
        let small = arena.tensor(DType::F32, Shape::vector(1000)).unwrap();
        assert!(policy.used() >= 4000);
        let error = arena.tensor(DType::F32, Shape::vector(1 << 20)).unwrap_err();
        assert_eq!(error.fault().limit, Some(Limit::MemoryOfStep));
        assert_eq!(arena.check(1 << 21).unwrap_err().fault().limit, Some(Limit::MemoryOfStep));
        drop(small);
        assert_eq!((policy.used(), arena.used()), (0, 0));
        assert!(policy.peak() >= 4000);
        policy.restart_peak();
        assert_eq!(policy.peak(), 0);
    }

    #[test]
    fn what_kernels_return_is_entered_once() {
        let (policy, scope) = metered(Limits { memory: 1 << 20, ..Limits::default() });
        let meter = scope.meter().unwrap();
        let strings = Tensor::vector(vec![Bytes::from(vec![b'x'; 1000]); 10]);
        let numbers = Tensor::vector(vec![1f64; 1000]);
        let outputs = [Entry::Value(strings.clone()), Entry::Value(numbers), Entry::Value(strings)];
        meter.settle(&outputs).unwrap();
        let bytes = 10 * (1000 + size_of::<Bytes>()) + 8000;
        assert_eq!(policy.used(), bytes);
        meter.settle(&outputs).unwrap();
        assert_eq!(policy.used(), bytes);
        drop(outputs);
        assert_eq!(policy.used(), 0);
        let large = [Entry::Value(Tensor::vector(vec![1f64; 1 << 18]))];
        assert_eq!(meter.settle(&large).unwrap_err().fault().limit, Some(Limit::Memory));
        assert_eq!(policy.used(), 0);
    }

    #[test]
    fn nodes_iterations_calls_and_time_are_counted() {
        let time = Duration::from_secs(1);
        let (_, scope) =
            metered(Limits { nodes: 3, iterations: 2, depth: 5, processor_time: time, ..Limits::default() });
        let meter = scope.meter().unwrap();
        let limit = |result: Result<()>| result.unwrap_err().fault().limit;
        assert!(meter.node().is_ok() && meter.node().is_ok());
        meter.worked(2 * time);
        assert_eq!(limit(meter.node()), Some(Limit::ProcessorTime));
        assert_eq!(limit(meter.node()), Some(Limit::Nodes));
        assert!(meter.iteration().is_ok() && meter.iteration().is_ok());
        assert_eq!(limit(meter.iteration()), Some(Limit::Iterations));
        assert!(meter.check_depth(5).is_ok());
        assert_eq!(limit(meter.check_depth(6)), Some(Limit::Depth));
        assert_eq!(limit(meter.check_strings(usize::MAX)), Some(Limit::StringBytes));
    }
}

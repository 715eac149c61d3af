//! `MutexV2`, `MutexLock` and `ConsumeMutexLock`: mutual exclusion between steps.

use super::monitor::{Monitor, Served, State};
use crate::handle::{Shared, input, set_handle};
use crate::prelude::*;
use crate::scalar;
use levada_graph::{Variant, VariantValue};
use levada_kernel::watch::{Need, WaitableState};
use std::fmt;
use std::sync::Arc;

/// A lock that ops wait for.
pub type Mutex = Monitor<Held>;

/// The node that holds the lock and the number of its step, if any.
pub struct Held(Option<(Arc<str>, u64)>);

/// A node that requests a lock.
pub struct Asks {
    /// The mutex itself, for the guard.
    mutex: Arc<Mutex>,
    node: Arc<str>,
    step: u64,
}

impl Asks {
    /// Returns the request of this node, in the step with this number.
    pub fn of(mutex: &Arc<Mutex>, node: &Arc<str>, step: u64) -> Asks {
        Asks { mutex: mutex.clone(), node: node.clone(), step }
    }
}

/// The lock, held.
pub struct Lock(Arc<Mutex>);

impl Mutex {
    /// Returns an unlocked mutex of this kind.
    pub fn free(kind: &'static str) -> Arc<Mutex> {
        Arc::new(Monitor::new(kind, Held(None)))
    }
}

impl State for Held {
    /// The kind of the resource.
    type Config = &'static str;
    type Want = Asks;
    type Answer = Lock;
    type Outputs = [Tensor; 1];
    const LANES: usize = 1;

    fn lane(_: &Asks) -> usize {
        0
    }

    fn serve(&mut self, _: &&'static str, want: &mut Asks) -> Served<Lock> {
        if self.0.is_some() {
            return Served::Wait;
        }
        self.0 = Some((want.node.clone(), want.step));
        Served::Done(Ok(Lock(want.mutex.clone())))
    }

    fn outputs(_: &&'static str, lock: Lock) -> Result<[Tensor; 1]> {
        Ok([Tensor::scalar(Variant::new(lock))])
    }

    fn describe(&self, kind: &&'static str) -> WaitableState {
        WaitableState {
            kind,
            name: String::new(),
            size: usize::from(self.0.is_none()),
            capacity: Some(1),
            closed: false,
            min_after_dequeue: 0,
            incomplete: 0,
        }
    }

    fn need(&self, _: &Asks) -> Need {
        Need { act: Act::Take, elements: 1, so_far: 0, key: None, turn: true }
    }

    fn holder(&self, _: &Asks) -> Option<(Arc<str>, u64)> {
        self.0.clone()
    }

    fn cancelled(_: &Asks) -> &'static str {
        "Lock acquisition cancelled."
    }
}

/// Dropping the last copy of the lock passes it to the next waiting node.
impl Drop for Lock {
    fn drop(&mut self) {
        self.0.change(|held| held.0 = None);
    }
}

impl fmt::Debug for Lock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Lock")
    }
}

impl VariantValue for Lock {
    fn type_name(&self) -> &'static str {
        "mutex lock"
    }
}

impl Shared for Mutex {
    type Spec = ();

    fn make((): ()) -> Result<Mutex> {
        Ok(Monitor::new("Mutex", Held(None)))
    }

    fn check(&self, (): &()) -> Result<()> {
        Ok(())
    }
}

attrs! {
    /// Creates a mutex.
    pub struct MutexV2 {
        /// Container that holds the mutex; empty for the default one.
        container: String = Attr::string("container").or_str(""),
        /// Name in the container; empty for the node's name.
        shared_name: String = Attr::string("shared_name").or_str(""),
    }
}

pub static MUTEX: Def<MutexV2> =
    op("MutexV2").outputs(&[arg("resource", is(DType::Resource))]).act(Act::Make).shape(scalar).kernel(create);

fn create(op: &MutexV2, cx: &mut Cx<'_, '_>) -> Result<()> {
    set_handle::<Mutex>(cx, &op.container, &op.shared_name, |_| Ok(()))
}

attrs! {
    /// Locks a mutex until the last copy of the result is dropped. Waits until it is free.
    pub struct MutexLock {}
}

pub static MUTEX_LOCK: Def<MutexLock> = op("MutexLock")
    .inputs(&[arg("mutex", is(DType::Resource))])
    .outputs(&[arg("mutex_lock", is(DType::Variant))])
    .act(Act::Take)
    .shape(scalar)
    .kernel(lock);

fn lock(_: &MutexLock, cx: &mut Cx<'_, '_>) -> Result<()> {
    let mutex = input::<Mutex>(cx, 0)?;
    let want = Asks::of(&mutex, &cx.node().name, cx.step().id);
    mutex.submit(cx, want)
}

attrs! {
    /// Releases a lock at this point in the graph's order.
    pub struct ConsumeMutexLock {}
}

pub static CONSUME_MUTEX_LOCK: Def<ConsumeMutexLock> =
    op("ConsumeMutexLock").inputs(&[arg("mutex_lock", is(DType::Variant))]).act(Act::Put).kernel(consume);

fn consume(_: &ConsumeMutexLock, cx: &mut Cx<'_, '_>) -> Result<()> {
    let mut lock = cx.take(0)?;
    match lock.slice::<Variant>()? {
        [variant] if variant.get::<Lock>().is_some() => {}
        _ => return Err(Error::invalid("Expected input to be a mutex lock")),
    }
    let shared = match lock.is_unique() {
        false => true,
        true => {
            lock.slice_mut::<Variant>()?.iter_mut().any(|v| v.0.as_mut().is_some_and(|l| Arc::get_mut(l).is_none()))
        }
    };
    if shared {
        return Err(Error::invalid("Expected use count of lock to be 1, but saw more"));
    }
    Ok(())
}

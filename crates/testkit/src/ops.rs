//! Ops for tests of the executor: each passes its input on after doing what its name says.
//!
//! Nodes wait and meet at a [`Gate`], which the test finds by the node's attr `key`.

use levada::graph::prelude::*;
use levada::kernel::cancel::Registration;
use levada::kernel::{Completion, Cpu, CpuDevice, Def, KernelCx, op};
use levada::{Builder, Registry, SessionOptions, session};
use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a gate waits for an event that a test expects.
const PATIENCE: Duration = Duration::from_secs(20);

/// A gate where nodes wait for the test, and for each other.
#[derive(Default)]
pub struct Gate {
    /// Protects everything below; `changed` is signalled when any of it changes.
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    parked: Vec<Parked>,
    inside: usize,
    most_inside: usize,
}

struct Parked {
    /// Empty once finished, by the test or by cancellation.
    done: Arc<Mutex<Option<Completion>>>,
    value: Tensor,
    _registration: Registration,
}

/// The gate of this key; the same one for every caller.
pub fn gate(key: &str) -> Arc<Gate> {
    static GATES: Mutex<Option<HashMap<String, Arc<Gate>>>> = Mutex::new(None);
    let mut gates = GATES.lock().unwrap_or_else(PoisonError::into_inner);
    gates.get_or_insert_default().entry(key.to_owned()).or_default().clone()
}

impl Gate {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until this many nodes are parked.
    ///
    /// # Panics
    /// If that takes too long.
    pub fn wait_for(&self, nodes: usize) {
        let state = self.state();
        let few = |s: &mut State| s.parked.len() < nodes;
        let (state, timeout) =
            self.changed.wait_timeout_while(state, PATIENCE, few).unwrap_or_else(PoisonError::into_inner);
        assert!(!timeout.timed_out(), "{} of {nodes} nodes came to the gate", state.parked.len());
    }

    /// Lets all parked nodes finish; returns their number.
    pub fn release(&self) -> usize {
        let parked = std::mem::take(&mut self.state().parked);
        let all = parked.len();
        for node in parked {
            let done = node.done.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(done) = done {
                done.finish(Ok(vec![node.value]));
            }
        }
        all
    }

    /// The maximum number of `Meet` nodes that were inside at the same time.
    pub fn most_inside(&self) -> usize {
        self.state().most_inside
    }

    fn park(&self, cx: &mut KernelCx<'_, '_, Cpu>) -> Result<()> {
        let value = cx.take(0)?;
        let done = Arc::new(Mutex::new(Some(cx.defer())));
        let cancelled = done.clone();
        let registration = cx.cancel().on_cancel(move |reason| {
            let done = cancelled.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(done) = done {
                done.finish(Err(reason.clone()));
            }
        });
        self.state().parked.push(Parked { done, value, _registration: registration });
        self.changed.notify_all();
        Ok(())
    }

    /// Blocks until `nodes` are inside at the same time or `patience` is over.
    fn meet(&self, nodes: usize, patience: Duration) {
        let until = Instant::now() + patience;
        let mut state = self.state();
        state.inside += 1;
        state.most_inside = state.most_inside.max(state.inside);
        self.changed.notify_all();
        while state.most_inside < nodes {
            let Some(left) = until.checked_duration_since(Instant::now()) else { break };
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        state.inside -= 1;
    }
}

levada::graph::attrs! {
    /// The attrs of all test ops.
    pub struct Test {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// The gate.
        key: String = Attr::string("key").or_str(""),
        /// The number of nodes that meet.
        count: i64 = Attr::int("count").or_int(0),
    }
}

const INPUT: &[Arg] = &[arg("input", of("T"))];
const OUTPUT: &[Arg] = &[arg("output", of("T"))];

const fn test(
    name: &'static str,
    doc: &'static str,
    kernel: fn(&Test, &mut KernelCx<'_, '_, Cpu>) -> Result<()>,
) -> Def<Test> {
    op(name).doc(doc).inputs(INPUT).outputs(OUTPUT).stateful().kernel(kernel).heavy()
}

fn pass(cx: &mut KernelCx<'_, '_, Cpu>) -> Result<()> {
    let value = cx.take(0)?;
    cx.set(0, value);
    Ok(())
}

static OPS: [Def<Test>; 6] = [
    test("TestWait", "Finishes when the test releases its gate, without holding a thread.", |op, cx| {
        gate(&op.key).park(cx)
    }),
    test("TestMeet", "Holds its thread until `count` nodes are at the gate at once, two seconds at most.", |op, cx| {
        gate(&op.key).meet(op.count as usize, Duration::from_secs(2));
        pass(cx)
    }),
    test("TestFail", "Fails with `ABORTED`.", |_, _| Err(Error::aborted("failed on purpose"))),
    test("TestPanic", "Panics.", |_, _| panic!("panicked on purpose")),
    test("TestForget", "Says that it is deferred and drops the completion.", |_, cx| {
        drop(cx.defer());
        Ok(())
    }),
    test("TestPass", "Does nothing.", |_, cx| pass(cx)),
];

/// The whole op library and the test ops.
pub fn registry() -> Arc<Registry> {
    let test = OPS.iter().flat_map(Def::ops);
    Arc::new(Registry::new(levada::registry().iter().copied().chain(test)))
}

/// A session on the graph that `build` builds, with the test ops on the number of CPUs in the options.
///
/// # Panics
/// If the graph is wrong.
pub fn session(options: SessionOptions, build: impl FnOnce(&mut Builder)) -> session::Session {
    let registry = registry();
    let mut builder = Builder::new(registry.clone());
    build(&mut builder);
    let graph = builder.finish().expect("a test builds a right graph");
    let arena = levada::kernel::Arena::for_this_machine();
    let device = |i| -> Arc<dyn levada::kernel::AnyDevice> {
        let test = OPS.iter().flat_map(Def::cpu_entries);
        Arc::new(CpuDevice::new(i, arena.clone(), levada::kernels().chain(test)))
    };
    let devices = (0..options.cpus.max(1)).map(device).collect();
    session::Session::with_devices(graph, registry, devices, options).unwrap()
}

//! Runs one kernel without a graph, for unit tests of single ops.

use crate::prelude::*;
use levada_kernel::{Arena, Completion, Env, Io, KernelEntry, NodeMeta, Parker, Pool, Resources, StepCx, Wait};
use std::sync::Arc;

struct NeverParks;

impl Parker for NeverParks {
    fn park(&mut self, _: Wait) -> Completion {
        Completion::new(|_| ())
    }
}

/// Runs `op` on `inputs` with `threads` threads; `outputs` are the dtypes of its outputs.
pub fn run_on<T: Kernel<Cpu>>(threads: usize, op: T, inputs: Vec<Tensor>, outputs: &[DType]) -> Result<Vec<Tensor>> {
    let env = Arc::new(Env::new(Arc::new(Pool::new(threads)), Arc::new(Resources::new())));
    let step = StepCx::alone(env);
    let node = NodeMeta { name: "test".into(), op: T::SPEC.name, device: "".into(), outputs: outputs.into() };
    let mut inputs: Vec<Entry> = inputs.into_iter().map(Entry::Value).collect();
    let mut slots = vec![Entry::Empty; outputs.len()];
    let entry: KernelEntry<Cpu> = levada_kernel::kernel::<Cpu, T>();
    let op: Arc<dyn levada_graph::AnyOp> = Arc::new(op);
    let cpu = Arc::new(Cpu { arena: Arena::for_this_machine() });
    let kernel = (entry.make)(&op, &cpu).ok_or_else(|| Error::unimplemented("no kernel"))?;
    kernel.compute(&mut Io::new(&mut inputs, &mut slots, &node, &step, &mut NeverParks))?;
    slots.iter().map(|s| s.tensor().cloned().ok_or_else(|| Error::internal("an output was not set"))).collect()
}

/// As [`run_on`] with one thread.
pub fn run<T: Kernel<Cpu>>(op: T, inputs: Vec<Tensor>, outputs: &[DType]) -> Result<Vec<Tensor>> {
    run_on(1, op, inputs, outputs)
}

//! Runs one kernel without a graph, for unit tests of single ops.

use crate::prelude::*;
use levada_graph::AnyOp;
use levada_kernel::{Arena, Bound, Completion, Env, Io, NodeMeta, Parker, Pool, Resources, StepCx, Wait};
use std::sync::Arc;

struct NeverParks;

impl Parker for NeverParks {
    fn park(&mut self, _: Wait) -> Completion {
        Completion::new(|_| ())
    }
}

/// Runs `op` on `inputs` with `threads` threads; `outputs` are the dtypes of its outputs.
pub fn run_on<A: OpAttrs>(threads: usize, op: Bound<A>, inputs: Vec<Tensor>, outputs: &[DType]) -> Result<Vec<Tensor>> {
    let env = Arc::new(Env::new(Arc::new(Pool::new(threads)), Arc::new(Resources::new())));
    let step = StepCx::alone(env);
    let node = NodeMeta {
        name: "test".into(),
        op: op.spec().name,
        device: "".into(),
        outputs: outputs.into(),
        used: None,
        in_loop: false,
    };
    let mut inputs: Vec<Entry> = inputs.into_iter().map(Entry::Value).collect();
    let mut slots = vec![Entry::Empty; outputs.len()];
    let cpu = Arc::new(Cpu { arena: Arena::for_this_machine() });
    let kernel = op.on_cpu(&cpu).ok_or_else(|| Error::unimplemented("no kernel"))?;
    kernel.compute(&mut Io::new(&mut inputs, &mut slots, &node, &step, &mut NeverParks))?;
    slots.iter().map(|s| s.tensor().cloned().ok_or_else(|| Error::internal("an output was not set"))).collect()
}

/// Like [`run_on`], with one thread.
pub fn run<A: OpAttrs>(op: Bound<A>, inputs: Vec<Tensor>, outputs: &[DType]) -> Result<Vec<Tensor>> {
    run_on(1, op, inputs, outputs)
}

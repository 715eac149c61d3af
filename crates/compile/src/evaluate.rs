//! Computes a node before the run, from known values.

use levada_graph::{Error, Tensor};
use levada_kernel::{AnyKernel, Entry, Env, Io, NeverParks, NodeMeta, StepCx, lane};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// The outputs of a node for these inputs; `None` if computing them fails: the node then fails when it runs, if it ever
/// does.
pub(crate) fn evaluate(
    kernel: &dyn AnyKernel,
    inputs: Vec<Tensor>,
    meta: &NodeMeta,
    env: &Arc<Env>,
) -> Option<Box<[Tensor]>> {
    let mut inputs: Vec<Entry> = inputs.into_iter().map(Entry::Constant).collect();
    let mut outputs = vec![Entry::Empty; meta.outputs.len()];
    let step = StepCx::alone(env.clone());
    let _entered = lane::enter(Some(step.resources.clone()));
    let mut parker = NeverParks;
    let mut io = Io::new(&mut inputs, &mut outputs, meta, &step, &mut parker);
    let computed = catch_unwind(AssertUnwindSafe(|| {
        let result = kernel.compute(&mut io);
        if io.is_deferred() { Err(Error::internal("deferred")) } else { result }
    }));
    if !matches!(computed, Ok(Ok(()))) {
        return None;
    }
    outputs.iter().map(|o| o.tensor().cloned()).collect()
}

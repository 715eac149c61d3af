//! Runs one step of a [`Plan`]: fires nodes whose inputs are ready, until the fetches are filled.
//!
//! In: a plan, feeds, the session's surroundings ([`Env`](levada_kernel::Env)), a cancellation token. Out: fetched tensors
//! and, where asked for, a trace. It knows nodes by number and kernels by vtable. It has never heard of an op's name, a
//! graph file or a session.
//!
//! Start with [`plan`], the data; `step` is the loop that fires nodes; `activation` holds input slots and pending counts;
//! `ranks` knows what hangs on each node and `sharing` which nodes other threads are given by it; `frames` keeps loop
//! iterations apart; [`partial`] feeds and fetches a step bit by bit; `record` tells the trace.

mod activation;
mod frames;
pub mod partial;
pub mod plan;
mod ranks;
mod record;
mod sharing;
mod step;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub use partial::PartialStep;
pub use plan::{FETCH, FrameLayout, NodeCost, NodeIx, NodeKind, Plan, PlanEdge, PlanFeed, PlanNames, PlanNode, Span};
pub use step::{OnDone, StepOptions, begin, call, run, spawn, start};

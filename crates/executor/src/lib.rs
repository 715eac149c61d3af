//! Runs one step of a [`Plan`]: fires nodes whose inputs are ready, until the fetches are filled.
//!
//! In: a plan, feeds, the session's environment ([`Env`](levada_kernel::Env)), a cancellation token. Out: fetched
//! tensors and, on request, a trace. It knows nodes by number and kernels by vtable. It has never heard of an op's
//! name, a graph file or a session.
//!
//! Start with [`plan`], the data, which `check` validates. A `step` is one run of it: `schedule` decides which thread
//! fires which node, `fire` runs a node's kernel and passes on its outputs, `park` keeps the nodes that finish later,
//! `order` those whose turn has not come, `outcome` ends the step. Below them, `activation` holds input slots and
//! pending counts, and the tokens for them, which only its transitions make: it has all the unsafe code of the crate.
//! `holds` counts what keeps a step from ending, `frames` keeps loop iterations apart, `straight` runs simple loops
//! without them, `trial` decides whether a short step has several threads, and `ranks` and `sharing` choose the nodes
//! that go to other threads. [`partial`] feeds and fetches a step piece by piece; `record` writes the trace.

mod activation;
mod check;
mod feeds;
mod fire;
mod frames;
mod holds;
#[cfg(all(test, any(loom, shuttle)))]
mod models;
mod order;
mod outcome;
mod own_results;
mod park;
pub mod partial;
pub mod plan;
mod ranks;
mod record;
mod schedule;
mod sharing;
mod step;
mod straight;
#[cfg(test)]
mod testing;
#[cfg(all(test, not(any(loom, shuttle))))]
mod tests;
mod trial;

pub use outcome::OnDone;
pub use partial::PartialStep;
pub use plan::{
    FETCH, FrameLayout, NodeCost, NodeIx, NodeKind, Plan, PlanEdge, PlanFeed, PlanNames, PlanNode, PlanTables, Span,
};
pub use schedule::spawn;
pub use step::{StepOptions, begin, call, call_aside, run, start};

//! Queues and the other resources that ops wait for.
//!
//! [`monitor`] is the protocol for waiting and [`queue`] the queue. Each kind of queue is a file with the [`order`] of
//! its elements and the op that creates it.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::{handle, philox, prelude, rows, rules, variable};
use prelude::*;

mod accumulator;
mod barrier;
pub mod create;
mod meeting;
#[cfg(all(test, any(loom, shuttle)))]
mod models;
pub mod monitor;
mod order;
pub mod queue;

family! {
    barrier_ops = BARRIER, BARRIER_CLOSE, BARRIER_INCOMPLETE_SIZE, BARRIER_INSERT_MANY, BARRIER_READY_SIZE,
        BARRIER_TAKE_MANY;
    close = QUEUE_CLOSE, QUEUE_IS_CLOSED, QUEUE_SIZE;
    collective = COLLECTIVE_ALL_TO_ALL_V2, COLLECTIVE_ASSIGN_GROUP_V2, COLLECTIVE_BCAST_RECV, COLLECTIVE_BCAST_RECV_V2,
        COLLECTIVE_BCAST_SEND, COLLECTIVE_BCAST_SEND_V2, COLLECTIVE_GATHER, COLLECTIVE_GATHER_V2, COLLECTIVE_REDUCE,
        COLLECTIVE_REDUCE_V2, NCCL_ALL_REDUCE, NCCL_BROADCAST, NCCL_REDUCE;
    conditional_accumulator = ACCUMULATOR_APPLY_GRADIENT, ACCUMULATOR_NUM_ACCUMULATED, ACCUMULATOR_SET_GLOBAL_STEP,
        ACCUMULATOR_TAKE_GRADIENT, CONDITIONAL_ACCUMULATOR, SPARSE_ACCUMULATOR_APPLY_GRADIENT,
        SPARSE_ACCUMULATOR_TAKE_GRADIENT, SPARSE_CONDITIONAL_ACCUMULATOR;
    dequeue = QUEUE_DEQUEUE, QUEUE_DEQUEUE_MANY, QUEUE_DEQUEUE_UP_TO;
    enqueue = QUEUE_ENQUEUE, QUEUE_ENQUEUE_MANY;
    fifo = FIFO_QUEUE;
    map_stage = MAP_CLEAR, MAP_INCOMPLETE_SIZE, MAP_PEEK, MAP_SIZE, MAP_STAGE, MAP_UNSTAGE, MAP_UNSTAGE_NO_KEY;
    pub mutex = CONSUME_MUTEX_LOCK, MUTEX, MUTEX_LOCK;
    padding = PADDING_FIFO_QUEUE;
    priority = PRIORITY_QUEUE;
    saved = QUEUE_RESTORE, QUEUE_SAVE;
    sequence = ORDERED_ENQUEUE, ORDERED_ENTER, ORDERED_LEAVE;
    shuffle = RANDOM_SHUFFLE_QUEUE;
    stage = STAGE, STAGE_CLEAR, STAGE_PEEK, STAGE_SIZE, UNSTAGE;
}

/// A queue handle in the older form: a reference to its container and name.
const REFERENCE: Arg = arg("handle", is(DType::Str)).by_ref();
/// A queue handle.
const HANDLE: Arg = arg("handle", is(DType::Resource));

/// Infers a scalar for the only output of an op.
fn scalar<A>(_: &A, cx: &mut ShapeCx<'_>) -> Result<()> {
    cx.output_scalar(0);
    Ok(())
}

//! Queues, and whatever else ops wait at.
//!
//! [`monitor`] is the protocol for waiting and [`queue`] the queue; [`order`] has its kinds.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::{handle, philox, prelude, rows, variable};

mod accumulator;
mod barrier;
pub mod monitor;
mod order;
pub mod queue;

family! {
    barrier_ops: Barrier, BarrierClose, BarrierIncompleteSize, BarrierInsertMany, BarrierReadySize, BarrierTakeMany;
    close: QueueClose, QueueCloseV2, QueueIsClosed, QueueIsClosedV2, QueueSize, QueueSizeV2;
    conditional_accumulator: AccumulatorApplyGradient, AccumulatorNumAccumulated, AccumulatorSetGlobalStep,
        AccumulatorTakeGradient, ConditionalAccumulator, ResourceAccumulatorApplyGradient,
        ResourceAccumulatorNumAccumulated, ResourceAccumulatorSetGlobalStep, ResourceAccumulatorTakeGradient,
        ResourceConditionalAccumulator, SparseAccumulatorApplyGradient, SparseAccumulatorTakeGradient,
        SparseConditionalAccumulator;
    pub create: FIFOQueue, FIFOQueueV2, PaddingFIFOQueue, PaddingFIFOQueueV2, PriorityQueue, PriorityQueueV2,
        RandomShuffleQueue, RandomShuffleQueueV2;
    dequeue: QueueDequeue, QueueDequeueMany, QueueDequeueManyV2, QueueDequeueUpTo, QueueDequeueUpToV2, QueueDequeueV2;
    enqueue: QueueEnqueue, QueueEnqueueMany, QueueEnqueueManyV2, QueueEnqueueV2;
    map_stage: MapClear, MapIncompleteSize, MapPeek, MapSize, MapStage, MapUnstage, MapUnstageNoKey, OrderedMapClear,
        OrderedMapIncompleteSize, OrderedMapPeek, OrderedMapSize, OrderedMapStage, OrderedMapUnstage,
        OrderedMapUnstageNoKey;
    pub mutex: ConsumeMutexLock, MutexLock, MutexV2;
    saved: QueueRestore, QueueRestoreV2, QueueSave, QueueSaveV2;
    sequence: OrderedEnqueue, OrderedEnter, OrderedLeave;
    stage: Stage, StageClear, StagePeek, StageSize, Unstage;
}

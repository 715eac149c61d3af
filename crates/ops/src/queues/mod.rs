//! Queues, and whatever else ops wait at.
//!
//! [`monitor`] is the protocol for waiting and [`queue`] the queue; [`order`] has its kinds.

mod accumulator;
mod barrier;
pub(crate) mod handle;
pub(crate) mod monitor;
mod order;
pub(crate) mod queue;
pub(crate) mod rows;

family! {
    barrier_ops: Barrier, BarrierClose, BarrierIncompleteSize, BarrierInsertMany, BarrierReadySize, BarrierTakeMany;
    close: QueueClose, QueueCloseV2, QueueIsClosed, QueueIsClosedV2, QueueSize, QueueSizeV2;
    conditional_accumulator: AccumulatorApplyGradient, AccumulatorNumAccumulated, AccumulatorSetGlobalStep,
        AccumulatorTakeGradient, ConditionalAccumulator, ResourceAccumulatorApplyGradient,
        ResourceAccumulatorNumAccumulated, ResourceAccumulatorSetGlobalStep, ResourceAccumulatorTakeGradient,
        ResourceConditionalAccumulator, SparseAccumulatorApplyGradient, SparseAccumulatorTakeGradient,
        SparseConditionalAccumulator;
    pub(crate) create: FIFOQueue, FIFOQueueV2, PaddingFIFOQueue, PaddingFIFOQueueV2, PriorityQueue, PriorityQueueV2,
        RandomShuffleQueue, RandomShuffleQueueV2;
    dequeue: QueueDequeue, QueueDequeueMany, QueueDequeueManyV2, QueueDequeueUpTo, QueueDequeueUpToV2, QueueDequeueV2;
    enqueue: QueueEnqueue, QueueEnqueueMany, QueueEnqueueManyV2, QueueEnqueueV2;
    map_stage: MapClear, MapIncompleteSize, MapPeek, MapSize, MapStage, MapUnstage, MapUnstageNoKey, OrderedMapClear,
        OrderedMapIncompleteSize, OrderedMapPeek, OrderedMapSize, OrderedMapStage, OrderedMapUnstage,
        OrderedMapUnstageNoKey;
    pub(crate) mutex: ConsumeMutexLock, MutexLock, MutexV2;
    sequence: OrderedEnqueue, OrderedEnter, OrderedLeave;
    stage: Stage, StageClear, StagePeek, StageSize, Unstage;
}

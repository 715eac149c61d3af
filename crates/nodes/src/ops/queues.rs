// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops of the family `queues`.

use crate::node::{Input, Node, Ops, common, no_output, one_output, string};
use levada_graph::{DType, PartialShape};
use levada_builder::Output;

impl Ops<'_> {
    /// Adds a gradient to an accumulator, unless it belongs to an earlier step.
    ///
    /// - `handle`: a reference to a variable of string
    /// - `local_step`: a tensor of int64
    /// - `gradient`: a tensor of `dtype`
    ///
    /// `dtype` is any number, also quantized.
    pub fn accumulator_apply_gradient(&self, handle: impl Input, local_step: impl Input, gradient: impl Input) -> AccumulatorApplyGradient<'_> {
        AccumulatorApplyGradient(Node::new(self, "AccumulatorApplyGradient").input(handle).input(local_step).input(gradient))
    }

    /// Returns the number of gradients added since the sum was last taken.
    ///
    /// - `handle`: a reference to a variable of string
    ///
    /// It has no gradient.
    pub fn accumulator_num_accumulated(&self, handle: impl Input) -> AccumulatorNumAccumulated<'_> {
        AccumulatorNumAccumulated(Node::new(self, "AccumulatorNumAccumulated").input(handle))
    }

    /// Sets the global step of an accumulator; gradients of earlier steps are dropped.
    ///
    /// - `handle`: a reference to a variable of string
    /// - `new_global_step`: a tensor of int64
    pub fn accumulator_set_global_step(&self, handle: impl Input, new_global_step: impl Input) -> AccumulatorSetGlobalStep<'_> {
        AccumulatorSetGlobalStep(Node::new(self, "AccumulatorSetGlobalStep").input(handle).input(new_global_step))
    }

    /// Takes the sum or mean of the gradients out of an accumulator. Waits until there are `num_required` of them.
    ///
    /// - `handle`: a reference to a variable of string
    /// - `num_required`: a tensor of int32
    /// - `dtype`: Element type. Allowed: any number, also quantized.
    ///
    /// It has no gradient.
    pub fn accumulator_take_gradient(&self, handle: impl Input, num_required: impl Input, dtype: DType) -> AccumulatorTakeGradient<'_> {
        let mut node = Node::new(self, "AccumulatorTakeGradient").input(handle).input(num_required);
        node.set("dtype", dtype);
        AccumulatorTakeGradient(node)
    }

    /// Creates a barrier, which collects the components of tuples by key until the tuples are complete.
    ///
    /// - `component_types`: Dtypes of the components. Allowed: any dtype. Length at least 1.
    ///
    /// It has no gradient.
    pub fn barrier(&self, component_types: &[DType]) -> Barrier<'_> {
        let mut node = Node::new(self, "Barrier");
        node.set("component_types", component_types.to_vec());
        Barrier(node)
    }

    /// Closes a barrier to new keys and, with `cancel_pending_enqueues`, to further components.
    ///
    /// - `handle`: a reference to a variable of string
    pub fn barrier_close(&self, handle: impl Input) -> BarrierClose<'_> {
        BarrierClose(Node::new(self, "BarrierClose").input(handle))
    }

    /// Returns the number of incomplete tuples in a barrier.
    ///
    /// - `handle`: a reference to a variable of string
    ///
    /// It has no gradient.
    pub fn barrier_incomplete_size(&self, handle: impl Input) -> BarrierIncompleteSize<'_> {
        BarrierIncompleteSize(Node::new(self, "BarrierIncompleteSize").input(handle))
    }

    /// Inserts one component of the tuples with the given keys.
    ///
    /// - `handle`: a reference to a variable of string
    /// - `keys`: a tensor of string
    /// - `values`: a tensor of `T`
    /// - `component_index`: Index of the component.
    ///
    /// `T` is any dtype.
    pub fn barrier_insert_many(&self, handle: impl Input, keys: impl Input, values: impl Input, component_index: i64) -> BarrierInsertMany<'_> {
        let mut node = Node::new(self, "BarrierInsertMany").input(handle).input(keys).input(values);
        node.set("component_index", component_index);
        BarrierInsertMany(node)
    }

    /// Returns the number of complete tuples in a barrier.
    ///
    /// - `handle`: a reference to a variable of string
    ///
    /// It has no gradient.
    pub fn barrier_ready_size(&self, handle: impl Input) -> BarrierReadySize<'_> {
        BarrierReadySize(Node::new(self, "BarrierReadySize").input(handle))
    }

    /// Takes complete tuples out of a barrier, oldest first. Waits until there are enough.
    ///
    /// - `handle`: a reference to a variable of string
    /// - `num_elements`: a tensor of int32
    /// - `component_types`: Dtypes of the components. Allowed: any dtype. Length at least 1.
    ///
    /// It has no gradient.
    pub fn barrier_take_many(&self, handle: impl Input, num_elements: impl Input, component_types: &[DType]) -> BarrierTakeMany<'_> {
        let mut node = Node::new(self, "BarrierTakeMany").input(handle).input(num_elements);
        node.set("component_types", component_types.to_vec());
        BarrierTakeMany(node)
    }

    /// Exchanges values all-to-all: each member of a group receives its part of every member's value, in the order of the devices.
    ///
    /// - `input`: a tensor of `T`
    /// - `group_size`: a tensor of int32
    /// - `group_key`: a tensor of int32
    /// - `instance_key`: a tensor of int32
    /// - `ordering_token`: any number of tensors of resource
    ///
    /// `T` is any float, int32, int64.
    ///
    /// It has no gradient.
    pub fn collective_all_to_all_v2(&self, input: impl Input, group_size: impl Input, group_key: impl Input, instance_key: impl Input, ordering_token: impl IntoIterator<Item = impl Input>) -> CollectiveAllToAllV2<'_> {
        CollectiveAllToAllV2(Node::new(self, "CollectiveAllToAllV2").input(input).input(group_size).input(group_key).input(instance_key).list(ordering_token))
    }

    /// Returns the size and the key of the group that a device belongs to: its row of `group_assignment`.
    ///
    /// - `group_assignment`: a tensor of int32
    /// - `device_index`: a tensor of int32
    /// - `base_key`: a tensor of int32
    ///
    /// It has no gradient.
    pub fn collective_assign_group_v2(&self, group_assignment: impl Input, device_index: impl Input, base_key: impl Input) -> CollectiveAssignGroupV2<'_> {
        CollectiveAssignGroupV2(Node::new(self, "CollectiveAssignGroupV2").input(group_assignment).input(device_index).input(base_key))
    }

    /// Receives the value broadcast by another member of the group.
    ///
    /// - `t`: Element type. Allowed: float32, float64, int32, int64, bool, float16.
    /// - `group_size`: Number of members of the group.
    /// - `group_key`: Identifies the group.
    /// - `instance_key`: Identifies the collective within the group.
    /// - `shape`: Shape of the value.
    ///
    /// It has no gradient.
    pub fn collective_bcast_recv(&self, t: DType, group_size: i64, group_key: i64, instance_key: i64, shape: impl Into<PartialShape>) -> CollectiveBcastRecv<'_> {
        let mut node = Node::new(self, "CollectiveBcastRecv");
        node.set("T", t);
        node.set("group_size", group_size);
        node.set("group_key", group_key);
        node.set("instance_key", instance_key);
        node.set("shape", Into::<PartialShape>::into(shape));
        CollectiveBcastRecv(node)
    }

    /// Receives the value broadcast by another member of the group.
    ///
    /// - `group_size`: a tensor of int32
    /// - `group_key`: a tensor of int32
    /// - `instance_key`: a tensor of int32
    /// - `shape`: a tensor of `Tshape`
    /// - `t`: Element type. Allowed: float32, float64, int32, int64, bool, float16.
    ///
    /// `Tshape` is int32, int64.
    ///
    /// It has no gradient.
    pub fn collective_bcast_recv_v2(&self, group_size: impl Input, group_key: impl Input, instance_key: impl Input, shape: impl Input, t: DType) -> CollectiveBcastRecvV2<'_> {
        let mut node = Node::new(self, "CollectiveBcastRecvV2").input(group_size).input(group_key).input(instance_key).input(shape);
        node.set("T", t);
        CollectiveBcastRecvV2(node)
    }

    /// Sends a value to all other members of a group.
    ///
    /// - `input`: a tensor of `T`
    /// - `group_size`: Number of members of the group.
    /// - `group_key`: Identifies the group.
    /// - `instance_key`: Identifies the collective within the group.
    /// - `shape`: Shape of the value.
    ///
    /// `T` is float32, float64, int32, int64, bool, float16.
    ///
    /// It has no gradient.
    pub fn collective_bcast_send(&self, input: impl Input, group_size: i64, group_key: i64, instance_key: i64, shape: impl Into<PartialShape>) -> CollectiveBcastSend<'_> {
        let mut node = Node::new(self, "CollectiveBcastSend").input(input);
        node.set("group_size", group_size);
        node.set("group_key", group_key);
        node.set("instance_key", instance_key);
        node.set("shape", Into::<PartialShape>::into(shape));
        CollectiveBcastSend(node)
    }

    /// Sends a value to all other members of a group.
    ///
    /// - `input`: a tensor of `T`
    /// - `group_size`: a tensor of int32
    /// - `group_key`: a tensor of int32
    /// - `instance_key`: a tensor of int32
    ///
    /// `T` is float32, float64, int32, int64, bool, float16.
    ///
    /// It has no gradient.
    pub fn collective_bcast_send_v2(&self, input: impl Input, group_size: impl Input, group_key: impl Input, instance_key: impl Input) -> CollectiveBcastSendV2<'_> {
        CollectiveBcastSendV2(Node::new(self, "CollectiveBcastSendV2").input(input).input(group_size).input(group_key).input(instance_key))
    }

    /// Concatenates the values of all members of a group, in the order of the devices.
    ///
    /// - `input`: a tensor of `T`
    /// - `group_size`: Number of members of the group.
    /// - `group_key`: Identifies the group.
    /// - `instance_key`: Identifies the collective within the group.
    /// - `shape`: Shape of the result.
    ///
    /// `T` is float32, float64, int32, int64, float16.
    ///
    /// It has no gradient.
    pub fn collective_gather(&self, input: impl Input, group_size: i64, group_key: i64, instance_key: i64, shape: impl Into<PartialShape>) -> CollectiveGather<'_> {
        let mut node = Node::new(self, "CollectiveGather").input(input);
        node.set("group_size", group_size);
        node.set("group_key", group_key);
        node.set("instance_key", instance_key);
        node.set("shape", Into::<PartialShape>::into(shape));
        CollectiveGather(node)
    }

    /// Concatenates the values of all members of a group, in the order of the devices.
    ///
    /// - `input`: a tensor of `T`
    /// - `group_size`: a tensor of int32
    /// - `group_key`: a tensor of int32
    /// - `instance_key`: a tensor of int32
    /// - `ordering_token`: any number of tensors of resource
    ///
    /// `T` is float32, float64, int32, int64, float16.
    ///
    /// It has no gradient.
    pub fn collective_gather_v2(&self, input: impl Input, group_size: impl Input, group_key: impl Input, instance_key: impl Input, ordering_token: impl IntoIterator<Item = impl Input>) -> CollectiveGatherV2<'_> {
        CollectiveGatherV2(Node::new(self, "CollectiveGatherV2").input(input).input(group_size).input(group_key).input(instance_key).list(ordering_token))
    }

    /// Reduces the values of all members of a group element-wise.
    ///
    /// - `input`: a tensor of `T`
    /// - `group_size`: Number of members of the group.
    /// - `group_key`: Identifies the group.
    /// - `instance_key`: Identifies the collective within the group.
    /// - `merge_op`: Reduction applied to the values. One of `"Min"`, `"Max"`, `"Mul"`, `"Add"`.
    /// - `final_op`: Whether the result is divided by the group size. One of `"Id"`, `"Div"`.
    /// - `subdiv_offsets`: Has no effect.
    ///
    /// `T` is any float, int32, int64.
    ///
    /// It has no gradient.
    pub fn collective_reduce(&self, input: impl Input, group_size: i64, group_key: i64, instance_key: i64, merge_op: impl AsRef<[u8]>, final_op: impl AsRef<[u8]>, subdiv_offsets: &[i64]) -> CollectiveReduce<'_> {
        let mut node = Node::new(self, "CollectiveReduce").input(input);
        node.set("group_size", group_size);
        node.set("group_key", group_key);
        node.set("instance_key", instance_key);
        node.set("merge_op", string(merge_op));
        node.set("final_op", string(final_op));
        node.set("subdiv_offsets", subdiv_offsets.to_vec());
        CollectiveReduce(node)
    }

    /// Reduces the values of all members of a group element-wise.
    ///
    /// - `input`: a tensor of `T`
    /// - `group_size`: a tensor of int32
    /// - `group_key`: a tensor of int32
    /// - `instance_key`: a tensor of int32
    /// - `ordering_token`: any number of tensors of resource
    /// - `merge_op`: Reduction applied to the values. One of `"Min"`, `"Max"`, `"Mul"`, `"Add"`.
    /// - `final_op`: Whether the result is divided by the group size. One of `"Id"`, `"Div"`.
    ///
    /// `T` is any float, int32, int64.
    ///
    /// It has no gradient.
    pub fn collective_reduce_v2(&self, input: impl Input, group_size: impl Input, group_key: impl Input, instance_key: impl Input, ordering_token: impl IntoIterator<Item = impl Input>, merge_op: impl AsRef<[u8]>, final_op: impl AsRef<[u8]>) -> CollectiveReduceV2<'_> {
        let mut node = Node::new(self, "CollectiveReduceV2").input(input).input(group_size).input(group_key).input(instance_key).list(ordering_token);
        node.set("merge_op", string(merge_op));
        node.set("final_op", string(final_op));
        CollectiveReduceV2(node)
    }

    /// Creates an accumulator of dense gradients.
    ///
    /// - `dtype`: Element type of the gradients. Allowed: any number, also quantized.
    /// - `shape`: Statically known shape of the gradients.
    ///
    /// It has no gradient.
    pub fn conditional_accumulator(&self, dtype: DType, shape: impl Into<PartialShape>) -> ConditionalAccumulator<'_> {
        let mut node = Node::new(self, "ConditionalAccumulator");
        node.set("dtype", dtype);
        node.set("shape", Into::<PartialShape>::into(shape));
        ConditionalAccumulator(node)
    }

    /// Releases a lock at this point in the graph's order.
    ///
    /// - `mutex_lock`: a tensor of variant
    pub fn consume_mutex_lock(&self, mutex_lock: impl Input) -> ConsumeMutexLock<'_> {
        ConsumeMutexLock(Node::new(self, "ConsumeMutexLock").input(mutex_lock))
    }

    /// Creates a queue that returns elements in first-in, first-out order.
    ///
    /// - `component_types`: Dtypes of the components. Allowed: any dtype. Length at least 1.
    ///
    /// It has no gradient.
    pub fn fifo_queue(&self, component_types: &[DType]) -> FIFOQueue<'_> {
        let mut node = Node::new(self, "FIFOQueue");
        node.set("component_types", component_types.to_vec());
        FIFOQueue(node)
    }

    /// Creates a queue that returns elements in first-in, first-out order.
    ///
    /// - `component_types`: Dtypes of the components. Allowed: any dtype. Length at least 1.
    ///
    /// It has no gradient.
    pub fn fifo_queue_v2(&self, component_types: &[DType]) -> FIFOQueueV2<'_> {
        let mut node = Node::new(self, "FIFOQueueV2");
        node.set("component_types", component_types.to_vec());
        FIFOQueueV2(node)
    }

    /// Removes all tuples from a staging area with keys.
    ///
    /// - `dtypes`: Dtypes of a tuple. Allowed: any dtype. Length at least 0.
    pub fn map_clear(&self, dtypes: &[DType]) -> MapClear<'_> {
        let mut node = Node::new(self, "MapClear");
        node.set("dtypes", dtypes.to_vec());
        MapClear(node)
    }

    /// Returns the number of incomplete tuples in a staging area with keys.
    ///
    /// - `dtypes`: Dtypes of a tuple. Allowed: any dtype. Length at least 0.
    ///
    /// It has no gradient.
    pub fn map_incomplete_size(&self, dtypes: &[DType]) -> MapIncompleteSize<'_> {
        let mut node = Node::new(self, "MapIncompleteSize");
        node.set("dtypes", dtypes.to_vec());
        MapIncompleteSize(node)
    }

    /// Returns tensors of the tuple with a key, without removing them. Waits until the tuple is complete.
    ///
    /// - `key`: a tensor of int64
    /// - `indices`: a tensor of int32
    /// - `dtypes`: Dtypes of a tuple. Allowed: any dtype. Length at least 1.
    ///
    /// It has no gradient.
    pub fn map_peek(&self, key: impl Input, indices: impl Input, dtypes: &[DType]) -> MapPeek<'_> {
        let mut node = Node::new(self, "MapPeek").input(key).input(indices);
        node.set("dtypes", dtypes.to_vec());
        MapPeek(node)
    }

    /// Returns the number of complete tuples in a staging area with keys.
    ///
    /// - `dtypes`: Dtypes of a tuple. Allowed: any dtype. Length at least 0.
    ///
    /// It has no gradient.
    pub fn map_size(&self, dtypes: &[DType]) -> MapSize<'_> {
        let mut node = Node::new(self, "MapSize");
        node.set("dtypes", dtypes.to_vec());
        MapSize(node)
    }

    /// Puts tensors of the tuple with a key into a staging area. Waits until there is room.
    ///
    /// - `key`: a tensor of int64
    /// - `indices`: a tensor of int32
    /// - `values`: any number of tensors of any dtypes
    /// - `dtypes`: Dtypes of a tuple. Allowed: any dtype. Length at least 1.
    ///
    /// `fake_dtypes` is any dtype.
    pub fn map_stage(&self, key: impl Input, indices: impl Input, values: impl IntoIterator<Item = impl Input>, dtypes: &[DType]) -> MapStage<'_> {
        let mut node = Node::new(self, "MapStage").input(key).input(indices).list(values);
        node.set("dtypes", dtypes.to_vec());
        MapStage(node)
    }

    /// Takes tensors out of the tuple with a key. Waits until the tuple is complete.
    ///
    /// - `key`: a tensor of int64
    /// - `indices`: a tensor of int32
    /// - `dtypes`: Dtypes of a tuple. Allowed: any dtype. Length at least 1.
    ///
    /// It has no gradient.
    pub fn map_unstage(&self, key: impl Input, indices: impl Input, dtypes: &[DType]) -> MapUnstage<'_> {
        let mut node = Node::new(self, "MapUnstage").input(key).input(indices);
        node.set("dtypes", dtypes.to_vec());
        MapUnstage(node)
    }

    /// Takes tensors out of any tuple and returns its key. Waits until there is a complete tuple.
    ///
    /// - `indices`: a tensor of int32
    /// - `dtypes`: Dtypes of a tuple. Allowed: any dtype. Length at least 1.
    ///
    /// It has no gradient.
    pub fn map_unstage_no_key(&self, indices: impl Input, dtypes: &[DType]) -> MapUnstageNoKey<'_> {
        let mut node = Node::new(self, "MapUnstageNoKey").input(indices);
        node.set("dtypes", dtypes.to_vec());
        MapUnstageNoKey(node)
    }

    /// Locks a mutex until the last copy of the result is dropped. Waits until it is free.
    ///
    /// - `mutex`: a tensor of resource
    ///
    /// It has no gradient.
    pub fn mutex_lock(&self, mutex: impl Input) -> MutexLock<'_> {
        MutexLock(Node::new(self, "MutexLock").input(mutex))
    }

    /// Creates a mutex.
    ///
    /// It has no gradient.
    pub fn mutex_v2(&self) -> MutexV2<'_> {
        MutexV2(Node::new(self, "MutexV2"))
    }

    /// Reduces the values of all devices element-wise; every device receives the result.
    ///
    /// - `input`: a tensor of `T`
    /// - `reduction`: Reduction applied to the values. One of `"min"`, `"max"`, `"prod"`, `"sum"`.
    /// - `num_devices`: Number of devices.
    /// - `shared_name`: Identifies the group.
    ///
    /// `T` is float32, float64, int32, int64, float16.
    pub fn nccl_all_reduce(&self, input: impl Input, reduction: impl AsRef<[u8]>, num_devices: i64, shared_name: impl AsRef<[u8]>) -> NcclAllReduce<'_> {
        let mut node = Node::new(self, "NcclAllReduce").input(input);
        node.set("reduction", string(reduction));
        node.set("num_devices", num_devices);
        node.set("shared_name", string(shared_name));
        NcclAllReduce(node)
    }

    /// Broadcasts its input to all devices.
    ///
    /// - `input`: a tensor of `T`
    /// - `shape`: Shape of the input.
    ///
    /// `T` is float32, float64, int32, int64, float16.
    pub fn nccl_broadcast(&self, input: impl Input, shape: impl Into<PartialShape>) -> NcclBroadcast<'_> {
        let mut node = Node::new(self, "NcclBroadcast").input(input);
        node.set("shape", Into::<PartialShape>::into(shape));
        NcclBroadcast(node)
    }

    /// Reduces tensors of several devices element-wise.
    ///
    /// - `input`: any number of tensors of `T`
    /// - `reduction`: Reduction applied to the tensors. One of `"min"`, `"max"`, `"prod"`, `"sum"`.
    ///
    /// `T` is float32, float64, int32, int64, float16.
    pub fn nccl_reduce(&self, input: impl IntoIterator<Item = impl Input>, reduction: impl AsRef<[u8]>) -> NcclReduce<'_> {
        let mut node = Node::new(self, "NcclReduce").list(input);
        node.set("reduction", string(reduction));
        NcclReduce(node)
    }

    /// Adds an element to a queue in the ticket's turn; if `keep` is false, only lets the next ticket proceed.
    ///
    /// - `handle`: a tensor of resource
    /// - `ticket`: a tensor of variant
    /// - `keep`: a tensor of bool
    /// - `components`: any number of tensors of any dtypes
    ///
    /// `Tcomponents` is any dtype.
    pub fn ordered_enqueue(&self, handle: impl Input, ticket: impl Input, keep: impl Input, components: impl IntoIterator<Item = impl Input>) -> OrderedEnqueue<'_> {
        OrderedEnqueue(Node::new(self, "OrderedEnqueue").input(handle).input(ticket).input(keep).list(components))
    }

    /// Returns a ticket. Waits until no other run is between enter and leave and, with several lanes, it is this lane's turn.
    ///
    /// It has no gradient.
    pub fn ordered_enter(&self) -> OrderedEnter<'_> {
        OrderedEnter(Node::new(self, "OrderedEnter"))
    }

    /// Lets the next run enter. Returns the ticket.
    ///
    /// - `ticket`: a tensor of variant
    ///
    /// It has no gradient.
    pub fn ordered_leave(&self, ticket: impl Input) -> OrderedLeave<'_> {
        OrderedLeave(Node::new(self, "OrderedLeave").input(ticket))
    }

    /// Removes all tuples from a staging area with keys.
    ///
    /// - `dtypes`: Dtypes of a tuple. Allowed: any dtype. Length at least 0.
    pub fn ordered_map_clear(&self, dtypes: &[DType]) -> OrderedMapClear<'_> {
        let mut node = Node::new(self, "OrderedMapClear");
        node.set("dtypes", dtypes.to_vec());
        OrderedMapClear(node)
    }

    /// Returns the number of incomplete tuples in a staging area with keys.
    ///
    /// - `dtypes`: Dtypes of a tuple. Allowed: any dtype. Length at least 0.
    ///
    /// It has no gradient.
    pub fn ordered_map_incomplete_size(&self, dtypes: &[DType]) -> OrderedMapIncompleteSize<'_> {
        let mut node = Node::new(self, "OrderedMapIncompleteSize");
        node.set("dtypes", dtypes.to_vec());
        OrderedMapIncompleteSize(node)
    }

    /// Returns tensors of the tuple with a key, without removing them. Waits until the tuple is complete.
    ///
    /// - `key`: a tensor of int64
    /// - `indices`: a tensor of int32
    /// - `dtypes`: Dtypes of a tuple. Allowed: any dtype. Length at least 1.
    ///
    /// It has no gradient.
    pub fn ordered_map_peek(&self, key: impl Input, indices: impl Input, dtypes: &[DType]) -> OrderedMapPeek<'_> {
        let mut node = Node::new(self, "OrderedMapPeek").input(key).input(indices);
        node.set("dtypes", dtypes.to_vec());
        OrderedMapPeek(node)
    }

    /// Returns the number of complete tuples in a staging area with keys.
    ///
    /// - `dtypes`: Dtypes of a tuple. Allowed: any dtype. Length at least 0.
    ///
    /// It has no gradient.
    pub fn ordered_map_size(&self, dtypes: &[DType]) -> OrderedMapSize<'_> {
        let mut node = Node::new(self, "OrderedMapSize");
        node.set("dtypes", dtypes.to_vec());
        OrderedMapSize(node)
    }

    /// Puts tensors of the tuple with a key into a staging area. Waits until there is room.
    ///
    /// - `key`: a tensor of int64
    /// - `indices`: a tensor of int32
    /// - `values`: any number of tensors of any dtypes
    /// - `dtypes`: Dtypes of a tuple. Allowed: any dtype. Length at least 1.
    ///
    /// `fake_dtypes` is any dtype.
    pub fn ordered_map_stage(&self, key: impl Input, indices: impl Input, values: impl IntoIterator<Item = impl Input>, dtypes: &[DType]) -> OrderedMapStage<'_> {
        let mut node = Node::new(self, "OrderedMapStage").input(key).input(indices).list(values);
        node.set("dtypes", dtypes.to_vec());
        OrderedMapStage(node)
    }

    /// Takes tensors out of the tuple with a key. Waits until the tuple is complete.
    ///
    /// - `key`: a tensor of int64
    /// - `indices`: a tensor of int32
    /// - `dtypes`: Dtypes of a tuple. Allowed: any dtype. Length at least 1.
    ///
    /// It has no gradient.
    pub fn ordered_map_unstage(&self, key: impl Input, indices: impl Input, dtypes: &[DType]) -> OrderedMapUnstage<'_> {
        let mut node = Node::new(self, "OrderedMapUnstage").input(key).input(indices);
        node.set("dtypes", dtypes.to_vec());
        OrderedMapUnstage(node)
    }

    /// Takes tensors out of any tuple and returns its key. Waits until there is a complete tuple.
    ///
    /// - `indices`: a tensor of int32
    /// - `dtypes`: Dtypes of a tuple. Allowed: any dtype. Length at least 1.
    ///
    /// It has no gradient.
    pub fn ordered_map_unstage_no_key(&self, indices: impl Input, dtypes: &[DType]) -> OrderedMapUnstageNoKey<'_> {
        let mut node = Node::new(self, "OrderedMapUnstageNoKey").input(indices);
        node.set("dtypes", dtypes.to_vec());
        OrderedMapUnstageNoKey(node)
    }

    /// Creates a queue that returns elements in first-in, first-out order; its batches pad elements that differ in shape.
    ///
    /// - `component_types`: Dtypes of the components. Allowed: any dtype. Length at least 1.
    ///
    /// It has no gradient.
    pub fn padding_fifo_queue(&self, component_types: &[DType]) -> PaddingFIFOQueue<'_> {
        let mut node = Node::new(self, "PaddingFIFOQueue");
        node.set("component_types", component_types.to_vec());
        PaddingFIFOQueue(node)
    }

    /// Creates a queue that returns elements in first-in, first-out order; its batches pad elements that differ in shape.
    ///
    /// - `component_types`: Dtypes of the components. Allowed: any dtype. Length at least 1.
    ///
    /// It has no gradient.
    pub fn padding_fifo_queue_v2(&self, component_types: &[DType]) -> PaddingFIFOQueueV2<'_> {
        let mut node = Node::new(self, "PaddingFIFOQueueV2");
        node.set("component_types", component_types.to_vec());
        PaddingFIFOQueueV2(node)
    }

    /// Creates a queue whose elements start with an int64 priority; the element with the smallest priority leaves first.
    ///
    /// - `shapes`: Shapes of the components after the priority.
    ///
    /// It has no gradient.
    pub fn priority_queue(&self, shapes: &[PartialShape]) -> PriorityQueue<'_> {
        let mut node = Node::new(self, "PriorityQueue");
        node.set("shapes", shapes.to_vec());
        PriorityQueue(node)
    }

    /// Creates a queue whose elements start with an int64 priority; the element with the smallest priority leaves first.
    ///
    /// - `shapes`: Shapes of the components after the priority.
    ///
    /// It has no gradient.
    pub fn priority_queue_v2(&self, shapes: &[PartialShape]) -> PriorityQueueV2<'_> {
        let mut node = Node::new(self, "PriorityQueueV2");
        node.set("shapes", shapes.to_vec());
        PriorityQueueV2(node)
    }

    /// Closes a queue: further elements are refused, but the remaining ones can still be dequeued.
    ///
    /// - `handle`: a reference to a variable of string
    pub fn queue_close(&self, handle: impl Input) -> QueueClose<'_> {
        QueueClose(Node::new(self, "QueueClose").input(handle))
    }

    /// Closes a queue: further elements are refused, but the remaining ones can still be dequeued.
    ///
    /// - `handle`: a tensor of resource
    pub fn queue_close_v2(&self, handle: impl Input) -> QueueCloseV2<'_> {
        QueueCloseV2(Node::new(self, "QueueCloseV2").input(handle))
    }

    /// Takes an element out of a queue. Waits until there is one.
    ///
    /// - `handle`: a reference to a variable of string
    /// - `component_types`: Dtypes of the components. Allowed: any dtype. Length at least 1.
    ///
    /// It has no gradient.
    pub fn queue_dequeue(&self, handle: impl Input, component_types: &[DType]) -> QueueDequeue<'_> {
        let mut node = Node::new(self, "QueueDequeue").input(handle);
        node.set("component_types", component_types.to_vec());
        QueueDequeue(node)
    }

    /// Takes `n` elements out of a queue and returns them as a batch. Waits until there are enough.
    ///
    /// - `handle`: a reference to a variable of string
    /// - `n`: a tensor of int32
    /// - `component_types`: Dtypes of the components. Allowed: any dtype. Length at least 1.
    ///
    /// It has no gradient.
    pub fn queue_dequeue_many(&self, handle: impl Input, n: impl Input, component_types: &[DType]) -> QueueDequeueMany<'_> {
        let mut node = Node::new(self, "QueueDequeueMany").input(handle).input(n);
        node.set("component_types", component_types.to_vec());
        QueueDequeueMany(node)
    }

    /// Takes `n` elements out of a queue and returns them as a batch. Waits until there are enough.
    ///
    /// - `handle`: a tensor of resource
    /// - `n`: a tensor of int32
    /// - `component_types`: Dtypes of the components. Allowed: any dtype. Length at least 1.
    ///
    /// It has no gradient.
    pub fn queue_dequeue_many_v2(&self, handle: impl Input, n: impl Input, component_types: &[DType]) -> QueueDequeueManyV2<'_> {
        let mut node = Node::new(self, "QueueDequeueManyV2").input(handle).input(n);
        node.set("component_types", component_types.to_vec());
        QueueDequeueManyV2(node)
    }

    /// Like `QueueDequeueMany`, but returns the remaining elements if the queue is closed before there are `n`.
    ///
    /// - `handle`: a reference to a variable of string
    /// - `n`: a tensor of int32
    /// - `component_types`: Dtypes of the components. Allowed: any dtype. Length at least 1.
    ///
    /// It has no gradient.
    pub fn queue_dequeue_up_to(&self, handle: impl Input, n: impl Input, component_types: &[DType]) -> QueueDequeueUpTo<'_> {
        let mut node = Node::new(self, "QueueDequeueUpTo").input(handle).input(n);
        node.set("component_types", component_types.to_vec());
        QueueDequeueUpTo(node)
    }

    /// Like `QueueDequeueMany`, but returns the remaining elements if the queue is closed before there are `n`.
    ///
    /// - `handle`: a tensor of resource
    /// - `n`: a tensor of int32
    /// - `component_types`: Dtypes of the components. Allowed: any dtype. Length at least 1.
    ///
    /// It has no gradient.
    pub fn queue_dequeue_up_to_v2(&self, handle: impl Input, n: impl Input, component_types: &[DType]) -> QueueDequeueUpToV2<'_> {
        let mut node = Node::new(self, "QueueDequeueUpToV2").input(handle).input(n);
        node.set("component_types", component_types.to_vec());
        QueueDequeueUpToV2(node)
    }

    /// Takes an element out of a queue. Waits until there is one.
    ///
    /// - `handle`: a tensor of resource
    /// - `component_types`: Dtypes of the components. Allowed: any dtype. Length at least 1.
    ///
    /// It has no gradient.
    pub fn queue_dequeue_v2(&self, handle: impl Input, component_types: &[DType]) -> QueueDequeueV2<'_> {
        let mut node = Node::new(self, "QueueDequeueV2").input(handle);
        node.set("component_types", component_types.to_vec());
        QueueDequeueV2(node)
    }

    /// Adds an element to a queue. Waits until there is room.
    ///
    /// - `handle`: a reference to a variable of string
    /// - `components`: any number of tensors of any dtypes
    ///
    /// `Tcomponents` is any dtype.
    pub fn queue_enqueue(&self, handle: impl Input, components: impl IntoIterator<Item = impl Input>) -> QueueEnqueue<'_> {
        QueueEnqueue(Node::new(self, "QueueEnqueue").input(handle).list(components))
    }

    /// Adds the rows of the components to a queue, one element per row. Waits until there is room.
    ///
    /// - `handle`: a reference to a variable of string
    /// - `components`: any number of tensors of any dtypes
    ///
    /// `Tcomponents` is any dtype.
    pub fn queue_enqueue_many(&self, handle: impl Input, components: impl IntoIterator<Item = impl Input>) -> QueueEnqueueMany<'_> {
        QueueEnqueueMany(Node::new(self, "QueueEnqueueMany").input(handle).list(components))
    }

    /// Adds the rows of the components to a queue, one element per row. Waits until there is room.
    ///
    /// - `handle`: a tensor of resource
    /// - `components`: any number of tensors of any dtypes
    ///
    /// `Tcomponents` is any dtype.
    pub fn queue_enqueue_many_v2(&self, handle: impl Input, components: impl IntoIterator<Item = impl Input>) -> QueueEnqueueManyV2<'_> {
        QueueEnqueueManyV2(Node::new(self, "QueueEnqueueManyV2").input(handle).list(components))
    }

    /// Adds an element to a queue. Waits until there is room.
    ///
    /// - `handle`: a tensor of resource
    /// - `components`: any number of tensors of any dtypes
    ///
    /// `Tcomponents` is any dtype.
    pub fn queue_enqueue_v2(&self, handle: impl Input, components: impl IntoIterator<Item = impl Input>) -> QueueEnqueueV2<'_> {
        QueueEnqueueV2(Node::new(self, "QueueEnqueueV2").input(handle).list(components))
    }

    /// Returns whether a queue is closed.
    ///
    /// - `handle`: a reference to a variable of string
    ///
    /// It has no gradient.
    pub fn queue_is_closed(&self, handle: impl Input) -> QueueIsClosed<'_> {
        QueueIsClosed(Node::new(self, "QueueIsClosed").input(handle))
    }

    /// Returns whether a queue is closed.
    ///
    /// - `handle`: a tensor of resource
    ///
    /// It has no gradient.
    pub fn queue_is_closed_v2(&self, handle: impl Input) -> QueueIsClosedV2<'_> {
        QueueIsClosedV2(Node::new(self, "QueueIsClosedV2").input(handle))
    }

    /// Replaces the contents of a queue by what was saved.
    ///
    /// - `handle`: a reference to a variable of string
    /// - `state`: a tensor of int64
    /// - `elements`: a tensor of string
    pub fn queue_restore(&self, handle: impl Input, state: impl Input, elements: impl Input) -> QueueRestore<'_> {
        QueueRestore(Node::new(self, "QueueRestore").input(handle).input(state).input(elements))
    }

    /// Replaces the contents of a queue by what was saved.
    ///
    /// - `handle`: a tensor of resource
    /// - `state`: a tensor of int64
    /// - `elements`: a tensor of string
    pub fn queue_restore_v2(&self, handle: impl Input, state: impl Input, elements: impl Input) -> QueueRestoreV2<'_> {
        QueueRestoreV2(Node::new(self, "QueueRestoreV2").input(handle).input(state).input(elements))
    }

    /// Returns the contents of a queue without removing them: the state, and each component of each element as a `TensorProto` message.
    ///
    /// - `handle`: a reference to a variable of string
    ///
    /// It has no gradient.
    pub fn queue_save(&self, handle: impl Input) -> QueueSave<'_> {
        QueueSave(Node::new(self, "QueueSave").input(handle))
    }

    /// Returns the contents of a queue without removing them: the state, and each component of each element as a `TensorProto` message.
    ///
    /// - `handle`: a tensor of resource
    ///
    /// It has no gradient.
    pub fn queue_save_v2(&self, handle: impl Input) -> QueueSaveV2<'_> {
        QueueSaveV2(Node::new(self, "QueueSaveV2").input(handle))
    }

    /// Returns the number of elements in a queue.
    ///
    /// - `handle`: a reference to a variable of string
    ///
    /// It has no gradient.
    pub fn queue_size(&self, handle: impl Input) -> QueueSize<'_> {
        QueueSize(Node::new(self, "QueueSize").input(handle))
    }

    /// Returns the number of elements in a queue.
    ///
    /// - `handle`: a tensor of resource
    ///
    /// It has no gradient.
    pub fn queue_size_v2(&self, handle: impl Input) -> QueueSizeV2<'_> {
        QueueSizeV2(Node::new(self, "QueueSizeV2").input(handle))
    }

    /// Creates a queue that returns elements in random order.
    ///
    /// - `component_types`: Dtypes of the components. Allowed: any dtype. Length at least 1.
    ///
    /// It has no gradient.
    pub fn random_shuffle_queue(&self, component_types: &[DType]) -> RandomShuffleQueue<'_> {
        let mut node = Node::new(self, "RandomShuffleQueue");
        node.set("component_types", component_types.to_vec());
        RandomShuffleQueue(node)
    }

    /// Creates a queue that returns elements in random order.
    ///
    /// - `component_types`: Dtypes of the components. Allowed: any dtype. Length at least 1.
    ///
    /// It has no gradient.
    pub fn random_shuffle_queue_v2(&self, component_types: &[DType]) -> RandomShuffleQueueV2<'_> {
        let mut node = Node::new(self, "RandomShuffleQueueV2");
        node.set("component_types", component_types.to_vec());
        RandomShuffleQueueV2(node)
    }

    /// Adds a gradient to an accumulator, unless it belongs to an earlier step.
    ///
    /// - `handle`: a tensor of resource
    /// - `local_step`: a tensor of int64
    /// - `gradient`: a tensor of `dtype`
    ///
    /// `dtype` is any number, also quantized.
    pub fn resource_accumulator_apply_gradient(&self, handle: impl Input, local_step: impl Input, gradient: impl Input) -> ResourceAccumulatorApplyGradient<'_> {
        ResourceAccumulatorApplyGradient(Node::new(self, "ResourceAccumulatorApplyGradient").input(handle).input(local_step).input(gradient))
    }

    /// Returns the number of gradients added since the sum was last taken.
    ///
    /// - `handle`: a tensor of resource
    ///
    /// It has no gradient.
    pub fn resource_accumulator_num_accumulated(&self, handle: impl Input) -> ResourceAccumulatorNumAccumulated<'_> {
        ResourceAccumulatorNumAccumulated(Node::new(self, "ResourceAccumulatorNumAccumulated").input(handle))
    }

    /// Sets the global step of an accumulator; gradients of earlier steps are dropped.
    ///
    /// - `handle`: a tensor of resource
    /// - `new_global_step`: a tensor of int64
    pub fn resource_accumulator_set_global_step(&self, handle: impl Input, new_global_step: impl Input) -> ResourceAccumulatorSetGlobalStep<'_> {
        ResourceAccumulatorSetGlobalStep(Node::new(self, "ResourceAccumulatorSetGlobalStep").input(handle).input(new_global_step))
    }

    /// Takes the sum or mean of the gradients out of an accumulator. Waits until there are `num_required` of them.
    ///
    /// - `handle`: a tensor of resource
    /// - `num_required`: a tensor of int32
    /// - `dtype`: Element type. Allowed: any number, also quantized.
    ///
    /// It has no gradient.
    pub fn resource_accumulator_take_gradient(&self, handle: impl Input, num_required: impl Input, dtype: DType) -> ResourceAccumulatorTakeGradient<'_> {
        let mut node = Node::new(self, "ResourceAccumulatorTakeGradient").input(handle).input(num_required);
        node.set("dtype", dtype);
        ResourceAccumulatorTakeGradient(node)
    }

    /// Creates an accumulator of dense gradients.
    ///
    /// - `dtype`: Element type of the gradients. Allowed: any number, also quantized.
    /// - `shape`: Statically known shape of the gradients.
    ///
    /// It has no gradient.
    pub fn resource_conditional_accumulator(&self, dtype: DType, shape: impl Into<PartialShape>) -> ResourceConditionalAccumulator<'_> {
        let mut node = Node::new(self, "ResourceConditionalAccumulator");
        node.set("dtype", dtype);
        node.set("shape", Into::<PartialShape>::into(shape));
        ResourceConditionalAccumulator(node)
    }

    /// Adds a sparse gradient to an accumulator, unless it belongs to an earlier step.
    ///
    /// - `handle`: a reference to a variable of string
    /// - `local_step`: a tensor of int64
    /// - `gradient_indices`: a tensor of int64
    /// - `gradient_values`: a tensor of `dtype`
    /// - `gradient_shape`: a tensor of int64
    /// - `has_known_shape`: Whether `gradient_shape` is the shape of the dense gradient.
    ///
    /// `dtype` is any number, also quantized.
    pub fn sparse_accumulator_apply_gradient(&self, handle: impl Input, local_step: impl Input, gradient_indices: impl Input, gradient_values: impl Input, gradient_shape: impl Input, has_known_shape: bool) -> SparseAccumulatorApplyGradient<'_> {
        let mut node = Node::new(self, "SparseAccumulatorApplyGradient").input(handle).input(local_step).input(gradient_indices).input(gradient_values).input(gradient_shape);
        node.set("has_known_shape", has_known_shape);
        SparseAccumulatorApplyGradient(node)
    }

    /// Takes the sum or mean of the gradients out of an accumulator. Waits until there are `num_required` of them.
    ///
    /// - `handle`: a reference to a variable of string
    /// - `num_required`: a tensor of int32
    /// - `dtype`: Element type. Allowed: any number, also quantized.
    ///
    /// It has no gradient.
    pub fn sparse_accumulator_take_gradient(&self, handle: impl Input, num_required: impl Input, dtype: DType) -> SparseAccumulatorTakeGradient<'_> {
        let mut node = Node::new(self, "SparseAccumulatorTakeGradient").input(handle).input(num_required);
        node.set("dtype", dtype);
        SparseAccumulatorTakeGradient(node)
    }

    /// Creates an accumulator of sparse gradients, of which only some rows are given.
    ///
    /// - `dtype`: Element type of the gradients. Allowed: any number, also quantized.
    /// - `shape`: Statically known shape of the gradients.
    ///
    /// It has no gradient.
    pub fn sparse_conditional_accumulator(&self, dtype: DType, shape: impl Into<PartialShape>) -> SparseConditionalAccumulator<'_> {
        let mut node = Node::new(self, "SparseConditionalAccumulator");
        node.set("dtype", dtype);
        node.set("shape", Into::<PartialShape>::into(shape));
        SparseConditionalAccumulator(node)
    }

    /// Puts a tuple into a staging area. Waits until there is room.
    ///
    /// - `values`: any number of tensors of any dtypes
    ///
    /// `dtypes` is any dtype.
    pub fn stage(&self, values: impl IntoIterator<Item = impl Input>) -> Stage<'_> {
        Stage(Node::new(self, "Stage").list(values))
    }

    /// Removes all tuples from a staging area.
    pub fn stage_clear(&self) -> StageClear<'_> {
        StageClear(Node::new(self, "StageClear"))
    }

    /// Returns the tuple at `index` without removing it. Waits until there is one.
    ///
    /// - `index`: a tensor of int32
    /// - `dtypes`: Dtypes of a tuple. Allowed: any dtype. Length at least 1.
    ///
    /// It has no gradient.
    pub fn stage_peek(&self, index: impl Input, dtypes: &[DType]) -> StagePeek<'_> {
        let mut node = Node::new(self, "StagePeek").input(index);
        node.set("dtypes", dtypes.to_vec());
        StagePeek(node)
    }

    /// Returns the number of tuples in a staging area.
    ///
    /// It has no gradient.
    pub fn stage_size(&self) -> StageSize<'_> {
        StageSize(Node::new(self, "StageSize"))
    }

    /// Takes the oldest tuple out of a staging area. Waits until there is one.
    ///
    /// - `dtypes`: Dtypes of a tuple. Allowed: any dtype. Length at least 1.
    ///
    /// It has no gradient.
    pub fn unstage(&self, dtypes: &[DType]) -> Unstage<'_> {
        let mut node = Node::new(self, "Unstage");
        node.set("dtypes", dtypes.to_vec());
        Unstage(node)
    }
}

/// A node of [`AccumulatorApplyGradient`](Ops::accumulator_apply_gradient) that is being described.
#[must_use = "it is no node before it is added"]
pub struct AccumulatorApplyGradient<'a>(Node<'a>);

/// A node of [`AccumulatorNumAccumulated`](Ops::accumulator_num_accumulated) that is being described.
#[must_use = "it is no node before it is added"]
pub struct AccumulatorNumAccumulated<'a>(Node<'a>);

/// A node of [`AccumulatorSetGlobalStep`](Ops::accumulator_set_global_step) that is being described.
#[must_use = "it is no node before it is added"]
pub struct AccumulatorSetGlobalStep<'a>(Node<'a>);

/// A node of [`AccumulatorTakeGradient`](Ops::accumulator_take_gradient) that is being described.
#[must_use = "it is no node before it is added"]
pub struct AccumulatorTakeGradient<'a>(Node<'a>);

/// A node of [`Barrier`](Ops::barrier) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Barrier<'a>(Node<'a>);

impl Barrier<'_> {
    /// Shapes of the components; empty if they may have any shape. Default: none.
    pub fn shapes(mut self, shapes: &[PartialShape]) -> Self {
        self.0.set("shapes", shapes.to_vec());
        self
    }

    /// Maximum number of tuples; must be -1, for no limit. Default: `-1`.
    pub fn capacity(mut self, capacity: i64) -> Self {
        self.0.set("capacity", capacity);
        self
    }

    /// Container that holds the barrier; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }
}

/// A node of [`BarrierClose`](Ops::barrier_close) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BarrierClose<'a>(Node<'a>);

impl BarrierClose<'_> {
    /// Whether incomplete tuples are discarded. Default: `false`.
    pub fn cancel_pending_enqueues(mut self, cancel_pending_enqueues: bool) -> Self {
        self.0.set("cancel_pending_enqueues", cancel_pending_enqueues);
        self
    }
}

/// A node of [`BarrierIncompleteSize`](Ops::barrier_incomplete_size) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BarrierIncompleteSize<'a>(Node<'a>);

/// A node of [`BarrierInsertMany`](Ops::barrier_insert_many) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BarrierInsertMany<'a>(Node<'a>);

/// A node of [`BarrierReadySize`](Ops::barrier_ready_size) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BarrierReadySize<'a>(Node<'a>);

/// A node of [`BarrierTakeMany`](Ops::barrier_take_many) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BarrierTakeMany<'a>(Node<'a>);

impl BarrierTakeMany<'_> {
    /// Whether fewer tuples may be returned once the barrier is closed. Default: `false`.
    pub fn allow_small_batch(mut self, allow_small_batch: bool) -> Self {
        self.0.set("allow_small_batch", allow_small_batch);
        self
    }

    /// Has no effect, as in TensorFlow. Default: `false`.
    pub fn wait_for_incomplete(mut self, wait_for_incomplete: bool) -> Self {
        self.0.set("wait_for_incomplete", wait_for_incomplete);
        self
    }

    /// Timeout; must be -1, for none. Default: `-1`.
    pub fn timeout_ms(mut self, timeout_ms: i64) -> Self {
        self.0.set("timeout_ms", timeout_ms);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> BarrierTakeManyOutputs {
        let mut outputs = self.0.outputs();
        BarrierTakeManyOutputs { indices: outputs.one(), keys: outputs.one(), values: outputs.list() }
    }
}

/// The outputs of [`BarrierTakeMany`](Ops::barrier_take_many).
#[derive(Clone, Debug)]
pub struct BarrierTakeManyOutputs {
    /// A tensor of int64.
    pub indices: Output,
    /// A tensor of string.
    pub keys: Output,
    /// Any number of tensors of any dtypes.
    pub values: Vec<Output>,
}

/// A node of [`CollectiveAllToAllV2`](Ops::collective_all_to_all_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CollectiveAllToAllV2<'a>(Node<'a>);

impl CollectiveAllToAllV2<'_> {
    /// Has no effect. Default: `"auto"`.
    pub fn communication_hint(mut self, communication_hint: impl AsRef<[u8]>) -> Self {
        self.0.set("communication_hint", string(communication_hint));
        self
    }

    /// Has no effect: a group that cannot become complete is detected immediately. Default: `0.0`.
    pub fn timeout_seconds(mut self, timeout_seconds: f32) -> Self {
        self.0.set("timeout_seconds", timeout_seconds);
        self
    }

    /// Has no effect. Default: `false`.
    pub fn is_stateless(mut self, is_stateless: bool) -> Self {
        self.0.set("is_stateless", is_stateless);
        self
    }
}

/// A node of [`CollectiveAssignGroupV2`](Ops::collective_assign_group_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CollectiveAssignGroupV2<'a>(Node<'a>);

impl CollectiveAssignGroupV2<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> CollectiveAssignGroupV2Outputs {
        let mut outputs = self.0.outputs();
        CollectiveAssignGroupV2Outputs { group_size: outputs.one(), group_key: outputs.one() }
    }
}

/// The outputs of [`CollectiveAssignGroupV2`](Ops::collective_assign_group_v2).
#[derive(Clone, Copy, Debug)]
pub struct CollectiveAssignGroupV2Outputs {
    /// A tensor of int32.
    pub group_size: Output,
    /// A tensor of int32.
    pub group_key: Output,
}

/// A node of [`CollectiveBcastRecv`](Ops::collective_bcast_recv) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CollectiveBcastRecv<'a>(Node<'a>);

impl CollectiveBcastRecv<'_> {
    /// Has no effect. Default: `"auto"`.
    pub fn communication_hint(mut self, communication_hint: impl AsRef<[u8]>) -> Self {
        self.0.set("communication_hint", string(communication_hint));
        self
    }

    /// Has no effect: a group that cannot become complete is detected immediately. Default: `0.0`.
    pub fn timeout_seconds(mut self, timeout_seconds: f32) -> Self {
        self.0.set("timeout_seconds", timeout_seconds);
        self
    }
}

/// A node of [`CollectiveBcastRecvV2`](Ops::collective_bcast_recv_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CollectiveBcastRecvV2<'a>(Node<'a>);

impl CollectiveBcastRecvV2<'_> {
    /// Has no effect. Default: `"auto"`.
    pub fn communication_hint(mut self, communication_hint: impl AsRef<[u8]>) -> Self {
        self.0.set("communication_hint", string(communication_hint));
        self
    }

    /// Has no effect: a group that cannot become complete is detected immediately. Default: `0.0`.
    pub fn timeout_seconds(mut self, timeout_seconds: f32) -> Self {
        self.0.set("timeout_seconds", timeout_seconds);
        self
    }
}

/// A node of [`CollectiveBcastSend`](Ops::collective_bcast_send) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CollectiveBcastSend<'a>(Node<'a>);

impl CollectiveBcastSend<'_> {
    /// Has no effect. Default: `"auto"`.
    pub fn communication_hint(mut self, communication_hint: impl AsRef<[u8]>) -> Self {
        self.0.set("communication_hint", string(communication_hint));
        self
    }

    /// Has no effect: a group that cannot become complete is detected immediately. Default: `0.0`.
    pub fn timeout_seconds(mut self, timeout_seconds: f32) -> Self {
        self.0.set("timeout_seconds", timeout_seconds);
        self
    }
}

/// A node of [`CollectiveBcastSendV2`](Ops::collective_bcast_send_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CollectiveBcastSendV2<'a>(Node<'a>);

impl CollectiveBcastSendV2<'_> {
    /// Has no effect. Default: `"auto"`.
    pub fn communication_hint(mut self, communication_hint: impl AsRef<[u8]>) -> Self {
        self.0.set("communication_hint", string(communication_hint));
        self
    }

    /// Has no effect: a group that cannot become complete is detected immediately. Default: `0.0`.
    pub fn timeout_seconds(mut self, timeout_seconds: f32) -> Self {
        self.0.set("timeout_seconds", timeout_seconds);
        self
    }
}

/// A node of [`CollectiveGather`](Ops::collective_gather) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CollectiveGather<'a>(Node<'a>);

impl CollectiveGather<'_> {
    /// Has no effect. Default: `"auto"`.
    pub fn communication_hint(mut self, communication_hint: impl AsRef<[u8]>) -> Self {
        self.0.set("communication_hint", string(communication_hint));
        self
    }

    /// Has no effect: a group that cannot become complete is detected immediately. Default: `0.0`.
    pub fn timeout_seconds(mut self, timeout_seconds: f32) -> Self {
        self.0.set("timeout_seconds", timeout_seconds);
        self
    }
}

/// A node of [`CollectiveGatherV2`](Ops::collective_gather_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CollectiveGatherV2<'a>(Node<'a>);

impl CollectiveGatherV2<'_> {
    /// Has no effect. Default: `"auto"`.
    pub fn communication_hint(mut self, communication_hint: impl AsRef<[u8]>) -> Self {
        self.0.set("communication_hint", string(communication_hint));
        self
    }

    /// Has no effect: a group that cannot become complete is detected immediately. Default: `0.0`.
    pub fn timeout_seconds(mut self, timeout_seconds: f32) -> Self {
        self.0.set("timeout_seconds", timeout_seconds);
        self
    }

    /// Has no effect. Default: `false`.
    pub fn is_stateless(mut self, is_stateless: bool) -> Self {
        self.0.set("is_stateless", is_stateless);
        self
    }
}

/// A node of [`CollectiveReduce`](Ops::collective_reduce) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CollectiveReduce<'a>(Node<'a>);

impl CollectiveReduce<'_> {
    /// Has no effect. Default: `[]`.
    pub fn wait_for(mut self, wait_for: &[i64]) -> Self {
        self.0.set("wait_for", wait_for.to_vec());
        self
    }

    /// Has no effect. Default: `"auto"`.
    pub fn communication_hint(mut self, communication_hint: impl AsRef<[u8]>) -> Self {
        self.0.set("communication_hint", string(communication_hint));
        self
    }

    /// Has no effect: a group that cannot become complete is detected immediately. Default: `0.0`.
    pub fn timeout_seconds(mut self, timeout_seconds: f32) -> Self {
        self.0.set("timeout_seconds", timeout_seconds);
        self
    }
}

/// A node of [`CollectiveReduceV2`](Ops::collective_reduce_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CollectiveReduceV2<'a>(Node<'a>);

impl CollectiveReduceV2<'_> {
    /// Has no effect. Default: `"auto"`.
    pub fn communication_hint(mut self, communication_hint: impl AsRef<[u8]>) -> Self {
        self.0.set("communication_hint", string(communication_hint));
        self
    }

    /// Has no effect: a group that cannot become complete is detected immediately. Default: `0.0`.
    pub fn timeout_seconds(mut self, timeout_seconds: f32) -> Self {
        self.0.set("timeout_seconds", timeout_seconds);
        self
    }

    /// Has no effect. Default: `false`.
    pub fn is_stateless(mut self, is_stateless: bool) -> Self {
        self.0.set("is_stateless", is_stateless);
        self
    }

    /// Has no effect. Default: `-1`.
    pub fn max_subdivs_per_device(mut self, max_subdivs_per_device: i64) -> Self {
        self.0.set("max_subdivs_per_device", max_subdivs_per_device);
        self
    }
}

/// A node of [`ConditionalAccumulator`](Ops::conditional_accumulator) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ConditionalAccumulator<'a>(Node<'a>);

impl ConditionalAccumulator<'_> {
    /// Container that holds the accumulator; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }

    /// `MEAN` or `SUM`. One of `"MEAN"`, `"SUM"`. Default: `"MEAN"`.
    pub fn reduction_type(mut self, reduction_type: impl AsRef<[u8]>) -> Self {
        self.0.set("reduction_type", string(reduction_type));
        self
    }
}

/// A node of [`ConsumeMutexLock`](Ops::consume_mutex_lock) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ConsumeMutexLock<'a>(Node<'a>);

/// A node of [`FIFOQueue`](Ops::fifo_queue) that is being described.
#[must_use = "it is no node before it is added"]
pub struct FIFOQueue<'a>(Node<'a>);

impl FIFOQueue<'_> {
    /// Maximum number of elements; negative for no limit. Default: `-1`.
    pub fn capacity(mut self, capacity: i64) -> Self {
        self.0.set("capacity", capacity);
        self
    }

    /// Container that holds the queue; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }

    /// Shapes of the components; empty if they may have any shape. Default: none.
    pub fn shapes(mut self, shapes: &[PartialShape]) -> Self {
        self.0.set("shapes", shapes.to_vec());
        self
    }
}

/// A node of [`FIFOQueueV2`](Ops::fifo_queue_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct FIFOQueueV2<'a>(Node<'a>);

impl FIFOQueueV2<'_> {
    /// Maximum number of elements; negative for no limit. Default: `-1`.
    pub fn capacity(mut self, capacity: i64) -> Self {
        self.0.set("capacity", capacity);
        self
    }

    /// Container that holds the queue; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }

    /// Shapes of the components; empty if they may have any shape. Default: none.
    pub fn shapes(mut self, shapes: &[PartialShape]) -> Self {
        self.0.set("shapes", shapes.to_vec());
        self
    }
}

/// A node of [`MapClear`](Ops::map_clear) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MapClear<'a>(Node<'a>);

impl MapClear<'_> {
    /// Maximum number of tuples; 0 for no limit. At least 0. Default: `0`.
    pub fn capacity(mut self, capacity: i64) -> Self {
        self.0.set("capacity", capacity);
        self
    }

    /// Maximum number of bytes; 0 for no limit. At least 0. Default: `0`.
    pub fn memory_limit(mut self, memory_limit: i64) -> Self {
        self.0.set("memory_limit", memory_limit);
        self
    }

    /// Container that holds the area; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }
}

/// A node of [`MapIncompleteSize`](Ops::map_incomplete_size) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MapIncompleteSize<'a>(Node<'a>);

impl MapIncompleteSize<'_> {
    /// Maximum number of tuples; 0 for no limit. At least 0. Default: `0`.
    pub fn capacity(mut self, capacity: i64) -> Self {
        self.0.set("capacity", capacity);
        self
    }

    /// Maximum number of bytes; 0 for no limit. At least 0. Default: `0`.
    pub fn memory_limit(mut self, memory_limit: i64) -> Self {
        self.0.set("memory_limit", memory_limit);
        self
    }

    /// Container that holds the area; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }
}

/// A node of [`MapPeek`](Ops::map_peek) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MapPeek<'a>(Node<'a>);

impl MapPeek<'_> {
    /// Maximum number of tuples; 0 for no limit. At least 0. Default: `0`.
    pub fn capacity(mut self, capacity: i64) -> Self {
        self.0.set("capacity", capacity);
        self
    }

    /// Maximum number of bytes; 0 for no limit. At least 0. Default: `0`.
    pub fn memory_limit(mut self, memory_limit: i64) -> Self {
        self.0.set("memory_limit", memory_limit);
        self
    }

    /// Container that holds the area; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`MapSize`](Ops::map_size) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MapSize<'a>(Node<'a>);

impl MapSize<'_> {
    /// Maximum number of tuples; 0 for no limit. At least 0. Default: `0`.
    pub fn capacity(mut self, capacity: i64) -> Self {
        self.0.set("capacity", capacity);
        self
    }

    /// Maximum number of bytes; 0 for no limit. At least 0. Default: `0`.
    pub fn memory_limit(mut self, memory_limit: i64) -> Self {
        self.0.set("memory_limit", memory_limit);
        self
    }

    /// Container that holds the area; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }
}

/// A node of [`MapStage`](Ops::map_stage) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MapStage<'a>(Node<'a>);

impl MapStage<'_> {
    /// Maximum number of tuples; 0 for no limit. At least 0. Default: `0`.
    pub fn capacity(mut self, capacity: i64) -> Self {
        self.0.set("capacity", capacity);
        self
    }

    /// Maximum number of bytes; 0 for no limit. At least 0. Default: `0`.
    pub fn memory_limit(mut self, memory_limit: i64) -> Self {
        self.0.set("memory_limit", memory_limit);
        self
    }

    /// Container that holds the area; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }
}

/// A node of [`MapUnstage`](Ops::map_unstage) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MapUnstage<'a>(Node<'a>);

impl MapUnstage<'_> {
    /// Maximum number of tuples; 0 for no limit. At least 0. Default: `0`.
    pub fn capacity(mut self, capacity: i64) -> Self {
        self.0.set("capacity", capacity);
        self
    }

    /// Maximum number of bytes; 0 for no limit. At least 0. Default: `0`.
    pub fn memory_limit(mut self, memory_limit: i64) -> Self {
        self.0.set("memory_limit", memory_limit);
        self
    }

    /// Container that holds the area; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`MapUnstageNoKey`](Ops::map_unstage_no_key) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MapUnstageNoKey<'a>(Node<'a>);

impl MapUnstageNoKey<'_> {
    /// Maximum number of tuples; 0 for no limit. At least 0. Default: `0`.
    pub fn capacity(mut self, capacity: i64) -> Self {
        self.0.set("capacity", capacity);
        self
    }

    /// Maximum number of bytes; 0 for no limit. At least 0. Default: `0`.
    pub fn memory_limit(mut self, memory_limit: i64) -> Self {
        self.0.set("memory_limit", memory_limit);
        self
    }

    /// Container that holds the area; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> MapUnstageNoKeyOutputs {
        let mut outputs = self.0.outputs();
        MapUnstageNoKeyOutputs { key: outputs.one(), values: outputs.list() }
    }
}

/// The outputs of [`MapUnstageNoKey`](Ops::map_unstage_no_key).
#[derive(Clone, Debug)]
pub struct MapUnstageNoKeyOutputs {
    /// A tensor of int64.
    pub key: Output,
    /// Any number of tensors of any dtypes.
    pub values: Vec<Output>,
}

/// A node of [`MutexLock`](Ops::mutex_lock) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MutexLock<'a>(Node<'a>);

/// A node of [`MutexV2`](Ops::mutex_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MutexV2<'a>(Node<'a>);

impl MutexV2<'_> {
    /// Container that holds the mutex; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }
}

/// A node of [`NcclAllReduce`](Ops::nccl_all_reduce) that is being described.
#[must_use = "it is no node before it is added"]
pub struct NcclAllReduce<'a>(Node<'a>);

/// A node of [`NcclBroadcast`](Ops::nccl_broadcast) that is being described.
#[must_use = "it is no node before it is added"]
pub struct NcclBroadcast<'a>(Node<'a>);

/// A node of [`NcclReduce`](Ops::nccl_reduce) that is being described.
#[must_use = "it is no node before it is added"]
pub struct NcclReduce<'a>(Node<'a>);

/// A node of [`OrderedEnqueue`](Ops::ordered_enqueue) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OrderedEnqueue<'a>(Node<'a>);

impl OrderedEnqueue<'_> {
    /// Whether the components are batches of elements. Default: `false`.
    pub fn many(mut self, many: bool) -> Self {
        self.0.set("many", many);
        self
    }
}

/// A node of [`OrderedEnter`](Ops::ordered_enter) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OrderedEnter<'a>(Node<'a>);

impl OrderedEnter<'_> {
    /// Index of the lane. At least 0. Default: `0`.
    pub fn lane(mut self, lane: i64) -> Self {
        self.0.set("lane", lane);
        self
    }

    /// Number of lanes. At least 1. Default: `1`.
    pub fn lanes(mut self, lanes: i64) -> Self {
        self.0.set("lanes", lanes);
        self
    }

    /// Container that holds the order; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }
}

/// A node of [`OrderedLeave`](Ops::ordered_leave) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OrderedLeave<'a>(Node<'a>);

/// A node of [`OrderedMapClear`](Ops::ordered_map_clear) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OrderedMapClear<'a>(Node<'a>);

impl OrderedMapClear<'_> {
    /// Maximum number of tuples; 0 for no limit. At least 0. Default: `0`.
    pub fn capacity(mut self, capacity: i64) -> Self {
        self.0.set("capacity", capacity);
        self
    }

    /// Maximum number of bytes; 0 for no limit. At least 0. Default: `0`.
    pub fn memory_limit(mut self, memory_limit: i64) -> Self {
        self.0.set("memory_limit", memory_limit);
        self
    }

    /// Container that holds the area; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }
}

/// A node of [`OrderedMapIncompleteSize`](Ops::ordered_map_incomplete_size) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OrderedMapIncompleteSize<'a>(Node<'a>);

impl OrderedMapIncompleteSize<'_> {
    /// Maximum number of tuples; 0 for no limit. At least 0. Default: `0`.
    pub fn capacity(mut self, capacity: i64) -> Self {
        self.0.set("capacity", capacity);
        self
    }

    /// Maximum number of bytes; 0 for no limit. At least 0. Default: `0`.
    pub fn memory_limit(mut self, memory_limit: i64) -> Self {
        self.0.set("memory_limit", memory_limit);
        self
    }

    /// Container that holds the area; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }
}

/// A node of [`OrderedMapPeek`](Ops::ordered_map_peek) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OrderedMapPeek<'a>(Node<'a>);

impl OrderedMapPeek<'_> {
    /// Maximum number of tuples; 0 for no limit. At least 0. Default: `0`.
    pub fn capacity(mut self, capacity: i64) -> Self {
        self.0.set("capacity", capacity);
        self
    }

    /// Maximum number of bytes; 0 for no limit. At least 0. Default: `0`.
    pub fn memory_limit(mut self, memory_limit: i64) -> Self {
        self.0.set("memory_limit", memory_limit);
        self
    }

    /// Container that holds the area; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`OrderedMapSize`](Ops::ordered_map_size) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OrderedMapSize<'a>(Node<'a>);

impl OrderedMapSize<'_> {
    /// Maximum number of tuples; 0 for no limit. At least 0. Default: `0`.
    pub fn capacity(mut self, capacity: i64) -> Self {
        self.0.set("capacity", capacity);
        self
    }

    /// Maximum number of bytes; 0 for no limit. At least 0. Default: `0`.
    pub fn memory_limit(mut self, memory_limit: i64) -> Self {
        self.0.set("memory_limit", memory_limit);
        self
    }

    /// Container that holds the area; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }
}

/// A node of [`OrderedMapStage`](Ops::ordered_map_stage) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OrderedMapStage<'a>(Node<'a>);

impl OrderedMapStage<'_> {
    /// Maximum number of tuples; 0 for no limit. At least 0. Default: `0`.
    pub fn capacity(mut self, capacity: i64) -> Self {
        self.0.set("capacity", capacity);
        self
    }

    /// Maximum number of bytes; 0 for no limit. At least 0. Default: `0`.
    pub fn memory_limit(mut self, memory_limit: i64) -> Self {
        self.0.set("memory_limit", memory_limit);
        self
    }

    /// Container that holds the area; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }
}

/// A node of [`OrderedMapUnstage`](Ops::ordered_map_unstage) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OrderedMapUnstage<'a>(Node<'a>);

impl OrderedMapUnstage<'_> {
    /// Maximum number of tuples; 0 for no limit. At least 0. Default: `0`.
    pub fn capacity(mut self, capacity: i64) -> Self {
        self.0.set("capacity", capacity);
        self
    }

    /// Maximum number of bytes; 0 for no limit. At least 0. Default: `0`.
    pub fn memory_limit(mut self, memory_limit: i64) -> Self {
        self.0.set("memory_limit", memory_limit);
        self
    }

    /// Container that holds the area; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`OrderedMapUnstageNoKey`](Ops::ordered_map_unstage_no_key) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OrderedMapUnstageNoKey<'a>(Node<'a>);

impl OrderedMapUnstageNoKey<'_> {
    /// Maximum number of tuples; 0 for no limit. At least 0. Default: `0`.
    pub fn capacity(mut self, capacity: i64) -> Self {
        self.0.set("capacity", capacity);
        self
    }

    /// Maximum number of bytes; 0 for no limit. At least 0. Default: `0`.
    pub fn memory_limit(mut self, memory_limit: i64) -> Self {
        self.0.set("memory_limit", memory_limit);
        self
    }

    /// Container that holds the area; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> OrderedMapUnstageNoKeyOutputs {
        let mut outputs = self.0.outputs();
        OrderedMapUnstageNoKeyOutputs { key: outputs.one(), values: outputs.list() }
    }
}

/// The outputs of [`OrderedMapUnstageNoKey`](Ops::ordered_map_unstage_no_key).
#[derive(Clone, Debug)]
pub struct OrderedMapUnstageNoKeyOutputs {
    /// A tensor of int64.
    pub key: Output,
    /// Any number of tensors of any dtypes.
    pub values: Vec<Output>,
}

/// A node of [`PaddingFIFOQueue`](Ops::padding_fifo_queue) that is being described.
#[must_use = "it is no node before it is added"]
pub struct PaddingFIFOQueue<'a>(Node<'a>);

impl PaddingFIFOQueue<'_> {
    /// Maximum number of elements; negative for no limit. Default: `-1`.
    pub fn capacity(mut self, capacity: i64) -> Self {
        self.0.set("capacity", capacity);
        self
    }

    /// Container that holds the queue; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }

    /// Shapes of the components; empty if they may have any shape. Default: none.
    pub fn shapes(mut self, shapes: &[PartialShape]) -> Self {
        self.0.set("shapes", shapes.to_vec());
        self
    }
}

/// A node of [`PaddingFIFOQueueV2`](Ops::padding_fifo_queue_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct PaddingFIFOQueueV2<'a>(Node<'a>);

impl PaddingFIFOQueueV2<'_> {
    /// Maximum number of elements; negative for no limit. Default: `-1`.
    pub fn capacity(mut self, capacity: i64) -> Self {
        self.0.set("capacity", capacity);
        self
    }

    /// Container that holds the queue; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }

    /// Shapes of the components; empty if they may have any shape. Default: none.
    pub fn shapes(mut self, shapes: &[PartialShape]) -> Self {
        self.0.set("shapes", shapes.to_vec());
        self
    }
}

/// A node of [`PriorityQueue`](Ops::priority_queue) that is being described.
#[must_use = "it is no node before it is added"]
pub struct PriorityQueue<'a>(Node<'a>);

impl PriorityQueue<'_> {
    /// Maximum number of elements; negative for no limit. Default: `-1`.
    pub fn capacity(mut self, capacity: i64) -> Self {
        self.0.set("capacity", capacity);
        self
    }

    /// Container that holds the queue; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }

    /// Dtypes of the components after the priority. Allowed: any dtype. Default: none.
    pub fn component_types(mut self, component_types: &[DType]) -> Self {
        self.0.set("component_types", component_types.to_vec());
        self
    }
}

/// A node of [`PriorityQueueV2`](Ops::priority_queue_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct PriorityQueueV2<'a>(Node<'a>);

impl PriorityQueueV2<'_> {
    /// Maximum number of elements; negative for no limit. Default: `-1`.
    pub fn capacity(mut self, capacity: i64) -> Self {
        self.0.set("capacity", capacity);
        self
    }

    /// Container that holds the queue; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }

    /// Dtypes of the components after the priority. Allowed: any dtype. Default: none.
    pub fn component_types(mut self, component_types: &[DType]) -> Self {
        self.0.set("component_types", component_types.to_vec());
        self
    }
}

/// A node of [`QueueClose`](Ops::queue_close) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QueueClose<'a>(Node<'a>);

impl QueueClose<'_> {
    /// Whether pending enqueues are cancelled instead of completed first. Default: `false`.
    pub fn cancel_pending_enqueues(mut self, cancel_pending_enqueues: bool) -> Self {
        self.0.set("cancel_pending_enqueues", cancel_pending_enqueues);
        self
    }
}

/// A node of [`QueueCloseV2`](Ops::queue_close_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QueueCloseV2<'a>(Node<'a>);

impl QueueCloseV2<'_> {
    /// Whether pending enqueues are cancelled instead of completed first. Default: `false`.
    pub fn cancel_pending_enqueues(mut self, cancel_pending_enqueues: bool) -> Self {
        self.0.set("cancel_pending_enqueues", cancel_pending_enqueues);
        self
    }
}

/// A node of [`QueueDequeue`](Ops::queue_dequeue) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QueueDequeue<'a>(Node<'a>);

impl QueueDequeue<'_> {
    /// Timeout; must be -1, for none. Default: `-1`.
    pub fn timeout_ms(mut self, timeout_ms: i64) -> Self {
        self.0.set("timeout_ms", timeout_ms);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`QueueDequeueMany`](Ops::queue_dequeue_many) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QueueDequeueMany<'a>(Node<'a>);

impl QueueDequeueMany<'_> {
    /// Timeout; must be -1, for none. Default: `-1`.
    pub fn timeout_ms(mut self, timeout_ms: i64) -> Self {
        self.0.set("timeout_ms", timeout_ms);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`QueueDequeueManyV2`](Ops::queue_dequeue_many_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QueueDequeueManyV2<'a>(Node<'a>);

impl QueueDequeueManyV2<'_> {
    /// Timeout; must be -1, for none. Default: `-1`.
    pub fn timeout_ms(mut self, timeout_ms: i64) -> Self {
        self.0.set("timeout_ms", timeout_ms);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`QueueDequeueUpTo`](Ops::queue_dequeue_up_to) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QueueDequeueUpTo<'a>(Node<'a>);

impl QueueDequeueUpTo<'_> {
    /// Timeout; must be -1, for none. Default: `-1`.
    pub fn timeout_ms(mut self, timeout_ms: i64) -> Self {
        self.0.set("timeout_ms", timeout_ms);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`QueueDequeueUpToV2`](Ops::queue_dequeue_up_to_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QueueDequeueUpToV2<'a>(Node<'a>);

impl QueueDequeueUpToV2<'_> {
    /// Timeout; must be -1, for none. Default: `-1`.
    pub fn timeout_ms(mut self, timeout_ms: i64) -> Self {
        self.0.set("timeout_ms", timeout_ms);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`QueueDequeueV2`](Ops::queue_dequeue_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QueueDequeueV2<'a>(Node<'a>);

impl QueueDequeueV2<'_> {
    /// Timeout; must be -1, for none. Default: `-1`.
    pub fn timeout_ms(mut self, timeout_ms: i64) -> Self {
        self.0.set("timeout_ms", timeout_ms);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`QueueEnqueue`](Ops::queue_enqueue) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QueueEnqueue<'a>(Node<'a>);

impl QueueEnqueue<'_> {
    /// Timeout; must be -1, for none. Default: `-1`.
    pub fn timeout_ms(mut self, timeout_ms: i64) -> Self {
        self.0.set("timeout_ms", timeout_ms);
        self
    }
}

/// A node of [`QueueEnqueueMany`](Ops::queue_enqueue_many) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QueueEnqueueMany<'a>(Node<'a>);

impl QueueEnqueueMany<'_> {
    /// Timeout; must be -1, for none. Default: `-1`.
    pub fn timeout_ms(mut self, timeout_ms: i64) -> Self {
        self.0.set("timeout_ms", timeout_ms);
        self
    }
}

/// A node of [`QueueEnqueueManyV2`](Ops::queue_enqueue_many_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QueueEnqueueManyV2<'a>(Node<'a>);

impl QueueEnqueueManyV2<'_> {
    /// Timeout; must be -1, for none. Default: `-1`.
    pub fn timeout_ms(mut self, timeout_ms: i64) -> Self {
        self.0.set("timeout_ms", timeout_ms);
        self
    }
}

/// A node of [`QueueEnqueueV2`](Ops::queue_enqueue_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QueueEnqueueV2<'a>(Node<'a>);

impl QueueEnqueueV2<'_> {
    /// Timeout; must be -1, for none. Default: `-1`.
    pub fn timeout_ms(mut self, timeout_ms: i64) -> Self {
        self.0.set("timeout_ms", timeout_ms);
        self
    }
}

/// A node of [`QueueIsClosed`](Ops::queue_is_closed) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QueueIsClosed<'a>(Node<'a>);

/// A node of [`QueueIsClosedV2`](Ops::queue_is_closed_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QueueIsClosedV2<'a>(Node<'a>);

/// A node of [`QueueRestore`](Ops::queue_restore) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QueueRestore<'a>(Node<'a>);

/// A node of [`QueueRestoreV2`](Ops::queue_restore_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QueueRestoreV2<'a>(Node<'a>);

/// A node of [`QueueSave`](Ops::queue_save) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QueueSave<'a>(Node<'a>);

impl QueueSave<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> QueueSaveOutputs {
        let mut outputs = self.0.outputs();
        QueueSaveOutputs { state: outputs.one(), elements: outputs.one() }
    }
}

/// The outputs of [`QueueSave`](Ops::queue_save).
#[derive(Clone, Copy, Debug)]
pub struct QueueSaveOutputs {
    /// A tensor of int64.
    pub state: Output,
    /// A tensor of string.
    pub elements: Output,
}

/// A node of [`QueueSaveV2`](Ops::queue_save_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QueueSaveV2<'a>(Node<'a>);

impl QueueSaveV2<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> QueueSaveV2Outputs {
        let mut outputs = self.0.outputs();
        QueueSaveV2Outputs { state: outputs.one(), elements: outputs.one() }
    }
}

/// The outputs of [`QueueSaveV2`](Ops::queue_save_v2).
#[derive(Clone, Copy, Debug)]
pub struct QueueSaveV2Outputs {
    /// A tensor of int64.
    pub state: Output,
    /// A tensor of string.
    pub elements: Output,
}

/// A node of [`QueueSize`](Ops::queue_size) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QueueSize<'a>(Node<'a>);

/// A node of [`QueueSizeV2`](Ops::queue_size_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct QueueSizeV2<'a>(Node<'a>);

/// A node of [`RandomShuffleQueue`](Ops::random_shuffle_queue) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RandomShuffleQueue<'a>(Node<'a>);

impl RandomShuffleQueue<'_> {
    /// Maximum number of elements; negative for no limit. Default: `-1`.
    pub fn capacity(mut self, capacity: i64) -> Self {
        self.0.set("capacity", capacity);
        self
    }

    /// Container that holds the queue; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }

    /// Shapes of the components; empty if they may have any shape. Default: none.
    pub fn shapes(mut self, shapes: &[PartialShape]) -> Self {
        self.0.set("shapes", shapes.to_vec());
        self
    }

    /// Minimum number of elements that remain after a dequeue while the queue is open, to choose from. Default: `0`.
    pub fn min_after_dequeue(mut self, min_after_dequeue: i64) -> Self {
        self.0.set("min_after_dequeue", min_after_dequeue);
        self
    }

    /// First seed; if both seeds are 0, the order differs from session to session. Default: `0`.
    pub fn seed(mut self, seed: i64) -> Self {
        self.0.set("seed", seed);
        self
    }

    /// Second seed. Default: `0`.
    pub fn seed2(mut self, seed2: i64) -> Self {
        self.0.set("seed2", seed2);
        self
    }
}

/// A node of [`RandomShuffleQueueV2`](Ops::random_shuffle_queue_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RandomShuffleQueueV2<'a>(Node<'a>);

impl RandomShuffleQueueV2<'_> {
    /// Maximum number of elements; negative for no limit. Default: `-1`.
    pub fn capacity(mut self, capacity: i64) -> Self {
        self.0.set("capacity", capacity);
        self
    }

    /// Container that holds the queue; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }

    /// Shapes of the components; empty if they may have any shape. Default: none.
    pub fn shapes(mut self, shapes: &[PartialShape]) -> Self {
        self.0.set("shapes", shapes.to_vec());
        self
    }

    /// Minimum number of elements that remain after a dequeue while the queue is open, to choose from. Default: `0`.
    pub fn min_after_dequeue(mut self, min_after_dequeue: i64) -> Self {
        self.0.set("min_after_dequeue", min_after_dequeue);
        self
    }

    /// First seed; if both seeds are 0, the order differs from session to session. Default: `0`.
    pub fn seed(mut self, seed: i64) -> Self {
        self.0.set("seed", seed);
        self
    }

    /// Second seed. Default: `0`.
    pub fn seed2(mut self, seed2: i64) -> Self {
        self.0.set("seed2", seed2);
        self
    }
}

/// A node of [`ResourceAccumulatorApplyGradient`](Ops::resource_accumulator_apply_gradient) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceAccumulatorApplyGradient<'a>(Node<'a>);

/// A node of [`ResourceAccumulatorNumAccumulated`](Ops::resource_accumulator_num_accumulated) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceAccumulatorNumAccumulated<'a>(Node<'a>);

/// A node of [`ResourceAccumulatorSetGlobalStep`](Ops::resource_accumulator_set_global_step) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceAccumulatorSetGlobalStep<'a>(Node<'a>);

/// A node of [`ResourceAccumulatorTakeGradient`](Ops::resource_accumulator_take_gradient) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceAccumulatorTakeGradient<'a>(Node<'a>);

/// A node of [`ResourceConditionalAccumulator`](Ops::resource_conditional_accumulator) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceConditionalAccumulator<'a>(Node<'a>);

impl ResourceConditionalAccumulator<'_> {
    /// Container that holds the accumulator; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }

    /// `MEAN` or `SUM`. One of `"MEAN"`, `"SUM"`. Default: `"MEAN"`.
    pub fn reduction_type(mut self, reduction_type: impl AsRef<[u8]>) -> Self {
        self.0.set("reduction_type", string(reduction_type));
        self
    }
}

/// A node of [`SparseAccumulatorApplyGradient`](Ops::sparse_accumulator_apply_gradient) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseAccumulatorApplyGradient<'a>(Node<'a>);

/// A node of [`SparseAccumulatorTakeGradient`](Ops::sparse_accumulator_take_gradient) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseAccumulatorTakeGradient<'a>(Node<'a>);

impl SparseAccumulatorTakeGradient<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> SparseAccumulatorTakeGradientOutputs {
        let mut outputs = self.0.outputs();
        SparseAccumulatorTakeGradientOutputs { indices: outputs.one(), values: outputs.one(), shape: outputs.one() }
    }
}

/// The outputs of [`SparseAccumulatorTakeGradient`](Ops::sparse_accumulator_take_gradient).
#[derive(Clone, Copy, Debug)]
pub struct SparseAccumulatorTakeGradientOutputs {
    /// A tensor of int64.
    pub indices: Output,
    /// A tensor of `dtype`.
    pub values: Output,
    /// A tensor of int64.
    pub shape: Output,
}

/// A node of [`SparseConditionalAccumulator`](Ops::sparse_conditional_accumulator) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseConditionalAccumulator<'a>(Node<'a>);

impl SparseConditionalAccumulator<'_> {
    /// Container that holds the accumulator; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }

    /// `MEAN` or `SUM`. One of `"MEAN"`, `"SUM"`. Default: `"MEAN"`.
    pub fn reduction_type(mut self, reduction_type: impl AsRef<[u8]>) -> Self {
        self.0.set("reduction_type", string(reduction_type));
        self
    }
}

/// A node of [`Stage`](Ops::stage) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Stage<'a>(Node<'a>);

impl Stage<'_> {
    /// Maximum number of tuples; 0 for no limit. At least 0. Default: `0`.
    pub fn capacity(mut self, capacity: i64) -> Self {
        self.0.set("capacity", capacity);
        self
    }

    /// Maximum number of bytes; 0 for no limit. At least 0. Default: `0`.
    pub fn memory_limit(mut self, memory_limit: i64) -> Self {
        self.0.set("memory_limit", memory_limit);
        self
    }

    /// Container that holds the area; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }
}

/// A node of [`StageClear`](Ops::stage_clear) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StageClear<'a>(Node<'a>);

impl StageClear<'_> {
    /// Maximum number of tuples; 0 for no limit. At least 0. Default: `0`.
    pub fn capacity(mut self, capacity: i64) -> Self {
        self.0.set("capacity", capacity);
        self
    }

    /// Maximum number of bytes; 0 for no limit. At least 0. Default: `0`.
    pub fn memory_limit(mut self, memory_limit: i64) -> Self {
        self.0.set("memory_limit", memory_limit);
        self
    }

    /// Dtypes of a tuple. Allowed: any dtype. Default: none.
    pub fn dtypes(mut self, dtypes: &[DType]) -> Self {
        self.0.set("dtypes", dtypes.to_vec());
        self
    }

    /// Container that holds the area; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }
}

/// A node of [`StagePeek`](Ops::stage_peek) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StagePeek<'a>(Node<'a>);

impl StagePeek<'_> {
    /// Maximum number of tuples; 0 for no limit. At least 0. Default: `0`.
    pub fn capacity(mut self, capacity: i64) -> Self {
        self.0.set("capacity", capacity);
        self
    }

    /// Maximum number of bytes; 0 for no limit. At least 0. Default: `0`.
    pub fn memory_limit(mut self, memory_limit: i64) -> Self {
        self.0.set("memory_limit", memory_limit);
        self
    }

    /// Container that holds the area; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`StageSize`](Ops::stage_size) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StageSize<'a>(Node<'a>);

impl StageSize<'_> {
    /// Maximum number of tuples; 0 for no limit. At least 0. Default: `0`.
    pub fn capacity(mut self, capacity: i64) -> Self {
        self.0.set("capacity", capacity);
        self
    }

    /// Maximum number of bytes; 0 for no limit. At least 0. Default: `0`.
    pub fn memory_limit(mut self, memory_limit: i64) -> Self {
        self.0.set("memory_limit", memory_limit);
        self
    }

    /// Dtypes of a tuple. Allowed: any dtype. Default: none.
    pub fn dtypes(mut self, dtypes: &[DType]) -> Self {
        self.0.set("dtypes", dtypes.to_vec());
        self
    }

    /// Container that holds the area; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }
}

/// A node of [`Unstage`](Ops::unstage) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Unstage<'a>(Node<'a>);

impl Unstage<'_> {
    /// Maximum number of tuples; 0 for no limit. At least 0. Default: `0`.
    pub fn capacity(mut self, capacity: i64) -> Self {
        self.0.set("capacity", capacity);
        self
    }

    /// Maximum number of bytes; 0 for no limit. At least 0. Default: `0`.
    pub fn memory_limit(mut self, memory_limit: i64) -> Self {
        self.0.set("memory_limit", memory_limit);
        self
    }

    /// Container that holds the area; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

common! {
    AccumulatorApplyGradient
    AccumulatorNumAccumulated
    AccumulatorSetGlobalStep
    AccumulatorTakeGradient
    Barrier
    BarrierClose
    BarrierIncompleteSize
    BarrierInsertMany
    BarrierReadySize
    BarrierTakeMany
    CollectiveAllToAllV2
    CollectiveAssignGroupV2
    CollectiveBcastRecv
    CollectiveBcastRecvV2
    CollectiveBcastSend
    CollectiveBcastSendV2
    CollectiveGather
    CollectiveGatherV2
    CollectiveReduce
    CollectiveReduceV2
    ConditionalAccumulator
    ConsumeMutexLock
    FIFOQueue
    FIFOQueueV2
    MapClear
    MapIncompleteSize
    MapPeek
    MapSize
    MapStage
    MapUnstage
    MapUnstageNoKey
    MutexLock
    MutexV2
    NcclAllReduce
    NcclBroadcast
    NcclReduce
    OrderedEnqueue
    OrderedEnter
    OrderedLeave
    OrderedMapClear
    OrderedMapIncompleteSize
    OrderedMapPeek
    OrderedMapSize
    OrderedMapStage
    OrderedMapUnstage
    OrderedMapUnstageNoKey
    PaddingFIFOQueue
    PaddingFIFOQueueV2
    PriorityQueue
    PriorityQueueV2
    QueueClose
    QueueCloseV2
    QueueDequeue
    QueueDequeueMany
    QueueDequeueManyV2
    QueueDequeueUpTo
    QueueDequeueUpToV2
    QueueDequeueV2
    QueueEnqueue
    QueueEnqueueMany
    QueueEnqueueManyV2
    QueueEnqueueV2
    QueueIsClosed
    QueueIsClosedV2
    QueueRestore
    QueueRestoreV2
    QueueSave
    QueueSaveV2
    QueueSize
    QueueSizeV2
    RandomShuffleQueue
    RandomShuffleQueueV2
    ResourceAccumulatorApplyGradient
    ResourceAccumulatorNumAccumulated
    ResourceAccumulatorSetGlobalStep
    ResourceAccumulatorTakeGradient
    ResourceConditionalAccumulator
    SparseAccumulatorApplyGradient
    SparseAccumulatorTakeGradient
    SparseConditionalAccumulator
    Stage
    StageClear
    StagePeek
    StageSize
    Unstage
}

no_output! {
    AccumulatorApplyGradient
    AccumulatorSetGlobalStep
    BarrierClose
    BarrierInsertMany
    ConsumeMutexLock
    MapClear
    MapStage
    OrderedEnqueue
    OrderedMapClear
    OrderedMapStage
    QueueClose
    QueueCloseV2
    QueueEnqueue
    QueueEnqueueMany
    QueueEnqueueManyV2
    QueueEnqueueV2
    QueueRestore
    QueueRestoreV2
    ResourceAccumulatorApplyGradient
    ResourceAccumulatorSetGlobalStep
    SparseAccumulatorApplyGradient
    Stage
    StageClear
}

one_output! {
    AccumulatorNumAccumulated
    AccumulatorTakeGradient
    Barrier
    BarrierIncompleteSize
    BarrierReadySize
    CollectiveAllToAllV2
    CollectiveBcastRecv
    CollectiveBcastRecvV2
    CollectiveBcastSend
    CollectiveBcastSendV2
    CollectiveGather
    CollectiveGatherV2
    CollectiveReduce
    CollectiveReduceV2
    ConditionalAccumulator
    FIFOQueue
    FIFOQueueV2
    MapIncompleteSize
    MapSize
    MutexLock
    MutexV2
    NcclAllReduce
    NcclBroadcast
    NcclReduce
    OrderedEnter
    OrderedLeave
    OrderedMapIncompleteSize
    OrderedMapSize
    PaddingFIFOQueue
    PaddingFIFOQueueV2
    PriorityQueue
    PriorityQueueV2
    QueueIsClosed
    QueueIsClosedV2
    QueueSize
    QueueSizeV2
    RandomShuffleQueue
    RandomShuffleQueueV2
    ResourceAccumulatorNumAccumulated
    ResourceAccumulatorTakeGradient
    ResourceConditionalAccumulator
    SparseConditionalAccumulator
    StageSize
}

// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops of the family `state`.

use crate::node::{Input, Node, Ops, common, no_output, one_output, string, strings};
use levada_graph::{DType, PartialShape};
use levada_builder::Output;

impl Ops<'_> {
    /// Stores each row of a sparse tensor as a separate sparse tensor and returns their handles.
    ///
    /// - `sparse_indices`: a tensor of int64
    /// - `sparse_values`: a tensor of `T`
    /// - `sparse_shape`: a tensor of int64
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn add_many_sparse_to_tensors_map(&self, sparse_indices: impl Input, sparse_values: impl Input, sparse_shape: impl Input) -> AddManySparseToTensorsMap<'_> {
        AddManySparseToTensorsMap(Node::new(self, "AddManySparseToTensorsMap").input(sparse_indices).input(sparse_values).input(sparse_shape))
    }

    /// Stores a sparse tensor and returns its handle.
    ///
    /// - `sparse_indices`: a tensor of int64
    /// - `sparse_values`: a tensor of `T`
    /// - `sparse_shape`: a tensor of int64
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn add_sparse_to_tensors_map(&self, sparse_indices: impl Input, sparse_values: impl Input, sparse_shape: impl Input) -> AddSparseToTensorsMap<'_> {
        AddSparseToTensorsMap(Node::new(self, "AddSparseToTensorsMap").input(sparse_indices).input(sparse_values).input(sparse_shape))
    }

    /// Assigns `value` to a reference variable.
    ///
    /// - `ref_`: a reference to a variable of `T`
    /// - `value`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn assign(&self, ref_: impl Input, value: impl Input) -> Assign<'_> {
        Assign(Node::new(self, "Assign").input(ref_).input(value))
    }

    /// Adds a value to a variable.
    ///
    /// - `ref_`: a reference to a variable of `T`
    /// - `value`: a tensor of `T`
    ///
    /// `T` is any number, also quantized.
    pub fn assign_add(&self, ref_: impl Input, value: impl Input) -> AssignAdd<'_> {
        AssignAdd(Node::new(self, "AssignAdd").input(ref_).input(value))
    }

    /// Adds a value to a variable.
    ///
    /// - `resource`: a tensor of resource
    /// - `value`: a tensor of `dtype`
    ///
    /// `dtype` is any dtype.
    pub fn assign_add_variable_op(&self, resource: impl Input, value: impl Input) -> AssignAddVariableOp<'_> {
        AssignAddVariableOp(Node::new(self, "AssignAddVariableOp").input(resource).input(value))
    }

    /// Subtracts a value from a variable.
    ///
    /// - `ref_`: a reference to a variable of `T`
    /// - `value`: a tensor of `T`
    ///
    /// `T` is any number, also quantized.
    pub fn assign_sub(&self, ref_: impl Input, value: impl Input) -> AssignSub<'_> {
        AssignSub(Node::new(self, "AssignSub").input(ref_).input(value))
    }

    /// Subtracts a value from a variable.
    ///
    /// - `resource`: a tensor of resource
    /// - `value`: a tensor of `dtype`
    ///
    /// `dtype` is any dtype.
    pub fn assign_sub_variable_op(&self, resource: impl Input, value: impl Input) -> AssignSubVariableOp<'_> {
        AssignSubVariableOp(Node::new(self, "AssignSubVariableOp").input(resource).input(value))
    }

    /// Assigns `value` to a resource variable.
    ///
    /// - `resource`: a tensor of resource
    /// - `value`: a tensor of `dtype`
    ///
    /// `dtype` is any dtype.
    pub fn assign_variable_op(&self, resource: impl Input, value: impl Input) -> AssignVariableOp<'_> {
        AssignVariableOp(Node::new(self, "AssignVariableOp").input(resource).input(value))
    }

    /// Increments a variable and returns its previous value; fails with `OUT_OF_RANGE` once the variable has reached the limit.
    ///
    /// - `ref_`: a reference to a variable of `T`
    /// - `limit`: Limit of the counter.
    ///
    /// `T` is int32, int64.
    ///
    /// It has no gradient.
    pub fn count_up_to(&self, ref_: impl Input, limit: i64) -> CountUpTo<'_> {
        let mut node = Node::new(self, "CountUpTo").input(ref_);
        node.set("limit", limit);
        CountUpTo(node)
    }

    /// Deletes the tensor of a handle.
    ///
    /// - `handle`: a tensor of string
    pub fn delete_session_tensor(&self, handle: impl Input) -> DeleteSessionTensor<'_> {
        DeleteSessionTensor(Node::new(self, "DeleteSessionTensor").input(handle))
    }

    /// Removes a resource from its container and destroys it; a variable can be assigned again.
    ///
    /// - `resource`: a tensor of resource
    pub fn destroy_resource_op(&self, resource: impl Input) -> DestroyResourceOp<'_> {
        DestroyResourceOp(Node::new(self, "DestroyResourceOp").input(resource))
    }

    /// Destroys a temporary variable and returns its value.
    ///
    /// - `ref_`: a reference to a variable of `T`
    /// - `var_name`: Name in the step.
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn destroy_temporary_variable(&self, ref_: impl Input, var_name: impl AsRef<[u8]>) -> DestroyTemporaryVariable<'_> {
        let mut node = Node::new(self, "DestroyTemporaryVariable").input(ref_);
        node.set("var_name", string(var_name));
        DestroyTemporaryVariable(node)
    }

    /// Keeps a tensor in the session if the run fetches its handle, a string.
    ///
    /// - `value`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn get_session_handle(&self, value: impl Input) -> GetSessionHandle<'_> {
        GetSessionHandle(Node::new(self, "GetSessionHandle").input(value))
    }

    /// Keeps a tensor in the session if the run fetches its handle, a resource.
    ///
    /// - `value`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn get_session_handle_v2(&self, value: impl Input) -> GetSessionHandleV2<'_> {
        GetSessionHandleV2(Node::new(self, "GetSessionHandleV2").input(value))
    }

    /// Returns the tensor of a handle.
    ///
    /// - `handle`: a tensor of string
    /// - `dtype`: Element type. Allowed: any dtype.
    pub fn get_session_tensor(&self, handle: impl Input, dtype: DType) -> GetSessionTensor<'_> {
        let mut node = Node::new(self, "GetSessionTensor").input(handle);
        node.set("dtype", dtype);
        GetSessionTensor(node)
    }

    /// Returns whether a reference variable is initialized.
    ///
    /// - `ref_`: a reference to a variable of `dtype`
    ///
    /// `dtype` is any dtype.
    ///
    /// It has no gradient.
    pub fn is_variable_initialized(&self, ref_: impl Input) -> IsVariableInitialized<'_> {
        IsVariableInitialized(Node::new(self, "IsVariableInitialized").input(ref_))
    }

    /// Returns the value of a resource variable.
    ///
    /// - `resource`: a tensor of resource
    /// - `dtype`: Element type. Allowed: any dtype.
    pub fn read_variable_op(&self, resource: impl Input, dtype: DType) -> ReadVariableOp<'_> {
        let mut node = Node::new(self, "ReadVariableOp").input(resource);
        node.set("dtype", dtype);
        ReadVariableOp(node)
    }

    /// Forwards its reference.
    ///
    /// - `input`: a reference to a variable of `T`
    ///
    /// `T` is any dtype.
    pub fn ref_identity(&self, input: impl Input) -> RefIdentity<'_> {
        RefIdentity(Node::new(self, "RefIdentity").input(input))
    }

    /// Forwards the reference selected by `index`.
    ///
    /// - `index`: a tensor of int32
    /// - `inputs`: references to variables of `T`
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn ref_select(&self, index: impl Input, inputs: impl IntoIterator<Item = impl Input>) -> RefSelect<'_> {
        RefSelect(Node::new(self, "RefSelect").input(index).list(inputs))
    }

    /// Increments a variable and returns its previous value; fails with `OUT_OF_RANGE` once the variable has reached the limit.
    ///
    /// - `resource`: a tensor of resource
    /// - `limit`: Limit of the counter.
    /// - `t`: Element type. Allowed: int32, int64.
    ///
    /// It has no gradient.
    pub fn resource_count_up_to(&self, resource: impl Input, limit: i64, t: DType) -> ResourceCountUpTo<'_> {
        let mut node = Node::new(self, "ResourceCountUpTo").input(resource);
        node.set("limit", limit);
        node.set("T", t);
        ResourceCountUpTo(node)
    }

    /// Creates an empty resource.
    ///
    /// - `resource`: a tensor of resource
    pub fn resource_create_op(&self, resource: impl Input) -> ResourceCreateOp<'_> {
        ResourceCreateOp(Node::new(self, "ResourceCreateOp").input(resource))
    }

    /// Gathers the rows of a variable at `indices`; the first `batch_dims` axes are batch axes.
    ///
    /// - `resource`: a tensor of resource
    /// - `indices`: a tensor of `Tindices`
    /// - `dtype`: Element type. Allowed: any dtype.
    ///
    /// `Tindices` is int32, int64.
    pub fn resource_gather(&self, resource: impl Input, indices: impl Input, dtype: DType) -> ResourceGather<'_> {
        let mut node = Node::new(self, "ResourceGather").input(resource).input(indices);
        node.set("dtype", dtype);
        ResourceGather(node)
    }

    /// Gathers the slices of a variable at the index tuples in the last axis of `indices`.
    ///
    /// - `resource`: a tensor of resource
    /// - `indices`: a tensor of `Tindices`
    /// - `dtype`: Element type. Allowed: any dtype.
    ///
    /// `Tindices` is int32, int64.
    pub fn resource_gather_nd(&self, resource: impl Input, indices: impl Input, dtype: DType) -> ResourceGatherNd<'_> {
        let mut node = Node::new(self, "ResourceGatherNd").input(resource).input(indices);
        node.set("dtype", dtype);
        ResourceGatherNd(node)
    }

    /// Adds `updates` to rows of a variable.
    ///
    /// - `resource`: a tensor of resource
    /// - `indices`: a tensor of `Tindices`
    /// - `updates`: a tensor of `dtype`
    ///
    /// `dtype` is any number, also quantized. `Tindices` is int32, int64.
    pub fn resource_scatter_add(&self, resource: impl Input, indices: impl Input, updates: impl Input) -> ResourceScatterAdd<'_> {
        ResourceScatterAdd(Node::new(self, "ResourceScatterAdd").input(resource).input(indices).input(updates))
    }

    /// Divides rows of a variable by `updates`.
    ///
    /// - `resource`: a tensor of resource
    /// - `indices`: a tensor of `Tindices`
    /// - `updates`: a tensor of `dtype`
    ///
    /// `dtype` is any number, also quantized. `Tindices` is int32, int64.
    pub fn resource_scatter_div(&self, resource: impl Input, indices: impl Input, updates: impl Input) -> ResourceScatterDiv<'_> {
        ResourceScatterDiv(Node::new(self, "ResourceScatterDiv").input(resource).input(indices).input(updates))
    }

    /// Replaces rows of a variable by the element-wise maximum of them and `updates`.
    ///
    /// - `resource`: a tensor of resource
    /// - `indices`: a tensor of `Tindices`
    /// - `updates`: a tensor of `dtype`
    ///
    /// `dtype` is any number, also quantized. `Tindices` is int32, int64.
    pub fn resource_scatter_max(&self, resource: impl Input, indices: impl Input, updates: impl Input) -> ResourceScatterMax<'_> {
        ResourceScatterMax(Node::new(self, "ResourceScatterMax").input(resource).input(indices).input(updates))
    }

    /// Replaces rows of a variable by the element-wise minimum of them and `updates`.
    ///
    /// - `resource`: a tensor of resource
    /// - `indices`: a tensor of `Tindices`
    /// - `updates`: a tensor of `dtype`
    ///
    /// `dtype` is any number, also quantized. `Tindices` is int32, int64.
    pub fn resource_scatter_min(&self, resource: impl Input, indices: impl Input, updates: impl Input) -> ResourceScatterMin<'_> {
        ResourceScatterMin(Node::new(self, "ResourceScatterMin").input(resource).input(indices).input(updates))
    }

    /// Multiplies rows of a variable by `updates`.
    ///
    /// - `resource`: a tensor of resource
    /// - `indices`: a tensor of `Tindices`
    /// - `updates`: a tensor of `dtype`
    ///
    /// `dtype` is any number, also quantized. `Tindices` is int32, int64.
    pub fn resource_scatter_mul(&self, resource: impl Input, indices: impl Input, updates: impl Input) -> ResourceScatterMul<'_> {
        ResourceScatterMul(Node::new(self, "ResourceScatterMul").input(resource).input(indices).input(updates))
    }

    /// Adds `updates` to slices of a variable.
    ///
    /// - `ref_`: a tensor of resource
    /// - `indices`: a tensor of `Tindices`
    /// - `updates`: a tensor of `T`
    ///
    /// `T` is any dtype. `Tindices` is int32, int64.
    pub fn resource_scatter_nd_add(&self, ref_: impl Input, indices: impl Input, updates: impl Input) -> ResourceScatterNdAdd<'_> {
        ResourceScatterNdAdd(Node::new(self, "ResourceScatterNdAdd").input(ref_).input(indices).input(updates))
    }

    /// Replaces slices of a variable by the element-wise maximum of them and `updates`.
    ///
    /// - `ref_`: a tensor of resource
    /// - `indices`: a tensor of `Tindices`
    /// - `updates`: a tensor of `T`
    ///
    /// `T` is any dtype. `Tindices` is int32, int64.
    pub fn resource_scatter_nd_max(&self, ref_: impl Input, indices: impl Input, updates: impl Input) -> ResourceScatterNdMax<'_> {
        ResourceScatterNdMax(Node::new(self, "ResourceScatterNdMax").input(ref_).input(indices).input(updates))
    }

    /// Replaces slices of a variable by the element-wise minimum of them and `updates`.
    ///
    /// - `ref_`: a tensor of resource
    /// - `indices`: a tensor of `Tindices`
    /// - `updates`: a tensor of `T`
    ///
    /// `T` is any dtype. `Tindices` is int32, int64.
    pub fn resource_scatter_nd_min(&self, ref_: impl Input, indices: impl Input, updates: impl Input) -> ResourceScatterNdMin<'_> {
        ResourceScatterNdMin(Node::new(self, "ResourceScatterNdMin").input(ref_).input(indices).input(updates))
    }

    /// Subtracts `updates` from slices of a variable.
    ///
    /// - `ref_`: a tensor of resource
    /// - `indices`: a tensor of `Tindices`
    /// - `updates`: a tensor of `T`
    ///
    /// `T` is any dtype. `Tindices` is int32, int64.
    pub fn resource_scatter_nd_sub(&self, ref_: impl Input, indices: impl Input, updates: impl Input) -> ResourceScatterNdSub<'_> {
        ResourceScatterNdSub(Node::new(self, "ResourceScatterNdSub").input(ref_).input(indices).input(updates))
    }

    /// Replaces slices of a variable by `updates`.
    ///
    /// - `ref_`: a tensor of resource
    /// - `indices`: a tensor of `Tindices`
    /// - `updates`: a tensor of `T`
    ///
    /// `T` is any dtype. `Tindices` is int32, int64.
    pub fn resource_scatter_nd_update(&self, ref_: impl Input, indices: impl Input, updates: impl Input) -> ResourceScatterNdUpdate<'_> {
        ResourceScatterNdUpdate(Node::new(self, "ResourceScatterNdUpdate").input(ref_).input(indices).input(updates))
    }

    /// Subtracts `updates` from rows of a variable.
    ///
    /// - `resource`: a tensor of resource
    /// - `indices`: a tensor of `Tindices`
    /// - `updates`: a tensor of `dtype`
    ///
    /// `dtype` is any number, also quantized. `Tindices` is int32, int64.
    pub fn resource_scatter_sub(&self, resource: impl Input, indices: impl Input, updates: impl Input) -> ResourceScatterSub<'_> {
        ResourceScatterSub(Node::new(self, "ResourceScatterSub").input(resource).input(indices).input(updates))
    }

    /// Replaces rows of a variable by `updates`.
    ///
    /// - `resource`: a tensor of resource
    /// - `indices`: a tensor of `Tindices`
    /// - `updates`: a tensor of `dtype`
    ///
    /// `dtype` is any dtype. `Tindices` is int32, int64.
    pub fn resource_scatter_update(&self, resource: impl Input, indices: impl Input, updates: impl Input) -> ResourceScatterUpdate<'_> {
        ResourceScatterUpdate(Node::new(self, "ResourceScatterUpdate").input(resource).input(indices).input(updates))
    }

    /// Replaces a slice of a variable by `value`, which is broadcast.
    ///
    /// - `ref_`: a tensor of resource
    /// - `begin`: a tensor of `Index`
    /// - `end`: a tensor of `Index`
    /// - `strides`: a tensor of `Index`
    /// - `value`: a tensor of `T`
    ///
    /// `T` is any dtype. `Index` is int32, int64.
    pub fn resource_strided_slice_assign(&self, ref_: impl Input, begin: impl Input, end: impl Input, strides: impl Input, value: impl Input) -> ResourceStridedSliceAssign<'_> {
        ResourceStridedSliceAssign(Node::new(self, "ResourceStridedSliceAssign").input(ref_).input(begin).input(end).input(strides).input(value))
    }

    /// Adds `updates` to rows of a variable.
    ///
    /// - `ref_`: a reference to a variable of `T`
    /// - `indices`: a tensor of `Tindices`
    /// - `updates`: a tensor of `T`
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64.
    pub fn scatter_add(&self, ref_: impl Input, indices: impl Input, updates: impl Input) -> ScatterAdd<'_> {
        ScatterAdd(Node::new(self, "ScatterAdd").input(ref_).input(indices).input(updates))
    }

    /// Divides rows of a variable by `updates`.
    ///
    /// - `ref_`: a reference to a variable of `T`
    /// - `indices`: a tensor of `Tindices`
    /// - `updates`: a tensor of `T`
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64.
    pub fn scatter_div(&self, ref_: impl Input, indices: impl Input, updates: impl Input) -> ScatterDiv<'_> {
        ScatterDiv(Node::new(self, "ScatterDiv").input(ref_).input(indices).input(updates))
    }

    /// Replaces rows of a variable by the element-wise maximum of them and `updates`.
    ///
    /// - `ref_`: a reference to a variable of `T`
    /// - `indices`: a tensor of `Tindices`
    /// - `updates`: a tensor of `T`
    ///
    /// `T` is any float, int32, int64. `Tindices` is int32, int64.
    ///
    /// It has no gradient.
    pub fn scatter_max(&self, ref_: impl Input, indices: impl Input, updates: impl Input) -> ScatterMax<'_> {
        ScatterMax(Node::new(self, "ScatterMax").input(ref_).input(indices).input(updates))
    }

    /// Replaces rows of a variable by the element-wise minimum of them and `updates`.
    ///
    /// - `ref_`: a reference to a variable of `T`
    /// - `indices`: a tensor of `Tindices`
    /// - `updates`: a tensor of `T`
    ///
    /// `T` is any float, int32, int64. `Tindices` is int32, int64.
    ///
    /// It has no gradient.
    pub fn scatter_min(&self, ref_: impl Input, indices: impl Input, updates: impl Input) -> ScatterMin<'_> {
        ScatterMin(Node::new(self, "ScatterMin").input(ref_).input(indices).input(updates))
    }

    /// Multiplies rows of a variable by `updates`.
    ///
    /// - `ref_`: a reference to a variable of `T`
    /// - `indices`: a tensor of `Tindices`
    /// - `updates`: a tensor of `T`
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64.
    pub fn scatter_mul(&self, ref_: impl Input, indices: impl Input, updates: impl Input) -> ScatterMul<'_> {
        ScatterMul(Node::new(self, "ScatterMul").input(ref_).input(indices).input(updates))
    }

    /// Adds `updates` to slices of a variable.
    ///
    /// - `ref_`: a reference to a variable of `T`
    /// - `indices`: a tensor of `Tindices`
    /// - `updates`: a tensor of `T`
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64.
    pub fn scatter_nd_add(&self, ref_: impl Input, indices: impl Input, updates: impl Input) -> ScatterNdAdd<'_> {
        ScatterNdAdd(Node::new(self, "ScatterNdAdd").input(ref_).input(indices).input(updates))
    }

    /// Replaces slices of a variable by the element-wise maximum of them and `updates`.
    ///
    /// - `ref_`: a reference to a variable of `T`
    /// - `indices`: a tensor of `Tindices`
    /// - `updates`: a tensor of `T`
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64.
    ///
    /// It has no gradient.
    pub fn scatter_nd_max(&self, ref_: impl Input, indices: impl Input, updates: impl Input) -> ScatterNdMax<'_> {
        ScatterNdMax(Node::new(self, "ScatterNdMax").input(ref_).input(indices).input(updates))
    }

    /// Replaces slices of a variable by the element-wise minimum of them and `updates`.
    ///
    /// - `ref_`: a reference to a variable of `T`
    /// - `indices`: a tensor of `Tindices`
    /// - `updates`: a tensor of `T`
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64.
    ///
    /// It has no gradient.
    pub fn scatter_nd_min(&self, ref_: impl Input, indices: impl Input, updates: impl Input) -> ScatterNdMin<'_> {
        ScatterNdMin(Node::new(self, "ScatterNdMin").input(ref_).input(indices).input(updates))
    }

    /// Subtracts `updates` from slices of a variable.
    ///
    /// - `ref_`: a reference to a variable of `T`
    /// - `indices`: a tensor of `Tindices`
    /// - `updates`: a tensor of `T`
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64.
    pub fn scatter_nd_sub(&self, ref_: impl Input, indices: impl Input, updates: impl Input) -> ScatterNdSub<'_> {
        ScatterNdSub(Node::new(self, "ScatterNdSub").input(ref_).input(indices).input(updates))
    }

    /// Replaces slices of a variable by `updates`.
    ///
    /// - `ref_`: a reference to a variable of `T`
    /// - `indices`: a tensor of `Tindices`
    /// - `updates`: a tensor of `T`
    ///
    /// `T` is any dtype. `Tindices` is int32, int64.
    pub fn scatter_nd_update(&self, ref_: impl Input, indices: impl Input, updates: impl Input) -> ScatterNdUpdate<'_> {
        ScatterNdUpdate(Node::new(self, "ScatterNdUpdate").input(ref_).input(indices).input(updates))
    }

    /// Subtracts `updates` from rows of a variable.
    ///
    /// - `ref_`: a reference to a variable of `T`
    /// - `indices`: a tensor of `Tindices`
    /// - `updates`: a tensor of `T`
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64.
    pub fn scatter_sub(&self, ref_: impl Input, indices: impl Input, updates: impl Input) -> ScatterSub<'_> {
        ScatterSub(Node::new(self, "ScatterSub").input(ref_).input(indices).input(updates))
    }

    /// Replaces rows of a variable by `updates`.
    ///
    /// - `ref_`: a reference to a variable of `T`
    /// - `indices`: a tensor of `Tindices`
    /// - `updates`: a tensor of `T`
    ///
    /// `T` is any dtype. `Tindices` is int32, int64.
    ///
    /// It has no gradient.
    pub fn scatter_update(&self, ref_: impl Input, indices: impl Input, updates: impl Input) -> ScatterUpdate<'_> {
        ScatterUpdate(Node::new(self, "ScatterUpdate").input(ref_).input(indices).input(updates))
    }

    /// Creates a stack.
    ///
    /// - `elem_type`: Element type. Allowed: any dtype.
    pub fn stack(&self, elem_type: DType) -> Stack<'_> {
        let mut node = Node::new(self, "Stack");
        node.set("elem_type", elem_type);
        Stack(node)
    }

    /// Closes a stack and frees its memory.
    ///
    /// - `handle`: a reference to a variable of string
    pub fn stack_close(&self, handle: impl Input) -> StackClose<'_> {
        StackClose(Node::new(self, "StackClose").input(handle))
    }

    /// Closes a stack and frees its memory.
    ///
    /// - `handle`: a tensor of resource
    pub fn stack_close_v2(&self, handle: impl Input) -> StackCloseV2<'_> {
        StackCloseV2(Node::new(self, "StackCloseV2").input(handle))
    }

    /// Pops the most recently pushed tensor off a stack.
    ///
    /// - `handle`: a reference to a variable of string
    /// - `elem_type`: Element type. Allowed: any dtype.
    pub fn stack_pop(&self, handle: impl Input, elem_type: DType) -> StackPop<'_> {
        let mut node = Node::new(self, "StackPop").input(handle);
        node.set("elem_type", elem_type);
        StackPop(node)
    }

    /// Pops the most recently pushed tensor off a stack.
    ///
    /// - `handle`: a tensor of resource
    /// - `elem_type`: Element type. Allowed: any dtype.
    ///
    /// It has no gradient.
    pub fn stack_pop_v2(&self, handle: impl Input, elem_type: DType) -> StackPopV2<'_> {
        let mut node = Node::new(self, "StackPopV2").input(handle);
        node.set("elem_type", elem_type);
        StackPopV2(node)
    }

    /// Pushes a tensor onto a stack and returns it.
    ///
    /// - `handle`: a reference to a variable of string
    /// - `elem`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn stack_push(&self, handle: impl Input, elem: impl Input) -> StackPush<'_> {
        StackPush(Node::new(self, "StackPush").input(handle).input(elem))
    }

    /// Pushes a tensor onto a stack and returns it.
    ///
    /// - `handle`: a tensor of resource
    /// - `elem`: a tensor of `T`
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn stack_push_v2(&self, handle: impl Input, elem: impl Input) -> StackPushV2<'_> {
        StackPushV2(Node::new(self, "StackPushV2").input(handle).input(elem))
    }

    /// Creates a stack of at most `max_size` tensors.
    ///
    /// - `max_size`: a tensor of int32
    /// - `elem_type`: Element type. Allowed: any dtype.
    ///
    /// It has no gradient.
    pub fn stack_v2(&self, max_size: impl Input, elem_type: DType) -> StackV2<'_> {
        let mut node = Node::new(self, "StackV2").input(max_size);
        node.set("elem_type", elem_type);
        StackV2(node)
    }

    /// Replaces a slice of a variable by `value`, which is broadcast.
    ///
    /// - `ref_`: a reference to a variable of `T`
    /// - `begin`: a tensor of `Index`
    /// - `end`: a tensor of `Index`
    /// - `strides`: a tensor of `Index`
    /// - `value`: a tensor of `T`
    ///
    /// `T` is any dtype. `Index` is int32, int64.
    ///
    /// It has no gradient.
    pub fn strided_slice_assign(&self, ref_: impl Input, begin: impl Input, end: impl Input, strides: impl Input, value: impl Input) -> StridedSliceAssign<'_> {
        StridedSliceAssign(Node::new(self, "StridedSliceAssign").input(ref_).input(begin).input(end).input(strides).input(value))
    }

    /// Returns the handle of an empty resource, which does not exist before it is created.
    ///
    /// It has no gradient.
    pub fn stub_resource_handle_op(&self) -> StubResourceHandleOp<'_> {
        StubResourceHandleOp(Node::new(self, "StubResourceHandleOp"))
    }

    /// Removes the sparse tensors with the given handles and stacks them along a new first axis.
    ///
    /// - `sparse_handles`: a tensor of int64
    /// - `dtype`: Element type. Allowed: any dtype.
    ///
    /// It has no gradient.
    pub fn take_many_sparse_from_tensors_map(&self, sparse_handles: impl Input, dtype: DType) -> TakeManySparseFromTensorsMap<'_> {
        let mut node = Node::new(self, "TakeManySparseFromTensorsMap").input(sparse_handles);
        node.set("dtype", dtype);
        TakeManySparseFromTensorsMap(node)
    }

    /// Creates a variable filled with zeros, which exists until the end of the step, and returns a reference to it.
    ///
    /// - `shape`: Shape of the value.
    /// - `dtype`: Element type. Allowed: any dtype.
    ///
    /// It has no gradient.
    pub fn temporary_variable(&self, shape: impl Into<PartialShape>, dtype: DType) -> TemporaryVariable<'_> {
        let mut node = Node::new(self, "TemporaryVariable");
        node.set("shape", Into::<PartialShape>::into(shape));
        node.set("dtype", dtype);
        TemporaryVariable(node)
    }

    /// Returns a handle to a resource variable, which has no value until it is assigned.
    ///
    /// - `dtype`: Element type of the value. Allowed: any dtype.
    /// - `shape`: Shape of the value.
    pub fn var_handle_op(&self, dtype: DType, shape: impl Into<PartialShape>) -> VarHandleOp<'_> {
        let mut node = Node::new(self, "VarHandleOp");
        node.set("dtype", dtype);
        node.set("shape", Into::<PartialShape>::into(shape));
        VarHandleOp(node)
    }

    /// Returns whether a resource variable is initialized.
    ///
    /// - `resource`: a tensor of resource
    pub fn var_is_initialized_op(&self, resource: impl Input) -> VarIsInitializedOp<'_> {
        VarIsInitializedOp(Node::new(self, "VarIsInitializedOp").input(resource))
    }

    /// The original version of `VariableV2`: a shape without axes means an unknown shape.
    ///
    /// - `shape`: Shape of the value.
    /// - `dtype`: Element type. Allowed: any dtype.
    pub fn variable(&self, shape: impl Into<PartialShape>, dtype: DType) -> Variable<'_> {
        let mut node = Node::new(self, "Variable");
        node.set("shape", Into::<PartialShape>::into(shape));
        node.set("dtype", dtype);
        Variable(node)
    }

    /// Returns the shape of a resource variable's value.
    ///
    /// - `input`: a tensor of resource
    pub fn variable_shape(&self, input: impl Input) -> VariableShape<'_> {
        VariableShape(Node::new(self, "VariableShape").input(input))
    }

    /// Returns a reference to a variable, which lives as long as its container.
    ///
    /// - `shape`: Shape of the value.
    /// - `dtype`: Element type. Allowed: any dtype.
    pub fn variable_v2(&self, shape: impl Into<PartialShape>, dtype: DType) -> VariableV2<'_> {
        let mut node = Node::new(self, "VariableV2");
        node.set("shape", Into::<PartialShape>::into(shape));
        node.set("dtype", dtype);
        VariableV2(node)
    }
}

/// A node of [`AddManySparseToTensorsMap`](Ops::add_many_sparse_to_tensors_map) that is being described.
#[must_use = "it is no node before it is added"]
pub struct AddManySparseToTensorsMap<'a>(Node<'a>);

impl AddManySparseToTensorsMap<'_> {
    /// Container that holds the sparse tensors; empty for the default one. Default: `""`.
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

/// A node of [`AddSparseToTensorsMap`](Ops::add_sparse_to_tensors_map) that is being described.
#[must_use = "it is no node before it is added"]
pub struct AddSparseToTensorsMap<'a>(Node<'a>);

impl AddSparseToTensorsMap<'_> {
    /// Container that holds the sparse tensors; empty for the default one. Default: `""`.
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

/// A node of [`Assign`](Ops::assign) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Assign<'a>(Node<'a>);

impl Assign<'_> {
    /// Whether the shape must stay the same. Default: `true`.
    pub fn validate_shape(mut self, validate_shape: bool) -> Self {
        self.0.set("validate_shape", validate_shape);
        self
    }

    /// Has no effect: the lock is always held. Default: `true`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }
}

/// A node of [`AssignAdd`](Ops::assign_add) that is being described.
#[must_use = "it is no node before it is added"]
pub struct AssignAdd<'a>(Node<'a>);

impl AssignAdd<'_> {
    /// Has no effect: the lock is always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }
}

/// A node of [`AssignAddVariableOp`](Ops::assign_add_variable_op) that is being described.
#[must_use = "it is no node before it is added"]
pub struct AssignAddVariableOp<'a>(Node<'a>);

/// A node of [`AssignSub`](Ops::assign_sub) that is being described.
#[must_use = "it is no node before it is added"]
pub struct AssignSub<'a>(Node<'a>);

impl AssignSub<'_> {
    /// Has no effect: the lock is always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }
}

/// A node of [`AssignSubVariableOp`](Ops::assign_sub_variable_op) that is being described.
#[must_use = "it is no node before it is added"]
pub struct AssignSubVariableOp<'a>(Node<'a>);

/// A node of [`AssignVariableOp`](Ops::assign_variable_op) that is being described.
#[must_use = "it is no node before it is added"]
pub struct AssignVariableOp<'a>(Node<'a>);

impl AssignVariableOp<'_> {
    /// Whether the shape must stay the same. Default: `false`.
    pub fn validate_shape(mut self, validate_shape: bool) -> Self {
        self.0.set("validate_shape", validate_shape);
        self
    }
}

/// A node of [`CountUpTo`](Ops::count_up_to) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CountUpTo<'a>(Node<'a>);

/// A node of [`DeleteSessionTensor`](Ops::delete_session_tensor) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DeleteSessionTensor<'a>(Node<'a>);

/// A node of [`DestroyResourceOp`](Ops::destroy_resource_op) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DestroyResourceOp<'a>(Node<'a>);

impl DestroyResourceOp<'_> {
    /// Whether to ignore a missing resource instead of failing. Default: `true`.
    pub fn ignore_lookup_error(mut self, ignore_lookup_error: bool) -> Self {
        self.0.set("ignore_lookup_error", ignore_lookup_error);
        self
    }
}

/// A node of [`DestroyTemporaryVariable`](Ops::destroy_temporary_variable) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DestroyTemporaryVariable<'a>(Node<'a>);

/// A node of [`GetSessionHandle`](Ops::get_session_handle) that is being described.
#[must_use = "it is no node before it is added"]
pub struct GetSessionHandle<'a>(Node<'a>);

/// A node of [`GetSessionHandleV2`](Ops::get_session_handle_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct GetSessionHandleV2<'a>(Node<'a>);

/// A node of [`GetSessionTensor`](Ops::get_session_tensor) that is being described.
#[must_use = "it is no node before it is added"]
pub struct GetSessionTensor<'a>(Node<'a>);

/// A node of [`IsVariableInitialized`](Ops::is_variable_initialized) that is being described.
#[must_use = "it is no node before it is added"]
pub struct IsVariableInitialized<'a>(Node<'a>);

/// A node of [`ReadVariableOp`](Ops::read_variable_op) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ReadVariableOp<'a>(Node<'a>);

/// A node of [`RefIdentity`](Ops::ref_identity) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RefIdentity<'a>(Node<'a>);

/// A node of [`RefSelect`](Ops::ref_select) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RefSelect<'a>(Node<'a>);

/// A node of [`ResourceCountUpTo`](Ops::resource_count_up_to) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceCountUpTo<'a>(Node<'a>);

/// A node of [`ResourceCreateOp`](Ops::resource_create_op) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceCreateOp<'a>(Node<'a>);

/// A node of [`ResourceGather`](Ops::resource_gather) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceGather<'a>(Node<'a>);

impl ResourceGather<'_> {
    /// Number of leading axes that the variable and `indices` share. Default: `0`.
    pub fn batch_dims(mut self, batch_dims: i64) -> Self {
        self.0.set("batch_dims", batch_dims);
        self
    }

    /// Has no effect: indices are always checked. Default: `true`.
    pub fn validate_indices(mut self, validate_indices: bool) -> Self {
        self.0.set("validate_indices", validate_indices);
        self
    }
}

/// A node of [`ResourceGatherNd`](Ops::resource_gather_nd) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceGatherNd<'a>(Node<'a>);

/// A node of [`ResourceScatterAdd`](Ops::resource_scatter_add) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceScatterAdd<'a>(Node<'a>);

/// A node of [`ResourceScatterDiv`](Ops::resource_scatter_div) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceScatterDiv<'a>(Node<'a>);

/// A node of [`ResourceScatterMax`](Ops::resource_scatter_max) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceScatterMax<'a>(Node<'a>);

/// A node of [`ResourceScatterMin`](Ops::resource_scatter_min) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceScatterMin<'a>(Node<'a>);

/// A node of [`ResourceScatterMul`](Ops::resource_scatter_mul) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceScatterMul<'a>(Node<'a>);

/// A node of [`ResourceScatterNdAdd`](Ops::resource_scatter_nd_add) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceScatterNdAdd<'a>(Node<'a>);

impl ResourceScatterNdAdd<'_> {
    /// Has no effect: the lock is always held. Default: `true`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }

    /// Handling of out-of-bounds indices: an error, or with `IGNORE` they are skipped. Default: `""`.
    pub fn bad_indices_policy(mut self, bad_indices_policy: impl AsRef<[u8]>) -> Self {
        self.0.set("bad_indices_policy", string(bad_indices_policy));
        self
    }
}

/// A node of [`ResourceScatterNdMax`](Ops::resource_scatter_nd_max) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceScatterNdMax<'a>(Node<'a>);

impl ResourceScatterNdMax<'_> {
    /// Has no effect: the lock is always held. Default: `true`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }

    /// Handling of out-of-bounds indices: an error, or with `IGNORE` they are skipped. Default: `""`.
    pub fn bad_indices_policy(mut self, bad_indices_policy: impl AsRef<[u8]>) -> Self {
        self.0.set("bad_indices_policy", string(bad_indices_policy));
        self
    }
}

/// A node of [`ResourceScatterNdMin`](Ops::resource_scatter_nd_min) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceScatterNdMin<'a>(Node<'a>);

impl ResourceScatterNdMin<'_> {
    /// Has no effect: the lock is always held. Default: `true`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }

    /// Handling of out-of-bounds indices: an error, or with `IGNORE` they are skipped. Default: `""`.
    pub fn bad_indices_policy(mut self, bad_indices_policy: impl AsRef<[u8]>) -> Self {
        self.0.set("bad_indices_policy", string(bad_indices_policy));
        self
    }
}

/// A node of [`ResourceScatterNdSub`](Ops::resource_scatter_nd_sub) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceScatterNdSub<'a>(Node<'a>);

impl ResourceScatterNdSub<'_> {
    /// Has no effect: the lock is always held. Default: `true`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }

    /// Handling of out-of-bounds indices: an error, or with `IGNORE` they are skipped. Default: `""`.
    pub fn bad_indices_policy(mut self, bad_indices_policy: impl AsRef<[u8]>) -> Self {
        self.0.set("bad_indices_policy", string(bad_indices_policy));
        self
    }
}

/// A node of [`ResourceScatterNdUpdate`](Ops::resource_scatter_nd_update) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceScatterNdUpdate<'a>(Node<'a>);

impl ResourceScatterNdUpdate<'_> {
    /// Has no effect: the lock is always held. Default: `true`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }

    /// Handling of out-of-bounds indices: an error, or with `IGNORE` they are skipped. Default: `""`.
    pub fn bad_indices_policy(mut self, bad_indices_policy: impl AsRef<[u8]>) -> Self {
        self.0.set("bad_indices_policy", string(bad_indices_policy));
        self
    }
}

/// A node of [`ResourceScatterSub`](Ops::resource_scatter_sub) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceScatterSub<'a>(Node<'a>);

/// A node of [`ResourceScatterUpdate`](Ops::resource_scatter_update) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceScatterUpdate<'a>(Node<'a>);

/// A node of [`ResourceStridedSliceAssign`](Ops::resource_strided_slice_assign) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceStridedSliceAssign<'a>(Node<'a>);

impl ResourceStridedSliceAssign<'_> {
    /// Bit `i` set: ignore `begin[i]` and start at the first element in the direction of the stride. Default: `0`.
    pub fn begin_mask(mut self, begin_mask: i64) -> Self {
        self.0.set("begin_mask", begin_mask);
        self
    }

    /// Bit `i` set: ignore `end[i]` and continue to the last element in the direction of the stride. Default: `0`.
    pub fn end_mask(mut self, end_mask: i64) -> Self {
        self.0.set("end_mask", end_mask);
        self
    }

    /// Bit `i` set: entry `i` is an ellipsis, which stands for all remaining axes. Default: `0`.
    pub fn ellipsis_mask(mut self, ellipsis_mask: i64) -> Self {
        self.0.set("ellipsis_mask", ellipsis_mask);
        self
    }

    /// Bit `i` set: entry `i` is a new axis of size 1. Default: `0`.
    pub fn new_axis_mask(mut self, new_axis_mask: i64) -> Self {
        self.0.set("new_axis_mask", new_axis_mask);
        self
    }

    /// Bit `i` set: entry `i` selects one index and removes the axis. Default: `0`.
    pub fn shrink_axis_mask(mut self, shrink_axis_mask: i64) -> Self {
        self.0.set("shrink_axis_mask", shrink_axis_mask);
        self
    }
}

/// A node of [`ScatterAdd`](Ops::scatter_add) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ScatterAdd<'a>(Node<'a>);

impl ScatterAdd<'_> {
    /// Has no effect: the lock is always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }
}

/// A node of [`ScatterDiv`](Ops::scatter_div) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ScatterDiv<'a>(Node<'a>);

impl ScatterDiv<'_> {
    /// Has no effect: the lock is always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }
}

/// A node of [`ScatterMax`](Ops::scatter_max) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ScatterMax<'a>(Node<'a>);

impl ScatterMax<'_> {
    /// Has no effect: the lock is always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }
}

/// A node of [`ScatterMin`](Ops::scatter_min) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ScatterMin<'a>(Node<'a>);

impl ScatterMin<'_> {
    /// Has no effect: the lock is always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }
}

/// A node of [`ScatterMul`](Ops::scatter_mul) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ScatterMul<'a>(Node<'a>);

impl ScatterMul<'_> {
    /// Has no effect: the lock is always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }
}

/// A node of [`ScatterNdAdd`](Ops::scatter_nd_add) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ScatterNdAdd<'a>(Node<'a>);

impl ScatterNdAdd<'_> {
    /// Has no effect: the lock is always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }

    /// Handling of out-of-bounds indices: an error, or with `IGNORE` they are skipped. Default: `""`.
    pub fn bad_indices_policy(mut self, bad_indices_policy: impl AsRef<[u8]>) -> Self {
        self.0.set("bad_indices_policy", string(bad_indices_policy));
        self
    }
}

/// A node of [`ScatterNdMax`](Ops::scatter_nd_max) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ScatterNdMax<'a>(Node<'a>);

impl ScatterNdMax<'_> {
    /// Has no effect: the lock is always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }

    /// Handling of out-of-bounds indices: an error, or with `IGNORE` they are skipped. Default: `""`.
    pub fn bad_indices_policy(mut self, bad_indices_policy: impl AsRef<[u8]>) -> Self {
        self.0.set("bad_indices_policy", string(bad_indices_policy));
        self
    }
}

/// A node of [`ScatterNdMin`](Ops::scatter_nd_min) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ScatterNdMin<'a>(Node<'a>);

impl ScatterNdMin<'_> {
    /// Has no effect: the lock is always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }

    /// Handling of out-of-bounds indices: an error, or with `IGNORE` they are skipped. Default: `""`.
    pub fn bad_indices_policy(mut self, bad_indices_policy: impl AsRef<[u8]>) -> Self {
        self.0.set("bad_indices_policy", string(bad_indices_policy));
        self
    }
}

/// A node of [`ScatterNdSub`](Ops::scatter_nd_sub) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ScatterNdSub<'a>(Node<'a>);

impl ScatterNdSub<'_> {
    /// Has no effect: the lock is always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }

    /// Handling of out-of-bounds indices: an error, or with `IGNORE` they are skipped. Default: `""`.
    pub fn bad_indices_policy(mut self, bad_indices_policy: impl AsRef<[u8]>) -> Self {
        self.0.set("bad_indices_policy", string(bad_indices_policy));
        self
    }
}

/// A node of [`ScatterNdUpdate`](Ops::scatter_nd_update) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ScatterNdUpdate<'a>(Node<'a>);

impl ScatterNdUpdate<'_> {
    /// Has no effect: the lock is always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }

    /// Handling of out-of-bounds indices: an error, or with `IGNORE` they are skipped. Default: `""`.
    pub fn bad_indices_policy(mut self, bad_indices_policy: impl AsRef<[u8]>) -> Self {
        self.0.set("bad_indices_policy", string(bad_indices_policy));
        self
    }
}

/// A node of [`ScatterSub`](Ops::scatter_sub) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ScatterSub<'a>(Node<'a>);

impl ScatterSub<'_> {
    /// Has no effect: the lock is always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }
}

/// A node of [`ScatterUpdate`](Ops::scatter_update) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ScatterUpdate<'a>(Node<'a>);

impl ScatterUpdate<'_> {
    /// Has no effect: the lock is always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }
}

/// A node of [`Stack`](Ops::stack) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Stack<'a>(Node<'a>);

impl Stack<'_> {
    /// Name for messages; empty for the node's name. Default: `""`.
    pub fn stack_name(mut self, stack_name: impl AsRef<[u8]>) -> Self {
        self.0.set("stack_name", string(stack_name));
        self
    }
}

/// A node of [`StackClose`](Ops::stack_close) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StackClose<'a>(Node<'a>);

/// A node of [`StackCloseV2`](Ops::stack_close_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StackCloseV2<'a>(Node<'a>);

/// A node of [`StackPop`](Ops::stack_pop) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StackPop<'a>(Node<'a>);

/// A node of [`StackPopV2`](Ops::stack_pop_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StackPopV2<'a>(Node<'a>);

/// A node of [`StackPush`](Ops::stack_push) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StackPush<'a>(Node<'a>);

impl StackPush<'_> {
    /// In TensorFlow, whether the tensor may be moved to the host. Default: `false`.
    pub fn swap_memory(mut self, swap_memory: bool) -> Self {
        self.0.set("swap_memory", swap_memory);
        self
    }
}

/// A node of [`StackPushV2`](Ops::stack_push_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StackPushV2<'a>(Node<'a>);

impl StackPushV2<'_> {
    /// In TensorFlow, whether the tensor may be moved to the host. Default: `false`.
    pub fn swap_memory(mut self, swap_memory: bool) -> Self {
        self.0.set("swap_memory", swap_memory);
        self
    }
}

/// A node of [`StackV2`](Ops::stack_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StackV2<'a>(Node<'a>);

impl StackV2<'_> {
    /// Name for messages; empty for the node's name. Default: `""`.
    pub fn stack_name(mut self, stack_name: impl AsRef<[u8]>) -> Self {
        self.0.set("stack_name", string(stack_name));
        self
    }
}

/// A node of [`StridedSliceAssign`](Ops::strided_slice_assign) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StridedSliceAssign<'a>(Node<'a>);

impl StridedSliceAssign<'_> {
    /// Bit `i` set: ignore `begin[i]` and start at the first element in the direction of the stride. Default: `0`.
    pub fn begin_mask(mut self, begin_mask: i64) -> Self {
        self.0.set("begin_mask", begin_mask);
        self
    }

    /// Bit `i` set: ignore `end[i]` and continue to the last element in the direction of the stride. Default: `0`.
    pub fn end_mask(mut self, end_mask: i64) -> Self {
        self.0.set("end_mask", end_mask);
        self
    }

    /// Bit `i` set: entry `i` is an ellipsis, which stands for all remaining axes. Default: `0`.
    pub fn ellipsis_mask(mut self, ellipsis_mask: i64) -> Self {
        self.0.set("ellipsis_mask", ellipsis_mask);
        self
    }

    /// Bit `i` set: entry `i` is a new axis of size 1. Default: `0`.
    pub fn new_axis_mask(mut self, new_axis_mask: i64) -> Self {
        self.0.set("new_axis_mask", new_axis_mask);
        self
    }

    /// Bit `i` set: entry `i` selects one index and removes the axis. Default: `0`.
    pub fn shrink_axis_mask(mut self, shrink_axis_mask: i64) -> Self {
        self.0.set("shrink_axis_mask", shrink_axis_mask);
        self
    }
}

/// A node of [`StubResourceHandleOp`](Ops::stub_resource_handle_op) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StubResourceHandleOp<'a>(Node<'a>);

impl StubResourceHandleOp<'_> {
    /// Container that holds it; empty for the default one. Default: `""`.
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

/// A node of [`TakeManySparseFromTensorsMap`](Ops::take_many_sparse_from_tensors_map) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TakeManySparseFromTensorsMap<'a>(Node<'a>);

impl TakeManySparseFromTensorsMap<'_> {
    /// Container that holds the sparse tensors; empty for the default one. Default: `""`.
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
    pub fn add(self) -> TakeManySparseFromTensorsMapOutputs {
        let mut outputs = self.0.outputs();
        TakeManySparseFromTensorsMapOutputs { sparse_indices: outputs.one(), sparse_values: outputs.one(), sparse_shape: outputs.one() }
    }
}

/// The outputs of [`TakeManySparseFromTensorsMap`](Ops::take_many_sparse_from_tensors_map).
#[derive(Clone, Copy, Debug)]
pub struct TakeManySparseFromTensorsMapOutputs {
    /// A tensor of int64.
    pub sparse_indices: Output,
    /// A tensor of `dtype`.
    pub sparse_values: Output,
    /// A tensor of int64.
    pub sparse_shape: Output,
}

/// A node of [`TemporaryVariable`](Ops::temporary_variable) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TemporaryVariable<'a>(Node<'a>);

impl TemporaryVariable<'_> {
    /// Name in the step; empty for the node's name. Default: `""`.
    pub fn var_name(mut self, var_name: impl AsRef<[u8]>) -> Self {
        self.0.set("var_name", string(var_name));
        self
    }
}

/// A node of [`VarHandleOp`](Ops::var_handle_op) that is being described.
#[must_use = "it is no node before it is added"]
pub struct VarHandleOp<'a>(Node<'a>);

impl VarHandleOp<'_> {
    /// Container that holds the variable; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name in the container; empty for the node's name. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }

    /// Name for diagnostics. Default: `""`.
    pub fn debug_name(mut self, debug_name: impl AsRef<[u8]>) -> Self {
        self.0.set("debug_name", string(debug_name));
        self
    }

    /// Devices that may hold the value; empty for all. Default: none.
    pub fn allowed_devices(mut self, allowed_devices: &[impl AsRef<[u8]>]) -> Self {
        self.0.set("allowed_devices", strings(allowed_devices));
        self
    }
}

/// A node of [`VarIsInitializedOp`](Ops::var_is_initialized_op) that is being described.
#[must_use = "it is no node before it is added"]
pub struct VarIsInitializedOp<'a>(Node<'a>);

/// A node of [`Variable`](Ops::variable) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Variable<'a>(Node<'a>);

impl Variable<'_> {
    /// Container that holds the variable; empty for the default one. Default: `""`.
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

/// A node of [`VariableShape`](Ops::variable_shape) that is being described.
#[must_use = "it is no node before it is added"]
pub struct VariableShape<'a>(Node<'a>);

impl VariableShape<'_> {
    /// Element type of the result. Allowed: int32, int64. Default: int32.
    pub fn out_type(mut self, out_type: DType) -> Self {
        self.0.set("out_type", out_type);
        self
    }
}

/// A node of [`VariableV2`](Ops::variable_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct VariableV2<'a>(Node<'a>);

impl VariableV2<'_> {
    /// Container that holds the variable; empty for the default one. Default: `""`.
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

common! {
    AddManySparseToTensorsMap
    AddSparseToTensorsMap
    Assign
    AssignAdd
    AssignAddVariableOp
    AssignSub
    AssignSubVariableOp
    AssignVariableOp
    CountUpTo
    DeleteSessionTensor
    DestroyResourceOp
    DestroyTemporaryVariable
    GetSessionHandle
    GetSessionHandleV2
    GetSessionTensor
    IsVariableInitialized
    ReadVariableOp
    RefIdentity
    RefSelect
    ResourceCountUpTo
    ResourceCreateOp
    ResourceGather
    ResourceGatherNd
    ResourceScatterAdd
    ResourceScatterDiv
    ResourceScatterMax
    ResourceScatterMin
    ResourceScatterMul
    ResourceScatterNdAdd
    ResourceScatterNdMax
    ResourceScatterNdMin
    ResourceScatterNdSub
    ResourceScatterNdUpdate
    ResourceScatterSub
    ResourceScatterUpdate
    ResourceStridedSliceAssign
    ScatterAdd
    ScatterDiv
    ScatterMax
    ScatterMin
    ScatterMul
    ScatterNdAdd
    ScatterNdMax
    ScatterNdMin
    ScatterNdSub
    ScatterNdUpdate
    ScatterSub
    ScatterUpdate
    Stack
    StackClose
    StackCloseV2
    StackPop
    StackPopV2
    StackPush
    StackPushV2
    StackV2
    StridedSliceAssign
    StubResourceHandleOp
    TakeManySparseFromTensorsMap
    TemporaryVariable
    VarHandleOp
    VarIsInitializedOp
    Variable
    VariableShape
    VariableV2
}

no_output! {
    AssignAddVariableOp
    AssignSubVariableOp
    AssignVariableOp
    DeleteSessionTensor
    DestroyResourceOp
    ResourceCreateOp
    ResourceScatterAdd
    ResourceScatterDiv
    ResourceScatterMax
    ResourceScatterMin
    ResourceScatterMul
    ResourceScatterNdAdd
    ResourceScatterNdMax
    ResourceScatterNdMin
    ResourceScatterNdSub
    ResourceScatterNdUpdate
    ResourceScatterSub
    ResourceScatterUpdate
    ResourceStridedSliceAssign
    StackClose
    StackCloseV2
}

one_output! {
    AddManySparseToTensorsMap
    AddSparseToTensorsMap
    Assign
    AssignAdd
    AssignSub
    CountUpTo
    DestroyTemporaryVariable
    GetSessionHandle
    GetSessionHandleV2
    GetSessionTensor
    IsVariableInitialized
    ReadVariableOp
    RefIdentity
    RefSelect
    ResourceCountUpTo
    ResourceGather
    ResourceGatherNd
    ScatterAdd
    ScatterDiv
    ScatterMax
    ScatterMin
    ScatterMul
    ScatterNdAdd
    ScatterNdMax
    ScatterNdMin
    ScatterNdSub
    ScatterNdUpdate
    ScatterSub
    ScatterUpdate
    Stack
    StackPop
    StackPopV2
    StackPush
    StackPushV2
    StackV2
    StridedSliceAssign
    StubResourceHandleOp
    TemporaryVariable
    VarHandleOp
    VarIsInitializedOp
    Variable
    VariableShape
    VariableV2
}

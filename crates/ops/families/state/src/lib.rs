//! Variables of both generations.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::{handle, moves, prelude, rows, variable};

pub use assign_add::check_addend;
pub use scatter::check_rows;
pub use scatter_nd::check_slices;

family! {
    assign: Assign, AssignVariableOp;
    assign_add: AssignAdd, AssignAddVariableOp, AssignSub, AssignSubVariableOp;
    count_up_to: CountUpTo, ResourceCountUpTo;
    read_variable: ReadVariableOp, ReadVariablesOp;
    references: IsVariableInitialized, RefIdentity, RefSelect;
    resource_gather: ResourceGather, ResourceGatherNd;
    scatter: ResourceScatterAdd, ResourceScatterDiv, ResourceScatterMax, ResourceScatterMin, ResourceScatterMul,
        ResourceScatterSub, ResourceScatterUpdate, ScatterAdd, ScatterDiv, ScatterMax, ScatterMin, ScatterMul,
        ScatterSub, ScatterUpdate;
    scatter_nd: ResourceScatterNdAdd, ResourceScatterNdMax, ResourceScatterNdMin, ResourceScatterNdSub,
        ResourceScatterNdUpdate, ScatterNdAdd, ScatterNdMax, ScatterNdMin, ScatterNdSub, ScatterNdUpdate;
    session_handle: DeleteSessionTensor, GetSessionHandle, GetSessionHandleV2, GetSessionTensor;
    sparse_tensors_map: AddManySparseToTensorsMap, AddSparseToTensorsMap, TakeManySparseFromTensorsMap;
    stack: Stack, StackClose, StackCloseV2, StackPop, StackPopV2, StackPush, StackPushV2, StackV2;
    strided_slice_assign: ResourceStridedSliceAssign, StridedSliceAssign;
    stub_resource: ResourceCreateOp, StubResourceHandleOp;
    temporary_variable: DestroyTemporaryVariable, TemporaryVariable;
    var_handle: DestroyResourceOp, VarHandleOp, VarIsInitializedOp, VariableShape;
    variable_v2: Variable, VariableV2;
}

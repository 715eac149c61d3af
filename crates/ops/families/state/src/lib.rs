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
    read_variable: ReadVariableOp = READ_VARIABLES_OP;
    references: IsVariableInitialized, RefIdentity = REF_SELECT;
    resource_gather = RESOURCE_GATHER, RESOURCE_GATHER_ND;
    scatter: ResourceScatterAdd, ResourceScatterDiv, ResourceScatterMax, ResourceScatterMin, ResourceScatterMul,
        ResourceScatterSub, ResourceScatterUpdate, ScatterAdd, ScatterDiv, ScatterMax, ScatterMin, ScatterMul,
        ScatterSub, ScatterUpdate;
    scatter_nd: ResourceScatterNdAdd, ResourceScatterNdMax, ResourceScatterNdMin, ResourceScatterNdSub,
        ResourceScatterNdUpdate, ScatterNdAdd, ScatterNdMax, ScatterNdMin, ScatterNdSub, ScatterNdUpdate;
    session_handle = DELETE_SESSION_TENSOR, GET_SESSION_HANDLE, GET_SESSION_HANDLE_V2, GET_SESSION_TENSOR;
    sparse_tensors_map: AddManySparseToTensorsMap, AddSparseToTensorsMap = TAKE_MANY_SPARSE_FROM_TENSORS_MAP;
    stack: StackClose, StackCloseV2, StackPop, StackPopV2, StackPush, StackPushV2, StackV2 = STACK;
    strided_slice_assign: ResourceStridedSliceAssign, StridedSliceAssign;
    stub_resource = RESOURCE_CREATE_OP, STUB_RESOURCE_HANDLE_OP;
    temporary_variable = DESTROY_TEMPORARY_VARIABLE, TEMPORARY_VARIABLE;
    var_handle: DestroyResourceOp, VarHandleOp, VarIsInitializedOp, VariableShape;
    variable_v2: Variable, VariableV2;
}

//! Which nodes may run with others in a region.

use super::entry::dtypes;
use levada_graph::spec::{Arg, Role};
use levada_graph::{AnyOp, DType};
use levada_kernel::Join;
use std::sync::Arc;

/// Ops with state that only read variables.
const READ: &[&str] = &["ReadVariableOp", "ResourceGather", "ResourceGatherNd", "VariableShape"];

/// Ops that change variables, besides those whose names start with `ResourceApply` and `ResourceScatter`.
const CHANGE: &[&str] = &["AssignAddVariableOp", "AssignSubVariableOp", "AssignVariableOp"];

/// Ops with state of their own that never wait.
const ALONE: &[&str] = &[
    "RandomStandardNormal",
    "RandomUniform",
    "RandomUniformInt",
    "TruncatedNormal",
    "VarHandleOp",
    "VarIsInitializedOp",
];

/// Ops whose output is copied to the device whenever they run.
const COPIED: &[&str] = &["LinSpace", "Range"];

/// How nodes of this op may run with others.
pub(crate) fn joins(op: &Arc<dyn AnyOp>) -> Join {
    let name = op.spec().name;
    let is_listed = |list: &[&str]| list.contains(&name);
    if !matches!(op.spec().role, Role::Plain | Role::Const) {
        Join::Never
    } else if is_listed(READ) {
        Join::Reads
    } else if is_listed(CHANGE) || name.starts_with("ResourceApply") || name.starts_with("ResourceScatter") {
        Join::Changes
    } else if is_listed(ALONE) {
        Join::Alone
    } else if op.is_stateful() || has(op, DType::Resource) {
        Join::Never
    } else if is_listed(COPIED) || has(op, DType::Variant) {
        Join::Alone
    } else {
        Join::Reads
    }
}

/// True where an input or output is of this dtype, or where that cannot be told.
fn has(op: &Arc<dyn AnyOp>, dtype: DType) -> bool {
    let has = |args: &[Arg]| dtypes(op, args).is_none_or(|all| all.contains(&dtype));
    has(op.spec().inputs) || has(op.spec().outputs)
}

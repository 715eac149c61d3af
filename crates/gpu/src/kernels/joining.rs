//! Which nodes may run with others in a region.

use super::entry::dtypes;
use super::values::is_uploaded;
use levada_graph::spec::{Arg, Effect, Role};
use levada_graph::{AnyOp, DType};
use levada_kernel::Join;
use std::sync::Arc;

/// How nodes of this op may run with others.
pub(crate) fn joins(op: &Arc<dyn AnyOp>) -> Join {
    let spec = op.spec();
    if !matches!(spec.role, Role::Plain | Role::Const) {
        return Join::Never;
    }
    let is_ref = spec.inputs.iter().chain(spec.outputs).any(|arg| arg.is_ref);
    match spec.effect.filter(|_| !is_ref) {
        Some(Effect::Reads) => Join::Reads,
        Some(Effect::Changes) => Join::Changes,
        Some(Effect::Own) => Join::Alone,
        None if op.is_stateful() || has(op, DType::Resource) => Join::Never,
        None if is_uploaded(&**op) || has(op, DType::Variant) => Join::Alone,
        None => Join::Reads,
    }
}

/// True if an input or output is of this dtype, or if that cannot be determined.
fn has(op: &Arc<dyn AnyOp>, dtype: DType) -> bool {
    let has = |args: &[Arg]| dtypes(op, args).is_none_or(|all| all.contains(&dtype));
    has(op.spec().inputs) || has(op.spec().outputs)
}

//! Writes the files that follow from the ops' specs: the methods of `levada::Ops`, and `docs/ops.md`.

pub mod methods;
pub mod table;

use levada::DType;
use levada::graph::OpDef;
use levada::graph::dtype::sets;
use levada::graph::spec::Role;

/// True if gradients flow through the op: by a rule, or because it is a branch, a loop or a call.
pub fn differentiable(op: &OpDef) -> bool {
    use Role::*;
    op.grad.is_some() || matches!(op.spec.role, Switch | Merge | Enter | Exit | NextIteration | Call)
}

/// Dtypes in words: the largest set that they contain, and the names of the rest.
pub fn dtypes(allowed: &[DType]) -> String {
    let named = [
        (sets::ANY, "any dtype"),
        (sets::NUMBERTYPE, "any number, also quantized"),
        (sets::NUMBERS, "any number"),
        (sets::REALS, "any integer or float"),
        (sets::INTEGERS, "any integer"),
        (sets::FLOATS_COMPLEX, "any float or complex number"),
        (sets::FLOATS, "any float"),
    ];
    let set = named.iter().find(|(set, _)| allowed.is_empty() || set.iter().all(|d| allowed.contains(d)));
    let mut rest: Vec<DType> =
        allowed.iter().copied().filter(|d| set.is_none_or(|(set, _)| !set.contains(d))).collect();
    rest.sort();
    let rest = rest.iter().map(|d| d.name());
    set.iter().map(|(_, name)| *name).chain(rest).collect::<Vec<_>>().join(", ")
}

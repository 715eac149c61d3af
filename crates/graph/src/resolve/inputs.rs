//! Checks the number and types of a node's inputs against the op's spec.

use super::Types;
use crate::attr::{AttrValue, Attrs};
use crate::dtype::EdgeType;
use crate::error::Error;
use crate::op::OpDef;
use crate::spec::{Arg, Ty};
use smallvec::SmallVec;

/// The error for a wrong number of inputs.
pub(super) fn wrong_arity(def: &OpDef, expected: usize, found: usize) -> Error {
    let inputs = |n: usize| if n == 1 { "1 input".to_owned() } else { format!("{n} inputs") };
    let names: Vec<&str> = def.spec.inputs.iter().map(|a| a.name).collect();
    let named =
        if expected == 0 { "no inputs".to_owned() } else { format!("{} ({})", inputs(expected), names.join(", ")) };
    let error = Error::invalid(format!(
        "{} takes {}",
        def.spec.name,
        if expected == 0 { "no inputs".into() } else { inputs(expected) }
    ))
    .path("input")
    .expected(named)
    .found(inputs(found));
    match def.spec.inputs.iter().find_map(|a| {
        a.times.or(match a.ty {
            Ty::Each(list) => Some(list),
            _ => None,
        })
    }) {
        Some(attr) => error.help(format!("the attr {attr} is the number of inputs")),
        None => error,
    }
}

/// Compares the types of the inputs with those that the op expects.
pub(super) fn wrong_types(
    def: &OpDef,
    attrs: &Attrs,
    wanted: &Types,
    given: &[Option<EdgeType>],
    faults: &mut Vec<Error>,
) {
    let fits = |want: &EdgeType, have: &EdgeType| want.dtype == have.dtype && (!want.is_ref || have.is_ref);
    let right = |(want, have): (&Option<EdgeType>, &Option<EdgeType>)| match (want, have) {
        (Some(want), Some(have)) => fits(want, have),
        _ => true,
    };
    if wanted.iter().zip(given).all(right) {
        return;
    }
    let names = arg_names(def, attrs, wanted.len());
    let mut blamed: SmallVec<[&str; 2]> = SmallVec::new();
    for (i, (want, have)) in wanted.iter().zip(given).enumerate() {
        let (Some(want), Some(have)) = (want, have) else { continue };
        if fits(want, have) {
            continue;
        }
        // If all inputs that an attr covers agree on another dtype, the attr is wrong; reported once.
        if let Some(Ty::Of(attr)) = names.get(i).map(|arg| arg.ty) {
            let same: Vec<Option<EdgeType>> =
                names.iter().zip(given).filter(|(arg, _)| arg.ty == Ty::Of(attr)).map(|(_, have)| *have).collect();
            let all_other = same.len() > 1
                && same.iter().all(|t| t.is_some_and(|t| t.dtype == have.dtype))
                && want.dtype != have.dtype;
            if all_other {
                if !blamed.contains(&attr) {
                    blamed.push(attr);
                    faults.push(
                        Error::invalid(format!("the attr {attr} of {} is not the dtype of its inputs", def.spec.name))
                            .path(format!("attr.{attr}"))
                            .attr(attr)
                            .expected(have.dtype)
                            .found(want.dtype),
                    );
                }
                continue;
            }
        }
        let name = names.get(i).map_or(String::new(), |arg| format!(" ({})", arg.name));
        let error = Error::invalid(format!("input {i}{name} of {} has the wrong type", def.spec.name))
            .path(format!("input[{i}]"))
            .expected(want)
            .found(have);
        faults.push(match want.is_ref && want.dtype == have.dtype {
            true => error.help("it must come from a reference variable, such as VariableV2"),
            false => error,
        });
    }
}

/// The argument of the spec that each of `n` input tensors belongs to.
fn arg_names(def: &OpDef, attrs: &Attrs, n: usize) -> Vec<&'static Arg> {
    let mut names = Vec::with_capacity(n);
    for arg in def.spec.inputs {
        let times = match (arg.times, arg.ty) {
            (Some(attr), _) => match attrs.get(attr) {
                Some(AttrValue::I(n)) => usize::try_from(*n).unwrap_or(0),
                _ => 1,
            },
            (None, Ty::Each(attr)) => match attrs.get(attr) {
                Some(AttrValue::List(list)) => list.len(),
                _ => 1,
            },
            _ => 1,
        };
        names.extend(std::iter::repeat_n(arg, times.min(n.saturating_sub(names.len()))));
    }
    names
}

//! `ScatterNdUpdate` and its siblings: update slices of a variable at index tuples.

use crate::prelude::*;
use crate::rules::never;
use crate::variable::{Target, check_dtype};
use levada_graph::spec::AttrSpec;
use levada_ops_array::{Update, Vectors, check, ignores_bad_indices, scatter};

attrs! {
    /// The attrs of ops that update slices of a variable.
    pub struct ScatterSlices {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Element type of `indices`.
        index: DType = Attr::dtype("Tindices", sets::INDEX),
        /// Has no effect: the lock is always held.
        use_locking: bool = Attr::bool("use_locking").or_bool(false),
        /// Handling of out-of-bounds indices: an error, or with `IGNORE` they are skipped.
        policy: String = Attr::string("bad_indices_policy").or_str(""),
    }
}

const fn scatter_slices(
    name: &'static str,
    also: &'static [Form],
    kernel: fn(&ScatterSlices, &mut Cx<'_, '_>) -> Result<()>,
) -> Def<ScatterSlices> {
    op(name)
        .attrs(NUMBERS)
        .inputs(INPUTS)
        .outputs(OUTPUTS)
        .also(also)
        .effect(Effect::Changes)
        .shape(|_, cx| {
            cx.same_as_input(0);
            Ok(())
        })
        .kernel(kernel)
}

/// The form on resource variables.
const fn by_handle(name: &'static str) -> Form {
    form(name).inputs(VARIABLE_INPUTS).outputs(&[]).attrs(ANY_LOCKED).not_differentiable()
}

const INDICES: Arg = arg("indices", of("Tindices"));
const UPDATES: Arg = arg("updates", of("T"));
const INPUTS: &[Arg] = &[arg("ref", of("T")).by_ref(), INDICES, UPDATES];
const OUTPUTS: &[Arg] = &[arg("output_ref", of("T")).by_ref()];
const VARIABLE_INPUTS: &[Arg] = &[arg("ref", is(DType::Resource)), INDICES, UPDATES];
const NUMBERS: &[AttrSpec] = &[Attr::dtype("T", sets::NUMBERTYPE)];
const ANY_LOCKED: &[AttrSpec] = &[Attr::dtype("T", sets::ANY), Attr::bool("use_locking").or_bool(true)];

pub static SCATTER_ND_ADD: Def<ScatterSlices> =
    scatter_slices("ScatterNdAdd", &[by_handle("ResourceScatterNdAdd")], |op, cx| apply(op, cx, Update::Add))
        .doc("Adds `updates` to slices of a variable.")
        .gradient(|_, g| never(g));

pub static SCATTER_ND_MAX: Def<ScatterSlices> =
    scatter_slices("ScatterNdMax", &[by_handle("ResourceScatterNdMax")], |op, cx| apply(op, cx, Update::Max))
        .doc("Replaces slices of a variable by the element-wise maximum of them and `updates`.");

pub static SCATTER_ND_MIN: Def<ScatterSlices> =
    scatter_slices("ScatterNdMin", &[by_handle("ResourceScatterNdMin")], |op, cx| apply(op, cx, Update::Min))
        .doc("Replaces slices of a variable by the element-wise minimum of them and `updates`.");

pub static SCATTER_ND_SUB: Def<ScatterSlices> =
    scatter_slices("ScatterNdSub", &[by_handle("ResourceScatterNdSub")], |op, cx| apply(op, cx, Update::Subtract))
        .doc("Subtracts `updates` from slices of a variable.")
        .gradient(|_, g| never(g));

pub static SCATTER_ND_UPDATE: Def<ScatterSlices> =
    scatter_slices("ScatterNdUpdate", &[by_handle("ResourceScatterNdUpdate")], |op, cx| apply(op, cx, Update::Replace))
        .attrs(&[])
        .doc("Replaces slices of a variable by `updates`.")
        .gradient(|_, g| never(g));

/// Checks that `updates` has one slice of the variable's value per index tuple.
///
/// # Errors
/// `INVALID_ARGUMENT` otherwise.
pub fn check_slices(value: &Tensor, indices: &Shape, updates: &Tensor) -> Result<()> {
    check_dtype("assign", value.dtype(), updates.dtype())?;
    let depth = indices.last().copied().unwrap_or(0);
    if value.shape().is_scalar() {
        return Err(Error::invalid("Output must be at least 1-D, got shape: []"));
    }
    if depth == 0 && value.num_elements() > 0 {
        return Err(Error::invalid("Only indices.shape[-1] values between 1 and 7 are supported. Requested rank: 0"));
    }
    check(value.shape(), indices, updates.shape(), value.num_elements() == 0, Vectors::FirstRow)
}

fn apply(op: &ScatterSlices, cx: &mut Cx<'_, '_>, update: Update) -> Result<()> {
    let ignore = ignores_bad_indices(&op.policy)?;
    let target = Target::of(cx, 0)?;
    let (indices, updates) = (cx.input(1)?, cx.input(2)?);
    target.update(|value| {
        check_slices(value, indices.shape(), updates)?;
        let result = scatter(value, indices, updates, update, ignore);
        if result.is_err() && !ignore {
            // As in TensorFlow, an invalid index does not prevent the use of the others.
            scatter(value, indices, updates, update, true)?;
        }
        result
    })?;
    target.forward(cx);
    Ok(())
}

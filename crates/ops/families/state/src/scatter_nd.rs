//! `ScatterNdUpdate` and its siblings: slices of a variable changed at index tuples.

use crate::prelude::*;
use crate::variable::{Target, check_dtype};
use levada_ops_array::{POLICIES, Update, Vectors, check, scatter};

/// Checks that `updates` has a slice of the variable's value for each tuple of indices.
///
/// # Errors
/// `INVALID_ARGUMENT` where it has not.
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

fn apply(cx: &mut Cx<'_, '_>, update: Update, ignore: bool) -> Result<()> {
    let target = Target::of(cx, 0)?;
    let (indices, updates) = (cx.input(1)?, cx.input(2)?);
    target.update(|value| {
        check_slices(value, indices.shape(), updates)?;
        let result = scatter(value, indices, updates, update, ignore);
        if result.is_err() && !ignore {
            // As in TensorFlow, a wrong index does not keep the others from being used.
            scatter(value, indices, updates, update, true)?;
        }
        result
    })?;
    target.forward(cx);
    Ok(())
}

macro_rules! scatters {
    ($($(#[doc = $doc:literal])* $name:ident, $resource:ident, $update:ident, $dtypes:expr;)*) => {$(
        scatters!(@one $(#[doc = $doc])* $name, arg("ref", of("T")).by_ref(), [arg("output_ref", of("T")).by_ref()],
            $update, $dtypes, false);
        scatters!(@one $(#[doc = $doc])* $resource, arg("ref", is(DType::Resource)), [], $update, sets::ANY, true);
    )*};
    (@one $(#[doc = $doc:literal])* $name:ident, $target:expr, [$($output:expr)?], $update:ident, $dtypes:expr, $locks:literal) => {
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Element type.
                dtype: DType = Attr::dtype("T", $dtypes),
                /// Element type of `indices`.
                index: DType = Attr::dtype("Tindices", sets::INDEX),
                /// Without meaning: the lock is always held.
                use_locking: bool = Attr::bool("use_locking").or_bool($locks),
                /// What happens to indices out of bounds: an error, or with `IGNORE` nothing.
                policy: String = Attr::one_of("bad_indices_policy", POLICIES).or_str(""),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[$target, arg("indices", of("Tindices")), arg("updates", of("T"))],
                outputs: &[$($output)?],
                effect: Some(Effect::Changes),
                ..Spec::STATEFUL
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                cx.same_as_input(0);
                Ok(())
            }
        }

        impl Kernel<Cpu> for $name {
            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                apply(cx, Update::$update, self.policy == "IGNORE")
            }
        }
    };
}

scatters! {
    /// Adds to slices of a variable.
    ScatterNdAdd, ResourceScatterNdAdd, Add, sets::NUMBERTYPE;
    /// Makes elements of slices of a variable no less than the updates.
    ScatterNdMax, ResourceScatterNdMax, Max, sets::NUMBERTYPE;
    /// Makes elements of slices of a variable no more than the updates.
    ScatterNdMin, ResourceScatterNdMin, Min, sets::NUMBERTYPE;
    /// Subtracts from slices of a variable.
    ScatterNdSub, ResourceScatterNdSub, Subtract, sets::NUMBERTYPE;
    /// Replaces slices of a variable.
    ScatterNdUpdate, ResourceScatterNdUpdate, Replace, sets::ANY;
}

//! How ops refer to a tensor array: `TensorArrayV3` and its siblings by a handle, those of version 2 by a string tensor
//! with its container and name, the oldest by a reference to such a tensor.

use super::array::TensorArray;
use crate::prelude::*;
use crate::variable::resource_input;
use levada_graph::Handle;
use levada_kernel::Io;
use levada_ops_core::handle::{named, named_input};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Where the handles say that arrays are.
pub(super) const ARRAYS: &str = "_tensor_arrays";
/// Where they say that arrays of gradients are.
pub(super) const GRADIENTS: &str = "_tensor_array_grads";

/// How a handle is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Reference,
    Strings,
    Resource,
}

/// The array that input 0 refers to.
///
/// # Errors
/// `NOT_FOUND` where there is none.
pub(super) fn array_input(cx: &Io<'_>) -> Result<Arc<TensorArray>> {
    if cx.ref_input(0).is_err() && cx.input(0)?.dtype() == DType::Resource {
        return resource_input(cx, 0);
    }
    let (container, name) = named_input(cx, 0)?;
    let found = cx.step().resources.get::<TensorArray>(&container, &name);
    found.ok_or_else(|| Error::not_found(format!("Container {container} has no TensorArray {name} in this step")))
}

/// Sets output 0 to the handle of an array.
pub(super) fn set_array(cx: &mut Io<'_>, container: &str, array: Arc<TensorArray>, form: Form) {
    let name = array.name.clone();
    if form != Form::Resource {
        cx.step().resources.insert_new(container, &name, array.clone());
    }
    match form {
        Form::Reference => cx.set_entry(0, Entry::Ref(named(container, &name))),
        Form::Strings => {
            let words = [container, &name].map(|s| Bytes::copy_from_slice(s.as_bytes()));
            cx.set(0, Tensor::vector(words.to_vec()));
        }
        Form::Resource => {
            let handle = Handle { container: container.into(), name: name.into(), object: Some(array) };
            cx.set(0, Tensor::scalar(handle));
        }
    }
}

/// A name that no other array of the session has.
pub(super) fn unique_name(cx: &Io<'_>, given: &str) -> Result<String> {
    let base = if given.is_empty() { &cx.node().name } else { given };
    // Only has to give every array another number.
    let number = cx.node_state(|| AtomicU64::new(0))?.fetch_add(1, Ordering::Relaxed);
    Ok(match cx.step().scope.id {
        0 => format!("{base}_{number}"),
        scope => format!("{base}@{scope:x}_{number}"),
    })
}

/// Checks the dtype that an op says the array has.
pub(super) fn check_dtype(array: &TensorArray, dtype: DType, doing: &str) -> Result<()> {
    if array.dtype == dtype {
        return Ok(());
    }
    Err(Error::invalid(format!("TensorArray dtype is {} but Op {doing} dtype {dtype}.", array.dtype)))
}

/// Gives the flow on input `i` on as output `o`.
pub(super) fn pass_flow(cx: &mut Io<'_>, i: usize, o: usize) -> Result<()> {
    let flow = cx.take(i)?;
    cx.set(o, flow);
    Ok(())
}

/// Declares an op in its forms: `Name(handle argument); ...`, with the same attrs, inputs after the handle, outputs and
/// kernel.
macro_rules! array_ops {
    ($(#[doc = $doc:literal])* [$($forms:tt)*] $attrs:tt $inputs:tt -> $outputs:tt
     host [$($hin:literal),*] -> [$($hout:literal),*]; shape |$this:ident, $scx:ident| $shape:expr; compute |$op:ident, $cx:ident| $body:expr) => {
        array_ops!(@each [$(#[doc = $doc])*] [$($forms)*] $attrs $inputs $outputs [$this, $scx, $shape]
            [$op, $cx, $body, [$($hin),*], [$($hout),*]]);
    };
    (@each $docs:tt [$($name:ident $form:ident),*] $attrs:tt $inputs:tt $outputs:tt $shape:tt $compute:tt) => {
        $(array_ops!(@one $docs $name $form $attrs $inputs $outputs $shape $compute);)*
    };
    (@one [$(#[doc = $doc:literal])*] $name:ident $form:ident { $($attrs:tt)* } ($($input:expr),*) ($($output:expr),*)
     [$this:ident, $scx:ident, $shape:expr] [$op:ident, $cx:ident, $body:expr, $hin:expr, $hout:expr]) => {
        attrs! {
            $(#[doc = $doc])*
            pub struct $name { $($attrs)* }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[array_ops!(@handle $form, "handle"), $($input),*],
                outputs: &[$($output),*],
                ..Spec::STATEFUL
            };

            fn shape(&self, $scx: &mut ShapeCx<'_>) -> Result<()> {
                let $this = self;
                $shape
            }
        }

        impl<D: Mover> Kernel<D> for $name {
            const HOST_INPUTS: &'static [isize] = &$hin;
            const HOST_OUTPUTS: &'static [isize] = &$hout;

            fn compute(&self, $cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
                let $op = self;
                $body
            }
        }
    };
    (@handle Reference, $name:literal) => { arg($name, is(DType::Str)).by_ref() };
    (@handle Strings, $name:literal) => { arg($name, is(DType::Str)) };
    (@handle Resource, $name:literal) => { arg($name, is(DType::Resource)) };
}
pub(super) use array_ops;

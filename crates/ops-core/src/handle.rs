//! How an op finds the resource that it works on: through a handle or, in the older form, through a reference to a
//! string tensor with its container and name.

use crate::prelude::*;
use crate::variable::{DEFAULT_CONTAINER, Variable, container_here, resource_input, resource_name};
use levada_graph::Handle;
use parking_lot::RwLock;
use std::any::Any;
use std::borrow::Cow;
use std::sync::Arc;

/// A resource that ops share by name.
pub trait Shared: Any + Send + Sync + Sized {
    /// The parameters of a resource, from the op that creates it.
    type Spec;

    /// Creates a resource.
    ///
    /// # Errors
    /// If these parameters are invalid.
    fn make(spec: Self::Spec) -> Result<Self>;

    /// Checks that this existing resource matches the requested parameters.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if it does not.
    fn check(&self, spec: &Self::Spec) -> Result<()>;
}

/// Returns the resource's name: `shared_name`, or the node's own name, which differs for every call that keeps a
/// separate state.
fn own_name<'a>(shared_name: &'a str, cx: &'a Cx<'_, '_>) -> Cow<'a, str> {
    let name = resource_name(shared_name, cx);
    match cx.step().scope.id {
        scope if scope != 0 && shared_name.is_empty() => format!("{name}@{scope:x}").into(),
        _ => name.into(),
    }
}

/// Sets output 0 to the handle of the resource with this name. `spec` is called only if the node has not received this
/// resource before.
///
/// # Errors
/// See `spec`, [`Shared::make`] and [`Shared::check`].
pub fn set_handle<T: Shared>(
    cx: &mut Cx<'_, '_>,
    container: &str,
    shared_name: &str,
    spec: impl FnOnce(&Cx<'_, '_>) -> Result<T::Spec>,
) -> Result<()> {
    let (container, name, node) = (container_here(container, cx), own_name(shared_name, cx), &cx.node().name);
    let resources = &cx.env().resources;
    let handle = match resources.handle_given::<T>(&container, &name, node) {
        Some(handle) => handle,
        None => {
            let mut spec = Some(spec(cx)?);
            let make = || T::make(spec.take().ok_or_else(|| Error::internal("a resource is made once"))?);
            let handle = resources.handle::<T>(&container, &name, make)?;
            if let (Some(spec), [Handle { object: Some(object), .. }]) = (spec, handle.slice::<Handle>()?) {
                object.downcast_ref::<T>().ok_or_else(|| Error::internal("a handle of another type"))?.check(&spec)?;
            }
            resources.give::<T>(&container, &name, node);
            handle
        }
    };
    cx.set(0, handle);
    Ok(())
}

/// Sets output 0 to a reference to a string tensor with the container and the name of the resource.
///
/// # Errors
/// See [`set_handle`].
pub fn set_reference<T: Shared>(
    cx: &mut Cx<'_, '_>,
    container: &str,
    shared_name: &str,
    spec: impl FnOnce(&Cx<'_, '_>) -> Result<T::Spec>,
) -> Result<()> {
    let name = &*own_name(shared_name, cx);
    let mut spec = Some(spec(cx)?);
    let make = || T::make(spec.take().ok_or_else(|| Error::internal("a resource is made once"))?);
    let resource = cx.env().resources.get_or_create::<T>(&container_here(container, cx), name, make)?;
    if let Some(spec) = spec {
        resource.check(&spec)?;
    }
    let shown = if container.is_empty() { DEFAULT_CONTAINER } else { container };
    let cell = cx.node_state(|| Reference(named(shown, name)))?.0.clone();
    cx.set_entry(0, Entry::Ref(cell));
    Ok(())
}

/// Sets output 0 to the location of the resource with this name: a handle, or a reference in older forms.
///
/// # Errors
/// See [`set_handle`].
pub fn set<T: Shared>(
    cx: &mut Cx<'_, '_>,
    container: &str,
    shared_name: &str,
    spec: impl FnOnce(&Cx<'_, '_>) -> Result<T::Spec>,
) -> Result<()> {
    match cx.output_dtype(0) {
        Some(DType::Resource) => set_handle::<T>(cx, container, shared_name, spec),
        _ => set_reference::<T>(cx, container, shared_name, spec),
    }
}

/// The cell that a node's reference refers to.
struct Reference(Arc<Variable>);

/// Returns a cell with a string tensor that names a resource.
pub fn named(container: &str, name: &str) -> Arc<Variable> {
    let words = [container, name].map(|s| Bytes::copy_from_slice(s.as_bytes()));
    let value = RwLock::new(Some(Tensor::vector(words.to_vec())));
    Arc::new(Variable { name: name.to_owned(), shape: PartialShape::vector(Some(2)), value })
}

/// Returns the container and name in the string tensor that input `i` refers to or holds.
pub fn named_input(cx: &levada_kernel::Io<'_>, i: usize) -> Result<(String, String)> {
    let words = match cx.referred(i) {
        Some(cell) => {
            cell.value.read().clone().ok_or_else(|| Error::failed_precondition("a reference without a value"))?
        }
        None => cx.input(i)?.clone(),
    };
    match words.slice::<Bytes>()? {
        [container, name] => {
            let text = |b: &Bytes| String::from_utf8_lossy(b).into_owned();
            Ok((text(container), text(name)))
        }
        other => Err(Error::invalid(format!("Resource handle must have 2 elements, but had {}", other.len()))),
    }
}

/// Returns the resource that input `i` refers to, in either form.
///
/// # Errors
/// `NOT_FOUND` if it does not exist, `INVALID_ARGUMENT` if it is of another type.
pub fn input<T: Any + Send + Sync>(cx: &Cx<'_, '_>, i: usize) -> Result<Arc<T>> {
    let is_handle = cx.referred(i).is_none() && cx.input(i).is_ok_and(|t| t.dtype() == DType::Resource);
    if is_handle {
        return resource_input(cx, i);
    }
    let (container, name) = named_input(cx, i)?;
    let found = cx.env().resources.get(&container_here(&container, cx), &name);
    found.ok_or_else(|| Error::not_found(format!("Resource {container}/{name} does not exist.")))
}

//! Storage of variables, and how ops find, read and modify them.
//!
//! Reference and resource variables keep their value in the same kind of cell. A reader shares the elements of the
//! value; a writer holds the cell's lock during its whole update, and modifies the elements in place if no reader
//! shares them, otherwise a copy. So every read returns the value between two writes, and no write is lost, regardless
//! of `use_locking`.

use crate::prelude::*;
use levada_graph::Handle;
use levada_kernel::Io;
use std::borrow::Cow;
use std::sync::Arc;

/// A variable's cell, the resource behind the handles of resource variables.
pub use levada_kernel::io::Variable;

/// The resource of a reference variable, distinct from a resource variable of the same name.
pub struct Legacy(pub Arc<Variable>);

/// Returns a variable without a value.
pub fn unset(name: &str, shape: &PartialShape) -> Variable {
    Variable { name: name.to_owned(), shape: shape.clone(), ..Variable::default() }
}

/// Returns the resource's name: `shared_name`, or the node's name if that is empty.
pub fn resource_name<'a>(shared_name: &'a str, cx: &'a Io<'_>) -> &'a str {
    if shared_name.is_empty() { &cx.node().name } else { shared_name }
}

/// The name of the default container, as it appears in a fetched reference.
pub const DEFAULT_CONTAINER: &str = "localhost";

/// Returns the container qualified by the node's device: names are local to their device.
pub fn container_here<'a>(container: &'a str, cx: &Io<'_>) -> Cow<'a, str> {
    let container = if container == DEFAULT_CONTAINER { "" } else { container };
    let device = &*cx.node().device;
    if device.ends_with("/device:CPU:0") { container.into() } else { format!("{container}@{device}").into() }
}

/// Returns the handle in input `i`.
pub fn handle_input<'a>(cx: &'a Io<'_>, i: usize) -> Result<&'a Handle> {
    match cx.slice::<Handle>(i)? {
        [handle] => Ok(handle),
        _ => Err(Error::invalid(format!("input {i} must be one resource handle, not a tensor of them"))),
    }
}

/// Returns the resource of type `T` that input `i` refers to.
///
/// # Errors
/// `NOT_FOUND` if it does not exist, `INVALID_ARGUMENT` if it is of another type.
pub fn resource_input<T: std::any::Any + Send + Sync>(cx: &Io<'_>, i: usize) -> Result<Arc<T>> {
    let handle = handle_input(cx, i)?;
    match &handle.object {
        Some(object) => object.clone().downcast().map_err(|_| {
            Error::invalid(format!(
                "the resource {}/{} is not of the type that this op uses",
                handle.container, handle.name
            ))
        }),
        None => {
            cx.env().resources.get(&handle.container, &handle.name).ok_or_else(|| {
                Error::not_found(format!("Resource {}/{} does not exist.", handle.container, handle.name))
            })
        }
    }
}

/// A variable that an op works on.
pub struct Target {
    /// The cell that holds its value.
    pub cell: Arc<Variable>,
    /// Whether it is a reference variable instead of a resource.
    pub is_ref: bool,
}

impl Target {
    /// Returns the variable that input `i` refers to: a reference or a handle.
    ///
    /// # Errors
    /// `NOT_FOUND` if it does not exist, `INVALID_ARGUMENT` for a resource that is not a variable.
    pub fn of(cx: &Io<'_>, i: usize) -> Result<Target> {
        match cx.referred(i) {
            Some(cell) => Ok(Target { cell: cell.clone(), is_ref: true }),
            None => Ok(Target { cell: resource_input(cx, i)?, is_ref: false }),
        }
    }

    /// Returns the error for use of the variable before it has a value.
    #[cold]
    pub fn unset(&self) -> Error {
        let name = &self.cell.name;
        let error = match self.is_ref {
            true => Error::failed_precondition(format!("Attempting to use uninitialized value {name}")),
            false => Error::not_found(format!("Resource {name} does not exist: the variable has no value")),
        };
        error.help("run the variable's initializer first, for instance with --init")
    }

    /// Returns the value, which shares its elements with the variable.
    ///
    /// # Errors
    /// If it has no value.
    pub fn read(&self) -> Result<Tensor> {
        self.cell.value.read().clone().ok_or_else(|| self.unset())
    }

    /// Runs `change` on the value with exclusive access to the variable. It must not wait for anything, nor split its
    /// work over threads: helping threads might run a node that needs the same variable.
    ///
    /// # Errors
    /// If it has no value, and the error of `change`.
    pub fn update<R>(&self, change: impl FnOnce(&mut Tensor) -> Result<R>) -> Result<R> {
        change(self.cell.value.write().as_mut().ok_or_else(|| self.unset())?)
    }

    /// Forwards the reference, for ops on references.
    pub fn forward(self, cx: &mut Io<'_>) {
        if self.is_ref {
            cx.set_entry(0, Entry::Ref(self.cell));
        }
    }
}

/// Checks that a value of dtype `found` can be stored in a variable of dtype `held`.
pub fn check_dtype(verb: &str, held: DType, found: DType) -> Result<()> {
    if held == found {
        return Ok(());
    }
    Err(Error::invalid(format!("Trying to {verb} variable with wrong dtype. Expected {held} got {found}")))
}

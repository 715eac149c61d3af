//! Where variables live, and how ops reach, read and change them.
//!
//! Both generations keep their value in the same cell. A reader shares the elements of the value; a writer holds the
//! cell's lock for all of its update, and changes the elements in place where no reader shares them, else a copy. So
//! every read gives the value between two writes, and no write is lost, whatever `use_locking` says.

use crate::prelude::*;
use levada_graph::Handle;
use levada_kernel::Io;
use std::borrow::Cow;
use std::sync::Arc;

/// A variable's cell; the resource that handles of resource variables refer to.
pub use levada_kernel::io::Variable;

/// A reference variable among the resources: not the same as a resource variable of its name.
pub struct Legacy(pub Arc<Variable>);

/// A variable without a value.
pub fn unset(name: &str, shape: &PartialShape) -> Variable {
    Variable { name: name.to_owned(), shape: shape.clone(), ..Variable::default() }
}

/// The resource's name: `shared_name`, or the node's own where that is empty.
pub fn resource_name<'a>(shared_name: &'a str, cx: &'a Io<'_>) -> &'a str {
    if shared_name.is_empty() { &cx.node().name } else { shared_name }
}

/// The name of the container of resources that name none, as a fetched reference shows it.
pub const DEFAULT_CONTAINER: &str = "localhost";

/// The container as the node's device knows it: names belong to their device, those of other devices are not seen.
pub fn container_here<'a>(container: &'a str, cx: &Io<'_>) -> Cow<'a, str> {
    let container = if container == DEFAULT_CONTAINER { "" } else { container };
    let device = &*cx.node().device;
    if device.ends_with("/device:CPU:0") { container.into() } else { format!("{container}@{device}").into() }
}

/// The handle on input `i`.
pub fn handle_input<'a>(cx: &'a Io<'_>, i: usize) -> Result<&'a Handle> {
    match cx.slice::<Handle>(i)? {
        [handle] => Ok(handle),
        _ => Err(Error::invalid(format!("input {i} must be one resource handle, not a tensor of them"))),
    }
}

/// The resource of type `T` that input `i` refers to.
///
/// # Errors
/// `NOT_FOUND` where there is none (any more), `INVALID_ARGUMENT` where it is of another type.
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
    /// Where its value is.
    pub cell: Arc<Variable>,
    /// True for a reference variable, false for a resource.
    pub is_ref: bool,
}

impl Target {
    /// The variable that input `i` refers to: a reference or a handle.
    ///
    /// # Errors
    /// `NOT_FOUND` where there is none (any more), `INVALID_ARGUMENT` for a resource that is no variable.
    pub fn of(cx: &Io<'_>, i: usize) -> Result<Target> {
        match cx.referred(i) {
            Some(cell) => Ok(Target { cell: cell.clone(), is_ref: true }),
            None => Ok(Target { cell: resource_input(cx, i)?, is_ref: false }),
        }
    }

    /// The error of using the variable before it has a value.
    #[cold]
    pub fn unset(&self) -> Error {
        let name = &self.cell.name;
        let error = match self.is_ref {
            true => Error::failed_precondition(format!("Attempting to use uninitialized value {name}")),
            false => Error::not_found(format!("Resource {name} does not exist: the variable has no value")),
        };
        error.help("run the variable's initializer first, for instance with --init")
    }

    /// The value, which shares its elements with the variable.
    ///
    /// # Errors
    /// Where it has none.
    pub fn read(&self) -> Result<Tensor> {
        self.cell.value.read().clone().ok_or_else(|| self.unset())
    }

    /// Runs `change` on the value while nobody else reads or writes the variable. It must not wait for anything, nor
    /// split its work over threads: those that help might run a node that wants the same variable.
    ///
    /// # Errors
    /// Where it has no value, and what `change` fails with.
    pub fn update<R>(&self, change: impl FnOnce(&mut Tensor) -> Result<R>) -> Result<R> {
        change(self.cell.value.write().as_mut().ok_or_else(|| self.unset())?)
    }

    /// Gives the reference on, for ops on references.
    pub fn forward(self, cx: &mut Io<'_>) {
        if self.is_ref {
            cx.set_entry(0, Entry::Ref(self.cell));
        }
    }
}

/// Checks that a value of dtype `found` fits a variable whose value has dtype `held`.
pub fn check_dtype(verb: &str, held: DType, found: DType) -> Result<()> {
    if held == found {
        return Ok(());
    }
    Err(Error::invalid(format!("Trying to {verb} variable with wrong dtype. Expected {held} got {found}")))
}

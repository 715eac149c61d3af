//! `StackV2`, `StackPushV2`, `StackPopV2`, `StackCloseV2` and their older forms: a stack of tensors that lives as long
//! as a step.

use crate::handle::{named, named_input};
use crate::prelude::*;
use crate::variable::resource_input;
use levada_graph::Handle;
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Where the handles say that stacks are.
const STACKS: &str = "_stacks";

/// A stack of tensors.
struct Tensors {
    name: String,
    dtype: DType,
    /// The most tensors it holds; negative for no limit.
    limit: i64,
    /// Protects the tensors; `None` once closed.
    tensors: Mutex<Option<Vec<Tensor>>>,
}

impl Tensors {
    fn open<R>(&self, act: impl FnOnce(&mut Vec<Tensor>) -> Result<R>) -> Result<R> {
        match &mut *self.tensors.lock() {
            Some(tensors) => act(tensors),
            None => Err(Error::invalid(format!("Stack[{}] has already been closed.", self.name))),
        }
    }
}

fn make(cx: &Cx<'_, '_>, dtype: DType, given: &str, limit: i64) -> Result<Arc<Tensors>> {
    let base = if given.is_empty() { &cx.node().name } else { given };
    // Only has to give every stack another number.
    let number = cx.node_state(|| AtomicU64::new(0))?.fetch_add(1, Ordering::Relaxed);
    let name = match cx.step().scope.id {
        0 => format!("{base}_{number}"),
        scope => format!("{base}@{scope:x}_{number}"),
    };
    Ok(Arc::new(Tensors { name, dtype, limit, tensors: Mutex::new(Some(Vec::new())) }))
}

/// The stack that input 0 refers to.
fn stack_input(cx: &Cx<'_, '_>) -> Result<Arc<Tensors>> {
    if cx.ref_input(0).is_err() && cx.input(0)?.dtype() == DType::Resource {
        return resource_input(cx, 0);
    }
    let (container, name) = named_input(cx, 0)?;
    let found = cx.step().resources.get::<Tensors>(&container, &name);
    found.ok_or_else(|| Error::not_found(format!("there is no stack {container}/{name} in this step")))
}

attrs! {
    /// A new stack.
    pub struct Stack {
        /// Element type.
        dtype: DType = Attr::dtype("elem_type", sets::ANY),
        /// Name for messages; empty for the node's.
        stack_name: String = Attr::string("stack_name").or_str(""),
    }
}

pub static STACK: Def<Stack> = op("Stack")
    .outputs(&[arg("handle", is(DType::Str)).by_ref()])
    .stateful()
    .shape(|_, cx| {
        cx.output_vector(0, Some(2));
        Ok(())
    })
    .kernel(stack);

fn stack(op: &Stack, cx: &mut Cx<'_, '_>) -> Result<()> {
    let stack = make(cx, op.dtype, &op.stack_name, -1)?;
    let name = stack.name.clone();
    cx.step().resources.insert_new(STACKS, &name, stack);
    cx.set_entry(0, Entry::Ref(named(STACKS, &name)));
    Ok(())
}

attrs! {
    /// A new stack of at most `max_size` tensors.
    pub struct StackV2 {
        /// Element type.
        dtype: DType = Attr::dtype("elem_type", sets::ANY),
        /// Name for messages; empty for the node's.
        stack_name: String = Attr::string("stack_name").or_str(""),
    }
}

impl Op for StackV2 {
    const SPEC: Spec = Spec {
        name: "StackV2",
        inputs: &[arg("max_size", is(DType::I32))],
        outputs: &[arg("handle", is(DType::Resource))],
        ..Spec::STATEFUL
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.output_scalar(0);
        Ok(())
    }
}

impl Kernel<Cpu> for StackV2 {
    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let size = cx.input(0)?;
        if !size.shape().is_scalar() {
            return Err(Error::invalid(format!("Stack size must be a scalar, but had shape: {}", size.shape())));
        }
        let stack = make(cx, self.dtype, &self.stack_name, i64::from(size.item::<i32>()?))?;
        let handle = Handle { container: STACKS.into(), name: stack.name.as_str().into(), object: Some(stack) };
        cx.set(0, Tensor::scalar(handle));
        Ok(())
    }
}

macro_rules! stack_ops {
    ($($handle:expr => $push:ident, $pop:ident, $close:ident;)*) => {$(
        attrs! {
            /// Pushes a tensor, and gives it on.
            pub struct $push {
                /// Element type.
                dtype: DType = Attr::dtype("T", sets::ANY),
                /// In TensorFlow, whether it may be moved to the host.
                swap_memory: bool = Attr::bool("swap_memory").or_bool(false),
            }
        }

        impl Op for $push {
            const SPEC: Spec = Spec {
                name: stringify!($push),
                inputs: &[$handle, arg("elem", of("T"))],
                outputs: &[arg("output", of("T"))],
                counts: Some("T"),
                ..Spec::STATEFUL
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                cx.output(0, cx.input(1));
                Ok(())
            }
        }

        impl Kernel<Cpu> for $push {
            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                let stack = stack_input(cx)?;
                if stack.dtype != self.dtype {
                    return Err(Error::invalid(format!("Must have type {} but got {}", stack.dtype, self.dtype)));
                }
                let tensor = cx.take(1)?;
                stack.open(|tensors| {
                    if stack.limit >= 0 && tensors.len() as i64 >= stack.limit {
                        return Err(Error::invalid(format!(
                            "Stack[{}] overflowed its max_size ({})", stack.name, stack.limit
                        )));
                    }
                    tensors.push(tensor.clone());
                    Ok(())
                })?;
                cx.set(0, tensor);
                Ok(())
            }
        }

        attrs! {
            /// Pops the tensor that was pushed last.
            pub struct $pop {
                /// Element type.
                dtype: DType = Attr::dtype("elem_type", sets::ANY),
            }
        }

        impl Op for $pop {
            const SPEC: Spec = Spec {
                name: stringify!($pop),
                inputs: &[$handle],
                outputs: &[arg("elem", of("elem_type"))],
                counts: Some("elem_type"),
                ..Spec::STATEFUL
            };
        }

        impl Kernel<Cpu> for $pop {
            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                let stack = stack_input(cx)?;
                let tensor = stack.open(|tensors| {
                    let empty = || Error::invalid(format!("Stack[{}] is empty when calling Pop().", stack.name));
                    tensors.pop().ok_or_else(empty)
                })?;
                if tensor.dtype() != self.dtype {
                    return Err(Error::invalid(format!("Must have type {} but got {}", self.dtype, tensor.dtype())));
                }
                cx.set(0, tensor);
                Ok(())
            }
        }

        attrs! {
            /// Gives the memory of a stack back; it cannot be used any more.
            pub struct $close {}
        }

        impl Op for $close {
            const SPEC: Spec = Spec { name: stringify!($close), inputs: &[$handle], ..Spec::STATEFUL };
        }

        impl Kernel<Cpu> for $close {
            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                let dropped = stack_input(cx)?.tensors.lock().take();
                drop(dropped);
                Ok(())
            }
        }
    )*};
}

stack_ops! {
    arg("handle", is(DType::Str)).by_ref() => StackPush, StackPop, StackClose;
    arg("handle", is(DType::Resource)) => StackPushV2, StackPopV2, StackCloseV2;
}

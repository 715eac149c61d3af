//! `StackV2`, `StackPushV2`, `StackPopV2`, `StackCloseV2` and their older forms: a stack of tensors that lives as long
//! as a step.

use crate::handle::{named, named_input};
use crate::prelude::*;
use crate::rules::never;
use crate::variable::resource_input;
use levada_graph::Handle;
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The container of the stacks, as it appears in their handles.
const STACKS: &str = "_stacks";

/// A stack of tensors.
struct Tensors {
    name: String,
    dtype: DType,
    /// Maximum number of tensors; negative for no limit.
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

/// Makes the names of stacks unique, since nodes may share a name.
static NEXT: AtomicU64 = AtomicU64::new(0);

fn make(cx: &Cx<'_, '_>, dtype: DType, given: &str, limit: i64) -> Result<Arc<Tensors>> {
    let base = if given.is_empty() { &cx.node().name } else { given };
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let name = match cx.step().scope.id {
        0 => format!("{base}_{number}"),
        scope => format!("{base}@{scope:x}_{number}"),
    };
    Ok(Arc::new(Tensors { name, dtype, limit, tensors: Mutex::new(Some(Vec::new())) }))
}

/// Returns the stack that input 0 refers to.
fn stack_input(cx: &Cx<'_, '_>) -> Result<Arc<Tensors>> {
    if cx.referred(0).is_none() && cx.input(0)?.dtype() == DType::Resource {
        return resource_input(cx, 0);
    }
    let (container, name) = named_input(cx, 0)?;
    let found = cx.step().resources.get::<Tensors>(&container, &name);
    found.ok_or_else(|| Error::not_found(format!("there is no stack {container}/{name} in this step")))
}

/// A stack handle in the older form.
const REFERENCE: Arg = arg("handle", is(DType::Str)).by_ref();
/// A stack handle.
const HANDLE: Arg = arg("handle", is(DType::Resource));

attrs! {
    /// Creates a stack.
    pub struct Stack {
        /// Element type.
        dtype: DType = Attr::dtype("elem_type", sets::ANY),
        /// Name for messages; empty for the node's name.
        stack_name: String = Attr::string("stack_name").or_str(""),
    }
}

pub static STACK: Def<Stack> = op("Stack")
    .store(Store::Make)
    .outputs(&[REFERENCE])
    .stateful()
    .shape(|_, cx| {
        cx.output_vector(0, Some(2));
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(stack);

fn stack(op: &Stack, cx: &mut Cx<'_, '_>) -> Result<()> {
    let stack = make(cx, op.dtype, &op.stack_name, -1)?;
    let name = stack.name.clone();
    cx.step().resources.insert_new(STACKS, &name, stack);
    cx.set_entry(0, Entry::Ref(named(STACKS, &name)));
    Ok(())
}

pub static STACK_V2: Def<Stack> = op("StackV2")
    .store(Store::Make)
    .doc("Creates a stack of at most `max_size` tensors.")
    .inputs(&[arg("max_size", is(DType::I32))])
    .outputs(&[HANDLE])
    .stateful()
    .shape(|_, cx| {
        cx.output_scalar(0);
        Ok(())
    })
    .host_inputs(&[0])
    .kernel(stack_v2);

fn stack_v2(op: &Stack, cx: &mut Cx<'_, '_>) -> Result<()> {
    let size = cx.input(0)?;
    if !size.shape().is_scalar() {
        return Err(Error::invalid(format!("Stack size must be a scalar, but had shape: {}", size.shape())));
    }
    let stack = make(cx, op.dtype, &op.stack_name, i64::from(size.item::<i32>()?))?;
    let handle = Handle { container: STACKS.into(), name: stack.name.as_str().into(), object: Some(stack) };
    cx.set(0, Tensor::scalar(handle));
    Ok(())
}

attrs! {
    /// Pushes a tensor onto a stack and returns it.
    pub struct StackPush {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// In TensorFlow, whether the tensor may be moved to the host.
        swap_memory: bool = Attr::bool("swap_memory").or_bool(false),
    }
}

pub static STACK_PUSH: Def<StackPush> = op("StackPush")
    .store(Store::Put(1))
    .inputs(&[REFERENCE, ELEMENT])
    .outputs(&[arg("output", of("T"))])
    .also(&[form("StackPushV2").inputs(&[HANDLE, ELEMENT]).not_differentiable()])
    .stateful()
    .counts("T")
    .shape(|_, cx| {
        cx.output(0, cx.input(1));
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(push);

const ELEMENT: Arg = arg("elem", of("T"));

fn push(op: &StackPush, cx: &mut Cx<'_, '_>) -> Result<()> {
    let stack = stack_input(cx)?;
    if stack.dtype != op.dtype {
        return Err(Error::invalid(format!("Must have type {} but got {}", stack.dtype, op.dtype)));
    }
    let tensor = cx.take(1)?;
    stack.open(|tensors| {
        if stack.limit >= 0 && tensors.len() as i64 >= stack.limit {
            return Err(Error::invalid(format!("Stack[{}] overflowed its max_size ({})", stack.name, stack.limit)));
        }
        tensors.push(tensor.clone());
        Ok(())
    })?;
    cx.set(0, tensor);
    Ok(())
}

attrs! {
    /// Pops the most recently pushed tensor off a stack.
    pub struct StackPop {
        /// Element type.
        dtype: DType = Attr::dtype("elem_type", sets::ANY),
    }
}

pub static STACK_POP: Def<StackPop> = op("StackPop")
    .store(Store::Take)
    .inputs(&[REFERENCE])
    .outputs(&[arg("elem", of("elem_type"))])
    .also(&[form("StackPopV2").inputs(&[HANDLE]).not_differentiable()])
    .stateful()
    .counts("elem_type")
    .gradient(|_, g| never(g))
    .kernel(|op, cx| {
        let stack = stack_input(cx)?;
        let tensor = stack.open(|tensors| {
            let empty = || Error::invalid(format!("Stack[{}] is empty when calling Pop().", stack.name));
            tensors.pop().ok_or_else(empty)
        })?;
        if tensor.dtype() != op.dtype {
            return Err(Error::invalid(format!("Must have type {} but got {}", op.dtype, tensor.dtype())));
        }
        cx.set(0, tensor);
        Ok(())
    });

attrs! {
    /// Closes a stack and frees its memory.
    pub struct StackClose {}
}

pub static STACK_CLOSE: Def<StackClose> = op("StackClose")
    .inputs(&[REFERENCE])
    .also(&[form("StackCloseV2").inputs(&[HANDLE]).not_differentiable()])
    .stateful()
    .gradient(|_, g| never(g))
    .kernel(|_, cx| {
        let dropped = stack_input(cx)?.tensors.lock().take();
        drop(dropped);
        Ok(())
    });

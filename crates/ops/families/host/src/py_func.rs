//! `PyFunc`, `PyFuncStateless` and `EagerPyFunc`: calls to functions that the program registers under tokens.
//!
//! A function runs on its own thread and holds no pool worker, unless it is registered as brief. A step that ends
//! before the function returns does not wait for it.

use crate::prelude::*;
use levada_graph::grad::is_differentiable;
use levada_kernel::Completion;
use levada_kernel::host::{GRADIENT, Host, HostCall};
use levada_kernel::outside::Caller;
use parking_lot::Mutex;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

attrs! {
    /// Calls the function registered in the session under `token`. It runs outside the session's threads and may block.
    pub struct PyFunc {
        /// Token of the function.
        token: Bytes = Attr::string("token"),
        /// Types of the arguments.
        inputs: Vec<DType> = Attr::dtypes("Tin", sets::ANY).at_least(0),
        /// Types of the results.
        outputs: Vec<DType> = Attr::dtypes("Tout", sets::ANY).at_least(0),
    }
}

pub static PY_FUNC: Def<PyFunc> = op("PyFunc")
    .inputs(&[arg("input", each("Tin"))])
    .outputs(&[arg("output", each("Tout"))])
    .stateful()
    .also(&[form("PyFuncStateless").doc("As PyFunc, for a function whose results depend only on its arguments.")])
    .kernel(|op, cx| call(&op.token, &op.outputs, cx));

attrs! {
    /// As PyFunc, with a gradient: the function registered under the token followed by `:gradient`, called with the
    /// arguments and the gradients of the results.
    pub struct EagerPyFunc {
        /// Token of the function.
        token: Bytes = Attr::string("token"),
        /// Ignored: the function never holds a worker.
        is_async: bool = Attr::bool("is_async").or_bool(false),
        /// Types of the arguments.
        inputs: Vec<DType> = Attr::dtypes("Tin", sets::ANY).at_least(0),
        /// Types of the results.
        outputs: Vec<DType> = Attr::dtypes("Tout", sets::ANY).at_least(0),
    }
}

pub static EAGER_PY_FUNC: Def<EagerPyFunc> = op("EagerPyFunc")
    .inputs(&[arg("input", each("Tin"))])
    .outputs(&[arg("output", each("Tout"))])
    .stateful()
    .gradient(gradient)
    .kernel(|op, cx| call(&op.token, &op.outputs, cx));

fn gradient(op: &EagerPyFunc, g: &GradCx) -> Grads {
    let flows = |dtype: &DType| is_differentiable(*dtype);
    let dys = op.outputs.iter().enumerate().filter(|(_, dtype)| flows(dtype)).map(|(i, _)| g.dy(i));
    let arguments: Vec<V<'_>> = g.inputs().into_iter().chain(dys).collect();
    let attrs = EagerPyFunc {
        token: [&op.token[..], GRADIENT.as_bytes()].concat().into(),
        is_async: op.is_async,
        inputs: op.inputs.iter().chain(op.outputs.iter().filter(|dtype| flows(dtype))).copied().collect(),
        outputs: op.inputs.iter().filter(|dtype| flows(dtype)).copied().collect(),
    };
    if attrs.outputs.is_empty() {
        return vec![None; op.inputs.len()];
    }
    let first = EAGER_PY_FUNC.node(g, &attrs, &arguments);
    let mut results = 0..;
    let grad = |dtype: &DType| flows(dtype).then(|| results.next()).flatten().and_then(|i| first.out(i).into());
    op.inputs.iter().map(grad).collect()
}

fn call(token: &Bytes, outputs: &[DType], cx: &mut Cx<'_, '_>) -> Result<()> {
    let token: Arc<str> = String::from_utf8_lossy(token).into();
    let caller = Caller::current();
    if let Some(known) = caller.as_ref().and_then(|caller| caller.recall("host")) {
        for (i, result) in checked(&token, outputs, known?)?.into_iter().enumerate() {
            cx.set(i, result);
        }
        return Ok(());
    }
    let note = move |results: &Result<Vec<Tensor>>| {
        if let Some(caller) = &caller {
            caller.note("host", results);
        }
    };
    let host: Arc<Host> = cx.env().host.clone();
    let function = host.find(&token)?;
    let inputs: Vec<Tensor> = (0..cx.num_inputs()).map(|i| cx.take(i)).collect::<Result<_>>()?;
    let (node, cancel) = (cx.node(), cx.cancel().clone());
    let call = HostCall {
        token: token.clone(),
        node: node.name.clone(),
        op: node.op,
        device: node.device.clone(),
        inputs,
        outputs: outputs.to_vec(),
        cancel: cancel.clone(),
    };
    if function.is_brief() {
        let called = catch_unwind(AssertUnwindSafe(|| function.call(call)));
        let results = called.unwrap_or_else(|_| Err(Error::internal("the function panicked")));
        note(&results);
        for (i, result) in checked(&token, outputs, results?)?.into_iter().enumerate() {
            cx.set(i, result);
        }
        return Ok(());
    }
    // Whichever comes first finishes the node: the function returning or the step ending.
    let open: Arc<Mutex<Option<Completion>>> = Arc::new(Mutex::new(Some(cx.defer())));
    let finish = |open: &Mutex<Option<Completion>>, results: Result<Vec<Tensor>>| {
        let done = open.lock().take();
        if let Some(done) = done {
            done.finish(results);
        }
    };
    let listening = {
        let open = open.clone();
        cancel.on_cancel(move |reason| finish(&open, Err(reason.clone())))
    };
    let running = open.clone();
    let spawned = host.spawn(move |helper| {
        match &*running.lock() {
            Some(done) => done.began(helper),
            // The step has already ended.
            None => return,
        }
        let (token, types) = (call.token.clone(), call.outputs.clone());
        let called = catch_unwind(AssertUnwindSafe(|| function.call(call)));
        let results = called.unwrap_or_else(|_| Err(Error::internal("the function panicked")));
        note(&results);
        finish(&running, results.and_then(|results| checked(&token, &types, results)));
        drop(listening);
    });
    if let Err(error) = spawned {
        finish(&open, Err(error));
    }
    Ok(())
}

/// Returns the results if their number and dtypes match the node's outputs.
fn checked(token: &str, types: &[DType], results: Vec<Tensor>) -> Result<Vec<Tensor>> {
    if results.len() != types.len() {
        let (found, expected) = (results.len(), types.len());
        return Err(Error::invalid(format!("{token} returns {found} values, but expects to see {expected} values.")));
    }
    match results.iter().zip(types).position(|(result, ty)| result.dtype() != *ty) {
        None => Ok(results),
        Some(i) => {
            let (found, expected) = (results[i].dtype(), types[i]);
            Err(Error::invalid(format!("{i}-th value returned by {token} is {found}, but expects {expected}")))
        }
    }
}

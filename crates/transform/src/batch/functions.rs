//! Functions for many examples.

use super::walk::{Scope, Stop, Walk};
use levada_graph::def::{FunctionDef, Signature};
use levada_graph::function::{Instance, define, instantiate};
use levada_graph::grad::order;
use levada_graph::{Func, Graph, GraphDef, PartialShape, Result};
use std::collections::HashMap;

/// A function that was batched.
#[derive(Clone, Debug)]
pub(super) struct Made {
    pub(super) function: Func,
    /// Which results vary.
    pub(super) varies: Vec<bool>,
    /// Shapes of the results for one example.
    pub(super) shapes: Vec<PartialShape>,
}

/// How a function is called.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Key {
    function: String,
    varies: Vec<bool>,
    shapes: Vec<String>,
    forced: Vec<bool>,
}

#[derive(Debug)]
enum State {
    /// It is being made, under this name. True where it was found to call itself.
    Open(String, bool),
    Done(Made),
}

/// The functions that were batched.
#[derive(Default, Debug)]
pub(super) struct Done(HashMap<Key, State>);

/// A call of a function: which arguments vary, the shapes of all for one example, and which results must vary.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) varies: Vec<bool>,
    pub(super) shapes: Vec<PartialShape>,
    pub(super) forced: Vec<bool>,
}

/// The function for many examples; `None` where it can only be called with one.
pub(super) fn batched(scope: &Scope, function: &Func, call: &Call) -> Result<Option<Made>, Stop> {
    if order(&function.attrs) > 0 {
        return Ok(None);
    }
    let instance = instantiate(&scope.library(), function, &scope.registry)?;
    if instance.args.len() != call.varies.len() {
        return Err(Stop::Refuse(format!("{} takes other arguments than the node gives it", function.name)));
    }
    let mut call = call.clone();
    call.forced.resize(instance.rets.len(), false);
    if !call.varies.contains(&true) {
        if call.forced.contains(&true) {
            return Err(Stop::Refuse(format!("{} has no argument that differs between examples", function.name)));
        }
        let shapes = vec![PartialShape::Unknown; instance.rets.len()];
        return Ok(Some(Made { function: function.clone(), varies: call.forced, shapes }));
    }
    let name = format!("{}{:?}", function.name, function.attrs);
    let key = |call: &Call| Key {
        function: name.clone(),
        varies: call.varies.clone(),
        shapes: call.shapes.iter().map(PartialShape::to_string).collect(),
        forced: call.forced.clone(),
    };
    // A function that calls itself does so with all results for each example, and with tensors of any shape.
    let calls_itself = scope.functions.borrow().0.iter().any(|(other, state)| {
        matches!(state, State::Open(..)) && other.function == name && other.varies == call.varies
    });
    if calls_itself {
        call.shapes.fill(PartialShape::Unknown);
        call.forced.fill(true);
    }
    let key = key(&call);
    match scope.functions.borrow_mut().0.get_mut(&key) {
        Some(State::Done(made)) => return Ok(Some(made.clone())),
        Some(State::Open(made, calls_itself)) => {
            *calls_itself = true;
            let function = Func { name: made.clone(), ..Func::default() };
            let shapes = vec![PartialShape::Unknown; instance.rets.len()];
            return Ok(Some(Made { function, varies: call.forced, shapes }));
        }
        None => {}
    }
    let made = scope.add(&format!("{}_batched", function.name), |name| FunctionDef {
        signature: Signature { name, ..Signature::default() },
        ..FunctionDef::default()
    });
    scope.functions.borrow_mut().0.insert(key.clone(), State::Open(made.clone(), false));
    match body(scope, &instance, &call, &function.name, &made) {
        Ok(done) => {
            scope.functions.borrow_mut().0.insert(key, State::Done(done.clone()));
            Ok(Some(done))
        }
        Err(stop) => {
            scope.functions.borrow_mut().0.remove(&key);
            Err(stop)
        }
    }
}

fn body(scope: &Scope, instance: &Instance, call: &Call, of: &str, name: &str) -> Result<Made, Stop> {
    let given = |varies: bool| {
        let args = instance.args.iter().zip(&call.varies).zip(&call.shapes);
        args.filter(move |((_, v), _)| **v == varies).map(|((&at, _), shape)| (at, shape.clone()))
    };
    let varying = given(true).map(|(at, shape)| (at, Some(shape))).collect();
    let rets = instance.rets.iter().map(|e| e.node);
    let targets = rets.chain(instance.targets.iter().copied()).chain(instance.args.iter().map(|e| e.node)).collect();
    let mut walk = Walk::with_known(scope, &instance.graph, varying, given(false).collect(), targets)?;
    let needed = instance.rets.iter().map(|e| e.node).chain(instance.targets.iter().copied());
    if let Some(refused) = needed.into_iter().find_map(|id| walk.refused.get(&id)) {
        return Err(Stop::Refuse(format!("{} of {of} ({}): {}", refused.node, refused.op, refused.reason)));
    }
    let mut varies = Vec::new();
    let mut results = Vec::new();
    for (i, &ret) in instance.rets.iter().enumerate() {
        let lanes = walk.lanes(ret);
        let at = match call.forced[i] && !lanes.varies {
            true => walk.repeated(ret.node, lanes.at, &instance.graph.node(ret.node).name)?,
            false => lanes.at,
        };
        varies.push(lanes.varies || call.forced[i]);
        results.push(walk.reference(at));
    }
    let shapes = instance.rets.iter().map(|&ret| walk.shape(ret)).collect();
    let def = GraphDef { nodes: walk.nodes()?, library: (*scope.library()).clone(), ..GraphDef::default() };
    let graph = Graph::from_def(def, &scope.registry)?;
    let args = instance.args.iter().map(|at| graph.endpoint(&instance.graph.node(at.node).name));
    let args = args.collect::<Result<Vec<_>>>()?;
    let rets = results.iter().map(|name| graph.endpoint(name)).collect::<Result<Vec<_>>>()?;
    let mut made = define(&graph, name, &args, &rets);
    if let Some(own) = scope.library().function(of) {
        made.attrs = own.attrs.clone();
        made.control_ret = own.control_ret.clone();
        made.signature.control_outputs = own.signature.control_outputs.clone();
        made.signature.is_stateful = own.signature.is_stateful;
    }
    scope.set(made);
    Ok(Made { function: Func { name: name.to_owned(), ..Func::default() }, varies, shapes })
}

//! Batched functions.

use super::one_by_one::functions as called;
use super::walk::{Scope, Stop, Walk};
use levada_graph::def::{FunctionDef, Library, Signature};
use levada_graph::function::{Instance, define, instantiate};
use levada_graph::grad::order;
use levada_graph::{Func, Graph, GraphDef, PartialShape, Result};
use std::collections::{HashMap, HashSet};

/// A batched function.
#[derive(Clone, Debug)]
pub(super) struct Made {
    pub(super) function: Func,
    /// Which results vary.
    pub(super) varies: Vec<bool>,
    /// Shapes of the results for one example.
    pub(super) shapes: Vec<PartialShape>,
    /// Its nodes that run example by example, and their ops.
    pub(super) one_by_one: Vec<(String, String)>,
}

/// The properties of a call that determine the batched function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Key {
    function: String,
    varies: Vec<bool>,
    shapes: Vec<String>,
    forced: Vec<bool>,
}

#[derive(Clone, Debug)]
enum State {
    /// It is being made, under this name, with results of these shapes in recursive calls.
    Open(String, Vec<PartialShape>),
    Done(Made),
}

/// The batched functions.
#[derive(Clone, Default, Debug)]
pub(super) struct Done {
    made: HashMap<Key, State>,
    /// Whether functions are recursive, directly or indirectly.
    recursive: HashMap<String, bool>,
}

impl Done {
    /// True while a function is being made.
    pub(super) fn any_open(&self) -> bool {
        self.made.values().any(|state| matches!(state, State::Open(..)))
    }
}

/// A call of a function: which arguments vary, the shapes of all for one example, and which results must vary.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) varies: Vec<bool>,
    pub(super) shapes: Vec<PartialShape>,
    pub(super) forced: Vec<bool>,
}

/// The batched function; `None` if it can only be called with one example.
pub(super) fn batched(scope: &Scope, function: &Func, call: &Call) -> Result<Option<Made>, Stop> {
    if order(&function.attrs) > 0 {
        return Ok(None);
    }
    let instance = instantiate(&scope.library(), function, &scope.registry)?;
    if instance.args.len() != call.varies.len() {
        return Err(Stop::Refuse(format!("the parameters of {} do not match the node's inputs", function.name)));
    }
    let mut call = call.clone();
    call.forced.resize(instance.rets.len(), false);
    if !call.varies.contains(&true) {
        if call.forced.contains(&true) {
            return Err(Stop::Refuse(format!("{} has no argument that differs between examples", function.name)));
        }
        let shapes = vec![PartialShape::Unknown; instance.rets.len()];
        let function = function.clone();
        return Ok(Some(Made { function, varies: call.forced, shapes, one_by_one: Vec::new() }));
    }
    let name = format!("{}{:?}", function.name, function.attrs);
    let key = |call: &Call| Key {
        function: name.clone(),
        varies: call.varies.clone(),
        shapes: call.shapes.iter().map(PartialShape::to_string).collect(),
        forced: call.forced.clone(),
    };
    if calls_itself(scope, &function.name) {
        // Recursive calls have all results vary, and take tensors of the shapes of this call, or of any shape.
        call.forced.fill(true);
        let shapes = key(&call).shapes;
        let functions = scope.functions.borrow();
        let mut open = functions.made.iter().filter(|(other, state)| {
            matches!(state, State::Open(..)) && other.function == name && other.varies == call.varies
        });
        if open.clone().next().is_some() && !open.any(|(other, _)| other.shapes == shapes) {
            call.shapes.fill(PartialShape::Unknown);
        }
    }
    let key = key(&call);
    match scope.functions.borrow().made.get(&key) {
        Some(State::Done(made)) => return Ok(Some(made.clone())),
        Some(State::Open(made, shapes)) => {
            let function = Func { name: made.clone(), ..Func::default() };
            let (varies, shapes) = (call.forced, shapes.clone());
            return Ok(Some(Made { function, varies, shapes, one_by_one: Vec::new() }));
        }
        None => {}
    }
    let make = |shapes: &[PartialShape]| {
        let made = scope.add(&format!("{}_batched", function.name), |name| FunctionDef {
            signature: Signature { name, ..Signature::default() },
            ..FunctionDef::default()
        });
        let open = State::Open(made.clone(), shapes.to_vec());
        scope.functions.borrow_mut().made.insert(key.clone(), open);
        let done = body(scope, &instance, &call, &function.name, &made);
        let mut functions = scope.functions.borrow_mut();
        match &done {
            Ok(done) => drop(functions.made.insert(key.clone(), State::Done(done.clone()))),
            Err(_) => drop(functions.made.remove(&key)),
        }
        done
    };
    let unknown = vec![PartialShape::Unknown; instance.rets.len()];
    let before = scope.before();
    if !scope.functions.borrow().any_open() && calls_itself(scope, &function.name) {
        // The shapes of results that do not come from a recursive call are those of all, if they reproduce themselves.
        let guessed = scope.guessing(|| make(&unknown)).map(|made| made.shapes);
        scope.back_to(&before);
        if let Ok(guessed) = guessed
            && guessed != unknown
        {
            match make(&guessed) {
                Ok(made) if made.shapes == guessed => return Ok(Some(made)),
                _ => scope.back_to(&before),
            }
        }
    }
    make(&unknown).map(Some)
}

/// True for a function that is being made, or calls one that is.
pub(super) fn calls_open(scope: &Scope, name: &str) -> bool {
    let open: Vec<String> = {
        let functions = scope.functions.borrow();
        let names = functions.made.values().filter_map(|state| match state {
            State::Open(name, _) => Some(name.clone()),
            State::Done(_) => None,
        });
        names.collect()
    };
    let is_open = |called: &str| open.iter().any(|open| open == called);
    is_open(name) || reaches(&scope.library(), name, is_open)
}

fn calls_itself(scope: &Scope, name: &str) -> bool {
    let known = scope.functions.borrow().recursive.get(name).copied();
    known.unwrap_or_else(|| {
        let found = reaches(&scope.library(), name, |called| called == name);
        scope.functions.borrow_mut().recursive.insert(name.to_owned(), found);
        found
    })
}

/// True if a function that a function calls, directly or indirectly, satisfies `is`.
fn reaches(library: &Library, name: &str, is: impl Fn(&str) -> bool) -> bool {
    let mut open = vec![name.to_owned()];
    let mut seen: HashSet<String> = HashSet::new();
    while let Some(name) = open.pop() {
        for node in library.function(&name).map_or(&[][..], |f| &f.nodes) {
            let by_name = library.function(&node.op).map(|_| node.op.clone());
            for called in called(&node.attrs).into_iter().chain(by_name) {
                if is(&called) {
                    return true;
                }
                if seen.insert(called.clone()) {
                    open.push(called);
                }
            }
        }
    }
    false
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
    let function = Func { name: name.to_owned(), ..Func::default() };
    Ok(Made { function, varies, shapes, one_by_one: walk.one_by_one })
}

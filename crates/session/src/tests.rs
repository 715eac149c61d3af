//! Sessions on small graphs, with the op library of the facade.

mod coordinator;
mod growth;
mod partial;
mod plans;
mod queues;
mod runs;

use crate::{Session, SessionOptions};
use levada_graph::{Error, Shape, Tensor, read};
use levada_testkit::levada;

/// `y = x * x`, `z = -y` and `both = y + z` of a placeholder `x` of shape `[?, 2]`; `quotient = one / n` of integers.
const ARITHMETIC: &str = r#"
    {"name": "x", "op": "Placeholder", "attr": {"dtype": "float32", "shape": [null, 2]}},
    {"name": "y", "op": "Mul", "input": ["x", "x"]},
    {"name": "z", "op": "Neg", "input": ["y"]},
    {"name": "both", "op": "AddV2", "input": ["y", "z"]},
    {"name": "n", "op": "Placeholder", "attr": {"dtype": "int32", "shape": []}},
    {"name": "one", "op": "Const", "attr": {"dtype": "int32", "value": 1}},
    {"name": "quotient", "op": "Div", "input": ["one", "n"]},
    {"name": "nothing", "op": "NoOp", "input": ["^quotient"]}"#;

/// A counter: `init` sets it to 0, `add` adds 1, `read` reads it; `added` reads it after adding 1.
const COUNTER: &str = r#"
    {"name": "v", "op": "VarHandleOp", "attr": {"dtype": "int64", "shape": []}},
    {"name": "zero", "op": "Const", "attr": {"dtype": "int64", "value": 0}},
    {"name": "step", "op": "Const", "attr": {"dtype": "int64", "value": 1}},
    {"name": "init", "op": "AssignVariableOp", "input": ["v", "zero"]},
    {"name": "add", "op": "AssignAddVariableOp", "input": ["v", "step"]},
    {"name": "read", "op": "ReadVariableOp", "input": ["v"], "attr": {"dtype": "int64"}},
    {"name": "added", "op": "ReadVariableOp", "input": ["v", "^add"], "attr": {"dtype": "int64"}}"#;

/// A queue `q` with room for two: `put` enqueues the placeholder `n`, `take` dequeues.
const QUEUE: &str = r#"
    {"name": "q", "op": "FIFOQueueV2", "attr": {"component_types": ["int32"], "shapes": [[]], "capacity": 2}},
    {"name": "n", "op": "Placeholder", "attr": {"dtype": "int32", "shape": []}},
    {"name": "put", "op": "QueueEnqueueV2", "input": ["q", "n"]},
    {"name": "take", "op": "QueueDequeueV2", "input": ["q"], "attr": {"component_types": ["int32"]}},
    {"name": "size", "op": "QueueSizeV2", "input": ["q"]},
    {"name": "close", "op": "QueueCloseV2", "input": ["q"]}"#;

/// A session on one CPU with these nodes, and what may follow them in the file.
fn session_of(nodes: &str, rest: &str, options: SessionOptions) -> Session {
    let registry = levada::registry();
    let graph = read::json(format!("{{\"node\": [{nodes}]{rest}}}").as_bytes(), &registry).unwrap();
    let devices = levada::devices(&levada::SessionOptions::default()).into_iter().take(1).collect();
    Session::with_devices(graph, registry, devices, options).unwrap()
}

fn session(nodes: &str) -> Session {
    session_of(nodes, "", SessionOptions::default())
}

fn rows(values: &[[f32; 2]]) -> Tensor {
    Tensor::from_vec(Shape::new([values.len(), 2]).unwrap(), values.concat()).unwrap()
}

fn number(value: i32) -> [(&'static str, Tensor); 1] {
    [("n", Tensor::scalar(value))]
}

/// The messages of all errors contained in one.
fn messages(error: &Error) -> Vec<&str> {
    error.all().map(Error::message).collect()
}

/// Waits until `nodes` nodes of the session's runs wait.
fn until_waiting(session: &Session, nodes: usize) {
    while session.waiting().nodes.len() < nodes {
        std::thread::yield_now();
    }
}

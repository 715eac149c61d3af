//! Explains why a node's outputs differ although its inputs are the same.

use crate::measure::numbers;
use crate::values::Values;
use levada_graph::graph::Node;
use levada_graph::spec::Role;
use levada_graph::{AttrValue, DType, Endpoint, Graph, NodeDef, Tensor};
use levada_session::{Session, SessionOptions};

/// A node that differs although its inputs do not.
#[derive(Clone, PartialEq, Debug)]
pub struct Cause {
    /// The node in the first graph.
    pub node: String,
    /// Its op.
    pub op: String,
    /// The output that differs.
    pub output: u32,
    /// The explanation.
    pub blame: Blame,
}

/// The cause of a difference.
#[derive(Clone, PartialEq, Debug)]
pub enum Blame {
    /// The second graph has another op.
    Op(String),
    /// These attrs have different values.
    Attrs(Vec<String>),
    /// It has different inputs.
    Inputs,
    /// It is a constant with a different value, or a variable.
    Value,
    /// The same op on the same inputs: the error of each relative to the float64 result, at the largest difference.
    Rounding {
        /// The first node's error.
        first: f64,
        /// The second node's error.
        second: f64,
    },
    /// Unknown.
    Unknown,
}

/// The reason why two nodes differ in output `output`.
pub(crate) fn of(session: &Session, first: (&Node, &Values), second: (&Node, &Values), output: u32) -> Blame {
    let ((a, of_a), (b, of_b)) = (first, second);
    if a.op_name() != b.op_name() {
        return Blame::Op(b.op_name().to_owned());
    }
    if a.spec().role == Role::Const || a.inputs.is_empty() {
        return Blame::Value;
    }
    let attrs: Vec<String> = a
        .attrs
        .iter()
        .filter(|(name, value)| !name.starts_with('_') && b.attrs.get(name).is_some_and(|other| other != *value))
        .map(|(name, _)| name.to_string())
        .collect();
    let only_dtypes = attrs.iter().all(|name| matches!(a.attrs.get(name), Some(AttrValue::Type(_))));
    if !only_dtypes {
        return Blame::Attrs(attrs);
    }
    let names =
        |node: &Node, values: &Values| node.inputs.iter().map(|e| values.graph.endpoint_name(*e)).collect::<Vec<_>>();
    let (exact_a, exact_b) = (exact(session, a, of_a, output), exact(session, b, of_b, output));
    let error = |node: &Node, values: &Values, exact: &Tensor| {
        let id = values.graph.find(&node.name)?;
        let found = numbers(values.of.get(&Endpoint::new(id, output))?)?;
        let exact = numbers(exact)?;
        (found.len() == exact.len()).then(|| found.iter().zip(&exact).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max))
    };
    let errors = exact_a.zip(exact_b).and_then(|(x, y)| Some((error(a, of_a, &x)?, error(b, of_b, &y)?)));
    match errors {
        Some((first, second)) => Blame::Rounding { first, second },
        None if names(a, of_a) != names(b, of_b) => Blame::Inputs,
        None => Blame::Unknown,
    }
}

/// The node's output in float64 for the inputs that it had; `None` if the inputs are not floats, or the op has no
/// float64 kernel.
fn exact(session: &Session, node: &Node, values: &Values, output: u32) -> Option<Tensor> {
    if node.op.is_stateful() || node.inputs.is_empty() {
        return None;
    }
    let registry = session.registry();
    let mut graph = Graph::new();
    let mut feeds: Vec<(String, Tensor)> = Vec::new();
    let mut def = NodeDef { name: "node".to_owned(), op: node.op_name().to_owned(), ..NodeDef::default() };
    for (i, from) in node.inputs.iter().enumerate() {
        let value = values.of.get(from)?;
        let wide = if is_narrow(value.dtype()) { widened(value)? } else { value.clone() };
        let name = format!("input{i}");
        let mut placeholder = NodeDef { name: name.clone(), op: "Placeholder".to_owned(), ..NodeDef::default() };
        placeholder.attrs.set("dtype", AttrValue::Type(wide.dtype().into()));
        graph.add(registry, &placeholder).ok()?;
        def.inputs.push(name.clone());
        feeds.push((name, wide));
    }
    let mut is_of_floats = false;
    for (name, value) in node.attrs.iter().filter(|(name, _)| !name.starts_with('_')) {
        let value = match value {
            AttrValue::Type(ty) if is_narrow(ty.dtype) => {
                is_of_floats = true;
                AttrValue::Type(DType::F64.into())
            }
            other => other.clone(),
        };
        def.attrs.set(name.clone(), value);
    }
    if !is_of_floats {
        return None;
    }
    graph.add(registry, &def).ok()?;
    let session =
        Session::with_devices(graph, registry.clone(), session.devices().to_vec(), SessionOptions::default()).ok()?;
    let feeds: Vec<(&str, Tensor)> = feeds.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
    session.run(&feeds, &[&format!("node:{output}")], &[]).ok()?.pop()
}

fn is_narrow(dtype: DType) -> bool {
    matches!(dtype, DType::F32 | DType::F16 | DType::BF16)
}

fn widened(tensor: &Tensor) -> Option<Tensor> {
    Tensor::from_vec(tensor.shape().clone(), numbers(tensor)?).ok()
}

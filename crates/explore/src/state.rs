//! The state that runs leave: variables, queues and tables. It is read after a run has ended.

use crate::{Place, Value};
use levada_graph::attr::{AttrList, AttrValue, Attrs};
use levada_graph::def::NodeDef;
use levada_graph::graph::Node;
use levada_graph::spec::{Act, Effect};
use levada_graph::{DType, Graph, GraphDef, Handle, Registry, Result, Tensor};
use levada_kernel::io::Variable;
use levada_session::Session;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// The maximum number of queue elements that are read.
const MOST_ELEMENTS: i64 = 1 << 16;

/// The stores of a graph, and the nodes that read them.
#[derive(Default)]
pub struct Stores {
    /// Nodes of variables.
    variables: Vec<String>,
    /// Nodes of queues, with the node that returns the size, the node that dequeues, and its number of components.
    queues: Vec<(String, String, String, usize)>,
    /// Nodes of tables, with the node that exports them.
    tables: Vec<(String, String)>,
}

/// Fixes random seeds that would differ from session to session, and adds the nodes that read queues and tables.
///
/// # Errors
/// An error if the graph cannot be changed.
pub fn prepare(mut graph: Graph, registry: &Registry) -> Result<(Graph, Stores)> {
    fix_seeds(&mut graph, registry)?;
    let mut stores = Stores::default();
    let mut added = Vec::new();
    for (_, node) in graph.nodes() {
        if !node.inputs.is_empty() || node.output_types.len() != 1 {
            continue;
        }
        let (ty, spec) = (node.output_types[0], node.spec());
        let is_handle = ty.dtype == DType::Resource;
        if spec.act == Some(Act::Make) {
            if let Some(AttrValue::List(AttrList::Type(types))) = node.attrs.get("component_types") {
                let version = if is_handle { "V2" } else { "" };
                let (size, take) = (name(node, "size"), name(node, "take"));
                added.push(reader(node, &size, &format!("QueueSize{version}"), &[]));
                let components = AttrValue::List(AttrList::Type(types.clone()));
                added.push(reader(node, &take, &format!("QueueDequeue{version}"), &[("component_types", components)]));
                stores.queues.push((node.name.to_string(), size, take, types.len()));
            }
        } else if let (Some(keys), Some(values)) = (node.attrs.get("key_dtype"), node.attrs.get("value_dtype")) {
            if is_handle {
                let export = name(node, "export");
                let attrs = [("Tkeys", keys.clone()), ("Tvalues", values.clone())];
                added.push(reader(node, &export, "LookupTableExportV2", &attrs));
                stores.tables.push((node.name.to_string(), export));
            }
        } else if (ty.is_ref && ty.dtype != DType::Str) || (is_handle && spec.effect == Some(Effect::Own)) {
            stores.variables.push(node.name.to_string());
        }
    }
    let kept: Vec<NodeDef> = added.into_iter().filter(|def| registry.get(&def.op).is_some()).collect();
    graph.extend(GraphDef { nodes: kept, versions: graph.versions.clone(), ..GraphDef::default() }, registry)?;
    Ok((graph, stores))
}

/// An unused node name.
fn name(node: &Node, what: &str) -> String {
    format!("{}/explore_{what}", node.name)
}

fn reader(of: &Node, name: &str, op: &str, attrs: &[(&str, AttrValue)]) -> NodeDef {
    let mut def =
        NodeDef { name: name.to_owned(), op: op.to_owned(), inputs: vec![of.name.to_string()], ..NodeDef::default() };
    for (attr, value) in attrs {
        def.attrs.set(*attr, value.clone());
    }
    def
}

/// Sets the seeds of nodes whose seeds are both 0, which means different numbers in every session.
fn fix_seeds(graph: &mut Graph, registry: &Registry) -> Result<()> {
    let is_zero = |value: Option<&AttrValue>| matches!(value, None | Some(AttrValue::I(0)));
    let unseeded = |op: &str, attrs: &Attrs| {
        let op = registry.get(op).filter(|op| op.spec.stateful);
        op.is_some_and(|op| ["seed", "seed2"].iter().all(|seed| op.attr(seed).is_some() && is_zero(attrs.get(seed))))
    };
    let seed = |name: &str| {
        let mut hasher = DefaultHasher::new();
        name.hash(&mut hasher);
        (hasher.finish() >> 33) as i64 + 1
    };
    let def = graph.to_def();
    let ids: Vec<_> = graph.ids().collect();
    for (id, mut node) in ids.into_iter().zip(def.nodes) {
        if unseeded(&node.op, &node.attrs) {
            node.attrs.set("seed", AttrValue::I(seed(&node.name)));
            let inputs = graph.node(id).inputs.to_vec();
            graph.replace(registry, id, &node, inputs)?;
        }
    }
    let library = Arc::make_mut(&mut graph.library);
    for function in &mut library.functions {
        for node in &mut function.nodes {
            if unseeded(&node.op, &node.attrs) {
                node.attrs.set("seed", AttrValue::I(seed(&node.name)));
            }
        }
    }
    Ok(())
}

impl Stores {
    /// Reads the state after a run.
    pub fn read(&self, session: &Session) -> Vec<(Place, Value)> {
        let mut found = Vec::new();
        for name in &self.variables {
            let value = match session.run(&[], &[name], &[]) {
                Ok(fetched) => fetched.into_iter().next().map_or(Value::Nothing, behind),
                Err(_) => Value::Nothing,
            };
            found.push((Place::Variable(name.clone()), value));
        }
        for (queue, size, take, components) in &self.queues {
            let count = session.run(&[], &[size], &[]).ok().and_then(|size| size[0].item::<i32>().ok());
            let count = i64::from(count.unwrap_or(0)).min(MOST_ELEMENTS);
            let names: Vec<String> = (0..*components).map(|i| format!("{take}:{i}")).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let elements = (0..count).map_while(|_| session.run(&[], &names, &[]).ok()).collect();
            found.push((Place::Queue(queue.clone()), Value::Elements(elements)));
        }
        for (table, export) in &self.tables {
            if let Ok(content) = session.run(&[], &[export, &format!("{export}:1")], &[]) {
                found.push((Place::Table(table.clone()), Value::Elements(rows(&content))));
            }
        }
        found
    }
}

/// The value of the variable if this is a variable's handle, otherwise the value itself.
fn behind(tensor: Tensor) -> Value {
    if tensor.dtype() != DType::Resource {
        return Value::Tensor(tensor);
    }
    let handle = tensor.slice::<Handle>().ok().and_then(|handles| handles.first());
    let cell = handle.and_then(|handle| handle.object.clone()).and_then(|object| object.downcast::<Variable>().ok());
    cell.and_then(|cell| cell.value.read().clone()).map_or(Value::Nothing, Value::Tensor)
}

/// Keys with their values, in an order that does not depend on the table's.
fn rows(content: &[Tensor]) -> Vec<Vec<Tensor>> {
    let count = content.first().map_or(0, |keys| keys.shape().first().copied().unwrap_or(0));
    let row = |i: usize| content.iter().map(|tensor| tensor.row(i)).collect::<Result<Vec<_>>>().ok();
    let mut rows: Vec<Vec<Tensor>> = (0..count).filter_map(row).collect();
    rows.sort_by_cached_key(|row| format!("{:?}", row.first().map(key)));
    rows
}

fn key(tensor: &Tensor) -> Vec<u8> {
    match tensor.slice::<levada_graph::Bytes>() {
        Ok(strings) => strings.concat(),
        Err(_) => tensor.bytes().unwrap_or_default().to_vec(),
    }
}

/// True if the values are bitwise equal.
pub fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Nothing, Value::Nothing) | (Value::Ended, Value::Ended) => true,
        (Value::Tensor(a), Value::Tensor(b)) => is_same_tensor(a, b),
        (Value::Elements(a), Value::Elements(b)) => {
            a.len() == b.len() && a.iter().flatten().zip(b.iter().flatten()).all(|(a, b)| is_same_tensor(a, b))
        }
        // If several nodes fail, which one fails first depends on the order.
        (Value::Failed(a), Value::Failed(b)) => a.code() == b.code(),
        _ => false,
    }
}

fn is_same_tensor(a: &Tensor, b: &Tensor) -> bool {
    let (x, y) = (a.bytes(), b.bytes());
    let opaque = matches!(a.dtype(), DType::Resource | DType::Variant);
    a.dtype() == b.dtype() && a.shape() == b.shape() && (opaque || if x.is_some() { x == y } else { a == b })
}

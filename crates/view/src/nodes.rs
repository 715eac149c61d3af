//! Nodes as packed columns.

use crate::View;
use crate::body::{Body, Shown, functions};
use crate::field::{self, Item};
use crate::pack::{Column, Columns, Texts};
use crate::placement::Place;
use crate::scopes::Scopes;
use crate::values;
use levada_graph::attr::{AttrList, AttrValue};
use levada_graph::collections::queue_runners;
use levada_graph::spec::{Act, Role};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The number of constants with a picture: the largest ones.
const PICTURES: usize = 200;
/// Longer attrs are truncated.
const LONGEST: usize = 400;

/// Node numbers across all bodies, one body after the other.
pub struct Index<'a> {
    /// Number of the first node of each body.
    pub starts: Vec<u32>,
    names: Vec<HashMap<&'a str, u32>>,
    bodies: HashMap<&'a str, usize>,
}

impl<'a> Index<'a> {
    pub fn new(bodies: &'a [Body]) -> Index<'a> {
        let mut index = Index { starts: Vec::new(), names: Vec::new(), bodies: HashMap::new() };
        let mut start = 0;
        for (number, body) in bodies.iter().enumerate() {
            index.starts.push(start);
            index.names.push(body.nodes.iter().map(|node| &*node.name).zip(start..).collect());
            index.bodies.insert(&body.name, number);
            start += body.nodes.len() as u32;
        }
        index
    }

    /// The number of a node of the graph.
    pub fn find(&self, name: &str) -> Option<u32> {
        self.names[0].get(name).copied()
    }

    /// The number of a node that ran in functions, which its name begins with.
    pub fn find_in(&self, functions: &str, name: &str) -> Option<u32> {
        if functions.is_empty() {
            return self.find(name);
        }
        let body = *self.bodies.get(functions.rsplit('/').next()?)?;
        let own = name.strip_prefix(functions)?.strip_prefix('/')?;
        self.names[body].get(own).copied()
    }
}

/// The kind that the page draws a node as. The order matches the page.
fn kind(node: &Shown) -> u8 {
    let Some(spec) = node.spec else { return 0 };
    match (spec.role, spec.act) {
        (_, Some(Act::Make)) => 4,
        (Role::Const, _) => 1,
        (Role::Placeholder, _) => 2,
        (Role::Switch, _) => 5,
        (Role::Merge, _) => 6,
        (Role::Enter, _) => 7,
        (Role::Exit, _) => 8,
        (Role::NextIteration, _) => 9,
        (Role::LoopCond, _) => 10,
        (Role::Send, _) => 11,
        (Role::Recv, _) => 12,
        (Role::Call, _) => 13,
        (Role::Arg, _) => 14,
        (Role::Retval, _) => 15,
        _ if node.is_state => 3,
        _ if !functions(&node.attrs).is_empty() => 13,
        _ if spec.outputs.is_empty() && spec.inputs.is_empty() => 16,
        _ => 0,
    }
}

/// Packs all nodes into columns, and returns everything else as JSON.
pub fn pack(
    view: &View<'_>,
    bodies: &[Body],
    index: &Index<'_>,
    placed: Option<&HashMap<&str, Place<'_>>>,
    columns: &mut Columns,
) -> Value {
    let mut texts = Texts::default();
    texts.number("");
    let count: usize = bodies.iter().map(|body| body.nodes.len()).sum();
    let mut named: BTreeMap<&str, Column> = BTreeMap::new();
    let mut scopes = Vec::new();
    let mut fields = Fields::default();
    let mut names = Vec::with_capacity(count);
    let mut constants: Vec<(u32, &levada_graph::Tensor)> = Vec::new();
    let mut ops: BTreeSet<&str> = BTreeSet::new();
    let (mut acts, mut calls, mut partners) = (Vec::new(), Vec::new(), Vec::new());
    for (number, body) in bodies.iter().enumerate() {
        let start = index.starts[number];
        let groups = Scopes::of(body);
        let first = scopes.len() as u32;
        for scope in &groups.scopes {
            let parent = scope.parent.map_or(-1, |p| i64::from(p + first));
            scopes.push(json!([parent, scope.name, scope.kind as u8]));
        }
        fields.add(body, &groups, first, start);
        for (at, node) in body.nodes.iter().enumerate() {
            let id = start + at as u32;
            let mut put = |column: &'static str, n: u64| named.entry(column).or_default().push(n);
            names.push(Value::from(&*node.name));
            ops.insert(&node.op);
            put("op", texts.number(&node.op));
            put("kind", u64::from(kind(node)));
            put("scope", u64::from(first + groups.of[at]));
            put("asked", texts.number(&node.device));
            let place = placed.filter(|_| number == 0).and_then(|placed| placed.get(&*node.name));
            put("device", texts.number(place.map_or("", |p| p.device)));
            put("why", texts.number(place.map_or("", |p| p.why.as_str())));
            put("bytes", node.bytes.map_or(0, |b| b.saturating_add(1)));
            put("flops", node.flops.map_or(0, |f| (f.clamp(0.0, 1e18) as u64) + 1));
            put("inputs", node.inputs.len() as u64);
            put("controls", node.controls.len() as u64);
            put("outputs", node.outputs.len() as u64);
            put("attrs", node.attrs.len() as u64);
            for &(from, output) in &node.inputs {
                named.entry("edge").or_default().push_signed(at as i64 - i64::from(from));
                named.entry("edge_output").or_default().push(u64::from(output));
            }
            for &from in &node.controls {
                named.entry("edge").or_default().push_signed(at as i64 - i64::from(from));
                named.entry("edge_output").or_default().push(0);
            }
            for output in &node.outputs {
                named.entry("output").or_default().push(texts.number(output));
            }
            for (key, value) in node.attrs.iter() {
                let column = named.entry("attr").or_default();
                column.push(texts.number(key));
                column.push(texts.number(&attr(value)));
            }
            if let Some(tensor) = &node.constant {
                constants.push((id, tensor));
            }
            for (name, func) in functions(&node.attrs) {
                if let Some(body) = bodies.iter().skip(1).position(|body| body.name == func.name) {
                    calls.push(json!([id, name, body + 1]));
                }
            }
            if let Some((store, act)) = acts_on(body, at) {
                acts.push(json!([id, start + store, act]));
            }
            if number == 0
                && let Some(forward) = forward_of(&node.name, index)
            {
                partners.push(json!([id, forward]));
            }
        }
    }
    let mut number_of = |name: &str, column: &str, n: usize| {
        columns.add(name, n, named.remove(column).unwrap_or_default());
    };
    for column in
        ["op", "kind", "scope", "asked", "device", "why", "bytes", "flops", "inputs", "controls", "outputs", "attrs"]
    {
        number_of(&format!("node_{column}"), column, count);
    }
    let all = |f: &dyn Fn(&Shown) -> usize| bodies.iter().flat_map(|b| &b.nodes).map(f).sum::<usize>();
    let edges = all(&|node| node.inputs.len() + node.controls.len());
    number_of("edge", "edge", edges);
    number_of("edge_output", "edge_output", edges);
    number_of("output", "output", all(&|node| node.outputs.len()));
    number_of("attr", "attr", 2 * all(&|node| node.attrs.len()));
    let ops: BTreeMap<&str, Value> = ops
        .into_iter()
        .map(|op| {
            let doc = view.knowledge.registry.get(op).map(|def| levada_graph::spec::prose(def.doc)).unwrap_or_default();
            let doc = doc.split("\n\n").next().unwrap_or_default().to_owned();
            (op, json!([view.knowledge.families.get(op).copied().unwrap_or(""), doc]))
        })
        .collect();
    let fields = fields.write(columns);
    json!({
        "count": count,
        "bodies": bodies.iter().zip(&index.starts).map(|(b, start)| json!([b.name, start, b.nodes.len()])).collect::<Vec<_>>(),
        "texts": texts.json(),
        "names": names,
        "scopes": scopes,
        "fields": fields,
        "ops": ops,
        "constants": describe(view, constants),
        "acts": acts,
        "calls": calls,
        "partners": partners,
        "runners": runners(view),
    })
}

/// Columns of the groups that are laid out on export.
#[derive(Default)]
struct Fields {
    groups: Vec<Value>,
    cells: usize,
    item: Column,
    x: Column,
    y: Column,
}

impl Fields {
    /// Adds the groups of a body, whose group and node numbers start at these.
    fn add(&mut self, body: &Body, groups: &Scopes, first_scope: u32, first_node: u32) {
        let put_into = |at: usize| acts_on(body, at).filter(|(_, act)| *act == "put").map(|(store, _)| store);
        for field in field::fields(body, groups, &put_into) {
            self.groups.push(json!([field.scope + first_scope, self.cells]));
            self.cells += field.cells.len();
            let (mut item, mut x, mut y) = (0, 0, 0);
            for cell in field.cells {
                // Groups have negative numbers.
                let number = match cell.item {
                    Item::Node(node) => i64::from(node + first_node),
                    Item::Scope(scope) => -1 - i64::from(scope + first_scope),
                };
                self.item.push_signed(number - item);
                self.x.push_signed(i64::from(cell.x) - x);
                self.y.push(u64::from(cell.y - y));
                (item, x, y) = (number, i64::from(cell.x), cell.y);
            }
        }
    }

    fn write(self, columns: &mut Columns) -> Value {
        columns.add("field_item", self.cells, self.item);
        columns.add("field_x", self.cells, self.x);
        columns.add("field_y", self.cells, self.y);
        let (width, height) = field::size();
        json!({"width": width, "height": height, "groups": self.groups})
    }
}

fn describe(view: &View<'_>, constants: Vec<(u32, &levada_graph::Tensor)>) -> Vec<Value> {
    let mut sizes: Vec<usize> = constants.iter().map(|(_, tensor)| tensor.num_elements()).collect();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    let least = sizes.get(PICTURES).copied().unwrap_or(0);
    let value = |tensor| values::describe(tensor, view.knowledge.numbers, tensor.num_elements() > least);
    constants.into_iter().map(|(id, tensor)| json!([id, value(tensor)])).collect()
}

/// The threads of queue runners: the queue, and what each thread runs.
fn runners(view: &View<'_>) -> Vec<Value> {
    let runners = queue_runners(&view.graph.collections).unwrap_or_default();
    runners.into_iter().map(|runner| json!([runner.queue, runner.enqueue])).collect()
}

/// The store that a node puts into or takes from, and what it does there.
fn acts_on(body: &Body, at: usize) -> Option<(u32, &'static str)> {
    let act = match body.nodes[at].spec?.act? {
        Act::Make => return None,
        Act::Put => "put",
        Act::Take => "take",
        Act::Close => "close",
    };
    let mut maker = body.nodes[at].inputs.first()?.0;
    // As many steps as there may be nodes in between.
    for _ in 0..16 {
        let node = &body.nodes[maker as usize];
        match node.spec {
            Some(spec) if spec.act == Some(Act::Make) => return Some((maker, act)),
            Some(spec) if spec.forwards || matches!(spec.role, Role::Enter | Role::Switch) => {
                maker = node.inputs.first()?.0;
            }
            _ => return None,
        }
    }
    None
}

/// The node whose gradient this node is part of, by its name: `gradients/NODE_grad/...`.
fn forward_of(name: &str, index: &Index<'_>) -> Option<u32> {
    let at = name.find("gradients")?;
    if at > 0 && !name[..at].ends_with('/') {
        return None;
    }
    let (prefix, rest) = (&name[..at], name[at..].split_once('/')?.1);
    let end = rest.match_indices("_grad/").map(|(i, _)| i).last()?;
    let own = &rest[..end];
    index.find(own).or_else(|| index.find(&format!("{prefix}{own}")))
}

fn attr(value: &AttrValue) -> String {
    let mut text = match value {
        AttrValue::S(v) => format!("\"{}\"", values::shown(v)),
        AttrValue::I(v) => v.to_string(),
        AttrValue::F(v) => v.to_string(),
        AttrValue::B(v) => v.to_string(),
        AttrValue::Type(v) => v.to_string(),
        AttrValue::Shape(v) => v.to_string(),
        AttrValue::Tensor(v) => format!("{}{}", v.dtype(), v.shape()),
        AttrValue::Func(v) => v.name.clone(),
        AttrValue::Placeholder(v) => format!("${v}"),
        AttrValue::List(list) => match list {
            AttrList::Empty => "[]".to_owned(),
            AttrList::S(v) => format!("[{}]", join(v.iter().map(|s| format!("\"{}\"", values::shown(s))))),
            AttrList::I(v) => format!("[{}]", join(v.iter())),
            AttrList::F(v) => format!("[{}]", join(v.iter())),
            AttrList::B(v) => format!("[{}]", join(v.iter())),
            AttrList::Type(v) => format!("[{}]", join(v.iter())),
            AttrList::Shape(v) => format!("[{}]", join(v.iter())),
            AttrList::Tensor(v) => format!("[{}]", join(v.iter().map(|t| format!("{}{}", t.dtype(), t.shape())))),
            AttrList::Func(v) => format!("[{}]", join(v.iter().map(|f| &f.name))),
        },
    };
    if let Some((at, _)) = text.char_indices().nth(LONGEST) {
        text.truncate(at);
        text.push('…');
    }
    text
}

/// The first elements, separated by commas.
fn join<T: ToString>(items: impl Iterator<Item = T>) -> String {
    items.take(LONGEST).map(|item| item.to_string()).collect::<Vec<_>>().join(", ")
}

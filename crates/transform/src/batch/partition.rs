//! Conditionals whose predicate differs between examples: the examples are partitioned by the branch that they take,
//! and each branch runs once, for all examples that take it.

use super::calls::Inputs;
use super::functions::{Call, Made, batched as function, calls_open};
use super::one_by_one::{refused, types};
use super::walk::{Scope, Stop, Walk};
use levada_graph::attr::{AttrList, Attrs};
use levada_graph::batch::Lanes;
use levada_graph::def::Library;
use levada_graph::function::define;
use levada_graph::grad::{GradCx, V, attr};
use levada_graph::graph::Node;
use levada_graph::{AttrValue, DType, Endpoint, Func, Graph, GraphDef, NodeDef, NodeId, Result, Tensor};

/// The batched outputs of a conditional on input 0, with these functions; `None` if it must run example by example.
pub(super) fn by_branches(
    walk: &mut Walk<'_>,
    graph: &Graph,
    id: NodeId,
    inputs: &Inputs,
    functions: &[Func],
) -> Result<Option<Vec<Lanes>>, Stop> {
    let node = graph.node(id);
    if refused(walk, node).is_some() || inputs.shapes[0].rank() != Some(0) || functions.is_empty() {
        return Ok(None);
    }
    let mut lanes = inputs.lanes.clone();
    if !lanes[1..].iter().any(|lanes| lanes.varies) {
        // The number of examples of a branch is that of its arguments.
        let Some(&Lanes { at, .. }) = lanes.get(1) else { return Ok(None) };
        lanes[1] = Lanes { at: walk.repeated(id, at, &node.name)?, varies: true };
    }
    let varies: Vec<bool> = lanes[1..].iter().map(|lanes| lanes.varies).collect();
    let count = node.output_types.len();
    let call = Call { varies: varies.clone(), shapes: inputs.shapes[1..].to_vec(), forced: vec![true; count] };
    let mut made: Vec<Made> = Vec::new();
    for one in functions {
        match function(walk.scope, one, &call) {
            Ok(Some(one)) => made.push(one),
            Ok(None) | Err(Stop::Refuse(_)) => return Ok(None),
            Err(stop) => return Err(stop),
        }
    }
    for i in 0..count {
        let shape = walk.scope.in_all(made.iter().map(|one| &one.shapes[i]));
        walk.know(Endpoint::new(id, i as u32), shape);
    }
    walk.one_by_one.extend(made.iter().flat_map(|one| one.one_by_one.clone()));
    let parts = Parts::new(walk.scope, node, varies);
    let whole = parts.from(&made, 0)?;
    let branches = made.len();
    let out = walk.cx.visit(id, &format!("{}/batch", node.name), |g| {
        let which = number_of_branch(g, g.value(lanes[0].at), node, branches);
        let mut values = vec![which];
        values.extend(lanes[1..].iter().map(|lanes| g.value(lanes.at)));
        parts.call(g, &whole, &values).at
    })?;
    Ok(Some((0..count as u32).map(|i| Lanes { at: Endpoint::new(out.node, i), varies: true }).collect()))
}

/// The index of the branch that each example takes, from the value of the node's first input.
fn number_of_branch<'g>(g: &'g GradCx, input: V<'g>, node: &Node, branches: usize) -> V<'g> {
    let last = g.scalar(DType::I32, branches as f64 - 1.0);
    if node.op_name().ends_with("Case") {
        let outside = g.op("LogicalOr", &[g.op("Less", &[input, input.like(0.0)]), g.op("Greater", &[input, last])]);
        return g.op("SelectV2", &[outside, last, input]);
    }
    let is_false = match input.dtype() {
        DType::Bool => g.op("LogicalNot", &[input]),
        DType::Str => g.op("Equal", &[input, g.constant(Tensor::scalar(levada_graph::Bytes::new()))]),
        _ => g.op("Equal", &[input, input.like(0.0)]),
    };
    is_false.cast(DType::I32)
}

/// The common parts of the functions that partition the examples of a conditional: their arguments are the branch
/// indices, followed by the arguments of the branches.
struct Parts<'a> {
    scope: &'a Scope,
    name: String,
    /// Types of the branches' arguments.
    inputs: Vec<DType>,
    outputs: Vec<DType>,
    /// Which arguments have one part for each example.
    varies: Vec<bool>,
    stateful: bool,
}

impl<'a> Parts<'a> {
    fn new(scope: &'a Scope, node: &Node, varies: Vec<bool>) -> Parts<'a> {
        let name: String = node.name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        Parts {
            scope,
            name,
            inputs: node.input_types[1..].iter().map(|ty| ty.dtype).collect(),
            outputs: node.output_types.iter().map(|ty| ty.dtype).collect(),
            varies,
            stateful: node.op.is_stateful(),
        }
    }

    /// A function with all arguments, whose results `build` returns.
    fn function(&self, what: &str, build: impl for<'g> FnOnce(&'g GradCx, &[V<'g>]) -> Vec<V<'g>>) -> Result<String> {
        let name = |i: usize| format!("value_{i}");
        let all: Vec<DType> = [DType::I32].into_iter().chain(self.inputs.iter().copied()).collect();
        let placeholder = |(i, dtype): (usize, &DType)| {
            let mut attrs = Attrs::new();
            attrs.set("dtype", AttrValue::Type(dtype.value()));
            NodeDef { name: name(i), op: "Placeholder".to_owned(), attrs, ..NodeDef::default() }
        };
        let nodes = all.iter().enumerate().map(placeholder).collect();
        let library: Library = (*self.scope.library()).clone();
        let graph = Graph::from_def(GraphDef { nodes, library, ..GraphDef::default() }, &self.scope.registry)?;
        let args = (0..all.len()).map(|i| graph.endpoint(&name(i))).collect::<Result<Vec<Endpoint>>>()?;
        let cx = GradCx::new(graph, self.scope.registry.clone(), |_| levada_graph::PartialShape::Unknown);
        let rets = cx.build(what, |g| {
            let values: Vec<V<'_>> = args.iter().map(|&at| g.value(at)).collect();
            build(g, &values).into_iter().map(|value| value.at).collect::<Vec<Endpoint>>()
        })?;
        let graph = cx.finish();
        Ok(self.scope.add(&format!("{}_{what}", self.name), |name| define(&graph, name, &args, &rets)))
    }

    /// Calls a function with all arguments.
    fn call<'g>(&self, g: &'g GradCx, function: &str, values: &[V<'g>]) -> V<'g> {
        self.call_with(g, function, [DType::I32].into_iter().chain(self.inputs.iter().copied()), values)
    }

    fn call_with<'g>(
        &self,
        g: &'g GradCx,
        function: &str,
        inputs: impl IntoIterator<Item = DType>,
        values: &[V<'g>],
    ) -> V<'g> {
        let op = if self.stateful { "StatefulPartitionedCall" } else { "PartitionedCall" };
        let f = AttrValue::Func(Func { name: function.to_owned(), ..Func::default() });
        g.node(op, values, &[("Tin", types(inputs)), ("Tout", types(self.outputs.iter().copied())), ("f", f)])
    }

    /// The results of the branch `one`, from all arguments.
    fn branch<'g>(&self, g: &'g GradCx, one: &Made, values: &[V<'g>]) -> V<'g> {
        self.call_with(g, &one.function.name, self.inputs.iter().copied(), &values[1..])
    }

    fn results<'g>(&self, of: V<'g>) -> Vec<V<'g>> {
        (0..self.outputs.len()).map(|i| of.out(i)).collect()
    }

    /// The function for examples none of which takes a branch before `first`.
    fn from(&self, made: &[Made], first: usize) -> Result<String> {
        let here = &made[first];
        let only = self.function("branch", |g, values| self.results(self.branch(g, here, values)))?;
        if first + 1 == made.len() {
            return Ok(only);
        }
        let rest = self.from(made, first + 1)?;
        let mixed = self.function("both", |g, values| self.joined(g, here, first, &rest, values))?;
        // Without any example, it prefers the branch that calls no unfinished function: recursions end there.
        let prefers_here = !calls_open(self.scope, &here.function.name);
        self.function("parted", |g, values| {
            let is_here = g.op("Equal", &[values[0], values[0].like(first as f64)]);
            let count = is_here.cast(DType::I32).sum(g.ints(&[0]));
            let all = g.op("Equal", &[count, g.op("Size", &[is_here])]);
            let none = g.op("Equal", &[count, count.like(0.0)]);
            let choose = |condition, then, other| g.op("SelectV2", &[condition, then, other]);
            let [zero, one, two] = [0.0, 1.0, 2.0].map(|i| g.scalar(DType::I32, i));
            let number = match prefers_here {
                true => choose(all, zero, choose(none, one, two)),
                false => choose(none, one, choose(all, zero, two)),
            };
            let function = |name: &String| Func { name: name.clone(), ..Func::default() };
            let branches = [&only, &rest, &mixed].map(function).to_vec();
            let attrs = [
                ("Tin", types([DType::I32].into_iter().chain(self.inputs.iter().copied()))),
                ("Tout", types(self.outputs.iter().copied())),
                ("branches", AttrValue::List(AttrList::Func(branches))),
                ("output_shapes", AttrValue::List(AttrList::Empty)),
            ];
            let mut inputs = vec![number];
            inputs.extend(values);
            self.results(g.node(if self.stateful { "Case" } else { "StatelessCase" }, &inputs, &attrs))
        })
    }

    /// The results of examples some of which take branch `first` and some a later one.
    fn joined<'g>(&self, g: &'g GradCx, here: &Made, first: usize, rest: &str, values: &[V<'g>]) -> Vec<V<'g>> {
        let axis = g.scalar(DType::I32, 0.0);
        let is_here = g.op("Equal", &[values[0], values[0].like(first as f64)]);
        let not_here = g.op("LogicalNot", &[is_here]);
        let rows = [is_here, not_here].map(|those| g.op("Where", &[those]).reshape(g.ints(&[-1])));
        let of = |rows: V<'g>| -> Vec<V<'g>> {
            let varies = [true].iter().chain(&self.varies);
            let part = |(&value, &varies): (&V<'g>, &bool)| match varies {
                true => g.op("GatherV2", &[value, rows, axis]),
                false => value,
            };
            values.iter().zip(varies).map(part).collect()
        };
        let a = self.branch(g, here, &of(rows[0]));
        let b = self.call(g, rest, &of(rows[1]));
        let joined = |a: V<'g>, b: V<'g>| g.node("ConcatV2", &[a, b, axis], &[attr("N", 2i64)]);
        let places = g.op("InvertPermutation", &[joined(rows[0], rows[1])]);
        let result = |i: usize| g.op("GatherV2", &[joined(a.out(i), b.out(i)), places, axis]);
        (0..self.outputs.len()).map(result).collect()
    }
}

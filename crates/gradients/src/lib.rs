//! Reverse-mode differentiation of graphs: adds the nodes that compute the derivatives of some values with respect to
//! others.
//!
//! The rules belong to the ops ([`levada_graph::grad`]); this crate walks the graph backwards from the differentiated
//! values, sums the gradients that reach a value over several paths, and calls a node's rule once those of all its
//! outputs are known. This is the method of TensorFlow's `tf.gradients`, and the names are the same: the nodes for node
//! `x` are under `gradients/x_grad/`.
//!
//! In: a graph, the ops' registry, endpoints. Out: the extended graph, and the endpoints of the gradients. It knows no
//! session and no device. Start with [`gradients`]; `frames` finds the loops of version 1 and `loops` differentiates
//! them, `while_node` and `call_node` handle loops of version 2 and function calls, whose functions `parts` splits;
//! `named` finds gradients that nodes refer to by name.

mod call_node;
mod frames;
mod loops;
mod map_node;
mod named;
mod parts;
mod while_node;

use frames::{Frames, Item, between};
use levada_compile::infer::infer;
use levada_compile::{Signature, prune};
use levada_graph::function::Instance;
use levada_graph::grad::{Grad, GradCx, V, attr, is_differentiable};
use levada_graph::spec::Role;
use levada_graph::{DType, Endpoint, Error, Graph, NodeId, Registry, Result};
use loops::Loops;
use named::RuleSource;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

/// Options for differentiation.
#[derive(Clone, Debug)]
pub struct GradientOptions {
    /// Gradients of the differentiated values, one for each; ones if it is empty.
    pub grad_ys: Vec<Option<Endpoint>>,
    /// Values to treat as constant.
    pub stop: Vec<Endpoint>,
    /// Names of new nodes start with this.
    pub name: String,
    /// How gradients that reach a value over several paths are summed.
    pub aggregation: Aggregation,
}

/// How gradients that reach a value over several paths are summed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Aggregation {
    /// All together, with one `AddN`.
    #[default]
    AddN,
    /// One by one, as they are computed: more nodes, but the gradients need not all be in memory at the same time.
    Tree,
}

impl Default for GradientOptions {
    fn default() -> GradientOptions {
        let name = "gradients".to_owned();
        GradientOptions { grad_ys: Vec::new(), stop: Vec::new(), name, aggregation: Aggregation::default() }
    }
}

/// Adds nodes to `graph` that compute the gradients of the sum of `ys` with respect to each of `xs`. A gradient is
/// `None` if no `y` depends on the `x`.
///
/// # Errors
/// `INVALID_ARGUMENT` if values that are not floats are to be differentiated, and for an op on the path without a
/// gradient rule, which is named; `UNIMPLEMENTED` if a rule does not handle a node.
pub fn gradients(
    graph: Graph,
    registry: &Arc<Registry>,
    ys: &[Endpoint],
    xs: &[Endpoint],
    options: &GradientOptions,
) -> Result<(Graph, Vec<Option<Grad>>)> {
    let signature = Signature { fetches: ys.iter().chain(xs).copied().collect(), ..Signature::default() };
    let pruned = prune(&graph, &signature)?;
    let shapes = infer(&graph, &pruned).0;
    check(&graph, ys, xs)?;
    let frames = Frames::find(&graph, &pruned)?;
    if let Some(&inner) = ys.iter().chain(xs).find(|&&e| frames.of(e) != 0) {
        let node = graph.node(inner.node);
        return Err(
            Error::unimplemented("gradients of or by a value within a while loop").at_node(&node.name, node.op_name())
        );
    }
    let between = between(&graph, &pruned.order, ys, xs);
    let mut scope = options.name.clone();
    let taken = |scope: &str| graph.names().any(|n| n.strip_prefix(scope).is_some_and(|rest| rest.starts_with('/')));
    for i in 1.. {
        if !taken(&scope) {
            break;
        }
        scope = format!("{}_{i}", options.name);
    }
    let cx = GradCx::new(graph, registry.clone(), move |endpoint| shapes.get(endpoint)).named(&scope);
    let stop = options.stop.iter().copied().collect();
    let loops = Rc::new(Loops::new(frames));
    let aggregation = options.aggregation;
    let mut walk = Walk { cx, registry, scope, between, stop, loops, parts: HashMap::new(), aggregation };
    for (i, &y) in ys.iter().enumerate() {
        let dy = match options.grad_ys.get(i).copied().flatten() {
            Some(dy) => dy,
            None => walk.cx.build(&walk.scope, |cx| cx.value(y).ones_like().at)?,
        };
        walk.parts.entry(y).or_default().push(Grad::Dense(dy));
    }
    walk.frame(0)?;
    let mut grads = Vec::new();
    for &x in xs {
        grads.push(walk.total(x)?);
    }
    Ok((walk.cx.finish(), grads))
}

fn check(graph: &Graph, ys: &[Endpoint], xs: &[Endpoint]) -> Result<()> {
    let wrong = |e: &Endpoint| graph.endpoint_type(*e).is_none_or(|ty| !is_differentiable(ty.dtype));
    match ys.iter().chain(xs).find(|e| wrong(e)) {
        None => Ok(()),
        Some(&e) => {
            let node = graph.node(e.node);
            if let Some(error) = graph.unsupported_among([e.node]) {
                return Err(error);
            }
            let found = graph.endpoint_type(e).map_or_else(String::new, |ty| ty.dtype.to_string());
            Err(Error::invalid("only floats and complex numbers have gradients")
                .at_node(&node.name, node.op_name())
                .found(found))
        }
    }
}

struct Walk<'a> {
    cx: GradCx,
    registry: &'a Arc<Registry>,
    scope: String,
    /// The nodes that gradients flow through.
    between: HashSet<NodeId>,
    stop: HashSet<Endpoint>,
    loops: Rc<Loops>,
    /// The gradients that have reached each value so far.
    parts: HashMap<Endpoint, Vec<Grad>>,
    aggregation: Aggregation,
}

impl Walk<'_> {
    /// Walks back through all items of a frame.
    fn frame(&mut self, number: usize) -> Result<()> {
        let loops = self.loops.clone();
        for item in loops.frames.all[number].items.iter().rev() {
            match *item {
                Item::Node(id) if self.between.contains(&id) => self.node(id)?,
                Item::Node(_) => {}
                Item::Frame(inner) => self.loop_(inner)?,
            }
        }
        Ok(())
    }

    /// Propagates the gradients of a node's outputs to its inputs.
    fn node(&mut self, id: NodeId) -> Result<()> {
        let (name, op, inputs, outputs, role) = self.cx.look(|graph| {
            let node = graph.node(id);
            (
                node.name.clone(),
                node.op_name().to_owned(),
                node.inputs.clone(),
                node.output_types.len(),
                node.spec().role,
            )
        });
        let op = op.as_str();
        let mut dys = Vec::new();
        for i in 0..outputs {
            let total = self.total(Endpoint::new(id, i as u32))?;
            dys.push(match total {
                Some(grad) => Some(self.dense(grad)?),
                None => None,
            });
        }
        if inputs.is_empty() || dys.iter().all(Option::is_none) {
            return Ok(());
        }
        if let Some(error) = self.cx.look(|graph| graph.unsupported_among([id])) {
            return Err(error);
        }
        if matches!(role, Role::Enter | Role::Exit | Role::NextIteration | Role::LoopCond) || self.loops.passes(id) {
            // The loop as a whole handles these.
            return Ok(());
        }
        let scope = format!("{}/{name}_grad", self.scope);
        if role == Role::Merge {
            return self.merge(id, &inputs, dys[0], &scope);
        }
        match named::asked(&self.cx, self.registry, id).map_err(|e| e.at_node(&name, op))? {
            RuleSource::Own => {}
            RuleSource::Function(function) => {
                let grads = named::call(&self.cx, id, &dys, &function, &scope).map_err(|e| e.at_node(&name, op))?;
                return self.hand_on(inputs, grads);
            }
            RuleSource::Rule(rule, of) => {
                let grads = self.cx.apply(rule, id, dys, &scope).map_err(|e| e.at_node(&name, op))?;
                if grads.len() != inputs.len() {
                    return Err(Error::invalid(format!("the gradient of {of} does not fit the node"))
                        .at_node(&name, op)
                        .attr("_gradient_op_type")
                        .expected(format!("{} gradients", inputs.len()))
                        .found(grads.len()));
                }
                return self.hand_on(inputs, grads);
            }
        }
        if while_node::is_while(op) {
            let (loops, frame) = (self.loops.clone(), self.loops.frames.of(id.into()));
            let bring = |outside: Endpoint| loops.enter_forward(&self.cx, outside, frame);
            let grads = while_node::gradient(&self.cx, self.registry, id, &dys, &scope, &bring);
            return self.hand_on(inputs, grads.map_err(|e| e.at_node(&name, op))?);
        }
        if op == "MapDefun" {
            let grads = map_node::gradient(&self.cx, self.registry, id, &dys, &scope);
            return self.hand_on(inputs, grads.map_err(|e| e.at_node(&name, op))?);
        }
        let found = call_node::gradient(&self.cx, self.registry, id, &dys, &scope);
        if let Some(grads) = found.map_err(|e| e.at_node(&name, op))? {
            return self.hand_on(inputs, grads);
        }
        let rule = self.registry.get(op).and_then(|def| def.grad).ok_or_else(|| {
            Error::invalid(format!("the op {op} has no gradient"))
                .at_node(&name, op)
                .help("differentiate by something that does not go through it, or put StopGradient before it")
        })?;
        let grads = self.cx.apply(rule, id, dys, &scope).map_err(|e| e.at_node(&name, op))?;
        if grads.len() != inputs.len() {
            return Err(Error::internal(format!("the gradient rule returns {} gradients", grads.len()))
                .at_node(&name, op)
                .expected(inputs.len()));
        }
        self.hand_on(inputs, grads)
    }

    /// Records the gradients of a node's inputs.
    fn hand_on(&mut self, inputs: Vec<Endpoint>, grads: Vec<Option<Grad>>) -> Result<()> {
        for (input, grad) in inputs.into_iter().zip(grads) {
            let flows = self.cx.look(|g| g.endpoint_type(input)).is_some_and(|ty| is_differentiable(ty.dtype));
            if let Some(grad) = grad.filter(|_| flows) {
                self.add(input, grad);
            }
        }
        Ok(())
    }

    /// Each branch of a conditional gets the gradient if it was taken.
    fn merge(&mut self, id: NodeId, inputs: &[Endpoint], dy: Option<Endpoint>, scope: &str) -> Result<()> {
        let Some(dy) = dy else { return Ok(()) };
        let loops = self.loops.clone();
        let around = self.cx.look(|graph| loops.frames.guards(graph, id.into()));
        for &input in inputs {
            let mut guards = self.cx.look(|graph| loops.frames.guards(graph, input));
            guards.retain(|guard| !around.contains(guard));
            let grad = self.cx.build(scope, |cx| {
                let through = guards.iter().rev();
                through
                    .fold(cx.value(dy), |dy, &(pred, branch)| {
                        cx.op("Switch", &[dy, cx.value(pred)]).out(branch as usize)
                    })
                    .at
            })?;
            self.add(input, Grad::Dense(grad));
        }
        Ok(())
    }

    /// Records a gradient that reaches a value.
    fn add(&mut self, at: Endpoint, grad: Grad) {
        if !self.stop.contains(&at) {
            self.parts.entry(at).or_default().push(grad);
        }
    }

    /// The sum of the gradients that have reached a value.
    fn total(&mut self, at: Endpoint) -> Result<Option<Grad>> {
        let Some(parts) = self.parts.get(&at).filter(|p| !p.is_empty()).cloned() else { return Ok(None) };
        let total = match parts.as_slice() {
            [one] => *one,
            many => self.cx.build(&self.scope, |cx| add_up(cx, many, self.aggregation))?,
        };
        self.parts.insert(at, vec![total]);
        Ok(Some(total))
    }

    fn dense(&mut self, grad: Grad) -> Result<Endpoint> {
        self.cx.build(&self.scope, |cx| dense(cx, grad))
    }
}

/// The tensor of a gradient.
pub fn dense(cx: &GradCx, grad: Grad) -> Endpoint {
    match grad {
        Grad::Dense(at) => at,
        Grad::Slices { values, indices, shape } => {
            let (values, indices, shape) = (cx.value(values), cx.value(indices), cx.value(shape));
            let rows = shape.slice1(0, 1).reshape(cx.ints(&[]));
            cx.op("UnsortedSegmentSum", &[values, indices, rows]).at
        }
    }
}

fn add_up(cx: &GradCx, parts: &[Grad], aggregation: Aggregation) -> Grad {
    let slices: Vec<(Endpoint, Endpoint, Endpoint)> = parts
        .iter()
        .filter_map(|part| match *part {
            Grad::Slices { values, indices, shape } => Some((values, indices, shape)),
            Grad::Dense(_) => None,
        })
        .collect();
    if slices.len() < parts.len() {
        let dense: Vec<V<'_>> = parts.iter().map(|&part| cx.value(dense(cx, part))).collect();
        let sum = |all: &[V<'_>]| {
            let all: Vec<V<'_>> = all.iter().map(|v| cx.value(v.at)).collect();
            cx.node("AddN", &all, &[attr("N", all.len() as i64)]).at
        };
        return Grad::Dense(match aggregation {
            Aggregation::AddN => sum(&dense),
            Aggregation::Tree => {
                let (first, rest) = (dense[0].at, &dense[1..]);
                rest.iter().fold(first, |total, &part| sum(&[cx.value(total), part]))
            }
        });
    }
    let join = |pick: fn(&(Endpoint, Endpoint, Endpoint)) -> Endpoint, as_type: Option<DType>| {
        let mut inputs: Vec<V<'_>> = slices.iter().map(|s| cx.value(pick(s))).collect();
        if let Some(dtype) = as_type {
            inputs.iter_mut().for_each(|v| *v = v.cast(dtype));
        }
        inputs.push(cx.scalar(DType::I32, 0.0));
        cx.op("ConcatV2", &inputs).at
    };
    // Indices of both widths may occur.
    let narrow = slices.iter().all(|s| cx.value(s.1).dtype() == DType::I32);
    let values = join(|s| s.0, None);
    let indices = join(|s| s.1, Some(if narrow { DType::I32 } else { DType::I64 }));
    Grad::Slices { values, indices, shape: slices[0].2 }
}

/// The function that computes the gradients of a function's results with respect to its arguments: its arguments are
/// those of the function and the gradients of the results that can have one; its results are the gradients with respect
/// to the arguments that can have one.
///
/// # Errors
/// As [`gradients`].
pub fn of_function(instance: Instance, registry: &Arc<Registry>) -> Result<Instance> {
    let Instance { mut graph, mut args, rets, controls, targets } = instance;
    let differentiable = |graph: &Graph, all: &[Endpoint]| -> Vec<Endpoint> {
        let flows = |e: &&Endpoint| graph.endpoint_type(**e).is_some_and(|ty| is_differentiable(ty.dtype));
        all.iter().filter(flows).copied().collect()
    };
    let (xs, ys) = (differentiable(&graph, &args), differentiable(&graph, &rets));
    let mut grad_ys = Vec::new();
    for (i, &y) in ys.iter().enumerate() {
        let Some(ty) = graph.endpoint_type(y) else { continue };
        let def = levada_graph::NodeDef {
            name: parts::fresh(&graph, &format!("gradient_of_result_{i}")),
            op: "Placeholder".to_owned(),
            attrs: [attr("dtype", ty.dtype)].into_iter().collect(),
            ..levada_graph::NodeDef::default()
        };
        let dy: Endpoint = graph.add(registry, &def)?.into();
        grad_ys.push(Some(dy));
        args.push(dy);
    }
    let options = GradientOptions { grad_ys, ..GradientOptions::default() };
    let (graph, grads) = gradients(graph, registry, &ys, &xs, &options)?;
    let cx = GradCx::new(graph, registry.clone(), |_| levada_graph::PartialShape::Unknown);
    let rets = cx.build("results", |cx| {
        let zero = |x: Endpoint| cx.value(x).zeros_like().at;
        xs.iter().zip(grads).map(|(&x, grad)| grad.map_or_else(|| zero(x), |g| dense(cx, g))).collect()
    })?;
    Ok(Instance { graph: cx.finish(), args, rets, controls, targets })
}

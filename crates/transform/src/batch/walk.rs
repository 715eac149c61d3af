//! The walk through a graph, node by node.

use super::calls::{self, Inputs};
use super::{Refused, functions, one_by_one, siblings};
use levada_compile::known::Known;
use levada_compile::{Signature, prune};
use levada_graph::attr::{AttrList, AttrValue, Attrs};
use levada_graph::batch::{BatchCx, Batched, Lanes};
use levada_graph::def::Library;
use levada_graph::grad::{GradCx, V, attr};
use levada_graph::infer::ShapeCx;
use levada_graph::op::FromAttr;
use levada_graph::spec::{Primitive, Role};
use levada_graph::{Bytes, Endpoint, Error, Graph, NodeDef, NodeId, PartialShape, Registry, Result, Tensor};
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

/// The state that the walks through a graph and its functions share.
pub(super) struct Scope {
    pub(super) registry: Arc<Registry>,
    library: RefCell<Arc<Library>>,
    pub(super) functions: RefCell<functions::Done>,
    /// True while the possible result shapes of a recursive function are determined.
    guesses: Cell<bool>,
}

/// A state of a [`Scope`] that can be restored.
pub(super) struct Before(Arc<Library>, functions::Done);

impl Scope {
    pub(super) fn new(registry: Arc<Registry>, library: Arc<Library>) -> Scope {
        let library = RefCell::new(library);
        Scope { registry, library, functions: RefCell::default(), guesses: Cell::new(false) }
    }

    /// The current state.
    pub(super) fn before(&self) -> Before {
        Before(self.library(), self.functions.borrow().clone())
    }

    /// Forgets the functions that were made since.
    pub(super) fn back_to(&self, before: &Before) {
        self.library.replace(before.0.clone());
        self.functions.replace(before.1.clone());
    }

    /// Runs this with results of unknown shape assumed to have the guessed shapes.
    pub(super) fn guessing<R>(&self, run: impl FnOnce() -> R) -> R {
        let before = self.guesses.replace(true);
        let out = run();
        self.guesses.set(before);
        out
    }

    /// The known part of the shape of a value that has one of these shapes.
    pub(super) fn in_all<'a>(&self, shapes: impl Iterator<Item = &'a PartialShape>) -> PartialShape {
        let guesses = self.guesses.get();
        let counts = |shape: &&PartialShape| !guesses || shape.rank().is_some();
        shapes.filter(counts).cloned().reduce(|all, other| all.relax(&other)).unwrap_or_default()
    }

    /// The functions of the graph and those derived from them.
    pub(super) fn library(&self) -> Arc<Library> {
        self.library.borrow().clone()
    }

    /// Adds a function, under a name that begins with `base`.
    pub(super) fn add(&self, base: &str, make: impl FnOnce(String) -> levada_graph::def::FunctionDef) -> String {
        let mut library = self.library.borrow_mut();
        let mut name = base.to_owned();
        for i in 1.. {
            if library.function(&name).is_none() {
                break;
            }
            name = format!("{base}_{i}");
        }
        Arc::make_mut(&mut library).functions.push(make(name.clone()));
        name
    }

    /// Replaces the function with the same name.
    pub(super) fn set(&self, def: levada_graph::def::FunctionDef) {
        let mut library = self.library.borrow_mut();
        let functions = &mut Arc::make_mut(&mut library).functions;
        if let Some(old) = functions.iter_mut().find(|old| old.signature.name == def.signature.name) {
            *old = def;
        }
    }
}

/// A loop of version 1; number 0 is the graph around all loops.
struct Frame {
    parent: usize,
    name: Bytes,
    parallel_iterations: i64,
    /// The number of examples, inside the loop.
    size: Option<Endpoint>,
}

/// The reason why a walk ends.
pub(super) enum Stop {
    /// A node cannot be batched.
    Refuse(String),
    /// The walk has to restart: the value of this `Merge` differs between examples after an iteration.
    Again(NodeId),
    /// The graph is at fault.
    Fail(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Fail(error)
    }
}

/// The shapes of the values of one example, by endpoint of the growing graph.
type Shapes = Rc<RefCell<HashMap<Endpoint, PartialShape>>>;

/// A walk and its results so far.
pub(super) struct Walk<'s> {
    pub(super) scope: &'s Scope,
    /// The graph, with the new nodes after its own.
    pub(super) cx: GradCx,
    /// The number of its own nodes.
    own: usize,
    /// Nodes of the graph that others replace, and the replacements.
    replaced: HashMap<NodeId, Option<NodeId>>,
    /// The nodes that replace others under their names, and the replaced nodes.
    renamed: HashMap<NodeId, NodeId>,
    /// The batched value of an endpoint, if it is not the endpoint itself.
    lanes: HashMap<Endpoint, Lanes>,
    /// Shapes for one example.
    shapes: Shapes,
    pub(super) refused: HashMap<NodeId, Refused>,
    pub(super) one_by_one: Vec<(String, String)>,
    order: Vec<NodeId>,
    frames: Vec<Frame>,
    frame_of: HashMap<NodeId, usize>,
    /// Loop variables that differ between examples from the second iteration on.
    forced: HashSet<NodeId>,
    /// Endpoints whose shapes the caller provides.
    known: HashSet<Endpoint>,
    /// The known shapes of loop variables.
    variables: Known,
}

/// The shape that a node declares for its first output.
fn declared(graph: &Graph, id: NodeId) -> PartialShape {
    let node = graph.node(id);
    let mut outputs = vec![PartialShape::Unknown; node.output_types.len()];
    match node.inputs.is_empty() && node.op.shape(&mut ShapeCx::new(&[], &[], &mut outputs)).is_ok() {
        true => outputs.into_iter().next().unwrap_or_default(),
        false => PartialShape::Unknown,
    }
}

impl<'s> Walk<'s> {
    /// Walks through the nodes that `targets` need. `given` are the inputs that have examples, with the known shape of
    /// one example.
    pub(super) fn run(
        scope: &'s Scope,
        graph: &Graph,
        given: Vec<(Endpoint, Option<PartialShape>)>,
        targets: Vec<NodeId>,
    ) -> Result<Walk<'s>> {
        Walk::with_known(scope, graph, given, HashMap::new(), targets)
    }

    /// [`Walk::run`], with given shapes for other endpoints.
    pub(super) fn with_known(
        scope: &'s Scope,
        graph: &Graph,
        given: Vec<(Endpoint, Option<PartialShape>)>,
        known: HashMap<Endpoint, PartialShape>,
        targets: Vec<NodeId>,
    ) -> Result<Walk<'s>> {
        let mut forced = HashSet::new();
        loop {
            match Walk::attempt(scope, graph, &given, &known, &targets, forced.clone()) {
                Ok(walk) => return Ok(walk),
                Err(Stop::Again(merge)) if forced.insert(merge) => {}
                Err(Stop::Again(_)) => return Err(Error::internal("a loop variable that is known to vary does not")),
                Err(Stop::Fail(error)) => return Err(error),
                Err(Stop::Refuse(reason)) => return Err(Error::internal(reason)),
            }
        }
    }

    fn attempt(
        scope: &'s Scope,
        graph: &Graph,
        given: &[(Endpoint, Option<PartialShape>)],
        known: &HashMap<Endpoint, PartialShape>,
        targets: &[NodeId],
        forced: HashSet<NodeId>,
    ) -> Result<Walk<'s>, Stop> {
        let signature = Signature {
            feeds: given.iter().map(|(at, _)| *at).collect(),
            targets: targets.to_vec(),
            ..Signature::default()
        };
        let pruned = prune(graph, &signature)?;
        let of_one = given.iter().map(|(at, shape)| (*at, shape.clone().unwrap_or_else(|| declared(graph, at.node))));
        let variables = match graph.nodes().any(|(_, node)| node.spec().role == Role::NextIteration) {
            true => Known::on(&[], graph, &pruned, &of_one.chain(known.clone()).collect()),
            false => Known::default(),
        };
        let order = pruned.order;
        let shapes: Shapes = Rc::new(RefCell::new(known.clone()));
        let seen = shapes.clone();
        let look = move |at: Endpoint| seen.borrow().get(&at).cloned().unwrap_or_default();
        let cx = GradCx::new(graph.clone(), scope.registry.clone(), look);
        let outside = Frame { parent: 0, name: Bytes::new(), parallel_iterations: 0, size: None };
        let mut walk = Walk {
            scope,
            cx,
            own: graph.len(),
            replaced: HashMap::new(),
            renamed: HashMap::new(),
            lanes: HashMap::new(),
            shapes,
            refused: HashMap::new(),
            one_by_one: Vec::new(),
            order,
            frames: vec![outside],
            frame_of: HashMap::new(),
            forced,
            known: known.keys().copied().collect(),
            variables,
        };
        let inputs: HashSet<NodeId> = given.iter().map(|(at, _)| at.node).collect();
        for (at, shape) in given {
            walk.placeholder(graph, *at, shape.clone())?;
        }
        for unit in siblings::units(graph, &walk.order) {
            match unit[..] {
                [id] if inputs.contains(&id) => {}
                [id] => walk.visit(graph, id)?,
                _ => siblings::visit(&mut walk, graph, &unit)?,
            }
        }
        walk.close(graph)?;
        Ok(walk)
    }

    /// Replaces an input by a placeholder.
    fn placeholder(&mut self, graph: &Graph, at: Endpoint, shape: Option<PartialShape>) -> Result<()> {
        let node = graph.node(at.node);
        let shape = shape.unwrap_or_else(|| self.infer(graph, at.node).into_iter().next().unwrap_or_default());
        let dtype = node.output_types[0].dtype;
        let batched = PartialShape::vector(None).concat(&shape);
        let value = self.cx.visit(at.node, &format!("{}/batch", node.name), |cx| {
            cx.node("Placeholder", &[], &[attr("dtype", dtype), attr("shape", batched.clone())]).at
        })?;
        self.shapes.borrow_mut().insert(value, batched);
        self.shapes.borrow_mut().insert(at, shape);
        self.frame_of.insert(at.node, 0);
        self.replace(at.node, vec![Lanes { at: value, varies: true }], Some(value.node));
        if self.frames[0].size.is_none() {
            let size = self.cx.visit(at.node, "batch/size", |cx| {
                let dims = cx.primitive(Primitive::Shape, &[cx.value(value)], &[]);
                dims.slice1(0, 1).reshape(cx.ints(&[])).at
            })?;
            self.frames[0].size = Some(size);
        }
        Ok(())
    }

    /// The batched value of an endpoint.
    pub(super) fn lanes(&self, at: Endpoint) -> Lanes {
        self.lanes.get(&at).copied().unwrap_or(Lanes { at, varies: false })
    }

    /// The known shape of an endpoint for one example.
    pub(super) fn shape(&self, at: Endpoint) -> PartialShape {
        self.shapes.borrow().get(&at).cloned().unwrap_or_default()
    }

    /// Records the shape of an endpoint for one example.
    pub(super) fn know(&mut self, at: Endpoint, shape: PartialShape) {
        let mut shapes = self.shapes.borrow_mut();
        let known = shapes.entry(at).or_default();
        if let Ok(both) = known.merge(&shape) {
            *known = both;
        }
    }

    /// The shapes of a node's outputs for one example, from those of its inputs.
    fn infer(&self, graph: &Graph, id: NodeId) -> Vec<PartialShape> {
        let node = graph.node(id);
        let inputs: Vec<PartialShape> = node.inputs.iter().map(|&e| self.shape(e)).collect();
        let fixed = |e: &Endpoint| -> Option<Tensor> {
            let lanes = self.lanes(*e);
            if lanes.varies { None } else { self.cx.value(lanes.at).fixed() }
        };
        let constants: Vec<Option<Tensor>> = node.inputs.iter().map(fixed).collect();
        let constants: Vec<Option<&Tensor>> = constants.iter().map(Option::as_ref).collect();
        let mut outputs = vec![PartialShape::Unknown; node.output_types.len()];
        if node.op.shape(&mut ShapeCx::new(&inputs, &constants, &mut outputs)).is_err() {
            outputs.fill(PartialShape::Unknown);
        }
        // A value that comes back in a loop does not exist yet.
        if node.spec().role == Role::Merge {
            let found = self.variables.shape(Endpoint::new(id, 0));
            if let Ok(both) = outputs[0].merge(&found) {
                outputs[0] = both;
            }
        }
        outputs
    }

    /// Records the batched values of a node's outputs, and the node that has exactly those outputs, if there is one.
    pub(super) fn replace(&mut self, id: NodeId, outputs: Vec<Lanes>, by: Option<NodeId>) {
        for (i, lanes) in outputs.iter().enumerate() {
            let old = Endpoint::new(id, i as u32);
            let shape = self.shape(old);
            let shape = if lanes.varies { PartialShape::vector(None).concat(&shape) } else { shape };
            self.shapes.borrow_mut().entry(lanes.at).or_insert(shape);
            self.lanes.insert(old, *lanes);
        }
        self.replaced.insert(id, by);
        if let Some(by) = by {
            self.renamed.insert(by, id);
        }
    }

    fn visit(&mut self, graph: &Graph, id: NodeId) -> Result<(), Stop> {
        if self.begin(graph, id) { self.advance(graph, id) } else { Ok(()) }
    }

    fn refuse(&mut self, graph: &Graph, id: NodeId, reason: String) {
        let node = graph.node(id);
        self.refused.insert(id, Refused { node: node.name.to_string(), op: node.op_name().to_owned(), reason });
    }

    /// Determines the dependencies of a node; true if its inputs differ between examples.
    pub(super) fn begin(&mut self, graph: &Graph, id: NodeId) -> bool {
        let node = graph.node(id);
        self.find_frame(graph, id);
        let shapes = self.infer(graph, id);
        for (i, shape) in shapes.into_iter().enumerate() {
            let at = Endpoint::new(id, i as u32);
            if !self.known.contains(&at) {
                self.shapes.borrow_mut().insert(at, shape);
            }
        }
        let mut before = node.inputs.iter().map(|e| e.node).chain(node.control_inputs.iter().copied());
        if let Some(cause) = before.find_map(|id| self.refused.get(&id)) {
            // The first cause is sufficient.
            let reason = match cause.reason.starts_with("it depends on") {
                true => cause.reason.clone(),
                false => format!("it depends on {} ({}): {}", cause.node, cause.op, cause.reason),
            };
            self.refuse(graph, id, reason);
            return false;
        }
        node.inputs.iter().any(|&e| self.lanes(e).varies) || self.forced.contains(&id)
    }

    /// Adds the nodes that compute a node for all examples, or records why there are none.
    pub(super) fn advance(&mut self, graph: &Graph, id: NodeId) -> Result<(), Stop> {
        match self.batched(graph, id) {
            Err(Stop::Refuse(reason)) => {
                self.refuse(graph, id, reason);
                Ok(())
            }
            other => other,
        }
    }

    /// Adds the nodes that compute a node for all examples.
    fn batched(&mut self, graph: &Graph, id: NodeId) -> Result<(), Stop> {
        let node = graph.node(id);
        if let Some(error) = graph.unsupported_among([id]) {
            return Err(Stop::Refuse(error.to_string()));
        }
        let first = self.cx.look(Graph::len);
        let outputs = match node.spec().role {
            Role::Switch | Role::Merge | Role::Enter | Role::Exit | Role::NextIteration | Role::LoopCond => {
                self.flow(graph, id)?
            }
            Role::Call => {
                let inputs: Inputs = calls::inputs(self, node);
                match calls::batched(self, graph, id, &inputs)? {
                    Some(outputs) => outputs,
                    None => one_by_one::run(self, graph, id)?,
                }
            }
            _ => match self.by_rule(graph, id)? {
                Some(outputs) => outputs,
                None => one_by_one::run(self, graph, id)?,
            },
        };
        self.attach(graph, id, first);
        let by = self.exactly(&outputs, first, node.output_types.len());
        self.replace(id, outputs, by);
        Ok(())
    }

    /// The result of the rule of a node's op.
    fn by_rule(&mut self, graph: &Graph, id: NodeId) -> Result<Option<Vec<Lanes>>> {
        let node = graph.node(id);
        let Some(rule) = self.scope.registry.get(node.op_name()).and_then(|def| def.batch) else { return Ok(None) };
        let inputs: Vec<Lanes> = node.inputs.iter().map(|&e| self.lanes(e)).collect();
        let shapes = node.inputs.iter().map(|&e| self.shape(e)).collect();
        let outputs = (0..node.output_types.len()).map(|i| self.shape(Endpoint::new(id, i as u32))).collect();
        let first = self.cx.look(Graph::len);
        let found: Result<Batched> = self.cx.visit(id, &format!("{}/batch", node.name), |g| {
            rule.batch(&*node.op, &BatchCx::new(g, inputs, shapes, outputs))
        });
        // A node that a rule cannot make, because of a type or an attr, also runs example by example.
        let found = found.ok().flatten().filter(|outputs| outputs.len() == node.output_types.len());
        if found.is_none() {
            self.cx.change(|graph| graph.truncate(first));
        }
        Ok(found)
    }

    /// The batched outputs of a node of a conditional or loop of version 1.
    fn flow(&mut self, graph: &Graph, id: NodeId) -> Result<Vec<Lanes>, Stop> {
        let node = graph.node(id);
        let name = format!("{}/batch", node.name);
        let lanes: Vec<Lanes> = node.inputs.iter().map(|&e| self.lanes(e)).collect();
        match node.spec().role {
            Role::Switch if lanes[1].varies => {
                return Err(Stop::Refuse(
                    "the predicate of a conditional of version 1 differs between examples; one that calls functions \
                     (StatelessIf) can be batched"
                        .to_owned(),
                ));
            }
            Role::LoopCond => {
                return Err(Stop::Refuse(
                    "the number of iterations of a loop of version 1 differs between examples; one that calls functions \
                     (StatelessWhile) can be batched"
                        .to_owned(),
                ));
            }
            Role::Merge => return self.merge(graph, id),
            _ => {}
        }
        let made = self.cx.visit(id, &name, |g| {
            let inputs: Vec<V<'_>> = lanes.iter().map(|lanes| g.value(lanes.at)).collect();
            g.again(&inputs, &[]).at
        })?;
        if node.spec().role == Role::NextIteration {
            for (merge, _) in
                graph.nodes().filter(|(_, n)| n.spec().role == Role::Merge && n.inputs.contains(&id.into()))
            {
                // A node that comes later in the order has no lanes yet.
                let varies = self.forced.contains(&merge) || self.lanes(merge.into()).varies;
                if !varies && !self.refused.contains_key(&merge) {
                    return Err(Stop::Again(merge));
                }
            }
        }
        Ok((0..node.output_types.len() as u32)
            .map(|i| Lanes { at: Endpoint::new(made.node, i), varies: true })
            .collect())
    }

    /// A `Merge`, all of whose inputs vary from now on.
    fn merge(&mut self, graph: &Graph, id: NodeId) -> Result<Vec<Lanes>, Stop> {
        let node = graph.node(id);
        let is_loop = node.inputs.iter().any(|e| graph.node(e.node).spec().role == Role::NextIteration);
        let mut inputs = Vec::new();
        for &input in &node.inputs {
            let lanes = self.lanes(input);
            if is_loop && graph.node(input.node).spec().role == Role::NextIteration {
                // Set once it exists; until then the value of the first iteration.
                inputs.push(*inputs.first().unwrap_or(&lanes.at));
            } else if lanes.varies {
                inputs.push(lanes.at);
            } else if is_loop && node.control_inputs.is_empty() && graph.node(input.node).op_name() == "Enter" {
                inputs.push(self.entered(graph, input.node)?);
            } else {
                inputs.push(self.repeated(id, lanes.at, &node.name)?);
            }
        }
        let made = self.cx.visit(id, &format!("{}/batch", node.name), |g| {
            let inputs: Vec<V<'_>> = inputs.iter().map(|&at| g.value(at)).collect();
            g.again(&inputs, &[]).at
        })?;
        let index = Lanes { at: Endpoint::new(made.node, 1), varies: false };
        Ok(vec![Lanes { at: made, varies: true }, index])
    }

    /// A value that enters a loop through node `id` and is the same for all examples, repeated for each. It is repeated
    /// outside, so that the loop keeps its form.
    fn entered(&mut self, graph: &Graph, id: NodeId) -> Result<Endpoint> {
        let node = graph.node(id);
        let frame = self.frame_of.get(&id).copied().unwrap_or(0);
        let value = self.lanes(node.inputs[0]).at;
        let first = self.cx.look(Graph::len);
        let all = self.repeated_in(id, self.frames[frame].parent, value, &node.name)?;
        self.anchor(first, value.node);
        self.cx.visit(id, &format!("{}/batch", node.name), |g| g.again(&[g.value(all)], &[]).at)
    }

    /// A value that is the same for all examples, repeated for each, in the frame of node `id`.
    pub(super) fn repeated(&mut self, id: NodeId, value: Endpoint, name: &str) -> Result<Endpoint> {
        let frame = self.frame_of.get(&id).copied().unwrap_or(0);
        self.repeated_in(id, frame, value, name)
    }

    fn repeated_in(&mut self, id: NodeId, frame: usize, value: Endpoint, name: &str) -> Result<Endpoint> {
        let size = self.size_in(id, frame)?;
        let first = self.cx.look(Graph::len);
        let made = self.cx.visit(id, &format!("{name}/batch"), |g| {
            let value = g.value(value);
            let dims = g.primitive(Primitive::Shape, &[value], &[]);
            let axis = g.scalar(levada_graph::DType::I32, 0.0);
            let size = g.value(size).reshape(g.ints(&[1]));
            let all = g.node("ConcatV2", &[size, dims, axis], &[attr("N", 2i64)]);
            g.op("BroadcastTo", &[value, all]).at
        })?;
        if frame != 0 {
            self.anchor(first, value.node);
        }
        Ok(made)
    }

    /// The number of examples, in a frame.
    fn size_in(&mut self, id: NodeId, frame: usize) -> Result<Endpoint> {
        if let Some(size) = self.frames[frame].size {
            return Ok(size);
        }
        let outside = self.size_in(id, self.frames[frame].parent)?;
        let Frame { name, parallel_iterations, .. } = &self.frames[frame];
        let attrs = [
            ("frame_name", AttrValue::S(name.clone())),
            attr("is_constant", true),
            attr("parallel_iterations", *parallel_iterations),
        ];
        let size = self.cx.visit(id, "batch/size", |g| g.node("Enter", &[g.value(outside)], &attrs).at)?;
        self.frames[frame].size = Some(size);
        Ok(size)
    }

    /// Determines the loop that a node is in.
    fn find_frame(&mut self, graph: &Graph, id: NodeId) {
        let node = graph.node(id);
        let before = node.inputs.iter().map(|e| e.node).chain(node.control_inputs.iter().copied());
        let around = before.filter_map(|id| self.frame_of.get(&id).copied()).max().unwrap_or(0);
        let frame = match node.spec().role {
            Role::Enter => {
                let name = node.attrs.get("frame_name").and_then(Bytes::from_attr).unwrap_or_default();
                let found = self.frames.iter().skip(1).position(|f| f.parent == around && f.name == name);
                found.map_or_else(
                    || {
                        let parallel = node.attrs.get("parallel_iterations").and_then(i64::from_attr);
                        let parallel_iterations = parallel.unwrap_or(10);
                        self.frames.push(Frame { parent: around, name, parallel_iterations, size: None });
                        self.frames.len() - 1
                    },
                    |i| i + 1,
                )
            }
            Role::Exit => self.frames[around].parent,
            _ => around,
        };
        self.frame_of.insert(id, frame);
    }

    /// Makes new nodes without inputs run in the frame of `anchor`, except those that already have an anchor: for a
    /// `Merge`, a value on one branch must not depend on another branch.
    fn anchor(&self, first: usize, anchor: NodeId) {
        self.cx.change(|graph| {
            for id in (first..graph.len()).map(NodeId::new) {
                let node = graph.node(id);
                if node.inputs.is_empty() && node.control_inputs.is_empty() {
                    graph.add_control(anchor, id);
                }
            }
        });
    }

    /// Makes the new nodes of a node depend on its control inputs, and run in its frame.
    pub(super) fn attach(&mut self, graph: &Graph, id: NodeId, first: usize) {
        let node = graph.node(id);
        let stands = |c: &NodeId| match self.replaced.get(c) {
            Some(by) => *by,
            None => Some(*c),
        };
        let waits: Vec<NodeId> = node.control_inputs.iter().filter_map(stands).collect();
        let anchor = match self.frame_of.get(&id) {
            Some(0) | None => None,
            Some(_) => node.inputs.first().map(|&e| self.lanes(e).at.node),
        };
        if let Some(anchor) = anchor {
            self.anchor(first, anchor);
        }
        self.cx.change(|graph| {
            for id in (first..graph.len()).map(NodeId::new) {
                waits.iter().for_each(|&before| graph.add_control(before, id));
            }
        });
    }

    /// The new node whose outputs are exactly these.
    fn exactly(&self, outputs: &[Lanes], first: usize, count: usize) -> Option<NodeId> {
        let node = match outputs.first() {
            Some(lanes) => lanes.at.node,
            None => NodeId::new(self.cx.look(Graph::len).checked_sub(1)?),
        };
        let fits = outputs.iter().zip(0..).all(|(lanes, i)| lanes.at == Endpoint::new(node, i));
        let len = self.cx.look(|graph| graph.node(node).output_types.len());
        let free = node.index() >= first.max(self.own) && !self.renamed.contains_key(&node);
        (fits && len == count && free).then_some(node)
    }

    /// Closes the loops.
    fn close(&mut self, graph: &Graph) -> Result<(), Stop> {
        let merges: Vec<NodeId> = self.order.clone();
        for id in merges {
            let node = graph.node(id);
            let Some(lanes) = self.lanes.get(&id.into()).copied() else { continue };
            if node.spec().role != Role::Merge || !lanes.varies {
                continue;
            }
            for (i, &input) in node.inputs.iter().enumerate() {
                if graph.node(input.node).spec().role != Role::NextIteration {
                    continue;
                }
                let next = self.lanes(input);
                let next = match next.varies {
                    true => next.at,
                    // The value before the iteration ends, repeated for each example.
                    false => {
                        let value = self.lanes(graph.node(input.node).inputs[0]).at;
                        let first = self.cx.look(Graph::len);
                        let all = self.repeated(input.node, value, &graph.node(input.node).name)?;
                        let made = self.cx.visit(input.node, "batch/next", |g| g.again(&[g.value(all)], &[]).at)?;
                        self.anchor(first, value.node);
                        made
                    }
                };
                self.cx.change(|graph| graph.set_input(lanes.at.node, i, next))?;
            }
        }
        Ok(())
    }

    /// The endpoints that vary.
    pub(super) fn varying(&self) -> impl Iterator<Item = Endpoint> + '_ {
        self.lanes.iter().filter(|(_, lanes)| lanes.varies).map(|(at, _)| *at)
    }

    /// How nodes of the batched graph refer to a value of the growing graph.
    pub(super) fn reference(&self, at: Endpoint) -> String {
        let node = self.renamed.get(&at.node).copied().unwrap_or(at.node);
        self.cx.look(|graph| graph.endpoint_name(Endpoint::new(node, at.output)))
    }

    /// The nodes of the batched graph.
    pub(super) fn nodes(&self) -> Result<Vec<NodeDef>> {
        let needed: HashSet<NodeId> = self.order.iter().copied().collect();
        self.cx.look(|graph| {
            let name = |id: NodeId| graph.node(self.renamed.get(&id).copied().unwrap_or(id)).name.to_string();
            let endpoint = |at: Endpoint| self.reference(at);
            let is_left_out = |id: &NodeId| self.replaced.contains_key(id) || self.refused.contains_key(id);
            let mut nodes = Vec::new();
            for (id, node) in graph.nodes() {
                let is_new = id.index() >= self.own;
                if !is_new && (is_left_out(&id) || !needed.contains(&id)) {
                    continue;
                }
                let value = |&at: &Endpoint| endpoint(if is_new { at } else { self.lanes(at).at });
                // A replaced node keeps its name.
                let waits = node.control_inputs.iter().map(|&c| format!("^{}", name(c)));
                let inputs = node.inputs.iter().map(value).chain(waits).collect();
                nodes.push(NodeDef {
                    name: name(id),
                    op: node.op_name().to_owned(),
                    inputs,
                    device: node.device.clone(),
                    attrs: node.attrs.clone(),
                });
            }
            for (&id, by) in &self.replaced {
                if by.is_none() {
                    nodes.extend(self.alias(graph, id, &endpoint));
                }
            }
            let there: HashSet<String> = nodes.iter().map(|node: &NodeDef| node.name.clone()).collect();
            nodes.iter_mut().for_each(|node| keep_classes(&mut node.attrs, &there));
            Ok(nodes)
        })
    }

    /// A node with the name of node `id` and the batched values of its outputs.
    fn alias(&self, graph: &Graph, id: NodeId, endpoint: &dyn Fn(Endpoint) -> String) -> Option<NodeDef> {
        let node = graph.node(id);
        let count = node.output_types.len();
        let values: Vec<Endpoint> = (0..count as u32).map(|i| self.lanes(Endpoint::new(id, i)).at).collect();
        let types: Vec<_> = node.output_types.iter().map(|ty| ty.dtype.value()).collect();
        let mut attrs = Attrs::new();
        let op = match count {
            0 => "NoOp",
            1 => {
                attrs.set("T", AttrValue::Type(types[0]));
                "Identity"
            }
            _ => {
                attrs.set("T", AttrValue::List(AttrList::Type(types)));
                "IdentityN"
            }
        };
        let inputs = values.into_iter().map(endpoint).collect();
        Some(NodeDef { name: node.name.to_string(), op: op.to_owned(), inputs, device: node.device.clone(), attrs })
    }
}

/// Drops colocations with nodes that do not exist.
fn keep_classes(attrs: &mut Attrs, there: &HashSet<String>) {
    let Some(AttrValue::List(AttrList::S(classes))) = attrs.get("_class") else { return };
    let is_there = |class: &&Bytes| {
        let name = class.strip_prefix(b"loc:@").and_then(|name| std::str::from_utf8(name).ok());
        name.is_none_or(|name| there.contains(name))
    };
    let kept: Vec<Bytes> = classes.iter().filter(is_there).cloned().collect();
    if kept.len() < classes.len() {
        let kept = if kept.is_empty() { AttrList::Empty } else { AttrList::S(kept) };
        attrs.set("_class", AttrValue::List(kept));
    }
}

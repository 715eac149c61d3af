//! Gradients through while loops of version 1 (`Enter`, `Merge`, `Switch`, `NextIteration`, `Exit`).
//!
//! A loop's gradient is a loop that runs as many times, backwards. Its variables are the gradients of the forward
//! loop's variables; a loop invariant gets the sum of its gradients over the iterations. A value of an iteration that
//! the backward loop needs is saved in a list: the forward loop pushes it, the backward loop, which runs the iterations
//! in reverse, pops it. The lists are themselves loop variables, so an inner loop's lists are values of the outer
//! loop's iterations and are saved in the same way, and the backward loop can be differentiated again.
//!
//! TensorFlow's `while_loop` does the same with stacks, which the pushes and pops change in place.

use super::Walk;
use super::frames::{Frames, Guard, Variable};
use levada_graph::attr::AttrValue;
use levada_graph::grad::{Grad, GradCx, Inside, attr, is_constant, is_differentiable};
use levada_graph::spec::Role;
use levada_graph::{Bytes, DType, Endpoint, Error, NodeId, Result, Tensor};
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};

/// The location of a value: in a frame of the forward graph, or at a level of its gradients. Frame 0 and level 0 are
/// the same, outside of all loops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Site {
    Forward(usize),
    Backward(usize),
}

/// A backward loop.
#[derive(Default)]
struct Level {
    /// The forward loop.
    frame: usize,
    parent: usize,
    name: String,
    parallel_iterations: i64,
    /// Its `LoopCond`, once there is one.
    cond: Option<Endpoint>,
    /// Values that have entered from the parent.
    entered: HashMap<Endpoint, Endpoint>,
    /// Values of the forward loop that have been popped.
    restored: HashMap<Endpoint, Endpoint>,
}

/// The forward loops and the backward loops made so far. As [`Inside`] it adds nodes to the backward loop under
/// construction.
pub(super) struct Loops {
    pub(super) frames: Frames,
    levels: RefCell<Vec<Level>>,
    /// The level to which nodes are added.
    level: Cell<usize>,
    /// The locations of the values of new nodes.
    sites: RefCell<HashMap<NodeId, Site>>,
    /// New forward values that are alive only when another one is.
    like: RefCell<HashMap<NodeId, Endpoint>>,
    /// Values that have entered forward loops.
    entered: RefCell<HashMap<(Endpoint, usize), Endpoint>>,
    /// The number of iterations of forward loops.
    counts: RefCell<HashMap<usize, Endpoint>>,
}

impl Loops {
    pub(super) fn new(frames: Frames) -> Loops {
        Loops {
            frames,
            levels: RefCell::new(vec![Level::default()]),
            level: Cell::new(0),
            sites: RefCell::default(),
            like: RefCell::default(),
            entered: RefCell::default(),
            counts: RefCell::default(),
        }
    }

    /// True for the `Merge` and `Switch` nodes of loop variables.
    pub(super) fn passes(&self, id: NodeId) -> bool {
        let variables = &self.frames.all[self.frames.of(id.into())].variables;
        variables.iter().any(|v| v.merge == id || v.switch == Some(id))
    }

    fn site(&self, at: Endpoint) -> Site {
        match self.sites.borrow().get(&at.node) {
            Some(&site) => site,
            None if self.frames.knows(at.node) => Site::Forward(self.frames.of(at)),
            None => Site::Backward(0),
        }
    }

    fn put(&self, at: Endpoint, site: Site) -> Endpoint {
        self.sites.borrow_mut().insert(at.node, site);
        at
    }

    /// The value to use at a level for a given value.
    fn at_level(&self, cx: &GradCx, at: Endpoint, level: usize) -> Endpoint {
        let site = self.site(at);
        if level == 0 {
            if !matches!(site, Site::Forward(0) | Site::Backward(0)) {
                cx.fail(Error::internal("a value of a loop is used outside of it"));
            }
            return at;
        }
        let (frame, parent) = {
            let level = &self.levels.borrow()[level];
            (level.frame, level.parent)
        };
        match site {
            Site::Backward(l) if l == level => at,
            Site::Forward(f) if f == frame => self.restore(cx, at, level),
            _ => {
                let outside = self.at_level(cx, at, parent);
                self.enter(cx, outside, level)
            }
        }
    }

    /// Makes a value of the parent enter a backward loop.
    fn enter(&self, cx: &GradCx, outside: Endpoint, level: usize) -> Endpoint {
        if let Some(&found) = self.levels.borrow()[level].entered.get(&outside) {
            return found;
        }
        let attrs = self.levels.borrow()[level].attrs(true);
        let inside = self.put(cx.add("Enter", &[outside], &attrs), Site::Backward(level));
        self.levels.borrow_mut()[level].entered.insert(outside, inside);
        inside
    }

    /// Makes a value from outside of all loops enter a forward loop.
    pub(super) fn enter_forward(&self, cx: &GradCx, outside: Endpoint, frame: usize) -> Endpoint {
        if frame == 0 {
            return outside;
        }
        if let Some(&found) = self.entered.borrow().get(&(outside, frame)) {
            return found;
        }
        let parent = self.enter_forward(cx, outside, self.frames.all[frame].parent);
        let inside = self.put(cx.add("Enter", &[parent], &self.forward_attrs(frame, true)), Site::Forward(frame));
        self.entered.borrow_mut().insert((outside, frame), inside);
        inside
    }

    fn forward_attrs(&self, frame: usize, is_constant: bool) -> Vec<(&'static str, AttrValue)> {
        let frame = &self.frames.all[frame];
        enter_attrs(&frame.name, frame.parallel_iterations, is_constant)
    }

    /// Adds a variable to a forward loop. `body` computes its next value from the current one. Returns its last value,
    /// in the frame around the loop.
    fn forward_variable(
        &self,
        cx: &GradCx,
        frame: usize,
        start: Endpoint,
        body: impl FnOnce(Endpoint) -> Endpoint,
    ) -> Endpoint {
        let Some(cond) = self.frames.all[frame].cond else {
            cx.fail(Error::unimplemented(format!(
                "gradients of the loop {}, which has no LoopCond",
                self.frames.all[frame].name
            )));
            return start;
        };
        let parent = self.frames.all[frame].parent;
        let start = self.enter_forward(cx, start, parent);
        let here = Site::Forward(frame);
        let enter = self.put(cx.add("Enter", &[start], &self.forward_attrs(frame, false)), here);
        let merge = self.put(cx.add("Merge", &[enter, enter], &[]), here);
        let switch = self.put(cx.add("Switch", &[merge, cond.into()], &[]), here);
        let next = body(Endpoint::new(switch.node, 1));
        let next = self.put(cx.add("NextIteration", &[next], &[]), here);
        cx.close(merge.node, next);
        self.forward_exit(cx, switch, frame)
    }

    /// Makes a value exit a forward loop.
    fn forward_exit(&self, cx: &GradCx, switch: Endpoint, frame: usize) -> Endpoint {
        let around = &self.frames.all[frame];
        let exit = self.put(cx.add("Exit", &[switch], &[]), Site::Forward(around.parent));
        // If the loop does not run, all its exits are dead.
        if let Some(other) = around.variables.iter().find_map(|v| v.exit) {
            self.like.borrow_mut().insert(exit.node, other.into());
        }
        exit
    }

    /// The number of iterations of a forward loop, in the frame around it.
    fn count(&self, cx: &GradCx, frame: usize) -> Endpoint {
        if let Some(&found) = self.counts.borrow().get(&frame) {
            return found;
        }
        let (zero, one) = (constant(cx, Tensor::scalar(0i32)), constant(cx, Tensor::scalar(1i32)));
        let one = self.enter_forward(cx, one, frame);
        let count =
            self.forward_variable(cx, frame, zero, |i| self.put(cx.add("AddV2", &[i, one], &[]), Site::Forward(frame)));
        self.counts.borrow_mut().insert(frame, count);
        count
    }

    /// The value that the forward loop had in the same iteration.
    fn restore(&self, cx: &GradCx, at: Endpoint, level: usize) -> Endpoint {
        if let Some(&found) = self.levels.borrow()[level].restored.get(&at) {
            return found;
        }
        enum Kind {
            Fixed(Tensor),
            Same(Endpoint),
            Value(DType),
        }
        let kind = cx.look(|graph| {
            let node = graph.node(at.node);
            let passes = node.op_name() == "Identity" || (node.spec().role == Role::Enter && is_constant(node));
            match (node.op.constant(), node.inputs.first()) {
                (Some(value), _) => Kind::Fixed(value.clone()),
                (None, Some(&input)) if passes && self.frames.knows(at.node) => Kind::Same(input),
                _ => Kind::Value(graph.endpoint_type(at).map_or(DType::F32, |ty| ty.dtype)),
            }
        });
        let value = match kind {
            Kind::Fixed(value) => {
                let outside = constant(cx, value);
                self.at_level(cx, outside, level)
            }
            Kind::Same(input) => self.at_level(cx, input, level),
            Kind::Value(dtype) => self.keep(cx, at, dtype, level),
        };
        self.levels.borrow_mut()[level].restored.insert(at, value);
        value
    }

    fn guards(&self, cx: &GradCx, at: Endpoint) -> Vec<Guard> {
        let at = self.like.borrow().get(&at.node).copied().unwrap_or(at);
        if self.frames.knows(at.node) { cx.look(|graph| self.frames.guards(graph, at)) } else { Vec::new() }
    }

    /// Makes the forward loop push a value on a list and the backward loop pop it.
    fn keep(&self, cx: &GradCx, at: Endpoint, dtype: DType, level: usize) -> Endpoint {
        let (frame, parent) = {
            let level = &self.levels.borrow()[level];
            (level.frame, level.parent)
        };
        let guards = self.guards(cx, at);
        let any = constant(cx, Tensor::scalar(-1i32));
        let empty = cx.add("EmptyTensorList", &[any, any], &[attr("element_dtype", dtype)]);
        let last = self.forward_variable(cx, frame, empty, |list| {
            let here = Site::Forward(frame);
            // If a branch was not taken, another value is pushed instead.
            let mut value = at;
            for &(pred, branch) in &guards {
                let other = match dtype {
                    DType::Variant => empty,
                    _ => constant(cx, Tensor::zeros(dtype, levada_graph::Shape::scalar())),
                };
                let other = self.enter_forward(cx, other, frame);
                let other = self.put(cx.add("Switch", &[other, pred], &[]), here);
                value = self.put(cx.add("Merge", &[value, Endpoint::new(other.node, 1 - branch)], &[]), here);
            }
            self.put(cx.add("TensorListPushBack", &[list, value], &[]), here)
        });
        let list = self.at_level(cx, last, parent);
        let here = Site::Backward(level);
        let (merge, list) = self.variable(cx, list, level);
        let any = self.at_level(cx, any, level);
        let pop = self.put(cx.add("TensorListPopBack", &[list, any], &[attr("element_dtype", dtype)]), here);
        self.next(cx, merge, pop, level);
        let mut value = Endpoint::new(pop.node, 1);
        for &(pred, branch) in guards.iter().rev() {
            let pred = self.at_level(cx, pred, level);
            let switch = self.put(cx.add("Switch", &[value, pred], &[]), here);
            value = Endpoint::new(switch.node, branch);
        }
        value
    }

    /// A new variable of a backward loop: its `Merge`, and its value in the body.
    fn variable(&self, cx: &GradCx, start: Endpoint, level: usize) -> (NodeId, Endpoint) {
        let here = Site::Backward(level);
        let attrs = self.levels.borrow()[level].attrs(false);
        let enter = self.put(cx.add("Enter", &[start], &attrs), here);
        let merge = self.put(cx.add("Merge", &[enter, enter], &[]), here);
        let Some(cond) = self.levels.borrow()[level].cond else { return (merge.node, merge) };
        let switch = self.put(cx.add("Switch", &[merge, cond], &[]), here);
        (merge.node, Endpoint::new(switch.node, 1))
    }

    fn next(&self, cx: &GradCx, merge: NodeId, next: Endpoint, level: usize) {
        let next = self.put(cx.add("NextIteration", &[next], &[]), Site::Backward(level));
        cx.close(merge, next);
    }

    /// The last value of a variable, in the enclosing loop.
    fn exit(&self, cx: &GradCx, body: Endpoint, level: usize) -> Endpoint {
        let parent = self.levels.borrow()[level].parent;
        self.put(cx.add("Exit", &[Endpoint::new(body.node, 0)], &[]), Site::Backward(parent))
    }

    /// Begins the backward loop for `frame`; `name` is that of the new frame.
    fn begin(&self, cx: &GradCx, frame: usize, name: String) -> usize {
        let parent = self.level.get();
        let count = self.count(cx, frame);
        let count = self.at_level(cx, count, parent);
        let level = self.levels.borrow().len();
        let parallel_iterations = self.frames.all[frame].parallel_iterations;
        self.levels.borrow_mut().push(Level { frame, parent, name, parallel_iterations, ..Level::default() });
        let here = Site::Backward(level);
        let number = |n: i32| {
            let outside = constant(cx, Tensor::scalar(n));
            self.at_level(cx, outside, level)
        };
        let (zero, one) = (number(0), number(1));
        let (merge, left) = self.variable(cx, count, level);
        let goes_on = self.put(cx.add("Greater", &[left, zero], &[]), here);
        let cond = self.put(cx.add("LoopCond", &[goes_on], &[]), here);
        self.levels.borrow_mut()[level].cond = Some(cond);
        let switch = self.put(cx.add("Switch", &[left, cond], &[]), here);
        let next = self.put(cx.add("Sub", &[Endpoint::new(switch.node, 1), one], &[]), here);
        self.next(cx, merge, next, level);
        level
    }

    /// The value outside of the backward loop `level`, if it is loop-invariant.
    fn outside(&self, cx: &GradCx, at: Endpoint, level: usize) -> Option<Endpoint> {
        let frame = self.levels.borrow()[level].frame;
        match self.site(at) {
            Site::Backward(l) if l == level => None,
            Site::Forward(f) if f == frame => cx.look(|graph| {
                let node = graph.node(at.node);
                (node.spec().role == Role::Enter && is_constant(node)).then(|| node.inputs[0])
            }),
            _ => Some(at),
        }
    }
}

impl Inside for Loops {
    fn node(&self, cx: &GradCx, op: &str, inputs: &[Endpoint], attrs: &[(&'static str, AttrValue)]) -> Endpoint {
        let level = self.level.get();
        if level == 0 || inputs.is_empty() {
            return cx.add(op, inputs, attrs);
        }
        let looks_at_shapes = matches!(op, "Shape" | "Size" | "Rank");
        let same_each_time = looks_at_shapes || matches!(op, "BroadcastGradientArgs" | "ShapeN" | "VariableShape");
        if same_each_time
            && let Some(outside) = inputs.iter().map(|&at| self.outside(cx, at, level)).collect::<Option<Vec<_>>>()
        {
            self.level.set(self.levels.borrow()[level].parent);
            let at = self.node(cx, op, &outside, attrs);
            self.level.set(level);
            return at;
        }
        if let ([input], true) = (inputs, looks_at_shapes)
            && let site @ Site::Forward(_) = self.site(*input)
        {
            // The shape of a value takes less memory than the value.
            let at = self.put(cx.add(op, inputs, attrs), site);
            let like = self.like.borrow().get(&input.node).copied().unwrap_or(*input);
            self.like.borrow_mut().insert(at.node, like);
            return at;
        }
        let inputs: Vec<Endpoint> = inputs.iter().map(|&at| self.at_level(cx, at, level)).collect();
        self.put(cx.add(op, &inputs, attrs), Site::Backward(level))
    }
}

impl Level {
    fn attrs(&self, is_constant: bool) -> Vec<(&'static str, AttrValue)> {
        enter_attrs(&self.name, self.parallel_iterations, is_constant)
    }
}

fn enter_attrs(name: &str, parallel_iterations: i64, is_constant: bool) -> Vec<(&'static str, AttrValue)> {
    vec![
        attr("frame_name", Bytes::copy_from_slice(name.as_bytes())),
        attr("parallel_iterations", parallel_iterations),
        attr("is_constant", is_constant),
    ]
}

fn constant(cx: &GradCx, value: Tensor) -> Endpoint {
    cx.add("Const", &[], &[attr("dtype", value.dtype()), attr("value", value)])
}

/// The loop variables that accumulate the gradients with respect to an invariant.
enum Sum {
    Dense(Endpoint),
    /// Lists of the rows and of their indices, with their element types.
    Slices([(Endpoint, DType); 2]),
}

impl Walk<'_> {
    /// Differentiates a loop.
    pub(super) fn loop_(&mut self, number: usize) -> Result<()> {
        let loops = self.loops.clone();
        let frame = &loops.frames.all[number];
        let mut dys: HashMap<NodeId, Endpoint> = HashMap::new();
        for variable in &frame.variables {
            if let Some(exit) = variable.exit
                && let Some(dy) = self.total(exit.into())?
            {
                dys.insert(variable.merge, self.dense(dy)?);
            }
        }
        if dys.is_empty() {
            return Ok(());
        }
        let active = self.active(&frame.variables, &dys);
        let scope = format!("{}/{}_grad", self.scope, frame.name);
        let outer = loops.level.get();
        let starts = self.cx.build(&scope, |cx| {
            let start = |variable: &Variable| match dys.get(&variable.merge) {
                Some(&dy) => dy,
                None => {
                    let exit = variable
                        .exit
                        .map(Endpoint::from)
                        .or_else(|| Some(loops.forward_exit(cx, variable.switch?.into(), number)));
                    exit.map_or(variable.next, |exit| cx.value(exit).zeros_like().at)
                }
            };
            active.iter().map(|v| loops.at_level(cx, start(v), outer)).collect::<Vec<_>>()
        })?;
        let (level, variables) = self.cx.build(&scope, |cx| {
            let level = loops.begin(cx, number, scope.clone());
            (level, starts.iter().map(|&start| loops.variable(cx, start, level)).collect::<Vec<_>>())
        })?;
        self.cx.set_inside(Some(loops.clone()));
        loops.level.set(level);
        for (variable, (_, body)) in active.iter().zip(&variables) {
            self.add(variable.next, Grad::Dense(*body));
        }
        self.frame(number)?;
        for (variable, &(merge, body)) in active.iter().zip(&variables) {
            let total = match self.through(variable)? {
                Some(grad) => grad,
                None => self.cx.build(&scope, |cx| {
                    let value = cx.value(variable.merge.into());
                    let alike = value.shape().known().is_some();
                    if alike { cx.value(body).zeros_like().at } else { value.zeros_like().at }
                })?,
            };
            self.cx.build(&scope, |cx| {
                let total = loops.at_level(cx, total, level);
                loops.next(cx, merge, total, level);
            })?;
        }
        let sums = self.sums(number, level, outer, &scope)?;
        loops.level.set(outer);
        let exits = self
            .cx
            .build(&scope, |cx| variables.iter().map(|&(_, body)| loops.exit(cx, body, level)).collect::<Vec<_>>())?;
        for (variable, exit) in active.iter().zip(exits) {
            let start = self.cx.look(|graph| graph.node(variable.enter).inputs[0]);
            self.add(start, Grad::Dense(exit));
        }
        for (input, grad) in sums {
            self.add(input, grad);
        }
        if outer == 0 {
            self.cx.set_inside(None);
        }
        Ok(())
    }

    /// The gradient with respect to a loop variable's value at the beginning of an iteration.
    fn through(&mut self, variable: &Variable) -> Result<Option<Endpoint>> {
        if let Some(switch) = variable.switch
            && let Some(dy) = self.total(Endpoint::new(switch, 1))?
        {
            self.add(variable.merge.into(), dy);
        }
        match self.total(variable.merge.into())? {
            Some(grad) => Ok(Some(self.dense(grad)?)),
            None => Ok(None),
        }
    }

    /// The sums of the gradients with respect to invariants, with the outside value of each.
    fn sums(&mut self, number: usize, level: usize, outer: usize, scope: &str) -> Result<Vec<(Endpoint, Grad)>> {
        let loops = self.loops.clone();
        let mut sums = Vec::new();
        for &enter in &loops.frames.all[number].invariants {
            let Some(total) = self.total(enter.into())? else { continue };
            let input = self.cx.look(|graph| graph.node(enter).inputs[0]);
            sums.push((input, self.cx.build(scope, |cx| loops.sum(cx, input, total, level, outer))?));
        }
        let finish = |cx: &GradCx, input: Endpoint, sum: &Sum| match sum {
            Sum::Dense(body) => Grad::Dense(loops.exit(cx, *body, level)),
            Sum::Slices(lists) => {
                loops.level.set(outer);
                let [values, indices] = lists.each_ref().map(|(body, dtype)| {
                    let list = cx.value(loops.exit(cx, *body, level));
                    let any = cx.constant(Tensor::scalar(-1i32));
                    let lengths = cx.constant(Tensor::vector(Vec::<i64>::new()));
                    cx.node("TensorListConcatV2", &[list, any, lengths], &[attr("element_dtype", *dtype)]).at
                });
                let shape = shape_of(cx, input);
                loops.level.set(level);
                Grad::Slices { values, indices, shape }
            }
        };
        sums.iter().map(|(input, sum)| Ok((*input, self.cx.build(scope, |cx| finish(cx, *input, sum))?))).collect()
    }

    /// The loop variables whose gradients are needed.
    fn active(&self, variables: &[Variable], dys: &HashMap<NodeId, Endpoint>) -> Vec<Variable> {
        self.cx.look(|graph| {
            let flows = |at: Endpoint| {
                graph.endpoint_type(at).is_some_and(|ty| is_differentiable(ty.dtype) && ty.dtype != DType::Resource)
            };
            let by_merge: HashMap<NodeId, &Variable> = variables.iter().map(|v| (v.merge, v)).collect();
            let mut active: HashSet<NodeId> = HashSet::new();
            let mut todo: Vec<NodeId> = dys.keys().copied().collect();
            let mut seen: HashSet<NodeId> = HashSet::new();
            while let Some(merge) = todo.pop() {
                let Some(variable) = by_merge.get(&merge) else { continue };
                if !self.between.contains(&merge) || !flows(merge.into()) || !active.insert(merge) {
                    continue;
                }
                let mut open = vec![variable.next.node];
                while let Some(id) = open.pop() {
                    if by_merge.contains_key(&id) {
                        todo.push(id);
                    } else if seen.insert(id) {
                        open.extend(graph.node(id).inputs.iter().filter(|&&e| flows(e)).map(|e| e.node));
                    }
                }
            }
            variables.iter().filter(|v| active.contains(&v.merge)).copied().collect()
        })
    }
}

impl Loops {
    /// Adds up, or concatenates, the gradients of all iterations.
    fn sum(&self, cx: &GradCx, input: Endpoint, total: Grad, level: usize, outer: usize) -> Sum {
        match total {
            Grad::Dense(by) => {
                let by = self.at_level(cx, by, level);
                let dtype = cx.value(by).dtype();
                self.level.set(outer);
                let source = cx.value(input);
                let zeros = match source.dtype() {
                    DType::Resource => {
                        let zero = cx.scalar(dtype, 0.0);
                        cx.op("Fill", &[cx.value(shape_of(cx, input)), zero])
                    }
                    _ => source.zeros_like(),
                };
                let zeros = self.at_level(cx, zeros.at, outer);
                self.level.set(level);
                let (merge, body) = self.variable(cx, zeros, level);
                let op = if dtype == DType::Variant { "AddN" } else { "AddV2" };
                let next = self.put(cx.add(op, &[body, by], &[]), Site::Backward(level));
                self.next(cx, merge, next, level);
                Sum::Dense(body)
            }
            Grad::Slices { values, indices, .. } => {
                let lists = [values, indices].map(|part| {
                    let part = self.at_level(cx, part, level);
                    let dtype = cx.value(part).dtype();
                    let any = constant(cx, Tensor::scalar(-1i32));
                    let empty = cx.add("EmptyTensorList", &[any, any], &[attr("element_dtype", dtype)]);
                    let empty = self.at_level(cx, empty, outer);
                    let (merge, body) = self.variable(cx, empty, level);
                    let next = cx.add("TensorListPushBack", &[body, part], &[]);
                    let next = self.put(next, Site::Backward(level));
                    self.next(cx, merge, next, level);
                    (body, dtype)
                });
                Sum::Slices(lists)
            }
        }
    }
}

/// The shape of a value, or of the variable behind a handle.
fn shape_of(cx: &GradCx, at: Endpoint) -> Endpoint {
    let value = cx.value(at);
    if value.dtype() == DType::Resource { value.op("VariableShape").at } else { value.shape_value().at }
}

//! Loops that run straight: iteration after iteration on one thread, without pending counts and frames' bookkeeping.
//!
//! A loop can run straight if its body is a straight line: no branches or nested loops, and only nodes that are done
//! when their kernels return. Which loops qualify is determined once for each plan ([`find`]). A step runs such a loop
//! straight if its nodes are not traced or observed one by one and nothing is lost by staying on one thread
//! ([`Step::may_run_straight`]); otherwise the loop runs like all others.
//!
//! If all values of such a loop are scalars and all its kernels have functions of scalars, it runs on bare values.

use crate::activation::Spent;
use crate::fire::{LOOK_EVERY, clear};
use crate::frames::Frame;
use crate::plan::{FETCH, NodeIx, NodeKind, PlanEdge, PlanNode, PlanTables, SHAREABLE, Span};
use crate::schedule::Lane;
use crate::sharing::WORTH_SHARING;
use crate::step::Step;
use levada_graph::{DType, Error, Result};
use levada_kernel::io::NeverParks;
use levada_kernel::scalars::{self, ScalarFunction, fits_register};
use levada_kernel::{Entry, Io};
use std::cell::Cell;
use std::sync::{Arc, OnceLock};

/// The first iterations of a loop are measured, and then the decision how to run it is made once more.
const MEASURED: u64 = 4;

/// Iterations on bare values between two checks of the clock.
const ITERATIONS: usize = 256;

/// Where an output goes: a slot of the frame, or the extra slot after them, which holds the predicate.
#[derive(Clone, Copy)]
struct Put {
    output: u32,
    slot: u32,
    /// True for the last one of an output: the value is moved there.
    last: bool,
}

/// A node to fire.
struct Instruction {
    node: NodeIx,
    puts: Span,
}

/// A value that is carried from one iteration to the next.
struct Variable {
    /// The `Enter` that brings its first value.
    enter: NodeIx,
    /// Where its value goes at the start of an iteration.
    start: Span,
    /// The slot of its `Switch`, which holds it until the predicate is known.
    switch: Option<u32>,
    /// Where its value goes if there is another iteration.
    taken: Span,
    /// The `Exit` that takes its last value out.
    exit: Option<NodeIx>,
    /// The slot of its `NextIteration`.
    next: u32,
}

/// A loop whose body is a straight line.
pub(crate) struct StraightLoop {
    variables: Vec<Variable>,
    /// The nodes that run in every iteration, in order; they compute the predicate.
    condition: Vec<Instruction>,
    /// Those that run if there is another iteration.
    body: Vec<Instruction>,
    /// The node of the condition that outputs the predicate.
    predicate: NodeIx,
    puts: Vec<Put>,
    /// The functions of scalars of the nodes of the condition and then of the body, found in the first run; `None` if a
    /// kernel has none.
    functions: OnceLock<Option<Box<[ScalarFunction]>>>,
}

/// A value that has arrived at a loop before the loop runs.
pub(crate) struct Arrived {
    pub(crate) spent: Spent,
    /// True for one that every iteration sees.
    pub(crate) constant: bool,
    pub(crate) value: Entry,
}

/// A loop to run.
pub(crate) struct StraightRun {
    pub(crate) frame: Arc<Frame>,
    pub(crate) arrived: Vec<Arrived>,
}

/// For each frame of a plan, how it runs straight, if it can.
pub(crate) fn find(tables: &PlanTables) -> Vec<Option<StraightLoop>> {
    let mut entered = vec![Vec::new(); tables.frames.len()];
    let mut has_loop = vec![false; tables.frames.len()];
    for (number, node) in (0..).zip(&tables.nodes) {
        if let (NodeKind::Enter(_), Some(frame)) = (node.kind, tables.enters(node)) {
            entered[frame as usize].push(number);
            has_loop[node.frame as usize] = true;
        }
    }
    let fed = tables
        .feeds
        .iter()
        .flat_map(|feed| &tables.edges[feed.edges.range()])
        .any(|edge| tables.nodes.get(edge.node as usize).is_some_and(|node| node.frame != 0));
    let line = |frame: usize| {
        let waits = tables.frames[frame].awaits_itself || has_loop[frame];
        let is_candidate = frame != 0 && !fed && !waits && !entered[frame].is_empty();
        is_candidate.then(|| Finder::new(tables, frame as u32).find(&entered[frame])).flatten()
    };
    (0..tables.frames.len()).map(line).collect()
}

/// When a node of a loop runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum When {
    /// In every iteration.
    Always,
    /// In all but the last.
    Taken,
}

struct Finder<'t> {
    tables: &'t PlanTables,
    frame: u32,
    /// By node, when it runs; for nodes of the frame that have been reached.
    when: Vec<Option<When>>,
    /// By node of the frame, the inputs and control edges from the frame that have not arrived yet.
    awaited: Vec<u32>,
    puts: Vec<Put>,
}

impl<'t> Finder<'t> {
    fn new(tables: &'t PlanTables, frame: u32) -> Finder<'t> {
        let count = tables.nodes.len();
        Finder { tables, frame, when: vec![None; count], awaited: vec![0; count], puts: Vec::new() }
    }

    fn node(&self, at: NodeIx) -> &'t PlanNode {
        &self.tables.nodes[at as usize]
    }

    fn find(mut self, enters: &[NodeIx]) -> Option<StraightLoop> {
        let tables = self.tables;
        let layout = &tables.frames[self.frame as usize];
        for &at in &layout.nodes {
            let node = self.node(at);
            let runs_at_once = || tables.names[at as usize].is_synchronous && !node.reads_refs;
            let fits = match node.kind {
                NodeKind::Plain => runs_at_once(),
                NodeKind::Switch | NodeKind::Exit | NodeKind::NextIteration => node.controls.is_empty(),
                NodeKind::Merge => node.controls.is_empty() && node.inputs.len() == 2,
                NodeKind::Enter(_) | NodeKind::ControlTrigger | NodeKind::Transfer | NodeKind::Relay => false,
            };
            let is_fetched = || tables.edges[node.edges.range()].iter().any(|edge| edge.node == FETCH);
            if !fits || (node.kind != NodeKind::Exit && is_fetched()) {
                return None;
            }
            for to in tables.after(node) {
                self.awaited[to as usize] += 1;
            }
        }
        // Nodes that depend on nothing in the loop run in every iteration.
        let waits_for_none = |&&at: &&NodeIx| self.node(at).kind == NodeKind::Plain && self.awaited[at as usize] == 0;
        let mut open: Vec<NodeIx> = layout.nodes.iter().filter(waits_for_none).copied().collect();
        // Starting from each merge: the variable, with its switch and the nodes that the switch leads to.
        let mut variables = Vec::new();
        let mut switches = Vec::new();
        for &enter in enters {
            let node = self.node(enter);
            if node.kind != NodeKind::Enter(false) {
                continue;
            }
            let [edge] = &tables.edges[node.edges.range()] else { return None };
            let merge = self.node(edge.node);
            if merge.kind != NodeKind::Merge || !node.controls.is_empty() || edge.slot != merge.inputs.start {
                return None;
            }
            variables.push(self.variable(enter, edge.node, &mut open, &mut switches)?);
        }
        let merges = layout.nodes.iter().filter(|&&at| self.node(at).kind == NodeKind::Merge).count();
        let is_kind = |kind: NodeKind| layout.nodes.iter().filter(move |&&at| tables.nodes[at as usize].kind == kind);
        if variables.is_empty() || merges != variables.len() || is_kind(NodeKind::Switch).count() != switches.len() {
            return None;
        }
        let mut condition = self.line(open, When::Always)?;
        let predicate = self.with_predicate(&mut condition, &switches, layout.slots)?;
        let taken: Vec<NodeIx> = switches.iter().flat_map(|&at| self.taken(at)).collect();
        let mut open = Vec::new();
        for at in taken {
            self.reach(at, When::Taken, &mut open);
        }
        let body = self.line(open, When::Taken)?;
        let runs = condition.len() + body.len();
        let exits: Vec<NodeIx> = variables.iter().filter_map(|v: &Variable| v.exit).collect();
        let all_found = runs == is_kind(NodeKind::Plain).count()
            && layout.exits.iter().all(|exit| exits.contains(exit))
            && is_kind(NodeKind::NextIteration).count() == variables.len()
            && is_kind(NodeKind::NextIteration).all(|&at| self.when[at as usize] == Some(When::Taken));
        all_found.then(|| StraightLoop {
            variables,
            condition,
            body,
            predicate,
            puts: self.puts,
            functions: OnceLock::new(),
        })
    }

    /// The variable of a merge.
    fn variable(
        &mut self,
        enter: NodeIx,
        merge: NodeIx,
        open: &mut Vec<NodeIx>,
        switches: &mut Vec<NodeIx>,
    ) -> Option<Variable> {
        let tables = self.tables;
        let edges = &tables.edges[self.node(merge).edges.range()];
        let mut switch = None;
        let mut plain = Vec::new();
        for edge in edges {
            let target = self.node(edge.node);
            match target.kind {
                // Only the merge knows the index of the input that arrived.
                _ if edge.output != 0 => return None,
                NodeKind::Switch if edge.slot == target.inputs.start && switch.is_none() => switch = Some(*edge),
                NodeKind::Plain => plain.push((edge.output, edge.slot)),
                _ => return None,
            }
        }
        for &(_, slot) in &plain {
            let to = edges.iter().find(|edge| edge.slot == slot)?.node;
            self.reach(to, When::Always, open);
        }
        let held = switch.map(|edge| (0, edge.slot));
        let start = self.list(plain.into_iter().chain(held));
        let (mut exit, mut taken) = (None, Vec::new());
        if let Some(edge) = switch {
            switches.push(edge.node);
            for edge in &tables.edges[self.node(edge.node).edges.range()] {
                let kind = self.node(edge.node).kind;
                match (edge.output, kind) {
                    (0, NodeKind::Exit) if exit.is_none() => exit = Some(edge.node),
                    (1, NodeKind::Plain | NodeKind::NextIteration) => taken.push((0, edge.slot)),
                    _ => return None,
                }
            }
        }
        let taken = self.list(taken);
        // The value that comes back to the merge.
        let back = self.node(merge).inputs.start + 1;
        let mut nexts = tables.frames[self.frame as usize].nodes.iter().filter(|&&at| {
            let node = &tables.nodes[at as usize];
            matches!(tables.edges[node.edges.range()], [edge] if edge.slot == back)
                && node.kind == NodeKind::NextIteration
        });
        let next = self.node(*nexts.next()?).inputs.start;
        Some(Variable { enter, start, switch: switch.map(|edge| edge.slot), taken, exit, next })
    }

    /// The nodes that a switch leads to if there is another iteration.
    fn taken(&self, switch: NodeIx) -> Vec<NodeIx> {
        let edges = &self.tables.edges[self.node(switch).edges.range()];
        edges.iter().filter(|edge| edge.output == 1).map(|edge| edge.node).collect()
    }

    /// Records that one more input of a node is available.
    fn reach(&mut self, at: NodeIx, when: When, open: &mut Vec<NodeIx>) {
        let known = &mut self.when[at as usize];
        *known = (*known).max(Some(when));
        let awaited = &mut self.awaited[at as usize];
        *awaited = awaited.saturating_sub(1);
        if *awaited == 0 && self.node(at).kind == NodeKind::Plain {
            open.push(at);
        }
    }

    /// The nodes that can run from these on, in order. `None` if they lead to something unusual.
    fn line(&mut self, mut open: Vec<NodeIx>, when: When) -> Option<Vec<Instruction>> {
        let tables = self.tables;
        let mut line = Vec::new();
        while let Some(at) = open.pop() {
            let node = self.node(at);
            self.when[at as usize] = Some(when);
            let mut puts = Vec::new();
            for edge in &tables.edges[node.edges.range()] {
                let target = self.node(edge.node);
                let is_predicate = target.kind == NodeKind::Switch && edge.slot == target.inputs.start + 1;
                match target.kind {
                    NodeKind::Switch if is_predicate && when == When::Always => {}
                    NodeKind::Plain => puts.push((edge.output, edge.slot)),
                    NodeKind::NextIteration if when == When::Taken => puts.push((edge.output, edge.slot)),
                    _ => return None,
                }
            }
            for &to in &tables.controls[node.controls.range()] {
                match self.node(to).kind {
                    NodeKind::Plain => {}
                    NodeKind::Switch if when == When::Always => {}
                    NodeKind::NextIteration if when == When::Taken => {}
                    _ => return None,
                }
            }
            for to in tables.after(node) {
                self.reach(to, when, &mut open);
            }
            let puts = self.list(puts);
            line.push(Instruction { node: at, puts });
        }
        Some(line)
    }

    /// Makes the node that all switches take their predicate from write it to a slot of its own; returns that node.
    fn with_predicate(&mut self, condition: &mut [Instruction], switches: &[NodeIx], slot: u32) -> Option<NodeIx> {
        let tables = self.tables;
        let to_switches = |at: NodeIx| -> Vec<u32> {
            let edges = &tables.edges[tables.nodes[at as usize].edges.range()];
            let to_switch = |edge: &&PlanEdge| tables.nodes[edge.node as usize].kind == NodeKind::Switch;
            edges.iter().filter(to_switch).map(|edge| edge.output).collect()
        };
        let mut sources =
            condition.iter_mut().map(|i| (to_switches(i.node), i)).filter(|(outputs, _)| !outputs.is_empty());
        let (Some((outputs, source)), None) = (sources.next(), sources.next()) else { return None };
        if outputs.len() != switches.len() || outputs.iter().any(|&output| output != outputs[0]) {
            return None;
        }
        let others: Vec<(u32, u32)> = self.puts[source.puts.range()].iter().map(|p| (p.output, p.slot)).collect();
        source.puts = self.list(others.into_iter().chain([(outputs[0], slot)]));
        Some(source.node)
    }

    /// Lists outputs and the slots they go to.
    fn list(&mut self, puts: impl IntoIterator<Item = (u32, u32)>) -> Span {
        let start = self.puts.len() as u32;
        self.puts.extend(puts.into_iter().map(|(output, slot)| Put { output, slot, last: false }));
        let new = &mut self.puts[start as usize..];
        // Sorting is stable: the order of an output's slots stays.
        new.sort_by_key(|put| put.output);
        for at in 0..new.len() {
            new[at].last = new.get(at + 1).is_none_or(|next| next.output != new[at].output);
        }
        Span { start, end: self.puts.len() as u32 }
    }
}

impl Step {
    /// True if a loop of this step may run straight: its nodes are not traced, observed or limited in number, their
    /// order is not changed, and other threads would find no work in it that is worth handing over.
    pub(crate) fn may_run_straight(&self, line: &StraightLoop) -> bool {
        let env = &self.cx.env;
        let is_followed = self.cx.tracing.is_some() || env.observer.is_some() || self.cx.resources.meter().is_some();
        let is_reordered = env.chooser.is_some() || env.disorder.is_some();
        !is_followed && !is_reordered && (self.exclusive() || self.is_light(line))
    }

    fn is_light(&self, line: &StraightLoop) -> bool {
        let instructions = line.condition.iter().chain(&line.body);
        let costs = instructions.map(|i| u64::from(self.plan.nodes[i.node as usize].cost.nanos()));
        let (mut heavy, mut total) = (0, 0);
        for cost in costs.filter(|&cost| cost >= SHAREABLE) {
            (heavy, total) = (heavy + 1, total + cost);
        }
        heavy <= 1 || total < u64::from(WORTH_SHARING)
    }

    /// Runs a loop to its end, or for as long as it should run on this thread alone; in the latter case `run` holds the
    /// variables' values afterwards.
    pub(crate) fn run_straight(
        &self,
        line: &StraightLoop,
        run: &mut StraightRun,
        current: &Cell<NodeIx>,
        lane: &mut Lane<'_>,
    ) -> StraightEnd {
        match self.iterate(line, run, current, lane) {
            Ok(end) => end,
            Err(Some((node, error))) => {
                let meta = self.plan.meta(node);
                self.fail(error.at_node(&meta.name, meta.op));
                StraightEnd::Failed
            }
            Err(None) => StraightEnd::Failed,
        }
    }

    fn iterate(
        &self,
        line: &StraightLoop,
        run: &mut StraightRun,
        current: &Cell<NodeIx>,
        lane: &mut Lane<'_>,
    ) -> Result<StraightEnd, Option<(NodeIx, Error)>> {
        let layout = &self.plan.frames[run.frame.layout as usize];
        let mut slots: Vec<Entry> = Vec::new();
        slots.resize_with(layout.slots as usize + 1, Entry::default);
        for (slot, tensor) in &layout.constants {
            slots[*slot as usize] = Entry::Constant(tensor.clone());
        }
        for arrived in run.arrived.iter().filter(|arrived| arrived.constant) {
            let Some(tensor) = arrived.value.tensor() else { continue };
            for edge in &self.plan.edges[self.plan.nodes[arrived.spent.node() as usize].edges.range()] {
                slots[edge.slot as usize] = Entry::Constant(tensor.clone());
            }
        }
        let place = |variable: &Variable| run.arrived.iter().position(|a| a.spent.node() == variable.enter);
        let places: Vec<usize> = line.variables.iter().filter_map(place).collect();
        let mut values: Vec<Entry> = places.iter().map(|&at| std::mem::take(&mut run.arrived[at].value)).collect();
        if let Some(functions) = self.scalar_functions(line)
            && let Some(bare) = self.bare_values(line, functions, &slots, &values)
        {
            current.set(line.predicate);
            return self.iterate_bare(line, functions, bare, lane);
        }
        for iteration in 0u64.. {
            if iteration == MEASURED && self.measure && !(self.exclusive() || self.is_light(line)) {
                for (&at, value) in places.iter().zip(values) {
                    run.arrived[at].value = value;
                }
                return Ok(StraightEnd::GoesOn);
            }
            for (variable, value) in line.variables.iter().zip(&mut values) {
                put(line, variable.start, std::slice::from_mut(value), &mut slots);
            }
            let measure = self.measure && iteration < MEASURED;
            for instruction in &line.condition {
                self.fire_straight(line, instruction, &mut slots, measure, current, lane)?;
            }
            let predicate = std::mem::take(&mut slots[layout.slots as usize]);
            let Some(goes_on) = scalar(&predicate) else {
                let error = Error::invalid("the condition of a loop is not a boolean scalar");
                return Err(Some((line.predicate, error)));
            };
            if !goes_on {
                let exits = line.variables.iter().filter_map(|variable| {
                    let value = std::mem::take(&mut slots[variable.switch? as usize]);
                    Some((variable.exit?, value))
                });
                return Ok(StraightEnd::Exits(exits.collect()));
            }
            for variable in &line.variables {
                if let Some(switch) = variable.switch {
                    let mut value = std::mem::take(&mut slots[switch as usize]);
                    put(line, variable.taken, std::slice::from_mut(&mut value), &mut slots);
                }
            }
            for instruction in &line.body {
                self.fire_straight(line, instruction, &mut slots, measure, current, lane)?;
            }
            for (variable, value) in line.variables.iter().zip(&mut values) {
                *value = match &mut slots[variable.next as usize] {
                    Entry::Constant(tensor) => Entry::Value(tensor.clone()),
                    entry => std::mem::take(entry),
                };
            }
        }
        Err(None)
    }

    /// The scalar functions of a loop's nodes, if all of them have one.
    fn scalar_functions<'l>(&self, line: &'l StraightLoop) -> Option<&'l [ScalarFunction]> {
        let find = || {
            let of = |instruction: &Instruction| {
                let node = &self.plan.nodes[instruction.node as usize];
                node.kernel.scalar_function(self.plan.meta(instruction.node), &self.cx).filter(|_| node.outputs == 1)
            };
            line.condition.iter().chain(&line.body).map(of).collect()
        };
        line.functions.get_or_init(find).as_deref()
    }

    /// The initial values of a loop of scalars; `None` if a value is not a scalar that fits its place.
    fn bare_values(
        &self,
        line: &StraightLoop,
        functions: &[ScalarFunction],
        slots: &[Entry],
        values: &[Entry],
    ) -> Option<BareValues> {
        let read = |entry: &Entry| {
            let tensor = entry.tensor().filter(|tensor| fits_register(tensor.dtype()))?;
            Some((tensor.dtype(), scalars::read(tensor, tensor.dtype())?))
        };
        let mut dtypes: Vec<Option<DType>> = vec![None; slots.len()];
        let mut bits = vec![0; slots.len()];
        for (at, slot) in slots.iter().enumerate().filter(|(_, slot)| !matches!(slot, Entry::Empty)) {
            let (dtype, value) = read(slot)?;
            (dtypes[at], bits[at]) = (Some(dtype), value);
        }
        let first = values.iter().map(read).collect::<Option<Vec<(DType, u64)>>>()?;
        let put = |dtypes: &mut [Option<DType>], puts: Span, dtype| {
            line.puts[puts.range()].iter().for_each(|put| dtypes[put.slot as usize] = Some(dtype));
        };
        let each = |dtypes: &mut [Option<DType>], instructions: &[Instruction], functions: &[ScalarFunction]| {
            for (instruction, function) in instructions.iter().zip(functions) {
                let inputs = &dtypes[self.plan.nodes[instruction.node as usize].inputs.range()];
                let given = inputs.iter().copied().collect::<Option<Vec<DType>>>()?;
                function.fits(given.into_iter()).then(|| put(dtypes, instruction.puts, function.gives))?;
            }
            Some(())
        };
        for (variable, &(dtype, _)) in line.variables.iter().zip(&first) {
            put(&mut dtypes, variable.start, dtype);
            put(&mut dtypes, variable.taken, dtype);
        }
        let (of_condition, of_body) = functions.split_at(line.condition.len());
        each(&mut dtypes, &line.condition, of_condition)?;
        each(&mut dtypes, &line.body, of_body)?;
        let keeps = |(variable, (dtype, _)): (&Variable, &(DType, u64))| dtypes[variable.next as usize] == Some(*dtype);
        let fits = dtypes.last() == Some(&Some(DType::Bool)) && line.variables.iter().zip(&first).all(keeps);
        fits.then_some(BareValues { slots: bits, variables: first })
    }

    /// As [`Step::iterate`], on bare values.
    fn iterate_bare(
        &self,
        line: &StraightLoop,
        functions: &[ScalarFunction],
        values: BareValues,
        lane: &mut Lane<'_>,
    ) -> Result<StraightEnd, Option<(NodeIx, Error)>> {
        let BareValues { mut slots, mut variables } = values;
        let put = |slots: &mut [u64], puts: Span, value| {
            line.puts[puts.range()].iter().for_each(|put| slots[put.slot as usize] = value);
        };
        let run = |slots: &mut [u64], instructions: &[Instruction], functions: &[ScalarFunction]| {
            for (instruction, function) in instructions.iter().zip(functions) {
                let value = function.call.of(&slots[self.plan.nodes[instruction.node as usize].inputs.range()]);
                put(slots, instruction.puts, value);
            }
        };
        let (of_condition, of_body) = functions.split_at(line.condition.len());
        loop {
            // Checks the clock whatever the number of nodes.
            lane.fired = LOOK_EVERY - 1;
            if self.is_over(line.predicate, lane) {
                return Err(None);
            }
            for _ in 0..ITERATIONS {
                for (variable, &(_, value)) in line.variables.iter().zip(&variables) {
                    put(&mut slots, variable.start, value);
                }
                run(&mut slots, &line.condition, of_condition);
                if slots.last() == Some(&0) {
                    let exits = line.variables.iter().zip(&variables).filter_map(|(variable, &(dtype, _))| {
                        let value = slots[variable.switch? as usize];
                        Some((variable.exit?, Entry::Value(scalars::tensor(dtype, value))))
                    });
                    return Ok(StraightEnd::Exits(exits.collect()));
                }
                for variable in &line.variables {
                    if let Some(switch) = variable.switch {
                        let value = slots[switch as usize];
                        put(&mut slots, variable.taken, value);
                    }
                }
                run(&mut slots, &line.body, of_body);
                for (variable, (_, value)) in line.variables.iter().zip(&mut variables) {
                    *value = slots[variable.next as usize];
                }
            }
        }
    }

    /// Fires one node.
    #[inline]
    fn fire_straight(
        &self,
        line: &StraightLoop,
        instruction: &Instruction,
        slots: &mut [Entry],
        measure: bool,
        current: &Cell<NodeIx>,
        lane: &mut Lane<'_>,
    ) -> Result<(), Option<(NodeIx, Error)>> {
        let at = instruction.node;
        current.set(at);
        if self.is_over(at, lane) {
            return Err(None);
        }
        let node = &self.plan.nodes[at as usize];
        lane.outputs.clear();
        lane.outputs.resize_with(node.outputs as usize, Entry::default);
        let inputs = &mut slots[node.inputs.range()];
        let timer = measure.then(levada_sync::now);
        let mut parker = NeverParks;
        let mut io = Io::new(inputs, &mut lane.outputs, self.plan.meta(at), &self.cx, &mut parker);
        let result = node.kernel.compute(&mut io);
        let is_deferred = io.is_deferred();
        if let Some(timer) = timer {
            node.cost.observe((levada_sync::now() - timer).as_nanos() as u64);
        }
        clear(inputs);
        let result = match is_deferred {
            true => Err(Error::internal("a node of a straight loop finishes later than its kernel")),
            false => result,
        };
        let result = match self.cx.resources.was_cut() {
            false => result,
            true => result.and_then(|()| self.cx.check()).and_then(|()| Err(self.cx.past_deadline())),
        };
        result.and_then(|()| self.check_outputs(node, &lane.outputs)).map_err(|error| Some((at, error)))?;
        put(line, instruction.puts, &mut lane.outputs, slots);
        Ok(())
    }
}

/// The values of a loop of scalars, as bits.
struct BareValues {
    slots: Vec<u64>,
    /// With their dtypes.
    variables: Vec<(DType, u64)>,
}

/// How a straight loop ends.
pub(crate) enum StraightEnd {
    /// With these values for its exits.
    Exits(Vec<(NodeIx, Entry)>),
    /// It is to continue as other loops do.
    GoesOn,
    /// The step failed.
    Failed,
}

/// Puts outputs where they go.
#[inline]
fn put(line: &StraightLoop, puts: Span, outputs: &mut [Entry], slots: &mut [Entry]) {
    for put in &line.puts[puts.range()] {
        let output = &mut outputs[put.output as usize];
        slots[put.slot as usize] = if put.last { std::mem::take(output) } else { output.clone() };
    }
}

/// The value of a boolean scalar.
fn scalar(entry: &Entry) -> Option<bool> {
    let tensor = entry.tensor().filter(|tensor| tensor.shape().is_scalar())?;
    tensor.slice::<bool>().ok()?.first().copied()
}

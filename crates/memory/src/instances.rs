//! The nodes of a plan, repeated as often as they may be in progress at the same time: those of a loop once for each
//! concurrent iteration.

use levada_executor::{FETCH, NodeIx, NodeKind, Plan};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The source of an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    /// An output of a node: number of the instance, output.
    Node(u32, u32),
    /// A feed of the plan.
    Feed(u32),
}

/// A node of the plan, in one of the iterations of its loops.
#[derive(Clone, Debug, Default)]
pub(crate) struct Instance {
    /// Number in the plan; [`NodeIx::MAX`] for the end of an iteration.
    pub(crate) node: NodeIx,
    /// Its iteration of the innermost loop, among the modelled ones; 0 outside loops.
    pub(crate) copy: u32,
    /// Its data inputs with their numbers.
    pub(crate) inputs: Vec<(u32, Source)>,
    /// The instances that must have ended before it starts.
    pub(crate) before: Vec<u32>,
    /// Its consumers, in the order in which the executor serves them.
    pub(crate) after: Vec<u32>,
    /// The number of edges that carry each output.
    pub(crate) uses: Vec<u32>,
    /// Its name, if it is a node.
    pub(crate) name: Option<Arc<str>>,
    /// The name, if control edges may lead to and from it: it is outside loops and never dead.
    pub(crate) orderable: Option<Arc<str>>,
    /// Its estimated time, in nanoseconds.
    pub(crate) nanos: u32,
    /// Its position among those that wait for nothing; the last is taken first.
    pub(crate) root: u32,
}

/// The instances of a step, each after what it depends on.
pub(crate) struct Instances {
    pub(crate) all: Vec<Instance>,
    /// The fetched outputs.
    pub(crate) fetched: Vec<Source>,
    /// By frame of the plan: how often its tensors count, in place of more instances.
    pub(crate) factor: Vec<u64>,
}

/// The maximum number of instances; beyond it, tensors of loops count several times instead.
const MOST: usize = 200_000;

struct Layout<'p> {
    plan: &'p Plan,
    /// Number of modelled iterations, by frame.
    copies: Vec<u32>,
    /// By frame and instance of it: the instance of the enclosing frame, and the iteration number.
    frames: Vec<Vec<(u32, u32)>>,
    /// First instance of a node of each frame.
    first: Vec<u32>,
    /// Number of each node within its frame.
    local: Vec<u32>,
}

impl<'p> Layout<'p> {
    fn new(plan: &'p Plan, copies: Vec<u32>) -> Layout<'p> {
        let mut local = vec![0; plan.nodes.len()];
        for frame in &plan.frames {
            frame.nodes.iter().zip(0..).for_each(|(&node, i)| local[node as usize] = i);
        }
        let mut frames: Vec<Vec<(u32, u32)>> = vec![Vec::new(); plan.frames.len()];
        if let Some(root) = frames.first_mut() {
            root.push((0, 0));
        }
        // An inner loop comes after its outer loop; as many rounds as the nesting depth.
        for _ in 0..plan.frames.len() {
            let mut grown = false;
            for f in 1..plan.frames.len() {
                let around = frames[plan.frames[f].parent as usize].len() as u32;
                if frames[f].is_empty() && around > 0 {
                    frames[f] = (0..around).flat_map(|i| (0..copies[f]).map(move |c| (i, c))).collect();
                    grown = true;
                }
            }
            if !grown {
                break;
            }
        }
        let mut first = Vec::with_capacity(frames.len());
        let mut count = 0;
        for (frame, instances) in plan.frames.iter().zip(&frames) {
            first.push(count);
            count += (frame.nodes.len() * instances.len()) as u32;
        }
        Layout { plan, copies, frames, first, local }
    }

    fn len(&self) -> usize {
        self.plan.frames.iter().zip(&self.frames).map(|(frame, all)| frame.nodes.len() * all.len()).sum()
    }

    fn number(&self, node: NodeIx, instance: u32) -> u32 {
        let frame = self.plan.nodes[node as usize].frame as usize;
        self.first[frame] + instance * self.plan.frames[frame].nodes.len() as u32 + self.local[node as usize]
    }

    /// The instances of frame `to` that receive the output of a node in this instance of its own frame.
    fn reach(&self, from: NodeIx, instance: u32, to: u32) -> std::ops::Range<u32> {
        let node = &self.plan.nodes[from as usize];
        let copies = |frame: u32| self.copies[frame as usize];
        let (parent, copy) = self.frames[node.frame as usize][instance as usize];
        if to == node.frame {
            return match node.kind {
                NodeKind::NextIteration if copy + 1 < copies(to) => instance + 1..instance + 2,
                NodeKind::NextIteration => 0..0,
                _ => instance..instance + 1,
            };
        }
        if self.plan.frames[to as usize].parent == node.frame {
            let start = instance * copies(to);
            return match node.kind {
                NodeKind::Enter(false) => start..start + 1,
                _ => start..start + copies(to),
            };
        }
        // Only the last iteration leads out of the loop.
        match self.plan.frames[node.frame as usize].parent == to && copy + 1 == copies(node.frame) {
            true => parent..parent + 1,
            false => 0..0,
        }
    }
}

/// The instances of a plan. `is_heavy`: whether a node makes tensors that count; loops without such nodes are modelled
/// as one iteration.
pub(crate) fn instances(plan: &Plan, is_heavy: &[bool], threads: usize) -> Option<Instances> {
    let frames = plan.frames.len();
    let mut heavy = vec![false; frames];
    for (node, &is_heavy) in plan.nodes.iter().zip(is_heavy) {
        let mut frame = node.frame as usize;
        while is_heavy && !heavy[frame] {
            heavy[frame] = true;
            frame = plan.frames[frame].parent as usize;
        }
    }
    let parallel = |f: usize| plan.frames[f].most_iterations(threads);
    // One more starts when the first has ended, and in the last one the loop only ends.
    let wanted = (0..frames).map(|f| if f == 0 || !heavy[f] { 1 } else { parallel(f).saturating_add(2) }).collect();
    let count = |copies: &Vec<u32>| {
        let times = |mut f: usize| {
            let mut times = 1f64;
            while f != 0 {
                times *= f64::from(copies[f]);
                f = plan.frames[f].parent as usize;
            }
            times
        };
        (0..frames).map(|f| times(f) * plan.frames[f].nodes.len() as f64).sum::<f64>()
    };
    let mut factor = vec![1u64; frames];
    let mut copies: Vec<u32> = wanted;
    if count(&copies) > MOST as f64 {
        for (f, factor) in factor.iter_mut().enumerate().skip(1) {
            let mut at = f;
            while at != 0 {
                *factor = factor.saturating_mul(u64::from(parallel(at)));
                at = plan.frames[at].parent as usize;
            }
        }
        copies = vec![1; frames];
    }
    let layout = Layout::new(plan, copies);
    let mut all: Vec<Instance> = vec![Instance { node: NodeIx::MAX, ..Instance::default() }; layout.len()];
    let mut fetched = Vec::new();
    for node in 0..plan.nodes.len() as NodeIx {
        let of = &plan.nodes[node as usize];
        for instance in 0..layout.frames[of.frame as usize].len() as u32 {
            let from = layout.number(node, instance);
            (all[from as usize].node, all[from as usize].copy) =
                (node, layout.frames[of.frame as usize][instance as usize].1);
            let mut uses = vec![0; of.outputs as usize];
            for edge in &plan.edges[of.edges.range()] {
                uses[edge.output as usize] += 1;
                if edge.node == FETCH {
                    fetched.push(Source::Node(from, edge.output));
                    continue;
                }
                let to = &plan.nodes[edge.node as usize];
                let reached = layout.reach(node, instance, to.frame);
                // Each iteration of a loop is another consumer of a loop invariant.
                uses[edge.output as usize] += (reached.len() as u32).saturating_sub(1);
                for target in reached {
                    let target = layout.number(edge.node, target);
                    let input = edge.slot - to.inputs.start;
                    all[target as usize].inputs.push((input, Source::Node(from, edge.output)));
                    all[target as usize].before.push(from);
                    all[from as usize].after.push(target);
                }
            }
            for &control in &plan.controls[of.controls.range()] {
                for target in layout.reach(node, instance, plan.nodes[control as usize].frame) {
                    let target = layout.number(control, target);
                    all[target as usize].before.push(from);
                    all[from as usize].after.push(target);
                }
            }
            all[from as usize].uses = uses;
        }
    }
    for (feed, i) in plan.feeds.iter().zip(0..) {
        for edge in &plan.edges[feed.edges.range()] {
            if edge.node == FETCH {
                fetched.push(Source::Feed(i));
                continue;
            }
            let to = &plan.nodes[edge.node as usize];
            for target in 0..layout.frames[to.frame as usize].len() as u32 {
                let target = layout.number(edge.node, target);
                all[target as usize].inputs.push((edge.slot - to.inputs.start, Source::Feed(i)));
            }
        }
    }
    limit_iterations(&layout, &parallel, &mut all);
    let mut instances = Instances { all, fetched, factor };
    if !instances.sort() {
        return None;
    }
    instances.end_loops(plan, &layout.copies);
    instances.describe(plan);
    Some(instances)
}

/// An iteration starts only after those that are too many iterations behind have ended.
fn limit_iterations(layout: &Layout<'_>, parallel: &dyn Fn(usize) -> u32, all: &mut Vec<Instance>) {
    let plan = layout.plan;
    for f in 1..plan.frames.len() {
        let (copies, nodes) = (layout.copies[f], &plan.frames[f].nodes);
        if copies < 2 {
            continue;
        }
        for (instance, &(_, copy)) in layout.frames[f].iter().enumerate() {
            if copy + parallel(f) >= copies {
                continue;
            }
            let (instance, end) = (instance as u32, all.len() as u32);
            let mut after = Vec::new();
            let mut before = Vec::new();
            for &node in nodes {
                let (first, last) = (layout.number(node, instance), layout.number(node, instance + parallel(f)));
                all[first as usize].after.push(end);
                before.push(first);
                if plan.nodes[node as usize].kind == NodeKind::Merge {
                    all[last as usize].before.push(end);
                    after.push(last);
                }
            }
            all.push(Instance { node: NodeIx::MAX, before, after, ..Instance::default() });
        }
    }
}

impl Instances {
    /// In the last iteration of a loop its switches lead out of it: the consumers in its body do not run. So everything
    /// in the loop that leads to its end has ended when the loop has.
    fn end_loops(&mut self, plan: &Plan, copies: &[u32]) {
        // The number of the node that a switch takes its predicate from.
        let predicate = |instance: &Instance| {
            let is_switch = plan.nodes.get(instance.node as usize).is_some_and(|node| node.kind == NodeKind::Switch);
            let (_, source) = instance.inputs.iter().find(|(input, _)| is_switch && *input == 1)?;
            match *source {
                Source::Node(u, _) => Some(self.all[u as usize].node),
                Source::Feed(_) => None,
            }
        };
        // The predicates that decide whether loops continue: a switch with such a predicate leads out of its loop.
        let exits = |instance: &&Instance| {
            let edges = plan.nodes.get(instance.node as usize).map(|node| &plan.edges[node.edges.range()]);
            let leads_out = |to: NodeIx| plan.nodes.get(to as usize).is_some_and(|to| to.kind == NodeKind::Exit);
            edges.into_iter().flatten().any(|edge| edge.output == 0 && leads_out(edge.node))
        };
        let conditions: HashSet<NodeIx> = self.all.iter().filter(exits).filter_map(predicate).collect();
        let ends = |instance: &Instance| {
            let frame = plan.nodes.get(instance.node as usize).map_or(0, |node| node.frame as usize);
            let is_last = copies[frame] > 1 && instance.copy + 1 == copies[frame];
            is_last && predicate(instance).is_some_and(|condition| conditions.contains(&condition))
        };
        let mut is_dead = vec![false; self.all.len()];
        for v in 0..self.all.len() {
            let instance = &self.all[v];
            let Some(node) = plan.nodes.get(instance.node as usize) else { continue };
            let comes_from_dead = |source: &Source| match *source {
                Source::Node(u, output) => is_dead[u as usize] || output == 1 && ends(&self.all[u as usize]),
                Source::Feed(_) => false,
            };
            let mut inputs = instance.inputs.iter().map(|(_, source)| source);
            is_dead[v] = match node.kind {
                NodeKind::Merge => !instance.inputs.is_empty() && inputs.all(comes_from_dead),
                NodeKind::ControlTrigger | NodeKind::Transfer => false,
                _ => inputs.any(comes_from_dead) || instance.before.iter().any(|&u| is_dead[u as usize]),
            };
        }
        for (instance, _) in self.all.iter_mut().zip(is_dead).filter(|(_, is_dead)| *is_dead) {
            instance.node = NodeIx::MAX;
            instance.inputs.clear();
            instance.uses.clear();
        }
    }

    fn describe(&mut self, plan: &Plan) {
        let roots: HashMap<NodeIx, u32> = plan.roots.iter().copied().zip(0..).collect();
        let mut may_be_dead = vec![false; self.all.len()];
        for v in 0..self.all.len() {
            let instance = &self.all[v];
            let Some(node) = plan.nodes.get(instance.node as usize) else { continue };
            let comes_to_life = matches!(node.kind, NodeKind::Merge | NodeKind::Exit);
            may_be_dead[v] = node.kind == NodeKind::Switch
                || !comes_to_life && instance.before.iter().any(|&u| may_be_dead[u as usize]);
            let name = plan.names[instance.node as usize].meta.name.clone();
            let instance = &mut self.all[v];
            instance.orderable = (node.frame == 0 && !may_be_dead[v]).then(|| name.clone());
            instance.name = Some(name);
            instance.nanos = node.cost.nanos();
            instance.root = roots.get(&instance.node).copied().unwrap_or(0);
        }
    }

    /// Sorts the instances so that numbers increase along every edge; false if there is a cycle.
    fn sort(&mut self) -> bool {
        let count = self.all.len();
        let mut awaited: Vec<u32> = self.all.iter().map(|i| i.before.len() as u32).collect();
        let mut order: Vec<u32> = (0..count as u32).filter(|&v| awaited[v as usize] == 0).collect();
        let mut next = 0;
        while let Some(&v) = order.get(next) {
            next += 1;
            for &to in &self.all[v as usize].after {
                awaited[to as usize] -= 1;
                if awaited[to as usize] == 0 {
                    order.push(to);
                }
            }
        }
        if order.len() < count {
            return false;
        }
        let mut number = vec![0u32; count];
        order.iter().zip(0..).for_each(|(&v, n)| number[v as usize] = n);
        let source = |s: Source| match s {
            Source::Node(v, output) => Source::Node(number[v as usize], output),
            feed => feed,
        };
        let mut sorted: Vec<(u32, Instance)> =
            std::mem::take(&mut self.all).into_iter().zip(&number).map(|(instance, &n)| (n, instance)).collect();
        sorted.sort_unstable_by_key(|(n, _)| *n);
        self.all = sorted.into_iter().map(|(_, instance)| instance).collect();
        for instance in &mut self.all {
            instance.before.iter_mut().chain(&mut instance.after).for_each(|v| *v = number[*v as usize]);
            instance.inputs.iter_mut().for_each(|(_, s)| *s = source(*s));
        }
        self.fetched.iter_mut().for_each(|s| *s = source(*s));
        true
    }
}

//! Finds nodes that can run as one: a plan with nodes of one device put together, for steps that are not traced.
//!
//! Nodes are put together where that changes neither what is computed nor whether a step comes to its end:
//!
//! - They are of one device and one frame, and it says of all of them that they may ([`Join`]).
//! - They are alive together: they depend on the same outputs of control flow, and on the same nodes that may wait for
//!   something, so that none of them waits for what only another needs.
//! - No path leads from one out of the group and back in.

use crate::Places;
use levada_executor::{FETCH, FrameLayout, NodeCost, NodeKind, Plan, PlanEdge, PlanFeed, PlanNames, PlanNode, Span};
use levada_graph::Tensor;
use levada_kernel::region::{Member, Source};
use levada_kernel::transfer::RECV;
use levada_kernel::{AnyKernel, Join, Region};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// The most control outputs and waiting nodes that are told apart for a node.
const MOST_CAUSES: usize = 128;
/// Kinds of groups that are looked for, those with most nodes first.
const MOST_CLASSES: usize = 32;
/// A first guess of what a region takes, in nanoseconds.
const COST: u32 = 30_000;

/// What is to be known of a plan's node.
#[derive(Clone, Copy)]
pub(crate) struct Trait {
    /// Number of its device.
    pub(crate) device: u32,
    /// How it may run with others.
    pub(crate) join: Join,
    /// True where it may wait for something or leave outputs dead.
    pub(crate) is_cause: bool,
}

/// A node, or a group.
type Unit = u32;

struct Links {
    /// Data and control successors, each once.
    after: Vec<Vec<u32>>,
    /// Predecessors, but over back edges.
    before: Vec<Vec<u32>>,
}

/// The plan with groups, where there are any.
pub(crate) fn condense(plan: &Plan, traits: &[Trait], places: &Places<'_>) -> Option<Plan> {
    let count = plan.nodes.len();
    // Where branches or loops may leave values dead, every node decides for itself whether it runs.
    if plan.nodes.iter().any(|node| !matches!(node.kind, NodeKind::Plain | NodeKind::Transfer)) {
        return None;
    }
    let can_receive =
        |n: usize| plan.names[n].meta.op != RECV || places.devices[traits[n].device as usize].receives().is_some();
    let may = |n: usize| matches!(traits[n].join, Join::Reads | Join::Changes) && can_receive(n);
    if (0..count).filter(|&n| may(n)).count() < 2 {
        return None;
    }
    let links = links(plan);
    let order = sorted(&links, &(0..count as u32).collect::<Vec<_>>(), count)?;
    let causes = causes(plan, &order, traits)?;
    let mut classes: BTreeMap<(u32, u32, u32), Vec<u32>> = BTreeMap::new();
    for n in (0..count).filter(|&n| may(n)) {
        classes.entry((traits[n].device, plan.nodes[n].frame, causes[n])).or_default().push(n as u32);
    }
    let mut classes: Vec<Vec<u32>> = classes.into_values().filter(|c| c.len() > 1).collect();
    classes.sort_by_key(|c| std::cmp::Reverse(c.len()));
    // Nodes have their own numbers, groups those from `count` on.
    let mut unit: Vec<Unit> = (0..count as u32).collect();
    let mut groups: Vec<Vec<u32>> = Vec::new();
    for class in classes.iter().take(MOST_CLASSES) {
        let order = sorted(&links, &unit, count + groups.len())?;
        for level in levels(&links, &unit, &order, class) {
            let number = (count + groups.len()) as u32;
            level.iter().for_each(|&n| unit[n as usize] = number);
            groups.push(level);
        }
    }
    if groups.is_empty() {
        return None;
    }
    late_reads(plan, traits, &links, count, &mut unit, &mut groups);
    // What is not in order any more would wait for itself.
    sorted(&links, &unit, count + groups.len())?;
    let mut position = vec![0usize; count];
    order.iter().enumerate().for_each(|(i, &n)| position[n as usize] = i);
    for (g, group) in groups.iter_mut().enumerate() {
        group.sort_by_key(|&n| position[n as usize]);
        changes_last(traits, &links, &unit, (count + g) as u32, group);
    }
    Some(Draft { plan, unit: &unit, groups: &groups, count }.write(traits, places))
}

fn links(plan: &Plan) -> Links {
    let mut links = Links { after: vec![Vec::new(); plan.nodes.len()], before: vec![Vec::new(); plan.nodes.len()] };
    for (n, node) in plan.nodes.iter().enumerate() {
        let data = plan.edges[node.edges.range()].iter().map(|e| e.node).filter(|&to| to != FETCH);
        let mut after: Vec<u32> = data.chain(plan.controls[node.controls.range()].iter().copied()).collect();
        after.sort_unstable();
        after.dedup();
        if node.kind != NodeKind::NextIteration {
            after.iter().for_each(|&to| links.before[to as usize].push(n as u32));
            links.after[n] = after;
        }
    }
    links
}

/// The units in an order in which edges go forward; `None` where there is none.
fn sorted(links: &Links, unit: &[Unit], units: usize) -> Option<Vec<Unit>> {
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); units];
    let mut awaited = vec![0usize; units];
    for (n, &u) in unit.iter().enumerate() {
        members[u as usize].push(n as u32);
        awaited[u as usize] += links.before[n].iter().filter(|&&p| unit[p as usize] != u).count();
    }
    let all = (0..units as u32).filter(|&u| !members[u as usize].is_empty()).count();
    let mut open: BTreeSet<u32> =
        (0..units as u32).filter(|&u| awaited[u as usize] == 0 && !members[u as usize].is_empty()).collect();
    let mut order = Vec::with_capacity(all);
    while let Some(u) = open.pop_first() {
        order.push(u);
        for &to in members[u as usize].iter().flat_map(|&n| &links.after[n as usize]) {
            let to = unit[to as usize];
            if to != u {
                awaited[to as usize] -= 1;
                if awaited[to as usize] == 0 {
                    open.insert(to);
                }
            }
        }
    }
    (order.len() == all).then_some(order)
}

/// For each node the number of the set of causes that it depends on: outputs of control flow, which tell whether it is alive,
/// and of nodes that may wait. What is before a cause has no part: the cause stands for it.
fn causes(plan: &Plan, order: &[u32], traits: &[Trait]) -> Option<Vec<u32>> {
    const CONTROL: u32 = u32::MAX;
    let mut given: Vec<Vec<(u32, u32)>> = vec![Vec::new(); traits.len()];
    for (n, node) in plan.nodes.iter().enumerate() {
        let data = plan.edges[node.edges.range()].iter().filter(|e| e.node != FETCH).map(|e| (e.node, e.output));
        let control = plan.controls[node.controls.range()].iter().map(|&to| (to, CONTROL));
        data.chain(control).for_each(|(to, output)| given[to as usize].push((n as u32, output)));
    }
    let mut sets: Vec<Vec<(u32, u32)>> = vec![Vec::new()];
    let mut known: HashMap<Vec<(u32, u32)>, u32> = HashMap::from([(Vec::new(), 0)]);
    let mut of = vec![0u32; traits.len()];
    for &n in order {
        let mut set: BTreeSet<(u32, u32)> = BTreeSet::new();
        let mut seen: Vec<u32> = Vec::new();
        for &(p, output) in &given[n as usize] {
            if traits[p as usize].is_cause {
                set.insert((p, output));
            } else if !seen.contains(&of[p as usize]) {
                seen.push(of[p as usize]);
                set.extend(&sets[of[p as usize] as usize]);
            }
        }
        if set.len() > MOST_CAUSES {
            return None;
        }
        let set: Vec<_> = set.into_iter().collect();
        let next = sets.len() as u32;
        of[n as usize] = *known.entry(set).or_insert_with_key(|set| {
            sets.push(set.clone());
            next
        });
    }
    Some(of)
}

/// Splits a class into groups that no path leaves and comes back to.
fn levels(links: &Links, unit: &[Unit], order: &[Unit], class: &[u32]) -> Vec<Vec<u32>> {
    let units = order.iter().max().map_or(0, |&u| u as usize + 1);
    let mut is_member = vec![false; units];
    class.iter().for_each(|&n| is_member[n as usize] = true);
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); units];
    for (n, &u) in unit.iter().enumerate() {
        members[u as usize].push(n as u32);
    }
    let mut level = vec![0u32; units];
    let mut found: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for &u in order {
        let before = members[u as usize].iter().flat_map(|&n| &links.before[n as usize]);
        for &p in before {
            let p = unit[p as usize] as usize;
            let left = u32::from(is_member[p] && !is_member[u as usize]);
            if p as u32 != u {
                level[u as usize] = level[u as usize].max(level[p] + left);
            }
        }
        if is_member[u as usize] {
            found.entry(level[u as usize]).or_default().push(u);
        }
    }
    found.into_values().filter(|group| group.len() > 1).collect()
}

/// Puts nodes that only one group needs into it, where they come first: a variable is read where its value is used, so
/// that nobody else holds it when it is changed. Groups that are left with one node are none.
fn late_reads(plan: &Plan, traits: &[Trait], links: &Links, count: usize, unit: &mut [Unit], groups: &mut [Vec<u32>]) {
    for n in 0..count {
        let node = &plan.nodes[n];
        let is_fetched = plan.edges[node.edges.range()].iter().any(|e| e.node == FETCH);
        if traits[n].join != Join::Reads || is_fetched {
            continue;
        }
        let mut users = links.after[n].iter().map(|&to| unit[to as usize]);
        let Some(group) = users.next().filter(|&g| g as usize >= count && users.all(|u| u == g)) else { continue };
        let Some(&first) = groups[group as usize - count].first() else { continue };
        let same = traits[first as usize].device == traits[n].device
            && plan.nodes[first as usize].frame == node.frame
            && group != unit[n];
        let comes_first = |&p: &u32| links.before[p as usize].is_empty() && unit[p as usize] == p;
        if same && links.before[n].iter().all(comes_first) {
            if let Some(left) = (unit[n] as usize).checked_sub(count) {
                groups[left].retain(|&m| m as usize != n);
            }
            unit[n] = group;
            groups[group as usize - count].push(n as u32);
        }
    }
    for group in groups {
        if let [alone] = group[..] {
            unit[alone as usize] = alone;
            group.clear();
        }
    }
}

/// Reorders a group so that variables change after the last use of what was read of them before, where that is free: then
/// nobody else holds the value, and it is changed in place.
fn changes_last(traits: &[Trait], links: &Links, unit: &[Unit], number: Unit, group: &mut Vec<u32>) {
    let at: HashMap<u32, usize> = group.iter().enumerate().map(|(i, &n)| (n, i)).collect();
    // What is read of each handle: handles come from nodes outside that have no inputs.
    let handles = |n: u32| {
        let is_handle = |&&p: &&u32| traits[p as usize].join == Join::Alone && unit[p as usize] != number;
        links.before[n as usize].iter().filter(is_handle).copied().collect::<Vec<_>>()
    };
    let mut reads: HashMap<u32, Vec<u32>> = HashMap::new();
    for &n in group.iter().filter(|&&n| traits[n as usize].join == Join::Reads) {
        handles(n).into_iter().for_each(|h| reads.entry(h).or_default().push(n));
    }
    if reads.is_empty() {
        return;
    }
    let mut extra: Vec<Vec<usize>> = vec![Vec::new(); group.len()];
    let mut awaited: Vec<usize> = group
        .iter()
        .map(|&n| links.before[n as usize].iter().filter(|&&p| unit[p as usize] == number).count())
        .collect();
    for &change in group.iter().filter(|&&n| traits[n as usize].join == Join::Changes) {
        let mut behind: HashSet<u32> = HashSet::from([change]);
        let mut open = vec![change];
        while let Some(n) = open.pop() {
            open.extend(links.after[n as usize].iter().filter(|&&to| at.contains_key(&to) && behind.insert(to)));
        }
        for read in handles(change).iter().filter_map(|h| reads.get(h)).flatten() {
            for user in links.after[*read as usize].iter().filter(|to| !behind.contains(to)) {
                if let Some(&user) = at.get(user) {
                    extra[user].push(at[&change]);
                    awaited[at[&change]] += 1;
                }
            }
        }
    }
    let mut ready: BTreeSet<usize> = (0..group.len()).filter(|&i| awaited[i] == 0).collect();
    let mut order = Vec::with_capacity(group.len());
    while let Some(i) = ready.pop_first() {
        order.push(group[i]);
        let after = links.after[group[i] as usize].iter().filter_map(|to| at.get(to)).copied();
        for to in after.chain(extra[i].iter().copied()) {
            awaited[to] -= 1;
            if awaited[to] == 0 {
                ready.insert(to);
            }
        }
    }
    // Two variables may each be wanted to change before the other.
    if order.len() == group.len() {
        *group = order;
    }
}

/// Where a slot's value comes from.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Origin {
    Node(u32, u32),
    Feed(u32),
}

struct Draft<'a> {
    plan: &'a Plan,
    unit: &'a [Unit],
    groups: &'a [Vec<u32>],
    count: usize,
}

impl Draft<'_> {
    fn group(&self, node: u32) -> Option<usize> {
        if node == FETCH {
            return None;
        }
        (self.unit[node as usize] as usize).checked_sub(self.count)
    }

    fn write(&self, traits: &[Trait], places: &Places<'_>) -> Plan {
        let plan = self.plan;
        // Numbers: nodes that stay in their order, each group behind its last member's place.
        let mut numbers = vec![u32::MAX; self.count];
        let mut at_group = vec![u32::MAX; self.groups.len()];
        let mut left: Vec<usize> = self.groups.iter().map(Vec::len).collect();
        let mut listed: Vec<Unit> = Vec::new();
        for (n, number) in numbers.iter_mut().enumerate() {
            match self.group(n as u32) {
                None => {
                    *number = listed.len() as u32;
                    listed.push(n as u32);
                }
                Some(g) => {
                    left[g] -= 1;
                    if left[g] == 0 {
                        at_group[g] = listed.len() as u32;
                        listed.push((self.count + g) as u32);
                    }
                }
            }
        }
        let number = |n: u32| match self.group(n) {
            _ if n == FETCH => FETCH,
            None => numbers[n as usize],
            Some(g) => at_group[g],
        };
        let (origins, constants) = self.origins();
        let mut frames: Vec<FrameLayout> = plan.frames.clone();
        let of_members = self.groups.iter().flatten().map(|&n| &plan.nodes[n as usize]);
        let members: HashSet<(u32, u32)> =
            of_members.flat_map(|n| n.inputs.range().map(|slot| (n.frame, slot as u32))).collect();
        for (f, frame) in frames.iter_mut().enumerate() {
            let taken = |slot: u32| members.contains(&(f as u32, slot));
            frame.constants.retain(|(slot, _)| !taken(*slot));
            frame.pending.clear();
            frame.nodes.clear();
            frame.exits.iter_mut().for_each(|n| *n = number(*n));
        }
        // Inputs of groups get slots of their own.
        let mut inputs: Vec<(Vec<Origin>, u32)> = Vec::new();
        let mut outputs: Vec<Vec<(u32, u32)>> = Vec::new();
        for (g, group) in self.groups.iter().enumerate() {
            let frame = group.first().map_or(0, |&n| plan.nodes[n as usize].frame as usize);
            let mut wanted: Vec<Origin> = Vec::new();
            for &n in group {
                for slot in plan.nodes[n as usize].inputs.range() {
                    match origins.get(&(frame as u32, slot as u32)) {
                        Some(Origin::Node(from, _)) if self.group(*from) == Some(g) => {}
                        Some(origin) if !wanted.contains(origin) => wanted.push(origin.clone()),
                        _ => {}
                    }
                }
            }
            inputs.push((wanted.clone(), frames[frame].slots));
            frames[frame].slots += wanted.len() as u32;
            let leaves = group.iter().flat_map(|&n| {
                let edges = &plan.edges[plan.nodes[n as usize].edges.range()];
                edges.iter().filter(|e| self.group(e.node) != Some(g)).map(move |e| (n, e.output))
            });
            outputs.push(leaves.collect::<BTreeSet<_>>().into_iter().collect());
        }
        let target = |origin: Origin, edge: &PlanEdge| match self.group(edge.node) {
            None => (edge.slot, number(edge.node)),
            Some(g) => {
                let at = inputs[g].0.iter().position(|o| *o == origin).unwrap_or_default() as u32;
                (inputs[g].1 + at, at_group[g])
            }
        };
        let mut out = Plan::default();
        out.fetches = plan.fetches;
        out.fetch_names = plan.fetch_names.clone();
        out.has_control_flow = plan.has_control_flow;
        let mut waits = vec![(0u64, 0u64); listed.len()];
        for &u in &listed {
            let group = (u as usize).checked_sub(self.count);
            let members = match group {
                Some(g) => &self.groups[g][..],
                None => std::slice::from_ref(&u),
            };
            let mut edges: Vec<PlanEdge> = Vec::new();
            let mut controls: Vec<u32> = Vec::new();
            for &n in members {
                for edge in &plan.edges[plan.nodes[n as usize].edges.range()] {
                    if group.is_some() && self.group(edge.node) == group {
                        continue;
                    }
                    let output = match group {
                        Some(g) => outputs[g].binary_search(&(n, edge.output)).unwrap_or_default() as u32,
                        None => edge.output,
                    };
                    let (slot, node) = target(Origin::Node(n, edge.output), edge);
                    edges.push(PlanEdge { output, slot, node, last: false });
                }
                let outside = plan.controls[plan.nodes[n as usize].controls.range()].iter().copied();
                controls.extend(outside.filter(|&to| group.is_none() || self.group(to) != group).map(number));
            }
            edges.sort_by_key(|e| (e.output, e.node, e.slot));
            edges.dedup();
            controls.sort_unstable();
            controls.dedup();
            edges.iter().filter(|e| e.node != FETCH).for_each(|e| waits[e.node as usize].0 += 1);
            controls.iter().for_each(|&to| waits[to as usize].1 += 1);
            let start = out.controls.len() as u32;
            out.controls.extend(controls);
            let controls = Span { start, end: out.controls.len() as u32 };
            let edges = crate::lower::append(&mut out.edges, edges);
            let (node, names) = match group {
                None => self.copied(u),
                Some(g) => {
                    let device = &places.devices[traits[members[0] as usize].device as usize];
                    let receives = device.receives();
                    let region = self.region(g, &inputs[g].0, &outputs[g], &origins, &constants, receives.as_ref());
                    let names = PlanNames {
                        meta: region.meta(&**device),
                        reads_refs: Box::default(),
                        fused: members.iter().flat_map(|&n| plan.names[n as usize].all()).cloned().collect(),
                    };
                    let start = inputs[g].1;
                    let node = PlanNode {
                        inputs: Span { start, end: start + region.inputs },
                        outputs: region.outputs.len() as u32,
                        kernel: device.region(region),
                        edges: Span::default(),
                        controls: Span::default(),
                        frame: plan.nodes[members[0] as usize].frame,
                        pending: 0,
                        cost: NodeCost::new(COST),
                        kind: NodeKind::Plain,
                        reads_refs: false,
                    };
                    (node, names)
                }
            };
            out.nodes.push(PlanNode { edges, controls, ..node });
            out.names.push(names);
        }
        let before = self.waits();
        for (n, node) in out.nodes.iter_mut().enumerate() {
            let (data, control) = waits[n];
            let waits = match plan.nodes.get(listed[n] as usize) {
                None => data + control,
                // Some edges to it may have become one.
                Some(old) => {
                    let (all_data, all_control) = before[listed[n] as usize];
                    let weight = if old.kind == NodeKind::Merge { 2 } else { 1 };
                    let fewer = (all_data - data) + weight * (all_control - control);
                    plan.frames[old.frame as usize].pending[old.pending as usize] - fewer
                }
            };
            let frame = &mut frames[node.frame as usize];
            node.pending = frame.pending.len() as u32;
            frame.pending.push(waits);
            frame.nodes.push(n as u32);
        }
        for feed in &plan.feeds {
            out.feeds.push(PlanFeed { edges: Span::default(), ..feed.clone() });
        }
        for (f, feed) in plan.feeds.iter().enumerate() {
            let mut edges: Vec<PlanEdge> = Vec::new();
            for edge in &plan.edges[feed.edges.range()] {
                let (slot, node) = target(Origin::Feed(f as u32), edge);
                edges.push(PlanEdge { output: edge.output, slot, node, last: false });
            }
            edges.sort_by_key(|e| (e.output, e.node, e.slot));
            edges.dedup();
            out.feeds[f].edges = crate::lower::append(&mut out.edges, edges);
        }
        let mut rooted = vec![false; listed.len()];
        for &root in &plan.roots {
            let to = number(root);
            let node = &out.nodes[to as usize];
            let is_ready =
                self.group(root).is_none() || frames[node.frame as usize].pending[node.pending as usize] == 0;
            if is_ready && !std::mem::replace(&mut rooted[to as usize], true) {
                out.roots.push(to);
            }
        }
        // Groups that wait for feeds only, which are there from the start.
        for &at in at_group.iter().filter(|&&at| at != u32::MAX) {
            let node = &out.nodes[at as usize];
            if !rooted[at as usize] && frames[node.frame as usize].pending[node.pending as usize] == 0 {
                out.roots.push(at);
            }
        }
        out.frames = frames;
        out
    }

    /// How many data and control edges lead to each node of the plan.
    fn waits(&self) -> Vec<(u64, u64)> {
        let mut waits = vec![(0, 0); self.count];
        for node in &self.plan.nodes {
            let edges = &self.plan.edges[node.edges.range()];
            edges.iter().filter(|e| e.node != FETCH).for_each(|e| waits[e.node as usize].0 += 1);
            self.plan.controls[node.controls.range()].iter().for_each(|&to| waits[to as usize].1 += 1);
        }
        waits
    }

    /// Where the slots of all frames get their values from.
    fn origins(&self) -> (HashMap<(u32, u32), Origin>, HashMap<(u32, u32), Tensor>) {
        let plan = self.plan;
        let mut origins = HashMap::new();
        let frame = |to: u32| if to == FETCH { 0 } else { plan.nodes[to as usize].frame };
        for (n, node) in plan.nodes.iter().enumerate() {
            for edge in &plan.edges[node.edges.range()] {
                origins.insert((frame(edge.node), edge.slot), Origin::Node(n as u32, edge.output));
            }
        }
        for (f, feed) in plan.feeds.iter().enumerate() {
            for edge in &plan.edges[feed.edges.range()] {
                origins.insert((frame(edge.node), edge.slot), Origin::Feed(f as u32));
            }
        }
        let mut constants = HashMap::new();
        for (f, frame) in plan.frames.iter().enumerate() {
            constants.extend(frame.constants.iter().map(|(slot, value)| ((f as u32, *slot), value.clone())));
        }
        (origins, constants)
    }

    fn copied(&self, n: u32) -> (PlanNode, PlanNames) {
        let (node, names) = (&self.plan.nodes[n as usize], &self.plan.names[n as usize]);
        let node = PlanNode { kernel: node.kernel.clone(), cost: NodeCost::new(node.cost.nanos()), ..*node };
        let names =
            PlanNames { meta: names.meta.clone(), reads_refs: names.reads_refs.clone(), fused: names.fused.clone() };
        (node, names)
    }

    fn region(
        &self,
        g: usize,
        inputs: &[Origin],
        outputs: &[(u32, u32)],
        origins: &HashMap<(u32, u32), Origin>,
        constants: &HashMap<(u32, u32), Tensor>,
        receives: Option<&Arc<dyn AnyKernel>>,
    ) -> Region {
        let plan = self.plan;
        let mut values: HashMap<(u32, u32), u32> = HashMap::new();
        let mut next = inputs.len() as u32;
        let mut members = Vec::new();
        let mut known: Vec<Tensor> = Vec::new();
        for &n in &self.groups[g] {
            let node = &plan.nodes[n as usize];
            let mut sources = Vec::new();
            for slot in node.inputs.range() {
                let slot = (node.frame, slot as u32);
                sources.push(match origins.get(&slot) {
                    Some(Origin::Node(from, output)) if self.group(*from) == Some(g) => {
                        Source::Value(values.get(&(*from, *output)).copied().unwrap_or_default())
                    }
                    Some(origin) => Source::Value(inputs.iter().position(|o| o == origin).unwrap_or_default() as u32),
                    None => {
                        known.extend(constants.get(&slot).cloned());
                        Source::Constant(known.len() as u32 - 1)
                    }
                });
            }
            let first = next;
            for output in 0..node.outputs {
                values.insert((n, output), next);
                next += 1;
            }
            let meta = plan.names[n as usize].meta.clone();
            members.push(Member {
                kernel: receives.filter(|_| meta.op == RECV).unwrap_or(&node.kernel).clone(),
                meta,
                inputs: sources.into(),
                outputs: first..next,
            });
        }
        let leaving = outputs.iter().map(|o| values.get(o).copied().unwrap_or_default()).collect();
        Region::new(members, inputs.len() as u32, leaving, known)
    }
}

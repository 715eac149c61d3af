//! Places the items of very large groups. The page lays out all other groups when they are opened.
//!
//! Items are arranged in layers from top to bottom. Wide layers are broken into rows, tall fields into columns, so that
//! the whole has the shape of a screen. Every step is linear in items and edges, except for sorting.

use crate::body::Body;
use crate::scopes::Scopes;
use levada_graph::spec::{Act, Role};
use std::ops::Range;

/// Groups of more items than this are laid out here.
const LARGE: usize = 4_000;
/// Width and height of an item, and the distance from one to the next.
const SIZE: (f64, f64) = (112.0, 36.0);
const STEP: (f64, f64) = (126.0, 48.0);
/// The gap between columns of layers.
const COLUMN_GAP: f64 = 120.0;
/// The aspect ratio of the whole: width by height.
const SHAPE: f64 = 1.5;
/// Fewer layers than this stay in one column.
const TALL: usize = 60;
/// An item with more consumers than this does not affect their order.
const HUB: usize = 48;

/// What is shown at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Item {
    /// A node of the body.
    Node(u32),
    /// A group of the body.
    Scope(u32),
}

/// An item and the corner of its box.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    pub item: Item,
    pub x: u32,
    pub y: u32,
}

/// A large group and its cells, from top to bottom and from left to right.
pub struct Field {
    pub scope: u32,
    pub cells: Vec<Cell>,
}

/// The size of the box of a cell.
pub fn size() -> (u32, u32) {
    (SIZE.0 as u32, SIZE.1 as u32)
}

/// The large groups of a body. `put_into` returns the store that a node puts something into.
pub fn fields(body: &Body, groups: &Scopes, put_into: &dyn Fn(usize) -> Option<u32>) -> Vec<Field> {
    let n = groups.scopes.len();
    let hosted = hosted(body, groups);
    let mut counts = vec![0usize; n];
    groups.of.iter().zip(&hosted).filter(|(_, hosted)| !**hosted).for_each(|(&s, _)| counts[s as usize] += 1);
    for scope in &groups.scopes {
        scope.parent.iter().for_each(|&parent| counts[parent as usize] += 1);
    }
    let large = (0..n as u32).filter(|&s| counts[s as usize] > LARGE);
    large.map(|scope| field(body, groups, scope, &hosted, put_into)).collect()
}

/// Constants that the page shows within their only consumer.
fn hosted(body: &Body, groups: &Scopes) -> Vec<bool> {
    let mut users: Vec<(u32, Option<u32>)> = vec![(0, None); body.nodes.len()];
    for (id, node) in body.nodes.iter().enumerate() {
        for &(from, _) in &node.inputs {
            users[from as usize] = (users[from as usize].0 + 1, Some(id as u32));
        }
        node.controls.iter().for_each(|&from| users[from as usize].0 += 1);
    }
    let is_hosted = |(id, node): (usize, &crate::body::Shown)| {
        let is_const = node.spec.is_some_and(|s| s.role == Role::Const && s.act != Some(Act::Make));
        let user = users[id].1.filter(|_| users[id].0 == 1);
        let is_near = user.is_some_and(|user| groups.of[user as usize] == groups.of[id]);
        is_const && is_near && node.inputs.is_empty() && node.controls.is_empty()
    };
    body.nodes.iter().enumerate().map(is_hosted).collect()
}

fn field(body: &Body, groups: &Scopes, scope: u32, hosted: &[bool], put_into: &dyn Fn(usize) -> Option<u32>) -> Field {
    const NONE: u32 = u32::MAX;
    let mut items = Vec::new();
    // The item for each group within this one; groups come after their parents.
    let mut of_scope = vec![NONE; groups.scopes.len()];
    for (s, each) in groups.scopes.iter().enumerate() {
        let Some(parent) = each.parent else { continue };
        of_scope[s] = if parent == scope {
            items.push(Item::Scope(s as u32));
            items.len() as u32 - 1
        } else {
            of_scope[parent as usize]
        };
    }
    let mut of_node: Vec<u32> = groups.of.iter().map(|&s| of_scope[s as usize]).collect();
    for id in (0..body.nodes.len()).filter(|&id| groups.of[id] == scope && !hosted[id]) {
        of_node[id] = items.len() as u32;
        items.push(Item::Node(id as u32));
    }
    let role = |id: u32| body.nodes[id as usize].spec.map_or(Role::Plain, |s| s.role);
    let mut edges = Vec::new();
    for (id, node) in body.nodes.iter().enumerate().filter(|(id, _)| of_node[*id] != NONE) {
        let into = put_into(id);
        for from in node.inputs.iter().map(|&(from, _)| from).chain(node.controls.iter().copied()) {
            let ends = (of_node[from as usize], of_node[id]);
            let is_back = role(from) == Role::NextIteration && role(id as u32) == Role::Merge;
            if ends.0 == NONE || ends.0 == ends.1 || is_back {
                continue;
            }
            edges.push(if into == Some(from) { (ends.1, ends.0) } else { ends });
        }
    }
    edges.sort_unstable();
    edges.dedup();
    let places = places(items.len(), edges);
    let mut cells: Vec<Cell> = items.iter().zip(places).map(|(&item, (x, y))| Cell { item, x, y }).collect();
    cells.sort_by_key(|cell| (cell.y, cell.x));
    Field { scope, cells }
}

/// For each item, the items at the other ends of its edges.
struct Neighbours {
    starts: Vec<u32>,
    ends: Vec<u32>,
}

impl Neighbours {
    fn of(n: usize, edges: impl Iterator<Item = (u32, u32)> + Clone) -> Neighbours {
        let mut starts = vec![0u32; n + 1];
        edges.clone().for_each(|(from, _)| starts[from as usize + 1] += 1);
        (0..n).for_each(|i| starts[i + 1] += starts[i]);
        let (mut next, mut ends) = (starts.clone(), vec![0; starts[n] as usize]);
        for (from, to) in edges {
            ends[next[from as usize] as usize] = to;
            next[from as usize] += 1;
        }
        Neighbours { starts, ends }
    }

    fn at(&self, i: u32) -> &[u32] {
        &self.ends[self.starts[i as usize] as usize..self.starts[i as usize + 1] as usize]
    }

    fn mean(&self, i: u32, values: &[f64]) -> Option<f64> {
        let near = self.at(i);
        (!near.is_empty()).then(|| near.iter().map(|&o| values[o as usize]).sum::<f64>() / near.len() as f64)
    }
}

/// The corner of each item.
fn places(n: usize, edges: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    let edges = without_cycles(n, edges);
    let down = Neighbours::of(n, edges.iter().copied());
    let up = Neighbours::of(n, edges.iter().map(|&(from, to)| (to, from)));
    let layer = layers_of(n, &up, &down);
    let is_alone = |i: u32| up.at(i).is_empty() && down.at(i).is_empty();
    let (alone, joined): (Vec<u32>, Vec<u32>) = (0..n as u32).partition(|&i| is_alone(i));
    let mut layers = vec![Vec::new(); joined.iter().map(|&i| layer[i as usize] as usize + 1).max().unwrap_or(0)];
    for i in walk(&joined, &layer, &down) {
        layers[layer[i as usize] as usize].push(i);
    }
    let near = edges.iter().copied().filter(|&(from, _)| down.at(from).len() <= HUB);
    let down = Neighbours::of(n, near.clone());
    let up = Neighbours::of(n, near.map(|(from, to)| (to, from)));
    order(&mut layers, n, &up, &down);
    let (mut x, mut y) = (vec![0f64; n], vec![0f64; n]);
    let (width, height) = set_out(&layers, &up, &down, &mut x, &mut y);
    // Items without edges are placed below.
    let wide = width.max((alone.len() as f64 * STEP.0 * STEP.1 * SHAPE).sqrt().min(alone.len() as f64 * STEP.0));
    let per_row = ((wide / STEP.0) as usize).max(1);
    let top = if joined.is_empty() { 0.0 } else { height + 2.0 * STEP.1 };
    for (at, &i) in alone.iter().enumerate() {
        x[i as usize] = (at % per_row) as f64 * STEP.0;
        y[i as usize] = top + (at / per_row) as f64 * STEP.1;
    }
    x.into_iter().zip(y).map(|(x, y)| (x.round() as u32, y.round() as u32)).collect()
}

/// Reverses the edges that close cycles.
fn without_cycles(n: usize, edges: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    let down = Neighbours::of(n, edges.iter().copied());
    let mut has_inputs = vec![false; n];
    edges.iter().for_each(|&(_, to)| has_inputs[to as usize] = true);
    let (firsts, others): (Vec<u32>, Vec<u32>) = (0..n as u32).partition(|&i| !has_inputs[i as usize]);
    // 1 while it is on the path, 2 afterwards.
    let (mut state, mut out) = (vec![0u8; n], Vec::with_capacity(edges.len()));
    let mut way: Vec<(u32, u32)> = Vec::new();
    for start in firsts.into_iter().chain(others) {
        if state[start as usize] != 0 {
            continue;
        }
        state[start as usize] = 1;
        way.push((start, 0));
        while let Some((i, at)) = way.last_mut() {
            let from = *i;
            let Some(&to) = down.at(from).get(*at as usize) else {
                state[from as usize] = 2;
                way.pop();
                continue;
            };
            *at += 1;
            out.push(if state[to as usize] == 1 { (to, from) } else { (from, to) });
            if state[to as usize] == 0 {
                state[to as usize] = 1;
                way.push((to, 0));
            }
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}

/// The layer of each item. Items with more successors than predecessors move down to their successors.
fn layers_of(n: usize, up: &Neighbours, down: &Neighbours) -> Vec<u32> {
    let mut layer = vec![0u32; n];
    let mut wait: Vec<u32> = (0..n as u32).map(|i| up.at(i).len() as u32).collect();
    let mut sorted: Vec<u32> = (0..n as u32).filter(|&i| wait[i as usize] == 0).collect();
    let mut at = 0;
    while at < sorted.len() {
        let i = sorted[at];
        at += 1;
        for &to in down.at(i) {
            layer[to as usize] = layer[to as usize].max(layer[i as usize] + 1);
            wait[to as usize] -= 1;
            if wait[to as usize] == 0 {
                sorted.push(to);
            }
        }
    }
    for &i in sorted.iter().rev() {
        let next = down.at(i).iter().map(|&to| layer[to as usize]).min();
        if let Some(next) = next.filter(|_| up.at(i).len() < down.at(i).len()) {
            layer[i as usize] = layer[i as usize].max(next - 1);
        }
    }
    layer
}

/// Items in the order of a depth-first walk from the top, which keeps related items together.
fn walk(items: &[u32], layer: &[u32], down: &Neighbours) -> Vec<u32> {
    let mut roots = items.to_vec();
    roots.sort_by_key(|&i| (layer[i as usize], i));
    let (mut seen, mut out, mut next) = (vec![false; layer.len()], Vec::with_capacity(items.len()), Vec::new());
    for root in roots {
        next.push(root);
        while let Some(i) = next.pop() {
            if !std::mem::replace(&mut seen[i as usize], true) {
                out.push(i);
                next.extend(down.at(i).iter().rev().filter(|&&to| !seen[to as usize]));
            }
        }
    }
    out
}

/// Sorts each layer by the means of its neighbours, alternately downwards and upwards.
fn order(layers: &mut [Vec<u32>], n: usize, up: &Neighbours, down: &Neighbours) {
    let mut place = vec![0f64; n];
    let number = |layer: &[u32], place: &mut [f64]| {
        let each = 1.0 / layer.len() as f64;
        layer.iter().enumerate().for_each(|(at, &i)| place[i as usize] = (at as f64 + 0.5) * each);
    };
    layers.iter().for_each(|layer| number(layer, &mut place));
    let mut keys: Vec<(f64, u32)> = Vec::new();
    let mut sort = |layer: &mut Vec<u32>, near: &Neighbours, place: &mut [f64]| {
        keys.clear();
        keys.extend(layer.iter().map(|&i| (near.mean(i, place).unwrap_or(place[i as usize]), i)));
        keys.sort_by(|a, b| a.0.total_cmp(&b.0));
        layer.clear();
        layer.extend(keys.iter().map(|key| key.1));
        number(layer, place);
    };
    for _ in 0..3 {
        layers.iter_mut().skip(1).for_each(|layer| sort(layer, up, &mut place));
        layers.iter_mut().rev().skip(1).for_each(|layer| sort(layer, down, &mut place));
    }
}

/// Assigns places to layers whose order is known; returns width and height.
fn set_out(layers: &[Vec<u32>], up: &Neighbours, down: &Neighbours, x: &mut [f64], y: &mut [f64]) -> (f64, f64) {
    let wide = |layer: &Vec<u32>| layer.len() as f64 * STEP.0;
    let gap = |layer: &Vec<u32>| 24.0 + (layer.len() as f64).sqrt().min(24.0) * 5.0;
    let rows = |layer: &Vec<u32>, width: f64| (wide(layer) / width).ceil().max(1.0);
    let high = |width: f64| layers.iter().map(|l| rows(l, width) * STEP.1 + gap(l)).sum::<f64>();
    let widest = layers.iter().map(wide).fold(STEP.0, f64::max);
    let mut most = widest;
    if widest > SHAPE * high(widest) {
        let (mut low, mut top) = (STEP.0, widest);
        for _ in 0..40 {
            let mid = (low + top) / 2.0;
            if mid > SHAPE * high(mid) { top = mid } else { low = mid }
        }
        most = top;
    }
    // Wide layers fill their rows from left to right, which keeps positions along the layer.
    for layer in layers {
        let rows = rows(layer, most) as usize;
        let columns = layer.len().div_ceil(rows);
        for (at, &i) in layer.iter().enumerate() {
            x[i as usize] = ((at / rows) as f64 - (columns as f64 - 1.0) / 2.0) * STEP.0;
            y[i as usize] = (at % rows) as f64 * STEP.1;
        }
    }
    let mut blocks = Vec::new();
    let narrow = |layer: &&Vec<u32>| rows(layer, most) == 1.0;
    for _ in 0..4 {
        layers.iter().filter(narrow).for_each(|layer| fit(layer, up, x, &mut blocks));
        layers.iter().rev().filter(narrow).for_each(|layer| fit(layer, down, x, &mut blocks));
    }
    let height = high(most);
    // Splits layers into columns of about this height; their number is chosen to give the right shape. Single-item
    // layers may drift to a side.
    let columns = |tall: f64| {
        let (mut columns, mut from, mut top) = (Vec::new(), 0, 0.0);
        for (d, layer) in layers.iter().enumerate() {
            let own = rows(layer, most) * STEP.1 + gap(layer);
            if top > 0.0 && top + own > tall + STEP.1 {
                columns.push(from..d);
                (from, top) = (d, 0.0);
            }
            top += own;
        }
        columns.push(from..layers.len());
        columns
    };
    let sides = |column: &Range<usize>, x: &[f64]| {
        let own = || layers[column.clone()].iter().flatten().map(|&i| x[i as usize]);
        let left = own().fold(f64::INFINITY, f64::min);
        (left, own().fold(left, f64::max) + STEP.0)
    };
    let wide = |columns: &[Range<usize>], x: &[f64]| {
        columns.iter().map(|c| sides(c, x)).map(|(left, right)| right - left + COLUMN_GAP).sum::<f64>() - COLUMN_GAP
    };
    let mut tall = height;
    if layers.len() > TALL {
        let (mut low, mut top) = (STEP.1, height);
        for _ in 0..20 {
            let mid = (low * top).sqrt();
            if wide(&columns(mid), x) > SHAPE * mid { low = mid } else { top = mid }
        }
        tall = top;
    }
    let (mut start, mut lowest) = (0.0, 0f64);
    for column in columns(tall) {
        let (left, right) = sides(&column, x);
        let mut top = 0.0;
        for layer in &layers[column] {
            for &i in layer {
                x[i as usize] += start - left;
                y[i as usize] += top;
            }
            top += rows(layer, most) * STEP.1 + gap(layer);
            lowest = lowest.max(top - gap(layer));
        }
        start += right - left + COLUMN_GAP;
    }
    ((start - COLUMN_GAP).max(0.0), lowest)
}

/// Moves the items of a layer as close as possible to the middle of their neighbours, without overlaps. For a fixed
/// order this is an isotonic regression, which pooling of adjacent violators solves exactly.
fn fit(layer: &[u32], near: &Neighbours, x: &mut [f64], blocks: &mut Vec<(f64, f64, usize)>) {
    blocks.clear();
    for (at, &i) in layer.iter().enumerate() {
        let weight = if near.at(i).is_empty() { 0.05 } else { 1.0 + near.at(i).len() as f64 };
        let wish = near.mean(i, x).unwrap_or(x[i as usize]) - at as f64 * STEP.0;
        let mut own = (wish * weight, weight, 1);
        while let Some(&(sum, heavy, nodes)) = blocks.last().filter(|b| b.0 / b.1 > own.0 / own.1) {
            blocks.pop();
            own = (own.0 + sum, own.1 + heavy, own.2 + nodes);
        }
        blocks.push(own);
    }
    let mut at = 0;
    for &(sum, weight, nodes) in blocks.iter() {
        for _ in 0..nodes {
            x[layer[at] as usize] = sum / weight + at as f64 * STEP.0;
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Edges from items to up to three earlier ones, the same each time.
    fn scattered(n: u32) -> Vec<(u32, u32)> {
        let mut seed = 1u32;
        let mut next = move || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            seed >> 8
        };
        (1..n).flat_map(|i| [(next() % i, i), (next() % i, i), (i - 1 - next() % i.min(40), i)]).collect()
    }

    fn check(n: u32, edges: &[(u32, u32)]) -> (f64, f64) {
        let places = places(n as usize, edges.to_vec());
        assert_eq!(places.len(), n as usize);
        let mut cells = places.clone();
        cells.sort_by_key(|&(x, y)| (y, x));
        for pair in cells.windows(2) {
            let [(x, y), (next, below)] = pair else { unreachable!() };
            assert!(below > y || next - x >= SIZE.0 as u32, "{pair:?}");
        }
        let most = |f: fn(&(u32, u32)) -> u32| f64::from(places.iter().map(f).max().unwrap());
        (most(|p| p.0) + SIZE.0, most(|p| p.1) + SIZE.1)
    }

    #[test]
    fn nothing_overlaps_and_the_whole_has_the_shape_of_a_screen() {
        let chain: Vec<(u32, u32)> = (1..20_000).map(|i| (i - 1, i)).collect();
        let cycle: Vec<(u32, u32)> = (0..9_000).map(|i| (i, (i + 1) % 9_000)).collect();
        let star: Vec<(u32, u32)> = (1..9_000).map(|i| (0, i)).collect();
        for (n, edges) in [(20_000, scattered(20_000)), (20_000, chain), (9_000, cycle), (9_000, star), (9_000, vec![])]
        {
            let (width, height) = check(n, &edges);
            assert!((0.6..4.0).contains(&(width / height)), "{n}: {width} x {height}");
        }
    }

    #[test]
    fn edges_go_down() {
        let edges = scattered(5_000);
        let layer = {
            let down = Neighbours::of(5_000, edges.iter().copied());
            let up = Neighbours::of(5_000, edges.iter().map(|&(from, to)| (to, from)));
            layers_of(5_000, &up, &down)
        };
        assert!(edges.iter().all(|&(from, to)| layer[from as usize] < layer[to as usize]));
    }
}

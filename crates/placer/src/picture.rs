//! A placed graph as a picture: rows from top to bottom, a colour for each device.

use crate::first_fit::{NOWHERE, Placement};
use crate::groups::Request;
use crate::order::{is_back_edge, topological};
use crate::report::{colour, escaped, short};
use levada_graph::NodeId;
use levada_graph::spec::Role;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// The width of a device's box. Boxes of nodes are as wide as their text, up to [`WIDEST`].
const WIDTH: f64 = 150.0;
const WIDEST: f64 = 370.0;
/// The approximate width of a character, and the padding of a text.
const CHARACTER: f64 = 5.7;
const INSET: f64 = 6.0;
const HEIGHT: f64 = 34.0;
const GAP: (f64, f64) = (16.0, 40.0);
const MARGIN: f64 = 12.0;
/// The width of a row, in device boxes; a wider row is split.
const COLUMNS: usize = 7;
const ROW: f64 = COLUMNS as f64 * (WIDTH + GAP.0);
/// The space that an edge takes when it passes through a row.
const LANE: f64 = 6.0;
/// If edges pass through more rows than this in total, they are drawn straight.
const MOST_LANES: usize = 20_000;
/// The number of sweeps that improve the order of each row.
const SWEEPS: usize = 6;

/// An element of a row.
struct Spot {
    /// The node; `None` for an edge that passes through.
    node: Option<NodeId>,
    width: f64,
    x: f64,
}

/// The graph as an SVG picture. Rows are as wide as seven device boxes; constants used by a single node on the same
/// device are shown in a line of that node.
pub fn svg(request: &Request<'_>, placement: &Placement) -> String {
    let graph = request.graph;
    let device = |id: NodeId| placement.device[id.index()];
    let is_placed = |id: NodeId| device(id) != NOWHERE;
    let edges = |id: NodeId| {
        let node = graph.node(id);
        let data = node.inputs.iter().map(|e| (e.node, false));
        data.chain(node.control_inputs.iter().map(|&c| (c, true))).filter(|(from, _)| is_placed(*from))
    };
    let mut order = topological(graph);
    order.retain(|&id| is_placed(id));

    // Constants used by a single node are drawn with it.
    let mut users: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
    for &id in &order {
        edges(id).for_each(|(from, _)| users.entry(from).or_default().push(id));
    }
    let mut folded: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
    let mut is_folded = vec![false; graph.len()];
    for &id in &order {
        let node = graph.node(id);
        if node.spec().role == Role::Const
            && node.control_inputs.is_empty()
            && let Some([user, more @ ..]) = users.get(&id).map(Vec::as_slice)
            && more.iter().all(|u| u == user)
            && device(*user) == device(id)
        {
            is_folded[id.index()] = true;
            folded.entry(*user).or_default().push(id);
        }
    }
    order.retain(|id| !is_folded[id.index()]);

    // The text below the name, and the widths of the boxes.
    let op = |id: NodeId| match (graph.node(id).op_name(), folded.get(&id).map_or(0, Vec::len)) {
        (op, 0) => op.to_owned(),
        (op, 1) => format!("{op}, 1 constant"),
        (op, n) => format!("{op}, {n} constants"),
    };
    let width = |id: NodeId| {
        let most = graph.node(id).name.chars().count().max(op(id).chars().count());
        (most as f64 * CHARACTER + 2.0 * INSET).min(WIDEST)
    };

    // Rows: below all inputs; nodes without inputs go just above their first consumer.
    let mut layer = vec![0usize; graph.len()];
    for &id in &order {
        let above = edges(id).filter(|&(s, _)| !is_folded[s.index()] && !is_back_edge(graph, s, id));
        layer[id.index()] = above.map(|(s, _)| layer[s.index()] + 1).max().unwrap_or(0);
    }
    for &id in order.iter().rev() {
        let has_inputs = edges(id).any(|(s, _)| !is_folded[s.index()]);
        let first = users.get(&id).into_iter().flatten().filter(|&&u| !is_back_edge(graph, id, u));
        if !has_inputs && let Some(first) = first.map(|u| layer[u.index()]).min() {
            layer[id.index()] = first.saturating_sub(1);
        }
    }
    let mut layers: Vec<Vec<NodeId>> = Vec::new();
    for &id in &order {
        let at = layer[id.index()];
        if layers.len() <= at {
            layers.resize_with(at + 1, Vec::new);
        }
        layers[at].push(id);
    }
    let mut row = vec![0usize; graph.len()];
    let mut rows: Vec<Vec<Spot>> = Vec::new();
    let mut at: HashMap<NodeId, (usize, usize)> = HashMap::new();
    for layer in layers.iter().filter(|layer| !layer.is_empty()) {
        // As few rows as possible, of about equal width.
        let all: f64 = layer.iter().map(|&id| width(id) + GAP.0).sum();
        let (each, mut before) = (all / (all / ROW).ceil(), 0.0);
        let mut parts: Vec<Vec<NodeId>> = Vec::new();
        for &id in layer {
            if parts.is_empty() || before > each * parts.len() as f64 {
                parts.push(Vec::new());
            }
            parts.last_mut().expect("one was pushed").push(id);
            before += width(id) + GAP.0;
        }
        for part in &parts {
            for &id in part {
                row[id.index()] = rows.len();
            }
            rows.push(part.iter().map(|&id| Spot { node: Some(id), width: width(id), x: 0.0 }).collect());
        }
    }

    // Edges that pass through rows take space in them, so that they do not cross boxes.
    let drawn: Vec<(NodeId, NodeId, bool)> = order
        .iter()
        .flat_map(|&to| edges(to).map(move |(from, control)| (from, to, control)))
        .filter(|(from, ..)| !is_folded[from.index()])
        .collect();
    let passed: usize = drawn.iter().map(|(from, to, _)| row[to.index()].saturating_sub(row[from.index()] + 1)).sum();
    let mut ways: Vec<Vec<(usize, usize)>> = vec![Vec::new(); drawn.len()];
    if passed <= MOST_LANES {
        // Edges that leave the same node share a path.
        let mut lanes: HashMap<(NodeId, usize), usize> = HashMap::new();
        for (way, (from, to, _)) in ways.iter_mut().zip(&drawn) {
            let (first, end) = (row[from.index()] + 1, row[to.index()]);
            for (r, spots) in rows.iter_mut().enumerate().take(end).skip(first) {
                let spot = *lanes.entry((*from, r)).or_insert_with(|| {
                    spots.push(Spot { node: None, width: LANE, x: 0.0 });
                    spots.len() - 1
                });
                way.push((r, spot));
            }
        }
    }
    for (r, spots) in rows.iter().enumerate() {
        at.extend(spots.iter().enumerate().filter_map(|(i, s)| Some((s.node?, (r, i)))));
    }

    // The connections from row to row.
    let mut joined: Vec<Vec<Vec<(usize, usize)>>> = rows.iter().map(|r| vec![Vec::new(); r.len()]).collect();
    for (way, (from, to, _)) in ways.iter().zip(&drawn) {
        let stops: Vec<(usize, usize)> = std::iter::once(at[from]).chain(way.iter().copied()).chain([at[to]]).collect();
        for pair in stops.windows(2).filter(|pair| pair[0].0 < pair[1].0) {
            joined[pair[0].0][pair[0].1].push(pair[1]);
            joined[pair[1].0][pair[1].1].push(pair[0]);
        }
    }
    let mut sequence: Vec<Vec<usize>> = rows.iter().map(|r| (0..r.len()).collect()).collect();
    let bound = rows.iter().zip(&sequence).map(|(spots, s)| needed(spots, s)).fold(ROW, f64::max);
    for (spots, sequence) in rows.iter_mut().zip(&sequence) {
        pack(spots, sequence, None, bound);
    }
    for sweep in 0..SWEEPS {
        let down = sweep % 2 == 0;
        let all: Vec<usize> = if down { (0..rows.len()).collect() } else { (0..rows.len()).rev().collect() };
        for r in all {
            let wanted: Vec<f64> = (0..rows[r].len())
                .map(|i| {
                    let near = joined[r][i].iter().filter(|(other, _)| (*other < r) == down && *other != r);
                    let (sum, n) = near.fold((0.0, 0.0), |(sum, n), &(other, j)| (sum + rows[other][j].x, n + 1.0));
                    if n > 0.0 { sum / n } else { rows[r][i].x }
                })
                .collect();
            sequence[r].sort_by(|&a, &b| wanted[a].total_cmp(&wanted[b]).then(a.cmp(&b)));
            pack(&mut rows[r], &sequence[r], Some(&wanted), bound);
        }
    }
    let left = rows.iter().flatten().map(|s| s.x - s.width / 2.0).fold(0.0, f64::min);
    let right = rows.iter().flatten().map(|s| s.x + s.width / 2.0).fold(0.0, f64::max);
    rows.iter_mut().flatten().for_each(|s| s.x += MARGIN - left);
    let legend = request.targets.len().min(COLUMNS) as f64 * (WIDTH + GAP.0) - GAP.0;
    let head = request.targets.len().div_ceil(COLUMNS) as f64 * (HEIGHT + 8.0);
    let y_of = |r: usize| MARGIN + head + GAP.1 / 2.0 + r as f64 * (HEIGHT + GAP.1);
    let w = (right - left).max(legend) + 2.0 * MARGIN;
    let h = y_of(rows.len()) - GAP.1 + MARGIN;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w:.0}\" height=\"{h:.0}\" viewBox=\"0 0 {w:.0} {h:.0}\" \
         font-family=\"sans-serif\" font-size=\"10\">\n<defs>{}{}</defs>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
        arrowhead("same", SAME),
        arrowhead("crosses", CROSSES)
    );

    for ((from, to, control), way) in drawn.iter().zip(&ways) {
        let crosses = device(*from) != device(*to);
        let spot = |(r, i): (usize, usize)| (rows[r][i].x, y_of(r));
        let ((x, y), (to_x, to_y)) = (spot(at[from]), spot(at[to]));
        let mut path = format!("M{x:.0} {:.0}", y + HEIGHT);
        if at[to].0 > at[from].0 {
            let mut before = (x, y + HEIGHT);
            for &stop in way {
                let (x, y) = spot(stop);
                path += &curve(before, (x, y));
                let _ = write!(path, "V{:.0}", y + HEIGHT);
                before = (x, y + HEIGHT);
            }
            path += &curve(before, (to_x, to_y));
        } else {
            // Back to the start of a loop: around the right side of both.
            let side = x.max(to_x) + WIDEST / 2.0 + 30.0;
            let _ =
                write!(path, "C{side:.0} {:.0} {side:.0} {:.0} {to_x:.0} {to_y:.0}", y + HEIGHT + 40.0, to_y - 40.0);
        }
        let (name, colour, width) = if crosses { ("crosses", CROSSES, 2.0) } else { ("same", SAME, 1.0) };
        let dashes = if *control { " stroke-dasharray=\"4 3\"" } else { "" };
        let _ = writeln!(
            out,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"{dashes} marker-end=\"url(#{name})\"/>"
        );
    }
    let fit = |width: f64| ((width - 2.0 * INSET) / CHARACTER).round() as usize;
    let mut boxed = |x: f64, y: f64, width: f64, fill: &str, lines: [&str; 2], title: &str| {
        let _ = writeln!(
            out,
            "<g><title>{}</title><rect x=\"{x:.0}\" y=\"{y:.0}\" width=\"{width:.0}\" height=\"{HEIGHT}\" rx=\"4\" fill=\"{fill}\" \
             stroke=\"#555\"/><text x=\"{:.0}\" y=\"{:.0}\">{}</text><text x=\"{:.0}\" y=\"{:.0}\" fill=\"#444\">{}</text></g>",
            escaped(title),
            x + INSET,
            y + 14.0,
            escaped(&shortened(lines[0], fit(width))),
            x + INSET,
            y + 27.0,
            escaped(&shortened(lines[1], fit(width)))
        );
    };
    for i in 0..request.targets.len() {
        let (column, line) = ((i % COLUMNS) as f64, (i / COLUMNS) as f64);
        let (x, y) = (MARGIN + column * (WIDTH + GAP.0), MARGIN + line * (HEIGHT + 8.0));
        let name = short(request, i as u32);
        boxed(x, y, WIDTH, colour(i as u32), [name, "device"], name);
    }
    for &id in &order {
        let (r, i) = at[&id];
        let node = graph.node(id);
        let constants = folded.get(&id).map_or(&[][..], Vec::as_slice);
        let mut title = format!("{} ({}) on {}", node.name, node.op_name(), short(request, device(id)));
        for &constant in constants {
            let _ = write!(title, "\nconstant {}", graph.node(constant).name);
        }
        let width = rows[r][i].width;
        boxed(rows[r][i].x - width / 2.0, y_of(r), width, colour(device(id)), [&node.name, &op(id)], &title);
    }
    out.push_str("</svg>\n");
    out
}

const SAME: &str = "#888";
const CROSSES: &str = "#c00";

fn arrowhead(name: &str, colour: &str) -> String {
    format!(
        "<marker id=\"{name}\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
         markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"{colour}\"/></marker>"
    )
}

/// A curve from one point down to another.
fn curve(from: (f64, f64), to: (f64, f64)) -> String {
    let mid = (from.1 + to.1) / 2.0;
    format!("C{:.0} {mid:.0} {:.0} {mid:.0} {:.0} {:.0}", from.0, to.0, to.0, to.1)
}

/// The minimum distance between the centres of two neighbours.
fn room(a: &Spot, b: &Spot) -> f64 {
    let gap = match (a.node, b.node) {
        (Some(_), Some(_)) => GAP.0,
        (None, None) => 2.0,
        _ => GAP.0 / 2.0,
    };
    (a.width + b.width) / 2.0 + gap
}

/// The minimum width of a row.
fn needed(spots: &[Spot], sequence: &[usize]) -> f64 {
    let inner: f64 = sequence.windows(2).map(|pair| room(&spots[pair[0]], &spots[pair[1]])).sum();
    let ends = sequence.first().into_iter().chain(sequence.last());
    inner + ends.map(|&i| spots[i].width / 2.0).sum::<f64>()
}

/// Places the elements of a row next to each other in this order, each as close to its wanted position as possible,
/// within `bound` around 0; centred if no positions are wanted.
fn pack(spots: &mut [Spot], sequence: &[usize], wanted: Option<&[f64]>, bound: f64) {
    let (Some(&first), Some(&last)) = (sequence.first(), sequence.last()) else { return };
    // Groups of adjacent elements, each centred on the mean of its members' wanted positions.
    struct Group {
        first: usize,
        centre: f64,
        members: f64,
    }
    let mut offsets = vec![0.0; sequence.len()];
    for i in 1..sequence.len() {
        offsets[i] = offsets[i - 1] + room(&spots[sequence[i - 1]], &spots[sequence[i]]);
    }
    let middle = offsets.last().map_or(0.0, |last| last / 2.0);
    let least = (spots[first].width - bound) / 2.0;
    let most = (bound - spots[last].width) / 2.0 - 2.0 * middle;
    let target = |i: usize| wanted.map_or(-middle, |wanted| wanted[sequence[i]] - offsets[i]);
    let mut groups: Vec<Group> = Vec::new();
    for i in 0..sequence.len() {
        let mut group = Group { first: i, centre: target(i), members: 1.0 };
        while let Some(before) = groups.pop_if(|before| before.centre > group.centre) {
            let members = before.members + group.members;
            let centre = (before.centre * before.members + group.centre * group.members) / members;
            group = Group { first: before.first, centre, members };
        }
        groups.push(group);
    }
    for (g, group) in groups.iter().enumerate() {
        let end = groups.get(g + 1).map_or(sequence.len(), |next| next.first);
        let centre = if least <= most { group.centre.clamp(least, most) } else { -middle };
        for i in group.first..end {
            spots[sequence[i]].x = centre + offsets[i];
        }
    }
}

/// A text of at most `most` characters; the middle of a longer one is left out.
fn shortened(text: &str, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text.to_owned();
    }
    let head = (most - 1) / 2;
    let tail = most - 1 - head;
    text.chars().take(head).chain(['…']).chain(text.chars().skip(count - tail)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_their_middle() {
        assert_eq!(shortened("short", 25), "short");
        assert_eq!(shortened("gradients/tower_0/conv2/MatMul_grad/MatMul_1", 25), "gradients/to…rad/MatMul_1");
        assert_eq!(shortened("ääääää", 5), "ää…ää");
    }

    #[test]
    fn boxes_of_a_row_keep_their_distance() {
        let mut spots: Vec<Spot> = [WIDTH, LANE, WIDTH]
            .iter()
            .map(|&width| Spot { node: (width == WIDTH).then(|| NodeId::new(0)), width, x: 0.0 })
            .collect();
        pack(&mut spots, &[2, 0, 1], Some(&[100.0, 500.0, 90.0]), 2000.0);
        assert_eq!(spots.iter().map(|s| s.x).collect::<Vec<_>>(), [178.0, 500.0, 12.0]);
        pack(&mut spots, &[0, 1, 2], None, 2000.0);
        assert!((spots[0].x + spots[2].x).abs() < 1e-9 && spots[1].x - spots[0].x == (WIDTH + LANE + GAP.0) / 2.0);
        // Within the bound.
        pack(&mut spots, &[2, 0, 1], Some(&[900.0, 9000.0, 800.0]), 400.0);
        assert_eq!(spots.iter().map(|s| s.x).collect::<Vec<_>>(), [111.0, 197.0, -55.0]);
        assert_eq!(needed(&spots, &[2, 0, 1]), 330.0);
    }
}

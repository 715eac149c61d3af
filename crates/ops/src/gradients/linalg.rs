//! Products of matrices.

use super::Grads;
use levada_graph::grad::{GradCx, Rule, V, attr};

fn mat_mul(g: &GradCx) -> Grads {
    let (a, b, dy) = (g.input(0).conj(), g.input(1).conj(), g.dy(0));
    let product = |x: V<'_>, y: V<'_>, tx: bool, ty: bool| {
        g.node("MatMul", &[g.value(x.at), g.value(y.at)], &[attr("transpose_a", tx), attr("transpose_b", ty)])
    };
    let (da, db) = match (g.flag("transpose_a"), g.flag("transpose_b")) {
        (false, false) => (product(dy, b, false, true), product(a, dy, true, false)),
        (false, true) => (product(dy, b, false, false), product(dy, a, true, false)),
        (true, false) => (product(b, dy, false, true), product(a, dy, false, false)),
        (true, true) => (product(b, dy, true, true), product(dy, a, true, true)),
    };
    vec![da.into(), db.into()]
}

fn batch_mat_mul(g: &GradCx) -> Grads {
    let (x, y, dy) = (g.input(0), g.input(1), g.dy(0));
    let product = |a: V<'_>, b: V<'_>, adj_a: bool, adj_b: bool| {
        g.node("BatchMatMulV2", &[g.value(a.at), g.value(b.at)], &[attr("adj_x", adj_a), attr("adj_y", adj_b)])
    };
    let (dx, dy) = match (g.flag("adj_x"), g.flag("adj_y")) {
        (false, false) => (product(dy, y, false, true), product(x, dy, true, false)),
        (false, true) => (product(dy, y, false, false), product(dy, x, true, false)),
        (true, false) => (product(y, dy, false, true), product(x, dy, false, false)),
        (true, true) => (product(y, dy, true, true), product(dy, x, true, true)),
    };
    // The axes in front of the matrices broadcast.
    let batch = |v: V<'_>| v.shape().dims().map(|d| d[..d.len().saturating_sub(2)].to_vec());
    match (batch(x), batch(y)) {
        (Some(a), Some(b)) if a == b && a.iter().all(Option::is_some) => vec![dx.into(), dy.into()],
        _ => {
            let front = |shape: V<'_>| {
                let shape = g.value(shape.at);
                let n = (shape.op("Size") - 2.0).reshape(g.ints(&[1]));
                g.op("Slice", &[shape, g.ints(&[0]), n])
            };
            let (sx, sy) = (x.shape_value(), y.shape_value());
            let axes = g.op("BroadcastGradientArgs", &[front(sx), front(sy)]);
            vec![dx.sum(axes).reshape(sx).into(), dy.sum(axes.out(1)).reshape(sy).into()]
        }
    }
}

fn einsum(g: &GradCx) -> Grads {
    let equation: String = g.attr("equation").unwrap_or_default();
    let (inputs, output) = equation.split_once("->").unwrap_or((&equation, ""));
    let terms: Vec<&str> = inputs.split(',').collect();
    if terms.len() != g.num_inputs() {
        g.fail(levada_graph::Error::invalid("the equation has another number of terms than the node has inputs"));
        return super::never(g);
    }
    (0..terms.len()).map(|i| einsum_by(g, i, &terms, output).into()).collect()
}

/// The labels of a term; `None` stands for an ellipsis.
fn labels(term: &str) -> Vec<Option<char>> {
    let mut labels: Vec<Option<char>> = Vec::new();
    for label in term.chars() {
        match label {
            '.' if labels.contains(&None) => {}
            '.' => labels.push(None),
            label => labels.push(Some(label)),
        }
    }
    labels
}

fn term(labels: &[Option<char>]) -> String {
    labels.iter().map(|label| label.map_or_else(|| "...".to_owned(), String::from)).collect()
}

/// The gradient of an `Einsum` by input `i`.
fn einsum_by<'g>(g: &'g GradCx, i: usize, terms: &[&str], output: &str) -> V<'g> {
    let x = g.input(i);
    let axes = labels(terms[i]);
    let mut unique = axes.clone();
    let mut seen = Vec::new();
    unique.retain(|label| {
        !seen.contains(label) && {
            seen.push(*label);
            true
        }
    });
    let others: Vec<usize> = (0..terms.len()).filter(|&j| j != i).collect();
    // Axes that only this input has were summed up: the gradient is the same along them.
    let known = |c: char| output.contains(c) || others.iter().any(|&j| terms[j].contains(c));
    let kept: Vec<Option<char>> = unique.iter().copied().filter(|label| label.is_none_or(known)).collect();
    let stretched = output.contains('.') || others.iter().any(|&j| terms[j].contains('.'));
    let has_ellipsis = unique.contains(&None);

    let mut values = vec![g.dy(0)];
    values.extend(others.iter().map(|&j| g.input(j).conj()));
    let from: Vec<&str> = std::iter::once(output).chain(others.iter().map(|&j| terms[j])).collect();
    let front = if stretched && !has_ellipsis { "..." } else { "" };
    let equation = format!("{}->{front}{}", from.join(","), term(&kept));
    let mut dx = g.node("Einsum", &values, &[attr("equation", equation)]);
    if stretched && !has_ellipsis {
        // What the others' ellipsis stands for.
        let extra = dx.op("Rank") - kept.len() as f64;
        dx = dx.sum(super::range(g, extra));
    }

    // The sizes of the axes in the order of `unique`.
    let shape = x.shape_value();
    let named = axes.len() - usize::from(has_ellipsis);
    let at = axes.iter().position(Option::is_none).unwrap_or(axes.len());
    let size = |label: &Option<char>| {
        let first = axes.iter().position(|l| l == label).unwrap_or(0);
        let one = g.ints(&[1]);
        match label {
            None => g.op("Slice", &[shape, g.ints(&[first as i32]), vector(shape.op("Size") - named as f64)]),
            Some(_) if first < at => g.op("Slice", &[shape, g.ints(&[first as i32]), one]),
            Some(_) => g.op("Slice", &[shape, vector(shape.op("Size") - (axes.len() - first) as f64), one]),
        }
    };
    let sizes = |of: &dyn Fn(&Option<char>) -> bool| {
        let all: Vec<V<'g>> = unique.iter().map(|l| if of(l) { size(l) } else { g.ints(&[1]) }).collect();
        super::concat(g, &all, 0)
    };
    let is_kept = |label: &Option<char>| kept.contains(label);
    let broadcasts = has_ellipsis && others.iter().any(|&j| terms[j].contains('.'));
    if broadcasts {
        let before = kept.iter().position(Option::is_none).unwrap_or(0) as i32;
        let found = dx.op("Shape");
        let length = vector(found.op("Size") - (kept.len() - 1) as f64);
        let found = g.op("Slice", &[found, g.ints(&[before]), length]);
        let over = g.op("BroadcastGradientArgs", &[size(&None), found]);
        dx = dx.sum(over + f64::from(before));
    }
    if broadcasts || kept.len() < unique.len() {
        dx = dx.reshape(sizes(&is_kept));
    }
    if kept.len() < unique.len() {
        dx = g.op("BroadcastTo", &[dx, sizes(&|_| true)]);
    }
    if unique.len() < axes.len() {
        // A label that occurs again stands for a diagonal.
        dx = g.node("Einsum", &[dx], &[attr("equation", format!("{}->{}", term(&unique), term(&axes)))]);
    }
    dx
}

/// A scalar as a vector of one element.
fn vector(x: V<'_>) -> V<'_> {
    x.reshape(x.cx().ints(&[1]))
}

pub(super) fn rule(op: &str) -> Option<Rule> {
    Some(match op {
        "MatMul" => mat_mul,
        "BatchMatMul" | "BatchMatMulV2" | "BatchMatMulV3" => batch_mat_mul,
        "Einsum" => einsum,
        _ => return None,
    })
}

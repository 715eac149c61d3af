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
    let unable = |why: &str| {
        g.fail(levada_graph::Error::unimplemented(format!("the gradient of Einsum {why}")).found(&equation));
        super::never(g)
    };
    let Some((inputs, output)) = equation.split_once("->") else { return unable("without an output") };
    let inputs: Vec<&str> = inputs.split(',').collect();
    if equation.contains('.') {
        return unable("with an ellipsis");
    }
    let repeats = |labels: &str| labels.char_indices().any(|(i, c)| labels[i + c.len_utf8()..].contains(c));
    if inputs.iter().chain([&output]).any(|labels| repeats(labels)) {
        return unable("with a label that occurs twice in a term");
    }
    let dy = g.dy(0);
    let mut grads = Vec::new();
    for (i, labels) in inputs.iter().enumerate() {
        let others: Vec<usize> = (0..inputs.len()).filter(|&j| j != i).collect();
        let known = |c: char| output.contains(c) || others.iter().any(|&j| inputs[j].contains(c));
        // Axes that only this input has were summed up: the gradient is the same along them.
        let found: String = labels.chars().filter(|&c| known(c)).collect();
        let terms: Vec<&str> = std::iter::once(output).chain(others.iter().map(|&j| inputs[j])).collect();
        let mut values = vec![dy];
        values.extend(others.iter().map(|&j| g.input(j).conj()));
        let mut dx = g.node("Einsum", &values, &[attr("equation", format!("{}->{found}", terms.join(",")))]);
        if found.len() < labels.len() {
            for (axis, c) in labels.chars().enumerate() {
                if !known(c) {
                    dx = super::expand(g, dx, axis as i32);
                }
            }
            dx = g.op("BroadcastTo", &[dx, g.input(i).shape_value()]);
        }
        grads.push(dx.into());
    }
    grads
}

pub(super) fn rule(op: &str) -> Option<Rule> {
    Some(match op {
        "MatMul" => mat_mul,
        "BatchMatMul" | "BatchMatMulV2" | "BatchMatMulV3" => batch_mat_mul,
        "Einsum" => einsum,
        _ => return None,
    })
}

//! `Einsum`: sums of products specified by an equation.

use super::contract::{Labelled, Summed, contract};
use super::equation::{Equation, Label, ellipsis_axes};
use super::nodes::vector;
use crate::prelude::*;
use levada_ops_core::rules::{Handles, SLICE, concat, never, range};

attrs! {
    /// Tensor contraction in Einstein summation notation: multiplies one or two tensors with labelled axes, sums over
    /// labels absent from the result, and orders the result's axes by its labels.
    pub struct Einsum {
        /// The subscripts, such as `ij,jk->ik`.
        equation: String = Attr::string("equation"),
        /// Number of inputs.
        n: i64 = Attr::int("N").at_least(1),
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

pub static EINSUM: Def<Einsum> = op::<Einsum>("Einsum")
    .inputs(&[arg("inputs", of("T")).times("N")])
    .outputs(&[arg("output", of("T"))])
    .shape(|op, cx| shape(&op.equation, cx))
    .gradient(gradient)
    .kernel(|op, cx| {
        let inputs = cx.inputs_from(0)?.into_iter().cloned().collect::<Vec<Tensor>>();
        sum_of_products(cx, op.dtype, &op.equation, &inputs)
    })
    .heavy()
    .tiles(Stage::Product, |op, inputs| cuts(&op.equation, inputs))
    .batch(|op, b| {
        let equation = op.equation.as_str();
        let (terms, result) = equation.split_once("->")?;
        let free = ('a'..='z').chain('A'..='Z').find(|label| !equation.contains(*label))?;
        let term = |(i, term): (usize, &str)| match b.varies(i) {
            true => format!("{free}{}", term.trim()),
            false => term.trim().to_owned(),
        };
        let terms: Vec<String> = terms.split(',').enumerate().map(term).collect();
        if terms.len() != b.num_inputs() {
            return None;
        }
        let equation = format!("{}->{free}{}", terms.join(","), result.trim());
        b.one(b.again_with(&b.inputs(), &[("equation", AttrValue::S(equation.into()))]))
    });

/// Infers the result's shape for an equation over all inputs.
///
/// # Errors
/// `INVALID_ARGUMENT` if the inputs do not match the equation.
pub fn shape(equation: &str, cx: &mut ShapeCx<'_>) -> Result<()> {
    let equation = Equation::parse(equation, cx.num_inputs())?;
    let shapes: Vec<PartialShape> = (0..cx.num_inputs()).map(|i| cx.input(i)).collect();
    let Some(ranks) = shapes.iter().map(PartialShape::rank).collect::<Option<Vec<usize>>>() else {
        if !equation.output.contains(&None) {
            cx.output(0, PartialShape::of_rank(equation.output.len()));
        }
        return Ok(());
    };
    let labels = ranks.iter().enumerate().map(|(i, &r)| equation.input(i, r)).collect::<Result<Vec<Vec<Label>>>>()?;
    let mut sizes: Vec<(Label, Dim)> = Vec::new();
    for (labels, shape) in labels.iter().zip(&shapes) {
        for (&label, &dim) in labels.iter().zip(shape.dims().unwrap_or_default()) {
            match sizes.iter_mut().find(|(l, _)| *l == label) {
                Some((_, size)) => *size = merged(label, *size, dim)?,
                None => sizes.push((label, dim)),
            }
        }
    }
    let output = equation.output(ellipsis_axes(&labels))?;
    let size = |label: &Label| sizes.iter().find(|(l, _)| l == label).and_then(|(_, d)| *d);
    cx.output(0, PartialShape::new(output.iter().map(size)));
    Ok(())
}

/// Merges two sizes of a label: they must be equal, except that an ellipsis is broadcast.
fn merged(label: Label, a: Dim, b: Dim) -> Result<Dim> {
    match (a, b, label) {
        (Some(a), Some(b), _) if a == b => Ok(Some(a)),
        (Some(1), other, Label::Ellipsis(_)) | (other, Some(1), Label::Ellipsis(_)) => Ok(other),
        (Some(a), Some(b), _) => {
            Err(Error::invalid(format!("Expected dimension {a} at a label of the einsum, got {b}")))
        }
        (a, b, _) => Ok(a.or(b)),
    }
}

/// The labels of each input's axes, the label sizes, and the labels of the result's axes.
type Resolved = (Vec<Vec<Label>>, Vec<(Label, usize)>, Vec<Label>);

fn resolve(equation: &str, inputs: &[&Shape]) -> Result<Resolved> {
    let equation = Equation::parse(equation, inputs.len())?;
    let mut labels = Vec::new();
    let mut sizes: Vec<(Label, usize)> = Vec::new();
    for (i, shape) in inputs.iter().enumerate() {
        let axes = equation.input(i, shape.rank())?;
        for (&label, &size) in axes.iter().zip(shape.iter()) {
            match sizes.iter_mut().find(|(l, _)| *l == label) {
                Some((_, n)) => *n = merged(label, Some(*n), Some(size))?.unwrap_or(size),
                None => sizes.push((label, size)),
            }
        }
        labels.push(axes);
    }
    let output = equation.output(ellipsis_axes(&labels))?;
    Ok((labels, sizes, output))
}

/// Along the labels that occur once in a product of two tensors and in its result.
fn cuts(equation: &str, inputs: &[Given<'_>]) -> Option<Cuts> {
    let shapes: Vec<&Shape> = inputs.iter().map(|input| input.shape).collect();
    let (labels, sizes, output) = resolve(equation, &shapes).ok().filter(|_| shapes.len() == 2)?;
    let size = |label: &Label| sizes.iter().find(|(l, _)| l == label).map_or(1, |(_, n)| *n);
    let shape = Shape::new(output.iter().map(size)).ok()?;
    let is_once = |labels: &[Label], label: &Label| labels.iter().filter(|l| *l == label).count() <= 1;
    let axes = output.iter().map(|label| {
        let own = |(labels, shape): (&Vec<Label>, &&Shape)| {
            labels.iter().position(|l| l == label).filter(|&axis| shape[axis] == size(label))
        };
        let can_be = is_once(&output, label) && labels.iter().all(|labels| is_once(labels, label));
        can_be.then(|| labels.iter().zip(&shapes).map(own).collect())
    });
    Some(Cuts { axes: axes.collect(), shape })
}

/// An equation applied to tensors, with labels numbered from 0.
pub struct Labels {
    /// Size of each label.
    pub sizes: Vec<usize>,
    /// The labels of each input's axes.
    pub inputs: Vec<Vec<usize>>,
    /// The labels of the result's axes.
    pub output: Vec<usize>,
}

impl Labels {
    /// Parses an equation for these inputs.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if the inputs do not match the equation.
    pub fn of(equation: &str, inputs: &[&Tensor]) -> Result<Labels> {
        let shapes: Vec<&Shape> = inputs.iter().map(|tensor| tensor.shape()).collect();
        let (labels, mut sizes, output) = resolve(equation, &shapes)?;
        for label in &output {
            if !sizes.iter().any(|(l, _)| l == label) {
                sizes.push((*label, 1));
            }
        }
        let number = |label: &Label| sizes.iter().position(|(l, _)| l == label).unwrap_or(0);
        let numbers = |labels: &Vec<Label>| labels.iter().map(number).collect();
        Ok(Labels {
            inputs: labels.iter().map(numbers).collect(),
            output: numbers(&output),
            sizes: sizes.iter().map(|(_, n)| *n).collect(),
        })
    }
}

/// Sets output 0 to the result of an equation over tensors of this type.
///
/// # Errors
/// `INVALID_ARGUMENT` if the inputs do not match, and for types without products.
pub fn sum_of_products(cx: &mut Cx<'_, '_>, dtype: DType, equation: &str, inputs: &[Tensor]) -> Result<()> {
    use DType::*;
    match dtype {
        F32 => einsum::<f32>(cx, equation, inputs),
        F64 => einsum::<f64>(cx, equation, inputs),
        F16 => einsum::<f16>(cx, equation, inputs),
        BF16 => einsum::<bf16>(cx, equation, inputs),
        C64 => einsum::<Complex32>(cx, equation, inputs),
        C128 => einsum::<Complex64>(cx, equation, inputs),
        I32 => einsum::<i32>(cx, equation, inputs),
        I64 => einsum::<i64>(cx, equation, inputs),
        other => Err(Error::invalid(format!("Einsum of {other}"))),
    }
}

fn einsum<T: Summed>(cx: &mut Cx<'_, '_>, equation: &str, inputs: &[Tensor]) -> Result<()> {
    let (labels, sizes, output) = resolve(equation, &inputs.iter().map(Tensor::shape).collect::<Vec<_>>())?;
    let size = |label: &Label| sizes.iter().find(|(l, _)| l == label).map_or(1, |(_, n)| *n);
    let shape = Shape::new(output.iter().map(size))?;
    let operands =
        inputs.iter().zip(&labels).map(|(t, labels)| Labelled::new(t.slice::<T>()?, t.shape(), labels, &sizes));
    let operands = operands.collect::<Result<Vec<_>>>()?;
    cx.produce::<T>(0, &shape, |cx, out| contract(cx.pool(), operands, &output, &sizes, out))
}

fn gradient(op: &Einsum, g: &GradCx) -> Grads {
    let (inputs, output) = op.equation.split_once("->").unwrap_or((&op.equation, ""));
    let terms: Vec<&str> = inputs.split(',').collect();
    if terms.len() != g.num_inputs() {
        g.fail(Error::invalid("the number of terms of the equation differs from the number of inputs"));
        return never(g);
    }
    (0..terms.len()).map(|i| by_input(g, i, &terms, output).into()).collect()
}

/// The labels of a term; `None` represents an ellipsis.
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

/// The sum of products specified by `equation`.
fn sum_of<'g>(g: &'g GradCx, equation: String, inputs: &[V<'g>]) -> V<'g> {
    EINSUM.node(g, &Einsum { equation, n: inputs.len() as i64, dtype: inputs[0].dtype() }, inputs)
}

/// The gradient of input `i`.
fn by_input<'g>(g: &'g GradCx, i: usize, terms: &[&str], output: &str) -> V<'g> {
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
    // Axes that only this input has were summed over, so the gradient is constant along them.
    let known = |c: char| output.contains(c) || others.iter().any(|&j| terms[j].contains(c));
    let kept: Vec<Option<char>> = unique.iter().copied().filter(|label| label.is_none_or(known)).collect();
    let stretched = output.contains('.') || others.iter().any(|&j| terms[j].contains('.'));
    let has_ellipsis = unique.contains(&None);

    let mut values = vec![g.dy(0)];
    values.extend(others.iter().map(|&j| g.input(j).conj()));
    let from: Vec<&str> = std::iter::once(output).chain(others.iter().map(|&j| terms[j])).collect();
    let front = if stretched && !has_ellipsis { "..." } else { "" };
    let equation = format!("{}->{front}{}", from.join(","), term(&kept));
    let mut dx = sum_of(g, equation, &values);
    if stretched && !has_ellipsis {
        // The axes that the others' ellipsis covers.
        let extra = dx.rank_found() - kept.len() as f64;
        dx = dx.sum(range(g, extra));
    }

    // The axis sizes in the order of `unique`.
    let shape = x.shape_value();
    let named = axes.len() - usize::from(has_ellipsis);
    let at = axes.iter().position(Option::is_none).unwrap_or(axes.len());
    let size = |label: &Option<char>| {
        let first = axes.iter().position(|l| l == label).unwrap_or(0);
        let one = g.ints(&[1]);
        match label {
            None => SLICE.call([shape, g.ints(&[first as i32]), vector(shape.size() - named as f64)]),
            Some(_) if first < at => SLICE.call([shape, g.ints(&[first as i32]), one]),
            Some(_) => SLICE.call([shape, vector(shape.size() - (axes.len() - first) as f64), one]),
        }
    };
    let sizes = |of: &dyn Fn(&Option<char>) -> bool| {
        let all: Vec<V<'g>> = unique.iter().map(|l| if of(l) { size(l) } else { g.ints(&[1]) }).collect();
        concat(g, &all, 0)
    };
    let is_kept = |label: &Option<char>| kept.contains(label);
    let broadcasts = has_ellipsis && others.iter().any(|&j| terms[j].contains('.'));
    if broadcasts {
        let before = kept.iter().position(Option::is_none).unwrap_or(0) as i32;
        let found = dx.dims();
        let length = vector(found.size() - (kept.len() - 1) as f64);
        let found = SLICE.call([found, g.ints(&[before]), length]);
        let over = g.primitive(Primitive::BroadcastGradientArgs, &[size(&None), found], &[]);
        dx = dx.sum(over + f64::from(before));
    }
    if broadcasts || kept.len() < unique.len() {
        dx = dx.reshape(sizes(&is_kept));
    }
    if kept.len() < unique.len() {
        dx = dx.broadcast_to(sizes(&|_| true));
    }
    if unique.len() < axes.len() {
        // A repeated label denotes a diagonal.
        dx = sum_of(g, format!("{}->{}", term(&unique), term(&axes)), &[dx]);
    }
    dx
}

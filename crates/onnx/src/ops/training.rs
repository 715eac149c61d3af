//! Gradients, and steps of optimizers (`ai.onnx.preview.training`).

use super::prelude::*;
use levada_graph::Func;

const DOMAIN: &str = "ai.onnx.preview.training";

pub(crate) const OPERATORS: &[Operator] = &[
    of(DOMAIN, "Adagrad", &[1], adagrad),
    of(DOMAIN, "Adam", &[1], adam),
    of(DOMAIN, "Gradient", &[1], gradient),
    of(DOMAIN, "Momentum", &[1], momentum),
];

/// The derivatives of a value that earlier nodes computed from others: those nodes become a function.
fn gradient(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let wanted = cx.strings("xs")?.map_or(0, |names| names.len());
    let name = cx.text_or("y", "")?;
    let inputs = cx.inputs()?;
    if wanted == 0 || wanted > inputs.len() {
        return Err(Error::invalid("the inputs are not those that xs and zs name").attr("xs"));
    }
    let missing = || Error::invalid("no earlier node computes the value that y names").attr("y").found(&name);
    let y = cx.importer().lookup(&name)?.ok_or_else(missing)?;
    let (body, result) = cx.importer().block().between(&inputs, &y)?;
    let parameters: Vec<usize> = (0..inputs.len()).collect();
    let function = cx.importer().function("differentiated", body, &parameters, &[result]);
    let dtypes: Vec<DType> = inputs.iter().map(|val| cx.dtype(val)).collect();
    let mut given = dtypes.clone();
    given.push(cx.dtype(&y));
    let ones = cx.op("OnesLike", &[&y])?;
    let node = cx.node("SymbolicGradient").inputs(&inputs).input(&ones);
    let node = node.attr("Tin", given).attr("Tout", dtypes).attr("f", Func::from(&function[..]));
    let all = node.all()?;
    Ok(all.into_iter().zip(&inputs).take(wanted).map(|(val, x)| val.like(x)).collect())
}

/// A trained tensor: itself, its gradient, and the optimizer's state for it.
fn trained(cx: &Cx<'_, '_>, kept: usize) -> Result<Vec<Vec<Val>>> {
    let inputs = cx.inputs()?;
    let each = 2 + kept;
    let n = inputs.len().saturating_sub(2) / each;
    if inputs.len() != 2 + n * each || n == 0 {
        let error = Error::invalid("the optimizer has the wrong number of inputs");
        return Err(error.expected(format!("2 and {each} for each tensor")).found(inputs.len()));
    }
    Ok((0..n).map(|i| (0..each).map(|k| inputs[2 + k * n + i].clone()).collect()).collect())
}

/// Outputs in the order of the operator: all first ones, then all second ones, ...
fn in_order(outputs: Vec<Vec<Val>>) -> Vec<Val> {
    let each = outputs.first().map_or(0, Vec::len);
    (0..each).flat_map(|k| outputs.iter().map(move |vals| vals[k].clone())).collect()
}

/// The gradient plus that of the L2 penalty.
fn regularized(cx: &mut Cx<'_, '_>, x: &Val, gradient: &Val) -> Result<Val> {
    let norm = cx.float_or("norm_coefficient", 0.0)?;
    if norm == 0.0 {
        return Ok(gradient.clone());
    }
    let part = cx.times_number(x, norm.into())?;
    cx.plus(&part, gradient)
}

/// The learning rate and the step, converted to the type of `x`.
fn rate_and_step(cx: &mut Cx<'_, '_>, x: &Val) -> Result<(Val, Val)> {
    let (rate, step) = (cx.input(0)?, cx.input(1)?);
    let dtype = cx.dtype(x);
    Ok((cx.cast(&rate, dtype)?, cx.cast(&step, dtype)?))
}

fn adagrad(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (decay, epsilon) = (cx.float_or("decay_factor", 0.0)?, cx.float_or("epsilon", 1e-6)?);
    let mut outputs = Vec::new();
    for vals in trained(cx, 1)? {
        let [x, gradient, squares] = &vals[..] else { return Err(Error::internal("three tensors")) };
        let (rate, step) = rate_and_step(cx, x)?;
        let slower = cx.times_number(&step, decay.into())?;
        let slower = cx.plus_number(&slower, 1.0)?;
        let rate = cx.over(&rate, &slower)?;
        let gradient = regularized(cx, x, gradient)?;
        let square = cx.times(&gradient, &gradient)?;
        let squares = cx.plus(squares, &square)?;
        let root = cx.op("Sqrt", &[&squares])?;
        let divisor = cx.plus_number(&root, epsilon.into())?;
        let change = cx.times(&rate, &gradient)?;
        let change = cx.over(&change, &divisor)?;
        outputs.push(vec![cx.minus(x, &change)?, squares]);
    }
    Ok(in_order(outputs))
}

fn adam(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (alpha, beta) = (f64::from(cx.float_or("alpha", 0.9)?), f64::from(cx.float_or("beta", 0.999)?));
    let (epsilon, after) = (cx.float_or("epsilon", 1e-6)?, cx.float_or("norm_coefficient_post", 0.0)?);
    let mut outputs = Vec::new();
    for vals in trained(cx, 2)? {
        let [x, gradient, first, second] = &vals[..] else { return Err(Error::internal("four tensors")) };
        let (rate, step) = rate_and_step(cx, x)?;
        let gradient = regularized(cx, x, gradient)?;
        let (old, new) = (cx.times_number(first, alpha)?, cx.times_number(&gradient, 1.0 - alpha)?);
        let first = cx.plus(&old, &new)?;
        let square = cx.times(&gradient, &gradient)?;
        let (old, new) = (cx.times_number(second, beta)?, cx.times_number(&square, 1.0 - beta)?);
        let second = cx.plus(&old, &new)?;
        let root = cx.op("Sqrt", &[&second])?;
        let divisor = cx.plus_number(&root, epsilon.into())?;
        // The first step counts as zero, which corrects nothing.
        let (zero, one) = (cx.scalar_like(&step, 0.0)?, cx.scalar_like(&step, 1.0)?);
        let left = |cx: &mut Cx<'_, '_>, base: f64| {
            let base = cx.scalar_like(&step, base)?;
            let power = cx.op("Pow", &[&base, &step])?;
            cx.minus(&one, &power)
        };
        let (by_first, by_second) = (left(cx, alpha)?, left(cx, beta)?);
        let root = cx.op("Sqrt", &[&by_second])?;
        let factor = cx.over(&root, &by_first)?;
        let corrected = cx.times(&rate, &factor)?;
        let is_later = cx.op("Greater", &[&step, &zero])?;
        let rate = cx.op("SelectV2", &[&is_later, &corrected, &rate])?.like(&rate);
        let change = cx.times(&rate, &first)?;
        let change = cx.over(&change, &divisor)?;
        let new = cx.minus(x, &change)?;
        let new = if after == 0.0 { new } else { cx.times_number(&new, 1.0 - f64::from(after))? };
        outputs.push(vec![new, first, second]);
    }
    Ok(in_order(outputs))
}

fn momentum(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (alpha, beta) = (f64::from(cx.float_or("alpha", 0.0)?), f64::from(cx.float_or("beta", 0.0)?));
    let nesterov = cx.text_or("mode", "standard")? == "nesterov";
    let mut outputs = Vec::new();
    for vals in trained(cx, 1)? {
        let [x, gradient, velocity] = &vals[..] else { return Err(Error::internal("three tensors")) };
        let (rate, step) = rate_and_step(cx, x)?;
        let gradient = regularized(cx, x, gradient)?;
        let (zero, one) = (cx.scalar_like(&step, 0.0)?, cx.scalar_like(&step, 1.0)?);
        let (is_later, beta) = (cx.op("Greater", &[&step, &zero])?, cx.scalar_like(&step, beta)?);
        let factor = cx.op("SelectV2", &[&is_later, &beta, &one])?.like(&step);
        let (old, new) = (cx.times_number(velocity, alpha)?, cx.times(&gradient, &factor)?);
        let velocity = cx.plus(&old, &new)?;
        let direction = match nesterov {
            true => {
                let ahead = cx.times_number(&velocity, alpha)?;
                cx.plus(&gradient, &ahead)?
            }
            false => velocity.clone(),
        };
        let change = cx.times(&rate, &direction)?;
        outputs.push(vec![cx.minus(x, &change)?, velocity]);
    }
    Ok(in_order(outputs))
}

//! Losses.

use super::prelude::*;

pub(crate) const OPERATORS: &[Operator] = &[
    op("NegativeLogLikelihoodLoss", &[12, 13, 22], |cx| {
        let x = cx.input(0)?;
        Ok(vec![likelihood(cx, &x)?])
    }),
    op("SoftmaxCrossEntropyLoss", &[12, 13], cross_entropy),
];

/// The negative log likelihood of the classes in input 1, with log probabilities along axis 1 of `x`.
fn likelihood(cx: &mut Cx<'_, '_>, x: &Val) -> Result<Val> {
    let (target, weight) = (cx.input(1)?, cx.optional(2));
    let reduction = cx.text_or("reduction", "mean")?;
    let ignored = match cx.int("ignore_index")? {
        Some(index) => {
            let index = cx.scalar_like(&target, index as f64)?;
            Some(cx.op("Equal", &[&target, &index])?)
        }
        None => None,
    };
    let target = match &ignored {
        Some(ignored) => {
            let zero = cx.op("ZerosLike", &[&target])?;
            let known = cx.shape(&target);
            let chosen = cx.op("SelectV2", &[ignored, &zero, &target])?.like(&target);
            cx.set_shape(&chosen, known);
            chosen
        }
        None => target,
    };
    let classes = cx.size_of(x, 1)?;
    let depth = cx.cast(&classes, DType::I32)?;
    let (on, off) = (cx.constant(Tensor::scalar(true))?, cx.constant(Tensor::scalar(false))?);
    let node = cx.node("OneHot").input(&target).input(&depth).input(&on).input(&off);
    let is_target = node.attr("axis", 1i64).add()?.of_elem(Elem::BOOL);
    let zero = cx.op("ZerosLike", &[x])?;
    let picked = cx.op("SelectV2", &[&is_target, x, &zero])?.like(x);
    let picked = cx.reduce("Sum", &picked, &[1], false)?;
    let mut loss = cx.op("Neg", &[&picked])?;
    let mut weights = match weight {
        Some(weight) => {
            let first = cx.i32(0)?;
            Some(cx.op("GatherV2", &[&weight, &target, &first])?)
        }
        None => None,
    };
    if let Some(ignored) = &ignored {
        let ones = match weights {
            Some(weights) => weights,
            None => cx.op("OnesLike", &[&loss])?,
        };
        let none = cx.op("ZerosLike", &[&ones])?;
        weights = Some(cx.op("SelectV2", &[ignored, &none, &ones])?.like(&ones));
    }
    if let Some(weights) = &weights {
        loss = cx.times(&loss, weights)?;
    }
    let all = |cx: &mut Cx<'_, '_>, val: &Val| {
        let flat = cx.reshape(val, &[-1])?;
        cx.reduce("Sum", &flat, &[0], false)
    };
    match (&reduction[..], weights) {
        ("none", _) => Ok(loss),
        ("sum", _) => all(cx, &loss),
        ("mean", Some(weights)) => {
            let (loss, weights) = (all(cx, &loss)?, all(cx, &weights)?);
            cx.over(&loss, &weights)
        }
        ("mean", None) => {
            let flat = cx.reshape(&loss, &[-1])?;
            cx.reduce("Mean", &flat, &[0], false)
        }
        (other, _) => {
            let error = Error::invalid("an attribute has an invalid value").attr("reduction");
            Err(error.expected("none, sum or mean").found(other))
        }
    }
}

fn cross_entropy(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let greatest = cx.reduce("Max", &x, &[1], true)?;
    let less = cx.minus(&x, &greatest)?;
    let powers = cx.op("Exp", &[&less])?;
    let sum = cx.reduce("Sum", &powers, &[1], true)?;
    let sum = cx.op("Log", &[&sum])?;
    let log = cx.minus(&less, &sum)?;
    let loss = likelihood(cx, &log)?;
    Ok(vec![loss, log])
}

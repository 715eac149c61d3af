//! Matrix products.

use super::prelude::*;
use std::collections::BTreeSet;

pub(crate) const OPERATORS: &[Operator] = &[
    op("Det", &[11, 22], det),
    op("Einsum", &[12, 28], einsum),
    op("Gemm", &[1, 6, 7, 9, 11, 13], gemm),
    op("MatMul", &[1, 9, 13], |cx| {
        let (a, b) = (cx.input(0)?, cx.input(1)?);
        Ok(vec![matmul(cx, &a, &b)?])
    }),
];

/// The matrix product as in numpy's `matmul`.
pub(super) fn matmul(cx: &mut Cx<'_, '_>, a: &Val, b: &Val) -> Result<Val> {
    let dtype = cx.dtype(a);
    if matches!(dtype, DType::U8 | DType::I8 | DType::U16 | DType::I16 | DType::U32 | DType::U64) {
        let (wide, other) = (cx.cast(a, DType::I64)?, cx.cast(b, DType::I64)?);
        let product = matmul(cx, &wide, &other)?;
        return cx.cast(&product, dtype);
    }
    // If a rank is unknown the op refuses vectors.
    let (rank_a, rank_b) = (cx.rank(a).unwrap_or(3), cx.rank(b).unwrap_or(3));
    if rank_a == 0 || rank_b == 0 {
        return Err(Error::invalid("a scalar is not a matrix"));
    }
    let left = if rank_a == 1 { cx.expand(a, 0)? } else { a.clone() };
    let right = if rank_b == 1 { cx.expand(b, 1)? } else { b.clone() };
    let product = match rank_a <= 2 && rank_b <= 2 {
        true => cx.op("MatMul", &[&left, &right])?,
        false => cx.op("BatchMatMulV2", &[&left, &right])?,
    };
    match (rank_a, rank_b) {
        (1, 1) => cx.squeeze(&product, &[0, 1]),
        (1, _) => cx.squeeze(&product, &[-2]),
        (_, 1) => cx.squeeze(&product, &[-1]),
        _ => Ok(product),
    }
}

fn gemm(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (a, b) = (cx.input(0)?, cx.input(1)?);
    let (alpha, beta) = (cx.float_or("alpha", 1.0)?, cx.float_or("beta", 1.0)?);
    let (left, right) = (cx.flag("transA", false)?, cx.flag("transB", false)?);
    let node = cx.node("MatMul").input(&a).input(&b);
    let mut y = node.attr("transpose_a", left).attr("transpose_b", right).add()?;
    if alpha != 1.0 {
        y = cx.times_number(&y, alpha.into())?;
    }
    if let Some(c) = cx.optional(2) {
        let c = if beta == 1.0 { c } else { cx.times_number(&c, beta.into())? };
        y = match cx.rank(&c) {
            Some(1) if cx.shape(&c).dim(0).is_some_and(|n| n > 1) => cx.op("BiasAdd", &[&y, &c])?,
            _ => cx.plus(&y, &c)?,
        };
    }
    Ok(vec![y])
}

fn det(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let dtype = cx.dtype(&x);
    let wide = if matches!(dtype, DType::F16 | DType::BF16) { cx.cast(&x, DType::F32)? } else { x };
    let y = cx.op("MatrixDeterminant", &[&wide])?;
    Ok(vec![cx.cast(&y, dtype)?])
}

/// The axes of an operand: letters, with `...` for any number of others.
fn letters(term: &str) -> BTreeSet<char> {
    term.chars().filter(char::is_ascii_alphabetic).collect()
}

fn einsum(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let inputs = cx.inputs()?;
    let equation: String = cx.text_or("equation", "")?.chars().filter(|c| !c.is_whitespace()).collect();
    let wrong = |what: &str| Error::invalid(what).attr("equation").found(&equation);
    let (left, right) = match equation.split_once("->") {
        Some((left, right)) => (left, Some(right.to_owned())),
        None => (&equation[..], None),
    };
    let mut terms: Vec<String> = left.split(',').map(str::to_owned).collect();
    if terms.len() != inputs.len() {
        return Err(wrong("the equation has the wrong number of operands").expected(format!("{} terms", inputs.len())));
    }
    // Without a result: the letters that occur once, in alphabetical order, after all other axes.
    let output = right.unwrap_or_else(|| {
        let all: Vec<char> = left.chars().filter(char::is_ascii_alphabetic).collect();
        let once: BTreeSet<char> =
            all.iter().copied().filter(|c| all.iter().filter(|d| *d == c).count() == 1).collect();
        let dots = if left.contains("...") { "..." } else { "" };
        dots.chars().chain(once).collect()
    });
    let mut vals = inputs;
    // The op takes at most two operands: more are multiplied pairwise.
    while vals.len() > 2 {
        let rest: BTreeSet<char> = terms[2..].iter().chain([&output]).flat_map(|term| letters(term)).collect();
        let both: BTreeSet<char> = letters(&terms[0]).union(&letters(&terms[1])).copied().collect();
        let dots = if terms[..2].iter().any(|term| term.contains("...")) { "..." } else { "" };
        let kept: String = dots.chars().chain(both.intersection(&rest).copied()).collect();
        let equation = format!("{},{}->{kept}", terms[0], terms[1]);
        let node = cx.node("Einsum").input(&vals[0]).input(&vals[1]);
        let product = node.attr("equation", equation).add()?;
        vals.splice(..2, [product]);
        terms.splice(..2, [kept]);
    }
    let equation = format!("{}->{output}", terms.join(","));
    Ok(vec![cx.node("Einsum").inputs(&vals).attr("equation", equation).add()?])
}

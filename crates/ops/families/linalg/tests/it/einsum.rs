//! `Einsum`.

use DType::*;
use levada_ops_core::prelude::*;
use levada_ops_core::testing::run_on;
use levada_ops_linalg::types::*;

fn einsum(equation: &str, inputs: Vec<Tensor>) -> Result<Tensor> {
    let op = Einsum { equation: equation.to_owned(), n: inputs.len() as i64, dtype: I32 };
    Ok(run_on(2, EINSUM.of(op), inputs, &[I32])?.remove(0))
}

fn counted(dims: &[usize], seed: usize) -> Tensor {
    let shape = Shape::new(dims.iter().copied()).unwrap();
    let values = (0..shape.num_elements()).map(|i| ((i * 7 + seed) % 11) as i32 - 4).collect();
    Tensor::from_vec(shape, values).unwrap()
}

/// Sums over every combination of label values, for equations without an ellipsis.
fn naive(equation: &str, inputs: &[Tensor]) -> Tensor {
    let (left, output) = equation.split_once("->").unwrap();
    let subs: Vec<&[u8]> = left.split(',').map(str::as_bytes).collect();
    let mut labels: Vec<(u8, usize)> = Vec::new();
    for (sub, t) in subs.iter().zip(inputs) {
        for (&l, &n) in sub.iter().zip(t.shape().iter()) {
            if !labels.iter().any(|x| x.0 == l) {
                labels.push((l, n));
            }
        }
    }
    let place = |l: u8| labels.iter().position(|x| x.0 == l).unwrap();
    let shape = Shape::new(output.bytes().map(|l| labels[place(l)].1)).unwrap();
    let mut out = vec![0i32; shape.num_elements()];
    let total: usize = labels.iter().map(|x| x.1).product();
    for i in 0..total {
        let mut rest = i;
        let mut index = vec![0; labels.len()];
        for (at, (_, n)) in index.iter_mut().zip(&labels) {
            *at = rest % n;
            rest /= n;
        }
        let at = |sub: &[u8], shape: &Shape| {
            sub.iter().zip(shape.strides()).map(|(&l, s)| index[place(l)] * s).sum::<usize>()
        };
        let value = subs.iter().zip(inputs).map(|(s, t)| t.slice::<i32>().unwrap()[at(s, t.shape())]);
        out[at(output.as_bytes(), &shape)] += value.product::<i32>();
    }
    Tensor::from_vec(shape, out).unwrap()
}

#[test]
fn equations_equal_the_naive_sum() {
    let cases: &[(&str, &[&[usize]])] = &[
        ("ij->ji", &[&[3, 4]]),
        ("abc->cab", &[&[3, 4, 5]]),
        ("ii->", &[&[4, 4]]),
        ("ii->i", &[&[4, 4]]),
        ("i->ii", &[&[4]]),
        ("iij->ji", &[&[3, 3, 4]]),
        ("ij->j", &[&[30, 4]]),
        ("->", &[&[]]),
        ("ij,jk->ik", &[&[3, 4], &[4, 5]]),
        ("ij,jk->ki", &[&[3, 4], &[4, 5]]),
        ("ij,kj->ik", &[&[3, 4], &[5, 4]]),
        ("bij,bjk->bik", &[&[2, 3, 4], &[2, 4, 5]]),
        ("bij,bjk->ikb", &[&[2, 3, 4], &[2, 4, 5]]),
        ("abij,acjb->ica", &[&[2, 3, 4, 5], &[2, 6, 5, 3]]),
        ("bfnh,btnh->bnft", &[&[2, 3, 4, 5], &[2, 6, 4, 5]]),
        ("i,j->ij", &[&[3], &[4]]),
        ("i,i->", &[&[7], &[7]]),
        ("ij,k->i", &[&[3, 4], &[5]]),
        ("ijj,jk->ik", &[&[3, 4, 4], &[4, 5]]),
        ("ij,jk->iik", &[&[3, 4], &[4, 5]]),
        ("ab,ab->ab", &[&[3, 4], &[3, 4]]),
        ("ij,jk->ik", &[&[3, 0], &[0, 5]]),
        (",->", &[&[], &[]]),
        ("abc,cd->abd", &[&[3, 4, 5], &[5, 6]]),
    ];
    for (equation, dims) in cases {
        let inputs: Vec<Tensor> = dims.iter().enumerate().map(|(i, d)| counted(d, i)).collect();
        assert_eq!(einsum(equation, inputs.clone()).unwrap(), naive(equation, &inputs), "{equation}");
    }
}

#[test]
fn ellipses_are_broadcast() {
    let (a, b) = (counted(&[2, 1, 2, 3], 0), counted(&[4, 3, 5], 1));
    let out = einsum("...ij,...jk->...ik", vec![a.clone(), b.clone()]).unwrap();
    assert_eq!(out.shape().dims(), [2, 4, 2, 5]);
    for i in 0..2 {
        for j in 0..4 {
            let a = a.row(i).unwrap().row(0).unwrap();
            let expected = naive("ij,jk->ik", &[a, b.row(j).unwrap()]);
            assert_eq!(out.row(i).unwrap().row(j).unwrap(), expected);
        }
    }
    let out = einsum("...i->i...", vec![counted(&[2, 3, 4], 0)]).unwrap();
    assert_eq!(out, naive("abi->iab", &[counted(&[2, 3, 4], 0)]));
    assert_eq!(einsum("ij->...ij", vec![counted(&[2, 3], 0)]).unwrap(), counted(&[2, 3], 0));
}

#[test]
fn faults() {
    let cases: &[(&str, &[&[usize]])] = &[
        ("ij", &[&[2, 3]]),
        ("i->i->i", &[&[2]]),
        ("i,i,i->i", &[&[2], &[2], &[2]]),
        ("i->i", &[&[2], &[2]]),
        ("..i->i", &[&[2]]),
        ("...i...->i", &[&[2, 2]]),
        ("ij->ik", &[&[2, 3]]),
        ("ij->i", &[&[2]]),
        ("ij->i", &[&[2, 3, 4]]),
        ("ii->i", &[&[2, 3]]),
        ("ij,jk->ik", &[&[2, 1], &[4, 5]]),
        ("...ij->ij", &[&[2, 2, 3]]),
        ("...i,...i->...", &[&[2, 4], &[3, 4]]),
    ];
    for (equation, dims) in cases {
        let inputs = dims.iter().map(|d| counted(d, 0)).collect();
        assert_eq!(einsum(equation, inputs).unwrap_err().code(), Code::InvalidArgument, "{equation}");
    }
}

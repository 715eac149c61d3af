//! `Einsum`: sums of products, as an equation says.

use super::contract::{Labelled, contract};
use super::equation::{Equation, Label, ellipsis_axes};
use levada_gemm::Gemm;
use crate::prelude::*;

attrs! {
    /// Multiplies one or two tensors whose axes have labels, sums over labels that the result lacks, and orders the
    /// axes as the result's labels say.
    pub struct Einsum {
        /// The labels: `ij,jk->ik`.
        equation: String = Attr::string("equation"),
        /// Number of inputs.
        n: i64 = Attr::int("N").at_least(1),
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

impl Op for Einsum {
    const SPEC: Spec = Spec {
        name: "Einsum",
        inputs: &[arg("inputs", of("T")).times("N")],
        outputs: &[arg("output", of("T"))],
        ..Spec::PURE
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        let equation = Equation::parse(&self.equation, cx.num_inputs())?;
        let shapes: Vec<PartialShape> = (0..cx.num_inputs()).map(|i| cx.input(i)).collect();
        let Some(ranks) = shapes.iter().map(PartialShape::rank).collect::<Option<Vec<usize>>>() else {
            if !equation.output.contains(&None) {
                cx.output(0, PartialShape::of_rank(equation.output.len()));
            }
            return Ok(());
        };
        let labels =
            ranks.iter().enumerate().map(|(i, &r)| equation.input(i, r)).collect::<Result<Vec<Vec<Label>>>>()?;
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
}

/// The size of a label that has these two: they must be equal, but an ellipsis is broadcast.
fn merged(label: Label, a: Dim, b: Dim) -> Result<Dim> {
    match (a, b, label) {
        (Some(a), Some(b), _) if a == b => Ok(Some(a)),
        (Some(1), other, Label::Ellipsis(_)) | (other, Some(1), Label::Ellipsis(_)) => Ok(other),
        (Some(a), Some(b), _) => Err(Error::invalid(format!("Expected dimension {a} at a label of the einsum, got {b}"))),
        (a, b, _) => Ok(a.or(b)),
    }
}

impl Kernel<Cpu> for Einsum {
    const COST: Cost = Cost::Heavy;

    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        use DType::*;
        match self.dtype {
            F32 => einsum::<f32>(cx, &self.equation),
            F64 => einsum::<f64>(cx, &self.equation),
            F16 => einsum::<f16>(cx, &self.equation),
            BF16 => einsum::<bf16>(cx, &self.equation),
            C64 => einsum::<Complex32>(cx, &self.equation),
            C128 => einsum::<Complex64>(cx, &self.equation),
            I32 => einsum::<i32>(cx, &self.equation),
            I64 => einsum::<i64>(cx, &self.equation),
            other => Err(Error::invalid(format!("Einsum of {other}"))),
        }
    }
}

/// The labels of each input's axes, their sizes, and the labels of the result's axes.
type Resolved = (Vec<Vec<Label>>, Vec<(Label, usize)>, Vec<Label>);

fn resolve(equation: &str, inputs: &[&Tensor]) -> Result<Resolved> {
    let equation = Equation::parse(equation, inputs.len())?;
    let mut labels = Vec::new();
    let mut sizes: Vec<(Label, usize)> = Vec::new();
    for (i, t) in inputs.iter().enumerate() {
        let axes = equation.input(i, t.shape().rank())?;
        for (&label, &size) in axes.iter().zip(t.shape().iter()) {
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

/// An equation on tensors: labels are numbers from 0 on.
pub struct Labels {
    /// Size of each label.
    pub sizes: Vec<usize>,
    /// The labels of each input's axes.
    pub inputs: Vec<Vec<usize>>,
    /// The labels of the result's axes.
    pub output: Vec<usize>,
}

impl Labels {
    /// Reads an equation for these inputs.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` where they do not fit.
    pub fn of(equation: &str, inputs: &[&Tensor]) -> Result<Labels> {
        let (labels, mut sizes, output) = resolve(equation, inputs)?;
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

fn einsum<T: Gemm>(cx: &mut Cx<'_, '_>, equation: &str) -> Result<()> {
    let inputs = cx.inputs_from(0)?.into_iter().cloned().collect::<Vec<Tensor>>();
    let (labels, sizes, output) = resolve(equation, &inputs.iter().collect::<Vec<_>>())?;
    let size = |label: &Label| sizes.iter().find(|(l, _)| l == label).map_or(1, |(_, n)| *n);
    let shape = Shape::new(output.iter().map(size))?;
    let operands = inputs.iter().zip(&labels).map(|(t, labels)| Labelled::new(t.slice::<T>()?, t.shape(), labels, &sizes));
    let operands = operands.collect::<Result<Vec<_>>>()?;
    cx.produce::<T>(0, &shape, |cx, out| contract(cx.pool(), operands, &output, &sizes, out))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::run_on;
    use DType::*;

    fn einsum(equation: &str, inputs: Vec<Tensor>) -> Result<Tensor> {
        let op = Einsum { equation: equation.to_owned(), n: inputs.len() as i64, dtype: I32 };
        Ok(run_on(2, op, inputs, &[I32])?.remove(0))
    }

    fn counted(dims: &[usize], seed: usize) -> Tensor {
        let shape = Shape::new(dims.iter().copied()).unwrap();
        let values = (0..shape.num_elements()).map(|i| ((i * 7 + seed) % 11) as i32 - 4).collect();
        Tensor::from_vec(shape, values).unwrap()
    }

    /// Sums over every combination of values of the labels, for equations without ellipsis.
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
}

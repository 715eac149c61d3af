//! `XlaDot`, `XlaDotV2` and `XlaEinsum`: contractions of two tensors.

use crate::ELEMENTS;
use crate::numbers::Numbers;
use crate::prelude::*;
use levada_ops_core::rules::never;
use levada_ops_linalg::sum_of_products;

attrs! {
    /// Contracts `lhs` and `rhs` over the axes given by `dimension_numbers`, for each index along their batch axes.
    pub struct XlaDot {
        /// Element type of `lhs`.
        lhs: DType = Attr::dtype("LhsT", ELEMENTS),
        /// Element type of `rhs`.
        rhs: DType = Attr::dtype("RhsT", ELEMENTS),
        /// A `DotDimensionNumbers` message.
        numbers: Bytes = Attr::string("dimension_numbers"),
        /// A `PrecisionConfig` message; has no effect here.
        precision: Bytes = Attr::string("precision_config"),
        /// Element type of the output.
        to: DType = Attr::dtype("preferred_element_type", ELEMENTS),
    }
}

attrs! {
    /// The attrs of the first form, which has a single element type.
    pub struct XlaDotOfOneType {
        /// Element type.
        dtype: DType = Attr::dtype("T", ELEMENTS),
        /// A `DotDimensionNumbers` message.
        numbers: Bytes = Attr::string("dimension_numbers"),
        /// A `PrecisionConfig` message; has no effect here.
        precision: Bytes = Attr::string("precision_config"),
    }
}

/// The types of the sums.
const SUMS: &[DType] =
    &[DType::F32, DType::F64, DType::F16, DType::BF16, DType::C64, DType::C128, DType::I32, DType::I64];

pub static XLA_DOT: Def<XlaDotOfOneType> = op::<XlaDotOfOneType>("XlaDot")
    .doc("Contracts `lhs` and `rhs` over the axes given by `dimension_numbers`, for each index along their batch axes.")
    .inputs(&[arg("lhs", of("T")), arg("rhs", of("T"))])
    .outputs(&[arg("output", of("T"))])
    .shape(|op, cx| shape(&op.numbers, cx))
    .kernel(|op, cx| product(&op.numbers, op.dtype, cx))
    .heavy()
    .supports(|op| SUMS.contains(&op.dtype));

pub static XLA_DOT_V2: Def<XlaDot> = op::<XlaDot>("XlaDotV2")
    .inputs(&[arg("lhs", of("LhsT")), arg("rhs", of("RhsT"))])
    .outputs(&[arg("output", of("preferred_element_type"))])
    .shape(|op, cx| shape(&op.numbers, cx))
    .kernel(|op, cx| product(&op.numbers, op.to, cx))
    .heavy()
    .supports(|op| {
        let becomes = |from: DType| from == op.to || widens(from, op.to);
        SUMS.contains(&op.to) && becomes(op.lhs) && becomes(op.rhs)
    });

/// Returns whether every value of a type is representable in another in which sums can be computed.
pub fn widens(from: DType, to: DType) -> bool {
    use DType::*;
    match to {
        F32 => matches!(from, F16 | BF16 | I8 | U8 | I16 | U16),
        F64 => matches!(from, F32 | F16 | BF16 | I8 | U8 | I16 | U16 | I32),
        I32 => matches!(from, I8 | U8 | I16 | U16),
        I64 => matches!(from, I8 | U8 | I16 | U16 | I32),
        _ => false,
    }
}

/// Returns the tensor converted to the type `to`, if its own type widens to it.
pub fn widened(cx: &Cx<'_, '_>, tensor: &Tensor, to: DType) -> Result<Tensor> {
    if tensor.dtype() == to {
        return Ok(tensor.clone());
    }
    let values: Vec<f64> = dispatch!(tensor.dtype(), reals, |T| {
        tensor.slice::<T>()?.iter().map(|value| value.to_f64()).collect()
    }, else return Err(Error::unimplemented(format!("{} as {to}", tensor.dtype()))));
    let mut out = cx.alloc(to, tensor.shape())?;
    dispatch!(to, reals, |T| {
        out.slice_mut::<T>()?.iter_mut().zip(values).for_each(|(to, value)| *to = T::from_f64(value));
        Ok(out)
    }, else Err(Error::unimplemented(format!("{} as {to}", tensor.dtype()))))
}

/// The axes of two operands: contracted axes, batch axes, and the others.
struct Axes {
    summed: [Vec<usize>; 2],
    batch: [Vec<usize>; 2],
    free: [Vec<usize>; 2],
}

impl Axes {
    fn new(numbers: &[u8], ranks: [usize; 2]) -> Result<Axes> {
        let numbers = Numbers::of(numbers, "dimension_numbers")?;
        let summed = [numbers.axes(1, ranks[0])?, numbers.axes(2, ranks[1])?];
        let batch = [numbers.axes(3, ranks[0])?, numbers.axes(4, ranks[1])?];
        if summed[0].len() != summed[1].len() || batch[0].len() != batch[1].len() {
            return Err(
                Error::invalid("dimension_numbers must name as many axes of lhs as of rhs").attr("dimension_numbers")
            );
        }
        let free = |i: usize| {
            let others = (0..ranks[i]).filter(|axis| !summed[i].contains(axis) && !batch[i].contains(axis));
            others.collect::<Vec<usize>>()
        };
        let free = [free(0), free(1)];
        Ok(Axes { summed, batch, free })
    }

    /// Returns the known sizes of the output.
    fn sizes(&self, lhs: &[Dim], rhs: &[Dim]) -> Vec<Dim> {
        let of = |axes: &[usize], dims: &[Dim]| axes.iter().map(|&axis| dims[axis]).collect::<Vec<Dim>>();
        let batch = self.batch[0].iter().zip(&self.batch[1]).map(|(&a, &b)| lhs[a].or(rhs[b]));
        [batch.collect(), of(&self.free[0], lhs), of(&self.free[1], rhs)].concat()
    }

    /// Returns the contraction as an equation of labels; `None` if there are not enough labels.
    fn equation(&self) -> Option<String> {
        let mut labels = ('a'..='z').chain('A'..='Z');
        let mut terms: [Vec<char>; 2] =
            [0, 1].map(|i| vec!['?'; self.summed[i].len() + self.batch[i].len() + self.free[i].len()]);
        let mut result = String::new();
        for (both, is_kept) in [(&self.batch, true), (&self.summed, false)] {
            for (&a, &b) in both[0].iter().zip(&both[1]) {
                let label = labels.next()?;
                (terms[0][a], terms[1][b]) = (label, label);
                if is_kept {
                    result.push(label);
                }
            }
        }
        for (term, free) in terms.iter_mut().zip(&self.free) {
            for &axis in free {
                let label = labels.next()?;
                term[axis] = label;
                result.push(label);
            }
        }
        let [lhs, rhs] = terms.map(String::from_iter);
        Some(format!("{lhs},{rhs}->{result}"))
    }
}

fn shape(numbers: &[u8], cx: &mut ShapeCx<'_>) -> Result<()> {
    let (lhs, rhs) = (cx.input(0), cx.input(1));
    if let (Some(lhs), Some(rhs)) = (lhs.dims(), rhs.dims()) {
        let axes = Axes::new(numbers, [lhs.len(), rhs.len()])?;
        let sizes = axes.sizes(lhs, rhs);
        cx.output(0, PartialShape::new(sizes));
    }
    Ok(())
}

fn product(numbers: &[u8], dtype: DType, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (lhs, rhs) = (cx.input(0)?, cx.input(1)?);
    let axes = Axes::new(numbers, [lhs.shape().rank(), rhs.shape().rank()])?;
    for both in [&axes.summed, &axes.batch] {
        if let Some((&a, &b)) = both[0].iter().zip(&both[1]).find(|(a, b)| lhs.shape()[**a] != rhs.shape()[**b]) {
            return Err(Error::invalid(format!("axis {a} of lhs and axis {b} of rhs must have the same size"))
                .expected(lhs.shape()[a])
                .found(rhs.shape()[b]));
        }
    }
    let equation = axes.equation().ok_or_else(|| Error::unimplemented("products of tensors with more than 52 axes"))?;
    let operands = vec![widened(cx, lhs, dtype)?, widened(cx, rhs, dtype)?];
    sum_of_products(cx, dtype, &equation, &operands)
}

attrs! {
    /// Contracts `a` and `b` according to an equation of labels.
    pub struct XlaEinsum {
        /// Equation of labels, such as `ij,jk->ik`.
        equation: String = Attr::string("equation"),
        /// Element type.
        dtype: DType = Attr::dtype("T", &[DType::C64, DType::BF16, DType::F32]),
    }
}

pub static XLA_EINSUM: Def<XlaEinsum> = op::<XlaEinsum>("XlaEinsum")
    .inputs(&[arg("a", of("T")), arg("b", of("T"))])
    .outputs(&[arg("product", of("T"))])
    .shape(|op, cx| levada_ops_linalg::einsum_shape(&op.equation, cx))
    .gradient(einsum_gradient)
    .kernel(|op, cx| {
        let operands = vec![cx.input(0)?.clone(), cx.input(1)?.clone()];
        sum_of_products(cx, op.dtype, &op.equation, &operands)
    })
    .heavy();

fn einsum_gradient(op: &XlaEinsum, g: &GradCx) -> Grads {
    let Some((inputs, output)) = op.equation.split_once("->") else { return never(g) };
    let Some((a, b)) = inputs.split_once(',') else { return never(g) };
    let product = |other: usize, terms: [&str; 2]| {
        let equation = format!("{output},{}->{}", terms[0], terms[1]);
        XLA_EINSUM.node(g, &XlaEinsum { equation, dtype: op.dtype }, &[g.dy(0), g.input(other)])
    };
    [product(1, [b, a]).into(), product(0, [a, b]).into()].into_iter().collect()
}

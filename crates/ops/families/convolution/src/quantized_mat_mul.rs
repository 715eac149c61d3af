//! `LevadaQuantizedMatMul`: products of quantized matrices with a fused epilogue.

use super::codes::{ACTIVATIONS, Ending, Kept, RESULTS, Rest, Scale, dispatch_result};
use crate::prelude::*;
use levada_gemm::int8::{Isa, Lines, Packed, Place, Tile, multiply};

attrs! {
    /// Multiplies quint8 matrices by a qint8 matrix, adds a bias and an optional side input and applies an activation;
    /// returns quantized values or floats, with the arithmetic of `LevadaQuantizedConv2D`.
    pub struct LevadaQuantizedMatMul {
        /// Type of the result: quint8 for quantized results.
        out_type: DType = Attr::dtype("out_type", RESULTS).or_type(DType::F32),
        /// Scale of `input`: the distance between the values of adjacent codes.
        input_scale: f32 = Attr::float("input_scale"),
        /// Zero point of `input`: the code of zero.
        input_zero_point: i64 = Attr::int("input_zero_point").or_int(0),
        /// `Identity`, `Relu` or `Relu6`.
        activation: String = Attr::one_of("activation", ACTIVATIONS).or_str("Identity"),
        /// Number of side inputs to add: 0 or 1.
        sides: i64 = Attr::int("num_sides").at_least(0).or_int(0),
        /// Scale of the side input.
        side_scale: f32 = Attr::float("side_scale").or_float(1.0),
        /// Zero point of the side input.
        side_zero_point: i64 = Attr::int("side_zero_point").or_int(0),
        /// Scale of the result.
        output_scale: f32 = Attr::float("output_scale").or_float(1.0),
        /// Zero point of the result.
        output_zero_point: i64 = Attr::int("output_zero_point").or_int(0),
    }
}

pub static LEVADA_QUANTIZED_MAT_MUL: Def<LevadaQuantizedMatMul> = op::<LevadaQuantizedMatMul>("LevadaQuantizedMatMul")
    .inputs(&[
        arg("input", is(DType::QU8)),
        arg("filter", is(DType::QI8)),
        arg("filter_scales", is(DType::F32)),
        arg("bias", is(DType::F32)),
        arg("side", is(DType::QU8)).times("num_sides"),
    ])
    .outputs(&[arg("output", of("out_type"))])
    .shape(|_, cx| {
        let (input, filter) = (cx.rank_at_least(0, 1)?, cx.with_rank(1, 2)?);
        cx.with_rank(2, 1)?;
        cx.with_rank(3, 1)?;
        PartialShape::vector(input.dim(-1)).merge(&PartialShape::vector(filter.dim(0)))?;
        if let Some(dims) = input.dims() {
            let rows = dims[..dims.len() - 1].iter().copied();
            cx.output(0, PartialShape::new(rows.chain([filter.dim(1)])));
        }
        Ok(())
    })
    .flops(|_, inputs, outputs| Some(2.0 * outputs.first()?.num_elements()? as f64 * inputs.get(1)?.dim(0)? as f64))
    .kernel(mat_mul)
    .heavy()
    .supports(|op| op.sides <= 1);

fn mat_mul(op: &LevadaQuantizedMatMul, cx: &mut Cx<'_, '_>) -> Result<()> {
    let ending = Ending {
        input: Scale::new("input", op.input_scale, op.input_zero_point)?,
        activation: &op.activation,
        sides: op.sides,
        side: (op.side_scale, op.side_zero_point),
        output: (op.output_scale, op.output_zero_point),
    };
    let (input, filter) = (cx.input(0)?.clone(), cx.input(1)?.shape().clone());
    let (Some((&depth, rows)), &[k, columns]) = (input.shape().split_last(), filter.dims()) else {
        return Err(Error::invalid("input must have rows and filter must be a matrix")
            .found(format!("shapes {} and {filter}", input.shape())));
    };
    if depth != k {
        let found = format!("shapes {} and {filter}", input.shape());
        return Err(Error::invalid("Matrix size-incompatible").found(found));
    }
    let shape = Shape::new(rows.iter().copied().chain([columns]))?;
    let weights = Kept::weights(cx, |filter| {
        Ok(vec![Packed::new(Isa::best(), filter.slice::<i8>()?, [1, depth, columns], columns)?])
    })?;
    let [weights] = &weights[..] else {
        return Err(Error::internal("the weights of a matrix product form a single group"));
    };
    let mut out = cx.alloc(op.out_type, &shape)?;
    let rest = Rest::new(cx, &ending, weights.sums(), &shape)?;
    let rows = rows.iter().product();
    let mut longer;
    let codes = if depth.is_multiple_of(4) {
        input.slice::<u8>()?
    } else {
        // Quads read past the end of the last row.
        longer = cx.alloc(DType::QU8, &Shape::vector(input.num_elements() + 4))?;
        let codes = longer.slice_mut::<u8>()?;
        codes[..input.num_elements()].copy_from_slice(input.slice()?);
        codes[input.num_elements()..].fill(0);
        codes
    };
    let lines = Lines { codes, rows, starts: |row: usize, starts: &mut [usize]| starts[0] = row * depth };
    dispatch_result!(cx, op.out_type, |T| {
        let place = Place { out: out.slice_mut::<T>()?, width: columns, column: 0 };
        let finish = |tile: &Tile<'_>, out: &mut [T], width: usize| Rest::tile(&rest, tile, 0, out, width);
        multiply(cx.pool(), &lines, weights, place, &finish)
    })?;
    cx.set(0, out);
    Ok(())
}

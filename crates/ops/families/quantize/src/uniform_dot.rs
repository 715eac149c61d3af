//! `UniformQuantizedDot` and `UniformQuantizedDotHybrid`: products of matrices quantized with scales and zero points.

use crate::affine::{Affine, Multiplier, asymmetric, limits};
use crate::prelude::*;

attrs! {
    /// Multiplies two quantized matrices; the product is quantized with the output's scale and zero point.
    pub struct UniformQuantizedDot {
        /// Quantized type of `lhs` and `rhs`.
        from: DType = Attr::dtype("Tin", &[DType::QI8]),
        /// Quantized type of the output.
        to: DType = Attr::dtype("Tout", &[DType::QI32]),
        /// Must be -1: `lhs` is quantized per tensor.
        lhs_axis: i64 = Attr::int("lhs_quantization_axis").or_int(-1),
        /// Smallest quantized value of `lhs`.
        lhs_min: i64 = Attr::int("lhs_quantization_min_val"),
        /// Largest quantized value of `lhs`.
        lhs_max: i64 = Attr::int("lhs_quantization_max_val"),
        /// 1 if `rhs` has one scale per column, -1 for a single scale.
        rhs_axis: i64 = Attr::int("rhs_quantization_axis").or_int(-1),
        /// Smallest quantized value of `rhs`.
        rhs_min: i64 = Attr::int("rhs_quantization_min_val"),
        /// Largest quantized value of `rhs`.
        rhs_max: i64 = Attr::int("rhs_quantization_max_val"),
        /// 1 if the output has one scale per column, -1 for a single scale.
        axis: i64 = Attr::int("output_quantization_axis").or_int(-1),
        /// Smallest quantized value of the output.
        min: i64 = Attr::int("output_quantization_min_val"),
        /// Largest quantized value of the output.
        max: i64 = Attr::int("output_quantization_max_val"),
    }
}

pub static UNIFORM_QUANTIZED_DOT: Def<UniformQuantizedDot> = op::<UniformQuantizedDot>("UniformQuantizedDot")
    .inputs(&[
        arg("lhs", of("Tin")),
        arg("rhs", of("Tin")),
        arg("lhs_scales", is(DType::F32)),
        arg("lhs_zero_points", is(DType::I32)),
        arg("rhs_scales", is(DType::F32)),
        arg("rhs_zero_points", is(DType::I32)),
        arg("output_scales", is(DType::F32)),
        arg("output_zero_points", is(DType::I32)),
    ])
    .outputs(&[arg("output", of("Tout"))])
    .shape(|_, cx| infer(cx))
    .kernel(|op, cx| {
        let columns = |attr: &'static str, axis: i64| match axis {
            -1 | 1 => Ok(()),
            _ => {
                Err(Error::invalid(format!("{attr} must be 1 (per-channel) or -1 (per-tensor)")).attr(attr).found(axis))
            }
        };
        if op.lhs_axis != -1 {
            let error = Error::invalid("lhs_quantization_axis must be -1 (per-tensor)");
            return Err(error.attr("lhs_quantization_axis").found(op.lhs_axis));
        }
        columns("rhs_quantization_axis", op.rhs_axis)?;
        columns("output_quantization_axis", op.axis)?;
        let limits = limits(op.min, op.max)?;
        let [m, k, n] = sizes(cx)?;
        let shape = Shape::new([m, n])?;
        cx.produce::<i32>(0, &shape, |cx, out| {
            let left = Affine::new(cx, 2, cx.input(0)?.shape(), -1)?.positive()?;
            let right = Affine::new(cx, 4, cx.input(1)?.shape(), of_columns(cx, 4)?)?.positive()?;
            let to = Affine::new(cx, 6, &shape, of_columns(cx, 6)?)?.positive()?;
            let multipliers = multipliers(&left, &right, &to)?;
            let zeros = vec![left.zeros[0]; m];
            sums([m, k, n], cx.slice(0)?, &zeros, cx.slice(1)?, right.zeros, |at, column, sum| {
                let zero = to.zeros[if to.axis.is_some() { column } else { 0 }];
                let multiplier = multipliers[if right.axis.is_some() { column } else { 0 }];
                out[at] = multiplier.code(sum, zero, limits);
            });
            Ok(())
        })
    })
    .heavy();

attrs! {
    /// Multiplies a matrix of floats, each row quantized dynamically by its range, by a quantized matrix.
    pub struct UniformQuantizedDotHybrid {
        /// Element type of `lhs`.
        lhs: DType = Attr::dtype("Tlhs", &[DType::F32]),
        /// Quantized type of `rhs`.
        rhs: DType = Attr::dtype("Trhs", &[DType::QI8]),
        /// Element type of the output.
        to: DType = Attr::dtype("Tout", &[DType::F32]),
        /// 1 if `rhs` has one scale per column, -1 for a single scale.
        rhs_axis: i64 = Attr::int("rhs_quantization_axis").or_int(-1),
        /// Smallest quantized value of `rhs`.
        rhs_min: i64 = Attr::int("rhs_quantization_min_val"),
        /// Largest quantized value of `rhs`.
        rhs_max: i64 = Attr::int("rhs_quantization_max_val"),
    }
}

pub static UNIFORM_QUANTIZED_DOT_HYBRID: Def<UniformQuantizedDotHybrid> =
    op::<UniformQuantizedDotHybrid>("UniformQuantizedDotHybrid")
        .inputs(&[
            arg("lhs", of("Tlhs")),
            arg("rhs", of("Trhs")),
            arg("rhs_scales", is(DType::F32)),
            arg("rhs_zero_points", is(DType::I32)),
        ])
        .outputs(&[arg("output", of("Tout"))])
        .shape(|_, cx| infer(cx))
        .kernel(|op, cx| {
            if !matches!(op.rhs_axis, -1 | 1) {
                let error = Error::invalid("rhs_quantization_axis must be 1 (per-channel) or -1 (per-tensor)");
                return Err(error.attr("rhs_quantization_axis").found(op.rhs_axis));
            }
            let [m, k, n] = sizes(cx)?;
            cx.produce::<f32>(0, &Shape::new([m, n])?, |cx, out| {
                let right = Affine::new(cx, 2, cx.input(1)?.shape(), of_columns(cx, 2)?)?.positive()?;
                let rows = cx.slice::<f32>(0)?;
                let (mut codes, mut scales, mut zeros) = (Vec::with_capacity(m * k), Vec::new(), Vec::new());
                for row in 0..m {
                    let (row, scale, zero) = asymmetric(&rows[row * k..][..k]);
                    codes.extend(row);
                    scales.push(scale);
                    zeros.push(zero);
                }
                sums([m, k, n], &codes, &zeros, cx.slice(1)?, right.zeros, |at, column, sum| {
                    out[at] = sum as f32 * scales[at / n] * right.scales[if right.axis.is_some() { column } else { 0 }];
                });
                Ok(())
            })
        })
        .heavy();

fn infer(cx: &mut ShapeCx<'_>) -> Result<()> {
    let (lhs, rhs) = (cx.with_rank(0, 2)?, cx.with_rank(1, 2)?);
    PartialShape::vector(lhs.dim(1)).merge(&PartialShape::vector(rhs.dim(0)))?;
    cx.output(0, PartialShape::new([lhs.dim(0), rhs.dim(1)]));
    Ok(())
}

/// Returns the quantization axis of the scales in input `i`: columns, or -1 for a single scale.
fn of_columns(cx: &Cx<'_, '_>, i: usize) -> Result<i64> {
    Ok(if cx.input(i)?.shape().is_scalar() { -1 } else { 1 })
}

fn sizes(cx: &Cx<'_, '_>) -> Result<[usize; 3]> {
    let (lhs, rhs) = (cx.input(0)?.shape(), cx.input(1)?.shape());
    match (lhs.dims(), rhs.dims()) {
        (&[m, k], &[inner, n]) if k == inner => Ok([m, k, n]),
        _ => Err(Error::invalid("lhs and rhs must be matrices of which the inner sizes agree")
            .found(format!("shapes {lhs} and {rhs}"))),
    }
}

/// Returns the factors that convert sums of products to codes of the output: a single one, or one per channel.
///
/// # Errors
/// `INVALID_ARGUMENT` if only the output is quantized per channel, and for quotients that are out of range.
pub fn multipliers(left: &Affine<'_>, right: &Affine<'_>, to: &Affine<'_>) -> Result<Vec<Multiplier>> {
    if right.axis.is_none() && to.axis.is_some() {
        return Err(Error::invalid("If rhs is per-tensor quantized, output must be also per-tensor quantized"));
    }
    let of = |(c, &scale): (usize, &f32)| {
        let to = to.scales[if to.axis.is_some() { c } else { 0 }];
        Multiplier::new(f64::from(left.scales[0]) * f64::from(scale) / f64::from(to))
    };
    right.scales.iter().enumerate().map(of).collect()
}

/// Calls `f` with the index and column of each element of the product and its sum, which wraps. `left_zeros` holds the
/// zero point of each row, `right_zeros` that of each column or of all.
fn sums(
    [m, k, n]: [usize; 3],
    left: &[i8],
    left_zeros: &[i32],
    right: &[i8],
    right_zeros: &[i32],
    mut f: impl FnMut(usize, usize, i32),
) {
    let mut sums = vec![0i32; n];
    for row in 0..m {
        sums.fill(0);
        for (inner, &code) in left[row * k..][..k].iter().enumerate() {
            let code = i32::from(code).wrapping_sub(left_zeros[row]);
            for (column, (sum, &other)) in sums.iter_mut().zip(&right[inner * n..][..n]).enumerate() {
                let zero = right_zeros[if right_zeros.len() == n { column } else { 0 }];
                *sum = sum.wrapping_add(code.wrapping_mul(i32::from(other).wrapping_sub(zero)));
            }
        }
        sums.iter().enumerate().for_each(|(column, &sum)| f(row * n + column, column, sum));
    }
}

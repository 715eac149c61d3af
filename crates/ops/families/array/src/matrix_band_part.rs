//! `MatrixBandPart`: matrices with everything outside a band set to zero.

use crate::moves::{Cell, owned};
use crate::prelude::*;
use crate::rules::first;

attrs! {
    /// Returns `input` with all elements more than `num_lower` below or `num_upper` above the main diagonal set to
    /// zero; a negative number keeps that whole triangle.
    pub struct MatrixBandPart {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Element type of `num_lower` and `num_upper`.
        index: DType = Attr::dtype("Tindex", sets::INDEX).or_type(DType::I64),
    }
}

pub static MATRIX_BAND_PART: Def<MatrixBandPart> = op::<MatrixBandPart>("MatrixBandPart")
    .inputs(&[arg("input", of("T")), arg("num_lower", of("Tindex")), arg("num_upper", of("Tindex"))])
    .outputs(&[arg("band", of("T"))])
    .also(&[form("BatchMatrixBandPart")
        .doc("Name of `MatrixBandPart` in old graphs.")
        .inputs(&[arg("input", of("T")), arg("num_lower", is(DType::I64)), arg("num_upper", is(DType::I64))])
        .without(&["Tindex"])
        .not_differentiable()])
    .shape(|_, cx| {
        cx.rank_at_least(0, 2)?;
        cx.same_as_input(0);
        Ok(())
    })
    .host_inputs(&[1, 2])
    .gradient(|_, g| first(g, MATRIX_BAND_PART.call([g.dy(0), g.input(1), g.input(2)])))
    .kernel(matrix_band_part)
    .heavy()
    .batch(|_, b| if b.rank(0)? < 2 { None } else { levada_ops_core::batch::leading_first(b, 1) });

/// Returns the number of diagonals to keep below and above the main one.
///
/// # Errors
/// `INVALID_ARGUMENT` if the matrix has fewer diagonals, or the input is not a matrix.
pub fn band_limits(cx: &levada_kernel::Io<'_>) -> Result<[usize; 2]> {
    let shape = cx.input(0)?.shape();
    let [.., rows, cols] = shape[..] else {
        return Err(Error::invalid(format!("input must be at least 2-dim, received shape: {shape}")));
    };
    let mut limits = [0, 0];
    for (i, (name, what, size)) in [("num_lower", "rows", rows), ("num_upper", "columns", cols)].iter().enumerate() {
        let limit = cx.input(i + 1)?;
        if !limit.shape().is_scalar() {
            return Err(Error::invalid(format!("{name} must be scalar, got shape {}", limit.shape())));
        }
        let given = limit.to_i64s()?[0];
        if given > *size as i64 {
            return Err(Error::invalid(format!(
                "{name} must be negative or less or equal to number of {what} ({size}) got: {given}"
            )));
        }
        limits[i] = usize::try_from(given).unwrap_or(usize::MAX);
    }
    Ok(limits)
}

fn matrix_band_part(op: &MatrixBandPart, cx: &mut Cx<'_, '_>) -> Result<()> {
    let [lower, upper] = band_limits(cx)?;
    let [.., rows, cols] = cx.input(0)?.shape()[..] else { return Err(Error::internal("a matrix is needed")) };
    let mut out = owned(cx, 0)?;
    cells!(op.dtype, |T| {
        cx.pool().for_chunks(T::cells_mut(&mut out)?, cols, cols as f64 * 0.3, |first, piece| {
            for (row, line) in (first..).map(|r| r % rows).zip(piece.chunks_exact_mut(cols)) {
                let begin = row.saturating_sub(lower).min(cols);
                let end = row.saturating_add(upper).saturating_add(1).clamp(begin, cols);
                line[..begin].fill(T::default());
                line[end..].fill(T::default());
            }
        });
    });
    cx.set(0, out);
    Ok(())
}

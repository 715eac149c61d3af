//! `MatrixBandPart`: matrices with everything outside of a band set to zero.

use crate::moves::{Cell, owned};
use crate::prelude::*;

attrs! {
    /// `input` with zeros further than `num_lower` below and `num_upper` above the main diagonal; negative keeps all.
    pub struct MatrixBandPart {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Element type of `num_lower` and `num_upper`.
        index: DType = Attr::dtype("Tindex", sets::INDEX).or_type(DType::I64),
    }
}

attrs! {
    /// The name of `MatrixBandPart` in old graphs.
    pub struct BatchMatrixBandPart {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

/// How many diagonals below and above the main one stay.
///
/// # Errors
/// `INVALID_ARGUMENT` where there are not as many, or the input is no matrix.
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

fn compute(cx: &mut Cx<'_, '_>, dtype: DType) -> Result<()> {
    let [lower, upper] = band_limits(cx)?;
    let [.., rows, cols] = cx.input(0)?.shape()[..] else { return Err(Error::internal("a matrix is needed")) };
    let mut out = owned(cx, 0)?;
    cells!(dtype, |T| {
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

impl Op for MatrixBandPart {
    const SPEC: Spec = Spec {
        name: "MatrixBandPart",
        inputs: &[arg("input", of("T")), arg("num_lower", of("Tindex")), arg("num_upper", of("Tindex"))],
        outputs: &[arg("band", of("T"))],
        ..Spec::PURE
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.rank_at_least(0, 2)?;
        cx.same_as_input(0);
        Ok(())
    }
}

impl Kernel<Cpu> for MatrixBandPart {
    const COST: Cost = Cost::Heavy;

    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        compute(cx, self.dtype)
    }
}

impl Op for BatchMatrixBandPart {
    const SPEC: Spec = Spec {
        name: "BatchMatrixBandPart",
        inputs: &[arg("input", of("T")), arg("num_lower", is(DType::I64)), arg("num_upper", is(DType::I64))],
        outputs: &[arg("band", of("T"))],
        ..Spec::PURE
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.rank_at_least(0, 2)?;
        cx.same_as_input(0);
        Ok(())
    }
}

impl Kernel<Cpu> for BatchMatrixBandPart {
    const COST: Cost = Cost::Heavy;

    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        compute(cx, self.dtype)
    }
}

//! `Diag` and `DiagPart`: the diagonal of a tensor whose shape is another shape repeated twice.

use crate::moves::Cell;
use crate::prelude::*;
use crate::rules::one;

const DTYPES: &[DType] = {
    use DType::*;
    &[BF16, F16, F32, F64, I32, I64, C64, C128]
};

attrs! {
    /// Builds a tensor of shape `[d.., d..]` that holds `diagonal`, of shape `[d..]`, where both halves of the index
    /// agree, and 0 elsewhere.
    pub struct Diag {
        /// Element type.
        dtype: DType = Attr::dtype("T", DTYPES),
    }
}

attrs! {
    /// Returns the elements of a tensor of shape `[d.., d..]` for which both halves of the index agree.
    pub struct DiagPart {
        /// Element type.
        dtype: DType = Attr::dtype("T", DTYPES),
    }
}

pub static DIAG: Def<Diag> = op("Diag")
    .inputs(&[arg("diagonal", of("T"))])
    .outputs(&[arg("output", of("T"))])
    .shape(|_, cx| {
        let shape = cx.rank_at_least(0, 1)?;
        cx.output(0, shape.concat(&shape));
        Ok(())
    })
    .gradient(|_, g| one(g, |dy, _, _| DIAG_PART.call([dy])))
    .kernel(diag)
    .heavy();

fn diag(op: &Diag, cx: &mut Cx<'_, '_>) -> Result<()> {
    let input = cx.input(0)?;
    let half = input.shape();
    if half.is_scalar() {
        return Err(Error::invalid("Input must be at least rank 1, got 0"));
    }
    let mut out = cx.zeros(op.dtype, &Shape::new(half.iter().chain(half.iter()).copied())?)?;
    cells!(op.dtype, |T| {
        let src = T::cells(input)?;
        let to = T::cells_mut(&mut out)?.iter_mut().step_by(src.len() + 1);
        to.zip(src).for_each(|(o, v)| *o = v.clone());
    });
    cx.set(0, out);
    Ok(())
}

pub static DIAG_PART: Def<DiagPart> = op("DiagPart")
    .inputs(&[arg("input", of("T"))])
    .outputs(&[arg("diagonal", of("T"))])
    .shape(diag_part_shape)
    .gradient(|_, g| one(g, |dy, _, _| DIAG.call([dy])))
    .kernel(diag_part)
    .heavy();

fn diag_part_shape(_: &DiagPart, cx: &mut ShapeCx<'_>) -> Result<()> {
    let input = cx.input(0);
    let Some(dims) = input.dims() else { return Ok(()) };
    if dims.len() % 2 != 0 {
        return Err(Error::invalid(format!("The rank of the tensor should be even and positive, got shape {input}")));
    }
    let (first, second) = dims.split_at(dims.len() / 2);
    let halves = [first, second].map(|half| PartialShape::new(half.iter().copied()));
    cx.output(0, halves[0].merge(&halves[1])?);
    Ok(())
}

fn diag_part(op: &DiagPart, cx: &mut Cx<'_, '_>) -> Result<()> {
    let input = cx.input(0)?;
    let shape = input.shape();
    if shape.rank() % 2 != 0 {
        return Err(Error::invalid(format!("The rank of the tensor should be even and positive, got shape {shape}")));
    }
    let (first, second) = shape.split_at(shape.rank() / 2);
    if let Some(i) = (0..first.len()).find(|&i| first[i] != second[i]) {
        return Err(Error::invalid(format!(
            "Invalid shape {shape}: dimensions {i} and {} do not match.",
            i + first.len()
        )));
    }
    let mut out = cx.alloc(op.dtype, &Shape::new(first.iter().copied())?)?;
    cells!(op.dtype, |T| {
        let to = T::cells_mut(&mut out)?;
        let from = T::cells(input)?.iter().step_by(to.len() + 1);
        to.iter_mut().zip(from).for_each(|(o, v)| *o = v.clone());
    });
    cx.set(0, out);
    Ok(())
}

//! The `MatrixDiag` family: building matrices from diagonals, and extracting and replacing diagonals.

use crate::moves::{Cell, owned};
use crate::prelude::*;
use crate::rules::{Handles, NONE, first, one, range};

/// Alignment of diagonals shorter than the longest within their rows: those above the main diagonal, then those below.
const ALIGNMENTS: &[&str] = &["LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT"];

attrs! {
    /// The attrs of ops on matrix diagonals.
    pub struct Diagonals {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Alignment of diagonals shorter than the longest within their rows: superdiagonals, then subdiagonals.
        align: String = Attr::one_of("align", ALIGNMENTS).or_str("RIGHT_LEFT"),
    }
}

/// For the names without the attr `align`: all diagonals are left-aligned.
const LEFT: &[(&str, AttrDefault)] = &[("align", AttrDefault::Str("LEFT_LEFT"))];

const DIAGONAL: &[Arg] = &[arg("diagonal", of("T"))];
const INPUT: &[Arg] = &[arg("input", of("T"))];
const OUTPUT: &[Arg] = &[arg("output", of("T"))];

pub static MATRIX_DIAG: Def<Diagonals> = op::<Diagonals>("MatrixDiag")
    .doc("Builds square matrices with `diagonal` as the main diagonal and zeros elsewhere.")
    .fixed(LEFT)
    .inputs(DIAGONAL)
    .outputs(OUTPUT)
    .also(&[form("BatchMatrixDiag").doc("Name of `MatrixDiag` in old graphs.").fixed(LEFT).not_differentiable()])
    .shape(|_, cx| infer_build(cx, Some(MAIN), Some((-1, -1))))
    .gradient(|_, g| one(g, |dy, _, _| MATRIX_DIAG_PART.call([dy])))
    .kernel(|op, cx| build(op, cx, MAIN, (-1, -1), None))
    .heavy()
    .batch(|op, b| if b.rank(0)? < 1 { None } else { leading(op, b) });

pub static MATRIX_DIAG_V3: Def<Diagonals> = op::<Diagonals>("MatrixDiagV3")
    .doc("Builds matrices with the given diagonals `k` and `padding_value` elsewhere.")
    .inputs(&[
        arg("diagonal", of("T")),
        arg("k", is(DType::I32)),
        arg("num_rows", is(DType::I32)),
        arg("num_cols", is(DType::I32)),
        arg("padding_value", of("T")),
    ])
    .outputs(OUTPUT)
    .also(&[form("MatrixDiagV2")
        .doc("Builds matrices with the given diagonals `k`, shorter ones left-aligned, and `padding_value` elsewhere.")
        .fixed(LEFT)])
    .shape(|_, cx| {
        let one = |i: usize| cx.constant_i64s(i).filter(|v| v.len() == 1).map(|v| v[0]);
        let size = one(2).zip(one(3));
        let band = known_band(cx, 1)?;
        infer_build(cx, band, size)
    })
    .gradient(|op, g| {
        let (k, dy) = (g.input(1), g.dy(0));
        let dx = MATRIX_DIAG_PART_V3.node(g, op, &[dy, k, dy.like(0.0)]);
        let padding = dy.sum(range(g, dy.rank_value())) - dx.sum(range(g, dx.rank_found()));
        vec![dx.into(), NONE, NONE, NONE, padding.into()]
    })
    .kernel(|op, cx| {
        let band = Band::of(cx.input(1)?)?;
        let size = (scalar_i32(cx, 2, "num_rows")?, scalar_i32(cx, 3, "num_cols")?);
        build(op, cx, band, size, Some(4))
    })
    .heavy()
    .batch(|_, b| levada_ops_core::batch::leading_first(b, 1));

pub static MATRIX_DIAG_PART: Def<Diagonals> = op::<Diagonals>("MatrixDiagPart")
    .doc("Returns the main diagonals of matrices.")
    .fixed(LEFT)
    .inputs(INPUT)
    .outputs(DIAGONAL)
    .also(&[form("BatchMatrixDiagPart")
        .doc("Name of `MatrixDiagPart` in old graphs.")
        .fixed(LEFT)
        .not_differentiable()])
    .shape(|_, cx| infer_take(cx, Some(MAIN)))
    .gradient(|_, g| one(g, |dy, x, _| MATRIX_SET_DIAG.call([x.zeros_like(), dy])))
    .kernel(|op, cx| take(op, cx, MAIN, None))
    .heavy()
    .batch(|op, b| if b.rank(0)? < 2 { None } else { leading(op, b) });

pub static MATRIX_DIAG_PART_V3: Def<Diagonals> = op::<Diagonals>("MatrixDiagPartV3")
    .doc("Returns the diagonals `k` of matrices.")
    .inputs(&[arg("input", of("T")), arg("k", is(DType::I32)), arg("padding_value", of("T"))])
    .outputs(DIAGONAL)
    .also(&[form("MatrixDiagPartV2")
        .doc("Returns the diagonals `k` of matrices, shorter ones left-aligned.")
        .fixed(LEFT)])
    .shape(|_, cx| {
        let band = known_band(cx, 1)?;
        infer_take(cx, band)
    })
    .gradient(|op, g| {
        let zeros = g.input(0).zeros_like();
        first(g, MATRIX_SET_DIAG_V3.node(g, op, &[zeros, g.dy(0), g.input(1)]))
    })
    .kernel(|op, cx| {
        let band = Band::of(cx.input(1)?)?;
        take(op, cx, band, Some(2))
    })
    .heavy()
    .batch(|_, b| levada_ops_core::batch::leading_first(b, 1));

pub static MATRIX_SET_DIAG: Def<Diagonals> = op::<Diagonals>("MatrixSetDiag")
    .doc("Replaces the main diagonals of matrices.")
    .fixed(LEFT)
    .inputs(&[arg("input", of("T")), arg("diagonal", of("T"))])
    .outputs(OUTPUT)
    .also(&[form("BatchMatrixSetDiag").doc("Name of `MatrixSetDiag` in old graphs.").fixed(LEFT).not_differentiable()])
    .shape(same_shape)
    .gradient(|_, g| {
        let (diagonal, dy) = (g.input(1), g.dy(0));
        vec![MATRIX_SET_DIAG.call([dy, diagonal.zeros_like()]).into(), MATRIX_DIAG_PART.call([dy]).into()]
    })
    .kernel(|op, cx| replace(op, cx, MAIN))
    .heavy()
    .batch(|op, b| if b.rank(0)? < 2 || b.rank(1)? + 1 != b.rank(0)? { None } else { leading(op, b) });

pub static MATRIX_SET_DIAG_V3: Def<Diagonals> = op::<Diagonals>("MatrixSetDiagV3")
    .doc("Replaces the diagonals `k` of matrices.")
    .inputs(&[arg("input", of("T")), arg("diagonal", of("T")), arg("k", is(DType::I32))])
    .outputs(OUTPUT)
    .also(&[form("MatrixSetDiagV2")
        .doc("Replaces the diagonals `k` of matrices; shorter ones are left-aligned.")
        .fixed(LEFT)])
    .shape(same_shape)
    .gradient(|op, g| {
        let (diagonal, k, dy) = (g.input(1), g.input(2), g.dy(0));
        let dx = MATRIX_SET_DIAG_V3.node(g, op, &[dy, diagonal.zeros_like(), k]);
        let dd = MATRIX_DIAG_PART_V3.node(g, op, &[dy, k, dy.like(0.0)]);
        vec![dx.into(), dd.into(), NONE]
    })
    .kernel(|op, cx| {
        let band = Band::of(cx.input(2)?)?;
        replace(op, cx, band)
    })
    .heavy()
    .batch(|_, b| levada_ops_core::batch::leading_first(b, 2));

fn same_shape(_: &Diagonals, cx: &mut ShapeCx<'_>) -> Result<()> {
    cx.rank_at_least(0, 2)?;
    cx.same_as_input(0);
    Ok(())
}

/// Diagonals `lower ..= upper` of matrices; 0 is the main one and positive ones are above it.
#[derive(Clone, Copy)]
struct Band {
    lower: i64,
    upper: i64,
}

const MAIN: Band = Band { lower: 0, upper: 0 };

impl Band {
    /// Parses input `k`: one diagonal, or the lowest and the highest.
    fn of(k: &Tensor) -> Result<Band> {
        if k.shape().rank() > 1 {
            return Err(Error::invalid(format!(
                "diag_index must be a scalar or vector, received shape: {}",
                k.shape()
            )));
        }
        match k.to_i64s()?[..] {
            [k] => Ok(Band { lower: k, upper: k }),
            [lower, upper] if lower <= upper => Ok(Band { lower, upper }),
            [lower, upper] => Err(Error::invalid(format!(
                "lower_diag_index must not be larger than upper_diag_index: {lower} > {upper}"
            ))),
            ref other => Err(Error::invalid(format!(
                "diag_index must have only one or two elements, received {} elements.",
                other.len()
            ))),
        }
    }

    fn count(self) -> usize {
        self.upper.abs_diff(self.lower) as usize + 1
    }

    /// Checks that matrices of this size have these diagonals.
    fn check(self, rows: usize, cols: usize) -> Result<()> {
        let inside = |k: i64| k == 0 || (-(rows as i64) < k && k < cols as i64);
        for (name, k) in [("lower", self.lower), ("upper", self.upper)] {
            if !inside(k) {
                return Err(Error::invalid(format!(
                    "{name}_diag_index is out of bound: {k}. It must be between -{rows} and {cols}"
                )));
            }
        }
        Ok(())
    }

    /// Returns the length of diagonal `k` of matrices of this size.
    fn len(k: i64, rows: usize, cols: usize) -> usize {
        (rows as i64 + k.min(0)).min(cols as i64 - k.max(0)).max(0) as usize
    }

    /// Returns the length of the longest of these diagonals.
    fn longest(self, rows: usize, cols: usize) -> usize {
        (rows as i64 + self.upper.min(0)).min(cols as i64 - self.lower.max(0)).max(0) as usize
    }
}

/// Location of a diagonal: `len` elements, starting at `matrix` and one row and one column apart in the matrix, and
/// starting at `packed` in the tensor that holds the diagonals.
struct Span {
    matrix: usize,
    packed: usize,
    len: usize,
}

/// The diagonals of a band of same-sized matrices, packed in rows of length `longest`.
fn spans(band: Band, rows: usize, cols: usize, longest: usize, align: &str) -> Vec<Span> {
    let (above, below) = align.split_once('_').unwrap_or(("LEFT", "LEFT"));
    let span = |(row, k): (usize, i64)| {
        let len = Band::len(k, rows, cols).min(longest);
        let left = (k >= 0 && above == "LEFT") || (k <= 0 && below == "LEFT");
        let skip = if left { 0 } else { longest - len };
        Span { matrix: (-k).max(0) as usize * cols + k.max(0) as usize, packed: row * longest + skip, len }
    };
    (band.lower..=band.upper).rev().enumerate().map(span).filter(|s| s.len > 0).collect()
}

/// Splits a shape into the axes before the matrices in the last two, the rows and the columns.
fn split_matrix(shape: &[usize]) -> Result<(&[usize], usize, usize)> {
    match shape {
        [batch @ .., rows, cols] => Ok((batch, *rows, *cols)),
        _ => Err(Error::invalid(format!("input must be at least 2-dim, received shape: {shape:?}"))),
    }
}

/// Returns the only element of input `i`, which must be a scalar.
fn scalar_i32(cx: &Cx<'_, '_>, i: usize, name: &str) -> Result<i64> {
    if !cx.input(i)?.shape().is_scalar() {
        return Err(Error::invalid(format!("{name} must be a scalar")));
    }
    Ok(cx.scalar::<i32>(i)?.into())
}

/// Builds matrices whose diagonals are those of input 0.
fn build(op: &Diagonals, cx: &mut Cx<'_, '_>, band: Band, size: (i64, i64), pad: Option<usize>) -> Result<()> {
    let diagonal = cx.input(0)?;
    let Some((&longest, outer)) = diagonal.shape().split_last() else {
        return Err(Error::invalid("diagonal must be at least 1-dim, received shape: []"));
    };
    let batch = match outer {
        _ if band.lower == band.upper => outer,
        [batch @ .., count] if *count == band.count() => batch,
        _ => {
            return Err(Error::invalid(
                "The number of diagonals provided in the input does not match the lower_diag_index and upper_diag_index \
                 range.",
            ));
        }
    };
    let least_rows = longest as i64 - band.upper.min(0);
    let least_cols = longest as i64 + band.lower.max(0);
    let (rows, cols) = match size {
        (-1, -1) => (least_rows.max(least_cols), least_rows.max(least_cols)),
        (-1, cols) => (least_rows, cols),
        (rows, -1) => (rows, least_cols),
        given => given,
    };
    if rows < least_rows {
        return Err(Error::invalid("The number of rows is too small."));
    }
    if cols < least_cols {
        return Err(Error::invalid("The number of columns is too small."));
    }
    if rows != least_rows && cols != least_cols {
        return Err(Error::invalid(
            "The number of rows or columns is not consistent with the specified d_lower, d_upper, and diagonal.",
        ));
    }
    let (rows, cols) = (rows as usize, cols as usize);
    let shape = Shape::new(batch.iter().copied().chain([rows, cols]))?;
    let pad = pad.map(|i| cx.input(i)).transpose()?;
    if let Some(pad) = pad.filter(|p| p.num_elements() != 1) {
        return Err(Error::invalid(format!("padding_value must be a scalar, received shape {}", pad.shape())));
    }
    let spans = spans(band, rows, cols, longest, &op.align);
    let (packed, size) = (longest * band.count(), rows * cols);
    let mut out = cx.alloc(op.dtype, &shape)?;
    cells!(op.dtype, |T| {
        let (src, pad) = (T::cells(diagonal)?, pad.map(T::cells).transpose()?);
        let pad = pad.map_or_else(T::default, |p| p[0].clone());
        cx.pool().for_chunks(T::cells_mut(&mut out)?, size, size as f64, |first, piece| {
            piece.fill(pad.clone());
            for (m, matrix) in (first..).zip(piece.chunks_exact_mut(size)) {
                for span in &spans {
                    let from = &src[m * packed + span.packed..][..span.len];
                    matrix[span.matrix..].iter_mut().step_by(cols + 1).zip(from).for_each(|(o, v)| *o = v.clone());
                }
            }
        });
    });
    cx.set(0, out);
    Ok(())
}

/// Extracts the diagonals of the matrices of input 0.
fn take(op: &Diagonals, cx: &mut Cx<'_, '_>, band: Band, pad: Option<usize>) -> Result<()> {
    let input = cx.input(0)?;
    let (batch, rows, cols) = split_matrix(input.shape())?;
    band.check(rows, cols)?;
    let longest = band.longest(rows, cols);
    let count = (band.lower != band.upper).then(|| band.count());
    let shape = Shape::new(batch.iter().copied().chain(count).chain([longest]))?;
    let pad = pad.map(|i| cx.input(i)).transpose()?;
    if let Some(pad) = pad.filter(|p| p.num_elements() != 1) {
        return Err(Error::invalid(format!("padding_value must be a scalar, received shape {}", pad.shape())));
    }
    let spans = spans(band, rows, cols, longest, &op.align);
    let (packed, size) = (longest * band.count(), rows * cols);
    let mut out = cx.alloc(op.dtype, &shape)?;
    cells!(op.dtype, |T| {
        let (src, pad) = (T::cells(input)?, pad.map(T::cells).transpose()?);
        let pad = pad.map_or_else(T::default, |p| p[0].clone());
        cx.pool().for_chunks(T::cells_mut(&mut out)?, packed, packed as f64 * 2.0, |first, piece| {
            piece.fill(pad.clone());
            for (m, to) in (first..).zip(piece.chunks_exact_mut(packed)) {
                let matrix = &src[m * size..(m + 1) * size];
                for span in &spans {
                    let from = matrix[span.matrix..].iter().step_by(cols + 1);
                    to[span.packed..][..span.len].iter_mut().zip(from).for_each(|(o, v)| *o = v.clone());
                }
            }
        });
    });
    cx.set(0, out);
    Ok(())
}

/// Replaces the diagonals of the matrices of input 0 by those of input 1.
fn replace(op: &Diagonals, cx: &mut Cx<'_, '_>, band: Band) -> Result<()> {
    let (input, diagonal) = (cx.input(0)?, cx.input(1)?);
    let (batch, rows, cols) = split_matrix(input.shape())?;
    if diagonal.shape().is_scalar() {
        return Err(Error::invalid("diagonal must be at least 1-dim, received shape: []"));
    }
    band.check(rows, cols)?;
    let longest = band.longest(rows, cols);
    let count = (band.lower != band.upper).then(|| band.count());
    let expected = Shape::new(batch.iter().copied().chain(count).chain([longest]))?;
    if expected != *diagonal.shape() {
        return Err(Error::invalid(
            "Either first dimensions of diagonal don't match input.shape[:-2], or diagonal.shape[:-1] is not equal to the \
             longests diagonal in range [lower_diag_index:upper_diag_index].",
        )
        .expected(format!("shape {expected}"))
        .found(format!("shape {}", diagonal.shape())));
    }
    let spans = spans(band, rows, cols, longest, &op.align);
    let (packed, size) = (longest * band.count(), rows * cols);
    let mut out = owned(cx, 0)?;
    cells!(op.dtype, |T| {
        let src = T::cells(cx.input(1)?)?;
        cx.pool().for_chunks(T::cells_mut(&mut out)?, size, packed as f64 * 2.0, |first, piece| {
            for (m, matrix) in (first..).zip(piece.chunks_exact_mut(size)) {
                for span in &spans {
                    let from = &src[m * packed + span.packed..][..span.len];
                    matrix[span.matrix..].iter_mut().step_by(cols + 1).zip(from).for_each(|(o, v)| *o = v.clone());
                }
            }
        });
    });
    cx.set(0, out);
    Ok(())
}

/// For shape functions: the band given by input `i`, if it is known.
fn known_band(cx: &ShapeCx<'_>, i: usize) -> Result<Option<Band>> {
    cx.constant(i).map(Band::of).transpose()
}

fn infer_build(cx: &mut ShapeCx<'_>, band: Option<Band>, size: Option<(i64, i64)>) -> Result<()> {
    let diagonal = cx.rank_at_least(0, 1)?;
    let (Some([outer @ .., longest]), Some(band)) = (diagonal.dims(), band) else { return Ok(()) };
    let batch = match outer {
        _ if band.lower == band.upper => outer,
        [batch @ .., _] => batch,
        [] => return Err(Error::invalid("diagonal must be at least 2-dim where k is a range")),
    };
    let (rows, cols) = match (longest, size) {
        (Some(longest), Some((rows, cols))) => {
            let least_rows = *longest as i64 - band.upper.min(0);
            let least_cols = *longest as i64 + band.lower.max(0);
            let square = least_rows.max(least_cols);
            let (rows, cols) = match (rows, cols) {
                (-1, -1) => (square, square),
                (-1, cols) => (least_rows, cols),
                (rows, -1) => (rows, least_cols),
                given => given,
            };
            (usize::try_from(rows).ok(), usize::try_from(cols).ok())
        }
        (None, Some((rows, cols))) => (usize::try_from(rows).ok(), usize::try_from(cols).ok()),
        _ => (None, None),
    };
    cx.output(0, PartialShape::new(batch.iter().copied().chain([rows, cols])));
    Ok(())
}

fn infer_take(cx: &mut ShapeCx<'_>, band: Option<Band>) -> Result<()> {
    let input = cx.rank_at_least(0, 2)?;
    let (Some([batch @ .., rows, cols]), Some(band)) = (input.dims(), band) else { return Ok(()) };
    let longest = match (rows, cols) {
        (Some(rows), Some(cols)) => {
            band.check(*rows, *cols)?;
            Some(band.longest(*rows, *cols))
        }
        _ => None,
    };
    let count = (band.lower != band.upper).then(|| Some(band.count()));
    cx.output(0, PartialShape::new(batch.iter().copied().chain(count).chain([longest])));
    Ok(())
}

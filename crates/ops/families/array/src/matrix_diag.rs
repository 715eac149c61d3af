//! The `MatrixDiag` family: diagonals of matrices, built, taken and set.

use crate::moves::{Cell, owned};
use crate::prelude::*;

/// How diagonals shorter than the longest are placed in their rows: above the main one, then below it.
const ALIGNMENTS: &[&str] = &["LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT"];

/// Diagonals `lower ..= upper` of matrices, 0 being the main one and positive ones above.
#[derive(Clone, Copy)]
struct Band {
    lower: i64,
    upper: i64,
}

const MAIN: Band = Band { lower: 0, upper: 0 };

impl Band {
    /// What input `k` says: one diagonal, or the lowest and the highest.
    fn of(k: &Tensor) -> Result<Band> {
        if k.shape().rank() > 1 {
            return Err(Error::invalid(format!("diag_index must be a scalar or vector, received shape: {}", k.shape())));
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

    /// Length of diagonal `k` of matrices of this size.
    fn len(k: i64, rows: usize, cols: usize) -> usize {
        (rows as i64 + k.min(0)).min(cols as i64 - k.max(0)).max(0) as usize
    }

    /// Length of the longest of these diagonals.
    fn longest(self, rows: usize, cols: usize) -> usize {
        (rows as i64 + self.upper.min(0)).min(cols as i64 - self.lower.max(0)).max(0) as usize
    }
}

/// Where a diagonal is: `len` elements from `matrix` on, a row and a column apart, in the matrix; from `packed` on in
/// the tensor that holds diagonals.
struct Span {
    matrix: usize,
    packed: usize,
    len: usize,
}

/// The diagonals of a band of matrices of one size, packed in rows of length `longest`.
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

/// The matrices in the last two axes: the axes before, rows, columns.
fn split_matrix(shape: &[usize]) -> Result<(&[usize], usize, usize)> {
    match shape {
        [batch @ .., rows, cols] => Ok((batch, *rows, *cols)),
        _ => Err(Error::invalid(format!("input must be at least 2-dim, received shape: {shape:?}"))),
    }
}

/// The one element of input `i`, which must be a scalar.
fn scalar_i32(cx: &Cx<'_, '_>, i: usize, name: &str) -> Result<i64> {
    if !cx.input(i)?.shape().is_scalar() {
        return Err(Error::invalid(format!("{name} must be a scalar")));
    }
    Ok(cx.scalar::<i32>(i)?.into())
}

/// Matrices whose diagonals are those of input 0.
fn build(cx: &mut Cx<'_, '_>, dtype: DType, band: Band, size: (i64, i64), pad: Option<usize>, align: &str) -> Result<()> {
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
    let spans = spans(band, rows, cols, longest, align);
    let (packed, size) = (longest * band.count(), rows * cols);
    let mut out = cx.alloc(dtype, &shape)?;
    cells!(dtype, |T| {
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

/// The diagonals of the matrices of input 0.
fn take(cx: &mut Cx<'_, '_>, dtype: DType, band: Band, pad: Option<usize>, align: &str) -> Result<()> {
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
    let spans = spans(band, rows, cols, longest, align);
    let (packed, size) = (longest * band.count(), rows * cols);
    let mut out = cx.alloc(dtype, &shape)?;
    cells!(dtype, |T| {
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

/// The matrices of input 0 with the diagonals of input 1.
fn replace(cx: &mut Cx<'_, '_>, dtype: DType, band: Band, align: &str) -> Result<()> {
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
    let spans = spans(band, rows, cols, longest, align);
    let (packed, size) = (longest * band.count(), rows * cols);
    let mut out = owned(cx, 0)?;
    cells!(dtype, |T| {
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

/// For shape functions: the band that input `i` says, where it is known.
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

macro_rules! simple {
    ($($(#[doc = $doc:literal])* $name:ident ($inputs:expr, $output:literal, |$op:ident, $shape:ident| $infer:expr, |$cx:ident| $compute:expr);)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Element type.
                dtype: DType = Attr::dtype("T", sets::ANY),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: $inputs,
                outputs: &[arg($output, of("T"))],
                ..Spec::PURE
            };

            fn shape(&self, $shape: &mut ShapeCx<'_>) -> Result<()> {
                $infer
            }
        }

        impl Kernel<Cpu> for $name {
            const COST: Cost = Cost::Heavy;

            fn compute(&self, $cx: &mut Cx<'_, '_>) -> Result<()> {
                let $op = self;
                $compute
            }
        }
    )*};
}

macro_rules! aligned {
    ($($(#[doc = $doc:literal])* $name:ident ($inputs:expr, $output:literal, |$op:ident, $shape:ident| $infer:expr, |$cx:ident| $compute:expr);)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Element type.
                dtype: DType = Attr::dtype("T", sets::ANY),
                /// How diagonals shorter than the longest are placed in their rows.
                align: String = Attr::one_of("align", ALIGNMENTS).or_str("RIGHT_LEFT"),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: $inputs,
                outputs: &[arg($output, of("T"))],
                ..Spec::PURE
            };

            fn shape(&self, $shape: &mut ShapeCx<'_>) -> Result<()> {
                $infer
            }
        }

        impl Kernel<Cpu> for $name {
            const COST: Cost = Cost::Heavy;

            fn compute(&self, $cx: &mut Cx<'_, '_>) -> Result<()> {
                let $op = self;
                $compute
            }
        }
    )*};
}

const LEFT: &str = "LEFT_LEFT";
const DIAGONAL: &[Arg] = &[arg("diagonal", of("T"))];
const INPUT: &[Arg] = &[arg("input", of("T"))];
const INPUT_DIAGONAL: &[Arg] = &[arg("input", of("T")), arg("diagonal", of("T"))];
const DIAGONAL_SIZE: &[Arg] = &[
    arg("diagonal", of("T")),
    arg("k", is(DType::I32)),
    arg("num_rows", is(DType::I32)),
    arg("num_cols", is(DType::I32)),
    arg("padding_value", of("T")),
];
const INPUT_K: &[Arg] = &[arg("input", of("T")), arg("k", is(DType::I32)), arg("padding_value", of("T"))];
const INPUT_DIAGONAL_K: &[Arg] = &[arg("input", of("T")), arg("diagonal", of("T")), arg("k", is(DType::I32))];

fn infer_build_from_inputs(cx: &mut ShapeCx<'_>) -> Result<()> {
    let one = |i: usize| cx.constant_i64s(i).filter(|v| v.len() == 1).map(|v| v[0]);
    let size = one(2).zip(one(3));
    let band = known_band(cx, 1)?;
    infer_build(cx, band, size)
}

fn build_from_inputs(cx: &mut Cx<'_, '_>, dtype: DType, align: &str) -> Result<()> {
    let band = Band::of(cx.input(1)?)?;
    let size = (scalar_i32(cx, 2, "num_rows")?, scalar_i32(cx, 3, "num_cols")?);
    build(cx, dtype, band, size, Some(4), align)
}

fn same_shape(cx: &mut ShapeCx<'_>) -> Result<()> {
    cx.rank_at_least(0, 2)?;
    cx.same_as_input(0);
    Ok(())
}

simple! {
    /// The name of `MatrixDiag` in old graphs.
    BatchMatrixDiag(DIAGONAL, "output", |op, s| infer_build(s, Some(MAIN), Some((-1, -1))),
        |cx| build(cx, op.dtype, MAIN, (-1, -1), None, LEFT));
    /// The name of `MatrixDiagPart` in old graphs.
    BatchMatrixDiagPart(INPUT, "diagonal", |op, s| infer_take(s, Some(MAIN)), |cx| take(cx, op.dtype, MAIN, None, LEFT));
    /// The name of `MatrixSetDiag` in old graphs.
    BatchMatrixSetDiag(INPUT_DIAGONAL, "output", |op, s| same_shape(s), |cx| replace(cx, op.dtype, MAIN, LEFT));
    /// Square matrices with `diagonal` as main diagonal and zeros elsewhere.
    MatrixDiag(DIAGONAL, "output", |op, s| infer_build(s, Some(MAIN), Some((-1, -1))),
        |cx| build(cx, op.dtype, MAIN, (-1, -1), None, LEFT));
    /// The main diagonals of matrices.
    MatrixDiagPart(INPUT, "diagonal", |op, s| infer_take(s, Some(MAIN)), |cx| take(cx, op.dtype, MAIN, None, LEFT));
    /// The diagonals `k` of matrices, those that are shorter at the left.
    MatrixDiagPartV2(INPUT_K, "diagonal", |op, s| {
        let band = known_band(s, 1)?;
        infer_take(s, band)
    }, |cx| {
        let band = Band::of(cx.input(1)?)?;
        take(cx, op.dtype, band, Some(2), LEFT)
    });
    /// Matrices with the diagonals `k` given, those that are shorter at the left, and `padding_value` elsewhere.
    MatrixDiagV2(DIAGONAL_SIZE, "output", |op, s| infer_build_from_inputs(s), |cx| build_from_inputs(cx, op.dtype, LEFT));
    /// Matrices with another main diagonal.
    MatrixSetDiag(INPUT_DIAGONAL, "output", |op, s| same_shape(s), |cx| replace(cx, op.dtype, MAIN, LEFT));
    /// Matrices with other diagonals `k`, those that are shorter at the left.
    MatrixSetDiagV2(INPUT_DIAGONAL_K, "output", |op, s| same_shape(s), |cx| {
        let band = Band::of(cx.input(2)?)?;
        replace(cx, op.dtype, band, LEFT)
    });
}

aligned! {
    /// The diagonals `k` of matrices.
    MatrixDiagPartV3(INPUT_K, "diagonal", |op, s| {
        let band = known_band(s, 1)?;
        infer_take(s, band)
    }, |cx| {
        let band = Band::of(cx.input(1)?)?;
        take(cx, op.dtype, band, Some(2), &op.align)
    });
    /// Matrices with the diagonals `k` given and `padding_value` elsewhere.
    MatrixDiagV3(DIAGONAL_SIZE, "output", |op, s| infer_build_from_inputs(s),
        |cx| build_from_inputs(cx, op.dtype, &op.align));
    /// Matrices with other diagonals `k`.
    MatrixSetDiagV3(INPUT_DIAGONAL_K, "output", |op, s| same_shape(s), |cx| {
        let band = Band::of(cx.input(2)?)?;
        replace(cx, op.dtype, band, &op.align)
    });
}

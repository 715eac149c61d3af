//! `MatMul`: the product of two matrices.

use super::matrix::same_inner;
use super::nodes::of_factors;
use crate::prelude::*;
use DType::*;
use levada_gemm::{self as gemm, Factor, Finished, Finisher, Mat, Packed, Size};
use levada_kernel::Pool;
use levada_kernel::accumulate::{Accumulation, Factors};
use levada_ops_core::constant::{Cache, Recurring};
use std::sync::Arc;

attrs! {
    /// Multiplies the matrices `a` and `b`, each optionally transposed.
    pub struct MatMul {
        /// If true, `a` is transposed.
        transpose_a: bool = Attr::bool("transpose_a").or_bool(false),
        /// If true, `b` is transposed.
        transpose_b: bool = Attr::bool("transpose_b").or_bool(false),
        /// Element type.
        dtype: DType = Attr::dtype("T", &[BF16, F16, F32, F64, I32, I64, U8, U16, U32, U64, C64, C128]),
        /// Whether `a` is a gradient; a hint without effect here.
        grad_a: bool = Attr::bool("grad_a").or_bool(false),
        /// Whether `b` is a gradient; a hint without effect here.
        grad_b: bool = Attr::bool("grad_b").or_bool(false),
    }
}

pub static MAT_MUL: Def<MatMul> = op::<MatMul>("MatMul")
    .inputs(&[arg("a", of("T")), arg("b", of("T"))])
    .outputs(&[arg("product", of("T"))])
    .flops(|op, inputs, outputs| {
        let inner = inputs.first()?.dim(if op.transpose_a { 0 } else { 1 }).unwrap_or(1);
        let out = outputs.first()?;
        Some(2.0 * inner as f64 * out.dim(0).unwrap_or(1) as f64 * out.dim(1).unwrap_or(1) as f64)
    })
    .shape(shape)
    .gradient(|op, g| {
        let factors = [g.input(0).conj(), g.input(1).conj(), g.dy(0)];
        let product = |a, b, [transpose_a, transpose_b]: [bool; 2]| {
            MAT_MUL.node(
                g,
                &MatMul { transpose_a, transpose_b, dtype: op.dtype, grad_a: false, grad_b: false },
                &[a, b],
            )
        };
        let [da, db] = of_factors(factors, [op.transpose_a, op.transpose_b], product);
        vec![da.into(), db.into()]
    })
    .kernel(mat_mul)
    .heavy()
    .finishes(|op| Epilogue::is_for(op.dtype), finished)
    .accumulates(|op| {
        let transposed = [op.transpose_a, op.transpose_b];
        (op.dtype == F32).then_some(Accumulation { transposed, fits: adds, gains: adds_several, add })
    })
    .batch(|op, b| {
        if (0..2).any(|i| b.rank(i).is_some_and(|rank| rank != 2)) {
            return None;
        }
        if !b.varies(1) && !op.transpose_a {
            return levada_ops_core::batch::fold_rows(b, &[0]);
        }
        // `BatchMatMul` conjugates the factors that it transposes.
        if matches!(op.dtype, C64 | C128) && (op.transpose_a || op.transpose_b) {
            return None;
        }
        let attrs = [("adj_x", AttrValue::B(op.transpose_a)), ("adj_y", AttrValue::B(op.transpose_b))];
        b.one(b.g().node("BatchMatMulV2", &[b.input(0), b.input(1)], &attrs))
    });

fn shape(op: &MatMul, cx: &mut ShapeCx<'_>) -> Result<()> {
    let (a, b) = (cx.with_rank(0, 2)?, cx.with_rank(1, 2)?);
    let (m, inner_a) = if op.transpose_a { (a.dim(1), a.dim(0)) } else { (a.dim(0), a.dim(1)) };
    let (inner_b, n) = if op.transpose_b { (b.dim(1), b.dim(0)) } else { (b.dim(0), b.dim(1)) };
    same_inner([inner_a, inner_b], [&a, &b])?;
    cx.output(0, PartialShape::new([m, n]));
    Ok(())
}

/// The dimensions of the product of the inputs.
fn size_of(op: &MatMul, cx: &Cx<'_, '_>) -> Result<Size> {
    let (a, b) = (cx.input(0)?, cx.input(1)?);
    for (i, t) in [a, b].into_iter().enumerate() {
        if t.shape().rank() != 2 {
            return Err(Error::invalid(format!("In[{i}] is not a matrix"))
                .expected("rank 2")
                .found(format!("shape {}", t.shape())));
        }
    }
    let (rows, cols) = (a.shape()[0], a.shape()[1]);
    let (m, k) = if op.transpose_a { (cols, rows) } else { (rows, cols) };
    let (inner, n) = if op.transpose_b { (b.shape()[1], b.shape()[0]) } else { (b.shape()[0], b.shape()[1]) };
    if inner != k {
        return Err(Error::invalid(format!("Matrix size-incompatible: In[0]: {}, In[1]: {}", a.shape(), b.shape()))
            .expected(format!("an inner size of {k} in In[1], as in In[0]"))
            .found(inner)
            .help("set transpose_a or transpose_b if a matrix is given by columns, or change what is fed"));
    }
    Ok(Size { m, n, k })
}

/// The factors in the orientation in which they are multiplied.
fn factors<'a, T: Element>(op: &MatMul, cx: &'a Cx<'_, '_>) -> Result<(Mat<'a, T>, Mat<'a, T>)> {
    let factor = |i: usize| -> Result<Mat<'a, T>> { Ok(Mat::new(cx.slice::<T>(i)?, cx.input(i)?.shape()[1])) };
    Ok((factor(0)?.t_if(op.transpose_a), factor(1)?.t_if(op.transpose_b)))
}

/// Minimum sizes (rows, and both dimensions of the factor) from which a constant factor is packed.
const PACKED_ROWS: usize = 2;
const PACKED: usize = 16;
/// Minimum elements of a factor that is packed in a loop.
const RECURRING: usize = 1 << 16;

/// The representation of the second factor.
enum Second {
    /// Unpacked.
    AsItIs,
    /// Panels packed for a single product.
    Panels,
    Packed(Arc<Packed>),
}

/// Chooses the second factor's representation: packed if it is a constant worth packing or may recur in a loop.
fn second(op: &MatMul, cx: &mut Cx<'_, '_>, Size { m, n, k }: Size) -> Result<Second> {
    if op.dtype != F32 || m < PACKED_ROWS || n < PACKED || k < PACKED {
        return Ok(Second::AsItIs);
    }
    let how = usize::from(op.transpose_b);
    if let Some(cache) = Cache::of_constant(cx, 1)? {
        let (_, b) = factors::<f32>(op, cx)?;
        return cache.get(cx.input(1)?, how, || Packed::new(cx.pool(), b, (k, n))).map(Second::Packed);
    }
    // From here on the choice depends only on shapes, except where it cannot change a single bit of the result.
    if !cx.node().in_loop || k > gemm::MOST_ALIKE || n * k < RECURRING {
        return Ok(Second::AsItIs);
    }
    let Some(recurring) = Recurring::of_input(cx, 1)? else { return Ok(Second::Panels) };
    let (_, b) = factors::<f32>(op, cx)?;
    let packed = recurring.get(cx.input(1)?, how, || Packed::new(cx.pool(), b, (k, n)))?;
    Ok(packed.map_or(Second::Panels, Second::Packed))
}

/// The product, computed by panels.
fn by_panels(
    op: &MatMul,
    cx: &mut Cx<'_, '_>,
    (size, shape): (Size, &Shape),
    packed: Option<&Packed>,
    finisher: Option<&Finisher<'_>>,
) -> Result<()> {
    cx.produce::<f32>(0, shape, |cx, out| {
        let (a, b) = factors::<f32>(op, cx)?;
        let b = packed.map_or(Factor::Matrix(b), Factor::Packed);
        gemm::multiply_packed(cx.pool(), size, (a, b), out, finisher)
    })
}

fn mat_mul(op: &MatMul, cx: &mut Cx<'_, '_>) -> Result<()> {
    let size = size_of(op, cx)?;
    let shape = Shape::new([size.m, size.n])?;
    match second(op, cx, size)? {
        Second::AsItIs => {}
        Second::Panels => return by_panels(op, cx, (size, &shape), None, None),
        Second::Packed(packed) => return by_panels(op, cx, (size, &shape), Some(&packed), None),
    }
    dispatch!(op.dtype, numbers, |T| cx.produce::<T>(0, &shape, |cx, out| {
        let (a, b) = factors::<T>(op, cx)?;
        gemm::multiply(cx.pool(), size, a, b, out)
    }), else unsupported(cx, op.dtype))
}

/// The product with its epilogue.
fn finished(op: &MatMul, cx: &mut Cx<'_, '_>, finish: &Finish<'_>) -> Result<bool> {
    let size = size_of(op, cx)?;
    let shape = Shape::new([size.m, size.n])?;
    let Some(finisher) = Finisher::new(finish, &shape, op.dtype) else { return Ok(false) };
    match second(op, cx, size)? {
        Second::AsItIs => {}
        Second::Panels => return by_panels(op, cx, (size, &shape), None, Some(&finisher)).map(|()| true),
        Second::Packed(packed) => {
            return by_panels(op, cx, (size, &shape), Some(&packed), Some(&finisher)).map(|()| true);
        }
    }
    match op.dtype {
        F16 => finished_in::<f16>(op, cx, (size, &shape), &finisher)?,
        BF16 => finished_in::<bf16>(op, cx, (size, &shape), &finisher)?,
        _ => finished_in::<f32>(op, cx, (size, &shape), &finisher)?,
    }
    Ok(true)
}

/// The matrices of a product.
type Mats<'a> = (Mat<'a, f32>, Mat<'a, f32>);

/// The matrices of a product that is added to a sum, and its size; `None` if they do not fit each other.
fn added<'a>(transposed: [bool; 2], [a, b]: &'a Factors) -> Option<(Size, Mats<'a>)> {
    let matrix = |tensor: &'a Tensor, is_transposed| {
        let [rows, cols] = tensor.shape()[..] else { return None };
        let mat = Mat::new(tensor.slice::<f32>().ok()?, cols).t_if(is_transposed);
        Some((mat, if is_transposed { [cols, rows] } else { [rows, cols] }))
    };
    let ((a, [m, k]), (b, [inner, n])) = (matrix(a, transposed[0])?, matrix(b, transposed[1])?);
    (inner == k).then_some((Size { m, n, k }, (a, b)))
}

fn adds(transposed: [bool; 2], sum: &Tensor, factors: &Factors) -> bool {
    let fits = |(Size { m, n, k }, (a, b))| sum.shape()[..] == [m, n] && gemm::adds(Size { m, n, k }, &a, &b);
    sum.dtype() == F32 && added(transposed, factors).is_some_and(fits)
}

fn adds_several(transposed: [bool; 2], factors: &Factors) -> bool {
    added(transposed, factors).is_some_and(|(size, _)| gemm::adds_several(size))
}

fn add(transposed: [bool; 2], pool: &Pool, sum: &mut Tensor, factors: &[Factors]) -> Result<()> {
    let all: Option<Vec<_>> = factors.iter().map(|factors| added(transposed, factors)).collect();
    let all = all.ok_or_else(|| Error::internal("factors that do not fit each other"))?;
    let Some(&(size, _)) = all.first() else { return Ok(()) };
    let factors: Vec<_> = all.into_iter().map(|(_, factors)| factors).collect();
    gemm::add_products(pool, size, &factors, sum.slice_mut()?)
}

fn finished_in<T: Finished>(
    op: &MatMul,
    cx: &mut Cx<'_, '_>,
    (size, shape): (Size, &Shape),
    finisher: &Finisher<'_>,
) -> Result<()> {
    cx.produce::<T>(0, shape, |cx, out| gemm::multiply_finished(cx.pool(), size, factors::<T>(op, cx)?, out, finisher))
}

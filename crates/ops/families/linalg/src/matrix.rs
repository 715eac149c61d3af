//! Shared by the matrix ops: element types, the matrices in the last two axes of tensors, and loops over them.

use crate::prelude::*;
use levada_gemm::Gemm;
use levada_kernel::{Pool, subnormals};
use levada_ops_core::quotient::Quotient;
use parking_lot::Mutex;
use std::ops::{AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

/// A real or complex type that decompositions are computed in. Real quantities are `f64`, which represents those of
/// every such type.
pub(crate) trait Field:
    Gemm
    + std::ops::Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
    + Quotient
    + std::fmt::Debug
{
    /// Distance from 1 to the next larger value.
    const EPSILON: f64;
    /// The smallest positive normal value.
    const TINY: f64;
    /// The corresponding type in double precision.
    type Double: Field;
    fn re(self) -> f64;
    fn im(self) -> f64;
    /// Constructs a value from a real and an imaginary part; real types ignore the latter.
    fn of(re: f64, im: f64) -> Self;
    /// The absolute value.
    #[inline]
    fn modulus(self) -> f64 {
        if self.im() == 0.0 { self.re().abs() } else { self.re().hypot(self.im()) }
    }
    /// The absolute value, squared.
    #[inline]
    fn square(self) -> f64 {
        self.re() * self.re() + self.im() * self.im()
    }
    fn finite(self) -> bool {
        self.re().is_finite() && self.im().is_finite()
    }
}

macro_rules! fields {
    ($($ty:ty, $real:ty, $wide:ty: |$v:ident| ($re:expr, $im:expr), |$a:ident, $b:ident| $of:expr;)*) => {$(
        impl Field for $ty {
            type Double = $wide;
            const EPSILON: f64 = <$real>::EPSILON as f64;
            const TINY: f64 = <$real>::MIN_POSITIVE as f64;
            #[inline]
            fn re(self) -> f64 { let $v = self; f64::from($re) }
            #[inline]
            fn im(self) -> f64 { let $v = self; let _ = $v; f64::from($im) }
            #[inline]
            fn of($a: f64, $b: f64) -> Self { $of }
        }
    )*};
}

fields! {
    f32, f32, f64: |v| (v, 0.0f32), |a, _b| a as f32;
    f64, f64, f64: |v| (v, 0.0f64), |a, _b| a;
    Complex32, f32, Complex64: |v| (v.re, v.im), |a, b| Complex32::new(a as f32, b as f32);
    Complex64, f64, Complex64: |v| (v.re, v.im), |a, b| Complex64::new(a, b);
}

/// The matrix element types that TensorFlow accepts.
pub(super) const MATRIX: &[DType] = &[DType::F64, DType::F32, DType::F16, DType::C64, DType::C128];

/// Element types of matrices that XLA's ops decompose.
pub(super) const XLA: &[DType] = &[DType::F32, DType::F64];

/// The element types of most legacy op names.
pub(super) const OLD: &[AttrSpec] = &[Attr::dtype("T", &[DType::F64, DType::F32])];

attrs! {
    /// The attrs of ops on square matrices with no others.
    pub struct Square {
        /// Element type.
        dtype: DType = Attr::dtype("T", MATRIX),
    }
}

pub(super) const INPUT: &[Arg] = &[arg("input", of("T"))];
pub(super) const OUTPUT: &[Arg] = &[arg("output", of("T"))];

/// An op on square matrices whose output has the shape of its first input. Its kernel does not handle float16.
pub(super) const fn square(
    name: &'static str,
    doc: &'static str,
    kernel: fn(&Square, &mut Cx<'_, '_>) -> Result<()>,
) -> Def<Square> {
    op(name)
        .doc(doc)
        .inputs(INPUT)
        .outputs(OUTPUT)
        .shape(|_, cx| infer_square(cx))
        .kernel(kernel)
        .heavy()
        .supports(|op| op.dtype != DType::F16)
}

/// Evaluates the expression with `T` as the Rust type of a dtype that implements [`Field`].
macro_rules! with_field {
    ($d:expr, |$T:ident| $body:expr) => {
        levada_graph::dispatch!(@go $d, $T, $body, Err(Error::unimplemented(format!("matrices of {}", $d))),
            [F32 f32, F64 f64, C64 Complex32, C128 Complex64])
    };
}
pub(super) use with_field;

/// A function of a matrix index and the piece of the output for that matrix.
type OfPiece<'a, T> = dyn Fn(usize, &Pool, &mut [T]) -> Result<()> + Sync + 'a;

/// The matrices in the last two axes of a tensor.
#[derive(Clone, Debug)]
pub(super) struct Matrices {
    pub batch: Vec<usize>,
    pub count: usize,
    pub rows: usize,
    pub cols: usize,
}

impl Matrices {
    /// The matrices of input `i`.
    pub(super) fn of(cx: &Cx<'_, '_>, i: usize) -> Result<Matrices> {
        let shape = cx.input(i)?.shape();
        let [batch @ .., rows, cols] = &shape[..] else {
            return Err(Error::invalid(format!("Input tensor {i} must have rank >= 2, got {}", shape.rank())));
        };
        // A matrix size of zero does not determine the number of matrices.
        let count =
            batch.iter().try_fold(1usize, |n, &d| n.checked_mul(d)).filter(|_| rows.checked_mul(*cols).is_some());
        let count = count.ok_or_else(|| Error::invalid(format!("too many matrices in shape {shape}")))?;
        // Matrices without elements take no memory, but the per-matrix state does.
        cx.device.arena.check(count.saturating_mul(size_of::<Mutex<&mut [f64]>>()))?;
        Ok(Matrices { batch: batch.to_vec(), count, rows: *rows, cols: *cols })
    }

    /// The matrices of input `i`, which must be square.
    pub(super) fn square(cx: &Cx<'_, '_>, i: usize) -> Result<Matrices> {
        let found = Matrices::of(cx, i)?;
        if found.rows != found.cols {
            return Err(Error::invalid("Input matrix must be square."));
        }
        Ok(found)
    }

    /// Checks that input `i` has matrices with the same batch axes.
    pub(super) fn beside(&self, cx: &Cx<'_, '_>, i: usize) -> Result<Matrices> {
        if cx.input(i)?.shape().rank() != self.batch.len() + 2 {
            return Err(Error::invalid("All input tensors must have the same rank."));
        }
        let other = Matrices::of(cx, i)?;
        if other.batch != self.batch {
            return Err(Error::invalid("All input tensors must have the same outer dimensions."));
        }
        Ok(other)
    }

    /// The shape of as many matrices of another size, or of vectors or scalars.
    pub(super) fn shape(&self, dims: &[usize]) -> Result<Shape> {
        Shape::new(self.batch.iter().chain(dims).copied())
    }

    /// Elements of one matrix.
    pub(super) fn size(&self) -> usize {
        self.rows * self.cols
    }

    /// Matrix `i` of the data of input `from`.
    pub(super) fn matrix<'a, T>(&self, from: &'a [T], i: usize) -> &'a [T] {
        &from[i * self.size()..][..self.size()]
    }

    /// Calls `f` with the index of every matrix, in parallel if worthwhile. `nanos`: cost per matrix.
    pub(super) fn each(&self, pool: &Pool, nanos: f64, f: &(dyn Fn(usize, &Pool) -> Result<()> + Sync)) -> Result<()> {
        let failed = Mutex::new(None);
        pool.for_ranges(self.count, nanos, |range| {
            for i in range {
                if let Err(error) = f(i, pool) {
                    failed.lock().get_or_insert(error);
                    return;
                }
            }
        });
        failed.into_inner().map_or(Ok(()), Err)
    }

    /// As [`Matrices::each`], with the piece of `out` for each matrix.
    pub(super) fn fill<T: Send>(&self, pool: &Pool, out: &mut [T], nanos: f64, f: &OfPiece<'_, T>) -> Result<()> {
        let out = pieces(out, self.count);
        self.each(pool, nanos, &|i, pool| f(i, pool, &mut out[i].lock()))
    }

    /// Rough cost of one decomposition, in nanoseconds.
    pub(super) fn cubic(&self) -> f64 {
        self.rows as f64 * self.cols as f64 * self.rows.min(self.cols) as f64 + 200.0
    }
}

/// The sum of the products of the elements of `a` and the conjugates of those of `b`, in eight independent partial
/// sums.
#[inline(always)]
pub(super) fn dot<T: Field>(a: &[T], b: &[T]) -> T {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    let mut sums = [T::zero(); 8];
    for (a, b) in a.iter().zip(b) {
        for i in 0..8 {
            sums[i] += a[i] * b[i].conj();
        }
    }
    let rest = a_rest.iter().zip(b_rest).fold(T::zero(), |sum, (&a, b)| sum + a * b.conj());
    let [a, b, c, d, e, f, g, h] = sums;
    (((a + e) + (c + g)) + ((b + f) + (d + h))) + rest
}

/// The pieces of an output for each of `count` matrices. Each lock is taken only by the task that fills its piece.
pub(super) fn pieces<T>(out: &mut [T], count: usize) -> Vec<Mutex<&mut [T]>> {
    match out.len() / count.max(1) {
        0 => (0..count).map(|_| Mutex::new(&mut [][..])).collect(),
        size => out.chunks_exact_mut(size).map(Mutex::new).collect(),
    }
}

/// Allocates `n` elements, all set to `value`.
///
/// # Errors
/// `RESOURCE_EXHAUSTED` if there is not enough memory.
pub(super) fn room<T: Clone>(n: usize, value: T) -> Result<Vec<T>> {
    let mut vec = Vec::new();
    vec.try_reserve_exact(n)
        .map_err(|_| Error::resource_exhausted(format!("no memory for a matrix of {n} elements")))?;
    vec.resize(n, value);
    Ok(vec)
}

/// Converts elements to another type, dropping imaginary parts for real types.
pub(super) fn converted<T: Field, U: Field>(from: &[T]) -> Result<Vec<U>> {
    let mut to = room(from.len(), U::zero())?;
    to.iter_mut().zip(from).for_each(|(to, from)| *to = U::of(from.re(), from.im()));
    Ok(to)
}

/// Copies a slice.
pub(super) fn copied<T: Field>(from: &[T]) -> Result<Vec<T>> {
    let mut to = room(from.len(), T::zero())?;
    to.copy_from_slice(from);
    Ok(to)
}

/// Converts halves to floats, in which their matrices are computed.
pub(super) fn widened(from: &[f16]) -> Result<Vec<f32>> {
    let mut to = room(from.len(), 0f32)?;
    to.iter_mut().zip(from).for_each(|(to, from)| *to = from.to_f32());
    Ok(to)
}

/// Converts floats to halves.
pub(super) fn narrow(from: &[f32], to: &mut [f16]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to = f16::from_f32(*from));
}

/// Writes elements converted to another type.
pub(super) fn write<T: Field, U: Field>(from: &[T], to: &mut [U]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to = U::of(from.re(), from.im()));
}

/// The identity matrix.
pub(super) fn identity<T: Field>(n: usize) -> Result<Vec<T>> {
    let mut eye = room(n * n, T::zero())?;
    eye.iter_mut().step_by(n + 1).for_each(|v| *v = T::one());
    Ok(eye)
}

/// `b = a^T`, where `a` has `cols` columns.
pub(super) fn transpose<T: Copy>(a: &[T], cols: usize, b: &mut [T]) {
    if a.is_empty() || cols == 0 {
        return;
    }
    let rows = a.len() / cols;
    for (j, column) in b.chunks_exact_mut(rows).enumerate() {
        column.iter_mut().zip(a[j..].iter().step_by(cols)).for_each(|(to, from)| *to = *from);
    }
}

/// The pairs of matrix indices when the batch axes of two inputs, `x` and `y`, are broadcast to `batch`.
pub(super) fn pairs(x: &Shape, y: &Shape, batch: &Shape) -> Vec<(usize, usize)> {
    let (xs, ys) = (broadcast_strides(x, batch), broadcast_strides(y, batch));
    (0..batch.num_elements()).map(|i| (offset(i, batch, &xs), offset(i, batch, &ys))).collect()
}

/// For each axis of `to`, the stride in `from`; 0 for broadcast axes.
fn broadcast_strides(from: &Shape, to: &Shape) -> Vec<usize> {
    let (strides, skip) = (from.strides(), to.rank() - from.rank());
    (0..to.rank()).map(|i| if i < skip || from[i - skip] == 1 { 0 } else { strides[i - skip] }).collect()
}

/// The offset of element `i` (in row-major order) of an array with these sizes and strides.
pub(super) fn offset(i: usize, dims: &[usize], strides: &[usize]) -> usize {
    let (mut rest, mut at) = (i, 0);
    for (&n, &s) in dims.iter().zip(strides).rev() {
        at += rest % n * s;
        rest /= n;
    }
    at
}

/// Checks that both inputs contain matrices.
pub(super) fn check_matrices(a: &Shape, b: &Shape) -> Result<()> {
    for (i, s) in [a, b].into_iter().enumerate() {
        if s.rank() < 2 {
            return Err(Error::invalid(format!("In[{i}] ndims must be >= 2: {}", s.rank())));
        }
    }
    Ok(())
}

/// For shape functions: the batch axes, rows and columns of input `i`; `None` if nothing is known.
pub(super) fn matrix_dims(cx: &ShapeCx<'_>, i: usize) -> Result<Option<(Vec<Dim>, Dim, Dim)>> {
    let shape = cx.rank_at_least(i, 2)?;
    Ok(shape.dims().and_then(|dims| match dims {
        [batch @ .., rows, cols] => Some((batch.to_vec(), *rows, *cols)),
        _ => None,
    }))
}

/// Merges two sizes that must be equal.
pub(super) fn same(a: Dim, b: Dim) -> Result<Dim> {
    match (a, b) {
        (Some(x), Some(y)) if x != y => Err(Error::invalid(format!("Dimensions must be equal, but are {x} and {y}"))),
        _ => Ok(a.or(b)),
    }
}

/// Checks the inner sizes of two factors, whose shapes these are.
pub(super) fn same_inner(inner: [Dim; 2], [a, b]: [&PartialShape; 2]) -> Result<()> {
    let named = |error: Error| {
        let error = error.expected("the same inner size in both factors").found(format!("shapes {a} and {b}"));
        error.help("transpose one of them by the node's attrs, or change its shape")
    };
    same(inner[0], inner[1]).map(drop).map_err(named)
}

/// A shape with the batch axes followed by `dims`.
pub(super) fn with_dims(batch: &[Dim], dims: &[Dim]) -> PartialShape {
    PartialShape::new(batch.iter().chain(dims).copied())
}

/// The batch axes and the matrix size of input 0, whose matrices are square; `None` if unknown.
pub(super) fn square_dims(cx: &ShapeCx<'_>) -> Result<Option<(Vec<Dim>, Dim)>> {
    let Some((batch, rows, cols)) = matrix_dims(cx, 0)? else { return Ok(None) };
    Ok(Some((batch, same(rows, cols)?)))
}

/// The output has the shape of the input, whose matrices are square.
pub(super) fn infer_square(cx: &mut ShapeCx<'_>) -> Result<()> {
    if let Some((batch, n)) = square_dims(cx)? {
        cx.output(0, with_dims(&batch, &[n, n]));
    }
    Ok(())
}

/// Output 0 has the eigenvalues of square matrices, output 1 the eigenvectors if they are computed.
pub(super) fn infer_eigen(cx: &mut ShapeCx<'_>, vectors: bool) -> Result<()> {
    if let Some((batch, n)) = square_dims(cx)? {
        cx.output(0, with_dims(&batch, &[n]));
        match vectors {
            true => cx.output(1, with_dims(&batch, &[n, n])),
            false => cx.output_vector(1, Some(0)),
        }
    }
    Ok(())
}

/// Infers the solution's shape for systems on input 0 and right-hand sides on input 1. `broadcast`: batch axes are
/// broadcast.
pub(super) fn infer_solve(cx: &mut ShapeCx<'_>, square: bool, broadcast: bool) -> Result<()> {
    let (a, b) = (matrix_dims(cx, 0)?, matrix_dims(cx, 1)?);
    if let Some((a_batch, rows, cols)) = &a {
        let inner = if square { same(*rows, *cols)? } else { *rows };
        if let Some((b_batch, b_rows, k)) = &b {
            same(inner, *b_rows)?;
            let (x, y) = (PartialShape::new(a_batch.iter().copied()), PartialShape::new(b_batch.iter().copied()));
            let batch = if broadcast { x.broadcast(&y)? } else { x.merge(&y)? };
            let n = if square { inner.or(*b_rows) } else { *cols };
            cx.output(0, batch.concat(&PartialShape::new([n, *k])));
        }
    }
    Ok(())
}

/// Calls `decompose` with subnormal numbers kept: faer's decompositions of complex matrices rely on them.
pub(super) fn decomposed<R>(decompose: impl FnOnce() -> R) -> R {
    let _kept = subnormals::keep();
    decompose()
}

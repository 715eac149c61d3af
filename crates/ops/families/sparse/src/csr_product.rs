//! Products of CSR matrices with dense matrices and with each other.

use crate::csr::{CSR_SPARSE_MATRIX_TO_SPARSE_TENSOR, OfCsr, SPARSE_TENSOR_TO_CSR_SPARSE_MATRIX, ToCsr};
use crate::csr_arithmetic::{SPARSE_MATRIX_TRANSPOSE, SparseMatrixTranspose, pick};
use crate::matrices::{Csr, TYPES, handle, matrix, with_element};
use crate::prelude::*;
use crate::rules::{GATHER_ND, Handles, NONE, PACK, UNPACK};
use levada_graph::grad::attr;

attrs! {
    /// Multiplies a CSR matrix by a dense matrix, or the matrices of two batches.
    pub struct SparseMatrixMatMul {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Whether `a` is transposed.
        transpose_a: bool = Attr::bool("transpose_a").or_bool(false),
        /// Whether `b` is transposed.
        transpose_b: bool = Attr::bool("transpose_b").or_bool(false),
        /// Whether `a` is replaced by its conjugate transpose.
        adjoint_a: bool = Attr::bool("adjoint_a").or_bool(false),
        /// Whether `b` is replaced by its conjugate transpose.
        adjoint_b: bool = Attr::bool("adjoint_b").or_bool(false),
        /// Whether the product is transposed.
        transpose_output: bool = Attr::bool("transpose_output").or_bool(false),
        /// Whether the product is conjugated.
        conjugate_output: bool = Attr::bool("conjugate_output").or_bool(false),
    }
}

pub static SPARSE_MATRIX_MAT_MUL: Def<SparseMatrixMatMul> = op::<SparseMatrixMatMul>("SparseMatrixMatMul")
    .inputs(&[arg("a", is(DType::Variant)), arg("b", of("T"))])
    .outputs(&[arg("output", of("T"))])
    .shape(|op, cx| {
        op.turns()?;
        let Some(rank) = cx.input(1).rank() else { return Ok(()) };
        let b = cx.rank_at_least(1, 2)?;
        if rank > 3 {
            return Err(Error::invalid("b must be a matrix or a batch of matrices").found(format!("rank {rank}")));
        }
        let columns = b.dim(if op.transpose_b || op.adjoint_b { -2 } else { -1 });
        let mut dims = vec![None; rank];
        dims[rank - if op.transpose_output { 2 } else { 1 }] = columns;
        if rank == 3 {
            dims[0] = b.dim(0);
        }
        cx.output(0, PartialShape::new(dims));
        Ok(())
    })
    .gradient(gradient)
    .kernel(|op, cx| with_element!(op.dtype, |T| multiply::<T>(op, cx)))
    .heavy()
    .supports(|op| TYPES.contains(&op.dtype));

/// The transformation of an operand.
#[derive(Clone, Copy)]
struct Turn {
    transposed: bool,
    conjugated: bool,
}

impl Turn {
    fn of(transpose: bool, adjoint: bool) -> Turn {
        Turn { transposed: transpose || adjoint, conjugated: adjoint }
    }

    fn adjoint(self) -> Turn {
        Turn { transposed: !self.transposed, conjugated: !self.conjugated }
    }

    /// Returns the composition of two transformations.
    fn then(self, turned: Turn) -> Turn {
        Turn { transposed: self.transposed != turned.transposed, conjugated: self.conjugated != turned.conjugated }
    }

    /// Returns a sparse operand with this transformation, and whether to take its transpose or its conjugate
    /// transpose.
    fn operand<'g>(self, g: &'g GradCx, dtype: DType, matrix: V<'g>) -> (V<'g>, bool, bool) {
        match (self.transposed, self.conjugated && dtype.is_complex()) {
            (transposed, false) => (matrix, transposed, false),
            (true, true) => (matrix, false, true),
            (false, true) => {
                let adjoint = SparseMatrixTranspose { conjugate: true, dtype };
                (SPARSE_MATRIX_TRANSPOSE.node(g, &adjoint, &[matrix]), true, false)
            }
        }
    }
}

impl SparseMatrixMatMul {
    fn turns(&self) -> Result<(Turn, Turn)> {
        for (name, transpose, adjoint) in
            [("a", self.transpose_a, self.adjoint_a), ("b", self.transpose_b, self.adjoint_b)]
        {
            if transpose && adjoint {
                return Err(Error::invalid(format!("Only one of adjoint_{name} and transpose_{name} may be true.")));
            }
        }
        Ok((Turn::of(self.transpose_a, self.adjoint_a), Turn::of(self.transpose_b, self.adjoint_b)))
    }
}

/// Returns a matrix with the transformation of its operand applied.
fn turned(cx: &Cx<'_, '_>, csr: &Csr, turn: Turn) -> Result<Csr> {
    let csr = if turn.transposed { csr.transposed(cx)? } else { csr.clone() };
    if turn.conjugated { csr.conjugated() } else { Ok(csr) }
}

fn multiply<T: Number>(op: &SparseMatrixMatMul, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (turn_a, turn_b) = op.turns()?;
    let a = turned(cx, matrix(cx, 0, Some(op.dtype))?, turn_a)?;
    let shape = cx.input(1)?.shape().clone();
    if shape.rank() != a.shape.rank() || (shape.rank() == 3 && shape[0] != a.batch()) {
        return Err(Error::invalid("a and b must be matrices, or batches of as many matrices")
            .expected(format!("like shape {}", a.shape))
            .found(format!("shape {shape}")));
    }
    let (b_rows, b_columns) = (shape[shape.rank() - 2], shape[shape.rank() - 1]);
    let (inner, width) = if turn_b.transposed { (b_columns, b_rows) } else { (b_rows, b_columns) };
    let (height, columns) = a.size();
    if inner != columns {
        return Err(Error::invalid("the inner sizes of sparse matrices that are multiplied must agree")
            .expected(columns)
            .found(inner));
    }
    let (out_rows, out_columns) = if op.transpose_output { (width, height) } else { (height, width) };
    let batch = a.batch();
    let dims = [batch, out_rows, out_columns];
    let whole = Shape::new(dims[3 - shape.rank()..].iter().copied())?;
    let rows = Shape::new([batch, height, width])?;
    cx.device.arena.check(rows.num_elements().saturating_mul(2 * size_of::<T>()))?;
    let mut product = vec![T::zero(); rows.num_elements()];
    {
        let (values, b) = (a.values.slice::<T>()?, cx.slice::<T>(1)?);
        let nanos = 1.0 + (a.count() * width) as f64 / (batch * height).max(1) as f64;
        if width > 0 && height > 0 {
            cx.pool().for_chunks(&mut product, width, nanos, |first, rows| {
                for (i, out) in rows.chunks_exact_mut(width).enumerate() {
                    let (batch, row) = ((first + i) / height, (first + i) % height);
                    let b = &b[batch * b_rows * b_columns..][..b_rows * b_columns];
                    for at in a.row(batch, row) {
                        let (k, value) = (a.columns[at] as usize, values[at]);
                        for (j, out) in out.iter_mut().enumerate() {
                            let b = if turn_b.transposed { b[j * b_columns + k] } else { b[k * b_columns + j] };
                            *out = out.add(value.mul(if turn_b.conjugated { b.conj() } else { b }));
                        }
                    }
                }
            });
        }
    }
    cx.produce::<T>(0, &whole, |_, out| {
        for (at, out) in out.iter_mut().enumerate() {
            let from = match op.transpose_output {
                true => {
                    let (batch, i, j) = (at / (height * width), at / height % width, at % height);
                    (batch * height + j) * width + i
                }
                false => at,
            };
            *out = if op.conjugate_output { product[from].conj() } else { product[from] };
        }
        Ok(())
    })
}

fn gradient(op: &SparseMatrixMatMul, g: &GradCx) -> Grads {
    let (a, b) = (g.input(0), g.input(1));
    let Some(rank) = b.rank() else {
        g.fail(Error::unimplemented("the gradient of SparseMatrixMatMul where the rank of b is not known"));
        return vec![NONE; 2];
    };
    let (turn_a, turn_b) = (Turn::of(op.transpose_a, op.adjoint_a), Turn::of(op.transpose_b, op.adjoint_b));
    let order: &[i32] = if rank == 2 { &[1, 0] } else { &[0, 2, 1] };
    let transpose = |x: V<'_>| g.value(x.at).transpose(g.ints(order)).at;
    let dy = if op.conjugate_output { g.dy(0).conj() } else { g.dy(0) };
    let dy = if op.transpose_output { g.value(transpose(dy)) } else { dy };
    // With respect to b: the conjugate transpose of a, times dy.
    let (left, transpose_a, adjoint_a) = turn_a.adjoint().operand(g, op.dtype, a);
    let by_b = SparseMatrixMatMul {
        dtype: op.dtype,
        transpose_a,
        adjoint_a,
        transpose_b: false,
        adjoint_b: false,
        transpose_output: turn_b.transposed,
        conjugate_output: turn_b.conjugated,
    };
    let db = SPARSE_MATRIX_MAT_MUL.node(g, &by_b, &[left, dy]);
    // With respect to a: dy times the conjugate transpose of b, at the elements of a.
    let right = if turn_b.transposed { g.value(transpose(b)) } else { b };
    let right = if turn_b.conjugated { right } else { right.conj() };
    let there = CSR_SPARSE_MATRIX_TO_SPARSE_TENSOR.node(g, &OfCsr { dtype: op.dtype }, &[a]);
    let numbers = UNPACK.node(g, &[there], &[attr("num", rank as i64), attr("axis", 1i64)]);
    let rows_of = |x: V<'_>, axis: usize| {
        let (x, own) = (g.value(x.at), numbers.out(axis));
        match rank {
            2 => x.gather(own),
            _ => {
                let places = PACK.node(g, &[numbers, own], &[attr("N", 2i64), attr("axis", 1i64)]);
                GATHER_ND.node(g, &[x, places], &[attr("Tparams", op.dtype), attr("Tindices", DType::I64)])
            }
        }
    };
    let (row, column) = if turn_a.transposed { (rank - 1, rank - 2) } else { (rank - 2, rank - 1) };
    let values = (rows_of(dy, row) * rows_of(right, column)).sum(g.ints(&[-1]));
    let values = if turn_a.conjugated { values.conj() } else { values };
    let da = SPARSE_TENSOR_TO_CSR_SPARSE_MATRIX.node(g, &ToCsr { dtype: op.dtype }, &[there, values, there.out(2)]);
    vec![da.into(), db.into()]
}

attrs! {
    /// Multiplies two CSR matrices, or the matrices of two batches.
    pub struct SparseMatrixSparseMatMul {
        /// Element type.
        dtype: DType = Attr::dtype("type", TYPES),
        /// Whether `a` is transposed.
        transpose_a: bool = Attr::bool("transpose_a").or_bool(false),
        /// Whether `b` is transposed.
        transpose_b: bool = Attr::bool("transpose_b").or_bool(false),
        /// Whether `a` is replaced by its conjugate transpose.
        adjoint_a: bool = Attr::bool("adjoint_a").or_bool(false),
        /// Whether `b` is replaced by its conjugate transpose.
        adjoint_b: bool = Attr::bool("adjoint_b").or_bool(false),
    }
}

pub static SPARSE_MATRIX_SPARSE_MAT_MUL: Def<SparseMatrixSparseMatMul> =
    op::<SparseMatrixSparseMatMul>("SparseMatrixSparseMatMul")
        .inputs(&[arg("a", is(DType::Variant)), arg("b", is(DType::Variant))])
        .outputs(&[arg("c", is(DType::Variant))])
        .shape(|op, cx| {
            op.turns()?;
            cx.output_scalar(0);
            Ok(())
        })
        .gradient(|op, g| {
            let (a, b, dy) = (g.input(0), g.input(1), g.dy(0));
            let (turn_a, turn_b) = (Turn::of(op.transpose_a, op.adjoint_a), Turn::of(op.transpose_b, op.adjoint_b));
            let plain = Turn::of(false, false);
            let product = |left: (V<'_>, Turn), right: (V<'_>, Turn)| {
                let (left, transpose_a, adjoint_a) = left.1.operand(g, op.dtype, g.value(left.0.at));
                let (right, transpose_b, adjoint_b) = right.1.operand(g, op.dtype, g.value(right.0.at));
                let attrs =
                    SparseMatrixSparseMatMul { dtype: op.dtype, transpose_a, transpose_b, adjoint_a, adjoint_b };
                SPARSE_MATRIX_SPARSE_MAT_MUL.node(g, &attrs, &[left, right])
            };
            // For a transformed operand, the gradient is transformed back and the factors are swapped.
            let da = match turn_a.transposed {
                false => product((dy, plain), (b, turn_b.adjoint())),
                true => product((b, turn_b.adjoint().then(turn_a)), (dy, plain.then(turn_a))),
            };
            let db = match turn_b.transposed {
                false => product((a, turn_a.adjoint()), (dy, plain)),
                true => product((dy, plain.then(turn_b)), (a, turn_a.adjoint().then(turn_b))),
            };
            vec![pick(g, op.dtype, da, a).into(), pick(g, op.dtype, db, b).into()]
        })
        .kernel(|op, cx| {
            let (turn_a, turn_b) = op.turns()?;
            let a = turned(cx, matrix(cx, 0, Some(op.dtype))?, turn_a)?;
            let b = turned(cx, matrix(cx, 1, Some(op.dtype))?, turn_b)?;
            let product = with_element!(op.dtype, |T| sparse_product::<T>(cx, &a, &b)?);
            cx.set(0, handle(product));
            Ok(())
        })
        .heavy();

impl SparseMatrixSparseMatMul {
    fn turns(&self) -> Result<(Turn, Turn)> {
        let dense = SparseMatrixMatMul {
            dtype: self.dtype,
            transpose_a: self.transpose_a,
            transpose_b: self.transpose_b,
            adjoint_a: self.adjoint_a,
            adjoint_b: self.adjoint_b,
            transpose_output: false,
            conjugate_output: false,
        };
        dense.turns()
    }
}

/// Returns the product row by row: multiples of rows of `b` are accumulated in a row of their columns.
fn sparse_product<T: Number>(cx: &Cx<'_, '_>, a: &Csr, b: &Csr) -> Result<Csr> {
    let ((height, inner), (rows, width)) = (a.size(), b.size());
    if inner != rows || a.shape.rank() != b.shape.rank() || a.batch() != b.batch() {
        return Err(Error::invalid("sparse matrices that are multiplied must fit")
            .expected(format!("{inner} rows, in a batch of {}", a.batch()))
            .found(format!("shape {}", b.shape)));
    }
    cx.device.arena.check(width.saturating_mul(size_of::<T>() + size_of::<usize>()))?;
    let (from_a, from_b) = (a.values.slice::<T>()?, b.values.slice::<T>()?);
    let mut sums = vec![T::zero(); width];
    // The last row in which each column occurred.
    let mut met = vec![usize::MAX; width];
    let (mut columns, mut values, mut counts) = (Vec::new(), Vec::new(), Vec::new());
    for (number, (batch, _, own)) in a.rows().enumerate() {
        let before = columns.len();
        for at in own {
            for other in b.row(batch, a.columns[at] as usize) {
                let column = b.columns[other] as usize;
                let product = from_a[at].mul(from_b[other]);
                if met[column] == number {
                    sums[column] = sums[column].add(product);
                } else {
                    met[column] = number;
                    sums[column] = product;
                    columns.push(column as i32);
                }
            }
        }
        columns[before..].sort_unstable();
        values.extend(columns[before..].iter().map(|&column| sums[column as usize]));
        counts.push(columns.len() - before);
        if number % 1024 == 0 {
            cx.step().check()?;
            cx.device.arena.check(columns.len().saturating_mul(2 * (4 + size_of::<T>())))?;
        }
    }
    let mut dims = a.shape.to_vec();
    let rank = dims.len();
    (dims[rank - 2], dims[rank - 1]) = (height, width);
    Csr::of_rows(Shape::new(dims)?, &counts, columns, values)
}

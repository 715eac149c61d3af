//! `SparseTensorDenseMatMul`: a sparse matrix times a dense one.

use crate::coo::unsupported;
use crate::prelude::*;
use crate::rules::{BATCH_MAT_MUL_V2, CONJUGATE_TRANSPOSE, Handles, NONE, UNPACK, expand};
use levada_graph::grad::attr;

attrs! {
    /// Multiplies a sparse matrix by a dense one.
    pub struct SparseTensorDenseMatMul {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Element type of the indices.
        index: DType = Attr::dtype("Tindices", sets::INDEX).or_type(DType::I64),
        /// Whether to use the adjoint of the sparse matrix.
        adjoint_a: bool = Attr::bool("adjoint_a").or_bool(false),
        /// Whether to use the adjoint of the dense matrix.
        adjoint_b: bool = Attr::bool("adjoint_b").or_bool(false),
    }
}

pub static SPARSE_TENSOR_DENSE_MAT_MUL: Def<SparseTensorDenseMatMul> = op("SparseTensorDenseMatMul")
    .inputs(&[
        arg("a_indices", of("Tindices")),
        arg("a_values", of("T")),
        arg("a_shape", is(DType::I64)),
        arg("b", of("T")),
    ])
    .outputs(&[arg("product", of("T"))])
    .shape(shape)
    .flops(|_, inputs, outputs| {
        let columns = outputs.first()?.dim(1)? as f64;
        Some(2.0 * inputs.get(1)?.dim(0)? as f64 * columns)
    })
    .gradient(gradient)
    .kernel(sparse_tensor_dense_mat_mul)
    .heavy()
    .supports(|op| {
        use DType::*;
        matches!(op.dtype, F32 | F64 | I32 | C64 | C128 | F16 | BF16)
    });

fn shape(op: &SparseTensorDenseMatMul, cx: &mut ShapeCx<'_>) -> Result<()> {
    cx.with_rank(0, 2)?.merge(&PartialShape::new([None, Some(2)]))?;
    cx.with_rank(1, 1)?;
    let a = cx.constant_shape(2).merge(&PartialShape::of_rank(2))?;
    let b = cx.with_rank(3, 2)?;
    let pick = |shape: &PartialShape, swapped: bool, i: isize| shape.dim(if swapped { 1 - i } else { i });
    let (rows, inner) = (pick(&a, op.adjoint_a, 0), pick(&a, op.adjoint_a, 1));
    let (b_inner, columns) = (pick(&b, op.adjoint_b, 0), pick(&b, op.adjoint_b, 1));
    PartialShape::vector(inner).merge(&PartialShape::vector(b_inner))?;
    cx.output(0, PartialShape::new([rows, columns]));
    Ok(())
}

fn sparse_tensor_dense_mat_mul(op: &SparseTensorDenseMatMul, cx: &mut Cx<'_, '_>) -> Result<()> {
    dispatch!(op.dtype, floats_complex, |T| op.multiply::<T>(cx), else match op.dtype {
        DType::I32 => op.multiply::<i32>(cx),
        other => Err(unsupported("SparseTensorDenseMatMul", other)),
    })
}

impl SparseTensorDenseMatMul {
    fn multiply<T: Number>(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let wrong = |what: &str| Err(Error::invalid(what.to_owned()));
        let (indices, values, shape, b) = (cx.input(0)?, cx.input(1)?, cx.input(2)?, cx.input(3)?);
        let &[rows_b, columns_b] = b.shape().dims() else { return wrong("Tensor 'b' is not a matrix") };
        if shape.shape().rank() != 1 {
            return wrong("Tensor 'a_shape' is not a vector");
        }
        let &[rows_a, columns_a] = shape.slice::<i64>()? else { return wrong("Tensor 'a_shape' must have 2 elements") };
        if values.shape().rank() != 1 {
            return wrong("Tensor 'a_values' is not a vector");
        }
        let &[len, width] = indices.shape().dims() else { return wrong("Tensor 'a_indices' is not a matrix") };
        if len != values.num_elements() {
            return wrong("Number of rows of a_indices does not match number of entries in a_values");
        }
        if width != 2 {
            return wrong("Number of columns of a_indices does not match number of entries in a_shape");
        }
        let a = crate::coo::dense_shape(&[rows_a, columns_a])?;
        let (rows, inner) = if self.adjoint_a { (a[1], a[0]) } else { (a[0], a[1]) };
        let (b_inner, columns) = if self.adjoint_b { (columns_b, rows_b) } else { (rows_b, columns_b) };
        if inner != b_inner {
            return Err(Error::invalid(format!(
                "Cannot multiply A and B because inner dimension does not match: {inner} vs. {b_inner}.  Did you forget a \
                 transpose?  Dimensions of A: [{rows_a}, {columns_a}).  Dimensions of B: {}",
                b.shape()
            )));
        }
        let product = Shape::new([rows, columns])?;
        if product.num_elements() == 0 || values.num_elements() == 0 || b.num_elements() == 0 {
            let zeros = cx.zeros(self.dtype, &product)?;
            cx.set(0, zeros);
            return Ok(());
        }
        let indices = indices.to_i64s()?;
        let mut places = Vec::with_capacity(len);
        for (i, index) in indices.chunks_exact(2).enumerate() {
            let (m, k) = if self.adjoint_a { (index[1], index[0]) } else { (index[0], index[1]) };
            let (at_m, at_k) = if self.adjoint_a { (1, 0) } else { (0, 1) };
            let check = |name: &str, found: i64, at: usize, limit: usize| {
                usize::try_from(found).ok().filter(|&n| n < limit).ok_or_else(|| {
                    Error::invalid(format!("{name} ({found}) from index[{i},{at}] out of bounds (>={limit})"))
                })
            };
            places.push((check("m", m, at_m, rows)?, check("k", k, at_k, inner)?));
        }
        cx.produce::<T>(0, &product, |cx, out| {
            let (values, b) = (cx.slice::<T>(1)?, cx.slice::<T>(3)?);
            let mut sums = vec![T::Wide::zero(); out.len()];
            let cost = 1.0 + (len * columns) as f64 / rows as f64;
            cx.pool().for_chunks(&mut sums, columns, cost, |first, sums| {
                let mine = first..first + sums.len() / columns;
                for (&(m, k), &value) in places.iter().zip(values) {
                    if !mine.contains(&m) {
                        continue;
                    }
                    let value = if self.adjoint_a { value.conj() } else { value }.widen();
                    let sums = &mut sums[(m - mine.start) * columns..][..columns];
                    if self.adjoint_b {
                        for (j, sum) in sums.iter_mut().enumerate() {
                            *sum = sum.add(value.mul(b[j * columns_b + k].conj().widen()));
                        }
                    } else {
                        for (sum, b) in sums.iter_mut().zip(&b[k * columns..]) {
                            *sum = sum.add(value.mul(b.widen()));
                        }
                    }
                }
            });
            out.iter_mut().zip(sums).for_each(|(o, sum)| *o = T::narrow(sum));
            Ok(())
        })
    }
}

fn gradient(op: &SparseTensorDenseMatMul, g: &GradCx) -> Grads {
    let [indices, values, shape, b] = [0, 1, 2, 3].map(|i| g.input(i));
    let (turned, dy) = (g.ints(&[1, 0]), g.dy(0));
    let other = SparseTensorDenseMatMul { adjoint_a: !op.adjoint_a, adjoint_b: false, ..*op };
    let mut db = SPARSE_TENSOR_DENSE_MAT_MUL.node(g, &other, &[indices, values, shape, dy]);
    if op.adjoint_b {
        db = CONJUGATE_TRANSPOSE.call([db, turned]);
    }
    let both = UNPACK.node(g, &[indices], &[attr("num", 2i64), attr("axis", 1i64)]);
    let (row, column) = if op.adjoint_a { (both.out(1), both) } else { (both, both.out(1)) };
    let x = dy.gather(row);
    let y = if op.adjoint_b { b.transpose(turned) } else { b }.gather(column);
    // The product of a row and a column for each stored element.
    let product = |x: V<'_>, y: V<'_>, adj_x: bool, adj_y: bool| {
        BATCH_MAT_MUL_V2.node(g, &[g.value(x.at), g.value(y.at)], &[attr("adj_x", adj_x), attr("adj_y", adj_y)])
    };
    let da = match (op.adjoint_a, op.adjoint_b) {
        (false, false) => product(expand(g, x, -2), expand(g, y, -2), false, true),
        (true, false) => product(expand(g, x, -1), expand(g, y, -1), true, false),
        (false, true) => product(expand(g, x, -2), expand(g, y, -1), false, false),
        (true, true) => product(expand(g, x, -1), expand(g, y, -2), true, true),
    };
    vec![NONE, da.reshape(g.ints(&[-1])).into(), NONE, db.into()]
}

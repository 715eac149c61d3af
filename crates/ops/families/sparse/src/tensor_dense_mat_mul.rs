//! `SparseTensorDenseMatMul`: a sparse matrix times a dense one.

use crate::coo::unsupported;
use crate::prelude::*;
use crate::rules::{BATCH_MAT_MUL_V2, CONJUGATE_TRANSPOSE, Handles, NONE, UNPACK, expand};
use levada_graph::grad::attr;
use levada_ops_core::constant::{Cache, Recurring};
use std::sync::Arc;

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
        let order = self.known_order(cx)?.map_or_else(|| self.order(cx).map(Arc::new), Ok)?;
        if rows < order.most.0 || inner < order.most.1 {
            return Err(self.out_of_bounds(cx, [rows, inner])?);
        }
        if order.places.len() < len {
            return Err(Error::unimplemented("sparse matrices of more than 2^32 elements, rows or columns"));
        }
        let threads = cx.pool().parts(len, columns as f64 * 0.5 + 1.0);
        cx.produce::<T>(0, &product, |cx, out| {
            let (values, b) = (cx.slice::<T>(1)?, cx.slice::<T>(3)?);
            let (mut parts, mut rest, mut at) = (Vec::with_capacity(threads), out, 0..0);
            let mut first = 0;
            for part in 1..=threads {
                // A row is not divided.
                let end = order.places.get(part * len / threads).map_or(rows, |place| place.row as usize);
                let (own, more) = rest.split_at_mut((end.max(first) - first) * columns);
                rest = more;
                at = at.end..order.places.partition_point(|place| (place.row as usize) < end);
                parts.push((first, &order.places[at.clone()], own));
                first = end.max(first);
            }
            let nanos = len as f64 * (columns as f64 * 0.5 + 1.0) / threads as f64;
            cx.pool().for_each(parts, nanos, |(first, places, out)| {
                self.rows(first, places, (values, b), out, [columns, columns_b]);
            });
            Ok(())
        })
    }

    /// As [`SparseTensorDenseMatMul::order`], computed once for constant indices, and for those of a loop.
    fn known_order(&self, cx: &mut Cx<'_, '_>) -> Result<Option<Arc<Order>>> {
        let how = usize::from(self.adjoint_a);
        if let Some(cache) = Cache::of_constant(cx, 0)? {
            return cache.get(cx.input(0)?, how, || self.order(cx)).map(Some);
        }
        if !cx.node().in_loop && cx.step().scope.id == 0 {
            return Ok(None);
        }
        match Recurring::of_input(cx, 0)? {
            Some(recurring) => recurring.get(cx.input(0)?, how, || self.order(cx)),
            None => Ok(None),
        }
    }

    /// The stored elements, by the rows of the product that they contribute to, and in the given order in each.
    fn order(&self, cx: &Cx<'_, '_>) -> Result<Order> {
        let indices = cx.input(0)?;
        let (m, k) = if self.adjoint_a { (1, 0) } else { (0, 1) };
        match self.index {
            DType::I32 => Order::new(indices.slice::<i32>()?.as_chunks().0, [m, k]),
            _ => Order::new(indices.slice::<i64>()?.as_chunks().0, [m, k]),
        }
    }

    /// The error about the first index that lies outside the matrices.
    fn out_of_bounds(&self, cx: &Cx<'_, '_>, [rows, inner]: [usize; 2]) -> Result<Error> {
        let (at_m, at_k) = if self.adjoint_a { (1, 0) } else { (0, 1) };
        for (i, index) in cx.input(0)?.to_i64s()?.chunks_exact(2).enumerate() {
            for (name, at, limit) in [("m", at_m, rows), ("k", at_k, inner)] {
                let found = index[at];
                if usize::try_from(found).ok().is_none_or(|n| n >= limit) {
                    return Ok(Error::invalid(format!(
                        "{name} ({found}) from index[{i},{at}] out of bounds (>={limit})"
                    )));
                }
            }
        }
        Ok(Error::internal("all indices are within bounds"))
    }

    /// Computes rows of the product from number `first` on, to which these elements contribute.
    fn rows<T: Number>(
        &self,
        first: usize,
        places: &[Place],
        (values, b): (&[T], &[T]),
        out: &mut [T],
        [columns, columns_b]: [usize; 2],
    ) {
        let value = |place: &Place| {
            let value = values[place.element as usize];
            if self.adjoint_a { value.conj() } else { value }.widen()
        };
        let mut rest = places;
        let mut take = |row: usize| {
            let count = rest.iter().take_while(|place| place.row as usize == row).count();
            let (own, more) = rest.split_at(count);
            rest = more;
            own
        };
        vectorized_for!(T, {
            let mut sums = vec![T::Wide::zero(); columns];
            for (row, out) in (first..).zip(out.chunks_exact_mut(columns)) {
                let own = take(row);
                if let [out] = out {
                    let product = |place: &Place| {
                        let b = b[place.inner as usize];
                        value(place).mul(if self.adjoint_b { b.conj() } else { b }.widen())
                    };
                    *out = T::narrow(own.iter().fold(T::Wide::zero(), |sum, place| sum.add(product(place))));
                    continue;
                }
                sums.fill(T::Wide::zero());
                for place in own {
                    let (value, k) = (value(place), place.inner as usize);
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
                out.iter_mut().zip(&sums).for_each(|(out, sum)| *out = T::narrow(*sum));
            }
        });
    }
}

/// A stored element of the sparse matrix.
#[derive(Clone, Copy, Default)]
struct Place {
    /// Row of the product.
    row: u32,
    /// Row of the dense matrix.
    inner: u32,
    /// Number of the element.
    element: u32,
}

/// The stored elements by rows of the product.
struct Order {
    /// None if they cannot be numbered by 32 bits.
    places: Vec<Place>,
    /// The least sizes that the indices fit in: rows of the product, and of the dense matrix. More than any matrix has
    /// if one of them is negative.
    most: (usize, usize),
}

impl Order {
    /// Orders elements with these indices; `m` and `k`: where they have the row and the inner index.
    ///
    /// # Errors
    /// `RESOURCE_EXHAUSTED` if there is no memory for them.
    fn new<I: Copy + Into<i64>>(indices: &[[I; 2]], [m, k]: [usize; 2]) -> Result<Order> {
        let (mut places, mut is_ordered, mut last, mut most) = (room(indices.len())?, true, 0, (0, 0));
        for (index, element) in indices.iter().zip(0..) {
            // Those of negative numbers are the largest.
            let (row, inner) = (index[m].into() as u64, index[k].into() as u64);
            most = (row.max(most.0), inner.max(most.1));
            is_ordered &= row >= last;
            last = row;
            places.push(Place { row: row as u32, inner: inner as u32, element });
        }
        let is_small = [indices.len() as u64, most.0, most.1].iter().all(|&count| count < u64::from(u32::MAX));
        if !is_small {
            places = Vec::new();
        } else if !is_ordered {
            places = by_rows(places, most.0 as usize + 1)?;
        }
        let size = |most: u64| usize::try_from(most).map_or(usize::MAX, |most| most.saturating_add(1));
        Ok(Order { places, most: (size(most.0), size(most.1)) })
    }
}

/// Sorts elements by their rows, of which there are this many; those of a row stay in order.
fn by_rows(mut places: Vec<Place>, rows: usize) -> Result<Vec<Place>> {
    if rows > 8 * places.len() {
        places.sort_by_key(|place| place.row);
        return Ok(places);
    }
    let mut next = vec![0u32; rows + 1];
    places.iter().for_each(|place| next[place.row as usize + 1] += 1);
    for row in 0..rows {
        next[row + 1] += next[row];
    }
    let mut sorted = room(places.len())?;
    sorted.resize(places.len(), Place::default());
    for place in places {
        let at = &mut next[place.row as usize];
        sorted[*at as usize] = place;
        *at += 1;
    }
    Ok(sorted)
}

fn room(count: usize) -> Result<Vec<Place>> {
    let mut places = Vec::new();
    let no_memory = |_| Error::resource_exhausted(format!("no memory for the order of {count} elements"));
    places.try_reserve_exact(count).map_err(no_memory)?;
    Ok(places)
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

//! [`Csr`]: the CSR matrices in the variants of the `SparseMatrix` ops.

use crate::moves::Cell;
use crate::prelude::*;
use levada_graph::{Variant, VariantValue};
use levada_ops_core::variant_tensors::value;
use std::ops::Range;
use std::sync::Arc;

/// Element types.
pub const TYPES: &[DType] = &[DType::F32, DType::F64, DType::C64, DType::C128];

/// Expands `$body` with the Rust type of an element type.
macro_rules! with_element {
    ($d:expr, |$T:ident| $body:expr) => {
        levada_graph::dispatch!(@go $d, $T, $body,
            return Err(Error::unimplemented(format!("sparse matrices of {}", $d))),
            [F32 f32, F64 f64, C64 Complex32, C128 Complex64])
    };
}
pub(super) use with_element;

/// A CSR matrix, or a batch of matrices of equal size.
#[derive(Clone, Debug)]
pub struct Csr {
    /// Shape: batch size, if it is a batch, rows, columns.
    pub shape: Shape,
    /// Row pointers into `columns` and `values`: for each matrix the start of each row and the end of the last.
    starts: Arc<Vec<usize>>,
    /// Column indices of all elements, row by row.
    pub columns: Vec<i32>,
    /// Values of all elements.
    pub values: Tensor,
}

/// Returns a scalar variant that holds `csr`.
pub fn handle(csr: Csr) -> Tensor {
    Tensor::scalar(Variant::new(csr))
}

/// Returns the matrix in input `i`, which must have the element type `dtype`.
///
/// # Errors
/// `INVALID_ARGUMENT` if it is something else.
pub fn matrix<'a>(cx: &'a Cx<'_, '_>, i: usize, dtype: Option<DType>) -> Result<&'a Csr> {
    let csr: &Csr = value(cx, i, "CSRSparseMatrix")?;
    match dtype {
        Some(dtype) if csr.values.dtype() != dtype => {
            Err(Error::invalid("a sparse matrix is of another type").expected(dtype).found(csr.values.dtype()))
        }
        _ => Ok(csr),
    }
}

impl Csr {
    /// Returns the matrix with `values` at `indices`, which are sorted.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for indices out of bounds; `RESOURCE_EXHAUSTED` if there is no memory for its rows.
    pub fn new(cx: &Cx<'_, '_>, shape: &Shape, indices: &[i64], values: Tensor) -> Result<Csr> {
        Csr::check(shape, indices)?;
        let (rank, height) = (shape.rank(), shape[shape.rank() - 2]);
        let batch = if rank == 3 { shape[0] } else { 1 };
        let rows = batch.saturating_mul(height.saturating_add(1));
        cx.device.arena.check(rows.saturating_mul(size_of::<usize>()))?;
        let mut starts = vec![0usize; rows];
        for index in indices.chunks_exact(rank) {
            let batch = if rank == 3 { index[0] as usize } else { 0 };
            starts[batch * (height + 1) + index[rank - 2] as usize + 1] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let columns = indices.chunks_exact(rank).map(|index| index[rank - 1] as i32).collect();
        Ok(Csr { shape: shape.clone(), starts: Arc::new(starts), columns, values })
    }

    /// Checks that the shape is that of a matrix, and that the indices are in bounds.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` otherwise.
    pub fn check(shape: &Shape, indices: &[i64]) -> Result<()> {
        if let Some(size) = shape.iter().find(|size| i32::try_from(**size).is_err()) {
            return Err(Error::invalid("the sizes of sparse matrices must fit into int32").found(size));
        }
        let inside = |index: &[i64]| {
            index.iter().zip(shape.iter()).all(|(&i, &size)| usize::try_from(i).is_ok_and(|i| i < size))
        };
        match indices.chunks_exact(shape.rank()).find(|index| !inside(index)) {
            Some(index) => Err(Error::invalid("an index of a sparse matrix is out of bounds")
                .expected(format!("inside {shape}"))
                .found(format!("{index:?}"))),
            None => Ok(()),
        }
    }

    /// Returns the matrix with these columns and values; `rows` holds the row pointers of all matrices.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if the number of elements does not match.
    pub fn of_rows<T: Element>(shape: Shape, rows: &[usize], columns: Vec<i32>, values: Vec<T>) -> Result<Csr> {
        let height = shape[shape.rank() - 2];
        let mut starts = Vec::with_capacity(rows.len() + rows.len() / height.max(1));
        let (mut sum, batch) = (0, if shape.rank() == 3 { shape[0] } else { 1 });
        for batch in 0..batch {
            starts.push(sum);
            for count in &rows[batch * height..(batch + 1) * height] {
                sum += count;
                starts.push(sum);
            }
        }
        if sum != columns.len() || sum != values.len() {
            return Err(Error::internal("the rows of a sparse matrix do not fit its elements"));
        }
        Ok(Csr { shape, starts: Arc::new(starts), columns, values: Tensor::vector(values) })
    }

    /// Returns the values as complex128.
    ///
    /// # Errors
    /// `UNIMPLEMENTED` for other element types.
    pub fn wide(&self) -> Result<Vec<Complex64>> {
        let values = &self.values;
        Ok(match values.dtype() {
            DType::F32 => values.slice::<f32>()?.iter().map(|&v| Complex64::new(v.into(), 0.0)).collect(),
            DType::F64 => values.slice::<f64>()?.iter().map(|&v| Complex64::new(v, 0.0)).collect(),
            DType::C64 => {
                values.slice::<Complex32>()?.iter().map(|v| Complex64::new(v.re.into(), v.im.into())).collect()
            }
            DType::C128 => values.slice::<Complex64>()?.to_vec(),
            dtype => return Err(Error::unimplemented(format!("sparse matrices of {dtype}"))),
        })
    }

    /// Returns the same elements with other values.
    pub fn with_values(&self, values: Tensor) -> Csr {
        Csr { values, ..self.clone() }
    }

    /// Returns the number of matrices.
    pub fn batch(&self) -> usize {
        if self.shape.rank() == 3 { self.shape[0] } else { 1 }
    }

    /// Returns the total number of elements of all matrices.
    pub fn count(&self) -> usize {
        self.columns.len()
    }

    /// Returns the number of rows and columns of each matrix.
    pub fn size(&self) -> (usize, usize) {
        let rank = self.shape.rank();
        (self.shape[rank - 2], self.shape[rank - 1])
    }

    /// Returns the row pointers of a matrix.
    pub fn starts_of(&self, batch: usize) -> &[usize] {
        let height = self.size().0 + 1;
        &self.starts[batch * height..(batch + 1) * height]
    }

    /// Returns the positions of the elements of one row.
    pub fn row(&self, batch: usize, row: usize) -> Range<usize> {
        let starts = self.starts_of(batch);
        starts[row]..starts[row + 1]
    }

    /// Returns all rows: index of the matrix, index of the row, and positions of its elements.
    pub fn rows(&self) -> impl Iterator<Item = (usize, usize, Range<usize>)> + '_ {
        let height = self.size().0;
        (0..self.batch()).flat_map(move |batch| (0..height).map(move |row| (batch, row, self.row(batch, row))))
    }

    /// Returns the transpose of each matrix.
    ///
    /// # Errors
    /// `INTERNAL` if the values are not in host memory; `RESOURCE_EXHAUSTED` if there is no memory for its rows.
    pub fn transposed(&self, cx: &Cx<'_, '_>) -> Result<Csr> {
        let (height, width) = self.size();
        // One row per column, no matter how few elements there are.
        let rows = (self.batch() + 1).saturating_mul(width + 1);
        cx.device.arena.check(rows.saturating_mul(size_of::<usize>()).saturating_add(self.count() * 16))?;
        let mut dims = self.shape.to_vec();
        let rank = dims.len();
        dims.swap(rank - 2, rank - 1);
        let mut starts = Vec::with_capacity(self.batch() * (width + 1));
        let mut columns = vec![0; self.count()];
        let mut from = vec![0; self.count()];
        for batch in 0..self.batch() {
            cx.step().check()?;
            let mut next = vec![0; width + 1];
            let own = self.starts_of(batch);
            for &column in &self.columns[own[0]..own[height]] {
                next[column as usize + 1] += 1;
            }
            let mut sum = own[0];
            for start in &mut next {
                sum += *start;
                *start = sum;
            }
            starts.extend_from_slice(&next);
            for row in 0..height {
                for at in own[row]..own[row + 1] {
                    let to = &mut next[self.columns[at] as usize];
                    columns[*to] = row as i32;
                    from[*to] = at;
                    *to += 1;
                }
            }
        }
        let mut values = self.values.clone();
        cells!(self.values.dtype(), |T| {
            let old = T::cells(&self.values)?;
            T::cells_mut(&mut values)?.iter_mut().zip(&from).for_each(|(value, &at)| *value = old[at].clone());
        });
        Ok(Csr { shape: Shape::new(dims)?, starts: Arc::new(starts), columns, values })
    }

    /// Returns the complex conjugate of the matrix.
    ///
    /// # Errors
    /// `UNIMPLEMENTED` for other element types.
    pub fn conjugated(mut self) -> Result<Csr> {
        if self.values.dtype().is_complex() {
            with_element!(self.values.dtype(), |T| {
                self.values.slice_mut::<T>()?.iter_mut().for_each(|value| *value = Number::conj(*value));
            });
        }
        Ok(self)
    }

    /// Returns `alpha` times this matrix plus `beta` times another of the same size.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if the sizes differ.
    pub fn plus<T: Number>(&self, other: &Csr, alpha: T, beta: T) -> Result<Csr> {
        if self.shape != other.shape {
            return Err(Error::invalid("sparse matrices must be of the same size")
                .expected(&self.shape)
                .found(&other.shape));
        }
        let (a, b) = (self.values.slice::<T>()?, other.values.slice::<T>()?);
        let (mut columns, mut values, mut counts) = (Vec::new(), Vec::new(), Vec::new());
        for ((_, _, mut own), (_, _, mut others)) in self.rows().zip(other.rows()) {
            let before = columns.len();
            while !own.is_empty() || !others.is_empty() {
                let (i, j) = (own.start, others.start);
                let next = (
                    self.columns.get(i).filter(|_| !own.is_empty()),
                    other.columns.get(j).filter(|_| !others.is_empty()),
                );
                let (takes_own, takes_other) = match next {
                    (Some(own), Some(other)) => (own <= other, other <= own),
                    (own, other) => (own.is_some(), other.is_some()),
                };
                let of = |takes: bool, values: &[T], at: usize, factor: T| {
                    if takes { values[at].mul(factor) } else { T::zero() }
                };
                values.push(of(takes_own, a, i, alpha).add(of(takes_other, b, j, beta)));
                columns.push(if takes_own { self.columns[i] } else { other.columns[j] });
                own.start += usize::from(takes_own);
                others.start += usize::from(takes_other);
            }
            counts.push(columns.len() - before);
        }
        Csr::of_rows(self.shape.clone(), &counts, columns, values)
    }
}

/// Returns these elements as a vector of the element type `dtype`.
///
/// # Errors
/// `UNIMPLEMENTED` for other element types.
pub fn narrow(dtype: DType, values: &[Complex64]) -> Result<Tensor> {
    Ok(match dtype {
        DType::F32 => Tensor::vector(values.iter().map(|v| v.re as f32).collect()),
        DType::F64 => Tensor::vector(values.iter().map(|v| v.re).collect::<Vec<f64>>()),
        DType::C64 => Tensor::vector(values.iter().map(|v| Complex32::new(v.re as f32, v.im as f32)).collect()),
        DType::C128 => Tensor::vector(values.to_vec()),
        dtype => return Err(Error::unimplemented(format!("sparse matrices of {dtype}"))),
    })
}

impl VariantValue for Csr {
    fn type_name(&self) -> &'static str {
        "tensorflow::CSRSparseMatrix"
    }

    fn summary(&self) -> Option<String> {
        levada_ops_core::text::summarize::described(&Tensor::vector(self.shape.to_signed()))
    }

    fn zeros_like(&self) -> Result<Variant> {
        let mut starts = Vec::new();
        let rows = self.starts.len();
        starts.try_reserve_exact(rows).map_err(|_| Error::resource_exhausted(format!("no memory for {rows} rows")))?;
        starts.resize(rows, 0);
        let starts = Arc::new(starts);
        let values = Tensor::zeros(self.values.dtype(), Shape::vector(0));
        Ok(Variant::new(Csr { shape: self.shape.clone(), starts, columns: Vec::new(), values }))
    }

    fn add(&self, other: &Variant) -> Result<Variant> {
        let other = other.get::<Csr>().filter(|other| other.values.dtype() == self.values.dtype());
        let other = other.ok_or_else(|| Error::internal("a sparse matrix can be added to one of its type only"))?;
        with_element!(self.values.dtype(), |T| Ok(Variant::new(self.plus::<T>(other, T::one(), T::one())?)))
    }

    fn held(&self) -> usize {
        self.starts.len() * size_of::<usize>() + self.columns.len() * 4 + self.values.num_bytes()
    }
}

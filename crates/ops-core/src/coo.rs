//! Sparse tensors as seen by kernels.

use crate::moves::Cell;
use crate::prelude::*;
use std::cmp::Ordering;

/// A sparse tensor made up of three inputs.
pub struct Coo<'a> {
    /// The indices of all elements, concatenated.
    pub indices: &'a [i64],
    /// The values of the elements.
    pub values: &'a Tensor,
    /// The dense shape.
    pub shape: &'a [i64],
    /// Length of an index.
    pub rank: usize,
    /// Number of elements.
    pub len: usize,
}

impl<'a> Coo<'a> {
    /// Returns the sparse tensor in inputs `first` to `first + 2`.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if their shapes do not match.
    pub fn input(cx: &'a Cx<'_, '_>, first: usize) -> Result<Coo<'a>> {
        Coo::inputs(cx, [first, first + 1, first + 2])
    }

    /// Returns the sparse tensor in these inputs.
    ///
    /// # Errors
    /// See [`Coo::input`].
    pub fn inputs(cx: &'a Cx<'_, '_>, [indices, values, shape]: [usize; 3]) -> Result<Coo<'a>> {
        Coo::of(cx.input(indices)?, cx.input(values)?, cx.input(shape)?)
    }

    /// Returns the sparse tensor made up of three tensors.
    ///
    /// # Errors
    /// See [`Coo::input`].
    pub fn of(indices: &'a Tensor, values: &'a Tensor, shape: &'a Tensor) -> Result<Coo<'a>> {
        let (len, rank) = matrix(indices, "indices")?;
        vector(values, "values")?;
        vector(shape, "shape")?;
        if values.num_elements() != len {
            return Err(Error::invalid(format!(
                "indices and values rows (indexing dimension) must match. (indices = {len}, values = {})",
                values.num_elements()
            )));
        }
        if shape.num_elements() != rank {
            return Err(Error::invalid(format!(
                "Index rank ({rank}) and shape rank ({}) do not match",
                shape.num_elements()
            )));
        }
        Ok(Coo { indices: indices.slice()?, values, shape: shape.slice()?, rank, len })
    }

    /// Returns the index of element `i`.
    pub fn row(&self, i: usize) -> &'a [i64] {
        &self.indices[i * self.rank..(i + 1) * self.rank]
    }

    /// Returns the dense shape, checked to be a valid shape.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for a negative size or too many elements.
    pub fn dense_shape(&self) -> Result<Shape> {
        dense_shape(self.shape)
    }

    /// Checks that every index is in bounds and greater than the previous one.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` otherwise.
    pub fn check_sorted(&self) -> Result<()> {
        check_sorted(self.indices, self.rank, self.len, self.shape)
    }

    /// Checks that every index is in bounds.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` otherwise.
    pub fn check_bounds(&self) -> Result<()> {
        for i in 0..self.len {
            if !within(self.row(i), self.shape) {
                return Err(Error::invalid(format!(
                    "Sparse index tuple indices[{i}, :] = {:?} is out of bounds",
                    self.row(i)
                )));
            }
        }
        Ok(())
    }

    /// Returns the positions of the elements, sorted by index.
    pub fn sorted(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.len).collect();
        order.sort_by(|&a, &b| self.row(a).cmp(self.row(b)));
        order
    }
}

/// Returns the numbers of rows and columns of a matrix.
///
/// # Errors
/// `INVALID_ARGUMENT` for another rank.
pub fn matrix(tensor: &Tensor, what: &str) -> Result<(usize, usize)> {
    match tensor.shape().dims() {
        &[rows, columns] => Ok((rows, columns)),
        _ => Err(Error::invalid(format!("Input {what} should be a matrix but received shape {}", tensor.shape()))),
    }
}

/// Returns the length of a vector.
///
/// # Errors
/// `INVALID_ARGUMENT` for another rank.
pub fn vector(tensor: &Tensor, what: &str) -> Result<usize> {
    match tensor.shape().dims() {
        &[n] => Ok(n),
        _ => Err(Error::invalid(format!("Input {what} should be a vector but received shape {}", tensor.shape()))),
    }
}

/// Returns these sizes as a shape.
///
/// # Errors
/// See [`Coo::dense_shape`].
pub fn dense_shape(dims: &[i64]) -> Result<Shape> {
    if let Some(d) = dims.iter().find(|&&d| d < 0) {
        return Err(Error::invalid(format!("Expected shape dimensions to be non-negative, got {d}")));
    }
    Shape::from_signed(dims)
}

/// Returns whether every coordinate is in bounds.
pub fn within(index: &[i64], shape: &[i64]) -> bool {
    index.iter().zip(shape).all(|(i, d)| (0..*d).contains(i))
}

/// Returns the position of an index in a dense tensor; `None` if out of bounds.
pub fn place(index: &[i64], shape: &[usize]) -> Option<usize> {
    index.iter().zip(shape).try_fold(0, |at, (&i, &d)| {
        let i = usize::try_from(i).ok().filter(|&i| i < d)?;
        Some(at * d + i)
    })
}

/// Checks that each of `len` indices is in bounds and greater than the previous one.
///
/// # Errors
/// `INVALID_ARGUMENT` otherwise.
pub fn check_sorted(indices: &[i64], rank: usize, len: usize, shape: &[i64]) -> Result<()> {
    let index = |i: usize| &indices[i * rank..(i + 1) * rank];
    for i in 0..len {
        let here = Words(index(i), ",");
        if !within(index(i), shape) {
            let shape = Words(shape, ",");
            return Err(Error::invalid(format!(
                "indices[{i}] = [{here}] is out of bounds: need 0 <= index < [{shape}]"
            )));
        }
        if i == 0 {
            continue;
        }
        match index(i - 1).cmp(index(i)) {
            Ordering::Less => {}
            Ordering::Equal => return Err(Error::invalid(format!("indices[{i}] = [{here}] is repeated"))),
            Ordering::Greater => {
                return Err(Error::invalid(format!(
                    "indices[{i}] = [{here}] is out of order. Many sparse ops require sorted indices."
                ))
                .help("sort them with SparseReorder"));
            }
        }
    }
    Ok(())
}

/// Formats integers with a separator between them.
pub struct Words<'a>(pub &'a [i64], pub &'a str);

impl std::fmt::Display for Words<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (i, n) in self.0.iter().enumerate() {
            write!(f, "{}{n}", if i == 0 { "" } else { self.1 })?;
        }
        Ok(())
    }
}

/// Returns a matrix of indices, for a tensor of this rank.
///
/// # Errors
/// `INVALID_ARGUMENT` if there are too many.
pub fn indices(rank: usize, len: usize, indices: Vec<i64>) -> Result<Tensor> {
    Tensor::from_vec(Shape::new([len, rank])?, indices)
}

/// Returns the elements of a vector in the given order.
///
/// # Errors
/// `RESOURCE_EXHAUSTED` if there is not enough memory.
pub fn pick(cx: &Cx<'_, '_>, values: &Tensor, order: &[usize]) -> Result<Tensor> {
    let mut picked = cx.alloc(values.dtype(), &Shape::vector(order.len()))?;
    cells!(values.dtype(), |T| {
        let from = T::cells(values)?;
        T::cells_mut(&mut picked)?.iter_mut().zip(order).for_each(|(to, &i)| *to = from[i].clone());
    });
    Ok(picked)
}

/// Returns the error for a dtype that an op has no kernel for.
pub fn unsupported(op: &str, dtype: DType) -> Error {
    Error::unimplemented(format!("{op} of {dtype}"))
}

/// Returns the statically known number of elements and rank of the sparse tensor in these inputs.
///
/// # Errors
/// `INVALID_ARGUMENT` if the inputs cannot form a sparse tensor.
pub fn infer(cx: &ShapeCx<'_>, [indices, values, shape]: [usize; 3]) -> Result<(Dim, Dim)> {
    let indices = cx.with_rank(indices, 2)?;
    let values = cx.with_rank(values, 1)?;
    let shape = cx.with_rank(shape, 1)?;
    let len = PartialShape::vector(indices.dim(0)).merge(&values)?.dim(0);
    let rank = PartialShape::vector(indices.dim(1)).merge(&shape)?.dim(0);
    Ok((len, rank))
}

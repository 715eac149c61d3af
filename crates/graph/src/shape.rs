//! Shapes: known ([`Shape`]) and partly known ([`PartialShape`]).

use crate::error::{Error, Result};
use smallvec::SmallVec;
use std::fmt;
use std::ops::Deref;

/// The maximum number of axes of a tensor, as in TensorFlow.
pub const MAX_RANK: usize = 254;

/// The sizes of a tensor's axes. The number of elements is guaranteed not to overflow.
#[derive(PartialEq, Eq, Hash, Default)]
pub struct Shape(SmallVec<[usize; 4]>);

impl Clone for Shape {
    #[inline]
    fn clone(&self) -> Shape {
        // A plain copy; `SmallVec::clone` copies element by element.
        Shape(SmallVec::from_slice(&self.0))
    }
}

/// The error for shapes that cannot be broadcast together.
#[cold]
fn incompatible(a: &dyn fmt::Display, b: &dyn fmt::Display) -> Error {
    Error::invalid(format!("Incompatible shapes: {a} vs. {b}"))
        .expected("axes, counted from the last, whose sizes are equal or of which one is 1")
        .help("reshape, transpose or tile one of the inputs, or feed a value of another shape")
}

impl Shape {
    /// The shape of a scalar.
    pub fn scalar() -> Shape {
        Shape::default()
    }

    /// The shape with these sizes.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if the number of elements overflows or there are more than 254 axes.
    pub fn new(dims: impl IntoIterator<Item = usize>) -> Result<Shape> {
        // The number of sizes may come from an untrusted graph.
        Shape::checked(dims.into_iter().take(MAX_RANK + 1).collect())
    }

    fn checked(dims: SmallVec<[usize; 4]>) -> Result<Shape> {
        if dims.len() > MAX_RANK {
            return Err(Error::invalid(format!("a tensor has at most {MAX_RANK} axes")));
        }
        // Zero sizes must not hide an overflow of the others: products of some of the sizes are computed in many
        // places.
        let limit = i64::MAX as usize / 16;
        let elements = dims.iter().try_fold(1usize, |n, &d| n.checked_mul(d.max(1)).filter(|&n| n <= limit));
        match elements {
            Some(_) => Ok(Shape(dims)),
            None => Err(Error::invalid(format!("the shape {dims:?} has too many elements"))
                .expected(format!("at most {limit}, counting sizes of 0 as 1"))
                .help("check the sizes; data as large as this has to be split into several tensors")),
        }
    }

    /// The shape with these sizes, given as signed numbers.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for a negative size, and as [`Shape::new`].
    pub fn from_signed(dims: &[i64]) -> Result<Shape> {
        if let Some(d) = dims.iter().find(|&&d| d < 0) {
            return Err(Error::invalid(format!("Dimension {d} must be >= 0"))
                .expected("a size of at least 0 for each axis")
                .found(format!("{dims:?}"))
                .help("only reshaping nodes infer a size, from -1"));
        }
        Shape::new(dims.iter().map(|&d| d as usize))
    }

    /// A vector's shape.
    pub fn vector(n: usize) -> Shape {
        Shape(SmallVec::from_slice(&[n]))
    }

    /// Number of axes.
    pub fn rank(&self) -> usize {
        self.0.len()
    }

    /// Sizes of the axes.
    pub fn dims(&self) -> &[usize] {
        &self.0
    }

    /// Product of the sizes.
    pub fn num_elements(&self) -> usize {
        self.0.iter().product()
    }

    /// True for rank 0.
    pub fn is_scalar(&self) -> bool {
        self.0.is_empty()
    }

    /// Row-major strides in elements.
    pub fn strides(&self) -> SmallVec<[usize; 4]> {
        let mut strides: SmallVec<[usize; 4]> = SmallVec::from_elem(1, self.0.len());
        for i in (1..self.0.len()).rev() {
            strides[i - 1] = strides[i] * self.0[i];
        }
        strides
    }

    /// The shape that results when arrays of these two shapes are broadcast together.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if two sizes differ and neither is 1.
    pub fn broadcast(&self, other: &Shape) -> Result<Shape> {
        if self == other {
            return Ok(self.clone());
        }
        let rank = self.rank().max(other.rank());
        let size = |s: &Shape, i: usize| if i + s.rank() >= rank { s.0[i + s.rank() - rank] } else { 1 };
        let mut dims: SmallVec<[usize; 4]> = SmallVec::with_capacity(rank);
        for i in 0..rank {
            dims.push(match (size(self, i), size(other, i)) {
                (a, b) if a == b => a,
                (1, b) => b,
                (a, 1) => a,
                _ => return Err(incompatible(self, other)),
            });
        }
        Shape::new(dims)
    }

    /// The same sizes as signed numbers.
    pub fn to_signed(&self) -> Vec<i64> {
        self.0.iter().map(|&d| d as i64).collect()
    }
}

impl Deref for Shape {
    type Target = [usize];
    fn deref(&self) -> &[usize] {
        &self.0
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (i, d) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(",")?;
            }
            write!(f, "{d}")?;
        }
        f.write_str("]")
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A size that may be unknown.
pub type Dim = Option<usize>;

/// A shape whose rank or some of whose sizes may be unknown.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub enum PartialShape {
    /// The rank is unknown.
    #[default]
    Unknown,
    /// The rank is known, and the sizes that are `Some`.
    Ranked(SmallVec<[Dim; 4]>),
}

impl PartialShape {
    /// The shape of a scalar.
    pub fn scalar() -> PartialShape {
        PartialShape::Ranked(SmallVec::new())
    }

    /// The shape with these sizes.
    pub fn new(dims: impl IntoIterator<Item = Dim>) -> PartialShape {
        PartialShape::Ranked(dims.into_iter().collect())
    }

    /// A shape of this rank with unknown sizes.
    pub fn of_rank(rank: usize) -> PartialShape {
        PartialShape::Ranked(SmallVec::from_elem(None, rank))
    }

    /// A vector of this size.
    pub fn vector(n: Dim) -> PartialShape {
        PartialShape::new([n])
    }

    /// From sizes where -1 (or any negative number) means unknown.
    pub fn from_signed(dims: &[i64]) -> PartialShape {
        PartialShape::new(dims.iter().map(|&d| usize::try_from(d).ok()))
    }

    /// The sizes, if the rank is known.
    pub fn dims(&self) -> Option<&[Dim]> {
        match self {
            PartialShape::Unknown => None,
            PartialShape::Ranked(dims) => Some(dims),
        }
    }

    /// The rank, if known.
    pub fn rank(&self) -> Option<usize> {
        self.dims().map(<[Dim]>::len)
    }

    /// The size of axis `i`, if known; negative `i` counts from the end.
    pub fn dim(&self, i: isize) -> Dim {
        let dims = self.dims()?;
        let i = if i < 0 { i + dims.len() as isize } else { i };
        usize::try_from(i).ok().and_then(|i| dims.get(i).copied().flatten())
    }

    /// The full shape, if every size is known and the number of elements does not overflow.
    pub fn known(&self) -> Option<Shape> {
        let dims: Option<Vec<usize>> = self.dims()?.iter().copied().collect();
        Shape::new(dims?).ok()
    }

    /// Number of elements, if every size is known.
    pub fn num_elements(&self) -> Option<usize> {
        self.known().map(|s| s.num_elements())
    }

    /// True if a tensor of shape `shape` fits.
    pub fn accepts(&self, shape: &Shape) -> bool {
        self.dims().is_none_or(|dims| {
            dims.len() == shape.rank() && dims.iter().zip(shape.iter()).all(|(d, s)| d.is_none_or(|d| d == *s))
        })
    }

    /// True if some shape fits both.
    pub fn is_compatible(&self, other: &PartialShape) -> bool {
        self.merge(other).is_ok()
    }

    /// Combines the known sizes of both.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if they contradict each other.
    pub fn merge(&self, other: &PartialShape) -> Result<PartialShape> {
        let (a, b) = match (self.dims(), other.dims()) {
            (None, _) => return Ok(other.clone()),
            (_, None) => return Ok(self.clone()),
            (Some(a), Some(b)) => (a, b),
        };
        let clash = || Error::invalid(format!("the shapes {self} and {other} are not compatible"));
        if a.len() != b.len() {
            return Err(clash());
        }
        let merged: Option<SmallVec<[Dim; 4]>> = a
            .iter()
            .zip(b)
            .map(|(a, b)| match (a, b) {
                (Some(x), Some(y)) if x != y => None,
                (x, y) => Some(x.or(*y)),
            })
            .collect();
        merged.map(PartialShape::Ranked).ok_or_else(clash)
    }

    /// The most specific shape that covers both: sizes that differ become unknown.
    pub fn relax(&self, other: &PartialShape) -> PartialShape {
        match (self.dims(), other.dims()) {
            (Some(a), Some(b)) if a.len() == b.len() => {
                PartialShape::new(a.iter().zip(b).map(|(a, b)| if a == b { *a } else { None }))
            }
            _ => PartialShape::Unknown,
        }
    }

    /// The shape that results when arrays of these two shapes are broadcast together.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if two known sizes differ and neither is 1.
    pub fn broadcast(&self, other: &PartialShape) -> Result<PartialShape> {
        let (Some(a), Some(b)) = (self.dims(), other.dims()) else { return Ok(PartialShape::Unknown) };
        let rank = a.len().max(b.len());
        let size = |s: &[Dim], i: usize| if i + s.len() >= rank { s[i + s.len() - rank] } else { Some(1) };
        let mut dims = SmallVec::new();
        for i in 0..rank {
            dims.push(match (size(a, i), size(b, i)) {
                (Some(x), Some(y)) if x == y => Some(x),
                (Some(1), d) | (d, Some(1)) => d,
                (Some(x), None) | (None, Some(x)) => Some(x),
                (None, None) => None,
                _ => return Err(incompatible(self, other)),
            });
        }
        Ok(PartialShape::Ranked(dims))
    }

    /// Concatenates the two shapes.
    pub fn concat(&self, other: &PartialShape) -> PartialShape {
        match (self.dims(), other.dims()) {
            (Some(a), Some(b)) => PartialShape::new(a.iter().chain(b).copied()),
            _ => PartialShape::Unknown,
        }
    }
}

impl From<Shape> for PartialShape {
    fn from(shape: Shape) -> PartialShape {
        PartialShape::from(&shape)
    }
}

impl<const N: usize> From<[i64; N]> for PartialShape {
    /// Negative sizes are unknown.
    fn from(dims: [i64; N]) -> PartialShape {
        PartialShape::from_signed(&dims)
    }
}

impl From<&Shape> for PartialShape {
    fn from(shape: &Shape) -> PartialShape {
        PartialShape::new(shape.iter().map(|&d| Some(d)))
    }
}

impl fmt::Display for PartialShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(dims) = self.dims() else { return f.write_str("<unknown>") };
        f.write_str("[")?;
        for (i, d) in dims.iter().enumerate() {
            if i > 0 {
                f.write_str(",")?;
            }
            match d {
                Some(d) => write!(f, "{d}")?,
                None => f.write_str("?")?,
            }
        }
        f.write_str("]")
    }
}

impl fmt::Debug for PartialShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

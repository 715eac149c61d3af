//! Parts of tensors: a range of each axis.

use crate::proto;
use levada_graph::{Error, Result, Shape, Tensor};
use std::fmt;
use std::ops::Range;

/// Part of an axis.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Extent {
    /// Its first index.
    pub start: usize,
    /// Its length; `None` for the whole axis.
    pub length: Option<usize>,
}

/// Part of a tensor: one extent for each axis. The text form `0,3:-` means three rows from row 0 on and all columns.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Slice(Vec<Extent>);

impl Slice {
    /// All of a tensor with this many axes.
    pub fn full(rank: usize) -> Slice {
        Slice(vec![Extent { start: 0, length: None }; rank])
    }

    /// The part that these extents make up.
    pub fn new(extents: impl IntoIterator<Item = Extent>) -> Slice {
        Slice(extents.into_iter().collect())
    }

    /// One extent for each axis.
    pub fn extents(&self) -> &[Extent] {
        &self.0
    }

    /// Parses `0,3:-`; the empty text is the part of a scalar.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for anything else.
    pub fn parse(text: &str) -> Result<Slice> {
        let extent = |part: &str| {
            if part == "-" {
                return Ok(Extent { start: 0, length: None });
            }
            let number = |text: &str| text.parse::<usize>().ok().filter(|n| *n <= i64::MAX as usize);
            let pair = part.split_once(',').and_then(|(a, b)| Some((number(a)?, number(b)?)));
            match pair {
                Some((start, length)) if length > 0 && start.checked_add(length).is_some() => {
                    Ok(Extent { start, length: Some(length) })
                }
                _ => {
                    Err(Error::invalid(format!("Expected a pair of numbers or '-' but got '{part}': string = {text}")))
                }
            }
        };
        if text.is_empty() {
            return Ok(Slice::default());
        }
        Ok(Slice(text.split(':').map(extent).collect::<Result<_>>()?))
    }

    /// Parses `7 6 0,3:-`: the full shape of the tensor, and a part of it.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if the text is malformed, or the part is not within the whole.
    pub fn parse_with_shape(text: &str) -> Result<(Shape, Slice)> {
        let wrong = |why: &str| {
            Error::invalid(format!("{why} in shape_and_slice specification: {text}"))
                .expected("the sizes of the whole and a part, such as \"7 6 0,3:-\"")
        };
        let (sizes, slice) = text.rsplit_once(' ').ok_or_else(|| wrong("Need at least two elements"))?;
        let sizes = sizes.split(' ').map(|n| n.parse().map_err(|_| wrong("Non numerical dimension")));
        let shape = Shape::new(sizes.collect::<Result<Vec<usize>>>()?)?;
        let slice = Slice::parse(slice)?;
        slice.shape_in(&shape)?;
        Ok((shape, slice))
    }

    /// The shape of this part of a tensor of shape `whole`.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if the tensor has no such part.
    pub fn shape_in(&self, whole: &Shape) -> Result<Shape> {
        Shape::new(self.ranges(whole)?.into_iter().map(|r| r.len()))
    }

    /// True if this is all of a tensor of shape `whole`.
    pub fn is_all_of(&self, whole: &Shape) -> bool {
        let is_all = |(extent, &size): (&Extent, &usize)| extent.start == 0 && extent.length.unwrap_or(size) == size;
        self.0.len() == whole.rank() && self.0.iter().zip(whole.dims()).all(is_all)
    }

    /// The range of each axis of a tensor of shape `whole`.
    pub(crate) fn ranges(&self, whole: &Shape) -> Result<Vec<Range<usize>>> {
        let range = |(extent, &size): (&Extent, &usize)| {
            let end = extent.length.map_or(Some(size), |length| extent.start.checked_add(length))?;
            (extent.start <= end && end <= size).then_some(extent.start..end)
        };
        let ranges = || self.0.iter().zip(whole.dims()).map(range).collect::<Option<Vec<_>>>();
        let ranges = if self.0.len() == whole.rank() { ranges() } else { None };
        ranges.ok_or_else(|| Error::invalid(format!("a tensor of shape {whole} has no part {self}")))
    }

    pub(crate) fn from_proto(proto: &proto::TensorSlice) -> Option<Slice> {
        let length = |length: i64| match length {
            -1 => Some(None),
            n => usize::try_from(n).ok().map(Some),
        };
        let extent = |e: &proto::Extent| {
            Some(Extent { start: usize::try_from(e.start).ok()?, length: length(e.length.unwrap_or(-1))? })
        };
        Some(Slice(proto.extent.iter().map(extent).collect::<Option<_>>()?))
    }

    pub(crate) fn to_proto(&self) -> proto::TensorSlice {
        let extent = |e: &Extent| proto::Extent { start: e.start as i64, length: e.length.map(|n| n as i64) };
        proto::TensorSlice { extent: self.0.iter().map(extent).collect() }
    }
}

impl fmt::Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, extent) in self.0.iter().enumerate() {
            let between = if i == 0 { "" } else { ":" };
            match extent.length {
                Some(length) => write!(f, "{between}{},{length}", extent.start)?,
                None => write!(f, "{between}-")?,
            }
        }
        Ok(())
    }
}

/// The intersection of two parts, as runs of elements that are contiguous in both.
pub(crate) struct Overlap {
    /// For the first and the second part: strides of its axes, and its first common element.
    sides: [(Vec<usize>, usize); 2],
    /// Sizes of the axes that are iterated over.
    outer: Vec<usize>,
    run: usize,
}

impl Overlap {
    /// `None` if they do not intersect.
    pub(crate) fn of(first: &[Range<usize>], second: &[Range<usize>]) -> Option<Overlap> {
        let common: Vec<Range<usize>> =
            first.iter().zip(second).map(|(a, b)| a.start.max(b.start)..a.end.min(b.end)).collect();
        if common.iter().any(Range::is_empty) {
            return None;
        }
        // Axes that are whole in both form one run together with the axis before them.
        let whole = |i: usize| common[i] == first[i] && common[i] == second[i];
        let inner = (1..common.len()).rev().take_while(|&i| whole(i)).last().unwrap_or(common.len()).saturating_sub(1);
        let run = common[inner.min(common.len())..].iter().map(Range::len).product();
        let side = |part: &[Range<usize>]| {
            let strides: Vec<usize> = (0..part.len()).map(|i| part[i + 1..].iter().map(Range::len).product()).collect();
            let start = (0..part.len()).map(|i| (common[i].start - part[i].start) * strides[i]).sum();
            (strides, start)
        };
        let sides = [side(first), side(second)];
        Some(Overlap { sides, outer: common[..inner.min(common.len())].iter().map(Range::len).collect(), run })
    }

    /// Number of elements.
    pub(crate) fn len(&self) -> usize {
        self.outer.iter().product::<usize>() * self.run
    }

    /// Calls `each` with the position of each run in the first part, its position in the second, and its length.
    pub(crate) fn runs(&self, mut each: impl FnMut(usize, usize, usize)) {
        let mut at = vec![0; self.outer.len()];
        loop {
            let place = |(strides, start): &(Vec<usize>, usize)| {
                start + at.iter().zip(strides).map(|(i, stride)| i * stride).sum::<usize>()
            };
            each(place(&self.sides[0]), place(&self.sides[1]), self.run);
            let Some(axis) = (0..at.len()).rev().find(|&i| at[i] + 1 < self.outer[i]) else { return };
            at[axis] += 1;
            at[axis + 1..].fill(0);
        }
    }

    /// Copies the common elements of `first` to `second`.
    ///
    /// # Errors
    /// `INTERNAL` if the two have different dtypes.
    pub(crate) fn copy(&self, first: &Tensor, second: &mut Tensor) -> Result<()> {
        let size = first.dtype().size();
        match (first.bytes(), second.dtype() == first.dtype()) {
            (_, false) => return Err(Error::internal("parts of a tensor are not of one dtype")),
            (Some(from), _) => {
                let to = second.bytes_mut().ok_or_else(|| Error::internal("a tensor without bytes"))?;
                self.runs(|a, b, n| to[b * size..(b + n) * size].copy_from_slice(&from[a * size..(a + n) * size]));
            }
            (None, _) => {
                let (from, to) = (first.slice::<bytes::Bytes>()?, second.slice_mut::<bytes::Bytes>()?);
                self.runs(|a, b, n| to[b..b + n].clone_from_slice(&from[a..a + n]));
            }
        }
        Ok(())
    }
}

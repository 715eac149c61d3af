//! The interpretation of the inputs and masks of the strided slice ops.

use super::{Axis, Layout, Strided};
use crate::prelude::*;
use smallvec::SmallVec;
use std::ops::Range;

/// The five masks of a strided slice op.
#[derive(Clone, Copy, Debug, Default)]
pub struct Masks {
    /// Bit `i`: entry `i` ignores its begin.
    pub begin: i64,
    /// Bit `i`: entry `i` ignores its end.
    pub end: i64,
    /// Bit `i`: entry `i` stands for all axes without another entry.
    pub ellipsis: i64,
    /// Bit `i`: entry `i` adds an axis of size 1.
    pub new_axis: i64,
    /// Bit `i`: entry `i` selects one index and removes its axis.
    pub shrink_axis: i64,
}

/// Declares the struct of a strided slice op: the given attrs, then the five masks, and `masks()`, which returns them.
#[macro_export]
macro_rules! mask_attrs {
    ($(#[doc = $meta:literal])* pub struct $name:ident { $($attrs:tt)* }) => {
        attrs! {
            $(#[doc = $meta])*
            pub struct $name {
                $($attrs)*
                /// Bit `i` set: ignore `begin[i]` and start at the first element in the direction of the stride.
                begin_mask: i64 = Attr::int("begin_mask").or_int(0),
                /// Bit `i` set: ignore `end[i]` and continue to the last element in the direction of the stride.
                end_mask: i64 = Attr::int("end_mask").or_int(0),
                /// Bit `i` set: entry `i` is an ellipsis, which stands for all remaining axes.
                ellipsis_mask: i64 = Attr::int("ellipsis_mask").or_int(0),
                /// Bit `i` set: entry `i` is a new axis of size 1.
                new_axis_mask: i64 = Attr::int("new_axis_mask").or_int(0),
                /// Bit `i` set: entry `i` selects one index and removes the axis.
                shrink_axis_mask: i64 = Attr::int("shrink_axis_mask").or_int(0),
            }
        }

        impl $name {
            /// Returns the masks of the op.
            pub fn masks(&self) -> $crate::moves::Masks {
                $crate::moves::Masks {
                    begin: self.begin_mask,
                    end: self.end_mask,
                    ellipsis: self.ellipsis_mask,
                    new_axis: self.new_axis_mask,
                    shrink_axis: self.shrink_axis_mask,
                }
            }
        }
    };
}

mask_attrs! {
    /// The attrs of strided slices.
    pub struct StridedSlice {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Element type of `begin`, `end` and `strides`.
        index: DType = Attr::dtype("Index", &[DType::I16, DType::I32, DType::I64]),
    }
}

/// The selection from one input axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pick {
    /// First index.
    pub begin: i64,
    /// Distance between indices; never 0.
    pub stride: i64,
    /// Number of indices.
    pub len: usize,
}

impl Pick {
    fn step(&self, stride: usize) -> isize {
        // With at most one element the distance is irrelevant, and it might overflow.
        if self.len <= 1 { 0 } else { self.stride as isize * stride as isize }
    }
}

/// An axis of the result.
#[derive(Clone, Copy, Debug)]
enum Source {
    Input(usize),
    New,
}

/// A strided slice of a tensor of known shape: the selection from each input axis, and the shape of the result.
#[derive(Clone, Debug)]
pub struct Slices {
    /// The selection from each axis of the input.
    pub picks: SmallVec<[Pick; 4]>,
    /// Shape of the result, with axes removed and added.
    pub shape: Shape,
    /// The origin of each axis of the result.
    sources: SmallVec<[Source; 4]>,
}

/// The begin or end of a slice along an axis.
#[derive(Clone, Copy)]
enum Bound {
    /// The end of the axis in that direction.
    Open,
    At(i64),
    /// Not statically known.
    Unknown,
}

/// `begin`, `end`, `strides` and the masks for one axis of the input.
#[derive(Clone, Copy)]
struct Entry {
    begin: Bound,
    end: Bound,
    /// `None` if it is not statically known.
    stride: Option<i64>,
    shrink: bool,
}

const WHOLE: Entry = Entry { begin: Bound::Open, end: Bound::Open, stride: Some(1), shrink: false };

type Entries = SmallVec<[Entry; 4]>;
type Sources = SmallVec<[Source; 4]>;

/// The three inputs; `None` for one that is not statically known.
struct Given<'a> {
    count: usize,
    begin: Option<&'a [i64]>,
    end: Option<&'a [i64]>,
    strides: Option<&'a [i64]>,
}

impl Masks {
    fn bit(mask: i64, i: usize) -> bool {
        mask >> i & 1 == 1
    }

    fn entry(self, given: &Given<'_>, i: usize) -> Entry {
        let at = |list: Option<&[i64]>| list.map_or(Bound::Unknown, |v| Bound::At(v[i]));
        let shrink = Masks::bit(self.shrink_axis, i);
        // For an axis that is removed the begin is used, whether masked or not.
        let open = |mask: i64| Masks::bit(mask, i) && !shrink;
        Entry {
            begin: if open(self.begin) { Bound::Open } else { at(given.begin) },
            end: if open(self.end) { Bound::Open } else { at(given.end) },
            stride: given.strides.map(|v| v[i]),
            shrink,
        }
    }

    /// Returns the entry for each of the `rank` axes of the input, and the axes of the result.
    fn spread(self, rank: usize, given: &Given<'_>) -> Result<(Entries, Sources)> {
        let count = given.count;
        if count >= 32 {
            return Err(Error::invalid(format!("a strided slice has fewer than 32 entries, not {count}")));
        }
        if self.ellipsis & self.ellipsis.wrapping_sub(1) != 0 {
            return Err(Error::invalid("Multiple ellipses in slice spec not allowed"));
        }
        let (mut axes, mut result) = (SmallVec::new(), SmallVec::new());
        let whole_until = |axes: &mut SmallVec<[Entry; 4]>, result: &mut SmallVec<[Source; 4]>, end: usize| {
            while axes.len() < end {
                result.push(Source::Input(axes.len()));
                axes.push(WHOLE);
            }
        };
        for i in 0..count {
            if Masks::bit(self.ellipsis, i) {
                let added = (i + 1..count).filter(|&j| Masks::bit(self.new_axis, j)).count();
                let end = (rank + 1 + added).saturating_sub(count - i).min(rank);
                whole_until(&mut axes, &mut result, end);
            } else if Masks::bit(self.new_axis, i) {
                result.push(Source::New);
            } else if axes.len() == rank {
                return Err(Error::invalid(format!(
                    "Index out of range using input dim {rank}; input has only {rank} dims"
                )));
            } else {
                let entry = self.entry(given, i);
                if !entry.shrink {
                    result.push(Source::Input(axes.len()));
                }
                axes.push(entry);
            }
        }
        whole_until(&mut axes, &mut result, rank);
        Ok((axes, result))
    }
}

/// Returns the selection by `entry` from axis number `axis` of size `dim`; `None` if it is not statically known.
fn pick(axis: usize, dim: usize, entry: Entry) -> Result<Option<Pick>> {
    let Some(stride) = entry.stride else { return Ok(None) };
    let dim = dim as i64;
    if stride == 0 {
        return Err(Error::invalid(format!("strides[{axis}] must be non-zero")));
    }
    if entry.shrink {
        if stride < 0 {
            return Err(Error::invalid("only stride 1 allowed on non-range indexing."));
        }
        let Bound::At(given) = entry.begin else { return Ok(None) };
        let begin = if given < 0 { given.saturating_add(dim) } else { given };
        if !(0..dim).contains(&begin) {
            return Err(Error::invalid(format!("slice index {given} of dimension {axis} out of bounds.")));
        }
        return Ok(Some(Pick { begin, stride: 1, len: 1 }));
    }
    let (lowest, highest) = if stride > 0 { (0, dim) } else { (-1, dim - 1) };
    let (first, past) = if stride > 0 { (lowest, highest) } else { (highest, lowest) };
    let clamp = |x: i64| (if x < 0 { x.saturating_add(dim) } else { x }).clamp(lowest, highest);
    let place = |bound: Bound, open: i64| match bound {
        Bound::Open => Some(open),
        Bound::At(x) => Some(clamp(x)),
        Bound::Unknown => None,
    };
    let (Some(begin), Some(end)) = (place(entry.begin, first), place(entry.end, past)) else { return Ok(None) };
    let span = if stride > 0 { end - begin } else { begin - end };
    let len = if span <= 0 { 0 } else { (span as u64).div_ceil(stride.unsigned_abs()) as usize };
    Ok(Some(Pick { begin, stride, len }))
}

impl Slices {
    /// Returns the slice of a tensor of shape `input` given by these inputs and masks.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` as in TensorFlow's validation.
    pub fn new(input: &Shape, begin: &Tensor, end: &Tensor, strides: &Tensor, masks: Masks) -> Result<Slices> {
        let count = begin.num_elements();
        if ![begin, end, strides].iter().all(|t| t.shape().rank() == 1 && t.num_elements() == count) {
            return Err(Error::invalid(format!(
                "Expected begin, end, and strides to be 1D equal size tensors, but got shapes {}, {}, and {} instead.",
                begin.shape(),
                end.shape(),
                strides.shape()
            )));
        }
        let (begin, end, strides) = (begin.to_i64s()?, end.to_i64s()?, strides.to_i64s()?);
        let given = Given { count, begin: Some(&begin), end: Some(&end), strides: Some(&strides) };
        let (axes, result) = masks.spread(input.rank(), &given)?;
        let mut picks: SmallVec<[Pick; 4]> = SmallVec::with_capacity(input.rank());
        for (axis, (entry, &dim)) in axes.iter().zip(input.iter()).enumerate() {
            picks.push(pick(axis, dim, *entry)?.ok_or_else(|| Error::internal("a strided slice of unknown bounds"))?);
        }
        let shape = Shape::new(result.iter().map(|source| match source {
            Source::Input(axis) => picks[*axis].len,
            Source::New => 1,
        }))?;
        Ok(Slices { picks, shape, sources: result })
    }

    /// Returns the positions of the result's elements in a tensor of shape `input`.
    pub fn layout(&self, input: &Shape) -> Layout {
        let axes = self.picks.iter().zip(input.strides());
        Layout::new(axes.map(|(p, s)| Axis::strided(p.len, p.begin as isize * s as isize, p.step(s))))
    }

    /// Returns the same positions, for writing.
    pub fn target(&self, input: &Shape) -> Strided {
        let axes = || self.picks.iter().zip(input.strides());
        Strided {
            offset: axes().map(|(p, s)| p.begin as isize * s as isize).sum(),
            axes: axes().map(|(p, s)| (p.len, p.step(s))).collect(),
        }
    }

    /// Addresses the elements of a tensor of shape `value`, broadcast to the shape of the slice.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if it cannot be broadcast.
    pub fn source(&self, value: &Shape) -> Result<Strided> {
        let wrong =
            || Error::invalid(format!("Cannot assign a value of shape {value} to a slice of shape {}", self.shape));
        // Extra leading axes of size 1 are ignored.
        let surplus = value.rank().saturating_sub(self.shape.rank());
        let missing = self.shape.rank().saturating_sub(value.rank());
        if value[..surplus].iter().any(|&d| d != 1) {
            return Err(wrong());
        }
        let mut steps: SmallVec<[isize; 4]> = SmallVec::from_elem(0, missing);
        for ((&size, &stride), &whole) in value.iter().zip(&value.strides()).skip(surplus).zip(&self.shape[missing..]) {
            match size {
                _ if size == whole => steps.push(stride as isize),
                1 => steps.push(0),
                _ => return Err(wrong()),
            }
        }
        // One axis per input axis: removed axes have one position, added ones are dropped.
        let mut axes: SmallVec<[(usize, isize); 4]> = self.picks.iter().map(|p| (p.len, 0)).collect();
        for (source, step) in self.sources.iter().zip(steps) {
            if let Source::Input(axis) = source {
                axes[*axis].1 = step;
            }
        }
        Ok(Strided { offset: 0, axes })
    }

    /// Returns the range of rows of the first axis, if the slice consists of whole contiguous rows.
    pub fn rows(&self, input: &Shape) -> Option<Range<usize>> {
        let (first, rest) = self.picks.split_first()?;
        let whole = |(p, &d): (&Pick, &usize)| p.stride == 1 && p.begin == 0 && p.len == d;
        let begin = usize::try_from(first.begin).ok()?;
        (first.stride == 1 && rest.iter().zip(&input[1..]).all(whole)).then_some(begin..begin + first.len)
    }

    /// Returns the statically known shape of the result. Inputs `first`, `first + 1`, `first + 2` of `cx` are begin,
    /// end and strides.
    ///
    /// # Errors
    /// See [`Slices::new`].
    pub fn infer(cx: &ShapeCx<'_>, input: &PartialShape, first: usize, masks: Masks) -> Result<PartialShape> {
        let known = [first, first + 1, first + 2].map(|i| cx.constant_i64s(i));
        let length = |k: usize| match &known[k] {
            Some(values) => Some(values.len()),
            None => cx.input(first + k).dim(0),
        };
        let (Some(dims), Some(count)) = (input.dims(), (0..3).find_map(length)) else {
            return Ok(PartialShape::Unknown);
        };
        if known.iter().flatten().any(|v| v.len() != count) {
            return Err(Error::invalid("Expected begin, end, and strides to be 1D equal size tensors"));
        }
        let [begin, end, strides] = known.each_ref().map(Option::as_deref);
        let (axes, result) = masks.spread(dims.len(), &Given { count, begin, end, strides })?;
        let mut sizes: SmallVec<[Dim; 4]> = SmallVec::new();
        for (axis, (entry, &dim)) in axes.iter().zip(dims).enumerate() {
            sizes.push(match dim {
                Some(dim) => pick(axis, dim, *entry)?.map(|p| p.len),
                None => None,
            });
        }
        Ok(PartialShape::new(result.iter().map(|source| match source {
            Source::Input(axis) => sizes[*axis],
            Source::New => Some(1),
        })))
    }
}

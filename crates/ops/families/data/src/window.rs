//! `WindowDataset`: groups elements into windows, each a dataset.

use crate::batch::batch;
use crate::dataset::{DATASET, Dataset, INPUT, Plain, Setup, Source, Tuple, input, make, scalar, scalar_output};
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use crate::stream::{restore_result, save_result};
use levada_kernel::Arena;
use std::collections::VecDeque;
use std::sync::Arc;
use std::task::{Poll, ready};

pub static WINDOW_DATASET: Def<Plain> = op("WindowDataset")
    .doc(
        "Groups the elements of a dataset into windows: for each component a dataset of `size` of its values, `stride` \
         apart. The next window starts `shift` elements later.",
    )
    .inputs(&[
        INPUT,
        arg("size", is(DType::I64)),
        arg("shift", is(DType::I64)),
        arg("stride", is(DType::I64)),
        arg("drop_remainder", is(DType::Bool)),
    ])
    .outputs(DATASET)
    .shape(scalar_output)
    .kernel(|op: &Plain, cx| {
        let source = input(cx, 0)?;
        let number = |i: usize, name: &str| -> Result<u64> {
            let value: i64 = scalar(cx, i, name)?;
            u64::try_from(value)
                .ok()
                .filter(|&value| value > 0)
                .ok_or_else(|| Error::invalid(format!("Window {name} must be greater than zero.")).found(value))
        };
        let (size, shift, stride) = (number(1, "size")?, number(2, "shift")?, number(3, "stride")?);
        let drops = scalar(cx, 4, "drop_remainder")?;
        let windows =
            Windows { kind: "Window", source, span: span(size, stride)?, shift, stride, drops, batches: None };
        make(cx, op.types.clone(), op.shapes.clone(), windows)
    });

/// Returns the distance from the first to the last element of a window, both included.
fn span(size: u64, stride: u64) -> Result<u64> {
    let span = (size - 1).checked_mul(stride).and_then(|span| span.checked_add(1));
    span.ok_or_else(|| Error::invalid("size and stride make too long a window"))
}

attrs! {
    /// Groups the elements of a dataset into sliding windows; each component becomes the rows of a tensor. A window has
    /// `window_size` elements, `window_stride` apart; the next window starts `window_shift` elements later.
    pub struct SlidingWindowDataset {
        /// If false, a final window with fewer elements is returned too.
        drops: bool = Attr::bool("drop_remainder").or_bool(true),
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
    }
}

pub static SLIDING_WINDOW_DATASET: Def<SlidingWindowDataset> = op("SlidingWindowDataset")
    .inputs(&[
        INPUT,
        arg("window_size", is(DType::I64)),
        arg("window_shift", is(DType::I64)),
        arg("window_stride", is(DType::I64)),
    ])
    .outputs(DATASET)
    .also(&[form("ExperimentalSlidingWindowDataset").without(&["drop_remainder"])])
    .shape(scalar_output)
    .kernel(|op: &SlidingWindowDataset, cx| {
        let source = input(cx, 0)?;
        let number = |i: usize, name: &str| -> Result<u64> {
            let value: i64 = scalar(cx, i, name)?;
            let number = u64::try_from(value).ok().filter(|&value| value > 0);
            number.ok_or_else(|| Error::invalid(format!("{name} must be greater than zero.")).found(value))
        };
        let (size, shift, stride) =
            (number(1, "window_size")?, number(2, "window_shift")?, number(3, "window_stride")?);
        let (span, drops, batches) = (span(size, stride)?, op.drops, Some(cx.device.arena.clone()));
        let windows = Windows { kind: "SlidingWindow", source, span, shift, stride, drops, batches };
        make(cx, op.types.clone(), op.shapes.clone(), windows)
    });

struct Windows {
    kind: &'static str,
    source: Source,
    /// Number of elements from the first of a window to the last.
    span: u64,
    shift: u64,
    stride: u64,
    drops: bool,
    /// Set if windows are batches rather than datasets.
    batches: Option<Arc<Arena>>,
}

impl Dataset for Windows {
    fn kind(&self) -> &'static str {
        self.kind
    }

    fn cardinality(&self) -> i64 {
        let n = self.source.cardinality();
        match u64::try_from(n) {
            Err(_) => n,
            Ok(n) if self.drops && n < self.span => 0,
            Ok(n) if self.drops => ((n - self.span) / self.shift + 1) as i64,
            Ok(n) => n.div_ceil(self.shift) as i64,
        }
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        Ok(Box::new(WindowsIter {
            input: setup.make(&self.source)?,
            source: self.source.clone(),
            span: self.span,
            shift: self.shift,
            stride: self.stride,
            drops: self.drops,
            batches: self.batches.clone(),
            ended: false,
            passing: 0,
            held: VecDeque::new(),
        }))
    }
}

struct WindowsIter {
    input: Box<dyn Iter>,
    source: Source,
    span: u64,
    shift: u64,
    stride: u64,
    drops: bool,
    batches: Option<Arc<Arena>>,
    ended: bool,
    /// Number of elements to skip before the next window.
    passing: u64,
    /// The elements read for the next window. A failed element fails every window that contains it.
    held: VecDeque<Result<Option<Tuple>>>,
}

impl Iter for WindowsIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        while !self.ended && (self.passing > 0 || (self.held.len() as u64) < self.span) {
            let given = ready!(self.input.poll(turn));
            self.ended = matches!(given, Ok(None));
            if self.passing > 0 {
                self.passing -= 1;
            } else if !self.ended {
                self.held.push_back(given);
            }
            ready!(turn.pass());
        }
        if self.held.is_empty() || (self.drops && (self.held.len() as u64) < self.span) {
            return Poll::Ready(Ok(None));
        }
        let stride = usize::try_from(self.stride).unwrap_or(usize::MAX);
        let rows: Result<Vec<Tuple>> =
            self.held.iter().step_by(stride).filter_map(|row| row.clone().transpose()).collect();
        let dropped = self.shift.min(self.held.len() as u64);
        self.passing = self.shift - dropped;
        self.held.drain(..dropped as usize);
        let rows = rows?;
        if let Some(arena) = &self.batches {
            return Poll::Ready(batch(&rows, arena).map(Some));
        }
        let component = |i: usize| {
            let values = rows.iter().filter_map(|row| Some(vec![row.get(i)?.clone()])).collect();
            window(&[self.source.types[i]], &[self.source.shapes[i].clone()], values).tensor()
        };
        Poll::Ready(Ok(Some((0..self.source.types.len()).map(component).collect())))
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        to.int(self.ended);
        to.int(self.passing as i64);
        to.count(self.held.len());
        self.held.iter().for_each(|row| save_result(to, row));
        self.input.save(turn, to)
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        (self.ended, self.passing) = (from.flag()?, from.int()? as u64);
        for _ in 0..from.count()? {
            self.held.push_back(restore_result(from)?);
        }
        self.input.restore(from)
    }
}

/// Returns a dataset of these elements.
pub(crate) fn window(types: &[DType], shapes: &[PartialShape], elements: Vec<Tuple>) -> Source {
    Source::new(types, shapes, Window(elements.into()))
}

struct Window(Arc<[Tuple]>);

impl Dataset for Window {
    fn kind(&self) -> &'static str {
        "Window"
    }

    fn encode(&self, to: &mut Saver) -> bool {
        to.count(self.0.len());
        self.0.iter().for_each(|element| to.element(element));
        true
    }

    fn cardinality(&self) -> i64 {
        self.0.len() as i64
    }

    fn iterator(&self, _: Setup) -> Result<Box<dyn Iter>> {
        Ok(Box::new(WindowIter { elements: self.0.clone(), next: 0 }))
    }
}

/// Restores a window written by [`Dataset::encode`].
///
/// # Errors
/// `DATA_LOSS` if the data is invalid.
pub(crate) fn decode(types: &[DType], shapes: &[PartialShape], from: &mut Saved) -> Result<Source> {
    let elements = (0..from.count()?).map(|_| from.element()).collect::<Result<Vec<Tuple>>>()?;
    Ok(window(types, shapes, elements))
}

struct WindowIter {
    elements: Arc<[Tuple]>,
    next: usize,
}

impl Iter for WindowIter {
    fn poll(&mut self, _: &mut Turn<'_>) -> Next {
        let element = self.elements.get(self.next).cloned();
        self.next += usize::from(element.is_some());
        Poll::Ready(Ok(element))
    }

    fn save(&mut self, _: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        to.count(self.next);
        Poll::Ready(Ok(()))
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        self.next = from.count()?;
        Ok(())
    }
}

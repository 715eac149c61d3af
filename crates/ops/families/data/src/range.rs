//! `RangeDataset`: an arithmetic sequence.

use crate::access::{Access, There};
use crate::dataset::{DATASET, Dataset, Setup, Source, Tuple, make, scalar, scalar_output};
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver, broken};
use crate::prelude::*;
use std::task::Poll;

attrs! {
    /// A dataset of the numbers from `start` up to but not including `stop` in steps of `step`.
    pub struct RangeDataset {
        /// The dtype of the numbers.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Not used.
        metadata: Bytes = Attr::string("metadata").or_str(""),
        /// Not used.
        replicate_on_split: bool = Attr::bool("replicate_on_split").or_bool(false),
    }
}

pub static RANGE_DATASET: Def<RangeDataset> = op("RangeDataset")
    .inputs(&[arg("start", is(DType::I64)), arg("stop", is(DType::I64)), arg("step", is(DType::I64))])
    .outputs(DATASET)
    .shape(scalar_output)
    .stateful()
    .kernel(range_dataset);

fn range_dataset(op: &RangeDataset, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (start, stop, step): (i64, i64, i64) =
        (scalar(cx, 0, "start")?, scalar(cx, 1, "stop")?, scalar(cx, 2, "step")?);
    if step == 0 {
        return Err(Error::invalid("step must be a non-zero integer."));
    }
    let [dtype] = op.types[..] else {
        return Err(Error::invalid("a RangeDataset has one component").attr("output_types"));
    };
    // Fails here rather than for every element.
    number(0, dtype)?;
    let (span, step_size) = (i128::from(stop) - i128::from(start), i128::from(step));
    let count = (span + step_size - step_size.signum()) / step_size;
    let count = u64::try_from(count).unwrap_or(0);
    make(cx, op.types.clone(), op.shapes.clone(), Range { start, step, count, dtype })
}

/// Returns a scalar of this dtype.
fn number(value: i64, dtype: DType) -> Result<Tensor> {
    if dtype == DType::U64 {
        return Ok(Tensor::scalar(value as u64));
    }
    dispatch!(dtype, reals, |T| Ok(Tensor::scalar(<T as Real>::from_f64(value as f64))),
        else Err(Error::invalid(format!("a RangeDataset of {dtype}")).attr("output_types")))
}

#[derive(Clone)]
struct Range {
    start: i64,
    step: i64,
    count: u64,
    dtype: DType,
}

impl Dataset for Range {
    fn kind(&self) -> &'static str {
        "Range"
    }

    fn encode(&self, to: &mut Saver) -> bool {
        [self.start, self.step, self.count as i64].into_iter().for_each(|number| to.int(number));
        true
    }

    fn cardinality(&self) -> i64 {
        i64::try_from(self.count).unwrap_or(i64::MAX)
    }

    fn access(&self, _: &Setup) -> Result<Box<dyn Access>> {
        let range = self.clone();
        Ok(Box::new(There(move |i| range.element(i))))
    }

    fn any_order(&self) -> Result<()> {
        Ok(())
    }

    fn iterator(&self, _: Setup) -> Result<Box<dyn Iter>> {
        Ok(Box::new(RangeIter { range: self.clone(), next: 0 }))
    }
}

/// Restores a range written by [`Dataset::encode`].
///
/// # Errors
/// `DATA_LOSS` if the data is invalid.
pub(crate) fn decode(types: &[DType], shapes: &[PartialShape], from: &mut Saved) -> Result<Source> {
    let [dtype] = *types else { return Err(broken()) };
    number(0, dtype).map_err(|_| broken())?;
    let (start, step, count) = (from.int()?, from.int()?, from.int()? as u64);
    Ok(Source::new(types, shapes, Range { start, step, count, dtype }))
}

impl Range {
    fn element(&self, i: u64) -> Result<Tuple> {
        // The result lies between start and stop, so wrapping in between is harmless.
        let value = self.start.wrapping_add(self.step.wrapping_mul(i as i64));
        let value = if self.dtype == DType::I64 { Ok(Tensor::scalar(value)) } else { number(value, self.dtype) };
        value.map(|value| vec![value])
    }
}

struct RangeIter {
    range: Range,
    next: u64,
}

impl Iter for RangeIter {
    fn poll(&mut self, _: &mut Turn<'_>) -> Next {
        if self.next >= self.range.count {
            return Poll::Ready(Ok(None));
        }
        self.next += 1;
        Poll::Ready(self.range.element(self.next - 1).map(Some))
    }

    fn save(&mut self, _: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        to.int(self.next as i64);
        Poll::Ready(Ok(()))
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        self.next = from.int()? as u64;
        Ok(())
    }
}

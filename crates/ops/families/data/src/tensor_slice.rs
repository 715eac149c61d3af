//! `TensorSliceDataset`: an element for each row of tensors.

use crate::access::{Access, There};
use crate::dataset::{DATASET, Dataset, Setup, Source, Tuple, make, scalar_output};
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver, broken};
use crate::prelude::*;
use std::sync::Arc;
use std::task::Poll;

attrs! {
    /// A dataset with one element for each row of the components.
    pub struct TensorSliceDataset {
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("Toutput_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Not used.
        is_files: bool = Attr::bool("is_files").or_bool(false),
        /// Not used.
        metadata: Bytes = Attr::string("metadata").or_str(""),
        /// Not used.
        replicate_on_split: bool = Attr::bool("replicate_on_split").or_bool(false),
    }
}

pub static TENSOR_SLICE_DATASET: Def<TensorSliceDataset> = op("TensorSliceDataset")
    .inputs(&[arg("components", each("Toutput_types"))])
    .outputs(DATASET)
    .shape(scalar_output)
    .stateful()
    .kernel(tensor_slice_dataset);

fn tensor_slice_dataset(op: &TensorSliceDataset, cx: &mut Cx<'_, '_>) -> Result<()> {
    let components: Arc<[Tensor]> = (0..cx.num_inputs()).map(|i| cx.take(i)).collect::<Result<_>>()?;
    let mut rows = None;
    for component in components.iter() {
        let Some(&own) = component.shape().first() else {
            return Err(Error::invalid("All components must be at least 1-dimensional"));
        };
        if *rows.get_or_insert(own) != own {
            return Err(Error::invalid("All components must have the same size in the 0th dimension"));
        }
    }
    let rows = rows.unwrap_or(0);
    make(cx, op.types.clone(), op.shapes.clone(), Slices { components, rows })
}

struct Slices {
    components: Arc<[Tensor]>,
    rows: usize,
}

impl Dataset for Slices {
    fn kind(&self) -> &'static str {
        "TensorSlice"
    }

    fn parts(&self) -> (usize, &[Tensor]) {
        (0, &self.components)
    }

    fn encode(&self, to: &mut Saver) -> bool {
        to.element(&self.components);
        true
    }

    fn cardinality(&self) -> i64 {
        self.rows as i64
    }

    fn access(&self, _: &Setup) -> Result<Box<dyn Access>> {
        let components = self.components.clone();
        Ok(Box::new(There(move |i| components.iter().map(|component| component.row(i as usize)).collect())))
    }

    fn any_order(&self) -> Result<()> {
        Ok(())
    }

    fn iterator(&self, _: Setup) -> Result<Box<dyn Iter>> {
        Ok(Box::new(SlicesIter { components: self.components.clone(), rows: self.rows, next: 0 }))
    }
}

/// Restores a dataset written by [`Dataset::encode`].
///
/// # Errors
/// `DATA_LOSS` if the data is invalid.
pub(crate) fn decode(types: &[DType], shapes: &[PartialShape], from: &mut Saved) -> Result<Source> {
    let components: Arc<[Tensor]> = from.element()?.into();
    let rows = components.first().and_then(|component| component.shape().first().copied());
    let Some(rows) = rows else { return Err(broken()) };
    match components.iter().all(|component| component.shape().first() == Some(&rows)) {
        true => Ok(Source::new(types, shapes, Slices { components, rows })),
        false => Err(broken()),
    }
}

struct SlicesIter {
    components: Arc<[Tensor]>,
    rows: usize,
    next: usize,
}

impl Iter for SlicesIter {
    fn poll(&mut self, _: &mut Turn<'_>) -> Next {
        if self.next >= self.rows {
            return Poll::Ready(Ok(None));
        }
        self.next += 1;
        let element = self.components.iter().map(|component| component.row(self.next - 1)).collect::<Result<Tuple>>();
        Poll::Ready(element.map(Some))
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

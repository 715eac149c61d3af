//! `TensorDataset`: a dataset of one element.

use crate::access::{Access, There};
use crate::dataset::{DATASET, Dataset, Setup, Source, Tuple, make, scalar_output};
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use std::task::Poll;

attrs! {
    /// A dataset of one element with these components.
    pub struct TensorDataset {
        /// Dtypes of the element's components.
        types: Vec<DType> = Attr::dtypes("Toutput_types", sets::ANY).at_least(1),
        /// Shapes of the element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Not used.
        metadata: Bytes = Attr::string("metadata").or_str(""),
    }
}

pub static TENSOR_DATASET: Def<TensorDataset> = op("TensorDataset")
    .inputs(&[arg("components", each("Toutput_types"))])
    .outputs(DATASET)
    .shape(scalar_output)
    .stateful()
    .kernel(|op: &TensorDataset, cx| {
        let element: Tuple = (0..cx.num_inputs()).map(|i| cx.take(i)).collect::<Result<_>>()?;
        make(cx, op.types.clone(), op.shapes.clone(), One(element))
    });

struct One(Tuple);

impl Dataset for One {
    fn kind(&self) -> &'static str {
        "FromTensor"
    }

    fn parts(&self) -> (usize, &[Tensor]) {
        (0, &self.0)
    }

    fn encode(&self, to: &mut Saver) -> bool {
        to.element(&self.0);
        true
    }

    fn cardinality(&self) -> i64 {
        1
    }

    fn access(&self, _: &Setup) -> Result<Box<dyn Access>> {
        let element = self.0.clone();
        Ok(Box::new(There(move |_| Ok(element.clone()))))
    }

    fn any_order(&self) -> Result<()> {
        Ok(())
    }

    fn iterator(&self, _: Setup) -> Result<Box<dyn Iter>> {
        Ok(Box::new(OneIter(Some(self.0.clone()))))
    }
}

/// Restores a dataset written by [`Dataset::encode`].
///
/// # Errors
/// `DATA_LOSS` if the data is invalid.
pub(crate) fn decode(types: &[DType], shapes: &[PartialShape], from: &mut Saved) -> Result<Source> {
    Ok(Source::new(types, shapes, One(from.element()?)))
}

struct OneIter(Option<Tuple>);

impl Iter for OneIter {
    fn poll(&mut self, _: &mut Turn<'_>) -> Next {
        Poll::Ready(Ok(self.0.take()))
    }

    fn save(&mut self, _: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        to.int(self.0.is_none());
        Poll::Ready(Ok(()))
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        if from.flag()? {
            self.0 = None;
        }
        Ok(())
    }
}

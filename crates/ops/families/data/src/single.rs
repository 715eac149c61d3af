//! `DatasetToSingleElement`: the single element of a dataset.

use crate::dataset::{Tuple, input};
use crate::flow::declared;
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use crate::stream::Stream;
use std::task::{Poll, ready};

attrs! {
    /// Returns the single element of a dataset.
    pub struct DatasetToSingleElement {
        /// Dtypes of the element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of the element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Not used.
        metadata: Bytes = Attr::string("metadata").or_str(""),
    }
}

pub static DATASET_TO_SINGLE_ELEMENT: Def<DatasetToSingleElement> = op("DatasetToSingleElement")
    .inputs(&[arg("dataset", is(DType::Variant))])
    .outputs(&[arg("components", each("output_types"))])
    .stateful()
    .role(Role::Call)
    .shape(|op: &DatasetToSingleElement, cx| {
        declared(cx, &op.shapes);
        Ok(())
    })
    .kernel(|_, cx| {
        let source = input(cx, 0)?;
        Stream::once(
            cx,
            |setup| Ok(Box::new(Single { input: setup.make(&source)?, element: None })),
            |element| element.ok_or_else(|| Error::invalid("Dataset was empty.")),
        )
    })
    .heavy();

/// An iterator that returns one element, and fails if there are more.
struct Single {
    input: Box<dyn Iter>,
    element: Option<Tuple>,
}

impl Iter for Single {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        loop {
            let next = ready!(self.input.poll(turn))?;
            match (&self.element, next) {
                (_, None) => return Poll::Ready(Ok(self.element.take())),
                (None, next) => self.element = next,
                (Some(_), Some(_)) => {
                    return Poll::Ready(Err(Error::invalid("Dataset had more than one element.")));
                }
            }
        }
    }

    fn save(&mut self, _: &mut Turn<'_>, _: &mut Saver) -> Poll<Result<()>> {
        Poll::Ready(Err(Error::unimplemented("a single element has no position")))
    }

    fn restore(&mut self, _: &mut Saved) -> Result<()> {
        Err(Error::unimplemented("a single element has no position"))
    }
}

//! Random access: `GetElementAtIndex`, and the parts that `GlobalShuffleDataset` is built from.

use crate::dataset::{Dataset, INFINITE, Setup, Source, Tuple, UNKNOWN, input, scalar};
use crate::function::check_results;
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use crate::stream::Stream;
use std::task::{Poll, ready};

/// Random access to the elements of a dataset.
pub(crate) trait Access: Send {
    /// Returns element `index`, which must exist. If pending, whatever is in progress wakes the turn's waker, and
    /// polling again for the same element continues it.
    fn poll(&mut self, index: u64, turn: &mut Turn<'_>) -> Poll<Result<Tuple>>;
}

/// The error for a dataset without random access.
pub(crate) fn none(dataset: &(impl Dataset + ?Sized)) -> Error {
    Error::unimplemented(format!("Random access is not implemented for dataset {}Dataset", dataset.kind()))
}

/// The error for a dataset whose elements cannot be returned in arbitrary order.
pub(crate) fn not_in_any_order(dataset: &(impl Dataset + ?Sized)) -> Error {
    Error::failed_precondition(format!("{}Dataset does not support random access.", dataset.kind()))
}

/// Checks that a dataset has an element with this index.
///
/// # Errors
/// `FAILED_PRECONDITION` if its cardinality is not known, `OUT_OF_RANGE` if there is no such element.
pub(crate) fn checked(source: &Source, index: i64) -> Result<u64> {
    let n = source.cardinality();
    let kind = match n {
        INFINITE => "infinite",
        UNKNOWN => "unknown",
        n if index < 0 || index >= n => {
            return Err(Error::out_of_range(format!("Index out of range [0, {n}):{index}")));
        }
        _ => return Ok(index as u64),
    };
    Err(Error::failed_precondition(format!(
        "Dataset of type {source:?} has {kind} cardinality, which does not support random access."
    )))
}

/// An iterator over the elements with given indices.
pub(crate) struct Numbered<F> {
    pub(crate) access: Box<dyn Access>,
    /// The index of each element; `None` after the last.
    pub(crate) numbers: F,
    pub(crate) next: u64,
}

impl<F: FnMut(u64) -> Option<u64> + Send> Iter for Numbered<F> {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        let Some(number) = (self.numbers)(self.next) else { return Poll::Ready(Ok(None)) };
        let element = ready!(self.access.poll(number, turn));
        self.next += 1;
        Poll::Ready(element.map(Some))
    }

    fn save(&mut self, _: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        // An element in progress is fetched again.
        to.int(self.next as i64);
        Poll::Ready(Ok(()))
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        self.next = from.int()? as u64;
        Ok(())
    }
}

/// Elements that are available immediately.
pub(crate) struct There<F>(pub(crate) F);

impl<F: FnMut(u64) -> Result<Tuple> + Send> Access for There<F> {
    fn poll(&mut self, index: u64, _: &mut Turn<'_>) -> Poll<Result<Tuple>> {
        Poll::Ready((self.0)(index))
    }
}

/// Elements of another dataset, under different indices.
pub(crate) struct Renumbered<F> {
    pub(crate) input: Box<dyn Access>,
    pub(crate) number: F,
}

impl<F: FnMut(u64) -> u64 + Send> Access for Renumbered<F> {
    fn poll(&mut self, index: u64, turn: &mut Turn<'_>) -> Poll<Result<Tuple>> {
        self.input.poll((self.number)(index), turn)
    }
}

attrs! {
    /// Returns the element of a dataset with a given index.
    pub struct GetElementAtIndex {
        /// Dtypes of the element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of the element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
    }
}

pub static GET_ELEMENT_AT_INDEX: Def<GetElementAtIndex> = op("GetElementAtIndex")
    .inputs(&[arg("dataset", is(DType::Variant)), arg("index", is(DType::I64))])
    .outputs(&[arg("components", each("output_types"))])
    .stateful()
    .shape(|op: &GetElementAtIndex, cx| {
        crate::flow::declared(cx, &op.shapes);
        Ok(())
    })
    .kernel(|op: &GetElementAtIndex, cx| {
        let source = input(cx, 0)?;
        let index: i64 = scalar(cx, 1, "index")?;
        let (types, shapes) = (op.types.clone(), op.shapes.clone());
        let make = |setup: &Setup| -> Result<Box<dyn Iter>> {
            let access = setup.access(&source)?;
            let index = checked(&source, index)?;
            Ok(Box::new(Numbered { access, numbers: move |i| (i == 0).then_some(index), next: 0 }))
        };
        Stream::once(cx, make, move |element| {
            let element = element.ok_or_else(|| Error::internal("an available element was not returned"))?;
            check_results(&element, &types)?;
            for (i, (component, shape)) in element.iter().zip(&shapes).enumerate() {
                if !shape.accepts(component.shape()) {
                    return Err(Error::invalid(format!(
                        "Incompatible shapes at component {i}: expected {shape} but got {}.",
                        component.shape()
                    )));
                }
            }
            Ok(element)
        })
    });

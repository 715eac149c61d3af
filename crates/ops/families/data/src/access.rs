//! Elements by number: `GetElementAtIndex`, and what `GlobalShuffleDataset` is made of.

use crate::dataset::{Dataset, INFINITE, Setup, Source, Tuple, UNKNOWN, input, scalar};
use crate::function::check_results;
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use crate::stream::Stream;
use std::task::{Poll, ready};

/// Gets elements of a dataset by number.
pub(crate) trait Access: Send {
    /// Element `index`, which there is. Where that takes until later, what is under way wakes the turn's waker, and asking again
    /// for the same element goes on with it.
    fn poll(&mut self, index: u64, turn: &mut Turn<'_>) -> Poll<Result<Tuple>>;
}

/// The error of a dataset that has no elements by number.
pub(crate) fn none(dataset: &(impl Dataset + ?Sized)) -> Error {
    Error::unimplemented(format!("Random access is not implemented for dataset {}Dataset", dataset.kind()))
}

/// The error of a dataset whose elements cannot be given in any order.
pub(crate) fn not_in_any_order(dataset: &(impl Dataset + ?Sized)) -> Error {
    Error::failed_precondition(format!("{}Dataset does not support random access.", dataset.kind()))
}

/// Checks that a dataset has an element of this number.
///
/// # Errors
/// `FAILED_PRECONDITION` where it is not known how many it has, `OUT_OF_RANGE` where there is none.
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

/// An iterator that gives the elements of these numbers.
pub(crate) struct Numbered<F> {
    pub(crate) access: Box<dyn Access>,
    /// The number of each element, `None` behind the last.
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
        // An element that is under way is got again.
        to.int(self.next as i64);
        Poll::Ready(Ok(()))
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        self.next = from.int()? as u64;
        Ok(())
    }
}

/// Elements that are there.
pub(crate) struct There<F>(pub(crate) F);

impl<F: FnMut(u64) -> Result<Tuple> + Send> Access for There<F> {
    fn poll(&mut self, index: u64, _: &mut Turn<'_>) -> Poll<Result<Tuple>> {
        Poll::Ready((self.0)(index))
    }
}

/// Elements of another dataset, under other numbers.
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
    /// The element of a dataset of this number.
    pub struct GetElementAtIndex {
        /// Dtypes of the element.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of the element.
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
            let element = element.ok_or_else(|| Error::internal("an element that is there was not got"))?;
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

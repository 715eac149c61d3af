//! `FilterDataset`: the elements that satisfy a predicate.

use crate::dataset::{
    ARGUMENTS, DATASET, Dataset, INPUT, Setup, Source, Tuple, UNKNOWN, input, make_like, scalar_output,
};
use crate::function::{Call, Calls, Function};
use crate::iter::{Iter, Next, Turn};
use crate::map::{restore_call, save_call};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use levada_graph::Func;
use std::task::{Poll, ready};

attrs! {
    /// The attrs of datasets that evaluate a predicate on each element.
    pub struct Predicate {
        /// The predicate.
        predicate: Func = Attr::func("predicate"),
        /// Dtypes of the function's other arguments.
        arguments: Vec<DType> = Attr::dtypes("Targuments", sets::ANY),
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Not used.
        metadata: Bytes = Attr::string("metadata").or_str(""),
    }
}

pub static FILTER_DATASET: Def<Predicate> = op("FilterDataset")
    .doc("Keeps the elements of a dataset for which a predicate is true.")
    .inputs(&[INPUT, ARGUMENTS])
    .outputs(DATASET)
    .shape(scalar_output)
    .kernel(|op: &Predicate, cx| {
        let source = input(cx, 0)?;
        let predicate = Function::of(cx, &op.predicate, 1..cx.num_inputs())?;
        make_like(cx, &source.clone(), Filter { source, predicate })
    });

/// The elements that satisfy a predicate.
pub(crate) struct Filter {
    pub(crate) source: Source,
    pub(crate) predicate: Function,
}

impl Dataset for Filter {
    fn kind(&self) -> &'static str {
        "Filter"
    }

    fn cardinality(&self) -> i64 {
        UNKNOWN
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        let asked = Asked { input: setup.make(&self.source)?, calls: self.predicate.at(&setup), pending: None };
        Ok(Box::new(FilterIter(asked)))
    }
}

/// An iterator, and a predicate that is evaluated on its elements.
pub(crate) struct Asked {
    pub(crate) input: Box<dyn Iter>,
    pub(crate) calls: Calls,
    /// The element that the predicate is being evaluated on.
    pub(crate) pending: Option<(Tuple, Call)>,
}

impl Asked {
    /// Returns the next element and the predicate's result; `None` at the end.
    pub(crate) fn poll(&mut self, turn: &mut Turn<'_>) -> Poll<Result<Option<(Tuple, bool)>>> {
        if self.pending.is_none() {
            let Some(element) = ready!(self.input.poll(turn))? else { return Poll::Ready(Ok(None)) };
            let call = self.calls.call(element.clone(), turn);
            self.pending = Some((element, call));
        }
        let Some((_, call)) = &mut self.pending else { return Poll::Pending };
        let results = ready!(call.poll(turn));
        let Some((element, _)) = self.pending.take() else { return Poll::Pending };
        Poll::Ready(Ok(Some((element, answer(&results?, self.calls.name())?))))
    }

    pub(crate) fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        ready!(save_call(self.pending.as_ref().map(|(_, call)| call), turn, to));
        if let Some((element, _)) = &self.pending {
            to.element(element);
        }
        self.input.save(turn, to)
    }

    pub(crate) fn restore(&mut self, from: &mut Saved) -> Result<()> {
        if let Some(call) = restore_call(&self.calls, from)? {
            self.pending = Some((from.element()?, call));
        }
        self.input.restore(from)
    }
}

/// Converts the results of the predicate `name` to a boolean.
///
/// # Errors
/// `INVALID_ARGUMENT` if they are not a single boolean.
pub(crate) fn answer(results: &[Tensor], name: &str) -> Result<bool> {
    match results {
        [answer] if answer.dtype() == DType::Bool && answer.num_elements() == 1 => answer.item(),
        _ => Err(Error::invalid(format!("Filter predicate `{name}` must return a scalar bool."))),
    }
}

struct FilterIter(Asked);

impl Iter for FilterIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        loop {
            match ready!(self.0.poll(turn))? {
                None => return Poll::Ready(Ok(None)),
                Some((element, true)) => return Poll::Ready(Ok(Some(element))),
                Some((_, false)) => ready!(turn.pass()),
            }
        }
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        self.0.save(turn, to)
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        self.0.restore(from)
    }
}

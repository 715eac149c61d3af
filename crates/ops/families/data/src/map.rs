//! `MapDataset`: applies a function to each element.

use crate::access::Access;
use crate::dataset::{ARGUMENTS, DATASET, Dataset, INPUT, Setup, Source, Tuple, UNKNOWN, input, make, scalar_output};
use crate::function::{Call, Calls, Function, check_results};
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use levada_graph::Func;
use std::sync::Arc;
use std::task::{Poll, ready};

attrs! {
    /// Applies a function to each element of a dataset.
    pub struct MapDataset {
        /// The function to call.
        function: Func = Attr::func("f"),
        /// Dtypes of the function's other arguments.
        arguments: Vec<DType> = Attr::dtypes("Targuments", sets::ANY),
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Not used.
        use_inter_op_parallelism: bool = Attr::bool("use_inter_op_parallelism").or_bool(true),
        /// Whether the function must not end the dataset.
        preserve_cardinality: bool = Attr::bool("preserve_cardinality").or_bool(false),
        /// Not used.
        force_synchronous: bool = Attr::bool("force_synchronous").or_bool(false),
        /// Not used.
        metadata: Bytes = Attr::string("metadata").or_str(""),
    }
}

pub static MAP_DATASET: Def<MapDataset> =
    op("MapDataset").inputs(&[INPUT, ARGUMENTS]).outputs(DATASET).shape(scalar_output).kernel(|op: &MapDataset, cx| {
        let source = input(cx, 0)?;
        let function = Function::of(cx, &op.function, 1..cx.num_inputs())?;
        let map = Map { source, function, types: op.types.as_slice().into(), preserves: op.preserve_cardinality };
        make(cx, op.types.clone(), op.shapes.clone(), map)
    });

struct Map {
    source: Source,
    function: Function,
    types: Arc<[DType]>,
    preserves: bool,
}

impl Dataset for Map {
    fn kind(&self) -> &'static str {
        "Map"
    }

    fn cardinality(&self) -> i64 {
        mapped_cardinality(&self.source, self.preserves)
    }

    fn access(&self, setup: &Setup) -> Result<Box<dyn Access>> {
        let (input, calls) = (setup.access(&self.source)?, self.function.at(setup));
        Ok(Box::new(MapAccess { input, calls, call: None, types: self.types.clone() }))
    }

    fn any_order(&self) -> Result<()> {
        self.source.any_order()
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        let (input, calls) = (setup.make(&self.source)?, self.function.at(&setup));
        Ok(Box::new(MapIter { input, calls, call: None, types: self.types.clone(), preserves: self.preserves }))
    }
}

/// Returns the number of elements after applying a function to those of `source`.
pub(crate) fn mapped_cardinality(source: &Source, preserves: bool) -> i64 {
    if preserves { source.cardinality() } else { UNKNOWN }
}

/// Converts a function's results to an element, which is required if `preserves` is set; otherwise the function may end
/// the dataset.
///
/// # Errors
/// The error of the function.
pub(crate) fn mapped(results: Result<Vec<Tensor>>, types: &[DType], preserves: bool) -> Result<Option<Vec<Tensor>>> {
    match results {
        Ok(results) => {
            check_results(&results, types)?;
            Ok(Some(results))
        }
        Err(error) if error.code() == Code::OutOfRange && !preserves => Ok(None),
        Err(mut error) if error.code() == Code::OutOfRange => {
            // It must not be mistaken for the end.
            error.fault_mut().code = Code::InvalidArgument;
            let message = format!("Function invocation produced OutOfRangeError: {}", error.message());
            error.fault_mut().message = message;
            Err(error)
        }
        Err(error) => Err(error),
    }
}

/// Random access that applies a function.
pub(crate) struct MapAccess {
    pub(crate) input: Box<dyn Access>,
    pub(crate) calls: Calls,
    pub(crate) call: Option<Call>,
    pub(crate) types: Arc<[DType]>,
}

impl Access for MapAccess {
    fn poll(&mut self, index: u64, turn: &mut Turn<'_>) -> Poll<Result<Tuple>> {
        if self.call.is_none() {
            let element = ready!(self.input.poll(index, turn))?;
            self.call = Some(self.calls.call(element, turn));
        }
        let Some(call) = &mut self.call else { return Poll::Pending };
        let results = ready!(call.poll(turn));
        self.call = None;
        let element = mapped(results, &self.types, true)?;
        Poll::Ready(element.ok_or_else(|| Error::internal("an element of a map is missing")))
    }
}

struct MapIter {
    input: Box<dyn Iter>,
    calls: Calls,
    call: Option<Call>,
    types: Arc<[DType]>,
    preserves: bool,
}

impl Iter for MapIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        if self.call.is_none() {
            let Some(element) = ready!(self.input.poll(turn))? else { return Poll::Ready(Ok(None)) };
            self.call = Some(self.calls.call(element, turn));
        }
        let Some(call) = &mut self.call else { return Poll::Pending };
        let results = ready!(call.poll(turn));
        self.call = None;
        Poll::Ready(mapped(results, &self.types, self.preserves))
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        ready!(save_call(self.call.as_ref(), turn, to));
        self.input.save(turn, to)
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        self.call = restore_call(&self.calls, from)?;
        self.input.restore(from)
    }
}

/// Saves the results of a call, if there is one, once it has returned.
pub(crate) fn save_call(call: Option<&Call>, turn: &Turn<'_>, to: &mut Saver) -> Poll<()> {
    let Some(call) = call else {
        to.int(0);
        return Poll::Ready(());
    };
    ready!(call.poll_returned(turn.waker));
    call.look(|results| match results {
        Ok(element) => {
            to.int(1);
            to.element(element);
        }
        Err(error) => {
            to.int(2);
            to.error(error);
        }
    });
    Poll::Ready(())
}

/// Restores a call that has returned, if there is one.
///
/// # Errors
/// `DATA_LOSS` if the data is invalid.
pub(crate) fn restore_call(calls: &Calls, from: &mut Saved) -> Result<Option<Call>> {
    match from.int()? {
        0 => Ok(None),
        1 => Ok(Some(Call::returned(calls, Ok(from.element()?)))),
        2 => Ok(Some(Call::returned(calls, Err(from.error()?)))),
        _ => Err(crate::position::broken()),
    }
}

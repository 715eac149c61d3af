//! `ScanDataset`: applies a function with a running state to each element.

use crate::dataset::{ARGUMENTS, DATASET, Dataset, INPUT, Setup, Source, Tuple, input, make, scalar_output};
use crate::function::{Call, Calls, Function};
use crate::iter::{Iter, Next, Turn};
use crate::map::{mapped, mapped_cardinality, restore_call, save_call};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use levada_graph::Func;
use std::sync::Arc;
use std::task::{Poll, ready};

attrs! {
    /// Applies a function to a state and each element of a dataset. The function returns the new state, followed by the
    /// resulting element.
    pub struct ScanDataset {
        /// The function to call.
        function: Func = Attr::func("f"),
        /// Dtypes of the state.
        state: Vec<DType> = Attr::dtypes("Tstate", sets::ANY).at_least(1),
        /// Dtypes of the function's other arguments.
        arguments: Vec<DType> = Attr::dtypes("Targuments", sets::ANY),
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Whether the function must not end the dataset.
        preserve_cardinality: bool = Attr::bool("preserve_cardinality").or_bool(false),
        /// Not used.
        use_default_device: bool = Attr::bool("use_default_device").or_bool(true),
        /// Not used.
        metadata: Bytes = Attr::string("metadata").or_str(""),
    }
}

pub static SCAN_DATASET: Def<ScanDataset> = op("ScanDataset")
    .inputs(&[INPUT, arg("initial_state", each("Tstate")), ARGUMENTS])
    .outputs(DATASET)
    .also(&[form("ExperimentalScanDataset").without(&["use_default_device", "metadata"])])
    .shape(scalar_output)
    .kernel(scan_dataset);

fn scan_dataset(op: &ScanDataset, cx: &mut Cx<'_, '_>) -> Result<()> {
    let source = input(cx, 0)?;
    let first = 1 + op.state.len();
    let function = Function::of(cx, &op.function, first..cx.num_inputs())?;
    let initial = (1..first).map(|i| cx.take(i)).collect::<Result<_>>()?;
    let results = op.state.iter().chain(&op.types).copied().collect();
    let preserves = op.preserve_cardinality;
    make(cx, op.types.clone(), op.shapes.clone(), Scan { source, function, initial, results, preserves })
}

struct Scan {
    source: Source,
    function: Function,
    initial: Tuple,
    /// Dtypes of the state, followed by those of an element.
    results: Arc<[DType]>,
    preserves: bool,
}

impl Dataset for Scan {
    fn kind(&self) -> &'static str {
        "Scan"
    }

    fn parts(&self) -> (usize, &[Tensor]) {
        (1, &self.initial)
    }

    fn cardinality(&self) -> i64 {
        mapped_cardinality(&self.source, self.preserves)
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        Ok(Box::new(ScanIter {
            input: setup.make(&self.source)?,
            calls: self.function.at(&setup),
            call: None,
            state: self.initial.clone(),
            results: self.results.clone(),
            preserves: self.preserves,
        }))
    }
}

struct ScanIter {
    input: Box<dyn Iter>,
    calls: Calls,
    call: Option<Call>,
    state: Tuple,
    results: Arc<[DType]>,
    preserves: bool,
}

impl Iter for ScanIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        if self.call.is_none() {
            let Some(element) = ready!(self.input.poll(turn))? else { return Poll::Ready(Ok(None)) };
            let arguments = self.state.iter().cloned().chain(element).collect();
            self.call = Some(self.calls.call(arguments, turn));
        }
        let Some(call) = &mut self.call else { return Poll::Pending };
        let results = ready!(call.poll(turn));
        self.call = None;
        let Some(mut results) = mapped(results, &self.results, self.preserves)? else { return Poll::Ready(Ok(None)) };
        let element = results.split_off(self.state.len());
        self.state = results;
        Poll::Ready(Ok(Some(element)))
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        ready!(save_call(self.call.as_ref(), turn, to));
        to.element(&self.state);
        self.input.save(turn, to)
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        self.call = restore_call(&self.calls, from)?;
        self.state = from.element()?;
        self.input.restore(from)
    }
}

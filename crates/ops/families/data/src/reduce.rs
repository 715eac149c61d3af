//! `ReduceDataset`: reduces all elements to one value.

use crate::copies::one_for_each_use;
use crate::dataset::{ARGUMENTS, INPUT, Tuple, input};
use crate::flow::declared;
use crate::function::{Call, Calls, Function, check_results};
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use crate::stream::Stream;
use levada_graph::Func;
use std::task::{Poll, ready};

attrs! {
    /// Reduces all elements to a state: the function is called with the state and each element, and returns the new
    /// state.
    pub struct ReduceDataset {
        /// The function to call.
        function: Func = Attr::func("f"),
        /// Dtypes of the state.
        state: Vec<DType> = Attr::dtypes("Tstate", sets::ANY).at_least(1),
        /// Dtypes of the function's other arguments.
        arguments: Vec<DType> = Attr::dtypes("Targuments", sets::ANY),
        /// Dtypes of the state.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of the state.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Not used.
        use_inter_op_parallelism: bool = Attr::bool("use_inter_op_parallelism").or_bool(true),
        /// Not used.
        metadata: Bytes = Attr::string("metadata").or_str(""),
    }
}

pub static REDUCE_DATASET: Def<ReduceDataset> = op("ReduceDataset")
    .inputs(&[INPUT, arg("initial_state", each("Tstate")), ARGUMENTS])
    .outputs(&[arg("components", each("output_types"))])
    .stateful()
    .role(Role::Call)
    .shape(|op: &ReduceDataset, cx| {
        declared(cx, &op.shapes);
        Ok(())
    })
    .kernel(reduce_dataset)
    .heavy();

fn reduce_dataset(op: &ReduceDataset, cx: &mut Cx<'_, '_>) -> Result<()> {
    let source = one_for_each_use(cx, input(cx, 0)?)?;
    let first = 1 + op.state.len();
    let function = Function::of(cx, &op.function, first..cx.num_inputs())?;
    let state: Tuple = (1..first).map(|i| cx.take(i)).collect::<Result<_>>()?;
    let types = op.types.clone();
    Stream::once_anew(
        cx,
        |setup| {
            let (input, calls) = (setup.make(&source)?, function.at(setup));
            Ok(Box::new(Reduce { input, calls, call: None, state, types }))
        },
        |state| state.ok_or_else(|| Error::internal("a reduction without a state")),
    )
}

/// An iterator that returns the final state.
struct Reduce {
    input: Box<dyn Iter>,
    calls: Calls,
    call: Option<Call>,
    state: Tuple,
    types: Vec<DType>,
}

impl Iter for Reduce {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        loop {
            if self.call.is_none() {
                let Some(element) = ready!(self.input.poll(turn))? else {
                    return Poll::Ready(Ok(Some(std::mem::take(&mut self.state))));
                };
                let arguments = std::mem::take(&mut self.state).into_iter().chain(element).collect();
                self.call = Some(self.calls.call(arguments, turn));
            }
            let Some(call) = &mut self.call else { return Poll::Pending };
            let state = ready!(call.poll(turn));
            self.call = None;
            self.state = match state {
                Ok(state) => state,
                // `OUT_OF_RANGE` would claim the end of the dataset.
                Err(error) if error.code() == Code::OutOfRange => return Poll::Ready(Err(not_the_end(error))),
                Err(error) => return Poll::Ready(Err(error)),
            };
            check_results(&self.state, &self.types)?;
            ready!(turn.pass());
        }
    }

    fn save(&mut self, _: &mut Turn<'_>, _: &mut Saver) -> Poll<Result<()>> {
        Poll::Ready(Err(Error::unimplemented("a reduction has no position")))
    }

    fn restore(&mut self, _: &mut Saved) -> Result<()> {
        Err(Error::unimplemented("a reduction has no position"))
    }
}

/// Converts the error of a function that must not end anything.
fn not_the_end(mut error: Error) -> Error {
    let message = format!("Function invocation produced OutOfRangeError: {}", error.message());
    let fault = error.fault_mut();
    (fault.code, fault.message) = (Code::InvalidArgument, message);
    error
}

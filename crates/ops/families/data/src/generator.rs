//! `GeneratorDataset`: elements that functions generate.

use crate::dataset::{DATASET, Dataset, Setup, Tuple, UNKNOWN, make, scalar_output};
use crate::function::{Call, Calls, Function, check_results};
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use levada_graph::Func;
use levada_kernel::background::Origin;
use levada_kernel::{Background, CancelToken};
use parking_lot::Mutex;
use std::sync::Arc;
use std::task::{Poll, Wake, Waker, ready};

attrs! {
    /// A dataset whose elements `next_func` gives, from a state that `init_func` makes, until it fails with `OUT_OF_RANGE`;
    /// then `finalize_func` is called.
    pub struct GeneratorDataset {
        /// Makes the state.
        init: Func = Attr::func("init_func"),
        /// Makes an element of the state.
        next: Func = Attr::func("next_func"),
        /// Is called with the state at the end, or when the iterator goes before that.
        finalize: Func = Attr::func("finalize_func"),
        /// Dtypes of what `init_func` gets.
        init_arguments: Vec<DType> = Attr::dtypes("Tinit_func_args", sets::ANY),
        /// Dtypes of what `next_func` gets besides.
        next_arguments: Vec<DType> = Attr::dtypes("Tnext_func_args", sets::ANY),
        /// Dtypes of what `finalize_func` gets besides.
        finalize_arguments: Vec<DType> = Attr::dtypes("Tfinalize_func_args", sets::ANY),
        /// Dtypes of an element.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Not used.
        metadata: Bytes = Attr::string("metadata").or_str(""),
    }
}

pub static GENERATOR_DATASET: Def<GeneratorDataset> = op("GeneratorDataset")
    .inputs(&[
        arg("init_func_other_args", each("Tinit_func_args")),
        arg("next_func_other_args", each("Tnext_func_args")),
        arg("finalize_func_other_args", each("Tfinalize_func_args")),
    ])
    .outputs(DATASET)
    .stateful()
    .shape(scalar_output)
    .kernel(|op: &GeneratorDataset, cx| {
        let to_next = op.init_arguments.len();
        let to_finalize = to_next + op.next_arguments.len();
        let functions = [
            Function::of(cx, &op.init, 0..to_next)?,
            Function::of(cx, &op.next, to_next..to_finalize)?,
            Function::of(cx, &op.finalize, to_finalize..cx.num_inputs())?,
        ];
        make(cx, op.types.clone(), op.shapes.clone(), Generator { functions, types: op.types.as_slice().into() })
    });

struct Generator {
    /// Of the beginning, of an element, and of the end.
    functions: [Function; 3],
    types: Arc<[DType]>,
}

impl Dataset for Generator {
    fn kind(&self) -> &'static str {
        "Generator"
    }

    fn cardinality(&self) -> i64 {
        UNKNOWN
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        // The first one gives the stage its name.
        let next = self.functions[1].at(&setup);
        let calls = [self.functions[0].at(&setup), next, self.functions[2].at(&setup)];
        let (types, last) = (self.types.clone(), (setup.background, setup.origin));
        Ok(Box::new(GeneratorIter { calls, types, state: Vec::new(), at: At::Begin, call: None, last }))
    }
}

#[derive(Clone, Copy)]
enum At {
    Begin,
    Next,
    Finalize,
    End,
}

struct GeneratorIter {
    calls: [Calls; 3],
    types: Arc<[DType]>,
    state: Tuple,
    at: At,
    call: Option<Call>,
    /// What calls the functions, and for whom.
    last: (Arc<Background>, Origin),
}

impl Drop for GeneratorIter {
    /// Calls `finalize_func` where the iterator goes before its end, once the call that is under way has returned.
    fn drop(&mut self) {
        let (background, origin) = &self.last;
        let Some(env) = background.env().filter(|_| matches!(self.at, At::Next)) else { return };
        // The iterator's own background has been cancelled, and so has that of a session that is closed.
        let background = Background::new(&env, CancelToken::new(), Background::own_state());
        let (calls, origin, state) = (self.calls[2].clone(), origin.clone(), std::mem::take(&mut self.state));
        let last = Arc::new(Last(Mutex::new(Some((calls, background, origin, state)))));
        let waker = Waker::from(last.clone());
        if self.call.as_ref().is_none_or(|call| call.poll_returned(&waker).is_ready()) {
            last.call();
        }
    }
}

/// A call of `finalize_func`: the function, what it runs on and whose it is, and the state that it is given.
type Finalization = (Calls, Arc<Background>, Origin, Tuple);

/// Calls `finalize_func` when it is woken.
struct Last(Mutex<Option<Finalization>>);

impl Last {
    fn call(&self) {
        let taken = self.0.lock().take();
        if let Some((calls, background, origin, state)) = taken {
            calls.call_alone(state, &background, &origin);
            background.settle();
        }
    }
}

impl Wake for Last {
    fn wake(self: Arc<Self>) {
        self.call();
    }
}

impl GeneratorIter {
    /// What a function returns for the state.
    fn called(&mut self, function: usize, turn: &Turn<'_>) -> Poll<Result<Tuple>> {
        let (calls, state) = (&self.calls[function], &self.state);
        let results = ready!(self.call.get_or_insert_with(|| calls.call(state.clone(), turn)).poll(turn));
        self.call = None;
        Poll::Ready(results)
    }
}

impl Iter for GeneratorIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        loop {
            match self.at {
                At::Begin => {
                    self.state = ready!(self.called(0, turn))?;
                    self.at = At::Next;
                }
                At::Next => match ready!(self.called(1, turn)) {
                    Ok(element) => {
                        check_results(&element, &self.types)?;
                        return Poll::Ready(Ok(Some(element)));
                    }
                    Err(error) if error.code() == Code::OutOfRange => self.at = At::Finalize,
                    Err(error) => return Poll::Ready(Err(error)),
                },
                At::Finalize => {
                    let finalized = ready!(self.called(2, turn));
                    self.at = At::End;
                    finalized?;
                }
                At::End => return Poll::Ready(Ok(None)),
            }
        }
    }

    fn save(&mut self, _: &mut Turn<'_>, _: &mut Saver) -> Poll<Result<()>> {
        Poll::Ready(Err(Error::unimplemented(
            "the position of a GeneratorDataset cannot be saved: only its functions know it",
        )))
    }

    fn restore(&mut self, _: &mut Saved) -> Result<()> {
        Err(Error::unimplemented("the position of a GeneratorDataset cannot be restored: only its functions know it"))
    }
}

//! `GroupByReducerDataset`: reduces all elements with the same key to one.

use crate::dataset::{DATASET, Dataset, INPUT, Setup, Source, Tuple, UNKNOWN, input, make, scalar_output};
use crate::function::{Call, Calls, Function, check_results};
use crate::group_by_window::number;
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use levada_graph::Func;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::task::{Poll, ready};

attrs! {
    /// Groups the elements of a dataset by the key that `key_func` returns. `reduce_func` folds each group into a
    /// state, starting with the one that `init_func` returns; at the end `finalize_func` turns each state into an
    /// element.
    pub struct GroupByReducerDataset {
        /// Returns the key of an element.
        key: Func = Attr::func("key_func"),
        /// Returns the initial state of a group.
        init: Func = Attr::func("init_func"),
        /// Returns the next state of a group.
        reduce: Func = Attr::func("reduce_func"),
        /// Returns the element for a final state.
        finalize: Func = Attr::func("finalize_func"),
        /// Dtypes of the other arguments of `key_func`.
        key_arguments: Vec<DType> = Attr::dtypes("Tkey_func_other_arguments", sets::ANY),
        /// Dtypes of the other arguments of `init_func`.
        init_arguments: Vec<DType> = Attr::dtypes("Tinit_func_other_arguments", sets::ANY),
        /// Dtypes of the other arguments of `reduce_func`.
        reduce_arguments: Vec<DType> = Attr::dtypes("Treduce_func_other_arguments", sets::ANY),
        /// Dtypes of the other arguments of `finalize_func`.
        finalize_arguments: Vec<DType> = Attr::dtypes("Tfinalize_func_other_arguments", sets::ANY),
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
    }
}

pub static GROUP_BY_REDUCER_DATASET: Def<GroupByReducerDataset> = op("GroupByReducerDataset")
    .inputs(&[
        INPUT,
        arg("key_func_other_arguments", each("Tkey_func_other_arguments")),
        arg("init_func_other_arguments", each("Tinit_func_other_arguments")),
        arg("reduce_func_other_arguments", each("Treduce_func_other_arguments")),
        arg("finalize_func_other_arguments", each("Tfinalize_func_other_arguments")),
    ])
    .outputs(DATASET)
    .also(&[form("ExperimentalGroupByReducerDataset")])
    .stateful()
    .shape(scalar_output)
    .kernel(|op: &GroupByReducerDataset, cx| {
        let init = 1 + op.key_arguments.len();
        let reduce = init + op.init_arguments.len();
        let finalize = reduce + op.reduce_arguments.len();
        let functions = [
            Function::of(cx, &op.key, 1..init)?,
            Function::of(cx, &op.init, init..reduce)?,
            Function::of(cx, &op.reduce, reduce..finalize)?,
            Function::of(cx, &op.finalize, finalize..cx.num_inputs())?,
        ];
        let grouped = GroupByReducer { source: input(cx, 0)?, functions, types: op.types.as_slice().into() };
        make(cx, op.types.clone(), op.shapes.clone(), grouped)
    });

struct GroupByReducer {
    source: Source,
    /// `key_func`, `init_func`, `reduce_func` and `finalize_func`.
    functions: [Function; 4],
    types: Arc<[DType]>,
}

impl Dataset for GroupByReducer {
    fn kind(&self) -> &'static str {
        "GroupByReducer"
    }

    fn cardinality(&self) -> i64 {
        UNKNOWN
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        Ok(Box::new(ReducerIter {
            input: setup.make(&self.source)?,
            calls: [0, 1, 2, 3].map(|i| self.functions[i].at(&setup)),
            types: self.types.clone(),
            states: BTreeMap::new(),
            at: At::Input,
        }))
    }
}

/// The next step.
enum At {
    /// Read an element of the input.
    Input,
    /// Compute the key of this element.
    Key(Tuple, Call),
    /// Compute the initial state for a key, to which this element belongs.
    Init(Tuple, i64, Call),
    /// Compute the next state for a key.
    Reduce(i64, Call),
    /// Finalize these states.
    States(std::vec::IntoIter<Tuple>),
    /// Compute the element of a state, then those of the others.
    Finalize(Call, std::vec::IntoIter<Tuple>),
}

struct ReducerIter {
    input: Box<dyn Iter>,
    calls: [Calls; 4],
    types: Arc<[DType]>,
    /// States by key.
    states: BTreeMap<i64, Tuple>,
    at: At,
}

/// Returns the states in the order of their keys.
fn values(states: &mut BTreeMap<i64, Tuple>) -> std::vec::IntoIter<Tuple> {
    std::mem::take(states).into_values().collect::<Vec<Tuple>>().into_iter()
}

impl ReducerIter {
    fn reduce(&mut self, key: i64, state: Tuple, element: Tuple, turn: &Turn<'_>) {
        let arguments = state.into_iter().chain(element).collect();
        self.at = At::Reduce(key, self.calls[2].call(arguments, turn));
    }
}

impl Iter for ReducerIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        loop {
            let results = match &mut self.at {
                At::Key(_, call) | At::Init(_, _, call) | At::Reduce(_, call) | At::Finalize(call, _) => {
                    ready!(call.poll(turn))
                }
                At::Input => match ready!(self.input.poll(turn))? {
                    Some(element) => {
                        let call = self.calls[0].call(element.clone(), turn);
                        self.at = At::Key(element, call);
                        continue;
                    }
                    None => {
                        self.at = At::States(values(&mut self.states));
                        continue;
                    }
                },
                At::States(states) => match states.next() {
                    Some(state) => {
                        let call = self.calls[3].call(state, turn);
                        let At::States(states) = std::mem::replace(&mut self.at, At::Input) else { continue };
                        self.at = At::Finalize(call, states);
                        continue;
                    }
                    None => return Poll::Ready(Ok(None)),
                },
            };
            match std::mem::replace(&mut self.at, At::Input) {
                At::Key(element, _) => {
                    let key = number(&results?, "key_func")?;
                    match self.states.remove(&key) {
                        Some(state) => self.reduce(key, state, element, turn),
                        None => {
                            let call = self.calls[1].call(vec![Tensor::scalar(key)], turn);
                            self.at = At::Init(element, key, call);
                        }
                    }
                }
                At::Init(element, key, _) => self.reduce(key, results?, element, turn),
                At::Reduce(key, _) => {
                    self.states.insert(key, results?);
                    ready!(turn.pass());
                }
                At::Finalize(_, states) => {
                    self.at = At::States(states);
                    let element = results?;
                    check_results(&element, &self.types)?;
                    return Poll::Ready(Ok(Some(element)));
                }
                at => self.at = at,
            }
        }
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        // Elements are produced only at the end, so a call in progress when one is requested finishes soon.
        match &mut self.at {
            At::Input => {
                to.int(0);
                to.count(self.states.len());
                for (&key, state) in &self.states {
                    to.int(key);
                    to.element(state);
                }
                self.input.save(turn, to)
            }
            At::States(states) => {
                to.int(1);
                to.count(states.len());
                states.as_slice().iter().for_each(|state| to.element(state));
                Poll::Ready(Ok(()))
            }
            _ => Poll::Ready(Err(Error::unimplemented(
                "the position of a GroupByReducerDataset cannot be saved while one of its functions runs",
            ))),
        }
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        if from.flag()? {
            let states = (0..from.count()?).map(|_| from.element()).collect::<Result<Vec<Tuple>>>()?;
            self.at = At::States(states.into_iter());
            return Ok(());
        }
        for _ in 0..from.count()? {
            self.states.insert(from.int()?, from.element()?);
        }
        self.input.restore(from)
    }
}

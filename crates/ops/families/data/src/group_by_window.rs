//! `GroupByWindowDataset`: elements with the same key, in windows of a given size.

use crate::dataset::{DATASET, Dataset, INFINITE, INPUT, Setup, Source, Tuple, UNKNOWN, input, make, scalar_output};
use crate::function::{Call, Calls, Function};
use crate::interleave::{Inner, Resumed};
use crate::iter::{Iter, Next, Turn};
use crate::map::{restore_call, save_call};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use crate::window::window;
use levada_graph::Func;
use std::collections::BTreeMap;
use std::task::{Poll, ready};

attrs! {
    /// Groups the elements of a dataset by the key that `key_func` returns. Once a group has as many elements as
    /// `window_size_func` returns for its key, `reduce_func` turns the key and a dataset of the group into a dataset,
    /// whose elements are returned next.
    pub struct GroupByWindowDataset {
        /// Returns the key of an element.
        key: Func = Attr::func("key_func"),
        /// Returns the dataset for a group.
        reduce: Func = Attr::func("reduce_func"),
        /// Returns the size of a group.
        size: Func = Attr::func("window_size_func"),
        /// Dtypes of the other arguments of `key_func`.
        key_arguments: Vec<DType> = Attr::dtypes("Tkey_func_other_arguments", sets::ANY),
        /// Dtypes of the other arguments of `reduce_func`.
        reduce_arguments: Vec<DType> = Attr::dtypes("Treduce_func_other_arguments", sets::ANY),
        /// Dtypes of the other arguments of `window_size_func`.
        size_arguments: Vec<DType> = Attr::dtypes("Twindow_size_func_other_arguments", sets::ANY),
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Not used.
        metadata: Bytes = Attr::string("metadata").or_str(""),
    }
}

pub static GROUP_BY_WINDOW_DATASET: Def<GroupByWindowDataset> = op("GroupByWindowDataset")
    .inputs(&[
        INPUT,
        arg("key_func_other_arguments", each("Tkey_func_other_arguments")),
        arg("reduce_func_other_arguments", each("Treduce_func_other_arguments")),
        arg("window_size_func_other_arguments", each("Twindow_size_func_other_arguments")),
    ])
    .outputs(DATASET)
    .also(&[form("ExperimentalGroupByWindowDataset").without(&["metadata"])])
    .shape(scalar_output)
    .kernel(|op: &GroupByWindowDataset, cx| {
        let reduce = 1 + op.key_arguments.len();
        let size = reduce + op.reduce_arguments.len();
        let grouped = GroupByWindow {
            source: input(cx, 0)?,
            key: Function::of(cx, &op.key, 1..reduce)?,
            reduce: Function::of(cx, &op.reduce, reduce..size)?,
            size: Function::of(cx, &op.size, size..cx.num_inputs())?,
        };
        make(cx, op.types.clone(), op.shapes.clone(), grouped)
    });

struct GroupByWindow {
    source: Source,
    key: Function,
    reduce: Function,
    size: Function,
}

impl Dataset for GroupByWindow {
    fn kind(&self) -> &'static str {
        "GroupByWindow"
    }

    fn may_read(&self) -> bool {
        true
    }

    fn cardinality(&self) -> i64 {
        if self.source.cardinality() == INFINITE { INFINITE } else { UNKNOWN }
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        Ok(Box::new(GroupIter {
            input: setup.make(&self.source)?,
            source: self.source.clone(),
            key: self.key.at(&setup),
            reduce: self.reduce.at(&setup),
            size: self.size.at(&setup),
            setup,
            groups: BTreeMap::new(),
            sizes: BTreeMap::new(),
            at: At::Input,
            made: 0,
            ended: false,
        }))
    }
}

/// Returns the number that a function computed for an element.
///
/// # Errors
/// `INVALID_ARGUMENT` if it returned something else.
pub(crate) fn number(results: &[Tensor], function: &str) -> Result<i64> {
    match results {
        [one] if one.dtype() == DType::I64 && one.num_elements() == 1 => one.item(),
        _ => Err(Error::invalid(format!("`{function}` must return a scalar int64."))),
    }
}

/// The next step.
enum At {
    /// Read an element of the input.
    Input,
    /// Compute the key of this element.
    Key(Tuple, Call),
    /// Compute the group size for a key, to which this element belongs.
    Size(Tuple, i64, Call),
    /// Return the elements of the dataset that a group was reduced to.
    Open(Inner),
    Resumed(Resumed),
}

struct GroupIter {
    input: Box<dyn Iter>,
    source: Source,
    key: Calls,
    reduce: Calls,
    size: Calls,
    setup: Setup,
    groups: BTreeMap<i64, Vec<Tuple>>,
    /// Group sizes by key.
    sizes: BTreeMap<i64, u64>,
    at: At,
    /// Number of groups so far.
    made: u64,
    ended: bool,
}

impl GroupIter {
    /// Adds an element to its group; turns the group into a dataset if it is full.
    fn add(&mut self, element: Tuple, key: i64, size: u64, turn: &Turn<'_>) -> At {
        let group = self.groups.entry(key).or_default();
        group.push(element);
        if group.len() as u64 >= size { self.open(key, turn) } else { At::Input }
    }

    fn open(&mut self, key: i64, turn: &Turn<'_>) -> At {
        let group = self.groups.remove(&key).unwrap_or_default();
        let group = window(&self.source.types, &self.source.shapes, group);
        self.made += 1;
        At::Open(Inner::new(&self.reduce, vec![Tensor::scalar(key), group.tensor()], self.made - 1, turn))
    }
}

impl Iter for GroupIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        loop {
            match &mut self.at {
                At::Input if self.ended => match self.groups.keys().next() {
                    Some(&key) => self.at = self.open(key, turn),
                    None => return Poll::Ready(Ok(None)),
                },
                At::Input => match ready!(self.input.poll(turn))? {
                    Some(element) => {
                        let call = self.key.call(element.clone(), turn);
                        self.at = At::Key(element, call);
                    }
                    None => self.ended = true,
                },
                At::Key(_, call) => {
                    let results = ready!(call.poll(turn));
                    let At::Key(element, _) = std::mem::replace(&mut self.at, At::Input) else { continue };
                    let key = number(&results?, "key_func")?;
                    self.at = match self.sizes.get(&key) {
                        Some(&size) => self.add(element, key, size, turn),
                        None => At::Size(element, key, self.size.call(vec![Tensor::scalar(key)], turn)),
                    };
                    ready!(turn.pass());
                }
                At::Size(_, _, call) => {
                    let results = ready!(call.poll(turn));
                    let At::Size(element, key, _) = std::mem::replace(&mut self.at, At::Input) else { continue };
                    let size = number(&results?, "window_size_func")?;
                    let Some(size) = u64::try_from(size).ok().filter(|&size| size > 0) else {
                        return Poll::Ready(Err(Error::invalid(format!(
                            "Window size must be greater than zero, but got {size}."
                        ))));
                    };
                    self.sizes.insert(key, size);
                    self.at = self.add(element, key, size, turn);
                }
                At::Open(inner) => {
                    let given = match ready!(inner.poll_open(&self.setup, turn)) {
                        Ok(iter) => ready!(iter.poll(turn))?,
                        Err(mut error) => {
                            self.at = At::Input;
                            let (code, text) = (error.code(), error.message().to_owned());
                            let fault = error.fault_mut();
                            fault.code = Code::Internal;
                            fault.message = format!("Got error code {} and message: {{\n{text}\n}}", code.name());
                            return Poll::Ready(Err(error));
                        }
                    };
                    if given.is_some() {
                        return Poll::Ready(Ok(given));
                    }
                    self.at = At::Input;
                    ready!(turn.pass());
                }
                At::Resumed(_) => {
                    if let At::Resumed(resumed) = std::mem::replace(&mut self.at, At::Input) {
                        self.at = At::Open(resumed.resume(&self.reduce, turn));
                    }
                }
            }
        }
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        to.int(self.ended);
        to.int(self.made as i64);
        to.count(self.sizes.len());
        for (&key, &size) in &self.sizes {
            to.int(key);
            to.int(size as i64);
        }
        to.count(self.groups.len());
        for (&key, group) in &self.groups {
            to.int(key);
            to.count(group.len());
            group.iter().for_each(|element| to.element(element));
        }
        match std::mem::replace(&mut self.at, At::Input) {
            At::Resumed(resumed) => self.at = At::Open(resumed.resume(&self.reduce, turn)),
            at => self.at = at,
        }
        match &mut self.at {
            At::Input | At::Resumed(_) => to.int(0),
            At::Key(element, call) => {
                to.int(1);
                to.element(element);
                ready!(save_call(Some(call), turn, to));
            }
            At::Size(element, key, call) => {
                to.int(2);
                to.element(element);
                to.int(*key);
                ready!(save_call(Some(call), turn, to));
            }
            At::Open(inner) => {
                to.int(3);
                ready!(inner.save(&self.setup, turn, to))?;
            }
        }
        self.input.save(turn, to)
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        (self.ended, self.made) = (from.flag()?, from.int()? as u64);
        for _ in 0..from.count()? {
            self.sizes.insert(from.int()?, from.int()? as u64);
        }
        for _ in 0..from.count()? {
            let key = from.int()?;
            let group = (0..from.count()?).map(|_| from.element()).collect::<Result<_>>()?;
            self.groups.insert(key, group);
        }
        self.at = match from.int()? {
            0 => At::Input,
            1 => {
                let element = from.element()?;
                restore_call(&self.key, from)?.map_or(At::Input, |call| At::Key(element, call))
            }
            2 => {
                let (element, key) = (from.element()?, from.int()?);
                restore_call(&self.size, from)?.map_or(At::Input, |call| At::Size(element, key, call))
            }
            _ => At::Resumed(Resumed::read(from)?),
        };
        self.input.restore(from)
    }
}

//! `ChooseFastestBranchDataset`: the fastest of several functions of a dataset.

use crate::dataset::{DATASET, Dataset, INFINITE, INPUT, Setup, Source, UNKNOWN, input, make, scalar, scalar_output};
use crate::function::{Call, Calls, Function};
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use crate::take::Take;
use levada_graph::Func;
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Poll, ready};
use std::time::{Duration, Instant};

attrs! {
    /// Returns the elements of datasets that functions create from the remaining elements of another one: of each
    /// function in turn until all have been measured, then of the fastest.
    pub struct ChooseFastestBranchDataset {
        /// Dtypes of the functions' other arguments.
        arguments: Vec<DType> = Attr::dtypes("Targuments", sets::ANY),
        /// Number of elements to measure for each function.
        measured: i64 = Attr::int("num_elements_per_branch").at_least(1),
        /// The functions to choose from.
        branches: Vec<Func> = Attr::funcs("branches").at_least(1),
        /// Number of other arguments of each function.
        lengths: Vec<i64> = Attr::ints("other_arguments_lengths").at_least(1),
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
    }
}

pub static CHOOSE_FASTEST_BRANCH_DATASET: Def<ChooseFastestBranchDataset> = op("ChooseFastestBranchDataset")
    .inputs(&[
        INPUT,
        arg("ratio_numerator", is(DType::I64)),
        arg("ratio_denominator", is(DType::I64)),
        arg("other_arguments", each("Targuments")),
    ])
    .outputs(DATASET)
    .shape(scalar_output)
    .kernel(choose_fastest_branch);

fn choose_fastest_branch(op: &ChooseFastestBranchDataset, cx: &mut Cx<'_, '_>) -> Result<()> {
    if op.branches.len() != op.lengths.len() {
        return Err(Error::invalid("branches and other_arguments_lengths must have the same length.").found(format!(
            "{} and {}",
            op.branches.len(),
            op.lengths.len()
        )));
    }
    let source = input(cx, 0)?;
    let ratio = [scalar(cx, 1, "ratio_numerator")?, scalar(cx, 2, "ratio_denominator")?];
    for (value, name) in ratio.iter().zip(["ratio_numerator", "ratio_denominator"]) {
        if *value <= 0 {
            return Err(Error::invalid(format!("`{name}` must be greater than zero.")).found(value));
        }
    }
    if op.measured % ratio[1] != 0 {
        return Err(Error::invalid("`num_elements_per_branch` must be divisible by `ratio_denominator`.")
            .found(format!("{} and {}", op.measured, ratio[1])));
    }
    let (mut branches, mut first) = (Vec::new(), 3usize);
    for (function, &length) in op.branches.iter().zip(&op.lengths) {
        let next = usize::try_from(length).ok().and_then(|length| first.checked_add(length));
        let Some(next) = next.filter(|&next| next <= cx.num_inputs()) else {
            return Err(Error::invalid("the sum of `other_arguments_lengths` exceeds the number of other arguments")
                .expected(format!("{} in all", op.arguments.len()))
                .found(format!("{:?}", op.lengths)));
        };
        branches.push(Function::of(cx, function, first..next)?);
        first = next;
    }
    make(cx, op.types.clone(), op.shapes.clone(), Branches { source, branches, measured: op.measured, ratio })
}

struct Branches {
    source: Source,
    branches: Vec<Function>,
    measured: i64,
    /// Ratio of elements of the input to elements of a branch.
    ratio: [i64; 2],
}

impl Dataset for Branches {
    fn kind(&self) -> &'static str {
        "ChooseFastestBranch"
    }

    fn cardinality(&self) -> i64 {
        match self.source.cardinality() {
            n @ (INFINITE | UNKNOWN) => n,
            n => (n as f64 * self.ratio[0] as f64 / self.ratio[1] as f64) as i64,
        }
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        let rest = Arc::new(Mutex::new(setup.make(&self.source)?));
        Ok(Box::new(BranchesIter {
            rest,
            source: self.source.clone(),
            branches: self.branches.iter().map(|branch| (branch.at(&setup), Vec::new())).collect(),
            take: self.measured.saturating_mul(self.ratio[0]) / self.ratio[1],
            measured: self.measured,
            setup,
            at: 0,
            given: 0,
            fastest: None,
            current: Current::None,
            since: None,
        }))
    }
}

/// The remaining elements of an iterator, as a dataset that allows a single iterator.
struct Rest {
    iter: Arc<Mutex<Box<dyn Iter>>>,
    taken: AtomicBool,
}

impl Dataset for Rest {
    fn kind(&self) -> &'static str {
        "Wrapper"
    }

    fn cardinality(&self) -> i64 {
        UNKNOWN
    }

    fn iterator(&self, _: Setup) -> Result<Box<dyn Iter>> {
        if self.taken.swap(true, Ordering::Relaxed) {
            return Err(Error::invalid(
                "Cannot create more than one WrapperIterator per WrapperDataset. Make sure the branches to \
                 ChooseFastestDataset do not expect the input to repeat.",
            ));
        }
        Ok(Box::new(RestIter(self.iter.clone())))
    }
}

struct RestIter(Arc<Mutex<Box<dyn Iter>>>);

impl Iter for RestIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        self.0.lock().poll(turn)
    }

    // The position is that of the shared iterator.
    fn save(&mut self, _: &mut Turn<'_>, _: &mut Saver) -> Poll<Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn restore(&mut self, _: &mut Saved) -> Result<()> {
        Ok(())
    }
}

/// The current branch.
enum Current {
    None,
    Called(Call, Option<Saved>),
    Open(Box<dyn Iter>),
    /// The branch must be called, for an iterator that continues from this position.
    Resumed(Saved),
}

struct BranchesIter {
    rest: Arc<Mutex<Box<dyn Iter>>>,
    source: Source,
    /// The function of each branch, and the times of its elements.
    branches: Vec<(Calls, Vec<Duration>)>,
    /// Number of elements of the input for a branch being measured.
    take: i64,
    /// Number of elements of each branch to measure.
    measured: i64,
    setup: Setup,
    /// Index of the branch being measured; past the end once all have been.
    at: usize,
    /// Number of its elements returned so far.
    given: i64,
    fastest: Option<usize>,
    current: Current,
    /// When the pending element was requested.
    since: Option<Instant>,
}

impl BranchesIter {
    /// Returns the branch with the lowest 90th percentile of element times; the last one of a tie.
    fn choose(&self) -> usize {
        let slow = |times: &[Duration]| {
            let mut times = times.to_vec();
            times.sort_unstable();
            times.get(times.len() * 9 / 10).copied().unwrap_or_default()
        };
        let by_time = |a: &usize, b: &usize| slow(&self.branches[*b].1).cmp(&slow(&self.branches[*a].1));
        (0..self.branches.len()).max_by(by_time).unwrap_or(0)
    }

    fn poll_open(&mut self, turn: &mut Turn<'_>) -> Poll<Result<&mut Box<dyn Iter>>> {
        let is_measured = self.at < self.branches.len();
        let branch = match is_measured {
            true => self.at,
            false => match self.fastest {
                Some(fastest) => fastest,
                None => *self.fastest.insert(self.choose()),
            },
        };
        loop {
            match std::mem::replace(&mut self.current, Current::None) {
                Current::Open(iter) => {
                    self.current = Current::Open(iter);
                    break;
                }
                Current::Called(mut call, position) => {
                    let Poll::Ready(results) = call.poll(turn) else {
                        self.current = Current::Called(call, position);
                        return Poll::Pending;
                    };
                    let results = results?;
                    let [dataset] = &results[..] else {
                        return Poll::Ready(Err(Error::invalid(
                            "Function must return a single scalar of dtype DT_VARIANT.",
                        )));
                    };
                    let mut iter = self.setup.make_nth(&Source::of(dataset)?, branch)?;
                    if let Some(mut position) = position {
                        iter.restore(&mut position)?;
                    }
                    self.current = Current::Open(iter);
                }
                before => {
                    let (types, shapes) = (&self.source.types, &self.source.shapes);
                    let rest = Rest { iter: self.rest.clone(), taken: AtomicBool::new(false) };
                    let mut rest = Source::new(types, shapes, rest);
                    // A branch that computes ahead must not take more of the input than is measured.
                    if is_measured {
                        rest = Source::new(types, shapes, Take { source: rest.clone(), count: self.take });
                    }
                    let position = if let Current::Resumed(position) = before { Some(position) } else { None };
                    let call = self.branches[branch].0.call(vec![rest.tensor()], turn);
                    self.current = Current::Called(call, position);
                }
            }
        }
        match &mut self.current {
            Current::Open(iter) => Poll::Ready(Ok(iter)),
            _ => Poll::Pending,
        }
    }
}

impl Iter for BranchesIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        let since = *self.since.get_or_insert_with(Instant::now);
        let given = match ready!(self.poll_open(turn)) {
            Ok(iter) => ready!(iter.poll(turn)),
            Err(error) => {
                self.since = None;
                return Poll::Ready(Err(error));
            }
        };
        self.since = None;
        if let Some((_, times)) = self.branches.get_mut(self.at) {
            // The first element is not representative.
            if self.given > 0 {
                times.push(since.elapsed());
            }
            self.given += 1;
            if self.given >= self.measured {
                (self.at, self.given, self.current) = (self.at + 1, 0, Current::None);
            }
        }
        Poll::Ready(given)
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        if !matches!(self.current, Current::None) {
            ready!(self.poll_open(turn))?;
        }
        to.count(self.at);
        to.int(self.given);
        to.int(self.fastest.map_or(-1, |fastest| fastest as i64));
        let mut position = Saver::default();
        to.int(matches!(self.current, Current::Open(_)));
        if let Current::Open(iter) = &mut self.current {
            ready!(iter.save(turn, &mut position))?;
        }
        to.nested(position);
        self.rest.lock().save(turn, to)
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        self.at = from.count()?;
        self.given = from.int()?;
        self.fastest = usize::try_from(from.int()?).ok().filter(|&fastest| fastest < self.branches.len());
        let (is_open, position) = (from.flag()?, from.nested()?);
        self.current = if is_open { Current::Resumed(position) } else { Current::None };
        self.rest.lock().restore(from)
    }
}

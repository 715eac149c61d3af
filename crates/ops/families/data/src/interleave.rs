//! `FlatMapDataset`, `InterleaveDataset`: the elements of the datasets that a function makes of each element.

use crate::dataset::{
    ARGUMENTS, DATASET, Dataset, INPUT, Setup, Source, Tuple, UNKNOWN, input, make, scalar, scalar_output,
};
use crate::function::{Call, Calls, Function};
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use levada_graph::Func;
use std::task::{Poll, ready};

attrs! {
    /// The attrs of datasets of the elements of other datasets, which a function makes.
    pub struct Interleave {
        /// The function.
        function: Func = Attr::func("f"),
        /// Dtypes of what the function gets besides.
        arguments: Vec<DType> = Attr::dtypes("Targuments", sets::ANY),
        /// Dtypes of an element.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Not used.
        metadata: Bytes = Attr::string("metadata").or_str(""),
    }
}

pub static FLAT_MAP_DATASET: Def<Interleave> = op("FlatMapDataset")
    .doc("The elements of the datasets that a function makes of each element, one dataset after the other.")
    .inputs(&[INPUT, ARGUMENTS])
    .outputs(DATASET)
    .shape(scalar_output)
    .kernel(|op: &Interleave, cx| {
        let function = Function::of(cx, &op.function, 1..cx.num_inputs())?;
        let flat = Interleaved { kind: "FlatMap", source: input(cx, 0)?, function, cycle: 1, block: u64::MAX };
        make(cx, op.types.clone(), op.shapes.clone(), flat)
    });

pub static INTERLEAVE_DATASET: Def<Interleave> = op("InterleaveDataset")
    .doc(
        "The elements of the datasets that a function makes of each element: `block_length` of each of `cycle_length` \
         datasets in turn.",
    )
    .inputs(&[INPUT, ARGUMENTS, arg("cycle_length", is(DType::I64)), arg("block_length", is(DType::I64))])
    .outputs(DATASET)
    .shape(scalar_output)
    .kernel(interleave_dataset);

/// What asks for a number that suits the machine.
const AUTOTUNE: i64 = -1;

fn interleave_dataset(op: &Interleave, cx: &mut Cx<'_, '_>) -> Result<()> {
    let last = cx.num_inputs() - 2;
    let function = Function::of(cx, &op.function, 1..last)?;
    let (cycle, block): (i64, i64) = (scalar(cx, last, "cycle_length")?, scalar(cx, last + 1, "block_length")?);
    let cycle = if cycle == AUTOTUNE { cx.pool().threads() as i64 } else { cycle };
    if cycle <= 0 {
        return Err(Error::invalid("cycle_length must be greater than zero."));
    }
    if block <= 0 {
        return Err(Error::invalid("block_length must be greater than zero."));
    }
    let source = input(cx, 0)?;
    let interleaved = Interleaved { kind: "Interleave", source, function, cycle: cycle as u64, block: block as u64 };
    make(cx, op.types.clone(), op.shapes.clone(), interleaved)
}

struct Interleaved {
    kind: &'static str,
    source: Source,
    function: Function,
    cycle: u64,
    block: u64,
}

impl Dataset for Interleaved {
    fn kind(&self) -> &'static str {
        self.kind
    }

    fn cardinality(&self) -> i64 {
        UNKNOWN
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        Ok(Box::new(InterleavedIter {
            input: setup.make(&self.source)?,
            calls: self.function.at(&setup),
            setup,
            open: Vec::new(),
            cycle: self.cycle,
            block: self.block,
            at: 0,
            taken: 0,
            ended: false,
            made: 0,
        }))
    }
}

/// A dataset that a function makes of an element, and the position in it.
pub(crate) struct Inner {
    /// What the function is called with: its dataset is made again where the position is restored.
    element: Tuple,
    state: InnerState,
    number: u64,
}

enum InnerState {
    Called(Call, Option<Saved>),
    Open(Box<dyn Iter>),
}

impl Inner {
    /// Calls the function for the `number`-th element.
    pub(crate) fn new(calls: &Calls, element: Tuple, number: u64, turn: &Turn<'_>) -> Inner {
        let call = calls.call(element.clone(), turn);
        Inner { element, state: InnerState::Called(call, None), number }
    }

    /// The iterator, once the function has made its dataset.
    ///
    /// # Errors
    /// Where it fails, or makes none.
    pub(crate) fn poll_open(&mut self, setup: &Setup, turn: &mut Turn<'_>) -> Poll<Result<&mut Box<dyn Iter>>> {
        if let InnerState::Called(call, position) = &mut self.state {
            let results = ready!(call.poll(turn))?;
            let [dataset] = results.as_slice() else {
                return Poll::Ready(Err(Error::invalid("Function must return a single scalar of dtype DT_VARIANT.")));
            };
            let mut iter = setup.make_nth(&Source::of(dataset)?, self.number)?;
            if let Some(position) = position {
                iter.restore(position)?;
            }
            self.state = InnerState::Open(iter);
        }
        match &mut self.state {
            InnerState::Open(iter) => Poll::Ready(Ok(iter)),
            InnerState::Called(..) => Poll::Pending,
        }
    }

    pub(crate) fn save(&mut self, setup: &Setup, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        let mut position = Saver::default();
        ready!(ready!(self.poll_open(setup, turn))?.save(turn, &mut position))?;
        to.int(self.number as i64);
        to.element(&self.element);
        to.nested(position);
        Poll::Ready(Ok(()))
    }
}

/// An element of which a dataset was made, and the position in that, until there is a turn to make it again.
pub(crate) struct Resumed {
    number: u64,
    element: Tuple,
    position: Saved,
}

impl Resumed {
    /// # Errors
    /// `DATA_LOSS` where there is something else.
    pub(crate) fn read(from: &mut Saved) -> Result<Resumed> {
        Ok(Resumed { number: from.int()? as u64, element: from.element()?, position: from.nested()? })
    }

    pub(crate) fn resume(self, calls: &Calls, turn: &Turn<'_>) -> Inner {
        let mut inner = Inner::new(calls, self.element, self.number, turn);
        if let InnerState::Called(_, position) = &mut inner.state {
            *position = Some(self.position);
        }
        inner
    }
}

/// A place in the cycle.
enum Place {
    Free,
    Taken(Inner),
    Resumed(Resumed),
}

struct InterleavedIter {
    input: Box<dyn Iter>,
    calls: Calls,
    setup: Setup,
    /// The places that have been taken so far; those behind are free.
    open: Vec<Place>,
    cycle: u64,
    block: u64,
    /// The place whose turn it is.
    at: u64,
    /// Elements of it in this block.
    taken: u64,
    ended: bool,
    /// Elements of the input so far.
    made: u64,
}

impl InterleavedIter {
    fn advance(&mut self) {
        self.taken = 0;
        self.at = (self.at + 1) % self.cycle;
        // Behind the last place nothing is open, and nothing will be.
        if self.ended && self.at >= self.open.len() as u64 {
            self.at = 0;
        }
    }

    fn is_over(&self) -> bool {
        self.ended && self.open.iter().all(|place| matches!(place, Place::Free))
    }
}

impl Iter for InterleavedIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        while !self.is_over() {
            let at = self.at as usize;
            if at >= self.open.len() && !self.ended {
                self.open.push(Place::Free);
            }
            match self.open.get_mut(at) {
                Some(Place::Free) if !self.ended => match ready!(self.input.poll(turn))? {
                    None => self.ended = true,
                    Some(element) => {
                        self.open[at] = Place::Taken(Inner::new(&self.calls, element, self.made, turn));
                        self.made += 1;
                    }
                },
                Some(place @ Place::Resumed(_)) => {
                    if let Place::Resumed(resumed) = std::mem::replace(place, Place::Free) {
                        *place = Place::Taken(resumed.resume(&self.calls, turn));
                    }
                }
                Some(Place::Taken(inner)) => {
                    let iter = match ready!(inner.poll_open(&self.setup, turn)) {
                        Ok(iter) => iter,
                        Err(error) => {
                            self.open[at] = Place::Free;
                            return Poll::Ready(Err(error));
                        }
                    };
                    if let Some(element) = ready!(iter.poll(turn))? {
                        self.taken += 1;
                        if self.taken == self.block {
                            self.advance();
                        }
                        return Poll::Ready(Ok(Some(element)));
                    }
                    self.open[at] = Place::Free;
                    self.advance();
                    ready!(turn.pass());
                }
                Some(Place::Free) | None => self.advance(),
            }
        }
        Poll::Ready(Ok(None))
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        for number in [self.at, self.taken, self.made] {
            to.int(number as i64);
        }
        to.int(self.ended);
        to.count(self.open.len());
        for place in &mut self.open {
            if matches!(place, Place::Resumed(_))
                && let Place::Resumed(resumed) = std::mem::replace(place, Place::Free)
            {
                *place = Place::Taken(resumed.resume(&self.calls, turn));
            }
            to.int(matches!(place, Place::Taken(_)));
            if let Place::Taken(inner) = place {
                ready!(inner.save(&self.setup, turn, to))?;
            }
        }
        self.input.save(turn, to)
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        (self.at, self.taken, self.made) = (from.int()? as u64, from.int()? as u64, from.int()? as u64);
        self.ended = from.flag()?;
        for _ in 0..from.count()? {
            let place = if from.flag()? { Place::Resumed(Resumed::read(from)?) } else { Place::Free };
            self.open.push(place);
        }
        self.input.restore(from)
    }
}

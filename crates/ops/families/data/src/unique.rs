//! `UniqueDataset`: removes duplicate elements.

use crate::dataset::{
    DATASET, Dataset, INFINITE, INPUT, Plain, Setup, Source, UNKNOWN, input, make_like, scalar_output,
};
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use std::collections::HashSet;
use std::task::{Poll, ready};

const DTYPES: [DType; 3] = [DType::I32, DType::I64, DType::Str];

pub static UNIQUE_DATASET: Def<Plain> = op("UniqueDataset")
    .doc("Removes duplicate elements, keeping the first occurrence of each.")
    .inputs(&[INPUT])
    .outputs(DATASET)
    .also(&[form("ExperimentalUniqueDataset").without(&["metadata"])])
    .shape(scalar_output)
    .kernel(|_, cx| {
        let source = input(cx, 0)?;
        let [dtype] = *source.types else {
            return Err(Error::invalid("UniqueDataset only supports inputs with a single component."));
        };
        if !DTYPES.contains(&dtype) {
            return Err(Error::invalid(
                "UniqueDataset only supports inputs with a single `tf.int32`, `tf.int64`, or `tf.string` component.",
            ));
        }
        make_like(cx, &source.clone(), Unique(source))
    });

struct Unique(Source);

impl Dataset for Unique {
    fn kind(&self) -> &'static str {
        "Unique"
    }

    fn cardinality(&self) -> i64 {
        match self.0.cardinality() {
            // Any number of them may be duplicates.
            n if n > 0 => UNKNOWN,
            INFINITE => UNKNOWN,
            n => n,
        }
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        Ok(Box::new(UniqueIter { input: setup.make(&self.0)?, seen: HashSet::new(), order: Vec::new() }))
    }
}

/// The identity of an element: its shape and its bytes.
type Key = (Vec<usize>, Vec<u8>);

fn key(tensor: &Tensor) -> Result<Key> {
    let shape = tensor.shape().dims().to_vec();
    if let Some(bytes) = tensor.bytes() {
        return Ok((shape, bytes.to_vec()));
    }
    let mut all = Vec::new();
    for string in tensor.slice::<Bytes>()? {
        all.extend_from_slice(&(string.len() as u64).to_le_bytes());
        all.extend_from_slice(string);
    }
    Ok((shape, all))
}

struct UniqueIter {
    input: Box<dyn Iter>,
    seen: HashSet<Key>,
    /// The distinct elements in order, for saving the position.
    order: Vec<Tensor>,
}

impl Iter for UniqueIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        loop {
            let Some(element) = ready!(self.input.poll(turn))? else { return Poll::Ready(Ok(None)) };
            let [tensor] = element.as_slice() else {
                return Poll::Ready(Err(Error::invalid("UniqueDataset only supports inputs with a single component.")));
            };
            if self.seen.insert(key(tensor)?) {
                self.order.push(tensor.clone());
                return Poll::Ready(Ok(Some(element)));
            }
            ready!(turn.pass());
        }
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        to.element(&self.order);
        self.input.save(turn, to)
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        self.order = from.element()?;
        self.seen = self.order.iter().map(key).collect::<Result<_>>()?;
        self.input.restore(from)
    }
}

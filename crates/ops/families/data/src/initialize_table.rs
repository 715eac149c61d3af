//! `InitializeTableFromDataset`: fills a lookup table from a dataset.

use crate::dataset::{Tuple, input};
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use crate::rows;
use crate::stream::Stream;
use levada_kernel::Arena;
use levada_ops_tables::Unfilled;
use std::sync::Arc;
use std::task::{Poll, ready};

attrs! {
    /// Fills a lookup table with the elements of a dataset: pairs of a key and a value, or of vectors of keys and
    /// values of equal length.
    pub struct InitializeTableFromDataset {}
}

pub static INITIALIZE_TABLE_FROM_DATASET: Def<InitializeTableFromDataset> = op("InitializeTableFromDataset")
    .inputs(&[arg("table_handle", is(DType::Resource)), arg("dataset", is(DType::Variant))])
    .stateful()
    .role(Role::Call)
    .kernel(|_: &InitializeTableFromDataset, cx| {
        let (source, arena) = (input(cx, 1)?, cx.device.arena.clone());
        let [key, value] = source.types[..] else {
            return Err(Error::invalid("Dataset should have two output types only")
                .found(format!("{} components", source.types.len())));
        };
        let table = Unfilled::of(cx, 0, key, value)?;
        Stream::once(
            cx,
            |setup| Ok(Box::new(Pairs { input: setup.make(&source)?, pairs: Vec::new(), arena, types: [key, value] })),
            move |pairs| {
                if let [keys, values] = &pairs.unwrap_or_default()[..] {
                    table.fill(keys, values)?;
                }
                Ok(Vec::new())
            },
        )
    })
    .heavy();

/// An iterator that returns all keys and all values as one element.
struct Pairs {
    input: Box<dyn Iter>,
    pairs: Vec<Tuple>,
    arena: Arc<Arena>,
    types: [DType; 2],
}

impl Pairs {
    /// Concatenates all values of one component.
    fn joined(&self, component: usize) -> Result<Tensor> {
        let parts = || self.pairs.iter().filter_map(move |pair| pair.get(component));
        let total = parts().map(Tensor::num_elements).sum::<usize>();
        rows::join(&self.arena, self.types[component], Shape::new([total])?, parts())
    }
}

impl Iter for Pairs {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        while let Some(pair) = ready!(self.input.poll(turn))? {
            match &pair[..] {
                [key, value] if key.num_elements() == value.num_elements() => self.pairs.push(pair),
                _ => {
                    return Poll::Ready(Err(Error::invalid("an element must have as many keys as values")
                        .found(format!("{} components", pair.len()))));
                }
            }
            ready!(turn.pass());
        }
        Poll::Ready(Ok(Some(vec![self.joined(0)?, self.joined(1)?])))
    }

    fn save(&mut self, _: &mut Turn<'_>, _: &mut Saver) -> Poll<Result<()>> {
        Poll::Ready(Err(Error::unimplemented("a table that is being filled has no position")))
    }

    fn restore(&mut self, _: &mut Saved) -> Result<()> {
        Err(Error::unimplemented("a table that is being filled has no position"))
    }
}

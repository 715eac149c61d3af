//! Datasets that several others, or several iterators, are made of. TensorFlow's optimizer serializes a pipeline before it
//! runs, so that each use becomes a dataset of its own: both sides of a zipped shuffle have the same order.

use crate::dataset::Source;
use crate::made::MOST_DEEP;
use crate::options::may_be_rewritten;
use crate::prelude::*;
use std::collections::HashSet;

/// Maximum number of copies; uses beyond it share a dataset. Twenty datasets that each zip the previous one with itself
/// would make a million.
const MOST_COPIES: usize = 4096;

/// Returns the dataset as TensorFlow's optimizer leaves it, with a copy for each use of a dataset with functions or with
/// seeds that depend on how many iterators it has had.
///
/// # Errors
/// Those of the kernels that create the copies.
pub(crate) fn one_for_each_use(cx: &Cx<'_, '_>, source: Source) -> Result<Source> {
    if !source.differs_in_copies || !may_be_rewritten(&source.options) {
        return Ok(source);
    }
    Copies { cx, used: HashSet::default(), left: MOST_COPIES }.of(&source, 0)
}

struct Copies<'a, 'b, 'c> {
    cx: &'a Cx<'b, 'c>,
    used: HashSet<*const ()>,
    left: usize,
}

impl Copies<'_, '_, '_> {
    fn of(&mut self, source: &Source, depth: u32) -> Result<Source> {
        if !source.differs_in_copies || depth > MOST_DEEP || self.left == 0 {
            return Ok(source.clone());
        }
        let used_before = !self.used.insert(source.object());
        let mut changed = used_before || source.reseeds();
        let mut inputs = source.inputs();
        for input in &mut inputs {
            let Ok(before) = Source::of(input) else { continue };
            let after = self.of(&before, depth + 1)?;
            if !after.is_same(&before) {
                (*input, changed) = (after.tensor(), true);
            }
        }
        if !changed {
            return Ok(source.clone());
        }
        self.left = self.left.saturating_sub(1);
        match used_before {
            true => source.copied(self.cx, inputs, self.left),
            false => source.remade(self.cx, inputs),
        }
    }
}

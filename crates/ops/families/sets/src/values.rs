//! Sets as rows of dense tensors and as groups of the elements of sparse ones.

use crate::coo::{self, Coo};
use crate::prelude::*;
use DType::*;
use std::collections::BTreeSet;

/// What sets may hold.
pub(super) const TYPES: &[DType] = &[I8, I16, I32, I64, U8, U16, Str];

/// Runs `$body` with `$T` standing for the Rust type of `$dtype`, for what sets may hold.
macro_rules! members {
    ($dtype:expr, |$T:ident| $body:expr, else $else:expr) => {
        match $dtype {
            DType::Str => {
                type $T = Bytes;
                $body
            }
            other => dispatch!(other, integers, |$T| $body, else $else),
        }
    };
}
pub(super) use members;

/// A sparse tensor as sets: those of its elements that lie next to each other and differ only in the last coordinate.
pub(super) struct Sets<'a, T> {
    pub(super) sparse: Coo<'a>,
    values: &'a [T],
}

impl<'a, T: Element + Ord> Sets<'a, T> {
    /// The sets on inputs `first` to `first + 2`.
    pub(super) fn input(cx: &'a Cx<'_, '_>, first: usize, validate: bool) -> Result<Sets<'a, T>> {
        let sparse = Coo::input(cx, first)?;
        if sparse.rank < 2 {
            return Err(Error::invalid(format!("Invalid rank {}.", sparse.rank)));
        }
        sparse.dense_shape()?;
        if validate {
            sparse.check_sorted()?;
        }
        Ok(Sets { values: sparse.values.slice()?, sparse })
    }

    /// The shape of all the sets.
    pub(super) fn shape(&self) -> Result<Shape> {
        coo::dense_shape(&self.sparse.shape[..self.sparse.rank - 1])
    }

    /// Each set with its place, in the order in which they are there.
    pub(super) fn groups(&self) -> impl Iterator<Item = Result<(&'a [i64], BTreeSet<&'a T>)>> + '_ {
        let sparse = &self.sparse;
        let (indices, rank) = (sparse.indices, sparse.rank);
        let place = move |i: usize| &indices[i * rank..(i + 1) * rank - 1];
        let mut at = 0;
        std::iter::from_fn(move || {
            if at >= sparse.len {
                return None;
            }
            let start = at;
            while at < sparse.len && place(at) == place(start) {
                at += 1;
            }
            // As in TensorFlow, bad indices that were not looked for are found here, with another code.
            for d in 0..rank {
                for i in start..at {
                    let (index, size) = (sparse.row(i)[d], sparse.shape[d]);
                    if index >= size {
                        return Some(Err(Error::internal(format!(
                            "indices[{}, {d}] expected < {size}, got {index}.",
                            i - start
                        ))));
                    }
                }
            }
            Some(Ok((place(start), self.values[start..at].iter().collect())))
        })
    }
}

//! Sets as rows of dense tensors and as groups of elements of sparse ones.

use crate::coo::{self, Coo};
use crate::prelude::*;
use DType::*;
use std::collections::BTreeSet;

/// The element types of sets.
pub(super) const TYPES: &[DType] = &[I8, I16, I32, I64, U8, U16, Str];

/// Expands `$body` with `$T` as the Rust type of `$dtype`, for the element types of sets.
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

/// A sparse tensor as sets: a set is a run of elements that differ only in the last coordinate.
pub(super) struct Sets<'a, T> {
    pub(super) sparse: Coo<'a>,
    values: &'a [T],
}

impl<'a, T: Element + Ord> Sets<'a, T> {
    /// Returns the sets in inputs `first` to `first + 2`.
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

    /// Returns the shape of the array of sets.
    pub(super) fn shape(&self) -> Result<Shape> {
        coo::dense_shape(&self.sparse.shape[..self.sparse.rank - 1])
    }

    /// Returns each set with its index, in storage order.
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
            // As in TensorFlow, bad indices that were not validated are detected here, with a different code.
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

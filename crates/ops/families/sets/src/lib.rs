//! Sets of values along the last axis: `SetSize`, and the difference, intersection and union of two sets.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::{coo, prelude, rules};

mod values;

family! {
    operation = SET_OPERATION;
    size = SET_SIZE;
}

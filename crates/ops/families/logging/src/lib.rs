//! Ops that check values and ops that write to the log.

#[macro_use]
extern crate levada_ops_core;

#[cfg(test)]
use levada_ops_core::testing;
use levada_ops_core::{prelude, rules, text};

family! {
    assert = ASSERT;
    check_numerics = CHECK_NUMERICS;
    print = PRINT;
    print_v2 = PRINT_V2;
    timestamp = TIMESTAMP;
}

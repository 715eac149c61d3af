//! Ops that check values, and ops that write to the log.

#[macro_use]
extern crate levada_ops_core;

#[cfg(test)]
use levada_ops_core::testing;
use levada_ops_core::{prelude, text};

family! {
    assert: Assert;
    check_numerics: CheckNumerics, CheckNumericsV2;
    print: Print;
    print_v2: PrintV2;
    timestamp: Timestamp;
}

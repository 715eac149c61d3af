//! Connectionist temporal classification, which trains and reads models that give labels without saying when, and the
//! distance of two sequences of labels.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::{prelude, rules};

mod decoded;
mod log_sum;
mod paths;

family! {
    beam_search_decoder = CTC_BEAM_SEARCH_DECODER;
    edit_distance = EDIT_DISTANCE;
    greedy_decoder = CTC_GREEDY_DECODER;
    loss = CTC_LOSS, CTC_LOSS_V2;
}

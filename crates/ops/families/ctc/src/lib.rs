//! Connectionist temporal classification (CTC), which trains and decodes models that predict label sequences without an
//! alignment, and the edit distance between label sequences.

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

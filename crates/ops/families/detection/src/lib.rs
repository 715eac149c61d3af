//! Bounding boxes in images: non-maximum suppression, drawing boxes, and sampling random crops.

// `!(a < b)` also holds for NaN, which is rejected with the rest.
#![allow(clippy::neg_cmp_op_on_partial_ord)]

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::{philox, prelude, rules};

mod boxes;

family! {
    combined_non_max_suppression = COMBINED_NON_MAX_SUPPRESSION;
    draw_bounding_boxes = DRAW_BOUNDING_BOXES;
    non_max_suppression = NON_MAX_SUPPRESSION, NON_MAX_SUPPRESSION_WITH_OVERLAPS;
    sample_distorted_bounding_box = SAMPLE_DISTORTED_BOUNDING_BOX, STATELESS_SAMPLE_DISTORTED_BOUNDING_BOX;
}

//! `PaddingFIFOQueue`: first in, first out, with batches that are padded where elements differ in shape.

use super::create::{Create, HANDLES, make, maker};
use super::queue::Kind;
use crate::prelude::*;

static PADDING: Kind = Kind { pads: true, ..Kind::named("PaddingFIFOQueue") };

pub static PADDING_FIFO_QUEUE: Def<Create> =
    maker(PADDING.name, &[form("PaddingFIFOQueueV2").outputs(HANDLES)], |op, cx| make(op, cx, &PADDING)).doc(
        "Creates a queue that returns elements in first-in, first-out order; its batches pad elements that differ in \
        shape.",
    );

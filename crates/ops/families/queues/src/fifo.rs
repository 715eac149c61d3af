//! `FIFOQueue`: first in, first out.

use super::create::{Create, HANDLES, make, maker};
use super::order::Order;
use super::queue::{Element, Kind};
use crate::prelude::*;
use std::collections::VecDeque;

pub(crate) static FIFO: Kind = Kind::named("FIFOQueue");

pub static FIFO_QUEUE: Def<Create> =
    maker(FIFO.name, &[form("FIFOQueueV2").outputs(HANDLES)], |op, cx| make(op, cx, &FIFO))
        .doc("Creates a queue that returns elements in first-in, first-out order.");

/// First in, first out.
#[derive(Default)]
pub(crate) struct Fifo(VecDeque<Element>);

impl Order for Fifo {
    fn len(&self) -> usize {
        self.0.len()
    }
    fn push(&mut self, element: Element) {
        self.0.push_back(element);
    }
    fn pop(&mut self) -> Option<Element> {
        self.0.pop_front()
    }
    fn put_back(&mut self, element: Element) {
        self.0.push_front(element);
    }
    fn all(&self) -> Vec<Element> {
        self.0.iter().cloned().collect()
    }
    fn reset(&mut self, _: u64) {
        self.0.clear();
    }
}

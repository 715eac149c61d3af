//! The kinds of queue: in which order elements leave.

use super::queue::Element;
use crate::philox::{Philox, Singles, entropy};
use std::collections::VecDeque;

/// Elements, and which of them leaves next.
pub(crate) trait Order: Send {
    /// Number of elements.
    fn len(&self) -> usize;
    /// Adds one.
    fn push(&mut self, element: Element);
    /// Takes one out.
    fn pop(&mut self) -> Option<Element>;
    /// Puts one back that was taken out; of several, the last that was taken out comes first.
    fn put_back(&mut self, element: Element);
    /// All of them, in an order in which they can be pushed again.
    fn all(&self) -> Vec<Element>;
    /// How many random numbers have been drawn.
    fn drawn(&self) -> u64 {
        0
    }
    /// Removes all elements; of the random numbers so many count as drawn.
    fn reset(&mut self, drawn: u64);
}

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

/// Any element, all equally likely.
pub(crate) struct Shuffle {
    elements: Vec<Element>,
    /// Where the random numbers begin.
    start: Philox,
    random: Singles,
    drawn: u64,
}

impl Shuffle {
    /// Two zeros stand for seeds of its own.
    pub(crate) fn new(seed: i64, seed2: i64) -> Shuffle {
        let philox = match (seed, seed2) {
            (0, 0) => Philox::seeded(entropy(), entropy()),
            _ => Philox::seeded(seed as u64, seed2 as u64),
        };
        Shuffle { elements: Vec::new(), start: philox, random: philox.singles(), drawn: 0 }
    }
}

impl Order for Shuffle {
    fn len(&self) -> usize {
        self.elements.len()
    }
    fn push(&mut self, element: Element) {
        self.elements.push(element);
    }
    fn pop(&mut self) -> Option<Element> {
        if self.elements.is_empty() {
            return None;
        }
        let at = self.random.next() as usize % self.elements.len();
        self.drawn = self.drawn.wrapping_add(1);
        Some(self.elements.swap_remove(at))
    }
    fn put_back(&mut self, element: Element) {
        self.elements.push(element);
    }
    fn all(&self) -> Vec<Element> {
        self.elements.clone()
    }
    fn drawn(&self) -> u64 {
        self.drawn
    }
    fn reset(&mut self, drawn: u64) {
        self.elements.clear();
        // A number is a quarter of a step of the generator.
        let mut at = self.start;
        at.skip(drawn / 4);
        self.random = at.singles();
        for _ in 0..drawn % 4 {
            self.random.next();
        }
        self.drawn = drawn;
    }
}

/// The element whose first component is least. Of equals, the one that the heap of the C++ standard library gives:
/// programs have come to see that order.
#[derive(Default)]
pub(crate) struct Priority(Vec<(i64, Element)>);

impl Priority {
    /// Moves the hole at `hole` up to where an element of this priority belongs.
    fn rise(&mut self, mut hole: usize) {
        while hole > 0 {
            let parent = (hole - 1) / 2;
            if self.0[parent].0 <= self.0[hole].0 {
                break;
            }
            self.0.swap(parent, hole);
            hole = parent;
        }
    }
}

impl Order for Priority {
    fn len(&self) -> usize {
        self.0.len()
    }
    fn push(&mut self, element: Element) {
        let priority = element.first().and_then(|t| t.item::<i64>().ok()).unwrap_or(0);
        self.0.push((priority, element));
        self.rise(self.0.len() - 1);
    }
    fn pop(&mut self) -> Option<Element> {
        let last = self.0.pop()?;
        let Some(first) = self.0.first_mut() else { return Some(last.1) };
        // The last element takes the place of the first, sinks to a leaf and rises from there.
        let (_, out) = std::mem::replace(first, last);
        let (len, mut hole, mut child) = (self.0.len(), 0, 0);
        while child < (len - 1) / 2 {
            child = 2 * (child + 1);
            if self.0[child].0 > self.0[child - 1].0 {
                child -= 1;
            }
            self.0.swap(hole, child);
            hole = child;
        }
        if len % 2 == 0 && child == (len - 2) / 2 {
            child = 2 * child + 1;
            self.0.swap(hole, child);
            hole = child;
        }
        self.rise(hole);
        Some(out)
    }
    fn put_back(&mut self, element: Element) {
        self.push(element);
    }
    fn all(&self) -> Vec<Element> {
        // No element of a heap rises when it is pushed after those before it.
        self.0.iter().map(|(_, element)| element.clone()).collect()
    }
    fn reset(&mut self, _: u64) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use levada_graph::Tensor;
    use smallvec::smallvec;

    #[test]
    fn the_heap_gives_the_least_first() {
        let mut heap = Priority::default();
        let mut expected: Vec<i64> = (0..200).map(|i| i * 7919 % 101).collect();
        for (i, &p) in expected.iter().enumerate() {
            heap.push(smallvec![Tensor::scalar(p), Tensor::scalar(i as i32)]);
        }
        expected.sort_unstable();
        let found: Vec<i64> = std::iter::from_fn(|| heap.pop()).map(|e| e[0].item::<i64>().unwrap()).collect();
        assert_eq!(found, expected);
    }
}

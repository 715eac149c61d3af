//! `PriorityQueue`: the element with the smallest priority leaves first.

use super::create::{Create, HANDLES, make, maker};
use super::order::Order;
use super::queue::{Element, Kind};
use crate::prelude::*;

static PRIORITY: Kind =
    Kind { order: |_| Box::<Priority>::default(), before: &[DType::I64], whole: true, ..Kind::named("PriorityQueue") };

attrs! {
    /// Creates a queue whose elements start with an int64 priority; the element with the smallest priority leaves
    /// first.
    pub struct PriorityQueue {
        /// Maximum number of elements; negative for no limit.
        capacity: i64 = Attr::int("capacity").or_int(-1),
        /// Container that holds the queue; empty for the default one.
        container: String = Attr::string("container").or_str(""),
        /// Name in the container; empty for the node's name.
        shared_name: String = Attr::string("shared_name").or_str(""),
        /// Dtypes of the components after the priority.
        types: Vec<DType> = Attr::dtypes("component_types", sets::ANY).or_empty(),
        /// Shapes of the components after the priority.
        shapes: Vec<PartialShape> = Attr::shapes("shapes"),
    }
}

pub static PRIORITY_QUEUE: Def<PriorityQueue> =
    maker(PRIORITY.name, &[form("PriorityQueueV2").outputs(HANDLES)], |op, cx| {
        let PriorityQueue { capacity, container, shared_name, types, shapes } = op.clone();
        make(&Create { capacity, container, shared_name, types, shapes }, cx, &PRIORITY)
    });

/// The element with the smallest first component leaves first. Ties are broken as by the heap of the C++ standard
/// library, because programs depend on that order.
#[derive(Default)]
pub(crate) struct Priority(Vec<(i64, Element)>);

impl Priority {
    /// Moves the element at `hole` up to its place.
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
        // The last element replaces the first, sinks to a leaf and rises from there.
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
        // Pushed in heap order, no element rises.
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

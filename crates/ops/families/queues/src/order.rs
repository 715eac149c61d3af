//! What the kinds of queue differ in: the order in which elements leave.

use super::queue::Element;

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

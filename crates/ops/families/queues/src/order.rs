//! The property that distinguishes the kinds of queue: the order in which elements leave.

use super::queue::Element;

/// Elements and the choice of the one that leaves next.
pub(crate) trait Order: Send {
    /// Returns the number of elements.
    fn len(&self) -> usize;
    /// Adds an element.
    fn push(&mut self, element: Element);
    /// Takes the next element out.
    fn pop(&mut self) -> Option<Element>;
    /// Puts back an element that was taken out; if there are several, they come back in reverse order.
    fn put_back(&mut self, element: Element);
    /// Returns all elements, in an order in which they can be pushed again.
    fn all(&self) -> Vec<Element>;
    /// Returns the number of random values drawn so far.
    fn drawn(&self) -> u64 {
        0
    }
    /// Removes all elements and sets the number of random values drawn.
    fn reset(&mut self, drawn: u64);
}

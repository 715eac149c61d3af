//! Iterators: state machines that return one element after another, immediately or later.

use crate::dataset::Tuple;
use crate::position::{Saved, Saver};
use crate::prelude::*;
use levada_kernel::Background;
use levada_kernel::background::Origin;
use std::sync::Arc;
use std::task::{Poll, Waker};

/// Maximum number of elements that a turn may consume before others get theirs.
const TURN: u32 = 1024;

/// The result of an iterator: an element, `None` at the end, or pending.
pub(crate) type Next = Poll<Result<Option<Tuple>>>;

/// A position in a dataset.
pub(crate) trait Iter: Send {
    /// Returns the next element. If pending, whatever is in progress wakes `turn`'s waker, and polling again continues
    /// it. After an error, the next poll returns the next element as if there had been no error.
    ///
    /// A loop that may consume many elements before it returns one calls [`Turn::pass`] between them. Implementations
    /// never block or split their work over threads.
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next;

    /// Saves the position, once the calls in progress have returned. If pending, what has been written so far must be
    /// discarded.
    ///
    /// # Errors
    /// If the position cannot be saved.
    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>>;

    /// Moves to a saved position; called once, before the first element.
    ///
    /// # Errors
    /// `DATA_LOSS` if it belongs to another dataset.
    fn restore(&mut self, from: &mut Saved) -> Result<()>;
}

/// One attempt to advance an iterator.
pub(crate) struct Turn<'a> {
    /// Calls functions and runs background work for the pipeline.
    pub(crate) background: &'a Arc<Background>,
    /// The origin of calls.
    pub(crate) origin: &'a Origin,
    /// Woken when polling again is worthwhile.
    pub(crate) waker: &'a Waker,
    left: u32,
    /// Whether the stages being polled are timed; `None` outside of all stages.
    pub(crate) timed: Option<bool>,
    /// Time spent in the stages that the current one has polled.
    pub(crate) inner_ns: u64,
}

impl<'a> Turn<'a> {
    pub(crate) fn new(background: &'a Arc<Background>, origin: &'a Origin, waker: &'a Waker) -> Turn<'a> {
        Turn { background, origin, waker, left: TURN, timed: None, inner_ns: 0 }
    }

    /// Ends the turn from time to time, so that an iterator that consumes elements without returning any can be
    /// cancelled and does not starve others.
    pub(crate) fn pass(&mut self) -> Poll<()> {
        if self.left > 0 {
            self.left -= 1;
            return Poll::Ready(());
        }
        self.waker.wake_by_ref();
        Poll::Pending
    }

    /// Whether [`Turn::pass`] has ended the turn.
    pub(crate) fn is_over(&self) -> bool {
        self.left == 0
    }
}

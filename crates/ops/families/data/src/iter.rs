//! Iterators: state machines that give one element after another, at once or later.

use crate::dataset::Tuple;
use crate::position::{Saved, Saver};
use crate::prelude::*;
use levada_kernel::Background;
use levada_kernel::background::Origin;
use std::sync::Arc;
use std::task::{Poll, Waker};

/// How many elements a turn may take in before others get theirs.
const TURN: u32 = 1024;

/// What an iterator gives: an element, `None` at the end, or nothing yet.
pub(crate) type Next = Poll<Result<Option<Tuple>>>;

/// The position in a dataset.
pub(crate) trait Iter: Send {
    /// The next element. Where that takes until later, what is under way wakes `turn`'s waker, and asking again goes on with
    /// it. After an error the next one is asked for as if there had been none.
    ///
    /// A loop that may take in many elements before it gives one calls [`Turn::pass`] between two of them. Nothing in here
    /// blocks, or splits its work over threads.
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next;

    /// Writes the position down, once the calls that are under way have returned. What has been written where that takes until
    /// later does not count.
    ///
    /// # Errors
    /// Where the position cannot be saved.
    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>>;

    /// Goes to a position that was written down; called once, before the first element.
    ///
    /// # Errors
    /// `DATA_LOSS` where it is of another dataset.
    fn restore(&mut self, from: &mut Saved) -> Result<()>;
}

/// One go at an iterator.
pub(crate) struct Turn<'a> {
    /// What calls functions and works ahead for the pipeline.
    pub(crate) background: &'a Arc<Background>,
    /// For whom.
    pub(crate) origin: &'a Origin,
    /// Woken once it is worth asking again.
    pub(crate) waker: &'a Waker,
    left: u32,
    /// Whether the stages that are asked are timed; `None` while none is.
    pub(crate) timed: Option<bool>,
    /// Time of the stages that the one at work has asked.
    pub(crate) inner_ns: u64,
}

impl<'a> Turn<'a> {
    pub(crate) fn new(background: &'a Arc<Background>, origin: &'a Origin, waker: &'a Waker) -> Turn<'a> {
        Turn { background, origin, waker, left: TURN, timed: None, inner_ns: 0 }
    }

    /// Ends the turn now and then, so that an iterator that takes in elements without giving any can be cancelled and lets
    /// others have their turn.
    pub(crate) fn pass(&mut self) -> Poll<()> {
        if self.left > 0 {
            self.left -= 1;
            return Poll::Ready(());
        }
        self.waker.wake_by_ref();
        Poll::Pending
    }

    /// True once [`Turn::pass`] ended it.
    pub(crate) fn is_over(&self) -> bool {
        self.left == 0
    }
}

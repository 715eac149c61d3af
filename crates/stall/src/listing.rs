//! When a step that has no caller is on the roll.

use crate::sync::{Mutex, lock};

/// Puts a step that has no caller on the roll, unless its end has been told, and takes it off once it has: whichever comes
/// first, the end of the call that began the step or the step's own.
#[derive(Debug, Default)]
pub struct Listing {
    /// Protects the entry's number too: it is known before anybody can ask for it.
    state: Mutex<State>,
}

#[derive(Debug, Default)]
enum State {
    #[default]
    Unlisted,
    Listed(u64),
    Over,
}

impl Listing {
    /// Lists the step with what [`crate::Roll::enter`] gives, unless [`Listing::over`] was called.
    pub fn list(&self, enter: impl FnOnce() -> u64) {
        let mut state = lock(&self.state);
        if matches!(*state, State::Unlisted) {
            *state = State::Listed(enter());
        }
    }

    /// The end of the step has been told: whoever was to go on because of it vouches for itself by now. Gives the number of
    /// the entry that is to leave the roll.
    #[must_use]
    pub fn over(&self) -> Option<u64> {
        match std::mem::replace(&mut *lock(&self.state), State::Over) {
            State::Listed(id) => Some(id),
            State::Unlisted | State::Over => None,
        }
    }
}

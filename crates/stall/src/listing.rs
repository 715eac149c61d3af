//! When a step without a caller is on the roll.

use levada_sync::Mutex;

/// Puts a step without a caller on the roll, unless its end has already been reported, and takes it off once it has:
/// the call that began the step and the step itself may end in either order.
#[derive(Debug, Default)]
pub struct Listing {
    /// Held while the step enters the roll, so that its number there is known before `over` asks for it.
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
    /// Lists the step under the number that [`crate::Roll::enter`] returns, unless [`Listing::over`] was called.
    pub fn list(&self, enter: impl FnOnce() -> u64) {
        let mut state = self.state.lock();
        if matches!(*state, State::Unlisted) {
            *state = State::Listed(enter());
        }
    }

    /// Called when the end of the step has been reported, and what continues because of it is already counted
    /// elsewhere. Returns the number of the entry that must leave the roll.
    #[must_use]
    pub fn over(&self) -> Option<u64> {
        match std::mem::replace(&mut *self.state.lock(), State::Over) {
            State::Listed(id) => Some(id),
            State::Unlisted | State::Over => None,
        }
    }
}

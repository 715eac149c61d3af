//! Where the partitions of a step meet: a sent tensor waits here for its receiver, or the receiver for the tensor.

use crate::io::{Completion, Entry};
use levada_graph::{Error, Result};
use levada_sync::Mutex;
use std::collections::HashMap;
use std::collections::hash_map;

/// Identifies a tensor: its name, which includes the devices, and the iteration of the loops that it belongs to.
pub type Key = (String, u64);

enum Slot {
    Sent(Entry),
    Awaited(Completion),
}

/// Hands tensors from senders to receivers. Every key is sent once and received once.
#[derive(Default)]
pub struct Rendezvous {
    /// Protects the waiting tensors and the waiting receivers. Completions are finished outside of the lock.
    slots: Mutex<HashMap<Key, Slot>>,
}

impl Rendezvous {
    /// An empty one.
    pub fn new() -> Rendezvous {
        Rendezvous::default()
    }

    /// Hands over a value, or [`Entry::Dead`]. Never waits.
    ///
    /// # Errors
    /// `ABORTED` if the key was sent before.
    pub fn send(&self, key: Key, value: Entry) -> Result<()> {
        let receiver = {
            let mut slots = self.slots.lock();
            match slots.entry(key) {
                hash_map::Entry::Vacant(free) => {
                    free.insert(Slot::Sent(value));
                    return Ok(());
                }
                hash_map::Entry::Occupied(there) => match there.get() {
                    Slot::Sent(_) => {
                        return Err(Error::aborted(format!("{} was sent twice", there.key().0)));
                    }
                    Slot::Awaited(_) => there.remove(),
                },
            }
        };
        if let Slot::Awaited(receiver) = receiver {
            receiver.finish_entries(Ok(vec![value]));
        }
        Ok(())
    }

    /// Finishes `receiver` with the value once it has arrived, or immediately if it already has.
    pub fn receive(&self, key: Key, receiver: Completion) {
        let (receiver, outcome) = {
            let mut slots = self.slots.lock();
            match slots.entry(key) {
                hash_map::Entry::Vacant(free) => {
                    free.insert(Slot::Awaited(receiver));
                    return;
                }
                hash_map::Entry::Occupied(there) => match there.get() {
                    Slot::Awaited(_) => {
                        let error = Error::aborted(format!("{} was received twice", there.key().0));
                        (receiver, Err(error))
                    }
                    Slot::Sent(_) => match there.remove() {
                        Slot::Sent(value) => (receiver, Ok(vec![value])),
                        Slot::Awaited(_) => (receiver, Err(Error::internal("a rendezvous lost a tensor"))),
                    },
                },
            }
        };
        receiver.finish_entries(outcome);
    }

    /// Fails every waiting receiver.
    pub fn abort(&self, reason: &Error) {
        let slots = std::mem::take(&mut *self.slots.lock());
        for slot in slots.into_values() {
            if let Slot::Awaited(receiver) = slot {
                receiver.finish_entries(Err(reason.clone()));
            }
        }
    }

    /// Number of tensors waiting for their receivers.
    pub fn waiting(&self) -> usize {
        self.slots.lock().values().filter(|s| matches!(s, Slot::Sent(_))).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use levada_graph::{Code, Tensor};
    use std::sync::Arc;

    #[test]
    fn each_key_is_handed_over_once_in_either_order() {
        let rendezvous = Rendezvous::new();
        let heard: Arc<Mutex<Vec<String>>> = Arc::default();
        let receiver = |name: &'static str| {
            let heard = heard.clone();
            Completion::new(move |value| {
                let text = match value.map(|v| v[0].tensor().and_then(|t| t.item::<i32>().ok())) {
                    Ok(value) => format!("{name} {value:?}"),
                    Err(error) => format!("{name} {}", error.code().name()),
                };
                heard.lock().push(text);
            })
        };
        let value = |v: i32| Entry::Value(Tensor::scalar(v));
        rendezvous.send(("a".into(), 0), value(1)).unwrap();
        assert_eq!(rendezvous.send(("a".into(), 0), value(2)).unwrap_err().code(), Code::Aborted);
        rendezvous.receive(("b".into(), 0), receiver("b"));
        rendezvous.receive(("a".into(), 0), receiver("a"));
        rendezvous.receive(("c".into(), 0), receiver("c"));
        rendezvous.send(("b".into(), 1), value(4)).unwrap();
        rendezvous.send(("b".into(), 0), Entry::Dead).unwrap();
        assert_eq!(rendezvous.waiting(), 1);
        rendezvous.abort(&Error::cancelled("over"));
        assert_eq!(*heard.lock(), ["a Some(1)", "b None", "c CANCELLED"]);
    }
}

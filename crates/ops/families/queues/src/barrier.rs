//! The barrier: tuples whose components are inserted one by one, and which are taken once they are complete.

use super::monitor::{Monitor, Served, State};
use super::order::Order;
use super::priority::Priority;
use super::queue::Element;
use crate::handle::Shared;
use crate::prelude::*;
use crate::rows;
use levada_kernel::Arena;
use levada_kernel::limits::too_many_elements;
use levada_kernel::watch::{Need, WaitableState};
use smallvec::smallvec;
use std::collections::HashMap;
use std::sync::Arc;

/// A barrier.
pub(crate) type Barrier = Monitor<Tuples>;

/// The configuration of a barrier, from the attrs of the op that created it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Config {
    pub(crate) name: String,
    pub(crate) types: Vec<DType>,
    /// Shapes of the components; empty if they may have any shape.
    pub(crate) shapes: Vec<PartialShape>,
    /// Maximum number of tuples that the session allows.
    pub(crate) most: usize,
}

/// The mutable state of a barrier.
pub(crate) struct Tuples {
    /// Incomplete tuples by key: the index of the key, and the components inserted so far.
    incomplete: HashMap<Bytes, (i64, Vec<Option<Tensor>>)>,
    /// Index, key and components.
    ready: Priority,
    /// Index of the last insertion of new keys.
    index: i64,
    /// Whether new keys are refused.
    closed: bool,
    /// Whether further components are refused as well.
    cancelled: bool,
}

/// A request for `n` complete tuples, or for fewer if `up_to` is set and no more will come.
pub(crate) struct Take {
    pub(crate) n: usize,
    pub(crate) up_to: bool,
    pub(crate) taken: Vec<Element>,
    pub(crate) waits: bool,
    pub(crate) arena: Arc<Arena>,
}

impl Shared for Barrier {
    type Spec = Config;

    fn make(config: Config) -> Result<Barrier> {
        let tuples = Tuples {
            incomplete: HashMap::new(),
            ready: Priority::default(),
            index: i64::MIN,
            closed: false,
            cancelled: false,
        };
        Ok(Monitor::new(config, tuples))
    }

    fn check(&self, asked: &Config) -> Result<()> {
        let this = &self.config;
        let different = |what: &str, has: String, wanted: String| {
            Err(Error::invalid(format!(
                "Shared barrier '{}' has component {what} {has} but requested component {what} were {wanted}",
                this.name
            )))
        };
        if this.types != asked.types {
            return different("types", format!("{:?}", this.types), format!("{:?}", asked.types));
        }
        if this.shapes != asked.shapes {
            return different("shapes", format!("{:?}", this.shapes), format!("{:?}", asked.shapes));
        }
        Ok(())
    }
}

impl State for Tuples {
    type Config = Config;
    type Want = Take;
    type Answer = (Vec<Element>, Arc<Arena>);
    type Outputs = Vec<Tensor>;
    const LANES: usize = 1;

    fn lane(_: &Take) -> usize {
        0
    }

    fn serve(&mut self, config: &Config, want: &mut Take) -> Served<Self::Answer> {
        let first = !std::mem::replace(&mut want.waits, true);
        if first && self.closed {
            let mut available = self.ready.len();
            if want.up_to {
                want.n = want.n.min(available);
            } else {
                available += self.incomplete.len();
            }
            if available < want.n.max(1) {
                return Served::Done(Err(insufficient(config, want.n, available)));
            }
        }
        let over = self.closed && self.incomplete.is_empty();
        if over && self.ready.len() + want.taken.len() < want.n {
            want.taken.drain(..).for_each(|element| self.ready.put_back(element));
            let size = self.ready.len();
            if !want.up_to || size == 0 {
                return Served::Done(Err(insufficient(config, want.n, size)));
            }
            want.n = size;
        }
        let before = want.taken.len();
        want.taken.extend((before..want.n).map_while(|_| self.ready.pop()));
        match want.taken.len() {
            n if n == want.n => Served::Done(Ok((std::mem::take(&mut want.taken), want.arena.clone()))),
            n if n > before => Served::Progress,
            _ => Served::Wait,
        }
    }

    fn give_up(&mut self, _: &Config, want: Take) {
        want.taken.into_iter().for_each(|element| self.ready.put_back(element));
    }

    fn outputs(config: &Config, (tuples, arena): Self::Answer) -> Result<Vec<Tensor>> {
        let n = tuples.len();
        let types = [DType::I64, DType::Str].into_iter().chain(config.types.iter().copied());
        types
            .enumerate()
            .map(|(i, dtype)| {
                let shape = match tuples.first() {
                    Some(tuple) => tuple[i].shape().clone(),
                    None => i.checked_sub(2).and_then(|c| config.shapes.get(c)?.known()).unwrap_or_default(),
                };
                rows::join(&arena, dtype, rows::batch_shape(n, &shape)?, tuples.iter().map(|t| &t[i]))
            })
            .collect()
    }

    fn describe(&self, config: &Config) -> WaitableState {
        WaitableState {
            kind: "Barrier",
            name: config.name.clone(),
            size: self.ready.len(),
            capacity: None,
            closed: self.closed,
            min_after_dequeue: 0,
            incomplete: self.incomplete.len(),
        }
    }

    fn need(&self, want: &Take) -> Need {
        Need { act: Act::Take, elements: want.n, so_far: want.taken.len(), key: None, turn: false }
    }

    fn obstacle(&self, config: &Config, _: &Take) -> Option<String> {
        let tuples = self.incomplete.len();
        let lack = |c: usize| self.incomplete.values().filter(|(_, parts)| parts[c].is_none()).count();
        let lacking: Vec<String> = (0..config.types.len())
            .map(|c| (c, lack(c)))
            .filter(|&(_, n)| n > 0)
            .map(|(c, n)| format!("{n} lack{} component {c}", if n == 1 { "s" } else { "" }))
            .collect();
        let is = if tuples == 1 { "1 tuple is" } else { &format!("{tuples} tuples are") };
        (!lacking.is_empty()).then(|| format!("{is} incomplete: {}", lacking.join(", ")))
    }

    fn cancelled(_: &Take) -> &'static str {
        "Dequeue operation was cancelled"
    }
}

fn insufficient(config: &Config, n: usize, available: usize) -> Error {
    Error::out_of_range(format!(
        "Barrier '{}' is closed and has insufficient elements (requested {n}, total size {available})",
        config.name
    ))
}

impl Tuples {
    /// Returns the number of complete tuples.
    pub(crate) fn ready(&self) -> usize {
        self.ready.len()
    }

    /// Returns the number of incomplete tuples.
    pub(crate) fn incomplete(&self) -> usize {
        self.incomplete.len()
    }

    /// Checks that `n` components may still be inserted.
    ///
    /// # Errors
    /// `CANCELLED` if the barrier is closed.
    pub(crate) fn check_open(&self, config: &Config, n: usize) -> Result<()> {
        if self.closed && (self.cancelled || (n > 0 && self.incomplete.is_empty())) {
            return Err(Error::cancelled(format!(
                "Barrier {} is closed.  Pending enqueues cancelled: {}.  Number of new insertions: {}.  Number of \
                 incomplete keys: {}.",
                config.name,
                self.cancelled,
                n,
                self.incomplete.len()
            )));
        }
        Ok(())
    }

    /// Sets component `component` of the tuples with these keys to the rows of `values`.
    ///
    /// # Errors
    /// `CANCELLED` for a new key if the barrier is closed, `INVALID_ARGUMENT` for a component that is already set.
    pub(crate) fn insert(&mut self, config: &Config, keys: &[Bytes], component: usize, values: &Tensor) -> Result<()> {
        let (mut new_keys, index) = (false, self.index);
        let mut complete = Vec::new();
        let result = keys.iter().enumerate().try_for_each(|(i, key)| {
            if self.closed && !self.incomplete.contains_key(key) {
                return Err(Error::cancelled(format!(
                    "Barrier {} is closed, but attempted to insert a brand new key: {}.  Pending inserts cancelled: {}. \
                     Insertion index: {i}.  Number of new insertions: {}.",
                    config.name,
                    String::from_utf8_lossy(key),
                    self.cancelled,
                    keys.len()
                )));
            }
            if !self.incomplete.contains_key(key)
                && self.incomplete.len() + self.ready.len() + complete.len() >= config.most
            {
                return Err(too_many_elements(&config.name, config.most));
            }
            let (_, parts) = self.incomplete.entry(key.clone()).or_insert_with(|| {
                new_keys = true;
                (index, vec![None; config.types.len()])
            });
            if parts[component].is_some() {
                return Err(Error::invalid(format!(
                    "Key {} already has a value for component {component} in barrier {}",
                    String::from_utf8_lossy(key),
                    config.name
                )));
            }
            parts[component] = Some(values.row(i)?);
            if parts.iter().all(Option::is_some)
                && let Some((index, parts)) = self.incomplete.remove(key)
            {
                let mut element: Element = smallvec![Tensor::scalar(index), Tensor::scalar(key.clone())];
                element.extend(parts.into_iter().flatten());
                complete.push(element);
            }
            Ok(())
        });
        if new_keys {
            self.index += 1;
        }
        result?;
        complete.into_iter().for_each(|element| self.ready.push(element));
        Ok(())
    }

    /// Refuses new keys from then on and, with `cancel`, further components as well.
    ///
    /// # Errors
    /// `CANCELLED` if it is already closed.
    pub(crate) fn close(&mut self, config: &Config, cancel: bool) -> Result<()> {
        if self.closed && (self.cancelled || !cancel) {
            return Err(Error::cancelled(format!("Barrier '{}' is already closed.", config.name)));
        }
        self.closed = true;
        self.cancelled = cancel;
        if cancel {
            self.incomplete.clear();
        }
        Ok(())
    }
}

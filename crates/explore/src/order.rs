//! Chooses the next node, and records what ran.

use crate::At;
use levada_graph::{Bytes, DType, Result, Tensor};
use levada_kernel::observe::{Candidate, Kept, Ran};
use levada_kernel::{Chooser, Entry, Nature, Observer, StepCx};
use parking_lot::Mutex;
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// How to choose among the ready nodes.
#[derive(Clone, Debug)]
pub enum Order {
    /// The default choice of a single thread.
    Usual,
    /// As usual, but the first of these nodes runs only after the second, or when no other node is ready.
    Late(String, String),
    /// Nodes without state first. Among those with state, the one whose index, counted from the back, comes next here;
    /// 0 after the end of the list.
    Script(Vec<usize>),
    /// A random choice, with this state of the generator.
    Random(u64),
}

impl Order {
    pub fn late(first: &str, second: &str) -> Order {
        Order::Late(first.to_owned(), second.to_owned())
    }

    pub fn random(seed: u64) -> Order {
        Order::Random(seed)
    }
}

/// A node that ran.
#[derive(Clone, Debug)]
pub struct Event {
    pub at: At,
    pub is_stateful: bool,
    /// The digest of its outputs.
    pub digest: u64,
}

#[derive(Default)]
struct Notes {
    is_on: bool,
    events: Vec<Event>,
    /// How often each node ran there.
    runs: HashMap<At, u32>,
    /// Names of the nodes that ran.
    ran: HashSet<String>,
    widths: Vec<usize>,
}

/// Chooses and watches the nodes of one session.
pub struct Probe {
    order: Mutex<Order>,
    /// Names of nodes whose place in the order does not matter.
    quiet: HashSet<String>,
    notes: Mutex<Notes>,
}

impl Probe {
    pub fn new(order: Order, quiet: HashSet<String>) -> Probe {
        Probe { order: Mutex::new(order), quiet, notes: Mutex::default() }
    }

    /// Starts controlling the order and recording what runs.
    pub fn begin(&self) {
        *self.notes.lock() = Notes { is_on: true, ..Notes::default() };
    }

    /// The nodes that ran, and the number of candidates at each choice.
    pub fn end(&self) -> (Vec<Event>, Vec<usize>) {
        let notes = std::mem::take(&mut *self.notes.lock());
        (notes.events, notes.widths)
    }
}

impl Chooser for Probe {
    fn choose<'a>(&self, ready: &mut dyn ExactSizeIterator<Item = Candidate<'a>>) -> Option<usize> {
        let last = ready.len() - 1;
        let mut notes = self.notes.lock();
        if !notes.is_on {
            return Some(last);
        }
        let chosen = match &mut *self.order.lock() {
            Order::Usual => last,
            Order::Late(late, until) => {
                let is_late = !notes.ran.contains(until);
                let others = ready.enumerate().filter(|(_, node)| !is_late || **node.name != **late);
                others.last().map_or(last, |(i, _)| i)
            }
            Order::Script(script) => {
                let mut stateful = Vec::new();
                for (i, node) in ready.enumerate() {
                    if !node.is_stateful || self.quiet.contains(&**node.name) {
                        return Some(i);
                    }
                    stateful.push(i);
                }
                let chosen = script.get(notes.widths.len()).copied().unwrap_or(0);
                notes.widths.push(stateful.len());
                last - chosen.min(last)
            }
            Order::Random(state) => {
                // SplitMix64
                *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                let mut z = *state;
                z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                ((z ^ (z >> 31)) % (last as u64 + 1)) as usize
            }
        };
        Some(chosen)
    }
}

impl Observer for Probe {
    fn starts(&self, _: &Nature, _: &[Entry], _: &StepCx) -> Option<Kept> {
        self.notes.lock().is_on.then(Kept::default)
    }

    fn ran(&self, ran: &Ran<'_>) -> Result<()> {
        let mut hasher = DefaultHasher::new();
        ran.outputs.iter().for_each(|output| digest(output, &mut hasher));
        let mut at = At {
            node: ran.node.name.to_string(),
            function: ran.step.within.as_ref().map(|within| within.to_string()),
            iterations: (ran.iterations)().into_iter().map(|(frame, n)| (frame.to_string(), n)).collect(),
            occurrence: 0,
        };
        let is_stateful = ran.nature.is_stateful && !self.quiet.contains(&at.node);
        let mut notes = self.notes.lock();
        let runs = notes.runs.entry(at.clone()).or_default();
        at.occurrence = *runs;
        *runs += 1;
        notes.ran.insert(at.node.clone());
        notes.events.push(Event { at, is_stateful, digest: hasher.finish() });
        Ok(())
    }
}

fn digest(output: &Entry, hasher: &mut DefaultHasher) {
    match output {
        Entry::Empty => {}
        Entry::Dead => 0u8.hash(hasher),
        Entry::Value(tensor) | Entry::Constant(tensor) => digest_of(tensor, hasher),
        Entry::Ref(cell) => match &*cell.value.read() {
            Some(tensor) => digest_of(tensor, hasher),
            None => 1u8.hash(hasher),
        },
    }
}

fn digest_of(tensor: &Tensor, hasher: &mut DefaultHasher) {
    tensor.dtype().hash(hasher);
    tensor.shape().dims().hash(hasher);
    match tensor.dtype() {
        DType::Str => tensor.slice::<Bytes>().unwrap_or_default().hash(hasher),
        // Opaque values are compared by what is read from them, handles by what they refer to.
        DType::Variant | DType::Resource => {}
        _ => tensor.bytes().hash(hasher),
    }
}

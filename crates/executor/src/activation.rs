//! Input slots and pending counts of the nodes of one iteration of one frame.
//!
//! Slots are shared without locks, under a protocol that the executor's unsafe code rests on: here, in `fire` and `frames`,
//! which run nodes, and in `outcome`, which takes the fetches. A slot is written by the one producer of the edge that ends in
//! it, before that producer lowers the consumer's pending count; it is read by the consumer, after the count reached zero.
//! The count's release and acquire order the two, so no slot is ever accessed by two threads at once.

use crate::plan::{FrameLayout, ONE_DEAD};
use levada_graph::Tensor;
use levada_kernel::Entry;
use parking_lot::Mutex;
use std::cell::UnsafeCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// A pending count, and what it starts with.
struct Pending {
    /// Changed by those who bring inputs; see [`crate::plan::ONE_DEAD`] for what it packs.
    now: AtomicU64,
    start: u64,
}

/// State of one iteration of one frame.
pub(crate) struct Activation {
    slots: Box<[UnsafeCell<Entry>]>,
    pending: Box<[Pending]>,
    /// Nodes of this iteration that are ready or running. Only kept in plans with control flow.
    pub(crate) outstanding: AtomicUsize,
    /// The frame and the iteration's number in it; none for the root.
    pub(crate) place: Option<crate::frames::Place>,
    /// How many of its frame's invariants it knows, and bit by bit which of them are among its constants
    /// ([`Activation::keep`]).
    pub(crate) invariants: (usize, u64),
    /// Child frames that are under way, by layout. The lock protects the list.
    pub(crate) children: Mutex<Vec<(u32, Arc<crate::frames::Frame>)>>,
}

// SAFETY: slots are accessed under the protocol above, which hands each slot from its producer to its consumer.
#[allow(unsafe_code)]
unsafe impl Sync for Activation {}

impl Activation {
    pub(crate) fn new(layout: &FrameLayout) -> Activation {
        let mut act = Activation {
            slots: (0..layout.slots).map(|_| UnsafeCell::new(Entry::Empty)).collect(),
            pending: layout.pending.iter().map(|&p| Pending { now: AtomicU64::new(p), start: p }).collect(),
            outstanding: AtomicUsize::new(0),
            place: None,
            invariants: (0, 0),
            children: Mutex::new(Vec::new()),
        };
        for (slot, tensor) in &layout.constants {
            act.set(*slot, Entry::Constant(tensor.clone()));
        }
        act
    }

    /// Brings everything back to the state at the start of an iteration. Constants stay.
    pub(crate) fn reset(&mut self) {
        for slot in &mut self.slots {
            let slot = slot.get_mut();
            if !matches!(slot, Entry::Constant(_) | Entry::Empty) {
                *slot = Entry::Empty;
            }
        }
        for pending in &mut self.pending {
            *pending.now.get_mut() = pending.start;
        }
        *self.outstanding.get_mut() = 0;
        self.children.get_mut().clear();
    }

    /// Makes a value that every iteration sees a constant of this activation, which resets do not touch: from now on the
    /// node with this pending count awaits one input fewer.
    pub(crate) fn keep(&mut self, slot: u32, pending: u32, tensor: &Tensor) {
        self.set(slot, Entry::Constant(tensor.clone()));
        let pending = &mut self.pending[pending as usize];
        pending.start -= 1;
        *pending.now.get_mut() -= 1;
    }

    /// What a pending count starts with.
    pub(crate) fn start(&self, pending: u32) -> u64 {
        self.pending[pending as usize].start
    }

    /// Writes a slot while nobody else can know the activation.
    pub(crate) fn set(&mut self, slot: u32, entry: Entry) {
        *self.slots[slot as usize].get_mut() = entry;
    }

    /// Writes the slot that the caller's edge ends in.
    ///
    /// # Safety
    /// The caller is the only producer for this slot in this iteration, and the consumer has not been seen ready.
    #[allow(unsafe_code)]
    #[inline]
    pub(crate) unsafe fn put(&self, slot: u32, entry: Entry) {
        // SAFETY: by the contract nobody else accesses the slot now.
        unsafe { *self.slots[slot as usize].get() = entry };
    }

    /// The input slots of a node that is ready.
    ///
    /// # Safety
    /// The caller runs the node that owns these slots, after its pending count reached zero, and is the only one to.
    #[allow(unsafe_code, clippy::mut_from_ref)]
    #[inline]
    pub(crate) unsafe fn inputs(&self, span: crate::plan::Span) -> &mut [Entry] {
        let slots = &self.slots[span.range()];
        // SAFETY: `UnsafeCell<Entry>` has the layout of `Entry`, the range was checked, and by the contract nobody else
        // accesses these slots now.
        unsafe { std::slice::from_raw_parts_mut(UnsafeCell::raw_get(slots.as_ptr()), slots.len()) }
    }

    /// Adds `delta` (which may be negative, as two's complement) to a pending count; returns what it was before.
    /// `exclusive`: no other thread works on this step, so that plain loads and stores do.
    #[inline]
    pub(crate) fn add_pending(&self, node: u32, delta: u64, exclusive: bool) -> u64 {
        let pending = &self.pending[node as usize].now;
        if exclusive {
            let old = pending.load(Ordering::Relaxed);
            pending.store(old.wrapping_add(delta), Ordering::Relaxed);
            old
        } else {
            pending.fetch_add(delta, Ordering::AcqRel)
        }
    }

    /// Clears the lowest bit of a merge's count: it has a live input now. Returns what the count was before.
    #[inline]
    pub(crate) fn mark_live(&self, node: u32, exclusive: bool) -> u64 {
        let pending = &self.pending[node as usize].now;
        if exclusive {
            let old = pending.load(Ordering::Relaxed);
            pending.store(old & !1, Ordering::Relaxed);
            old
        } else {
            pending.fetch_and(!1, Ordering::AcqRel)
        }
    }

    /// Adds to the number of nodes that are ready or running.
    #[inline]
    pub(crate) fn add_outstanding(&self, more: usize, exclusive: bool) {
        if more == 0 {
        } else if exclusive {
            self.outstanding.store(self.outstanding.load(Ordering::Relaxed) + more, Ordering::Relaxed);
        } else {
            self.outstanding.fetch_add(more, Ordering::AcqRel);
        }
    }

    /// One node fewer is ready or running; true where it was the last.
    #[inline]
    pub(crate) fn end_one(&self, exclusive: bool) -> bool {
        if exclusive {
            let left = self.outstanding.load(Ordering::Relaxed) - 1;
            self.outstanding.store(left, Ordering::Relaxed);
            left == 0
        } else {
            self.outstanding.fetch_sub(1, Ordering::AcqRel) == 1
        }
    }

    /// One more input of a node without dead ones has come; true where it was the last. The count is then back at its
    /// start, for nothing lowers it any more before the next step.
    #[inline]
    pub(crate) fn arrive(&self, node: u32, exclusive: bool) -> bool {
        let pending = &self.pending[node as usize];
        let old = if exclusive {
            let old = pending.now.load(Ordering::Relaxed);
            pending.now.store(old.wrapping_sub(1), Ordering::Relaxed);
            old
        } else {
            pending.now.fetch_sub(1, Ordering::AcqRel)
        };
        if old == 1 {
            pending.now.store(pending.start, Ordering::Relaxed);
        }
        old == 1
    }
}

/// The awaited inputs of a packed pending count.
#[inline]
pub(crate) fn awaited(pending: u64) -> u32 {
    pending as u32
}

/// The dead inputs of a packed pending count.
#[inline]
pub(crate) fn dead_inputs(pending: u64) -> u32 {
    (pending / ONE_DEAD) as u32
}

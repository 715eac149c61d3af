//! Keeps work on several queues in order where required, and only there.
//!
//! Work on one queue runs in the order in which it was queued. Between queues only events impose an order: a queue can
//! record one, which passes once all that is in the queue has run, and another queue can wait for it. This module
//! tracks which work last used which block, so that a queue waits if a block was written on another, or was read there
//! and is written now. Blocks that a pool hands out again are the same blocks. A backend holds a lock over a
//! [`Hazards`] while it queues anything, so that the numbers here are in the order of the queues.

use smallvec::SmallVec;
use std::collections::VecDeque;
use std::sync::Arc;

/// An event is recorded after this many pieces of work, so that other queues need not wait for much more than they
/// must.
const BETWEEN: u64 = 32;
/// Maximum number of events kept for a queue.
const MARKS: usize = 64;
/// Maximum number of node names kept for a queue.
const NAMES: usize = 512;
/// Maximum number of node names in an error.
const NAMED: usize = 8;

/// Number of a block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BlockId(u32);

/// How work uses a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// It only reads it.
    Read,
    /// It writes it, and may read it.
    Write,
}

/// The blocks that work uses. A block may occur more than once.
pub type Uses = SmallVec<[(BlockId, Use); 8]>;

/// The queues of a device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Queues {
    /// Number of steps that can run concurrently. Each has a queue to compute, one for copies from and one for copies
    /// to the host, so that no step waits for the copies of another.
    pub lanes: usize,
}

impl Queues {
    /// The total number of queues.
    pub fn count(self) -> usize {
        3 * self.lanes + 2
    }
    /// The compute queue of the step with this lane.
    pub fn compute(self, lane: usize) -> usize {
        lane % self.lanes
    }
    /// The queue for copies from the host.
    pub fn uploads(self, lane: usize) -> usize {
        self.lanes + lane % self.lanes
    }
    /// The queue for copies to the host.
    pub fn downloads(self, lane: usize) -> usize {
        2 * self.lanes + lane % self.lanes
    }
    /// The queue in which memory is allocated and freed.
    pub fn memory(self) -> usize {
        3 * self.lanes
    }
    /// The queue for copies from and to other devices.
    pub fn peers(self) -> usize {
        3 * self.lanes + 1
    }
}

/// The last uses of a block.
#[derive(Clone, Debug, Default)]
struct Last {
    /// Queue and number of the last write; number 0 if there was none.
    write: (usize, u64),
    /// The last reads since, at most one for each queue.
    reads: SmallVec<[(usize, u64); 2]>,
}

#[derive(Debug)]
struct Queue<E> {
    /// Number of the last piece of work; the first has number 1.
    last: u64,
    /// Number of the last piece of work that is known to have run.
    passed: u64,
    /// Events and the last work that was queued before them, in order.
    marks: VecDeque<(u64, E)>,
    /// For each queue, the last piece of its work that this queue waits for before anything queued from now on.
    seen: Vec<u64>,
    /// Nodes whose work was queued and is not known to have run.
    nodes: VecDeque<(u64, Arc<str>)>,
}

/// The work of a device. `E` is the backend's type of events.
#[derive(Debug)]
pub struct Hazards<E> {
    queues: Vec<Queue<E>>,
    blocks: Vec<Last>,
    vacant: Vec<u32>,
}

impl<E: Clone> Hazards<E> {
    /// No work on this many queues.
    pub fn new(queues: usize) -> Hazards<E> {
        let queue =
            || Queue { last: 0, passed: 0, marks: VecDeque::new(), seen: vec![0; queues], nodes: VecDeque::new() };
        Hazards { queues: (0..queues).map(|_| queue()).collect(), blocks: Vec::new(), vacant: Vec::new() }
    }

    /// Adds a block that is not used yet.
    pub fn add(&mut self) -> BlockId {
        match self.vacant.pop() {
            Some(id) => BlockId(id),
            None => {
                self.blocks.push(Last::default());
                BlockId(self.blocks.len() as u32 - 1)
            }
        }
    }

    /// Forgets a block, whose number may then be reused for another.
    pub fn remove(&mut self, block: BlockId) {
        self.blocks[block.0 as usize] = Last::default();
        self.vacant.push(block.0);
    }

    /// The work on other queues that must have run before work on `queue` that uses these blocks: at most one number
    /// for each queue.
    pub fn needs(&self, queue: usize, uses: &[(BlockId, Use)]) -> SmallVec<[(usize, u64); 4]> {
        let mut needs: SmallVec<[(usize, u64); 4]> = SmallVec::new();
        let seen = &self.queues[queue].seen;
        let mut need = |(on, number): (usize, u64)| {
            if on == queue || number <= seen[on].max(self.queues[on].passed) {
                return;
            }
            match needs.iter_mut().find(|n| n.0 == on) {
                Some(known) => known.1 = known.1.max(number),
                None => needs.push((on, number)),
            }
        };
        for &(block, how) in uses {
            let last = &self.blocks[block.0 as usize];
            need(last.write);
            if how == Use::Write {
                last.reads.iter().copied().for_each(&mut need);
            }
        }
        needs
    }

    /// Makes `queue` wait as required before work that uses these blocks: `record` records an event on a queue, `wait`
    /// makes `queue` wait for one.
    ///
    /// # Errors
    /// What the two fail with.
    #[inline]
    pub fn order<X>(
        &mut self,
        queue: usize,
        uses: &[(BlockId, Use)],
        mut record: impl FnMut(usize) -> Result<E, X>,
        mut wait: impl FnMut(&E) -> Result<(), X>,
    ) -> Result<(), X> {
        for (on, number) in self.needs(queue, uses) {
            let (number, event) = self.event(on, number, || record(on))?;
            wait(&event)?;
            self.queues[queue].seen[on] = number;
        }
        Ok(())
    }

    /// Returns the earliest event that passes after work `number` of `on`, and the work that it passes after.
    ///
    /// # Errors
    /// What `record` fails with.
    pub fn event<X>(&mut self, on: usize, number: u64, record: impl FnOnce() -> Result<E, X>) -> Result<(u64, E), X> {
        let marks = &self.queues[on].marks;
        match marks.get(marks.partition_point(|m| m.0 < number)) {
            Some(mark) => Ok(mark.clone()),
            None => {
                let event = record()?;
                Ok((self.mark(on, event.clone()), event))
            }
        }
    }

    /// Counts work that was queued; returns its number and whether an event should be recorded now, for
    /// [`Hazards::mark`].
    #[inline]
    pub fn queued(&mut self, queue: usize, uses: &[(BlockId, Use)], node: Option<&Arc<str>>) -> (u64, bool) {
        let q = &mut self.queues[queue];
        q.last += 1;
        let number = q.last;
        if let Some(node) = node {
            if q.nodes.len() == NAMES {
                q.nodes.pop_front();
            }
            q.nodes.push_back((number, node.clone()));
        }
        for &(block, how) in uses {
            let last = &mut self.blocks[block.0 as usize];
            match how {
                Use::Write => {
                    last.write = (queue, number);
                    last.reads.clear();
                }
                // Work that also writes the block comes after every read.
                Use::Read if last.write == (queue, number) => {}
                Use::Read => match last.reads.iter_mut().find(|r| r.0 == queue) {
                    Some(read) => read.1 = number,
                    None => last.reads.push((queue, number)),
                },
            }
        }
        (number, number.is_multiple_of(BETWEEN))
    }

    /// Called when an event was recorded on `queue`; returns the number of the work that it passes after.
    pub fn mark(&mut self, queue: usize, event: E) -> u64 {
        let q = &mut self.queues[queue];
        if q.marks.len() == MARKS {
            q.marks.pop_front();
        }
        q.marks.push_back((q.last, event));
        q.last
    }

    /// Number of the last piece of work on a queue.
    pub fn last(&self, queue: usize) -> u64 {
        self.queues[queue].last
    }

    /// True if a queue has work that is not known to have run.
    pub fn is_busy(&self, queue: usize) -> bool {
        self.queues[queue].last > self.queues[queue].passed
    }

    /// Everything queued on `queue` up to this number has run.
    pub fn passed(&mut self, queue: usize, number: u64) {
        let q = &mut self.queues[queue];
        if number <= q.passed {
            return;
        }
        q.passed = number;
        // The last mark stays: it is the event for all that came before.
        while q.marks.len() > 1 && q.marks[1].0 <= number {
            q.marks.pop_front();
        }
        while q.nodes.front().is_some_and(|n| n.0 <= number) {
            q.nodes.pop_front();
        }
    }

    /// Queries the events of a queue with `is_done`, in order, up to the first that has not passed.
    ///
    /// # Errors
    /// What `is_done` fails with.
    pub fn poll<X>(&mut self, queue: usize, mut is_done: impl FnMut(&E) -> Result<bool, X>) -> Result<(), X> {
        let mut passed = 0;
        for (number, event) in &self.queues[queue].marks {
            if *number <= self.queues[queue].passed {
                continue;
            }
            if !is_done(event)? {
                break;
            }
            passed = *number;
        }
        self.passed(queue, passed);
        Ok(())
    }

    /// The last uses of a block that are not known to have run: queues and numbers.
    pub fn users(&self, block: BlockId) -> SmallVec<[(usize, u64); 4]> {
        let last = &self.blocks[block.0 as usize];
        let uses = last.reads.iter().chain([&last.write]);
        uses.filter(|(queue, number)| *number > self.queues[*queue].passed).copied().collect()
    }

    /// The nodes one of whose work failed, for an error: those whose work is not known to have run, restricted to one
    /// queue up to a number if the failure was first seen there.
    pub fn suspects(&self, seen: Option<(usize, u64)>) -> String {
        let mut names: Vec<&str> = Vec::new();
        let mut more = 0;
        for (i, q) in self.queues.iter().enumerate() {
            let until = seen.filter(|seen| seen.0 == i).map_or(u64::MAX, |seen| seen.1);
            for (_, name) in q.nodes.iter().take_while(|n| n.0 <= until) {
                if names.contains(&&**name) {
                    continue;
                }
                if names.len() < NAMED { names.push(name) } else { more += 1 }
            }
        }
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        names.join(", ") + &more
    }
}

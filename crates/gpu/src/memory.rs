//! A caching allocator over a backend's memory.
//!
//! Memory of a tensor that was dropped is handed out again at once: the backend keeps whatever uses it next behind whatever
//! used it before. So that steps that run beside each other do not wait for each other only because of this, each step gets
//! what was of its own lane, or what is idle, as long as there is memory for that.

use crate::backend::{Backend, Block};
use crate::quick::Quick;
use levada_graph::object::DeviceMemory;
use levada_graph::{Code, Error, Result};
use levada_kernel::lane;
use parking_lot::Mutex;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::{Arc, Weak};

/// Memory of one device.
pub struct Pool {
    device: Arc<str>,
    backend: Arc<dyn Backend>,
    limit: usize,
    lanes: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Blocks that nothing holds, by their size and the lane that used them.
    free: BTreeMap<(usize, usize), Vec<Arc<dyn Block>>>,
    /// Bytes of them.
    kept: usize,
    /// Bytes in use.
    used: usize,
    /// The most that were in use.
    peak: usize,
    /// Bytes in use for each node that asked for them, by the address of its name. The same name may be there twice.
    owners: HashMap<usize, (Arc<str>, usize), Quick>,
}

/// Memory of a tensor.
pub struct Chunk {
    /// The block.
    pub block: Arc<dyn Block>,
    size: usize,
    lane: usize,
    owner: Arc<str>,
    device: Arc<str>,
    pool: Weak<Pool>,
}

impl fmt::Debug for Chunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chunk").field("device", &self.device).field("size", &self.size).finish_non_exhaustive()
    }
}

impl DeviceMemory for Chunk {
    fn device(&self) -> &str {
        &self.device
    }
    fn len(&self) -> usize {
        self.size
    }
}

impl Chunk {
    /// Full name of the device.
    pub(crate) fn name(&self) -> &Arc<str> {
        &self.device
    }

    /// The backend whose memory it is, while that is there.
    pub(crate) fn backend(&self) -> Option<Arc<dyn Backend>> {
        self.pool.upgrade().map(|pool| pool.backend.clone())
    }
}

impl Drop for Chunk {
    fn drop(&mut self) {
        let Some(pool) = self.pool.upgrade() else { return };
        let mut state = pool.state.lock();
        state.used -= self.size;
        state.kept += self.size;
        if let Entry::Occupied(mut owner) = state.owners.entry(address(&self.owner)) {
            owner.get_mut().1 -= self.size;
            if owner.get().1 == 0 {
                owner.remove();
            }
        }
        state.free.entry((self.size, self.lane)).or_default().push(self.block.clone());
    }
}

fn address(name: &Arc<str>) -> usize {
    Arc::as_ptr(name).cast::<u8>() as usize
}

/// The size of the block for this many bytes: at most a quarter more, so that sizes repeat.
fn class(bytes: usize) -> usize {
    let bytes = bytes.max(256);
    let step = (bytes.next_power_of_two() / 8).max(256);
    bytes.div_ceil(step) * step
}

impl Pool {
    /// Memory of `device`, at most `limit` bytes.
    pub fn new(device: Arc<str>, backend: Arc<dyn Backend>, limit: usize) -> Arc<Pool> {
        let lanes = backend.lanes().max(1);
        Arc::new(Pool { device, backend, limit, lanes, state: Mutex::default() })
    }

    /// Bytes in use, and the most that were in use.
    pub fn used(&self) -> (usize, usize) {
        let state = self.state.lock();
        (state.used, state.peak)
    }

    /// Bytes that may be in use.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Memory of this many bytes for `owner`, a node.
    ///
    /// # Errors
    /// `RESOURCE_EXHAUSTED` where there is no more; it says which nodes hold most.
    pub fn alloc(self: &Arc<Self>, bytes: usize, owner: &Arc<str>) -> Result<Arc<Chunk>> {
        let size = class(bytes);
        let lane = lane::current().unwrap_or(0) % self.lanes;
        let mut state = self.state.lock();
        if state.used.saturating_add(size) > self.limit {
            return Err(self.exhausted(&state, bytes));
        }
        let block = match self.kept(&mut state, size, lane) {
            Some(block) => {
                state.kept -= size;
                block
            }
            None => {
                if state.used + state.kept + size > self.limit {
                    release(&mut state);
                }
                match self.backend.alloc(size) {
                    Ok(block) => block,
                    Err(error) if error.code() == Code::ResourceExhausted => {
                        release(&mut state);
                        self.backend.alloc(size).map_err(|_| self.exhausted(&state, bytes))?
                    }
                    Err(error) => return Err(error),
                }
            }
        };
        state.used += size;
        state.peak = state.peak.max(state.used);
        state.owners.entry(address(owner)).or_insert_with(|| (owner.clone(), 0)).1 += size;
        let (owner, device) = (owner.clone(), self.device.clone());
        Ok(Arc::new(Chunk { block, size, lane, owner, device, pool: Arc::downgrade(self) }))
    }

    /// A block of this size for a step with this lane, of those that nothing holds.
    fn kept(&self, state: &mut State, size: usize, lane: usize) -> Option<Arc<dyn Block>> {
        if let Some(own) = state.free.get_mut(&(size, lane)).and_then(Vec::pop) {
            return Some(own);
        }
        let full = state.used.saturating_add(state.kept).saturating_add(size) > self.limit;
        for other in (0..self.lanes).filter(|&l| l != lane) {
            let Some(blocks) = state.free.get_mut(&(size, other)) else { continue };
            // The first is the one that has waited longest.
            if blocks.first().is_some_and(|block| full || self.backend.is_idle(block)) {
                return Some(blocks.remove(0));
            }
        }
        None
    }

    fn exhausted(&self, state: &State, bytes: usize) -> Error {
        let mut names: BTreeMap<&str, usize> = BTreeMap::new();
        for (owner, bytes) in state.owners.values() {
            *names.entry(owner).or_default() += bytes;
        }
        let mut owners: Vec<_> = names.into_iter().collect();
        owners.sort_by_key(|(_, bytes)| std::cmp::Reverse(*bytes));
        let held: Vec<String> = owners.iter().take(5).map(|(node, bytes)| format!("{node}: {bytes}")).collect();
        let held = if held.is_empty() { "nothing".to_owned() } else { held.join(", ") };
        Error::new(
            Code::ResourceExhausted,
            format!(
                "out of memory on {}: {bytes} bytes are wanted, {} of {} are in use; most of them are held for {held}",
                self.device, state.used, self.limit
            ),
        )
        .help("feed smaller batches, or place nodes that need much memory on another device")
    }
}

/// Gives free blocks back.
fn release(state: &mut State) {
    state.free.clear();
    state.kept = 0;
}

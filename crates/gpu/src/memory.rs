//! A caching allocator over a backend's memory.
//!
//! Memory of a tensor that was dropped is handed out again at once: whatever uses it next is later in the queue than
//! whatever used it before.

use crate::backend::{Backend, Block};
use levada_graph::object::DeviceMemory;
use levada_graph::{Code, Error, Result};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Weak};

/// Memory of one device.
pub struct Pool {
    device: Arc<str>,
    backend: Arc<dyn Backend>,
    limit: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Blocks that nothing uses, by their size.
    free: BTreeMap<usize, Vec<Arc<dyn Block>>>,
    /// Bytes of them.
    kept: usize,
    /// Bytes in use.
    used: usize,
    /// The most that were in use.
    peak: usize,
    /// Bytes in use for each node that asked for them.
    owners: BTreeMap<Arc<str>, usize>,
}

/// Memory of a tensor.
pub struct Chunk {
    /// The block.
    pub block: Arc<dyn Block>,
    size: usize,
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

impl Drop for Chunk {
    fn drop(&mut self) {
        let Some(pool) = self.pool.upgrade() else { return };
        let mut state = pool.state.lock();
        state.used -= self.size;
        state.kept += self.size;
        if let Some(bytes) = state.owners.get_mut(&self.owner) {
            *bytes -= self.size;
            if *bytes == 0 {
                state.owners.remove(&self.owner);
            }
        }
        state.free.entry(self.size).or_default().push(self.block.clone());
    }
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
        Arc::new(Pool { device, backend, limit, state: Mutex::default() })
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
        let mut state = self.state.lock();
        if state.used.saturating_add(size) > self.limit {
            return Err(self.exhausted(&state, bytes));
        }
        let kept = state.free.get_mut(&size).and_then(Vec::pop);
        let block = match kept {
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
        *state.owners.entry(owner.clone()).or_default() += size;
        let (owner, device) = (owner.clone(), self.device.clone());
        Ok(Arc::new(Chunk { block, size, owner, device, pool: Arc::downgrade(self) }))
    }

    fn exhausted(&self, state: &State, bytes: usize) -> Error {
        let mut owners: Vec<_> = state.owners.iter().collect();
        owners.sort_by_key(|(_, bytes)| std::cmp::Reverse(**bytes));
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

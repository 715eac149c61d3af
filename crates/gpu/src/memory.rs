//! A caching allocator over a backend's memory.
//!
//! Memory of a dropped tensor is handed out again immediately: the backend orders its next use behind its previous one.
//! So that concurrent steps do not wait for each other only because of this, each step gets memory that its own lane
//! used, or that is idle, as long as there is enough.

use crate::backend::{Backend, Block};
use crate::quick::Quick;
use levada_graph::object::DeviceMemory;
use levada_graph::{Code, Error, Result};
use levada_kernel::lane;
use parking_lot::Mutex;
use std::cell::RefCell;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, Weak};

/// Memory of one device.
pub struct Pool {
    device: Arc<str>,
    backend: Arc<dyn Backend>,
    /// Maximum number of bytes in use, if the user has set a limit.
    limit: Option<usize>,
    lanes: usize,
    state: Mutex<State>,
    /// Holders that may return memory.
    holders: Mutex<Vec<Weak<dyn Holder>>>,
}

/// Holds memory that it can do without.
pub(crate) trait Holder: Send + Sync {
    /// Returns what it can. It must not wait.
    fn give_back(&self);
}

#[derive(Default)]
struct State {
    /// Free blocks, by their size and the lane that used them.
    free: BTreeMap<(usize, usize), Vec<Arc<dyn Block>>>,
    /// Bytes of the free blocks.
    kept: usize,
    /// Bytes in use.
    used: usize,
    /// Maximum number of bytes that were in use.
    peak: usize,
    /// Bytes in use for each node that allocated them, by the address of its name. The same name may occur twice.
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
    /// Where it is returned to, if not to the pool.
    arena: Option<Arc<Arena>>,
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

    /// The backend whose memory it is, while that exists.
    pub(crate) fn backend(&self) -> Option<Arc<dyn Backend>> {
        self.pool.upgrade().map(|pool| pool.backend.clone())
    }
}

impl Drop for Chunk {
    fn drop(&mut self) {
        if let Some(arena) = &self.arena {
            let mut state = arena.state.lock();
            state.live -= 1;
            state.free.entry(self.size).or_default().push(self.block.clone());
        } else if let Some(pool) = self.pool.upgrade() {
            pool.put(self.size, self.lane, &self.owner, self.block.clone());
        }
    }
}

thread_local! {
    /// The arena that this thread allocates from instead of the pool.
    static ARENA: RefCell<Option<Arc<Arena>>> = const { RefCell::new(None) };
}

/// Memory of a pool that is handed out for a while, and then kept unchanged to repeat the same work.
pub(crate) struct Arena {
    pool: Arc<Pool>,
    owner: Arc<str>,
    lane: usize,
    state: Mutex<ArenaState>,
}

#[derive(Default)]
struct ArenaState {
    /// Free blocks, by their size.
    free: BTreeMap<usize, Vec<Arc<dyn Block>>>,
    /// Addresses of all blocks.
    all: HashSet<usize>,
    /// Number of chunks in use.
    live: usize,
}

/// Guard: while it exists, this thread allocates from an arena, or from none.
pub(crate) struct Entered(Option<Arc<Arena>>);

impl Drop for Entered {
    fn drop(&mut self) {
        ARENA.set(self.0.take());
    }
}

/// Identifies a block for as long as it lives.
pub(crate) fn block_address(block: &Arc<dyn Block>) -> usize {
    Arc::as_ptr(block).cast::<()>().addr()
}

impl Arena {
    /// An arena without memory.
    pub(crate) fn new(pool: &Arc<Pool>, owner: &Arc<str>) -> Arc<Arena> {
        let lane = lane::current().unwrap_or(0) % pool.lanes;
        Arc::new(Arena { pool: pool.clone(), owner: owner.clone(), lane, state: Mutex::default() })
    }

    /// This thread allocates from this arena until the returned guard is dropped.
    pub(crate) fn enter(self: &Arc<Self>) -> Entered {
        Entered(ARENA.replace(Some(self.clone())))
    }

    /// This thread allocates from pools until the returned guard is dropped.
    pub(crate) fn leave() -> Entered {
        Entered(ARENA.replace(None))
    }

    /// True for a block of this arena.
    pub(crate) fn has(&self, block: &Arc<dyn Block>) -> bool {
        self.state.lock().all.contains(&block_address(block))
    }

    /// Number of chunks in use.
    pub(crate) fn live(&self) -> usize {
        self.state.lock().live
    }

    fn alloc(self: &Arc<Self>, bytes: usize, owner: &Arc<str>) -> Result<Arc<Chunk>> {
        let size = class(bytes);
        let kept = self.state.lock().free.get_mut(&size).and_then(Vec::pop);
        let block = match kept {
            Some(block) => block,
            None => self.pool.take(bytes, self.lane, &self.owner)?,
        };
        let mut state = self.state.lock();
        state.all.insert(block_address(&block));
        state.live += 1;
        Ok(Arc::new(Chunk {
            block,
            size,
            lane: self.lane,
            owner: owner.clone(),
            device: self.pool.device.clone(),
            pool: Arc::downgrade(&self.pool),
            arena: Some(self.clone()),
        }))
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        for (size, blocks) in std::mem::take(&mut self.state.get_mut().free) {
            blocks.into_iter().for_each(|block| self.pool.put(size, self.lane, &self.owner, block));
        }
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
    /// Memory of `device`, at most `limit` bytes; without a limit, the memory of the backend that its libraries do not
    /// use.
    pub fn new(device: Arc<str>, backend: Arc<dyn Backend>, limit: Option<usize>) -> Arc<Pool> {
        let lanes = backend.lanes().max(1);
        Arc::new(Pool { device, backend, limit, lanes, state: Mutex::default(), holders: Mutex::default() })
    }

    /// Bytes in use, and the maximum so far.
    pub fn used(&self) -> (usize, usize) {
        let state = self.state.lock();
        (state.used, state.peak)
    }

    /// Maximum number of bytes in use; `usize::MAX` without a limit.
    pub fn limit(&self) -> usize {
        self.limit.unwrap_or_else(|| match self.backend.memory_limit() {
            Some(all) => usize::try_from(all).unwrap_or(usize::MAX).saturating_sub(self.backend.beside()),
            None => usize::MAX,
        })
    }

    /// Allocates this many bytes for `owner`, a node.
    ///
    /// # Errors
    /// `RESOURCE_EXHAUSTED` if memory runs out; it says which nodes hold most.
    pub fn alloc(self: &Arc<Self>, bytes: usize, owner: &Arc<str>) -> Result<Arc<Chunk>> {
        let arena = ARENA.with_borrow(|arena| arena.as_ref().filter(|a| Arc::ptr_eq(&a.pool, self)).cloned());
        if let Some(arena) = arena {
            return arena.alloc(bytes, owner);
        }
        let size = class(bytes);
        let lane = lane::current().unwrap_or(0) % self.lanes;
        let block = self.take(bytes, lane, owner)?;
        let (owner, device) = (owner.clone(), self.device.clone());
        Ok(Arc::new(Chunk { block, size, lane, owner, device, pool: Arc::downgrade(self), arena: None }))
    }

    /// Asks `holder` from now on to return memory when there is too little.
    pub(crate) fn enlist(&self, holder: Weak<dyn Holder>) {
        let mut holders = self.holders.lock();
        holders.retain(|h| h.strong_count() > 0);
        holders.push(holder);
    }

    /// A block for this many bytes, which counts as in use.
    fn take(&self, bytes: usize, lane: usize, owner: &Arc<str>) -> Result<Arc<dyn Block>> {
        match self.try_take(bytes, lane, owner) {
            Err(error) if error.code() == Code::ResourceExhausted => {
                let holders: Vec<_> = self.holders.lock().iter().filter_map(Weak::upgrade).collect();
                if holders.is_empty() {
                    return Err(error);
                }
                holders.iter().for_each(|h| h.give_back());
                self.try_take(bytes, lane, owner)
            }
            taken => taken,
        }
    }

    fn try_take(&self, bytes: usize, lane: usize, owner: &Arc<str>) -> Result<Arc<dyn Block>> {
        let (size, limit) = (class(bytes), self.limit());
        let mut state = self.state.lock();
        if state.used.saturating_add(size) > limit {
            return Err(self.exhausted(&state, bytes));
        }
        let block = match self.kept(&mut state, size, lane) {
            Some(block) => {
                state.kept -= size;
                block
            }
            None => {
                if state.used + state.kept + size > limit {
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
        Ok(block)
    }

    /// Takes a block back.
    fn put(&self, size: usize, lane: usize, owner: &Arc<str>, block: Arc<dyn Block>) {
        let mut state = self.state.lock();
        state.used -= size;
        state.kept += size;
        if let Entry::Occupied(mut owner) = state.owners.entry(address(owner)) {
            owner.get_mut().1 -= size;
            if owner.get().1 == 0 {
                owner.remove();
            }
        }
        state.free.entry((size, lane)).or_default().push(block);
    }

    /// A free block of this size for a step with this lane.
    fn kept(&self, state: &mut State, size: usize, lane: usize) -> Option<Arc<dyn Block>> {
        if let Some(own) = state.free.get_mut(&(size, lane)).and_then(Vec::pop) {
            return Some(own);
        }
        let full = state.used.saturating_add(state.kept).saturating_add(size) > self.limit();
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
                "out of memory on {}: {bytes} bytes are requested, {} of {} are in use; most of them are held for {held}",
                self.device,
                state.used,
                self.limit()
            ),
        )
        .help("feed smaller batches, or place nodes that need much memory on another device")
    }
}

/// Frees all free blocks.
fn release(state: &mut State) {
    state.free.clear();
    state.kept = 0;
}

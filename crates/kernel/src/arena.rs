//! A recycling allocator: memory of dropped tensors is kept and handed out again, because the first touch of fresh
//! memory costs more than most kernels.

use crate::lane;
use crate::limits::Meter;
use levada_graph::buffer::{ALIGNMENT, Buffer, Ledger, Recycler, try_zeroed_memory};
use levada_graph::{DType, Error, Result, Shape, Tensor};
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Size classes between two powers of two: a request wastes at most a quarter.
const STEPS: usize = 4;
/// From this size on, an allocation is first tried before a vector makes it.
const LARGE: usize = 1 << 24;
const CLASSES: usize = usize::BITS as usize * STEPS;

/// Memory for tensors on the host, with a limit on what is in use.
pub struct Arena {
    /// Free memory by size class. Each list has its own lock, held only for a push or a pop.
    free: Box<[Mutex<Vec<Vec<u8>>>]>,
    /// Bytes in the free lists; only an estimate that keeps them below `keep`.
    kept: AtomicUsize,
    keep: usize,
    /// Bytes handed out and not yet returned.
    used: AtomicUsize,
    limit: usize,
}

/// The source of memory that is on the account of a run.
struct Metered {
    arena: Arc<Arena>,
    meter: Arc<Meter>,
}

impl Recycler for Metered {
    fn recycle(&self, memory: Vec<u8>) {
        self.meter.leave(memory.len());
        self.arena.recycle(memory);
    }
}

impl Arena {
    /// An arena that hands out at most `limit` bytes at a time and keeps at most `keep` free ones.
    pub fn new(limit: usize, keep: usize) -> Arc<Arena> {
        let free = (0..CLASSES).map(|_| Mutex::new(Vec::new())).collect();
        Arc::new(Arena { free, kept: AtomicUsize::new(0), keep, used: AtomicUsize::new(0), limit })
    }

    /// An arena limited by the memory of this machine.
    pub fn for_this_machine() -> Arc<Arena> {
        let total = total_memory().unwrap_or(1 << 40);
        Arena::new(total / 10 * 9, total / 4)
    }

    /// Bytes in use.
    pub fn used(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }

    /// Maximum number of bytes in use.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// A tensor with uninitialized (recycled) plain elements, for a kernel that writes all of them. Strings, resources
    /// and variants are empty.
    ///
    /// # Errors
    /// `RESOURCE_EXHAUSTED` if it would exceed the limit.
    pub fn tensor(self: &Arc<Self>, dtype: DType, shape: Shape) -> Result<Tensor> {
        if !Tensor::needs_buffer(dtype, &shape) {
            self.check_objects(dtype, &shape)?;
            return Tensor::try_zeros(dtype, shape);
        }
        let len = shape.num_elements() * dtype.size();
        // Recycled bytes need not be valid booleans.
        let buffer = self.take(len, dtype == DType::Bool)?;
        Tensor::from_buffer(dtype, shape, buffer)
    }

    /// A tensor of zeros.
    ///
    /// # Errors
    /// As [`Arena::tensor`].
    pub fn zeros(self: &Arc<Self>, dtype: DType, shape: Shape) -> Result<Tensor> {
        if !Tensor::needs_buffer(dtype, &shape) {
            self.check_objects(dtype, &shape)?;
            return Tensor::try_zeros(dtype, shape);
        }
        let len = shape.num_elements() * dtype.size();
        let buffer = self.take(len, true)?;
        Tensor::from_buffer(dtype, shape, buffer)
    }

    /// Checks that `bytes` more would not exceed the limit, and that the system has them; for memory that does not come
    /// from here. Check before a vector allocates them: a failed allocation ends the process.
    ///
    /// # Errors
    /// `RESOURCE_EXHAUSTED` if there is not enough memory.
    pub fn check(&self, bytes: usize) -> Result<()> {
        if let Some(meter) = lane::meter() {
            meter.check(bytes)?;
        }
        if self.used().saturating_add(bytes) > self.limit {
            return Err(self.exhausted(bytes));
        }
        let is_there = bytes < LARGE || Vec::<u8>::new().try_reserve_exact(bytes).is_ok();
        if is_there { Ok(()) } else { Err(self.refused(bytes)) }
    }

    fn refused(&self, bytes: usize) -> Error {
        Error::resource_exhausted(format!("the system has no memory for {bytes} bytes"))
            .found(format!("{} bytes in use already", self.used()))
    }

    fn check_objects(&self, dtype: DType, shape: &Shape) -> Result<()> {
        let bytes = if dtype.is_plain() { 0 } else { shape.num_elements().saturating_mul(40) };
        match (lane::meter(), bytes) {
            (_, 0) => Ok(()),
            (_, bytes) if bytes > self.limit => Err(self.exhausted(bytes)),
            (Some(meter), bytes) => meter.check(bytes),
            (None, _) => Ok(()),
        }
    }

    fn exhausted(&self, len: usize) -> Error {
        Error::resource_exhausted(format!("out of memory allocating {len} bytes"))
            .expected(format!("at most {} bytes in use", self.limit))
            .found(format!("{} bytes in use already", self.used()))
    }

    fn take(self: &Arc<Self>, len: usize, zeroed: bool) -> Result<Buffer> {
        let size = class_size(class_of(Buffer::capacity_for(len)));
        let Some(meter) = lane::meter() else { return self.take_for(len, size, zeroed, self.clone()) };
        meter.enter(size)?;
        let home = Arc::new(Metered { arena: self.clone(), meter: meter.clone() });
        self.take_for(len, size, zeroed, home).inspect_err(|_| meter.leave(size))
    }

    /// A buffer of `len` bytes in memory of `size` bytes, which is returned to `home` in the end.
    fn take_for(self: &Arc<Self>, len: usize, size: usize, zeroed: bool, home: Arc<dyn Recycler>) -> Result<Buffer> {
        if self.used.fetch_add(size, Ordering::Relaxed).saturating_add(size) > self.limit {
            self.used.fetch_sub(size, Ordering::Relaxed);
            return Err(self.exhausted(len));
        }
        let recycled = self.free[class_of(size)].lock().pop();
        let fresh = recycled.is_none();
        let memory = match recycled {
            Some(memory) => {
                self.kept.fetch_sub(size, Ordering::Relaxed);
                memory
            }
            None => self.fresh(size).ok_or_else(|| {
                self.used.fetch_sub(size, Ordering::Relaxed);
                self.refused(len)
            })?,
        };
        let mut buffer = Buffer::from_memory(memory, len, Some(home));
        if zeroed && !fresh {
            buffer.bytes_mut().fill(0);
        }
        Ok(buffer)
    }
}

impl Arena {
    /// Zeroed memory from the system. If there is none, the free lists are released first.
    fn fresh(&self, size: usize) -> Option<Vec<u8>> {
        try_zeroed_memory(size).or_else(|| {
            self.release();
            try_zeroed_memory(size)
        })
    }

    /// Returns all free memory to the system.
    fn release(&self) {
        for list in &self.free {
            for memory in std::mem::take(&mut *list.lock()) {
                self.kept.fetch_sub(memory.len(), Ordering::Relaxed);
            }
        }
    }
}

impl Recycler for Arena {
    fn recycle(&self, memory: Vec<u8>) {
        let size = memory.len();
        self.used.fetch_sub(size, Ordering::Relaxed);
        if self.kept.fetch_add(size, Ordering::Relaxed) + size > self.keep {
            self.kept.fetch_sub(size, Ordering::Relaxed);
            return;
        }
        self.free[class_of(size)].lock().push(memory);
    }
}

/// Bytes that an arena uses for a tensor of `bytes` bytes of plain elements: sizes are rounded up, and small tensors
/// use none.
pub fn footprint(bytes: usize) -> usize {
    let is_inline = !Tensor::needs_buffer(DType::U8, &Shape::vector(bytes));
    if is_inline { 0 } else { class_size(class_of(bytes.saturating_add(ALIGNMENT - 1))) }
}

/// The smallest size class that holds `bytes`.
fn class_of(bytes: usize) -> usize {
    let bytes = bytes.max(64);
    let power = (usize::BITS - 1 - bytes.leading_zeros()) as usize;
    let quarter = (1usize << power) / STEPS;
    power * STEPS + (bytes - (1usize << power)).div_ceil(quarter)
}

fn class_size(class: usize) -> usize {
    let power = class / STEPS;
    (1usize << power) + (class % STEPS) * ((1usize << power) / STEPS)
}

/// Bytes of memory that this process may use, if the system reports it: the machine's, or less if a container or a
/// limit on the address space is lower.
pub fn total_memory() -> Option<usize> {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let machine = read("/proc/meminfo").and_then(|text| {
        let line = text.lines().find(|l| l.starts_with("MemTotal:"))?;
        line.split_whitespace().nth(1)?.parse::<usize>().ok()?.checked_mul(1024)
    });
    // The files contain the word "max", or a number near 2^63, if there is no limit.
    let container = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];
    let container = container.iter().filter_map(|path| read(path)?.trim().parse().ok()).min();
    let address_space = read("/proc/self/limits").and_then(|text| {
        let line = text.lines().find_map(|l| l.strip_prefix("Max address space"))?;
        line.split_whitespace().next()?.parse().ok()
    });
    [machine, container, address_space].into_iter().flatten().min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_hold_what_they_promise() {
        for bytes in (64..5000).chain([1 << 20, (1 << 20) + 1, 3 << 20]) {
            let class = class_of(bytes);
            assert!(class_size(class) >= bytes && class_size(class) <= bytes + bytes / STEPS + 1, "{bytes}");
            assert_eq!(class_of(class_size(class)), class);
        }
    }

    #[test]
    fn memory_is_reused_and_limited() {
        let arena = Arena::new(1 << 16, 1 << 16);
        let shape = Shape::vector(1000);
        let address = arena.tensor(DType::F32, shape.clone()).unwrap().bytes().unwrap().as_ptr() as usize;
        let again = arena.zeros(DType::F32, shape.clone()).unwrap();
        assert_eq!(again.bytes().unwrap().as_ptr() as usize, address);
        let error = arena.tensor(DType::F32, Shape::vector(1 << 20)).unwrap_err();
        assert_eq!(error.code(), levada_graph::Code::ResourceExhausted);
        drop(again);
        assert_eq!(arena.used(), 0);
        for bytes in [1, 16, 17, 1000, 4097, 1 << 15] {
            let tensor = arena.tensor(DType::U8, Shape::vector(bytes)).unwrap();
            assert_eq!(arena.used(), footprint(bytes), "{bytes}");
            drop(tensor);
        }
    }

    #[test]
    fn memory_that_the_system_does_not_have_is_an_error() {
        let arena = Arena::new(usize::MAX, 1 << 16);
        let huge = Shape::vector(1 << 56);
        for dtype in [DType::F32, DType::Bool, DType::Str, DType::Variant] {
            for made in [arena.tensor(dtype, huge.clone()), arena.zeros(dtype, huge.clone())] {
                assert_eq!(made.unwrap_err().code(), levada_graph::Code::ResourceExhausted, "{dtype}");
            }
        }
        assert_eq!(arena.check(1 << 60).unwrap_err().code(), levada_graph::Code::ResourceExhausted);
        assert_eq!(arena.used(), 0);
        assert!(arena.check(1 << 20).is_ok());
    }
}

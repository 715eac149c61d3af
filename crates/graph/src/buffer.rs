//! Memory for tensors, and its recycling when the last tensor that uses it is dropped.

use crate::error::Result as Outcome;
use bytemuck::Pod;
use std::any::Any;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Alignment in bytes of the buffers allocated here: a cache line, and the widest vector register.
pub const ALIGNMENT: usize = 64;

/// Minimum alignment in bytes of a vector that becomes a buffer: enough for any element type that it is later read as.
const LEAST_ALIGNMENT: usize = 16;

/// Takes memory back when a [`Buffer`] is dropped.
pub trait Recycler: Send + Sync {
    /// Receives the raw memory of a buffer that is no longer used.
    fn recycle(&self, memory: Vec<u8>);
}

/// Accounts for memory.
pub trait Ledger: Send + Sync {
    /// Charges `bytes`.
    ///
    /// # Errors
    /// `RESOURCE_EXHAUSTED` if that would exceed a limit; nothing is charged then.
    fn enter(&self, bytes: usize) -> Outcome<()>;
    /// Releases `bytes` from the account.
    fn leave(&self, bytes: usize);
}

/// Bytes charged to an account until this is dropped.
pub struct Charge {
    ledger: Arc<dyn Ledger>,
    bytes: usize,
}

impl Charge {
    /// Charges `bytes`.
    ///
    /// # Errors
    /// As [`Ledger::enter`].
    pub fn new(ledger: &Arc<dyn Ledger>, bytes: usize) -> Outcome<Charge> {
        ledger.enter(bytes)?;
        Ok(Charge { ledger: ledger.clone(), bytes })
    }

    /// Charges `bytes` unless `slot` holds a charge already.
    ///
    /// # Errors
    /// As [`Ledger::enter`].
    pub(crate) fn once(
        slot: &OnceLock<Charge>,
        ledger: &Arc<dyn Ledger>,
        bytes: impl FnOnce() -> usize,
    ) -> Outcome<()> {
        if slot.get().is_none() {
            // If another thread is first, this charge is dropped again.
            let _ = slot.set(Charge::new(ledger, bytes())?);
        }
        Ok(())
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.ledger.leave(self.bytes);
    }
}

/// Memory owned by other code, which tensors only read.
pub trait Foreign: Send + Sync {
    /// The bytes: the same memory every time.
    fn bytes(&self) -> &[u8];
}

/// Initialised, aligned memory. Recycled memory holds its previous contents.
pub struct Buffer {
    memory: Memory,
    len: usize,
    home: Option<Arc<dyn Recycler>>,
    /// The charge for it, if its memory has no home that accounts for it.
    charge: OnceLock<Charge>,
}

enum Memory {
    /// Part of a byte vector, from the first aligned byte.
    Aligned { bytes: Vec<u8>, start: usize },
    /// A whole vector that a caller handed over.
    Moved(Box<dyn Moved>),
    /// Memory that the caller keeps. It is copied before it is changed.
    Foreign(Box<dyn Foreign>),
}

/// A vector of plain elements of any type.
trait Moved: Send + Sync {
    fn bytes(&self) -> &[u8];
    fn bytes_mut(&mut self) -> &mut [u8];
    fn vector(&mut self) -> &mut dyn Any;
}

impl<T: Pod + Send + Sync> Moved for Vec<T> {
    fn bytes(&self) -> &[u8] {
        bytemuck::cast_slice(self)
    }
    fn bytes_mut(&mut self) -> &mut [u8] {
        bytemuck::cast_slice_mut(self)
    }
    fn vector(&mut self) -> &mut dyn Any {
        self
    }
}

/// `len` zero bytes for a [`Buffer`], or `None` if the allocation fails; `vec![0; len]` would abort the process.
pub fn try_zeroed_memory(len: usize) -> Option<Vec<u8>> {
    bytemuck::allocation::try_zeroed_vec(len).ok()
}

impl Buffer {
    /// `len` zero bytes.
    pub fn zeroed(len: usize) -> Buffer {
        Buffer::from_memory(vec![0; Buffer::capacity_for(len)], len, None)
    }

    /// `len` zero bytes, or `None` if the allocation fails.
    pub fn try_zeroed(len: usize) -> Option<Buffer> {
        let capacity = len.checked_add(ALIGNMENT - 1)?;
        Some(Buffer::from_memory(try_zeroed_memory(capacity)?, len, None))
    }

    /// A copy of `bytes`, or `None` if the allocation fails.
    pub fn try_copy(bytes: &[u8]) -> Option<Buffer> {
        let capacity = bytes.len().checked_add(ALIGNMENT - 1)?;
        let mut memory = Vec::new();
        memory.try_reserve_exact(capacity).ok()?;
        Some(Buffer::copied(memory, bytes))
    }

    /// A copy of `bytes` in `memory`, which has room for it and is empty. Only what the copy does not fill is cleared.
    fn copied(mut memory: Vec<u8>, bytes: &[u8]) -> Buffer {
        memory.resize(memory.as_ptr().align_offset(ALIGNMENT), 0);
        memory.extend_from_slice(bytes);
        memory.resize(Buffer::capacity_for(bytes.len()), 0);
        Buffer::from_memory(memory, bytes.len(), None)
    }

    /// The required length of the memory behind a buffer of `len` bytes.
    pub const fn capacity_for(len: usize) -> usize {
        len + ALIGNMENT - 1
    }

    /// A buffer of `len` bytes within `memory`, which `home` takes back when the buffer is dropped.
    ///
    /// # Panics
    /// If `memory` is shorter than [`Buffer::capacity_for`]`(len)`.
    pub fn from_memory(memory: Vec<u8>, len: usize, home: Option<Arc<dyn Recycler>>) -> Buffer {
        assert!(memory.len() >= Buffer::capacity_for(len), "memory too short for an aligned buffer");
        // The vector never grows, so its start, and with it this offset, stays put.
        let start = memory.as_ptr().align_offset(ALIGNMENT);
        Buffer { memory: Memory::Aligned { bytes: memory, start }, len, home, charge: OnceLock::new() }
    }

    /// The elements of `vector`, without copying them; aligned as the vector is, to at least 16 bytes.
    ///
    /// # Errors
    /// The vector itself, if its alignment is lower or more than a quarter of its memory is spare.
    pub fn from_vec<T: Pod + Send + Sync>(vector: Vec<T>) -> Result<Buffer, Vec<T>> {
        let spare = vector.capacity() - vector.len();
        if !vector.as_ptr().cast::<u8>().addr().is_multiple_of(LEAST_ALIGNMENT) || spare > vector.len() / 4 {
            return Err(vector);
        }
        let len = size_of_val(&vector[..]);
        Ok(Buffer { memory: Memory::Moved(Box::new(vector)), len, home: None, charge: OnceLock::new() })
    }

    /// The bytes of `memory`, copied only before they are changed.
    ///
    /// # Errors
    /// `memory` itself, if it is aligned to less than 16 bytes.
    pub fn foreign(memory: Box<dyn Foreign>) -> Result<Buffer, Box<dyn Foreign>> {
        if !memory.bytes().as_ptr().addr().is_multiple_of(LEAST_ALIGNMENT) {
            return Err(memory);
        }
        let len = memory.bytes().len();
        Ok(Buffer { memory: Memory::Foreign(memory), len, home: None, charge: OnceLock::new() })
    }

    /// True for memory owned by other code.
    pub fn is_foreign(&self) -> bool {
        matches!(self.memory, Memory::Foreign(_))
    }

    /// The vector passed to [`Buffer::from_vec`], if its elements are of this type.
    pub(crate) fn take_vec<T: Pod>(&mut self) -> Option<Vec<T>> {
        let Memory::Moved(moved) = &mut self.memory else { return None };
        let vector = std::mem::take(moved.vector().downcast_mut::<Vec<T>>()?);
        self.len = 0;
        Some(vector)
    }

    /// The bytes.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        match &self.memory {
            Memory::Aligned { bytes, start } => &bytes[*start..*start + self.len],
            Memory::Moved(moved) => moved.bytes(),
            Memory::Foreign(foreign) => foreign.bytes(),
        }
    }

    /// The bytes, mutable; foreign memory is copied first.
    #[inline]
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        if self.is_foreign() {
            *self = self.clone();
        }
        match &mut self.memory {
            Memory::Aligned { bytes, start } => &mut bytes[*start..*start + self.len],
            Memory::Moved(moved) => moved.bytes_mut(),
            Memory::Foreign(_) => &mut [],
        }
    }

    /// Charges the bytes to an account, unless they are charged already or foreign.
    pub(crate) fn charge(&self, ledger: &Arc<dyn Ledger>) -> Outcome<()> {
        match self.home.is_some() || self.is_foreign() {
            true => Ok(()),
            false => Charge::once(&self.charge, ledger, || self.len),
        }
    }

    /// Number of bytes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True for no bytes.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        if let (Some(home), Memory::Aligned { bytes, .. }) = (self.home.take(), &mut self.memory) {
            home.recycle(std::mem::take(bytes));
        }
    }
}

impl Clone for Buffer {
    fn clone(&self) -> Buffer {
        Buffer::copied(Vec::with_capacity(Buffer::capacity_for(self.len)), self.bytes())
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer({} bytes)", self.len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DType, Shape, Tensor};
    use std::sync::atomic::{AtomicBool, Ordering};

    /// Memory that sets a flag when it is dropped.
    struct Lent(Vec<u64>, Arc<AtomicBool>);

    impl Foreign for Lent {
        fn bytes(&self) -> &[u8] {
            bytemuck::cast_slice(&self.0)
        }
    }

    impl Drop for Lent {
        fn drop(&mut self) {
            self.1.store(true, Ordering::SeqCst);
        }
    }

    #[test]
    fn foreign_memory_is_read_in_place_and_never_written() {
        let gone = Arc::new(AtomicBool::new(false));
        let lent = Lent(vec![1; 64], gone.clone());
        let place = lent.bytes().as_ptr();
        let Ok(buffer) = Buffer::foreign(Box::new(lent)) else { return };
        let mut tensor = Tensor::from_buffer(DType::U64, Shape::vector(64), buffer).unwrap();
        assert_eq!(tensor.bytes().unwrap().as_ptr(), place);
        assert!(!tensor.is_unique() && tensor.view_mut::<u64>().unwrap().is_none());
        let before = tensor.clone();
        tensor.slice_mut::<u64>().unwrap()[0] = 7;
        assert!(before.slice::<u64>().unwrap().iter().all(|&v| v == 1));
        drop(before);
        assert!(gone.load(Ordering::SeqCst) && tensor.is_unique());
        assert_eq!(tensor.slice::<u64>().unwrap()[..2], [7, 1]);
    }
}

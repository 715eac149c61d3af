//! Memory for tensors, and where it goes when the last tensor that uses it is dropped.

use crate::error::Result as Outcome;
use bytemuck::Pod;
use std::any::Any;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Alignment in bytes of the buffers that are made here: a cache line, and the widest vector register.
pub const ALIGNMENT: usize = 64;

/// Alignment in bytes that a vector must have to become a buffer: that of every element, whatever it is read as later.
const LEAST_ALIGNMENT: usize = 16;

/// Takes memory back when a [`Buffer`] is dropped.
pub trait Recycler: Send + Sync {
    /// Receives the raw memory of a buffer that is no longer used.
    fn recycle(&self, memory: Vec<u8>);
}

/// Keeps account of memory.
pub trait Ledger: Send + Sync {
    /// Enters `bytes`.
    ///
    /// # Errors
    /// `RESOURCE_EXHAUSTED` where that would pass a limit; nothing is entered then.
    fn enter(&self, bytes: usize) -> Outcome<()>;
    /// Takes `bytes` off the account.
    fn leave(&self, bytes: usize);
}

/// Bytes on an account, until it is dropped.
pub struct Charge {
    ledger: Arc<dyn Ledger>,
    bytes: usize,
}

impl Charge {
    /// Enters `bytes`.
    ///
    /// # Errors
    /// As [`Ledger::enter`].
    pub fn new(ledger: &Arc<dyn Ledger>, bytes: usize) -> Outcome<Charge> {
        ledger.enter(bytes)?;
        Ok(Charge { ledger: ledger.clone(), bytes })
    }

    /// Enters `bytes` for what has no charge yet.
    ///
    /// # Errors
    /// As [`Ledger::enter`].
    pub(crate) fn once(
        slot: &OnceLock<Charge>,
        ledger: &Arc<dyn Ledger>,
        bytes: impl FnOnce() -> usize,
    ) -> Outcome<()> {
        if slot.get().is_none() {
            // Where another thread is first, this charge is dropped again.
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

/// Memory that belongs to somebody else, and that tensors only read.
pub trait Foreign: Send + Sync {
    /// The bytes: the same memory every time.
    fn bytes(&self) -> &[u8];
}

/// Initialised, aligned memory. Memory that comes back from a recycler holds what was written to it before.
pub struct Buffer {
    memory: Memory,
    len: usize,
    home: Option<Arc<dyn Recycler>>,
    /// The account that it is on, where its memory has no home that keeps one.
    charge: OnceLock<Charge>,
}

enum Memory {
    /// Within bytes, from the first that is aligned on.
    Aligned { bytes: Vec<u8>, start: usize },
    /// All of a vector that a caller handed over.
    Moved(Box<dyn Moved>),
    /// All of what a caller keeps. It is copied before it is changed.
    Foreign(Box<dyn Foreign>),
}

/// A vector of plain elements, whatever they are.
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

/// `len` zero bytes for a [`Buffer`], or `None` where the system has no memory for them: a vector of zeros would end the
/// process.
pub fn try_zeroed_memory(len: usize) -> Option<Vec<u8>> {
    bytemuck::allocation::try_zeroed_vec(len).ok()
}

impl Buffer {
    /// `len` zero bytes.
    pub fn zeroed(len: usize) -> Buffer {
        Buffer::from_memory(vec![0; Buffer::capacity_for(len)], len, None)
    }

    /// `len` zero bytes, or `None` where the system has no memory for them.
    pub fn try_zeroed(len: usize) -> Option<Buffer> {
        let capacity = len.checked_add(ALIGNMENT - 1)?;
        Some(Buffer::from_memory(try_zeroed_memory(capacity)?, len, None))
    }

    /// How long the memory behind a buffer of `len` bytes must be.
    pub const fn capacity_for(len: usize) -> usize {
        len + ALIGNMENT - 1
    }

    /// A buffer of `len` bytes within `memory`, which goes to `home` in the end.
    ///
    /// # Panics
    /// If `memory` is shorter than [`Buffer::capacity_for`]`(len)`.
    pub fn from_memory(memory: Vec<u8>, len: usize, home: Option<Arc<dyn Recycler>>) -> Buffer {
        assert!(memory.len() >= Buffer::capacity_for(len), "memory too short for an aligned buffer");
        // The vector never grows, so its start, and with it this offset, stays put.
        let start = memory.as_ptr().align_offset(ALIGNMENT);
        Buffer { memory: Memory::Aligned { bytes: memory, start }, len, home, charge: OnceLock::new() }
    }

    /// The elements of `vector`, without copying them; aligned as the vector is, to 16 bytes at least.
    ///
    /// # Errors
    /// The vector itself, where it is aligned to less, or more than a quarter of its memory is spare.
    pub fn from_vec<T: Pod + Send + Sync>(vector: Vec<T>) -> Result<Buffer, Vec<T>> {
        let spare = vector.capacity() - vector.len();
        if !vector.as_ptr().cast::<u8>().addr().is_multiple_of(LEAST_ALIGNMENT) || spare > vector.len() / 4 {
            return Err(vector);
        }
        let len = size_of_val(&vector[..]);
        Ok(Buffer { memory: Memory::Moved(Box::new(vector)), len, home: None, charge: OnceLock::new() })
    }

    /// The bytes of `memory`, without copying them as long as nobody changes them.
    ///
    /// # Errors
    /// `memory` itself, where it is aligned to less than 16 bytes.
    pub fn foreign(memory: Box<dyn Foreign>) -> Result<Buffer, Box<dyn Foreign>> {
        if !memory.bytes().as_ptr().addr().is_multiple_of(LEAST_ALIGNMENT) {
            return Err(memory);
        }
        let len = memory.bytes().len();
        Ok(Buffer { memory: Memory::Foreign(memory), len, home: None, charge: OnceLock::new() })
    }

    /// True for memory that belongs to somebody else.
    pub fn is_foreign(&self) -> bool {
        matches!(self.memory, Memory::Foreign(_))
    }

    /// The vector that [`Buffer::from_vec`] was given, where this is one of such elements.
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

    /// The bytes, to change; copied before where they belong to somebody else.
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

    /// Puts the bytes on an account, unless they are on one already or belong to somebody else.
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
        let mut copy = Buffer::zeroed(self.len);
        copy.bytes_mut().copy_from_slice(self.bytes());
        copy
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

    /// Memory that says when it is let go of.
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

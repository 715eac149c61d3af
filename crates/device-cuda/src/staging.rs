//! Page-locked host memory through which copies go, so that they run beside kernels.

use cudarc::driver::{CudaContext, DriverError, PinnedHostSlice};
use parking_lot::Mutex;
use std::sync::Arc;

/// Buffers that are kept, in bytes.
const KEPT: usize = 256 << 20;

/// A pool of page-locked buffers.
pub(crate) struct Staging {
    context: Arc<CudaContext>,
    free: Mutex<Vec<PinnedHostSlice<u8>>>,
}

impl Staging {
    pub(crate) fn new(context: Arc<CudaContext>) -> Staging {
        Staging { context, free: Mutex::default() }
    }

    /// A buffer of at least `len` bytes, whose contents are arbitrary.
    ///
    /// # Errors
    /// What the driver says, as where the host has no more memory that can be locked.
    #[allow(unsafe_code)]
    pub(crate) fn take(&self, len: usize) -> Result<PinnedHostSlice<u8>, DriverError> {
        let len = len.next_power_of_two().max(4096);
        {
            let mut free = self.free.lock();
            if let Some(at) = free.iter().position(|b| b.len() == len) {
                return Ok(free.swap_remove(at));
            }
        }
        // SAFETY: any bytes are valid, and nobody reads more than was written before.
        unsafe { self.context.alloc_pinned_with_flags(len, 0) }
    }

    /// Takes a buffer back of whose copy was heard what is said here. Where the copy was not heard to have ended, something
    /// may still use the buffer, so that it is never handed out or freed again.
    pub(crate) fn put_after(&self, copied: bool, buffer: PinnedHostSlice<u8>) {
        if copied {
            self.put(buffer);
        } else {
            std::mem::forget(buffer);
        }
    }

    /// Takes a buffer back that no copy uses any more.
    fn put(&self, buffer: PinnedHostSlice<u8>) {
        let mut free = self.free.lock();
        let kept: usize = free.iter().map(PinnedHostSlice::len).sum();
        if kept + buffer.len() <= KEPT {
            free.push(buffer);
        }
    }
}

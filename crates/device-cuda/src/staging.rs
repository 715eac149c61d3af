//! Page-locked host memory through which copies go, so that they run concurrently with kernels.

use cudarc::driver::{CudaContext, DriverError, PinnedHostSlice};
use parking_lot::Mutex;
use std::sync::Arc;

/// Maximum bytes of buffers that are kept.
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

    /// A buffer of at least `len` bytes with arbitrary contents.
    ///
    /// # Errors
    /// The driver's error, for instance if the host cannot lock more memory.
    #[allow(unsafe_code)]
    pub(crate) fn take(&self, len: usize) -> Result<PinnedHostSlice<u8>, DriverError> {
        let len = len.next_power_of_two().max(4096);
        {
            let mut free = self.free.lock();
            if let Some(at) = free.iter().position(|b| b.len() == len) {
                return Ok(free.swap_remove(at));
            }
        }
        // SAFETY: any bytes are valid, and nothing reads more than was written before.
        unsafe { self.context.alloc_pinned_with_flags(len, 0) }
    }

    /// Takes a buffer back; `copied` is true if its copy is known to have ended. If not, something may still use the
    /// buffer, so it is never handed out or freed again.
    pub(crate) fn put_after(&self, copied: bool, buffer: PinnedHostSlice<u8>) {
        if copied {
            self.put(buffer);
        } else {
            std::mem::forget(buffer);
        }
    }

    /// Takes a buffer back that is no longer used by any copy.
    fn put(&self, buffer: PinnedHostSlice<u8>) {
        let mut free = self.free.lock();
        let kept: usize = free.iter().map(PinnedHostSlice::len).sum();
        if kept + buffer.len() <= KEPT {
            free.push(buffer);
        }
    }
}

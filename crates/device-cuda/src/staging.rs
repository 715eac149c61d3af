//! Page-locked host memory through which copies go, so that they run beside kernels.

use crate::cuda::said;
use cudarc::driver::{CudaContext, PinnedHostSlice};
use levada_graph::{Error, Result};
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
    /// `RESOURCE_EXHAUSTED` where the host has no more memory that can be locked.
    #[allow(unsafe_code)]
    pub(crate) fn take(&self, len: usize) -> Result<PinnedHostSlice<u8>> {
        let len = len.next_power_of_two().max(4096);
        {
            let mut free = self.free.lock();
            if let Some(at) = free.iter().position(|b| b.len() == len) {
                return Ok(free.swap_remove(at));
            }
        }
        // SAFETY: any bytes are valid, and nobody reads more than was written before.
        let taken = unsafe { self.context.alloc_pinned_with_flags(len, 0) };
        taken.map_err(|e| {
            let error = said(e);
            Error::new(error.code(), format!("{len} bytes of page-locked memory for a copy: {}", error.message()))
        })
    }

    /// Takes a buffer back that no copy uses any more.
    pub(crate) fn put(&self, buffer: PinnedHostSlice<u8>) {
        let mut free = self.free.lock();
        let kept: usize = free.iter().map(PinnedHostSlice::len).sum();
        if kept + buffer.len() <= KEPT {
            free.push(buffer);
        }
    }
}

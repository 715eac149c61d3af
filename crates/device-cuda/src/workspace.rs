//! Memory that libraries use besides tensors. It counts against the limit of tensors.

use cudarc::driver::{CudaSlice, CudaStream, DevicePtr, DriverError, sys::CUdeviceptr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The total of a device.
#[derive(Default, Debug)]
pub(crate) struct Workspaces(AtomicUsize);

impl Workspaces {
    /// Their total bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    /// Memory with arbitrary contents.
    ///
    /// # Errors
    /// The driver's error.
    #[allow(unsafe_code)]
    pub(crate) fn alloc(self: &Arc<Self>, stream: &Arc<CudaStream>, bytes: usize) -> Result<Workspace, DriverError> {
        // SAFETY: libraries write what they read.
        let memory = unsafe { stream.alloc::<u8>(bytes) }?;
        self.0.fetch_add(bytes, Ordering::Relaxed);
        Ok(Workspace { memory, of: self.clone() })
    }
}

/// One workspace.
pub(crate) struct Workspace {
    memory: CudaSlice<u8>,
    of: Arc<Workspaces>,
}

impl Workspace {
    pub(crate) fn len(&self) -> usize {
        self.memory.len()
    }

    pub(crate) fn address(&self, stream: &Arc<CudaStream>) -> CUdeviceptr {
        self.memory.device_ptr(stream).0
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        self.of.0.fetch_sub(self.memory.len(), Ordering::Relaxed);
    }
}

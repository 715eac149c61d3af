//! NVIDIA graphics processors, through the CUDA driver and NVRTC, which are looked up at run time: if they are missing
//! there is no device, and [`devices`] returns the reason.

mod blas;
mod compile;
mod cuda;
mod cudnn;
mod discovery;
mod dnn;
mod graphs;
mod peers;
mod staging;
mod times;
mod workspace;

pub use compile::{Form, can_compile, compile};
pub use cuda::Cuda;
pub use discovery::discover;

use cudarc::driver::{CudaContext, result, sys};
use levada_graph::{Error, Result};

/// What is known of a device before it is used.
#[derive(Clone, Debug)]
pub struct DeviceProperties {
    /// Its ordinal in the driver.
    pub ordinal: usize,
    /// Its product name.
    pub name: String,
    /// Bytes of its memory.
    pub memory: u64,
    /// The version of CUDA that the driver supports, such as `13.0`.
    pub driver: String,
}

/// The devices of this machine.
///
/// # Errors
/// `NOT_FOUND` with the reason if there is none.
pub fn devices() -> Result<Vec<DeviceProperties>> {
    if !is_present(Library::Driver) {
        return Err(Error::not_found("the CUDA driver (libcuda) is not installed"));
    }
    if !is_present(Library::Nvrtc) {
        return Err(Error::not_found("NVRTC (libnvrtc), which compiles kernels, is not installed")
            .help("install the CUDA toolkit, or NVIDIA's nvidia-cuda-nvrtc package and put its lib folder on the library path"));
    }
    let refused = |e: result::DriverError| Error::not_found(format!("the CUDA driver does not start: {e:?}"));
    result::init().map_err(refused)?;
    let count = CudaContext::device_count().map_err(refused)?;
    let driver = driver_version();
    let mut found = Vec::new();
    for ordinal in 0..usize::try_from(count).unwrap_or(0) {
        let context = CudaContext::new(ordinal).map_err(refused)?;
        let name = context.name().map_err(refused)?;
        let memory = context.total_mem().map_err(refused)? as u64;
        found.push(DeviceProperties { ordinal, name, memory, driver: driver.clone() });
    }
    if found.is_empty() {
        return Err(Error::not_found("the CUDA driver reports no device"));
    }
    Ok(found)
}

/// A library that is loaded when it is needed.
#[derive(Clone, Copy)]
enum Library {
    Driver,
    Nvrtc,
}

/// True if a library can be loaded. It must be called before the first call into the library: a call into a missing one
/// panics.
#[allow(unsafe_code)]
fn is_present(library: Library) -> bool {
    // SAFETY: opens and closes the library; it has no requirements of its own but those of the library's initialisers.
    unsafe {
        match library {
            Library::Driver => sys::is_culib_present(),
            Library::Nvrtc => cudarc::nvrtc::sys::is_culib_present(),
        }
    }
}

#[allow(unsafe_code)]
fn driver_version() -> String {
    let mut version = 0;
    // SAFETY: the driver is present and writes one integer.
    let asked = unsafe { sys::cuDriverGetVersion(&mut version) };
    match asked {
        sys::CUresult::CUDA_SUCCESS => format!("{}.{}", version / 1000, version % 1000 / 10),
        _ => "unknown".to_owned(),
    }
}

//! Compiles programs with NVRTC: to PTX, which the driver translates for its card, or directly for one card.

use crate::{Library, is_present};
use cudarc::nvrtc::result::{self, NvrtcError};
use cudarc::nvrtc::{Ptx, sys};
use levada_gpu::ir::Program;
use levada_gpu::print::Language;
use levada_graph::{Error, Result};
use std::ffi::{CStr, CString, c_char, c_int};

/// True if NVRTC is installed.
pub fn can_compile() -> bool {
    is_present(Library::Nvrtc)
}

/// The target of compilation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// PTX, for cards of a compute capability and newer ones. A driver older than NVRTC may not be able to read it.
    Ptx,
    /// Machine code for cards of one compute capability.
    Cubin,
}

/// Compiles a program for devices of this compute capability, such as (9, 0), or the nearest lower one that this NVRTC
/// supports.
///
/// # Errors
/// `NOT_FOUND` without NVRTC, `INTERNAL` with the compiler's messages if it refuses the source, `UNIMPLEMENTED` if it
/// does not support this form.
pub fn compile(program: &Program, capability: (i32, i32), form: Form) -> Result<Ptx> {
    if !can_compile() {
        return Err(Error::not_found("NVRTC (libnvrtc) is not installed"));
    }
    let source = CString::new(Language::Cuda.print(program)).map_err(|e| Error::internal(e.to_string()))?;
    let name = CString::new(format!("{}.cu", program.name)).map_err(|e| Error::internal(e.to_string()))?;
    let asked = capability.0 * 10 + capability.1;
    let (target, kind) = match form {
        Form::Ptx => (known_targets().into_iter().filter(|known| *known <= asked).max().unwrap_or(asked), "compute"),
        Form::Cubin => (asked, "sm"),
    };
    let refused = |said: String| Error::internal(format!("NVRTC refuses the program {program}: {said}"));
    let made = Made(result::create_program(&source, Some(&name)).map_err(|e| refused(e.to_string()))?);
    made.compile(&[format!("--gpu-architecture={kind}_{target}"), "--std=c++17".to_owned()]).map_err(refused)?;
    match form {
        Form::Ptx => made.ptx().map_err(|e| refused(e.to_string())),
        Form::Cubin => {
            let cubin = made.cubin();
            cubin.ok_or_else(|| Error::unimplemented("this NVRTC does not compile for a card").found(version_text()))
        }
    }
}

/// The version of NVRTC, such as `13.0`.
#[allow(unsafe_code)]
pub(crate) fn version() -> Option<String> {
    if !can_compile() {
        return None;
    }
    let (mut major, mut minor) = (0, 0);
    // SAFETY: the library is present and writes two integers.
    unsafe { sys::nvrtcVersion(&mut major, &mut minor) }.result().ok()?;
    Some(format!("{major}.{minor}"))
}

pub(crate) fn version_text() -> String {
    format!("NVRTC {}", version().unwrap_or_default())
}

/// The compute capabilities that NVRTC supports, such as 90; empty if it does not report them.
#[allow(unsafe_code)]
fn known_targets() -> Vec<i32> {
    type Fill = unsafe extern "C" fn(*mut c_int) -> sys::nvrtcResult;
    // SAFETY: both functions write integers, the second as many as the first returns.
    unsafe {
        let library = sys::culib();
        let count = library.get::<Fill>(b"nvrtcGetNumSupportedArchs\0");
        let (Ok(count), Ok(fill)) = (count, library.get::<Fill>(b"nvrtcGetSupportedArchs\0")) else {
            return Vec::new();
        };
        let mut len = 0;
        if count(&mut len).result().is_err() {
            return Vec::new();
        }
        let mut known = vec![0; usize::try_from(len).unwrap_or(0)];
        match fill(known.as_mut_ptr()).result() {
            Ok(()) => known,
            Err(_) => Vec::new(),
        }
    }
}

/// A program in NVRTC.
struct Made(sys::nvrtcProgram);

impl Drop for Made {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        // SAFETY: it was made and is not used any more.
        let _ = unsafe { result::destroy_program(self.0) };
    }
}

impl Made {
    /// # Errors
    /// The compiler's messages.
    #[allow(unsafe_code)]
    fn compile(&self, options: &[String]) -> Result<(), String> {
        // SAFETY: the program exists; the log ends with a null.
        unsafe {
            result::compile_program(self.0, options).map_err(|error| {
                let log = result::get_program_log(self.0).unwrap_or_default();
                if log.is_empty() {
                    error.to_string()
                } else {
                    CStr::from_ptr(log.as_ptr()).to_string_lossy().into_owned()
                }
            })
        }
    }

    #[allow(unsafe_code)]
    fn ptx(&self) -> Result<Ptx, NvrtcError> {
        // SAFETY: the program was compiled; PTX is text that ends with a null.
        let text = unsafe { CStr::from_ptr(result::get_ptx(self.0)?.as_ptr()).to_string_lossy().into_owned() };
        Ok(Ptx::from_src(text))
    }

    /// `None` if NVRTC does not support it.
    #[allow(unsafe_code)]
    fn cubin(&self) -> Option<Ptx> {
        type Size = unsafe extern "C" fn(sys::nvrtcProgram, *mut usize) -> sys::nvrtcResult;
        type Fill = unsafe extern "C" fn(sys::nvrtcProgram, *mut c_char) -> sys::nvrtcResult;
        // SAFETY: the second function writes as many bytes as the first returns.
        unsafe {
            let library = sys::culib();
            let (size, fill) =
                (library.get::<Size>(b"nvrtcGetCUBINSize\0").ok()?, library.get::<Fill>(b"nvrtcGetCUBIN\0").ok()?);
            let mut len = 0;
            size(self.0, &mut len).result().ok()?;
            let mut bytes = vec![0u8; len];
            fill(self.0, bytes.as_mut_ptr().cast()).result().ok()?;
            (len > 0).then(|| Ptx::from_binary(bytes))
        }
    }
}

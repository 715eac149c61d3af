//! Compiles programs with NVRTC.

use crate::{Library, is_present};
use cudarc::nvrtc::{CompileError, CompileOptions, Ptx, compile_ptx_with_opts};
use levada_gpu::ir::Program;
use levada_gpu::print::Language;
use levada_graph::{Error, Result};

/// True where NVRTC is installed.
pub fn can_compile() -> bool {
    is_present(Library::Nvrtc)
}

/// Compiles a program for devices of this compute capability: (9, 0).
///
/// # Errors
/// `NOT_FOUND` without NVRTC, `INTERNAL` with the compiler's messages where it refuses the source.
pub fn compile(program: &Program, capability: (i32, i32)) -> Result<Ptx> {
    if !can_compile() {
        return Err(Error::not_found("NVRTC (libnvrtc) is not installed"));
    }
    let source = Language::Cuda.print(program);
    let options = CompileOptions {
        options: vec![format!("--gpu-architecture=compute_{}{}", capability.0, capability.1), "--std=c++17".to_owned()],
        name: Some(format!("{}.cu", program.name)),
        ..CompileOptions::default()
    };
    compile_ptx_with_opts(source, options).map_err(|error| {
        let said = match &error {
            CompileError::CompileError { log, .. } => log.to_string_lossy().into_owned(),
            other => other.to_string(),
        };
        Error::internal(format!("NVRTC refuses the program {program}: {said}"))
    })
}

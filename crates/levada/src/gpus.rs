//! The GPUs of this machine, over all backends in this build.

use crate::SessionOptions;
use levada_gpu::{Blocking, Discovery, GpuDevice, Processor};
use levada_graph::{Code, Error, Result};
use levada_kernel::AnyDevice;
use std::sync::{Arc, OnceLock};

pub use levada_gpu::discovery::{Info, Kind, Library};

/// What each backend found, the preferred backend first. Discovery runs once.
pub fn backends() -> &'static [Discovery] {
    static FOUND: OnceLock<Vec<Discovery>> = OnceLock::new();
    FOUND.get_or_init(|| vec![cuda(), wgpu()])
}

fn cuda() -> Discovery {
    #[cfg(feature = "cuda")]
    return levada_device_cuda::discover();
    #[cfg(not(feature = "cuda"))]
    Discovery::none("cuda", "not built in")
}

fn wgpu() -> Discovery {
    #[cfg(feature = "wgpu")]
    return levada_device_wgpu::discover();
    #[cfg(not(feature = "wgpu"))]
    Discovery::none("wgpu", "not built in")
}

/// The GPUs in the order of their numbers: `GPU:0` is the first. A GPU that several backends find is listed once.
/// Software adapters come last.
pub fn found() -> Vec<&'static dyn Processor> {
    let mut found: Vec<&'static dyn Processor> = Vec::new();
    for backend in backends() {
        let others = found.len();
        for gpu in &backend.found {
            if !found[..others].iter().any(|other| same(other.info(), gpu.info())) {
                found.push(&**gpu);
            }
        }
    }
    found.sort_by_key(|gpu| gpu.info().kind == Kind::Software);
    found
}

/// True if two backends found the same GPU.
fn same(a: &Info, b: &Info) -> bool {
    match (&a.bus, &b.bus) {
        (Some(a), Some(b)) => a == b,
        _ => a.name == b.name,
    }
}

/// Opens the first `count` GPUs as devices, fewer if the machine has fewer. Tensors take at most `memory_limit` bytes
/// on each; 0 for all of its memory.
///
/// # Errors
/// `UNAVAILABLE` for a GPU that cannot be opened.
pub fn open(count: usize, memory_limit: usize) -> Result<Vec<Arc<dyn AnyDevice>>> {
    open_for(&SessionOptions { gpus: count, gpu_memory_limit: memory_limit, ..SessionOptions::default() })
}

/// Opens the GPUs that the options ask for, fewer if the machine has fewer. With `LEVADA_GPU_BLOCKING=1` in the
/// environment they are opened as with [`SessionOptions::gpu_blocking`].
///
/// # Errors
/// `UNAVAILABLE` for a GPU that cannot be opened.
pub fn open_for(options: &SessionOptions) -> Result<Vec<Arc<dyn AnyDevice>>> {
    let limit = (options.gpu_memory_limit > 0).then_some(options.gpu_memory_limit as u64);
    let blocking = options.gpu_blocking || std::env::var_os("LEVADA_GPU_BLOCKING").is_some_and(|v| v == "1");
    let found = if options.gpus == 0 { Vec::new() } else { found() };
    let opened = found.into_iter().take(options.gpus).enumerate();
    opened
        .map(|(i, gpu)| -> Result<Arc<dyn AnyDevice>> {
            let backend = gpu.open()?;
            let backend = if blocking { Arc::new(Blocking::new(backend)) } else { backend };
            Ok(Arc::new(GpuDevice::new(i, backend, limit).with_tf32(options.gpu_tf32)))
        })
        .collect()
}

/// Checks that the machine has as many GPUs as the options ask for.
///
/// # Errors
/// `UNAVAILABLE` if it has fewer, with what each backend reports.
pub fn check(options: &SessionOptions) -> Result<()> {
    let found = if options.gpus == 0 { 0 } else { found().len() };
    if found >= options.gpus {
        return open_for(options).map(|_| ());
    }
    let why = backends().iter().filter_map(|b| Some(format!("{}: {}", b.backend, b.absence.as_deref()?)));
    let why: Vec<String> = why.collect();
    let text = match found {
        0 => "this machine has no GPU".to_owned(),
        n => format!("this machine has {n} of the {} requested GPUs", options.gpus),
    };
    let text = if why.is_empty() { text } else { format!("{text} ({})", why.join("; ")) };
    Err(Error::new(Code::Unavailable, text)
        .help("`levada devices` lists the available devices; use --devices cpu:1 to run without GPUs, or --soft to run those nodes elsewhere"))
}

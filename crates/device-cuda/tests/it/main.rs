//! Programs on devices, compared with the interpreter. Without a device they run on the stand-ins of CUDA's libraries.

#[path = "../../../device-wgpu/tests/it/asynchronous.rs"]
mod asynchronous;
#[path = "../../../device-wgpu/tests/it/functions.rs"]
mod functions;
#[path = "../../../device-wgpu/tests/it/groups.rs"]
mod groups;
mod lanes;
#[path = "../stand_in/mod.rs"]
mod stand_in;
mod times;
#[path = "../../../gpu/tests/it/work/mod.rs"]
mod work;

use levada_gpu::backend::{Launch, Piece};
use levada_gpu::host::Host;
use levada_gpu::ir::Program;
use levada_gpu::print::Language;
use levada_gpu::{Backend, Prepared};
use levada_graph::{DType, Result, Shape, Tensor};
use std::sync::{Arc, OnceLock, mpsc};

#[test]
fn all_of_this_on_the_stand_in() {
    for seed in ["1", "2"] {
        stand_in::here_again(&[], &[("LEVADA_STAND_IN_SEED", seed)]);
    }
}

/// The first device of this machine.
fn device() -> Option<Arc<dyn Backend>> {
    static FOUND: OnceLock<levada_gpu::Discovery> = OnceLock::new();
    let discovery = FOUND.get_or_init(levada_device_cuda::discover);
    match discovery.found.first() {
        Some(found) => Some(found.open().unwrap()),
        None => {
            let why = discovery.absence.as_deref().unwrap_or("unknown");
            assert!(!stand_in::inside(), "there must be a device: {why}");
            println!("skipped: {why}");
            None
        }
    }
}

fn host() -> Arc<dyn Backend> {
    Arc::new(Host::new(Language::Cuda, None))
}

fn prepare(program: Program) -> Arc<Prepared> {
    Arc::new(Prepared::new(program))
}

fn write(backend: &Arc<dyn Backend>, tensor: &Tensor) -> Piece {
    let block = backend.alloc(tensor.num_bytes()).unwrap();
    backend.write(&block, tensor.clone(), Box::new(|r| r.unwrap()));
    Piece { block, first: 0 }
}

fn read(backend: &Arc<dyn Backend>, piece: &Piece, dtype: DType, len: usize) -> Result<Tensor> {
    let (send, receive) = mpsc::channel();
    let like = Tensor::zeros(dtype, Shape::new([len]).unwrap());
    let done = Box::new(move |t| send.send(t).unwrap());
    backend.read(&piece.block, piece.first * dtype.size(), like, done);
    receive.recv().unwrap()
}

/// What a program leaves in its buffers, which are given as stored on the device.
fn run(
    backend: &Arc<dyn Backend>,
    program: &Arc<Prepared>,
    groups: u32,
    buffers: &[Tensor],
    params: &[u32],
) -> Result<Vec<Tensor>> {
    let pieces: Vec<Piece> = buffers.iter().map(|t| write(backend, t)).collect();
    backend.launch(Launch { program, groups, buffers: &pieces, params, node: &"test".into() })?;
    buffers.iter().zip(&pieces).map(|(t, p)| read(backend, p, t.dtype(), t.num_elements())).collect()
}

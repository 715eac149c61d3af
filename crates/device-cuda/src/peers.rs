//! Copies from one device to another.

use crate::cuda::{Cuda, CudaBlock};
use cudarc::driver::{CudaContext, result, sys};
use levada_gpu::hazards::Use;
use levada_graph::{Error, Result};
use levada_trace::Track;
use parking_lot::Mutex;
use std::collections::HashSet;
use std::sync::Arc;

/// Queues copying `len` bytes of `source`, starting at byte `at`, to the start of `target`.
#[allow(unsafe_code)]
pub(crate) fn copy(
    here: &Cuda,
    target: &CudaBlock,
    there: &Cuda,
    source: &CudaBlock,
    at: usize,
    len: usize,
) -> Result<()> {
    if len > target.len || at.checked_add(len).is_none_or(|end| end > source.len) {
        return Err(Error::internal("a copy past the end"));
    }
    let (ours, theirs) = (&here.shared, &there.shared);
    open(&ours.context, &theirs.context);
    let queue = theirs.queues.peers();
    let written = theirs.queue(queue, &[(source.id, Use::Read)], None, |stream| stream.record_event(None))?;
    here.times.look_at_clock();
    let copied = ours.queue(ours.queues.uploads(here.lane()), &[(target.id, Use::Write)], None, |stream| {
        stream.wait(&written)?;
        let from = there.tracks.device().unwrap_or("another device");
        let begun = here.times.begin(stream, here.tracks.peer_copy(Track::CopiesIn, from, len));
        let (to, from) = (ours.context.cu_ctx(), theirs.context.cu_ctx());
        // SAFETY: both ends are long enough. The target is freed on a stream that waits for this one, the source on one
        // that waits for the stream that waits for the copy below; until then the caller holds it.
        unsafe {
            result::memcpy_peer_async(to, target.address, from, source.address + at as u64, len, stream.cu_stream())?;
        }
        here.times.end(stream, begun);
        stream.record_event(None)
    })?;
    // Writers of the source wait for the copy.
    theirs.queue(queue, &[(source.id, Use::Read)], None, |stream| stream.wait(&copied))
}

/// Gives `ours` access to the memory of `theirs`, if possible. If not, the driver copies through the host.
#[allow(unsafe_code)]
fn open(ours: &Arc<CudaContext>, theirs: &Arc<CudaContext>) {
    static OPEN: Mutex<Option<HashSet<(usize, usize)>>> = Mutex::new(None);
    let pair = (ours.ordinal(), theirs.ordinal());
    let mut open = OPEN.lock();
    if pair.0 == pair.1 || !open.get_or_insert_default().insert(pair) || ours.bind_to_thread().is_err() {
        return;
    }
    let (mut can, mut pool) = (0, std::ptr::null_mut());
    // SAFETY: the devices and contexts exist, and what is written to lives until each call returns. If one of these
    // calls is refused, copies are only slower.
    unsafe {
        let asked = sys::cuDeviceCanAccessPeer(&mut can, ours.cu_device(), theirs.cu_device());
        if asked != sys::CUresult::CUDA_SUCCESS || can == 0 {
            return;
        }
        let _ = sys::cuCtxEnablePeerAccess(theirs.cu_ctx(), 0);
        // Memory allocated on a stream is made accessible through its pool.
        if sys::cuDeviceGetDefaultMemPool(&mut pool, theirs.cu_device()) == sys::CUresult::CUDA_SUCCESS {
            let access = sys::CUmemAccessDesc {
                location: sys::CUmemLocation {
                    type_: sys::CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE,
                    id: ours.cu_device(),
                },
                flags: sys::CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
            };
            let _ = sys::cuMemPoolSetAccess(pool, &access, 1);
        }
    }
}

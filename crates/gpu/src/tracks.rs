//! A device's part in traces: stamps for the work queued on its tracks.

use levada_trace::device::{self, is_traced, queue};
use levada_trace::{Stamp, Track, Work};
use std::sync::{Arc, OnceLock};

/// Hands out stamps for work that is queued now. Outside of traced steps there are none.
#[derive(Default)]
pub struct Tracks {
    device: OnceLock<Arc<str>>,
}

impl Tracks {
    /// Sets the device's full name; only the first call counts.
    pub fn attach(&self, device: &Arc<str>) {
        self.device.get_or_init(|| device.clone());
    }

    /// The device's full name, if set.
    pub fn device(&self) -> Option<&str> {
        self.device.get().map(|d| &**d)
    }

    /// For a program, or other computation called `name`, on compute stream `stream`.
    #[inline]
    pub fn kernel(&self, stream: u32, name: &str) -> Option<Stamp> {
        self.stamp(Track::Compute(stream), || Work::kernel(name))
    }

    /// For a copy from the host.
    #[inline]
    pub fn copy_in(&self, bytes: usize) -> Option<Stamp> {
        self.stamp(Track::CopiesIn, || Work::CopyIn { bytes: bytes as u64 })
    }

    /// For a copy to the host.
    #[inline]
    pub fn copy_out(&self, bytes: usize) -> Option<Stamp> {
        self.stamp(Track::CopiesOut, || Work::CopyOut { bytes: bytes as u64 })
    }

    /// For a copy within the device's memory, on compute stream `stream`.
    #[inline]
    pub fn copy(&self, stream: u32, bytes: usize) -> Option<Stamp> {
        self.stamp(Track::Compute(stream), || Work::Copy { bytes: bytes as u64 })
    }

    /// For a copy from the memory of `from`, a device's full name.
    #[inline]
    pub fn peer_copy(&self, track: Track, from: &str, bytes: usize) -> Option<Stamp> {
        self.stamp(track, || Work::PeerCopy { bytes: bytes as u64, from: from.to_owned() })
    }

    /// For any work.
    #[inline]
    pub fn stamp(&self, track: Track, work: impl FnOnce() -> Work) -> Option<Stamp> {
        if !is_traced() {
            return None;
        }
        queue(self.device.get()?, track, work)
    }

    /// True if this thread runs a node of a traced step.
    #[inline]
    pub fn is_traced() -> bool {
        device::is_traced()
    }
}

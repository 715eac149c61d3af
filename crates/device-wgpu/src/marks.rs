//! Times at which a device did its work in traced steps.
//!
//! If the device can record timestamps, it does so before and after each piece of work. If it cannot, each piece is
//! submitted on its own, and the times are those at which the waiting thread saw its end.

use crate::scope::{error, scoped};
use crate::waiter::mapped;
use levada_gpu::Clock;
use levada_graph::{Error, Result};
use levada_trace::Stamp;
use parking_lot::Mutex;
use std::sync::mpsc::{Receiver, channel};
use std::time::Instant;

/// Maximum number of pieces of work whose times are read together.
pub(crate) const MOST_MARKED: usize = 256;

/// Maximum number of readings of the clock until it is known well enough, and the required precision.
const READINGS: usize = 8;
const WELL_KNOWN_NS: f64 = 5_000.0;

/// Records timestamps of a device and reads them.
pub(crate) struct Marker {
    device: wgpu::Device,
    /// Nanoseconds of a tick; `None` if the device cannot record timestamps.
    period: Option<f64>,
    /// True if it can do so between any two commands.
    anywhere: bool,
    free: Mutex<Vec<Marks>>,
    clock: Mutex<State>,
}

#[derive(Default)]
struct State {
    clock: Clock,
    /// The origin of ticks, which keeps the values small.
    zero: Option<u64>,
    /// When the last piece of work was seen to have ended.
    seen: Option<Instant>,
}

/// Slots for timestamps, two for each piece of work.
pub(crate) struct Marks {
    set: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    readable: wgpu::Buffer,
}

/// Work that was submitted, and where its times will be.
pub(crate) struct Marked {
    stamps: Vec<Stamp>,
    submitted: Instant,
    times: Option<(Marks, Receiver<bool>)>,
}

/// Bytes of the times of this many pieces of work.
fn size(pieces: usize) -> u64 {
    (pieces * 2 * size_of::<u64>()) as u64
}

impl Marker {
    /// For a device whose ticks take `period` nanoseconds.
    pub(crate) fn new(device: &wgpu::Device, period: f32) -> Marker {
        let has = |feature| device.features().contains(feature);
        let period = f64::from(period);
        let works = has(wgpu::Features::TIMESTAMP_QUERY) && period.is_finite() && period > 0.0;
        Marker {
            device: device.clone(),
            period: works.then_some(period),
            anywhere: has(wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS),
            free: Mutex::default(),
            clock: Mutex::default(),
        }
    }

    /// True if the device can record timestamps.
    pub(crate) fn has_clock(&self) -> bool {
        self.period.is_some()
    }

    /// Slots for times; `None` if there are none available.
    pub(crate) fn take(&self) -> Option<Marks> {
        self.period?;
        if let Some(marks) = self.free.lock().pop() {
            return Some(marks);
        }
        let set =
            wgpu::QuerySetDescriptor { label: None, ty: wgpu::QueryType::Timestamp, count: (MOST_MARKED * 2) as u32 };
        let buffer = |usage| {
            let size = size(MOST_MARKED);
            self.device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false })
        };
        let (marks, failed) = scoped(&self.device, || Marks {
            set: self.device.create_query_set(&set),
            resolved: buffer(wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC),
            readable: buffer(wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST),
        });
        failed.is_none().then_some(marks)
    }

    /// Records a timestamp in slot `at`, once everything queued before is done.
    pub(crate) fn mark(&self, encoder: &mut wgpu::CommandEncoder, marks: &Marks, at: u32) {
        if self.anywhere {
            encoder.write_timestamp(&marks.set, at);
        } else {
            let timestamp_writes = Some(wgpu::ComputePassTimestampWrites {
                query_set: &marks.set,
                beginning_of_pass_write_index: Some(at),
                end_of_pass_write_index: None,
            });
            drop(encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label: None, timestamp_writes }));
        }
    }

    /// Records timestamps around a pass that is piece `number`.
    pub(crate) fn around<'a>(&self, marks: &'a Marks, number: u32) -> wgpu::ComputePassTimestampWrites<'a> {
        wgpu::ComputePassTimestampWrites {
            query_set: &marks.set,
            beginning_of_pass_write_index: Some(number * 2),
            end_of_pass_write_index: Some(number * 2 + 1),
        }
    }

    /// Copies the times of the first `pieces` to memory that the host can read, at the end of a submission.
    pub(crate) fn collect(&self, encoder: &mut wgpu::CommandEncoder, marks: &Marks, pieces: usize) {
        encoder.resolve_query_set(&marks.set, 0..(pieces * 2) as u32, &marks.resolved, 0);
        encoder.copy_buffer_to_buffer(&marks.resolved, 0, &marks.readable, 0, Some(size(pieces)));
    }

    /// Describes work that was submitted after `submitted` and whose times have been collected.
    pub(crate) fn submitted(&self, stamps: Vec<Stamp>, submitted: Instant, marks: Option<Marks>) -> Marked {
        let times = marks.map(|marks| {
            let (send, receive) = channel();
            marks.readable.map_async(wgpu::MapMode::Read, ..size(stamps.len().max(1)), move |result| {
                let _ = send.send(result.is_ok());
            });
            (marks, receive)
        });
        Marked { stamps, submitted, times }
    }

    /// The timestamps of this many pieces of work, once the submission has passed.
    fn read(&self, marks: &Marks, is_mapped: &Receiver<bool>, pieces: usize) -> Result<Vec<u64>> {
        if !mapped(&self.device, is_mapped) {
            return Err(Error::internal("the device's times cannot be read"));
        }
        let range = marks.readable.get_mapped_range(..size(pieces));
        let range = range.map_err(|e| Error::internal(format!("the device's times cannot be read: {e}")))?;
        let ticks = range.chunks_exact(8).map(|b| b.try_into().map_or(0, u64::from_ne_bytes)).collect();
        drop(range);
        marks.readable.unmap();
        Ok(ticks)
    }

    /// Reports when the device did what was submitted, which has passed by now.
    pub(crate) fn tell(&self, marked: Marked) {
        let seen = Instant::now();
        let Marked { stamps, submitted, times } = marked;
        let Some((marks, is_mapped)) = times else {
            let before = self.clock.lock().seen.replace(seen);
            let start = before.map_or(submitted, |b| b.max(submitted));
            return stamps.into_iter().for_each(|stamp| stamp.ran_within(start, seen));
        };
        // Stamps without times are dropped, and are not waited for.
        let Ok(ticks) = self.read(&marks, &is_mapped, stamps.len()) else { return };
        self.free.lock().push(marks);
        let mut state = self.clock.lock();
        let times: Vec<f64> = ticks.iter().map(|&t| state.nanos(t, self.period)).collect();
        let (first, last) = (times.first().copied(), times.last().copied());
        if let (Some(first), Some(last)) = (first, last) {
            state.clock.observe(submitted, first, last, seen);
        }
        for (stamp, times) in stamps.into_iter().zip(times.chunks_exact(2)) {
            let track = stamp.track();
            if let Some((start, end, error)) = track.and_then(|track| state.clock.times(track, times[0], times[1])) {
                stamp.ran(start, end, error);
            }
        }
    }

    /// Makes sure that the clock is known, which takes some waits for the device once in a while.
    pub(crate) fn calibrate(&self, queue: &wgpu::Queue, wait: &dyn Fn(wgpu::SubmissionIndex)) -> Result<()> {
        if !self.has_clock() || self.clock.lock().clock.is_known(f64::INFINITY) {
            return Ok(());
        }
        for _ in 0..READINGS {
            let Some(marks) = self.take() else { return Ok(()) };
            let before = Instant::now();
            let (index, failed) = scoped(&self.device, || {
                let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
                self.mark(&mut encoder, &marks, 0);
                self.mark(&mut encoder, &marks, 1);
                self.collect(&mut encoder, &marks, 1);
                queue.submit([encoder.finish()])
            });
            if let Some(failed) = failed {
                return Err(error(&failed, "the device's clock cannot be read"));
            }
            wait(index);
            let after = Instant::now();
            let Marked { times: Some((marks, is_mapped)), .. } = self.submitted(Vec::new(), before, Some(marks)) else {
                return Ok(());
            };
            let ticks = self.read(&marks, &is_mapped, 1)?;
            self.free.lock().push(marks);
            let mut state = self.clock.lock();
            let [first, last] = [0, 1].map(|i| state.nanos(ticks.get(i).copied().unwrap_or(0), self.period));
            state.clock.observe(before, first, last, after);
            if state.clock.is_known(WELL_KNOWN_NS) {
                break;
            }
        }
        Ok(())
    }
}

impl State {
    /// A device time in nanoseconds.
    fn nanos(&mut self, ticks: u64, period: Option<f64>) -> f64 {
        let zero = *self.zero.get_or_insert(ticks);
        ticks.wrapping_sub(zero) as i64 as f64 * period.unwrap_or(1.0)
    }
}

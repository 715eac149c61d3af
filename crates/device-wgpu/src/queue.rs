//! Commands that have not yet been submitted.

use crate::backend::{Shared, WgpuBlock, block};
use crate::marks::{MOST_MARKED, Marks};
use crate::pipelines::{SLOT, uniform_size};
use crate::scope::{error, scoped};
use crate::waiter::{Read, Work};
use levada_gpu::Tracks;
use levada_gpu::backend::Launch;
use levada_graph::{Error, Result};
use levada_kernel::device::OnPassed;
use levada_trace::Stamp;
use std::collections::HashMap;
use std::mem;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Maximum number of launches that are submitted together.
const BATCH: usize = 64;

/// Maximum bytes of parameters that are submitted together.
const UNIFORM: u64 = 128 << 10;

/// Maximum bytes of small writes that are submitted together.
const UPLOADS: u64 = 1 << 20;

/// Maximum number of bindings that are kept.
const MOST_BINDINGS: usize = 4_096;

/// Work that waits to be submitted.
pub(crate) struct Pending {
    commands: Vec<Command>,
    launches: usize,
    /// Parameters of the launches, each in whole slots.
    params: Vec<u8>,
    uniform: wgpu::Buffer,
    /// Bytes of small writes.
    uploads: Vec<u8>,
    upload: wgpu::Buffer,
    /// Bindings by the blocks that they bind, and the size of the uniform.
    bindings: HashMap<Box<[u64]>, wgpu::BindGroup>,
    reads: Vec<Read>,
    /// Called when all of this has passed.
    pub(crate) passed: Vec<OnPassed>,
    /// True if bytes were written that go along with the next submission.
    pub(crate) written: bool,
    /// The last submission.
    pub(crate) last: Option<wgpu::SubmissionIndex>,
    /// The nodes of the first and the last launch.
    nodes: Option<(Arc<str>, Arc<str>)>,
    /// Stamps for the times of the commands of traced steps.
    stamps: Vec<Stamp>,
}

enum Command {
    Launch { pipeline: wgpu::ComputePipeline, bindings: wgpu::BindGroup, params: u32, groups: u32, stamp: Option<u32> },
    Copy { from: wgpu::Buffer, from_at: u64, to: wgpu::Buffer, to_at: u64, len: u64, stamp: Option<u32> },
}

impl Pending {
    pub(crate) fn new(device: &wgpu::Device) -> Pending {
        let buffer = |size: u64, usage: wgpu::BufferUsages| {
            device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false })
        };
        Pending {
            commands: Vec::new(),
            launches: 0,
            params: Vec::new(),
            uniform: buffer(UNIFORM, wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST),
            uploads: Vec::new(),
            upload: buffer(UPLOADS, wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST),
            bindings: HashMap::new(),
            reads: Vec::new(),
            passed: Vec::new(),
            written: false,
            last: None,
            nodes: None,
            stamps: Vec::new(),
        }
    }

    /// Drops cached bindings, which keep alive the memory that they bind.
    pub(crate) fn forget_bindings(&mut self) {
        self.bindings.clear();
    }

    pub(crate) fn copy(
        &mut self,
        from: &wgpu::Buffer,
        from_at: u64,
        to: &wgpu::Buffer,
        to_at: u64,
        len: u64,
        stamp: Option<u32>,
    ) {
        self.commands.push(Command::Copy { from: from.clone(), from_at, to: to.clone(), to_at, len, stamp });
    }

    pub(crate) fn read(&mut self, from: wgpu::Buffer, from_at: u64, read: Read, stamp: Option<u32>) {
        self.copy(&from, from_at, &read.staging, 0, read.len(), stamp);
        self.reads.push(read);
    }
}

impl Shared {
    /// The index among the timed commands of the one that is queued next, in traced steps.
    pub(crate) fn stamp(&self, pending: &mut Pending, stamp: impl FnOnce() -> Option<Stamp>) -> Option<u32> {
        if !Tracks::is_traced() {
            return None;
        }
        // Without a clock each piece of work is submitted separately.
        if !self.waiter.marker.has_clock() || pending.stamps.len() == MOST_MARKED {
            self.flush(pending);
        }
        let stamp = stamp()?;
        if pending.stamps.last().is_none_or(|last| !last.is_beside(&stamp)) {
            let me = self.me.clone();
            stamp.before_waiting(move || {
                if let Some(shared) = me.upgrade() {
                    shared.flush(&mut shared.pending.lock());
                }
            });
        }
        pending.stamps.push(stamp);
        Some(pending.stamps.len() as u32 - 1)
    }

    /// Ends what [`Shared::stamp`] began, once the command has been added.
    pub(crate) fn stamped(&self, pending: &mut Pending, stamp: Option<u32>) {
        if stamp.is_some() && !self.waiter.marker.has_clock() {
            self.flush(pending);
        }
    }

    /// Queues a program.
    pub(crate) fn launch(&self, launch: &Launch<'_>, tracks: &Tracks) -> Result<()> {
        let program = &launch.program.program;
        let buffers = launch.buffers;
        if buffers.len() != program.buffers.len() || launch.params.len() != program.params.len() {
            return Err(Error::internal(format!("{program} has other arguments")));
        }
        let pipeline = self.pipelines.get(launch.program)?;
        let size = uniform_size(program);
        let mut key = Vec::with_capacity(buffers.len() + 1);
        for piece in buffers {
            key.push(block(&piece.block)?.id);
        }
        key.push(size);

        let mut pending = self.pending.lock();
        let pending = &mut *pending;
        if self.dropped.swap(false, Ordering::AcqRel) || pending.bindings.len() > MOST_BINDINGS {
            pending.forget_bindings();
        }
        if pending.params.len() as u64 + size > UNIFORM {
            self.flush(pending);
        }
        let bindings = match pending.bindings.get(&*key) {
            Some(bindings) => bindings.clone(),
            None => {
                let bindings = self.bind(launch, &pending.uniform, size)?;
                pending.bindings.insert(key.into(), bindings.clone());
                bindings
            }
        };
        let stamp = self.stamp(pending, || tracks.kernel(0, &program.name));
        let params = pending.params.len() as u32;
        for piece in buffers {
            let first = u32::try_from(piece.first);
            let first = first.map_err(|_| Error::internal(format!("a piece of memory starts at {}", piece.first)));
            match first {
                Ok(first) => pending.params.extend_from_slice(&first.to_ne_bytes()),
                Err(error) => {
                    pending.params.truncate(params as usize);
                    // A stamp without a command would be waited for in vain.
                    pending.stamps.truncate(stamp.map_or(pending.stamps.len(), |number| number as usize));
                    return Err(error);
                }
            }
        }
        launch.params.iter().for_each(|p| pending.params.extend_from_slice(&p.to_ne_bytes()));
        pending.params.resize((u64::from(params) + size) as usize, 0);
        pending.commands.push(Command::Launch { pipeline, bindings, params, groups: launch.groups, stamp });
        match &mut pending.nodes {
            Some((_, last)) => last.clone_from(launch.node),
            None => pending.nodes = Some((launch.node.clone(), launch.node.clone())),
        }
        pending.launches += 1;
        if pending.launches >= BATCH {
            self.flush(pending);
        }
        self.stamped(pending, stamp);
        Ok(())
    }

    fn bind(&self, launch: &Launch<'_>, uniform: &wgpu::Buffer, size: u64) -> Result<wgpu::BindGroup> {
        let program = &launch.program.program;
        let layout = self.pipelines.bindings(launch.buffers.len());
        let layout = layout.ok_or_else(|| Error::internal(format!("{program} has too many buffers")))?;
        let mut entries = Vec::with_capacity(launch.buffers.len() + 1);
        for (i, piece) in launch.buffers.iter().enumerate() {
            let resource = block(&piece.block)?.buffer.as_entire_binding();
            entries.push(wgpu::BindGroupEntry { binding: i as u32, resource });
        }
        let binding = wgpu::BufferBinding { buffer: uniform, offset: 0, size: wgpu::BufferSize::new(size) };
        entries.push(wgpu::BindGroupEntry {
            binding: entries.len() as u32,
            resource: wgpu::BindingResource::Buffer(binding),
        });
        let descriptor = wgpu::BindGroupDescriptor { label: None, layout, entries: &entries };
        let (bindings, failed) = scoped(&self.device, || self.device.create_bind_group(&descriptor));
        match failed {
            Some(failed) => Err(error(&failed, &format!("the buffers of {program} cannot be bound"))),
            None => Ok(bindings),
        }
    }

    /// Queues a write of a few bytes.
    pub(crate) fn upload(&self, pending: &mut Pending, to: &WgpuBlock, bytes: &[u8], tracks: &Tracks) -> Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        if (pending.uploads.len() + bytes.len()) as u64 > UPLOADS {
            self.flush(pending);
        }
        let stamp = self.stamp(pending, || tracks.copy_in(bytes.len()));
        let at = pending.uploads.len() as u64;
        pending.uploads.extend_from_slice(bytes);
        let from = pending.upload.clone();
        pending.copy(&from, at, &to.buffer, 0, bytes.len() as u64, stamp);
        self.stamped(pending, stamp);
        Ok(())
    }

    /// Submits what is pending.
    pub(crate) fn flush(&self, pending: &mut Pending) {
        let (mut reads, passed) = (mem::take(&mut pending.reads), mem::take(&mut pending.passed));
        let mut marked = None;
        if pending.written || !pending.commands.is_empty() {
            let marks = if pending.stamps.is_empty() { None } else { self.waiter.marker.take() };
            let submitted = Instant::now();
            let (index, failed) = scoped(&self.device, || self.submit(pending, marks.as_ref()));
            let stamps = mem::take(&mut pending.stamps);
            if !stamps.is_empty() && failed.is_none() {
                marked = Some(self.waiter.marker.submitted(stamps, submitted, marks));
            }
            if let Some(failed) = failed {
                let nodes = match &pending.nodes {
                    Some((first, last)) if first == last => format!("node {first}"),
                    Some((first, last)) => format!("the nodes from {first} to {last}"),
                    None => "copies".to_owned(),
                };
                // Later work would miss the results of this.
                self.fail(error(&failed, &format!("{nodes} cannot be submitted")));
            }
            pending.last = Some(index);
            pending.commands.clear();
            pending.params.clear();
            pending.uploads.clear();
            (pending.launches, pending.written, pending.nodes) = (0, false, None);
            reads.iter_mut().for_each(Read::map);
        }
        if !reads.is_empty() || !passed.is_empty() || marked.is_some() {
            self.waiter.push(Work { after: pending.last.clone(), reads, passed, marked });
        }
    }

    fn submit(&self, pending: &Pending, marks: Option<&Marks>) -> wgpu::SubmissionIndex {
        let marker = &self.waiter.marker;
        if !pending.params.is_empty() {
            self.queue.write_buffer(&pending.uniform, 0, &pending.params);
        }
        if !pending.uploads.is_empty() {
            self.queue.write_buffer(&pending.upload, 0, &pending.uploads);
        }
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut commands = pending.commands.iter().peekable();
        while let Some(command) = commands.next() {
            match command {
                Command::Copy { from, from_at, to, to_at, len, stamp } => {
                    let times = stamp.zip(marks);
                    if let Some((number, marks)) = times {
                        marker.mark(&mut encoder, marks, number * 2);
                    }
                    encoder.copy_buffer_to_buffer(from, *from_at, to, *to_at, Some(*len));
                    if let Some((number, marks)) = times {
                        marker.mark(&mut encoder, marks, number * 2 + 1);
                    }
                }
                Command::Launch { stamp, .. } => {
                    let timestamp_writes = stamp.zip(marks).map(|(number, marks)| marker.around(marks, number));
                    // Timed work has a pass of its own.
                    let is_alone = timestamp_writes.is_some();
                    let descriptor = wgpu::ComputePassDescriptor { label: None, timestamp_writes };
                    let mut pass = encoder.begin_compute_pass(&descriptor);
                    let mut bound: Option<&wgpu::ComputePipeline> = None;
                    let mut next = Some(command);
                    while let Some(Command::Launch { pipeline, bindings, params, groups, .. }) = next {
                        if bound != Some(pipeline) {
                            pass.set_pipeline(pipeline);
                            bound = Some(pipeline);
                        }
                        pass.set_bind_group(0, bindings, &[*params]);
                        pass.dispatch_workgroups(*groups, 1, 1);
                        next = match is_alone {
                            true => None,
                            false => commands.next_if(|c| matches!(c, Command::Launch { stamp: None, .. })),
                        };
                    }
                }
            }
        }
        if let Some(marks) = marks {
            marker.collect(&mut encoder, marks, pending.stamps.len());
        }
        self.queue.submit([encoder.finish()])
    }
}

const _: () = assert!(UNIFORM.is_multiple_of(SLOT));

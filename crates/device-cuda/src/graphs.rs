//! Commands that are queued repeatedly, as CUDA graphs.
//!
//! Commands are captured on a separate stream, on which nothing runs, and launched on the stream of the step that
//! replays them. Products of matrices in all graphs share one workspace of cuBLASLt, so graphs with products run one
//! after the other.

use crate::blas::Blas;
use crate::cuda::{Cuda, Shared, block, said};
use crate::dnn::Dnn;
use cudarc::driver::sys::{CUdeviceptr, CUfunction, CUgraphInstantiate_flags, CUstreamCaptureMode};
use cudarc::driver::{CudaGraph, CudaStream, result};
use levada_gpu::Command;
use levada_gpu::backend::{Block, Convolve, MatMul, Recorded};
use levada_gpu::hazards::{BlockId, Use, Uses};
use levada_graph::{Error, Result};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::ffi::c_void;
use std::fmt;
use std::sync::Arc;

/// The resources for captures.
struct Capturing {
    stream: Arc<CudaStream>,
    /// cuBLASLt on that stream, if it is installed.
    blas: Option<Blas>,
    /// Represents the library's workspace.
    workspace: BlockId,
}

/// The captures of a device. The lock ensures that there is one at a time.
#[derive(Default)]
pub(crate) struct Graphs(Mutex<Option<Capturing>>);

/// A graph that was instantiated.
struct Graph {
    graph: CudaGraph,
    /// cuDNN, with its memory that the graph uses.
    dnn: Option<Dnn>,
    captures: Arc<Graphs>,
}

impl Drop for Graph {
    fn drop(&mut self) {
        // The memory is freed on the capture stream, and must not become part of a capture.
        let _no_capture = self.captures.0.lock();
        drop(self.dnn.take());
    }
}

// SAFETY: a graph is not tied to a thread. It is launched with the lock held under which everything is queued, and
// destroyed by its only owner.
#[allow(unsafe_code)]
unsafe impl Send for Graph {}
// SAFETY: as above.
#[allow(unsafe_code)]
unsafe impl Sync for Graph {}

/// A graph and what it uses.
struct Instantiated {
    /// Present until it is dropped.
    graph: Option<Graph>,
    uses: Uses,
    /// Represents all of its nodes in errors.
    names: Arc<str>,
    shared: Arc<Shared>,
    /// What the graph works on stays where it is.
    _blocks: Vec<Arc<dyn Block>>,
}

impl Recorded for Instantiated {}

impl fmt::Debug for Instantiated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Instantiated").field("names", &self.names).finish_non_exhaustive()
    }
}

impl Drop for Instantiated {
    fn drop(&mut self) {
        // It may still run on any lane.
        if let Some(graph) = self.graph.take() {
            let kept = Arc::new(graph);
            for lane in 0..self.shared.queues.lanes {
                let kept = kept.clone();
                self.shared.after(self.shared.queues.compute(lane), Box::new(move |_| drop(kept)));
            }
        }
    }
}

/// A command with everything that it needs while the stream is captured.
enum Ready<'a> {
    Launch { function: CUfunction, groups: u32, group_size: u32, addresses: Vec<CUdeviceptr>, params: &'a [u32] },
    MatMul { product: MatMul<'a>, addresses: [CUdeviceptr; 3] },
    Convolve { asked: Convolve<'a>, addresses: [CUdeviceptr; 3], functions: [CUfunction; 2] },
    Copy { from: CUdeviceptr, to: CUdeviceptr, len: usize },
}

impl Cuda {
    fn ready<'a>(&self, command: &'a Command) -> Result<Ready<'a>> {
        Ok(match command {
            Command::Launch { program, groups, buffers, params, .. } => {
                let mut addresses = Vec::with_capacity(buffers.len());
                for (piece, (dtype, _)) in buffers.iter().zip(&program.program.buffers) {
                    addresses.push(block(&piece.block)?.address + (piece.first * dtype.size()) as u64);
                }
                let (function, group_size) = (self.function(program)?, program.program.group_size);
                Ready::Launch { function, groups: *groups, group_size, addresses, params }
            }
            Command::MatMul { .. } => {
                let product = command.product().ok_or_else(|| Error::internal("no product"))?;
                let mut addresses = [0; 3];
                for (address, piece) in addresses.iter_mut().zip([&product.a, &product.b, &product.out]) {
                    *address = block(&piece.block)?.address + (piece.first * product.dtype.size()) as u64;
                }
                Ready::MatMul { product, addresses }
            }
            Command::Copy { from, from_at, to, to_at, len } => {
                let (from, to) = (block(from)?, block(to)?);
                Ready::Copy { from: from.address + *from_at as u64, to: to.address + *to_at as u64, len: *len }
            }
            Command::Convolve { .. } => {
                let asked = command.convolution().ok_or_else(|| Error::internal("no convolution"))?;
                let mut addresses = [0; 3];
                for (address, piece) in addresses.iter_mut().zip([&asked.input, &asked.filter, &asked.output]) {
                    *address = block(&piece.block)?.address + (piece.first * asked.dtype.size()) as u64;
                }
                let functions = self.functions_beside_dnn(asked.dtype.size() == 2)?;
                Ready::Convolve { asked, addresses, functions }
            }
        })
    }

    /// Captures commands that ran before.
    ///
    /// # Errors
    /// The driver's error, `UNIMPLEMENTED` for what cannot be captured.
    #[allow(unsafe_code)]
    pub(crate) fn capture(&self, commands: &[Command]) -> Result<Arc<dyn Recorded>> {
        let shared = &self.shared;
        let heard = |e| shared.heard(e);
        // Everything is loaded and allocated before the capture begins.
        let ready: Vec<Ready<'_>> = commands.iter().map(|c| self.ready(c)).collect::<Result<_>>()?;
        let multiplies = ready.iter().any(|r| matches!(r, Ready::MatMul { .. }));
        shared.context.bind_to_thread().map_err(heard)?;
        let mut capturing = self.graphs.0.lock();
        if capturing.is_none() {
            let stream = shared.context.new_stream().map_err(heard)?;
            let blas = Blas::new(&stream, &self.workspaces);
            // From here on the workspace is available to all streams.
            stream.synchronize().map_err(heard)?;
            *capturing = Some(Capturing { stream, blas, workspace: shared.new_block() });
        }
        let Some(Capturing { stream, blas, workspace }) = &mut *capturing else {
            return Err(Error::internal("no stream for captures"));
        };
        // Every graph has a library handle of its own, whose memory stays where it is.
        let convolutions =
            || ready.iter().filter_map(|r| if let Ready::Convolve { asked, .. } = r { Some(asked) } else { None });
        let mut dnn = if convolutions().next().is_some() { Dnn::new(stream, &self.workspaces) } else { None };
        if let Some(dnn) = &mut dnn {
            for asked in convolutions() {
                dnn.prepare(asked).map_err(heard)?;
            }
            stream.synchronize().map_err(heard)?;
        }
        stream.begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED).map_err(heard)?;
        let queued = ready.iter().try_for_each(|ready| match ready {
            Ready::Launch { function, groups, group_size, addresses, params } => {
                let addresses = addresses.iter().map(|address| std::ptr::from_ref(address).cast_mut().cast::<c_void>());
                let params = params.iter().map(|param| std::ptr::from_ref(param).cast_mut().cast::<c_void>());
                let mut arguments: Vec<*mut c_void> = addresses.chain(params).collect();
                let (grid, group) = ((*groups, 1, 1), (*group_size, 1, 1));
                // SAFETY: as where a program is launched; the recording keeps what it works on.
                unsafe { result::launch_kernel(*function, grid, group, 0, stream.cu_stream(), &mut arguments) }
                    .map_err(said)
            }
            Ready::MatMul { product, addresses } => {
                match blas.as_mut().map(|blas| blas.multiply(product, *addresses)) {
                    Some(Ok(true)) => Ok(()),
                    Some(Err(error)) => Err(error),
                    _ => Err(Error::unimplemented(format!("the product of {} cannot be captured", product.node))),
                }
            }
            Ready::Convolve { asked, addresses, functions } => {
                match dnn.as_mut().map(|dnn| dnn.convolve(asked, *addresses, *functions)) {
                    Some(Ok(true)) => Ok(()),
                    Some(Err(error)) => Err(said(error)),
                    _ => Err(Error::unimplemented(format!("the convolution of {} cannot be captured", asked.node))),
                }
            }
            // SAFETY: both ends were long enough when it was queued before; the recording keeps them.
            Ready::Copy { from, to, len } => {
                unsafe { result::memcpy_dtod_async(*to, *from, *len, stream.cu_stream()) }.map_err(said)
            }
        });
        // The capture ends whatever its outcome.
        let graph = stream.end_capture(CUgraphInstantiate_flags::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH);
        queued?;
        let graph = graph.map_err(heard)?.ok_or_else(|| Error::internal("nothing was captured"))?;
        let mut all: HashMap<usize, (Arc<dyn Block>, bool)> = HashMap::new();
        for command in commands {
            command.each_use(|block, writes| {
                let key = Arc::as_ptr(block).cast::<()>().addr();
                all.entry(key).or_insert_with(|| (block.clone(), false)).1 |= writes;
            });
        }
        let mut uses = Uses::new();
        for (used, writes) in all.values() {
            uses.push((block(used)?.id, if *writes { Use::Write } else { Use::Read }));
        }
        if multiplies {
            uses.push((*workspace, Use::Write));
        }
        let mut nodes = commands.iter().filter_map(Command::node);
        let first = nodes.next().cloned().unwrap_or_default();
        let last = nodes.next_back().cloned().unwrap_or_else(|| first.clone());
        Ok(Arc::new(Instantiated {
            graph: Some(Graph { graph, dnn, captures: self.graphs.clone() }),
            uses,
            names: format!("{first}..{last}").into(),
            shared: shared.clone(),
            _blocks: all.into_values().map(|(block, _)| block).collect(),
        }))
    }

    /// Queues a graph.
    ///
    /// # Errors
    /// Errors that the device reports for earlier work.
    #[allow(unsafe_code)]
    pub(crate) fn launch_graph(&self, recorded: &Arc<dyn Recorded>) -> Result<()> {
        let any: &dyn std::any::Any = &**recorded;
        let instantiated = any.downcast_ref::<Instantiated>();
        let Some((instantiated, Graph { graph, .. })) = instantiated.and_then(|i| Some((i, i.graph.as_ref()?))) else {
            return Err(Error::internal("a recording of another backend"));
        };
        let queue = self.shared.queues.compute(self.lane());
        self.shared.queue(queue, &instantiated.uses, Some(&instantiated.names), |stream| {
            // SAFETY: the graph exists as long as the recording; what it works on is freed on a stream that waits for
            // this one. The lock over everything that is queued is held.
            unsafe { result::graph::launch(graph.cu_graph_exec(), stream.cu_stream()) }
        })
    }
}

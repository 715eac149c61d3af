//! Recorded calls to a backend, to repeat them.

use crate::backend::{Backend, Block, Convolve, Launch, MatMul, OnRead, Piece, Prepared, Recorded, Wanted};
use crate::ir::Access;
use crate::memory::block_address;
use crate::print::Language;
use levada_graph::{DType, Error, Result, Tensor};
use levada_kernel::device::OnPassed;
use levada_ops::sizes::Convolution;
use std::any::Any;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

/// A queued command.
#[derive(Clone, Debug)]
pub enum Command {
    /// A [`Launch`].
    Launch {
        /// The program.
        program: Arc<Prepared>,
        /// Number of groups.
        groups: u32,
        /// What it works on.
        buffers: Box<[Piece]>,
        /// Its parameters.
        params: Box<[u32]>,
        /// Name of the node.
        node: Arc<str>,
    },
    /// A [`MatMul`].
    MatMul {
        /// Name of the node.
        node: Arc<str>,
        /// [`MatMul::dtype`]
        dtype: DType,
        /// [`MatMul::sizes`]
        sizes: [usize; 3],
        /// [`MatMul::batch`]
        batch: usize,
        /// First factors, second factors and products.
        pieces: Box<[Piece; 3]>,
        /// [`MatMul::transpose_a`] and [`MatMul::transpose_b`]
        transposes: [bool; 2],
        /// [`MatMul::leading`]
        leading: [usize; 2],
        /// [`MatMul::strides`]
        strides: [usize; 2],
        /// [`MatMul::tf32`]
        tf32: bool,
    },
    /// A [`Convolve`].
    Convolve {
        /// Name of the node.
        node: Arc<str>,
        /// [`Convolve::dtype`]
        dtype: DType,
        /// [`Convolve::wanted`]
        wanted: Wanted,
        /// [`Convolve::sizes`]
        sizes: Box<Convolution>,
        /// Input, filter and output.
        pieces: Box<[Piece; 3]>,
        /// [`Convolve::tf32`]
        tf32: bool,
    },
    /// A copy within the device.
    Copy {
        /// From where.
        from: Arc<dyn Block>,
        /// From which byte.
        from_at: usize,
        /// Where to.
        to: Arc<dyn Block>,
        /// To which byte.
        to_at: usize,
        /// How many bytes.
        len: usize,
    },
}

impl Command {
    /// Repeats it.
    ///
    /// # Errors
    /// The backend's error.
    pub fn run(&self, backend: &dyn Backend) -> Result<()> {
        let changed = || Error::internal("a backend no longer supports an operation that it recorded");
        match self {
            Command::Launch { program, groups, buffers, params, node } => {
                backend.launch(Launch { program, groups: *groups, buffers, params, node })
            }
            Command::MatMul { .. } => {
                let product = self.product().ok_or_else(changed)?;
                backend.matmul(&product).unwrap_or_else(|| Err(changed()))
            }
            Command::Convolve { .. } => {
                let convolution = self.convolution().ok_or_else(changed)?;
                backend.convolve(&convolution).unwrap_or_else(|| Err(changed()))
            }
            Command::Copy { from, from_at, to, to_at, len } => backend.copy(from, *from_at, to, *to_at, *len),
        }
    }

    /// Returns it as a product of matrices.
    pub fn product(&self) -> Option<MatMul<'_>> {
        let Command::MatMul { node, dtype, sizes, batch, pieces, transposes, leading, strides, tf32 } = self else {
            return None;
        };
        let [a, b, out] = (**pieces).clone();
        Some(MatMul {
            node,
            dtype: *dtype,
            sizes: *sizes,
            batch: *batch,
            a,
            b,
            out,
            transpose_a: transposes[0],
            transpose_b: transposes[1],
            leading: *leading,
            strides: *strides,
            tf32: *tf32,
        })
    }

    /// Returns it as a convolution.
    pub fn convolution(&self) -> Option<Convolve<'_>> {
        let Command::Convolve { node, dtype, wanted, sizes, pieces, tf32 } = self else { return None };
        let [input, filter, output] = (**pieces).clone();
        Some(Convolve { node, dtype: *dtype, wanted: *wanted, sizes, input, filter, output, tf32: *tf32 })
    }

    /// Name of the node that it is for.
    pub fn node(&self) -> Option<&Arc<str>> {
        match self {
            Command::Launch { node, .. } | Command::MatMul { node, .. } | Command::Convolve { node, .. } => Some(node),
            Command::Copy { .. } => None,
        }
    }

    /// Replaces blocks by their addresses.
    pub(crate) fn rename(&mut self, other: &HashMap<usize, Arc<dyn Block>>) {
        let change = |block: &mut Arc<dyn Block>| {
            if let Some(other) = other.get(&block_address(block)) {
                *block = other.clone();
            }
        };
        match self {
            Command::Launch { buffers, .. } => buffers.iter_mut().for_each(|piece| change(&mut piece.block)),
            Command::MatMul { pieces, .. } | Command::Convolve { pieces, .. } => {
                pieces.iter_mut().for_each(|piece| change(&mut piece.block));
            }
            Command::Copy { from, to, .. } => {
                change(from);
                change(to);
            }
        }
    }

    /// Calls `f` with every block that it uses, and whether it writes the block.
    pub fn each_use(&self, mut f: impl FnMut(&Arc<dyn Block>, bool)) {
        match self {
            Command::Launch { program, buffers, .. } => {
                for (piece, (_, access)) in buffers.iter().zip(&program.program.buffers) {
                    f(&piece.block, *access != Access::Read);
                }
            }
            Command::MatMul { pieces, .. } => {
                pieces.iter().enumerate().for_each(|(i, piece)| f(&piece.block, i == 2));
            }
            Command::Convolve { pieces, wanted, .. } => {
                let written = match wanted {
                    Wanted::Input => 0,
                    Wanted::Filter => 1,
                    Wanted::Output => 2,
                };
                pieces.iter().enumerate().for_each(|(i, piece)| f(&piece.block, i == written));
            }
            Command::Copy { from, to, .. } => {
                f(from, false);
                f(to, true);
            }
        }
    }
}

/// The calls of a thread to a backend.
#[derive(Default)]
pub(crate) struct Log {
    /// In order.
    pub(crate) commands: Vec<Command>,
    /// Tensors that were copied to the device in the course of this.
    pub(crate) kept: Vec<Tensor>,
    /// True if there was a call that cannot be repeated.
    pub(crate) is_broken: bool,
}

thread_local! {
    /// The calls of this thread to backends, while they are logged.
    static LOG: RefCell<Option<Log>> = const { RefCell::new(None) };
}

/// Runs `work`; also returns the calls of this thread to backends during it.
pub(crate) fn logged<R>(work: impl FnOnce() -> R) -> (R, Log) {
    struct Reset(Option<Log>);
    impl Drop for Reset {
        fn drop(&mut self) {
            LOG.set(self.0.take());
        }
    }
    let outer = Reset(LOG.replace(Some(Log::default())));
    let result = work();
    let log = LOG.take().unwrap_or_else(|| Log { is_broken: true, ..Log::default() });
    drop(outer);
    (result, log)
}

/// Runs `upload`, which copies a tensor to the device; a log of this thread keeps the tensor, so that nothing else
/// changes it.
pub(crate) fn kept(upload: impl FnOnce() -> Result<Tensor>) -> Result<Tensor> {
    let outer = LOG.take();
    let uploaded = upload();
    LOG.set(outer);
    if let Ok(tensor) = &uploaded {
        LOG.with_borrow_mut(|log| {
            if let Some(log) = log {
                log.kept.push(tensor.clone());
            }
        });
    }
    uploaded
}

fn log(command: impl FnOnce() -> Command) {
    LOG.with_borrow_mut(|log| {
        if let Some(log) = log {
            log.commands.push(command());
        }
    });
}

fn spoil() {
    LOG.with_borrow_mut(|log| {
        if let Some(log) = log {
            log.is_broken = true;
        }
    });
}

/// A backend that logs the calls to it, if a log is active.
pub(crate) struct Logging(pub(crate) Arc<dyn Backend>);

impl Backend for Logging {
    fn inner(&self) -> Option<&Arc<dyn Backend>> {
        Some(self.0.inner().unwrap_or(&self.0))
    }

    fn lanes(&self) -> usize {
        self.0.lanes()
    }

    fn is_idle(&self, block: &Arc<dyn Block>) -> bool {
        self.0.is_idle(block)
    }

    fn copy_from_peer(
        &self,
        to: &Arc<dyn Block>,
        peer: &dyn Any,
        from: &Arc<dyn Block>,
        from_at: usize,
        len: usize,
    ) -> Option<Result<()>> {
        spoil();
        self.0.copy_from_peer(to, peer, from, from_at, len)
    }

    fn language(&self) -> Language {
        self.0.language()
    }

    fn has(&self, dtype: DType) -> bool {
        self.0.has(dtype)
    }

    fn attach(&self, device: &Arc<str>) {
        self.0.attach(device);
    }

    fn alloc(&self, bytes: usize) -> Result<Arc<dyn Block>> {
        self.0.alloc(bytes)
    }

    fn launch(&self, launch: Launch<'_>) -> Result<()> {
        log(|| Command::Launch {
            program: launch.program.clone(),
            groups: launch.groups,
            buffers: launch.buffers.into(),
            params: launch.params.into(),
            node: launch.node.clone(),
        });
        self.0.launch(launch)
    }

    fn matmul(&self, product: &MatMul<'_>) -> Option<Result<()>> {
        let done = self.0.matmul(product)?;
        log(|| Command::MatMul {
            node: product.node.clone(),
            dtype: product.dtype,
            sizes: product.sizes,
            batch: product.batch,
            pieces: Box::new([product.a.clone(), product.b.clone(), product.out.clone()]),
            transposes: [product.transpose_a, product.transpose_b],
            leading: product.leading,
            strides: product.strides,
            tf32: product.tf32,
        });
        Some(done)
    }

    fn convolve(&self, convolution: &Convolve<'_>) -> Option<Result<()>> {
        let done = self.0.convolve(convolution)?;
        let pieces = [&convolution.input, &convolution.filter, &convolution.output];
        log(|| Command::Convolve {
            node: convolution.node.clone(),
            dtype: convolution.dtype,
            wanted: convolution.wanted,
            sizes: Box::new(convolution.sizes.clone()),
            pieces: Box::new(pieces.map(Clone::clone)),
            tf32: convolution.tf32,
        });
        Some(done)
    }

    fn record(&self, commands: &[Command]) -> Option<Result<Arc<dyn Recorded>>> {
        self.0.record(commands)
    }

    fn replay(&self, recorded: &Arc<dyn Recorded>) -> Result<()> {
        spoil();
        self.0.replay(recorded)
    }

    fn write(&self, to: &Arc<dyn Block>, bytes: Tensor, done: OnPassed) {
        spoil();
        self.0.write(to, bytes, done);
    }

    fn read(&self, from: &Arc<dyn Block>, at: usize, like: Tensor, done: OnRead) {
        spoil();
        self.0.read(from, at, like, done);
    }

    fn copy(&self, from: &Arc<dyn Block>, from_at: usize, to: &Arc<dyn Block>, to_at: usize, len: usize) -> Result<()> {
        log(|| Command::Copy { from: from.clone(), from_at, to: to.clone(), to_at, len });
        self.0.copy(from, from_at, to, to_at, len)
    }

    fn when_passed(&self, done: OnPassed) {
        spoil();
        self.0.when_passed(done);
    }

    fn synchronize(&self) -> Result<()> {
        self.0.synchronize()
    }

    fn memory_limit(&self) -> Option<u64> {
        self.0.memory_limit()
    }

    fn beside(&self) -> usize {
        self.0.beside()
    }
}

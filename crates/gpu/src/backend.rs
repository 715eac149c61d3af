//! The interface of a backend.

use crate::commands::Command;
use crate::ir::Program;
use crate::print::Language;
use levada_graph::{DType, Error, Result, Tensor};
use levada_kernel::device::OnPassed;
use levada_ops::sizes::Convolution;
use std::any::Any;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

/// Memory that a backend has handed out. It is returned when dropped, once the queue has passed the work that used it.
pub trait Block: Any + fmt::Debug + Send + Sync {}

/// Receives bytes that were read.
pub type OnRead = Box<dyn FnOnce(Result<Tensor>) + Send>;

/// A program that is ready to be launched.
#[derive(Debug)]
pub struct Prepared {
    /// A number that is unique in the process; backends store what they compiled under it.
    pub id: usize,
    /// The program.
    pub program: Program,
    /// The program as compiled by the backend.
    compiled: OnceLock<Box<dyn Any + Send + Sync>>,
}

impl Prepared {
    /// A program with a new unique number.
    pub fn new(program: Program) -> Prepared {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        Prepared { id: NEXT.fetch_add(1, Ordering::Relaxed), program, compiled: OnceLock::new() }
    }

    /// What the backend stores with the program, made on the first request.
    ///
    /// # Errors
    /// What `make` fails with; `INTERNAL` if another backend stores something else with it.
    pub fn compiled<T: Any + Send + Sync>(&self, make: impl FnOnce() -> Result<T>) -> Result<&T> {
        let kept = match self.compiled.get() {
            Some(kept) => kept,
            None => {
                let made = make()?;
                self.compiled.get_or_init(|| Box::new(made))
            }
        };
        kept.downcast_ref().ok_or_else(|| Error::internal("a program of another backend"))
    }
}

/// Part of a block.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The block.
    pub block: Arc<dyn Block>,
    /// Index of its first element, in elements of the buffer that it is for.
    pub first: usize,
}

/// A program with its arguments.
pub struct Launch<'a> {
    /// The program.
    pub program: &'a Arc<Prepared>,
    /// Number of groups, from 1 to 65,535.
    pub groups: u32,
    /// One for each of its buffers. A block may occur more than once.
    pub buffers: &'a [Piece],
    /// Its parameters, as bits.
    pub params: &'a [u32],
    /// Name of the node, for errors and traces.
    pub node: &'a Arc<str>,
}

/// Products of matrices of one dtype, row-major: `out[i] = a[i] b[i]` for each `i` below `batch`. The products are
/// contiguous in `out`.
pub struct MatMul<'a> {
    /// Name of the node.
    pub node: &'a Arc<str>,
    /// Dtype of factors and products.
    pub dtype: DType,
    /// Rows and columns of a product, and the inner size.
    pub sizes: [usize; 3],
    /// Number of products.
    pub batch: usize,
    /// The first factors.
    pub a: Piece,
    /// The second factors.
    pub b: Piece,
    /// The products.
    pub out: Piece,
    /// True if the matrices of `a` are stored transposed: with a row for each position along the inner size.
    pub transpose_a: bool,
    /// True if the matrices of `b` are stored transposed: with a row for each column of the product.
    pub transpose_b: bool,
    /// Elements from one row of a stored matrix to the next, of `a` and `b`.
    pub leading: [usize; 2],
    /// Elements from one matrix to the next, of `a` and `b`; 0 if one matrix is used for all products.
    pub strides: [usize; 2],
    /// True if float32 factors may be rounded to TF32.
    pub tf32: bool,
}

/// Which result of a convolution is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// The result, from input and filter.
    Output,
    /// The gradient of the input, from filter and the gradient of the output.
    Input,
    /// The gradient of the filter, from input and the gradient of the output.
    Filter,
}

/// A convolution or a gradient of one.
pub struct Convolve<'a> {
    /// Name of the node.
    pub node: &'a Arc<str>,
    /// Dtype of all tensors.
    pub dtype: DType,
    /// Which of the three tensors is computed from the others.
    pub wanted: Wanted,
    /// Its sizes.
    pub sizes: &'a Convolution,
    /// The images.
    pub input: Piece,
    /// The filter: height, width, channels of a group, filters.
    pub filter: Piece,
    /// The result.
    pub output: Piece,
    /// True if float32 factors may be rounded to TF32.
    pub tf32: bool,
}

/// Commands that are queued together.
pub trait Recorded: Any + fmt::Debug + Send + Sync {}

/// A graphics processor. Work goes into queues, one for each lane ([`levada_kernel::lane`]) or fewer; nothing here
/// waits for them but [`Backend::synchronize`]. The work of one step runs in order, and whatever uses a block sees the
/// effects of all work queued on it earlier, on any queue.
pub trait Backend: Any + Send + Sync {
    /// Number of steps that can run concurrently: the number of queues.
    fn lanes(&self) -> usize {
        1
    }

    /// True if all work that uses a block is known to have run.
    fn is_idle(&self, block: &Arc<dyn Block>) -> bool {
        let _ = block;
        true
    }

    /// The backend that does the work of this one, if this one only passes it on.
    fn inner(&self) -> Option<&Arc<dyn Backend>> {
        None
    }

    /// Queues copying bytes from a block of another device, if the two can do so without the host; `None` if they
    /// cannot. `peer` is the other device's backend, or its [`Backend::inner`] if there is one. Later work here sees
    /// the bytes, and later work there does not change them before they were copied.
    fn copy_from_peer(
        &self,
        to: &Arc<dyn Block>,
        peer: &dyn Any,
        from: &Arc<dyn Block>,
        from_at: usize,
        len: usize,
    ) -> Option<Result<()>> {
        let _ = (to, peer, from, from_at, len);
        None
    }

    /// The language that determines how elements are stored: [`Language::element_size`].
    fn language(&self) -> Language;

    /// True if programs can have buffers of this dtype.
    fn has(&self, dtype: DType) -> bool {
        self.language().element_size(dtype).is_some()
    }

    /// Sets the full name of the device, for traces, before any other call.
    fn attach(&self, device: &Arc<str>) {
        let _ = device;
    }

    /// Memory of at least this many bytes, at least one, with arbitrary contents.
    ///
    /// # Errors
    /// `RESOURCE_EXHAUSTED` if memory runs out.
    fn alloc(&self, bytes: usize) -> Result<Arc<dyn Block>>;

    /// Queues a program.
    ///
    /// # Errors
    /// `INTERNAL` if it cannot be compiled, and errors that the device reports for earlier work.
    fn launch(&self, launch: Launch<'_>) -> Result<()>;

    /// Queues products of matrices if the backend has a better method than programs; otherwise `None`.
    fn matmul(&self, product: &MatMul<'_>) -> Option<Result<()>> {
        let _ = product;
        None
    }

    /// Queues a convolution if the backend has a better method than programs; otherwise `None`.
    fn convolve(&self, convolution: &Convolve<'_>) -> Option<Result<()>> {
        let _ = convolution;
        None
    }

    /// Records these commands so that they can be queued together, repeatedly; `None` if the backend has nothing better
    /// than queueing them one by one. What the commands use is kept alive by the returned recording.
    fn record(&self, commands: &[Command]) -> Option<Result<Arc<dyn Recorded>>> {
        let _ = commands;
        None
    }

    /// Queues the recording made by [`Backend::record`] of this backend.
    ///
    /// # Errors
    /// Errors that the device reports for earlier work.
    fn replay(&self, recorded: &Arc<dyn Recorded>) -> Result<()> {
        Err(Error::internal(format!("{recorded:?} is of another backend")))
    }

    /// Queues writing the bytes of a tensor on the host to the start of a block. `done` is called once the bytes have
    /// been read, from any thread.
    fn write(&self, to: &Arc<dyn Block>, bytes: Tensor, done: OnPassed);

    /// Queues reading a tensor of this dtype and shape starting at byte `at` of a block. `done` is called once that has
    /// happened, from any thread.
    fn read(&self, from: &Arc<dyn Block>, at: usize, like: Tensor, done: OnRead);

    /// Queues copying bytes from one block to another.
    ///
    /// # Errors
    /// Errors that the device reports for earlier work.
    fn copy(&self, from: &Arc<dyn Block>, from_at: usize, to: &Arc<dyn Block>, to_at: usize, len: usize) -> Result<()>;

    /// Calls `done` once everything that this thread's step has queued so far has run; outside of steps, once
    /// everything queued by anyone has.
    fn when_passed(&self, done: OnPassed);

    /// Waits for all queues.
    ///
    /// # Errors
    /// Errors that occurred in them and have not been reported.
    fn synchronize(&self) -> Result<()>;

    /// Bytes of memory for tensors and for the libraries' own use: see [`Backend::beside`].
    fn memory_limit(&self) -> Option<u64>;

    /// Bytes of memory that libraries use besides tensors. They count against the limit.
    fn beside(&self) -> usize {
        0
    }
}

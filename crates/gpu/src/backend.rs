//! What a backend must offer.

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

/// Memory that a backend handed out. It is given back when dropped, once the queue has passed what used it.
pub trait Block: Any + fmt::Debug + Send + Sync {}

/// Receives bytes that were read.
pub type OnRead = Box<dyn FnOnce(Result<Tensor>) + Send>;

/// A program that is ready to be launched.
#[derive(Debug)]
pub struct Prepared {
    /// A number that no other program of the process has; backends keep what they compiled by it.
    pub id: usize,
    /// The program.
    pub program: Program,
    /// What the backend made of it.
    compiled: OnceLock<Box<dyn Any + Send + Sync>>,
}

impl Prepared {
    /// A program with a number of its own.
    pub fn new(program: Program) -> Prepared {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        Prepared { id: NEXT.fetch_add(1, Ordering::Relaxed), program, compiled: OnceLock::new() }
    }

    /// What the backend keeps with the program, made when it first asks.
    ///
    /// # Errors
    /// What `make` fails with; `INTERNAL` where another backend keeps something else with it.
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
    /// Number of its element that counts as the first, in elements of the buffer that it is for.
    pub first: usize,
}

/// A program with what it runs on.
pub struct Launch<'a> {
    /// The program.
    pub program: &'a Arc<Prepared>,
    /// Number of groups, from 1 to 65,535.
    pub groups: u32,
    /// What it works on, one for each of its buffers. One block may be there more than once.
    pub buffers: &'a [Piece],
    /// Its parameters, as bits.
    pub params: &'a [u32],
    /// Name of the node, for errors and traces.
    pub node: &'a Arc<str>,
}

/// Products of matrices of one dtype, row by row: `out[i] = a[i] b[i]` for each `i` below `batch`. The products follow each
/// other in `out`.
pub struct MatMul<'a> {
    /// Name of the node.
    pub node: &'a Arc<str>,
    /// Dtype of all.
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
    /// True where the matrices of `a` are kept transposed: with a row for each place along the inner size.
    pub transpose_a: bool,
    /// True where the matrices of `b` are kept transposed: with a row for each column of the product.
    pub transpose_b: bool,
    /// Elements from one row of a kept matrix to the next, of `a` and `b`.
    pub leading: [usize; 2],
    /// Elements from one matrix to the next, of `a` and `b`; 0 where one matrix is for all products.
    pub strides: [usize; 2],
    /// True where factors of float32 may be rounded to TF32.
    pub tf32: bool,
}

/// Which result of a convolution is wanted.
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
    /// Dtype of all.
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
    /// True where factors of float32 may be rounded to TF32.
    pub tf32: bool,
}

/// Commands that are queued at once.
pub trait Recorded: Any + fmt::Debug + Send + Sync {}

/// A graphics processor. What is asked of it goes into queues, one for each lane ([`levada_kernel::lane`]) or fewer; nothing
/// here waits for them but [`Backend::synchronize`]. What is asked by one step runs in that order, and whatever uses a block
/// sees what was asked of it earlier, on whatever queue.
pub trait Backend: Any + Send + Sync {
    /// How many steps run beside each other: the number of queues.
    fn lanes(&self) -> usize {
        1
    }

    /// True where all that was asked of a block is known to have run.
    fn is_idle(&self, block: &Arc<dyn Block>) -> bool {
        let _ = block;
        true
    }

    /// The backend that does the work of this one, where this one only passes it on.
    fn inner(&self) -> Option<&Arc<dyn Backend>> {
        None
    }

    /// Queues copying bytes from a block of another device, where the two can without the host; `None` where they cannot.
    /// `peer` is the other device's backend, [`Backend::inner`] where it has that. Later work here sees the bytes, and later work there does not change them before they were copied.
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

    /// The language that decides how elements are kept: [`Language::element_size`].
    fn language(&self) -> Language;

    /// True where programs can have buffers of this dtype.
    fn has(&self, dtype: DType) -> bool {
        self.language().element_size(dtype).is_some()
    }

    /// Tells the full name of the device, for traces, before anything is asked of it.
    fn attach(&self, device: &Arc<str>) {
        let _ = device;
    }

    /// Memory of at least this many bytes, at least one, with arbitrary contents.
    ///
    /// # Errors
    /// `RESOURCE_EXHAUSTED` where there is no more.
    fn alloc(&self, bytes: usize) -> Result<Arc<dyn Block>>;

    /// Queues a program.
    ///
    /// # Errors
    /// `INTERNAL` where it cannot be compiled, and what the device says of earlier work.
    fn launch(&self, launch: Launch<'_>) -> Result<()>;

    /// Queues products of matrices, where the backend has better means than programs; `None` where it has not.
    fn matmul(&self, product: &MatMul<'_>) -> Option<Result<()>> {
        let _ = product;
        None
    }

    /// Queues a convolution, where the backend has better means than programs; `None` where it has not.
    fn convolve(&self, convolution: &Convolve<'_>) -> Option<Result<()>> {
        let _ = convolution;
        None
    }

    /// Makes of these commands something that queues all of them at once, again and again; `None` where the backend has nothing
    /// better than to be asked for them one by one. What the commands use stays for as long as what is returned.
    fn record(&self, commands: &[Command]) -> Option<Result<Arc<dyn Recorded>>> {
        let _ = commands;
        None
    }

    /// Queues what [`Backend::record`] of this backend made.
    ///
    /// # Errors
    /// What the device says of earlier work.
    fn replay(&self, recorded: &Arc<dyn Recorded>) -> Result<()> {
        Err(Error::internal(format!("{recorded:?} is of another backend")))
    }

    /// Queues writing the bytes of a tensor on the host to the start of a block. `done` is called once the bytes have been
    /// taken, from any thread.
    fn write(&self, to: &Arc<dyn Block>, bytes: Tensor, done: OnPassed);

    /// Queues reading a tensor of this dtype and shape from byte `at` of a block on. `done` is called when that has
    /// happened, from any thread.
    fn read(&self, from: &Arc<dyn Block>, at: usize, like: Tensor, done: OnRead);

    /// Queues copying bytes from one block to another.
    ///
    /// # Errors
    /// What the device says of earlier work.
    fn copy(&self, from: &Arc<dyn Block>, from_at: usize, to: &Arc<dyn Block>, to_at: usize, len: usize) -> Result<()>;

    /// Calls `done` once what the step that this thread works on has queued until now has run; outside of steps, once what
    /// anybody has queued has.
    fn when_passed(&self, done: OnPassed);

    /// Waits for all queues.
    ///
    /// # Errors
    /// What went wrong in them and has not been reported.
    fn synchronize(&self) -> Result<()>;

    /// Bytes of memory that tensors may take, and what is beside them.
    fn memory_limit(&self) -> Option<u64>;

    /// Bytes of memory that is used besides tensors, by libraries. They count against the limit.
    fn beside(&self) -> usize {
        0
    }
}

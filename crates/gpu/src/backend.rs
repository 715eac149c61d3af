//! What a backend must offer.

use crate::ir::Program;
use crate::print::Language;
use levada_graph::{DType, Result, Tensor};
use levada_kernel::device::OnPassed;
use std::any::Any;
use std::fmt;
use std::sync::Arc;

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

/// A graphics processor. Everything that is asked of it goes into one queue, and whatever comes later in the queue sees
/// what came earlier. Nothing here waits for the queue but [`Backend::synchronize`].
pub trait Backend: Send + Sync + 'static {
    /// The language that decides how elements are kept: [`Language::element_size`].
    fn language(&self) -> Language;

    /// True where programs can have buffers of this dtype.
    fn has(&self, dtype: DType) -> bool {
        self.language().element_size(dtype).is_some()
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

    /// Calls `done` once the queue has passed what is in it now.
    fn when_passed(&self, done: OnPassed);

    /// Waits for the queue.
    ///
    /// # Errors
    /// What went wrong in it and has not been reported.
    fn synchronize(&self) -> Result<()>;

    /// Bytes of memory that tensors may take.
    fn memory_limit(&self) -> Option<u64>;
}

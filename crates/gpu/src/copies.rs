//! Copies within a device that are queued together: a region has many small ones, and queueing one takes longer than
//! doing it.

use crate::backend::{Backend, Block, Launch, Piece};
use crate::device::Gpu;
use crate::ir::{Access, Builder, Program};
use crate::print::Language;
use levada_graph::{DType, Result};
use smallvec::SmallVec;
use std::sync::Arc;

/// Maximum number of copies in one program.
const MOST: usize = 8;
/// Longer copies, in bytes, are left to the device's own method.
const LONGEST: usize = 1 << 20;
/// Bytes that a program copies in one operation.
const WORD: usize = 4;

/// A copy of bytes from one block to another.
pub(crate) struct Copying {
    pub(crate) from: Arc<dyn Block>,
    pub(crate) from_at: usize,
    pub(crate) to: Arc<dyn Block>,
    pub(crate) to_at: usize,
    /// Number of bytes.
    pub(crate) len: usize,
}

/// Copies that are independent of each other.
pub(crate) type Copies = SmallVec<[Copying; MOST]>;

impl Copying {
    /// True if a program can do it, and is faster.
    fn suits(&self) -> bool {
        let whole = |bytes: usize| bytes.is_multiple_of(WORD);
        self.len <= LONGEST && whole(self.len) && whole(self.from_at) && whole(self.to_at)
    }

    fn queue(&self, backend: &dyn Backend) -> Result<()> {
        backend.copy(&self.from, self.from_at, &self.to, self.to_at, self.len)
    }
}

impl Gpu {
    /// Queues copies, in any order, for `node`.
    ///
    /// # Errors
    /// The backend's error.
    pub(crate) fn copy_all(&self, node: &Arc<str>, mut copies: Copies) -> Result<()> {
        // Programs of other languages have fewer buffers.
        let can = self.backend.language() == Language::Cuda;
        copies.retain(|copying| copying.len > 0);
        copies.sort_by_key(|copying| !copying.suits());
        let together = copies.iter().take_while(|copying| can && copying.suits()).count();
        let (together, alone) = copies.split_at(together);
        for some in together.chunks(MOST) {
            match some {
                [only] => only.queue(&*self.backend)?,
                some => self.copy_some(node, some)?,
            }
        }
        alone.iter().try_for_each(|copying| copying.queue(&*self.backend))
    }

    fn copy_some(&self, node: &Arc<str>, copies: &[Copying]) -> Result<()> {
        let program = self.program("copies", &[copies.len() as u64], || copying(copies.len()));
        let piece = |block: &Arc<dyn Block>, at: usize| Piece { block: block.clone(), first: at / WORD };
        let mut buffers = SmallVec::<[Piece; 2 * MOST]>::new();
        let mut params = SmallVec::<[u32; MOST + 1]>::new();
        let words = |copying: &Copying| (copying.len / WORD) as u32;
        let most = copies.iter().map(words).max().unwrap_or(0);
        params.push(most);
        for copying in copies {
            buffers.push(piece(&copying.from, copying.from_at));
            buffers.push(piece(&copying.to, copying.to_at));
            params.push(words(copying));
        }
        let groups = most.div_ceil(program.program.group_size);
        self.backend.launch(Launch { program: &program, groups, buffers: &buffers, params: &params, node })
    }
}

/// Copies words: its parameters are the number of words of the longest copy, and of each.
fn copying(count: usize) -> Program {
    let mut b = Builder::new("copies");
    let pairs: Vec<_> =
        (0..count).map(|_| (b.buffer(DType::U32, Access::Read), b.buffer(DType::U32, Access::Write))).collect();
    let most = b.param_u32();
    let lengths: Vec<_> = pairs.iter().map(|_| b.param_u32()).collect();
    b.for_each(&most, |b, i| {
        for (&(from, to), len) in pairs.iter().zip(&lengths) {
            b.if_(i.lt(len), |b| {
                let word = b.load(from, &i);
                b.store(to, &i, word);
            });
        }
    });
    b.finish()
}

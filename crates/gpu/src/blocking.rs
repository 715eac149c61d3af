//! A backend that waits after every operation, to find out which node makes a device fail.

use crate::backend::{Backend, Block, Convolve, Launch, MatMul, OnRead};
use crate::print::Language;
use levada_graph::{DType, Error, Result, Tensor};
use levada_kernel::device::OnPassed;
use parking_lot::Mutex;
use std::any::Any;
use std::sync::Arc;

/// Another backend, whose queues are empty whenever a call returns. Errors name the node.
pub struct Blocking {
    inner: Arc<dyn Backend>,
    /// Held from when something is queued until it has run, so that nothing else runs meanwhile.
    turn: Mutex<()>,
}

impl Blocking {
    /// Waits after every operation of `inner`.
    pub fn new(inner: Arc<dyn Backend>) -> Blocking {
        Blocking { inner, turn: Mutex::default() }
    }

    fn alone<T>(&self, what: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
        let _turn = self.turn.lock();
        let done = work()?;
        self.inner.synchronize().map_err(|e| Error::new(e.code(), format!("{what} failed: {}", e.message())))?;
        Ok(done)
    }
}

impl Backend for Blocking {
    fn inner(&self) -> Option<&Arc<dyn Backend>> {
        Some(&self.inner)
    }

    fn lanes(&self) -> usize {
        self.inner.lanes()
    }

    fn is_idle(&self, block: &Arc<dyn Block>) -> bool {
        self.inner.is_idle(block)
    }

    fn copy_from_peer(
        &self,
        to: &Arc<dyn Block>,
        peer: &dyn Any,
        from: &Arc<dyn Block>,
        from_at: usize,
        len: usize,
    ) -> Option<Result<()>> {
        let copied = self.alone("a copy from another device", || {
            self.inner.copy_from_peer(to, peer, from, from_at, len).transpose()
        });
        copied.transpose()
    }

    fn language(&self) -> Language {
        self.inner.language()
    }

    fn has(&self, dtype: DType) -> bool {
        self.inner.has(dtype)
    }

    fn attach(&self, device: &Arc<str>) {
        self.inner.attach(device);
    }

    fn alloc(&self, bytes: usize) -> Result<Arc<dyn Block>> {
        self.inner.alloc(bytes)
    }

    fn launch(&self, launch: Launch<'_>) -> Result<()> {
        let what = format!("program {} of node {}", launch.program.program, launch.node);
        self.alone(&what, || self.inner.launch(launch))
    }

    fn matmul(&self, product: &MatMul<'_>) -> Option<Result<()>> {
        let what = format!("the product of node {}", product.node);
        self.alone(&what, || self.inner.matmul(product).transpose()).transpose()
    }

    fn convolve(&self, convolution: &Convolve<'_>) -> Option<Result<()>> {
        let what = format!("the convolution of node {}", convolution.node);
        self.alone(&what, || self.inner.convolve(convolution).transpose()).transpose()
    }

    fn write(&self, to: &Arc<dyn Block>, bytes: Tensor, done: OnPassed) {
        let waited = self.alone("a copy from the host", || {
            let told = Arc::new(Mutex::new(Ok(())));
            let tell = told.clone();
            self.inner.write(to, bytes, Box::new(move |taken| *tell.lock() = taken));
            Ok(told)
        });
        done(waited.and_then(|told| told.lock().clone()));
    }

    fn read(&self, from: &Arc<dyn Block>, at: usize, like: Tensor, done: OnRead) {
        // A reader waits anyway.
        self.inner.read(from, at, like, done);
    }

    fn copy(&self, from: &Arc<dyn Block>, from_at: usize, to: &Arc<dyn Block>, to_at: usize, len: usize) -> Result<()> {
        self.alone("a copy on the device", || self.inner.copy(from, from_at, to, to_at, len))
    }

    fn when_passed(&self, done: OnPassed) {
        self.inner.when_passed(done);
    }

    fn synchronize(&self) -> Result<()> {
        self.inner.synchronize()
    }

    fn memory_limit(&self) -> Option<u64> {
        self.inner.memory_limit()
    }

    fn beside(&self) -> usize {
        self.inner.beside()
    }
}

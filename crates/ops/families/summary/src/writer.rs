//! The resource behind a writer's handle: an event file, once it is open.

use crate::handle::{Shared, input};
use crate::prelude::*;
use levada_summary::Writer;
use parking_lot::Mutex;
use std::sync::Arc;

/// Holds a writer; empty before it is created and after it is closed.
#[derive(Default)]
pub(crate) struct Slot(Mutex<Option<Arc<Writer>>>);

impl Shared for Slot {
    type Spec = ();

    fn make((): ()) -> Result<Slot> {
        Ok(Slot::default())
    }

    fn check(&self, (): &()) -> Result<()> {
        Ok(())
    }
}

impl Slot {
    /// Opens a writer unless one is open.
    ///
    /// # Errors
    /// The error of `create`.
    pub(crate) fn open(&self, create: impl FnOnce() -> Result<Writer>) -> Result<()> {
        let mut slot = self.0.lock();
        if slot.is_none() {
            *slot = Some(Arc::new(create()?));
        }
        Ok(())
    }

    /// Closes the writer, if there is one.
    ///
    /// # Errors
    /// The error of writing.
    pub(crate) fn close(&self) -> Result<()> {
        let closed = self.0.lock().take();
        closed.map_or(Ok(()), |writer| writer.flush())
    }
}

/// Returns the writer that input `i` refers to.
///
/// # Errors
/// `NOT_FOUND` if it is not open.
pub fn writer(cx: &Cx<'_, '_>, i: usize) -> Result<Arc<Writer>> {
    let slot = input::<Slot>(cx, i)?;
    let open = slot.0.lock().clone();
    open.ok_or_else(|| {
        Error::not_found("the writer of summaries is not open").help("run its CreateSummaryFileWriter node first")
    })
}

/// Returns an op on the writer in input 0.
pub(crate) const fn on_writer<A: OpAttrs>(
    name: &'static str,
    inputs: &'static [Arg],
    kernel: fn(&A, &mut Cx<'_, '_>) -> Result<()>,
) -> Def<A> {
    op(name).inputs(inputs).stateful().shape(|_, cx| cx.with_rank(0, 0).map(drop)).kernel(kernel).heavy()
}

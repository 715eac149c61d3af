//! `OneShotIterator`: an iterator over a dataset created by a function.

use crate::dataset::{Source, scalar_output};
use crate::handle::set_handle;
use crate::iterator::{HANDLES, IteratorResource, Kind};
use crate::prelude::*;
use levada_graph::{Func, Handle};
use levada_kernel::cancel::Registration;
use levada_kernel::{Completion, Site, Wait};
use parking_lot::Mutex;
use std::sync::Arc;

attrs! {
    /// Creates a handle to an iterator over the dataset that a function creates; the function is called once.
    pub struct OneShotIterator {
        /// The function to call.
        factory: Func = Attr::func("dataset_factory"),
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Container that holds the iterator; empty for the default one.
        container: String = Attr::string("container").or_str(""),
        /// Name within the container; empty for the node's name.
        shared_name: String = Attr::string("shared_name").or_str(""),
    }
}

pub static ONE_SHOT_ITERATOR: Def<OneShotIterator> =
    op("OneShotIterator").outputs(HANDLES).stateful().role(Role::Call).shape(scalar_output).kernel(one_shot_iterator);

/// The nodes that wait for the function. They are completed with the handle or an error.
#[derive(Default)]
struct Making(Mutex<Option<Vec<Waiting>>>);

/// A waiting node. The lock ensures that it is completed only once.
struct Waiting {
    done: Arc<Mutex<Option<Completion>>>,
    /// Keeps the cancellation callback registered.
    _listener: Registration,
}

fn finish(done: &Mutex<Option<Completion>>, handle: Result<Tensor>) {
    let done = done.lock().take();
    if let Some(done) = done {
        done.finish(handle.map(|handle| vec![handle]));
    }
}

fn one_shot_iterator(op: &OneShotIterator, cx: &mut Cx<'_, '_>) -> Result<()> {
    set_handle::<IteratorResource>(cx, &op.container, &op.shared_name, |cx| {
        Ok(Kind { device: cx.node().device.clone(), types: op.types.clone(), shapes: op.shapes.clone() })
    })?;
    let handle = match cx.output_entry(0).map(std::mem::take) {
        Some(Entry::Value(handle)) => handle,
        _ => return Err(Error::internal("the iterator has no handle")),
    };
    let iterator: Arc<IteratorResource> = match handle.slice::<Handle>()? {
        [Handle { object: Some(object), .. }] => {
            object.clone().downcast().map_err(|_| Error::internal("the handle does not refer to an iterator"))?
        }
        _ => return Err(Error::internal("the iterator has no handle")),
    };
    if iterator.has_begun() {
        cx.set(0, handle);
        return Ok(());
    }
    let making = cx
        .env()
        .resources
        .get_or_create::<Making>("", &format!("one shot/{}", iterator.number), || Ok(Making::default()))?;
    let cancel = cx.cancel().clone();
    let done = Arc::new(Mutex::new(Some(cx.defer_for(Wait::Call))));
    let cancelled = done.clone();
    let listener =
        cancel.on_cancel(move |_| finish(&cancelled, Err(Error::cancelled("OneShotIterator was cancelled"))));
    let waiting = Waiting { done, _listener: listener };
    let mut waiters = making.0.lock();
    if let Some(waiters) = &mut *waiters {
        waiters.push(waiting);
        return Ok(());
    }
    *waiters = Some(vec![waiting]);
    drop(waiters);
    let step = cx.step().clone();
    let site = Site { device: cx.node().device.clone(), all: true, inlined: None, used: None, caller: 0 };
    let (caller, name) = (step.clone(), cx.node().name.clone());
    let end = move |results: Result<Vec<Tensor>>| {
        let begun = results.and_then(|results| match results.as_slice() {
            // Another node that shares the iterator may have been faster.
            [_] if iterator.has_begun() => Ok(()),
            [dataset] => iterator.begin(&step, name, Source::of(dataset)?),
            _ => Err(Error::invalid("The `dataset_factory` function must return a single scalar of dtype DT_VARIANT.")),
        });
        let waiters = making.0.lock().take().unwrap_or_default();
        for waiting in waiters {
            finish(&waiting.done, begun.clone().map(|()| handle.clone()));
        }
    };
    match caller.env.functions.get() {
        Some(functions) => functions.call(&op.factory, &site, Vec::new(), &caller, Box::new(end)),
        None => end(Err(Error::unimplemented("functions cannot be called here"))),
    }
    Ok(())
}

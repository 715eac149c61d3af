//! Input pipelines: iterators on the device, whose elements are available before they are requested if a
//! `PrefetchDataset` is behind a `GeneratorDataset` of the device. Datasets work on the host.

use super::entry::{ALL, fits_all, hosted, made};
use crate::device::Gpu;
use levada_graph::{AnyOp, AttrList, AttrValue, DType, Error, Result, Tensor};
use levada_kernel::def::CellOfDef;
use levada_kernel::watch::Wait;
use levada_kernel::{AnyDevice, AnyKernel, Completion, Cost, Entry, Io, KernelEntry, Parker};
use levada_ops::shared::{bring, to_device};
use levada_ops::types::*;
use std::sync::Arc;

/// The kernel entries of this module.
pub(super) fn entries() -> impl Iterator<Item = KernelEntry<Gpu>> {
    super::entry::entries(CELLS)
}

static CELLS: &[&dyn CellOfDef<Gpu>] = &[
    &made(&ANONYMOUS_ITERATOR, hosted),
    &made(&DELETE_ITERATOR, hosted),
    &made(&GENERATOR_DATASET, generator_dataset),
    &made(&ITERATOR, hosted),
    &made(&ITERATOR_FROM_STRING_HANDLE, from_string),
    &made(&ITERATOR_GET_NEXT, element),
    &made(&ITERATOR_GET_NEXT_AS_OPTIONAL, element),
    &made(&ITERATOR_TO_STRING_HANDLE, hosted),
    &made(&MAKE_ITERATOR, hosted),
    &made(&OPTIONS_DATASET, hosted),
    &made(&PREFETCH_DATASET, hosted),
    &made(&UNWRAP_DATASET_VARIANT, hosted),
    &made(&WRAP_DATASET_VARIANT, hosted),
];

/// The first version of the op is on the CPU, as in TensorFlow.
fn from_string(op: &Arc<dyn AnyOp>, gpu: &Arc<Gpu>) -> Option<Arc<dyn AnyKernel>> {
    if op.spec().name.ends_with("V2") { hosted(op, gpu) } else { None }
}

/// A dataset whose elements are requested on the device.
struct Wanted {
    kernel: Arc<dyn AnyKernel>,
    device: Arc<dyn AnyDevice>,
}

impl AnyKernel for Wanted {
    fn compute(&self, io: &mut Io<'_>) -> Result<()> {
        self.kernel.compute(io)?;
        let dataset = io.output_entry(0).and_then(|entry| entry.tensor());
        let dataset = dataset.ok_or_else(|| Error::internal("a dataset was not made"))?;
        let wanted = to_device(dataset, &self.device)?;
        io.set(0, wanted);
        Ok(())
    }
    fn cost(&self) -> Cost {
        self.kernel.cost()
    }
    fn host_inputs(&self) -> &'static [isize] {
        &ALL
    }
    fn host_outputs(&self) -> &'static [isize] {
        &ALL
    }
}

fn generator_dataset(op: &Arc<dyn AnyOp>, gpu: &Arc<Gpu>) -> Option<Arc<dyn AnyKernel>> {
    let mut listed = 0;
    for (_, value) in op.encode().iter() {
        let AttrValue::List(AttrList::Type(all)) = value else { continue };
        // Its functions run on the host, so the resources they use must be there too.
        if all.iter().any(|ty| ty.dtype == DType::Resource) {
            return None;
        }
        listed += all.len();
    }
    let kernel = if listed <= ALL.len() { gpu.host_kernel(op)? } else { return None };
    Some(Arc::new(Wanted { kernel, device: gpu.as_device() }))
}

/// A kernel of the host, synchronous or deferred, whose outputs are copied to the device if they are not there yet.
struct Brought {
    kernel: Arc<dyn AnyKernel>,
    device: Arc<dyn AnyDevice>,
}

impl AnyKernel for Brought {
    fn compute(&self, io: &mut Io<'_>) -> Result<()> {
        let (node, step) = (io.node().clone(), io.step().clone());
        let mut inputs = (0..io.num_inputs()).map(|i| io.take(i).map(Entry::Value)).collect::<Result<Vec<_>>>()?;
        let mut outputs: Vec<Entry> = (0..io.num_outputs()).map(|_| Entry::Empty).collect();
        let mut parker = Later { io, device: &self.device };
        let mut inner = Io::new(&mut inputs, &mut outputs, &node, &step, &mut parker);
        self.kernel.compute(&mut inner)?;
        if inner.is_deferred() {
            return Ok(());
        }
        let values = values(outputs)?;
        if values.iter().all(|value| value.device_memory().is_some()) {
            for (i, value) in values.into_iter().enumerate() {
                io.set(i, value);
            }
            return Ok(());
        }
        let done = io.defer();
        bring(values, &self.device, Box::new(move |brought| done.finish(brought)));
        Ok(())
    }
    fn cost(&self) -> Cost {
        self.kernel.cost()
    }
    fn host_inputs(&self) -> &'static [isize] {
        &ALL
    }
}

/// Parks the node of a kernel that wraps the one that asks to be parked.
struct Later<'a, 'b> {
    io: &'a mut Io<'b>,
    device: &'a Arc<dyn AnyDevice>,
}

impl Parker for Later<'_, '_> {
    fn park(&mut self, wait: Wait) -> Completion {
        let (done, device) = (self.io.defer_for(wait), self.device.clone());
        Completion::new(move |outputs| match outputs.and_then(values) {
            Ok(values) => bring(values, &device, Box::new(move |brought| done.finish(brought))),
            Err(error) => done.finish(Err(error)),
        })
    }
    fn iteration(&self) -> u64 {
        self.io.iteration()
    }
}

fn values(outputs: Vec<Entry>) -> Result<Vec<Tensor>> {
    let value = |entry: Entry| entry.tensor().cloned().ok_or_else(|| Error::internal("an iterator gave no tensor"));
    outputs.into_iter().map(value).collect()
}

/// The kernel of a node that outputs elements, if the device supports their dtypes.
fn element(op: &Arc<dyn AnyOp>, gpu: &Arc<Gpu>) -> Option<Arc<dyn AnyKernel>> {
    let kernel = if fits_all(op, gpu) { gpu.host_kernel(op)? } else { return None };
    Some(Arc::new(Brought { kernel, device: gpu.as_device() }))
}

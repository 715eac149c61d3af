//! Entries of kernels that are written for the type of their op.

use crate::device::Gpu;
use crate::expressions;
use levada_graph::spec::Arg;
use levada_graph::{AnyOp, AttrValue, DType};
use levada_kernel::kernel::is_listed;
use levada_kernel::{Kernel, KernelCx, KernelEntry, kernel};
use std::sync::Arc;

/// What a kernel sees.
pub(super) type Cx<'a, 'b> = KernelCx<'a, 'b, Gpu>;

/// The entry of op `T`'s kernel, for nodes whose tensors on the device are of dtypes that the backend has.
pub(super) const fn entry<T: Kernel<Gpu>>() -> KernelEntry<Gpu> {
    KernelEntry {
        op: T::SPEC.name,
        make: |op, gpu| {
            let spec = T::SPEC;
            let here = |args, listed| dtypes(op, args, listed).iter().all(|&dtype| gpu.backend.has(dtype));
            let fits = here(spec.inputs, T::HOST_INPUTS) && here(spec.outputs, T::HOST_OUTPUTS);
            if fits { (kernel::<Gpu, T>().make)(op, gpu) } else { None }
        },
        host_inputs: T::HOST_INPUTS,
    }
}

/// The dtypes of those arguments that are not listed as the host's.
fn dtypes(op: &Arc<dyn AnyOp>, args: &[Arg], listed: &[isize]) -> Vec<DType> {
    let attrs = op.encode();
    let mut all = Vec::new();
    for arg in args {
        let times = match arg.times.and_then(|attr| attrs.get(attr)) {
            Some(AttrValue::I(n)) => usize::try_from(*n).unwrap_or(0),
            _ => 1,
        };
        all.extend(std::iter::repeat_n(expressions::dtype(arg, &attrs), times));
    }
    let count = all.len();
    all.into_iter().enumerate().filter(|&(i, _)| !is_listed(listed, i, count)).filter_map(|(_, d)| d).collect()
}

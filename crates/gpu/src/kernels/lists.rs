//! Arrays and lists of tensors: the elements are in the device's memory, what holds them is on the host.

use super::entry::{entry, fits_all};
use crate::device::Gpu;
use levada_graph::AttrValue;
use levada_kernel::kernel::Make;
use levada_kernel::{Kernel, KernelEntry, kernel};
use levada_ops::types::*;

/// The ops.
pub(super) fn entries() -> impl Iterator<Item = KernelEntry<Gpu>> {
    [
        held::<EmptyTensorList>(),
        held::<TensorArrayCloseV3>(),
        held::<TensorArrayConcatV3>(),
        held::<TensorArrayGatherV3>(),
        held::<TensorArrayGradV3>(),
        held::<TensorArrayGradWithShape>(),
        held::<TensorArrayReadV3>(),
        held::<TensorArrayScatterV3>(),
        held::<TensorArraySizeV3>(),
        held::<TensorArraySplitV3>(),
        held::<TensorArrayV3>(),
        held::<TensorArrayWriteV3>(),
        held::<TensorListConcat>(),
        held::<TensorListConcatLists>(),
        held::<TensorListConcatV2>(),
        held::<TensorListElementShape>(),
        held::<TensorListFromTensor>(),
        held::<TensorListGather>(),
        held::<TensorListGetItem>(),
        held::<TensorListLength>(),
        held::<TensorListPopBack>(),
        held::<TensorListPushBack>(),
        held::<TensorListReserve>(),
        held::<TensorListResize>(),
        held::<TensorListScatter>(),
        held::<TensorListScatterIntoExistingList>(),
        held::<TensorListScatterV2>(),
        held::<TensorListSetItem>(),
        held::<TensorListSplit>(),
        held::<TensorListStack>(),
    ]
    .into_iter()
}

/// As [`entry`], for ops on elements of a dtype that the device has.
const fn held<T: Kernel<Gpu>>() -> KernelEntry<Gpu> {
    KernelEntry {
        make: Make::Fn(|op, gpu| {
            let is_plain = |value: &AttrValue| !matches!(value, AttrValue::Type(ty) if !ty.dtype.is_plain());
            let fits = fits_all(op, gpu) && op.encode().iter().all(|(_, value)| is_plain(value));
            if fits { kernel::<Gpu, T>().make(op, gpu) } else { None }
        }),
        ..entry::<T>()
    }
}

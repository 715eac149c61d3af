//! Arrays of tensors that live as long as a step, as loops use them.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::{moves, prelude, rows, variable};

mod array;
mod handle;

family! {
    concat: TensorArrayConcat, TensorArrayConcatV2, TensorArrayConcatV3, TensorArraySplit, TensorArraySplitV2,
        TensorArraySplitV3;
    create: TensorArrayV1, TensorArrayV2, TensorArrayV3;
    element: TensorArrayRead, TensorArrayReadV2, TensorArrayReadV3, TensorArrayWrite, TensorArrayWriteV2,
        TensorArrayWriteV3;
    gradient: TensorArrayGrad, TensorArrayGradV2, TensorArrayGradV3, TensorArrayGradWithShape;
    pack: TensorArrayGather, TensorArrayGatherV2, TensorArrayGatherV3, TensorArrayPack, TensorArrayScatter,
        TensorArrayScatterV2, TensorArrayScatterV3, TensorArrayUnpack;
    size: TensorArrayClose, TensorArrayCloseV2, TensorArrayCloseV3, TensorArraySize, TensorArraySizeV2,
        TensorArraySizeV3;
}

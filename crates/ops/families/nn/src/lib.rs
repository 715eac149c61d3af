//! Ops of neural networks.

#[macro_use]
extern crate levada_ops_core;

#[cfg(test)]
use levada_ops_core::testing;
use levada_ops_core::{elementwise, philox, prelude, simd};

mod convolution;
mod depthwise;
mod direct;
mod gather;
mod heap;
mod layout;
mod logits;
mod pooling;
mod product;
mod recurrent;
mod tile;
mod window;

pub use block_lstm::{Dims as LstmDims, moments};
pub use gru_block_cell::dims as gru_dims;

family! {
    activation: Elu, LeakyRelu, Relu, Relu6, Selu, Softplus, Softsign;
    activation_grad: EluGrad, LeakyReluGrad, Relu6Grad, ReluGrad, SeluGrad, SoftplusGrad, SoftsignGrad;
    avg_pool: AvgPool, AvgPool3D;
    avg_pool_grad: AvgPool3DGrad, AvgPoolGrad;
    batch_norm: FusedBatchNorm, FusedBatchNormGrad, FusedBatchNormGradV2, FusedBatchNormGradV3, FusedBatchNormV2, FusedBatchNormV3;
    batch_norm_global: BatchNormWithGlobalNormalization, BatchNormWithGlobalNormalizationGrad;
    bias_add: BiasAdd, BiasAddV1;
    bias_add_grad: BiasAddGrad;
    block_lstm: BlockLSTM, BlockLSTMGrad, BlockLSTMGradV2, BlockLSTMV2, LSTMBlockCell = LSTM_BLOCK_CELL_GRAD;
    conv2d: Conv2D, Conv2DBackpropFilter, Conv2DBackpropFilterV2, Conv2DBackpropInput, Conv2DBackpropInputV2;
    conv3d: Conv3D, Conv3DBackpropFilter, Conv3DBackpropFilterV2, Conv3DBackpropInput, Conv3DBackpropInputV2;
    conv = CONV;
    cross_entropy: SoftmaxCrossEntropyWithLogits, SparseSoftmaxCrossEntropyWithLogits;
    depthwise_conv2d: DepthwiseConv2dNative, DepthwiseConv2dNativeBackpropFilter, DepthwiseConv2dNativeBackpropInput;
    dilation2d: Dilation2D, Dilation2DBackpropFilter, Dilation2DBackpropInput;
    gru_block_cell: GRUBlockCell = GRU_BLOCK_CELL_GRAD;
    in_top_k: InTopK, InTopKV2;
    fractional_pool: FractionalAvgPool, FractionalMaxPool = FRACTIONAL_AVG_POOL_GRAD, FRACTIONAL_MAX_POOL_GRAD;
    lrn: LRN, LRNGrad;
    max_pool: MaxPool, MaxPool3D, MaxPoolV2;
    max_pool_grad: MaxPool3DGrad, MaxPool3DGradGrad, MaxPoolGrad, MaxPoolGradGrad, MaxPoolGradGradV2, MaxPoolGradV2;
    max_pool_with_argmax = MAX_POOL_GRAD_WITH_ARGMAX, MAX_POOL_WITH_ARGMAX;
    nth_element = NTH_ELEMENT;
    softmax: LogSoftmax, Softmax;
    top_k: TopK, TopKV2;
}

/// Sizes that the ops work out of their attrs and inputs, checked.
pub mod sizes {
    pub use super::batch_norm::Rows;
    pub use super::convolution::{Convolution, check_filter, shape_from};
    pub use super::pooling::Pooling;
    pub use super::window::{Axis, Layout};
}

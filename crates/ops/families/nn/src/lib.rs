//! Ops of neural networks.

#[macro_use]
extern crate levada_ops_core;

#[cfg(test)]
use levada_ops_core::testing;
use levada_ops_core::{elementwise, philox, prelude, rules, simd};

mod codes;
mod convolution;
mod depthwise;
mod direct;
mod examples;
mod gather;
mod halves;
mod heap;
mod layout;
mod logits;
mod order;
mod pooling;
mod product;
mod recurrent;
mod sequence;
mod tile;
mod window;
mod winograd;
mod workspace;

pub use block_lstm::{Dims as LstmDims, moments};
pub use convolution::convolve_inside;
pub use gru_block_cell::dims as gru_dims;

family! {
    activation = ELU, LEAKY_RELU, RELU, RELU6, SELU, SOFTPLUS, SOFTSIGN;
    activation_grad = ELU_GRAD, LEAKY_RELU_GRAD, RELU6_GRAD, RELU_GRAD, SELU_GRAD, SOFTPLUS_GRAD, SOFTSIGN_GRAD;
    approx_top_k = APPROX_TOP_K;
    avg_pool = AVG_POOL, AVG_POOL_3D;
    avg_pool_grad = AVG_POOL_3D_GRAD, AVG_POOL_GRAD;
    batch_norm = FUSED_BATCH_NORM, FUSED_BATCH_NORM_GRAD;
    batch_norm_global = BATCH_NORM_WITH_GLOBAL_NORMALIZATION, BATCH_NORM_WITH_GLOBAL_NORMALIZATION_GRAD;
    bias_add = BIAS_ADD;
    bias_add_grad = BIAS_ADD_GRAD;
    block_lstm = BLOCK_LSTM, BLOCK_LSTM_GRAD, LSTM_BLOCK_CELL, LSTM_BLOCK_CELL_GRAD;
    conv = CONV;
    conv2d = CONV2D, CONV2D_BACKPROP_FILTER, CONV2D_BACKPROP_FILTER_V2, CONV2D_BACKPROP_INPUT, CONV2D_BACKPROP_INPUT_V2;
    conv3d = CONV3D, CONV3D_BACKPROP_FILTER, CONV3D_BACKPROP_INPUT;
    cross_entropy = SOFTMAX_CROSS_ENTROPY_WITH_LOGITS, SPARSE_SOFTMAX_CROSS_ENTROPY_WITH_LOGITS;
    cudnn_params = CUDNN_RNN_CANONICAL_TO_PARAMS, CUDNN_RNN_PARAMS_SIZE, CUDNN_RNN_PARAMS_TO_CANONICAL;
    cudnn_rnn = CUDNN_RNN, CUDNN_RNN_BACKPROP;
    data_format = DATA_FORMAT_DIM_MAP, DATA_FORMAT_VEC_PERMUTE;
    depthwise_conv2d = DEPTHWISE_CONV2D_NATIVE, DEPTHWISE_CONV2D_NATIVE_BACKPROP_FILTER,
        DEPTHWISE_CONV2D_NATIVE_BACKPROP_INPUT;
    dilation2d = DILATION2D, DILATION2D_BACKPROP_FILTER, DILATION2D_BACKPROP_INPUT;
    fractional_pool = FRACTIONAL_AVG_POOL, FRACTIONAL_AVG_POOL_GRAD, FRACTIONAL_MAX_POOL, FRACTIONAL_MAX_POOL_GRAD;
    fused = FUSED_BATCH_NORM_EX, FUSED_CONV2D, FUSED_MAT_MUL;
    fused_pad = FUSED_PAD_CONV2D, FUSED_RESIZE_AND_PAD_CONV2D;
    gru_block_cell = GRU_BLOCK_CELL, GRU_BLOCK_CELL_GRAD;
    in_top_k = IN_TOP_K;
    isotonic_regression = ISOTONIC_REGRESSION;
    lrn = LRN, LRN_GRAD;
    max_pool = MAX_POOL, MAX_POOL_3D;
    max_pool_grad = MAX_POOL_3D_GRAD, MAX_POOL_3D_GRAD_GRAD, MAX_POOL_GRAD, MAX_POOL_GRAD_GRAD;
    max_pool_with_argmax = MAX_POOL_GRAD_WITH_ARGMAX, MAX_POOL_WITH_ARGMAX;
    nth_element = NTH_ELEMENT;
    quantized_conv2d = LEVADA_QUANTIZED_CONV2D, LEVADA_QUANTIZED_DEPTHWISE_CONV2D;
    quantized_mat_mul = LEVADA_QUANTIZED_MAT_MUL;
    softmax = LOG_SOFTMAX, SOFTMAX;
    top_k = TOP_K;
    unique_top_k = KTH_ORDER_STATISTIC, MAKE_UNIQUE, TOP_K_UNIQUE;
}

/// Sizes that the ops work out of their attrs and inputs, checked.
pub mod sizes {
    pub use super::batch_norm::Rows;
    pub use super::convolution::{Convolution, check_filter, shape_from};
    pub use super::pooling::{PoolAttrs, Pooling};
    pub use super::window::{Axis, Layout};
}

//! Neural network ops.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::{elementwise, philox, prelude, rules, simd};

mod heap;
mod logits;
mod order;
mod pooling;
mod recurrent;
mod sequence;

pub use block_lstm::{Dims as LstmDims, moments};
pub use gru_block_cell::dims as gru_dims;
pub use pooling::PoolAttrs;

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
    cross_entropy = SOFTMAX_CROSS_ENTROPY_WITH_LOGITS, SPARSE_SOFTMAX_CROSS_ENTROPY_WITH_LOGITS;
    cudnn_params = CUDNN_RNN_CANONICAL_TO_PARAMS, CUDNN_RNN_PARAMS_SIZE, CUDNN_RNN_PARAMS_TO_CANONICAL;
    cudnn_rnn = CUDNN_RNN, CUDNN_RNN_BACKPROP;
    data_format = DATA_FORMAT_DIM_MAP, DATA_FORMAT_VEC_PERMUTE;
    fractional_pool = FRACTIONAL_AVG_POOL, FRACTIONAL_AVG_POOL_GRAD, FRACTIONAL_MAX_POOL, FRACTIONAL_MAX_POOL_GRAD;
    fused_batch_norm = FUSED_BATCH_NORM_EX;
    gru_block_cell = GRU_BLOCK_CELL, GRU_BLOCK_CELL_GRAD;
    in_top_k = IN_TOP_K;
    isotonic_regression = ISOTONIC_REGRESSION;
    lrn = LRN, LRN_GRAD;
    max_pool = MAX_POOL, MAX_POOL_3D;
    max_pool_grad = MAX_POOL_3D_GRAD, MAX_POOL_3D_GRAD_GRAD, MAX_POOL_GRAD, MAX_POOL_GRAD_GRAD;
    max_pool_with_argmax = MAX_POOL_GRAD_WITH_ARGMAX, MAX_POOL_WITH_ARGMAX;
    nth_element = NTH_ELEMENT;
    softmax = LOG_SOFTMAX, SOFTMAX;
    top_k = TOP_K;
    unique_top_k = KTH_ORDER_STATISTIC, MAKE_UNIQUE, TOP_K_UNIQUE;
}

/// Sizes that the ops derive from their attrs and inputs, checked.
pub mod sizes {
    pub use super::batch_norm::Rows;
    pub use super::pooling::{PoolAttrs, Pooling};
}

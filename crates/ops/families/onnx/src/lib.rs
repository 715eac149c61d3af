//! ONNX operators that TensorFlow's ops cannot express, or not efficiently.
//!
//! The ops are named `Onnx...`, are created by the importer of ONNX files, and have the arguments, attrs and semantics
//! of their ONNX operators. An optional argument is counted by an attr `num_...`, which is 0 or 1. Element types
//! without a Levada dtype are stored in int8 and uint8, with attrs that identify them. This crate does not read ONNX
//! files.
//!
//! ```
//! assert!(levada_ops_onnx::ops().iter().all(|entry| entry.def.spec.name.starts_with("Onnx")));
//! ```
//!
//! `base` has the types that kernels compute in and optional arguments, `format` the element types, `windows` sliding
//! windows, `trees` decision trees; every other file is an op and its siblings.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::prelude;

mod activation;
#[macro_use]
mod base;
mod format;
mod post;
mod trees;
mod windows;

family! {
    attention = ONNX_ATTENTION;
    bytes = ONNX_BYTES;
    cast = ONNX_CAST;
    col2im = ONNX_COL2_IM;
    deform_conv = ONNX_DEFORM_CONV;
    grid_sample = ONNX_GRID_SAMPLE;
    integer = ONNX_CONV_INTEGER, ONNX_MAT_MUL_INTEGER;
    label_encoder = ONNX_LABEL_ENCODER;
    linear_classifier = ONNX_LINEAR_CLASSIFIER;
    max_unpool = ONNX_MAX_UNPOOL;
    n_bits = ONNX_DEQUANTIZE_N_BITS;
    non_max_suppression = ONNX_NON_MAX_SUPPRESSION;
    pool = ONNX_AVERAGE_POOL, ONNX_LP_POOL, ONNX_MAX_POOL;
    quantize = ONNX_DEQUANTIZE_LINEAR, ONNX_DYNAMIC_QUANTIZE_LINEAR, ONNX_QUANTIZE_LINEAR, ONNX_REQUANTIZE;
    recurrent = ONNX_GRU, ONNX_LSTM, ONNX_RNN;
    resize = ONNX_RESIZE;
    roi = ONNX_MAX_ROI_POOL, ONNX_ROI_ALIGN;
    sequence = ONNX_CONCAT_FROM_SEQUENCE, ONNX_SEQUENCE_AT, ONNX_SEQUENCE_CONSTRUCT, ONNX_SEQUENCE_EMPTY, ONNX_SEQUENCE_ERASE, ONNX_SEQUENCE_INSERT, ONNX_SEQUENCE_LENGTH, ONNX_SPLIT_TO_SEQUENCE;
    sequence_models = ONNX_CAUSAL_CONV_WITH_STATE, ONNX_LINEAR_ATTENTION, ONNX_ROTARY_EMBEDDING, ONNX_TENSOR_SCATTER;
    svm = ONNX_SVM_CLASSIFIER, ONNX_SVM_REGRESSOR;
    text = ONNX_STRING_CONCAT, ONNX_STRING_NORMALIZER, ONNX_STRING_SPLIT, ONNX_TF_IDF_VECTORIZER;
    tree_ensemble = ONNX_TREE_ENSEMBLE, ONNX_TREE_ENSEMBLE_CLASSIFIER, ONNX_TREE_ENSEMBLE_REGRESSOR;
    unique = ONNX_UNIQUE;
}

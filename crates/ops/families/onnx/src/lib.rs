//! Operators of ONNX that TensorFlow's ops do not express, or not well.
//!
//! In: nodes named `Onnx...` that the importer of ONNX files makes, with the arguments and attrs of ONNX. Out: what ONNX says.
//! An optional argument is one that an attr `num_...` counts: 0 or 1. Element types that Levada has no dtype for are held
//! in int8 and uint8, and attrs say which they are. It knows no ONNX file.
//!
//! ```
//! assert!(levada_ops_onnx::ops().iter().all(|entry| entry.def.spec.name.starts_with("Onnx")));
//! ```
//!
//! `base` has the numbers that kernels compute in and optional arguments, `format` the element types, `windows` what slides
//! over images, `trees` decision trees; every other file is an op and its siblings.

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
    attention: OnnxAttention;
    bytes: OnnxBytes;
    cast: OnnxCast;
    col2im: OnnxCol2Im;
    deform_conv: OnnxDeformConv;
    grid_sample: OnnxGridSample;
    integer: OnnxConvInteger, OnnxMatMulInteger;
    label_encoder: OnnxLabelEncoder;
    linear_classifier: OnnxLinearClassifier;
    max_unpool: OnnxMaxUnpool;
    n_bits: OnnxDequantizeNBits;
    non_max_suppression: OnnxNonMaxSuppression;
    pool: OnnxAveragePool, OnnxLpPool, OnnxMaxPool;
    quantize: OnnxDequantizeLinear, OnnxDynamicQuantizeLinear, OnnxQuantizeLinear, OnnxRequantize;
    recurrent: OnnxGRU, OnnxLSTM, OnnxRNN;
    resize: OnnxResize;
    roi: OnnxMaxRoiPool, OnnxRoiAlign;
    sequence: OnnxConcatFromSequence, OnnxSequenceAt, OnnxSequenceConstruct, OnnxSequenceEmpty, OnnxSequenceErase,
        OnnxSequenceInsert, OnnxSequenceLength, OnnxSplitToSequence;
    sequence_models: OnnxCausalConvWithState, OnnxLinearAttention, OnnxRotaryEmbedding, OnnxTensorScatter;
    svm: OnnxSVMClassifier, OnnxSVMRegressor;
    text: OnnxStringConcat, OnnxStringNormalizer, OnnxStringSplit, OnnxTfIdfVectorizer;
    tree_ensemble: OnnxTreeEnsemble, OnnxTreeEnsembleClassifier, OnnxTreeEnsembleRegressor;
    unique: OnnxUnique;
}

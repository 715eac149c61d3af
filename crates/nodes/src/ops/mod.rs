// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops by family.

/// `BatchMatrixBandPart`, `BatchMatrixDiag`, `BatchMatrixDiagPart` and 104 more.
#[rustfmt::skip]
pub mod array;

/// `AudioSpectrogram`, `DecodeWav`, `EncodeWav` and 1 more.
#[rustfmt::skip]
pub mod audio;

/// `Batch`, `BatchFunction`, `Unbatch` and 1 more.
#[rustfmt::skip]
pub mod batching;

/// `DisableCopyOnRead`, `GenerateVocabRemapping`, `LoadAndRemapMatrix` and 7 more.
#[rustfmt::skip]
pub mod checkpoint;

/// `KMC2ChainInitialization`, `KmeansPlusPlusInitialization`, `NearestNeighbors`.
#[rustfmt::skip]
pub mod clustering;

/// `Abort`, `Case`, `ControlTrigger` and 24 more.
#[rustfmt::skip]
pub mod control;

/// `Conv`, `Conv2D`, `Conv2DBackpropFilter` and 19 more.
#[rustfmt::skip]
pub mod convolution;

/// `CTCBeamSearchDecoder`, `CTCGreedyDecoder`, `CTCLoss` and 2 more.
#[rustfmt::skip]
pub mod ctc;

/// `AnonymousIterator`, `AnonymousIteratorV2`, `AnonymousIteratorV3` and 181 more.
#[rustfmt::skip]
pub mod data;

/// `CombinedNonMaxSuppression`, `DrawBoundingBoxes`, `DrawBoundingBoxesV2` and 9 more.
#[rustfmt::skip]
pub mod detection;

/// `BatchFFT`, `BatchFFT2D`, `BatchFFT3D` and 19 more.
#[rustfmt::skip]
pub mod fft;

/// `EagerPyFunc`, `PyFunc`, `PyFuncStateless`.
#[rustfmt::skip]
pub mod host;

/// `AdjustContrast`, `AdjustContrastv2`, `AdjustHue` and 32 more.
#[rustfmt::skip]
pub mod image;

/// `DecodeCompressed`, `FixedLengthRecordReader`, `FixedLengthRecordReaderV2` and 33 more.
#[rustfmt::skip]
pub mod io;

/// `BandedTriangularSolve`, `BatchCholesky`, `BatchCholeskyGrad` and 34 more.
#[rustfmt::skip]
pub mod linalg;

/// `Assert`, `CheckNumerics`, `CheckNumericsV2` and 3 more.
#[rustfmt::skip]
pub mod logging;

/// `Abs`, `AccumulateNV2`, `Acos` and 117 more.
#[rustfmt::skip]
pub mod math;

/// `ApproxTopK`, `AvgPool`, `AvgPool3D` and 79 more.
#[rustfmt::skip]
pub mod nn;

/// `OnnxAttention`, `OnnxAveragePool`, `OnnxBytes` and 45 more.
#[rustfmt::skip]
pub mod onnx;

/// `DecodeJSONExample`, `ParseExample`, `ParseExampleV2` and 6 more.
#[rustfmt::skip]
pub mod parsing;

/// `Dequantize`, `FakeQuantWithMinMaxArgs`, `FakeQuantWithMinMaxArgsGradient` and 57 more.
#[rustfmt::skip]
pub mod quantize;

/// `AccumulatorApplyGradient`, `AccumulatorNumAccumulated`, `AccumulatorSetGlobalStep` and 82 more.
#[rustfmt::skip]
pub mod queues;

/// `CompositeTensorVariantFromComponents`, `CompositeTensorVariantToComponents`, `RaggedGather` and 6 more.
#[rustfmt::skip]
pub mod ragged;

/// `AllCandidateSampler`, `ComputeAccidentalHits`, `FixedUnigramCandidateSampler` and 46 more.
#[rustfmt::skip]
pub mod random;

/// `All`, `Any`, `ArgMax` and 41 more.
#[rustfmt::skip]
pub mod reduce;

/// `DenseToDenseSetOperation`, `DenseToSparseSetOperation`, `SetSize` and 1 more.
#[rustfmt::skip]
pub mod sets;

/// `CSRSparseMatrixComponents`, `CSRSparseMatrixToDense`, `CSRSparseMatrixToSparseTensor` and 51 more.
#[rustfmt::skip]
pub mod sparse;

/// `AddManySparseToTensorsMap`, `AddSparseToTensorsMap`, `Assign` and 62 more.
#[rustfmt::skip]
pub mod state;

/// `AsString`, `DecodeBase64`, `DecodeCSV` and 30 more.
#[rustfmt::skip]
pub mod strings;

/// `AudioSummary`, `AudioSummaryV2`, `CloseSummaryWriter` and 17 more.
#[rustfmt::skip]
pub mod summary;

/// `AnonymousHashTable`, `AnonymousMutableDenseHashTable`, `AnonymousMutableHashTable` and 24 more.
#[rustfmt::skip]
pub mod tables;

/// `TensorArray`, `TensorArrayClose`, `TensorArrayCloseV2` and 30 more.
#[rustfmt::skip]
pub mod tensor_array;

/// `ApplyAdaMax`, `ApplyAdadelta`, `ApplyAdagrad` and 54 more.
#[rustfmt::skip]
pub mod training;

/// `EmptyTensorList`, `EmptyTensorMap`, `OptionalFromValue` and 28 more.
#[rustfmt::skip]
pub mod variants;

/// `XlaConcatND`, `XlaConv`, `XlaConvV2` and 24 more.
#[rustfmt::skip]
pub mod xla;

//! The names of the ops of each feature, so that a build without it can report which feature a graph needs.

/// Features, whether this build has them, and the names of their ops.
const FEATURES: &[(&str, bool, &[&str])] = &[
    (
        "decompositions",
        cfg!(feature = "decompositions"),
        &[
            "BatchMatrixSolveLs",
            "BatchSelfAdjointEig",
            "BatchSelfAdjointEigV2",
            "BatchSvd",
            "MatrixSolveLs",
            "SelfAdjointEig",
            "SelfAdjointEigV2",
            "Svd",
            "XlaSelfAdjointEig",
            "XlaSvd",
        ],
    ),
    (
        "fft",
        cfg!(feature = "fft"),
        &[
            "BatchFFT",
            "BatchFFT2D",
            "BatchFFT3D",
            "BatchIFFT",
            "BatchIFFT2D",
            "BatchIFFT3D",
            "FFT",
            "FFT2D",
            "FFT3D",
            "FFTND",
            "IFFT",
            "IFFT2D",
            "IFFT3D",
            "IFFTND",
            "IRFFT",
            "IRFFT2D",
            "IRFFT3D",
            "IRFFTND",
            "RFFT",
            "RFFT2D",
            "RFFT3D",
            "RFFTND",
        ],
    ),
    (
        "image-codecs",
        cfg!(feature = "image-codecs"),
        &[
            "DecodeAndCropJpeg",
            "DecodeBmp",
            "DecodeGif",
            "DecodeImage",
            "DecodeJpeg",
            "DecodePng",
            "EncodeJpeg",
            "EncodeJpegVariableQuality",
            "EncodePng",
            "ExtractJpegShape",
        ],
    ),
    (
        "onnx",
        cfg!(feature = "onnx"),
        &[
            "OnnxAttention",
            "OnnxAveragePool",
            "OnnxBytes",
            "OnnxCast",
            "OnnxCausalConvWithState",
            "OnnxCol2Im",
            "OnnxConcatFromSequence",
            "OnnxConvInteger",
            "OnnxDeformConv",
            "OnnxDequantizeLinear",
            "OnnxDequantizeNBits",
            "OnnxDynamicQuantizeLinear",
            "OnnxGRU",
            "OnnxGridSample",
            "OnnxLSTM",
            "OnnxLabelEncoder",
            "OnnxLinearAttention",
            "OnnxLinearClassifier",
            "OnnxLpPool",
            "OnnxMatMulInteger",
            "OnnxMaxPool",
            "OnnxMaxRoiPool",
            "OnnxMaxUnpool",
            "OnnxNonMaxSuppression",
            "OnnxQuantizeLinear",
            "OnnxRNN",
            "OnnxRequantize",
            "OnnxResize",
            "OnnxRoiAlign",
            "OnnxRotaryEmbedding",
            "OnnxSVMClassifier",
            "OnnxSVMRegressor",
            "OnnxSequenceAt",
            "OnnxSequenceConstruct",
            "OnnxSequenceEmpty",
            "OnnxSequenceErase",
            "OnnxSequenceInsert",
            "OnnxSequenceLength",
            "OnnxSplitToSequence",
            "OnnxStringConcat",
            "OnnxStringNormalizer",
            "OnnxStringSplit",
            "OnnxTensorScatter",
            "OnnxTfIdfVectorizer",
            "OnnxTreeEnsemble",
            "OnnxTreeEnsembleClassifier",
            "OnnxTreeEnsembleRegressor",
            "OnnxUnique",
        ],
    ),
    (
        "parsing",
        cfg!(feature = "parsing"),
        &[
            "DecodeJSONExample",
            "ParseExample",
            "ParseExampleV2",
            "ParseSequenceExample",
            "ParseSequenceExampleV2",
            "ParseSingleExample",
            "ParseSingleSequenceExample",
            "ParseTensor",
            "SerializeTensor",
        ],
    ),
    (
        "regex",
        cfg!(feature = "regex"),
        &["RegexFullMatch", "RegexReplace", "StaticRegexFullMatch", "StaticRegexReplace"],
    ),
    (
        "sparse",
        cfg!(feature = "sparse"),
        &[
            "CSRSparseMatrixComponents",
            "CSRSparseMatrixToDense",
            "CSRSparseMatrixToSparseTensor",
            "CompositeTensorVariantFromComponents",
            "CompositeTensorVariantToComponents",
            "DenseCountSparseOutput",
            "DenseToCSRSparseMatrix",
            "DenseToDenseSetOperation",
            "DenseToSparseSetOperation",
            "DeserializeManySparse",
            "DeserializeSparse",
            "LevadaSparseMatrixPick",
            "RaggedCountSparseOutput",
            "RaggedCross",
            "RaggedFillEmptyRows",
            "RaggedFillEmptyRowsGrad",
            "RaggedGather",
            "RaggedRange",
            "RaggedTensorFromVariant",
            "RaggedTensorToSparse",
            "RaggedTensorToTensor",
            "RaggedTensorToVariant",
            "RaggedTensorToVariantGradient",
            "SerializeManySparse",
            "SerializeSparse",
            "SetSize",
            "SparseAdd",
            "SparseAddGrad",
            "SparseConcat",
            "SparseCountSparseOutput",
            "SparseCross",
            "SparseCrossHashed",
            "SparseCrossV2",
            "SparseDenseCwiseAdd",
            "SparseDenseCwiseDiv",
            "SparseDenseCwiseMul",
            "SparseFillEmptyRows",
            "SparseFillEmptyRowsGrad",
            "SparseMatMul",
            "SparseMatrixAdd",
            "SparseMatrixMatMul",
            "SparseMatrixMul",
            "SparseMatrixNNZ",
            "SparseMatrixOrderingAMD",
            "SparseMatrixSoftmax",
            "SparseMatrixSoftmaxGrad",
            "SparseMatrixSparseCholesky",
            "SparseMatrixSparseMatMul",
            "SparseMatrixTranspose",
            "SparseMatrixZeros",
            "SparseReduceMax",
            "SparseReduceMaxSparse",
            "SparseReduceSum",
            "SparseReduceSumSparse",
            "SparseReorder",
            "SparseReshape",
            "SparseSlice",
            "SparseSliceGrad",
            "SparseSoftmax",
            "SparseSparseMaximum",
            "SparseSparseMinimum",
            "SparseSplit",
            "SparseTensorDenseAdd",
            "SparseTensorDenseMatMul",
            "SparseTensorToCSRSparseMatrix",
            "SparseToDense",
            "SparseToSparseSetOperation",
        ],
    ),
];

/// Returns the ops that this build leaves out, each with its feature.
pub fn left_out() -> impl Iterator<Item = (&'static str, &'static str)> {
    let absent = FEATURES.iter().filter(|(_, here, _)| !here);
    absent.flat_map(|(feature, _, ops)| ops.iter().map(|op| (*op, *feature)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_names_are_those_of_the_ops_that_the_features_bring() {
        let here: BTreeSet<&str> = crate::all().map(|entry| entry.def.spec.name).collect();
        for (feature, has, ops) in FEATURES {
            for op in *ops {
                assert_eq!(here.contains(op), *has, "{op} of {feature}");
            }
        }
        #[cfg(feature = "sparse")]
        {
            let families = [levada_ops_ragged::ops(), levada_ops_sets::ops(), levada_ops_sparse::ops()];
            assert_listed("sparse", families.concat());
        }
        #[cfg(feature = "fft")]
        assert_listed("fft", levada_ops_fft::ops());
        #[cfg(feature = "onnx")]
        assert_listed("onnx", levada_ops_onnx::ops());
        #[cfg(feature = "parsing")]
        assert_listed("parsing", levada_ops_parsing::ops());
    }

    /// Checks that the list of a feature matches these ops.
    #[cfg(any(feature = "fft", feature = "onnx", feature = "parsing", feature = "sparse"))]
    fn assert_listed(feature: &str, ops: Vec<crate::Entry>) {
        let listed = FEATURES.iter().filter(|f| f.0 == feature).flat_map(|f| f.2).copied();
        let found = ops.into_iter().map(|entry| entry.def.spec.name);
        assert_eq!(listed.collect::<BTreeSet<_>>(), found.collect::<BTreeSet<_>>(), "{feature}");
    }
}

"""The ops, as methods of ``graph.ops``.

Inputs are outputs of other nodes, or values, which become constants. A method gives an output, a named tuple or list of outputs
where the op has several, and an operation where it has none. Every method takes ``name``; ``device``, which the node asks for; and
``after``, nodes that run before it.

Written by tests/generate_ops.py; do not edit.
"""

# ruff: noqa: A002, D417, E501, FBT001, N802, PLR0913
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from levada._build import Adder, DTypeLike, Operation, Output, ShapeLike, Value


class BroadcastGradientArgsOutputs(NamedTuple):
    """What ``BroadcastGradientArgs`` gives."""

    r0: Output
    r1: Output


class ListDiffOutputs(NamedTuple):
    """What ``ListDiff`` gives."""

    out: Output
    idx: Output


class UniqueOutputs(NamedTuple):
    """What ``Unique`` gives."""

    y: Output
    idx: Output


class UniqueV2Outputs(NamedTuple):
    """What ``UniqueV2`` gives."""

    y: Output
    idx: Output


class UniqueWithCountsOutputs(NamedTuple):
    """What ``UniqueWithCounts`` gives."""

    y: Output
    idx: Output
    count_: Output


class UniqueWithCountsV2Outputs(NamedTuple):
    """What ``UniqueWithCountsV2`` gives."""

    y: Output
    idx: Output
    count_: Output


class DecodeWavOutputs(NamedTuple):
    """What ``DecodeWav`` gives."""

    audio: Output
    sample_rate: Output


class BatchOutputs(NamedTuple):
    """What ``Batch`` gives."""

    batched_tensors: list[Output]
    batch_index: Output
    id: Output


class GenerateVocabRemappingOutputs(NamedTuple):
    """What ``GenerateVocabRemapping`` gives."""

    remapping: Output
    num_present: Output


class NearestNeighborsOutputs(NamedTuple):
    """What ``NearestNeighbors`` gives."""

    nearest_center_indices: Output
    nearest_center_distances: Output


class MergeOutputs(NamedTuple):
    """What ``Merge`` gives."""

    output: Output
    value_index: Output


class RefMergeOutputs(NamedTuple):
    """What ``RefMerge`` gives."""

    output: Output
    value_index: Output


class SwitchOutputs(NamedTuple):
    """What ``Switch`` gives."""

    output_false: Output
    output_true: Output


class RefSwitchOutputs(NamedTuple):
    """What ``RefSwitch`` gives."""

    output_false: Output
    output_true: Output


class CTCBeamSearchDecoderOutputs(NamedTuple):
    """What ``CTCBeamSearchDecoder`` gives."""

    decoded_indices: list[Output]
    decoded_values: list[Output]
    decoded_shape: list[Output]
    log_probability: Output


class CTCGreedyDecoderOutputs(NamedTuple):
    """What ``CTCGreedyDecoder`` gives."""

    decoded_indices: Output
    decoded_values: Output
    decoded_shape: Output
    log_probability: Output


class CTCLossOutputs(NamedTuple):
    """What ``CTCLoss`` gives."""

    loss: Output
    gradient: Output


class CTCLossV2Outputs(NamedTuple):
    """What ``CTCLossV2`` gives."""

    loss: Output
    gradient: Output


class AnonymousMemoryCacheOutputs(NamedTuple):
    """What ``AnonymousMemoryCache`` gives."""

    handle: Output
    deleter: Output


class AnonymousIteratorV2Outputs(NamedTuple):
    """What ``AnonymousIteratorV2`` gives."""

    handle: Output
    deleter: Output


class AnonymousMultiDeviceIteratorOutputs(NamedTuple):
    """What ``AnonymousMultiDeviceIterator`` gives."""

    handle: Output
    deleter: Output


class AnonymousRandomSeedGeneratorOutputs(NamedTuple):
    """What ``AnonymousRandomSeedGenerator`` gives."""

    handle: Output
    deleter: Output


class AnonymousSeedGeneratorOutputs(NamedTuple):
    """What ``AnonymousSeedGenerator`` gives."""

    handle: Output
    deleter: Output


class CombinedNonMaxSuppressionOutputs(NamedTuple):
    """What ``CombinedNonMaxSuppression`` gives."""

    nmsed_boxes: Output
    nmsed_scores: Output
    nmsed_classes: Output
    valid_detections: Output


class NonMaxSuppressionV4Outputs(NamedTuple):
    """What ``NonMaxSuppressionV4`` gives."""

    selected_indices: Output
    valid_outputs: Output


class NonMaxSuppressionV5Outputs(NamedTuple):
    """What ``NonMaxSuppressionV5`` gives."""

    selected_indices: Output
    selected_scores: Output
    valid_outputs: Output


class SampleDistortedBoundingBoxOutputs(NamedTuple):
    """What ``SampleDistortedBoundingBox`` gives."""

    begin: Output
    size: Output
    bboxes: Output


class SampleDistortedBoundingBoxV2Outputs(NamedTuple):
    """What ``SampleDistortedBoundingBoxV2`` gives."""

    begin: Output
    size: Output
    bboxes: Output


class StatelessSampleDistortedBoundingBoxOutputs(NamedTuple):
    """What ``StatelessSampleDistortedBoundingBox`` gives."""

    begin: Output
    size: Output
    bboxes: Output


class ReaderReadOutputs(NamedTuple):
    """What ``ReaderRead`` gives."""

    key: Output
    value: Output


class ReaderReadV2Outputs(NamedTuple):
    """What ``ReaderReadV2`` gives."""

    key: Output
    value: Output


class ReaderReadUpToOutputs(NamedTuple):
    """What ``ReaderReadUpTo`` gives."""

    keys: Output
    values: Output


class ReaderReadUpToV2Outputs(NamedTuple):
    """What ``ReaderReadUpToV2`` gives."""

    keys: Output
    values: Output


class ReaderSaveOutputs(NamedTuple):
    """What ``ReaderSave`` gives."""

    given: Output
    state: Output


class ReaderSaveV2Outputs(NamedTuple):
    """What ``ReaderSaveV2`` gives."""

    given: Output
    state: Output


class EigOutputs(NamedTuple):
    """What ``Eig`` gives."""

    e: Output
    v: Output


class LuOutputs(NamedTuple):
    """What ``Lu`` gives."""

    lu: Output
    p: Output


class QrOutputs(NamedTuple):
    """What ``Qr`` gives."""

    q: Output
    r: Output


class SelfAdjointEigV2Outputs(NamedTuple):
    """What ``SelfAdjointEigV2`` gives."""

    e: Output
    v: Output


class BatchSelfAdjointEigV2Outputs(NamedTuple):
    """What ``BatchSelfAdjointEigV2`` gives."""

    e: Output
    v: Output


class LogMatrixDeterminantOutputs(NamedTuple):
    """What ``LogMatrixDeterminant`` gives."""

    sign: Output
    log_abs_determinant: Output


class SvdOutputs(NamedTuple):
    """What ``Svd`` gives."""

    s: Output
    u: Output
    v: Output


class BatchSvdOutputs(NamedTuple):
    """What ``BatchSvd`` gives."""

    s: Output
    u: Output
    v: Output


class ApproxTopKOutputs(NamedTuple):
    """What ``ApproxTopK`` gives."""

    values: Output
    indices: Output


class FusedBatchNormV3Outputs(NamedTuple):
    """What ``FusedBatchNormV3`` gives."""

    y: Output
    batch_mean: Output
    batch_variance: Output
    reserve_space_1: Output
    reserve_space_2: Output
    reserve_space_3: Output


class FusedBatchNormV2Outputs(NamedTuple):
    """What ``FusedBatchNormV2`` gives."""

    y: Output
    batch_mean: Output
    batch_variance: Output
    reserve_space_1: Output
    reserve_space_2: Output


class FusedBatchNormOutputs(NamedTuple):
    """What ``FusedBatchNorm`` gives."""

    y: Output
    batch_mean: Output
    batch_variance: Output
    reserve_space_1: Output
    reserve_space_2: Output


class FusedBatchNormGradV3Outputs(NamedTuple):
    """What ``FusedBatchNormGradV3`` gives."""

    x_backprop: Output
    scale_backprop: Output
    offset_backprop: Output
    reserve_space_4: Output
    reserve_space_5: Output


class FusedBatchNormGradV2Outputs(NamedTuple):
    """What ``FusedBatchNormGradV2`` gives."""

    x_backprop: Output
    scale_backprop: Output
    offset_backprop: Output
    reserve_space_3: Output
    reserve_space_4: Output


class FusedBatchNormGradOutputs(NamedTuple):
    """What ``FusedBatchNormGrad`` gives."""

    x_backprop: Output
    scale_backprop: Output
    offset_backprop: Output
    reserve_space_3: Output
    reserve_space_4: Output


class BatchNormWithGlobalNormalizationGradOutputs(NamedTuple):
    """What ``BatchNormWithGlobalNormalizationGrad`` gives."""

    dx: Output
    dm: Output
    dv: Output
    db: Output
    dg: Output


class BlockLSTMOutputs(NamedTuple):
    """What ``BlockLSTM`` gives."""

    i: Output
    cs: Output
    f: Output
    o: Output
    ci: Output
    co: Output
    h: Output


class BlockLSTMV2Outputs(NamedTuple):
    """What ``BlockLSTMV2`` gives."""

    i: Output
    cs: Output
    f: Output
    o: Output
    ci: Output
    co: Output
    h: Output


class BlockLSTMGradOutputs(NamedTuple):
    """What ``BlockLSTMGrad`` gives."""

    x_grad: Output
    cs_prev_grad: Output
    h_prev_grad: Output
    w_grad: Output
    wci_grad: Output
    wcf_grad: Output
    wco_grad: Output
    b_grad: Output


class BlockLSTMGradV2Outputs(NamedTuple):
    """What ``BlockLSTMGradV2`` gives."""

    x_grad: Output
    cs_prev_grad: Output
    h_prev_grad: Output
    w_grad: Output
    wci_grad: Output
    wcf_grad: Output
    wco_grad: Output
    b_grad: Output


class LSTMBlockCellOutputs(NamedTuple):
    """What ``LSTMBlockCell`` gives."""

    i: Output
    cs: Output
    f: Output
    o: Output
    ci: Output
    co: Output
    h: Output


class LSTMBlockCellGradOutputs(NamedTuple):
    """What ``LSTMBlockCellGrad`` gives."""

    cs_prev_grad: Output
    dicfo: Output
    wci_grad: Output
    wcf_grad: Output
    wco_grad: Output


class SoftmaxCrossEntropyWithLogitsOutputs(NamedTuple):
    """What ``SoftmaxCrossEntropyWithLogits`` gives."""

    loss: Output
    backprop: Output


class SparseSoftmaxCrossEntropyWithLogitsOutputs(NamedTuple):
    """What ``SparseSoftmaxCrossEntropyWithLogits`` gives."""

    loss: Output
    backprop: Output


class FractionalAvgPoolOutputs(NamedTuple):
    """What ``FractionalAvgPool`` gives."""

    output: Output
    row_pooling_sequence: Output
    col_pooling_sequence: Output


class FractionalMaxPoolOutputs(NamedTuple):
    """What ``FractionalMaxPool`` gives."""

    output: Output
    row_pooling_sequence: Output
    col_pooling_sequence: Output


class FusedBatchNormExOutputs(NamedTuple):
    """What ``_FusedBatchNormEx`` gives."""

    y: Output
    batch_mean: Output
    batch_variance: Output
    reserve_space_1: Output
    reserve_space_2: Output
    reserve_space_3: Output


class GRUBlockCellOutputs(NamedTuple):
    """What ``GRUBlockCell`` gives."""

    r: Output
    u: Output
    c: Output
    h: Output


class GRUBlockCellGradOutputs(NamedTuple):
    """What ``GRUBlockCellGrad`` gives."""

    d_x: Output
    d_h_prev: Output
    d_c_bar: Output
    d_r_bar_u_bar: Output


class IsotonicRegressionOutputs(NamedTuple):
    """What ``IsotonicRegression`` gives."""

    output: Output
    segments: Output


class MaxPoolWithArgmaxOutputs(NamedTuple):
    """What ``MaxPoolWithArgmax`` gives."""

    output: Output
    argmax: Output


class TopKOutputs(NamedTuple):
    """What ``TopK`` gives."""

    values: Output
    indices: Output


class TopKV2Outputs(NamedTuple):
    """What ``TopKV2`` gives."""

    values: Output
    indices: Output


class OnnxAttentionOutputs(NamedTuple):
    """What ``OnnxAttention`` gives."""

    y: Output
    present_key: list[Output]
    present_value: list[Output]
    qk_matmul_output: list[Output]


class OnnxLinearClassifierOutputs(NamedTuple):
    """What ``OnnxLinearClassifier`` gives."""

    y: Output
    z: Output


class OnnxMaxPoolOutputs(NamedTuple):
    """What ``OnnxMaxPool`` gives."""

    y: Output
    indices: list[Output]


class OnnxDynamicQuantizeLinearOutputs(NamedTuple):
    """What ``OnnxDynamicQuantizeLinear`` gives."""

    y: Output
    y_scale: Output
    y_zero_point: Output


class OnnxGRUOutputs(NamedTuple):
    """What ``OnnxGRU`` gives."""

    y: Output
    y_h: Output


class OnnxLSTMOutputs(NamedTuple):
    """What ``OnnxLSTM`` gives."""

    y: Output
    y_h: Output
    y_c: Output


class OnnxRNNOutputs(NamedTuple):
    """What ``OnnxRNN`` gives."""

    y: Output
    y_h: Output


class OnnxCausalConvWithStateOutputs(NamedTuple):
    """What ``OnnxCausalConvWithState`` gives."""

    output: Output
    present_state: Output


class OnnxLinearAttentionOutputs(NamedTuple):
    """What ``OnnxLinearAttention`` gives."""

    output: Output
    present_state: Output


class OnnxSVMClassifierOutputs(NamedTuple):
    """What ``OnnxSVMClassifier`` gives."""

    y: Output
    z: Output


class OnnxStringSplitOutputs(NamedTuple):
    """What ``OnnxStringSplit`` gives."""

    y: Output
    z: Output


class OnnxTreeEnsembleClassifierOutputs(NamedTuple):
    """What ``OnnxTreeEnsembleClassifier`` gives."""

    y: Output
    z: Output


class OnnxUniqueOutputs(NamedTuple):
    """What ``OnnxUnique`` gives."""

    indices: Output
    inverse_indices: Output
    counts: Output


class ParseExampleOutputs(NamedTuple):
    """What ``ParseExample`` gives."""

    sparse_indices: list[Output]
    sparse_values: list[Output]
    sparse_shapes: list[Output]
    dense_values: list[Output]


class ParseExampleV2Outputs(NamedTuple):
    """What ``ParseExampleV2`` gives."""

    sparse_indices: list[Output]
    sparse_values: list[Output]
    sparse_shapes: list[Output]
    dense_values: list[Output]
    ragged_values: list[Output]
    ragged_row_splits: list[Output]


class ParseSingleExampleOutputs(NamedTuple):
    """What ``ParseSingleExample`` gives."""

    sparse_indices: list[Output]
    sparse_values: list[Output]
    sparse_shapes: list[Output]
    dense_values: list[Output]


class ParseSequenceExampleOutputs(NamedTuple):
    """What ``ParseSequenceExample`` gives."""

    context_sparse_indices: list[Output]
    context_sparse_values: list[Output]
    context_sparse_shapes: list[Output]
    context_dense_values: list[Output]
    feature_list_sparse_indices: list[Output]
    feature_list_sparse_values: list[Output]
    feature_list_sparse_shapes: list[Output]
    feature_list_dense_values: list[Output]
    feature_list_dense_lengths: list[Output]


class ParseSequenceExampleV2Outputs(NamedTuple):
    """What ``ParseSequenceExampleV2`` gives."""

    context_sparse_indices: list[Output]
    context_sparse_values: list[Output]
    context_sparse_shapes: list[Output]
    context_dense_values: list[Output]
    context_ragged_values: list[Output]
    context_ragged_row_splits: list[Output]
    feature_list_sparse_indices: list[Output]
    feature_list_sparse_values: list[Output]
    feature_list_sparse_shapes: list[Output]
    feature_list_dense_values: list[Output]
    feature_list_dense_lengths: list[Output]
    feature_list_ragged_values: list[Output]
    feature_list_ragged_outer_splits: list[Output]
    feature_list_ragged_inner_splits: list[Output]


class ParseSingleSequenceExampleOutputs(NamedTuple):
    """What ``ParseSingleSequenceExample`` gives."""

    context_sparse_indices: list[Output]
    context_sparse_values: list[Output]
    context_sparse_shapes: list[Output]
    context_dense_values: list[Output]
    feature_list_sparse_indices: list[Output]
    feature_list_sparse_values: list[Output]
    feature_list_sparse_shapes: list[Output]
    feature_list_dense_values: list[Output]


class QuantizedAddOutputs(NamedTuple):
    """What ``QuantizedAdd`` gives."""

    z: Output
    min_z: Output
    max_z: Output


class QuantizedMulOutputs(NamedTuple):
    """What ``QuantizedMul`` gives."""

    z: Output
    min_z: Output
    max_z: Output


class QuantizedBatchNormWithGlobalNormalizationOutputs(NamedTuple):
    """What ``QuantizedBatchNormWithGlobalNormalization`` gives."""

    result: Output
    result_min: Output
    result_max: Output


class QuantizedBiasAddOutputs(NamedTuple):
    """What ``QuantizedBiasAdd`` gives."""

    output: Output
    min_out: Output
    max_out: Output


class QuantizedConcatOutputs(NamedTuple):
    """What ``QuantizedConcat`` gives."""

    output: Output
    output_min: Output
    output_max: Output


class QuantizedConv2DOutputs(NamedTuple):
    """What ``QuantizedConv2D`` gives."""

    output: Output
    min_output: Output
    max_output: Output


class FakeQuantWithMinMaxVarsGradientOutputs(NamedTuple):
    """What ``FakeQuantWithMinMaxVarsGradient`` gives."""

    backprops_wrt_input: Output
    backprop_wrt_min: Output
    backprop_wrt_max: Output


class FakeQuantWithMinMaxVarsPerChannelGradientOutputs(NamedTuple):
    """What ``FakeQuantWithMinMaxVarsPerChannelGradient`` gives."""

    backprops_wrt_input: Output
    backprop_wrt_min: Output
    backprop_wrt_max: Output


class QuantizedInstanceNormOutputs(NamedTuple):
    """What ``QuantizedInstanceNorm`` gives."""

    y: Output
    y_min: Output
    y_max: Output


class QuantizedMatMulOutputs(NamedTuple):
    """What ``QuantizedMatMul`` gives."""

    out: Output
    min_out: Output
    max_out: Output


class QuantizedAvgPoolOutputs(NamedTuple):
    """What ``QuantizedAvgPool`` gives."""

    output: Output
    min_output: Output
    max_output: Output


class QuantizedMaxPoolOutputs(NamedTuple):
    """What ``QuantizedMaxPool`` gives."""

    output: Output
    min_output: Output
    max_output: Output


class QuantizeV2Outputs(NamedTuple):
    """What ``QuantizeV2`` gives."""

    output: Output
    output_min: Output
    output_max: Output


class QuantizeAndDequantizeV4GradOutputs(NamedTuple):
    """What ``QuantizeAndDequantizeV4Grad`` gives."""

    input_backprop: Output
    input_min_backprop: Output
    input_max_backprop: Output


class QuantizedReluOutputs(NamedTuple):
    """What ``QuantizedRelu`` gives."""

    activations: Output
    min_activations: Output
    max_activations: Output


class QuantizedRelu6Outputs(NamedTuple):
    """What ``QuantizedRelu6`` gives."""

    activations: Output
    min_activations: Output
    max_activations: Output


class QuantizedReluXOutputs(NamedTuple):
    """What ``QuantizedReluX`` gives."""

    activations: Output
    min_activations: Output
    max_activations: Output


class RequantizationRangeOutputs(NamedTuple):
    """What ``RequantizationRange`` gives."""

    output_min: Output
    output_max: Output


class RequantizationRangePerChannelOutputs(NamedTuple):
    """What ``RequantizationRangePerChannel`` gives."""

    output_min: Output
    output_max: Output


class QuantizeDownAndShrinkRangeOutputs(NamedTuple):
    """What ``QuantizeDownAndShrinkRange`` gives."""

    output: Output
    output_min: Output
    output_max: Output


class RequantizeOutputs(NamedTuple):
    """What ``Requantize`` gives."""

    output: Output
    output_min: Output
    output_max: Output


class RequantizePerChannelOutputs(NamedTuple):
    """What ``RequantizePerChannel`` gives."""

    output: Output
    output_min: Output
    output_max: Output


class QuantizedReshapeOutputs(NamedTuple):
    """What ``QuantizedReshape`` gives."""

    output: Output
    output_min: Output
    output_max: Output


class QuantizedResizeBilinearOutputs(NamedTuple):
    """What ``QuantizedResizeBilinear`` gives."""

    resized_images: Output
    out_min: Output
    out_max: Output


class BarrierTakeManyOutputs(NamedTuple):
    """What ``BarrierTakeMany`` gives."""

    indices: Output
    keys: Output
    values: list[Output]


class CollectiveAssignGroupV2Outputs(NamedTuple):
    """What ``CollectiveAssignGroupV2`` gives."""

    group_size: Output
    group_key: Output


class SparseAccumulatorTakeGradientOutputs(NamedTuple):
    """What ``SparseAccumulatorTakeGradient`` gives."""

    indices: Output
    values: Output
    shape: Output


class MapUnstageNoKeyOutputs(NamedTuple):
    """What ``MapUnstageNoKey`` gives."""

    key: Output
    values: list[Output]


class OrderedMapUnstageNoKeyOutputs(NamedTuple):
    """What ``OrderedMapUnstageNoKey`` gives."""

    key: Output
    values: list[Output]


class QueueSaveOutputs(NamedTuple):
    """What ``QueueSave`` gives."""

    state: Output
    elements: Output


class QueueSaveV2Outputs(NamedTuple):
    """What ``QueueSaveV2`` gives."""

    state: Output
    elements: Output


class RaggedTensorFromVariantOutputs(NamedTuple):
    """What ``RaggedTensorFromVariant`` gives."""

    output_nested_splits: list[Output]
    output_dense_values: Output


class RaggedGatherOutputs(NamedTuple):
    """What ``RaggedGather`` gives."""

    output_nested_splits: list[Output]
    output_dense_values: Output


class RaggedRangeOutputs(NamedTuple):
    """What ``RaggedRange`` gives."""

    rt_nested_splits: Output
    rt_dense_values: Output


class RaggedTensorToSparseOutputs(NamedTuple):
    """What ``RaggedTensorToSparse`` gives."""

    sparse_indices: Output
    sparse_values: Output
    sparse_dense_shape: Output


class AllCandidateSamplerOutputs(NamedTuple):
    """What ``AllCandidateSampler`` gives."""

    sampled_candidates: Output
    true_expected_count: Output
    sampled_expected_count: Output


class ComputeAccidentalHitsOutputs(NamedTuple):
    """What ``ComputeAccidentalHits`` gives."""

    indices: Output
    ids: Output
    weights: Output


class FixedUnigramCandidateSamplerOutputs(NamedTuple):
    """What ``FixedUnigramCandidateSampler`` gives."""

    sampled_candidates: Output
    true_expected_count: Output
    sampled_expected_count: Output


class LearnedUnigramCandidateSamplerOutputs(NamedTuple):
    """What ``LearnedUnigramCandidateSampler`` gives."""

    sampled_candidates: Output
    true_expected_count: Output
    sampled_expected_count: Output


class ThreadUnsafeUnigramCandidateSamplerOutputs(NamedTuple):
    """What ``ThreadUnsafeUnigramCandidateSampler`` gives."""

    sampled_candidates: Output
    true_expected_count: Output
    sampled_expected_count: Output


class LogUniformCandidateSamplerOutputs(NamedTuple):
    """What ``LogUniformCandidateSampler`` gives."""

    sampled_candidates: Output
    true_expected_count: Output
    sampled_expected_count: Output


class UniformCandidateSamplerOutputs(NamedTuple):
    """What ``UniformCandidateSampler`` gives."""

    sampled_candidates: Output
    true_expected_count: Output
    sampled_expected_count: Output


class StatelessRandomGetKeyCounterOutputs(NamedTuple):
    """What ``StatelessRandomGetKeyCounter`` gives."""

    key: Output
    counter: Output


class StatelessRandomGetKeyCounterAlgOutputs(NamedTuple):
    """What ``StatelessRandomGetKeyCounterAlg`` gives."""

    key: Output
    counter: Output
    alg: Output


class SparseSegmentMeanGradV2Outputs(NamedTuple):
    """What ``SparseSegmentMeanGradV2`` gives."""

    output: Output
    sorted_unique_indices: Output


class SparseSegmentSqrtNGradV2Outputs(NamedTuple):
    """What ``SparseSegmentSqrtNGradV2`` gives."""

    output: Output
    sorted_unique_indices: Output


class SparseSegmentSumGradV2Outputs(NamedTuple):
    """What ``SparseSegmentSumGradV2`` gives."""

    output: Output
    sorted_unique_indices: Output


class DenseToDenseSetOperationOutputs(NamedTuple):
    """What ``DenseToDenseSetOperation`` gives."""

    result_indices: Output
    result_values: Output
    result_shape: Output


class DenseToSparseSetOperationOutputs(NamedTuple):
    """What ``DenseToSparseSetOperation`` gives."""

    result_indices: Output
    result_values: Output
    result_shape: Output


class SparseToSparseSetOperationOutputs(NamedTuple):
    """What ``SparseToSparseSetOperation`` gives."""

    result_indices: Output
    result_values: Output
    result_shape: Output


class SparseAddOutputs(NamedTuple):
    """What ``SparseAdd`` gives."""

    sum_indices: Output
    sum_values: Output
    sum_shape: Output


class SparseAddGradOutputs(NamedTuple):
    """What ``SparseAddGrad`` gives."""

    a_val_grad: Output
    b_val_grad: Output


class SparseConcatOutputs(NamedTuple):
    """What ``SparseConcat`` gives."""

    output_indices: Output
    output_values: Output
    output_shape: Output


class DenseCountSparseOutputOutputs(NamedTuple):
    """What ``DenseCountSparseOutput`` gives."""

    output_indices: Output
    output_values: Output
    output_dense_shape: Output


class RaggedCountSparseOutputOutputs(NamedTuple):
    """What ``RaggedCountSparseOutput`` gives."""

    output_indices: Output
    output_values: Output
    output_dense_shape: Output


class SparseCountSparseOutputOutputs(NamedTuple):
    """What ``SparseCountSparseOutput`` gives."""

    output_indices: Output
    output_values: Output
    output_dense_shape: Output


class RaggedCrossOutputs(NamedTuple):
    """What ``RaggedCross`` gives."""

    output_values: Output
    output_row_splits: Output


class SparseCrossOutputs(NamedTuple):
    """What ``SparseCross`` gives."""

    output_indices: Output
    output_values: Output
    output_shape: Output


class SparseCrossHashedOutputs(NamedTuple):
    """What ``SparseCrossHashed`` gives."""

    output_indices: Output
    output_values: Output
    output_shape: Output


class SparseCrossV2Outputs(NamedTuple):
    """What ``SparseCrossV2`` gives."""

    output_indices: Output
    output_values: Output
    output_shape: Output


class SparseSparseMaximumOutputs(NamedTuple):
    """What ``SparseSparseMaximum`` gives."""

    output_indices: Output
    output_values: Output


class SparseSparseMinimumOutputs(NamedTuple):
    """What ``SparseSparseMinimum`` gives."""

    output_indices: Output
    output_values: Output


class RaggedFillEmptyRowsOutputs(NamedTuple):
    """What ``RaggedFillEmptyRows`` gives."""

    output_value_rowids: Output
    output_values: Output
    empty_row_indicator: Output
    reverse_index_map: Output


class SparseFillEmptyRowsOutputs(NamedTuple):
    """What ``SparseFillEmptyRows`` gives."""

    output_indices: Output
    output_values: Output
    empty_row_indicator: Output
    reverse_index_map: Output


class SparseFillEmptyRowsGradOutputs(NamedTuple):
    """What ``SparseFillEmptyRowsGrad`` gives."""

    d_values: Output
    d_default_value: Output


class RaggedFillEmptyRowsGradOutputs(NamedTuple):
    """What ``RaggedFillEmptyRowsGrad`` gives."""

    d_values: Output
    d_default_value: Output


class SparseReduceMaxSparseOutputs(NamedTuple):
    """What ``SparseReduceMaxSparse`` gives."""

    output_indices: Output
    output_values: Output
    output_shape: Output


class SparseReduceSumSparseOutputs(NamedTuple):
    """What ``SparseReduceSumSparse`` gives."""

    output_indices: Output
    output_values: Output
    output_shape: Output


class SparseReorderOutputs(NamedTuple):
    """What ``SparseReorder`` gives."""

    output_indices: Output
    output_values: Output


class SparseReshapeOutputs(NamedTuple):
    """What ``SparseReshape`` gives."""

    output_indices: Output
    output_shape: Output


class DeserializeManySparseOutputs(NamedTuple):
    """What ``DeserializeManySparse`` gives."""

    sparse_indices: Output
    sparse_values: Output
    sparse_shape: Output


class DeserializeSparseOutputs(NamedTuple):
    """What ``DeserializeSparse`` gives."""

    sparse_indices: Output
    sparse_values: Output
    sparse_shape: Output


class SparseSliceOutputs(NamedTuple):
    """What ``SparseSlice`` gives."""

    output_indices: Output
    output_values: Output
    output_shape: Output


class SparseSplitOutputs(NamedTuple):
    """What ``SparseSplit`` gives."""

    output_indices: list[Output]
    output_values: list[Output]
    output_shape: list[Output]


class TakeManySparseFromTensorsMapOutputs(NamedTuple):
    """What ``TakeManySparseFromTensorsMap`` gives."""

    sparse_indices: Output
    sparse_values: Output
    sparse_shape: Output


class StringNGramsOutputs(NamedTuple):
    """What ``StringNGrams`` gives."""

    ngrams: Output
    ngrams_splits: Output


class StringSplitOutputs(NamedTuple):
    """What ``StringSplit`` gives."""

    indices: Output
    values: Output
    shape: Output


class StringSplitV2Outputs(NamedTuple):
    """What ``StringSplitV2`` gives."""

    indices: Output
    values: Output
    shape: Output


class UnicodeDecodeOutputs(NamedTuple):
    """What ``UnicodeDecode`` gives."""

    row_splits: Output
    char_values: Output


class UnicodeDecodeWithOffsetsOutputs(NamedTuple):
    """What ``UnicodeDecodeWithOffsets`` gives."""

    row_splits: Output
    char_values: Output
    char_to_byte_starts: Output


class LookupTableExportOutputs(NamedTuple):
    """What ``LookupTableExport`` gives."""

    keys: Output
    values: Output


class LookupTableExportV2Outputs(NamedTuple):
    """What ``LookupTableExportV2`` gives."""

    keys: Output
    values: Output


class TensorArrayConcatV3Outputs(NamedTuple):
    """What ``TensorArrayConcatV3`` gives."""

    value: Output
    lengths: Output


class TensorArrayConcatV2Outputs(NamedTuple):
    """What ``TensorArrayConcatV2`` gives."""

    value: Output
    lengths: Output


class TensorArrayConcatOutputs(NamedTuple):
    """What ``TensorArrayConcat`` gives."""

    value: Output
    lengths: Output


class TensorArrayV3Outputs(NamedTuple):
    """What ``TensorArrayV3`` gives."""

    handle: Output
    flow: Output


class TensorArrayGradV3Outputs(NamedTuple):
    """What ``TensorArrayGradV3`` gives."""

    grad_handle: Output
    flow_out: Output


class TensorArrayGradWithShapeOutputs(NamedTuple):
    """What ``TensorArrayGradWithShape`` gives."""

    grad_handle: Output
    flow_out: Output


class TensorListConcatOutputs(NamedTuple):
    """What ``TensorListConcat`` gives."""

    tensor: Output
    lengths: Output


class TensorListConcatV2Outputs(NamedTuple):
    """What ``TensorListConcatV2`` gives."""

    tensor: Output
    lengths: Output


class TensorListPopBackOutputs(NamedTuple):
    """What ``TensorListPopBack`` gives."""

    output_handle: Output
    tensor: Output


class XlaKeyValueSortOutputs(NamedTuple):
    """What ``XlaKeyValueSort`` gives."""

    sorted_keys: Output
    sorted_values: Output


class Ops(Adder):
    """A method for every op."""

    __slots__ = ()

    # array

    def batch_to_space(
        self,
        input: Value,
        crops: Value,
        block_size: int,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`BatchToSpaceND` to images, with square blocks.

        Args:
            block_size: Side of a block.
        """
        return self._add("BatchToSpace", (input, crops), {"block_size": block_size}, None, called=name, device=device, after=after)

    def batch_to_space_nd(
        self,
        input: Value,
        block_shape: Value,
        crops: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Puts batches together to blocks of `block_shape` in the axes after the first, and cuts `crops` off."""
        return self._add("BatchToSpaceND", (input, block_shape, crops), {}, None, called=name, device=device, after=after)

    def bitcast(
        self,
        input: Value,
        type_: DTypeLike,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The bytes of `input` read as `type`. Where its elements are smaller there is one more axis, where they are
        larger the last axis goes away.

        Args:
            type_: Element type of the result.
        """
        return self._add("Bitcast", (input,), {"type": type_}, None, called=name, device=device, after=after)

    def broadcast_args(
        self,
        s0: Value,
        s1: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The shape that tensors of the shapes `s0` and `s1` take when broadcast together."""
        return self._add("BroadcastArgs", (s0, s1), {}, None, called=name, device=device, after=after)

    def broadcast_gradient_args(
        self,
        s0: Value,
        s1: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> BroadcastGradientArgsOutputs:
        """The axes over which the gradients of two operands of shapes `s0` and `s1` are summed up."""
        return self._add("BroadcastGradientArgs", (s0, s1), {}, BroadcastGradientArgsOutputs, called=name, device=device, after=after)

    def broadcast_to(
        self,
        input: Value,
        shape: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`input` broadcast to the shape `shape`."""
        return self._add("BroadcastTo", (input, shape), {}, None, called=name, device=device, after=after)

    def bucketize(
        self,
        input: Value,
        boundaries: Sequence[float],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """For each element the number of `boundaries` that are not greater.

        Args:
            boundaries: The boundaries, in ascending order.
        """
        return self._add("Bucketize", (input,), {"boundaries": boundaries}, None, called=name, device=device, after=after)

    def concat(
        self,
        concat_dim: Value,
        values: Sequence[Value],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`values` one after the other along axis `concat_dim`."""
        return self._add("Concat", (concat_dim, values), {}, None, called=name, device=device, after=after)

    def concat_v2(
        self,
        values: Sequence[Value],
        axis: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`values` one after the other along axis `axis`."""
        return self._add("ConcatV2", (values, axis), {}, None, called=name, device=device, after=after)

    def concat_offset(
        self,
        concat_dim: Value,
        shape: Sequence[Value],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """For each of the shapes the offset of such a tensor in the concatenation of all along `concat_dim`."""
        return self._add("ConcatOffset", (concat_dim, shape), {}, None, called=name, device=device, after=after)

    def const(
        self,
        value: Any,
        dtype: DTypeLike,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Gives `value`.

        Args:
            value: The tensor.
            dtype: Its element type.
        """
        return self._add("Const", (), {"value": value, "dtype": dtype}, None, called=name, device=device, after=after)

    def copy(
        self,
        input: Value,
        *,
        tensor_name: str | bytes = '',
        debug_ops_spec: Sequence[str | bytes] = (),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A copy of its input.

        Args:
            tensor_name: Name of the tensor, for debuggers.
            debug_ops_spec: What debuggers do with it.
        """
        return self._add("Copy", (input,), {"tensor_name": tensor_name, "debug_ops_spec": debug_ops_spec}, None, called=name, device=device, after=after)

    def copy_host(
        self,
        input: Value,
        *,
        tensor_name: str | bytes = '',
        debug_ops_spec: Sequence[str | bytes] = (),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A copy of its input on the host.

        Args:
            tensor_name: Name of the tensor, for debuggers.
            debug_ops_spec: What debuggers do with it.
        """
        return self._add("CopyHost", (input,), {"tensor_name": tensor_name, "debug_ops_spec": debug_ops_spec}, None, called=name, device=device, after=after)

    def debug_gradient_identity(
        self,
        input: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Gives its input; debuggers find gradients by it."""
        return self._add("DebugGradientIdentity", (input,), {}, None, called=name, device=device, after=after)

    def deep_copy(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A copy of its input."""
        return self._add("DeepCopy", (x,), {}, None, called=name, device=device, after=after)

    def guarantee_const(
        self,
        input: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Gives its input, which never changes."""
        return self._add("GuaranteeConst", (input,), {}, None, called=name, device=device, after=after)

    def diag(
        self,
        diagonal: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A tensor of shape `[d.., d..]` that is `diagonal`, of shape `[d..]`, where both halves of the index agree."""
        return self._add("Diag", (diagonal,), {}, None, called=name, device=device, after=after)

    def diag_part(
        self,
        input: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The elements of a tensor of shape `[d.., d..]` where both halves of the index agree."""
        return self._add("DiagPart", (input,), {}, None, called=name, device=device, after=after)

    def dynamic_partition(
        self,
        data: Value,
        partitions: Value,
        num_partitions: int,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """For each partition the slices of `data` whose entry of `partitions` names it, in order.

        Args:
            num_partitions: Number of partitions.
        """
        return self._add("DynamicPartition", (data, partitions), {"num_partitions": num_partitions}, None, called=name, device=device, after=after)

    def dynamic_stitch(
        self,
        indices: Sequence[Value],
        data: Sequence[Value],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A tensor whose row `indices[i][j]` is `data[i][j]`; of several for one row the last counts."""
        return self._add("DynamicStitch", (indices, data), {}, None, called=name, device=device, after=after)

    def parallel_dynamic_stitch(
        self,
        indices: Sequence[Value],
        data: Sequence[Value],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A tensor whose row `indices[i][j]` is `data[i][j]`; of several for one row any may count."""
        return self._add("ParallelDynamicStitch", (indices, data), {}, None, called=name, device=device, after=after)

    def _eager_const(
        self,
        input: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Gives its input, which was a constant where its function was traced."""
        return self._add("_EagerConst", (input,), {}, None, called=name, device=device, after=after)

    def empty(
        self,
        shape: Value,
        dtype: DTypeLike,
        *,
        init: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A tensor of shape `shape`. Its elements are zeros, whether or not `init` asks for it, so that runs agree.

        Args:
            dtype: Element type.
            init: Whether the elements must be zeros.
        """
        return self._add("Empty", (shape,), {"dtype": dtype, "init": init}, None, called=name, device=device, after=after)

    def ensure_shape(
        self,
        input: Value,
        shape: ShapeLike | None,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Gives its input, which must be of the shape `shape`.

        Args:
            shape: The shape.
        """
        return self._add("EnsureShape", (input,), {"shape": shape}, None, called=name, device=device, after=after)

    def expand_dims(
        self,
        input: Value,
        dim: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Inserts an axis of size 1 before axis `dim`; a negative `dim` counts from the end of the result."""
        return self._add("ExpandDims", (input, dim), {}, None, called=name, device=device, after=after)

    def fake_param(
        self,
        dtype: DTypeLike,
        shape: ShapeLike | None,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Stands for a result that only another branch of a conditional has, and that nobody looks at.

        Args:
            dtype: Element type.
            shape: Its shape, as far as it is known; sizes that are not known are zero.
        """
        return self._add("FakeParam", (), {"dtype": dtype, "shape": shape}, None, called=name, device=device, after=after)

    def fill(
        self,
        dims: Value,
        value: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A tensor of shape `dims` of which every element is `value`."""
        return self._add("Fill", (dims, value), {}, None, called=name, device=device, after=after)

    def gather_v2(
        self,
        params: Value,
        indices: Value,
        axis: Value,
        *,
        batch_dims: int = 0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The slices along `axis` of `params` that `indices` name; the first `batch_dims` axes are walked together.

        Args:
            batch_dims: Number of leading axes that `params` and `indices` share; a negative one counts from the end of
                `indices`.
        """
        return self._add("GatherV2", (params, indices, axis), {"batch_dims": batch_dims}, None, called=name, device=device, after=after)

    def gather(
        self,
        params: Value,
        indices: Value,
        *,
        validate_indices: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The rows of `params` that `indices` name.

        Args:
            validate_indices: Without meaning: indices are always checked.
        """
        return self._add("Gather", (params, indices), {"validate_indices": validate_indices}, None, called=name, device=device, after=after)

    def gather_nd(
        self,
        params: Value,
        indices: Value,
        *,
        bad_indices_policy: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The slices of `params` at the index tuples in the last axis of `indices`.

        Args:
            bad_indices_policy: What happens to indices out of bounds: an error, or with `IGNORE` zeros.
        """
        return self._add("GatherNd", (params, indices), {"bad_indices_policy": bad_indices_policy}, None, called=name, device=device, after=after)

    def identity(
        self,
        input: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Gives its input."""
        return self._add("Identity", (input,), {}, None, called=name, device=device, after=after)

    def prevent_gradient(
        self,
        input: Value,
        *,
        message: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Gives its input; asking for a gradient through it is an error.

        Args:
            message: Said when a gradient is asked for.
        """
        return self._add("PreventGradient", (input,), {"message": message}, None, called=name, device=device, after=after)

    def snapshot(
        self,
        input: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Gives its input as it is now, whatever becomes of the variable behind it."""
        return self._add("Snapshot", (input,), {}, None, called=name, device=device, after=after)

    def stop_gradient(
        self,
        input: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Gives its input; gradients stop here."""
        return self._add("StopGradient", (input,), {}, None, called=name, device=device, after=after)

    def identity_n(
        self,
        input: Sequence[Value],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """Gives its inputs."""
        return self._add("IdentityN", (input,), {}, None, called=name, device=device, after=after)

    def inplace_add(
        self,
        x: Value,
        i: Value,
        v: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`x` with the rows `v` added to the rows `i`."""
        return self._add("InplaceAdd", (x, i, v), {}, None, called=name, device=device, after=after)

    def inplace_sub(
        self,
        x: Value,
        i: Value,
        v: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`x` with the rows `v` subtracted from the rows `i`."""
        return self._add("InplaceSub", (x, i, v), {}, None, called=name, device=device, after=after)

    def inplace_update(
        self,
        x: Value,
        i: Value,
        v: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`x` with the rows `v` in place of the rows `i`."""
        return self._add("InplaceUpdate", (x, i, v), {}, None, called=name, device=device, after=after)

    def invert_permutation(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`y` such that `y[x[i]] = i`."""
        return self._add("InvertPermutation", (x,), {}, None, called=name, device=device, after=after)

    def ones_like(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Ones in the shape of `x`."""
        return self._add("OnesLike", (x,), {}, None, called=name, device=device, after=after)

    def zeros_like(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Zeros in the shape of `x`; for variants what their kind takes for zero."""
        return self._add("ZerosLike", (x,), {}, None, called=name, device=device, after=after)

    def lin_space(
        self,
        start: Value,
        stop: Value,
        num: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`num` numbers from `start` to `stop`."""
        return self._add("LinSpace", (start, stop, num), {}, None, called=name, device=device, after=after)

    def list_diff(
        self,
        x: Value,
        y: Value,
        *,
        out_idx: DTypeLike = 'int32',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> ListDiffOutputs:
        """The elements of `x` that are not in `y`, in order, and where in `x` they are.

        Args:
            out_idx: Element type of the places.
        """
        return self._add("ListDiff", (x, y), {"out_idx": out_idx}, ListDiffOutputs, called=name, device=device, after=after)

    def matrix_band_part(
        self,
        input: Value,
        num_lower: Value,
        num_upper: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`input` with zeros further than `num_lower` below and `num_upper` above the main diagonal; negative keeps all."""
        return self._add("MatrixBandPart", (input, num_lower, num_upper), {}, None, called=name, device=device, after=after)

    def batch_matrix_band_part(
        self,
        input: Value,
        num_lower: Value,
        num_upper: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The name of `MatrixBandPart` in old graphs."""
        return self._add("BatchMatrixBandPart", (input, num_lower, num_upper), {}, None, called=name, device=device, after=after)

    def matrix_diag(
        self,
        diagonal: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Square matrices with `diagonal` as main diagonal and zeros elsewhere."""
        return self._add("MatrixDiag", (diagonal,), {}, None, called=name, device=device, after=after)

    def batch_matrix_diag(
        self,
        diagonal: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The name of `MatrixDiag` in old graphs."""
        return self._add("BatchMatrixDiag", (diagonal,), {}, None, called=name, device=device, after=after)

    def matrix_diag_part(
        self,
        input: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The main diagonals of matrices."""
        return self._add("MatrixDiagPart", (input,), {}, None, called=name, device=device, after=after)

    def batch_matrix_diag_part(
        self,
        input: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The name of `MatrixDiagPart` in old graphs."""
        return self._add("BatchMatrixDiagPart", (input,), {}, None, called=name, device=device, after=after)

    def matrix_diag_part_v3(
        self,
        input: Value,
        k: Value,
        padding_value: Value,
        *,
        align: str | bytes = 'RIGHT_LEFT',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The diagonals `k` of matrices.

        Args:
            align: How diagonals shorter than the longest are placed in their rows.
        """
        return self._add("MatrixDiagPartV3", (input, k, padding_value), {"align": align}, None, called=name, device=device, after=after)

    def matrix_diag_part_v2(
        self,
        input: Value,
        k: Value,
        padding_value: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The diagonals `k` of matrices, those that are shorter at the left."""
        return self._add("MatrixDiagPartV2", (input, k, padding_value), {}, None, called=name, device=device, after=after)

    def matrix_diag_v3(
        self,
        diagonal: Value,
        k: Value,
        num_rows: Value,
        num_cols: Value,
        padding_value: Value,
        *,
        align: str | bytes = 'RIGHT_LEFT',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Matrices with the diagonals `k` given and `padding_value` elsewhere.

        Args:
            align: How diagonals shorter than the longest are placed in their rows.
        """
        return self._add("MatrixDiagV3", (diagonal, k, num_rows, num_cols, padding_value), {"align": align}, None, called=name, device=device, after=after)

    def matrix_diag_v2(
        self,
        diagonal: Value,
        k: Value,
        num_rows: Value,
        num_cols: Value,
        padding_value: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Matrices with the diagonals `k` given, those that are shorter at the left, and `padding_value` elsewhere."""
        return self._add("MatrixDiagV2", (diagonal, k, num_rows, num_cols, padding_value), {}, None, called=name, device=device, after=after)

    def matrix_set_diag(
        self,
        input: Value,
        diagonal: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Matrices with another main diagonal."""
        return self._add("MatrixSetDiag", (input, diagonal), {}, None, called=name, device=device, after=after)

    def batch_matrix_set_diag(
        self,
        input: Value,
        diagonal: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The name of `MatrixSetDiag` in old graphs."""
        return self._add("BatchMatrixSetDiag", (input, diagonal), {}, None, called=name, device=device, after=after)

    def matrix_set_diag_v3(
        self,
        input: Value,
        diagonal: Value,
        k: Value,
        *,
        align: str | bytes = 'RIGHT_LEFT',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Matrices with other diagonals `k`.

        Args:
            align: How diagonals shorter than the longest are placed in their rows.
        """
        return self._add("MatrixSetDiagV3", (input, diagonal, k), {"align": align}, None, called=name, device=device, after=after)

    def matrix_set_diag_v2(
        self,
        input: Value,
        diagonal: Value,
        k: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Matrices with other diagonals `k`, those that are shorter at the left."""
        return self._add("MatrixSetDiagV2", (input, diagonal, k), {}, None, called=name, device=device, after=after)

    def mirror_pad(
        self,
        input: Value,
        paddings: Value,
        mode: str | bytes,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`input` with its mirror image around it: `paddings[i]` says how much before and after along axis `i`.

        Args:
            mode: Whether the outermost element is mirrored too.
        """
        return self._add("MirrorPad", (input, paddings), {"mode": mode}, None, called=name, device=device, after=after)

    def mirror_pad_grad(
        self,
        input: Value,
        paddings: Value,
        mode: str | bytes,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Folds the margins back: the gradient of `MirrorPad`.

        Args:
            mode: Whether the outermost element is mirrored too.
        """
        return self._add("MirrorPadGrad", (input, paddings), {"mode": mode}, None, called=name, device=device, after=after)

    def one_hot(
        self,
        indices: Value,
        depth: Value,
        on_value: Value,
        off_value: Value,
        *,
        axis: int = -1,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A new axis `axis` of size `depth`, `on_value` at the position that the index says and `off_value` elsewhere.

        Args:
            axis: The new axis; -1 for the last.
        """
        return self._add("OneHot", (indices, depth, on_value, off_value), {"axis": axis}, None, called=name, device=device, after=after)

    def pack(
        self,
        values: Sequence[Value],
        *,
        axis: int = 0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`values` side by side along a new axis `axis`.

        Args:
            axis: The new axis; a negative one counts from the end of the result.
        """
        return self._add("Pack", (values,), {"axis": axis}, None, called=name, device=device, after=after)

    def unpack(
        self,
        value: Value,
        num: int,
        *,
        axis: int = 0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """The tensors that lie side by side along axis `axis`.

        Args:
            num: How many there are.
            axis: The axis; a negative one counts from the end.
        """
        return self._add("Unpack", (value,), {"num": num, "axis": axis}, None, called=name, device=device, after=after)

    def pad(
        self,
        input: Value,
        paddings: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`input` with zeros around it: `paddings[i]` says how many before and after along axis `i`."""
        return self._add("Pad", (input, paddings), {}, None, called=name, device=device, after=after)

    def pad_v2(
        self,
        input: Value,
        paddings: Value,
        constant_values: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """As `Pad`, with `constant_values` instead of zeros."""
        return self._add("PadV2", (input, paddings, constant_values), {}, None, called=name, device=device, after=after)

    def parallel_concat(
        self,
        values: Sequence[Value],
        shape: ShapeLike | None,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`values`, each of one row, one after the other.

        Args:
            shape: Shape of the result.
        """
        return self._add("ParallelConcat", (values,), {"shape": shape}, None, called=name, device=device, after=after)

    def placeholder(
        self,
        dtype: DTypeLike,
        *,
        shape: ShapeLike | None = None,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Stands for a tensor that must be fed.

        Args:
            dtype: Element type of what is fed.
            shape: Shape of what is fed.
        """
        return self._add("Placeholder", (), {"dtype": dtype, "shape": shape}, None, called=name, device=device, after=after)

    def placeholder_with_default(
        self,
        input: Value,
        shape: ShapeLike | None,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Gives its input unless another value is fed.

        Args:
            shape: Shape of the default and of what is fed.
        """
        return self._add("PlaceholderWithDefault", (input,), {"shape": shape}, None, called=name, device=device, after=after)

    def placeholder_v2(
        self,
        dtype: DTypeLike,
        shape: ShapeLike | None,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Stands for a tensor that must be fed.

        Args:
            dtype: Element type of what is fed.
            shape: Shape of what is fed.
        """
        return self._add("PlaceholderV2", (), {"dtype": dtype, "shape": shape}, None, called=name, device=device, after=after)

    def range(
        self,
        start: Value,
        limit: Value,
        delta: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`start`, `start + delta`, ... up to `limit`, which is not included."""
        return self._add("Range", (start, limit, delta), {}, None, called=name, device=device, after=after)

    def reshape(
        self,
        tensor: Value,
        shape: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Gives `tensor` the shape `shape`, of which one size may be -1 and follows from the others."""
        return self._add("Reshape", (tensor, shape), {}, None, called=name, device=device, after=after)

    def reverse(
        self,
        tensor: Value,
        dims: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`tensor` with the axes turned around for which `dims` is true."""
        return self._add("Reverse", (tensor, dims), {}, None, called=name, device=device, after=after)

    def reverse_v2(
        self,
        tensor: Value,
        axis: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`tensor` with the axes `axis` turned around."""
        return self._add("ReverseV2", (tensor, axis), {}, None, called=name, device=device, after=after)

    def reverse_sequence(
        self,
        input: Value,
        seq_lengths: Value,
        seq_dim: int,
        *,
        batch_dim: int = 0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`input` with the first `seq_lengths[b]` positions along `seq_dim` turned around, for each `b` of `batch_dim`.

        Args:
            seq_dim: The axis that is turned around.
            batch_dim: The axis of the batch.
        """
        return self._add("ReverseSequence", (input, seq_lengths), {"seq_dim": seq_dim, "batch_dim": batch_dim}, None, called=name, device=device, after=after)

    def roll(
        self,
        input: Value,
        shift: Value,
        axis: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`input` with its elements moved by `shift[i]` along `axis[i]`; what leaves at the end comes back in front."""
        return self._add("Roll", (input, shift, axis), {}, None, called=name, device=device, after=after)

    def scatter_nd(
        self,
        indices: Value,
        updates: Value,
        shape: Value,
        *,
        bad_indices_policy: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A tensor of shape `shape` that is 0 but for the sum of the slices `updates` at the index tuples `indices`.

        Args:
            bad_indices_policy: What happens to indices out of bounds: an error, or with `IGNORE` nothing.
        """
        return self._add("ScatterNd", (indices, updates, shape), {"bad_indices_policy": bad_indices_policy}, None, called=name, device=device, after=after)

    def scatter_nd_non_aliasing_add(
        self,
        input: Value,
        indices: Value,
        updates: Value,
        *,
        bad_indices_policy: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`input` with `updates` added at the index tuples `indices`.

        Args:
            bad_indices_policy: What happens to indices out of bounds: an error, or with `IGNORE` nothing.
        """
        return self._add("ScatterNdNonAliasingAdd", (input, indices, updates), {"bad_indices_policy": bad_indices_policy}, None, called=name, device=device, after=after)

    def tensor_scatter_add(
        self,
        tensor: Value,
        indices: Value,
        updates: Value,
        *,
        bad_indices_policy: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`tensor` with `updates` added at the index tuples `indices`.

        Args:
            bad_indices_policy: What happens to indices out of bounds: an error, or with `IGNORE` nothing.
        """
        return self._add("TensorScatterAdd", (tensor, indices, updates), {"bad_indices_policy": bad_indices_policy}, None, called=name, device=device, after=after)

    def tensor_scatter_max(
        self,
        tensor: Value,
        indices: Value,
        updates: Value,
        *,
        bad_indices_policy: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`tensor` with the larger of what is there and `updates` at the index tuples `indices`.

        Args:
            bad_indices_policy: What happens to indices out of bounds: an error, or with `IGNORE` nothing.
        """
        return self._add("TensorScatterMax", (tensor, indices, updates), {"bad_indices_policy": bad_indices_policy}, None, called=name, device=device, after=after)

    def tensor_scatter_min(
        self,
        tensor: Value,
        indices: Value,
        updates: Value,
        *,
        bad_indices_policy: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`tensor` with the smaller of what is there and `updates` at the index tuples `indices`.

        Args:
            bad_indices_policy: What happens to indices out of bounds: an error, or with `IGNORE` nothing.
        """
        return self._add("TensorScatterMin", (tensor, indices, updates), {"bad_indices_policy": bad_indices_policy}, None, called=name, device=device, after=after)

    def tensor_scatter_sub(
        self,
        tensor: Value,
        indices: Value,
        updates: Value,
        *,
        bad_indices_policy: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`tensor` with `updates` subtracted at the index tuples `indices`.

        Args:
            bad_indices_policy: What happens to indices out of bounds: an error, or with `IGNORE` nothing.
        """
        return self._add("TensorScatterSub", (tensor, indices, updates), {"bad_indices_policy": bad_indices_policy}, None, called=name, device=device, after=after)

    def tensor_scatter_update(
        self,
        tensor: Value,
        indices: Value,
        updates: Value,
        *,
        bad_indices_policy: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`tensor` with `updates` in place of what is there at the index tuples `indices`.

        Args:
            bad_indices_policy: What happens to indices out of bounds: an error, or with `IGNORE` nothing.
        """
        return self._add("TensorScatterUpdate", (tensor, indices, updates), {"bad_indices_policy": bad_indices_policy}, None, called=name, device=device, after=after)

    def lower_bound(
        self,
        sorted_inputs: Value,
        values: Value,
        *,
        out_type: DTypeLike = 'int32',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """For each value the number of elements of its sorted row that are less.

        Args:
            out_type: Element type of the result.
        """
        return self._add("LowerBound", (sorted_inputs, values), {"out_type": out_type}, None, called=name, device=device, after=after)

    def upper_bound(
        self,
        sorted_inputs: Value,
        values: Value,
        *,
        out_type: DTypeLike = 'int32',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """For each value the number of elements of its sorted row that are not greater.

        Args:
            out_type: Element type of the result.
        """
        return self._add("UpperBound", (sorted_inputs, values), {"out_type": out_type}, None, called=name, device=device, after=after)

    def rank(
        self,
        input: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The number of axes of the input."""
        return self._add("Rank", (input,), {}, None, called=name, device=device, after=after)

    def shape(
        self,
        input: Value,
        *,
        out_type: DTypeLike = 'int32',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The sizes of the input's axes.

        Args:
            out_type: Element type of the result.
        """
        return self._add("Shape", (input,), {"out_type": out_type}, None, called=name, device=device, after=after)

    def shape_n(
        self,
        input: Sequence[Value],
        *,
        out_type: DTypeLike = 'int32',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """The sizes of the axes of each input.

        Args:
            out_type: Element type of the results.
        """
        return self._add("ShapeN", (input,), {"out_type": out_type}, None, called=name, device=device, after=after)

    def size(
        self,
        input: Value,
        *,
        out_type: DTypeLike = 'int32',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The number of elements of the input.

        Args:
            out_type: Element type of the result.
        """
        return self._add("Size", (input,), {"out_type": out_type}, None, called=name, device=device, after=after)

    def slice(
        self,
        input: Value,
        begin: Value,
        size: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`size[i]` positions of axis `i` from `begin[i]` on; -1 stands for all that follow."""
        return self._add("Slice", (input, begin, size), {}, None, called=name, device=device, after=after)

    def space_to_batch(
        self,
        input: Value,
        paddings: Value,
        block_size: int,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`SpaceToBatchND` of images, with square blocks.

        Args:
            block_size: Side of a block.
        """
        return self._add("SpaceToBatch", (input, paddings), {"block_size": block_size}, None, called=name, device=device, after=after)

    def space_to_batch_nd(
        self,
        input: Value,
        block_shape: Value,
        paddings: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Pads the axes after the first by `paddings`, cuts them into blocks of `block_shape`, and gathers what is at the
        same place in its block in a batch of its own."""
        return self._add("SpaceToBatchND", (input, block_shape, paddings), {}, None, called=name, device=device, after=after)

    def depth_to_space(
        self,
        input: Value,
        block_size: int,
        *,
        data_format: str | bytes = 'NHWC',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Makes blocks of `block_size` by `block_size` pixels out of the channels.

        Args:
            block_size: Side of a block.
            data_format: Order of the axes.
        """
        return self._add("DepthToSpace", (input,), {"block_size": block_size, "data_format": data_format}, None, called=name, device=device, after=after)

    def space_to_depth(
        self,
        input: Value,
        block_size: int,
        *,
        data_format: str | bytes = 'NHWC',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Moves blocks of `block_size` by `block_size` pixels into the channels.

        Args:
            block_size: Side of a block.
            data_format: Order of the axes.
        """
        return self._add("SpaceToDepth", (input,), {"block_size": block_size, "data_format": data_format}, None, called=name, device=device, after=after)

    def split(
        self,
        split_dim: Value,
        value: Value,
        num_split: int,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """`value` cut into `num_split` equal pieces along axis `split_dim`.

        Args:
            num_split: Number of pieces.
        """
        return self._add("Split", (split_dim, value), {"num_split": num_split}, None, called=name, device=device, after=after)

    def split_v(
        self,
        value: Value,
        size_splits: Value,
        split_dim: Value,
        num_split: int,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """`value` cut along axis `split_dim` into pieces of `size_splits`, one of which may be -1: what is left.

        Args:
            num_split: Number of pieces.
        """
        return self._add("SplitV", (value, size_splits, split_dim), {"num_split": num_split}, None, called=name, device=device, after=after)

    def squeeze(
        self,
        input: Value,
        *,
        squeeze_dims: Sequence[int] = (),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Drops the axes `squeeze_dims`, which must be of size 1; without any, all axes of size 1.

        Args:
            squeeze_dims: The axes; negative ones count from the end.
        """
        return self._add("Squeeze", (input,), {"squeeze_dims": squeeze_dims}, None, called=name, device=device, after=after)

    def strided_slice(
        self,
        input: Value,
        begin: Value,
        end: Value,
        strides: Value,
        *,
        begin_mask: int = 0,
        end_mask: int = 0,
        ellipsis_mask: int = 0,
        new_axis_mask: int = 0,
        shrink_axis_mask: int = 0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The elements of `input` from `begin` to `end`, `strides` apart, axis by axis.

        Args:
            begin_mask: Bit `i` set: ignore `begin[i]` and start at the end of the axis that the stride leaves.
            end_mask: Bit `i` set: ignore `end[i]` and go to the other end of the axis.
            ellipsis_mask: Bit `i` set: entry `i` stands for as many whole axes as are left.
            new_axis_mask: Bit `i` set: entry `i` is a new axis of size 1.
            shrink_axis_mask: Bit `i` set: entry `i` picks one index, and the axis goes away.
        """
        return self._add("StridedSlice", (input, begin, end, strides), {"begin_mask": begin_mask, "end_mask": end_mask, "ellipsis_mask": ellipsis_mask, "new_axis_mask": new_axis_mask, "shrink_axis_mask": shrink_axis_mask}, None, called=name, device=device, after=after)

    def strided_slice_grad(
        self,
        shape: Value,
        begin: Value,
        end: Value,
        strides: Value,
        dy: Value,
        *,
        begin_mask: int = 0,
        end_mask: int = 0,
        ellipsis_mask: int = 0,
        new_axis_mask: int = 0,
        shrink_axis_mask: int = 0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A tensor of shape `shape` that is `dy` where the slice takes from it, and 0 elsewhere.

        Args:
            begin_mask: Bit `i` set: ignore `begin[i]` and start at the end of the axis that the stride leaves.
            end_mask: Bit `i` set: ignore `end[i]` and go to the other end of the axis.
            ellipsis_mask: Bit `i` set: entry `i` stands for as many whole axes as are left.
            new_axis_mask: Bit `i` set: entry `i` is a new axis of size 1.
            shrink_axis_mask: Bit `i` set: entry `i` picks one index, and the axis goes away.
        """
        return self._add("StridedSliceGrad", (shape, begin, end, strides, dy), {"begin_mask": begin_mask, "end_mask": end_mask, "ellipsis_mask": ellipsis_mask, "new_axis_mask": new_axis_mask, "shrink_axis_mask": shrink_axis_mask}, None, called=name, device=device, after=after)

    def tensor_strided_slice_update(
        self,
        input: Value,
        begin: Value,
        end: Value,
        strides: Value,
        value: Value,
        *,
        begin_mask: int = 0,
        end_mask: int = 0,
        ellipsis_mask: int = 0,
        new_axis_mask: int = 0,
        shrink_axis_mask: int = 0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`input` with `value`, broadcast, in place of the slice.

        Args:
            begin_mask: Bit `i` set: ignore `begin[i]` and start at the end of the axis that the stride leaves.
            end_mask: Bit `i` set: ignore `end[i]` and go to the other end of the axis.
            ellipsis_mask: Bit `i` set: entry `i` stands for as many whole axes as are left.
            new_axis_mask: Bit `i` set: entry `i` is a new axis of size 1.
            shrink_axis_mask: Bit `i` set: entry `i` picks one index, and the axis goes away.
        """
        return self._add("TensorStridedSliceUpdate", (input, begin, end, strides, value), {"begin_mask": begin_mask, "end_mask": end_mask, "ellipsis_mask": ellipsis_mask, "new_axis_mask": new_axis_mask, "shrink_axis_mask": shrink_axis_mask}, None, called=name, device=device, after=after)

    def tile(
        self,
        input: Value,
        multiples: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Repeats `input` along axis `i` as many times as `multiples[i]` says."""
        return self._add("Tile", (input, multiples), {}, None, called=name, device=device, after=after)

    def conjugate_transpose(
        self,
        x: Value,
        perm: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """As `Transpose`, and complex numbers are conjugated."""
        return self._add("ConjugateTranspose", (x, perm), {}, None, called=name, device=device, after=after)

    def transpose(
        self,
        x: Value,
        perm: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Axis `i` of the result is axis `perm[i]` of `x`."""
        return self._add("Transpose", (x, perm), {}, None, called=name, device=device, after=after)

    def unique(
        self,
        x: Value,
        *,
        out_idx: DTypeLike = 'int32',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> UniqueOutputs:
        """The values of `x`, each once, in the order of their first places, and for each element which value it is.

        Args:
            out_idx: Element type of the numbers that come out.
        """
        return self._add("Unique", (x,), {"out_idx": out_idx}, UniqueOutputs, called=name, device=device, after=after)

    def unique_v2(
        self,
        x: Value,
        axis: Value,
        *,
        out_idx: DTypeLike = 'int32',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> UniqueV2Outputs:
        """The slices along `axis`, each once, and for each slice which it is.

        Args:
            out_idx: Element type of the numbers that come out.
        """
        return self._add("UniqueV2", (x, axis), {"out_idx": out_idx}, UniqueV2Outputs, called=name, device=device, after=after)

    def unique_with_counts(
        self,
        x: Value,
        *,
        out_idx: DTypeLike = 'int32',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> UniqueWithCountsOutputs:
        """As `Unique`, and how often each value comes.

        Args:
            out_idx: Element type of the numbers that come out.
        """
        return self._add("UniqueWithCounts", (x,), {"out_idx": out_idx}, UniqueWithCountsOutputs, called=name, device=device, after=after)

    def unique_with_counts_v2(
        self,
        x: Value,
        axis: Value,
        *,
        out_idx: DTypeLike = 'int32',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> UniqueWithCountsV2Outputs:
        """As `UniqueV2`, and how often each slice comes.

        Args:
            out_idx: Element type of the numbers that come out.
        """
        return self._add("UniqueWithCountsV2", (x, axis), {"out_idx": out_idx}, UniqueWithCountsV2Outputs, called=name, device=device, after=after)

    def unravel_index(
        self,
        indices: Value,
        dims: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """For each of `indices` its position along each axis of an array of shape `dims`."""
        return self._add("UnravelIndex", (indices, dims), {}, None, called=name, device=device, after=after)

    def where(
        self,
        input: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The indices of the elements that are true or not zero, one row each, in row-major order."""
        return self._add("Where", (input,), {}, None, called=name, device=device, after=after)

    # audio

    def audio_spectrogram(
        self,
        input: Value,
        window_size: int,
        stride: int,
        *,
        magnitude_squared: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """For each column of samples and each window of them, weighted by Hann's function, the magnitudes of its Fourier
        transform.

        Args:
            window_size: Samples of a window.
            stride: Samples from the beginning of a window to that of the next.
            magnitude_squared: True for the squares of the magnitudes.
        """
        return self._add("AudioSpectrogram", (input,), {"window_size": window_size, "stride": stride, "magnitude_squared": magnitude_squared}, None, called=name, device=device, after=after)

    def decode_wav(
        self,
        contents: Value,
        *,
        desired_channels: int = -1,
        desired_samples: int = -1,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> DecodeWavOutputs:
        """Reads a WAV file of 16-bit samples: the samples between -1 and 1, a column for each channel, and how many there
        are in a second.

        Args:
            desired_channels: How many channels to give: some are left out or the last one is repeated; -1 for those of
                the file.
            desired_samples: How many samples to give: some are left out or zeros are added; -1 for those of the file.
        """
        return self._add("DecodeWav", (contents,), {"desired_channels": desired_channels, "desired_samples": desired_samples}, DecodeWavOutputs, called=name, device=device, after=after)

    def encode_wav(
        self,
        audio: Value,
        sample_rate: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Writes samples between -1 and 1, a column for each channel, as a WAV file of 16-bit samples."""
        return self._add("EncodeWav", (audio, sample_rate), {}, None, called=name, device=device, after=after)

    def mfcc(
        self,
        spectrogram: Value,
        sample_rate: Value,
        *,
        upper_frequency_limit: float = 4000.0,
        lower_frequency_limit: float = 20.0,
        filterbank_channel_count: int = 40,
        dct_coefficient_count: int = 13,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The mel-frequency cepstral coefficients of squared magnitudes as `AudioSpectrogram` gives them.

        Args:
            upper_frequency_limit: The highest frequency that counts, in hertz.
            lower_frequency_limit: The lowest frequency that counts, in hertz.
            filterbank_channel_count: Bands that frequencies are put together in.
            dct_coefficient_count: Coefficients of each window.
        """
        return self._add("Mfcc", (spectrogram, sample_rate), {"upper_frequency_limit": upper_frequency_limit, "lower_frequency_limit": lower_frequency_limit, "filterbank_channel_count": filterbank_channel_count, "dct_coefficient_count": dct_coefficient_count}, None, called=name, device=device, after=after)

    # batching

    def batch(
        self,
        in_tensors: Sequence[Value],
        num_batch_threads: int,
        max_batch_size: int,
        batch_timeout_micros: int,
        grad_timeout_micros: int,
        *,
        max_enqueued_batches: int = 10,
        allowed_batch_sizes: Sequence[int] = (),
        container: str | bytes = '',
        shared_name: str | bytes = '',
        batching_queue: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> BatchOutputs:
        """Gathers the tensors of several runs along axis 0. The run that came last gets the batch and an index of which
        rows are whose, the others get tensors without rows. `Unbatch` gives each its own back.

        Args:
            num_batch_threads: Batches worked on at a time; without meaning, since there is no work.
            max_batch_size: The most rows of a batch.
            batch_timeout_micros: How long the first run waits for others, in microseconds.
            grad_timeout_micros: In TensorFlow, how long the gradient waits.
            max_enqueued_batches: The most batches that wait.
            allowed_batch_sizes: Sizes to which a batch is padded; none for any size.
            container: Container of what the runs share; empty for the default one.
            shared_name: Name in the container.
            batching_queue: Runs of nodes with another one do not meet.
        """
        return self._add("Batch", (in_tensors,), {"num_batch_threads": num_batch_threads, "max_batch_size": max_batch_size, "batch_timeout_micros": batch_timeout_micros, "grad_timeout_micros": grad_timeout_micros, "max_enqueued_batches": max_enqueued_batches, "allowed_batch_sizes": allowed_batch_sizes, "container": container, "shared_name": shared_name, "batching_queue": batching_queue}, BatchOutputs, called=name, device=device, after=after)

    def batch_function(
        self,
        in_tensors: Sequence[Value],
        captured_tensors: Sequence[Value],
        f: str,
        num_batch_threads: int,
        max_batch_size: int,
        batch_timeout_micros: int,
        tout: Sequence[DTypeLike],
        *,
        max_enqueued_batches: int = 10,
        allowed_batch_sizes: Sequence[int] = (),
        container: str | bytes = '',
        shared_name: str | bytes = '',
        batching_queue: str | bytes = '',
        low_priority_max_batch_size: int = 0,
        low_priority_batch_timeout_micros: int = 0,
        low_priority_allowed_batch_sizes: Sequence[int] = (),
        low_priority_max_enqueued_batches: int = 0,
        mixed_priority_policy: str | bytes = 'low_priority_padding_with_max_batch_size',
        batch_padding_policy: str | bytes = 'PAD_UP',
        enable_large_batch_splitting: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """Gathers the rows of several runs, calls a function once for all of them, and gives each run its rows of the
        results.

        Args:
            f: The function.
            num_batch_threads: Calls at a time.
            max_batch_size: The most rows of a batch, or of a run where large runs are split.
            batch_timeout_micros: How long the first run waits for others, in microseconds.
            tout: Dtypes of the results.
            max_enqueued_batches: The most batches that wait.
            allowed_batch_sizes: Sizes to which a batch is padded; none for any size.
            container: Container of what the runs share; empty for the default one.
            shared_name: Name in the container.
            batching_queue: Runs of nodes with another one do not meet.
            low_priority_max_batch_size: Not used: all runs have the same priority.
            low_priority_batch_timeout_micros: Not used.
            low_priority_allowed_batch_sizes: Not used.
            low_priority_max_enqueued_batches: Not used.
            mixed_priority_policy: Not used.
            batch_padding_policy: Not used: batches are padded.
            enable_large_batch_splitting: True where runs with more rows than a batch are split.
        """
        return self._add("BatchFunction", (in_tensors, captured_tensors), {"f": f, "num_batch_threads": num_batch_threads, "max_batch_size": max_batch_size, "batch_timeout_micros": batch_timeout_micros, "Tout": tout, "max_enqueued_batches": max_enqueued_batches, "allowed_batch_sizes": allowed_batch_sizes, "container": container, "shared_name": shared_name, "batching_queue": batching_queue, "low_priority_max_batch_size": low_priority_max_batch_size, "low_priority_batch_timeout_micros": low_priority_batch_timeout_micros, "low_priority_allowed_batch_sizes": low_priority_allowed_batch_sizes, "low_priority_max_enqueued_batches": low_priority_max_enqueued_batches, "mixed_priority_policy": mixed_priority_policy, "batch_padding_policy": batch_padding_policy, "enable_large_batch_splitting": enable_large_batch_splitting}, None, called=name, device=device, after=after)

    def unbatch(
        self,
        batched_tensor: Value,
        batch_index: Value,
        id: Value,
        timeout_micros: int,
        *,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Gives each run the rows of a batch that are its own, whichever of them has the batch.

        Args:
            timeout_micros: How long a run waits for its rows, and rows for their run, in microseconds.
            container: Container of what the runs share; empty for the default one.
            shared_name: Name in the container.
        """
        return self._add("Unbatch", (batched_tensor, batch_index, id), {"timeout_micros": timeout_micros, "container": container, "shared_name": shared_name}, None, called=name, device=device, after=after)

    def unbatch_grad(
        self,
        original_input: Value,
        batch_index: Value,
        grad: Value,
        id: Value,
        *,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Puts the gradients of the rows that [`Unbatch`] gave to several runs together; the run that had the batch gets
        them.

        Args:
            container: Container of what the runs share; empty for the default one.
            shared_name: Name in the container.
        """
        return self._add("UnbatchGrad", (original_input, batch_index, grad, id), {"container": container, "shared_name": shared_name}, None, called=name, device=device, after=after)

    # checkpoint

    def disable_copy_on_read(
        self,
        resource: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Lets reads of a variable share its elements. They always do; it fails where there is no such variable."""
        return self._add("DisableCopyOnRead", (resource,), {}, None, called=name, device=device, after=after)

    def generate_vocab_remapping(
        self,
        new_vocab_file: Value,
        old_vocab_file: Value,
        new_vocab_offset: int,
        num_new_vocab: int,
        *,
        old_vocab_size: int = -1,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> GenerateVocabRemappingOutputs:
        """For words of a new vocabulary, one a line of a file, the numbers of their lines in the file of an old one; -1
        for words that it does not have. Also how many of them it has.

        Args:
            new_vocab_offset: Line of the first word, from 0.
            num_new_vocab: How many words.
            old_vocab_size: How many words of the old vocabulary count; -1 for all.
        """
        return self._add("GenerateVocabRemapping", (new_vocab_file, old_vocab_file), {"new_vocab_offset": new_vocab_offset, "num_new_vocab": num_new_vocab, "old_vocab_size": old_vocab_size}, GenerateVocabRemappingOutputs, called=name, device=device, after=after)

    def load_and_remap_matrix(
        self,
        ckpt_path: Value,
        old_tensor_name: Value,
        row_remapping: Value,
        col_remapping: Value,
        initializing_values: Value,
        num_rows: int,
        num_cols: int,
        *,
        max_rows_in_memory: int = -1,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A matrix of a checkpoint, with the rows and columns whose numbers `row_remapping` and `col_remapping` have: of
        an old vocabulary's embedding that of a new one. What is to have a negative number is taken from
        `initializing_values`, row by row. Without `col_remapping` the columns stay.

        Args:
            num_rows: Number of rows, which is that of elements of `row_remapping`.
            num_cols: Number of columns, which is that of elements of `col_remapping` where it has any.
            max_rows_in_memory: How many rows to read at a time; of no consequence.
        """
        return self._add("LoadAndRemapMatrix", (ckpt_path, old_tensor_name, row_remapping, col_remapping, initializing_values), {"num_rows": num_rows, "num_cols": num_cols, "max_rows_in_memory": max_rows_in_memory}, None, called=name, device=device, after=after)

    def merge_v2_checkpoints(
        self,
        checkpoint_prefixes: Value,
        destination_prefix: Value,
        *,
        delete_old_dirs: bool = True,
        allow_missing_files: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Makes one checkpoint of several, whose files it takes over.

        Args:
            delete_old_dirs: Whether to remove the directories that the others were in, where they are empty then.
            allow_missing_files: Whether to leave out those that are not there.
        """
        return self._add("MergeV2Checkpoints", (checkpoint_prefixes, destination_prefix), {"delete_old_dirs": delete_old_dirs, "allow_missing_files": allow_missing_files}, None, called=name, device=device, after=after)

    def restore(
        self,
        file_pattern: Value,
        tensor_name: Value,
        dt: DTypeLike,
        *,
        preferred_shard: int = -1,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Reads a tensor from the files that a pattern matches: those of the first format, or the prefix of a checkpoint.

        Args:
            dt: Dtype of the tensor.
            preferred_shard: Which of several files to look at first; of no consequence.
        """
        return self._add("Restore", (file_pattern, tensor_name), {"dt": dt, "preferred_shard": preferred_shard}, None, called=name, device=device, after=after)

    def restore_slice(
        self,
        file_pattern: Value,
        tensor_name: Value,
        shape_and_slice: Value,
        dt: DTypeLike,
        *,
        preferred_shard: int = -1,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Reads part of a tensor, as [`Restore`].

        Args:
            dt: Dtype of the tensor.
            preferred_shard: Which of several files to look at first; of no consequence.
        """
        return self._add("RestoreSlice", (file_pattern, tensor_name, shape_and_slice), {"dt": dt, "preferred_shard": preferred_shard}, None, called=name, device=device, after=after)

    def restore_v2(
        self,
        prefix: Value,
        tensor_names: Value,
        shape_and_slices: Value,
        dtypes: Sequence[DTypeLike],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """Reads tensors, or parts of them, by name. Parts need not be those that were saved.

        Args:
            dtypes: Dtypes of the tensors.
        """
        return self._add("RestoreV2", (prefix, tensor_names, shape_and_slices), {"dtypes": dtypes}, None, called=name, device=device, after=after)

    def save(
        self,
        filename: Value,
        tensor_names: Value,
        data: Sequence[Value],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Saves tensors to a file. One that is there stays until all is on disk."""
        return self._add("Save", (filename, tensor_names, data), {}, None, called=name, device=device, after=after)

    def save_slices(
        self,
        filename: Value,
        tensor_names: Value,
        shapes_and_slices: Value,
        data: Sequence[Value],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Saves tensors, or parts of them, to a file, as [`Save`]."""
        return self._add("SaveSlices", (filename, tensor_names, shapes_and_slices, data), {}, None, called=name, device=device, after=after)

    def save_v2(
        self,
        prefix: Value,
        tensor_names: Value,
        shape_and_slices: Value,
        tensors: Sequence[Value],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Saves tensors, or parts of them, under names. A checkpoint that has the same prefix stays until all is on disk."""
        return self._add("SaveV2", (prefix, tensor_names, shape_and_slices, tensors), {}, None, called=name, device=device, after=after)

    # clustering

    def kmc2_chain_initialization(
        self,
        distances: Value,
        seed: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Draws the index of a point from a chain of Markov, the likelier the greater its distance in `distances`."""
        return self._add("KMC2ChainInitialization", (distances, seed), {}, None, called=name, device=device, after=after)

    def kmeans_plus_plus_initialization(
        self,
        points: Value,
        num_to_sample: Value,
        seed: Value,
        num_retries_per_sample: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Draws `num_to_sample` points, each the likelier the greater its squared distance from the nearest one drawn
        before. Of `num_retries_per_sample` and one more tries it takes the best; of a few where that is negative."""
        return self._add("KmeansPlusPlusInitialization", (points, num_to_sample, seed, num_retries_per_sample), {}, None, called=name, device=device, after=after)

    def nearest_neighbors(
        self,
        points: Value,
        centers: Value,
        k: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> NearestNeighborsOutputs:
        """For each point its `k` nearest centres, the nearest first, and their squared distances."""
        return self._add("NearestNeighbors", (points, centers, k), {}, NearestNeighborsOutputs, called=name, device=device, after=after)

    # control

    def abort(
        self,
        *,
        error_msg: str | bytes = '',
        exit_without_error: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Fails the step. TensorFlow's ends the process; a graph that is only input must not be able to.

        Args:
            error_msg: What the error says.
            exit_without_error: In TensorFlow, whether the process ends with exit code 0.
        """
        return self._add("Abort", (), {"error_msg": error_msg, "exit_without_error": exit_without_error}, None, called=name, device=device, after=after)

    def case(
        self,
        branch_index: Value,
        input: Sequence[Value],
        tout: Sequence[DTypeLike],
        branches: Sequence[str],
        *,
        output_shapes: Sequence[ShapeLike | None] = (),
        _lower_using_switch_merge: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """Runs the function whose number is given, the last for numbers that none has.

        Args:
            tout: Types of the results.
            branches: The functions.
            output_shapes: Shapes of the results.
            _lower_using_switch_merge: True where TensorFlow would make it part of the graph around it, so that nodes of
                the functions may have devices of their own.
        """
        return self._add("Case", (branch_index, input), {"Tout": tout, "branches": branches, "output_shapes": output_shapes, "_lower_using_switch_merge": _lower_using_switch_merge}, None, called=name, device=device, after=after)

    def if_(
        self,
        cond: Value,
        input: Sequence[Value],
        tout: Sequence[DTypeLike],
        then_branch: str,
        else_branch: str,
        *,
        output_shapes: Sequence[ShapeLike | None] = (),
        _lower_using_switch_merge: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """Runs one of two functions.

        Args:
            tout: Types of the results.
            then_branch: The function for true.
            else_branch: The function for false.
            output_shapes: Shapes of the results.
            _lower_using_switch_merge: True where TensorFlow would make it part of the graph around it, so that nodes of
                the functions may have devices of their own.
        """
        return self._add("If", (cond, input), {"Tout": tout, "then_branch": then_branch, "else_branch": else_branch, "output_shapes": output_shapes, "_lower_using_switch_merge": _lower_using_switch_merge}, None, called=name, device=device, after=after)

    def _if(
        self,
        cond: Value,
        input: Sequence[Value],
        tout: Sequence[DTypeLike],
        then_branch: str,
        else_branch: str,
        *,
        _lower_using_switch_merge: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """Runs one of two functions.

        Args:
            tout: Types of the results.
            then_branch: The function for true.
            else_branch: The function for false.
            _lower_using_switch_merge: True where TensorFlow would make it part of the graph around it, so that nodes of
                the functions may have devices of their own.
        """
        return self._add("_If", (cond, input), {"Tout": tout, "then_branch": then_branch, "else_branch": else_branch, "_lower_using_switch_merge": _lower_using_switch_merge}, None, called=name, device=device, after=after)

    def stateless_case(
        self,
        branch_index: Value,
        input: Sequence[Value],
        tout: Sequence[DTypeLike],
        branches: Sequence[str],
        *,
        output_shapes: Sequence[ShapeLike | None] = (),
        _lower_using_switch_merge: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """[`Case`] for functions without side effects.

        Args:
            tout: Types of the results.
            branches: The functions.
            output_shapes: Shapes of the results.
            _lower_using_switch_merge: True where TensorFlow would make it part of the graph around it, so that nodes of
                the functions may have devices of their own.
        """
        return self._add("StatelessCase", (branch_index, input), {"Tout": tout, "branches": branches, "output_shapes": output_shapes, "_lower_using_switch_merge": _lower_using_switch_merge}, None, called=name, device=device, after=after)

    def stateless_if(
        self,
        cond: Value,
        input: Sequence[Value],
        tout: Sequence[DTypeLike],
        then_branch: str,
        else_branch: str,
        *,
        output_shapes: Sequence[ShapeLike | None] = (),
        _lower_using_switch_merge: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """Runs one of two functions without side effects.

        Args:
            tout: Types of the results.
            then_branch: The function for true.
            else_branch: The function for false.
            output_shapes: Shapes of the results.
            _lower_using_switch_merge: True where TensorFlow would make it part of the graph around it, so that nodes of
                the functions may have devices of their own.
        """
        return self._add("StatelessIf", (cond, input), {"Tout": tout, "then_branch": then_branch, "else_branch": else_branch, "output_shapes": output_shapes, "_lower_using_switch_merge": _lower_using_switch_merge}, None, called=name, device=device, after=after)

    def _arg(
        self,
        t: DTypeLike,
        index: int,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A parameter of a function; the call feeds it.

        Args:
            t: Element type.
            index: Number of the parameter.
        """
        return self._add("_Arg", (), {"T": t, "index": index}, None, called=name, device=device, after=after)

    def _retval(
        self,
        input: Value,
        index: int,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """A result of a function.

        Args:
            index: Number of the result.
        """
        return self._add("_Retval", (input,), {"index": index}, None, called=name, device=device, after=after)

    def partitioned_call(
        self,
        args: Sequence[Value],
        tout: Sequence[DTypeLike],
        f: str,
        *,
        config: str | bytes = '',
        config_proto: str | bytes = '',
        executor_type: str | bytes = '',
        _by_name: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """Runs a function without side effects.

        Args:
            tout: Types of the results.
            f: The function.
            config: Not used.
            config_proto: Not used.
            executor_type: Not used.
            _by_name: True for a node that the graph gave the function's name as its op.
        """
        return self._add("PartitionedCall", (args,), {"Tout": tout, "f": f, "config": config, "config_proto": config_proto, "executor_type": executor_type, "_by_name": _by_name}, None, called=name, device=device, after=after)

    def remote_call(
        self,
        target: Value,
        args: Sequence[Value],
        tout: Sequence[DTypeLike],
        f: str,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """Runs a function on the device that `target` names.

        Args:
            tout: Types of the results.
            f: The function.
        """
        return self._add("RemoteCall", (target, args), {"Tout": tout, "f": f}, None, called=name, device=device, after=after)

    def stateful_partitioned_call(
        self,
        args: Sequence[Value],
        tout: Sequence[DTypeLike],
        f: str,
        *,
        config: str | bytes = '',
        config_proto: str | bytes = '',
        executor_type: str | bytes = '',
        _by_name: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """Runs a function.

        Args:
            tout: Types of the results.
            f: The function.
            config: Not used.
            config_proto: Not used.
            executor_type: Not used.
            _by_name: True for a node that the graph gave the function's name as its op.
        """
        return self._add("StatefulPartitionedCall", (args,), {"Tout": tout, "f": f, "config": config, "config_proto": config_proto, "executor_type": executor_type, "_by_name": _by_name}, None, called=name, device=device, after=after)

    def symbolic_gradient(
        self,
        input: Sequence[Value],
        tout: Sequence[DTypeLike],
        f: str,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """The gradients of a function by its arguments, from the arguments and the gradients of its results.

        Args:
            tout: Dtypes of the arguments.
            f: The function.
        """
        return self._add("SymbolicGradient", (input,), {"Tout": tout, "f": f}, None, called=name, device=device, after=after)

    def control_trigger(
        self,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Does nothing, once its control inputs have run or turned out dead."""
        return self._add("ControlTrigger", (), {}, None, called=name, device=device, after=after)

    def device_index(
        self,
        device_names: Sequence[str | bytes],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The position of the type of the node's device in a list, the length of the list where it is not there.

        Args:
            device_names: Types of devices.
        """
        return self._add("DeviceIndex", (), {"device_names": device_names}, None, called=name, device=device, after=after)

    def device_placement_op(
        self,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The full name of the device that this node runs on. TensorFlow has it for tests of its placer."""
        return self._add("DevicePlacementOp", (), {}, None, called=name, device=device, after=after)

    def enter(
        self,
        data: Value,
        frame_name: str | bytes,
        *,
        is_constant: bool = False,
        parallel_iterations: int = 10,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Takes its input into a child frame.

        Args:
            frame_name: Name of the frame.
            is_constant: True where every iteration sees the value, not only the first.
            parallel_iterations: Iterations that may be under way at once.
        """
        return self._add("Enter", (data,), {"frame_name": frame_name, "is_constant": is_constant, "parallel_iterations": parallel_iterations}, None, called=name, device=device, after=after)

    def ref_enter(
        self,
        data: Value,
        frame_name: str | bytes,
        *,
        is_constant: bool = False,
        parallel_iterations: int = 10,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """[`Enter`] for references.

        Args:
            frame_name: Name of the frame.
            is_constant: True where every iteration sees the value, not only the first.
            parallel_iterations: Iterations that may be under way at once.
        """
        return self._add("RefEnter", (data,), {"frame_name": frame_name, "is_constant": is_constant, "parallel_iterations": parallel_iterations}, None, called=name, device=device, after=after)

    def exit(
        self,
        data: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Takes its input out of the frame."""
        return self._add("Exit", (data,), {}, None, called=name, device=device, after=after)

    def ref_exit(
        self,
        data: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """[`Exit`] for references."""
        return self._add("RefExit", (data,), {}, None, called=name, device=device, after=after)

    def loop_cond(
        self,
        input: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Says whether a loop goes on."""
        return self._add("LoopCond", (input,), {}, None, called=name, device=device, after=after)

    def merge(
        self,
        inputs: Sequence[Value],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> MergeOutputs:
        """Passes on the first of its inputs that arrives alive, and says which it was."""
        return self._add("Merge", (inputs,), {}, MergeOutputs, called=name, device=device, after=after)

    def ref_merge(
        self,
        inputs: Sequence[Value],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> RefMergeOutputs:
        """[`Merge`] for references."""
        return self._add("RefMerge", (inputs,), {}, RefMergeOutputs, called=name, device=device, after=after)

    def next_iteration(
        self,
        data: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Takes its input into the next iteration."""
        return self._add("NextIteration", (data,), {}, None, called=name, device=device, after=after)

    def ref_next_iteration(
        self,
        data: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """[`NextIteration`] for references."""
        return self._add("RefNextIteration", (data,), {}, None, called=name, device=device, after=after)

    def switch(
        self,
        data: Value,
        pred: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> SwitchOutputs:
        """Passes its data to the output that `pred` chooses; the other is dead."""
        return self._add("Switch", (data, pred), {}, SwitchOutputs, called=name, device=device, after=after)

    def ref_switch(
        self,
        data: Value,
        pred: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> RefSwitchOutputs:
        """[`Switch`] for references."""
        return self._add("RefSwitch", (data, pred), {}, RefSwitchOutputs, called=name, device=device, after=after)

    def _switch_n(
        self,
        data: Value,
        output_index: Value,
        num_outs: int,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """Passes its data to the output that `output_index` chooses, to the last where there is no such output; the others
        are dead.

        Args:
            num_outs: Number of outputs.
        """
        return self._add("_SwitchN", (data, output_index), {"num_outs": num_outs}, None, called=name, device=device, after=after)

    def no_op(
        self,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Does nothing; its control edges order other nodes."""
        return self._add("NoOp", (), {}, None, called=name, device=device, after=after)

    def for_(
        self,
        start: Value,
        limit: Value,
        delta: Value,
        input: Sequence[Value],
        body: str,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """Runs `body` for every number from `start` up to `limit`, which is not reached, in steps of `delta`.

        Args:
            body: The function; its first argument is the number.
        """
        return self._add("For", (start, limit, delta, input), {"body": body}, None, called=name, device=device, after=after)

    def stateless_while(
        self,
        input: Sequence[Value],
        cond: str,
        body: str,
        *,
        output_shapes: Sequence[ShapeLike | None] = (),
        parallel_iterations: int = 10,
        _lower_using_switch_merge: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """[`While`] for functions without side effects.

        Args:
            cond: The function that says whether to go on.
            body: The function that computes the variables anew.
            output_shapes: Shapes of the results.
            parallel_iterations: Not used: an iteration starts when the one before has ended.
            _lower_using_switch_merge: True where TensorFlow would make it part of the graph around it, so that nodes of
                the functions may have devices of their own.
        """
        return self._add("StatelessWhile", (input,), {"cond": cond, "body": body, "output_shapes": output_shapes, "parallel_iterations": parallel_iterations, "_lower_using_switch_merge": _lower_using_switch_merge}, None, called=name, device=device, after=after)

    def while_(
        self,
        input: Sequence[Value],
        cond: str,
        body: str,
        *,
        output_shapes: Sequence[ShapeLike | None] = (),
        parallel_iterations: int = 10,
        _lower_using_switch_merge: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """Runs `body` as long as `cond` says so.

        Args:
            cond: The function that says whether to go on.
            body: The function that computes the variables anew.
            output_shapes: Shapes of the results.
            parallel_iterations: Not used: an iteration starts when the one before has ended.
            _lower_using_switch_merge: True where TensorFlow would make it part of the graph around it, so that nodes of
                the functions may have devices of their own.
        """
        return self._add("While", (input,), {"cond": cond, "body": body, "output_shapes": output_shapes, "parallel_iterations": parallel_iterations, "_lower_using_switch_merge": _lower_using_switch_merge}, None, called=name, device=device, after=after)

    def _while(
        self,
        input: Sequence[Value],
        cond: str,
        body: str,
        *,
        _lower_using_switch_merge: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """Runs `body` as long as `cond` says so.

        Args:
            cond: The function that says whether to go on.
            body: The function that computes the variables anew.
            _lower_using_switch_merge: True where TensorFlow would make it part of the graph around it, so that nodes of
                the functions may have devices of their own.
        """
        return self._add("_While", (input,), {"cond": cond, "body": body, "_lower_using_switch_merge": _lower_using_switch_merge}, None, called=name, device=device, after=after)

    def _recv(
        self,
        tensor_type: DTypeLike,
        tensor_name: str | bytes,
        send_device: str | bytes,
        recv_device: str | bytes,
        *,
        send_device_incarnation: int = 0,
        client_terminated: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A tensor that goes from one device to another.

        Args:
            tensor_type: Element type.
            tensor_name: Name of the tensor.
            send_device: The device that sends.
            recv_device: The device that receives.
            send_device_incarnation: Distinguishes starts of the sender.
            client_terminated: True where the caller receives in place of a node.
        """
        return self._add("_Recv", (), {"tensor_type": tensor_type, "tensor_name": tensor_name, "send_device": send_device, "recv_device": recv_device, "send_device_incarnation": send_device_incarnation, "client_terminated": client_terminated}, None, called=name, device=device, after=after)

    def _host_recv(
        self,
        tensor_type: DTypeLike,
        tensor_name: str | bytes,
        send_device: str | bytes,
        recv_device: str | bytes,
        *,
        send_device_incarnation: int = 0,
        client_terminated: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A tensor that goes from one device to another and is in the host's memory at both ends.

        Args:
            tensor_type: Element type.
            tensor_name: Name of the tensor.
            send_device: The device that sends.
            recv_device: The device that receives.
            send_device_incarnation: Distinguishes starts of the sender.
            client_terminated: True where the caller receives in place of a node.
        """
        return self._add("_HostRecv", (), {"tensor_type": tensor_type, "tensor_name": tensor_name, "send_device": send_device, "recv_device": recv_device, "send_device_incarnation": send_device_incarnation, "client_terminated": client_terminated}, None, called=name, device=device, after=after)

    def _send(
        self,
        tensor: Value,
        tensor_name: str | bytes,
        send_device: str | bytes,
        recv_device: str | bytes,
        *,
        send_device_incarnation: int = 0,
        client_terminated: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """A tensor that goes from one device to another.

        Args:
            tensor_name: Name of the tensor.
            send_device: The device that sends.
            recv_device: The device that receives.
            send_device_incarnation: Distinguishes starts of the sender.
            client_terminated: True where the caller sends in place of a node.
        """
        return self._add("_Send", (tensor,), {"tensor_name": tensor_name, "send_device": send_device, "recv_device": recv_device, "send_device_incarnation": send_device_incarnation, "client_terminated": client_terminated}, None, called=name, device=device, after=after)

    def _host_send(
        self,
        tensor: Value,
        tensor_name: str | bytes,
        send_device: str | bytes,
        recv_device: str | bytes,
        *,
        send_device_incarnation: int = 0,
        client_terminated: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """A tensor that goes from one device to another and is in the host's memory at both ends.

        Args:
            tensor_name: Name of the tensor.
            send_device: The device that sends.
            recv_device: The device that receives.
            send_device_incarnation: Distinguishes starts of the sender.
            client_terminated: True where the caller sends in place of a node.
        """
        return self._add("_HostSend", (tensor,), {"tensor_name": tensor_name, "send_device": send_device, "recv_device": recv_device, "send_device_incarnation": send_device_incarnation, "client_terminated": client_terminated}, None, called=name, device=device, after=after)

    # ctc

    def ctc_beam_search_decoder(
        self,
        inputs: Value,
        sequence_length: Value,
        beam_width: int,
        top_paths: int,
        *,
        merge_repeated: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> CTCBeamSearchDecoderOutputs:
        """Searches for the most probable sequences of labels, where the last class is the blank: for each rank labels as a
        sparse matrix, and the logarithms of the probabilities.

        Args:
            beam_width: How many sequences are kept from step to step.
            top_paths: How many sequences are given.
            merge_repeated: True to keep one of several equal labels in a row.
        """
        return self._add("CTCBeamSearchDecoder", (inputs, sequence_length), {"beam_width": beam_width, "top_paths": top_paths, "merge_repeated": merge_repeated}, CTCBeamSearchDecoderOutputs, called=name, device=device, after=after)

    def edit_distance(
        self,
        hypothesis_indices: Value,
        hypothesis_values: Value,
        hypothesis_shape: Value,
        truth_indices: Value,
        truth_values: Value,
        truth_shape: Value,
        *,
        normalize: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """For each sequence, the elements along the last axis of a sparse tensor, the least number of elements to insert,
        delete and replace to make that of `hypothesis` the one of `truth`.

        Args:
            normalize: True to divide by the length of the sequence in `truth`.
        """
        return self._add("EditDistance", (hypothesis_indices, hypothesis_values, hypothesis_shape, truth_indices, truth_values, truth_shape), {"normalize": normalize}, None, called=name, device=device, after=after)

    def ctc_greedy_decoder(
        self,
        inputs: Value,
        sequence_length: Value,
        *,
        merge_repeated: bool = False,
        blank_index: int = -1,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> CTCGreedyDecoderOutputs:
        """Reads the label with the best score of each step, without blanks: labels as a sparse matrix, and for each
        sequence the negated sum of the scores.

        Args:
            merge_repeated: True to keep one of several equal labels in a row.
            blank_index: The class that stands for no label; counted from the end where it is negative.
        """
        return self._add("CTCGreedyDecoder", (inputs, sequence_length), {"merge_repeated": merge_repeated, "blank_index": blank_index}, CTCGreedyDecoderOutputs, called=name, device=device, after=after)

    def ctc_loss(
        self,
        inputs: Value,
        labels_indices: Value,
        labels_values: Value,
        sequence_length: Value,
        *,
        preprocess_collapse_repeated: bool = False,
        ctc_merge_repeated: bool = True,
        ignore_longer_outputs_than_inputs: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> CTCLossOutputs:
        """For each sequence the negated logarithm of the probability that the scores give its labels, and the gradient of
        that with respect to the scores. The last class is the blank.

        Args:
            preprocess_collapse_repeated: True to count several equal labels in a row as one.
            ctc_merge_repeated: True where equal labels in a row need a blank between them; false where each is a label
                of its own.
            ignore_longer_outputs_than_inputs: True for no loss of sequences with more labels than steps, which are an
                error otherwise.
        """
        return self._add("CTCLoss", (inputs, labels_indices, labels_values, sequence_length), {"preprocess_collapse_repeated": preprocess_collapse_repeated, "ctc_merge_repeated": ctc_merge_repeated, "ignore_longer_outputs_than_inputs": ignore_longer_outputs_than_inputs}, CTCLossOutputs, called=name, device=device, after=after)

    def ctc_loss_v2(
        self,
        inputs: Value,
        labels_indices: Value,
        labels_values: Value,
        sequence_length: Value,
        *,
        preprocess_collapse_repeated: bool = False,
        ctc_merge_repeated: bool = True,
        ignore_longer_outputs_than_inputs: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> CTCLossV2Outputs:
        """`CTCLoss` where the first class is the blank, with the default attrs only.

        Args:
            preprocess_collapse_repeated: True to count several equal labels in a row as one.
            ctc_merge_repeated: True where equal labels in a row need a blank between them; false where each is a label
                of its own.
            ignore_longer_outputs_than_inputs: True for no loss of sequences with more labels than steps, which are an
                error otherwise.
        """
        return self._add("CTCLossV2", (inputs, labels_indices, labels_values, sequence_length), {"preprocess_collapse_repeated": preprocess_collapse_repeated, "ctc_merge_repeated": ctc_merge_repeated, "ignore_longer_outputs_than_inputs": ignore_longer_outputs_than_inputs}, CTCLossV2Outputs, called=name, device=device, after=after)

    # data

    def get_element_at_index(
        self,
        dataset: Value,
        index: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """The element of a dataset of this number.

        Args:
            output_types: Dtypes of the element.
            output_shapes: Shapes of the element.
        """
        return self._add("GetElementAtIndex", (dataset, index), {"output_types": output_types, "output_shapes": output_shapes}, None, called=name, device=device, after=after)

    def assert_cardinality_dataset(
        self,
        input_dataset: Value,
        cardinality: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The elements of a dataset, which fails where there are more or fewer than `cardinality`; -1 for no end.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
        """
        return self._add("AssertCardinalityDataset", (input_dataset, cardinality), {"output_types": output_types, "output_shapes": output_shapes}, None, called=name, device=device, after=after)

    def assert_next_dataset(
        self,
        input_dataset: Value,
        transformations: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset whose next transformations TensorFlow's optimizer should have made these, which is not checked.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
        """
        return self._add("AssertNextDataset", (input_dataset, transformations), {"output_types": output_types, "output_shapes": output_shapes}, None, called=name, device=device, after=after)

    def experimental_assert_next_dataset(
        self,
        input_dataset: Value,
        transformations: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset whose next transformations TensorFlow's optimizer should have made these, which is not checked.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            metadata: Not used.
        """
        return self._add("ExperimentalAssertNextDataset", (input_dataset, transformations), {"output_types": output_types, "output_shapes": output_shapes, "metadata": metadata}, None, called=name, device=device, after=after)

    def assert_prev_dataset(
        self,
        input_dataset: Value,
        transformations: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset whose next transformations TensorFlow's optimizer should have made these, which is not checked.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            metadata: Not used.
        """
        return self._add("AssertPrevDataset", (input_dataset, transformations), {"output_types": output_types, "output_shapes": output_shapes, "metadata": metadata}, None, called=name, device=device, after=after)

    def latency_stats_dataset(
        self,
        input_dataset: Value,
        tag: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset of which a collector of statistics should get the time of each element, which it does not.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
        """
        return self._add("LatencyStatsDataset", (input_dataset, tag), {"output_types": output_types, "output_shapes": output_shapes}, None, called=name, device=device, after=after)

    def experimental_latency_stats_dataset(
        self,
        input_dataset: Value,
        tag: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset of which a collector of statistics should get the time of each element, which it does not.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            metadata: Not used.
        """
        return self._add("ExperimentalLatencyStatsDataset", (input_dataset, tag), {"output_types": output_types, "output_shapes": output_shapes, "metadata": metadata}, None, called=name, device=device, after=after)

    def bytes_produced_stats_dataset(
        self,
        input_dataset: Value,
        tag: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset of which a collector of statistics should get the size of each element, which it does not.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            metadata: Not used.
        """
        return self._add("BytesProducedStatsDataset", (input_dataset, tag), {"output_types": output_types, "output_shapes": output_shapes, "metadata": metadata}, None, called=name, device=device, after=after)

    def experimental_bytes_produced_stats_dataset(
        self,
        input_dataset: Value,
        tag: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset of which a collector of statistics should get the size of each element, which it does not.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            metadata: Not used.
        """
        return self._add("ExperimentalBytesProducedStatsDataset", (input_dataset, tag), {"output_types": output_types, "output_shapes": output_shapes, "metadata": metadata}, None, called=name, device=device, after=after)

    def non_serializable_dataset(
        self,
        input_dataset: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset that TensorFlow cannot write to a graph.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
        """
        return self._add("NonSerializableDataset", (input_dataset,), {"output_types": output_types, "output_shapes": output_shapes}, None, called=name, device=device, after=after)

    def experimental_non_serializable_dataset(
        self,
        input_dataset: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset that TensorFlow cannot write to a graph.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            metadata: Not used.
        """
        return self._add("ExperimentalNonSerializableDataset", (input_dataset,), {"output_types": output_types, "output_shapes": output_shapes, "metadata": metadata}, None, called=name, device=device, after=after)

    def sleep_dataset(
        self,
        input_dataset: Value,
        sleep_microseconds: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset whose elements TensorFlow gives `sleep_microseconds` late, to try what that does; here they come at
        once.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
        """
        return self._add("SleepDataset", (input_dataset, sleep_microseconds), {"output_types": output_types, "output_shapes": output_shapes}, None, called=name, device=device, after=after)

    def experimental_sleep_dataset(
        self,
        input_dataset: Value,
        sleep_microseconds: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset whose elements TensorFlow gives `sleep_microseconds` late, to try what that does; here they come at
        once.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            metadata: Not used.
        """
        return self._add("ExperimentalSleepDataset", (input_dataset, sleep_microseconds), {"output_types": output_types, "output_shapes": output_shapes, "metadata": metadata}, None, called=name, device=device, after=after)

    def auto_shard_dataset(
        self,
        input_dataset: Value,
        num_workers: Value,
        index: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        auto_shard_policy: int = 0,
        num_replicas: int = 0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The part of a dataset that worker `index` of `num_workers` reads: some of its files, or its elements whose
        number divided by that of the workers leaves the index.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            auto_shard_policy: What is divided: -1 for nothing, 0 for files where there are any and else elements, 1 for
                files, 2 for elements, 3 for what `ShardDataset` nodes with `num_shards` of -1 mark.
            num_replicas: How many batches the last `RebatchDatasetV2` makes of one where elements are divided.
        """
        return self._add("AutoShardDataset", (input_dataset, num_workers, index), {"output_types": output_types, "output_shapes": output_shapes, "auto_shard_policy": auto_shard_policy, "num_replicas": num_replicas}, None, called=name, device=device, after=after)

    def experimental_auto_shard_dataset(
        self,
        input_dataset: Value,
        num_workers: Value,
        index: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        auto_shard_policy: int = 0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The part of a dataset that worker `index` of `num_workers` reads: some of its files, or its elements whose
        number divided by that of the workers leaves the index.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            auto_shard_policy: What is divided: -1 for nothing, 0 for files where there are any and else elements, 1 for
                files, 2 for elements, 3 for what `ShardDataset` nodes with `num_shards` of -1 mark.
        """
        return self._add("ExperimentalAutoShardDataset", (input_dataset, num_workers, index), {"output_types": output_types, "output_shapes": output_shapes, "auto_shard_policy": auto_shard_policy}, None, called=name, device=device, after=after)

    def batch_dataset(
        self,
        input_dataset: Value,
        batch_size: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset whose elements are so many of those of another, each component as rows of one tensor.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            metadata: Not used.
        """
        return self._add("BatchDataset", (input_dataset, batch_size), {"output_types": output_types, "output_shapes": output_shapes, "metadata": metadata}, None, called=name, device=device, after=after)

    def batch_dataset_v2(
        self,
        input_dataset: Value,
        batch_size: Value,
        drop_remainder: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        parallel_copy: bool = False,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset whose elements are so many of those of another, each component as rows of one tensor.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            parallel_copy: Not used.
            metadata: Not used.
        """
        return self._add("BatchDatasetV2", (input_dataset, batch_size, drop_remainder), {"output_types": output_types, "output_shapes": output_shapes, "parallel_copy": parallel_copy, "metadata": metadata}, None, called=name, device=device, after=after)

    def compute_batch_size(
        self,
        input_dataset: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The size of a dataset's batches, as the nodes behind it say; -1 where they do not, or differ."""
        return self._add("ComputeBatchSize", (input_dataset,), {}, None, called=name, device=device, after=after)

    def anonymous_memory_cache(
        self,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> AnonymousMemoryCacheOutputs:
        """A handle of the memory of a cache."""
        return self._add("AnonymousMemoryCache", (), {}, AnonymousMemoryCacheOutputs, called=name, device=device, after=after)

    def cache_dataset(
        self,
        input_dataset: Value,
        filename: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The elements of a dataset, kept in memory or in a file once an iterator has given all of them.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            metadata: Not used.
        """
        return self._add("CacheDataset", (input_dataset, filename), {"output_types": output_types, "output_shapes": output_shapes, "metadata": metadata}, None, called=name, device=device, after=after)

    def cache_dataset_v2(
        self,
        input_dataset: Value,
        filename: Value,
        cache: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The elements of a dataset, kept in memory or in a file once an iterator has given all of them.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            metadata: Not used.
        """
        return self._add("CacheDatasetV2", (input_dataset, filename, cache), {"output_types": output_types, "output_shapes": output_shapes, "metadata": metadata}, None, called=name, device=device, after=after)

    def delete_memory_cache(
        self,
        handle: Value,
        deleter: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Does nothing: the memory of a cache goes with its last handle."""
        return self._add("DeleteMemoryCache", (handle, deleter), {}, None, called=name, device=device, after=after)

    def dummy_memory_cache(
        self,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A handle of nothing, for caches with memory of their own."""
        return self._add("DummyMemoryCache", (), {}, None, called=name, device=device, after=after)

    def dataset_cardinality(
        self,
        input_dataset: Value,
        *,
        cardinality_options: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The number of elements of a dataset; -1 for one without an end, -2 where that is not known.

        Args:
            cardinality_options: How much may be done to find out: with a `compute_level` of
                `CARDINALITY_COMPUTE_MODERATE` the functions of a `FlatMapDataset` are called for how many elements their
                datasets have.
        """
        return self._add("DatasetCardinality", (input_dataset,), {"cardinality_options": cardinality_options}, None, called=name, device=device, after=after)

    def experimental_dataset_cardinality(
        self,
        input_dataset: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The number of elements of a dataset; -1 for one without an end, -2 where that is not known."""
        return self._add("ExperimentalDatasetCardinality", (input_dataset,), {}, None, called=name, device=device, after=after)

    def choose_fastest_dataset(
        self,
        input_datasets: Sequence[Value],
        num_experiments: int,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The elements of several datasets that have the same: of the first until the fastest has been found, then of that
        one.

        Args:
            num_experiments: How many elements of each are measured.
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
        """
        return self._add("ChooseFastestDataset", (input_datasets,), {"num_experiments": num_experiments, "output_types": output_types, "output_shapes": output_shapes}, None, called=name, device=device, after=after)

    def experimental_choose_fastest_dataset(
        self,
        input_datasets: Sequence[Value],
        num_experiments: int,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The elements of several datasets that have the same: of the first until the fastest has been found, then of that
        one.

        Args:
            num_experiments: How many elements of each are measured.
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
        """
        return self._add("ExperimentalChooseFastestDataset", (input_datasets,), {"num_experiments": num_experiments, "output_types": output_types, "output_shapes": output_shapes}, None, called=name, device=device, after=after)

    def compress_element(
        self,
        components: Sequence[Value],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Tensors in one variant."""
        return self._add("CompressElement", (components,), {}, None, called=name, device=device, after=after)

    def uncompress_element(
        self,
        compressed: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """The tensors that a variant holds.

        Args:
            output_types: Dtypes of the tensors.
            output_shapes: Shapes of the tensors.
        """
        return self._add("UncompressElement", (compressed,), {"output_types": output_types, "output_shapes": output_shapes}, None, called=name, device=device, after=after)

    def concatenate_dataset(
        self,
        input_dataset: Value,
        another_dataset: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The elements of one dataset, then those of another.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            metadata: Not used.
        """
        return self._add("ConcatenateDataset", (input_dataset, another_dataset), {"output_types": output_types, "output_shapes": output_shapes, "metadata": metadata}, None, called=name, device=device, after=after)

    def csv_dataset(
        self,
        filenames: Value,
        compression_type: Value,
        buffer_size: Value,
        header: Value,
        field_delim: Value,
        use_quote_delim: Value,
        na_value: Value,
        select_cols: Value,
        record_defaults: Sequence[Value],
        output_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The records of files of comma-separated values, with a component for each column.

        Args:
            output_shapes: Shapes of the columns.
        """
        return self._add("CSVDataset", (filenames, compression_type, buffer_size, header, field_delim, use_quote_delim, na_value, select_cols, record_defaults), {"output_shapes": output_shapes}, None, called=name, device=device, after=after)

    def csv_dataset_v2(
        self,
        filenames: Value,
        compression_type: Value,
        buffer_size: Value,
        header: Value,
        field_delim: Value,
        use_quote_delim: Value,
        na_value: Value,
        select_cols: Value,
        record_defaults: Sequence[Value],
        exclude_cols: Value,
        output_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The records of files of comma-separated values, with a component for each column.

        Args:
            output_shapes: Shapes of the columns.
        """
        return self._add("CSVDatasetV2", (filenames, compression_type, buffer_size, header, field_delim, use_quote_delim, na_value, select_cols, record_defaults, exclude_cols), {"output_shapes": output_shapes}, None, called=name, device=device, after=after)

    def experimental_csv_dataset(
        self,
        filenames: Value,
        compression_type: Value,
        buffer_size: Value,
        header: Value,
        field_delim: Value,
        use_quote_delim: Value,
        na_value: Value,
        select_cols: Value,
        record_defaults: Sequence[Value],
        output_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The records of files of comma-separated values, with a component for each column.

        Args:
            output_shapes: Shapes of the columns.
        """
        return self._add("ExperimentalCSVDataset", (filenames, compression_type, buffer_size, header, field_delim, use_quote_delim, na_value, select_cols, record_defaults), {"output_shapes": output_shapes}, None, called=name, device=device, after=after)

    def dataset_fingerprint(
        self,
        input_dataset: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A number that is the same for datasets that are made alike."""
        return self._add("DatasetFingerprint", (input_dataset,), {}, None, called=name, device=device, after=after)

    def dataset_from_graph(
        self,
        graph_def: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The dataset that `DatasetToGraph` wrote."""
        return self._add("DatasetFromGraph", (graph_def,), {}, None, called=name, device=device, after=after)

    def dataset_to_graph(
        self,
        input_dataset: Value,
        *,
        stateful_whitelist: Sequence[str | bytes] = (),
        allow_stateful: bool = False,
        strip_device_assignment: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset as a graph, in protobuf's binary format: what `DatasetFromGraph` makes the same dataset of.

        Args:
            stateful_whitelist: Not used.
            allow_stateful: Not used.
            strip_device_assignment: Not used: the nodes have no devices.
        """
        return self._add("DatasetToGraph", (input_dataset,), {"stateful_whitelist": stateful_whitelist, "allow_stateful": allow_stateful, "strip_device_assignment": strip_device_assignment}, None, called=name, device=device, after=after)

    def dataset_to_graph_v2(
        self,
        input_dataset: Value,
        *,
        external_state_policy: int = 0,
        strip_device_assignment: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset as a graph, in protobuf's binary format: what `DatasetFromGraph` makes the same dataset of.

        Args:
            external_state_policy: Not used: state is that of the session.
            strip_device_assignment: Not used: the nodes have no devices.
        """
        return self._add("DatasetToGraphV2", (input_dataset,), {"external_state_policy": external_state_policy, "strip_device_assignment": strip_device_assignment}, None, called=name, device=device, after=after)

    def directed_interleave_dataset(
        self,
        selector_input_dataset: Value,
        data_input_datasets: Sequence[Value],
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        stop_on_empty_dataset: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Elements of several datasets: the next one is of the dataset whose number the selector's next element is.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            stop_on_empty_dataset: True where it ends with the first dataset that ends; otherwise that one is left out
                from then on.
        """
        return self._add("DirectedInterleaveDataset", (selector_input_dataset, data_input_datasets), {"output_types": output_types, "output_shapes": output_shapes, "stop_on_empty_dataset": stop_on_empty_dataset}, None, called=name, device=device, after=after)

    def experimental_directed_interleave_dataset(
        self,
        selector_input_dataset: Value,
        data_input_datasets: Sequence[Value],
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Elements of several datasets: the next one is of the dataset whose number the selector's next element is.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
        """
        return self._add("ExperimentalDirectedInterleaveDataset", (selector_input_dataset, data_input_datasets), {"output_types": output_types, "output_shapes": output_shapes}, None, called=name, device=device, after=after)

    def fixed_length_record_dataset(
        self,
        filenames: Value,
        header_bytes: Value,
        record_bytes: Value,
        footer_bytes: Value,
        buffer_size: Value,
        *,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The records of files, each of `record_bytes` bytes, without the first and last bytes of each file.

        Args:
            metadata: Not used.
        """
        return self._add("FixedLengthRecordDataset", (filenames, header_bytes, record_bytes, footer_bytes, buffer_size), {"metadata": metadata}, None, called=name, device=device, after=after)

    def fixed_length_record_dataset_v2(
        self,
        filenames: Value,
        header_bytes: Value,
        record_bytes: Value,
        footer_bytes: Value,
        buffer_size: Value,
        compression_type: Value,
        *,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The records of files, each of `record_bytes` bytes, without the first and last bytes of each file.

        Args:
            metadata: Not used.
        """
        return self._add("FixedLengthRecordDatasetV2", (filenames, header_bytes, record_bytes, footer_bytes, buffer_size, compression_type), {"metadata": metadata}, None, called=name, device=device, after=after)

    def text_line_dataset(
        self,
        filenames: Value,
        compression_type: Value,
        buffer_size: Value,
        *,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The lines of files, without their ends.

        Args:
            metadata: Not used.
        """
        return self._add("TextLineDataset", (filenames, compression_type, buffer_size), {"metadata": metadata}, None, called=name, device=device, after=after)

    def tf_record_dataset(
        self,
        filenames: Value,
        compression_type: Value,
        buffer_size: Value,
        *,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The records of TFRecord files.

        Args:
            metadata: Not used.
        """
        return self._add("TFRecordDataset", (filenames, compression_type, buffer_size), {"metadata": metadata}, None, called=name, device=device, after=after)

    def tf_record_dataset_v2(
        self,
        filenames: Value,
        compression_type: Value,
        buffer_size: Value,
        byte_offsets: Value,
        *,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The records of TFRecord files.

        Args:
            metadata: Not used.
        """
        return self._add("TFRecordDatasetV2", (filenames, compression_type, buffer_size, byte_offsets), {"metadata": metadata}, None, called=name, device=device, after=after)

    def filter_dataset(
        self,
        input_dataset: Value,
        other_arguments: Sequence[Value],
        predicate: str,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The elements of a dataset of which a function says that they are to stay.

        Args:
            predicate: The function.
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            metadata: Not used.
        """
        return self._add("FilterDataset", (input_dataset, other_arguments), {"predicate": predicate, "output_types": output_types, "output_shapes": output_shapes, "metadata": metadata}, None, called=name, device=device, after=after)

    def generator_dataset(
        self,
        init_func_other_args: Sequence[Value],
        next_func_other_args: Sequence[Value],
        finalize_func_other_args: Sequence[Value],
        init_func: str,
        next_func: str,
        finalize_func: str,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset whose elements `next_func` gives, from a state that `init_func` makes, until it fails with
        `OUT_OF_RANGE`; then `finalize_func` is called.

        Args:
            init_func: Makes the state.
            next_func: Makes an element of the state.
            finalize_func: Is called with the state at the end, or when the iterator goes before that.
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            metadata: Not used.
        """
        return self._add("GeneratorDataset", (init_func_other_args, next_func_other_args, finalize_func_other_args), {"init_func": init_func, "next_func": next_func, "finalize_func": finalize_func, "output_types": output_types, "output_shapes": output_shapes, "metadata": metadata}, None, called=name, device=device, after=after)

    def iterator_get_next(
        self,
        iterator: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """The next element of an iterator. At the end it fails with `OUT_OF_RANGE`.

        Args:
            output_types: Dtypes of the element.
            output_shapes: Shapes of the element.
        """
        return self._add("IteratorGetNext", (iterator,), {"output_types": output_types, "output_shapes": output_shapes}, None, called=name, device=device, after=after)

    def iterator_get_next_sync(
        self,
        iterator: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """The next element of an iterator. At the end it fails with `OUT_OF_RANGE`.

        Args:
            output_types: Dtypes of the element.
            output_shapes: Shapes of the element.
        """
        return self._add("IteratorGetNextSync", (iterator,), {"output_types": output_types, "output_shapes": output_shapes}, None, called=name, device=device, after=after)

    def iterator_get_next_as_optional(
        self,
        iterator: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The next element of an iterator as an optional value, which is not there at the end.

        Args:
            output_types: Dtypes of the element.
            output_shapes: Shapes of the element.
        """
        return self._add("IteratorGetNextAsOptional", (iterator,), {"output_types": output_types, "output_shapes": output_shapes}, None, called=name, device=device, after=after)

    def global_shuffle_dataset(
        self,
        input_dataset: Value,
        seed: Value,
        seed2: Value,
        seed_generator: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        reshuffle_each_iteration: bool = True,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The elements of a dataset of which each can be got by its number, in a random order.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            reshuffle_each_iteration: True where each iterator has an order of its own.
            metadata: Not used.
        """
        return self._add("GlobalShuffleDataset", (input_dataset, seed, seed2, seed_generator), {"output_types": output_types, "output_shapes": output_shapes, "reshuffle_each_iteration": reshuffle_each_iteration, "metadata": metadata}, None, called=name, device=device, after=after)

    def group_by_reducer_dataset(
        self,
        input_dataset: Value,
        key_func_other_arguments: Sequence[Value],
        init_func_other_arguments: Sequence[Value],
        reduce_func_other_arguments: Sequence[Value],
        finalize_func_other_arguments: Sequence[Value],
        key_func: str,
        init_func: str,
        reduce_func: str,
        finalize_func: str,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Groups the elements of a dataset by the key that `key_func` gives. Of each group `reduce_func` makes a state,
        beginning with the one that `init_func` gives; at the end `finalize_func` makes an element of each state.

        Args:
            key_func: The key of an element.
            init_func: The first state of a group.
            reduce_func: The next state of a group.
            finalize_func: The element of a group.
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
        """
        return self._add("GroupByReducerDataset", (input_dataset, key_func_other_arguments, init_func_other_arguments, reduce_func_other_arguments, finalize_func_other_arguments), {"key_func": key_func, "init_func": init_func, "reduce_func": reduce_func, "finalize_func": finalize_func, "output_types": output_types, "output_shapes": output_shapes}, None, called=name, device=device, after=after)

    def experimental_group_by_reducer_dataset(
        self,
        input_dataset: Value,
        key_func_other_arguments: Sequence[Value],
        init_func_other_arguments: Sequence[Value],
        reduce_func_other_arguments: Sequence[Value],
        finalize_func_other_arguments: Sequence[Value],
        key_func: str,
        init_func: str,
        reduce_func: str,
        finalize_func: str,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Groups the elements of a dataset by the key that `key_func` gives. Of each group `reduce_func` makes a state,
        beginning with the one that `init_func` gives; at the end `finalize_func` makes an element of each state.

        Args:
            key_func: The key of an element.
            init_func: The first state of a group.
            reduce_func: The next state of a group.
            finalize_func: The element of a group.
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
        """
        return self._add("ExperimentalGroupByReducerDataset", (input_dataset, key_func_other_arguments, init_func_other_arguments, reduce_func_other_arguments, finalize_func_other_arguments), {"key_func": key_func, "init_func": init_func, "reduce_func": reduce_func, "finalize_func": finalize_func, "output_types": output_types, "output_shapes": output_shapes}, None, called=name, device=device, after=after)

    def group_by_window_dataset(
        self,
        input_dataset: Value,
        key_func_other_arguments: Sequence[Value],
        reduce_func_other_arguments: Sequence[Value],
        window_size_func_other_arguments: Sequence[Value],
        key_func: str,
        reduce_func: str,
        window_size_func: str,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Groups the elements of a dataset by the key that `key_func` gives. Once there are as many with one key as
        `window_size_func` says, `reduce_func` makes a dataset of the key and a dataset of them, and the elements of
        that come next.

        Args:
            key_func: The key of an element.
            reduce_func: The dataset of a group.
            window_size_func: The size of a group.
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            metadata: Not used.
        """
        return self._add("GroupByWindowDataset", (input_dataset, key_func_other_arguments, reduce_func_other_arguments, window_size_func_other_arguments), {"key_func": key_func, "reduce_func": reduce_func, "window_size_func": window_size_func, "output_types": output_types, "output_shapes": output_shapes, "metadata": metadata}, None, called=name, device=device, after=after)

    def experimental_group_by_window_dataset(
        self,
        input_dataset: Value,
        key_func_other_arguments: Sequence[Value],
        reduce_func_other_arguments: Sequence[Value],
        window_size_func_other_arguments: Sequence[Value],
        key_func: str,
        reduce_func: str,
        window_size_func: str,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Groups the elements of a dataset by the key that `key_func` gives. Once there are as many with one key as
        `window_size_func` says, `reduce_func` makes a dataset of the key and a dataset of them, and the elements of
        that come next.

        Args:
            key_func: The key of an element.
            reduce_func: The dataset of a group.
            window_size_func: The size of a group.
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
        """
        return self._add("ExperimentalGroupByWindowDataset", (input_dataset, key_func_other_arguments, reduce_func_other_arguments, window_size_func_other_arguments), {"key_func": key_func, "reduce_func": reduce_func, "window_size_func": window_size_func, "output_types": output_types, "output_shapes": output_shapes}, None, called=name, device=device, after=after)

    def ignore_errors_dataset(
        self,
        input_dataset: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        log_warning: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The elements of a dataset without those that fail.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            log_warning: True where each error is logged.
        """
        return self._add("IgnoreErrorsDataset", (input_dataset,), {"output_types": output_types, "output_shapes": output_shapes, "log_warning": log_warning}, None, called=name, device=device, after=after)

    def experimental_ignore_errors_dataset(
        self,
        input_dataset: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        log_warning: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The elements of a dataset without those that fail.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            log_warning: True where each error is logged.
        """
        return self._add("ExperimentalIgnoreErrorsDataset", (input_dataset,), {"output_types": output_types, "output_shapes": output_shapes, "log_warning": log_warning}, None, called=name, device=device, after=after)

    def initialize_table_from_dataset(
        self,
        table_handle: Value,
        dataset: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Fills a table with the elements of a dataset: pairs of a key and a value, or of as many of both."""
        return self._add("InitializeTableFromDataset", (table_handle, dataset), {}, None, called=name, device=device, after=after)

    def flat_map_dataset(
        self,
        input_dataset: Value,
        other_arguments: Sequence[Value],
        f: str,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The elements of the datasets that a function makes of each element, one dataset after the other.

        Args:
            f: The function.
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            metadata: Not used.
        """
        return self._add("FlatMapDataset", (input_dataset, other_arguments), {"f": f, "output_types": output_types, "output_shapes": output_shapes, "metadata": metadata}, None, called=name, device=device, after=after)

    def interleave_dataset(
        self,
        input_dataset: Value,
        other_arguments: Sequence[Value],
        cycle_length: Value,
        block_length: Value,
        f: str,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The elements of the datasets that a function makes of each element: `block_length` of each of `cycle_length`
        datasets in turn.

        Args:
            f: The function.
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            metadata: Not used.
        """
        return self._add("InterleaveDataset", (input_dataset, other_arguments, cycle_length, block_length), {"f": f, "output_types": output_types, "output_shapes": output_shapes, "metadata": metadata}, None, called=name, device=device, after=after)

    def parallel_interleave_dataset(
        self,
        input_dataset: Value,
        other_arguments: Sequence[Value],
        cycle_length: Value,
        block_length: Value,
        sloppy: Value,
        buffer_output_elements: Value,
        prefetch_input_elements: Value,
        f: str,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The elements of the datasets that a function makes of each element: `block_length` of each of `cycle_length`
        datasets in turn, computed before they are asked for.

        Args:
            f: The function.
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            metadata: Not used.
        """
        return self._add("ParallelInterleaveDataset", (input_dataset, other_arguments, cycle_length, block_length, sloppy, buffer_output_elements, prefetch_input_elements), {"f": f, "output_types": output_types, "output_shapes": output_shapes, "metadata": metadata}, None, called=name, device=device, after=after)

    def experimental_parallel_interleave_dataset(
        self,
        input_dataset: Value,
        other_arguments: Sequence[Value],
        cycle_length: Value,
        block_length: Value,
        sloppy: Value,
        buffer_output_elements: Value,
        prefetch_input_elements: Value,
        f: str,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The elements of the datasets that a function makes of each element: `block_length` of each of `cycle_length`
        datasets in turn, computed before they are asked for.

        Args:
            f: The function.
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
        """
        return self._add("ExperimentalParallelInterleaveDataset", (input_dataset, other_arguments, cycle_length, block_length, sloppy, buffer_output_elements, prefetch_input_elements), {"f": f, "output_types": output_types, "output_shapes": output_shapes}, None, called=name, device=device, after=after)

    def legacy_parallel_interleave_dataset_v2(
        self,
        input_dataset: Value,
        other_arguments: Sequence[Value],
        cycle_length: Value,
        block_length: Value,
        buffer_output_elements: Value,
        prefetch_input_elements: Value,
        f: str,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        deterministic: str | bytes = 'default',
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The elements of the datasets that a function makes of each element: `block_length` of each of `cycle_length`
        datasets in turn, computed before they are asked for.

        Args:
            f: The function.
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            deterministic: `false` where elements need not be in order; they are.
            metadata: Not used.
        """
        return self._add("LegacyParallelInterleaveDatasetV2", (input_dataset, other_arguments, cycle_length, block_length, buffer_output_elements, prefetch_input_elements), {"f": f, "output_types": output_types, "output_shapes": output_shapes, "deterministic": deterministic, "metadata": metadata}, None, called=name, device=device, after=after)

    def parallel_interleave_dataset_v2(
        self,
        input_dataset: Value,
        other_arguments: Sequence[Value],
        cycle_length: Value,
        block_length: Value,
        num_parallel_calls: Value,
        f: str,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        sloppy: bool = False,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The elements of the datasets that a function makes of each element: `block_length` of each of `cycle_length`
        datasets in turn, computed before they are asked for.

        Args:
            f: The function.
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            sloppy: True where elements need not be in order; they are.
            metadata: Not used.
        """
        return self._add("ParallelInterleaveDatasetV2", (input_dataset, other_arguments, cycle_length, block_length, num_parallel_calls), {"f": f, "output_types": output_types, "output_shapes": output_shapes, "sloppy": sloppy, "metadata": metadata}, None, called=name, device=device, after=after)

    def parallel_interleave_dataset_v3(
        self,
        input_dataset: Value,
        other_arguments: Sequence[Value],
        cycle_length: Value,
        block_length: Value,
        num_parallel_calls: Value,
        f: str,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        deterministic: str | bytes = 'default',
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The elements of the datasets that a function makes of each element: `block_length` of each of `cycle_length`
        datasets in turn, computed before they are asked for.

        Args:
            f: The function.
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            deterministic: `false` where elements need not be in order; they are.
            metadata: Not used.
        """
        return self._add("ParallelInterleaveDatasetV3", (input_dataset, other_arguments, cycle_length, block_length, num_parallel_calls), {"f": f, "output_types": output_types, "output_shapes": output_shapes, "deterministic": deterministic, "metadata": metadata}, None, called=name, device=device, after=after)

    def parallel_interleave_dataset_v4(
        self,
        input_dataset: Value,
        other_arguments: Sequence[Value],
        cycle_length: Value,
        block_length: Value,
        buffer_output_elements: Value,
        prefetch_input_elements: Value,
        num_parallel_calls: Value,
        f: str,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        deterministic: str | bytes = 'default',
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The elements of the datasets that a function makes of each element: `block_length` of each of `cycle_length`
        datasets in turn, computed before they are asked for.

        Args:
            f: The function.
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            deterministic: `false` where elements need not be in order; they are.
            metadata: Not used.
        """
        return self._add("ParallelInterleaveDatasetV4", (input_dataset, other_arguments, cycle_length, block_length, buffer_output_elements, prefetch_input_elements, num_parallel_calls), {"f": f, "output_types": output_types, "output_shapes": output_shapes, "deterministic": deterministic, "metadata": metadata}, None, called=name, device=device, after=after)

    def anonymous_iterator(
        self,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A handle of an iterator that nobody else knows. It stays as long as the session.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
        """
        return self._add("AnonymousIterator", (), {"output_types": output_types, "output_shapes": output_shapes}, None, called=name, device=device, after=after)

    def anonymous_iterator_v2(
        self,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> AnonymousIteratorV2Outputs:
        """A handle of an iterator that nobody else knows. It goes with its last handle.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
        """
        return self._add("AnonymousIteratorV2", (), {"output_types": output_types, "output_shapes": output_shapes}, AnonymousIteratorV2Outputs, called=name, device=device, after=after)

    def anonymous_iterator_v3(
        self,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A handle of an iterator that nobody else knows. It goes with its last handle.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
        """
        return self._add("AnonymousIteratorV3", (), {"output_types": output_types, "output_shapes": output_shapes}, None, called=name, device=device, after=after)

    def delete_iterator(
        self,
        handle: Value,
        deleter: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Deletes an iterator."""
        return self._add("DeleteIterator", (handle, deleter), {}, None, called=name, device=device, after=after)

    def iterator(
        self,
        shared_name: str | bytes,
        container: str | bytes,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A handle of an iterator, which begins once `MakeIterator` gives it a dataset.

        Args:
            shared_name: Name in the container; empty for the node's.
            container: Container that holds the iterator; empty for the default one.
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
        """
        return self._add("Iterator", (), {"shared_name": shared_name, "container": container, "output_types": output_types, "output_shapes": output_shapes}, None, called=name, device=device, after=after)

    def iterator_v2(
        self,
        shared_name: str | bytes,
        container: str | bytes,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A handle of an iterator, which begins once `MakeIterator` gives it a dataset.

        Args:
            shared_name: Name in the container; empty for the node's.
            container: Container that holds the iterator; empty for the default one.
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
        """
        return self._add("IteratorV2", (), {"shared_name": shared_name, "container": container, "output_types": output_types, "output_shapes": output_shapes}, None, called=name, device=device, after=after)

    def iterator_get_device(
        self,
        resource: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The name of the device that an iterator is on."""
        return self._add("IteratorGetDevice", (resource,), {}, None, called=name, device=device, after=after)

    def experimental_iterator_get_device(
        self,
        resource: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The name of the device that an iterator is on."""
        return self._add("ExperimentalIteratorGetDevice", (resource,), {}, None, called=name, device=device, after=after)

    def make_iterator(
        self,
        dataset: Value,
        iterator: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Lets an iterator begin with the first element of a dataset."""
        return self._add("MakeIterator", (dataset, iterator), {}, None, called=name, device=device, after=after)

    def list_dataset(
        self,
        tensors: Sequence[Value],
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset of these tensors, as many for each element as it has components.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            metadata: Not used.
        """
        return self._add("ListDataset", (tensors,), {"output_types": output_types, "output_shapes": output_shapes, "metadata": metadata}, None, called=name, device=device, after=after)

    def map_dataset(
        self,
        input_dataset: Value,
        other_arguments: Sequence[Value],
        f: str,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        use_inter_op_parallelism: bool = True,
        preserve_cardinality: bool = False,
        force_synchronous: bool = False,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset of what a function makes of each element of another.

        Args:
            f: The function.
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            use_inter_op_parallelism: Not used.
            preserve_cardinality: True where the function cannot end the dataset.
            force_synchronous: Not used.
            metadata: Not used.
        """
        return self._add("MapDataset", (input_dataset, other_arguments), {"f": f, "output_types": output_types, "output_shapes": output_shapes, "use_inter_op_parallelism": use_inter_op_parallelism, "preserve_cardinality": preserve_cardinality, "force_synchronous": force_synchronous, "metadata": metadata}, None, called=name, device=device, after=after)

    def map_and_batch_dataset(
        self,
        input_dataset: Value,
        other_arguments: Sequence[Value],
        batch_size: Value,
        num_parallel_calls: Value,
        drop_remainder: Value,
        f: str,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        preserve_cardinality: bool = False,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Batches of what a function makes of each element of a dataset. The function is called for `num_parallel_calls`
        elements at a time; for -1 for as many as turn out to be of use.

        Args:
            f: The function.
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            preserve_cardinality: True where the function cannot end the dataset.
            metadata: Not used.
        """
        return self._add("MapAndBatchDataset", (input_dataset, other_arguments, batch_size, num_parallel_calls, drop_remainder), {"f": f, "output_types": output_types, "output_shapes": output_shapes, "preserve_cardinality": preserve_cardinality, "metadata": metadata}, None, called=name, device=device, after=after)

    def experimental_map_and_batch_dataset(
        self,
        input_dataset: Value,
        other_arguments: Sequence[Value],
        batch_size: Value,
        num_parallel_calls: Value,
        drop_remainder: Value,
        f: str,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        preserve_cardinality: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Batches of what a function makes of each element of a dataset. The function is called for `num_parallel_calls`
        elements at a time; for -1 for as many as turn out to be of use.

        Args:
            f: The function.
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            preserve_cardinality: True where the function cannot end the dataset.
        """
        return self._add("ExperimentalMapAndBatchDataset", (input_dataset, other_arguments, batch_size, num_parallel_calls, drop_remainder), {"f": f, "output_types": output_types, "output_shapes": output_shapes, "preserve_cardinality": preserve_cardinality}, None, called=name, device=device, after=after)

    def map_defun(
        self,
        arguments: Sequence[Value],
        captured_inputs: Sequence[Value],
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        f: str,
        *,
        max_intra_op_parallelism: int = 1,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """Calls a function with each row of the arguments, and gives its results as rows.

        Args:
            output_types: Dtypes of the results.
            output_shapes: Shapes of the results of one call.
            f: The function.
            max_intra_op_parallelism: Not used.
        """
        return self._add("MapDefun", (arguments, captured_inputs), {"output_types": output_types, "output_shapes": output_shapes, "f": f, "max_intra_op_parallelism": max_intra_op_parallelism}, None, called=name, device=device, after=after)

    def matching_files_dataset(
        self,
        patterns: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset of the names of the files that match any of some patterns."""
        return self._add("MatchingFilesDataset", (patterns,), {}, None, called=name, device=device, after=after)

    def experimental_matching_files_dataset(
        self,
        patterns: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset of the names of the files that match any of some patterns."""
        return self._add("ExperimentalMatchingFilesDataset", (patterns,), {}, None, called=name, device=device, after=after)

    def anonymous_multi_device_iterator(
        self,
        devices: Sequence[str | bytes],
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> AnonymousMultiDeviceIteratorOutputs:
        """A handle of an iterator for several devices that nobody else knows.

        Args:
            devices: The devices.
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
        """
        return self._add("AnonymousMultiDeviceIterator", (), {"devices": devices, "output_types": output_types, "output_shapes": output_shapes}, AnonymousMultiDeviceIteratorOutputs, called=name, device=device, after=after)

    def anonymous_multi_device_iterator_v3(
        self,
        devices: Sequence[str | bytes],
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A handle of an iterator for several devices that nobody else knows.

        Args:
            devices: The devices.
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
        """
        return self._add("AnonymousMultiDeviceIteratorV3", (), {"devices": devices, "output_types": output_types, "output_shapes": output_shapes}, None, called=name, device=device, after=after)

    def delete_multi_device_iterator(
        self,
        multi_device_iterator: Value,
        iterators: Sequence[Value],
        deleter: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Deletes an iterator for several devices."""
        return self._add("DeleteMultiDeviceIterator", (multi_device_iterator, iterators, deleter), {}, None, called=name, device=device, after=after)

    def multi_device_iterator(
        self,
        devices: Sequence[str | bytes],
        shared_name: str | bytes,
        container: str | bytes,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A handle of an iterator that gives the elements of a dataset in turn to several devices.

        Args:
            devices: The devices.
            shared_name: Name in the container; empty for the node's.
            container: Container that holds the iterator; empty for the default one.
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
        """
        return self._add("MultiDeviceIterator", (), {"devices": devices, "shared_name": shared_name, "container": container, "output_types": output_types, "output_shapes": output_shapes}, None, called=name, device=device, after=after)

    def multi_device_iterator_from_string_handle(
        self,
        string_handle: Value,
        *,
        output_types: Sequence[DTypeLike] = (),
        output_shapes: Sequence[ShapeLike | None] = (),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The handle of the iterator for several devices whose handle as a string this is.

        Args:
            output_types: Dtypes of an element; empty for any.
            output_shapes: Shapes of an element; empty for any.
        """
        return self._add("MultiDeviceIteratorFromStringHandle", (string_handle,), {"output_types": output_types, "output_shapes": output_shapes}, None, called=name, device=device, after=after)

    def multi_device_iterator_get_next_from_shard(
        self,
        multi_device_iterator: Value,
        shard_num: Value,
        incarnation_id: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """The next element for a device. At the end it fails with `OUT_OF_RANGE`.

        Args:
            output_types: Dtypes of the element.
            output_shapes: Shapes of the element.
        """
        return self._add("MultiDeviceIteratorGetNextFromShard", (multi_device_iterator, shard_num, incarnation_id), {"output_types": output_types, "output_shapes": output_shapes}, None, called=name, device=device, after=after)

    def multi_device_iterator_init(
        self,
        dataset: Value,
        multi_device_iterator: Value,
        max_buffer_size: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Lets an iterator for several devices begin with the first element of a dataset, and gives the number of this
        beginning."""
        return self._add("MultiDeviceIteratorInit", (dataset, multi_device_iterator, max_buffer_size), {}, None, called=name, device=device, after=after)

    def multi_device_iterator_to_string_handle(
        self,
        multi_device_iterator: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The handle of an iterator for several devices as a string."""
        return self._add("MultiDeviceIteratorToStringHandle", (multi_device_iterator,), {}, None, called=name, device=device, after=after)

    def one_shot_iterator(
        self,
        dataset_factory: str,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A handle of an iterator over the dataset that a function makes, once.

        Args:
            dataset_factory: The function.
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            container: Container that holds the iterator; empty for the default one.
            shared_name: Name in the container; empty for the node's.
        """
        return self._add("OneShotIterator", (), {"dataset_factory": dataset_factory, "output_types": output_types, "output_shapes": output_shapes, "container": container, "shared_name": shared_name}, None, called=name, device=device, after=after)

    def finalize_dataset(
        self,
        input_dataset: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        has_captured_ref: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset, ready for its iterators.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            has_captured_ref: Not used.
        """
        return self._add("FinalizeDataset", (input_dataset,), {"output_types": output_types, "output_shapes": output_shapes, "has_captured_ref": has_captured_ref}, None, called=name, device=device, after=after)

    def get_options(
        self,
        input_dataset: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The options of a dataset and of those that it is made of, as the message that TensorFlow has for them."""
        return self._add("GetOptions", (input_dataset,), {}, None, called=name, device=device, after=after)

    def max_intra_op_parallelism_dataset(
        self,
        input_dataset: Value,
        max_intra_op_parallelism: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset whose functions may split their work so often, which is not used: they have the session's threads.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
        """
        return self._add("MaxIntraOpParallelismDataset", (input_dataset, max_intra_op_parallelism), {"output_types": output_types, "output_shapes": output_shapes}, None, called=name, device=device, after=after)

    def experimental_max_intra_op_parallelism_dataset(
        self,
        input_dataset: Value,
        max_intra_op_parallelism: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset whose functions may split their work so often, which is not used: they have the session's threads.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            metadata: Not used.
        """
        return self._add("ExperimentalMaxIntraOpParallelismDataset", (input_dataset, max_intra_op_parallelism), {"output_types": output_types, "output_shapes": output_shapes, "metadata": metadata}, None, called=name, device=device, after=after)

    def model_dataset(
        self,
        input_dataset: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        algorithm: int = 0,
        cpu_budget: int = 0,
        ram_budget: int = 0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset with a budget for the numbers that it chooses itself.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            algorithm: Not used.
            cpu_budget: Threads; 0 for those of the session.
            ram_budget: Bytes of elements that are buffered; 0 for half of the memory.
        """
        return self._add("ModelDataset", (input_dataset,), {"output_types": output_types, "output_shapes": output_shapes, "algorithm": algorithm, "cpu_budget": cpu_budget, "ram_budget": ram_budget}, None, called=name, device=device, after=after)

    def optimize_dataset(
        self,
        input_dataset: Value,
        optimizations: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        optimization_configs: Sequence[str | bytes] = (),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset that may be rewritten, which it is not.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            optimization_configs: Not used.
        """
        return self._add("OptimizeDataset", (input_dataset, optimizations), {"output_types": output_types, "output_shapes": output_shapes, "optimization_configs": optimization_configs}, None, called=name, device=device, after=after)

    def optimize_dataset_v2(
        self,
        input_dataset: Value,
        optimizations_enabled: Value,
        optimizations_disabled: Value,
        optimizations_default: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        optimization_configs: Sequence[str | bytes] = (),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset that may be rewritten, which it is not.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            optimization_configs: Not used.
        """
        return self._add("OptimizeDatasetV2", (input_dataset, optimizations_enabled, optimizations_disabled, optimizations_default), {"output_types": output_types, "output_shapes": output_shapes, "optimization_configs": optimization_configs}, None, called=name, device=device, after=after)

    def options_dataset(
        self,
        input_dataset: Value,
        serialized_options: str | bytes,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset with options of how it is computed. None changes its elements; those of autotuning and `warm_start`
        are used.

        Args:
            serialized_options: The options.
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            metadata: Not used.
        """
        return self._add("OptionsDataset", (input_dataset,), {"serialized_options": serialized_options, "output_types": output_types, "output_shapes": output_shapes, "metadata": metadata}, None, called=name, device=device, after=after)

    def private_thread_pool_dataset(
        self,
        input_dataset: Value,
        num_threads: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset with threads of its own, which it does not get: it has the session's.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
        """
        return self._add("PrivateThreadPoolDataset", (input_dataset, num_threads), {"output_types": output_types, "output_shapes": output_shapes}, None, called=name, device=device, after=after)

    def experimental_private_thread_pool_dataset(
        self,
        input_dataset: Value,
        num_threads: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset with threads of its own, which it does not get: it has the session's.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            metadata: Not used.
        """
        return self._add("ExperimentalPrivateThreadPoolDataset", (input_dataset, num_threads), {"output_types": output_types, "output_shapes": output_shapes, "metadata": metadata}, None, called=name, device=device, after=after)

    def rewrite_dataset(
        self,
        input_dataset: Value,
        rewrite_name: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset that may be rewritten, which it is not.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
        """
        return self._add("RewriteDataset", (input_dataset, rewrite_name), {"output_types": output_types, "output_shapes": output_shapes}, None, called=name, device=device, after=after)

    def padded_batch_dataset(
        self,
        input_dataset: Value,
        batch_size: Value,
        padded_shapes: Sequence[Value],
        padding_values: Sequence[Value],
        output_shapes: Sequence[ShapeLike | None],
        *,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset whose elements are so many of those of another, each component as rows of one tensor and padded at the
        end of each axis: to the size that `padded_shapes` says, or for -1 to the largest of the batch.

        Args:
            output_shapes: Shapes of an element.
            metadata: Not used.
        """
        return self._add("PaddedBatchDataset", (input_dataset, batch_size, padded_shapes, padding_values), {"output_shapes": output_shapes, "metadata": metadata}, None, called=name, device=device, after=after)

    def padded_batch_dataset_v2(
        self,
        input_dataset: Value,
        batch_size: Value,
        padded_shapes: Sequence[Value],
        padding_values: Sequence[Value],
        drop_remainder: Value,
        output_shapes: Sequence[ShapeLike | None],
        *,
        parallel_copy: bool = False,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset whose elements are so many of those of another, each component as rows of one tensor and padded at the
        end of each axis: to the size that `padded_shapes` says, or for -1 to the largest of the batch.

        Args:
            output_shapes: Shapes of an element.
            parallel_copy: Not used.
            metadata: Not used.
        """
        return self._add("PaddedBatchDatasetV2", (input_dataset, batch_size, padded_shapes, padding_values, drop_remainder), {"output_shapes": output_shapes, "parallel_copy": parallel_copy, "metadata": metadata}, None, called=name, device=device, after=after)

    def parallel_batch_dataset(
        self,
        input_dataset: Value,
        batch_size: Value,
        num_parallel_calls: Value,
        drop_remainder: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        parallel_copy: bool = False,
        deterministic: str | bytes = 'default',
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset whose elements are so many of those of another, each component as rows of one tensor.
        `num_parallel_calls` of them are computed before they are asked for; for -1 as many as turn out to be of use.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            parallel_copy: Not used.
            deterministic: Not used: the order is always that of the input.
            metadata: Not used.
        """
        return self._add("ParallelBatchDataset", (input_dataset, batch_size, num_parallel_calls, drop_remainder), {"output_types": output_types, "output_shapes": output_shapes, "parallel_copy": parallel_copy, "deterministic": deterministic, "metadata": metadata}, None, called=name, device=device, after=after)

    def parallel_filter_dataset(
        self,
        input_dataset: Value,
        other_arguments: Sequence[Value],
        num_parallel_calls: Value,
        predicate: str,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        deterministic: str | bytes = 'default',
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The elements of a dataset of which a function says that they are to stay. It is called for `num_parallel_calls`
        elements at a time; for -1 for as many as turn out to be of use.

        Args:
            predicate: The function.
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            deterministic: `false` where an element may overtake those before it.
            metadata: Not used.
        """
        return self._add("ParallelFilterDataset", (input_dataset, other_arguments, num_parallel_calls), {"predicate": predicate, "output_types": output_types, "output_shapes": output_shapes, "deterministic": deterministic, "metadata": metadata}, None, called=name, device=device, after=after)

    def parallel_map_dataset(
        self,
        input_dataset: Value,
        other_arguments: Sequence[Value],
        num_parallel_calls: Value,
        f: str,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        use_inter_op_parallelism: bool = True,
        sloppy: bool = False,
        preserve_cardinality: bool = False,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset of what a function makes of each element of another. The function is called for `num_parallel_calls`
        elements at a time; for -1 for as many as turn out to be of use.

        Args:
            f: The function.
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            use_inter_op_parallelism: Not used.
            sloppy: True where an element may overtake those before it.
            preserve_cardinality: True where the function cannot end the dataset.
            metadata: Not used.
        """
        return self._add("ParallelMapDataset", (input_dataset, other_arguments, num_parallel_calls), {"f": f, "output_types": output_types, "output_shapes": output_shapes, "use_inter_op_parallelism": use_inter_op_parallelism, "sloppy": sloppy, "preserve_cardinality": preserve_cardinality, "metadata": metadata}, None, called=name, device=device, after=after)

    def parallel_map_dataset_v2(
        self,
        input_dataset: Value,
        other_arguments: Sequence[Value],
        num_parallel_calls: Value,
        f: str,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        use_inter_op_parallelism: bool = True,
        deterministic: str | bytes = 'default',
        preserve_cardinality: bool = False,
        use_unbounded_threadpool: bool = False,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset of what a function makes of each element of another. The function is called for `num_parallel_calls`
        elements at a time; for -1 for as many as turn out to be of use.

        Args:
            f: The function.
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            use_inter_op_parallelism: Not used.
            deterministic: `false` where an element may overtake those before it.
            preserve_cardinality: True where the function cannot end the dataset.
            use_unbounded_threadpool: Not used.
            metadata: Not used.
        """
        return self._add("ParallelMapDatasetV2", (input_dataset, other_arguments, num_parallel_calls), {"f": f, "output_types": output_types, "output_shapes": output_shapes, "use_inter_op_parallelism": use_inter_op_parallelism, "deterministic": deterministic, "preserve_cardinality": preserve_cardinality, "use_unbounded_threadpool": use_unbounded_threadpool, "metadata": metadata}, None, called=name, device=device, after=after)

    def parse_example_dataset(
        self,
        input_dataset: Value,
        num_parallel_calls: Value,
        dense_defaults: Sequence[Value],
        sparse_keys: Sequence[str | bytes],
        dense_keys: Sequence[str | bytes],
        sparse_types: Sequence[DTypeLike],
        dense_shapes: Sequence[ShapeLike | None],
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        sloppy: bool = False,
        ragged_keys: Sequence[str | bytes] = (),
        ragged_value_types: Sequence[DTypeLike] = (),
        ragged_split_types: Sequence[DTypeLike] = (),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset of what vectors of examples hold under these keys: a component for each key, in the order of the keys.

        Args:
            sparse_keys: Keys of the sparse features.
            dense_keys: Keys of the dense features.
            sparse_types: Dtypes of the sparse features.
            dense_shapes: Shapes of the dense features; the first size may be unknown.
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            sloppy: Not used: the order is always that of the input.
            ragged_keys: Keys of the ragged features.
            ragged_value_types: Dtypes of the ragged features.
            ragged_split_types: Dtypes of the ragged features' splits.
        """
        return self._add("ParseExampleDataset", (input_dataset, num_parallel_calls, dense_defaults), {"sparse_keys": sparse_keys, "dense_keys": dense_keys, "sparse_types": sparse_types, "dense_shapes": dense_shapes, "output_types": output_types, "output_shapes": output_shapes, "sloppy": sloppy, "ragged_keys": ragged_keys, "ragged_value_types": ragged_value_types, "ragged_split_types": ragged_split_types}, None, called=name, device=device, after=after)

    def parse_example_dataset_v2(
        self,
        input_dataset: Value,
        num_parallel_calls: Value,
        dense_defaults: Sequence[Value],
        sparse_keys: Sequence[str | bytes],
        dense_keys: Sequence[str | bytes],
        sparse_types: Sequence[DTypeLike],
        dense_shapes: Sequence[ShapeLike | None],
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        deterministic: str | bytes = 'default',
        ragged_keys: Sequence[str | bytes] = (),
        ragged_value_types: Sequence[DTypeLike] = (),
        ragged_split_types: Sequence[DTypeLike] = (),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset of what vectors of examples hold under these keys: a component for each key, in the order of the keys.

        Args:
            sparse_keys: Keys of the sparse features.
            dense_keys: Keys of the dense features.
            sparse_types: Dtypes of the sparse features.
            dense_shapes: Shapes of the dense features; the first size may be unknown.
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            deterministic: Not used: the order is always that of the input.
            ragged_keys: Keys of the ragged features.
            ragged_value_types: Dtypes of the ragged features.
            ragged_split_types: Dtypes of the ragged features' splits.
        """
        return self._add("ParseExampleDatasetV2", (input_dataset, num_parallel_calls, dense_defaults), {"sparse_keys": sparse_keys, "dense_keys": dense_keys, "sparse_types": sparse_types, "dense_shapes": dense_shapes, "output_types": output_types, "output_shapes": output_shapes, "deterministic": deterministic, "ragged_keys": ragged_keys, "ragged_value_types": ragged_value_types, "ragged_split_types": ragged_split_types}, None, called=name, device=device, after=after)

    def experimental_parse_example_dataset(
        self,
        input_dataset: Value,
        num_parallel_calls: Value,
        dense_defaults: Sequence[Value],
        sparse_keys: Sequence[str | bytes],
        dense_keys: Sequence[str | bytes],
        sparse_types: Sequence[DTypeLike],
        dense_shapes: Sequence[ShapeLike | None],
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        sloppy: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset of what vectors of examples hold under these keys: a component for each key, in the order of the keys.

        Args:
            sparse_keys: Keys of the sparse features.
            dense_keys: Keys of the dense features.
            sparse_types: Dtypes of the sparse features.
            dense_shapes: Shapes of the dense features; the first size may be unknown.
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            sloppy: Not used: the order is always that of the input.
        """
        return self._add("ExperimentalParseExampleDataset", (input_dataset, num_parallel_calls, dense_defaults), {"sparse_keys": sparse_keys, "dense_keys": dense_keys, "sparse_types": sparse_types, "dense_shapes": dense_shapes, "output_types": output_types, "output_shapes": output_shapes, "sloppy": sloppy}, None, called=name, device=device, after=after)

    def prefetch_dataset(
        self,
        input_dataset: Value,
        buffer_size: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        slack_period: int = 0,
        legacy_autotune: bool = True,
        buffer_size_min: int = 0,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The elements of a dataset, `buffer_size` of which are computed before they are asked for; for -1 as many as turn
        out to be of use.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            slack_period: Not used.
            legacy_autotune: Not used.
            buffer_size_min: The least number for -1.
            metadata: Not used.
        """
        return self._add("PrefetchDataset", (input_dataset, buffer_size), {"output_types": output_types, "output_shapes": output_shapes, "slack_period": slack_period, "legacy_autotune": legacy_autotune, "buffer_size_min": buffer_size_min, "metadata": metadata}, None, called=name, device=device, after=after)

    def random_dataset(
        self,
        seed: Value,
        seed2: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset of random numbers of 32 bits, without end.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            metadata: Not used.
        """
        return self._add("RandomDataset", (seed, seed2), {"output_types": output_types, "output_shapes": output_shapes, "metadata": metadata}, None, called=name, device=device, after=after)

    def random_dataset_v2(
        self,
        seed: Value,
        seed2: Value,
        seed_generator: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        rerandomize_each_iteration: bool = False,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset of random numbers of 32 bits, without end.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            rerandomize_each_iteration: True where each iterator has numbers of its own.
            metadata: Not used.
        """
        return self._add("RandomDatasetV2", (seed, seed2, seed_generator), {"output_types": output_types, "output_shapes": output_shapes, "rerandomize_each_iteration": rerandomize_each_iteration, "metadata": metadata}, None, called=name, device=device, after=after)

    def experimental_random_dataset(
        self,
        seed: Value,
        seed2: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset of random numbers of 32 bits, without end.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
        """
        return self._add("ExperimentalRandomDataset", (seed, seed2), {"output_types": output_types, "output_shapes": output_shapes}, None, called=name, device=device, after=after)

    def range_dataset(
        self,
        start: Value,
        stop: Value,
        step: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        metadata: str | bytes = '',
        replicate_on_split: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset of the numbers from `start` up to `stop`, which is not reached, in steps of `step`.

        Args:
            output_types: The dtype of the numbers.
            output_shapes: Shapes of an element.
            metadata: Not used.
            replicate_on_split: Not used.
        """
        return self._add("RangeDataset", (start, stop, step), {"output_types": output_types, "output_shapes": output_shapes, "metadata": metadata, "replicate_on_split": replicate_on_split}, None, called=name, device=device, after=after)

    def rebatch_dataset(
        self,
        input_dataset: Value,
        num_replicas: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        use_fallback: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Each batch of a dataset cut into as many as there are replicas.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            use_fallback: Not used.
        """
        return self._add("RebatchDataset", (input_dataset, num_replicas), {"output_types": output_types, "output_shapes": output_shapes, "use_fallback": use_fallback}, None, called=name, device=device, after=after)

    def experimental_rebatch_dataset(
        self,
        input_dataset: Value,
        num_replicas: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        use_fallback: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Each batch of a dataset cut into as many as there are replicas.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            use_fallback: Not used.
        """
        return self._add("ExperimentalRebatchDataset", (input_dataset, num_replicas), {"output_types": output_types, "output_shapes": output_shapes, "use_fallback": use_fallback}, None, called=name, device=device, after=after)

    def rebatch_dataset_v2(
        self,
        input_dataset: Value,
        batch_sizes: Value,
        drop_remainder: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The rows of a dataset's batches in batches of these sizes, in turn.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
        """
        return self._add("RebatchDatasetV2", (input_dataset, batch_sizes, drop_remainder), {"output_types": output_types, "output_shapes": output_shapes}, None, called=name, device=device, after=after)

    def reduce_dataset(
        self,
        input_dataset: Value,
        initial_state: Sequence[Value],
        other_arguments: Sequence[Value],
        f: str,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        use_inter_op_parallelism: bool = True,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """What a function makes of all elements: it is called with a state and an element, and gives the state anew.

        Args:
            f: The function.
            output_types: Dtypes of the state.
            output_shapes: Shapes of the state.
            use_inter_op_parallelism: Not used.
            metadata: Not used.
        """
        return self._add("ReduceDataset", (input_dataset, initial_state, other_arguments), {"f": f, "output_types": output_types, "output_shapes": output_shapes, "use_inter_op_parallelism": use_inter_op_parallelism, "metadata": metadata}, None, called=name, device=device, after=after)

    def repeat_dataset(
        self,
        input_dataset: Value,
        count: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The elements of a dataset `count` times; without end for -1.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            metadata: Not used.
        """
        return self._add("RepeatDataset", (input_dataset, count), {"output_types": output_types, "output_shapes": output_shapes, "metadata": metadata}, None, called=name, device=device, after=after)

    def sampling_dataset(
        self,
        input_dataset: Value,
        rate: Value,
        seed: Value,
        seed2: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Each element of a dataset with probability `rate`.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
        """
        return self._add("SamplingDataset", (input_dataset, rate, seed, seed2), {"output_types": output_types, "output_shapes": output_shapes}, None, called=name, device=device, after=after)

    def load_dataset(
        self,
        path: Value,
        reader_func_other_args: Sequence[Value],
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        reader_func: str,
        *,
        compression: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The elements of a dataset that was saved in a directory: those of the dataset that a function makes of one whose
        elements are the shards.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            reader_func: Makes a dataset of that of the shards.
            compression: How the files are compressed.
        """
        return self._add("LoadDataset", (path, reader_func_other_args), {"output_types": output_types, "output_shapes": output_shapes, "reader_func": reader_func, "compression": compression}, None, called=name, device=device, after=after)

    def save_dataset(
        self,
        input_dataset: Value,
        path: Value,
        shard_func_other_args: Sequence[Value],
        shard_func: str,
        *,
        compression: str | bytes = '',
        use_shard_func: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Writes all elements of a dataset to a directory.

        Args:
            shard_func: Gives the number of the shard that an element goes to.
            compression: How the files are compressed.
            use_shard_func: False where all elements go to shard 0.
        """
        return self._add("SaveDataset", (input_dataset, path, shard_func_other_args), {"shard_func": shard_func, "compression": compression, "use_shard_func": use_shard_func}, None, called=name, device=device, after=after)

    def save_dataset_v2(
        self,
        input_dataset: Value,
        path: Value,
        shard_func_other_args: Sequence[Value],
        shard_func: str,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        compression: str | bytes = '',
        use_shard_func: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The elements of a dataset, which are written to a directory as they are given.

        Args:
            shard_func: Gives the number of the shard that an element goes to.
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            compression: How the files are compressed.
            use_shard_func: False where all elements go to shard 0.
        """
        return self._add("SaveDatasetV2", (input_dataset, path, shard_func_other_args), {"shard_func": shard_func, "output_types": output_types, "output_shapes": output_shapes, "compression": compression, "use_shard_func": use_shard_func}, None, called=name, device=device, after=after)

    def scan_dataset(
        self,
        input_dataset: Value,
        initial_state: Sequence[Value],
        other_arguments: Sequence[Value],
        f: str,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        preserve_cardinality: bool = False,
        use_default_device: bool = True,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset of what a function makes of each element of another and of a state. The function gives the state anew,
        then the element.

        Args:
            f: The function.
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            preserve_cardinality: True where the function cannot end the dataset.
            use_default_device: Not used.
            metadata: Not used.
        """
        return self._add("ScanDataset", (input_dataset, initial_state, other_arguments), {"f": f, "output_types": output_types, "output_shapes": output_shapes, "preserve_cardinality": preserve_cardinality, "use_default_device": use_default_device, "metadata": metadata}, None, called=name, device=device, after=after)

    def experimental_scan_dataset(
        self,
        input_dataset: Value,
        initial_state: Sequence[Value],
        other_arguments: Sequence[Value],
        f: str,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        preserve_cardinality: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset of what a function makes of each element of another and of a state. The function gives the state anew,
        then the element.

        Args:
            f: The function.
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            preserve_cardinality: True where the function cannot end the dataset.
        """
        return self._add("ExperimentalScanDataset", (input_dataset, initial_state, other_arguments), {"f": f, "output_types": output_types, "output_shapes": output_shapes, "preserve_cardinality": preserve_cardinality}, None, called=name, device=device, after=after)

    def anonymous_random_seed_generator(
        self,
        seed: Value,
        seed2: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> AnonymousRandomSeedGeneratorOutputs:
        """A handle of what gives each iterator of a dataset seeds of its own."""
        return self._add("AnonymousRandomSeedGenerator", (seed, seed2), {}, AnonymousRandomSeedGeneratorOutputs, called=name, device=device, after=after)

    def anonymous_seed_generator(
        self,
        seed: Value,
        seed2: Value,
        reshuffle: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> AnonymousSeedGeneratorOutputs:
        """A handle of what gives each iterator of a dataset its seeds."""
        return self._add("AnonymousSeedGenerator", (seed, seed2, reshuffle), {}, AnonymousSeedGeneratorOutputs, called=name, device=device, after=after)

    def delete_seed_generator(
        self,
        handle: Value,
        deleter: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Does nothing: what a handle refers to goes with its last handle."""
        return self._add("DeleteSeedGenerator", (handle, deleter), {}, None, called=name, device=device, after=after)

    def delete_random_seed_generator(
        self,
        handle: Value,
        deleter: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Does nothing: what a handle refers to goes with its last handle."""
        return self._add("DeleteRandomSeedGenerator", (handle, deleter), {}, None, called=name, device=device, after=after)

    def dummy_seed_generator(
        self,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A handle of nothing, for datasets that have their seeds from elsewhere."""
        return self._add("DummySeedGenerator", (), {}, None, called=name, device=device, after=after)

    def deserialize_iterator(
        self,
        resource_handle: Value,
        serialized: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Lets an iterator go on from a position in its dataset."""
        return self._add("DeserializeIterator", (resource_handle, serialized), {}, None, called=name, device=device, after=after)

    def serialize_iterator(
        self,
        resource_handle: Value,
        *,
        external_state_policy: int = 0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The position of an iterator, which stays where it is.

        Args:
            external_state_policy: Not used: all that functions keep stays with the session.
        """
        return self._add("SerializeIterator", (resource_handle,), {"external_state_policy": external_state_policy}, None, called=name, device=device, after=after)

    def shard_dataset(
        self,
        input_dataset: Value,
        num_shards: Value,
        index: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        require_non_empty: bool = False,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The elements of a dataset whose number divided by `num_shards` leaves `index`.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            require_non_empty: True where a shard without elements is an error.
            metadata: Not used.
        """
        return self._add("ShardDataset", (input_dataset, num_shards, index), {"output_types": output_types, "output_shapes": output_shapes, "require_non_empty": require_non_empty, "metadata": metadata}, None, called=name, device=device, after=after)

    def shuffle_and_repeat_dataset(
        self,
        input_dataset: Value,
        buffer_size: Value,
        seed: Value,
        seed2: Value,
        count: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        reshuffle_each_iteration: bool = True,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The elements of a dataset in random order, `count` times: each is one of the next `buffer_size`. An element of
        one time never comes before one of the time before.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            reshuffle_each_iteration: True where each iterator has an order of its own.
            metadata: Not used.
        """
        return self._add("ShuffleAndRepeatDataset", (input_dataset, buffer_size, seed, seed2, count), {"output_types": output_types, "output_shapes": output_shapes, "reshuffle_each_iteration": reshuffle_each_iteration, "metadata": metadata}, None, called=name, device=device, after=after)

    def shuffle_and_repeat_dataset_v2(
        self,
        input_dataset: Value,
        buffer_size: Value,
        seed: Value,
        seed2: Value,
        count: Value,
        seed_generator: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        reshuffle_each_iteration: bool = True,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The elements of a dataset in random order, `count` times: each is one of the next `buffer_size`. An element of
        one time never comes before one of the time before.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            reshuffle_each_iteration: True where each iterator has an order of its own.
            metadata: Not used.
        """
        return self._add("ShuffleAndRepeatDatasetV2", (input_dataset, buffer_size, seed, seed2, count, seed_generator), {"output_types": output_types, "output_shapes": output_shapes, "reshuffle_each_iteration": reshuffle_each_iteration, "metadata": metadata}, None, called=name, device=device, after=after)

    def shuffle_dataset(
        self,
        input_dataset: Value,
        buffer_size: Value,
        seed: Value,
        seed2: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        reshuffle_each_iteration: bool = True,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The elements of a dataset in random order: each is one of the next `buffer_size`.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            reshuffle_each_iteration: True where each iterator has an order of its own.
            metadata: Not used.
        """
        return self._add("ShuffleDataset", (input_dataset, buffer_size, seed, seed2), {"output_types": output_types, "output_shapes": output_shapes, "reshuffle_each_iteration": reshuffle_each_iteration, "metadata": metadata}, None, called=name, device=device, after=after)

    def shuffle_dataset_v2(
        self,
        input_dataset: Value,
        buffer_size: Value,
        seed_generator: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The elements of a dataset in random order: each is one of the next `buffer_size`.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            metadata: Not used.
        """
        return self._add("ShuffleDatasetV2", (input_dataset, buffer_size, seed_generator), {"output_types": output_types, "output_shapes": output_shapes, "metadata": metadata}, None, called=name, device=device, after=after)

    def shuffle_dataset_v3(
        self,
        input_dataset: Value,
        buffer_size: Value,
        seed: Value,
        seed2: Value,
        seed_generator: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        reshuffle_each_iteration: bool = True,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The elements of a dataset in random order: each is one of the next `buffer_size`.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            reshuffle_each_iteration: True where each iterator has an order of its own.
            metadata: Not used.
        """
        return self._add("ShuffleDatasetV3", (input_dataset, buffer_size, seed, seed2, seed_generator), {"output_types": output_types, "output_shapes": output_shapes, "reshuffle_each_iteration": reshuffle_each_iteration, "metadata": metadata}, None, called=name, device=device, after=after)

    def dataset_to_single_element(
        self,
        dataset: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """The element of a dataset that has one.

        Args:
            output_types: Dtypes of the element.
            output_shapes: Shapes of the element.
            metadata: Not used.
        """
        return self._add("DatasetToSingleElement", (dataset,), {"output_types": output_types, "output_shapes": output_shapes, "metadata": metadata}, None, called=name, device=device, after=after)

    def skip_dataset(
        self,
        input_dataset: Value,
        count: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset without its first `count` elements; without any for -1.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            metadata: Not used.
        """
        return self._add("SkipDataset", (input_dataset, count), {"output_types": output_types, "output_shapes": output_shapes, "metadata": metadata}, None, called=name, device=device, after=after)

    def snapshot_chunk_dataset(
        self,
        chunk_file: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        compression: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The elements of a file of a snapshot.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            compression: How the file is compressed.
        """
        return self._add("SnapshotChunkDataset", (chunk_file,), {"output_types": output_types, "output_shapes": output_shapes, "compression": compression}, None, called=name, device=device, after=after)

    def snapshot_dataset(
        self,
        input_dataset: Value,
        path: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        compression: str | bytes = '',
        reader_path_prefix: str | bytes = '',
        writer_path_prefix: str | bytes = '',
        shard_size_bytes: int = 10737418240,
        pending_snapshot_expiry_seconds: int = 86400,
        num_reader_threads: int = 1,
        reader_buffer_size: int = 1,
        num_writer_threads: int = 1,
        writer_buffer_size: int = 1,
        shuffle_on_read: bool = False,
        seed: int = 0,
        seed2: int = 0,
        mode: str | bytes = 'auto',
        snapshot_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset that is written to files when it is read for the first time, and read from these from then on.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            compression: How the files are compressed.
            reader_path_prefix: Goes before the path where files are read; must be empty.
            writer_path_prefix: Goes before the path where files are written; must be empty.
            shard_size_bytes: Bytes after which the next file begins.
            pending_snapshot_expiry_seconds: Seconds after which another that began to write is taken to have ended.
            num_reader_threads: Not used: one file is read at a time.
            reader_buffer_size: Not used.
            num_writer_threads: Not used: one file is written at a time.
            writer_buffer_size: Not used.
            shuffle_on_read: True where files are read in a random order.
            seed: Must be 0 where files are read in a random order.
            seed2: Must be 0 where files are read in a random order.
            mode: What is to be done: `auto`, `read`, `write` or `passthrough`.
            snapshot_name: Names the directory in place of a number that says what the dataset is made of.
        """
        return self._add("SnapshotDataset", (input_dataset, path), {"output_types": output_types, "output_shapes": output_shapes, "compression": compression, "reader_path_prefix": reader_path_prefix, "writer_path_prefix": writer_path_prefix, "shard_size_bytes": shard_size_bytes, "pending_snapshot_expiry_seconds": pending_snapshot_expiry_seconds, "num_reader_threads": num_reader_threads, "reader_buffer_size": reader_buffer_size, "num_writer_threads": num_writer_threads, "writer_buffer_size": writer_buffer_size, "shuffle_on_read": shuffle_on_read, "seed": seed, "seed2": seed2, "mode": mode, "snapshot_name": snapshot_name}, None, called=name, device=device, after=after)

    def snapshot_dataset_reader(
        self,
        shard_dir: Value,
        start_index: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        version: int,
        *,
        compression: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The elements of a shard of a snapshot, or of a directory that `SaveDataset` wrote, from one on.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            version: The version of the layout, which must be 2.
            compression: How the files are compressed.
        """
        return self._add("SnapshotDatasetReader", (shard_dir, start_index), {"output_types": output_types, "output_shapes": output_shapes, "version": version, "compression": compression}, None, called=name, device=device, after=after)

    def snapshot_dataset_v2(
        self,
        input_dataset: Value,
        path: Value,
        reader_func_other_args: Sequence[Value],
        shard_func_other_args: Sequence[Value],
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        reader_func: str,
        shard_func: str,
        *,
        compression: str | bytes = '',
        reader_prefix: str | bytes = '',
        writer_prefix: str | bytes = '',
        hash_valid: bool = False,
        hash: int = 0,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset that is written to files when it is read for the first time, and read from these from then on: in the
        shards that one function chooses, through the dataset that another makes of these.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            reader_func: Makes a dataset of that of the shards.
            shard_func: Gives the number of the shard that an element goes to.
            compression: How the files are compressed; `AUTO` for snappy.
            reader_prefix: Goes before the path where files are read; must be empty.
            writer_prefix: Goes before the path where files are written; must be empty.
            hash_valid: True where `hash` names the directory.
            hash: The directory below `path`, in place of a number that says what the dataset is made of.
            metadata: Not used.
        """
        return self._add("SnapshotDatasetV2", (input_dataset, path, reader_func_other_args, shard_func_other_args), {"output_types": output_types, "output_shapes": output_shapes, "reader_func": reader_func, "shard_func": shard_func, "compression": compression, "reader_prefix": reader_prefix, "writer_prefix": writer_prefix, "hash_valid": hash_valid, "hash": hash, "metadata": metadata}, None, called=name, device=device, after=after)

    def snapshot_nested_dataset_reader(
        self,
        inputs: Sequence[Value],
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset of datasets.

        Args:
            output_types: Dtypes of an element of the datasets.
            output_shapes: Shapes of an element of the datasets.
        """
        return self._add("SnapshotNestedDatasetReader", (inputs,), {"output_types": output_types, "output_shapes": output_shapes}, None, called=name, device=device, after=after)

    def dense_to_sparse_batch_dataset(
        self,
        input_dataset: Value,
        batch_size: Value,
        row_shape: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """So many elements of a dataset as the rows of a sparse tensor; `row_shape` is the shape of each, -1 for the
        largest size.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
        """
        return self._add("DenseToSparseBatchDataset", (input_dataset, batch_size, row_shape), {"output_types": output_types, "output_shapes": output_shapes}, None, called=name, device=device, after=after)

    def experimental_dense_to_sparse_batch_dataset(
        self,
        input_dataset: Value,
        batch_size: Value,
        row_shape: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """So many elements of a dataset as the rows of a sparse tensor; `row_shape` is the shape of each, -1 for the
        largest size.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            metadata: Not used.
        """
        return self._add("ExperimentalDenseToSparseBatchDataset", (input_dataset, batch_size, row_shape), {"output_types": output_types, "output_shapes": output_shapes, "metadata": metadata}, None, called=name, device=device, after=after)

    def sparse_tensor_slice_dataset(
        self,
        indices: Value,
        values: Value,
        dense_shape: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset of the rows of a sparse tensor: the indices, values and sizes of each."""
        return self._add("SparseTensorSliceDataset", (indices, values, dense_shape), {}, None, called=name, device=device, after=after)

    def iterator_from_string_handle(
        self,
        string_handle: Value,
        *,
        output_types: Sequence[DTypeLike] = (),
        output_shapes: Sequence[ShapeLike | None] = (),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The handle of the iterator whose handle as a string this is.

        Args:
            output_types: Dtypes of an element; empty for any.
            output_shapes: Shapes of an element; empty for any.
        """
        return self._add("IteratorFromStringHandle", (string_handle,), {"output_types": output_types, "output_shapes": output_shapes}, None, called=name, device=device, after=after)

    def iterator_from_string_handle_v2(
        self,
        string_handle: Value,
        *,
        output_types: Sequence[DTypeLike] = (),
        output_shapes: Sequence[ShapeLike | None] = (),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The handle of the iterator whose handle as a string this is.

        Args:
            output_types: Dtypes of an element; empty for any.
            output_shapes: Shapes of an element; empty for any.
        """
        return self._add("IteratorFromStringHandleV2", (string_handle,), {"output_types": output_types, "output_shapes": output_shapes}, None, called=name, device=device, after=after)

    def iterator_to_string_handle(
        self,
        resource_handle: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The handle of an iterator as a string."""
        return self._add("IteratorToStringHandle", (resource_handle,), {}, None, called=name, device=device, after=after)

    def take_dataset(
        self,
        input_dataset: Value,
        count: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The first `count` elements of a dataset; all of them for -1.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            metadata: Not used.
        """
        return self._add("TakeDataset", (input_dataset, count), {"output_types": output_types, "output_shapes": output_shapes, "metadata": metadata}, None, called=name, device=device, after=after)

    def take_while_dataset(
        self,
        input_dataset: Value,
        other_arguments: Sequence[Value],
        predicate: str,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The elements of a dataset up to the first of which a function says that it ends there.

        Args:
            predicate: The function.
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            metadata: Not used.
        """
        return self._add("TakeWhileDataset", (input_dataset, other_arguments), {"predicate": predicate, "output_types": output_types, "output_shapes": output_shapes, "metadata": metadata}, None, called=name, device=device, after=after)

    def experimental_take_while_dataset(
        self,
        input_dataset: Value,
        other_arguments: Sequence[Value],
        predicate: str,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The elements of a dataset up to the first of which a function says that it ends there.

        Args:
            predicate: The function.
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
        """
        return self._add("ExperimentalTakeWhileDataset", (input_dataset, other_arguments), {"predicate": predicate, "output_types": output_types, "output_shapes": output_shapes}, None, called=name, device=device, after=after)

    def tensor_dataset(
        self,
        components: Sequence[Value],
        output_shapes: Sequence[ShapeLike | None],
        *,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset of one element, which has these components.

        Args:
            output_shapes: Shapes of the element.
            metadata: Not used.
        """
        return self._add("TensorDataset", (components,), {"output_shapes": output_shapes, "metadata": metadata}, None, called=name, device=device, after=after)

    def tensor_slice_dataset(
        self,
        components: Sequence[Value],
        output_shapes: Sequence[ShapeLike | None],
        *,
        is_files: bool = False,
        metadata: str | bytes = '',
        replicate_on_split: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset with an element for each row of the components.

        Args:
            output_shapes: Shapes of an element.
            is_files: Not used.
            metadata: Not used.
            replicate_on_split: Not used.
        """
        return self._add("TensorSliceDataset", (components,), {"output_shapes": output_shapes, "is_files": is_files, "metadata": metadata, "replicate_on_split": replicate_on_split}, None, called=name, device=device, after=after)

    def dataset_to_tf_record(
        self,
        input_dataset: Value,
        filename: Value,
        compression_type: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Writes the elements of a dataset, which are strings, to a TFRecord file."""
        return self._add("DatasetToTFRecord", (input_dataset, filename, compression_type), {}, None, called=name, device=device, after=after)

    def experimental_dataset_to_tf_record(
        self,
        input_dataset: Value,
        filename: Value,
        compression_type: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Writes the elements of a dataset, which are strings, to a TFRecord file."""
        return self._add("ExperimentalDatasetToTFRecord", (input_dataset, filename, compression_type), {}, None, called=name, device=device, after=after)

    def unbatch_dataset(
        self,
        input_dataset: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The rows of the elements of a dataset, each as an element.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            metadata: Not used.
        """
        return self._add("UnbatchDataset", (input_dataset,), {"output_types": output_types, "output_shapes": output_shapes, "metadata": metadata}, None, called=name, device=device, after=after)

    def experimental_unbatch_dataset(
        self,
        input_dataset: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The rows of the elements of a dataset, each as an element.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
        """
        return self._add("ExperimentalUnbatchDataset", (input_dataset,), {"output_types": output_types, "output_shapes": output_shapes}, None, called=name, device=device, after=after)

    def unique_dataset(
        self,
        input_dataset: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The elements of a dataset, each where it comes first.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            metadata: Not used.
        """
        return self._add("UniqueDataset", (input_dataset,), {"output_types": output_types, "output_shapes": output_shapes, "metadata": metadata}, None, called=name, device=device, after=after)

    def experimental_unique_dataset(
        self,
        input_dataset: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The elements of a dataset, each where it comes first.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
        """
        return self._add("ExperimentalUniqueDataset", (input_dataset,), {"output_types": output_types, "output_shapes": output_shapes}, None, called=name, device=device, after=after)

    def sliding_window_dataset(
        self,
        input_dataset: Value,
        window_size: Value,
        window_shift: Value,
        window_stride: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        drop_remainder: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset whose elements are windows of another, each component as rows of one tensor: `window_size` elements,
        each `window_stride` behind the one before. The next window begins `window_shift` elements further on.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            drop_remainder: False where a last window with fewer elements counts.
        """
        return self._add("SlidingWindowDataset", (input_dataset, window_size, window_shift, window_stride), {"output_types": output_types, "output_shapes": output_shapes, "drop_remainder": drop_remainder}, None, called=name, device=device, after=after)

    def experimental_sliding_window_dataset(
        self,
        input_dataset: Value,
        window_size: Value,
        window_shift: Value,
        window_stride: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset whose elements are windows of another, each component as rows of one tensor: `window_size` elements,
        each `window_stride` behind the one before. The next window begins `window_shift` elements further on.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
        """
        return self._add("ExperimentalSlidingWindowDataset", (input_dataset, window_size, window_shift, window_stride), {"output_types": output_types, "output_shapes": output_shapes}, None, called=name, device=device, after=after)

    def window_dataset(
        self,
        input_dataset: Value,
        size: Value,
        shift: Value,
        stride: Value,
        drop_remainder: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset whose elements are windows of another: for each component a dataset of `size` of its values, each
        `stride` behind the one before. The next window begins `shift` elements further on.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            metadata: Not used.
        """
        return self._add("WindowDataset", (input_dataset, size, shift, stride, drop_remainder), {"output_types": output_types, "output_shapes": output_shapes, "metadata": metadata}, None, called=name, device=device, after=after)

    def unwrap_dataset_variant(
        self,
        input_handle: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The dataset that was wrapped."""
        return self._add("UnwrapDatasetVariant", (input_handle,), {}, None, called=name, device=device, after=after)

    def wrap_dataset_variant(
        self,
        input_handle: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset that may be copied between devices."""
        return self._add("WrapDatasetVariant", (input_handle,), {}, None, called=name, device=device, after=after)

    def zip_dataset(
        self,
        input_datasets: Sequence[Value],
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A dataset whose elements are one of each of several datasets, until one of them ends.

        Args:
            output_types: Dtypes of an element.
            output_shapes: Shapes of an element.
            metadata: Not used.
        """
        return self._add("ZipDataset", (input_datasets,), {"output_types": output_types, "output_shapes": output_shapes, "metadata": metadata}, None, called=name, device=device, after=after)

    # detection

    def combined_non_max_suppression(
        self,
        boxes: Value,
        scores: Value,
        max_output_size_per_class: Value,
        max_total_size: Value,
        iou_threshold: Value,
        score_threshold: Value,
        *,
        pad_per_class: bool = False,
        clip_boxes: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> CombinedNonMaxSuppressionOutputs:
        """Keeps boxes of each class as `NonMaxSuppression` does, and of those of all classes the ones with the best
        scores: for each image of a batch boxes, scores, classes, and how many there are.

        Args:
            pad_per_class: True for no more places than all classes together can fill.
            clip_boxes: True to move corners outside of 0 and 1 to there.
        """
        return self._add("CombinedNonMaxSuppression", (boxes, scores, max_output_size_per_class, max_total_size, iou_threshold, score_threshold), {"pad_per_class": pad_per_class, "clip_boxes": clip_boxes}, CombinedNonMaxSuppressionOutputs, called=name, device=device, after=after)

    def draw_bounding_boxes(
        self,
        images: Value,
        boxes: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Draws the outlines of `boxes` in images, whose values are between 0 and 1, in ten colors by turns. A box is two
        opposite corners, each as row and column, between 0 and 1."""
        return self._add("DrawBoundingBoxes", (images, boxes), {}, None, called=name, device=device, after=after)

    def draw_bounding_boxes_v2(
        self,
        images: Value,
        boxes: Value,
        colors: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`DrawBoundingBoxes` in these colors, a row each; without rows in the ten of `DrawBoundingBoxes`."""
        return self._add("DrawBoundingBoxesV2", (images, boxes, colors), {}, None, called=name, device=device, after=after)

    def non_max_suppression(
        self,
        boxes: Value,
        scores: Value,
        max_output_size: Value,
        *,
        iou_threshold: float = 0.5,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Keeps boxes by score, the best first, and leaves out each that overlaps a kept one by more than `iou_threshold`.
        Boxes are two opposite corners, each as row and column.

        Args:
            iou_threshold: The most that boxes may overlap, as a part of what they cover together.
        """
        return self._add("NonMaxSuppression", (boxes, scores, max_output_size), {"iou_threshold": iou_threshold}, None, called=name, device=device, after=after)

    def non_max_suppression_v2(
        self,
        boxes: Value,
        scores: Value,
        max_output_size: Value,
        iou_threshold: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`NonMaxSuppression` with a computed threshold."""
        return self._add("NonMaxSuppressionV2", (boxes, scores, max_output_size, iou_threshold), {}, None, called=name, device=device, after=after)

    def non_max_suppression_v3(
        self,
        boxes: Value,
        scores: Value,
        max_output_size: Value,
        iou_threshold: Value,
        score_threshold: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`NonMaxSuppressionV2` of the boxes with a score above `score_threshold`."""
        return self._add("NonMaxSuppressionV3", (boxes, scores, max_output_size, iou_threshold, score_threshold), {}, None, called=name, device=device, after=after)

    def non_max_suppression_v4(
        self,
        boxes: Value,
        scores: Value,
        max_output_size: Value,
        iou_threshold: Value,
        score_threshold: Value,
        *,
        pad_to_max_output_size: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> NonMaxSuppressionV4Outputs:
        """`NonMaxSuppressionV3` which says how many boxes it kept.

        Args:
            pad_to_max_output_size: True for as many indices as `max_output_size`, with zeros at the end.
        """
        return self._add("NonMaxSuppressionV4", (boxes, scores, max_output_size, iou_threshold, score_threshold), {"pad_to_max_output_size": pad_to_max_output_size}, NonMaxSuppressionV4Outputs, called=name, device=device, after=after)

    def non_max_suppression_v5(
        self,
        boxes: Value,
        scores: Value,
        max_output_size: Value,
        iou_threshold: Value,
        score_threshold: Value,
        soft_nms_sigma: Value,
        *,
        pad_to_max_output_size: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> NonMaxSuppressionV5Outputs:
        """`NonMaxSuppressionV4` with scores. Where `soft_nms_sigma` is above zero, a box that overlaps a kept one is not
        left out: its score is lowered by a Gaussian of their overlap.

        Args:
            pad_to_max_output_size: True for as many indices as `max_output_size`, with zeros at the end.
        """
        return self._add("NonMaxSuppressionV5", (boxes, scores, max_output_size, iou_threshold, score_threshold, soft_nms_sigma), {"pad_to_max_output_size": pad_to_max_output_size}, NonMaxSuppressionV5Outputs, called=name, device=device, after=after)

    def non_max_suppression_with_overlaps(
        self,
        overlaps: Value,
        scores: Value,
        max_output_size: Value,
        overlap_threshold: Value,
        score_threshold: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`NonMaxSuppressionV3` where the overlap of each two boxes is given."""
        return self._add("NonMaxSuppressionWithOverlaps", (overlaps, scores, max_output_size, overlap_threshold, score_threshold), {}, None, called=name, device=device, after=after)

    def sample_distorted_bounding_box(
        self,
        image_size: Value,
        bounding_boxes: Value,
        *,
        seed: int = 0,
        seed2: int = 0,
        min_object_covered: float = 0.1,
        aspect_ratio_range: Sequence[float] = (0.75, 1.3300000429153442),
        area_range: Sequence[float] = (0.05000000074505806, 1.0),
        max_attempts: int = 100,
        use_image_if_no_bounding_boxes: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> SampleDistortedBoundingBoxOutputs:
        """Draws a crop of an image of `image_size`, which covers enough of one of the boxes in it: the arguments of a
        `Slice`, and the crop as a box. The whole image where none is found.

        Args:
            seed: First seed; where both are 0, the crops differ from session to session.
            seed2: Second seed.
            min_object_covered: The least part of a box that a crop must cover.
            aspect_ratio_range: The least and the greatest width of a crop as a part of its height.
            area_range: The least and the greatest part of the image that a crop covers.
            max_attempts: How many crops are drawn at most until one fits.
            use_image_if_no_bounding_boxes: True to take the whole image for the only box where there is none, which is
                an error otherwise.
        """
        return self._add("SampleDistortedBoundingBox", (image_size, bounding_boxes), {"seed": seed, "seed2": seed2, "min_object_covered": min_object_covered, "aspect_ratio_range": aspect_ratio_range, "area_range": area_range, "max_attempts": max_attempts, "use_image_if_no_bounding_boxes": use_image_if_no_bounding_boxes}, SampleDistortedBoundingBoxOutputs, called=name, device=device, after=after)

    def sample_distorted_bounding_box_v2(
        self,
        image_size: Value,
        bounding_boxes: Value,
        min_object_covered: Value,
        *,
        seed: int = 0,
        seed2: int = 0,
        aspect_ratio_range: Sequence[float] = (0.75, 1.3300000429153442),
        area_range: Sequence[float] = (0.05000000074505806, 1.0),
        max_attempts: int = 100,
        use_image_if_no_bounding_boxes: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> SampleDistortedBoundingBoxV2Outputs:
        """`SampleDistortedBoundingBox` where it is computed how much of a box must be covered.

        Args:
            seed: First seed; where both are 0, the crops differ from session to session.
            seed2: Second seed.
            aspect_ratio_range: The least and the greatest width of a crop as a part of its height.
            area_range: The least and the greatest part of the image that a crop covers.
            max_attempts: How many crops are drawn at most until one fits.
            use_image_if_no_bounding_boxes: True to take the whole image for the only box where there is none, which is
                an error otherwise.
        """
        return self._add("SampleDistortedBoundingBoxV2", (image_size, bounding_boxes, min_object_covered), {"seed": seed, "seed2": seed2, "aspect_ratio_range": aspect_ratio_range, "area_range": area_range, "max_attempts": max_attempts, "use_image_if_no_bounding_boxes": use_image_if_no_bounding_boxes}, SampleDistortedBoundingBoxV2Outputs, called=name, device=device, after=after)

    def stateless_sample_distorted_bounding_box(
        self,
        image_size: Value,
        bounding_boxes: Value,
        min_object_covered: Value,
        seed: Value,
        *,
        aspect_ratio_range: Sequence[float] = (0.75, 1.3300000429153442),
        area_range: Sequence[float] = (0.05000000074505806, 1.0),
        max_attempts: int = 100,
        use_image_if_no_bounding_boxes: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> StatelessSampleDistortedBoundingBoxOutputs:
        """`SampleDistortedBoundingBoxV2` where the seeds are computed too: the same seeds give the same crop.

        Args:
            aspect_ratio_range: The least and the greatest width of a crop as a part of its height.
            area_range: The least and the greatest part of the image that a crop covers.
            max_attempts: How many crops are drawn at most until one fits.
            use_image_if_no_bounding_boxes: True to take the whole image for the only box where there is none, which is
                an error otherwise.
        """
        return self._add("StatelessSampleDistortedBoundingBox", (image_size, bounding_boxes, min_object_covered, seed), {"aspect_ratio_range": aspect_ratio_range, "area_range": area_range, "max_attempts": max_attempts, "use_image_if_no_bounding_boxes": use_image_if_no_bounding_boxes}, StatelessSampleDistortedBoundingBoxOutputs, called=name, device=device, after=after)

    # fft

    def fft(
        self,
        input: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Transforms along the last axis."""
        return self._add("FFT", (input,), {}, None, called=name, device=device, after=after)

    def fft2d(
        self,
        input: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Transforms along the last two axes."""
        return self._add("FFT2D", (input,), {}, None, called=name, device=device, after=after)

    def fft3d(
        self,
        input: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Transforms along the last three axes."""
        return self._add("FFT3D", (input,), {}, None, called=name, device=device, after=after)

    def ifft(
        self,
        input: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The inverse of `FFT`."""
        return self._add("IFFT", (input,), {}, None, called=name, device=device, after=after)

    def ifft2d(
        self,
        input: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The inverse of `FFT2D`."""
        return self._add("IFFT2D", (input,), {}, None, called=name, device=device, after=after)

    def ifft3d(
        self,
        input: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The inverse of `FFT3D`."""
        return self._add("IFFT3D", (input,), {}, None, called=name, device=device, after=after)

    def batch_fft(
        self,
        input: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The name of `FFT` in old graphs."""
        return self._add("BatchFFT", (input,), {}, None, called=name, device=device, after=after)

    def batch_fft2d(
        self,
        input: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The name of `FFT2D` in old graphs."""
        return self._add("BatchFFT2D", (input,), {}, None, called=name, device=device, after=after)

    def batch_fft3d(
        self,
        input: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The name of `FFT3D` in old graphs."""
        return self._add("BatchFFT3D", (input,), {}, None, called=name, device=device, after=after)

    def batch_ifft(
        self,
        input: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The name of `IFFT` in old graphs."""
        return self._add("BatchIFFT", (input,), {}, None, called=name, device=device, after=after)

    def batch_ifft2d(
        self,
        input: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The name of `IFFT2D` in old graphs."""
        return self._add("BatchIFFT2D", (input,), {}, None, called=name, device=device, after=after)

    def batch_ifft3d(
        self,
        input: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The name of `IFFT3D` in old graphs."""
        return self._add("BatchIFFT3D", (input,), {}, None, called=name, device=device, after=after)

    def irfft(
        self,
        input: Value,
        fft_length: Value,
        *,
        treal: DTypeLike = 'float32',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The inverse of `RFFT`: `fft_length` real numbers.

        Args:
            treal: Type of the real numbers.
        """
        return self._add("IRFFT", (input, fft_length), {"Treal": treal}, None, called=name, device=device, after=after)

    def irfft2d(
        self,
        input: Value,
        fft_length: Value,
        *,
        treal: DTypeLike = 'float32',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The inverse of `RFFT2D`.

        Args:
            treal: Type of the real numbers.
        """
        return self._add("IRFFT2D", (input, fft_length), {"Treal": treal}, None, called=name, device=device, after=after)

    def irfft3d(
        self,
        input: Value,
        fft_length: Value,
        *,
        treal: DTypeLike = 'float32',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The inverse of `RFFT3D`.

        Args:
            treal: Type of the real numbers.
        """
        return self._add("IRFFT3D", (input, fft_length), {"Treal": treal}, None, called=name, device=device, after=after)

    def rfft(
        self,
        input: Value,
        fft_length: Value,
        *,
        tcomplex: DTypeLike = 'complex64',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Transforms the first `fft_length` real numbers along the last axis.

        Args:
            tcomplex: Type of the complex numbers.
        """
        return self._add("RFFT", (input, fft_length), {"Tcomplex": tcomplex}, None, called=name, device=device, after=after)

    def rfft2d(
        self,
        input: Value,
        fft_length: Value,
        *,
        tcomplex: DTypeLike = 'complex64',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Transforms real numbers along the last two axes.

        Args:
            tcomplex: Type of the complex numbers.
        """
        return self._add("RFFT2D", (input, fft_length), {"Tcomplex": tcomplex}, None, called=name, device=device, after=after)

    def rfft3d(
        self,
        input: Value,
        fft_length: Value,
        *,
        tcomplex: DTypeLike = 'complex64',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Transforms real numbers along the last three axes.

        Args:
            tcomplex: Type of the complex numbers.
        """
        return self._add("RFFT3D", (input, fft_length), {"Tcomplex": tcomplex}, None, called=name, device=device, after=after)

    # host

    def eager_py_func(
        self,
        input: Sequence[Value],
        token: str | bytes,
        tout: Sequence[DTypeLike],
        *,
        is_async: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """As PyFunc, with a gradient: that of the function that is registered under the token with `:gradient` behind it,
        from the arguments and the gradients of the results.

        Args:
            token: Names the function.
            tout: Types of the results.
            is_async: Ignored: the function never holds a worker.
        """
        return self._add("EagerPyFunc", (input,), {"token": token, "Tout": tout, "is_async": is_async}, None, called=name, device=device, after=after)

    def py_func(
        self,
        input: Sequence[Value],
        token: str | bytes,
        tout: Sequence[DTypeLike],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """Calls a function that was registered in the session under the token. It runs beside the session's threads and
        may block.

        Args:
            token: Names the function.
            tout: Types of the results.
        """
        return self._add("PyFunc", (input,), {"token": token, "Tout": tout}, None, called=name, device=device, after=after)

    def py_func_stateless(
        self,
        input: Sequence[Value],
        token: str | bytes,
        tout: Sequence[DTypeLike],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """As PyFunc, for a function whose results depend on nothing but its arguments.

        Args:
            token: Names the function.
            tout: Types of the results.
        """
        return self._add("PyFuncStateless", (input,), {"token": token, "Tout": tout}, None, called=name, device=device, after=after)

    # image

    def adjust_contrastv2(
        self,
        images: Value,
        contrast_factor: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Moves the values of every channel of every image away from their mean, or towards it: `(x - mean) *
        contrast_factor + mean`."""
        return self._add("AdjustContrastv2", (images, contrast_factor), {}, None, called=name, device=device, after=after)

    def adjust_hue(
        self,
        images: Value,
        delta: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Turns the hue of RGB images: 1.0 is a whole turn. Lightness and saturation stay."""
        return self._add("AdjustHue", (images, delta), {}, None, called=name, device=device, after=after)

    def adjust_saturation(
        self,
        images: Value,
        scale: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Multiplies the saturation of RGB images, which stays between 0 and 1. Hue and value stay."""
        return self._add("AdjustSaturation", (images, scale), {}, None, called=name, device=device, after=after)

    def crop_and_resize(
        self,
        image: Value,
        boxes: Value,
        box_ind: Value,
        crop_size: Value,
        *,
        method: str | bytes = 'bilinear',
        extrapolation_value: float = 0.0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Cuts boxes out of images and resizes them to one size.

        Args:
            method: How pixels are interpolated.
            extrapolation_value: What lies outside of the images.
        """
        return self._add("CropAndResize", (image, boxes, box_ind, crop_size), {"method": method, "extrapolation_value": extrapolation_value}, None, called=name, device=device, after=after)

    def crop_and_resize_grad_boxes(
        self,
        grads: Value,
        image: Value,
        boxes: Value,
        box_ind: Value,
        *,
        method: str | bytes = 'bilinear',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of a `CropAndResize` by the boxes.

        Args:
            method: How pixels are interpolated.
        """
        return self._add("CropAndResizeGradBoxes", (grads, image, boxes, box_ind), {"method": method}, None, called=name, device=device, after=after)

    def crop_and_resize_grad_image(
        self,
        grads: Value,
        boxes: Value,
        box_ind: Value,
        image_size: Value,
        t: DTypeLike,
        *,
        method: str | bytes = 'bilinear',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of a `CropAndResize` by the images.

        Args:
            t: Element type of the images.
            method: How pixels are interpolated.
        """
        return self._add("CropAndResizeGradImage", (grads, boxes, box_ind, image_size), {"T": t, "method": method}, None, called=name, device=device, after=after)

    def decode_and_crop_jpeg(
        self,
        contents: Value,
        crop_window: Value,
        *,
        channels: int = 0,
        ratio: int = 1,
        fancy_upscaling: bool = True,
        try_recover_truncated: bool = False,
        acceptable_fraction: float = 1.0,
        dct_method: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Decodes a part of a JPEG.

        Args:
            channels: Number of channels; 0 for as many as there are.
            ratio: How much smaller the image is to be: 1, 2, 4 or 8.
            fancy_upscaling: Whether colors that are stored with fewer samples are interpolated; else they are repeated.
            try_recover_truncated: Whether to take what there is of a file that is cut off; else such a file is an
                error.
            acceptable_fraction: Which part of the lines there must be; those that are missing are black.
            dct_method: `INTEGER_ACCURATE` for the accurate transform, `INTEGER_FAST` or nothing for the fast one.
        """
        return self._add("DecodeAndCropJpeg", (contents, crop_window), {"channels": channels, "ratio": ratio, "fancy_upscaling": fancy_upscaling, "try_recover_truncated": try_recover_truncated, "acceptable_fraction": acceptable_fraction, "dct_method": dct_method}, None, called=name, device=device, after=after)

    def decode_bmp(
        self,
        contents: Value,
        *,
        channels: int = 0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Decodes a BMP.

        Args:
            channels: Number of channels; 0 for as many as there are.
        """
        return self._add("DecodeBmp", (contents,), {"channels": channels}, None, called=name, device=device, after=after)

    def decode_gif(
        self,
        contents: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Decodes all pictures of a GIF, or the one of a PNG or JPEG."""
        return self._add("DecodeGif", (contents,), {}, None, called=name, device=device, after=after)

    def decode_image(
        self,
        contents: Value,
        *,
        channels: int = 0,
        dtype: DTypeLike = 'uint8',
        expand_animations: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Decodes an image of any format that is known.

        Args:
            channels: Number of channels; 0 for as many as there are.
            dtype: Element type; floats are from 0 to 1.
            expand_animations: False to get the first picture of a GIF alone.
        """
        return self._add("DecodeImage", (contents,), {"channels": channels, "dtype": dtype, "expand_animations": expand_animations}, None, called=name, device=device, after=after)

    def decode_jpeg(
        self,
        contents: Value,
        *,
        channels: int = 0,
        ratio: int = 1,
        fancy_upscaling: bool = True,
        try_recover_truncated: bool = False,
        acceptable_fraction: float = 1.0,
        dct_method: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Decodes a JPEG, a PNG, or a GIF with one picture.

        Args:
            channels: Number of channels; 0 for as many as there are.
            ratio: How much smaller the image is to be: 1, 2, 4 or 8.
            fancy_upscaling: Whether colors that are stored with fewer samples are interpolated; else they are repeated.
            try_recover_truncated: Whether to take what there is of a file that is cut off; else such a file is an
                error.
            acceptable_fraction: Which part of the lines there must be; those that are missing are black.
            dct_method: `INTEGER_ACCURATE` for the accurate transform, `INTEGER_FAST` or nothing for the fast one.
        """
        return self._add("DecodeJpeg", (contents,), {"channels": channels, "ratio": ratio, "fancy_upscaling": fancy_upscaling, "try_recover_truncated": try_recover_truncated, "acceptable_fraction": acceptable_fraction, "dct_method": dct_method}, None, called=name, device=device, after=after)

    def decode_png(
        self,
        contents: Value,
        *,
        channels: int = 0,
        dtype: DTypeLike = 'uint8',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Decodes a PNG, a JPEG, or a GIF with one picture.

        Args:
            channels: Number of channels; 0 for as many as there are.
            dtype: Element type; floats are from 0 to 1.
        """
        return self._add("DecodePng", (contents,), {"channels": channels, "dtype": dtype}, None, called=name, device=device, after=after)

    def extract_jpeg_shape(
        self,
        contents: Value,
        *,
        output_type: DTypeLike = 'int32',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Height, width and number of channels of a JPEG.

        Args:
            output_type: Element type of the result.
        """
        return self._add("ExtractJpegShape", (contents,), {"output_type": output_type}, None, called=name, device=device, after=after)

    def encode_jpeg(
        self,
        image: Value,
        *,
        format: str | bytes = '',
        quality: int = 95,
        progressive: bool = False,
        optimize_size: bool = False,
        chroma_downsampling: bool = True,
        density_unit: str | bytes = 'in',
        x_density: int = 300,
        y_density: int = 300,
        xmp_metadata: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Encodes an image as JPEG.

        Args:
            format: `grayscale`, `rgb`, or what the image has.
            quality: From 0 to 100.
            progressive: Whether the file can be shown before it is read to its end.
            optimize_size: Whether to spend time on a smaller file.
            chroma_downsampling: Whether colours have half the size of brightness.
            density_unit: Unit of the densities: `in` or `cm`.
            x_density: Pixels in a unit, across.
            y_density: Pixels in a unit, down.
            xmp_metadata: XMP to put into the file.
        """
        return self._add("EncodeJpeg", (image,), {"format": format, "quality": quality, "progressive": progressive, "optimize_size": optimize_size, "chroma_downsampling": chroma_downsampling, "density_unit": density_unit, "x_density": x_density, "y_density": y_density, "xmp_metadata": xmp_metadata}, None, called=name, device=device, after=after)

    def encode_jpeg_variable_quality(
        self,
        images: Value,
        quality: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Encodes an image as JPEG of a quality that is computed."""
        return self._add("EncodeJpegVariableQuality", (images, quality), {}, None, called=name, device=device, after=after)

    def encode_png(
        self,
        image: Value,
        *,
        compression: int = -1,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Encodes images as PNG.

        Args:
            compression: How hard to compress, from 0 to 9; -1 for the default.
        """
        return self._add("EncodePng", (image,), {"compression": compression}, None, called=name, device=device, after=after)

    def extract_glimpse(
        self,
        input: Value,
        size: Value,
        offsets: Value,
        *,
        centered: bool = True,
        normalized: bool = True,
        uniform_noise: bool = True,
        noise: str | bytes = 'uniform',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A window of `size` pixels of each image, around its row of `offsets`, as row and column. What lies outside of an
        image is noise.

        Args:
            centered: True for offsets from the middle of an image, -1 to 1 where they are normalized; false for those
                from its first pixel.
            normalized: True for offsets as parts of an image, false for pixels.
            uniform_noise: True for uniform noise, false for normal noise, where `noise` is empty.
            noise: `uniform`, `gaussian`, `zero` or empty.
        """
        return self._add("ExtractGlimpse", (input, size, offsets), {"centered": centered, "normalized": normalized, "uniform_noise": uniform_noise, "noise": noise}, None, called=name, device=device, after=after)

    def extract_glimpse_v2(
        self,
        input: Value,
        size: Value,
        offsets: Value,
        *,
        centered: bool = True,
        normalized: bool = True,
        uniform_noise: bool = True,
        noise: str | bytes = 'uniform',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`ExtractGlimpse` where offsets that are not both centered and normalized are those of a window's first pixel.

        Args:
            centered: True for offsets from the middle of an image, -1 to 1 where they are normalized; false for those
                from its first pixel.
            normalized: True for offsets as parts of an image, false for pixels.
            uniform_noise: True for uniform noise, false for normal noise, where `noise` is empty.
            noise: `uniform`, `gaussian`, `zero` or empty.
        """
        return self._add("ExtractGlimpseV2", (input, size, offsets), {"centered": centered, "normalized": normalized, "uniform_noise": uniform_noise, "noise": noise}, None, called=name, device=device, after=after)

    def hsv_to_rgb(
        self,
        images: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Converts colors from hue, saturation and value, all between 0 and 1, to red, green and blue."""
        return self._add("HSVToRGB", (images,), {}, None, called=name, device=device, after=after)

    def rgb_to_hsv(
        self,
        images: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Converts colors from red, green and blue to hue, saturation and value, all between 0 and 1."""
        return self._add("RGBToHSV", (images,), {}, None, called=name, device=device, after=after)

    def extract_image_patches(
        self,
        images: Value,
        ksizes: Sequence[int],
        strides: Sequence[int],
        rates: Sequence[int],
        padding: str | bytes,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The windows of images, row by row; each becomes a pixel with the channels of all its pixels.

        Args:
            ksizes: Size of a window along each axis.
            strides: Distance of windows along each axis.
            rates: Distance of the pixels of a window along each axis.
            padding: `SAME` for windows around every `strides`-th pixel, which zeros fill up; `VALID` for those that are
                whole.
        """
        return self._add("ExtractImagePatches", (images,), {"ksizes": ksizes, "strides": strides, "rates": rates, "padding": padding}, None, called=name, device=device, after=after)

    def extract_volume_patches(
        self,
        input: Value,
        ksizes: Sequence[int],
        strides: Sequence[int],
        padding: str | bytes,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The windows of volumes, plane by plane and row by row; each becomes a pixel with the channels of all its pixels.

        Args:
            ksizes: Size of a window along each axis.
            strides: Distance of windows along each axis.
            padding: `SAME` for windows around every `strides`-th pixel, which zeros fill up; `VALID` for those that are
                whole.
        """
        return self._add("ExtractVolumePatches", (input,), {"ksizes": ksizes, "strides": strides, "padding": padding}, None, called=name, device=device, after=after)

    def image_projective_transform_v2(
        self,
        images: Value,
        transforms: Value,
        output_shape: Value,
        interpolation: str | bytes,
        *,
        fill_mode: str | bytes = 'CONSTANT',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """For each pixel `(x, y)` of the result the one at `((a x + b y + c) / k, (d x + e y + f) / k)` of the image,
        where `k` is `g x + h y + 1` and `a` to `h` are the rows of `transforms`, one for all images or one for each.

        Args:
            interpolation: `NEAREST` or `BILINEAR`.
            fill_mode: What lies outside of an image: `CONSTANT`, `REFLECT`, `WRAP` or `NEAREST`.
        """
        return self._add("ImageProjectiveTransformV2", (images, transforms, output_shape), {"interpolation": interpolation, "fill_mode": fill_mode}, None, called=name, device=device, after=after)

    def image_projective_transform_v3(
        self,
        images: Value,
        transforms: Value,
        output_shape: Value,
        fill_value: Value,
        interpolation: str | bytes,
        *,
        fill_mode: str | bytes = 'CONSTANT',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`ImageProjectiveTransformV2` where the value of what lies outside is given.

        Args:
            interpolation: `NEAREST` or `BILINEAR`.
            fill_mode: What lies outside of an image: `CONSTANT`, `REFLECT`, `WRAP` or `NEAREST`.
        """
        return self._add("ImageProjectiveTransformV3", (images, transforms, output_shape, fill_value), {"interpolation": interpolation, "fill_mode": fill_mode}, None, called=name, device=device, after=after)

    def random_crop(
        self,
        image: Value,
        size: Value,
        *,
        seed: int = 0,
        seed2: int = 0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A part of `image` that has the height and the width in `size`, from a random place.

        Args:
            seed: First seed; where both are 0, the places differ from session to session.
            seed2: Second seed.
        """
        return self._add("RandomCrop", (image, size), {"seed": seed, "seed2": seed2}, None, called=name, device=device, after=after)

    def resize_area(
        self,
        images: Value,
        size: Value,
        *,
        align_corners: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Resizes images; every pixel is the mean of the area that it covers.

        Args:
            align_corners: True to match the centres of the corner pixels.
        """
        return self._add("ResizeArea", (images, size), {"align_corners": align_corners}, None, called=name, device=device, after=after)

    def resize_bicubic(
        self,
        images: Value,
        size: Value,
        *,
        align_corners: bool = False,
        half_pixel_centers: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Resizes images; every pixel is a weighted sum of the sixteen around its place.

        Args:
            align_corners: True to match the centres of the corner pixels.
            half_pixel_centers: True for pixels with their centres at 0.5.
        """
        return self._add("ResizeBicubic", (images, size), {"align_corners": align_corners, "half_pixel_centers": half_pixel_centers}, None, called=name, device=device, after=after)

    def resize_bicubic_grad(
        self,
        grads: Value,
        original_image: Value,
        *,
        align_corners: bool = False,
        half_pixel_centers: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of a `ResizeBicubic`.

        Args:
            align_corners: True to match the centres of the corner pixels.
            half_pixel_centers: True for pixels with their centres at 0.5.
        """
        return self._add("ResizeBicubicGrad", (grads, original_image), {"align_corners": align_corners, "half_pixel_centers": half_pixel_centers}, None, called=name, device=device, after=after)

    def resize_bilinear(
        self,
        images: Value,
        size: Value,
        *,
        align_corners: bool = False,
        half_pixel_centers: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Resizes images; every pixel is a mean of the four around its place, weighted by distance.

        Args:
            align_corners: True to match the centres of the corner pixels.
            half_pixel_centers: True for pixels with their centres at 0.5.
        """
        return self._add("ResizeBilinear", (images, size), {"align_corners": align_corners, "half_pixel_centers": half_pixel_centers}, None, called=name, device=device, after=after)

    def resize_bilinear_grad(
        self,
        grads: Value,
        original_image: Value,
        *,
        align_corners: bool = False,
        half_pixel_centers: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of a `ResizeBilinear`.

        Args:
            align_corners: True to match the centres of the corner pixels.
            half_pixel_centers: True for pixels with their centres at 0.5.
        """
        return self._add("ResizeBilinearGrad", (grads, original_image), {"align_corners": align_corners, "half_pixel_centers": half_pixel_centers}, None, called=name, device=device, after=after)

    def resize_nearest_neighbor(
        self,
        images: Value,
        size: Value,
        *,
        align_corners: bool = False,
        half_pixel_centers: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Resizes images; every pixel is the nearest one of the image.

        Args:
            align_corners: True to match the centres of the corner pixels.
            half_pixel_centers: True for pixels with their centres at 0.5.
        """
        return self._add("ResizeNearestNeighbor", (images, size), {"align_corners": align_corners, "half_pixel_centers": half_pixel_centers}, None, called=name, device=device, after=after)

    def resize_nearest_neighbor_grad(
        self,
        grads: Value,
        size: Value,
        *,
        align_corners: bool = False,
        half_pixel_centers: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of a `ResizeNearestNeighbor`.

        Args:
            align_corners: True to match the centres of the corner pixels.
            half_pixel_centers: True for pixels with their centres at 0.5.
        """
        return self._add("ResizeNearestNeighborGrad", (grads, size), {"align_corners": align_corners, "half_pixel_centers": half_pixel_centers}, None, called=name, device=device, after=after)

    def scale_and_translate(
        self,
        images: Value,
        size: Value,
        scale: Value,
        translation: Value,
        *,
        kernel_type: str | bytes = 'lanczos3',
        antialias: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Resamples images as if scaled and then moved, to `size` pixels; what lies outside of an image is zero.

        Args:
            kernel_type: How pixels between pixels are made: `lanczos1`, `lanczos3`, `lanczos5`, `gaussian`, `box`,
                `triangle`, `keyscubic` or `mitchellcubic`.
            antialias: True for kernels that grow as images shrink.
        """
        return self._add("ScaleAndTranslate", (images, size, scale, translation), {"kernel_type": kernel_type, "antialias": antialias}, None, called=name, device=device, after=after)

    def scale_and_translate_grad(
        self,
        grads: Value,
        original_image: Value,
        scale: Value,
        translation: Value,
        *,
        kernel_type: str | bytes = 'lanczos3',
        antialias: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of `ScaleAndTranslate`.

        Args:
            kernel_type: How pixels between pixels are made: `lanczos1`, `lanczos3`, `lanczos5`, `gaussian`, `box`,
                `triangle`, `keyscubic` or `mitchellcubic`.
            antialias: True for kernels that grow as images shrink.
        """
        return self._add("ScaleAndTranslateGrad", (grads, original_image, scale, translation), {"kernel_type": kernel_type, "antialias": antialias}, None, called=name, device=device, after=after)

    # io

    def fixed_length_record_reader(
        self,
        record_bytes: int,
        *,
        header_bytes: int = 0,
        footer_bytes: int = 0,
        hop_bytes: int = 0,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A reader of records of a fixed length. Their keys are the file and the number of the record.

        Args:
            record_bytes: Bytes of a record.
            header_bytes: Bytes before the records.
            footer_bytes: Bytes behind the records.
            hop_bytes: Bytes from one record to the next; 0 for those of a record.
            container: Container that holds the reader; empty for the default one.
            shared_name: Name in the container; empty for the node's.
        """
        return self._add("FixedLengthRecordReader", (), {"record_bytes": record_bytes, "header_bytes": header_bytes, "footer_bytes": footer_bytes, "hop_bytes": hop_bytes, "container": container, "shared_name": shared_name}, None, called=name, device=device, after=after)

    def fixed_length_record_reader_v2(
        self,
        record_bytes: int,
        *,
        header_bytes: int = 0,
        footer_bytes: int = 0,
        hop_bytes: int = 0,
        encoding: str | bytes = '',
        container: str | bytes = '',
        shared_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A reader of records of a fixed length. Their keys are the file and the number of the record.

        Args:
            record_bytes: Bytes of a record.
            header_bytes: Bytes before the records.
            footer_bytes: Bytes behind the records.
            hop_bytes: Bytes from one record to the next; 0 for those of a record.
            encoding: How files are compressed: not at all, `ZLIB` or `GZIP`.
            container: Container that holds the reader; empty for the default one.
            shared_name: Name in the container; empty for the node's.
        """
        return self._add("FixedLengthRecordReaderV2", (), {"record_bytes": record_bytes, "header_bytes": header_bytes, "footer_bytes": footer_bytes, "hop_bytes": hop_bytes, "encoding": encoding, "container": container, "shared_name": shared_name}, None, called=name, device=device, after=after)

    def identity_reader(
        self,
        *,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A reader whose records are the names of the files.

        Args:
            container: Container that holds the reader; empty for the default one.
            shared_name: Name in the container; empty for the node's.
        """
        return self._add("IdentityReader", (), {"container": container, "shared_name": shared_name}, None, called=name, device=device, after=after)

    def identity_reader_v2(
        self,
        *,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A reader whose records are the names of the files.

        Args:
            container: Container that holds the reader; empty for the default one.
            shared_name: Name in the container; empty for the node's.
        """
        return self._add("IdentityReaderV2", (), {"container": container, "shared_name": shared_name}, None, called=name, device=device, after=after)

    def text_line_reader(
        self,
        *,
        skip_header_lines: int = 0,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A reader of lines. The key of a line is its file and its number, from 1.

        Args:
            skip_header_lines: Lines to pass over at the beginning of each file.
            container: Container that holds the reader; empty for the default one.
            shared_name: Name in the container; empty for the node's.
        """
        return self._add("TextLineReader", (), {"skip_header_lines": skip_header_lines, "container": container, "shared_name": shared_name}, None, called=name, device=device, after=after)

    def text_line_reader_v2(
        self,
        *,
        skip_header_lines: int = 0,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A reader of lines. The key of a line is its file and its number, from 1.

        Args:
            skip_header_lines: Lines to pass over at the beginning of each file.
            container: Container that holds the reader; empty for the default one.
            shared_name: Name in the container; empty for the node's.
        """
        return self._add("TextLineReaderV2", (), {"skip_header_lines": skip_header_lines, "container": container, "shared_name": shared_name}, None, called=name, device=device, after=after)

    def tf_record_reader(
        self,
        *,
        compression_type: str | bytes = '',
        container: str | bytes = '',
        shared_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A reader of TFRecord files. The key of a record is its file and where in it the record begins.

        Args:
            compression_type: How files are compressed: not at all, `ZLIB` or `GZIP`.
            container: Container that holds the reader; empty for the default one.
            shared_name: Name in the container; empty for the node's.
        """
        return self._add("TFRecordReader", (), {"compression_type": compression_type, "container": container, "shared_name": shared_name}, None, called=name, device=device, after=after)

    def tf_record_reader_v2(
        self,
        *,
        compression_type: str | bytes = '',
        container: str | bytes = '',
        shared_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A reader of TFRecord files. The key of a record is its file and where in it the record begins.

        Args:
            compression_type: How files are compressed: not at all, `ZLIB` or `GZIP`.
            container: Container that holds the reader; empty for the default one.
            shared_name: Name in the container; empty for the node's.
        """
        return self._add("TFRecordReaderV2", (), {"compression_type": compression_type, "container": container, "shared_name": shared_name}, None, called=name, device=device, after=after)

    def whole_file_reader(
        self,
        *,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A reader whose records are whole files.

        Args:
            container: Container that holds the reader; empty for the default one.
            shared_name: Name in the container; empty for the node's.
        """
        return self._add("WholeFileReader", (), {"container": container, "shared_name": shared_name}, None, called=name, device=device, after=after)

    def whole_file_reader_v2(
        self,
        *,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A reader whose records are whole files.

        Args:
            container: Container that holds the reader; empty for the default one.
            shared_name: Name in the container; empty for the node's.
        """
        return self._add("WholeFileReaderV2", (), {"container": container, "shared_name": shared_name}, None, called=name, device=device, after=after)

    def decode_compressed(
        self,
        bytes: Value,
        *,
        compression_type: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Each string, decompressed.

        Args:
            compression_type: `ZLIB`, `GZIP`, or empty for strings that are not compressed.
        """
        return self._add("DecodeCompressed", (bytes,), {"compression_type": compression_type}, None, called=name, device=device, after=after)

    def immutable_const(
        self,
        dtype: DTypeLike,
        shape: ShapeLike | None,
        memory_region_name: str | bytes,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A tensor whose elements are the bytes of a file, which is read once.

        Args:
            dtype: Element type.
            shape: Shape.
            memory_region_name: The file.
        """
        return self._add("ImmutableConst", (), {"dtype": dtype, "shape": shape, "memory_region_name": memory_region_name}, None, called=name, device=device, after=after)

    def matching_files(
        self,
        pattern: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The names of the files and directories that match any of some patterns, sorted. `*`, `?` and `[a-z]` stand for
        parts of one name in a path."""
        return self._add("MatchingFiles", (pattern,), {}, None, called=name, device=device, after=after)

    def reader_read(
        self,
        reader_handle: Value,
        queue_handle: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> ReaderReadOutputs:
        """Gives the next record, of the next file where this one has no more: `queue_handle` has the files' names."""
        return self._add("ReaderRead", (reader_handle, queue_handle), {}, ReaderReadOutputs, called=name, device=device, after=after)

    def reader_read_v2(
        self,
        reader_handle: Value,
        queue_handle: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> ReaderReadV2Outputs:
        """Gives the next record, of the next file where this one has no more: `queue_handle` has the files' names."""
        return self._add("ReaderReadV2", (reader_handle, queue_handle), {}, ReaderReadV2Outputs, called=name, device=device, after=after)

    def reader_read_up_to(
        self,
        reader_handle: Value,
        queue_handle: Value,
        num_records: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> ReaderReadUpToOutputs:
        """Gives the next `num_records` records, or fewer where a file ends before."""
        return self._add("ReaderReadUpTo", (reader_handle, queue_handle, num_records), {}, ReaderReadUpToOutputs, called=name, device=device, after=after)

    def reader_read_up_to_v2(
        self,
        reader_handle: Value,
        queue_handle: Value,
        num_records: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> ReaderReadUpToV2Outputs:
        """Gives the next `num_records` records, or fewer where a file ends before."""
        return self._add("ReaderReadUpToV2", (reader_handle, queue_handle, num_records), {}, ReaderReadUpToV2Outputs, called=name, device=device, after=after)

    def read_file(
        self,
        filename: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Reads a file."""
        return self._add("ReadFile", (filename,), {}, None, called=name, device=device, after=after)

    def reader_num_records_produced(
        self,
        reader_handle: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Number of records that a reader has given."""
        return self._add("ReaderNumRecordsProduced", (reader_handle,), {}, None, called=name, device=device, after=after)

    def reader_num_records_produced_v2(
        self,
        reader_handle: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Number of records that a reader has given."""
        return self._add("ReaderNumRecordsProducedV2", (reader_handle,), {}, None, called=name, device=device, after=after)

    def reader_num_work_units_completed(
        self,
        reader_handle: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Number of files that a reader has read to the end."""
        return self._add("ReaderNumWorkUnitsCompleted", (reader_handle,), {}, None, called=name, device=device, after=after)

    def reader_num_work_units_completed_v2(
        self,
        reader_handle: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Number of files that a reader has read to the end."""
        return self._add("ReaderNumWorkUnitsCompletedV2", (reader_handle,), {}, None, called=name, device=device, after=after)

    def reader_reset(
        self,
        reader_handle: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Sets a reader back to where it has read nothing."""
        return self._add("ReaderReset", (reader_handle,), {}, None, called=name, device=device, after=after)

    def reader_reset_v2(
        self,
        reader_handle: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Sets a reader back to where it has read nothing."""
        return self._add("ReaderResetV2", (reader_handle,), {}, None, called=name, device=device, after=after)

    def reader_restore(
        self,
        reader_handle: Value,
        given: Value,
        state: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Lets a reader of any kind go on from where it was when it was saved."""
        return self._add("ReaderRestore", (reader_handle, given, state), {}, None, called=name, device=device, after=after)

    def reader_restore_v2(
        self,
        reader_handle: Value,
        given: Value,
        state: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Lets a reader of any kind go on from where it was when it was saved."""
        return self._add("ReaderRestoreV2", (reader_handle, given, state), {}, None, called=name, device=device, after=after)

    def reader_restore_state(
        self,
        reader_handle: Value,
        state: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Sets a reader to where it was when `state` was saved."""
        return self._add("ReaderRestoreState", (reader_handle, state), {}, None, called=name, device=device, after=after)

    def reader_restore_state_v2(
        self,
        reader_handle: Value,
        state: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Sets a reader to where it was when `state` was saved."""
        return self._add("ReaderRestoreStateV2", (reader_handle, state), {}, None, called=name, device=device, after=after)

    def reader_save(
        self,
        reader_handle: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> ReaderSaveOutputs:
        """Says where a reader of any kind is: how many records of its file it has given, or -1 where it is at none, and
        what it has counted."""
        return self._add("ReaderSave", (reader_handle,), {}, ReaderSaveOutputs, called=name, device=device, after=after)

    def reader_save_v2(
        self,
        reader_handle: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> ReaderSaveV2Outputs:
        """Says where a reader of any kind is: how many records of its file it has given, or -1 where it is at none, and
        what it has counted."""
        return self._add("ReaderSaveV2", (reader_handle,), {}, ReaderSaveV2Outputs, called=name, device=device, after=after)

    def reader_serialize_state(
        self,
        reader_handle: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Says how far a reader is, in bytes that `ReaderRestoreState` understands."""
        return self._add("ReaderSerializeState", (reader_handle,), {}, None, called=name, device=device, after=after)

    def reader_serialize_state_v2(
        self,
        reader_handle: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Says how far a reader is, in bytes that `ReaderRestoreState` understands."""
        return self._add("ReaderSerializeStateV2", (reader_handle,), {}, None, called=name, device=device, after=after)

    def record_input(
        self,
        file_pattern: str | bytes,
        *,
        file_random_seed: int = 301,
        file_shuffle_shift_ratio: float = 0.0,
        file_buffer_size: int = 10000,
        file_parallelism: int = 16,
        batch_size: int = 32,
        compression_type: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The next `batch_size` records of the TFRecord files that a pattern matches, in random order; all of them before
        any comes again.

        Args:
            file_pattern: The files: patterns with commas between them.
            file_random_seed: The seed of the order.
            file_shuffle_shift_ratio: The part of the files that is read last instead of first, once they are shuffled.
            file_buffer_size: How many records are kept to draw from.
            file_parallelism: How many files are read by turns.
            batch_size: How many records to give.
            compression_type: `ZLIB`, `GZIP`, or empty for files that are not compressed.
        """
        return self._add("RecordInput", (), {"file_pattern": file_pattern, "file_random_seed": file_random_seed, "file_shuffle_shift_ratio": file_shuffle_shift_ratio, "file_buffer_size": file_buffer_size, "file_parallelism": file_parallelism, "batch_size": batch_size, "compression_type": compression_type}, None, called=name, device=device, after=after)

    def sharded_filename(
        self,
        basename: Value,
        shard: Value,
        num_shards: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The name of a shard's file: `basename-00001-of-00007`."""
        return self._add("ShardedFilename", (basename, shard, num_shards), {}, None, called=name, device=device, after=after)

    def sharded_filespec(
        self,
        basename: Value,
        num_shards: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """What matches the names of all shards' files: `basename-?????-of-00007`."""
        return self._add("ShardedFilespec", (basename, num_shards), {}, None, called=name, device=device, after=after)

    def write_file(
        self,
        filename: Value,
        contents: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Writes `contents` to a file, making the directories it is in."""
        return self._add("WriteFile", (filename, contents), {}, None, called=name, device=device, after=after)

    # linalg

    def banded_triangular_solve(
        self,
        matrix: Value,
        rhs: Value,
        *,
        lower: bool = True,
        adjoint: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Solves `matrix * output = rhs` where `matrix` holds the diagonals of triangular matrices as rows: the main one
        first and those below it after it where `lower`, else the main one last. Column `j` is of row `j` of the matrix.

        Args:
            lower: The diagonals lie below the main one.
            adjoint: Solves with the conjugate transposes.
        """
        return self._add("BandedTriangularSolve", (matrix, rhs), {"lower": lower, "adjoint": adjoint}, None, called=name, device=device, after=after)

    def batch_mat_mul_v2(
        self,
        x: Value,
        y: Value,
        *,
        adj_x: bool = False,
        adj_y: bool = False,
        grad_x: bool = False,
        grad_y: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Products of the matrices in the last two axes; the other axes are broadcast.

        Args:
            adj_x: Takes the conjugate transpose of `x`'s matrices.
            adj_y: Takes the conjugate transpose of `y`'s matrices.
            grad_x: True where `x` is a gradient; a hint of no effect here.
            grad_y: True where `y` is a gradient; a hint of no effect here.
        """
        return self._add("BatchMatMulV2", (x, y), {"adj_x": adj_x, "adj_y": adj_y, "grad_x": grad_x, "grad_y": grad_y}, None, called=name, device=device, after=after)

    def batch_mat_mul(
        self,
        x: Value,
        y: Value,
        *,
        adj_x: bool = False,
        adj_y: bool = False,
        grad_x: bool = False,
        grad_y: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Products of the matrices in the last two axes; all other axes must be the same.

        Args:
            adj_x: Takes the conjugate transpose of `x`'s matrices.
            adj_y: Takes the conjugate transpose of `y`'s matrices.
            grad_x: True where `x` is a gradient; a hint of no effect here.
            grad_y: True where `y` is a gradient; a hint of no effect here.
        """
        return self._add("BatchMatMul", (x, y), {"adj_x": adj_x, "adj_y": adj_y, "grad_x": grad_x, "grad_y": grad_y}, None, called=name, device=device, after=after)

    def batch_mat_mul_v3(
        self,
        x: Value,
        y: Value,
        tout: DTypeLike,
        *,
        adj_x: bool = False,
        adj_y: bool = False,
        grad_x: bool = False,
        grad_y: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """As `BatchMatMulV2`, for factors and a result of types of their own.

        Args:
            tout: Element type of the result.
            adj_x: Takes the conjugate transpose of `x`'s matrices.
            adj_y: Takes the conjugate transpose of `y`'s matrices.
            grad_x: True where `x` is a gradient; a hint of no effect here.
            grad_y: True where `y` is a gradient; a hint of no effect here.
        """
        return self._add("BatchMatMulV3", (x, y), {"Tout": tout, "adj_x": adj_x, "adj_y": adj_y, "grad_x": grad_x, "grad_y": grad_y}, None, called=name, device=device, after=after)

    def cholesky(
        self,
        input: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The lower triangular `l` of `input = l l^H`; NaN where a matrix is not positive definite."""
        return self._add("Cholesky", (input,), {}, None, called=name, device=device, after=after)

    def batch_cholesky(
        self,
        input: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The name of `Cholesky` in old graphs."""
        return self._add("BatchCholesky", (input,), {}, None, called=name, device=device, after=after)

    def cholesky_grad(
        self,
        l: Value,
        grad: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of `Cholesky` by its input from its output and the gradient of that."""
        return self._add("CholeskyGrad", (l, grad), {}, None, called=name, device=device, after=after)

    def batch_cholesky_grad(
        self,
        l: Value,
        grad: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The name of `CholeskyGrad` in old graphs."""
        return self._add("BatchCholeskyGrad", (l, grad), {}, None, called=name, device=device, after=after)

    def eig(
        self,
        input: Value,
        tout: DTypeLike,
        *,
        compute_v: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> EigOutputs:
        """Eigenvalues of square matrices in no certain order, and the vectors that belong to them as columns of length 1.

        Args:
            tout: Element type of the results.
            compute_v: Gives the vectors too.
        """
        return self._add("Eig", (input,), {"Tout": tout, "compute_v": compute_v}, EigOutputs, called=name, device=device, after=after)

    def einsum(
        self,
        inputs: Sequence[Value],
        equation: str | bytes,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Multiplies one or two tensors whose axes have labels, sums over labels that the result lacks, and orders the
        axes as the result's labels say.

        Args:
            equation: The labels: `ij,jk->ik`.
        """
        return self._add("Einsum", (inputs,), {"equation": equation}, None, called=name, device=device, after=after)

    def matrix_exponential(
        self,
        input: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The exponential of square matrices."""
        return self._add("MatrixExponential", (input,), {}, None, called=name, device=device, after=after)

    def matrix_logarithm(
        self,
        input: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The principal logarithm of square matrices."""
        return self._add("MatrixLogarithm", (input,), {}, None, called=name, device=device, after=after)

    def matrix_square_root(
        self,
        input: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The square root of square matrices whose eigenvalues have positive real parts; NaN where there is none."""
        return self._add("MatrixSquareRoot", (input,), {}, None, called=name, device=device, after=after)

    def lu(
        self,
        input: Value,
        *,
        output_idx_type: DTypeLike = 'int32',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> LuOutputs:
        """Factors square matrices: `lu` holds a unit lower and an upper triangle, whose product is the matrix with its
        rows in the order `p`.

        Args:
            output_idx_type: Element type of `p`.
        """
        return self._add("Lu", (input,), {"output_idx_type": output_idx_type}, LuOutputs, called=name, device=device, after=after)

    def mat_mul(
        self,
        a: Value,
        b: Value,
        *,
        transpose_a: bool = False,
        transpose_b: bool = False,
        grad_a: bool = False,
        grad_b: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The product of `a` and `b`, each transposed first where its attr says so.

        Args:
            transpose_a: Transposes `a`.
            transpose_b: Transposes `b`.
            grad_a: True where `a` is a gradient; a hint of no effect here.
            grad_b: True where `b` is a gradient; a hint of no effect here.
        """
        return self._add("MatMul", (a, b), {"transpose_a": transpose_a, "transpose_b": transpose_b, "grad_a": grad_a, "grad_b": grad_b}, None, called=name, device=device, after=after)

    def qr(
        self,
        input: Value,
        *,
        full_matrices: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> QrOutputs:
        """Factors matrices: `q` has orthonormal columns, `r` is upper triangular.

        Args:
            full_matrices: Makes `q` square.
        """
        return self._add("Qr", (input,), {"full_matrices": full_matrices}, QrOutputs, called=name, device=device, after=after)

    def self_adjoint_eig(
        self,
        input: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Eigenvalues of self-adjoint matrices in the first row, the vectors that belong to them below."""
        return self._add("SelfAdjointEig", (input,), {}, None, called=name, device=device, after=after)

    def batch_self_adjoint_eig(
        self,
        input: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The name of `SelfAdjointEig` in old graphs."""
        return self._add("BatchSelfAdjointEig", (input,), {}, None, called=name, device=device, after=after)

    def self_adjoint_eig_v2(
        self,
        input: Value,
        *,
        compute_v: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> SelfAdjointEigV2Outputs:
        """Eigenvalues of self-adjoint matrices, of which the lower triangles count, the least first, and the vectors that
        belong to them as columns.

        Args:
            compute_v: Gives the vectors too.
        """
        return self._add("SelfAdjointEigV2", (input,), {"compute_v": compute_v}, SelfAdjointEigV2Outputs, called=name, device=device, after=after)

    def batch_self_adjoint_eig_v2(
        self,
        input: Value,
        *,
        compute_v: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> BatchSelfAdjointEigV2Outputs:
        """The name of `SelfAdjointEigV2` in old graphs.

        Args:
            compute_v: Gives the vectors too.
        """
        return self._add("BatchSelfAdjointEigV2", (input,), {"compute_v": compute_v}, BatchSelfAdjointEigV2Outputs, called=name, device=device, after=after)

    def log_matrix_determinant(
        self,
        input: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> LogMatrixDeterminantOutputs:
        """The sign of the determinants of square matrices, and the logarithm of their absolute value."""
        return self._add("LogMatrixDeterminant", (input,), {}, LogMatrixDeterminantOutputs, called=name, device=device, after=after)

    def matrix_determinant(
        self,
        input: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The determinants of square matrices."""
        return self._add("MatrixDeterminant", (input,), {}, None, called=name, device=device, after=after)

    def batch_matrix_determinant(
        self,
        input: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The name of `MatrixDeterminant` in old graphs."""
        return self._add("BatchMatrixDeterminant", (input,), {}, None, called=name, device=device, after=after)

    def matrix_inverse(
        self,
        input: Value,
        *,
        adjoint: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The inverses of square matrices.

        Args:
            adjoint: Gives the conjugate transposes of the inverses.
        """
        return self._add("MatrixInverse", (input,), {"adjoint": adjoint}, None, called=name, device=device, after=after)

    def batch_matrix_inverse(
        self,
        input: Value,
        *,
        adjoint: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The name of `MatrixInverse` in old graphs.

        Args:
            adjoint: Gives the conjugate transposes of the inverses.
        """
        return self._add("BatchMatrixInverse", (input,), {"adjoint": adjoint}, None, called=name, device=device, after=after)

    def matrix_solve(
        self,
        matrix: Value,
        rhs: Value,
        *,
        adjoint: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Solves `matrix * output = rhs` for square matrices.

        Args:
            adjoint: Solves with the conjugate transposes.
        """
        return self._add("MatrixSolve", (matrix, rhs), {"adjoint": adjoint}, None, called=name, device=device, after=after)

    def batch_matrix_solve(
        self,
        matrix: Value,
        rhs: Value,
        *,
        adjoint: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The name of `MatrixSolve` in old graphs.

        Args:
            adjoint: Solves with the conjugate transposes.
        """
        return self._add("BatchMatrixSolve", (matrix, rhs), {"adjoint": adjoint}, None, called=name, device=device, after=after)

    def matrix_solve_ls(
        self,
        matrix: Value,
        rhs: Value,
        l2_regularizer: Value,
        *,
        fast: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Solves systems so that the sum of the squares of what is left is least, plus `l2_regularizer` times that of the
        solution; where there is more than one such solution the one with least squares.

        Args:
            fast: Solves the normal equations, which takes matrices of full rank.
        """
        return self._add("MatrixSolveLs", (matrix, rhs, l2_regularizer), {"fast": fast}, None, called=name, device=device, after=after)

    def batch_matrix_solve_ls(
        self,
        matrix: Value,
        rhs: Value,
        l2_regularizer: Value,
        *,
        fast: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The name of `MatrixSolveLs` in old graphs.

        Args:
            fast: Solves the normal equations, which takes matrices of full rank.
        """
        return self._add("BatchMatrixSolveLs", (matrix, rhs, l2_regularizer), {"fast": fast}, None, called=name, device=device, after=after)

    def svd(
        self,
        input: Value,
        *,
        compute_uv: bool = True,
        full_matrices: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> SvdOutputs:
        """Factors matrices as `u * diagonal(s) * v^H`, the largest of `s` first.

        Args:
            compute_uv: Gives the vectors too.
            full_matrices: Makes the matrices of vectors square.
        """
        return self._add("Svd", (input,), {"compute_uv": compute_uv, "full_matrices": full_matrices}, SvdOutputs, called=name, device=device, after=after)

    def batch_svd(
        self,
        input: Value,
        *,
        compute_uv: bool = True,
        full_matrices: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> BatchSvdOutputs:
        """The name of `Svd` in old graphs.

        Args:
            compute_uv: Gives the vectors too.
            full_matrices: Makes the matrices of vectors square.
        """
        return self._add("BatchSvd", (input,), {"compute_uv": compute_uv, "full_matrices": full_matrices}, BatchSvdOutputs, called=name, device=device, after=after)

    def matrix_triangular_solve(
        self,
        matrix: Value,
        rhs: Value,
        *,
        lower: bool = True,
        adjoint: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Solves `matrix * output = rhs` for triangular matrices; the other axes are broadcast.

        Args:
            lower: The part below the diagonal counts, and not the one above.
            adjoint: Solves with the conjugate transposes.
        """
        return self._add("MatrixTriangularSolve", (matrix, rhs), {"lower": lower, "adjoint": adjoint}, None, called=name, device=device, after=after)

    def batch_matrix_triangular_solve(
        self,
        matrix: Value,
        rhs: Value,
        *,
        lower: bool = True,
        adjoint: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The name of `MatrixTriangularSolve` in old graphs.

        Args:
            lower: The part below the diagonal counts, and not the one above.
            adjoint: Solves with the conjugate transposes.
        """
        return self._add("BatchMatrixTriangularSolve", (matrix, rhs), {"lower": lower, "adjoint": adjoint}, None, called=name, device=device, after=after)

    def tridiagonal_mat_mul(
        self,
        superdiag: Value,
        maindiag: Value,
        subdiag: Value,
        rhs: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Products of matrices with three diagonals, each given as matrices of one row, with those of `rhs`."""
        return self._add("TridiagonalMatMul", (superdiag, maindiag, subdiag, rhs), {}, None, called=name, device=device, after=after)

    def tridiagonal_solve(
        self,
        diagonals: Value,
        rhs: Value,
        *,
        partial_pivoting: bool = True,
        perturb_singular: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Solves systems whose matrices have the rows of `diagonals` as superdiagonal, diagonal and subdiagonal; the last
        element of the first row and the first of the last are not used.

        Args:
            partial_pivoting: Exchanges rows so that pivots are large.
            perturb_singular: Replaces pivots that are next to nothing instead of giving NaN.
        """
        return self._add("TridiagonalSolve", (diagonals, rhs), {"partial_pivoting": partial_pivoting, "perturb_singular": perturb_singular}, None, called=name, device=device, after=after)

    # logging

    def assert_(
        self,
        condition: Value,
        data: Sequence[Value],
        *,
        summarize: int = 3,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Fails with `data` in the message where `condition` is false.

        Args:
            summarize: How many elements of each tensor the message shows; negative for all.
        """
        return self._add("Assert", (condition, data), {"summarize": summarize}, None, called=name, device=device, after=after)

    def check_numerics(
        self,
        tensor: Value,
        message: str | bytes,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Gives its input, or fails where that holds NaN or infinity.

        Args:
            message: What the error message begins with.
        """
        return self._add("CheckNumerics", (tensor,), {"message": message}, None, called=name, device=device, after=after)

    def check_numerics_v2(
        self,
        tensor: Value,
        message: str | bytes,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Gives its input, or fails where that holds NaN or infinity, telling the infinities apart.

        Args:
            message: What the error message begins with.
        """
        return self._add("CheckNumericsV2", (tensor,), {"message": message}, None, called=name, device=device, after=after)

    def print(
        self,
        input: Value,
        data: Sequence[Value],
        *,
        message: str | bytes = '',
        first_n: int = -1,
        summarize: int = 3,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Gives `input` after writing `data` to the log.

        Args:
            message: What the line begins with.
            first_n: How many times to write; negative for always.
            summarize: How many elements of each tensor to write; negative for all.
        """
        return self._add("Print", (input, data), {"message": message, "first_n": first_n, "summarize": summarize}, None, called=name, device=device, after=after)

    def print_v2(
        self,
        input: Value,
        *,
        output_stream: str | bytes = 'stderr',
        end: str | bytes = '\n',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Writes `input` to the log.

        Args:
            output_stream: Where to: `stdout`, `stderr`, `log(info)`, `log(warning)`, `log(error)` or `file://` and a
                path.
            end: What follows the string.
        """
        return self._add("PrintV2", (input,), {"output_stream": output_stream, "end": end}, None, called=name, device=device, after=after)

    def timestamp(
        self,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Gives the seconds since 1970."""
        return self._add("Timestamp", (), {}, None, called=name, device=device, after=after)

    # math

    def add_v2(
        self,
        x: Value,
        y: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`x + y`."""
        return self._add("AddV2", (x, y), {}, None, called=name, device=device, after=after)

    def add(
        self,
        x: Value,
        y: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`x + y`; strings are joined."""
        return self._add("Add", (x, y), {}, None, called=name, device=device, after=after)

    def accumulate_n_v2(
        self,
        inputs: Sequence[Value],
        shape: ShapeLike | None,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The sum of all inputs, which must be of one shape.

        Args:
            shape: Shape of the inputs and of the sum.
        """
        return self._add("AccumulateNV2", (inputs,), {"shape": shape}, None, called=name, device=device, after=after)

    def add_n(
        self,
        inputs: Sequence[Value],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The sum of all inputs, which must be of one shape."""
        return self._add("AddN", (inputs,), {}, None, called=name, device=device, after=after)

    def mul(
        self,
        x: Value,
        y: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`x * y`."""
        return self._add("Mul", (x, y), {}, None, called=name, device=device, after=after)

    def mul_no_nan(
        self,
        x: Value,
        y: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`x * y`, and 0 where `y` is 0, even for an infinite or undefined `x`."""
        return self._add("MulNoNan", (x, y), {}, None, called=name, device=device, after=after)

    def squared_difference(
        self,
        x: Value,
        y: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`conj(x - y) * (x - y)`."""
        return self._add("SquaredDifference", (x, y), {}, None, called=name, device=device, after=after)

    def sub(
        self,
        x: Value,
        y: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`x - y`."""
        return self._add("Sub", (x, y), {}, None, called=name, device=device, after=after)

    def atan2(
        self,
        y: Value,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The angle of the point `(x, y)` with the first axis, between -pi and pi."""
        return self._add("Atan2", (y, x), {}, None, called=name, device=device, after=after)

    def bessel_i0(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The modified Bessel function of the first kind of order 0."""
        return self._add("BesselI0", (x,), {}, None, called=name, device=device, after=after)

    def bessel_i0e(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`exp(-|x|)` times the modified Bessel function of the first kind of order 0."""
        return self._add("BesselI0e", (x,), {}, None, called=name, device=device, after=after)

    def bessel_i1(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The modified Bessel function of the first kind of order 1."""
        return self._add("BesselI1", (x,), {}, None, called=name, device=device, after=after)

    def bessel_i1e(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`exp(-|x|)` times the modified Bessel function of the first kind of order 1."""
        return self._add("BesselI1e", (x,), {}, None, called=name, device=device, after=after)

    def bessel_j0(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The Bessel function of the first kind of order 0."""
        return self._add("BesselJ0", (x,), {}, None, called=name, device=device, after=after)

    def bessel_j1(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The Bessel function of the first kind of order 1."""
        return self._add("BesselJ1", (x,), {}, None, called=name, device=device, after=after)

    def bessel_k0(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The modified Bessel function of the second kind of order 0."""
        return self._add("BesselK0", (x,), {}, None, called=name, device=device, after=after)

    def bessel_k0e(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`exp(x)` times the modified Bessel function of the second kind of order 0."""
        return self._add("BesselK0e", (x,), {}, None, called=name, device=device, after=after)

    def bessel_k1(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The modified Bessel function of the second kind of order 1."""
        return self._add("BesselK1", (x,), {}, None, called=name, device=device, after=after)

    def bessel_k1e(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`exp(x)` times the modified Bessel function of the second kind of order 1."""
        return self._add("BesselK1e", (x,), {}, None, called=name, device=device, after=after)

    def bessel_y0(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The Bessel function of the second kind of order 0."""
        return self._add("BesselY0", (x,), {}, None, called=name, device=device, after=after)

    def bessel_y1(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The Bessel function of the second kind of order 1."""
        return self._add("BesselY1", (x,), {}, None, called=name, device=device, after=after)

    def betainc(
        self,
        a: Value,
        b: Value,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The regularized incomplete beta function. Inputs are of one shape, or scalars."""
        return self._add("Betainc", (a, b, x), {}, None, called=name, device=device, after=after)

    def bitwise_and(
        self,
        x: Value,
        y: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The bits that are set in `x` and in `y`."""
        return self._add("BitwiseAnd", (x, y), {}, None, called=name, device=device, after=after)

    def bitwise_or(
        self,
        x: Value,
        y: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The bits that are set in `x`, in `y` or in both."""
        return self._add("BitwiseOr", (x, y), {}, None, called=name, device=device, after=after)

    def bitwise_xor(
        self,
        x: Value,
        y: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The bits that are set in `x` or in `y`, but not in both."""
        return self._add("BitwiseXor", (x, y), {}, None, called=name, device=device, after=after)

    def invert(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The bits that are not set in `x`."""
        return self._add("Invert", (x,), {}, None, called=name, device=device, after=after)

    def left_shift(
        self,
        x: Value,
        y: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`x` shifted to the left by `y` bits, at least by none and at most by all but one."""
        return self._add("LeftShift", (x, y), {}, None, called=name, device=device, after=after)

    def population_count(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Number of bits that are set in `x`."""
        return self._add("PopulationCount", (x,), {}, None, called=name, device=device, after=after)

    def right_shift(
        self,
        x: Value,
        y: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`x` shifted to the right by `y` bits, at least by none and at most by all but one; negative numbers stay
        negative."""
        return self._add("RightShift", (x, y), {}, None, called=name, device=device, after=after)

    def cast(
        self,
        x: Value,
        dst_t: DTypeLike,
        *,
        truncate: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Gives the elements of `x` as another type.

        Integers wrap, floats become integers by dropping the fraction, complex numbers lose their imaginary part, and
        whatever is not zero is true. Floats that an integer type cannot hold, and NaN, become what the x86 conversion
        of a single number gives.

        Args:
            dst_t: Element type of `y`.
            truncate: True where floats lose their low bits when they become narrower, rather than being rounded.
        """
        return self._add("Cast", (x,), {"DstT": dst_t, "Truncate": truncate}, None, called=name, device=device, after=after)

    def is_finite(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """True for numbers, false for infinities and NaN."""
        return self._add("IsFinite", (x,), {}, None, called=name, device=device, after=after)

    def is_inf(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """True for both infinities."""
        return self._add("IsInf", (x,), {}, None, called=name, device=device, after=after)

    def is_nan(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """True for NaN."""
        return self._add("IsNan", (x,), {}, None, called=name, device=device, after=after)

    def clip_by_value(
        self,
        t: Value,
        clip_value_min: Value,
        clip_value_max: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`t`, but not less than `clip_value_min` and not more than `clip_value_max`; the lower bound wins."""
        return self._add("ClipByValue", (t, clip_value_min, clip_value_max), {}, None, called=name, device=device, after=after)

    def greater(
        self,
        x: Value,
        y: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`x > y`."""
        return self._add("Greater", (x, y), {}, None, called=name, device=device, after=after)

    def greater_equal(
        self,
        x: Value,
        y: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`x >= y`."""
        return self._add("GreaterEqual", (x, y), {}, None, called=name, device=device, after=after)

    def less(
        self,
        x: Value,
        y: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`x < y`."""
        return self._add("Less", (x, y), {}, None, called=name, device=device, after=after)

    def less_equal(
        self,
        x: Value,
        y: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`x <= y`."""
        return self._add("LessEqual", (x, y), {}, None, called=name, device=device, after=after)

    def angle(
        self,
        input: Value,
        *,
        tout: DTypeLike = 'float32',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The angle with the real axis.

        Args:
            tout: Element type of the output.
        """
        return self._add("Angle", (input,), {"Tout": tout}, None, called=name, device=device, after=after)

    def complex(
        self,
        real: Value,
        imag: Value,
        *,
        tout: DTypeLike = 'complex64',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`real + i * imag`.

        Args:
            tout: Element type of the output.
        """
        return self._add("Complex", (real, imag), {"Tout": tout}, None, called=name, device=device, after=after)

    def complex_abs(
        self,
        x: Value,
        *,
        tout: DTypeLike = 'float32',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The absolute value.

        Args:
            tout: Element type of the output.
        """
        return self._add("ComplexAbs", (x,), {"Tout": tout}, None, called=name, device=device, after=after)

    def conj(
        self,
        input: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The complex conjugate."""
        return self._add("Conj", (input,), {}, None, called=name, device=device, after=after)

    def imag(
        self,
        input: Value,
        *,
        tout: DTypeLike = 'float32',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The imaginary part.

        Args:
            tout: Element type of the output.
        """
        return self._add("Imag", (input,), {"Tout": tout}, None, called=name, device=device, after=after)

    def real(
        self,
        input: Value,
        *,
        tout: DTypeLike = 'float32',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The real part.

        Args:
            tout: Element type of the output.
        """
        return self._add("Real", (input,), {"Tout": tout}, None, called=name, device=device, after=after)

    def cross(
        self,
        a: Value,
        b: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The cross products of the vectors along the last axis, which has three elements."""
        return self._add("Cross", (a, b), {}, None, called=name, device=device, after=after)

    def div(
        self,
        x: Value,
        y: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`x / y`; integers are rounded toward zero."""
        return self._add("Div", (x, y), {}, None, called=name, device=device, after=after)

    def div_no_nan(
        self,
        x: Value,
        y: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`x / y`, and 0 where `y` is 0."""
        return self._add("DivNoNan", (x, y), {}, None, called=name, device=device, after=after)

    def floor_div(
        self,
        x: Value,
        y: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`x / y` rounded down."""
        return self._add("FloorDiv", (x, y), {}, None, called=name, device=device, after=after)

    def real_div(
        self,
        x: Value,
        y: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`x / y`."""
        return self._add("RealDiv", (x, y), {}, None, called=name, device=device, after=after)

    def truncate_div(
        self,
        x: Value,
        y: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`x / y` rounded toward zero."""
        return self._add("TruncateDiv", (x, y), {}, None, called=name, device=device, after=after)

    def approximate_equal(
        self,
        x: Value,
        y: Value,
        *,
        tolerance: float = 1e-05,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`|x - y| < tolerance`, of inputs of one shape.

        Args:
            tolerance: How far apart equal elements may be.
        """
        return self._add("ApproximateEqual", (x, y), {"tolerance": tolerance}, None, called=name, device=device, after=after)

    def equal(
        self,
        x: Value,
        y: Value,
        *,
        incompatible_shape_error: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`x == y`; NaN differs from NaN.

        Args:
            incompatible_shape_error: True where inputs that cannot be broadcast together are an error; else the result
                is one bool.
        """
        return self._add("Equal", (x, y), {"incompatible_shape_error": incompatible_shape_error}, None, called=name, device=device, after=after)

    def not_equal(
        self,
        x: Value,
        y: Value,
        *,
        incompatible_shape_error: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`x != y`; NaN differs from NaN.

        Args:
            incompatible_shape_error: True where inputs that cannot be broadcast together are an error; else the result
                is one bool.
        """
        return self._add("NotEqual", (x, y), {"incompatible_shape_error": incompatible_shape_error}, None, called=name, device=device, after=after)

    def erf(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The error function."""
        return self._add("Erf", (x,), {}, None, called=name, device=device, after=after)

    def erfc(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """1 less the error function."""
        return self._add("Erfc", (x,), {}, None, called=name, device=device, after=after)

    def erfinv(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The inverse of the error function."""
        return self._add("Erfinv", (x,), {}, None, called=name, device=device, after=after)

    def ndtri(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The quantile function of the standard normal distribution."""
        return self._add("Ndtri", (x,), {}, None, called=name, device=device, after=after)

    def exp(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`e` to the power of `x`."""
        return self._add("Exp", (x,), {}, None, called=name, device=device, after=after)

    def expm1(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`exp(x) - 1`, precise near 0."""
        return self._add("Expm1", (x,), {}, None, called=name, device=device, after=after)

    def log(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The natural logarithm."""
        return self._add("Log", (x,), {}, None, called=name, device=device, after=after)

    def log1p(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`log(1 + x)`, precise near 0."""
        return self._add("Log1p", (x,), {}, None, called=name, device=device, after=after)

    def sigmoid(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`1 / (1 + exp(-x))`."""
        return self._add("Sigmoid", (x,), {}, None, called=name, device=device, after=after)

    def maximum(
        self,
        x: Value,
        y: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The greater of `x` and `y`; NaN where either is NaN."""
        return self._add("Maximum", (x, y), {}, None, called=name, device=device, after=after)

    def minimum(
        self,
        x: Value,
        y: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The lesser of `x` and `y`; NaN where either is NaN."""
        return self._add("Minimum", (x, y), {}, None, called=name, device=device, after=after)

    def digamma(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The derivative of [`Lgamma`]."""
        return self._add("Digamma", (x,), {}, None, called=name, device=device, after=after)

    def igamma(
        self,
        a: Value,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The lower regularized incomplete gamma function."""
        return self._add("Igamma", (a, x), {}, None, called=name, device=device, after=after)

    def igammac(
        self,
        a: Value,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The upper regularized incomplete gamma function."""
        return self._add("Igammac", (a, x), {}, None, called=name, device=device, after=after)

    def igamma_grad_a(
        self,
        a: Value,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The derivative of [`Igamma`] by `a`."""
        return self._add("IgammaGradA", (a, x), {}, None, called=name, device=device, after=after)

    def lgamma(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The logarithm of the absolute value of the gamma function."""
        return self._add("Lgamma", (x,), {}, None, called=name, device=device, after=after)

    def polygamma(
        self,
        a: Value,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Derivative number `a` of [`Digamma`]."""
        return self._add("Polygamma", (a, x), {}, None, called=name, device=device, after=after)

    def random_gamma_grad(
        self,
        alpha: Value,
        sample: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The derivative of a sample of the gamma distribution by its parameter."""
        return self._add("RandomGammaGrad", (alpha, sample), {}, None, called=name, device=device, after=after)

    def zeta(
        self,
        x: Value,
        q: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Hurwitz's zeta function."""
        return self._add("Zeta", (x, q), {}, None, called=name, device=device, after=after)

    def reciprocal_grad(
        self,
        y: Value,
        dy: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of `1 / x` where that is `y`."""
        return self._add("ReciprocalGrad", (y, dy), {}, None, called=name, device=device, after=after)

    def inv_grad(
        self,
        y: Value,
        dy: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of `1 / x` where that is `y`."""
        return self._add("InvGrad", (y, dy), {}, None, called=name, device=device, after=after)

    def rsqrt_grad(
        self,
        y: Value,
        dy: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of `1 / sqrt(x)` where that is `y`."""
        return self._add("RsqrtGrad", (y, dy), {}, None, called=name, device=device, after=after)

    def sigmoid_grad(
        self,
        y: Value,
        dy: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of `sigmoid(x)` where that is `y`."""
        return self._add("SigmoidGrad", (y, dy), {}, None, called=name, device=device, after=after)

    def sqrt_grad(
        self,
        y: Value,
        dy: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of `sqrt(x)` where that is `y`."""
        return self._add("SqrtGrad", (y, dy), {}, None, called=name, device=device, after=after)

    def tanh_grad(
        self,
        y: Value,
        dy: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of `tanh(x)` where that is `y`."""
        return self._add("TanhGrad", (y, dy), {}, None, called=name, device=device, after=after)

    def acosh(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The inverse hyperbolic cosine."""
        return self._add("Acosh", (x,), {}, None, called=name, device=device, after=after)

    def asinh(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The inverse hyperbolic sine."""
        return self._add("Asinh", (x,), {}, None, called=name, device=device, after=after)

    def atanh(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The inverse hyperbolic tangent."""
        return self._add("Atanh", (x,), {}, None, called=name, device=device, after=after)

    def cosh(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The hyperbolic cosine."""
        return self._add("Cosh", (x,), {}, None, called=name, device=device, after=after)

    def sinh(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The hyperbolic sine."""
        return self._add("Sinh", (x,), {}, None, called=name, device=device, after=after)

    def tanh(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The hyperbolic tangent."""
        return self._add("Tanh", (x,), {}, None, called=name, device=device, after=after)

    def dawsn(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Dawson's integral."""
        return self._add("Dawsn", (x,), {}, None, called=name, device=device, after=after)

    def expint(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The exponential integral."""
        return self._add("Expint", (x,), {}, None, called=name, device=device, after=after)

    def fresnel_cos(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Fresnel's cosine integral."""
        return self._add("FresnelCos", (x,), {}, None, called=name, device=device, after=after)

    def fresnel_sin(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Fresnel's sine integral."""
        return self._add("FresnelSin", (x,), {}, None, called=name, device=device, after=after)

    def spence(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The dilogarithm of `1 - x`."""
        return self._add("Spence", (x,), {}, None, called=name, device=device, after=after)

    def xdivy(
        self,
        x: Value,
        y: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`x / y`, and 0 where `x` is 0."""
        return self._add("Xdivy", (x, y), {}, None, called=name, device=device, after=after)

    def xlog1py(
        self,
        x: Value,
        y: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`x * log(1 + y)`, and 0 where `x` is 0."""
        return self._add("Xlog1py", (x, y), {}, None, called=name, device=device, after=after)

    def xlogy(
        self,
        x: Value,
        y: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`x * log(y)`, and 0 where `x` is 0."""
        return self._add("Xlogy", (x, y), {}, None, called=name, device=device, after=after)

    def logical_and(
        self,
        x: Value,
        y: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """True where both are."""
        return self._add("LogicalAnd", (x, y), {}, None, called=name, device=device, after=after)

    def logical_not(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """True where `x` is not."""
        return self._add("LogicalNot", (x,), {}, None, called=name, device=device, after=after)

    def logical_or(
        self,
        x: Value,
        y: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """True where one is, or both are."""
        return self._add("LogicalOr", (x, y), {}, None, called=name, device=device, after=after)

    def floor_mod(
        self,
        x: Value,
        y: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The remainder of `x / y` rounded down: it has the sign of `y`."""
        return self._add("FloorMod", (x, y), {}, None, called=name, device=device, after=after)

    def mod(
        self,
        x: Value,
        y: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The remainder of `x / y` rounded toward zero: it has the sign of `x`."""
        return self._add("Mod", (x, y), {}, None, called=name, device=device, after=after)

    def truncate_mod(
        self,
        x: Value,
        y: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The remainder of `x / y` rounded toward zero: it has the sign of `x`."""
        return self._add("TruncateMod", (x, y), {}, None, called=name, device=device, after=after)

    def next_after(
        self,
        x1: Value,
        x2: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The next float after `x1` on the way to `x2`."""
        return self._add("NextAfter", (x1, x2), {}, None, called=name, device=device, after=after)

    def pow(
        self,
        x: Value,
        y: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`x` to the power of `y`. Integers wrap and cannot be raised to a negative power."""
        return self._add("Pow", (x, y), {}, None, called=name, device=device, after=after)

    def reciprocal(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`1 / x`."""
        return self._add("Reciprocal", (x,), {}, None, called=name, device=device, after=after)

    def inv(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`1 / x`."""
        return self._add("Inv", (x,), {}, None, called=name, device=device, after=after)

    def rsqrt(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`1 / sqrt(x)`."""
        return self._add("Rsqrt", (x,), {}, None, called=name, device=device, after=after)

    def sqrt(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The square root."""
        return self._add("Sqrt", (x,), {}, None, called=name, device=device, after=after)

    def square(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`x * x`."""
        return self._add("Square", (x,), {}, None, called=name, device=device, after=after)

    def ceil(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The least integer that is not less."""
        return self._add("Ceil", (x,), {}, None, called=name, device=device, after=after)

    def floor(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The greatest integer that is not greater."""
        return self._add("Floor", (x,), {}, None, called=name, device=device, after=after)

    def rint(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The nearest integer, the even one of two."""
        return self._add("Rint", (x,), {}, None, called=name, device=device, after=after)

    def round(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The nearest integer, the even one of two."""
        return self._add("Round", (x,), {}, None, called=name, device=device, after=after)

    def select(
        self,
        condition: Value,
        t: Value,
        e: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`t` where `condition` is true and `e` where it is false. `t` and `e` are of one shape; `condition` has that
        shape too, or is a scalar, or has one element for every row of `t` and `e`."""
        return self._add("Select", (condition, t, e), {}, None, called=name, device=device, after=after)

    def select_v2(
        self,
        condition: Value,
        t: Value,
        e: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`t` where `condition` is true and `e` where it is false, all three broadcast together."""
        return self._add("SelectV2", (condition, t, e), {}, None, called=name, device=device, after=after)

    def abs(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The absolute value; that of the lowest integer is itself."""
        return self._add("Abs", (x,), {}, None, called=name, device=device, after=after)

    def neg(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`-x`"""
        return self._add("Neg", (x,), {}, None, called=name, device=device, after=after)

    def sign(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """-1, 0 or 1 by the sign of `x`; `x / |x|` or 0 for complex numbers."""
        return self._add("Sign", (x,), {}, None, called=name, device=device, after=after)

    def acos(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The inverse cosine."""
        return self._add("Acos", (x,), {}, None, called=name, device=device, after=after)

    def asin(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The inverse sine."""
        return self._add("Asin", (x,), {}, None, called=name, device=device, after=after)

    def atan(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The inverse tangent."""
        return self._add("Atan", (x,), {}, None, called=name, device=device, after=after)

    def cos(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The cosine."""
        return self._add("Cos", (x,), {}, None, called=name, device=device, after=after)

    def sin(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The sine."""
        return self._add("Sin", (x,), {}, None, called=name, device=device, after=after)

    def tan(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The tangent."""
        return self._add("Tan", (x,), {}, None, called=name, device=device, after=after)

    # nn

    def elu(
        self,
        features: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`x`, or `exp(x) - 1` for negative `x`."""
        return self._add("Elu", (features,), {}, None, called=name, device=device, after=after)

    def leaky_relu(
        self,
        features: Value,
        *,
        alpha: float = 0.2,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`x`, or `alpha * x` for negative `x`.

        Args:
            alpha: Slope for negative inputs.
        """
        return self._add("LeakyRelu", (features,), {"alpha": alpha}, None, called=name, device=device, after=after)

    def relu(
        self,
        features: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`x`, or 0 for negative `x`."""
        return self._add("Relu", (features,), {}, None, called=name, device=device, after=after)

    def relu6(
        self,
        features: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`x`, but at least 0 and at most 6."""
        return self._add("Relu6", (features,), {}, None, called=name, device=device, after=after)

    def selu(
        self,
        features: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """[`Elu`] scaled such that means and variances persist through layers."""
        return self._add("Selu", (features,), {}, None, called=name, device=device, after=after)

    def softplus(
        self,
        features: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`log(1 + exp(x))`."""
        return self._add("Softplus", (features,), {}, None, called=name, device=device, after=after)

    def softsign(
        self,
        features: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`x / (1 + |x|)`."""
        return self._add("Softsign", (features,), {}, None, called=name, device=device, after=after)

    def elu_grad(
        self,
        gradients: Value,
        outputs: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of `Elu`, by its output."""
        return self._add("EluGrad", (gradients, outputs), {}, None, called=name, device=device, after=after)

    def leaky_relu_grad(
        self,
        gradients: Value,
        features: Value,
        *,
        alpha: float = 0.2,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of `LeakyRelu`, by its input.

        Args:
            alpha: Slope for negative inputs.
        """
        return self._add("LeakyReluGrad", (gradients, features), {"alpha": alpha}, None, called=name, device=device, after=after)

    def relu6_grad(
        self,
        gradients: Value,
        features: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of `Relu6`, by its input or output."""
        return self._add("Relu6Grad", (gradients, features), {}, None, called=name, device=device, after=after)

    def relu_grad(
        self,
        gradients: Value,
        features: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of `Relu`, by its input or output."""
        return self._add("ReluGrad", (gradients, features), {}, None, called=name, device=device, after=after)

    def selu_grad(
        self,
        gradients: Value,
        outputs: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of `Selu`, by its output."""
        return self._add("SeluGrad", (gradients, outputs), {}, None, called=name, device=device, after=after)

    def softplus_grad(
        self,
        gradients: Value,
        features: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of `Softplus`, by its input."""
        return self._add("SoftplusGrad", (gradients, features), {}, None, called=name, device=device, after=after)

    def softsign_grad(
        self,
        gradients: Value,
        features: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of `Softsign`, by its input."""
        return self._add("SoftsignGrad", (gradients, features), {}, None, called=name, device=device, after=after)

    def approx_top_k(
        self,
        input: Value,
        k: int,
        *,
        reduction_dimension: int = -1,
        recall_target: float = 0.95,
        is_max_k: bool = True,
        reduction_input_size_override: int = -1,
        aggregate_to_topk: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> ApproxTopKOutputs:
        """The `k` greatest or least elements along an axis, and their indices. The result is exact, whatever
        `recall_target` is.

        Args:
            k: How many.
            reduction_dimension: The axis, from the end where it is negative.
            recall_target: The part of them that must be found.
            is_max_k: True for the greatest, false for the least.
            reduction_input_size_override: The size of the axis of which this one is a part, for the recall; -1 for its
                own.
            aggregate_to_topk: True to give `k` elements, false where more may be given. There are always `k`.
        """
        return self._add("ApproxTopK", (input,), {"k": k, "reduction_dimension": reduction_dimension, "recall_target": recall_target, "is_max_k": is_max_k, "reduction_input_size_override": reduction_input_size_override, "aggregate_to_topk": aggregate_to_topk}, ApproxTopKOutputs, called=name, device=device, after=after)

    def avg_pool(
        self,
        value: Value,
        ksize: Sequence[int],
        strides: Sequence[int],
        padding: str | bytes,
        *,
        data_format: str | bytes = 'NHWC',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The mean of the elements under each window; padding does not count.

        Args:
            ksize: Size of a window, for each axis of the images.
            strides: Distance between windows, for each axis of the images.
            padding: How windows at the edges are padded.
            data_format: Order of the axes.
        """
        return self._add("AvgPool", (value,), {"ksize": ksize, "strides": strides, "padding": padding, "data_format": data_format}, None, called=name, device=device, after=after)

    def avg_pool3d(
        self,
        input: Value,
        ksize: Sequence[int],
        strides: Sequence[int],
        padding: str | bytes,
        *,
        data_format: str | bytes = 'NDHWC',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The mean of the elements under each window of volumes; padding does not count.

        Args:
            ksize: Size of a window, for each axis of the images.
            strides: Distance between windows, for each axis of the images.
            padding: How windows at the edges are padded.
            data_format: Order of the axes.
        """
        return self._add("AvgPool3D", (input,), {"ksize": ksize, "strides": strides, "padding": padding, "data_format": data_format}, None, called=name, device=device, after=after)

    def avg_pool3d_grad(
        self,
        orig_input_shape: Value,
        grad: Value,
        ksize: Sequence[int],
        strides: Sequence[int],
        padding: str | bytes,
        *,
        data_format: str | bytes = 'NDHWC',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of an `AvgPool3D`.

        Args:
            ksize: Size of a window, for each axis of the images.
            strides: Distance between windows, for each axis of the images.
            padding: How windows at the edges are padded.
            data_format: Order of the axes.
        """
        return self._add("AvgPool3DGrad", (orig_input_shape, grad), {"ksize": ksize, "strides": strides, "padding": padding, "data_format": data_format}, None, called=name, device=device, after=after)

    def avg_pool_grad(
        self,
        orig_input_shape: Value,
        grad: Value,
        ksize: Sequence[int],
        strides: Sequence[int],
        padding: str | bytes,
        *,
        data_format: str | bytes = 'NHWC',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of an `AvgPool`.

        Args:
            ksize: Size of a window, for each axis of the images.
            strides: Distance between windows, for each axis of the images.
            padding: How windows at the edges are padded.
            data_format: Order of the axes.
        """
        return self._add("AvgPoolGrad", (orig_input_shape, grad), {"ksize": ksize, "strides": strides, "padding": padding, "data_format": data_format}, None, called=name, device=device, after=after)

    def fused_batch_norm_v3(
        self,
        x: Value,
        scale: Value,
        offset: Value,
        mean: Value,
        variance: Value,
        *,
        epsilon: float = 0.0001,
        exponential_avg_factor: float = 1.0,
        data_format: str | bytes = 'NHWC',
        is_training: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> FusedBatchNormV3Outputs:
        """Normalizes each channel of images or volumes, which may be of half precision.

        Args:
            epsilon: Added to variances.
            exponential_avg_factor: Part of this batch in the running mean and variance.
            data_format: Order of the axes.
            is_training: True to normalize by the mean and variance of the batch, false by those given.
        """
        return self._add("FusedBatchNormV3", (x, scale, offset, mean, variance), {"epsilon": epsilon, "exponential_avg_factor": exponential_avg_factor, "data_format": data_format, "is_training": is_training}, FusedBatchNormV3Outputs, called=name, device=device, after=after)

    def fused_batch_norm_v2(
        self,
        x: Value,
        scale: Value,
        offset: Value,
        mean: Value,
        variance: Value,
        *,
        epsilon: float = 0.0001,
        exponential_avg_factor: float = 1.0,
        data_format: str | bytes = 'NHWC',
        is_training: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> FusedBatchNormV2Outputs:
        """Normalizes each channel of images, which may be of half precision.

        Args:
            epsilon: Added to variances.
            exponential_avg_factor: Part of this batch in the running mean and variance.
            data_format: Order of the axes.
            is_training: True to normalize by the mean and variance of the batch, false by those given.
        """
        return self._add("FusedBatchNormV2", (x, scale, offset, mean, variance), {"epsilon": epsilon, "exponential_avg_factor": exponential_avg_factor, "data_format": data_format, "is_training": is_training}, FusedBatchNormV2Outputs, called=name, device=device, after=after)

    def fused_batch_norm(
        self,
        x: Value,
        scale: Value,
        offset: Value,
        mean: Value,
        variance: Value,
        *,
        epsilon: float = 0.0001,
        exponential_avg_factor: float = 1.0,
        data_format: str | bytes = 'NHWC',
        is_training: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> FusedBatchNormOutputs:
        """Normalizes each channel of images.

        Args:
            epsilon: Added to variances.
            exponential_avg_factor: Part of this batch in the running mean and variance.
            data_format: Order of the axes.
            is_training: True to normalize by the mean and variance of the batch, false by those given.
        """
        return self._add("FusedBatchNorm", (x, scale, offset, mean, variance), {"epsilon": epsilon, "exponential_avg_factor": exponential_avg_factor, "data_format": data_format, "is_training": is_training}, FusedBatchNormOutputs, called=name, device=device, after=after)

    def fused_batch_norm_grad_v3(
        self,
        y_backprop: Value,
        x: Value,
        scale: Value,
        reserve_space_1: Value,
        reserve_space_2: Value,
        reserve_space_3: Value,
        *,
        epsilon: float = 0.0001,
        data_format: str | bytes = 'NHWC',
        is_training: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> FusedBatchNormGradV3Outputs:
        """The gradient of a `FusedBatchNormV3`.

        Args:
            epsilon: Added to variances.
            data_format: Order of the axes.
            is_training: True to normalize by the mean and variance of the batch, false by those given.
        """
        return self._add("FusedBatchNormGradV3", (y_backprop, x, scale, reserve_space_1, reserve_space_2, reserve_space_3), {"epsilon": epsilon, "data_format": data_format, "is_training": is_training}, FusedBatchNormGradV3Outputs, called=name, device=device, after=after)

    def fused_batch_norm_grad_v2(
        self,
        y_backprop: Value,
        x: Value,
        scale: Value,
        reserve_space_1: Value,
        reserve_space_2: Value,
        *,
        epsilon: float = 0.0001,
        data_format: str | bytes = 'NHWC',
        is_training: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> FusedBatchNormGradV2Outputs:
        """The gradient of a `FusedBatchNormV2`.

        Args:
            epsilon: Added to variances.
            data_format: Order of the axes.
            is_training: True to normalize by the mean and variance of the batch, false by those given.
        """
        return self._add("FusedBatchNormGradV2", (y_backprop, x, scale, reserve_space_1, reserve_space_2), {"epsilon": epsilon, "data_format": data_format, "is_training": is_training}, FusedBatchNormGradV2Outputs, called=name, device=device, after=after)

    def fused_batch_norm_grad(
        self,
        y_backprop: Value,
        x: Value,
        scale: Value,
        reserve_space_1: Value,
        reserve_space_2: Value,
        *,
        epsilon: float = 0.0001,
        data_format: str | bytes = 'NHWC',
        is_training: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> FusedBatchNormGradOutputs:
        """The gradient of a `FusedBatchNorm`.

        Args:
            epsilon: Added to variances.
            data_format: Order of the axes.
            is_training: True to normalize by the mean and variance of the batch, false by those given.
        """
        return self._add("FusedBatchNormGrad", (y_backprop, x, scale, reserve_space_1, reserve_space_2), {"epsilon": epsilon, "data_format": data_format, "is_training": is_training}, FusedBatchNormGradOutputs, called=name, device=device, after=after)

    def batch_norm_with_global_normalization(
        self,
        t: Value,
        m: Value,
        v: Value,
        beta: Value,
        gamma: Value,
        variance_epsilon: float,
        scale_after_normalization: bool,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Normalizes each channel of images by a given mean and variance.

        Args:
            variance_epsilon: Added to variances.
            scale_after_normalization: True to multiply by `gamma`.
        """
        return self._add("BatchNormWithGlobalNormalization", (t, m, v, beta, gamma), {"variance_epsilon": variance_epsilon, "scale_after_normalization": scale_after_normalization}, None, called=name, device=device, after=after)

    def batch_norm_with_global_normalization_grad(
        self,
        t: Value,
        m: Value,
        v: Value,
        gamma: Value,
        backprop: Value,
        variance_epsilon: float,
        scale_after_normalization: bool,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> BatchNormWithGlobalNormalizationGradOutputs:
        """The gradient of a `BatchNormWithGlobalNormalization`.

        Args:
            variance_epsilon: Added to variances.
            scale_after_normalization: True to multiply by `gamma`.
        """
        return self._add("BatchNormWithGlobalNormalizationGrad", (t, m, v, gamma, backprop), {"variance_epsilon": variance_epsilon, "scale_after_normalization": scale_after_normalization}, BatchNormWithGlobalNormalizationGradOutputs, called=name, device=device, after=after)

    def bias_add(
        self,
        value: Value,
        bias: Value,
        *,
        data_format: str | bytes = 'NHWC',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Adds `bias[c]` to every element of channel `c`.

        Args:
            data_format: Where the channels are: last for `NHWC`, on axis 1 for `NCHW`, whatever the rank.
        """
        return self._add("BiasAdd", (value, bias), {"data_format": data_format}, None, called=name, device=device, after=after)

    def bias_add_v1(
        self,
        value: Value,
        bias: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Adds `bias[c]` to every element of channel `c`, of which the axis is the last."""
        return self._add("BiasAddV1", (value, bias), {}, None, called=name, device=device, after=after)

    def bias_add_grad(
        self,
        out_backprop: Value,
        *,
        data_format: str | bytes = 'NHWC',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The sum of each channel.

        Args:
            data_format: Where the channels are: last for `NHWC`, on axis 1 for `NCHW`, whatever the rank.
        """
        return self._add("BiasAddGrad", (out_backprop,), {"data_format": data_format}, None, called=name, device=device, after=after)

    def block_lstm(
        self,
        seq_len_max: Value,
        x: Value,
        cs_prev: Value,
        h_prev: Value,
        w: Value,
        wci: Value,
        wcf: Value,
        wco: Value,
        b: Value,
        *,
        forget_bias: float = 1.0,
        cell_clip: float = 3.0,
        use_peephole: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> BlockLSTMOutputs:
        """An LSTM cell for all moments of sequences.

        Args:
            forget_bias: Added to the forget gate.
            cell_clip: The cell's state is kept within this; not where it is not positive.
            use_peephole: Lets the gates see the cell's state.
        """
        return self._add("BlockLSTM", (seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b), {"forget_bias": forget_bias, "cell_clip": cell_clip, "use_peephole": use_peephole}, BlockLSTMOutputs, called=name, device=device, after=after)

    def block_lstm_v2(
        self,
        seq_len_max: Value,
        x: Value,
        cs_prev: Value,
        h_prev: Value,
        w: Value,
        wci: Value,
        wcf: Value,
        wco: Value,
        b: Value,
        *,
        cell_clip: float = 0.0,
        use_peephole: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> BlockLSTMV2Outputs:
        """An LSTM cell for all moments of sequences, with the gates in another order.

        Args:
            cell_clip: The cell's state is kept within this; not where it is not positive.
            use_peephole: Lets the gates see the cell's state.
        """
        return self._add("BlockLSTMV2", (seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b), {"cell_clip": cell_clip, "use_peephole": use_peephole}, BlockLSTMV2Outputs, called=name, device=device, after=after)

    def block_lstm_grad(
        self,
        seq_len_max: Value,
        x: Value,
        cs_prev: Value,
        h_prev: Value,
        w: Value,
        wci: Value,
        wcf: Value,
        wco: Value,
        b: Value,
        i: Value,
        cs: Value,
        f: Value,
        o: Value,
        ci: Value,
        co: Value,
        h: Value,
        cs_grad: Value,
        h_grad: Value,
        use_peephole: bool,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> BlockLSTMGradOutputs:
        """The gradients of [`BlockLSTM`].

        Args:
            use_peephole: Lets the gates see the cell's state.
        """
        return self._add("BlockLSTMGrad", (seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, h, cs_grad, h_grad), {"use_peephole": use_peephole}, BlockLSTMGradOutputs, called=name, device=device, after=after)

    def block_lstm_grad_v2(
        self,
        seq_len_max: Value,
        x: Value,
        cs_prev: Value,
        h_prev: Value,
        w: Value,
        wci: Value,
        wcf: Value,
        wco: Value,
        b: Value,
        i: Value,
        cs: Value,
        f: Value,
        o: Value,
        ci: Value,
        co: Value,
        h: Value,
        cs_grad: Value,
        h_grad: Value,
        use_peephole: bool,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> BlockLSTMGradV2Outputs:
        """The gradients of [`BlockLSTMV2`].

        Args:
            use_peephole: Lets the gates see the cell's state.
        """
        return self._add("BlockLSTMGradV2", (seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, h, cs_grad, h_grad), {"use_peephole": use_peephole}, BlockLSTMGradV2Outputs, called=name, device=device, after=after)

    def lstm_block_cell(
        self,
        x: Value,
        cs_prev: Value,
        h_prev: Value,
        w: Value,
        wci: Value,
        wcf: Value,
        wco: Value,
        b: Value,
        *,
        forget_bias: float = 1.0,
        cell_clip: float = 3.0,
        use_peephole: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> LSTMBlockCellOutputs:
        """An LSTM cell for one moment.

        Args:
            forget_bias: Added to the forget gate.
            cell_clip: The cell's state is kept within this; not where it is not positive.
            use_peephole: Lets the gates see the cell's state.
        """
        return self._add("LSTMBlockCell", (x, cs_prev, h_prev, w, wci, wcf, wco, b), {"forget_bias": forget_bias, "cell_clip": cell_clip, "use_peephole": use_peephole}, LSTMBlockCellOutputs, called=name, device=device, after=after)

    def lstm_block_cell_grad(
        self,
        x: Value,
        cs_prev: Value,
        h_prev: Value,
        w: Value,
        wci: Value,
        wcf: Value,
        wco: Value,
        b: Value,
        i: Value,
        cs: Value,
        f: Value,
        o: Value,
        ci: Value,
        co: Value,
        cs_grad: Value,
        h_grad: Value,
        use_peephole: bool,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> LSTMBlockCellGradOutputs:
        """The gradients of [`LSTMBlockCell`].

        Args:
            use_peephole: Lets the gates see the cell's state.
        """
        return self._add("LSTMBlockCellGrad", (x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, cs_grad, h_grad), {"use_peephole": use_peephole}, LSTMBlockCellGradOutputs, called=name, device=device, after=after)

    def conv(
        self,
        input: Value,
        filter: Value,
        strides: Sequence[int],
        padding: str | bytes,
        *,
        explicit_paddings: Sequence[int] = (),
        data_format: str | bytes = 'CHANNELS_LAST',
        dilations: Sequence[int] = (),
        batch_dims: int = 1,
        groups: int = 1,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Slides a filter over images or volumes.

        Args:
            strides: Distance between windows: 1, then for each spatial axis, then 1 (or with channels first, 1, 1, then
                those).
            padding: `SAME`, `VALID` or `EXPLICIT`.
            explicit_paddings: For `EXPLICIT`: padding before and after each axis.
            data_format: Where the channels are.
            dilations: Distance between the taps of a window, as `strides`; none for ones.
            batch_dims: Number of axes before the image.
            groups: Number of groups of channels.
        """
        return self._add("Conv", (input, filter), {"strides": strides, "padding": padding, "explicit_paddings": explicit_paddings, "data_format": data_format, "dilations": dilations, "batch_dims": batch_dims, "groups": groups}, None, called=name, device=device, after=after)

    def conv2d(
        self,
        input: Value,
        filter: Value,
        strides: Sequence[int],
        padding: str | bytes,
        *,
        use_cudnn_on_gpu: bool = True,
        explicit_paddings: Sequence[int] = (),
        data_format: str | bytes = 'NHWC',
        dilations: Sequence[int] = (1, 1, 1, 1),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Slides a filter over images.

        Args:
            strides: Distance between windows, for each axis of the images.
            padding: `SAME`, `VALID` or `EXPLICIT`.
            use_cudnn_on_gpu: Without meaning here.
            explicit_paddings: For `EXPLICIT`: padding before and after each axis.
            data_format: Order of the axes: `NHWC` or `NCHW`.
            dilations: Distance between the taps of a window, for each axis of the images.
        """
        return self._add("Conv2D", (input, filter), {"strides": strides, "padding": padding, "use_cudnn_on_gpu": use_cudnn_on_gpu, "explicit_paddings": explicit_paddings, "data_format": data_format, "dilations": dilations}, None, called=name, device=device, after=after)

    def conv2d_backprop_filter(
        self,
        input: Value,
        filter_sizes: Value,
        out_backprop: Value,
        strides: Sequence[int],
        padding: str | bytes,
        *,
        use_cudnn_on_gpu: bool = True,
        explicit_paddings: Sequence[int] = (),
        data_format: str | bytes = 'NHWC',
        dilations: Sequence[int] = (1, 1, 1, 1),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of a `Conv2D` by its filter.

        Args:
            strides: Distance between windows, for each axis of the images.
            padding: `SAME`, `VALID` or `EXPLICIT`.
            use_cudnn_on_gpu: Without meaning here.
            explicit_paddings: For `EXPLICIT`: padding before and after each axis.
            data_format: Order of the axes: `NHWC` or `NCHW`.
            dilations: Distance between the taps of a window, for each axis of the images.
        """
        return self._add("Conv2DBackpropFilter", (input, filter_sizes, out_backprop), {"strides": strides, "padding": padding, "use_cudnn_on_gpu": use_cudnn_on_gpu, "explicit_paddings": explicit_paddings, "data_format": data_format, "dilations": dilations}, None, called=name, device=device, after=after)

    def conv2d_backprop_filter_v2(
        self,
        input: Value,
        filter: Value,
        out_backprop: Value,
        strides: Sequence[int],
        padding: str | bytes,
        *,
        use_cudnn_on_gpu: bool = True,
        explicit_paddings: Sequence[int] = (),
        data_format: str | bytes = 'NHWC',
        dilations: Sequence[int] = (1, 1, 1, 1),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of a `Conv2D` by its filter, of which only the shape counts.

        Args:
            strides: Distance between windows, for each axis of the images.
            padding: `SAME`, `VALID` or `EXPLICIT`.
            use_cudnn_on_gpu: Without meaning here.
            explicit_paddings: For `EXPLICIT`: padding before and after each axis.
            data_format: Order of the axes: `NHWC` or `NCHW`.
            dilations: Distance between the taps of a window, for each axis of the images.
        """
        return self._add("Conv2DBackpropFilterV2", (input, filter, out_backprop), {"strides": strides, "padding": padding, "use_cudnn_on_gpu": use_cudnn_on_gpu, "explicit_paddings": explicit_paddings, "data_format": data_format, "dilations": dilations}, None, called=name, device=device, after=after)

    def conv2d_backprop_input(
        self,
        input_sizes: Value,
        filter: Value,
        out_backprop: Value,
        strides: Sequence[int],
        padding: str | bytes,
        *,
        use_cudnn_on_gpu: bool = True,
        explicit_paddings: Sequence[int] = (),
        data_format: str | bytes = 'NHWC',
        dilations: Sequence[int] = (1, 1, 1, 1),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of a `Conv2D` by its input.

        Args:
            strides: Distance between windows, for each axis of the images.
            padding: `SAME`, `VALID` or `EXPLICIT`.
            use_cudnn_on_gpu: Without meaning here.
            explicit_paddings: For `EXPLICIT`: padding before and after each axis.
            data_format: Order of the axes: `NHWC` or `NCHW`.
            dilations: Distance between the taps of a window, for each axis of the images.
        """
        return self._add("Conv2DBackpropInput", (input_sizes, filter, out_backprop), {"strides": strides, "padding": padding, "use_cudnn_on_gpu": use_cudnn_on_gpu, "explicit_paddings": explicit_paddings, "data_format": data_format, "dilations": dilations}, None, called=name, device=device, after=after)

    def conv2d_backprop_input_v2(
        self,
        input: Value,
        filter: Value,
        out_backprop: Value,
        strides: Sequence[int],
        padding: str | bytes,
        *,
        use_cudnn_on_gpu: bool = True,
        explicit_paddings: Sequence[int] = (),
        data_format: str | bytes = 'NHWC',
        dilations: Sequence[int] = (1, 1, 1, 1),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of a `Conv2D` by its input, of which only the shape counts.

        Args:
            strides: Distance between windows, for each axis of the images.
            padding: `SAME`, `VALID` or `EXPLICIT`.
            use_cudnn_on_gpu: Without meaning here.
            explicit_paddings: For `EXPLICIT`: padding before and after each axis.
            data_format: Order of the axes: `NHWC` or `NCHW`.
            dilations: Distance between the taps of a window, for each axis of the images.
        """
        return self._add("Conv2DBackpropInputV2", (input, filter, out_backprop), {"strides": strides, "padding": padding, "use_cudnn_on_gpu": use_cudnn_on_gpu, "explicit_paddings": explicit_paddings, "data_format": data_format, "dilations": dilations}, None, called=name, device=device, after=after)

    def conv3d(
        self,
        input: Value,
        filter: Value,
        strides: Sequence[int],
        padding: str | bytes,
        *,
        data_format: str | bytes = 'NDHWC',
        dilations: Sequence[int] = (1, 1, 1, 1, 1),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Slides a filter over volumes.

        Args:
            strides: Distance between windows, for each axis of the volumes.
            padding: `SAME` or `VALID`.
            data_format: Order of the axes: `NDHWC` or `NCDHW`.
            dilations: Distance between the taps of a window, for each axis of the volumes.
        """
        return self._add("Conv3D", (input, filter), {"strides": strides, "padding": padding, "data_format": data_format, "dilations": dilations}, None, called=name, device=device, after=after)

    def conv3d_backprop_filter_v2(
        self,
        input: Value,
        filter_sizes: Value,
        out_backprop: Value,
        strides: Sequence[int],
        padding: str | bytes,
        *,
        data_format: str | bytes = 'NDHWC',
        dilations: Sequence[int] = (1, 1, 1, 1, 1),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of a `Conv3D` by its filter.

        Args:
            strides: Distance between windows, for each axis of the volumes.
            padding: `SAME` or `VALID`.
            data_format: Order of the axes: `NDHWC` or `NCDHW`.
            dilations: Distance between the taps of a window, for each axis of the volumes.
        """
        return self._add("Conv3DBackpropFilterV2", (input, filter_sizes, out_backprop), {"strides": strides, "padding": padding, "data_format": data_format, "dilations": dilations}, None, called=name, device=device, after=after)

    def conv3d_backprop_filter(
        self,
        input: Value,
        filter: Value,
        out_backprop: Value,
        strides: Sequence[int],
        padding: str | bytes,
        *,
        dilations: Sequence[int] = (1, 1, 1, 1, 1),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of a `Conv3D` by its filter, of which only the shape counts.

        Args:
            strides: Distance between windows, for each axis of the volumes.
            padding: `SAME` or `VALID`.
            dilations: Distance between the taps of a window, for each axis of the volumes.
        """
        return self._add("Conv3DBackpropFilter", (input, filter, out_backprop), {"strides": strides, "padding": padding, "dilations": dilations}, None, called=name, device=device, after=after)

    def conv3d_backprop_input_v2(
        self,
        input_sizes: Value,
        filter: Value,
        out_backprop: Value,
        strides: Sequence[int],
        padding: str | bytes,
        *,
        data_format: str | bytes = 'NDHWC',
        dilations: Sequence[int] = (1, 1, 1, 1, 1),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of a `Conv3D` by its input.

        Args:
            strides: Distance between windows, for each axis of the volumes.
            padding: `SAME` or `VALID`.
            data_format: Order of the axes: `NDHWC` or `NCDHW`.
            dilations: Distance between the taps of a window, for each axis of the volumes.
        """
        return self._add("Conv3DBackpropInputV2", (input_sizes, filter, out_backprop), {"strides": strides, "padding": padding, "data_format": data_format, "dilations": dilations}, None, called=name, device=device, after=after)

    def conv3d_backprop_input(
        self,
        input: Value,
        filter: Value,
        out_backprop: Value,
        strides: Sequence[int],
        padding: str | bytes,
        *,
        dilations: Sequence[int] = (1, 1, 1, 1, 1),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of a `Conv3D` by its input, of which only the shape counts.

        Args:
            strides: Distance between windows, for each axis of the volumes.
            padding: `SAME` or `VALID`.
            dilations: Distance between the taps of a window, for each axis of the volumes.
        """
        return self._add("Conv3DBackpropInput", (input, filter, out_backprop), {"strides": strides, "padding": padding, "dilations": dilations}, None, called=name, device=device, after=after)

    def softmax_cross_entropy_with_logits(
        self,
        features: Value,
        labels: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> SoftmaxCrossEntropyWithLogitsOutputs:
        """The cross entropy between `labels` and the softmax of `features`, and its gradient by `features`. Both inputs
        are matrices of a row per example, broadcast together."""
        return self._add("SoftmaxCrossEntropyWithLogits", (features, labels), {}, SoftmaxCrossEntropyWithLogitsOutputs, called=name, device=device, after=after)

    def sparse_softmax_cross_entropy_with_logits(
        self,
        features: Value,
        labels: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> SparseSoftmaxCrossEntropyWithLogitsOutputs:
        """The cross entropy between one class for each row and the softmax of the row of `features`, and its gradient by
        `features`."""
        return self._add("SparseSoftmaxCrossEntropyWithLogits", (features, labels), {}, SparseSoftmaxCrossEntropyWithLogitsOutputs, called=name, device=device, after=after)

    def data_format_dim_map(
        self,
        x: Value,
        *,
        src_format: str | bytes = 'NHWC',
        dst_format: str | bytes = 'NCHW',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The numbers of the axes in `dst_format` that `x` numbers in `src_format`, from the end where they are negative.

        Args:
            src_format: The letters of the axes as they are: `NHWC`, say, or `NCDHW`.
            dst_format: The letters of the axes as they shall be.
        """
        return self._add("DataFormatDimMap", (x,), {"src_format": src_format, "dst_format": dst_format}, None, called=name, device=device, after=after)

    def data_format_vec_permute(
        self,
        x: Value,
        *,
        src_format: str | bytes = 'NHWC',
        dst_format: str | bytes = 'NCHW',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A number for each axis, or two, in the order of `dst_format`: for all axes or for those of height, width and
        depth alone.

        Args:
            src_format: The letters of the axes as they are: `NHWC`, say, or `NCDHW`.
            dst_format: The letters of the axes as they shall be.
        """
        return self._add("DataFormatVecPermute", (x,), {"src_format": src_format, "dst_format": dst_format}, None, called=name, device=device, after=after)

    def depthwise_conv2d_native(
        self,
        input: Value,
        filter: Value,
        strides: Sequence[int],
        padding: str | bytes,
        *,
        explicit_paddings: Sequence[int] = (),
        data_format: str | bytes = 'NHWC',
        dilations: Sequence[int] = (1, 1, 1, 1),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Slides filters over images, other ones for each channel.

        Args:
            strides: Distance between windows, for each axis of the images.
            padding: `SAME`, `VALID` or `EXPLICIT`.
            explicit_paddings: For `EXPLICIT`: padding before and after each axis.
            data_format: Order of the axes: `NHWC` or `NCHW`.
            dilations: Distance between the taps of a window, for each axis of the images.
        """
        return self._add("DepthwiseConv2dNative", (input, filter), {"strides": strides, "padding": padding, "explicit_paddings": explicit_paddings, "data_format": data_format, "dilations": dilations}, None, called=name, device=device, after=after)

    def depthwise_conv2d_native_backprop_filter(
        self,
        input: Value,
        filter_sizes: Value,
        out_backprop: Value,
        strides: Sequence[int],
        padding: str | bytes,
        *,
        explicit_paddings: Sequence[int] = (),
        data_format: str | bytes = 'NHWC',
        dilations: Sequence[int] = (1, 1, 1, 1),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of a `DepthwiseConv2dNative` by its filter.

        Args:
            strides: Distance between windows, for each axis of the images.
            padding: `SAME`, `VALID` or `EXPLICIT`.
            explicit_paddings: For `EXPLICIT`: padding before and after each axis.
            data_format: Order of the axes: `NHWC` or `NCHW`.
            dilations: Distance between the taps of a window, for each axis of the images.
        """
        return self._add("DepthwiseConv2dNativeBackpropFilter", (input, filter_sizes, out_backprop), {"strides": strides, "padding": padding, "explicit_paddings": explicit_paddings, "data_format": data_format, "dilations": dilations}, None, called=name, device=device, after=after)

    def depthwise_conv2d_native_backprop_input(
        self,
        input_sizes: Value,
        filter: Value,
        out_backprop: Value,
        strides: Sequence[int],
        padding: str | bytes,
        *,
        explicit_paddings: Sequence[int] = (),
        data_format: str | bytes = 'NHWC',
        dilations: Sequence[int] = (1, 1, 1, 1),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of a `DepthwiseConv2dNative` by its input.

        Args:
            strides: Distance between windows, for each axis of the images.
            padding: `SAME`, `VALID` or `EXPLICIT`.
            explicit_paddings: For `EXPLICIT`: padding before and after each axis.
            data_format: Order of the axes: `NHWC` or `NCHW`.
            dilations: Distance between the taps of a window, for each axis of the images.
        """
        return self._add("DepthwiseConv2dNativeBackpropInput", (input_sizes, filter, out_backprop), {"strides": strides, "padding": padding, "explicit_paddings": explicit_paddings, "data_format": data_format, "dilations": dilations}, None, called=name, device=device, after=after)

    def dilation2d(
        self,
        input: Value,
        filter: Value,
        strides: Sequence[int],
        rates: Sequence[int],
        padding: str | bytes,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The largest sum of an element under each window and its tap in the filter of its channel.

        Args:
            strides: Distance between windows, for each axis of the images.
            rates: Distance between the taps of a window, for each axis of the images.
            padding: `SAME` or `VALID`.
        """
        return self._add("Dilation2D", (input, filter), {"strides": strides, "rates": rates, "padding": padding}, None, called=name, device=device, after=after)

    def dilation2d_backprop_filter(
        self,
        input: Value,
        filter: Value,
        out_backprop: Value,
        strides: Sequence[int],
        rates: Sequence[int],
        padding: str | bytes,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of a `Dilation2D` by its filter.

        Args:
            strides: Distance between windows, for each axis of the images.
            rates: Distance between the taps of a window, for each axis of the images.
            padding: `SAME` or `VALID`.
        """
        return self._add("Dilation2DBackpropFilter", (input, filter, out_backprop), {"strides": strides, "rates": rates, "padding": padding}, None, called=name, device=device, after=after)

    def dilation2d_backprop_input(
        self,
        input: Value,
        filter: Value,
        out_backprop: Value,
        strides: Sequence[int],
        rates: Sequence[int],
        padding: str | bytes,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of a `Dilation2D` by its input.

        Args:
            strides: Distance between windows, for each axis of the images.
            rates: Distance between the taps of a window, for each axis of the images.
            padding: `SAME` or `VALID`.
        """
        return self._add("Dilation2DBackpropInput", (input, filter, out_backprop), {"strides": strides, "rates": rates, "padding": padding}, None, called=name, device=device, after=after)

    def fractional_avg_pool(
        self,
        value: Value,
        pooling_ratio: Sequence[float],
        *,
        pseudo_random: bool = False,
        overlapping: bool = False,
        deterministic: bool = False,
        seed: int = 0,
        seed2: int = 0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> FractionalAvgPoolOutputs:
        """The mean of the elements under windows that are on average `pooling_ratio` large.

        Args:
            pooling_ratio: How much smaller each axis becomes.
            pseudo_random: True to place windows by the formula of the paper, false to shuffle their sizes.
            overlapping: True for windows that share an element with their neighbours.
            deterministic: True for the same windows in every run.
            seed: First seed.
            seed2: Second seed.
        """
        return self._add("FractionalAvgPool", (value,), {"pooling_ratio": pooling_ratio, "pseudo_random": pseudo_random, "overlapping": overlapping, "deterministic": deterministic, "seed": seed, "seed2": seed2}, FractionalAvgPoolOutputs, called=name, device=device, after=after)

    def fractional_avg_pool_grad(
        self,
        orig_input_tensor_shape: Value,
        out_backprop: Value,
        row_pooling_sequence: Value,
        col_pooling_sequence: Value,
        *,
        overlapping: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of a `FractionalAvgPool`.

        Args:
            overlapping: True where windows shared elements.
        """
        return self._add("FractionalAvgPoolGrad", (orig_input_tensor_shape, out_backprop, row_pooling_sequence, col_pooling_sequence), {"overlapping": overlapping}, None, called=name, device=device, after=after)

    def fractional_max_pool(
        self,
        value: Value,
        pooling_ratio: Sequence[float],
        *,
        pseudo_random: bool = False,
        overlapping: bool = False,
        deterministic: bool = False,
        seed: int = 0,
        seed2: int = 0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> FractionalMaxPoolOutputs:
        """The largest element under windows that are on average `pooling_ratio` large.

        Args:
            pooling_ratio: How much smaller each axis becomes.
            pseudo_random: True to place windows by the formula of the paper, false to shuffle their sizes.
            overlapping: True for windows that share an element with their neighbours.
            deterministic: True for the same windows in every run.
            seed: First seed.
            seed2: Second seed.
        """
        return self._add("FractionalMaxPool", (value,), {"pooling_ratio": pooling_ratio, "pseudo_random": pseudo_random, "overlapping": overlapping, "deterministic": deterministic, "seed": seed, "seed2": seed2}, FractionalMaxPoolOutputs, called=name, device=device, after=after)

    def fractional_max_pool_grad(
        self,
        orig_input: Value,
        orig_output: Value,
        out_backprop: Value,
        row_pooling_sequence: Value,
        col_pooling_sequence: Value,
        *,
        overlapping: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of a `FractionalMaxPool`.

        Args:
            overlapping: True where windows shared elements.
        """
        return self._add("FractionalMaxPoolGrad", (orig_input, orig_output, out_backprop, row_pooling_sequence, col_pooling_sequence), {"overlapping": overlapping}, None, called=name, device=device, after=after)

    def _fused_batch_norm_ex(
        self,
        x: Value,
        scale: Value,
        offset: Value,
        mean: Value,
        variance: Value,
        side_input: Sequence[Value],
        *,
        epsilon: float = 0.0001,
        exponential_avg_factor: float = 1.0,
        activation_mode: str | bytes = 'Identity',
        data_format: str | bytes = 'NHWC',
        is_training: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> FusedBatchNormExOutputs:
        """A `FusedBatchNormV3`, to which a further input may be added, and an activation.

        Args:
            epsilon: Added to variances.
            exponential_avg_factor: Part of this batch in the running mean and variance.
            activation_mode: `Identity` or `Relu`.
            data_format: Order of the axes.
            is_training: True to normalize by the mean and variance of the batch, false by those given.
        """
        return self._add("_FusedBatchNormEx", (x, scale, offset, mean, variance, side_input), {"epsilon": epsilon, "exponential_avg_factor": exponential_avg_factor, "activation_mode": activation_mode, "data_format": data_format, "is_training": is_training}, FusedBatchNormExOutputs, called=name, device=device, after=after)

    def _fused_conv2d(
        self,
        input: Value,
        filter: Value,
        args: Sequence[Value],
        host_args: Sequence[Value],
        num_args: int,
        strides: Sequence[int],
        padding: str | bytes,
        *,
        explicit_paddings: Sequence[int] = (),
        data_format: str | bytes = 'NHWC',
        filter_format: str | bytes = 'HWIO',
        dilations: Sequence[int] = (1, 1, 1, 1),
        use_cudnn_on_gpu: bool = True,
        fused_ops: Sequence[str | bytes] = (),
        epsilon: float = 0.0001,
        leakyrelu_alpha: float = 0.2,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A `Conv2D`, and what is done to its result: a bias or a batch norm, then an activation.

        Args:
            num_args: Number of further arguments.
            strides: As of `Conv2D`.
            padding: As of `Conv2D`.
            explicit_paddings: As of `Conv2D`.
            data_format: Order of the axes of images.
            filter_format: Order of the axes of the filter.
            dilations: As of `Conv2D`.
            use_cudnn_on_gpu: Without meaning here.
            fused_ops: What is done to the result, by the names of ops.
            epsilon: Added to variances.
            leakyrelu_alpha: The slope of `LeakyRelu`.
        """
        return self._add("_FusedConv2D", (input, filter, args, host_args), {"num_args": num_args, "strides": strides, "padding": padding, "explicit_paddings": explicit_paddings, "data_format": data_format, "filter_format": filter_format, "dilations": dilations, "use_cudnn_on_gpu": use_cudnn_on_gpu, "fused_ops": fused_ops, "epsilon": epsilon, "leakyrelu_alpha": leakyrelu_alpha}, None, called=name, device=device, after=after)

    def _fused_mat_mul(
        self,
        a: Value,
        b: Value,
        args: Sequence[Value],
        *,
        transpose_a: bool = False,
        transpose_b: bool = False,
        fused_ops: Sequence[str | bytes] = (),
        epsilon: float = 0.0001,
        leakyrelu_alpha: float = 0.2,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A `MatMul`, and what is done to its result: a bias, then an activation.

        Args:
            transpose_a: Transposes `a`.
            transpose_b: Transposes `b`.
            fused_ops: What is done to the result, by the names of ops.
            epsilon: Added to variances.
            leakyrelu_alpha: The slope of `LeakyRelu`.
        """
        return self._add("_FusedMatMul", (a, b, args), {"transpose_a": transpose_a, "transpose_b": transpose_b, "fused_ops": fused_ops, "epsilon": epsilon, "leakyrelu_alpha": leakyrelu_alpha}, None, called=name, device=device, after=after)

    def fused_pad_conv2d(
        self,
        input: Value,
        paddings: Value,
        filter: Value,
        mode: str | bytes,
        strides: Sequence[int],
        padding: str | bytes,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A `Conv2D` of images around which `paddings` says how much of their mirror image is.

        Args:
            mode: Whether the outermost pixels are mirrored too.
            strides: As of `Conv2D`.
            padding: `SAME` or `VALID`.
        """
        return self._add("FusedPadConv2D", (input, paddings, filter), {"mode": mode, "strides": strides, "padding": padding}, None, called=name, device=device, after=after)

    def fused_resize_and_pad_conv2d(
        self,
        input: Value,
        size: Value,
        paddings: Value,
        filter: Value,
        mode: str | bytes,
        strides: Sequence[int],
        padding: str | bytes,
        *,
        resize_align_corners: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Resizes images to `size` as `ResizeBilinear` does, and then is a `FusedPadConv2D` of them.

        Args:
            mode: Whether the outermost pixels are mirrored too.
            strides: As of `Conv2D`.
            padding: `SAME` or `VALID`.
            resize_align_corners: True to match the centres of the corner pixels.
        """
        return self._add("FusedResizeAndPadConv2D", (input, size, paddings, filter), {"mode": mode, "strides": strides, "padding": padding, "resize_align_corners": resize_align_corners}, None, called=name, device=device, after=after)

    def gru_block_cell(
        self,
        x: Value,
        h_prev: Value,
        w_ru: Value,
        w_c: Value,
        b_ru: Value,
        b_c: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> GRUBlockCellOutputs:
        """A GRU cell for one moment: reset gate, update gate, candidate and new state."""
        return self._add("GRUBlockCell", (x, h_prev, w_ru, w_c, b_ru, b_c), {}, GRUBlockCellOutputs, called=name, device=device, after=after)

    def gru_block_cell_grad(
        self,
        x: Value,
        h_prev: Value,
        w_ru: Value,
        w_c: Value,
        b_ru: Value,
        b_c: Value,
        r: Value,
        u: Value,
        c: Value,
        d_h: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> GRUBlockCellGradOutputs:
        """The gradients of [`GRUBlockCell`]."""
        return self._add("GRUBlockCellGrad", (x, h_prev, w_ru, w_c, b_ru, b_c, r, u, c, d_h), {}, GRUBlockCellGradOutputs, called=name, device=device, after=after)

    def in_top_k(
        self,
        predictions: Value,
        targets: Value,
        k: int,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """For each row whether its target is among the `k` greatest predictions.

        Args:
            k: How many count.
        """
        return self._add("InTopK", (predictions, targets), {"k": k}, None, called=name, device=device, after=after)

    def in_top_k_v2(
        self,
        predictions: Value,
        targets: Value,
        k: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """For each row whether its target is among the `k` greatest predictions."""
        return self._add("InTopKV2", (predictions, targets, k), {}, None, called=name, device=device, after=after)

    def isotonic_regression(
        self,
        input: Value,
        *,
        output_dtype: DTypeLike = 'float32',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> IsotonicRegressionOutputs:
        """For each row, along the last axis, the numbers that do not grow and are nearest to it by squares; and which of
        them are equal because they were found together.

        Args:
            output_dtype: Element type of the result: that of a float `input`, float32 for 8 and 16 bits, float64 for
                longer integers.
        """
        return self._add("IsotonicRegression", (input,), {"output_dtype": output_dtype}, IsotonicRegressionOutputs, called=name, device=device, after=after)

    def lrn(
        self,
        input: Value,
        *,
        depth_radius: int = 5,
        bias: float = 1.0,
        alpha: float = 1.0,
        beta: float = 0.5,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Divides each element by a power of the squares of its neighbours in other channels.

        Args:
            depth_radius: How many channels to each side count.
            bias: Added to the sums.
            alpha: Factor of the sums of squares.
            beta: Exponent of the norm.
        """
        return self._add("LRN", (input,), {"depth_radius": depth_radius, "bias": bias, "alpha": alpha, "beta": beta}, None, called=name, device=device, after=after)

    def lrn_grad(
        self,
        input_grads: Value,
        input_image: Value,
        output_image: Value,
        *,
        depth_radius: int = 5,
        bias: float = 1.0,
        alpha: float = 1.0,
        beta: float = 0.5,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of an `LRN`.

        Args:
            depth_radius: How many channels to each side count.
            bias: Added to the sums.
            alpha: Factor of the sums of squares.
            beta: Exponent of the norm.
        """
        return self._add("LRNGrad", (input_grads, input_image, output_image), {"depth_radius": depth_radius, "bias": bias, "alpha": alpha, "beta": beta}, None, called=name, device=device, after=after)

    def max_pool(
        self,
        input: Value,
        ksize: Sequence[int],
        strides: Sequence[int],
        padding: str | bytes,
        *,
        data_format: str | bytes = 'NHWC',
        explicit_paddings: Sequence[int] = (),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The largest element under each window.

        Args:
            ksize: Size of a window, for each axis of the images.
            strides: Distance between windows, for each axis of the images.
            padding: How windows at the edges are padded.
            data_format: Order of the axes.
            explicit_paddings: For `EXPLICIT`: padding before and after each axis.
        """
        return self._add("MaxPool", (input,), {"ksize": ksize, "strides": strides, "padding": padding, "data_format": data_format, "explicit_paddings": explicit_paddings}, None, called=name, device=device, after=after)

    def max_pool_v2(
        self,
        input: Value,
        ksize: Value,
        strides: Value,
        padding: str | bytes,
        *,
        data_format: str | bytes = 'NHWC',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The largest element under each window; sizes and strides of windows are inputs.

        Args:
            padding: How windows at the edges are padded.
            data_format: Order of the axes.
        """
        return self._add("MaxPoolV2", (input, ksize, strides), {"padding": padding, "data_format": data_format}, None, called=name, device=device, after=after)

    def max_pool3d(
        self,
        input: Value,
        ksize: Sequence[int],
        strides: Sequence[int],
        padding: str | bytes,
        *,
        data_format: str | bytes = 'NDHWC',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The largest element under each window of volumes.

        Args:
            ksize: Size of a window, for each axis of the images.
            strides: Distance between windows, for each axis of the images.
            padding: How windows at the edges are padded.
            data_format: Order of the axes.
        """
        return self._add("MaxPool3D", (input,), {"ksize": ksize, "strides": strides, "padding": padding, "data_format": data_format}, None, called=name, device=device, after=after)

    def max_pool3d_grad(
        self,
        orig_input: Value,
        orig_output: Value,
        grad: Value,
        ksize: Sequence[int],
        strides: Sequence[int],
        padding: str | bytes,
        *,
        data_format: str | bytes = 'NDHWC',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of a `MaxPool3D`: each window's goes to its largest element, the first of several.

        Args:
            ksize: Size of a window, for each axis of the images.
            strides: Distance between windows, for each axis of the images.
            padding: How windows at the edges are padded.
            data_format: Order of the axes.
        """
        return self._add("MaxPool3DGrad", (orig_input, orig_output, grad), {"ksize": ksize, "strides": strides, "padding": padding, "data_format": data_format}, None, called=name, device=device, after=after)

    def max_pool3d_grad_grad(
        self,
        orig_input: Value,
        orig_output: Value,
        grad: Value,
        ksize: Sequence[int],
        strides: Sequence[int],
        padding: str | bytes,
        *,
        data_format: str | bytes = 'NDHWC',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of a `MaxPool3DGrad` by the gradient that it takes.

        Args:
            ksize: Size of a window, for each axis of the images.
            strides: Distance between windows, for each axis of the images.
            padding: How windows at the edges are padded.
            data_format: Order of the axes.
        """
        return self._add("MaxPool3DGradGrad", (orig_input, orig_output, grad), {"ksize": ksize, "strides": strides, "padding": padding, "data_format": data_format}, None, called=name, device=device, after=after)

    def max_pool_grad(
        self,
        orig_input: Value,
        orig_output: Value,
        grad: Value,
        ksize: Sequence[int],
        strides: Sequence[int],
        padding: str | bytes,
        *,
        data_format: str | bytes = 'NHWC',
        explicit_paddings: Sequence[int] = (),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of a `MaxPool`: each window's goes to its largest element, the first of several.

        Args:
            ksize: Size of a window, for each axis of the images.
            strides: Distance between windows, for each axis of the images.
            padding: How windows at the edges are padded.
            data_format: Order of the axes.
            explicit_paddings: For `EXPLICIT`: padding before and after each axis.
        """
        return self._add("MaxPoolGrad", (orig_input, orig_output, grad), {"ksize": ksize, "strides": strides, "padding": padding, "data_format": data_format, "explicit_paddings": explicit_paddings}, None, called=name, device=device, after=after)

    def max_pool_grad_v2(
        self,
        orig_input: Value,
        orig_output: Value,
        grad: Value,
        ksize: Value,
        strides: Value,
        padding: str | bytes,
        *,
        data_format: str | bytes = 'NHWC',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """As `MaxPoolGrad`, for a `MaxPoolV2`.

        Args:
            padding: How windows at the edges are padded.
            data_format: Order of the axes.
        """
        return self._add("MaxPoolGradV2", (orig_input, orig_output, grad, ksize, strides), {"padding": padding, "data_format": data_format}, None, called=name, device=device, after=after)

    def max_pool_grad_grad(
        self,
        orig_input: Value,
        orig_output: Value,
        grad: Value,
        ksize: Sequence[int],
        strides: Sequence[int],
        padding: str | bytes,
        *,
        data_format: str | bytes = 'NHWC',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of a `MaxPoolGrad` by the gradient that it takes.

        Args:
            ksize: Size of a window, for each axis of the images.
            strides: Distance between windows, for each axis of the images.
            padding: How windows at the edges are padded.
            data_format: Order of the axes.
        """
        return self._add("MaxPoolGradGrad", (orig_input, orig_output, grad), {"ksize": ksize, "strides": strides, "padding": padding, "data_format": data_format}, None, called=name, device=device, after=after)

    def max_pool_grad_grad_v2(
        self,
        orig_input: Value,
        orig_output: Value,
        grad: Value,
        ksize: Value,
        strides: Value,
        padding: str | bytes,
        *,
        data_format: str | bytes = 'NHWC',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """As `MaxPoolGradGrad`, for a `MaxPoolV2`.

        Args:
            padding: How windows at the edges are padded.
            data_format: Order of the axes.
        """
        return self._add("MaxPoolGradGradV2", (orig_input, orig_output, grad, ksize, strides), {"padding": padding, "data_format": data_format}, None, called=name, device=device, after=after)

    def max_pool_grad_with_argmax(
        self,
        input: Value,
        grad: Value,
        argmax: Value,
        ksize: Sequence[int],
        strides: Sequence[int],
        padding: str | bytes,
        *,
        include_batch_in_index: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of a `MaxPoolWithArgmax`.

        Args:
            ksize: Size of a window, for each axis of the images.
            strides: Distance between windows, for each axis of the images.
            padding: `SAME` or `VALID`.
            include_batch_in_index: True to count places from the start of the tensor, false from that of the image.
        """
        return self._add("MaxPoolGradWithArgmax", (input, grad, argmax), {"ksize": ksize, "strides": strides, "padding": padding, "include_batch_in_index": include_batch_in_index}, None, called=name, device=device, after=after)

    def max_pool_with_argmax(
        self,
        input: Value,
        ksize: Sequence[int],
        strides: Sequence[int],
        padding: str | bytes,
        *,
        targmax: DTypeLike = 'int64',
        include_batch_in_index: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> MaxPoolWithArgmaxOutputs:
        """The largest element under each window, and its place.

        Args:
            ksize: Size of a window, for each axis of the images.
            strides: Distance between windows, for each axis of the images.
            padding: `SAME` or `VALID`.
            targmax: Element type of the places.
            include_batch_in_index: True to count places from the start of the tensor, false from that of the image.
        """
        return self._add("MaxPoolWithArgmax", (input,), {"ksize": ksize, "strides": strides, "padding": padding, "Targmax": targmax, "include_batch_in_index": include_batch_in_index}, MaxPoolWithArgmaxOutputs, called=name, device=device, after=after)

    def nth_element(
        self,
        input: Value,
        n: Value,
        *,
        reverse: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The element that would be at index `n` of each sorted row.

        Args:
            reverse: True to sort from the greatest to the least.
        """
        return self._add("NthElement", (input, n), {"reverse": reverse}, None, called=name, device=device, after=after)

    def levada_quantized_conv2d(
        self,
        input: Value,
        filter: Value,
        filter_scales: Value,
        bias: Value,
        side: Sequence[Value],
        strides: Sequence[int],
        padding: str | bytes,
        input_scale: float,
        *,
        out_type: DTypeLike = 'float32',
        explicit_paddings: Sequence[int] = (),
        dilations: Sequence[int] = (1, 1, 1, 1),
        input_zero_point: int = 0,
        activation: str | bytes = 'Identity',
        side_scale: float = 1.0,
        side_zero_point: int = 0,
        output_scale: float = 1.0,
        output_zero_point: int = 0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A convolution of images of quint8 with filters of qint8, a bias, a sum and an activation, as codes or floats.

        A code `c` of the images stands for `(c - input_zero_point) * input_scale`, a code `w` of a filter for `w *
        filter_scales[j]`, where `j` is its output channel. Sums of products are exact. Then, in float32 and in this
        order: the sum times `input_scale * filter_scales[j]`, plus `bias[j]`, plus `(side - side_zero_point) *
        side_scale`, the activation; for codes times the reciprocal of `output_scale`, rounded to the nearest, plus
        `output_zero_point`, clamped to 0 and 255.

        Args:
            strides: Distance between windows, for each axis of the images.
            padding: `SAME`, `VALID` or `EXPLICIT`. What is padded stands for zero.
            input_scale: What is between the numbers of two codes of the images.
            out_type: Type of the result: quint8 for codes.
            explicit_paddings: For `EXPLICIT`: padding before and after each axis.
            dilations: Distance between the taps of a window, for each axis of the images.
            input_zero_point: The code of zero in the images.
            activation: `Identity`, `Relu` or `Relu6`.
            side_scale: What is between the numbers of two codes of the input that is added.
            side_zero_point: The code of zero in the input that is added.
            output_scale: What is between the numbers of two codes of the result.
            output_zero_point: The code of zero in the result.
        """
        return self._add("LevadaQuantizedConv2D", (input, filter, filter_scales, bias, side), {"strides": strides, "padding": padding, "input_scale": input_scale, "out_type": out_type, "explicit_paddings": explicit_paddings, "dilations": dilations, "input_zero_point": input_zero_point, "activation": activation, "side_scale": side_scale, "side_zero_point": side_zero_point, "output_scale": output_scale, "output_zero_point": output_zero_point}, None, called=name, device=device, after=after)

    def levada_quantized_depthwise_conv2d(
        self,
        input: Value,
        filter: Value,
        filter_scales: Value,
        bias: Value,
        side: Sequence[Value],
        strides: Sequence[int],
        padding: str | bytes,
        input_scale: float,
        *,
        out_type: DTypeLike = 'float32',
        explicit_paddings: Sequence[int] = (),
        dilations: Sequence[int] = (1, 1, 1, 1),
        input_zero_point: int = 0,
        activation: str | bytes = 'Identity',
        side_scale: float = 1.0,
        side_zero_point: int = 0,
        output_scale: float = 1.0,
        output_zero_point: int = 0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """As `LevadaQuantizedConv2D` with other filters for each channel: those of `DepthwiseConv2dNative`.

        Args:
            strides: Distance between windows, for each axis of the images.
            padding: `SAME`, `VALID` or `EXPLICIT`. What is padded stands for zero.
            input_scale: What is between the numbers of two codes of the images.
            out_type: Type of the result: quint8 for codes.
            explicit_paddings: For `EXPLICIT`: padding before and after each axis.
            dilations: Distance between the taps of a window, for each axis of the images.
            input_zero_point: The code of zero in the images.
            activation: `Identity`, `Relu` or `Relu6`.
            side_scale: What is between the numbers of two codes of the input that is added.
            side_zero_point: The code of zero in the input that is added.
            output_scale: What is between the numbers of two codes of the result.
            output_zero_point: The code of zero in the result.
        """
        return self._add("LevadaQuantizedDepthwiseConv2D", (input, filter, filter_scales, bias, side), {"strides": strides, "padding": padding, "input_scale": input_scale, "out_type": out_type, "explicit_paddings": explicit_paddings, "dilations": dilations, "input_zero_point": input_zero_point, "activation": activation, "side_scale": side_scale, "side_zero_point": side_zero_point, "output_scale": output_scale, "output_zero_point": output_zero_point}, None, called=name, device=device, after=after)

    def levada_quantized_mat_mul(
        self,
        input: Value,
        filter: Value,
        filter_scales: Value,
        bias: Value,
        side: Sequence[Value],
        input_scale: float,
        *,
        out_type: DTypeLike = 'float32',
        input_zero_point: int = 0,
        activation: str | bytes = 'Identity',
        side_scale: float = 1.0,
        side_zero_point: int = 0,
        output_scale: float = 1.0,
        output_zero_point: int = 0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The product of matrices of quint8 with one of qint8, a bias, a sum and an activation, as codes or floats, with
        the arithmetic of `LevadaQuantizedConv2D`.

        Args:
            input_scale: What is between the numbers of two codes of `input`.
            out_type: Type of the result: quint8 for codes.
            input_zero_point: The code of zero in `input`.
            activation: `Identity`, `Relu` or `Relu6`.
            side_scale: What is between the numbers of two codes of the input that is added.
            side_zero_point: The code of zero in the input that is added.
            output_scale: What is between the numbers of two codes of the result.
            output_zero_point: The code of zero in the result.
        """
        return self._add("LevadaQuantizedMatMul", (input, filter, filter_scales, bias, side), {"input_scale": input_scale, "out_type": out_type, "input_zero_point": input_zero_point, "activation": activation, "side_scale": side_scale, "side_zero_point": side_zero_point, "output_scale": output_scale, "output_zero_point": output_zero_point}, None, called=name, device=device, after=after)

    def log_softmax(
        self,
        logits: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The logarithm of `Softmax`."""
        return self._add("LogSoftmax", (logits,), {}, None, called=name, device=device, after=after)

    def softmax(
        self,
        logits: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`exp(x)` over its sum along the last axis."""
        return self._add("Softmax", (logits,), {}, None, called=name, device=device, after=after)

    def top_k(
        self,
        input: Value,
        k: int,
        *,
        sorted: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> TopKOutputs:
        """The `k` greatest elements of each row and their indices, of equals the first.

        Args:
            k: How many.
            sorted: True to have the greatest first.
        """
        return self._add("TopK", (input,), {"k": k, "sorted": sorted}, TopKOutputs, called=name, device=device, after=after)

    def top_k_v2(
        self,
        input: Value,
        k: Value,
        *,
        sorted: bool = True,
        index_type: DTypeLike = 'int32',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> TopKV2Outputs:
        """The `k` greatest elements of each row and their indices, of equals the first.

        Args:
            sorted: True to have the greatest first.
            index_type: Element type of the indices.
        """
        return self._add("TopKV2", (input, k), {"sorted": sorted, "index_type": index_type}, TopKV2Outputs, called=name, device=device, after=after)

    # onnx

    def onnx_attention(
        self,
        q: Value,
        k: Value,
        v: Value,
        attn_mask: Sequence[Value],
        past_key: Sequence[Value],
        past_value: Sequence[Value],
        nonpad_kv_seqlen: Sequence[Value],
        *,
        num_present: int = 0,
        num_qk_matmul_output: int = 0,
        is_causal: bool = False,
        q_num_heads: int = 0,
        kv_num_heads: int = 0,
        scale: float = 0.0,
        softcap: float = 0.0,
        qk_matmul_output_mode: int = 0,
        left_window_size: int = -1,
        right_window_size: int = -1,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> OnnxAttentionOutputs:
        """`Attention` of ONNX: `softmax(scale Q Kᵀ + mask) V` for each head, of inputs of rank 4 (batch, heads, positions,
        features) or 3 (batch, positions, heads and features).

        Args:
            num_present: 1 where `present_key` and `present_value` are wanted.
            num_qk_matmul_output: 1 where `qk_matmul_output` is wanted.
            is_causal: Lets no position look at those behind it.
            q_num_heads: Heads of `Q`, for rank 3.
            kv_num_heads: Heads of `K` and `V`, for rank 3.
            scale: What products are multiplied with; 0 for one by the root of the number of features.
            softcap: What products are softly capped at; 0 for no cap.
            qk_matmul_output_mode: What `qk_matmul_output` is: 0 the products, 1 those capped, 2 those with the mask, 3
                the softmax.
            left_window_size: Positions that one looks at before itself; -1 for all.
            right_window_size: Positions that one looks at behind itself; -1 for all.
        """
        return self._add("OnnxAttention", (q, k, v, attn_mask, past_key, past_value, nonpad_kv_seqlen), {"num_present": num_present, "num_qk_matmul_output": num_qk_matmul_output, "is_causal": is_causal, "q_num_heads": q_num_heads, "kv_num_heads": kv_num_heads, "scale": scale, "softcap": softcap, "qk_matmul_output_mode": qk_matmul_output_mode, "left_window_size": left_window_size, "right_window_size": right_window_size}, OnnxAttentionOutputs, called=name, device=device, after=after)

    def onnx_bytes(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The elements of a tensor of uint8, in their order, as one string."""
        return self._add("OnnxBytes", (x,), {}, None, called=name, device=device, after=after)

    def onnx_cast(
        self,
        x: Value,
        dst_t: DTypeLike,
        from_: int,
        to: int,
        *,
        saturate: bool = True,
        round_mode: str | bytes = 'up',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`Cast` of ONNX between types of which one has no dtype: floats of 8, 6 and 4 bits (their codes, in uint8),
        integers of 4 and 2 bits (in int8 and uint8).

        Args:
            dst_t: Element type that holds `y`.
            from_: ONNX's number of the element type of `x`.
            to: ONNX's number of the element type of `y`.
            saturate: Takes the largest value for one that is too large.
            round_mode: How powers of two (E8M0) are rounded.
        """
        return self._add("OnnxCast", (x,), {"DstT": dst_t, "from": from_, "to": to, "saturate": saturate, "round_mode": round_mode}, None, called=name, device=device, after=after)

    def onnx_col2_im(
        self,
        input: Value,
        image_shape: Value,
        block_shape: Value,
        *,
        dilations: Sequence[int] = (),
        pads: Sequence[int] = (),
        strides: Sequence[int] = (),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`Col2Im` of ONNX: adds columns of windows up to images.

        Args:
            dilations: Distances of the elements under a window.
            pads: Padding before each axis, then behind each.
            strides: Distances of windows.
        """
        return self._add("OnnxCol2Im", (input, image_shape, block_shape), {"dilations": dilations, "pads": pads, "strides": strides}, None, called=name, device=device, after=after)

    def onnx_deform_conv(
        self,
        x: Value,
        w: Value,
        offset: Value,
        b: Sequence[Value],
        mask: Sequence[Value],
        *,
        dilations: Sequence[int] = (),
        group: int = 1,
        offset_group: int = 1,
        pads: Sequence[int] = (),
        strides: Sequence[int] = (),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`DeformConv` of ONNX: a convolution in which each element under a window is moved by an offset, and weighted by
        a mask where there is one.

        Args:
            dilations: Distances of the elements under a window.
            group: Groups of channels.
            offset_group: Groups of channels with offsets of their own.
            pads: Padding before each axis, then behind each.
            strides: Distances of windows.
        """
        return self._add("OnnxDeformConv", (x, w, offset, b, mask), {"dilations": dilations, "group": group, "offset_group": offset_group, "pads": pads, "strides": strides}, None, called=name, device=device, after=after)

    def onnx_grid_sample(
        self,
        x: Value,
        grid: Value,
        *,
        align_corners: bool = False,
        mode: str | bytes = 'linear',
        padding_mode: str | bytes = 'zeros',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`GridSample` of ONNX: elements of `X` at the positions that `grid` gives, from -1 to 1 along each axis, the last
        axis first.

        Args:
            align_corners: -1 and 1 are the middles of the elements at the borders, not their edges.
            mode: How elements are interpolated.
            padding_mode: What lies beyond the borders.
        """
        return self._add("OnnxGridSample", (x, grid), {"align_corners": align_corners, "mode": mode, "padding_mode": padding_mode}, None, called=name, device=device, after=after)

    def onnx_conv_integer(
        self,
        x: Value,
        w: Value,
        x_zero_point: Sequence[Value],
        w_zero_point: Sequence[Value],
        *,
        auto_pad: str | bytes = 'NOTSET',
        dilations: Sequence[int] = (),
        group: int = 1,
        pads: Sequence[int] = (),
        strides: Sequence[int] = (),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`ConvInteger` of ONNX: the convolution of `x - x_zero_point` with `w - w_zero_point`.

        Args:
            auto_pad: How padding follows from the sizes.
            dilations: Distances of the elements under a window.
            group: Groups of channels.
            pads: Padding before each axis, then behind each.
            strides: Distances of windows.
        """
        return self._add("OnnxConvInteger", (x, w, x_zero_point, w_zero_point), {"auto_pad": auto_pad, "dilations": dilations, "group": group, "pads": pads, "strides": strides}, None, called=name, device=device, after=after)

    def onnx_mat_mul_integer(
        self,
        a: Value,
        b: Value,
        a_zero_point: Sequence[Value],
        b_zero_point: Sequence[Value],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`MatMulInteger` of ONNX: the product of `A - a_zero_point` and `B - b_zero_point`, as numpy multiplies matrices."""
        return self._add("OnnxMatMulInteger", (a, b, a_zero_point, b_zero_point), {}, None, called=name, device=device, after=after)

    def onnx_label_encoder(
        self,
        x: Value,
        t2: DTypeLike,
        keys_tensor: Any,
        values_tensor: Any,
        default_tensor: Any,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`LabelEncoder` of `ai.onnx.ml`: the value that stands for each element of `X`.

        Args:
            t2: Element type of `Y`.
            keys_tensor: What elements of `X` may be.
            values_tensor: What stands for each key.
            default_tensor: What stands for other elements.
        """
        return self._add("OnnxLabelEncoder", (x,), {"T2": t2, "keys_tensor": keys_tensor, "values_tensor": values_tensor, "default_tensor": default_tensor}, None, called=name, device=device, after=after)

    def onnx_linear_classifier(
        self,
        x: Value,
        t2: DTypeLike,
        coefficients: Sequence[float],
        *,
        classlabels_ints: Sequence[int] = (),
        classlabels_strings: Sequence[str | bytes] = (),
        intercepts: Sequence[float] = (),
        post_transform: str | bytes = 'NONE',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> OnnxLinearClassifierOutputs:
        """`LinearClassifier` of `ai.onnx.ml`: the class of each row of `X` with the greatest score, and the scores of all.

        Args:
            t2: Element type of the classes.
            coefficients: A row of weights for each class.
            classlabels_ints: The classes as numbers.
            classlabels_strings: The classes as strings.
            intercepts: What is added to the score of each class.
            post_transform: What is done to the scores.
        """
        return self._add("OnnxLinearClassifier", (x,), {"T2": t2, "coefficients": coefficients, "classlabels_ints": classlabels_ints, "classlabels_strings": classlabels_strings, "intercepts": intercepts, "post_transform": post_transform}, OnnxLinearClassifierOutputs, called=name, device=device, after=after)

    def onnx_max_unpool(
        self,
        x: Value,
        i: Value,
        output_shape: Value,
        kernel_shape: Sequence[int],
        *,
        pads: Sequence[int] = (),
        strides: Sequence[int] = (),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`MaxUnpool` of ONNX: puts the elements of `X` where `I`, which `MaxPool` gives, says; zeros elsewhere.
        `output_shape` may be empty: the shape then follows from the attrs.

        Args:
            kernel_shape: Sizes of windows.
            pads: Padding before each axis, then behind each.
            strides: Distances of windows.
        """
        return self._add("OnnxMaxUnpool", (x, i, output_shape), {"kernel_shape": kernel_shape, "pads": pads, "strides": strides}, None, called=name, device=device, after=after)

    def onnx_dequantize_n_bits(
        self,
        b: Value,
        scales: Value,
        zero_points: Sequence[Value],
        k: int,
        n: int,
        block_size: int,
        *,
        bits: int = 4,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The weights that `MatMulNBits` of `com.microsoft` multiplies with: a matrix of `N` rows and `K` columns, of
        which each `block_size` along a row have a scale and a zero point.

        Args:
            k: Columns.
            n: Rows.
            block_size: Weights of a row for each scale.
            bits: Bits of a weight.
        """
        return self._add("OnnxDequantizeNBits", (b, scales, zero_points), {"K": k, "N": n, "block_size": block_size, "bits": bits}, None, called=name, device=device, after=after)

    def onnx_non_max_suppression(
        self,
        boxes: Value,
        scores: Value,
        max_output_boxes_per_class: Value,
        iou_threshold: Value,
        score_threshold: Value,
        *,
        center_point_box: int = 0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`NonMaxSuppression` of ONNX: for each batch and class the boxes with the greatest scores of which none overlaps
        one before it too much. Rows of the output are batch, class and box.

        Args:
            center_point_box: 1 where boxes are given as center, width and height, 0 where by two corners.
        """
        return self._add("OnnxNonMaxSuppression", (boxes, scores, max_output_boxes_per_class, iou_threshold, score_threshold), {"center_point_box": center_point_box}, None, called=name, device=device, after=after)

    def onnx_average_pool(
        self,
        x: Value,
        kernel_shape: Sequence[int],
        *,
        auto_pad: str | bytes = 'NOTSET',
        ceil_mode: bool = False,
        count_include_pad: bool = False,
        dilations: Sequence[int] = (),
        pads: Sequence[int] = (),
        strides: Sequence[int] = (),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`AveragePool` of ONNX: the average of the elements under each window.

        Args:
            kernel_shape: Sizes of windows.
            auto_pad: How padding follows from the sizes.
            ceil_mode: Rounds the number of windows up.
            count_include_pad: Counts padding as zeros.
            dilations: Distances of the elements under a window.
            pads: Padding before each axis, then behind each.
            strides: Distances of windows.
        """
        return self._add("OnnxAveragePool", (x,), {"kernel_shape": kernel_shape, "auto_pad": auto_pad, "ceil_mode": ceil_mode, "count_include_pad": count_include_pad, "dilations": dilations, "pads": pads, "strides": strides}, None, called=name, device=device, after=after)

    def onnx_lp_pool(
        self,
        x: Value,
        kernel_shape: Sequence[int],
        *,
        auto_pad: str | bytes = 'NOTSET',
        ceil_mode: bool = False,
        dilations: Sequence[int] = (),
        p: int = 2,
        pads: Sequence[int] = (),
        strides: Sequence[int] = (),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`LpPool` of ONNX: the p-norm of the elements under each window.

        Args:
            kernel_shape: Sizes of windows.
            auto_pad: How padding follows from the sizes.
            ceil_mode: Rounds the number of windows up.
            dilations: Distances of the elements under a window.
            p: The norm.
            pads: Padding before each axis, then behind each.
            strides: Distances of windows.
        """
        return self._add("OnnxLpPool", (x,), {"kernel_shape": kernel_shape, "auto_pad": auto_pad, "ceil_mode": ceil_mode, "dilations": dilations, "p": p, "pads": pads, "strides": strides}, None, called=name, device=device, after=after)

    def onnx_max_pool(
        self,
        x: Value,
        kernel_shape: Sequence[int],
        *,
        num_indices: int = 0,
        auto_pad: str | bytes = 'NOTSET',
        ceil_mode: bool = False,
        dilations: Sequence[int] = (),
        pads: Sequence[int] = (),
        storage_order: int = 0,
        strides: Sequence[int] = (),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> OnnxMaxPoolOutputs:
        """`MaxPool` of ONNX: the greatest element under each window, and where in `X` it is.

        Args:
            kernel_shape: Sizes of windows.
            num_indices: 1 where `Indices` are wanted.
            auto_pad: How padding follows from the sizes.
            ceil_mode: Rounds the number of windows up.
            dilations: Distances of the elements under a window.
            pads: Padding before each axis, then behind each.
            storage_order: 1 where `Indices` count columns first.
            strides: Distances of windows.
        """
        return self._add("OnnxMaxPool", (x,), {"kernel_shape": kernel_shape, "num_Indices": num_indices, "auto_pad": auto_pad, "ceil_mode": ceil_mode, "dilations": dilations, "pads": pads, "storage_order": storage_order, "strides": strides}, OnnxMaxPoolOutputs, called=name, device=device, after=after)

    def onnx_dequantize_linear(
        self,
        x: Value,
        x_scale: Value,
        x_zero_point: Sequence[Value],
        t3: DTypeLike,
        input_dtype: int,
        *,
        axis: int = 1,
        block_size: int = 0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`DequantizeLinear` of ONNX: `(x - zero point) * x_scale`; the scale is one number, one for each position along
        `axis`, or one for each block along it.

        Args:
            t3: Element type of `y`.
            input_dtype: ONNX's number of the element type of `x`.
            axis: The axis of scales that are more than one.
            block_size: Elements along the axis for each scale; 0 where scales are not of blocks.
        """
        return self._add("OnnxDequantizeLinear", (x, x_scale, x_zero_point), {"T3": t3, "input_dtype": input_dtype, "axis": axis, "block_size": block_size}, None, called=name, device=device, after=after)

    def onnx_dynamic_quantize_linear(
        self,
        x: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> OnnxDynamicQuantizeLinearOutputs:
        """`DynamicQuantizeLinear` of ONNX: a tensor as uint8, with the scale and zero point that its range needs."""
        return self._add("OnnxDynamicQuantizeLinear", (x,), {}, OnnxDynamicQuantizeLinearOutputs, called=name, device=device, after=after)

    def onnx_quantize_linear(
        self,
        x: Value,
        y_scale: Value,
        y_zero_point: Sequence[Value],
        output_dtype: int,
        *,
        axis: int = 1,
        block_size: int = 0,
        saturate: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`QuantizeLinear` of ONNX: `x / y_scale`, rounded to even, plus the zero point, saturated; the scale is one
        number, one for each position along `axis`, or one for each block along it.

        Args:
            output_dtype: ONNX's number of the element type of `y`.
            axis: The axis of scales that are more than one.
            block_size: Elements along the axis for each scale; 0 where scales are not of blocks.
            saturate: Takes the largest float for one that is too large.
        """
        return self._add("OnnxQuantizeLinear", (x, y_scale, y_zero_point), {"output_dtype": output_dtype, "axis": axis, "block_size": block_size, "saturate": saturate}, None, called=name, device=device, after=after)

    def onnx_requantize(
        self,
        x: Value,
        scale: Value,
        y_zero_point: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Sums of products of quantized numbers as quantized numbers: `x * scale`, rounded to even, plus the zero point,
        saturated. `scale` and the zero point broadcast to `x`."""
        return self._add("OnnxRequantize", (x, scale, y_zero_point), {}, None, called=name, device=device, after=after)

    def onnx_gru(
        self,
        x: Value,
        w: Value,
        r: Value,
        b: Sequence[Value],
        sequence_lens: Sequence[Value],
        initial_h: Sequence[Value],
        *,
        activation_alpha: Sequence[float] = (),
        activation_beta: Sequence[float] = (),
        activations: Sequence[str | bytes] = (),
        clip: float = 0.0,
        direction: str | bytes = 'forward',
        layout: int = 0,
        linear_before_reset: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> OnnxGRUOutputs:
        """`GRU` of ONNX: a layer of gated recurrent units over sequences, `X` of sequence length, batch, features.

        Args:
            activation_alpha: Constants of the activations that take an alpha.
            activation_beta: Constants of the activations that take a beta.
            activations: The two activations of each direction; `Sigmoid`, `Tanh` by default.
            clip: What gates are clipped to before the activation; 0 for no clipping.
            direction: Which way sequences are read.
            layout: 1 where the batch is the first axis.
            linear_before_reset: Multiplies with the reset gate after the linear transformation.
        """
        return self._add("OnnxGRU", (x, w, r, b, sequence_lens, initial_h), {"activation_alpha": activation_alpha, "activation_beta": activation_beta, "activations": activations, "clip": clip, "direction": direction, "layout": layout, "linear_before_reset": linear_before_reset}, OnnxGRUOutputs, called=name, device=device, after=after)

    def onnx_lstm(
        self,
        x: Value,
        w: Value,
        r: Value,
        b: Sequence[Value],
        sequence_lens: Sequence[Value],
        initial_h: Sequence[Value],
        initial_c: Sequence[Value],
        p: Sequence[Value],
        *,
        activation_alpha: Sequence[float] = (),
        activation_beta: Sequence[float] = (),
        activations: Sequence[str | bytes] = (),
        clip: float = 0.0,
        direction: str | bytes = 'forward',
        layout: int = 0,
        input_forget: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> OnnxLSTMOutputs:
        """`LSTM` of ONNX: a layer of long short-term memory over sequences, `X` of sequence length, batch, features.

        Args:
            activation_alpha: Constants of the activations that take an alpha.
            activation_beta: Constants of the activations that take a beta.
            activations: The three activations of each direction; `Sigmoid`, `Tanh`, `Tanh` by default.
            clip: What gates are clipped to before the activation; 0 for no clipping.
            direction: Which way sequences are read.
            layout: 1 where the batch is the first axis.
            input_forget: Takes 1 less the input gate for the forget gate.
        """
        return self._add("OnnxLSTM", (x, w, r, b, sequence_lens, initial_h, initial_c, p), {"activation_alpha": activation_alpha, "activation_beta": activation_beta, "activations": activations, "clip": clip, "direction": direction, "layout": layout, "input_forget": input_forget}, OnnxLSTMOutputs, called=name, device=device, after=after)

    def onnx_rnn(
        self,
        x: Value,
        w: Value,
        r: Value,
        b: Sequence[Value],
        sequence_lens: Sequence[Value],
        initial_h: Sequence[Value],
        *,
        activation_alpha: Sequence[float] = (),
        activation_beta: Sequence[float] = (),
        activations: Sequence[str | bytes] = (),
        clip: float = 0.0,
        direction: str | bytes = 'forward',
        layout: int = 0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> OnnxRNNOutputs:
        """`RNN` of ONNX: a layer of plain recurrent cells over sequences, `X` of sequence length, batch, features.

        Args:
            activation_alpha: Constants of the activations that take an alpha.
            activation_beta: Constants of the activations that take a beta.
            activations: The activation of each direction; `Tanh` by default.
            clip: What gates are clipped to before the activation; 0 for no clipping.
            direction: Which way sequences are read.
            layout: 1 where the batch is the first axis.
        """
        return self._add("OnnxRNN", (x, w, r, b, sequence_lens, initial_h), {"activation_alpha": activation_alpha, "activation_beta": activation_beta, "activations": activations, "clip": clip, "direction": direction, "layout": layout}, OnnxRNNOutputs, called=name, device=device, after=after)

    def onnx_resize(
        self,
        x: Value,
        roi: Value,
        scales: Value,
        sizes: Value,
        *,
        antialias: bool = False,
        axes: Sequence[int] = (),
        coordinate_transformation_mode: str | bytes = 'half_pixel',
        cubic_coeff_a: float = -0.75,
        exclude_outside: bool = False,
        extrapolation_value: float = 0.0,
        keep_aspect_ratio_policy: str | bytes = 'stretch',
        mode: str | bytes = 'nearest',
        nearest_mode: str | bytes = 'round_prefer_floor',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`Resize` of ONNX: resamples `X` along its axes. `roi` is `[start..., end...]` in units of the sizes and counts
        for `tf_crop_and_resize` only; of `scales` and `sizes` one is empty.

        Args:
            antialias: Filters down-sampled axes.
            axes: The axes that `roi`, `scales` and `sizes` speak of; all where it is empty.
            coordinate_transformation_mode: How a position in the output becomes one in the input.
            cubic_coeff_a: The coefficient of cubic interpolation.
            exclude_outside: Leaves elements beyond the border out of the weighted sum, instead of repeating those at
                the border.
            extrapolation_value: What `tf_crop_and_resize` takes for positions beyond the border.
            keep_aspect_ratio_policy: Whether `sizes` are stretched to, or an upper or lower bound with one scale for
                all axes.
            mode: How elements are interpolated.
            nearest_mode: How `nearest` rounds.
        """
        return self._add("OnnxResize", (x, roi, scales, sizes), {"antialias": antialias, "axes": axes, "coordinate_transformation_mode": coordinate_transformation_mode, "cubic_coeff_a": cubic_coeff_a, "exclude_outside": exclude_outside, "extrapolation_value": extrapolation_value, "keep_aspect_ratio_policy": keep_aspect_ratio_policy, "mode": mode, "nearest_mode": nearest_mode}, None, called=name, device=device, after=after)

    def onnx_max_roi_pool(
        self,
        x: Value,
        rois: Value,
        pooled_shape: Sequence[int],
        *,
        spatial_scale: float = 1.0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`MaxRoiPool` of ONNX: the greatest elements of the cells of each region of interest. Rows of `rois` are the
        number of the image, x1, y1, x2, y2.

        Args:
            pooled_shape: Cells from top to bottom and from left to right.
            spatial_scale: Elements for a unit of `rois`.
        """
        return self._add("OnnxMaxRoiPool", (x, rois), {"pooled_shape": pooled_shape, "spatial_scale": spatial_scale}, None, called=name, device=device, after=after)

    def onnx_roi_align(
        self,
        x: Value,
        rois: Value,
        batch_indices: Value,
        *,
        coordinate_transformation_mode: str | bytes = 'half_pixel',
        mode: str | bytes = 'avg',
        output_height: int = 1,
        output_width: int = 1,
        sampling_ratio: int = 0,
        spatial_scale: float = 1.0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`RoiAlign` of ONNX: pools each region of interest by samples between the elements. Rows of `rois` are x1, y1,
        x2, y2.

        Args:
            coordinate_transformation_mode: How positions in images become positions of elements.
            mode: What becomes of the samples of a cell.
            output_height: Cells from top to bottom.
            output_width: Cells from left to right.
            sampling_ratio: Samples of a cell along each axis; 0 for as many as it has elements.
            spatial_scale: Elements for a unit of `rois`.
        """
        return self._add("OnnxRoiAlign", (x, rois, batch_indices), {"coordinate_transformation_mode": coordinate_transformation_mode, "mode": mode, "output_height": output_height, "output_width": output_width, "sampling_ratio": sampling_ratio, "spatial_scale": spatial_scale}, None, called=name, device=device, after=after)

    def onnx_concat_from_sequence(
        self,
        input_sequence: Value,
        t: DTypeLike,
        axis: int,
        *,
        new_axis: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`ConcatFromSequence` of ONNX: the tensors of a sequence one behind the other, or side by side along a new axis.

        Args:
            t: Element type.
            axis: The axis.
            new_axis: Makes a new axis.
        """
        return self._add("OnnxConcatFromSequence", (input_sequence,), {"T": t, "axis": axis, "new_axis": new_axis}, None, called=name, device=device, after=after)

    def onnx_sequence_at(
        self,
        input_sequence: Value,
        position: Value,
        t: DTypeLike,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`SequenceAt` of ONNX: the tensor at a position.

        Args:
            t: Element type.
        """
        return self._add("OnnxSequenceAt", (input_sequence, position), {"T": t}, None, called=name, device=device, after=after)

    def onnx_sequence_construct(
        self,
        inputs: Sequence[Value],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`SequenceConstruct` of ONNX: a sequence of the inputs."""
        return self._add("OnnxSequenceConstruct", (inputs,), {}, None, called=name, device=device, after=after)

    def onnx_sequence_empty(
        self,
        t: DTypeLike,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`SequenceEmpty` of ONNX.

        Args:
            t: Element type of the tensors that the sequence is for.
        """
        return self._add("OnnxSequenceEmpty", (), {"T": t}, None, called=name, device=device, after=after)

    def onnx_sequence_erase(
        self,
        input_sequence: Value,
        position: Sequence[Value],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`SequenceErase` of ONNX: a sequence without the tensor at a position, or without the last."""
        return self._add("OnnxSequenceErase", (input_sequence, position), {}, None, called=name, device=device, after=after)

    def onnx_sequence_insert(
        self,
        input_sequence: Value,
        tensor: Value,
        position: Sequence[Value],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`SequenceInsert` of ONNX: a sequence with one more tensor, at a position or at the end."""
        return self._add("OnnxSequenceInsert", (input_sequence, tensor, position), {}, None, called=name, device=device, after=after)

    def onnx_sequence_length(
        self,
        input_sequence: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`SequenceLength` of ONNX."""
        return self._add("OnnxSequenceLength", (input_sequence,), {}, None, called=name, device=device, after=after)

    def onnx_split_to_sequence(
        self,
        input: Value,
        split: Sequence[Value],
        *,
        axis: int = 0,
        keepdims: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`SplitToSequence` of ONNX: the parts of a tensor along an axis; `split` is the size of all or of each, and parts
        are single elements without it.

        Args:
            axis: The axis.
            keepdims: Keeps the axis in parts of single elements.
        """
        return self._add("OnnxSplitToSequence", (input, split), {"axis": axis, "keepdims": keepdims}, None, called=name, device=device, after=after)

    def onnx_causal_conv_with_state(
        self,
        input: Value,
        weight: Value,
        bias: Sequence[Value],
        past_state: Sequence[Value],
        *,
        activation: str | bytes = 'none',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> OnnxCausalConvWithStateOutputs:
        """`CausalConvWithState` of ONNX: a convolution of each channel with its own filter over this position and those
        before.

        Args:
            activation: What is done to the result.
        """
        return self._add("OnnxCausalConvWithState", (input, weight, bias, past_state), {"activation": activation}, OnnxCausalConvWithStateOutputs, called=name, device=device, after=after)

    def onnx_linear_attention(
        self,
        query: Value,
        key: Value,
        value: Value,
        past_state: Sequence[Value],
        decay: Sequence[Value],
        beta: Sequence[Value],
        kv_num_heads: int,
        q_num_heads: int,
        *,
        scale: float = 0.0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> OnnxLinearAttentionOutputs:
        """`LinearAttention` of ONNX: attention by a state of each head that every position updates and reads.

        Args:
            kv_num_heads: Heads of `key` and `value`.
            q_num_heads: Heads of `query`.
            scale: What outputs are multiplied with; 0 for one by the root of the number of features.
        """
        return self._add("OnnxLinearAttention", (query, key, value, past_state, decay, beta), {"kv_num_heads": kv_num_heads, "q_num_heads": q_num_heads, "scale": scale}, OnnxLinearAttentionOutputs, called=name, device=device, after=after)

    def onnx_rotary_embedding(
        self,
        x: Value,
        cos_cache: Value,
        sin_cache: Value,
        position_ids: Sequence[Value],
        *,
        interleaved: bool = False,
        num_heads: int = 0,
        rotary_embedding_dim: int = 0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`RotaryEmbedding` of ONNX: turns pairs of features by angles of which `cos_cache` and `sin_cache` are cosine and
        sine. `X` is of rank 4 (batch, heads, positions, features) or 3 (batch, positions, heads and features).

        Args:
            interleaved: Pairs are neighbours, not features of the two halves.
            num_heads: Heads, for rank 3.
            rotary_embedding_dim: Features that are turned; 0 for all.
        """
        return self._add("OnnxRotaryEmbedding", (x, cos_cache, sin_cache, position_ids), {"interleaved": interleaved, "num_heads": num_heads, "rotary_embedding_dim": rotary_embedding_dim}, None, called=name, device=device, after=after)

    def onnx_tensor_scatter(
        self,
        past_cache: Value,
        update: Value,
        write_indices: Sequence[Value],
        *,
        axis: int = -2,
        mode: str | bytes = 'linear',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`TensorScatter` of ONNX: a cache with `update` written into each batch from a position on.

        Args:
            axis: The axis of positions.
            mode: Whether positions behind the last are those at the beginning.
        """
        return self._add("OnnxTensorScatter", (past_cache, update, write_indices), {"axis": axis, "mode": mode}, None, called=name, device=device, after=after)

    def onnx_svm_classifier(
        self,
        x: Value,
        t2: DTypeLike,
        coefficients: Sequence[float],
        rho: Sequence[float],
        *,
        classlabels_ints: Sequence[int] = (),
        classlabels_strings: Sequence[str | bytes] = (),
        kernel_params: Sequence[float] = (),
        kernel_type: str | bytes = 'LINEAR',
        post_transform: str | bytes = 'NONE',
        prob_a: Sequence[float] = (),
        prob_b: Sequence[float] = (),
        support_vectors: Sequence[float] = (),
        vectors_per_class: Sequence[int] = (),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> OnnxSVMClassifierOutputs:
        """`SVMClassifier` of `ai.onnx.ml`: the class of each row of `X` by support vectors, and scores.

        Args:
            t2: Element type of the classes.
            coefficients: Weights of the support vectors.
            rho: What is added to each score.
            classlabels_ints: The classes as numbers.
            classlabels_strings: The classes as strings.
            kernel_params: Gamma, the constant, the degree.
            kernel_type: How two vectors are multiplied.
            post_transform: What is done to the scores.
            prob_a: Slopes of the functions that make probabilities of scores.
            prob_b: Constants of those functions.
            support_vectors: The support vectors, one behind the other.
            vectors_per_class: Support vectors of each class.
        """
        return self._add("OnnxSVMClassifier", (x,), {"T2": t2, "coefficients": coefficients, "rho": rho, "classlabels_ints": classlabels_ints, "classlabels_strings": classlabels_strings, "kernel_params": kernel_params, "kernel_type": kernel_type, "post_transform": post_transform, "prob_a": prob_a, "prob_b": prob_b, "support_vectors": support_vectors, "vectors_per_class": vectors_per_class}, OnnxSVMClassifierOutputs, called=name, device=device, after=after)

    def onnx_svm_regressor(
        self,
        x: Value,
        coefficients: Sequence[float],
        rho: Sequence[float],
        *,
        kernel_params: Sequence[float] = (),
        kernel_type: str | bytes = 'LINEAR',
        n_supports: int = 0,
        one_class: bool = False,
        post_transform: str | bytes = 'NONE',
        support_vectors: Sequence[float] = (),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`SVMRegressor` of `ai.onnx.ml`: a number for each row of `X` by support vectors.

        Args:
            coefficients: Weights of the support vectors.
            rho: What is added to the result.
            kernel_params: Gamma, the constant, the degree.
            kernel_type: How two vectors are multiplied.
            n_supports: Number of support vectors.
            one_class: Gives 1 for what is inside and -1 for what is outside.
            post_transform: What is done to the result.
            support_vectors: The support vectors, one behind the other.
        """
        return self._add("OnnxSVMRegressor", (x,), {"coefficients": coefficients, "rho": rho, "kernel_params": kernel_params, "kernel_type": kernel_type, "n_supports": n_supports, "one_class": one_class, "post_transform": post_transform, "support_vectors": support_vectors}, None, called=name, device=device, after=after)

    def onnx_string_concat(
        self,
        x: Value,
        y: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`StringConcat` of ONNX: pairs of strings put together, with broadcasting."""
        return self._add("OnnxStringConcat", (x, y), {}, None, called=name, device=device, after=after)

    def onnx_string_normalizer(
        self,
        x: Value,
        *,
        case_change_action: str | bytes = 'NONE',
        is_case_sensitive: bool = False,
        stopwords: Sequence[str | bytes] = (),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`StringNormalizer` of ONNX: leaves stop words out and changes the case of the others.

        Args:
            case_change_action: What becomes of the case.
            is_case_sensitive: Whether stop words are told by case.
            stopwords: The stop words.
        """
        return self._add("OnnxStringNormalizer", (x,), {"case_change_action": case_change_action, "is_case_sensitive": is_case_sensitive, "stopwords": stopwords}, None, called=name, device=device, after=after)

    def onnx_string_split(
        self,
        x: Value,
        *,
        delimiter: str | bytes = '',
        maxsplit: int = -1,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> OnnxStringSplitOutputs:
        """`StringSplit` of ONNX: the parts of strings between delimiters, filled up with empty strings, and their numbers.

        Args:
            delimiter: What is between parts; white space where it is empty.
            maxsplit: The most places to split at; -1 for all.
        """
        return self._add("OnnxStringSplit", (x,), {"delimiter": delimiter, "maxsplit": maxsplit}, OnnxStringSplitOutputs, called=name, device=device, after=after)

    def onnx_tf_idf_vectorizer(
        self,
        x: Value,
        max_gram_length: int,
        max_skip_count: int,
        min_gram_length: int,
        mode: str | bytes,
        *,
        ngram_counts: Sequence[int] = (),
        ngram_indexes: Sequence[int] = (),
        pool_int64s: Sequence[int] = (),
        pool_strings: Sequence[str | bytes] = (),
        weights: Sequence[float] = (),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`TfIdfVectorizer` of ONNX: how often the n-grams of a pool are in each row of `X`.

        Args:
            max_gram_length: The most elements of an n-gram.
            max_skip_count: The most elements between two neighbours.
            min_gram_length: The least elements of an n-gram.
            mode: Counts, weights of those that are there, or counts times weights.
            ngram_counts: Where the n-grams of each length begin in the pool.
            ngram_indexes: The element of the output for each n-gram.
            pool_int64s: The n-grams one behind the other, of integers.
            pool_strings: The n-grams one behind the other, of strings.
            weights: The weight of each n-gram.
        """
        return self._add("OnnxTfIdfVectorizer", (x,), {"max_gram_length": max_gram_length, "max_skip_count": max_skip_count, "min_gram_length": min_gram_length, "mode": mode, "ngram_counts": ngram_counts, "ngram_indexes": ngram_indexes, "pool_int64s": pool_int64s, "pool_strings": pool_strings, "weights": weights}, None, called=name, device=device, after=after)

    def onnx_tree_ensemble(
        self,
        x: Value,
        leaf_weights: Any,
        nodes_modes: Any,
        nodes_splits: Any,
        *,
        aggregate_function: int = 1,
        leaf_targetids: Sequence[int] = (),
        membership_values: Sequence[Any] = (),
        n_targets: int = 1,
        nodes_falseleafs: Sequence[int] = (),
        nodes_falsenodeids: Sequence[int] = (),
        nodes_featureids: Sequence[int] = (),
        nodes_missing_value_tracks_true: Sequence[int] = (),
        nodes_trueleafs: Sequence[int] = (),
        nodes_truenodeids: Sequence[int] = (),
        post_transform: int = 0,
        tree_roots: Sequence[int] = (),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`TreeEnsemble` of `ai.onnx.ml`: for each row of `X` the weights of the leaves that it reaches, put together
        target by target.

        Args:
            leaf_weights: The weight of each leaf.
            nodes_modes: How each node compares: less or equal, less, greater or equal, greater, equal, unequal, member.
            nodes_splits: What each node compares with.
            aggregate_function: How weights are put together: 0 averages, 1 adds, 2 takes the least, 3 the greatest.
            leaf_targetids: The target of each leaf.
            membership_values: Members of the sets of the nodes that test for membership, each ended by NaN.
            n_targets: Number of targets.
            nodes_falseleafs: Whether the node for false is a leaf.
            nodes_falsenodeids: Where each node goes on for false.
            nodes_featureids: The feature that each node looks at.
            nodes_missing_value_tracks_true: Whether NaN is true at each node.
            nodes_trueleafs: Whether the node for true is a leaf.
            nodes_truenodeids: Where each node goes on for true.
            post_transform: What is done to the targets: nothing, softmax, logistic function, softmax of what is not
                zero, probit.
            tree_roots: The first node of each tree.
        """
        return self._add("OnnxTreeEnsemble", (x,), {"leaf_weights": leaf_weights, "nodes_modes": nodes_modes, "nodes_splits": nodes_splits, "aggregate_function": aggregate_function, "leaf_targetids": leaf_targetids, "membership_values": membership_values, "n_targets": n_targets, "nodes_falseleafs": nodes_falseleafs, "nodes_falsenodeids": nodes_falsenodeids, "nodes_featureids": nodes_featureids, "nodes_missing_value_tracks_true": nodes_missing_value_tracks_true, "nodes_trueleafs": nodes_trueleafs, "nodes_truenodeids": nodes_truenodeids, "post_transform": post_transform, "tree_roots": tree_roots}, None, called=name, device=device, after=after)

    def onnx_tree_ensemble_classifier(
        self,
        x: Value,
        t2: DTypeLike,
        *,
        base_values: Sequence[float] = (),
        base_values_as_tensor: Sequence[Any] = (),
        class_ids: Sequence[int] = (),
        class_nodeids: Sequence[int] = (),
        class_treeids: Sequence[int] = (),
        class_weights: Sequence[float] = (),
        class_weights_as_tensor: Sequence[Any] = (),
        classlabels_int64s: Sequence[int] = (),
        classlabels_strings: Sequence[str | bytes] = (),
        nodes_falsenodeids: Sequence[int] = (),
        nodes_featureids: Sequence[int] = (),
        nodes_missing_value_tracks_true: Sequence[int] = (),
        nodes_modes: Sequence[str | bytes] = (),
        nodes_nodeids: Sequence[int] = (),
        nodes_treeids: Sequence[int] = (),
        nodes_truenodeids: Sequence[int] = (),
        nodes_values: Sequence[float] = (),
        nodes_values_as_tensor: Sequence[Any] = (),
        post_transform: str | bytes = 'NONE',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> OnnxTreeEnsembleClassifierOutputs:
        """`TreeEnsembleClassifier` of `ai.onnx.ml`: the class of each row of `X` by the sum of the weights of the leaves
        that it reaches, and the scores of all classes.

        Args:
            t2: Element type of the classes.
            base_values: What is added to the scores of the classes.
            base_values_as_tensor: `base_values` in double precision.
            class_ids: The class of each weight.
            class_nodeids: The node of each weight.
            class_treeids: The tree of each weight.
            class_weights: The weights.
            class_weights_as_tensor: `class_weights` in double precision.
            classlabels_int64s: The classes as numbers.
            classlabels_strings: The classes as strings.
            nodes_falsenodeids: Where each node goes on for false.
            nodes_featureids: The feature that each node looks at.
            nodes_missing_value_tracks_true: Whether NaN is true at each node.
            nodes_modes: How each node compares.
            nodes_nodeids: The number of each node in its tree.
            nodes_treeids: The tree of each node.
            nodes_truenodeids: Where each node goes on for true.
            nodes_values: What each node compares with.
            nodes_values_as_tensor: `nodes_values` in double precision.
            post_transform: What is done to the scores.
        """
        return self._add("OnnxTreeEnsembleClassifier", (x,), {"T2": t2, "base_values": base_values, "base_values_as_tensor": base_values_as_tensor, "class_ids": class_ids, "class_nodeids": class_nodeids, "class_treeids": class_treeids, "class_weights": class_weights, "class_weights_as_tensor": class_weights_as_tensor, "classlabels_int64s": classlabels_int64s, "classlabels_strings": classlabels_strings, "nodes_falsenodeids": nodes_falsenodeids, "nodes_featureids": nodes_featureids, "nodes_missing_value_tracks_true": nodes_missing_value_tracks_true, "nodes_modes": nodes_modes, "nodes_nodeids": nodes_nodeids, "nodes_treeids": nodes_treeids, "nodes_truenodeids": nodes_truenodeids, "nodes_values": nodes_values, "nodes_values_as_tensor": nodes_values_as_tensor, "post_transform": post_transform}, OnnxTreeEnsembleClassifierOutputs, called=name, device=device, after=after)

    def onnx_tree_ensemble_regressor(
        self,
        x: Value,
        *,
        aggregate_function: str | bytes = 'SUM',
        base_values: Sequence[float] = (),
        base_values_as_tensor: Sequence[Any] = (),
        n_targets: int = 1,
        nodes_falsenodeids: Sequence[int] = (),
        nodes_featureids: Sequence[int] = (),
        nodes_missing_value_tracks_true: Sequence[int] = (),
        nodes_modes: Sequence[str | bytes] = (),
        nodes_nodeids: Sequence[int] = (),
        nodes_treeids: Sequence[int] = (),
        nodes_truenodeids: Sequence[int] = (),
        nodes_values: Sequence[float] = (),
        nodes_values_as_tensor: Sequence[Any] = (),
        post_transform: str | bytes = 'NONE',
        target_ids: Sequence[int] = (),
        target_nodeids: Sequence[int] = (),
        target_treeids: Sequence[int] = (),
        target_weights: Sequence[float] = (),
        target_weights_as_tensor: Sequence[Any] = (),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`TreeEnsembleRegressor` of `ai.onnx.ml`: for each row of `X` the weights of the leaves that it reaches, put
        together target by target.

        Args:
            aggregate_function: How weights are put together.
            base_values: What is added to each target.
            base_values_as_tensor: `base_values` in double precision.
            n_targets: Number of targets.
            nodes_falsenodeids: Where each node goes on for false.
            nodes_featureids: The feature that each node looks at.
            nodes_missing_value_tracks_true: Whether NaN is true at each node.
            nodes_modes: How each node compares.
            nodes_nodeids: The number of each node in its tree.
            nodes_treeids: The tree of each node.
            nodes_truenodeids: Where each node goes on for true.
            nodes_values: What each node compares with.
            nodes_values_as_tensor: `nodes_values` in double precision.
            post_transform: What is done to the targets.
            target_ids: The target of each weight.
            target_nodeids: The node of each weight.
            target_treeids: The tree of each weight.
            target_weights: The weights.
            target_weights_as_tensor: `target_weights` in double precision.
        """
        return self._add("OnnxTreeEnsembleRegressor", (x,), {"aggregate_function": aggregate_function, "base_values": base_values, "base_values_as_tensor": base_values_as_tensor, "n_targets": n_targets, "nodes_falsenodeids": nodes_falsenodeids, "nodes_featureids": nodes_featureids, "nodes_missing_value_tracks_true": nodes_missing_value_tracks_true, "nodes_modes": nodes_modes, "nodes_nodeids": nodes_nodeids, "nodes_treeids": nodes_treeids, "nodes_truenodeids": nodes_truenodeids, "nodes_values": nodes_values, "nodes_values_as_tensor": nodes_values_as_tensor, "post_transform": post_transform, "target_ids": target_ids, "target_nodeids": target_nodeids, "target_treeids": target_treeids, "target_weights": target_weights, "target_weights_as_tensor": target_weights_as_tensor}, None, called=name, device=device, after=after)

    def onnx_unique(
        self,
        x: Value,
        *,
        axis: int = 0,
        flat: bool = False,
        sorted: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> OnnxUniqueOutputs:
        """What `Unique` of ONNX says of `X`: where each of the slices that differ is first, which of them every slice is,
        and how often each is there.

        Args:
            axis: The axis of the slices; slices are single elements where `flat`.
            flat: Compares single elements.
            sorted: In ascending order, rather than in that of `X`.
        """
        return self._add("OnnxUnique", (x,), {"axis": axis, "flat": flat, "sorted": sorted}, OnnxUniqueOutputs, called=name, device=device, after=after)

    # parsing

    def decode_json_example(
        self,
        json_examples: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Turns each `Example` in protobuf's JSON mapping into the binary message."""
        return self._add("DecodeJSONExample", (json_examples,), {}, None, called=name, device=device, after=after)

    def parse_example(
        self,
        serialized: Value,
        names: Value,
        sparse_keys: Sequence[Value],
        dense_keys: Sequence[Value],
        dense_defaults: Sequence[Value],
        sparse_types: Sequence[DTypeLike],
        dense_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> ParseExampleOutputs:
        """Reads the features named in the key inputs from a vector of examples.

        Args:
            sparse_types: Dtypes of the sparse features.
            dense_shapes: Shapes of the dense features; the first size may be unknown.
        """
        return self._add("ParseExample", (serialized, names, sparse_keys, dense_keys, dense_defaults), {"sparse_types": sparse_types, "dense_shapes": dense_shapes}, ParseExampleOutputs, called=name, device=device, after=after)

    def parse_example_v2(
        self,
        serialized: Value,
        names: Value,
        sparse_keys: Value,
        dense_keys: Value,
        ragged_keys: Value,
        dense_defaults: Sequence[Value],
        num_sparse: int,
        sparse_types: Sequence[DTypeLike],
        ragged_value_types: Sequence[DTypeLike],
        ragged_split_types: Sequence[DTypeLike],
        dense_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> ParseExampleV2Outputs:
        """Reads the features named in the key inputs from a vector of examples, or from one.

        Args:
            num_sparse: Number of sparse features.
            sparse_types: Dtypes of the sparse features.
            ragged_value_types: Dtypes of the ragged features.
            ragged_split_types: Dtypes of the ragged features' splits.
            dense_shapes: Shapes of the dense features; the first size may be unknown.
        """
        return self._add("ParseExampleV2", (serialized, names, sparse_keys, dense_keys, ragged_keys, dense_defaults), {"num_sparse": num_sparse, "sparse_types": sparse_types, "ragged_value_types": ragged_value_types, "ragged_split_types": ragged_split_types, "dense_shapes": dense_shapes}, ParseExampleV2Outputs, called=name, device=device, after=after)

    def parse_single_example(
        self,
        serialized: Value,
        dense_defaults: Sequence[Value],
        num_sparse: int,
        sparse_keys: Sequence[str | bytes],
        dense_keys: Sequence[str | bytes],
        sparse_types: Sequence[DTypeLike],
        dense_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> ParseSingleExampleOutputs:
        """Reads features from one example.

        Args:
            num_sparse: Number of sparse features.
            sparse_keys: Names of the sparse features.
            dense_keys: Names of the dense features.
            sparse_types: Dtypes of the sparse features.
            dense_shapes: Shapes of the dense features; the first size may be unknown.
        """
        return self._add("ParseSingleExample", (serialized, dense_defaults), {"num_sparse": num_sparse, "sparse_keys": sparse_keys, "dense_keys": dense_keys, "sparse_types": sparse_types, "dense_shapes": dense_shapes}, ParseSingleExampleOutputs, called=name, device=device, after=after)

    def parse_sequence_example(
        self,
        serialized: Value,
        debug_name: Value,
        context_dense_defaults: Sequence[Value],
        feature_list_dense_missing_assumed_empty: Sequence[str | bytes],
        context_sparse_keys: Sequence[str | bytes],
        context_dense_keys: Sequence[str | bytes],
        feature_list_sparse_keys: Sequence[str | bytes],
        feature_list_dense_keys: Sequence[str | bytes],
        *,
        ncontext_sparse: int = 0,
        ncontext_dense: int = 0,
        nfeature_list_sparse: int = 0,
        nfeature_list_dense: int = 0,
        context_sparse_types: Sequence[DTypeLike] = (),
        feature_list_dense_types: Sequence[DTypeLike] = (),
        context_dense_shapes: Sequence[ShapeLike | None] = (),
        feature_list_sparse_types: Sequence[DTypeLike] = (),
        feature_list_dense_shapes: Sequence[ShapeLike | None] = (),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> ParseSequenceExampleOutputs:
        """Reads context features and feature lists from a vector of sequence examples.

        Args:
            feature_list_dense_missing_assumed_empty: Names of the dense feature lists that are empty where they are
                missing.
            context_sparse_keys: Names of the sparse context features.
            context_dense_keys: Names of the dense context features.
            feature_list_sparse_keys: Names of the sparse feature lists.
            feature_list_dense_keys: Names of the dense feature lists.
            ncontext_sparse: Number of sparse context features.
            ncontext_dense: Number of dense context features.
            nfeature_list_sparse: Number of sparse feature lists.
            nfeature_list_dense: Number of dense feature lists.
            context_sparse_types: Dtypes of the sparse context features.
            feature_list_dense_types: Dtypes of the dense feature lists.
            context_dense_shapes: Shapes of the dense context features.
            feature_list_sparse_types: Dtypes of the sparse feature lists.
            feature_list_dense_shapes: Shapes of one step of the dense feature lists.
        """
        return self._add("ParseSequenceExample", (serialized, debug_name, context_dense_defaults), {"feature_list_dense_missing_assumed_empty": feature_list_dense_missing_assumed_empty, "context_sparse_keys": context_sparse_keys, "context_dense_keys": context_dense_keys, "feature_list_sparse_keys": feature_list_sparse_keys, "feature_list_dense_keys": feature_list_dense_keys, "Ncontext_sparse": ncontext_sparse, "Ncontext_dense": ncontext_dense, "Nfeature_list_sparse": nfeature_list_sparse, "Nfeature_list_dense": nfeature_list_dense, "context_sparse_types": context_sparse_types, "feature_list_dense_types": feature_list_dense_types, "context_dense_shapes": context_dense_shapes, "feature_list_sparse_types": feature_list_sparse_types, "feature_list_dense_shapes": feature_list_dense_shapes}, ParseSequenceExampleOutputs, called=name, device=device, after=after)

    def parse_sequence_example_v2(
        self,
        serialized: Value,
        debug_name: Value,
        context_sparse_keys: Value,
        context_dense_keys: Value,
        context_ragged_keys: Value,
        feature_list_sparse_keys: Value,
        feature_list_dense_keys: Value,
        feature_list_ragged_keys: Value,
        feature_list_dense_missing_assumed_empty: Value,
        context_dense_defaults: Sequence[Value],
        *,
        ncontext_sparse: int = 0,
        context_sparse_types: Sequence[DTypeLike] = (),
        context_ragged_value_types: Sequence[DTypeLike] = (),
        context_ragged_split_types: Sequence[DTypeLike] = (),
        context_dense_shapes: Sequence[ShapeLike | None] = (),
        nfeature_list_sparse: int = 0,
        nfeature_list_dense: int = 0,
        feature_list_dense_types: Sequence[DTypeLike] = (),
        feature_list_sparse_types: Sequence[DTypeLike] = (),
        feature_list_ragged_value_types: Sequence[DTypeLike] = (),
        feature_list_ragged_split_types: Sequence[DTypeLike] = (),
        feature_list_dense_shapes: Sequence[ShapeLike | None] = (),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> ParseSequenceExampleV2Outputs:
        """Reads the context features and feature lists named in the key inputs from sequence examples.

        Args:
            ncontext_sparse: Number of sparse context features.
            context_sparse_types: Dtypes of the sparse context features.
            context_ragged_value_types: Dtypes of the ragged context features.
            context_ragged_split_types: Dtypes of their splits.
            context_dense_shapes: Shapes of the dense context features.
            nfeature_list_sparse: Number of sparse feature lists.
            nfeature_list_dense: Number of dense feature lists.
            feature_list_dense_types: Dtypes of the dense feature lists.
            feature_list_sparse_types: Dtypes of the sparse feature lists.
            feature_list_ragged_value_types: Dtypes of the ragged feature lists.
            feature_list_ragged_split_types: Dtypes of their splits.
            feature_list_dense_shapes: Shapes of one step of the dense feature lists.
        """
        return self._add("ParseSequenceExampleV2", (serialized, debug_name, context_sparse_keys, context_dense_keys, context_ragged_keys, feature_list_sparse_keys, feature_list_dense_keys, feature_list_ragged_keys, feature_list_dense_missing_assumed_empty, context_dense_defaults), {"Ncontext_sparse": ncontext_sparse, "context_sparse_types": context_sparse_types, "context_ragged_value_types": context_ragged_value_types, "context_ragged_split_types": context_ragged_split_types, "context_dense_shapes": context_dense_shapes, "Nfeature_list_sparse": nfeature_list_sparse, "Nfeature_list_dense": nfeature_list_dense, "feature_list_dense_types": feature_list_dense_types, "feature_list_sparse_types": feature_list_sparse_types, "feature_list_ragged_value_types": feature_list_ragged_value_types, "feature_list_ragged_split_types": feature_list_ragged_split_types, "feature_list_dense_shapes": feature_list_dense_shapes}, ParseSequenceExampleV2Outputs, called=name, device=device, after=after)

    def parse_single_sequence_example(
        self,
        serialized: Value,
        feature_list_dense_missing_assumed_empty: Value,
        context_sparse_keys: Sequence[Value],
        context_dense_keys: Sequence[Value],
        feature_list_sparse_keys: Sequence[Value],
        feature_list_dense_keys: Sequence[Value],
        context_dense_defaults: Sequence[Value],
        debug_name: Value,
        *,
        context_sparse_types: Sequence[DTypeLike] = (),
        feature_list_dense_types: Sequence[DTypeLike] = (),
        context_dense_shapes: Sequence[ShapeLike | None] = (),
        feature_list_sparse_types: Sequence[DTypeLike] = (),
        feature_list_dense_shapes: Sequence[ShapeLike | None] = (),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> ParseSingleSequenceExampleOutputs:
        """Reads context features and feature lists from one sequence example.

        Args:
            context_sparse_types: Dtypes of the sparse context features.
            feature_list_dense_types: Dtypes of the dense feature lists.
            context_dense_shapes: Shapes of the dense context features.
            feature_list_sparse_types: Dtypes of the sparse feature lists.
            feature_list_dense_shapes: Shapes of one step of the dense feature lists.
        """
        return self._add("ParseSingleSequenceExample", (serialized, feature_list_dense_missing_assumed_empty, context_sparse_keys, context_dense_keys, feature_list_sparse_keys, feature_list_dense_keys, context_dense_defaults, debug_name), {"context_sparse_types": context_sparse_types, "feature_list_dense_types": feature_list_dense_types, "context_dense_shapes": context_dense_shapes, "feature_list_sparse_types": feature_list_sparse_types, "feature_list_dense_shapes": feature_list_dense_shapes}, ParseSingleSequenceExampleOutputs, called=name, device=device, after=after)

    def parse_tensor(
        self,
        serialized: Value,
        out_type: DTypeLike,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Reads a tensor out of a message.

        Args:
            out_type: Dtype of the tensor.
        """
        return self._add("ParseTensor", (serialized,), {"out_type": out_type}, None, called=name, device=device, after=after)

    def serialize_tensor(
        self,
        tensor: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Writes a tensor as a message."""
        return self._add("SerializeTensor", (tensor,), {}, None, called=name, device=device, after=after)

    # quantize

    def quantized_add(
        self,
        x: Value,
        y: Value,
        min_x: Value,
        max_x: Value,
        min_y: Value,
        max_y: Value,
        *,
        toutput: DTypeLike = 'qint32',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> QuantizedAddOutputs:
        """The sums of the numbers that the codes of `x` and `y` stand for, with broadcasting.

        Args:
            toutput: Type of the codes of the output.
        """
        return self._add("QuantizedAdd", (x, y, min_x, max_x, min_y, max_y), {"Toutput": toutput}, QuantizedAddOutputs, called=name, device=device, after=after)

    def quantized_mul(
        self,
        x: Value,
        y: Value,
        min_x: Value,
        max_x: Value,
        min_y: Value,
        max_y: Value,
        *,
        toutput: DTypeLike = 'qint32',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> QuantizedMulOutputs:
        """The products of the numbers that the codes of `x` and `y` stand for, with broadcasting.

        Args:
            toutput: Type of the codes of the output.
        """
        return self._add("QuantizedMul", (x, y, min_x, max_x, min_y, max_y), {"Toutput": toutput}, QuantizedMulOutputs, called=name, device=device, after=after)

    def quantized_batch_norm_with_global_normalization(
        self,
        t: Value,
        t_min: Value,
        t_max: Value,
        m: Value,
        m_min: Value,
        m_max: Value,
        v: Value,
        v_min: Value,
        v_max: Value,
        beta: Value,
        beta_min: Value,
        beta_max: Value,
        gamma: Value,
        gamma_min: Value,
        gamma_max: Value,
        out_type: DTypeLike,
        variance_epsilon: float,
        scale_after_normalization: bool,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> QuantizedBatchNormWithGlobalNormalizationOutputs:
        """`t` normalized by a mean and a variance for each channel, all of codes.

        Args:
            out_type: Type of the codes of the output.
            variance_epsilon: Added to variances, so that none is zero.
            scale_after_normalization: True to multiply with `gamma`.
        """
        return self._add("QuantizedBatchNormWithGlobalNormalization", (t, t_min, t_max, m, m_min, m_max, v, v_min, v_max, beta, beta_min, beta_max, gamma, gamma_min, gamma_max), {"out_type": out_type, "variance_epsilon": variance_epsilon, "scale_after_normalization": scale_after_normalization}, QuantizedBatchNormWithGlobalNormalizationOutputs, called=name, device=device, after=after)

    def quantized_bias_add(
        self,
        input: Value,
        bias: Value,
        min_input: Value,
        max_input: Value,
        min_bias: Value,
        max_bias: Value,
        out_type: DTypeLike,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> QuantizedBiasAddOutputs:
        """`input` with the vector `bias` added along its last axis, as codes of int32 in a range with room for both.

        Args:
            out_type: Type of the codes of the output.
        """
        return self._add("QuantizedBiasAdd", (input, bias, min_input, max_input, min_bias, max_bias), {"out_type": out_type}, QuantizedBiasAddOutputs, called=name, device=device, after=after)

    def quantized_concat(
        self,
        concat_dim: Value,
        values: Sequence[Value],
        input_mins: Sequence[Value],
        input_maxes: Sequence[Value],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> QuantizedConcatOutputs:
        """`values` put together along an axis, all in the range from the least of `input_mins` to the greatest of
        `input_maxes`."""
        return self._add("QuantizedConcat", (concat_dim, values, input_mins, input_maxes), {}, QuantizedConcatOutputs, called=name, device=device, after=after)

    def quantized_conv2d(
        self,
        input: Value,
        filter: Value,
        min_input: Value,
        max_input: Value,
        min_filter: Value,
        max_filter: Value,
        strides: Sequence[int],
        padding: str | bytes,
        *,
        out_type: DTypeLike = 'qint32',
        dilations: Sequence[int] = (1, 1, 1, 1),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> QuantizedConv2DOutputs:
        """The convolution of images with filters, all of codes, as codes of int32 in a range wide enough for all products.

        Args:
            strides: How far a filter moves: 1 for the batch and the channels, the same for rows and columns.
            padding: `SAME` to pad the images with zeros, `VALID` not to.
            out_type: Type of the codes of the output.
            dilations: Distances between the elements of a filter, which must be 1.
        """
        return self._add("QuantizedConv2D", (input, filter, min_input, max_input, min_filter, max_filter), {"strides": strides, "padding": padding, "out_type": out_type, "dilations": dilations}, QuantizedConv2DOutputs, called=name, device=device, after=after)

    def dequantize(
        self,
        input: Value,
        min_range: Value,
        max_range: Value,
        *,
        mode: str | bytes = 'MIN_COMBINED',
        narrow_range: bool = False,
        axis: int = -1,
        dtype: DTypeLike = 'float32',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The floats that the codes of `input` stand for in the range from `min_range` to `max_range`.

        Args:
            mode: How codes were assigned, as in `QuantizeV2`.
            narrow_range: True where `SCALED` did not use the smallest code.
            axis: The axis with a range for each index; -1 for one range.
            dtype: Element type of the output.
        """
        return self._add("Dequantize", (input, min_range, max_range), {"mode": mode, "narrow_range": narrow_range, "axis": axis, "dtype": dtype}, None, called=name, device=device, after=after)

    def fake_quant_with_min_max_args(
        self,
        inputs: Value,
        *,
        min: float = -6.0,
        max: float = 6.0,
        num_bits: int = 8,
        narrow_range: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Clamps `inputs` to the range from `min` to `max`, moved so that zero is in it, and rounds them to the numbers
        that codes of `num_bits` bits stand for.

        Args:
            min: Smallest number of the range.
            max: Largest number of the range.
            num_bits: Bits of a code, 2 to 16.
            narrow_range: True where the smallest code is not used.
        """
        return self._add("FakeQuantWithMinMaxArgs", (inputs,), {"min": min, "max": max, "num_bits": num_bits, "narrow_range": narrow_range}, None, called=name, device=device, after=after)

    def fake_quant_with_min_max_args_gradient(
        self,
        gradients: Value,
        inputs: Value,
        *,
        min: float = -6.0,
        max: float = 6.0,
        num_bits: int = 8,
        narrow_range: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of `FakeQuantWithMinMaxArgs`: that of the outputs where the inputs are in the range, 0 elsewhere.

        Args:
            min: Smallest number of the range.
            max: Largest number of the range.
            num_bits: Bits of a code, 2 to 16.
            narrow_range: True where the smallest code is not used.
        """
        return self._add("FakeQuantWithMinMaxArgsGradient", (gradients, inputs), {"min": min, "max": max, "num_bits": num_bits, "narrow_range": narrow_range}, None, called=name, device=device, after=after)

    def fake_quant_with_min_max_vars(
        self,
        inputs: Value,
        min: Value,
        max: Value,
        *,
        num_bits: int = 8,
        narrow_range: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Clamps `inputs` to the range from `min` to `max`, moved so that zero is in it, and rounds them to the numbers
        that codes of `num_bits` bits stand for.

        Args:
            num_bits: Bits of a code, 2 to 16.
            narrow_range: True where the smallest code is not used.
        """
        return self._add("FakeQuantWithMinMaxVars", (inputs, min, max), {"num_bits": num_bits, "narrow_range": narrow_range}, None, called=name, device=device, after=after)

    def fake_quant_with_min_max_vars_per_channel(
        self,
        inputs: Value,
        min: Value,
        max: Value,
        *,
        num_bits: int = 8,
        narrow_range: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """As `FakeQuantWithMinMaxVars`, with a range for each index of the last axis.

        Args:
            num_bits: Bits of a code, 2 to 16.
            narrow_range: True where the smallest code is not used.
        """
        return self._add("FakeQuantWithMinMaxVarsPerChannel", (inputs, min, max), {"num_bits": num_bits, "narrow_range": narrow_range}, None, called=name, device=device, after=after)

    def fake_quant_with_min_max_vars_gradient(
        self,
        gradients: Value,
        inputs: Value,
        min: Value,
        max: Value,
        *,
        num_bits: int = 8,
        narrow_range: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> FakeQuantWithMinMaxVarsGradientOutputs:
        """The gradients of `FakeQuantWithMinMaxVars`: `min` has the sum of those where the inputs are below the range,
        `max` of those above.

        Args:
            num_bits: Bits of a code, 2 to 16.
            narrow_range: True where the smallest code is not used.
        """
        return self._add("FakeQuantWithMinMaxVarsGradient", (gradients, inputs, min, max), {"num_bits": num_bits, "narrow_range": narrow_range}, FakeQuantWithMinMaxVarsGradientOutputs, called=name, device=device, after=after)

    def fake_quant_with_min_max_vars_per_channel_gradient(
        self,
        gradients: Value,
        inputs: Value,
        min: Value,
        max: Value,
        *,
        num_bits: int = 8,
        narrow_range: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> FakeQuantWithMinMaxVarsPerChannelGradientOutputs:
        """The gradients of `FakeQuantWithMinMaxVarsPerChannel`.

        Args:
            num_bits: Bits of a code, 2 to 16.
            narrow_range: True where the smallest code is not used.
        """
        return self._add("FakeQuantWithMinMaxVarsPerChannelGradient", (gradients, inputs, min, max), {"num_bits": num_bits, "narrow_range": narrow_range}, FakeQuantWithMinMaxVarsPerChannelGradientOutputs, called=name, device=device, after=after)

    def quantized_instance_norm(
        self,
        x: Value,
        x_min: Value,
        x_max: Value,
        *,
        output_range_given: bool = False,
        given_y_min: float = 0.0,
        given_y_max: float = 0.0,
        variance_epsilon: float = 1e-05,
        min_separation: float = 0.001,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> QuantizedInstanceNormOutputs:
        """The codes of `x`, of which each channel of each image is normalized to mean 0 and variance 1.

        Args:
            output_range_given: True where the range of the output is given; else it is that of the numbers.
            given_y_min: Smallest number of the range.
            given_y_max: Largest number of the range.
            variance_epsilon: Added to variances, so that none is zero.
            min_separation: Least width of the range of the output.
        """
        return self._add("QuantizedInstanceNorm", (x, x_min, x_max), {"output_range_given": output_range_given, "given_y_min": given_y_min, "given_y_max": given_y_max, "variance_epsilon": variance_epsilon, "min_separation": min_separation}, QuantizedInstanceNormOutputs, called=name, device=device, after=after)

    def quantized_mat_mul(
        self,
        a: Value,
        b: Value,
        min_a: Value,
        max_a: Value,
        min_b: Value,
        max_b: Value,
        *,
        toutput: DTypeLike = 'qint32',
        transpose_a: bool = False,
        transpose_b: bool = False,
        tactivation: DTypeLike = 'quint8',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> QuantizedMatMulOutputs:
        """The product of two matrices of codes, as codes of int32 in a range wide enough for all products.

        Args:
            toutput: Type of the codes of the product.
            transpose_a: True to multiply with the transpose of `a`.
            transpose_b: True to multiply with the transpose of `b`.
            tactivation: Type of the codes that follow; not used.
        """
        return self._add("QuantizedMatMul", (a, b, min_a, max_a, min_b, max_b), {"Toutput": toutput, "transpose_a": transpose_a, "transpose_b": transpose_b, "Tactivation": tactivation}, QuantizedMatMulOutputs, called=name, device=device, after=after)

    def quantized_avg_pool(
        self,
        input: Value,
        min_input: Value,
        max_input: Value,
        ksize: Sequence[int],
        strides: Sequence[int],
        padding: str | bytes,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> QuantizedAvgPoolOutputs:
        """The mean of the codes under each window, rounded towards zero.

        Args:
            ksize: Size of a window along each axis.
            strides: Distance between windows along each axis.
            padding: `SAME` for windows that reach beyond the images, `VALID` for those within.
        """
        return self._add("QuantizedAvgPool", (input, min_input, max_input), {"ksize": ksize, "strides": strides, "padding": padding}, QuantizedAvgPoolOutputs, called=name, device=device, after=after)

    def quantized_max_pool(
        self,
        input: Value,
        min_input: Value,
        max_input: Value,
        ksize: Sequence[int],
        strides: Sequence[int],
        padding: str | bytes,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> QuantizedMaxPoolOutputs:
        """The largest code under each window.

        Args:
            ksize: Size of a window along each axis.
            strides: Distance between windows along each axis.
            padding: `SAME` for windows that reach beyond the images, `VALID` for those within.
        """
        return self._add("QuantizedMaxPool", (input, min_input, max_input), {"ksize": ksize, "strides": strides, "padding": padding}, QuantizedMaxPoolOutputs, called=name, device=device, after=after)

    def quantize_v2(
        self,
        input: Value,
        min_range: Value,
        max_range: Value,
        t: DTypeLike,
        *,
        mode: str | bytes = 'MIN_COMBINED',
        round_mode: str | bytes = 'HALF_AWAY_FROM_ZERO',
        narrow_range: bool = False,
        axis: int = -1,
        ensure_minimum_range: float = 0.01,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> QuantizeV2Outputs:
        """The codes of `T` for `input`, of which the range from `min_range` to `max_range` is extended to hold zero and to
        be no smaller than `ensure_minimum_range`. The outputs `output_min` and `output_max` are the range in which the
        codes are to be read.

        Args:
            t: Type of the codes.
            mode: How codes are assigned: `MIN_COMBINED` from the smallest number on, `MIN_FIRST` so that zero is one,
                `SCALED` in proportion to the numbers.
            round_mode: Where halves go; to even only with `SCALED`.
            narrow_range: True where `SCALED` does not use the smallest code.
            axis: The axis with a range for each index; -1 for one range.
            ensure_minimum_range: Least width of a range, relative to its ends and to 1.
        """
        return self._add("QuantizeV2", (input, min_range, max_range), {"T": t, "mode": mode, "round_mode": round_mode, "narrow_range": narrow_range, "axis": axis, "ensure_minimum_range": ensure_minimum_range}, QuantizeV2Outputs, called=name, device=device, after=after)

    def quantize_and_dequantize(
        self,
        input: Value,
        *,
        signed_input: bool = True,
        num_bits: int = 8,
        range_given: bool = False,
        input_min: float = 0.0,
        input_max: float = 0.0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Rounds `input` to the numbers that integers of `num_bits` bits stand for, with a scale at which the range from
        `input_min` to `input_max` fits and 0 stays 0.

        Args:
            signed_input: True for integers with a sign.
            num_bits: Bits of an integer, its sign among them.
            range_given: True where the range is given; else it is that of the elements.
            input_min: Smallest number of the range.
            input_max: Largest number of the range.
        """
        return self._add("QuantizeAndDequantize", (input,), {"signed_input": signed_input, "num_bits": num_bits, "range_given": range_given, "input_min": input_min, "input_max": input_max}, None, called=name, device=device, after=after)

    def quantize_and_dequantize_v2(
        self,
        input: Value,
        input_min: Value,
        input_max: Value,
        *,
        signed_input: bool = True,
        num_bits: int = 8,
        range_given: bool = False,
        round_mode: str | bytes = 'HALF_TO_EVEN',
        narrow_range: bool = False,
        axis: int = -1,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Rounds `input` to the numbers that integers of `num_bits` bits stand for, with a scale at which the range from
        `input_min` to `input_max` fits and 0 stays 0.

        Args:
            signed_input: True for integers with a sign.
            num_bits: Bits of an integer, its sign among them.
            range_given: True where the range is given; else it is that of the elements.
            round_mode: Where halves go.
            narrow_range: True where the smallest integer with a sign is not used.
            axis: The axis with a range for each index; -1 for one range.
        """
        return self._add("QuantizeAndDequantizeV2", (input, input_min, input_max), {"signed_input": signed_input, "num_bits": num_bits, "range_given": range_given, "round_mode": round_mode, "narrow_range": narrow_range, "axis": axis}, None, called=name, device=device, after=after)

    def quantize_and_dequantize_v3(
        self,
        input: Value,
        input_min: Value,
        input_max: Value,
        num_bits: Value,
        *,
        signed_input: bool = True,
        range_given: bool = True,
        narrow_range: bool = False,
        axis: int = -1,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Rounds `input` to the numbers that integers of `num_bits` bits stand for, with a scale at which the range from
        `input_min` to `input_max` fits and 0 stays 0.

        Args:
            signed_input: True for integers with a sign.
            range_given: True where the range is given; else it is that of the elements.
            narrow_range: True where the smallest integer with a sign is not used.
            axis: The axis with a range for each index; -1 for one range.
        """
        return self._add("QuantizeAndDequantizeV3", (input, input_min, input_max, num_bits), {"signed_input": signed_input, "range_given": range_given, "narrow_range": narrow_range, "axis": axis}, None, called=name, device=device, after=after)

    def quantize_and_dequantize_v4(
        self,
        input: Value,
        input_min: Value,
        input_max: Value,
        *,
        signed_input: bool = True,
        num_bits: int = 8,
        range_given: bool = False,
        round_mode: str | bytes = 'HALF_TO_EVEN',
        narrow_range: bool = False,
        axis: int = -1,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Rounds `input` to the numbers that integers of `num_bits` bits stand for, with a scale at which the range from
        `input_min` to `input_max` fits and 0 stays 0.

        Args:
            signed_input: True for integers with a sign.
            num_bits: Bits of an integer, its sign among them.
            range_given: True where the range is given; else it is that of the elements.
            round_mode: Where halves go.
            narrow_range: True where the smallest integer with a sign is not used.
            axis: The axis with a range for each index; -1 for one range.
        """
        return self._add("QuantizeAndDequantizeV4", (input, input_min, input_max), {"signed_input": signed_input, "num_bits": num_bits, "range_given": range_given, "round_mode": round_mode, "narrow_range": narrow_range, "axis": axis}, None, called=name, device=device, after=after)

    def quantize_and_dequantize_v4_grad(
        self,
        gradients: Value,
        input: Value,
        input_min: Value,
        input_max: Value,
        *,
        axis: int = -1,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> QuantizeAndDequantizeV4GradOutputs:
        """The gradients of `QuantizeAndDequantizeV4`: that of the output where the input is in the range, 0 elsewhere and
        for the range.

        Args:
            axis: The axis with a range for each index; -1 for one range.
        """
        return self._add("QuantizeAndDequantizeV4Grad", (gradients, input, input_min, input_max), {"axis": axis}, QuantizeAndDequantizeV4GradOutputs, called=name, device=device, after=after)

    def quantized_relu(
        self,
        features: Value,
        min_features: Value,
        max_features: Value,
        *,
        out_type: DTypeLike = 'quint8',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> QuantizedReluOutputs:
        """The codes of `features`, those of negative numbers replaced by that of zero.

        Args:
            out_type: Type of the codes of the output, which must be the same.
        """
        return self._add("QuantizedRelu", (features, min_features, max_features), {"out_type": out_type}, QuantizedReluOutputs, called=name, device=device, after=after)

    def quantized_relu6(
        self,
        features: Value,
        min_features: Value,
        max_features: Value,
        *,
        out_type: DTypeLike = 'quint8',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> QuantizedRelu6Outputs:
        """The codes of `features` clamped to those of 0 and 6.

        Args:
            out_type: Type of the codes of the output, which must be the same.
        """
        return self._add("QuantizedRelu6", (features, min_features, max_features), {"out_type": out_type}, QuantizedRelu6Outputs, called=name, device=device, after=after)

    def quantized_relu_x(
        self,
        features: Value,
        max_value: Value,
        min_features: Value,
        max_features: Value,
        *,
        out_type: DTypeLike = 'quint8',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> QuantizedReluXOutputs:
        """The codes of `features` clamped to those of 0 and `max_value`.

        Args:
            out_type: Type of the codes of the output, which must be the same.
        """
        return self._add("QuantizedReluX", (features, max_value, min_features, max_features), {"out_type": out_type}, QuantizedReluXOutputs, called=name, device=device, after=after)

    def requantization_range(
        self,
        input: Value,
        input_min: Value,
        input_max: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> RequantizationRangeOutputs:
        """The range of the numbers that the codes of `input` stand for, zero at least."""
        return self._add("RequantizationRange", (input, input_min, input_max), {}, RequantizationRangeOutputs, called=name, device=device, after=after)

    def requantization_range_per_channel(
        self,
        input: Value,
        input_min: Value,
        input_max: Value,
        clip_value_max: float,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> RequantizationRangePerChannelOutputs:
        """The range of the numbers that the codes of `input` stand for, of which each channel has a range of its own,
        around zero.

        Args:
            clip_value_max: Largest end of the range.
        """
        return self._add("RequantizationRangePerChannel", (input, input_min, input_max), {"clip_value_max": clip_value_max}, RequantizationRangePerChannelOutputs, called=name, device=device, after=after)

    def quantize_down_and_shrink_range(
        self,
        input: Value,
        input_min: Value,
        input_max: Value,
        out_type: DTypeLike,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> QuantizeDownAndShrinkRangeOutputs:
        """The codes of `input` in the range that they really have, zero at least.

        Args:
            out_type: Type of the codes of `output`.
        """
        return self._add("QuantizeDownAndShrinkRange", (input, input_min, input_max), {"out_type": out_type}, QuantizeDownAndShrinkRangeOutputs, called=name, device=device, after=after)

    def requantize(
        self,
        input: Value,
        input_min: Value,
        input_max: Value,
        requested_output_min: Value,
        requested_output_max: Value,
        out_type: DTypeLike,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> RequantizeOutputs:
        """The codes of `input` in the range from `requested_output_min` to `requested_output_max`.

        Args:
            out_type: Type of the codes of `output`.
        """
        return self._add("Requantize", (input, input_min, input_max, requested_output_min, requested_output_max), {"out_type": out_type}, RequantizeOutputs, called=name, device=device, after=after)

    def requantize_per_channel(
        self,
        input: Value,
        input_min: Value,
        input_max: Value,
        requested_output_min: Value,
        requested_output_max: Value,
        *,
        out_type: DTypeLike = 'quint8',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> RequantizePerChannelOutputs:
        """The codes of `input`, of which each channel has a range of its own, in the range from `requested_output_min` to
        `requested_output_max`, whichever is further from 0.

        Args:
            out_type: Type of the codes of `output`.
        """
        return self._add("RequantizePerChannel", (input, input_min, input_max, requested_output_min, requested_output_max), {"out_type": out_type}, RequantizePerChannelOutputs, called=name, device=device, after=after)

    def quantized_reshape(
        self,
        tensor: Value,
        shape: Value,
        input_min: Value,
        input_max: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> QuantizedReshapeOutputs:
        """Gives `tensor` the shape `shape`, of which one size may be -1 and follows from the others. Its range stays."""
        return self._add("QuantizedReshape", (tensor, shape, input_min, input_max), {}, QuantizedReshapeOutputs, called=name, device=device, after=after)

    def quantized_resize_bilinear(
        self,
        images: Value,
        size: Value,
        min: Value,
        max: Value,
        *,
        align_corners: bool = False,
        half_pixel_centers: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> QuantizedResizeBilinearOutputs:
        """The images resampled to `size` by bilinear interpolation, codes in fixed-point arithmetic.

        Args:
            align_corners: True where the centers of the corners stay where they are.
            half_pixel_centers: True where the centers of pixels are between the grid lines.
        """
        return self._add("QuantizedResizeBilinear", (images, size, min, max), {"align_corners": align_corners, "half_pixel_centers": half_pixel_centers}, QuantizedResizeBilinearOutputs, called=name, device=device, after=after)

    def uniform_dequantize(
        self,
        input: Value,
        scales: Value,
        zero_points: Value,
        tout: DTypeLike,
        quantization_min_val: int,
        quantization_max_val: int,
        *,
        quantization_axis: int = -1,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The numbers for codes: their distances from `zero_points`, times `scales`.

        Args:
            tout: Element type of the output.
            quantization_min_val: Smallest code.
            quantization_max_val: Largest code.
            quantization_axis: The axis with a scale for each index; -1 for one scale.
        """
        return self._add("UniformDequantize", (input, scales, zero_points), {"Tout": tout, "quantization_min_val": quantization_min_val, "quantization_max_val": quantization_max_val, "quantization_axis": quantization_axis}, None, called=name, device=device, after=after)

    def uniform_quantize(
        self,
        input: Value,
        scales: Value,
        zero_points: Value,
        tout: DTypeLike,
        quantization_min_val: int,
        quantization_max_val: int,
        *,
        quantization_axis: int = -1,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The codes for `input`: its quotients by `scales`, rounded, and `zero_points` added.

        Args:
            tout: Type of the codes.
            quantization_min_val: Smallest code.
            quantization_max_val: Largest code.
            quantization_axis: The axis with a scale for each index; -1 for one scale.
        """
        return self._add("UniformQuantize", (input, scales, zero_points), {"Tout": tout, "quantization_min_val": quantization_min_val, "quantization_max_val": quantization_max_val, "quantization_axis": quantization_axis}, None, called=name, device=device, after=after)

    def uniform_quantized_add(
        self,
        lhs: Value,
        rhs: Value,
        lhs_scales: Value,
        lhs_zero_points: Value,
        rhs_scales: Value,
        rhs_zero_points: Value,
        output_scales: Value,
        output_zero_points: Value,
        lhs_quantization_min_val: int,
        lhs_quantization_max_val: int,
        rhs_quantization_min_val: int,
        rhs_quantization_max_val: int,
        output_quantization_min_val: int,
        output_quantization_max_val: int,
        *,
        lhs_quantization_axis: int = -1,
        rhs_quantization_axis: int = -1,
        output_quantization_axis: int = -1,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The sum of `lhs` and `rhs`, codes of int32, as codes with the scale and zero point of the output, with
        broadcasting.

        Args:
            lhs_quantization_min_val: Smallest code of `lhs`.
            lhs_quantization_max_val: Largest code of `lhs`.
            rhs_quantization_min_val: Smallest code of `rhs`.
            rhs_quantization_max_val: Largest code of `rhs`.
            output_quantization_min_val: Smallest code of the output.
            output_quantization_max_val: Largest code of the output.
            lhs_quantization_axis: The axis of `lhs` with a scale for each index; -1 for one scale.
            rhs_quantization_axis: The axis of `rhs` with a scale for each index; -1 for one scale.
            output_quantization_axis: The axis of the output with a scale for each index; -1 for one scale.
        """
        return self._add("UniformQuantizedAdd", (lhs, rhs, lhs_scales, lhs_zero_points, rhs_scales, rhs_zero_points, output_scales, output_zero_points), {"lhs_quantization_min_val": lhs_quantization_min_val, "lhs_quantization_max_val": lhs_quantization_max_val, "rhs_quantization_min_val": rhs_quantization_min_val, "rhs_quantization_max_val": rhs_quantization_max_val, "output_quantization_min_val": output_quantization_min_val, "output_quantization_max_val": output_quantization_max_val, "lhs_quantization_axis": lhs_quantization_axis, "rhs_quantization_axis": rhs_quantization_axis, "output_quantization_axis": output_quantization_axis}, None, called=name, device=device, after=after)

    def uniform_quantized_clip_by_value(
        self,
        operand: Value,
        min: Value,
        max: Value,
        scales: Value,
        zero_points: Value,
        quantization_min_val: int,
        quantization_max_val: int,
        *,
        quantization_axis: int = -1,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The codes of `operand` clamped to those of `min` and `max`.

        Args:
            quantization_min_val: Smallest code.
            quantization_max_val: Largest code.
            quantization_axis: The axis with a scale for each index; -1 for one scale.
        """
        return self._add("UniformQuantizedClipByValue", (operand, min, max, scales, zero_points), {"quantization_min_val": quantization_min_val, "quantization_max_val": quantization_max_val, "quantization_axis": quantization_axis}, None, called=name, device=device, after=after)

    def uniform_requantize(
        self,
        input: Value,
        input_scales: Value,
        input_zero_points: Value,
        output_scales: Value,
        output_zero_points: Value,
        tout: DTypeLike,
        input_quantization_min_val: int,
        input_quantization_max_val: int,
        output_quantization_min_val: int,
        output_quantization_max_val: int,
        *,
        input_quantization_axis: int = -1,
        output_quantization_axis: int = -1,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Codes with one scale and zero point as codes with others.

        Args:
            tout: Type of the codes of the output.
            input_quantization_min_val: Smallest code of `input`.
            input_quantization_max_val: Largest code of `input`.
            output_quantization_min_val: Smallest code of the output.
            output_quantization_max_val: Largest code of the output.
            input_quantization_axis: The axis of `input` with a scale for each index; -1 for one scale.
            output_quantization_axis: The axis of the output with a scale for each index; -1 for one scale.
        """
        return self._add("UniformRequantize", (input, input_scales, input_zero_points, output_scales, output_zero_points), {"Tout": tout, "input_quantization_min_val": input_quantization_min_val, "input_quantization_max_val": input_quantization_max_val, "output_quantization_min_val": output_quantization_min_val, "output_quantization_max_val": output_quantization_max_val, "input_quantization_axis": input_quantization_axis, "output_quantization_axis": output_quantization_axis}, None, called=name, device=device, after=after)

    def uniform_quantized_convolution(
        self,
        lhs: Value,
        rhs: Value,
        lhs_scales: Value,
        lhs_zero_points: Value,
        rhs_scales: Value,
        rhs_zero_points: Value,
        output_scales: Value,
        output_zero_points: Value,
        tout: DTypeLike,
        padding: str | bytes,
        lhs_quantization_min_val: int,
        lhs_quantization_max_val: int,
        rhs_quantization_min_val: int,
        rhs_quantization_max_val: int,
        output_quantization_min_val: int,
        output_quantization_max_val: int,
        *,
        window_strides: Sequence[int] = (),
        explicit_padding: Sequence[int] = (),
        lhs_dilation: Sequence[int] = (),
        rhs_dilation: Sequence[int] = (),
        batch_group_count: int = 1,
        feature_group_count: int = 1,
        dimension_numbers: str | bytes = '',
        lhs_quantization_axis: int = -1,
        rhs_quantization_axis: int = -1,
        output_quantization_axis: int = -1,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The convolution of codes, as codes with the scale and zero point of the output.

        Args:
            tout: Type of the codes of the output.
            padding: `SAME`, `VALID` or `EXPLICIT`.
            lhs_quantization_min_val: Smallest code of `lhs`.
            lhs_quantization_max_val: Largest code of `lhs`.
            rhs_quantization_min_val: Smallest code of `rhs`.
            rhs_quantization_max_val: Largest code of `rhs`.
            output_quantization_min_val: Smallest code of the output.
            output_quantization_max_val: Largest code of the output.
            window_strides: How far the window moves along each spatial dimension; 1 where empty.
            explicit_padding: For `EXPLICIT` what is added before and after each spatial dimension.
            lhs_dilation: Distances between the elements of `lhs`, zeros between them; 1 where empty.
            rhs_dilation: Distances between the elements of a window; 1 where empty.
            batch_group_count: Number of groups of the batch, each with its own windows.
            feature_group_count: Number of groups of features, each with its own windows.
            dimension_numbers: Which dimension is what, as a serialized message; batch, features, spatial dimensions
                where empty.
            lhs_quantization_axis: Must be -1: `lhs` has one scale.
            rhs_quantization_axis: The dimension of output features of `rhs` where each has a scale, -1 for one scale.
            output_quantization_axis: The dimension of features of the output where each has a scale, -1 for one scale.
        """
        return self._add("UniformQuantizedConvolution", (lhs, rhs, lhs_scales, lhs_zero_points, rhs_scales, rhs_zero_points, output_scales, output_zero_points), {"Tout": tout, "padding": padding, "lhs_quantization_min_val": lhs_quantization_min_val, "lhs_quantization_max_val": lhs_quantization_max_val, "rhs_quantization_min_val": rhs_quantization_min_val, "rhs_quantization_max_val": rhs_quantization_max_val, "output_quantization_min_val": output_quantization_min_val, "output_quantization_max_val": output_quantization_max_val, "window_strides": window_strides, "explicit_padding": explicit_padding, "lhs_dilation": lhs_dilation, "rhs_dilation": rhs_dilation, "batch_group_count": batch_group_count, "feature_group_count": feature_group_count, "dimension_numbers": dimension_numbers, "lhs_quantization_axis": lhs_quantization_axis, "rhs_quantization_axis": rhs_quantization_axis, "output_quantization_axis": output_quantization_axis}, None, called=name, device=device, after=after)

    def uniform_quantized_convolution_hybrid(
        self,
        lhs: Value,
        rhs: Value,
        rhs_scales: Value,
        rhs_zero_points: Value,
        tout: DTypeLike,
        padding: str | bytes,
        rhs_quantization_min_val: int,
        rhs_quantization_max_val: int,
        *,
        window_strides: Sequence[int] = (),
        explicit_padding: Sequence[int] = (),
        lhs_dilation: Sequence[int] = (),
        rhs_dilation: Sequence[int] = (),
        batch_group_count: int = 1,
        feature_group_count: int = 1,
        dimension_numbers: str | bytes = '',
        rhs_quantization_axis: int = -1,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The convolution of floats, of which each image is quantized by its range, with windows of codes.

        Args:
            tout: Element type of the output.
            padding: `SAME`, `VALID` or `EXPLICIT`.
            rhs_quantization_min_val: Smallest code of `rhs`.
            rhs_quantization_max_val: Largest code of `rhs`.
            window_strides: How far the window moves along each spatial dimension; 1 where empty.
            explicit_padding: For `EXPLICIT` what is added before and after each spatial dimension.
            lhs_dilation: Distances between the elements of `lhs`, zeros between them; 1 where empty.
            rhs_dilation: Distances between the elements of a window; 1 where empty.
            batch_group_count: Number of groups of the batch, each with its own windows.
            feature_group_count: Number of groups of features, each with its own windows.
            dimension_numbers: Which dimension is what, as a serialized message; batch, features, spatial dimensions
                where empty.
            rhs_quantization_axis: The dimension of output features of `rhs` where each has a scale, -1 for one scale.
        """
        return self._add("UniformQuantizedConvolutionHybrid", (lhs, rhs, rhs_scales, rhs_zero_points), {"Tout": tout, "padding": padding, "rhs_quantization_min_val": rhs_quantization_min_val, "rhs_quantization_max_val": rhs_quantization_max_val, "window_strides": window_strides, "explicit_padding": explicit_padding, "lhs_dilation": lhs_dilation, "rhs_dilation": rhs_dilation, "batch_group_count": batch_group_count, "feature_group_count": feature_group_count, "dimension_numbers": dimension_numbers, "rhs_quantization_axis": rhs_quantization_axis}, None, called=name, device=device, after=after)

    def uniform_quantized_dot(
        self,
        lhs: Value,
        rhs: Value,
        lhs_scales: Value,
        lhs_zero_points: Value,
        rhs_scales: Value,
        rhs_zero_points: Value,
        output_scales: Value,
        output_zero_points: Value,
        tout: DTypeLike,
        lhs_quantization_min_val: int,
        lhs_quantization_max_val: int,
        rhs_quantization_min_val: int,
        rhs_quantization_max_val: int,
        output_quantization_min_val: int,
        output_quantization_max_val: int,
        *,
        lhs_quantization_axis: int = -1,
        rhs_quantization_axis: int = -1,
        output_quantization_axis: int = -1,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The product of two matrices of codes, as codes with the scale and zero point of the output.

        Args:
            tout: Type of the codes of the output.
            lhs_quantization_min_val: Smallest code of `lhs`.
            lhs_quantization_max_val: Largest code of `lhs`.
            rhs_quantization_min_val: Smallest code of `rhs`.
            rhs_quantization_max_val: Largest code of `rhs`.
            output_quantization_min_val: Smallest code of the output.
            output_quantization_max_val: Largest code of the output.
            lhs_quantization_axis: Must be -1: `lhs` has one scale.
            rhs_quantization_axis: 1 where each column of `rhs` has a scale, -1 for one scale.
            output_quantization_axis: 1 where each column of the output has a scale, -1 for one scale.
        """
        return self._add("UniformQuantizedDot", (lhs, rhs, lhs_scales, lhs_zero_points, rhs_scales, rhs_zero_points, output_scales, output_zero_points), {"Tout": tout, "lhs_quantization_min_val": lhs_quantization_min_val, "lhs_quantization_max_val": lhs_quantization_max_val, "rhs_quantization_min_val": rhs_quantization_min_val, "rhs_quantization_max_val": rhs_quantization_max_val, "output_quantization_min_val": output_quantization_min_val, "output_quantization_max_val": output_quantization_max_val, "lhs_quantization_axis": lhs_quantization_axis, "rhs_quantization_axis": rhs_quantization_axis, "output_quantization_axis": output_quantization_axis}, None, called=name, device=device, after=after)

    def uniform_quantized_dot_hybrid(
        self,
        lhs: Value,
        rhs: Value,
        rhs_scales: Value,
        rhs_zero_points: Value,
        tout: DTypeLike,
        rhs_quantization_min_val: int,
        rhs_quantization_max_val: int,
        *,
        rhs_quantization_axis: int = -1,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The product of a matrix of floats, of which each row is quantized by its range, and a matrix of codes.

        Args:
            tout: Element type of the output.
            rhs_quantization_min_val: Smallest code of `rhs`.
            rhs_quantization_max_val: Largest code of `rhs`.
            rhs_quantization_axis: 1 where each column of `rhs` has a scale, -1 for one scale.
        """
        return self._add("UniformQuantizedDotHybrid", (lhs, rhs, rhs_scales, rhs_zero_points), {"Tout": tout, "rhs_quantization_min_val": rhs_quantization_min_val, "rhs_quantization_max_val": rhs_quantization_max_val, "rhs_quantization_axis": rhs_quantization_axis}, None, called=name, device=device, after=after)

    # queues

    def barrier(
        self,
        component_types: Sequence[DTypeLike],
        *,
        shapes: Sequence[ShapeLike | None] = (),
        capacity: int = -1,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A barrier.

        Args:
            component_types: Dtypes of the components.
            shapes: Shapes of the components; none where they may be any.
            capacity: The most tuples it holds; only -1, for no limit, is allowed.
            container: Container that holds the barrier; empty for the default one.
            shared_name: Name in the container; empty for the node's.
        """
        return self._add("Barrier", (), {"component_types": component_types, "shapes": shapes, "capacity": capacity, "container": container, "shared_name": shared_name}, None, called=name, device=device, after=after)

    def barrier_close(
        self,
        handle: Value,
        *,
        cancel_pending_enqueues: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Closes a barrier: no new keys, and with `cancel_pending_enqueues` no further components.

        Args:
            cancel_pending_enqueues: True where tuples that are not complete are thrown away.
        """
        return self._add("BarrierClose", (handle,), {"cancel_pending_enqueues": cancel_pending_enqueues}, None, called=name, device=device, after=after)

    def barrier_incomplete_size(
        self,
        handle: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Number of tuples of which components are missing."""
        return self._add("BarrierIncompleteSize", (handle,), {}, None, called=name, device=device, after=after)

    def barrier_insert_many(
        self,
        handle: Value,
        keys: Value,
        values: Value,
        component_index: int,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Sets one component of the tuples with the given keys.

        Args:
            component_index: Number of the component.
        """
        return self._add("BarrierInsertMany", (handle, keys, values), {"component_index": component_index}, None, called=name, device=device, after=after)

    def barrier_ready_size(
        self,
        handle: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Number of complete tuples."""
        return self._add("BarrierReadySize", (handle,), {}, None, called=name, device=device, after=after)

    def barrier_take_many(
        self,
        handle: Value,
        num_elements: Value,
        component_types: Sequence[DTypeLike],
        *,
        allow_small_batch: bool = False,
        wait_for_incomplete: bool = False,
        timeout_ms: int = -1,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> BarrierTakeManyOutputs:
        """Takes complete tuples out of a barrier, those that came first, as soon as there are enough.

        Args:
            component_types: Dtypes of the components.
            allow_small_batch: True where fewer are given once the barrier is closed.
            wait_for_incomplete: Without meaning, as in TensorFlow.
            timeout_ms: A time limit; only -1, for none, is allowed.
        """
        return self._add("BarrierTakeMany", (handle, num_elements), {"component_types": component_types, "allow_small_batch": allow_small_batch, "wait_for_incomplete": wait_for_incomplete, "timeout_ms": timeout_ms}, BarrierTakeManyOutputs, called=name, device=device, after=after)

    def queue_close(
        self,
        handle: Value,
        *,
        cancel_pending_enqueues: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Closes a queue: nothing more is enqueued, what is there can be dequeued.

        Args:
            cancel_pending_enqueues: True where those who wait to enqueue are cancelled; else they come first.
        """
        return self._add("QueueClose", (handle,), {"cancel_pending_enqueues": cancel_pending_enqueues}, None, called=name, device=device, after=after)

    def queue_close_v2(
        self,
        handle: Value,
        *,
        cancel_pending_enqueues: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Closes a queue: nothing more is enqueued, what is there can be dequeued.

        Args:
            cancel_pending_enqueues: True where those who wait to enqueue are cancelled; else they come first.
        """
        return self._add("QueueCloseV2", (handle,), {"cancel_pending_enqueues": cancel_pending_enqueues}, None, called=name, device=device, after=after)

    def queue_is_closed(
        self,
        handle: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Says whether a queue is closed."""
        return self._add("QueueIsClosed", (handle,), {}, None, called=name, device=device, after=after)

    def queue_is_closed_v2(
        self,
        handle: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Says whether a queue is closed."""
        return self._add("QueueIsClosedV2", (handle,), {}, None, called=name, device=device, after=after)

    def queue_size(
        self,
        handle: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Number of elements in a queue."""
        return self._add("QueueSize", (handle,), {}, None, called=name, device=device, after=after)

    def queue_size_v2(
        self,
        handle: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Number of elements in a queue."""
        return self._add("QueueSizeV2", (handle,), {}, None, called=name, device=device, after=after)

    def collective_all_to_all_v2(
        self,
        input: Value,
        group_size: Value,
        group_key: Value,
        instance_key: Value,
        ordering_token: Sequence[Value],
        *,
        communication_hint: str | bytes = 'auto',
        timeout_seconds: float = 0.0,
        is_stateless: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """To each member of a group its part of the value of each, in the order of the devices.

        Args:
            communication_hint: Has no effect.
            timeout_seconds: Has no effect: a group that cannot be complete is found at once.
            is_stateless: Has no effect.
        """
        return self._add("CollectiveAllToAllV2", (input, group_size, group_key, instance_key, ordering_token), {"communication_hint": communication_hint, "timeout_seconds": timeout_seconds, "is_stateless": is_stateless}, None, called=name, device=device, after=after)

    def collective_assign_group_v2(
        self,
        group_assignment: Value,
        device_index: Value,
        base_key: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> CollectiveAssignGroupV2Outputs:
        """The size and the key of the group that a device belongs to: its row of `group_assignment`."""
        return self._add("CollectiveAssignGroupV2", (group_assignment, device_index, base_key), {}, CollectiveAssignGroupV2Outputs, called=name, device=device, after=after)

    def collective_bcast_recv(
        self,
        t: DTypeLike,
        group_size: int,
        group_key: int,
        instance_key: int,
        shape: ShapeLike | None,
        *,
        communication_hint: str | bytes = 'auto',
        timeout_seconds: float = 0.0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Receives the value that a member of a group sends.

        Args:
            t: Element type.
            group_size: How many members the group has.
            group_key: Tells groups apart.
            instance_key: Tells the collectives of a group apart.
            shape: Shape of the value.
            communication_hint: Has no effect.
            timeout_seconds: Has no effect: a group that cannot be complete is found at once.
        """
        return self._add("CollectiveBcastRecv", (), {"T": t, "group_size": group_size, "group_key": group_key, "instance_key": instance_key, "shape": shape, "communication_hint": communication_hint, "timeout_seconds": timeout_seconds}, None, called=name, device=device, after=after)

    def collective_bcast_recv_v2(
        self,
        group_size: Value,
        group_key: Value,
        instance_key: Value,
        shape: Value,
        t: DTypeLike,
        *,
        communication_hint: str | bytes = 'auto',
        timeout_seconds: float = 0.0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Receives the value that a member of a group sends.

        Args:
            t: Element type.
            communication_hint: Has no effect.
            timeout_seconds: Has no effect: a group that cannot be complete is found at once.
        """
        return self._add("CollectiveBcastRecvV2", (group_size, group_key, instance_key, shape), {"T": t, "communication_hint": communication_hint, "timeout_seconds": timeout_seconds}, None, called=name, device=device, after=after)

    def collective_bcast_send(
        self,
        input: Value,
        group_size: int,
        group_key: int,
        instance_key: int,
        shape: ShapeLike | None,
        *,
        communication_hint: str | bytes = 'auto',
        timeout_seconds: float = 0.0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Sends a value to all other members of a group.

        Args:
            group_size: How many members the group has.
            group_key: Tells groups apart.
            instance_key: Tells the collectives of a group apart.
            shape: Shape of the value.
            communication_hint: Has no effect.
            timeout_seconds: Has no effect: a group that cannot be complete is found at once.
        """
        return self._add("CollectiveBcastSend", (input,), {"group_size": group_size, "group_key": group_key, "instance_key": instance_key, "shape": shape, "communication_hint": communication_hint, "timeout_seconds": timeout_seconds}, None, called=name, device=device, after=after)

    def collective_bcast_send_v2(
        self,
        input: Value,
        group_size: Value,
        group_key: Value,
        instance_key: Value,
        *,
        communication_hint: str | bytes = 'auto',
        timeout_seconds: float = 0.0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Sends a value to all other members of a group.

        Args:
            communication_hint: Has no effect.
            timeout_seconds: Has no effect: a group that cannot be complete is found at once.
        """
        return self._add("CollectiveBcastSendV2", (input, group_size, group_key, instance_key), {"communication_hint": communication_hint, "timeout_seconds": timeout_seconds}, None, called=name, device=device, after=after)

    def collective_gather(
        self,
        input: Value,
        group_size: int,
        group_key: int,
        instance_key: int,
        shape: ShapeLike | None,
        *,
        communication_hint: str | bytes = 'auto',
        timeout_seconds: float = 0.0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The values of all members of a group, one after the other in the order of the devices.

        Args:
            group_size: How many members the group has.
            group_key: Tells groups apart.
            instance_key: Tells the collectives of a group apart.
            shape: Shape of the result.
            communication_hint: Has no effect.
            timeout_seconds: Has no effect: a group that cannot be complete is found at once.
        """
        return self._add("CollectiveGather", (input,), {"group_size": group_size, "group_key": group_key, "instance_key": instance_key, "shape": shape, "communication_hint": communication_hint, "timeout_seconds": timeout_seconds}, None, called=name, device=device, after=after)

    def collective_gather_v2(
        self,
        input: Value,
        group_size: Value,
        group_key: Value,
        instance_key: Value,
        ordering_token: Sequence[Value],
        *,
        communication_hint: str | bytes = 'auto',
        timeout_seconds: float = 0.0,
        is_stateless: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The values of all members of a group, one after the other in the order of the devices.

        Args:
            communication_hint: Has no effect.
            timeout_seconds: Has no effect: a group that cannot be complete is found at once.
            is_stateless: Has no effect.
        """
        return self._add("CollectiveGatherV2", (input, group_size, group_key, instance_key, ordering_token), {"communication_hint": communication_hint, "timeout_seconds": timeout_seconds, "is_stateless": is_stateless}, None, called=name, device=device, after=after)

    def collective_reduce(
        self,
        input: Value,
        group_size: int,
        group_key: int,
        instance_key: int,
        merge_op: str | bytes,
        final_op: str | bytes,
        subdiv_offsets: Sequence[int],
        *,
        wait_for: Sequence[int] = (),
        communication_hint: str | bytes = 'auto',
        timeout_seconds: float = 0.0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The values of all members of a group, combined element by element.

        Args:
            group_size: How many members the group has.
            group_key: Tells groups apart.
            instance_key: Tells the collectives of a group apart.
            merge_op: How values are combined.
            final_op: Whether the result is divided by the number of members.
            subdiv_offsets: Has no effect.
            wait_for: Has no effect.
            communication_hint: Has no effect.
            timeout_seconds: Has no effect: a group that cannot be complete is found at once.
        """
        return self._add("CollectiveReduce", (input,), {"group_size": group_size, "group_key": group_key, "instance_key": instance_key, "merge_op": merge_op, "final_op": final_op, "subdiv_offsets": subdiv_offsets, "wait_for": wait_for, "communication_hint": communication_hint, "timeout_seconds": timeout_seconds}, None, called=name, device=device, after=after)

    def collective_reduce_v2(
        self,
        input: Value,
        group_size: Value,
        group_key: Value,
        instance_key: Value,
        ordering_token: Sequence[Value],
        merge_op: str | bytes,
        final_op: str | bytes,
        *,
        communication_hint: str | bytes = 'auto',
        timeout_seconds: float = 0.0,
        is_stateless: bool = False,
        max_subdivs_per_device: int = -1,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The values of all members of a group, combined element by element.

        Args:
            merge_op: How values are combined.
            final_op: Whether the result is divided by the number of members.
            communication_hint: Has no effect.
            timeout_seconds: Has no effect: a group that cannot be complete is found at once.
            is_stateless: Has no effect.
            max_subdivs_per_device: Has no effect.
        """
        return self._add("CollectiveReduceV2", (input, group_size, group_key, instance_key, ordering_token), {"merge_op": merge_op, "final_op": final_op, "communication_hint": communication_hint, "timeout_seconds": timeout_seconds, "is_stateless": is_stateless, "max_subdivs_per_device": max_subdivs_per_device}, None, called=name, device=device, after=after)

    def nccl_all_reduce(
        self,
        input: Value,
        reduction: str | bytes,
        num_devices: int,
        shared_name: str | bytes,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The values of all devices, combined element by element.

        Args:
            reduction: How values are combined.
            num_devices: How many devices take part.
            shared_name: Tells groups apart.
        """
        return self._add("NcclAllReduce", (input,), {"reduction": reduction, "num_devices": num_devices, "shared_name": shared_name}, None, called=name, device=device, after=after)

    def nccl_broadcast(
        self,
        input: Value,
        shape: ShapeLike | None,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Gives its input to all devices.

        Args:
            shape: Its shape.
        """
        return self._add("NcclBroadcast", (input,), {"shape": shape}, None, called=name, device=device, after=after)

    def nccl_reduce(
        self,
        input: Sequence[Value],
        reduction: str | bytes,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Tensors of several devices, combined element by element.

        Args:
            reduction: How they are combined.
        """
        return self._add("NcclReduce", (input,), {"reduction": reduction}, None, called=name, device=device, after=after)

    def accumulator_apply_gradient(
        self,
        handle: Value,
        local_step: Value,
        gradient: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Adds a gradient, unless it is of an earlier step."""
        return self._add("AccumulatorApplyGradient", (handle, local_step, gradient), {}, None, called=name, device=device, after=after)

    def resource_accumulator_apply_gradient(
        self,
        handle: Value,
        local_step: Value,
        gradient: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Adds a gradient, unless it is of an earlier step."""
        return self._add("ResourceAccumulatorApplyGradient", (handle, local_step, gradient), {}, None, called=name, device=device, after=after)

    def accumulator_num_accumulated(
        self,
        handle: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """How many gradients have been added since the sum was last taken."""
        return self._add("AccumulatorNumAccumulated", (handle,), {}, None, called=name, device=device, after=after)

    def resource_accumulator_num_accumulated(
        self,
        handle: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """How many gradients have been added since the sum was last taken."""
        return self._add("ResourceAccumulatorNumAccumulated", (handle,), {}, None, called=name, device=device, after=after)

    def accumulator_set_global_step(
        self,
        handle: Value,
        new_global_step: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Sets the step; gradients of earlier steps are dropped."""
        return self._add("AccumulatorSetGlobalStep", (handle, new_global_step), {}, None, called=name, device=device, after=after)

    def resource_accumulator_set_global_step(
        self,
        handle: Value,
        new_global_step: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Sets the step; gradients of earlier steps are dropped."""
        return self._add("ResourceAccumulatorSetGlobalStep", (handle, new_global_step), {}, None, called=name, device=device, after=after)

    def accumulator_take_gradient(
        self,
        handle: Value,
        num_required: Value,
        dtype: DTypeLike,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The sum or mean of the gradients, once there are `num_required`.

        Args:
            dtype: Element type.
        """
        return self._add("AccumulatorTakeGradient", (handle, num_required), {"dtype": dtype}, None, called=name, device=device, after=after)

    def resource_accumulator_take_gradient(
        self,
        handle: Value,
        num_required: Value,
        dtype: DTypeLike,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The sum or mean of the gradients, once there are `num_required`.

        Args:
            dtype: Element type.
        """
        return self._add("ResourceAccumulatorTakeGradient", (handle, num_required), {"dtype": dtype}, None, called=name, device=device, after=after)

    def conditional_accumulator(
        self,
        dtype: DTypeLike,
        shape: ShapeLike | None,
        *,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        reduction_type: str | bytes = 'MEAN',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Adds up gradients.

        Args:
            dtype: Element type of the gradients.
            shape: Their shape, as far as it is known.
            container: Container that holds the accumulator; empty for the default one.
            shared_name: Name in the container; empty for the node's.
            reduction_type: `MEAN` or `SUM`.
        """
        return self._add("ConditionalAccumulator", (), {"dtype": dtype, "shape": shape, "container": container, "shared_name": shared_name, "reduction_type": reduction_type}, None, called=name, device=device, after=after)

    def resource_conditional_accumulator(
        self,
        dtype: DTypeLike,
        shape: ShapeLike | None,
        *,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        reduction_type: str | bytes = 'MEAN',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Adds up gradients.

        Args:
            dtype: Element type of the gradients.
            shape: Their shape, as far as it is known.
            container: Container that holds the accumulator; empty for the default one.
            shared_name: Name in the container; empty for the node's.
            reduction_type: `MEAN` or `SUM`.
        """
        return self._add("ResourceConditionalAccumulator", (), {"dtype": dtype, "shape": shape, "container": container, "shared_name": shared_name, "reduction_type": reduction_type}, None, called=name, device=device, after=after)

    def sparse_accumulator_apply_gradient(
        self,
        handle: Value,
        local_step: Value,
        gradient_indices: Value,
        gradient_values: Value,
        gradient_shape: Value,
        has_known_shape: bool,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Adds the rows of a gradient, unless it is of an earlier step.

        Args:
            has_known_shape: True where `gradient_shape` says the shape of the whole.
        """
        return self._add("SparseAccumulatorApplyGradient", (handle, local_step, gradient_indices, gradient_values, gradient_shape), {"has_known_shape": has_known_shape}, None, called=name, device=device, after=after)

    def sparse_accumulator_take_gradient(
        self,
        handle: Value,
        num_required: Value,
        dtype: DTypeLike,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> SparseAccumulatorTakeGradientOutputs:
        """The sum or mean of the gradients, once there are `num_required`.

        Args:
            dtype: Element type.
        """
        return self._add("SparseAccumulatorTakeGradient", (handle, num_required), {"dtype": dtype}, SparseAccumulatorTakeGradientOutputs, called=name, device=device, after=after)

    def sparse_conditional_accumulator(
        self,
        dtype: DTypeLike,
        shape: ShapeLike | None,
        *,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        reduction_type: str | bytes = 'MEAN',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Adds up gradients of which some rows are given.

        Args:
            dtype: Element type of the gradients.
            shape: Their shape, as far as it is known.
            container: Container that holds the accumulator; empty for the default one.
            shared_name: Name in the container; empty for the node's.
            reduction_type: `MEAN` or `SUM`.
        """
        return self._add("SparseConditionalAccumulator", (), {"dtype": dtype, "shape": shape, "container": container, "shared_name": shared_name, "reduction_type": reduction_type}, None, called=name, device=device, after=after)

    def queue_dequeue(
        self,
        handle: Value,
        component_types: Sequence[DTypeLike],
        *,
        timeout_ms: int = -1,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """Takes an element out of a queue, as soon as there is one.

        Args:
            component_types: Dtypes of the components.
            timeout_ms: A time limit; only -1, for none, is allowed.
        """
        return self._add("QueueDequeue", (handle,), {"component_types": component_types, "timeout_ms": timeout_ms}, None, called=name, device=device, after=after)

    def queue_dequeue_v2(
        self,
        handle: Value,
        component_types: Sequence[DTypeLike],
        *,
        timeout_ms: int = -1,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """Takes an element out of a queue, as soon as there is one.

        Args:
            component_types: Dtypes of the components.
            timeout_ms: A time limit; only -1, for none, is allowed.
        """
        return self._add("QueueDequeueV2", (handle,), {"component_types": component_types, "timeout_ms": timeout_ms}, None, called=name, device=device, after=after)

    def queue_dequeue_many(
        self,
        handle: Value,
        n: Value,
        component_types: Sequence[DTypeLike],
        *,
        timeout_ms: int = -1,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """Takes `n` elements out of a queue, as they come, and gives them as one batch.

        Args:
            component_types: Dtypes of the components.
            timeout_ms: A time limit; only -1, for none, is allowed.
        """
        return self._add("QueueDequeueMany", (handle, n), {"component_types": component_types, "timeout_ms": timeout_ms}, None, called=name, device=device, after=after)

    def queue_dequeue_many_v2(
        self,
        handle: Value,
        n: Value,
        component_types: Sequence[DTypeLike],
        *,
        timeout_ms: int = -1,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """Takes `n` elements out of a queue, as they come, and gives them as one batch.

        Args:
            component_types: Dtypes of the components.
            timeout_ms: A time limit; only -1, for none, is allowed.
        """
        return self._add("QueueDequeueManyV2", (handle, n), {"component_types": component_types, "timeout_ms": timeout_ms}, None, called=name, device=device, after=after)

    def queue_dequeue_up_to(
        self,
        handle: Value,
        n: Value,
        component_types: Sequence[DTypeLike],
        *,
        timeout_ms: int = -1,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """As `QueueDequeueMany`, but gives what is left where the queue is closed before there are `n`.

        Args:
            component_types: Dtypes of the components.
            timeout_ms: A time limit; only -1, for none, is allowed.
        """
        return self._add("QueueDequeueUpTo", (handle, n), {"component_types": component_types, "timeout_ms": timeout_ms}, None, called=name, device=device, after=after)

    def queue_dequeue_up_to_v2(
        self,
        handle: Value,
        n: Value,
        component_types: Sequence[DTypeLike],
        *,
        timeout_ms: int = -1,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """As `QueueDequeueMany`, but gives what is left where the queue is closed before there are `n`.

        Args:
            component_types: Dtypes of the components.
            timeout_ms: A time limit; only -1, for none, is allowed.
        """
        return self._add("QueueDequeueUpToV2", (handle, n), {"component_types": component_types, "timeout_ms": timeout_ms}, None, called=name, device=device, after=after)

    def queue_enqueue(
        self,
        handle: Value,
        components: Sequence[Value],
        *,
        timeout_ms: int = -1,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Adds an element to a queue, as soon as there is room.

        Args:
            timeout_ms: A time limit; only -1, for none, is allowed.
        """
        return self._add("QueueEnqueue", (handle, components), {"timeout_ms": timeout_ms}, None, called=name, device=device, after=after)

    def queue_enqueue_v2(
        self,
        handle: Value,
        components: Sequence[Value],
        *,
        timeout_ms: int = -1,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Adds an element to a queue, as soon as there is room.

        Args:
            timeout_ms: A time limit; only -1, for none, is allowed.
        """
        return self._add("QueueEnqueueV2", (handle, components), {"timeout_ms": timeout_ms}, None, called=name, device=device, after=after)

    def queue_enqueue_many(
        self,
        handle: Value,
        components: Sequence[Value],
        *,
        timeout_ms: int = -1,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Adds the rows of the components to a queue, one by one, as soon as there is room.

        Args:
            timeout_ms: A time limit; only -1, for none, is allowed.
        """
        return self._add("QueueEnqueueMany", (handle, components), {"timeout_ms": timeout_ms}, None, called=name, device=device, after=after)

    def queue_enqueue_many_v2(
        self,
        handle: Value,
        components: Sequence[Value],
        *,
        timeout_ms: int = -1,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Adds the rows of the components to a queue, one by one, as soon as there is room.

        Args:
            timeout_ms: A time limit; only -1, for none, is allowed.
        """
        return self._add("QueueEnqueueManyV2", (handle, components), {"timeout_ms": timeout_ms}, None, called=name, device=device, after=after)

    def fifo_queue(
        self,
        component_types: Sequence[DTypeLike],
        *,
        capacity: int = -1,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        shapes: Sequence[ShapeLike | None] = (),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A queue whose elements leave in the order they came.

        Args:
            component_types: Dtypes of the components.
            capacity: The most elements it holds; negative for no limit.
            container: Container that holds the queue; empty for the default one.
            shared_name: Name in the container; empty for the node's.
            shapes: Shapes of the components; none where they may be any.
        """
        return self._add("FIFOQueue", (), {"component_types": component_types, "capacity": capacity, "container": container, "shared_name": shared_name, "shapes": shapes}, None, called=name, device=device, after=after)

    def fifo_queue_v2(
        self,
        component_types: Sequence[DTypeLike],
        *,
        capacity: int = -1,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        shapes: Sequence[ShapeLike | None] = (),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A queue whose elements leave in the order they came.

        Args:
            component_types: Dtypes of the components.
            capacity: The most elements it holds; negative for no limit.
            container: Container that holds the queue; empty for the default one.
            shared_name: Name in the container; empty for the node's.
            shapes: Shapes of the components; none where they may be any.
        """
        return self._add("FIFOQueueV2", (), {"component_types": component_types, "capacity": capacity, "container": container, "shared_name": shared_name, "shapes": shapes}, None, called=name, device=device, after=after)

    def map_clear(
        self,
        dtypes: Sequence[DTypeLike],
        *,
        capacity: int = 0,
        memory_limit: int = 0,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Throws away what a staging area with keys holds.

        Args:
            dtypes: Dtypes of a tuple.
            capacity: The most tuples it holds; 0 for no limit.
            memory_limit: The most bytes it holds; 0 for no limit.
            container: Container that holds the area; empty for the default one.
            shared_name: Name in the container; empty for the node's.
        """
        return self._add("MapClear", (), {"dtypes": dtypes, "capacity": capacity, "memory_limit": memory_limit, "container": container, "shared_name": shared_name}, None, called=name, device=device, after=after)

    def ordered_map_clear(
        self,
        dtypes: Sequence[DTypeLike],
        *,
        capacity: int = 0,
        memory_limit: int = 0,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Throws away what a staging area with keys holds.

        Args:
            dtypes: Dtypes of a tuple.
            capacity: The most tuples it holds; 0 for no limit.
            memory_limit: The most bytes it holds; 0 for no limit.
            container: Container that holds the area; empty for the default one.
            shared_name: Name in the container; empty for the node's.
        """
        return self._add("OrderedMapClear", (), {"dtypes": dtypes, "capacity": capacity, "memory_limit": memory_limit, "container": container, "shared_name": shared_name}, None, called=name, device=device, after=after)

    def map_incomplete_size(
        self,
        dtypes: Sequence[DTypeLike],
        *,
        capacity: int = 0,
        memory_limit: int = 0,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Number of tuples of which tensors are still to come.

        Args:
            dtypes: Dtypes of a tuple.
            capacity: The most tuples it holds; 0 for no limit.
            memory_limit: The most bytes it holds; 0 for no limit.
            container: Container that holds the area; empty for the default one.
            shared_name: Name in the container; empty for the node's.
        """
        return self._add("MapIncompleteSize", (), {"dtypes": dtypes, "capacity": capacity, "memory_limit": memory_limit, "container": container, "shared_name": shared_name}, None, called=name, device=device, after=after)

    def ordered_map_incomplete_size(
        self,
        dtypes: Sequence[DTypeLike],
        *,
        capacity: int = 0,
        memory_limit: int = 0,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Number of tuples of which tensors are still to come.

        Args:
            dtypes: Dtypes of a tuple.
            capacity: The most tuples it holds; 0 for no limit.
            memory_limit: The most bytes it holds; 0 for no limit.
            container: Container that holds the area; empty for the default one.
            shared_name: Name in the container; empty for the node's.
        """
        return self._add("OrderedMapIncompleteSize", (), {"dtypes": dtypes, "capacity": capacity, "memory_limit": memory_limit, "container": container, "shared_name": shared_name}, None, called=name, device=device, after=after)

    def map_peek(
        self,
        key: Value,
        indices: Value,
        dtypes: Sequence[DTypeLike],
        *,
        capacity: int = 0,
        memory_limit: int = 0,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """Tensors of the tuple with a key, as soon as there is one. They stay.

        Args:
            dtypes: Dtypes of a tuple.
            capacity: The most tuples it holds; 0 for no limit.
            memory_limit: The most bytes it holds; 0 for no limit.
            container: Container that holds the area; empty for the default one.
            shared_name: Name in the container; empty for the node's.
        """
        return self._add("MapPeek", (key, indices), {"dtypes": dtypes, "capacity": capacity, "memory_limit": memory_limit, "container": container, "shared_name": shared_name}, None, called=name, device=device, after=after)

    def ordered_map_peek(
        self,
        key: Value,
        indices: Value,
        dtypes: Sequence[DTypeLike],
        *,
        capacity: int = 0,
        memory_limit: int = 0,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """Tensors of the tuple with a key, as soon as there is one. They stay.

        Args:
            dtypes: Dtypes of a tuple.
            capacity: The most tuples it holds; 0 for no limit.
            memory_limit: The most bytes it holds; 0 for no limit.
            container: Container that holds the area; empty for the default one.
            shared_name: Name in the container; empty for the node's.
        """
        return self._add("OrderedMapPeek", (key, indices), {"dtypes": dtypes, "capacity": capacity, "memory_limit": memory_limit, "container": container, "shared_name": shared_name}, None, called=name, device=device, after=after)

    def map_size(
        self,
        dtypes: Sequence[DTypeLike],
        *,
        capacity: int = 0,
        memory_limit: int = 0,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Number of complete tuples in a staging area with keys.

        Args:
            dtypes: Dtypes of a tuple.
            capacity: The most tuples it holds; 0 for no limit.
            memory_limit: The most bytes it holds; 0 for no limit.
            container: Container that holds the area; empty for the default one.
            shared_name: Name in the container; empty for the node's.
        """
        return self._add("MapSize", (), {"dtypes": dtypes, "capacity": capacity, "memory_limit": memory_limit, "container": container, "shared_name": shared_name}, None, called=name, device=device, after=after)

    def ordered_map_size(
        self,
        dtypes: Sequence[DTypeLike],
        *,
        capacity: int = 0,
        memory_limit: int = 0,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Number of complete tuples in a staging area with keys.

        Args:
            dtypes: Dtypes of a tuple.
            capacity: The most tuples it holds; 0 for no limit.
            memory_limit: The most bytes it holds; 0 for no limit.
            container: Container that holds the area; empty for the default one.
            shared_name: Name in the container; empty for the node's.
        """
        return self._add("OrderedMapSize", (), {"dtypes": dtypes, "capacity": capacity, "memory_limit": memory_limit, "container": container, "shared_name": shared_name}, None, called=name, device=device, after=after)

    def map_stage(
        self,
        key: Value,
        indices: Value,
        values: Sequence[Value],
        dtypes: Sequence[DTypeLike],
        *,
        capacity: int = 0,
        memory_limit: int = 0,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Puts tensors of the tuple with a key into a staging area, as soon as there is room.

        Args:
            dtypes: Dtypes of a tuple.
            capacity: The most tuples it holds; 0 for no limit.
            memory_limit: The most bytes it holds; 0 for no limit.
            container: Container that holds the area; empty for the default one.
            shared_name: Name in the container; empty for the node's.
        """
        return self._add("MapStage", (key, indices, values), {"dtypes": dtypes, "capacity": capacity, "memory_limit": memory_limit, "container": container, "shared_name": shared_name}, None, called=name, device=device, after=after)

    def ordered_map_stage(
        self,
        key: Value,
        indices: Value,
        values: Sequence[Value],
        dtypes: Sequence[DTypeLike],
        *,
        capacity: int = 0,
        memory_limit: int = 0,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Puts tensors of the tuple with a key into a staging area, as soon as there is room.

        Args:
            dtypes: Dtypes of a tuple.
            capacity: The most tuples it holds; 0 for no limit.
            memory_limit: The most bytes it holds; 0 for no limit.
            container: Container that holds the area; empty for the default one.
            shared_name: Name in the container; empty for the node's.
        """
        return self._add("OrderedMapStage", (key, indices, values), {"dtypes": dtypes, "capacity": capacity, "memory_limit": memory_limit, "container": container, "shared_name": shared_name}, None, called=name, device=device, after=after)

    def map_unstage(
        self,
        key: Value,
        indices: Value,
        dtypes: Sequence[DTypeLike],
        *,
        capacity: int = 0,
        memory_limit: int = 0,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """Takes tensors out of the tuple with a key, as soon as there is one.

        Args:
            dtypes: Dtypes of a tuple.
            capacity: The most tuples it holds; 0 for no limit.
            memory_limit: The most bytes it holds; 0 for no limit.
            container: Container that holds the area; empty for the default one.
            shared_name: Name in the container; empty for the node's.
        """
        return self._add("MapUnstage", (key, indices), {"dtypes": dtypes, "capacity": capacity, "memory_limit": memory_limit, "container": container, "shared_name": shared_name}, None, called=name, device=device, after=after)

    def ordered_map_unstage(
        self,
        key: Value,
        indices: Value,
        dtypes: Sequence[DTypeLike],
        *,
        capacity: int = 0,
        memory_limit: int = 0,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """Takes tensors out of the tuple with a key, as soon as there is one.

        Args:
            dtypes: Dtypes of a tuple.
            capacity: The most tuples it holds; 0 for no limit.
            memory_limit: The most bytes it holds; 0 for no limit.
            container: Container that holds the area; empty for the default one.
            shared_name: Name in the container; empty for the node's.
        """
        return self._add("OrderedMapUnstage", (key, indices), {"dtypes": dtypes, "capacity": capacity, "memory_limit": memory_limit, "container": container, "shared_name": shared_name}, None, called=name, device=device, after=after)

    def map_unstage_no_key(
        self,
        indices: Value,
        dtypes: Sequence[DTypeLike],
        *,
        capacity: int = 0,
        memory_limit: int = 0,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> MapUnstageNoKeyOutputs:
        """Takes tensors out of a tuple, as soon as there is one, and says its key.

        Args:
            dtypes: Dtypes of a tuple.
            capacity: The most tuples it holds; 0 for no limit.
            memory_limit: The most bytes it holds; 0 for no limit.
            container: Container that holds the area; empty for the default one.
            shared_name: Name in the container; empty for the node's.
        """
        return self._add("MapUnstageNoKey", (indices,), {"dtypes": dtypes, "capacity": capacity, "memory_limit": memory_limit, "container": container, "shared_name": shared_name}, MapUnstageNoKeyOutputs, called=name, device=device, after=after)

    def ordered_map_unstage_no_key(
        self,
        indices: Value,
        dtypes: Sequence[DTypeLike],
        *,
        capacity: int = 0,
        memory_limit: int = 0,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> OrderedMapUnstageNoKeyOutputs:
        """Takes tensors out of a tuple, as soon as there is one, and says its key.

        Args:
            dtypes: Dtypes of a tuple.
            capacity: The most tuples it holds; 0 for no limit.
            memory_limit: The most bytes it holds; 0 for no limit.
            container: Container that holds the area; empty for the default one.
            shared_name: Name in the container; empty for the node's.
        """
        return self._add("OrderedMapUnstageNoKey", (indices,), {"dtypes": dtypes, "capacity": capacity, "memory_limit": memory_limit, "container": container, "shared_name": shared_name}, OrderedMapUnstageNoKeyOutputs, called=name, device=device, after=after)

    def consume_mutex_lock(
        self,
        mutex_lock: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Ends the life of a lock, at this place in the graph's order."""
        return self._add("ConsumeMutexLock", (mutex_lock,), {}, None, called=name, device=device, after=after)

    def mutex_v2(
        self,
        *,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A mutex.

        Args:
            container: Container that holds the mutex; empty for the default one.
            shared_name: Name in the container; empty for the node's.
        """
        return self._add("MutexV2", (), {"container": container, "shared_name": shared_name}, None, called=name, device=device, after=after)

    def mutex_lock(
        self,
        mutex: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Locks a mutex, as soon as nobody holds it, until the last copy of the result is gone."""
        return self._add("MutexLock", (mutex,), {}, None, called=name, device=device, after=after)

    def padding_fifo_queue(
        self,
        component_types: Sequence[DTypeLike],
        *,
        capacity: int = -1,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        shapes: Sequence[ShapeLike | None] = (),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A queue whose elements leave in the order they came; its batches are padded where elements differ in shape.

        Args:
            component_types: Dtypes of the components.
            capacity: The most elements it holds; negative for no limit.
            container: Container that holds the queue; empty for the default one.
            shared_name: Name in the container; empty for the node's.
            shapes: Shapes of the components; none where they may be any.
        """
        return self._add("PaddingFIFOQueue", (), {"component_types": component_types, "capacity": capacity, "container": container, "shared_name": shared_name, "shapes": shapes}, None, called=name, device=device, after=after)

    def padding_fifo_queue_v2(
        self,
        component_types: Sequence[DTypeLike],
        *,
        capacity: int = -1,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        shapes: Sequence[ShapeLike | None] = (),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A queue whose elements leave in the order they came; its batches are padded where elements differ in shape.

        Args:
            component_types: Dtypes of the components.
            capacity: The most elements it holds; negative for no limit.
            container: Container that holds the queue; empty for the default one.
            shared_name: Name in the container; empty for the node's.
            shapes: Shapes of the components; none where they may be any.
        """
        return self._add("PaddingFIFOQueueV2", (), {"component_types": component_types, "capacity": capacity, "container": container, "shared_name": shared_name, "shapes": shapes}, None, called=name, device=device, after=after)

    def priority_queue(
        self,
        shapes: Sequence[ShapeLike | None],
        *,
        capacity: int = -1,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        component_types: Sequence[DTypeLike] = (),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A queue whose elements have an int64 before their components; the element with the least leaves first.

        Args:
            shapes: Shapes of the components after the priority.
            capacity: The most elements it holds; negative for no limit.
            container: Container that holds the queue; empty for the default one.
            shared_name: Name in the container; empty for the node's.
            component_types: Dtypes of the components after the priority.
        """
        return self._add("PriorityQueue", (), {"shapes": shapes, "capacity": capacity, "container": container, "shared_name": shared_name, "component_types": component_types}, None, called=name, device=device, after=after)

    def priority_queue_v2(
        self,
        shapes: Sequence[ShapeLike | None],
        *,
        capacity: int = -1,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        component_types: Sequence[DTypeLike] = (),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A queue whose elements have an int64 before their components; the element with the least leaves first.

        Args:
            shapes: Shapes of the components after the priority.
            capacity: The most elements it holds; negative for no limit.
            container: Container that holds the queue; empty for the default one.
            shared_name: Name in the container; empty for the node's.
            component_types: Dtypes of the components after the priority.
        """
        return self._add("PriorityQueueV2", (), {"shapes": shapes, "capacity": capacity, "container": container, "shared_name": shared_name, "component_types": component_types}, None, called=name, device=device, after=after)

    def queue_restore(
        self,
        handle: Value,
        state: Value,
        elements: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Lets a queue hold what was saved of it, and nothing else."""
        return self._add("QueueRestore", (handle, state, elements), {}, None, called=name, device=device, after=after)

    def queue_restore_v2(
        self,
        handle: Value,
        state: Value,
        elements: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Lets a queue hold what was saved of it, and nothing else."""
        return self._add("QueueRestoreV2", (handle, state, elements), {}, None, called=name, device=device, after=after)

    def queue_save(
        self,
        handle: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> QueueSaveOutputs:
        """Gives what a queue holds, and leaves it there: numbers, and each component of each element as a message
        `TensorProto`."""
        return self._add("QueueSave", (handle,), {}, QueueSaveOutputs, called=name, device=device, after=after)

    def queue_save_v2(
        self,
        handle: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> QueueSaveV2Outputs:
        """Gives what a queue holds, and leaves it there: numbers, and each component of each element as a message
        `TensorProto`."""
        return self._add("QueueSaveV2", (handle,), {}, QueueSaveV2Outputs, called=name, device=device, after=after)

    def ordered_enqueue(
        self,
        handle: Value,
        ticket: Value,
        keep: Value,
        components: Sequence[Value],
        *,
        many: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Adds an element to a queue when it is the ticket's turn, or where `keep` is false lets the next ticket come.

        Args:
            many: True where the components are batches of elements.
        """
        return self._add("OrderedEnqueue", (handle, ticket, keep, components), {"many": many}, None, called=name, device=device, after=after)

    def ordered_enter(
        self,
        *,
        lane: int = 0,
        lanes: int = 1,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Gives a ticket, as soon as nobody is inside and, of several lanes, it is this one's turn.

        Args:
            lane: Number of the lane.
            lanes: Number of lanes.
            container: Container that holds the order; empty for the default one.
            shared_name: Name in the container; empty for the node's.
        """
        return self._add("OrderedEnter", (), {"lane": lane, "lanes": lanes, "container": container, "shared_name": shared_name}, None, called=name, device=device, after=after)

    def ordered_leave(
        self,
        ticket: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Lets the next one enter. Gives the ticket on."""
        return self._add("OrderedLeave", (ticket,), {}, None, called=name, device=device, after=after)

    def random_shuffle_queue(
        self,
        component_types: Sequence[DTypeLike],
        *,
        capacity: int = -1,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        shapes: Sequence[ShapeLike | None] = (),
        min_after_dequeue: int = 0,
        seed: int = 0,
        seed2: int = 0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A queue whose elements leave in random order.

        Args:
            component_types: Dtypes of the components.
            capacity: The most elements it holds; negative for no limit.
            container: Container that holds the queue; empty for the default one.
            shared_name: Name in the container; empty for the node's.
            shapes: Shapes of the components; none where they may be any.
            min_after_dequeue: Elements that stay until it is closed, so that there is something to choose from.
            seed: First seed; where both are 0, the order differs from session to session.
            seed2: Second seed.
        """
        return self._add("RandomShuffleQueue", (), {"component_types": component_types, "capacity": capacity, "container": container, "shared_name": shared_name, "shapes": shapes, "min_after_dequeue": min_after_dequeue, "seed": seed, "seed2": seed2}, None, called=name, device=device, after=after)

    def random_shuffle_queue_v2(
        self,
        component_types: Sequence[DTypeLike],
        *,
        capacity: int = -1,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        shapes: Sequence[ShapeLike | None] = (),
        min_after_dequeue: int = 0,
        seed: int = 0,
        seed2: int = 0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A queue whose elements leave in random order.

        Args:
            component_types: Dtypes of the components.
            capacity: The most elements it holds; negative for no limit.
            container: Container that holds the queue; empty for the default one.
            shared_name: Name in the container; empty for the node's.
            shapes: Shapes of the components; none where they may be any.
            min_after_dequeue: Elements that stay until it is closed, so that there is something to choose from.
            seed: First seed; where both are 0, the order differs from session to session.
            seed2: Second seed.
        """
        return self._add("RandomShuffleQueueV2", (), {"component_types": component_types, "capacity": capacity, "container": container, "shared_name": shared_name, "shapes": shapes, "min_after_dequeue": min_after_dequeue, "seed": seed, "seed2": seed2}, None, called=name, device=device, after=after)

    def stage(
        self,
        values: Sequence[Value],
        *,
        capacity: int = 0,
        memory_limit: int = 0,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Puts a tuple into a staging area, as soon as there is room.

        Args:
            capacity: The most tuples it holds; 0 for no limit.
            memory_limit: The most bytes it holds; 0 for no limit.
            container: Container that holds the area; empty for the default one.
            shared_name: Name in the container; empty for the node's.
        """
        return self._add("Stage", (values,), {"capacity": capacity, "memory_limit": memory_limit, "container": container, "shared_name": shared_name}, None, called=name, device=device, after=after)

    def stage_clear(
        self,
        *,
        capacity: int = 0,
        memory_limit: int = 0,
        dtypes: Sequence[DTypeLike] = (),
        container: str | bytes = '',
        shared_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Throws away what a staging area holds.

        Args:
            capacity: The most tuples it holds; 0 for no limit.
            memory_limit: The most bytes it holds; 0 for no limit.
            dtypes: Dtypes of a tuple.
            container: Container that holds the area; empty for the default one.
            shared_name: Name in the container; empty for the node's.
        """
        return self._add("StageClear", (), {"capacity": capacity, "memory_limit": memory_limit, "dtypes": dtypes, "container": container, "shared_name": shared_name}, None, called=name, device=device, after=after)

    def stage_peek(
        self,
        index: Value,
        dtypes: Sequence[DTypeLike],
        *,
        capacity: int = 0,
        memory_limit: int = 0,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """The tuple at `index`, as soon as there is one. It stays.

        Args:
            dtypes: Dtypes of a tuple.
            capacity: The most tuples it holds; 0 for no limit.
            memory_limit: The most bytes it holds; 0 for no limit.
            container: Container that holds the area; empty for the default one.
            shared_name: Name in the container; empty for the node's.
        """
        return self._add("StagePeek", (index,), {"dtypes": dtypes, "capacity": capacity, "memory_limit": memory_limit, "container": container, "shared_name": shared_name}, None, called=name, device=device, after=after)

    def stage_size(
        self,
        *,
        capacity: int = 0,
        memory_limit: int = 0,
        dtypes: Sequence[DTypeLike] = (),
        container: str | bytes = '',
        shared_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Number of tuples in a staging area.

        Args:
            capacity: The most tuples it holds; 0 for no limit.
            memory_limit: The most bytes it holds; 0 for no limit.
            dtypes: Dtypes of a tuple.
            container: Container that holds the area; empty for the default one.
            shared_name: Name in the container; empty for the node's.
        """
        return self._add("StageSize", (), {"capacity": capacity, "memory_limit": memory_limit, "dtypes": dtypes, "container": container, "shared_name": shared_name}, None, called=name, device=device, after=after)

    def unstage(
        self,
        dtypes: Sequence[DTypeLike],
        *,
        capacity: int = 0,
        memory_limit: int = 0,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """Takes the oldest tuple out of a staging area, as soon as there is one.

        Args:
            dtypes: Dtypes of a tuple.
            capacity: The most tuples it holds; 0 for no limit.
            memory_limit: The most bytes it holds; 0 for no limit.
            container: Container that holds the area; empty for the default one.
            shared_name: Name in the container; empty for the node's.
        """
        return self._add("Unstage", (), {"dtypes": dtypes, "capacity": capacity, "memory_limit": memory_limit, "container": container, "shared_name": shared_name}, None, called=name, device=device, after=after)

    # ragged

    def composite_tensor_variant_from_components(
        self,
        components: Sequence[Value],
        metadata: str | bytes,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The tensors of a composite tensor in a variant.

        Args:
            metadata: What the composite tensor is; of no effect here.
        """
        return self._add("CompositeTensorVariantFromComponents", (components,), {"metadata": metadata}, None, called=name, device=device, after=after)

    def composite_tensor_variant_to_components(
        self,
        encoded: Value,
        metadata: str | bytes,
        tcomponents: Sequence[DTypeLike],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """The tensors of the composite tensor that a variant holds.

        Args:
            metadata: What the composite tensor is; of no effect here.
            tcomponents: Element types of the tensors.
        """
        return self._add("CompositeTensorVariantToComponents", (encoded,), {"metadata": metadata, "Tcomponents": tcomponents}, None, called=name, device=device, after=after)

    def ragged_tensor_from_variant(
        self,
        encoded_ragged: Value,
        input_ragged_rank: int,
        output_ragged_rank: int,
        tvalues: DTypeLike,
        *,
        tsplits: DTypeLike = 'int64',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> RaggedTensorFromVariantOutputs:
        """The ragged tensors in variants, stacked along the axes of the variants.

        Args:
            input_ragged_rank: Number of ragged axes of each; -1 to work it out.
            output_ragged_rank: Number of ragged axes of the result.
            tvalues: Element type.
            tsplits: Element type of the splits.
        """
        return self._add("RaggedTensorFromVariant", (encoded_ragged,), {"input_ragged_rank": input_ragged_rank, "output_ragged_rank": output_ragged_rank, "Tvalues": tvalues, "Tsplits": tsplits}, RaggedTensorFromVariantOutputs, called=name, device=device, after=after)

    def ragged_gather(
        self,
        params_nested_splits: Sequence[Value],
        params_dense_values: Value,
        indices: Value,
        output_ragged_rank: int,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> RaggedGatherOutputs:
        """The rows of a ragged tensor with the given numbers.

        Args:
            output_ragged_rank: Number of ragged axes of the result.
        """
        return self._add("RaggedGather", (params_nested_splits, params_dense_values, indices), {"OUTPUT_RAGGED_RANK": output_ragged_rank}, RaggedGatherOutputs, called=name, device=device, after=after)

    def ragged_range(
        self,
        starts: Value,
        limits: Value,
        deltas: Value,
        *,
        tsplits: DTypeLike = 'int64',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> RaggedRangeOutputs:
        """For each row the numbers from `starts` on, `deltas` apart, before `limits`.

        Args:
            tsplits: Element type of the splits.
        """
        return self._add("RaggedRange", (starts, limits, deltas), {"Tsplits": tsplits}, RaggedRangeOutputs, called=name, device=device, after=after)

    def ragged_tensor_to_sparse(
        self,
        rt_nested_splits: Sequence[Value],
        rt_dense_values: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> RaggedTensorToSparseOutputs:
        """A ragged tensor as a sparse one, whose sizes are those of the longest rows."""
        return self._add("RaggedTensorToSparse", (rt_nested_splits, rt_dense_values), {}, RaggedTensorToSparseOutputs, called=name, device=device, after=after)

    def ragged_tensor_to_tensor(
        self,
        shape: Value,
        values: Value,
        default_value: Value,
        row_partition_tensors: Sequence[Value],
        row_partition_types: Sequence[str | bytes],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A ragged tensor as a dense one: rows are cut or filled with `default_value` to the sizes in `shape`, or to those
        of the longest rows.

        Args:
            row_partition_types: What each partition is: `FIRST_DIM_SIZE`, `VALUE_ROWIDS` or `ROW_SPLITS`.
        """
        return self._add("RaggedTensorToTensor", (shape, values, default_value, row_partition_tensors), {"row_partition_types": row_partition_types}, None, called=name, device=device, after=after)

    def ragged_tensor_to_variant(
        self,
        rt_nested_splits: Sequence[Value],
        rt_dense_values: Value,
        batched_input: bool,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A ragged tensor in a variant, or each of its rows in one.

        Args:
            batched_input: True for a variant for each row.
        """
        return self._add("RaggedTensorToVariant", (rt_nested_splits, rt_dense_values), {"batched_input": batched_input}, None, called=name, device=device, after=after)

    def ragged_tensor_to_variant_gradient(
        self,
        encoded_ragged_grad: Value,
        row_splits: Value,
        dense_values_shape: Value,
        tvalues: DTypeLike,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of `RaggedTensorToVariant` with respect to the values.

        Args:
            tvalues: Element type.
        """
        return self._add("RaggedTensorToVariantGradient", (encoded_ragged_grad, row_splits, dense_values_shape), {"Tvalues": tvalues}, None, called=name, device=device, after=after)

    # random

    def stateful_random_binomial(
        self,
        resource: Value,
        algorithm: Value,
        shape: Value,
        counts: Value,
        probs: Value,
        *,
        dtype: DTypeLike = 'int64',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Draws how many of `counts` trials succeed that do so with probability `probs`, from the generator in a variable;
        `shape` ends with the shape that these take together.

        Args:
            dtype: Element type drawn.
        """
        return self._add("StatefulRandomBinomial", (resource, algorithm, shape, counts, probs), {"dtype": dtype}, None, called=name, device=device, after=after)

    def stateless_random_binomial(
        self,
        shape: Value,
        seed: Value,
        counts: Value,
        probs: Value,
        *,
        dtype: DTypeLike = 'int64',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Draws how many of `counts` trials succeed that do so with probability `probs`; `shape` ends with the shape that
        these take together.

        Args:
            dtype: Element type drawn.
        """
        return self._add("StatelessRandomBinomial", (shape, seed, counts, probs), {"dtype": dtype}, None, called=name, device=device, after=after)

    def all_candidate_sampler(
        self,
        true_classes: Value,
        num_true: int,
        num_sampled: int,
        unique: bool,
        *,
        seed: int = 0,
        seed2: int = 0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> AllCandidateSamplerOutputs:
        """Gives every class once.

        Args:
            num_true: True classes in each row.
            num_sampled: Number of classes.
            unique: Makes no difference.
            seed: Makes no difference.
            seed2: Makes no difference.
        """
        return self._add("AllCandidateSampler", (true_classes,), {"num_true": num_true, "num_sampled": num_sampled, "unique": unique, "seed": seed, "seed2": seed2}, AllCandidateSamplerOutputs, called=name, device=device, after=after)

    def compute_accidental_hits(
        self,
        true_classes: Value,
        sampled_candidates: Value,
        num_true: int,
        *,
        seed: int = 0,
        seed2: int = 0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> ComputeAccidentalHitsOutputs:
        """Says which sampled classes are among the true classes of each row.

        Args:
            num_true: True classes in each row.
            seed: Makes no difference.
            seed2: Makes no difference.
        """
        return self._add("ComputeAccidentalHits", (true_classes, sampled_candidates), {"num_true": num_true, "seed": seed, "seed2": seed2}, ComputeAccidentalHitsOutputs, called=name, device=device, after=after)

    def fixed_unigram_candidate_sampler(
        self,
        true_classes: Value,
        num_true: int,
        num_sampled: int,
        unique: bool,
        range_max: int,
        *,
        vocab_file: str | bytes = '',
        distortion: float = 1.0,
        num_reserved_ids: int = 0,
        num_shards: int = 1,
        shard: int = 0,
        unigrams: Sequence[float] = (),
        seed: int = 0,
        seed2: int = 0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> FixedUnigramCandidateSamplerOutputs:
        """Draws classes by weights.

        Args:
            num_true: True classes in each row.
            num_sampled: Classes to draw.
            unique: Whether to draw no class twice.
            range_max: Number of classes.
            vocab_file: File of the weights.
            distortion: Power to which the weights are raised.
            num_reserved_ids: Classes at the start without a chance.
            num_shards: Number of samplers that share the classes.
            shard: Number of this one among them.
            unigrams: The weights.
            seed: First seed; where both are 0, the classes differ from session to session.
            seed2: Second seed.
        """
        return self._add("FixedUnigramCandidateSampler", (true_classes,), {"num_true": num_true, "num_sampled": num_sampled, "unique": unique, "range_max": range_max, "vocab_file": vocab_file, "distortion": distortion, "num_reserved_ids": num_reserved_ids, "num_shards": num_shards, "shard": shard, "unigrams": unigrams, "seed": seed, "seed2": seed2}, FixedUnigramCandidateSamplerOutputs, called=name, device=device, after=after)

    def learned_unigram_candidate_sampler(
        self,
        true_classes: Value,
        num_true: int,
        num_sampled: int,
        unique: bool,
        range_max: int,
        *,
        seed: int = 0,
        seed2: int = 0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> LearnedUnigramCandidateSamplerOutputs:
        """Draws classes as often as they were seen among the true classes of earlier runs.

        Args:
            num_true: True classes in each row.
            num_sampled: Classes to draw.
            unique: Whether to draw no class twice.
            range_max: Number of classes.
            seed: First seed; where both are 0, the classes differ from session to session.
            seed2: Second seed.
        """
        return self._add("LearnedUnigramCandidateSampler", (true_classes,), {"num_true": num_true, "num_sampled": num_sampled, "unique": unique, "range_max": range_max, "seed": seed, "seed2": seed2}, LearnedUnigramCandidateSamplerOutputs, called=name, device=device, after=after)

    def thread_unsafe_unigram_candidate_sampler(
        self,
        true_classes: Value,
        num_true: int,
        num_sampled: int,
        unique: bool,
        range_max: int,
        *,
        seed: int = 0,
        seed2: int = 0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> ThreadUnsafeUnigramCandidateSamplerOutputs:
        """Draws classes as often as they were seen among the true classes of earlier runs.

        Args:
            num_true: True classes in each row.
            num_sampled: Classes to draw.
            unique: Whether to draw no class twice.
            range_max: Number of classes.
            seed: First seed; where both are 0, the classes differ from session to session.
            seed2: Second seed.
        """
        return self._add("ThreadUnsafeUnigramCandidateSampler", (true_classes,), {"num_true": num_true, "num_sampled": num_sampled, "unique": unique, "range_max": range_max, "seed": seed, "seed2": seed2}, ThreadUnsafeUnigramCandidateSamplerOutputs, called=name, device=device, after=after)

    def log_uniform_candidate_sampler(
        self,
        true_classes: Value,
        num_true: int,
        num_sampled: int,
        unique: bool,
        range_max: int,
        *,
        seed: int = 0,
        seed2: int = 0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> LogUniformCandidateSamplerOutputs:
        """Draws classes, the likelier the lower.

        Args:
            num_true: True classes in each row.
            num_sampled: Classes to draw.
            unique: Whether to draw no class twice.
            range_max: Number of classes.
            seed: First seed; where both are 0, the classes differ from session to session.
            seed2: Second seed.
        """
        return self._add("LogUniformCandidateSampler", (true_classes,), {"num_true": num_true, "num_sampled": num_sampled, "unique": unique, "range_max": range_max, "seed": seed, "seed2": seed2}, LogUniformCandidateSamplerOutputs, called=name, device=device, after=after)

    def uniform_candidate_sampler(
        self,
        true_classes: Value,
        num_true: int,
        num_sampled: int,
        unique: bool,
        range_max: int,
        *,
        seed: int = 0,
        seed2: int = 0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> UniformCandidateSamplerOutputs:
        """Draws classes, all as likely.

        Args:
            num_true: True classes in each row.
            num_sampled: Classes to draw.
            unique: Whether to draw no class twice.
            range_max: Number of classes.
            seed: First seed; where both are 0, the classes differ from session to session.
            seed2: Second seed.
        """
        return self._add("UniformCandidateSampler", (true_classes,), {"num_true": num_true, "num_sampled": num_sampled, "unique": unique, "range_max": range_max, "seed": seed, "seed2": seed2}, UniformCandidateSamplerOutputs, called=name, device=device, after=after)

    def random_gamma(
        self,
        shape: Value,
        alpha: Value,
        *,
        seed: int = 0,
        seed2: int = 0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Draws `shape` samples for each element of `alpha`.

        Args:
            seed: First seed; where both are 0, the numbers differ from session to session.
            seed2: Second seed.
        """
        return self._add("RandomGamma", (shape, alpha), {"seed": seed, "seed2": seed2}, None, called=name, device=device, after=after)

    def stateless_random_gamma_v2(
        self,
        shape: Value,
        seed: Value,
        alpha: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Draws samples for each element of `alpha`, with whose shape `shape` ends. The stream is that of two seeds."""
        return self._add("StatelessRandomGammaV2", (shape, seed, alpha), {}, None, called=name, device=device, after=after)

    def stateless_random_gamma_v3(
        self,
        shape: Value,
        key: Value,
        counter: Value,
        alg: Value,
        alpha: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Draws samples for each element of `alpha`, with whose shape `shape` ends. The stream is that of a key, a counter
        and an algorithm."""
        return self._add("StatelessRandomGammaV3", (shape, key, counter, alg, alpha), {}, None, called=name, device=device, after=after)

    def rng_read_and_skip(
        self,
        resource: Value,
        alg: Value,
        delta: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Gives a generator's state and leaves out as much of its stream as `delta` values take."""
        return self._add("RngReadAndSkip", (resource, alg, delta), {}, None, called=name, device=device, after=after)

    def rng_skip(
        self,
        resource: Value,
        algorithm: Value,
        delta: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Leaves out as much of a generator's stream as `delta` values take."""
        return self._add("RngSkip", (resource, algorithm, delta), {}, None, called=name, device=device, after=after)

    def stateful_standard_normal(
        self,
        resource: Value,
        shape: Value,
        *,
        dtype: DTypeLike = 'float32',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Draws from the normal distribution with mean 0 and deviation 1.

        Args:
            dtype: Element type drawn.
        """
        return self._add("StatefulStandardNormal", (resource, shape), {"dtype": dtype}, None, called=name, device=device, after=after)

    def stateful_standard_normal_v2(
        self,
        resource: Value,
        algorithm: Value,
        shape: Value,
        *,
        dtype: DTypeLike = 'float32',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Draws from the normal distribution with mean 0 and deviation 1.

        Args:
            dtype: Element type drawn.
        """
        return self._add("StatefulStandardNormalV2", (resource, algorithm, shape), {"dtype": dtype}, None, called=name, device=device, after=after)

    def stateful_truncated_normal(
        self,
        resource: Value,
        algorithm: Value,
        shape: Value,
        *,
        dtype: DTypeLike = 'float32',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Draws from the normal distribution with mean 0 and deviation 1, redrawing what is 2 or more from zero.

        Args:
            dtype: Element type drawn.
        """
        return self._add("StatefulTruncatedNormal", (resource, algorithm, shape), {"dtype": dtype}, None, called=name, device=device, after=after)

    def stateful_uniform(
        self,
        resource: Value,
        algorithm: Value,
        shape: Value,
        *,
        dtype: DTypeLike = 'float32',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Draws uniformly from `[0, 1)`.

        Args:
            dtype: Element type drawn.
        """
        return self._add("StatefulUniform", (resource, algorithm, shape), {"dtype": dtype}, None, called=name, device=device, after=after)

    def stateful_uniform_full_int(
        self,
        resource: Value,
        algorithm: Value,
        shape: Value,
        *,
        dtype: DTypeLike = 'uint64',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Draws integers uniformly over the whole range of the type.

        Args:
            dtype: Element type drawn.
        """
        return self._add("StatefulUniformFullInt", (resource, algorithm, shape), {"dtype": dtype}, None, called=name, device=device, after=after)

    def stateful_uniform_int(
        self,
        resource: Value,
        algorithm: Value,
        shape: Value,
        minval: Value,
        maxval: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Draws integers uniformly from `minval` on and less than `maxval`."""
        return self._add("StatefulUniformInt", (resource, algorithm, shape, minval, maxval), {}, None, called=name, device=device, after=after)

    def random_index_shuffle(
        self,
        index: Value,
        seed: Value,
        max_index: Value,
        *,
        rounds: int = 4,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Gives the position of `index` in a permutation of the numbers from 0 to `max_index` that `seed` chooses.

        Args:
            rounds: Rounds of the cipher, an even number.
        """
        return self._add("RandomIndexShuffle", (index, seed, max_index), {"rounds": rounds}, None, called=name, device=device, after=after)

    def stateless_random_get_alg(
        self,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Gives the best algorithm."""
        return self._add("StatelessRandomGetAlg", (), {}, None, called=name, device=device, after=after)

    def stateless_random_get_key_counter(
        self,
        seed: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> StatelessRandomGetKeyCounterOutputs:
        """Turns seeds into a key and a counter."""
        return self._add("StatelessRandomGetKeyCounter", (seed,), {}, StatelessRandomGetKeyCounterOutputs, called=name, device=device, after=after)

    def stateless_random_get_key_counter_alg(
        self,
        seed: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> StatelessRandomGetKeyCounterAlgOutputs:
        """Turns seeds into a key, a counter and the best algorithm."""
        return self._add("StatelessRandomGetKeyCounterAlg", (seed,), {}, StatelessRandomGetKeyCounterAlgOutputs, called=name, device=device, after=after)

    def multinomial(
        self,
        logits: Value,
        num_samples: Value,
        *,
        seed: int = 0,
        seed2: int = 0,
        output_dtype: DTypeLike = 'int64',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Draws `num_samples` classes for each row of `logits`.

        Args:
            seed: First seed; where both are 0, the numbers differ from session to session.
            seed2: Second seed.
            output_dtype: Element type of the classes.
        """
        return self._add("Multinomial", (logits, num_samples), {"seed": seed, "seed2": seed2, "output_dtype": output_dtype}, None, called=name, device=device, after=after)

    def stateless_multinomial(
        self,
        logits: Value,
        num_samples: Value,
        seed: Value,
        *,
        output_dtype: DTypeLike = 'int64',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Draws `num_samples` classes for each row of `logits`. The stream is that of two seeds.

        Args:
            output_dtype: Element type of the classes.
        """
        return self._add("StatelessMultinomial", (logits, num_samples, seed), {"output_dtype": output_dtype}, None, called=name, device=device, after=after)

    def non_deterministic_ints(
        self,
        shape: Value,
        *,
        dtype: DTypeLike = 'int64',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Draws integers that differ from run to run.

        Args:
            dtype: Element type drawn.
        """
        return self._add("NonDeterministicInts", (shape,), {"dtype": dtype}, None, called=name, device=device, after=after)

    def parameterized_truncated_normal(
        self,
        shape: Value,
        means: Value,
        stdevs: Value,
        minvals: Value,
        maxvals: Value,
        *,
        seed: int = 0,
        seed2: int = 0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Draws normal numbers between bounds, with parameters for each row or the same for all.

        Args:
            seed: First seed; where both are 0, the numbers differ from session to session.
            seed2: Second seed.
        """
        return self._add("ParameterizedTruncatedNormal", (shape, means, stdevs, minvals, maxvals), {"seed": seed, "seed2": seed2}, None, called=name, device=device, after=after)

    def stateless_parameterized_truncated_normal(
        self,
        shape: Value,
        seed: Value,
        means: Value,
        stddevs: Value,
        minvals: Value,
        maxvals: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Draws normal numbers between bounds; `shape` ends with the shape that the parameters take together."""
        return self._add("StatelessParameterizedTruncatedNormal", (shape, seed, means, stddevs, minvals, maxvals), {}, None, called=name, device=device, after=after)

    def random_poisson_v2(
        self,
        shape: Value,
        rate: Value,
        *,
        seed: int = 0,
        seed2: int = 0,
        dtype: DTypeLike = 'int64',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Draws `shape` samples for each element of `rate`.

        Args:
            seed: First seed; where both are 0, the numbers differ from session to session.
            seed2: Second seed.
            dtype: Element type drawn.
        """
        return self._add("RandomPoissonV2", (shape, rate), {"seed": seed, "seed2": seed2, "dtype": dtype}, None, called=name, device=device, after=after)

    def random_poisson(
        self,
        shape: Value,
        rate: Value,
        *,
        seed: int = 0,
        seed2: int = 0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Draws `shape` samples for each element of `rate`.

        Args:
            seed: First seed; where both are 0, the numbers differ from session to session.
            seed2: Second seed.
        """
        return self._add("RandomPoisson", (shape, rate), {"seed": seed, "seed2": seed2}, None, called=name, device=device, after=after)

    def stateless_random_poisson(
        self,
        shape: Value,
        seed: Value,
        lam: Value,
        dtype: DTypeLike,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Draws samples for each element of `lam`, with whose shape `shape` ends. The stream is that of two seeds.

        Args:
            dtype: Element type drawn.
        """
        return self._add("StatelessRandomPoisson", (shape, seed, lam), {"dtype": dtype}, None, called=name, device=device, after=after)

    def random_shuffle(
        self,
        value: Value,
        *,
        seed: int = 0,
        seed2: int = 0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Gives the rows of `value` in random order.

        Args:
            seed: First seed; where both are 0, the order differs from session to session.
            seed2: Second seed.
        """
        return self._add("RandomShuffle", (value,), {"seed": seed, "seed2": seed2}, None, called=name, device=device, after=after)

    def stateless_shuffle(
        self,
        value: Value,
        key: Value,
        counter: Value,
        alg: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Gives the rows of `value` in an order that follows from a key, a counter and an algorithm."""
        return self._add("StatelessShuffle", (value, key, counter, alg), {}, None, called=name, device=device, after=after)

    def sobol_sample(
        self,
        dim: Value,
        num_results: Value,
        skip: Value,
        *,
        dtype: DTypeLike = 'float32',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`num_results` points of Sobol's sequence in a cube of `dim` dimensions, after the first `skip`.

        Args:
            dtype: Element type of the points.
        """
        return self._add("SobolSample", (dim, num_results, skip), {"dtype": dtype}, None, called=name, device=device, after=after)

    def random_standard_normal(
        self,
        shape: Value,
        dtype: DTypeLike,
        *,
        seed: int = 0,
        seed2: int = 0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Draws from the normal distribution with mean 0 and deviation 1.

        Args:
            dtype: Element type drawn.
            seed: First seed; where both are 0, the numbers differ from session to session.
            seed2: Second seed.
        """
        return self._add("RandomStandardNormal", (shape,), {"dtype": dtype, "seed": seed, "seed2": seed2}, None, called=name, device=device, after=after)

    def random_uniform(
        self,
        shape: Value,
        dtype: DTypeLike,
        *,
        seed: int = 0,
        seed2: int = 0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Draws uniformly from `[0, 1)`.

        Args:
            dtype: Element type drawn.
            seed: First seed; where both are 0, the numbers differ from session to session.
            seed2: Second seed.
        """
        return self._add("RandomUniform", (shape,), {"dtype": dtype, "seed": seed, "seed2": seed2}, None, called=name, device=device, after=after)

    def truncated_normal(
        self,
        shape: Value,
        dtype: DTypeLike,
        *,
        seed: int = 0,
        seed2: int = 0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Draws from the normal distribution with mean 0 and deviation 1, redrawing what is 2 or more from zero.

        Args:
            dtype: Element type drawn.
            seed: First seed; where both are 0, the numbers differ from session to session.
            seed2: Second seed.
        """
        return self._add("TruncatedNormal", (shape,), {"dtype": dtype, "seed": seed, "seed2": seed2}, None, called=name, device=device, after=after)

    def stateless_random_normal(
        self,
        shape: Value,
        seed: Value,
        *,
        dtype: DTypeLike = 'float32',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Draws from the normal distribution with mean 0 and deviation 1. The stream is that of two seeds.

        Args:
            dtype: Element type drawn.
        """
        return self._add("StatelessRandomNormal", (shape, seed), {"dtype": dtype}, None, called=name, device=device, after=after)

    def stateless_random_normal_v2(
        self,
        shape: Value,
        key: Value,
        counter: Value,
        alg: Value,
        *,
        dtype: DTypeLike = 'float32',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Draws from the normal distribution with mean 0 and deviation 1. The stream is that of a key, a counter and an
        algorithm.

        Args:
            dtype: Element type drawn.
        """
        return self._add("StatelessRandomNormalV2", (shape, key, counter, alg), {"dtype": dtype}, None, called=name, device=device, after=after)

    def stateless_random_uniform(
        self,
        shape: Value,
        seed: Value,
        *,
        dtype: DTypeLike = 'float32',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Draws uniformly from `[0, 1)`. The stream is that of two seeds.

        Args:
            dtype: Element type drawn.
        """
        return self._add("StatelessRandomUniform", (shape, seed), {"dtype": dtype}, None, called=name, device=device, after=after)

    def stateless_random_uniform_full_int(
        self,
        shape: Value,
        seed: Value,
        *,
        dtype: DTypeLike = 'uint64',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Draws integers uniformly over the whole range of the type. The stream is that of two seeds.

        Args:
            dtype: Element type drawn.
        """
        return self._add("StatelessRandomUniformFullInt", (shape, seed), {"dtype": dtype}, None, called=name, device=device, after=after)

    def stateless_random_uniform_full_int_v2(
        self,
        shape: Value,
        key: Value,
        counter: Value,
        alg: Value,
        *,
        dtype: DTypeLike = 'uint64',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Draws integers uniformly over the whole range of the type. The stream is that of a key, a counter and an
        algorithm.

        Args:
            dtype: Element type drawn.
        """
        return self._add("StatelessRandomUniformFullIntV2", (shape, key, counter, alg), {"dtype": dtype}, None, called=name, device=device, after=after)

    def stateless_random_uniform_v2(
        self,
        shape: Value,
        key: Value,
        counter: Value,
        alg: Value,
        *,
        dtype: DTypeLike = 'float32',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Draws uniformly from `[0, 1)`. The stream is that of a key, a counter and an algorithm.

        Args:
            dtype: Element type drawn.
        """
        return self._add("StatelessRandomUniformV2", (shape, key, counter, alg), {"dtype": dtype}, None, called=name, device=device, after=after)

    def stateless_truncated_normal(
        self,
        shape: Value,
        seed: Value,
        *,
        dtype: DTypeLike = 'float32',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Draws from the normal distribution with mean 0 and deviation 1, redrawing what is 2 or more from zero. The
        stream is that of two seeds.

        Args:
            dtype: Element type drawn.
        """
        return self._add("StatelessTruncatedNormal", (shape, seed), {"dtype": dtype}, None, called=name, device=device, after=after)

    def stateless_truncated_normal_v2(
        self,
        shape: Value,
        key: Value,
        counter: Value,
        alg: Value,
        *,
        dtype: DTypeLike = 'float32',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Draws from the normal distribution with mean 0 and deviation 1, redrawing what is 2 or more from zero. The
        stream is that of a key, a counter and an algorithm.

        Args:
            dtype: Element type drawn.
        """
        return self._add("StatelessTruncatedNormalV2", (shape, key, counter, alg), {"dtype": dtype}, None, called=name, device=device, after=after)

    def stateless_random_uniform_int(
        self,
        shape: Value,
        seed: Value,
        minval: Value,
        maxval: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Draws integers uniformly from `minval` on and less than `maxval`. The stream is that of two seeds."""
        return self._add("StatelessRandomUniformInt", (shape, seed, minval, maxval), {}, None, called=name, device=device, after=after)

    def stateless_random_uniform_int_v2(
        self,
        shape: Value,
        key: Value,
        counter: Value,
        alg: Value,
        minval: Value,
        maxval: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Draws integers uniformly from `minval` on and less than `maxval`. The stream is that of a key, a counter and an
        algorithm."""
        return self._add("StatelessRandomUniformIntV2", (shape, key, counter, alg, minval, maxval), {}, None, called=name, device=device, after=after)

    def random_uniform_int(
        self,
        shape: Value,
        minval: Value,
        maxval: Value,
        *,
        seed: int = 0,
        seed2: int = 0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Draws integers uniformly from `minval` on and less than `maxval`.

        Args:
            seed: First seed; where both are 0, the numbers differ from session to session.
            seed2: Second seed.
        """
        return self._add("RandomUniformInt", (shape, minval, maxval), {"seed": seed, "seed2": seed2}, None, called=name, device=device, after=after)

    # reduce

    def arg_max(
        self,
        input: Value,
        dimension: Value,
        *,
        output_type: DTypeLike = 'int64',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The index of the greatest element along an axis: the first of several; NaN is passed over.

        Args:
            output_type: Element type of the result.
        """
        return self._add("ArgMax", (input, dimension), {"output_type": output_type}, None, called=name, device=device, after=after)

    def arg_min(
        self,
        input: Value,
        dimension: Value,
        *,
        output_type: DTypeLike = 'int64',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The index of the least element along an axis: the first of several; NaN is passed over.

        Args:
            output_type: Element type of the result.
        """
        return self._add("ArgMin", (input, dimension), {"output_type": output_type}, None, called=name, device=device, after=after)

    def bincount(
        self,
        arr: Value,
        size: Value,
        weights: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """For each number below `size` the sum of the weights of its occurrences in `arr`, or their number."""
        return self._add("Bincount", (arr, size, weights), {}, None, called=name, device=device, after=after)

    def dense_bincount(
        self,
        input: Value,
        size: Value,
        weights: Value,
        *,
        binary_output: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Counts numbers in a vector, or in each row of a matrix.

        Args:
            binary_output: True to say only whether a number occurs, as 1 or 0.
        """
        return self._add("DenseBincount", (input, size, weights), {"binary_output": binary_output}, None, called=name, device=device, after=after)

    def ragged_bincount(
        self,
        splits: Value,
        values: Value,
        size: Value,
        weights: Value,
        *,
        binary_output: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Counts numbers in each row of a ragged matrix.

        Args:
            binary_output: True to say only whether a number occurs, as 1 or 0.
        """
        return self._add("RaggedBincount", (splits, values, size, weights), {"binary_output": binary_output}, None, called=name, device=device, after=after)

    def sparse_bincount(
        self,
        indices: Value,
        values: Value,
        dense_shape: Value,
        size: Value,
        weights: Value,
        *,
        binary_output: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Counts numbers in a sparse vector, or in each row of a sparse matrix.

        Args:
            binary_output: True to say only whether a number occurs, as 1 or 0.
        """
        return self._add("SparseBincount", (indices, values, dense_shape, size, weights), {"binary_output": binary_output}, None, called=name, device=device, after=after)

    def all(
        self,
        input: Value,
        reduction_indices: Value,
        *,
        keep_dims: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """True where every element along the axes is.

        Args:
            keep_dims: True to keep the axes that are reduced, with size 1.
        """
        return self._add("All", (input, reduction_indices), {"keep_dims": keep_dims}, None, called=name, device=device, after=after)

    def any(
        self,
        input: Value,
        reduction_indices: Value,
        *,
        keep_dims: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """True where an element along the axes is.

        Args:
            keep_dims: True to keep the axes that are reduced, with size 1.
        """
        return self._add("Any", (input, reduction_indices), {"keep_dims": keep_dims}, None, called=name, device=device, after=after)

    def euclidean_norm(
        self,
        input: Value,
        reduction_indices: Value,
        *,
        keep_dims: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The square root of the sum of squares along the axes.

        Args:
            keep_dims: True to keep the axes that are reduced, with size 1.
        """
        return self._add("EuclideanNorm", (input, reduction_indices), {"keep_dims": keep_dims}, None, called=name, device=device, after=after)

    def max(
        self,
        input: Value,
        reduction_indices: Value,
        *,
        keep_dims: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The greatest element along the axes; NaN where there is one.

        Args:
            keep_dims: True to keep the axes that are reduced, with size 1.
        """
        return self._add("Max", (input, reduction_indices), {"keep_dims": keep_dims}, None, called=name, device=device, after=after)

    def mean(
        self,
        input: Value,
        reduction_indices: Value,
        *,
        keep_dims: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The mean of the elements along the axes. Of integers it is rounded towards zero.

        Args:
            keep_dims: True to keep the axes that are reduced, with size 1.
        """
        return self._add("Mean", (input, reduction_indices), {"keep_dims": keep_dims}, None, called=name, device=device, after=after)

    def min(
        self,
        input: Value,
        reduction_indices: Value,
        *,
        keep_dims: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The least element along the axes; NaN where there is one.

        Args:
            keep_dims: True to keep the axes that are reduced, with size 1.
        """
        return self._add("Min", (input, reduction_indices), {"keep_dims": keep_dims}, None, called=name, device=device, after=after)

    def prod(
        self,
        input: Value,
        reduction_indices: Value,
        *,
        keep_dims: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The product of the elements along the axes. Integers wrap.

        Args:
            keep_dims: True to keep the axes that are reduced, with size 1.
        """
        return self._add("Prod", (input, reduction_indices), {"keep_dims": keep_dims}, None, called=name, device=device, after=after)

    def sum(
        self,
        input: Value,
        reduction_indices: Value,
        *,
        keep_dims: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The sum of the elements along the axes. Integers wrap.

        Args:
            keep_dims: True to keep the axes that are reduced, with size 1.
        """
        return self._add("Sum", (input, reduction_indices), {"keep_dims": keep_dims}, None, called=name, device=device, after=after)

    def histogram_fixed_width(
        self,
        values: Value,
        value_range: Value,
        nbins: Value,
        *,
        dtype: DTypeLike = 'int32',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Cuts `value_range` into `nbins` equal parts and counts `values` in each; values outside count in the first or
        last.

        Args:
            dtype: Element type of the counts.
        """
        return self._add("HistogramFixedWidth", (values, value_range, nbins), {"dtype": dtype}, None, called=name, device=device, after=after)

    def l2_loss(
        self,
        t: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`sum(t * t) / 2`."""
        return self._add("L2Loss", (t,), {}, None, called=name, device=device, after=after)

    def cumprod(
        self,
        x: Value,
        axis: Value,
        *,
        exclusive: bool = False,
        reverse: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The product of the elements up to each one. Integers wrap.

        Args:
            exclusive: True to leave an element out of its own total.
            reverse: True to run from the end.
        """
        return self._add("Cumprod", (x, axis), {"exclusive": exclusive, "reverse": reverse}, None, called=name, device=device, after=after)

    def cumsum(
        self,
        x: Value,
        axis: Value,
        *,
        exclusive: bool = False,
        reverse: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The sum of the elements up to each one. Integers wrap.

        Args:
            exclusive: True to leave an element out of its own total.
            reverse: True to run from the end.
        """
        return self._add("Cumsum", (x, axis), {"exclusive": exclusive, "reverse": reverse}, None, called=name, device=device, after=after)

    def cumulative_logsumexp(
        self,
        x: Value,
        axis: Value,
        *,
        exclusive: bool = False,
        reverse: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The logarithm of the sum of exponentials of the elements up to each one.

        Args:
            exclusive: True to leave an element out of its own total.
            reverse: True to run from the end.
        """
        return self._add("CumulativeLogsumexp", (x, axis), {"exclusive": exclusive, "reverse": reverse}, None, called=name, device=device, after=after)

    def segment_max(
        self,
        data: Value,
        segment_ids: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The greatest elements of the rows of each segment."""
        return self._add("SegmentMax", (data, segment_ids), {}, None, called=name, device=device, after=after)

    def segment_max_v2(
        self,
        data: Value,
        segment_ids: Value,
        num_segments: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The greatest elements of the rows of each of `num_segments` segments."""
        return self._add("SegmentMaxV2", (data, segment_ids, num_segments), {}, None, called=name, device=device, after=after)

    def segment_mean(
        self,
        data: Value,
        segment_ids: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The mean of the rows of each segment."""
        return self._add("SegmentMean", (data, segment_ids), {}, None, called=name, device=device, after=after)

    def segment_min(
        self,
        data: Value,
        segment_ids: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The least elements of the rows of each segment."""
        return self._add("SegmentMin", (data, segment_ids), {}, None, called=name, device=device, after=after)

    def segment_min_v2(
        self,
        data: Value,
        segment_ids: Value,
        num_segments: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The least elements of the rows of each of `num_segments` segments."""
        return self._add("SegmentMinV2", (data, segment_ids, num_segments), {}, None, called=name, device=device, after=after)

    def segment_prod(
        self,
        data: Value,
        segment_ids: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The product of the rows of each segment."""
        return self._add("SegmentProd", (data, segment_ids), {}, None, called=name, device=device, after=after)

    def segment_prod_v2(
        self,
        data: Value,
        segment_ids: Value,
        num_segments: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The product of the rows of each of `num_segments` segments."""
        return self._add("SegmentProdV2", (data, segment_ids, num_segments), {}, None, called=name, device=device, after=after)

    def segment_sum(
        self,
        data: Value,
        segment_ids: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The sum of the rows of each segment."""
        return self._add("SegmentSum", (data, segment_ids), {}, None, called=name, device=device, after=after)

    def segment_sum_v2(
        self,
        data: Value,
        segment_ids: Value,
        num_segments: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The sum of the rows of each of `num_segments` segments."""
        return self._add("SegmentSumV2", (data, segment_ids, num_segments), {}, None, called=name, device=device, after=after)

    def sparse_segment_mean(
        self,
        data: Value,
        indices: Value,
        segment_ids: Value,
        *,
        sparse_gradient: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The mean of the rows of each segment, where `indices` says which row of `data` each is.

        Args:
            sparse_gradient: True where the gradient keeps to the rows that were picked.
        """
        return self._add("SparseSegmentMean", (data, indices, segment_ids), {"sparse_gradient": sparse_gradient}, None, called=name, device=device, after=after)

    def sparse_segment_mean_with_num_segments(
        self,
        data: Value,
        indices: Value,
        segment_ids: Value,
        num_segments: Value,
        *,
        sparse_gradient: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The mean of the rows of each of `num_segments` segments, where `indices` says which row of `data` each is.

        Args:
            sparse_gradient: True where the gradient keeps to the rows that were picked.
        """
        return self._add("SparseSegmentMeanWithNumSegments", (data, indices, segment_ids, num_segments), {"sparse_gradient": sparse_gradient}, None, called=name, device=device, after=after)

    def sparse_segment_sqrt_n(
        self,
        data: Value,
        indices: Value,
        segment_ids: Value,
        *,
        sparse_gradient: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The sum of the rows of each segment over the square root of their number, where `indices` says which row of
        `data` each is.

        Args:
            sparse_gradient: True where the gradient keeps to the rows that were picked.
        """
        return self._add("SparseSegmentSqrtN", (data, indices, segment_ids), {"sparse_gradient": sparse_gradient}, None, called=name, device=device, after=after)

    def sparse_segment_sqrt_n_with_num_segments(
        self,
        data: Value,
        indices: Value,
        segment_ids: Value,
        num_segments: Value,
        *,
        sparse_gradient: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The sum of the rows of each of `num_segments` segments over the square root of their number, where `indices`
        says which row of `data` each is.

        Args:
            sparse_gradient: True where the gradient keeps to the rows that were picked.
        """
        return self._add("SparseSegmentSqrtNWithNumSegments", (data, indices, segment_ids, num_segments), {"sparse_gradient": sparse_gradient}, None, called=name, device=device, after=after)

    def sparse_segment_sum(
        self,
        data: Value,
        indices: Value,
        segment_ids: Value,
        *,
        sparse_gradient: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The sum of the rows of each segment, where `indices` says which row of `data` each is.

        Args:
            sparse_gradient: True where the gradient keeps to the rows that were picked.
        """
        return self._add("SparseSegmentSum", (data, indices, segment_ids), {"sparse_gradient": sparse_gradient}, None, called=name, device=device, after=after)

    def sparse_segment_sum_with_num_segments(
        self,
        data: Value,
        indices: Value,
        segment_ids: Value,
        num_segments: Value,
        *,
        sparse_gradient: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The sum of the rows of each of `num_segments` segments, where `indices` says which row of `data` each is.

        Args:
            sparse_gradient: True where the gradient keeps to the rows that were picked.
        """
        return self._add("SparseSegmentSumWithNumSegments", (data, indices, segment_ids, num_segments), {"sparse_gradient": sparse_gradient}, None, called=name, device=device, after=after)

    def sparse_segment_mean_grad(
        self,
        grad: Value,
        indices: Value,
        segment_ids: Value,
        output_dim0: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of the sparse segment reduction with respect to `data`, which has `output_dim0` rows."""
        return self._add("SparseSegmentMeanGrad", (grad, indices, segment_ids, output_dim0), {}, None, called=name, device=device, after=after)

    def sparse_segment_mean_grad_v2(
        self,
        grad: Value,
        indices: Value,
        segment_ids: Value,
        dense_output_dim0: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> SparseSegmentMeanGradV2Outputs:
        """The gradient of the sparse segment reduction with respect to those rows of `data` that were picked, and their
        numbers."""
        return self._add("SparseSegmentMeanGradV2", (grad, indices, segment_ids, dense_output_dim0), {}, SparseSegmentMeanGradV2Outputs, called=name, device=device, after=after)

    def sparse_segment_sqrt_n_grad(
        self,
        grad: Value,
        indices: Value,
        segment_ids: Value,
        output_dim0: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of the sparse segment reduction with respect to `data`, which has `output_dim0` rows."""
        return self._add("SparseSegmentSqrtNGrad", (grad, indices, segment_ids, output_dim0), {}, None, called=name, device=device, after=after)

    def sparse_segment_sqrt_n_grad_v2(
        self,
        grad: Value,
        indices: Value,
        segment_ids: Value,
        dense_output_dim0: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> SparseSegmentSqrtNGradV2Outputs:
        """The gradient of the sparse segment reduction with respect to those rows of `data` that were picked, and their
        numbers."""
        return self._add("SparseSegmentSqrtNGradV2", (grad, indices, segment_ids, dense_output_dim0), {}, SparseSegmentSqrtNGradV2Outputs, called=name, device=device, after=after)

    def sparse_segment_sum_grad(
        self,
        grad: Value,
        indices: Value,
        segment_ids: Value,
        output_dim0: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of the sparse segment reduction with respect to `data`, which has `output_dim0` rows."""
        return self._add("SparseSegmentSumGrad", (grad, indices, segment_ids, output_dim0), {}, None, called=name, device=device, after=after)

    def sparse_segment_sum_grad_v2(
        self,
        grad: Value,
        indices: Value,
        segment_ids: Value,
        dense_output_dim0: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> SparseSegmentSumGradV2Outputs:
        """The gradient of the sparse segment reduction with respect to those rows of `data` that were picked, and their
        numbers."""
        return self._add("SparseSegmentSumGradV2", (grad, indices, segment_ids, dense_output_dim0), {}, SparseSegmentSumGradV2Outputs, called=name, device=device, after=after)

    def unsorted_segment_max(
        self,
        data: Value,
        segment_ids: Value,
        num_segments: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The greatest elements of each segment. Negative segment numbers are left out."""
        return self._add("UnsortedSegmentMax", (data, segment_ids, num_segments), {}, None, called=name, device=device, after=after)

    def unsorted_segment_min(
        self,
        data: Value,
        segment_ids: Value,
        num_segments: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The least elements of each segment. Negative segment numbers are left out."""
        return self._add("UnsortedSegmentMin", (data, segment_ids, num_segments), {}, None, called=name, device=device, after=after)

    def unsorted_segment_prod(
        self,
        data: Value,
        segment_ids: Value,
        num_segments: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The product of the elements of each segment. Negative segment numbers are left out."""
        return self._add("UnsortedSegmentProd", (data, segment_ids, num_segments), {}, None, called=name, device=device, after=after)

    def unsorted_segment_sum(
        self,
        data: Value,
        segment_ids: Value,
        num_segments: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The sum of the elements of each segment. Negative segment numbers are left out."""
        return self._add("UnsortedSegmentSum", (data, segment_ids, num_segments), {}, None, called=name, device=device, after=after)

    # sets

    def dense_to_dense_set_operation(
        self,
        set1: Value,
        set2: Value,
        set_operation: str | bytes,
        *,
        validate_indices: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> DenseToDenseSetOperationOutputs:
        """What is in one, the other or both of two sets, along the last axis of two dense tensors.

        Args:
            set_operation: `a-b`, `b-a`, `intersection` or `union`.
            validate_indices: Whether to check that indices are in order and within the shape.
        """
        return self._add("DenseToDenseSetOperation", (set1, set2), {"set_operation": set_operation, "validate_indices": validate_indices}, DenseToDenseSetOperationOutputs, called=name, device=device, after=after)

    def dense_to_sparse_set_operation(
        self,
        set1: Value,
        set2_indices: Value,
        set2_values: Value,
        set2_shape: Value,
        set_operation: str | bytes,
        *,
        validate_indices: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> DenseToSparseSetOperationOutputs:
        """What is in one, the other or both of two sets, along the last axis of a dense and a sparse tensor.

        Args:
            set_operation: `a-b`, `b-a`, `intersection` or `union`.
            validate_indices: Whether to check that indices are in order and within the shape.
        """
        return self._add("DenseToSparseSetOperation", (set1, set2_indices, set2_values, set2_shape), {"set_operation": set_operation, "validate_indices": validate_indices}, DenseToSparseSetOperationOutputs, called=name, device=device, after=after)

    def sparse_to_sparse_set_operation(
        self,
        set1_indices: Value,
        set1_values: Value,
        set1_shape: Value,
        set2_indices: Value,
        set2_values: Value,
        set2_shape: Value,
        set_operation: str | bytes,
        *,
        validate_indices: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> SparseToSparseSetOperationOutputs:
        """What is in one, the other or both of two sets, along the last axis of two sparse tensors.

        Args:
            set_operation: `a-b`, `b-a`, `intersection` or `union`.
            validate_indices: Whether to check that indices are in order and within the shape.
        """
        return self._add("SparseToSparseSetOperation", (set1_indices, set1_values, set1_shape, set2_indices, set2_values, set2_shape), {"set_operation": set_operation, "validate_indices": validate_indices}, SparseToSparseSetOperationOutputs, called=name, device=device, after=after)

    def set_size(
        self,
        set_indices: Value,
        set_values: Value,
        set_shape: Value,
        *,
        validate_indices: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The number of different values along the last axis of a sparse tensor.

        Args:
            validate_indices: Whether to check that the indices are in order and within the shape.
        """
        return self._add("SetSize", (set_indices, set_values, set_shape), {"validate_indices": validate_indices}, None, called=name, device=device, after=after)

    # sparse

    def sparse_add(
        self,
        a_indices: Value,
        a_values: Value,
        a_shape: Value,
        b_indices: Value,
        b_values: Value,
        b_shape: Value,
        thresh: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> SparseAddOutputs:
        """The sum of two sparse tensors, without the sums of two elements that are less than `thresh` in magnitude."""
        return self._add("SparseAdd", (a_indices, a_values, a_shape, b_indices, b_values, b_shape, thresh), {}, SparseAddOutputs, called=name, device=device, after=after)

    def sparse_add_grad(
        self,
        backprop_val_grad: Value,
        a_indices: Value,
        b_indices: Value,
        sum_indices: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> SparseAddGradOutputs:
        """The gradients of `SparseAdd` with respect to the values of the operands."""
        return self._add("SparseAddGrad", (backprop_val_grad, a_indices, b_indices, sum_indices), {}, SparseAddGradOutputs, called=name, device=device, after=after)

    def sparse_concat(
        self,
        indices: Sequence[Value],
        values: Sequence[Value],
        shapes: Sequence[Value],
        concat_dim: int,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> SparseConcatOutputs:
        """Sparse tensors side by side along axis `concat_dim`, with the elements in row-major order.

        Args:
            concat_dim: The axis; a negative one counts from the end.
        """
        return self._add("SparseConcat", (indices, values, shapes), {"concat_dim": concat_dim}, SparseConcatOutputs, called=name, device=device, after=after)

    def dense_count_sparse_output(
        self,
        values: Value,
        weights: Value,
        binary_output: bool,
        *,
        minlength: int = -1,
        maxlength: int = -1,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> DenseCountSparseOutputOutputs:
        """How often each number occurs in a vector, or in each row of a matrix.

        Args:
            binary_output: True to say only whether a number occurs, as 1.
            minlength: Least size of a row of the result; -1 for as small as may be.
            maxlength: Size of a row of the result, larger numbers do not count; -1 for as large as it must be.
        """
        return self._add("DenseCountSparseOutput", (values, weights), {"binary_output": binary_output, "minlength": minlength, "maxlength": maxlength}, DenseCountSparseOutputOutputs, called=name, device=device, after=after)

    def ragged_count_sparse_output(
        self,
        splits: Value,
        values: Value,
        weights: Value,
        binary_output: bool,
        *,
        minlength: int = -1,
        maxlength: int = -1,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> RaggedCountSparseOutputOutputs:
        """How often each number occurs in each row of a ragged matrix.

        Args:
            binary_output: True to say only whether a number occurs, as 1.
            minlength: Least size of a row of the result; -1 for as small as may be.
            maxlength: Size of a row of the result, larger numbers do not count; -1 for as large as it must be.
        """
        return self._add("RaggedCountSparseOutput", (splits, values, weights), {"binary_output": binary_output, "minlength": minlength, "maxlength": maxlength}, RaggedCountSparseOutputOutputs, called=name, device=device, after=after)

    def sparse_count_sparse_output(
        self,
        indices: Value,
        values: Value,
        dense_shape: Value,
        weights: Value,
        binary_output: bool,
        *,
        minlength: int = -1,
        maxlength: int = -1,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> SparseCountSparseOutputOutputs:
        """How often each number occurs in a sparse vector, or in each row of a sparse tensor.

        Args:
            binary_output: True to say only whether a number occurs, as 1.
            minlength: Least size of a row of the result; -1 for as small as may be.
            maxlength: Size of a row of the result, larger numbers do not count; -1 for as large as it must be.
        """
        return self._add("SparseCountSparseOutput", (indices, values, dense_shape, weights), {"binary_output": binary_output, "minlength": minlength, "maxlength": maxlength}, SparseCountSparseOutputOutputs, called=name, device=device, after=after)

    def ragged_cross(
        self,
        ragged_values: Sequence[Value],
        ragged_row_splits: Sequence[Value],
        sparse_indices: Sequence[Value],
        sparse_values: Sequence[Value],
        sparse_shape: Sequence[Value],
        dense_inputs: Sequence[Value],
        input_order: str | bytes,
        hashed_output: bool,
        num_buckets: int,
        hash_key: int,
        out_values_type: DTypeLike,
        out_row_splits_type: DTypeLike,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> RaggedCrossOutputs:
        """Every combination of one feature of each column, row by row, as a ragged tensor; hashed where `hashed_output`.

        Args:
            input_order: For each column of which kind the next is: `R`, `S` or `D`.
            hashed_output: True for hashes, false for texts.
            num_buckets: What hashes are taken modulo; 0 for the largest int64.
            hash_key: What hashes begin with.
            out_values_type: Element type of the result.
            out_row_splits_type: Element type of the result's row splits.
        """
        return self._add("RaggedCross", (ragged_values, ragged_row_splits, sparse_indices, sparse_values, sparse_shape, dense_inputs), {"input_order": input_order, "hashed_output": hashed_output, "num_buckets": num_buckets, "hash_key": hash_key, "out_values_type": out_values_type, "out_row_splits_type": out_row_splits_type}, RaggedCrossOutputs, called=name, device=device, after=after)

    def sparse_cross(
        self,
        indices: Sequence[Value],
        values: Sequence[Value],
        shapes: Sequence[Value],
        dense_inputs: Sequence[Value],
        hashed_output: bool,
        num_buckets: int,
        hash_key: int,
        out_type: DTypeLike,
        internal_type: DTypeLike,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> SparseCrossOutputs:
        """Every combination of one feature of each column, row by row; hashed where `hashed_output`.

        Args:
            hashed_output: True for hashes, false for texts.
            num_buckets: What hashes are taken modulo; 0 for the largest int64.
            hash_key: What hashes begin with.
            out_type: Element type of the result.
            internal_type: What features are taken for.
        """
        return self._add("SparseCross", (indices, values, shapes, dense_inputs), {"hashed_output": hashed_output, "num_buckets": num_buckets, "hash_key": hash_key, "out_type": out_type, "internal_type": internal_type}, SparseCrossOutputs, called=name, device=device, after=after)

    def sparse_cross_hashed(
        self,
        indices: Sequence[Value],
        values: Sequence[Value],
        shapes: Sequence[Value],
        dense_inputs: Sequence[Value],
        num_buckets: Value,
        strong_hash: Value,
        salt: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> SparseCrossHashedOutputs:
        """Every combination of one feature of each column, row by row, hashed."""
        return self._add("SparseCrossHashed", (indices, values, shapes, dense_inputs, num_buckets, strong_hash, salt), {}, SparseCrossHashedOutputs, called=name, device=device, after=after)

    def sparse_cross_v2(
        self,
        indices: Sequence[Value],
        values: Sequence[Value],
        shapes: Sequence[Value],
        dense_inputs: Sequence[Value],
        sep: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> SparseCrossV2Outputs:
        """Every combination of one feature of each column, row by row, joined with `sep` between them."""
        return self._add("SparseCrossV2", (indices, values, shapes, dense_inputs, sep), {}, SparseCrossV2Outputs, called=name, device=device, after=after)

    def sparse_dense_cwise_add(
        self,
        sp_indices: Value,
        sp_values: Value,
        sp_shape: Value,
        dense: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The values of a sparse tensor, each plus the element of `dense` at its place. What is not there stays away."""
        return self._add("SparseDenseCwiseAdd", (sp_indices, sp_values, sp_shape, dense), {}, None, called=name, device=device, after=after)

    def sparse_dense_cwise_div(
        self,
        sp_indices: Value,
        sp_values: Value,
        sp_shape: Value,
        dense: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The values of a sparse tensor, each divided by the element of `dense` at its place."""
        return self._add("SparseDenseCwiseDiv", (sp_indices, sp_values, sp_shape, dense), {}, None, called=name, device=device, after=after)

    def sparse_dense_cwise_mul(
        self,
        sp_indices: Value,
        sp_values: Value,
        sp_shape: Value,
        dense: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The values of a sparse tensor, each times the element of `dense` at its place."""
        return self._add("SparseDenseCwiseMul", (sp_indices, sp_values, sp_shape, dense), {}, None, called=name, device=device, after=after)

    def sparse_sparse_maximum(
        self,
        a_indices: Value,
        a_values: Value,
        a_shape: Value,
        b_indices: Value,
        b_values: Value,
        b_shape: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> SparseSparseMaximumOutputs:
        """The larger elements of two sparse tensors, in which what is not there counts as 0."""
        return self._add("SparseSparseMaximum", (a_indices, a_values, a_shape, b_indices, b_values, b_shape), {}, SparseSparseMaximumOutputs, called=name, device=device, after=after)

    def sparse_sparse_minimum(
        self,
        a_indices: Value,
        a_values: Value,
        a_shape: Value,
        b_indices: Value,
        b_values: Value,
        b_shape: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> SparseSparseMinimumOutputs:
        """The smaller elements of two sparse tensors, in which what is not there counts as 0."""
        return self._add("SparseSparseMinimum", (a_indices, a_values, a_shape, b_indices, b_values, b_shape), {}, SparseSparseMinimumOutputs, called=name, device=device, after=after)

    def ragged_fill_empty_rows(
        self,
        value_rowids: Value,
        values: Value,
        nrows: Value,
        default_value: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> RaggedFillEmptyRowsOutputs:
        """The values of a ragged matrix, in which every row that was empty holds `default_value`."""
        return self._add("RaggedFillEmptyRows", (value_rowids, values, nrows, default_value), {}, RaggedFillEmptyRowsOutputs, called=name, device=device, after=after)

    def sparse_fill_empty_rows(
        self,
        indices: Value,
        values: Value,
        dense_shape: Value,
        default_value: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> SparseFillEmptyRowsOutputs:
        """A sparse tensor in which every row that was empty holds `default_value` at its beginning."""
        return self._add("SparseFillEmptyRows", (indices, values, dense_shape, default_value), {}, SparseFillEmptyRowsOutputs, called=name, device=device, after=after)

    def sparse_fill_empty_rows_grad(
        self,
        reverse_index_map: Value,
        grad_values: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> SparseFillEmptyRowsGradOutputs:
        """The gradients of `SparseFillEmptyRows` with respect to the values and the default value."""
        return self._add("SparseFillEmptyRowsGrad", (reverse_index_map, grad_values), {}, SparseFillEmptyRowsGradOutputs, called=name, device=device, after=after)

    def ragged_fill_empty_rows_grad(
        self,
        reverse_index_map: Value,
        grad_values: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> RaggedFillEmptyRowsGradOutputs:
        """The gradients of `RaggedFillEmptyRows` with respect to the values and the default value."""
        return self._add("RaggedFillEmptyRowsGrad", (reverse_index_map, grad_values), {}, RaggedFillEmptyRowsGradOutputs, called=name, device=device, after=after)

    def sparse_mat_mul(
        self,
        a: Value,
        b: Value,
        *,
        transpose_a: bool = False,
        transpose_b: bool = False,
        a_is_sparse: bool = False,
        b_is_sparse: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The product of two dense matrices; hints say which of them holds many zeros.

        Args:
            transpose_a: Transposes `a`.
            transpose_b: Transposes `b`.
            a_is_sparse: True where `a` holds many zeros.
            b_is_sparse: True where `b` holds many zeros.
        """
        return self._add("SparseMatMul", (a, b), {"transpose_a": transpose_a, "transpose_b": transpose_b, "a_is_sparse": a_is_sparse, "b_is_sparse": b_is_sparse}, None, called=name, device=device, after=after)

    def sparse_reduce_max(
        self,
        input_indices: Value,
        input_values: Value,
        input_shape: Value,
        reduction_axes: Value,
        *,
        keep_dims: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The largest elements along axes, of those that are there; 0 where none is.

        Args:
            keep_dims: True to keep the axes that are reduced, with size 1.
        """
        return self._add("SparseReduceMax", (input_indices, input_values, input_shape, reduction_axes), {"keep_dims": keep_dims}, None, called=name, device=device, after=after)

    def sparse_reduce_max_sparse(
        self,
        input_indices: Value,
        input_values: Value,
        input_shape: Value,
        reduction_axes: Value,
        *,
        keep_dims: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> SparseReduceMaxSparseOutputs:
        """The largest elements along axes, of those that are there, as a sparse tensor.

        Args:
            keep_dims: True to keep the axes that are reduced, with size 1.
        """
        return self._add("SparseReduceMaxSparse", (input_indices, input_values, input_shape, reduction_axes), {"keep_dims": keep_dims}, SparseReduceMaxSparseOutputs, called=name, device=device, after=after)

    def sparse_reduce_sum(
        self,
        input_indices: Value,
        input_values: Value,
        input_shape: Value,
        reduction_axes: Value,
        *,
        keep_dims: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The sums of the elements along axes.

        Args:
            keep_dims: True to keep the axes that are reduced, with size 1.
        """
        return self._add("SparseReduceSum", (input_indices, input_values, input_shape, reduction_axes), {"keep_dims": keep_dims}, None, called=name, device=device, after=after)

    def sparse_reduce_sum_sparse(
        self,
        input_indices: Value,
        input_values: Value,
        input_shape: Value,
        reduction_axes: Value,
        *,
        keep_dims: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> SparseReduceSumSparseOutputs:
        """The sums of the elements along axes, as a sparse tensor.

        Args:
            keep_dims: True to keep the axes that are reduced, with size 1.
        """
        return self._add("SparseReduceSumSparse", (input_indices, input_values, input_shape, reduction_axes), {"keep_dims": keep_dims}, SparseReduceSumSparseOutputs, called=name, device=device, after=after)

    def sparse_reorder(
        self,
        input_indices: Value,
        input_values: Value,
        input_shape: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> SparseReorderOutputs:
        """The same sparse tensor with its elements in row-major order."""
        return self._add("SparseReorder", (input_indices, input_values, input_shape), {}, SparseReorderOutputs, called=name, device=device, after=after)

    def sparse_reshape(
        self,
        input_indices: Value,
        input_shape: Value,
        new_shape: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> SparseReshapeOutputs:
        """The indices that the elements of a sparse tensor have in another shape, of which one size may be -1."""
        return self._add("SparseReshape", (input_indices, input_shape, new_shape), {}, SparseReshapeOutputs, called=name, device=device, after=after)

    def deserialize_many_sparse(
        self,
        serialized_sparse: Value,
        dtype: DTypeLike,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> DeserializeManySparseOutputs:
        """One sparse tensor from the rows that `SerializeManySparse` made of it.

        Args:
            dtype: Element type.
        """
        return self._add("DeserializeManySparse", (serialized_sparse,), {"dtype": dtype}, DeserializeManySparseOutputs, called=name, device=device, after=after)

    def deserialize_sparse(
        self,
        serialized_sparse: Value,
        dtype: DTypeLike,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> DeserializeSparseOutputs:
        """Sparse tensors from what `SerializeSparse` made of them; the axes before the last come first in the result.

        Args:
            dtype: Element type.
        """
        return self._add("DeserializeSparse", (serialized_sparse,), {"dtype": dtype}, DeserializeSparseOutputs, called=name, device=device, after=after)

    def serialize_many_sparse(
        self,
        sparse_indices: Value,
        sparse_values: Value,
        sparse_shape: Value,
        *,
        out_type: DTypeLike = 'string',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Each row of a sparse tensor as three strings or variants.

        Args:
            out_type: What comes out: strings or variants.
        """
        return self._add("SerializeManySparse", (sparse_indices, sparse_values, sparse_shape), {"out_type": out_type}, None, called=name, device=device, after=after)

    def serialize_sparse(
        self,
        sparse_indices: Value,
        sparse_values: Value,
        sparse_shape: Value,
        *,
        out_type: DTypeLike = 'string',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A sparse tensor as three strings or variants: its indices, values and sizes.

        Args:
            out_type: What comes out: strings or variants.
        """
        return self._add("SerializeSparse", (sparse_indices, sparse_values, sparse_shape), {"out_type": out_type}, None, called=name, device=device, after=after)

    def sparse_slice(
        self,
        indices: Value,
        values: Value,
        shape: Value,
        start: Value,
        size: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> SparseSliceOutputs:
        """The part of a sparse tensor that begins at `start` and is `size` large, or as large as there is."""
        return self._add("SparseSlice", (indices, values, shape, start, size), {}, SparseSliceOutputs, called=name, device=device, after=after)

    def sparse_slice_grad(
        self,
        backprop_val_grad: Value,
        input_indices: Value,
        input_start: Value,
        output_indices: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The gradient of `SparseSlice` with respect to the values of the whole."""
        return self._add("SparseSliceGrad", (backprop_val_grad, input_indices, input_start, output_indices), {}, None, called=name, device=device, after=after)

    def sparse_softmax(
        self,
        sp_indices: Value,
        sp_values: Value,
        sp_shape: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Softmax along the last axis over the elements that are there."""
        return self._add("SparseSoftmax", (sp_indices, sp_values, sp_shape), {}, None, called=name, device=device, after=after)

    def sparse_split(
        self,
        split_dim: Value,
        indices: Value,
        values: Value,
        shape: Value,
        num_split: int,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> SparseSplitOutputs:
        """`num_split` parts along axis `split_dim`; the first parts are one larger where it does not come out even.

        Args:
            num_split: Number of parts.
        """
        return self._add("SparseSplit", (split_dim, indices, values, shape), {"num_split": num_split}, SparseSplitOutputs, called=name, device=device, after=after)

    def sparse_tensor_dense_add(
        self,
        a_indices: Value,
        a_values: Value,
        a_shape: Value,
        b: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The sum of a sparse tensor and a dense one of its shape."""
        return self._add("SparseTensorDenseAdd", (a_indices, a_values, a_shape, b), {}, None, called=name, device=device, after=after)

    def sparse_tensor_dense_mat_mul(
        self,
        a_indices: Value,
        a_values: Value,
        a_shape: Value,
        b: Value,
        *,
        adjoint_a: bool = False,
        adjoint_b: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The product of a sparse matrix and a dense one.

        Args:
            adjoint_a: Whether the adjoint of the sparse matrix is meant.
            adjoint_b: Whether the adjoint of the dense matrix is meant.
        """
        return self._add("SparseTensorDenseMatMul", (a_indices, a_values, a_shape, b), {"adjoint_a": adjoint_a, "adjoint_b": adjoint_b}, None, called=name, device=device, after=after)

    def sparse_to_dense(
        self,
        sparse_indices: Value,
        output_shape: Value,
        sparse_values: Value,
        default_value: Value,
        *,
        validate_indices: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A tensor of `default_value` with `sparse_values` at `sparse_indices`; the last of those with one index counts.

        Args:
            validate_indices: False to take indices in any order, and more than once.
        """
        return self._add("SparseToDense", (sparse_indices, output_shape, sparse_values, default_value), {"validate_indices": validate_indices}, None, called=name, device=device, after=after)

    # state

    def assign(
        self,
        ref: Value,
        value: Value,
        *,
        validate_shape: bool = True,
        use_locking: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Makes `value` the value of a reference variable.

        Args:
            validate_shape: True where the shape must stay what it is.
            use_locking: Without meaning: the lock is always held.
        """
        return self._add("Assign", (ref, value), {"validate_shape": validate_shape, "use_locking": use_locking}, None, called=name, device=device, after=after)

    def assign_variable_op(
        self,
        resource: Value,
        value: Value,
        *,
        validate_shape: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Makes `value` the value of a resource variable.

        Args:
            validate_shape: True where the shape must stay what it is.
        """
        return self._add("AssignVariableOp", (resource, value), {"validate_shape": validate_shape}, None, called=name, device=device, after=after)

    def assign_add(
        self,
        ref: Value,
        value: Value,
        *,
        use_locking: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Adds a value to a variable.

        Args:
            use_locking: Without meaning: the lock is always held.
        """
        return self._add("AssignAdd", (ref, value), {"use_locking": use_locking}, None, called=name, device=device, after=after)

    def assign_add_variable_op(
        self,
        resource: Value,
        value: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Adds a value to a variable."""
        return self._add("AssignAddVariableOp", (resource, value), {}, None, called=name, device=device, after=after)

    def assign_sub(
        self,
        ref: Value,
        value: Value,
        *,
        use_locking: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Subtracts a value from a variable.

        Args:
            use_locking: Without meaning: the lock is always held.
        """
        return self._add("AssignSub", (ref, value), {"use_locking": use_locking}, None, called=name, device=device, after=after)

    def assign_sub_variable_op(
        self,
        resource: Value,
        value: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Subtracts a value from a variable."""
        return self._add("AssignSubVariableOp", (resource, value), {}, None, called=name, device=device, after=after)

    def count_up_to(
        self,
        ref: Value,
        limit: int,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The value of a variable, which is one more then; `OUT_OF_RANGE` once it has reached the limit.

        Args:
            limit: Where counting ends.
        """
        return self._add("CountUpTo", (ref,), {"limit": limit}, None, called=name, device=device, after=after)

    def resource_count_up_to(
        self,
        resource: Value,
        limit: int,
        t: DTypeLike,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The value of a variable, which is one more then; `OUT_OF_RANGE` once it has reached the limit.

        Args:
            limit: Where counting ends.
            t: Element type.
        """
        return self._add("ResourceCountUpTo", (resource,), {"limit": limit, "T": t}, None, called=name, device=device, after=after)

    def _read_variables_op(
        self,
        resources: Sequence[Value],
        dtypes: Sequence[DTypeLike],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """The values of several resource variables.

        Args:
            dtypes: Their element types.
        """
        return self._add("_ReadVariablesOp", (resources,), {"dtypes": dtypes}, None, called=name, device=device, after=after)

    def read_variable_op(
        self,
        resource: Value,
        dtype: DTypeLike,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The value of a resource variable.

        Args:
            dtype: Element type.
        """
        return self._add("ReadVariableOp", (resource,), {"dtype": dtype}, None, called=name, device=device, after=after)

    def is_variable_initialized(
        self,
        ref: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Says whether a reference variable has a value."""
        return self._add("IsVariableInitialized", (ref,), {}, None, called=name, device=device, after=after)

    def ref_identity(
        self,
        input: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Gives its reference on."""
        return self._add("RefIdentity", (input,), {}, None, called=name, device=device, after=after)

    def ref_select(
        self,
        index: Value,
        inputs: Sequence[Value],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Gives on the reference that `index` chooses."""
        return self._add("RefSelect", (index, inputs), {}, None, called=name, device=device, after=after)

    def resource_gather(
        self,
        resource: Value,
        indices: Value,
        dtype: DTypeLike,
        *,
        batch_dims: int = 0,
        validate_indices: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The rows of a variable that `indices` name; the first `batch_dims` axes are walked together.

        Args:
            dtype: Element type.
            batch_dims: Number of leading axes that the variable and `indices` share.
            validate_indices: Without meaning: indices are always checked.
        """
        return self._add("ResourceGather", (resource, indices), {"dtype": dtype, "batch_dims": batch_dims, "validate_indices": validate_indices}, None, called=name, device=device, after=after)

    def resource_gather_nd(
        self,
        resource: Value,
        indices: Value,
        dtype: DTypeLike,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The slices of a variable at the index tuples in the last axis of `indices`.

        Args:
            dtype: Element type.
        """
        return self._add("ResourceGatherNd", (resource, indices), {"dtype": dtype}, None, called=name, device=device, after=after)

    def resource_scatter_add(
        self,
        resource: Value,
        indices: Value,
        updates: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Adds to rows of a variable."""
        return self._add("ResourceScatterAdd", (resource, indices, updates), {}, None, called=name, device=device, after=after)

    def resource_scatter_div(
        self,
        resource: Value,
        indices: Value,
        updates: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Divides rows of a variable."""
        return self._add("ResourceScatterDiv", (resource, indices, updates), {}, None, called=name, device=device, after=after)

    def resource_scatter_max(
        self,
        resource: Value,
        indices: Value,
        updates: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Makes elements of rows of a variable no less than the updates."""
        return self._add("ResourceScatterMax", (resource, indices, updates), {}, None, called=name, device=device, after=after)

    def resource_scatter_min(
        self,
        resource: Value,
        indices: Value,
        updates: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Makes elements of rows of a variable no more than the updates."""
        return self._add("ResourceScatterMin", (resource, indices, updates), {}, None, called=name, device=device, after=after)

    def resource_scatter_mul(
        self,
        resource: Value,
        indices: Value,
        updates: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Multiplies rows of a variable."""
        return self._add("ResourceScatterMul", (resource, indices, updates), {}, None, called=name, device=device, after=after)

    def resource_scatter_sub(
        self,
        resource: Value,
        indices: Value,
        updates: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Subtracts from rows of a variable."""
        return self._add("ResourceScatterSub", (resource, indices, updates), {}, None, called=name, device=device, after=after)

    def resource_scatter_update(
        self,
        resource: Value,
        indices: Value,
        updates: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Replaces rows of a variable."""
        return self._add("ResourceScatterUpdate", (resource, indices, updates), {}, None, called=name, device=device, after=after)

    def scatter_add(
        self,
        ref: Value,
        indices: Value,
        updates: Value,
        *,
        use_locking: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Adds to rows of a variable.

        Args:
            use_locking: Without meaning: the lock is always held.
        """
        return self._add("ScatterAdd", (ref, indices, updates), {"use_locking": use_locking}, None, called=name, device=device, after=after)

    def scatter_div(
        self,
        ref: Value,
        indices: Value,
        updates: Value,
        *,
        use_locking: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Divides rows of a variable.

        Args:
            use_locking: Without meaning: the lock is always held.
        """
        return self._add("ScatterDiv", (ref, indices, updates), {"use_locking": use_locking}, None, called=name, device=device, after=after)

    def scatter_max(
        self,
        ref: Value,
        indices: Value,
        updates: Value,
        *,
        use_locking: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Makes elements of rows of a variable no less than the updates.

        Args:
            use_locking: Without meaning: the lock is always held.
        """
        return self._add("ScatterMax", (ref, indices, updates), {"use_locking": use_locking}, None, called=name, device=device, after=after)

    def scatter_min(
        self,
        ref: Value,
        indices: Value,
        updates: Value,
        *,
        use_locking: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Makes elements of rows of a variable no more than the updates.

        Args:
            use_locking: Without meaning: the lock is always held.
        """
        return self._add("ScatterMin", (ref, indices, updates), {"use_locking": use_locking}, None, called=name, device=device, after=after)

    def scatter_mul(
        self,
        ref: Value,
        indices: Value,
        updates: Value,
        *,
        use_locking: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Multiplies rows of a variable.

        Args:
            use_locking: Without meaning: the lock is always held.
        """
        return self._add("ScatterMul", (ref, indices, updates), {"use_locking": use_locking}, None, called=name, device=device, after=after)

    def scatter_sub(
        self,
        ref: Value,
        indices: Value,
        updates: Value,
        *,
        use_locking: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Subtracts from rows of a variable.

        Args:
            use_locking: Without meaning: the lock is always held.
        """
        return self._add("ScatterSub", (ref, indices, updates), {"use_locking": use_locking}, None, called=name, device=device, after=after)

    def scatter_update(
        self,
        ref: Value,
        indices: Value,
        updates: Value,
        *,
        use_locking: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Replaces rows of a variable.

        Args:
            use_locking: Without meaning: the lock is always held.
        """
        return self._add("ScatterUpdate", (ref, indices, updates), {"use_locking": use_locking}, None, called=name, device=device, after=after)

    def scatter_nd_add(
        self,
        ref: Value,
        indices: Value,
        updates: Value,
        *,
        use_locking: bool = False,
        bad_indices_policy: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Adds to slices of a variable.

        Args:
            use_locking: Without meaning: the lock is always held.
            bad_indices_policy: What happens to indices out of bounds: an error, or with `IGNORE` nothing.
        """
        return self._add("ScatterNdAdd", (ref, indices, updates), {"use_locking": use_locking, "bad_indices_policy": bad_indices_policy}, None, called=name, device=device, after=after)

    def resource_scatter_nd_add(
        self,
        ref: Value,
        indices: Value,
        updates: Value,
        *,
        use_locking: bool = True,
        bad_indices_policy: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Adds to slices of a variable.

        Args:
            use_locking: Without meaning: the lock is always held.
            bad_indices_policy: What happens to indices out of bounds: an error, or with `IGNORE` nothing.
        """
        return self._add("ResourceScatterNdAdd", (ref, indices, updates), {"use_locking": use_locking, "bad_indices_policy": bad_indices_policy}, None, called=name, device=device, after=after)

    def scatter_nd_max(
        self,
        ref: Value,
        indices: Value,
        updates: Value,
        *,
        use_locking: bool = False,
        bad_indices_policy: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Makes elements of slices of a variable no less than the updates.

        Args:
            use_locking: Without meaning: the lock is always held.
            bad_indices_policy: What happens to indices out of bounds: an error, or with `IGNORE` nothing.
        """
        return self._add("ScatterNdMax", (ref, indices, updates), {"use_locking": use_locking, "bad_indices_policy": bad_indices_policy}, None, called=name, device=device, after=after)

    def resource_scatter_nd_max(
        self,
        ref: Value,
        indices: Value,
        updates: Value,
        *,
        use_locking: bool = True,
        bad_indices_policy: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Makes elements of slices of a variable no less than the updates.

        Args:
            use_locking: Without meaning: the lock is always held.
            bad_indices_policy: What happens to indices out of bounds: an error, or with `IGNORE` nothing.
        """
        return self._add("ResourceScatterNdMax", (ref, indices, updates), {"use_locking": use_locking, "bad_indices_policy": bad_indices_policy}, None, called=name, device=device, after=after)

    def scatter_nd_min(
        self,
        ref: Value,
        indices: Value,
        updates: Value,
        *,
        use_locking: bool = False,
        bad_indices_policy: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Makes elements of slices of a variable no more than the updates.

        Args:
            use_locking: Without meaning: the lock is always held.
            bad_indices_policy: What happens to indices out of bounds: an error, or with `IGNORE` nothing.
        """
        return self._add("ScatterNdMin", (ref, indices, updates), {"use_locking": use_locking, "bad_indices_policy": bad_indices_policy}, None, called=name, device=device, after=after)

    def resource_scatter_nd_min(
        self,
        ref: Value,
        indices: Value,
        updates: Value,
        *,
        use_locking: bool = True,
        bad_indices_policy: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Makes elements of slices of a variable no more than the updates.

        Args:
            use_locking: Without meaning: the lock is always held.
            bad_indices_policy: What happens to indices out of bounds: an error, or with `IGNORE` nothing.
        """
        return self._add("ResourceScatterNdMin", (ref, indices, updates), {"use_locking": use_locking, "bad_indices_policy": bad_indices_policy}, None, called=name, device=device, after=after)

    def scatter_nd_sub(
        self,
        ref: Value,
        indices: Value,
        updates: Value,
        *,
        use_locking: bool = False,
        bad_indices_policy: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Subtracts from slices of a variable.

        Args:
            use_locking: Without meaning: the lock is always held.
            bad_indices_policy: What happens to indices out of bounds: an error, or with `IGNORE` nothing.
        """
        return self._add("ScatterNdSub", (ref, indices, updates), {"use_locking": use_locking, "bad_indices_policy": bad_indices_policy}, None, called=name, device=device, after=after)

    def resource_scatter_nd_sub(
        self,
        ref: Value,
        indices: Value,
        updates: Value,
        *,
        use_locking: bool = True,
        bad_indices_policy: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Subtracts from slices of a variable.

        Args:
            use_locking: Without meaning: the lock is always held.
            bad_indices_policy: What happens to indices out of bounds: an error, or with `IGNORE` nothing.
        """
        return self._add("ResourceScatterNdSub", (ref, indices, updates), {"use_locking": use_locking, "bad_indices_policy": bad_indices_policy}, None, called=name, device=device, after=after)

    def scatter_nd_update(
        self,
        ref: Value,
        indices: Value,
        updates: Value,
        *,
        use_locking: bool = False,
        bad_indices_policy: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Replaces slices of a variable.

        Args:
            use_locking: Without meaning: the lock is always held.
            bad_indices_policy: What happens to indices out of bounds: an error, or with `IGNORE` nothing.
        """
        return self._add("ScatterNdUpdate", (ref, indices, updates), {"use_locking": use_locking, "bad_indices_policy": bad_indices_policy}, None, called=name, device=device, after=after)

    def resource_scatter_nd_update(
        self,
        ref: Value,
        indices: Value,
        updates: Value,
        *,
        use_locking: bool = True,
        bad_indices_policy: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Replaces slices of a variable.

        Args:
            use_locking: Without meaning: the lock is always held.
            bad_indices_policy: What happens to indices out of bounds: an error, or with `IGNORE` nothing.
        """
        return self._add("ResourceScatterNdUpdate", (ref, indices, updates), {"use_locking": use_locking, "bad_indices_policy": bad_indices_policy}, None, called=name, device=device, after=after)

    def delete_session_tensor(
        self,
        handle: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Forgets the tensor that a handle stands for."""
        return self._add("DeleteSessionTensor", (handle,), {}, None, called=name, device=device, after=after)

    def get_session_handle(
        self,
        value: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Keeps a tensor in the session where the run fetches its handle, which is text."""
        return self._add("GetSessionHandle", (value,), {}, None, called=name, device=device, after=after)

    def get_session_handle_v2(
        self,
        value: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Keeps a tensor in the session where the run fetches its handle, which is that of a resource."""
        return self._add("GetSessionHandleV2", (value,), {}, None, called=name, device=device, after=after)

    def get_session_tensor(
        self,
        handle: Value,
        dtype: DTypeLike,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The tensor that a handle stands for.

        Args:
            dtype: Element type.
        """
        return self._add("GetSessionTensor", (handle,), {"dtype": dtype}, None, called=name, device=device, after=after)

    def add_many_sparse_to_tensors_map(
        self,
        sparse_indices: Value,
        sparse_values: Value,
        sparse_shape: Value,
        *,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Lays up each row of a sparse tensor as one of its own; their numbers.

        Args:
            container: Container that holds the sparse tensors; empty for the default one.
            shared_name: Name in the container; empty for the node's.
        """
        return self._add("AddManySparseToTensorsMap", (sparse_indices, sparse_values, sparse_shape), {"container": container, "shared_name": shared_name}, None, called=name, device=device, after=after)

    def add_sparse_to_tensors_map(
        self,
        sparse_indices: Value,
        sparse_values: Value,
        sparse_shape: Value,
        *,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Lays up a sparse tensor; its number.

        Args:
            container: Container that holds the sparse tensors; empty for the default one.
            shared_name: Name in the container; empty for the node's.
        """
        return self._add("AddSparseToTensorsMap", (sparse_indices, sparse_values, sparse_shape), {"container": container, "shared_name": shared_name}, None, called=name, device=device, after=after)

    def take_many_sparse_from_tensors_map(
        self,
        sparse_handles: Value,
        dtype: DTypeLike,
        *,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> TakeManySparseFromTensorsMapOutputs:
        """Takes the sparse tensors with the given numbers and puts them together along a new first axis.

        Args:
            dtype: Element type.
            container: Container that holds the sparse tensors; empty for the default one.
            shared_name: Name in the container; empty for the node's.
        """
        return self._add("TakeManySparseFromTensorsMap", (sparse_handles,), {"dtype": dtype, "container": container, "shared_name": shared_name}, TakeManySparseFromTensorsMapOutputs, called=name, device=device, after=after)

    def stack(
        self,
        elem_type: DTypeLike,
        *,
        stack_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A new stack.

        Args:
            elem_type: Element type.
            stack_name: Name for messages; empty for the node's.
        """
        return self._add("Stack", (), {"elem_type": elem_type, "stack_name": stack_name}, None, called=name, device=device, after=after)

    def stack_close(
        self,
        handle: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Gives the memory of a stack back; it cannot be used any more."""
        return self._add("StackClose", (handle,), {}, None, called=name, device=device, after=after)

    def stack_close_v2(
        self,
        handle: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Gives the memory of a stack back; it cannot be used any more."""
        return self._add("StackCloseV2", (handle,), {}, None, called=name, device=device, after=after)

    def stack_pop(
        self,
        handle: Value,
        elem_type: DTypeLike,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Pops the tensor that was pushed last.

        Args:
            elem_type: Element type.
        """
        return self._add("StackPop", (handle,), {"elem_type": elem_type}, None, called=name, device=device, after=after)

    def stack_pop_v2(
        self,
        handle: Value,
        elem_type: DTypeLike,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Pops the tensor that was pushed last.

        Args:
            elem_type: Element type.
        """
        return self._add("StackPopV2", (handle,), {"elem_type": elem_type}, None, called=name, device=device, after=after)

    def stack_push(
        self,
        handle: Value,
        elem: Value,
        *,
        swap_memory: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Pushes a tensor, and gives it on.

        Args:
            swap_memory: In TensorFlow, whether it may be moved to the host.
        """
        return self._add("StackPush", (handle, elem), {"swap_memory": swap_memory}, None, called=name, device=device, after=after)

    def stack_push_v2(
        self,
        handle: Value,
        elem: Value,
        *,
        swap_memory: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Pushes a tensor, and gives it on.

        Args:
            swap_memory: In TensorFlow, whether it may be moved to the host.
        """
        return self._add("StackPushV2", (handle, elem), {"swap_memory": swap_memory}, None, called=name, device=device, after=after)

    def stack_v2(
        self,
        max_size: Value,
        elem_type: DTypeLike,
        *,
        stack_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A new stack of at most `max_size` tensors.

        Args:
            elem_type: Element type.
            stack_name: Name for messages; empty for the node's.
        """
        return self._add("StackV2", (max_size,), {"elem_type": elem_type, "stack_name": stack_name}, None, called=name, device=device, after=after)

    def strided_slice_assign(
        self,
        ref: Value,
        begin: Value,
        end: Value,
        strides: Value,
        value: Value,
        *,
        begin_mask: int = 0,
        end_mask: int = 0,
        ellipsis_mask: int = 0,
        new_axis_mask: int = 0,
        shrink_axis_mask: int = 0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Replaces the slice of a variable by `value`, broadcast.

        Args:
            begin_mask: Bit `i` set: ignore `begin[i]` and start at the end of the axis that the stride leaves.
            end_mask: Bit `i` set: ignore `end[i]` and go to the other end of the axis.
            ellipsis_mask: Bit `i` set: entry `i` stands for as many whole axes as are left.
            new_axis_mask: Bit `i` set: entry `i` is a new axis of size 1.
            shrink_axis_mask: Bit `i` set: entry `i` picks one index, and the axis goes away.
        """
        return self._add("StridedSliceAssign", (ref, begin, end, strides, value), {"begin_mask": begin_mask, "end_mask": end_mask, "ellipsis_mask": ellipsis_mask, "new_axis_mask": new_axis_mask, "shrink_axis_mask": shrink_axis_mask}, None, called=name, device=device, after=after)

    def resource_strided_slice_assign(
        self,
        ref: Value,
        begin: Value,
        end: Value,
        strides: Value,
        value: Value,
        *,
        begin_mask: int = 0,
        end_mask: int = 0,
        ellipsis_mask: int = 0,
        new_axis_mask: int = 0,
        shrink_axis_mask: int = 0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Replaces the slice of a variable by `value`, broadcast.

        Args:
            begin_mask: Bit `i` set: ignore `begin[i]` and start at the end of the axis that the stride leaves.
            end_mask: Bit `i` set: ignore `end[i]` and go to the other end of the axis.
            ellipsis_mask: Bit `i` set: entry `i` stands for as many whole axes as are left.
            new_axis_mask: Bit `i` set: entry `i` is a new axis of size 1.
            shrink_axis_mask: Bit `i` set: entry `i` picks one index, and the axis goes away.
        """
        return self._add("ResourceStridedSliceAssign", (ref, begin, end, strides, value), {"begin_mask": begin_mask, "end_mask": end_mask, "ellipsis_mask": ellipsis_mask, "new_axis_mask": new_axis_mask, "shrink_axis_mask": shrink_axis_mask}, None, called=name, device=device, after=after)

    def resource_create_op(
        self,
        resource: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Creates a resource that holds nothing."""
        return self._add("ResourceCreateOp", (resource,), {}, None, called=name, device=device, after=after)

    def stub_resource_handle_op(
        self,
        *,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The handle of a resource that holds nothing and is not there before it is created.

        Args:
            container: Container that holds it; empty for the default one.
            shared_name: Name in the container; empty for the node's.
        """
        return self._add("StubResourceHandleOp", (), {"container": container, "shared_name": shared_name}, None, called=name, device=device, after=after)

    def destroy_temporary_variable(
        self,
        ref: Value,
        var_name: str | bytes,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The value of a temporary variable, which is gone then.

        Args:
            var_name: Name in the step.
        """
        return self._add("DestroyTemporaryVariable", (ref,), {"var_name": var_name}, None, called=name, device=device, after=after)

    def temporary_variable(
        self,
        shape: ShapeLike | None,
        dtype: DTypeLike,
        *,
        var_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A reference to a new variable full of zeros, which is gone at the end of the step.

        Args:
            shape: Shape of the value.
            dtype: Element type.
            var_name: Name in the step; empty for the node's.
        """
        return self._add("TemporaryVariable", (), {"shape": shape, "dtype": dtype, "var_name": var_name}, None, called=name, device=device, after=after)

    def destroy_resource_op(
        self,
        resource: Value,
        *,
        ignore_lookup_error: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Takes a resource out of its container. What it holds is gone; a variable can be assigned anew.

        Args:
            ignore_lookup_error: True where a resource that is not there is no error.
        """
        return self._add("DestroyResourceOp", (resource,), {"ignore_lookup_error": ignore_lookup_error}, None, called=name, device=device, after=after)

    def variable_shape(
        self,
        input: Value,
        *,
        out_type: DTypeLike = 'int32',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The shape of a resource variable's value.

        Args:
            out_type: Element type of the result.
        """
        return self._add("VariableShape", (input,), {"out_type": out_type}, None, called=name, device=device, after=after)

    def var_handle_op(
        self,
        dtype: DTypeLike,
        shape: ShapeLike | None,
        *,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        debug_name: str | bytes = '',
        allowed_devices: Sequence[str | bytes] = (),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A handle of a resource variable, which has no value until it is assigned.

        Args:
            dtype: Element type of the value.
            shape: Shape of the value.
            container: Container that holds the variable; empty for the default one.
            shared_name: Name in the container; empty for the node's.
            debug_name: Name for people.
            allowed_devices: Devices that may hold the value; empty for all.
        """
        return self._add("VarHandleOp", (), {"dtype": dtype, "shape": shape, "container": container, "shared_name": shared_name, "debug_name": debug_name, "allowed_devices": allowed_devices}, None, called=name, device=device, after=after)

    def var_is_initialized_op(
        self,
        resource: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Says whether a resource variable has a value."""
        return self._add("VarIsInitializedOp", (resource,), {}, None, called=name, device=device, after=after)

    def variable(
        self,
        shape: ShapeLike | None,
        dtype: DTypeLike,
        *,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """[`VariableV2`] as it was first: a shape without axes stands for one that is not known.

        Args:
            shape: Shape of the value.
            dtype: Element type.
            container: Container that holds the variable; empty for the default one.
            shared_name: Name in the container; empty for the node's.
        """
        return self._add("Variable", (), {"shape": shape, "dtype": dtype, "container": container, "shared_name": shared_name}, None, called=name, device=device, after=after)

    def variable_v2(
        self,
        shape: ShapeLike | None,
        dtype: DTypeLike,
        *,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A reference to a variable, which lives as long as its container.

        Args:
            shape: Shape of the value.
            dtype: Element type.
            container: Container that holds the variable; empty for the default one.
            shared_name: Name in the container; empty for the node's.
        """
        return self._add("VariableV2", (), {"shape": shape, "dtype": dtype, "container": container, "shared_name": shared_name}, None, called=name, device=device, after=after)

    # strings

    def as_string(
        self,
        input: Value,
        *,
        precision: int = -1,
        scientific: bool = False,
        shortest: bool = False,
        width: int = -1,
        fill: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Writes every element as C's `printf` would.

        Args:
            precision: Digits after the point; negative for 6.
            scientific: Whether to write `1.5e+00`.
            shortest: Whether to choose the shorter of the two notations.
            width: Least number of bytes; negative for none.
            fill: How to fill up to the width: nothing or one of `printf`'s flags.
        """
        return self._add("AsString", (input,), {"precision": precision, "scientific": scientific, "shortest": shortest, "width": width, "fill": fill}, None, called=name, device=device, after=after)

    def decode_base64(
        self,
        input: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Reads strings in Base64, filled up with `=` or not."""
        return self._add("DecodeBase64", (input,), {}, None, called=name, device=device, after=after)

    def encode_base64(
        self,
        input: Value,
        *,
        pad: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Writes strings in Base64.

        Args:
            pad: Whether to fill up to groups of four characters with `=`.
        """
        return self._add("EncodeBase64", (input,), {"pad": pad}, None, called=name, device=device, after=after)

    def decode_csv(
        self,
        records: Value,
        record_defaults: Sequence[Value],
        *,
        field_delim: str | bytes = ',',
        use_quote_delim: bool = True,
        na_value: str | bytes = '',
        select_cols: Sequence[int] = (),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """Splits each record into fields and reads each field as its column's dtype.

        Args:
            field_delim: What stands between two fields: one byte.
            use_quote_delim: Whether a field may stand between quotes.
            na_value: What stands for a field that is missing, besides nothing.
            select_cols: Numbers of the fields to read, rising; none for all.
        """
        return self._add("DecodeCSV", (records, record_defaults), {"field_delim": field_delim, "use_quote_delim": use_quote_delim, "na_value": na_value, "select_cols": select_cols}, None, called=name, device=device, after=after)

    def decode_padded_raw(
        self,
        input_bytes: Value,
        fixed_length: Value,
        out_type: DTypeLike,
        *,
        little_endian: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Reads the first `fixed_length` bytes of each string as numbers; shorter strings are filled up with zeros.

        Args:
            out_type: Element type of the numbers.
            little_endian: Whether the low byte of a number comes first.
        """
        return self._add("DecodePaddedRaw", (input_bytes, fixed_length), {"out_type": out_type, "little_endian": little_endian}, None, called=name, device=device, after=after)

    def decode_raw(
        self,
        bytes: Value,
        out_type: DTypeLike,
        *,
        little_endian: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Reads the bytes of each string as numbers; all must be equally long.

        Args:
            out_type: Element type of the numbers.
            little_endian: Whether the low byte of a number comes first.
        """
        return self._add("DecodeRaw", (bytes,), {"out_type": out_type, "little_endian": little_endian}, None, called=name, device=device, after=after)

    def string_lower(
        self,
        input: Value,
        *,
        encoding: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Writes letters small.

        Args:
            encoding: Empty to change ASCII letters only, `utf-8` to change all.
        """
        return self._add("StringLower", (input,), {"encoding": encoding}, None, called=name, device=device, after=after)

    def string_strip(
        self,
        input: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Takes blanks off both ends."""
        return self._add("StringStrip", (input,), {}, None, called=name, device=device, after=after)

    def string_upper(
        self,
        input: Value,
        *,
        encoding: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Writes letters large.

        Args:
            encoding: Empty to change ASCII letters only, `utf-8` to change all.
        """
        return self._add("StringUpper", (input,), {"encoding": encoding}, None, called=name, device=device, after=after)

    def fingerprint(
        self,
        data: Value,
        method: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The fingerprint of the bytes of each row, along the first axis. That of several strings is the fingerprint of
        theirs."""
        return self._add("Fingerprint", (data, method), {}, None, called=name, device=device, after=after)

    def string_format(
        self,
        inputs: Sequence[Value],
        *,
        template: str | bytes = '%s',
        placeholder: str | bytes = '%s',
        summarize: int = 3,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Writes the inputs where the template has placeholders.

        Args:
            template: The text around the inputs.
            placeholder: What stands for an input in the template.
            summarize: How many elements at both ends of an axis to show; negative for all.
        """
        return self._add("StringFormat", (inputs,), {"template": template, "placeholder": placeholder, "summarize": summarize}, None, called=name, device=device, after=after)

    def string_to_hash_bucket(
        self,
        string_tensor: Value,
        num_buckets: int,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Gives the bucket of each string.

        Args:
            num_buckets: Number of buckets.
        """
        return self._add("StringToHashBucket", (string_tensor,), {"num_buckets": num_buckets}, None, called=name, device=device, after=after)

    def string_to_hash_bucket_fast(
        self,
        input: Value,
        num_buckets: int,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Gives the bucket of each string, the same in every version.

        Args:
            num_buckets: Number of buckets.
        """
        return self._add("StringToHashBucketFast", (input,), {"num_buckets": num_buckets}, None, called=name, device=device, after=after)

    def string_to_hash_bucket_strong(
        self,
        input: Value,
        num_buckets: int,
        key: Sequence[int],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Gives the bucket of each string under a key; who does not know it cannot aim at a bucket.

        Args:
            num_buckets: Number of buckets.
            key: The key: two numbers.
        """
        return self._add("StringToHashBucketStrong", (input,), {"num_buckets": num_buckets, "key": key}, None, called=name, device=device, after=after)

    def string_join(
        self,
        inputs: Sequence[Value],
        *,
        separator: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Joins the elements of `inputs`; scalars go with every element of the others.

        Args:
            separator: What goes between two of them.
        """
        return self._add("StringJoin", (inputs,), {"separator": separator}, None, called=name, device=device, after=after)

    def string_length(
        self,
        input: Value,
        *,
        unit: str | bytes = 'BYTE',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Gives the length of each string.

        Args:
            unit: Whether to count bytes or characters of UTF-8.
        """
        return self._add("StringLength", (input,), {"unit": unit}, None, called=name, device=device, after=after)

    def string_n_grams(
        self,
        data: Value,
        data_splits: Value,
        separator: str | bytes,
        ngram_widths: Sequence[int],
        left_pad: str | bytes,
        right_pad: str | bytes,
        pad_width: int,
        preserve_short_sequences: bool,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> StringNGramsOutputs:
        """Joins every run of `ngram_widths` neighbours in each row of `data`, a row being what `data_splits` say.

        Args:
            separator: What goes between two strings.
            ngram_widths: Lengths of the runs.
            left_pad: Stands before a row.
            right_pad: Stands after a row.
            pad_width: How often the pads stand there; negative for as often as makes sense.
            preserve_short_sequences: Whether a row too short for any run gives one with all that it has.
        """
        return self._add("StringNGrams", (data, data_splits), {"separator": separator, "ngram_widths": ngram_widths, "left_pad": left_pad, "right_pad": right_pad, "pad_width": pad_width, "preserve_short_sequences": preserve_short_sequences}, StringNGramsOutputs, called=name, device=device, after=after)

    def reduce_join(
        self,
        inputs: Value,
        reduction_indices: Value,
        *,
        keep_dims: bool = False,
        separator: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Joins the strings along the axes in `reduction_indices`, of which the first varies fastest.

        Args:
            keep_dims: Whether the axes stay, with size 1.
            separator: What goes between two strings.
        """
        return self._add("ReduceJoin", (inputs, reduction_indices), {"keep_dims": keep_dims, "separator": separator}, None, called=name, device=device, after=after)

    def regex_full_match(
        self,
        input: Value,
        pattern: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Says of each string whether all of it matches `pattern`."""
        return self._add("RegexFullMatch", (input, pattern), {}, None, called=name, device=device, after=after)

    def regex_replace(
        self,
        input: Value,
        pattern: Value,
        rewrite: Value,
        *,
        replace_global: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Replaces what matches `pattern` by `rewrite`, in which `\\1` stands for the first group.

        Args:
            replace_global: Whether to replace every match or the first.
        """
        return self._add("RegexReplace", (input, pattern, rewrite), {"replace_global": replace_global}, None, called=name, device=device, after=after)

    def static_regex_full_match(
        self,
        input: Value,
        pattern: str | bytes,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Says of each string whether all of it matches `pattern`.

        Args:
            pattern: What to compare with.
        """
        return self._add("StaticRegexFullMatch", (input,), {"pattern": pattern}, None, called=name, device=device, after=after)

    def static_regex_replace(
        self,
        input: Value,
        pattern: str | bytes,
        rewrite: str | bytes,
        *,
        replace_global: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Replaces what matches `pattern` by `rewrite`, in which `\\1` stands for the first group.

        Args:
            pattern: What to look for.
            rewrite: What to put in its place.
            replace_global: Whether to replace every match or the first.
        """
        return self._add("StaticRegexReplace", (input,), {"pattern": pattern, "rewrite": rewrite, "replace_global": replace_global}, None, called=name, device=device, after=after)

    def unsorted_segment_join(
        self,
        inputs: Value,
        segment_ids: Value,
        num_segments: Value,
        *,
        separator: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Joins the rows of `inputs` that have the same number in `segment_ids`.

        Args:
            separator: What goes between two strings.
        """
        return self._add("UnsortedSegmentJoin", (inputs, segment_ids, num_segments), {"separator": separator}, None, called=name, device=device, after=after)

    def string_split(
        self,
        input: Value,
        delimiter: Value,
        *,
        skip_empty: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> StringSplitOutputs:
        """Splits at every byte that `delimiter` holds; an empty one splits into bytes.

        Args:
            skip_empty: Whether to leave out parts without bytes.
        """
        return self._add("StringSplit", (input, delimiter), {"skip_empty": skip_empty}, StringSplitOutputs, called=name, device=device, after=after)

    def string_split_v2(
        self,
        input: Value,
        sep: Value,
        *,
        maxsplit: int = -1,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> StringSplitV2Outputs:
        """Splits at every occurrence of `sep` as a whole, or at blanks where it is empty, as Python's `str.split` does.

        Args:
            maxsplit: How many times to split at most; negative for any number.
        """
        return self._add("StringSplitV2", (input, sep), {"maxsplit": maxsplit}, StringSplitV2Outputs, called=name, device=device, after=after)

    def substr(
        self,
        input: Value,
        pos: Value,
        len: Value,
        *,
        unit: str | bytes = 'BYTE',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Gives `len` bytes or characters of each string from `pos` on, or from that many before its end.

        Args:
            unit: Whether to count bytes or characters of UTF-8.
        """
        return self._add("Substr", (input, pos, len), {"unit": unit}, None, called=name, device=device, after=after)

    def to_bool(
        self,
        input: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Says whether a scalar is neither zero nor empty, or another tensor has elements."""
        return self._add("ToBool", (input,), {}, None, called=name, device=device, after=after)

    def string_to_number(
        self,
        string_tensor: Value,
        *,
        out_type: DTypeLike = 'float32',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Reads each string as a number.

        Args:
            out_type: Element type of the numbers.
        """
        return self._add("StringToNumber", (string_tensor,), {"out_type": out_type}, None, called=name, device=device, after=after)

    def unicode_decode(
        self,
        input: Value,
        input_encoding: str | bytes,
        *,
        errors: str | bytes = 'replace',
        replacement_char: int = 65533,
        replace_control_characters: bool = False,
        tsplits: DTypeLike = 'int64',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> UnicodeDecodeOutputs:
        """Gives the characters' numbers, and where each string's start among them.

        Args:
            input_encoding: Encoding of the strings.
            errors: What to do with bytes that stand for no character.
            replacement_char: What to put in their place.
            replace_control_characters: Whether to treat control characters like them.
            tsplits: Element type of the splits.
        """
        return self._add("UnicodeDecode", (input,), {"input_encoding": input_encoding, "errors": errors, "replacement_char": replacement_char, "replace_control_characters": replace_control_characters, "Tsplits": tsplits}, UnicodeDecodeOutputs, called=name, device=device, after=after)

    def unicode_decode_with_offsets(
        self,
        input: Value,
        input_encoding: str | bytes,
        *,
        errors: str | bytes = 'replace',
        replacement_char: int = 65533,
        replace_control_characters: bool = False,
        tsplits: DTypeLike = 'int64',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> UnicodeDecodeWithOffsetsOutputs:
        """Gives the characters' numbers, where each string's start among them, and the byte at which each starts.

        Args:
            input_encoding: Encoding of the strings.
            errors: What to do with bytes that stand for no character.
            replacement_char: What to put in their place.
            replace_control_characters: Whether to treat control characters like them.
            tsplits: Element type of the splits.
        """
        return self._add("UnicodeDecodeWithOffsets", (input,), {"input_encoding": input_encoding, "errors": errors, "replacement_char": replacement_char, "replace_control_characters": replace_control_characters, "Tsplits": tsplits}, UnicodeDecodeWithOffsetsOutputs, called=name, device=device, after=after)

    def unicode_encode(
        self,
        input_values: Value,
        input_splits: Value,
        output_encoding: str | bytes,
        *,
        errors: str | bytes = 'replace',
        replacement_char: int = 65533,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Writes each row of characters as a string; `input_splits` say where rows start.

        Args:
            output_encoding: Encoding of the strings.
            errors: What to do with numbers of no character.
            replacement_char: What to put in the place of numbers of no character.
        """
        return self._add("UnicodeEncode", (input_values, input_splits), {"output_encoding": output_encoding, "errors": errors, "replacement_char": replacement_char}, None, called=name, device=device, after=after)

    def unicode_script(
        self,
        input: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Gives the number of each character's script, -1 for numbers of no character."""
        return self._add("UnicodeScript", (input,), {}, None, called=name, device=device, after=after)

    def unicode_transcode(
        self,
        input: Value,
        input_encoding: str | bytes,
        output_encoding: str | bytes,
        *,
        errors: str | bytes = 'replace',
        replacement_char: int = 65533,
        replace_control_characters: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Writes strings in another encoding.

        Args:
            input_encoding: Encoding of the strings.
            output_encoding: Encoding to write.
            errors: What to do with bytes that stand for no character.
            replacement_char: What to put in their place.
            replace_control_characters: Whether to treat control characters like them.
        """
        return self._add("UnicodeTranscode", (input,), {"input_encoding": input_encoding, "output_encoding": output_encoding, "errors": errors, "replacement_char": replacement_char, "replace_control_characters": replace_control_characters}, None, called=name, device=device, after=after)

    # summary

    def audio_summary(
        self,
        tag: Value,
        tensor: Value,
        sample_rate: float,
        *,
        max_outputs: int = 3,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The first clips of a batch of sound.

        Args:
            sample_rate: Samples in a second.
            max_outputs: How many clips, at most.
        """
        return self._add("AudioSummary", (tag, tensor), {"sample_rate": sample_rate, "max_outputs": max_outputs}, None, called=name, device=device, after=after)

    def audio_summary_v2(
        self,
        tag: Value,
        tensor: Value,
        sample_rate: Value,
        *,
        max_outputs: int = 3,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The first clips of a batch of sound, whose rate is an input.

        Args:
            max_outputs: How many clips, at most.
        """
        return self._add("AudioSummaryV2", (tag, tensor, sample_rate), {"max_outputs": max_outputs}, None, called=name, device=device, after=after)

    def close_summary_writer(
        self,
        writer: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Closes a writer, which may be opened again."""
        return self._add("CloseSummaryWriter", (writer,), {}, None, called=name, device=device, after=after)

    def create_summary_file_writer(
        self,
        writer: Value,
        logdir: Value,
        max_queue: Value,
        flush_millis: Value,
        filename_suffix: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Opens a writer on a new file in a directory, unless it is open."""
        return self._add("CreateSummaryFileWriter", (writer, logdir, max_queue, flush_millis, filename_suffix), {}, None, called=name, device=device, after=after)

    def flush_summary_writer(
        self,
        writer: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Hands what a writer has been given to the file."""
        return self._add("FlushSummaryWriter", (writer,), {}, None, called=name, device=device, after=after)

    def summary_writer(
        self,
        *,
        shared_name: str | bytes = '',
        container: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A handle of a writer of summaries, which is not open at first.

        Args:
            shared_name: Name in the container; empty for the node's.
            container: Container that holds the writer; empty for the default one.
        """
        return self._add("SummaryWriter", (), {"shared_name": shared_name, "container": container}, None, called=name, device=device, after=after)

    def histogram_summary(
        self,
        tag: Value,
        values: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A histogram of the values."""
        return self._add("HistogramSummary", (tag, values), {}, None, called=name, device=device, after=after)

    def image_summary(
        self,
        tag: Value,
        tensor: Value,
        *,
        max_images: int = 3,
        bad_color: Any | None = None,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The first images of a batch.

        Args:
            max_images: How many of them, at most.
            bad_color: What is in place of pixels that are not finite.
        """
        return self._add("ImageSummary", (tag, tensor), {"max_images": max_images, "bad_color": bad_color}, None, called=name, device=device, after=after)

    def merge_summary(
        self,
        inputs: Sequence[Value],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Puts summaries together. No two values may have one tag."""
        return self._add("MergeSummary", (inputs,), {}, None, called=name, device=device, after=after)

    def scalar_summary(
        self,
        tags: Value,
        values: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Writes each value with its tag."""
        return self._add("ScalarSummary", (tags, values), {}, None, called=name, device=device, after=after)

    def tensor_summary(
        self,
        tensor: Value,
        *,
        description: str | bytes = '',
        labels: Sequence[str | bytes] = (),
        display_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A tensor, under the node's name.

        Args:
            description: Not used.
            labels: Not used.
            display_name: Not used.
        """
        return self._add("TensorSummary", (tensor,), {"description": description, "labels": labels, "display_name": display_name}, None, called=name, device=device, after=after)

    def tensor_summary_v2(
        self,
        tag: Value,
        tensor: Value,
        serialized_summary_metadata: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A tensor with a tag, and what says which plugin shows it."""
        return self._add("TensorSummaryV2", (tag, tensor, serialized_summary_metadata), {}, None, called=name, device=device, after=after)

    def import_event(
        self,
        writer: Value,
        event: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Writes an event that is a message already."""
        return self._add("ImportEvent", (writer, event), {}, None, called=name, device=device, after=after)

    def write_audio_summary(
        self,
        writer: Value,
        step: Value,
        tag: Value,
        tensor: Value,
        sample_rate: Value,
        *,
        max_outputs: int = 3,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Writes sound.

        Args:
            max_outputs: How many clips of the batch, at most.
        """
        return self._add("WriteAudioSummary", (writer, step, tag, tensor, sample_rate), {"max_outputs": max_outputs}, None, called=name, device=device, after=after)

    def write_graph_summary(
        self,
        writer: Value,
        step: Value,
        tensor: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Writes a graph, as a message `GraphDef`."""
        return self._add("WriteGraphSummary", (writer, step, tensor), {}, None, called=name, device=device, after=after)

    def write_histogram_summary(
        self,
        writer: Value,
        step: Value,
        tag: Value,
        values: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Writes a histogram."""
        return self._add("WriteHistogramSummary", (writer, step, tag, values), {}, None, called=name, device=device, after=after)

    def write_image_summary(
        self,
        writer: Value,
        step: Value,
        tag: Value,
        tensor: Value,
        bad_color: Value,
        *,
        max_images: int = 3,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Writes images.

        Args:
            max_images: How many of the batch, at most.
        """
        return self._add("WriteImageSummary", (writer, step, tag, tensor, bad_color), {"max_images": max_images}, None, called=name, device=device, after=after)

    def write_raw_proto_summary(
        self,
        writer: Value,
        step: Value,
        tensor: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Writes summaries that are messages already."""
        return self._add("WriteRawProtoSummary", (writer, step, tensor), {}, None, called=name, device=device, after=after)

    def write_scalar_summary(
        self,
        writer: Value,
        step: Value,
        tag: Value,
        value: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Writes a number."""
        return self._add("WriteScalarSummary", (writer, step, tag, value), {}, None, called=name, device=device, after=after)

    def write_summary(
        self,
        writer: Value,
        step: Value,
        tensor: Value,
        tag: Value,
        summary_metadata: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Writes a tensor."""
        return self._add("WriteSummary", (writer, step, tensor, tag, summary_metadata), {}, None, called=name, device=device, after=after)

    # tables

    def hash_table(
        self,
        key_dtype: DTypeLike,
        value_dtype: DTypeLike,
        *,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        use_node_name_sharing: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A table that is filled once.

        Args:
            key_dtype: Dtype of the keys.
            value_dtype: Dtype of the values.
            container: Container that holds the table; empty for the default one.
            shared_name: Name in the container; empty for the node's.
            use_node_name_sharing: True where an empty `shared_name` stands for the node's name.
        """
        return self._add("HashTable", (), {"key_dtype": key_dtype, "value_dtype": value_dtype, "container": container, "shared_name": shared_name, "use_node_name_sharing": use_node_name_sharing}, None, called=name, device=device, after=after)

    def hash_table_v2(
        self,
        key_dtype: DTypeLike,
        value_dtype: DTypeLike,
        *,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        use_node_name_sharing: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A table that is filled once.

        Args:
            key_dtype: Dtype of the keys.
            value_dtype: Dtype of the values.
            container: Container that holds the table; empty for the default one.
            shared_name: Name in the container; empty for the node's.
            use_node_name_sharing: True where an empty `shared_name` stands for the node's name.
        """
        return self._add("HashTableV2", (), {"key_dtype": key_dtype, "value_dtype": value_dtype, "container": container, "shared_name": shared_name, "use_node_name_sharing": use_node_name_sharing}, None, called=name, device=device, after=after)

    def anonymous_hash_table(
        self,
        key_dtype: DTypeLike,
        value_dtype: DTypeLike,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A table that is filled once.

        Args:
            key_dtype: Dtype of the keys.
            value_dtype: Dtype of the values.
        """
        return self._add("AnonymousHashTable", (), {"key_dtype": key_dtype, "value_dtype": value_dtype}, None, called=name, device=device, after=after)

    def mutable_dense_hash_table(
        self,
        empty_key: Value,
        value_dtype: DTypeLike,
        *,
        value_shape: ShapeLike | None = (),
        initial_num_buckets: int = 131072,
        max_load_factor: float = 0.8,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        use_node_name_sharing: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A table with two keys that stand for empty buckets.

        Args:
            value_dtype: Dtype of the values.
            value_shape: Shape of a value.
            initial_num_buckets: Number of buckets at first; a power of two.
            max_load_factor: How full the buckets may be before there are more.
            container: Container that holds the table; empty for the default one.
            shared_name: Name in the container; empty for the node's.
            use_node_name_sharing: True where an empty `shared_name` stands for the node's name.
        """
        return self._add("MutableDenseHashTable", (empty_key,), {"value_dtype": value_dtype, "value_shape": value_shape, "initial_num_buckets": initial_num_buckets, "max_load_factor": max_load_factor, "container": container, "shared_name": shared_name, "use_node_name_sharing": use_node_name_sharing}, None, called=name, device=device, after=after)

    def mutable_dense_hash_table_v2(
        self,
        empty_key: Value,
        deleted_key: Value,
        value_dtype: DTypeLike,
        *,
        value_shape: ShapeLike | None = (),
        initial_num_buckets: int = 131072,
        max_load_factor: float = 0.8,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        use_node_name_sharing: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A table with two keys that stand for empty buckets.

        Args:
            value_dtype: Dtype of the values.
            value_shape: Shape of a value.
            initial_num_buckets: Number of buckets at first; a power of two.
            max_load_factor: How full the buckets may be before there are more.
            container: Container that holds the table; empty for the default one.
            shared_name: Name in the container; empty for the node's.
            use_node_name_sharing: True where an empty `shared_name` stands for the node's name.
        """
        return self._add("MutableDenseHashTableV2", (empty_key, deleted_key), {"value_dtype": value_dtype, "value_shape": value_shape, "initial_num_buckets": initial_num_buckets, "max_load_factor": max_load_factor, "container": container, "shared_name": shared_name, "use_node_name_sharing": use_node_name_sharing}, None, called=name, device=device, after=after)

    def anonymous_mutable_dense_hash_table(
        self,
        empty_key: Value,
        deleted_key: Value,
        value_dtype: DTypeLike,
        *,
        value_shape: ShapeLike | None = (),
        initial_num_buckets: int = 131072,
        max_load_factor: float = 0.8,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A table with two keys that stand for empty buckets.

        Args:
            value_dtype: Dtype of the values.
            value_shape: Shape of a value.
            initial_num_buckets: Number of buckets at first; a power of two.
            max_load_factor: How full the buckets may be before there are more.
        """
        return self._add("AnonymousMutableDenseHashTable", (empty_key, deleted_key), {"value_dtype": value_dtype, "value_shape": value_shape, "initial_num_buckets": initial_num_buckets, "max_load_factor": max_load_factor}, None, called=name, device=device, after=after)

    def mutable_hash_table(
        self,
        key_dtype: DTypeLike,
        value_dtype: DTypeLike,
        *,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        use_node_name_sharing: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A table that is filled and emptied as it goes.

        Args:
            key_dtype: Dtype of the keys.
            value_dtype: Dtype of the values.
            container: Container that holds the table; empty for the default one.
            shared_name: Name in the container; empty for the node's.
            use_node_name_sharing: True where an empty `shared_name` stands for the node's name.
        """
        return self._add("MutableHashTable", (), {"key_dtype": key_dtype, "value_dtype": value_dtype, "container": container, "shared_name": shared_name, "use_node_name_sharing": use_node_name_sharing}, None, called=name, device=device, after=after)

    def mutable_hash_table_v2(
        self,
        key_dtype: DTypeLike,
        value_dtype: DTypeLike,
        *,
        container: str | bytes = '',
        shared_name: str | bytes = '',
        use_node_name_sharing: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A table that is filled and emptied as it goes.

        Args:
            key_dtype: Dtype of the keys.
            value_dtype: Dtype of the values.
            container: Container that holds the table; empty for the default one.
            shared_name: Name in the container; empty for the node's.
            use_node_name_sharing: True where an empty `shared_name` stands for the node's name.
        """
        return self._add("MutableHashTableV2", (), {"key_dtype": key_dtype, "value_dtype": value_dtype, "container": container, "shared_name": shared_name, "use_node_name_sharing": use_node_name_sharing}, None, called=name, device=device, after=after)

    def anonymous_mutable_hash_table(
        self,
        key_dtype: DTypeLike,
        value_dtype: DTypeLike,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A table that is filled and emptied as it goes.

        Args:
            key_dtype: Dtype of the keys.
            value_dtype: Dtype of the values.
        """
        return self._add("AnonymousMutableHashTable", (), {"key_dtype": key_dtype, "value_dtype": value_dtype}, None, called=name, device=device, after=after)

    def mutable_hash_table_of_tensors(
        self,
        key_dtype: DTypeLike,
        value_dtype: DTypeLike,
        *,
        value_shape: ShapeLike | None = (),
        container: str | bytes = '',
        shared_name: str | bytes = '',
        use_node_name_sharing: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A table whose values are vectors.

        Args:
            key_dtype: Dtype of the keys.
            value_dtype: Dtype of the values.
            value_shape: Shape of a value.
            container: Container that holds the table; empty for the default one.
            shared_name: Name in the container; empty for the node's.
            use_node_name_sharing: True where an empty `shared_name` stands for the node's name.
        """
        return self._add("MutableHashTableOfTensors", (), {"key_dtype": key_dtype, "value_dtype": value_dtype, "value_shape": value_shape, "container": container, "shared_name": shared_name, "use_node_name_sharing": use_node_name_sharing}, None, called=name, device=device, after=after)

    def mutable_hash_table_of_tensors_v2(
        self,
        key_dtype: DTypeLike,
        value_dtype: DTypeLike,
        *,
        value_shape: ShapeLike | None = (),
        container: str | bytes = '',
        shared_name: str | bytes = '',
        use_node_name_sharing: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A table whose values are vectors.

        Args:
            key_dtype: Dtype of the keys.
            value_dtype: Dtype of the values.
            value_shape: Shape of a value.
            container: Container that holds the table; empty for the default one.
            shared_name: Name in the container; empty for the node's.
            use_node_name_sharing: True where an empty `shared_name` stands for the node's name.
        """
        return self._add("MutableHashTableOfTensorsV2", (), {"key_dtype": key_dtype, "value_dtype": value_dtype, "value_shape": value_shape, "container": container, "shared_name": shared_name, "use_node_name_sharing": use_node_name_sharing}, None, called=name, device=device, after=after)

    def anonymous_mutable_hash_table_of_tensors(
        self,
        key_dtype: DTypeLike,
        value_dtype: DTypeLike,
        *,
        value_shape: ShapeLike | None = (),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A table whose values are vectors.

        Args:
            key_dtype: Dtype of the keys.
            value_dtype: Dtype of the values.
            value_shape: Shape of a value.
        """
        return self._add("AnonymousMutableHashTableOfTensors", (), {"key_dtype": key_dtype, "value_dtype": value_dtype, "value_shape": value_shape}, None, called=name, device=device, after=after)

    def initialize_table(
        self,
        table_handle: Value,
        keys: Value,
        values: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Fills a table."""
        return self._add("InitializeTable", (table_handle, keys, values), {}, None, called=name, device=device, after=after)

    def initialize_table_v2(
        self,
        table_handle: Value,
        keys: Value,
        values: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Fills a table."""
        return self._add("InitializeTableV2", (table_handle, keys, values), {}, None, called=name, device=device, after=after)

    def lookup_table_export(
        self,
        table_handle: Value,
        tkeys: DTypeLike,
        tvalues: DTypeLike,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> LookupTableExportOutputs:
        """All keys and values of a table, in no order.

        Args:
            tkeys: Dtype of the keys.
            tvalues: Dtype of the values.
        """
        return self._add("LookupTableExport", (table_handle,), {"Tkeys": tkeys, "Tvalues": tvalues}, LookupTableExportOutputs, called=name, device=device, after=after)

    def lookup_table_export_v2(
        self,
        table_handle: Value,
        tkeys: DTypeLike,
        tvalues: DTypeLike,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> LookupTableExportV2Outputs:
        """All keys and values of a table, in no order.

        Args:
            tkeys: Dtype of the keys.
            tvalues: Dtype of the values.
        """
        return self._add("LookupTableExportV2", (table_handle,), {"Tkeys": tkeys, "Tvalues": tvalues}, LookupTableExportV2Outputs, called=name, device=device, after=after)

    def lookup_table_find(
        self,
        table_handle: Value,
        keys: Value,
        default_value: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The values of keys; `default_value` for keys that are not there."""
        return self._add("LookupTableFind", (table_handle, keys, default_value), {}, None, called=name, device=device, after=after)

    def lookup_table_find_v2(
        self,
        table_handle: Value,
        keys: Value,
        default_value: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The values of keys; `default_value` for keys that are not there."""
        return self._add("LookupTableFindV2", (table_handle, keys, default_value), {}, None, called=name, device=device, after=after)

    def lookup_table_import(
        self,
        table_handle: Value,
        keys: Value,
        values: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Makes these keys and values all that is in a table."""
        return self._add("LookupTableImport", (table_handle, keys, values), {}, None, called=name, device=device, after=after)

    def lookup_table_import_v2(
        self,
        table_handle: Value,
        keys: Value,
        values: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Makes these keys and values all that is in a table."""
        return self._add("LookupTableImportV2", (table_handle, keys, values), {}, None, called=name, device=device, after=after)

    def lookup_table_insert(
        self,
        table_handle: Value,
        keys: Value,
        values: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Sets the values of keys."""
        return self._add("LookupTableInsert", (table_handle, keys, values), {}, None, called=name, device=device, after=after)

    def lookup_table_insert_v2(
        self,
        table_handle: Value,
        keys: Value,
        values: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Sets the values of keys."""
        return self._add("LookupTableInsertV2", (table_handle, keys, values), {}, None, called=name, device=device, after=after)

    def lookup_table_remove_v2(
        self,
        table_handle: Value,
        keys: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Removes keys."""
        return self._add("LookupTableRemoveV2", (table_handle, keys), {}, None, called=name, device=device, after=after)

    def lookup_table_size(
        self,
        table_handle: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Number of entries of a table."""
        return self._add("LookupTableSize", (table_handle,), {}, None, called=name, device=device, after=after)

    def lookup_table_size_v2(
        self,
        table_handle: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Number of entries of a table."""
        return self._add("LookupTableSizeV2", (table_handle,), {}, None, called=name, device=device, after=after)

    def initialize_table_from_text_file(
        self,
        table_handle: Value,
        filename: Value,
        key_index: int,
        value_index: int,
        *,
        vocab_size: int = -1,
        delimiter: str | bytes = '\t',
        offset: int = 0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Fills a table from a file, of which each line has a key and a value.

        Args:
            key_index: Column of the key; -2 for the whole line, -1 for its number.
            value_index: Column of the value; -2 for the whole line, -1 for its number.
            vocab_size: Number of lines; -1 for all there are.
            delimiter: What is between columns; one byte.
            offset: Added to line numbers.
        """
        return self._add("InitializeTableFromTextFile", (table_handle, filename), {"key_index": key_index, "value_index": value_index, "vocab_size": vocab_size, "delimiter": delimiter, "offset": offset}, None, called=name, device=device, after=after)

    def initialize_table_from_text_file_v2(
        self,
        table_handle: Value,
        filename: Value,
        key_index: int,
        value_index: int,
        *,
        vocab_size: int = -1,
        delimiter: str | bytes = '\t',
        offset: int = 0,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Fills a table from a file, of which each line has a key and a value.

        Args:
            key_index: Column of the key; -2 for the whole line, -1 for its number.
            value_index: Column of the value; -2 for the whole line, -1 for its number.
            vocab_size: Number of lines; -1 for all there are.
            delimiter: What is between columns; one byte.
            offset: Added to line numbers.
        """
        return self._add("InitializeTableFromTextFileV2", (table_handle, filename), {"key_index": key_index, "value_index": value_index, "vocab_size": vocab_size, "delimiter": delimiter, "offset": offset}, None, called=name, device=device, after=after)

    # tensor_array

    def tensor_array_concat_v3(
        self,
        handle: Value,
        flow_in: Value,
        dtype: DTypeLike,
        *,
        element_shape_except0: ShapeLike | None = None,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> TensorArrayConcatV3Outputs:
        """The elements, one after the other along their first axis, and how long each is.

        Args:
            dtype: Element type.
            element_shape_except0: Shape of the elements without the first axis, as far as it is known.
        """
        return self._add("TensorArrayConcatV3", (handle, flow_in), {"dtype": dtype, "element_shape_except0": element_shape_except0}, TensorArrayConcatV3Outputs, called=name, device=device, after=after)

    def tensor_array_concat_v2(
        self,
        handle: Value,
        flow_in: Value,
        dtype: DTypeLike,
        *,
        element_shape_except0: ShapeLike | None = None,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> TensorArrayConcatV2Outputs:
        """The elements, one after the other along their first axis, and how long each is.

        Args:
            dtype: Element type.
            element_shape_except0: Shape of the elements without the first axis, as far as it is known.
        """
        return self._add("TensorArrayConcatV2", (handle, flow_in), {"dtype": dtype, "element_shape_except0": element_shape_except0}, TensorArrayConcatV2Outputs, called=name, device=device, after=after)

    def tensor_array_concat(
        self,
        handle: Value,
        flow_in: Value,
        dtype: DTypeLike,
        *,
        element_shape_except0: ShapeLike | None = None,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> TensorArrayConcatOutputs:
        """The elements, one after the other along their first axis, and how long each is.

        Args:
            dtype: Element type.
            element_shape_except0: Shape of the elements without the first axis, as far as it is known.
        """
        return self._add("TensorArrayConcat", (handle, flow_in), {"dtype": dtype, "element_shape_except0": element_shape_except0}, TensorArrayConcatOutputs, called=name, device=device, after=after)

    def tensor_array_split_v3(
        self,
        handle: Value,
        value: Value,
        lengths: Value,
        flow_in: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Writes stretches of a tensor, of the given lengths along its first axis, to the elements."""
        return self._add("TensorArraySplitV3", (handle, value, lengths, flow_in), {}, None, called=name, device=device, after=after)

    def tensor_array_split_v2(
        self,
        handle: Value,
        value: Value,
        lengths: Value,
        flow_in: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Writes stretches of a tensor, of the given lengths along its first axis, to the elements."""
        return self._add("TensorArraySplitV2", (handle, value, lengths, flow_in), {}, None, called=name, device=device, after=after)

    def tensor_array_split(
        self,
        handle: Value,
        value: Value,
        lengths: Value,
        flow_in: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Writes stretches of a tensor, of the given lengths along its first axis, to the elements."""
        return self._add("TensorArraySplit", (handle, value, lengths, flow_in), {}, None, called=name, device=device, after=after)

    def tensor_array_v3(
        self,
        size: Value,
        dtype: DTypeLike,
        *,
        element_shape: ShapeLike | None = None,
        dynamic_size: bool = False,
        clear_after_read: bool = True,
        identical_element_shapes: bool = False,
        tensor_array_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> TensorArrayV3Outputs:
        """A new array of tensors.

        Args:
            dtype: Element type.
            element_shape: Shape of the elements, as far as it is known.
            dynamic_size: True where writing past the end makes it grow.
            clear_after_read: True where an element can be read once only.
            identical_element_shapes: True where all elements have the shape of the first.
            tensor_array_name: Name for messages; empty for the node's.
        """
        return self._add("TensorArrayV3", (size,), {"dtype": dtype, "element_shape": element_shape, "dynamic_size": dynamic_size, "clear_after_read": clear_after_read, "identical_element_shapes": identical_element_shapes, "tensor_array_name": tensor_array_name}, TensorArrayV3Outputs, called=name, device=device, after=after)

    def tensor_array_v2(
        self,
        size: Value,
        dtype: DTypeLike,
        *,
        element_shape: ShapeLike | None = None,
        dynamic_size: bool = False,
        clear_after_read: bool = True,
        tensor_array_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A new array of tensors.

        Args:
            dtype: Element type.
            element_shape: Shape of the elements, as far as it is known.
            dynamic_size: True where writing past the end makes it grow.
            clear_after_read: True where an element can be read once only.
            tensor_array_name: Name for messages; empty for the node's.
        """
        return self._add("TensorArrayV2", (size,), {"dtype": dtype, "element_shape": element_shape, "dynamic_size": dynamic_size, "clear_after_read": clear_after_read, "tensor_array_name": tensor_array_name}, None, called=name, device=device, after=after)

    def tensor_array(
        self,
        size: Value,
        dtype: DTypeLike,
        *,
        element_shape: ShapeLike | None = None,
        dynamic_size: bool = False,
        clear_after_read: bool = True,
        tensor_array_name: str | bytes = '',
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A new array of tensors.

        Args:
            dtype: Element type.
            element_shape: Shape of the elements, as far as it is known.
            dynamic_size: True where writing past the end makes it grow.
            clear_after_read: True where an element can be read once only.
            tensor_array_name: Name for messages; empty for the node's.
        """
        return self._add("TensorArray", (size,), {"dtype": dtype, "element_shape": element_shape, "dynamic_size": dynamic_size, "clear_after_read": clear_after_read, "tensor_array_name": tensor_array_name}, None, called=name, device=device, after=after)

    def tensor_array_read_v3(
        self,
        handle: Value,
        index: Value,
        flow_in: Value,
        dtype: DTypeLike,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Reads an element.

        Args:
            dtype: Element type.
        """
        return self._add("TensorArrayReadV3", (handle, index, flow_in), {"dtype": dtype}, None, called=name, device=device, after=after)

    def tensor_array_read_v2(
        self,
        handle: Value,
        index: Value,
        flow_in: Value,
        dtype: DTypeLike,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Reads an element.

        Args:
            dtype: Element type.
        """
        return self._add("TensorArrayReadV2", (handle, index, flow_in), {"dtype": dtype}, None, called=name, device=device, after=after)

    def tensor_array_read(
        self,
        handle: Value,
        index: Value,
        flow_in: Value,
        dtype: DTypeLike,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Reads an element.

        Args:
            dtype: Element type.
        """
        return self._add("TensorArrayRead", (handle, index, flow_in), {"dtype": dtype}, None, called=name, device=device, after=after)

    def tensor_array_write_v3(
        self,
        handle: Value,
        index: Value,
        value: Value,
        flow_in: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Writes an element. A gradient's array adds up what is written to one element."""
        return self._add("TensorArrayWriteV3", (handle, index, value, flow_in), {}, None, called=name, device=device, after=after)

    def tensor_array_write_v2(
        self,
        handle: Value,
        index: Value,
        value: Value,
        flow_in: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Writes an element. A gradient's array adds up what is written to one element."""
        return self._add("TensorArrayWriteV2", (handle, index, value, flow_in), {}, None, called=name, device=device, after=after)

    def tensor_array_write(
        self,
        handle: Value,
        index: Value,
        value: Value,
        flow_in: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Writes an element. A gradient's array adds up what is written to one element."""
        return self._add("TensorArrayWrite", (handle, index, value, flow_in), {}, None, called=name, device=device, after=after)

    def tensor_array_grad_v3(
        self,
        handle: Value,
        flow_in: Value,
        source: str | bytes,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> TensorArrayGradV3Outputs:
        """The array of gradients of an array.

        Args:
            source: Which gradient, where there are several.
        """
        return self._add("TensorArrayGradV3", (handle, flow_in), {"source": source}, TensorArrayGradV3Outputs, called=name, device=device, after=after)

    def tensor_array_grad_v2(
        self,
        handle: Value,
        flow_in: Value,
        source: str | bytes,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The array of gradients of an array.

        Args:
            source: Which gradient, where there are several.
        """
        return self._add("TensorArrayGradV2", (handle, flow_in), {"source": source}, None, called=name, device=device, after=after)

    def tensor_array_grad(
        self,
        handle: Value,
        flow_in: Value,
        source: str | bytes,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The array of gradients of an array.

        Args:
            source: Which gradient, where there are several.
        """
        return self._add("TensorArrayGrad", (handle, flow_in), {"source": source}, None, called=name, device=device, after=after)

    def tensor_array_grad_with_shape(
        self,
        handle: Value,
        flow_in: Value,
        shape_to_prepend: Value,
        source: str | bytes,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> TensorArrayGradWithShapeOutputs:
        """The array of gradients of an array, whose elements have further axes in front.

        Args:
            source: Which gradient, where there are several.
        """
        return self._add("TensorArrayGradWithShape", (handle, flow_in, shape_to_prepend), {"source": source}, TensorArrayGradWithShapeOutputs, called=name, device=device, after=after)

    def tensor_array_gather_v3(
        self,
        handle: Value,
        indices: Value,
        flow_in: Value,
        dtype: DTypeLike,
        *,
        element_shape: ShapeLike | None = None,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The elements with the given indices, side by side along a new first axis.

        Args:
            dtype: Element type.
            element_shape: Shape of the elements, as far as it is known.
        """
        return self._add("TensorArrayGatherV3", (handle, indices, flow_in), {"dtype": dtype, "element_shape": element_shape}, None, called=name, device=device, after=after)

    def tensor_array_gather_v2(
        self,
        handle: Value,
        indices: Value,
        flow_in: Value,
        dtype: DTypeLike,
        *,
        element_shape: ShapeLike | None = None,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The elements with the given indices, side by side along a new first axis.

        Args:
            dtype: Element type.
            element_shape: Shape of the elements, as far as it is known.
        """
        return self._add("TensorArrayGatherV2", (handle, indices, flow_in), {"dtype": dtype, "element_shape": element_shape}, None, called=name, device=device, after=after)

    def tensor_array_gather(
        self,
        handle: Value,
        indices: Value,
        flow_in: Value,
        dtype: DTypeLike,
        *,
        element_shape: ShapeLike | None = None,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The elements with the given indices, side by side along a new first axis.

        Args:
            dtype: Element type.
            element_shape: Shape of the elements, as far as it is known.
        """
        return self._add("TensorArrayGather", (handle, indices, flow_in), {"dtype": dtype, "element_shape": element_shape}, None, called=name, device=device, after=after)

    def tensor_array_pack(
        self,
        handle: Value,
        flow_in: Value,
        dtype: DTypeLike,
        *,
        element_shape: ShapeLike | None = None,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """All elements, side by side along a new first axis.

        Args:
            dtype: Element type.
            element_shape: Shape of the elements, as far as it is known.
        """
        return self._add("TensorArrayPack", (handle, flow_in), {"dtype": dtype, "element_shape": element_shape}, None, called=name, device=device, after=after)

    def tensor_array_scatter_v3(
        self,
        handle: Value,
        indices: Value,
        value: Value,
        flow_in: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Writes the rows of a tensor to the elements with the given indices."""
        return self._add("TensorArrayScatterV3", (handle, indices, value, flow_in), {}, None, called=name, device=device, after=after)

    def tensor_array_scatter_v2(
        self,
        handle: Value,
        indices: Value,
        value: Value,
        flow_in: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Writes the rows of a tensor to the elements with the given indices."""
        return self._add("TensorArrayScatterV2", (handle, indices, value, flow_in), {}, None, called=name, device=device, after=after)

    def tensor_array_scatter(
        self,
        handle: Value,
        indices: Value,
        value: Value,
        flow_in: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Writes the rows of a tensor to the elements with the given indices."""
        return self._add("TensorArrayScatter", (handle, indices, value, flow_in), {}, None, called=name, device=device, after=after)

    def tensor_array_unpack(
        self,
        handle: Value,
        value: Value,
        flow_in: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Writes the rows of a tensor to the elements."""
        return self._add("TensorArrayUnpack", (handle, value, flow_in), {}, None, called=name, device=device, after=after)

    def tensor_array_close_v3(
        self,
        handle: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Gives the memory of an array back; it cannot be used any more."""
        return self._add("TensorArrayCloseV3", (handle,), {}, None, called=name, device=device, after=after)

    def tensor_array_close_v2(
        self,
        handle: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Gives the memory of an array back; it cannot be used any more."""
        return self._add("TensorArrayCloseV2", (handle,), {}, None, called=name, device=device, after=after)

    def tensor_array_close(
        self,
        handle: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """Gives the memory of an array back; it cannot be used any more."""
        return self._add("TensorArrayClose", (handle,), {}, None, called=name, device=device, after=after)

    def tensor_array_size_v3(
        self,
        handle: Value,
        flow_in: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Number of elements."""
        return self._add("TensorArraySizeV3", (handle, flow_in), {}, None, called=name, device=device, after=after)

    def tensor_array_size_v2(
        self,
        handle: Value,
        flow_in: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Number of elements."""
        return self._add("TensorArraySizeV2", (handle, flow_in), {}, None, called=name, device=device, after=after)

    def tensor_array_size(
        self,
        handle: Value,
        flow_in: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Number of elements."""
        return self._add("TensorArraySize", (handle, flow_in), {}, None, called=name, device=device, after=after)

    # training

    def apply_adadelta(
        self,
        var: Value,
        accum: Value,
        accum_update: Value,
        lr: Value,
        rho: Value,
        epsilon: Value,
        grad: Value,
        *,
        use_locking: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A step of the optimizer Adadelta.

        Args:
            use_locking: Without meaning: the locks are always held.
        """
        return self._add("ApplyAdadelta", (var, accum, accum_update, lr, rho, epsilon, grad), {"use_locking": use_locking}, None, called=name, device=device, after=after)

    def resource_apply_adadelta(
        self,
        var: Value,
        accum: Value,
        accum_update: Value,
        lr: Value,
        rho: Value,
        epsilon: Value,
        grad: Value,
        *,
        use_locking: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """A step of the optimizer Adadelta.

        Args:
            use_locking: Without meaning: the locks are always held.
        """
        return self._add("ResourceApplyAdadelta", (var, accum, accum_update, lr, rho, epsilon, grad), {"use_locking": use_locking}, None, called=name, device=device, after=after)

    def sparse_apply_adadelta(
        self,
        var: Value,
        accum: Value,
        accum_update: Value,
        lr: Value,
        rho: Value,
        epsilon: Value,
        grad: Value,
        indices: Value,
        *,
        use_locking: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A step of the optimizer Adadelta on some rows.

        Args:
            use_locking: Without meaning: the locks are always held.
        """
        return self._add("SparseApplyAdadelta", (var, accum, accum_update, lr, rho, epsilon, grad, indices), {"use_locking": use_locking}, None, called=name, device=device, after=after)

    def resource_sparse_apply_adadelta(
        self,
        var: Value,
        accum: Value,
        accum_update: Value,
        lr: Value,
        rho: Value,
        epsilon: Value,
        grad: Value,
        indices: Value,
        *,
        use_locking: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """A step of the optimizer Adadelta on some rows.

        Args:
            use_locking: Without meaning: the locks are always held.
        """
        return self._add("ResourceSparseApplyAdadelta", (var, accum, accum_update, lr, rho, epsilon, grad, indices), {"use_locking": use_locking}, None, called=name, device=device, after=after)

    def apply_adagrad(
        self,
        var: Value,
        accum: Value,
        lr: Value,
        grad: Value,
        *,
        use_locking: bool = False,
        update_slots: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A step of the optimizer Adagrad.

        Args:
            use_locking: Without meaning: the locks are always held.
            update_slots: False to leave the slots as they are.
        """
        return self._add("ApplyAdagrad", (var, accum, lr, grad), {"use_locking": use_locking, "update_slots": update_slots}, None, called=name, device=device, after=after)

    def resource_apply_adagrad(
        self,
        var: Value,
        accum: Value,
        lr: Value,
        grad: Value,
        *,
        use_locking: bool = False,
        update_slots: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """A step of the optimizer Adagrad.

        Args:
            use_locking: Without meaning: the locks are always held.
            update_slots: False to leave the slots as they are.
        """
        return self._add("ResourceApplyAdagrad", (var, accum, lr, grad), {"use_locking": use_locking, "update_slots": update_slots}, None, called=name, device=device, after=after)

    def apply_adagrad_da(
        self,
        var: Value,
        gradient_accumulator: Value,
        gradient_squared_accumulator: Value,
        grad: Value,
        lr: Value,
        l1: Value,
        l2: Value,
        global_step: Value,
        *,
        use_locking: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A step of the optimizer AdagradDA.

        Args:
            use_locking: Without meaning: the locks are always held.
        """
        return self._add("ApplyAdagradDA", (var, gradient_accumulator, gradient_squared_accumulator, grad, lr, l1, l2, global_step), {"use_locking": use_locking}, None, called=name, device=device, after=after)

    def resource_apply_adagrad_da(
        self,
        var: Value,
        gradient_accumulator: Value,
        gradient_squared_accumulator: Value,
        grad: Value,
        lr: Value,
        l1: Value,
        l2: Value,
        global_step: Value,
        *,
        use_locking: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """A step of the optimizer AdagradDA.

        Args:
            use_locking: Without meaning: the locks are always held.
        """
        return self._add("ResourceApplyAdagradDA", (var, gradient_accumulator, gradient_squared_accumulator, grad, lr, l1, l2, global_step), {"use_locking": use_locking}, None, called=name, device=device, after=after)

    def apply_adagrad_v2(
        self,
        var: Value,
        accum: Value,
        lr: Value,
        epsilon: Value,
        grad: Value,
        *,
        use_locking: bool = False,
        update_slots: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A step of the optimizer AdagradV2.

        Args:
            use_locking: Without meaning: the locks are always held.
            update_slots: False to leave the slots as they are.
        """
        return self._add("ApplyAdagradV2", (var, accum, lr, epsilon, grad), {"use_locking": use_locking, "update_slots": update_slots}, None, called=name, device=device, after=after)

    def resource_apply_adagrad_v2(
        self,
        var: Value,
        accum: Value,
        lr: Value,
        epsilon: Value,
        grad: Value,
        *,
        use_locking: bool = False,
        update_slots: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """A step of the optimizer AdagradV2.

        Args:
            use_locking: Without meaning: the locks are always held.
            update_slots: False to leave the slots as they are.
        """
        return self._add("ResourceApplyAdagradV2", (var, accum, lr, epsilon, grad), {"use_locking": use_locking, "update_slots": update_slots}, None, called=name, device=device, after=after)

    def apply_proximal_adagrad(
        self,
        var: Value,
        accum: Value,
        lr: Value,
        l1: Value,
        l2: Value,
        grad: Value,
        *,
        use_locking: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A step of the optimizer ProximalAdagrad.

        Args:
            use_locking: Without meaning: the locks are always held.
        """
        return self._add("ApplyProximalAdagrad", (var, accum, lr, l1, l2, grad), {"use_locking": use_locking}, None, called=name, device=device, after=after)

    def resource_apply_proximal_adagrad(
        self,
        var: Value,
        accum: Value,
        lr: Value,
        l1: Value,
        l2: Value,
        grad: Value,
        *,
        use_locking: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """A step of the optimizer ProximalAdagrad.

        Args:
            use_locking: Without meaning: the locks are always held.
        """
        return self._add("ResourceApplyProximalAdagrad", (var, accum, lr, l1, l2, grad), {"use_locking": use_locking}, None, called=name, device=device, after=after)

    def sparse_apply_adagrad(
        self,
        var: Value,
        accum: Value,
        lr: Value,
        grad: Value,
        indices: Value,
        *,
        use_locking: bool = False,
        update_slots: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A step of the optimizer Adagrad on some rows.

        Args:
            use_locking: Without meaning: the locks are always held.
            update_slots: False to leave the slots as they are.
        """
        return self._add("SparseApplyAdagrad", (var, accum, lr, grad, indices), {"use_locking": use_locking, "update_slots": update_slots}, None, called=name, device=device, after=after)

    def resource_sparse_apply_adagrad(
        self,
        var: Value,
        accum: Value,
        lr: Value,
        grad: Value,
        indices: Value,
        *,
        use_locking: bool = False,
        update_slots: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """A step of the optimizer Adagrad on some rows.

        Args:
            use_locking: Without meaning: the locks are always held.
            update_slots: False to leave the slots as they are.
        """
        return self._add("ResourceSparseApplyAdagrad", (var, accum, lr, grad, indices), {"use_locking": use_locking, "update_slots": update_slots}, None, called=name, device=device, after=after)

    def sparse_apply_adagrad_da(
        self,
        var: Value,
        gradient_accumulator: Value,
        gradient_squared_accumulator: Value,
        grad: Value,
        indices: Value,
        lr: Value,
        l1: Value,
        l2: Value,
        global_step: Value,
        *,
        use_locking: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A step of the optimizer AdagradDA on some rows.

        Args:
            use_locking: Without meaning: the locks are always held.
        """
        return self._add("SparseApplyAdagradDA", (var, gradient_accumulator, gradient_squared_accumulator, grad, indices, lr, l1, l2, global_step), {"use_locking": use_locking}, None, called=name, device=device, after=after)

    def resource_sparse_apply_adagrad_da(
        self,
        var: Value,
        gradient_accumulator: Value,
        gradient_squared_accumulator: Value,
        grad: Value,
        indices: Value,
        lr: Value,
        l1: Value,
        l2: Value,
        global_step: Value,
        *,
        use_locking: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """A step of the optimizer AdagradDA on some rows.

        Args:
            use_locking: Without meaning: the locks are always held.
        """
        return self._add("ResourceSparseApplyAdagradDA", (var, gradient_accumulator, gradient_squared_accumulator, grad, indices, lr, l1, l2, global_step), {"use_locking": use_locking}, None, called=name, device=device, after=after)

    def sparse_apply_adagrad_v2(
        self,
        var: Value,
        accum: Value,
        lr: Value,
        epsilon: Value,
        grad: Value,
        indices: Value,
        *,
        use_locking: bool = False,
        update_slots: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A step of the optimizer AdagradV2 on some rows.

        Args:
            use_locking: Without meaning: the locks are always held.
            update_slots: False to leave the slots as they are.
        """
        return self._add("SparseApplyAdagradV2", (var, accum, lr, epsilon, grad, indices), {"use_locking": use_locking, "update_slots": update_slots}, None, called=name, device=device, after=after)

    def resource_sparse_apply_adagrad_v2(
        self,
        var: Value,
        accum: Value,
        lr: Value,
        epsilon: Value,
        grad: Value,
        indices: Value,
        *,
        use_locking: bool = False,
        update_slots: bool = True,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """A step of the optimizer AdagradV2 on some rows.

        Args:
            use_locking: Without meaning: the locks are always held.
            update_slots: False to leave the slots as they are.
        """
        return self._add("ResourceSparseApplyAdagradV2", (var, accum, lr, epsilon, grad, indices), {"use_locking": use_locking, "update_slots": update_slots}, None, called=name, device=device, after=after)

    def sparse_apply_proximal_adagrad(
        self,
        var: Value,
        accum: Value,
        lr: Value,
        l1: Value,
        l2: Value,
        grad: Value,
        indices: Value,
        *,
        use_locking: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A step of the optimizer ProximalAdagrad on some rows.

        Args:
            use_locking: Without meaning: the locks are always held.
        """
        return self._add("SparseApplyProximalAdagrad", (var, accum, lr, l1, l2, grad, indices), {"use_locking": use_locking}, None, called=name, device=device, after=after)

    def resource_sparse_apply_proximal_adagrad(
        self,
        var: Value,
        accum: Value,
        lr: Value,
        l1: Value,
        l2: Value,
        grad: Value,
        indices: Value,
        *,
        use_locking: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """A step of the optimizer ProximalAdagrad on some rows.

        Args:
            use_locking: Without meaning: the locks are always held.
        """
        return self._add("ResourceSparseApplyProximalAdagrad", (var, accum, lr, l1, l2, grad, indices), {"use_locking": use_locking}, None, called=name, device=device, after=after)

    def apply_ada_max(
        self,
        var: Value,
        m: Value,
        v: Value,
        beta1_power: Value,
        lr: Value,
        beta1: Value,
        beta2: Value,
        epsilon: Value,
        grad: Value,
        *,
        use_locking: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A step of the optimizer AdaMax.

        Args:
            use_locking: Without meaning: the locks are always held.
        """
        return self._add("ApplyAdaMax", (var, m, v, beta1_power, lr, beta1, beta2, epsilon, grad), {"use_locking": use_locking}, None, called=name, device=device, after=after)

    def resource_apply_ada_max(
        self,
        var: Value,
        m: Value,
        v: Value,
        beta1_power: Value,
        lr: Value,
        beta1: Value,
        beta2: Value,
        epsilon: Value,
        grad: Value,
        *,
        use_locking: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """A step of the optimizer AdaMax.

        Args:
            use_locking: Without meaning: the locks are always held.
        """
        return self._add("ResourceApplyAdaMax", (var, m, v, beta1_power, lr, beta1, beta2, epsilon, grad), {"use_locking": use_locking}, None, called=name, device=device, after=after)

    def apply_adam(
        self,
        var: Value,
        m: Value,
        v: Value,
        beta1_power: Value,
        beta2_power: Value,
        lr: Value,
        beta1: Value,
        beta2: Value,
        epsilon: Value,
        grad: Value,
        *,
        use_locking: bool = False,
        use_nesterov: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A step of the optimizer Adam.

        Args:
            use_locking: Without meaning: the locks are always held.
            use_nesterov: True for Nesterov's momentum.
        """
        return self._add("ApplyAdam", (var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad), {"use_locking": use_locking, "use_nesterov": use_nesterov}, None, called=name, device=device, after=after)

    def resource_apply_adam(
        self,
        var: Value,
        m: Value,
        v: Value,
        beta1_power: Value,
        beta2_power: Value,
        lr: Value,
        beta1: Value,
        beta2: Value,
        epsilon: Value,
        grad: Value,
        *,
        use_locking: bool = False,
        use_nesterov: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """A step of the optimizer Adam.

        Args:
            use_locking: Without meaning: the locks are always held.
            use_nesterov: True for Nesterov's momentum.
        """
        return self._add("ResourceApplyAdam", (var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad), {"use_locking": use_locking, "use_nesterov": use_nesterov}, None, called=name, device=device, after=after)

    def resource_apply_adam_with_amsgrad(
        self,
        var: Value,
        m: Value,
        v: Value,
        vhat: Value,
        beta1_power: Value,
        beta2_power: Value,
        lr: Value,
        beta1: Value,
        beta2: Value,
        epsilon: Value,
        grad: Value,
        *,
        use_locking: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """A step of the optimizer AdamWithAmsgrad.

        Args:
            use_locking: Without meaning: the locks are always held.
        """
        return self._add("ResourceApplyAdamWithAmsgrad", (var, m, v, vhat, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad), {"use_locking": use_locking}, None, called=name, device=device, after=after)

    def apply_ftrl(
        self,
        var: Value,
        accum: Value,
        linear: Value,
        grad: Value,
        lr: Value,
        l1: Value,
        l2: Value,
        lr_power: Value,
        *,
        use_locking: bool = False,
        multiply_linear_by_lr: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A step of the optimizer Ftrl.

        Args:
            use_locking: Without meaning: the locks are always held.
            multiply_linear_by_lr: True where the linear term is kept multiplied by the rate.
        """
        return self._add("ApplyFtrl", (var, accum, linear, grad, lr, l1, l2, lr_power), {"use_locking": use_locking, "multiply_linear_by_lr": multiply_linear_by_lr}, None, called=name, device=device, after=after)

    def resource_apply_ftrl(
        self,
        var: Value,
        accum: Value,
        linear: Value,
        grad: Value,
        lr: Value,
        l1: Value,
        l2: Value,
        lr_power: Value,
        *,
        use_locking: bool = False,
        multiply_linear_by_lr: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """A step of the optimizer Ftrl.

        Args:
            use_locking: Without meaning: the locks are always held.
            multiply_linear_by_lr: True where the linear term is kept multiplied by the rate.
        """
        return self._add("ResourceApplyFtrl", (var, accum, linear, grad, lr, l1, l2, lr_power), {"use_locking": use_locking, "multiply_linear_by_lr": multiply_linear_by_lr}, None, called=name, device=device, after=after)

    def apply_ftrl_v2(
        self,
        var: Value,
        accum: Value,
        linear: Value,
        grad: Value,
        lr: Value,
        l1: Value,
        l2: Value,
        l2_shrinkage: Value,
        lr_power: Value,
        *,
        use_locking: bool = False,
        multiply_linear_by_lr: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A step of the optimizer FtrlV2.

        Args:
            use_locking: Without meaning: the locks are always held.
            multiply_linear_by_lr: True where the linear term is kept multiplied by the rate.
        """
        return self._add("ApplyFtrlV2", (var, accum, linear, grad, lr, l1, l2, l2_shrinkage, lr_power), {"use_locking": use_locking, "multiply_linear_by_lr": multiply_linear_by_lr}, None, called=name, device=device, after=after)

    def resource_apply_ftrl_v2(
        self,
        var: Value,
        accum: Value,
        linear: Value,
        grad: Value,
        lr: Value,
        l1: Value,
        l2: Value,
        l2_shrinkage: Value,
        lr_power: Value,
        *,
        use_locking: bool = False,
        multiply_linear_by_lr: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """A step of the optimizer FtrlV2.

        Args:
            use_locking: Without meaning: the locks are always held.
            multiply_linear_by_lr: True where the linear term is kept multiplied by the rate.
        """
        return self._add("ResourceApplyFtrlV2", (var, accum, linear, grad, lr, l1, l2, l2_shrinkage, lr_power), {"use_locking": use_locking, "multiply_linear_by_lr": multiply_linear_by_lr}, None, called=name, device=device, after=after)

    def sparse_apply_ftrl(
        self,
        var: Value,
        accum: Value,
        linear: Value,
        grad: Value,
        indices: Value,
        lr: Value,
        l1: Value,
        l2: Value,
        lr_power: Value,
        *,
        use_locking: bool = False,
        multiply_linear_by_lr: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A step of the optimizer Ftrl on some rows.

        Args:
            use_locking: Without meaning: the locks are always held.
            multiply_linear_by_lr: True where the linear term is kept multiplied by the rate.
        """
        return self._add("SparseApplyFtrl", (var, accum, linear, grad, indices, lr, l1, l2, lr_power), {"use_locking": use_locking, "multiply_linear_by_lr": multiply_linear_by_lr}, None, called=name, device=device, after=after)

    def resource_sparse_apply_ftrl(
        self,
        var: Value,
        accum: Value,
        linear: Value,
        grad: Value,
        indices: Value,
        lr: Value,
        l1: Value,
        l2: Value,
        lr_power: Value,
        *,
        use_locking: bool = False,
        multiply_linear_by_lr: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """A step of the optimizer Ftrl on some rows.

        Args:
            use_locking: Without meaning: the locks are always held.
            multiply_linear_by_lr: True where the linear term is kept multiplied by the rate.
        """
        return self._add("ResourceSparseApplyFtrl", (var, accum, linear, grad, indices, lr, l1, l2, lr_power), {"use_locking": use_locking, "multiply_linear_by_lr": multiply_linear_by_lr}, None, called=name, device=device, after=after)

    def sparse_apply_ftrl_v2(
        self,
        var: Value,
        accum: Value,
        linear: Value,
        grad: Value,
        indices: Value,
        lr: Value,
        l1: Value,
        l2: Value,
        l2_shrinkage: Value,
        lr_power: Value,
        *,
        use_locking: bool = False,
        multiply_linear_by_lr: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A step of the optimizer FtrlV2 on some rows.

        Args:
            use_locking: Without meaning: the locks are always held.
            multiply_linear_by_lr: True where the linear term is kept multiplied by the rate.
        """
        return self._add("SparseApplyFtrlV2", (var, accum, linear, grad, indices, lr, l1, l2, l2_shrinkage, lr_power), {"use_locking": use_locking, "multiply_linear_by_lr": multiply_linear_by_lr}, None, called=name, device=device, after=after)

    def resource_sparse_apply_ftrl_v2(
        self,
        var: Value,
        accum: Value,
        linear: Value,
        grad: Value,
        indices: Value,
        lr: Value,
        l1: Value,
        l2: Value,
        l2_shrinkage: Value,
        lr_power: Value,
        *,
        use_locking: bool = False,
        multiply_linear_by_lr: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """A step of the optimizer FtrlV2 on some rows.

        Args:
            use_locking: Without meaning: the locks are always held.
            multiply_linear_by_lr: True where the linear term is kept multiplied by the rate.
        """
        return self._add("ResourceSparseApplyFtrlV2", (var, accum, linear, grad, indices, lr, l1, l2, l2_shrinkage, lr_power), {"use_locking": use_locking, "multiply_linear_by_lr": multiply_linear_by_lr}, None, called=name, device=device, after=after)

    def apply_gradient_descent(
        self,
        var: Value,
        alpha: Value,
        delta: Value,
        *,
        use_locking: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A step of the optimizer GradientDescent.

        Args:
            use_locking: Without meaning: the locks are always held.
        """
        return self._add("ApplyGradientDescent", (var, alpha, delta), {"use_locking": use_locking}, None, called=name, device=device, after=after)

    def resource_apply_gradient_descent(
        self,
        var: Value,
        alpha: Value,
        delta: Value,
        *,
        use_locking: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """A step of the optimizer GradientDescent.

        Args:
            use_locking: Without meaning: the locks are always held.
        """
        return self._add("ResourceApplyGradientDescent", (var, alpha, delta), {"use_locking": use_locking}, None, called=name, device=device, after=after)

    def apply_proximal_gradient_descent(
        self,
        var: Value,
        alpha: Value,
        l1: Value,
        l2: Value,
        delta: Value,
        *,
        use_locking: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A step of the optimizer ProximalGradientDescent.

        Args:
            use_locking: Without meaning: the locks are always held.
        """
        return self._add("ApplyProximalGradientDescent", (var, alpha, l1, l2, delta), {"use_locking": use_locking}, None, called=name, device=device, after=after)

    def resource_apply_proximal_gradient_descent(
        self,
        var: Value,
        alpha: Value,
        l1: Value,
        l2: Value,
        delta: Value,
        *,
        use_locking: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """A step of the optimizer ProximalGradientDescent.

        Args:
            use_locking: Without meaning: the locks are always held.
        """
        return self._add("ResourceApplyProximalGradientDescent", (var, alpha, l1, l2, delta), {"use_locking": use_locking}, None, called=name, device=device, after=after)

    def sparse_apply_proximal_gradient_descent(
        self,
        var: Value,
        alpha: Value,
        l1: Value,
        l2: Value,
        grad: Value,
        indices: Value,
        *,
        use_locking: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A step of the optimizer ProximalGradientDescent on some rows.

        Args:
            use_locking: Without meaning: the locks are always held.
        """
        return self._add("SparseApplyProximalGradientDescent", (var, alpha, l1, l2, grad, indices), {"use_locking": use_locking}, None, called=name, device=device, after=after)

    def resource_sparse_apply_proximal_gradient_descent(
        self,
        var: Value,
        alpha: Value,
        l1: Value,
        l2: Value,
        grad: Value,
        indices: Value,
        *,
        use_locking: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """A step of the optimizer ProximalGradientDescent on some rows.

        Args:
            use_locking: Without meaning: the locks are always held.
        """
        return self._add("ResourceSparseApplyProximalGradientDescent", (var, alpha, l1, l2, grad, indices), {"use_locking": use_locking}, None, called=name, device=device, after=after)

    def resource_apply_keras_momentum(
        self,
        var: Value,
        accum: Value,
        lr: Value,
        grad: Value,
        momentum: Value,
        *,
        use_locking: bool = False,
        use_nesterov: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """A step of the optimizer KerasMomentum.

        Args:
            use_locking: Without meaning: the locks are always held.
            use_nesterov: True for Nesterov's momentum.
        """
        return self._add("ResourceApplyKerasMomentum", (var, accum, lr, grad, momentum), {"use_locking": use_locking, "use_nesterov": use_nesterov}, None, called=name, device=device, after=after)

    def apply_momentum(
        self,
        var: Value,
        accum: Value,
        lr: Value,
        grad: Value,
        momentum: Value,
        *,
        use_locking: bool = False,
        use_nesterov: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A step of the optimizer Momentum.

        Args:
            use_locking: Without meaning: the locks are always held.
            use_nesterov: True for Nesterov's momentum.
        """
        return self._add("ApplyMomentum", (var, accum, lr, grad, momentum), {"use_locking": use_locking, "use_nesterov": use_nesterov}, None, called=name, device=device, after=after)

    def resource_apply_momentum(
        self,
        var: Value,
        accum: Value,
        lr: Value,
        grad: Value,
        momentum: Value,
        *,
        use_locking: bool = False,
        use_nesterov: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """A step of the optimizer Momentum.

        Args:
            use_locking: Without meaning: the locks are always held.
            use_nesterov: True for Nesterov's momentum.
        """
        return self._add("ResourceApplyMomentum", (var, accum, lr, grad, momentum), {"use_locking": use_locking, "use_nesterov": use_nesterov}, None, called=name, device=device, after=after)

    def resource_sparse_apply_keras_momentum(
        self,
        var: Value,
        accum: Value,
        lr: Value,
        grad: Value,
        indices: Value,
        momentum: Value,
        *,
        use_locking: bool = False,
        use_nesterov: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """A step of the optimizer KerasMomentum on some rows.

        Args:
            use_locking: Without meaning: the locks are always held.
            use_nesterov: True for Nesterov's momentum.
        """
        return self._add("ResourceSparseApplyKerasMomentum", (var, accum, lr, grad, indices, momentum), {"use_locking": use_locking, "use_nesterov": use_nesterov}, None, called=name, device=device, after=after)

    def sparse_apply_momentum(
        self,
        var: Value,
        accum: Value,
        lr: Value,
        grad: Value,
        indices: Value,
        momentum: Value,
        *,
        use_locking: bool = False,
        use_nesterov: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A step of the optimizer Momentum on some rows.

        Args:
            use_locking: Without meaning: the locks are always held.
            use_nesterov: True for Nesterov's momentum.
        """
        return self._add("SparseApplyMomentum", (var, accum, lr, grad, indices, momentum), {"use_locking": use_locking, "use_nesterov": use_nesterov}, None, called=name, device=device, after=after)

    def resource_sparse_apply_momentum(
        self,
        var: Value,
        accum: Value,
        lr: Value,
        grad: Value,
        indices: Value,
        momentum: Value,
        *,
        use_locking: bool = False,
        use_nesterov: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """A step of the optimizer Momentum on some rows.

        Args:
            use_locking: Without meaning: the locks are always held.
            use_nesterov: True for Nesterov's momentum.
        """
        return self._add("ResourceSparseApplyMomentum", (var, accum, lr, grad, indices, momentum), {"use_locking": use_locking, "use_nesterov": use_nesterov}, None, called=name, device=device, after=after)

    def apply_centered_rms_prop(
        self,
        var: Value,
        mg: Value,
        ms: Value,
        mom: Value,
        lr: Value,
        rho: Value,
        momentum: Value,
        epsilon: Value,
        grad: Value,
        *,
        use_locking: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A step of the optimizer CenteredRMSProp.

        Args:
            use_locking: Without meaning: the locks are always held.
        """
        return self._add("ApplyCenteredRMSProp", (var, mg, ms, mom, lr, rho, momentum, epsilon, grad), {"use_locking": use_locking}, None, called=name, device=device, after=after)

    def resource_apply_centered_rms_prop(
        self,
        var: Value,
        mg: Value,
        ms: Value,
        mom: Value,
        lr: Value,
        rho: Value,
        momentum: Value,
        epsilon: Value,
        grad: Value,
        *,
        use_locking: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """A step of the optimizer CenteredRMSProp.

        Args:
            use_locking: Without meaning: the locks are always held.
        """
        return self._add("ResourceApplyCenteredRMSProp", (var, mg, ms, mom, lr, rho, momentum, epsilon, grad), {"use_locking": use_locking}, None, called=name, device=device, after=after)

    def apply_rms_prop(
        self,
        var: Value,
        ms: Value,
        mom: Value,
        lr: Value,
        rho: Value,
        momentum: Value,
        epsilon: Value,
        grad: Value,
        *,
        use_locking: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A step of the optimizer RMSProp.

        Args:
            use_locking: Without meaning: the locks are always held.
        """
        return self._add("ApplyRMSProp", (var, ms, mom, lr, rho, momentum, epsilon, grad), {"use_locking": use_locking}, None, called=name, device=device, after=after)

    def resource_apply_rms_prop(
        self,
        var: Value,
        ms: Value,
        mom: Value,
        lr: Value,
        rho: Value,
        momentum: Value,
        epsilon: Value,
        grad: Value,
        *,
        use_locking: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """A step of the optimizer RMSProp.

        Args:
            use_locking: Without meaning: the locks are always held.
        """
        return self._add("ResourceApplyRMSProp", (var, ms, mom, lr, rho, momentum, epsilon, grad), {"use_locking": use_locking}, None, called=name, device=device, after=after)

    def sparse_apply_centered_rms_prop(
        self,
        var: Value,
        mg: Value,
        ms: Value,
        mom: Value,
        lr: Value,
        rho: Value,
        momentum: Value,
        epsilon: Value,
        grad: Value,
        indices: Value,
        *,
        use_locking: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A step of the optimizer CenteredRMSProp on some rows.

        Args:
            use_locking: Without meaning: the locks are always held.
        """
        return self._add("SparseApplyCenteredRMSProp", (var, mg, ms, mom, lr, rho, momentum, epsilon, grad, indices), {"use_locking": use_locking}, None, called=name, device=device, after=after)

    def resource_sparse_apply_centered_rms_prop(
        self,
        var: Value,
        mg: Value,
        ms: Value,
        mom: Value,
        lr: Value,
        rho: Value,
        momentum: Value,
        epsilon: Value,
        grad: Value,
        indices: Value,
        *,
        use_locking: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """A step of the optimizer CenteredRMSProp on some rows.

        Args:
            use_locking: Without meaning: the locks are always held.
        """
        return self._add("ResourceSparseApplyCenteredRMSProp", (var, mg, ms, mom, lr, rho, momentum, epsilon, grad, indices), {"use_locking": use_locking}, None, called=name, device=device, after=after)

    def sparse_apply_rms_prop(
        self,
        var: Value,
        ms: Value,
        mom: Value,
        lr: Value,
        rho: Value,
        momentum: Value,
        epsilon: Value,
        grad: Value,
        indices: Value,
        *,
        use_locking: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A step of the optimizer RMSProp on some rows.

        Args:
            use_locking: Without meaning: the locks are always held.
        """
        return self._add("SparseApplyRMSProp", (var, ms, mom, lr, rho, momentum, epsilon, grad, indices), {"use_locking": use_locking}, None, called=name, device=device, after=after)

    def resource_sparse_apply_rms_prop(
        self,
        var: Value,
        ms: Value,
        mom: Value,
        lr: Value,
        rho: Value,
        momentum: Value,
        epsilon: Value,
        grad: Value,
        indices: Value,
        *,
        use_locking: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """A step of the optimizer RMSProp on some rows.

        Args:
            use_locking: Without meaning: the locks are always held.
        """
        return self._add("ResourceSparseApplyRMSProp", (var, ms, mom, lr, rho, momentum, epsilon, grad, indices), {"use_locking": use_locking}, None, called=name, device=device, after=after)

    def apply_add_sign(
        self,
        var: Value,
        m: Value,
        lr: Value,
        alpha: Value,
        sign_decay: Value,
        beta: Value,
        grad: Value,
        *,
        use_locking: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A step of the optimizer AddSign.

        Args:
            use_locking: Without meaning: the locks are always held.
        """
        return self._add("ApplyAddSign", (var, m, lr, alpha, sign_decay, beta, grad), {"use_locking": use_locking}, None, called=name, device=device, after=after)

    def resource_apply_add_sign(
        self,
        var: Value,
        m: Value,
        lr: Value,
        alpha: Value,
        sign_decay: Value,
        beta: Value,
        grad: Value,
        *,
        use_locking: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """A step of the optimizer AddSign.

        Args:
            use_locking: Without meaning: the locks are always held.
        """
        return self._add("ResourceApplyAddSign", (var, m, lr, alpha, sign_decay, beta, grad), {"use_locking": use_locking}, None, called=name, device=device, after=after)

    def apply_power_sign(
        self,
        var: Value,
        m: Value,
        lr: Value,
        logbase: Value,
        sign_decay: Value,
        beta: Value,
        grad: Value,
        *,
        use_locking: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A step of the optimizer PowerSign.

        Args:
            use_locking: Without meaning: the locks are always held.
        """
        return self._add("ApplyPowerSign", (var, m, lr, logbase, sign_decay, beta, grad), {"use_locking": use_locking}, None, called=name, device=device, after=after)

    def resource_apply_power_sign(
        self,
        var: Value,
        m: Value,
        lr: Value,
        logbase: Value,
        sign_decay: Value,
        beta: Value,
        grad: Value,
        *,
        use_locking: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Operation:
        """A step of the optimizer PowerSign.

        Args:
            use_locking: Without meaning: the locks are always held.
        """
        return self._add("ResourceApplyPowerSign", (var, m, lr, logbase, sign_decay, beta, grad), {"use_locking": use_locking}, None, called=name, device=device, after=after)

    # variants

    def tensor_list_concat(
        self,
        input_handle: Value,
        element_dtype: DTypeLike,
        *,
        element_shape: ShapeLike | None = None,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> TensorListConcatOutputs:
        """The elements, one after the other along their first axis, and how long each is.

        Args:
            element_dtype: Element type.
            element_shape: What is known of the elements' shapes.
        """
        return self._add("TensorListConcat", (input_handle,), {"element_dtype": element_dtype, "element_shape": element_shape}, TensorListConcatOutputs, called=name, device=device, after=after)

    def tensor_list_concat_v2(
        self,
        input_handle: Value,
        element_shape: Value,
        leading_dims: Value,
        element_dtype: DTypeLike,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> TensorListConcatV2Outputs:
        """The elements, one after the other along their first axis, and how long each is. Those that were never set are
        zeros, as long as `leading_dims` says.

        Args:
            element_dtype: Element type.
        """
        return self._add("TensorListConcatV2", (input_handle, element_shape, leading_dims), {"element_dtype": element_dtype}, TensorListConcatV2Outputs, called=name, device=device, after=after)

    def tensor_list_split(
        self,
        tensor: Value,
        element_shape: Value,
        lengths: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A list of parts of a tensor along its first axis, of the given lengths."""
        return self._add("TensorListSplit", (tensor, element_shape, lengths), {}, None, called=name, device=device, after=after)

    def empty_tensor_list(
        self,
        element_shape: Value,
        max_num_elements: Value,
        element_dtype: DTypeLike,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A list without elements.

        Args:
            element_dtype: Element type.
        """
        return self._add("EmptyTensorList", (element_shape, max_num_elements), {"element_dtype": element_dtype}, None, called=name, device=device, after=after)

    def tensor_list_reserve(
        self,
        element_shape: Value,
        num_elements: Value,
        element_dtype: DTypeLike,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A list of elements that have not been set.

        Args:
            element_dtype: Element type.
        """
        return self._add("TensorListReserve", (element_shape, num_elements), {"element_dtype": element_dtype}, None, called=name, device=device, after=after)

    def tensor_list_element_shape(
        self,
        input_handle: Value,
        shape_type: DTypeLike,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """What a list knows of its elements' shapes, -1 for what it does not.

        Args:
            shape_type: Type of the shape.
        """
        return self._add("TensorListElementShape", (input_handle,), {"shape_type": shape_type}, None, called=name, device=device, after=after)

    def tensor_list_get_item(
        self,
        input_handle: Value,
        index: Value,
        element_shape: Value,
        element_dtype: DTypeLike,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """An element of a list; zeros where it was never set.

        Args:
            element_dtype: Element type.
        """
        return self._add("TensorListGetItem", (input_handle, index, element_shape), {"element_dtype": element_dtype}, None, called=name, device=device, after=after)

    def tensor_list_length(
        self,
        input_handle: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Number of elements."""
        return self._add("TensorListLength", (input_handle,), {}, None, called=name, device=device, after=after)

    def tensor_list_resize(
        self,
        input_handle: Value,
        size: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A list cut off, or made longer by elements that have not been set."""
        return self._add("TensorListResize", (input_handle, size), {}, None, called=name, device=device, after=after)

    def tensor_list_set_item(
        self,
        input_handle: Value,
        index: Value,
        item: Value,
        *,
        resize_if_index_out_of_bounds: bool = False,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A list with one element set.

        Args:
            resize_if_index_out_of_bounds: Makes a list that is too short longer.
        """
        return self._add("TensorListSetItem", (input_handle, index, item), {"resize_if_index_out_of_bounds": resize_if_index_out_of_bounds}, None, called=name, device=device, after=after)

    def empty_tensor_map(
        self,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A map without keys."""
        return self._add("EmptyTensorMap", (), {}, None, called=name, device=device, after=after)

    def tensor_map_erase(
        self,
        input_handle: Value,
        key: Value,
        value_dtype: DTypeLike,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A map without one of its keys.

        Args:
            value_dtype: Type of the value.
        """
        return self._add("TensorMapErase", (input_handle, key), {"value_dtype": value_dtype}, None, called=name, device=device, after=after)

    def tensor_map_has_key(
        self,
        input_handle: Value,
        key: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Whether a key is in a map."""
        return self._add("TensorMapHasKey", (input_handle, key), {}, None, called=name, device=device, after=after)

    def tensor_map_insert(
        self,
        input_handle: Value,
        key: Value,
        value: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A map with a value set for a key."""
        return self._add("TensorMapInsert", (input_handle, key, value), {}, None, called=name, device=device, after=after)

    def tensor_map_lookup(
        self,
        input_handle: Value,
        key: Value,
        value_dtype: DTypeLike,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The value of a key.

        Args:
            value_dtype: Type of the value.
        """
        return self._add("TensorMapLookup", (input_handle, key), {"value_dtype": value_dtype}, None, called=name, device=device, after=after)

    def tensor_map_size(
        self,
        input_handle: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Number of keys."""
        return self._add("TensorMapSize", (input_handle,), {}, None, called=name, device=device, after=after)

    def tensor_map_stack_keys(
        self,
        input_handle: Value,
        key_dtype: DTypeLike,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """All keys, side by side.

        Args:
            key_dtype: Type of the keys.
        """
        return self._add("TensorMapStackKeys", (input_handle,), {"key_dtype": key_dtype}, None, called=name, device=device, after=after)

    def optional_from_value(
        self,
        components: Sequence[Value],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """An optional value that is there."""
        return self._add("OptionalFromValue", (components,), {}, None, called=name, device=device, after=after)

    def optional_get_value(
        self,
        optional: Value,
        output_types: Sequence[DTypeLike],
        output_shapes: Sequence[ShapeLike | None],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """The value of an optional.

        Args:
            output_types: Types of the components.
            output_shapes: Shapes of the components.
        """
        return self._add("OptionalGetValue", (optional,), {"output_types": output_types, "output_shapes": output_shapes}, None, called=name, device=device, after=after)

    def optional_has_value(
        self,
        optional: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Whether an optional value is there."""
        return self._add("OptionalHasValue", (optional,), {}, None, called=name, device=device, after=after)

    def optional_none(
        self,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """An optional value that is not there."""
        return self._add("OptionalNone", (), {}, None, called=name, device=device, after=after)

    def tensor_list_concat_lists(
        self,
        input_a: Value,
        input_b: Value,
        element_dtype: DTypeLike,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Pairs of lists, one after the other.

        Args:
            element_dtype: Element type.
        """
        return self._add("TensorListConcatLists", (input_a, input_b), {"element_dtype": element_dtype}, None, called=name, device=device, after=after)

    def tensor_list_pop_back(
        self,
        input_handle: Value,
        element_shape: Value,
        element_dtype: DTypeLike,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> TensorListPopBackOutputs:
        """The last element of a list, and the list without it.

        Args:
            element_dtype: Element type.
        """
        return self._add("TensorListPopBack", (input_handle, element_shape), {"element_dtype": element_dtype}, TensorListPopBackOutputs, called=name, device=device, after=after)

    def tensor_list_push_back(
        self,
        input_handle: Value,
        tensor: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A list with one more element at the end."""
        return self._add("TensorListPushBack", (input_handle, tensor), {}, None, called=name, device=device, after=after)

    def tensor_list_push_back_batch(
        self,
        input_handles: Value,
        tensor: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Lists, each with one more element at the end: the rows of a tensor."""
        return self._add("TensorListPushBackBatch", (input_handles, tensor), {}, None, called=name, device=device, after=after)

    def tensor_list_gather(
        self,
        input_handle: Value,
        indices: Value,
        element_shape: Value,
        element_dtype: DTypeLike,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Elements of a list side by side along a new first axis.

        Args:
            element_dtype: Element type.
        """
        return self._add("TensorListGather", (input_handle, indices, element_shape), {"element_dtype": element_dtype}, None, called=name, device=device, after=after)

    def tensor_list_scatter_into_existing_list(
        self,
        input_handle: Value,
        tensor: Value,
        indices: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A list with the elements at the given positions replaced by the rows of a tensor."""
        return self._add("TensorListScatterIntoExistingList", (input_handle, tensor, indices), {}, None, called=name, device=device, after=after)

    def tensor_list_scatter_v2(
        self,
        tensor: Value,
        indices: Value,
        element_shape: Value,
        num_elements: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A list of given length whose elements at the given positions are the rows of a tensor."""
        return self._add("TensorListScatterV2", (tensor, indices, element_shape, num_elements), {}, None, called=name, device=device, after=after)

    def tensor_list_scatter(
        self,
        tensor: Value,
        indices: Value,
        element_shape: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A list whose elements at the given positions are the rows of a tensor, as long as that takes."""
        return self._add("TensorListScatter", (tensor, indices, element_shape), {}, None, called=name, device=device, after=after)

    def tensor_list_from_tensor(
        self,
        tensor: Value,
        element_shape: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """A list of the rows of a tensor."""
        return self._add("TensorListFromTensor", (tensor, element_shape), {}, None, called=name, device=device, after=after)

    def tensor_list_stack(
        self,
        input_handle: Value,
        element_shape: Value,
        element_dtype: DTypeLike,
        *,
        num_elements: int = -1,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """All elements of a list side by side along a new first axis.

        Args:
            element_dtype: Element type.
            num_elements: Number of elements that there must be; -1 for any.
        """
        return self._add("TensorListStack", (input_handle, element_shape), {"element_dtype": element_dtype, "num_elements": num_elements}, None, called=name, device=device, after=after)

    # xla

    def xla_optimization_barrier(
        self,
        input: Sequence[Value],
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> list[Output]:
        """Gives its inputs once all are there."""
        return self._add("XlaOptimizationBarrier", (input,), {}, None, called=name, device=device, after=after)

    def xla_sharding(
        self,
        input: Value,
        *,
        sharding: str | bytes = '',
        unspecified_dims: Sequence[int] = (),
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """Gives its input, of which it says how it may be spread over devices.

        Args:
            sharding: How it is spread: here all of it is in one place.
            unspecified_dims: Axes that the compiler decides on.
        """
        return self._add("XlaSharding", (input,), {"sharding": sharding, "unspecified_dims": unspecified_dims}, None, called=name, device=device, after=after)

    def xla_conv(
        self,
        lhs: Value,
        rhs: Value,
        window_strides: Value,
        padding: Value,
        lhs_dilation: Value,
        rhs_dilation: Value,
        feature_group_count: Value,
        dimension_numbers: str | bytes,
        precision_config: str | bytes,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The convolution of `lhs` with `rhs`, whose axes are those that `dimension_numbers` says.

        Args:
            dimension_numbers: A `ConvolutionDimensionNumbers` message.
            precision_config: A `PrecisionConfig` message; here without meaning.
        """
        return self._add("XlaConv", (lhs, rhs, window_strides, padding, lhs_dilation, rhs_dilation, feature_group_count), {"dimension_numbers": dimension_numbers, "precision_config": precision_config}, None, called=name, device=device, after=after)

    def xla_conv_v2(
        self,
        lhs: Value,
        rhs: Value,
        window_strides: Value,
        padding: Value,
        lhs_dilation: Value,
        rhs_dilation: Value,
        feature_group_count: Value,
        dimension_numbers: str | bytes,
        precision_config: str | bytes,
        preferred_element_type: DTypeLike,
        *,
        batch_group_count: int = 1,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The convolution of `lhs` with `rhs`, whose axes are those that `dimension_numbers` says.

        Args:
            dimension_numbers: A `ConvolutionDimensionNumbers` message.
            precision_config: A `PrecisionConfig` message; here without meaning.
            preferred_element_type: Element type of the output.
            batch_group_count: Number of groups of images; must be 1.
        """
        return self._add("XlaConvV2", (lhs, rhs, window_strides, padding, lhs_dilation, rhs_dilation, feature_group_count), {"dimension_numbers": dimension_numbers, "precision_config": precision_config, "preferred_element_type": preferred_element_type, "batch_group_count": batch_group_count}, None, called=name, device=device, after=after)

    def xla_dot(
        self,
        lhs: Value,
        rhs: Value,
        dimension_numbers: str | bytes,
        precision_config: str | bytes,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The sums of products of `lhs` and `rhs` over the axes that `dimension_numbers` names, for each place along their
        batch axes.

        Args:
            dimension_numbers: A `DotDimensionNumbers` message.
            precision_config: A `PrecisionConfig` message; here without meaning.
        """
        return self._add("XlaDot", (lhs, rhs), {"dimension_numbers": dimension_numbers, "precision_config": precision_config}, None, called=name, device=device, after=after)

    def xla_dot_v2(
        self,
        lhs: Value,
        rhs: Value,
        dimension_numbers: str | bytes,
        precision_config: str | bytes,
        preferred_element_type: DTypeLike,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The sums of products of `lhs` and `rhs` over the axes that `dimension_numbers` names, for each place along their
        batch axes.

        Args:
            dimension_numbers: A `DotDimensionNumbers` message.
            precision_config: A `PrecisionConfig` message; here without meaning.
            preferred_element_type: Element type of the output.
        """
        return self._add("XlaDotV2", (lhs, rhs), {"dimension_numbers": dimension_numbers, "precision_config": precision_config, "preferred_element_type": preferred_element_type}, None, called=name, device=device, after=after)

    def xla_einsum(
        self,
        a: Value,
        b: Value,
        equation: str | bytes,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The sums of products of `a` and `b` that an equation of labels says.

        Args:
            equation: The labels: `ij,jk->ik`.
        """
        return self._add("XlaEinsum", (a, b), {"equation": equation}, None, called=name, device=device, after=after)

    def xla_gather(
        self,
        operand: Value,
        start_indices: Value,
        slice_sizes: Value,
        dimension_numbers: str | bytes,
        indices_are_sorted: bool,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The parts of `operand` of the sizes `slice_sizes` at the places in `start_indices`, moved so that they lie
        inside; `dimension_numbers` says what the axes of all three are.

        Args:
            dimension_numbers: A `GatherDimensionNumbers` message.
            indices_are_sorted: Whether places come in order; here without meaning.
        """
        return self._add("XlaGather", (operand, start_indices, slice_sizes), {"dimension_numbers": dimension_numbers, "indices_are_sorted": indices_are_sorted}, None, called=name, device=device, after=after)

    def xla_pad(
        self,
        input: Value,
        padding_value: Value,
        padding_low: Value,
        padding_high: Value,
        padding_interior: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`operand` with `padding_low` elements before, `padding_high` behind and `padding_interior` between its elements
        along each axis, which are `padding_value`. Negative margins cut elements off."""
        return self._add("XlaPad", (input, padding_value, padding_low, padding_high, padding_interior), {}, None, called=name, device=device, after=after)

    def xla_dynamic_slice(
        self,
        input: Value,
        start_indices: Value,
        size_indices: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """The part of `input` of the sizes `size_indices` that begins at `start_indices`, or so far before that it lies
        inside."""
        return self._add("XlaDynamicSlice", (input, start_indices, size_indices), {}, None, called=name, device=device, after=after)

    def xla_dynamic_update_slice(
        self,
        input: Value,
        update: Value,
        indices: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`input` with `update` in place of the part that begins at `indices`, or so far before that it lies inside."""
        return self._add("XlaDynamicUpdateSlice", (input, update, indices), {}, None, called=name, device=device, after=after)

    def xla_key_value_sort(
        self,
        keys: Value,
        values: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> XlaKeyValueSortOutputs:
        """`keys` with each row of the last axis in ascending order, and `values` in the order of their keys."""
        return self._add("XlaKeyValueSort", (keys, values), {}, XlaKeyValueSortOutputs, called=name, device=device, after=after)

    def xla_sort(
        self,
        input: Value,
        *,
        name: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Output:
        """`input` with each row of its last axis in ascending order."""
        return self._add("XlaSort", (input,), {}, None, called=name, device=device, after=after)

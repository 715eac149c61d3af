// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops of the family `reduce`.

use crate::node::{Input, Node, Ops, common, one_output};
use levada_graph::DType;
use levada_builder::Output;

impl Ops<'_> {
    /// Returns the logical AND of the elements along the axes.
    ///
    /// - `input`: a tensor of bool
    /// - `reduction_indices`: a tensor of `Tidx`
    ///
    /// `Tidx` is int32, int64.
    pub fn all(&self, input: impl Input, reduction_indices: impl Input) -> All<'_> {
        All(Node::new(self, "All").input(input).input(reduction_indices))
    }

    /// Returns the logical OR of the elements along the axes.
    ///
    /// - `input`: a tensor of bool
    /// - `reduction_indices`: a tensor of `Tidx`
    ///
    /// `Tidx` is int32, int64.
    pub fn any(&self, input: impl Input, reduction_indices: impl Input) -> Any<'_> {
        Any(Node::new(self, "Any").input(input).input(reduction_indices))
    }

    /// Returns the index of the maximum along an axis, the first one if there are several. NaN is ignored.
    ///
    /// - `input`: a tensor of `T`
    /// - `dimension`: a tensor of `Tidx`
    ///
    /// `T` is any integer or float, bool, qint8, quint8, qint32, qint16, quint16. `Tidx` is int32, int16, int64.
    pub fn arg_max(&self, input: impl Input, dimension: impl Input) -> ArgMax<'_> {
        ArgMax(Node::new(self, "ArgMax").input(input).input(dimension))
    }

    /// Returns the index of the minimum along an axis, the first one if there are several. NaN is ignored.
    ///
    /// - `input`: a tensor of `T`
    /// - `dimension`: a tensor of `Tidx`
    ///
    /// `T` is any integer or float, bool, qint8, quint8, qint32, qint16, quint16. `Tidx` is int32, int64.
    pub fn arg_min(&self, input: impl Input, dimension: impl Input) -> ArgMin<'_> {
        ArgMin(Node::new(self, "ArgMin").input(input).input(dimension))
    }

    /// Counts the occurrences of each integer in `[0, size)` in `arr`, or sums their `weights`.
    ///
    /// - `arr`: a tensor of int32
    /// - `size`: a tensor of int32
    /// - `weights`: a tensor of `T`
    ///
    /// `T` is float32, float64, int32, int64.
    pub fn bincount(&self, arr: impl Input, size: impl Input, weights: impl Input) -> Bincount<'_> {
        Bincount(Node::new(self, "Bincount").input(arr).input(size).input(weights))
    }

    /// Returns the cumulative product along `axis`. Integers wrap.
    ///
    /// - `x`: a tensor of `T`
    /// - `axis`: a tensor of `Tidx`
    ///
    /// `T` is any number, also quantized. `Tidx` is int32, int64.
    pub fn cumprod(&self, x: impl Input, axis: impl Input) -> Cumprod<'_> {
        Cumprod(Node::new(self, "Cumprod").input(x).input(axis))
    }

    /// Returns the cumulative sum along `axis`. Integers wrap.
    ///
    /// - `x`: a tensor of `T`
    /// - `axis`: a tensor of `Tidx`
    ///
    /// `T` is any number, also quantized. `Tidx` is int32, int64.
    pub fn cumsum(&self, x: impl Input, axis: impl Input) -> Cumsum<'_> {
        Cumsum(Node::new(self, "Cumsum").input(x).input(axis))
    }

    /// Returns the cumulative log-sum-exp along `axis`.
    ///
    /// - `x`: a tensor of `T`
    /// - `axis`: a tensor of `Tidx`
    ///
    /// `T` is any float. `Tidx` is int32, int64.
    pub fn cumulative_logsumexp(&self, x: impl Input, axis: impl Input) -> CumulativeLogsumexp<'_> {
        CumulativeLogsumexp(Node::new(self, "CumulativeLogsumexp").input(x).input(axis))
    }

    /// Counts the occurrences of each integer in `[0, size)` in a vector or in each row of a matrix, or sums their `weights`.
    ///
    /// - `input`: a tensor of `Tidx`
    /// - `size`: a tensor of `Tidx`
    /// - `weights`: a tensor of `T`
    ///
    /// `Tidx` is int32, int64. `T` is float32, float64, int32, int64.
    pub fn dense_bincount(&self, input: impl Input, size: impl Input, weights: impl Input) -> DenseBincount<'_> {
        DenseBincount(Node::new(self, "DenseBincount").input(input).input(size).input(weights))
    }

    /// Returns the Euclidean norm of the elements along the axes.
    ///
    /// - `input`: a tensor of `T`
    /// - `reduction_indices`: a tensor of `Tidx`
    ///
    /// `T` is any number, also quantized. `Tidx` is int32, int64.
    pub fn euclidean_norm(&self, input: impl Input, reduction_indices: impl Input) -> EuclideanNorm<'_> {
        EuclideanNorm(Node::new(self, "EuclideanNorm").input(input).input(reduction_indices))
    }

    /// Splits `value_range` into `nbins` bins of equal width and counts the `values` in each; values outside the range count in the first or last bin.
    ///
    /// - `values`: a tensor of `T`
    /// - `value_range`: a tensor of `T`
    /// - `nbins`: a tensor of int32
    ///
    /// `T` is float32, float64, int32, int64.
    pub fn histogram_fixed_width(&self, values: impl Input, value_range: impl Input, nbins: impl Input) -> HistogramFixedWidth<'_> {
        HistogramFixedWidth(Node::new(self, "HistogramFixedWidth").input(values).input(value_range).input(nbins))
    }

    /// Returns half the sum of the squares of the elements: `sum(t * t) / 2`.
    ///
    /// - `t`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn l2_loss(&self, t: impl Input) -> L2Loss<'_> {
        L2Loss(Node::new(self, "L2Loss").input(t))
    }

    /// Returns the maximum along the axes, or NaN if any element is NaN.
    ///
    /// - `input`: a tensor of `T`
    /// - `reduction_indices`: a tensor of `Tidx`
    ///
    /// `T` is any integer or float, qint8, quint8, qint32, qint16, quint16. `Tidx` is int32, int64.
    pub fn max(&self, input: impl Input, reduction_indices: impl Input) -> Max<'_> {
        Max(Node::new(self, "Max").input(input).input(reduction_indices))
    }

    /// Returns the mean of the elements along the axes, rounded towards zero for integers.
    ///
    /// - `input`: a tensor of `T`
    /// - `reduction_indices`: a tensor of `Tidx`
    ///
    /// `T` is any number, also quantized. `Tidx` is int32, int64.
    pub fn mean(&self, input: impl Input, reduction_indices: impl Input) -> Mean<'_> {
        Mean(Node::new(self, "Mean").input(input).input(reduction_indices))
    }

    /// Returns the minimum along the axes, or NaN if any element is NaN.
    ///
    /// - `input`: a tensor of `T`
    /// - `reduction_indices`: a tensor of `Tidx`
    ///
    /// `T` is any integer or float, qint8, quint8, qint32, qint16, quint16. `Tidx` is int32, int64.
    pub fn min(&self, input: impl Input, reduction_indices: impl Input) -> Min<'_> {
        Min(Node::new(self, "Min").input(input).input(reduction_indices))
    }

    /// Returns the product of the elements along the axes. Integers wrap.
    ///
    /// - `input`: a tensor of `T`
    /// - `reduction_indices`: a tensor of `Tidx`
    ///
    /// `T` is any number, also quantized. `Tidx` is int32, int64.
    pub fn prod(&self, input: impl Input, reduction_indices: impl Input) -> Prod<'_> {
        Prod(Node::new(self, "Prod").input(input).input(reduction_indices))
    }

    /// Counts the occurrences of each integer in `[0, size)` in each row of a ragged matrix, or sums their `weights`.
    ///
    /// - `splits`: a tensor of int64
    /// - `values`: a tensor of `Tidx`
    /// - `size`: a tensor of `Tidx`
    /// - `weights`: a tensor of `T`
    ///
    /// `Tidx` is int32, int64. `T` is float32, float64, int32, int64.
    ///
    /// It has no gradient.
    pub fn ragged_bincount(&self, splits: impl Input, values: impl Input, size: impl Input, weights: impl Input) -> RaggedBincount<'_> {
        RaggedBincount(Node::new(self, "RaggedBincount").input(splits).input(values).input(size).input(weights))
    }

    /// Returns the element-wise maximum of the rows of each segment.
    ///
    /// - `data`: a tensor of `T`
    /// - `segment_ids`: a tensor of `Tindices`
    ///
    /// `T` is any integer or float. `Tindices` is int32, int64.
    pub fn segment_max(&self, data: impl Input, segment_ids: impl Input) -> SegmentMax<'_> {
        SegmentMax(Node::new(self, "SegmentMax").input(data).input(segment_ids))
    }

    /// Returns the element-wise maximum of the rows of each of `num_segments` segments.
    ///
    /// - `data`: a tensor of `T`
    /// - `segment_ids`: a tensor of `Tindices`
    /// - `num_segments`: a tensor of `Tnumsegments`
    ///
    /// `T` is any integer or float. `Tindices` is int32, int64. `Tnumsegments` is int32, int64.
    ///
    /// It has no gradient.
    pub fn segment_max_v2(&self, data: impl Input, segment_ids: impl Input, num_segments: impl Input) -> SegmentMaxV2<'_> {
        SegmentMaxV2(Node::new(self, "SegmentMaxV2").input(data).input(segment_ids).input(num_segments))
    }

    /// Returns the mean of the rows of each segment.
    ///
    /// - `data`: a tensor of `T`
    /// - `segment_ids`: a tensor of `Tindices`
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64.
    pub fn segment_mean(&self, data: impl Input, segment_ids: impl Input) -> SegmentMean<'_> {
        SegmentMean(Node::new(self, "SegmentMean").input(data).input(segment_ids))
    }

    /// Returns the element-wise minimum of the rows of each segment.
    ///
    /// - `data`: a tensor of `T`
    /// - `segment_ids`: a tensor of `Tindices`
    ///
    /// `T` is any integer or float. `Tindices` is int32, int64.
    pub fn segment_min(&self, data: impl Input, segment_ids: impl Input) -> SegmentMin<'_> {
        SegmentMin(Node::new(self, "SegmentMin").input(data).input(segment_ids))
    }

    /// Returns the element-wise minimum of the rows of each of `num_segments` segments.
    ///
    /// - `data`: a tensor of `T`
    /// - `segment_ids`: a tensor of `Tindices`
    /// - `num_segments`: a tensor of `Tnumsegments`
    ///
    /// `T` is any integer or float. `Tindices` is int32, int64. `Tnumsegments` is int32, int64.
    ///
    /// It has no gradient.
    pub fn segment_min_v2(&self, data: impl Input, segment_ids: impl Input, num_segments: impl Input) -> SegmentMinV2<'_> {
        SegmentMinV2(Node::new(self, "SegmentMinV2").input(data).input(segment_ids).input(num_segments))
    }

    /// Returns the product of the rows of each segment.
    ///
    /// - `data`: a tensor of `T`
    /// - `segment_ids`: a tensor of `Tindices`
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64.
    pub fn segment_prod(&self, data: impl Input, segment_ids: impl Input) -> SegmentProd<'_> {
        SegmentProd(Node::new(self, "SegmentProd").input(data).input(segment_ids))
    }

    /// Returns the product of the rows of each of `num_segments` segments.
    ///
    /// - `data`: a tensor of `T`
    /// - `segment_ids`: a tensor of `Tindices`
    /// - `num_segments`: a tensor of `Tnumsegments`
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64. `Tnumsegments` is int32, int64.
    ///
    /// It has no gradient.
    pub fn segment_prod_v2(&self, data: impl Input, segment_ids: impl Input, num_segments: impl Input) -> SegmentProdV2<'_> {
        SegmentProdV2(Node::new(self, "SegmentProdV2").input(data).input(segment_ids).input(num_segments))
    }

    /// Returns the sum of the rows of each segment.
    ///
    /// - `data`: a tensor of `T`
    /// - `segment_ids`: a tensor of `Tindices`
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64.
    pub fn segment_sum(&self, data: impl Input, segment_ids: impl Input) -> SegmentSum<'_> {
        SegmentSum(Node::new(self, "SegmentSum").input(data).input(segment_ids))
    }

    /// Returns the sum of the rows of each of `num_segments` segments.
    ///
    /// - `data`: a tensor of `T`
    /// - `segment_ids`: a tensor of `Tindices`
    /// - `num_segments`: a tensor of `Tnumsegments`
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64. `Tnumsegments` is int32, int64.
    ///
    /// It has no gradient.
    pub fn segment_sum_v2(&self, data: impl Input, segment_ids: impl Input, num_segments: impl Input) -> SegmentSumV2<'_> {
        SegmentSumV2(Node::new(self, "SegmentSumV2").input(data).input(segment_ids).input(num_segments))
    }

    /// Counts the occurrences of each integer in `[0, size)` in a sparse vector or in each row of a sparse matrix, or sums their `weights`.
    ///
    /// - `indices`: a tensor of int64
    /// - `values`: a tensor of `Tidx`
    /// - `dense_shape`: a tensor of int64
    /// - `size`: a tensor of `Tidx`
    /// - `weights`: a tensor of `T`
    ///
    /// `Tidx` is int32, int64. `T` is float32, float64, int32, int64.
    ///
    /// It has no gradient.
    pub fn sparse_bincount(&self, indices: impl Input, values: impl Input, dense_shape: impl Input, size: impl Input, weights: impl Input) -> SparseBincount<'_> {
        SparseBincount(Node::new(self, "SparseBincount").input(indices).input(values).input(dense_shape).input(size).input(weights))
    }

    /// Returns the mean of the rows of each segment, selected from `data` by `indices`.
    ///
    /// - `data`: a tensor of `T`
    /// - `indices`: a tensor of `Tidx`
    /// - `segment_ids`: a tensor of `Tsegmentids`
    ///
    /// `T` is any float. `Tidx` is int32, int64. `Tsegmentids` is int32, int64.
    pub fn sparse_segment_mean(&self, data: impl Input, indices: impl Input, segment_ids: impl Input) -> SparseSegmentMean<'_> {
        SparseSegmentMean(Node::new(self, "SparseSegmentMean").input(data).input(indices).input(segment_ids))
    }

    /// Computes the gradient of the sparse segment reduction with respect to `data`, which has `output_dim0` rows.
    ///
    /// - `grad`: a tensor of `T`
    /// - `indices`: a tensor of `Tidx`
    /// - `segment_ids`: a tensor of `Tsegmentids`
    /// - `output_dim0`: a tensor of int32
    ///
    /// `T` is any float. `Tidx` is int32, int64. `Tsegmentids` is int32, int64.
    pub fn sparse_segment_mean_grad(&self, grad: impl Input, indices: impl Input, segment_ids: impl Input, output_dim0: impl Input) -> SparseSegmentMeanGrad<'_> {
        SparseSegmentMeanGrad(Node::new(self, "SparseSegmentMeanGrad").input(grad).input(indices).input(segment_ids).input(output_dim0))
    }

    /// Computes the gradient of the sparse segment reduction with respect to the selected rows of `data`, and their indices.
    ///
    /// - `grad`: a tensor of `T`
    /// - `indices`: a tensor of `Tidx`
    /// - `segment_ids`: a tensor of `Tsegmentids`
    /// - `dense_output_dim0`: a tensor of int32
    ///
    /// `T` is any float. `Tidx` is int32, int64. `Tsegmentids` is int32, int64.
    pub fn sparse_segment_mean_grad_v2(&self, grad: impl Input, indices: impl Input, segment_ids: impl Input, dense_output_dim0: impl Input) -> SparseSegmentMeanGradV2<'_> {
        SparseSegmentMeanGradV2(Node::new(self, "SparseSegmentMeanGradV2").input(grad).input(indices).input(segment_ids).input(dense_output_dim0))
    }

    /// Returns the mean of the rows of each of `num_segments` segments, selected from `data` by `indices`.
    ///
    /// - `data`: a tensor of `T`
    /// - `indices`: a tensor of `Tidx`
    /// - `segment_ids`: a tensor of `Tsegmentids`
    /// - `num_segments`: a tensor of `Tnumsegments`
    ///
    /// `T` is any float. `Tidx` is int32, int64. `Tnumsegments` is int32, int64. `Tsegmentids` is int32, int64.
    pub fn sparse_segment_mean_with_num_segments(&self, data: impl Input, indices: impl Input, segment_ids: impl Input, num_segments: impl Input) -> SparseSegmentMeanWithNumSegments<'_> {
        SparseSegmentMeanWithNumSegments(Node::new(self, "SparseSegmentMeanWithNumSegments").input(data).input(indices).input(segment_ids).input(num_segments))
    }

    /// Returns the sum of the rows of each segment divided by the square root of their number; `indices` selects the rows from `data`.
    ///
    /// - `data`: a tensor of `T`
    /// - `indices`: a tensor of `Tidx`
    /// - `segment_ids`: a tensor of `Tsegmentids`
    ///
    /// `T` is any float. `Tidx` is int32, int64. `Tsegmentids` is int32, int64.
    pub fn sparse_segment_sqrt_n(&self, data: impl Input, indices: impl Input, segment_ids: impl Input) -> SparseSegmentSqrtN<'_> {
        SparseSegmentSqrtN(Node::new(self, "SparseSegmentSqrtN").input(data).input(indices).input(segment_ids))
    }

    /// Computes the gradient of the sparse segment reduction with respect to `data`, which has `output_dim0` rows.
    ///
    /// - `grad`: a tensor of `T`
    /// - `indices`: a tensor of `Tidx`
    /// - `segment_ids`: a tensor of `Tsegmentids`
    /// - `output_dim0`: a tensor of int32
    ///
    /// `T` is any float. `Tidx` is int32, int64. `Tsegmentids` is int32, int64.
    pub fn sparse_segment_sqrt_n_grad(&self, grad: impl Input, indices: impl Input, segment_ids: impl Input, output_dim0: impl Input) -> SparseSegmentSqrtNGrad<'_> {
        SparseSegmentSqrtNGrad(Node::new(self, "SparseSegmentSqrtNGrad").input(grad).input(indices).input(segment_ids).input(output_dim0))
    }

    /// Computes the gradient of the sparse segment reduction with respect to the selected rows of `data`, and their indices.
    ///
    /// - `grad`: a tensor of `T`
    /// - `indices`: a tensor of `Tidx`
    /// - `segment_ids`: a tensor of `Tsegmentids`
    /// - `dense_output_dim0`: a tensor of int32
    ///
    /// `T` is any float. `Tidx` is int32, int64. `Tsegmentids` is int32, int64.
    pub fn sparse_segment_sqrt_n_grad_v2(&self, grad: impl Input, indices: impl Input, segment_ids: impl Input, dense_output_dim0: impl Input) -> SparseSegmentSqrtNGradV2<'_> {
        SparseSegmentSqrtNGradV2(Node::new(self, "SparseSegmentSqrtNGradV2").input(grad).input(indices).input(segment_ids).input(dense_output_dim0))
    }

    /// Returns the sum of the rows of each of `num_segments` segments divided by the square root of their number; `indices` selects the rows from `data`.
    ///
    /// - `data`: a tensor of `T`
    /// - `indices`: a tensor of `Tidx`
    /// - `segment_ids`: a tensor of `Tsegmentids`
    /// - `num_segments`: a tensor of `Tnumsegments`
    ///
    /// `T` is any float. `Tidx` is int32, int64. `Tnumsegments` is int32, int64. `Tsegmentids` is int32, int64.
    pub fn sparse_segment_sqrt_n_with_num_segments(&self, data: impl Input, indices: impl Input, segment_ids: impl Input, num_segments: impl Input) -> SparseSegmentSqrtNWithNumSegments<'_> {
        SparseSegmentSqrtNWithNumSegments(Node::new(self, "SparseSegmentSqrtNWithNumSegments").input(data).input(indices).input(segment_ids).input(num_segments))
    }

    /// Returns the sum of the rows of each segment, selected from `data` by `indices`.
    ///
    /// - `data`: a tensor of `T`
    /// - `indices`: a tensor of `Tidx`
    /// - `segment_ids`: a tensor of `Tsegmentids`
    ///
    /// `T` is any integer or float. `Tidx` is int32, int64. `Tsegmentids` is int32, int64.
    pub fn sparse_segment_sum(&self, data: impl Input, indices: impl Input, segment_ids: impl Input) -> SparseSegmentSum<'_> {
        SparseSegmentSum(Node::new(self, "SparseSegmentSum").input(data).input(indices).input(segment_ids))
    }

    /// Computes the gradient of the sparse segment reduction with respect to `data`, which has `output_dim0` rows.
    ///
    /// - `grad`: a tensor of `T`
    /// - `indices`: a tensor of `Tidx`
    /// - `segment_ids`: a tensor of `Tsegmentids`
    /// - `output_dim0`: a tensor of int32
    ///
    /// `T` is any float. `Tidx` is int32, int64. `Tsegmentids` is int32, int64.
    pub fn sparse_segment_sum_grad(&self, grad: impl Input, indices: impl Input, segment_ids: impl Input, output_dim0: impl Input) -> SparseSegmentSumGrad<'_> {
        SparseSegmentSumGrad(Node::new(self, "SparseSegmentSumGrad").input(grad).input(indices).input(segment_ids).input(output_dim0))
    }

    /// Computes the gradient of the sparse segment reduction with respect to the selected rows of `data`, and their indices.
    ///
    /// - `grad`: a tensor of `T`
    /// - `indices`: a tensor of `Tidx`
    /// - `segment_ids`: a tensor of `Tsegmentids`
    /// - `dense_output_dim0`: a tensor of int32
    ///
    /// `T` is any float. `Tidx` is int32, int64. `Tsegmentids` is int32, int64.
    pub fn sparse_segment_sum_grad_v2(&self, grad: impl Input, indices: impl Input, segment_ids: impl Input, dense_output_dim0: impl Input) -> SparseSegmentSumGradV2<'_> {
        SparseSegmentSumGradV2(Node::new(self, "SparseSegmentSumGradV2").input(grad).input(indices).input(segment_ids).input(dense_output_dim0))
    }

    /// Returns the sum of the rows of each of `num_segments` segments, selected from `data` by `indices`.
    ///
    /// - `data`: a tensor of `T`
    /// - `indices`: a tensor of `Tidx`
    /// - `segment_ids`: a tensor of `Tsegmentids`
    /// - `num_segments`: a tensor of `Tnumsegments`
    ///
    /// `T` is any integer or float. `Tidx` is int32, int64. `Tnumsegments` is int32, int64. `Tsegmentids` is int32, int64.
    pub fn sparse_segment_sum_with_num_segments(&self, data: impl Input, indices: impl Input, segment_ids: impl Input, num_segments: impl Input) -> SparseSegmentSumWithNumSegments<'_> {
        SparseSegmentSumWithNumSegments(Node::new(self, "SparseSegmentSumWithNumSegments").input(data).input(indices).input(segment_ids).input(num_segments))
    }

    /// Returns the sum of the elements along the axes. Integers wrap.
    ///
    /// - `input`: a tensor of `T`
    /// - `reduction_indices`: a tensor of `Tidx`
    ///
    /// `T` is any number, also quantized. `Tidx` is int32, int64.
    pub fn sum(&self, input: impl Input, reduction_indices: impl Input) -> Sum<'_> {
        Sum(Node::new(self, "Sum").input(input).input(reduction_indices))
    }

    /// Returns the maximum of the elements of each segment. Elements with negative segment ids are dropped.
    ///
    /// - `data`: a tensor of `T`
    /// - `segment_ids`: a tensor of `Tindices`
    /// - `num_segments`: a tensor of `Tnumsegments`
    ///
    /// `T` is any integer or float. `Tindices` is int32, int64. `Tnumsegments` is int32, int64.
    pub fn unsorted_segment_max(&self, data: impl Input, segment_ids: impl Input, num_segments: impl Input) -> UnsortedSegmentMax<'_> {
        UnsortedSegmentMax(Node::new(self, "UnsortedSegmentMax").input(data).input(segment_ids).input(num_segments))
    }

    /// Returns the minimum of the elements of each segment. Elements with negative segment ids are dropped.
    ///
    /// - `data`: a tensor of `T`
    /// - `segment_ids`: a tensor of `Tindices`
    /// - `num_segments`: a tensor of `Tnumsegments`
    ///
    /// `T` is any integer or float. `Tindices` is int32, int64. `Tnumsegments` is int32, int64.
    pub fn unsorted_segment_min(&self, data: impl Input, segment_ids: impl Input, num_segments: impl Input) -> UnsortedSegmentMin<'_> {
        UnsortedSegmentMin(Node::new(self, "UnsortedSegmentMin").input(data).input(segment_ids).input(num_segments))
    }

    /// Returns the product of the elements of each segment. Elements with negative segment ids are dropped.
    ///
    /// - `data`: a tensor of `T`
    /// - `segment_ids`: a tensor of `Tindices`
    /// - `num_segments`: a tensor of `Tnumsegments`
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64. `Tnumsegments` is int32, int64.
    pub fn unsorted_segment_prod(&self, data: impl Input, segment_ids: impl Input, num_segments: impl Input) -> UnsortedSegmentProd<'_> {
        UnsortedSegmentProd(Node::new(self, "UnsortedSegmentProd").input(data).input(segment_ids).input(num_segments))
    }

    /// Returns the sum of the elements of each segment. Elements with negative segment ids are dropped.
    ///
    /// - `data`: a tensor of `T`
    /// - `segment_ids`: a tensor of `Tindices`
    /// - `num_segments`: a tensor of `Tnumsegments`
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int16, int64. `Tnumsegments` is int32, int64.
    pub fn unsorted_segment_sum(&self, data: impl Input, segment_ids: impl Input, num_segments: impl Input) -> UnsortedSegmentSum<'_> {
        UnsortedSegmentSum(Node::new(self, "UnsortedSegmentSum").input(data).input(segment_ids).input(num_segments))
    }
}

/// A node of [`All`](Ops::all) that is being described.
#[must_use = "it is no node before it is added"]
pub struct All<'a>(Node<'a>);

impl All<'_> {
    /// Whether to keep the reduced axes, with size 1. Default: `false`.
    pub fn keep_dims(mut self, keep_dims: bool) -> Self {
        self.0.set("keep_dims", keep_dims);
        self
    }
}

/// A node of [`Any`](Ops::any) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Any<'a>(Node<'a>);

impl Any<'_> {
    /// Whether to keep the reduced axes, with size 1. Default: `false`.
    pub fn keep_dims(mut self, keep_dims: bool) -> Self {
        self.0.set("keep_dims", keep_dims);
        self
    }
}

/// A node of [`ArgMax`](Ops::arg_max) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ArgMax<'a>(Node<'a>);

impl ArgMax<'_> {
    /// Element type of the result. Allowed: int32, int16, int64, uint16. Default: int64.
    pub fn output_type(mut self, output_type: DType) -> Self {
        self.0.set("output_type", output_type);
        self
    }
}

/// A node of [`ArgMin`](Ops::arg_min) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ArgMin<'a>(Node<'a>);

impl ArgMin<'_> {
    /// Element type of the result. Allowed: int32, int64. Default: int64.
    pub fn output_type(mut self, output_type: DType) -> Self {
        self.0.set("output_type", output_type);
        self
    }
}

/// A node of [`Bincount`](Ops::bincount) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Bincount<'a>(Node<'a>);

/// A node of [`Cumprod`](Ops::cumprod) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Cumprod<'a>(Node<'a>);

impl Cumprod<'_> {
    /// Whether to exclude each element from its own result. Default: `false`.
    pub fn exclusive(mut self, exclusive: bool) -> Self {
        self.0.set("exclusive", exclusive);
        self
    }

    /// Whether to run from the end of the axis. Default: `false`.
    pub fn reverse(mut self, reverse: bool) -> Self {
        self.0.set("reverse", reverse);
        self
    }
}

/// A node of [`Cumsum`](Ops::cumsum) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Cumsum<'a>(Node<'a>);

impl Cumsum<'_> {
    /// Whether to exclude each element from its own result. Default: `false`.
    pub fn exclusive(mut self, exclusive: bool) -> Self {
        self.0.set("exclusive", exclusive);
        self
    }

    /// Whether to run from the end of the axis. Default: `false`.
    pub fn reverse(mut self, reverse: bool) -> Self {
        self.0.set("reverse", reverse);
        self
    }
}

/// A node of [`CumulativeLogsumexp`](Ops::cumulative_logsumexp) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CumulativeLogsumexp<'a>(Node<'a>);

impl CumulativeLogsumexp<'_> {
    /// Whether to exclude each element from its own result. Default: `false`.
    pub fn exclusive(mut self, exclusive: bool) -> Self {
        self.0.set("exclusive", exclusive);
        self
    }

    /// Whether to run from the end of the axis. Default: `false`.
    pub fn reverse(mut self, reverse: bool) -> Self {
        self.0.set("reverse", reverse);
        self
    }
}

/// A node of [`DenseBincount`](Ops::dense_bincount) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DenseBincount<'a>(Node<'a>);

impl DenseBincount<'_> {
    /// Whether to return 1 for values that occur and 0 for others, instead of counts. Default: `false`.
    pub fn binary_output(mut self, binary_output: bool) -> Self {
        self.0.set("binary_output", binary_output);
        self
    }
}

/// A node of [`EuclideanNorm`](Ops::euclidean_norm) that is being described.
#[must_use = "it is no node before it is added"]
pub struct EuclideanNorm<'a>(Node<'a>);

impl EuclideanNorm<'_> {
    /// Whether to keep the reduced axes, with size 1. Default: `false`.
    pub fn keep_dims(mut self, keep_dims: bool) -> Self {
        self.0.set("keep_dims", keep_dims);
        self
    }
}

/// A node of [`HistogramFixedWidth`](Ops::histogram_fixed_width) that is being described.
#[must_use = "it is no node before it is added"]
pub struct HistogramFixedWidth<'a>(Node<'a>);

impl HistogramFixedWidth<'_> {
    /// Element type of the counts. Allowed: int32, int64. Default: int32.
    pub fn dtype(mut self, dtype: DType) -> Self {
        self.0.set("dtype", dtype);
        self
    }
}

/// A node of [`L2Loss`](Ops::l2_loss) that is being described.
#[must_use = "it is no node before it is added"]
pub struct L2Loss<'a>(Node<'a>);

/// A node of [`Max`](Ops::max) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Max<'a>(Node<'a>);

impl Max<'_> {
    /// Whether to keep the reduced axes, with size 1. Default: `false`.
    pub fn keep_dims(mut self, keep_dims: bool) -> Self {
        self.0.set("keep_dims", keep_dims);
        self
    }
}

/// A node of [`Mean`](Ops::mean) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Mean<'a>(Node<'a>);

impl Mean<'_> {
    /// Whether to keep the reduced axes, with size 1. Default: `false`.
    pub fn keep_dims(mut self, keep_dims: bool) -> Self {
        self.0.set("keep_dims", keep_dims);
        self
    }
}

/// A node of [`Min`](Ops::min) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Min<'a>(Node<'a>);

impl Min<'_> {
    /// Whether to keep the reduced axes, with size 1. Default: `false`.
    pub fn keep_dims(mut self, keep_dims: bool) -> Self {
        self.0.set("keep_dims", keep_dims);
        self
    }
}

/// A node of [`Prod`](Ops::prod) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Prod<'a>(Node<'a>);

impl Prod<'_> {
    /// Whether to keep the reduced axes, with size 1. Default: `false`.
    pub fn keep_dims(mut self, keep_dims: bool) -> Self {
        self.0.set("keep_dims", keep_dims);
        self
    }
}

/// A node of [`RaggedBincount`](Ops::ragged_bincount) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RaggedBincount<'a>(Node<'a>);

impl RaggedBincount<'_> {
    /// Whether to return 1 for values that occur and 0 for others, instead of counts. Default: `false`.
    pub fn binary_output(mut self, binary_output: bool) -> Self {
        self.0.set("binary_output", binary_output);
        self
    }
}

/// A node of [`SegmentMax`](Ops::segment_max) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SegmentMax<'a>(Node<'a>);

/// A node of [`SegmentMaxV2`](Ops::segment_max_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SegmentMaxV2<'a>(Node<'a>);

/// A node of [`SegmentMean`](Ops::segment_mean) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SegmentMean<'a>(Node<'a>);

/// A node of [`SegmentMin`](Ops::segment_min) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SegmentMin<'a>(Node<'a>);

/// A node of [`SegmentMinV2`](Ops::segment_min_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SegmentMinV2<'a>(Node<'a>);

/// A node of [`SegmentProd`](Ops::segment_prod) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SegmentProd<'a>(Node<'a>);

/// A node of [`SegmentProdV2`](Ops::segment_prod_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SegmentProdV2<'a>(Node<'a>);

/// A node of [`SegmentSum`](Ops::segment_sum) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SegmentSum<'a>(Node<'a>);

/// A node of [`SegmentSumV2`](Ops::segment_sum_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SegmentSumV2<'a>(Node<'a>);

/// A node of [`SparseBincount`](Ops::sparse_bincount) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseBincount<'a>(Node<'a>);

impl SparseBincount<'_> {
    /// Whether to return 1 for values that occur and 0 for others, instead of counts. Default: `false`.
    pub fn binary_output(mut self, binary_output: bool) -> Self {
        self.0.set("binary_output", binary_output);
        self
    }
}

/// A node of [`SparseSegmentMean`](Ops::sparse_segment_mean) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseSegmentMean<'a>(Node<'a>);

impl SparseSegmentMean<'_> {
    /// Whether the gradient covers only the selected rows. Default: `false`.
    pub fn sparse_gradient(mut self, sparse_gradient: bool) -> Self {
        self.0.set("sparse_gradient", sparse_gradient);
        self
    }
}

/// A node of [`SparseSegmentMeanGrad`](Ops::sparse_segment_mean_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseSegmentMeanGrad<'a>(Node<'a>);

/// A node of [`SparseSegmentMeanGradV2`](Ops::sparse_segment_mean_grad_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseSegmentMeanGradV2<'a>(Node<'a>);

impl SparseSegmentMeanGradV2<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> SparseSegmentMeanGradV2Outputs {
        let mut outputs = self.0.outputs();
        SparseSegmentMeanGradV2Outputs { output: outputs.one(), sorted_unique_indices: outputs.one() }
    }
}

/// The outputs of [`SparseSegmentMeanGradV2`](Ops::sparse_segment_mean_grad_v2).
#[derive(Clone, Copy, Debug)]
pub struct SparseSegmentMeanGradV2Outputs {
    /// A tensor of `T`.
    pub output: Output,
    /// A tensor of `Tidx`.
    pub sorted_unique_indices: Output,
}

/// A node of [`SparseSegmentMeanWithNumSegments`](Ops::sparse_segment_mean_with_num_segments) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseSegmentMeanWithNumSegments<'a>(Node<'a>);

impl SparseSegmentMeanWithNumSegments<'_> {
    /// Whether the gradient covers only the selected rows. Default: `false`.
    pub fn sparse_gradient(mut self, sparse_gradient: bool) -> Self {
        self.0.set("sparse_gradient", sparse_gradient);
        self
    }
}

/// A node of [`SparseSegmentSqrtN`](Ops::sparse_segment_sqrt_n) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseSegmentSqrtN<'a>(Node<'a>);

impl SparseSegmentSqrtN<'_> {
    /// Whether the gradient covers only the selected rows. Default: `false`.
    pub fn sparse_gradient(mut self, sparse_gradient: bool) -> Self {
        self.0.set("sparse_gradient", sparse_gradient);
        self
    }
}

/// A node of [`SparseSegmentSqrtNGrad`](Ops::sparse_segment_sqrt_n_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseSegmentSqrtNGrad<'a>(Node<'a>);

/// A node of [`SparseSegmentSqrtNGradV2`](Ops::sparse_segment_sqrt_n_grad_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseSegmentSqrtNGradV2<'a>(Node<'a>);

impl SparseSegmentSqrtNGradV2<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> SparseSegmentSqrtNGradV2Outputs {
        let mut outputs = self.0.outputs();
        SparseSegmentSqrtNGradV2Outputs { output: outputs.one(), sorted_unique_indices: outputs.one() }
    }
}

/// The outputs of [`SparseSegmentSqrtNGradV2`](Ops::sparse_segment_sqrt_n_grad_v2).
#[derive(Clone, Copy, Debug)]
pub struct SparseSegmentSqrtNGradV2Outputs {
    /// A tensor of `T`.
    pub output: Output,
    /// A tensor of `Tidx`.
    pub sorted_unique_indices: Output,
}

/// A node of [`SparseSegmentSqrtNWithNumSegments`](Ops::sparse_segment_sqrt_n_with_num_segments) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseSegmentSqrtNWithNumSegments<'a>(Node<'a>);

impl SparseSegmentSqrtNWithNumSegments<'_> {
    /// Whether the gradient covers only the selected rows. Default: `false`.
    pub fn sparse_gradient(mut self, sparse_gradient: bool) -> Self {
        self.0.set("sparse_gradient", sparse_gradient);
        self
    }
}

/// A node of [`SparseSegmentSum`](Ops::sparse_segment_sum) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseSegmentSum<'a>(Node<'a>);

impl SparseSegmentSum<'_> {
    /// Whether the gradient covers only the selected rows. Default: `false`.
    pub fn sparse_gradient(mut self, sparse_gradient: bool) -> Self {
        self.0.set("sparse_gradient", sparse_gradient);
        self
    }
}

/// A node of [`SparseSegmentSumGrad`](Ops::sparse_segment_sum_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseSegmentSumGrad<'a>(Node<'a>);

/// A node of [`SparseSegmentSumGradV2`](Ops::sparse_segment_sum_grad_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseSegmentSumGradV2<'a>(Node<'a>);

impl SparseSegmentSumGradV2<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> SparseSegmentSumGradV2Outputs {
        let mut outputs = self.0.outputs();
        SparseSegmentSumGradV2Outputs { output: outputs.one(), sorted_unique_indices: outputs.one() }
    }
}

/// The outputs of [`SparseSegmentSumGradV2`](Ops::sparse_segment_sum_grad_v2).
#[derive(Clone, Copy, Debug)]
pub struct SparseSegmentSumGradV2Outputs {
    /// A tensor of `T`.
    pub output: Output,
    /// A tensor of `Tidx`.
    pub sorted_unique_indices: Output,
}

/// A node of [`SparseSegmentSumWithNumSegments`](Ops::sparse_segment_sum_with_num_segments) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseSegmentSumWithNumSegments<'a>(Node<'a>);

impl SparseSegmentSumWithNumSegments<'_> {
    /// Whether the gradient covers only the selected rows. Default: `false`.
    pub fn sparse_gradient(mut self, sparse_gradient: bool) -> Self {
        self.0.set("sparse_gradient", sparse_gradient);
        self
    }
}

/// A node of [`Sum`](Ops::sum) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Sum<'a>(Node<'a>);

impl Sum<'_> {
    /// Whether to keep the reduced axes, with size 1. Default: `false`.
    pub fn keep_dims(mut self, keep_dims: bool) -> Self {
        self.0.set("keep_dims", keep_dims);
        self
    }
}

/// A node of [`UnsortedSegmentMax`](Ops::unsorted_segment_max) that is being described.
#[must_use = "it is no node before it is added"]
pub struct UnsortedSegmentMax<'a>(Node<'a>);

/// A node of [`UnsortedSegmentMin`](Ops::unsorted_segment_min) that is being described.
#[must_use = "it is no node before it is added"]
pub struct UnsortedSegmentMin<'a>(Node<'a>);

/// A node of [`UnsortedSegmentProd`](Ops::unsorted_segment_prod) that is being described.
#[must_use = "it is no node before it is added"]
pub struct UnsortedSegmentProd<'a>(Node<'a>);

/// A node of [`UnsortedSegmentSum`](Ops::unsorted_segment_sum) that is being described.
#[must_use = "it is no node before it is added"]
pub struct UnsortedSegmentSum<'a>(Node<'a>);

common! {
    All
    Any
    ArgMax
    ArgMin
    Bincount
    Cumprod
    Cumsum
    CumulativeLogsumexp
    DenseBincount
    EuclideanNorm
    HistogramFixedWidth
    L2Loss
    Max
    Mean
    Min
    Prod
    RaggedBincount
    SegmentMax
    SegmentMaxV2
    SegmentMean
    SegmentMin
    SegmentMinV2
    SegmentProd
    SegmentProdV2
    SegmentSum
    SegmentSumV2
    SparseBincount
    SparseSegmentMean
    SparseSegmentMeanGrad
    SparseSegmentMeanGradV2
    SparseSegmentMeanWithNumSegments
    SparseSegmentSqrtN
    SparseSegmentSqrtNGrad
    SparseSegmentSqrtNGradV2
    SparseSegmentSqrtNWithNumSegments
    SparseSegmentSum
    SparseSegmentSumGrad
    SparseSegmentSumGradV2
    SparseSegmentSumWithNumSegments
    Sum
    UnsortedSegmentMax
    UnsortedSegmentMin
    UnsortedSegmentProd
    UnsortedSegmentSum
}

one_output! {
    All
    Any
    ArgMax
    ArgMin
    Bincount
    Cumprod
    Cumsum
    CumulativeLogsumexp
    DenseBincount
    EuclideanNorm
    HistogramFixedWidth
    L2Loss
    Max
    Mean
    Min
    Prod
    RaggedBincount
    SegmentMax
    SegmentMaxV2
    SegmentMean
    SegmentMin
    SegmentMinV2
    SegmentProd
    SegmentProdV2
    SegmentSum
    SegmentSumV2
    SparseBincount
    SparseSegmentMean
    SparseSegmentMeanGrad
    SparseSegmentMeanWithNumSegments
    SparseSegmentSqrtN
    SparseSegmentSqrtNGrad
    SparseSegmentSqrtNWithNumSegments
    SparseSegmentSum
    SparseSegmentSumGrad
    SparseSegmentSumWithNumSegments
    Sum
    UnsortedSegmentMax
    UnsortedSegmentMin
    UnsortedSegmentProd
    UnsortedSegmentSum
}

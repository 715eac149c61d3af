// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops of the family `reduce`.

use crate::node::{Input, Node, Ops, common, one_output};
use levada_graph::DType;
use levada_builder::Output;

impl Ops<'_> {
    /// True where every element along the axes is.
    ///
    /// - `input`: a tensor of bool
    /// - `reduction_indices`: a tensor of `Tidx`
    ///
    /// `Tidx` is int32, int64.
    pub fn all(&self, input: impl Input, reduction_indices: impl Input) -> All<'_> {
        All(Node::new(self, "All").input(input).input(reduction_indices))
    }

    /// True where an element along the axes is.
    ///
    /// - `input`: a tensor of bool
    /// - `reduction_indices`: a tensor of `Tidx`
    ///
    /// `Tidx` is int32, int64.
    pub fn any(&self, input: impl Input, reduction_indices: impl Input) -> Any<'_> {
        Any(Node::new(self, "Any").input(input).input(reduction_indices))
    }

    /// The index of the greatest element along an axis: the first of several; NaN is passed over.
    ///
    /// - `input`: a tensor of `T`
    /// - `dimension`: a tensor of `Tidx`
    ///
    /// `T` is any integer or float, bool, qint8, quint8, qint32, qint16, quint16. `Tidx` is int32, int16, int64.
    pub fn arg_max(&self, input: impl Input, dimension: impl Input) -> ArgMax<'_> {
        ArgMax(Node::new(self, "ArgMax").input(input).input(dimension))
    }

    /// The index of the least element along an axis: the first of several; NaN is passed over.
    ///
    /// - `input`: a tensor of `T`
    /// - `dimension`: a tensor of `Tidx`
    ///
    /// `T` is any integer or float, bool, qint8, quint8, qint32, qint16, quint16. `Tidx` is int32, int64.
    pub fn arg_min(&self, input: impl Input, dimension: impl Input) -> ArgMin<'_> {
        ArgMin(Node::new(self, "ArgMin").input(input).input(dimension))
    }

    /// For each number below `size` the sum of the weights of its occurrences in `arr`, or their number.
    ///
    /// - `arr`: a tensor of int32
    /// - `size`: a tensor of int32
    /// - `weights`: a tensor of `T`
    ///
    /// `T` is float32, float64, int32, int64.
    pub fn bincount(&self, arr: impl Input, size: impl Input, weights: impl Input) -> Bincount<'_> {
        Bincount(Node::new(self, "Bincount").input(arr).input(size).input(weights))
    }

    /// The product of the elements up to each one. Integers wrap.
    ///
    /// - `x`: a tensor of `T`
    /// - `axis`: a tensor of `Tidx`
    ///
    /// `T` is any number, also quantized. `Tidx` is int32, int64.
    pub fn cumprod(&self, x: impl Input, axis: impl Input) -> Cumprod<'_> {
        Cumprod(Node::new(self, "Cumprod").input(x).input(axis))
    }

    /// The sum of the elements up to each one. Integers wrap.
    ///
    /// - `x`: a tensor of `T`
    /// - `axis`: a tensor of `Tidx`
    ///
    /// `T` is any number, also quantized. `Tidx` is int32, int64.
    pub fn cumsum(&self, x: impl Input, axis: impl Input) -> Cumsum<'_> {
        Cumsum(Node::new(self, "Cumsum").input(x).input(axis))
    }

    /// The logarithm of the sum of exponentials of the elements up to each one.
    ///
    /// - `x`: a tensor of `T`
    /// - `axis`: a tensor of `Tidx`
    ///
    /// `T` is any float. `Tidx` is int32, int64.
    pub fn cumulative_logsumexp(&self, x: impl Input, axis: impl Input) -> CumulativeLogsumexp<'_> {
        CumulativeLogsumexp(Node::new(self, "CumulativeLogsumexp").input(x).input(axis))
    }

    /// Counts numbers in a vector, or in each row of a matrix.
    ///
    /// - `input`: a tensor of `Tidx`
    /// - `size`: a tensor of `Tidx`
    /// - `weights`: a tensor of `T`
    ///
    /// `Tidx` is int32, int64. `T` is float32, float64, int32, int64.
    pub fn dense_bincount(&self, input: impl Input, size: impl Input, weights: impl Input) -> DenseBincount<'_> {
        DenseBincount(Node::new(self, "DenseBincount").input(input).input(size).input(weights))
    }

    /// The square root of the sum of squares along the axes.
    ///
    /// - `input`: a tensor of `T`
    /// - `reduction_indices`: a tensor of `Tidx`
    ///
    /// `T` is any number, also quantized. `Tidx` is int32, int64.
    pub fn euclidean_norm(&self, input: impl Input, reduction_indices: impl Input) -> EuclideanNorm<'_> {
        EuclideanNorm(Node::new(self, "EuclideanNorm").input(input).input(reduction_indices))
    }

    /// Cuts `value_range` into `nbins` equal parts and counts `values` in each; values outside count in the first or last.
    ///
    /// - `values`: a tensor of `T`
    /// - `value_range`: a tensor of `T`
    /// - `nbins`: a tensor of int32
    ///
    /// `T` is float32, float64, int32, int64.
    pub fn histogram_fixed_width(&self, values: impl Input, value_range: impl Input, nbins: impl Input) -> HistogramFixedWidth<'_> {
        HistogramFixedWidth(Node::new(self, "HistogramFixedWidth").input(values).input(value_range).input(nbins))
    }

    /// `sum(t * t) / 2`.
    ///
    /// - `t`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn l2_loss(&self, t: impl Input) -> L2Loss<'_> {
        L2Loss(Node::new(self, "L2Loss").input(t))
    }

    /// The greatest element along the axes; NaN where there is one.
    ///
    /// - `input`: a tensor of `T`
    /// - `reduction_indices`: a tensor of `Tidx`
    ///
    /// `T` is any integer or float, qint8, quint8, qint32, qint16, quint16. `Tidx` is int32, int64.
    pub fn max(&self, input: impl Input, reduction_indices: impl Input) -> Max<'_> {
        Max(Node::new(self, "Max").input(input).input(reduction_indices))
    }

    /// The mean of the elements along the axes. Of integers it is rounded towards zero.
    ///
    /// - `input`: a tensor of `T`
    /// - `reduction_indices`: a tensor of `Tidx`
    ///
    /// `T` is any number, also quantized. `Tidx` is int32, int64.
    pub fn mean(&self, input: impl Input, reduction_indices: impl Input) -> Mean<'_> {
        Mean(Node::new(self, "Mean").input(input).input(reduction_indices))
    }

    /// The least element along the axes; NaN where there is one.
    ///
    /// - `input`: a tensor of `T`
    /// - `reduction_indices`: a tensor of `Tidx`
    ///
    /// `T` is any integer or float, qint8, quint8, qint32, qint16, quint16. `Tidx` is int32, int64.
    pub fn min(&self, input: impl Input, reduction_indices: impl Input) -> Min<'_> {
        Min(Node::new(self, "Min").input(input).input(reduction_indices))
    }

    /// The product of the elements along the axes. Integers wrap.
    ///
    /// - `input`: a tensor of `T`
    /// - `reduction_indices`: a tensor of `Tidx`
    ///
    /// `T` is any number, also quantized. `Tidx` is int32, int64.
    pub fn prod(&self, input: impl Input, reduction_indices: impl Input) -> Prod<'_> {
        Prod(Node::new(self, "Prod").input(input).input(reduction_indices))
    }

    /// Counts numbers in each row of a ragged matrix.
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

    /// The greatest elements of the rows of each segment.
    ///
    /// - `data`: a tensor of `T`
    /// - `segment_ids`: a tensor of `Tindices`
    ///
    /// `T` is any integer or float. `Tindices` is int32, int64.
    pub fn segment_max(&self, data: impl Input, segment_ids: impl Input) -> SegmentMax<'_> {
        SegmentMax(Node::new(self, "SegmentMax").input(data).input(segment_ids))
    }

    /// The greatest elements of the rows of each of `num_segments` segments.
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

    /// The mean of the rows of each segment.
    ///
    /// - `data`: a tensor of `T`
    /// - `segment_ids`: a tensor of `Tindices`
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64.
    pub fn segment_mean(&self, data: impl Input, segment_ids: impl Input) -> SegmentMean<'_> {
        SegmentMean(Node::new(self, "SegmentMean").input(data).input(segment_ids))
    }

    /// The least elements of the rows of each segment.
    ///
    /// - `data`: a tensor of `T`
    /// - `segment_ids`: a tensor of `Tindices`
    ///
    /// `T` is any integer or float. `Tindices` is int32, int64.
    pub fn segment_min(&self, data: impl Input, segment_ids: impl Input) -> SegmentMin<'_> {
        SegmentMin(Node::new(self, "SegmentMin").input(data).input(segment_ids))
    }

    /// The least elements of the rows of each of `num_segments` segments.
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

    /// The product of the rows of each segment.
    ///
    /// - `data`: a tensor of `T`
    /// - `segment_ids`: a tensor of `Tindices`
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64.
    pub fn segment_prod(&self, data: impl Input, segment_ids: impl Input) -> SegmentProd<'_> {
        SegmentProd(Node::new(self, "SegmentProd").input(data).input(segment_ids))
    }

    /// The product of the rows of each of `num_segments` segments.
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

    /// The sum of the rows of each segment.
    ///
    /// - `data`: a tensor of `T`
    /// - `segment_ids`: a tensor of `Tindices`
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64.
    pub fn segment_sum(&self, data: impl Input, segment_ids: impl Input) -> SegmentSum<'_> {
        SegmentSum(Node::new(self, "SegmentSum").input(data).input(segment_ids))
    }

    /// The sum of the rows of each of `num_segments` segments.
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

    /// Counts numbers in a sparse vector, or in each row of a sparse matrix.
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

    /// The mean of the rows of each segment, where `indices` says which row of `data` each is.
    ///
    /// - `data`: a tensor of `T`
    /// - `indices`: a tensor of `Tidx`
    /// - `segment_ids`: a tensor of `Tsegmentids`
    ///
    /// `T` is any float. `Tidx` is int32, int64. `Tsegmentids` is int32, int64.
    pub fn sparse_segment_mean(&self, data: impl Input, indices: impl Input, segment_ids: impl Input) -> SparseSegmentMean<'_> {
        SparseSegmentMean(Node::new(self, "SparseSegmentMean").input(data).input(indices).input(segment_ids))
    }

    /// The gradient of the sparse segment reduction with respect to `data`, which has `output_dim0` rows.
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

    /// The gradient of the sparse segment reduction with respect to those rows of `data` that were picked, and their numbers.
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

    /// The mean of the rows of each of `num_segments` segments, where `indices` says which row of `data` each is.
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

    /// The sum of the rows of each segment over the square root of their number, where `indices` says which row of `data` each is.
    ///
    /// - `data`: a tensor of `T`
    /// - `indices`: a tensor of `Tidx`
    /// - `segment_ids`: a tensor of `Tsegmentids`
    ///
    /// `T` is any float. `Tidx` is int32, int64. `Tsegmentids` is int32, int64.
    pub fn sparse_segment_sqrt_n(&self, data: impl Input, indices: impl Input, segment_ids: impl Input) -> SparseSegmentSqrtN<'_> {
        SparseSegmentSqrtN(Node::new(self, "SparseSegmentSqrtN").input(data).input(indices).input(segment_ids))
    }

    /// The gradient of the sparse segment reduction with respect to `data`, which has `output_dim0` rows.
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

    /// The gradient of the sparse segment reduction with respect to those rows of `data` that were picked, and their numbers.
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

    /// The sum of the rows of each of `num_segments` segments over the square root of their number, where `indices` says which row of `data` each is.
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

    /// The sum of the rows of each segment, where `indices` says which row of `data` each is.
    ///
    /// - `data`: a tensor of `T`
    /// - `indices`: a tensor of `Tidx`
    /// - `segment_ids`: a tensor of `Tsegmentids`
    ///
    /// `T` is any integer or float. `Tidx` is int32, int64. `Tsegmentids` is int32, int64.
    pub fn sparse_segment_sum(&self, data: impl Input, indices: impl Input, segment_ids: impl Input) -> SparseSegmentSum<'_> {
        SparseSegmentSum(Node::new(self, "SparseSegmentSum").input(data).input(indices).input(segment_ids))
    }

    /// The gradient of the sparse segment reduction with respect to `data`, which has `output_dim0` rows.
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

    /// The gradient of the sparse segment reduction with respect to those rows of `data` that were picked, and their numbers.
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

    /// The sum of the rows of each of `num_segments` segments, where `indices` says which row of `data` each is.
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

    /// The sum of the elements along the axes. Integers wrap.
    ///
    /// - `input`: a tensor of `T`
    /// - `reduction_indices`: a tensor of `Tidx`
    ///
    /// `T` is any number, also quantized. `Tidx` is int32, int64.
    pub fn sum(&self, input: impl Input, reduction_indices: impl Input) -> Sum<'_> {
        Sum(Node::new(self, "Sum").input(input).input(reduction_indices))
    }

    /// The greatest elements of each segment. Negative segment numbers are left out.
    ///
    /// - `data`: a tensor of `T`
    /// - `segment_ids`: a tensor of `Tindices`
    /// - `num_segments`: a tensor of `Tnumsegments`
    ///
    /// `T` is any integer or float. `Tindices` is int32, int64. `Tnumsegments` is int32, int64.
    pub fn unsorted_segment_max(&self, data: impl Input, segment_ids: impl Input, num_segments: impl Input) -> UnsortedSegmentMax<'_> {
        UnsortedSegmentMax(Node::new(self, "UnsortedSegmentMax").input(data).input(segment_ids).input(num_segments))
    }

    /// The least elements of each segment. Negative segment numbers are left out.
    ///
    /// - `data`: a tensor of `T`
    /// - `segment_ids`: a tensor of `Tindices`
    /// - `num_segments`: a tensor of `Tnumsegments`
    ///
    /// `T` is any integer or float. `Tindices` is int32, int64. `Tnumsegments` is int32, int64.
    pub fn unsorted_segment_min(&self, data: impl Input, segment_ids: impl Input, num_segments: impl Input) -> UnsortedSegmentMin<'_> {
        UnsortedSegmentMin(Node::new(self, "UnsortedSegmentMin").input(data).input(segment_ids).input(num_segments))
    }

    /// The product of the elements of each segment. Negative segment numbers are left out.
    ///
    /// - `data`: a tensor of `T`
    /// - `segment_ids`: a tensor of `Tindices`
    /// - `num_segments`: a tensor of `Tnumsegments`
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64. `Tnumsegments` is int32, int64.
    pub fn unsorted_segment_prod(&self, data: impl Input, segment_ids: impl Input, num_segments: impl Input) -> UnsortedSegmentProd<'_> {
        UnsortedSegmentProd(Node::new(self, "UnsortedSegmentProd").input(data).input(segment_ids).input(num_segments))
    }

    /// The sum of the elements of each segment. Negative segment numbers are left out.
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
    /// True to keep the axes that are reduced, with size 1. Default: `false`.
    pub fn keep_dims(mut self, keep_dims: bool) -> Self {
        self.0.set("keep_dims", keep_dims);
        self
    }
}

/// A node of [`Any`](Ops::any) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Any<'a>(Node<'a>);

impl Any<'_> {
    /// True to keep the axes that are reduced, with size 1. Default: `false`.
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
    /// True to leave an element out of its own total. Default: `false`.
    pub fn exclusive(mut self, exclusive: bool) -> Self {
        self.0.set("exclusive", exclusive);
        self
    }

    /// True to run from the end. Default: `false`.
    pub fn reverse(mut self, reverse: bool) -> Self {
        self.0.set("reverse", reverse);
        self
    }
}

/// A node of [`Cumsum`](Ops::cumsum) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Cumsum<'a>(Node<'a>);

impl Cumsum<'_> {
    /// True to leave an element out of its own total. Default: `false`.
    pub fn exclusive(mut self, exclusive: bool) -> Self {
        self.0.set("exclusive", exclusive);
        self
    }

    /// True to run from the end. Default: `false`.
    pub fn reverse(mut self, reverse: bool) -> Self {
        self.0.set("reverse", reverse);
        self
    }
}

/// A node of [`CumulativeLogsumexp`](Ops::cumulative_logsumexp) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CumulativeLogsumexp<'a>(Node<'a>);

impl CumulativeLogsumexp<'_> {
    /// True to leave an element out of its own total. Default: `false`.
    pub fn exclusive(mut self, exclusive: bool) -> Self {
        self.0.set("exclusive", exclusive);
        self
    }

    /// True to run from the end. Default: `false`.
    pub fn reverse(mut self, reverse: bool) -> Self {
        self.0.set("reverse", reverse);
        self
    }
}

/// A node of [`DenseBincount`](Ops::dense_bincount) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DenseBincount<'a>(Node<'a>);

impl DenseBincount<'_> {
    /// True to say only whether a number occurs, as 1 or 0. Default: `false`.
    pub fn binary_output(mut self, binary_output: bool) -> Self {
        self.0.set("binary_output", binary_output);
        self
    }
}

/// A node of [`EuclideanNorm`](Ops::euclidean_norm) that is being described.
#[must_use = "it is no node before it is added"]
pub struct EuclideanNorm<'a>(Node<'a>);

impl EuclideanNorm<'_> {
    /// True to keep the axes that are reduced, with size 1. Default: `false`.
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
    /// True to keep the axes that are reduced, with size 1. Default: `false`.
    pub fn keep_dims(mut self, keep_dims: bool) -> Self {
        self.0.set("keep_dims", keep_dims);
        self
    }
}

/// A node of [`Mean`](Ops::mean) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Mean<'a>(Node<'a>);

impl Mean<'_> {
    /// True to keep the axes that are reduced, with size 1. Default: `false`.
    pub fn keep_dims(mut self, keep_dims: bool) -> Self {
        self.0.set("keep_dims", keep_dims);
        self
    }
}

/// A node of [`Min`](Ops::min) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Min<'a>(Node<'a>);

impl Min<'_> {
    /// True to keep the axes that are reduced, with size 1. Default: `false`.
    pub fn keep_dims(mut self, keep_dims: bool) -> Self {
        self.0.set("keep_dims", keep_dims);
        self
    }
}

/// A node of [`Prod`](Ops::prod) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Prod<'a>(Node<'a>);

impl Prod<'_> {
    /// True to keep the axes that are reduced, with size 1. Default: `false`.
    pub fn keep_dims(mut self, keep_dims: bool) -> Self {
        self.0.set("keep_dims", keep_dims);
        self
    }
}

/// A node of [`RaggedBincount`](Ops::ragged_bincount) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RaggedBincount<'a>(Node<'a>);

impl RaggedBincount<'_> {
    /// True to say only whether a number occurs, as 1 or 0. Default: `false`.
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
    /// True to say only whether a number occurs, as 1 or 0. Default: `false`.
    pub fn binary_output(mut self, binary_output: bool) -> Self {
        self.0.set("binary_output", binary_output);
        self
    }
}

/// A node of [`SparseSegmentMean`](Ops::sparse_segment_mean) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseSegmentMean<'a>(Node<'a>);

impl SparseSegmentMean<'_> {
    /// True where the gradient keeps to the rows that were picked. Default: `false`.
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
    /// Adds the node to the graph; gives its outputs.
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
    /// True where the gradient keeps to the rows that were picked. Default: `false`.
    pub fn sparse_gradient(mut self, sparse_gradient: bool) -> Self {
        self.0.set("sparse_gradient", sparse_gradient);
        self
    }
}

/// A node of [`SparseSegmentSqrtN`](Ops::sparse_segment_sqrt_n) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseSegmentSqrtN<'a>(Node<'a>);

impl SparseSegmentSqrtN<'_> {
    /// True where the gradient keeps to the rows that were picked. Default: `false`.
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
    /// Adds the node to the graph; gives its outputs.
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
    /// True where the gradient keeps to the rows that were picked. Default: `false`.
    pub fn sparse_gradient(mut self, sparse_gradient: bool) -> Self {
        self.0.set("sparse_gradient", sparse_gradient);
        self
    }
}

/// A node of [`SparseSegmentSum`](Ops::sparse_segment_sum) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseSegmentSum<'a>(Node<'a>);

impl SparseSegmentSum<'_> {
    /// True where the gradient keeps to the rows that were picked. Default: `false`.
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
    /// Adds the node to the graph; gives its outputs.
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
    /// True where the gradient keeps to the rows that were picked. Default: `false`.
    pub fn sparse_gradient(mut self, sparse_gradient: bool) -> Self {
        self.0.set("sparse_gradient", sparse_gradient);
        self
    }
}

/// A node of [`Sum`](Ops::sum) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Sum<'a>(Node<'a>);

impl Sum<'_> {
    /// True to keep the axes that are reduced, with size 1. Default: `false`.
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

//! Ops that reduce or scan axes, and those on segments.

#[macro_use]
extern crate levada_ops_core;

#[cfg(test)]
use levada_ops_core::testing;
use levada_ops_core::{prelude, simd};

mod engine;
mod segments;

pub use arg_max::arg_axis;
pub use engine::Axes;
pub use fold::SumOf;
pub use scan::scan_axis;

family! {
    arg_max: ArgMax, ArgMin;
    bincount: Bincount, DenseBincount, RaggedBincount, SparseBincount;
    fold: All, Any, EuclideanNorm, Max, Mean, Min, Prod, Sum;
    histogram_fixed_width: HistogramFixedWidth;
    l2_loss: L2Loss;
    scan: Cumprod, Cumsum, CumulativeLogsumexp;
    segment: SegmentMax, SegmentMaxV2, SegmentMean, SegmentMin, SegmentMinV2, SegmentProd, SegmentProdV2, SegmentSum, SegmentSumV2;
    sparse_segment: SparseSegmentMean, SparseSegmentMeanWithNumSegments, SparseSegmentSqrtN, SparseSegmentSqrtNWithNumSegments, SparseSegmentSum, SparseSegmentSumWithNumSegments;
    sparse_segment_grad: SparseSegmentMeanGrad, SparseSegmentMeanGradV2, SparseSegmentSqrtNGrad, SparseSegmentSqrtNGradV2, SparseSegmentSumGrad, SparseSegmentSumGradV2;
    unsorted_segment: UnsortedSegmentMax, UnsortedSegmentMin, UnsortedSegmentProd, UnsortedSegmentSum;
}

// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops of the family `detection`.

use crate::node::{Input, Node, Ops, common, one_output};
use levada_builder::Output;

impl Ops<'_> {
    /// Applies non-maximum suppression to the boxes of each class, like `NonMaxSuppression`, then keeps those with the highest scores across all classes. Returns for each image of a batch the boxes, scores and classes, and their number.
    ///
    /// - `boxes`: a tensor of float32
    /// - `scores`: a tensor of float32
    /// - `max_output_size_per_class`: a tensor of int32
    /// - `max_total_size`: a tensor of int32
    /// - `iou_threshold`: a tensor of float32
    /// - `score_threshold`: a tensor of float32
    ///
    /// It has no gradient.
    pub fn combined_non_max_suppression(&self, boxes: impl Input, scores: impl Input, max_output_size_per_class: impl Input, max_total_size: impl Input, iou_threshold: impl Input, score_threshold: impl Input) -> CombinedNonMaxSuppression<'_> {
        CombinedNonMaxSuppression(Node::new(self, "CombinedNonMaxSuppression").input(boxes).input(scores).input(max_output_size_per_class).input(max_total_size).input(iou_threshold).input(score_threshold))
    }

    /// Draws the outlines of `boxes` on images with values between 0 and 1, cycling through ten colors. A box consists of two opposite corners, each as row and column, with coordinates between 0 and 1.
    ///
    /// - `images`: a tensor of `T`
    /// - `boxes`: a tensor of float32
    ///
    /// `T` is float32, float16.
    pub fn draw_bounding_boxes(&self, images: impl Input, boxes: impl Input) -> DrawBoundingBoxes<'_> {
        DrawBoundingBoxes(Node::new(self, "DrawBoundingBoxes").input(images).input(boxes))
    }

    /// Like `DrawBoundingBoxes`, cycling through the rows of `colors`, or the ten default colors if it has none.
    ///
    /// - `images`: a tensor of `T`
    /// - `boxes`: a tensor of float32
    /// - `colors`: a tensor of float32
    ///
    /// `T` is float32, float16.
    ///
    /// It has no gradient.
    pub fn draw_bounding_boxes_v2(&self, images: impl Input, boxes: impl Input, colors: impl Input) -> DrawBoundingBoxesV2<'_> {
        DrawBoundingBoxesV2(Node::new(self, "DrawBoundingBoxesV2").input(images).input(boxes).input(colors))
    }

    /// Selects boxes in descending order of score, dropping each box whose intersection over union with a selected one exceeds `iou_threshold`. A box consists of two opposite corners, each as row and column.
    ///
    /// - `boxes`: a tensor of float32
    /// - `scores`: a tensor of float32
    /// - `max_output_size`: a tensor of int32
    pub fn non_max_suppression(&self, boxes: impl Input, scores: impl Input, max_output_size: impl Input) -> NonMaxSuppression<'_> {
        NonMaxSuppression(Node::new(self, "NonMaxSuppression").input(boxes).input(scores).input(max_output_size))
    }

    /// Like `NonMaxSuppression`, with the threshold as an input.
    ///
    /// - `boxes`: a tensor of `T`
    /// - `scores`: a tensor of `T`
    /// - `max_output_size`: a tensor of int32
    /// - `iou_threshold`: a tensor of `T_threshold`
    ///
    /// `T` is float32, float16. `T_threshold` is float32, float16.
    pub fn non_max_suppression_v2(&self, boxes: impl Input, scores: impl Input, max_output_size: impl Input, iou_threshold: impl Input) -> NonMaxSuppressionV2<'_> {
        NonMaxSuppressionV2(Node::new(self, "NonMaxSuppressionV2").input(boxes).input(scores).input(max_output_size).input(iou_threshold))
    }

    /// Like `NonMaxSuppressionV2`, considering only boxes with a score above `score_threshold`.
    ///
    /// - `boxes`: a tensor of `T`
    /// - `scores`: a tensor of `T`
    /// - `max_output_size`: a tensor of int32
    /// - `iou_threshold`: a tensor of `T_threshold`
    /// - `score_threshold`: a tensor of `T_threshold`
    ///
    /// `T` is float32, float16. `T_threshold` is float32, float16.
    pub fn non_max_suppression_v3(&self, boxes: impl Input, scores: impl Input, max_output_size: impl Input, iou_threshold: impl Input, score_threshold: impl Input) -> NonMaxSuppressionV3<'_> {
        NonMaxSuppressionV3(Node::new(self, "NonMaxSuppressionV3").input(boxes).input(scores).input(max_output_size).input(iou_threshold).input(score_threshold))
    }

    /// Like `NonMaxSuppressionV3`, and also returns the number of selected boxes.
    ///
    /// - `boxes`: a tensor of `T`
    /// - `scores`: a tensor of `T`
    /// - `max_output_size`: a tensor of int32
    /// - `iou_threshold`: a tensor of `T_threshold`
    /// - `score_threshold`: a tensor of `T_threshold`
    ///
    /// `T` is float32, float16. `T_threshold` is float32, float16.
    pub fn non_max_suppression_v4(&self, boxes: impl Input, scores: impl Input, max_output_size: impl Input, iou_threshold: impl Input, score_threshold: impl Input) -> NonMaxSuppressionV4<'_> {
        NonMaxSuppressionV4(Node::new(self, "NonMaxSuppressionV4").input(boxes).input(scores).input(max_output_size).input(iou_threshold).input(score_threshold))
    }

    /// Like `NonMaxSuppressionV4`, and also returns the scores of the selected boxes. If `soft_nms_sigma` is positive, a box that overlaps a selected one is not dropped: its score is lowered by a Gaussian of the overlap.
    ///
    /// - `boxes`: a tensor of `T`
    /// - `scores`: a tensor of `T`
    /// - `max_output_size`: a tensor of int32
    /// - `iou_threshold`: a tensor of `T`
    /// - `score_threshold`: a tensor of `T`
    /// - `soft_nms_sigma`: a tensor of `T`
    ///
    /// `T` is float32, float16.
    ///
    /// It has no gradient.
    pub fn non_max_suppression_v5(&self, boxes: impl Input, scores: impl Input, max_output_size: impl Input, iou_threshold: impl Input, score_threshold: impl Input, soft_nms_sigma: impl Input) -> NonMaxSuppressionV5<'_> {
        NonMaxSuppressionV5(Node::new(self, "NonMaxSuppressionV5").input(boxes).input(scores).input(max_output_size).input(iou_threshold).input(score_threshold).input(soft_nms_sigma))
    }

    /// `NonMaxSuppressionV3` for precomputed pairwise overlaps.
    ///
    /// - `overlaps`: a tensor of float32
    /// - `scores`: a tensor of float32
    /// - `max_output_size`: a tensor of int32
    /// - `overlap_threshold`: a tensor of float32
    /// - `score_threshold`: a tensor of float32
    pub fn non_max_suppression_with_overlaps(&self, overlaps: impl Input, scores: impl Input, max_output_size: impl Input, overlap_threshold: impl Input, score_threshold: impl Input) -> NonMaxSuppressionWithOverlaps<'_> {
        NonMaxSuppressionWithOverlaps(Node::new(self, "NonMaxSuppressionWithOverlaps").input(overlaps).input(scores).input(max_output_size).input(overlap_threshold).input(score_threshold))
    }

    /// Samples a random crop of an image of size `image_size` that covers enough of one of its bounding boxes. Returns the arguments of a `Slice`, and the crop as a box; the whole image if no crop is found.
    ///
    /// - `image_size`: a tensor of `T`
    /// - `bounding_boxes`: a tensor of float32
    ///
    /// `T` is int32, uint8, int16, int8, int64.
    pub fn sample_distorted_bounding_box(&self, image_size: impl Input, bounding_boxes: impl Input) -> SampleDistortedBoundingBox<'_> {
        SampleDistortedBoundingBox(Node::new(self, "SampleDistortedBoundingBox").input(image_size).input(bounding_boxes))
    }

    /// Like `SampleDistortedBoundingBox`, with `min_object_covered` as an input.
    ///
    /// - `image_size`: a tensor of `T`
    /// - `bounding_boxes`: a tensor of float32
    /// - `min_object_covered`: a tensor of float32
    ///
    /// `T` is int32, uint8, int16, int8, int64.
    pub fn sample_distorted_bounding_box_v2(&self, image_size: impl Input, bounding_boxes: impl Input, min_object_covered: impl Input) -> SampleDistortedBoundingBoxV2<'_> {
        SampleDistortedBoundingBoxV2(Node::new(self, "SampleDistortedBoundingBoxV2").input(image_size).input(bounding_boxes).input(min_object_covered))
    }

    /// Like `SampleDistortedBoundingBoxV2`, with the seeds as an input: the same seeds give the same crop.
    ///
    /// - `image_size`: a tensor of `T`
    /// - `bounding_boxes`: a tensor of float32
    /// - `min_object_covered`: a tensor of float32
    /// - `seed`: a tensor of `Tseed`
    ///
    /// `T` is int32, uint8, int16, int8, int64. `Tseed` is int32, int64.
    ///
    /// It has no gradient.
    pub fn stateless_sample_distorted_bounding_box(&self, image_size: impl Input, bounding_boxes: impl Input, min_object_covered: impl Input, seed: impl Input) -> StatelessSampleDistortedBoundingBox<'_> {
        StatelessSampleDistortedBoundingBox(Node::new(self, "StatelessSampleDistortedBoundingBox").input(image_size).input(bounding_boxes).input(min_object_covered).input(seed))
    }
}

/// A node of [`CombinedNonMaxSuppression`](Ops::combined_non_max_suppression) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CombinedNonMaxSuppression<'a>(Node<'a>);

impl CombinedNonMaxSuppression<'_> {
    /// Whether to limit the output size to what all classes together can fill. Default: `false`.
    pub fn pad_per_class(mut self, pad_per_class: bool) -> Self {
        self.0.set("pad_per_class", pad_per_class);
        self
    }

    /// Whether to clip corners to the range from 0 to 1. Default: `true`.
    pub fn clip_boxes(mut self, clip_boxes: bool) -> Self {
        self.0.set("clip_boxes", clip_boxes);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> CombinedNonMaxSuppressionOutputs {
        let mut outputs = self.0.outputs();
        CombinedNonMaxSuppressionOutputs { nmsed_boxes: outputs.one(), nmsed_scores: outputs.one(), nmsed_classes: outputs.one(), valid_detections: outputs.one() }
    }
}

/// The outputs of [`CombinedNonMaxSuppression`](Ops::combined_non_max_suppression).
#[derive(Clone, Copy, Debug)]
pub struct CombinedNonMaxSuppressionOutputs {
    /// A tensor of float32.
    pub nmsed_boxes: Output,
    /// A tensor of float32.
    pub nmsed_scores: Output,
    /// A tensor of float32.
    pub nmsed_classes: Output,
    /// A tensor of int32.
    pub valid_detections: Output,
}

/// A node of [`DrawBoundingBoxes`](Ops::draw_bounding_boxes) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DrawBoundingBoxes<'a>(Node<'a>);

/// A node of [`DrawBoundingBoxesV2`](Ops::draw_bounding_boxes_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DrawBoundingBoxesV2<'a>(Node<'a>);

/// A node of [`NonMaxSuppression`](Ops::non_max_suppression) that is being described.
#[must_use = "it is no node before it is added"]
pub struct NonMaxSuppression<'a>(Node<'a>);

impl NonMaxSuppression<'_> {
    /// Maximum intersection over union of two selected boxes. Default: `0.5`.
    pub fn iou_threshold(mut self, iou_threshold: f32) -> Self {
        self.0.set("iou_threshold", iou_threshold);
        self
    }
}

/// A node of [`NonMaxSuppressionV2`](Ops::non_max_suppression_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct NonMaxSuppressionV2<'a>(Node<'a>);

/// A node of [`NonMaxSuppressionV3`](Ops::non_max_suppression_v3) that is being described.
#[must_use = "it is no node before it is added"]
pub struct NonMaxSuppressionV3<'a>(Node<'a>);

/// A node of [`NonMaxSuppressionV4`](Ops::non_max_suppression_v4) that is being described.
#[must_use = "it is no node before it is added"]
pub struct NonMaxSuppressionV4<'a>(Node<'a>);

impl NonMaxSuppressionV4<'_> {
    /// Whether to pad the result with zeros to `max_output_size` indices. Default: `false`.
    pub fn pad_to_max_output_size(mut self, pad_to_max_output_size: bool) -> Self {
        self.0.set("pad_to_max_output_size", pad_to_max_output_size);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> NonMaxSuppressionV4Outputs {
        let mut outputs = self.0.outputs();
        NonMaxSuppressionV4Outputs { selected_indices: outputs.one(), valid_outputs: outputs.one() }
    }
}

/// The outputs of [`NonMaxSuppressionV4`](Ops::non_max_suppression_v4).
#[derive(Clone, Copy, Debug)]
pub struct NonMaxSuppressionV4Outputs {
    /// A tensor of int32.
    pub selected_indices: Output,
    /// A tensor of int32.
    pub valid_outputs: Output,
}

/// A node of [`NonMaxSuppressionV5`](Ops::non_max_suppression_v5) that is being described.
#[must_use = "it is no node before it is added"]
pub struct NonMaxSuppressionV5<'a>(Node<'a>);

impl NonMaxSuppressionV5<'_> {
    /// Whether to pad the result with zeros to `max_output_size` indices. Default: `false`.
    pub fn pad_to_max_output_size(mut self, pad_to_max_output_size: bool) -> Self {
        self.0.set("pad_to_max_output_size", pad_to_max_output_size);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> NonMaxSuppressionV5Outputs {
        let mut outputs = self.0.outputs();
        NonMaxSuppressionV5Outputs { selected_indices: outputs.one(), selected_scores: outputs.one(), valid_outputs: outputs.one() }
    }
}

/// The outputs of [`NonMaxSuppressionV5`](Ops::non_max_suppression_v5).
#[derive(Clone, Copy, Debug)]
pub struct NonMaxSuppressionV5Outputs {
    /// A tensor of int32.
    pub selected_indices: Output,
    /// A tensor of `T`.
    pub selected_scores: Output,
    /// A tensor of int32.
    pub valid_outputs: Output,
}

/// A node of [`NonMaxSuppressionWithOverlaps`](Ops::non_max_suppression_with_overlaps) that is being described.
#[must_use = "it is no node before it is added"]
pub struct NonMaxSuppressionWithOverlaps<'a>(Node<'a>);

/// A node of [`SampleDistortedBoundingBox`](Ops::sample_distorted_bounding_box) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SampleDistortedBoundingBox<'a>(Node<'a>);

impl SampleDistortedBoundingBox<'_> {
    /// First seed; if both are 0, the crops differ from session to session. Default: `0`.
    pub fn seed(mut self, seed: i64) -> Self {
        self.0.set("seed", seed);
        self
    }

    /// Second seed. Default: `0`.
    pub fn seed2(mut self, seed2: i64) -> Self {
        self.0.set("seed2", seed2);
        self
    }

    /// Minimum fraction of a box that a crop must cover. Default: `0.1`.
    pub fn min_object_covered(mut self, min_object_covered: f32) -> Self {
        self.0.set("min_object_covered", min_object_covered);
        self
    }

    /// Minimum and maximum aspect ratio (width / height) of a crop. Default: `[0.75, 1.33]`.
    pub fn aspect_ratio_range(mut self, aspect_ratio_range: &[f32]) -> Self {
        self.0.set("aspect_ratio_range", aspect_ratio_range.to_vec());
        self
    }

    /// Minimum and maximum fraction of the image that a crop covers. Default: `[0.05, 1.0]`.
    pub fn area_range(mut self, area_range: &[f32]) -> Self {
        self.0.set("area_range", area_range.to_vec());
        self
    }

    /// Maximum number of attempts to sample a crop. Default: `100`.
    pub fn max_attempts(mut self, max_attempts: i64) -> Self {
        self.0.set("max_attempts", max_attempts);
        self
    }

    /// Whether to use the whole image as the only box if there are none, which is otherwise an error. Default: `false`.
    pub fn use_image_if_no_bounding_boxes(mut self, use_image_if_no_bounding_boxes: bool) -> Self {
        self.0.set("use_image_if_no_bounding_boxes", use_image_if_no_bounding_boxes);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> SampleDistortedBoundingBoxOutputs {
        let mut outputs = self.0.outputs();
        SampleDistortedBoundingBoxOutputs { begin: outputs.one(), size: outputs.one(), bboxes: outputs.one() }
    }
}

/// The outputs of [`SampleDistortedBoundingBox`](Ops::sample_distorted_bounding_box).
#[derive(Clone, Copy, Debug)]
pub struct SampleDistortedBoundingBoxOutputs {
    /// A tensor of `T`.
    pub begin: Output,
    /// A tensor of `T`.
    pub size: Output,
    /// A tensor of float32.
    pub bboxes: Output,
}

/// A node of [`SampleDistortedBoundingBoxV2`](Ops::sample_distorted_bounding_box_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SampleDistortedBoundingBoxV2<'a>(Node<'a>);

impl SampleDistortedBoundingBoxV2<'_> {
    /// First seed; if both are 0, the crops differ from session to session. Default: `0`.
    pub fn seed(mut self, seed: i64) -> Self {
        self.0.set("seed", seed);
        self
    }

    /// Second seed. Default: `0`.
    pub fn seed2(mut self, seed2: i64) -> Self {
        self.0.set("seed2", seed2);
        self
    }

    /// Minimum and maximum aspect ratio (width / height) of a crop. Default: `[0.75, 1.33]`.
    pub fn aspect_ratio_range(mut self, aspect_ratio_range: &[f32]) -> Self {
        self.0.set("aspect_ratio_range", aspect_ratio_range.to_vec());
        self
    }

    /// Minimum and maximum fraction of the image that a crop covers. Default: `[0.05, 1.0]`.
    pub fn area_range(mut self, area_range: &[f32]) -> Self {
        self.0.set("area_range", area_range.to_vec());
        self
    }

    /// Maximum number of attempts to sample a crop. Default: `100`.
    pub fn max_attempts(mut self, max_attempts: i64) -> Self {
        self.0.set("max_attempts", max_attempts);
        self
    }

    /// Whether to use the whole image as the only box if there are none, which is otherwise an error. Default: `false`.
    pub fn use_image_if_no_bounding_boxes(mut self, use_image_if_no_bounding_boxes: bool) -> Self {
        self.0.set("use_image_if_no_bounding_boxes", use_image_if_no_bounding_boxes);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> SampleDistortedBoundingBoxV2Outputs {
        let mut outputs = self.0.outputs();
        SampleDistortedBoundingBoxV2Outputs { begin: outputs.one(), size: outputs.one(), bboxes: outputs.one() }
    }
}

/// The outputs of [`SampleDistortedBoundingBoxV2`](Ops::sample_distorted_bounding_box_v2).
#[derive(Clone, Copy, Debug)]
pub struct SampleDistortedBoundingBoxV2Outputs {
    /// A tensor of `T`.
    pub begin: Output,
    /// A tensor of `T`.
    pub size: Output,
    /// A tensor of float32.
    pub bboxes: Output,
}

/// A node of [`StatelessSampleDistortedBoundingBox`](Ops::stateless_sample_distorted_bounding_box) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StatelessSampleDistortedBoundingBox<'a>(Node<'a>);

impl StatelessSampleDistortedBoundingBox<'_> {
    /// Minimum and maximum aspect ratio (width / height) of a crop. Default: `[0.75, 1.33]`.
    pub fn aspect_ratio_range(mut self, aspect_ratio_range: &[f32]) -> Self {
        self.0.set("aspect_ratio_range", aspect_ratio_range.to_vec());
        self
    }

    /// Minimum and maximum fraction of the image that a crop covers. Default: `[0.05, 1.0]`.
    pub fn area_range(mut self, area_range: &[f32]) -> Self {
        self.0.set("area_range", area_range.to_vec());
        self
    }

    /// Maximum number of attempts to sample a crop. Default: `100`.
    pub fn max_attempts(mut self, max_attempts: i64) -> Self {
        self.0.set("max_attempts", max_attempts);
        self
    }

    /// Whether to use the whole image as the only box if there are none, which is otherwise an error. Default: `false`.
    pub fn use_image_if_no_bounding_boxes(mut self, use_image_if_no_bounding_boxes: bool) -> Self {
        self.0.set("use_image_if_no_bounding_boxes", use_image_if_no_bounding_boxes);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> StatelessSampleDistortedBoundingBoxOutputs {
        let mut outputs = self.0.outputs();
        StatelessSampleDistortedBoundingBoxOutputs { begin: outputs.one(), size: outputs.one(), bboxes: outputs.one() }
    }
}

/// The outputs of [`StatelessSampleDistortedBoundingBox`](Ops::stateless_sample_distorted_bounding_box).
#[derive(Clone, Copy, Debug)]
pub struct StatelessSampleDistortedBoundingBoxOutputs {
    /// A tensor of `T`.
    pub begin: Output,
    /// A tensor of `T`.
    pub size: Output,
    /// A tensor of float32.
    pub bboxes: Output,
}

common! {
    CombinedNonMaxSuppression
    DrawBoundingBoxes
    DrawBoundingBoxesV2
    NonMaxSuppression
    NonMaxSuppressionV2
    NonMaxSuppressionV3
    NonMaxSuppressionV4
    NonMaxSuppressionV5
    NonMaxSuppressionWithOverlaps
    SampleDistortedBoundingBox
    SampleDistortedBoundingBoxV2
    StatelessSampleDistortedBoundingBox
}

one_output! {
    DrawBoundingBoxes
    DrawBoundingBoxesV2
    NonMaxSuppression
    NonMaxSuppressionV2
    NonMaxSuppressionV3
    NonMaxSuppressionWithOverlaps
}

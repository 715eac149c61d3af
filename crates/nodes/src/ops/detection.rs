// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops of the family `detection`.

use crate::node::{Input, Node, Ops, common, one_output};
use levada_builder::Output;

impl Ops<'_> {
    /// Keeps boxes of each class as `NonMaxSuppression` does, and of those of all classes the ones with the best scores: for each image of a batch boxes, scores, classes, and how many there are.
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

    /// Draws the outlines of `boxes` in images, whose values are between 0 and 1, in ten colors by turns. A box is two opposite corners, each as row and column, between 0 and 1.
    ///
    /// - `images`: a tensor of `T`
    /// - `boxes`: a tensor of float32
    ///
    /// `T` is float32, float16.
    pub fn draw_bounding_boxes(&self, images: impl Input, boxes: impl Input) -> DrawBoundingBoxes<'_> {
        DrawBoundingBoxes(Node::new(self, "DrawBoundingBoxes").input(images).input(boxes))
    }

    /// `DrawBoundingBoxes` in these colors, a row each; without rows in the ten of `DrawBoundingBoxes`.
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

    /// Keeps boxes by score, the best first, and leaves out each that overlaps a kept one by more than `iou_threshold`. Boxes are two opposite corners, each as row and column.
    ///
    /// - `boxes`: a tensor of float32
    /// - `scores`: a tensor of float32
    /// - `max_output_size`: a tensor of int32
    pub fn non_max_suppression(&self, boxes: impl Input, scores: impl Input, max_output_size: impl Input) -> NonMaxSuppression<'_> {
        NonMaxSuppression(Node::new(self, "NonMaxSuppression").input(boxes).input(scores).input(max_output_size))
    }

    /// `NonMaxSuppression` with a computed threshold.
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

    /// `NonMaxSuppressionV2` of the boxes with a score above `score_threshold`.
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

    /// `NonMaxSuppressionV3` which says how many boxes it kept.
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

    /// `NonMaxSuppressionV4` with scores. Where `soft_nms_sigma` is above zero, a box that overlaps a kept one is not left out: its score is lowered by a Gaussian of their overlap.
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

    /// `NonMaxSuppressionV3` where the overlap of each two boxes is given.
    ///
    /// - `overlaps`: a tensor of float32
    /// - `scores`: a tensor of float32
    /// - `max_output_size`: a tensor of int32
    /// - `overlap_threshold`: a tensor of float32
    /// - `score_threshold`: a tensor of float32
    pub fn non_max_suppression_with_overlaps(&self, overlaps: impl Input, scores: impl Input, max_output_size: impl Input, overlap_threshold: impl Input, score_threshold: impl Input) -> NonMaxSuppressionWithOverlaps<'_> {
        NonMaxSuppressionWithOverlaps(Node::new(self, "NonMaxSuppressionWithOverlaps").input(overlaps).input(scores).input(max_output_size).input(overlap_threshold).input(score_threshold))
    }

    /// Draws a crop of an image of `image_size`, which covers enough of one of the boxes in it: the arguments of a `Slice`, and the crop as a box. The whole image where none is found.
    ///
    /// - `image_size`: a tensor of `T`
    /// - `bounding_boxes`: a tensor of float32
    ///
    /// `T` is int32, uint8, int16, int8, int64.
    pub fn sample_distorted_bounding_box(&self, image_size: impl Input, bounding_boxes: impl Input) -> SampleDistortedBoundingBox<'_> {
        SampleDistortedBoundingBox(Node::new(self, "SampleDistortedBoundingBox").input(image_size).input(bounding_boxes))
    }

    /// `SampleDistortedBoundingBox` where it is computed how much of a box must be covered.
    ///
    /// - `image_size`: a tensor of `T`
    /// - `bounding_boxes`: a tensor of float32
    /// - `min_object_covered`: a tensor of float32
    ///
    /// `T` is int32, uint8, int16, int8, int64.
    pub fn sample_distorted_bounding_box_v2(&self, image_size: impl Input, bounding_boxes: impl Input, min_object_covered: impl Input) -> SampleDistortedBoundingBoxV2<'_> {
        SampleDistortedBoundingBoxV2(Node::new(self, "SampleDistortedBoundingBoxV2").input(image_size).input(bounding_boxes).input(min_object_covered))
    }

    /// `SampleDistortedBoundingBoxV2` where the seeds are computed too: the same seeds give the same crop.
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
    /// True for no more places than all classes together can fill. Default: `false`.
    pub fn pad_per_class(mut self, pad_per_class: bool) -> Self {
        self.0.set("pad_per_class", pad_per_class);
        self
    }

    /// True to move corners outside of 0 and 1 to there. Default: `true`.
    pub fn clip_boxes(mut self, clip_boxes: bool) -> Self {
        self.0.set("clip_boxes", clip_boxes);
        self
    }

    /// Adds the node to the graph; gives its outputs.
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
    /// The most that boxes may overlap, as a part of what they cover together. Default: `0.5`.
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
    /// True for as many indices as `max_output_size`, with zeros at the end. Default: `false`.
    pub fn pad_to_max_output_size(mut self, pad_to_max_output_size: bool) -> Self {
        self.0.set("pad_to_max_output_size", pad_to_max_output_size);
        self
    }

    /// Adds the node to the graph; gives its outputs.
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
    /// True for as many indices as `max_output_size`, with zeros at the end. Default: `false`.
    pub fn pad_to_max_output_size(mut self, pad_to_max_output_size: bool) -> Self {
        self.0.set("pad_to_max_output_size", pad_to_max_output_size);
        self
    }

    /// Adds the node to the graph; gives its outputs.
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
    /// First seed; where both are 0, the crops differ from session to session. Default: `0`.
    pub fn seed(mut self, seed: i64) -> Self {
        self.0.set("seed", seed);
        self
    }

    /// Second seed. Default: `0`.
    pub fn seed2(mut self, seed2: i64) -> Self {
        self.0.set("seed2", seed2);
        self
    }

    /// The least part of a box that a crop must cover. Default: `0.1`.
    pub fn min_object_covered(mut self, min_object_covered: f32) -> Self {
        self.0.set("min_object_covered", min_object_covered);
        self
    }

    /// The least and the greatest width of a crop as a part of its height. Default: `[0.75, 1.33]`.
    pub fn aspect_ratio_range(mut self, aspect_ratio_range: &[f32]) -> Self {
        self.0.set("aspect_ratio_range", aspect_ratio_range.to_vec());
        self
    }

    /// The least and the greatest part of the image that a crop covers. Default: `[0.05, 1.0]`.
    pub fn area_range(mut self, area_range: &[f32]) -> Self {
        self.0.set("area_range", area_range.to_vec());
        self
    }

    /// How many crops are drawn at most until one fits. Default: `100`.
    pub fn max_attempts(mut self, max_attempts: i64) -> Self {
        self.0.set("max_attempts", max_attempts);
        self
    }

    /// True to take the whole image for the only box where there is none, which is an error otherwise. Default: `false`.
    pub fn use_image_if_no_bounding_boxes(mut self, use_image_if_no_bounding_boxes: bool) -> Self {
        self.0.set("use_image_if_no_bounding_boxes", use_image_if_no_bounding_boxes);
        self
    }

    /// Adds the node to the graph; gives its outputs.
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
    /// First seed; where both are 0, the crops differ from session to session. Default: `0`.
    pub fn seed(mut self, seed: i64) -> Self {
        self.0.set("seed", seed);
        self
    }

    /// Second seed. Default: `0`.
    pub fn seed2(mut self, seed2: i64) -> Self {
        self.0.set("seed2", seed2);
        self
    }

    /// The least and the greatest width of a crop as a part of its height. Default: `[0.75, 1.33]`.
    pub fn aspect_ratio_range(mut self, aspect_ratio_range: &[f32]) -> Self {
        self.0.set("aspect_ratio_range", aspect_ratio_range.to_vec());
        self
    }

    /// The least and the greatest part of the image that a crop covers. Default: `[0.05, 1.0]`.
    pub fn area_range(mut self, area_range: &[f32]) -> Self {
        self.0.set("area_range", area_range.to_vec());
        self
    }

    /// How many crops are drawn at most until one fits. Default: `100`.
    pub fn max_attempts(mut self, max_attempts: i64) -> Self {
        self.0.set("max_attempts", max_attempts);
        self
    }

    /// True to take the whole image for the only box where there is none, which is an error otherwise. Default: `false`.
    pub fn use_image_if_no_bounding_boxes(mut self, use_image_if_no_bounding_boxes: bool) -> Self {
        self.0.set("use_image_if_no_bounding_boxes", use_image_if_no_bounding_boxes);
        self
    }

    /// Adds the node to the graph; gives its outputs.
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
    /// The least and the greatest width of a crop as a part of its height. Default: `[0.75, 1.33]`.
    pub fn aspect_ratio_range(mut self, aspect_ratio_range: &[f32]) -> Self {
        self.0.set("aspect_ratio_range", aspect_ratio_range.to_vec());
        self
    }

    /// The least and the greatest part of the image that a crop covers. Default: `[0.05, 1.0]`.
    pub fn area_range(mut self, area_range: &[f32]) -> Self {
        self.0.set("area_range", area_range.to_vec());
        self
    }

    /// How many crops are drawn at most until one fits. Default: `100`.
    pub fn max_attempts(mut self, max_attempts: i64) -> Self {
        self.0.set("max_attempts", max_attempts);
        self
    }

    /// True to take the whole image for the only box where there is none, which is an error otherwise. Default: `false`.
    pub fn use_image_if_no_bounding_boxes(mut self, use_image_if_no_bounding_boxes: bool) -> Self {
        self.0.set("use_image_if_no_bounding_boxes", use_image_if_no_bounding_boxes);
        self
    }

    /// Adds the node to the graph; gives its outputs.
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

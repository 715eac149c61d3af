//! `NonMaxSuppression` and its versions: select boxes by score and drop those that overlap them.

use crate::boxes::{Area, CORNERS, check_part, common, float, scalar};
use crate::prelude::*;
use crate::rules::never;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// The dtypes of boxes and of thresholds.
const FLOATS: &[DType] = &[DType::F16, DType::F32];

attrs! {
    /// Selects boxes in descending order of score, dropping each box whose intersection over union with a selected one
    /// exceeds `iou_threshold`. A box consists of two opposite corners, each as row and column.
    pub struct NonMaxSuppression {
        /// Element type of boxes and scores.
        dtype: DType = Attr::dtype("T", FLOATS).or_type(DType::F32),
        /// Element type of the thresholds.
        threshold: DType = Attr::dtype("T_threshold", FLOATS).or_type(DType::F32),
        /// Maximum intersection over union of two selected boxes.
        iou_threshold: f32 = Attr::float("iou_threshold").or_float(0.5),
        /// Whether to pad the result with zeros to `max_output_size` indices.
        pad: bool = Attr::bool("pad_to_max_output_size").or_bool(false),
    }
}

const BOXES: Arg = arg("boxes", of("T"));
const SCORES: Arg = arg("scores", of("T"));
const MOST: Arg = arg("max_output_size", is(DType::I32));
const OVERLAP: Arg = arg("iou_threshold", of("T_threshold"));
const SCORE: Arg = arg("score_threshold", of("T_threshold"));
const INDICES: Arg = arg("selected_indices", is(DType::I32));
const VALID: Arg = arg("valid_outputs", is(DType::I32));

pub static NON_MAX_SUPPRESSION: Def<NonMaxSuppression> = op("NonMaxSuppression")
    .inputs(&[arg("boxes", is(DType::F32)), arg("scores", is(DType::F32)), MOST])
    .outputs(&[INDICES])
    .without(&["T", "T_threshold", "pad_to_max_output_size"])
    .also(&[
        form("NonMaxSuppressionV2")
            .doc("Like `NonMaxSuppression`, with the threshold as an input.")
            .inputs(&[BOXES, SCORES, MOST, OVERLAP])
            .without(&["iou_threshold", "pad_to_max_output_size"]),
        form("NonMaxSuppressionV3")
            .doc("Like `NonMaxSuppressionV2`, considering only boxes with a score above `score_threshold`.")
            .inputs(&[BOXES, SCORES, MOST, OVERLAP, SCORE])
            .without(&["iou_threshold", "pad_to_max_output_size"]),
        form("NonMaxSuppressionV4")
            .doc("Like `NonMaxSuppressionV3`, and also returns the number of selected boxes.")
            .inputs(&[BOXES, SCORES, MOST, OVERLAP, SCORE])
            .outputs(&[INDICES, VALID])
            .without(&["iou_threshold"]),
        form("NonMaxSuppressionV5")
            .doc(
                "Like `NonMaxSuppressionV4`, and also returns the scores of the selected boxes. If `soft_nms_sigma` is \
                 positive, a box that overlaps a selected one is not dropped: its score is lowered by a Gaussian of \
                 the overlap.",
            )
            .inputs(&[
                BOXES,
                SCORES,
                MOST,
                arg("iou_threshold", of("T")),
                arg("score_threshold", of("T")),
                arg("soft_nms_sigma", of("T")),
            ])
            .outputs(&[INDICES, arg("selected_scores", of("T")), VALID])
            .without(&["T_threshold", "iou_threshold"])
            .not_differentiable(),
    ])
    .shape(infer)
    .gradient(|_, g| never(g))
    .kernel(suppress)
    .heavy();

attrs! {
    /// `NonMaxSuppressionV3` for precomputed pairwise overlaps.
    pub struct NonMaxSuppressionWithOverlaps {}
}

pub static NON_MAX_SUPPRESSION_WITH_OVERLAPS: Def<NonMaxSuppressionWithOverlaps> = op("NonMaxSuppressionWithOverlaps")
    .inputs(&[
        arg("overlaps", is(DType::F32)),
        arg("scores", is(DType::F32)),
        MOST,
        arg("overlap_threshold", is(DType::F32)),
        arg("score_threshold", is(DType::F32)),
    ])
    .outputs(&[INDICES])
    .shape(|_, cx| {
        let (overlaps, scores) = (cx.with_rank(0, 2)?, cx.with_rank(1, 1)?);
        common(overlaps.dim(0), overlaps.dim(1))?;
        common(overlaps.dim(0), scores.dim(0))?;
        (2..5).try_for_each(|i| cx.with_rank(i, 0).map(drop))?;
        cx.output_vector(0, None);
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(suppress_overlapping)
    .heavy();

fn infer(op: &NonMaxSuppression, cx: &mut ShapeCx<'_>) -> Result<()> {
    let (boxes, scores) = (cx.with_rank(0, 2)?, cx.with_rank(1, 1)?);
    common(boxes.dim(0), scores.dim(0))?;
    common(boxes.dim(1), Some(CORNERS))?;
    (2..cx.num_inputs()).try_for_each(|i| cx.with_rank(i, 0).map(drop))?;
    let kept = match cx.constant_i64s(2).as_deref() {
        Some(&[most]) if op.pad => {
            Some(usize::try_from(most).map_err(|_| Error::invalid(format!("max_output_size ({most}) is negative")))?)
        }
        _ => None,
    };
    let outputs = cx.num_outputs();
    cx.output_vector(0, kept);
    if outputs == 3 {
        cx.output_vector(1, kept);
    }
    if outputs > 1 {
        cx.output_scalar(outputs - 1);
    }
    Ok(())
}

fn suppress(op: &NonMaxSuppression, cx: &mut Cx<'_, '_>) -> Result<()> {
    match op.dtype {
        DType::F16 => suppress_boxes::<f16>(op, cx),
        _ => suppress_boxes::<f32>(op, cx),
    }
}

fn suppress_boxes<T: Float>(op: &NonMaxSuppression, cx: &mut Cx<'_, '_>) -> Result<()> {
    let inputs = cx.num_inputs();
    let overlap = if inputs > 3 { float(cx, 3, "iou_threshold")? } else { T::from_f64(f64::from(op.iou_threshold)) };
    check_part(overlap)?;
    let score = if inputs > 4 { float(cx, 4, "score_threshold")? } else { T::LOWEST };
    let sigma = if inputs > 5 { float(cx, 5, "soft_nms_sigma")? } else { T::zero() };
    if !(sigma >= T::zero()) {
        return Err(Error::invalid("soft_nms_sigma must not be negative").found(sigma.to_f64()));
    }
    let boxes = cx.input(0)?.shape().clone();
    let &[count, CORNERS] = boxes.dims() else {
        return Err(Error::invalid(format!("boxes must be 2-D with 4 columns, got shape {boxes}")));
    };
    let most = most(cx)?;
    let scores = scores::<T>(cx, count)?;
    let corners = cx.slice::<T>(0)?.chunks_exact(CORNERS);
    let areas: Vec<Area> = corners.map(|b| Area::new([b[0], b[1], b[2], b[3]].map(|v| v.to_f64() as f32))).collect();
    let limits = Limits { most, overlap, score, sigma };
    let (kept, scores) = limits.select(scores, |a, b| areas[a].overlap(&areas[b]));
    let size = if op.pad { most } else { kept.len() };
    put(cx, 0, &kept, size)?;
    let outputs = cx.num_outputs();
    if outputs == 3 {
        put(cx, 1, &scores, size)?;
    }
    if outputs > 1 {
        cx.set(outputs - 1, Tensor::scalar(kept.len() as i32));
    }
    Ok(())
}

fn suppress_overlapping(_: &NonMaxSuppressionWithOverlaps, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (overlap, score) = (scalar(cx, 3, "overlap_threshold")?, scalar(cx, 4, "score_threshold")?);
    let shape = cx.input(0)?.shape().clone();
    let &[count, columns] = shape.dims() else {
        return Err(Error::invalid(format!("overlaps must be 2-D, got shape {shape}")));
    };
    if count != columns {
        return Err(Error::invalid(format!("overlaps must be square, got shape {shape}")));
    }
    let limits = Limits { most: most(cx)?, overlap, score, sigma: 0.0 };
    let overlaps = cx.slice::<f32>(0)?;
    let (kept, _) = limits.select(scores::<f32>(cx, count)?, |a, b| overlaps[a * count + b]);
    put(cx, 0, &kept, kept.len())
}

/// Maximum number of boxes to select.
fn most(cx: &Cx<'_, '_>) -> Result<usize> {
    let most = scalar::<i32>(cx, 2, "max_output_size")?;
    usize::try_from(most).map_err(|_| Error::invalid("output size must be non-negative").found(most))
}

/// Returns the scores of `count` boxes.
fn scores<'a, T: Float>(cx: &'a Cx<'_, '_>, count: usize) -> Result<&'a [T]> {
    let shape = cx.input(1)?.shape();
    if shape.dims() != [count] {
        return Err(Error::invalid(format!("scores must be 1-D with {count} elements, got shape {shape}")));
    }
    cx.slice(1)
}

/// Sets output `i` to `values`, padded with zeros to `size` elements.
fn put<T: Number>(cx: &mut Cx<'_, '_>, i: usize, values: &[T], size: usize) -> Result<()> {
    cx.produce::<T>(i, &Shape::new([size])?, |_, out| {
        let (first, rest) = out.split_at_mut(values.len());
        first.copy_from_slice(values);
        rest.fill(T::zero());
        Ok(())
    })
}

/// Selection criteria.
struct Limits<T> {
    /// Maximum number of boxes.
    most: usize,
    /// Maximum overlap.
    overlap: T,
    /// Boxes must have a higher score than this.
    score: T,
    /// Sigma of the Gaussian that lowers the scores of overlapping boxes; zero to drop such boxes.
    sigma: T,
}

/// A candidate box.
struct Candidate<T> {
    score: T,
    index: usize,
    /// Number of selected boxes it has been compared with.
    compared: usize,
}

impl<T: Float> Ord for Candidate<T> {
    /// By score; of equal scores the lower index is the greater.
    fn cmp(&self, other: &Self) -> Ordering {
        let scores = self.score.partial_cmp(&other.score).unwrap_or(Ordering::Equal);
        scores.then(Reverse(self.index).cmp(&Reverse(other.index)))
    }
}

impl<T: Float> PartialOrd for Candidate<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: Float> PartialEq for Candidate<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<T: Float> Eq for Candidate<T> {}

impl<T: Float> Limits<T> {
    /// Returns the indices of the selected boxes, and their scores at the time of selection.
    fn select(&self, scores: &[T], overlap: impl Fn(usize, usize) -> f32) -> (Vec<i32>, Vec<T>) {
        let candidates = scores.iter().enumerate().filter(|(_, score)| **score > self.score);
        let mut queue: BinaryHeap<Candidate<T>> =
            candidates.map(|(index, &score)| Candidate { score, index, compared: 0 }).collect();
        let soft = self.sigma > T::zero();
        let scale = if soft { -0.5 / self.sigma.to_f64() } else { 0.0 };
        let scale = T::from_f64(scale);
        let (mut kept, mut kept_scores) = (Vec::new(), Vec::new());
        while kept.len() < self.most
            && let Some(mut next) = queue.pop()
        {
            let before = next.score;
            let mut left_out = false;
            // The most recently selected boxes have the scores closest to this one's, and so are the most likely to
            // overlap it.
            for &index in kept[next.compared..].iter().rev() {
                let overlap = T::from_f64(f64::from(overlap(next.index, index as usize)));
                let fits = overlap <= self.overlap;
                // Without a Gaussian the weight of a box that fits is 1, except for infinite overlaps.
                if soft || !fits || !overlap.to_f64().is_finite() {
                    let weight = if soft || fits { exp(scale.mul(overlap).mul(overlap)) } else { T::zero() };
                    next.score = next.score.mul(weight);
                }
                if !soft && overlap > self.overlap {
                    left_out = true;
                    break;
                }
                if next.score <= self.score {
                    break;
                }
            }
            next.compared = kept.len();
            if left_out {
                continue;
            }
            if next.score == before {
                kept.push(next.index as i32);
                kept_scores.push(next.score);
            } else if next.score > self.score {
                queue.push(next);
            }
        }
        (kept, kept_scores)
    }
}

/// The exponential function.
fn exp<T: Float>(x: T) -> T {
    T::of_base(num_traits::Float::exp(x.base()))
}

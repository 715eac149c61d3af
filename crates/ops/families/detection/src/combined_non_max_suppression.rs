//! `CombinedNonMaxSuppression`: non-maximum suppression across all classes of each image.

use crate::boxes::{Area, CORNERS, check_part, common, scalar};
use crate::prelude::*;
use std::cmp::Ordering;

attrs! {
    /// Applies non-maximum suppression to the boxes of each class, like `NonMaxSuppression`, then keeps those with the
    /// highest scores across all classes. Returns for each image of a batch the boxes, scores and classes, and their
    /// number.
    pub struct CombinedNonMaxSuppression {
        /// Whether to limit the output size to what all classes together can fill.
        pad_per_class: bool = Attr::bool("pad_per_class").or_bool(false),
        /// Whether to clip corners to the range from 0 to 1.
        clip_boxes: bool = Attr::bool("clip_boxes").or_bool(true),
    }
}

const F32: DType = DType::F32;

pub static COMBINED_NON_MAX_SUPPRESSION: Def<CombinedNonMaxSuppression> = op("CombinedNonMaxSuppression")
    .inputs(&[
        arg("boxes", is(F32)),
        arg("scores", is(F32)),
        arg("max_output_size_per_class", is(DType::I32)),
        arg("max_total_size", is(DType::I32)),
        arg("iou_threshold", is(F32)),
        arg("score_threshold", is(F32)),
    ])
    .outputs(&[
        arg("nmsed_boxes", is(F32)),
        arg("nmsed_scores", is(F32)),
        arg("nmsed_classes", is(F32)),
        arg("valid_detections", is(DType::I32)),
    ])
    .shape(infer)
    .kernel(suppress)
    .heavy();

fn infer(op: &CombinedNonMaxSuppression, cx: &mut ShapeCx<'_>) -> Result<()> {
    let (boxes, scores) = (cx.with_rank(0, 4)?, cx.with_rank(1, 3)?);
    (2..6).try_for_each(|i| cx.with_rank(i, 0).map(drop))?;
    let batch = common(boxes.dim(0), scores.dim(0))?;
    common(boxes.dim(1), scores.dim(1))?;
    common(boxes.dim(3), Some(CORNERS))?;
    if boxes.dim(2) != Some(1) {
        common(boxes.dim(2), scores.dim(2))?;
    }
    let known = |i: usize| match cx.constant_i64s(i).as_deref() {
        Some(&[size]) => positive(size, i).map(Some),
        _ => Ok(None),
    };
    let (per_class, total) = (known(2)?, known(3)?);
    let places = match (op.pad_per_class, per_class, scores.dim(2)) {
        (false, ..) => total,
        (true, Some(per_class), Some(classes)) => total.map(|total| total.min(per_class.saturating_mul(classes))),
        (true, ..) => None,
    };
    cx.output(0, PartialShape::new([batch, places, Some(CORNERS)]));
    cx.output(1, PartialShape::new([batch, places]));
    cx.output(2, PartialShape::new([batch, places]));
    cx.output_vector(3, batch);
    Ok(())
}

/// Converts a size given by input `i`, which must be positive.
fn positive(size: i64, i: usize) -> Result<usize> {
    let name = if i == 2 { "max_output_size_per_class" } else { "max_total_size" };
    match usize::try_from(size) {
        Ok(size) if size > 0 => Ok(size),
        _ => Err(Error::invalid(format!("{name} must be positive")).found(size)),
    }
}

/// A box kept for its class.
struct Kept {
    score: f32,
    class: usize,
    corners: [f32; CORNERS],
}

fn suppress(op: &CombinedNonMaxSuppression, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (boxes, scores) = (cx.input(0)?.shape().clone(), cx.input(1)?.shape().clone());
    let &[batch, count, kinds, CORNERS] = boxes.dims() else {
        return Err(Error::invalid(format!("boxes must be 4-D [batch, num_boxes, q, 4], got shape {boxes}")));
    };
    let &[_, _, classes] = scores.dims() else {
        return Err(Error::invalid(format!("scores must be 3-D [batch, num_boxes, num_classes], got shape {scores}")));
    };
    if scores.dims() != [batch, count, classes] {
        return Err(Error::invalid("boxes and scores must have the same batch size and number of boxes")
            .found(format!("boxes of shape {boxes} and scores of shape {scores}")));
    }
    if kinds != 1 && kinds != classes {
        return Err(Error::invalid("third dimension of boxes must be either 1 or num classes")
            .found(format!("{kinds}, and {classes} classes")));
    }
    let size = |i: usize, name: &str| positive(i64::from(scalar::<i32>(cx, i, name)?), i);
    let (per_class, total) = (size(2, "max_output_size_per_class")?, size(3, "max_total_size")?);
    let (overlap, least) = (scalar(cx, 4, "iou_threshold")?, scalar(cx, 5, "score_threshold")?);
    check_part::<f32>(overlap)?;
    let places = if op.pad_per_class { total.min(per_class.saturating_mul(classes)) } else { total };

    let limits = Limits { most: per_class.min(count), overlap, least };
    // Without scores the number of images is not bounded by the size of the inputs.
    let mut best: Vec<Vec<Kept>> = Vec::new();
    if count > 0 && classes > 0 {
        let mut kept: Vec<Vec<Kept>> = Vec::new();
        kept.resize_with(batch * classes, Vec::new);
        let (boxes, scores) = (cx.slice::<f32>(0)?, cx.slice::<f32>(1)?);
        cx.pool().for_chunks(&mut kept, 1, count as f64 * 20.0, |first, kept| {
            for (i, kept) in kept.iter_mut().enumerate() {
                let (image, class) = ((first + i) / classes, (first + i) % classes);
                let kind = if kinds == 1 { 0 } else { class };
                let corners = boxes[image * count * kinds * CORNERS..].chunks_exact(CORNERS).skip(kind).step_by(kinds);
                let scores = scores[image * count * classes + class..].iter().step_by(classes);
                *kept = limits.select(corners.zip(scores).take(count), class);
            }
        });
        let mut kept = kept.into_iter();
        best.resize_with(batch, || {
            let mut all: Vec<Kept> = kept.by_ref().take(classes).flatten().collect();
            sort(&mut all);
            all.truncate(places);
            all
        });
    }
    put(cx, 0, &Shape::new([batch, places, CORNERS])?, &best, |kept| {
        if op.clip_boxes { kept.corners.map(clipped) } else { kept.corners }
    })?;
    let shape = Shape::new([batch, places])?;
    put(cx, 1, &shape, &best, |kept| [kept.score])?;
    put(cx, 2, &shape, &best, |kept| [kept.class as f32])?;
    cx.produce::<i32>(3, &Shape::vector(batch), |_, out| {
        out.fill(0);
        out.iter_mut().zip(&best).for_each(|(out, kept)| *out = kept.len() as i32);
        Ok(())
    })
}

/// Sorts by descending score, keeping the order of equal scores.
fn sort(kept: &mut [Kept]) {
    kept.sort_by(|a, b| b.score.partial_cmp(&a.score).unwrap_or(Ordering::Equal));
}

/// Clips a coordinate to the range from 0 to 1; NaN is kept.
fn clipped(v: f32) -> f32 {
    let v = if v > 1.0 { 1.0 } else { v };
    if v < 0.0 { 0.0 } else { v }
}

/// Writes `N` values of each kept box, image by image, to output `i`, and zeros to the remaining places.
fn put<const N: usize>(
    cx: &mut Cx<'_, '_>,
    i: usize,
    shape: &Shape,
    best: &[Vec<Kept>],
    numbers: impl Fn(&Kept) -> [f32; N],
) -> Result<()> {
    cx.produce::<f32>(i, shape, |_, out| {
        out.fill(0.0);
        if out.is_empty() {
            return Ok(());
        }
        for (kept, out) in best.iter().zip(out.chunks_exact_mut(shape[1] * N)) {
            kept.iter().zip(out.chunks_exact_mut(N)).for_each(|(kept, out)| out.copy_from_slice(&numbers(kept)));
        }
        Ok(())
    })
}

/// Limits on the boxes kept for one class of one image.
struct Limits {
    most: usize,
    overlap: f32,
    least: f32,
}

impl Limits {
    fn select<'a>(&self, boxes: impl Iterator<Item = (&'a [f32], &'a f32)>, class: usize) -> Vec<Kept> {
        let mut candidates: Vec<Kept> = boxes
            .filter(|(_, score)| **score > self.least)
            .map(|(b, &score)| Kept { score, class, corners: [b[0], b[1], b[2], b[3]] })
            .collect();
        sort(&mut candidates);
        let mut areas: Vec<Area> = Vec::new();
        let mut fits = |candidate: &Kept| {
            let area = Area::new(candidate.corners);
            let fits = areas.len() < self.most && !areas.iter().rev().any(|kept| area.overlap(kept) > self.overlap);
            if fits {
                areas.push(area);
            }
            fits
        };
        candidates.retain(&mut fits);
        candidates
    }
}

//! `NonMaxSuppression` of ONNX.

use crate::base::{check, sizes};
use crate::prelude::*;

attrs! {
    /// `NonMaxSuppression` of ONNX: selects, for each batch and class, boxes in descending score order, skipping those
    /// that overlap a selected box too much. Rows of the output are batch, class and box.
    pub struct OnnxNonMaxSuppression {
        /// Box format: 1 for center, width and height; 0 for two corners.
        center: i64 = Attr::int("center_point_box").or_int(0),
    }
}

pub static ONNX_NON_MAX_SUPPRESSION: Def<OnnxNonMaxSuppression> = op("OnnxNonMaxSuppression")
    .inputs(&[
        arg("boxes", is(DType::F32)),
        arg("scores", is(DType::F32)),
        arg("max_output_boxes_per_class", is(DType::I64)),
        arg("iou_threshold", is(DType::F32)),
        arg("score_threshold", is(DType::F32)),
    ])
    .outputs(&[arg("selected_indices", is(DType::I64))])
    .shape(|_, cx| {
        cx.with_rank(0, 3)?;
        cx.with_rank(1, 3)?;
        cx.output(0, PartialShape::new([None, Some(3)]));
        Ok(())
    })
    .kernel(onnx_non_max_suppression)
    .heavy();

fn onnx_non_max_suppression(op: &OnnxNonMaxSuppression, cx: &mut Cx<'_, '_>) -> Result<()> {
    let [batches, boxes, four] = sizes(cx, 0, "boxes")?;
    let [_, classes, _] = sizes(cx, 1, "scores")?;
    check(cx, 0, "boxes", &[batches, boxes, 4])?;
    check(cx, 1, "scores", &[batches, classes, boxes])?;
    let most = usize::try_from(number::<i64>(cx, 2)?.unwrap_or(0)).unwrap_or(0);
    let threshold = number::<f32>(cx, 3)?.unwrap_or(0.0);
    let least = number::<f32>(cx, 4)?;
    if !(0.0..=1.0).contains(&threshold) {
        return Err(Error::invalid("iou_threshold must be between 0 and 1").found(threshold));
    }
    let (all, scores) = (cx.slice::<f32>(0)?, cx.slice::<f32>(1)?);
    let mut selected: Vec<i64> = Vec::new();
    for batch in 0..batches {
        let rects: Vec<Rect> =
            all[batch * boxes * four..][..boxes * four].chunks_exact(4).map(|b| rect(b, op.center != 0)).collect();
        for class in 0..classes {
            let scores = &scores[(batch * classes + class) * boxes..][..boxes];
            let mut order: Vec<usize> = (0..boxes).filter(|&i| least.is_none_or(|least| scores[i] > least)).collect();
            // A stable sort: of equal scores the first box wins.
            order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
            let mut kept: Vec<usize> = Vec::new();
            for i in order {
                if kept.len() >= most {
                    break;
                }
                if !kept.iter().any(|&k| overlaps(&rects[k], &rects[i], threshold)) {
                    kept.push(i);
                    selected.extend([batch as i64, class as i64, i as i64]);
                }
            }
        }
    }
    let out = Tensor::from_vec(Shape::new([selected.len() / 3, 3])?, selected)?;
    cx.set(0, out);
    Ok(())
}

/// Corners, minimum first, and area.
type Rect = ([f32; 4], f32);

fn rect(b: &[f32], center: bool) -> Rect {
    let (y1, x1, y2, x2) = match center {
        true => (b[1] - b[3] / 2.0, b[0] - b[2] / 2.0, b[1] + b[3] / 2.0, b[0] + b[2] / 2.0),
        false => (b[0].min(b[2]), b[1].min(b[3]), b[0].max(b[2]), b[1].max(b[3])),
    };
    ([y1, x1, y2, x2], (y2 - y1) * (x2 - x1))
}

fn overlaps((a, area): &Rect, (b, other): &Rect, threshold: f32) -> bool {
    let height = a[2].min(b[2]) - a[0].max(b[0]);
    let width = a[3].min(b[3]) - a[1].max(b[1]);
    if !(height > 0.0 && width > 0.0 && *area > 0.0 && *other > 0.0) {
        return false;
    }
    let both = height * width;
    let union = area + other - both;
    union > 0.0 && both / union > threshold
}

/// The value of an input with at most one element.
fn number<T: Element + Copy>(cx: &Cx<'_, '_>, i: usize) -> Result<Option<T>> {
    Ok(cx.slice::<T>(i)?.first().copied())
}

//! `RoiAlign` and `MaxRoiPool` of ONNX.

use crate::base::{Base, check, product, read, sizes, write};
use crate::prelude::*;

attrs! {
    /// `RoiAlign` of ONNX: pools each region of interest from interpolated samples. Rows of `rois` are x1, y1, x2, y2.
    pub struct OnnxRoiAlign {
        /// Element type.
        dtype: DType = Attr::dtype("T1", sets::FLOATS),
        /// Mapping from image coordinates to element coordinates.
        transformation: String =
            Attr::one_of("coordinate_transformation_mode", &["half_pixel", "output_half_pixel"]).or_str("half_pixel"),
        /// Reduction of a cell's samples.
        mode: String = Attr::one_of("mode", &["avg", "max"]).or_str("avg"),
        /// Number of cells per column of the output.
        height: i64 = Attr::int("output_height").or_int(1).at_least(1),
        /// Number of cells per row of the output.
        width: i64 = Attr::int("output_width").or_int(1).at_least(1),
        /// Samples per cell along each axis; 0 for as many as the cell has elements.
        sampling: i64 = Attr::int("sampling_ratio").or_int(0).at_least(0),
        /// Number of elements per unit of `rois`.
        scale: f32 = Attr::float("spatial_scale").or_float(1.0),
    }
}

attrs! {
    /// `MaxRoiPool` of ONNX: the maximum of each cell of each region of interest. Rows of `rois` are image index, x1,
    /// y1, x2, y2.
    pub struct OnnxMaxRoiPool {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::FLOATS),
        /// Number of cell rows and columns.
        pooled: Vec<i64> = Attr::ints("pooled_shape").at_least(2),
        /// Number of elements per unit of `rois`.
        scale: f32 = Attr::float("spatial_scale").or_float(1.0),
    }
}

pub static ONNX_ROI_ALIGN: Def<OnnxRoiAlign> = op("OnnxRoiAlign")
    .inputs(&[arg("X", of("T1")), arg("rois", of("T1")), arg("batch_indices", is(DType::I64))])
    .outputs(&[arg("Y", of("T1"))])
    .shape(|op: &OnnxRoiAlign, cx| {
        let (x, rois) = (cx.with_rank(0, 4)?, cx.with_rank(1, 2)?);
        let size = |n: i64| usize::try_from(n).ok();
        cx.output(0, PartialShape::new([rois.dim(0), x.dim(1), size(op.height), size(op.width)]));
        Ok(())
    })
    .kernel(|op, cx| in_base!(op.dtype, |B| op.run::<B>(cx)))
    .heavy();

/// The four elements around a point and their weights; the weights are zero outside.
type Point = [(usize, f64); 4];

fn point(y: f64, x: f64, height: usize, width: usize) -> Point {
    if !(-1.0..=height as f64).contains(&y) || !(-1.0..=width as f64).contains(&x) {
        return [(0, 0.0); 4];
    }
    let along = |v: f64, n: usize| {
        let v = v.max(0.0);
        let low = v as usize;
        if low + 1 >= n { (n - 1, n - 1, 0.0) } else { (low, low + 1, v - low as f64) }
    };
    let ((top, bottom, dy), (left, right, dx)) = (along(y, height), along(x, width));
    [
        (top * width + left, (1.0 - dy) * (1.0 - dx)),
        (top * width + right, (1.0 - dy) * dx),
        (bottom * width + left, dy * (1.0 - dx)),
        (bottom * width + right, dy * dx),
    ]
}

/// Checks the image index of a region.
fn image(number: i64, batch: usize) -> Result<usize> {
    usize::try_from(number).ok().filter(|&n| n < batch).ok_or_else(|| {
        Error::invalid("a region refers to an image that does not exist")
            .expected(format!("0 to {batch} (exclusive)"))
            .found(number)
    })
}

impl OnnxRoiAlign {
    /// The sample points of a region's cells, cell by cell.
    fn points(&self, cx: &Cx<'_, '_>, roi: &[f64], (height, width): (usize, usize)) -> Result<(Vec<Point>, usize)> {
        let offset = if self.transformation == "half_pixel" { 0.5 } else { 0.0 };
        let scale = f64::from(self.scale);
        let [x1, y1, x2, y2] = [0, 1, 2, 3].map(|i| roi[i] * scale - offset);
        let (mut w, mut h) = (x2 - x1, y2 - y1);
        if offset == 0.0 {
            (w, h) = (w.max(1.0), h.max(1.0));
        }
        let (rows, cols) = (self.height as usize, self.width as usize);
        let (dy, dx) = (h / rows as f64, w / cols as f64);
        let samples = |d: f64| match self.sampling {
            0 => d.ceil().max(0.0) as usize,
            n => n as usize,
        };
        let (ny, nx) = (samples(dy), samples(dx));
        let each = product(&[ny, nx])?;
        cx.device.arena.check(product(&[rows, cols, each])?.saturating_mul(size_of::<Point>()))?;
        let mut points = Vec::with_capacity(rows * cols * each);
        for row in 0..rows {
            for col in 0..cols {
                for iy in 0..ny {
                    let y = y1 + row as f64 * dy + (iy as f64 + 0.5) * dy / ny as f64;
                    for ix in 0..nx {
                        let x = x1 + col as f64 * dx + (ix as f64 + 0.5) * dx / nx as f64;
                        points.push(point(y, x, height, width));
                    }
                }
            }
        }
        Ok((points, each))
    }

    fn run<B: Base>(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let [batch, channels, height, width] = sizes(cx, 0, "X")?;
        let [regions, _] = sizes(cx, 1, "rois")?;
        check(cx, 1, "rois", &[regions, 4])?;
        check(cx, 2, "batch_indices", &[regions])?;
        let size = |n: i64| usize::try_from(n).unwrap_or(usize::MAX);
        let whole = Shape::new([regions, channels, size(self.height), size(self.width)])?;
        let cells = size(self.height) * size(self.width);
        if height * width == 0 {
            return Err(Error::invalid("X has no elements").found(cx.input(0)?.shape()));
        }
        let (x, rois) = (read::<B>(cx.input(0)?)?, read::<f64>(cx.input(1)?)?);
        let mut y = crate::base::buffer::<B>(cx, whole.num_elements())?;
        for (region, out) in y.chunks_exact_mut((channels * cells).max(1)).enumerate() {
            let number = image(cx.slice::<i64>(2)?[region], batch)?;
            let (points, each) = self.points(cx, &rois[region * 4..][..4], (height, width))?;
            let images = &x[number * channels * height * width..];
            cx.pool().for_chunks(out, cells, (points.len() * 8) as f64, |first, piece| {
                for (i, out) in piece.chunks_exact_mut(cells).enumerate() {
                    let plane = &images[(first + i) * height * width..][..height * width];
                    for (cell, out) in out.iter_mut().enumerate() {
                        let points = &points[cell * each..][..each];
                        let parts = |p: &Point| p.map(|(at, w)| plane[at].wide() * w);
                        let value = match self.mode.as_str() {
                            // The maximum is over the weighted elements, not over their sums.
                            "max" => points.iter().flat_map(parts).reduce(f64::max).unwrap_or(0.0),
                            _ => points.iter().flat_map(parts).sum::<f64>() / each.max(1) as f64,
                        };
                        *out = B::of(value);
                    }
                }
            });
        }
        let y = write(cx, self.dtype, &whole, y)?;
        cx.set(0, y);
        Ok(())
    }
}

pub static ONNX_MAX_ROI_POOL: Def<OnnxMaxRoiPool> = op("OnnxMaxRoiPool")
    .inputs(&[arg("X", of("T")), arg("rois", of("T"))])
    .outputs(&[arg("Y", of("T"))])
    .shape(|op: &OnnxMaxRoiPool, cx| {
        let (x, rois) = (cx.with_rank(0, 4)?, cx.with_rank(1, 2)?);
        let size = |i: usize| usize::try_from(op.pooled[i]).ok();
        cx.output(0, PartialShape::new([rois.dim(0), x.dim(1), size(0), size(1)]));
        Ok(())
    })
    .kernel(onnx_max_roi_pool)
    .heavy();

fn onnx_max_roi_pool(op: &OnnxMaxRoiPool, cx: &mut Cx<'_, '_>) -> Result<()> {
    let [batch, channels, height, width] = sizes(cx, 0, "X")?;
    let [regions, _] = sizes(cx, 1, "rois")?;
    check(cx, 1, "rois", &[regions, 5])?;
    let cells = crate::base::per_axis("pooled_shape", &op.pooled, 2, 1, 1)?;
    let whole = Shape::new([regions, channels, cells[0], cells[1]])?;
    in_base!(op.dtype, |B| {
        let (x, rois) = (read::<B>(cx.input(0)?)?, read::<f64>(cx.input(1)?)?);
        let mut y = crate::base::buffer::<B>(cx, whole.num_elements())?;
        for (region, out) in y.chunks_exact_mut((channels * cells[0] * cells[1]).max(1)).enumerate() {
            let roi = &rois[region * 5..][..5];
            let number = image(roi[0] as i64, batch)?;
            // In `f32`, since rounding determines the elements of a cell.
            let [x1, y1, x2, y2] = [1, 2, 3, 4].map(|i| (roi[i] as f32 * op.scale).round());
            let range = |cell: usize, cells: usize, from: f32, to: f32, n: usize| {
                let size = (to - from + 1.0).max(1.0) / cells as f32;
                let edge = |v: f32| (v + from).clamp(0.0, n as f32) as usize;
                edge((cell as f32 * size).floor())..edge(((cell + 1) as f32 * size).ceil())
            };
            for (at, out) in out.iter_mut().enumerate() {
                let (channel, row, col) = (at / (cells[0] * cells[1]), at / cells[1] % cells[0], at % cells[1]);
                let plane = &x[(number * channels + channel) * height * width..][..height * width];
                let (rows, cols) = (range(row, cells[0], y1, y2, height), range(col, cells[1], x1, x2, width));
                let all = rows.flat_map(|r| cols.clone().map(move |c| plane[r * width + c]));
                *out = all.reduce(|a, b| a.max(b)).unwrap_or(B::of(0.0));
            }
        }
        let y = write(cx, op.dtype, &whole, y)?;
        cx.set(0, y);
    });
    Ok(())
}

//! `Resize` of ONNX: resamples a tensor along any of its axes.

use crate::base::{Base, axis_of, buffer, read, write};
use crate::prelude::*;

attrs! {
    /// `Resize` of ONNX: resamples `X` along its axes. `roi` is `[start..., end...]` normalized to the sizes and is
    /// used by `tf_crop_and_resize` only; one of `scales` and `sizes` is empty.
    pub struct OnnxResize {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::REALS),
        /// If true, downsampled axes are antialiased.
        antialias: bool = Attr::bool("antialias").or_bool(false),
        /// The axes that `roi`, `scales` and `sizes` refer to; all if empty.
        axes: Vec<i64> = Attr::ints("axes").or_empty(),
        /// Mapping from output to input coordinates.
        transformation: String = Attr::one_of("coordinate_transformation_mode", &[
            "half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric",
            "tf_half_pixel_for_nn", "tf_crop_and_resize",
        ]).or_str("half_pixel"),
        /// Coefficient of cubic interpolation.
        cubic: f32 = Attr::float("cubic_coeff_a").or_float(-0.75),
        /// If true, elements outside of the input are excluded from the weighted sum, otherwise the border is repeated.
        exclude: bool = Attr::bool("exclude_outside").or_bool(false),
        /// Value `tf_crop_and_resize` uses for positions outside of the input.
        extrapolation: f32 = Attr::float("extrapolation_value").or_float(0.0),
        /// Whether `sizes` are stretched to, or treated as an upper or lower bound with a common scale for all axes.
        policy: String = Attr::one_of("keep_aspect_ratio_policy", &["stretch", "not_larger", "not_smaller"]).or_str("stretch"),
        /// Interpolation mode.
        mode: String = Attr::one_of("mode", &["nearest", "linear", "cubic"]).or_str("nearest"),
        /// Rounding of `nearest`.
        nearest: String = Attr::one_of("nearest_mode", &["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"])
            .or_str("round_prefer_floor"),
    }
}

pub static ONNX_RESIZE: Def<OnnxResize> = op("OnnxResize")
    .inputs(&[
        arg("X", of("T")),
        arg("roi", is(DType::F32)),
        arg("scales", is(DType::F32)),
        arg("sizes", is(DType::I64)),
    ])
    .outputs(&[arg("Y", of("T"))])
    .shape(shape)
    .kernel(onnx_resize)
    .heavy();

fn shape(op: &OnnxResize, cx: &mut ShapeCx<'_>) -> Result<()> {
    let input = cx.input(0);
    let Some(dims) = input.dims() else { return Ok(()) };
    let whole = input.known();
    let plan = match (whole, cx.constant(2), cx.constant_i64s(3)) {
        (Some(shape), Some(scales), Some(sizes)) => Some(op.plan(&shape, &[], scales.slice::<f32>()?, &sizes)?),
        _ => None,
    };
    let shape = match plan {
        Some(axes) => PartialShape::new(axes.iter().map(|axis| Some(axis.output))),
        None => PartialShape::of_rank(dims.len()),
    };
    cx.output(0, shape);
    Ok(())
}

fn onnx_resize(op: &OnnxResize, cx: &mut Cx<'_, '_>) -> Result<()> {
    let shape = cx.input(0)?.shape().clone();
    let plan = op.plan(&shape, cx.slice(1)?, cx.slice(2)?, &cx.i64s(3)?)?;
    let whole = Shape::new(plan.iter().map(|axis| axis.output))?;
    // Checks that the position tables fit in memory.
    for axis in &plan {
        let taps = axis.output.saturating_add(if op.antialias { axis.input } else { 0 });
        cx.device.arena.check(taps.saturating_mul(8 * 16))?;
    }
    if shape.num_elements() == 0 && whole.num_elements() > 0 {
        return Err(Error::invalid("a tensor without elements cannot be resized"));
    }
    let out = if op.mode == "nearest" {
        op.pick(cx, &plan)?
    } else {
        in_base!(op.dtype, |B| {
            let values = op.interpolate::<B>(cx, &plan)?;
            write(cx, op.dtype, &whole, values)?
        })
    };
    cx.set(0, out);
    Ok(())
}

/// The resampling of one axis.
struct Resampled {
    input: usize,
    output: usize,
    scale: f32,
    roi: (f32, f32),
}

/// For every output position along an axis, `width` input elements and their weights.
struct Taps {
    width: usize,
    index: Vec<usize>,
    weight: Vec<f64>,
    /// Positions that receive the extrapolation value.
    outside: Vec<bool>,
}

impl OnnxResize {
    /// The sizes and scales of all axes.
    fn plan(&self, shape: &Shape, roi: &[f32], scales: &[f32], sizes: &[i64]) -> Result<Vec<Resampled>> {
        let rank = shape.rank();
        let axes: Vec<usize> = match self.axes.is_empty() {
            true => (0..rank).collect(),
            false => self.axes.iter().map(|&axis| axis_of(axis, rank)).collect::<Result<_>>()?,
        };
        let wrong = |name: &str, found: usize| {
            Error::invalid(format!("{name} must give a number for each axis to resize"))
                .expected(format!("{} numbers", axes.len()))
                .found(format!("{found} numbers"))
        };
        let mut plan: Vec<Resampled> =
            shape.iter().map(|&n| Resampled { input: n, output: n, scale: 1.0, roi: (0.0, 1.0) }).collect();
        if sizes.is_empty() {
            if scales.len() != axes.len() {
                return Err(wrong("scales", scales.len()));
            }
            for (&axis, &scale) in axes.iter().zip(scales) {
                if !(scale > 0.0 && scale.is_finite()) {
                    return Err(Error::invalid("a scale must be positive and finite").found(scale));
                }
                let axis = &mut plan[axis];
                axis.scale = scale;
                // A size beyond the maximum for shapes is reported as an error when the shape is created.
                axis.output = (axis.input as f64 * f64::from(scale)).floor() as usize;
            }
        } else {
            if sizes.len() != axes.len() {
                return Err(wrong("sizes", sizes.len()));
            }
            for (&axis, &size) in axes.iter().zip(sizes) {
                let axis = &mut plan[axis];
                axis.output =
                    usize::try_from(size).map_err(|_| Error::invalid("a size must not be negative").found(size))?;
                if axis.input == 0 && axis.output != 0 {
                    return Err(Error::invalid("an axis without elements cannot be resized"));
                }
                axis.scale = if axis.input == 0 { 1.0 } else { axis.output as f32 / axis.input as f32 };
            }
            let scales = axes.iter().map(|&axis| plan[axis].scale);
            let common = match self.policy.as_str() {
                "not_larger" => scales.reduce(f32::min),
                "not_smaller" => scales.reduce(f32::max),
                _ => None,
            };
            for &axis in axes.iter().filter(|_| common.is_some()) {
                let axis = &mut plan[axis];
                axis.scale = common.unwrap_or(1.0);
                axis.output = (f64::from(axis.scale) * axis.input as f64 + 0.5) as usize;
            }
        }
        if self.transformation == "tf_crop_and_resize" && !roi.is_empty() {
            if roi.len() != 2 * axes.len() {
                return Err(wrong("roi", roi.len()).expected(format!("{} numbers", 2 * axes.len())));
            }
            for (i, &axis) in axes.iter().enumerate() {
                plan[axis].roi = (roi[i], roi[axes.len() + i]);
            }
        }
        Ok(plan)
    }

    /// The input coordinate of output position `x`. In `f32`, since rounding determines the nearest element.
    fn source(&self, axis: &Resampled, x: usize) -> f32 {
        let (x, input) = (x as f32, axis.input as f32);
        let width = if (axis.scale * input - axis.output as f32).abs() < 1e-3 {
            axis.output as f32
        } else {
            axis.scale * input
        };
        match self.transformation.as_str() {
            "align_corners" if width == 1.0 => 0.0,
            "align_corners" => x * (input - 1.0) / (width - 1.0),
            "asymmetric" => x / axis.scale,
            "tf_half_pixel_for_nn" => (x + 0.5) / axis.scale,
            "tf_crop_and_resize" => {
                let (start, end) = axis.roi;
                match width == 1.0 {
                    true => 0.5 * (start + end) * (input - 1.0),
                    false => start * (input - 1.0) + x * (end - start) * (input - 1.0) / (width - 1.0),
                }
            }
            "pytorch_half_pixel" if width == 1.0 => -0.5,
            "half_pixel_symmetric" => {
                let adjustment = axis.output as f32 / width;
                input / 2.0 * (1.0 - adjustment) + (x + 0.5) / axis.scale - 0.5
            }
            _ => (x + 0.5) / axis.scale - 0.5,
        }
    }

    fn is_identity(&self, axis: &Resampled) -> bool {
        axis.scale == 1.0 && axis.input == axis.output && axis.roi == (0.0, 1.0)
    }

    /// The element nearest to a position.
    fn nearest(&self, x: f32) -> i64 {
        let below = x.floor();
        let up = match self.nearest.as_str() {
            "floor" => false,
            "ceil" => x > below,
            "round_prefer_ceil" => x - below >= 0.5,
            _ => x - below > 0.5,
        };
        below as i64 + i64::from(up)
    }

    /// The weights of the elements around a position at distance `ratio` from the preceding element.
    fn weights(&self, ratio: f64, scale: f64, out: &mut Vec<f64>) {
        out.clear();
        let a = f64::from(self.cubic);
        let cubic = |x: f64| {
            let x = x.abs();
            match x {
                x if x <= 1.0 => ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0,
                x if x < 2.0 => ((a * x - 5.0 * a) * x + 8.0 * a) * x - 4.0 * a,
                _ => 0.0,
            }
        };
        let linear = |x: f64| (1.0 - x.abs()).clamp(0.0, 1.0);
        let is_cubic = self.mode == "cubic";
        let radius = if is_cubic { 2.0 } else { 1.0 };
        let scale = if self.antialias { scale.min(1.0) } else { 1.0 };
        let start = (-radius / scale).floor() as i64 + 1;
        for i in start..2 - start {
            let x = scale * (i as f64 - ratio);
            out.push(if is_cubic { cubic(x) } else { linear(x) });
        }
        if self.antialias {
            let sum: f64 = out.iter().sum();
            out.iter_mut().for_each(|w| *w /= sum);
        }
    }

    fn taps(&self, axis: &Resampled) -> Taps {
        let last = axis.input as i64 - 1;
        let (mut taps, mut weights) =
            (Taps { width: 1, index: Vec::new(), weight: Vec::new(), outside: Vec::new() }, Vec::new());
        for x in 0..axis.output {
            let source = self.source(axis, x);
            let crop = self.transformation == "tf_crop_and_resize";
            let outside = crop && !(0.0..=last as f32).contains(&source);
            taps.outside.push(outside);
            let source = if outside { 0.0 } else { source };
            if self.mode == "nearest" {
                taps.index.push(self.nearest(source).clamp(0, last) as usize);
                continue;
            }
            let below = source.floor();
            let whole = source == below;
            self.weights(if whole { 1.0 } else { f64::from(source - below) }, f64::from(axis.scale), &mut weights);
            taps.width = weights.len();
            let first = below as i64 + 1 - i64::from(whole) - (weights.len() / 2) as i64;
            let places = || (first..).take(weights.len());
            let mut sum = 1.0;
            if self.exclude {
                let inside = |at: i64| (0..=last).contains(&at);
                sum = places().zip(&weights).filter(|(at, _)| inside(*at)).map(|(_, w)| w).sum();
                sum = if sum == 0.0 { 1.0 } else { sum };
                taps.weight.extend(places().zip(&weights).map(|(at, w)| if inside(at) { w / sum } else { 0.0 }));
            } else {
                taps.weight.extend(weights.iter().map(|w| w / sum));
            }
            taps.index.extend(places().map(|at| at.clamp(0, last) as usize));
        }
        taps
    }
}

/// Resamples the rows of `data`, of `inner` elements each, with the weights in `taps` along an axis of `input` rows.
fn weigh<B: Base>(cx: &Cx<'_, '_>, data: &[B], (input, inner): (usize, usize), taps: &Taps, extra: B, out: &mut [B]) {
    let (width, rows) = (taps.width, taps.outside.len());
    let weight: Vec<B> = taps.weight.iter().map(|&w| B::of(w)).collect();
    cx.pool().for_chunks(out, inner, (inner * width) as f64 * 0.5 + 5.0, |first, piece| {
        for (i, to) in piece.chunks_exact_mut(inner).enumerate() {
            let (outer, row) = ((first + i) / rows, (first + i) % rows);
            if taps.outside[row] {
                to.fill(extra);
                continue;
            }
            let from = &data[outer * input * inner..][..input * inner];
            let places = taps.index[row * width..][..width].iter().zip(&weight[row * width..][..width]);
            if inner == 1 {
                to[0] = places.fold(B::of(0.0), |sum, (&at, &w)| sum + w * from[at]);
                continue;
            }
            to.fill(B::of(0.0));
            for (&at, &w) in places {
                to.iter_mut().zip(&from[at * inner..][..inner]).for_each(|(o, &x)| *o = *o + w * x);
            }
        }
    });
}

/// Copies the rows of `data`, of `inner` bytes each, selected by `taps` along an axis of `input` rows.
fn gather(cx: &Cx<'_, '_>, data: &[u8], (input, inner): (usize, usize), taps: &Taps, extra: &[u8], out: &mut [u8]) {
    let rows = taps.outside.len();
    cx.pool().for_chunks(out, inner, inner as f64 * 0.1 + 3.0, |first, piece| {
        for (i, to) in piece.chunks_exact_mut(inner).enumerate() {
            let (outer, row) = ((first + i) / rows, (first + i) % rows);
            let from = (outer * input + taps.index[row]) * inner;
            match (taps.outside[row], inner) {
                (true, _) => to.chunks_exact_mut(extra.len()).for_each(|o| o.copy_from_slice(extra)),
                // Copies of a constant size need no call.
                (false, 4) => to[..4].copy_from_slice(&data[from..from + 4]),
                (false, _) => to.copy_from_slice(&data[from..from + inner]),
            }
        }
    });
}

impl OnnxResize {
    fn interpolate<B: Base>(&self, cx: &Cx<'_, '_>, plan: &[Resampled]) -> Result<Vec<B>> {
        let mut data = read::<B>(cx.input(0)?)?;
        let mut dims: Vec<usize> = plan.iter().map(|axis| axis.input).collect();
        for (i, axis) in plan.iter().enumerate().filter(|(_, axis)| !self.is_identity(axis)) {
            let inner: usize = dims[i + 1..].iter().product();
            dims[i] = axis.output;
            let mut out = buffer::<B>(cx, Shape::new(dims.iter().copied())?.num_elements())?;
            if !out.is_empty() {
                weigh(cx, &data, (axis.input, inner), &self.taps(axis), B::of(f64::from(self.extrapolation)), &mut out);
            }
            data = out.into();
        }
        Ok(data.into_owned())
    }

    fn pick(&self, cx: &Cx<'_, '_>, plan: &[Resampled]) -> Result<Tensor> {
        let mut data = cx.input(0)?.clone();
        let mut dims: Vec<usize> = plan.iter().map(|axis| axis.input).collect();
        let extra = write(cx, self.dtype, &Shape::scalar(), vec![self.extrapolation])?;
        for (i, axis) in plan.iter().enumerate().filter(|(_, axis)| !self.is_identity(axis)) {
            let inner = dims[i + 1..].iter().product::<usize>() * self.dtype.size();
            dims[i] = axis.output;
            let mut out = cx.alloc(self.dtype, &Shape::new(dims.iter().copied())?)?;
            if out.num_elements() > 0
                && let (Some(from), Some(extra), Some(to)) = (data.bytes(), extra.bytes(), out.bytes_mut())
            {
                gather(cx, from, (axis.input, inner), &self.taps(axis), extra, to);
            }
            data = out;
        }
        Ok(data)
    }
}

//! `MaxPool`, `AveragePool` and `LpPool` of ONNX, over any number of spatial axes.

use crate::base::{Base, product, read, write};
use crate::prelude::*;
use crate::windows::{AUTO_PAD, Axis, Slide, outputs};

attrs! {
    /// `MaxPool` of ONNX: the maximum of each window, and its index in `X`.
    pub struct OnnxMaxPool {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::REALS),
        /// 1 if `Indices` are requested, otherwise 0.
        indices: i64 = Attr::int("num_Indices").or_int(0).at_least(0),
        /// Automatic padding mode; `NOTSET` uses `pads`.
        auto_pad: String = Attr::one_of("auto_pad", AUTO_PAD).or_str("NOTSET"),
        /// If true, the number of windows is rounded up.
        ceil: bool = Attr::bool("ceil_mode").or_bool(false),
        /// Dilation of the window along each spatial axis.
        dilations: Vec<i64> = Attr::ints("dilations").or_empty(),
        /// Window size along each spatial axis.
        kernel: Vec<i64> = Attr::ints("kernel_shape"),
        /// Padding before each spatial axis, followed by the padding after each.
        pads: Vec<i64> = Attr::ints("pads").or_empty(),
        /// 1 if `Indices` are column-major, otherwise 0.
        order: i64 = Attr::int("storage_order").or_int(0),
        /// Stride along each spatial axis.
        strides: Vec<i64> = Attr::ints("strides").or_empty(),
    }
}

attrs! {
    /// `AveragePool` of ONNX: the mean of each window.
    pub struct OnnxAveragePool {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::FLOATS),
        /// Automatic padding mode; `NOTSET` uses `pads`.
        auto_pad: String = Attr::one_of("auto_pad", AUTO_PAD).or_str("NOTSET"),
        /// If true, the number of windows is rounded up.
        ceil: bool = Attr::bool("ceil_mode").or_bool(false),
        /// If true, padding is included as zeros.
        include: bool = Attr::bool("count_include_pad").or_bool(false),
        /// Dilation of the window along each spatial axis.
        dilations: Vec<i64> = Attr::ints("dilations").or_empty(),
        /// Window size along each spatial axis.
        kernel: Vec<i64> = Attr::ints("kernel_shape"),
        /// Padding before each spatial axis, followed by the padding after each.
        pads: Vec<i64> = Attr::ints("pads").or_empty(),
        /// Stride along each spatial axis.
        strides: Vec<i64> = Attr::ints("strides").or_empty(),
    }
}

attrs! {
    /// `LpPool` of ONNX: the p-norm of each window.
    pub struct OnnxLpPool {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::FLOATS),
        /// Automatic padding mode; `NOTSET` uses `pads`.
        auto_pad: String = Attr::one_of("auto_pad", AUTO_PAD).or_str("NOTSET"),
        /// If true, the number of windows is rounded up.
        ceil: bool = Attr::bool("ceil_mode").or_bool(false),
        /// Dilation of the window along each spatial axis.
        dilations: Vec<i64> = Attr::ints("dilations").or_empty(),
        /// Window size along each spatial axis.
        kernel: Vec<i64> = Attr::ints("kernel_shape"),
        /// The exponent p.
        p: i64 = Attr::int("p").or_int(2).at_least(1),
        /// Padding before each spatial axis, followed by the padding after each.
        pads: Vec<i64> = Attr::ints("pads").or_empty(),
        /// Stride along each spatial axis.
        strides: Vec<i64> = Attr::ints("strides").or_empty(),
    }
}

/// The part of a window within the input, along one axis.
#[derive(Clone, Copy)]
struct Span {
    start: usize,
    count: usize,
    /// Window elements within the input or its padding.
    padded: usize,
}

fn spans(axis: &Axis) -> Vec<Span> {
    let limit = axis.input + axis.before + axis.after;
    let one = |o: usize| {
        let first = o * axis.stride;
        // The number of window elements before the input, and the number before an end.
        let skip = axis.before.saturating_sub(first).div_ceil(axis.dilation).min(axis.kernel);
        let until = |end: usize| end.saturating_sub(first).div_ceil(axis.dilation).min(axis.kernel);
        let count = until(axis.before + axis.input).saturating_sub(skip);
        let start = (first + skip * axis.dilation).saturating_sub(axis.before);
        Span { start, count, padded: until(limit) }
    };
    (0..axis.output).map(one).collect()
}

/// The elements of a plane in a window.
struct Window<'a> {
    /// Start offsets of the window's segments along the last axis.
    rows: &'a [usize],
    start: usize,
    count: usize,
    step: usize,
    /// Elements in the window, including padding.
    padded: usize,
}

impl Window<'_> {
    /// Offsets of the elements.
    fn places(&self) -> impl Iterator<Item = usize> {
        let one = move |&row: &usize| (0..self.count).map(move |i| row + self.start + i * self.step);
        self.rows.iter().flat_map(one)
    }

    /// Folds the elements with `f`.
    fn fold<B: Base>(&self, plane: &[B], first: B, f: impl Fn(B, B) -> B) -> B {
        let mut sum = first;
        for &row in self.rows {
            let from = row + self.start;
            if self.step == 1 {
                sum = plane[from..from + self.count].iter().fold(sum, |sum, &x| f(sum, x));
            } else {
                sum = (0..self.count).fold(sum, |sum, i| f(sum, plane[from + i * self.step]));
            }
        }
        sum
    }
}

/// The windows over planes of the same size.
struct Pooling {
    axes: Vec<Axis>,
    spans: Vec<Vec<Span>>,
    whole: Shape,
    /// Elements per input plane and per output plane.
    plane: (usize, usize),
    taps: usize,
}

impl Pooling {
    fn of(cx: &Cx<'_, '_>, slide: &Slide<'_>) -> Result<Pooling> {
        let shape = cx.input(0)?.shape();
        if shape.rank() < 3 {
            return Err(Error::invalid("X must have batch, channel and spatial axes")
                .expected("rank 3 or more")
                .found(shape));
        }
        let axes = slide.axes(&shape[2..])?;
        let sizes = outputs(&axes);
        let whole = Shape::new(shape[..2].iter().copied().chain(sizes.iter().copied()))?;
        for axis in &axes {
            cx.device.arena.check(axis.output.saturating_mul(size_of::<Span>()))?;
        }
        let plane = (product(&shape[2..])?, product(&sizes)?);
        let taps = axes.iter().map(|axis| axis.kernel.min(axis.input)).product();
        Ok(Pooling { spans: axes.iter().map(spans).collect(), axes, whole, plane, taps })
    }

    /// Computes each output element from its window: `f` receives the plane index, the plane's elements and the window.
    fn each<B: Base, T: Element + Copy + Default>(
        &self,
        cx: &Cx<'_, '_>,
        x: &[B],
        f: impl Fn(usize, &[B], &Window<'_>) -> T + Sync + Send,
    ) -> Result<Vec<T>> {
        cx.device.arena.check(self.whole.num_elements().saturating_mul(size_of::<T>()))?;
        let mut y = vec![T::default(); self.whole.num_elements()];
        let (inner, outer) = self.plane;
        cx.pool().for_chunks(&mut y, outer, (outer * self.taps) as f64 + 10.0, |first, piece| {
            let mut rows = Vec::new();
            for (i, out) in piece.chunks_exact_mut(outer).enumerate() {
                let plane = &x[(first + i) * inner..][..inner];
                self.windows(&mut rows, |at, window| out[at] = f(first + i, plane, window));
            }
        });
        Ok(y)
    }

    /// Calls `f` with every window of a plane.
    fn windows(&self, rows: &mut Vec<usize>, mut f: impl FnMut(usize, &Window<'_>)) {
        let Some((last, outer)) = self.axes.split_last() else { return };
        let lines = &self.spans[outer.len()];
        let sizes = outputs(outer);
        let mut number = 0;
        crate::windows::positions(&sizes, |at| {
            rows.clear();
            rows.push(0);
            let mut padded = 1;
            for (i, axis) in outer.iter().enumerate() {
                let span = self.spans[i][at[i]];
                padded *= span.padded;
                let before = std::mem::take(rows);
                for row in before {
                    rows.extend((0..span.count).map(|k| row * axis.input + span.start + k * axis.dilation));
                }
            }
            rows.iter_mut().for_each(|row| *row *= last.input);
            for span in lines {
                let (start, count) = (span.start, span.count);
                f(number, &Window { rows, start, count, step: last.dilation, padded: padded * span.padded });
                number += 1;
            }
        });
    }
}

impl OnnxMaxPool {
    fn slide(&self) -> Slide<'_> {
        Slide {
            kernel: &self.kernel,
            strides: &self.strides,
            dilations: &self.dilations,
            pads: &self.pads,
            auto_pad: &self.auto_pad,
            ceil: self.ceil,
        }
    }
}

pub static ONNX_MAX_POOL: Def<OnnxMaxPool> = op("OnnxMaxPool")
    .inputs(&[arg("X", of("T"))])
    .outputs(&[arg("Y", of("T")), arg("Indices", is(DType::I64)).times("num_Indices")])
    .shape(|op: &OnnxMaxPool, cx| {
        let shape = op.slide().shape(&cx.input(0), None)?;
        cx.output(0, shape.clone());
        cx.output(1, shape);
        Ok(())
    })
    .kernel(onnx_max_pool)
    .heavy();

fn onnx_max_pool(op: &OnnxMaxPool, cx: &mut Cx<'_, '_>) -> Result<()> {
    let pooling = Pooling::of(cx, &op.slide())?;
    in_base!(op.dtype, |B| {
        let x = read::<B>(cx.input(0)?)?;
        let best = |a: B, b: B| if b > a || a.is_nan() { b } else { a };
        let y = pooling.each(cx, &x, |_, plane, window| window.fold(plane, B::of(f64::NEG_INFINITY), best))?;
        let indices = (op.indices > 0).then(|| op.places::<B>(cx, &pooling, &x)).transpose()?;
        let y = write(cx, op.dtype, &pooling.whole, y)?;
        cx.set(0, y);
        if let Some(indices) = indices {
            cx.set(1, Tensor::from_vec(pooling.whole.clone(), indices)?);
        }
    });
    Ok(())
}

impl OnnxMaxPool {
    /// The positions of the maxima.
    fn places<B: Base>(&self, cx: &Cx<'_, '_>, pooling: &Pooling, x: &[B]) -> Result<Vec<i64>> {
        let inner = pooling.plane.0;
        pooling.each(cx, x, |number, plane, window| {
            let mut best: Option<usize> = None;
            for at in window.places() {
                if best.is_none_or(|best| plane[at] > plane[best]) {
                    best = Some(at);
                }
            }
            let Some(at) = best else { return -1 };
            (number * inner + if self.order == 0 { at } else { columns_first(at, &pooling.axes) }) as i64
        })
    }
}

/// The column-major index of an element, with the first axis varying fastest.
fn columns_first(mut at: usize, axes: &[Axis]) -> usize {
    let mut stride: usize = axes.iter().map(|axis| axis.input).product();
    let mut place = 0;
    for axis in axes.iter().rev() {
        stride /= axis.input.max(1);
        place += at % axis.input.max(1) * stride;
        at /= axis.input.max(1);
    }
    place
}

impl OnnxAveragePool {
    fn slide(&self) -> Slide<'_> {
        Slide {
            kernel: &self.kernel,
            strides: &self.strides,
            dilations: &self.dilations,
            pads: &self.pads,
            auto_pad: &self.auto_pad,
            ceil: self.ceil,
        }
    }
}

pub static ONNX_AVERAGE_POOL: Def<OnnxAveragePool> = op("OnnxAveragePool")
    .inputs(&[arg("X", of("T"))])
    .outputs(&[arg("Y", of("T"))])
    .shape(|op: &OnnxAveragePool, cx| {
        let shape = op.slide().shape(&cx.input(0), None)?;
        cx.output(0, shape);
        Ok(())
    })
    .kernel(onnx_average_pool)
    .heavy();

fn onnx_average_pool(op: &OnnxAveragePool, cx: &mut Cx<'_, '_>) -> Result<()> {
    let pooling = Pooling::of(cx, &op.slide())?;
    in_base!(op.dtype, |B| {
        let x = read::<B>(cx.input(0)?)?;
        let y = pooling.each(cx, &x, |_, plane, window| {
            let count = if op.include { window.padded } else { window.rows.len() * window.count };
            let sum = window.fold(plane, B::of(0.0), |a, b| a + b);
            if count == 0 { sum } else { sum / B::of(count as f64) }
        })?;
        let y = write(cx, op.dtype, &pooling.whole, y)?;
        cx.set(0, y);
    });
    Ok(())
}

impl OnnxLpPool {
    fn slide(&self) -> Slide<'_> {
        Slide {
            kernel: &self.kernel,
            strides: &self.strides,
            dilations: &self.dilations,
            pads: &self.pads,
            auto_pad: &self.auto_pad,
            ceil: self.ceil,
        }
    }
}

pub static ONNX_LP_POOL: Def<OnnxLpPool> = op("OnnxLpPool")
    .inputs(&[arg("X", of("T"))])
    .outputs(&[arg("Y", of("T"))])
    .shape(|op: &OnnxLpPool, cx| {
        let shape = op.slide().shape(&cx.input(0), None)?;
        cx.output(0, shape);
        Ok(())
    })
    .kernel(onnx_lp_pool)
    .heavy();

fn onnx_lp_pool(op: &OnnxLpPool, cx: &mut Cx<'_, '_>) -> Result<()> {
    let pooling = Pooling::of(cx, &op.slide())?;
    in_base!(op.dtype, |B| {
        let (x, p) = (read::<B>(cx.input(0)?)?, B::of(op.p as f64));
        let power = |x: B| match op.p {
            1 => x.abs(),
            2 => x * x,
            _ => x.abs().powf(p),
        };
        let y = pooling.each(cx, &x, |_, plane, window| {
            let sum = window.fold(plane, B::of(0.0), |sum, x| sum + power(x));
            match op.p {
                1 => sum,
                2 => sum.sqrt(),
                _ => sum.powf(B::of(1.0) / p),
            }
        })?;
        let y = write(cx, op.dtype, &pooling.whole, y)?;
        cx.set(0, y);
    });
    Ok(())
}

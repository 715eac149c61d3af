//! `Dilation2D` (grayscale morphological dilation) and its gradients.

use crate::prelude::*;
use levada_ops_core::images::window::{Axis, Pad, output_dim};
use levada_ops_core::vectorized_for;

attrs! {
    /// The attrs of `Dilation2D` and its gradients.
    pub struct Dilation2D {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::REALS),
        /// Strides, one for each axis of the images.
        strides: Vec<i64> = Attr::ints("strides").at_least(4),
        /// Dilation rates, one for each axis of the images.
        rates: Vec<i64> = Attr::ints("rates").at_least(4),
        /// `SAME` or `VALID`.
        padding: Bytes = Attr::one_of("padding", &["SAME", "VALID"]),
    }
}

const fn t(name: &'static str) -> Arg {
    arg(name, of("T"))
}

pub static DILATION2D: Def<Dilation2D> = op::<Dilation2D>("Dilation2D")
    .doc("Computes the grayscale dilation of `input`: the maximum over each window of element plus filter value.")
    .inputs(&[t("input"), t("filter")])
    .outputs(&[t("output")])
    .shape(Dilation2D::shape)
    .gradient(|op, g| {
        let inputs = [g.input(0), g.input(1), g.dy(0)];
        let dx = DILATION2D_BACKPROP_INPUT.node(g, op, &inputs);
        vec![dx.into(), DILATION2D_BACKPROP_FILTER.node(g, op, &inputs).into()]
    })
    .kernel(dilation2d)
    .heavy()
    .batch(|_, b| levada_ops_core::batch::fold_rows(b, &[0]));

pub static DILATION2D_BACKPROP_INPUT: Def<Dilation2D> = op::<Dilation2D>("Dilation2DBackpropInput")
    .doc("Computes the gradient of `Dilation2D` with respect to its input.")
    .inputs(&[t("input"), t("filter"), t("out_backprop")])
    .outputs(&[t("in_backprop")])
    .shape(|_, cx| {
        let shape = cx.with_rank(0, 4)?;
        cx.output(0, shape);
        Ok(())
    })
    .kernel(|op, cx| scatter(op, cx, false))
    .heavy();

pub static DILATION2D_BACKPROP_FILTER: Def<Dilation2D> = op::<Dilation2D>("Dilation2DBackpropFilter")
    .doc("Computes the gradient of `Dilation2D` with respect to its filter.")
    .inputs(&[t("input"), t("filter"), t("out_backprop")])
    .outputs(&[t("filter_backprop")])
    .shape(|_, cx| {
        let shape = cx.with_rank(1, 3)?;
        cx.output(0, shape);
        Ok(())
    })
    .kernel(|op, cx| scatter(op, cx, true))
    .heavy();

impl Dilation2D {
    fn pad(&self) -> Result<Pad> {
        for (attr, list) in [("strides", &self.strides), ("rates", &self.rates)] {
            if list.len() != 4 {
                return Err(Error::invalid(format!("{attr} must specify 4 dimensions")).attr(attr));
            }
            if list[0] != 1 || list[3] != 1 {
                return Err(
                    Error::unimplemented(format!("{attr} are only supported across spatial dimensions")).attr(attr)
                );
            }
        }
        Ok(if &self.padding[..] == b"SAME" { Pad::Same } else { Pad::Valid })
    }

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        let (pad, input, filter) = (self.pad()?, cx.with_rank(0, 4)?, cx.with_rank(1, 3)?);
        let depth = PartialShape::vector(input.dim(3)).merge(&PartialShape::vector(filter.dim(2)))?.dim(0);
        let size = |i: usize| {
            let axis = i as isize;
            output_dim(input.dim(axis), filter.dim(axis - 1), self.strides[i], self.rates[i], pad)
        };
        let dims = [input.dim(0), size(1)?, size(2)?, depth];
        cx.output(0, PartialShape::new(dims));
        Ok(())
    }

    fn over(&self, input: &Shape, filter: &Shape) -> Result<Morphology> {
        let pad = self.pad()?;
        if input.rank() != 4 {
            return Err(Error::invalid(format!("input must be 4-dimensional{input}")));
        }
        if filter.rank() != 3 {
            return Err(Error::invalid(format!("filter must be 3-dimensional: {filter}")));
        }
        if input[3] != filter[2] {
            return Err(Error::invalid(format!(
                "input and filter must have the same depth: {} vs {}",
                input[3], filter[2]
            )));
        }
        let axis = |i: usize| Axis::new(input[i], filter[i - 1], self.strides[i], self.rates[i], pad);
        Ok(Morphology { batch: input[0], axes: [axis(1)?, axis(2)?], channels: input[3] })
    }
}

/// Windows over images, with all sizes known.
struct Morphology {
    batch: usize,
    axes: [Axis; 2],
    channels: usize,
}

impl Morphology {
    fn output_shape(&self) -> Result<Shape> {
        let [h, w] = &self.axes;
        Shape::new([self.batch, h.output, w.output, self.channels])
    }

    fn check(&self, gradient: &Tensor) -> Result<()> {
        let shape = self.output_shape()?;
        if *gradient.shape() != shape {
            return Err(Error::invalid("out_backprop has incompatible size")
                .expected(format!("shape {shape}"))
                .found(format!("shape {}", gradient.shape())));
        }
        Ok(())
    }

    fn nanos(&self) -> f64 {
        self.axes.iter().map(|a| a.window as f64).product::<f64>() * 1.5 + 5.0
    }

    /// Returns the image and the position of the window with index `window`.
    fn split(&self, window: usize) -> [usize; 3] {
        let [ah, aw] = &self.axes;
        let rest = window / aw.output;
        [rest / ah.output, rest % ah.output, window % aw.output]
    }

    /// Returns the pixels under a window, each with its tap.
    #[inline(always)]
    fn taps(&self, window: usize) -> impl Iterator<Item = (usize, usize)> {
        let ([ah, aw], [n, h, w]) = (&self.axes, self.split(window));
        let (start_h, start_w) = (ah.start(h), aw.start(w));
        ah.taps(h).flat_map(move |kh| {
            let line = (n * ah.input + (start_h + (kh * ah.dilation) as isize) as usize) * aw.input;
            let pixel = move |kw| line + (start_w + (kw * aw.dilation) as isize) as usize;
            aw.taps(w).map(move |kw| (pixel(kw), kh * aw.window + kw))
        })
    }

    /// Returns the position of the maximum in window `window` for channel `c`: in the input and in the filter.
    fn largest<T: Real>(&self, input: &[T], filter: &[T], window: usize, c: usize) -> (usize, usize) {
        let ([ah, aw], [n, h, w]) = (&self.axes, self.split(window));
        let clamp = |start: isize, axis: &Axis| (start.max(0) as usize).min(axis.input.saturating_sub(1));
        let at = (n * ah.input + clamp(ah.start(h), ah)) * aw.input + clamp(aw.start(w), aw);
        let mut best = (T::LOWEST, at * self.channels + c, c);
        for (at, tap) in self.taps(window) {
            let (at, tap) = (at * self.channels + c, tap * self.channels + c);
            let value = input[at].add(filter[tap]);
            if value > best.0 {
                best = (value, at, tap);
            }
        }
        (best.1, best.2)
    }
}

fn dilation2d(op: &Dilation2D, cx: &mut Cx<'_, '_>) -> Result<()> {
    let morphology = op.over(cx.input(0)?.shape(), cx.input(1)?.shape())?;
    let shape = morphology.output_shape()?;
    let channels = morphology.channels;
    dispatch!(op.dtype, reals, |T| cx.produce::<T>(0, &shape, |cx, out| {
        let (input, filter) = (cx.input(0)?.slice::<T>()?, cx.input(1)?.slice::<T>()?);
        let nanos = morphology.nanos() * channels as f64 * 0.2 + 20.0;
        cx.pool().for_chunks(out, channels, nanos, |first, piece| {
            vectorized_for!(
                T,
                for (window, out) in (first..).zip(piece.chunks_exact_mut(channels)) {
                    out.fill(T::LOWEST);
                    for (at, tap) in morphology.taps(window) {
                        let terms = input[at * channels..].iter().zip(&filter[tap * channels..]);
                        for (o, (&x, &y)) in out.iter_mut().zip(terms) {
                            let sum = x.add(y);
                            *o = if sum > *o { sum } else { *o };
                        }
                    }
                }
            );
        });
        Ok(())
    }), else unsupported(cx, op.dtype))
}

/// Adds the gradient of every window at the position of its maximum: in the input, or in the filter.
fn scatter(op: &Dilation2D, cx: &mut Cx<'_, '_>, to_filter: bool) -> Result<()> {
    let (input, filter, gradient) = (cx.input(0)?, cx.input(1)?, cx.input(2)?);
    let morphology = op.over(input.shape(), filter.shape())?;
    morphology.check(gradient)?;
    let mut out = cx.zeros(op.dtype, if to_filter { filter } else { input }.shape())?;
    let channels = morphology.channels;
    dispatch!(op.dtype, reals, |T| {
        let (input, filter) = (input.slice::<T>()?, filter.slice::<T>()?);
        let out = out.slice_mut::<T>()?;
        for (i, &g) in gradient.slice::<T>()?.iter().enumerate() {
            let (at, tap) = morphology.largest(input, filter, i / channels, i % channels);
            if let Some(o) = out.get_mut(if to_filter { tap } else { at }) {
                *o = o.add(g);
            }
        }
        Ok(())
    }, else unsupported(cx, op.dtype))?;
    cx.set(0, out);
    Ok(())
}

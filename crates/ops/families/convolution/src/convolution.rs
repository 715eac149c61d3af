//! Convolutions over up to three spatial dimensions, with groups.

use super::depthwise::Depthwise;
use super::direct::{self, Options, Padded};
use super::gather::{Images, Taps, Weights, Windows, convolve};
use super::grouped;
use super::parameters::{Parameters, groups_of};
use super::product::{Operand, dispatch_operand};
use super::winograd::{self, Operands, Sizes, Tiles};
use crate::prelude::*;
use levada_gemm::Finisher;
use levada_gemm::tile::{Lanes, Panels};
use levada_kernel::Pool;
use levada_ops_core::constant::Cache;
use levada_ops_core::images::swap;
use levada_ops_core::images::window::{Axis, Layout};

/// Windows of at most this many elements are summed directly; for larger ones, gathering them for a matrix product pays
/// off.
const SHALLOW: usize = 64;

/// Convolves images, in channels-last layout, with filters at all positions where these lie completely inside.
///
/// # Errors
/// `INVALID_ARGUMENT` if the shapes do not match, `UNIMPLEMENTED` for unsupported dtypes.
pub fn convolve_inside(
    cx: &Cx<'_, '_>,
    images: &Tensor,
    filter: &Tensor,
    strides: &[i64],
    dilations: &[i64],
) -> Result<Tensor> {
    let all = |each: &[i64]| [&[1], each, &[1]].concat();
    let (strides, dilations) = (all(strides), all(dilations));
    let parameters = Parameters {
        spatial: strides.len() - 2,
        strides: &strides,
        dilations: &dilations,
        padding: b"VALID",
        explicit_paddings: &[],
        data_format: b"NHWC",
    };
    let sizes = Convolution::new(&parameters, images.shape(), filter.shape())?;
    dispatch_operand!(images.dtype(), |T| sizes.forward::<T>(cx, images, filter, None, None))
}

/// A convolution with all sizes known and checked.
#[derive(Clone, Debug)]
pub struct Convolution {
    /// Number of images.
    pub batch: usize,
    /// Depth, height and width; missing ones have size 1 and a window of size 1.
    pub axes: [Axis; 3],
    /// Channels of the images.
    pub channels: usize,
    /// Channels of the result.
    pub filters: usize,
    /// Number of channel groups; each produces the same number of result channels.
    pub groups: usize,
    /// Position of the channel axis.
    pub layout: Layout,
    /// Number of spatial dimensions.
    pub(super) spatial: usize,
}

impl Convolution {
    /// Returns the convolution of images of shape `input` with `filter`.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if they do not match.
    pub(crate) fn new(parameters: &Parameters<'_>, input: &Shape, filter: &Shape) -> Result<Convolution> {
        let (spatial, layout, slides) = (parameters.spatial, parameters.layout()?, parameters.slides()?);
        let rank = spatial + 2;
        for (what, shape) in [("input", input), ("filter", filter)] {
            if shape.rank() != rank {
                return Err(Error::invalid(format!("convolution {what} must be {rank}-dimensional: {shape}")));
            }
        }
        let (channels, filters) = (input[layout.channel(rank)], filter[rank - 1]);
        let groups = groups_of(channels, filter[rank - 2])?;
        if groups > 0 && filters % groups != 0 {
            return Err(Error::invalid(format!(
                "output depth must be evenly divisible by number of groups: {filters} vs {groups}"
            )));
        }
        let mut axes = [Axis::UNIT; 3];
        for i in 0..spatial {
            let (stride, dilation, pad) = slides[3 - spatial + i];
            axes[3 - spatial + i] = Axis::new(input[layout.spatial(i)], filter[i], stride, dilation, pad)?;
        }
        Ok(Convolution { batch: input[0], axes, channels, filters, groups, layout, spatial })
    }

    pub(super) fn spatial_sizes(&self, size: impl Fn(&Axis) -> usize) -> [usize; 3] {
        [size(&self.axes[0]), size(&self.axes[1]), size(&self.axes[2])]
    }

    /// Returns the shape of the result.
    ///
    /// # Errors
    /// As [`Shape::new`].
    pub fn output_shape(&self) -> Result<Shape> {
        let sizes = self.spatial_sizes(|a| a.output);
        self.layout.shape(self.batch, &sizes[3 - self.spatial..], self.filters)
    }

    /// Returns the tensor in channels-last layout.
    pub(super) fn channels_last<T: Operand>(
        &self,
        cx: &Cx<'_, '_>,
        tensor: &Tensor,
        channels: usize,
    ) -> Result<Tensor> {
        if self.layout == Layout::ChannelsLast || tensor.num_elements() == 0 {
            return Ok(tensor.clone());
        }
        let mut out = cx.alloc(tensor.dtype(), tensor.shape())?;
        let pixels = tensor.num_elements() / (self.batch * channels);
        swap::<T>(cx.pool(), tensor.slice()?, out.slice_mut()?, channels, pixels);
        Ok(out)
    }

    /// Inverse of [`Convolution::channels_last`].
    pub(super) fn as_laid_out<T: Operand>(&self, cx: &Cx<'_, '_>, tensor: Tensor, channels: usize) -> Result<Tensor> {
        if self.layout == Layout::ChannelsLast || tensor.num_elements() == 0 {
            return Ok(tensor);
        }
        let mut out = cx.alloc(tensor.dtype(), tensor.shape())?;
        let pixels = tensor.num_elements() / (self.batch * channels);
        swap::<T>(cx.pool(), tensor.slice()?, out.slice_mut()?, pixels, channels);
        Ok(out)
    }

    /// Returns the windows of the convolution itself.
    pub(super) fn windows(&self) -> Windows {
        let taps = self.axes.map(|a| Taps {
            first: 0,
            every: 1,
            step: a.stride,
            taps: (0..a.window).map(|k| (k, (k * a.dilation) as isize - a.before as isize)).collect(),
        });
        Windows { size: self.spatial_sizes(|a| a.output), taps }
    }

    /// Returns the convolution as a depthwise one, if it is one and looping over channels, or over adjacent windows,
    /// pays off.
    pub(super) fn depthwise(&self) -> Option<Depthwise<'_>> {
        let multiplier = self.filters.checked_div(self.groups)?;
        let depthwise = Depthwise { axes: &self.axes, channels: self.channels, multiplier };
        (self.groups == self.channels && (self.groups > 1 || depthwise.is_single())).then_some(depthwise)
    }

    /// Computes the result. `cache` is for constant filters. `finisher` requires `f32` and the channels-last layout.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for an empty filter; otherwise if memory runs out.
    pub(crate) fn forward<T: Operand>(
        &self,
        cx: &Cx<'_, '_>,
        input: &Tensor,
        filter: &Tensor,
        cache: Option<&Cache>,
        finisher: Option<&Finisher<'_>>,
    ) -> Result<Tensor> {
        let mut out = cx.alloc(input.dtype(), &self.output_shape()?)?;
        if out.num_elements() == 0 {
            return Ok(out);
        }
        check_filter(filter.shape())?;
        if input.num_elements() == 0 {
            // All windows contain only padding.
            let mut out = cx.zeros(input.dtype(), out.shape())?;
            if let Some(finisher) = finisher {
                finish_all::<T>(cx.pool(), finisher, out.slice_mut()?, self.filters);
            }
            return Ok(out);
        }
        let input = self.channels_last::<T>(cx, input, self.channels)?;
        let factors = (&input, filter);
        if self.depthwise().is_none() && T::convolve_narrow(self, cx, factors, cache, finisher, out.slice_mut()?)? {
            return self.as_laid_out::<T>(cx, out, self.filters);
        }
        let mut buffer = Vec::new();
        let data = T::wide(filter.slice()?, &mut buffer);
        let images =
            Images { data: input.slice::<T>()?, size: self.spatial_sizes(|a| a.input), channels: self.channels };
        let weights = Weights { data, group: self.filters / self.groups, row: self.filters };
        let more = Options { cache: cache.map(|cache| (cache, filter)), finisher };
        if let Some(depthwise) = self.depthwise() {
            let out_slice = out.slice_mut()?;
            let is_narrow = (2..Panels::of::<T::Wide>().lanes).contains(&self.channels);
            let series = [(self.windows(), weights)];
            let to = (&mut *out_slice, self.filters);
            if !is_narrow || !self.by_lanes(cx.pool(), &images, &series, more, to)? {
                depthwise.forward::<T>(cx.pool(), images.data, data, out_slice, finisher);
            }
            return self.as_laid_out::<T>(cx, out, self.filters);
        }
        self.convolve(cx, images, &[(self.windows(), weights)], more, (out.slice_mut()?, self.filters))?;
        self.as_laid_out::<T>(cx, out, self.filters)
    }

    /// Decides how to read windows in place: with padding if that costs less. `None` if gathering them costs less.
    fn padded<'a, T: Operand>(
        &self,
        pool: &Pool,
        images: &Images<'_, T>,
        series: impl Iterator<Item = &'a Windows> + Clone,
        channels: usize,
    ) -> Option<Padded> {
        let each = (images.channels / self.groups, channels / self.groups);
        let windows = |w: &Windows| w.size.iter().product::<usize>() * self.batch;
        let most = series.clone().map(windows).max().unwrap_or(0);
        let by_channels = direct::by_channels::<T>(pool.shares(), most, each, self.groups);
        let parts = if by_channels { 1 } else { 4 * pool.shares() };
        let cost = |p: &Padded| series.clone().map(|w| p.cost(w, self.batch, parts)).sum::<f64>();
        let none = Padded::none(images.size);
        let costs = cost(&none);
        match Padded::new(images.size, images.channels, self.batch, series.clone()) {
            // Padding requires a copy of the images.
            Some(padded) if cost(&padded) * 1.05 < costs => Some(padded),
            None if costs > 1.5 * series.map(|w| (windows(w) * w.num_taps()) as f64).sum::<f64>() => None,
            _ => costs.is_finite().then_some(none),
        }
    }

    /// Like [`Convolution::padded`], for sums over windows; `by_rows` if each thread sums over all of them.
    pub(super) fn padded_sums(
        &self,
        pool: &Pool,
        images: [usize; 3],
        windows: &Windows,
        by_rows: bool,
    ) -> Option<Padded> {
        let none = Padded::none(images);
        if by_rows {
            let padded = Padded::new(images, self.channels, self.batch, std::iter::once(windows));
            return padded.or(none.cost(windows, self.batch, 1).is_finite().then_some(none));
        }
        let shallow = windows.num_taps() * self.channels / self.groups <= SHALLOW;
        let fills = none.fills_tiles(windows, self.batch, 4 * pool.shares(), direct::SUMMED / 4);
        if fills && (shallow || windows.num_taps() > 1) {
            return Some(none);
        }
        let padded = || Padded::new(images, self.channels, self.batch, std::iter::once(windows));
        shallow.then(padded).flatten()
    }

    /// Convolves by [`winograd`] if that costs less. Returns false otherwise, and the contents of `out` are then
    /// unspecified.
    fn by_winograd<T: Operand>(
        &self,
        cx: &Cx<'_, '_>,
        images: &Images<'_, T>,
        series: &[(Windows, Weights<'_, T::Wide>)],
        Options { cache, finisher }: Options<'_>,
        (out, channels): (&mut [T], usize),
    ) -> Result<bool> {
        let [(windows, weights)] = series else { return Ok(false) };
        if cx.env().direct_convolutions {
            return Ok(false);
        }
        let Some((sizes, tiles)) = self.tiles(windows, images.size, [images.channels, channels], cache.is_some())
        else {
            return Ok(false);
        };
        let singles = |numbers| <T::Wide as Lanes>::as_singles(numbers);
        let (Some(images), Some(data), Some(out)) = (
            T::as_wide(images.data).and_then(singles),
            singles(weights.data),
            T::as_wide_mut(out).and_then(<T::Wide as Lanes>::singles),
        ) else {
            return Ok(false);
        };
        let weights = Weights { data, group: weights.group, row: weights.row };
        winograd::convolve(cx, tiles, &Operands { sizes, images, weights, cache, finisher }, out)
    }

    /// Returns the best tile size for these windows; `None` if direct sums are better.
    pub(super) fn tiles(
        &self,
        windows: &Windows,
        images: [usize; 3],
        channels: [usize; 2],
        constant: bool,
    ) -> Option<(Sizes, Tiles)> {
        let sizes = Sizes::of(windows, images, self.batch, channels).filter(|_| self.groups == 1)?;
        Some((sizes, sizes.best(constant)?))
    }

    /// Convolves by [`grouped`] if the groups have few channels. Returns false otherwise, and the contents of `out` are
    /// then unspecified.
    fn by_lanes<T: Operand>(
        &self,
        pool: &Pool,
        images: &Images<'_, T>,
        series: &[(Windows, Weights<'_, T::Wide>)],
        Options { cache, finisher }: Options<'_>,
        (out, channels): (&mut [T], usize),
    ) -> Result<bool> {
        let (Some(data), Some(out)) = (T::as_wide(images.data), T::as_wide_mut(out)) else { return Ok(false) };
        let images = Images { data, size: images.size, channels: images.channels };
        grouped::convolve(pool, images, series, self.groups, cache, (out, channels), |first, rows| {
            if let (Some(finisher), Some(rows)) = (finisher, <T::Wide as Lanes>::singles(rows)) {
                finisher.rows(first, rows);
            }
        })
    }

    pub(super) fn convolve<T: Operand>(
        &self,
        cx: &Cx<'_, '_>,
        images: Images<'_, T>,
        series: &[(Windows, Weights<'_, T::Wide>)],
        more: Options<'_>,
        (out, channels): (&mut [T], usize),
    ) -> Result<()> {
        if self.by_winograd(cx, &images, series, more, (&mut *out, channels))? {
            return Ok(());
        }
        if self.by_lanes(cx.pool(), &images, series, more, (&mut *out, channels))? {
            return Ok(());
        }
        let windows = series.iter().map(|(windows, _)| windows);
        let padded = self.padded(cx.pool(), &images, windows, channels);
        match padded {
            Some(padded) => direct::convolve(cx, padded, images, series, self.groups, more, (out, channels)),
            None => {
                convolve(cx.pool(), images, series, self.groups, out, channels);
                if let Some(finisher) = more.finisher {
                    finish_all(cx.pool(), finisher, out, channels);
                }
                Ok(())
            }
        }
    }
}

/// Applies the finisher to a whole result.
pub(super) fn finish_all<T: Operand>(pool: &Pool, finisher: &Finisher<'_>, out: &mut [T], channels: usize) {
    pool.for_chunks(out, channels, channels as f64 * 0.3, |first, piece| T::finish(finisher, first, piece));
}

/// Checks the shape of the filter of a convolution with a nonempty result.
///
/// # Errors
/// `INVALID_ARGUMENT` if the filter is empty.
pub fn check_filter(filter: &Shape) -> Result<()> {
    if filter.num_elements() == 0 {
        return Err(Error::invalid("filter must not have zero elements (i.e. all dimensions must be non-zero)"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conv2d::{CONV2D, CONV2D_BACKPROP_FILTER, CONV2D_BACKPROP_INPUT, Conv2D};
    use crate::depthwise_conv2d::{DEPTHWISE_CONV2D_NATIVE, DepthwiseConv2D};
    use crate::testing::run_on;

    /// A two-dimensional convolution.
    #[derive(Clone, Debug)]
    struct Case {
        dtype: DType,
        input: [usize; 4],
        filter: [usize; 4],
        strides: [i64; 2],
        dilations: [i64; 2],
        padding: &'static str,
        explicit: [i64; 4],
    }

    fn numbers(shape: &[usize], seed: usize) -> Tensor {
        let shape = Shape::new(shape.iter().copied()).unwrap();
        let values = (0..shape.num_elements()).map(|i| ((i * 7 + seed * 5 + i / 11) % 9) as f64 - 4.0).collect();
        Tensor::from_vec(shape, values).unwrap()
    }

    fn cast(tensor: &Tensor, dtype: DType) -> Tensor {
        let values = tensor.slice::<f64>().unwrap();
        dispatch!(dtype, reals, |T| {
            let values = values.iter().map(|&v| <T as Real>::from_f64(v)).collect::<Vec<T>>();
            Tensor::from_vec(tensor.shape().clone(), values).unwrap()
        }, else unreachable!())
    }

    fn widen(tensor: &Tensor) -> Vec<f64> {
        dispatch!(tensor.dtype(), reals, |T| {
            tensor.slice::<T>().unwrap().iter().map(|v| Real::to_f64(*v)).collect()
        }, else unreachable!())
    }

    impl Case {
        fn attrs(&self, first: bool) -> Conv2D {
            let list = |v: [i64; 2]| if first { vec![1, 1, v[0], v[1]] } else { vec![1, v[0], v[1], 1] };
            let [t, b, l, r] = self.explicit;
            let pads = if first { vec![0, 0, 0, 0, t, b, l, r] } else { vec![0, 0, t, b, l, r, 0, 0] };
            Conv2D {
                dtype: self.dtype,
                strides: list(self.strides),
                use_cudnn_on_gpu: true,
                padding: self.padding.into(),
                explicit_paddings: if self.padding == "EXPLICIT" { pads } else { Vec::new() },
                data_format: if first { "NCHW" } else { "NHWC" }.into(),
                dilations: list(self.dilations),
            }
        }

        fn shape(&self, last: [usize; 4], first: bool) -> Vec<usize> {
            let [n, h, w, c] = last;
            if first { vec![n, c, h, w] } else { vec![n, h, w, c] }
        }

        /// Calls `f` with the indices into input, filter and result for every product of the convolution.
        fn products(&self, mut f: impl FnMut(usize, usize, usize)) -> Vec<usize> {
            let (input, filter) = (Shape::new(self.input).unwrap(), Shape::new(self.filter).unwrap());
            let convolution = self.attrs(false).convolution(&input, &filter).unwrap();
            let [_, ah, aw] = convolution.axes;
            let ([n, ih, iw, ic], [kh, kw, fc, oc]) = (self.input, self.filter);
            let each_out = oc / convolution.groups.max(1);
            for b in 0..n {
                for oh in 0..ah.output {
                    for ow in 0..aw.output {
                        for o in 0..oc {
                            for y in 0..kh {
                                for x in 0..kw {
                                    let h = ah.start(oh) + (y * ah.dilation) as isize;
                                    let w = aw.start(ow) + (x * aw.dilation) as isize;
                                    if h < 0 || w < 0 || h >= ih as isize || w >= iw as isize {
                                        continue;
                                    }
                                    for c in 0..fc {
                                        let channel = o / each_out * fc + c;
                                        let input = ((b * ih + h as usize) * iw + w as usize) * ic + channel;
                                        let filter = ((y * kw + x) * fc + c) * oc + o;
                                        f(input, filter, ((b * ah.output + oh) * aw.output + ow) * oc + o);
                                    }
                                }
                            }
                        }
                    }
                }
            }
            vec![n, ah.output, aw.output, oc]
        }

        fn swapped(tensor: &Tensor, first: bool) -> Tensor {
            if !first {
                return tensor.clone();
            }
            let d = tensor.shape().dims().to_vec();
            let mut out = vec![0f64; tensor.num_elements()];
            swap(&levada_kernel::Pool::new(1), tensor.slice::<f64>().unwrap(), &mut out, d[1] * d[2], d[3]);
            Tensor::from_vec(Shape::new([d[0], d[3], d[1], d[2]]).unwrap(), out).unwrap()
        }

        fn check(&self, threads: usize, first: bool) {
            let dtype = self.dtype;
            let (x, f) = (numbers(&self.input, 1), numbers(&self.filter, 2));
            let (xs, fs) = (x.slice::<f64>().unwrap(), f.slice::<f64>().unwrap());
            let out_shape = self.products(|_, _, _| ());
            let dy = numbers(&out_shape, 3);
            let dys = dy.slice::<f64>().unwrap();
            let (mut y, mut dx, mut df) = (vec![0.0; dys.len()], vec![0.0; xs.len()], vec![0.0; fs.len()]);
            self.products(|i, k, o| {
                y[o] += xs[i] * fs[k];
                dx[i] += dys[o] * fs[k];
                df[k] += xs[i] * dys[o];
            });
            let wrap = |dims: &[usize], v: Vec<f64>| {
                let shape = Shape::new(dims.iter().copied()).unwrap();
                cast(&Self::swapped(&Tensor::from_vec(shape, v).unwrap(), first), dtype)
            };
            let (y, dx) = (wrap(&out_shape, y), wrap(&self.input, dx));
            let df = cast(&Tensor::from_vec(f.shape().clone(), df).unwrap(), dtype);
            let (x, dy) = (cast(&Self::swapped(&x, first), dtype), cast(&Self::swapped(&dy, first), dtype));
            let f = cast(&f, dtype);
            let attrs = self.attrs(first);
            let sizes = |dims: &[usize]| Tensor::vector(dims.iter().map(|&d| d as i32).collect());
            let close = |what: &str, got: Result<Vec<Tensor>>, expected: &Tensor| {
                let got = &got.unwrap()[0];
                assert_eq!((got.dtype(), got.shape()), (expected.dtype(), expected.shape()), "{what} {self:?}");
                let equal = widen(got).iter().zip(widen(expected)).all(|(a, b)| (a - b).abs() <= 4e-3 * b.abs());
                assert!(equal, "{what} {threads} {first} {self:?}\n{got}\n{expected}");
            };
            close("forward", run_on(threads, CONV2D.of(attrs.clone()), vec![x.clone(), f.clone()], &[dtype]), &y);
            let inputs = vec![sizes(&self.shape(self.input, first)), f.clone(), dy.clone()];
            close("input", run_on(threads, CONV2D_BACKPROP_INPUT.of(attrs.clone()), inputs, &[dtype]), &dx);
            let inputs = vec![x, sizes(&self.filter), dy];
            close("filter", run_on(threads, CONV2D_BACKPROP_FILTER.of(attrs), inputs, &[dtype]), &df);
        }
    }

    fn case(input: [usize; 4], filter: [usize; 4], padding: &'static str) -> Case {
        let (strides, dilations) = ([1, 1], [1, 1]);
        Case { dtype: DType::F64, input, filter, strides, dilations, padding, explicit: [0; 4] }
    }

    #[test]
    fn convolutions_equal_the_naive_loop() {
        let base = case([2, 7, 6, 4], [3, 2, 4, 6], "SAME");
        let cases = [
            base.clone(),
            Case { padding: "VALID", ..base.clone() },
            Case { strides: [2, 3], ..base.clone() },
            Case { strides: [3, 1], padding: "VALID", ..base.clone() },
            Case { strides: [4, 4], ..base.clone() },
            Case { dilations: [2, 3], ..base.clone() },
            Case { dilations: [3, 2], strides: [2, 2], ..base.clone() },
            Case { padding: "EXPLICIT", explicit: [3, 1, 0, 5], strides: [2, 1], ..base.clone() },
            case([2, 5, 5, 4], [1, 1, 4, 3], "VALID"),
            Case { strides: [2, 2], ..case([2, 5, 5, 4], [1, 1, 4, 3], "SAME") },
            case([1, 5, 5, 4], [3, 3, 2, 6], "SAME"),
            Case { strides: [2, 1], ..case([2, 5, 4, 6], [2, 3, 2, 9], "SAME") },
            case([2, 5, 5, 4], [1, 1, 2, 6], "SAME"),
            case([2, 6, 5, 5], [3, 3, 1, 5], "SAME"),
            Case { strides: [2, 2], dilations: [1, 2], ..case([2, 6, 5, 3], [3, 3, 1, 6], "SAME") },
            case([1, 6, 5, 40], [3, 3, 1, 40], "SAME"),
            case([2, 4, 30, 19], [3, 3, 1, 38], "SAME"),
            Case { strides: [2, 2], ..case([2, 5, 31, 21], [5, 5, 1, 63], "SAME") },
            Case { strides: [2, 1], ..case([1, 5, 40, 67], [3, 3, 1, 67], "VALID") },
            Case { strides: [3, 3], ..case([1, 8, 9, 5], [2, 2, 1, 10], "SAME") },
            Case { strides: [1, 2], dilations: [2, 1], ..case([1, 5, 150, 7], [2, 4, 1, 7], "SAME") },
            Case {
                padding: "EXPLICIT",
                explicit: [1, 2, 40, 3],
                strides: [1, 2],
                ..case([1, 3, 4, 17], [2, 3, 1, 34], "SAME")
            },
            Case { padding: "EXPLICIT", explicit: [0, 0, 2, 50], ..case([1, 3, 4, 18], [2, 3, 1, 54], "SAME") },
            case([2, 6, 5, 6], [3, 3, 6, 5], "SAME"),
            Case { strides: [2, 1], dilations: [1, 2], ..case([1, 9, 7, 9], [3, 3, 9, 5], "SAME") },
            case([1, 2, 2, 3], [5, 5, 3, 2], "SAME"),
            case([0, 5, 5, 4], [3, 3, 4, 4], "SAME"),
            Case { padding: "EXPLICIT", explicit: [0, 0, 2, 2], ..case([1, 5, 0, 8], [3, 3, 2, 8], "SAME") },
            Case { padding: "EXPLICIT", explicit: [9, 9, 1, 0], ..case([2, 0, 5, 4], [3, 3, 4, 4], "SAME") },
            Case { padding: "EXPLICIT", explicit: [4, 0, 1, 0], ..case([2, 0, 5, 3], [3, 3, 1, 6], "SAME") },
            case([1, 2, 5, 4], [3, 3, 4, 4], "VALID"),
            case([1, 1, 900, 2], [1, 5, 2, 3], "SAME"),
            case([40, 5, 6, 3], [3, 3, 3, 34], "SAME"),
            case([40, 5, 6, 3], [3, 3, 3, 34], "VALID"),
            Case { strides: [2, 2], ..case([150, 5, 6, 8], [3, 3, 8, 5], "SAME") },
            Case { strides: [2, 1], dilations: [1, 2], ..case([150, 5, 5, 8], [3, 3, 4, 6], "SAME") },
            case([2, 6, 5, 20], [3, 2, 20, 2], "SAME"),
            case([2, 7, 6, 80], [3, 2, 4, 80], "SAME"),
            case([2, 7, 6, 80], [3, 2, 2, 80], "SAME"),
            case([2, 7, 9, 50], [2, 3, 5, 20], "SAME"),
            Case { strides: [1, 2], ..case([2, 7, 9, 33], [2, 3, 3, 22], "SAME") },
            case([2, 5, 40, 3], [3, 5, 1, 6], "SAME"),
            case([1, 5, 23, 6], [3, 5, 2, 3], "VALID"),
            Case { dilations: [2, 3], ..case([2, 6, 31, 10], [3, 2, 2, 5], "SAME") },
            Case { strides: [2, 3], ..case([2, 7, 9, 24], [3, 3, 3, 16], "SAME") },
            Case { strides: [3, 1], dilations: [1, 2], ..case([1, 9, 7, 10], [2, 3, 2, 15], "VALID") },
            Case { padding: "EXPLICIT", explicit: [3, 1, 0, 5], ..case([1, 4, 9, 6], [4, 3, 2, 3], "SAME") },
            Case { dilations: [2, 3], ..case([1, 6, 17, 2], [3, 2, 1, 4], "SAME") },
            case([2, 6, 5, 1], [5, 3, 1, 20], "SAME"),
            Case { strides: [2, 3], ..case([2, 7, 8, 2], [5, 3, 2, 17], "SAME") },
            Case { strides: [1, 2], dilations: [2, 1], ..case([60, 7, 8, 8], [3, 3, 4, 40], "SAME") },
            Case { padding: "EXPLICIT", explicit: [3, 1, 0, 5], ..case([150, 4, 4, 9], [2, 3, 9, 18], "SAME") },
            Case {
                padding: "EXPLICIT",
                explicit: [3, 1, 4, 0],
                strides: [3, 2],
                ..case([200, 4, 4, 4], [2, 3, 2, 6], "SAME")
            },
        ];
        for case in &cases {
            for (threads, first) in [(1, false), (3, false), (2, true)] {
                case.check(threads, first);
            }
        }
        for dtype in [DType::F32, DType::F16, DType::BF16, DType::I32] {
            for case in [
                &base, &cases[2], &cases[8], &cases[13], &cases[16], &cases[17], &cases[18], &cases[19], &cases[20],
                &cases[29], &cases[32], &cases[33], &cases[34], &cases[35],
            ] {
                Case { dtype, ..case.clone() }.check(1, false);
            }
        }
    }

    #[test]
    fn narrow_groups_equal_the_naive_loop() {
        let base = case([2, 9, 61, 32], [3, 3, 8, 32], "SAME");
        let of = |input: usize, channels: usize, groups: usize| Case {
            input: [1, 9, 47, input],
            filter: [3, 3, input / groups, channels],
            ..base.clone()
        };
        let cases = [
            base.clone(),
            Case { strides: [2, 2], ..base.clone() },
            Case { strides: [1, 3], ..base.clone() },
            Case { dilations: [2, 3], padding: "VALID", ..base.clone() },
            Case { filter: [5, 1, 8, 32], strides: [3, 2], ..base.clone() },
            Case { filter: [1, 7, 8, 32], ..base.clone() },
            Case { padding: "EXPLICIT", explicit: [0, 11, 70, 5], ..base.clone() },
            of(64, 64, 16),
            of(40, 40, 5),
            of(12, 48, 6),
            of(48, 24, 12),
            of(64, 32, 4),
            of(32, 32, 32),
            of(34, 51, 17),
            of(1, 1, 1),
            Case { input: [2, 9, 150, 1], dilations: [2, 3], ..of(1, 1, 1) },
            Case { strides: [2, 1], padding: "VALID", ..of(1, 1, 1) },
            Case { filter: [1, 31, 1, 1], padding: "EXPLICIT", explicit: [0, 1, 70, 5], ..of(1, 1, 1) },
            Case { filter: [33, 32, 1, 1], ..of(1, 1, 1) },
        ];
        for case in &cases {
            for (dtype, threads, first) in [(DType::F32, 1, false), (DType::F32, 3, true), (DType::F64, 2, false)] {
                Case { dtype, ..case.clone() }.check(threads, first);
            }
        }
    }

    #[test]
    fn wrong_shapes_are_refused() {
        let op = |strides: [i64; 4]| {
            let attrs = case([1, 5, 5, 3], [3, 3, 3, 4], "VALID").attrs(false);
            CONV2D.of(Conv2D { dtype: DType::F32, strides: strides.to_vec(), ..attrs })
        };
        let zeros = |dims: &[usize]| Tensor::zeros(DType::F32, Shape::new(dims.iter().copied()).unwrap());
        let fails = |strides: [i64; 4], x: &[usize], f: &[usize], code: Code| {
            let error = run_on(1, op(strides), vec![zeros(x), zeros(f)], &[DType::F32]).unwrap_err();
            assert_eq!(error.code(), code, "{strides:?} {x:?} {f:?}");
        };
        use Code::{InvalidArgument, Unimplemented};
        fails([1; 4], &[1, 5, 5, 4], &[3, 3, 3, 4], InvalidArgument);
        fails([1; 4], &[1, 5, 5, 4], &[3, 3, 2, 3], InvalidArgument);
        fails([1; 4], &[1, 5, 5], &[3, 3, 2, 3], InvalidArgument);
        fails([1; 4], &[1, 5, 5, 3], &[3, 3, 0, 4], InvalidArgument);
        fails([1; 4], &[1, 5, 5, 3], &[0, 3, 3, 4], InvalidArgument);
        fails([1, 2, 2, 1], &[1, 1, 1, 3], &[5, 5, 3, 4], InvalidArgument);
        fails([1, 0, 1, 1], &[1, 5, 5, 3], &[3, 3, 3, 4], InvalidArgument);
        fails([2, 1, 1, 1], &[1, 5, 5, 3], &[3, 3, 3, 4], Unimplemented);
        let empty = run_on(1, op([1; 4]), vec![zeros(&[1, 5, 5, 3]), zeros(&[3, 3, 3, 0])], &[DType::F32]).unwrap();
        assert_eq!(empty[0].shape().dims(), [1, 3, 3, 0]);
    }

    #[test]
    fn depthwise_filters_are_groups() {
        let case = Case { dtype: DType::F32, ..case([2, 5, 6, 3], [3, 2, 1, 6], "SAME") };
        let (x, f) = (cast(&numbers(&case.input, 1), DType::F32), cast(&numbers(&case.filter, 2), DType::F32));
        let Conv2D { dtype, strides, padding, explicit_paddings, data_format, dilations, .. } = case.attrs(false);
        let depthwise = DepthwiseConv2D { dtype, strides, padding, explicit_paddings, data_format, dilations };
        let expected = run_on(1, CONV2D.of(case.attrs(false)), vec![x.clone(), f.clone()], &[DType::F32]).unwrap();
        let f = f.reshaped(Shape::new([3, 2, 3, 2]).unwrap()).unwrap();
        let depthwise = DEPTHWISE_CONV2D_NATIVE.of(depthwise);
        assert_eq!(run_on(1, depthwise, vec![x, f], &[DType::F32]).unwrap(), expected);
    }
}

//! Gradients of convolutions.

use super::convolution::Convolution;
use super::direct::{Correlation, Options};
use super::gather::{Images, Taps, Weights, Windows, correlate};
use super::grouped;
use super::product::Operand;
use crate::prelude::*;
use levada_gemm::tile;
use levada_ops_core::moves::turn;
use std::collections::BTreeMap;

impl Convolution {
    /// Checks the shape of a gradient of the result.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if it differs from the result's shape.
    pub fn check_gradient(&self, gradient: &Shape) -> Result<()> {
        let expected = self.output_shape()?;
        if *gradient != expected {
            return Err(Error::invalid("out_backprop does not have the shape of the convolution's result")
                .expected(format!("shape {expected}"))
                .found(format!("shape {gradient}")));
        }
        Ok(())
    }

    /// The windows of the transposed convolution: for each input element, the output elements that it contributes to.
    /// Those of elements whose positions are congruent modulo the stride have the same structure and form a series.
    pub(super) fn transposed(&self) -> Vec<Windows> {
        let series = self.axes.map(|a| {
            let stride = a.stride as isize;
            let mut series: BTreeMap<usize, Taps> = BTreeMap::new();
            for k in (0..a.window).rev() {
                let place = (k * a.dilation) as isize - a.before as isize;
                let first = place.rem_euclid(stride);
                let taps = series.entry(first as usize).or_default();
                taps.taps.push((k, (first - place) / stride));
            }
            let with = |(first, taps)| Taps { first, every: a.stride, step: 1, ..taps };
            series.into_iter().map(with).collect::<Vec<Taps>>()
        });
        let size = self.spatial_sizes(|a| a.input);
        let mut all = Vec::new();
        for d in &series[0] {
            for h in &series[1] {
                for w in &series[2] {
                    all.push(Windows { size, taps: [d.clone(), h.clone(), w.clone()] });
                }
            }
        }
        all
    }

    /// Returns the weights of a series of the transposed convolution: rows of taps and output channels, columns of
    /// input channels.
    fn transposed_weights<T: Operand>(&self, cx: &Cx<'_, '_>, windows: &Windows, filter: &[T]) -> Result<Tensor> {
        // Adjacent rows written together, from as many contiguous elements.
        const ROWS: usize = 16;
        let (each_in, each_out) = (self.channels / self.groups, self.filters / self.groups);
        let [_, height, width] = self.spatial_sizes(|a| a.window);
        let [td, th, tw] = &windows.taps;
        let mut taps = Vec::with_capacity(windows.num_taps());
        for &(d, _) in &td.taps {
            for &(h, _) in &th.taps {
                taps.extend(tw.taps.iter().map(|&(w, _)| ((d * height + h) * width + w) * each_in * self.filters));
            }
        }
        let shape = Shape::new([taps.len() * each_in * self.filters])?;
        let mut weights = cx.alloc(<T::Wide as Element>::DTYPE, &shape)?;
        let words = T::as_wide(filter).and_then(tile::Lanes::as_singles).map(bytemuck::cast_slice::<f32, u32>);
        cx.pool().for_chunks(weights.slice_mut::<T::Wide>()?, each_in, each_in as f64, |mut row, mut rest| {
            while !rest.is_empty() {
                let (at, out) = (row / each_out, row % each_out);
                let count = ROWS.min(each_out - out).min(rest.len() / each_in);
                let (now, more) = rest.split_at_mut(count * each_in);
                let start = taps[at % taps.len()] + at / taps.len() * each_out + out;
                let is_done = match (words, tile::Lanes::singles(now)) {
                    (Some(words), Some(now)) => {
                        let now = bytemuck::cast_slice_mut(now);
                        turn(words, (start, self.filters), (count, each_in), now, each_in)
                    }
                    _ => false,
                };
                if !is_done {
                    for i in 0..each_in {
                        let from = &filter[start + i * self.filters..][..count];
                        from.iter().enumerate().for_each(|(r, v)| now[r * each_in + i] = v.widen());
                    }
                }
                (rest, row) = (more, row + count);
            }
        });
        Ok(weights)
    }

    /// Computes the gradient of the input, of shape `input`.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if `gradient` does not have the result's shape; otherwise if memory runs out.
    pub(crate) fn backward_input<T: Operand>(
        &self,
        cx: &Cx<'_, '_>,
        input: &Shape,
        filter: &Tensor,
        gradient: &Tensor,
    ) -> Result<Tensor> {
        self.check_gradient(gradient.shape())?;
        if input.num_elements() == 0 || filter.num_elements() == 0 || gradient.num_elements() == 0 {
            return cx.zeros(filter.dtype(), input);
        }
        let gradient = self.channels_last::<T>(cx, gradient, self.filters)?;
        let mut out = cx.alloc(T::DTYPE, input)?;
        if let Some(depthwise) = self.depthwise() {
            let mut buffer = Vec::new();
            let filter = T::wide(filter.slice()?, &mut buffer);
            depthwise.backward_input::<T>(cx.pool(), gradient.slice()?, filter, out.slice_mut()?);
            return self.as_laid_out::<T>(cx, out, self.channels);
        }
        let each_in = self.channels / self.groups;
        let images =
            Images { data: gradient.slice::<T>()?, size: self.spatial_sizes(|a| a.output), channels: self.filters };
        let windows = self.transposed();
        let filter = filter.slice::<T>()?;
        let packed: Result<Vec<Tensor>> = windows.iter().map(|w| self.transposed_weights(cx, w, filter)).collect();
        let packed = packed?;
        let series = windows.into_iter().zip(&packed).map(|(w, packed)| {
            let data = packed.slice::<T::Wide>()?;
            Ok((w, Weights { data, group: data.len() / self.groups, row: each_in }))
        });
        let series = series.collect::<Result<Vec<_>>>()?;
        self.convolve(cx, images, &series, Options::default(), (out.slice_mut()?, self.channels))?;
        self.as_laid_out::<T>(cx, out, self.channels)
    }

    /// Computes the gradient of the filter, of shape `filter`.
    ///
    /// # Errors
    /// As [`Convolution::backward_input`].
    pub(crate) fn backward_filter<T: Operand>(
        &self,
        cx: &Cx<'_, '_>,
        input: &Tensor,
        filter: &Shape,
        gradient: &Tensor,
    ) -> Result<Tensor> {
        self.check_gradient(gradient.shape())?;
        if filter.num_elements() == 0 || input.num_elements() == 0 || gradient.num_elements() == 0 {
            return cx.zeros(T::DTYPE, filter);
        }
        let input = self.channels_last::<T>(cx, input, self.channels)?;
        let gradient = self.channels_last::<T>(cx, gradient, self.filters)?;
        let images =
            Images { data: input.slice::<T>()?, size: self.spatial_sizes(|a| a.input), channels: self.channels };
        let other = gradient.slice::<T>()?;
        let windows = self.windows();
        if let (Some(data), Some(other), true, None) =
            (T::as_wide(images.data), T::as_wide(other), self.groups > 1, self.depthwise())
        {
            let mut out = cx.alloc(T::DTYPE, filter)?;
            if let Some(sums) = T::as_wide_mut(out.slice_mut()?) {
                let images = Images { data, size: images.size, channels: images.channels };
                if grouped::correlate(cx, images, &windows, self.groups, (other, self.filters), sums)? {
                    return Ok(out);
                }
            }
        }
        let size = filter.num_elements();
        let pixels = other.len() / self.filters;
        let nanos = size as f64 / 50.0 + 1.0;
        // If the filter has many more rows than there are windows, the work is divided by rows.
        let rows = size / self.filters;
        let by_rows = rows >= 2 * pixels && self.depthwise().is_none();
        let padded = self.padded_sums(cx.pool(), images.size, &windows, by_rows);
        let mut buffer = None;
        let direct = match (padded, self.depthwise()) {
            (Some(padded), None) => {
                let other = (other, self.filters);
                Some(Correlation::new(cx, padded, images, &windows, self.groups, other, &mut buffer)?)
            }
            _ => None,
        };
        let (mut input, mut gradient) = (Vec::new(), Vec::new());
        let single = self.depthwise().map(|d| (d, T::wide(images.data, &mut input), T::wide(other, &mut gradient)));
        let wide = <T::Wide as Element>::DTYPE;
        // Otherwise it is divided by windows; each part sums into an accumulator of its own, and these are added in a
        // fixed order.
        let by_rows = direct.as_ref().filter(|_| by_rows);
        let parts = if by_rows.is_some() { 1 } else { cx.pool().parts(pixels, nanos).min(cx.pool().shares()) };
        let each = pixels.div_ceil(parts);
        let sums_shape = Shape::new([parts].into_iter().chain(filter.iter().copied()))?;
        let mut sums = cx.zeros(wide, &sums_shape)?;
        let sums_slice = sums.slice_mut::<T::Wide>()?;
        if let Some(direct) = by_rows {
            let nanos = (pixels * self.filters) as f64 / 50.0;
            cx.pool().for_chunks(sums_slice, self.filters, nanos, |first, piece| {
                direct.add(0..pixels, first..first + piece.len() / self.filters, piece);
            });
        } else {
            cx.pool().for_chunks(sums_slice, size, nanos * each as f64, |first, piece| {
                for (i, sum) in piece.chunks_exact_mut(size).enumerate() {
                    let range = ((first + i) * each).min(pixels)..((first + i + 1) * each).min(pixels);
                    match (&direct, &single) {
                        (Some(direct), _) => direct.add(range, 0..rows, sum),
                        (None, Some((single, input, gradient))) => single.backward_filter(input, gradient, range, sum),
                        (None, None) => correlate(images, &windows, range, other, self.groups, sum, self.filters),
                    }
                }
            });
        }
        let (total, rest) = sums_slice.split_at_mut(size);
        for sum in rest.chunks_exact(size) {
            total.iter_mut().zip(sum).for_each(|(t, &s)| *t = t.add(s));
        }
        if T::DTYPE == wide && parts == 1 {
            return sums.reshaped(filter.clone());
        }
        let mut out = cx.alloc(T::DTYPE, filter)?;
        out.slice_mut::<T>()?.iter_mut().zip(total.iter()).for_each(|(o, &v)| *o = T::narrow(v));
        Ok(out)
    }
}

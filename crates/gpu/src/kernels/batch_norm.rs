//! `FusedBatchNorm`, its versions 2 and 3, and their gradients.

use super::channels::{Split, Sums};
use super::entry::{self, Cx, cell};
use super::tiles::{small, sum_parts, zeros};
use crate::device::{Gpu, GpuCx};
use crate::ir::{Access, Builder, E, Ty};
use levada_graph::{DType, Error, Result, Shape, Tensor};
use levada_kernel::KernelEntry;
use levada_kernel::def::CellOfDef;
use levada_ops::sizes::{Layout, Rows};
use levada_ops::types::{FUSED_BATCH_NORM, FUSED_BATCH_NORM_GRAD};

/// The kernel entries of this module.
pub(super) fn entries() -> impl Iterator<Item = KernelEntry<Gpu>> {
    entry::entries(CELLS)
}

static CELLS: &[&dyn CellOfDef<Gpu>] = &[
    &cell(&FUSED_BATCH_NORM, |op, cx| {
        let forward = Forward { epsilon: op.epsilon, average: op.exponential_avg_factor, training: op.is_training };
        forward.compute(cx, Layout::of(&op.data_format)?)
    })
    .heavy()
    .supports(|op| op.u == DType::F32),
    &cell(&FUSED_BATCH_NORM_GRAD, |op, cx| {
        let backward = Backward { epsilon: op.epsilon, training: op.is_training };
        backward.compute(cx, Layout::of(&op.data_format)?)
    })
    .heavy(),
];

struct Forward {
    epsilon: f32,
    average: f32,
    training: bool,
}

impl Forward {
    fn compute(&self, cx: &mut Cx<'_, '_>, layout: Layout) -> Result<()> {
        let x = cx.input(0)?;
        let shape = x.shape().clone();
        let rows = Rows::of(&shape, layout)?;
        let check = |i: usize, what: &str, when: &str| rows.check_vector(cx.input(i)?.shape(), what, when);
        check(1, "scale", "")?;
        check(2, "offset", "")?;
        let averages = self.training && self.average != 1.0;
        if !self.training || averages {
            let when = if averages { "When exponential_avg_factor != 1, " } else { "When is_training=false, " };
            check(3, "mean", when)?;
            check(4, "variance", when)?;
        }
        let split = Split::of(&shape, layout.channel(shape.rank()));
        let vector = Shape::vector(rows.channels);
        let outputs = if x.num_elements() == 0 {
            let node = cx.node().name.clone();
            let filled = |v: f32| cx.device.upload(&node, &Tensor::vector(vec![v; rows.channels]));
            let y = cx.alloc(x.dtype(), &shape)?;
            [y, filled(f32::NAN)?, filled(f32::NAN)?, filled(0.0)?, filled(0.0)?]
        } else if self.training {
            let (mean, variance) = moments(cx, &split, x)?;
            let y = self.normalize(cx, &split, &mean, &variance)?;
            let batch = [cx.alloc(DType::F32, &vector)?, cx.alloc(DType::F32, &vector)?];
            self.running(cx, &rows, [&mean, &variance], &batch, averages)?;
            let [batch_mean, batch_variance] = batch;
            [y, batch_mean, batch_variance, mean, variance]
        } else {
            let (mean, variance) = (cx.input(3)?.clone(), cx.input(4)?.clone());
            let y = self.normalize(cx, &split, &mean, &variance)?;
            [y, mean.clone(), variance.clone(), mean, variance]
        };
        for (i, tensor) in outputs.into_iter().enumerate() {
            cx.set(i, tensor);
        }
        // The contents of the third reserved output are up to the device.
        if cx.num_outputs() > 5 {
            let reserved = match shape.rank() {
                5 => zeros(cx, DType::F32, &Shape::scalar())?,
                _ => Tensor::vector(Vec::<f32>::new()),
            };
            cx.set(5, reserved);
        }
        Ok(())
    }

    fn normalize(&self, cx: &Cx<'_, '_>, split: &Split, mean: &Tensor, variance: &Tensor) -> Result<Tensor> {
        let x = cx.input(0)?;
        let dtype = x.dtype();
        let last = split.inner == 1;
        let program = cx.device.program("batch_norm", &[dtype as u64, u64::from(last)], || {
            let mut b = Builder::new("batch_norm");
            let x = b.buffer(dtype, Access::Read);
            let vectors: Vec<_> = (0..4).map(|_| b.buffer(DType::F32, Access::Read)).collect();
            let out = b.buffer(dtype, Access::Write);
            let (count, channels, inner) = (b.param_u32(), b.param_u32(), b.param_u32());
            let epsilon = b.param(Ty::F32);
            b.for_each(&count, |b, i| {
                let channel = b.let_(if last { &i % &channels } else { &i / &inner % &channels });
                let [scale, offset, mean, variance] = [0, 1, 2, 3].map(|v| b.load(vectors[v], &channel));
                let deviation = E::f32(1.0) / (variance + &epsilon).sqrt();
                let factor = b.let_(deviation * scale);
                let y = (b.load(x, &i) - mean) * factor + offset;
                b.store(out, &i, y);
            });
            b.finish()
        });
        let out = cx.alloc(dtype, x.shape())?;
        let params = [small(x.num_elements())?, small(split.channels)?, small(split.inner)?, self.epsilon.to_bits()];
        let buffers = [x, cx.input(1)?, cx.input(2)?, mean, variance, &out];
        cx.launch(&program, out.num_elements(), &buffers, &params)?;
        Ok(out)
    }

    /// The mean and unbiased variance, mixed with the previous ones if the attr says so.
    fn running(
        &self,
        cx: &Cx<'_, '_>,
        rows: &Rows,
        moments: [&Tensor; 2],
        out: &[Tensor; 2],
        averages: bool,
    ) -> Result<()> {
        let program = cx.device.program("batch_norm_running", &[u64::from(averages)], || {
            let mut b = Builder::new("batch_norm_running");
            let from = [b.buffer(DType::F32, Access::Read), b.buffer(DType::F32, Access::Read)];
            let to = [b.buffer(DType::F32, Access::Write), b.buffer(DType::F32, Access::Write)];
            let old: Vec<_> = (0..if averages { 2 } else { 0 }).map(|_| b.buffer(DType::F32, Access::Read)).collect();
            let count = b.param_u32();
            let (unbiased, factor) = (b.param(Ty::F32), b.param(Ty::F32));
            b.for_each(&count, |b, i| {
                let new = [b.load(from[0], &i), b.load(from[1], &i) * &unbiased];
                for (k, new) in new.into_iter().enumerate() {
                    let mixed = match old.get(k) {
                        Some(&old) => (E::f32(1.0) - &factor) * b.load(old, &i) + &factor * new,
                        None => new,
                    };
                    b.store(to[k], &i, mixed);
                }
            });
            b.finish()
        });
        let count = rows.rows as f32;
        let unbiased = if rows.rows > 1 { count / (count - 1.0) } else { 1.0 };
        let mut buffers = vec![moments[0], moments[1], &out[0], &out[1]];
        if averages {
            buffers.extend([cx.input(3)?, cx.input(4)?]);
        }
        let params = [small(rows.channels)?, unbiased.to_bits(), self.average.to_bits()];
        cx.launch(&program, rows.channels, &buffers, &params)
    }
}

/// Mean and population variance of each channel.
fn moments(cx: &Cx<'_, '_>, split: &Split, x: &Tensor) -> Result<(Tensor, Tensor)> {
    let vector = Shape::vector(split.channels);
    let (mean, variance) = (cx.alloc(DType::F32, &vector)?, cx.alloc(DType::F32, &vector)?);
    let count = Some(split.rows() as f32);
    let sums = Sums { name: "batch_norm_mean", inputs: &[x], per_channel: &[], ty: Ty::F32, count: 1 };
    let (sums, parts) = sums.compute(cx, split, &|b, x, at, _| vec![b.load(x[0], at)])?;
    sum_parts(cx, &sums, &mean, parts, count)?;
    let sums = Sums { name: "batch_norm_variance", inputs: &[x], per_channel: &[&mean], ty: Ty::F32, count: 1 };
    let (sums, parts) = sums.compute(cx, split, &|b, x, at, mean| {
        let distance = b.let_(b.load(x[0], at) - &mean[0]);
        vec![&distance * &distance]
    })?;
    sum_parts(cx, &sums, &variance, parts, count)?;
    Ok((mean, variance))
}

struct Backward {
    epsilon: f32,
    training: bool,
}

impl Backward {
    fn compute(&self, cx: &mut Cx<'_, '_>, layout: Layout) -> Result<()> {
        let (dy, x) = (cx.input(0)?, cx.input(1)?);
        if dy.shape() != x.shape() {
            return Err(Error::invalid(format!(
                "x and y_backprop must have same shape, but x has shape {} and y_backprop has shape {}",
                x.shape(),
                dy.shape()
            )));
        }
        let rows = Rows::of(x.shape(), layout)?;
        for (i, what) in [(2, "scale"), (3, "reserve_space_1"), (4, "reserve_space_2")] {
            rows.check_vector(cx.input(i)?.shape(), what, "")?;
        }
        let vector = Shape::vector(rows.channels);
        let (dx, dscale, doffset) = if x.num_elements() == 0 {
            let zeros = |shape| zeros(cx, DType::F32, shape);
            (cx.alloc(x.dtype(), x.shape())?, zeros(&vector)?, zeros(&vector)?)
        } else {
            let split = Split::of(x.shape(), layout.channel(x.shape().rank()));
            let mean = cx.input(3)?;
            // Of the gradient, and of the gradient times the element's distance from the mean.
            let sums =
                Sums { name: "batch_norm_grad_sums", inputs: &[dy, x], per_channel: &[mean], ty: Ty::F32, count: 2 };
            let (parts, count) = sums.compute(cx, &split, &|b, given, at, mean| {
                let dy = b.let_(b.load(given[0], at));
                let centred = &dy * (b.load(given[1], at) - &mean[0]);
                vec![dy, centred]
            })?;
            let sums = cx.alloc(DType::F32, &Shape::vector(2 * rows.channels))?;
            sum_parts(cx, &parts, &sums, count, None)?;
            (self.images(cx, &split, &sums)?, self.scale(cx, &sums, &vector)?, sums.rows(0..rows.channels)?)
        };
        cx.set(0, dx);
        cx.set(1, dscale);
        cx.set(2, doffset);
        for i in [3, 4] {
            let reserved = zeros(cx, DType::F32, &Shape::scalar())?;
            cx.set(i, reserved);
        }
        Ok(())
    }

    fn scale(&self, cx: &Cx<'_, '_>, sums: &Tensor, vector: &Shape) -> Result<Tensor> {
        let program = cx.device.program("batch_norm_grad_scale", &[], || {
            let mut b = Builder::new("batch_norm_grad_scale");
            let (sums, variance) = (b.buffer(DType::F32, Access::Read), b.buffer(DType::F32, Access::Read));
            let out = b.buffer(DType::F32, Access::Write);
            let (channels, epsilon) = (b.param_u32(), b.param(Ty::F32));
            b.for_each(&channels, |b, c| {
                let deviation = E::f32(1.0) / (b.load(variance, &c) + &epsilon).sqrt();
                let scale = b.load(sums, &channels + &c) * deviation;
                b.store(out, &c, scale);
            });
            b.finish()
        });
        let out = cx.alloc(DType::F32, vector)?;
        let channels = out.num_elements();
        cx.launch(&program, channels, &[sums, cx.input(4)?, &out], &[small(channels)?, self.epsilon.to_bits()])?;
        Ok(out)
    }

    fn images(&self, cx: &Cx<'_, '_>, split: &Split, sums: &Tensor) -> Result<Tensor> {
        let (dy, x) = (cx.input(0)?, cx.input(1)?);
        let dtype = x.dtype();
        let last = split.inner == 1;
        let key = [dtype as u64, u64::from(last), u64::from(self.training)];
        let program = cx.device.program("batch_norm_grad", &key, || {
            let mut b = Builder::new("batch_norm_grad");
            let (dy, x) = (b.buffer(dtype, Access::Read), b.buffer(dtype, Access::Read));
            let vectors: Vec<_> = (0..4).map(|_| b.buffer(DType::F32, Access::Read)).collect();
            let out = b.buffer(dtype, Access::Write);
            let (count, channels, inner) = (b.param_u32(), b.param_u32(), b.param_u32());
            let (rows, epsilon) = (b.param(Ty::F32), b.param(Ty::F32));
            b.for_each(&count, |b, i| {
                let channel = b.let_(if last { &i % &channels } else { &i / &inner % &channels });
                let [scale, mean, variance, offset_sum] = [0, 1, 2, 3].map(|v| b.load(vectors[v], &channel));
                let deviation = b.let_(E::f32(1.0) / (variance + &epsilon).sqrt());
                let mut gradient = b.load(dy, &i);
                if self.training {
                    let shift = offset_sum / &rows;
                    let slope = b.load(vectors[3], &channels + &channel) / &rows * &deviation * &deviation;
                    gradient = gradient - shift - (b.load(x, &i) - mean) * slope;
                }
                b.store(out, &i, deviation * scale * gradient);
            });
            b.finish()
        });
        let out = cx.alloc(dtype, x.shape())?;
        let rows = split.rows() as f32;
        let params = [
            small(x.num_elements())?,
            small(split.channels)?,
            small(split.inner)?,
            rows.to_bits(),
            self.epsilon.to_bits(),
        ];
        let buffers = [dy, x, cx.input(2)?, cx.input(3)?, cx.input(4)?, sums, &out];
        cx.launch(&program, out.num_elements(), &buffers, &params)?;
        Ok(out)
    }
}

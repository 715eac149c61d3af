//! `LRN` and `LRNGrad`: local response normalization across channels.

use crate::prelude::*;
use crate::rules::first;
use levada_ops_core::elementwise::wide_math as wide;
use levada_ops_core::vectorized;

attrs! {
    /// The attrs of `LRN` and its gradient.
    pub struct Lrn {
        /// Number of neighboring channels on each side.
        depth_radius: i64 = Attr::int("depth_radius").or_int(5),
        /// Added to the scaled sums.
        bias: f32 = Attr::float("bias").or_float(1.0),
        /// Scale of the sums of squares.
        alpha: f32 = Attr::float("alpha").or_float(1.0),
        /// Exponent of the norm.
        beta: f32 = Attr::float("beta").or_float(0.5),
        /// Element type.
        dtype: DType = Attr::dtype("T", &[DType::F16, DType::BF16, DType::F32]).or_type(DType::F32),
    }
}

const OUTPUT: &[Arg] = &[arg("output", of("T"))];

const fn lrn(name: &'static str, kernel: fn(&Lrn, &mut Cx<'_, '_>) -> Result<()>) -> Def<Lrn> {
    op(name)
        .outputs(OUTPUT)
        .shape(|_, cx| {
            let mut shape = cx.with_rank(0, 4)?;
            for i in 1..cx.num_inputs() {
                shape = shape.merge(&cx.input(i))?;
            }
            cx.output(0, shape);
            Ok(())
        })
        .kernel(kernel)
        .heavy()
}

pub static LRN: Def<Lrn> = lrn("LRN", |op, cx| match op.dtype {
    DType::F32 => forward::<f32>(op, cx),
    DType::F16 => forward::<f16>(op, cx),
    DType::BF16 => forward::<bf16>(op, cx),
    other => unsupported(cx, other),
})
.doc("Local response normalization: divides each element by a power of the sum of squares over neighboring channels.")
.inputs(&[arg("input", of("T"))])
.gradient(|op, g| first(g, LRN_GRAD.node(g, op, &[g.dy(0), g.input(0), g.output(0)])))
.batch(|_, b| levada_ops_core::batch::fold_rows(b, &[0]));

pub static LRN_GRAD: Def<Lrn> = lrn("LRNGrad", |op, cx| match op.dtype {
    DType::F32 => backward::<f32>(op, cx),
    DType::F16 => backward::<f16>(op, cx),
    DType::BF16 => backward::<bf16>(op, cx),
    other => unsupported(cx, other),
})
.doc("The gradient of `LRN`.")
.inputs(&[arg("input_grads", of("T")), arg("input_image", of("T")), arg("output_image", of("T"))])
.batch(|_, b| levada_ops_core::batch::fold_rows(b, &[0, 1, 2]));

struct Norm {
    radius: usize,
    bias: f32,
    alpha: f32,
    beta: f32,
}

impl Norm {
    /// The norm specified by a node's attrs, and the shape of its inputs.
    fn of(op: &Lrn, cx: &Cx<'_, '_>) -> Result<(Norm, Shape)> {
        let radius = i32::try_from(op.depth_radius).ok().and_then(|r| usize::try_from(r).ok()).ok_or_else(|| {
            Error::invalid(format!("depth_radius = {} is negative or larger than int max", op.depth_radius))
                .attr("depth_radius")
        })?;
        let shape = cx.input(0)?.shape();
        for i in 0..cx.num_inputs() {
            if shape.rank() != 4 || cx.input(i)?.shape() != shape {
                return Err(Error::invalid("the inputs must be 4-dimensional and of one shape")
                    .found(format!("shapes {shape} and {}", cx.input(i)?.shape())));
            }
        }
        Ok((Norm { radius, bias: op.bias, alpha: op.alpha, beta: op.beta }, shape.clone()))
    }

    /// For each channel the sum over its neighboring channels, in ascending order.
    #[inline(always)]
    fn around(&self, pixel: &[f32], sums: &mut [f32]) {
        let channels = pixel.len();
        let radius = self.radius.min(channels.saturating_sub(1));
        sums.fill(0.0);
        for before in (1..=radius).rev() {
            for (sum, v) in sums[before..].iter_mut().zip(pixel) {
                *sum += v;
            }
        }
        for after in 0..=radius {
            for (sum, v) in sums.iter_mut().zip(&pixel[after..]) {
                *sum += v;
            }
        }
    }

    /// The norm of each channel of a pixel.
    #[inline(always)]
    fn norms(&self, pixel: &[f32], squares: &mut [f32], out: &mut [f32]) {
        for (square, v) in squares.iter_mut().zip(pixel) {
            *square = v * v;
        }
        self.around(squares, out);
        for o in out {
            *o = self.bias + self.alpha * *o;
        }
    }

    /// Replaces norms by the factors that elements are multiplied by.
    #[inline(always)]
    fn powers(&self, norms: &mut [f32]) {
        for n in norms {
            *n = if self.beta == 0.5 { 1.0 / n.sqrt() } else { wide::pow(*n, -self.beta) };
        }
    }

    fn nanos(&self, channels: usize) -> f64 {
        channels as f64 * (2.0 + 0.1 * self.radius.min(channels) as f64)
    }
}

fn forward<T: Number<Wide = f32>>(op: &Lrn, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (norm, shape) = Norm::of(op, cx)?;
    let channels = shape[3];
    cx.produce::<T>(0, &shape, |cx, out| {
        let input = cx.input(0)?.slice::<T>()?;
        cx.pool().for_chunks(out, channels, norm.nanos(channels), |first, piece| {
            let [mut pixel, mut squares, mut norms] = [(); 3].map(|()| vec![0f32; channels]);
            vectorized!(for (i, out) in piece.chunks_exact_mut(channels).enumerate() {
                let from = &input[(first + i) * channels..][..channels];
                for (p, v) in pixel.iter_mut().zip(from) {
                    *p = v.widen();
                }
                norm.norms(&pixel, &mut squares, &mut norms);
                norm.powers(&mut norms);
                for ((o, p), n) in out.iter_mut().zip(&pixel).zip(&norms) {
                    *o = T::narrow(p * n);
                }
            });
        });
        Ok(())
    })
}

fn backward<T: Number<Wide = f32>>(op: &Lrn, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (norm, shape) = Norm::of(op, cx)?;
    let channels = shape[3];
    cx.produce::<T>(0, &shape, |cx, out| {
        let (dy, x, y) = (cx.input(0)?.slice::<T>()?, cx.input(1)?.slice::<T>()?, cx.input(2)?.slice::<T>()?);
        cx.pool().for_chunks(out, channels, 2.0 * norm.nanos(channels), |first, piece| {
            let [mut own, mut squares, mut norms, mut spread, mut others] = [(); 5].map(|()| vec![0f32; channels]);
            vectorized!(for (i, out) in piece.chunks_exact_mut(channels).enumerate() {
                let range = (first + i) * channels..(first + i + 1) * channels;
                let (dy, x, y) = (&dy[range.clone()], &x[range.clone()], &y[range]);
                for (w, v) in own.iter_mut().zip(x) {
                    *w = v.widen();
                }
                norm.norms(&own, &mut squares, &mut norms);
                for ((spread, n), (dy, y)) in spread.iter_mut().zip(&norms).zip(dy.iter().zip(y)) {
                    *spread = -2.0 * norm.alpha * norm.beta * dy.widen() * y.widen() / n;
                }
                norm.around(&spread, &mut others);
                norm.powers(&mut norms);
                let both = own.iter().zip(&others).zip(dy.iter().zip(&norms));
                for (o, ((x, others), (dy, power))) in out.iter_mut().zip(both) {
                    *o = T::narrow(dy.widen() * power + x * others);
                }
            });
        });
        Ok(())
    })
}

//! `LRN` and `LRNGrad`: normalization of each element by its neighbours in other channels.

use crate::prelude::*;

const TYPES: &[DType] = &[DType::F16, DType::BF16, DType::F32];

macro_rules! lrn {
    ($($(#[doc = $doc:literal])* $name:ident($($input:literal),*) $compute:ident;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// How many channels to each side count.
                depth_radius: i64 = Attr::int("depth_radius").or_int(5),
                /// Added to the sums.
                bias: f32 = Attr::float("bias").or_float(1.0),
                /// Factor of the sums of squares.
                alpha: f32 = Attr::float("alpha").or_float(1.0),
                /// Exponent of the norm.
                beta: f32 = Attr::float("beta").or_float(0.5),
                /// Element type.
                dtype: DType = Attr::dtype("T", TYPES).or_type(DType::F32),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[$(arg($input, of("T"))),*],
                outputs: &[arg("output", of("T"))],
                ..Spec::PURE
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                let mut shape = cx.with_rank(0, 4)?;
                for i in 1..cx.num_inputs() {
                    shape = shape.merge(&cx.input(i))?;
                }
                cx.output(0, shape);
                Ok(())
            }
        }

        impl Kernel<Cpu> for $name {
            const COST: Cost = Cost::Heavy;

            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                let norm = Norm { radius: 0, bias: self.bias, alpha: self.alpha, beta: self.beta };
                let norm = norm.with_radius(self.depth_radius)?;
                let shape = cx.input(0)?.shape().clone();
                for i in 0..cx.num_inputs() {
                    if shape.rank() != 4 || *cx.input(i)?.shape() != shape {
                        return Err(Error::invalid("the inputs must be 4-dimensional and of one shape")
                            .found(format!("shapes {shape} and {}", cx.input(i)?.shape())));
                    }
                }
                match self.dtype {
                    DType::F32 => norm.$compute::<f32>(cx, &shape),
                    DType::F16 => norm.$compute::<f16>(cx, &shape),
                    DType::BF16 => norm.$compute::<bf16>(cx, &shape),
                    other => Err(Error::unimplemented(format!("{} of {other} is not supported", stringify!($name)))),
                }
            }
        }
    )*};
}

lrn! {
    /// Divides each element by a power of the squares of its neighbours in other channels.
    LRN("input") forward;
    /// The gradient of an `LRN`.
    LRNGrad("input_grads", "input_image", "output_image") backward;
}

struct Norm {
    radius: usize,
    bias: f32,
    alpha: f32,
    beta: f32,
}

impl Norm {
    fn with_radius(self, radius: i64) -> Result<Norm> {
        let fits = i32::try_from(radius).ok().and_then(|r| usize::try_from(r).ok());
        match fits {
            Some(radius) => Ok(Norm { radius, ..self }),
            None => Err(Error::invalid(format!("depth_radius = {radius} is negative or larger than int max"))
                .attr("depth_radius")),
        }
    }

    /// Channels that count for channel `c` of `channels`.
    fn around(&self, c: usize, channels: usize) -> std::ops::Range<usize> {
        c.saturating_sub(self.radius)..(c + self.radius + 1).min(channels)
    }

    /// The norm of each channel of a pixel.
    fn norms(&self, pixel: &[f32], out: &mut [f32]) {
        for (c, o) in out.iter_mut().enumerate() {
            let squares: f32 = pixel[self.around(c, pixel.len())].iter().map(|v| v * v).sum();
            *o = self.bias + self.alpha * squares;
        }
    }

    fn forward<T: Number<Wide = f32>>(&self, cx: &mut Cx<'_, '_>, shape: &Shape) -> Result<()> {
        let channels = shape[3];
        cx.produce::<T>(0, shape, |cx, out| {
            let input = cx.input(0)?.slice::<T>()?;
            cx.pool().for_chunks(out, channels, self.nanos(channels), |first, piece| {
                let (mut pixel, mut norms) = (vec![0f32; channels], vec![0f32; channels]);
                for (i, out) in piece.chunks_exact_mut(channels).enumerate() {
                    let from = &input[(first + i) * channels..][..channels];
                    pixel.iter_mut().zip(from).for_each(|(p, v)| *p = v.widen());
                    self.norms(&pixel, &mut norms);
                    let each = out.iter_mut().zip(pixel.iter().zip(&norms));
                    each.for_each(|(o, (p, n))| *o = T::narrow(p * n.powf(-self.beta)));
                }
            });
            Ok(())
        })
    }

    fn backward<T: Number<Wide = f32>>(&self, cx: &mut Cx<'_, '_>, shape: &Shape) -> Result<()> {
        let channels = shape[3];
        cx.produce::<T>(0, shape, |cx, out| {
            let (dy, x, y) = (cx.input(0)?.slice::<T>()?, cx.input(1)?.slice::<T>()?, cx.input(2)?.slice::<T>()?);
            cx.pool().for_chunks(out, channels, 2.0 * self.nanos(channels), |first, piece| {
                let mut wide = [(); 4].map(|()| vec![0f32; channels]);
                for (i, out) in piece.chunks_exact_mut(channels).enumerate() {
                    let [wx, norms, own, spread] = &mut wide;
                    let range = (first + i) * channels..(first + i + 1) * channels;
                    wx.iter_mut().zip(&x[range.clone()]).for_each(|(w, v)| *w = v.widen());
                    self.norms(wx, norms);
                    let pixels = dy[range.clone()].iter().zip(&y[range]).zip(norms.iter());
                    for ((own, spread), ((dy, y), n)) in own.iter_mut().zip(spread.iter_mut()).zip(pixels) {
                        *own = dy.widen() * n.powf(-self.beta);
                        *spread = -2.0 * self.alpha * self.beta * dy.widen() * y.widen() / n;
                    }
                    for (c, o) in out.iter_mut().enumerate() {
                        let others: f32 = spread[self.around(c, channels)].iter().sum();
                        *o = T::narrow(own[c] + wx[c] * others);
                    }
                }
            });
            Ok(())
        })
    }

    fn nanos(&self, channels: usize) -> f64 {
        channels as f64 * (20.0 + self.radius.min(channels) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::run;

    fn image(values: &[f32]) -> Tensor {
        Tensor::from_vec(Shape::new([1, 1, 1, values.len()]).unwrap(), values.to_vec()).unwrap()
    }

    fn lrn(x: &[f32]) -> Vec<f32> {
        let op = LRN { depth_radius: 1, bias: 2.0, alpha: 0.5, beta: 0.75, dtype: DType::F32 };
        run(op, vec![image(x)], &[DType::F32]).unwrap()[0].slice::<f32>().unwrap().to_vec()
    }

    #[test]
    fn neighbours_normalize() {
        let expected = [0.0, 0.32366118, 0.38490018, 0.36644453, 0.53831196];
        let got = lrn(&[0.0, 1.0, 2.0, 3.0, 4.0]);
        assert!(got.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{got:?}");
        let op = LRN { depth_radius: -1, bias: 1.0, alpha: 1.0, beta: 0.5, dtype: DType::F32 };
        assert_eq!(run(op, vec![image(&[1.0])], &[DType::F32]).unwrap_err().code(), Code::InvalidArgument);
    }

    #[test]
    fn gradients_are_those_of_finite_differences() {
        let (x, dy) = ([0.5, -1.0, 2.0, 0.25], [1.0, -2.0, 0.5, 3.0]);
        let op = LRNGrad { depth_radius: 1, bias: 2.0, alpha: 0.5, beta: 0.75, dtype: DType::F32 };
        let got = run(op, vec![image(&dy), image(&x), image(&lrn(&x))], &[DType::F32]).unwrap();
        for (i, g) in got[0].slice::<f32>().unwrap().iter().enumerate() {
            let loss = |by: f32| -> f32 {
                let mut x = x;
                x[i] += by;
                lrn(&x).iter().zip(dy).map(|(a, b)| a * b).sum()
            };
            let expected = (loss(0.01) - loss(-0.01)) / 0.02;
            assert!((g - expected).abs() < 1e-3, "{g} {expected}");
        }
    }
}

//! `BatchNormWithGlobalNormalization` and its gradient: the predecessors of `FusedBatchNorm`.

use crate::prelude::*;

attrs! {
    /// The attrs of `BatchNormWithGlobalNormalization` and its gradient.
    pub struct GlobalNormalization {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::NUMBERTYPE),
        /// Added to the variance to avoid division by zero.
        variance_epsilon: f32 = Attr::float("variance_epsilon"),
        /// If true, multiplies by `gamma`.
        scale_after_normalization: bool = Attr::bool("scale_after_normalization"),
    }
}

const fn t(name: &'static str) -> Arg {
    arg(name, of("T"))
}

pub static BATCH_NORM_WITH_GLOBAL_NORMALIZATION: Def<GlobalNormalization> = op("BatchNormWithGlobalNormalization")
    .doc("Batch normalization of images with a given mean and variance.")
    .inputs(&[t("t"), t("m"), t("v"), t("beta"), t("gamma")])
    .outputs(&[t("result")])
    .shape(|_, cx| {
        let shape = cx.with_rank(0, 4)?;
        cx.output(0, shape);
        Ok(())
    })
    .gradient(|op, g| {
        let inputs = [g.input(0), g.input(1), g.input(2), g.input(4), g.dy(0)];
        let all = BATCH_NORM_WITH_GLOBAL_NORMALIZATION_GRAD.node(g, op, &inputs);
        (0..5).map(|i| all.out(i).into()).collect()
    })
    .kernel(normalize)
    .heavy();

pub static BATCH_NORM_WITH_GLOBAL_NORMALIZATION_GRAD: Def<GlobalNormalization> =
    op("BatchNormWithGlobalNormalizationGrad")
        .doc("The gradient of `BatchNormWithGlobalNormalization`.")
        .inputs(&[t("t"), t("m"), t("v"), t("gamma"), t("backprop")])
        .outputs(&[t("dx"), t("dm"), t("dv"), t("db"), t("dg")])
        .shape(|_, cx| {
            let shape = cx.with_rank(0, 4)?;
            let channels = shape.dim(3);
            cx.output(0, shape);
            (1..5).for_each(|i| cx.output_vector(i, channels));
            Ok(())
        })
        .kernel(gradients)
        .heavy();

/// Checks the inputs that are images and those that have one element per channel.
fn check(cx: &Cx<'_, '_>, images: &[usize], vectors: &[usize]) -> Result<Shape> {
    let shape = cx.input(0)?.shape().clone();
    if shape.rank() != 4 {
        return Err(Error::invalid(format!("input must be 4-dimensional{shape}")));
    }
    for &i in images {
        if *cx.input(i)?.shape() != shape {
            return Err(Error::invalid(format!("the shapes {shape} and {} differ", cx.input(i)?.shape())));
        }
    }
    for &i in vectors {
        if cx.input(i)?.shape().dims() != [shape[3]] {
            return Err(Error::invalid(format!(
                "mean, variance, offset and scale must have a number for each of the {} channels",
                shape[3]
            ))
            .found(format!("shape {}", cx.input(i)?.shape())));
        }
    }
    Ok(shape)
}

/// The reciprocal of the standard deviation; all computation is in its type.
fn reciprocal<T: Float>(variance: T, epsilon: f32) -> f64 {
    (variance.to_f64() + f64::from(epsilon)).sqrt().recip()
}

fn normalize(op: &GlobalNormalization, cx: &mut Cx<'_, '_>) -> Result<()> {
    let shape = check(cx, &[], &[1, 2, 3, 4])?;
    let channels = shape[3];
    dispatch!(op.dtype, floats, |T| cx.produce::<T>(0, &shape, |cx, out| {
        let slice = |i: usize| cx.input(i)?.slice::<T>();
        let (t, m, v, beta, gamma) = (slice(0)?, slice(1)?, slice(2)?, slice(3)?, slice(4)?);
        let scale = |c: usize| if op.scale_after_normalization { Real::to_f64(gamma[c]) } else { 1.0 };
        let factors: Vec<f64> = (0..channels).map(|c| reciprocal(v[c], op.variance_epsilon) * scale(c)).collect();
        cx.pool().for_chunks(out, channels, channels as f64, |first, piece| {
            for (i, row) in piece.chunks_exact_mut(channels).enumerate() {
                let from = &t[(first + i) * channels..][..channels];
                for (c, (o, x)) in row.iter_mut().zip(from).enumerate() {
                    let centred = Real::to_f64(*x) - Real::to_f64(m[c]);
                    *o = <T as Real>::from_f64(centred * factors[c] + Real::to_f64(beta[c]));
                }
            }
        });
        Ok(())
    }), else unsupported(cx, op.dtype))
}

fn gradients(op: &GlobalNormalization, cx: &mut Cx<'_, '_>) -> Result<()> {
    let shape = check(cx, &[4], &[1, 2, 3])?;
    let channels = shape[3];
    let mut out = cx.alloc(op.dtype, &shape)?;
    let vectors = dispatch!(op.dtype, floats, |T| {
        let slice = |i: usize| cx.input(i)?.slice::<T>();
        let (t, m, v, gamma, dy) = (slice(0)?, slice(1)?, slice(2)?, slice(3)?, slice(4)?);
        let deviations: Vec<f64> = v.iter().map(|&v| reciprocal(v, op.variance_epsilon)).collect();
        let scale = |c: usize| if op.scale_after_normalization { Real::to_f64(gamma[c]) } else { 1.0 };
        let (mut sums, mut centred) = (vec![0f64; channels], vec![0f64; channels]);
        for (i, (o, (x, dy))) in out.slice_mut::<T>()?.iter_mut().zip(t.iter().zip(dy)).enumerate() {
            let c = i % channels;
            let dy = Real::to_f64(*dy);
            sums[c] += dy;
            centred[c] += dy * (Real::to_f64(*x) - Real::to_f64(m[c]));
            *o = <T as Real>::from_f64(dy * deviations[c] * scale(c));
        }
        let vector = |f: &dyn Fn(usize) -> f64| {
            Tensor::vector((0..channels).map(|c| <T as Real>::from_f64(f(c))).collect::<Vec<T>>())
        };
        let dm = vector(&|c| -sums[c] * deviations[c] * scale(c));
        let dv = vector(&|c| -0.5 * centred[c] * scale(c) * deviations[c].powi(3));
        let dg = match op.scale_after_normalization {
            true => vector(&|c| centred[c] * deviations[c]),
            false => vector(&|_| 0.0),
        };
        Ok([dm, dv, vector(&|c| sums[c]), dg])
    }, else unsupported(cx, op.dtype))?;
    cx.set(0, out);
    for (i, tensor) in vectors.into_iter().enumerate() {
        cx.set(i + 1, tensor);
    }
    Ok(())
}

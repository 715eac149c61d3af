//! `_FusedBatchNormEx`: the fused op that TensorFlow's optimizer leaves in graphs saved after optimization.

use super::batch_norm::{BatchNorm, normalized};
use crate::prelude::*;
use levada_ops_core::images::window::Layout;

attrs! {
    /// `FusedBatchNormV3`, optionally followed by the addition of a side input and an activation.
    pub struct FusedBatchNormEx {
        /// Element type of the images.
        dtype: DType = Attr::dtype("T", &[DType::F16, DType::F32, DType::BF16]),
        /// Element type of the parameters.
        u: DType = Attr::dtype("U", &[DType::F32]),
        /// Added to the variance to avoid division by zero.
        epsilon: f32 = Attr::float("epsilon").or_float(0.0001),
        /// Weight of this batch in the running mean and variance.
        exponential_avg_factor: f32 = Attr::float("exponential_avg_factor").or_float(1.0),
        /// Number of side inputs added: 0 or 1.
        side_inputs: i64 = Attr::int("num_side_inputs").at_least(0).or_int(0),
        /// `Identity` or `Relu`.
        activation: Bytes = Attr::string("activation_mode").or_str("Identity"),
        /// Layout of the images.
        data_format: Bytes = Attr::one_of("data_format", &["NHWC", "NCHW"]).or_str("NHWC"),
        /// If true, normalizes with the mean and variance of the batch, otherwise with the given ones.
        is_training: bool = Attr::bool("is_training").or_bool(true),
    }
}

const fn t(name: &'static str) -> Arg {
    arg(name, of("T"))
}

const fn u(name: &'static str) -> Arg {
    arg(name, of("U"))
}

pub static FUSED_BATCH_NORM_EX: Def<FusedBatchNormEx> = op::<FusedBatchNormEx>("_FusedBatchNormEx")
    .inputs(&[t("x"), u("scale"), u("offset"), u("mean"), u("variance"), t("side_input").times("num_side_inputs")])
    .outputs(&[
        t("y"),
        u("batch_mean"),
        u("batch_variance"),
        u("reserve_space_1"),
        u("reserve_space_2"),
        u("reserve_space_3"),
    ])
    .shape(|op, cx| super::batch_norm::shape(cx, Layout::of(&op.data_format)?, &[1, 2]))
    .kernel(|op, cx| match op.dtype {
        DType::F32 => batch_norm_ex::<f32>(op, cx),
        DType::F16 => batch_norm_ex::<f16>(op, cx),
        DType::BF16 => batch_norm_ex::<bf16>(op, cx),
        other => unsupported(cx, other),
    })
    .heavy()
    .supports(|op| op.side_inputs <= 1 && matches!(&op.activation[..], b"Identity" | b"Relu"));

fn batch_norm_ex<T: Number<Wide = f32>>(op: &FusedBatchNormEx, cx: &mut Cx<'_, '_>) -> Result<()> {
    let norm = BatchNorm {
        dtype: op.dtype,
        u: op.u,
        epsilon: op.epsilon,
        exponential_avg_factor: op.exponential_avg_factor,
        data_format: op.data_format.clone(),
        is_training: op.is_training,
        version: 3,
    };
    let mut outputs = normalized::<T>(&norm, cx)?;
    let side = if op.side_inputs > 0 { Some(cx.input(5)?) } else { None };
    if let Some(side) = side.filter(|side| side.shape() != outputs[0].shape()) {
        let found = format!("{} and {}", side.shape(), outputs[0].shape());
        return Err(Error::invalid("side_input must have the shape of x").found(found));
    }
    let side = side.map(Tensor::slice::<T>).transpose()?;
    let rectifies = &op.activation[..] == b"Relu";
    if side.is_some() || rectifies {
        cx.pool().for_chunks(outputs[0].slice_mut::<T>()?, 1, 0.5, |first, piece| {
            for (i, value) in piece.iter_mut().enumerate() {
                let sum = value.widen() + side.map_or(0.0, |side| side[first + i].widen());
                *value = T::narrow(if rectifies && sum < 0.0 { 0.0 } else { sum });
            }
        });
    }
    for (i, tensor) in outputs.into_iter().enumerate() {
        cx.set(i, tensor);
    }
    Ok(())
}

//! `OnnxCast`: conversions that involve an element type without a Levada dtype.

use crate::format::{RoundMode, decode, encode};
use crate::prelude::*;

attrs! {
    /// `Cast` of ONNX if either type has no dtype: floats of 8, 6 and 4 bits (as codes in uint8), integers of 4 and 2
    /// bits (in int8 and uint8).
    pub struct OnnxCast {
        /// Element type that holds `x`.
        src: DType = Attr::dtype("SrcT", sets::ANY),
        /// Element type that holds `y`.
        dst: DType = Attr::dtype("DstT", sets::ANY),
        /// ONNX element type of `x`, as its number in `TensorProto.DataType`.
        from: i64 = Attr::int("from"),
        /// ONNX element type of `y`, as its number in `TensorProto.DataType`.
        to: i64 = Attr::int("to"),
        /// If true, out-of-range values become the maximum finite value.
        saturate: bool = Attr::bool("saturate").or_bool(true),
        /// Rounding of powers of two (E8M0).
        round: String = Attr::one_of("round_mode", &["up", "down", "nearest"]).or_str("up"),
    }
}

pub static ONNX_CAST: Def<OnnxCast> = op("OnnxCast")
    .inputs(&[arg("x", of("SrcT"))])
    .outputs(&[arg("y", of("DstT"))])
    .shape(|_, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .kernel(onnx_cast)
    .heavy();

fn onnx_cast(op: &OnnxCast, cx: &mut Cx<'_, '_>) -> Result<()> {
    let round = match op.round.as_str() {
        "down" => RoundMode::Down,
        "nearest" => RoundMode::Nearest,
        _ => RoundMode::Up,
    };
    let x = cx.input(0)?;
    let values = decode::<f64>(x, op.from)?;
    let y = encode(cx, (op.to, op.dst), &x.shape().clone(), values, op.saturate, round)?;
    cx.set(0, y);
    Ok(())
}

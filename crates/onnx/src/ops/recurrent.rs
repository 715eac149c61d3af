//! Recurrent layers.

use super::prelude::*;
use crate::cx::GivenAttrs;

pub(crate) const OPERATORS: &[Operator] = &[
    op("GRU", &[1, 3, 7, 14, 22], |cx| layer(cx, "OnnxGRU", &["linear_before_reset"])),
    op("LSTM", &[1, 7, 14, 22], |cx| layer(cx, "OnnxLSTM", &["input_forget"])),
    op("RNN", &[1, 7, 14, 22], |cx| layer(cx, "OnnxRNN", &[])),
];

fn layer(cx: &mut Cx<'_, '_>, op: &'static str, flags: &[&'static str]) -> Result<Vec<Val>> {
    let (w, r) = (cx.input(1)?, cx.input(2)?);
    weighted(cx, op, flags, (&w, &r), false)
}

/// An LSTM with these weights, whose factors are quantized during the run.
pub(super) fn quantized_lstm(cx: &mut Cx<'_, '_>, w: &Val, r: &Val) -> Result<Vec<Val>> {
    weighted(cx, "OnnxLSTM", &["input_forget"], (w, r), true)
}

fn weighted(
    cx: &mut Cx<'_, '_>,
    op: &'static str,
    flags: &[&'static str],
    (w, r): (&Val, &Val),
    rounded: bool,
) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let given = cx.given_float_lists(GivenAttrs::default(), &["activation_alpha", "activation_beta"])?;
    let given = cx.given_string_lists(given, &["activations"])?;
    let given = cx.given_floats(given, &["clip"])?;
    let given = cx.given_texts(given, &["direction"])?;
    let given = cx.given_ints(given, &["layout"])?;
    let given = cx.given_flags(given, flags)?;
    let optional: Vec<Option<Val>> = (3..8).map(|i| cx.optional(i)).collect();
    let mut node = cx.node(op).input(&x).input(w).input(r).with(given);
    let names = ["num_B", "num_sequence_lens", "num_initial_h", "num_initial_c", "num_P"];
    let count = if op == "OnnxLSTM" { 5 } else { 3 };
    for (name, val) in names.into_iter().zip(&optional).take(count) {
        node = node.maybe(name, val.as_ref());
    }
    if rounded {
        node = node.attr("dynamic_quantization", true);
    }
    node.all()
}

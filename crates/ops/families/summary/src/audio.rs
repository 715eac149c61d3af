//! `AudioSummary` and `AudioSummaryV2`: audio as WAV.

use crate::numbers::scalar;
use crate::prelude::*;
use crate::rules::never;
use levada_summary::Summary;

/// Sets the output to a summary of the first clips of a batch.
fn summarize(cx: &mut Cx<'_, '_>, rate: f32, max: i64) -> Result<()> {
    let tag: Bytes = scalar(cx, 0, "Tag")?;
    let mut summary = Summary::default();
    summary.audio(tag, cx.input(1)?, rate, max as usize)?;
    cx.set(0, Tensor::string(summary.bytes()));
    Ok(())
}

attrs! {
    /// Creates a summary of the first clips of a batch of audio.
    pub struct AudioSummary {
        /// Sample rate in samples per second.
        sample_rate: f32 = Attr::float("sample_rate"),
        /// Maximum number of clips.
        max_outputs: i64 = Attr::int("max_outputs").or_int(3).at_least(1),
    }
}

pub static AUDIO_SUMMARY: Def<AudioSummary> = op("AudioSummary")
    .inputs(&[arg("tag", is(DType::Str)), arg("tensor", is(DType::F32))])
    .outputs(&[arg("summary", is(DType::Str))])
    .shape(|_, cx| {
        cx.output_scalar(0);
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(|op: &AudioSummary, cx| summarize(cx, op.sample_rate, op.max_outputs))
    .heavy();

attrs! {
    /// Creates a summary of the first clips of a batch of audio; the sample rate is an input.
    pub struct AudioSummaryV2 {
        /// Maximum number of clips.
        max_outputs: i64 = Attr::int("max_outputs").or_int(3).at_least(1),
    }
}

pub static AUDIO_SUMMARY_V2: Def<AudioSummaryV2> = op("AudioSummaryV2")
    .inputs(&[arg("tag", is(DType::Str)), arg("tensor", is(DType::F32)), arg("sample_rate", is(DType::F32))])
    .outputs(&[arg("summary", is(DType::Str))])
    .shape(|_, cx| {
        cx.output_scalar(0);
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(audio_summary_v2)
    .heavy();

fn audio_summary_v2(op: &AudioSummaryV2, cx: &mut Cx<'_, '_>) -> Result<()> {
    let rate = scalar(cx, 2, "sample_rate")?;
    summarize(cx, rate, op.max_outputs)
}

//! `AudioSummary` and `AudioSummaryV2`: sound as WAV.

use crate::numbers::scalar;
use crate::prelude::*;
use levada_summary::Summary;

/// Sets the output to the first clips of a batch.
fn summarize(cx: &mut Cx<'_, '_>, rate: f32, max: i64) -> Result<()> {
    let tag: Bytes = scalar(cx, 0, "Tag")?;
    let mut summary = Summary::default();
    summary.audio(tag, cx.input(1)?, rate, max as usize)?;
    cx.set(0, Tensor::string(summary.bytes()));
    Ok(())
}

attrs! {
    /// The first clips of a batch of sound.
    pub struct AudioSummary {
        /// Samples in a second.
        sample_rate: f32 = Attr::float("sample_rate"),
        /// How many clips, at most.
        max_outputs: i64 = Attr::int("max_outputs").or_int(3).at_least(1),
    }
}

impl Op for AudioSummary {
    const SPEC: Spec = Spec {
        name: "AudioSummary",
        inputs: &[arg("tag", is(DType::Str)), arg("tensor", is(DType::F32))],
        outputs: &[arg("summary", is(DType::Str))],
        ..Spec::PURE
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.output_scalar(0);
        Ok(())
    }
}

impl Kernel<Cpu> for AudioSummary {
    const COST: Cost = Cost::Heavy;

    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        summarize(cx, self.sample_rate, self.max_outputs)
    }
}

attrs! {
    /// The first clips of a batch of sound, whose rate is an input.
    pub struct AudioSummaryV2 {
        /// How many clips, at most.
        max_outputs: i64 = Attr::int("max_outputs").or_int(3).at_least(1),
    }
}

impl Op for AudioSummaryV2 {
    const SPEC: Spec = Spec {
        name: "AudioSummaryV2",
        inputs: &[arg("tag", is(DType::Str)), arg("tensor", is(DType::F32)), arg("sample_rate", is(DType::F32))],
        outputs: &[arg("summary", is(DType::Str))],
        ..Spec::PURE
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.output_scalar(0);
        Ok(())
    }
}

impl Kernel<Cpu> for AudioSummaryV2 {
    const COST: Cost = Cost::Heavy;

    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let rate = scalar(cx, 2, "sample_rate")?;
        summarize(cx, rate, self.max_outputs)
    }
}

//! `ScalarSummary` and `MergeSummary`: numbers with tags, as the message `Summary`.

use crate::prelude::*;

/// Appends a field of bytes to a message.
fn field(out: &mut Vec<u8>, tag: u8, bytes: &[u8]) {
    out.push(tag);
    let mut length = bytes.len();
    while length >= 0x80 {
        out.push(length as u8 | 0x80);
        length >>= 7;
    }
    out.push(length as u8);
    out.extend_from_slice(bytes);
}

attrs! {
    /// Writes each value with its tag.
    pub struct ScalarSummary {
        /// Element type of the values.
        dtype: DType = Attr::dtype("T", sets::REALS),
    }
}

impl Op for ScalarSummary {
    const SPEC: Spec = Spec {
        name: "ScalarSummary",
        inputs: &[arg("tags", is(DType::Str)), arg("values", of("T"))],
        outputs: &[arg("summary", is(DType::Str))],
        ..Spec::PURE
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.output_scalar(0);
        Ok(())
    }
}

impl Kernel<Cpu> for ScalarSummary {
    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let (tags, values) = (cx.input(0)?, cx.input(1)?);
        if tags.shape() != values.shape() {
            return Err(Error::invalid(format!(
                "tags and values are not the same shape: {} != {}",
                tags.shape(),
                values.shape()
            )));
        }
        let numbers: Vec<f32> = dispatch!(self.dtype, reals, |T| {
            values.slice::<T>()?.iter().map(|v| Real::to_f64(*v) as f32).collect()
        }, else return Err(Error::unimplemented(format!("a summary of {} is not supported", self.dtype))));
        let mut summary = Vec::new();
        for (tag, number) in tags.slice::<Bytes>()?.iter().zip(numbers) {
            let mut value = Vec::new();
            field(&mut value, 0x0a, tag);
            value.push(0x15);
            value.extend_from_slice(&number.to_le_bytes());
            field(&mut summary, 0x0a, &value);
        }
        cx.set(0, Tensor::scalar(Bytes::from(summary)));
        Ok(())
    }
}

attrs! {
    /// Puts summaries together.
    pub struct MergeSummary {
        /// Number of summaries.
        n: i64 = Attr::int("N").at_least(1),
    }
}

impl Op for MergeSummary {
    const SPEC: Spec = Spec {
        name: "MergeSummary",
        inputs: &[arg("inputs", is(DType::Str)).times("N")],
        outputs: &[arg("summary", is(DType::Str))],
        ..Spec::PURE
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.output_scalar(0);
        Ok(())
    }
}

impl Kernel<Cpu> for MergeSummary {
    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let mut merged = Vec::new();
        // Messages behind each other are their union.
        for input in cx.inputs_from(0)? {
            input.slice::<Bytes>()?.iter().for_each(|summary| merged.extend_from_slice(summary));
        }
        cx.set(0, Tensor::scalar(Bytes::from(merged)));
        Ok(())
    }
}

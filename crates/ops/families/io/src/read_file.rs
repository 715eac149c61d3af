//! `ReadFile`: the contents of a file.

use crate::prelude::*;

attrs! {
    /// Reads a file.
    pub struct ReadFile {}
}

impl Op for ReadFile {
    const SPEC: Spec = Spec {
        name: "ReadFile",
        inputs: &[arg("filename", is(DType::Str))],
        outputs: &[arg("contents", is(DType::Str))],
        // What a file holds may change, and reading is refused where it is not granted: not for folding.
        ..Spec::STATEFUL
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.with_rank(0, 0)?;
        cx.output_scalar(0);
        Ok(())
    }
}

/// The scalar string on input `i`.
pub(super) fn text(cx: &Cx<'_, '_>, i: usize, what: &str) -> Result<String> {
    let input = cx.input(i)?;
    if !input.shape().is_scalar() {
        return Err(Error::invalid(format!("Input {what} tensor must be scalar, but had shape: {}", input.shape())));
    }
    Ok(String::from_utf8_lossy(&input.item::<Bytes>()?).into_owned())
}

impl Kernel<Cpu> for ReadFile {
    const COST: Cost = Cost::Heavy;

    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let name = text(cx, 0, "filename")?;
        let contents = cx.env().files.read(&name)?;
        cx.set(0, Tensor::scalar(Bytes::from(contents)));
        Ok(())
    }
}

//! `ReadFile`: the contents of a file.

use crate::prelude::*;

attrs! {
    /// Returns the contents of a file.
    pub struct ReadFile {}
}

pub static READ_FILE: Def<ReadFile> = op("ReadFile")
    .inputs(&[arg("filename", is(DType::Str))])
    .outputs(&[arg("contents", is(DType::Str))])
    .stateful()
    .shape(|_, cx| {
        cx.with_rank(0, 0)?;
        cx.output_scalar(0);
        Ok(())
    })
    .kernel(read_file)
    .heavy();

fn read_file(_: &ReadFile, cx: &mut Cx<'_, '_>) -> Result<()> {
    let name = text(cx, 0, "filename")?;
    let contents = cx.env().files.read(&name)?;
    cx.set(0, Tensor::scalar(Bytes::from(contents)));
    Ok(())
}

/// Returns the scalar string on input `i`.
pub(super) fn text(cx: &Cx<'_, '_>, i: usize, what: &str) -> Result<String> {
    let input = cx.input(i)?;
    if !input.shape().is_scalar() {
        return Err(Error::invalid(format!("Input {what} tensor must be scalar, but had shape: {}", input.shape())));
    }
    Ok(String::from_utf8_lossy(&input.item::<Bytes>()?).into_owned())
}

//! `WriteFile`: creates or overwrites a file.

use super::read_file::text;
use crate::prelude::*;

attrs! {
    /// Writes `contents` to a file, creating its directories as needed.
    pub struct WriteFile {}
}

pub static WRITE_FILE: Def<WriteFile> = op("WriteFile")
    .inputs(&[arg("filename", is(DType::Str)), arg("contents", is(DType::Str))])
    .stateful()
    .shape(|_, cx| {
        cx.with_rank(0, 0)?;
        cx.with_rank(1, 0).map(drop)
    })
    .kernel(write_file)
    .heavy();

fn write_file(_: &WriteFile, cx: &mut Cx<'_, '_>) -> Result<()> {
    let name = text(cx, 0, "filename")?;
    let contents = cx.input(1)?;
    if !contents.shape().is_scalar() {
        return Err(Error::invalid(format!("Contents tensor must be scalar, but had shape: {}", contents.shape())));
    }
    cx.env().files.write(&name, &contents.item::<Bytes>()?)
}

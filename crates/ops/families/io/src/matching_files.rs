//! `MatchingFiles`: glob matching of file names.

use crate::prelude::*;
use std::path::Path;

attrs! {
    /// Returns the names of the files and directories that match any of the glob patterns, sorted. `*`, `?` and `[a-z]`
    /// match within a single path component.
    pub struct MatchingFiles {}
}

pub static MATCHING_FILES: Def<MatchingFiles> = op("MatchingFiles")
    .inputs(&[arg("pattern", is(DType::Str))])
    .outputs(&[arg("filenames", is(DType::Str))])
    .stateful()
    .shape(|_, cx| {
        if cx.input(0).rank().is_some_and(|r| r > 1) {
            return Err(Error::invalid("patterns are a scalar or a vector").found(cx.input(0)));
        }
        cx.output_vector(0, None);
        Ok(())
    })
    .kernel(matching_files)
    .heavy();

fn matching_files(_: &MatchingFiles, cx: &mut Cx<'_, '_>) -> Result<()> {
    let input = cx.input(0)?;
    if input.shape().rank() > 1 {
        return Err(Error::invalid(format!(
            "Input patterns tensor must be scalar or vector, but had shape: {}",
            input.shape()
        )));
    }
    let mut names = Vec::new();
    for pattern in input.slice::<Bytes>()? {
        let found = cx.env().files.matching(Path::new(&*String::from_utf8_lossy(pattern)))?;
        names.extend(found.into_iter().map(|p| Bytes::from(p.to_string_lossy().into_owned())));
    }
    names.sort_unstable();
    cx.set(0, Tensor::vector(names));
    Ok(())
}

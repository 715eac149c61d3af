//! `MatchingFilesDataset`: the names of files that match patterns.

use crate::dataset::{DATASET, Dataset, Setup, UNKNOWN, make, scalar_output};
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use levada_kernel::Files;
use std::path::Path;
use std::sync::Arc;
use std::task::Poll;

attrs! {
    /// A dataset of the names of the files that match any of the patterns.
    pub struct MatchingFilesDataset {}
}

pub static MATCHING_FILES_DATASET: Def<MatchingFilesDataset> = op("MatchingFilesDataset")
    .inputs(&[arg("patterns", is(DType::Str))])
    .outputs(DATASET)
    .also(&[form("ExperimentalMatchingFilesDataset")])
    .stateful()
    .shape(scalar_output)
    .kernel(|_: &MatchingFilesDataset, cx| {
        let patterns: Arc<[Bytes]> = cx.slice::<Bytes>(0)?.into();
        let files = cx.env().files.clone();
        make(cx, vec![DType::Str], vec![PartialShape::scalar()], MatchingFiles { patterns, files })
    });

struct MatchingFiles {
    patterns: Arc<[Bytes]>,
    files: Files,
}

impl Dataset for MatchingFiles {
    fn kind(&self) -> &'static str {
        "MatchingFiles"
    }

    fn cardinality(&self) -> i64 {
        UNKNOWN
    }

    fn iterator(&self, _: Setup) -> Result<Box<dyn Iter>> {
        let (patterns, files) = (self.patterns.clone(), self.files.clone());
        Ok(Box::new(MatchingFilesIter { patterns, files, names: None, next: 0 }))
    }
}

struct MatchingFilesIter {
    patterns: Arc<[Bytes]>,
    files: Files,
    /// The names, once they have been listed.
    names: Option<Vec<Bytes>>,
    next: usize,
}

impl MatchingFilesIter {
    fn find(&self) -> Result<Vec<Bytes>> {
        let mut names = Vec::new();
        for pattern in self.patterns.iter() {
            let found = self.files.matching(Path::new(&*String::from_utf8_lossy(pattern)))?;
            let mut found: Vec<Bytes> =
                found.into_iter().map(|path| Bytes::from(path.to_string_lossy().into_owned())).collect();
            found.sort_unstable();
            names.append(&mut found);
        }
        if names.is_empty() {
            return Err(Error::not_found("Don't find any matched files"));
        }
        Ok(names)
    }
}

impl Iter for MatchingFilesIter {
    fn poll(&mut self, _: &mut Turn<'_>) -> Next {
        if self.names.is_none() {
            self.names = Some(self.find()?);
        }
        let name = self.names.as_ref().and_then(|names| names.get(self.next));
        let element = name.map(|name| vec![Tensor::scalar(name.clone())]);
        self.next += usize::from(element.is_some());
        Poll::Ready(Ok(element))
    }

    fn save(&mut self, _: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        let names = self.names.as_ref().map(|names| Tensor::vector(names.clone()));
        to.element(names.as_slice());
        to.count(self.next);
        Poll::Ready(Ok(()))
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        if let Some(names) = from.element()?.first() {
            self.names = Some(names.slice::<Bytes>()?.to_vec());
        }
        self.next = from.count()?;
        Ok(())
    }
}

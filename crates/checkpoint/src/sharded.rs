//! Several safetensors files, with a JSON index of the file that each tensor is in.

use crate::files::{directory, failed};
use crate::reader::{Entry, Open, any_file};
use crate::safetensors::{MOST_HEADER, SafeTensors};
use crate::source::{Source, Stored, missing};
use levada_graph::{Error, Result, Tensor};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// The suffix of an index's name.
pub(crate) const ENDING: &str = ".safetensors.index.json";

/// Safetensors files that make up one model.
pub struct Sharded {
    path: PathBuf,
    files: Vec<SafeTensors>,
    /// The number of the file that a tensor is in.
    tensors: BTreeMap<String, usize>,
}

#[derive(Deserialize)]
struct Index {
    weight_map: BTreeMap<String, String>,
}

impl Sharded {
    /// Opens the files that an index names, all in its directory.
    ///
    /// # Errors
    /// `DATA_LOSS` for an index that cannot be read, that names files elsewhere, or tensors that their file does not
    /// have; as [`SafeTensors::open`].
    pub fn open(path: impl AsRef<Path>) -> Result<Sharded> {
        Sharded::open_with(path, &any_file())
    }

    /// As [`Sharded::open`], through a function that opens files.
    ///
    /// # Errors
    /// As [`Sharded::open`], and the errors of the function.
    pub fn open_with(path: impl AsRef<Path>, open: &Open) -> Result<Sharded> {
        let path = path.as_ref().to_owned();
        let lost = |what: String| Error::data_loss(what).in_file(&path.display().to_string());
        let mut text = Vec::new();
        open(&path)?.take(MOST_HEADER).read_to_end(&mut text).map_err(|e| failed(&path, &e))?;
        let index: Index =
            serde_json::from_slice(&text).map_err(|e| lost(format!("the index of the files cannot be read: {e}")))?;
        let (mut files, mut numbers, mut tensors) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
        for (name, file) in index.weight_map {
            let number = match numbers.get(&file) {
                Some(number) => *number,
                None => {
                    let mut components = Path::new(&file).components();
                    if !matches!((components.next(), components.next()), (Some(Component::Normal(_)), None)) {
                        return Err(lost(format!("{name} is in {file:?}, which is not a file next to the index")));
                    }
                    files.push(SafeTensors::open_with(directory(&path).join(&file), open)?);
                    numbers.insert(file, files.len() - 1);
                    files.len() - 1
                }
            };
            if files[number].find(&name).is_none() {
                return Err(lost(format!("{name} is missing from the file that the index names for it"))
                    .found(files[number].place()));
            }
            tensors.insert(name, number);
        }
        Ok(Sharded { path, files, tensors })
    }

    fn file_of(&self, name: &str) -> Result<&SafeTensors> {
        let number = self.tensors.get(name).ok_or_else(|| missing(self, name))?;
        Ok(&self.files[*number])
    }
}

impl Source for Sharded {
    fn place(&self) -> String {
        self.path.display().to_string()
    }

    fn kind(&self) -> String {
        format!("safetensors in {} files", self.files.len())
    }

    fn names(&self) -> Vec<&str> {
        self.tensors.keys().map(String::as_str).collect()
    }

    fn stored(&self, name: &str) -> Result<Stored> {
        self.file_of(name)?.stored(name)
    }

    fn entry(&self, name: &str) -> Result<Entry> {
        self.file_of(name)?.entry(name)
    }

    fn read(&self, name: &str) -> Result<Tensor> {
        self.file_of(name)?.read(name)
    }

    fn read_raw(&self, name: &str) -> Result<Tensor> {
        self.file_of(name)?.read_raw(name)
    }

    fn find(&self, name: &str) -> Option<String> {
        self.tensors.contains_key(name).then(|| name.to_owned())
    }
}

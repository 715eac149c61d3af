//! Sources of variables: checkpoints and other files of named tensors.

use crate::element::Element;
use crate::files::index_path;
use crate::objects::Objects;
use crate::reader::{Entry, Reader};
use crate::safetensors::SafeTensors;
use crate::sharded::{self, Sharded};
use crate::slice::{Overlap, Slice};
use crate::state::{State, latest};
use levada_graph::op::nearest;
use levada_graph::{Error, Result, Shape, Tensor};
use std::path::{Path, PathBuf};

/// A file's entry for a tensor.
#[derive(Clone, PartialEq, Debug)]
pub struct Stored {
    /// Type of its elements.
    pub element: Element,
    /// Its shape.
    pub shape: Shape,
    /// The parts that it is stored in; none if it is stored whole.
    pub slices: Vec<Slice>,
    /// Bytes that it takes in the file.
    pub bytes: u64,
}

/// Tensors by name, in a file.
pub trait Source: Send + Sync {
    /// The file, for messages.
    fn place(&self) -> String;

    /// A description of the kind of file.
    fn kind(&self) -> String;

    /// Names of its tensors, sorted.
    fn names(&self) -> Vec<&str>;

    /// The variable and object that each tensor belongs to, if the file has that information.
    ///
    /// # Errors
    /// `DATA_LOSS` if that is corrupt.
    fn objects(&self) -> Result<Option<&Objects>> {
        Ok(None)
    }

    /// The file's entry for a tensor, even if graphs do not support its type.
    ///
    /// # Errors
    /// `NOT_FOUND` if there is none with this name, `DATA_LOSS` if its entry is corrupt.
    fn stored(&self, name: &str) -> Result<Stored>;

    /// The metadata of a tensor.
    ///
    /// # Errors
    /// As [`Source::stored`]; `UNIMPLEMENTED` for a type that graphs do not support.
    fn entry(&self, name: &str) -> Result<Entry> {
        let stored = self.stored(name)?;
        Ok(Entry { dtype: stored.element.dtype(name)?, shape: stored.shape, slices: stored.slices })
    }

    /// A tensor.
    ///
    /// # Errors
    /// As [`Source::entry`]; `DATA_LOSS` if its data is corrupt.
    fn read(&self, name: &str) -> Result<Tensor>;

    /// The bytes of a tensor whose type graphs do not support, as a vector of uint8.
    ///
    /// # Errors
    /// As [`Source::read`].
    fn read_raw(&self, name: &str) -> Result<Tensor> {
        self.entry(name).and(Err(Error::internal(format!("{name} has a dtype"))))
    }

    /// Part of a tensor.
    ///
    /// # Errors
    /// As [`Source::read`]; `INVALID_ARGUMENT` if it has no such part.
    fn read_slice(&self, name: &str, slice: &Slice) -> Result<Tensor> {
        cut(&self.read(name)?, slice)
    }

    /// The name of the tensor that `name` refers to: `name` itself, or another if the file maps variables to tensors.
    fn find(&self, name: &str) -> Option<String> {
        self.names().binary_search(&name).is_ok().then(|| name.to_owned())
    }
}

/// Opens the file or directory at a path: the prefix of a checkpoint, one of its files, a directory (its latest
/// checkpoint, or else the variables of a SavedModel, or else `model.safetensors` or its index), a file of the previous
/// format, a safetensors file, whose name ends in `.safetensors`, or the index of several, which ends in
/// `.safetensors.index.json`.
///
/// # Errors
/// `NOT_FOUND` if there is none, `DATA_LOSS` if it is corrupt.
pub fn open(path: &Path) -> Result<Box<dyn Source>> {
    if path.is_dir() && !State::path(path).exists() {
        let of = |ending: &str| Some(path.join(format!("model{ending}"))).filter(|file| file.is_file());
        if let Some(file) = of(sharded::ENDING).or_else(|| of(".safetensors")) {
            return open(&file);
        }
    }
    if path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(sharded::ENDING)) {
        return Ok(Box::new(Sharded::open(path)?));
    }
    if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("safetensors")) && path.is_file() {
        return Ok(Box::new(SafeTensors::open(path)?));
    }
    Ok(Box::new(Reader::open(prefix_of(path)?)?))
}

/// The prefix of the checkpoint that a path leads to.
///
/// # Errors
/// `NOT_FOUND` for a directory without one.
pub fn prefix_of(path: &Path) -> Result<PathBuf> {
    if path.is_dir() && !index_path(path).exists() {
        if let Some(latest) = latest(path)? {
            return Ok(latest);
        }
        let variables = path.join("variables/variables");
        if index_path(&variables).exists() {
            return Ok(variables);
        }
        return Err(in_directory(path));
    }
    let text = path.to_string_lossy();
    let stem = match text.strip_suffix(".index") {
        Some(stem) => Some(stem),
        None => text.rsplit_once(".data-").filter(|(_, rest)| rest.contains("-of-")).map(|(stem, _)| stem),
    };
    match stem {
        Some(stem) if path.is_file() => Ok(PathBuf::from(stem)),
        _ => Ok(path.to_owned()),
    }
}

/// The error for a directory that does not determine a checkpoint.
fn in_directory(path: &Path) -> Error {
    let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
    let name = |name: String| name.strip_suffix(".index").map(str::to_owned);
    let mut found: Vec<String> = entries.filter_map(|e| name(e.file_name().to_string_lossy().into_owned())).collect();
    found.sort();
    let error = Error::not_found(format!("there is no latest checkpoint in the directory {}", path.display()))
        .expected("a file `checkpoint` that names one whose .index exists");
    match found.first() {
        Some(first) => error.help(format!("name one of those that exist: {}", path.join(first).display())),
        None => error,
    }
}

/// The error for a name that no tensor of a file has.
pub fn missing(source: &dyn Source, name: &str) -> Error {
    let names = source.names();
    let error = Error::not_found(format!("Key {name} not found in checkpoint")).found(format!(
        "{} with {} tensors",
        source.place(),
        names.len()
    ));
    // Variables have other names in programs than in checkpoints of objects.
    let attributes = source.objects().ok().flatten().map(Objects::attributes).unwrap_or_default();
    let names: Vec<&str> = names.into_iter().chain(attributes.iter().map(|a| a.full_name.as_str())).collect();
    match nearest(name, names.iter().copied()).or_else(|| with_same_end(name, &names)) {
        Some(near) => error.help(format!("did you mean {near:?}?")),
        None => error.help(format!("`levada checkpoint {}` lists what it has", source.place())),
    }
}

/// The only name with the same last component after `/` as `name`.
fn with_same_end<'n>(name: &str, names: &[&'n str]) -> Option<&'n str> {
    let end = |name: &str| name.rsplit('/').next().unwrap_or_default().to_owned();
    let mut same = names.iter().filter(|other| end(other) == end(name));
    match (same.next(), same.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

/// Copies part of a tensor into the whole.
///
/// # Errors
/// `INVALID_ARGUMENT` if the whole has no such part.
pub fn paste(part: &Tensor, slice: &Slice, whole: &mut Tensor) -> Result<()> {
    let ranges = slice.ranges(whole.shape())?;
    let all: Vec<_> = whole.shape().dims().iter().map(|&size| 0..size).collect();
    Overlap::of(&ranges, &all).map_or(Ok(()), |overlap| overlap.copy(part, whole))
}

/// Part of a tensor in memory.
///
/// # Errors
/// `INVALID_ARGUMENT` if it has no such part.
pub fn cut(tensor: &Tensor, slice: &Slice) -> Result<Tensor> {
    if slice.is_all_of(tensor.shape()) {
        return Ok(tensor.clone());
    }
    let wanted = slice.ranges(tensor.shape())?;
    let all: Vec<_> = tensor.shape().dims().iter().map(|&size| 0..size).collect();
    let mut part = Tensor::try_zeros(tensor.dtype(), slice.shape_in(tensor.shape())?)?;
    if let Some(overlap) = Overlap::of(&all, &wanted) {
        overlap.copy(tensor, &mut part)?;
    }
    Ok(part)
}

impl Source for Reader {
    fn place(&self) -> String {
        self.prefix().display().to_string()
    }

    fn kind(&self) -> String {
        let files = match (self.is_old(), self.shards()) {
            (true, _) => return "checkpoint of the first format".to_owned(),
            (false, 1) => "a file".to_owned(),
            (false, n) => format!("{n} files"),
        };
        let order = if self.is_big_endian() { ", big endian" } else { "" };
        let objects = if self.contains(crate::objects::KEY) { ", with a graph of objects" } else { "" };
        format!("checkpoint with {files} of data{order}{objects}")
    }

    fn names(&self) -> Vec<&str> {
        Reader::names(self).collect()
    }

    fn objects(&self) -> Result<Option<&Objects>> {
        Reader::objects(self)
    }

    fn stored(&self, name: &str) -> Result<Stored> {
        Reader::stored(self, name)
    }

    fn entry(&self, name: &str) -> Result<Entry> {
        Reader::entry(self, name)
    }

    fn read_raw(&self, name: &str) -> Result<Tensor> {
        Reader::read_raw(self, name)
    }

    fn read(&self, name: &str) -> Result<Tensor> {
        Reader::read(self, name)
    }

    fn read_slice(&self, name: &str, slice: &Slice) -> Result<Tensor> {
        Reader::read_slice(self, name, slice)
    }

    fn find(&self, name: &str) -> Option<String> {
        if self.contains(name) {
            return Some(name.to_owned());
        }
        let key = self.objects().ok()??.find(name)?;
        self.contains(key).then(|| key.to_owned())
    }
}

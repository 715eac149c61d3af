//! Safetensors files: a JSON header with the location of each tensor, and the elements.

use crate::disk::{Append, Disk};
use crate::element::Element;
use crate::files::{Temporary, failed, read_at};
use crate::reader::{Entry, Open, any_file};
use crate::source::{Source, Stored, missing};
use levada_graph::{DType, Error, Result, Shape, Tensor};
use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Maximum size of a header in bytes: what the format allows.
pub(crate) const MOST_HEADER: u64 = 100_000_000;
/// Bytes that are read at a time.
const PIECE: usize = 1 << 20;

/// An open safetensors file. Only the header is in memory; a tensor's elements are read on demand.
pub struct SafeTensors {
    path: PathBuf,
    file: File,
    /// Where the elements begin.
    start: u64,
    tensors: BTreeMap<String, TensorEntry>,
    metadata: BTreeMap<String, String>,
}

/// The header's entry for a tensor.
struct TensorEntry {
    element: Element,
    shape: Shape,
    /// Relative to the first byte after the header.
    range: (u64, u64),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Described {
    dtype: String,
    shape: Vec<u64>,
    data_offsets: (u64, u64),
}

/// A JSON object without duplicate keys.
struct Unique<V>(BTreeMap<String, V>);

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Unique<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Unique<V>, D::Error> {
        struct Entries<V>(PhantomData<V>);
        impl<'de, V: Deserialize<'de>> Visitor<'de> for Entries<V> {
            type Value = Unique<V>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Unique<V>, A::Error> {
                let mut entries = BTreeMap::new();
                while let Some((key, value)) = map.next_entry::<String, V>()? {
                    if entries.contains_key(&key) {
                        return Err(A::Error::custom(format_args!("duplicate key {key:?}")));
                    }
                    entries.insert(key, value);
                }
                Ok(Unique(entries))
            }
        }
        deserializer.deserialize_map(Entries(PhantomData))
    }
}

fn wrong(what: impl Into<String>) -> Error {
    Error::data_loss(what)
}

impl SafeTensors {
    /// Opens a file and checks its header.
    ///
    /// # Errors
    /// `NOT_FOUND` if there is none, `DATA_LOSS` for a malformed header: too long, not JSON, a duplicate key, an
    /// unknown dtype, byte ranges that overlap, leave gaps, do not match the elements or exceed the file.
    pub fn open(path: impl AsRef<Path>) -> Result<SafeTensors> {
        SafeTensors::open_with(path, &any_file())
    }

    /// As [`SafeTensors::open`], through a function that opens files.
    ///
    /// # Errors
    /// As [`SafeTensors::open`], and the errors of the function.
    pub fn open_with(path: impl AsRef<Path>, open: &Open) -> Result<SafeTensors> {
        let path = path.as_ref().to_owned();
        let file = open(&path)?;
        let length = file.metadata().map_err(|e| failed(&path, &e))?.len();
        let in_file = |e: Error| e.in_file(&path.display().to_string());
        let header = header(&file, length).map_err(in_file)?;
        let start = 8 + header.len() as u64;
        let (tensors, metadata) = described(&header, length - start).map_err(in_file)?;
        Ok(SafeTensors { path, file, start, tensors, metadata })
    }

    /// The header's metadata besides the tensors.
    pub fn metadata(&self) -> &BTreeMap<String, String> {
        &self.metadata
    }

    fn entry_of(&self, name: &str) -> Result<&TensorEntry> {
        self.tensors.get(name).ok_or_else(|| missing(self, name))
    }

    fn fill(&self, name: &str, entry: &TensorEntry, tensor: &mut Tensor) -> Result<()> {
        let (mut offset, is_bool) = (self.start + entry.range.0, tensor.dtype() == DType::Bool);
        let bytes = tensor.bytes_mut().ok_or_else(|| Error::internal("a plain tensor without bytes"))?;
        for piece in bytes.chunks_mut(PIECE) {
            read_at(&self.file, piece, offset).map_err(|e| {
                wrong(format!("{name}: the data cannot be read: {e}")).in_file(&self.path.display().to_string())
            })?;
            offset += piece.len() as u64;
            if is_bool {
                piece.iter_mut().for_each(|b| *b = u8::from(*b != 0));
            }
        }
        Ok(())
    }
}

/// The header's text.
fn header(file: &File, length: u64) -> Result<Vec<u8>> {
    let cut = |e: std::io::Error| wrong(format!("the header cannot be read: {e}"));
    let mut size = [0; 8];
    if length < 8 {
        return Err(wrong("the file is too short for safetensors").found(format!("{length} bytes")));
    }
    read_at(file, &mut size, 0).map_err(cut)?;
    let size = u64::from_le_bytes(size);
    if size > MOST_HEADER || size > length - 8 {
        return Err(wrong("the length of the header is invalid")
            .expected(format!("at most {} bytes", MOST_HEADER.min(length - 8)))
            .found(format!("{size} bytes"))
            .help("is this a safetensors file?"));
    }
    let mut text = vec![0; size as usize];
    read_at(file, &mut text, 8).map_err(cut)?;
    match text.first() {
        Some(b'{') => Ok(text),
        _ => Err(wrong("the header is not a JSON object").help("is this a safetensors file?")),
    }
}

/// The tensors and the metadata of a header, for a file with `length` bytes after it.
fn described(header: &[u8], length: u64) -> Result<(BTreeMap<String, TensorEntry>, BTreeMap<String, String>)> {
    let json = |e: serde_json::Error| wrong(format!("the header cannot be read: {e}"));
    let Unique(mut entries) = serde_json::from_slice::<Unique<&serde_json::value::RawValue>>(header).map_err(json)?;
    let metadata = match entries.remove("__metadata__") {
        Some(text) => serde_json::from_str::<Unique<String>>(text.get()).map_err(json)?.0,
        None => BTreeMap::new(),
    };
    let mut tensors = BTreeMap::new();
    for (name, text) in entries {
        let entry = serde_json::from_str(text.get()).map_err(json).and_then(entry);
        let entry = entry.map_err(|mut e| {
            e.fault_mut().message = format!("{name}: {}", e.fault().message);
            e
        })?;
        tensors.insert(name, entry);
    }
    // Every byte belongs to exactly one tensor.
    let mut ranges: Vec<(u64, u64)> = tensors.values().map(|entry| entry.range).collect();
    ranges.sort_unstable();
    let end = ranges.into_iter().try_fold(0, |end, (from, to)| if from == end { Ok(to) } else { Err((end, from)) });
    match end {
        Err((end, from)) => Err(wrong("the byte ranges of the tensors overlap or leave a gap")
            .expected(format!("one from byte {end} on"))
            .found(from)),
        Ok(end) if end != length => Err(wrong("the tensors do not take all of the file")
            .expected(format!("{length} bytes after the header"))
            .found(format!("{end} bytes"))),
        Ok(_) => Ok((tensors, metadata)),
    }
}

fn entry(described: Described) -> Result<TensorEntry> {
    let Described { dtype, shape, data_offsets: range } = described;
    let element = Element::from_safetensors(&dtype).ok_or_else(|| {
        Error::unimplemented(format!("elements of type {dtype:?} are not supported"))
            .expected("such as F32, BF16, I64 or BOOL")
    })?;
    let sizes = shape.into_iter().map(usize::try_from).collect::<Result<Vec<usize>, _>>();
    let shape = sizes.ok().and_then(|sizes| Shape::new(sizes).ok()).ok_or_else(|| wrong("an invalid shape"))?;
    let size = element.bytes(&shape).ok_or_else(|| wrong("a tensor that is not a whole number of bytes"))?;
    match range.1.checked_sub(range.0) {
        Some(length) if length == size => Ok(TensorEntry { element, shape, range }),
        _ => Err(wrong("its byte range does not match the size of its elements")
            .expected(format!("{size} bytes for {element}{shape}"))
            .found(format!("from byte {} to byte {}", range.0, range.1))),
    }
}

impl Source for SafeTensors {
    fn place(&self) -> String {
        self.path.display().to_string()
    }

    fn kind(&self) -> String {
        let mut kind = "safetensors".to_owned();
        for (key, value) in &self.metadata {
            kind.push_str(&format!(", {key}: {value}"));
        }
        kind
    }

    fn names(&self) -> Vec<&str> {
        self.tensors.keys().map(String::as_str).collect()
    }

    fn stored(&self, name: &str) -> Result<Stored> {
        let TensorEntry { element, shape, range } = self.entry_of(name)?;
        Ok(Stored { element: *element, shape: shape.clone(), slices: Vec::new(), bytes: range.1 - range.0 })
    }

    fn entry(&self, name: &str) -> Result<Entry> {
        let entry = self.entry_of(name)?;
        Ok(Entry { dtype: entry.element.dtype(name)?, shape: entry.shape.clone(), slices: Vec::new() })
    }

    fn read(&self, name: &str) -> Result<Tensor> {
        let entry = self.entry_of(name)?;
        let mut tensor = Tensor::try_zeros(entry.element.dtype(name)?, entry.shape.clone())?;
        self.fill(name, entry, &mut tensor)?;
        Ok(tensor)
    }

    fn read_raw(&self, name: &str) -> Result<Tensor> {
        let entry = self.entry_of(name)?;
        let mut tensor = Tensor::try_zeros(DType::U8, Shape::vector((entry.range.1 - entry.range.0) as usize))?;
        self.fill(name, entry, &mut tensor)?;
        Ok(tensor)
    }

    fn find(&self, name: &str) -> Option<String> {
        self.tensors.contains_key(name).then(|| name.to_owned())
    }
}

/// A tensor to be written.
#[derive(Clone, Debug)]
pub struct Planned {
    /// Its name.
    pub name: String,
    /// Type of its elements.
    pub element: Element,
    /// Its shape.
    pub shape: Shape,
}

/// Writes a safetensors file. An existing file is replaced once the new one is completely on disk. `read` returns the
/// elements of one tensor after the other, in the order of the file; for a type that graphs do not support, the bytes.
///
/// # Errors
/// `UNIMPLEMENTED` for tensors whose types such files do not support, all in one error; `INVALID_ARGUMENT` for a
/// duplicate name; the errors of `read` and of writing.
pub fn write(
    disk: &Arc<dyn Disk>,
    path: &Path,
    mut tensors: Vec<Planned>,
    metadata: &BTreeMap<String, String>,
    mut read: impl FnMut(&str) -> Result<Tensor>,
) -> Result<()> {
    let lacking = tensors.iter().filter(|t| t.element.safetensors().is_none());
    let faults = lacking.map(|t| {
        Error::unimplemented(format!(
            "{} cannot be stored in a safetensors file: it has elements of type {}",
            t.name, t.element
        ))
        .help("leave it out, or write a checkpoint")
    });
    if let Some(error) = Error::join(faults.collect()) {
        return Err(error);
    }
    tensors.sort_by(|a, b| b.element.rank().cmp(&a.element.rank()).then_with(|| a.name.cmp(&b.name)));
    let header = header_of(&tensors, metadata)?;
    let unwritten = |e: std::io::Error| failed(path, &e);
    let (temporary, file) = Temporary::create(disk, path)?;
    let mut out = BufWriter::with_capacity(PIECE, Append::to(file));
    out.write_all(&(header.len() as u64).to_le_bytes()).and_then(|()| out.write_all(&header)).map_err(unwritten)?;
    for planned in &tensors {
        let tensor = read(&planned.name)?;
        let bytes = tensor.bytes().filter(|bytes| Some(bytes.len() as u64) == planned.element.bytes(&planned.shape));
        let bytes = bytes.ok_or_else(|| Error::internal(format!("{} is not what was planned", planned.name)))?;
        out.write_all(bytes).map_err(unwritten)?;
    }
    out.into_inner().map_err(|e| e.into_error()).and_then(|out| out.file.sync()).map_err(unwritten)?;
    temporary.place(path)
}

/// The header, padded so that the elements begin at a multiple of 8.
fn header_of(tensors: &[Planned], metadata: &BTreeMap<String, String>) -> Result<Vec<u8>> {
    let mut parts = Vec::with_capacity(tensors.len() + 1);
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    if !metadata.is_empty() {
        let entries: Vec<String> = metadata.iter().map(|(k, v)| format!("{}:{}", quoted(k), quoted(v))).collect();
        parts.push(format!("\"__metadata__\":{{{}}}", entries.join(",")));
    }
    let (mut at, mut names) = (0u64, std::collections::HashSet::new());
    for Planned { name, element, shape } in tensors {
        if name == "__metadata__" || !names.insert(name) {
            return Err(Error::invalid(format!("two tensors of a safetensors file have the same name {name}")));
        }
        let end = element.bytes(shape).and_then(|size| at.checked_add(size));
        let end = end.ok_or_else(|| Error::invalid(format!("{name} is too large, or not a whole number of bytes")))?;
        let dims: Vec<String> = shape.dims().iter().map(usize::to_string).collect();
        parts.push(format!(
            "{}:{{\"dtype\":\"{}\",\"shape\":[{}],\"data_offsets\":[{at},{end}]}}",
            quoted(name),
            element.safetensors().unwrap_or_default(),
            dims.join(",")
        ));
        at = end;
    }
    let mut header = format!("{{{}}}", parts.join(",")).into_bytes();
    header.resize(header.len().next_multiple_of(8), b' ');
    match header.len() as u64 > MOST_HEADER {
        true => Err(Error::invalid("there are too many tensors for the header of a safetensors file")),
        false => Ok(header),
    }
}

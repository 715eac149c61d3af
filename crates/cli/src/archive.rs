//! Files of named tensors, read and written through one interface: checkpoints, safetensors, NumPy's archives.

use crate::{npy, output};
use levada::checkpoint::disk::{Disk, System};
use levada::checkpoint::safetensors::{self, Planned};
use levada::checkpoint::source::missing;
use levada::checkpoint::{Element, OldWriter, Slice, Source, Stored, Writer};
use levada::graph::Bytes;
use levada::{DType, Error, Result, Tensor};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A kind of file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Kind {
    /// TensorFlow's checkpoints: an index and files of data
    V2,
    /// The format before that: one file
    V1,
    /// Safetensors
    Safetensors,
    /// NumPy's archive of arrays
    Npz,
}

impl Kind {
    /// The kind that an extension stands for.
    pub fn of(path: &Path) -> Kind {
        match path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).as_deref() {
            Some("safetensors") => Kind::Safetensors,
            Some("npz") => Kind::Npz,
            _ => Kind::V2,
        }
    }

    /// True for files whose tensors have the names of variables, without an object graph that maps keys to names.
    pub fn is_by_variable(self) -> bool {
        matches!(self, Kind::Safetensors | Kind::Npz)
    }
}

/// Opens a file of tensors: a checkpoint's prefix, one of its files, a directory with checkpoints, `.safetensors`,
/// `.npz`.
///
/// # Errors
/// If there is none, or it cannot be read.
pub fn open(path: &Path) -> Result<Box<dyn Source>> {
    let is_file = path.is_file();
    match path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).as_deref() {
        Some("npz") if is_file => Ok(Box::new(Npz::open(path)?)),
        Some("h5" | "hdf5" | "keras") if is_file => {
            Err(Error::unimplemented(format!("{}: Keras's own files are not read", path.display()))
                .help("in Keras, save the weights as a checkpoint: tf.train.Checkpoint(model=model).save(\"model\")"))
        }
        Some("pt" | "pth" | "pkl" | "pickle") if is_file => {
            Err(Error::unimplemented(format!("{}: pickled objects are never loaded", path.display()))
                .help("save the tensors with safetensors.torch.save_file"))
        }
        _ => levada::checkpoint::open(path),
    }
}

/// An open archive of arrays. Elements are read on demand.
pub struct Npz {
    path: PathBuf,
    zip: Mutex<zip::ZipArchive<BufReader<File>>>,
    /// Indices within the archive, and the contents of the headers.
    arrays: BTreeMap<String, (usize, Stored)>,
}

impl Npz {
    fn open(path: &Path) -> Result<Npz> {
        let file = File::open(path).map_err(|e| Error::new(output::code(&e), format!("{}; {e}", path.display())))?;
        let in_file = |e: Error| e.in_file(&path.display().to_string());
        let broken = |e: zip::result::ZipError| in_file(Error::data_loss(format!("not an .npz file: {e}")));
        let mut zip = zip::ZipArchive::new(BufReader::new(file)).map_err(broken)?;
        let mut arrays = BTreeMap::new();
        for i in 0..zip.len() {
            let mut entry = zip.by_index(i).map_err(broken)?;
            let name = entry.name().map_err(broken)?.into_owned();
            let Some(name) = name.strip_suffix(".npy").map(str::to_owned) else { continue };
            let size = entry.size();
            let (dtype, shape) = npy::read_header(&mut entry).map_err(in_file)?;
            let element = Element::Graph(dtype);
            let bytes = element.bytes(&shape).unwrap_or(size);
            let stored = Stored { element, shape, slices: Vec::new(), bytes };
            arrays.insert(name, (i, stored));
        }
        Ok(Npz { path: path.to_owned(), zip: Mutex::new(zip), arrays })
    }
}

impl Source for Npz {
    fn place(&self) -> String {
        self.path.display().to_string()
    }

    fn kind(&self) -> String {
        "NumPy archive".to_owned()
    }

    fn names(&self) -> Vec<&str> {
        self.arrays.keys().map(String::as_str).collect()
    }

    fn stored(&self, name: &str) -> Result<Stored> {
        self.arrays.get(name).map(|(_, stored)| stored.clone()).ok_or_else(|| missing(self, name))
    }

    fn read(&self, name: &str) -> Result<Tensor> {
        let (at, _) = self.arrays.get(name).ok_or_else(|| missing(self, name))?;
        let lost = |e: &dyn std::fmt::Display| {
            Error::data_loss(format!("{name}: {e}")).in_file(&self.path.display().to_string())
        };
        let mut zip = self.zip.lock().unwrap_or_else(PoisonError::into_inner);
        let mut entry = zip.by_index(*at).map_err(|e| lost(&e))?;
        npy::read_from(&mut entry).map_err(|e| lost(&e.message()))
    }

    fn find(&self, name: &str) -> Option<String> {
        self.arrays.contains_key(name).then(|| name.to_owned())
    }
}

/// A tensor to be written.
pub struct Entry {
    /// Its name in the file.
    pub name: String,
    /// Its type, shape and slices.
    pub stored: Stored,
    /// Its name in the source.
    pub key: String,
}

/// The source of tensors to be written.
pub trait Content {
    /// The elements of a tensor.
    ///
    /// # Errors
    /// Any error from reading.
    fn tensor(&self, key: &str) -> Result<Tensor>;

    /// The elements of part of a tensor.
    ///
    /// # Errors
    /// Any error from reading.
    fn part(&self, key: &str, slice: &Slice) -> Result<Tensor>;

    /// The bytes of a tensor whose type does not exist in graphs.
    ///
    /// # Errors
    /// Any error from reading.
    fn raw(&self, key: &str) -> Result<Tensor>;
}

impl Content for dyn Source {
    fn tensor(&self, key: &str) -> Result<Tensor> {
        self.read(key)
    }

    fn part(&self, key: &str, slice: &Slice) -> Result<Tensor> {
        self.read_slice(key, slice)
    }

    fn raw(&self, key: &str) -> Result<Tensor> {
        self.read_raw(key)
    }
}

impl Content for BTreeMap<String, Tensor> {
    fn tensor(&self, key: &str) -> Result<Tensor> {
        self.get(key).cloned().ok_or_else(|| Error::internal(format!("{key} was not read")))
    }

    fn part(&self, key: &str, slice: &Slice) -> Result<Tensor> {
        levada::checkpoint::source::cut(&self.tensor(key)?, slice)
    }

    fn raw(&self, key: &str) -> Result<Tensor> {
        self.tensor(key)
    }
}

/// Writes tensors one by one to a file of this kind. An existing file is replaced only once the new one is complete.
///
/// # Errors
/// All tensors that such a file cannot hold, in one error; errors of reading and writing.
pub fn write(kind: Kind, path: &Path, entries: &[Entry], content: &(impl Content + ?Sized)) -> Result<()> {
    let raw = |e: &Entry| matches!(e.stored.element, Element::Other(_));
    match kind {
        Kind::V2 => {
            let mut writer = Writer::create(path)?;
            for e in entries {
                if raw(e) {
                    writer.add_raw(&e.name, e.stored.element, &e.stored.shape, &content.raw(&e.key)?)?;
                } else if e.stored.slices.is_empty() {
                    writer.add(&e.name, &content.tensor(&e.key)?)?;
                }
                for slice in &e.stored.slices {
                    writer.add_slice(&e.name, &e.stored.shape, slice, &content.part(&e.key, slice)?)?;
                }
            }
            writer.finish()
        }
        Kind::V1 => {
            let mut writer = OldWriter::default();
            refuse(entries.iter().filter(|e| raw(e)), "a checkpoint of the first format")?;
            for e in entries {
                let all = [Slice::full(e.stored.shape.rank())];
                let slices = if e.stored.slices.is_empty() { &all[..] } else { &e.stored.slices };
                for slice in slices {
                    writer.add_slice(&e.name, &e.stored.shape, slice, &content.part(&e.key, slice)?)?;
                }
            }
            writer.write(path)
        }
        Kind::Safetensors => {
            let keys: BTreeMap<&str, &Entry> = entries.iter().map(|e| (e.name.as_str(), e)).collect();
            let planned =
                |e: &Entry| Planned { name: e.name.clone(), element: e.stored.element, shape: e.stored.shape.clone() };
            let disk: Arc<dyn Disk> = Arc::new(System);
            let planned = entries.iter().map(planned).collect();
            safetensors::write(&disk, path, planned, &BTreeMap::new(), |name| match keys.get(name) {
                Some(e) if raw(e) => content.raw(&e.key),
                Some(e) => content.tensor(&e.key),
                None => Err(Error::internal(format!("{name} was not planned"))),
            })
        }
        Kind::Npz => {
            let has_none = |e: &&Entry| match e.stored.element {
                Element::Graph(dtype) => dtype.is_narrow() || matches!(dtype, DType::Variant | DType::Resource),
                Element::Other(_) => true,
            };
            refuse(entries.iter().filter(has_none), "an .npz file")?;
            output::write(path, |out| {
                let mut archive = npy::Archive::new(out);
                for e in entries {
                    let tensor = content.tensor(&e.key)?;
                    let strings = if tensor.dtype() == DType::Str { tensor.slice::<Bytes>()? } else { &[] };
                    if strings.iter().any(|s| s.last() == Some(&0)) {
                        return Err(Error::unimplemented(format!(
                            "{} cannot be in an .npz file: NumPy's strings do not end with a zero byte",
                            e.name
                        )));
                    }
                    archive.array(&e.name, &tensor)?;
                }
                archive.finish()
            })
        }
    }
}

/// The error for tensors that a kind of file cannot hold.
fn refuse<'e>(entries: impl Iterator<Item = &'e Entry>, what: &str) -> Result<()> {
    let fault = |e: &Entry| {
        let text = format!("{} cannot be in {what}: it has elements of type {}", e.name, e.stored.element);
        Error::unimplemented(text).help("leave it out with --select")
    };
    Error::join(entries.map(fault).collect()).map_or(Ok(()), Err)
}

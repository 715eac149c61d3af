//! Files: their names, reading at an offset, and writing so that a crash leaves the previous file intact.

use crate::disk::{Disk, DiskFile};
use levada_graph::{Code, Error, Result};
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The index of the checkpoint with this prefix.
pub fn index_path(prefix: &Path) -> PathBuf {
    with(prefix, ".index")
}

/// One of the files with the data of the checkpoint with this prefix.
pub fn data_path(prefix: &Path, shard: usize, shards: usize) -> PathBuf {
    with(prefix, &format!(".data-{shard:05}-of-{shards:05}"))
}

/// The path with `ending` appended to its last component.
pub(crate) fn with(path: &Path, ending: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(ending);
    path.into()
}

/// The error for a file that cannot be used.
pub(crate) fn failed(path: &Path, error: &io::Error) -> Error {
    let code = match error.kind() {
        ErrorKind::NotFound => Code::NotFound,
        ErrorKind::PermissionDenied => Code::PermissionDenied,
        ErrorKind::AlreadyExists => Code::AlreadyExists,
        ErrorKind::OutOfMemory | ErrorKind::StorageFull => Code::ResourceExhausted,
        ErrorKind::UnexpectedEof => Code::DataLoss,
        ErrorKind::IsADirectory | ErrorKind::NotADirectory => Code::FailedPrecondition,
        _ => Code::Unknown,
    };
    Error::new(code, format!("{}; {error}", path.display()))
}

/// Fills `out` from `offset` in the file.
pub(crate) fn read_at(file: &File, out: &mut [u8], offset: u64) -> io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::read_exact_at(file, out, offset);
    #[cfg(windows)]
    {
        let (mut out, mut offset) = (out, offset);
        while !out.is_empty() {
            match std::os::windows::fs::FileExt::seek_read(file, out, offset) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(n) => (out, offset) = (&mut out[n..], offset + n as u64),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// A temporary file next to its target. Dropping it before it is in place removes it.
pub(crate) struct Temporary {
    disk: Arc<dyn Disk>,
    path: PathBuf,
    placed: bool,
}

/// The separator between the target's name and the numbers of the process and of the file.
const TEMPORARY: &str = ".tempstate";
/// Number of the next temporary file. It only distinguishes the files of one process.
static NUMBER: AtomicU64 = AtomicU64::new(0);

impl Temporary {
    /// A new file for `target`, in its directory, which is created if it does not exist.
    pub(crate) fn create(disk: &Arc<dyn Disk>, target: &Path) -> Result<(Temporary, Box<dyn DiskFile>)> {
        let directory = directory(target);
        disk.make_directory(directory).map_err(|e| failed(directory, &e))?;
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let path = with(target, &format!("{TEMPORARY}{}-{number}", std::process::id()));
            match disk.create(&path) {
                Ok(file) => return Ok((Temporary { disk: disk.clone(), path, placed: false }, file)),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(failed(&path, &error)),
            }
        }
    }

    /// Renames the file, which is completely on disk, replacing an existing one.
    pub(crate) fn place(mut self, target: &Path) -> Result<()> {
        self.disk.rename(&self.path, target).map_err(|e| failed(target, &e))?;
        self.placed = true;
        let directory = directory(target);
        self.disk.sync_directory(directory).map_err(|e| failed(directory, &e))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.placed {
            // A leftover file does no harm.
            let _ = self.disk.remove(&self.path);
        }
    }
}

/// Removes files left behind by processes that were killed while writing checkpoints whose prefixes begin with
/// `prefix`.
pub fn remove_leftovers(disk: &dyn Disk, prefix: &Path) {
    let Some(stem) = prefix.file_name().map(|n| n.to_string_lossy().into_owned()) else { return };
    let Ok(entries) = fs::read_dir(directory(prefix)) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let numbers = name.split_once(TEMPORARY).filter(|(target, _)| target.starts_with(&stem));
        let Some((process, number)) = numbers.and_then(|(_, numbers)| numbers.split_once('-')) else { continue };
        let (Ok(process), Ok(number)) = (process.parse::<u32>(), number.parse::<u64>()) else { continue };
        // An earlier process may have had the same id. Without a list of processes, another may still run.
        let is_left = match process == std::process::id() {
            true => number >= NUMBER.load(Ordering::Relaxed),
            false => Path::new("/proc/self").exists() && !Path::new(&format!("/proc/{process}")).exists(),
        };
        if is_left {
            let _ = disk.remove(&entry.path());
        }
    }
}

/// The directory that a file is in.
pub(crate) fn directory(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Writes a file atomically: at any moment either the old or the new content exists.
pub(crate) fn replace(disk: &Arc<dyn Disk>, path: &Path, contents: &[u8]) -> Result<()> {
    let (temporary, file) = Temporary::create(disk, path)?;
    file.write_at(contents, 0).and_then(|()| file.sync()).map_err(|e| failed(path, &e))?;
    temporary.place(path)
}

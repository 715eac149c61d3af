//! Files: their names, reading at a place, and writing so that a crash leaves what was there before.

use levada_graph::{Code, Error, Result};
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// The index of the checkpoint with this prefix.
pub fn index_path(prefix: &Path) -> PathBuf {
    with(prefix, ".index")
}

/// One of the files with the data of the checkpoint with this prefix.
pub fn data_path(prefix: &Path, shard: usize, shards: usize) -> PathBuf {
    with(prefix, &format!(".data-{shard:05}-of-{shards:05}"))
}

/// The path with `ending` behind its last name.
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

/// Fills `out` with what the file holds from `offset` on.
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

/// A file that is being written beside the one that it is going to be. Removed where it is dropped before it is in place.
pub(crate) struct Temporary {
    path: PathBuf,
    placed: bool,
}

impl Temporary {
    /// A new file for `target`, in its directory, which is made where it is not there.
    pub(crate) fn create(target: &Path) -> Result<(Temporary, File)> {
        // Only tells the files of one process apart.
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let directory = directory(target);
        fs::create_dir_all(directory).map_err(|e| failed(directory, &e))?;
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let path = with(target, &format!(".tempstate{}-{number}", std::process::id()));
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => return Ok((Temporary { path, placed: false }, file)),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(failed(&path, &error)),
            }
        }
    }

    /// Puts the file, all of which is on disk, where it belongs, in place of one that may be there.
    pub(crate) fn place(mut self, target: &Path) -> Result<()> {
        fs::rename(&self.path, target).map_err(|e| failed(target, &e))?;
        self.placed = true;
        sync_directory(target)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.placed {
            // Nothing is lost where it stays.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// The directory that a file is in.
pub(crate) fn directory(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Waits until the names in the directory of `path` are on disk.
pub(crate) fn sync_directory(path: &Path) -> Result<()> {
    // Elsewhere directories cannot be opened, and renames are on disk in order.
    if cfg!(unix) {
        let directory = directory(path);
        File::open(directory).and_then(|d| d.sync_all()).map_err(|e| failed(directory, &e))?;
    }
    Ok(())
}

/// Writes a file whole, so that at any moment either what was there before or this is there.
pub(crate) fn replace(path: &Path, contents: &[u8]) -> Result<()> {
    let (temporary, mut file) = Temporary::create(path)?;
    let written = io::Write::write_all(&mut file, contents).and_then(|()| file.sync_all());
    written.map_err(|e| failed(path, &e))?;
    temporary.place(path)
}

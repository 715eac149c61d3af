//! The files that ops may access: none, unless the caller grants directories.

use crate::outside::Outside;
use levada_graph::{Code, Error, Result};
use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File};
use std::io::{BufRead, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Which files ops may read and write.
#[derive(Clone, Default)]
pub struct Files {
    /// Resolved, so that neither `..` nor links lead outside.
    granted: Vec<PathBuf>,
    /// As `granted`, for files that are only read.
    readable: Vec<PathBuf>,
    /// Is notified of files before they are read.
    outside: Option<Arc<dyn Outside>>,
}

impl fmt::Debug for Files {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Files")
            .field("granted", &self.granted)
            .field("readable", &self.readable)
            .finish_non_exhaustive()
    }
}

impl Files {
    /// No files at all.
    pub fn none() -> Files {
        Files::default()
    }

    /// The files in these directories and below them.
    ///
    /// # Errors
    /// `NOT_FOUND` and the like for a directory that cannot be resolved.
    pub fn under(directories: impl IntoIterator<Item = impl AsRef<Path>>) -> Result<Files> {
        let resolve = |d: &Path| fs::canonicalize(d).map_err(|e| failed(d, &e));
        let granted = directories.into_iter().map(|d| resolve(d.as_ref())).collect::<Result<_>>()?;
        Ok(Files { granted, ..Files::default() })
    }

    /// The same files, plus those in `directory` and below it, read-only.
    ///
    /// # Errors
    /// `NOT_FOUND` and the like for a directory that cannot be resolved.
    pub fn and_read(mut self, directory: impl AsRef<Path>) -> Result<Files> {
        let directory = directory.as_ref();
        self.readable.push(fs::canonicalize(directory).map_err(|e| failed(directory, &e))?);
        Ok(self)
    }

    /// The same files; `outside` is notified of each before it is read.
    pub fn watched(self, outside: Arc<dyn Outside>) -> Files {
        Files { outside: Some(outside), ..self }
    }

    /// The resolved path of a file that ops may read and write, whether it exists or not.
    ///
    /// # Errors
    /// `PERMISSION_DENIED` for a file that is not granted.
    pub fn resolve(&self, path: impl AsRef<Path>) -> Result<PathBuf> {
        Files::within(path.as_ref(), &[&self.granted])
    }

    /// As [`Files::resolve`], for a file that is only read.
    fn resolve_to_read(&self, path: &Path) -> Result<PathBuf> {
        Files::within(path, &[&self.granted, &self.readable])
    }

    fn within(asked: &Path, granted: &[&[PathBuf]]) -> Result<PathBuf> {
        if granted.iter().all(|directories| directories.is_empty()) {
            return Err(denied(asked));
        }
        let path = asked.strip_prefix("file://").unwrap_or(asked);
        // An existing path is resolved; missing components must be plain names below one, and not dangling links.
        let (mut exists, mut missing) = (path, Vec::new());
        let mut resolved = loop {
            let found = if exists.as_os_str().is_empty() { fs::canonicalize(".") } else { fs::canonicalize(exists) };
            match (found, exists.file_name(), exists.parent()) {
                (Ok(found), ..) => break found,
                (Err(_), Some(name), Some(parent)) if fs::symlink_metadata(exists).is_err() => {
                    missing.push(name);
                    exists = parent;
                }
                _ => return Err(denied(asked)),
            }
        };
        resolved.extend(missing.into_iter().rev());
        match granted.iter().copied().flatten().any(|d| resolved.starts_with(d)) {
            true => Ok(resolved),
            false => Err(denied(asked)),
        }
    }

    /// Opens a file to read it.
    ///
    /// # Errors
    /// `PERMISSION_DENIED` for a file that is not granted, and an error if it cannot be opened.
    pub fn open(&self, path: impl AsRef<Path>) -> Result<File> {
        let (resolved, path) = (self.resolve_to_read(path.as_ref())?, path.as_ref());
        check_regular(&resolved, path)?;
        if let Some(outside) = &self.outside {
            outside.opens(&resolved)?;
        }
        File::open(resolved).map_err(|e| failed(path, &e))
    }

    /// The contents of a file.
    ///
    /// # Errors
    /// As [`Files::resolve`], and an error if it cannot be read.
    pub fn read(&self, path: impl AsRef<Path>) -> Result<Vec<u8>> {
        let (mut file, path) = (self.open(&path)?, path.as_ref());
        let len = file.metadata().map_err(|e| failed(path, &e))?.len();
        let mut contents = Vec::new();
        let no_memory = || Error::resource_exhausted(format!("{}; no memory for its {len} bytes", path.display()));
        let size = usize::try_from(len).map_err(|_| no_memory())?;
        if let Some(meter) = crate::lane::meter() {
            meter.check(size)?;
        }
        contents.try_reserve_exact(size).map_err(|_| no_memory())?;
        file.read_to_end(&mut contents).map_err(|e| failed(path, &e))?;
        Ok(contents)
    }

    /// Writes a file, replacing an existing one, and creates its directories.
    ///
    /// # Errors
    /// As [`Files::resolve`], and an error if it cannot be written.
    pub fn write(&self, path: impl AsRef<Path>, contents: &[u8]) -> Result<()> {
        let resolved = self.resolve(&path)?;
        if resolved.exists() {
            check_regular(&resolved, path.as_ref())?;
        }
        let made = resolved.parent().map_or(Ok(()), fs::create_dir_all);
        made.and_then(|()| fs::write(resolved, contents)).map_err(|e| failed(path.as_ref(), &e))
    }

    /// Names of the entries of a directory; none if it does not exist.
    ///
    /// # Errors
    /// As [`Files::resolve`], and an error if it cannot be read.
    pub fn list(&self, directory: impl AsRef<Path>) -> Result<Vec<OsString>> {
        let entries = match fs::read_dir(self.resolve_to_read(directory.as_ref())?) {
            Ok(entries) => entries,
            Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(Vec::new()),
            Err(e) => return Err(failed(directory.as_ref(), &e)),
        };
        let names: std::io::Result<Vec<OsString>> = entries.map(|entry| entry.map(|e| e.file_name())).collect();
        names.map_err(|e| failed(directory.as_ref(), &e))
    }

    /// True for a file or directory that exists.
    ///
    /// # Errors
    /// As [`Files::resolve`].
    pub fn exists(&self, path: impl AsRef<Path>) -> Result<bool> {
        Ok(self.resolve_to_read(path.as_ref())?.exists())
    }
}

/// Checks that a path is that of a regular file: opening a pipe may block forever, and devices never end.
fn check_regular(resolved: &Path, asked: &Path) -> Result<()> {
    let kind = fs::metadata(resolved).map_err(|e| failed(asked, &e))?.file_type();
    match kind {
        kind if kind.is_file() => Ok(()),
        kind if kind.is_dir() => Err(failed(asked, &std::io::Error::from(ErrorKind::IsADirectory))),
        _ => Err(Error::failed_precondition(format!("{} is a pipe, a socket or a device", asked.display()))
            .expected("a regular file")),
    }
}

fn denied(path: &Path) -> Error {
    Error::permission_denied(format!("access to {} is not granted", path.display()))
        .help("grant its directory: --allow-files DIR on the command line, `files` in the session's options")
}

/// The error for a file that cannot be used.
pub fn failed(path: &Path, error: &std::io::Error) -> Error {
    let code = match error.kind() {
        ErrorKind::NotFound => Code::NotFound,
        ErrorKind::PermissionDenied => Code::PermissionDenied,
        ErrorKind::AlreadyExists => Code::AlreadyExists,
        ErrorKind::OutOfMemory | ErrorKind::StorageFull => Code::ResourceExhausted,
        ErrorKind::IsADirectory | ErrorKind::NotADirectory | ErrorKind::DirectoryNotEmpty => Code::FailedPrecondition,
        _ => Code::Unknown,
    };
    Error::new(code, format!("{}; {error}", path.display()))
}

/// Bytes of a line that are read at a time.
const PART: u64 = 1 << 20;

/// Reads up to the end of a line, as far as memory allows: a file may be a single line.
///
/// # Errors
/// `RESOURCE_EXHAUSTED` if memory runs out, and what reading fails with.
pub fn read_line(
    lines: &mut impl BufRead,
    line: &mut Vec<u8>,
    failed: impl Fn(&std::io::Error) -> Error,
) -> Result<()> {
    while lines.by_ref().take(PART).read_until(b'\n', line).map_err(|e| failed(&e))? == PART as usize
        && line.last() != Some(&b'\n')
    {
        if let Some(meter) = crate::lane::meter() {
            meter.check_strings(line.len())?;
        }
        let len = line.len();
        let no_memory = |_| Error::resource_exhausted(format!("no memory for a line of more than {len} bytes"));
        line.try_reserve(PART as usize).map_err(no_memory)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_outside_of_what_is_granted() {
        let here = std::env::temp_dir().join(format!("levada-files-{}", std::process::id()));
        let inside = here.join("inside");
        fs::create_dir_all(&inside).unwrap();
        fs::write(here.join("secret"), "s").unwrap();
        fs::write(inside.join("open"), "o").unwrap();
        let files = Files::under([&inside]).unwrap();
        let code = |path: &Path| files.read(path).unwrap_err().code();
        assert_eq!(files.read(inside.join("open")).unwrap(), b"o");
        assert_eq!(code(&here.join("secret")), Code::PermissionDenied);
        assert_eq!(code(&inside.join("../secret")), Code::PermissionDenied);
        assert_eq!(code(&inside.join("missing")), Code::NotFound);
        assert_eq!(code(&inside.join("missing/too")), Code::NotFound);
        assert_eq!(code(&here.join("missing")), Code::PermissionDenied);
        assert_eq!(code(&inside.join("missing/../../secret")), Code::PermissionDenied);
        files.write(inside.join("new/file"), b"n").unwrap();
        assert_eq!(files.read(inside.join("new/file")).unwrap(), b"n");
        assert_eq!(files.write(here.join("new"), b"n").unwrap_err().code(), Code::PermissionDenied);
        assert_eq!(files.list(here.join("inside/..")).unwrap_err().code(), Code::PermissionDenied);
        assert_eq!(Files::none().read(inside.join("open")).unwrap_err().code(), Code::PermissionDenied);
        let reading = Files::none().and_read(&inside).unwrap();
        assert_eq!(reading.read(inside.join("open")).unwrap(), b"o");
        assert_eq!(reading.list(&inside).unwrap().len(), 2);
        assert_eq!(reading.write(inside.join("open"), b"n").unwrap_err().code(), Code::PermissionDenied);
        assert_eq!(reading.read(here.join("secret")).unwrap_err().code(), Code::PermissionDenied);
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(here.join("secret"), inside.join("link")).unwrap();
            assert_eq!(code(&inside.join("link")), Code::PermissionDenied);
            std::os::unix::fs::symlink(here.join("later"), inside.join("dangling")).unwrap();
            assert_eq!(files.write(inside.join("dangling"), b"n").unwrap_err().code(), Code::PermissionDenied);
            assert_eq!(files.write(inside.join("dangling/x"), b"n").unwrap_err().code(), Code::PermissionDenied);
        }
        fs::remove_dir_all(&here).unwrap();
    }
}

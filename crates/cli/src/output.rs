//! Output files: checked before the work, and written whole or not at all.

use levada::{Code, Error, Result};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The format of results, determined by the file name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// An archive of NumPy's arrays.
    Npz,
    /// One of NumPy's arrays.
    Npy,
    /// One JSON object.
    Json,
    /// A table with a line of names.
    Csv,
}

impl Format {
    /// The format for the extension of `path`.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for any other extension.
    pub fn of(path: &Path, flag: &str) -> Result<Format> {
        let extension = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
        match extension.as_deref() {
            Some("npz") => Ok(Format::Npz),
            Some("npy") => Ok(Format::Npy),
            Some("json") => Ok(Format::Json),
            Some("csv") => Ok(Format::Csv),
            _ => Err(Error::invalid(format!("{flag} {}: the name does not say which format to write", path.display()))
                .expected("a name that ends in .npz, .npy, .json or .csv")
                .help(format!("{flag} {}", path.with_extension("npz").display()))),
        }
    }
}

/// Checks that a file can be written, without changing anything.
///
/// # Errors
/// `NOT_FOUND`, `PERMISSION_DENIED` and the like, naming the flag and the file.
pub fn check(flag: &str, path: &Path) -> Result<()> {
    let fault = |code: Code, why: String| Error::new(code, format!("{flag} {}: {why}", path.display()));
    let folder = folder(path);
    if path.is_dir() || path.as_os_str().to_string_lossy().ends_with('/') {
        return Err(fault(Code::FailedPrecondition, "this is a directory".to_owned()).help("name a file in it"));
    }
    match fs::metadata(folder) {
        Err(e) if e.kind() == ErrorKind::NotFound => {
            return Err(fault(Code::NotFound, format!("the directory {} does not exist", folder.display()))
                .help(format!("make it first: mkdir -p {}", folder.display())));
        }
        Err(e) => return Err(fault(code(&e), e.to_string())),
        Ok(m) if !m.is_dir() => {
            return Err(fault(Code::FailedPrecondition, format!("{} is not a directory", folder.display())));
        }
        Ok(_) => {}
    }
    let opened = match fs::metadata(path) {
        Ok(m) if m.is_file() => OpenOptions::new().append(true).open(path).map(drop),
        // Opening a pipe or a device may have side effects.
        Ok(_) => Ok(()),
        Err(_) => {
            let temporary = temporary(path);
            let made = File::create_new(&temporary).map(drop);
            let _ = fs::remove_file(&temporary);
            made
        }
    };
    opened.map_err(|e| {
        fault(code(&e), format!("the file cannot be written: {e}")).help("name a path that can be written")
    })
}

/// The faults of all files that flags name, including the same file for two purposes.
pub fn check_all(files: &[(&str, &Path)], graph: &Path) -> Vec<Error> {
    let mut faults: Vec<Error> = files.iter().filter_map(|(flag, path)| check(flag, path).err()).collect();
    let same = |a: &Path, b: &Path| match (fs::canonicalize(a), fs::canonicalize(b)) {
        (Ok(a), Ok(b)) => a == b && a.is_file(),
        _ => a == b,
    };
    for (i, (flag, path)) in files.iter().enumerate() {
        if let Some((other, _)) = files[..i].iter().find(|(_, other)| same(path, other)) {
            let text = format!("{other} and {flag} name the same file, {}", path.display());
            faults.push(Error::invalid(text).help("give each its own file"));
        }
        if same(path, graph) {
            let text = format!("{flag} {} would overwrite the graph", path.display());
            faults.push(Error::invalid(text).help("give it its own file"));
        }
    }
    faults
}

/// Writes a file. An existing file of this name is replaced when the new one is complete, and stays unchanged if
/// something fails.
///
/// # Errors
/// What `content` fails with; `PERMISSION_DENIED`, `RESOURCE_EXHAUSTED` and the like, naming the file.
pub fn write(path: &Path, content: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    let failed = |e: io::Error| unwritten(path, &e);
    // A link keeps pointing to the file. A file that is not regular, such as a pipe, and a file in a directory that
    // takes no new files are written in place.
    let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let before = fs::metadata(&place).ok();
    let temporary = temporary(&place);
    let replaced = before.as_ref().is_none_or(fs::Metadata::is_file);
    let new = if replaced { File::create_new(&temporary).ok() } else { None };
    let (file, temporary) = match new {
        Some(file) => (file, Some(temporary)),
        None => (OpenOptions::new().write(true).create(true).truncate(true).open(&place).map_err(failed)?, None),
    };
    let mut out = BufWriter::with_capacity(1 << 18, file);
    let mut done = content(&mut out).and_then(|()| out.flush().map_err(failed));
    // What is left in the buffer after a fault is discarded.
    drop(out.into_parts());
    if let Some(temporary) = &temporary {
        if let Some(before) = &before {
            let _ = fs::set_permissions(temporary, before.permissions());
        }
        done = done.and_then(|()| fs::rename(temporary, &place).map_err(failed));
        if done.is_err() {
            let _ = fs::remove_file(temporary);
        }
    }
    done
}

/// [`write()`] of these bytes.
///
/// # Errors
/// As [`write()`].
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<()> {
    write(path, |out| out.write_all(bytes).map_err(|e| unwritten(path, &e)))
}

/// The error for a file that could not be written.
pub fn unwritten(path: &Path, error: &io::Error) -> Error {
    Error::new(code(error), format!("the file cannot be written: {error}")).file(path.display())
}

/// The code for a file error.
pub fn code(error: &io::Error) -> Code {
    match error.kind() {
        ErrorKind::NotFound => Code::NotFound,
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => Code::PermissionDenied,
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Code::ResourceExhausted,
        ErrorKind::IsADirectory | ErrorKind::NotADirectory => Code::FailedPrecondition,
        _ => Code::Unknown,
    }
}

/// The directory that a file is in.
pub fn folder(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The temporary file beside this one, used until the contents are complete.
pub fn temporary(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.part", std::process::id()))
}

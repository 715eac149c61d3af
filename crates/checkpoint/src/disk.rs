//! The file system operations for writing a checkpoint, so that tests can make them fail.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;

/// A file system that checkpoints are written to.
pub trait Disk: Send + Sync {
    /// Creates a directory and its parents if they do not exist.
    ///
    /// # Errors
    /// Any error of the file system.
    fn make_directory(&self, path: &Path) -> io::Result<()>;

    /// Creates a file that does not exist yet.
    ///
    /// # Errors
    /// `AlreadyExists` if it does, and any other error of the file system.
    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>>;

    /// Renames a file, replacing a file of that name.
    ///
    /// # Errors
    /// Any error of the file system; nothing has changed then.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file.
    ///
    /// # Errors
    /// Any error of the file system.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Returns once the names in a directory are on disk.
    ///
    /// # Errors
    /// Any error of the file system.
    fn sync_directory(&self, path: &Path) -> io::Result<()>;
}

/// A file that is being written, from any number of threads.
pub trait DiskFile: Send + Sync {
    /// Writes bytes at an offset.
    ///
    /// # Errors
    /// Any error of the file system.
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()>;

    /// Returns once everything that was written is on disk.
    ///
    /// # Errors
    /// Any error of the file system.
    fn sync(&self) -> io::Result<()>;
}

/// The machine's own file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct System;

impl Disk for System {
    fn make_directory(&self, path: &Path) -> io::Result<()> {
        fs::create_dir_all(path).map_err(|error| match error.kind() {
            // A file exists at the path of the directory.
            io::ErrorKind::AlreadyExists => io::ErrorKind::NotADirectory.into(),
            _ => error,
        })
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        let file = OpenOptions::new().write(true).create_new(true).open(path)?;
        Ok(Box::new(file))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        // On other systems directories cannot be opened, and renames reach the disk in order.
        if cfg!(unix) { File::open(path)?.sync_all() } else { Ok(()) }
    }
}

impl DiskFile for File {
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        #[cfg(unix)]
        return std::os::unix::fs::FileExt::write_all_at(self, bytes, offset);
        #[cfg(windows)]
        {
            let (mut bytes, mut offset) = (bytes, offset);
            while !bytes.is_empty() {
                match std::os::windows::fs::FileExt::seek_write(self, bytes, offset) {
                    Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                    Ok(n) => (bytes, offset) = (&bytes[n..], offset + n as u64),
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => return Err(error),
                }
            }
            Ok(())
        }
    }

    fn sync(&self) -> io::Result<()> {
        self.sync_all()
    }
}

/// Writes to a file sequentially from its beginning.
pub(crate) struct Append {
    pub file: Box<dyn DiskFile>,
    offset: u64,
}

impl Append {
    pub(crate) fn to(file: Box<dyn DiskFile>) -> Append {
        Append { file, offset: 0 }
    }
}

impl io::Write for Append {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write_at(bytes, self.offset)?;
        self.offset += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

//! Retention of the checkpoints in a directory.

use levada_checkpoint::disk::Disk;
use levada_checkpoint::{State, index_path, remove_leftovers};
use levada_graph::Result;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Which checkpoints are kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Keep {
    /// The number of latest checkpoints to keep; 0 for all.
    pub max: usize,
    /// The interval at which one is kept permanently.
    pub every: Option<Duration>,
}

impl Default for Keep {
    /// The last five, as in TensorFlow.
    fn default() -> Keep {
        Keep { max: 5, every: None }
    }
}

/// The checkpoints of a directory that a saver knows of.
pub(super) struct Retained {
    disk: Arc<dyn Disk>,
    pub directory: PathBuf,
    /// Names of the checkpoints, the oldest first, and when they were saved.
    latest: Vec<(String, f64)>,
    last_preserved: f64,
}

/// Seconds since 1970.
fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |d| d.as_secs_f64())
}

impl Retained {
    /// The existing checkpoints of a directory. Removes leftover files of killed processes whose prefixes begin with
    /// `prefix`.
    pub(super) fn read(disk: &Arc<dyn Disk>, directory: &Path, prefix: &Path) -> Result<Retained> {
        remove_leftovers(&**disk, prefix);
        remove_leftovers(&**disk, &State::path(directory));
        let state = State::read(directory)?.unwrap_or_default();
        let times = state.times.iter().copied().chain(std::iter::repeat(now()));
        let last_preserved = state.last_preserved.unwrap_or_else(now);
        let mut kept =
            Retained { disk: disk.clone(), directory: directory.to_owned(), latest: Vec::new(), last_preserved };
        for (name, time) in state.all.into_iter().zip(times) {
            // This saver does not remove checkpoints elsewhere.
            let Some(name) = local(&name, directory) else { continue };
            if index_path(&directory.join(&name)).exists() {
                kept.latest.push((name, time));
            } else {
                // Its removal had begun.
                kept.remove(&name);
            }
        }
        Ok(kept)
    }

    /// Makes a checkpoint the latest one, and removes surplus ones. They stay in the list until their files are gone,
    /// so that another process can remove them if this one fails to.
    pub(super) fn add(&mut self, name: String, keep: Keep) -> Result<()> {
        self.latest.retain(|(known, _)| *known != name);
        self.latest.push((name.clone(), now()));
        self.write()?;
        let mut removed = Vec::new();
        let before = self.latest.len();
        while keep.max > 0 && self.latest.len() > keep.max {
            let (old, time) = self.latest.remove(0);
            match keep.every {
                Some(every) if time > self.last_preserved + every.as_secs_f64() => self.last_preserved = time,
                _ => removed.push(old),
            }
        }
        removed.iter().for_each(|old| self.remove(old));
        if self.latest.len() < before { self.write() } else { Ok(()) }
    }

    fn write(&self) -> Result<()> {
        let (all, times) = self.latest.iter().cloned().unzip();
        let latest = self.latest.last().map(|(name, _)| name.clone()).unwrap_or_default();
        let state = State { latest, all, times, last_preserved: Some(self.last_preserved) };
        state.write_on(&self.disk, &self.directory)
    }

    /// Removes the files of a checkpoint, the index first. Files that cannot be removed only take space.
    fn remove(&self, name: &str) {
        let _ = self.disk.remove(&index_path(&self.directory.join(name)));
        let data = format!("{name}.data-");
        for entry in fs::read_dir(&self.directory).into_iter().flatten().flatten() {
            let is_shard = |rest: &str| rest.bytes().all(|b| b.is_ascii_digit() || b"-of".contains(&b));
            if entry.file_name().to_string_lossy().strip_prefix(&data).is_some_and(is_shard) {
                let _ = self.disk.remove(&entry.path());
            }
        }
    }
}

/// The name of a checkpoint within its directory; `None` for one that is elsewhere.
fn local(name: &str, directory: &Path) -> Option<String> {
    let path = Path::new(name);
    if path.is_relative() {
        return (path.components().count() == 1).then(|| name.to_owned());
    }
    let (home, file) = (path.parent()?, path.file_name()?);
    let same = home == directory || home.canonicalize().ok()? == directory.canonicalize().ok()?;
    same.then(|| file.to_string_lossy().into_owned())
}

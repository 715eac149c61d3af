//! Which checkpoints of a directory stay.

use levada_checkpoint::disk::Disk;
use levada_checkpoint::{Reader, State, data_path, index_path, remove_leftovers};
use levada_graph::Result;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Which checkpoints stay.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Keep {
    /// How many of the latest; 0 for all.
    pub max: usize,
    /// How often one is kept for good.
    pub every: Option<Duration>,
}

impl Default for Keep {
    /// The last five, as in TensorFlow.
    fn default() -> Keep {
        Keep { max: 5, every: None }
    }
}

/// The checkpoints of a directory that a saver knows of.
pub(super) struct Kept {
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

impl Kept {
    /// The checkpoints that a directory has already. What killed processes left behind of those whose prefixes begin with `prefix` is
    /// removed.
    pub(super) fn read(disk: &Arc<dyn Disk>, directory: &Path, prefix: &Path) -> Result<Kept> {
        remove_leftovers(&**disk, prefix);
        let state = State::read(directory)?.unwrap_or_default();
        let times = state.times.iter().copied().chain(std::iter::repeat(now()));
        let mut latest: Vec<(String, f64)> = state.all.into_iter().zip(times).collect();
        // What is elsewhere is not removed by this saver.
        latest.retain_mut(|(name, _)| match local(name, directory) {
            Some(local) => {
                *name = local;
                index_path(&directory.join(&*name)).exists()
            }
            None => false,
        });
        let last_preserved = state.last_preserved.unwrap_or_else(now);
        Ok(Kept { disk: disk.clone(), directory: directory.to_owned(), latest, last_preserved })
    }

    /// Makes a checkpoint the latest one, and removes those that are too many: first from the list, then the files.
    pub(super) fn add(&mut self, name: String, keep: Keep) -> Result<()> {
        self.latest.retain(|(known, _)| *known != name);
        self.latest.push((name.clone(), now()));
        let mut removed = Vec::new();
        while keep.max > 0 && self.latest.len() > keep.max {
            let (old, time) = self.latest.remove(0);
            match keep.every {
                Some(every) if time > self.last_preserved + every.as_secs_f64() => self.last_preserved = time,
                _ => removed.push(old),
            }
        }
        let (all, times) = self.latest.iter().cloned().unzip();
        let state = State { latest: name, all, times, last_preserved: Some(self.last_preserved) };
        state.write_on(&self.disk, &self.directory)?;
        for old in removed {
            self.remove(&self.directory.join(old));
        }
        Ok(())
    }

    /// Removes the files of a checkpoint. What cannot be removed takes space and does nothing else.
    fn remove(&self, prefix: &Path) {
        let shards = Reader::open(prefix).map_or(1, |reader| reader.shards());
        let _ = self.disk.remove(&index_path(prefix));
        for shard in 0..shards {
            let _ = self.disk.remove(&data_path(prefix, shard, shards));
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

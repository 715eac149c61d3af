//! Saves and restores a session: variables, and beside them the state of its input.

use crate::pipeline::{Pipeline, beside};
use crate::scaffold::Parts;
use levada_checkpoint::disk::System;
use levada_checkpoint::{Reader, State, data_path, index_path, remove_leftovers};
use levada_graph::{Code, Result};
use levada_session::Session;
use levada_session::train::{Saver, SaverOptions};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

/// How long the queue runners get to come to rest before a checkpoint.
const REST: Duration = Duration::from_secs(60);

/// Saves and restores one session.
pub(crate) struct Saving {
    /// Nothing for a graph without variables.
    saver: Option<Saver>,
    parts: Rc<Parts>,
    /// Prefixes of checkpoints beside which the state of the input has been saved.
    beside: RefCell<BTreeSet<PathBuf>>,
}

impl Saving {
    pub(crate) fn new(session: &Session, parts: &Rc<Parts>, options: SaverOptions) -> Result<Saving> {
        let saver = match Saver::with_options(session, options) {
            Ok(saver) => Some(saver),
            // It has no variables.
            Err(error) if error.code() == Code::InvalidArgument => None,
            Err(error) => return Err(error),
        };
        Ok(Saving { saver, parts: parts.clone(), beside: RefCell::default() })
    }

    fn pipeline(&self) -> &Pipeline {
        &self.parts.pipeline
    }

    /// Saves to `prefix-step`, with the queue runners at rest until the values have been read.
    pub(crate) fn save(&self, session: &Session, prefix: &Path, step: i64) -> Result<PathBuf> {
        let mut path = prefix.as_os_str().to_owned();
        path.push(format!("-{step}"));
        let path = PathBuf::from(path);
        let Some(saver) = &self.saver else { return Ok(path) };
        let paused = match self.pipeline().is_empty() {
            true => None,
            false => match session.pause_queue_runners(REST) {
                Ok(paused) => Some(paused),
                Err(error) => {
                    (session.env().log)(&format!("the state of the input is not in checkpoint {step}: {error}\n"));
                    None
                }
            },
        };
        // First, so that no checkpoint lacks it.
        if paused.is_some() {
            self.pipeline().save(session, &path)?;
        }
        saver.save_in_background(session, prefix, Some(step))?;
        drop(paused);
        self.sweep();
        self.beside.borrow_mut().insert(path.clone());
        Ok(path)
    }

    /// Removes the state of the input beside checkpoints that are gone. None of those that are known is still under way.
    fn sweep(&self) {
        self.beside.borrow_mut().retain(|prefix| {
            let stays = index_path(prefix).exists();
            if !stays {
                remove_beside(prefix);
            }
            stays
        });
    }

    /// Restores the variables from the checkpoint with this prefix.
    pub(crate) fn restore(&self, session: &Session, prefix: &Path) -> Result<()> {
        self.saver.as_ref().map_or(Ok(()), |saver| saver.restore(session, prefix))
    }

    /// Waits until everything is in its files.
    pub(crate) fn finish(&self) -> Result<()> {
        self.saver.as_ref().map_or(Ok(()), Saver::wait)?;
        self.sweep();
        Ok(())
    }
}

/// Removes the state of the input beside a checkpoint. What cannot be removed takes space and does nothing else.
fn remove_beside(prefix: &Path) {
    let path = beside(prefix);
    let shards = Reader::open(&path).map_or(1, |reader| reader.shards());
    let _ = fs::remove_file(index_path(&path));
    for shard in 0..shards {
        let _ = fs::remove_file(data_path(&path, shard, shards));
    }
}

/// Removes what processes that were killed have left: unfinished files, and the state of inputs beside checkpoints that were never
/// complete or are gone.
pub(crate) fn clean(directory: &Path) {
    remove_leftovers(&System, &State::path(directory));
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some((prefix, part)) = name.rsplit_once(".pipeline.") else { continue };
        let prefix = directory.join(prefix);
        let is_whole = index_path(&prefix).exists() && index_path(&beside(&prefix)).exists();
        let is_part = part == "index" || part.starts_with("data-") && part.len() == "data-00000-of-00000".len();
        if is_part && !is_whole {
            let _ = fs::remove_file(entry.path());
        }
    }
}

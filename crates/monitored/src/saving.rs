//! Saves and restores a session: variables and, next to them, the state of its input.

use crate::pipeline::{Pipeline, beside};
use crate::scaffold::Parts;
use levada_checkpoint::disk::System;
use levada_checkpoint::state::home;
use levada_checkpoint::{State, index_path, remove_leftovers};
use levada_graph::{Code, Result};
use levada_session::Session;
use levada_train::{Saver, SaverOptions};
use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

/// How long the queue runners have to pause before a checkpoint.
const REST: Duration = Duration::from_secs(60);

/// Saves and restores one session.
pub(crate) struct Saving {
    /// `None` for a graph without variables.
    saver: Option<Saver>,
    parts: Rc<Parts>,
    /// Prefix of the last saved checkpoint.
    last: RefCell<Option<PathBuf>>,
}

impl Saving {
    pub(crate) fn new(session: &Session, parts: &Rc<Parts>, options: SaverOptions) -> Result<Saving> {
        let saver = match Saver::with_options(session, options) {
            Ok(saver) => Some(saver),
            // It has no variables.
            Err(error) if error.code() == Code::InvalidArgument => None,
            Err(error) => return Err(error),
        };
        Ok(Saving { saver, parts: parts.clone(), last: RefCell::default() })
    }

    fn pipeline(&self) -> &Pipeline {
        &self.parts.pipeline
    }

    /// Saves to `prefix-step`, with the queue runners paused until the values have been read.
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
        // The state comes first, so that no checkpoint lacks it.
        if paused.is_some() {
            self.pipeline().save(session, &path)?;
        }
        saver.save_in_background(session, prefix, Some(step))?;
        drop(paused);
        // Earlier checkpoints are complete, or removed.
        sweep(home(&path), Some(&path));
        *self.last.borrow_mut() = Some(path.clone());
        Ok(path)
    }

    /// Restores the variables from the checkpoint with this prefix.
    pub(crate) fn restore(&self, session: &Session, prefix: &Path) -> Result<()> {
        self.saver.as_ref().map_or(Ok(()), |saver| saver.restore(session, prefix))
    }

    /// Waits until everything is in its files.
    pub(crate) fn finish(&self) -> Result<()> {
        self.saver.as_ref().map_or(Ok(()), Saver::wait)?;
        if let Some(last) = &*self.last.borrow() {
            sweep(home(last), None);
        }
        Ok(())
    }
}

/// Removes files left by killed processes.
pub(crate) fn clean(directory: &Path) {
    remove_leftovers(&System, &State::path(directory));
    sweep(directory, None);
}

/// Removes input state next to checkpoints that were never completed or are gone, except for one that is being saved.
/// Files that cannot be removed take space and do no other harm.
fn sweep(directory: &Path, saving: Option<&Path>) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some((prefix, part)) = name.rsplit_once(".pipeline.") else { continue };
        let prefix = directory.join(prefix);
        let is_whole = index_path(&prefix).exists() && index_path(&beside(&prefix)).exists();
        let is_part = part == "index" || part.starts_with("data-") && part.len() == "data-00000-of-00000".len();
        let is_saved_now = saving.is_some_and(|saving| saving.file_name() == prefix.file_name());
        if is_part && !is_whole && !is_saved_now {
            let _ = fs::remove_file(entry.path());
        }
    }
}

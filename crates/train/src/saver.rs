//! Saves the variables of a session, optionally in the background, restores them, and keeps the latest checkpoints of a
//! directory.

use super::kept::{Keep, Retained};
use super::restoring::{RestoreOptions, Restored};
use super::saved::{SavedAs, saved};
use super::variable::Variable;
use levada_builder::Builder;
use levada_checkpoint::disk::{Disk, System};
use levada_checkpoint::source::paste;
use levada_checkpoint::state::home;
use levada_checkpoint::{Item, SaveOptions, Source, latest, open, save};
use levada_graph::{Code, DType, Error, PartialShape, Result, Tensor};
use levada_session::{RunOptions, Session};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

/// Options of a saver.
#[derive(Clone)]
pub struct SaverOptions {
    /// Which checkpoints are kept.
    pub keep: Keep,
    /// Bytes of variables that a save in the background may hold while steps continue. A step that changes such a
    /// variable copies it first. A save with more data returns once no more than this remains to be written.
    pub memory: usize,
    /// Threads that write; 0 for one per core, at most 4.
    pub threads: usize,
    /// The file system to write to.
    pub disk: Arc<dyn Disk>,
}

impl Default for SaverOptions {
    /// The last five checkpoints; all variables may be held.
    fn default() -> SaverOptions {
        SaverOptions { keep: Keep::default(), memory: usize::MAX, threads: 0, disk: Arc::new(System) }
    }
}

/// Saves the variables of a session, and restores them. The graph needs no nodes for that: they are added to the
/// session. The names are those that the graph's own saver uses; without a saver those of the variables' nodes, and the
/// parts of a partitioned variable are saved as parts of the whole.
///
/// ```
/// # use levada_session::Session;
/// # use levada_train as train;
/// # fn main() {}
/// # fn save(session: &Session) -> levada_graph::Result<()> {
/// let saver = train::Saver::new(session, train::Keep::default())?;
/// let prefix = saver.save(session, "checkpoints/model", Some(100))?;
/// saver.restore(session, &prefix)?;
///
/// saver.save_in_background(session, "checkpoints/model", Some(200))?;
/// // Steps may go on here: they change copies of what has not been written yet.
/// saver.wait()?;
/// saver.restore_latest(session, "checkpoints")?;
/// # Ok(())
/// # }
/// ```
///
/// Dropping it waits for a save in progress; only [`Saver::wait`] reports whether it failed.
pub struct Saver {
    pub(super) variables: Vec<Saved>,
    options: SaverOptions,
    kept: Arc<Mutex<Option<Retained>>>,
    /// The save in progress, or a finished one whose result has not been collected. It also protects the files of the
    /// directory: there is one save at a time.
    running: Mutex<Option<JoinHandle<Result<()>>>>,
}

/// A variable to save.
pub(super) struct Saved {
    pub saved: SavedAs,
    pub dtype: DType,
    pub shape: PartialShape,
    /// Endpoint that reads it, endpoint to feed with its new value, and node that sets it.
    pub read: String,
    pub feed: String,
    pub assign: String,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Saver {
    /// A saver of the variables that the graph's own saver has; in a graph without one, of all but those in its
    /// collection `local_variables`.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if the graph has no variables.
    pub fn new(session: &Session, keep: Keep) -> Result<Saver> {
        Saver::with_options(session, SaverOptions { keep, ..SaverOptions::default() })
    }

    /// As [`Saver::new`], with options.
    ///
    /// # Errors
    /// As [`Saver::new`].
    pub fn with_options(session: &Session, options: SaverOptions) -> Result<Saver> {
        let mut variables = Vec::new();
        let registry = session.registry().clone();
        session.grow(|graph, _| {
            let saved = saved(graph)?;
            if saved.is_empty() {
                return Err(Error::invalid("the graph has no variables to save or restore"));
            }
            let mut b = Builder::on(graph.clone(), registry);
            variables =
                b.new_scope("saver", |b, _| saved.into_iter().map(|saved| add(b, saved)).collect::<Result<_>>())?;
            b.finish()
        })?;
        Ok(Saver { variables, options, kept: Arc::default(), running: Mutex::default() })
    }

    /// Names of the variables in the checkpoint; for parts of a variable, the name of the whole.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.variables.iter().map(|v| v.saved.name.as_str())
    }

    /// Saves the variables to `prefix`, or `prefix-step`; returns the actual prefix. It is the latest checkpoint of its
    /// directory then, and older ones are removed according to [`Keep`]. At any moment the directory names a complete
    /// checkpoint. Returns once everything is on disk.
    ///
    /// # Errors
    /// As [`Saver::save_in_background`], and the errors of writing.
    pub fn save(&self, session: &Session, prefix: impl AsRef<Path>, step: Option<i64>) -> Result<PathBuf> {
        let mut running = lock(&self.running);
        finish(&mut running)?;
        let path = self.start(&mut running, session, prefix.as_ref(), step)?;
        finish(&mut running)?;
        Ok(path)
    }

    /// As [`Saver::save`], but returns as soon as the variables have been read and no more than
    /// [`SaverOptions::memory`] remains to be written. Waits first for a save in progress.
    ///
    /// # Errors
    /// The error of the previous save, in which case this one has not begun; `FAILED_PRECONDITION` for a variable
    /// without a value. The next save or [`Saver::wait`] returns the error of this one.
    pub fn save_in_background(
        &self,
        session: &Session,
        prefix: impl AsRef<Path>,
        step: Option<i64>,
    ) -> Result<PathBuf> {
        let mut running = lock(&self.running);
        finish(&mut running)?;
        self.start(&mut running, session, prefix.as_ref(), step)
    }

    /// Waits for a save in the background.
    ///
    /// # Errors
    /// The error of the save.
    pub fn wait(&self) -> Result<()> {
        finish(&mut lock(&self.running))
    }

    /// The values of the variables by their names in a checkpoint, with parts assembled.
    ///
    /// # Errors
    /// `FAILED_PRECONDITION` for a variable without a value, `INVALID_ARGUMENT` if parts do not make up a whole.
    pub fn values(&self, session: &Session) -> Result<BTreeMap<String, Tensor>> {
        let mut values: BTreeMap<String, Tensor> = BTreeMap::new();
        let mut pasted: BTreeMap<String, usize> = BTreeMap::new();
        for Item { name, part, tensor } in self.items(session)? {
            let Some((shape, slice)) = part else {
                values.insert(name, tensor);
                continue;
            };
            *pasted.entry(name.clone()).or_default() += tensor.num_elements();
            let whole = values.entry(name).or_insert_with(|| Tensor::zeros(tensor.dtype(), shape));
            paste(&tensor, &slice, whole)?;
        }
        let partial = pasted.into_iter().find(|(name, count)| values[name].num_elements() != *count);
        match partial {
            None => Ok(values),
            Some((name, count)) => Err(Error::invalid(format!("the parts of {name} do not cover it"))
                .expected(format!("{} elements", values[&name].num_elements()))
                .found(format!("{count} elements"))),
        }
    }

    /// The items to save. The values share their elements with the variables, which are copied if a step changes them
    /// meanwhile.
    fn items(&self, session: &Session) -> Result<Vec<Item>> {
        let reads: Vec<&str> = self.variables.iter().map(|v| v.read.as_str()).collect();
        let values = session.run_with(&RunOptions::default(), &[], &reads, &[])?.0;
        let item = |(variable, tensor): (&Saved, Tensor)| Item {
            name: variable.saved.name.clone(),
            part: variable.saved.part.clone(),
            tensor,
        };
        Ok(self.variables.iter().zip(values).map(item).collect())
    }

    fn start(
        &self,
        running: &mut Option<JoinHandle<Result<()>>>,
        session: &Session,
        prefix: &Path,
        step: Option<i64>,
    ) -> Result<PathBuf> {
        let mut path = prefix.as_os_str().to_owned();
        if let Some(step) = step {
            path.push(format!("-{step}"));
        }
        let path = PathBuf::from(path);
        let items = self.items(session)?;
        let left =
            Arc::new((Mutex::new(items.iter().map(|item| item.tensor.num_bytes()).sum::<usize>()), Condvar::new()));
        let (kept, keep, disk) = (self.kept.clone(), self.options.keep, self.options.disk.clone());
        let (threads, target, base) = (self.options.threads, path.clone(), prefix.to_owned());
        let ending = Ending(left.clone());
        let work = move || {
            let written = {
                let left = ending.0.clone();
                move |bytes: usize| {
                    *lock(&left.0) -= bytes;
                    left.1.notify_all();
                }
            };
            let options = SaveOptions { disk: disk.clone(), threads, written: Some(Box::new(written)) };
            let directory = home(&target).to_owned();
            let mut kept = lock(&kept);
            if kept.as_ref().is_none_or(|kept| kept.directory != directory) {
                *kept = Some(Retained::read(&disk, &directory, &base)?);
            }
            save(&target, items, &options)?;
            match (kept.as_mut(), target.file_name()) {
                (Some(kept), Some(name)) => kept.add(name.to_string_lossy().into_owned(), keep),
                _ => Ok(()),
            }
        };
        let thread = thread::Builder::new().name("levada-saver".to_owned()).spawn(work);
        let thread =
            thread.map_err(|e| Error::new(Code::ResourceExhausted, format!("no thread can be started: {e}")))?;
        *running = Some(thread);
        let mut bytes = lock(&left.0);
        while *bytes > self.options.memory {
            bytes = left.1.wait(bytes).unwrap_or_else(PoisonError::into_inner);
        }
        Ok(path)
    }

    /// Sets the variables to the values stored in a checkpoint under their names. `path` is the prefix of a checkpoint,
    /// a directory (for its latest checkpoint), or a safetensors file.
    ///
    /// # Errors
    /// Every fault in one error: `NOT_FOUND` for variables that the checkpoint does not have, `INVALID_ARGUMENT` for
    /// those of another dtype or shape. No variable is changed then.
    pub fn restore(&self, session: &Session, path: impl AsRef<Path>) -> Result<()> {
        self.restore_from(session, &*open(path.as_ref())?, &RestoreOptions::default()).map(drop)
    }

    /// Restores the latest checkpoint of a directory; returns its prefix, or `None` if there is none.
    ///
    /// # Errors
    /// As [`Saver::restore`].
    pub fn restore_latest(&self, session: &Session, directory: impl AsRef<Path>) -> Result<Option<PathBuf>> {
        let prefix = latest(directory.as_ref())?;
        if let Some(prefix) = &prefix {
            self.restore(session, prefix)?;
        }
        Ok(prefix)
    }

    /// Checks that [`Saver::restore_from`] would set the variables, without setting any.
    ///
    /// # Errors
    /// As [`Saver::restore`].
    pub fn check(&self, source: &dyn Source, options: &RestoreOptions) -> Result<()> {
        super::restoring::check(&self.variables, source, options)
    }

    /// Sets the variables to the values stored in a file under their names, or under the names in the options.
    ///
    /// # Errors
    /// As [`Saver::restore`].
    pub fn restore_from(&self, session: &Session, source: &dyn Source, options: &RestoreOptions) -> Result<Restored> {
        super::restoring::restore(&self.variables, session, source, options)
    }
}

impl Drop for Saver {
    fn drop(&mut self) {
        // Its error should have been collected before.
        let _ = self.wait();
    }
}

/// Waits for a save in progress.
fn finish(running: &mut Option<JoinHandle<Result<()>>>) -> Result<()> {
    match running.take().map(JoinHandle::join) {
        None => Ok(()),
        Some(Ok(result)) => result,
        Some(Err(_)) => Err(Error::internal("the saving thread panicked")),
    }
}

/// When the save is over, however it ends, wakes the thread that waits for bytes to be written.
struct Ending(Arc<(Mutex<usize>, Condvar)>);

impl Drop for Ending {
    fn drop(&mut self) {
        *lock(&self.0.0) = 0;
        self.0.1.notify_all();
    }
}

fn add(b: &mut Builder, saved: SavedAs) -> Result<Saved> {
    let variable = Variable::find(b, &saved.variable)?;
    let (dtype, shape) = (variable.dtype(b), variable.shape(b));
    let feed = b.node("Placeholder").attr("dtype", dtype).attr("shape", shape.clone()).add();
    let assign = variable.restore(b, feed);
    let (read, feed) = (b.name(variable.value), b.name(feed));
    Ok(Saved { saved, dtype, shape, read, feed, assign: b.node_name(assign) })
}

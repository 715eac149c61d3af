//! Saves the variables of a session, restores them, and keeps the latest checkpoints of a directory.

use super::variable::{LOCAL_VARIABLES, Variable};
use crate::builder::Builder;
use crate::options::RunOptions;
use crate::session::Session;
use levada_checkpoint::state::home;
use levada_checkpoint::{Reader, State, Writer, data_path, index_path};
use levada_graph::collections::variables;
use levada_graph::{Code, DType, Error, Graph, PartialShape, Result, Tensor};
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
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

/// Saves the variables of a session under the names of their nodes, and restores them. A graph needs no nodes for that: they
/// are added to the session.
///
/// ```
/// # use levada_session::{Session, train};
/// # fn main() {}
/// # fn save(session: &Session) -> levada_graph::Result<()> {
/// let saver = train::Saver::new(session, train::Keep::default())?;
/// let prefix = saver.save(session, "checkpoints/model", Some(100))?;
/// saver.restore(session, &prefix)?;
/// # Ok(())
/// # }
/// ```
pub struct Saver {
    variables: Vec<Saved>,
    keep: Keep,
    /// What was saved, the oldest first; `None` before anything has been. Also protects the files of these checkpoints.
    kept: Mutex<Option<Kept>>,
}

/// A variable that is saved.
struct Saved {
    name: String,
    dtype: DType,
    shape: PartialShape,
    /// Endpoint that reads it, endpoint to feed with what it is set to, and node that sets it.
    read: String,
    feed: String,
    assign: String,
}

struct Kept {
    directory: PathBuf,
    /// Names of the checkpoints, and when they were saved.
    latest: Vec<(String, f64)>,
    last_preserved: f64,
}

impl Saver {
    /// A saver of all variables of the session's graph, but for those in its collection `local_variables`.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` where the graph has no variables.
    pub fn new(session: &Session, keep: Keep) -> Result<Saver> {
        let mut saved = Vec::new();
        let registry = session.registry().clone();
        session.grow(|graph, _| {
            let names = names(graph)?;
            if names.is_empty() {
                return Err(Error::invalid("the graph has no variables to save or restore"));
            }
            let mut b = Builder::on(graph.clone(), registry);
            saved = b.new_scope("saver", |b, _| names.iter().map(|name| add(b, name)).collect::<Result<_>>())?;
            b.finish()
        })?;
        Ok(Saver { variables: saved, keep, kept: Mutex::default() })
    }

    /// Names of the variables.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.variables.iter().map(|v| v.name.as_str())
    }

    /// Saves the variables to `prefix`, or `prefix-step`; gives the prefix that it is. It is the latest checkpoint of its directory
    /// then, and older ones are removed as [`Keep`] says. At any moment the directory names a checkpoint that is whole.
    ///
    /// # Errors
    /// `FAILED_PRECONDITION` for a variable without a value, and what writing fails with.
    pub fn save(&self, session: &Session, prefix: impl AsRef<Path>, step: Option<i64>) -> Result<PathBuf> {
        let mut path = prefix.as_ref().as_os_str().to_owned();
        if let Some(step) = step {
            path.push(format!("-{step}"));
        }
        let path = PathBuf::from(path);
        let reads: Vec<&str> = self.variables.iter().map(|v| v.read.as_str()).collect();
        // The values share their elements with the variables, which are copied where a step changes them meanwhile.
        let values = session.run_with(&RunOptions::default(), &[], &reads, &[])?.0;
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let mut writer = Writer::create(&path)?;
        for (variable, value) in self.variables.iter().zip(&values) {
            writer.add(&variable.name, value)?;
        }
        writer.finish()?;
        let directory = home(&path).to_owned();
        if kept.as_ref().is_none_or(|kept| kept.directory != directory) {
            *kept = Some(Kept::read(&directory)?);
        }
        if let (Some(kept), Some(name)) = (kept.as_mut(), path.file_name()) {
            kept.add(name.to_string_lossy().into_owned(), self.keep)?;
        }
        Ok(path)
    }

    /// Sets the variables to what a checkpoint has under their names.
    ///
    /// # Errors
    /// All that is wrong, at once: `NOT_FOUND` for variables that the checkpoint does not have, `INVALID_ARGUMENT` for those of
    /// another dtype or shape. No variable is changed then.
    pub fn restore(&self, session: &Session, prefix: impl AsRef<Path>) -> Result<()> {
        let reader = Reader::open(prefix)?;
        if let Some(error) = Error::join(self.variables.iter().filter_map(|v| v.check(&reader).err()).collect()) {
            return Err(error);
        }
        let mut feeds: Vec<(&str, Tensor)> = Vec::with_capacity(self.variables.len());
        for variable in &self.variables {
            feeds.push((&variable.feed, reader.read(&variable.name)?));
        }
        let assigns: Vec<&str> = self.variables.iter().map(|v| v.assign.as_str()).collect();
        session.run_with(&RunOptions::default(), &feeds, &[], &assigns).map(drop)
    }
}

/// Names of the nodes that make the variables to save, in the order of the graph.
fn names(graph: &Graph) -> Result<Vec<String>> {
    let local = variables(&graph.collections, LOCAL_VARIABLES)?;
    let local: HashSet<&str> = local.iter().map(|v| v.variable.strip_suffix(":0").unwrap_or(&v.variable)).collect();
    let is_saved = |op: &str, name: &str| Variable::is_made_by(op) && !local.contains(name);
    let nodes = graph.nodes().map(|(_, node)| node);
    Ok(nodes.filter(|n| is_saved(n.spec().name, &n.name)).map(|n| n.name.to_string()).collect())
}

fn add(b: &mut Builder, name: &str) -> Result<Saved> {
    let variable = Variable::find(b, name)?;
    let (dtype, shape) = (variable.dtype(b), variable.shape(b));
    let feed = b.node("Placeholder").attr("dtype", dtype).attr("shape", shape.clone()).add();
    let assign = variable.restore(b, feed);
    let (read, feed) = (b.name(variable.value), b.name(feed));
    Ok(Saved { name: name.to_owned(), dtype, shape, read, feed, assign: b.node_name(assign) })
}

impl Saved {
    /// Checks that a checkpoint has what this variable can be set to.
    fn check(&self, reader: &Reader) -> Result<()> {
        let entry = reader.entry(&self.name).map_err(|error| match error.code() {
            Code::NotFound => error.node(&self.name),
            _ => error,
        })?;
        let wrong = |what: &str| {
            Error::invalid(format!("the checkpoint has {} with another {what} than the graph", self.name))
                .node(&self.name)
        };
        if entry.dtype != self.dtype {
            return Err(wrong("dtype").expected(self.dtype).found(entry.dtype));
        }
        if !self.shape.accepts(&entry.shape) {
            return Err(wrong("shape")
                .expected(format!("shape {}", self.shape))
                .found(format!("shape {}", entry.shape)));
        }
        Ok(())
    }
}

/// Seconds since 1970.
fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |d| d.as_secs_f64())
}

impl Kept {
    /// The checkpoints that a directory has already.
    fn read(directory: &Path) -> Result<Kept> {
        let state = State::read(directory)?.unwrap_or_default();
        let times = state.times.iter().copied().chain(std::iter::repeat(now()));
        let mut latest: Vec<(String, f64)> = state.all.into_iter().zip(times).collect();
        // What lies elsewhere is another's.
        latest.retain(|(name, _)| index_path(&directory.join(name)).exists() && Path::new(name).is_relative());
        let last_preserved = state.last_preserved.unwrap_or_else(now);
        Ok(Kept { directory: directory.to_owned(), latest, last_preserved })
    }

    /// Makes a checkpoint the latest one, and removes those that are too many: first from the list, then the files.
    fn add(&mut self, name: String, keep: Keep) -> Result<()> {
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
        State { latest: name, all, times, last_preserved: Some(self.last_preserved) }.write(&self.directory)?;
        for old in removed {
            remove(&self.directory.join(old));
        }
        Ok(())
    }
}

/// Removes the files of a checkpoint. What cannot be removed takes space and does nothing else.
fn remove(prefix: &Path) {
    let shards = Reader::open(prefix).map_or(1, |reader| reader.shards());
    let _ = fs::remove_file(index_path(prefix));
    for shard in 0..shards {
        let _ = fs::remove_file(data_path(prefix, shard, shards));
    }
}

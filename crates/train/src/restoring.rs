//! Sets variables to the values stored in a file under their names.

use super::saver::Saved;
use levada_checkpoint::Source;
use levada_checkpoint::source::missing;
use levada_graph::{Code, Error, Result, Shape, Tensor};
use levada_session::{RunOptions, Session};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Options for restoring.
#[derive(Clone, Debug, Default)]
pub struct RestoreOptions {
    /// Whether variables that the file does not have keep their values.
    pub partial: bool,
    /// Names in the file by variable name, for variables whose names differ.
    pub names: BTreeMap<String, String>,
}

/// The result of restoring.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Restored {
    /// Names of the variables that were set.
    pub variables: Vec<String>,
    /// Names of the variables that the file does not have.
    pub missing: Vec<String>,
    /// Names of tensors in the file to which no variable was set.
    pub unused: Vec<String>,
    /// Number of bytes read.
    pub bytes: usize,
}

/// A variable, and the name in the file that it is restored from.
struct Match<'a> {
    variable: &'a Saved,
    name: String,
}

/// The variables that a file has, and the names of those that it lacks.
fn find<'a>(
    variables: &'a [Saved],
    source: &dyn Source,
    options: &RestoreOptions,
) -> Result<(Vec<Match<'a>>, Vec<String>)> {
    let (mut found, mut absent, mut faults) = (Vec::new(), Vec::new(), unknown(variables, options));
    for variable in variables {
        let own = &variable.saved.name;
        let given = options.names.get(own).or_else(|| options.names.get(&variable.saved.variable));
        match (source.find(given.unwrap_or(own)), given) {
            (Some(name), _) => match variable.check(source, &name) {
                Ok(()) => found.push(Match { variable, name }),
                Err(fault) => faults.push(fault),
            },
            (None, None) if options.partial => absent.push(own.clone()),
            (None, _) => faults.push(missing(source, given.unwrap_or(own)).node(&variable.saved.variable)),
        }
    }
    if let Some(error) = Error::join(faults) {
        return Err(error);
    }
    if found.is_empty() {
        return Err(Error::not_found("the file has none of the variables of the graph")
            .expected(format!("one of the names {}", list(variables.iter().map(|v| v.saved.name.as_str()))))
            .found(format!("{} with {}", source.place(), list(source.names().into_iter()))));
    }
    Ok((found, absent))
}

pub(super) fn check(variables: &[Saved], source: &dyn Source, options: &RestoreOptions) -> Result<()> {
    find(variables, source, options).map(drop)
}

pub(super) fn restore(
    variables: &[Saved],
    session: &Session,
    source: &dyn Source,
    options: &RestoreOptions,
) -> Result<Restored> {
    let (found, missing) = find(variables, source, options)?;
    let mut restored = Restored { missing, ..Restored::default() };
    let values = read(&found, source)?;
    let used: BTreeSet<&str> = found.iter().map(|f| f.name.as_str()).collect();
    restored.unused = source.names().into_iter().filter(|name| !used.contains(name)).map(str::to_owned).collect();
    restored.variables = found.iter().map(|f| f.variable.saved.variable.clone()).collect();
    restored.bytes = values.iter().map(Tensor::num_bytes).sum();
    let assigns: Vec<&str> = found.iter().map(|f| f.variable.assign.as_str()).collect();
    let feeds: Vec<(&str, Tensor)> =
        found.iter().zip(values).map(|(f, value)| (f.variable.feed.as_str(), value)).collect();
    session.run_with(&RunOptions::default(), &feeds, &[], &assigns)?;
    Ok(restored)
}

/// The first few of some names.
fn list<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> String {
    const SHOWN: usize = 5;
    let more = names.len().saturating_sub(SHOWN);
    let mut shown: Vec<String> = names.take(SHOWN).map(str::to_owned).collect();
    if more > 0 {
        shown.push(format!("{more} more"));
    }
    if shown.is_empty() { "nothing".to_owned() } else { shown.join(", ") }
}

/// The options' names of variables that do not exist.
fn unknown(variables: &[Saved], options: &RestoreOptions) -> Vec<Error> {
    let exists = |name: &str| variables.iter().any(|v| v.saved.name == name || v.saved.variable == name);
    let unknown = options.names.keys().filter(|name| !exists(name));
    unknown
        .map(|name| {
            let error = Error::not_found(format!("there is no variable {name} to restore"));
            match levada_graph::op::nearest(name, variables.iter().map(|v| v.saved.name.as_str())) {
                Some(near) => error.help(format!("did you mean {near:?}?")),
                None => error,
            }
        })
        .collect()
}

impl Saved {
    /// Checks that a file has a value that this variable can be set to.
    fn check(&self, source: &dyn Source, name: &str) -> Result<()> {
        let entry = source.entry(name).map_err(|error| match error.code() {
            Code::NotFound => error.node(&self.saved.variable),
            _ => error,
        })?;
        let wrong = |what: &str| {
            Error::invalid(format!("the checkpoint has {name} with a different {what} than the graph"))
                .node(&self.saved.variable)
        };
        if entry.dtype != self.dtype && entry.dtype != self.dtype.storage() {
            return Err(wrong("dtype").expected(self.dtype).found(entry.dtype));
        }
        let shape = |shape: &Shape| format!("shape {shape}");
        match &self.saved.part {
            Some((whole, slice)) if *whole != entry.shape => Err(wrong("shape")
                .expected(format!("{}, of which this is the part {slice}", shape(whole)))
                .found(shape(&entry.shape))),
            None if !self.shape.accepts(&entry.shape) => {
                Err(wrong("shape").expected(format!("shape {}", self.shape)).found(shape(&entry.shape)))
            }
            _ => Ok(()),
        }
    }
}

/// Reads the value of each variable from the file, with several threads.
fn read(found: &[Match<'_>], source: &dyn Source) -> Result<Vec<Tensor>> {
    let next = AtomicUsize::new(0);
    let values: Vec<Mutex<Option<Result<Tensor>>>> = found.iter().map(|_| Mutex::default()).collect();
    let work = || {
        while let Some((f, value)) = {
            let i = next.fetch_add(1, Ordering::Relaxed);
            found.get(i).zip(values.get(i))
        } {
            let read = match &f.variable.saved.part {
                Some((_, slice)) => source.read_slice(&f.name, slice),
                None => source.read(&f.name),
            };
            // Files without quantized types store their elements as integers.
            let read = read.and_then(|tensor| match tensor.dtype() == f.variable.dtype {
                true => Ok(tensor),
                false => tensor.reinterpreted(f.variable.dtype),
            });
            *value.lock().unwrap_or_else(PoisonError::into_inner) = Some(read);
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from).min(found.len()).min(8);
    thread::scope(|scope| {
        // If no more threads can be started, this one does all the work.
        (1..threads).for_each(|_| drop(thread::Builder::new().spawn_scoped(scope, work)));
        work();
    });
    let (mut tensors, mut faults) = (Vec::with_capacity(found.len()), Vec::new());
    for value in values {
        match value.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(Ok(tensor)) => tensors.push(tensor),
            Some(Err(fault)) => faults.push(fault),
            None => faults.push(Error::internal("a tensor was left out")),
        }
    }
    Error::join(faults).map_or(Ok(tensors), Err)
}

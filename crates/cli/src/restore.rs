//! Restores and saves the variables of a `levada run`.

use crate::archive::{self, Entry, Kind};
use crate::args::KeepArgs;
use crate::checkpoint::size;
use crate::show;
use levada::checkpoint::{Element, Source, Stored};
use levada::session::Session;
use levada::train::{RestoreOptions, Saver, SaverOptions};
use levada::{Error, Result};
use std::path::{Path, PathBuf};

/// Maximum number of tensor names that a note lists.
const LISTED: usize = 5;

/// The work of `--restore` and `--save`.
pub struct Checkpoints {
    args: KeepArgs,
    saver: Saver,
    source: Option<Box<dyn Source>>,
    /// Number of the restored step, from which steps are counted in the names of checkpoints.
    first: u64,
    /// The last step that was saved.
    saved: Option<u64>,
}

impl Checkpoints {
    /// Checks the files and the variables; `None` if nothing is requested.
    ///
    /// # Errors
    /// Everything that would keep the variables from being restored or saved.
    pub fn prepare(args: &KeepArgs, session: &Session) -> Result<Option<Checkpoints>> {
        if args.restore.is_none() && args.save.is_none() {
            return Ok(None);
        }
        if let Some(path) = &args.save {
            check(path, args.save_every.is_some())?;
        }
        let source = args.restore.as_deref().map(archive::open).transpose();
        let source = source.map_err(|e| if e.fault().help.is_none() { e.help("--restore PATH") } else { e })?;
        let saver = Saver::with_options(session, SaverOptions::default())?;
        let first = source.as_ref().and_then(|source| number(&source.place())).unwrap_or(0);
        let checkpoints = Checkpoints { args: args.clone(), saver, source, first, saved: None };
        if let Some(source) = &checkpoints.source {
            checkpoints.saver.check(&**source, &checkpoints.options()).map_err(advise)?;
        }
        Ok(Some(checkpoints))
    }

    fn options(&self) -> RestoreOptions {
        let names = self.args.restore_name.iter().map(|r| (r.variable.clone(), r.name.clone())).collect();
        RestoreOptions { partial: self.args.restore_partial, names }
    }

    /// Restores the variables if requested; returns a summary.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn restore(&self, session: &Session) -> Result<String> {
        let Some(source) = &self.source else { return Ok(String::new()) };
        let done = self.saver.restore_from(session, &**source, &self.options()).map_err(advise)?;
        let mut text = format!(
            "{} ({}) restored from {}",
            show::count(done.variables.len(), "variable"),
            size(done.bytes as u64),
            source.place()
        );
        let names: Vec<&String> = done.unused.iter().filter(|n| *n != levada::checkpoint::objects::KEY).collect();
        for (names, what) in [(done.missing.iter().collect(), "not in the file"), (names, "in the file and not used")] {
            if let Some(listed) = list(&names) {
                text.push_str(&format!("; {what}: {listed}"));
            }
        }
        Ok(text + "\n")
    }

    /// Saves after a step if requested, in the background.
    ///
    /// # Errors
    /// The errors of this save or the one before it.
    pub fn after_step(&mut self, session: &Session, step: u64) -> Result<()> {
        match (&self.args.save, self.args.save_every) {
            (Some(path), Some(every)) if step.is_multiple_of(every) => {
                self.saver.save_in_background(session, path, Some(self.numbered(step)?))?;
                self.saved = Some(step);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn numbered(&self, step: u64) -> Result<i64> {
        let number = self.first.checked_add(step).and_then(|n| i64::try_from(n).ok());
        number.ok_or_else(|| Error::invalid("the number of the step is too large for the name of a checkpoint"))
    }

    /// Waits for the save in progress.
    ///
    /// # Errors
    /// The error of that save.
    pub fn wait(&self) -> Result<()> {
        self.saver.wait()
    }

    /// Saves after the last of `steps` steps, if requested and not yet done; returns a message with the place.
    ///
    /// # Errors
    /// Any error from saving.
    pub fn finish(&self, session: &Session, steps: u64) -> Result<String> {
        self.saver.wait()?;
        let Some(path) = &self.args.save else { return Ok(String::new()) };
        let numbered = match self.args.save_every {
            Some(_) => Some(self.numbered(steps)?),
            None => None,
        };
        let place = match Kind::of(path) {
            _ if self.saved.is_some_and(|saved| saved == steps) => {
                PathBuf::from(format!("{}-{}", path.display(), numbered.unwrap_or_default()))
            }
            kind if kind.is_by_variable() => {
                self.write(session, path, kind)?;
                path.clone()
            }
            _ => self.saver.save(session, path, numbered)?,
        };
        let count = self.saver.names().count();
        Ok(format!("{} saved in {}\n", show::count(count, "variable"), place.display()))
    }

    /// Writes the variables to a file that is not a checkpoint.
    fn write(&self, session: &Session, path: &Path, kind: Kind) -> Result<()> {
        let values = self.saver.values(session)?;
        let entry = |(name, tensor): (&String, &levada::Tensor)| Entry {
            name: name.clone(),
            stored: Stored {
                element: Element::Graph(tensor.dtype()),
                shape: tensor.shape().clone(),
                slices: Vec::new(),
                bytes: tensor.num_bytes() as u64,
            },
            key: name.clone(),
        };
        let entries: Vec<Entry> = values.iter().map(entry).collect();
        archive::write(kind, path, &entries, &values)
    }
}

/// Checks that variables can be saved at a place.
fn check(path: &Path, numbered: bool) -> Result<()> {
    let fault = |why: &str, help: String| Err(Error::invalid(format!("--save {}: {why}", path.display())).help(help));
    if path.is_dir() || path.as_os_str().to_string_lossy().ends_with('/') {
        let help = format!("name a checkpoint in it: --save {}", path.join("model").display());
        return fault("this is a directory", help);
    }
    if Kind::of(path).is_by_variable() {
        if numbered {
            let help = format!("name the prefix of checkpoints: --save {}", path.with_extension("").display());
            return fault("one file cannot be saved after every few steps", help);
        }
        return crate::output::check("--save", path);
    }
    // The directory of checkpoints is created if it does not exist.
    let made = std::fs::create_dir_all(crate::output::folder(path));
    made.map_err(|e| Error::new(crate::output::code(&e), format!("--save {}: {e}", path.display())))?;
    crate::output::check("--save", &levada::checkpoint::index_path(path))
}

/// The number at the end of a checkpoint's name.
fn number(place: &str) -> Option<u64> {
    let name = Path::new(place).file_name()?.to_str()?;
    name.rsplit_once('-')?.1.parse().ok()
}

/// The first of some names.
fn list(names: &[&String]) -> Option<String> {
    let mut shown: Vec<String> = names.iter().take(LISTED).map(|n| (*n).clone()).collect();
    if names.len() > LISTED {
        shown.push(format!("{} more", names.len() - LISTED));
    }
    (!shown.is_empty()).then(|| shown.join(", "))
}

/// Returns the error with the flags that help.
fn advise(mut error: Error) -> Error {
    let missing = error.all().filter(|e| e.code() == levada::Code::NotFound && e.fault().node.is_some()).count();
    if missing > 0 {
        let fault = error.fault_mut();
        let flags =
            "--restore-name VARIABLE=NAME gives its name in the file, --restore-partial keeps its value from --init";
        fault.help = Some(match fault.help.take() {
            Some(help) => format!("{help}; {flags}"),
            None => flags.to_owned(),
        });
    }
    error
}

//! The output of `run --out`: the last step or all of them, as NumPy arrays, as JSON or as a table.

use crate::feed::NamedTensors;
use crate::npy::{self, Archive};
use crate::output::{self, Format};
use crate::spool::{Spool, Summary};
use crate::{plain, show};
use levada::{DType, Error, Result, Tensor};
use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Bytes of text that are buffered before they are written.
const CHUNK: usize = 1 << 18;

/// The values of a run that are kept for the file.
pub struct Results {
    path: PathBuf,
    format: Format,
    /// Names of the steps' fetches.
    names: Vec<String>,
    /// The values fetched in the last step.
    last: Vec<Tensor>,
    /// The values fetched in all steps, if requested.
    all: Option<Spool>,
}

impl Results {
    /// For a file of this format; `all` for all steps. `names` are those of the fetches.
    pub fn new(path: &Path, format: Format, all: bool, names: &[String]) -> Results {
        let all = all.then(|| Spool::new(path, names.len()));
        Results { path: path.to_owned(), format, names: names.to_owned(), last: Vec::new(), all }
    }

    /// Checks that this format can hold the fetches, including those of `then`, as far as is known before the run.
    ///
    /// # Errors
    /// Every fault.
    pub fn check(&self, then: &[String], dtypes: &[(String, DType)]) -> Result<()> {
        let flag = format!("--out {}", self.path.display());
        let mut faults = Vec::new();
        for (name, dtype) in dtypes.iter().filter(|(_, d)| matches!(d, DType::Resource | DType::Variant)) {
            faults.push(
                Error::unimplemented(format!("{flag}: {name} is a {dtype}, which has no value for a file"))
                    .help("fetch the value read from it"),
            );
        }
        let names: HashSet<&String> = self.names.iter().chain(then).collect();
        if names.is_empty() {
            faults.push(
                Error::invalid(format!("{flag}: there is no fetched value to write"))
                    .help("name endpoints with --fetch"),
            );
        }
        if self.format == Format::Npy && names.len() > 1 {
            let npz = self.path.with_extension("npz");
            faults.push(
                Error::invalid(format!("{flag}: a .npy file holds one array, and {} are fetched", names.len()))
                    .help(format!("--out {}", npz.display())),
            );
        }
        Error::join(faults).map_or(Ok(()), Err)
    }

    /// Keeps the fetched values of a step.
    ///
    /// # Errors
    /// If all steps go into one array and this one has another shape, and if it cannot be kept.
    pub fn add(&mut self, values: &[Tensor]) -> Result<()> {
        let Some(spool) = &mut self.all else {
            self.last = values.to_vec();
            return Ok(());
        };
        if let (Format::Npy, Some(first), Some(value)) = (self.format, spool.summaries().first(), values.first())
            && first.shape != *value.shape()
        {
            return Err(Error::invalid(format!("{} has another shape in this step", self.names[0]))
                .expected(format!("shape {}, as before", first.shape))
                .found(format!("shape {}", value.shape()))
                .help("a .npy file holds arrays of one shape; --out FILE.npz holds them one by one"));
        }
        spool.push(values)
    }

    /// Writes the file, with the values fetched after the steps, and returns a summary.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(mut self, then: &[(String, Tensor)]) -> Result<String> {
        let (path, format) = (self.path.clone(), self.format);
        match self.all.take() {
            None => {
                let named = self.last(then);
                output::write(&path, |out| {
                    last_step(format, &named, out).map_err(|e| e.in_file(&path.display().to_string()))
                })?;
                Ok(format!("{} in {}\n", show::count(named.len(), "array"), path.display()))
            }
            Some(mut spool) => {
                let (names, then) = distinct(&self.names, then);
                let steps = spool.steps();
                output::write(&path, |out| {
                    let mut every = Every { spool: &mut spool, names: &names, then: &then };
                    every.write(format, out).map_err(|e| e.in_file(&path.display().to_string()))
                })?;
                Ok(format!("{} in {}\n", show::count(steps as usize, "step"), path.display()))
            }
        }
    }

    /// The values of the last step and after it; of several with the same name the last.
    fn last(&self, then: &[(String, Tensor)]) -> NamedTensors {
        let mut named: NamedTensors = Vec::new();
        let steps = self.names.iter().cloned().zip(self.last.iter().cloned());
        for (name, tensor) in steps.chain(then.iter().cloned()) {
            match named.iter_mut().find(|(known, _)| *known == name) {
                Some(known) => known.1 = tensor,
                None => named.push((name, tensor)),
            }
        }
        named
    }
}

/// The names with their indices, each once, and the values fetched after the steps under distinct names.
fn distinct(names: &[String], then: &[(String, Tensor)]) -> (Vec<(usize, String)>, NamedTensors) {
    let mut seen = HashSet::new();
    let numbered = names.iter().cloned().enumerate().filter(|(_, name)| seen.insert(name.clone())).collect();
    let afterwards = then.iter().map(|(name, tensor)| {
        let name = if seen.contains(name) { format!("{name}[then]") } else { name.clone() };
        (name, tensor.clone())
    });
    (numbered, afterwards.collect())
}

fn put(out: &mut dyn Write, bytes: &[u8]) -> Result<()> {
    out.write_all(bytes).map_err(|e| Error::new(output::code(&e), format!("the file cannot be written: {e}")))
}

fn last_step(format: Format, named: &[(String, Tensor)], out: &mut dyn Write) -> Result<()> {
    match format {
        Format::Npz => {
            let mut archive = Archive::new(out);
            named.iter().try_for_each(|(name, tensor)| archive.array(name, tensor))?;
            archive.finish()
        }
        Format::Npy => named.iter().take(1).try_for_each(|(_, tensor)| put(out, &npy::write(tensor)?)),
        Format::Json => {
            let mut text = String::new();
            plain::object(named.iter().map(|(name, tensor)| (name.as_str(), Some(tensor))), &mut text);
            text.push('\n');
            put(out, text.as_bytes())
        }
        Format::Csv => {
            let columns: Vec<usize> = named.iter().map(|(_, t)| columns(t)).collect();
            let names =
                named.iter().zip(&columns).map(|((name, t), n)| header(name, Some(t.shape()), *n)).collect::<String>();
            put(out, (names.trim_start_matches(',').to_owned() + "\n").as_bytes())?;
            let tensors: Vec<Option<&Tensor>> = named.iter().map(|(_, t)| Some(t)).collect();
            rows(&tensors, &columns, None, out)
        }
    }
}

/// Rows that a tensor has in a table: a scalar has one.
fn height(tensor: &Tensor) -> usize {
    tensor.shape().first().copied().unwrap_or(1)
}

/// Cells that a tensor has in a row of a table.
fn columns(tensor: &Tensor) -> usize {
    tensor.shape().iter().skip(1).product()
}

/// The names of a tensor's columns, each after a comma: the name, with an index if there are several.
fn header(name: &str, shape: Option<&[usize]>, columns: usize) -> String {
    let inner = shape.and_then(|dims| dims.get(1..)).unwrap_or_default();
    let flat = shape.is_none();
    (0..columns)
        .map(|i| match (flat && columns == 1) || (!flat && inner.is_empty()) {
            true => format!(",{}", plain::cell(name)),
            false => {
                let mut rest = i;
                let mut places: Vec<String> = Vec::new();
                for &n in inner.iter().rev() {
                    places.push((rest % n).to_string());
                    rest /= n;
                }
                places.reverse();
                let place = if flat { i.to_string() } else { places.join(",") };
                format!(",{}", plain::cell(&format!("{name}[{place}]")))
            }
        })
        .collect()
}

/// Writes tensors side by side, padding those with fewer rows with empty cells; with `first` in front of each row.
fn rows(tensors: &[Option<&Tensor>], columns_of: &[usize], first: Option<&str>, out: &mut dyn Write) -> Result<()> {
    let most = tensors.iter().flatten().map(|t| height(t)).max().unwrap_or(0);
    let mut text = String::new();
    for row in 0..most {
        let start = text.len();
        for (tensor, &wide) in tensors.iter().zip(columns_of) {
            let filled = match tensor {
                Some(tensor) if row < height(tensor) => {
                    let n = columns(tensor);
                    plain::cells(tensor, row * n, (row + 1) * n, &mut text);
                    n
                }
                _ => 0,
            };
            text.extend(std::iter::repeat_n(',', wide - filled));
        }
        match first {
            Some(first) => text.insert_str(start, first),
            None if text.len() > start => drop(text.remove(start)),
            None => {}
        }
        text.push('\n');
        if text.len() > CHUNK {
            put(out, text.as_bytes())?;
            text.clear();
        }
    }
    put(out, text.as_bytes())
}

/// Writes all steps.
struct Every<'a> {
    spool: &'a mut Spool,
    /// The fetches, each once, with their indices.
    names: &'a [(usize, String)],
    /// The values fetched after the steps.
    then: &'a [(String, Tensor)],
}

impl Every<'_> {
    fn write(&mut self, format: Format, out: &mut dyn Write) -> Result<()> {
        match format {
            Format::Npz => self.npz(out),
            Format::Npy => self.npy(out),
            Format::Json => self.json(out),
            Format::Csv => self.csv(out),
        }
    }

    fn stacked(&self, summary: &Summary) -> Result<Vec<u8>> {
        let dims: Vec<usize> =
            std::iter::once(self.spool.steps() as usize).chain(summary.shape.iter().copied()).collect();
        npy::header(summary.dtype, &dims, summary.width)
    }

    fn npz(&mut self, out: &mut dyn Write) -> Result<()> {
        let mut archive = Archive::new(out);
        for (i, name) in self.names {
            let Some(summary) = self.spool.summaries().get(*i).cloned() else { continue };
            if summary.uniform {
                let header = self.stacked(&summary)?;
                archive.start(name)?;
                archive.part(&header)?;
                self.spool.each(Some(*i), |_, step| archive.part(&npy::data(&step[0], summary.width)))?;
            } else {
                self.spool.each(Some(*i), |n, step| archive.array(&format!("{name}[{n}]"), &step[0]))?;
            }
        }
        self.then.iter().try_for_each(|(name, tensor)| archive.array(name, tensor))?;
        archive.finish()
    }

    fn npy(&mut self, out: &mut dyn Write) -> Result<()> {
        match self.spool.summaries().first().cloned() {
            Some(summary) => {
                put(out, &self.stacked(&summary)?)?;
                self.spool.each(Some(0), |_, step| put(out, &npy::data(&step[0], summary.width)))
            }
            None => self.then.iter().take(1).try_for_each(|(_, tensor)| put(out, &npy::write(tensor)?)),
        }
    }

    fn json(&mut self, out: &mut dyn Write) -> Result<()> {
        put(out, b"{\"steps\": [")?;
        let names = self.names;
        self.spool.each(None, |n, step| {
            let mut text = if n > 1 { ",\n" } else { "\n" }.to_owned();
            line(n, names.iter().map(|(i, name)| (name.as_str(), Some(&step[*i]))), &mut text);
            put(out, text.as_bytes())
        })?;
        let mut text = "\n]".to_owned();
        if !self.then.is_empty() {
            text.push_str(", \"then\": ");
            plain::object(self.then.iter().map(|(name, tensor)| (name.as_str(), Some(tensor))), &mut text);
        }
        text.push_str("}\n");
        put(out, text.as_bytes())
    }

    /// One or more rows for each step, and the values fetched after the steps in separate columns below.
    fn csv(&mut self, out: &mut dyn Write) -> Result<()> {
        let mut widths = Vec::new();
        let mut names = "step".to_owned();
        for (i, name) in self.names {
            let Some(summary) = self.spool.summaries().get(*i) else { continue };
            widths.push(summary.columns);
            let shape = summary.uniform.then_some(summary.shape.dims());
            names.push_str(&header(name, shape, summary.columns));
        }
        let fetched = widths.len();
        for (name, tensor) in self.then {
            widths.push(columns(tensor));
            names.push_str(&header(name, Some(tensor.shape()), columns(tensor)));
        }
        put(out, (names + "\n").as_bytes())?;
        let (names, then) = (self.names, self.then);
        self.spool.each(None, |n, step| {
            let tensors = names.iter().map(|(i, _)| Some(&step[*i])).chain(then.iter().map(|_| None));
            rows(&tensors.collect::<Vec<_>>(), &widths, Some(&n.to_string()), out)
        })?;
        let tensors = std::iter::repeat_n(None, fetched).chain(then.iter().map(|(_, t)| Some(t)));
        rows(&tensors.collect::<Vec<_>>(), &widths, Some(""), out)
    }
}

/// Appends `{"step": 1, "fetch": {...}}`.
pub fn line<'a>(step: u64, named: impl IntoIterator<Item = (&'a str, Option<&'a Tensor>)>, out: &mut String) {
    out.push_str(&format!("{{\"step\": {step}, \"fetch\": "));
    plain::object(named, out);
    out.push('}');
}

//! `levada checkpoint`: lists, compares and converts files of tensors.

use crate::archive::{self, Entry, Kind};
use crate::args::CheckpointArgs;
use crate::fit::fit;
use crate::{elements, print, show, term};
use levada::checkpoint::{Element, Source, Stored, objects, source};
use levada::graph::{Bytes, Complex32, Complex64, bf16, f16};
use levada::{DType, Error, Result, Tensor};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::process::ExitCode;

/// A file of tensors, with the names from its object graph.
struct Opened {
    source: Box<dyn Source>,
    tensors: Vec<Row>,
}

/// A tensor of the file.
struct Row {
    key: String,
    /// The name of the variable, or without one the path of its object.
    variable: Option<String>,
    stored: Stored,
}

impl Row {
    /// The name shown to users.
    fn shown(&self) -> &str {
        self.variable.as_deref().unwrap_or(&self.key)
    }

    fn matches(&self, patterns: &[String]) -> bool {
        let any = |pattern: &String| matches(pattern, &self.key) || matches(pattern, self.shown());
        patterns.is_empty() || patterns.iter().any(any)
    }
}

/// Lists, compares, prints or converts.
///
/// # Errors
/// If a file cannot be read or written, or lacks a name.
pub fn checkpoint(args: &CheckpointArgs) -> Result<ExitCode> {
    let opened = Opened::open(&args.file, &args.select)?;
    if !args.print.is_empty() {
        return opened.print(&args.print, args.json);
    }
    if let Some(other) = &args.compare {
        let other = Opened::open(other, &args.select)?;
        return compare(&opened, &other, args);
    }
    if let Some(out) = &args.out {
        return opened.convert(out, args.format.unwrap_or_else(|| Kind::of(out)), args);
    }
    print(&if args.json { opened.json() } else { opened.list() });
    Ok(ExitCode::SUCCESS)
}

impl Opened {
    fn open(path: &Path, select: &[String]) -> Result<Opened> {
        let source = archive::open(path)?;
        let variables = source.objects()?.map(|objects| named(objects.attributes())).unwrap_or_default();
        let row = |key: &str| {
            Ok(Row { key: key.to_owned(), variable: variables.get(key).cloned(), stored: source.stored(key)? })
        };
        let mut tensors: Vec<Row> = source.names().into_iter().map(row).collect::<Result<_>>()?;
        tensors.retain(|row| row.matches(select));
        if tensors.is_empty() && !select.is_empty() {
            return Err(Error::not_found(format!("{} has no tensor that matches --select", source.place()))
                .expected("names, or patterns with * and ?: --select 'dense/*'")
                .found(select.join(", ")));
        }
        Ok(Opened { source, tensors })
    }

    fn has_objects(&self) -> bool {
        self.tensors.iter().any(|row| row.key == objects::KEY)
    }

    /// Total bytes and total number of the elements of all tensors.
    fn totals(&self) -> (u64, u64) {
        let elements = |row: &Row| row.stored.shape.num_elements() as u64;
        (self.tensors.iter().map(|r| r.stored.bytes).sum(), self.tensors.iter().map(elements).sum())
    }

    fn list(&self) -> String {
        let by_variable = self.tensors.iter().any(|row| row.variable.is_some());
        let rows: Vec<[String; 5]> = self
            .tensors
            .iter()
            .map(|row| {
                let parts = match row.stored.slices.len() {
                    0 => String::new(),
                    n => format!("in {n} parts"),
                };
                // The key is shown beside the name of its variable.
                let key = if by_variable && row.variable.is_some() { row.key.clone() } else { String::new() };
                let shape = row.stored.shape.to_string();
                let about = [key, parts].into_iter().filter(|t| !t.is_empty()).collect::<Vec<_>>().join("  ");
                [row.shown().to_owned(), row.stored.element.to_string(), shape, size(row.stored.bytes), about]
            })
            .collect();
        let (bytes, elements) = self.totals();
        let total = show::count(self.tensors.len(), "tensor");
        format!(
            "{}{}: {}; {total}, {elements} elements, {}\n",
            fit(&show::table("lllrl", &rows)),
            self.source.place(),
            self.source.kind(),
            size(bytes)
        )
    }

    fn json(&self) -> String {
        let (bytes, elements) = self.totals();
        let tensor = |row: &Row| {
            let mut value = json!({
                "name": row.key, "dtype": row.stored.element.name(), "shape": row.stored.shape.dims(), "bytes": row.stored.bytes,
            });
            if let (Some(variable), Value::Object(fields)) = (&row.variable, &mut value) {
                fields.insert("variable".to_owned(), json!(variable));
            }
            if let (false, Value::Object(fields)) = (row.stored.slices.is_empty(), &mut value) {
                let parts: Vec<String> = row.stored.slices.iter().map(ToString::to_string).collect();
                fields.insert("parts".to_owned(), json!(parts));
            }
            value
        };
        let tensors: Vec<Value> = self.tensors.iter().map(tensor).collect();
        let file = json!({
            "version": 1, "file": self.source.place(), "kind": self.source.kind(), "tensors": tensors, "elements": elements, "bytes": bytes,
        });
        format!("{file:#}\n")
    }

    fn print(&self, names: &[String], as_json: bool) -> Result<ExitCode> {
        let mut named = Vec::with_capacity(names.len());
        for name in names {
            let key = self.source.find(name).ok_or_else(|| source::missing(&*self.source, name))?;
            let tensor = match self.source.stored(&key)?.element {
                Element::Graph(_) => self.source.read(&key)?,
                // Only its bytes can be shown.
                Element::Other(_) => self.source.read_raw(&key)?,
            };
            named.push((name.clone(), tensor));
        }
        match as_json {
            true => {
                let mut text = String::new();
                crate::plain::object(named.iter().map(|(name, tensor)| (name.as_str(), Some(tensor))), &mut text);
                print(&(text + "\n"));
            }
            false => print(&elements::tensors(&named, term::width())),
        }
        Ok(ExitCode::SUCCESS)
    }

    fn convert(&self, out: &Path, kind: Kind, args: &CheckpointArgs) -> Result<ExitCode> {
        let mut entries = Vec::with_capacity(self.tensors.len());
        let mut left_out = Vec::new();
        for row in &self.tensors {
            if kind.is_by_variable() && row.key == objects::KEY {
                left_out.push(row.key.as_str());
                continue;
            }
            let name = if kind.is_by_variable() { row.shown() } else { &row.key };
            entries.push(Entry { name: name.to_owned(), stored: row.stored.clone(), key: row.key.clone() });
        }
        // The prefix of a checkpoint is not a file, but its directory exists.
        let place =
            |path: &Path| Some((crate::output::folder(path).canonicalize().ok()?, path.file_name()?.to_owned()));
        let same = |a: &Path, b: &Path| place(a).is_some() && place(a) == place(b);
        if same(out, Path::new(&self.source.place())) {
            return Err(Error::invalid(format!("--out {} would overwrite the input", out.display()))
                .help("give it its own name"));
        }
        archive::write(kind, out, &entries, &*self.source)?;
        let bytes = entries.iter().map(|e| e.stored.bytes).sum();
        let mut text = format!("{} ({}) in {}", show::count(entries.len(), "tensor"), size(bytes), out.display());
        if !left_out.is_empty() {
            text.push_str(&format!("; {} left out", left_out.join(", ")));
        }
        if args.json {
            print(&format!("{}\n", json!({"file": out, "tensors": entries.len(), "bytes": bytes})));
        } else {
            print(&(text + "\n"));
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Names of variables by key: the names given by programs, or their paths if those are not unique.
fn named(attributes: &[objects::Attribute]) -> BTreeMap<String, String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    attributes.iter().for_each(|a| *counts.entry(&a.full_name).or_default() += 1);
    let name = |a: &objects::Attribute| match counts.get(a.full_name.as_str()) {
        Some(1) if !a.full_name.is_empty() => a.full_name.clone(),
        _ => a.path.clone(),
    };
    let mut seen = HashSet::new();
    let named = attributes.iter().map(|a| (a.key.clone(), name(a)));
    named.filter(|(_, name)| !name.is_empty() && seen.insert(name.clone())).collect()
}

/// True if the name matches the pattern: `*` stands for any characters, `?` for one, everything else for itself.
fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n, mut star) = (0, 0, None);
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(&c) if c == '?' || c == name[n] => (p, n) = (p + 1, n + 1),
            // The last star matches one more character.
            _ => match star {
                Some((at, from)) => {
                    (p, n) = (at + 1, from + 1);
                    star = Some((at, from + 1));
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

/// `3.2 MB`.
pub fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.2} GB", bytes as f64 / 1e9),
    }
}

/// How two tensors of the same name differ.
enum Difference {
    /// In dtype or shape.
    Kind(String, String),
    /// In elements: how many, out of how many, and the maximum difference if they are numbers.
    Elements(usize, usize, Option<f64>),
}

fn compare(a: &Opened, b: &Opened, args: &CheckpointArgs) -> Result<ExitCode> {
    let (mut rows, mut matched, mut same) = (Vec::new(), HashSet::new(), 0);
    // An object graph is only compared with another one.
    let both = a.has_objects() && b.has_objects();
    let counts = |row: &&Row| both || row.key != objects::KEY;
    for row in a.tensors.iter().filter(counts) {
        // By its own name, else by that of its variable.
        let other = b.source.find(&row.key).or_else(|| b.source.find(row.shown()));
        let other = other.or_else(|| b.tensors.iter().find(|r| r.shown() == row.shown()).map(|r| r.key.clone()));
        let Some(other) = other else {
            rows.push((
                row.shown().to_owned(),
                json!({"only_in": a.source.place()}),
                format!("only in {}", a.source.place()),
            ));
            continue;
        };
        matched.insert(other.clone());
        match difference(&*a.source, &row.key, &*b.source, &other, args.tolerance)? {
            None => same += 1,
            Some(Difference::Kind(ours, theirs)) => {
                rows.push((row.shown().to_owned(), json!({"kinds": [ours, theirs]}), format!("{ours} and {theirs}")));
            }
            Some(Difference::Elements(count, of, most)) => {
                let by = most.map_or(String::new(), |most| format!(", by {most:.3e} at most"));
                let value = json!({"different": count, "elements": of, "most": most});
                rows.push((row.shown().to_owned(), value, format!("{count} of {of} elements differ{by}")));
            }
        }
    }
    for row in b.tensors.iter().filter(counts).filter(|row| !matched.contains(&row.key)) {
        rows.push((
            row.shown().to_owned(),
            json!({"only_in": b.source.place()}),
            format!("only in {}", b.source.place()),
        ));
    }
    let differ = rows.len();
    if args.json {
        let differences: serde_json::Map<String, Value> =
            rows.into_iter().map(|(name, value, _)| (name, value)).collect();
        print(&format!("{:#}\n", json!({"version": 1, "same": same, "differences": differences})));
    } else {
        let lines: Vec<[String; 2]> = rows.into_iter().map(|(name, _, text)| [name, text]).collect();
        print(&format!(
            "{}{} the same, {differ} different\n",
            fit(&show::table("ll", &lines)),
            show::count(same, "tensor")
        ));
    }
    Ok(if differ == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn difference(a: &dyn Source, key: &str, b: &dyn Source, other: &str, tolerance: f64) -> Result<Option<Difference>> {
    let (ours, theirs) = (a.stored(key)?, b.stored(other)?);
    if (ours.element, &ours.shape) != (theirs.element, &theirs.shape) {
        let text = |s: &Stored| format!("{}{}", s.element, s.shape);
        return Ok(Some(Difference::Kind(text(&ours), text(&theirs))));
    }
    let read = |source: &dyn Source, key: &str| match ours.element {
        Element::Graph(_) => source.read(key),
        Element::Other(_) => source.read_raw(key),
    };
    let (ours, theirs) = (read(a, key)?, read(b, other)?);
    if ours.bytes().is_some() && ours.bytes() == theirs.bytes() {
        return Ok(None);
    }
    let of = ours.num_elements();
    let (count, most) = match (numbers(&ours), numbers(&theirs)) {
        (Some(x), Some(y)) => {
            let off = |(x, y): (&f64, &f64)| if x == y || (x.is_nan() && y.is_nan()) { 0.0 } else { (x - y).abs() };
            let parts = x.len() / of.max(1);
            let is_off = |(x, y): (&f64, &f64)| {
                let off = off((x, y));
                // An infinity is close only to itself.
                !off.is_finite() || off > tolerance * y.abs().max(1.0)
            };
            let pairs = || x.chunks(parts.max(1)).zip(y.chunks(parts.max(1)));
            let mut count = pairs().filter(|(x, y)| x.iter().zip(*y).any(is_off)).count();
            if tolerance == 0.0 && count == 0 {
                // Equal numbers may differ in bits: the sign of zero, the payload of a NaN, integers beyond float64's
                // precision.
                count = different_bits(&ours, &theirs);
            }
            let most = x
                .iter()
                .zip(&y)
                .map(off)
                .fold(0.0, |most: f64, off| if off > most || off.is_nan() { off } else { most });
            (count, Some(most))
        }
        _ if ours.dtype() == DType::Str => {
            let (x, y) = (ours.slice::<Bytes>()?, theirs.slice::<Bytes>()?);
            (x.iter().zip(y).filter(|(x, y)| x != y).count(), None)
        }
        // Variants are compared by their debug text.
        _ => (usize::from(format!("{ours:?}") != format!("{theirs:?}")), None),
    };
    Ok((count > 0).then_some(Difference::Elements(count, of, most)))
}

fn different_bits(a: &Tensor, b: &Tensor) -> usize {
    let size = a.dtype().size().max(1);
    let (a, b) = (a.bytes().unwrap_or_default(), b.bytes().unwrap_or_default());
    a.chunks(size).zip(b.chunks(size)).filter(|(a, b)| a != b).count()
}

/// The elements as float64, complex numbers as pairs; `None` for non-numeric dtypes.
fn numbers(tensor: &Tensor) -> Option<Vec<f64>> {
    fn each<T: levada::graph::Element>(tensor: &Tensor, number: impl Fn(&T) -> f64) -> Option<Vec<f64>> {
        Some(tensor.slice::<T>().ok()?.iter().map(number).collect())
    }
    let wide = tensor.widened();
    let tensor = wide.as_ref().unwrap_or(tensor);
    match tensor.dtype().storage() {
        DType::F32 => each(tensor, |v: &f32| f64::from(*v)),
        DType::F64 => each(tensor, |v: &f64| *v),
        DType::F16 => each(tensor, |v: &f16| v.to_f64()),
        DType::BF16 => each(tensor, |v: &bf16| v.to_f64()),
        DType::I8 => each(tensor, |v: &i8| f64::from(*v)),
        DType::I16 => each(tensor, |v: &i16| f64::from(*v)),
        DType::I32 => each(tensor, |v: &i32| f64::from(*v)),
        DType::I64 => each(tensor, |v: &i64| *v as f64),
        DType::U8 => each(tensor, |v: &u8| f64::from(*v)),
        DType::U16 => each(tensor, |v: &u16| f64::from(*v)),
        DType::U32 => each(tensor, |v: &u32| f64::from(*v)),
        DType::U64 => each(tensor, |v: &u64| *v as f64),
        DType::Bool => each(tensor, |v: &bool| f64::from(u8::from(*v))),
        DType::C64 => {
            let values = tensor.slice::<Complex32>().ok()?;
            Some(values.iter().flat_map(|v| [f64::from(v.re), f64::from(v.im)]).collect())
        }
        DType::C128 => {
            let values = tensor.slice::<Complex64>().ok()?;
            Some(values.iter().flat_map(|v| [v.re, v.im]).collect())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_whole_names() {
        for (pattern, name) in
            [("*", ""), ("*", "a/b"), ("a/*", "a/b"), ("*/b", "a/x/b"), ("a?c", "abc"), ("a*c*e", "abcde"), ("a", "a")]
        {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [("a", "ab"), ("a?", "a"), ("*/b", "a/bc"), ("", "a"), ("a*b", "a")] {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }
}

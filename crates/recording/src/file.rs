//! Recordings as files: lines of JSON.
//!
//! Every line is an object. The first says what the file is, the last that it is whole:
//!
//! | line | holds |
//! |---|---|
//! | `levada_recording` | the version of the format, 1; `setup`, how the session was opened; `graph_sha256` |
//! | `graph` | the graph, as TensorFlow's JSON of a `GraphDef`; omitted if it is stored elsewhere |
//! | `file`, `sha256` | a file that was read |
//! | `nodes` | names of nodes, which later lines refer to by number, from 0 |
//! | `tensor` | a tensor as TensorFlow's JSON of a `TensorProto`; later lines refer to tensors by number, from 0 |
//! | `value`, `instance`, `tensors` or `error` | a value from outside; `value` is its kind: `seed`, `time`, `host` |
//! | `begin` | the run with this number starts: `thread`, `runner`, `feeds` (names and tensors), `fetches`, `targets` |
//! | `turns` | nodes use state: lists of the instance, the run, the node and the numbers of the state |
//! | `cut`, `by_node`, `error` | the run with this number is being ended |
//! | `end`, `fetched` or `error` | the run with this number has ended; the SHA-256 of each tensor, or null |
//! | `lines`, `sha256` | the number of lines before this one, and the SHA-256 of their bytes |
//!
//! Instances are 16 hexadecimal digits, errors an object with `code`, `message`, `node` and `op`. `begin`, `turns`,
//! `cut` and `end` are in the order in which they happened. Readers ignore unknown keys in a line and reject other
//! versions.

use crate::digest::{self, Sha256};
use crate::recording::{Cut, Event, Outcome, Recording, Run, Setup, Turn};
use levada_graph::{Code, Error, Result, Tensor, read as graph_read, write as graph_write};
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::sync::Arc;

/// The version of the format.
pub const VERSION: u64 = 1;

/// The maximum size of a file in bytes.
pub const MOST_BYTES: u64 = 16 << 30;

/// The maximum size of a line in bytes.
pub const MOST_LINE: u64 = 4 << 30;

/// Maximum number of turns per line.
const TURNS: usize = 512;

/// Writes a recording. An existing file with this name is replaced when the new one is complete, and stays unchanged on
/// an error.
///
/// # Errors
/// An error if the file cannot be written; `UNIMPLEMENTED` for a value that a file cannot represent.
pub fn write(path: &Path, recording: &Recording) -> Result<()> {
    let failed = |e: io::Error| levada_kernel::files::failed(path, &e);
    // A link keeps pointing to the file. A file that is not regular, such as a pipe, or is in a directory that allows
    // no new files, is written in place.
    let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let is_replaced = fs::metadata(&place).map_or(true, |before| before.is_file());
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    let beside = place.with_file_name(format!(".{name}.{}.part", std::process::id()));
    let new = if is_replaced { File::create_new(&beside).ok() } else { None };
    let Some(file) = new else { return write_to(File::create(&place).map_err(failed)?, path, recording) };
    let written = write_to(file, path, recording).and_then(|()| fs::rename(&beside, &place).map_err(failed));
    if written.is_err() {
        // The first error is reported.
        let _ = fs::remove_file(&beside);
    }
    written
}

fn write_to(file: File, path: &Path, recording: &Recording) -> Result<()> {
    let mut out = Out { to: BufWriter::new(file), hash: Sha256::new(), lines: 0, path };
    let result = out.whole(recording);
    // Discard what is left in the buffer after an error.
    drop(out.to.into_parts());
    result
}

struct Out<'a> {
    to: BufWriter<File>,
    hash: Sha256,
    lines: u64,
    path: &'a Path,
}

/// The tensors already written, by the hash of their bits.
#[derive(Default)]
struct Written(HashMap<String, u64>, u64);

impl Out<'_> {
    fn whole(&mut self, recording: &Recording) -> Result<()> {
        self.recording(recording)?;
        let last = json!({"lines": self.lines, "sha256": self.hash.clone().finish()});
        self.line(&last.to_string())?;
        self.to.flush().map_err(|e| levada_kernel::files::failed(self.path, &e))
    }

    fn line(&mut self, text: &str) -> Result<()> {
        self.hash.add(text.as_bytes());
        self.hash.add(b"\n");
        self.lines += 1;
        let written = self.to.write_all(text.as_bytes()).and_then(|()| self.to.write_all(b"\n"));
        written.map_err(|e| levada_kernel::files::failed(self.path, &e))
    }

    fn recording(&mut self, recording: &Recording) -> Result<()> {
        let setup = &recording.setup;
        let first = json!({
            "levada_recording": VERSION,
            "levada": env!("CARGO_PKG_VERSION"),
            "setup": {
                "threads": setup.threads,
                "cpus": setup.cpus,
                "plain": setup.plain,
                "no_fusion": setup.no_fusion,
                "soft_placement": setup.soft_placement,
            },
            "graph_sha256": recording.graph_hash,
        });
        self.line(&first.to_string())?;
        if let Some(graph) = &recording.graph {
            let text = graph.replace('\n', " ");
            self.line(&format!("{{\"graph\": {text}}}"))?;
        }
        for (file, hash) in &recording.files {
            self.line(&json!({"file": file, "sha256": hash}).to_string())?;
        }
        let mut names: HashMap<&str, usize> = HashMap::new();
        let mut listed = Vec::new();
        for event in &recording.events {
            if let Event::Turn(turn) = event {
                names.entry(&turn.node).or_insert_with(|| {
                    listed.push(&*turn.node);
                    listed.len() - 1
                });
            }
        }
        self.line(&json!({"nodes": listed}).to_string())?;
        let mut written = Written::default();
        let mut values: Vec<_> = recording.values.iter().collect();
        values.sort_by_key(|(key, _)| *key);
        for ((instance, kind), values) in values {
            for value in values {
                let mut line = json!({"value": kind, "instance": format!("{instance:016x}")});
                match value {
                    Ok(tensors) => {
                        let numbers = tensors.iter().map(|tensor| self.tensor(tensor, &mut written));
                        line["tensors"] = json!(numbers.collect::<Result<Vec<u64>>>()?);
                    }
                    Err(error) => line["error"] = error_json(error),
                }
                self.line(&line.to_string())?;
            }
        }
        let mut turns: Vec<&Turn> = Vec::new();
        for event in &recording.events {
            if let Event::Turn(turn) = event {
                turns.push(turn);
                if turns.len() >= TURNS {
                    self.turns(&mut turns, &names)?;
                }
                continue;
            }
            self.turns(&mut turns, &names)?;
            self.event(event, recording, &mut written)?;
        }
        self.turns(&mut turns, &names)
    }

    fn turns(&mut self, turns: &mut Vec<&Turn>, names: &HashMap<&str, usize>) -> Result<()> {
        if turns.is_empty() {
            return Ok(());
        }
        let mut text = "{\"turns\": [".to_owned();
        for (i, turn) in turns.drain(..).enumerate() {
            let (comma, node) = (if i > 0 { ", " } else { "" }, names[&*turn.node]);
            // Writing to a string cannot fail.
            let _ = write!(text, "{comma}[\"{:016x}\", {}, {node}, {:?}]", turn.instance, turn.run, turn.places);
        }
        text.push_str("]}");
        self.line(&text)
    }

    fn event(&mut self, event: &Event, recording: &Recording, written: &mut Written) -> Result<()> {
        let line = match event {
            Event::Turn(_) => return Ok(()),
            Event::Begin(number) => {
                let Some(run) = recording.runs.get(number) else { return Ok(()) };
                let mut feeds = Vec::new();
                for (name, tensor) in &run.feeds {
                    feeds.push(json!([name, self.tensor(tensor, written)?]));
                }
                json!({
                    "begin": number,
                    "thread": run.thread,
                    "runner": run.runner,
                    "feeds": feeds,
                    "fetches": run.fetches,
                    "targets": run.targets,
                })
            }
            Event::Cut(cut) => json!({"cut": cut.run, "by_node": cut.by_node, "error": error_json(&cut.error)}),
            Event::End(number) => match recording.runs.get(number).map(|run| &run.outcome) {
                Some(Outcome::Fetched(hashes)) => json!({"end": number, "fetched": hashes}),
                Some(Outcome::Failed(error)) => json!({"end": number, "error": error_json(error)}),
                Some(Outcome::Open) | None => return Ok(()),
            },
        };
        self.line(&line.to_string())
    }

    /// The number of a tensor, which is written if it is new.
    fn tensor(&mut self, tensor: &Tensor, written: &mut Written) -> Result<u64> {
        let hash = digest::of_tensor(tensor)
            .ok_or_else(|| Error::unimplemented(format!("a {} tensor cannot be recorded", tensor.dtype())))?;
        if let Some(number) = written.0.get(&hash) {
            return Ok(*number);
        }
        self.line(&json!({"tensor": graph_write::tensor_to_json(tensor)?}).to_string())?;
        let number = written.1;
        written.0.insert(hash, number);
        written.1 += 1;
        Ok(number)
    }
}

fn error_json(error: &Error) -> Value {
    let fault = error.fault();
    json!({"code": error.code().name(), "message": error.message(), "node": fault.node, "op": fault.op})
}

/// Reads a recording.
///
/// # Errors
/// `DATA_LOSS` for a file that is damaged or incomplete, `INVALID_ARGUMENT` for one that is not a recording,
/// `UNIMPLEMENTED` for another version, `RESOURCE_EXHAUSTED` for one that is too large.
pub fn read(path: &Path) -> Result<Recording> {
    let failed = |e: &io::Error| levada_kernel::files::failed(path, e);
    let file = File::open(path).map_err(|e| failed(&e))?;
    let length = file.metadata().map_err(|e| failed(&e))?.len();
    if length > MOST_BYTES {
        return Err(Error::resource_exhausted(format!(
            "the recording has {length} bytes; at most {MOST_BYTES} can be read"
        )));
    }
    read_from(BufReader::new(file)).map_err(|e| e.in_file(&path.display().to_string()))
}

/// Same as [`read`], from any reader.
///
/// # Errors
/// The errors of [`read`].
pub fn read_from(mut from: impl BufRead) -> Result<Recording> {
    let (mut hash, mut lines, mut text) = (Sha256::new(), 0, Vec::new());
    let mut reading = Reading::default();
    loop {
        text.clear();
        let read = (&mut from).take(MOST_LINE).read_until(b'\n', &mut text);
        read.map_err(|e| damaged(lines + 1, &format!("it cannot be read: {e}")))?;
        if text.is_empty() {
            return Err(match lines {
                0 => no_recording(),
                _ => damaged(lines, "it is incomplete: the last line is missing"),
            });
        }
        if text.len() as u64 >= MOST_LINE {
            return Err(Error::resource_exhausted(format!("line {} has more than {MOST_LINE} bytes", lines + 1)));
        }
        let line: Value = match serde_json::from_slice(&text) {
            Ok(line) => line,
            Err(_) if lines == 0 => return Err(no_recording()),
            Err(error) => return Err(damaged(lines + 1, &error.to_string())),
        };
        let Value::Object(line) = line else { return Err(damaged(lines + 1, "it is not an object")) };
        if lines == 0 {
            reading.first(&line)?;
        } else if let Some(count) = line.get("lines") {
            let whole =
                count.as_u64() == Some(lines) && line.get("sha256").and_then(Value::as_str) == Some(&hash.finish());
            return match whole {
                true => Ok(reading.recording),
                false => Err(damaged(lines + 1, "the lines before it were changed")),
            };
        } else {
            reading.line(line).map_err(|e| {
                let what = e.message().to_owned();
                Error::new(Code::DataLoss, format!("line {} of the recording is damaged: {what}", lines + 1))
            })?;
        }
        hash.add(&text);
        lines += 1;
    }
}

fn no_recording() -> Error {
    Error::invalid("this is not a recording").expected("a file that `levada record` wrote")
}

fn damaged(line: u64, what: &str) -> Error {
    Error::new(Code::DataLoss, format!("line {line} of the recording is damaged: {what}"))
}

#[derive(Default)]
struct Reading {
    recording: Recording,
    nodes: Vec<Arc<str>>,
    tensors: Vec<Tensor>,
}

type Line = Map<String, Value>;

fn wrong(what: &str, expected: &str) -> Error {
    Error::invalid(format!("{what} is not {expected}"))
}

fn number(line: &Line, key: &str) -> Result<u64> {
    line.get(key).and_then(Value::as_u64).ok_or_else(|| wrong(key, "a number"))
}

fn text<'a>(line: &'a Line, key: &str) -> Result<&'a str> {
    line.get(key).and_then(Value::as_str).ok_or_else(|| wrong(key, "a string"))
}

fn texts(line: &Line, key: &str) -> Result<Vec<String>> {
    let texts = line.get(key).and_then(Value::as_array).ok_or_else(|| wrong(key, "a list"))?;
    texts.iter().map(|text| text.as_str().map(str::to_owned).ok_or_else(|| wrong(key, "a list of strings"))).collect()
}

fn hexadecimal(value: Option<&Value>) -> Result<u64> {
    let digits = value.and_then(Value::as_str).filter(|digits| digits.len() == 16);
    digits.and_then(|digits| u64::from_str_radix(digits, 16).ok()).ok_or_else(|| wrong("an instance", "16 digits"))
}

fn error(line: &Line) -> Result<Error> {
    let error = line.get("error").and_then(Value::as_object).ok_or_else(|| wrong("error", "an object"))?;
    let code = Code::parse(text(error, "code")?).ok_or_else(|| wrong("code", "a status code"))?;
    let read = Error::new(code, text(error, "message")?);
    Ok(match (text(error, "node"), text(error, "op")) {
        (Ok(node), Ok(op)) => read.at_node(node, op),
        (Ok(node), Err(_)) => read.node(node),
        _ => read,
    })
}

impl Reading {
    fn first(&mut self, line: &Line) -> Result<()> {
        let version = line.get("levada_recording").and_then(Value::as_u64).ok_or_else(no_recording)?;
        if version != VERSION {
            return Err(Error::unimplemented(format!("recordings of version {version} cannot be read"))
                .expected(format!("version {VERSION}"))
                .help("replay it with the version of Levada that wrote it"));
        }
        let setup = line.get("setup").and_then(Value::as_object).ok_or_else(|| damaged(1, "it has no setup"))?;
        let is = |key: &str| setup.get(key).and_then(Value::as_bool).unwrap_or(false);
        let count = |key: &str| setup.get(key).and_then(Value::as_u64).map_or(0, |count| count.min(1024) as usize);
        self.recording.setup = Setup {
            threads: count("threads"),
            cpus: count("cpus"),
            plain: is("plain"),
            no_fusion: is("no_fusion"),
            soft_placement: is("soft_placement"),
        };
        self.recording.graph_hash = text(line, "graph_sha256").map_err(|e| damaged(1, e.message()))?.to_owned();
        Ok(())
    }

    fn line(&mut self, mut line: Line) -> Result<()> {
        if let Some(graph) = line.get("graph") {
            self.recording.graph = Some(graph.to_string());
        } else if line.contains_key("file") {
            let (file, hash) = (text(&line, "file")?.to_owned(), text(&line, "sha256")?.to_owned());
            self.recording.files.insert(file, hash);
        } else if line.contains_key("nodes") {
            self.nodes.extend(texts(&line, "nodes")?.into_iter().map(Arc::from));
        } else if let Some(tensor) = line.get("tensor") {
            self.tensors.push(graph_read::tensor_from_json(tensor)?);
        } else if line.contains_key("value") {
            let key = (hexadecimal(line.get("instance"))?, text(&line, "value")?.to_owned());
            let value = match line.get("tensors") {
                Some(tensors) => Ok(self.tensors_of(tensors)?),
                None => Err(error(&line)?),
            };
            self.recording.values.entry(key).or_default().push(value);
        } else if line.contains_key("begin") {
            self.begin(&line)?;
        } else if let Some(Value::Array(turns)) = line.remove("turns") {
            for turn in turns {
                let turn = self.turn(&turn)?;
                self.recording.events.push(Event::Turn(turn));
            }
        } else if line.contains_key("cut") {
            let by_node = line.get("by_node").and_then(Value::as_bool).unwrap_or(false);
            let cut = Cut { run: self.begun(number(&line, "cut")?)?, by_node, error: error(&line)? };
            self.recording.events.push(Event::Cut(cut));
        } else if line.contains_key("end") {
            let run = self.begun(number(&line, "end")?)?;
            let outcome = match line.get("fetched").and_then(Value::as_array) {
                Some(hashes) => Outcome::Fetched(hashes.iter().map(|h| h.as_str().map(str::to_owned)).collect()),
                None => Outcome::Failed(error(&line)?),
            };
            self.recording.runs.entry(run).and_modify(|run| run.outcome = outcome);
            self.recording.events.push(Event::End(run));
        }
        Ok(())
    }

    fn begin(&mut self, line: &Line) -> Result<()> {
        let run = number(line, "begin")?;
        let feeds = line.get("feeds").and_then(Value::as_array).ok_or_else(|| wrong("feeds", "a list"))?;
        let feed = |feed: &Value| match feed.as_array().map(Vec::as_slice) {
            Some([Value::String(name), tensor]) => Ok((name.clone(), self.tensor(tensor)?)),
            _ => Err(wrong("a feed", "a name and a tensor")),
        };
        let begun = Run {
            thread: u32::try_from(number(line, "thread")?).map_err(|_| wrong("thread", "a small number"))?,
            runner: line.get("runner").and_then(Value::as_str).map(str::to_owned),
            feeds: feeds.iter().map(feed).collect::<Result<_>>()?,
            fetches: texts(line, "fetches")?,
            targets: texts(line, "targets")?,
            outcome: Outcome::Open,
        };
        if self.recording.runs.insert(run, begun).is_some() {
            return Err(Error::invalid(format!("run {run} begins twice")));
        }
        self.recording.events.push(Event::Begin(run));
        Ok(())
    }

    fn begun(&self, run: u64) -> Result<u64> {
        match self.recording.runs.get(&run) {
            Some(known) if known.outcome == Outcome::Open => Ok(run),
            _ => Err(Error::invalid(format!("run {run} is not in progress"))),
        }
    }

    fn turn(&self, turn: &Value) -> Result<Turn> {
        let [instance, run, node, places] = turn.as_array().map(Vec::as_slice).unwrap_or_default() else {
            return Err(wrong("a turn", "a list of four"));
        };
        let node = node.as_u64().and_then(|node| self.nodes.get(usize::try_from(node).ok()?));
        let place = |place: &Value| {
            let place = place.as_u64().and_then(|place| u32::try_from(place).ok());
            place.ok_or_else(|| wrong("a number of state", "a small number"))
        };
        let places = places.as_array().ok_or_else(|| wrong("the state of a turn", "a list"))?;
        Ok(Turn {
            instance: hexadecimal(Some(instance))?,
            run: run.as_u64().ok_or_else(|| wrong("the run of a turn", "a number"))?,
            node: node.ok_or_else(|| wrong("the node of a turn", "one of those listed"))?.clone(),
            places: places.iter().map(place).collect::<Result<_>>()?,
        })
    }

    fn tensor(&self, value: &Value) -> Result<Tensor> {
        let tensor = value.as_u64().and_then(|number| self.tensors.get(usize::try_from(number).ok()?));
        tensor.cloned().ok_or_else(|| wrong("a tensor", "one of those above"))
    }

    fn tensors_of(&self, value: &Value) -> Result<Vec<Tensor>> {
        let tensors = value.as_array().ok_or_else(|| wrong("tensors", "a list"))?;
        tensors.iter().map(|tensor| self.tensor(tensor)).collect()
    }
}

//! The format of recorded sessions: one JSON object per line.

use crate::runtime::Run;
use levada_graph::{Code, EdgeType, Error, Result, Tensor, read};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::time::Duration;

/// A recorded session.
#[derive(Clone, Debug)]
pub struct Case {
    /// Unique name.
    pub name: String,
    /// Ops of the graph and its functions.
    pub ops: Vec<String>,
    /// The GraphDef, as JSON text.
    pub graph: String,
    /// Steps; in this order unless `schedule` says otherwise.
    pub steps: Vec<Step>,
    /// Relative tolerance of floats.
    pub rtol: f64,
    /// Absolute tolerance of floats.
    pub atol: f64,
    /// How to open the session.
    pub config: Config,
    /// Order of steps on several threads.
    pub schedule: Option<Schedule>,
}

/// A step and its expected result.
#[derive(Clone, Debug)]
pub struct Step {
    /// What to run.
    pub run: Run,
    /// The expected result.
    pub expected: Expected,
    /// The thread that runs it.
    pub thread: u32,
}

/// The expected result of a step.
#[derive(Clone, PartialEq, Debug)]
pub enum Expected {
    /// One tensor for each fetch; `None` for a fetch that names an operation, which is only run.
    Tensors(Vec<Option<Tensor>>),
    /// Failure with this code.
    Error(Code),
}

/// How to open a session.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Config {
    /// Number of CPU devices; 1 by default.
    pub cpu_devices: Option<usize>,
    /// Whether a node may run on a device other than the requested one.
    pub allow_soft_placement: bool,
    /// Time limit of every step.
    pub operation_timeout: Option<Duration>,
}

/// Steps on several threads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Schedule {
    /// The recorded order of events.
    Events(Vec<Event>),
    /// Results depend on a race: every thread runs its steps in order, and only the bag of all elements and error codes
    /// is compared. Of the recorded order only this matters: which steps had ended before a thread started.
    Bag(Vec<Event>),
}

/// An event of a recorded schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// A step was handed to its thread.
    Start(usize),
    /// A step had ended.
    End(usize),
    /// The session was closed.
    Close,
}

#[derive(Deserialize)]
struct CaseFile<'a> {
    name: String,
    #[serde(borrow)]
    graph: &'a RawValue,
    steps: Vec<WrittenStep>,
    #[serde(default)]
    ops: Vec<String>,
    #[serde(default)]
    rtol: f64,
    #[serde(default)]
    atol: f64,
    #[serde(default)]
    config: WrittenConfig,
    #[serde(default)]
    threads: bool,
    #[serde(default)]
    events: Vec<Vec<Value>>,
    #[serde(default)]
    compare: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WrittenStep {
    #[serde(default)]
    feeds: BTreeMap<String, Value>,
    #[serde(default)]
    fetches: Vec<String>,
    #[serde(default)]
    targets: Vec<String>,
    #[serde(default)]
    expect: Vec<Value>,
    error: Option<String>,
    timeout_ms: Option<u64>,
    #[serde(default)]
    thread: u32,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct WrittenConfig {
    device_count: BTreeMap<String, usize>,
    allow_soft_placement: bool,
    operation_timeout_in_ms: Option<u64>,
}

impl Case {
    /// Reads a line.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if it is not a case, `UNIMPLEMENTED` if it has a tensor of an unsupported kind.
    pub fn parse(line: &str) -> Result<Case> {
        let written: CaseFile<'_> =
            serde_json::from_str(line).map_err(|e| Error::invalid(format!("not a recorded session: {e}")))?;
        let steps = written.steps.into_iter().enumerate();
        let steps = steps.map(|(i, s)| s.read().map_err(|e| e.path(format!("steps[{i}]"))));
        let steps = steps.collect::<Result<Vec<Step>>>()?;
        let events = written.events.iter().map(|e| event(e, steps.len())).collect::<Result<Vec<Event>>>();
        let schedule = match written.compare.as_deref() {
            Some("bag") => Some(Schedule::Bag(events?)),
            Some(other) => return Err(Error::invalid("unknown comparison").expected("\"bag\"").found(other)),
            None if written.threads || !written.events.is_empty() => Some(Schedule::Events(events?)),
            None => None,
        };
        Ok(Case {
            name: written.name,
            ops: written.ops,
            graph: written.graph.get().to_owned(),
            steps,
            rtol: written.rtol,
            atol: written.atol,
            config: Config {
                cpu_devices: written.config.device_count.get("CPU").copied(),
                allow_soft_placement: written.config.allow_soft_placement,
                operation_timeout: written.config.operation_timeout_in_ms.map(Duration::from_millis),
            },
            schedule,
        })
    }

    /// True if `text` is a part of the name, or the name of an op in the graph.
    pub fn matches(&self, text: &str) -> bool {
        matches(&self.name, &self.ops, text)
    }
}

/// The information in a line for a case whose tensors cannot be read.
#[derive(Deserialize)]
pub(crate) struct Title {
    pub name: String,
    #[serde(default)]
    ops: Vec<String>,
}

impl Title {
    /// The title of a line that has a name.
    pub fn of(line: &str) -> Option<Title> {
        serde_json::from_str(line).ok()
    }

    /// Same as [`Case::matches`].
    pub fn matches(&self, text: &str) -> bool {
        matches(&self.name, &self.ops, text)
    }
}

fn matches(name: &str, ops: &[String], text: &str) -> bool {
    name.contains(text) || ops.iter().any(|op| op == text)
}

/// Reads a `TensorProto`. A dtype that is unknown here may exist where the session was recorded.
fn tensor(value: &Value) -> Result<Tensor> {
    match value.get("dtype").and_then(Value::as_str) {
        Some(name) if EdgeType::parse(name).is_none() => {
            Err(Error::unimplemented(format!("the dtype {name} is not supported")))
        }
        _ => read::tensor_from_json(value),
    }
}

impl WrittenStep {
    fn read(self) -> Result<Step> {
        let feeds = self.feeds.iter().map(|(name, value)| Ok((name.clone(), tensor(value)?)));
        let expected = match &self.error {
            Some(name) => Expected::Error(
                Code::parse(name).ok_or_else(|| Error::invalid("an unknown status code").found(format!("{name:?}")))?,
            ),
            None if self.expect.len() != self.fetches.len() => {
                return Err(Error::invalid("a step needs as many expected tensors as fetches")
                    .expected(self.fetches.len())
                    .found(self.expect.len()));
            }
            None => {
                let tensor = |value: &Value| (!value.is_null()).then(|| tensor(value)).transpose();
                Expected::Tensors(self.expect.iter().map(tensor).collect::<Result<_>>()?)
            }
        };
        Ok(Step {
            run: Run {
                feeds: feeds.collect::<Result<_>>()?,
                fetches: self.fetches,
                targets: self.targets,
                timeout: self.timeout_ms.map(Duration::from_millis),
            },
            expected,
            thread: self.thread,
        })
    }
}

fn event(written: &[Value], steps: usize) -> Result<Event> {
    let step = written.get(1).and_then(Value::as_u64).map(|i| i as usize).filter(|&i| i < steps);
    match (written.first().and_then(Value::as_str), step) {
        (Some("start"), Some(i)) => Ok(Event::Start(i)),
        (Some("end"), Some(i)) => Ok(Event::End(i)),
        (Some("close"), _) => Ok(Event::Close),
        _ => Err(Error::invalid("not an event of a schedule")
            .expected("[\"start\", step], [\"end\", step] or [\"close\"]")
            .found(format!("{written:?}"))),
    }
}

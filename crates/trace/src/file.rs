//! Trace files: one JSON object that Chrome and Perfetto can open, and that is read back without loss.

use crate::event::StepTrace;
use crate::export;
use crate::pipeline::PipelineTrace;
use crate::queue::{QueueTrace, Workers};
use levada_graph::{Error, Result};
use serde::{Deserialize, Serialize};

/// Version of the lossless section.
const VERSION: u32 = 1;

/// The contents of a trace file.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Trace {
    /// The steps of callers and of queue runners.
    pub steps: Vec<StepTrace>,
    /// The occupancy of queues during the steps.
    pub queues: Vec<QueueTrace>,
    /// What the stages of input pipelines did.
    pub pipelines: Vec<PipelineTrace>,
    /// The activity of the worker threads during that time; `None` if it was not watched.
    pub workers: Option<Workers>,
    /// Number of steps of queue runners that were left out because there were too many.
    pub steps_left_out: u64,
}

impl Trace {
    /// The steps of callers, without those of queue runners.
    pub fn callers(&self) -> impl Iterator<Item = &StepTrace> {
        self.steps.iter().filter(|step| step.runner.is_empty())
    }
}

#[derive(Deserialize)]
struct TraceFile {
    levada: Option<Section>,
}

#[derive(Serialize, Deserialize)]
struct Section {
    version: u32,
    steps: Vec<StepTrace>,
    #[serde(default)]
    queues: Vec<QueueTrace>,
    #[serde(default)]
    pipelines: Vec<PipelineTrace>,
    #[serde(default)]
    workers: Option<Workers>,
    #[serde(default)]
    steps_left_out: u64,
}

#[derive(Serialize)]
struct File<'a> {
    #[serde(rename = "displayTimeUnit")]
    unit: &'static str,
    #[serde(rename = "traceEvents")]
    events: Vec<export::ChromeEvent<'a>>,
    levada: SectionRef<'a>,
}

#[derive(Serialize)]
struct SectionRef<'a> {
    version: u32,
    steps: &'a [StepTrace],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    queues: &'a [QueueTrace],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pipelines: &'a [PipelineTrace],
    #[serde(skip_serializing_if = "Option::is_none")]
    workers: &'a Option<Workers>,
    #[serde(skip_serializing_if = "crate::event::is_zero")]
    steps_left_out: u64,
}

/// Serializes a trace file.
pub fn write(trace: &Trace) -> String {
    let Trace { steps, queues, pipelines, workers, steps_left_out } = trace;
    let events = export::chrome_events(steps, queues);
    let steps_left_out = *steps_left_out;
    let levada = SectionRef { version: VERSION, steps, queues, pipelines, workers, steps_left_out };
    let file = File { unit: "ns", events, levada };
    serde_json::to_string(&file).expect("traces have string keys and finite numbers only")
}

/// Reads a trace file that [`write`] wrote.
///
/// # Errors
/// `INVALID_ARGUMENT` for anything else.
pub fn read(bytes: &[u8]) -> Result<Trace> {
    let written: TraceFile = serde_json::from_slice(bytes).map_err(|e| {
        Error::invalid(format!("this is not a trace: {e}")).line(e.line()).column(e.column()).help(WHENCE)
    })?;
    match written.levada {
        Some(section) if section.version == VERSION => Ok(Trace {
            steps: section.steps,
            queues: section.queues,
            pipelines: section.pipelines,
            workers: section.workers,
            steps_left_out: section.steps_left_out,
        }),
        Some(section) => Err(Error::invalid("the trace has an unsupported version")
            .expected(format!("version {VERSION}"))
            .found(format!("version {}", section.version))),
        None => Err(Error::invalid("the file has no section \"levada\", so Levada did not write it").help(WHENCE)),
    }
}

const WHENCE: &str = "`levada run GRAPH --trace FILE.json` writes a trace";

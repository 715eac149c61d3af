//! `levada run --summaries`: an event file for TensorBoard, with the graph, the fetched values of the steps, and the
//! graph's summaries.

use crate::prepare::Prepared;
use levada::compile::{Signature, prune};
use levada::graph::{Bytes, collections, write};
use levada::session::Session;
use levada::summary::{Event, SessionStatus, Summary, Writer, run_metadata};
use levada::train::Variable;
use levada::{Builder, DType, Endpoint, Graph, Result, StepTrace, Tensor};
use std::path::Path;

/// Maximum number of trace events written.
const MOST_EVENTS: usize = 1_000_000;

/// An event file for the steps of a run.
pub struct Summaries {
    writer: Writer,
    /// The kind of each fetch, with the graph's own summaries after the requested ones.
    fetches: Vec<(String, Kind)>,
    /// Endpoint of the graph's step counter.
    global_step: Option<String>,
    /// Number of trace events written so far.
    traced: usize,
    /// The step of the last event.
    last: Option<i64>,
}

/// The kind of a fetched value.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// `Summary` messages.
    Summary,
    /// A number, written if it is a scalar.
    Number,
    /// Anything else, which is not written.
    Other,
}

impl Summaries {
    /// Begins a file in this directory, and lets each step fetch the graph's summaries (its collection `summaries`), as
    /// far as they can be computed from the feeds.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn begin(directory: &Path, prepared: &mut Prepared) -> Result<Summaries> {
        let session = prepared.callable.session();
        let graph = session.graph();
        let mut more: Vec<String> = Vec::new();
        for name in collections::nodes(&graph.collections, "summaries") {
            let is_new = !prepared.fetches.iter().chain(&more).any(|known| same(known, name));
            if is_new && is_fed(&graph, name, prepared) {
                more.push(name.clone());
            }
        }
        if !more.is_empty() && prepared.also_fetch(&more).is_err() {
            // Some cannot be computed here.
            more.retain(|name| prepared.also_fetch(std::slice::from_ref(name)).is_ok());
            prepared.also_fetch(&more)?;
        }
        let fetches = prepared.fetches.iter().chain(&more).map(|name| (name.clone(), kind(&graph, name))).collect();
        let writer = Writer::create(directory, "")?;
        let mut def = graph.to_def();
        let meta = if def.collections.is_empty() && def.meta.is_empty() { None } else { Some(write::pb(&def)?) };
        def.collections.clear();
        def.meta = Default::default();
        writer.event(0, Event::Graph(&write::pb(&def)?))?;
        if let Some(meta) = meta {
            writer.event(0, Event::MetaGraph(&meta))?;
        }
        let global_step = global_step(&session, &graph);
        Ok(Summaries { writer, fetches, global_step, traced: 0, last: None })
    }

    /// Writes the fetched values of a step: summaries unchanged, and scalars under their names. The step number is that
    /// of the graph's counter, or without one that of the run.
    ///
    /// # Errors
    /// Any error from writing.
    pub fn add(&mut self, step: u64, prepared: &Prepared, values: &[Tensor], trace: Option<&StepTrace>) -> Result<()> {
        let step = self.step(step, prepared);
        if self.last.is_none() {
            self.writer.event(step, Event::SessionLog(SessionStatus::Start, ""))?;
        }
        self.last = Some(step);
        let mut summary = Summary::default();
        for ((name, kind), value) in self.fetches.iter().zip(values) {
            match kind {
                Kind::Summary => value.slice::<Bytes>()?.iter().for_each(|message| summary.merge(message)),
                Kind::Number if value.shape().is_scalar() => {
                    if let Some(number) = number(value) {
                        summary.scalar(name, number);
                    }
                }
                Kind::Number | Kind::Other => {}
            }
        }
        if !summary.bytes().is_empty() {
            self.writer.summary(step, &summary)?;
        }
        if let Some(trace) = trace.filter(|trace| self.traced + trace.events.len() <= MOST_EVENTS) {
            self.traced += trace.events.len();
            self.writer.event(step, Event::RunMetadata(&format!("step_{step}"), &run_metadata(trace)))?;
        }
        Ok(())
    }

    fn step(&self, step: u64, prepared: &Prepared) -> i64 {
        let counted = self.global_step.as_ref().and_then(|endpoint| {
            // If it is not initialized, the steps are counted instead.
            prepared.callable.session().run(&[], &[endpoint], &[]).ok()?.first()?.to_i64s().ok()?.first().copied()
        });
        counted.unwrap_or(i64::try_from(step).unwrap_or(i64::MAX))
    }

    /// Ends the file; returns a message with its name.
    ///
    /// # Errors
    /// Any error from writing.
    pub fn finish(self) -> Result<String> {
        if let Some(last) = self.last {
            self.writer.event(last, Event::SessionLog(SessionStatus::Stop, ""))?;
        }
        self.writer.flush()?;
        Ok(format!("wrote {}\n", self.writer.path().display()))
    }
}

/// True for two names of one endpoint.
fn same(a: &str, b: &str) -> bool {
    a.strip_suffix(":0").unwrap_or(a) == b.strip_suffix(":0").unwrap_or(b)
}

/// True if all placeholders that the endpoint depends on are fed.
fn is_fed(graph: &Graph, name: &str, prepared: &Prepared) -> bool {
    let Ok(endpoint) = graph.endpoint(name) else { return false };
    let feeds: Vec<Endpoint> = prepared.fed().filter_map(|name| graph.endpoint(name).ok()).collect();
    let is_fed = |id| feeds.iter().any(|feed| feed.node == id);
    let signature = Signature { feeds: feeds.clone(), fetches: vec![endpoint], ..Signature::default() };
    prune(graph, &signature).is_ok_and(|needed| {
        let open = |id| matches!(graph.node(id).op_name(), "Placeholder" | "PlaceholderV2") && !is_fed(id);
        !needed.order.iter().any(|id| open(*id))
    })
}

fn kind(graph: &Graph, name: &str) -> Kind {
    let Ok(endpoint) = graph.endpoint(name) else { return Kind::Other };
    let node = graph.node(endpoint.node);
    let op = node.op_name();
    match node.output_types.get(endpoint.output as usize).map(|ty| ty.dtype) {
        Some(DType::Str) if op.trim_end_matches("V2").ends_with("Summary") => Kind::Summary,
        Some(DType::Str | DType::Resource | DType::Variant) | None => Kind::Other,
        Some(_) => Kind::Number,
    }
}

fn number(value: &Tensor) -> Option<f32> {
    Some(match value.dtype() {
        DType::F32 => value.item::<f32>().ok()?,
        DType::F64 => value.item::<f64>().ok()? as f32,
        DType::F16 => value.item::<levada::f16>().ok()?.to_f32(),
        DType::BF16 => value.item::<levada::bf16>().ok()?.to_f32(),
        DType::Bool => f32::from(u8::from(value.item::<bool>().ok()?)),
        DType::U64 => value.item::<u64>().ok()? as f32,
        _ => *value.to_i64s().ok()?.first()? as f32,
    })
}

/// An endpoint that reads the graph's step counter, which is added to the session.
fn global_step(session: &Session, graph: &Graph) -> Option<String> {
    graph.find("global_step")?;
    let mut name = String::new();
    let registry = session.registry().clone();
    let grown = session.grow(|graph, _| {
        let mut b = Builder::on(graph.clone(), registry);
        let step = Variable::find(&mut b, "global_step")?;
        name = b.name(step.value);
        b.finish()
    });
    grown.is_ok().then_some(name)
}

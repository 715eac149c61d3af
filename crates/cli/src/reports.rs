//! The reports of the verbs, as the JSON and the text that they print, for programs that call the libraries directly,
//! such as the Python package.

use crate::place::{ShapeSource, ShapedFeed, Step};
use crate::{compare, explore, lint, memory, nan, time};
use levada::lint::Finding;
use levada::session::{NanOrigin, NanWatch, Session};
use levada::{Error, Result, StepTrace};
use serde_json::{Value, json};

/// The JSON without the name of a file, and the text without colours.
pub type Told = (Value, String);

fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

/// The report of `levada lint`.
pub fn findings(findings: &[Finding]) -> Told {
    let all: Vec<Value> = findings.iter().map(lint::as_json).collect();
    (json!({ "findings": all }), plain(&findings.iter().map(lint::text).collect::<String>()))
}

/// The report of `levada memory`.
pub fn memory(report: &levada::memory::Report) -> Told {
    (memory::as_json(report), plain(&memory::as_text(report, None, false)))
}

/// The report of `levada explore`.
pub fn exploration(report: &levada::explore::Report) -> Told {
    (explore::as_json(report), plain(&explore::text("the graph", report)))
}

/// The report of `levada compare`.
pub fn comparison(report: &levada::compare::Report) -> Told {
    (compare::as_json(report), plain(&compare::text(report, false)))
}

/// The origin of the first NaN of a watched run.
pub fn nan(origin: &NanOrigin) -> Value {
    nan::as_json(origin, None)
}

/// Parses the value of `levada run --watch`.
///
/// # Errors
/// The expected syntax.
pub fn watch(text: &str) -> Result<NanWatch, String> {
    text.parse::<nan::Watch>().map(|watch| watch.0)
}

/// A step: the nodes that it runs, and the shapes of its feeds.
#[derive(Clone, Debug)]
pub struct StepOf {
    /// Fetched endpoints and operations.
    pub fetches: Vec<String>,
    /// Target nodes.
    pub targets: Vec<String>,
    /// The shape of each feed.
    pub feeds: Vec<(String, Vec<usize>)>,
}

/// The report of `levada time`, from traces of steps of this session and the nanoseconds that one took.
///
/// # Errors
/// What is wrong with the step, and nodes that no device can run.
pub fn times(
    session: &Session,
    step: &StepOf,
    (steps, nanos): (&[StepTrace], f64),
    threads: &[usize],
    soft: bool,
) -> Result<Told> {
    let graph = session.graph();
    let shaped =
        |(name, dims): &(String, Vec<usize>)| ShapedFeed { name: name.clone(), shape: ShapeSource::Dims(dims.clone()) };
    let feeds: Vec<ShapedFeed> = step.feeds.iter().map(shaped).collect();
    let step = Step::of((&step.fetches, &step.targets, &feeds), &graph, session.devices())?;
    let step = step.ok_or_else(|| Error::invalid("there is no step to predict").help("fetch something"))?;
    let (json, text) = time::expected((&graph, session.devices()), (&step, steps, nanos), threads, soft)?;
    Ok((json, plain(&text)))
}

//! One HTML page that shows a graph, its placement and its traces.
//!
//! In: a checked [`Graph`], the output of `levada place --json`, [`Trace`]s of runs. Out: a self-contained file:
//! [`html`] puts the data, as JSON and as packed columns of numbers, into the page of `src/page`: first what the
//! picture of the graph needs, then the script, then the events, which the page reads while the graph is on the screen.
//! The page computes the layout of a scope when it is opened, except for scopes of thousands of items. This crate knows
//! no op library: a [`Knowledge`] supplies what it needs to know about ops and shapes.
//!
//! ```
//! use levada_graph::{Graph, Registry};
//! use levada_view::{Knowledge, View, html};
//! let (graph, registry) = (Graph::new(), Registry::new([]));
//! let page = html(&View::new("empty", &graph, &Knowledge::of(&registry))).unwrap();
//! assert!(page.starts_with("<!DOCTYPE html>"));
//! ```
//!
//! `body` reads graphs and functions, `nodes` packs them, `scopes` groups them, `field` lays out the largest groups,
//! `values` describes constants, `events` packs traces, `pack` has the formats.

mod body;
mod events;
mod field;
mod nodes;
mod pack;
mod placement;
mod scopes;
pub mod serve;
mod values;

use levada_graph::{Endpoint, Graph, PartialShape, Registry, Result, Tensor};
use levada_trace::Trace;
use serde_json::json;
use std::collections::HashMap;

/// What the page needs to know about the op library.
pub struct Knowledge<'a> {
    /// The ops.
    pub registry: &'a Registry,
    /// Family by op name.
    pub families: HashMap<&'static str, &'static str>,
    /// The known part of the shape of an endpoint of the graph.
    pub shape: &'a dyn Fn(Endpoint) -> PartialShape,
    /// The elements of a tensor as numbers; `None` if they are not numeric.
    pub numbers: &'a dyn Fn(&Tensor) -> Option<Vec<f64>>,
}

impl<'a> Knowledge<'a> {
    /// Only what a registry contains.
    pub fn of(registry: &'a Registry) -> Knowledge<'a> {
        Knowledge { registry, families: HashMap::new(), shape: &|_| PartialShape::Unknown, numbers: &|_| None }
    }
}

/// The contents of a page.
pub struct View<'a> {
    /// Its title.
    pub title: &'a str,
    /// The graph.
    pub graph: &'a Graph,
    /// Information on its ops and shapes.
    pub knowledge: &'a Knowledge<'a>,
    /// The output of `levada place --json`.
    pub placement: Option<&'a serde_json::Value>,
    /// A trace of its runs.
    pub trace: Option<&'a Trace>,
    /// An earlier trace to compare with.
    pub before: Option<&'a Trace>,
}

impl<'a> View<'a> {
    /// A graph alone.
    pub fn new(title: &'a str, graph: &'a Graph, knowledge: &'a Knowledge<'a>) -> View<'a> {
        View { title, graph, knowledge, placement: None, trace: None, before: None }
    }
}

const STYLE: &str = include_str!("page/style.css");
const SCRIPTS: &[&str] = &[
    include_str!("page/data.js"),
    include_str!("page/layout.js"),
    include_str!("page/graph.js"),
    include_str!("page/field.js"),
    include_str!("page/timeline.js"),
    include_str!("page/charts.js"),
    include_str!("page/details.js"),
    include_str!("page/table.js"),
    include_str!("page/main.js"),
];
const BODY: &str = include_str!("page/body.html");

/// The page.
///
/// # Errors
/// `INVALID_ARGUMENT` for a malformed placement.
pub fn html(view: &View<'_>) -> Result<String> {
    let placed = view.placement.map(placement::read).transpose()?;
    let (mut bytes, mut events) = (pack::Columns::default(), pack::Columns::default());
    let bodies = body::bodies(view);
    let index = nodes::Index::new(&bodies);
    let graph = nodes::pack(view, &bodies, &index, placed.as_ref(), &mut bytes);
    let trace = view.trace.map(|trace| events::pack(trace, &bodies, &index, &mut bytes, &mut events));
    let before = view.before.map(|trace| events::totals(trace, &index));
    let data = json!({
        "version": 1,
        "title": view.title,
        "graph": graph,
        "trace": trace,
        "before": before,
        "columns": bytes.directory(),
        "event_columns": events.directory(),
    });
    let mut page = String::with_capacity(1 << 20);
    page.push_str("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    page.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    // Nothing is loaded from anywhere, whatever names the data contains.
    page.push_str(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; \
         style-src 'unsafe-inline'; img-src data: blob:\">\n",
    );
    page.push_str(&format!("<title>{} – Levada</title>\n<style>\n{STYLE}</style>\n</head>\n", pack::text(view.title)));
    page.push_str(BODY);
    page.push_str("<script type=\"application/json\" id=\"data\">");
    page.push_str(&pack::json(&data));
    page.push_str("</script>\n<script type=\"text/plain\" id=\"bytes\">");
    bytes.append_base64(&mut page);
    page.push_str("</script>\n<script>\n\"use strict\";\n(() => {\n");
    for script in SCRIPTS {
        page.push_str(script);
    }
    page.push_str("})();\n</script>\n<script type=\"text/plain\" id=\"events\">");
    events.append_deflated(&mut page);
    page.push_str("</script>\n</body>\n</html>\n");
    Ok(page)
}

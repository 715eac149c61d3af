//! `levada compare`

use crate::args::CompareArgs;
use crate::feed::{self, write_file};
use crate::{archive, model, print, quiet, show};
use levada::compare::{Blame, Cause, Failure, Options, Report, Row, Tolerance, sessions, tensors};
use levada::{Error, Result, Session, SessionOptions, Tensor, gpus};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

/// Maximum number of points in a picture.
const MOST_POINTS: usize = 5_000;

/// Compares two graphs node by node, or a graph with tensors of a file; exit code 1 if they differ.
///
/// # Errors
/// Files that cannot be read, names that the first graph does not have, errors of the runs.
pub fn compare(args: &CompareArgs) -> Result<ExitCode> {
    let first = open(&args.first, args, false)?;
    let feeds = feed::load(&args.feed, &first.graph(), "--feed", true);
    let feeds =
        feeds.map_err(|faults| Error::join(faults).unwrap_or_else(|| Error::invalid("a feed cannot be loaded")))?;
    let tolerance = Tolerance { rtol: args.rtol, atol: args.atol };
    let options = Options { feeds, fetches: args.fetch.clone(), tolerance };
    let in_first = |e: Error| e.in_file(&args.first.display().to_string());
    let report = match is_of_tensors(&args.second) {
        true => tensors(&first, &dumped(&args.second)?, &options).map_err(in_first)?,
        false => sessions(&first, &*open(&args.second, args, true)?, &options)?,
    };
    if let Some(path) = &args.svg {
        let (name, x, y) =
            report.sample.as_ref().ok_or_else(|| Error::invalid("--svg: there is no numeric difference to draw"))?;
        write_file(path, picture(name, x, y).as_bytes())?;
    }
    match args.json {
        true => print(&format!("{:#}\n", as_json(&report))),
        false => print(&text(&report, args.all)),
    }
    Ok(if report.is_equal() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// True for a file of tensors, not a graph.
fn is_of_tensors(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("npz") || e.eq_ignore_ascii_case("safetensors"))
}

fn dumped(path: &Path) -> Result<BTreeMap<String, Tensor>> {
    let file = archive::open(path)?;
    file.names().into_iter().map(|name| Ok((name.to_owned(), file.read(name)?))).collect()
}

/// Opens a session on the graph and initializes it.
fn open(path: &Path, args: &CompareArgs, is_second: bool) -> Result<Session> {
    let devices = args.second_devices.filter(|_| is_second).unwrap_or(args.devices);
    let options = SessionOptions { cpus: devices.cpus, gpus: devices.gpus, ..SessionOptions::default() };
    if devices.gpus > 0 {
        quiet::find_devices(false);
        gpus::check(&options)?;
    }
    let session = model::open(path, false, &[])?.session(options)?;
    let init: Vec<&str> = args.init.iter().map(String::as_str).collect();
    if !init.is_empty() {
        session.run(&[], &[], &init).map_err(|e| e.in_file(&path.display().to_string()))?;
    }
    Ok(session)
}

/// The outputs that differ, or all, as text.
pub fn text(report: &Report, all: bool) -> String {
    let shown: Vec<&Row> = report.rows.iter().filter(|row| all || !row.is_equal).collect();
    let mut text = String::new();
    if !shown.is_empty() {
        let head = ["output", "op", "max", "mean", "ulp", "cosine", "beyond"].map(str::to_owned);
        let rows: Vec<[String; 7]> = std::iter::once(head).chain(shown.iter().map(|row| cells(row))).collect();
        text.push_str(&show::table("llrrrrr", &rows));
        text.push('\n');
    }
    for cause in &report.causes {
        text.push_str(&format!("{} ({}) differs although its inputs do not{}\n", cause.node, cause.op, why(cause)));
    }
    for (failures, which) in [(&report.failed_first, "first"), (&report.failed_second, "second")] {
        for failure in failures {
            text.push_str(&format!("{} fails in the {which}: {}\n", failure.node, failure.error.message()));
        }
    }
    let differing = report.rows.iter().filter(|row| !row.is_equal).count();
    text.push_str(&format!("{} compared, {differing} differ", show::count(report.rows.len(), "output")));
    for (names, which) in [(&report.only_first, "first"), (&report.only_second, "second")] {
        if !names.is_empty() {
            text.push_str(&format!(", {} only in the {which}", names.len()));
        }
    }
    text.push('\n');
    text
}

fn cells(row: &Row) -> [String; 7] {
    let name = if row.name == row.other { row.name.clone() } else { format!("{} / {}", row.name, row.other) };
    let (op, cells) = (row.op.clone(), |texts: [String; 5]| texts);
    let [max, mean, ulp, cosine, beyond] = match row.distance {
        Some(d) => cells([
            format!("{:.3e}", d.max),
            format!("{:.3e}", d.mean),
            format!("{:.1}", d.ulp),
            format!("{:.6}", d.cosine),
            d.beyond.to_string(),
        ]),
        None if row.shapes.0 != row.shapes.1 => cells([
            format!("{} / {}", row.shapes.0, row.shapes.1),
            String::new(),
            String::new(),
            String::new(),
            String::new(),
        ]),
        None => cells([
            if row.is_equal { "same" } else { "other" }.to_owned(),
            String::new(),
            String::new(),
            String::new(),
            String::new(),
        ]),
    };
    [name, op, max, mean, ulp, cosine, beyond]
}

/// The reason for a difference, as the end of a sentence.
fn why(cause: &Cause) -> String {
    match &cause.blame {
        Blame::Op(op) => format!(": in the second it is {op}"),
        Blame::Attrs(attrs) => format!(": other values of {}", attrs.join(", ")),
        Blame::Inputs => ": it takes other inputs".to_owned(),
        Blame::Value => ": another value".to_owned(),
        Blame::Rounding { first, second } => {
            format!(": from the result in float64 the first is {first:.3e} away, the second {second:.3e}")
        }
        Blame::Unknown => String::new(),
    }
}

/// The report as `--json` prints it.
pub fn as_json(report: &Report) -> Value {
    let row = |row: &Row| {
        let distance = row.distance.map(|d| {
            json!({"max": finite(d.max), "mean": finite(d.mean), "ulp": finite(d.ulp), "cosine": finite(d.cosine), "beyond": d.beyond})
        });
        json!({
            "output": row.name,
            "other": row.other,
            "op": row.op,
            "dtypes": [row.dtypes.0.name(), row.dtypes.1.name()],
            "shapes": [row.shapes.0.to_string(), row.shapes.1.to_string()],
            "distance": distance,
            "equal": row.is_equal,
        })
    };
    let cause = |cause: &Cause| {
        let mut json = json!({"node": cause.node, "op": cause.op, "output": cause.output});
        match &cause.blame {
            Blame::Op(op) => json["other_op"] = op.as_str().into(),
            Blame::Attrs(attrs) => json["attrs"] = attrs.as_slice().into(),
            Blame::Inputs => json["other_inputs"] = true.into(),
            Blame::Value => json["other_value"] = true.into(),
            Blame::Rounding { first, second } => json["from_float64"] = json!([finite(*first), finite(*second)]),
            Blame::Unknown => {}
        }
        json
    };
    let failure = |failure: &Failure| json!({"node": failure.node, "code": failure.error.code().name(), "message": failure.error.message()});
    let failures = |all: &[Failure]| all.iter().map(failure).collect::<Vec<_>>();
    json!({
        "version": 1,
        "failed_first": failures(&report.failed_first),
        "failed_second": failures(&report.failed_second),
        "equal": report.is_equal(),
        "outputs": report.rows.iter().map(row).collect::<Vec<_>>(),
        "causes": report.causes.iter().map(cause).collect::<Vec<_>>(),
        "only_first": report.only_first,
        "only_second": report.only_second,
    })
}

/// A number in JSON; non-finite values are strings.
fn finite(value: f64) -> Value {
    if value.is_finite() { value.into() } else { value.to_string().into() }
}

/// The elements of two tensors as points, with the line on which they would be equal.
fn picture(name: &str, x: &Tensor, y: &Tensor) -> String {
    const SIZE: f64 = 400.0;
    const EDGE: f64 = 50.0;
    let (x, y) = (levada::compare::numbers(x).unwrap_or_default(), levada::compare::numbers(y).unwrap_or_default());
    let step = x.len().div_ceil(MOST_POINTS).max(1);
    let points: Vec<(f64, f64)> =
        x.into_iter().zip(y).step_by(step).filter(|(a, b)| a.is_finite() && b.is_finite()).collect();
    let all = || points.iter().flat_map(|(a, b)| [*a, *b]);
    let (low, high) = (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
    let (low, high) = if low < high { (low, high) } else { (low.min(0.0) - 1.0, high.max(0.0) + 1.0) };
    let along = |v: f64| EDGE + (v - low) / (high - low) * SIZE;
    let dots: String = points
        .iter()
        .map(|(a, b)| {
            format!("<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"2\"/>\n", along(*a), 2.0 * EDGE + SIZE - along(*b))
        })
        .collect();
    let side = SIZE + 2.0 * EDGE;
    let name = name.replace('&', "&amp;").replace('<', "&lt;");
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{side}\" height=\"{side}\" fill=\"white\"/>\n\
         <text x=\"{EDGE}\" y=\"20\">{name}</text>\n\
         <text x=\"{EDGE}\" y=\"{below}\">first: {low:.4e} to {high:.4e}</text>\n\
         <text transform=\"translate(20 {end}) rotate(-90)\">second: {low:.4e} to {high:.4e}</text>\n\
         <rect x=\"{EDGE}\" y=\"{EDGE}\" width=\"{SIZE}\" height=\"{SIZE}\" fill=\"none\" stroke=\"#888\"/>\n\
         <line x1=\"{EDGE}\" y1=\"{end}\" x2=\"{end}\" y2=\"{EDGE}\" stroke=\"#bbb\"/>\n\
         <g fill=\"#06c\" fill-opacity=\"0.5\">\n{dots}</g>\n</svg>\n",
        below = side - 20.0,
        end = EDGE + SIZE,
    )
}

//! `levada explore`

use crate::args::ExploreArgs;
use crate::checks::{self, INIT, STEP};
use crate::feed::{self, NamedTensors};
use crate::term::{Style, styled};
use crate::{model, plain, print, show};
use levada::explore::{At, Change, Difference, Place, Report, Request, Value as Found, explore as search};
use levada::{Error, Files, Model, Result, SessionOptions, Tensor};
use serde_json::{Value, json};
use std::process::ExitCode;

/// Maximum number of elements of a value shown.
const MOST_SHOWN: usize = 8;

/// Nodes of an order shown around the first that differs.
const AROUND: usize = 3;

/// Runs a graph in other orders; exit code 1 if results depend on the order.
///
/// # Errors
/// What is wrong with the graph, the names or the feeds, and an error of the run that occurs in every order.
pub fn explore(args: &ExploreArgs) -> Result<ExitCode> {
    let file = args.graph.display().to_string();
    let model = model::open(&args.graph, false, &args.tag)?;
    let request = request(args, &model).map_err(|e| e.in_file(&file))?;
    let files = Files::under(&args.allow_files).map_err(|e| e.help("--allow-files DIR"))?;
    let Model { graph, kind, saved, values } = model;
    let open = |graph, options: SessionOptions| {
        let model = Model { graph, kind: kind.clone(), saved: saved.clone(), values: values.clone() };
        model.session(SessionOptions { files: files.clone(), ..options }).map(|session| (*session).clone())
    };
    let report = search(graph, &levada::registry(), &request, &open).map_err(|e| e.in_file(&file))?;
    match args.json {
        true => {
            let mut json = as_json(&report);
            json["version"] = 1.into();
            json["file"] = file.into();
            print(&format!("{json:#}\n"));
        }
        false => print(&text(&file, &report)),
    }
    Ok(if report.differences.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn request(args: &ExploreArgs, model: &Model) -> Result<Request> {
    if args.fetch.is_empty() && args.target.is_empty() {
        return Err(Error::invalid("nothing to run").help("name something with --fetch or --target"));
    }
    let joined = |faults| Error::join(faults).unwrap_or_else(|| Error::internal("an error without a fault"));
    let feeds: NamedTensors = feed::load(&args.feed, &model.graph, STEP.feed, true).map_err(joined)?;
    let names: Vec<&str> = args.feed.iter().map(|feed| feed.name.as_str()).collect();
    checks::check(&model.graph, STEP, &names, &args.fetch, &args.target).map_err(joined)?;
    let init = checks::check(&model.graph, INIT, &names, &[], &args.init).map_err(joined)?;
    Ok(Request {
        init_feeds: init.needed.iter().map(|&i| feeds[i].clone()).collect(),
        feeds,
        fetches: args.fetch.clone(),
        targets: args.target.clone(),
        init: args.init.clone(),
        orders: args.orders,
        seed: args.seed,
        timeout: Some(args.timeout),
    })
}

/// The report as text.
pub fn text(file: &str, report: &Report) -> String {
    let mut text: String = report.differences.iter().map(difference).collect();
    let orders = match report.is_complete {
        true => format!("all {}", show::count(report.orders, "other order")),
        false => show::count(report.orders, "other order"),
    };
    text.push_str(&format!("{file}: {orders}, {}\n", show::count(report.differences.len(), "difference")));
    if !report.unsteady.is_empty() {
        let count = show::count(report.unsteady.len(), "node");
        let names = report.unsteady.iter().take(MOST_SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
        text.push_str(&format!("{count} differed in every run, and could not be compared: {names}\n"));
    }
    text
}

fn difference(difference: &Difference) -> String {
    let label = styled(Style::Error, "difference");
    let mut text = match &difference.pair {
        Some((first, second)) => format!("{label}: {second} before {first} changes the results\n"),
        None => format!("{label}: another order changes the results\n"),
    };
    for change in &difference.changes {
        let (usual, other) = values(change);
        text.push_str(&format!("  {}: usually {usual}, now {other}\n", place(&change.place)));
    }
    if let Some(first) = &difference.first {
        text.push_str(&format!("  the first node that differs: {}\n", at(first)));
    }
    let (usual, other) = around(&difference.usual, &difference.other);
    text.push_str(&format!("  usually: {usual}\n  now:     {other}\n"));
    text
}

/// The parts of two orders from shortly before they diverge until they coincide again.
fn around(usual: &[String], other: &[String]) -> (String, String) {
    let same = usual.iter().zip(other).take_while(|(a, b)| a == b).count();
    let ends = usual.iter().rev().zip(other.iter().rev()).take_while(|(a, b)| a == b).count();
    let part = |order: &[String]| {
        let end = order.len().saturating_sub(ends).max(same);
        let (from, to) = (same.saturating_sub(AROUND), (end + AROUND).min(order.len()));
        let mut names: Vec<&str> = order[from..to].iter().map(String::as_str).collect();
        if names.len() > 4 * MOST_SHOWN {
            names.truncate(4 * MOST_SHOWN);
            names.push("...");
        }
        let (before, after) = (if from > 0 { "... " } else { "" }, if to < order.len() { " ..." } else { "" });
        format!("{before}{}{after}", names.join(", "))
    };
    (part(usual), part(other))
}

fn place(place: &Place) -> String {
    match place {
        Place::Outcome => "the run".to_owned(),
        Place::Fetch(name) => name.clone(),
        Place::Variable(name) => format!("the variable {name} afterwards"),
        Place::Queue(name) => format!("the queue {name} afterwards"),
        Place::Table(name) => format!("the table {name} afterwards"),
    }
}

fn at(at: &At) -> String {
    let mut text = at.node.clone();
    for (frame, iteration) in &at.iterations {
        text.push_str(&format!(", in iteration {iteration} of {frame}"));
    }
    if let Some(function) = &at.function {
        text.push_str(&format!(", in the function {function}"));
    }
    text
}

/// Two values; for tensors of the same shape, the elements from the first difference on.
fn values(change: &Change) -> (String, String) {
    if let (Found::Tensor(a), Found::Tensor(b)) = (&change.usual, &change.other)
        && a.shape() == b.shape()
        && a.num_elements() > MOST_SHOWN
    {
        let size = a.dtype().size().max(1);
        let pairs = a.bytes().unwrap_or_default().chunks(size).zip(b.bytes().unwrap_or_default().chunks(size));
        let first = pairs.into_iter().position(|(a, b)| a != b).unwrap_or(0);
        let from = |t: &Tensor| {
            let mut cells = String::new();
            plain::cells(t, first, (first + 3).min(t.num_elements()), &mut cells);
            format!("{}.. from element {first} on", cells.trim_start_matches(','))
        };
        return (from(a), from(b));
    }
    (value(&change.usual), value(&change.other))
}

fn value(value: &Found) -> String {
    match value {
        Found::Nothing => "without a value".to_owned(),
        Found::Ended => "succeeds".to_owned(),
        Found::Tensor(t) => tensor(t),
        Found::Elements(all) => {
            let shown =
                all.iter().take(MOST_SHOWN).map(|element| element.iter().map(tensor).collect::<Vec<_>>().join(" "));
            let mut shown: Vec<String> = shown.collect();
            if all.len() > MOST_SHOWN {
                shown.push("...".to_owned());
            }
            format!("{}: {}", show::count(all.len(), "element"), shown.join(", "))
        }
        Found::Failed(error) => format!("fails: {}", error.message()),
    }
}

fn tensor(t: &Tensor) -> String {
    let mut text = String::new();
    match t.num_elements() <= MOST_SHOWN {
        true => plain::json(t, &mut text),
        false => text = format!("{} {}", t.dtype(), t.shape()),
    }
    text
}

/// The report as `--json` prints it.
pub fn as_json(report: &Report) -> Value {
    let differences = report.differences.iter().map(|difference| {
        let changes = difference.changes.iter().map(|change| {
            let (kind, name) = match &change.place {
                Place::Outcome => ("outcome", None),
                Place::Fetch(name) => ("fetch", Some(name)),
                Place::Variable(name) => ("variable", Some(name)),
                Place::Queue(name) => ("queue", Some(name)),
                Place::Table(name) => ("table", Some(name)),
            };
            let (usual, other) = values(change);
            json!({"kind": kind, "name": name, "usual": usual, "other": other})
        });
        let first = difference.first.as_ref().map(|first| {
            let iterations = first.iterations.iter().map(|(frame, n)| json!({"frame": frame, "iteration": n}));
            json!({"node": first.node, "function": first.function, "iterations": iterations.collect::<Vec<_>>()})
        });
        json!({
            "pair": difference.pair.as_ref().map(|(a, b)| [a, b]),
            "changes": changes.collect::<Vec<_>>(),
            "first_node": first,
            "usual_order": difference.usual,
            "other_order": difference.other,
        })
    });
    json!({
        "orders": report.orders,
        "complete": report.is_complete,
        "differences": differences.collect::<Vec<_>>(),
        "unsteady": report.unsteady,
    })
}

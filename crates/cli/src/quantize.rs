//! `levada quantize`

use crate::args::{QuantizeArgs, Range};
use crate::output::{self, write_file};
use crate::{archive, model, print, show};
use levada::graph::write;
use levada::transform::quantize::report::{Fetch, Layer, Loss, Report};
use levada::transform::{Feeds, Options, Ranges, quantize as quantized};
use levada::{Error, Result, SessionOptions};
use serde_json::{Value, json};
use std::path::Path;
use std::process::ExitCode;

/// Writes a graph with layers in 8-bit integers, and reports the loss of each.
///
/// # Errors
/// A graph or arrays that cannot be read, names that are not in it, a graph without layers that can be quantized, a file that
/// cannot be written.
pub fn quantize(args: &QuantizeArgs) -> Result<ExitCode> {
    let mut faults = output::check_all(&[("--out", &args.out)], &args.graph);
    let mut calibration = Vec::new();
    for path in &args.calibrate {
        match runs(path, args.batch) {
            Ok(runs) => calibration.extend(runs),
            Err(error) => faults.push(error.in_file(&path.display().to_string())),
        }
    }
    if let Some(error) = Error::join(faults) {
        return Err(error);
    }
    let named = |e: Error| e.in_file(&args.graph.display().to_string());
    let graph = model::open(&args.graph, args.strict, &[])?.graph;
    let options = Options {
        ranges: match args.ranges {
            Range::MinMax => Ranges::MinMax,
            Range::Percentile => Ranges::Percentile(args.percentile),
            Range::LeastSquares => Ranges::LeastSquares,
        },
        keep: args.keep.clone(),
    };
    let fetches: Vec<&str> = args.fetch.iter().map(String::as_str).collect();
    let open = levada::opener(SessionOptions::default());
    let done = quantized(&graph, &calibration, &fetches, &options, &open).map_err(named)?;
    let json = args.out.extension().is_some_and(|e| e.eq_ignore_ascii_case("json"));
    let bytes = if json { write::json(&done.def)?.into_bytes() } else { write::pb(&done.def)? };
    write_file(&args.out, &bytes)?;
    if args.json {
        print(&format!("{:#}\n", as_json(&done.report)));
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = as_text(&done.report);
    text.push_str(&format!(
        "\n{} in 8-bit integers in {}, {}\n",
        show::count(done.report.layers.len(), "layer"),
        args.out.display(),
        show::count(bytes.len(), "byte"),
    ));
    print(&text);
    Ok(ExitCode::SUCCESS)
}

/// The feeds of runs on the arrays of a file, in pieces of `batch` rows.
fn runs(path: &Path, batch: Option<u64>) -> Result<Vec<Feeds>> {
    let source = archive::open(path)?;
    let names: Vec<String> = source.names().into_iter().map(str::to_owned).collect();
    let arrays = names.into_iter().map(|name| Ok((name.clone(), source.read(&name)?))).collect::<Result<Feeds>>()?;
    let Some(batch) = batch else { return Ok(vec![arrays]) };
    let batch = usize::try_from(batch).unwrap_or(usize::MAX);
    let rows = |(name, tensor): &(String, levada::Tensor)| {
        let rows = tensor.shape().first().copied();
        rows.ok_or_else(|| Error::invalid(format!("--batch {batch}: {name} is a scalar and has no rows")))
    };
    let counts = arrays.iter().map(rows).collect::<Result<Vec<_>>>()?;
    let count = counts.first().copied().unwrap_or(0);
    if counts.iter().any(|&other| other != count) {
        let found: Vec<String> = arrays.iter().zip(counts).map(|((name, _), n)| format!("{name} has {n}")).collect();
        let error = Error::invalid(format!("--batch {batch}: the arrays do not have the same number of rows"));
        return Err(error.found(found.join(", ")));
    }
    let piece = |first: usize| {
        let part = |(name, tensor): &(String, levada::Tensor)| {
            Ok((name.clone(), tensor.rows(first..first.saturating_add(batch).min(count))?))
        };
        arrays.iter().map(part).collect::<Result<Feeds>>()
    };
    (0..count).step_by(batch).map(piece).collect()
}

fn cells(loss: &Loss) -> [String; 4] {
    [
        format!("{:.3e}", loss.max_error),
        format!("{:.3e}", loss.mean_error),
        format!("{:.1}", loss.sqnr_db),
        format!("{:.5}", loss.cosine),
    ]
}

fn as_text(report: &Report) -> String {
    let head =
        |first: &str, second: &str| [first, second, "max error", "mean error", "SQNR dB", "cosine"].map(str::to_owned);
    let mut rows = vec![head("layer", "gives")];
    let row = |layer: &Layer| {
        let [max, mean, sqnr, cosine] = cells(&layer.loss);
        let gives = if layer.gives_codes { "codes" } else { "floats" };
        [layer.node.clone(), gives.to_owned(), max, mean, sqnr, cosine]
    };
    rows.extend(report.layers.iter().map(row));
    let mut text = show::table("llrrrr", &rows);
    let mut rows = vec![head("fetch", "agrees")];
    let row = |fetch: &Fetch| {
        let [max, mean, sqnr, cosine] = fetch.loss.as_ref().map_or_else(Default::default, cells);
        [fetch.name.clone(), format!("{:.2}%", fetch.agreement * 100.0), max, mean, sqnr, cosine]
    };
    rows.extend(report.fetches.iter().map(row));
    text.push('\n');
    text.push_str(&show::table("lrrrrr", &rows));
    if !report.left.is_empty() {
        text.push_str("\nin floats as before:\n");
        let rows: Vec<_> =
            report.left.iter().map(|l| [format!("  {}", l.node), l.op.clone(), l.reason.clone()]).collect();
        text.push_str(&show::table("lll", &rows));
    }
    text
}

fn as_json(report: &Report) -> Value {
    let loss = |loss: &Loss| {
        json!({
            "max_error": loss.max_error, "mean_error": loss.mean_error,
            // Infinite if nothing was lost, which JSON cannot represent.
            "sqnr_db": loss.sqnr_db.is_finite().then_some(loss.sqnr_db), "cosine": loss.cosine,
        })
    };
    let layer = |layer: &Layer| {
        let mut row = loss(&layer.loss);
        row["node"] = layer.node.clone().into();
        row["op"] = layer.op.clone().into();
        row["output"] = layer.output.clone().into();
        row["gives_codes"] = layer.gives_codes.into();
        row
    };
    let fetch = |fetch: &Fetch| {
        let mut row = fetch.loss.as_ref().map_or_else(|| json!({}), loss);
        row["name"] = fetch.name.clone().into();
        row["agreement"] = fetch.agreement.into();
        row
    };
    json!({
        "version": 1,
        "layers": report.layers.iter().map(layer).collect::<Vec<_>>(),
        "fetches": report.fetches.iter().map(fetch).collect::<Vec<_>>(),
        "left": report.left.iter().map(|l| json!({"node": l.node, "op": l.op, "reason": l.reason})).collect::<Vec<_>>(),
    })
}

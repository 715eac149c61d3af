//! `levada batch`

use crate::args::ManyArgs;
use crate::output::{self, write_file};
use crate::{model, print};
use levada::graph::write;
use levada::transform::batch_for;
use levada::{Error, Result};
use serde_json::json;
use std::process::ExitCode;

/// Writes a graph that computes a batch of examples in one run, and lists which nodes are batched.
///
/// # Errors
/// A graph that cannot be read, names that are not in it, a fetch that cannot be batched, a file that cannot be written.
pub fn batch(args: &ManyArgs) -> Result<ExitCode> {
    if let Some(error) = Error::join(output::check_all(&[("--out", &args.out)], &args.graph)) {
        return Err(error);
    }
    let named = |e: Error| e.in_file(&args.graph.display().to_string());
    let graph = model::open(&args.graph, args.strict, &[])?.graph;
    let inputs: Vec<&str> = args.by.iter().map(String::as_str).collect();
    let fetches: Vec<&str> = args.fetch.iter().map(String::as_str).collect();
    let made = batch_for(&graph, &inputs, &fetches).map_err(named)?;
    let def = made.graph.to_def();
    let is_json = args.out.extension().is_some_and(|e| e.eq_ignore_ascii_case("json"));
    let bytes = if is_json { write::json(&def)?.into_bytes() } else { write::pb(&def)? };
    write_file(&args.out, &bytes)?;
    let (varies, same): (Vec<&str>, Vec<&str>) = fetches.iter().partition(|name| made.varies(name));
    if args.json {
        let one_by_one = made.one_by_one.iter().map(|(node, op)| json!({"node": node, "op": op})).collect::<Vec<_>>();
        let refused = made.refused.iter().map(|r| json!({"node": r.node, "op": r.op, "reason": r.reason}));
        let report = json!({
            "varies": varies, "same": same, "one_by_one": one_by_one, "refused": refused.collect::<Vec<_>>(),
        });
        print(&format!("{report:#}\n"));
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = String::new();
    for name in varies {
        text.push_str(&format!("{name}\tone for each example\n"));
    }
    for name in same {
        text.push_str(&format!("{name}\tthe same for all\n"));
    }
    for (node, op) in &made.one_by_one {
        text.push_str(&format!("{node} ({op})\truns example by example\n"));
    }
    for refused in &made.refused {
        text.push_str(&format!("{} ({})\tleft out: {}\n", refused.node, refused.op, refused.reason));
    }
    print(&text);
    Ok(ExitCode::SUCCESS)
}

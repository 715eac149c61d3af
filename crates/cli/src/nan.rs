//! `run --watch`: saves the inputs of the node that produced the first NaN.

use crate::args::RunArgs;
use crate::npy::Archive;
use crate::output::{self, temporary};
use crate::term::print;
use levada::session::{Made, NanOrigin, NanWatch};
use levada::{Code, Error, Result};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The value of `--watch`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Watch(pub NanWatch);

impl FromStr for Watch {
    type Err = String;

    fn from_str(text: &str) -> Result<Watch, String> {
        let mut kinds = text.split(',').filter(|word| *word != "feeds");
        let infinities = match (kinds.next(), kinds.next()) {
            (Some("nan"), None) => true,
            (Some("nan-only"), None) => false,
            _ => return Err("write nan, nan-only, or one of them with ,feeds".to_owned()),
        };
        Ok(Watch(NanWatch { infinities, brought: text.split(',').any(|word| word == "feeds") }))
    }
}

/// Checks that the file of `--watch-out` can be written and does not exist yet.
///
/// # Errors
/// If it cannot be written or exists.
pub fn check(args: &RunArgs) -> Result<()> {
    let Some(path) = &args.watch_out else { return Ok(()) };
    if !path.extension().is_some_and(|e| e.eq_ignore_ascii_case("npz")) {
        return Err(Error::invalid(format!("--watch-out {}: inputs are saved as an .npz file", path.display()))
            .help(format!("--watch-out {}", path.with_extension("npz").display())));
    }
    output::check("--watch-out", path)?;
    match path.exists() {
        true => Err(taken(path)),
        false => Ok(()),
    }
}

fn taken(path: &Path) -> Error {
    Error::new(Code::AlreadyExists, format!("--watch-out {}: this file exists", path.display()))
        .help("name another file, or remove it")
}

/// The error of a run that found a NaN, with the file that holds the inputs. With `--json` it is also printed as an
/// object.
pub fn keep(args: &RunArgs, error: Error) -> Error {
    let Some(origin) = error.report::<NanOrigin>().cloned() else { return error };
    let kept = write(args, &origin);
    if args.json {
        let path = kept.as_ref().ok().map(|path| path.display().to_string());
        print(&format!("{}\n", json!({"nan": as_json(&origin, path)})));
    }
    let mut help: Vec<String> = error.fault().help.iter().cloned().collect();
    match kept {
        Ok(path) if origin.inputs.is_empty() => help.push(format!("it is kept in {}", path.display())),
        Ok(path) => help.push(format!("its inputs are kept in {}{}", path.display(), again(args, &origin, &path))),
        Err(why) => help.push(format!("its inputs could not be kept: {}", why.message())),
    }
    error.help(help.join("; "))
}

/// The command that runs the node alone on the saved inputs; empty if that is impossible.
fn again(args: &RunArgs, origin: &NanOrigin, path: &Path) -> String {
    let is_whole = matches!(origin.made, Made::Output(_)) && origin.is_computed;
    if !is_whole || origin.function.is_some() || !origin.iterations.is_empty() {
        return String::new();
    }
    let feeds = origin.inputs.iter().map(|input| format!(" --feed {0}=@{1}:{0}", input.name, path.display()));
    let feeds: String = feeds.collect();
    format!("; to run it on them: levada run {}{feeds} --fetch {}", args.step.graph.display(), origin.node)
}

/// Writes the inputs and the result to a new file.
fn write(args: &RunArgs, origin: &NanOrigin) -> Result<PathBuf> {
    let path = match &args.watch_out {
        Some(path) if path.exists() => return Err(taken(path)),
        Some(path) => path.clone(),
        None => free(&args.step.graph),
    };
    output::write(&path, |out| {
        let mut archive = Archive::new(out);
        for input in &origin.inputs {
            archive.array(&input.name, &input.value)?;
        }
        archive.array(&result_name(origin), &origin.result)?;
        archive.finish()
    })?;
    Ok(path)
}

/// The name of the result in the file.
fn result_name(origin: &NanOrigin) -> String {
    match &origin.made {
        Made::Output(0) | Made::Feed | Made::Constant => origin.node.clone(),
        Made::Output(i) => format!("{}:{i}", origin.node),
        Made::Variable(name) => format!("{name}[after]"),
    }
}

/// An unused file name in the working directory, derived from that of the graph.
fn free(graph: &Path) -> PathBuf {
    let stem = graph.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let stem = stem.filter(|stem| stem != "-").unwrap_or_else(|| "graph".to_owned());
    let first = PathBuf::from(format!("{stem}.nan.npz"));
    let later = (2..).map(|n| PathBuf::from(format!("{stem}.nan-{n}.npz")));
    let is_free = |path: &PathBuf| !path.exists() && !temporary(path).exists();
    std::iter::once(first.clone()).chain(later).find(is_free).unwrap_or(first)
}

/// The origin of the first NaN, as `--json` prints it.
pub fn as_json(origin: &NanOrigin, file: Option<String>) -> Value {
    let (output, variable) = match &origin.made {
        Made::Output(i) => (Some(*i), None),
        Made::Variable(name) => (None, Some(name)),
        Made::Feed | Made::Constant => (None, None),
    };
    let inputs = origin.inputs.iter().map(
        |input| json!({"name": input.name, "dtype": input.value.dtype().name(), "shape": input.value.shape().dims()}),
    );
    let iterations = origin.iterations.iter().map(|(frame, n)| json!({"frame": frame, "iteration": n}));
    json!({
        "step": origin.step,
        "node": origin.node,
        "op": origin.op,
        "device": origin.device,
        "function": origin.function,
        "iterations": iterations.collect::<Vec<_>>(),
        "computed": origin.is_computed,
        "what": origin.what(),
        "output": output,
        "variable": variable,
        "dtype": origin.dtype.name(),
        "shape": origin.shape.dims(),
        "nans": origin.found.nans,
        "infinities": origin.found.infinities,
        "first": {"index": origin.index(), "value": origin.value()},
        "inputs": inputs.collect::<Vec<_>>(),
        "path": origin.path,
        "file": file,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_to_watch_for_is_read() {
        let of = |text: &str| text.parse::<Watch>().map(|Watch(w)| (w.infinities, w.brought));
        assert_eq!(of("nan"), Ok((true, false)));
        assert_eq!(of("nan-only,feeds"), Ok((false, true)));
        assert_eq!(of("feeds,nan"), Ok((true, true)));
        for wrong in ["", "feeds", "nan,nan-only", "inf", "nan,"] {
            of(wrong).unwrap_err();
        }
    }
}

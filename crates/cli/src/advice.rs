//! Adds help to errors of a run, derived from the graph.

use crate::args::StepArgs;
use crate::runners::INIT;
use levada::graph::{NodeId, collections};
use levada::{Code, Error, Graph};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Ops that make a variable.
const VARIABLES: [&str; 4] = ["VarHandleOp", "VariableV2", "Variable", "TemporaryVariable"];
/// Ops that initialize a variable.
const ASSIGNMENTS: [&str; 2] = ["AssignVariableOp", "Assign"];
/// Ops that fill a table.
const TABLES: [&str; 6] = [
    "InitializeTableV2",
    "InitializeTable",
    "InitializeTableFromTextFileV2",
    "InitializeTableFromTextFile",
    "InitializeTableFromDatasetV2",
    "LookupTableImportV2",
];
/// Returns the error with help: the node that initializes what has no value yet, or where a file was looked for and
/// which directories are granted.
pub fn advise(mut error: Error, graph: &Graph, args: &StepArgs) -> Error {
    if let Some(path) = unreached(&error) {
        return of_file(error, &path, &args.allow_files);
    }
    if let Some(help) = help(&error, graph, args) {
        error.fault_mut().help = Some(help);
    }
    error
}

/// The file that an op could not reach.
fn unreached(error: &Error) -> Option<PathBuf> {
    let path = match error.code() {
        Code::PermissionDenied => error.message().strip_prefix("access to ")?.strip_suffix(" is not granted")?,
        Code::NotFound => error.message().split_once("; No such file")?.0,
        _ => return None,
    };
    Some(path.into())
}

fn of_file(error: Error, path: &Path, granted: &[PathBuf]) -> Error {
    let here = std::env::current_dir().unwrap_or_default();
    let full = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let found = match path.is_relative() {
        true => format!("{}, since relative paths start at the working directory", full.display()),
        false => full.display().to_string(),
    };
    let granted: Vec<PathBuf> = granted.iter().filter_map(|d| std::fs::canonicalize(d).ok()).collect();
    let expected = match granted.as_slice() {
        [] => "a file in a granted directory; none is granted".to_owned(),
        granted => {
            format!("a file in {}", granted.iter().map(|d| d.display().to_string()).collect::<Vec<_>>().join(" or "))
        }
    };
    // The working directory in which the graph's paths were valid.
    let meant = granted.iter().flat_map(|d| d.ancestors()).find(|d| path.is_relative() && d.join(path).exists());
    let folder = if full.is_dir() { full.as_path() } else { full.parent().unwrap_or(&here) };
    let help = match meant {
        Some(folder) if folder != here => {
            format!("run it in {}, where the graph's paths are valid", folder.display())
        }
        _ if error.code() == Code::NotFound => "run it in the directory where the graph's paths start".to_owned(),
        _ => {
            let short = folder.strip_prefix(&here).ok().filter(|d| !d.as_os_str().is_empty()).unwrap_or(folder);
            format!("grant its directory with --allow-files DIR: --allow-files {}", short.display())
        }
    };
    error.expected(expected).found(found).help(help)
}

fn help(error: &Error, graph: &Graph, args: &StepArgs) -> Option<String> {
    if !matches!(error.code(), Code::FailedPrecondition | Code::NotFound) {
        return None;
    }
    let message = error.message().to_ascii_lowercase();
    let table = message.contains("table not initialized");
    if !(table || message.contains("uninitialized") || message.contains("has no value")) {
        return None;
    }
    let node = graph.find(error.fault().node.as_deref()?)?;
    let initializers = initializers(graph, node, table);
    let Some(&initializer) = initializers.first() else {
        return Some("no node of this graph initializes it: export the graph with its initializer".to_owned());
    };
    let given: Vec<NodeId> = args.init.iter().filter_map(|name| graph.find(name)).collect();
    let init = group(graph, initializer).unwrap_or(initializer);
    let (name, what) = (&graph.node(init).name, if table { "table" } else { "variables" });
    Some(match given.is_empty() {
        true => format!("initialize the {what} first: --init {name}"),
        false => format!("initialize it too: --init {},{name}", args.init.join(",")),
    })
}

/// The nodes that initialize the variables or tables that `node` uses, directly or through others.
fn initializers(graph: &Graph, node: NodeId, table: bool) -> Vec<NodeId> {
    let (mut queue, mut seen) = (vec![node], HashSet::from([node]));
    let mut sources = HashSet::new();
    while let Some(id) = queue.pop() {
        let node = graph.node(id);
        if VARIABLES.contains(&node.op_name()) || (table && node.inputs.is_empty()) {
            sources.insert(id);
        }
        queue.extend(node.inputs.iter().map(|e| e.node).filter(|&n| seen.insert(n)));
    }
    let ops: &[&str] = if table { &TABLES } else { &ASSIGNMENTS };
    let gives = |(_, node): &(NodeId, &levada::graph::graph::Node)| {
        ops.contains(&node.op_name()) && node.inputs.first().is_some_and(|e| sources.contains(&e.node))
    };
    graph.nodes().filter(gives).map(|(id, _)| id).collect()
}

/// The node that is meant to be run for this initializer and others: one that the graph's collections name, else the
/// node without outputs that runs the most initializers, where names that begin with `init` come first.
fn group(graph: &Graph, initializer: NodeId) -> Option<NodeId> {
    let all = |op: &str| ASSIGNMENTS.contains(&op) || TABLES.contains(&op);
    let reaches = |from: NodeId| -> (bool, usize, usize) {
        let (mut queue, mut seen, mut count) = (vec![from], HashSet::from([from]), 0);
        while let Some(id) = queue.pop() {
            let node = graph.node(id);
            count += usize::from(all(node.op_name()));
            let before = node.inputs.iter().map(|e| e.node).chain(node.control_inputs.iter().copied());
            queue.extend(before.filter(|&n| seen.insert(n)));
        }
        (seen.contains(&initializer), count, seen.len())
    };
    let named = INIT.iter().flat_map(|c| collections::nodes(&graph.collections, c)).filter_map(|n| graph.find(n));
    if let Some(init) = named.into_iter().find(|&id| reaches(id).0) {
        return Some(init);
    }
    let is_group = |(_, node): &(NodeId, &levada::graph::graph::Node)| {
        node.op_name() == "NoOp" && node.inputs.is_empty() && !node.control_inputs.is_empty()
    };
    let candidates = graph.nodes().filter(is_group).filter_map(|(id, node)| {
        let (has, count, size) = reaches(id);
        let last = node.name.rsplit('/').next().unwrap_or_default();
        // A training step may wait for its variables too; an initializer runs little else.
        has.then(|| ((last.starts_with("init"), count, std::cmp::Reverse(size)), id))
    });
    candidates.max_by_key(|(rank, _)| *rank).map(|(_, id)| id)
}

//! Resolves the flags of a run in the graph before anything runs.

use levada::compile::{Signature, prune};
use levada::graph::{NodeId, spec::Role};
use levada::{Code, DType, Endpoint, Error, Graph, PartialShape};
use std::collections::HashSet;

/// The names of the flags that describe a run.
#[derive(Clone, Copy, Debug)]
pub struct Flags {
    /// Feeds values.
    pub feed: &'static str,
    /// Fetches values.
    pub fetch: &'static str,
    /// Names nodes to run.
    pub target: &'static str,
}

/// Flags of the steps.
pub const STEP: Flags = Flags { feed: "--feed", fetch: "--fetch", target: "--target" };
/// Flags of what runs before them.
pub const INIT: Flags = Flags { feed: "--feed", fetch: "--init", target: "--init" };
/// Flags of what runs after them.
pub const THEN: Flags = Flags { feed: "--then-feed", fetch: "--then-fetch", target: "--then-target" };

/// Flags of the second signature of a benchmark.
pub const ALSO: Flags = Flags { feed: "--also-feed", fetch: "--also-fetch", target: "--also-target" };

/// The fetches and targets of a run, and the feeds it needs.
#[derive(Clone, Debug, Default)]
pub struct RunRequest {
    /// Endpoints to fetch.
    pub fetches: Vec<String>,
    /// Operations to fetch: they run and have no value.
    pub ran: Vec<String>,
    /// Nodes to run, including those of `ran`.
    pub targets: Vec<String>,
    /// Index of each feed that the run needs.
    pub needed: Vec<usize>,
}

/// Resolves names, and checks that everything needed is fed.
///
/// # Errors
/// Every fault.
pub fn check(
    graph: &Graph,
    flags: Flags,
    feeds: &[&str],
    fetches: &[String],
    targets: &[String],
) -> Result<RunRequest, Vec<Error>> {
    let mut faults = Vec::new();
    let mut asked = RunRequest { targets: targets.to_vec(), ..RunRequest::default() };
    let mut signature = Signature::default();
    for name in fetches {
        match graph.find(name) {
            Some(id) if graph.node(id).output_types.is_empty() && graph.node(id).unsupported().is_none() => {
                asked.ran.push(name.clone());
                asked.targets.push(name.clone());
            }
            _ => match graph.endpoint(name) {
                Ok(endpoint) => {
                    signature.fetches.push(endpoint);
                    asked.fetches.push(name.clone());
                }
                Err(error) => faults.push(of_flag(error, flags.fetch, name)),
            },
        }
    }
    for name in &asked.targets {
        let node = name.strip_prefix('^').unwrap_or(name);
        match graph.find(node).or_else(|| graph.find(levada::graph::graph::split_endpoint(node).0)) {
            Some(id) => signature.targets.push(id),
            None => faults.push(of_flag(graph.unknown_node(name, node), flags.target, name)),
        }
    }
    let mut fed = HashSet::new();
    let mut numbers = Vec::new();
    for (i, name) in feeds.iter().enumerate() {
        // Loading the value reports what is wrong with a feed's name.
        let Ok(endpoint) = graph.endpoint(name) else { continue };
        if !fed.insert(endpoint) {
            faults.push(Error::invalid(format!("{} {name} is given twice", flags.feed)).help("give each feed once"));
            continue;
        }
        signature.feeds.push(endpoint);
        numbers.push(i);
    }
    if faults.is_empty() {
        faults.extend(missing(graph, flags, &signature));
        asked.needed = needed(graph, &signature).into_iter().map(|i| numbers[i]).collect();
    }
    if faults.is_empty() { Ok(asked) } else { Err(faults) }
}

/// Adds to an error about a name the flag that gives it. An unsupported node is a fault of the node, not of the flag.
fn of_flag(mut error: Error, flag: &str, name: &str) -> Error {
    if error.code() == Code::Unimplemented {
        return error;
    }
    let message = error.message();
    let message = match message.starts_with(name) {
        true => format!("{flag} {message}"),
        false => format!("{flag} {name}: {message}"),
    };
    error.fault_mut().message = message;
    error
}

/// The indices of the feeds that the run uses.
fn needed(graph: &Graph, signature: &Signature) -> Vec<usize> {
    let Ok(pruned) = prune(graph, signature) else { return (0..signature.feeds.len()).collect() };
    let mut used: HashSet<Endpoint> = signature.fetches.iter().copied().collect();
    for &id in &pruned.order {
        let node = graph.node(id);
        used.extend(node.inputs.iter().copied());
        used.extend(node.control_inputs.iter().map(|&c| Endpoint::from(c)));
    }
    (0..signature.feeds.len()).filter(|&i| used.contains(&signature.feeds[i])).collect()
}

/// Returns an error for every unsupported node of the run, and for each placeholder without a value that is certain to
/// run.
fn missing(graph: &Graph, flags: Flags, signature: &Signature) -> Vec<Error> {
    let Ok(pruned) = prune(graph, signature) else { return Vec::new() };
    let is_fed = |id: NodeId| signature.feeds.contains(&Endpoint::from(id));
    // A placeholder with inputs may be in a branch that is not taken.
    let lacks = |id: &&NodeId| {
        let node = graph.node(**id);
        let bare = node.inputs.is_empty() && node.control_inputs.is_empty();
        node.spec().role == Role::Placeholder && bare && !is_fed(**id)
    };
    let unsupported = graph.unsupported_among(pruned.order.iter().copied());
    let unsupported = unsupported.iter().flat_map(Error::all).cloned().collect::<Vec<_>>();
    let mut lacking: Vec<NodeId> = pruned.order.iter().filter(lacks).copied().collect();
    lacking.sort_unstable();
    let reason = |id: NodeId| {
        let one = |fetches: &[Endpoint], targets: &[NodeId]| {
            let one = Signature { fetches: fetches.to_vec(), targets: targets.to_vec(), ..signature.clone() };
            prune(graph, &one).is_ok_and(|pruned| pruned.contains(id))
        };
        let fetch = signature.fetches.iter().find(|f| one(&[**f], &[])).map(|f| (flags.fetch, graph.endpoint_name(*f)));
        let target = || {
            signature.targets.iter().find(|t| one(&[], &[**t])).map(|t| (flags.target, graph.node(*t).name.to_string()))
        };
        fetch.or_else(target)
    };
    let without_value = lacking.into_iter().map(|id| {
        let node = graph.node(id);
        let name = &node.name;
        let dtype = node.output_types.first().map_or(DType::F32, |t| t.dtype);
        let shape = shape_of(graph, id);
        let by = reason(id).map(|(flag, what)| format!(", which {flag} {what} needs")).unwrap_or_default();
        Error::invalid(format!("there is no value for the placeholder {name}{by}"))
            .at_node(name, node.op_name())
            .expected(tensor_of(dtype, &shape))
            .help(format!("{} {}", flags.feed, example(name, dtype, &shape)))
    });
    unsupported.into_iter().chain(without_value).collect()
}

/// The shape in a placeholder's attr.
pub fn shape_of(graph: &Graph, id: NodeId) -> PartialShape {
    match graph.node(id).attrs.get("shape") {
        Some(levada::AttrValue::Shape(shape)) => shape.clone(),
        _ => PartialShape::default(),
    }
}

/// A tensor as named in messages: `an int32 of shape [2]`.
pub fn tensor_of(dtype: DType, shape: &PartialShape) -> String {
    let name = dtype.to_string();
    let article = if name.starts_with('i') { "an" } else { "a" };
    format!("{article} {name} of shape {shape}")
}

/// An example of giving a value: in a file, or as JSON if it is small.
pub fn example(name: &str, dtype: DType, shape: &PartialShape) -> String {
    let element = match dtype {
        DType::Str => "\"text\"",
        DType::Bool => "true",
        d if d.is_float() => "0.5",
        _ => "1",
    };
    let sizes: Option<Vec<usize>> = shape.dims().map(|dims| dims.iter().map(|d| d.unwrap_or(2)).collect());
    match sizes {
        Some(sizes) if sizes.is_empty() => format!("'{name}={element}'"),
        Some(sizes) if sizes.iter().product::<usize>() <= 8 => {
            let list = |inner: String, n: &usize| format!("[{}]", vec![inner; *n].join(", "));
            format!("'{name}={}', or {name}=@FILE.npy", sizes.iter().rev().fold(element.to_owned(), list))
        }
        _ => format!("{name}=@FILE.npy"),
    }
}

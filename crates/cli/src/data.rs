//! `levada data`

use crate::args::DataArgs;
use crate::{model, plain, print, show};
use levada::graph::NodeId;
use levada::{Callable, CallableOptions, Code, Error, Files, Graph, Result, Session, SessionOptions};
use serde_json::json;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How long to measure if no number of elements is given.
const MEASURE: Duration = Duration::from_secs(2);
/// Elements shown by default.
const SHOWN: u64 = 10;

/// Shows the elements that an iterator returns, or how many it returns per second.
///
/// # Errors
/// What is wrong with the graph, or with an element.
pub fn data(args: &DataArgs) -> Result<ExitCode> {
    let file = args.graph.display().to_string();
    let model = model::open(&args.graph, false, &args.tag)?;
    let pipeline = Pipeline::find(&model.graph, &args.iterator).map_err(|e| e.in_file(&file))?;
    let files = Files::under(&args.allow_files).map_err(|e| e.help("--allow-files DIR"))?;
    let options = SessionOptions { threads: args.threads.map_or(0, usize::from), files, ..SessionOptions::default() };
    let session = Session::new(model.graph, options)?;
    for node in args.init.iter().chain(&pipeline.makes) {
        session.run(&[], &[], &[node])?;
    }
    let next = session.callable(&CallableOptions { fetches: pipeline.components.clone(), ..Default::default() })?;
    match args.bench {
        true => bench(args, &next),
        false => elements(args, &pipeline, &next),
    }
}

/// The nodes that make and read an iterator.
struct Pipeline {
    /// The node that gives it a dataset; none if it has its own.
    makes: Option<String>,
    /// The outputs of the node that reads it.
    components: Vec<String>,
}

impl Pipeline {
    fn find(graph: &Graph, name: &str) -> Result<Pipeline> {
        let named = graph.find(name).ok_or_else(|| graph.unknown_node(name, name))?;
        // The iterator may also be named by the node that reads it.
        let iterator = match graph.node(named).op_name() {
            "IteratorGetNext" | "IteratorGetNextSync" => graph.node(named).inputs[0].node,
            _ => named,
        };
        let of = |op: &str, input: usize| -> Option<NodeId> {
            let is_one = |id: &NodeId| {
                let node = graph.node(*id);
                node.op_name() == op && node.inputs.get(input).is_some_and(|from| from.node == iterator)
            };
            graph.ids().find(is_one)
        };
        let reads = of("IteratorGetNext", 0).or_else(|| of("IteratorGetNextSync", 0)).ok_or_else(|| {
            let known: Vec<&str> = graph
                .nodes()
                .filter(|(_, node)| node.op_name() == "IteratorGetNext")
                .map(|(_, node)| &*graph.node(node.inputs[0].node).name)
                .collect();
            Error::not_found(format!("no node reads {name} as an iterator"))
                .expected("an iterator that an IteratorGetNext reads")
                .help(match known.is_empty() {
                    true => "the graph reads no iterator".to_owned(),
                    false => format!("iterators that are read: {}", known.join(", ")),
                })
        })?;
        let node = graph.node(reads);
        let components = (0..node.output_types.len()).map(|i| format!("{}:{i}", node.name)).collect();
        Ok(Pipeline { makes: of("MakeIterator", 1).map(|id| graph.node(id).name.to_string()), components })
    }
}

/// Shows elements, one per line.
fn elements(args: &DataArgs, pipeline: &Pipeline, next: &Callable) -> Result<ExitCode> {
    for number in 1..=args.take.unwrap_or(SHOWN) {
        let element = match next.run(&[]) {
            Ok(element) => element,
            Err(error) if error.code() == Code::OutOfRange => break,
            Err(error) => return Err(error),
        };
        let named = pipeline.components.iter().map(String::as_str).zip(element.iter().map(Some));
        let mut line = format!("{{\"element\": {number}, \"components\": ");
        plain::object(named, &mut line);
        line.push_str("}\n");
        print(&line);
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads elements as fast as they come.
fn bench(args: &DataArgs, next: &Callable) -> Result<ExitCode> {
    let start = Instant::now();
    let (mut read, mut first, mut ended) = (0u64, None, false);
    while args.take.map_or(start.elapsed() < MEASURE, |most| read < most) {
        match next.run(&[]) {
            Ok(_) => read += 1,
            Err(error) if error.code() == Code::OutOfRange => {
                ended = true;
                break;
            }
            Err(error) => return Err(error),
        }
        first.get_or_insert_with(|| start.elapsed());
    }
    let (took, first) = (start.elapsed(), first.unwrap_or_default());
    let rate = read as f64 / took.as_secs_f64().max(1e-9);
    if args.json {
        let line = json!({"version": 1, "elements": read, "seconds": took.as_secs_f64(), "per_second": rate,
            "first_seconds": first.as_secs_f64(), "ended": ended});
        print(&format!("{line}\n"));
    } else {
        let end = if ended { ", to the end" } else { "" };
        let nanos = |time: Duration| show::time(time.as_nanos() as f64);
        print(&format!(
            "{} in {}{end}: {rate:.0} a second, {} each; the first after {}\n",
            show::count(read as usize, "element"),
            nanos(took),
            show::time(took.as_nanos() as f64 / read.max(1) as f64),
            nanos(first)
        ));
    }
    Ok(ExitCode::SUCCESS)
}

//! `levada gradients`

use crate::args::GradientsArgs;
use crate::print;
use levada::gradients::GradientOptions;
use levada::graph::{read, write};
use levada::{Builder, Error, Result};
use std::process::ExitCode;

/// Writes the graph with nodes that compute gradients, and prints their names.
///
/// # Errors
/// A graph that cannot be read, names that are not in it, ops that have no gradient, a file that cannot be written.
pub fn gradients(args: &GradientsArgs) -> Result<ExitCode> {
    let named = |e: Error| e.in_file(&args.graph.display().to_string());
    let registry = levada::registry();
    let graph = read::Options { strict: args.strict }.file(&args.graph, &registry)?;
    let mut builder = Builder::on(graph, registry);
    let outputs = |b: &Builder, names: &[String]| names.iter().map(|n| b.find(n)).collect::<Result<Vec<_>>>();
    let (ys, xs) = (outputs(&builder, &args.of).map_err(named)?, outputs(&builder, &args.by).map_err(named)?);
    let stop = outputs(&builder, &args.stop).map_err(named)?;
    let options = GradientOptions {
        stop: stop.iter().filter_map(|o| o.endpoint()).collect(),
        aggregation: args.aggregation.into(),
        ..GradientOptions::default()
    };
    let grads = builder.gradients_with(&ys, &xs, &options).map_err(named)?;
    let names: Vec<String> = grads.iter().map(|g| g.map_or_else(|| "none".to_owned(), |g| builder.name(g))).collect();
    let json = write::json(&builder.finish()?.to_def())?;
    std::fs::write(&args.out, json).map_err(|e| {
        Error::new(levada::Code::Unknown, format!("the graph cannot be written: {e}"))
            .in_file(&args.out.display().to_string())
    })?;
    let lines: Vec<String> = args.by.iter().zip(names).map(|(x, grad)| format!("{x}\t{grad}\n")).collect();
    print(&lines.concat());
    Ok(ExitCode::SUCCESS)
}

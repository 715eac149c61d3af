//! `levada convert`

use crate::args::ConvertArgs;
use crate::feed::write_file;
use crate::{model, print, show};
use levada::Result;
use levada::graph::meta::Meta;
use levada::graph::write;
use std::process::ExitCode;

/// Writes a model as a graph of ops.
///
/// # Errors
/// A model that cannot be read or has unsupported operators, a file that cannot be written.
pub fn convert(args: &ConvertArgs) -> Result<ExitCode> {
    let graph = model::open(&args.model, false, &[])?.graph;
    let mut def = graph.to_def();
    let extension = args.out.extension().and_then(|e| e.to_str()).unwrap_or_default();
    let bytes = match extension {
        "pb" => {
            // A GraphDef has no place for signatures.
            def.meta = Meta::default();
            write::pb(&def)?
        }
        "meta" => write::pb(&def)?,
        _ => write::json(&def)?.into_bytes(),
    };
    write_file(&args.out, &bytes)?;
    print(&format!("{}: {}\n", args.out.display(), show::count(def.nodes.len(), "node")));
    Ok(ExitCode::SUCCESS)
}

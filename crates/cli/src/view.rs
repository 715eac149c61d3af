//! `levada view`

use crate::args::ViewArgs;
use crate::feed::{read_input, write_file};
use crate::{model, place, print, trace};
use levada::trace::Trace;
use levada::view::serve::Server;
use levada::view::{Knowledge, View, html};
use levada::{Error, Result};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Writes the page of a graph, or serves it.
///
/// # Errors
/// Files that cannot be read or written, a port that cannot be used.
pub fn view(args: &ViewArgs) -> Result<ExitCode> {
    let model = model::open(&args.graph, false, &args.tag)?;
    let graph = &model.graph;
    let placement = args.place.as_deref().map(json).transpose()?;
    let trace = args.trace.as_deref().map(traced).transpose()?;
    let before = args.before.as_deref().map(traced).transpose()?;
    let (registry, shapes) = (levada::registry(), place::shapes(graph));
    let knowledge = Knowledge {
        families: levada::families()
            .flat_map(|(name, ops)| ops.into_iter().map(move |op| (op.spec.name, name)))
            .collect(),
        shape: &|endpoint| shapes.get(endpoint),
        numbers: &levada::compare::numbers,
        ..Knowledge::of(&registry)
    };
    let title = args.graph.file_name().unwrap_or(args.graph.as_os_str()).to_string_lossy();
    let page = html(&View {
        placement: placement.as_ref(),
        trace: trace.as_ref(),
        before: before.as_ref(),
        ..View::new(&title, graph, &knowledge)
    });
    let page = page.map_err(|e| args.place.iter().fold(e, |e, path| e.in_file(&path.display().to_string())))?;
    match args.serve {
        Some(port) => {
            let server = Server::bind(port, page)?;
            if let Some(address) = server.address() {
                print(&format!("http://{address}/ shows the page until interrupted\n"));
            }
            server.run(|| true);
        }
        None => {
            let out = args.out.clone().unwrap_or_else(|| name_of(&args.graph));
            write_file(&out, page.as_bytes())?;
            print(&format!("{}: {:.1} MB, for any browser\n", out.display(), page.len() as f64 / 1e6));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The graph's name with the extension `.html`.
fn name_of(graph: &Path) -> PathBuf {
    match graph.file_stem() {
        Some(stem) if graph != Path::new("-") => Path::new(stem).with_extension("html"),
        _ => PathBuf::from("graph.html"),
    }
}

fn json(path: &Path) -> Result<Value> {
    let read =
        |e: serde_json::Error| Error::invalid(format!("this is not JSON: {e}")).line(e.line()).column(e.column());
    serde_json::from_slice(&read_input(path)?).map_err(|e| read(e).file(path.display()))
}

fn traced(path: &Path) -> Result<Trace> {
    trace::load(&read_input(path)?).map_err(|e| e.file(path.display()))
}

//! `levada freeze`

use crate::args::FreezeArgs;
use crate::output::{self, write_file};
use crate::{model, print, show};
use levada::graph::write;
use levada::saved_model::{freeze as frozen, signature::endpoints};
use levada::train::{Keep, Saver};
use levada::{Error, Result, SessionOptions};
use std::process::ExitCode;

/// Writes the part of a model that a signature or some outputs need, with variables turned into constants; says what to
/// feed and to fetch.
///
/// # Errors
/// A model that cannot be read or initialized, names that are not in it, ops that change variables, a file that cannot be
/// written.
pub fn freeze(args: &FreezeArgs) -> Result<ExitCode> {
    if let Some(error) = Error::join(output::check_all(&[("OUT", &args.out)], &args.model)) {
        return Err(error);
    }
    let mut model = model::open(&args.model, args.strict, &args.tag)?;
    let (mut feeds, mut fetches) = (Vec::new(), Vec::new());
    if args.fetch.is_empty() || args.signature.is_some() {
        let (_, def) = model.signature(args.signature.as_deref())?;
        let named = |side| endpoints(side).into_iter().map(|(name, def)| (name, def.endpoint.clone())).collect();
        (feeds, fetches) = (named(&def.inputs), named(&def.outputs));
    }
    if !args.fetch.is_empty() {
        fetches.retain(|(name, _): &(String, String)| args.fetch.contains(name));
        let known: Vec<String> = fetches.iter().map(|(name, _)| name.clone()).collect();
        fetches.extend(args.fetch.iter().filter(|name| !known.contains(name)).map(|name| (name.clone(), name.clone())));
    }
    let init = model.saved.as_ref().and_then(|saved| saved.init_op().map(str::to_owned));
    let init = init.or_else(|| args.init.clone());
    let session = model.session(SessionOptions::default())?;
    if let Some(init) = &args.init {
        session.run(&[], &[], &[init])?;
    }
    if let Some(prefix) = &args.restore {
        Saver::new(&session, Keep::default())?.restore(&session, prefix)?;
    }
    let inputs: Vec<String> = feeds.iter().map(|(_, endpoint): &(String, String)| endpoint.clone()).collect();
    let outputs: Vec<String> = fetches.iter().map(|(_, endpoint)| endpoint.clone()).collect();
    let done = frozen(&session, &inputs, &outputs, init.as_deref())?;
    let json = args.out.extension().is_some_and(|e| e.eq_ignore_ascii_case("json"));
    let bytes = if json { write::json(&done.def)?.into_bytes() } else { write::pb(&done.def)? };
    write_file(&args.out, &bytes)?;
    let rows = |what: &str, all: &[(String, String)]| -> String {
        all.iter().map(|(name, endpoint)| format!("{what} {name}: {endpoint}\n")).collect()
    };
    let mut text = rows("feed", &feeds) + &rows("fetch", &fetches);
    if let Some(init) = &done.init {
        text.push_str(&format!("to run first, for the tables: --init {init}\n"));
    }
    text.push_str(&format!(
        "{} and {} as constants in {}, {}\n",
        show::count(done.def.nodes.len(), "node"),
        show::count(done.variables, "variable"),
        args.out.display(),
        show::count(bytes.len(), "byte"),
    ));
    print(&text);
    Ok(ExitCode::SUCCESS)
}

//! `levada lint`

use crate::args::LintArgs;
use crate::term::{Style, styled};
use crate::{model, print, show};
use levada::compile::Signature;
use levada::lint::{Finding, lint as look};
use levada::{Error, Graph, Result};
use serde_json::{Value, json};
use std::process::ExitCode;

/// Looks for races, stalls and waste; exit code 1 if there is a race or a stall.
///
/// # Errors
/// A graph that cannot be read, has a cycle, or lacks what the flags name.
pub fn lint(args: &LintArgs) -> Result<ExitCode> {
    let file = args.graph.display().to_string();
    let named = |e: Error| e.in_file(&file);
    let model = model::open(&args.graph, false, &args.tag)?;
    let run = run(args, &model.graph).map_err(named)?;
    let findings = look(&model.graph, &levada::registry(), run.as_ref()).map_err(named)?;
    let faults = findings.iter().filter(|f| f.rule.is_fault()).count();
    if args.json {
        let json = json!({"version": 1, "file": file, "findings": findings.iter().map(as_json).collect::<Vec<_>>()});
        print(&format!("{json:#}\n"));
    } else {
        let parts = [show::count(faults, "fault"), show::count(findings.len() - faults, "hint")];
        print(&format!("{}{file}: {}\n", findings.iter().map(text).collect::<String>(), parts.join(", ")));
    }
    Ok(if faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The run that the flags describe; `None` if they describe none.
fn run(args: &LintArgs, graph: &Graph) -> Result<Option<Signature>> {
    if args.fetch.is_empty() && args.target.is_empty() {
        return match args.feed.is_empty() {
            true => Ok(None),
            false => Err(Error::invalid("--feed has no effect without a run").help("give --fetch or --target, too")),
        };
    }
    let mut signature = Signature::default();
    for name in &args.fetch {
        match graph.find(name).filter(|id| graph.node(*id).output_types.is_empty()) {
            Some(node) => signature.targets.push(node),
            None => signature.fetches.push(graph.endpoint(name)?),
        }
    }
    for name in &args.target {
        signature.targets.push(graph.find(name).ok_or_else(|| graph.unknown_node(name, name))?);
    }
    signature.feeds = args.feed.iter().map(|name| graph.endpoint(name)).collect::<Result<_>>()?;
    Ok(Some(signature))
}

/// A finding as text.
pub fn text(finding: &Finding) -> String {
    let style = if finding.rule.is_fault() { Style::Error } else { Style::Label };
    let place = finding.function.iter().map(|name| format!(" in function {name}")).collect::<String>();
    let mut text = format!("{}{place}: {}\n", styled(style, finding.rule.name()), finding.message);
    for effect in &finding.effects {
        text.push_str(&format!("  {effect}\n"));
    }
    for (i, fix) in finding.fixes.iter().enumerate() {
        let label = styled(Style::Help, if i == 0 { "  fix:" } else { "   or:" });
        text.push_str(&format!("{label} add \"{}\" to the inputs of {}: {}\n", fix.input, fix.node, fix.so_that));
    }
    if let Some(help) = &finding.help {
        text.push_str(&format!("{} {help}\n", styled(Style::Help, "  help:")));
    }
    text
}

/// A finding as `--json` prints it.
pub fn as_json(finding: &Finding) -> Value {
    let fixes = finding.fixes.iter().map(|fix| json!({"node": fix.node, "input": fix.input, "so_that": fix.so_that}));
    json!({
        "rule": finding.rule.name(),
        "fault": finding.rule.is_fault(),
        "function": finding.function,
        "nodes": finding.nodes,
        "resource": finding.resource,
        "message": finding.message,
        "effects": finding.effects,
        "fixes": fixes.collect::<Vec<_>>(),
        "help": finding.help,
    })
}

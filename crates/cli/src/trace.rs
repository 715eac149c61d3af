//! `levada trace`

use crate::args::TraceArgs;
use crate::feed::{read_file, write_file};
use crate::{print, show};
use levada::trace::{Trace, export, file, report};
use levada::{Error, Result, StepTrace};
use std::process::ExitCode;

/// Reads a trace and prints what was asked for; without flags the times by op and a summary.
///
/// # Errors
/// A file that is no trace.
pub fn trace(args: &TraceArgs) -> Result<ExitCode> {
    let Trace { steps, queues } = file::read(&read_file(&args.file)?).map_err(|e| e.file(args.file.display()))?;
    if steps.is_empty() && queues.is_empty() {
        return Err(Error::invalid("the trace holds no step").file(args.file.display()));
    }
    let mut sections: Vec<String> = Vec::new();
    for step in &steps {
        if args.order {
            sections.push(if args.json { export::json_lines(step) } else { export::order(step) });
            if args.devices && !args.json {
                sections.push(export::device_order(step));
            }
        }
        if args.critical_path {
            sections.push(report::critical_path_table(step, &step.edges));
        }
    }
    if args.by_op {
        sections.push(report::by_op_table(&steps));
    }
    if args.queues {
        sections.push(match queues.as_slice() {
            [] => "no queue was used\n".to_owned(),
            queues => report::queues_text(queues),
        });
    }
    if args.devices && !args.order {
        sections.push(match report::devices_text(&steps) {
            text if text.is_empty() => "no device with a queue of its own was used\n".to_owned(),
            text => text,
        });
    }
    if let Some(path) = &args.chrome {
        write_file(path, export::chrome(&steps, &queues).as_bytes())?;
    }
    if let (Some(path), Some(step)) = (&args.step_stats, steps.last()) {
        write_file(path, export::step_stats(step).as_bytes())?;
    }
    if sections.is_empty() && args.chrome.is_none() && args.step_stats.is_none() {
        sections.extend(steps.iter().map(summary));
        sections.extend(Some(report::devices_text(&steps)).filter(|text| !text.is_empty()));
        sections.push(report::by_op_table(&steps));
    }
    print(&sections.join("\n"));
    Ok(ExitCode::SUCCESS)
}

fn summary(step: &StepTrace) -> String {
    let path = report::critical_path(step, &step.edges);
    let busy: u64 = step.events.iter().map(levada::trace::NodeEvent::duration_ns).sum();
    let on_path: u64 = path.iter().map(|e| e.duration_ns()).sum();
    let failed = step.events.iter().filter_map(|e| Some(format!("failed: {}: {}\n", e.node, e.error.as_ref()?)));
    format!(
        "step {} took {}: {} on {}, {} in kernels, {} of it on the critical path of {}\n{}",
        step.step_id,
        show::time(step.wall_ns as f64),
        show::count(step.num_nodes(), "node"),
        show::count(step.threads as usize, "thread"),
        show::time(busy as f64),
        show::time(on_path as f64),
        show::count(path.len(), "node"),
        failed.collect::<String>()
    )
}

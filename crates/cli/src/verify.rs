//! `levada verify`

use crate::args::VerifyArgs;
use crate::feed::write_file;
use crate::{print, show};
use indicatif::{ProgressBar, ProgressStyle};
use levada::replay::{Limits as CaseLimits, Outcome, Row, Suite, Summary, read_lines};
use levada::{Error, Files, Limits, Replayer, Result, SessionOptions};
use serde_json::json;
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Arc;

/// Replays the cases; exit code 1 if one fails.
///
/// # Errors
/// A file that cannot be read or holds something else.
pub fn verify(args: &VerifyArgs) -> Result<ExitCode> {
    // The output of the cases is discarded.
    let log = Some(Arc::new(|_: &str| ()) as Arc<levada::kernel::env::Log>);
    let files = Files::under(&args.allow_files).map_err(|e| e.help("--allow-files DIR"))?;
    let base = if args.untrusted { SessionOptions::untrusted(Limits::default()) } else { SessionOptions::default() };
    let options = SessionOptions { threads: args.threads.into(), log, files, disorder: args.disorder, ..base };
    let runtime = match &args.device {
        None => Replayer::new(options),
        Some(device) => {
            let gpus = if device.kind == "GPU" { device.id as usize + 1 } else { 0 };
            levada::gpus::check(&SessionOptions { gpus, ..SessionOptions::default() })?;
            let options = SessionOptions { cpus: if gpus > 0 { 0 } else { device.id as usize + 1 }, ..options };
            Replayer::on_device(options, levada::gpus::open(gpus, 0)?, &device.to_string())
        }
    };
    let runtime = Arc::new(match &args.record {
        Some(folder) => runtime.recorded(folder),
        None => runtime,
    });
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let suite = Suite {
        filter: args.filter.clone(),
        jobs: args.jobs.map_or(cores, usize::from),
        limits: CaseLimits {
            case: args.timeout,
            tolerance: if args.device.is_some() { 10.0 } else { 1.0 },
            ..CaseLimits::default()
        },
    };
    let mut rows = Vec::new();
    for path in &args.cases {
        let lines = read_lines(path)?;
        let bar = progress(lines.len());
        let found = suite.run(&runtime, &lines, &|_| bar.inc(1));
        bar.finish_and_clear();
        rows.extend(found.map_err(|e| e.file(path.display()))?);
    }
    for row in &rows {
        if let Outcome::Failed(why) = &row.outcome {
            print(&format!("FAILED {}\n       {why}\n", row.name));
        }
    }
    print(&skips(&rows));
    if let Some(path) = &args.json {
        write_file(path, report(&rows).as_bytes())?;
    }
    let summary = Summary::of(&rows);
    if rows.is_empty() {
        return Err(
            Error::not_found("no case matches").help("the filter is a part of a case's name, or the name of an op")
        );
    }
    if let Some(device) = &args.device {
        let (there, all) = runtime.ran();
        print(&format!("{there} of {} ran on {device}\n", show::count(all, "node")));
    }
    if let Some(folder) = &args.record {
        print(&format!("{} in {}\n", show::count(runtime.recordings()?, "recording"), folder.display()));
    }
    print(&format!("{summary}\n"));
    Ok(if summary.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The requirements of skipped cases, with the number of cases for each, the most frequent first.
fn skips(rows: &[Row]) -> String {
    const SHOWN: usize = 20;
    let mut needs: BTreeMap<&str, usize> = BTreeMap::new();
    for row in rows {
        if let Outcome::Skipped(why) = &row.outcome {
            why.split("; ").for_each(|need| *needs.entry(need).or_default() += 1);
        }
    }
    let mut needs: Vec<(&str, usize)> = needs.into_iter().collect();
    needs.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    let line = |(need, n): &(&str, usize)| format!("skipped {n:>4}: {need}\n");
    let mut text: String = needs.iter().take(SHOWN).map(line).collect();
    if needs.len() > SHOWN {
        text.push_str(&format!("skipped  ...: {} more requirements; --json FILE lists them\n", needs.len() - SHOWN));
    }
    text
}

/// A JSON array with one row per line.
fn report(rows: &[Row]) -> String {
    let line = |row: &Row| {
        let (status, why) = match &row.outcome {
            Outcome::Passed => ("passed", ""),
            Outcome::Failed(why) => ("failed", why.as_str()),
            Outcome::Skipped(why) => ("skipped", why.as_str()),
        };
        json!({"name": row.name, "status": status, "why": why}).to_string()
    };
    format!("[\n{}\n]\n", rows.iter().map(line).collect::<Vec<_>>().join(",\n"))
}

/// A bar on a terminal, nothing in a pipe.
fn progress(cases: usize) -> ProgressBar {
    let bar = ProgressBar::new(cases as u64);
    match ProgressStyle::with_template("{bar:30} {pos}/{len} cases  {eta} left") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

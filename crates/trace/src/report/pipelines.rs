//! Input pipelines: the cost of each stage, who waits for whom, what limits the rate, and the effect of other settings.

use super::table;
use crate::pipeline::{Change, Limit, Model, PipelineTrace, StageTrace};
use serde_json::{Value, json};

/// The maximum number of changes to show.
const MOST_CHANGES: usize = 3;

/// A tree for each pipeline, with what limits it and what would make it faster.
pub fn pipelines_text(pipelines: &[PipelineTrace]) -> String {
    pipelines.iter().map(text).collect::<Vec<_>>().join("\n")
}

/// The same as JSON, one object for all.
pub fn pipelines_json(pipelines: &[PipelineTrace]) -> String {
    let all: Vec<Value> = pipelines.iter().map(object).collect();
    format!("{}\n", json!({"version": 1, "pipelines": all}))
}

fn text(pipeline: &PipelineTrace) -> String {
    let mut out = format!(
        "{}: {} elements in {}, {} a second; threads: {}\n",
        pipeline.name,
        pipeline.elements,
        time(pipeline.span_ns as f64),
        rate(pipeline.measured()),
        pipeline.threads
    );
    let header = ["stage", "elements", "own time", "of a call", "calls", "buffered", "empty", "waited"];
    let order = in_order(pipeline);
    let rows = order.iter().map(|&(i, depth)| row(&pipeline.stages[i], depth));
    for line in table::format(header, "lrrrrrrr", rows).lines() {
        out.push_str(&format!("  {line}\n"));
    }
    let model = pipeline.model();
    out.push_str(&format!("  {}\n", waits(pipeline)));
    out.push_str(&format!("  limit: {}\n", limit(pipeline, &model)));
    let changes = changes(pipeline, &model);
    for (change, faster) in changes.iter().take(MOST_CHANGES) {
        out.push_str(&format!("  {}: {} a second\n", describe(pipeline, *change), rate(*faster)));
    }
    if changes.is_empty() {
        out.push_str("  no other setting would be faster\n");
    }
    out
}

fn changes(pipeline: &PipelineTrace, model: &Model) -> Vec<(Change, f64)> {
    let has_function =
        |i: usize| matches!(&*pipeline.stages[i].kind, "Map" | "ParallelMapV2" | "ParallelFilter" | "Filter");
    model.changes(has_function)
}

/// Stages with their depths, each before those whose elements it consumes.
fn in_order(pipeline: &PipelineTrace) -> Vec<(usize, usize)> {
    let mut order = Vec::new();
    let mut open: Vec<(usize, usize)> = roots(pipeline, None).map(|i| (i, 0)).collect();
    open.reverse();
    while let Some((i, depth)) = open.pop() {
        order.push((i, depth));
        let mut inputs: Vec<(usize, usize)> = roots(pipeline, Some(i)).map(|i| (i, depth + 1)).collect();
        inputs.reverse();
        open.append(&mut inputs);
    }
    order
}

fn roots(pipeline: &PipelineTrace, parent: Option<usize>) -> impl Iterator<Item = usize> + '_ {
    (0..pipeline.stages.len()).filter(move |&i| pipeline.stages[i].parent == parent)
}

fn each(ns: u64, times: u64) -> String {
    if times == 0 { String::new() } else { time(ns as f64 / times as f64) }
}

fn row(stage: &StageTrace, depth: usize) -> [String; 8] {
    let tuned = if stage.tuned { " auto" } else { "" };
    let calls = match stage.parallelism {
        0 => String::new(),
        calls => format!("{calls} at once{tuned}"),
    };
    let buffered = match stage.capacity {
        0 => String::new(),
        capacity => format!("{:.1} of {capacity}{}", stage.buffered, if stage.parallelism == 0 { tuned } else { "" }),
    };
    let empty = match stage.asked {
        0 => String::new(),
        asked => format!("{:.0}%", 100.0 * stage.empty as f64 / asked as f64),
    };
    let ahead = match stage.ahead {
        0 => String::new(),
        1 => " (ahead)".to_owned(),
        jobs => format!(" ({jobs} ahead)"),
    };
    [
        format!("{}{}{ahead}", "  ".repeat(depth), stage.name()),
        stage.elements.to_string(),
        each(stage.own_ns, stage.elements),
        each(stage.call_ns, stage.calls),
        calls,
        buffered,
        empty,
        if stage.waits == 0 { String::new() } else { time(stage.waited_ns as f64) },
    ]
}

/// Who waits for whom.
fn waits(pipeline: &PipelineTrace) -> String {
    let share = 100.0 * pipeline.waited_ns as f64 / pipeline.span_ns.max(1) as f64;
    if pipeline.waits == 0 {
        return "waits: the consumer never waits for work of another thread".to_owned();
    }
    // Follow the input with the longest waits, as long as it explains most of the waiting.
    let mut chain = Vec::new();
    let mut at = roots(pipeline, None).next();
    while let Some(i) = at {
        chain.push(pipeline.stages[i].name());
        let waited = pipeline.stages[i].waited_ns;
        let inputs = roots(pipeline, Some(i));
        at =
            inputs.max_by_key(|&i| pipeline.stages[i].waited_ns).filter(|&i| 2 * pipeline.stages[i].waited_ns > waited);
    }
    format!(
        "waits: the consumer waited {} of {} times, {share:.0}% of the time, for {}",
        pipeline.waits,
        pipeline.elements,
        chain.join(", which waits for ")
    )
}

fn limit(pipeline: &PipelineTrace, model: &Model) -> String {
    let rate = rate(model.rate());
    match model.limit() {
        Limit::Nothing => "nothing was read".to_owned(),
        Limit::Consumer => {
            let alone = model.unconsumed();
            format!(
                "the consumer, at {rate} a second; without it {} a second, limited by {}",
                self::rate(alone.rate()),
                name_of(pipeline, alone.limit())
            )
        }
        Limit::Threads => {
            let costliest = model.costliest().map_or_else(String::new, |i| pipeline.stages[i].name());
            format!("the threads, at {rate} a second; most of their time goes to {costliest}")
        }
        Limit::Stage(i) => format!("{}, at {rate} a second", pipeline.stages[i].name()),
    }
}

fn name_of(pipeline: &PipelineTrace, limit: Limit) -> String {
    match limit {
        Limit::Stage(i) => pipeline.stages[i].name(),
        Limit::Threads => "the threads".to_owned(),
        Limit::Consumer => "the consumer".to_owned(),
        Limit::Nothing => "nothing".to_owned(),
    }
}

fn describe(pipeline: &PipelineTrace, change: Change) -> String {
    match change {
        Change::Calls(i, n) => format!("num_parallel_calls={n} for {}", pipeline.stages[i].name()),
        Change::Ahead(i, 1) => format!("prefetch behind {}", pipeline.stages[i].name()),
        Change::Ahead(i, jobs) => format!("{jobs} at a time of {}", pipeline.stages[i].name()),
        Change::Threads(n) => format!("{n} threads"),
    }
}

fn object(pipeline: &PipelineTrace) -> Value {
    let model = pipeline.model();
    let changes: Vec<Value> = changes(pipeline, &model)
        .into_iter()
        .map(|(change, rate)| {
            let (stage, what, number) = match change {
                Change::Calls(i, n) => (Some(i), "num_parallel_calls", n),
                Change::Ahead(i, jobs) => (Some(i), "prefetch", jobs),
                Change::Threads(n) => (None, "threads", u64::from(n)),
            };
            json!({"stage": stage, "change": what, "number": number, "per_second": rate})
        })
        .collect();
    let (limit, stage) = match model.limit() {
        Limit::Stage(i) => ("stage", Some(i)),
        Limit::Threads => ("threads", model.costliest()),
        Limit::Consumer => ("consumer", None),
        Limit::Nothing => ("nothing", None),
    };
    json!({
        "name": pipeline.name, "threads": pipeline.threads, "elements": pipeline.elements, "span_ns": pipeline.span_ns,
        "per_second": pipeline.measured(), "modelled_per_second": model.rate(),
        "unconsumed_per_second": model.unconsumed().rate(), "waits": pipeline.waits, "waited_ns": pipeline.waited_ns,
        "between_ns": pipeline.between_ns, "limit": limit, "limiting_stage": stage, "stages": pipeline.stages,
        "changes": changes,
    })
}

fn rate(per_second: f64) -> String {
    match per_second {
        r if r >= 1e6 => format!("{:.2}M", r / 1e6),
        r if r >= 1e4 => format!("{:.1}k", r / 1e3),
        r if r >= 100.0 => format!("{r:.0}"),
        r => format!("{r:.1}"),
    }
}

fn time(ns: f64) -> String {
    match ns {
        n if n < 1e3 => format!("{n:.0} ns"),
        n if n < 1e6 => format!("{:.1} us", n / 1e3),
        n if n < 1e9 => format!("{:.1} ms", n / 1e6),
        n => format!("{:.2} s", n / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_names_the_limit_and_what_would_help() {
        let map = StageTrace {
            kind: "Map".into(),
            function: "decode".into(),
            elements: 1000,
            own_ns: 400_000_000,
            calls: 1000,
            call_ns: 390_000_000,
            call_thread_ns: 390_000_000,
            ..StageTrace::default()
        };
        let range = StageTrace {
            kind: "Range".into(),
            parent: Some(0),
            elements: 1000,
            own_ns: 100_000,
            ..StageTrace::default()
        };
        let trace = PipelineTrace {
            name: "it".into(),
            threads: 4,
            cores: 4,
            span_ns: 500_000_000,
            elements: 1000,
            stages: vec![map, range],
            ..PipelineTrace::default()
        };
        let text = pipelines_text(std::slice::from_ref(&trace));
        assert!(text.starts_with("it: 1000 elements in 500.0 ms, 2000 a second; threads: 4\n"), "{text}");
        assert!(text.contains("\n  Map decode ") && text.contains("\n    Range "), "{text}");
        assert!(text.contains("limit: Map decode, at 2499 a second\n  num_parallel_calls="), "{text}");
        let json: Value = serde_json::from_str(&pipelines_json(&[trace])).unwrap();
        assert_eq!(json["pipelines"][0]["limiting_stage"], 0);
    }
}

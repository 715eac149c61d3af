//! Queue occupancy, who waited at the queues, and what limits the throughput.

use super::table;
use crate::queue::{QueueAct, QueueActor, QueueTrace, Workers};
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeSet;

/// How a queue was used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Nothing passed through it.
    Unused,
    /// Consumers wait for producers.
    ProducerBound,
    /// Producers wait for consumers.
    ConsumerBound,
    /// It has no limit and grows, since producers are faster.
    Growing,
    /// Producers and consumers wait alternately, which a larger capacity would avoid.
    CapacityTooSmall,
    /// Neither side waits for long.
    Balanced,
}

/// Shorter waits than this fraction of the time are ignored.
const NOTABLE: f64 = 0.05;
/// One side is the bottleneck if the other waits this many times as long.
const LOPSIDED: f64 = 4.0;
/// Larger capacities stand for no limit.
const NO_LIMIT: u64 = i32::MAX as u64;

/// How this queue was used, judged from its own measurements only.
pub fn verdict(queue: &QueueTrace) -> Verdict {
    let (puts, _, put_ns) = queue.waited(QueueAct::Put);
    let (takes, _, take_ns) = queue.waited(QueueAct::Take);
    if puts + takes == 0 || queue.span_ns == 0 {
        return Verdict::Unused;
    }
    let span = queue.span_ns as f64;
    let (put, take) = (put_ns as f64 / span, take_ns as f64 / span);
    if put.max(take) >= NOTABLE {
        return if take > LOPSIDED * put {
            Verdict::ProducerBound
        } else if put > LOPSIDED * take {
            Verdict::ConsumerBound
        } else {
            Verdict::CapacityTooSmall
        };
    }
    let last = queue.sizes.last().map_or(0, |&(_, size)| size);
    let is_limited = queue.capacity.is_some_and(|c| c < NO_LIMIT);
    match !is_limited && last > 100 && last as f64 > 1.5 * queue.mean_size {
        true => Verdict::Growing,
        false => Verdict::Balanced,
    }
}

/// [`verdict`] as a sentence with the numbers behind it. What to do depends on all queues together: [`bottleneck`].
pub fn advice(queue: &QueueTrace) -> String {
    let share = |ns: u64| format!("{:.0}%", 100.0 * ns as f64 / queue.span_ns.max(1) as f64);
    let (puts, put_waits, put_ns) = queue.waited(QueueAct::Put);
    let (takes, take_waits, take_ns) = queue.waited(QueueAct::Take);
    let put = format!("producers waited {} in {put_waits} of {puts} times", time(put_ns));
    let take = format!("consumers waited {} in {take_waits} of {takes} times", time(take_ns));
    let empty = format!("it was empty {} of the time", share(queue.empty_ns));
    let full = format!("full {} of the time", share(queue.full_ns));
    match verdict(queue) {
        Verdict::Unused => "unused: nothing passed through it while it was watched".to_owned(),
        Verdict::ProducerBound => format!("emptied faster than filled: {take} and {empty}, while {put}"),
        Verdict::ConsumerBound => format!("filled faster than emptied: {put} and it was {full}, while {take}"),
        Verdict::CapacityTooSmall => format!(
            "both sides wait alternately: {put}; {take}; at a capacity of {}",
            queue.capacity.map_or_else(|| "no limit".to_owned(), |c| c.to_string())
        ),
        Verdict::Growing => format!(
            "growing: it has no limit, held {} elements at the end and {:.1} on average; give it a capacity, or consume \
             faster",
            queue.sizes.last().map_or(0, |&(_, size)| size),
            queue.mean_size
        ),
        Verdict::Balanced => format!("balanced: {put}, {take}, and neither is significant"),
    }
}

/// What limits a pipeline of queues.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "limit", rename_all = "lowercase")]
pub enum Limit {
    /// The final consumer of the elements.
    Consumer,
    /// The worker threads, which are all busy.
    Threads,
    /// The capacity of a queue at which both sides wait alternately.
    Capacity {
        /// The queue.
        queue: String,
    },
    /// The producers of a queue, one of them after the other.
    Producers {
        /// The queue.
        queue: String,
        /// The nodes that put into it.
        nodes: Vec<String>,
        /// The number of them that queue runners run concurrently; 0 if callers run them.
        at_once: u32,
    },
}

/// The confidence in a [`Bottleneck`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// Too little was observed, or the measurements are on the boundary between two answers.
    Low,
    /// More steps might change the answer.
    Medium,
    /// Another run would give the same answer.
    High,
}

/// What limits the throughput of the queues, considering all queues and the worker threads.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Bottleneck {
    /// The limit.
    #[serde(flatten)]
    pub limit: Limit,
    /// The confidence in it.
    pub confidence: Confidence,
    /// The fraction of the time, from 0 to 1, that the final consumer waited for elements.
    pub waited: f64,
    /// The maximum speedup from a change of the limit alone; `None` if unknown.
    pub gain: Option<f64>,
    /// In words, with what would help.
    pub text: String,
}

/// Workers that are busy for this fraction of the time leave no room for more producers.
const BUSY: f64 = 0.8;
/// If all producers wait for room for this fraction of the time, the workers are busy with something else.
const AT_REST: f64 = 0.5;
/// The final consumer is not the bottleneck if it waits for this fraction of the time.
const STARVES: f64 = 0.1;
/// Both sides wait at a queue for at least this fraction of the time if its capacity is the limit.
const BY_TURNS: f64 = 0.25;

/// What limits a pipeline, traced from its final consumer back to where the time is spent; `None` if no queue was used.
pub fn bottleneck(queues: &[QueueTrace], workers: Option<&Workers>) -> Option<Bottleneck> {
    let used: Vec<&QueueTrace> =
        queues.iter().filter(|q| verdict(q) != Verdict::Unused && q.waited(QueueAct::Take).0 > 0).collect();
    let is_last = |q: &&QueueTrace| q.actors.iter().any(|a| a.act == QueueAct::Take && a.runner.is_empty());
    let last = used.iter().filter(|q| is_last(q)).max_by(|a, b| starves(a).total_cmp(&starves(b)));
    let mut queue: &QueueTrace = last.or_else(|| used.iter().max_by(|a, b| starves(a).total_cmp(&starves(b))))?;
    let (end, waited) = (queue, starves(queue));
    let takes = end.waited(QueueAct::Take).0;
    let percent = |share: f64| format!("{:.0}%", 100.0 * share);
    let busy = workers.filter(|w| w.threads > 0 && w.span_ns > 0).map(|w| (w, w.busy()));
    let of_workers = busy.map_or_else(
        || "how busy the workers were is not in the trace".to_owned(),
        |(w, busy)| match w.threads {
            1 => format!("the worker thread is busy {} of the time", percent(busy)),
            n => format!("the {n} worker threads are busy {} of the time", percent(busy)),
        },
    );
    let sure = |margin: f64, known: bool| match () {
        () if takes < 5 || margin < 0.03 => Confidence::Low,
        () if takes < 20 || margin < 0.1 || !known => Confidence::Medium,
        () => Confidence::High,
    };
    let starving = format!("the consumer of {} waits {} of the time", quoted(&end.name), percent(waited));
    // At least this fraction of the time in which all producers wait for room: the workers are then not busy with them.
    let puts = end.actors.iter().filter(|a| a.act == QueueAct::Put);
    let active: f64 = puts.map(|a| (1.0 - share(end, a)) * f64::from(a.runner_threads.max(1))).sum();
    let at_rest = (1.0 - active).max(0.0);
    if let Some((w, share)) = busy
        && share >= BUSY
        && at_rest < AT_REST
    {
        let help = match w.cores {
            0 => "; more threads or cheaper steps do".to_owned(),
            n if n > w.threads => format!("; more threads, for the {n} cores, or cheaper steps do"),
            1 => ", nor do more threads than the one core; cheaper steps do".to_owned(),
            n => format!(", nor do more threads than the {n} cores; cheaper steps do"),
        };
        let text = format!("the threads: {of_workers}, and {starving}; more producers do not help{help}");
        let gain = (w.cores > w.threads).then(|| f64::from(w.cores) / f64::from(w.threads));
        let confidence = sure((share - BUSY).min(AT_REST - at_rest) * 2.0, true);
        return Some(Bottleneck { limit: Limit::Threads, confidence, waited, gain, text });
    }
    if waited < STARVES {
        let text = format!(
            "the consumer: it waits at {} only {} of the time; faster steps help, no change at the queues does",
            quoted(&end.name),
            percent(waited)
        );
        let confidence = sure((STARVES - waited) * 2.0, true);
        return Some(Bottleneck { limit: Limit::Consumer, confidence, waited, gain: None, text });
    }
    // Go back to the queue that its producers fill as fast as they can.
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let room = busy.map_or(f64::INFINITY, |(_, busy)| 1.0 / busy.max(1e-9));
    loop {
        seen.insert(&queue.name);
        let puts: Vec<&QueueActor> = queue.actors.iter().filter(|a| a.act == QueueAct::Put).collect();
        let put = puts.iter().map(|a| share(queue, a)).fold(0.0, f64::max);
        if put >= BY_TURNS && starves(queue) >= BY_TURNS {
            let text = format!(
                "the capacity of {}, {}: producers wait {} of the time and consumers {}, alternately; a larger one lets \
                 them work at the same time ({of_workers})",
                quoted(&queue.name),
                queue.capacity.map_or_else(|| "no limit".to_owned(), |c| c.to_string()),
                percent(put),
                percent(starves(queue))
            );
            let confidence = sure((put.min(starves(queue)) - BY_TURNS).max(0.03), busy.is_some());
            let limit = Limit::Capacity { queue: queue.name.clone() };
            return Some(Bottleneck { limit, confidence, waited, gain: None, text });
        }
        let runners: BTreeSet<&str> = puts.iter().map(|a| &*a.runner).filter(|r| !r.is_empty()).collect();
        let before = used.iter().find(|q| {
            let takes = q.actors.iter().filter(|a| a.act == QueueAct::Take && runners.contains(&*a.runner));
            !seen.contains(&*q.name) && takes.map(|a| share(q, a)).fold(0.0, f64::max) >= 0.5
        });
        if let Some(before) = before {
            queue = before;
            continue;
        }
        let nodes: Vec<String> = puts.iter().map(|a| a.node.clone()).collect();
        let mut at_once: Vec<(&str, u32)> = puts.iter().map(|a| (&*a.runner, a.runner_threads)).collect();
        at_once.sort_unstable();
        at_once.dedup();
        let at_once = at_once.iter().map(|(_, n)| n).sum();
        let who = match &nodes[..] {
            [one] if at_once <= 1 => {
                format!("{} puts elements into {} as fast as it can", quoted(one), quoted(&queue.name))
            }
            [one] => format!(
                "{at_once} threads of {} put elements into {} as fast as they can",
                quoted(one),
                quoted(&queue.name)
            ),
            all => format!("{} nodes put elements into {} as fast as they can", all.len(), quoted(&queue.name)),
        };
        let most = (1.0 / (1.0 - waited).max(1e-9)).min(room);
        let (limit, gain) = match most < 100.0 {
            true => (format!(", at most {most:.1} times"), Some(most)),
            false => (String::new(), None),
        };
        let text = format!("the producers: {starving}, {who}, and {of_workers}; more or faster producers help{limit}");
        let margin = busy.map_or(0.1, |(_, busy)| BUSY - busy).min(waited - STARVES) * 2.0;
        let limit = Limit::Producers { queue: queue.name.clone(), nodes, at_once };
        return Some(Bottleneck { limit, confidence: sure(margin, busy.is_some()), waited, gain, text });
    }
}

fn quoted(name: &str) -> String {
    format!("`{name}`")
}

/// The fraction of the time that a node waited at a queue; for a queue runner's node, per thread.
fn share(queue: &QueueTrace, actor: &QueueActor) -> f64 {
    let all = queue.span_ns as f64 * f64::from(actor.runner_threads.max(1));
    if all > 0.0 { (actor.total_ns as f64 / all).min(1.0) } else { 0.0 }
}

/// The fraction of the time that consumers of a queue wait there; callers only, if there are any.
fn starves(queue: &QueueTrace) -> f64 {
    let takes = || queue.actors.iter().filter(|a| a.act == QueueAct::Take);
    let is_called = takes().any(|a| a.runner.is_empty());
    let who = takes().filter(|a| !is_called || a.runner.is_empty());
    who.map(|a| share(queue, a)).fold(0.0, f64::max)
}

/// The overall limit, and a paragraph for each queue: what it is, its occupancy over time, who waited, and [`advice`].
pub fn queues_text(queues: &[QueueTrace], workers: Option<&Workers>) -> String {
    let mut parts: Vec<String> = queues.iter().map(paragraph).collect();
    if let Some(Bottleneck { confidence, text, .. }) = bottleneck(queues, workers) {
        let sure = match confidence {
            Confidence::High => "high",
            Confidence::Medium => "medium: more steps may change it",
            Confidence::Low => "low: run more steps, or longer",
        };
        parts.push(format!("limit: {text}\nconfidence: {sure}\n"));
    }
    parts.join("\n")
}

/// The same as one JSON object.
pub fn queues_json(queues: &[QueueTrace], workers: Option<&Workers>) -> String {
    let of = |q: &QueueTrace| {
        let mut json = json!(q);
        json["advice"] = advice(q).into();
        json
    };
    let all: Vec<_> = queues.iter().map(of).collect();
    format!("{}\n", json!({"version": 1, "bottleneck": bottleneck(queues, workers), "workers": workers, "queues": all}))
}

fn paragraph(queue: &QueueTrace) -> String {
    let percent = |ns: u64| 100.0 * ns as f64 / queue.span_ns.max(1) as f64;
    let limit = queue.capacity.filter(|&c| c < NO_LIMIT);
    let capacity = limit.map_or_else(|| "no limit".to_owned(), |c| format!("capacity {c}"));
    let mut text = format!("{} {}, {capacity}, watched for {}\n", queue.kind, queue.name, time(queue.span_ns));
    let top = limit.unwrap_or(queue.largest).max(1);
    text.push_str(&format!("  occupancy  {}  0 to {top}\n", sparkline(&queue.occupancy(48), top as f64)));
    text.push_str(&format!(
        "  size       mean {:.1}, largest {}; full {} ({:.1}%), empty {} ({:.1}%)\n",
        queue.mean_size,
        queue.largest,
        time(queue.full_ns),
        percent(queue.full_ns),
        time(queue.empty_ns),
        percent(queue.empty_ns)
    ));
    let rows = queue.actors.iter().map(|a| {
        let act = match a.act {
            QueueAct::Put => "puts",
            QueueAct::Take => "takes",
            QueueAct::Other => "",
        };
        let mean = a.total_ns.checked_div(a.waits).map_or_else(String::new, time);
        [
            a.node.clone(),
            a.op.clone(),
            act.to_owned(),
            a.times.to_string(),
            a.waits.to_string(),
            time(a.total_ns),
            mean,
            time(a.longest_ns),
        ]
    });
    let header = ["node", "op", "", "times", "waits", "waited", "mean", "longest"];
    for line in table::format(header, "lllrrrrr", rows).lines() {
        text.push_str(&format!("  {line}\n"));
    }
    text.push_str(&format!("  {}\n", advice(queue)));
    text
}

/// One character for each value; a dot for nothing.
fn sparkline(values: &[f64], top: f64) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let bar = |&v: &f64| match v {
        v if v < 1e-9 => '.',
        v => BARS[((v / top * 8.0).ceil() as usize).clamp(1, 8) - 1],
    };
    values.iter().map(bar).collect()
}

fn time(ns: u64) -> String {
    let ns = ns as f64;
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
    use crate::queue::QueueActor;

    const SECOND: u64 = 1_000_000_000;

    /// A queue of ten watched for ten seconds, with this many seconds of waiting to put and to take.
    fn queue(put: f64, take: f64) -> QueueTrace {
        let actor = |node: &str, act, seconds: f64| QueueActor {
            node: node.to_owned(),
            op: "QueueOp".to_owned(),
            act,
            times: 1000,
            waits: if seconds > 0.0 { 900 } else { 0 },
            total_ns: (seconds * SECOND as f64) as u64,
            longest_ns: SECOND / 10,
            ..QueueActor::default()
        };
        QueueTrace {
            name: "q".to_owned(),
            kind: "FIFOQueue".to_owned(),
            capacity: Some(10),
            span_ns: 10 * SECOND,
            full_ns: SECOND,
            empty_ns: 8 * SECOND,
            mean_size: 2.0,
            largest: 10,
            sizes: vec![(0, 0), (SECOND, 10), (2 * SECOND, 0)],
            actors: vec![actor("enqueue", QueueAct::Put, put), actor("dequeue", QueueAct::Take, take)],
            ..QueueTrace::default()
        }
    }

    #[test]
    fn the_side_that_does_not_wait_is_the_slow_one() {
        for (put, take, expected) in [
            (0.0, 8.0, Verdict::ProducerBound),
            (0.3, 8.0, Verdict::ProducerBound),
            // Four producers that all wait.
            (38.0, 0.1, Verdict::ConsumerBound),
            (3.0, 4.0, Verdict::CapacityTooSmall),
            (0.1, 0.2, Verdict::Balanced),
            (0.0, 0.0, Verdict::Balanced),
        ] {
            assert_eq!(verdict(&queue(put, take)), expected, "{put} {take}");
        }
        assert_eq!(verdict(&QueueTrace::default()), Verdict::Unused);
    }

    #[test]
    fn a_batch_waits_for_its_producers_though_the_queue_is_never_empty() {
        let batch = QueueTrace { empty_ns: 0, ..queue(0.0, 7.0) };
        assert_eq!(verdict(&batch), Verdict::ProducerBound);
        assert!(advice(&batch).contains("empty 0% of the time"));
    }

    #[test]
    fn a_queue_without_a_limit_that_fills_up_is_growing() {
        for capacity in [None, Some(NO_LIMIT)] {
            let growing = QueueTrace { capacity, sizes: vec![(0, 0), (1, 100_000)], mean_size: 5e4, ..queue(0.0, 0.0) };
            assert_eq!(verdict(&growing), Verdict::Growing);
        }
    }

    #[test]
    fn advice_has_the_numbers() {
        let text = advice(&queue(0.0, 8.0));
        assert!(text.starts_with("emptied faster than filled: consumers waited 8.00 s in 900 of 1000"), "{text}");
        assert!(text.contains("empty 80% of the time"), "{text}");
        assert!(advice(&queue(20.0, 0.0)).contains("full 10% of the time"));
        assert!(advice(&queue(3.0, 4.0)).contains("at a capacity of 10"));
    }

    /// Two queues in sequence: runners of `read` fill `names`, those of `decode` empty it and fill `q`.
    fn chain(read: f64, decode: [f64; 2], take: f64, threads: u32) -> Vec<QueueTrace> {
        let mut names = queue(read, decode[0]);
        names.name = "names".to_owned();
        for (actor, runner) in names.actors.iter_mut().zip(["read", "decode"]) {
            (actor.runner, actor.runner_threads) = (runner.to_owned(), threads);
        }
        let mut q = queue(decode[1], take);
        (q.actors[0].runner, q.actors[0].runner_threads) = ("decode".to_owned(), threads);
        vec![names, q]
    }

    fn workers(busy: f64) -> Workers {
        Workers { threads: 2, cores: 2, span_ns: 10 * SECOND, busy_ns: (20.0 * busy * SECOND as f64) as u64 }
    }

    #[test]
    fn there_is_one_limit_for_all_queues() {
        let limit = |queues: &[QueueTrace], busy: f64| bottleneck(queues, Some(&workers(busy))).unwrap();
        // The consumer never waits, regardless of the queues before it.
        let of = limit(&chain(9.0, [0.0, 9.0], 0.1, 1), 0.9);
        assert_eq!((of.limit, of.confidence), (Limit::Consumer, Confidence::High));
        // It waits, and no worker is free.
        let of = limit(&chain(0.0, [8.0, 0.0], 9.0, 1), 0.97);
        assert_eq!((of.limit, of.confidence, of.gain), (Limit::Threads, Confidence::High, None));
        for part in ["the 2 worker threads are busy 97% of the time", "more producers do not help"] {
            assert!(of.text.contains(part), "{}", of.text);
        }
        // It waits for `decode`, which waits for `read`.
        let producers =
            |queue: &str| Limit::Producers { queue: queue.to_owned(), nodes: vec!["enqueue".to_owned()], at_once: 2 };
        let of = limit(&chain(0.0, [18.0, 0.0], 9.0, 2), 0.2);
        assert_eq!((of.limit, of.confidence, of.gain), (producers("names"), Confidence::High, Some(5.0)));
        // `decode` itself is slow.
        let of = limit(&chain(18.0, [0.1, 0.0], 9.0, 2), 0.2);
        assert_eq!(of.limit, producers("q"));
        assert!(of.text.ends_with("more or faster producers help, at most 5.0 times"), "{}", of.text);
        let of = limit(&chain(0.0, [0.0, 6.0], 6.0, 1), 0.2);
        assert_eq!(of.limit, Limit::Capacity { queue: "q".to_owned() });
        // Without the workers' times the confidence is lower, and with few elements it is low.
        assert_eq!(bottleneck(&chain(0.0, [9.0, 0.0], 9.0, 1), None).unwrap().confidence, Confidence::Medium);
        let mut few = chain(0.0, [9.0, 0.0], 9.0, 1);
        few[1].actors[1].times = 3;
        assert_eq!(limit(&few, 0.2).confidence, Confidence::Low);
        assert_eq!(bottleneck(&[QueueTrace::default()], None), None);
    }

    #[test]
    fn a_paragraph_shows_what_there_is() {
        let text = queues_text(&[queue(0.0, 8.0)], None);
        assert!(text.starts_with("FIFOQueue q, capacity 10, watched for 10.00 s\n"), "{text}");
        assert!(text.contains("  occupancy  ....") && text.contains('█'), "{text}");
        assert!(text.contains("mean 2.0, largest 10; full 1.00 s (10.0%), empty 8.00 s (80.0%)"), "{text}");
        let row = text.lines().find(|l| l.starts_with("  dequeue")).unwrap();
        assert!(row.contains("takes") && row.contains("900") && row.contains("100.0 ms"), "{row}");
    }
}

//! How full queues were, who waited at them, and what to do about it.

use super::table;
use crate::queue::{QueueAct, QueueTrace};

/// The bottleneck of a pipeline at a queue.
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
    /// Producers and consumers wait in turn, which a larger capacity would avoid.
    CapacityTooSmall,
    /// Neither side waits for long.
    Balanced,
}

/// Waiting counts from this share of the time on.
const NOTABLE: f64 = 0.05;
/// One side is the bottleneck if the other waits this many times as long.
const LOPSIDED: f64 = 4.0;
/// Larger capacities are those of queues that were told of no limit.
const NO_LIMIT: u64 = i32::MAX as u64;

/// What slows the pipeline down at this queue, from its numbers alone.
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

/// [`verdict`] as a sentence with the numbers behind it.
pub fn advice(queue: &QueueTrace) -> String {
    let share = |ns: u64| format!("{:.0}%", 100.0 * ns as f64 / queue.span_ns.max(1) as f64);
    let (puts, put_waits, put_ns) = queue.waited(QueueAct::Put);
    let (takes, take_waits, take_ns) = queue.waited(QueueAct::Take);
    let put = format!("those who put waited {} in {put_waits} of {puts} times", time(put_ns));
    let take = format!("those who take waited {} in {take_waits} of {takes} times", time(take_ns));
    let empty = format!("it was empty {} of the time", share(queue.empty_ns));
    let full = format!("full {} of the time", share(queue.full_ns));
    match verdict(queue) {
        Verdict::Unused => "unused: nothing passed through it while it was watched".to_owned(),
        Verdict::ProducerBound => format!(
            "producer bound: {take} and {empty}, while {put}; more or faster producers help, a larger capacity does not"
        ),
        Verdict::ConsumerBound => format!(
            "consumer bound: {put} and it was {full}, while {take}; faster consumers help, more producers or a larger \
             capacity do not"
        ),
        Verdict::CapacityTooSmall => format!(
            "capacity too small: both sides wait by turns ({put}; {take}), at a capacity of {}; a larger one lets them \
             work at the same time",
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

/// A paragraph for each queue: what it is, its occupancy over time, who waited, and [`advice`].
pub fn queues_text(queues: &[QueueTrace]) -> String {
    queues.iter().map(paragraph).collect::<Vec<_>>().join("\n")
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

    /// A queue of ten watched for ten seconds, with so many seconds of waiting to put and to take.
    fn queue(put: f64, take: f64) -> QueueTrace {
        let actor = |node: &str, act, seconds: f64| QueueActor {
            node: node.to_owned(),
            op: "QueueOp".to_owned(),
            act,
            times: 1000,
            waits: if seconds > 0.0 { 900 } else { 0 },
            total_ns: (seconds * SECOND as f64) as u64,
            longest_ns: SECOND / 10,
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
        assert!(text.starts_with("producer bound: those who take waited 8.00 s in 900 of 1000 times"), "{text}");
        assert!(text.contains("empty 80% of the time") && text.contains("more or faster producers"), "{text}");
        assert!(advice(&queue(20.0, 0.0)).contains("full 10% of the time"));
        assert!(advice(&queue(3.0, 4.0)).contains("at a capacity of 10"));
    }

    #[test]
    fn a_paragraph_shows_what_there_is() {
        let text = queues_text(&[queue(0.0, 8.0)]);
        assert!(text.starts_with("FIFOQueue q, capacity 10, watched for 10.00 s\n"), "{text}");
        assert!(text.contains("  occupancy  ....") && text.contains('█'), "{text}");
        assert!(text.contains("mean 2.0, largest 10; full 1.00 s (10.0%), empty 8.00 s (80.0%)"), "{text}");
        let row = text.lines().find(|l| l.starts_with("  dequeue")).unwrap();
        assert!(row.contains("takes") && row.contains("900") && row.contains("100.0 ms"), "{row}");
    }
}

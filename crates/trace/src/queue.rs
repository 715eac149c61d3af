//! How full queues were over time and who waited at them, as plain data.

use serde::{Deserialize, Serialize};

/// What was seen of a queue, a staging area or the like. Times are nanoseconds since it was first seen.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct QueueTrace {
    /// Its name.
    pub name: String,
    /// `FIFOQueue`, `Barrier`, ...
    pub kind: String,
    /// The most elements in it; `None` for no limit.
    pub capacity: Option<u64>,
    /// When it was first seen, in microseconds since 1970.
    pub start_unix_us: u64,
    /// For how long it was watched.
    pub span_ns: u64,
    /// The time that it was full.
    pub full_ns: u64,
    /// The time that it was empty.
    pub empty_ns: u64,
    /// Its mean size over time.
    pub mean_size: f64,
    /// The largest size.
    pub largest: u64,
    /// Time and new size, by time; of many changes only some.
    pub sizes: Vec<(u64, u64)>,
    /// Who acted on it.
    pub actors: Vec<QueueActor>,
}

fn is_zero(n: &u32) -> bool {
    *n == 0
}

/// What the worker threads of a session did while its queues were watched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Workers {
    /// Number of threads.
    pub threads: u32,
    /// Number of processor cores that they could use.
    pub cores: u32,
    /// For how long they were watched.
    pub span_ns: u64,
    /// How long they had work, all together.
    pub busy_ns: u64,
}

impl Workers {
    /// The share of the time that they had work, from 0 to 1.
    pub fn busy(&self) -> f64 {
        let all = self.span_ns as f64 * f64::from(self.threads);
        if all > 0.0 { (self.busy_ns as f64 / all).min(1.0) } else { 0.0 }
    }
}

/// What a node does at a queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum QueueAct {
    /// It puts elements in.
    Put,
    /// It takes elements out.
    Take,
    /// Something else, or it is not known.
    #[default]
    Other,
}

/// What a node did at a queue.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct QueueActor {
    /// Name of the node.
    pub node: String,
    /// Its op; empty where it is not known.
    pub op: String,
    /// What it does.
    pub act: QueueAct,
    /// The node that the queue runner runs that it is part of; empty for a node of callers' runs.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub runner: String,
    /// How many threads that runner has; 0 for a node of callers' runs.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub runner_threads: u32,
    /// How often it did.
    pub times: u64,
    /// How often it had to wait.
    pub waits: u64,
    /// How long in all, of nodes that run several times at once each of them.
    pub total_ns: u64,
    /// The longest time.
    pub longest_ns: u64,
}

impl QueueTrace {
    /// The mean size in each of `parts` equal parts of the time.
    pub fn occupancy(&self, parts: usize) -> Vec<f64> {
        let span = self.span_ns as f64;
        let mut means = vec![0.0; parts];
        if parts == 0 || span <= 0.0 {
            return means;
        }
        let ends = self.sizes.iter().skip(1).map(|&(t, _)| t).chain([self.span_ns]);
        for (&(from, size), to) in self.sizes.iter().zip(ends) {
            let at = |ns: u64| (ns as f64 / span * parts as f64).clamp(0.0, parts as f64);
            let (from, to) = (at(from), at(to));
            let mut part = from as usize;
            while part < parts && (part as f64) < to {
                let overlap = to.min(part as f64 + 1.0) - from.max(part as f64);
                means[part] += overlap.max(0.0) * size as f64;
                part += 1;
            }
        }
        means
    }

    /// How often and how long nodes that do this waited: times, waits, nanoseconds.
    pub fn waited(&self, act: QueueAct) -> (u64, u64, u64) {
        let actors = self.actors.iter().filter(|a| a.act == act);
        actors.fold((0, 0, 0), |(times, waits, ns), a| (times + a.times, waits + a.waits, ns + a.total_ns))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn occupancy_is_the_mean_over_time() {
        let queue = QueueTrace { span_ns: 100, sizes: vec![(0, 0), (25, 4), (75, 2)], ..QueueTrace::default() };
        assert_eq!(queue.occupancy(2), [2.0, 3.0]);
        assert_eq!(queue.occupancy(4), [0.0, 4.0, 4.0, 2.0]);
        assert_eq!(queue.occupancy(1), [2.5]);
        assert_eq!(QueueTrace::default().occupancy(3), [0.0; 3]);
    }
}

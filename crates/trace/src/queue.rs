//! Queue occupancy and waits over time, as plain data.

use serde::{Deserialize, Serialize};

/// Measurements of a queue, a staging area or a similar resource. Times are nanoseconds since it was first seen.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct QueueTrace {
    /// Its name.
    pub name: String,
    /// `FIFOQueue`, `Barrier`, ...
    pub kind: String,
    /// The maximum number of elements; `None` for no limit.
    pub capacity: Option<u64>,
    /// When it was first seen, in microseconds since 1970.
    pub start_unix_us: u64,
    /// For how long it was observed.
    pub span_ns: u64,
    /// Total time that it was full.
    pub full_ns: u64,
    /// Total time that it was empty.
    pub empty_ns: u64,
    /// Its mean size over time.
    pub mean_size: f64,
    /// The largest size.
    pub largest: u64,
    /// Times and new sizes, by time; only a sample if there are many changes.
    pub sizes: Vec<(u64, u64)>,
    /// The nodes that used it.
    pub actors: Vec<QueueActor>,
}

fn is_zero(n: &u32) -> bool {
    *n == 0
}

/// The activity of a session's worker threads while its queues were observed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Workers {
    /// Number of threads.
    pub threads: u32,
    /// Number of processor cores that they could use.
    pub cores: u32,
    /// For how long they were observed.
    pub span_ns: u64,
    /// Total time that they had work, summed over the threads.
    pub busy_ns: u64,
}

impl Workers {
    /// The fraction of the time that they had work, from 0 to 1.
    pub fn busy(&self) -> f64 {
        let all = self.span_ns as f64 * f64::from(self.threads);
        if all > 0.0 { (self.busy_ns as f64 / all).min(1.0) } else { 0.0 }
    }
}

/// A node's role at a queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum QueueAct {
    /// It puts elements into the queue.
    Put,
    /// It takes elements from the queue.
    Take,
    /// Something else, or unknown.
    #[default]
    Other,
}

/// A node's activity at a queue.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct QueueActor {
    /// Name of the node.
    pub node: String,
    /// Its op; empty if unknown.
    pub op: String,
    /// Its role.
    pub act: QueueAct,
    /// For a node of a queue runner's step, the node that the runner runs; empty for a node of callers' runs.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub runner: String,
    /// The number of threads of that runner; 0 for a node of callers' runs.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub runner_threads: u32,
    /// How often it acted.
    pub times: u64,
    /// How often it had to wait.
    pub waits: u64,
    /// Total waiting time, summed over concurrent runs of the node.
    pub total_ns: u64,
    /// The longest wait.
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

    /// How often and how long nodes with this role waited: actions, waits, nanoseconds.
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

//! Improves a placement by simulating alternatives: all of them for small graphs, moves of single groups for larger
//! ones.

use crate::problem::Problem;
use crate::simulate::{Simulation, estimate};
use std::time::{Duration, Instant};

/// The maximum number of placements that are enumerated; above it, moves are tried instead.
const MAX_EXHAUSTIVE: u64 = 1 << 20;
/// The maximum number of tasks simulated by the search over all its tries; keeps it within about a second.
const MAX_SIMULATED: u64 = 6_000_000;
/// The maximum number of tasks; simulating larger problems takes too long.
const MAX_TASKS: usize = 20_000;
/// The time limit.
const PATIENCE: Duration = Duration::from_millis(700);

/// The order of placements: less memory above the limits first, then a shorter step, then less memory.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub(crate) struct Score {
    excess: f64,
    makespan: f64,
    transfers: usize,
}

impl Score {
    fn of(problem: &Problem<'_>, simulation: &Simulation) -> Score {
        Score {
            excess: simulation.excess(problem),
            makespan: simulation.makespan,
            transfers: simulation.transfers.len(),
        }
    }

    pub(crate) fn fits(self) -> bool {
        self.excess <= 0.0
    }
}

/// The score of a placement of the groups.
pub(crate) fn score(problem: &Problem<'_>, of_group: &[u32]) -> Score {
    Score::of(problem, &estimate(problem, &problem.spread(of_group)))
}

/// The best placement found from these starts.
pub(crate) fn improve(problem: &Problem<'_>, starts: Vec<Vec<u32>>) -> (Vec<u32>, Score) {
    let mut best: Option<(Vec<u32>, Score)> = None;
    for start in starts {
        let score = score(problem, &start);
        if best.as_ref().is_none_or(|(_, s)| score < *s) {
            best = Some((start, score));
        }
    }
    let (start, score) = best.unwrap_or_else(|| (Vec::new(), Score { excess: 0.0, makespan: 0.0, transfers: 0 }));
    let free: Vec<usize> = (0..start.len()).filter(|&g| problem.candidates[g].len() > 1).collect();
    if free.is_empty() || problem.len() > MAX_TASKS {
        return (start, score);
    }
    let mut all = Exhaustive::new(problem, start, score, &free);
    let simulated = if free.len() <= 24 { all.run(0) } else { false };
    let Exhaustive { best, least, .. } = all;
    // If there were too many to enumerate, the search continues from the best one.
    if simulated { (best, least) } else { moves(problem, best, least, &free) }
}

/// Tries every placement that could be better; interchangeable devices are tried in one order only.
struct Exhaustive<'p, 'a> {
    problem: &'p Problem<'a>,
    free: &'p [usize],
    /// The first device that each device is interchangeable with.
    alike: Vec<u32>,
    /// Groups on each device so far.
    used: Vec<u32>,
    at: Vec<u32>,
    best: Vec<u32>,
    least: Score,
    budget: u64,
    /// The earliest possible end of each task; scratch space for [`Exhaustive::bound`].
    end: Vec<f64>,
    /// The time of each task on its fastest device, in nanoseconds.
    fastest: Vec<f64>,
}

impl<'p, 'a> Exhaustive<'p, 'a> {
    fn new(problem: &'p Problem<'a>, start: Vec<u32>, score: Score, free: &'p [usize]) -> Exhaustive<'p, 'a> {
        let devices = problem.cluster.len() as u32;
        let alike = (0..devices).map(|d| (0..d).find(|&e| are_alike(problem, e, d)).unwrap_or(d)).collect();
        let mut used = vec![0; devices as usize];
        for (g, &device) in start.iter().enumerate() {
            used[device as usize] += u32::from(problem.candidates[g].len() == 1);
        }
        let budget = MAX_EXHAUSTIVE.min(MAX_SIMULATED / problem.len().max(1) as u64);
        let mut at = start.clone();
        free.iter().for_each(|&g| at[g] = OPEN);
        let fastest = |t: u32| {
            let devices = problem.candidates[problem.group[t as usize] as usize].iter();
            devices.map(|&d| problem.nanos(t, d)).fold(f64::INFINITY, f64::min)
        };
        let fastest = (0..problem.len() as u32).map(fastest).collect();
        let end = vec![0.0; problem.len()];
        Exhaustive { problem, free, alike, used, at, best: start, least: score, budget, end, fastest }
    }

    /// Enumerates all placements of the groups from number `next` on; false if there were too many.
    fn run(&mut self, next: usize) -> bool {
        let Some(&group) = self.free.get(next) else {
            if self.budget == 0 {
                return false;
            }
            self.budget -= 1;
            let score = score(self.problem, &self.at);
            if score < self.least {
                self.best.clone_from(&self.at);
                self.least = score;
            }
            return true;
        };
        let problem = self.problem;
        if next > 0 && self.least.fits() && self.bound() > self.least.makespan {
            return true;
        }
        let mut tried: Vec<u32> = Vec::new();
        for &device in &problem.candidates[group] {
            // Of several empty interchangeable devices, one represents all.
            if self.used[device as usize] == 0 {
                let like = self.alike[device as usize];
                if tried.contains(&like) {
                    continue;
                }
                tried.push(like);
            }
            self.used[device as usize] += 1;
            self.at[group] = device;
            let done = self.run(next + 1);
            self.used[device as usize] -= 1;
            self.at[group] = OPEN;
            if !done {
                return false;
            }
        }
        true
    }
}

/// The device number of a group that has no device yet.
const OPEN: u32 = u32::MAX;

impl Exhaustive<'_, '_> {
    /// A lower bound for the step time of every completion of this partial placement, from the longest path and the
    /// work of each device.
    fn bound(&mut self) -> f64 {
        let problem = self.problem;
        let cluster = problem.cluster;
        let mut load = vec![0.0; cluster.len()];
        let mut bound = 0.0f64;
        for t in 0..problem.len() as u32 {
            let device = self.at[problem.group[t as usize] as usize];
            let mut start = 0.0f64;
            for e in problem.entering(t) {
                let from = self.at[problem.group[e.from as usize] as usize];
                let known = from != OPEN && device != OPEN && !cluster.link(from, device).is_shared_memory();
                let way = if known { problem.transfer(e, from, device) } else { 0.0 };
                start = start.max(self.end[e.from as usize] + way);
            }
            let nanos = match device {
                OPEN => self.fastest[t as usize],
                device => {
                    let nanos = problem.nanos(t, device);
                    load[device as usize] += nanos;
                    nanos
                }
            };
            self.end[t as usize] = start + nanos;
            bound = bound.max(self.end[t as usize]);
        }
        let own = |d: &usize| cluster.devices[*d].pool.is_none();
        let busiest = (0..cluster.len()).filter(own).map(|d| load[d]).fold(0.0, f64::max);
        // Rounding must not exclude a placement that is equally good.
        bound.max(busiest) * (1.0 - 1e-9)
    }
}

/// True for two interchangeable devices.
fn are_alike(problem: &Problem<'_>, a: u32, b: u32) -> bool {
    let cluster = problem.cluster;
    let (x, y) = (&cluster.devices[a as usize], &cluster.devices[b as usize]);
    let same = x.flops == y.flops
        && x.bandwidth == y.bandwidth
        && x.memory == y.memory
        && x.overhead_ns == y.overhead_ns
        && x.pool == y.pool;
    let others = (0..cluster.len() as u32).filter(|&d| d != a && d != b);
    same && cluster.link(a, b) == cluster.link(b, a)
        && others
            .into_iter()
            .all(|d| cluster.link(a, d) == cluster.link(b, d) && cluster.link(d, a) == cluster.link(d, b))
        && problem.candidates.iter().all(|c| c.contains(&a) == c.contains(&b))
}

/// Moves groups, expensive ones first, while that helps; then pairs of neighbours.
fn moves(problem: &Problem<'_>, start: Vec<u32>, score: Score, free: &[usize]) -> (Vec<u32>, Score) {
    let deadline = Instant::now() + PATIENCE;
    let mut budget = (MAX_SIMULATED / problem.len().max(1) as u64) as i64;
    let (mut best, mut least) = (start, score);
    let weight = |g: usize| -> f64 {
        let time = |&t: &u32| {
            problem.nanos(t, problem.candidates[g][0]) + problem.costs[t as usize].outputs.iter().sum::<f64>() * 1e-3
        };
        problem.members[g].iter().map(time).sum()
    };
    let mut order: Vec<(f64, usize)> = free.iter().map(|&g| (weight(g), g)).collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut changed = true;
    while changed {
        changed = false;
        for &(_, g) in &order {
            for &device in &problem.candidates[g] {
                if device == best[g] {
                    continue;
                }
                for partner in partners(problem, g) {
                    if budget <= 0 || Instant::now() > deadline {
                        return (best, least);
                    }
                    let mut at = best.clone();
                    at[g] = device;
                    if let Some(p) = partner.filter(|&p| problem.candidates[p].contains(&device)) {
                        at[p] = device;
                    } else if partner.is_some() {
                        continue;
                    }
                    budget -= 1;
                    let score = self::score(problem, &at);
                    if score < least {
                        (best, least) = (at, score);
                        changed = true;
                        break;
                    }
                }
            }
        }
    }
    (best, least)
}

/// `None`, and for small problems also the groups adjacent to this one.
fn partners(problem: &Problem<'_>, g: usize) -> Vec<Option<usize>> {
    let mut all = vec![None];
    if problem.candidates.len() <= 64 {
        for &task in &problem.members[g] {
            let near = problem.leaving(task).iter().map(|e| e.to).chain(problem.entering(task).map(|e| e.from));
            all.extend(near.map(|t| Some(problem.group[t as usize] as usize)).filter(|p| *p != Some(g)));
        }
        all.sort_unstable();
        all.dedup();
    }
    all
}

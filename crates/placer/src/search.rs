//! Improves a placement by simulating others: all of them for small graphs, moves of single groups for larger ones.

use crate::problem::Problem;
use crate::simulate::{Simulation, estimate};
use std::time::{Duration, Instant};

/// Placements that are simulated one by one before moves are tried instead.
const MAX_EXHAUSTIVE: u64 = 1 << 17;
/// Tasks simulated by the search, over all its tries; keeps it within about a second.
const MAX_SIMULATED: u64 = 6_000_000;
/// How long it may take in any case.
const PATIENCE: Duration = Duration::from_millis(700);

/// What is better: less above the memory limits, then a shorter step, then less memory.
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
    let mut count: u64 = 1;
    for &g in &free {
        count = count.saturating_mul(problem.candidates[g].len() as u64);
    }
    if free.is_empty() {
        (start, score)
    } else if count <= MAX_EXHAUSTIVE && count.saturating_mul(problem.len() as u64) <= MAX_SIMULATED {
        exhaustive(problem, start, score, &free)
    } else {
        moves(problem, start, score, &free)
    }
}

fn exhaustive(problem: &Problem<'_>, start: Vec<u32>, score: Score, free: &[usize]) -> (Vec<u32>, Score) {
    let (mut best, mut least) = (start.clone(), score);
    let mut digits = vec![0usize; free.len()];
    let mut at = start;
    loop {
        for (&g, &digit) in free.iter().zip(&digits) {
            at[g] = problem.candidates[g][digit];
        }
        let score = self::score(problem, &at);
        if score < least {
            (best, least) = (at.clone(), score);
        }
        let mut i = 0;
        loop {
            if i == free.len() {
                return (best, least);
            }
            digits[i] += 1;
            if digits[i] < problem.candidates[free[i]].len() {
                break;
            }
            digits[i] = 0;
            i += 1;
        }
    }
}

/// Moves groups, dear ones first, as long as that helps; then pairs of neighbours.
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

/// Nobody, and the groups next to this one, for small problems.
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

//! The cost model's placers, compared with every possible placement of small problems, and timed on a large one.

use levada_graph::NodeId;
use levada_placer::cost::NodeCosts;
use levada_placer::problem::{CONTROL, Edge};
use levada_placer::{Cluster, Placer, Problem, simulate, solve};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::available_parallelism;
use std::time::Instant;

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 8) % n
    }
}

fn cluster(kind: u64, memory_gb: &str) -> Cluster {
    let cpu = r#"{"type": "CPU", "gflops": 100, "memory_gbps": 20, "overhead_us": 0.04, "pool": "host", "threads": 2}"#;
    let text = match kind {
        0 => r#"{"devices": [{"type": "CPU", "count": 2, "gflops": 100, "memory_gbps": 20, "overhead_us": 0.04, "pool": "host",
                 "threads": 2}]}"#.to_owned(),
        1 => format!(
            r#"{{"devices": [{cpu}, {{"type": "GPU", "count": 2, "gflops": 10000, "memory_gbps": 1000, "memory_gb": {memory_gb}, "overhead_us": 5}}],
                "links": [{{"from": "/gpu:*", "to": "/gpu:*", "gbps": 300, "latency_us": 2}}, {{"from": "/cpu:*", "to": "/gpu:*", "gbps": 12, "latency_us": 10}}]}}"#
        ),
        _ => format!(
            r#"{{"devices": [{{"type": "GPU", "count": 3, "gflops": 5000, "memory_gbps": 500, "memory_gb": {memory_gb}, "overhead_us": 3}}],
                "links": [{{"from": "/gpu:*", "to": "/gpu:*", "gbps": 50, "latency_us": 5}}]}}"#
        ),
    };
    Cluster::read(&text).unwrap()
}

fn problem<'a>(cluster: &'a Cluster, random: &mut Random, tasks: usize) -> Problem<'a> {
    let mut edges = Vec::new();
    let mut costs = Vec::new();
    // Little work and large tensors, much work and small tensors, or a mixture.
    let (work, bytes) = [(1e6, 1e6), (1e4, 1e6), (1e7, 1e4), (1e5, 1e5)][random.below(4) as usize];
    for t in 0..tasks as u32 {
        let outputs = (0..1 + random.below(2)).map(|_| (1 + random.below(64)) as f64 * bytes).collect();
        costs.push(NodeCosts::given((1 + random.below(1000)) as f64 * work, outputs, random.below(3) as f64 * bytes));
        if t == 0 {
            continue;
        }
        for _ in 0..random.below(4) {
            let from = random.below(u64::from(t)) as u32;
            let n = costs[from as usize].outputs.len() as u64;
            let output = if random.below(6) == 0 { CONTROL } else { random.below(n) as u32 };
            edges.push(Edge { from, to: t, output });
        }
    }
    let devices: Vec<u32> = (0..cluster.len() as u32).collect();
    // Some tasks share a device, some are pinned to one.
    let mut group: Vec<u32> = Vec::new();
    let mut candidates: Vec<Vec<u32>> = Vec::new();
    for _ in 0..tasks {
        if random.below(8) == 0 && !candidates.is_empty() && tasks < 1_000 {
            group.push(random.below(candidates.len() as u64) as u32);
            continue;
        }
        group.push(candidates.len() as u32);
        candidates.push(match random.below(8) {
            0 => vec![random.below(cluster.len() as u64) as u32],
            _ => devices.clone(),
        });
    }
    let nodes = (0..tasks).map(NodeId::new).collect();
    Problem::new(cluster, nodes, costs, edges, group, candidates)
}

/// The shortest step among all placements that fit.
fn brute_force(problem: &Problem<'_>) -> Option<f64> {
    let mut best: Option<f64> = None;
    let mut digits = vec![0usize; problem.candidates.len()];
    loop {
        let at: Vec<u32> = digits.iter().zip(&problem.candidates).map(|(&d, c)| c[d]).collect();
        let simulation = simulate(problem, &problem.spread(&at));
        if simulation.fits(problem) {
            best = Some(best.map_or(simulation.makespan, |b| b.min(simulation.makespan)));
        }
        let mut i = 0;
        loop {
            if i == digits.len() {
                return best;
            }
            digits[i] += 1;
            if digits[i] < problem.candidates[i].len() {
                break;
            }
            digits[i] = 0;
            i += 1;
        }
    }
}

#[test]
fn small_problems_are_solved_within_a_tenth_of_the_best_and_never_over_a_limit() {
    let mut random = Random(0x5eed);
    // Exhaustive search is slow without optimization.
    let (rounds, most) = if cfg!(debug_assertions) { (90, [10, 6, 7]) } else { (600, [10, 10, 10]) };
    let clusters: Vec<[Cluster; 4]> =
        (0..3).map(|kind| ["0.05", "0.09", "0.2", "80"].map(|memory| cluster(kind, memory))).collect();
    let problems: Vec<Problem<'_>> = (0..rounds)
        .map(|round| {
            let kind = (round % 3) as usize;
            let cluster = &clusters[kind][random.below(4) as usize];
            let tasks = 2 + random.below(most[kind] - 1) as usize;
            problem(cluster, &mut random, tasks)
        })
        .collect();
    let (solved, refused) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let try_out = |round: usize, problem: &Problem<'_>| {
        let best = brute_force(problem);
        for placer in [Placer::Heft, Placer::MEtf, Placer::MSct] {
            match (solve(placer, problem), best) {
                (Ok(of_group), Some(best)) => {
                    let simulation = simulate(problem, &problem.spread(&of_group));
                    assert!(simulation.fits(problem), "round {round}, {placer}: over a limit");
                    assert!(
                        simulation.makespan <= best * 1.1 + 1.0,
                        "round {round}, {placer}: {} where {best} is possible",
                        simulation.makespan
                    );
                    solved.fetch_add(1, Ordering::Relaxed);
                }
                (Err(_), None) => _ = refused.fetch_add(1, Ordering::Relaxed),
                (Ok(_), None) => panic!("round {round}, {placer}: found what is not there"),
                (Err(_), Some(best)) => panic!("round {round}, {placer}: did not find the placement of {best} ns"),
            }
        }
    };
    let threads = available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for first in 0..threads {
            let (problems, try_out) = (&problems, &try_out);
            scope.spawn(move || {
                problems.iter().enumerate().skip(first).step_by(threads).for_each(|(round, p)| try_out(round, p));
            });
        }
    });
    let (solved, refused) = (solved.into_inner(), refused.into_inner());
    assert!(solved > 100, "{solved} solved, {refused} refused");
}

#[test]
fn ten_tasks_on_eight_devices_alike_are_tried_out() {
    let cluster = Cluster::read(
        r#"{"devices": [{"type": "GPU", "count": 8, "gflops": 5000, "memory_gbps": 500, "memory_gb": 1, "overhead_us": 3}],
            "links": [{"from": "/gpu:*", "to": "/gpu:*", "gbps": 50, "latency_us": 5}]}"#,
    )
    .unwrap();
    let problem = problem(&cluster, &mut Random(11), 10);
    let of_group = solve(Placer::Heft, &problem).unwrap_or_default();
    assert_eq!(of_group.len(), problem.candidates.len());
}

#[test]
fn a_large_graph_is_placed_quickly() {
    let cluster = cluster(2, "80000");
    let problem = problem(&cluster, &mut Random(3), 100_000);
    for placer in [Placer::Heft, Placer::MEtf, Placer::MSct] {
        let start = Instant::now();
        let list = match placer {
            Placer::Heft => levada_placer::schedule::heft(&problem, true),
            Placer::MEtf => levada_placer::schedule::etf(&problem, true),
            _ => levada_placer::schedule::sct(&problem, true),
        };
        assert_eq!(list.len(), 100_000);
        println!("{placer}: {:?}", start.elapsed());
    }
}

#[test]
fn clusters_that_are_wrong_are_refused() {
    for text in [
        "",
        "{}",
        r#"{"devices": []}"#,
        r#"{"devices": [{"type": "GPU", "gflops": -1, "memory_gbps": 1}]}"#,
        r#"{"devices": [{"type": "GPU", "gflops": 1, "memory_gbps": 1, "count": 0}]}"#,
        r#"{"devices": [{"type": "GPU", "gflops": 1, "memory_gbps": 1, "speed": 3}]}"#,
        r#"{"devices": [{"type": "GPU", "gflops": 1, "memory_gbps": 1}], "links": [{"from": "x", "to": "y", "latency_us": 1}]}"#,
    ] {
        let error = Cluster::read(text).unwrap_err();
        assert_eq!(error.code(), levada_graph::Code::InvalidArgument, "{text}");
    }
}

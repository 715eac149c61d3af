//! Placement by a cost model: a list scheduler's result, improved in the simulator, within the memory limits.

use crate::cluster::Cluster;
use crate::cost::Costs;
use crate::first_fit::{NOWHERE, Placement, Rule, first_fit};
use crate::groups::{Groups, Refusal, Request};
use crate::problem::{CONTROL, Problem};
use crate::schedule::{etf, heft, sct};
use crate::search::improve;
use crate::simulate::{Simulation, simulate};
use levada_graph::{Error, Graph, NodeId, Result};
use std::fmt;
use std::str::FromStr;

/// How to choose among devices when the graph allows several.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Placer {
    /// TensorFlow's rule: the first that fits.
    #[default]
    FirstFit,
    /// Heterogeneous earliest finish time.
    Heft,
    /// Earliest task first, with memory limits.
    MEtf,
    /// Small communication times, with memory limits.
    MSct,
}

impl Placer {
    /// All of them.
    pub const ALL: [Placer; 4] = [Placer::FirstFit, Placer::Heft, Placer::MEtf, Placer::MSct];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Placer::FirstFit => "first-fit",
            Placer::Heft => "heft",
            Placer::MEtf => "m-etf",
            Placer::MSct => "m-sct",
        }
    }
}

impl fmt::Display for Placer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Placer {
    type Err = String;

    fn from_str(text: &str) -> Result<Placer, String> {
        let lower = text.to_ascii_lowercase();
        Placer::ALL
            .into_iter()
            .find(|p| p.name() == lower)
            .ok_or_else(|| format!("unknown placer {text:?}; use first-fit, heft, m-ETF or m-SCT"))
    }
}

/// A placement and its simulated cost.
pub struct Placed {
    /// Where every node goes.
    pub placement: Placement,
    /// Nodes that share a device.
    pub groups: Groups,
    /// The simulated step; `None` if the placer did not simulate.
    pub simulation: Option<Simulation>,
}

/// Places a graph. The cost model's placers stay within the memory limits; first-fit does not look at them.
///
/// # Errors
/// As [`first_fit`], and `RESOURCE_EXHAUSTED` if a cost-model placer finds no placement that fits, with the tensors
/// that are alive at the peak.
pub fn place_by(placer: Placer, request: &Request<'_>, cluster: &Cluster, costs: &Costs) -> Result<Placed, Refusal> {
    if placer == Placer::FirstFit {
        let (placement, groups) = first_fit(request)?;
        return Ok(Placed { placement, groups, simulation: None });
    }
    let (problem, groups) = Problem::of_graph(request, cluster, costs)?;
    solved(placer, request, &problem, groups)
}

/// Same as [`place_by`], for a step that runs only these nodes, which are in topological order: a cost model considers
/// only these, and other nodes get no device.
///
/// # Errors
/// The errors of [`place_by`].
pub fn place_step(
    placer: Placer,
    request: &Request<'_>,
    cluster: &Cluster,
    costs: &Costs,
    nodes: &[NodeId],
) -> Result<Placed, Refusal> {
    if placer == Placer::FirstFit {
        let (whole, groups) = first_fit(request)?;
        let mut placement = nothing_placed(request.graph);
        for id in nodes.iter().map(|id| id.index()) {
            (placement.device[id], placement.rule[id]) = (whole.device[id], whole.rule[id]);
        }
        return Ok(Placed { placement, groups, simulation: None });
    }
    let (problem, groups) = Problem::of_step(request, cluster, costs, nodes.to_vec())?;
    solved(placer, request, &problem, groups)
}

fn nothing_placed(graph: &Graph) -> Placement {
    Placement { device: vec![NOWHERE; graph.len()], rule: vec![None; graph.len()] }
}

/// The placement that a cost-model placer finds for a problem.
fn solved(placer: Placer, request: &Request<'_>, problem: &Problem<'_>, groups: Groups) -> Result<Placed, Refusal> {
    let of_group = solve(placer, problem)
        .map_err(|simulation| Refusal { error: too_large(request.graph, problem, &simulation), nodes: Vec::new() })?;
    let device = problem.spread(&of_group);
    let mut placement = nothing_placed(request.graph);
    for (task, id) in problem.nodes.iter().enumerate() {
        placement.device[id.index()] = device[task];
        let group = problem.group[task] as usize;
        let first = problem.nodes[problem.members[group][0] as usize];
        let own = Rule::Cost(problem.candidates[group].len() as u32);
        placement.rule[id.index()] = Some(if first == *id { own } else { Rule::Group(first) });
    }
    let simulation = simulate(problem, &device);
    Ok(Placed { placement, groups, simulation: Some(simulation) })
}

impl Placed {
    /// The simulated step; runs the simulation if the placer did not.
    pub fn simulated(&mut self, problem: &Problem<'_>) -> &Simulation {
        let device = &self.placement.device;
        self.simulation.get_or_insert_with(|| {
            let of_task: Vec<u32> = problem.nodes.iter().map(|id| device[id.index()]).collect();
            simulate(problem, &of_task)
        })
    }
}

/// The device of every group.
///
/// # Errors
/// The simulation of the placement closest to fitting, if none fits.
pub fn solve(placer: Placer, problem: &Problem<'_>) -> Result<Vec<u32>, Box<Simulation>> {
    let list = match placer {
        Placer::FirstFit | Placer::Heft => heft,
        Placer::MEtf => etf,
        Placer::MSct => sct,
    };
    let limited = problem.cluster.devices.iter().any(|d| d.memory.is_finite());
    let mut starts = vec![list(problem, placer != Placer::Heft && limited)];
    // For graphs that simulate quickly, the results of the other placers and each single device are starting points
    // too.
    if problem.len() <= 2_000 {
        starts.extend([heft(problem, false), etf(problem, false), sct(problem, false)]);
        for device in 0..problem.cluster.len() as u32 {
            let all = problem.candidates.iter().map(|c| if c.contains(&device) { device } else { c[0] });
            starts.push(all.collect());
        }
    }
    if limited {
        starts.push(list(problem, true));
    }
    let (best, score) = improve(problem, starts);
    if score.fits() {
        return Ok(best);
    }
    let simulation = simulate(problem, &problem.spread(&best));
    Err(Box::new(simulation))
}

/// The maximum number of tensors to name if a graph does not fit; smaller ones are only counted.
const MOST_NAMED: usize = 100;

/// The error for a graph that does not fit: lists the tensors alive at the peak.
fn too_large(graph: &Graph, problem: &Problem<'_>, simulation: &Simulation) -> Error {
    let cluster = problem.cluster;
    let over = |d: usize| simulation.peak[d] - cluster.devices[d].memory;
    let worst = (0..cluster.len()).max_by(|&a, &b| over(a).total_cmp(&over(b))).unwrap_or(0);
    let name = &cluster.targets.get(worst as u32).text;
    let all = &simulation.at_peak[worst];
    let alive = all.iter().take(MOST_NAMED).map(|&(task, output, bytes)| {
        let node = &graph.node(problem.nodes[task as usize]).name;
        match output {
            CONTROL => format!("{node} ({bytes} bytes, kept from step to step)"),
            output => format!("{node}:{output} ({bytes} bytes)"),
        }
    });
    let rest = match all.get(MOST_NAMED..) {
        None | Some([]) => String::new(),
        Some(rest) => {
            let bytes: f64 = rest.iter().map(|t| t.2).sum();
            format!(" and {} smaller ones ({bytes} bytes)", rest.len())
        }
    };
    Error::resource_exhausted(format!(
        "the graph does not fit: {name} would need {} bytes at the same time",
        simulation.peak[worst]
    ))
    .expected(format!("at most {} bytes", cluster.devices[worst].memory))
    .found(format!("alive at the peak: {}", alive.collect::<Vec<_>>().join(", ") + &rest))
    .help("use more or larger devices, or smaller batches")
}

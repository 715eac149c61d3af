//! Where the nodes of a session's graph are, why, and their estimated costs.

use levada::graph::graph::Node;
use levada::placer::{Cluster, Placer, Request, conflicts, place_by, refusal_error, report};
use levada::{Error, Graph};
use serde_json::json;

/// A placement as JSON, as a table and as a picture.
pub(crate) type Shown = (String, String, String);

/// The placement of the session's graph.
///
/// # Errors
/// As when the session places it.
pub(crate) fn placement(
    session: &levada::session::Session,
    graph: &Graph,
    placer: Placer,
    soft: bool,
) -> levada::Result<Shown> {
    let devices = session.devices();
    let cluster = Cluster::of(devices, session.env().pool.threads())?;
    let targets = &cluster.targets;
    let supports = |node: &Node| targets.supporting(devices, node);
    let default = devices.iter().position(|d| d.kind() == "CPU").unwrap_or(0) as u32;
    let request = Request { graph, targets, supports: &supports, soft, default };
    let costs = levada::session::estimate(graph, devices);
    let placed = place_by(placer, &request, &cluster, &costs).map_err(|refusal| match refusal.nodes.is_empty() {
        true => refusal.error,
        false => refusal_error(&request, refusal.error, &conflicts(&request)),
    })?;
    let nodes: Vec<serde_json::Value> = graph
        .ids()
        .map(|id| {
            let device = placed.placement.device[id.index()];
            let cost = costs.of(id);
            let mut node =
                serde_json::to_value(levada::placer::explain(&request, &placed.placement, &placed.groups, id))
                    .map_err(|e| Error::internal(format!("an explanation cannot be written: {e}")))?;
            node["cost"] = json!({
                "estimated_ns": cost.nanos(&cluster, device),
                "output_bytes": cost.outputs,
                "resident_bytes": cost.resident,
            });
            Ok(node)
        })
        .collect::<levada::Result<_>>()?;
    let all = json!({ "placer": placer.name(), "nodes": nodes });
    Ok((all.to_string(), report::placement_table(&request, &placed), report::svg(&request, &placed.placement)))
}

//! A graph on two devices: where its nodes are placed, why, and what is transferred between the two.
//!
//! ```text
//! cargo run --example devices -p levada
//! ```

use levada::placer::{self, Cluster, Request};
use levada::{Builder, DType, Ops, Result, RunOptions, Session, SessionOptions, Tensor};

/// Runs the example; tests call it too.
pub fn main() -> Result<()> {
    let mut b = Builder::new(levada::registry());
    let o = Ops::new(&mut b);
    let x = o.placeholder(DType::F32).shape([-1]).name("x").add();
    let doubled = o.add_v2(x, x).name("doubled").device("/cpu:0").add();
    let squared = o.square(x).name("squared").device("/cpu:1").add();
    o.sub(squared, doubled).name("difference").device("/cpu:1").add();
    let graph = b.finish()?;

    // Two CPU devices, which share the threads. `gpus: 1` would ask for a GPU; `levada::gpus::backends()` lists those
    // available and, for a backend without any, the reason.
    let options = SessionOptions { cpus: 2, threads: 2, ..SessionOptions::default() };
    let devices = levada::devices(&options);

    // A session does this internally; doing it by hand exposes the reasons.
    let cluster = Cluster::of(&devices, 2)?;
    let supports = |node: &levada::graph::graph::Node| cluster.targets.supporting(&devices, node);
    let request = Request { graph: &graph, targets: &cluster.targets, supports: &supports, soft: false, default: 0 };
    let (placement, groups) = placer::first_fit(&request).map_err(|refusal| refusal.error)?;
    for id in graph.ids() {
        let why = placer::explain(&request, &placement, &groups, id);
        println!("{:12} {}\n             {}", why.node, why.device, why.because.join("; "));
    }

    // A trace shows where nodes ran. A value that is needed on another device passes through `_Send` and `_Recv`.
    let session = Session::with_devices(graph, devices, options)?;
    let traced = RunOptions { trace: true, ..RunOptions::default() };
    let feeds = [("x", Tensor::vector(vec![1f32, 2.0, 3.0]))];
    let (fetched, metadata) = session.run_with(&traced, &feeds, &["difference"], &[])?;
    println!("\ndifference = {}\n", fetched[0]);
    assert_eq!(fetched[0].slice::<f32>()?, [-1.0, 0.0, 3.0]);
    let trace = metadata.trace.expect("the options ask for it");
    for event in &trace.events {
        println!("{:24} {:12} {}", event.node, event.op, event.device);
    }
    assert!(trace.events.iter().any(|event| event.device.ends_with("CPU:1")));
    Ok(())
}

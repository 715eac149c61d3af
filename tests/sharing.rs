//! Branches whose first nodes are cheap run in parallel.

use levada::{Builder, DType, RunOptions, Session, SessionOptions, Tensor};
use std::collections::HashSet;

/// Each branch adds, fills and converts: only the first of its nodes is cheap.
fn branch(b: &mut Builder, name: &str, size: levada::Output, more: i32) {
    let more = b.constant(Tensor::scalar(more));
    let value = b.node("AddV2").name(&format!("{name}/add")).inputs([size, more]).add();
    let dims = b.constant(Tensor::vector(vec![200i32, 200]));
    let filled = b.node("Fill").name(&format!("{name}/fill")).inputs([dims, value]).add();
    let texts = b.node("AsString").name(&format!("{name}/text")).input(filled).add();
    b.node("Size").name(name).input(texts).attr("out_type", DType::I32).add();
}

#[test]
fn two_branches_use_two_workers_in_most_steps() {
    const STEPS: usize = 40;
    let mut b = Builder::new(levada::registry());
    let size = b.placeholder("size", DType::I32, levada::PartialShape::scalar());
    branch(&mut b, "left", size, 1);
    branch(&mut b, "right", size, 2);
    let session =
        Session::new(b.finish().unwrap(), SessionOptions { threads: 2, ..SessionOptions::default() }).unwrap();
    let mut apart = 0;
    for _ in 0..STEPS {
        let options = RunOptions { trace: true, ..RunOptions::default() };
        let feeds = [("size", Tensor::scalar(7i32))];
        let (values, metadata) = session.run_with(&options, &feeds, &["left", "right"], &[]).unwrap();
        assert_eq!(values[0].slice::<i32>().unwrap(), [40_000]);
        let trace = metadata.trace.unwrap();
        let workers: HashSet<u32> =
            trace.events.iter().filter(|e| e.node.ends_with("/text")).map(|e| e.worker).collect();
        apart += usize::from(workers.len() == 2);
    }
    assert!(apart > STEPS / 2, "in {apart} of {STEPS} steps");
}

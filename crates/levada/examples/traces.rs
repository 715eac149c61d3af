//! The order and the worker on which nodes ran, where a step spent its time, and a file for Perfetto.
//!
//! ```text
//! cargo run --example traces -p levada
//! ```

use levada::trace::{Trace, check, file, report};
use levada::{Builder, DType, Error, Ops, Result, RunOptions, Session, SessionOptions, Tensor};
use ndarray::Array2;

/// Runs the example; tests call it too.
pub fn main() -> Result<()> {
    let mut b = Builder::new(levada::registry());
    let o = Ops::new(&mut b);
    let x = o.placeholder(DType::F32).shape([64, 64]).name("x").add();
    let products: Vec<_> =
        (0..4).map(|i| o.mat_mul(x, x).name(&format!("product_{i}")).transpose_b(i > 1).add()).collect();
    let sum = o.add_n(&products).name("sum").add();
    o.softmax(sum).name("shares").add();

    // `plain` keeps nodes as the graph has them: otherwise the identical products would be merged.
    let options = SessionOptions { threads: 2, plain: true, ..SessionOptions::default() };
    let session = Session::new(b.finish()?, options)?;
    let traced = RunOptions { trace: true, ..RunOptions::default() };
    let feeds = [("x", Tensor::from(Array2::<f32>::eye(64)))];
    let mut steps = Vec::new();
    for _ in 0..3 {
        steps.extend(session.run_with(&traced, &feeds, &["shares"], &[])?.1.trace);
    }

    let last = &steps[2];
    println!("{}", report::order(last));
    println!("{}", report::critical_path_table(&report::critical_path(last)));
    println!("{}", report::by_op_table(&steps));

    // No node began before its inputs had ended.
    let nodes: Vec<_> = last.events.iter().map(|event| event.node.clone()).collect();
    check(last, &nodes, &last.edges).expect("a step keeps to its graph");

    // One file that Perfetto and chrome://tracing open, and that `levada trace` reads.
    let path = std::env::temp_dir().join(format!("levada-{}.trace.json", std::process::id()));
    let text = file::write(&Trace { steps, ..Trace::default() });
    std::fs::write(&path, &text).map_err(|e| Error::not_found(format!("{}: {e}", path.display())))?;
    println!("{} bytes written to {}", text.len(), path.display());
    Ok(())
}

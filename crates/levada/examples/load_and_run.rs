//! Loads a graph, feeds it, fetches from it.
//!
//! ```text
//! cargo run --example load_and_run -p levada
//! ```

use levada::{Result, Session, SessionOptions, Tensor, graph::read};

/// The short form for people. `read::file` takes it, the output of `MessageToJson(graph.as_graph_def())`, and binary
/// files.
const GRAPH: &str = r#"{"node": [
    {"name": "x", "op": "Placeholder", "attr": {"dtype": "float32", "shape": [null, 2]}},
    {"name": "w", "op": "Const", "attr": {"dtype": "float32", "value": [[1, 2], [3, 4]]}},
    {"name": "y", "op": "MatMul", "input": ["x", "w"]},
    {"name": "best", "op": "TopKV2", "input": ["y", "k"]},
    {"name": "k", "op": "Const", "attr": {"dtype": "int32", "value": 1}}]}"#;

/// Runs the example; tests call it too.
pub fn main() -> Result<()> {
    let graph = read::json(GRAPH.as_bytes(), &levada::registry())?;
    println!("{} nodes", graph.len());

    let session = Session::new(graph, SessionOptions::default())?;
    let x = Tensor::from(ndarray::array![[1f32, 1.0], [2.0, 0.0]]);

    // Endpoints are `node`, or `node:1` for an output other than the first. A node whose outputs are all fetched runs
    // once.
    let fetched = session.run(&[("x", x.clone())], &["y", "best", "best:1"], &[])?;
    println!("y      = {}", fetched[0]);
    println!("best   = {}", fetched[1]);
    println!("best:1 = {}", fetched[2]);
    assert_eq!(fetched[0].slice::<f32>()?, [4.0, 6.0, 2.0, 4.0]);
    assert_eq!(fetched[2].slice::<i32>()?, [1, 1]);

    // Any endpoint may be fed. The nodes that it would have been computed from do not run then.
    let fetched = session.run(&[("y", Tensor::from(ndarray::array![[3f32, 1.0]]))], &["best"], &[])?;
    assert_eq!(fetched[0].slice::<f32>()?, [3.0]);

    // Errors say where the fault is.
    let error = session.run(&[("x", Tensor::scalar(1i32))], &["y"], &[]).unwrap_err();
    println!("\n{error}");
    Ok(())
}

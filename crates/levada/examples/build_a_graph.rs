//! Builds a graph with a method for every op, runs it and writes it to a file that TensorFlow reads.
//!
//! ```text
//! cargo run --example build_a_graph -p levada
//! ```

use levada::{Builder, DType, Ops, Result, Session, SessionOptions, Tensor, graph::write};
use ndarray::{Array2, Array4};

/// Runs the example; tests call it too.
pub fn main() -> Result<()> {
    let mut b = Builder::new(levada::registry());
    let o = Ops::new(&mut b);

    // Inputs and required attrs are arguments, everything else has setters; `add` makes a node of a description.
    let images = o.placeholder(DType::F32).shape([-1, 4, 4, 1]).name("images").add();

    // Names within a scope start with its name. An input may be a description itself or a tensor, which becomes a
    // `Const`.
    let features = o.scope("layer", |o| {
        let filter = Array4::from_elem((3, 3, 1, 2), 0.5f32);
        o.relu(o.conv2d(images, Tensor::from(filter), &[1, 1, 1, 1], "SAME")).name("features").add()
    });
    let flat = o.reshape(features, Tensor::vector(vec![-1i32, 32])).add();
    let logits = o.mat_mul(flat, Tensor::from(Array2::<f32>::eye(32))).name("logits").add();

    // Multiple outputs have names; list outputs are vectors.
    let best = o.top_k_v2(logits, Tensor::scalar(3i32)).name("best").add();
    o.identity(best.indices).name("where").add();
    let halves = o.split(Tensor::scalar(1i32), logits, 2).name("halves").add();
    o.add_n(halves).name("sum").add();

    // A mistake does not interrupt building; `finish` reports all of them.
    let graph = b.finish()?;
    let json = write::json(&graph.to_def())?;
    println!("{} nodes, {} bytes of JSON", graph.len(), json.len());

    let session = Session::new(graph, SessionOptions::default())?;
    let image = Array4::from_shape_fn((1, 4, 4, 1), |(_, row, column, _)| (row * 4 + column) as f32);
    let fetched = session.run(&[("images", Tensor::from(image))], &["best", "where", "sum"], &[])?;
    println!("best  = {}\nwhere = {}\nsum   = {}", fetched[0], fetched[1], fetched[2]);
    assert_eq!(fetched[0].slice::<f32>()?, [45.0, 45.0, 40.5]);
    assert_eq!(fetched[2].shape().dims(), [1, 16]);

    // The error of a faulty graph names each mistake and how to fix it.
    let mut b = Builder::new(levada::registry());
    let o = Ops::new(&mut b);
    let x = o.placeholder(DType::F32).name("x").add();
    o.mat_mul(x, Tensor::scalar(1i32)).name("product").add();
    o.conv2d(x, x, &[1, 1, 1, 1], "FULL").name("images").add();
    println!("\n{}", b.finish().unwrap_err());
    Ok(())
}

//! A session whose graph grows: nodes are added to a graph that has already run, and variables keep their values.
//!
//! ```text
//! cargo run --example grow -p levada
//! ```

use levada::{Builder, Ops, Result, Session, SessionOptions, Tensor, train};

/// Runs the example; tests call it too.
pub fn main() -> Result<()> {
    let mut b = Builder::new(levada::registry());
    let zero = b.constant(Tensor::scalar(0i64));
    let counter = train::variable(&mut b, "counter", zero);
    let one = b.constant(Tensor::scalar(1i64));
    let count = counter.assign_add(&mut b, one);
    let (count, value) = (b.node_name(count), b.name(counter.value));
    let init = train::global_variables_initializer(&mut b);
    let init = b.node_name(init);

    let session = Session::new(b.finish()?, SessionOptions::default())?;
    session.run(&[], &[], &[&init])?;
    for _ in 0..3 {
        session.run(&[], &[], &[&count])?;
    }
    println!("{} nodes, counted to {}", session.graph().len(), session.run(&[], &[&value], &[])?[0]);

    // Runs in progress continue with the graph that they have; runs that begin later see the new nodes.
    session.grow(|graph, _| {
        let mut b = Builder::on(graph.clone(), levada::registry());
        let counter = b.find(&value)?;
        let o = Ops::new(&mut b);
        o.mul(counter, counter).name("square").add();
        b.finish()
    })?;
    let square: i64 = session.run(&[], &["square"], &[])?[0].item()?;
    println!("{} nodes, the square is {square}", session.graph().len());
    assert_eq!(square, 9);
    Ok(())
}

//! Learns a line from noisy points: variables, a loss, its gradients and an optimizer, all nodes of one graph.
//!
//! ```text
//! cargo run --example train -p levada
//! ```

use levada::train::{self, Minimize, Optimizer};
use levada::{Builder, CallableOptions, DType, Ops, Result, Session, SessionOptions, Tensor};
use ndarray::Array1;

/// Runs the example; tests call it too.
pub fn main() -> Result<()> {
    let mut b = Builder::new(levada::registry());
    let zero = b.constant(Tensor::scalar(0f32));
    let slope = train::variable(&mut b, "slope", zero);
    let offset = train::variable(&mut b, "offset", zero);

    let o = Ops::new(&mut b);
    let x = o.placeholder(DType::F32).shape([-1]).name("x").add();
    let y = o.placeholder(DType::F32).shape([-1]).name("y").add();
    let line = o.add_v2(o.mul(x, slope.value), offset.value).name("line").add();
    let loss = o.mean(o.squared_difference(line, y), Tensor::scalar(0i32)).name("loss").add();

    // Adds the gradients and the optimizer's slots and updates; a training step runs this node.
    let step = train::global_step(&mut b);
    let options = Minimize { global_step: Some(step), name: "train_op".to_owned(), ..Minimize::default() };
    train::minimize(&mut b, loss, &Optimizer::adam(0.1), &options)?;
    let init = train::global_variables_initializer(&mut b);
    let init = b.node_name(init);
    let learned = [slope.value, offset.value, step.value].map(|value| b.name(value));

    let session = Session::new(b.finish()?, SessionOptions::default())?;
    session.run(&[], &[], &[&init])?;

    // A step that runs often is prepared once.
    let steps = session.callable(&CallableOptions::new(["x", "y"], ["loss"], ["train_op"]))?;
    let x = Array1::linspace(-1f32, 1.0, 64);
    let y = x.mapv(|x| 3.0 * x - 0.5 + 0.05 * (40.0 * x).sin());
    let points = [Tensor::from(x), Tensor::from(y)];
    for step in 0..=200 {
        let loss: f32 = steps.run(&points)?[0].item()?;
        if step % 50 == 0 {
            println!("step {step:3}: loss {loss:.5}");
        }
    }

    let learned = session.run(&[], &learned.each_ref().map(String::as_str), &[])?;
    let (slope, offset): (f32, f32) = (learned[0].item()?, learned[1].item()?);
    println!("y = {slope:.3} x + {offset:.3} after {} steps", learned[2].item::<i64>()?);
    assert!((slope - 3.0).abs() < 0.05 && (offset + 0.5).abs() < 0.05);
    Ok(())
}

//! Graph transformations: [`quantize()`] computes layers in 8-bit integers, [`batch`] makes a graph process a
//! batch of examples.

pub use levada_transform::{Batched, Feeds, Options, Quantized, Ranges, Refused, quantize};

use crate::{Graph, Result, registry};

/// Batches a graph for one example: in the result `inputs` have a leading axis for the examples, and so has every value
/// that depends on them. All values that can be batched keep their names; [`Batched::refused`] lists the others.
///
/// ```
/// use levada::{Builder, DType, Ops, Session, SessionOptions, Tensor, transform};
///
/// // The sum of the squares of three numbers.
/// let mut b = Builder::new(levada::registry());
/// let o = Ops::new(&mut b);
/// let x = o.placeholder(DType::F32).shape(levada::Shape::new([3])?).name("x").add();
/// let square = o.square(x).add();
/// o.sum(square, Tensor::vector(vec![0i32])).name("sum").add();
/// let graph = b.finish()?;
///
/// let batched = transform::batch(&graph, &["x"])?;
/// assert!(batched.varies("sum"));
/// let session = Session::new(batched.graph, SessionOptions::default())?;
/// let x = Tensor::vector(vec![3f32, 4.0, 0.0, 0.0, 0.0, 2.0]).reshaped(levada::Shape::new([2, 3])?)?;
/// assert_eq!(session.run(&[("x", x)], &["sum"], &[])?[0].slice::<f32>()?, [25.0, 4.0]);
/// # Ok::<(), levada::Error>(())
/// ```
///
/// # Errors
/// As [`levada_transform::batch()`].
pub fn batch(graph: &Graph, inputs: &[&str]) -> Result<Batched> {
    batch_for(graph, inputs, &[])
}

/// As [`batch`], for some fetches only.
///
/// # Errors
/// As [`levada_transform::batch()`].
pub fn batch_for(graph: &Graph, inputs: &[&str], fetches: &[&str]) -> Result<Batched> {
    levada_transform::batch(graph, &registry(), inputs, fetches)
}

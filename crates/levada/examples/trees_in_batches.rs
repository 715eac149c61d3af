//! A recursive network over trees of different shapes, one at a time and in batches that run level by level.
//!
//! ```text
//! cargo run --release --example trees_in_batches -p levada
//! ```

use levada::graph::read;
use levada::transform::batch_for;
use levada::{Result, Session, SessionOptions, Tensor};
use std::path::Path;
use std::time::{Duration, Instant};

/// Trees in three arrays, as `graphs/tree` takes them: the children of each node (-1 at leaves) and the words of
/// leaves.
#[derive(Default)]
pub struct Forest {
    left: Vec<i32>,
    right: Vec<i32>,
    token: Vec<i32>,
    /// The root of each tree, which is its last node.
    pub roots: Vec<i32>,
    /// State of the linear congruential generator that determines their shapes.
    state: u64,
}

impl Forest {
    /// `trees` trees with at most `leaves` leaves each.
    pub fn of(trees: usize, leaves: u64) -> Forest {
        let mut forest = Forest { state: 1847, ..Forest::default() };
        for _ in 0..trees {
            let leaves = 1 + forest.random(leaves);
            let root = forest.grow(leaves);
            forest.roots.push(root);
        }
        forest
    }

    fn random(&mut self, below: u64) -> u64 {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) % below
    }

    fn grow(&mut self, leaves: u64) -> i32 {
        let node = if leaves == 1 {
            [-1, -1, self.random(4) as i32]
        } else {
            let left = 1 + self.random(leaves - 1);
            [self.grow(left), self.grow(leaves - left), -1]
        };
        for (array, value) in [&mut self.left, &mut self.right, &mut self.token].into_iter().zip(node) {
            array.push(value);
        }
        self.left.len() as i32 - 1
    }

    /// The feeds.
    pub fn arrays(&self) -> [(&'static str, Tensor); 3] {
        [("left", &self.left), ("right", &self.right), ("token", &self.token)]
            .map(|(name, array)| (name, Tensor::vector(array.clone())))
    }

    fn nodes(&self) -> usize {
        self.left.len()
    }
}

/// Runs the example; tests call it too.
pub fn main() -> Result<()> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../graphs/tree/infer.json");
    let graph = read::file(&path, &levada::registry())?;
    // The root of the tree becomes the input with one value per example; the arrays hold all trees.
    let batched = batch_for(&graph, &["sub"], &["probability"])?;
    let options = || SessionOptions { threads: 1, ..SessionOptions::default() };
    let (single, session) = (Session::new(graph, options())?, Session::new(batched.graph, options())?);
    println!("trees  nodes  one by one  in a batch  gain");
    for trees in [1, 4, 16, 64, 256] {
        let forest = Forest::of(trees, 24);
        let feeds = |root: Tensor| [&forest.arrays()[..], &[("sub", root)]].concat();
        let one_by_one = || -> Result<Vec<f32>> {
            let run = |&root: &i32| single.run(&feeds(Tensor::scalar(root)), &["probability"], &[])?[0].item();
            forest.roots.iter().map(run).collect()
        };
        let together = || -> Result<Vec<f32>> {
            let out = session.run(&feeds(Tensor::vector(forest.roots.clone())), &["probability"], &[])?;
            Ok(out[0].slice::<f32>()?.to_vec())
        };
        let pairs = one_by_one()?.into_iter().zip(together()?);
        assert!(pairs.into_iter().all(|(a, b)| (a - b).abs() < 1e-5), "a batch gives what its trees give");
        let (a, b) = (fastest(one_by_one)?, fastest(together)?);
        let gain = a.as_secs_f64() / b.as_secs_f64();
        println!("{trees:5}  {:5}  {a:>10.2?}  {b:>10.2?}  {gain:4.1}", forest.nodes());
    }
    Ok(())
}

/// The time of the fastest of some runs.
fn fastest(run: impl Fn() -> Result<Vec<f32>>) -> Result<Duration> {
    let mut best = Duration::MAX;
    for _ in 0..5 {
        let begin = Instant::now();
        run()?;
        best = best.min(begin.elapsed());
    }
    Ok(best)
}

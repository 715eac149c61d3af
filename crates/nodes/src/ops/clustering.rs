// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops of the family `clustering`.

use crate::node::{Input, Node, Ops, common, one_output};
use levada_builder::Output;

impl Ops<'_> {
    /// Draws the index of a point from a chain of Markov, the likelier the greater its distance in `distances`.
    ///
    /// - `distances`: a tensor of float32
    /// - `seed`: a tensor of int64
    ///
    /// It has no gradient.
    pub fn kmc2_chain_initialization(&self, distances: impl Input, seed: impl Input) -> KMC2ChainInitialization<'_> {
        KMC2ChainInitialization(Node::new(self, "KMC2ChainInitialization").input(distances).input(seed))
    }

    /// Draws `num_to_sample` points, each the likelier the greater its squared distance from the nearest one drawn before. Of `num_retries_per_sample` and one more tries it takes the best; of a few where that is negative.
    ///
    /// - `points`: a tensor of float32
    /// - `num_to_sample`: a tensor of int64
    /// - `seed`: a tensor of int64
    /// - `num_retries_per_sample`: a tensor of int64
    ///
    /// It has no gradient.
    pub fn kmeans_plus_plus_initialization(&self, points: impl Input, num_to_sample: impl Input, seed: impl Input, num_retries_per_sample: impl Input) -> KmeansPlusPlusInitialization<'_> {
        KmeansPlusPlusInitialization(Node::new(self, "KmeansPlusPlusInitialization").input(points).input(num_to_sample).input(seed).input(num_retries_per_sample))
    }

    /// For each point its `k` nearest centres, the nearest first, and their squared distances.
    ///
    /// - `points`: a tensor of float32
    /// - `centers`: a tensor of float32
    /// - `k`: a tensor of int64
    ///
    /// It has no gradient.
    pub fn nearest_neighbors(&self, points: impl Input, centers: impl Input, k: impl Input) -> NearestNeighbors<'_> {
        NearestNeighbors(Node::new(self, "NearestNeighbors").input(points).input(centers).input(k))
    }
}

/// A node of [`KMC2ChainInitialization`](Ops::kmc2_chain_initialization) that is being described.
#[must_use = "it is no node before it is added"]
pub struct KMC2ChainInitialization<'a>(Node<'a>);

/// A node of [`KmeansPlusPlusInitialization`](Ops::kmeans_plus_plus_initialization) that is being described.
#[must_use = "it is no node before it is added"]
pub struct KmeansPlusPlusInitialization<'a>(Node<'a>);

/// A node of [`NearestNeighbors`](Ops::nearest_neighbors) that is being described.
#[must_use = "it is no node before it is added"]
pub struct NearestNeighbors<'a>(Node<'a>);

impl NearestNeighbors<'_> {
    /// Adds the node to the graph; gives its outputs.
    pub fn add(self) -> NearestNeighborsOutputs {
        let mut outputs = self.0.outputs();
        NearestNeighborsOutputs { nearest_center_indices: outputs.one(), nearest_center_distances: outputs.one() }
    }
}

/// The outputs of [`NearestNeighbors`](Ops::nearest_neighbors).
#[derive(Clone, Copy, Debug)]
pub struct NearestNeighborsOutputs {
    /// A tensor of int64.
    pub nearest_center_indices: Output,
    /// A tensor of float32.
    pub nearest_center_distances: Output,
}

common! {
    KMC2ChainInitialization
    KmeansPlusPlusInitialization
    NearestNeighbors
}

one_output! {
    KMC2ChainInitialization
    KmeansPlusPlusInitialization
}

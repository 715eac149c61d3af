// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops of the family `clustering`.

use crate::node::{Input, Node, Ops, common, one_output};
use levada_builder::Output;

impl Ops<'_> {
    /// Samples the index of a point with a Markov chain; points with larger `distances` are more likely.
    ///
    /// - `distances`: a tensor of float32
    /// - `seed`: a tensor of int64
    ///
    /// It has no gradient.
    pub fn kmc2_chain_initialization(&self, distances: impl Input, seed: impl Input) -> KMC2ChainInitialization<'_> {
        KMC2ChainInitialization(Node::new(self, "KMC2ChainInitialization").input(distances).input(seed))
    }

    /// Samples `num_to_sample` points, each with a probability proportional to its squared distance from the nearest point sampled before. Each is the best of `num_retries_per_sample` + 1 draws; a negative number of retries selects a small default.
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

    /// Returns the `k` nearest centres of each point, nearest first, and their squared distances.
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
    /// Adds the node to the graph; returns its outputs.
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

//! Clustering of points: initial centres, and the nearest centres of a point.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::{philox, prelude};

mod distances;

family! {
    kmc2_chain_initialization = KMC2_CHAIN_INITIALIZATION;
    kmeans_plus_plus_initialization = KMEANS_PLUS_PLUS_INITIALIZATION;
    nearest_neighbors = NEAREST_NEIGHBORS;
}

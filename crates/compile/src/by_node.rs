//! Maps keyed by node number; their size follows the part of a graph that they cover, not the whole graph.

use levada_graph::NodeId;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Facts about some of the nodes of a graph.
pub(crate) type ByNode<T> = HashMap<NodeId, T, BuildHasherDefault<Mixed>>;

/// Hashes node numbers, which are usually consecutive.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mixed(u64);

impl Hasher for Mixed {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u32(u32::from(byte));
        }
    }

    fn write_u32(&mut self, number: u32) {
        // An odd factor is a bijection; the map looks at the lowest and the highest bits.
        self.0 = (self.0.rotate_left(5) ^ u64::from(number)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        self.0.rotate_left(32)
    }
}

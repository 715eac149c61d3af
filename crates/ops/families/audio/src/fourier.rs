//! The Fourier transform for sizes that are powers of two.

use std::f64::consts::TAU;

/// A transform, prepared for one size.
pub(crate) struct Fourier {
    /// The bit-reversal permutation applied before the first pass.
    order: Vec<usize>,
    /// The powers of the root of unity, over half a circle.
    roots: Vec<[f64; 2]>,
}

impl Fourier {
    /// Prepares a transform of `size` values, a power of two.
    pub(crate) fn new(size: usize) -> Fourier {
        let bits = size.trailing_zeros();
        let reversed = |i: usize| if bits == 0 { 0 } else { i.reverse_bits() >> (usize::BITS - bits) };
        let root = |i: usize| {
            let (sin, cos) = (-TAU * i as f64 / size as f64).sin_cos();
            [cos, sin]
        };
        Fourier { order: (0..size).map(reversed).collect(), roots: (0..size / 2).map(root).collect() }
    }

    /// Memory that a transform of `size` values takes, in bytes.
    pub(crate) fn bytes(size: usize) -> usize {
        size.saturating_mul(size_of::<usize>() + 3 * size_of::<f64>())
    }

    /// Transforms `numbers`, given as real and imaginary parts, in place.
    pub(crate) fn transform(&self, numbers: &mut [[f64; 2]]) {
        let size = self.order.len();
        for (i, &j) in self.order.iter().enumerate() {
            if i < j {
                numbers.swap(i, j);
            }
        }
        let mut half = 1;
        while half < size {
            let step = size / (2 * half);
            for block in numbers.chunks_exact_mut(2 * half) {
                let (low, high) = block.split_at_mut(half);
                let roots = self.roots.iter().step_by(step);
                for ((a, b), root) in low.iter_mut().zip(high).zip(roots) {
                    let turned = [b[0] * root[0] - b[1] * root[1], b[0] * root[1] + b[1] * root[0]];
                    *b = [a[0] - turned[0], a[1] - turned[1]];
                    *a = [a[0] + turned[0], a[1] + turned[1]];
                }
            }
            half *= 2;
        }
    }
}

//! Moves the channel axis of images.

use levada_kernel::Pool;

/// `out[i, b, a] = input[i, a, b]` for axes `a` and `b` of these sizes.
pub fn swap<T: Copy + Send + Sync>(pool: &Pool, input: &[T], out: &mut [T], a: usize, b: usize) {
    const TILE: usize = 16;
    if a == 1 || b == 1 {
        out.copy_from_slice(input);
        return;
    }
    pool.for_chunks(out, a, a as f64 * 0.5, |first, piece| {
        for (t, tile) in piece.chunks_mut(TILE * a).enumerate() {
            let mut row = first + t * TILE;
            let mut tile = tile;
            while !tile.is_empty() {
                // Rows of one image at a time.
                let (image, at) = (row / b, row % b);
                let rows = (tile.len() / a).min(b - at);
                let (now, rest) = tile.split_at_mut(rows * a);
                let source = &input[image * a * b..][..a * b];
                for j in 0..a {
                    let from = &source[j * b + at..][..rows];
                    from.iter().enumerate().for_each(|(i, &v)| now[i * a + j] = v);
                }
                (tile, row) = (rest, row + rows);
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swapping_twice_changes_nothing() {
        for (n, a, b) in [(2, 3, 5), (1, 33, 50), (3, 1, 4), (3, 4, 1), (1, 200, 300)] {
            for threads in [1, 3] {
                let input: Vec<usize> = (0..n * a * b).collect();
                let (mut there, mut back) = (vec![0; n * a * b], vec![0; n * a * b]);
                swap(&Pool::new(threads), &input, &mut there, a, b);
                swap(&Pool::new(threads), &there, &mut back, b, a);
                assert_eq!(input, back);
            }
        }
    }
}

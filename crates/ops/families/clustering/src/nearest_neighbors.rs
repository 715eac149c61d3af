//! `NearestNeighbors`: the nearest centres of each point.

use crate::distances::{Points, dot, scalar};
use crate::prelude::*;

attrs! {
    /// Returns the `k` nearest centres of each point, nearest first, and their squared distances.
    pub struct NearestNeighbors {}
}

pub static NEAREST_NEIGHBORS: Def<NearestNeighbors> = op("NearestNeighbors")
    .inputs(&[arg("points", is(DType::F32)), arg("centers", is(DType::F32)), arg("k", is(DType::I64))])
    .outputs(&[arg("nearest_center_indices", is(DType::I64)), arg("nearest_center_distances", is(DType::F32))])
    .shape(|_, cx| {
        let (points, centers) = (cx.with_rank(0, 2)?, cx.with_rank(1, 2)?);
        cx.with_rank(2, 0)?;
        let k = cx.constant_i64s(2).and_then(|k| usize::try_from(*k.first()?).ok());
        let k = centers.dim(0).zip(k).map(|(centers, k)| centers.min(k));
        cx.output(0, PartialShape::new([points.dim(0), k]));
        cx.output(1, PartialShape::new([points.dim(0), k]));
        Ok(())
    })
    .kernel(find)
    .heavy();

fn find(_: &NearestNeighbors, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (points, centers) = (Points::of(cx, 0, "points")?, Points::of(cx, 1, "centers")?);
    let k = scalar(cx, 2, "k")?;
    if points.count == 0 {
        return Err(Error::invalid("Expected points.rows() > 0"));
    }
    if points.dims != centers.dims {
        return Err(Error::invalid("points and centers must have the same number of dimensions")
            .found(format!("{} and {}", points.dims, centers.dims)));
    }
    let k = usize::try_from(k).map_err(|_| Error::invalid("Expected k >= 0").found(k))?.min(centers.count);
    let shape = Shape::new([points.count, k])?;
    cx.device.arena.check(shape.num_elements().saturating_mul(size_of::<(f32, usize)>()))?;
    // Pairs of distance and index, `k` per point.
    let mut found = vec![(0.0, 0); shape.num_elements()];
    let half_squares: Vec<f32> = (0..centers.count).map(|j| centers.half_square(j)).collect();
    let cost = (centers.count * (centers.dims + 20)) as f64 * 0.2;
    cx.pool().for_chunks(&mut found, k, cost, |first, found| {
        let mut distances: Vec<(f32, usize)> = Vec::with_capacity(centers.count);
        for (i, found) in found.chunks_exact_mut(k).enumerate() {
            let point = points.row(first + i);
            distances.clear();
            vectorized!(
                distances
                    .extend(half_squares.iter().enumerate().map(|(j, half)| (half - dot(point, centers.row(j)), j)))
            );
            let nearer = |a: &(f32, usize), b: &(f32, usize)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
            if k < distances.len() {
                distances.select_nth_unstable_by(k - 1, nearer);
            }
            distances[..k].sort_unstable_by(nearer);
            let half_square = points.half_square(first + i);
            for (found, &(distance, j)) in found.iter_mut().zip(&distances) {
                *found = (2.0 * (half_square + distance), j);
            }
        }
    });
    cx.produce::<i64>(0, &shape, |_, out| {
        out.iter_mut().zip(&found).for_each(|(out, found)| *out = found.1 as i64);
        Ok(())
    })?;
    cx.produce::<f32>(1, &shape, |_, out| {
        out.iter_mut().zip(&found).for_each(|(out, found)| *out = found.0);
        Ok(())
    })
}

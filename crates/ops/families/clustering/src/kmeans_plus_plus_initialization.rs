//! `KmeansPlusPlusInitialization`: initial centres that are far from each other.

use crate::distances::{Points, dot, scalar};
use crate::philox::{Philox, Singles};
use crate::prelude::*;

attrs! {
    /// Samples `num_to_sample` points, each with a probability proportional to its squared distance from the nearest
    /// point sampled before. Each is the best of `num_retries_per_sample` + 1 draws; a negative number of retries
    /// selects a small default.
    pub struct KmeansPlusPlusInitialization {}
}

pub static KMEANS_PLUS_PLUS_INITIALIZATION: Def<KmeansPlusPlusInitialization> = op("KmeansPlusPlusInitialization")
    .inputs(&[
        arg("points", is(DType::F32)),
        arg("num_to_sample", is(DType::I64)),
        arg("seed", is(DType::I64)),
        arg("num_retries_per_sample", is(DType::I64)),
    ])
    .outputs(&[arg("samples", is(DType::F32))])
    .shape(|_, cx| {
        let points = cx.with_rank(0, 2)?;
        (1..4).try_for_each(|i| cx.with_rank(i, 0).map(drop))?;
        let samples = cx.constant_i64s(1).and_then(|n| usize::try_from(*n.first()?).ok());
        cx.output(0, PartialShape::new([samples, points.dim(1)]));
        Ok(())
    })
    .kernel(initialize)
    .heavy();

/// Maximum number of consecutive draws of points already sampled.
const MOST_REJECTIONS: usize = 1 << 16;

/// The points, and which of them have been sampled.
struct Lots<'a> {
    points: Points<'a>,
    half_squares: Vec<f32>,
    is_drawn: Vec<bool>,
    numbers: Singles,
}

fn initialize(_: &KmeansPlusPlusInitialization, cx: &mut Cx<'_, '_>) -> Result<()> {
    let points = Points::of(cx, 0, "points")?;
    let (wanted, seed) = (scalar(cx, 1, "num_to_sample")?, scalar(cx, 2, "seed")?);
    let retries = match scalar(cx, 3, "num_retries_per_sample")? {
        retries @ 0.. => retries,
        _ => 2 + (wanted as f64).ln() as i64,
    };
    let (count, dims) = (points.count, points.dims);
    if count == 0 {
        return Err(Error::invalid("Expected points.rows() > 0"));
    }
    let Some(wanted) = usize::try_from(wanted).ok().filter(|wanted| (1..=count).contains(wanted)) else {
        return Err(
            Error::invalid(format!("num_to_sample must be between 1 and {count}, the number of points")).found(wanted)
        );
    };
    cx.device.arena.check(count.saturating_mul(4 * size_of::<f32>()))?;
    let half_squares = (0..count).map(|i| points.half_square(i)).collect();
    let numbers = Philox::seeded(seed as u64, 0).singles();
    let mut lots = Lots { points, half_squares, is_drawn: vec![false; count], numbers };
    let mut nearest = vec![f32::INFINITY; count];
    let mut drawn = Vec::with_capacity(wanted);
    for i in 0..wanted {
        let sums: Vec<f32> = match i {
            0 => Vec::new(),
            _ => nearest
                .iter()
                .scan(0.0, |sum, distance| {
                    *sum += distance;
                    Some(*sum)
                })
                .collect(),
        };
        let mut best = (0, f32::INFINITY, None);
        for _ in 0..=retries {
            cx.step().check()?;
            let index = lots.draw(&sums);
            let distances = lots.with(cx, &nearest, index);
            let potential: f32 = distances.iter().sum();
            if retries == 0 || potential < best.1 {
                best = (index, potential, Some(distances));
            }
        }
        let (index, _, distances) = best;
        nearest = distances.unwrap_or(nearest);
        lots.is_drawn[index] = true;
        drawn.push(index);
    }
    cx.produce::<f32>(0, &Shape::new([wanted, dims])?, |cx, out| {
        let points = Points::of(cx, 0, "points")?;
        drawn.iter().zip(out.chunks_exact_mut(dims.max(1))).for_each(|(&i, out)| out.copy_from_slice(points.row(i)));
        Ok(())
    })
}

impl Lots<'_> {
    /// Draws a point that has not been sampled yet. `sums` holds the cumulative distances of the points; it is empty
    /// for the first point.
    fn draw(&mut self, sums: &[f32]) -> usize {
        let count = self.points.count;
        let uniform = |numbers: &mut Singles| numbers.below_u64(count as u64) as usize;
        let Some(&total) = sums.last() else { return uniform(&mut self.numbers) };
        for _ in 0..MOST_REJECTIONS {
            let index = if total > 0.0 {
                let at = self.numbers.unit_f32() * total;
                sums.partition_point(|sum| *sum <= at).min(count - 1)
            } else {
                uniform(&mut self.numbers)
            };
            if !self.is_drawn[index] {
                return index;
            }
        }
        // The distances give no other point a positive probability.
        self.is_drawn.iter().position(|is_drawn| !is_drawn).unwrap_or(0)
    }

    /// Half the squared distance of each point from the nearest sampled point, if point `index` is sampled too.
    fn with(&self, cx: &Cx<'_, '_>, nearest: &[f32], index: usize) -> Vec<f32> {
        let (point, half_square) = (self.points.row(index), self.half_squares[index]);
        let mut distances = nearest.to_vec();
        cx.pool().for_chunks(&mut distances, 1, self.points.dims as f64 * 0.2, |first, distances| {
            vectorized!(for (i, nearest) in distances.iter_mut().enumerate() {
                let i = first + i;
                let distance = (self.half_squares[i] - dot(self.points.row(i), point)) + half_square;
                *nearest = if distance < *nearest { distance } else { *nearest };
            });
        });
        distances
    }
}

//! `GridSample` of ONNX, over any number of spatial axes.

use crate::base::{Base, buffer, product, read, write};
use crate::prelude::*;

attrs! {
    /// `GridSample` of ONNX: samples `X` at the positions in `grid`, normalized to the range -1 to 1 along each axis,
    /// last axis first.
    pub struct OnnxGridSample {
        /// Element type of `X`.
        dtype: DType = Attr::dtype("T1", sets::REALS),
        /// Element type of `grid`.
        grid: DType = Attr::dtype("T2", sets::FLOATS),
        /// If true, -1 and 1 refer to the centers of the border elements, otherwise to their outer edges.
        align: bool = Attr::bool("align_corners").or_bool(false),
        /// Interpolation mode.
        mode: String =
            Attr::one_of("mode", &["linear", "nearest", "cubic", "bilinear", "bicubic"]).or_str("linear"),
        /// Padding mode for positions outside of `X`.
        padding: String = Attr::one_of("padding_mode", &["zeros", "border", "reflection"]).or_str("zeros"),
    }
}

pub static ONNX_GRID_SAMPLE: Def<OnnxGridSample> = op("OnnxGridSample")
    .inputs(&[arg("X", of("T1")), arg("grid", of("T2"))])
    .outputs(&[arg("Y", of("T1"))])
    .shape(shape)
    .kernel(|op, cx| in_base!(op.dtype, |B| op.run::<B>(cx)))
    .heavy();

fn shape(_: &OnnxGridSample, cx: &mut ShapeCx<'_>) -> Result<()> {
    let (x, grid) = (cx.input(0), cx.input(1));
    if let (Some(x), Some(grid)) = (x.dims(), grid.dims())
        && x.len() >= 3
        && grid.len() == x.len()
    {
        let shape = PartialShape::new(x[..2].iter().chain(&grid[1..grid.len() - 1]).copied());
        cx.output(0, shape);
    }
    Ok(())
}

/// Reflects a position at two borders until it lies between them.
fn reflect(x: f64, least: f64, greatest: f64) -> f64 {
    let range = greatest - least;
    if range <= 0.0 {
        return least;
    }
    let (distance, back) = if x < least {
        (least - x, false)
    } else if x > greatest {
        (x - greatest, true)
    } else {
        return x;
    };
    let times = (distance / range).floor();
    let rest = distance - times * range;
    if (times % 2.0 == 0.0) == back { greatest - rest } else { least + rest }
}

/// Elements along one axis and their weights; `None` outside of zero-padded borders.
type Taps = [(Option<usize>, f64); 4];

impl OnnxGridSample {
    /// The elements around a position on an axis of size `n`.
    fn taps(&self, position: f64, n: usize) -> (Taps, usize) {
        let last = n as f64 - 1.0;
        let mut x = if self.align { (position + 1.0) / 2.0 * last } else { ((position + 1.0) * n as f64 - 1.0) / 2.0 };
        // Rounded as in the reference implementation and other runtimes.
        x = f64::from(x as f32);
        let (least, greatest) = if self.align { (0.0, last) } else { (-0.5, last + 0.5) };
        if self.mode == "nearest" {
            x = x.round_ties_even();
        }
        let beyond = |x: f64| !(least..=greatest).contains(&x);
        if beyond(x) && x.is_finite() {
            x = match self.padding.as_str() {
                "border" => x.clamp(0.0, last),
                "reflection" => reflect(x, least, greatest),
                _ => x,
            };
        }
        let element = |at: f64| {
            let at = match self.padding.as_str() {
                "border" => at.clamp(0.0, last),
                "reflection" => reflect(at, least, greatest).trunc().clamp(0.0, last),
                _ => at,
            };
            (0.0..=last).contains(&at).then_some(at as usize)
        };
        let below = x.floor();
        let t = x - below;
        let none = (None, 0.0);
        match self.mode.as_str() {
            "nearest" => ([(element(x), 1.0), none, none, none], 1),
            "cubic" | "bicubic" => {
                const A: f64 = -0.75;
                let far = |d: f64| ((A * d - 5.0 * A) * d + 8.0 * A) * d - 4.0 * A;
                let near = |d: f64| ((A + 2.0) * d - (A + 3.0)) * d * d + 1.0;
                let weights = [far(t + 1.0), near(t), near(1.0 - t), far(2.0 - t)];
                (std::array::from_fn(|i| (element(below + i as f64 - 1.0), weights[i])), 4)
            }
            _ => ([(element(below), 1.0 - t), (element(below + 1.0), t), none, none], 2),
        }
    }

    fn run<B: Base>(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let (x_shape, grid_shape) = (cx.input(0)?.shape().clone(), cx.input(1)?.shape().clone());
        let rank = x_shape.rank().saturating_sub(2);
        if rank == 0 || grid_shape.rank() != rank + 2 || grid_shape[rank + 1] != rank || grid_shape[0] != x_shape[0] {
            return Err(
                Error::invalid("the shapes of X and grid do not agree").found(format!("{x_shape} and {grid_shape}"))
            );
        }
        let (batch, channels, dims) = (x_shape[0], x_shape[1], &x_shape[2..]);
        let whole = Shape::new([batch, channels].into_iter().chain(grid_shape[1..=rank].iter().copied()))?;
        let (plane, points) = (product(dims)?, product(&grid_shape[1..=rank])?);
        let (x, grid) = (read::<B>(cx.input(0)?)?, read::<f64>(cx.input(1)?)?);
        let mut y = buffer::<B>(cx, whole.num_elements())?;
        let cost = points as f64 * 8f64.powi(rank as i32);
        if points > 0 && plane > 0 {
            cx.pool().for_chunks(&mut y, points, cost, |first, piece| {
                for (i, out) in piece.chunks_exact_mut(points).enumerate() {
                    let number = first + i;
                    let plane = &x[number * plane..][..plane];
                    let grid = &grid[number / channels * points * rank..][..points * rank];
                    for (out, position) in out.iter_mut().zip(grid.chunks_exact(rank)) {
                        let taps: smallvec::SmallVec<[(Taps, usize); 3]> =
                            (0..rank).map(|i| self.taps(position[rank - 1 - i], dims[i])).collect();
                        *out = B::of(blend(plane, dims, &taps, 0));
                    }
                }
            });
        }
        let y = write(cx, self.dtype, &whole, y)?;
        cx.set(0, y);
        Ok(())
    }
}

/// The weighted sum of the elements of `plane` selected by `taps`, relative to element `from`.
fn blend<B: Base>(plane: &[B], dims: &[usize], taps: &[(Taps, usize)], from: usize) -> f64 {
    let (Some((&n, inner)), Some(((taps, count), others))) = (dims.split_first(), taps.split_first()) else {
        return plane[from].wide();
    };
    let one = |&(at, w): &(Option<usize>, f64)| at.map_or(0.0, |at| w * blend(plane, inner, others, from * n + at));
    taps[..*count].iter().map(one).sum()
}

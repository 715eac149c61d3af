//! `BiasAddGrad`: the gradient of `BiasAdd` with respect to the bias.

use super::bias_add::BiasAdd;
use crate::prelude::*;
use crate::rules::{Handles, concat, first, int};
use levada_ops_core::images::window::Layout;

pub static BIAS_ADD_GRAD: Def<BiasAdd> = op::<BiasAdd>("BiasAddGrad")
    .doc("The gradient of `BiasAdd` with respect to the bias: the sum over each channel.")
    .inputs(&[arg("out_backprop", of("T"))])
    .outputs(&[arg("output", of("T"))])
    .shape(|op: &BiasAdd, cx| {
        let (input, layout) = (cx.rank_at_least(0, 2)?, Layout::of(&op.data_format)?);
        let channels = input.rank().and_then(|rank| input.dim(layout.channel(rank) as isize));
        cx.output_vector(0, channels);
        Ok(())
    })
    .gradient(gradient)
    .kernel(bias_add_grad)
    .heavy()
    .batch(|op, b| {
        let rank = i32::try_from(b.rank(0)?).ok()?;
        let channel = if op.data_format == "NHWC" { rank } else { 2 };
        let axes: Vec<i32> = (1..=rank).filter(|&axis| axis != channel).collect();
        if rank < 2 { None } else { b.one(b.input(0).sum(b.g().ints(&axes))) }
    });

fn gradient(op: &BiasAdd, g: &GradCx) -> Grads {
    let (before, dy) = (g.input(0), g.dy(0));
    let dy = match Layout::of(&op.data_format) {
        Ok(Layout::ChannelsFirst) => {
            let pixels = (before.rank_value() - 2.0).reshape(g.ints(&[1]));
            let ones = int(g, 1).fill(pixels);
            dy.reshape(concat(g, &[g.ints(&[1, -1]), ones], 0))
        }
        _ => dy,
    };
    first(g, dy.broadcast_to(before.shape_value()))
}

/// Elements summed before the partial sum is added to the total, which limits rounding errors.
const BLOCK: usize = 256;

fn bias_add_grad(op: &BiasAdd, cx: &mut Cx<'_, '_>) -> Result<()> {
    let input = cx.input(0)?;
    let shape = input.shape();
    if shape.rank() < 2 {
        return Err(Error::invalid(format!("Input tensor must be at least 2D: {shape}")));
    }
    let axis = Layout::of(&op.data_format)?.channel(shape.rank());
    let (outer, channels) = (shape[..axis].iter().product::<usize>(), shape[axis]);
    let inner: usize = shape[axis + 1..].iter().product();
    let mut out = cx.zeros(op.dtype, &Shape::vector(channels))?;
    let empty = input.num_elements() == 0;
    dispatch!(op.dtype.storage(), numbers, |T| {
        let (input, out) = (input.slice::<T>()?, out.slice_mut::<T>()?);
        if empty {
            // The sums stay zero.
        } else if inner == 1 {
            columns(cx, input, outer, out);
        } else {
            cx.pool().for_chunks(out, 1, (outer * inner) as f64 * 0.3, |first, piece| {
                for (c, o) in piece.iter_mut().enumerate() {
                    let mut sum = <T as Number>::Wide::zero();
                    for row in 0..outer {
                        let from = &input[(row * channels + first + c) * inner..][..inner];
                        for block in from.chunks(BLOCK) {
                            let add = |s: <T as Number>::Wide, v: &T| s.add(v.widen());
                            sum = sum.add(block.iter().fold(<T as Number>::Wide::zero(), add));
                        }
                    }
                    *o = T::narrow(sum);
                }
            });
        }
        Ok(())
    }, else unsupported(cx, op.dtype))?;
    cx.set(0, out);
    Ok(())
}

/// Column sums of a matrix with `rows` rows.
fn columns<T: Number>(cx: &Cx<'_, '_>, input: &[T], rows: usize, out: &mut [T]) {
    let channels = out.len();
    let nanos = channels as f64 * 0.2 + 1.0;
    let parts = cx.pool().parts(rows, nanos);
    let each = rows.div_ceil(parts);
    let mut sums = vec![<T::Wide>::zero(); parts * channels];
    cx.pool().for_chunks(&mut sums, channels, each as f64 * nanos, |first, piece| {
        let mut block = vec![<T::Wide>::zero(); channels];
        vectorized_for!(T, {
            for (i, sums) in piece.chunks_exact_mut(channels).enumerate() {
                let range = ((first + i) * each).min(rows)..((first + i + 1) * each).min(rows);
                let part = &input[range.start * channels..range.end * channels];
                for some in part.chunks(BLOCK * channels) {
                    block.fill(<T::Wide>::zero());
                    for row in some.chunks_exact(channels) {
                        block.iter_mut().zip(row).for_each(|(b, v)| *b = b.add(v.widen()));
                    }
                    sums.iter_mut().zip(&block).for_each(|(s, &b)| *s = s.add(b));
                }
            }
        });
    });
    for (c, o) in out.iter_mut().enumerate() {
        let parts = sums[c..].iter().step_by(channels);
        *o = T::narrow(parts.fold(<T::Wide>::zero(), |s, &v| s.add(v)));
    }
}

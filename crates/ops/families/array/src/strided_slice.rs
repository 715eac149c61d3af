//! `StridedSlice`: a slice of a tensor, with Python's indexing rules.

use super::strided_slice_grad::STRIDED_SLICE_GRAD;
pub use crate::moves::StridedSlice;
use crate::moves::{Mover, Slices, rearrange};
use crate::prelude::*;
use crate::rules::{Handles, first};

pub static STRIDED_SLICE: Def<StridedSlice> = op::<StridedSlice>("StridedSlice")
    .views()
    .doc("Returns the elements of `input` from `begin` to `end` in steps of `strides` along each axis.")
    .inputs(&[arg("input", of("T")), arg("begin", of("Index")), arg("end", of("Index")), arg("strides", of("Index"))])
    .outputs(&[arg("output", of("T"))])
    .counts("T")
    .shape(|op, cx| {
        let shape = Slices::infer(cx, &cx.input(0), 1, op.masks())?;
        cx.output(0, shape);
        Ok(())
    })
    .gradient(|op, g| {
        let shape = g.input(0).dims().cast(op.index);
        let inputs = [shape, g.input(1), g.input(2), g.input(3), g.dy(0)];
        first(g, STRIDED_SLICE_GRAD.node(g, op, &inputs))
    })
    .kernel(strided_slice::<Cpu>)
    .heavy()
    .host_inputs(&[1, 2, 3])
    .batch(|op, b| {
        if b.any_varies(1..4) {
            return None;
        }
        let [begin, end, strides] = op.behind(b, 1);
        b.one(b.again_with(&[b.input(0), begin, end, strides], &op.masks_behind()))
    });

/// The kernel of `StridedSlice`, on any device that moves elements.
pub fn strided_slice<D: Mover>(op: &StridedSlice, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let input = cx.input(0)?;
    let slices = Slices::new(input.shape(), cx.input(1)?, cx.input(2)?, cx.input(3)?, op.masks())?;
    let out = match slices.rows(input.shape()) {
        Some(rows) if rows == (0..input.shape()[0]) => cx.take(0)?.reshaped(slices.shape)?,
        Some(rows) => input.rows(rows)?.reshaped(slices.shape)?,
        None => rearrange(cx, input, &slices.layout(input.shape()), &slices.shape, None)?,
    };
    cx.set(0, out);
    Ok(())
}

/// Slices per example.
pub(super) trait Behind {
    /// Begin, end and strides, the inputs starting at number `first`, prefixed with those of the example axis.
    fn behind<'g>(&self, b: &BatchCx<'g>, first: usize) -> [V<'g>; 3];
    /// The corresponding masks.
    fn masks_behind(&self) -> Vec<(&'static str, AttrValue)>;
}

impl Behind for StridedSlice {
    fn behind<'g>(&self, b: &BatchCx<'g>, first: usize) -> [V<'g>; 3] {
        [0, 0, 1].map({
            let mut input = first;
            move |value| {
                let all = b.concat(&[b.g().ints(&[value]).cast(self.index), b.input(input)]);
                input += 1;
                all
            }
        })
    }

    fn masks_behind(&self) -> Vec<(&'static str, AttrValue)> {
        let mask = |name, mask: i64, own: i64| (name, AttrValue::I(mask << 1 | own));
        vec![
            mask("begin_mask", self.begin_mask, 1),
            mask("end_mask", self.end_mask, 1),
            mask("ellipsis_mask", self.ellipsis_mask, 0),
            mask("new_axis_mask", self.new_axis_mask, 0),
            mask("shrink_axis_mask", self.shrink_axis_mask, 0),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::run;

    const PLAIN: StridedSlice = StridedSlice {
        dtype: DType::I32,
        index: DType::I32,
        begin_mask: 0,
        end_mask: 0,
        ellipsis_mask: 0,
        new_axis_mask: 0,
        shrink_axis_mask: 0,
    };

    /// Slices `0..24` in the shape [2, 3, 4].
    fn sliced(op: StridedSlice, begin: &[i32], end: &[i32], strides: &[i32]) -> Result<(Vec<usize>, Vec<i32>)> {
        let input = Tensor::from_vec(Shape::new([2, 3, 4])?, (0..24).collect::<Vec<i32>>())?;
        let spec = [begin, end, strides].map(|v| Tensor::vector(v.to_vec()));
        let out = run(STRIDED_SLICE.of(op), std::iter::once(input).chain(spec).collect(), &[DType::I32])?;
        Ok((out[0].shape().to_vec(), out[0].slice::<i32>()?.to_vec()))
    }

    #[test]
    fn an_ellipsis_makes_room_for_what_follows() {
        let op = StridedSlice { ellipsis_mask: 1, new_axis_mask: 2, shrink_axis_mask: 4, ..PLAIN };
        assert_eq!(
            sliced(op, &[0, 0, -1], &[0, 0, 0], &[1, 1, 1]).unwrap(),
            (vec![2, 3, 1], vec![3, 7, 11, 15, 19, 23])
        );
    }

    #[test]
    fn negative_strides_walk_backwards_from_a_masked_begin() {
        let op = StridedSlice { begin_mask: 7, end_mask: 7, ..PLAIN };
        let (shape, values) = sliced(op, &[0; 3], &[0; 3], &[-1, -2, -3]).unwrap();
        assert_eq!((shape, values), (vec![2, 2, 2], vec![23, 20, 15, 12, 11, 8, 3, 0]));
    }

    #[test]
    fn faults_are_errors() {
        let code = |op, b: &[i32], e: &[i32], s: &[i32]| sliced(op, b, e, s).unwrap_err().code();
        assert_eq!(code(PLAIN, &[0], &[1], &[0]), Code::InvalidArgument);
        assert_eq!(code(PLAIN, &[0; 4], &[1; 4], &[1; 4]), Code::InvalidArgument);
        assert_eq!(code(StridedSlice { shrink_axis_mask: 1, ..PLAIN }, &[2], &[3], &[1]), Code::InvalidArgument);
        assert_eq!(code(StridedSlice { ellipsis_mask: 3, ..PLAIN }, &[0, 0], &[1, 1], &[1, 1]), Code::InvalidArgument);
        assert_eq!(sliced(PLAIN, &[5, 0], &[9, i32::MAX], &[i32::MAX, i32::MAX]).unwrap().0, [0, 1, 4]);
    }
}

//! `CTCGreedyDecoder`: the best label of each step.

use crate::decoded::{Batch, INPUTS, infer, put};
use crate::log_sum::{FLOATS, Log};
use crate::prelude::*;
use crate::rules::never;

attrs! {
    /// Chooses the label with the highest score at each step and drops blanks. Returns the labels as a sparse matrix,
    /// and for each sequence the negated sum of the scores.
    pub struct CTCGreedyDecoder {
        /// Whether to merge repeated labels into one.
        merge_repeated: bool = Attr::bool("merge_repeated").or_bool(false),
        /// Index of the blank class; negative values count from the end.
        blank_index: i64 = Attr::int("blank_index").or_int(-1),
        /// Element type of the scores.
        dtype: DType = Attr::dtype("T", FLOATS).or_type(DType::F32),
    }
}

pub static CTC_GREEDY_DECODER: Def<CTCGreedyDecoder> = op("CTCGreedyDecoder")
    .inputs(INPUTS)
    .outputs(&[
        arg("decoded_indices", is(DType::I64)),
        arg("decoded_values", is(DType::I64)),
        arg("decoded_shape", is(DType::I64)),
        arg("log_probability", of("T")),
    ])
    .shape(|_, cx| infer(cx, 1))
    .gradient(|_, g| never(g))
    .kernel(|op: &CTCGreedyDecoder, cx| match op.dtype {
        DType::F64 => decode::<f64>(op, cx),
        _ => decode::<f32>(op, cx),
    })
    .heavy();

fn decode<T: Log>(op: &CTCGreedyDecoder, cx: &mut Cx<'_, '_>) -> Result<()> {
    let batch = Batch::<T>::of(cx)?;
    let classes = batch.classes as i64;
    let blank = if op.blank_index < 0 { classes.saturating_add(op.blank_index) } else { op.blank_index };
    if !(0..classes).contains(&blank) {
        return Err(Error::invalid(format!("blank_index expected to be between {} and {}", -classes, classes - 1))
            .attr("blank_index")
            .found(op.blank_index));
    }
    cx.device.arena.check(batch.size.saturating_mul(size_of::<(Vec<i32>, T)>()))?;
    let mut read: Vec<(Vec<i32>, T)> = vec![(Vec::new(), T::zero()); batch.size];
    cx.pool().for_chunks(&mut read, 1, batch.cost(1.0), |first, read| {
        for (i, (labels, score)) in read.iter_mut().enumerate() {
            let mut before = None;
            for step in batch.steps(first + i) {
                let (mut label, mut best) = (0, step[0]);
                for (i, &value) in step.iter().enumerate() {
                    if value > best {
                        (label, best) = (i, value);
                    }
                }
                *score = *score - best;
                if label as i64 != blank && !(op.merge_repeated && before == Some(label)) {
                    labels.push(label as i32);
                }
                before = Some(label);
            }
        }
    });
    put(cx, [0, 1], read.iter().map(|(labels, _)| labels))?;
    let scores = read.iter().map(|(_, score)| *score).collect();
    cx.set(3, Tensor::from_vec(Shape::new([read.len(), 1])?, scores)?);
    Ok(())
}

//! `CTCBeamSearchDecoder`: beam search for the most probable label sequences.

use crate::decoded::{Batch, INPUTS, infer, put};
use crate::log_sum::{FLOATS, Log};
use crate::paths::Beam;
use crate::prelude::*;
use crate::rules::never;
use levada_kernel::{Arena, StepCx};
use std::sync::Arc;

attrs! {
    /// Searches for the most probable label sequences; the last class is the blank. Returns the labels of each of the
    /// best paths as a sparse matrix, and the log probabilities.
    pub struct CTCBeamSearchDecoder {
        /// Number of sequences kept from step to step.
        beam_width: i64 = Attr::int("beam_width").at_least(1),
        /// Number of sequences to return.
        top_paths: i64 = Attr::int("top_paths").at_least(1),
        /// Whether to merge repeated labels into one.
        merge_repeated: bool = Attr::bool("merge_repeated").or_bool(true),
        /// Element type of `inputs`.
        dtype: DType = Attr::dtype("T", FLOATS).or_type(DType::F32),
    }
}

pub static CTC_BEAM_SEARCH_DECODER: Def<CTCBeamSearchDecoder> = op("CTCBeamSearchDecoder")
    .inputs(INPUTS)
    .outputs(&[
        arg("decoded_indices", is(DType::I64)).times("top_paths"),
        arg("decoded_values", is(DType::I64)).times("top_paths"),
        arg("decoded_shape", is(DType::I64)).times("top_paths"),
        arg("log_probability", of("T")),
    ])
    .shape(|_, cx| infer(cx, cx.num_outputs() / 3))
    .gradient(|_, g| never(g))
    .kernel(|op: &CTCBeamSearchDecoder, cx| match op.dtype {
        DType::F64 => decode::<f64>(op, cx),
        _ => decode::<f32>(op, cx),
    })
    .heavy();

/// The labels of the best paths, each with its log probability.
type Paths<T> = Vec<(Vec<i32>, T)>;

fn decode<T: Log>(op: &CTCBeamSearchDecoder, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (width, paths) = (op.beam_width as usize, op.top_paths as usize);
    let batch = Batch::<T>::of(cx)?;
    let limits = (&cx.device.arena, cx.step());
    let mut read: Vec<Result<Paths<T>>> = Vec::new();
    read.resize_with(batch.size, || Ok(Vec::new()));
    cx.pool().for_chunks(&mut read, 1, batch.cost(100.0 * width.min(100) as f64), |first, read| {
        for (i, read) in read.iter_mut().enumerate() {
            *read = search(limits, &batch, first + i, width).map(|beam| beam.paths(op.merge_repeated));
        }
    });
    let read = read.into_iter().collect::<Result<Vec<_>>>()?;
    if paths > width {
        return Err(Error::invalid("requested more paths than the beam width").found(format!("{paths} of {width}")));
    }
    if let Some(found) = read.iter().map(Vec::len).find(|found| *found < paths) {
        return Err(Error::invalid("fewer sequences in the beam than requested").found(format!("{found} of {paths}")));
    }
    for path in 0..paths {
        put(cx, [path, paths], read.iter().map(|found| &found[path].0))?;
    }
    let scores = read.iter().flat_map(|found| found[..paths].iter().map(|(_, score)| *score)).collect();
    cx.set(3 * paths, Tensor::from_vec(Shape::new([read.len(), paths])?, scores)?);
    Ok(())
}

fn search<T: Log>(
    (arena, step): (&Arc<Arena>, &StepCx),
    batch: &Batch<'_, T>,
    b: usize,
    width: usize,
) -> Result<Beam<T>> {
    let mut beam = Beam::new(width);
    let mut checked = 1 << 16;
    for scores in batch.steps(b) {
        // A wide beam may grow with every step.
        beam.step(scores, |seen| {
            if 2 * seen > checked {
                checked = 4 * seen;
                arena.check(checked.saturating_mul(Beam::<T>::NODE))?;
            }
            step.check()
        })?;
    }
    Ok(beam)
}

//! `RaggedTensorToSparse`: converts a ragged tensor to a sparse one.

use super::rows;
use crate::coo;
use crate::prelude::*;
use crate::rules::never;

attrs! {
    /// Converts a ragged tensor to a sparse one, whose sizes are those of the longest rows.
    pub struct RaggedTensorToSparse {
        /// Number of ragged axes.
        rank: i64 = Attr::int("RAGGED_RANK").at_least(1),
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Element type of the splits.
        splits: DType = Attr::dtype("Tsplits", sets::INDEX).or_type(DType::I64),
    }
}

pub static RAGGED_TENSOR_TO_SPARSE: Def<RaggedTensorToSparse> = op("RaggedTensorToSparse")
    .inputs(&[arg("rt_nested_splits", of("Tsplits")).times("RAGGED_RANK"), arg("rt_dense_values", of("T"))])
    .outputs(&[
        arg("sparse_indices", is(DType::I64)),
        arg("sparse_values", of("T")),
        arg("sparse_dense_shape", is(DType::I64)),
    ])
    .shape(shape)
    .gradient(|_, g| {
        let n = g.num_inputs() - 1;
        let mut grads = never(g);
        grads[n] = g.dy(1).reshape_as(g.input(n)).into();
        grads
    })
    .kernel(ragged_tensor_to_sparse)
    .heavy();

fn shape(_: &RaggedTensorToSparse, cx: &mut ShapeCx<'_>) -> Result<()> {
    let n = cx.num_inputs() - 1;
    for i in 0..n {
        cx.with_rank(i, 1)?;
    }
    let values = cx.rank_at_least(n, 1)?;
    let rank = values.rank().map(|r| r + n);
    let count = values.num_elements();
    cx.output(0, PartialShape::new([count, rank]));
    cx.output_vector(1, count);
    cx.output_vector(2, rank);
    Ok(())
}

fn ragged_tensor_to_sparse(_: &RaggedTensorToSparse, cx: &mut Cx<'_, '_>) -> Result<()> {
    let n = cx.num_inputs() - 1;
    let nested: Vec<Vec<i64>> = (0..n).map(|i| rows::read(cx, i)).collect::<Result<_>>()?;
    let values = cx.input(n)?;
    let Some((&count, inner)) = values.shape().split_first() else {
        return Err(Error::invalid(
            "Final value of ragged splits must match the length the corresponding ragged values.",
        ));
    };
    for (i, splits) in nested.iter().enumerate() {
        if splits[0] != 0 {
            return Err(Error::invalid("First value of ragged splits must be 0."));
        }
        if let Some(pair) = splits.windows(2).find(|pair| pair[1] < pair[0]) {
            return Err(Error::invalid(format!(
                "Ragged splits should be non decreasing, but we got {} followed by {}",
                pair[0], pair[1]
            )));
        }
        let below = nested.get(i + 1).map_or(count, |next| next.len() - 1);
        if splits[splits.len() - 1] != below as i64 {
            return Err(Error::invalid(
                "Final value of ragged splits must match the length the corresponding ragged values.",
            ));
        }
    }
    // The coordinates of the rows of each axis, from the outermost inwards.
    let mut places: Vec<Vec<i64>> = (0..nested[0].len() as i64 - 1).map(|row| vec![row]).collect();
    for splits in &nested {
        let rows = splits.windows(2).zip(&places);
        places = rows
            .flat_map(|(pair, place)| {
                (0..pair[1] - pair[0]).map(move |i| place.iter().copied().chain([i]).collect::<Vec<i64>>())
            })
            .collect();
    }
    let rank = 1 + n + inner.len();
    let inner_shape = Shape::new(inner.iter().copied())?;
    let (strides, width) = (inner_shape.strides(), inner_shape.num_elements());
    let mut indices = Vec::with_capacity(values.num_elements() * rank);
    for place in &places {
        for at in 0..width {
            indices.extend_from_slice(place);
            indices.extend(strides.iter().zip(inner).map(|(&s, &d)| (at / s % d) as i64));
        }
    }
    let longest = |splits: &Vec<i64>| splits.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0);
    let mut shape = vec![nested[0].len() as i64 - 1];
    shape.extend(nested.iter().map(longest));
    shape.extend(inner.iter().map(|&d| d as i64));
    let flat = values.clone().reshaped(Shape::vector(values.num_elements()))?;
    cx.set(0, coo::indices(rank, flat.num_elements(), indices)?);
    cx.set(1, flat);
    cx.set(2, Tensor::vector(shape));
    Ok(())
}

//! `SparseReshape`: reshapes a sparse tensor.

use crate::coo::{self, Words};
use crate::prelude::*;

attrs! {
    /// Returns the indices of the elements of a sparse tensor reshaped to `new_shape`, in which one size may be -1.
    pub struct SparseReshape {}
}

pub static SPARSE_RESHAPE: Def<SparseReshape> = op("SparseReshape")
    .inputs(&[
        arg("input_indices", is(DType::I64)),
        arg("input_shape", is(DType::I64)),
        arg("new_shape", is(DType::I64)),
    ])
    .outputs(&[arg("output_indices", is(DType::I64)), arg("output_shape", is(DType::I64))])
    .shape(shape)
    .kernel(sparse_reshape);

fn shape(_: &SparseReshape, cx: &mut ShapeCx<'_>) -> Result<()> {
    let indices = cx.with_rank(0, 2)?;
    cx.with_rank(1, 1)?;
    let shape = cx.with_rank(2, 1)?;
    cx.output(0, PartialShape::new([indices.dim(0), shape.dim(0)]));
    cx.output(1, shape);
    Ok(())
}

fn sparse_reshape(_: &SparseReshape, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (len, rank) = coo::matrix(cx.input(0)?, "indices")?;
    coo::vector(cx.input(1)?, "shape")?;
    if cx.input(2)?.shape().rank() != 1 {
        let shape = cx.input(2)?.shape();
        return Err(Error::invalid(format!("Target shape should be a vector but received shape {shape}")));
    }
    let (indices, from, to) = (cx.slice::<i64>(0)?, cx.slice::<i64>(1)?, cx.slice::<i64>(2)?);
    if from.len() != rank {
        return Err(Error::invalid("Input tensor rank must match input shape length."));
    }
    let from = coo::dense_shape(from)?;
    let to = target(&from, to)?;
    let elements = to.num_elements();
    if elements != from.num_elements() {
        return Err(Error::invalid(format!(
            "Input to reshape is a tensor with {} dense values, but the requested shape has {elements}. \
             input_shape={from} output_shape={to}",
            from.num_elements()
        )));
    }
    let shape = Tensor::vector(to.to_signed());
    if from == to {
        let indices = cx.take(0)?;
        cx.set(0, indices);
        cx.set(1, shape);
        return Ok(());
    }
    if len > 0 && elements == 0 {
        return Err(Error::invalid(format!(
            "Input tensor has {len} non zero elements but input shape ({from}) or output shape ({to}) is empty"
        )));
    }
    let (ups, downs) = (from.strides(), to.strides());
    let mut moved = Vec::with_capacity(len * to.rank());
    for i in 0..len {
        let index = &indices[i * rank..(i + 1) * rank];
        // As in TensorFlow, out-of-bounds indices end up wherever the arithmetic leads.
        let mut at = index.iter().zip(&ups).fold(0i64, |at, (&i, &up)| at.wrapping_add(i.wrapping_mul(up as i64)));
        for &down in &downs {
            moved.push(at.wrapping_div(down as i64));
            at = at.wrapping_rem(down as i64);
        }
    }
    cx.set(0, coo::indices(to.rank(), len, moved)?);
    cx.set(1, shape);
    Ok(())
}

/// Returns the shape requested by `dims` for a tensor of shape `from`.
fn target(from: &Shape, dims: &[i64]) -> Result<Shape> {
    let mut unknown = None;
    for (d, &size) in dims.iter().enumerate() {
        match size {
            -1 => {
                if let Some(first) = unknown.replace(d) {
                    return Err(Error::invalid(format!(
                        "only one output dimension may be -1, not both {first} and {d}"
                    )));
                }
            }
            0.. => {}
            _ => return Err(Error::invalid(format!("size {d} must be non-negative, not {size}"))),
        }
    }
    let known: Vec<i64> = dims.iter().copied().filter(|&d| d >= 0).collect();
    let product = Shape::from_signed(&known)?.num_elements();
    let Some(unknown) = unknown else { return Shape::from_signed(dims) };
    if product == 0 {
        return Err(Error::invalid(
            "reshape cannot infer the missing input size for an empty tensor unless all specified input sizes are non-zero",
        ));
    }
    let dense = from.num_elements();
    if !dense.is_multiple_of(product) {
        return Err(Error::invalid(format!(
            "Input to reshape is a SparseTensor with {dense} dense values, but the requested shape requires a multiple of \
             {product}. input_shape={from} output_shape=[{}]",
            Words(dims, ",")
        )));
    }
    Shape::new(dims.iter().enumerate().map(|(d, &size)| if d == unknown { dense / product } else { size as usize }))
}

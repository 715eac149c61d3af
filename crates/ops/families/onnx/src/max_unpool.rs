//! `MaxUnpool` of ONNX.

use crate::base::per_axis;
use crate::prelude::*;

attrs! {
    /// `MaxUnpool` of ONNX: writes the elements of `X` to the positions in `I`, as returned by `MaxPool`, and zeros
    /// elsewhere. If `output_shape` is empty, the shape is derived from the attrs.
    pub struct OnnxMaxUnpool {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::REALS),
        /// Window size along each spatial axis.
        kernel: Vec<i64> = Attr::ints("kernel_shape"),
        /// Padding before each spatial axis, followed by the padding after each.
        pads: Vec<i64> = Attr::ints("pads").or_empty(),
        /// Stride along each spatial axis.
        strides: Vec<i64> = Attr::ints("strides").or_empty(),
    }
}

impl OnnxMaxUnpool {
    /// The shape derived from the attrs.
    fn natural(&self, shape: &Shape) -> Result<Shape> {
        let rank = shape.rank().saturating_sub(2);
        if rank == 0 {
            return Err(Error::invalid("X must have batch, channel and spatial axes").found(shape));
        }
        let kernel = per_axis("kernel_shape", &self.kernel, rank, 1, 1)?;
        let strides = per_axis("strides", &self.strides, rank, 1, 1)?;
        let pads = per_axis("pads", &self.pads, 2 * rank, 0, 0)?;
        let size = |i: usize| {
            let whole = shape[i + 2].checked_sub(1)?.checked_mul(strides[i])?.checked_add(kernel[i])?;
            whole.checked_sub(pads[i])?.checked_sub(pads[rank + i])
        };
        let sizes: Option<Vec<usize>> = (0..rank).map(size).collect();
        let sizes = sizes.ok_or_else(|| Error::invalid("the attrs give no output shape").found(shape))?;
        Shape::new(shape[..2].iter().copied().chain(sizes))
    }
}

/// Converts the flat index `at` in a tensor of shape `from` to the flat index of the same position in shape `to`.
fn moved(mut at: usize, from: &Shape, to: &Shape) -> Option<usize> {
    if from == to {
        return Some(at);
    }
    let (mut place, mut stride) = (0, 1);
    for (&n, &m) in from.iter().zip(to.iter()).rev() {
        let i = at % n;
        at /= n;
        if i >= m {
            return None;
        }
        place += i * stride;
        stride *= m;
    }
    Some(place)
}

pub static ONNX_MAX_UNPOOL: Def<OnnxMaxUnpool> = op("OnnxMaxUnpool")
    .inputs(&[arg("X", of("T")), arg("I", is(DType::I64)), arg("output_shape", is(DType::I64))])
    .outputs(&[arg("output", of("T"))])
    .shape(shape)
    .kernel(onnx_max_unpool)
    .heavy();

fn shape(op: &OnnxMaxUnpool, cx: &mut ShapeCx<'_>) -> Result<()> {
    let shape = match (cx.constant_i64s(2), cx.input(0).known()) {
        (Some(dims), Some(shape)) if dims.is_empty() => PartialShape::from(op.natural(&shape)?),
        (Some(dims), _) if !dims.is_empty() => PartialShape::from_signed(&dims),
        _ => cx.input(0).rank().map_or(PartialShape::Unknown, PartialShape::of_rank),
    };
    cx.output(0, shape);
    Ok(())
}

fn onnx_max_unpool(op: &OnnxMaxUnpool, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (shape, asked) = (cx.input(0)?.shape().clone(), cx.i64s(2)?);
    // The indices refer to the tensor that was pooled.
    let natural = op.natural(&shape)?;
    let whole = if asked.is_empty() { natural.clone() } else { Shape::from_signed(&asked)? };
    if cx.input(1)?.shape() != &shape || whole.rank() != shape.rank() || whole[..2] != shape[..2] {
        return Err(Error::invalid("the shapes of X, I and the output do not agree")
            .found(format!("{shape}, {} and {whole}", cx.input(1)?.shape())));
    }
    let mut out = cx.zeros(op.dtype, &whole)?;
    let size = op.dtype.size();
    if let (Some(from), Some(to)) = (cx.input(0)?.bytes(), out.bytes_mut()) {
        let limit = natural.num_elements();
        for (x, &at) in from.chunks_exact(size).zip(cx.slice::<i64>(1)?) {
            let inside = usize::try_from(at).ok().filter(|&at| at < limit).and_then(|at| moved(at, &natural, &whole));
            let at = inside.ok_or_else(|| {
                Error::invalid("I has an index outside of the output")
                    .expected(format!("0 to {limit} (exclusive)"))
                    .found(at)
            })?;
            to[at * size..][..size].copy_from_slice(x);
        }
    }
    cx.set(0, out);
    Ok(())
}

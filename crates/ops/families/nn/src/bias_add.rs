//! `BiasAdd` and `BiasAddV1`: add a bias to each channel.

use super::bias_add_grad::BIAS_ADD_GRAD;
use crate::prelude::*;
use levada_ops_core::halves::Half;
use levada_ops_core::images::window::Layout;

attrs! {
    /// The attrs of `BiasAdd` and its gradient.
    pub struct BiasAdd {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::NUMBERTYPE),
        /// Position of the channel axis: last for `NHWC`, axis 1 for `NCHW`, whatever the rank.
        data_format: Bytes = Attr::one_of("data_format", &["NHWC", "NCHW"]).or_str("NHWC"),
    }
}

pub static BIAS_ADD: Def<BiasAdd> = op::<BiasAdd>("BiasAdd")
    .spreads()
    .doc("Adds `bias[c]` to every element of channel `c`.")
    .inputs(&[arg("value", of("T")), arg("bias", of("T"))])
    .outputs(&[arg("output", of("T"))])
    .also(&[form("BiasAddV1")
        .doc("Adds `bias[c]` to every element of channel `c`, along the last axis.")
        .without(&["data_format"])])
    .shape(shape)
    .gradient(|op, g| {
        let db = BIAS_ADD_GRAD.node(g, op, &[g.dy(0)]);
        vec![g.dy(0).into(), db.into()]
    })
    .kernel(bias_add)
    .epilogue(|op| (Epilogue::is_for(op.dtype) && &op.data_format[..] == b"NHWC").then_some(Epilogue::Bias))
    .batch(|op, b| match (b.rank(0)?, b.varies(1)) {
        (0 | 1, _) => None,
        (_, false) if op.data_format == "NHWC" => b.one(b.again(&b.inputs())),
        (_, false) => levada_ops_core::batch::fold_rows(b, &[0]),
        (rank, true) if op.data_format == "NHWC" && b.rank(1)? == 1 => {
            // One bias per example, along the last axis.
            let same = b.shape(0).dim(rank as isize - 1)? == b.shape(1).dim(0)?;
            same.then(|| b.one(b.each(0) + b.widened(1, rank - 1))).flatten()
        }
        _ => None,
    });

fn shape(op: &BiasAdd, cx: &mut ShapeCx<'_>) -> Result<()> {
    let layout = Layout::of(&op.data_format)?;
    let (value, bias) = (cx.rank_at_least(0, 2)?, cx.with_rank(1, 1)?);
    if let Some(rank) = value.rank() {
        let mut dims: Vec<Dim> = vec![None; rank];
        dims[layout.channel(rank)] = bias.dim(0);
        cx.output(0, value.merge(&PartialShape::new(dims))?);
    }
    Ok(())
}

fn bias_add(op: &BiasAdd, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (dtype, layout) = (op.dtype, Layout::of(&op.data_format)?);
    let (value, bias) = (cx.input(0)?, cx.input(1)?);
    let shape = value.shape().clone();
    if shape.rank() < 2 {
        return Err(Error::invalid(format!("Input tensor must be at least 2D: {shape}")));
    }
    if bias.shape().rank() != 1 {
        return Err(Error::invalid(format!("Biases must be 1D: {}", bias.shape())));
    }
    let axis = layout.channel(shape.rank());
    let channels = shape[axis];
    if bias.num_elements() != channels {
        return Err(Error::invalid(format!(
            "Must provide as many biases as the channel dimension of the input tensor: {} vs. {channels} in {shape}",
            bias.shape()
        )));
    }
    let inner: usize = shape[axis + 1..].iter().product();
    match dtype {
        DType::F16 => return add_to_halves::<f16>(cx, &shape, (channels, inner)),
        DType::BF16 => return add_to_halves::<bf16>(cx, &shape, (channels, inner)),
        _ => {}
    }
    dispatch!(dtype.storage(), numbers, |T| {
        let bias = cx.input(1)?.clone();
        let (mut out, in_place) = cx.forward_or_alloc(0, dtype, &shape)?;
        let bias = bias.slice::<T>()?;
        let source = if in_place { None } else { Some(cx.input(0)?.slice::<T>()?) };
        let out_slice = out.slice_mut::<T>()?;
        let (rows, width) = if inner == 1 { (channels, channels) } else { (1, inner) };
        cx.pool().for_chunks(out_slice, width, width as f64 * 0.3, |first, piece| {
            if let Some(source) = source {
                piece.copy_from_slice(&source[first * width..][..piece.len()]);
            }
            if rows == 1 {
                for (i, row) in piece.chunks_exact_mut(width).enumerate() {
                    let b = bias[(first + i) % channels];
                    row.iter_mut().for_each(|o| *o = o.add(b));
                }
            } else {
                for row in piece.chunks_exact_mut(width) {
                    row.iter_mut().zip(bias).for_each(|(o, &b)| *o = o.add(b));
                }
            }
        });
        cx.set(0, out);
        Ok(())
    }, else unsupported(cx, dtype))
}

/// As `bias_add`, for 16-bit floats: blocks are widened, added to, and rounded once.
fn add_to_halves<H: Half>(cx: &mut Cx<'_, '_>, shape: &Shape, (channels, inner): (usize, usize)) -> Result<()> {
    const BLOCK: usize = 1024;
    let mut biases = vec![0f32; channels];
    H::to_singles(cx.slice::<H>(1)?, &mut biases);
    let (mut out, in_place) = cx.forward_or_alloc(0, H::DTYPE, shape)?;
    let source = if in_place { None } else { Some(cx.input(0)?.slice::<H>()?) };
    let width = if inner == 1 { channels } else { inner };
    cx.pool().for_chunks(out.slice_mut::<H>()?, width, width as f64 * 0.3, |first, piece| {
        if let Some(source) = source {
            piece.copy_from_slice(&source[first * width..][..piece.len()]);
        }
        let mut block = [0f32; BLOCK];
        for (i, row) in piece.chunks_exact_mut(width).enumerate() {
            for (start, part) in (0..).step_by(BLOCK).zip(row.chunks_mut(BLOCK)) {
                let wide = &mut block[..part.len()];
                H::to_singles(part, wide);
                if inner == 1 {
                    wide.iter_mut().zip(&biases[start..]).for_each(|(w, b)| *w += b);
                } else {
                    let b = biases[(first + i) % channels];
                    wide.iter_mut().for_each(|w| *w += b);
                }
                H::from_singles(wide, part);
            }
        }
    });
    cx.set(0, out);
    Ok(())
}

//! `Conv`: a convolution over two or three spatial dimensions with any number of batch axes.

use super::convolution::Convolution;
use super::parameters::Parameters;
use super::product::dispatch_operand;
use crate::prelude::*;
use levada_ops_core::constant::Cache;
use levada_ops_core::images::window::Layout;

const TYPES: &[DType] = &[DType::F16, DType::BF16, DType::F32, DType::F64, DType::I32];

attrs! {
    /// Convolves images or volumes with a filter.
    pub struct Conv {
        /// Element type.
        dtype: DType = Attr::dtype("T", TYPES),
        /// Strides: 1, then one for each spatial axis, then 1 (channels last), or 1, 1, then one for each spatial axis
        /// (channels first).
        strides: Vec<i64> = Attr::ints("strides"),
        /// `SAME`, `VALID` or `EXPLICIT`.
        padding: Bytes = Attr::one_of("padding", &["SAME", "VALID", "EXPLICIT"]),
        /// For `EXPLICIT`: the padding before and after each axis.
        explicit_paddings: Vec<i64> = Attr::ints("explicit_paddings").or_empty(),
        /// Position of the channel axis.
        data_format: Bytes =
            Attr::one_of("data_format", &["CHANNELS_FIRST", "CHANNELS_LAST"]).or_str("CHANNELS_LAST"),
        /// Dilations, in the same order as `strides`; empty for ones.
        dilations: Vec<i64> = Attr::ints("dilations").or_empty(),
        /// Number of batch axes.
        batch_dims: i64 = Attr::int("batch_dims").or_int(1),
        /// Number of channel groups.
        groups: i64 = Attr::int("groups").or_int(1),
    }
}

impl Conv {
    fn parameters(&self, spatial: usize) -> Parameters<'_> {
        Parameters {
            spatial,
            strides: &self.strides,
            dilations: &self.dilations,
            padding: &self.padding,
            explicit_paddings: &self.explicit_paddings,
            data_format: &self.data_format,
        }
    }

    /// Number of spatial axes of images of this rank.
    fn spatial(&self, rank: usize) -> Result<usize> {
        let spatial = rank as i64 - 1 - self.batch_dims;
        match spatial {
            2 | 3 if self.batch_dims >= 0 => Ok(spatial as usize),
            _ => Err(Error::invalid(format!("The input must have 2 or 3 spatial dimensions but got {spatial}"))),
        }
    }
}

pub static CONV: Def<Conv> = op("Conv")
    .inputs(&[arg("input", of("T")), arg("filter", of("T"))])
    .outputs(&[arg("output", of("T"))])
    .shape(shape)
    .kernel(conv)
    .heavy();

fn shape(op: &Conv, cx: &mut ShapeCx<'_>) -> Result<()> {
    let input = cx.input(0);
    match input.rank() {
        Some(rank) if op.batch_dims == 1 => op.parameters(op.spatial(rank)?).shape(cx),
        Some(rank) => {
            op.spatial(rank)?;
            cx.output(0, PartialShape::of_rank(rank));
            Ok(())
        }
        None => Ok(()),
    }
}

fn conv(op: &Conv, cx: &mut Cx<'_, '_>) -> Result<()> {
    let cache = Cache::of_constant(cx, 1)?;
    let (input, filter) = (cx.input(0)?.clone(), cx.input(1)?);
    let spatial = op.spatial(input.shape().rank())?;
    let (batch, image) = input.shape().split_at(op.batch_dims as usize);
    let flat = Shape::new(std::iter::once(batch.iter().product()).chain(image.iter().copied()))?;
    let layout = Layout::of(&op.data_format)?;
    if filter.shape().rank() == spatial + 2 {
        let (channels, depth) = (flat[layout.channel(spatial + 2)], filter.shape()[spatial]);
        if usize::try_from(op.groups).ok().and_then(|g| depth.checked_mul(g)) != Some(channels) {
            return Err(Error::invalid(format!("Input depth must be equal to filter depth: {channels} vs {depth}"))
                .found(format!("{} groups", op.groups)));
        }
    }
    let batch = batch.to_vec();
    let convolution = Convolution::new(&op.parameters(spatial), &flat, filter.shape())?;
    let flat = input.reshaped(flat)?;
    let out = dispatch_operand!(op.dtype, |T| convolution.forward::<T>(cx, &flat, filter, cache.as_deref(), None))?;
    let shape = Shape::new(batch.into_iter().chain(out.shape()[1..].iter().copied()))?;
    cx.set(0, out.reshaped(shape)?);
    Ok(())
}

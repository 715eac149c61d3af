//! `RandomCrop`: a random crop of an image.

use crate::philox::Stream;
use crate::prelude::*;
use crate::rules::never;

attrs! {
    /// Crops `image` at random to the height and width in `size`.
    pub struct RandomCrop {
        /// Element type.
        dtype: DType = Attr::dtype(
            "T",
            &[DType::U8, DType::I8, DType::I16, DType::I32, DType::I64, DType::F32, DType::F64],
        ),
        /// First seed; if both seeds are 0, the crops differ from session to session.
        seed: i64 = Attr::int("seed").or_int(0),
        /// Second seed.
        seed2: i64 = Attr::int("seed2").or_int(0),
    }
}

pub static RANDOM_CROP: Def<RandomCrop> = op("RandomCrop")
    .inputs(&[arg("image", of("T")), arg("size", is(DType::I64))])
    .outputs(&[arg("output", of("T"))])
    .effect(Effect::Own)
    .host_inputs(&[1])
    .shape(|_, cx| {
        let image = cx.with_rank(0, 3)?;
        let size = cx.constant_shape(1);
        cx.output(0, PartialShape::new([size.dim(0), size.dim(1), image.dim(2)]));
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(random_crop);

fn random_crop(op: &RandomCrop, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (image, size) = (cx.input(0)?, cx.input(1)?);
    let &[height, width, channels] = image.shape().dims() else {
        return Err(Error::invalid("input must be 3-dimensional").found(format!("shape {}", image.shape())));
    };
    let &[rows, columns] = size.slice::<i64>()? else {
        return Err(Error::invalid("size must have two elements").found(format!("shape {}", size.shape())));
    };
    if size.shape().rank() != 1 {
        return Err(Error::invalid("size must be 1-dimensional").found(format!("shape {}", size.shape())));
    }
    let fits = |what: &str, wanted: i64, there: usize| match usize::try_from(wanted) {
        Ok(wanted) if wanted <= there => Ok(wanted),
        Ok(_) => Err(Error::failed_precondition(format!(
            "{what} must be >= target_{what}: {what} = {there}, target_{what} = {wanted}"
        ))),
        Err(_) => Err(Error::invalid(format!("target_{what} must not be negative")).found(wanted)),
    };
    let (rows, columns) = (fits("height", rows, height)?, fits("width", columns, width)?);
    let stream = cx.node_state(|| Stream::new(op.seed, op.seed2))?;
    let mut random = stream.reserve(1).singles();
    let mut place = |room: usize| match room {
        0 => 0,
        room => (u64::from(random.next()) % (room as u64 + 1)) as usize,
    };
    let left = place(width - columns);
    let top = place(height - rows);
    let mut out = cx.alloc(op.dtype, &Shape::new([rows, columns, channels])?)?;
    dispatch!(op.dtype, reals, |T| {
        let from = image.slice::<T>()?;
        let lines = out.slice_mut::<T>()?.chunks_exact_mut((columns * channels).max(1));
        for (row, line) in lines.enumerate() {
            line.copy_from_slice(&from[((top + row) * width + left) * channels..][..columns * channels]);
        }
    }, else return unsupported(cx, op.dtype));
    cx.set(0, out);
    Ok(())
}

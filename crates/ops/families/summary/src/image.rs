//! `ImageSummary`: images as PNG.

use crate::numbers::scalar;
use crate::prelude::*;
use crate::rules::never;
use levada_summary::Summary;

/// Element types of images.
pub(crate) const IMAGES: &[DType] = &[DType::U8, DType::F32, DType::F16, DType::F64];

attrs! {
    /// Creates a summary of the first images of a batch.
    pub struct ImageSummary {
        /// Maximum number of images.
        max_images: i64 = Attr::int("max_images").or_int(3).at_least(1),
        /// Element type of the images.
        dtype: DType = Attr::dtype("T", IMAGES).or_type(DType::F32),
        /// Color of pixels that are not finite.
        bad_color: Tensor = Attr::tensor("bad_color").or(AttrDefault::Octets(&[255, 0, 0, 255])),
    }
}

pub static IMAGE_SUMMARY: Def<ImageSummary> = op("ImageSummary")
    .inputs(&[arg("tag", is(DType::Str)), arg("tensor", of("T"))])
    .outputs(&[arg("summary", is(DType::Str))])
    .shape(|_, cx| {
        cx.output_scalar(0);
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(image_summary)
    .heavy();

fn image_summary(op: &ImageSummary, cx: &mut Cx<'_, '_>) -> Result<()> {
    let tag: Bytes = scalar(cx, 0, "Tags")?;
    let color = &op.bad_color;
    if color.dtype() != DType::U8 || color.shape().rank() != 1 {
        return Err(Error::invalid("bad_color must be a vector of uint8").attr("bad_color").found(format!(
            "{}{}",
            color.dtype(),
            color.shape()
        )));
    }
    let mut summary = Summary::default();
    summary.images(tag, cx.input(1)?, op.max_images as usize, color.slice::<u8>()?)?;
    cx.set(0, Tensor::string(summary.bytes()));
    Ok(())
}

//! Ops that decode, encode and resample images and change their colors.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::prelude;
#[cfg(test)]
use levada_ops_core::testing;

#[cfg(feature = "codecs")]
mod codec;
pub mod scale;

family! {
    adjust_contrast = ADJUST_CONTRASTV2;
    adjust_hue = ADJUST_HUE;
    adjust_saturation = ADJUST_SATURATION;
    crop_and_resize = CROP_AND_RESIZE, CROP_AND_RESIZE_GRAD_BOXES, CROP_AND_RESIZE_GRAD_IMAGE;
    #[cfg(feature = "codecs")]
    decode_image: DecodeBmp, DecodeGif, DecodeImage, DecodeJpeg, DecodePng = DECODE_AND_CROP_JPEG, EXTRACT_JPEG_SHAPE;
    #[cfg(feature = "codecs")]
    encode_image = ENCODE_JPEG, ENCODE_JPEG_VARIABLE_QUALITY, ENCODE_PNG;
    hsv: HSVToRGB, RGBToHSV;
    resize_area: ResizeArea;
    resize_bicubic: ResizeBicubic, ResizeBicubicGrad;
    resize_bilinear: ResizeBilinear, ResizeBilinearGrad;
    resize_nearest_neighbor: ResizeNearestNeighbor, ResizeNearestNeighborGrad;
}

//! Ops that decode, encode and resample images and change their colors.

#[macro_use]
extern crate levada_ops_core;

#[cfg(test)]
use levada_ops_core::testing;
use levada_ops_core::{prelude};

#[cfg(feature = "codecs")]
mod codec;
pub mod scale;

family! {
    adjust_contrast: AdjustContrastv2;
    adjust_hue: AdjustHue;
    adjust_saturation: AdjustSaturation;
    crop_and_resize: CropAndResize, CropAndResizeGradBoxes, CropAndResizeGradImage;
    #[cfg(feature = "codecs")]
    decode_image: DecodeAndCropJpeg, DecodeBmp, DecodeGif, DecodeImage, DecodeJpeg, DecodePng, ExtractJpegShape;
    #[cfg(feature = "codecs")]
    encode_image: EncodeJpeg, EncodeJpegVariableQuality, EncodePng;
    hsv: HSVToRGB, RGBToHSV;
    resize_area: ResizeArea;
    resize_bicubic: ResizeBicubic, ResizeBicubicGrad;
    resize_bilinear: ResizeBilinear, ResizeBilinearGrad;
    resize_nearest_neighbor: ResizeNearestNeighbor, ResizeNearestNeighborGrad;
}

//! Ops that decode, encode and resample images and change their colors.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::{philox, prelude, rules};

#[cfg(feature = "codecs")]
mod codec;
#[cfg(feature = "codecs")]
mod jpeg;
pub mod scale;
mod taps;

family! {
    adjust_contrast = ADJUST_CONTRAST, ADJUST_CONTRAST_V1;
    adjust_hue = ADJUST_HUE;
    adjust_saturation = ADJUST_SATURATION;
    crop_and_resize = CROP_AND_RESIZE, CROP_AND_RESIZE_GRAD_BOXES, CROP_AND_RESIZE_GRAD_IMAGE;
    #[cfg(feature = "codecs")]
    decode_image = DECODE_AND_CROP_JPEG, DECODE_BMP, DECODE_GIF, DECODE_IMAGE, DECODE_JPEG, DECODE_PNG, EXTRACT_JPEG_SHAPE;
    #[cfg(feature = "codecs")]
    encode_image = ENCODE_JPEG, ENCODE_JPEG_VARIABLE_QUALITY, ENCODE_PNG;
    glimpse = EXTRACT_GLIMPSE;
    hsv = HSV_TO_RGB, RGB_TO_HSV;
    patches = EXTRACT_IMAGE_PATCHES, EXTRACT_VOLUME_PATCHES;
    projective_transform = IMAGE_PROJECTIVE_TRANSFORM;
    random_crop = RANDOM_CROP;
    resize_area = RESIZE_AREA;
    resize_bicubic = RESIZE_BICUBIC, RESIZE_BICUBIC_GRAD;
    resize_bilinear = RESIZE_BILINEAR, RESIZE_BILINEAR_GRAD;
    resize_nearest_neighbor = RESIZE_NEAREST_NEIGHBOR, RESIZE_NEAREST_NEIGHBOR_GRAD;
    scale_and_translate = SCALE_AND_TRANSLATE, SCALE_AND_TRANSLATE_GRAD;
}

// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops of the family `image`.

use crate::node::{Input, Node, Ops, common, one_output, string};
use levada_graph::DType;

impl Ops<'_> {
    /// Legacy form of `AdjustContrastv2`; the result is clipped to the range from `min_value` to `max_value`.
    ///
    /// - `images`: a tensor of `T`
    /// - `contrast_factor`: a tensor of float32
    /// - `min_value`: a tensor of float32
    /// - `max_value`: a tensor of float32
    ///
    /// `T` is float32, float64, int32, uint8, int16, int8, int64.
    ///
    /// It has no gradient.
    pub fn adjust_contrast(&self, images: impl Input, contrast_factor: impl Input, min_value: impl Input, max_value: impl Input) -> AdjustContrast<'_> {
        AdjustContrast(Node::new(self, "AdjustContrast").input(images).input(contrast_factor).input(min_value).input(max_value))
    }

    /// Scales every channel of every image around its mean: `(x - mean) * contrast_factor + mean`.
    ///
    /// - `images`: a tensor of `T`
    /// - `contrast_factor`: a tensor of float32
    ///
    /// `T` is float32, float16.
    ///
    /// It has no gradient.
    pub fn adjust_contrastv2(&self, images: impl Input, contrast_factor: impl Input) -> AdjustContrastv2<'_> {
        AdjustContrastv2(Node::new(self, "AdjustContrastv2").input(images).input(contrast_factor))
    }

    /// Rotates the hue of RGB images by `delta`, where 1.0 is a full turn. Saturation and value are preserved.
    ///
    /// - `images`: a tensor of `T`
    /// - `delta`: a tensor of float32
    ///
    /// `T` is float32, float16.
    ///
    /// It has no gradient.
    pub fn adjust_hue(&self, images: impl Input, delta: impl Input) -> AdjustHue<'_> {
        AdjustHue(Node::new(self, "AdjustHue").input(images).input(delta))
    }

    /// Multiplies the saturation of RGB images by `scale`, clipped to the range 0 to 1. Hue and value are preserved.
    ///
    /// - `images`: a tensor of `T`
    /// - `scale`: a tensor of float32
    ///
    /// `T` is float32, float16.
    ///
    /// It has no gradient.
    pub fn adjust_saturation(&self, images: impl Input, scale: impl Input) -> AdjustSaturation<'_> {
        AdjustSaturation(Node::new(self, "AdjustSaturation").input(images).input(scale))
    }

    /// Crops boxes from images and resizes them to a common size.
    ///
    /// - `image`: a tensor of `T`
    /// - `boxes`: a tensor of float32
    /// - `box_ind`: a tensor of int32
    /// - `crop_size`: a tensor of int32
    ///
    /// `T` is any integer or float.
    pub fn crop_and_resize(&self, image: impl Input, boxes: impl Input, box_ind: impl Input, crop_size: impl Input) -> CropAndResize<'_> {
        CropAndResize(Node::new(self, "CropAndResize").input(image).input(boxes).input(box_ind).input(crop_size))
    }

    /// The gradient of `CropAndResize` with respect to the boxes.
    ///
    /// - `grads`: a tensor of float32
    /// - `image`: a tensor of `T`
    /// - `boxes`: a tensor of float32
    /// - `box_ind`: a tensor of int32
    ///
    /// `T` is any integer or float.
    ///
    /// It has no gradient.
    pub fn crop_and_resize_grad_boxes(&self, grads: impl Input, image: impl Input, boxes: impl Input, box_ind: impl Input) -> CropAndResizeGradBoxes<'_> {
        CropAndResizeGradBoxes(Node::new(self, "CropAndResizeGradBoxes").input(grads).input(image).input(boxes).input(box_ind))
    }

    /// The gradient of `CropAndResize` with respect to the images.
    ///
    /// - `grads`: a tensor of float32
    /// - `boxes`: a tensor of float32
    /// - `box_ind`: a tensor of int32
    /// - `image_size`: a tensor of int32
    /// - `t`: Element type of the images. Allowed: any float.
    ///
    /// It has no gradient.
    pub fn crop_and_resize_grad_image(&self, grads: impl Input, boxes: impl Input, box_ind: impl Input, image_size: impl Input, t: DType) -> CropAndResizeGradImage<'_> {
        let mut node = Node::new(self, "CropAndResizeGradImage").input(grads).input(boxes).input(box_ind).input(image_size);
        node.set("T", t);
        CropAndResizeGradImage(node)
    }

    /// Decodes a cropped region of a JPEG image.
    ///
    /// - `contents`: a tensor of string
    /// - `crop_window`: a tensor of int32
    ///
    /// It has no gradient.
    pub fn decode_and_crop_jpeg(&self, contents: impl Input, crop_window: impl Input) -> DecodeAndCropJpeg<'_> {
        DecodeAndCropJpeg(Node::new(self, "DecodeAndCropJpeg").input(contents).input(crop_window))
    }

    /// Decodes a BMP image.
    ///
    /// - `contents`: a tensor of string
    ///
    /// It has no gradient.
    pub fn decode_bmp(&self, contents: impl Input) -> DecodeBmp<'_> {
        DecodeBmp(Node::new(self, "DecodeBmp").input(contents))
    }

    /// Decodes all frames of a GIF, or the single image of a PNG or JPEG.
    ///
    /// - `contents`: a tensor of string
    ///
    /// It has no gradient.
    pub fn decode_gif(&self, contents: impl Input) -> DecodeGif<'_> {
        DecodeGif(Node::new(self, "DecodeGif").input(contents))
    }

    /// Decodes a BMP, GIF, JPEG or PNG image.
    ///
    /// - `contents`: a tensor of string
    ///
    /// It has no gradient.
    pub fn decode_image(&self, contents: impl Input) -> DecodeImage<'_> {
        DecodeImage(Node::new(self, "DecodeImage").input(contents))
    }

    /// Decodes a JPEG or PNG image, or a GIF with a single frame.
    ///
    /// - `contents`: a tensor of string
    ///
    /// It has no gradient.
    pub fn decode_jpeg(&self, contents: impl Input) -> DecodeJpeg<'_> {
        DecodeJpeg(Node::new(self, "DecodeJpeg").input(contents))
    }

    /// Decodes a PNG or JPEG image, or a GIF with a single frame.
    ///
    /// - `contents`: a tensor of string
    ///
    /// It has no gradient.
    pub fn decode_png(&self, contents: impl Input) -> DecodePng<'_> {
        DecodePng(Node::new(self, "DecodePng").input(contents))
    }

    /// Encodes an image as JPEG.
    ///
    /// - `image`: a tensor of uint8
    ///
    /// It has no gradient.
    pub fn encode_jpeg(&self, image: impl Input) -> EncodeJpeg<'_> {
        EncodeJpeg(Node::new(self, "EncodeJpeg").input(image))
    }

    /// Encodes an image as JPEG with the quality given by an input.
    ///
    /// - `images`: a tensor of uint8
    /// - `quality`: a tensor of int32
    ///
    /// It has no gradient.
    pub fn encode_jpeg_variable_quality(&self, images: impl Input, quality: impl Input) -> EncodeJpegVariableQuality<'_> {
        EncodeJpegVariableQuality(Node::new(self, "EncodeJpegVariableQuality").input(images).input(quality))
    }

    /// Encodes an image as PNG.
    ///
    /// - `image`: a tensor of `T`
    ///
    /// `T` is uint8, uint16.
    ///
    /// It has no gradient.
    pub fn encode_png(&self, image: impl Input) -> EncodePng<'_> {
        EncodePng(Node::new(self, "EncodePng").input(image))
    }

    /// Extracts a window of `size` pixels (rows, columns) from each image at its row of `offsets`. Pixels outside of an image are filled with noise.
    ///
    /// - `input`: a tensor of float32
    /// - `size`: a tensor of int32
    /// - `offsets`: a tensor of float32
    pub fn extract_glimpse(&self, input: impl Input, size: impl Input, offsets: impl Input) -> ExtractGlimpse<'_> {
        ExtractGlimpse(Node::new(self, "ExtractGlimpse").input(input).input(size).input(offsets))
    }

    /// As `ExtractGlimpse`, but offsets that are not both centered and normalized give a window's first pixel.
    ///
    /// - `input`: a tensor of float32
    /// - `size`: a tensor of int32
    /// - `offsets`: a tensor of float32
    ///
    /// It has no gradient.
    pub fn extract_glimpse_v2(&self, input: impl Input, size: impl Input, offsets: impl Input) -> ExtractGlimpseV2<'_> {
        ExtractGlimpseV2(Node::new(self, "ExtractGlimpseV2").input(input).input(size).input(offsets))
    }

    /// Extracts sliding windows (patches) from images in row-major order and concatenates the channels of each window's pixels.
    ///
    /// - `images`: a tensor of `T`
    /// - `ksizes`: Size of a window along each axis. Length at least 4.
    /// - `strides`: Distance between windows along each axis. Length at least 4.
    /// - `rates`: Distance between a window's pixels along each axis. Length at least 4.
    /// - `padding`: `SAME` places a window around every `strides`-th pixel, padded with zeros; `VALID` keeps only whole windows. One of `"SAME"`, `"VALID"`.
    ///
    /// `T` is any number, bool.
    pub fn extract_image_patches(&self, images: impl Input, ksizes: &[i64], strides: &[i64], rates: &[i64], padding: impl AsRef<[u8]>) -> ExtractImagePatches<'_> {
        let mut node = Node::new(self, "ExtractImagePatches").input(images);
        node.set("ksizes", ksizes.to_vec());
        node.set("strides", strides.to_vec());
        node.set("rates", rates.to_vec());
        node.set("padding", string(padding));
        ExtractImagePatches(node)
    }

    /// Returns the height, width and number of channels of a JPEG image.
    ///
    /// - `contents`: a tensor of string
    ///
    /// It has no gradient.
    pub fn extract_jpeg_shape(&self, contents: impl Input) -> ExtractJpegShape<'_> {
        ExtractJpegShape(Node::new(self, "ExtractJpegShape").input(contents))
    }

    /// Extracts sliding windows (patches) from volumes, by plane and then row, and concatenates the channels of each window's pixels.
    ///
    /// - `input`: a tensor of `T`
    /// - `ksizes`: Size of a window along each axis. Length at least 5.
    /// - `strides`: Distance between windows along each axis. Length at least 5.
    /// - `padding`: `SAME` places a window around every `strides`-th pixel, padded with zeros; `VALID` keeps only whole windows. One of `"SAME"`, `"VALID"`.
    ///
    /// `T` is any integer or float.
    pub fn extract_volume_patches(&self, input: impl Input, ksizes: &[i64], strides: &[i64], padding: impl AsRef<[u8]>) -> ExtractVolumePatches<'_> {
        let mut node = Node::new(self, "ExtractVolumePatches").input(input);
        node.set("ksizes", ksizes.to_vec());
        node.set("strides", strides.to_vec());
        node.set("padding", string(padding));
        ExtractVolumePatches(node)
    }

    /// Converts colors from hue, saturation and value, all between 0 and 1, to red, green and blue.
    ///
    /// - `images`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn hsv_to_rgb(&self, images: impl Input) -> HSVToRGB<'_> {
        HSVToRGB(Node::new(self, "HSVToRGB").input(images))
    }

    /// Sets each output pixel `(x, y)` to the input pixel at `((a x + b y + c) / k, (d x + e y + f) / k)`, where `k` is `g x + h y + 1`. The rows of `transforms` are `a` to `h`, one row for all images or one for each.
    ///
    /// - `images`: a tensor of `dtype`
    /// - `transforms`: a tensor of float32
    /// - `output_shape`: a tensor of int32
    /// - `interpolation`: Interpolation method: `NEAREST` or `BILINEAR`.
    ///
    /// `dtype` is any float, int32, uint8, int64.
    pub fn image_projective_transform_v2(&self, images: impl Input, transforms: impl Input, output_shape: impl Input, interpolation: impl AsRef<[u8]>) -> ImageProjectiveTransformV2<'_> {
        let mut node = Node::new(self, "ImageProjectiveTransformV2").input(images).input(transforms).input(output_shape);
        node.set("interpolation", string(interpolation));
        ImageProjectiveTransformV2(node)
    }

    /// As `ImageProjectiveTransformV2`, with the fill value for pixels outside of an image given by an input.
    ///
    /// - `images`: a tensor of `dtype`
    /// - `transforms`: a tensor of float32
    /// - `output_shape`: a tensor of int32
    /// - `fill_value`: a tensor of float32
    /// - `interpolation`: Interpolation method: `NEAREST` or `BILINEAR`.
    ///
    /// `dtype` is any float, int32, uint8, int64.
    pub fn image_projective_transform_v3(&self, images: impl Input, transforms: impl Input, output_shape: impl Input, fill_value: impl Input, interpolation: impl AsRef<[u8]>) -> ImageProjectiveTransformV3<'_> {
        let mut node = Node::new(self, "ImageProjectiveTransformV3").input(images).input(transforms).input(output_shape).input(fill_value);
        node.set("interpolation", string(interpolation));
        ImageProjectiveTransformV3(node)
    }

    /// Converts colors from red, green and blue to hue, saturation and value, all between 0 and 1.
    ///
    /// - `images`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn rgb_to_hsv(&self, images: impl Input) -> RGBToHSV<'_> {
        RGBToHSV(Node::new(self, "RGBToHSV").input(images))
    }

    /// Crops `image` at random to the height and width in `size`.
    ///
    /// - `image`: a tensor of `T`
    /// - `size`: a tensor of int64
    ///
    /// `T` is float32, float64, int32, uint8, int16, int8, int64.
    pub fn random_crop(&self, image: impl Input, size: impl Input) -> RandomCrop<'_> {
        RandomCrop(Node::new(self, "RandomCrop").input(image).input(size))
    }

    /// Resizes images by area interpolation: every pixel is the mean of the input area it covers.
    ///
    /// - `images`: a tensor of `T`
    /// - `size`: a tensor of int32
    ///
    /// `T` is any integer or float.
    ///
    /// It has no gradient.
    pub fn resize_area(&self, images: impl Input, size: impl Input) -> ResizeArea<'_> {
        ResizeArea(Node::new(self, "ResizeArea").input(images).input(size))
    }

    /// Resizes images by bicubic interpolation: every pixel is a weighted sum of the 16 nearest input pixels.
    ///
    /// - `images`: a tensor of `T`
    /// - `size`: a tensor of int32
    ///
    /// `T` is any integer or float.
    pub fn resize_bicubic(&self, images: impl Input, size: impl Input) -> ResizeBicubic<'_> {
        ResizeBicubic(Node::new(self, "ResizeBicubic").input(images).input(size))
    }

    /// The gradient of `ResizeBicubic`.
    ///
    /// - `grads`: a tensor of float32
    /// - `original_image`: a tensor of `T`
    ///
    /// `T` is float32, float64.
    pub fn resize_bicubic_grad(&self, grads: impl Input, original_image: impl Input) -> ResizeBicubicGrad<'_> {
        ResizeBicubicGrad(Node::new(self, "ResizeBicubicGrad").input(grads).input(original_image))
    }

    /// Resizes images by bilinear interpolation of the four nearest input pixels.
    ///
    /// - `images`: a tensor of `T`
    /// - `size`: a tensor of int32
    ///
    /// `T` is any integer or float.
    pub fn resize_bilinear(&self, images: impl Input, size: impl Input) -> ResizeBilinear<'_> {
        ResizeBilinear(Node::new(self, "ResizeBilinear").input(images).input(size))
    }

    /// The gradient of `ResizeBilinear`.
    ///
    /// - `grads`: a tensor of float32
    /// - `original_image`: a tensor of `T`
    ///
    /// `T` is any float.
    pub fn resize_bilinear_grad(&self, grads: impl Input, original_image: impl Input) -> ResizeBilinearGrad<'_> {
        ResizeBilinearGrad(Node::new(self, "ResizeBilinearGrad").input(grads).input(original_image))
    }

    /// Resizes images by nearest-neighbor interpolation.
    ///
    /// - `images`: a tensor of `T`
    /// - `size`: a tensor of int32
    ///
    /// `T` is any integer or float.
    pub fn resize_nearest_neighbor(&self, images: impl Input, size: impl Input) -> ResizeNearestNeighbor<'_> {
        ResizeNearestNeighbor(Node::new(self, "ResizeNearestNeighbor").input(images).input(size))
    }

    /// The gradient of `ResizeNearestNeighbor`.
    ///
    /// - `grads`: a tensor of `T`
    /// - `size`: a tensor of int32
    ///
    /// `T` is any integer or float.
    pub fn resize_nearest_neighbor_grad(&self, grads: impl Input, size: impl Input) -> ResizeNearestNeighborGrad<'_> {
        ResizeNearestNeighborGrad(Node::new(self, "ResizeNearestNeighborGrad").input(grads).input(size))
    }

    /// Resamples images to `size` pixels after scaling and then translating them; pixels outside of an image are zero.
    ///
    /// - `images`: a tensor of `T`
    /// - `size`: a tensor of int32
    /// - `scale`: a tensor of float32
    /// - `translation`: a tensor of float32
    ///
    /// `T` is any integer or float.
    pub fn scale_and_translate(&self, images: impl Input, size: impl Input, scale: impl Input, translation: impl Input) -> ScaleAndTranslate<'_> {
        ScaleAndTranslate(Node::new(self, "ScaleAndTranslate").input(images).input(size).input(scale).input(translation))
    }

    /// The gradient of `ScaleAndTranslate`.
    ///
    /// - `grads`: a tensor of `T`
    /// - `original_image`: a tensor of `T`
    /// - `scale`: a tensor of float32
    /// - `translation`: a tensor of float32
    ///
    /// `T` is float32.
    ///
    /// It has no gradient.
    pub fn scale_and_translate_grad(&self, grads: impl Input, original_image: impl Input, scale: impl Input, translation: impl Input) -> ScaleAndTranslateGrad<'_> {
        ScaleAndTranslateGrad(Node::new(self, "ScaleAndTranslateGrad").input(grads).input(original_image).input(scale).input(translation))
    }
}

/// A node of [`AdjustContrast`](Ops::adjust_contrast) that is being described.
#[must_use = "it is no node before it is added"]
pub struct AdjustContrast<'a>(Node<'a>);

/// A node of [`AdjustContrastv2`](Ops::adjust_contrastv2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct AdjustContrastv2<'a>(Node<'a>);

/// A node of [`AdjustHue`](Ops::adjust_hue) that is being described.
#[must_use = "it is no node before it is added"]
pub struct AdjustHue<'a>(Node<'a>);

/// A node of [`AdjustSaturation`](Ops::adjust_saturation) that is being described.
#[must_use = "it is no node before it is added"]
pub struct AdjustSaturation<'a>(Node<'a>);

/// A node of [`CropAndResize`](Ops::crop_and_resize) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CropAndResize<'a>(Node<'a>);

impl CropAndResize<'_> {
    /// Interpolation method. One of `"bilinear"`, `"nearest"`. Default: `"bilinear"`.
    pub fn method(mut self, method: impl AsRef<[u8]>) -> Self {
        self.0.set("method", string(method));
        self
    }

    /// Value used outside of the images. Default: `0.0`.
    pub fn extrapolation_value(mut self, extrapolation_value: f32) -> Self {
        self.0.set("extrapolation_value", extrapolation_value);
        self
    }
}

/// A node of [`CropAndResizeGradBoxes`](Ops::crop_and_resize_grad_boxes) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CropAndResizeGradBoxes<'a>(Node<'a>);

impl CropAndResizeGradBoxes<'_> {
    /// Interpolation method. One of `"bilinear"`. Default: `"bilinear"`.
    pub fn method(mut self, method: impl AsRef<[u8]>) -> Self {
        self.0.set("method", string(method));
        self
    }
}

/// A node of [`CropAndResizeGradImage`](Ops::crop_and_resize_grad_image) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CropAndResizeGradImage<'a>(Node<'a>);

impl CropAndResizeGradImage<'_> {
    /// Interpolation method. One of `"bilinear"`, `"nearest"`. Default: `"bilinear"`.
    pub fn method(mut self, method: impl AsRef<[u8]>) -> Self {
        self.0.set("method", string(method));
        self
    }
}

/// A node of [`DecodeAndCropJpeg`](Ops::decode_and_crop_jpeg) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DecodeAndCropJpeg<'a>(Node<'a>);

impl DecodeAndCropJpeg<'_> {
    /// Number of output channels; 0 for as many as the image has. Default: `0`.
    pub fn channels(mut self, channels: i64) -> Self {
        self.0.set("channels", channels);
        self
    }

    /// Downscaling ratio: 1, 2, 4 or 8. Default: `1`.
    pub fn ratio(mut self, ratio: i64) -> Self {
        self.0.set("ratio", ratio);
        self
    }

    /// If true, subsampled chroma is interpolated, otherwise it is repeated. Default: `true`.
    pub fn fancy_upscaling(mut self, fancy_upscaling: bool) -> Self {
        self.0.set("fancy_upscaling", fancy_upscaling);
        self
    }

    /// If true, decodes the available part of a truncated file instead of failing. Default: `false`.
    pub fn try_recover_truncated(mut self, try_recover_truncated: bool) -> Self {
        self.0.set("try_recover_truncated", try_recover_truncated);
        self
    }

    /// Minimum fraction of the lines that must be present; missing lines are black. Default: `1.0`.
    pub fn acceptable_fraction(mut self, acceptable_fraction: f32) -> Self {
        self.0.set("acceptable_fraction", acceptable_fraction);
        self
    }

    /// `INTEGER_ACCURATE` for the accurate inverse DCT; `INTEGER_FAST` or empty for the fast one. Default: `""`.
    pub fn dct_method(mut self, dct_method: impl AsRef<[u8]>) -> Self {
        self.0.set("dct_method", string(dct_method));
        self
    }
}

/// A node of [`DecodeBmp`](Ops::decode_bmp) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DecodeBmp<'a>(Node<'a>);

impl DecodeBmp<'_> {
    /// Number of output channels; 0 for as many as the image has. Default: `0`.
    pub fn channels(mut self, channels: i64) -> Self {
        self.0.set("channels", channels);
        self
    }
}

/// A node of [`DecodeGif`](Ops::decode_gif) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DecodeGif<'a>(Node<'a>);

/// A node of [`DecodeImage`](Ops::decode_image) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DecodeImage<'a>(Node<'a>);

impl DecodeImage<'_> {
    /// Number of output channels; 0 for as many as the image has. Default: `0`.
    pub fn channels(mut self, channels: i64) -> Self {
        self.0.set("channels", channels);
        self
    }

    /// Element type of the output; floats are in the range 0 to 1. Allowed: float32, uint8, uint16. Default: uint8.
    pub fn dtype(mut self, dtype: DType) -> Self {
        self.0.set("dtype", dtype);
        self
    }

    /// If false, only the first frame of a GIF is decoded. Default: `true`.
    pub fn expand_animations(mut self, expand_animations: bool) -> Self {
        self.0.set("expand_animations", expand_animations);
        self
    }
}

/// A node of [`DecodeJpeg`](Ops::decode_jpeg) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DecodeJpeg<'a>(Node<'a>);

impl DecodeJpeg<'_> {
    /// Number of output channels; 0 for as many as the image has. Default: `0`.
    pub fn channels(mut self, channels: i64) -> Self {
        self.0.set("channels", channels);
        self
    }

    /// Downscaling ratio: 1, 2, 4 or 8. Default: `1`.
    pub fn ratio(mut self, ratio: i64) -> Self {
        self.0.set("ratio", ratio);
        self
    }

    /// If true, subsampled chroma is interpolated, otherwise it is repeated. Default: `true`.
    pub fn fancy_upscaling(mut self, fancy_upscaling: bool) -> Self {
        self.0.set("fancy_upscaling", fancy_upscaling);
        self
    }

    /// If true, decodes the available part of a truncated file instead of failing. Default: `false`.
    pub fn try_recover_truncated(mut self, try_recover_truncated: bool) -> Self {
        self.0.set("try_recover_truncated", try_recover_truncated);
        self
    }

    /// Minimum fraction of the lines that must be present; missing lines are black. Default: `1.0`.
    pub fn acceptable_fraction(mut self, acceptable_fraction: f32) -> Self {
        self.0.set("acceptable_fraction", acceptable_fraction);
        self
    }

    /// `INTEGER_ACCURATE` for the accurate inverse DCT; `INTEGER_FAST` or empty for the fast one. Default: `""`.
    pub fn dct_method(mut self, dct_method: impl AsRef<[u8]>) -> Self {
        self.0.set("dct_method", string(dct_method));
        self
    }
}

/// A node of [`DecodePng`](Ops::decode_png) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DecodePng<'a>(Node<'a>);

impl DecodePng<'_> {
    /// Number of output channels; 0 for as many as the image has. Default: `0`.
    pub fn channels(mut self, channels: i64) -> Self {
        self.0.set("channels", channels);
        self
    }

    /// Element type of the output; floats are in the range 0 to 1. Allowed: uint8, uint16. Default: uint8.
    pub fn dtype(mut self, dtype: DType) -> Self {
        self.0.set("dtype", dtype);
        self
    }
}

/// A node of [`EncodeJpeg`](Ops::encode_jpeg) that is being described.
#[must_use = "it is no node before it is added"]
pub struct EncodeJpeg<'a>(Node<'a>);

impl EncodeJpeg<'_> {
    /// `grayscale`, `rgb`, or empty to infer it from the image's channels. Default: `""`.
    pub fn format(mut self, format: impl AsRef<[u8]>) -> Self {
        self.0.set("format", string(format));
        self
    }

    /// Compression quality, from 0 to 100. Default: `95`.
    pub fn quality(mut self, quality: i64) -> Self {
        self.0.set("quality", quality);
        self
    }

    /// If true, creates a progressive JPEG. Default: `false`.
    pub fn progressive(mut self, progressive: bool) -> Self {
        self.0.set("progressive", progressive);
        self
    }

    /// If true, spends more CPU time to reduce the file size. Default: `false`.
    pub fn optimize_size(mut self, optimize_size: bool) -> Self {
        self.0.set("optimize_size", optimize_size);
        self
    }

    /// If true, chroma is stored at half resolution. Default: `true`.
    pub fn chroma_downsampling(mut self, chroma_downsampling: bool) -> Self {
        self.0.set("chroma_downsampling", chroma_downsampling);
        self
    }

    /// Unit of the pixel densities: `in` or `cm`. Default: `"in"`.
    pub fn density_unit(mut self, density_unit: impl AsRef<[u8]>) -> Self {
        self.0.set("density_unit", string(density_unit));
        self
    }

    /// Horizontal pixels per density unit. Default: `300`.
    pub fn x_density(mut self, x_density: i64) -> Self {
        self.0.set("x_density", x_density);
        self
    }

    /// Vertical pixels per density unit. Default: `300`.
    pub fn y_density(mut self, y_density: i64) -> Self {
        self.0.set("y_density", y_density);
        self
    }

    /// XMP metadata to embed in the file. Default: `""`.
    pub fn xmp_metadata(mut self, xmp_metadata: impl AsRef<[u8]>) -> Self {
        self.0.set("xmp_metadata", string(xmp_metadata));
        self
    }
}

/// A node of [`EncodeJpegVariableQuality`](Ops::encode_jpeg_variable_quality) that is being described.
#[must_use = "it is no node before it is added"]
pub struct EncodeJpegVariableQuality<'a>(Node<'a>);

/// A node of [`EncodePng`](Ops::encode_png) that is being described.
#[must_use = "it is no node before it is added"]
pub struct EncodePng<'a>(Node<'a>);

impl EncodePng<'_> {
    /// Compression level, from 0 to 9; -1 for the default. Default: `-1`.
    pub fn compression(mut self, compression: i64) -> Self {
        self.0.set("compression", compression);
        self
    }
}

/// A node of [`ExtractGlimpse`](Ops::extract_glimpse) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ExtractGlimpse<'a>(Node<'a>);

impl ExtractGlimpse<'_> {
    /// If true, offsets are relative to the center of an image, and range from -1 to 1 if normalized; if false, they are relative to its first pixel. Default: `true`.
    pub fn centered(mut self, centered: bool) -> Self {
        self.0.set("centered", centered);
        self
    }

    /// If true, offsets are fractions of the image size; if false, pixels. Default: `true`.
    pub fn normalized(mut self, normalized: bool) -> Self {
        self.0.set("normalized", normalized);
        self
    }

    /// If `noise` is empty: true for uniform noise, false for normal noise. Default: `true`.
    pub fn uniform_noise(mut self, uniform_noise: bool) -> Self {
        self.0.set("uniform_noise", uniform_noise);
        self
    }

    /// Noise distribution: `uniform`, `gaussian`, `zero` or empty. Default: `"uniform"`.
    pub fn noise(mut self, noise: impl AsRef<[u8]>) -> Self {
        self.0.set("noise", string(noise));
        self
    }
}

/// A node of [`ExtractGlimpseV2`](Ops::extract_glimpse_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ExtractGlimpseV2<'a>(Node<'a>);

impl ExtractGlimpseV2<'_> {
    /// If true, offsets are relative to the center of an image, and range from -1 to 1 if normalized; if false, they are relative to its first pixel. Default: `true`.
    pub fn centered(mut self, centered: bool) -> Self {
        self.0.set("centered", centered);
        self
    }

    /// If true, offsets are fractions of the image size; if false, pixels. Default: `true`.
    pub fn normalized(mut self, normalized: bool) -> Self {
        self.0.set("normalized", normalized);
        self
    }

    /// If `noise` is empty: true for uniform noise, false for normal noise. Default: `true`.
    pub fn uniform_noise(mut self, uniform_noise: bool) -> Self {
        self.0.set("uniform_noise", uniform_noise);
        self
    }

    /// Noise distribution: `uniform`, `gaussian`, `zero` or empty. Default: `"uniform"`.
    pub fn noise(mut self, noise: impl AsRef<[u8]>) -> Self {
        self.0.set("noise", string(noise));
        self
    }
}

/// A node of [`ExtractImagePatches`](Ops::extract_image_patches) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ExtractImagePatches<'a>(Node<'a>);

/// A node of [`ExtractJpegShape`](Ops::extract_jpeg_shape) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ExtractJpegShape<'a>(Node<'a>);

impl ExtractJpegShape<'_> {
    /// Element type of the result. Allowed: int32, int64. Default: int32.
    pub fn output_type(mut self, output_type: DType) -> Self {
        self.0.set("output_type", output_type);
        self
    }
}

/// A node of [`ExtractVolumePatches`](Ops::extract_volume_patches) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ExtractVolumePatches<'a>(Node<'a>);

/// A node of [`HSVToRGB`](Ops::hsv_to_rgb) that is being described.
#[must_use = "it is no node before it is added"]
pub struct HSVToRGB<'a>(Node<'a>);

/// A node of [`ImageProjectiveTransformV2`](Ops::image_projective_transform_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ImageProjectiveTransformV2<'a>(Node<'a>);

impl ImageProjectiveTransformV2<'_> {
    /// How pixels outside of an image are filled: `CONSTANT`, `REFLECT`, `WRAP` or `NEAREST`. Default: `"CONSTANT"`.
    pub fn fill_mode(mut self, fill_mode: impl AsRef<[u8]>) -> Self {
        self.0.set("fill_mode", string(fill_mode));
        self
    }
}

/// A node of [`ImageProjectiveTransformV3`](Ops::image_projective_transform_v3) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ImageProjectiveTransformV3<'a>(Node<'a>);

impl ImageProjectiveTransformV3<'_> {
    /// How pixels outside of an image are filled: `CONSTANT`, `REFLECT`, `WRAP` or `NEAREST`. Default: `"CONSTANT"`.
    pub fn fill_mode(mut self, fill_mode: impl AsRef<[u8]>) -> Self {
        self.0.set("fill_mode", string(fill_mode));
        self
    }
}

/// A node of [`RGBToHSV`](Ops::rgb_to_hsv) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RGBToHSV<'a>(Node<'a>);

/// A node of [`RandomCrop`](Ops::random_crop) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RandomCrop<'a>(Node<'a>);

impl RandomCrop<'_> {
    /// First seed; if both seeds are 0, the crops differ from session to session. Default: `0`.
    pub fn seed(mut self, seed: i64) -> Self {
        self.0.set("seed", seed);
        self
    }

    /// Second seed. Default: `0`.
    pub fn seed2(mut self, seed2: i64) -> Self {
        self.0.set("seed2", seed2);
        self
    }
}

/// A node of [`ResizeArea`](Ops::resize_area) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResizeArea<'a>(Node<'a>);

impl ResizeArea<'_> {
    /// If true, the centers of the corner pixels are aligned. Default: `false`.
    pub fn align_corners(mut self, align_corners: bool) -> Self {
        self.0.set("align_corners", align_corners);
        self
    }
}

/// A node of [`ResizeBicubic`](Ops::resize_bicubic) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResizeBicubic<'a>(Node<'a>);

impl ResizeBicubic<'_> {
    /// If true, the centers of the corner pixels are aligned. Default: `false`.
    pub fn align_corners(mut self, align_corners: bool) -> Self {
        self.0.set("align_corners", align_corners);
        self
    }

    /// If true, pixel centers are at 0.5. Default: `false`.
    pub fn half_pixel_centers(mut self, half_pixel_centers: bool) -> Self {
        self.0.set("half_pixel_centers", half_pixel_centers);
        self
    }
}

/// A node of [`ResizeBicubicGrad`](Ops::resize_bicubic_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResizeBicubicGrad<'a>(Node<'a>);

impl ResizeBicubicGrad<'_> {
    /// If true, the centers of the corner pixels are aligned. Default: `false`.
    pub fn align_corners(mut self, align_corners: bool) -> Self {
        self.0.set("align_corners", align_corners);
        self
    }

    /// If true, pixel centers are at 0.5. Default: `false`.
    pub fn half_pixel_centers(mut self, half_pixel_centers: bool) -> Self {
        self.0.set("half_pixel_centers", half_pixel_centers);
        self
    }
}

/// A node of [`ResizeBilinear`](Ops::resize_bilinear) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResizeBilinear<'a>(Node<'a>);

impl ResizeBilinear<'_> {
    /// If true, the centers of the corner pixels are aligned. Default: `false`.
    pub fn align_corners(mut self, align_corners: bool) -> Self {
        self.0.set("align_corners", align_corners);
        self
    }

    /// If true, pixel centers are at 0.5. Default: `false`.
    pub fn half_pixel_centers(mut self, half_pixel_centers: bool) -> Self {
        self.0.set("half_pixel_centers", half_pixel_centers);
        self
    }
}

/// A node of [`ResizeBilinearGrad`](Ops::resize_bilinear_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResizeBilinearGrad<'a>(Node<'a>);

impl ResizeBilinearGrad<'_> {
    /// If true, the centers of the corner pixels are aligned. Default: `false`.
    pub fn align_corners(mut self, align_corners: bool) -> Self {
        self.0.set("align_corners", align_corners);
        self
    }

    /// If true, pixel centers are at 0.5. Default: `false`.
    pub fn half_pixel_centers(mut self, half_pixel_centers: bool) -> Self {
        self.0.set("half_pixel_centers", half_pixel_centers);
        self
    }
}

/// A node of [`ResizeNearestNeighbor`](Ops::resize_nearest_neighbor) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResizeNearestNeighbor<'a>(Node<'a>);

impl ResizeNearestNeighbor<'_> {
    /// If true, the centers of the corner pixels are aligned. Default: `false`.
    pub fn align_corners(mut self, align_corners: bool) -> Self {
        self.0.set("align_corners", align_corners);
        self
    }

    /// If true, pixel centers are at 0.5. Default: `false`.
    pub fn half_pixel_centers(mut self, half_pixel_centers: bool) -> Self {
        self.0.set("half_pixel_centers", half_pixel_centers);
        self
    }
}

/// A node of [`ResizeNearestNeighborGrad`](Ops::resize_nearest_neighbor_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResizeNearestNeighborGrad<'a>(Node<'a>);

impl ResizeNearestNeighborGrad<'_> {
    /// If true, the centers of the corner pixels are aligned. Default: `false`.
    pub fn align_corners(mut self, align_corners: bool) -> Self {
        self.0.set("align_corners", align_corners);
        self
    }

    /// If true, pixel centers are at 0.5. Default: `false`.
    pub fn half_pixel_centers(mut self, half_pixel_centers: bool) -> Self {
        self.0.set("half_pixel_centers", half_pixel_centers);
        self
    }
}

/// A node of [`ScaleAndTranslate`](Ops::scale_and_translate) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ScaleAndTranslate<'a>(Node<'a>);

impl ScaleAndTranslate<'_> {
    /// Resampling kernel: `lanczos1`, `lanczos3`, `lanczos5`, `gaussian`, `box`, `triangle`, `keyscubic` or `mitchellcubic`. Default: `"lanczos3"`.
    pub fn kernel_type(mut self, kernel_type: impl AsRef<[u8]>) -> Self {
        self.0.set("kernel_type", string(kernel_type));
        self
    }

    /// If true, kernels widen as images shrink. Default: `true`.
    pub fn antialias(mut self, antialias: bool) -> Self {
        self.0.set("antialias", antialias);
        self
    }
}

/// A node of [`ScaleAndTranslateGrad`](Ops::scale_and_translate_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ScaleAndTranslateGrad<'a>(Node<'a>);

impl ScaleAndTranslateGrad<'_> {
    /// Resampling kernel: `lanczos1`, `lanczos3`, `lanczos5`, `gaussian`, `box`, `triangle`, `keyscubic` or `mitchellcubic`. Default: `"lanczos3"`.
    pub fn kernel_type(mut self, kernel_type: impl AsRef<[u8]>) -> Self {
        self.0.set("kernel_type", string(kernel_type));
        self
    }

    /// If true, kernels widen as images shrink. Default: `true`.
    pub fn antialias(mut self, antialias: bool) -> Self {
        self.0.set("antialias", antialias);
        self
    }
}

common! {
    AdjustContrast
    AdjustContrastv2
    AdjustHue
    AdjustSaturation
    CropAndResize
    CropAndResizeGradBoxes
    CropAndResizeGradImage
    DecodeAndCropJpeg
    DecodeBmp
    DecodeGif
    DecodeImage
    DecodeJpeg
    DecodePng
    EncodeJpeg
    EncodeJpegVariableQuality
    EncodePng
    ExtractGlimpse
    ExtractGlimpseV2
    ExtractImagePatches
    ExtractJpegShape
    ExtractVolumePatches
    HSVToRGB
    ImageProjectiveTransformV2
    ImageProjectiveTransformV3
    RGBToHSV
    RandomCrop
    ResizeArea
    ResizeBicubic
    ResizeBicubicGrad
    ResizeBilinear
    ResizeBilinearGrad
    ResizeNearestNeighbor
    ResizeNearestNeighborGrad
    ScaleAndTranslate
    ScaleAndTranslateGrad
}

one_output! {
    AdjustContrast
    AdjustContrastv2
    AdjustHue
    AdjustSaturation
    CropAndResize
    CropAndResizeGradBoxes
    CropAndResizeGradImage
    DecodeAndCropJpeg
    DecodeBmp
    DecodeGif
    DecodeImage
    DecodeJpeg
    DecodePng
    EncodeJpeg
    EncodeJpegVariableQuality
    EncodePng
    ExtractGlimpse
    ExtractGlimpseV2
    ExtractImagePatches
    ExtractJpegShape
    ExtractVolumePatches
    HSVToRGB
    ImageProjectiveTransformV2
    ImageProjectiveTransformV3
    RGBToHSV
    RandomCrop
    ResizeArea
    ResizeBicubic
    ResizeBicubicGrad
    ResizeBilinear
    ResizeBilinearGrad
    ResizeNearestNeighbor
    ResizeNearestNeighborGrad
    ScaleAndTranslate
    ScaleAndTranslateGrad
}

//! Ops that decode, encode and resample images.

mod codec;
pub mod scale;

family! {
    crop_and_resize: CropAndResize, CropAndResizeGradBoxes, CropAndResizeGradImage;
    decode_image: DecodeAndCropJpeg, DecodeBmp, DecodeGif, DecodeImage, DecodeJpeg, DecodePng, ExtractJpegShape;
    encode_image: EncodeJpeg, EncodeJpegVariableQuality, EncodePng;
    resize_area: ResizeArea;
    resize_bicubic: ResizeBicubic, ResizeBicubicGrad;
    resize_bilinear: ResizeBilinear, ResizeBilinearGrad;
    resize_nearest_neighbor: ResizeNearestNeighbor, ResizeNearestNeighborGrad;
}

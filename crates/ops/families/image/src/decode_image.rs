//! `DecodeImage`, `DecodeJpeg`, `DecodePng`, `DecodeGif`, `DecodeBmp`, `DecodeAndCropJpeg` and `ExtractJpegShape`.

use super::codec::{self, FileType, Pictures, Samples};
use super::jpeg::{self, Options, Window};
use crate::prelude::*;

attrs! {
    /// The attrs of image decoders.
    pub struct Decode {
        /// Number of output channels; 0 for as many as the image has.
        channels: i64 = Attr::int("channels").or_int(0),
        /// Element type of the output; floats are in the range 0 to 1.
        dtype: DType = Attr::dtype("dtype", &[DType::U8, DType::U16, DType::F32]).or(AttrDefault::Type(DType::U8)),
        /// If false, only the first frame of a GIF is decoded.
        expand_animations: bool = Attr::bool("expand_animations").or_bool(true),
    }
}

attrs! {
    /// The attrs of JPEG decoders.
    pub struct DecodeJpeg {
        /// Number of output channels; 0 for as many as the image has.
        channels: i64 = Attr::int("channels").or_int(0),
        /// Downscaling ratio: 1, 2, 4 or 8.
        ratio: i64 = Attr::int("ratio").or_int(1),
        /// If true, subsampled chroma is interpolated, otherwise it is repeated.
        fancy_upscaling: bool = Attr::bool("fancy_upscaling").or_bool(true),
        /// If true, decodes the available part of a truncated file instead of failing.
        try_recover_truncated: bool = Attr::bool("try_recover_truncated").or_bool(false),
        /// Minimum fraction of the lines that must be present; missing lines are black.
        acceptable_fraction: f32 = Attr::float("acceptable_fraction").or_float(1.0),
        /// `INTEGER_ACCURATE` for the accurate inverse DCT; `INTEGER_FAST` or empty for the fast one.
        dct_method: String = Attr::string("dct_method").or_str(""),
    }
}

impl DecodeJpeg {
    /// The decoding options, if the attrs are valid.
    fn options(&self, op: &str) -> Result<Options> {
        let ratio = match self.ratio {
            1 | 2 | 4 | 8 => self.ratio as usize,
            other => return Err(Error::invalid(format!("ratio must be 1, 2, 4, or 8, got {other}")).attr("ratio")),
        };
        let accurate = match &self.dct_method[..] {
            "" | "INTEGER_FAST" => false,
            "INTEGER_ACCURATE" => true,
            other => {
                return Err(Error::invalid("dct_method must be one of {'', 'INTEGER_FAST', 'INTEGER_ACCURATE'}")
                    .attr("dct_method")
                    .found(other));
            }
        };
        let channels = check_channels(self.channels, op)?;
        let (fancy, recover) = (self.fancy_upscaling, self.try_recover_truncated);
        let fraction = self.acceptable_fraction;
        Ok(Options { channels, ratio, fancy, recover, fraction, accurate })
    }
}

const CONTENTS: &[Arg] = &[arg("contents", is(DType::Str))];
const BYTES: &[Arg] = &[arg("image", is(DType::U8))];
const IMAGE: &[Arg] = &[arg("image", of("dtype"))];

pub static DECODE_BMP: Def<Decode> = op("DecodeBmp")
    .doc("Decodes a BMP image.")
    .without(&["dtype", "expand_animations"])
    .inputs(CONTENTS)
    .outputs(BYTES)
    .shape(|op: &Decode, cx| shape(cx, false, known(op.channels)))
    .kernel(|op, cx| {
        let (channels, dtype) = (op.channels, DType::U8);
        decode(cx, &Wanted { channels, dtype, formats: Formats::Bmp, pictures: Wish::One, jpeg: None })
    })
    .heavy();

pub static DECODE_GIF: Def<Decode> = op("DecodeGif")
    .doc("Decodes all frames of a GIF, or the single image of a PNG or JPEG.")
    .without(&["channels", "dtype", "expand_animations"])
    .inputs(CONTENTS)
    .outputs(BYTES)
    .shape(|_, cx| shape(cx, true, Some(3)))
    .kernel(|_, cx| {
        let (channels, dtype) = (3, DType::U8);
        decode(cx, &Wanted { channels, dtype, formats: Formats::NotBmp, pictures: Wish::Many, jpeg: None })
    })
    .heavy();

pub static DECODE_IMAGE: Def<Decode> = op("DecodeImage")
    .doc("Decodes a BMP, GIF, JPEG or PNG image.")
    .inputs(CONTENTS)
    .outputs(IMAGE)
    .shape(|op: &Decode, cx| {
        if op.expand_animations {
            cx.with_rank(0, 0)?;
            return Ok(());
        }
        shape(cx, false, known(op.channels))
    })
    .kernel(|op, cx| {
        let (channels, dtype) = (op.channels, op.dtype);
        let pictures = if op.expand_animations { Wish::ManyOfGif } else { Wish::First };
        decode(cx, &Wanted { channels, dtype, formats: Formats::Any, pictures, jpeg: None })
    })
    .heavy();

pub static DECODE_JPEG: Def<DecodeJpeg> = op("DecodeJpeg")
    .doc("Decodes a JPEG or PNG image, or a GIF with a single frame.")
    .inputs(CONTENTS)
    .outputs(BYTES)
    .shape(|op: &DecodeJpeg, cx| shape(cx, false, known(op.channels)))
    .kernel(|op, cx| {
        let jpeg = op.options(cx.node().op)?;
        let (channels, dtype) = (op.channels, DType::U8);
        decode(cx, &Wanted { channels, dtype, formats: Formats::NotBmp, pictures: Wish::One, jpeg: Some(jpeg) })
    })
    .heavy();

pub static DECODE_PNG: Def<Decode> = op("DecodePng")
    .doc("Decodes a PNG or JPEG image, or a GIF with a single frame.")
    .attrs(&[Attr::dtype("dtype", &[DType::U8, DType::U16]).or(AttrDefault::Type(DType::U8))])
    .without(&["expand_animations"])
    .inputs(CONTENTS)
    .outputs(IMAGE)
    .shape(|op: &Decode, cx| shape(cx, false, known(op.channels)))
    .kernel(|op, cx| {
        let (channels, dtype) = (op.channels, op.dtype);
        decode(cx, &Wanted { channels, dtype, formats: Formats::NotBmp, pictures: Wish::One, jpeg: None })
    })
    .heavy();

/// What an op requests.
struct Wanted {
    channels: i64,
    dtype: DType,
    formats: Formats,
    pictures: Wish,
    /// JPEG decoding options, if the op specifies them.
    jpeg: Option<Options>,
}

/// Accepted formats.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Formats {
    Bmp,
    NotBmp,
    Any,
}

/// Which frames are requested.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wish {
    /// The single image that the file must contain, without a frame axis.
    One,
    /// The first of several frames, without a frame axis.
    First,
    /// All frames, with a frame axis whatever the format.
    Many,
    /// All frames, with a frame axis only for GIF.
    ManyOfGif,
}

/// The shape of images with this many channels, with a frame axis if there are `many`.
fn shape(cx: &mut ShapeCx<'_>, many: bool, channels: Dim) -> Result<()> {
    cx.with_rank(0, 0)?;
    let dims = many.then_some(None).into_iter().chain([None, None, channels]);
    cx.output(0, PartialShape::new(dims));
    Ok(())
}

fn check_channels(channels: i64, op: &str) -> Result<usize> {
    match channels {
        0 | 1 | 3 | 4 => Ok(channels as usize),
        _ => Err(Error::invalid(format!("`channels` must be 0, 1, 3 or 4 but got {channels}")).attr("channels").op(op)),
    }
}

fn decode(cx: &mut Cx<'_, '_>, wanted: &Wanted) -> Result<()> {
    let contents = scalar_contents(cx)?;
    let op = cx.node().op;
    let channels = check_channels(wanted.channels, op)?;
    let arena = &cx.device.arena;
    let file = FileType::of(&contents)?;
    let wrong = |format: &str, use_instead: &str| {
        Error::invalid(format!(
            "Trying to decode {format} format using {op} op. Use `{use_instead}` or `decode_image` instead."
        ))
    };
    let is_bmp_op = wanted.formats == Formats::Bmp;
    let pictures = match file {
        FileType::Bmp if wanted.formats == Formats::NotBmp => return Err(wrong("BMP", "decode_bmp")),
        FileType::Bmp => codec::bmp(arena, &contents, channels)?,
        FileType::Jpeg if is_bmp_op => return Err(wrong("JPEG", "decode_jpeg")),
        FileType::Png if is_bmp_op => return Err(wrong("PNG", "decode_png")),
        FileType::Gif if is_bmp_op => return Err(wrong("GIF", "decode_gif")),
        FileType::Jpeg if channels == 4 => {
            return Err(Error::invalid("JPEG does not support 4 channels").attr("channels"));
        }
        FileType::Jpeg => codec::jpeg(arena, &contents, wanted.jpeg.unwrap_or(Options::of_channels(channels)))?,
        FileType::Png => codec::png(arena, &contents, channels)?,
        FileType::Gif if !matches!(channels, 0 | 3) => {
            return Err(Error::invalid(format!("channels must be 0 or 3 for GIF, got {channels}")).attr("channels"));
        }
        FileType::Gif => {
            let pictures = codec::gif(arena, &contents, wanted.pictures == Wish::First)?;
            if pictures.frames > 1 && wanted.pictures == Wish::One {
                return Err(Error::invalid(format!(
                    "Got {} frames, but animated gifs can only be decoded by tf.io.decode_gif or tf.io.decode_image",
                    pictures.frames
                )));
            }
            pictures
        }
    };
    let many = match wanted.pictures {
        Wish::One | Wish::First => false,
        Wish::Many => true,
        Wish::ManyOfGif => file == FileType::Gif,
    };
    let Pictures { frames, height, width, channels, samples } = pictures;
    let dims = [frames, height, width, channels];
    let shape = Shape::new(dims[usize::from(!many)..].iter().copied())?;
    // PNG scales bytes to the range of words, the others only shift them.
    let stretch = if file == FileType::Png { 257 } else { 256 };
    let output = match (wanted.dtype, samples) {
        (DType::U8, Samples::Bytes(bytes)) => Tensor::from_vec(shape, bytes)?,
        (DType::U8, Samples::Words(words)) => Tensor::from_vec(shape, words.iter().map(|w| (w >> 8) as u8).collect())?,
        (DType::U16, Samples::Words(words)) => Tensor::from_vec(shape, words)?,
        (DType::U16, Samples::Bytes(bytes)) => {
            Tensor::from_vec(shape, bytes.iter().map(|b| u16::from(*b) * stretch).collect())?
        }
        (DType::F32, Samples::Bytes(bytes)) => {
            Tensor::from_vec(shape, bytes.iter().map(|b| f32::from(*b) * (1.0 / 255.0)).collect())?
        }
        (DType::F32, Samples::Words(words)) => {
            Tensor::from_vec(shape, words.iter().map(|w| f32::from(*w) * (1.0 / 65_535.0)).collect())?
        }
        (other, _) => return Err(Error::invalid(format!("`dtype` must be unit8, unit16, or float but got {other}"))),
    };
    cx.set(0, output);
    Ok(())
}

fn scalar_contents(cx: &Cx<'_, '_>) -> Result<Bytes> {
    let contents = cx.input(0)?;
    if !contents.shape().is_scalar() {
        return Err(Error::invalid(format!("`contents` must be scalar but got shape{}", contents.shape())));
    }
    contents.item::<Bytes>()
}

/// The number of channels, if statically known.
fn known(channels: i64) -> Dim {
    usize::try_from(channels).ok().filter(|c| *c > 0)
}

pub static DECODE_AND_CROP_JPEG: Def<DecodeJpeg> = op("DecodeAndCropJpeg")
    .doc("Decodes a cropped region of a JPEG image.")
    .inputs(&[arg("contents", is(DType::Str)), arg("crop_window", is(DType::I32))])
    .outputs(BYTES)
    .shape(|op: &DecodeJpeg, cx| {
        cx.with_rank(0, 0)?;
        let window = cx.constant_i64s(1).filter(|w| w.len() == 4);
        let part = |i: usize| window.as_ref().and_then(|w| usize::try_from(w[i]).ok());
        cx.output(0, PartialShape::new([part(2), part(3), known(op.channels)]));
        Ok(())
    })
    .kernel(decode_and_crop_jpeg)
    .heavy();

fn decode_and_crop_jpeg(op: &DecodeJpeg, cx: &mut Cx<'_, '_>) -> Result<()> {
    let options = op.options(cx.node().op)?;
    let contents = scalar_contents(cx)?;
    if cx.input(1)?.shape().rank() != 1 {
        return Err(Error::invalid(format!("crop_window must be 1-D, got shape {}", cx.input(1)?.shape())));
    }
    let window = cx.i64s(1)?;
    let &[y, x, height, width] = &window[..] else {
        return Err(Error::invalid(format!("crop_window must have four elements, got {}", window.len())));
    };
    if FileType::of(&contents)? != FileType::Jpeg {
        return Err(Error::invalid("DecodeAndCropJpeg operation can run on JPEG only."));
    }
    if options.channels == 4 {
        return Err(Error::invalid("JPEG does not support 4 channels").attr("channels"));
    }
    let part = |start: i64, length: i64, whole: usize| {
        let (start, length) = (usize::try_from(start).ok()?, usize::try_from(length).ok().filter(|l| *l > 0)?);
        (start.checked_add(length)? <= whole).then_some((start, length))
    };
    let image = jpeg::decode(&cx.device.arena, &contents, options, |rows, columns| {
        let window = part(y, height, rows).zip(part(x, width, columns));
        let ((y, height), (x, width)) = window.ok_or_else(|| {
            Error::invalid("jpeg::Uncompress failed. Invalid JPEG data or crop window.")
                .expected(format!("a window within {rows} times {columns} pixels"))
        })?;
        Ok(Some(Window { y, x, height, width }))
    })?;
    cx.set(0, Tensor::from_vec(Shape::new([image.height, image.width, image.channels])?, image.samples)?);
    Ok(())
}

attrs! {
    /// Returns the height, width and number of channels of a JPEG image.
    pub struct ExtractJpegShape {
        /// Element type of the result.
        output_type: DType = Attr::dtype("output_type", sets::INDEX).or(AttrDefault::Type(DType::I32)),
    }
}

pub static EXTRACT_JPEG_SHAPE: Def<ExtractJpegShape> = op("ExtractJpegShape")
    .inputs(CONTENTS)
    .outputs(&[arg("image_shape", of("output_type"))])
    .shape(|_, cx| {
        cx.with_rank(0, 0)?;
        cx.output_vector(0, Some(3));
        Ok(())
    })
    .kernel(extract_jpeg_shape);

fn extract_jpeg_shape(op: &ExtractJpegShape, cx: &mut Cx<'_, '_>) -> Result<()> {
    let shape = jpeg::shape(&scalar_contents(cx)?)?;
    let output = match op.output_type {
        DType::I64 => Tensor::vector(shape.map(|d| d as i64).to_vec()),
        _ => Tensor::vector(shape.map(|d| d as i32).to_vec()),
    };
    cx.set(0, output);
    Ok(())
}

//! `DecodeImage`, `DecodeJpeg`, `DecodePng`, `DecodeGif`, `DecodeBmp`, `DecodeAndCropJpeg` and `ExtractJpegShape`.

use super::codec::{self, FileType, Pictures, Samples};
use crate::prelude::*;

/// What is asked for.
struct Wanted {
    op: &'static str,
    channels: i64,
    dtype: DType,
    /// False for an image that is to be the one picture of a file, without a dimension for pictures.
    animations: bool,
}

fn check_channels(channels: i64, op: &str) -> Result<usize> {
    match channels {
        0 | 1 | 3 | 4 => Ok(channels as usize),
        _ => Err(Error::invalid(format!("`channels` must be 0, 1, 3 or 4 but got {channels}")).attr("channels").op(op)),
    }
}

fn decode(cx: &mut Cx<'_, '_>, wanted: &Wanted) -> Result<()> {
    let contents = scalar_contents(cx)?;
    let channels = check_channels(wanted.channels, wanted.op)?;
    let arena = &cx.device.arena;
    let file = FileType::of(&contents)?;
    let wrong = |format: &str, use_instead: &str| {
        Error::invalid(format!(
            "Trying to decode {format} format using {} op. Use `{use_instead}` or `decode_image` instead.",
            wanted.op
        ))
    };
    let is_bmp_op = wanted.op == "DecodeBmp";
    let pictures = match file {
        FileType::Bmp if !is_bmp_op && wanted.op != "DecodeImage" => return Err(wrong("BMP", "decode_bmp")),
        FileType::Bmp => codec::bmp(arena, &contents, channels)?,
        FileType::Jpeg if is_bmp_op => return Err(wrong("JPEG", "decode_jpeg")),
        FileType::Png if is_bmp_op => return Err(wrong("PNG", "decode_png")),
        FileType::Gif if is_bmp_op => return Err(wrong("GIF", "decode_gif")),
        FileType::Jpeg if channels == 4 => {
            return Err(Error::invalid("JPEG does not support 4 channels").attr("channels"));
        }
        FileType::Jpeg => codec::jpeg(arena, &contents, channels)?,
        FileType::Png => codec::png(arena, &contents, channels)?,
        FileType::Gif if !matches!(channels, 0 | 3) => {
            return Err(Error::invalid(format!("channels must be 0 or 3 for GIF, got {channels}")).attr("channels"));
        }
        FileType::Gif => {
            let pictures = codec::gif(arena, &contents, wanted.op == "DecodeImage" && !wanted.animations)?;
            if pictures.frames > 1 && !matches!(wanted.op, "DecodeGif" | "DecodeImage") {
                return Err(Error::invalid(format!(
                    "Got {} frames, but animated gifs can only be decoded by tf.io.decode_gif or tf.io.decode_image",
                    pictures.frames
                )));
            }
            pictures
        }
    };
    let many = match wanted.op {
        "DecodeGif" => true,
        "DecodeImage" => file == FileType::Gif && wanted.animations,
        _ => false,
    };
    let Pictures { frames, height, width, channels, samples } = pictures;
    let dims = [frames, height, width, channels];
    let shape = Shape::new(dims[usize::from(!many)..].iter().copied())?;
    // PNG stretches bytes over words, the others only shift them.
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

/// The channels where they are known before the run.
fn known(channels: i64) -> Dim {
    usize::try_from(channels).ok().filter(|c| *c > 0)
}

const CONTENTS: &[Arg] = &[arg("contents", is(DType::Str))];

macro_rules! decoders {
    ($($(#[doc = $doc:literal])* $name:ident -> $output:expr, { $($attrs:tt)* } |$op:ident| $rank:expr, $wanted:expr;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name { $($attrs)* }
        }

        impl Op for $name {
            const SPEC: Spec =
                Spec { name: stringify!($name), inputs: CONTENTS, outputs: &[$output], ..Spec::PURE };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                cx.with_rank(0, 0)?;
                let $op = self;
                if let Some((frames, channels)) = $rank {
                    let dims = frames.then_some(None).into_iter().chain([None, None, channels]);
                    cx.output(0, PartialShape::new(dims));
                }
                Ok(())
            }
        }

        impl Kernel<Cpu> for $name {
            const COST: Cost = Cost::Heavy;

            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                let $op = self;
                let wanted = $wanted?;
                decode(cx, &wanted)
            }
        }
    )*};
}

decoders! {
    /// Decodes a BMP.
    DecodeBmp -> arg("image", is(DType::U8)), {
        /// Number of channels; 0 for as many as there are.
        channels: i64 = Attr::int("channels").or_int(0),
    } |op| Some((false, known(op.channels))),
        Ok::<_, Error>(Wanted { op: "DecodeBmp", channels: op.channels, dtype: DType::U8, animations: false });
    /// Decodes all pictures of a GIF, or the one of a PNG or JPEG.
    DecodeGif -> arg("image", is(DType::U8)), {} |_op| Some((true, Some(3))),
        Ok::<_, Error>(Wanted { op: "DecodeGif", channels: 3, dtype: DType::U8, animations: true });
    /// Decodes an image of any format that is known.
    DecodeImage -> arg("image", of("dtype")), {
        /// Number of channels; 0 for as many as there are.
        channels: i64 = Attr::int("channels").or_int(0),
        /// Element type: integers as they are, or floats from 0 to 1.
        dtype: DType = Attr::dtype("dtype", &[DType::U8, DType::U16, DType::F32]).or(AttrDefault::Type(DType::U8)),
        /// False to get the first picture of a GIF alone.
        expand_animations: bool = Attr::bool("expand_animations").or_bool(true),
    } |op| if op.expand_animations { None } else { Some((false, known(op.channels))) },
        Ok::<_, Error>(Wanted {
            op: "DecodeImage",
            channels: op.channels,
            dtype: op.dtype,
            animations: op.expand_animations,
        });
    /// Decodes a JPEG, a PNG, or a GIF with one picture.
    DecodeJpeg -> arg("image", is(DType::U8)), {
        /// Number of channels; 0 for as many as there are.
        channels: i64 = Attr::int("channels").or_int(0),
        /// How much smaller the image is to be; only 1 is supported.
        ratio: i64 = Attr::int("ratio").or_int(1),
        /// Whether colours are interpolated; they are.
        fancy_upscaling: bool = Attr::bool("fancy_upscaling").or_bool(true),
        /// Whether to take what there is of a file that is cut off; such a file is refused.
        try_recover_truncated: bool = Attr::bool("try_recover_truncated").or_bool(false),
        /// Which part of the lines there must be.
        acceptable_fraction: f32 = Attr::float("acceptable_fraction").or_float(1.0),
        /// How exact the transform is to be; it is exact.
        dct_method: String = Attr::string("dct_method").or_str(""),
    } |op| Some((false, known(op.channels))), op.wanted();
    /// Decodes a PNG, a JPEG, or a GIF with one picture.
    DecodePng -> arg("image", of("dtype")), {
        /// Number of channels; 0 for as many as there are.
        channels: i64 = Attr::int("channels").or_int(0),
        /// Element type.
        dtype: DType = Attr::dtype("dtype", &[DType::U8, DType::U16]).or(AttrDefault::Type(DType::U8)),
    } |op| Some((false, known(op.channels))),
        Ok::<_, Error>(Wanted { op: "DecodePng", channels: op.channels, dtype: op.dtype, animations: false });
}

impl DecodeJpeg {
    fn wanted(&self) -> Result<Wanted> {
        check_ratio(self.ratio)?;
        Ok(Wanted { op: "DecodeJpeg", channels: self.channels, dtype: DType::U8, animations: false })
    }
}

fn check_ratio(ratio: i64) -> Result<()> {
    match ratio {
        1 => Ok(()),
        2 | 4 | 8 => Err(Error::unimplemented("JPEGs are not made smaller while they are decoded").attr("ratio")),
        _ => Err(Error::invalid(format!("ratio must be 1, 2, 4, or 8, got {ratio}")).attr("ratio")),
    }
}

attrs! {
    /// Decodes a part of a JPEG.
    pub struct DecodeAndCropJpeg {
        /// Number of channels; 0 for as many as there are.
        channels: i64 = Attr::int("channels").or_int(0),
        /// How much smaller the image is to be; only 1 is supported.
        ratio: i64 = Attr::int("ratio").or_int(1),
        /// Whether colours are interpolated; they are.
        fancy_upscaling: bool = Attr::bool("fancy_upscaling").or_bool(true),
        /// Whether to take what there is of a file that is cut off; such a file is refused.
        try_recover_truncated: bool = Attr::bool("try_recover_truncated").or_bool(false),
        /// Which part of the lines there must be.
        acceptable_fraction: f32 = Attr::float("acceptable_fraction").or_float(1.0),
        /// How exact the transform is to be; it is exact.
        dct_method: String = Attr::string("dct_method").or_str(""),
    }
}

pub static DECODE_AND_CROP_JPEG: Def<DecodeAndCropJpeg> = op("DecodeAndCropJpeg")
    .inputs(&[arg("contents", is(DType::Str)), arg("crop_window", is(DType::I32))])
    .outputs(&[arg("image", is(DType::U8))])
    .shape(|op: &DecodeAndCropJpeg, cx| {
        cx.with_rank(0, 0)?;
        let window = cx.constant_i64s(1).filter(|w| w.len() == 4);
        let part = |i: usize| window.as_ref().and_then(|w| usize::try_from(w[i]).ok());
        cx.output(0, PartialShape::new([part(2), part(3), known(op.channels)]));
        Ok(())
    })
    .kernel(decode_and_crop_jpeg)
    .heavy();

fn decode_and_crop_jpeg(op: &DecodeAndCropJpeg, cx: &mut Cx<'_, '_>) -> Result<()> {
    check_ratio(op.ratio)?;
    let contents = scalar_contents(cx)?;
    let window = cx.i64s(1)?;
    let &[y, x, height, width] = &window[..] else {
        return Err(Error::invalid(format!("crop_window must have four elements, got {}", window.len())));
    };
    if FileType::of(&contents)? != FileType::Jpeg {
        return Err(Error::invalid("DecodeAndCropJpeg operation can run on JPEG only."));
    }
    let channels = check_channels(op.channels, "DecodeAndCropJpeg")?;
    if channels == 4 {
        return Err(Error::invalid("JPEG does not support 4 channels").attr("channels"));
    }
    let image = codec::jpeg(&cx.device.arena, &contents, channels)?;
    let outside = || Error::invalid("jpeg::Uncompress failed. Invalid JPEG data or crop window.");
    let part = |start: i64, length: i64, whole: usize| {
        let (start, length) = (usize::try_from(start).ok()?, usize::try_from(length).ok().filter(|l| *l > 0)?);
        (start.checked_add(length)? <= whole).then_some((start, length))
    };
    let (y, height) = part(y, height, image.height).ok_or_else(outside)?;
    let (x, width) = part(x, width, image.width).ok_or_else(outside)?;
    let Samples::Bytes(samples) = image.samples else {
        return Err(Error::internal("a JPEG has bytes"));
    };
    let line = image.width * image.channels;
    let lines = samples.chunks_exact(line).skip(y).take(height);
    let cropped: Vec<u8> =
        lines.flat_map(|l| l[x * image.channels..(x + width) * image.channels].to_vec()).collect();
    cx.set(0, Tensor::from_vec(Shape::new([height, width, image.channels])?, cropped)?);
    Ok(())
}

attrs! {
    /// Height, width and number of channels of a JPEG.
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
    let shape = codec::jpeg_shape(&scalar_contents(cx)?)?;
    let output = match op.output_type {
        DType::I64 => Tensor::vector(shape.map(|d| d as i64).to_vec()),
        _ => Tensor::vector(shape.map(|d| d as i32).to_vec()),
    };
    cx.set(0, output);
    Ok(())
}


//! `EncodePng`, `EncodeJpeg` and `EncodeJpegVariableQuality`.

use crate::prelude::*;
use jpeg_encoder::{
    ChromaSubsamplingMethod, Encoder, ImageBuffer, JpegColorType, PixelDensity, PixelDensityUnit, SamplingFactor,
    rgb_to_ycbcr,
};

attrs! {
    /// Encodes an image as PNG.
    pub struct EncodePng {
        /// Compression level, from 0 to 9; -1 for the default.
        compression: i64 = Attr::int("compression").or_int(-1),
        /// Element type.
        dtype: DType = Attr::dtype("T", &[DType::U8, DType::U16]).or(AttrDefault::Type(DType::U8)),
    }
}

pub static ENCODE_PNG: Def<EncodePng> = op("EncodePng")
    .inputs(&[arg("image", of("T"))])
    .outputs(&[arg("contents", is(DType::Str))])
    .shape(|_, cx| {
        let image = cx.rank_at_least(0, 3)?;
        if let Some(dims) = image.dims() {
            cx.output(0, PartialShape::new(dims[..dims.len() - 3].iter().copied()));
        }
        Ok(())
    })
    .kernel(encode_png)
    .heavy();

fn encode_png(op: &EncodePng, cx: &mut Cx<'_, '_>) -> Result<()> {
    if !(-1..=9).contains(&op.compression) {
        return Err(
            Error::invalid(format!("compression should be in [-1,9], got {}", op.compression)).attr("compression")
        );
    }
    let image = cx.input(0)?;
    let dims = image.shape().dims();
    let [batch @ .., height, width, channels] = dims else {
        return Err(Error::invalid(format!("images must be at least rank 3{}", image.shape())));
    };
    let color = match channels {
        1 => png::ColorType::Grayscale,
        2 => png::ColorType::GrayscaleAlpha,
        3 => png::ColorType::Rgb,
        4 => png::ColorType::Rgba,
        n => return Err(Error::invalid(format!("image must have 1, 2, 3, or 4 channels, got {n}"))),
    };
    let bytes: Vec<u8> = match op.dtype {
        DType::U16 => image.slice::<u16>()?.iter().flat_map(|v| v.to_be_bytes()).collect(),
        _ => image.slice::<u8>()?.to_vec(),
    };
    let depth = if op.dtype == DType::U16 { png::BitDepth::Sixteen } else { png::BitDepth::Eight };
    let failed = |e: String| Error::internal("PNG encoding failed").found(e);
    let size = |n: usize| u32::try_from(n).ok().filter(|n| *n > 0 && *n < 1 << 31);
    let count: usize = batch.iter().product();
    let one = height * width * channels * op.dtype.size();
    let mut files = Vec::with_capacity(count);
    for i in 0..count {
        let (Some(w), Some(h)) = (size(*width), size(*height)) else {
            return Err(failed(format!("an image of {width} times {height} pixels")));
        };
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, w, h);
        encoder.set_color(color);
        encoder.set_depth(depth);
        encoder.set_compression(match op.compression {
            0 => png::Compression::NoCompression,
            1..=3 => png::Compression::Fast,
            7..=9 => png::Compression::High,
            _ => png::Compression::Balanced,
        });
        let mut writer = encoder.write_header().map_err(|e| failed(e.to_string()))?;
        writer.write_image_data(&bytes[i * one..(i + 1) * one]).map_err(|e| failed(e.to_string()))?;
        writer.finish().map_err(|e| failed(e.to_string()))?;
        files.push(Bytes::from(file));
    }
    let output = Tensor::from_vec(Shape::new(batch.iter().copied())?, files)?;
    cx.set(0, output);
    Ok(())
}

/// JPEG encoding parameters.
struct Jpeg<'a> {
    quality: i64,
    format: &'a [u8],
    progressive: bool,
    optimize: bool,
    downsample: bool,
    density: Option<PixelDensity>,
    xmp: &'a [u8],
}

impl Jpeg<'_> {
    fn encode(&self, image: &Tensor) -> Result<Bytes> {
        let Ok(quality @ 0..=100) = u8::try_from(self.quality) else {
            return Err(Error::invalid(format!("quality must be in [0,100], got {}", self.quality)));
        };
        let &[height, width, channels] = image.shape().dims() else {
            return Err(Error::invalid(format!("image must be 3-dimensional{}", image.shape())));
        };
        let expected = match self.format {
            b"" => None,
            b"grayscale" => Some(1),
            b"rgb" => Some(3),
            other => {
                let found = String::from_utf8_lossy(other);
                return Err(Error::invalid(format!("format must be '', grayscale or rgb, got {found}")).attr("format"));
            }
        };
        if let Some(n) = expected.filter(|n| *n != channels) {
            let format = String::from_utf8_lossy(self.format);
            return Err(Error::invalid(format!("format {format} expects {n} channels, got {}", image.shape())));
        }
        let color = match channels {
            1 => JpegColorType::Luma,
            3 => JpegColorType::Ycbcr,
            _ => return Err(Error::invalid(format!("image must have 1 or 3 channels, got {}", image.shape()))),
        };
        let failed = |e: String| Error::internal("JPEG encoding failed").found(e);
        let size = |n: usize| u16::try_from(n).ok().filter(|n| *n > 0);
        let (Some(w), Some(h)) = (size(width), size(height)) else {
            return Err(failed(format!("an image of {width} times {height} pixels")));
        };
        let mut file = Vec::new();
        let mut encoder = Encoder::new(&mut file, quality.max(1));
        encoder.set_sampling_factor(if self.downsample { SamplingFactor::F_2_2 } else { SamplingFactor::F_1_1 });
        encoder.set_chroma_subsampling_method(ChromaSubsamplingMethod::Average);
        encoder.set_progressive(self.progressive);
        encoder.set_optimized_huffman_tables(self.optimize);
        if let Some(density) = self.density {
            encoder.set_density(density);
        }
        if !self.xmp.is_empty() {
            let segment = [&b"http://ns.adobe.com/xap/1.0/\0"[..], self.xmp].concat();
            encoder.add_app_segment(1, segment).map_err(|e| failed(e.to_string()))?;
        }
        let pixels = Pixels { data: image.slice()?, width: w, height: h, color };
        encoder.encode_image(pixels).map_err(|e| failed(e.to_string()))?;
        Ok(Bytes::from(file))
    }
}

/// Adapts an image to the encoder, which is compiled once per image type: this one serves all.
struct Pixels<'a> {
    data: &'a [u8],
    width: u16,
    height: u16,
    color: JpegColorType,
}

impl ImageBuffer for Pixels<'_> {
    fn get_jpeg_color_type(&self) -> JpegColorType {
        self.color
    }

    fn width(&self) -> u16 {
        self.width
    }

    fn height(&self) -> u16 {
        self.height
    }

    fn fill_buffers(&self, y: u16, buffers: &mut [Vec<u8>; 4]) {
        let (y, width) = (usize::from(y), usize::from(self.width));
        if self.color == JpegColorType::Luma {
            return buffers[0].extend_from_slice(&self.data[y * width..(y + 1) * width]);
        }
        for pixel in self.data[3 * y * width..3 * (y + 1) * width].chunks_exact(3) {
            let (y, cb, cr) = rgb_to_ycbcr(pixel[0], pixel[1], pixel[2]);
            buffers[0].push(y);
            buffers[1].push(cb);
            buffers[2].push(cr);
        }
    }
}

attrs! {
    /// Encodes an image as JPEG.
    pub struct EncodeJpeg {
        /// `grayscale`, `rgb`, or empty to infer it from the image's channels.
        format: Bytes = Attr::string("format").or_str(""),
        /// Compression quality, from 0 to 100.
        quality: i64 = Attr::int("quality").or_int(95),
        /// If true, creates a progressive JPEG.
        progressive: bool = Attr::bool("progressive").or_bool(false),
        /// If true, spends more CPU time to reduce the file size.
        optimize_size: bool = Attr::bool("optimize_size").or_bool(false),
        /// If true, chroma is stored at half resolution.
        chroma_downsampling: bool = Attr::bool("chroma_downsampling").or_bool(true),
        /// Unit of the pixel densities: `in` or `cm`.
        density_unit: Bytes = Attr::string("density_unit").or_str("in"),
        /// Horizontal pixels per density unit.
        x_density: i64 = Attr::int("x_density").or_int(300),
        /// Vertical pixels per density unit.
        y_density: i64 = Attr::int("y_density").or_int(300),
        /// XMP metadata to embed in the file.
        xmp_metadata: Bytes = Attr::string("xmp_metadata").or_str(""),
    }
}

pub static ENCODE_JPEG: Def<EncodeJpeg> = op("EncodeJpeg")
    .inputs(&[arg("image", is(DType::U8))])
    .outputs(&[arg("contents", is(DType::Str))])
    .shape(|_, cx| {
        cx.with_rank(0, 3)?;
        cx.output_scalar(0);
        Ok(())
    })
    .kernel(encode_jpeg)
    .heavy();

fn encode_jpeg(op: &EncodeJpeg, cx: &mut Cx<'_, '_>) -> Result<()> {
    let unit = match &op.density_unit[..] {
        b"in" => PixelDensityUnit::Inches,
        b"cm" => PixelDensityUnit::Centimeters,
        other => {
            let found = String::from_utf8_lossy(other);
            return Err(Error::invalid(format!("Invalid density_unit {found}")).attr("density_unit"));
        }
    };
    let density = |n: i64, attr: &str| {
        u16::try_from(n).map_err(|_| Error::invalid("a density must fit into 16 bits").attr(attr).found(n))
    };
    let density = (density(op.x_density, "x_density")?, density(op.y_density, "y_density")?);
    let jpeg = Jpeg {
        quality: op.quality,
        format: &op.format,
        progressive: op.progressive,
        optimize: op.optimize_size,
        downsample: op.chroma_downsampling,
        density: Some(PixelDensity { density, unit }),
        xmp: &op.xmp_metadata,
    };
    let file = jpeg.encode(cx.input(0)?)?;
    cx.set(0, Tensor::scalar(file));
    Ok(())
}

attrs! {
    /// Encodes an image as JPEG with the quality given by an input.
    pub struct EncodeJpegVariableQuality {}
}

pub static ENCODE_JPEG_VARIABLE_QUALITY: Def<EncodeJpegVariableQuality> = op("EncodeJpegVariableQuality")
    .inputs(&[arg("images", is(DType::U8)), arg("quality", is(DType::I32))])
    .outputs(&[arg("contents", is(DType::Str))])
    .shape(|_, cx| {
        cx.with_rank(0, 3)?;
        cx.with_rank(1, 0)?;
        cx.output_scalar(0);
        Ok(())
    })
    .kernel(encode_jpeg_variable_quality)
    .heavy();

fn encode_jpeg_variable_quality(_: &EncodeJpegVariableQuality, cx: &mut Cx<'_, '_>) -> Result<()> {
    let quality = i64::from(cx.scalar::<i32>(1)?);
    let (progressive, optimize, downsample) = (false, false, true);
    let jpeg = Jpeg { quality, format: b"", progressive, optimize, downsample, density: None, xmp: b"" };
    let file = jpeg.encode(cx.input(0)?)?;
    cx.set(0, Tensor::scalar(file));
    Ok(())
}

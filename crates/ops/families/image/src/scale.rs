//! The mapping between the pixels of a resized image and those of its source.

use crate::prelude::*;

attrs! {
    /// The attrs of resize ops and their gradients.
    pub struct Resizing {
        /// Element type of the images.
        dtype: DType = Attr::dtype("T", sets::REALS),
        /// If true, the centers of the corner pixels are aligned.
        align_corners: bool = Attr::bool("align_corners").or_bool(false),
        /// If true, pixel centers are at 0.5.
        half_pixel_centers: bool = Attr::bool("half_pixel_centers").or_bool(false),
    }
}

impl Resizing {
    /// The pixel alignment.
    pub fn alignment(&self) -> Alignment {
        Alignment { corners: self.align_corners, half_pixel: self.half_pixel_centers }
    }
}

/// The inputs of ops that resize images.
pub(crate) const IMAGES: &[Arg] = &[arg("images", of("T")), arg("size", is(DType::I32))];
/// The output of those that return floats.
pub(crate) const RESIZED: &[Arg] = &[arg("resized_images", is(DType::F32))];
/// The inputs and the output of gradients that take the image shape from an input.
pub(crate) const GRADIENTS: &[Arg] = &[arg("grads", is(DType::F32)), arg("original_image", of("T"))];
pub(crate) const OUTPUT: &[Arg] = &[arg("output", of("T"))];

/// One axis of a resize, computed in `f32` as in TensorFlow.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// Number of input pixels.
    pub input: usize,
    /// Number of output pixels.
    pub output: usize,
    factor: f32,
    half_pixel: bool,
}

/// How pixels are aligned.
#[derive(Clone, Copy, Debug)]
pub struct Alignment {
    /// The centers of the corner pixels are aligned.
    pub corners: bool,
    /// Pixel centers are at 0.5.
    pub half_pixel: bool,
}

impl Alignment {
    /// # Errors
    /// `INVALID_ARGUMENT` if both are set.
    pub fn check(self) -> Result<Alignment> {
        if self.corners && self.half_pixel {
            return Err(Error::invalid("If half_pixel_centers is True, align_corners must be False"));
        }
        Ok(self)
    }

    /// An axis of `input` pixels resized to `output`.
    pub fn scale(self, input: usize, output: usize) -> Scale {
        let factor = match self.corners && output > 1 {
            true => (input as f32 - 1.0) / (output as f32 - 1.0),
            false => input as f32 / output as f32,
        };
        Scale { input, output, factor, half_pixel: self.half_pixel }
    }
}

/// The position of an output pixel between two input pixels.
#[derive(Clone, Copy, Debug)]
pub struct Between {
    /// The lower neighbor.
    pub lower: usize,
    /// The upper neighbor.
    pub upper: usize,
    /// Fraction of the distance from the lower to the upper neighbor.
    pub part: f32,
}

impl Scale {
    /// The input coordinate of output pixel `i`.
    #[inline]
    pub fn place(&self, i: usize) -> f32 {
        match self.half_pixel {
            true => (i as f32 + 0.5) * self.factor - 0.5,
            false => i as f32 * self.factor,
        }
    }

    /// The input pixels that output pixel `i` lies between.
    #[inline]
    pub fn between(&self, i: usize) -> Between {
        let place = self.place(i);
        let floor = place.floor();
        let last = self.input.saturating_sub(1);
        let lower = (floor.max(0.0) as usize).min(last);
        let upper = (place.ceil().max(0.0) as usize).min(last);
        Between { lower, upper, part: place - floor }
    }

    /// The input pixel nearest to output pixel `i`.
    #[inline]
    pub fn nearest(&self, i: usize, corners: bool) -> usize {
        let place = match self.half_pixel {
            true => (i as f32 + 0.5) * self.factor,
            false => i as f32 * self.factor,
        };
        let place = if corners { place.round() } else { place.floor() };
        (place.max(0.0) as usize).min(self.input.saturating_sub(1))
    }

    /// Distance between two output pixels in input pixels.
    pub fn factor(&self) -> f32 {
        self.factor
    }
}

/// Checks that `shape` is that of a batch of images.
///
/// # Errors
/// `INVALID_ARGUMENT` if it is not.
pub fn check_images(shape: &Shape, what: &str) -> Result<()> {
    if shape.rank() != 4 {
        return Err(Error::invalid(format!("{what} must be 4-dimensional{shape}")));
    }
    Ok(())
}

/// The height and width in a tensor of two integers, both positive.
///
/// # Errors
/// `INVALID_ARGUMENT` if they are not.
pub fn size_from(tensor: &Tensor, what: &str) -> Result<[usize; 2]> {
    let shape = tensor.shape();
    if shape.dims() != [2] {
        return Err(Error::invalid(format!("{what} must be 1-dimensional with 2 elements, not of shape {shape}")));
    }
    match tensor.to_i64s()?[..] {
        [h, w] if h > 0 && w > 0 => Ok([h as usize, w as usize]),
        _ => Err(Error::invalid(format!("{what} must be positive")).found(tensor)),
    }
}

/// The geometry of a resize.
#[derive(Clone, Copy, Debug)]
pub struct Resize {
    /// Images in the batch.
    pub batch: usize,
    /// Channels of an image.
    pub channels: usize,
    /// Mapping of output rows to input rows.
    pub height: Scale,
    /// Mapping of output columns to input columns.
    pub width: Scale,
}

impl Resize {
    /// The resize of input 0 to the size on input 1.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if the inputs are invalid.
    pub fn of_inputs(cx: &levada_kernel::Io<'_>, alignment: Alignment) -> Result<Resize> {
        let alignment = alignment.check()?;
        let shape = cx.input(0)?.shape();
        check_images(shape, "input")?;
        let [height, width] = size_from(cx.input(1)?, "output dimensions")?;
        if shape[1] == 0 || shape[2] == 0 {
            return Err(Error::invalid("input image must be of non-zero size"));
        }
        if shape[3] == 0 {
            return Err(Error::invalid("image must have at least one channel").found(format!("shape {shape}")));
        }
        let (batch, channels) = (shape[0], shape[3]);
        let (height, width) = (alignment.scale(shape[1], height), alignment.scale(shape[2], width));
        Ok(Resize { batch, channels, height, width })
    }

    /// The resize whose gradient is input 0 and whose original images have the shape of input 1.
    ///
    /// # Errors
    /// As [`Resize::of_inputs`].
    pub fn of_gradient(cx: &levada_kernel::Io<'_>, alignment: Alignment) -> Result<Resize> {
        let alignment = alignment.check()?;
        let (gradient, original) = (cx.input(0)?.shape(), cx.input(1)?.shape());
        check_images(gradient, "input_grad")?;
        check_images(original, "original_image")?;
        if gradient[0] != original[0] || gradient[3] != original[3] {
            return Err(Error::invalid(format!(
                "the gradient of shape {gradient} and the images of shape {original} do not agree in batch and channels"
            )));
        }
        if gradient[1..3].contains(&0) || original[1..3].contains(&0) {
            return Err(Error::invalid("images and gradients must be of non-zero size"));
        }
        let height = alignment.scale(original[1], gradient[1]);
        let width = alignment.scale(original[2], gradient[2]);
        Ok(Resize { batch: original[0], channels: original[3], height, width })
    }

    /// Checks that there is memory for the state kept per output row and column: images without channels take none
    /// themselves, whatever their size.
    ///
    /// # Errors
    /// `RESOURCE_EXHAUSTED` if there is not.
    pub fn check_lines(&self, arena: &levada_kernel::Arena) -> Result<()> {
        const EACH: usize = 64;
        arena.check(self.height.output.saturating_add(self.width.output).saturating_mul(EACH))
    }

    /// Shape of the result.
    ///
    /// # Errors
    /// As [`Shape::new`].
    pub fn output_shape(&self) -> Result<Shape> {
        Shape::new([self.batch, self.height.output, self.width.output, self.channels])
    }

    /// Elements of an input image.
    pub fn image(&self) -> usize {
        self.height.input * self.width.input * self.channels
    }

    /// Elements of an output image.
    pub fn resized(&self) -> usize {
        self.height.output * self.width.output * self.channels
    }
}

/// Infers the shape of a gradient with respect to the images, which are input 1.
///
/// # Errors
/// `INVALID_ARGUMENT` if the inputs are not images.
pub(crate) fn original_shape(_: &Resizing, cx: &mut ShapeCx<'_>) -> Result<()> {
    cx.with_rank(0, 4)?;
    let shape = cx.with_rank(1, 4)?;
    cx.output(0, shape);
    Ok(())
}

/// The gradients of the gradient op of `forward`.
pub(crate) fn gradient_of_gradient(forward: &'static Def<Resizing>, op: &Resizing, g: &GradCx) -> Grads {
    let (before, x) = (g.input(0), g.input(1));
    let size = before.shape_value().slice1(1, 2);
    let dx = forward.node(g, op, &[g.dy(0), size]);
    vec![dx.cast(before.dtype()).into(), x.zeros_like().into()]
}

/// Infers the shape of the images on input 0 resized to the size on input 1.
///
/// # Errors
/// `INVALID_ARGUMENT` if the inputs are invalid.
pub(crate) fn resized_shape(_: &Resizing, cx: &mut ShapeCx<'_>) -> Result<()> {
    let images = cx.with_rank(0, 4)?;
    let size = cx.with_rank(1, 1)?;
    size.merge(&PartialShape::vector(Some(2)))?;
    let size = cx.constant_shape(1);
    let (batch, channels) = (images.dim(0), images.dim(3));
    cx.output(0, PartialShape::new([batch, size.dim(0), size.dim(1), channels]));
    Ok(())
}

//! `ImageProjectiveTransformV2` and `ImageProjectiveTransformV3`: projective warps of images.

use crate::prelude::*;
use crate::rules::{FILL, MATRIX_INVERSE, concat, first};

attrs! {
    /// Sets each output pixel `(x, y)` to the input pixel at `((a x + b y + c) / k, (d x + e y + f) / k)`, where `k` is
    /// `g x + h y + 1`. The rows of `transforms` are `a` to `h`, one row for all images or one for each.
    pub struct ImageProjectiveTransform {
        /// Element type of the images.
        dtype: DType = Attr::dtype("dtype", DTYPES),
        /// Interpolation method: `NEAREST` or `BILINEAR`.
        interpolation: Bytes = Attr::string("interpolation"),
        /// How pixels outside of an image are filled: `CONSTANT`, `REFLECT`, `WRAP` or `NEAREST`.
        fill_mode: Bytes = Attr::string("fill_mode").or_str("CONSTANT"),
    }
}

const DTYPES: &[DType] = {
    use DType::*;
    &[U8, I32, I64, F16, BF16, F32, F64]
};

const IMAGES: Arg = arg("images", of("dtype"));
const TRANSFORMS: Arg = arg("transforms", is(DType::F32));
const SIZE: Arg = arg("output_shape", is(DType::I32));

/// Coefficients per transform.
const NUMBERS: usize = 8;

pub static IMAGE_PROJECTIVE_TRANSFORM: Def<ImageProjectiveTransform> = op("ImageProjectiveTransformV2")
    .inputs(&[IMAGES, TRANSFORMS, SIZE])
    .outputs(&[arg("transformed_images", of("dtype"))])
    .also(&[form("ImageProjectiveTransformV3")
        .doc("As `ImageProjectiveTransformV2`, with the fill value for pixels outside of an image given by an input.")
        .inputs(&[IMAGES, TRANSFORMS, SIZE, arg("fill_value", is(DType::F32))])])
    .host_inputs(&[2])
    .shape(|_, cx| {
        let images = cx.with_rank(0, 4)?;
        cx.with_rank(1, 2)?;
        let size = cx.constant_shape(2).merge(&PartialShape::of_rank(2))?;
        cx.output(0, PartialShape::new([images.dim(0), size.dim(0), size.dim(1), images.dim(3)]));
        Ok(())
    })
    .gradient(gradient)
    .kernel(transform)
    .heavy();

/// As in TensorFlow: the upstream gradient warped with the inverse transforms.
fn gradient(op: &ImageProjectiveTransform, g: &GradCx) -> Grads {
    let transforms = g.input(1);
    let rows = transforms.shape_value().slice1(0, 1);
    let one = g.scalar(DType::F32, 1.0);
    let ones = FILL.call([concat(g, &[rows, g.ints(&[1])], 0), one]);
    let matrices = concat(g, &[transforms, ones], 1).reshape(g.ints(&[-1, 3, 3]));
    let inverse = MATRIX_INVERSE.call([matrices]).reshape(g.ints(&[-1, 9]));
    let columns = |from: i32, count: i32| {
        g.primitive(Primitive::Slice, &[inverse, g.ints(&[0, from]), g.ints(&[-1, count])], &[])
    };
    let inverse = columns(0, NUMBERS as i32) / columns(NUMBERS as i32, 1);
    let size = g.input(0).shape_value().slice1(1, 2);
    first(g, IMAGE_PROJECTIVE_TRANSFORM.node(g, op, &[g.dy(0), inverse, size]))
}

/// How pixels outside of an image are filled.
#[derive(Clone, Copy)]
enum Fill {
    Constant,
    Reflect,
    Wrap,
    Nearest,
}

impl Fill {
    /// Maps the coordinate `at`, which may lie outside, to one on an axis of `size` pixels.
    #[inline(always)]
    fn place(self, at: f32, size: usize) -> f32 {
        let last = size as i64 - 1;
        let inside = match self {
            Fill::Constant => return at,
            Fill::Nearest => at,
            Fill::Reflect => reflected(at, size as i64),
            Fill::Wrap => wrapped(at, size as i64),
        };
        // NaN is preserved.
        let inside = if inside < 0.0 { 0.0 } else { inside };
        if (last as f32) < inside { last as f32 } else { inside }
    }
}

/// Reflects `abcd` as `dcba|abcd|dcba`.
fn reflected(at: f32, size: i64) -> f32 {
    let (len, twice) = (size as f32, (2 * size) as f32);
    if at < 0.0 {
        if size <= 1 {
            return 0.0;
        }
        let at = if at < twice { ((2 * size).wrapping_mul((-at / twice) as i64)) as f32 + at } else { at };
        if at < -len { at + twice } else { -at - 1.0 }
    } else if at > len - 1.0 {
        if size <= 1 {
            return 0.0;
        }
        let at = at - ((2 * size).wrapping_mul((at / twice) as i64)) as f32;
        if at >= len { twice - at - 1.0 } else { at }
    } else {
        at
    }
}

/// Wraps `abcd` as `abcd|abcd|abcd`.
fn wrapped(at: f32, size: i64) -> f32 {
    let last = (size - 1) as f32;
    if at < 0.0 {
        if size <= 1 { 0.0 } else { at + (size.wrapping_mul(((-at / last) as i64).wrapping_add(1))) as f32 }
    } else if at > last {
        if size <= 1 { 0.0 } else { at - (size.wrapping_mul((at / last) as i64)) as f32 }
    } else {
        at
    }
}

/// One image.
struct Image<'a, T> {
    pixels: &'a [T],
    height: usize,
    width: usize,
    channels: usize,
    /// A pixel outside.
    fill: &'a [T],
}

impl<T: Real> Image<'_, T> {
    /// The pixel at an integral row and column.
    #[inline(always)]
    fn pixel(&self, y: f32, x: f32) -> &[T] {
        let is_inside = y >= 0.0 && y < self.height as f32 && x >= 0.0 && x < self.width as f32;
        if !is_inside {
            return self.fill;
        }
        &self.pixels[(y as usize * self.width + x as usize) * self.channels..][..self.channels]
    }

    /// Writes the pixel at a place between four.
    #[inline(always)]
    fn between(&self, y: f32, x: f32, out: &mut [T]) {
        let (top, left) = (y.floor(), x.floor());
        let (bottom, right) = (top + 1.0, left + 1.0);
        let row = |y: f32| self.pixel(y, left).iter().zip(self.pixel(y, right));
        let along = |(left_of, right_of): (&T, &T)| {
            (right - x) * left_of.to_f64() as f32 + (x - left) * right_of.to_f64() as f32
        };
        for ((out, above), below) in out.iter_mut().zip(row(top)).zip(row(bottom)) {
            *out = converted((bottom - y) * along(above) + (y - top) * along(below));
        }
    }
}

/// Converts a float to `T` as C++ does on x86: a byte keeps the lowest bits.
#[inline(always)]
fn converted<T: Real>(value: f32) -> T {
    match T::DTYPE {
        DType::U8 => T::from_f64(f64::from(value as i32 as u8)),
        _ => T::from_f64(f64::from(value)),
    }
}

fn transform(op: &ImageProjectiveTransform, cx: &mut Cx<'_, '_>) -> Result<()> {
    match op.dtype {
        DType::U8 => transform_images::<u8>(op, cx),
        DType::I32 => transform_images::<i32>(op, cx),
        DType::I64 => transform_images::<i64>(op, cx),
        dtype => dispatch!(dtype, floats, |T| transform_images::<T>(op, cx), else unsupported(cx, dtype)),
    }
}

fn transform_images<T: Real>(op: &ImageProjectiveTransform, cx: &mut Cx<'_, '_>) -> Result<()> {
    let wrong = |name: &'static str, value: &Bytes, allowed: &str| {
        Error::invalid(format!("the attr {name} has a value it cannot have"))
            .attr(name)
            .expected(allowed)
            .found(String::from_utf8_lossy(value))
    };
    let is_nearest = match &op.interpolation[..] {
        b"NEAREST" => true,
        b"BILINEAR" => false,
        _ => return Err(wrong("interpolation", &op.interpolation, "NEAREST or BILINEAR")),
    };
    let mode = match &op.fill_mode[..] {
        b"CONSTANT" => Fill::Constant,
        b"REFLECT" => Fill::Reflect,
        b"WRAP" => Fill::Wrap,
        b"NEAREST" => Fill::Nearest,
        _ => return Err(wrong("fill_mode", &op.fill_mode, "CONSTANT, REFLECT, WRAP or NEAREST")),
    };
    let (images, transforms) = (cx.input(0)?.shape().clone(), cx.input(1)?.shape().clone());
    let &[batch, height, width, channels] = images.dims() else {
        return Err(Error::invalid(format!("Input images must have rank 4, got shape {images}")));
    };
    let per_image = match *transforms.dims() {
        [1, NUMBERS] => 0,
        [count, NUMBERS] if count == batch => NUMBERS,
        _ => {
            return Err(Error::invalid("Input transform should be num_images x 8 or 1 x 8")
                .found(format!("{batch} images and transforms of shape {transforms}")));
        }
    };
    let [rows, columns] = super::scale::size_from(cx.input(2)?, "output dimensions")?;
    let fill = match cx.num_inputs() {
        3 => T::zero(),
        _ => {
            let value = cx.input(3)?;
            if !value.shape().is_scalar() {
                return Err(Error::invalid(format!("fill_value must be a scalar, got shape {}", value.shape())));
            }
            converted(value.item::<f32>()?)
        }
    };
    let line = columns * channels;
    cx.produce::<T>(0, &Shape::new([batch, rows, columns, channels])?, |cx, out| {
        let (pixels, transforms) = (cx.slice::<T>(0)?, cx.slice::<f32>(1)?);
        let fill = vec![fill; channels];
        cx.pool().for_chunks(out, line, line as f64 * 10.0, |first, out| {
            for (i, out) in out.chunks_exact_mut(line).enumerate() {
                let (n, row) = ((first + i) / rows, (first + i) % rows);
                let pixels = &pixels[n * height * width * channels..(n + 1) * height * width * channels];
                let image = Image { pixels, height, width, channels, fill: &fill };
                let t = &transforms[n * per_image..][..NUMBERS];
                vectorized_for!(T, {
                    for (column, out) in out.chunks_exact_mut(channels).enumerate() {
                        let (u, v) = (column as f32, row as f32);
                        let depth = t[6] * u + t[7] * v + 1.0;
                        let x = mode.place((t[0] * u + t[1] * v + t[2]) / depth, width);
                        let y = mode.place((t[3] * u + t[4] * v + t[5]) / depth, height);
                        if depth == 0.0 {
                            out.copy_from_slice(&fill);
                        } else if is_nearest {
                            out.copy_from_slice(image.pixel(y.round(), x.round()));
                        } else {
                            image.between(y, x, out);
                        }
                    }
                });
            }
        });
        Ok(())
    })
}

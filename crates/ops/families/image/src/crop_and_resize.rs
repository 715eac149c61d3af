//! `CropAndResize` and its gradients.

use super::scale::{check_images, size_from};
use super::taps::for_channels;
use crate::prelude::*;
use crate::rules::NONE;

attrs! {
    /// The attrs of `CropAndResize` and its gradients.
    pub struct CropAndResize {
        /// Element type of the images.
        dtype: DType = Attr::dtype("T", sets::REALS),
        /// Interpolation method.
        method: Bytes = Attr::one_of("method", &["bilinear", "nearest"]).or_str("bilinear"),
        /// Value used outside of the images.
        extrapolation_value: f32 = Attr::float("extrapolation_value").or_float(0.0),
    }
}

/// The mapping of a crop's pixels to an image's pixels along one axis.
#[derive(Clone, Copy)]
struct Edge {
    start: f32,
    end: f32,
    /// Number of image pixels.
    image: usize,
    /// Number of crop pixels.
    crop: usize,
}

impl Edge {
    /// Image coordinate of crop pixel `i`; `None` outside of the image.
    fn place(&self, i: usize) -> Option<f32> {
        let last = self.image as f32 - 1.0;
        let place = match self.crop > 1 {
            true => self.start * last + i as f32 * ((self.end - self.start) * last / (self.crop as f32 - 1.0)),
            false => 0.5 * (self.start + self.end) * last,
        };
        // NaN lies outside.
        (place >= 0.0 && place <= last).then_some(place)
    }

    /// The two pixels around a coordinate, and its distance from the first.
    fn around(&self, place: f32) -> (usize, usize, f32) {
        let floor = place.floor();
        (floor as usize, (place.ceil() as usize).min(self.image - 1), place - floor)
    }

    /// The pixel nearest to a coordinate.
    fn nearest(&self, place: f32) -> usize {
        (place.round() as usize).min(self.image - 1)
    }

    /// The two image pixels that crop pixel `i` lies between, or twice the nearest one, and its distance from the
    /// first; `None` outside of the image.
    fn pixels(&self, i: usize, nearest: bool) -> Option<(usize, usize, f32)> {
        let place = self.place(i)?;
        Some(match nearest {
            true => (self.nearest(place), self.nearest(place), 0.0),
            false => self.around(place),
        })
    }

    /// The derivatives of pixel `i`'s coordinate with respect to the start and the end.
    fn slopes(&self, i: usize) -> [f32; 2] {
        let last = self.image as f32 - 1.0;
        if self.crop <= 1 {
            return [0.5 * last; 2];
        }
        let ratio = last / (self.crop as f32 - 1.0);
        [last - i as f32 * ratio, i as f32 * ratio]
    }
}

/// Boxes and the images they refer to.
struct Boxes<'a> {
    corners: &'a [f32],
    images: Vec<usize>,
    size: [usize; 2],
    crop: [usize; 2],
}

impl<'a> Boxes<'a> {
    /// Reads boxes and the indices of their images.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if their shapes are wrong, `OUT_OF_RANGE` for image indices out of range.
    fn new(boxes: &'a Tensor, numbers: &Tensor, images: &[usize], crop: [usize; 2]) -> Result<Boxes<'a>> {
        let (shape, count) = (boxes.shape(), numbers.num_elements());
        if numbers.shape().rank() != 1 {
            return Err(Error::invalid(format!("box_index must be 1-dimensional{}", numbers.shape())));
        }
        let empty = count == 0 && boxes.num_elements() == 0;
        if !empty && shape.dims() != [count, 4] {
            return Err(Error::invalid(format!("boxes must have 4 columns and as many rows as box_index: {shape}"))
                .found(format!("{count} elements in box_index")));
        }
        if images[1] == 0 || images[2] == 0 {
            return Err(Error::invalid("image dimensions must be positive"));
        }
        let number = |&n: &i32| usize::try_from(n).ok().filter(|&n| n < images[0]);
        let numbers: Option<Vec<usize>> = numbers.slice::<i32>()?.iter().map(number).collect();
        let Some(numbers) = numbers else {
            return Err(Error::out_of_range(format!("box_index has values outside [0, {})", images[0])));
        };
        Ok(Boxes { corners: boxes.slice()?, images: numbers, size: [images[1], images[2]], crop })
    }

    /// The vertical and horizontal extents of box `b`.
    fn edges(&self, b: usize) -> [Edge; 2] {
        let c = &self.corners[b * 4..b * 4 + 4];
        [0, 1].map(|i| Edge { start: c[i], end: c[i + 2], image: self.size[i], crop: self.crop[i] })
    }
}

pub static CROP_AND_RESIZE: Def<CropAndResize> = op("CropAndResize")
    .doc("Crops boxes from images and resizes them to a common size.")
    .inputs(&[
        arg("image", of("T")),
        arg("boxes", is(DType::F32)),
        arg("box_ind", is(DType::I32)),
        arg("crop_size", is(DType::I32)),
    ])
    .outputs(&[arg("crops", is(DType::F32))])
    .shape(crop_and_resize_shape)
    .host_inputs(&[3])
    .gradient(|op, g| {
        let (image, boxes, places) = (g.input(0), g.input(1), g.input(2));
        let di = CROP_AND_RESIZE_GRAD_IMAGE.node(g, op, &[g.dy(0), boxes, places, image.shape_value()]);
        let db = CROP_AND_RESIZE_GRAD_BOXES.node(g, op, &[g.dy(0), image, boxes, places]);
        vec![di.into(), db.into(), NONE, NONE]
    })
    .kernel(crop_and_resize)
    .heavy();

fn crop_and_resize_shape(_: &CropAndResize, cx: &mut ShapeCx<'_>) -> Result<()> {
    let (image, boxes, numbers) = (cx.with_rank(0, 4)?, cx.with_rank(1, 2)?, cx.with_rank(2, 1)?);
    cx.with_rank(3, 1)?.merge(&PartialShape::vector(Some(2)))?;
    let count = PartialShape::vector(boxes.dim(0)).merge(&numbers)?.dim(0);
    let size = cx.constant_shape(3);
    cx.output(0, PartialShape::new([count, size.dim(0), size.dim(1), image.dim(3)]));
    Ok(())
}

fn crop_and_resize(op: &CropAndResize, cx: &mut Cx<'_, '_>) -> Result<()> {
    let image = cx.input(0)?.shape().clone();
    check_images(&image, "input image")?;
    let crop = size_from(cx.input(3)?, "crop dimensions")?;
    let count = Boxes::new(cx.input(1)?, cx.input(2)?, &image, crop)?.images.len();
    let channels = image[3];
    let (line, from_line) = (crop[1] * channels, image[2] * channels);
    let shape = Shape::new([count, crop[0], crop[1], channels])?;
    let nearest = &op.method[..] == b"nearest";
    dispatch!(op.dtype, reals, |T| cx.produce::<f32>(0, &shape, |cx, out| {
        let boxes = Boxes::new(cx.input(1)?, cx.input(2)?, &image, crop)?;
        let pixels = cx.input(0)?.slice::<T>()?;
        cx.pool().for_chunks(out, line, line as f64, |first, piece| {
            let mut columns = Vec::new();
            vectorized_for!(T, {
                for (i, out) in piece.chunks_exact_mut(line).enumerate() {
                    let (b, y) = ((first + i) / crop[0], (first + i) % crop[0]);
                    let [vertical, horizontal] = boxes.edges(b);
                    if i == 0 || y == 0 {
                        columns.clear();
                        columns.extend((0..crop[1]).map(|x| horizontal.pixels(x, nearest)));
                    }
                    let Some((top, bottom, v)) = vertical.pixels(y, nearest) else {
                        out.fill(op.extrapolation_value);
                        continue;
                    };
                    let row = |y: usize| &pixels[(boxes.images[b] * image[1] + y) * from_line..][..from_line];
                    let (top, bottom) = (row(top), row(bottom));
                    for_channels!(channels, {
                        for (h, out) in columns.iter().zip(out.chunks_exact_mut(channels)) {
                            let &Some((left, right, h)) = h else {
                                out.fill(op.extrapolation_value);
                                continue;
                            };
                            let places = [(top, left), (top, right), (bottom, left), (bottom, right)];
                            let [tl, tr, bl, br] = places.map(|(row, x)| &row[x * channels..][..channels]);
                            if nearest {
                                out.iter_mut().zip(tl).for_each(|(o, v)| *o = v.to_f64() as f32);
                                continue;
                            }
                            let four = tl.iter().zip(tr).zip(bl.iter().zip(br));
                            for (o, ((tl, tr), (bl, br))) in out.iter_mut().zip(four) {
                                let [tl, tr, bl, br] = [tl, tr, bl, br].map(|v| v.to_f64() as f32);
                                let (t, b) = (tl + (tr - tl) * h, bl + (br - bl) * h);
                                *o = t + (b - t) * v;
                            }
                        }
                    });
                }
            });
        });
        Ok(())
    }), else unsupported(cx, op.dtype))
}

/// The shape of the crops' gradients, checked against the boxes.
fn crops_of(cx: &Cx<'_, '_>, boxes: usize) -> Result<Shape> {
    let grads = cx.input(0)?.shape().clone();
    check_images(&grads, "grads image")?;
    if grads[1] == 0 || grads[2] == 0 {
        return Err(Error::invalid("grads dimensions must be positive"));
    }
    let count = cx.input(boxes)?.num_elements();
    if grads[0] != count {
        return Err(Error::invalid("boxes and grads have incompatible shape")
            .found(format!("{count} boxes and {} gradients", grads[0])));
    }
    Ok(grads)
}

pub static CROP_AND_RESIZE_GRAD_IMAGE: Def<CropAndResize> = op("CropAndResizeGradImage")
    .doc("The gradient of `CropAndResize` with respect to the images.")
    .attrs(&[Attr::dtype("T", sets::FLOATS)])
    .without(&["extrapolation_value"])
    .inputs(&[
        arg("grads", is(DType::F32)),
        arg("boxes", is(DType::F32)),
        arg("box_ind", is(DType::I32)),
        arg("image_size", is(DType::I32)),
    ])
    .outputs(&[arg("output", of("T"))])
    .shape(|_, cx| {
        let size = cx.constant_shape(3).merge(&PartialShape::of_rank(4))?;
        cx.output(0, size);
        Ok(())
    })
    .kernel(crop_and_resize_grad_image)
    .heavy()
    .host_inputs(&[3]);

fn crop_and_resize_grad_image(op: &CropAndResize, cx: &mut Cx<'_, '_>) -> Result<()> {
    let grads = crops_of(cx, 2)?;
    let size = cx.input(3)?;
    if size.shape().dims() != [4] {
        return Err(Error::invalid(format!("image_size must be 1-dimensional with 4 elements{}", size.shape())));
    }
    let shape = Shape::from_signed(&size.to_i64s()?)?;
    let channels = shape[3];
    if grads[3] != channels {
        return Err(Error::invalid("image_size and grads are incompatible"));
    }
    let boxes = Boxes::new(cx.input(1)?, cx.input(2)?, &shape, [grads[1], grads[2]])?;
    let mut out = cx.zeros(op.dtype, &shape)?;
    let gradient = cx.input(0)?.slice::<f32>()?;
    let nearest = &op.method[..] == b"nearest";
    dispatch!(op.dtype, floats, |T| {
        let out = out.slice_mut::<T>()?;
        for (p, grads) in gradient.chunks_exact(channels.max(1)).enumerate() {
            let (rest, x) = (p / boxes.crop[1], p % boxes.crop[1]);
            let (b, y) = (rest / boxes.crop[0], rest % boxes.crop[0]);
            let [vertical, horizontal] = boxes.edges(b);
            let (Some(v), Some(h)) = (vertical.place(y), horizontal.place(x)) else { continue };
            let mut add = |y: usize, x: usize, weight: f32| {
                let at = ((boxes.images[b] * shape[1] + y) * shape[2] + x) * channels;
                let pairs = out[at..at + channels].iter_mut().zip(grads);
                pairs.for_each(|(o, g)| *o = o.add(T::from_f64(f64::from(g * weight))));
            };
            if nearest {
                add(vertical.nearest(v), horizontal.nearest(h), 1.0);
                continue;
            }
            let ((top, bottom, v), (left, right, h)) = (vertical.around(v), horizontal.around(h));
            add(top, left, (1.0 - v) * (1.0 - h));
            add(top, right, (1.0 - v) * h);
            add(bottom, left, v * (1.0 - h));
            add(bottom, right, v * h);
        }
        Ok(())
    }, else unsupported(cx, op.dtype))?;
    cx.set(0, out);
    Ok(())
}

pub static CROP_AND_RESIZE_GRAD_BOXES: Def<CropAndResize> = op("CropAndResizeGradBoxes")
    .doc("The gradient of `CropAndResize` with respect to the boxes.")
    .attrs(&[Attr::one_of("method", &["bilinear"]).or_str("bilinear")])
    .without(&["extrapolation_value"])
    .inputs(&[
        arg("grads", is(DType::F32)),
        arg("image", of("T")),
        arg("boxes", is(DType::F32)),
        arg("box_ind", is(DType::I32)),
    ])
    .outputs(&[arg("output", is(DType::F32))])
    .shape(|_, cx| {
        let shape = cx.with_rank(2, 2)?;
        cx.output(0, shape);
        Ok(())
    })
    .kernel(crop_and_resize_grad_boxes)
    .heavy();

fn crop_and_resize_grad_boxes(op: &CropAndResize, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (grads, image) = (crops_of(cx, 3)?, cx.input(1)?.shape().clone());
    check_images(&image, "input image")?;
    if image[3] != grads[3] {
        return Err(Error::invalid("image and grads have incompatible depth"));
    }
    let boxes = Boxes::new(cx.input(2)?, cx.input(3)?, &image, [grads[1], grads[2]])?;
    let mut out = cx.zeros(DType::F32, cx.input(2)?.shape())?;
    let gradient = cx.input(0)?.slice::<f32>()?;
    let channels = image[3];
    let crop = grads[1] * grads[2] * channels;
    dispatch!(op.dtype, reals, |T| {
        let pixels = cx.input(1)?.slice::<T>()?;
        cx.pool().for_chunks(out.slice_mut::<f32>()?, 4, crop as f64 * 10.0, |first, piece| {
            for (i, out) in piece.chunks_exact_mut(4).enumerate() {
                let b = first + i;
                let [vertical, horizontal] = boxes.edges(b);
                let start = boxes.images[b] * image[1];
                let pixel = |y: usize, x: usize, c: usize| {
                    pixels[((start + y) * image[2] + x) * channels + c].to_f64() as f32
                };
                for (p, grads) in gradient[b * crop..][..crop].chunks_exact(channels).enumerate() {
                    let (y, x) = (p / boxes.crop[1], p % boxes.crop[1]);
                    let (Some(v), Some(h)) = (vertical.place(y), horizontal.place(x)) else { continue };
                    let ((top, bottom, v), (left, right, h)) = (vertical.around(v), horizontal.around(h));
                    let (dv, dh) = (vertical.slopes(y), horizontal.slopes(x));
                    for (c, g) in grads.iter().enumerate() {
                        let (tl, tr) = (pixel(top, left, c), pixel(top, right, c));
                        let (bl, br) = (pixel(bottom, left, c), pixel(bottom, right, c));
                        let by_v = ((1.0 - h) * (bl - tl) + h * (br - tr)) * g;
                        let by_h = ((1.0 - v) * (tr - tl) + v * (br - bl)) * g;
                        out[0] += by_v * dv[0];
                        out[1] += by_h * dh[0];
                        out[2] += by_v * dv[1];
                        out[3] += by_h * dh[1];
                    }
                }
            }
        });
        Ok(())
    }, else unsupported(cx, op.dtype))?;
    cx.set(0, out);
    Ok(())
}

//! `SampleDistortedBoundingBox` and its versions: a random crop of an image.

use crate::boxes::{CORNERS, scalar};
use crate::philox::{Philox, Singles, Stream, seeded};
use crate::prelude::*;
use crate::rules::never;

attrs! {
    /// Samples a random crop of an image of size `image_size` that covers enough of one of its bounding boxes. Returns
    /// the arguments of a `Slice`, and the crop as a box; the whole image if no crop is found.
    pub struct SampleDistortedBoundingBox {
        /// Element type of `image_size`.
        dtype: DType = Attr::dtype("T", &[DType::U8, DType::I8, DType::I16, DType::I32, DType::I64]),
        /// Element type of `seed`.
        seed_dtype: DType = Attr::dtype("Tseed", sets::INDEX).or_type(DType::I64),
        /// First seed; if both are 0, the crops differ from session to session.
        seed: i64 = Attr::int("seed").or_int(0),
        /// Second seed.
        seed2: i64 = Attr::int("seed2").or_int(0),
        /// Minimum fraction of a box that a crop must cover.
        min_object_covered: f32 = Attr::float("min_object_covered").or_float(0.1),
        /// Minimum and maximum aspect ratio (width / height) of a crop.
        aspect_ratio_range: Vec<f32> = Attr::floats("aspect_ratio_range").or(AttrDefault::Floats(&[0.75, 1.33])),
        /// Minimum and maximum fraction of the image that a crop covers.
        area_range: Vec<f32> = Attr::floats("area_range").or(AttrDefault::Floats(&[0.05, 1.0])),
        /// Maximum number of attempts to sample a crop.
        max_attempts: i64 = Attr::int("max_attempts").or_int(100),
        /// Whether to use the whole image as the only box if there are none, which is otherwise an error.
        use_image_if_no_bounding_boxes: bool = Attr::bool("use_image_if_no_bounding_boxes").or_bool(false),
    }
}

const SIZE: Arg = arg("image_size", of("T"));
const BOXES: Arg = arg("bounding_boxes", is(DType::F32));
const COVERED: Arg = arg("min_object_covered", is(DType::F32));
const OUTPUTS: &[Arg] = &[arg("begin", of("T")), arg("size", of("T")), arg("bboxes", is(DType::F32))];

pub static SAMPLE_DISTORTED_BOUNDING_BOX: Def<SampleDistortedBoundingBox> = op("SampleDistortedBoundingBox")
    .inputs(&[SIZE, BOXES])
    .outputs(OUTPUTS)
    .without(&["Tseed"])
    .effect(Effect::Own)
    .also(&[form("SampleDistortedBoundingBoxV2")
        .doc("Like `SampleDistortedBoundingBox`, with `min_object_covered` as an input.")
        .inputs(&[SIZE, BOXES, COVERED])
        .without(&["Tseed", "min_object_covered"])])
    .shape(infer)
    .gradient(|_, g| never(g))
    .kernel(|op, cx| {
        op.check()?;
        let stream = cx.node_state(|| Stream::new(op.seed, op.seed2))?;
        sample(op, cx, stream.reserve(op.max_attempts as u64))
    });

pub static STATELESS_SAMPLE_DISTORTED_BOUNDING_BOX: Def<SampleDistortedBoundingBox> =
    op("StatelessSampleDistortedBoundingBox")
        .doc("Like `SampleDistortedBoundingBoxV2`, with the seeds as an input: the same seeds give the same crop.")
        .inputs(&[SIZE, BOXES, COVERED, arg("seed", of("Tseed"))])
        .outputs(OUTPUTS)
        .without(&["seed", "seed2", "min_object_covered"])
        .attrs(&[Attr::dtype("Tseed", sets::INDEX)])
        .shape(infer)
        .kernel(|op, cx| {
            op.check()?;
            sample(op, cx, seeded(cx, 3)?)
        });

fn infer(_: &SampleDistortedBoundingBox, cx: &mut ShapeCx<'_>) -> Result<()> {
    cx.input(0).merge(&PartialShape::vector(Some(3)))?;
    cx.input(1).merge(&PartialShape::new([None, None, Some(CORNERS)]))?;
    if cx.num_inputs() > 2 {
        cx.with_rank(2, 0)?;
    }
    if cx.num_inputs() > 3 {
        cx.input(3).merge(&PartialShape::vector(Some(2)))?;
    }
    cx.output_vector(0, Some(3));
    cx.output_vector(1, Some(3));
    cx.output(2, PartialShape::new([Some(1), Some(1), Some(CORNERS)]));
    Ok(())
}

impl SampleDistortedBoundingBox {
    fn check(&self) -> Result<()> {
        let wrong = |what: &str, found: &[f32]| Err(Error::invalid(what).found(format!("{found:?}")));
        match self.aspect_ratio_range[..] {
            [least, most] if least > 0.0 && most > 0.0 => {}
            _ => return wrong("aspect_ratio_range must be two positive numbers", &self.aspect_ratio_range),
        }
        match self.area_range[..] {
            [least, most] if least > 0.0 && most > 0.0 && least <= 1.0 && most <= 1.0 => {}
            _ => return wrong("area_range must be two positive numbers up to 1", &self.area_range),
        }
        if !(1..=i64::from(i32::MAX)).contains(&self.max_attempts) {
            return Err(Error::invalid("max_attempts must be positive").found(self.max_attempts));
        }
        Ok(())
    }
}

/// A pixel rectangle: start and exclusive end, as rows and columns.
#[derive(Clone, Copy)]
struct Rectangle {
    low: [i32; 2],
    high: [i32; 2],
}

impl Rectangle {
    fn area(&self) -> f32 {
        (self.high[0].wrapping_sub(self.low[0])).wrapping_mul(self.high[1].wrapping_sub(self.low[1])) as f32
    }

    /// Returns the area of the intersection.
    fn common_area(&self, other: &Rectangle) -> f32 {
        let low = [0, 1].map(|axis| self.low[axis].max(other.low[axis]));
        let high = [0, 1].map(|axis| self.high[axis].min(other.high[axis]));
        if low[0] > high[0] || low[1] > high[1] { 0.0 } else { Rectangle { low, high }.area() }
    }

    /// Whether it covers this fraction of one of `objects`. Empty objects are never covered.
    fn covers(&self, part: f32, objects: &[Rectangle]) -> bool {
        let is_covered = |object: &Rectangle| {
            let area = object.area();
            area >= 1.0 && self.common_area(object) / area >= part
        };
        self.area() >= 1.0 && objects.iter().any(is_covered)
    }
}

/// Rounds to the nearest integer, ties to even.
fn nearest(v: f32) -> i32 {
    v.round_ties_even() as i64 as i32
}

/// Returns a random crop of an image of this size with this aspect ratio, covering between the minimum and maximum
/// fraction of the image; `None` if there is none.
fn crop(size: [i32; 2], area_range: [f32; 2], ratio: f32, lots: &mut Singles) -> Option<Rectangle> {
    let [rows, columns] = size;
    if ratio <= 0.0 || rows <= 0 || columns <= 0 || area_range[0] > area_range[1] {
        return None;
    }
    let [least, most] = area_range.map(|part| part * columns as f32 * rows as f32);
    let width_of = |height: i32| nearest(height as f32 * ratio);
    let mut height = nearest((least / ratio).sqrt());
    let mut highest = nearest((most / ratio).sqrt());
    if width_of(highest) > columns {
        // The maximum height for which the width fits, up to rounding.
        highest = ((f64::from(columns) + 0.5 - f64::from(1e-7f32)) / f64::from(ratio)) as i32;
        if width_of(highest) > columns {
            highest -= 1;
        }
    }
    highest = highest.min(rows);
    height = height.min(highest);
    if height < highest {
        height += lots.below_u32((highest - height + 1) as u32) as i32;
    }
    let area_of = |height: i32| width_of(height).wrapping_mul(height) as f32;
    // One pixel more or less may compensate for rounding of the area.
    if area_of(height) < least {
        height += 1;
    }
    if area_of(height) > most {
        height -= 1;
    }
    let (width, area) = (width_of(height), area_of(height));
    if area < least || area > most || width > columns || height > rows || width <= 0 || height <= 0 {
        return None;
    }
    let row = if height < rows { lots.below_u32((rows - height) as u32) as i32 } else { 0 };
    let column = if width < columns { lots.below_u32((columns - width) as u32) as i32 } else { 0 };
    Some(Rectangle { low: [row, column], high: [row + height, column + width] })
}

/// Returns the rectangles of the boxes in input 1 for an image of this size.
fn objects(op: &SampleDistortedBoundingBox, cx: &Cx<'_, '_>, size: [i32; 2]) -> Result<Vec<Rectangle>> {
    let shape = cx.input(1)?.shape();
    if !matches!(shape.dims(), [_, _, CORNERS]) {
        return Err(Error::invalid(format!(
            "input boxes must be 3-dimensional [batch, num_boxes, 4], got shape {shape}"
        )));
    }
    let boxes = cx.slice::<f32>(1)?;
    if let Some(outside) = boxes.iter().find(|v| !(0.0..=1.0).contains(*v)) {
        return Err(Error::invalid("All bounding box coordinates must be in [0.0, 1.0]").found(outside));
    }
    if boxes.is_empty() {
        if !op.use_image_if_no_bounding_boxes {
            return Err(Error::invalid("No bounding boxes provided as input")
                .help("set use_image_if_no_bounding_boxes to use the whole image as the only box"));
        }
        return Ok(vec![Rectangle { low: [0, 0], high: size }]);
    }
    let place = |v: f32, size: i32| (v * size as f32) as i32;
    let corner = |v: &[f32]| [place(v[0], size[0]), place(v[1], size[1])];
    Ok(boxes.chunks_exact(CORNERS).map(|b| Rectangle { low: corner(&b[..2]), high: corner(&b[2..]) }).collect())
}

fn sample(op: &SampleDistortedBoundingBox, cx: &mut Cx<'_, '_>, philox: Philox) -> Result<()> {
    let shape = cx.input(0)?.shape();
    if shape.dims() != [3] {
        return Err(Error::invalid(format!("image_size must be 1-dimensional with 3 elements, got shape {shape}")));
    }
    let given = cx.i64s(0)?;
    let side = |i: usize, what: &str| match i32::try_from(given[i]) {
        Ok(side) if (0..i32::MAX).contains(&side) => Ok(side),
        _ => Err(Error::invalid(format!("image {what} must be non-negative and less than 2147483647")).found(given[i])),
    };
    let size = [side(0, "height")?, side(1, "width")?];
    let covered = match cx.num_inputs() {
        2 => op.min_object_covered,
        _ => scalar(cx, 2, "min_object_covered")?,
    };
    if !(covered >= 0.0) {
        return Err(Error::invalid("Min object covered must be non-negative").found(covered));
    }
    let objects = objects(op, cx, size)?;
    let (areas, ratios) = ([op.area_range[0], op.area_range[1]], &op.aspect_ratio_range);
    let mut lots = philox.singles();
    let mut found = None;
    for attempt in 0..op.max_attempts {
        if attempt % 1024 == 1023 {
            cx.step().check()?;
        }
        let ratio = lots.unit_f32() * (ratios[1] - ratios[0]) + ratios[0];
        found = crop(size, areas, ratio, &mut lots).filter(|crop| crop.covers(covered, &objects));
        if found.is_some() {
            break;
        }
    }
    let Rectangle { low, high } = found.unwrap_or(Rectangle { low: [0, 0], high: size });
    let corner = |at: [i32; 2]| [0, 1].map(|axis| at[axis] as f32 / size[axis] as f32);
    let [first, last] = [corner(low), corner(high)];
    let corners = vec![first[0], first[1], last[0], last[1]];
    dispatch!(op.dtype, integers, |T| {
        let extent = [0, 1].map(|axis| high[axis] - low[axis]);
        cx.set(0, Tensor::vector(vec![low[0] as T, low[1] as T, 0]));
        // All channels.
        cx.set(1, Tensor::vector(vec![extent[0] as T, extent[1] as T, -1i32 as T]));
    }, else return unsupported(cx, op.dtype));
    cx.set(2, Tensor::from_vec(Shape::new([1, 1, CORNERS])?, corners)?);
    Ok(())
}

//! `DrawBoundingBoxes` and `DrawBoundingBoxesV2`: draw the outlines of boxes on images.

use crate::boxes::CORNERS;
use crate::prelude::*;
use crate::rules::never;

attrs! {
    /// Draws the outlines of `boxes` on images with values between 0 and 1, cycling through ten colors. A box consists
    /// of two opposite corners, each as row and column, with coordinates between 0 and 1.
    pub struct DrawBoundingBoxes {
        /// Element type of the images.
        dtype: DType = Attr::dtype("T", &[DType::F32, DType::F16]).or_type(DType::F32),
    }
}

const IMAGES: Arg = arg("images", of("T"));
const BOXES: Arg = arg("boxes", is(DType::F32));

pub static DRAW_BOUNDING_BOXES: Def<DrawBoundingBoxes> = op("DrawBoundingBoxes")
    .inputs(&[IMAGES, BOXES])
    .outputs(&[arg("output", of("T"))])
    .also(&[form("DrawBoundingBoxesV2")
        .doc(
            "Like `DrawBoundingBoxes`, cycling through the rows of `colors`, or the ten default colors if it has none.",
        )
        .inputs(&[IMAGES, BOXES, arg("colors", is(DType::F32))])
        .not_differentiable()])
    .shape(|_, cx| {
        let images = cx.rank_at_least(0, 3)?;
        cx.output(0, images);
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(|op: &DrawBoundingBoxes, cx| match op.dtype {
        DType::F16 => draw::<f16>(cx),
        _ => draw::<f32>(cx),
    })
    .heavy();

/// Yellow, blue, red, lime, purple, olive, maroon, navy, aqua and fuchsia.
const COLORS: [[f32; 4]; 10] = [
    [1.0, 1.0, 0.0, 1.0],
    [0.0, 0.0, 1.0, 1.0],
    [1.0, 0.0, 0.0, 1.0],
    [0.0, 1.0, 0.0, 1.0],
    [0.5, 0.0, 0.5, 1.0],
    [0.5, 0.5, 0.0, 1.0],
    [0.5, 0.0, 0.0, 1.0],
    [0.0, 0.0, 0.5, 1.0],
    [0.0, 1.0, 1.0, 1.0],
    [1.0, 0.0, 1.0, 1.0],
];

/// Returns the colors to cycle through, `depth` values each.
fn colors<T: Float>(cx: &Cx<'_, '_>, depth: usize) -> Result<Vec<T>> {
    let number = |v: f32| T::from_f64(f64::from(v));
    if cx.num_inputs() == 3 {
        let shape = cx.input(2)?.shape();
        let &[rows, columns] = shape.dims() else {
            return Err(Error::invalid(format!("colors must be a 2-D matrix, got shape {shape}")));
        };
        if columns < depth {
            return Err(Error::invalid(format!(
                "colors must have equal or more channels than the image provided: {shape}"
            )));
        }
        if rows > 0 {
            let rows = cx.slice::<f32>(2)?.chunks_exact(columns);
            return Ok(rows.flat_map(|row| row[..depth].iter().map(|&v| number(v))).collect());
        }
    }
    Ok(match depth {
        1 => vec![T::one(); COLORS.len()],
        _ => COLORS.iter().flat_map(|color| color[..depth].iter().map(|&v| number(v))).collect(),
    })
}

/// Returns the pixel along an axis of `size` that a coordinate falls on, which may be outside. A value that no integer
/// can represent becomes a position far before the first, as the conversion does on TensorFlow's machines.
fn pixel(coordinate: f32, size: usize) -> i64 {
    let place = coordinate * (size as i64 - 1) as f32;
    if place.abs() < i64::MAX as f32 { place as i64 } else { i64::MIN }
}

fn draw<T: Float>(cx: &mut Cx<'_, '_>) -> Result<()> {
    let (images, boxes) = (cx.input(0)?.shape().clone(), cx.input(1)?.shape().clone());
    let &[batch, height, width, depth] = images.dims() else {
        return Err(Error::invalid(format!("The rank of the images should be 4, got shape {images}")));
    };
    let &[images_of_boxes, count, CORNERS] = boxes.dims() else {
        return Err(Error::invalid(format!(
            "The rank of the boxes tensor should be 3, and the third dimension 4, got shape {boxes}"
        )));
    };
    if images_of_boxes != batch {
        return Err(
            Error::invalid("The batch sizes should be the same").found(format!("{batch} and {images_of_boxes}"))
        );
    }
    if !matches!(depth, 1 | 3 | 4) {
        return Err(Error::invalid("Channel depth should be either 1 (GRY), 3 (RGB), or 4 (RGBA)").found(depth));
    }
    let colors = colors::<T>(cx, depth)?;
    let (mut out, is_input) = cx.forward_or_alloc(0, T::DTYPE, &images)?;
    let canvas = out.slice_mut::<T>()?;
    if !is_input {
        canvas.copy_from_slice(cx.slice(0)?);
    }
    let image = height * width * depth;
    if image > 0 && count > 0 {
        let boxes = cx.slice::<f32>(1)?;
        cx.pool().for_chunks(canvas, image, (count * (height + width)) as f64, |first, canvas| {
            for (i, canvas) in canvas.chunks_exact_mut(image).enumerate() {
                let boxes = boxes[(first + i) * count * CORNERS..].chunks_exact(CORNERS).take(count);
                let mut picture = Picture { canvas, height, width, depth };
                for (corners, color) in boxes.zip(colors.chunks_exact(depth).cycle()) {
                    picture.outline(corners, color);
                }
            }
        });
    }
    cx.set(0, out);
    Ok(())
}

/// One image.
struct Picture<'a, T> {
    canvas: &'a mut [T],
    height: usize,
    width: usize,
    depth: usize,
}

impl<T: Float> Picture<'_, T> {
    fn outline(&mut self, corners: &[f32], color: &[T]) {
        let [top, left, bottom, right] = [
            pixel(corners[0], self.height),
            pixel(corners[1], self.width),
            pixel(corners[2], self.height),
            pixel(corners[3], self.width),
        ];
        let (last_row, last_column) = (self.height as i64 - 1, self.width as i64 - 1);
        let is_inverted = top > bottom || left > right;
        if is_inverted || top > last_row || bottom < 0 || left > last_column || right < 0 {
            return;
        }
        let rows = top.max(0) as usize..=bottom.min(last_row) as usize;
        let columns = left.max(0) as usize..=right.min(last_column) as usize;
        for row in [top, bottom].into_iter().filter(|row| (0..=last_row).contains(row)) {
            columns.clone().for_each(|column| self.dot(row as usize, column, color));
        }
        for column in [left, right].into_iter().filter(|column| (0..=last_column).contains(column)) {
            rows.clone().for_each(|row| self.dot(row, column as usize, color));
        }
    }

    fn dot(&mut self, row: usize, column: usize, color: &[T]) {
        let at = (row * self.width + column) * self.depth;
        self.canvas[at..at + self.depth].copy_from_slice(color);
    }
}

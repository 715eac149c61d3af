//! Images: decoding, and grids of coordinates.

use super::moving::counting;
use super::prelude::*;

pub(crate) const OPERATORS: &[Operator] = &[op("AffineGrid", &[20], affine_grid), op("ImageDecoder", &[20], decode)];

/// Coordinates of pixels along an axis, from -1 to 1.
fn places(cx: &mut Cx<'_, '_>, size: &Val, dtype: DType, corners: bool) -> Result<Val> {
    let numbers = counting(cx, size)?;
    let (numbers, size) = (cx.cast(&numbers, dtype)?, cx.cast(size, dtype)?);
    if corners {
        let steps = cx.plus_number(&size, -1.0)?;
        let doubled = cx.times_number(&numbers, 2.0)?;
        let scaled = cx.over(&doubled, &steps)?;
        return cx.plus_number(&scaled, -1.0);
    }
    let doubled = cx.times_number(&numbers, 2.0)?;
    let centre = cx.plus_number(&doubled, 1.0)?;
    let scaled = cx.over(&centre, &size)?;
    cx.plus_number(&scaled, -1.0)
}

fn affine_grid(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (theta, size) = (cx.input(0)?, cx.input(1)?);
    let corners = cx.flag("align_corners", false)?;
    let dtype = cx.dtype(&theta);
    let spatial = match (cx.shape(&size).dim(0), cx.shape(&theta).dim(1)) {
        (Some(n), _) if n >= 2 => n - 2,
        (_, Some(n)) => n,
        _ => return Err(Error::unimplemented("the number of axes of a grid is not known before the run")),
    };
    if !(2..=3).contains(&spatial) {
        return Err(Error::invalid("a grid has two or three axes").found(spatial));
    }
    let mut sizes = Vec::new();
    for i in 0..spatial {
        let (place, zero) = (cx.i32(2 + i as i64)?, cx.i32(0)?);
        sizes.push(cx.op("GatherV2", &[&size, &place, &zero])?);
    }
    let dims = cx.pack(&sizes)?;
    // The last axis of an image is the first coordinate.
    let mut columns = Vec::new();
    for i in (0..spatial).rev() {
        let along = places(cx, &sizes[i], dtype, corners)?;
        let mut shape = vec![1; spatial];
        shape[i] = -1;
        let along = cx.reshape(&along, &shape)?;
        let all = cx.op("BroadcastTo", &[&along, &dims])?;
        columns.push(cx.reshape(&all, &[-1])?);
    }
    let ones = cx.op("OnesLike", &[&columns[0]])?;
    columns.push(ones);
    let points = cx.node("Pack").inputs(&columns).attr("axis", 0i64).add()?;
    // [n, spatial, spatial + 1] times [spatial + 1, points]
    let moved = cx.op("BatchMatMulV2", &[&theta, &points])?;
    let moved = cx.transpose(&moved, &[0, 2, 1])?;
    let batch = cx.size_of(&theta, 0)?;
    let last = cx.i64(spatial as i64)?;
    let mut shape = vec![batch];
    shape.extend(sizes);
    shape.push(last);
    let shape = cx.pack(&shape)?;
    Ok(vec![cx.op("Reshape", &[&moved, &shape])?])
}

/// The formats of the library's image codecs: JPEG, PNG, GIF and BMP.
fn decode(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let stream = cx.input(0)?;
    let format = cx.text_or("pixel_format", "RGB")?;
    let channels = match &format[..] {
        "RGB" | "BGR" => 3i64,
        "Grayscale" => 1,
        other => {
            let error = Error::invalid("an attribute has an invalid value").attr("pixel_format");
            return Err(error.expected("RGB, BGR or Grayscale").found(other));
        }
    };
    // The bytes as one string.
    let text = cx.node("OnnxBytes").input(&stream).add()?.of_elem(Elem::STRING);
    let node = cx.node("DecodeImage").input(&text).attr("channels", channels).attr("dtype", DType::U8);
    let image = node.attr("expand_animations", false).add()?.of_elem(Elem::UINT8);
    cx.set_shape(&image, PartialShape::new([None, None, Some(channels as usize)]));
    if format != "BGR" {
        return Ok(vec![image]);
    }
    let axis = cx.i32s(&[2])?;
    Ok(vec![cx.op("ReverseV2", &[&image, &axis])?])
}

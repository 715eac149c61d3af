//! `DataFormatDimMap` and `DataFormatVecPermute`: conversion of axes and sizes between data formats.

use crate::prelude::*;
use std::ops::Range;

attrs! {
    /// Maps the axis indices in `x` from `src_format` to `dst_format`; negative indices count from the end.
    pub struct DataFormat {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::INDEX).or_type(DType::I32),
        /// Source data format, such as `NHWC` or `NCDHW`.
        from: Bytes = Attr::string("src_format").or_str("NHWC"),
        /// Destination data format.
        to: Bytes = Attr::string("dst_format").or_str("NCHW"),
    }
}

const INPUTS: &[Arg] = &[arg("x", of("T"))];
const OUTPUTS: &[Arg] = &[arg("y", of("T"))];

const fn data_format(name: &'static str, kernel: fn(&DataFormat, &mut Cx<'_, '_>) -> Result<()>) -> Def<DataFormat> {
    op(name)
        .inputs(INPUTS)
        .outputs(OUTPUTS)
        .counts("T")
        .shape(|_, cx| {
            cx.same_as_input(0);
            Ok(())
        })
        .kernel(kernel)
        .labels(&["host"])
}

pub static DATA_FORMAT_DIM_MAP: Def<DataFormat> = data_format("DataFormatDimMap", dim_map);

pub static DATA_FORMAT_VEC_PERMUTE: Def<DataFormat> = data_format("DataFormatVecPermute", vec_permute).doc(
    "Permutes a vector (or a matrix with two columns) with one row per axis from `src_format` to `dst_format`. The \
     input covers either all axes or only height, width and depth.",
);

impl DataFormat {
    /// The position in `to` of each axis of `from`.
    fn places(&self, is_kept: impl Fn(u8) -> bool) -> Result<Vec<usize>> {
        let wrong = |what: &str| {
            let formats = [&self.from, &self.to].map(|format| String::from_utf8_lossy(format));
            Error::invalid(what).found(format!("{} and {}", formats[0], formats[1]))
        };
        let (from, to) = (&self.from[..], &self.to[..]);
        if !matches!(from.len(), 4 | 5) || !matches!(to.len(), 4 | 5) {
            return Err(wrong("formats must be of length 4 or 5"));
        }
        let place = |letter: &u8| to.iter().position(|other| other == letter);
        let is_repeated = |letter: &u8| from.iter().filter(|other| *other == letter).count() > 1;
        if from.len() != to.len() || from.iter().any(|letter| is_repeated(letter) || place(letter).is_none()) {
            return Err(wrong("Destination and source format must determine a permutation"));
        }
        let kept = |format: &[u8]| -> Vec<u8> { format.iter().copied().filter(|letter| is_kept(*letter)).collect() };
        let to = kept(to);
        Ok(kept(from).iter().filter_map(|letter| to.iter().position(|other| other == letter)).collect())
    }
}

fn dim_map(op: &DataFormat, cx: &mut Cx<'_, '_>) -> Result<()> {
    let places = op.places(|_| true)?;
    let axes = places.len() as i64;
    // Axes past the last wrap around; those before the first map to the last.
    let place = |axis: i64| {
        let axis = axis.wrapping_add(axes) % axes;
        places[usize::try_from(axis).unwrap_or(places.len() - 1)]
    };
    let (shape, found) = (cx.input(0)?.shape().clone(), cx.i64s(0)?);
    dispatch!(op.dtype, index, |T| cx.produce::<T>(0, &shape, |_, out| {
        out.iter_mut().zip(&found).for_each(|(out, &axis)| *out = place(axis) as T);
        Ok(())
    }), else unsupported(cx, op.dtype))
}

fn vec_permute(op: &DataFormat, cx: &mut Cx<'_, '_>) -> Result<()> {
    let shape = cx.input(0)?.shape().clone();
    let axes = op.from.len();
    let (rows, width) = match *shape.dims() {
        [rows] => (rows, 1),
        [rows, 2] => (rows, 2),
        _ => {
            return Err(Error::invalid(format!(
                "input must be a vector or 2D tensor with 2 columns, but got shape {shape}"
            )));
        }
    };
    let places = if rows == axes {
        op.places(|_| true)?
    } else {
        let places = op.places(|letter| b"HWD".contains(&letter) && (axes == 5 || letter != b'D'))?;
        if rows + 2 != axes {
            return Err(Error::invalid(format!("input must have {} or {axes} rows, but got shape {shape}", axes - 2)));
        }
        if places.len() != rows {
            return Err(Error::invalid("formats must contain H and W, and D where there are five axes"));
        }
        places
    };
    let row = |i: usize| -> Range<usize> { i * width..(i + 1) * width };
    dispatch!(op.dtype, index, |T| cx.produce::<T>(0, &shape, |cx, out| {
        let x = cx.slice::<T>(0)?;
        places.iter().enumerate().for_each(|(i, &place)| out[row(place)].copy_from_slice(&x[row(i)]));
        Ok(())
    }), else unsupported(cx, op.dtype))
}

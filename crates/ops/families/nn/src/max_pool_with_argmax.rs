//! `MaxPoolWithArgmax` and its gradient.

use super::max_pool_grad::largest;
use super::pooling::{Parameters, Pooling};
use crate::prelude::*;
use crate::rules::first;

attrs! {
    /// The attrs of `MaxPoolWithArgmax` and its gradient.
    pub struct MaxPoolWithArgmax {
        /// Size of a window, for each axis of the images.
        ksize: Vec<i64> = Attr::ints("ksize").at_least(4),
        /// Distance between windows, for each axis of the images.
        strides: Vec<i64> = Attr::ints("strides").at_least(4),
        /// Element type of the argmax indices.
        index: DType = Attr::dtype("Targmax", sets::INDEX).or_type(DType::I64),
        /// `SAME` or `VALID`.
        padding: Bytes = Attr::one_of("padding", &["SAME", "VALID"]),
        /// If true, indices count from the start of the tensor, otherwise from the start of the image.
        include_batch_in_index: bool = Attr::bool("include_batch_in_index").or_bool(false),
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::REALS),
    }
}

impl MaxPoolWithArgmax {
    fn parameters(&self) -> Parameters<'_> {
        Parameters {
            spatial: 2,
            ksize: &self.ksize,
            strides: &self.strides,
            padding: &self.padding,
            explicit_paddings: &[],
            data_format: b"NHWC",
        }
    }
}

pub static MAX_POOL_WITH_ARGMAX: Def<MaxPoolWithArgmax> = op::<MaxPoolWithArgmax>("MaxPoolWithArgmax")
    .doc("Max pooling over images that also returns the flattened index of each maximum.")
    .inputs(&[arg("input", of("T"))])
    .outputs(&[arg("output", of("T")), arg("argmax", of("Targmax"))])
    .shape(|op: &MaxPoolWithArgmax, cx| {
        let shape = op.parameters().partial(&cx.with_rank(0, 4)?)?;
        cx.output(0, shape.clone());
        cx.output(1, shape);
        Ok(())
    })
    .gradient(|op, g| first(g, MAX_POOL_GRAD_WITH_ARGMAX.node(g, op, &[g.input(0), g.dy(0), g.output(1)])))
    .kernel(max_pool_with_argmax)
    .heavy()
    .batch(|op, b| if op.include_batch_in_index { None } else { levada_ops_core::batch::fold_rows(b, &[0]) });

fn max_pool_with_argmax(op: &MaxPoolWithArgmax, cx: &mut Cx<'_, '_>) -> Result<()> {
    let input = cx.input(0)?;
    let pooling = Pooling::over_pixels(&op.parameters(), input.shape())?;
    if input.num_elements() == 0 {
        return Err(Error::invalid("the images must not be empty").found(format!("shape {}", input.shape())));
    }
    let shape = pooling.output_shape();
    let (mut out, mut places) = (cx.alloc(op.dtype, shape)?, cx.alloc(DType::I64, shape)?);
    let image: usize = input.shape()[1..].iter().product();
    dispatch!(op.dtype, reals, |T| {
        let input = input.slice::<T>()?;
        largest::<T>(cx, &pooling, input, places.slice_mut()?);
        for (o, place) in out.slice_mut::<T>()?.iter_mut().zip(places.slice_mut::<i64>()?) {
            *o = usize::try_from(*place).ok().and_then(|at| input.get(at)).copied().unwrap_or(T::LOWEST);
            if !op.include_batch_in_index && *place >= 0 {
                *place %= image as i64;
            }
        }
        Ok(())
    }, else unsupported(cx, op.dtype))?;
    if op.index == DType::I32 {
        let mut narrow = cx.alloc(DType::I32, shape)?;
        let pairs = narrow.slice_mut::<i32>()?.iter_mut().zip(places.slice::<i64>()?);
        pairs.for_each(|(o, &place)| *o = place as i32);
        places = narrow;
    }
    cx.set(0, out);
    cx.set(1, places);
    Ok(())
}

pub static MAX_POOL_GRAD_WITH_ARGMAX: Def<MaxPoolWithArgmax> = op::<MaxPoolWithArgmax>("MaxPoolGradWithArgmax")
    .doc("The gradient of `MaxPoolWithArgmax`.")
    .attrs(&[Attr::dtype("Targmax", sets::INDEX)])
    .inputs(&[arg("input", of("T")), arg("grad", of("T")), arg("argmax", of("Targmax"))])
    .outputs(&[arg("output", of("T"))])
    .shape(|_, cx| {
        let shape = cx.with_rank(0, 4)?;
        cx.output(0, shape);
        Ok(())
    })
    .kernel(max_pool_grad_with_argmax)
    .heavy()
    .batch(|op, b| if op.include_batch_in_index { None } else { levada_ops_core::batch::fold_rows(b, &[0, 1, 2]) });

fn max_pool_grad_with_argmax(op: &MaxPoolWithArgmax, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (input, grad, places) = (cx.input(0)?, cx.input(1)?, cx.input(2)?);
    let pooling = Pooling::over_pixels(&op.parameters(), input.shape())?;
    pooling.check_output(grad, "grad")?;
    pooling.check_output(places, "argmax")?;
    let mut out = cx.zeros(op.dtype, input.shape())?;
    let image: usize = input.shape()[1..].iter().product();
    let windows: usize = grad.shape()[1..].iter().product();
    let places = places.to_i64s()?;
    dispatch!(op.dtype, reals, |T| {
        let out = out.slice_mut::<T>()?;
        for (i, (&place, &g)) in places.iter().zip(grad.slice::<T>()?).enumerate() {
            let at = usize::try_from(place).ok();
            let at = match op.include_batch_in_index {
                true => at.filter(|&at| at < out.len()),
                false => at.filter(|&at| at < image).map(|at| at + i / windows * image),
            };
            let Some(at) = at else {
                return Err(Error::invalid(format!("argmax holds {place}, which is not an index into the images")));
            };
            out[at] = out[at].add(g);
        }
        Ok(())
    }, else unsupported(cx, op.dtype))?;
    cx.set(0, out);
    Ok(())
}

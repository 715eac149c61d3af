//! `Conv2D` and its gradients.

use super::convolution::{Convolution, Parameters, shape_from};
use super::direct::Cache;
use super::product::dispatch_operand;
use crate::prelude::*;

const TYPES: &[DType] = &[DType::F16, DType::BF16, DType::F32, DType::F64, DType::I32];

/// TensorFlow has several kernels for the gradients, which graphs may ask for; here they are one.
const LABELS: &[&str] = &["custom", "eigen_tensor"];

macro_rules! conv2d {
    ($(#[doc = $doc:literal])* $name:ident($($input:literal: $ty:expr),*)) => {
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Element type.
                dtype: DType = Attr::dtype("T", TYPES),
                /// Distance between windows, for each axis of the images.
                strides: Vec<i64> = Attr::ints("strides"),
                /// Without meaning here.
                use_cudnn_on_gpu: bool = Attr::bool("use_cudnn_on_gpu").or_bool(true),
                /// `SAME`, `VALID` or `EXPLICIT`.
                padding: Bytes = Attr::one_of("padding", &["SAME", "VALID", "EXPLICIT"]),
                /// For `EXPLICIT`: padding before and after each axis.
                explicit_paddings: Vec<i64> = Attr::ints("explicit_paddings").or_empty(),
                /// Order of the axes: `NHWC` or `NCHW`.
                data_format: Bytes = Attr::one_of("data_format", &["NHWC", "NCHW"]).or_str("NHWC"),
                /// Distance between the taps of a window, for each axis of the images.
                dilations: Vec<i64> = Attr::ints("dilations").or_ints(&[1, 1, 1, 1]),
            }
        }

        impl $name {
            /// The convolution of images of shape `input`.
            ///
            /// # Errors
            /// `INVALID_ARGUMENT` or `UNIMPLEMENTED` where the two do not go together.
            pub fn convolution(&self, input: &Shape, filter: &Shape) -> Result<Convolution> {
                Convolution::new(&self.parameters(), input, filter)
            }

            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[$(arg($input, $ty)),*],
                outputs: &[arg("output", of("T"))],
                ..Spec::PURE
            };

            fn parameters(&self) -> Parameters<'_> {
                Parameters {
                    spatial: 2,
                    strides: &self.strides,
                    dilations: &self.dilations,
                    padding: &self.padding,
                    explicit_paddings: &self.explicit_paddings,
                    data_format: &self.data_format,
                }
            }
        }
    };
}

conv2d! {
    /// Slides a filter over images.
    Conv2D("input": of("T"), "filter": of("T"))
}

impl Op for Conv2D {
    const SPEC: Spec = Self::SPEC;

    fn flops(&self, inputs: &[PartialShape], outputs: &[PartialShape]) -> Option<f64> {
        product_flops(outputs.first()?, inputs.get(1)?)
    }

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        self.parameters().shape(cx)
    }
}

impl Kernel<Cpu> for Conv2D {
    const COST: Cost = Cost::Heavy;

    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let cache = Cache::of_constant(cx, 1)?;
        let (input, filter) = (cx.input(0)?, cx.input(1)?);
        let convolution = Convolution::new(&self.parameters(), input.shape(), filter.shape())?;
        let out = dispatch_operand!(self.dtype, |T| convolution.forward::<T>(cx, input, filter, cache.as_deref()))?;
        cx.set(0, out);
        Ok(())
    }
}

conv2d! {
    /// The gradient of a `Conv2D` by its input.
    Conv2DBackpropInput("input_sizes": is(DType::I32), "filter": of("T"), "out_backprop": of("T"))
}

impl Op for Conv2DBackpropInput {
    const SPEC: Spec = Self::SPEC;

    fn flops(&self, inputs: &[PartialShape], _outputs: &[PartialShape]) -> Option<f64> {
        product_flops(inputs.get(2)?, inputs.get(1)?)
    }

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.with_rank(1, 4)?;
        let gradient = cx.with_rank(2, 4)?;
        let sizes = cx.constant_shape(0);
        let shape = match sizes.rank() {
            // The sizes may leave out the batch: then it is that of the gradient.
            Some(2) => {
                let layout = self.parameters().layout()?;
                let sizes = [sizes.dim(0), sizes.dim(1)];
                layout.partial(gradient.dim(0), &sizes, None)
            }
            _ => sizes.merge(&PartialShape::of_rank(4))?,
        };
        cx.output(0, shape);
        Ok(())
    }
}

impl Conv2DBackpropInput {
    /// The shape that `input_sizes` says.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` where it says none.
    pub fn input_shape(&self, sizes: &Tensor, filter: &Shape, gradient: &Shape) -> Result<Shape> {
        let shape = shape_from(sizes, "input_sizes")?;
        if shape.rank() == 2 && filter.rank() == 4 && gradient.rank() == 4 {
            return self.parameters().layout()?.shape(gradient[0], &shape, filter[2]);
        }
        Ok(shape)
    }
}

impl Kernel<Cpu> for Conv2DBackpropInput {
    const COST: Cost = Cost::Heavy;
    const LABELS: &'static [&'static str] = LABELS;
    const HOST_INPUTS: &'static [isize] = &[0];

    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let (filter, gradient) = (cx.input(1)?, cx.input(2)?);
        let shape = self.input_shape(cx.input(0)?, filter.shape(), gradient.shape())?;
        let convolution = Convolution::new(&self.parameters(), &shape, filter.shape())?;
        let out =
            dispatch_operand!(self.dtype, |T| convolution.backward_input::<T>(cx, &shape, filter, gradient))?;
        cx.set(0, out);
        Ok(())
    }
}

conv2d! {
    /// The gradient of a `Conv2D` by its filter.
    Conv2DBackpropFilter("input": of("T"), "filter_sizes": is(DType::I32), "out_backprop": of("T"))
}

impl Op for Conv2DBackpropFilter {
    const SPEC: Spec = Self::SPEC;

    fn flops(&self, inputs: &[PartialShape], outputs: &[PartialShape]) -> Option<f64> {
        product_flops(inputs.get(2)?, outputs.first()?)
    }

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.with_rank(0, 4)?;
        cx.with_rank(2, 4)?;
        let sizes = cx.constant_shape(1).merge(&PartialShape::of_rank(4))?;
        cx.output(0, sizes);
        Ok(())
    }
}

impl Kernel<Cpu> for Conv2DBackpropFilter {
    const COST: Cost = Cost::Heavy;
    const LABELS: &'static [&'static str] = LABELS;
    const HOST_INPUTS: &'static [isize] = &[1];

    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let (input, gradient) = (cx.input(0)?, cx.input(2)?);
        let shape = shape_from(cx.input(1)?, "filter_sizes")?;
        let convolution = Convolution::new(&self.parameters(), input.shape(), &shape)?;
        let out =
            dispatch_operand!(self.dtype, |T| convolution.backward_filter::<T>(cx, input, &shape, gradient))?;
        cx.set(0, out);
        Ok(())
    }
}

conv2d! {
    /// The gradient of a `Conv2D` by its input, of which only the shape counts.
    Conv2DBackpropInputV2("input": of("T"), "filter": of("T"), "out_backprop": of("T"))
}

impl Op for Conv2DBackpropInputV2 {
    const SPEC: Spec = Self::SPEC;

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        let shape = cx.with_rank(0, 4)?;
        cx.output(0, shape);
        Ok(())
    }
}

impl Kernel<Cpu> for Conv2DBackpropInputV2 {
    const COST: Cost = Cost::Heavy;
    const LABELS: &'static [&'static str] = LABELS;

    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let (shape, filter, gradient) = (cx.input(0)?.shape().clone(), cx.input(1)?, cx.input(2)?);
        let convolution = Convolution::new(&self.parameters(), &shape, filter.shape())?;
        let out = dispatch_operand!(self.dtype, |T| convolution.backward_input::<T>(cx, &shape, filter, gradient))?;
        cx.set(0, out);
        Ok(())
    }
}

conv2d! {
    /// The gradient of a `Conv2D` by its filter, of which only the shape counts.
    Conv2DBackpropFilterV2("input": of("T"), "filter": of("T"), "out_backprop": of("T"))
}

impl Op for Conv2DBackpropFilterV2 {
    const SPEC: Spec = Self::SPEC;

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        let shape = cx.with_rank(1, 4)?;
        cx.output(0, shape);
        Ok(())
    }
}

impl Kernel<Cpu> for Conv2DBackpropFilterV2 {
    const COST: Cost = Cost::Heavy;
    const LABELS: &'static [&'static str] = LABELS;

    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let (input, shape, gradient) = (cx.input(0)?, cx.input(1)?.shape().clone(), cx.input(2)?);
        let convolution = Convolution::new(&self.parameters(), input.shape(), &shape)?;
        let out = dispatch_operand!(self.dtype, |T| convolution.backward_filter::<T>(cx, input, &shape, gradient))?;
        cx.set(0, out);
        Ok(())
    }
}

/// Multiplications and additions of a convolution that makes `out` with this filter, or of one of its gradients.
fn product_flops(out: &PartialShape, filter: &PartialShape) -> Option<f64> {
    let known = |shape: &PartialShape, i: isize| shape.dim(i).unwrap_or(1) as f64;
    let made: f64 = (0..4).map(|i| known(out, i)).product();
    let taken: f64 = (0..3).map(|i| known(filter, i)).product();
    Some(2.0 * made * taken)
}

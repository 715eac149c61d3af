//! `DepthwiseConv2dNative` and its gradients.

use super::convolution::{Convolution, Parameters, shape_from};
use super::product::dispatch_operand;
use super::window::{Layout, output_dim};
use crate::prelude::*;

macro_rules! depthwise {
    ($(#[doc = $doc:literal])* $name:ident($($input:literal: $ty:expr),*)) => {
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Element type.
                dtype: DType = Attr::dtype("T", sets::FLOATS),
                /// Distance between windows, for each axis of the images.
                strides: Vec<i64> = Attr::ints("strides"),
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
                Ok(grouped(&self.parameters(), input, filter)?.0)
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

/// The convolution in groups of one channel that is the depthwise one; its filter has the same elements.
fn grouped(parameters: &Parameters<'_>, input: &Shape, filter: &Shape) -> Result<(Convolution, Shape)> {
    for (what, shape) in [("input", input), ("filter", filter)] {
        if shape.rank() != 4 {
            return Err(Error::invalid(format!("{what} must be 4-dimensional: {shape}")));
        }
    }
    let channels = input[Layout::of(parameters.data_format)?.channel(4)];
    if channels != filter[2] {
        return Err(Error::invalid(format!(
            "input and filter must have the same depth: {channels} vs {}",
            filter[2]
        )));
    }
    let grouped = Shape::new([filter[0], filter[1], 1, filter[2] * filter[3]])?;
    Ok((Convolution::new(parameters, input, &grouped)?, grouped))
}

depthwise! {
    /// Slides filters over images, other ones for each channel.
    DepthwiseConv2dNative("input": of("T"), "filter": of("T"))
}

impl Op for DepthwiseConv2dNative {
    const SPEC: Spec = Self::SPEC;

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        let (layout, slides) = (self.parameters().layout()?, self.parameters().slides()?);
        let (input, filter) = (cx.with_rank(0, 4)?, cx.with_rank(1, 4)?);
        let channel = layout.channel(4) as isize;
        let channels = PartialShape::vector(input.dim(channel)).merge(&PartialShape::vector(filter.dim(2)))?.dim(0);
        let mut sizes = [None; 2];
        for (i, &(stride, dilation, pad)) in slides[1..].iter().enumerate() {
            let axis = layout.spatial(i) as isize;
            sizes[i] = output_dim(input.dim(axis), filter.dim(i as isize), stride, dilation, pad)?;
        }
        let filters = channels.zip(filter.dim(3)).and_then(|(c, m)| c.checked_mul(m));
        cx.output(0, layout.partial(input.dim(0), &sizes, filters));
        Ok(())
    }
}

impl Kernel<Cpu> for DepthwiseConv2dNative {
    const COST: Cost = Cost::Heavy;

    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let (input, filter) = (cx.input(0)?, cx.input(1)?);
        let (convolution, _) = grouped(&self.parameters(), input.shape(), filter.shape())?;
        let out = dispatch_operand!(self.dtype, |T| convolution.forward::<T>(cx, input, filter, None))?;
        cx.set(0, out);
        Ok(())
    }
}

depthwise! {
    /// The gradient of a `DepthwiseConv2dNative` by its input.
    DepthwiseConv2dNativeBackpropInput("input_sizes": is(DType::I32), "filter": of("T"), "out_backprop": of("T"))
}

impl Op for DepthwiseConv2dNativeBackpropInput {
    const SPEC: Spec = Self::SPEC;

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        let sizes = cx.constant_shape(0).merge(&PartialShape::of_rank(4))?;
        cx.output(0, sizes);
        Ok(())
    }
}

impl Kernel<Cpu> for DepthwiseConv2dNativeBackpropInput {
    const COST: Cost = Cost::Heavy;
    const HOST_INPUTS: &'static [isize] = &[0];

    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let (filter, gradient) = (cx.input(1)?, cx.input(2)?);
        let shape = shape_from(cx.input(0)?, "input_sizes")?;
        let (convolution, _) = grouped(&self.parameters(), &shape, filter.shape())?;
        let out =
            dispatch_operand!(self.dtype, |T| convolution.backward_input::<T>(cx, &shape, filter, gradient))?;
        cx.set(0, out);
        Ok(())
    }
}

depthwise! {
    /// The gradient of a `DepthwiseConv2dNative` by its filter.
    DepthwiseConv2dNativeBackpropFilter("input": of("T"), "filter_sizes": is(DType::I32), "out_backprop": of("T"))
}

impl Op for DepthwiseConv2dNativeBackpropFilter {
    const SPEC: Spec = Self::SPEC;

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        let sizes = cx.constant_shape(1).merge(&PartialShape::of_rank(4))?;
        cx.output(0, sizes);
        Ok(())
    }
}

impl Kernel<Cpu> for DepthwiseConv2dNativeBackpropFilter {
    const COST: Cost = Cost::Heavy;
    const HOST_INPUTS: &'static [isize] = &[1];

    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let (input, gradient) = (cx.input(0)?, cx.input(2)?);
        let shape = shape_from(cx.input(1)?, "filter_sizes")?;
        let (convolution, grouped) = grouped(&self.parameters(), input.shape(), &shape)?;
        let out =
            dispatch_operand!(self.dtype, |T| convolution.backward_filter::<T>(cx, input, &grouped, gradient))?;
        cx.set(0, out.reshaped(shape)?);
        Ok(())
    }
}

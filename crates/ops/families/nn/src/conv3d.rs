//! `Conv3D` and its gradients.

use super::convolution::{Convolution, Parameters, shape_from};
use super::direct::Cache;
use super::product::dispatch_operand;
use crate::prelude::*;

macro_rules! conv3d {
    ($(#[doc = $doc:literal])* $name:ident($($input:literal: $ty:expr),*) $($format:ident)? $(, $index:ident: $attr:literal)?) => {
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Element type.
                dtype: DType = Attr::dtype("T", sets::FLOATS),
                /// Distance between windows, for each axis of the volumes.
                strides: Vec<i64> = Attr::ints("strides").at_least(5),
                /// `SAME` or `VALID`.
                padding: Bytes = Attr::one_of("padding", &["SAME", "VALID"]),
                $(
                    /// Order of the axes: `NDHWC` or `NCDHW`.
                    $format: Bytes = Attr::one_of("data_format", &["NDHWC", "NCDHW"]).or_str("NDHWC"),
                )?
                /// Distance between the taps of a window, for each axis of the volumes.
                dilations: Vec<i64> = Attr::ints("dilations").or_ints(&[1, 1, 1, 1, 1]),
                $(
                    /// Element type of the sizes.
                    $index: DType = Attr::dtype($attr, sets::INDEX).or_type(DType::I32),
                )?
            }
        }

        impl $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[$(arg($input, $ty)),*],
                outputs: &[arg("output", of("T"))],
                ..Spec::PURE
            };

            fn parameters(&self) -> Parameters<'_> {
                Parameters {
                    spatial: 3,
                    strides: &self.strides,
                    dilations: &self.dilations,
                    padding: &self.padding,
                    explicit_paddings: &[],
                    data_format: conv3d!(@format self $($format)?),
                }
            }

            /// The convolution of volumes of this shape with a filter of this shape.
            fn convolution(&self, input: &Shape, filter: &Shape) -> Result<Convolution> {
                let convolution = Convolution::new(&self.parameters(), input, filter)?;
                if convolution.groups > 1 {
                    return Err(Error::invalid(format!(
                        "input and filter must have the same depth: {} vs {}",
                        convolution.channels, filter[3]
                    )));
                }
                Ok(convolution)
            }
        }
    };
    (@format $self:ident) => { b"NDHWC" };
    (@format $self:ident $format:ident) => { &$self.$format };
}

conv3d! {
    /// Slides a filter over volumes.
    Conv3D("input": of("T"), "filter": of("T")) data_format
}

impl Op for Conv3D {
    const SPEC: Spec = Self::SPEC;

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        self.parameters().shape(cx)
    }
}

impl Kernel<Cpu> for Conv3D {
    const COST: Cost = Cost::Heavy;

    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let cache = Cache::of_constant(cx, 1)?;
        let (input, filter) = (cx.input(0)?, cx.input(1)?);
        let convolution = self.convolution(input.shape(), filter.shape())?;
        let out = dispatch_operand!(self.dtype, |T| convolution.forward::<T>(cx, input, filter, cache.as_deref()))?;
        cx.set(0, out);
        Ok(())
    }
}

macro_rules! gradients {
    ($($name:ident: |$cx:ident| $shape:expr, static $static_shape:expr, input $input:literal;)*) => {$(
        impl Op for $name {
            const SPEC: Spec = Self::SPEC;

            fn shape(&self, $cx: &mut ShapeCx<'_>) -> Result<()> {
                let shape = $static_shape.merge(&PartialShape::of_rank(5))?;
                $cx.output(0, shape);
                Ok(())
            }
        }

        impl Kernel<Cpu> for $name {
            const COST: Cost = Cost::Heavy;
            const LABELS: &'static [&'static str] = &["custom", "eigen_tensor"];
            const HOST_INPUTS: &'static [isize] = if $input { &[0] } else { &[1] };

            fn compute(&self, $cx: &mut Cx<'_, '_>) -> Result<()> {
                let shape: Shape = $shape;
                let gradient = $cx.input(2)?;
                let out = if $input {
                    let filter = $cx.input(1)?;
                    let convolution = self.convolution(&shape, filter.shape())?;
                    dispatch_operand!(self.dtype, |T| convolution.backward_input::<T>($cx, &shape, filter, gradient))?
                } else {
                    let input = $cx.input(0)?;
                    let convolution = self.convolution(input.shape(), &shape)?;
                    dispatch_operand!(self.dtype, |T| convolution.backward_filter::<T>($cx, input, &shape, gradient))?
                };
                $cx.set(0, out);
                Ok(())
            }
        }
    )*};
}

conv3d! {
    /// The gradient of a `Conv3D` by its input, of which only the shape counts.
    Conv3DBackpropInput("input": of("T"), "filter": of("T"), "out_backprop": of("T"))
}

conv3d! {
    /// The gradient of a `Conv3D` by its input.
    Conv3DBackpropInputV2("input_sizes": of("Tshape"), "filter": of("T"), "out_backprop": of("T")) data_format,
    index: "Tshape"
}

conv3d! {
    /// The gradient of a `Conv3D` by its filter, of which only the shape counts.
    Conv3DBackpropFilter("input": of("T"), "filter": of("T"), "out_backprop": of("T"))
}

conv3d! {
    /// The gradient of a `Conv3D` by its filter.
    Conv3DBackpropFilterV2("input": of("T"), "filter_sizes": is(DType::I32), "out_backprop": of("T")) data_format
}

gradients! {
    Conv3DBackpropInput: |cx| cx.input(0)?.shape().clone(), static cx.input(0), input true;
    Conv3DBackpropInputV2: |cx| shape_from(cx.input(0)?, "input_sizes")?, static cx.constant_shape(0), input true;
    Conv3DBackpropFilter: |cx| cx.input(1)?.shape().clone(), static cx.input(1), input false;
    Conv3DBackpropFilterV2: |cx| shape_from(cx.input(1)?, "filter_sizes")?, static cx.constant_shape(1), input false;
}

//! `DepthwiseConv2dNative` and its gradients.

use super::convolution::Convolution;
use super::parameters::Parameters;
use super::product::dispatch_operand;
use super::workspace::Of;
use crate::prelude::*;
use crate::rules::NONE;
use levada_gemm::Finisher;
use levada_ops_core::images::examples;
use levada_ops_core::images::window::{Layout, output_dim, shape_from};

attrs! {
    /// The attrs of depthwise convolutions and their gradients.
    pub struct DepthwiseConv2D {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::FLOATS),
        /// Strides, one for each axis of the images.
        strides: Vec<i64> = Attr::ints("strides"),
        /// `SAME`, `VALID` or `EXPLICIT`.
        padding: Bytes = Attr::one_of("padding", &["SAME", "VALID", "EXPLICIT"]),
        /// For `EXPLICIT`: the padding before and after each axis.
        explicit_paddings: Vec<i64> = Attr::ints("explicit_paddings").or_empty(),
        /// Order of the axes: `NHWC` or `NCHW`.
        data_format: Bytes = Attr::one_of("data_format", &["NHWC", "NCHW"]).or_str("NHWC"),
        /// Dilations, one for each axis of the images.
        dilations: Vec<i64> = Attr::ints("dilations").or_ints(&[1, 1, 1, 1]),
    }
}

const INPUT: Arg = arg("input", of("T"));
const FILTER: Arg = arg("filter", of("T"));
const GRADIENT: Arg = arg("out_backprop", of("T"));
const OUTPUT: &[Arg] = &[arg("output", of("T"))];

const fn depthwise(
    name: &'static str,
    kernel: fn(&DepthwiseConv2D, &mut Cx<'_, '_>) -> Result<()>,
) -> Def<DepthwiseConv2D> {
    op(name).outputs(OUTPUT).kernel(kernel).heavy()
}

pub static DEPTHWISE_CONV2D_NATIVE: Def<DepthwiseConv2D> = depthwise("DepthwiseConv2dNative", forward)
    .doc("Computes a depthwise 2-D convolution: each channel has filters of its own.")
    .inputs(&[INPUT, FILTER])
    .shape(shape)
    .workspace(|op, inputs, _, threads| op.workspace(Of::Result, inputs.first(), inputs.get(1), threads))
    .finishes(|op| Epilogue::is_for(op.dtype) && &op.data_format[..] == b"NHWC", finished)
    .with_margin(|op, margin| {
        let explicit_paddings = op.parameters().explicit_with(margin)?;
        Some(DepthwiseConv2D { padding: Bytes::from_static(b"EXPLICIT"), explicit_paddings, ..op.clone() })
    })
    .gradient(|op, g| {
        let (x, filter, dy) = (g.input(0), g.input(1), g.dy(0));
        let dx = DEPTHWISE_CONV2D_NATIVE_BACKPROP_INPUT.node(g, op, &[x.shape_value(), filter, dy]);
        let df = DEPTHWISE_CONV2D_NATIVE_BACKPROP_FILTER.node(g, op, &[x, filter.shape_value(), dy]);
        vec![dx.into(), df.into()]
    })
    .batch(|op, b| match b.varies(1) {
        true => examples::convolution(b, &op.data_format, 2),
        false => levada_ops_core::batch::fold_rows(b, &[0]),
    });

pub static DEPTHWISE_CONV2D_NATIVE_BACKPROP_INPUT: Def<DepthwiseConv2D> =
    depthwise("DepthwiseConv2dNativeBackpropInput", backward_input)
        .doc("Computes the gradient of `DepthwiseConv2dNative` with respect to its input.")
        .inputs(&[arg("input_sizes", is(DType::I32)), FILTER, GRADIENT])
        .shape(|_, cx| {
            let sizes = cx.constant_shape(0).merge(&PartialShape::of_rank(4))?;
            cx.output(0, sizes);
            Ok(())
        })
        .workspace(|op, inputs, outputs, threads| op.workspace(Of::Images, outputs.first(), inputs.get(1), threads))
        .host_inputs(&[0])
        .gradient(|op, g| {
            let (filter, before, dy) = (g.input(1), g.input(2), g.dy(0));
            let df = DEPTHWISE_CONV2D_NATIVE_BACKPROP_FILTER.node(g, op, &[dy, filter.shape_value(), before]);
            vec![NONE, df.into(), DEPTHWISE_CONV2D_NATIVE.node(g, op, &[dy, filter]).into()]
        })
        .batch(|op, b| {
            if b.varies(1) {
                return examples::convolution_input(b, &op.data_format, 2);
            }
            if b.varies(0) || b.shape(0).dim(0) != Some(4) {
                return None;
            }
            let sizes = b.input(0);
            let rows = sizes.slice1(0, 1) * b.size1();
            let sizes = b.concat(&[rows, sizes.slice1(1, -1)]);
            let rows = b.input(0).slice1(0, 1);
            let dx = b.again(&[sizes, b.input(1), levada_ops_core::batch::folded(b, b.input(2))]);
            b.one(levada_ops_core::batch::unfolded(b, dx, rows))
        });

pub static DEPTHWISE_CONV2D_NATIVE_BACKPROP_FILTER: Def<DepthwiseConv2D> =
    depthwise("DepthwiseConv2dNativeBackpropFilter", backward_filter)
        .doc("Computes the gradient of `DepthwiseConv2dNative` with respect to its filter.")
        .inputs(&[INPUT, arg("filter_sizes", is(DType::I32)), GRADIENT])
        .shape(|_, cx| {
            let sizes = cx.constant_shape(1).merge(&PartialShape::of_rank(4))?;
            cx.output(0, sizes);
            Ok(())
        })
        .workspace(|op, inputs, outputs, threads| op.workspace(Of::Filter, inputs.first(), outputs.first(), threads))
        .host_inputs(&[1])
        .gradient(|op, g| {
            let (x, before, dy) = (g.input(0), g.input(2), g.dy(0));
            let dx = DEPTHWISE_CONV2D_NATIVE_BACKPROP_INPUT.node(g, op, &[x.shape_value(), dy, before]);
            vec![dx.into(), NONE, DEPTHWISE_CONV2D_NATIVE.node(g, op, &[x, dy]).into()]
        })
        .batch(|op, b| examples::convolution_filter(b, &op.data_format, 2));

impl DepthwiseConv2D {
    /// Returns the convolution for images of shape `input`.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` or `UNIMPLEMENTED` if the two do not match.
    pub fn convolution(&self, input: &Shape, filter: &Shape) -> Result<Convolution> {
        Ok(grouped(&self.parameters(), input, filter)?.0)
    }

    fn workspace(
        &self,
        of: Of,
        images: Option<&PartialShape>,
        filter: Option<&PartialShape>,
        threads: usize,
    ) -> Option<f64> {
        let (images, filter) = (images?.known()?, filter?.known()?);
        let (convolution, filter) = grouped(&self.parameters(), &images, &filter).ok()?;
        convolution.workspace((self.dtype, of), filter.num_elements(), threads)
    }

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

/// Returns the depthwise convolution as a grouped one with one channel per group; its filter has the same elements.
fn grouped(parameters: &Parameters<'_>, input: &Shape, filter: &Shape) -> Result<(Convolution, Shape)> {
    for (what, shape) in [("input", input), ("filter", filter)] {
        if shape.rank() != 4 {
            return Err(Error::invalid(format!("{what} must be 4-dimensional: {shape}")));
        }
    }
    let channels = input[Layout::of(parameters.data_format)?.channel(4)];
    if channels != filter[2] {
        return Err(Error::invalid(format!("input and filter must have the same depth: {channels} vs {}", filter[2])));
    }
    let grouped = Shape::new([filter[0], filter[1], 1, filter[2] * filter[3]])?;
    Ok((Convolution::new(parameters, input, &grouped)?, grouped))
}

fn shape(op: &DepthwiseConv2D, cx: &mut ShapeCx<'_>) -> Result<()> {
    let (layout, slides) = (op.parameters().layout()?, op.parameters().slides()?);
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

fn forward(op: &DepthwiseConv2D, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (input, filter) = (cx.input(0)?, cx.input(1)?);
    let convolution = op.convolution(input.shape(), filter.shape())?;
    let out = dispatch_operand!(op.dtype, |T| convolution.forward::<T>(cx, input, filter, None, None))?;
    cx.set(0, out);
    Ok(())
}

/// Computes the convolution together with its epilogue.
fn finished(op: &DepthwiseConv2D, cx: &mut Cx<'_, '_>, finish: &Finish<'_>) -> Result<bool> {
    let (input, filter) = (cx.input(0)?, cx.input(1)?);
    let convolution = op.convolution(input.shape(), filter.shape())?;
    let Some(finisher) = Finisher::new(finish, &convolution.output_shape()?, op.dtype) else { return Ok(false) };
    let finisher = Some(&finisher);
    let out = dispatch_operand!(op.dtype, |T| convolution.forward::<T>(cx, input, filter, None, finisher))?;
    cx.set(0, out);
    Ok(true)
}

fn backward_input(op: &DepthwiseConv2D, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (filter, gradient) = (cx.input(1)?, cx.input(2)?);
    let shape = shape_from(cx.input(0)?, "input_sizes")?;
    let convolution = op.convolution(&shape, filter.shape())?;
    let out = dispatch_operand!(op.dtype, |T| convolution.backward_input::<T>(cx, &shape, filter, gradient))?;
    cx.set(0, out);
    Ok(())
}

fn backward_filter(op: &DepthwiseConv2D, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (input, gradient) = (cx.input(0)?, cx.input(2)?);
    let shape = shape_from(cx.input(1)?, "filter_sizes")?;
    let (convolution, grouped) = grouped(&op.parameters(), input.shape(), &shape)?;
    let out = dispatch_operand!(op.dtype, |T| convolution.backward_filter::<T>(cx, input, &grouped, gradient))?;
    cx.set(0, out.reshaped(shape)?);
    Ok(())
}

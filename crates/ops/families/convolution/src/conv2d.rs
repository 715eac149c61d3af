//! `Conv2D` and its gradients.

use super::convolution::Convolution;
use super::parameters::Parameters;
use super::product::dispatch_operand;
use super::workspace::{self, Of};
use crate::prelude::*;
use crate::rules::NONE;
use levada_gemm::Finisher;
use levada_ops_core::constant::Cache;
use levada_ops_core::images::examples;
use levada_ops_core::images::window::shape_from;

attrs! {
    /// The attrs of two-dimensional convolutions and their gradients.
    pub struct Conv2D {
        /// Element type.
        dtype: DType = Attr::dtype("T", &[DType::F16, DType::BF16, DType::F32, DType::F64, DType::I32]),
        /// Strides, one for each axis of the images.
        strides: Vec<i64> = Attr::ints("strides"),
        /// Ignored.
        use_cudnn_on_gpu: bool = Attr::bool("use_cudnn_on_gpu").or_bool(true),
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

/// TensorFlow has several gradient kernels that graphs may request by label; here they are all the same.
pub(super) const LABELS: &[&str] = &["custom", "eigen_tensor"];

const INPUT: Arg = arg("input", of("T"));
const FILTER: Arg = arg("filter", of("T"));
const GRADIENT: Arg = arg("out_backprop", of("T"));
const OUTPUT: &[Arg] = &[arg("output", of("T"))];

const fn conv2d(name: &'static str, kernel: fn(&Conv2D, &mut Cx<'_, '_>) -> Result<()>) -> Def<Conv2D> {
    op(name).outputs(OUTPUT).kernel(kernel).heavy()
}

pub static CONV2D: Def<Conv2D> = conv2d("Conv2D", forward)
    .doc("Computes a 2-D convolution of `input` with `filter`.")
    .inputs(&[INPUT, FILTER])
    .shape(|op, cx| op.parameters().shape(cx))
    .flops(|_, inputs, outputs| product_flops(outputs.first()?, inputs.get(1)?))
    .workspace(|op, inputs, _, threads| op.workspace(Of::Result, inputs.first(), inputs.get(1), threads))
    .finishes(|op| Epilogue::is_for(op.dtype) && &op.data_format[..] == b"NHWC", finished)
    .with_margin(|op, margin| {
        let explicit_paddings = op.parameters().explicit_with(margin)?;
        Some(Conv2D { padding: Bytes::from_static(b"EXPLICIT"), explicit_paddings, ..op.clone() })
    })
    .gradient(|op, g| {
        let (x, filter, dy) = (g.input(0), g.input(1), g.dy(0));
        let dx = CONV2D_BACKPROP_INPUT.node(g, op, &[x.shape_value(), filter, dy]);
        let df = CONV2D_BACKPROP_FILTER.node(g, op, &[x, filter.shape_value(), dy]);
        vec![dx.into(), df.into()]
    })
    .batch(|op, b| match b.varies(1) {
        true => examples::convolution(b, &op.data_format, 3),
        false => levada_ops_core::batch::fold_rows(b, &[0]),
    });

pub static CONV2D_BACKPROP_INPUT: Def<Conv2D> = conv2d("Conv2DBackpropInput", |op, cx| {
    let (filter, gradient) = (cx.input(1)?.shape(), cx.input(2)?.shape());
    let shape = op.input_shape(cx.input(0)?, filter, gradient)?;
    backward_input(op, cx, &shape)
})
.doc("Computes the gradient of `Conv2D` with respect to its input.")
.inputs(&[arg("input_sizes", is(DType::I32)), FILTER, GRADIENT])
.shape(shape_of_input)
.flops(|_, inputs, _| product_flops(inputs.get(2)?, inputs.get(1)?))
.workspace(|op, inputs, outputs, threads| op.workspace(Of::Images, outputs.first(), inputs.get(1), threads))
.host_inputs(&[0])
.labels(LABELS)
.gradient(|op, g| {
    let (filter, before, dy) = (g.input(1), g.input(2), g.dy(0));
    let df = CONV2D_BACKPROP_FILTER.node(g, op, &[dy, filter.shape_value(), before]);
    vec![NONE, df.into(), CONV2D.node(g, op, &[dy, filter]).into()]
})
.batch(|op, b| {
    if b.varies(1) {
        return examples::convolution_input(b, &op.data_format, 3);
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

pub static CONV2D_BACKPROP_FILTER: Def<Conv2D> = conv2d("Conv2DBackpropFilter", |op, cx| {
    let shape = shape_from(cx.input(1)?, "filter_sizes")?;
    backward_filter(op, cx, &shape)
})
.doc("Computes the gradient of `Conv2D` with respect to its filter.")
.inputs(&[INPUT, arg("filter_sizes", is(DType::I32)), GRADIENT])
.shape(|_, cx| {
    cx.with_rank(0, 4)?;
    cx.with_rank(2, 4)?;
    let sizes = cx.constant_shape(1).merge(&PartialShape::of_rank(4))?;
    cx.output(0, sizes);
    Ok(())
})
.flops(|_, inputs, outputs| product_flops(inputs.get(2)?, outputs.first()?))
.workspace(|op, inputs, outputs, threads| op.workspace(Of::Filter, inputs.first(), outputs.first(), threads))
.host_inputs(&[1])
.labels(LABELS)
.gradient(|op, g| {
    let (x, before, dy) = (g.input(0), g.input(2), g.dy(0));
    let dx = CONV2D_BACKPROP_INPUT.node(g, op, &[x.shape_value(), dy, before]);
    vec![dx.into(), NONE, CONV2D.node(g, op, &[x, dy]).into()]
})
.batch(|op, b| examples::convolution_filter(b, &op.data_format, 3));

pub static CONV2D_BACKPROP_INPUT_V2: Def<Conv2D> = conv2d("Conv2DBackpropInputV2", |op, cx| {
    let shape = cx.input(0)?.shape().clone();
    backward_input(op, cx, &shape)
})
.doc("Computes the gradient of `Conv2D` with respect to its input, of which only the shape is used.")
.inputs(&[INPUT, FILTER, GRADIENT])
.shape(|_, cx| {
    let shape = cx.with_rank(0, 4)?;
    cx.output(0, shape);
    Ok(())
})
.workspace(|op, inputs, outputs, threads| op.workspace(Of::Images, outputs.first(), inputs.get(1), threads))
.labels(LABELS);

pub static CONV2D_BACKPROP_FILTER_V2: Def<Conv2D> = conv2d("Conv2DBackpropFilterV2", |op, cx| {
    let shape = cx.input(1)?.shape().clone();
    backward_filter(op, cx, &shape)
})
.doc("Computes the gradient of `Conv2D` with respect to its filter, of which only the shape is used.")
.inputs(&[INPUT, FILTER, GRADIENT])
.shape(|_, cx| {
    let shape = cx.with_rank(1, 4)?;
    cx.output(0, shape);
    Ok(())
})
.workspace(|op, inputs, outputs, threads| op.workspace(Of::Filter, inputs.first(), outputs.first(), threads))
.labels(LABELS);

impl Conv2D {
    /// Returns the convolution for images of shape `input`.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` or `UNIMPLEMENTED` if the two do not match.
    pub fn convolution(&self, input: &Shape, filter: &Shape) -> Result<Convolution> {
        Convolution::new(&self.parameters(), input, filter)
    }

    /// Returns the shape given by `input_sizes`.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if it is not a valid shape.
    pub fn input_shape(&self, sizes: &Tensor, filter: &Shape, gradient: &Shape) -> Result<Shape> {
        let shape = shape_from(sizes, "input_sizes")?;
        if shape.rank() == 2 && filter.rank() == 4 && gradient.rank() == 4 {
            return self.parameters().layout()?.shape(gradient[0], &shape, filter[2]);
        }
        Ok(shape)
    }

    fn workspace(
        &self,
        of: Of,
        images: Option<&PartialShape>,
        filter: Option<&PartialShape>,
        threads: usize,
    ) -> Option<f64> {
        workspace::of_convolution(&self.parameters(), (self.dtype, of), (images, filter), threads)
    }

    pub(super) fn parameters(&self) -> Parameters<'_> {
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

fn shape_of_input(op: &Conv2D, cx: &mut ShapeCx<'_>) -> Result<()> {
    cx.with_rank(1, 4)?;
    let gradient = cx.with_rank(2, 4)?;
    let sizes = cx.constant_shape(0);
    let shape = match sizes.rank() {
        // The sizes may omit the batch, which is then that of the gradient.
        Some(2) => {
            let layout = op.parameters().layout()?;
            let sizes = [sizes.dim(0), sizes.dim(1)];
            layout.partial(gradient.dim(0), &sizes, None)
        }
        _ => sizes.merge(&PartialShape::of_rank(4))?,
    };
    cx.output(0, shape);
    Ok(())
}

fn forward(op: &Conv2D, cx: &mut Cx<'_, '_>) -> Result<()> {
    let cache = Cache::of_constant(cx, 1)?;
    let (input, filter) = (cx.input(0)?, cx.input(1)?);
    let convolution = op.convolution(input.shape(), filter.shape())?;
    let out = dispatch_operand!(op.dtype, |T| convolution.forward::<T>(cx, input, filter, cache.as_deref(), None))?;
    cx.set(0, out);
    Ok(())
}

/// Computes the convolution together with its epilogue.
fn finished(op: &Conv2D, cx: &mut Cx<'_, '_>, finish: &Finish<'_>) -> Result<bool> {
    let cache = Cache::of_constant(cx, 1)?;
    let (input, filter) = (cx.input(0)?, cx.input(1)?);
    let convolution = op.convolution(input.shape(), filter.shape())?;
    let Some(finisher) = Finisher::new(finish, &convolution.output_shape()?, op.dtype) else { return Ok(false) };
    let (cache, finisher) = (cache.as_deref(), Some(&finisher));
    let out = dispatch_operand!(op.dtype, |T| convolution.forward::<T>(cx, input, filter, cache, finisher))?;
    cx.set(0, out);
    Ok(true)
}

fn backward_input(op: &Conv2D, cx: &mut Cx<'_, '_>, shape: &Shape) -> Result<()> {
    let (filter, gradient) = (cx.input(1)?, cx.input(2)?);
    let convolution = op.convolution(shape, filter.shape())?;
    let out = dispatch_operand!(op.dtype, |T| convolution.backward_input::<T>(cx, shape, filter, gradient))?;
    cx.set(0, out);
    Ok(())
}

fn backward_filter(op: &Conv2D, cx: &mut Cx<'_, '_>, shape: &Shape) -> Result<()> {
    let (input, gradient) = (cx.input(0)?, cx.input(2)?);
    let convolution = op.convolution(input.shape(), shape)?;
    let out = dispatch_operand!(op.dtype, |T| convolution.backward_filter::<T>(cx, input, shape, gradient))?;
    cx.set(0, out);
    Ok(())
}

/// Number of multiplications and additions of a convolution with result `out` and this filter, or of one of its
/// gradients.
fn product_flops(out: &PartialShape, filter: &PartialShape) -> Option<f64> {
    let known = |shape: &PartialShape, i: isize| shape.dim(i).unwrap_or(1) as f64;
    let made: f64 = (0..4).map(|i| known(out, i)).product();
    let taken: f64 = (0..3).map(|i| known(filter, i)).product();
    Some(2.0 * made * taken)
}

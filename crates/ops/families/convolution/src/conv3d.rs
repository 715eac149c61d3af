//! `Conv3D` and its gradients.

use super::conv2d::LABELS;
use super::convolution::Convolution;
use super::parameters::Parameters;
use super::product::dispatch_operand;
use super::workspace::{self, Of};
use crate::prelude::*;
use crate::rules::NONE;
use levada_ops_core::constant::Cache;
use levada_ops_core::images::window::shape_from;

attrs! {
    /// The attrs of three-dimensional convolutions and their gradients.
    pub struct Conv3D {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::FLOATS),
        /// Strides, one for each axis of the volumes.
        strides: Vec<i64> = Attr::ints("strides").at_least(5),
        /// `SAME` or `VALID`.
        padding: Bytes = Attr::one_of("padding", &["SAME", "VALID"]),
        /// Order of the axes: `NDHWC` or `NCDHW`.
        data_format: Bytes = Attr::one_of("data_format", &["NDHWC", "NCDHW"]).or_str("NDHWC"),
        /// Dilations, one for each axis of the volumes.
        dilations: Vec<i64> = Attr::ints("dilations").or_ints(&[1, 1, 1, 1, 1]),
        /// Element type of the sizes.
        index: DType = Attr::dtype("Tshape", sets::INDEX).or_type(DType::I32),
        /// Whether a gradient takes the shape of its result as a vector of sizes; otherwise it takes a tensor of that
        /// shape.
        sizes: bool = Attr::bool("sizes"),
    }
}

const INPUT: Arg = arg("input", of("T"));
const FILTER: Arg = arg("filter", of("T"));
const GRADIENT: Arg = arg("out_backprop", of("T"));
const OUTPUT: &[Arg] = &[arg("output", of("T"))];
const SIZES: &[(&str, AttrDefault)] = &[("sizes", AttrDefault::Bool(true))];

const fn conv3d(name: &'static str, kernel: fn(&Conv3D, &mut Cx<'_, '_>) -> Result<()>) -> Def<Conv3D> {
    op(name).outputs(OUTPUT).fixed(SIZES).kernel(kernel).heavy()
}

/// The old name of a gradient that takes the shape of its result from a tensor.
const fn told_by_tensor(name: &'static str) -> Form {
    form(name)
        .inputs(&[INPUT, FILTER, GRADIENT])
        .without(&["data_format", "Tshape"])
        .fixed(&[("sizes", AttrDefault::Bool(false))])
        .not_differentiable()
}

pub static CONV3D: Def<Conv3D> = conv3d("Conv3D", forward)
    .doc("Computes a 3-D convolution of `input` with `filter`.")
    .inputs(&[INPUT, FILTER])
    .without(&["Tshape"])
    .shape(|op, cx| op.parameters().shape(cx))
    .workspace(|op, inputs, _, threads| op.workspace(Of::Result, inputs.first(), inputs.get(1), threads))
    .gradient(|op, g| {
        let (x, filter, dy) = (g.input(0), g.input(1), g.dy(0));
        let dx = CONV3D_BACKPROP_INPUT.node(g, op, &[x.shape_value(), filter, dy]);
        let df = CONV3D_BACKPROP_FILTER.node(g, op, &[x, filter.shape_value(), dy]);
        vec![dx.into(), df.into()]
    })
    .batch(|_, b| levada_ops_core::batch::fold_rows(b, &[0]));

pub static CONV3D_BACKPROP_INPUT: Def<Conv3D> = conv3d("Conv3DBackpropInputV2", backward_input)
    .doc("Computes the gradient of `Conv3D` with respect to its input.")
    .inputs(&[arg("input_sizes", of("Tshape")), FILTER, GRADIENT])
    .also(&[told_by_tensor("Conv3DBackpropInput")
        .doc("Computes the gradient of `Conv3D` with respect to its input, of which only the shape is used.")])
    .shape(|op, cx| gradient_shape(op, cx, 0))
    .workspace(|op, inputs, outputs, threads| op.workspace(Of::Images, outputs.first(), inputs.get(1), threads))
    .host_inputs(&[0])
    .labels(LABELS)
    .gradient(|op, g| {
        let (filter, before, dy) = (g.input(1), g.input(2), g.dy(0));
        let df = CONV3D_BACKPROP_FILTER.node(g, op, &[dy, filter.shape_value(), before]);
        vec![NONE, df.into(), CONV3D.node(g, op, &[dy, filter]).into()]
    })
    .batch(|_, b| {
        // Only for the form whose first input is the sizes rather than the images.
        if b.varies(0) || b.varies(1) || b.shape(0).dim(0) != Some(5) || b.rank(0) != Some(1) {
            return None;
        }
        let (sizes, rows) = (b.input(0), b.input(0).slice1(0, 1));
        let all = b.concat(&[rows * b.size1().cast(sizes.dtype()), sizes.slice1(1, -1)]);
        let dx = b.again(&[all, b.input(1), levada_ops_core::batch::folded(b, b.input(2))]);
        b.one(levada_ops_core::batch::unfolded(b, dx, rows.cast(DType::I32)))
    });

pub static CONV3D_BACKPROP_FILTER: Def<Conv3D> = conv3d("Conv3DBackpropFilterV2", backward_filter)
    .doc("Computes the gradient of `Conv3D` with respect to its filter.")
    .inputs(&[INPUT, arg("filter_sizes", is(DType::I32)), GRADIENT])
    .without(&["Tshape"])
    .also(&[told_by_tensor("Conv3DBackpropFilter")
        .doc("Computes the gradient of `Conv3D` with respect to its filter, of which only the shape is used.")])
    .shape(|op, cx| gradient_shape(op, cx, 1))
    .workspace(|op, inputs, outputs, threads| op.workspace(Of::Filter, inputs.first(), outputs.first(), threads))
    .host_inputs(&[1])
    .labels(LABELS)
    .gradient(|op, g| {
        let (x, before, dy) = (g.input(0), g.input(2), g.dy(0));
        let dx = CONV3D_BACKPROP_INPUT.node(g, op, &[x.shape_value(), dy, before]);
        vec![dx.into(), NONE, CONV3D.node(g, op, &[x, dy]).into()]
    });

impl Conv3D {
    fn workspace(
        &self,
        of: Of,
        images: Option<&PartialShape>,
        filter: Option<&PartialShape>,
        threads: usize,
    ) -> Option<f64> {
        workspace::of_convolution(&self.parameters(), (self.dtype, of), (images, filter), threads)
    }

    fn parameters(&self) -> Parameters<'_> {
        Parameters {
            spatial: 3,
            strides: &self.strides,
            dilations: &self.dilations,
            padding: &self.padding,
            explicit_paddings: &[],
            data_format: &self.data_format,
        }
    }

    /// Returns the convolution for volumes and a filter of these shapes.
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

    /// Returns the shape of a gradient as given by `tensor`.
    fn shape_from(&self, tensor: &Tensor, what: &str) -> Result<Shape> {
        if self.sizes { shape_from(tensor, what) } else { Ok(tensor.shape().clone()) }
    }
}

/// Infers the shape of a gradient as given by input `i`.
fn gradient_shape(op: &Conv3D, cx: &mut ShapeCx<'_>, i: usize) -> Result<()> {
    let shape = if op.sizes { cx.constant_shape(i) } else { cx.input(i) };
    cx.output(0, shape.merge(&PartialShape::of_rank(5))?);
    Ok(())
}

fn forward(op: &Conv3D, cx: &mut Cx<'_, '_>) -> Result<()> {
    let cache = Cache::of_constant(cx, 1)?;
    let (input, filter) = (cx.input(0)?, cx.input(1)?);
    let convolution = op.convolution(input.shape(), filter.shape())?;
    let out = dispatch_operand!(op.dtype, |T| convolution.forward::<T>(cx, input, filter, cache.as_deref(), None))?;
    cx.set(0, out);
    Ok(())
}

fn backward_input(op: &Conv3D, cx: &mut Cx<'_, '_>) -> Result<()> {
    let shape = op.shape_from(cx.input(0)?, "input_sizes")?;
    let (filter, gradient) = (cx.input(1)?, cx.input(2)?);
    let convolution = op.convolution(&shape, filter.shape())?;
    let out = dispatch_operand!(op.dtype, |T| convolution.backward_input::<T>(cx, &shape, filter, gradient))?;
    cx.set(0, out);
    Ok(())
}

fn backward_filter(op: &Conv3D, cx: &mut Cx<'_, '_>) -> Result<()> {
    let shape = op.shape_from(cx.input(1)?, "filter_sizes")?;
    let (input, gradient) = (cx.input(0)?, cx.input(2)?);
    let convolution = op.convolution(input.shape(), &shape)?;
    let out = dispatch_operand!(op.dtype, |T| convolution.backward_filter::<T>(cx, input, &shape, gradient))?;
    cx.set(0, out);
    Ok(())
}

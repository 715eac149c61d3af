//! `XlaConv` and `XlaConvV2`: convolutions with arbitrary axis order, padding and dilation.

use crate::ELEMENTS;
use crate::dot::{widened, widens};
use crate::moves::{Axis, Layout, rearrange};
use crate::numbers::{Numbers, vector};
use crate::pad;
use crate::prelude::*;
use levada_ops_convolution::convolve_inside;

attrs! {
    /// Convolves `lhs` with `rhs`, with the axes given by `dimension_numbers`.
    pub struct XlaConv {
        /// Element type of `lhs`.
        lhs: DType = Attr::dtype("LhsT", ELEMENTS),
        /// Element type of `rhs`.
        rhs: DType = Attr::dtype("RhsT", ELEMENTS),
        /// Element type of padding and dilations.
        index: DType = Attr::dtype("Tindices", sets::INDEX),
        /// A `ConvolutionDimensionNumbers` message.
        numbers: Bytes = Attr::string("dimension_numbers"),
        /// A `PrecisionConfig` message; has no effect here.
        precision: Bytes = Attr::string("precision_config"),
        /// Element type of the output.
        to: DType = Attr::dtype("preferred_element_type", ELEMENTS),
        /// Number of batch groups; must be 1.
        batch_groups: i64 = Attr::int("batch_group_count").or_int(1),
    }
}

attrs! {
    /// The attrs of the first form, which has a single element type.
    pub struct XlaConvOfOneType {
        /// Element type.
        dtype: DType = Attr::dtype("T", ELEMENTS),
        /// Element type of padding and dilations.
        index: DType = Attr::dtype("Tindices", sets::INDEX),
        /// A `ConvolutionDimensionNumbers` message.
        numbers: Bytes = Attr::string("dimension_numbers"),
        /// A `PrecisionConfig` message; has no effect here.
        precision: Bytes = Attr::string("precision_config"),
    }
}

/// The types of the sums.
const SUMS: &[DType] = &[DType::F32, DType::F64, DType::F16, DType::BF16, DType::I32];
const STRIDES: Arg = arg("window_strides", of("Tindices"));
const PADDING: Arg = arg("padding", of("Tindices"));
const LHS_DILATION: Arg = arg("lhs_dilation", of("Tindices"));
const RHS_DILATION: Arg = arg("rhs_dilation", of("Tindices"));
const GROUPS: Arg = arg("feature_group_count", of("Tindices"));

pub static XLA_CONV: Def<XlaConvOfOneType> = op::<XlaConvOfOneType>("XlaConv")
    .doc("Convolves `lhs` with `rhs`, with the axes given by `dimension_numbers`.")
    .inputs(&[arg("lhs", of("T")), arg("rhs", of("T")), STRIDES, PADDING, LHS_DILATION, RHS_DILATION, GROUPS])
    .outputs(&[arg("output", of("T"))])
    .shape(shape_of_rank)
    .kernel(|op, cx| convolution(&op.numbers, op.dtype, cx))
    .heavy()
    .supports(|op| SUMS.contains(&op.dtype));

pub static XLA_CONV_V2: Def<XlaConv> = op::<XlaConv>("XlaConvV2")
    .inputs(&[arg("lhs", of("LhsT")), arg("rhs", of("RhsT")), STRIDES, PADDING, LHS_DILATION, RHS_DILATION, GROUPS])
    .outputs(&[arg("output", of("preferred_element_type"))])
    .shape(shape_of_rank)
    .kernel(|op, cx| convolution(&op.numbers, op.to, cx))
    .heavy()
    .supports(|op| {
        let becomes = |from: DType| from == op.to || widens(from, op.to);
        SUMS.contains(&op.to) && becomes(op.lhs) && becomes(op.rhs) && op.batch_groups == 1
    });

/// The output has the rank of the first operand.
fn shape_of_rank<A>(_: &A, cx: &mut ShapeCx<'_>) -> Result<()> {
    if let Some(rank) = cx.input(0).rank() {
        cx.output(0, PartialShape::of_rank(rank));
    }
    Ok(())
}

/// Returns the order of the axes of images: batch, spatial axes, channels.
fn order(numbers: &Numbers, rank: usize, [first, last, space]: [u64; 3]) -> Result<Vec<usize>> {
    let (first, last) = (numbers.one(first, rank - 1)?, numbers.one(last, rank - 1)?);
    let order = [&[first][..], &numbers.axes(space, rank)?, &[last]].concat();
    if order.len() != rank || (0..rank).any(|axis| !order.contains(&axis)) {
        return Err(Error::invalid("dimension_numbers must name each axis once")
            .attr("dimension_numbers")
            .expected(format!("{rank} axes"))
            .found(format!("{order:?}")));
    }
    Ok(order)
}

fn convolution(numbers: &[u8], dtype: DType, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (lhs, rhs) = (cx.input(0)?, cx.input(1)?);
    let rank = lhs.shape().rank();
    let space = rank.checked_sub(2).filter(|space| (1..=3).contains(space) && rhs.shape().rank() == rank);
    let space = space.ok_or_else(|| {
        Error::unimplemented("convolutions over other than one, two or three axes").found(format!(
            "shapes {} and {}",
            lhs.shape(),
            rhs.shape()
        ))
    })?;
    let numbers = Numbers::of(numbers, "dimension_numbers")?;
    let images = order(&numbers, rank, [7, 8, 11])?;
    let output = order(&numbers, rank, [9, 10, 12])?;
    // A filter has its spatial axes first, then its two channel axes.
    let filter = order(&numbers, rank, [3, 4, 6])?;
    let filter = [&filter[1..=space], &[filter[0], filter[rank - 1]]].concat();
    let strides = vector(cx, 2, "window_strides", space)?;
    let padding = cx.input(3)?;
    if padding.shape().dims() != [space, 2] {
        return Err(Error::invalid("padding must be a matrix of a row for each axis of space, and two columns")
            .expected(format!("shape [{space}, 2]"))
            .found(format!("shape {}", padding.shape())));
    }
    let padding = padding.to_i64s()?;
    let (apart, dilations) = (vector(cx, 4, "lhs_dilation", space)?, vector(cx, 5, "rhs_dilation", space)?);
    if let Some(&wrong) = apart.iter().chain(&dilations).chain(&strides).find(|&&by| by < 1) {
        return Err(Error::invalid("strides and dilations must be positive").found(wrong));
    }
    let groups = cx.input(6)?.to_i64s()?;
    let (channels, depth) = (lhs.shape()[images[rank - 1]], rhs.shape()[filter[space]]);
    let wanted =
        groups.first().and_then(|&groups| usize::try_from(groups).ok()).and_then(|groups| groups.checked_mul(depth));
    if groups.len() != 1 || wanted != Some(channels) {
        return Err(Error::invalid("lhs must have the channels of rhs in each of feature_group_count groups")
            .expected(format!("{depth} channels in each of {groups:?}"))
            .found(channels));
    }
    let margins = |i: usize| match i.checked_sub(1).filter(|i| *i < space) {
        Some(i) => [padding[2 * i], padding[2 * i + 1], apart[i] - 1],
        None => [0; 3],
    };
    let lhs = widened(cx, lhs, dtype)?;
    let lhs = laid_out(cx, &lhs, &images, margins)?;
    let rhs = laid_out(cx, &widened(cx, rhs, dtype)?, &filter, |_| [0; 3])?;
    let out = convolve_inside(cx, &lhs, &rhs, &strides, &dilations)?;
    // The axes of the output are in the order of the images' axes: each moves to where `output` places it.
    let mut places = vec![0; rank];
    output.iter().enumerate().for_each(|(from, &to)| places[to] = from);
    let out = laid_out(cx, &out, &places, |_| [0; 3])?;
    cx.set(0, out);
    Ok(())
}

/// Returns the tensor transposed to this order of axes, with zeros around its elements and between them.
fn laid_out(cx: &Cx<'_, '_>, tensor: &Tensor, order: &[usize], margins: impl Fn(usize) -> [i64; 3]) -> Result<Tensor> {
    let (shape, strides) = (tensor.shape(), tensor.shape().strides());
    if order.iter().enumerate().all(|(i, &axis)| i == axis && margins(i) == [0; 3]) {
        return Ok(tensor.clone());
    }
    let mut sizes = Vec::new();
    for (i, &axis) in order.iter().enumerate() {
        sizes.push(pad::padded(shape[axis], margins(i)).ok_or_else(|| {
            Error::invalid(format!("an axis of {} elements cannot be padded", shape[axis]))
                .found(format!("{:?} before, after and between", margins(i)))
        })?);
    }
    let whole = Shape::new(sizes.iter().copied())?;
    cx.device.arena.check(whole.num_elements().saturating_mul(tensor.dtype().size()))?;
    let axes: Vec<Axis> = (order.iter().enumerate().zip(&sizes))
        .map(|((i, &axis), &size)| pad::axis(shape[axis], strides[axis] as isize, margins(i), size))
        .collect();
    rearrange(cx, tensor, &Layout::new(axes), &whole, None)
}

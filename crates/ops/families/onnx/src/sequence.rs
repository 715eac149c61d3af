//! ONNX sequences: lists of tensors of one dtype, stored in a variant.

use crate::base::axis_of;
use crate::prelude::*;
use levada_graph::{Variant, VariantValue};
use levada_ops_core::moves::{Axis, Layout, Mover, rearrange};
use levada_ops_core::variant_tensors::{change, value, zeros_like};

/// Tensors of one dtype and arbitrary shapes.
#[derive(Clone, Debug)]
pub struct Sequence {
    dtype: DType,
    items: Vec<Tensor>,
}

impl VariantValue for Sequence {
    fn type_name(&self) -> &'static str {
        "onnx::Sequence"
    }

    fn zeros_like(&self) -> Result<Variant> {
        let items = self.items.iter().map(zeros_like).collect::<Result<_>>()?;
        Ok(Variant::new(Sequence { dtype: self.dtype, items }))
    }

    fn tensors(&self) -> Vec<Tensor> {
        self.items.clone()
    }

    fn with_tensors(&self, tensors: Vec<Tensor>) -> Option<Variant> {
        Some(Variant::new(Sequence { dtype: self.dtype, items: tensors }))
    }
}

impl Sequence {
    fn check(&self, dtype: DType) -> Result<()> {
        if self.dtype == dtype {
            return Ok(());
        }
        Err(Error::invalid("a sequence holds tensors of another dtype").expected(dtype).found(self.dtype))
    }

    /// Resolves `position`, which counts from the end if negative; `room` allows that many positions past the last
    /// element.
    fn place(&self, position: i64, room: usize) -> Result<usize> {
        let n = self.items.len() as i64;
        let at = if position < 0 { position.saturating_add(n) } else { position };
        usize::try_from(at).ok().filter(|&at| at < self.items.len() + room).ok_or_else(|| {
            Error::invalid("a sequence has no such position")
                .expected(format!("-{n} to {}", n - 1 + room as i64))
                .found(position)
        })
    }
}

/// The value of the optional position input `i`.
fn position(cx: &Cx<'_, '_>, i: usize) -> Result<Option<i64>> {
    match cx.num_inputs() > i {
        true => Ok(cx.i64s(i)?.first().copied()),
        false => Ok(None),
    }
}

fn set(cx: &mut Cx<'_, '_>, dtype: DType, items: Vec<Tensor>) {
    cx.set(0, Tensor::scalar(Variant::new(Sequence { dtype, items })));
}

attrs! {
    /// `SequenceEmpty` of ONNX: an empty sequence.
    pub struct OnnxSequenceEmpty {
        /// Element type of the sequence's tensors.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

attrs! {
    /// `SequenceConstruct` of ONNX: a sequence of the inputs.
    pub struct OnnxSequenceConstruct {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Number of inputs.
        count: i64 = Attr::int("N").at_least(0),
    }
}

attrs! {
    /// `SequenceInsert` of ONNX: inserts a tensor into a sequence at a position, or appends it.
    pub struct OnnxSequenceInsert {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// 1 if `position` is given, otherwise 0.
        position: i64 = Attr::int("num_position").or_int(0).at_least(0),
    }
}

attrs! {
    /// `SequenceErase` of ONNX: removes the tensor at a position, or the last one.
    pub struct OnnxSequenceErase {
        /// 1 if `position` is given, otherwise 0.
        position: i64 = Attr::int("num_position").or_int(0).at_least(0),
    }
}

attrs! {
    /// `SequenceAt` of ONNX: the tensor at a position.
    pub struct OnnxSequenceAt {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

attrs! {
    /// `SequenceLength` of ONNX: the number of tensors in a sequence.
    pub struct OnnxSequenceLength {}
}

attrs! {
    /// `SplitToSequence` of ONNX: splits a tensor along an axis. `split` is the size of all parts or of each; without
    /// it, parts are single elements.
    pub struct OnnxSplitToSequence {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// 1 if `split` is given, otherwise 0.
        split: i64 = Attr::int("num_split").or_int(0).at_least(0),
        /// The axis.
        axis: i64 = Attr::int("axis").or_int(0),
        /// If true, parts that are single elements keep the axis.
        keep: bool = Attr::bool("keepdims").or_bool(true),
    }
}

attrs! {
    /// `ConcatFromSequence` of ONNX: concatenates the tensors of a sequence, or stacks them along a new axis.
    pub struct OnnxConcatFromSequence {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// The axis.
        axis: i64 = Attr::int("axis"),
        /// If true, stacks along a new axis.
        new: bool = Attr::bool("new_axis").or_bool(false),
    }
}

pub static ONNX_SEQUENCE_EMPTY: Def<OnnxSequenceEmpty> = op("OnnxSequenceEmpty")
    .outputs(&[arg("output", is(DType::Variant))])
    .shape(|_, cx| {
        cx.output_scalar(0);
        Ok(())
    })
    .kernel(onnx_sequence_empty);

fn onnx_sequence_empty(op: &OnnxSequenceEmpty, cx: &mut Cx<'_, '_>) -> Result<()> {
    set(cx, op.dtype, Vec::new());
    Ok(())
}

pub static ONNX_SEQUENCE_CONSTRUCT: Def<OnnxSequenceConstruct> = op("OnnxSequenceConstruct")
    .inputs(&[arg("inputs", of("T")).times("N")])
    .outputs(&[arg("output_sequence", is(DType::Variant))])
    .shape(|_, cx| {
        cx.output_scalar(0);
        Ok(())
    })
    .kernel(onnx_sequence_construct);

fn onnx_sequence_construct(op: &OnnxSequenceConstruct, cx: &mut Cx<'_, '_>) -> Result<()> {
    let items = (0..cx.num_inputs()).map(|i| cx.take(i)).collect::<Result<_>>()?;
    set(cx, op.dtype, items);
    Ok(())
}

pub static ONNX_SEQUENCE_INSERT: Def<OnnxSequenceInsert> = op("OnnxSequenceInsert")
    .inputs(&[
        arg("input_sequence", is(DType::Variant)),
        arg("tensor", of("T")),
        arg("position", is(DType::I64)).times("num_position"),
    ])
    .outputs(&[arg("output_sequence", is(DType::Variant))])
    .shape(|_, cx| {
        cx.output_scalar(0);
        Ok(())
    })
    .kernel(onnx_sequence_insert);

fn onnx_sequence_insert(_: &OnnxSequenceInsert, cx: &mut Cx<'_, '_>) -> Result<()> {
    let at = position(cx, 2)?;
    let tensor = cx.take(1)?;
    change::<Sequence>(cx, 0, "sequence", |sequence| {
        sequence.check(tensor.dtype())?;
        let at = at.map_or(Ok(sequence.items.len()), |at| sequence.place(at, 1))?;
        sequence.items.insert(at, tensor);
        Ok(())
    })
}

pub static ONNX_SEQUENCE_ERASE: Def<OnnxSequenceErase> = op("OnnxSequenceErase")
    .inputs(&[arg("input_sequence", is(DType::Variant)), arg("position", is(DType::I64)).times("num_position")])
    .outputs(&[arg("output_sequence", is(DType::Variant))])
    .shape(|_, cx| {
        cx.output_scalar(0);
        Ok(())
    })
    .kernel(onnx_sequence_erase);

fn onnx_sequence_erase(_: &OnnxSequenceErase, cx: &mut Cx<'_, '_>) -> Result<()> {
    let at = position(cx, 1)?.unwrap_or(-1);
    change::<Sequence>(cx, 0, "sequence", |sequence| {
        let at = sequence.place(at, 0)?;
        sequence.items.remove(at);
        Ok(())
    })
}

pub static ONNX_SEQUENCE_AT: Def<OnnxSequenceAt> = op("OnnxSequenceAt")
    .inputs(&[arg("input_sequence", is(DType::Variant)), arg("position", is(DType::I64))])
    .outputs(&[arg("tensor", of("T"))])
    .kernel(onnx_sequence_at);

fn onnx_sequence_at(op: &OnnxSequenceAt, cx: &mut Cx<'_, '_>) -> Result<()> {
    let at = position(cx, 1)?.ok_or_else(|| Error::invalid("position is empty"))?;
    let sequence = value::<Sequence>(cx, 0, "sequence")?;
    sequence.check(op.dtype)?;
    let item = sequence.items[sequence.place(at, 0)?].clone();
    cx.set(0, item);
    Ok(())
}

pub static ONNX_SEQUENCE_LENGTH: Def<OnnxSequenceLength> = op("OnnxSequenceLength")
    .inputs(&[arg("input_sequence", is(DType::Variant))])
    .outputs(&[arg("length", is(DType::I64))])
    .shape(|_, cx| {
        cx.output_scalar(0);
        Ok(())
    })
    .kernel(onnx_sequence_length);

fn onnx_sequence_length(_: &OnnxSequenceLength, cx: &mut Cx<'_, '_>) -> Result<()> {
    let n = value::<Sequence>(cx, 0, "sequence")?.items.len() as i64;
    cx.set(0, Tensor::scalar(n));
    Ok(())
}

pub static ONNX_SPLIT_TO_SEQUENCE: Def<OnnxSplitToSequence> = op("OnnxSplitToSequence")
    .inputs(&[arg("input", of("T")), arg("split", is(DType::I64)).times("num_split")])
    .outputs(&[arg("output_sequence", is(DType::Variant))])
    .shape(|_, cx| {
        cx.output_scalar(0);
        Ok(())
    })
    .kernel(onnx_split_to_sequence)
    .heavy();

fn onnx_split_to_sequence(op: &OnnxSplitToSequence, cx: &mut Cx<'_, '_>) -> Result<()> {
    let input = cx.input(0)?;
    let (dims, strides) = (input.shape().dims().to_vec(), input.shape().strides());
    let axis = axis_of(op.axis, dims.len())?;
    let sizes = op.sizes(cx, dims[axis])?;
    let (mut items, mut at) = (Vec::with_capacity(sizes.len()), 0);
    for size in sizes {
        let part = dims.iter().zip(&strides).enumerate().map(|(d, (&n, &s))| match d == axis {
            true => Axis::strided(size, (at * s) as isize, s as isize),
            false => Axis::strided(n, 0, s as isize),
        });
        let mut shape = dims.clone();
        shape[axis] = size;
        let part = rearrange(cx, input, &Layout::new(part), &Shape::new(shape.iter().copied())?, None)?;
        if op.keep || cx.num_inputs() > 1 {
            items.push(part);
        } else {
            shape.remove(axis);
            items.push(part.reshaped(Shape::new(shape)?)?);
        }
        at += size;
    }
    set(cx, op.dtype, items);
    Ok(())
}

impl OnnxSplitToSequence {
    /// The part sizes for an axis of size `n`.
    fn sizes(&self, cx: &Cx<'_, '_>, n: usize) -> Result<Vec<usize>> {
        if cx.num_inputs() < 2 {
            cx.device.arena.check(n.saturating_mul(size_of::<Tensor>()))?;
            return Ok(vec![1; n]);
        }
        let split = cx.i64s(1)?;
        let wrong = || {
            Error::invalid("the sizes of the parts do not add up to the axis").expected(n).found(format!("{split:?}"))
        };
        let sizes: Option<Vec<usize>> = split.iter().map(|&s| usize::try_from(s).ok()).collect();
        let sizes = sizes.ok_or_else(wrong)?;
        if cx.input(1)?.shape().is_scalar() {
            let size = sizes[0];
            if size == 0 {
                return Err(wrong());
            }
            cx.device.arena.check(n.div_ceil(size).saturating_mul(size_of::<Tensor>()))?;
            return Ok((0..n).step_by(size).map(|at| size.min(n - at)).collect());
        }
        match sizes.iter().try_fold(0usize, |sum, &s| sum.checked_add(s)) {
            Some(sum) if sum == n => Ok(sizes),
            _ => Err(wrong()),
        }
    }
}

pub static ONNX_CONCAT_FROM_SEQUENCE: Def<OnnxConcatFromSequence> = op("OnnxConcatFromSequence")
    .inputs(&[arg("input_sequence", is(DType::Variant))])
    .outputs(&[arg("concat_result", of("T"))])
    .kernel(onnx_concat_from_sequence)
    .heavy();

fn onnx_concat_from_sequence(op: &OnnxConcatFromSequence, cx: &mut Cx<'_, '_>) -> Result<()> {
    let sequence = value::<Sequence>(cx, 0, "sequence")?;
    sequence.check(op.dtype)?;
    let Some(first) = sequence.items.first() else {
        return Err(Error::invalid("an empty sequence cannot be concatenated"));
    };
    let (rank, new) = (first.shape().rank(), usize::from(op.new));
    let axis = axis_of(op.axis, rank + new)?;
    let mut parts = Vec::with_capacity(sequence.items.len());
    let mut whole: Vec<usize> = Vec::new();
    for item in &sequence.items {
        let mut dims = item.shape().dims().to_vec();
        if op.new {
            dims.insert(axis.min(dims.len()), 1);
        }
        if whole.is_empty() {
            whole = dims.clone();
            whole[axis] = 0;
        }
        let fits = dims.len() == whole.len() && (0..dims.len()).all(|i| i == axis || dims[i] == whole[i]);
        let sum = dims.get(axis).and_then(|&n| whole[axis].checked_add(n)).filter(|_| fits);
        whole[axis] = sum.ok_or_else(|| {
            Error::invalid("the tensors of a sequence have incompatible shapes")
                .expected(first.shape())
                .found(item.shape())
        })?;
        parts.push(item.clone().reshaped(Shape::new(dims)?)?);
    }
    let parts: Vec<&Tensor> = parts.iter().collect();
    let out = Cpu::join(cx, &parts, axis, &Shape::new(whole)?, op.dtype)?;
    cx.set(0, out);
    Ok(())
}

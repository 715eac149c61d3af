//! Sequences and optional values.

use super::control::{Repetition, noted, run};
use super::prelude::*;

pub(crate) const OPERATORS: &[Operator] = &[
    op("ConcatFromSequence", &[11], concat_from_sequence),
    op("Optional", &[15, 28], optional),
    op("OptionalGetElement", &[15, 18, 28], optional_get_element),
    op("OptionalHasElement", &[15, 18, 28], optional_has_element),
    op("SequenceAt", &[11], sequence_at),
    op("SequenceConstruct", &[11], sequence_construct),
    op("SequenceEmpty", &[11], sequence_empty),
    op("SequenceErase", &[11], sequence_erase),
    op("SequenceInsert", &[11], sequence_insert),
    op("SequenceLength", &[11], sequence_length),
    op("SequenceMap", &[17], sequence_map),
    op("SplitToSequence", &[11, 24], split_to_sequence),
];

/// The type of the elements of a sequence.
fn element(val: &Val) -> Result<Type> {
    match &val.ty {
        Type::Sequence(inner) => Ok((**inner).clone()),
        other => Err(Error::invalid("an input is not a sequence").expected("a sequence").found(other)),
    }
}

/// A position as int64.
fn position(cx: &mut Cx<'_, '_>, i: usize) -> Result<Option<Val>> {
    cx.optional(i).map(|val| cx.cast(&val, DType::I64)).transpose()
}

fn sequence_empty(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let elem = Elem(cx.int_or("dtype", 1)? as i32);
    let node = cx.node("OnnxSequenceEmpty").attr("T", elem.dtype()?);
    Ok(vec![node.add()?.typed(Type::Tensor(elem).sequence())])
}

fn sequence_construct(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let all = cx.inputs()?;
    let first =
        all.first().ok_or_else(|| Error::invalid("missing input 0: a sequence is made of at least one tensor"))?;
    let ty = first.ty.clone().sequence();
    Ok(vec![cx.node("OnnxSequenceConstruct").inputs(&all).add()?.typed(ty)])
}

fn sequence_insert(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (sequence, tensor, at) = (cx.input(0)?, cx.input(1)?, position(cx, 2)?);
    let node = cx.node("OnnxSequenceInsert").input(&sequence).input(&tensor).maybe("num_position", at.as_ref());
    Ok(vec![node.add()?.like(&sequence)])
}

fn sequence_erase(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (sequence, at) = (cx.input(0)?, position(cx, 1)?);
    let node = cx.node("OnnxSequenceErase").input(&sequence).maybe("num_position", at.as_ref());
    Ok(vec![node.add()?.like(&sequence)])
}

fn sequence_at(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (sequence, at) = (cx.input(0)?, cx.input(1)?);
    let (ty, at) = (element(&sequence)?, cx.cast(&at, DType::I64)?);
    let node = cx.node("OnnxSequenceAt").input(&sequence).input(&at).attr("T", ty.dtype()?);
    Ok(vec![node.add()?.typed(ty)])
}

fn sequence_length(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let sequence = cx.input(0)?;
    element(&sequence)?;
    Ok(vec![cx.op("OnnxSequenceLength", &[&sequence])?.of_elem(Elem::INT64)])
}

fn split_to_sequence(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (x, split) = (cx.input(0)?, position(cx, 1)?);
    let (axis, keep) = (cx.int_or("axis", 0)?, cx.flag("keepdims", true)?);
    let node = cx.node("OnnxSplitToSequence").input(&x).maybe("num_split", split.as_ref());
    Ok(vec![node.attr("axis", axis).attr("keepdims", keep).add()?.typed(x.ty.sequence())])
}

fn concat_from_sequence(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let sequence = cx.input(0)?;
    let (ty, axis, new) = (element(&sequence)?, cx.int_needed("axis")?, cx.flag("new_axis", false)?);
    let node = cx.node("OnnxConcatFromSequence").input(&sequence).attr("T", ty.dtype()?);
    Ok(vec![node.attr("axis", axis).attr("new_axis", new).add()?.typed(ty)])
}

fn optional(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    if let Some(x) = cx.optional(0) {
        let val = cx.node("OptionalFromValue").input(&x).add()?;
        return Ok(vec![val.typed(x.ty.optional())]);
    }
    let ty =
        cx.type_of("type")?.ok_or_else(|| Error::invalid("an optional without a value needs its type").attr("type"))?;
    Ok(vec![cx.node("OptionalNone").add()?.typed(ty.optional())])
}

fn optional_get_element(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let Type::Optional(inner) = &x.ty else { return Ok(vec![cx.op("Identity", &[&x])?.like(&x)]) };
    let inner = (**inner).clone();
    let node = cx.node("OptionalGetValue").input(&x).attr("output_types", vec![inner.dtype()?]);
    Ok(vec![node.attr("output_shapes", vec![PartialShape::Unknown]).add()?.typed(inner)])
}

fn optional_has_element(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    match cx.optional(0) {
        Some(x) if matches!(x.ty, Type::Optional(_)) => Ok(vec![cx.op("OptionalHasValue", &[&x])?.of_elem(Elem::BOOL)]),
        given => Ok(vec![cx.constant(Tensor::scalar(given.is_some()))?]),
    }
}

/// Maps a graph over the elements of sequences: a loop over their positions.
fn sequence_map(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (graph, inputs) = (cx.graph("body")?, cx.inputs()?);
    let first = inputs.first().ok_or_else(|| Error::invalid("missing input 0: a sequence"))?;
    element(first)?;
    let length = cx.op("OnnxSequenceLength", &[first])?.of_elem(Elem::INT64);
    let mut initial = vec![cx.i64(0)?];
    for output in &graph.output {
        let proto = output.r#type.as_ref();
        let proto =
            proto.ok_or_else(|| Error::invalid(format!("the output {:?} of the body has no type", output.name)))?;
        let ty = Type::of_proto(proto)?.0;
        initial.push(cx.node("OnnxSequenceEmpty").attr("T", ty.dtype()?).add()?.typed(ty.sequence()));
    }
    let depth = cx.importer().depth_of_blocks();
    let body = |cx: &mut Cx<'_, '_>, variables: &[Val]| {
        let mut items = Vec::new();
        for input in &inputs {
            let val = cx.importer().bring(depth, input.clone())?;
            items.push(match &input.ty {
                Type::Sequence(inner) => {
                    let node = cx.node("OnnxSequenceAt").input(&val).input(&variables[0]).attr("T", inner.dtype()?);
                    node.add()?.typed((**inner).clone())
                }
                _ => val,
            });
        }
        let results = cx.importer().inner(graph, &items, "")?.ok_or_else(noted)?;
        let mut next = vec![cx.plus_number(&variables[0], 1.0)?];
        for (sequence, item) in variables[1..].iter().zip(&results) {
            let node = cx.node("OnnxSequenceInsert").input(sequence).input(item);
            next.push(node.add()?.like(sequence));
        }
        Ok((next, Vec::new()))
    };
    let condition =
        |cx: &mut Cx<'_, '_>, variables: &[Val]| cx.op("Less", &[&variables[0], &variables[variables.len() - 1]]);
    let repetition = Repetition { initial, lists: 0, body: &body, condition: &condition, invariants: vec![length] };
    Ok(run(cx, &repetition)?.0.into_iter().skip(1).collect())
}

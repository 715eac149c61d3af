//! `If`, `Loop` and `Scan`: their graphs become functions.

use super::prelude::*;
use crate::block::Block;
use levada_graph::Func;

pub(crate) const OPERATORS: &[Operator] = &[
    op("If", &[1, 11, 13, 16, 19, 21, 23, 24, 25], branch),
    op("Loop", &[1, 11, 13, 16, 19, 21, 23, 24, 25], repeat),
    op("Scan", &[8, 9, 11, 16, 19, 21, 23, 24, 25], scan),
];

/// The number of attempts to find invariant shapes of loop variables before they are left unknown.
const TRIES: usize = 3;

/// The body of a function with its results.
struct Body {
    block: Block,
    results: Vec<Val>,
    types: Vec<Type>,
    dtypes: Vec<DType>,
    shapes: Vec<PartialShape>,
}

/// The error for a node of a body that could not be converted, which is recorded already.
pub(super) fn noted() -> Error {
    Error::unimplemented("the node's graph cannot be converted")
}

fn close(cx: &mut Cx<'_, '_>, results: Vec<Val>) -> Body {
    let dtypes = results.iter().map(|val| cx.dtype(val)).collect();
    let shapes = results.iter().map(|val| cx.shape(val)).collect();
    let types = results.iter().map(|val| val.ty.clone()).collect();
    Body { block: cx.close(), results, types, dtypes, shapes }
}

/// Converts a graph without inputs.
fn body_of(cx: &mut Cx<'_, '_>, graph: &crate::proto::GraphProto) -> Result<Body> {
    cx.open();
    let results = cx.importer().inner(graph, &[], "");
    // A result that the graph does not compute would not be one of its nodes.
    let results = results.and_then(|results| results.ok_or_else(noted));
    match results {
        Ok(results) => Ok(close(cx, results)),
        Err(error) => {
            cx.close();
            Err(error)
        }
    }
}

/// The values of the enclosing graph that bodies use, without duplicates.
fn captured(bodies: &[&Body]) -> Vec<Val> {
    let mut all: Vec<Val> = Vec::new();
    for (outer, _) in bodies.iter().flat_map(|body| &body.block.captured) {
        if !all.iter().any(|val| val.at() == outer.at()) {
            all.push(outer.clone());
        }
    }
    all
}

/// The nodes of a body's parameters for these values; new ones for values that it does not use.
fn parameters(body: &mut Block, captured: &[Val], dtypes: &[DType]) -> Vec<usize> {
    let parameter = |(outer, dtype): (&Val, &DType)| match body.captured(outer) {
        Some(val) => val.node,
        None => body.parameter(outer.ty.clone(), *dtype, PartialShape::Unknown).node,
    };
    captured.iter().zip(dtypes).map(parameter).collect()
}

fn branch(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let condition = cx.input(0)?;
    let (then_graph, else_graph) = (cx.graph("then_branch")?, cx.graph("else_branch")?);
    if let Some(known) = cx.constant_of(&condition).and_then(|t| t.item::<bool>().ok()) {
        let graph = if known { then_graph } else { else_graph };
        let prefix = format!("{}/", cx.name);
        return cx.importer().inner(graph, &[], &prefix)?.ok_or_else(noted);
    }
    let condition = cx.reshape(&condition, &[])?;
    let mut then = body_of(cx, then_graph)?;
    let mut other = body_of(cx, else_graph)?;
    if then.dtypes != other.dtypes {
        return Err(Error::invalid("the branches return values of different types")
            .expected(format!("{:?}", then.dtypes))
            .found(format!("{:?}", other.dtypes)));
    }
    let captured = captured(&[&then, &other]);
    let dtypes: Vec<DType> = captured.iter().map(|val| cx.dtype(val)).collect();
    let shapes: Vec<PartialShape> = then.shapes.iter().zip(&other.shapes).map(|(a, b)| a.relax(b)).collect();
    let (inner_then, inner_else) =
        (parameters(&mut then.block, &captured, &dtypes), parameters(&mut other.block, &captured, &dtypes));
    let stateful = then.block.stateful || other.block.stateful;
    let then_name = cx.importer().function("then", then.block, &inner_then, &then.results);
    let else_name = cx.importer().function("else", other.block, &inner_else, &other.results);
    let node = cx.node(if stateful { "If" } else { "StatelessIf" }).input(&condition).inputs(&captured);
    let node = node.attr("Tin", dtypes).attr("Tout", then.dtypes).attr("output_shapes", shapes);
    let node = node.attr("then_branch", Func::from(&then_name[..])).attr("else_branch", Func::from(&else_name[..]));
    let outputs = node.all()?;
    Ok(outputs.into_iter().zip(then.types).map(|(val, ty)| val.typed(ty)).collect())
}

/// Maps the variables of a loop to their next values and the elements of the lists.
type Iteration<'c> = dyn Fn(&mut Cx<'_, '_>, &[Val]) -> Result<(Vec<Val>, Vec<Val>)> + 'c;

/// A loop that a `While` runs: its variables and their updates.
pub(super) struct Repetition<'c> {
    /// The values of the variables before the first iteration: a counter (int64), then those of the loop, then lists.
    pub initial: Vec<Val>,
    /// Number of lists, which are the last of the variables.
    pub lists: usize,
    /// The body, which takes the variables and returns their next values, and the elements of the lists.
    pub body: &'c Iteration<'c>,
    /// The condition, from the variables and the captured values.
    pub condition: &'c dyn Fn(&mut Cx<'_, '_>, &[Val]) -> Result<Val>,
    /// Values that the condition needs besides the variables.
    pub invariants: Vec<Val>,
}

/// Runs a repetition; returns the last values of the variables, and the stacked elements of the lists.
pub(super) fn run(cx: &mut Cx<'_, '_>, repetition: &Repetition<'_>) -> Result<(Vec<Val>, Vec<Val>)> {
    let Repetition { initial, lists, body, condition, invariants } = repetition;
    let plain = initial.len();
    let mut shapes: Vec<PartialShape> = initial.iter().map(|val| cx.shape(val)).collect();
    let types: Vec<Type> = initial.iter().map(|val| val.ty.clone()).collect();
    let mut tries = 0;
    // Shapes that an iteration changes are unknown: relax them until nothing changes.
    let (built, elements) = loop {
        let mark = cx.importer().mark();
        cx.open();
        let attempt = (|| {
            let mut variables = Vec::new();
            for (ty, shape) in types.iter().zip(&shapes) {
                variables.push(cx.parameter(ty.clone(), shape.clone())?);
            }
            let mut list_parameters = Vec::new();
            for _ in 0..*lists {
                list_parameters.push(cx.importer().block().parameter(
                    Type::Tensor(Elem(0)),
                    DType::Variant,
                    PartialShape::scalar(),
                ));
            }
            let (mut next, elements) = body(cx, &variables)?;
            let known: Vec<(DType, PartialShape, Type)> =
                elements.iter().map(|val| (cx.dtype(val), cx.shape(val), val.ty.clone())).collect();
            for (list, element) in list_parameters.iter().zip(&elements) {
                let dtype = cx.dtype(element);
                let node = cx.node("TensorListPushBack").input(list).input(element);
                next.push(node.attr("element_dtype", dtype).add()?);
            }
            Ok((next, known))
        })();
        let (next, known) = match attempt {
            Ok(done) => done,
            Err(error) => {
                cx.close();
                return Err(error);
            }
        };
        let built = close(cx, next);
        let relaxed: Vec<PartialShape> = shapes.iter().zip(&built.shapes).map(|(a, b)| a.relax(b)).collect();
        if relaxed == shapes || tries > TRIES {
            break (built, known);
        }
        tries += 1;
        cx.importer().forget(mark);
        shapes = if tries < TRIES { relaxed } else { vec![PartialShape::Unknown; plain] };
    };
    let mut built = built;
    for (ty, (result, dtype)) in types.iter().zip(built.types.iter().zip(&built.dtypes)).take(plain) {
        if ty.dtype()? != *dtype {
            return Err(Error::invalid("a variable of the loop changes its type").expected(ty).found(result));
        }
    }
    let mut start: Vec<Val> = initial.clone();
    for (dtype, _, _) in &elements {
        let (shape, most) = (cx.i32(-1)?, cx.i32(-1)?);
        let node = cx.node("EmptyTensorList").input(&shape).input(&most);
        start.push(node.attr("element_dtype", *dtype).attr("shape_type", DType::I32).add()?);
    }
    let mut captured = captured(&[&built]);
    for val in invariants {
        if !captured.iter().any(|known| known.at() == val.at()) {
            captured.push(val.clone());
        }
    }
    let captured_types: Vec<DType> = captured.iter().map(|val| cx.dtype(val)).collect();
    let inner = parameters(&mut built.block, &captured, &captured_types);
    let count = plain + lists;
    let own: Vec<usize> = (0..count).collect();
    let all: Vec<usize> = own.iter().chain(&inner).copied().collect();
    let mut results = built.results.clone();
    for (node, val) in inner.iter().zip(&captured) {
        results.push(Val { node: *node, output: 0, ty: val.ty.clone() });
    }
    let mut stateful = built.block.stateful;
    let body_name = cx.importer().function("body", built.block, &all, &results);
    // The condition has the same parameters.
    cx.open();
    let tested = (|| {
        let mut parameters = Vec::new();
        for (ty, shape) in types.iter().zip(&shapes) {
            parameters.push(cx.parameter(ty.clone(), shape.clone())?);
        }
        for _ in 0..*lists {
            cx.importer().block().parameter(Type::Tensor(Elem(0)), DType::Variant, PartialShape::scalar());
        }
        let mut invariant = Vec::new();
        for (val, dtype) in captured.iter().zip(&captured_types) {
            let parameter = cx.importer().block().parameter(val.ty.clone(), *dtype, PartialShape::Unknown);
            if invariants.iter().any(|wanted| wanted.at() == val.at()) {
                invariant.push((val.at(), parameter));
            }
        }
        let in_order = invariants.iter().filter_map(|val| invariant.iter().find(|(at, _)| *at == val.at()));
        parameters.extend(in_order.map(|(_, parameter)| parameter.clone()));
        condition(cx, &parameters)
    })();
    let tested = match tested {
        Ok(tested) => close(cx, vec![tested]),
        Err(error) => {
            cx.close();
            return Err(error);
        }
    };
    stateful |= tested.block.stateful;
    let all: Vec<usize> = (0..count + captured.len()).collect();
    let condition_name = cx.importer().function("condition", tested.block, &all, &tested.results);
    start.extend(captured.iter().cloned());
    let dtypes: Vec<DType> = start.iter().map(|val| cx.dtype(val)).collect();
    let mut output_shapes = shapes;
    output_shapes.extend(std::iter::repeat_n(PartialShape::scalar(), *lists));
    for val in &captured {
        output_shapes.push(cx.shape(val));
    }
    let node = cx.node(if stateful { "While" } else { "StatelessWhile" }).inputs(&start);
    let node = node.attr("T", dtypes).attr("output_shapes", output_shapes);
    let node = node.attr("body", Func::from(&body_name[..])).attr("cond", Func::from(&condition_name[..]));
    let outputs = node.all()?;
    let last = outputs[..plain].iter().zip(&types).map(|(val, ty)| val.clone().typed(ty.clone())).collect();
    let mut stacked = Vec::new();
    for (list, (dtype, shape, ty)) in outputs[plain..count].iter().zip(&elements) {
        // An empty list has its known element shape.
        let dims = shape.dims().map(|dims| dims.iter().map(|d| d.map_or(-1, |d| d as i64)).collect::<Vec<_>>());
        let element = match &dims {
            Some(dims) => cx.i32s(dims)?,
            None => cx.i32(-1)?,
        };
        let node = cx.node("TensorListStack").input(list).input(&element);
        stacked.push(node.attr("element_dtype", *dtype).add()?.typed(ty.clone()));
    }
    Ok((last, stacked))
}

fn repeat(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let graph = cx.graph("body")?;
    let (most, condition) = (cx.optional(0), cx.optional(1));
    let carried = graph.input.len().checked_sub(2).filter(|n| *n <= graph.output.len().saturating_sub(1));
    let carried = carried.ok_or_else(|| Error::invalid("the body of the loop lacks inputs or outputs"))?;
    let lists = graph.output.len() - 1 - carried;
    let zero = cx.i64(0)?;
    let goes_on = match condition {
        Some(condition) => cx.reshape(&condition, &[])?,
        None => cx.constant(Tensor::scalar(true))?,
    };
    let most = match most {
        Some(most) => {
            let most = cx.cast(&most, DType::I64)?;
            cx.reshape(&most, &[])?
        }
        None => cx.i64(i64::MAX)?,
    };
    let mut initial = vec![zero, goes_on];
    for i in 0..carried {
        initial.push(cx.input(i + 2)?);
    }
    let body = |cx: &mut Cx<'_, '_>, variables: &[Val]| {
        let next = cx.importer().inner(graph, variables, "")?.ok_or_else(noted)?;
        let goes_on = cx.reshape(&next[0], &[])?;
        let counter = cx.plus_number(&variables[0], 1.0)?;
        let all = [counter, goes_on].into_iter().chain(next[1..=carried].iter().cloned()).collect();
        Ok((all, next[carried + 1..].to_vec()))
    };
    let condition = |cx: &mut Cx<'_, '_>, variables: &[Val]| {
        let is_left = cx.op("Less", &[&variables[0], &variables[variables.len() - 1]])?;
        cx.op("LogicalAnd", &[&is_left, &variables[1]])
    };
    let repetition = Repetition { initial, lists, body: &body, condition: &condition, invariants: vec![most] };
    let (last, stacked) = run(cx, &repetition)?;
    Ok(last.into_iter().skip(2).chain(stacked).collect())
}

fn scan(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let graph = cx.graph("body")?;
    let scanned = usize::try_from(cx.int_needed("num_scan_inputs")?).unwrap_or(usize::MAX);
    let inputs = cx.inputs.len();
    // The first version takes the lengths of sequences first and has a batch axis.
    let first = usize::from(cx.version < 9);
    let states = inputs.checked_sub(first).and_then(|n| n.checked_sub(scanned));
    let states = states.filter(|n| *n <= graph.output.len() && scanned > 0);
    let states =
        states.ok_or_else(|| Error::invalid("the number of inputs of Scan is wrong").attr("num_scan_inputs"))?;
    let lists = graph.output.len() - states;
    if first == 1 {
        return batched(cx, graph, states, scanned);
    }
    let list = |cx: &Cx<'_, '_>, name: &str, n: usize| -> Result<Vec<i64>> {
        let given = cx.ints(name)?.unwrap_or_else(|| vec![0; n]);
        match given.len() == n {
            true => Ok(given),
            false => Err(Error::invalid("a list has the wrong length").attr(name).expected(n).found(given.len())),
        }
    };
    let (axes, backwards) = (list(cx, "scan_input_axes", scanned)?, list(cx, "scan_input_directions", scanned)?);
    let (out_axes, out_backwards) = (list(cx, "scan_output_axes", lists)?, list(cx, "scan_output_directions", lists)?);
    let mut initial = vec![cx.i64(0)?];
    for i in 0..states {
        initial.push(cx.input(i)?);
    }
    let mut sequences = Vec::new();
    for (i, (&axis, &backward)) in axes.iter().zip(&backwards).enumerate() {
        let mut x = cx.input(states + i)?;
        if axis != 0 {
            let rank = cx.rank_needed(&x)?;
            let axis = cx.axis(axis, rank)?;
            let order: Vec<usize> = std::iter::once(axis).chain((0..rank).filter(|a| *a != axis)).collect();
            x = cx.transpose(&x, &order)?;
        }
        if backward != 0 {
            let axis = cx.i32s(&[0])?;
            x = cx.op("ReverseV2", &[&x, &axis])?;
        }
        sequences.push(x);
    }
    let length = cx.size_of(&sequences[0], 0)?;
    let (last, mut stacked) = scanned_over(cx, graph, initial, &sequences, lists, length)?;
    for ((y, &axis), &backward) in stacked.iter_mut().zip(&out_axes).zip(&out_backwards) {
        if backward != 0 {
            let first = cx.i32s(&[0])?;
            *y = cx.op("ReverseV2", &[y, &first])?;
        }
        if axis != 0 {
            let rank = cx.rank_needed(y)?;
            let axis = cx.axis(axis, rank)?;
            let mut order: Vec<usize> = (1..rank).collect();
            order.insert(axis, 0);
            *y = cx.transpose(y, &order)?;
        }
    }
    Ok(last.into_iter().skip(1).chain(stacked).collect())
}

/// A scan along the first axis of sequences.
fn scanned_over(
    cx: &mut Cx<'_, '_>,
    graph: &crate::proto::GraphProto,
    initial: Vec<Val>,
    sequences: &[Val],
    lists: usize,
    length: Val,
) -> Result<(Vec<Val>, Vec<Val>)> {
    let states = initial.len() - 1;
    let depth = cx.importer().depth_of_blocks();
    let body = |cx: &mut Cx<'_, '_>, variables: &[Val]| {
        let zero = cx.i32(0)?;
        let mut inputs: Vec<Val> = variables[1..].to_vec();
        for sequence in sequences {
            let sequence = cx.importer().bring(depth, sequence.clone())?;
            let element = cx.op("GatherV2", &[&sequence, &variables[0], &zero])?;
            inputs.push(element);
        }
        let next = cx.importer().inner(graph, &inputs, "")?.ok_or_else(noted)?;
        let counter = cx.plus_number(&variables[0], 1.0)?;
        let all = std::iter::once(counter).chain(next[..states].iter().cloned()).collect();
        Ok((all, next[states..].to_vec()))
    };
    let condition =
        |cx: &mut Cx<'_, '_>, variables: &[Val]| cx.op("Less", &[&variables[0], &variables[variables.len() - 1]]);
    let repetition = Repetition { initial, lists, body: &body, condition: &condition, invariants: vec![length] };
    run(cx, &repetition)
}

/// The first version of Scan: scans every sequence of a batch separately.
fn batched(cx: &mut Cx<'_, '_>, graph: &crate::proto::GraphProto, states: usize, scanned: usize) -> Result<Vec<Val>> {
    if cx.optional(0).is_some() {
        return Err(Error::unimplemented("Scan with lengths of sequences is not supported").expected("no input 0"));
    }
    if cx.ints("directions")?.is_some_and(|all| all.iter().any(|&d| d != 0)) {
        return Err(Error::unimplemented("Scan backwards is not supported in this version").attr("directions"));
    }
    let lists = graph.output.len() - states;
    let mut outer = Vec::new();
    for i in 0..states + scanned {
        outer.push(cx.input(1 + i)?);
    }
    let count = cx.size_of(&outer[0], 0)?;
    let depth = cx.importer().depth_of_blocks();
    let initial = vec![cx.i64(0)?];
    let body = |cx: &mut Cx<'_, '_>, variables: &[Val]| {
        let zero = cx.i32(0)?;
        let mut own = Vec::new();
        for val in &outer {
            let val = cx.importer().bring(depth, val.clone())?;
            own.push(cx.op("GatherV2", &[&val, &variables[0], &zero])?);
        }
        let sequences = own.split_off(states);
        let length = cx.size_of(&sequences[0], 0)?;
        let start = std::iter::once(cx.i64(0)?).chain(own).collect();
        let (last, stacked) = scanned_over(cx, graph, start, &sequences, lists, length)?;
        let counter = cx.plus_number(&variables[0], 1.0)?;
        Ok((vec![counter], last.into_iter().skip(1).chain(stacked).collect()))
    };
    let condition =
        |cx: &mut Cx<'_, '_>, variables: &[Val]| cx.op("Less", &[&variables[0], &variables[variables.len() - 1]]);
    let all = states + lists;
    let repetition = Repetition { initial, lists: all, body: &body, condition: &condition, invariants: vec![count] };
    run(cx, &repetition).map(|(_, stacked)| stacked)
}

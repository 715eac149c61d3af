//! Gradients of `MapDefun`, which calls a function with each row of its arguments and with inputs that all calls share.
//!
//! Another `MapDefun` calls a function that computes the gradients for a row from the row, the gradients of its results
//! and the shared inputs. That function runs the original one again: intermediate values may have another shape in each
//! row, so they cannot be saved as rows. The gradient of a shared input is the sum over all rows.

use super::call_node::{check_repeatable, special};
use super::parts::{Differentiated, add_function, all_attrs, function_name, types};
use levada_graph::attr::{AttrList, AttrValue};
use levada_graph::function::{define, instantiate};
use levada_graph::grad::{Grad, GradCx, attr};
use levada_graph::{DType, Endpoint, Error, Func, NodeId, PartialShape, Registry, Result};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The gradients of a `MapDefun`'s inputs, from those of its outputs.
pub(super) fn gradient(
    cx: &GradCx,
    registry: &Arc<Registry>,
    id: NodeId,
    dys: &[Option<Endpoint>],
    scope: &str,
) -> Result<Vec<Option<Grad>>> {
    let (attrs, inputs) = cx.look(|graph| (all_attrs(graph.node(id)), graph.node(id).inputs.clone()));
    let rows = match attrs.get("Targuments") {
        Some(AttrValue::List(AttrList::Type(all))) => all.len(),
        _ => 0,
    };
    let Some(AttrValue::Func(function)) = attrs.get("f") else { return Ok(vec![None; inputs.len()]) };
    let library = cx.look(|graph| graph.library.clone());
    if special(&library, function).is_some() {
        return Err(Error::unimplemented(
            "the gradient of a function of rows that calls itself, or has a gradient of its own",
        )
        .found(format!("the function {}", function.name)));
    }
    check_repeatable(&library, registry, function)?;
    let instance = instantiate(&library, function, registry)?;
    if instance.args.len() != inputs.len() || instance.rets.len() != dys.len() {
        return Err(Error::invalid(format!("the signature of {} does not match the node", function.name)));
    }
    let given: BTreeMap<usize, DType> =
        dys.iter().enumerate().filter_map(|(i, dy)| Some((i, cx.value((*dy)?).dtype()))).collect();
    let differentiated = Differentiated::new(&instance, registry, &given)?;
    let wanted: Vec<(usize, DType)> =
        (0..inputs.len()).filter_map(|i| Some((i, differentiated.grad_type(i)?))).collect();
    let mut grads = vec![None; inputs.len()];
    if wanted.is_empty() {
        return Ok(grads);
    }
    if let Some((i, _)) = wanted.iter().find(|(i, dtype)| *dtype == DType::Variant && *i >= rows) {
        return Err(Error::unimplemented("gradients of lists that all rows share").found(format!("argument {i}")));
    }
    let parts = differentiated.parts(&instance, registry, &wanted)?;
    let args: Vec<Endpoint> =
        [&instance.args[..rows], &parts.dys.values().copied().collect::<Vec<_>>()[..], &instance.args[rows..]].concat();
    let name = cx.change(|graph| -> Result<String> {
        graph.library = parts.graph.library.clone();
        let def = define(&parts.graph, function_name(graph, &function.name, "gradient"), &args, &parts.results);
        add_function(graph, def)
    })?;
    let given = dys.iter().flatten().copied();
    let all: Vec<Endpoint> =
        inputs[..rows].iter().copied().chain(given).chain(inputs[rows..].iter().copied()).collect();
    cx.build(scope, |cx| {
        let values: Vec<_> = all.iter().map(|&at| cx.value(at)).collect();
        let found: Vec<DType> = values.iter().map(|value| value.dtype()).collect();
        let (each, shared) = found.split_at(found.len() - (inputs.len() - rows));
        let attrs = [
            ("Targuments", types(each)),
            ("Tcaptured", types(shared)),
            ("output_types", types(&wanted.iter().map(|(_, dtype)| *dtype).collect::<Vec<_>>())),
            attr("output_shapes", vec![PartialShape::Unknown; wanted.len()]),
            attr("f", Func { name, attrs: Default::default() }),
        ];
        let node = cx.node("MapDefun", &values, &attrs);
        for (j, &(i, dtype)) in wanted.iter().enumerate() {
            let (all, input) = (node.out(j), cx.value(inputs[i]));
            // Without rows, the results do not determine their shapes.
            let grad = match i < rows {
                true if dtype == DType::Variant => all,
                true => all.reshape_as(input),
                false => {
                    let sum = all.sum(cx.ints(&[0]));
                    let whole = match input.dtype() {
                        DType::Resource => cx.node("ReadVariableOp", &[input], &[attr("dtype", dtype)]),
                        _ => input,
                    };
                    cx.op("AddV2", &[sum, whole.zeros_like()])
                }
            };
            grads[i] = Some(Grad::Dense(grad.at));
        }
    })?;
    Ok(grads)
}

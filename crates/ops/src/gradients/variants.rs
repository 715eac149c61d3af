//! Lists of tensors, maps of tensors and optional values.

use super::{NONE, never};
use levada_graph::DType;
use levada_graph::grad::{GradCx, Rule, V, attr};

/// What the list on input 0 says of its elements' shapes.
fn element_shape<'g>(g: &'g GradCx, list: V<'g>) -> V<'g> {
    g.node("TensorListElementShape", &[list], &[attr("shape_type", DType::I32)])
}

fn element_dtype(g: &GradCx) -> DType {
    g.attr("element_dtype").unwrap_or(DType::F32)
}

/// The attr that says the elements' type.
fn of_type(dtype: DType) -> (&'static str, levada_graph::AttrValue) {
    attr("element_dtype", dtype)
}

/// A list of as many elements as the one on input 0 has, none of which is set.
fn reserved<'g>(g: &'g GradCx, like: V<'g>, dtype: DType) -> V<'g> {
    let (shape, n) = (element_shape(g, like), like.op("TensorListLength"));
    g.node("TensorListReserve", &[shape, n], &[of_type(dtype)])
}

/// The gradients of the elements at `indices` of a list, from those of the tensor that was gathered.
fn gathered<'g>(g: &'g GradCx, list: V<'g>, indices: V<'g>, dy: V<'g>) -> V<'g> {
    let (shape, n) = (element_shape(g, list), list.op("TensorListLength"));
    g.node("TensorListScatterV2", &[dy, indices, shape, n], &[of_type(dy.dtype())])
}

/// The gradient of the rows of a tensor that were put at `indices`.
fn scattered<'g>(g: &'g GradCx, dy: V<'g>, indices: V<'g>, tensor: V<'g>) -> V<'g> {
    let shape = tensor.op("Shape").slice1(1, -1);
    g.node("TensorListGather", &[dy, indices, shape], &[of_type(tensor.dtype())])
}

pub(super) fn rule(op: &str) -> Option<Rule> {
    Some(match op {
        "EmptyTensorList"
        | "TensorListReserve"
        | "TensorListLength"
        | "TensorListElementShape"
        | "EmptyTensorMap"
        | "TensorMapSize"
        | "TensorMapHasKey"
        | "TensorMapStackKeys"
        | "OptionalNone"
        | "OptionalHasValue" => never,
        "TensorListPushBack" => |g| {
            let Some(dy) = g.known_dy(0) else { return never(g) };
            let item = g.input(1);
            let shape = item.op("Shape");
            let popped = g.node("TensorListPopBack", &[dy, shape], &[of_type(element_dtype(g))]);
            vec![popped.into(), popped.out(1).into()]
        },
        "TensorListPopBack" => |g| {
            let dtype = element_dtype(g);
            let list = g.known_dy(0).unwrap_or_else(|| reserved(g, g.output(0), dtype));
            let item = g.known_dy(1).unwrap_or_else(|| g.output(1).zeros_like());
            vec![g.node("TensorListPushBack", &[list, item], &[of_type(dtype)]).into(), NONE]
        },
        "TensorListStack" => |g| {
            let dy = g.dy(0);
            let shape = element_shape(g, g.input(0));
            vec![g.node("TensorListFromTensor", &[dy, shape], &[of_type(dy.dtype())]).into(), NONE]
        },
        "TensorListFromTensor" => |g| {
            let Some(dy) = g.known_dy(0) else { return never(g) };
            let x = g.input(0);
            let shape = x.op("Shape").slice1(1, -1);
            let count = x.shape().dim(0).and_then(|n| i64::try_from(n).ok()).unwrap_or(-1);
            let attrs = [of_type(x.dtype()), attr("num_elements", count)];
            vec![g.node("TensorListStack", &[dy, shape], &attrs).into(), NONE]
        },
        "TensorListGetItem" => |g| {
            let (list, index, dy) = (g.input(0), g.input(1), g.dy(0));
            let empty = reserved(g, list, dy.dtype());
            let grad = g.node("TensorListSetItem", &[empty, index, dy], &[of_type(dy.dtype())]);
            vec![grad.into(), NONE, NONE]
        },
        "TensorListSetItem" => |g| {
            let Some(dy) = g.known_dy(0) else { return never(g) };
            let (index, item) = (g.input(1), g.input(2));
            let (dtype, shape) = (item.dtype(), item.op("Shape"));
            let zeros = item.zeros_like();
            let rest = g.node("TensorListSetItem", &[dy, index, zeros], &[of_type(dtype)]);
            // A list that the op made longer gets back what it had.
            let rest = match g.flag("resize_if_index_out_of_bounds") {
                true => g.op("TensorListResize", &[rest, g.input(0).op("TensorListLength")]),
                false => rest,
            };
            let item = g.node("TensorListGetItem", &[dy, index, shape], &[of_type(dtype)]);
            vec![rest.into(), NONE, item.into()]
        },
        "TensorListResize" => |g| {
            let Some(dy) = g.known_dy(0) else { return never(g) };
            let n = g.input(0).op("TensorListLength");
            vec![g.op("TensorListResize", &[dy, n]).into(), NONE]
        },
        "TensorListGather" => |g| {
            let dy = g.dy(0);
            vec![gathered(g, g.input(0), g.input(1), dy).into(), NONE, NONE]
        },
        "TensorListScatter" | "TensorListScatterV2" => |g| {
            let Some(dy) = g.known_dy(0) else { return never(g) };
            let mut grads = never(g);
            grads[0] = scattered(g, dy, g.input(1), g.input(0)).into();
            grads
        },
        "TensorListScatterIntoExistingList" => |g| {
            let Some(dy) = g.known_dy(0) else { return never(g) };
            let (tensor, indices) = (g.input(1), g.input(2));
            let zeros = tensor.zeros_like();
            let list = g.node("TensorListScatterIntoExistingList", &[dy, zeros, indices], &[of_type(tensor.dtype())]);
            vec![list.into(), scattered(g, dy, indices, tensor).into(), NONE]
        },
        "TensorListConcat" | "TensorListConcatV2" => |g| {
            let dy = g.dy(0);
            let shape = element_shape(g, g.input(0));
            let mut grads = never(g);
            grads[0] = g.node("TensorListSplit", &[dy, shape, g.output(1)], &[of_type(dy.dtype())]).into();
            grads
        },
        "TensorListSplit" => |g| {
            let Some(dy) = g.known_dy(0) else { return never(g) };
            let (x, lengths) = (g.input(0), g.input(2));
            let rest = x.op("Shape").slice1(1, -1);
            let shape = super::concat(g, &[g.ints(&[-1]), rest], 0);
            vec![g.node("TensorListConcatV2", &[dy, shape, lengths], &[of_type(x.dtype())]).into(), NONE, NONE]
        },
        "TensorMapLookup" => |g| {
            let (key, dy) = (g.input(1), g.dy(0));
            let empty = g.op("EmptyTensorMap", &[]);
            vec![g.op("TensorMapInsert", &[empty, key, dy]).into(), NONE]
        },
        "TensorMapInsert" => |g| {
            let Some(dy) = g.known_dy(0) else { return never(g) };
            let (key, value) = (g.input(1), g.input(2));
            let types = [attr("key_dtype", key.dtype()), attr("value_dtype", value.dtype())];
            // A sum knows only the keys that a gradient reached.
            let with = g.op("TensorMapInsert", &[g.op("EmptyTensorMap", &[]), key, value.zeros_like()]);
            let all = g.node("AddN", &[dy, with], &[attr("N", 2i64)]);
            let rest = g.node("TensorMapErase", &[all, key], &types);
            vec![rest.into(), NONE, g.node("TensorMapLookup", &[all, key], &types).into()]
        },
        "TensorMapErase" => |g| {
            let Some(dy) = g.known_dy(0) else { return never(g) };
            vec![dy.into(), NONE]
        },
        "OptionalFromValue" => |g| {
            let Some(dy) = g.known_dy(0) else { return never(g) };
            let inputs = g.inputs();
            let types: Vec<DType> = inputs.iter().map(|v| v.dtype()).collect();
            let shapes: Vec<levada_graph::PartialShape> = inputs.iter().map(|v| v.shape()).collect();
            let values =
                g.node("OptionalGetValue", &[dy], &[attr("output_types", types), attr("output_shapes", shapes)]);
            (0..inputs.len()).map(|i| values.out(i).into()).collect()
        },
        "OptionalGetValue" => |g| {
            let dys: Vec<V<'_>> = (0..g.num_outputs()).map(|i| g.dy(i)).collect();
            vec![g.op("OptionalFromValue", &dys).into()]
        },
        _ => return None,
    })
}

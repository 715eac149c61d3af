//! Sparse tensors in batches: each is stored in a map, and its handle goes through the queue, as in TensorFlow.

use super::batch::near;
use levada_builder::{Builder, Output};
use levada_graph::{DType, Error, Tensor};

/// A sparse tensor, as the three tensors that it consists of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SparseOutput {
    /// The indices of the values, `[n, rank]`.
    pub indices: Output,
    /// The values, `[n]`.
    pub values: Output,
    /// The shape of the dense tensor, `[rank]`.
    pub dense_shape: Output,
}

/// The contents of batches: tensors and sparse tensors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Item {
    /// A tensor.
    Dense(Output),
    /// A sparse tensor. Its batches are sparse, as large as the largest of their elements.
    Sparse(SparseOutput),
}

impl From<Output> for Item {
    fn from(output: Output) -> Item {
        Item::Dense(output)
    }
}

impl From<SparseOutput> for Item {
    fn from(sparse: SparseOutput) -> Item {
        Item::Sparse(sparse)
    }
}

/// The inputs and outputs of the batch builders: [`Output`] if all are dense, else [`Item`].
pub trait Batched: Copy {
    /// Converts it to an item.
    fn item(self) -> Item;
    /// The batch of an item, in the same form.
    fn of(item: Item) -> Self;
}

impl Batched for Output {
    fn item(self) -> Item {
        Item::Dense(self)
    }
    fn of(item: Item) -> Output {
        match item {
            Item::Dense(output) => output,
            Item::Sparse(sparse) => sparse.values,
        }
    }
}

impl Batched for Item {
    fn item(self) -> Item {
        self
    }
    fn of(item: Item) -> Item {
        item
    }
}

/// The maps of the sparse tensors of a list, by their positions in it: the node that owns the map, and the dtype.
pub(super) type Maps = Vec<Option<(Output, DType)>>;

/// Lists of tensors to enqueue, with handles of shape `[1]` for each sparse tensor, and the maps. Sparse tensors at the
/// same position of several lists share a map.
pub(super) fn store<T: Batched>(
    b: &mut Builder,
    lists: &[&[T]],
    keep: Option<Output>,
    many: bool,
) -> (Vec<Vec<Output>>, Maps) {
    let mut maps: Maps = vec![None; lists.first().map_or(0, |list| list.len())];
    let mut stored = Vec::with_capacity(lists.len());
    for list in lists {
        let mut row = Vec::with_capacity(list.len());
        for (at, tensor) in list.iter().enumerate() {
            let like = lists.first().and_then(|first| first.get(at)).map(|first| is_sparse(*first));
            if like.is_some_and(|like| like != is_sparse(*tensor)) {
                b.fault(Error::invalid("the lists of tensors must have sparse tensors in the same places"));
            }
            row.push(match tensor.item() {
                Item::Dense(output) => output,
                Item::Sparse(sparse) => {
                    let map = maps.get(at).copied().flatten().map(|(map, _)| map);
                    let (number, own) = store_one(b, sparse, map, keep, many);
                    let first = maps.get_mut(at).filter(|map| map.is_none());
                    if let (Some(map), Some(dtype)) = (first, b.dtype(sparse.values)) {
                        *map = Some((own, dtype));
                    }
                    b.new_scope("ExpandDims", |b, name| {
                        let dim = constant(b, "dim", vec![-1i32], None);
                        b.node("ExpandDims").full_name(name).inputs([number, dim]).add()
                    })
                }
            });
        }
        stored.push(row);
    }
    (stored, maps)
}

fn is_sparse<T: Batched>(tensor: T) -> bool {
    matches!(tensor.item(), Item::Sparse(_))
}

/// Stores a sparse tensor, or each of its rows: returns the handle or handles, and the node that does it.
fn store_one(
    b: &mut Builder,
    sparse: SparseOutput,
    map: Option<Output>,
    keep: Option<Output>,
    many: bool,
) -> (Output, Output) {
    let Some(keep) = keep else {
        let added = add(b, sparse, map, many);
        return (added, added);
    };
    if b.shape(keep).rank() == Some(1) {
        let kept = retained(b, sparse, keep);
        let added = add(b, kept, map, true);
        return (added, added);
    }
    b.new_scope("cond", |b, _| {
        let switch = b.node("Switch").name("Switch").inputs([keep, keep]).add();
        b.identity("switch_t", switch.output(1));
        let no = b.identity("switch_f", switch);
        let keep = b.identity("pred_id", keep);
        let op = adder(many);
        let mut through = |input: Output, wish: &str| {
            let at = near(b, input);
            b.node("Switch").name(wish).inputs([input, keep]).attr("_class", at).add()
        };
        let wish = format!("{op}/Switch");
        let SparseOutput { indices, values, dense_shape } = sparse;
        let [indices, values, shape] = [indices, values, dense_shape].map(|x| through(x, &wish).output(1));
        let of_no = many.then(|| through(dense_shape, "Shape/Cast/Switch"));
        let added = add(b, SparseOutput { indices, values, dense_shape: shape }, map, many);
        // Elements that are not kept are not enqueued either: the handles are dummies.
        let scalar = |b: &mut Builder, name: &str, value: i64| {
            let value = Tensor::scalar(value);
            b.node("Const").name(name).attr("dtype", DType::I64).attr("value", value).after(no).add()
        };
        let nothing = match of_no {
            None => scalar(b, "Const", -1),
            Some(shape) => {
                let sizes = b.node("Cast").name("Shape/Cast").input(shape);
                let sizes = sizes.attr("DstT", DType::I32).attr("Truncate", false).add();
                let [begin, end, step] = [("stack", 0), ("stack_1", 1), ("stack_2", 1)]
                    .map(|(name, value)| constant(b, &format!("strided_slice/{name}"), vec![value], Some(no)));
                let rows = b.node("StridedSlice").name("strided_slice").inputs([sizes, begin, end, step]).add();
                let one = scalar(b, "ones/Const", 1);
                let ones = b.node("Fill").name("ones").inputs([rows, one]).add();
                let minus = scalar(b, "mul/x", -1);
                b.node("Mul").name("mul").inputs([minus, ones]).add()
            }
        };
        (b.node("Merge").name("Merge").inputs([nothing, added]).add(), added)
    })
}

/// A vector of integers.
fn constant(b: &mut Builder, name: &str, values: Vec<i32>, after: Option<Output>) -> Output {
    let node = b.node("Const").name(name).attr("dtype", DType::I32).attr("value", Tensor::vector(values));
    after.into_iter().fold(node, |node, before| node.after(before)).add()
}

/// The op that stores a sparse tensor, or each of its rows.
fn adder(many: bool) -> &'static str {
    if many { "AddManySparseToTensorsMap" } else { "AddSparseToTensorsMap" }
}

fn add(b: &mut Builder, sparse: SparseOutput, map: Option<Output>, many: bool) -> Output {
    let op = adder(many);
    let name = map.map_or(String::new(), |map| b.node_name(map));
    let SparseOutput { indices, values, dense_shape } = sparse;
    b.node(op)
        .name(op)
        .inputs([indices, values, dense_shape])
        .attr("container", String::new())
        .attr("shared_name", name)
        .add()
}

/// The values in those rows for which `keep` is true.
fn retained(b: &mut Builder, sparse: SparseOutput, keep: Output) -> SparseOutput {
    let gather = |b: &mut Builder, from: Output, at: Output| {
        b.new_scope("GatherV2", |b, name| {
            let axis = b.node("Const").name("axis").attr("dtype", DType::I32).attr("value", Tensor::scalar(0i32)).add();
            b.node("GatherV2").full_name(name).inputs([from, at, axis]).add()
        })
    };
    let [begin, end, step] = [("stack", vec![0, 0]), ("stack_1", vec![0, 1]), ("stack_2", vec![1, 1])]
        .map(|(name, values)| constant(b, &format!("strided_slice/{name}"), values, None));
    let rows = b.node("StridedSlice").name("strided_slice").inputs([sparse.indices, begin, end, step]);
    let rows = rows.attr("begin_mask", 1i64).attr("end_mask", 1i64).attr("shrink_axis_mask", 2i64).add();
    let kept = gather(b, keep, rows);
    let kept = b.node("Where").name("Where").input(kept).add();
    let flat = constant(b, "Reshape/shape", vec![-1], None);
    let kept = b.node("Reshape").name("Reshape").inputs([kept, flat]).add();
    let (indices, values) = (gather(b, sparse.indices, kept), gather(b, sparse.values, kept));
    SparseOutput { indices, values, dense_shape: b.identity("Identity", sparse.dense_shape) }
}

/// The dequeued tensors, with sparse tensors in place of their handles. All are taken whatever is fetched, so that none
/// is left behind.
pub(super) fn restore(b: &mut Builder, dequeued: &[Output], maps: &Maps) -> Vec<Item> {
    if maps.iter().all(Option::is_none) {
        return dequeued.iter().map(|output| Item::Dense(*output)).collect();
    }
    let take = |b: &mut Builder, (output, map): (&Output, &Option<(Output, DType)>)| match *map {
        None => Item::Dense(*output),
        Some((map, dtype)) => {
            let numbers = b.node("Squeeze").name("Squeeze").input(*output).attr("squeeze_dims", vec![1i64]).add();
            let (at, name) = (near(b, map), b.node_name(map));
            let taken = b.node("TakeManySparseFromTensorsMap").name("TakeManySparseFromTensorsMap").input(numbers);
            let taken = taken
                .attr("dtype", dtype)
                .attr("container", String::new())
                .attr("shared_name", name)
                .attr("_class", at)
                .add();
            Item::Sparse(SparseOutput { indices: taken, values: taken.output(1), dense_shape: taken.output(2) })
        }
    };
    let taken: Vec<Item> = dequeued.iter().zip(maps).map(|pair| take(b, pair)).collect();
    let all: Vec<Output> = taken
        .iter()
        .map(|item| match item {
            Item::Dense(output) => *output,
            Item::Sparse(sparse) => sparse.values,
        })
        .collect();
    // Each waits for the nodes of the others, and is colocated with its own node.
    let mut after = |output: Output, at: Output| {
        let place = near(b, at);
        let node = b.node("Identity").name("control_dependency").input(output).attr("_class", place);
        let mut others: Vec<Output> = Vec::new();
        for other in &all {
            if other.node() != output.node() && others.iter().all(|o| o.node() != other.node()) {
                others.push(*other);
            }
        }
        others.iter().fold(node, |node, before| node.after(*before)).add()
    };
    let mut ensured = Vec::with_capacity(taken.len());
    for (item, map) in taken.iter().zip(maps) {
        ensured.push(match (*item, map) {
            (Item::Sparse(SparseOutput { indices, values, dense_shape }), Some((map, _))) => {
                let [indices, values, dense_shape] = [indices, values, dense_shape].map(|output| after(output, *map));
                Item::Sparse(SparseOutput { indices, values, dense_shape })
            }
            (Item::Dense(output), _) => Item::Dense(after(output, output)),
            (sparse, None) => sparse,
        });
    }
    ensured
}

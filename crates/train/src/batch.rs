//! `batch` and its siblings: collect elements of one or several pipelines in a queue and batch them.

use super::sparse::{self, Batched, Item, Maps};
use super::{Queue, fullness, ordered, row, seeds};
use levada_builder::{Builder, Output};
use levada_graph::{DType, Error, PartialShape, Tensor};

/// Options for batches, with TensorFlow's names and defaults.
#[derive(Clone, Debug)]
pub struct Batch {
    /// Number of elements in a batch.
    pub batch_size: i32,
    /// Number of concurrent runs of the pipeline that enqueue. The `join` forms have one for each list of tensors
    /// instead.
    pub num_threads: usize,
    /// The maximum number of elements that wait in the queue.
    pub capacity: i64,
    /// True if the tensors are batches themselves, whose rows are the elements.
    pub enqueue_many: bool,
    /// Shapes of an element's tensors, if they differ from those that are inferred.
    pub shapes: Option<Vec<PartialShape>>,
    /// True to let elements differ in shape and pad them with zeros. Not for shuffled batches.
    pub dynamic_pad: bool,
    /// True to keep the last elements even if they do not fill a batch.
    pub allow_smaller_final_batch: bool,
    /// Name under which other sessions share the queue; empty for its own.
    pub shared_name: String,
    /// Name of the batch; empty for `batch` and the like.
    pub name: String,
    /// True to get the same batches in the same order for any number of threads: those of sequential runs and, with
    /// several lists of tensors, one element of each in turn. Stateful nodes then run in that order; the rest of the
    /// pipeline still runs in parallel. A shuffling queue then always waits until it is full.
    pub ordered: bool,
}

impl Batch {
    /// Batches of this size, with TensorFlow's defaults otherwise.
    pub fn of(batch_size: i32) -> Batch {
        Batch {
            batch_size,
            num_threads: 1,
            capacity: 32,
            enqueue_many: false,
            shapes: None,
            dynamic_pad: false,
            allow_smaller_final_batch: false,
            shared_name: String::new(),
            name: String::new(),
            ordered: false,
        }
    }
}

/// Options for shuffling.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shuffle {
    /// The minimum number of elements that stay in the queue to choose from.
    pub min_after_dequeue: i64,
    /// The seed, which makes the order reproducible as far as the threads allow; `None` for a random one.
    pub seed: Option<i64>,
}

/// Batches of `tensors`, which a queue runner runs repeatedly. If some are sparse, all are [`Item`]s.
pub fn batch<T: Batched>(b: &mut Builder, tensors: &[T], options: &Batch) -> Vec<T> {
    build(b, "batch", &[tensors], None, options, None, options.num_threads)
}

/// As [`batch`], for those elements only for which `keep_input` is true: a scalar, or with `enqueue_many` a vector.
pub fn maybe_batch<T: Batched>(b: &mut Builder, tensors: &[T], keep_input: Output, options: &Batch) -> Vec<T> {
    build(b, "batch", &[tensors], Some(keep_input), options, None, options.num_threads)
}

/// Batches of several lists of tensors, each of which runs independently.
pub fn batch_join<T: Batched>(b: &mut Builder, lists: &[Vec<T>], options: &Batch) -> Vec<T> {
    build(b, "batch_join", &slices(lists), None, options, None, 1)
}

/// As [`batch_join`], with `keep_input` as for [`maybe_batch`].
pub fn maybe_batch_join<T: Batched>(b: &mut Builder, lists: &[Vec<T>], keep_input: Output, options: &Batch) -> Vec<T> {
    build(b, "batch_join", &slices(lists), Some(keep_input), options, None, 1)
}

/// As [`batch`], shuffled.
pub fn shuffle_batch<T: Batched>(b: &mut Builder, tensors: &[T], shuffle: Shuffle, options: &Batch) -> Vec<T> {
    build(b, "shuffle_batch", &[tensors], None, options, Some(shuffle), options.num_threads)
}

/// As [`maybe_batch`], shuffled.
pub fn maybe_shuffle_batch<T: Batched>(
    b: &mut Builder,
    tensors: &[T],
    keep_input: Output,
    shuffle: Shuffle,
    options: &Batch,
) -> Vec<T> {
    build(b, "shuffle_batch", &[tensors], Some(keep_input), options, Some(shuffle), options.num_threads)
}

/// As [`batch_join`], shuffled.
pub fn shuffle_batch_join<T: Batched>(b: &mut Builder, lists: &[Vec<T>], shuffle: Shuffle, options: &Batch) -> Vec<T> {
    build(b, "shuffle_batch_join", &slices(lists), None, options, Some(shuffle), 1)
}

/// As [`maybe_batch_join`], shuffled.
pub fn maybe_shuffle_batch_join<T: Batched>(
    b: &mut Builder,
    lists: &[Vec<T>],
    keep_input: Output,
    shuffle: Shuffle,
    options: &Batch,
) -> Vec<T> {
    build(b, "shuffle_batch_join", &slices(lists), Some(keep_input), options, Some(shuffle), 1)
}

fn slices<T>(lists: &[Vec<T>]) -> Vec<&[T]> {
    lists.iter().map(Vec::as_slice).collect()
}

fn build<T: Batched>(
    b: &mut Builder,
    wish: &str,
    lists: &[&[T]],
    keep: Option<Output>,
    options: &Batch,
    shuffle: Option<Shuffle>,
    threads: usize,
) -> Vec<T> {
    let wish = if options.name.is_empty() { wish } else { &options.name };
    b.new_scope(wish, |b, scope| {
        let (stored, maps) = sparse::store(b, lists, keep, options.enqueue_many);
        let stored: Vec<&[Output]> = stored.iter().map(Vec::as_slice).collect();
        let Some(kind) = check(b, scope, &stored, &maps, keep, options, shuffle) else {
            let nothing = b.fault(Error::invalid(format!("{scope} cannot be built")));
            return vec![T::of(Item::Dense(nothing)); maps.len()];
        };
        let lists = &stored[..];
        let always = match keep {
            Some(_) => None,
            None => Some(b.constant(Tensor::scalar(true))),
        };
        let types = kind.types.clone();
        let queue = kind.make(b, options, shuffle);
        let queue = Queue::of(b, queue);
        // Sequential runs are in order anyway.
        let orders = options.ordered && (threads > 1 || lists.len() > 1);
        let enqueues: Vec<Output> = match (orders, keep) {
            (true, _) => ordered::enqueues(b, scope, &queue, lists, always.or(keep), options.enqueue_many),
            (false, None) => lists.iter().map(|list| queue.enqueue(b, list, options.enqueue_many)).collect(),
            (false, Some(keep)) if kind.keep_each => lists
                .iter()
                .map(|list| {
                    let kept = selected(b, list, keep);
                    queue.enqueue(b, &kept, true)
                })
                .collect(),
            (false, Some(keep)) => {
                lists.iter().map(|list| conditionally(b, &queue, list, keep, options.enqueue_many)).collect()
            }
        };
        let enqueues: Vec<Output> = enqueues.iter().flat_map(|e| vec![*e; threads.max(1)]).collect();
        queue.runner(b, &enqueues, None);
        let size = queue.size(b);
        match shuffle {
            None => fullness(b, scope, &format!("fraction_of_{}_full", options.capacity), size, options.capacity),
            Some(Shuffle { min_after_dequeue: least, .. }) => {
                let int = |b: &mut Builder, name: &str, value: i64| {
                    let value = Tensor::scalar(i32::try_from(value).unwrap_or(i32::MAX));
                    b.node("Const").name(name).attr("dtype", DType::I32).attr("value", value).add()
                };
                let y = int(b, "sub/y", least);
                let over = b.node("Sub").name("sub").inputs([size, y]).add();
                let x = int(b, "Maximum/x", 0);
                let over = b.node("Maximum").name("Maximum").inputs([x, over]).add();
                let range = options.capacity - least;
                fullness(b, scope, &format!("fraction_over_{least}_of_{range}_full"), over, range);
            }
        }
        let n = Tensor::scalar(options.batch_size);
        let n = b.node("Const").name("n").attr("dtype", DType::I32).attr("value", n).add();
        let op = if options.allow_smaller_final_batch { "QueueDequeueUpToV2" } else { "QueueDequeueManyV2" };
        let batch = b.node(op).full_name(scope).inputs([queue.handle, n]);
        let batch = batch.attr("component_types", types.clone()).attr("timeout_ms", -1i64).add();
        let dequeued: Vec<Output> = (0..types.len() as u32).map(|i| batch.output(i)).collect();
        sparse::restore(b, &dequeued, &maps).into_iter().map(T::of).collect()
    })
}

/// The queue to build.
struct Kind {
    types: Vec<DType>,
    shapes: Vec<PartialShape>,
    /// True if there is a bool for each row.
    keep_each: bool,
}

/// Checks the arguments; `None` if one is at fault.
fn check(
    b: &mut Builder,
    scope: &str,
    lists: &[&[Output]],
    maps: &Maps,
    keep: Option<Output>,
    options: &Batch,
    shuffle: Option<Shuffle>,
) -> Option<Kind> {
    let mut faults = Vec::new();
    let mut fault = |text: String| faults.push(Error::invalid(format!("{scope}: {text}")));
    let first = lists.first().copied().unwrap_or_default();
    if first.is_empty() {
        fault("it needs at least one tensor".to_owned());
    }
    if options.batch_size < 0 || options.capacity < 1 {
        fault("batch_size must not be negative and capacity must be positive".to_owned());
    }
    if let Some(Shuffle { min_after_dequeue: least, .. }) = shuffle {
        if options.capacity <= least {
            fault(format!("capacity {} must be bigger than min_after_dequeue {least}.", options.capacity));
        }
        if options.dynamic_pad {
            fault("dynamic_pad is not for batches that are shuffled".to_owned());
        }
    }
    let rank = keep.and_then(|keep| b.shape(keep).rank());
    match (keep, rank) {
        (None, _) | (_, Some(0)) => {}
        (_, None) => fault("`keep_input` dimensions must be known at graph construction.".to_owned()),
        (_, Some(1)) if options.enqueue_many => {}
        (_, Some(1)) => fault("`keep_input` cannot be a vector when `enqueue_many` is false".to_owned()),
        _ => fault("`keep_input` must be 0 or 1 dimensions.".to_owned()),
    }
    let types = Queue::types(b, first);
    for list in lists {
        if Queue::types(b, list) != types {
            fault("the lists of tensors must have the same dtypes".to_owned());
        }
    }
    let shapes: Vec<PartialShape> = match &options.shapes {
        Some(shapes) if shapes.len() == types.len() => shapes.clone(),
        Some(shapes) => {
            fault(format!("{} shapes for {} tensors", shapes.len(), types.len()));
            Vec::new()
        }
        None => (0..types.len())
            .map(|i| {
                if matches!(maps.get(i), Some(Some(_))) {
                    return PartialShape::vector(Some(1));
                }
                let mut merged: Option<PartialShape> = None;
                for tensor in lists.iter().filter_map(|list| list.get(i)) {
                    let shape = b.shape(*tensor);
                    let shape = if options.enqueue_many { row(&shape) } else { shape };
                    merged = match merged {
                        None => Some(shape),
                        Some(before) => before.merge(&shape).map_err(|e| fault(e.message().to_owned())).ok(),
                    };
                }
                merged.unwrap_or_default()
            })
            .collect(),
    };
    for (i, shape) in shapes.iter().enumerate() {
        if shape.rank().is_none() {
            fault(format!("Cannot infer Tensor's rank: {}; give `shapes`", b.name(first[i])));
        } else if !options.dynamic_pad && shape.known().is_none() {
            fault(format!(
                "the shape {shape} of {} must be known; give `shapes` or set `dynamic_pad`",
                b.name(first[i])
            ));
        }
    }
    match Error::join(faults) {
        Some(error) => {
            b.fault(error);
            None
        }
        None => Some(Kind { types, shapes, keep_each: rank == Some(1) }),
    }
}

impl Kind {
    fn make(&self, b: &mut Builder, options: &Batch, shuffle: Option<Shuffle>) -> Output {
        let (op, name) = match shuffle {
            Some(_) => ("RandomShuffleQueueV2", "random_shuffle_queue"),
            None if options.dynamic_pad => ("PaddingFIFOQueueV2", "padding_fifo_queue"),
            None => ("FIFOQueueV2", "fifo_queue"),
        };
        let queue = b.node(op).name(name).attr("capacity", options.capacity);
        let queue = queue.attr("component_types", self.types.clone()).attr("shapes", self.shapes.clone());
        let queue = queue.attr("container", String::new()).attr("shared_name", options.shared_name.clone());
        match shuffle {
            None => queue.add(),
            Some(Shuffle { min_after_dequeue, seed }) => {
                let (seed, seed2) = seeds(seed);
                // Which element leaves depends on the number in the queue, so that must not depend on timing.
                let least = if options.ordered { options.capacity - 1 } else { min_after_dequeue };
                queue.attr("min_after_dequeue", least).attr("seed", seed).attr("seed2", seed2).add()
            }
        }
    }
}

/// The rows of tensors for which `keep` is true.
pub(super) fn selected(b: &mut Builder, tensors: &[Output], keep: Output) -> Vec<Output> {
    let parts = b.node("Cast").name("Cast").input(keep).attr("DstT", DType::I32).attr("Truncate", false).add();
    let part = |tensor: &Output| {
        let split = b.node("DynamicPartition").name("DynamicPartition").inputs([*tensor, parts]);
        split.attr("num_partitions", 2i64).add().output(1)
    };
    tensors.iter().map(part).collect()
}

/// The attr `_class` that colocates a node with `output`.
pub(super) fn near(b: &Builder, output: Output) -> Vec<String> {
    vec![format!("loc:@{}", b.node_name(output))]
}

/// Enqueues if `keep` is true.
fn conditionally(b: &mut Builder, queue: &Queue, tensors: &[Output], keep: Output, many: bool) -> Output {
    b.new_scope("cond", |b, _| {
        let switch = b.node("Switch").name("Switch").inputs([keep, keep]).add();
        let yes = b.identity("switch_t", switch.output(1));
        let no = b.identity("switch_f", switch);
        let keep = b.identity("pred_id", keep);
        let gate = format!("{}_{}/Switch", queue.name, if many { "EnqueueMany" } else { "enqueue" });
        let mut through = |input: Output| {
            let at = near(b, input);
            b.node("Switch").name(&gate).inputs([input, keep]).attr("_class", at).add().output(1)
        };
        let handle = through(queue.handle);
        let tensors: Vec<Output> = tensors.iter().map(|t| through(*t)).collect();
        let enqueue = Queue { handle, name: queue.name.clone() }.enqueue(b, &tensors, many);
        let after = |b: &mut Builder, input: Output, before: Output| {
            let at = near(b, input);
            b.node("Identity").name("control_dependency").input(input).after(before).attr("_class", at).add()
        };
        let done = after(b, yes, enqueue);
        let nothing = b.node("NoOp").name("NoOp").after(no).add();
        let passed = after(b, no, nothing);
        b.node("Merge").name("Merge").inputs([passed, done]).add()
    })
}

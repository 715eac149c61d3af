//! Producers: queues of a tensor's rows, of numbers or of file names, for one or more epochs or without end.

use super::variable::local_variable;
use super::{Queue, fullness, row, seeds};
use levada_builder::{Builder, Output};
use levada_graph::{DType, Error, PartialShape, Tensor};

/// Options of producers, with TensorFlow's names and defaults.
#[derive(Clone, Debug)]
pub struct Producer {
    /// Number of epochs; `None` for no limit. Needs [`local_variables_initializer`].
    pub num_epochs: Option<i64>,
    /// True to shuffle within each epoch.
    pub shuffle: bool,
    /// The seed, which makes the order reproducible; `None` for a random one.
    pub seed: Option<i64>,
    /// The maximum number of elements that wait in the queue.
    pub capacity: i64,
    /// Shape of an element, if it differs from the one that is inferred.
    pub element_shape: Option<PartialShape>,
    /// Name under which other sessions share the queue; empty for its own.
    pub shared_name: String,
    /// Name of the queue; empty for `input_producer`.
    pub name: String,
    /// Name of a summary of how full the queue is; empty for none. Used by [`input_producer`] only.
    pub summary_name: String,
    /// Node that cancels, instead of the one that closes the queue.
    pub cancel_op: Option<Output>,
}

impl Default for Producer {
    fn default() -> Producer {
        Producer {
            num_epochs: None,
            shuffle: true,
            seed: None,
            capacity: 32,
            element_shape: None,
            shared_name: String::new(),
            name: String::new(),
            summary_name: String::new(),
            cancel_op: None,
        }
    }
}

impl Producer {
    fn scope_name(&self) -> &str {
        if self.name.is_empty() { "input_producer" } else { &self.name }
    }
}

fn int(b: &mut Builder, name: &str, value: i32) -> Output {
    b.node("Const").name(name).attr("dtype", DType::I32).attr("value", Tensor::scalar(value)).add()
}

fn ints(b: &mut Builder, name: &str, values: Vec<i32>) -> Output {
    b.node("Const").name(name).attr("dtype", DType::I32).attr("value", Tensor::vector(values)).add()
}

/// A queue of the rows of `input`.
pub fn input_producer(b: &mut Builder, input: Output, options: &Producer) -> Output {
    b.new_scope(options.scope_name(), |b, scope| produce(b, scope, None, input, options, &options.summary_name))
}

/// A queue of the strings in the vector `strings`, usually file names.
pub fn string_input_producer(b: &mut Builder, strings: Output, options: &Producer) -> Output {
    b.new_scope(options.scope_name(), |b, scope| {
        let not_null = "string_input_producer requires a non-null input tensor";
        let size = match b.shape(strings).num_elements().and_then(|n| i32::try_from(n).ok()) {
            Some(n) => int(b, "Size", n),
            None => b.node("Size").name("Size").input(strings).attr("out_type", DType::I32).add(),
        };
        let zero = int(b, "Greater/y", 0);
        let some = b.node("Greater").name("Greater").inputs([size, zero]).add();
        let text = |b: &mut Builder, name: &str| {
            b.node("Const").name(name).attr("dtype", DType::Str).attr("value", Tensor::string(not_null)).add()
        };
        text(b, "Assert/Const");
        let data = text(b, "Assert/Assert/data_0");
        let assert = b.node("Assert").name("Assert/Assert").inputs([some, data]);
        let assert = assert.attr("T", vec![DType::Str]).attr("summarize", 3i64).add();
        let checked = b.node("Identity").name("Identity").input(strings).after(assert).add();
        let scalar = Producer { element_shape: Some(PartialShape::scalar()), ..options.clone() };
        produce(b, scope, Some(scope), checked, &scalar, &format!("fraction_of_{}_full", options.capacity))
    })
}

/// A queue of the numbers from 0 up to but excluding `limit`, an int32 scalar.
pub fn range_input_producer(b: &mut Builder, limit: Output, options: &Producer) -> Output {
    b.new_scope(options.scope_name(), |b, scope| {
        let start = int(b, "range/start", 0);
        let delta = int(b, "range/delta", 1);
        let range = b.node("Range").name("range").inputs([start, limit, delta]).add();
        let scalar = Producer { element_shape: Some(PartialShape::scalar()), ..options.clone() };
        produce(b, scope, Some(scope), range, &scalar, &format!("fraction_of_{}_full", options.capacity))
    })
}

/// The same row of each tensor, a different one in each run.
pub fn slice_input_producer(b: &mut Builder, tensors: &[Output], options: &Producer) -> Vec<Output> {
    b.new_scope(options.scope_name(), |b, scope| {
        let Some(&first) = tensors.first() else {
            b.fault(Error::invalid(format!("{scope}: Expected at least one tensor in slice_input_producer().")));
            return Vec::new();
        };
        let known = b.shape(first).known().and_then(|s| s.iter().map(|&d| i32::try_from(d).ok()).collect());
        let shape = match known {
            Some(dims) => ints(b, "Shape", dims),
            None => b.node("Shape").name("Shape").input(first).attr("out_type", DType::I32).add(),
        };
        let [begin, end, step] = [("stack", 0), ("stack_1", 1), ("stack_2", 1)]
            .map(|(n, v)| ints(b, &format!("strided_slice/{n}"), vec![v]));
        let rows = b.node("StridedSlice").name("strided_slice").inputs([shape, begin, end, step]);
        let rows = rows.attr("shrink_axis_mask", 1i64).add();
        let inner = Producer { name: String::new(), ..options.clone() };
        let queue = range_input_producer(b, rows, &inner);
        let queue = Queue::of(b, queue);
        let index = b.node("QueueDequeueV2").name(&format!("{}_Dequeue", queue.name)).input(queue.handle);
        let index = index.attr("component_types", vec![DType::I32]).attr("timeout_ms", -1i64).add();
        let gather = |tensor: &Output| {
            b.new_scope("GatherV2", |b, name| {
                let axis = int(b, "axis", 0);
                b.node("GatherV2").full_name(name).inputs([*tensor, index, axis]).add()
            })
        };
        tensors.iter().map(gather).collect()
    })
}

fn produce(
    b: &mut Builder,
    scope: &str,
    queue_name: Option<&str>,
    input: Output,
    options: &Producer,
    summary: &str,
) -> Output {
    let Some(dtype) = b.dtype(input) else { return input };
    let inferred = row(&b.shape(input));
    let shape = match &options.element_shape {
        Some(shape) => match inferred.merge(shape) {
            Ok(shape) => shape,
            Err(error) => return b.fault(error),
        },
        None => inferred,
    };
    if shape.known().is_none() {
        return b.fault(Error::invalid(format!(
            "{scope}: Either `input_tensor` must have a fully defined shape or `element_shape` must be specified"
        )));
    }
    let mut input = input;
    if options.shuffle {
        let (seed, seed2) = seeds(options.seed);
        let shuffle = b.node("RandomShuffle").name("RandomShuffle").input(input);
        input = shuffle.attr("seed", seed).attr("seed2", seed2).add();
    }
    let input = limit_epochs(b, input, options.num_epochs, "");
    let queue = b.node("FIFOQueueV2").attr("capacity", options.capacity).attr("component_types", vec![dtype]);
    let queue = queue.attr("shapes", vec![shape]).attr("container", String::new());
    let queue = queue.attr("shared_name", options.shared_name.clone());
    let queue = match queue_name {
        Some(name) => queue.full_name(name).add(),
        None if options.name.is_empty() => queue.name("FIFOQueueV2").add(),
        None => queue.name(&options.name).add(),
    };
    let queue = Queue::of(b, queue);
    let enqueue = queue.enqueue(b, &[input], true);
    queue.runner(b, &[enqueue], options.cancel_op);
    if !summary.is_empty() {
        let size = queue.size(b);
        fullness(b, scope, summary, size, options.capacity);
    }
    queue.handle
}

/// `tensor`, `num_epochs` times, and then `OUT_OF_RANGE`; without end if that is `None`. Needs
/// [`local_variables_initializer`].
pub fn limit_epochs(b: &mut Builder, tensor: Output, num_epochs: Option<i64>, name: &str) -> Output {
    let Some(limit) = num_epochs else { return tensor };
    if limit <= 0 {
        return b.fault(Error::invalid(format!("num_epochs must be > 0 not {limit}.")));
    }
    b.new_scope(if name.is_empty() { "limit_epochs" } else { name }, |b, scope| {
        let zero = b.constant(Tensor::scalar(0i64));
        let epochs = local_variable(b, &format!("{scope}/epochs"), zero, PartialShape::scalar()).handle;
        let count = b.node("ResourceCountUpTo").name("ResourceCountUpTo").input(epochs);
        let count = count.attr("limit", limit).attr("T", DType::I64).add();
        b.node("Identity").full_name(scope).input(tensor).after(count).add()
    })
}

/// The names of the files that match the string or strings `pattern`, at the time when [`local_variables_initializer`]
/// ran.
pub fn match_filenames_once(b: &mut Builder, pattern: Output, name: &str) -> Output {
    b.new_scope(if name.is_empty() { "matching_filenames" } else { name }, |b, scope| {
        let files = b.node("MatchingFiles").name("MatchingFiles").input(pattern).add();
        local_variable(b, scope, files, PartialShape::vector(None)).value
    })
}

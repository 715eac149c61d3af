//! Descriptions of datasets.

use crate::item::{Item, describe, read, write};
use crate::pipeline::{Elements, Hosted, Pipeline};
use levada_builder::{Builder, Output};
use levada_graph::attr::Attrs;
use levada_graph::function::define;
use levada_graph::{AttrValue, Bytes, DType, Error, Func, Graph, PartialShape, Registry, Result, Tensor};
use levada_kernel::{HostCall, HostFunction};
use levada_session::Session;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Lets the runtime choose the number of calls or of buffered elements.
pub const AUTOTUNE: i64 = -1;

/// How to call a function.
#[derive(Clone, Copy, Debug)]
pub struct Calls {
    /// Number of concurrent calls; 1 for sequential calls, [`AUTOTUNE`] to let the runtime choose.
    pub parallel: i64,
    /// True if elements keep their order.
    pub ordered: bool,
    /// True for a function that blocks or takes long: each call gets a thread besides those of the session.
    pub blocking: bool,
}

impl Default for Calls {
    fn default() -> Calls {
        Calls { parallel: 1, ordered: true, blocking: false }
    }
}

impl Calls {
    /// Up to `parallel` concurrent calls, in order.
    pub fn parallel(parallel: i64) -> Calls {
        Calls { parallel, ..Calls::default() }
    }

    /// Up to `parallel` concurrent calls, in order, of a function that blocks.
    pub fn blocking(parallel: i64) -> Calls {
        Calls { parallel, blocking: true, ..Calls::default() }
    }
}

/// How files are compressed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Compression {
    /// Uncompressed.
    #[default]
    None,
    /// The format of `gzip`.
    Gzip,
    /// The format of `zlib`.
    Zlib,
}

impl Compression {
    fn name(self) -> &'static str {
        match self {
            Compression::None => "",
            Compression::Gzip => "GZIP",
            Compression::Zlib => "ZLIB",
        }
    }
}

/// File names: in Rust, or a scalar or vector of strings in the graph.
pub enum Files {
    /// These names.
    Named(Vec<String>),
    /// The names in this output.
    Output(Output),
}

impl<S: Into<String>> From<Vec<S>> for Files {
    fn from(names: Vec<S>) -> Files {
        Files::Named(names.into_iter().map(Into::into).collect())
    }
}

impl From<&str> for Files {
    fn from(name: &str) -> Files {
        Files::Named(vec![name.to_owned()])
    }
}

impl From<Output> for Files {
    fn from(output: Output) -> Files {
        Files::Output(output)
    }
}

impl Files {
    fn add(self, b: &mut Builder) -> Output {
        match self {
            Files::Output(output) => output,
            Files::Named(names) => {
                b.constant(Tensor::vector(names.into_iter().map(Bytes::from).collect::<Vec<Bytes>>()))
            }
        }
    }
}

/// The builder that the nodes of a dataset are added to.
struct To<'a> {
    b: &'a mut Builder,
    hosted: &'a mut Vec<Hosted>,
}

/// Adds the nodes of a dataset.
type Add = Box<dyn FnOnce(&mut To<'_>) -> Output + Send>;

/// A dataset with elements of type `T`: a description, which [`Dataset::iterator`] turns into nodes of a graph and
/// [`Dataset::read`] into an iterator of Rust values.
///
/// Rust functions take elements as Rust values; functions of nodes ([`Dataset::map_nodes`]) are part of the graph. Both
/// may be called for several elements concurrently ([`Calls`]). Mistakes are reported by [`Builder::finish`].
#[must_use]
pub struct Dataset<T> {
    add: Add,
    of: PhantomData<fn() -> T>,
}

fn number(b: &mut Builder, value: i64) -> Output {
    b.constant(Tensor::scalar(value))
}

/// A number that is unique in the process, for the tokens of functions.
fn fresh() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// A node of a dataset whose elements are of type `T`.
fn add<T: Item>(to: &mut To<'_>, op: &str, inputs: &[Output], attrs: Vec<(&str, AttrValue)>) -> Output {
    let (types, shapes) = describe::<T>();
    let node = to.b.node(op).inputs(inputs.iter().copied());
    let node = attrs.into_iter().fold(node, |node, (name, value)| node.attr_value(name, value));
    node.attr("output_types", types).attr("output_shapes", shapes).add()
}

impl To<'_> {
    /// A function of nodes, with arguments of these dtypes.
    fn function(
        &mut self,
        name: &str,
        (types, shapes): (&[DType], &[PartialShape]),
        build: impl FnOnce(&mut To<'_>, &[Output]) -> Vec<Output>,
    ) -> Result<(Func, Vec<DType>), Output> {
        let library = self.b.graph().library.clone();
        let mut inner = Builder::new(self.b.registry().clone());
        inner.graph_mut().library = library;
        let arg = |(dtype, shape): (&DType, &PartialShape)| inner.placeholder("argument", *dtype, shape.clone());
        let args: Vec<Output> = types.iter().zip(shapes).map(arg).collect();
        let rets = build(&mut To { b: &mut inner, hosted: self.hosted }, &args);
        if let Some(fault) = inner.take_faults() {
            return Err(self.b.fault(fault));
        }
        let found: Vec<DType> = rets.iter().filter_map(|ret| inner.dtype(*ret)).collect();
        let endpoints = |of: &[Output]| of.iter().filter_map(|o| o.endpoint()).collect::<Vec<_>>();
        let (args, rets) = (endpoints(&args), endpoints(&rets));
        let mut library = inner.graph().library.clone();
        let mut unique = name.to_owned();
        for i in 1.. {
            if library.function(&unique).is_none() {
                break;
            }
            unique = format!("{name}_{i}");
        }
        let function = define(inner.graph(), unique.as_str(), &args, &rets);
        Arc::make_mut(&mut library).functions.push(function);
        self.b.graph_mut().library = library;
        Ok((Func { name: unique, attrs: Attrs::new() }, found))
    }

    /// A function of nodes that calls a Rust function.
    fn hosted(
        &mut self,
        name: &str,
        types: &[DType],
        results: Vec<DType>,
        (function, brief): (Arc<dyn HostFunction>, bool),
    ) -> Result<Func, Output> {
        let token = format!("levada_data/{name}/{}", fresh());
        let shapes = vec![PartialShape::Unknown; types.len()];
        let called = token.clone();
        let many = results.len();
        let (func, _) = self.function(name, (types, &shapes), |to, args| {
            let node = to.b.node("PyFunc").name(name).inputs(args.iter().copied());
            let first = node.attr("token", called).attr("Tout", results).add();
            (0..many as u32).map(|i| first.output(i)).collect()
        })?;
        self.hosted.push(Hosted { token, function, brief });
        Ok(func)
    }
}

/// Checks that the results of a function are of these dtypes.
fn checked(b: &mut Builder, what: &str, expected: &[DType], found: &[DType]) {
    if expected != found {
        let error = Error::invalid(format!("the function of {what} returns elements of other types"));
        b.fault(error.expected(format!("{expected:?}")).found(format!("{found:?}")));
    }
}

fn func(f: Func) -> AttrValue {
    AttrValue::Func(f)
}

fn text(value: &str) -> AttrValue {
    AttrValue::S(Bytes::copy_from_slice(value.as_bytes()))
}

impl Dataset<i64> {
    /// The numbers from 0 up to but excluding `n`.
    pub fn range(n: i64) -> Dataset<i64> {
        Dataset::range_from(0, n, 1)
    }

    /// The numbers from `start` up to but excluding `stop`, in steps of `step`.
    pub fn range_from(start: i64, stop: i64, step: i64) -> Dataset<i64> {
        Dataset::new(move |to| {
            let inputs = [start, stop, step].map(|value| number(to.b, value));
            add::<i64>(to, "RangeDataset", &inputs, Vec::new())
        })
    }
}

impl Dataset<Bytes> {
    /// The lines of text files, without line endings.
    pub fn text_lines(files: impl Into<Files>, compression: Compression) -> Dataset<Bytes> {
        Dataset::files("TextLineDataset", files.into(), compression)
    }

    /// The records of TFRecord files.
    pub fn tf_records(files: impl Into<Files>, compression: Compression) -> Dataset<Bytes> {
        Dataset::files("TFRecordDataset", files.into(), compression)
    }

    fn files(op: &'static str, files: Files, compression: Compression) -> Dataset<Bytes> {
        // A name in the graph belongs to its own graph and is moved with the nodes.
        Dataset::new(move |to| {
            let files = files.add(to.b);
            let compression = to.b.constant(Tensor::string(compression.name()));
            let buffer = number(to.b, 256 << 10);
            to.b.node(op).inputs([files, compression, buffer]).add()
        })
    }
}

impl<T: Item> Dataset<T> {
    fn new(add: impl FnOnce(&mut To<'_>) -> Output + Send + 'static) -> Dataset<T> {
        Dataset { add: Box::new(add), of: PhantomData }
    }

    /// Applies an op to this dataset, with further inputs.
    fn then<U: Item>(
        self,
        op: &'static str,
        rest: impl FnOnce(&mut To<'_>) -> (Vec<Output>, Vec<(&'static str, AttrValue)>) + Send + 'static,
    ) -> Dataset<U> {
        Dataset::new(move |to| {
            let input = (self.add)(to);
            let (rest, attrs) = rest(to);
            let inputs: Vec<Output> = std::iter::once(input).chain(rest).collect();
            add::<U>(to, op, &inputs, attrs)
        })
    }

    /// As [`Dataset::then`], with one further number.
    fn with(self, op: &'static str, value: i64) -> Dataset<T> {
        self.then(op, move |to| (vec![number(to.b, value)], Vec::new()))
    }

    /// The rows of a batch, which is stored in the graph.
    pub fn rows(rows: T::Batch) -> Dataset<T> {
        Dataset::new(move |to| {
            let components: Vec<Output> = write(rows).into_iter().map(|tensor| to.b.constant(tensor)).collect();
            let (types, shapes) = describe::<T>();
            let node = to.b.node("TensorSliceDataset").inputs(components);
            node.attr("Toutput_types", types).attr("output_shapes", shapes).add()
        })
    }

    /// The elements of iterators that `begin` makes: a new one each time that the dataset is read. They run on the
    /// session's threads and must not block; for those that do, use [`Dataset::generate_blocking`].
    ///
    /// ```
    /// # use levada_data::Dataset;
    /// let powers = Dataset::generate(|| (0..10).map(|i| 2f32.powi(i)));
    /// # let _ = powers;
    /// ```
    pub fn generate<I>(begin: impl Fn() -> I + Send + Sync + 'static) -> Dataset<T>
    where
        I: Iterator<Item = T> + Send + 'static,
    {
        Dataset::generator(move || begin().map(Ok), true)
    }

    /// As [`Dataset::generate`], for iterators that block or take long: each call gets a thread besides those of the
    /// session. An error fails its element only; the next element follows.
    pub fn generate_blocking<I>(begin: impl Fn() -> I + Send + Sync + 'static) -> Dataset<T>
    where
        I: Iterator<Item = Result<T>> + Send + 'static,
    {
        Dataset::generator(begin, false)
    }

    fn generator<I>(begin: impl Fn() -> I + Send + Sync + 'static, brief: bool) -> Dataset<T>
    where
        I: Iterator<Item = Result<T>> + Send + 'static,
    {
        // Protects the map only; each iterator has its own lock while it works.
        type Open<I> = Mutex<HashMap<i64, Arc<Mutex<I>>>>;
        Dataset::new(move |to| {
            let open: Arc<Open<I>> = Arc::default();
            let opened = open.clone();
            let init = move |_: HostCall| {
                let number = fresh() as i64;
                opened.lock().insert(number, Arc::new(Mutex::new(begin())));
                Ok(vec![Tensor::scalar(number)])
            };
            let reading = open.clone();
            let next = move |call: HostCall| {
                let iterator = reading.lock().get(&state(&call)?).cloned();
                let item = iterator.and_then(|iterator| iterator.lock().next());
                Ok(write(item.ok_or_else(|| Error::out_of_range("the iterator has ended"))??))
            };
            let finalize = move |call: HostCall| {
                open.lock().remove(&state(&call)?);
                Ok(vec![Tensor::scalar(0i64)])
            };
            let (types, _) = describe::<T>();
            let number = [DType::I64];
            let init = to.hosted("generator_init", &[], number.to_vec(), (Arc::new(init), brief));
            let next = to.hosted("generator_next", &number, types, (Arc::new(next), brief));
            let finalize = to.hosted("generator_end", &number, number.to_vec(), (Arc::new(finalize), brief));
            let (init, next, finalize) = match (init, next, finalize) {
                (Ok(init), Ok(next), Ok(finalize)) => (init, next, finalize),
                (Err(none), ..) | (_, Err(none), _) | (.., Err(none)) => return none,
            };
            let functions =
                vec![("init_func", func(init)), ("next_func", func(next)), ("finalize_func", func(finalize))];
            add::<T>(to, "GeneratorDataset", &[], functions)
        })
    }

    /// Maps each element with a Rust function. It must neither block nor take long; for those that do, use
    /// [`Dataset::map_with`].
    pub fn map<U: Item>(self, f: impl Fn(T) -> U + Send + Sync + 'static) -> Dataset<U> {
        self.map_with(Calls::default(), move |item| Ok(f(item)))
    }

    /// Maps each element with a Rust function, several concurrently. An error fails its element only; the next element
    /// follows.
    pub fn map_with<U: Item>(self, calls: Calls, f: impl Fn(T) -> Result<U> + Send + Sync + 'static) -> Dataset<U> {
        let called = move |call: HostCall| Ok(write(f(read(call.inputs)?)?));
        self.mapped(calls, move |to| {
            let ((types, _), (results, _)) = (describe::<T>(), describe::<U>());
            to.hosted("map", &types, results, (Arc::new(called), !calls.blocking))
        })
    }

    /// Maps each element with a function of nodes: `build` takes a builder and the components of an element, and
    /// returns those of the result.
    ///
    /// ```
    /// # use levada_data::{Calls, Dataset};
    /// let squares: Dataset<i64> = Dataset::range(10).map_nodes(Calls::parallel(4), |b, x| vec![b.mul(x[0], x[0])]);
    /// # let _ = squares;
    /// ```
    pub fn map_nodes<U: Item>(
        self,
        calls: Calls,
        build: impl FnOnce(&mut Builder, &[Output]) -> Vec<Output> + Send + 'static,
    ) -> Dataset<U> {
        self.mapped(calls, move |to| {
            let (types, shapes) = describe::<T>();
            let (f, found) = to.function("map", (&types, &shapes), |to, args| build(to.b, args))?;
            checked(to.b, "a map", &describe::<U>().0, &found);
            Ok(f)
        })
    }

    fn mapped<U: Item>(
        self,
        calls: Calls,
        function: impl FnOnce(&mut To<'_>) -> Result<Func, Output> + Send + 'static,
    ) -> Dataset<U> {
        let op = if calls.parallel == 1 { "MapDataset" } else { "ParallelMapDatasetV2" };
        Dataset::new(move |to| {
            let mut inputs = vec![(self.add)(to)];
            let f = match function(to) {
                Ok(f) => f,
                Err(none) => return none,
            };
            let mut attrs = vec![("f", func(f)), ("preserve_cardinality", AttrValue::B(true))];
            if calls.parallel != 1 {
                inputs.push(number(to.b, calls.parallel));
                attrs.push(("deterministic", text(if calls.ordered { "true" } else { "false" })));
            }
            add::<U>(to, op, &inputs, attrs)
        })
    }

    /// Keeps the elements for which a Rust function returns true.
    pub fn filter(self, keeps: impl Fn(&T) -> bool + Send + Sync + 'static) -> Dataset<T> {
        let called = move |call: HostCall| Ok(vec![Tensor::scalar(keeps(&read(call.inputs)?))]);
        self.filtered(move |to| to.hosted("filter", &describe::<T>().0, vec![DType::Bool], (Arc::new(called), true)))
    }

    /// Keeps the elements for which a function of nodes returns true.
    pub fn filter_nodes(self, build: impl FnOnce(&mut Builder, &[Output]) -> Output + Send + 'static) -> Dataset<T> {
        self.filtered(move |to| {
            let (types, shapes) = describe::<T>();
            let (f, found) = to.function("filter", (&types, &shapes), |to, args| vec![build(to.b, args)])?;
            checked(to.b, "a filter", &[DType::Bool], &found);
            Ok(f)
        })
    }

    fn filtered(self, predicate: impl FnOnce(&mut To<'_>) -> Result<Func, Output> + Send + 'static) -> Dataset<T> {
        Dataset::new(move |to| {
            let input = (self.add)(to);
            let f = match predicate(to) {
                Ok(f) => f,
                Err(none) => return none,
            };
            add::<T>(to, "FilterDataset", &[input], vec![("predicate", func(f))])
        })
    }

    /// Interleaves the datasets that `inner` describes for each element, whose components it gets as outputs of nodes:
    /// takes one element of each of `cycle` datasets in turn. With `calls.parallel` other than 1 they are computed
    /// ahead.
    ///
    /// ```
    /// # use levada_data::{Calls, Compression, Dataset};
    /// # use levada_graph::Bytes;
    /// let names: Vec<Bytes> = vec!["a.tfrecord".into(), "b.tfrecord".into()];
    /// let records = Dataset::<Bytes>::rows(names)
    ///     .interleave(2, Calls::parallel(2), |file| Dataset::tf_records(file[0], Compression::None));
    /// # let _ = records;
    /// ```
    pub fn interleave<U: Item>(
        self,
        cycle: i64,
        calls: Calls,
        inner: impl FnOnce(&[Output]) -> Dataset<U> + Send + 'static,
    ) -> Dataset<U> {
        Dataset::new(move |to| {
            let mut inputs = vec![(self.add)(to)];
            let (types, shapes) = describe::<T>();
            let built = to.function("interleave", (&types, &shapes), |to, args| vec![(inner(args).add)(to)]);
            let f = match built {
                Ok((f, _)) => f,
                Err(none) => return none,
            };
            inputs.extend([number(to.b, cycle), number(to.b, 1)]);
            let mut attrs = vec![("f", func(f))];
            let op = match calls.parallel {
                1 => "InterleaveDataset",
                parallel => {
                    inputs.extend([AUTOTUNE, AUTOTUNE, parallel].map(|value| number(to.b, value)));
                    attrs.push(("deterministic", text(if calls.ordered { "true" } else { "false" })));
                    "ParallelInterleaveDatasetV4"
                }
            };
            add::<U>(to, op, &inputs, attrs)
        })
    }

    /// Batches `size` elements; the last batch may be smaller.
    pub fn batch(self, size: i64) -> Dataset<T::Batch> {
        self.batched(size, false)
    }

    /// Batches `size` elements; a remainder at the end is dropped.
    pub fn batch_exactly(self, size: i64) -> Dataset<T::Batch> {
        self.batched(size, true)
    }

    fn batched(self, size: i64, drops: bool) -> Dataset<T::Batch> {
        self.then("BatchDatasetV2", move |to| {
            (vec![number(to.b, size), to.b.constant(Tensor::scalar(drops))], Vec::new())
        })
    }

    /// Shuffles: each element is chosen from the next `buffer` ones. With a seed the order is reproducible, and
    /// different in each repetition of the dataset.
    pub fn shuffle(self, buffer: i64, seed: Option<i64>) -> Dataset<T> {
        // As TensorFlow's pairs of seeds: 0 and 0 mean no seed.
        let seeds = seed.map_or([0, 0], |seed| [87_654_321, seed]);
        self.then("ShuffleDataset", move |to| {
            let inputs = [buffer, seeds[0], seeds[1]].map(|value| number(to.b, value));
            (inputs.to_vec(), Vec::new())
        })
    }

    /// Repeats it `times` times; without end for -1.
    pub fn repeat(self, times: i64) -> Dataset<T> {
        self.with("RepeatDataset", times)
    }

    /// The first `n` elements.
    pub fn take(self, n: i64) -> Dataset<T> {
        self.with("TakeDataset", n)
    }

    /// The elements after the first `n`.
    pub fn skip(self, n: i64) -> Dataset<T> {
        self.with("SkipDataset", n)
    }

    /// Every `n`-th element, starting with index `i`.
    pub fn shard(self, n: i64, i: i64) -> Dataset<T> {
        self.then("ShardDataset", move |to| (vec![number(to.b, n), number(to.b, i)], Vec::new()))
    }

    /// Computes up to `buffer` elements ahead; [`AUTOTUNE`] lets the runtime choose.
    pub fn prefetch(self, buffer: i64) -> Dataset<T> {
        self.with("PrefetchDataset", buffer)
    }

    /// Drops the elements that fail.
    pub fn ignore_errors(self) -> Dataset<T> {
        self.then("IgnoreErrorsDataset", |_| (Vec::new(), Vec::new()))
    }

    /// The elements of this dataset followed by those of another.
    pub fn concatenate(self, other: Dataset<T>) -> Dataset<T> {
        self.then("ConcatenateDataset", move |to| (vec![(other.add)(to)], Vec::new()))
    }

    /// Pairs of an element of this dataset and one of another, until one of them ends.
    pub fn zip<U: Item>(self, other: Dataset<U>) -> Dataset<(T, U)> {
        self.then("ZipDataset", move |to| {
            // The number of datasets follows from the inputs.
            (vec![(other.add)(to)], vec![("N", AttrValue::I(2))])
        })
    }

    /// The dataset and an iterator with this name as nodes of a graph.
    pub fn iterator(self, b: &mut Builder, name: &str) -> Pipeline<T> {
        let mut hosted = Vec::new();
        let dataset = b.scope(name, |b| (self.add)(&mut To { b, hosted: &mut hosted }));
        let (types, shapes) = describe::<T>();
        let many = types.len() as u32;
        let handle =
            b.node("IteratorV2").name(name).attr("shared_name", String::new()).attr("container", String::new());
        let handle = handle.attr("output_types", types.clone()).attr("output_shapes", shapes.clone()).add();
        let initializer = b.node("MakeIterator").name(&format!("{name}/init")).inputs([dataset, handle]).add();
        let next = b.node("IteratorGetNext").name(&format!("{name}/next")).input(handle);
        let first = next.attr("output_types", types).attr("output_shapes", shapes).add();
        let components: Vec<Output> = (0..many).map(|i| first.output(i)).collect();
        let names = (b.node_name(initializer), components.iter().map(|c| b.name(*c)).collect());
        Pipeline { components, initializer, iterator: handle, names, hosted, of: PhantomData }
    }

    /// The elements, in their own graph and session, which `open` opens.
    ///
    /// # Errors
    /// The faults of the dataset.
    pub fn read(self, registry: Arc<Registry>, open: impl FnOnce(Graph) -> Result<Session>) -> Result<Elements<T>> {
        let mut b = Builder::new(registry);
        let pipeline = self.iterator(&mut b, "pipeline");
        pipeline.elements(&open(b.finish()?)?)
    }
}

/// The id of an iterator.
fn state(call: &HostCall) -> Result<i64> {
    call.inputs.first().ok_or_else(|| Error::internal("a generator without a state"))?.item()
}

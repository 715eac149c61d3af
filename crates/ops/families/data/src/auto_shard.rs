//! `AutoShardDataset`: the part of a dataset that one of several workers reads. Files are sharded in the same way as by
//! TensorFlow's graph rewrite: a `ShardDataset` is inserted after the file names, before any shuffle of them.

use crate::dataset::{DATASET, INPUT, Source, input, scalar, scalar_output};
use crate::made::{self, MOST_DEEP, element_attrs, without_version};
use crate::prelude::*;
use crate::shard::HINT as SHARD_HINT;
use levada_graph::attr::Attrs;
use levada_graph::def::Library;
use levada_kernel::NodeMeta;

attrs! {
    /// Returns the part of a dataset that worker `index` of `num_workers` reads: either a shard of its files, or every
    /// element whose index modulo `num_workers` is `index`.
    pub struct AutoShardDataset {
        /// What to shard: -1 for nothing, 0 for files if possible and elements otherwise, 1 for files, 2 for elements,
        /// 3 for `ShardDataset` nodes whose `num_shards` is -1.
        policy: i64 = Attr::int("auto_shard_policy").or_int(0),
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Number of batches into which the final `RebatchDatasetV2` splits each batch when elements are sharded.
        replicas: i64 = Attr::int("num_replicas").or_int(0),
    }
}

const OFF: i64 = -1;
const AUTO: i64 = 0;
const FILE: i64 = 1;
const DATA: i64 = 2;
const HINT: i64 = 3;

pub static AUTO_SHARD_DATASET: Def<AutoShardDataset> = op("AutoShardDataset")
    .inputs(&[INPUT, arg("num_workers", is(DType::I64)), arg("index", is(DType::I64))])
    .outputs(DATASET)
    .also(&[form("ExperimentalAutoShardDataset").without(&["num_replicas"])])
    .shape(scalar_output)
    .kernel(auto_shard);

/// Ops that read elements from files.
const READERS: [&str; 3] = ["FixedLengthRecordDataset", "TextLineDataset", "TFRecordDataset"];
/// Ops whose functions create datasets.
const NESTED: [&str; 5] = [
    "ExperimentalParallelInterleaveDataset",
    "FlatMapDataset",
    "InterleaveDataset",
    "LegacyParallelInterleaveDataset",
    "ParallelInterleaveDataset",
];
/// Sources that cannot be sharded.
const WHOLE: [&str; 5] =
    ["GeneratorDataset", "RangeDataset", "SparseTensorsSliceDataset", "TensorDataset", "TensorSliceDataset"];
/// Ops that can be sharded by sharding their input.
const THROUGH: [&str; 25] = [
    "AssertNextDataset",
    "BatchDataset",
    "CacheDataset",
    "ExperimentalMapAndBatchDataset",
    "ExperimentalParseExampleDataset",
    "ExperimentalRebatchDataset",
    "FilterDataset",
    "MapAndBatchDataset",
    "MapDataset",
    "MaxIntraOpParallelismDataset",
    "PaddedBatchDataset",
    "ParallelBatchDataset",
    "ParallelMapDataset",
    "ParseExampleDataset",
    "PrefetchDataset",
    "PrivateThreadPoolDataset",
    "RebatchDataset",
    "RepeatDataset",
    "ShardDataset",
    "ShuffleAndRepeatDataset",
    "ShuffleDataset",
    "SkipDataset",
    "TakeDataset",
    "UnbatchDataset",
    "WindowDataset",
];
/// Shuffles of file names, in the order in which they are searched.
const SHUFFLES: [&str; 3] = ["ShuffleDataset", "ShuffleDatasetV2", "ShuffleDatasetV3"];

fn auto_shard(op: &AutoShardDataset, cx: &mut Cx<'_, '_>) -> Result<()> {
    let source: Source = input(cx, 0)?;
    let (workers, index): (i64, i64) = (scalar(cx, 1, "num_workers")?, scalar(cx, 2, "index")?);
    if !matches!(op.policy, OFF | AUTO | FILE | DATA | HINT) {
        return Err(Error::invalid("auto_shard_policy is invalid.").found(op.policy));
    }
    if workers <= 0 {
        return Err(Error::invalid(format!("num_workers should be >= 1, currently {workers}")));
    }
    if index < 0 || index >= workers {
        return Err(Error::invalid(format!("index should be >= 0 and < {workers}, currently {index}")));
    }
    let library = cx.env().functions.get().map(|functions| functions.library()).unwrap_or_default();
    let shard = Sharding { cx, workers, index, library: &library };
    let rewritten = match op.policy {
        OFF => None,
        _ if workers == 1 => None,
        FILE => Some(shard.files(&source, 0)?),
        DATA => Some(shard.elements(&source, op.replicas)?),
        HINT => Some(shard.hinted(&source, 0)?),
        _ => match shard.files(&source, 0) {
            Err(error) if error.code() == Code::NotFound => Some(shard.elements(&source, op.replicas)?),
            found => Some(found?),
        },
    };
    let rewritten = rewritten.map_or_else(|| source.clone(), |new| new.with_options(source.options.clone()));
    cx.set(0, rewritten.within(source.budget()).tensor());
    Ok(())
}

/// The parameters of sharding.
struct Sharding<'a, 'b, 'c> {
    cx: &'a Cx<'b, 'c>,
    workers: i64,
    index: i64,
    library: &'a Library,
}

impl Sharding<'_, '_, '_> {
    /// Shards a dataset by its files.
    ///
    /// # Errors
    /// `NOT_FOUND` if there are no files that can be sharded.
    fn files(&self, source: &Source, depth: u32) -> Result<Source> {
        check_depth(depth)?;
        let Some(made) = &source.made else { return Err(no_files("a dataset without a node")) };
        let kind = made.kind();
        let what = || format!("{} ({})", made.node.name, made.node.op);
        if WHOLE.contains(&kind) {
            return Err(Error::not_found(format!("Found an unshardable source dataset: {}", what())));
        }
        if matches!(kind, "ConcatenateDataset" | "ZipDataset") {
            let part = |input: &Tensor| Ok(self.files(&Source::of(input)?, depth + 1)?.tensor());
            return source.remade(self.cx, source.inputs().iter().map(part).collect::<Result<_>>()?);
        }
        let Some(first) = source.first() else {
            if READERS.contains(&kind) {
                return Err(Error::not_found(format!(
                    "Unable to shard this input. You may need to wrap the inputs to your reader dataset in a \
                     TensorSliceDataset: {}",
                    what()
                )));
            }
            return Err(no_files(&what()));
        };
        if kind == "AssertCardinalityDataset" {
            return self.files(&first, depth + 1);
        }
        if NESTED.contains(&kind) && self.reads(&made.attrs, 0) {
            return source.on(self.cx, &self.names(&first)?);
        }
        if NESTED.contains(&kind) && self.is_identity(&made.attrs) && self.gives_files(&first, depth + 1)? {
            return source.on(self.cx, &self.shard(&first)?);
        }
        if !THROUGH.contains(&kind) && !NESTED.contains(&kind) {
            return Err(no_files(&what()));
        }
        source.on(self.cx, &self.files(&first, depth + 1)?)
    }

    /// Whether the function of an op, or one nested in it, reads files whose names it receives.
    fn reads(&self, attrs: &Attrs, depth: u32) -> bool {
        let Some(AttrValue::Func(function)) = attrs.get("f") else { return false };
        let Some(function) = self.library.function(&function.name).filter(|_| depth < MOST_DEEP) else { return false };
        function.nodes.iter().any(|node| {
            let kind = without_version(&node.op);
            let is_given = || node.inputs.first().is_some_and(|input| input.starts_with("args_0"));
            (READERS.contains(&kind) && is_given()) || (NESTED.contains(&kind) && self.reads(&node.attrs, depth + 1))
        })
    }

    /// Whether the function of an op is the identity.
    fn is_identity(&self, attrs: &Attrs) -> bool {
        let Some(AttrValue::Func(function)) = attrs.get("f") else { return false };
        let function = self.library.function(&function.name);
        function.is_some_and(|function| function.nodes.iter().all(|node| matches!(&*node.op, "Identity" | "NoOp")))
    }

    /// Whether the elements of a dataset are datasets that read files.
    fn gives_files(&self, source: &Source, depth: u32) -> Result<bool> {
        check_depth(depth)?;
        let (Some(made), Some(first)) = (&source.made, source.first()) else { return Ok(false) };
        let kind = made.kind();
        if matches!(kind, "MapDataset" | "ParallelMapDataset") && self.reads(&made.attrs, 0) {
            return Ok(true);
        }
        if kind == "FlatMapDataset" && self.is_identity(&made.attrs) {
            return Ok(first.made.as_ref().is_some_and(|made| made.kind() == "TensorSliceDataset"));
        }
        if THROUGH.contains(&kind) { self.gives_files(&first, depth + 1) } else { Ok(false) }
    }

    /// Shards file names, moving a shuffle of them after the sharding.
    fn names(&self, names: &Source) -> Result<Source> {
        for op in SHUFFLES {
            let mut shuffle = None;
            let ordered = self.without(names, op, &mut shuffle, 0)?;
            if let Some(shuffle) = shuffle {
                return shuffle.on(self.cx, &self.shard(&ordered)?);
            }
        }
        self.shard(names)
    }

    /// Removes the ops `op` from a dataset's inputs; the last one removed is stored in `found`.
    fn without(&self, source: &Source, op: &str, found: &mut Option<Source>, depth: u32) -> Result<Source> {
        check_depth(depth)?;
        let Some(made) = &source.made else { return Ok(source.clone()) };
        if made.node.op == op
            && let Some(first) = source.first()
        {
            *found = Some(source.clone());
            return self.without(&first, op, found, depth + 1);
        }
        self.each(source, |input| self.without(input, op, found, depth + 1))
    }

    /// Applies `change` to the datasets that a dataset is made of.
    fn each(&self, source: &Source, mut change: impl FnMut(&Source) -> Result<Source>) -> Result<Source> {
        let mut changed = false;
        let mut inputs = source.inputs();
        // Inputs that were taken are elements.
        let (first, taken) = source.parts();
        for (i, input) in inputs.iter_mut().enumerate() {
            if i >= first && i < first + taken.len() {
                continue;
            }
            if let Ok(before) = Source::of(input) {
                let after = change(&before)?;
                changed |= !after.is_same(&before);
                *input = after.tensor();
            }
        }
        if changed { source.remade(self.cx, inputs) } else { Ok(source.clone()) }
    }

    /// Shards a dataset by its elements, before trailing ops that only prefetch.
    fn elements(&self, source: &Source, replicas: i64) -> Result<Source> {
        match (source.made.as_ref().map(|made| made.node.op), source.first()) {
            (Some("PrefetchDataset"), Some(first)) => source.on(self.cx, &self.elements(&first, replicas)?),
            (Some("RebatchDatasetV2"), Some(first)) => self.shard(&self.rebatched(source, &first, replicas)?),
            _ => self.shard(source),
        }
    }

    /// Splits each batch of a dataset into `replicas` batches, instead of batches of given sizes.
    fn rebatched(&self, source: &Source, first: &Source, replicas: i64) -> Result<Source> {
        if replicas < 1 {
            return Err(Error::invalid(format!(
                "Cannot rewrite RebatchDatasetV2 to legacy RebatchDataset with invalid num_replicas argument. \
                 `num_replicas` is {replicas}, but expected to be >= 1."
            )));
        }
        let shapes = source.shapes.iter().map(|shape| match shape.dims() {
            Some(dims) => {
                let dims = dims.iter().enumerate().map(|(axis, size)| if axis == 0 { None } else { *size });
                PartialShape::new(dims)
            }
            None => PartialShape::Unknown,
        });
        let attrs = element_attrs(&source.types, shapes.collect());
        self.node("RebatchDataset", attrs, vec![first.tensor(), Tensor::scalar(replicas)])
    }

    /// Shards a dataset at the places marked by hand.
    fn hinted(&self, source: &Source, depth: u32) -> Result<Source> {
        check_depth(depth)?;
        let Some(made) = &source.made else { return Ok(source.clone()) };
        if made.node.op == "ShardDataset"
            && let [first, shards, ..] = &source.inputs()[..]
            && shards.item::<i64>().is_ok_and(|shards| shards == SHARD_HINT)
        {
            return self.shard(&self.hinted(&Source::of(first)?, depth + 1)?);
        }
        self.each(source, |input| self.hinted(input, depth + 1))
    }

    /// Returns this worker's shard of a dataset: every `workers`-th element.
    fn shard(&self, source: &Source) -> Result<Source> {
        let mut attrs = element_attrs(&source.types, source.shapes.to_vec());
        attrs.set("require_non_empty", AttrValue::B(true));
        let (workers, index) = (Tensor::scalar(self.workers), Tensor::scalar(self.index));
        self.node("ShardDataset", attrs, vec![source.tensor(), workers, index])
    }

    fn node(&self, op: &'static str, attrs: Attrs, inputs: Vec<Tensor>) -> Result<Source> {
        made::make(self.cx, &NodeMeta { op, ..self.cx.node().clone() }, &attrs, inputs)
    }
}

fn check_depth(depth: u32) -> Result<()> {
    match depth < MOST_DEEP {
        true => Ok(()),
        false => Err(Error::resource_exhausted("an AutoShardDataset is made of too many datasets")
            .expected(format!("a nesting depth of at most {MOST_DEEP}"))),
    }
}

fn no_files(node: &str) -> Error {
    Error::not_found(format!(
        "Did not find a shardable source, walked to a node which is not a dataset: {node}. Consider either turning off \
         auto-sharding or switching the auto_shard_policy to DATA to shard this dataset."
    ))
}

//! `OptionsDataset` and others that affect how a dataset is computed, but not its elements: they pass the dataset
//! through, possibly with another tuning budget. Also `GetOptions`.

use crate::dataset::{DATASET, INPUT, Plain, input, scalar_output};
use crate::meter::Budget;
use crate::prelude::*;
use std::collections::BTreeMap;

/// Passes the dataset through.
pub(crate) fn pass<A>(_: &A, cx: &mut Cx<'_, '_>) -> Result<()> {
    let source = input(cx, 0)?;
    cx.set(0, source.tensor());
    Ok(())
}

attrs! {
    /// A dataset with options for its computation. They never change its elements; only those for autotuning and
    /// `warm_start` are used.
    pub struct OptionsDataset {
        /// The options.
        options: Bytes = Attr::string("serialized_options"),
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Not used.
        metadata: Bytes = Attr::string("metadata").or_str(""),
    }
}

pub static OPTIONS_DATASET: Def<OptionsDataset> =
    op("OptionsDataset").inputs(&[INPUT]).outputs(DATASET).shape(scalar_output).kernel(|op: &OptionsDataset, cx| {
        let source = input(cx, 0)?;
        let options = merged(&source.options, &op.options)?;
        let source = match autotuning(&op.options, source.budget()) {
            Some(budget) => source.within(budget),
            None => source,
        };
        cx.set(0, source.with_options(options).tensor());
        Ok(())
    });

/// Number of the field `autotune_options` of `Options`, whose fields are `enabled`, `cpu_budget` and `ram_budget`.
const AUTOTUNE_OPTIONS: u64 = 7;

/// Applies the autotuning settings of serialized options, if there are any, to a budget; absent settings stay as they
/// are.
fn autotuning(options: &[u8], mut budget: Budget) -> Option<Budget> {
    let all = fields(options)?;
    let within = fields(all.get(&AUTOTUNE_OPTIONS)?.last()?.content)?;
    for (number, values) in within {
        match (number, values.last().map_or(0, |value| value.number)) {
            (1, value) => budget.tunes = value != 0,
            (2, value) if value > 0 => budget.threads = value,
            (3, value) if value > 0 => budget.bytes = value,
            _ => {}
        }
    }
    Some(budget)
}

attrs! {
    /// Returns the options of a dataset merged with those of the datasets that it is made of, as a serialized
    /// TensorFlow message.
    pub struct GetOptions {}
}

pub static GET_OPTIONS: Def<GetOptions> = op("GetOptions")
    .inputs(&[INPUT])
    .outputs(&[arg("serialized_options", is(DType::Str))])
    .shape(scalar_output)
    .kernel(|_: &GetOptions, cx| {
        let options = input(cx, 0)?.options.clone();
        cx.set(0, Tensor::scalar(options));
        Ok(())
    });

/// The fields of `Options` that are messages; none of these contains further messages.
const MESSAGES: [u64; 5] = [2, 3, 5, AUTOTUNE_OPTIONS, 12];
/// Field `framework_type`, which is repeated.
const FRAMEWORKS: u64 = 11;
/// Field `warm_start`.
const WARM_START: u64 = 9;
/// Maximum size of options in bytes.
const MOST: usize = 1 << 16;

/// The fields of a message by number, in order of occurrence.
pub(crate) type Fields<'a> = BTreeMap<u64, Vec<Field<'a>>>;

/// A field: all its bytes, its content, and its value, which is meaningful only for varints.
#[derive(Clone, Copy)]
pub(crate) struct Field<'a> {
    bytes: &'a [u8],
    pub(crate) content: &'a [u8],
    pub(crate) number: u64,
}

fn varint(rest: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, after) = rest.split_first()?;
        *rest = after;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

pub(crate) fn fields(mut rest: &[u8]) -> Option<Fields<'_>> {
    let mut found = Fields::new();
    while !rest.is_empty() {
        let (begin, mut number) = (rest, 0);
        let tag = varint(&mut rest)?;
        let size = match tag & 7 {
            0 => {
                number = varint(&mut rest)?;
                0
            }
            1 => 8,
            2 => usize::try_from(varint(&mut rest)?).ok()?,
            5 => 4,
            _ => return None,
        };
        let (content, after) = rest.split_at_checked(size)?;
        rest = after;
        let field = Field { bytes: &begin[..begin.len() - rest.len()], content, number };
        found.entry(tag >> 3).or_default().push(field);
    }
    Some(found)
}

/// Merges options; those in `then` take precedence.
///
/// # Errors
/// `INVALID_ARGUMENT` if they cannot be parsed, `RESOURCE_EXHAUSTED` if they are too large.
pub(crate) fn merged(first: &Bytes, then: &Bytes) -> Result<Bytes> {
    if then.is_empty() || first == then {
        return Ok(first.clone());
    }
    if first.is_empty() {
        return Ok(then.clone());
    }
    let no_options = || Error::invalid("these are not dataset options");
    let mut all = fields(first).ok_or_else(no_options)?;
    for (number, values) in fields(then).ok_or_else(no_options)? {
        all.entry(number).or_default().extend(values);
    }
    let mut message = Vec::new();
    for (number, values) in all {
        if MESSAGES.contains(&number) {
            let content = values.iter().flat_map(|value| value.content).copied().collect::<Vec<u8>>();
            let within = fields(&content).ok_or_else(no_options)?;
            let content = within.values().filter_map(|values| values.last()).flat_map(|value| value.bytes);
            let content = content.copied().collect::<Vec<u8>>();
            message.extend([(number << 3) as u8 | 2]);
            let mut size = content.len();
            while size >= 0x80 {
                message.push(size as u8 | 0x80);
                size >>= 7;
            }
            message.push(size as u8);
            message.extend(content);
        } else {
            let from = if number == FRAMEWORKS { 0 } else { values.len() - 1 };
            values[from..].iter().for_each(|value| message.extend(value.bytes));
        }
    }
    match message.len() > MOST {
        true => Err(Error::resource_exhausted("a dataset has too many options")),
        false => Ok(message.into()),
    }
}

/// Whether options request that datasets that compute ahead start when they are created.
pub(crate) fn warm_start(options: &[u8]) -> bool {
    let all = fields(options).unwrap_or_default();
    all.get(&WARM_START).and_then(|values| values.last()).is_some_and(|value| value.number != 0)
}

/// Fields `deterministic`, `optimization_options` and `slack`; the first field of the second one is
/// `apply_default_optimizations`.
const DETERMINISTIC: u64 = 1;
const OPTIMIZATION: u64 = 3;
const SLACK: u64 = 4;

/// Whether TensorFlow's optimizer rewrites a pipeline with these options: by default, and whenever they request one of
/// its passes.
pub(crate) fn may_be_rewritten(options: &[u8]) -> bool {
    let all = fields(options).unwrap_or_default();
    let last = |number: u64| all.get(&number).and_then(|values| values.last());
    let Some(within) = last(OPTIMIZATION).and_then(|field| fields(field.content)) else { return true };
    let is_set = |values: &Vec<Field<'_>>| values.last().is_some_and(|value| value.number != 0);
    !within.contains_key(&1)
        || within.values().any(is_set)
        || last(DETERMINISTIC).is_some_and(|field| field.number == 0)
        || last(SLACK).is_some_and(|field| field.number != 0)
}

attrs! {
    /// A dataset with a budget for the parameters that it tunes itself.
    pub struct ModelDataset {
        /// Not used.
        algorithm: i64 = Attr::int("algorithm").or_int(0),
        /// Number of threads; 0 for those of the session.
        cpu_budget: i64 = Attr::int("cpu_budget").or_int(0),
        /// Memory for buffered elements, in bytes; 0 for half of the memory.
        ram_budget: i64 = Attr::int("ram_budget").or_int(0),
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
    }
}

pub static MODEL_DATASET: Def<ModelDataset> =
    op("ModelDataset").inputs(&[INPUT]).outputs(DATASET).shape(scalar_output).kernel(|op: &ModelDataset, cx| {
        let source = input(cx, 0)?;
        let before = source.budget();
        let given = |value: i64, before: u64| u64::try_from(value).ok().filter(|&v| v > 0).unwrap_or(before);
        let (threads, bytes) = (given(op.cpu_budget, before.threads), given(op.ram_budget, before.bytes));
        cx.set(0, source.within(Budget { threads, bytes, ..before }).tensor());
        Ok(())
    });

attrs! {
    /// Passes a dataset through. TensorFlow may optimize it.
    pub struct OptimizeDataset {
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Not used.
        configs: Vec<String> = Attr::strings("optimization_configs").or_empty(),
    }
}

pub static OPTIMIZE_DATASET: Def<OptimizeDataset> = op("OptimizeDataset")
    .inputs(&[INPUT, arg("optimizations", is(DType::Str))])
    .outputs(DATASET)
    .also(&[form("OptimizeDatasetV2").inputs(&[
        INPUT,
        arg("optimizations_enabled", is(DType::Str)),
        arg("optimizations_disabled", is(DType::Str)),
        arg("optimizations_default", is(DType::Str)),
    ])])
    .shape(scalar_output)
    .kernel(pass);

const NO_METADATA: &[&str] = &["metadata"];

pub static REWRITE_DATASET: Def<Plain> = op("RewriteDataset")
    .doc("Passes a dataset through. TensorFlow may rewrite it.")
    .inputs(&[INPUT, arg("rewrite_name", is(DType::Str))])
    .outputs(DATASET)
    .without(NO_METADATA)
    .shape(scalar_output)
    .kernel(pass);

pub static MAX_INTRA_OP_PARALLELISM_DATASET: Def<Plain> = op("MaxIntraOpParallelismDataset")
    .doc("Passes a dataset through. The limit on parallelism within ops is not used.")
    .inputs(&[INPUT, arg("max_intra_op_parallelism", is(DType::I64))])
    .outputs(DATASET)
    .without(NO_METADATA)
    .also(&[form("ExperimentalMaxIntraOpParallelismDataset")])
    .shape(scalar_output)
    .kernel(|_, cx| {
        if crate::dataset::scalar::<i64>(cx, 1, "max_intra_op_parallelism")? < 0 {
            return Err(Error::invalid("`max_intra_op_parallelism` must be >= 0"));
        }
        pass(&(), cx)
    });

attrs! {
    /// Passes a dataset through. TensorFlow prepares it for iteration.
    pub struct FinalizeDataset {
        /// Not used.
        has_captured_ref: bool = Attr::bool("has_captured_ref").or_bool(false),
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
    }
}

pub static FINALIZE_DATASET: Def<FinalizeDataset> =
    op("FinalizeDataset").inputs(&[INPUT]).outputs(DATASET).shape(scalar_output).kernel(pass);

//! `OptionsDataset` and others that change how a dataset is computed, and not its elements: the dataset as it is, or with another
//! budget for the numbers that it chooses itself.

use crate::dataset::{DATASET, INPUT, Plain, input, scalar_output};
use crate::meter::Budget;
use crate::prelude::*;

/// Gives the dataset on.
pub(crate) fn pass<A>(_: &A, cx: &mut Cx<'_, '_>) -> Result<()> {
    let source = input(cx, 0)?;
    cx.set(0, source.tensor());
    Ok(())
}

attrs! {
    /// A dataset with options of how it is computed, of which those of autotuning are used.
    pub struct OptionsDataset {
        /// The options.
        options: Bytes = Attr::string("serialized_options"),
        /// Dtypes of an element.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Not used.
        metadata: Bytes = Attr::string("metadata").or_str(""),
    }
}

pub static OPTIONS_DATASET: Def<OptionsDataset> =
    op("OptionsDataset").inputs(&[INPUT]).outputs(DATASET).shape(scalar_output).kernel(|op: &OptionsDataset, cx| {
        let source = input(cx, 0)?;
        let source = match autotuning(&op.options, source.budget()) {
            Some(budget) => source.within(budget),
            None => source,
        };
        cx.set(0, source.tensor());
        Ok(())
    });

/// Number of the field `autotune_options` of `Options`; its own are `enabled`, `cpu_budget` and `ram_budget`.
const AUTOTUNE_OPTIONS: u64 = 7;

/// What serialized options say of autotuning, where they do; what they do not say is as before.
fn autotuning(options: &[u8], mut budget: Budget) -> Option<Budget> {
    let field = fields(options).find(|field| field.0 == AUTOTUNE_OPTIONS)?;
    for (number, value, _) in fields(field.2) {
        match number {
            1 => budget.tunes = value != 0,
            2 if value > 0 => budget.threads = value,
            3 if value > 0 => budget.bytes = value,
            _ => {}
        }
    }
    Some(budget)
}

/// The fields of a protocol buffer: their numbers, and their values where they are integers or bytes. Ends at what is broken.
fn fields(mut bytes: &[u8]) -> impl Iterator<Item = (u64, u64, &[u8])> {
    std::iter::from_fn(move || {
        let key = varint(&mut bytes)?;
        let length = match key & 7 {
            0 => return Some((key >> 3, varint(&mut bytes)?, &[][..])),
            1 => 8,
            2 => varint(&mut bytes)?,
            5 => 4,
            _ => return None,
        };
        let (taken, rest) = bytes.split_at_checked(usize::try_from(length).ok()?)?;
        bytes = rest;
        Some((key >> 3, 0, taken))
    })
}

fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0u64;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

attrs! {
    /// A dataset with a budget for the numbers that it chooses itself.
    pub struct ModelDataset {
        /// Not used.
        algorithm: i64 = Attr::int("algorithm").or_int(0),
        /// Threads; 0 for those of the session.
        cpu_budget: i64 = Attr::int("cpu_budget").or_int(0),
        /// Bytes of elements that are buffered; 0 for half of the memory.
        ram_budget: i64 = Attr::int("ram_budget").or_int(0),
        /// Dtypes of an element.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element.
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
    /// A dataset that may be rewritten, which it is not.
    pub struct OptimizeDataset {
        /// Dtypes of an element.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element.
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
    .doc("A dataset that may be rewritten, which it is not.")
    .inputs(&[INPUT, arg("rewrite_name", is(DType::Str))])
    .outputs(DATASET)
    .without(NO_METADATA)
    .shape(scalar_output)
    .kernel(pass);

pub static MAX_INTRA_OP_PARALLELISM_DATASET: Def<Plain> = op("MaxIntraOpParallelismDataset")
    .doc("A dataset whose functions may split their work so often, which is not used: they have the session's threads.")
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

pub static PRIVATE_THREAD_POOL_DATASET: Def<Plain> = op("PrivateThreadPoolDataset")
    .doc("A dataset with threads of its own, which it does not get: it has the session's.")
    .inputs(&[INPUT, arg("num_threads", is(DType::I64))])
    .outputs(DATASET)
    .without(NO_METADATA)
    .also(&[form("ExperimentalPrivateThreadPoolDataset")])
    .shape(scalar_output)
    .kernel(|_, cx| {
        if crate::dataset::scalar::<i64>(cx, 1, "num_threads")? < 0 {
            return Err(Error::invalid("`num_threads` must be >= 0"));
        }
        pass(&(), cx)
    });

attrs! {
    /// A dataset, ready for its iterators.
    pub struct FinalizeDataset {
        /// Not used.
        has_captured_ref: bool = Attr::bool("has_captured_ref").or_bool(false),
        /// Dtypes of an element.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
    }
}

pub static FINALIZE_DATASET: Def<FinalizeDataset> =
    op("FinalizeDataset").inputs(&[INPUT]).outputs(DATASET).shape(scalar_output).kernel(pass);

//! `AssertNextDataset` and `AssertPrevDataset`, which check the transformations after and before a dataset, and
//! datasets for TensorFlow's own tests, which pass their input through.

use crate::access::Access;
use crate::assertion::Assertion;
use crate::dataset::{DATASET, Dataset, INPUT, Plain, Setup, Source, input, make_like, scalar, scalar_output};
use crate::iter::Iter;
use crate::made::without_version;
use crate::options::pass;
use crate::prelude::*;
use levada_kernel::AnyDevice;
use std::sync::Arc;

const NO_METADATA: &[&str] = &["metadata"];
const TRANSFORMATIONS: Arg = arg("transformations", is(DType::Str));

pub static ASSERT_NEXT_DATASET: Def<Plain> = op("AssertNextDataset")
    .doc(
        "Passes a dataset through, and fails when an iterator is created unless these transformations follow. If \
         TensorFlow's optimizer could have replaced them, only unknown names fail.",
    )
    .inputs(&[INPUT, TRANSFORMATIONS])
    .outputs(DATASET)
    .without(NO_METADATA)
    .also(&[form("ExperimentalAssertNextDataset")])
    .shape(scalar_output)
    .kernel(|_, cx| {
        let (source, names) = (input(cx, 0)?, transformations(cx)?);
        make_like(cx, &source.clone(), Asserts { source, asserted: Asserted::Next(names) })
    });

pub static ASSERT_PREV_DATASET: Def<Plain> = op("AssertPrevDataset")
    .doc(
        "Passes a dataset through, and fails when an iterator is created unless these transformations, with these \
         attrs, precede it. If TensorFlow's optimizer could have replaced them, only unknown names fail.",
    )
    .inputs(&[INPUT, TRANSFORMATIONS])
    .outputs(DATASET)
    .without(NO_METADATA)
    .shape(scalar_output)
    .kernel(|_, cx| {
        let (source, texts) = (input(cx, 0)?, transformations(cx)?);
        make_like(cx, &source.clone(), Asserts { source, asserted: Asserted::Previous(texts) })
    });

fn transformations(cx: &Cx<'_, '_>) -> Result<Vec<String>> {
    let given = cx.input(1)?;
    match given.shape().rank() {
        1 => Ok(given.slice::<Bytes>()?.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect()),
        _ => Err(Error::invalid("transformations must be a vector").found(format!("shape {}", given.shape()))),
    }
}

pub static NON_SERIALIZABLE_DATASET: Def<Plain> = op("NonSerializableDataset")
    .doc("Passes a dataset through. In TensorFlow it cannot be serialized.")
    .inputs(&[INPUT])
    .outputs(DATASET)
    .without(NO_METADATA)
    .also(&[form("ExperimentalNonSerializableDataset")])
    .shape(scalar_output)
    .kernel(pass);

pub static SLEEP_DATASET: Def<Plain> = op("SleepDataset")
    .doc("Passes a dataset through. TensorFlow delays each element by `sleep_microseconds`, for tests.")
    .inputs(&[INPUT, arg("sleep_microseconds", is(DType::I64))])
    .outputs(DATASET)
    .without(NO_METADATA)
    .also(&[form("ExperimentalSleepDataset")])
    .shape(scalar_output)
    .kernel(|op, cx| {
        scalar::<i64>(cx, 1, "sleep_microseconds")?;
        pass(op, cx)
    });

/// An assertion.
enum Asserted {
    /// Names of the transformations that follow, the next one first.
    Next(Vec<String>),
    /// Names and attrs of the preceding transformations, the last one first, as TensorFlow messages in text format.
    Previous(Vec<String>),
}

struct Asserts {
    source: Source,
    asserted: Asserted,
}

impl Dataset for Asserts {
    fn kind(&self) -> &'static str {
        match self.asserted {
            Asserted::Next(_) => "AssertNext",
            Asserted::Previous(_) => "AssertPrev",
        }
    }

    fn cardinality(&self) -> i64 {
        self.source.cardinality()
    }

    fn count(&self, setup: &Setup) -> Result<Option<Box<dyn Iter>>> {
        setup.count(&self.source)
    }

    fn wanted(&self) -> Option<Arc<dyn AnyDevice>> {
        self.source.wanted.clone()
    }

    fn access(&self, setup: &Setup) -> Result<Box<dyn Access>> {
        setup.access(&self.source)
    }

    fn any_order(&self) -> Result<()> {
        self.source.any_order()
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        match &self.asserted {
            Asserted::Next(names) => check_next(names, &setup)?,
            Asserted::Previous(texts) => check_previous(texts, &self.source, &setup)?,
        }
        setup.make(&self.source)
    }
}

/// Checks the names of the iterators that enclose this one.
///
/// # Errors
/// `INVALID_ARGUMENT` if they differ.
fn check_next(names: &[String], setup: &Setup) -> Result<()> {
    let all: Vec<&str> = setup.name.split(':').filter(|word| !word.is_empty()).collect();
    // The first is the common prefix of all names, the last is this iterator's own.
    let following = all.get(1..all.len() - 1).unwrap_or_default();
    let checked = if setup.may_be_rewritten { names.len().min(following.len()) } else { names.len() };
    if checked > following.len() {
        return Err(Error::invalid(format!(
            "Asserted next {} transformations but encountered only {}.",
            names.len(),
            following.len()
        )));
    }
    for (i, (name, found)) in names.iter().zip(following.iter().rev()).enumerate() {
        // TensorFlow has special names for some cases: FiniteTake, MemoryCacheReader.
        let found = found.split('[').next().unwrap_or_default();
        let (asserted, kind) = (without_version(name), without_version(found));
        let is_same = asserted.ends_with(kind) || asserted.starts_with(kind);
        if !(is_same || setup.may_be_rewritten && is_transformation(name)) {
            return Err(Error::invalid(format!(
                "Asserted transformation matching {name} at offset {i} but encountered {found} transformation instead."
            )));
        }
    }
    Ok(())
}

/// Checks the chain of datasets that ends with `source`.
///
/// # Errors
/// `INVALID_ARGUMENT` if they differ.
fn check_previous(texts: &[String], source: &Source, setup: &Setup) -> Result<()> {
    let mut at = Some(source.clone());
    for (i, text) in texts.iter().enumerate() {
        let wrong = |what: String| Error::invalid(format!("Failure checking transformations at offset {i}: {what}"));
        let asserted =
            Assertion::parse(text).ok_or_else(|| wrong(format!("Couldn't parse transformation '{text}'.")))?;
        let Some(made) = at.as_ref().and_then(|source| source.made.as_ref()) else {
            if setup.may_be_rewritten && is_transformation(&asserted.name) {
                return Ok(());
            }
            return Err(Error::invalid(format!(
                "Asserted previous {} transformations but encountered only {i}.",
                texts.len()
            )));
        };
        let kind = without_version(&asserted.name);
        // Ops that pass their dataset through leave no trace.
        if PASS.contains(&kind) {
            continue;
        }
        if kind != made.kind() {
            if setup.may_be_rewritten && is_transformation(kind) {
                return Ok(());
            }
            return Err(wrong(format!(
                "Asserted transformation matching '{}', but found '{}'.",
                asserted.name, made.node.op
            )));
        }
        for (name, value) in &asserted.attrs {
            match (made.attrs.get(name), value) {
                (None, _) => {
                    let what = format!("Asserted attribute '{name}', but found no such attribute defined.");
                    return Err(wrong(what));
                }
                (Some(found), Some(value)) if found != value => {
                    let what = format!(
                        "Asserted attribute '{name}' having a value of '{value}', but found value of '{found}'."
                    );
                    return Err(wrong(what));
                }
                _ => {}
            }
        }
        let inputs = at.map_or_else(Vec::new, |source| source.inputs());
        at = inputs.iter().rev().find_map(|input| Source::of(input).ok());
    }
    Ok(())
}

/// Ops that pass their input through.
const PASS: &[&str] = &[
    "FinalizeDataset",
    "MaxIntraOpParallelismDataset",
    "ModelDataset",
    "NonSerializableDataset",
    "OptimizeDataset",
    "OptionsDataset",
    "PrivateThreadPoolDataset",
    "RewriteDataset",
    "SleepDataset",
    "ThreadPoolDataset",
];

/// Whether a name can be that of a transformation, with or without the suffix `Dataset`; TensorFlow also has special
/// names such as `FiniteTake` and `MemoryCacheImpl`.
fn is_transformation(name: &str) -> bool {
    let name = without_version(name);
    let name = name.strip_suffix("Dataset").unwrap_or(name);
    name == "Root"
        || crate::ops().iter().any(|entry| {
            let kind = without_version(entry.def.spec.name).strip_suffix("Dataset");
            kind.is_some_and(|kind| name.contains(kind))
        })
}

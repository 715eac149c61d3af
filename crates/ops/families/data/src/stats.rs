//! `StatsAggregatorHandle`, which collects statistics of elements, and the datasets that report to it.

use crate::dataset::{DATASET, Dataset, INPUT, Plain, Setup, Source, Tuple, input, make_like, scalar, scalar_output};
use crate::handle::{self, Shared, set_handle};
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use levada_ops_summary::writer;
use levada_summary::{Histogram, Summary, Writer};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::task::{Poll, ready};
use std::time::Instant;

/// Collects statistics.
pub(crate) struct Aggregator {
    /// Whether each value is passed to the writer immediately, and summaries are empty.
    writes: bool,
    /// Protects the collected statistics. Held only briefly, and never while a file is written.
    collected: Mutex<Collected>,
}

#[derive(Default)]
struct Collected {
    histograms: BTreeMap<Bytes, Histogram>,
    writer: Option<Arc<Writer>>,
}

impl Shared for Aggregator {
    type Spec = bool;

    fn make(writes: bool) -> Result<Aggregator> {
        Ok(Aggregator { writes, collected: Mutex::default() })
    }

    fn check(&self, _: &bool) -> Result<()> {
        Ok(())
    }
}

impl Aggregator {
    /// Adds a value for element `step`.
    ///
    /// # Errors
    /// Errors of writing.
    fn add(&self, tag: &Bytes, value: f64, step: i64) -> Result<()> {
        let mut collected = self.collected.lock();
        let Collected { histograms, writer } = &mut *collected;
        let histogram = histograms.entry(tag.clone()).or_default();
        histogram.add(value);
        let Some(writer) = writer.clone().filter(|_| self.writes) else { return Ok(()) };
        let mut summary = Summary::default();
        summary.counted(tag, histogram);
        drop(collected);
        writer.summary(step, &summary)
    }

    /// Returns a summary of everything collected.
    fn summary(&self) -> Summary {
        let mut summary = Summary::default();
        if !self.writes {
            let collected = self.collected.lock();
            collected.histograms.iter().for_each(|(tag, histogram)| summary.counted(tag, histogram));
        }
        summary
    }
}

/// Where the stages of a pipeline report statistics, and the prefix of their tags.
#[derive(Clone)]
pub(crate) struct Collector {
    aggregator: Arc<Aggregator>,
    tag: Bytes,
}

impl Collector {
    /// The full tag.
    fn tag(&self, tag: &Bytes) -> Bytes {
        match self.tag.is_empty() {
            true => tag.clone(),
            false => [&self.tag[..], b"::", tag].concat().into(),
        }
    }
}

attrs! {
    /// Creates a handle to a collector of statistics of the elements of datasets.
    pub struct StatsAggregatorHandle {
        /// Container that holds it; empty for the default one.
        container: String = Attr::string("container").or_str(""),
        /// Name within the container; empty for the node's name.
        shared_name: String = Attr::string("shared_name").or_str(""),
        /// Whether each value is passed to the writer immediately.
        writes: bool = Attr::bool("writes").or_bool(false),
    }
}

pub static STATS_AGGREGATOR_HANDLE: Def<StatsAggregatorHandle> = op("StatsAggregatorHandle")
    .outputs(&[arg("handle", is(DType::Resource))])
    .without(&["writes"])
    .also(&[
        form("ExperimentalStatsAggregatorHandle").without(&["writes"]),
        form("StatsAggregatorHandleV2")
            .doc("Creates a handle to a collector that writes statistics of the elements of datasets to an event file.")
            .fixed(&[("writes", AttrDefault::Bool(true))]),
    ])
    .effect(Effect::Own)
    .shape(scalar_output)
    .kernel(|op: &StatsAggregatorHandle, cx| {
        set_handle::<Aggregator>(cx, &op.container, &op.shared_name, |_| Ok(op.writes))
    });

attrs! {
    /// Returns a summary of the collected statistics: a histogram for each tag.
    pub struct StatsAggregatorSummary {}
}

pub static STATS_AGGREGATOR_SUMMARY: Def<StatsAggregatorSummary> = op("StatsAggregatorSummary")
    .inputs(&[arg("iterator", is(DType::Resource))])
    .outputs(&[arg("summary", is(DType::Str))])
    .also(&[form("ExperimentalStatsAggregatorSummary")])
    .stateful()
    .shape(scalar_output)
    .kernel(|_: &StatsAggregatorSummary, cx| {
        let summary = handle::input::<Aggregator>(cx, 0)?.summary();
        cx.set(0, Tensor::string(summary.bytes()));
        Ok(())
    });

attrs! {
    /// Sets the event file to which a `StatsAggregatorHandleV2` writes statistics.
    pub struct StatsAggregatorSetSummaryWriter {}
}

pub static STATS_AGGREGATOR_SET_SUMMARY_WRITER: Def<StatsAggregatorSetSummaryWriter> =
    op("StatsAggregatorSetSummaryWriter")
        .inputs(&[arg("stats_aggregator", is(DType::Resource)), arg("summary", is(DType::Resource))])
        .stateful()
        .shape(|_, _| Ok(()))
        .kernel(|_: &StatsAggregatorSetSummaryWriter, cx| {
            let aggregator = handle::input::<Aggregator>(cx, 0)?;
            let writer = writer(cx, 1)?;
            aggregator.collected.lock().writer = Some(writer);
            Ok(())
        });

const NO_METADATA: &[&str] = &["metadata"];
const TAG: Arg = arg("tag", is(DType::Str));

pub static SET_STATS_AGGREGATOR_DATASET: Def<Plain> = op("SetStatsAggregatorDataset")
    .doc("Makes the stages of a dataset report statistics to a collector. `counter_prefix` is not used.")
    .inputs(&[INPUT, arg("stats_aggregator", is(DType::Resource)), TAG, arg("counter_prefix", is(DType::Str))])
    .outputs(DATASET)
    .without(NO_METADATA)
    .also(&[form("ExperimentalSetStatsAggregatorDataset")])
    .stateful()
    .shape(scalar_output)
    .kernel(|_, cx| {
        let (source, aggregator) = (input(cx, 0)?, handle::input::<Aggregator>(cx, 1)?);
        let tag = scalar(cx, 2, "tag")?;
        scalar::<Bytes>(cx, 3, "counter_prefix")?;
        make_like(cx, &source.clone(), Collects { source, collector: Collector { aggregator, tag } })
    });

pub static LATENCY_STATS_DATASET: Def<Plain> = op("LatencyStatsDataset")
    .doc("Reports the time that each element of a dataset takes, in microseconds, to the statistics collector.")
    .inputs(&[INPUT, TAG])
    .outputs(DATASET)
    .without(NO_METADATA)
    .also(&[form("ExperimentalLatencyStatsDataset")])
    .shape(scalar_output)
    .kernel(|_, cx| measured(cx, What::Latency));

pub static BYTES_PRODUCED_STATS_DATASET: Def<Plain> = op("BytesProducedStatsDataset")
    .doc("Reports the size of each element of a dataset, in bytes, to the statistics collector.")
    .inputs(&[INPUT, TAG])
    .outputs(DATASET)
    .without(NO_METADATA)
    .also(&[form("ExperimentalBytesProducedStatsDataset")])
    .shape(scalar_output)
    .kernel(|_, cx| measured(cx, What::Bytes));

fn measured(cx: &mut Cx<'_, '_>, what: What) -> Result<()> {
    let (source, tag) = (input(cx, 0)?, scalar(cx, 1, "tag")?);
    make_like(cx, &source.clone(), Measured { source, tag, what })
}

struct Collects {
    source: Source,
    collector: Collector,
}

impl Dataset for Collects {
    fn kind(&self) -> &'static str {
        "SetStatsAggregator"
    }

    fn cardinality(&self) -> i64 {
        self.source.cardinality()
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        setup.collecting(self.collector.clone()).make(&self.source)
    }
}

/// What is measured for each element.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Latency,
    Bytes,
}

struct Measured {
    source: Source,
    tag: Bytes,
    what: What,
}

impl Dataset for Measured {
    fn kind(&self) -> &'static str {
        match self.what {
            What::Latency => "LatencyStats",
            What::Bytes => "BytesProducedStats",
        }
    }

    fn cardinality(&self) -> i64 {
        self.source.cardinality()
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        let input = setup.make(&self.source)?;
        let to = setup.collector.as_ref().map(|collector| (collector.aggregator.clone(), collector.tag(&self.tag)));
        Ok(Box::new(MeasuredIter { input, what: self.what, to, given: 0, since: None }))
    }
}

struct MeasuredIter {
    input: Box<dyn Iter>,
    what: What,
    /// The collector, and the tag of the values; `None` if there is no collector.
    to: Option<(Arc<Aggregator>, Bytes)>,
    /// Number of elements returned so far.
    given: i64,
    /// When the pending element was requested.
    since: Option<Instant>,
}

/// Size of an element in bytes as TensorFlow counts it: a string takes 24 bytes plus its contents.
fn size(element: &Tuple) -> usize {
    let size = |component: &Tensor| match component.slice::<Bytes>() {
        Ok(strings) => strings.iter().map(|string| 24 + string.len()).sum(),
        Err(_) => component.num_bytes(),
    };
    element.iter().map(size).sum()
}

impl Iter for MeasuredIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        let Some((aggregator, tag)) = &self.to else { return self.input.poll(turn) };
        let since = match self.what {
            What::Latency => Some(*self.since.get_or_insert_with(Instant::now)),
            What::Bytes => None,
        };
        let given = ready!(self.input.poll(turn));
        self.since = None;
        let value = match (&given, since) {
            (Ok(None), _) | (Err(_), None) => None,
            (_, Some(since)) => Some(since.elapsed().as_micros() as f64),
            (Ok(Some(element)), None) => Some(size(element) as f64),
        };
        if let Some(value) = value {
            aggregator.add(tag, value, self.given)?;
        }
        self.given += i64::from(matches!(given, Ok(Some(_))));
        Poll::Ready(given)
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        to.int(self.given);
        self.input.save(turn, to)
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        self.given = from.int()?;
        self.input.restore(from)
    }
}

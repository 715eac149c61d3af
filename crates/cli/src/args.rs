//! The arguments of the command line.

mod checkpoint;
mod exports;
mod help;

pub use checkpoint::{CheckpointArgs, KeepArgs};
pub use exports::Exports;

use crate::feed::Feed;
use crate::nan::Watch;
use crate::place::ShapedFeed;
use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};
use levada::gradients::Aggregation;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// Runs TensorFlow-style dataflow graphs and shows what ran, where and when.
#[derive(Parser)]
#[command(name = "levada", version, after_help = help::LEVADA)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

/// What to do.
#[derive(Subcommand)]
pub enum Verb {
    /// Run a graph: one or more steps
    #[command(after_help = RUN_EXAMPLE)]
    Run(Box<RunArgs>),
    /// Show the contents of a graph, and all of its unsupported parts
    #[command(after_help = help::INSPECT)]
    Inspect(InspectArgs),
    /// Show the device of each node of a graph or a step, why, and the simulated cost of a step
    #[command(after_help = help::PLACE)]
    Place(PlaceArgs),
    /// Find races, stalls and waste in a graph without running it
    #[command(after_help = help::LINT)]
    Lint(LintArgs),
    /// Predict the peak memory of a step, and bound it for any order of its nodes
    #[command(after_help = help::MEMORY)]
    Memory(MemoryArgs),
    /// Predict the time of a step on other thread counts, and the error of the prediction
    #[command(after_help = help::TIME)]
    Time(TimeArgs),
    /// Compare two graphs node by node, or a graph with tensors from elsewhere
    #[command(after_help = help::COMPARE)]
    Compare(CompareArgs),
    /// Run a graph in other legal orders and report which results depend on the order
    #[command(after_help = help::EXPLORE)]
    Explore(ExploreArgs),
    /// Run steps as `run` does, and write a recording of them that `replay` repeats bit by bit
    #[command(after_help = help::RECORD)]
    Record(Box<RecordArgs>),
    /// Replay a recording, compare the results bit by bit, or stop at a node
    #[command(after_help = help::REPLAY)]
    Replay(ReplayArgs),
    /// Show the elements that an iterator of an input pipeline returns, or how many per second
    #[command(after_help = help::DATA)]
    Data(DataArgs),
    /// Replay recorded sessions and compare the results
    #[command(after_help = help::VERIFY)]
    Verify(VerifyArgs),
    /// Time a graph, called from one thread or from several concurrently
    #[command(after_help = help::BENCH)]
    Bench(BenchArgs),
    /// Add the nodes that compute gradients to a graph
    #[command(after_help = help::GRADIENTS)]
    Gradients(GradientsArgs),
    /// Write a graph that computes a batch of examples in one run
    #[command(after_help = help::BATCH)]
    Batch(ManyArgs),
    /// Write a model with its variables replaced by constants
    #[command(after_help = help::FREEZE)]
    Freeze(FreezeArgs),
    /// Write a graph whose convolutions and matrix products compute in 8-bit integers
    #[command(after_help = help::QUANTIZE)]
    Quantize(QuantizeArgs),
    /// List, compare, print and convert checkpoints and other files of tensors
    #[command(after_help = help::CHECKPOINT)]
    Checkpoint(CheckpointArgs),
    /// Write a model as a graph
    #[command(after_help = help::CONVERT)]
    Convert(ConvertArgs),
    /// List the devices of this machine, and why other backends found none
    #[command(after_help = help::DEVICES)]
    Devices(DevicesArgs),
    /// Read a trace: order, critical path, time by op, queues, devices
    #[command(after_help = help::TRACE)]
    Trace(TraceArgs),
    /// Write a page that shows a graph, its placement and its traces in a browser
    #[command(after_help = help::VIEW)]
    View(ViewArgs),
    /// List example graphs, or copy one
    #[command(after_help = help::EXAMPLES)]
    Examples(ExamplesArgs),
    /// Print the completion script for a shell
    #[command(after_help = help::COMPLETIONS)]
    Completions(CompletionsArgs),
    /// Write man pages of this command and its verbs
    #[command(after_help = help::MAN)]
    Man(ManArgs),
}

const RUN_EXAMPLE: &str = "Examples:
  levada run graphs/digits/infer.json --feed images=@graphs/digits/test_images.npy \\
    --feed labels=@graphs/digits/test_labels.npy --fetch accuracy --trace digits.trace.json
  levada run graphs/digits/train.json --queue-runners --allow-files graphs/digits --steps 500 --fetch loss \\
    --target train_op --then-fetch accuracy --then-feed images=@graphs/digits/test_images.npy \\
    --then-feed labels=@graphs/digits/test_labels.npy
  levada run model.json --init init --feed x=@x.npy --feed y=@y.npy --batch 32 --epochs 5 --fetch train_op,loss --json

docs/command-line.md describes all options. Exit codes: 1 an error in the graph, a feed or the run, 2 wrong usage, 130
interrupted, 141 standard output was closed by its reader.";

/// Arguments of `gradients`.
#[derive(Args)]
pub struct GradientsArgs {
    /// GraphDef as JSON, its short form, or a binary .pb
    pub graph: PathBuf,
    /// Refuse a graph with unsupported parts, even if nothing that runs needs them
    #[arg(long)]
    pub strict: bool,
    /// Values to differentiate: NODE or NODE:OUTPUT; several are summed
    #[arg(long, value_name = "NAMES", value_delimiter = ',', required = true)]
    pub of: Vec<String>,
    /// Values to differentiate with respect to
    #[arg(long, value_name = "NAMES", value_delimiter = ',', required = true)]
    pub by: Vec<String>,
    /// Values to treat as constant
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub stop: Vec<String>,
    /// How to add up the gradients that reach a value over several paths
    #[arg(long, value_enum, default_value_t = Aggregate::AddN)]
    pub aggregation: Aggregate,
    /// Where to write the graph with the gradients, as JSON
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// How gradients are added up.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Aggregate {
    /// In a single AddN
    AddN,
    /// One after the other, with less memory
    Tree,
}

impl From<Aggregate> for Aggregation {
    fn from(aggregate: Aggregate) -> Aggregation {
        match aggregate {
            Aggregate::AddN => Aggregation::AddN,
            Aggregate::Tree => Aggregation::Tree,
        }
    }
}

/// Arguments of `freeze`.
#[derive(Args)]
pub struct FreezeArgs {
    /// A SavedModel's directory; or a graph, with --init or --restore
    pub model: PathBuf,
    /// Where to write the graph: .pb, or .json
    pub out: PathBuf,
    /// Signature whose outputs are kept [default: the only one, or serving_default]
    #[arg(long, value_name = "NAME")]
    pub signature: Option<String>,
    /// Tags of the MetaGraph of a SavedModel, all of them [default: the only one, or serve]
    #[arg(long, value_name = "TAGS", value_delimiter = ',')]
    pub tag: Vec<String>,
    /// Outputs to keep: names of the signature or endpoints [default: all of the signature's]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub fetch: Vec<String>,
    /// Node to run first, such as the initializer of the variables
    #[arg(long, value_name = "NODE")]
    pub init: Option<String>,
    /// Checkpoint to restore the variables from: its prefix, such as model-100
    #[arg(long, value_name = "PREFIX")]
    pub restore: Option<PathBuf>,
    /// Refuse a graph with unsupported parts, even if no output needs them
    #[arg(long)]
    pub strict: bool,
}

/// Arguments of `batch`.
#[derive(Args)]
pub struct ManyArgs {
    /// GraphDef as JSON, its short form, or a binary .pb
    pub graph: PathBuf,
    /// Where to write the batched graph: .pb, or .json
    #[arg(long, short, value_name = "FILE")]
    pub out: PathBuf,
    /// Values that differ between examples: they are fed and get a leading batch axis
    #[arg(long, value_name = "NAMES", value_delimiter = ',', required = true)]
    pub by: Vec<String>,
    /// Outputs to keep [default: all that can be batched]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub fetch: Vec<String>,
    /// Refuse a graph with unsupported parts, even if no output needs them
    #[arg(long)]
    pub strict: bool,
    /// Print what was batched, and how, as JSON
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `quantize`.
#[derive(Args)]
pub struct QuantizeArgs {
    /// GraphDef as JSON, its short form, or a binary .pb, with constant weights: levada freeze writes such graphs
    pub graph: PathBuf,
    /// Where to write the quantized graph: .pb, or .json
    #[arg(long, short, value_name = "FILE")]
    pub out: PathBuf,
    /// Outputs of the graph, which keep their names
    #[arg(long, value_name = "NAMES", value_delimiter = ',', required = true)]
    pub fetch: Vec<String>,
    /// Arrays named by the endpoints that they are fed to; those of a file are one run, or several with --batch
    #[arg(long, value_name = "FILE.npz", value_delimiter = ',', required = true)]
    pub calibrate: Vec<PathBuf>,
    /// Rows of the arrays per run [default: all]
    #[arg(long, value_name = "ROWS", value_parser = clap::value_parser!(u64).range(1..))]
    pub batch: Option<u64>,
    /// How to choose the range of the activations that the codes cover
    #[arg(long, value_enum, default_value_t = Range::MinMax)]
    pub ranges: Range,
    /// Percentage of the values that --ranges percentile keeps
    #[arg(long, value_name = "PERCENT", default_value_t = 99.99)]
    pub percentile: f64,
    /// Convolutions and matrix products that stay in floats
    #[arg(long, value_name = "NODES", value_delimiter = ',')]
    pub keep: Vec<String>,
    /// Refuse a graph with unsupported parts, even if no output needs them
    #[arg(long)]
    pub strict: bool,
    /// Print the loss of each layer as JSON
    #[arg(long)]
    pub json: bool,
}

/// Range of the values seen in calibration that the codes cover.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Range {
    /// All values
    MinMax,
    /// All but those furthest from zero
    Percentile,
    /// The range with the least sum of squared errors
    LeastSquares,
}

/// Arguments of `convert`.
#[derive(Args)]
pub struct ConvertArgs {
    /// ONNX model, or a graph in any form
    pub model: PathBuf,
    /// Where to write the graph: a GraphDef for .pb, a MetaGraphDef with signatures for .meta, else JSON
    pub out: PathBuf,
}

/// A graph and what to do with it.
#[derive(Args)]
pub struct StepArgs {
    /// GraphDef as JSON, its short form, or a binary .pb; a SavedModel's directory; - for standard input
    pub graph: PathBuf,
    /// Signature whose names --feed and --fetch may use; without --fetch all of its outputs are fetched [default: of a
    /// model the only one, or serving_default]
    #[arg(long, value_name = "NAME")]
    pub signature: Option<String>,
    /// Tags of the MetaGraph of a SavedModel, all of them [default: the only one, or serve]
    #[arg(long, value_name = "TAGS", value_delimiter = ',')]
    pub tag: Vec<String>,
    /// Refuse a graph with unsupported parts, even if nothing that runs needs them
    #[arg(long)]
    pub strict: bool,
    /// Value for an endpoint: NAME=@FILE.npy, NAME=@FILE.npz:KEY, NAME=<json>, or NAME=@- for standard input
    #[arg(long, value_name = "NAME=VALUE")]
    pub feed: Vec<Feed>,
    /// Convert feeds to the dtype that the graph expects, if no value changes other than by rounding of floats
    #[arg(long)]
    pub cast: bool,
    /// Endpoints to fetch, NODE or NODE:OUTPUT, and operations to run: a,b or several times
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub fetch: Vec<String>,
    /// Nodes to run without fetching anything
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub target: Vec<String>,
    /// Nodes to run once before everything else, with the feeds that they need
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub init: Vec<String>,
    /// Directory whose files ops may read and write; may be given several times [default: no files]
    #[arg(long, value_name = "DIR")]
    pub allow_files: Vec<PathBuf>,
    /// Do not trust the graph: limit its memory, time, nodes, iterations, recursion, queues, strings and results, and
    /// let it access no files, except to read those of a SavedModel
    #[arg(long, conflicts_with = "allow_files")]
    pub untrusted: bool,
    /// Devices to use: cpu:2, gpu:1,cpu:1
    #[arg(long, value_name = "gpu:N,cpu:N", default_value = "cpu:1")]
    pub devices: Devices,
    /// Memory that tensors may take on each GPU: 2GB, 512MB [default: all of it]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub gpu_memory: Option<usize>,
    /// Let products and convolutions of float32 on CUDA devices round their factors to TF32
    #[arg(long)]
    pub tf32: bool,
    /// How to choose among devices: first-fit, heft, m-ETF or m-SCT
    #[arg(long, value_name = "PLACER", default_value = "first-fit")]
    pub placer: levada::Placer,
    /// Soft placement: nodes whose device does not exist or has no kernel for them run elsewhere
    #[arg(long)]
    pub soft: bool,
    /// Do not fuse nodes, and compute convolutions directly (no Winograd)
    #[arg(long)]
    pub no_fusion: bool,
    /// Keep the input order in queues that several runs of queue runners feed, for any number of threads
    #[arg(long)]
    pub ordered: bool,
    /// Threads in total [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Time after which a step fails: 10s, 500ms, 2m
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub timeout: Option<Duration>,
    /// If a run deadlocks, write which nodes wait for what, as JSON or for Graphviz
    #[arg(long, value_name = "FILE.json|FILE.dot")]
    pub waiting: Option<PathBuf>,
    /// Report which nodes wait for what once a run has waited this long [default: 10s on a terminal, else never]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub report_waits: Option<Duration>,
}

/// Arguments of `run`.
#[derive(Args)]
pub struct RunArgs {
    /// The graph and the step.
    #[command(flatten)]
    pub step: StepArgs,
    /// Steps to run [default: 1; with --batch and --queue-runners as many as there is input for]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub steps: Option<u64>,
    /// Start the graph's queue runners, after --init and the graph's own `init_op` and `local_init_op`, and stop them
    /// at the end
    #[arg(long)]
    pub queue_runners: bool,
    /// Write a trace of the steps and of how full queues were; Chrome and Perfetto open it, `levada trace` reads it
    #[arg(long, value_name = "FILE.json")]
    pub trace: Option<PathBuf>,
    /// Stop at the first node that produces a NaN or an infinity from finite inputs, report it, and save its inputs:
    /// nan, nan-only to ignore infinities, and with ,feeds also at one that comes from a feed, a constant, a variable
    /// or a file
    #[arg(long, value_name = "nan|nan-only[,feeds]")]
    pub watch: Option<Watch>,
    /// Where --watch saves the inputs; no file is overwritten [default: the graph's name with .nan.npz, in this
    /// directory]
    #[arg(long, value_name = "FILE.npz", requires = "watch")]
    pub watch_out: Option<PathBuf>,
    /// Write an event file for TensorBoard in this directory: the graph, the scalars and summaries that each step
    /// fetches, the graph's own summaries, and with --trace what ran when
    #[arg(long, value_name = "DIR")]
    pub summaries: Option<PathBuf>,
    /// Write the values fetched in the last step and with --then-fetch, in the format of the extension: .npz, .npy,
    /// .json or .csv
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Let --out write every step: stacked along a new first axis, or as NAME[STEP] if shapes differ
    #[arg(long, requires = "out")]
    pub out_all: bool,
    /// Print one JSON object for every step, {"step": 1, "fetch": {...}}; everything else goes to standard error
    #[arg(long)]
    pub json: bool,
    /// Print nothing but errors, and what --json prints
    #[arg(long, short)]
    pub quiet: bool,
    /// How to make batches of the feeds.
    #[command(flatten)]
    pub batches: BatchArgs,
    /// Like --feed, but not split into batches
    #[arg(long, value_name = "NAME=VALUE")]
    pub feed_whole: Vec<Feed>,
    /// What to run once after the steps.
    #[command(flatten)]
    pub then: ThenArgs,
    /// Checkpoints to restore and save.
    #[command(flatten)]
    pub checkpoints: KeepArgs,
}

/// How to make batches of feeds.
#[derive(Args, Clone, Debug, Default)]
pub struct BatchArgs {
    /// Feed each step the next N rows of the --feed arrays; scalars are not split
    #[arg(long, value_name = "N", value_parser = positive)]
    pub batch: Option<usize>,
    /// Reshuffle the rows for every epoch; the same seed gives the same order
    #[arg(long, value_name = "SEED", requires = "batch")]
    pub shuffle: Option<u64>,
    /// Passes over the rows [default: 1; with --steps as many as needed]
    #[arg(long, value_name = "N", requires = "batch", value_parser = clap::value_parser!(u64).range(1..))]
    pub epochs: Option<u64>,
    /// Drop the last batch of an epoch if it is incomplete
    #[arg(long, requires = "batch")]
    pub drop_remainder: bool,
}

fn positive(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&n| n > 0).ok_or_else(|| "write a number from 1".to_owned())
}

/// What to run once after the steps, such as an evaluation of the trained model.
#[derive(Args)]
pub struct ThenArgs {
    /// Endpoints to fetch once after the steps
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub then_fetch: Vec<String>,
    /// Nodes to run once after the steps without fetching anything
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub then_target: Vec<String>,
    /// Value for an endpoint in that last run, which ignores --feed
    #[arg(long, value_name = "NAME=VALUE")]
    pub then_feed: Vec<Feed>,
}

/// Arguments of `bench`.
#[derive(Args)]
pub struct BenchArgs {
    /// The graph and the step.
    #[command(flatten)]
    pub step: StepArgs,
    /// Timed runs per caller [default: as many as fit into two seconds, at least ten]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub steps: Option<u64>,
    /// Runs before the timed ones [default: as many as fit into 0.3 seconds, at least three]
    #[arg(long, value_name = "N")]
    pub warm_up: Option<u32>,
    /// Call the graph from 1 to N threads concurrently and report the gain of each additional one
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub callers: Option<u16>,
    /// A second signature.
    #[command(flatten)]
    pub also: AlsoArgs,
    /// Start the graph's queue runners, after --init and the graph's own `init_op` and `local_init_op`; the input may
    /// end before the runs do
    #[arg(long)]
    pub queue_runners: bool,
    /// Write a trace of one run after the timed ones, and of how full queues were during all of them
    #[arg(long, value_name = "FILE.json")]
    pub trace: Option<PathBuf>,
    /// Write the values fetched in the last run
    #[arg(long, value_name = "FILE.npz")]
    pub out: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// A second signature that alternates with the first.
#[derive(Args)]
#[command(next_help_heading = "In turn")]
pub struct AlsoArgs {
    /// Endpoints to fetch in a second run that alternates with the first
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub also_fetch: Vec<String>,
    /// Nodes to run in a second run that alternates with the first
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub also_target: Vec<String>,
    /// Value for an endpoint in that second run, which ignores --feed
    #[arg(long, value_name = "NAME=VALUE")]
    pub also_feed: Vec<Feed>,
}

/// Arguments of `inspect`.
#[derive(Args)]
pub struct InspectArgs {
    /// GraphDef as JSON, its short form, or a binary .pb; a SavedModel's directory; - for standard input
    pub graph: PathBuf,
    /// Tags of the MetaGraph of a SavedModel, all of them [default: the only one, or serve]
    #[arg(long, value_name = "TAGS", value_delimiter = ',')]
    pub tag: Vec<String>,
    /// Show every list in full [default: on a terminal the first 40 entries of each]
    #[arg(long)]
    pub all: bool,
    /// Print one JSON object, in which every list is complete
    #[arg(long)]
    pub json: bool,
    /// If these include GPUs, list the nodes that no GPU has a kernel for
    #[arg(long, value_name = "gpu:N,cpu:N", default_value = "cpu:1")]
    pub devices: Devices,
}

/// Arguments of `lint`.
#[derive(Args)]
pub struct LintArgs {
    /// GraphDef as JSON, its short form, or a binary .pb; a SavedModel's directory; an ONNX model
    pub graph: PathBuf,
    /// Tags of the MetaGraph of a SavedModel, all of them [default: the only one, or serve]
    #[arg(long, value_name = "TAGS", value_delimiter = ',')]
    pub tag: Vec<String>,
    /// Endpoints that a run fetches: check that run only [default: the whole graph]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub fetch: Vec<String>,
    /// Nodes that the run executes without fetching them
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub target: Vec<String>,
    /// Endpoints that the run feeds; names only
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub feed: Vec<String>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `explore`.
#[derive(Args)]
pub struct ExploreArgs {
    /// GraphDef as JSON, its short form, or a binary .pb; a SavedModel's directory; an ONNX model
    pub graph: PathBuf,
    /// Tags of the MetaGraph of a SavedModel, all of them [default: the only one, or serve]
    #[arg(long, value_name = "TAGS", value_delimiter = ',')]
    pub tag: Vec<String>,
    /// Value for an endpoint: NAME=@FILE.npy, NAME=@FILE.npz:KEY or NAME=<json>
    #[arg(long, value_name = "NAME=VALUE")]
    pub feed: Vec<Feed>,
    /// Nodes to run before each order, in the usual order, with the feeds that they need
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub init: Vec<String>,
    /// Endpoints to fetch, and operations to run
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub fetch: Vec<String>,
    /// Nodes to run without fetching anything
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub target: Vec<String>,
    /// Maximum number of orders to try besides the usual one
    #[arg(long, value_name = "N", default_value = "200", value_parser = positive)]
    pub orders: usize,
    /// Seed of the random orders
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub seed: u64,
    /// Time after which a run in one order fails: 10s, 500ms, 2m
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration)]
    pub timeout: Duration,
    /// Directory whose files ops may read and write; may be given several times [default: no files]
    #[arg(long, value_name = "DIR")]
    pub allow_files: Vec<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `view`.
#[derive(Args)]
pub struct ViewArgs {
    /// GraphDef as JSON, its short form, or a binary .pb; a SavedModel's directory; an ONNX model
    pub graph: PathBuf,
    /// Tags of the MetaGraph of a SavedModel, all of them [default: the only one, or serve]
    #[arg(long, value_name = "TAGS", value_delimiter = ',')]
    pub tag: Vec<String>,
    /// Trace written by `run --trace` or `bench --trace`
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Earlier trace to compare with
    #[arg(long, value_name = "FILE", requires = "trace")]
    pub before: Option<PathBuf>,
    /// Placement printed by `place --json`
    #[arg(long, value_name = "FILE")]
    pub place: Option<PathBuf>,
    /// Where to write the page [default: the graph's name with .html, in this directory]
    #[arg(long, value_name = "FILE", conflicts_with = "serve")]
    pub out: Option<PathBuf>,
    /// Serve the page to browsers on this machine until interrupted [default port: any free one]
    #[arg(long, value_name = "PORT", num_args = 0..=1, default_missing_value = "0")]
    pub serve: Option<u16>,
}

/// Arguments of `data`.
#[derive(Args)]
pub struct DataArgs {
    /// GraphDef as JSON, its short form, or a binary .pb; a SavedModel's directory
    pub graph: PathBuf,
    /// Tags of the MetaGraph of a SavedModel, all of them [default: the only one, or serve]
    #[arg(long, value_name = "TAGS", value_delimiter = ',')]
    pub tag: Vec<String>,
    /// The iterator, or the node that reads it
    #[arg(long, value_name = "NAME")]
    pub iterator: String,
    /// Elements to read [default: 10; with --bench as many as arrive in two seconds]
    #[arg(long, value_name = "N")]
    pub take: Option<u64>,
    /// Report elements per second, instead of the elements
    #[arg(long)]
    pub bench: bool,
    /// Nodes to run first, such as the initializers of tables
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub init: Vec<String>,
    /// Directory whose files ops may read and write; may be given several times [default: no files]
    #[arg(long, value_name = "DIR")]
    pub allow_files: Vec<PathBuf>,
    /// Threads in total [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Print one JSON object with --bench
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `compare`.
#[derive(Args)]
pub struct CompareArgs {
    /// GraphDef as JSON, its short form, or a binary .pb; a SavedModel's directory; an ONNX model
    pub first: PathBuf,
    /// The same kinds of file, or a .npz of tensors by the names of nodes or outputs
    pub second: PathBuf,
    /// Value for an endpoint of both: NAME=@FILE.npy, NAME=@FILE.npz:KEY or NAME=<json>
    #[arg(long, value_name = "NAME=VALUE")]
    pub feed: Vec<Feed>,
    /// Nodes to run first in both, to initialize variables
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub init: Vec<String>,
    /// Compare the nodes that these need [default: all that can be computed from the feeds without changing state]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub fetch: Vec<String>,
    /// Tolerance relative to the second
    #[arg(long, value_name = "X", default_value_t = 1e-5)]
    pub rtol: f64,
    /// Absolute tolerance
    #[arg(long, value_name = "X", default_value_t = 1e-6)]
    pub atol: f64,
    /// Devices of the first: cpu:2, gpu:1,cpu:1
    #[arg(long, value_name = "gpu:N,cpu:N", default_value = "cpu:1")]
    pub devices: Devices,
    /// Devices of the second [default: those of the first]
    #[arg(long, value_name = "gpu:N,cpu:N")]
    pub second_devices: Option<Devices>,
    /// Show outputs that are equal, too
    #[arg(long)]
    pub all: bool,
    /// Write a picture of the first output that differs: each element's value in the second plotted against the first
    #[arg(long, value_name = "FILE.svg")]
    pub svg: Option<PathBuf>,
    /// Print one JSON object that includes every output
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `place`.
#[derive(Args)]
pub struct PlaceArgs {
    /// GraphDef as JSON, its short form, or a binary .pb; - for standard input
    pub graph: PathBuf,
    /// Refuse a graph with unsupported parts
    #[arg(long)]
    pub strict: bool,
    /// Devices to place on: cpu:2, gpu:1,cpu:1
    #[arg(long, value_name = "gpu:N,cpu:N", default_value = "cpu:1")]
    pub devices: Devices,
    /// Place on the devices that this file describes, and simulate a step on them
    #[arg(long, value_name = "FILE.json")]
    pub cluster: Option<PathBuf>,
    /// Consider only the nodes of a step that fetches these: a,b or several times
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = "The step")]
    pub fetch: Vec<String>,
    /// Consider only the nodes of a step that has these targets
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = "The step")]
    pub target: Vec<String>,
    /// Endpoint that the step feeds, and its shape: x=32x784, x=@x.npy, or x alone for the shape given in the graph
    #[arg(long, value_name = "NAME[=SHAPE]", help_heading = "The step")]
    pub feed: Vec<ShapedFeed>,
    /// How to choose where the graph leaves a choice: first-fit, heft, m-ETF or m-SCT
    #[arg(long, value_name = "PLACER", default_value = "first-fit")]
    pub placer: levada::Placer,
    /// Take the costs of nodes from this trace
    #[arg(long, value_name = "TRACE.json")]
    pub costs: Option<PathBuf>,
    /// Soft placement: nodes whose device does not exist or has no kernel for them run elsewhere
    #[arg(long)]
    pub soft: bool,
    /// Threads that the CPU devices share [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Explain why this node is on its device
    #[arg(long, value_name = "NODE")]
    pub explain: Option<String>,
    /// Show the nodes that another placer, or a placement written by --json, puts elsewhere
    #[arg(long, value_name = "PLACER|FILE.json", conflicts_with = "explain")]
    pub diff: Option<String>,
    /// Simulate a step on the session's own devices
    #[arg(long)]
    pub simulate: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// Write the graph in Graphviz's language, coloured by device
    #[arg(long, value_name = "FILE.dot")]
    pub dot: Option<PathBuf>,
    /// Write the graph as a picture, coloured by device
    #[arg(long, value_name = "FILE.svg")]
    pub svg: Option<PathBuf>,
    /// Write the simulated step as a Chrome/Perfetto trace
    #[arg(long, value_name = "FILE.json")]
    pub trace: Option<PathBuf>,
    /// Write the partition of the whole graph on each device, with sends and receives, as a GraphDef
    #[arg(long, value_name = "DIR", conflicts_with_all = ["fetch", "target"])]
    pub partitions: Option<PathBuf>,
}

/// Arguments of `memory`.
#[derive(Args)]
pub struct MemoryArgs {
    /// Model: a GraphDef as JSON, its short form or a binary .pb, a SavedModel, an ONNX model; - for standard input
    pub graph: PathBuf,
    /// Tags of the MetaGraph of a SavedModel, all of them
    #[arg(long, value_name = "TAGS", value_delimiter = ',')]
    pub tag: Vec<String>,
    /// Endpoints that the step fetches: a,b or several times [default: all outputs that no node uses]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub fetch: Vec<String>,
    /// Nodes that the step runs
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub target: Vec<String>,
    /// Endpoint that the step feeds, and its shape: x=32x784, x=[32,784], x=[32,784]:float32, x=@x.npy; placeholders
    /// that are not named have the shape given in the graph
    #[arg(long, value_name = "NAME[=SHAPE]")]
    pub feed: Vec<ShapedFeed>,
    /// Devices: cpu:2, gpu:1,cpu:1
    #[arg(long, value_name = "gpu:N,cpu:N", default_value = "cpu:1")]
    pub devices: Devices,
    /// Soft placement: nodes whose device does not exist or has no kernel for them run elsewhere
    #[arg(long)]
    pub soft: bool,
    /// Threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Refuse the step if it may take more on a device, and search for control edges that prevent it
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub limit: Option<usize>,
    /// Write the graph with those control edges; .json or .pb
    #[arg(long, short, value_name = "FILE", requires = "limit")]
    pub out: Option<PathBuf>,
    /// Run the step too, with zeros for feeds given only by shape, and show the measured peak beside the predicted one
    #[arg(long)]
    pub run: bool,
    /// Nodes to run once first, with --run
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "run")]
    pub init: Vec<String>,
    /// Steps to measure; the maximum counts
    #[arg(long, value_name = "N", default_value_t = 3, requires = "run")]
    pub steps: u32,
    /// Directory whose files the graph may read and write, with --run; may be given several times
    #[arg(long, value_name = "DIR", requires = "run")]
    pub allow_files: Vec<PathBuf>,
    /// Show every tensor, not only the largest
    #[arg(long)]
    pub all: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `time`.
#[derive(Args)]
pub struct TimeArgs {
    /// GraphDef as JSON, its short form, or a binary .pb; - for standard input
    pub graph: PathBuf,
    /// Endpoints that the step fetches: a,b or several times
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub fetch: Vec<String>,
    /// Nodes that the step runs
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub target: Vec<String>,
    /// Endpoint that the step feeds: x=@x.npy, or a shape for zeros: x=32x784, x=[32,784]
    #[arg(long, value_name = "NAME[=SHAPE]")]
    pub feed: Vec<ShapedFeed>,
    /// Thread counts to predict for: 1,2,4
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "1,2,4", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Vec<u16>,
    /// Devices to run and predict on: cpu:2, gpu:1,cpu:1
    #[arg(long, value_name = "gpu:N,cpu:N", default_value = "cpu:1")]
    pub devices: Devices,
    /// Soft placement: nodes whose device does not exist or has no kernel for them run elsewhere
    #[arg(long)]
    pub soft: bool,
    /// Take the costs of nodes from this trace instead of running the step
    #[arg(long, value_name = "TRACE.json")]
    pub trace: Option<PathBuf>,
    /// Run steps on each thread count too, and show the error of each prediction
    #[arg(long)]
    pub check: bool,
    /// Nodes to run once first
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub init: Vec<String>,
    /// Steps to time; the median counts
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub steps: u32,
    /// Directory whose files the graph may read and write; may be given several times
    #[arg(long, value_name = "DIR")]
    pub allow_files: Vec<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `verify`.
#[derive(Args)]
pub struct VerifyArgs {
    /// Recorded sessions: .jsonl or .jsonl.gz
    #[arg(required = true)]
    pub cases: Vec<PathBuf>,
    /// Only cases with this in their name, or with an op of this name
    #[arg(long, value_name = "TEXT")]
    pub filter: Option<String>,
    /// Run nodes that name no device on this one if it has a kernel for them: /device:GPU:0. The tolerance is then ten
    /// times that of the recordings
    #[arg(long, value_name = "DEVICE", value_parser = device)]
    pub device: Option<Device>,
    /// Threads of each session
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// Directory whose files cases may read and write; may be given several times. With --jobs 1 cases find the files of
    /// the cases before them [default: no files]
    #[arg(long, value_name = "DIR")]
    pub allow_files: Vec<PathBuf>,
    /// Cases to run concurrently [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Time after which a case fails
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    pub timeout: Duration,
    /// Do not trust the graphs: run them with the limits of `run --untrusted`
    #[arg(long)]
    pub untrusted: bool,
    /// Run ready nodes in a random order, on random threads and with pauses, from this seed
    #[arg(long, value_name = "SEED")]
    pub disorder: Option<u64>,
    /// Record the session of each case in a file in this directory for `levada replay`
    #[arg(long, value_name = "DIR", conflicts_with = "device")]
    pub record: Option<PathBuf>,
    /// Write a JSON array with a row per case: name, status, why
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

/// Arguments of `record`.
#[derive(Args)]
pub struct RecordArgs {
    /// What to run.
    #[command(flatten)]
    pub run: RunArgs,
    /// Where to write the recording
    #[arg(long, value_name = "FILE")]
    pub recording: PathBuf,
    /// Leave the graph out of the recording: a replay then needs the same graph
    #[arg(long)]
    pub without_graph: bool,
}

/// Arguments of `replay`.
#[derive(Args)]
pub struct ReplayArgs {
    /// Recordings written by `levada record` or `levada verify --record`
    #[arg(required = true)]
    pub recordings: Vec<PathBuf>,
    /// The graph, for a recording without one: GraphDef as JSON, its short form, or a binary .pb; a SavedModel's
    /// directory; an ONNX model
    #[arg(long, value_name = "GRAPH")]
    pub graph: Option<PathBuf>,
    /// Threads in total [default: as many as were recorded]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Stop when this node has run, and show its inputs and outputs
    #[arg(long, value_name = "NODE")]
    pub until: Option<String>,
    /// Stop only in the run with this number
    #[arg(long, value_name = "N", requires = "until")]
    pub run: Option<u64>,
    /// Write the values that the runs fetch, as RUN/NAME, or the inputs and outputs of the node
    #[arg(long, value_name = "FILE.npz")]
    pub out: Option<PathBuf>,
    /// Directory whose files ops may read and write; may be given several times [default: no files]
    #[arg(long, value_name = "DIR")]
    pub allow_files: Vec<PathBuf>,
    /// Print one JSON object for every recording
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `devices`.
#[derive(Args)]
pub struct DevicesArgs {
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// Show the messages of drivers and their loaders on standard error
    #[arg(long)]
    pub drivers: bool,
}

/// Arguments of `examples`.
#[derive(Args)]
pub struct ExamplesArgs {
    /// The example to copy [default: list them]
    pub name: Option<String>,
    /// Where to copy it [default: a folder with its name]
    pub dir: Option<PathBuf>,
    /// Overwrite files that differ
    #[arg(long)]
    pub force: bool,
}

/// Arguments of `completions`.
#[derive(Args)]
pub struct CompletionsArgs {
    /// The shell
    pub shell: clap_complete::Shell,
}

/// Arguments of `man`.
#[derive(Args)]
pub struct ManArgs {
    /// Folder for the pages, created if it does not exist
    #[arg(long, value_name = "DIR", default_value = "man")]
    pub out: PathBuf,
}

/// Arguments of `trace`.
#[derive(Args)]
#[command(group(ArgGroup::new("as_json").args(["order", "critical_path", "queues", "pipeline"]).multiple(true)))]
pub struct TraceArgs {
    /// A trace written by `run --trace`, `bench --trace` or `place --trace`, or any Chrome trace; - for standard input
    pub file: PathBuf,
    /// Nodes in the order in which they started, each with the input that arrived last
    #[arg(long)]
    pub order: bool,
    /// With --order: one JSON object per line; with --critical-path, --queues or --pipeline: one object
    #[arg(long, requires = "as_json")]
    pub json: bool,
    /// Only the step with this number, as `run` counts them [default: all, and those of queue runners]
    #[arg(long, value_name = "N")]
    pub step: Option<u64>,
    /// The chain of nodes that decided when the step ended, and where its time went
    #[arg(long)]
    pub critical_path: bool,
    /// Time by op
    #[arg(long)]
    pub by_op: bool,
    /// How full queues were, which nodes waited at them, the bottleneck, and the confidence in it
    #[arg(long)]
    pub queues: bool,
    /// The cost of each stage of an input pipeline, which stage waits for which, what limits the rate, and what would
    /// raise it; then queues, if there are any
    #[arg(long, conflicts_with_all = ["critical_path", "by_op", "devices"])]
    pub pipeline: bool,
    /// GPU activity: kernels, copies, queueing times; with --order every piece of work
    #[arg(long)]
    pub devices: bool,
    /// Files to write in other formats.
    #[command(flatten)]
    pub exports: Exports,
}

/// Which devices to use, and how many of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Devices {
    /// Number of CPU devices; 0 stands for one.
    pub cpus: usize,
    /// Number of GPUs.
    pub gpus: usize,
}

impl FromStr for Devices {
    type Err = String;

    fn from_str(text: &str) -> Result<Devices, String> {
        let mut devices = Devices { cpus: 0, gpus: 0 };
        for part in text.split(',') {
            let (kind, count) = part.split_once(':').unwrap_or((part, "1"));
            let count = count.parse().ok().filter(|n| (1..=64).contains(n));
            let number = match kind {
                "cpu" => &mut devices.cpus,
                "gpu" => &mut devices.gpus,
                _ => return Err(format!("there are no devices of kind {kind:?}; write cpu:N or gpu:N")),
            };
            match count {
                Some(n) if *number == 0 => *number = n,
                Some(_) => return Err(format!("name {kind} once, as {kind}:N")),
                None => return Err(format!("the number of {kind} devices is from 1 to 64")),
            }
        }
        Ok(devices)
    }
}

/// A device that cases are replayed on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    /// Its type: `CPU`, `GPU`.
    pub kind: String,
    /// Its number.
    pub id: u32,
}

fn device(text: &str) -> Result<Device, String> {
    let name = levada::graph::device::DeviceName::parse(text).map_err(|e| e.message().to_owned())?;
    match (name.kind, name.id.unwrap_or(0)) {
        (Some(kind), id) if matches!(&*kind, "CPU" | "GPU") && id < 64 => Ok(Device { kind, id }),
        _ => Err("write /device:GPU:N or /device:CPU:N".to_owned()),
    }
}

/// Reads `2GB`, `512MB`.
fn size(text: &str) -> Result<usize, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "" | "B" => 1.0,
        "KB" => 1e3,
        "MB" => 1e6,
        "GB" => 1e9,
        unit => return Err(format!("{unit:?} is not a unit of memory; write MB or GB")),
    };
    let number: f64 = digits.parse().map_err(|_| "write a number and a unit, such as 2GB".to_owned())?;
    let bytes = number * unit;
    if (1.0..1e18).contains(&bytes) { Ok(bytes as usize) } else { Err("that is not a memory size".to_owned()) }
}

/// Reads `10s`, `500ms`, `2m`, `1.5s`.
fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let seconds = match &text[digits.len()..] {
        "us" => 1e-6,
        "ms" => 1e-3,
        "s" | "" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        unit => return Err(format!("{unit:?} is not a unit of time; write us, ms, s, m or h")),
    };
    let number: f64 = digits.parse().map_err(|_| "write a number and a unit, such as 10s".to_owned())?;
    Duration::try_from_secs_f64(number * seconds)
        .ok()
        .filter(|d| !d.is_zero())
        .ok_or_else(|| "the time must be positive and finite".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn devices_and_times_are_read() {
        assert_eq!("cpu:2".parse(), Ok(Devices { cpus: 2, gpus: 0 }));
        assert_eq!("cpu".parse(), Ok(Devices { cpus: 1, gpus: 0 }));
        assert_eq!("gpu:2,cpu:1".parse(), Ok(Devices { cpus: 1, gpus: 2 }));
        for wrong in ["", "tpu:1", "gpu:0", "cpu:0", "cpu:x", "cpu:1,cpu:2", "gpu,gpu"] {
            Devices::from_str(wrong).unwrap_err();
        }
        for name in ["/device:GPU:0", "/gpu:0", "GPU:0", "/device:GPU"] {
            assert_eq!(device(name), Ok(Device { kind: "GPU".to_owned(), id: 0 }), "{name}");
        }
        for wrong in ["", "/device:TPU:0", "/job:a", "nothing"] {
            device(wrong).unwrap_err();
        }
        assert_eq!(size("1.5GB"), Ok(1_500_000_000));
        for wrong in ["", "GB", "-1GB", "2TB", "0", "nanGB"] {
            size(wrong).unwrap_err();
        }
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("1.5s"), Ok(Duration::from_millis(1500)));
        for wrong in ["", "s", "-1s", "0s", "5 parsecs", "1e400s", "nans"] {
            duration(wrong).unwrap_err();
        }
    }
}

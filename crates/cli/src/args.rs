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
    /// Show the contents of a graph, and everything in it that is not supported
    #[command(after_help = help::INSPECT)]
    Inspect(InspectArgs),
    /// Show the device of each node of a graph or a step, why, and the simulated cost of a step
    #[command(after_help = help::PLACE)]
    Place(PlaceArgs),
    /// Find races, stalls and waste in a graph without running it
    #[command(after_help = help::LINT)]
    Lint(LintArgs),
    /// Say what a step takes of memory before it runs, and at most, in whatever order its nodes run
    #[command(after_help = help::MEMORY)]
    Memory(MemoryArgs),
    /// Say how long a step is expected to take on other numbers of threads, and how far that is off
    #[command(after_help = help::TIME)]
    Time(TimeArgs),
    /// Compare two graphs node by node, or a graph and tensors from elsewhere
    #[command(after_help = help::COMPARE)]
    Compare(CompareArgs),
    /// Run a graph in other legal orders and tell which results depend on the order
    #[command(after_help = help::EXPLORE)]
    Explore(ExploreArgs),
    /// Run steps as `run` does, and write a recording of them that `replay` repeats bit by bit
    #[command(after_help = help::RECORD)]
    Record(Box<RecordArgs>),
    /// Repeat a recording, compare what it gives bit by bit, and stop at a node
    #[command(after_help = help::REPLAY)]
    Replay(ReplayArgs),
    /// Show the elements that an iterator of an input pipeline gives, or how many a second
    #[command(after_help = help::DATA)]
    Data(DataArgs),
    /// Replay recorded sessions and compare the results
    #[command(after_help = help::VERIFY)]
    Verify(VerifyArgs),
    /// Time a graph, from one thread or from several at once
    #[command(after_help = help::BENCH)]
    Bench(BenchArgs),
    /// Add the nodes that compute gradients to a graph
    #[command(after_help = help::GRADIENTS)]
    Gradients(GradientsArgs),
    /// Write a graph that computes many examples at once
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
    /// List the devices of this machine, and why there are no others
    #[command(after_help = help::DEVICES)]
    Devices(DevicesArgs),
    /// Read a trace: order, critical path, time by op, queues, devices
    #[command(after_help = help::TRACE)]
    Trace(TraceArgs),
    /// Write one page that shows a graph, its placement and its traces in a browser
    #[command(after_help = help::VIEW)]
    View(ViewArgs),
    /// List example graphs, or copy one
    #[command(after_help = help::EXAMPLES)]
    Examples(ExamplesArgs),
    /// Print the script that lets a shell complete this command
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

docs/command-line.md goes through all of it. Exit codes: 1 the graph, a feed or the run was at fault, 2 the command line
was, 130 interrupted, 141 the reader of standard output went away.";

/// What to differentiate by what.
#[derive(Args)]
pub struct GradientsArgs {
    /// GraphDef as JSON, its short form, or a binary .pb
    pub graph: PathBuf,
    /// Refuse a graph with anything in it that is not supported, also where nothing that runs needs it
    #[arg(long)]
    pub strict: bool,
    /// What to differentiate: NODE or NODE:OUTPUT; of several the sum
    #[arg(long, value_name = "NAMES", value_delimiter = ',', required = true)]
    pub of: Vec<String>,
    /// What to differentiate by
    #[arg(long, value_name = "NAMES", value_delimiter = ',', required = true)]
    pub by: Vec<String>,
    /// What to take as constant
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub stop: Vec<String>,
    /// How to add up the gradients that reach a value over several ways
    #[arg(long, value_enum, default_value_t = Aggregate::AddN)]
    pub aggregation: Aggregate,
    /// Where to write the graph with the gradients, as JSON
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// How gradients are added up.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Aggregate {
    /// All at once
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

/// What to freeze.
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
    /// Outputs to keep, of the signature or endpoints [default: all of the signature's]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub fetch: Vec<String>,
    /// Node to run first, such as one that gives the variables of a graph their first values
    #[arg(long, value_name = "NODE")]
    pub init: Option<String>,
    /// Checkpoint with other values of the variables: its prefix, such as model-100
    #[arg(long, value_name = "PREFIX")]
    pub restore: Option<PathBuf>,
    /// Refuse a graph with anything in it that is not supported, also where no output needs it
    #[arg(long)]
    pub strict: bool,
}

/// What to batch.
#[derive(Args)]
pub struct ManyArgs {
    /// GraphDef as JSON, its short form, or a binary .pb
    pub graph: PathBuf,
    /// Where to write the batched graph: .pb, or .json
    #[arg(long, short, value_name = "FILE")]
    pub out: PathBuf,
    /// What examples differ in: values that get a first axis for the examples and are fed
    #[arg(long, value_name = "NAMES", value_delimiter = ',', required = true)]
    pub by: Vec<String>,
    /// What is needed of the graph [default: all that can be batched]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub fetch: Vec<String>,
    /// Refuse a graph with anything in it that is not supported, also where no output needs it
    #[arg(long)]
    pub strict: bool,
    /// Print what was batched, and how, as JSON
    #[arg(long)]
    pub json: bool,
}

/// What to quantize.
#[derive(Args)]
pub struct QuantizeArgs {
    /// GraphDef as JSON, its short form, or a binary .pb, with constants for weights: levada freeze writes such graphs
    pub graph: PathBuf,
    /// Where to write the quantized graph: .pb, or .json
    #[arg(long, short, value_name = "FILE")]
    pub out: PathBuf,
    /// What the graph is for: its outputs keep their names
    #[arg(long, value_name = "NAMES", value_delimiter = ',', required = true)]
    pub fetch: Vec<String>,
    /// Arrays by the names of the endpoints that they are fed to; those of a file are one run, or several with --batch
    #[arg(long, value_name = "FILE.npz", value_delimiter = ',', required = true)]
    pub calibrate: Vec<PathBuf>,
    /// Rows of the arrays that are fed at once [default: all]
    #[arg(long, value_name = "ROWS", value_parser = clap::value_parser!(u64).range(1..))]
    pub batch: Option<u64>,
    /// Which of the numbers that were seen codes must stand for
    #[arg(long, value_enum, default_value_t = Range::MinMax)]
    pub ranges: Range,
    /// Numbers that --ranges percentile keeps
    #[arg(long, value_name = "PERCENT", default_value_t = 99.99)]
    pub percentile: f64,
    /// Convolutions and matrix products that stay in floats
    #[arg(long, value_name = "NODES", value_delimiter = ',')]
    pub keep: Vec<String>,
    /// Refuse a graph with anything in it that is not supported, also where no output needs it
    #[arg(long)]
    pub strict: bool,
    /// Print what each layer lost as JSON
    #[arg(long)]
    pub json: bool,
}

/// Which of the numbers that were seen codes stand for.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Range {
    /// All
    MinMax,
    /// All but the furthest from zero
    Percentile,
    /// Those for which the squares of errors add up to the least
    LeastSquares,
}

/// What to write as what.
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
    /// Refuse a graph with anything in it that is not supported, also where nothing that runs needs it
    #[arg(long)]
    pub strict: bool,
    /// Value for an endpoint: NAME=@FILE.npy, NAME=@FILE.npz:KEY, NAME=<json>, or NAME=@- for standard input
    #[arg(long, value_name = "NAME=VALUE")]
    pub feed: Vec<Feed>,
    /// Convert feeds to the dtype that the graph wants, where every value stays the same but for rounding of floats
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
    /// Treat the graph as nobody's: limits on memory, time, nodes, iterations, recursion, queues, strings and results, and no
    /// files but those of a SavedModel, to read
    #[arg(long, conflicts_with = "allow_files")]
    pub untrusted: bool,
    /// Devices to use: cpu:2, gpu:1,cpu:1
    #[arg(long, value_name = "gpu:N,cpu:N", default_value = "cpu:1")]
    pub devices: Devices,
    /// Memory that tensors may take on each GPU: 2GB, 512MB [default: what it has]
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
    /// Do not fuse nodes, and sum the windows of convolutions as they are (no Winograd)
    #[arg(long)]
    pub no_fusion: bool,
    /// Keep the input order in queues that several runs of queue runners feed, for any number of threads
    #[arg(long)]
    pub ordered: bool,
    /// Threads, all together [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Time after which a step fails: 10s, 500ms, 2m
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub timeout: Option<Duration>,
    /// If a run fails because everything in it waits, write which nodes wait for what: as JSON, or for Graphviz
    #[arg(long, value_name = "FILE.json|FILE.dot")]
    pub waiting: Option<PathBuf>,
    /// Say which nodes wait for what once a run has waited for this time [default: 10s on a terminal, else never]
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
    /// End at the first node that makes a NaN or an infinity out of finite inputs, say where and from what, and keep its
    /// inputs: nan, nan-only to let infinities pass, and with ,feeds also where a feed, a constant, a variable or a file
    /// brings one
    #[arg(long, value_name = "nan|nan-only[,feeds]")]
    pub watch: Option<Watch>,
    /// Where --watch keeps the inputs; no file is overwritten [default: the graph's name with .nan.npz, in this directory]
    #[arg(long, value_name = "FILE.npz", requires = "watch")]
    pub watch_out: Option<PathBuf>,
    /// Write the graph, the scalars and summaries that each step fetches, the graph's own summaries, and with --trace
    /// what ran when to a file of events in this directory, which TensorBoard shows
    #[arg(long, value_name = "DIR")]
    pub summaries: Option<PathBuf>,
    /// Write what was fetched in the last step and with --then-fetch; the name says how: .npz, .npy, .json or .csv
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Have --out write every step: stacked along a new first axis, or as NAME[STEP] where shapes differ
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
    /// As --feed, but not cut into batches
    #[arg(long, value_name = "NAME=VALUE")]
    pub feed_whole: Vec<Feed>,
    /// What to run once after the steps.
    #[command(flatten)]
    pub then: ThenArgs,
    /// Where variables come from and go to.
    #[command(flatten)]
    pub checkpoints: KeepArgs,
}

/// How to make batches of feeds.
#[derive(Args, Clone, Debug, Default)]
pub struct BatchArgs {
    /// Feed each step the next N rows of what --feed gives; scalars stay whole
    #[arg(long, value_name = "N", value_parser = positive)]
    pub batch: Option<usize>,
    /// Shuffle the rows again for every epoch; the same seed gives the same order
    #[arg(long, value_name = "SEED", requires = "batch")]
    pub shuffle: Option<u64>,
    /// How often to go through the rows [default: 1; with --steps as often as that takes]
    #[arg(long, value_name = "N", requires = "batch", value_parser = clap::value_parser!(u64).range(1..))]
    pub epochs: Option<u64>,
    /// Drop the last batch of an epoch if it is smaller
    #[arg(long, requires = "batch")]
    pub drop_remainder: bool,
}

fn positive(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&n| n > 0).ok_or_else(|| "write a number from 1".to_owned())
}

/// What to run once after the steps, such as a test of what they trained.
#[derive(Args)]
pub struct ThenArgs {
    /// Endpoints to fetch once after the steps
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub then_fetch: Vec<String>,
    /// Nodes to run once after the steps without fetching anything
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub then_target: Vec<String>,
    /// Value for an endpoint in that last run, in which --feed does not count
    #[arg(long, value_name = "NAME=VALUE")]
    pub then_feed: Vec<Feed>,
}

/// Arguments of `bench`.
#[derive(Args)]
pub struct BenchArgs {
    /// The graph and the step.
    #[command(flatten)]
    pub step: StepArgs,
    /// Timed runs, of each caller [default: as many as fit into two seconds, at least ten]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub steps: Option<u64>,
    /// Runs before the timed ones [default: as many as fit into 0.3 seconds, at least three]
    #[arg(long, value_name = "N")]
    pub warm_up: Option<u32>,
    /// Run from 1 to N threads at the same time and report the gain of each further one
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
    /// Write what was fetched in the last run
    #[arg(long, value_name = "FILE.npz")]
    pub out: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// A second signature that takes turns with the first.
#[derive(Args)]
#[command(next_help_heading = "In turn")]
pub struct AlsoArgs {
    /// Endpoints to fetch in a second run that takes turns with the first
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub also_fetch: Vec<String>,
    /// Nodes to run in a second run that takes turns with the first
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub also_target: Vec<String>,
    /// Value for an endpoint in that second run, in which --feed does not count
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
    /// Show all of every list [default: on a terminal the first 40 of each]
    #[arg(long)]
    pub all: bool,
    /// Print one JSON object, in which every list is complete
    #[arg(long)]
    pub json: bool,
    /// With GPUs among them, list the nodes that no GPU has a kernel for
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
    /// What one run fetches: look at that run only [default: whatever some node of the graph needs]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub fetch: Vec<String>,
    /// Nodes that the run executes without fetching them
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub target: Vec<String>,
    /// What the run is fed; names only
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
    /// Orders to try, at most, besides the usual one
    #[arg(long, value_name = "N", default_value = "200", value_parser = positive)]
    pub orders: usize,
    /// Of the random orders
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
    /// What ran: a trace that `run --trace` or `bench --trace` wrote
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// An earlier trace to compare that one with
    #[arg(long, value_name = "FILE", requires = "trace")]
    pub before: Option<PathBuf>,
    /// Where nodes go and why: what `place --json` printed
    #[arg(long, value_name = "FILE")]
    pub place: Option<PathBuf>,
    /// Where to write the page [default: the graph's name with .html, in this directory]
    #[arg(long, value_name = "FILE", conflicts_with = "serve")]
    pub out: Option<PathBuf>,
    /// Serve the page to browsers on this machine until interrupted [default port: any that is free]
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
    /// Elements to read [default: 10; with --bench as many as come in two seconds]
    #[arg(long, value_name = "N")]
    pub take: Option<u64>,
    /// Tell how many elements come a second, instead of the elements
    #[arg(long)]
    pub bench: bool,
    /// Nodes to run first, such as the initializers of tables
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub init: Vec<String>,
    /// Directory whose files ops may read and write; may be given several times [default: no files]
    #[arg(long, value_name = "DIR")]
    pub allow_files: Vec<PathBuf>,
    /// Threads, all together [default: one per core]
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
    /// As the first; or a .npz of tensors by the names of nodes or outputs
    pub second: PathBuf,
    /// Value for both: NAME=@FILE.npy, NAME=@FILE.npz:KEY or NAME=<json>
    #[arg(long, value_name = "NAME=VALUE")]
    pub feed: Vec<Feed>,
    /// Nodes to run first in both, to initialize variables
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub init: Vec<String>,
    /// Compare what these need [default: all that follows from the feeds without changing state]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub fetch: Vec<String>,
    /// Difference relative to the second that counts as none
    #[arg(long, value_name = "X", default_value_t = 1e-5)]
    pub rtol: f64,
    /// Absolute difference that counts as none
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
    /// Write a picture of the first output that differs: an element's value in the second over that in the first
    #[arg(long, value_name = "FILE.svg")]
    pub svg: Option<PathBuf>,
    /// Print one JSON object, in which every output is
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `place`.
#[derive(Args)]
pub struct PlaceArgs {
    /// GraphDef as JSON, its short form, or a binary .pb; - for standard input
    pub graph: PathBuf,
    /// Refuse a graph with anything in it that is not supported
    #[arg(long)]
    pub strict: bool,
    /// Devices to place on: cpu:2, gpu:1,cpu:1
    #[arg(long, value_name = "gpu:N,cpu:N", default_value = "cpu:1")]
    pub devices: Devices,
    /// Place on the devices that this file describes, and simulate a step on them
    #[arg(long, value_name = "FILE.json")]
    pub cluster: Option<PathBuf>,
    /// Look only at what a step runs that fetches these: a,b or several times
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = "The step")]
    pub fetch: Vec<String>,
    /// Look only at what a step runs that has these targets
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = "The step")]
    pub target: Vec<String>,
    /// Endpoint that the step is fed, and its shape: x=32x784, x=@x.npy, or x alone for the shape that the graph gives
    #[arg(long, value_name = "NAME[=SHAPE]", help_heading = "The step")]
    pub feed: Vec<ShapedFeed>,
    /// How to choose where the graph leaves a choice: first-fit, heft, m-ETF or m-SCT
    #[arg(long, value_name = "PLACER", default_value = "first-fit")]
    pub placer: levada::Placer,
    /// Costs of nodes as a trace measured them
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
    /// Write the part of the whole graph on each device, with sends and receives, as a GraphDef
    #[arg(long, value_name = "DIR", conflicts_with_all = ["fetch", "target"])]
    pub partitions: Option<PathBuf>,
}

/// Arguments of `memory`.
#[derive(Args)]
pub struct MemoryArgs {
    /// Model: a GraphDef as JSON, its short form or a binary .pb, a SavedModel, an ONNX model; - for standard input
    pub graph: PathBuf,
    /// Tags of the part of a SavedModel to look at
    #[arg(long, value_name = "TAGS", value_delimiter = ',')]
    pub tag: Vec<String>,
    /// What the step fetches: a,b or several times [default: all that nothing in the graph uses]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub fetch: Vec<String>,
    /// Nodes that the step runs
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub target: Vec<String>,
    /// Endpoint that the step is fed, and its shape: x=32x784, x=[32,784], x=[32,784]:float32, x=@x.npy; placeholders that
    /// are not named have the shape that the graph gives
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
    /// Refuse the step if it may take more on a device, and look for control edges with which it cannot
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub limit: Option<usize>,
    /// Write the graph with those control edges; .json or .pb
    #[arg(long, short, value_name = "FILE", requires = "limit")]
    pub out: Option<PathBuf>,
    /// Run the step too, with zeros for what only has a shape, and put the measured peak beside the predicted one
    #[arg(long)]
    pub run: bool,
    /// Nodes to run once before, with --run
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "run")]
    pub init: Vec<String>,
    /// Steps to measure; the largest counts
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
    /// What the step fetches: a,b or several times
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub fetch: Vec<String>,
    /// Nodes that the step runs
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub target: Vec<String>,
    /// Endpoint that the step is fed: x=@x.npy, or a shape for zeros: x=32x784, x=[32,784]
    #[arg(long, value_name = "NAME[=SHAPE]")]
    pub feed: Vec<ShapedFeed>,
    /// Numbers of threads to predict for: 1,2,4
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "1,2,4", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Vec<u16>,
    /// Devices to run and predict on: cpu:2, gpu:1,cpu:1
    #[arg(long, value_name = "gpu:N,cpu:N", default_value = "cpu:1")]
    pub devices: Devices,
    /// Soft placement: nodes whose device does not exist or has no kernel for them run elsewhere
    #[arg(long)]
    pub soft: bool,
    /// Costs of nodes as a trace measured them, in place of running the step
    #[arg(long, value_name = "TRACE.json")]
    pub trace: Option<PathBuf>,
    /// Run steps on each number of threads too, and show how far each prediction is off
    #[arg(long)]
    pub check: bool,
    /// Nodes to run once before
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
    /// Try nodes on this device that name none, where it has a kernel for them: /device:GPU:0. The tolerance is then
    /// ten times that of the recordings
    #[arg(long, value_name = "DEVICE", value_parser = device)]
    pub device: Option<Device>,
    /// Threads of each session
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// Directory whose files cases may read and write; may be given several times. With --jobs 1 cases find the files of
    /// those before them [default: no files]
    #[arg(long, value_name = "DIR")]
    pub allow_files: Vec<PathBuf>,
    /// Cases at a time [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Time after which a case has failed
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    pub timeout: Duration,
    /// Treat the graphs as nobody's: with the limits of `run --untrusted`
    #[arg(long)]
    pub untrusted: bool,
    /// Run ready nodes in a random order, on random threads and with pauses, from this seed
    #[arg(long, value_name = "SEED")]
    pub disorder: Option<u64>,
    /// Record the session of each case in a file in this directory, for `levada replay`
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
    /// The recording
    #[arg(long, value_name = "FILE")]
    pub recording: PathBuf,
    /// Leave the graph out of the recording: a replay then needs the same graph
    #[arg(long)]
    pub without_graph: bool,
}

/// Arguments of `replay`.
#[derive(Args)]
pub struct ReplayArgs {
    /// What `levada record` or `levada verify --record` wrote; may be given several times
    #[arg(required = true)]
    pub recordings: Vec<PathBuf>,
    /// The graph, for a recording that does not hold it: GraphDef as JSON, its short form, or a binary .pb; a SavedModel's directory;
    /// an ONNX model
    #[arg(long, value_name = "GRAPH")]
    pub graph: Option<PathBuf>,
    /// Threads, all together [default: as many as were recorded]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Stop when this node has run, and show what it took and gave
    #[arg(long, value_name = "NODE")]
    pub until: Option<String>,
    /// Stop in the run of this number only
    #[arg(long, value_name = "N", requires = "until")]
    pub run: Option<u64>,
    /// Write what the runs fetch, as RUN/NAME, or what the node took and gave
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
    /// Show what drivers and their loaders write to standard error
    #[arg(long)]
    pub drivers: bool,
}

/// Arguments of `examples`.
#[derive(Args)]
pub struct ExamplesArgs {
    /// The example to copy [default: list them]
    pub name: Option<String>,
    /// Where to copy it [default: a folder of its name]
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
    /// Folder for the pages, which is made where there is none
    #[arg(long, value_name = "DIR", default_value = "man")]
    pub out: PathBuf,
}

/// Arguments of `trace`.
#[derive(Args)]
#[command(group(ArgGroup::new("as_json").args(["order", "critical_path", "queues", "pipeline"]).multiple(true)))]
pub struct TraceArgs {
    /// A trace that `run --trace`, `bench --trace` or `place --trace` wrote, or any Chrome trace; - for standard input
    pub file: PathBuf,
    /// Nodes in the order in which they started, each with the input that arrived last
    #[arg(long)]
    pub order: bool,
    /// With --order: one JSON object a line; with --critical-path, --queues or --pipeline: one object
    #[arg(long, requires = "as_json")]
    pub json: bool,
    /// Only the step with this number, as `run` counts them [default: all, and those of queue runners]
    #[arg(long, value_name = "N")]
    pub step: Option<u64>,
    /// The chain of nodes that decided when the step ended, and what all of its time went to
    #[arg(long)]
    pub critical_path: bool,
    /// Time by op
    #[arg(long)]
    pub by_op: bool,
    /// How full queues were, who waited at them, what limits the whole, and how sure that is
    #[arg(long)]
    pub queues: bool,
    /// What each stage of an input pipeline costs, who waits for whom, what limits the rate, and what would raise it; then
    /// queues, where there are any
    #[arg(long, conflicts_with_all = ["critical_path", "by_op", "devices"])]
    pub pipeline: bool,
    /// What GPUs did: kernels, copies, queueing times; with --order every piece of work
    #[arg(long)]
    pub devices: bool,
    /// Files to write in other formats.
    #[command(flatten)]
    pub exports: Exports,
}

/// Which devices to use, and how many of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Devices {
    /// Number of CPU devices; 0 for one.
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

//! `SnapshotDataset`, `SnapshotDatasetV2`: datasets that are written to files on the first read, and read from these
//! afterwards. Reading the files has ops of its own.

use crate::dataset::{DATASET, Dataset, INPUT, Setup, Source, UNKNOWN, input, make, make_like, scalar, scalar_output};
use crate::dataset_graph::fingerprint_of;
use crate::function::Function;
use crate::hash::fingerprint;
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver, broken};
use crate::prelude::*;
use crate::save::{LoadIter, SaveIter};
use crate::snapshot::{Metadata, Saving, Shard, Target, compression, now};
use crate::window::window;
use levada_graph::Func;
use levada_kernel::Files;
use levada_records::Compression;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::task::{Poll, ready};

attrs! {
    /// A dataset that is written to files on the first read, and read from these afterwards: `shard_func` chooses the
    /// shard of each element, and `reader_func` creates the dataset from one of the shards.
    pub struct SnapshotDatasetV2 {
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Compression of the files; `AUTO` for snappy.
        compression: Bytes = Attr::string("compression").or_str(""),
        /// Prefix of the path when reading files; must be empty.
        reader_prefix: Bytes = Attr::string("reader_prefix").or_str(""),
        /// Prefix of the path when writing files; must be empty.
        writer_prefix: Bytes = Attr::string("writer_prefix").or_str(""),
        /// Whether `hash` names the directory.
        hash_valid: bool = Attr::bool("hash_valid").or_bool(false),
        /// Name of the directory below `path`, instead of the dataset's fingerprint.
        hash: i64 = Attr::int("hash").or_int(0),
        /// Builds the dataset from a dataset of the shards.
        reader: Func = Attr::func("reader_func"),
        /// Returns the index of the shard for an element.
        shard: Func = Attr::func("shard_func"),
        /// Dtypes of the other arguments of `reader_func`.
        reader_arguments: Vec<DType> = Attr::dtypes("Treader_func_args", sets::ANY),
        /// Dtypes of the other arguments of `shard_func`.
        shard_arguments: Vec<DType> = Attr::dtypes("Tshard_func_args", sets::ANY),
        /// Not used.
        metadata: Bytes = Attr::string("metadata").or_str(""),
    }
}

const PATH: Arg = arg("path", is(DType::Str));

pub static SNAPSHOT_DATASET_V2: Def<SnapshotDatasetV2> = op("SnapshotDatasetV2")
    .inputs(&[
        INPUT,
        PATH,
        arg("reader_func_other_args", each("Treader_func_args")),
        arg("shard_func_other_args", each("Tshard_func_args")),
    ])
    .outputs(DATASET)
    .shape(scalar_output)
    .kernel(|op: &SnapshotDatasetV2, cx| {
        let first = 2 + op.reader_arguments.len();
        let functions = Functions {
            reader: Function::of(cx, &op.reader, 2..first)?,
            shard: Function::of(cx, &op.shard, first..cx.num_inputs())?,
        };
        let source = input(cx, 0)?;
        let hash = if op.hash_valid { op.hash as u64 } else { fingerprint_of(cx, &source)? };
        let path = path(cx, &[&op.reader_prefix, &op.writer_prefix])?;
        let compressed: &[u8] = if &*op.compression == b"AUTO" { b"SNAPPY" } else { &op.compression };
        snapshot(
            cx,
            Snapshot {
                source,
                directory: format!("{path}/{hash}"),
                hash,
                compression: compression(compressed)?,
                functions: Some(functions),
                mode: When::Auto,
                expires: 0,
                file_size: u64::MAX,
                run: None,
                shuffled: false,
                files: cx.env().files.clone(),
            },
        )
    });

attrs! {
    /// A dataset that is written to files on the first read, and read from these afterwards.
    pub struct SnapshotDataset {
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Compression of the files.
        compression: Bytes = Attr::string("compression").or_str(""),
        /// Prefix of the path when reading files; must be empty.
        reader_prefix: Bytes = Attr::string("reader_path_prefix").or_str(""),
        /// Prefix of the path when writing files; must be empty.
        writer_prefix: Bytes = Attr::string("writer_path_prefix").or_str(""),
        /// Size in bytes after which a new file is started.
        shard_size: i64 = Attr::int("shard_size_bytes").or_int(DEFAULT_FILE_SIZE),
        /// Seconds after which an unfinished writer is considered dead.
        expires: i64 = Attr::int("pending_snapshot_expiry_seconds").or_int(DEFAULT_EXPIRY),
        /// Not used: files are read one at a time.
        reader_threads: i64 = Attr::int("num_reader_threads").or_int(1),
        /// Not used.
        reader_buffer: i64 = Attr::int("reader_buffer_size").or_int(1),
        /// Not used: files are written one at a time.
        writer_threads: i64 = Attr::int("num_writer_threads").or_int(1),
        /// Not used.
        writer_buffer: i64 = Attr::int("writer_buffer_size").or_int(1),
        /// Whether files are read in random order.
        shuffle_on_read: bool = Attr::bool("shuffle_on_read").or_bool(false),
        /// Must be 0 if `shuffle_on_read` is set.
        seed: i64 = Attr::int("seed").or_int(0),
        /// Must be 0 if `shuffle_on_read` is set.
        seed2: i64 = Attr::int("seed2").or_int(0),
        /// What to do: `auto`, `read`, `write` or `passthrough`.
        mode: Bytes = Attr::string("mode").or_str("auto"),
        /// Name of the directory, instead of the dataset's fingerprint.
        name: Bytes = Attr::string("snapshot_name").or_str(""),
    }
}

const DEFAULT_FILE_SIZE: i64 = 10 << 30;
const DEFAULT_EXPIRY: i64 = 86_400;

pub static SNAPSHOT_DATASET: Def<SnapshotDataset> =
    op("SnapshotDataset").inputs(&[INPUT, PATH]).outputs(DATASET).shape(scalar_output).kernel(snapshot_dataset);

fn snapshot_dataset(op: &SnapshotDataset, cx: &mut Cx<'_, '_>) -> Result<()> {
    if !matches!(&*op.compression, b"" | b"GZIP" | b"SNAPPY") {
        return Err(Error::invalid("compression must be either '', 'GZIP' or 'SNAPPY'."));
    }
    let expires = if op.expires == -1 { DEFAULT_EXPIRY } else { op.expires };
    if expires < 1 {
        return Err(Error::invalid("pending_snapshot_expiry_seconds must be at least 1 second."));
    }
    let mode = match &*op.mode {
        b"auto" => When::Auto,
        b"read" => When::Read,
        b"write" => When::Write,
        b"passthrough" => When::Never,
        _ => {
            return Err(Error::invalid("mode must be either 'auto', 'read', 'write', or 'passthrough'."));
        }
    };
    if op.shuffle_on_read && (op.seed, op.seed2) != (0, 0) {
        return Err(Error::unimplemented("a SnapshotDataset cannot read its files in a random order with a seed")
            .attr("seed")
            .expected("seed and seed2 of 0, or shuffle_on_read of false")
            .help("shuffle the elements after it"));
    }
    let path = path(cx, &[&op.reader_prefix, &op.writer_prefix])?;
    let source = input(cx, 0)?;
    let size = if op.shard_size == -1 { DEFAULT_FILE_SIZE } else { op.shard_size };
    let mut made_of = fingerprint_of(cx, &source)?.to_le_bytes().to_vec();
    made_of.extend_from_slice(path.as_bytes());
    made_of.extend_from_slice(&op.compression);
    made_of.extend_from_slice(&size.to_le_bytes());
    let hash = fingerprint(&made_of);
    let name = String::from_utf8_lossy(&op.name).into_owned();
    let (below, run) = match name.as_str() {
        "" => (format!("{hash:016x}"), None),
        name => (format!("custom-{name}"), Some("custom".to_owned())),
    };
    snapshot(
        cx,
        Snapshot {
            source,
            directory: format!("{path}/{below}"),
            hash,
            compression: compression(&op.compression)?,
            functions: None,
            mode,
            expires: expires as u64,
            file_size: u64::try_from(size).unwrap_or(0),
            run,
            shuffled: op.shuffle_on_read,
            files: cx.env().files.clone(),
        },
    )
}

/// Returns the path in input 1; prefixes must be empty.
fn path(cx: &Cx<'_, '_>, prefixes: &[&Bytes]) -> Result<String> {
    if prefixes.iter().any(|prefix| !prefix.is_empty()) {
        return Err(Error::unimplemented("separate path prefixes for reading and writing snapshots are not supported")
            .help("pass the whole path, and leave the prefixes empty"));
    }
    let path: Bytes = scalar(cx, 1, "path")?;
    Ok(String::from_utf8_lossy(&path).into_owned())
}

fn snapshot(cx: &mut Cx<'_, '_>, dataset: Snapshot) -> Result<()> {
    make_like(cx, &dataset.source.clone(), Shared(Arc::new(dataset)))
}

struct Functions {
    reader: Function,
    shard: Function,
}

/// The requested mode.
#[derive(Clone, Copy, PartialEq)]
enum When {
    Auto,
    Read,
    Write,
    Never,
}

struct Shared(Arc<Snapshot>);

struct Snapshot {
    source: Source,
    /// Directory of the metadata and the runs.
    directory: String,
    hash: u64,
    compression: Compression,
    /// `None` for the older op, which writes one file after the other.
    functions: Option<Functions>,
    mode: When,
    /// Seconds after which an unfinished writer is considered dead.
    expires: u64,
    file_size: u64,
    run: Option<String>,
    shuffled: bool,
    files: Files,
}

impl Dataset for Shared {
    fn kind(&self) -> &'static str {
        "Snapshot"
    }

    fn cardinality(&self) -> i64 {
        self.0.source.cardinality()
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        Ok(Box::new(SnapshotIter { of: self.0.clone(), setup, mode: Mode::Undecided }))
    }
}

/// What an iterator does.
enum Mode {
    /// Not decided yet.
    Undecided,
    /// Passes on the elements of the input.
    Pass(Box<dyn Iter>),
    /// Reads the files.
    Read(Box<dyn Iter>),
    /// Writes the files.
    Write(Box<WriteIter>),
}

struct SnapshotIter {
    of: Arc<Snapshot>,
    setup: Setup,
    mode: Mode,
}

/// Writes elements and passes them on. The older op looks one element ahead, so that everything is written once the
/// last element has been returned.
struct WriteIter {
    save: SaveIter,
    /// The look-ahead state; `None` if it does not look ahead.
    ahead: Option<Ahead>,
}

/// The element after the one returned next.
enum Ahead {
    /// Not requested yet.
    None,
    /// The element, or the end.
    Some(Option<Vec<Tensor>>),
}

impl WriteIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        loop {
            let Some(ahead) = &mut self.ahead else { return self.save.poll(turn) };
            if let Ahead::Some(None) = ahead {
                return Poll::Ready(Ok(None));
            }
            let next = Ahead::Some(ready!(self.save.poll(turn))?);
            if let Ahead::Some(element) = std::mem::replace(ahead, next) {
                return Poll::Ready(Ok(element));
            }
        }
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        ready!(self.save.save_with(turn, to))?;
        match &self.ahead {
            None | Some(Ahead::None) => to.int(0),
            Some(Ahead::Some(None)) => to.int(1),
            Some(Ahead::Some(Some(element))) => {
                to.int(2);
                to.element(element);
            }
        }
        Poll::Ready(Ok(()))
    }
}

impl Snapshot {
    fn target(&self) -> Target {
        Target {
            files: self.files.clone(),
            directory: self.directory.clone(),
            compression: self.compression,
            hash: Some(self.hash),
            flat: self.functions.is_none(),
            file_size: self.file_size,
            run: self.run.clone(),
        }
    }

    /// Returns the metadata, if there is any.
    fn metadata(&self) -> Result<Option<Metadata>> {
        match self.files.exists(Path::new(&self.directory).join("snapshot.metadata"))? {
            true => Metadata::read(&self.files, &self.directory).map(Some),
            false => Ok(None),
        }
    }

    fn begin(&self, setup: &Setup) -> Result<Mode> {
        let metadata = self.metadata()?;
        let fresh =
            |metadata: &Metadata| metadata.began >= now().saturating_sub(self.expires.saturating_mul(1_000_000));
        Ok(match (self.mode, metadata) {
            (When::Never, _) => Mode::Pass(setup.make(&self.source)?),
            (When::Read, None) => return Err(Error::not_found("Metadata file does not exist.")),
            (When::Read, Some(metadata)) => Mode::Read(self.reader(setup, &metadata)?),
            (When::Auto, Some(metadata)) if metadata.finalized => Mode::Read(self.reader(setup, &metadata)?),
            (When::Auto, Some(metadata)) if self.expires > 0 && fresh(&metadata) => {
                Mode::Pass(setup.make(&self.source)?)
            }
            (When::Auto | When::Write, _) => {
                let saving = Saving::begin(self.target(), &self.source.types)?;
                let calls = self.functions.as_ref().map(|functions| functions.shard.at(setup));
                let save = SaveIter::new(saving, setup.make(&self.source)?, calls);
                Mode::Write(Box::new(WriteIter { save, ahead: self.looks_ahead() }))
            }
        })
    }

    fn looks_ahead(&self) -> Option<Ahead> {
        self.functions.is_none().then_some(Ahead::None)
    }

    fn reader(&self, setup: &Setup, metadata: &Metadata) -> Result<Box<dyn Iter>> {
        metadata.check(&self.source.types)?;
        let (types, shapes) = (&self.source.types, &self.source.shapes);
        match &self.functions {
            Some(functions) => {
                let shards = metadata.shards(&self.files, &self.directory)?.into_iter();
                let shards =
                    shards.map(|shard| Shard::source(shard, &self.files, self.compression, types, shapes)).collect();
                Ok(Box::new(LoadIter::new(functions.reader.at(setup), shards, setup.clone())))
            }
            None => {
                let run = metadata.run(&self.directory);
                if !self.files.exists(&run)? {
                    return Err(Error::not_found(format!("Could not find any files in dir: {}", run.display())));
                }
                let shard = Shard::new(run, 0, &self.files, self.compression, types);
                let shard = if self.shuffled { shard.shuffled() } else { shard };
                setup.make(&Source::new(types, shapes, shard))
            }
        }
    }
}

impl SnapshotIter {
    fn begin(&mut self) -> Result<()> {
        if let Mode::Undecided = self.mode {
            self.mode = self.of.begin(&self.setup)?;
        }
        Ok(())
    }
}

impl Iter for SnapshotIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        self.begin()?;
        match &mut self.mode {
            Mode::Undecided => Poll::Ready(Ok(None)),
            Mode::Pass(input) | Mode::Read(input) => input.poll(turn),
            Mode::Write(write) => write.poll(turn),
        }
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        to.element(&[Tensor::string(self.of.directory.clone())]);
        match &mut self.mode {
            Mode::Undecided => {
                to.int(0);
                Poll::Ready(Ok(()))
            }
            Mode::Pass(input) => {
                to.int(1);
                input.save(turn, to)
            }
            Mode::Read(input) => {
                to.int(2);
                input.save(turn, to)
            }
            Mode::Write(write) => {
                to.int(3);
                write.save(turn, to)
            }
        }
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        let [directory] = &from.element()?[..] else { return Err(broken()) };
        let directory: Bytes = directory.item().map_err(|_| broken())?;
        if *directory != *self.of.directory.as_bytes() {
            return Err(Error::data_loss(format!(
                "Dataset has changed while restoring from the checkpoint. Old hash directory: {}; new hash directory: {}",
                String::from_utf8_lossy(&directory),
                self.of.directory
            )));
        }
        let of = &self.of;
        let gone = || Error::data_loss(format!("Snapshot metadata file in {} does not exist any more.", of.directory));
        self.mode = match from.int()? {
            0 => Mode::Undecided,
            1 => {
                let mut input = self.setup.make(&of.source)?;
                input.restore(from)?;
                Mode::Pass(input)
            }
            2 => {
                let mut input = of.reader(&self.setup, &of.metadata()?.ok_or_else(gone)?)?;
                input.restore(from)?;
                Mode::Read(input)
            }
            3 => {
                of.metadata()?.ok_or_else(gone)?;
                let calls = of.functions.as_ref().map(|functions| functions.shard.at(&self.setup));
                let input = self.setup.make(&of.source)?;
                let save = SaveIter::restored(of.target(), &of.source.types, input, calls, from)?;
                let ahead = match from.int()? {
                    0 => of.looks_ahead(),
                    1 => Some(Ahead::Some(None)),
                    _ => Some(Ahead::Some(Some(from.element()?))),
                };
                Mode::Write(Box::new(WriteIter { save, ahead }))
            }
            _ => return Err(broken()),
        };
        Ok(())
    }
}

attrs! {
    /// Returns the elements of a shard of a snapshot, or of a directory written by `SaveDataset`, starting at a given
    /// index.
    pub struct SnapshotDatasetReader {
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Compression of the files.
        compression: Bytes = Attr::string("compression").or_str(""),
        /// Version of the layout, which must be 2.
        version: i64 = Attr::int("version"),
    }
}

pub static SNAPSHOT_DATASET_READER: Def<SnapshotDatasetReader> = op("SnapshotDatasetReader")
    .inputs(&[arg("shard_dir", is(DType::Str)), arg("start_index", is(DType::I64))])
    .outputs(DATASET)
    .stateful()
    .shape(scalar_output)
    .kernel(|op: &SnapshotDatasetReader, cx| {
        let (directory, start): (Bytes, i64) = (scalar(cx, 0, "shard_dir")?, scalar(cx, 1, "start_index")?);
        let start = u64::try_from(start).map_err(|_| Error::invalid("start_index must be >= 0").found(start))?;
        if op.version != 2 {
            return Err(Error::unimplemented("a snapshot in another layout")
                .attr("version")
                .expected(2)
                .found(op.version));
        }
        let directory = PathBuf::from(String::from_utf8_lossy(&directory).into_owned());
        let shard = Shard::new(directory, start, &cx.env().files, compression(&op.compression)?, &op.types);
        make(cx, op.types.clone(), op.shapes.clone(), shard)
    });

attrs! {
    /// Returns the elements of a file of a snapshot.
    pub struct SnapshotChunkDataset {
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Compression of the file.
        compression: Bytes = Attr::string("compression").or_str(""),
    }
}

pub static SNAPSHOT_CHUNK_DATASET: Def<SnapshotChunkDataset> = op("SnapshotChunkDataset")
    .inputs(&[arg("chunk_file", is(DType::Str))])
    .outputs(DATASET)
    .stateful()
    .shape(scalar_output)
    .kernel(|op: &SnapshotChunkDataset, cx| {
        let file: Bytes = scalar(cx, 0, "chunk_file")?;
        let file = PathBuf::from(String::from_utf8_lossy(&file).into_owned());
        let compressed: &[u8] = if &*op.compression == b"AUTO" { b"SNAPPY" } else { &op.compression };
        let shard = Shard::new(file, 0, &cx.env().files, compression(compressed)?, &op.types);
        make(cx, op.types.clone(), op.shapes.clone(), shard)
    });

attrs! {
    /// A dataset whose elements are datasets.
    pub struct SnapshotNestedDatasetReader {
        /// Dtypes of an element of the datasets.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element of the datasets.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Number of datasets.
        n: i64 = Attr::int("N").at_least(1),
    }
}

pub static SNAPSHOT_NESTED_DATASET_READER: Def<SnapshotNestedDatasetReader> = op("SnapshotNestedDatasetReader")
    .inputs(&[arg("inputs", is(DType::Variant)).times("N")])
    .outputs(DATASET)
    .shape(scalar_output)
    .kernel(|_: &SnapshotNestedDatasetReader, cx| {
        let datasets = (0..cx.num_inputs()).map(|i| Ok(vec![input(cx, i)?.tensor()])).collect::<Result<_>>()?;
        let nested = window(&[DType::Variant], &[PartialShape::scalar()], datasets);
        make_like(cx, &nested.clone(), Nested(nested))
    });

/// Datasets as the elements of a dataset.
struct Nested(Source);

impl Dataset for Nested {
    fn kind(&self) -> &'static str {
        "SnapshotNestedDatasetReader"
    }

    fn cardinality(&self) -> i64 {
        UNKNOWN
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        setup.make(&self.0)
    }
}

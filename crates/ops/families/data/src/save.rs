//! `SaveDataset`, `LoadDataset`: datasets saved in directories.

use crate::dataset::{DATASET, Dataset, INPUT, Setup, Source, Tuple, input, make, scalar, scalar_output};
use crate::function::{Call, Calls, Function};
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use crate::snapshot::{Metadata, Saving, Shard, Target, compression};
use crate::stream::{Stream, restore_result, save_result};
use crate::window::window;
use levada_graph::Func;
use levada_kernel::Files;
use levada_records::Compression;
use std::task::{Poll, ready};

attrs! {
    /// Writes all elements of a dataset to a directory.
    pub struct SaveDataset {
        /// Compression of the files.
        compression: Bytes = Attr::string("compression").or_str(""),
        /// Returns the index of the shard for an element.
        shard: Func = Attr::func("shard_func"),
        /// If false, all elements go to shard 0.
        uses_shard: bool = Attr::bool("use_shard_func").or_bool(true),
        /// Dtypes of the function's other arguments.
        arguments: Vec<DType> = Attr::dtypes("Tshard_func_args", sets::ANY),
    }
}

const ARGUMENTS: Arg = arg("shard_func_other_args", each("Tshard_func_args"));
const PATH: Arg = arg("path", is(DType::Str));

pub static SAVE_DATASET: Def<SaveDataset> = op("SaveDataset")
    .inputs(&[INPUT, PATH, ARGUMENTS])
    .stateful()
    .role(Role::Call)
    .kernel(|op: &SaveDataset, cx| {
        let save = Save::of(cx, &op.compression, &op.shard, op.uses_shard)?;
        Stream::once(cx, |setup| Ok(Box::new(All(save.iterator(setup.clone())?))), |_| Ok(Vec::new()))
    })
    .heavy();

attrs! {
    /// Returns the elements of a dataset and writes them to a directory as they are returned.
    pub struct SaveDatasetV2 {
        /// Compression of the files.
        compression: Bytes = Attr::string("compression").or_str(""),
        /// Returns the index of the shard for an element.
        shard: Func = Attr::func("shard_func"),
        /// If false, all elements go to shard 0.
        uses_shard: bool = Attr::bool("use_shard_func").or_bool(true),
        /// Dtypes of the function's other arguments.
        arguments: Vec<DType> = Attr::dtypes("Tshard_func_args", sets::ANY),
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
    }
}

pub static SAVE_DATASET_V2: Def<SaveDatasetV2> =
    op("SaveDatasetV2").inputs(&[INPUT, PATH, ARGUMENTS]).outputs(DATASET).stateful().shape(scalar_output).kernel(
        |op: &SaveDatasetV2, cx| {
            let save = Save::of(cx, &op.compression, &op.shard, op.uses_shard)?;
            make(cx, op.types.clone(), op.shapes.clone(), save)
        },
    );

/// A dataset that is written as it is read.
struct Save {
    source: Source,
    directory: String,
    compression: Compression,
    shard: Option<Function>,
    files: Files,
}

impl Save {
    fn of(cx: &Cx<'_, '_>, compressed: &[u8], shard: &Func, uses_shard: bool) -> Result<Save> {
        let directory: Bytes = scalar(cx, 1, "path")?;
        let shard = if uses_shard { Some(Function::of(cx, shard, 2..cx.num_inputs())?) } else { None };
        Ok(Save {
            source: input(cx, 0)?,
            directory: String::from_utf8_lossy(&directory).into_owned(),
            compression: compression(compressed)?,
            shard,
            files: cx.env().files.clone(),
        })
    }
}

impl Dataset for Save {
    fn kind(&self) -> &'static str {
        "SaveV2"
    }

    fn cardinality(&self) -> i64 {
        self.source.cardinality()
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        let target = Target {
            files: self.files.clone(),
            directory: self.directory.clone(),
            compression: self.compression,
            hash: None,
            flat: false,
            file_size: u64::MAX,
            run: None,
        };
        let saving = Saving::begin(target, &self.source.types)?;
        Ok(Box::new(SaveIter::new(
            saving,
            setup.make(&self.source)?,
            self.shard.as_ref().map(|shard| shard.at(&setup)),
        )))
    }
}

/// Writes elements and passes them on.
pub(crate) struct SaveIter {
    input: Box<dyn Iter>,
    /// `None` at the end.
    saving: Option<Saving>,
    calls: Option<Calls>,
    /// The element whose shard is being determined.
    call: Option<(Tuple, Call)>,
    /// A result that was written and is returned next.
    held: Option<Result<Option<Tuple>>>,
}

impl SaveIter {
    pub(crate) fn new(saving: Saving, input: Box<dyn Iter>, calls: Option<Calls>) -> SaveIter {
        SaveIter { input, saving: Some(saving), calls, call: None, held: None }
    }

    /// Writes an element to the shard that a call returned, and passes it on.
    fn write(&mut self, element: Tuple, results: Result<Tuple>) -> Result<Tuple> {
        let shard = match &results?[..] {
            [shard] if shard.dtype() == DType::I64 && shard.num_elements() == 1 => shard.item::<i64>()?,
            [other] => {
                return Err(Error::invalid("`shard_func` must return a scalar int64.").found(format!(
                    "{} of shape {}",
                    other.dtype(),
                    other.shape()
                )));
            }
            _ => return Err(Error::invalid("`shard_func` must return a scalar int64.")),
        };
        if let Some(saving) = &mut self.saving {
            saving.add(shard, &element)?;
        }
        Ok(element)
    }

    /// Saves the position together with that of what is written.
    pub(crate) fn save_with(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        if let Some((_, call)) = &mut self.call {
            let results = ready!(call.poll(turn));
            if let Some((element, _)) = self.call.take() {
                self.held = Some(self.write(element, results).map(Some));
            }
        }
        let mut position = Saver::default();
        ready!(self.input.save(turn, &mut position))?;
        to.int(self.saving.is_some());
        if let Some(saving) = &mut self.saving {
            saving.save(to)?;
        }
        to.int(self.held.is_some());
        self.held.iter().for_each(|held| save_result(to, held));
        to.nested(position);
        Poll::Ready(Ok(()))
    }

    /// Restores a position saved by [`SaveIter::save_with`].
    pub(crate) fn restored(
        target: Target,
        types: &[DType],
        mut input: Box<dyn Iter>,
        calls: Option<Calls>,
        from: &mut Saved,
    ) -> Result<SaveIter> {
        let saving = if from.flag()? { Some(Saving::restore(target, types, from)?) } else { None };
        let held = if from.flag()? { Some(restore_result(from)?) } else { None };
        input.restore(&mut from.nested()?)?;
        Ok(SaveIter { input, saving, calls, call: None, held })
    }
}

impl Iter for SaveIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        if let Some(held) = self.held.take() {
            return Poll::Ready(held);
        }
        let Some(saving) = &mut self.saving else { return Poll::Ready(Ok(None)) };
        if self.call.is_none() {
            let Some(element) = ready!(self.input.poll(turn))? else {
                let ended = saving.end();
                self.saving = None;
                return Poll::Ready(ended.map(|()| None));
            };
            match &self.calls {
                Some(calls) => self.call = Some((element.clone(), calls.call(element, turn))),
                None => {
                    saving.add(0, &element)?;
                    return Poll::Ready(Ok(Some(element)));
                }
            }
        }
        let Some((_, call)) = &mut self.call else { return Poll::Pending };
        let results = ready!(call.poll(turn));
        let Some((element, _)) = self.call.take() else { return Poll::Pending };
        Poll::Ready(self.write(element, results).map(Some))
    }

    fn save(&mut self, _: &mut Turn<'_>, _: &mut Saver) -> Poll<Result<()>> {
        Poll::Ready(Err(Error::unimplemented("the position of an iterator that writes its elements cannot be saved")))
    }

    fn restore(&mut self, _: &mut Saved) -> Result<()> {
        Err(Error::unimplemented("the position of an iterator that writes its elements cannot be restored"))
    }
}

/// An iterator that returns only the end, once another has returned all its elements.
struct All(Box<dyn Iter>);

impl Iter for All {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        while ready!(self.0.poll(turn))?.is_some() {
            ready!(turn.pass());
        }
        Poll::Ready(Ok(None))
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        self.0.save(turn, to)
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        self.0.restore(from)
    }
}

attrs! {
    /// Returns the elements of a dataset that was saved in a directory: those of the dataset that `reader_func` creates
    /// from a dataset whose elements are the shards.
    pub struct LoadDataset {
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Compression of the files.
        compression: Bytes = Attr::string("compression").or_str(""),
        /// Builds the dataset from a dataset of the shards.
        reader: Func = Attr::func("reader_func"),
        /// Dtypes of the function's other arguments.
        arguments: Vec<DType> = Attr::dtypes("Treader_func_args", sets::ANY),
    }
}

pub static LOAD_DATASET: Def<LoadDataset> = op("LoadDataset")
    .inputs(&[PATH, arg("reader_func_other_args", each("Treader_func_args"))])
    .outputs(DATASET)
    .stateful()
    .shape(scalar_output)
    .kernel(|op: &LoadDataset, cx| {
        let directory: Bytes = scalar(cx, 0, "path")?;
        let directory = String::from_utf8_lossy(&directory).into_owned();
        let files = cx.env().files.clone();
        let metadata = Metadata::read(&files, &directory)?;
        metadata.check(&op.types)?;
        let load = Load {
            reader: Function::of(cx, &op.reader, 1..cx.num_inputs())?,
            compression: compression(&op.compression)?,
            types: op.types.clone(),
            shapes: op.shapes.clone(),
            directory,
            files,
            metadata,
        };
        make(cx, op.types.clone(), op.shapes.clone(), load)
    });

struct Load {
    reader: Function,
    compression: Compression,
    types: Vec<DType>,
    shapes: Vec<PartialShape>,
    directory: String,
    files: Files,
    metadata: Metadata,
}

impl Dataset for Load {
    fn kind(&self) -> &'static str {
        "Load"
    }

    fn may_read(&self) -> bool {
        true
    }

    fn cardinality(&self) -> i64 {
        self.metadata.elements
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        let shards = self
            .metadata
            .shards(&self.files, &self.directory)?
            .into_iter()
            .map(|directory| Shard::source(directory, &self.files, self.compression, &self.types, &self.shapes));
        Ok(Box::new(LoadIter::new(self.reader.at(&setup), shards.collect(), setup)))
    }
}

/// Iterates over the dataset that a function creates from a dataset of shards.
pub(crate) struct LoadIter {
    calls: Calls,
    shards: Source,
    call: Option<Call>,
    setup: Setup,
    /// The dataset's iterator, once the function has returned.
    input: Option<Box<dyn Iter>>,
    /// The position to restore then.
    saved: Option<Saved>,
}

impl LoadIter {
    pub(crate) fn new(calls: Calls, shards: Vec<Source>, setup: Setup) -> LoadIter {
        let shards = shards.into_iter().map(|shard| vec![shard.tensor()]).collect();
        let shards = window(&[DType::Variant], &[PartialShape::scalar()], shards);
        LoadIter { calls, shards, call: None, setup, input: None, saved: None }
    }

    /// Waits for the function.
    fn begin(&mut self, turn: &mut Turn<'_>) -> Poll<Result<()>> {
        if self.input.is_some() {
            return Poll::Ready(Ok(()));
        }
        let (calls, shards) = (&self.calls, &self.shards);
        let results = ready!(self.call.get_or_insert_with(|| calls.call(vec![shards.tensor()], turn)).poll(turn));
        self.call = None;
        let mut input = match &results?[..] {
            [dataset] => self.setup.make(&Source::of(dataset)?)?,
            _ => return Poll::Ready(Err(Error::invalid("reader_func returns more than one argument."))),
        };
        if let Some(mut saved) = self.saved.take() {
            input.restore(&mut saved)?;
        }
        self.input = Some(input);
        Poll::Ready(Ok(()))
    }
}

impl Iter for LoadIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        ready!(self.begin(turn))?;
        match &mut self.input {
            Some(input) => input.poll(turn),
            None => Poll::Ready(Ok(None)),
        }
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        ready!(self.begin(turn))?;
        let mut position = Saver::default();
        if let Some(input) = &mut self.input {
            ready!(input.save(turn, &mut position))?;
        }
        to.nested(position);
        Poll::Ready(Ok(()))
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        self.saved = Some(from.nested()?);
        Ok(())
    }
}

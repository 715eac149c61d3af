//! `CacheDataset`: elements that are computed only once.

use crate::access::Access;
use crate::cache_file::FileCache;
use crate::dataset::{DATASET, Dataset, INPUT, Plain, Setup, Source, Tuple, input, make_like, scalar, scalar_output};
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use levada_graph::{Handle, Variant};
use std::sync::{Arc, OnceLock};
use std::task::{Poll, ready};

/// The elements of a dataset, available once an iterator has reached the end.
#[derive(Default)]
pub(crate) struct Memory(OnceLock<Arc<[Tuple]>>);

pub static CACHE_DATASET: Def<Plain> = op("CacheDataset")
    .doc("Caches the elements of a dataset in memory or in a file once an iterator has returned all of them.")
    .inputs(&[INPUT, FILENAME])
    .outputs(DATASET)
    .also(&[form("CacheDatasetV2").inputs(&[INPUT, FILENAME, arg("cache", is(DType::Resource))])])
    .stateful()
    .shape(scalar_output)
    .kernel(|_, cx| {
        let (source, file): (Source, Bytes) = (input(cx, 0)?, scalar(cx, 1, "filename")?);
        if !file.is_empty() {
            let cache = FileCache::new(source.clone(), &file, cx.env().files.clone());
            return make_like(cx, &source, cache);
        }
        let given = match cx.num_inputs() {
            2 => None,
            _ => match cx.slice::<Handle>(2)? {
                [Handle { object, .. }] => object.clone(),
                _ => return Err(Error::invalid("cache must be a single handle")),
            },
        };
        let memory = given.map_or_else(|| Ok(Arc::default()), |object| object.downcast());
        let memory: Arc<Memory> = memory.map_err(|_| Error::invalid("cache is not a handle to a cache"))?;
        make_like(cx, &source.clone(), Cache { source, memory })
    });

const FILENAME: Arg = arg("filename", is(DType::Str));

attrs! {
    /// Creates a handle to the memory of a cache.
    pub struct AnonymousMemoryCache {}
}

pub static ANONYMOUS_MEMORY_CACHE: Def<AnonymousMemoryCache> = op("AnonymousMemoryCache")
    .outputs(HANDLES)
    .stateful()
    .shape(|_, cx| {
        cx.output_scalar(0);
        cx.output_scalar(1);
        Ok(())
    })
    .kernel(|_: &AnonymousMemoryCache, cx| {
        let name = cx.node().name.clone();
        let object: Arc<Memory> = Arc::default();
        cx.set(0, Tensor::scalar(Handle { container: "".into(), name, object: Some(object) }));
        cx.set(1, Tensor::scalar(Variant::default()));
        Ok(())
    });

attrs! {
    /// Creates a dummy handle, for caches with memory of their own.
    pub struct DummyMemoryCache {}
}

pub static DUMMY_MEMORY_CACHE: Def<DummyMemoryCache> =
    op("DummyMemoryCache").outputs(&[HANDLE]).stateful().shape(scalar_output).kernel(|_: &DummyMemoryCache, cx| {
        let name = cx.node().name.clone();
        cx.set(0, Tensor::scalar(Handle { container: "".into(), name, object: None }));
        Ok(())
    });

attrs! {
    /// Does nothing: the memory of a cache is freed with its last handle.
    pub struct DeleteMemoryCache {}
}

pub static DELETE_MEMORY_CACHE: Def<DeleteMemoryCache> =
    op("DeleteMemoryCache").inputs(HANDLES).stateful().kernel(|_: &DeleteMemoryCache, _| Ok(()));

const HANDLE: Arg = arg("handle", is(DType::Resource));
const HANDLES: &[Arg] = &[HANDLE, arg("deleter", is(DType::Variant))];

struct Cache {
    source: Source,
    memory: Arc<Memory>,
}

impl Dataset for Cache {
    fn kind(&self) -> &'static str {
        "MemoryCache"
    }

    fn cardinality(&self) -> i64 {
        self.source.cardinality()
    }

    fn access(&self, setup: &Setup) -> Result<Box<dyn Access>> {
        Ok(Box::new(CacheAccess { memory: self.memory.clone(), input: setup.access(&self.source)? }))
    }

    fn any_order(&self) -> Result<()> {
        self.source.any_order()
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        let state = match self.memory.0.get() {
            Some(elements) => State::Reads(elements.clone(), 0),
            None => State::Writes(setup.make(&self.source)?, Vec::new()),
        };
        Ok(Box::new(CacheIter { memory: self.memory.clone(), state }))
    }
}

/// Random access to the memory, or to the input until the cache is filled.
struct CacheAccess {
    memory: Arc<Memory>,
    input: Box<dyn Access>,
}

impl Access for CacheAccess {
    fn poll(&mut self, index: u64, turn: &mut Turn<'_>) -> Poll<Result<Tuple>> {
        let elements = self.memory.0.get();
        match elements.and_then(|elements| elements.get(usize::try_from(index).ok()?)) {
            Some(element) => Poll::Ready(Ok(element.clone())),
            None => self.input.poll(index, turn),
        }
    }
}

enum State {
    /// Returns the cached elements, starting at an index.
    Reads(Arc<[Tuple]>, usize),
    /// Returns the elements of the input and stores them.
    Writes(Box<dyn Iter>, Vec<Tuple>),
}

struct CacheIter {
    memory: Arc<Memory>,
    state: State,
}

impl Iter for CacheIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        match &mut self.state {
            State::Reads(elements, next) => {
                let element = elements.get(*next).cloned();
                *next += usize::from(element.is_some());
                Poll::Ready(Ok(element))
            }
            State::Writes(input, elements) => {
                let element = ready!(input.poll(turn))?;
                match &element {
                    Some(element) => elements.push(element.clone()),
                    None => {
                        let all: Arc<[Tuple]> = std::mem::take(elements).into();
                        let end = all.len();
                        // If several iterators reach the end, the first one fills the cache.
                        let _ = self.memory.0.set(all.clone());
                        self.state = State::Reads(all, end);
                    }
                }
                Poll::Ready(Ok(element))
            }
        }
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        let (elements, next) = match &self.state {
            State::Reads(elements, next) => (&**elements, *next as i64),
            State::Writes(_, elements) => (&**elements, -1),
        };
        to.int(next);
        to.count(elements.len());
        elements.iter().for_each(|element| to.element(element));
        match &mut self.state {
            State::Reads(..) => Poll::Ready(Ok(())),
            State::Writes(input, _) => input.save(turn, to),
        }
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        let next = usize::try_from(from.int()?).ok();
        let elements = (0..from.count()?).map(|_| from.element()).collect::<Result<Vec<Tuple>>>()?;
        match (next, &mut self.state) {
            (Some(next), _) => {
                let all: Arc<[Tuple]> = elements.into();
                let _ = self.memory.0.set(all.clone());
                self.state = State::Reads(all, next);
            }
            // The cache has been filled in the meantime with the same elements.
            (None, State::Reads(_, next)) => *next = elements.len(),
            (None, State::Writes(input, so_far)) => {
                *so_far = elements;
                return input.restore(from);
            }
        }
        Ok(())
    }
}

//! Datasets: values that create iterators.

use crate::access::{self, Access};
use crate::iter::Iter;
use crate::made::Made;
use crate::meter::{Budget, MANY, Meter, Metered, Stage};
use crate::options::{may_be_rewritten, merged};
use crate::position::Saver;
use crate::prelude::*;
use crate::stats::Collector;
use levada_graph::{Variant, VariantValue};
use levada_kernel::background::Origin;
use levada_kernel::{AnyDevice, Background};
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// An element: one tensor per component.
pub(crate) type Tuple = Vec<Tensor>;

/// The cardinality of an infinite dataset.
pub(crate) const INFINITE: i64 = -1;
/// The cardinality of a dataset whose end is only found by iterating.
pub(crate) const UNKNOWN: i64 = -2;

/// Maximum nesting depth of iterators, each of which takes some stack.
const MOST_NESTED: u32 = 256;

/// A kind of dataset.
pub(crate) trait Dataset: Send + Sync + 'static {
    /// Its name as part of iterator names: `Map` for `MapDataset`.
    fn kind(&self) -> &'static str;

    /// The number of elements, [`INFINITE`] or [`UNKNOWN`].
    fn cardinality(&self) -> i64;

    /// Returns an iterator without elements that counts the elements if functions determine their number;
    /// [`Dataset::cardinality`] returns the result afterwards.
    ///
    /// # Errors
    /// If it cannot be created.
    fn count(&self, _: &Setup) -> Result<Option<Box<dyn Iter>>> {
        Ok(None)
    }

    /// Creates an iterator positioned at the first element.
    ///
    /// # Errors
    /// If it cannot be created.
    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>>;

    /// Whether it has a parameter that is tuned at run time.
    fn is_tuned(&self) -> bool {
        false
    }

    /// Whether it, or what its functions create, may read files. Its inputs are accounted for separately.
    fn may_read(&self) -> bool {
        false
    }

    /// Whether its elements depend on how many iterators it has had. Its inputs are accounted for separately.
    fn reseeds(&self) -> bool {
        false
    }

    /// The device in whose memory its elements are wanted, if that is not the host's.
    fn wanted(&self) -> Option<Arc<dyn AnyDevice>> {
        None
    }

    /// Serializes what it is made of; returns false if it cannot. [`crate::encoding`] reads it.
    fn encode(&self, _: &mut Saver) -> bool {
        false
    }

    /// The inputs taken from its node, and the index of the first of these.
    fn parts(&self) -> (usize, &[Tensor]) {
        (0, &[])
    }

    /// Returns random access to its elements.
    ///
    /// # Errors
    /// `UNIMPLEMENTED` if it does not support random access.
    fn access(&self, _: &Setup) -> Result<Box<dyn Access>> {
        Err(access::none(self))
    }

    /// Checks whether its elements may be returned in arbitrary order by index.
    ///
    /// # Errors
    /// `FAILED_PRECONDITION`, with the reason, if not.
    fn any_order(&self) -> Result<()> {
        Err(access::not_in_any_order(self))
    }
}

/// A dataset and metadata of its elements: the value of a variant.
#[derive(Clone)]
pub(crate) struct Node {
    /// Dtypes of an element's components.
    pub(crate) types: Arc<[DType]>,
    /// Shapes of an element's components.
    pub(crate) shapes: Arc<[PartialShape]>,
    /// Whether some parameter in it is tuned at run time.
    pub(crate) tuned: bool,
    /// The budget for tuning, if options set one.
    budget: Option<Budget>,
    /// Whether it, or a dataset that it is made of, may read files.
    pub(crate) may_read: bool,
    /// Whether the elements of a copy of it, or of a dataset that it is made of, may differ. The functions of a copy have
    /// a state of their own.
    pub(crate) differs_in_copies: bool,
    /// Its options merged with those of the datasets that it is made of, as a TensorFlow message.
    pub(crate) options: Bytes,
    /// The device in whose memory its elements are wanted, if that is not the host's.
    pub(crate) wanted: Option<Arc<dyn AnyDevice>>,
    /// How it was made, if a node made it.
    pub(crate) made: Option<Arc<Made>>,
    dataset: Arc<dyn Dataset>,
}

impl Node {
    /// See [`Dataset::parts`].
    pub(crate) fn parts(&self) -> (usize, &[Tensor]) {
        self.dataset.parts()
    }

    /// Returns its kind and serialized form; `None` if it cannot be serialized.
    pub(crate) fn encode(&self) -> Option<(&'static str, Saver)> {
        let mut parts = Saver::default();
        self.dataset.encode(&mut parts).then(|| (self.dataset.kind(), parts))
    }
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}Dataset", self.dataset.kind())
    }
}

impl VariantValue for Node {
    fn type_name(&self) -> &'static str {
        "tensorflow::DatasetVariantWrapper"
    }
}

/// A dataset as an input of others. Held as a variant, so that dropping a long chain of them does not recurse.
#[derive(Clone)]
pub(crate) struct Source(Variant);

impl Source {
    /// Creates a dataset with elements of these dtypes and shapes.
    pub(crate) fn new(types: &[DType], shapes: &[PartialShape], dataset: impl Dataset) -> Source {
        let (types, shapes) = (types.into(), shapes.into());
        Source(Variant::new(Node {
            types,
            shapes,
            tuned: false,
            budget: None,
            may_read: dataset.may_read(),
            differs_in_copies: dataset.reseeds(),
            options: Bytes::new(),
            wanted: None,
            made: None,
            dataset: Arc::new(dataset),
        }))
    }

    /// Returns the same dataset with this budget.
    pub(crate) fn within(&self, budget: Budget) -> Source {
        Source(Variant::new(Node { budget: Some(budget), ..self.node() }))
    }

    /// The budget for tuning.
    pub(crate) fn budget(&self) -> Budget {
        self.budget.unwrap_or_default()
    }

    /// Returns the same dataset with these options.
    pub(crate) fn with_options(&self, options: Bytes) -> Source {
        Source(Variant::new(Node { options, ..self.node() }))
    }

    /// Returns the same dataset with its elements wanted in the memory of a device.
    pub(crate) fn wanted_on(&self, device: Arc<dyn AnyDevice>) -> Source {
        Source(Variant::new(Node { wanted: Some(device), ..self.node() }))
    }

    /// Returns this dataset with what nodes that pass `other` through have set there.
    pub(crate) fn passed_like(&self, other: &Source) -> Source {
        let (options, budget, wanted) = (other.options.clone(), other.budget, other.wanted.clone());
        Source(Variant::new(Node { options, budget, wanted, ..self.node() }))
    }

    /// Returns a copy of the node.
    fn node(&self) -> Node {
        (**self).clone()
    }

    /// Returns the dataset held by a scalar.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if there is none.
    pub(crate) fn of(tensor: &Tensor) -> Result<Source> {
        let found = if tensor.shape().is_scalar() { tensor.slice::<Variant>()?.first() } else { None };
        match found {
            Some(variant) if variant.get::<Node>().is_some() => Ok(Source(variant.clone())),
            _ => Err(Error::invalid("The given tensor must be a scalar that holds a dataset.").found(match found {
                Some(variant) => format!("{variant:?}"),
                None => format!("a tensor of shape {}", tensor.shape()),
            })),
        }
    }

    /// Returns a variant that holds the dataset.
    pub(crate) fn into_variant(self) -> Variant {
        self.0
    }

    /// Returns a scalar that holds the dataset.
    pub(crate) fn tensor(&self) -> Tensor {
        Tensor::scalar(self.0.clone())
    }

    /// Whether both are the same dataset object.
    pub(crate) fn is_same(&self, other: &Source) -> bool {
        std::ptr::eq(self.identity(), other.identity())
    }

    /// The address of what creates its iterators, which nodes that pass it through keep.
    pub(crate) fn object(&self) -> *const () {
        Arc::as_ptr(&self.dataset).cast()
    }

    /// Its address, which identifies it while it is alive.
    pub(crate) fn identity(&self) -> *const Node {
        &raw const **self
    }

    /// See [`Dataset::reseeds`].
    pub(crate) fn reseeds(&self) -> bool {
        self.dataset.reseeds()
    }

    /// The number of elements.
    pub(crate) fn cardinality(&self) -> i64 {
        self.dataset.cardinality()
    }

    /// Checks whether its elements may be returned in arbitrary order by index.
    ///
    /// # Errors
    /// See [`Dataset::any_order`].
    pub(crate) fn any_order(&self) -> Result<()> {
        self.dataset.any_order()
    }
}

impl Deref for Source {
    type Target = Node;
    fn deref(&self) -> &Node {
        self.0.get().expect("checked on creation")
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

/// The context in which an iterator is created: the pipeline and the enclosing iterator.
#[derive(Clone)]
pub(crate) struct Setup {
    /// Calls functions and runs background work for the pipeline.
    pub(crate) background: Arc<Background>,
    /// The origin of calls.
    pub(crate) origin: Origin,
    /// Name of the iterator: `Iterator::Root::Batch::Map`.
    pub(crate) name: Arc<str>,
    /// Its costs, if the pipeline is metered.
    pub(crate) stage: Option<Arc<Stage>>,
    /// The index of that stage.
    number: Option<usize>,
    /// The costs of the pipeline, if it is metered.
    pub(crate) meter: Option<Arc<Meter>>,
    /// Number of jobs that compute the elements of the iterators created here ahead.
    ahead: u64,
    /// Whether a job requests elements, rather than the reader of the pipeline.
    pub(crate) in_job: bool,
    nested: u32,
    /// The full name of the device that the iterator is on.
    device: Arc<str>,
    /// Whether datasets that compute ahead start when they are created, as with TensorFlow's option `warm_start`.
    warm: bool,
    /// Whether TensorFlow's optimizer may replace datasets of the pipeline.
    pub(crate) may_be_rewritten: bool,
    /// Receives statistics of the elements, if set.
    pub(crate) collector: Option<Collector>,
}

impl Setup {
    /// The context for the outermost iterator of a pipeline.
    pub(crate) fn root(background: Arc<Background>, origin: Origin) -> Setup {
        Setup {
            background,
            origin: origin.later(),
            name: "Iterator::Root".into(),
            stage: None,
            number: None,
            meter: None,
            ahead: 0,
            in_job: false,
            nested: 0,
            device: "".into(),
            warm: false,
            may_be_rewritten: true,
            collector: None,
        }
    }

    /// Returns this context with metering.
    pub(crate) fn metered(&self, meter: Option<Arc<Meter>>) -> Setup {
        Setup { meter, ..self.clone() }
    }

    /// Returns this context for iterators whose elements are computed ahead by `jobs` jobs.
    pub(crate) fn ahead(&self, jobs: u64) -> Setup {
        Setup { ahead: jobs, ..self.clone() }
    }

    /// Changes the number of such jobs from here on.
    pub(crate) fn set_ahead(&mut self, jobs: u64) {
        self.ahead = jobs;
    }

    /// Returns this context for an iterator on this device.
    pub(crate) fn on(&self, device: &Arc<str>) -> Setup {
        Setup { device: device.clone(), ..self.clone() }
    }

    /// The device in whose memory the elements of `source` are wanted, if the iterator is on that device.
    pub(crate) fn wanted(&self, source: &Source) -> Option<Arc<dyn AnyDevice>> {
        source.wanted.clone().filter(|wanted| **wanted.name() == *self.device)
    }

    /// Returns this context with [`Setup::is_warm`] set to `warm`.
    pub(crate) fn warm(&self, warm: bool) -> Setup {
        Setup { warm, ..self.clone() }
    }

    /// Returns this context for a pipeline with these options.
    pub(crate) fn under(&self, options: &[u8]) -> Setup {
        Setup { may_be_rewritten: may_be_rewritten(options), ..self.clone() }
    }

    /// Returns this context for iterators that send statistics to `collector`.
    pub(crate) fn collecting(&self, collector: Collector) -> Setup {
        Setup { collector: Some(collector), ..self.clone() }
    }

    /// Whether datasets that compute ahead start when they are created.
    pub(crate) fn is_warm(&self) -> bool {
        self.warm
    }

    /// Creates an iterator of `source` nested in this one.
    ///
    /// # Errors
    /// Those of [`Dataset::iterator`]; `RESOURCE_EXHAUSTED` if they are nested too deep.
    pub(crate) fn make(&self, source: &Source) -> Result<Box<dyn Iter>> {
        self.named(source, format!("{}::{}", self.name, source.dataset.kind()), "")
    }

    /// Like [`Setup::make`], for the `i`-th of several.
    pub(crate) fn make_nth(&self, source: &Source, i: impl fmt::Display) -> Result<Box<dyn Iter>> {
        self.named(source, format!("{}[{i}]::{}", self.name, source.dataset.kind()), &format!("[{i}]"))
    }

    /// Like [`Setup::make_nth`], for one of many that share a stage.
    pub(crate) fn make_one_of(&self, source: &Source, i: u64) -> Result<Box<dyn Iter>> {
        self.named(source, format!("{}[{i}]::{}", self.name, source.dataset.kind()), MANY)
    }

    fn named(&self, source: &Source, name: String, label: &str) -> Result<Box<dyn Iter>> {
        self.stage(source.dataset.kind(), label, self.inside(name)?, |inside| source.dataset.iterator(inside))
    }

    /// Creates a part of this iterator that is a stage of its own.
    ///
    /// # Errors
    /// Those of `make`.
    pub(crate) fn part(
        &self,
        kind: &'static str,
        make: impl FnOnce(Setup) -> Result<Box<dyn Iter>>,
    ) -> Result<Box<dyn Iter>> {
        self.stage(kind, "", self.inside(self.name.to_string())?, make)
    }

    /// Creates a nested iterator with `make`, metered if the pipeline is.
    fn stage(
        &self,
        kind: &'static str,
        label: &str,
        mut inside: Setup,
        make: impl FnOnce(Setup) -> Result<Box<dyn Iter>>,
    ) -> Result<Box<dyn Iter>> {
        let Some(meter) = self.meter.clone() else { return make(inside) };
        let (number, stage) = meter.stage(kind, label, self.number, self.ahead);
        (inside.number, inside.stage) = (Some(number), Some(stage.clone()));
        Ok(Box::new(Metered::new(make(inside)?, stage, &meter)))
    }

    /// Whether parameters of this iterator will be tuned; registers that there is something to tune.
    pub(crate) fn tunes(&self) -> bool {
        self.meter.as_ref().is_some_and(|meter| {
            meter.tune();
            meter.budget().tunes
        })
    }

    /// Returns the context one level further in.
    fn inside(&self, name: String) -> Result<Setup> {
        if self.nested >= MOST_NESTED {
            return Err(Error::resource_exhausted("the datasets of a pipeline are nested too deeply")
                .expected(format!("at most {MOST_NESTED} levels")));
        }
        let in_job = self.in_job || self.ahead > 0;
        Ok(Setup { name: name.into(), nested: self.nested + 1, ahead: 0, in_job, stage: None, ..self.clone() })
    }

    /// Returns an iterator that counts the elements of `source`, nested in this one.
    ///
    /// # Errors
    /// Those of [`Dataset::count`]; `RESOURCE_EXHAUSTED` if they are nested too deep.
    pub(crate) fn count(&self, source: &Source) -> Result<Option<Box<dyn Iter>>> {
        source.dataset.count(&self.inside(format!("{}::{}", self.name, source.dataset.kind()))?)
    }

    /// Returns random access to the elements of `source`, nested in this iterator.
    ///
    /// # Errors
    /// Those of [`Dataset::access`]; `RESOURCE_EXHAUSTED` if they are nested too deep.
    pub(crate) fn access(&self, source: &Source) -> Result<Box<dyn Access>> {
        source.dataset.access(&self.inside(format!("{}::{}", self.name, source.dataset.kind()))?)
    }
}

attrs! {
    /// The attrs of datasets without attrs of their own.
    pub struct Plain {
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Not used.
        metadata: Bytes = Attr::string("metadata").or_str(""),
    }
}

/// The input of most datasets.
pub(crate) const INPUT: Arg = arg("input_dataset", is(DType::Variant));
/// The output of ops that create datasets.
pub(crate) const DATASET: &[Arg] = &[arg("handle", is(DType::Variant))];
/// The other arguments of functions, besides elements.
pub(crate) const ARGUMENTS: Arg = arg("other_arguments", each("Targuments"));

/// The shape function of ops that create datasets.
pub(crate) fn scalar_output<A>(_: &A, cx: &mut ShapeCx<'_>) -> Result<()> {
    cx.output_scalar(0);
    Ok(())
}

/// Returns the dataset in input `i`.
pub(crate) fn input(cx: &Cx<'_, '_>, i: usize) -> Result<Source> {
    Source::of(cx.input(i)?)
}

/// Returns input `i`, called `name`, which must be a scalar.
pub(crate) fn scalar<T: Element>(cx: &Cx<'_, '_>, i: usize, name: &str) -> Result<T> {
    let value = cx.input(i)?;
    match value.shape().is_scalar() {
        true => value.item(),
        false => Err(Error::invalid(format!("{name} must be a scalar")).found(format!("shape {}", value.shape()))),
    }
}

/// Sets output 0 to this dataset, with elements of these dtypes and shapes.
///
/// # Errors
/// `INVALID_ARGUMENT` if their numbers differ.
pub(crate) fn make(
    cx: &mut Cx<'_, '_>,
    types: impl Into<Arc<[DType]>>,
    shapes: impl Into<Arc<[PartialShape]>>,
    dataset: impl Dataset,
) -> Result<()> {
    let (types, shapes) = (types.into(), shapes.into());
    if types.len() != shapes.len() {
        return Err(Error::invalid("output_types and output_shapes must have the same length").found(format!(
            "{} and {}",
            types.len(),
            shapes.len()
        )));
    }
    let tuned = dataset.is_tuned() || inputs_are_tuned(cx);
    let (mut options, mut may_read) = (Bytes::new(), dataset.may_read());
    let made = Made::by(cx);
    let mut differs_in_copies = dataset.reseeds() || made.has_functions();
    for i in 0..cx.num_inputs() {
        // Inputs that were taken are part of an element.
        if let Ok(source) = cx.input(i).and_then(Source::of) {
            options = merged(&options, &source.options)?;
            may_read |= source.may_read;
            differs_in_copies |= source.differs_in_copies;
        }
    }
    let (wanted, made, dataset) = (dataset.wanted(), Some(Arc::new(made)), Arc::new(dataset));
    let node = Node { types, shapes, tuned, budget: None, may_read, differs_in_copies, options, wanted, made, dataset };
    cx.set(0, Tensor::scalar(Variant::new(node)));
    Ok(())
}

/// Whether any dataset among the inputs has a parameter that is tuned at run time.
fn inputs_are_tuned(cx: &Cx<'_, '_>) -> bool {
    let is_tuned = |i: usize| {
        let Ok(input) = cx.input(i) else { return false };
        input.dtype() == DType::Variant
            && input.slice::<Variant>().is_ok_and(|all| all.iter().any(|v| v.get::<Node>().is_some_and(|n| n.tuned)))
    };
    (0..cx.num_inputs()).any(is_tuned)
}

/// Sets output 0 to this dataset, with elements like those of `input`.
pub(crate) fn make_like(cx: &mut Cx<'_, '_>, input: &Source, dataset: impl Dataset) -> Result<()> {
    make(cx, input.types.clone(), input.shapes.clone(), dataset)
}

/// Checks that the elements of `found` are compatible with `types` and `shapes`.
///
/// # Errors
/// `INVALID_ARGUMENT` otherwise.
pub(crate) fn check_elements(types: &[DType], shapes: &[PartialShape], found: &Node) -> Result<()> {
    if types.len() != found.types.len() {
        return Err(Error::invalid(format!(
            "Number of components does not match: expected {} types but got {}.",
            types.len(),
            found.types.len()
        )));
    }
    for (i, (expected, got)) in types.iter().zip(found.types.iter()).enumerate() {
        if expected != got {
            return Err(Error::invalid(format!(
                "Data type mismatch at component {i}: expected {expected} but got {got}."
            )));
        }
    }
    for (i, (expected, got)) in shapes.iter().zip(found.shapes.iter()).enumerate() {
        if !expected.is_compatible(got) {
            return Err(Error::invalid(format!(
                "Incompatible shapes at component {i}: expected {expected} but got {got}."
            )));
        }
    }
    Ok(())
}

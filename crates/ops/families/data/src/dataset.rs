//! What a dataset is: a value that makes iterators.

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

/// An element: one tensor for each component.
pub(crate) type Tuple = Vec<Tensor>;

/// The cardinality of a dataset without an end.
pub(crate) const INFINITE: i64 = -1;
/// The cardinality of a dataset of which only its iterators find the end.
pub(crate) const UNKNOWN: i64 = -2;

/// How many iterators may be inside one another: each takes some of the stack.
const MOST_NESTED: u32 = 256;

/// What a kind of dataset is.
pub(crate) trait Dataset: Send + Sync + 'static {
    /// Its name in the names of iterators: `Map` for `MapDataset`.
    fn kind(&self) -> &'static str;

    /// How many elements it has, or [`INFINITE`] or [`UNKNOWN`].
    fn cardinality(&self) -> i64;

    /// What finds out how many elements it has where functions know, and has [`Dataset::cardinality`] say it from then on: an iterator
    /// without elements.
    ///
    /// # Errors
    /// Where there can be none.
    fn count(&self, _: &Setup) -> Result<Option<Box<dyn Iter>>> {
        Ok(None)
    }

    /// An iterator at its first element.
    ///
    /// # Errors
    /// Where there can be none.
    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>>;

    /// True where it has a number that is chosen while it runs.
    fn is_tuned(&self) -> bool {
        false
    }

    /// True where it, or what its functions make, may read files. That its inputs do need not be said.
    fn may_read(&self) -> bool {
        false
    }

    /// The device in whose memory its elements are wanted, where that is not the host's.
    fn wanted(&self) -> Option<Arc<dyn AnyDevice>> {
        None
    }

    /// Writes down what it is made of; false where it cannot. [`crate::encoding`] reads it.
    fn encode(&self, _: &mut Saver) -> bool {
        false
    }

    /// What its node took of its inputs, and the number of the first of these.
    fn parts(&self) -> (usize, &[Tensor]) {
        (0, &[])
    }

    /// Gets its elements by number.
    ///
    /// # Errors
    /// `UNIMPLEMENTED` where that is not possible.
    fn access(&self, _: &Setup) -> Result<Box<dyn Access>> {
        Err(access::none(self))
    }

    /// Whether its elements may be given in an order that goes by their numbers.
    ///
    /// # Errors
    /// `FAILED_PRECONDITION`, and why not.
    fn any_order(&self) -> Result<()> {
        Err(access::not_in_any_order(self))
    }
}

/// A dataset, and what is known of its elements: the value of a variant.
pub(crate) struct Node {
    /// Dtypes of an element.
    pub(crate) types: Arc<[DType]>,
    /// Shapes of an element.
    pub(crate) shapes: Arc<[PartialShape]>,
    /// True where some number in it is to be chosen while it runs.
    pub(crate) tuned: bool,
    /// What it may use for that, where options say so.
    budget: Option<Budget>,
    /// True where it may read files, or what it is made of.
    pub(crate) may_read: bool,
    /// Its options and those of the datasets that it is made of, as a message of TensorFlow's.
    pub(crate) options: Bytes,
    /// The device in whose memory its elements are wanted, where that is not the host's.
    pub(crate) wanted: Option<Arc<dyn AnyDevice>>,
    /// How it was made, where a node made it.
    pub(crate) made: Option<Arc<Made>>,
    dataset: Arc<dyn Dataset>,
}

impl Node {
    /// As [`Dataset::parts`].
    pub(crate) fn parts(&self) -> (usize, &[Tensor]) {
        self.dataset.parts()
    }

    /// Its kind, and what it is made of; `None` where it cannot be written down.
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

/// A dataset that others are made of. Held as a variant, so that a long chain of them is dropped without nesting.
#[derive(Clone)]
pub(crate) struct Source(Variant);

impl Source {
    /// A dataset with elements of these dtypes and shapes.
    pub(crate) fn new(types: &[DType], shapes: &[PartialShape], dataset: impl Dataset) -> Source {
        let (types, shapes) = (types.into(), shapes.into());
        let (may_read, options, dataset) = (dataset.may_read(), Bytes::new(), Arc::new(dataset));
        let (wanted, made) = (None, None);
        let tuned = false;
        Source(Variant::new(Node { types, shapes, tuned, budget: None, may_read, options, wanted, made, dataset }))
    }

    /// The same dataset, which may use this.
    pub(crate) fn within(&self, budget: Budget) -> Source {
        Source(Variant::new(Node { budget: Some(budget), ..self.node() }))
    }

    /// What it may use where it chooses numbers.
    pub(crate) fn budget(&self) -> Budget {
        self.budget.unwrap_or_default()
    }

    /// The same dataset with these options.
    pub(crate) fn with_options(&self, options: Bytes) -> Source {
        Source(Variant::new(Node { options, ..self.node() }))
    }

    /// The same dataset, whose elements are wanted in the memory of a device.
    pub(crate) fn wanted_on(&self, device: Arc<dyn AnyDevice>) -> Source {
        Source(Variant::new(Node { wanted: Some(device), ..self.node() }))
    }

    /// The dataset, once more.
    fn node(&self) -> Node {
        let Node { types, shapes, tuned, budget, may_read, options, wanted, made, dataset } = &**self;
        let (types, shapes, options, dataset) = (types.clone(), shapes.clone(), options.clone(), dataset.clone());
        let (tuned, budget, may_read, wanted, made) = (*tuned, *budget, *may_read, wanted.clone(), made.clone());
        Node { types, shapes, tuned, budget, may_read, options, wanted, made, dataset }
    }

    /// The dataset in a scalar.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` where there is none.
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

    /// A variant with the dataset.
    pub(crate) fn into_variant(self) -> Variant {
        self.0
    }

    /// A scalar with the dataset.
    pub(crate) fn tensor(&self) -> Tensor {
        Tensor::scalar(self.0.clone())
    }

    /// Whether this is the very same dataset.
    pub(crate) fn is_same(&self, other: &Source) -> bool {
        std::ptr::eq(self.identity(), other.identity())
    }

    /// What tells it from others while it lives.
    pub(crate) fn identity(&self) -> *const Node {
        &raw const **self
    }

    /// How many elements it has.
    pub(crate) fn cardinality(&self) -> i64 {
        self.dataset.cardinality()
    }

    /// Whether its elements may be given in an order that goes by their numbers.
    ///
    /// # Errors
    /// As [`Dataset::any_order`].
    pub(crate) fn any_order(&self) -> Result<()> {
        self.dataset.any_order()
    }
}

impl Deref for Source {
    type Target = Node;
    fn deref(&self) -> &Node {
        self.0.get().expect("checked when it was made")
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

/// Where an iterator is made: in which pipeline, and inside of which other.
#[derive(Clone)]
pub(crate) struct Setup {
    /// What calls functions and works ahead for the pipeline.
    pub(crate) background: Arc<Background>,
    /// For whom.
    pub(crate) origin: Origin,
    /// Name of the iterator: `Iterator::Root::Batch::Map`.
    pub(crate) name: Arc<str>,
    /// What it costs, where anyone wants to know.
    pub(crate) stage: Option<Arc<Stage>>,
    /// The number of that stage.
    number: Option<usize>,
    /// What the pipeline costs.
    pub(crate) meter: Option<Arc<Meter>>,
    /// How many jobs compute the elements of the iterators that are made here ahead.
    ahead: u64,
    /// True where a job asks for elements, and not whoever reads the pipeline.
    pub(crate) in_job: bool,
    nested: u32,
    /// The full name of the device that the iterator is on.
    device: Arc<str>,
    /// True where datasets that compute ahead begin when they are made, as TensorFlow's do with the option `warm_start`.
    warm: bool,
    /// True where TensorFlow's optimizer may make other datasets of those of the pipeline.
    pub(crate) may_be_rewritten: bool,
    /// What gets statistics of the elements, where anything does.
    pub(crate) collector: Option<Collector>,
}

impl Setup {
    /// For the outermost iterator of a pipeline.
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

    /// As this, with its costs measured.
    pub(crate) fn metered(&self, meter: Option<Arc<Meter>>) -> Setup {
        Setup { meter, ..self.clone() }
    }

    /// As this, for iterators whose elements so many jobs compute ahead.
    pub(crate) fn ahead(&self, jobs: u64) -> Setup {
        Setup { ahead: jobs, ..self.clone() }
    }

    /// The same, for this from here on.
    pub(crate) fn set_ahead(&mut self, jobs: u64) {
        self.ahead = jobs;
    }

    /// As this, for an iterator on this device.
    pub(crate) fn on(&self, device: &Arc<str>) -> Setup {
        Setup { device: device.clone(), ..self.clone() }
    }

    /// The device in whose memory the elements of `source` are wanted, where the iterator is on that.
    pub(crate) fn wanted(&self, source: &Source) -> Option<Arc<dyn AnyDevice>> {
        source.wanted.clone().filter(|wanted| **wanted.name() == *self.device)
    }

    /// The same, for datasets that begin when they are made, or do not.
    pub(crate) fn warm(&self, warm: bool) -> Setup {
        Setup { warm, ..self.clone() }
    }

    /// The same, in a pipeline with these options.
    pub(crate) fn under(&self, options: &[u8]) -> Setup {
        Setup { may_be_rewritten: may_be_rewritten(options), ..self.clone() }
    }

    /// The same, for iterators that give statistics to `collector`.
    pub(crate) fn collecting(&self, collector: Collector) -> Setup {
        Setup { collector: Some(collector), ..self.clone() }
    }

    /// Whether datasets that compute ahead begin when they are made.
    pub(crate) fn is_warm(&self) -> bool {
        self.warm
    }

    /// An iterator of `source` inside of this one.
    ///
    /// # Errors
    /// As [`Dataset::iterator`]; `RESOURCE_EXHAUSTED` where they are nested too deep.
    pub(crate) fn make(&self, source: &Source) -> Result<Box<dyn Iter>> {
        self.named(source, format!("{}::{}", self.name, source.dataset.kind()), "")
    }

    /// As [`Setup::make`], for the `i`-th of several.
    pub(crate) fn make_nth(&self, source: &Source, i: impl fmt::Display) -> Result<Box<dyn Iter>> {
        self.named(source, format!("{}[{i}]::{}", self.name, source.dataset.kind()), &format!("[{i}]"))
    }

    /// As [`Setup::make_nth`], for one of very many that are one stage.
    pub(crate) fn make_one_of(&self, source: &Source, i: u64) -> Result<Box<dyn Iter>> {
        self.named(source, format!("{}[{i}]::{}", self.name, source.dataset.kind()), MANY)
    }

    fn named(&self, source: &Source, name: String, label: &str) -> Result<Box<dyn Iter>> {
        self.stage(source.dataset.kind(), label, self.inside(name)?, |inside| source.dataset.iterator(inside))
    }

    /// A part of this that is a stage of its own.
    ///
    /// # Errors
    /// As `make`.
    pub(crate) fn part(
        &self,
        kind: &'static str,
        make: impl FnOnce(Setup) -> Result<Box<dyn Iter>>,
    ) -> Result<Box<dyn Iter>> {
        self.stage(kind, "", self.inside(self.name.to_string())?, make)
    }

    /// An iterator that `make` makes inside of this, metered where the pipeline is.
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

    /// Where the number of calls or of buffered elements is `now` at first and to be chosen, whether it will be.
    pub(crate) fn tunes(&self) -> bool {
        self.meter.as_ref().is_some_and(|meter| {
            meter.tune();
            meter.budget().tunes
        })
    }

    /// One level further in.
    fn inside(&self, name: String) -> Result<Setup> {
        if self.nested >= MOST_NESTED {
            return Err(Error::resource_exhausted("the datasets of a pipeline are nested too deep")
                .expected(format!("at most {MOST_NESTED} inside one another")));
        }
        let in_job = self.in_job || self.ahead > 0;
        Ok(Setup { name: name.into(), nested: self.nested + 1, ahead: 0, in_job, stage: None, ..self.clone() })
    }

    /// What finds out how many elements `source` has, inside of this.
    ///
    /// # Errors
    /// As [`Dataset::count`]; `RESOURCE_EXHAUSTED` where they are nested too deep.
    pub(crate) fn count(&self, source: &Source) -> Result<Option<Box<dyn Iter>>> {
        source.dataset.count(&self.inside(format!("{}::{}", self.name, source.dataset.kind()))?)
    }

    /// Gets elements of `source` by number, inside of this.
    ///
    /// # Errors
    /// As [`Dataset::access`]; `RESOURCE_EXHAUSTED` where they are nested too deep.
    pub(crate) fn access(&self, source: &Source) -> Result<Box<dyn Access>> {
        source.dataset.access(&self.inside(format!("{}::{}", self.name, source.dataset.kind()))?)
    }
}

attrs! {
    /// The attrs of datasets that have no others.
    pub struct Plain {
        /// Dtypes of an element.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
        /// Not used.
        metadata: Bytes = Attr::string("metadata").or_str(""),
    }
}

/// The dataset that most datasets are made of.
pub(crate) const INPUT: Arg = arg("input_dataset", is(DType::Variant));
/// The output of ops that make datasets.
pub(crate) const DATASET: &[Arg] = &[arg("handle", is(DType::Variant))];
/// What functions get besides elements.
pub(crate) const ARGUMENTS: Arg = arg("other_arguments", each("Targuments"));

/// The shape function of ops that make datasets.
pub(crate) fn scalar_output<A>(_: &A, cx: &mut ShapeCx<'_>) -> Result<()> {
    cx.output_scalar(0);
    Ok(())
}

/// The dataset that input `i` is.
pub(crate) fn input(cx: &Cx<'_, '_>, i: usize) -> Result<Source> {
    Source::of(cx.input(i)?)
}

/// Input `i`, which must be a scalar; `name` names it.
pub(crate) fn scalar<T: Element>(cx: &Cx<'_, '_>, i: usize, name: &str) -> Result<T> {
    let value = cx.input(i)?;
    match value.shape().is_scalar() {
        true => value.item(),
        false => Err(Error::invalid(format!("{name} must be a scalar")).found(format!("shape {}", value.shape()))),
    }
}

/// Output 0 is this dataset, with elements of these dtypes and shapes.
///
/// # Errors
/// `INVALID_ARGUMENT` where they are not as many.
pub(crate) fn make(
    cx: &mut Cx<'_, '_>,
    types: impl Into<Arc<[DType]>>,
    shapes: impl Into<Arc<[PartialShape]>>,
    dataset: impl Dataset,
) -> Result<()> {
    let (types, shapes) = (types.into(), shapes.into());
    if types.len() != shapes.len() {
        return Err(Error::invalid("output_types and output_shapes must be of one length").found(format!(
            "{} and {}",
            types.len(),
            shapes.len()
        )));
    }
    let tuned = dataset.is_tuned() || inputs_are_tuned(cx);
    let (mut options, mut may_read) = (Bytes::new(), dataset.may_read());
    for i in 0..cx.num_inputs() {
        // What was taken is part of an element.
        if let Ok(source) = cx.input(i).and_then(Source::of) {
            options = merged(&options, &source.options)?;
            may_read |= source.may_read;
        }
    }
    let (wanted, made, dataset) = (dataset.wanted(), Some(Arc::new(Made::by(cx))), Arc::new(dataset));
    let node = Node { types, shapes, tuned, budget: None, may_read, options, wanted, made, dataset };
    cx.set(0, Tensor::scalar(Variant::new(node)));
    Ok(())
}

/// Whether any dataset among the inputs has a number that is to be chosen.
fn inputs_are_tuned(cx: &Cx<'_, '_>) -> bool {
    let is_tuned = |i: usize| {
        let Ok(input) = cx.input(i) else { return false };
        input.dtype() == DType::Variant
            && input.slice::<Variant>().is_ok_and(|all| all.iter().any(|v| v.get::<Node>().is_some_and(|n| n.tuned)))
    };
    (0..cx.num_inputs()).any(is_tuned)
}

/// Output 0 is this dataset, with elements like those of `input`.
pub(crate) fn make_like(cx: &mut Cx<'_, '_>, input: &Source, dataset: impl Dataset) -> Result<()> {
    make(cx, input.types.clone(), input.shapes.clone(), dataset)
}

/// Checks that elements of `found` can be those of `types` and `shapes`.
///
/// # Errors
/// `INVALID_ARGUMENT` where they cannot.
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

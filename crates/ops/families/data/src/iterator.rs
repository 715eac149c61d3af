//! `Iterator`, `MakeIterator` and their siblings: iterators as resources.

use crate::copies::one_for_each_use;
use crate::dataset::{Source, check_elements, input, scalar_output};
use crate::handle::{Shared, set_handle};
use crate::prelude::*;
use crate::stream::Stream;
use crate::variable::{resource_input, resource_name};
use levada_graph::{Handle, Variant};
use levada_kernel::{OwnState, StepCx};
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// An iterator, initially without a dataset.
pub(crate) struct IteratorResource {
    /// Its number, unique in the process.
    pub(crate) number: u64,
    /// The full name of its device.
    pub(crate) device: Arc<str>,
    types: Vec<DType>,
    shapes: Vec<PartialShape>,
    /// Protects the dataset and position.
    over: Mutex<Option<Over>>,
}

/// The dataset of an iterator.
struct Over {
    /// Its name, as in the handle.
    name: Arc<str>,
    source: Source,
    stream: Arc<Stream>,
    /// The state of its functions' nodes, new for each start at the first element.
    state: Arc<OwnState>,
}

/// The element types that an op expects of an iterator.
pub(crate) struct Kind {
    pub(crate) device: Arc<str>,
    pub(crate) types: Vec<DType>,
    pub(crate) shapes: Vec<PartialShape>,
}

impl Shared for IteratorResource {
    type Spec = Kind;

    fn make(kind: Kind) -> Result<IteratorResource> {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let Kind { device, types, shapes } = kind;
        if types.len() != shapes.len() {
            return Err(Error::invalid("output_types and output_shapes must have the same length").found(format!(
                "{} and {}",
                types.len(),
                shapes.len()
            )));
        }
        Ok(IteratorResource { number, device, types, shapes, over: Mutex::new(None) })
    }

    fn check(&self, kind: &Kind) -> Result<()> {
        self.check_kind(&kind.types, &kind.shapes)
    }
}

impl IteratorResource {
    /// Checks that its elements are compatible with these dtypes and shapes, if any are given.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` otherwise.
    pub(crate) fn check_kind(&self, types: &[DType], shapes: &[PartialShape]) -> Result<()> {
        if !types.is_empty() && types != self.types {
            return Err(Error::invalid("the iterator has elements of different dtypes")
                .expected(format!("{types:?}"))
                .found(format!("{:?}", self.types)));
        }
        let fit = shapes.len() == self.shapes.len()
            && shapes.iter().zip(&self.shapes).all(|(asked, own)| asked.is_compatible(own));
        if !shapes.is_empty() && !fit {
            return Err(Error::invalid("the iterator has elements of different shapes")
                .expected(format!("{shapes:?}"))
                .found(format!("{:?}", self.shapes)));
        }
        Ok(())
    }

    /// Starts at the first element of a dataset, under the given name.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if its elements are not compatible.
    pub(crate) fn begin(&self, step: &StepCx, name: Arc<str>, source: Source) -> Result<()> {
        check_elements(&self.types, &self.shapes, &source)?;
        let state = Arc::new(OwnState::new(&step.env));
        let stream = Stream::of(step, (&name, &self.device), &source, state.clone(), None)?;
        let before = self.over.lock().replace(Over { name, source, stream, state });
        drop(before);
        Ok(())
    }

    /// Resumes from a position in its dataset.
    ///
    /// # Errors
    /// `DATA_LOSS` for a position in another dataset, `FAILED_PRECONDITION` if it has no dataset yet.
    pub(crate) fn resume(&self, step: &StepCx, position: Vec<Tensor>) -> Result<()> {
        self.stream()?;
        let over = self.over.lock().as_ref().map(|over| (over.name.clone(), over.source.clone(), over.state.clone()));
        let Some((name, source, state)) = over else { return Ok(()) };
        let stream = Stream::of(step, (&name, &self.device), &source, state.clone(), Some(position))?;
        let before = self.over.lock().replace(Over { name, source, stream, state });
        drop(before);
        Ok(())
    }

    /// Whether it has a dataset.
    pub(crate) fn has_begun(&self) -> bool {
        self.over.lock().is_some()
    }

    /// Returns the pipeline.
    ///
    /// # Errors
    /// `FAILED_PRECONDITION` if it has no dataset yet.
    pub(crate) fn stream(&self) -> Result<Arc<Stream>> {
        self.over.lock().as_ref().map(|over| over.stream.clone()).ok_or_else(|| {
            Error::failed_precondition(
                "GetNext() failed because the iterator has not been initialized. Ensure that you have run the \
                 initializer operation for this iterator before getting the next element.",
            )
        })
    }
}

attrs! {
    /// Creates a handle to an iterator, which starts once `MakeIterator` assigns it a dataset.
    pub struct IteratorHandle {
        /// Name within the container; empty for the node's name.
        shared_name: String = Attr::string("shared_name"),
        /// Container that holds the iterator; empty for the default one.
        container: String = Attr::string("container"),
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
    }
}

pub static ITERATOR: Def<IteratorHandle> =
    op("Iterator").outputs(HANDLES).also(&[form("IteratorV2")]).effect(Effect::Own).shape(scalar_output).kernel(
        |op: &IteratorHandle, cx| {
            set_handle::<IteratorResource>(cx, &op.container, &op.shared_name, |cx| {
                Ok(Kind { device: cx.node().device.clone(), types: op.types.clone(), shapes: op.shapes.clone() })
            })
        },
    );

attrs! {
    /// Creates a handle to an anonymous iterator, which is deleted with its last handle.
    pub struct AnonymousIterator {
        /// Whether it stays until the session is closed.
        stays: bool = Attr::bool("stays").or_bool(false),
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
    }
}

pub static ANONYMOUS_ITERATOR: Def<AnonymousIterator> = op("AnonymousIterator")
    .outputs(HANDLES)
    .doc("Creates a handle to an anonymous iterator, which stays until the session is closed.")
    .fixed(&[("stays", AttrDefault::Bool(true))])
    .also(&[
        form("AnonymousIteratorV2").doc(GOES).outputs(WITH_DELETER).without(&["stays"]),
        form("AnonymousIteratorV3").doc(GOES).without(&["stays"]),
    ])
    .effect(Effect::Own)
    .shape(|_: &AnonymousIterator, cx| {
        (0..cx.num_outputs()).for_each(|i| cx.output_scalar(i));
        Ok(())
    })
    .kernel(|op: &AnonymousIterator, cx| {
        let kind = Kind { device: cx.node().device.clone(), types: op.types.clone(), shapes: op.shapes.clone() };
        let (iterator, name) = (Arc::new(IteratorResource::make(kind)?), resource_name("", cx).into());
        if op.stays {
            cx.env().resources.insert("", &format!("iterator {}", iterator.number), iterator.clone());
        }
        cx.set(0, Tensor::scalar(Handle { container: "".into(), name, object: Some(iterator) }));
        cx.set(1, Tensor::scalar(Variant::default()));
        Ok(())
    });

const GOES: &str = "Creates a handle to an anonymous iterator, which is deleted with its last handle.";

attrs! {
    /// Starts an iterator at the first element of a dataset.
    pub struct MakeIterator {}
}

pub static MAKE_ITERATOR: Def<MakeIterator> = op("MakeIterator")
    .inputs(&[arg("dataset", is(DType::Variant)), arg("iterator", is(DType::Resource))])
    .stateful()
    .kernel(|_: &MakeIterator, cx| {
        let name = cx.slice::<Handle>(1)?.first().map_or_else(|| cx.node().name.clone(), |handle| handle.name.clone());
        iterator(cx, 1)?.begin(cx.step(), name, one_for_each_use(cx, input(cx, 0)?)?)
    });

attrs! {
    /// Deletes an iterator.
    pub struct DeleteIterator {}
}

pub static DELETE_ITERATOR: Def<DeleteIterator> =
    op("DeleteIterator").inputs(WITH_DELETER).stateful().kernel(|_: &DeleteIterator, cx| {
        let gone = iterator(cx, 0)?.over.lock().take();
        drop(gone);
        if let [handle] = cx.slice::<Handle>(0)? {
            cx.env().resources.remove_handle(handle);
        }
        Ok(())
    });

attrs! {
    /// Returns the name of the device that an iterator is on.
    pub struct IteratorGetDevice {}
}

pub static ITERATOR_GET_DEVICE: Def<IteratorGetDevice> = op("IteratorGetDevice")
    .inputs(&[arg("resource", is(DType::Resource))])
    .outputs(&[arg("device", is(DType::Str))])
    .also(&[form("ExperimentalIteratorGetDevice")])
    .stateful()
    .shape(scalar_output)
    .kernel(|_: &IteratorGetDevice, cx| {
        let device = iterator(cx, 0)?.device.clone();
        cx.set(0, Tensor::string(&*device));
        Ok(())
    });

/// An iterator handle as the output.
pub(crate) const HANDLES: &[Arg] = &[arg("handle", is(DType::Resource))];
const WITH_DELETER: &[Arg] = &[arg("handle", is(DType::Resource)), arg("deleter", is(DType::Variant))];

/// Returns the iterator that input `i` is a handle to.
///
/// # Errors
/// `NOT_FOUND` if it has been deleted, `INVALID_ARGUMENT` for a handle to something else.
pub(crate) fn iterator(cx: &Cx<'_, '_>, i: usize) -> Result<Arc<IteratorResource>> {
    resource_input(cx, i)
}

//! `MultiDeviceIterator` and its siblings: the elements of a dataset, distributed over several devices.

use crate::copies::one_for_each_use;
use crate::dataset::{Setup, Source, Tuple, check_elements, input, scalar, scalar_output};
use crate::flow::declared;
use crate::handle::{Shared, set_handle};
use crate::iter::{Iter, Next, Turn};
use crate::iterator::HANDLES;
use crate::position::{Saved, Saver};
use crate::prelude::*;
use crate::stream::Stream;
use crate::task::{Task, Work};
use crate::variable::resource_input;
use levada_graph::{Handle, Variant};
use levada_kernel::OwnState;
use parking_lot::Mutex;
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::task::{Poll, Waker};

/// An iterator for several devices, initially without a dataset.
pub(crate) struct MultiDevice {
    number: u64,
    kind: MultiDeviceKind,
    /// Protects the streams of its dataset, and the number of times that it was started.
    over: Mutex<(i64, Vec<Arc<Stream>>)>,
}

/// The element types and number of devices that an op expects of such an iterator.
pub(crate) struct MultiDeviceKind {
    devices: usize,
    types: Vec<DType>,
    shapes: Vec<PartialShape>,
}

impl Shared for MultiDevice {
    type Spec = MultiDeviceKind;

    fn make(kind: MultiDeviceKind) -> Result<MultiDevice> {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Ok(MultiDevice { number: NEXT.fetch_add(1, Ordering::Relaxed), kind, over: Mutex::default() })
    }

    fn check(&self, kind: &MultiDeviceKind) -> Result<()> {
        if kind.devices != self.kind.devices {
            return Err(Error::invalid("the iterator is for a different number of devices")
                .expected(kind.devices)
                .found(self.kind.devices));
        }
        self.check_kind(&kind.types, &kind.shapes)
    }
}

impl MultiDevice {
    fn check_kind(&self, types: &[DType], shapes: &[PartialShape]) -> Result<()> {
        let own = &self.kind;
        let shapes_fit =
            shapes.len() == own.shapes.len() && shapes.iter().zip(&own.shapes).all(|(a, b)| a.is_compatible(b));
        if (!types.is_empty() && types != own.types) || (!shapes.is_empty() && !shapes_fit) {
            return Err(Error::invalid("the iterator has different elements")
                .expected(format!("{types:?} of shapes {shapes:?}"))
                .found(format!("{:?} of shapes {:?}", own.types, own.shapes)));
        }
        Ok(())
    }
}

attrs! {
    /// Creates a handle to an iterator that distributes the elements of a dataset over several devices in turn.
    pub struct MultiDeviceIterator {
        /// The devices.
        devices: Vec<String> = Attr::strings("devices").at_least(1),
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

pub static MULTI_DEVICE_ITERATOR: Def<MultiDeviceIterator> =
    op("MultiDeviceIterator").outputs(HANDLES).effect(Effect::Own).shape(scalar_output).kernel(
        |op: &MultiDeviceIterator, cx| {
            set_handle::<MultiDevice>(cx, &op.container, &op.shared_name, |_| {
                Ok(MultiDeviceKind { devices: op.devices.len(), types: op.types.clone(), shapes: op.shapes.clone() })
            })
        },
    );

attrs! {
    /// Creates a handle to an anonymous iterator for several devices.
    pub struct AnonymousMultiDeviceIterator {
        /// The devices.
        devices: Vec<String> = Attr::strings("devices").at_least(1),
        /// Dtypes of an element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of an element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
    }
}

pub static ANONYMOUS_MULTI_DEVICE_ITERATOR: Def<AnonymousMultiDeviceIterator> = op("AnonymousMultiDeviceIterator")
    .outputs(&[arg("handle", is(DType::Resource)), arg("deleter", is(DType::Variant))])
    .also(&[form("AnonymousMultiDeviceIteratorV3").outputs(HANDLES)])
    .effect(Effect::Own)
    .shape(|_: &AnonymousMultiDeviceIterator, cx| {
        (0..cx.num_outputs()).for_each(|i| cx.output_scalar(i));
        Ok(())
    })
    .kernel(|op, cx| {
        let (devices, types, shapes) = (op.devices.len(), op.types.clone(), op.shapes.clone());
        let (iterator, name) = (MultiDevice::make(MultiDeviceKind { devices, types, shapes })?, cx.node().name.clone());
        cx.set(0, Tensor::scalar(Handle { container: "".into(), name, object: Some(Arc::new(iterator)) }));
        cx.set(1, Tensor::scalar(Variant::default()));
        Ok(())
    });

attrs! {
    /// Starts an iterator for several devices at the first element of a dataset, and returns its incarnation number.
    pub struct MultiDeviceIteratorInit {}
}

pub static MULTI_DEVICE_ITERATOR_INIT: Def<MultiDeviceIteratorInit> = op("MultiDeviceIteratorInit")
    .inputs(&[arg("dataset", is(DType::Variant)), ITERATOR, arg("max_buffer_size", is(DType::I64))])
    .outputs(&[arg("incarnation_id", is(DType::I64))])
    .stateful()
    .shape(scalar_output)
    .kernel(multi_device_iterator_init);

const ITERATOR: Arg = arg("multi_device_iterator", is(DType::Resource));

fn multi_device_iterator_init(_: &MultiDeviceIteratorInit, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (source, most): (Source, i64) = (one_for_each_use(cx, input(cx, 0)?)?, scalar(cx, 2, "max_buffer_size")?);
    let iterator: Arc<MultiDevice> = resource_input(cx, 1)?;
    check_elements(&iterator.kind.types, &iterator.kind.shapes, &source)?;
    let most = usize::try_from(most).ok().filter(|&most| most > 0).unwrap_or(1);
    let (step, state) = (cx.step(), Arc::new(OwnState::new(&cx.step().env)));
    let mut dealt = None;
    let mut streams = Vec::with_capacity(iterator.kind.devices);
    for shard in 0..iterator.kind.devices {
        streams.push(Stream::new(step, state.clone(), |setup| {
            let dealt = match &dealt {
                Some(dealt) => dealt,
                None => dealt.insert(Arc::new(Dealt::new(setup, &source, iterator.kind.devices, most)?)),
            };
            Ok(Box::new(Shard { dealt: dealt.clone(), shard }))
        })?);
    }
    let mut over = iterator.over.lock();
    over.0 += 1;
    let (number, before) = (over.0, std::mem::replace(&mut over.1, streams));
    drop(over);
    drop(before);
    cx.set(0, Tensor::scalar(number));
    Ok(())
}

attrs! {
    /// Returns the next element for a device. Fails with `OUT_OF_RANGE` at the end.
    pub struct MultiDeviceIteratorGetNextFromShard {
        /// Dtypes of the element's components.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).at_least(1),
        /// Shapes of the element's components.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
    }
}

pub static MULTI_DEVICE_ITERATOR_GET_NEXT_FROM_SHARD: Def<MultiDeviceIteratorGetNextFromShard> =
    op("MultiDeviceIteratorGetNextFromShard")
        .inputs(&[ITERATOR, arg("shard_num", is(DType::I32)), arg("incarnation_id", is(DType::I64))])
        .outputs(&[arg("components", each("output_types"))])
        .stateful()
        .role(Role::Call)
        .shape(|op: &MultiDeviceIteratorGetNextFromShard, cx| {
            declared(cx, &op.shapes);
            Ok(())
        })
        .kernel(|op, cx| {
            let iterator: Arc<MultiDevice> = resource_input(cx, 0)?;
            let (shard, number): (i32, i64) = (scalar(cx, 1, "shard_num")?, scalar(cx, 2, "incarnation_id")?);
            iterator.check_kind(&op.types, &op.shapes)?;
            let over = iterator.over.lock();
            if over.1.is_empty() {
                return Err(Error::failed_precondition("the iterator has not been initialized"));
            }
            if over.0 != number {
                return Err(Error::invalid(format!(
                    "Invalid incarnation id. Provided: {number}; Expected: {}",
                    over.0
                )));
            }
            let stream = usize::try_from(shard).ok().and_then(|shard| over.1.get(shard).cloned());
            let stream = stream.ok_or_else(|| {
                Error::invalid("there is no such shard").expected(format!("below {}", over.1.len())).found(shard)
            })?;
            drop(over);
            stream.next(cx, |element| element?.ok_or_else(|| Error::out_of_range("End of sequence")))
        })
        .heavy();

/// The iterators for several devices whose handles were converted to strings, by number.
#[derive(Default)]
struct Known(Mutex<HashMap<u64, Weak<MultiDevice>>>);

/// Name of [`Known`] among the resources.
const KNOWN: &str = "iterators for several devices with string handles";
/// Prefix of a string handle.
const BEGINS: &str = "multi device iterator/";

attrs! {
    /// Converts the handle of an iterator for several devices to a string.
    pub struct MultiDeviceIteratorToStringHandle {}
}

pub static MULTI_DEVICE_ITERATOR_TO_STRING_HANDLE: Def<MultiDeviceIteratorToStringHandle> =
    op("MultiDeviceIteratorToStringHandle")
        .inputs(&[ITERATOR])
        .outputs(&[arg("string_handle", is(DType::Str))])
        .stateful()
        .shape(scalar_output)
        .kernel(|_: &MultiDeviceIteratorToStringHandle, cx| {
            let iterator: Arc<MultiDevice> = resource_input(cx, 0)?;
            let known = cx.env().resources.get_or_create::<Known>("", KNOWN, || Ok(Known::default()))?;
            let mut known = known.0.lock();
            known.retain(|_, other| other.strong_count() > 0);
            known.insert(iterator.number, Arc::downgrade(&iterator));
            drop(known);
            cx.set(0, Tensor::string(format!("{BEGINS}{}", iterator.number)));
            Ok(())
        });

attrs! {
    /// Converts a string back to the handle of an iterator for several devices.
    pub struct MultiDeviceIteratorFromStringHandle {
        /// Dtypes of an element's components; empty for any.
        types: Vec<DType> = Attr::dtypes("output_types", sets::ANY).or_empty(),
        /// Shapes of an element's components; empty for any.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").or_empty(),
    }
}

pub static MULTI_DEVICE_ITERATOR_FROM_STRING_HANDLE: Def<MultiDeviceIteratorFromStringHandle> =
    op("MultiDeviceIteratorFromStringHandle")
        .inputs(&[arg("string_handle", is(DType::Str))])
        .outputs(&[ITERATOR])
        .stateful()
        .shape(scalar_output)
        .kernel(|op: &MultiDeviceIteratorFromStringHandle, cx| {
            let text: Bytes = scalar(cx, 0, "string_handle")?;
            let number = std::str::from_utf8(&text).ok().and_then(|text| text.strip_prefix(BEGINS)?.parse().ok());
            let number: u64 = number.ok_or_else(|| {
        Error::invalid(
            "Could not parse string_handle. Please check that it is the string handle of an iterator for several \
                     devices",
        )
    })?;
            let known = cx.env().resources.get::<Known>("", KNOWN);
            let found = known.and_then(|known| known.0.lock().get(&number).and_then(Weak::upgrade));
            let iterator =
                found.ok_or_else(|| Error::not_found(format!("there is no iterator {number} (any more)")))?;
            iterator.check_kind(&op.types, &op.shapes)?;
            let name = format!("{BEGINS}{number}").into();
            cx.set(0, Tensor::scalar(Handle { container: "".into(), name, object: Some(iterator) }));
            Ok(())
        });

attrs! {
    /// Deletes an iterator for several devices.
    pub struct DeleteMultiDeviceIterator {
        /// Number of device iterators.
        n: i64 = Attr::int("N").at_least(0),
    }
}

pub static DELETE_MULTI_DEVICE_ITERATOR: Def<DeleteMultiDeviceIterator> = op("DeleteMultiDeviceIterator")
    .inputs(&[ITERATOR, arg("iterators", is(DType::Resource)).times("N"), arg("deleter", is(DType::Variant))])
    .stateful()
    .kernel(|_: &DeleteMultiDeviceIterator, cx| {
        let iterator: Arc<MultiDevice> = resource_input(cx, 0)?;
        let gone = std::mem::take(&mut iterator.over.lock().1);
        drop(gone);
        if let [handle] = cx.slice::<Handle>(0)? {
            cx.env().resources.remove_handle(handle);
        }
        Ok(())
    });

/// Elements that are dealt out to shards.
struct Dealt {
    task: Task<Deal>,
    shards: Arc<Mutex<Shards>>,
}

struct Shards {
    /// The elements waiting in each shard, and the waker of its reader.
    each: Vec<(VecDeque<Result<Tuple>>, Option<Waker>)>,
    /// Maximum number of elements waiting in a shard.
    most: usize,
    /// The shard that receives the next element.
    at: usize,
    ended: bool,
}

struct Deal {
    input: Box<dyn Iter>,
    /// Protects the shards. Not held while the input is polled.
    shards: Arc<Mutex<Shards>>,
}

impl Dealt {
    fn new(setup: &Setup, source: &Source, shards: usize, most: usize) -> Result<Dealt> {
        let input = setup.make(source)?;
        let each = (0..shards).map(|_| (VecDeque::new(), None)).collect();
        let shards = Arc::new(Mutex::new(Shards { each, most, at: 0, ended: false }));
        Ok(Dealt { task: Task::new(setup, Deal { input, shards: shards.clone() }), shards })
    }
}

impl Work for Deal {
    fn work(&mut self, turn: &mut Turn<'_>) {
        loop {
            {
                let shards = self.shards.lock();
                if shards.ended || shards.each[shards.at].0.len() >= shards.most {
                    return;
                }
            }
            let Poll::Ready(given) = self.input.poll(turn) else { return };
            let mut shards = self.shards.lock();
            let at = shards.at;
            let mut wakers = Vec::new();
            match given.transpose() {
                Some(given) => {
                    shards.each[at].0.push_back(given);
                    wakers.extend(shards.each[at].1.take());
                    shards.at = (at + 1) % shards.each.len();
                }
                None => {
                    shards.ended = true;
                    wakers.extend(shards.each.iter_mut().filter_map(|shard| shard.1.take()));
                }
            }
            drop(shards);
            wakers.into_iter().for_each(Waker::wake);
            if turn.pass().is_pending() {
                return;
            }
        }
    }
}

/// The elements for one device.
struct Shard {
    dealt: Arc<Dealt>,
    shard: usize,
}

impl Iter for Shard {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        let mut shards = self.dealt.shards.lock();
        let ended = shards.ended;
        let (elements, waker) = &mut shards.each[self.shard];
        let given = elements.pop_front();
        if given.is_none() && !ended {
            *waker = Some(turn.waker.clone());
        }
        drop(shards);
        if !ended {
            self.dealt.task.wake();
        }
        match given {
            Some(given) => Poll::Ready(given.map(Some)),
            None if ended => Poll::Ready(Ok(None)),
            None => Poll::Pending,
        }
    }

    fn save(&mut self, _: &mut Turn<'_>, _: &mut Saver) -> Poll<Result<()>> {
        Poll::Ready(Err(Error::unimplemented("the position of an iterator for several devices cannot be saved")))
    }

    fn restore(&mut self, _: &mut Saved) -> Result<()> {
        Err(Error::unimplemented("the position of an iterator for several devices cannot be restored"))
    }
}

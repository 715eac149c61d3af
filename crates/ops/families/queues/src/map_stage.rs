//! `MapStage`, `OrderedMapStage` and their siblings: a staging area whose tuples are addressed by key.

use super::monitor::{Monitor, Served, State};
use super::stage::{Limits, size_of_tuple};
use crate::prelude::*;
use crate::variable::{container_here, resource_name};
use levada_kernel::watch::{Need, WaitableState};
use smallvec::SmallVec;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// A tuple of which some tensors may be missing.
type Parts = SmallVec<[Option<Tensor>; 2]>;

/// Indices of tensors in a tuple, in ascending order.
type Indices = SmallVec<[usize; 4]>;

/// A staging area with keys.
type Area = Monitor<Map>;

struct Config {
    limits: Limits,
    dtypes: Vec<DType>,
    /// Whether the smallest key is taken first; otherwise the most recent one, as with TensorFlow's hash table.
    ordered: bool,
}

#[derive(Default)]
struct Map {
    /// The complete tuples, each with its arrival number.
    tuples: BTreeMap<i64, (u64, Parts)>,
    /// Keys by arrival number.
    arrivals: BTreeMap<u64, i64>,
    next: u64,
    /// Incomplete tuples, by key.
    incomplete: HashMap<i64, Parts>,
    bytes: usize,
}

enum Want {
    /// Put tensors of a tuple.
    Put { key: i64, indices: Indices, tensors: Parts, bytes: usize },
    /// Take tensors out of the tuple with this key.
    Get { key: i64, indices: Indices },
    /// Read tensors of the tuple with this key, without taking them.
    Peek { key: i64, indices: Indices },
    /// Take tensors out of any tuple.
    GetAny { indices: Indices },
}

impl Map {
    fn put(
        &mut self,
        config: &Config,
        key: i64,
        indices: &[usize],
        tensors: &mut Parts,
        bytes: usize,
    ) -> Served<Vec<Tensor>> {
        let n = config.dtypes.len();
        if let Err(error) = config.limits.check_len(self.tuples.len() + self.incomplete.len()) {
            return Served::Done(Err(error));
        }
        if indices.len() == n {
            if !config.limits.has_room(self.tuples.len(), self.bytes, bytes) {
                return Served::Wait;
            }
            self.bytes += bytes;
            let tuple = std::mem::take(tensors);
            self.complete(key, tuple);
            return Served::Done(Ok(Vec::new()));
        }
        if config.limits.bytes > 0 && self.bytes + bytes > config.limits.bytes {
            return Served::Wait;
        }
        let present = self.incomplete.entry(key).or_insert_with(|| SmallVec::from_elem(None, n));
        if let Some(&index) = indices.iter().find(|&&i| present[i].is_some()) {
            return Served::Done(Err(Error::invalid(format!(
                "The tensor for index '{index}' for key '{key}' was already initialized '{n}'."
            ))));
        }
        for (&i, tensor) in indices.iter().zip(tensors.iter_mut()) {
            present[i] = tensor.take();
        }
        self.bytes += bytes;
        if present.iter().all(Option::is_some)
            && let Some(tuple) = self.incomplete.remove(&key)
        {
            self.complete(key, tuple);
        }
        Served::Done(Ok(Vec::new()))
    }

    /// Adds a complete tuple. An existing one with the same key is kept.
    fn complete(&mut self, key: i64, tuple: Parts) {
        if let std::collections::btree_map::Entry::Vacant(entry) = self.tuples.entry(key) {
            entry.insert((self.next, tuple));
            self.arrivals.insert(self.next, key);
            self.next += 1;
        }
    }

    /// Returns the tensors of the tuple with this key, which must exist; they are removed if `take` is set.
    fn tensors(&mut self, key: i64, indices: &[usize], take: bool) -> Result<Vec<Tensor>> {
        let Some((number, tuple)) = self.tuples.get_mut(&key) else {
            return Err(Error::internal("a staged tuple is missing"));
        };
        if let Some(i) = indices.iter().find(|&&i| tuple.get(i).is_none_or(Option::is_none)) {
            return Err(Error::invalid(format!("Tensor at index '{i}' for key '{key}' has already been removed.")));
        }
        let found =
            indices.iter().filter_map(|&i| if take { tuple[i].take() } else { tuple[i].clone() }).collect::<Vec<_>>();
        if take {
            if tuple.iter().all(Option::is_none) {
                self.arrivals.remove(number);
                self.tuples.remove(&key);
            }
            self.bytes -= size_of_tuple(&found);
        }
        Ok(found)
    }

    /// Returns the key of the tuple to take first.
    fn first(&self, ordered: bool) -> Option<i64> {
        match ordered {
            true => self.tuples.first_key_value().map(|(key, _)| *key),
            false => self.arrivals.last_key_value().map(|(_, key)| *key),
        }
    }
}

impl State for Map {
    type Config = Config;
    type Want = Want;
    type Answer = Vec<Tensor>;
    type Outputs = Vec<Tensor>;
    const LANES: usize = 2;

    fn lane(want: &Want) -> usize {
        usize::from(!matches!(want, Want::Put { .. }))
    }

    fn in_order(_: usize) -> bool {
        // An op waiting for one key must not block one waiting for another.
        false
    }

    fn serve(&mut self, config: &Config, want: &mut Want) -> Served<Vec<Tensor>> {
        match want {
            Want::Put { key, indices, tensors, bytes } => self.put(config, *key, indices, tensors, *bytes),
            Want::Get { key, indices } if self.tuples.contains_key(key) => {
                Served::Done(self.tensors(*key, indices, true))
            }
            Want::Peek { key, indices } if self.tuples.contains_key(key) => {
                Served::Done(self.tensors(*key, indices, false))
            }
            Want::Get { .. } | Want::Peek { .. } => Served::Wait,
            Want::GetAny { indices } => match self.first(config.ordered) {
                Some(key) => Served::Done(self.tensors(key, indices, true).map(|mut found| {
                    found.insert(0, Tensor::scalar(key));
                    found
                })),
                None => Served::Wait,
            },
        }
    }

    fn outputs(_: &Config, answer: Vec<Tensor>) -> Result<Vec<Tensor>> {
        Ok(answer)
    }

    fn describe(&self, config: &Config) -> WaitableState {
        WaitableState {
            kind: if config.ordered { "OrderedMapStage" } else { "MapStage" },
            name: String::new(),
            size: self.tuples.len(),
            capacity: (config.limits.capacity > 0).then_some(config.limits.capacity),
            closed: false,
            min_after_dequeue: 0,
            incomplete: self.incomplete.len(),
        }
    }

    fn need(&self, want: &Want) -> Need {
        let (act, key) = match want {
            Want::Put { .. } => (Act::Put, None),
            Want::Get { key, .. } | Want::Peek { key, .. } => (Act::Take, Some(*key)),
            Want::GetAny { .. } => (Act::Take, None),
        };
        Need { act, elements: 1, so_far: 0, key, turn: false }
    }

    fn cancelled(want: &Want) -> &'static str {
        match want {
            Want::Put { .. } => "Stage operation was cancelled",
            _ => "Unstage operation was cancelled",
        }
    }
}

/// Returns the key in input `i`.
fn key_input(cx: &Cx<'_, '_>, i: usize) -> Result<i64> {
    let key = cx.input(i)?;
    match key.slice::<i64>()? {
        [] => Err(Error::invalid("key must not be empty")),
        [key] => Ok(*key),
        _ => Err(Error::invalid(format!("key must be an int64 scalar, got tensor with shape: {}", key.shape()))),
    }
}

/// Returns the indices in input `i`, for a tuple of `n` tensors.
fn indices_input(cx: &Cx<'_, '_>, i: usize, n: usize) -> Result<Indices> {
    let values = cx.slice::<i32>(i)?;
    if values.windows(2).any(|w| w[0] >= w[1]) {
        return Err(Error::invalid("Indices are not strictly ordered"));
    }
    let place = |&v: &i32| {
        let fits = usize::try_from(v).ok().filter(|&v| v < n);
        fits.ok_or_else(|| Error::invalid(format!("Index '{v}' was out of bounds '{n}'.")))
    };
    values.iter().map(place).collect()
}

fn check_outputs(config: &Config, indices: &[usize], dtypes: &[DType]) -> Result<()> {
    if indices.len() != dtypes.len() || indices.iter().zip(dtypes).any(|(&i, d)| config.dtypes[i] != *d) {
        return Err(Error::invalid("the indices do not select tensors of the dtypes of the outputs").attr("dtypes"));
    }
    Ok(())
}

attrs! {
    /// The attrs of ops on a staging area with keys.
    pub struct MapStaging {
        /// Maximum number of tuples; 0 for no limit.
        capacity: i64 = Attr::int("capacity").or_int(0).at_least(0),
        /// Maximum number of bytes; 0 for no limit.
        memory_limit: i64 = Attr::int("memory_limit").or_int(0).at_least(0),
        /// Dtypes of a tuple.
        dtypes: Vec<DType> = Attr::dtypes("dtypes", sets::ANY).at_least(0),
        /// Whether the smallest key is taken first.
        ordered: bool = Attr::bool("ordered").or_bool(false),
        /// Dtypes of the tensors put by this op.
        given: Vec<DType> = Attr::dtypes("fake_dtypes", sets::ANY).or_empty(),
        /// Container that holds the area; empty for the default one.
        container: String = Attr::string("container").or_str(""),
        /// Name in the container; empty for the node's name.
        shared_name: String = Attr::string("shared_name").or_str(""),
    }
}

impl MapStaging {
    fn area(&self, cx: &Cx<'_, '_>) -> Result<Arc<Area>> {
        let make = || {
            let limits = Limits::new(self.capacity, self.memory_limit, cx);
            let config = Config { limits, dtypes: self.dtypes.clone(), ordered: self.ordered };
            Ok(Area::new(config, Map::default()))
        };
        let name = resource_name(&self.shared_name, cx);
        cx.env().resources.get_or_create(&container_here(&self.container, cx), name, make)
    }
}

/// Returns the key in input 0 and the indices in input 1, which select tensors of these dtypes.
fn key(area: &Area, dtypes: &[DType], cx: &Cx<'_, '_>) -> Result<(i64, Indices)> {
    let (key, indices) = (key_input(cx, 0)?, indices_input(cx, 1, area.config.dtypes.len())?);
    check_outputs(&area.config, &indices, dtypes)?;
    Ok((key, indices))
}

const KEY: Arg = arg("key", is(DType::I64));
const INDICES: Arg = arg("indices", is(DType::I32));
const VALUES: Arg = arg("values", each("dtypes"));
const SIZE: &[Arg] = &[arg("size", is(DType::I32))];
const TUPLE: &[AttrSpec] = &[Attr::dtypes("dtypes", sets::ANY).at_least(1)];
const HASHED: &[(&str, AttrDefault)] = &[("ordered", AttrDefault::Bool(false))];
const ORDERED: &[(&str, AttrDefault)] = &[("ordered", AttrDefault::Bool(true))];

const fn map(name: &'static str) -> Def<MapStaging> {
    op(name).without(&["fake_dtypes"]).fixed(HASHED)
}

/// The form that takes the smallest key first.
const fn ordered(name: &'static str) -> Form {
    form(name).without(&["fake_dtypes"]).fixed(ORDERED)
}

pub static MAP_CLEAR: Def<MapStaging> = map("MapClear")
    .doc("Removes all tuples from a staging area with keys.")
    .also(&[ordered("OrderedMapClear")])
    .stateful()
    .kernel(|op, cx| {
        let dropped = op.area(cx)?.change(std::mem::take);
        drop(dropped);
        Ok(())
    });

pub static MAP_INCOMPLETE_SIZE: Def<MapStaging> = map("MapIncompleteSize")
    .doc("Returns the number of incomplete tuples in a staging area with keys.")
    .outputs(SIZE)
    .also(&[ordered("OrderedMapIncompleteSize")])
    .stateful()
    .kernel(|op, cx| {
        let size = op.area(cx)?.look(|map| map.incomplete.len());
        cx.set(0, Tensor::scalar(size as i32));
        Ok(())
    });

pub static MAP_PEEK: Def<MapStaging> = map("MapPeek")
    .doc("Returns tensors of the tuple with a key, without removing them. Waits until the tuple is complete.")
    .attrs(TUPLE)
    .inputs(&[KEY, INDICES])
    .outputs(&[VALUES])
    .also(&[ordered("OrderedMapPeek")])
    .act(Act::Take)
    .kernel(|op, cx| {
        let area = op.area(cx)?;
        let (key, indices) = key(&area, &op.dtypes, cx)?;
        area.submit(cx, Want::Peek { key, indices })
    });

pub static MAP_SIZE: Def<MapStaging> = map("MapSize")
    .doc("Returns the number of complete tuples in a staging area with keys.")
    .outputs(SIZE)
    .also(&[ordered("OrderedMapSize")])
    .stateful()
    .kernel(|op, cx| {
        let size = op.area(cx)?.look(|map| map.tuples.len());
        cx.set(0, Tensor::scalar(size as i32));
        Ok(())
    });

pub static MAP_STAGE: Def<MapStaging> = op("MapStage")
    .doc("Puts tensors of the tuple with a key into a staging area. Waits until there is room.")
    .attrs(&[Attr::dtypes("dtypes", sets::ANY).at_least(1), Attr::dtypes("fake_dtypes", sets::ANY).at_least(1)])
    .inputs(&[KEY, INDICES, arg("values", each("fake_dtypes"))])
    .fixed(HASHED)
    .also(&[form("OrderedMapStage").fixed(ORDERED)])
    .act(Act::Put)
    .kernel(|op, cx| {
        let area = op.area(cx)?;
        let (key, indices) = key(&area, &op.given, cx)?;
        let tensors: Parts = (2..cx.num_inputs()).map(|i| cx.take(i).map(Some)).collect::<Result<_>>()?;
        let bytes = tensors.iter().flatten().map(Tensor::num_bytes).sum();
        area.config.limits.check(bytes)?;
        area.submit(cx, Want::Put { key, indices, tensors, bytes })
    });

pub static MAP_UNSTAGE: Def<MapStaging> = map("MapUnstage")
    .doc("Takes tensors out of the tuple with a key. Waits until the tuple is complete.")
    .attrs(TUPLE)
    .inputs(&[KEY, INDICES])
    .outputs(&[VALUES])
    .also(&[ordered("OrderedMapUnstage")])
    .act(Act::Take)
    .kernel(|op, cx| {
        let area = op.area(cx)?;
        let (key, indices) = key(&area, &op.dtypes, cx)?;
        area.submit(cx, Want::Get { key, indices })
    });

pub static MAP_UNSTAGE_NO_KEY: Def<MapStaging> = map("MapUnstageNoKey")
    .doc("Takes tensors out of any tuple and returns its key. Waits until there is a complete tuple.")
    .attrs(TUPLE)
    .inputs(&[INDICES])
    .outputs(&[KEY, VALUES])
    .also(&[ordered("OrderedMapUnstageNoKey")])
    .act(Act::Take)
    .kernel(|op, cx| {
        let area = op.area(cx)?;
        let indices = indices_input(cx, 0, area.config.dtypes.len())?;
        check_outputs(&area.config, &indices, &op.dtypes)?;
        area.submit(cx, Want::GetAny { indices })
    });

//! Maps from tensors to tensors: `EmptyTensorMap`, `TensorMapInsert`, `TensorMapLookup`, `TensorMapErase`,
//! `TensorMapHasKey`, `TensorMapSize`, `TensorMapStackKeys`.

use crate::prelude::*;
use crate::rows;
use crate::rules::{ADD_N, NONE, first, never};
use crate::scalar_output;
use crate::variant_tensors::{add, change, value};
use levada_graph::grad::attr;
use levada_graph::{EncodedVariant, Variant, VariantValue};
use std::collections::HashMap;

/// The identity of a key: its dtype, its shape and its bytes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Key {
    dtype: DType,
    shape: Shape,
    content: Content,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Content {
    Plain(Bytes),
    Strings(Vec<Bytes>),
}

impl Key {
    fn of(tensor: &Tensor) -> Result<Key> {
        let content = match (tensor.bytes(), tensor.dtype()) {
            (Some(bytes), _) => Content::Plain(Bytes::copy_from_slice(bytes)),
            (None, DType::Str) => Content::Strings(tensor.slice::<Bytes>()?.to_vec()),
            (None, dtype) => return Err(Error::unimplemented(format!("keys of type {dtype} in a TensorMap"))),
        };
        Ok(Key { dtype: tensor.dtype(), shape: tensor.shape().clone(), content })
    }
}

/// A map from tensors to tensors in order of insertion.
#[derive(Clone, Debug, Default)]
pub(super) struct TensorMap {
    places: HashMap<Key, usize>,
    /// Keys and values; erasing moves the last entry into the gap.
    entries: Vec<(Tensor, Tensor)>,
}

impl TensorMap {
    /// Name of the encoding.
    pub(super) const ENCODED: &str = "levada::TensorMap";

    /// Returns the map as tensors: keys and values alternate.
    pub(super) fn encode(&self) -> EncodedVariant {
        let tensors = self.entries.iter().flat_map(|(key, value)| [key.clone(), value.clone()]).collect();
        EncodedVariant { type_name: TensorMap::ENCODED.to_owned(), metadata: Bytes::new(), tensors }
    }

    /// Returns the map that was encoded; `None` if the tensors encode none.
    pub(super) fn decode(tensors: &[Tensor]) -> Option<TensorMap> {
        let mut map = TensorMap::default();
        for pair in tensors.chunks(2) {
            let [key, value] = pair else { return None };
            map.insert(key.clone(), value.clone()).ok()?;
        }
        Some(map)
    }

    fn get(&self, key: &Key) -> Option<&Tensor> {
        self.places.get(key).map(|&at| &self.entries[at].1)
    }

    fn insert(&mut self, key: Tensor, value: Tensor) -> Result<()> {
        let place = Key::of(&key)?;
        match self.places.get(&place) {
            Some(&at) => self.entries[at] = (key, value),
            None => {
                self.places.insert(place, self.entries.len());
                self.entries.push((key, value));
            }
        }
        Ok(())
    }

    fn erase(&mut self, key: &Key) -> Result<()> {
        let at = self.places.remove(key).ok_or_else(|| Error::invalid("Trying to erase non-existent item."))?;
        self.entries.swap_remove(at);
        if let Some((moved, _)) = self.entries.get(at) {
            self.places.insert(Key::of(moved)?, at);
        }
        Ok(())
    }
}

impl VariantValue for TensorMap {
    fn type_name(&self) -> &'static str {
        "tensorflow::TensorMap"
    }

    fn summary(&self) -> Option<String> {
        Some("TensorMap".to_owned())
    }

    fn held(&self) -> usize {
        size_of::<TensorMap>() + self.entries.capacity() * 4 * size_of::<Tensor>()
    }

    fn zeros_like(&self) -> Result<Variant> {
        // In a sum, a missing value counts as zeros.
        Ok(Variant::new(TensorMap::default()))
    }

    fn add(&self, other: &Variant) -> Result<Variant> {
        let Some(other) = other.get::<TensorMap>() else {
            return Err(Error::internal("Trying to add a map of tensors and something else"));
        };
        let mut sum = self.clone();
        for (key, value) in &other.entries {
            let total = match self.get(&Key::of(key)?) {
                Some(own) => add(own, value)?,
                None => value.clone(),
            };
            sum.insert(key.clone(), total)?;
        }
        Ok(Variant::new(sum))
    }
}

/// Returns the map in input 0.
fn map<'a>(cx: &'a Cx<'_, '_>) -> Result<&'a TensorMap> {
    value(cx, 0, "map")
}

attrs! {
    /// Creates an empty map.
    pub struct EmptyTensorMap {}
}

pub static EMPTY_TENSOR_MAP: Def<EmptyTensorMap> = op("EmptyTensorMap")
    .outputs(&[arg("handle", is(DType::Variant))])
    .shape(scalar_output)
    .gradient(|_, g| never(g))
    .kernel(|_, cx| {
        cx.set(0, Tensor::scalar(Variant::new(TensorMap::default())));
        Ok(())
    });

fn empty(g: &GradCx) -> V<'_> {
    EMPTY_TENSOR_MAP.node(g, &EmptyTensorMap {}, &[])
}

attrs! {
    /// Returns the number of keys in a map.
    pub struct TensorMapSize {}
}

pub static TENSOR_MAP_SIZE: Def<TensorMapSize> = op("TensorMapSize")
    .inputs(&[arg("input_handle", is(DType::Variant))])
    .outputs(&[arg("size", is(DType::I32))])
    .shape(scalar_output)
    .gradient(|_, g| never(g))
    .kernel(tensor_map_size);

fn tensor_map_size(_: &TensorMapSize, cx: &mut Cx<'_, '_>) -> Result<()> {
    let n = map(cx)?.entries.len();
    cx.set(0, Tensor::scalar(i32::try_from(n).unwrap_or(i32::MAX)));
    Ok(())
}

attrs! {
    /// Returns the value of a key.
    pub struct TensorMapLookup {
        /// Type of the key.
        key: DType = Attr::dtype("key_dtype", sets::ANY),
        /// Type of the value.
        value: DType = Attr::dtype("value_dtype", sets::ANY),
    }
}

pub static TENSOR_MAP_LOOKUP: Def<TensorMapLookup> = op::<TensorMapLookup>("TensorMapLookup")
    .inputs(&[arg("input_handle", is(DType::Variant)), arg("key", of("key_dtype"))])
    .outputs(&[arg("value", of("value_dtype"))])
    .gradient(|op, g| {
        let attrs = TensorMapInsert { key: op.key, value: op.value };
        vec![TENSOR_MAP_INSERT.node(g, &attrs, &[empty(g), g.input(1), g.dy(0)]).into(), NONE]
    })
    .kernel(tensor_map_lookup);

fn tensor_map_lookup(op: &TensorMapLookup, cx: &mut Cx<'_, '_>) -> Result<()> {
    let found = map(cx)?.get(&Key::of(cx.input(1)?)?).cloned();
    let found = found.ok_or_else(|| Error::invalid("Trying to lookup non-existent key."))?;
    if found.dtype() != op.value {
        return Err(Error::internal(format!("the value is of type {}", found.dtype())).expected(op.value));
    }
    cx.set(0, found);
    Ok(())
}

attrs! {
    /// Returns a map with a key's value inserted or replaced.
    pub struct TensorMapInsert {
        /// Type of the key.
        key: DType = Attr::dtype("key_dtype", sets::ANY),
        /// Type of the value.
        value: DType = Attr::dtype("value_dtype", sets::ANY),
    }
}

pub static TENSOR_MAP_INSERT: Def<TensorMapInsert> = op::<TensorMapInsert>("TensorMapInsert")
    .inputs(&[arg("input_handle", is(DType::Variant)), arg("key", of("key_dtype")), arg("value", of("value_dtype"))])
    .outputs(&[arg("output_handle", is(DType::Variant))])
    .shape(scalar_output)
    .gradient(|op, g| {
        let Some(dy) = g.known_dy(0) else { return never(g) };
        let (key, value) = (g.input(1), g.input(2));
        // The summed gradient contains only keys that a gradient reached.
        let with = TENSOR_MAP_INSERT.node(g, op, &[empty(g), key, value.zeros_like()]);
        let all = ADD_N.node(g, &[dy, with], &[attr("N", 2i64)]);
        let (erase, lookup) =
            (TensorMapErase { key: op.key, value: op.value }, TensorMapLookup { key: op.key, value: op.value });
        let rest = TENSOR_MAP_ERASE.node(g, &erase, &[all, key]);
        vec![rest.into(), NONE, TENSOR_MAP_LOOKUP.node(g, &lookup, &[all, key]).into()]
    })
    .kernel(tensor_map_insert);

fn tensor_map_insert(_: &TensorMapInsert, cx: &mut Cx<'_, '_>) -> Result<()> {
    map(cx)?;
    let (key, value) = (cx.take(1)?, cx.take(2)?);
    change::<TensorMap>(cx, 0, "map", |map| map.insert(key, value))
}

attrs! {
    /// Returns a map without one of its keys.
    pub struct TensorMapErase {
        /// Type of the key.
        key: DType = Attr::dtype("key_dtype", sets::ANY),
        /// Type of the value.
        value: DType = Attr::dtype("value_dtype", sets::ANY),
    }
}

pub static TENSOR_MAP_ERASE: Def<TensorMapErase> = op("TensorMapErase")
    .inputs(&[arg("input_handle", is(DType::Variant)), arg("key", of("key_dtype"))])
    .outputs(&[arg("output_handle", is(DType::Variant))])
    .shape(scalar_output)
    .gradient(|_, g| match g.known_dy(0) {
        Some(dy) => first(g, dy),
        None => never(g),
    })
    .kernel(tensor_map_erase);

fn tensor_map_erase(_: &TensorMapErase, cx: &mut Cx<'_, '_>) -> Result<()> {
    map(cx)?;
    let key = Key::of(cx.input(1)?)?;
    change::<TensorMap>(cx, 0, "map", |map| map.erase(&key))
}

attrs! {
    /// Returns whether a key is in a map.
    pub struct TensorMapHasKey {
        /// Type of the key.
        key: DType = Attr::dtype("key_dtype", sets::ANY),
    }
}

pub static TENSOR_MAP_HAS_KEY: Def<TensorMapHasKey> = op("TensorMapHasKey")
    .inputs(&[arg("input_handle", is(DType::Variant)), arg("key", of("key_dtype"))])
    .outputs(&[arg("has_key", is(DType::Bool))])
    .shape(scalar_output)
    .gradient(|_, g| never(g))
    .kernel(tensor_map_has_key);

fn tensor_map_has_key(_: &TensorMapHasKey, cx: &mut Cx<'_, '_>) -> Result<()> {
    let there = map(cx)?.places.contains_key(&Key::of(cx.input(1)?)?);
    cx.set(0, Tensor::scalar(there));
    Ok(())
}

attrs! {
    /// Stacks all keys of a map.
    pub struct TensorMapStackKeys {
        /// Type of the keys.
        key: DType = Attr::dtype("key_dtype", sets::ANY),
    }
}

pub static TENSOR_MAP_STACK_KEYS: Def<TensorMapStackKeys> = op("TensorMapStackKeys")
    .inputs(&[arg("input_handle", is(DType::Variant))])
    .outputs(&[arg("keys", of("key_dtype"))])
    .gradient(|_, g| never(g))
    .kernel(tensor_map_stack_keys);

fn tensor_map_stack_keys(op: &TensorMapStackKeys, cx: &mut Cx<'_, '_>) -> Result<()> {
    let map = map(cx)?;
    let Some((first, _)) = map.entries.first() else {
        return Err(Error::invalid("TensorMapStackKeys cannot be called on empty map."));
    };
    let shape = first.shape();
    if let Some((other, _)) = map.entries.iter().find(|(key, _)| key.dtype() != op.key || key.shape() != shape) {
        return Err(Error::invalid("Keys must all have the same shape and the requested dtype.")
            .expected(format!("{}{shape}", op.key))
            .found(format!("{}{}", other.dtype(), other.shape())));
    }
    let whole = rows::batch_shape(map.entries.len(), shape)?;
    let keys = rows::join(&cx.device.arena, op.key, whole, map.entries.iter().map(|(key, _)| key))?;
    cx.set(0, keys);
    Ok(())
}

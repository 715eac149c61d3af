//! The ops that create tables.

use super::table::{Config, Kind, Table};
use crate::handle::{Shared, set};
use crate::prelude::*;
use crate::rules::never;
use crate::variable::resource_name;
use crate::{HANDLE, REFERENCE};
use levada_graph::Handle;
use std::sync::Arc;

attrs! {
    /// The attrs of ops that create tables.
    pub struct CreateTable {
        /// Dtype of the keys.
        key: DType = Attr::dtype("key_dtype", sets::ANY),
        /// Dtype of the values.
        value: DType = Attr::dtype("value_dtype", sets::ANY),
        /// Shape of a value.
        value_shape: PartialShape = Attr::shape("value_shape").or(AttrDefault::Shape(Some(&[]))),
        /// Initial number of buckets; a power of two.
        initial_num_buckets: i64 = Attr::int("initial_num_buckets").or_int(131_072),
        /// Maximum load factor before the number of buckets grows.
        max_load_factor: f32 = Attr::float("max_load_factor").or_float(0.8),
        /// Container that holds the table; empty for the default one.
        container: String = Attr::string("container").or_str(""),
        /// Name in the container; empty for the node's name.
        shared_name: String = Attr::string("shared_name").or_str(""),
        /// Whether an empty `shared_name` stands for the node's name.
        use_node_name_sharing: bool = Attr::bool("use_node_name_sharing").or_bool(false),
        /// Whether the table is reachable only through its handle.
        anonymous: bool = Attr::bool("anonymous").or_bool(false),
    }
}

pub static HASH_TABLE: Def<CreateTable> = create(
    "HashTable",
    &[
        form("HashTableV2").outputs(HANDLES).without(OF_SCALARS).fixed(NAMED),
        form("AnonymousHashTable").outputs(HANDLES).without(ANONYMOUS_OF_SCALARS).fixed(ANONYMOUS).not_differentiable(),
    ],
    |op, cx| make(op, cx, |_| Ok(scalars(op, Kind::Immutable))),
)
.without(OF_SCALARS)
.doc("Creates an immutable hash table, which is initialized once.");

pub static MUTABLE_HASH_TABLE: Def<CreateTable> = create(
    "MutableHashTable",
    &[
        form("MutableHashTableV2").outputs(HANDLES).without(OF_SCALARS).fixed(NAMED),
        form("AnonymousMutableHashTable")
            .outputs(HANDLES)
            .without(ANONYMOUS_OF_SCALARS)
            .fixed(ANONYMOUS)
            .not_differentiable(),
    ],
    |op, cx| make(op, cx, |_| Ok(scalars(op, Kind::Mutable))),
)
.without(OF_SCALARS)
.doc("Creates a mutable hash table.");

pub static MUTABLE_HASH_TABLE_OF_TENSORS: Def<CreateTable> = create(
    "MutableHashTableOfTensors",
    &[
        form("MutableHashTableOfTensorsV2").outputs(HANDLES).without(OF_TENSORS).fixed(NAMED),
        form("AnonymousMutableHashTableOfTensors")
            .outputs(HANDLES)
            .without(ANONYMOUS_OF_TENSORS)
            .fixed(ANONYMOUS)
            .not_differentiable(),
    ],
    |op, cx| make(op, cx, |_| tensors(op)),
)
.without(OF_TENSORS)
.doc("Creates a mutable hash table whose values are vectors.");

const EMPTY_KEY: Arg = arg("empty_key", of("key_dtype"));
const TWO_KEYS: &[Arg] = &[EMPTY_KEY, arg("deleted_key", of("key_dtype"))];

pub static MUTABLE_DENSE_HASH_TABLE: Def<CreateTable> = create(
    "MutableDenseHashTable",
    &[
        form("MutableDenseHashTableV2").inputs(TWO_KEYS).outputs(HANDLES).fixed(NAMED),
        form("AnonymousMutableDenseHashTable")
            .inputs(TWO_KEYS)
            .outputs(HANDLES)
            .without(SHARING)
            .fixed(ANONYMOUS)
            .not_differentiable(),
    ],
    |op, cx| make(op, cx, |cx| dense(op, cx)),
)
.inputs(&[EMPTY_KEY])
.doc("Creates a mutable hash table with two reserved keys, which mark empty and deleted buckets.");

const fn create(
    name: &'static str,
    also: &'static [Form],
    kernel: fn(&CreateTable, &mut Cx<'_, '_>) -> Result<()>,
) -> Def<CreateTable> {
    op(name).outputs(REFERENCES).fixed(NAMED).also(also).stateful().gradient(|_, g| never(g)).kernel(kernel)
}

const REFERENCES: &[Arg] = &[REFERENCE];
const HANDLES: &[Arg] = &[HANDLE];
const NAMED: &[(&str, AttrDefault)] = &[("anonymous", AttrDefault::Bool(false))];
const ANONYMOUS: &[(&str, AttrDefault)] = &[("anonymous", AttrDefault::Bool(true))];
const SHARING: &[&str] = &["container", "shared_name", "use_node_name_sharing"];
const OF_TENSORS: &[&str] = &["initial_num_buckets", "max_load_factor"];
const OF_SCALARS: &[&str] = &["value_shape", "initial_num_buckets", "max_load_factor"];
const ANONYMOUS_OF_TENSORS: &[&str] =
    &["initial_num_buckets", "max_load_factor", "container", "shared_name", "use_node_name_sharing"];
const ANONYMOUS_OF_SCALARS: &[&str] =
    &["value_shape", "initial_num_buckets", "max_load_factor", "container", "shared_name", "use_node_name_sharing"];

/// Creates a table, or looks it up, and sets output 0 to its handle.
fn make(op: &CreateTable, cx: &mut Cx<'_, '_>, config: impl FnOnce(&Cx<'_, '_>) -> Result<Config>) -> Result<()> {
    if op.anonymous {
        let name = cx.node().name.clone();
        let table = Arc::new(Table::make(Config { name: name.to_string(), ..config(cx)? })?);
        cx.set(0, Tensor::scalar(Handle { container: "".into(), name, object: Some(table) }));
        return Ok(());
    }
    set::<Table>(cx, &op.container, &op.shared_name, |cx| {
        Ok(Config { name: resource_name(&op.shared_name, cx).to_owned(), ..config(cx)? })
    })
}

fn scalars(op: &CreateTable, kind: Kind) -> Config {
    let (key_shape, value_shape) = (Shape::scalar(), Shape::scalar());
    Config { kind, name: String::new(), key: op.key, value: op.value, key_shape, value_shape }
}

fn tensors(op: &CreateTable) -> Result<Config> {
    let shape = &op.value_shape;
    let shape = shape.known().filter(|s| s.rank() == 1).ok_or_else(|| {
        Error::invalid(format!("Default value must be a vector, got shape {shape}")).attr("value_shape")
    })?;
    Ok(Config { value_shape: shape, ..scalars(op, Kind::Mutable) })
}

fn dense(op: &CreateTable, cx: &Cx<'_, '_>) -> Result<Config> {
    if cx.num_inputs() < 2 {
        // TensorFlow's kernel asks for this input too, although its op cannot have it.
        return Err(
            Error::invalid("Unknown input name: deleted_key").help("use MutableDenseHashTableV2, which has this input")
        );
    }
    let (empty, deleted) = (cx.input(0)?.clone(), cx.input(1)?.clone());
    let shape = &op.value_shape;
    let value_shape = shape.known().ok_or_else(|| {
        Error::invalid("the shape of a table's values must be known").attr("value_shape").found(shape)
    })?;
    let key_shape = empty.shape().clone();
    let buckets = usize::try_from(op.initial_num_buckets).unwrap_or(0);
    if buckets > 1 << 40 {
        return Err(Error::resource_exhausted(format!("a table of {buckets} buckets")).attr("initial_num_buckets"));
    }
    let kind = Kind::Dense { empty, deleted, buckets, max_load: op.max_load_factor };
    Ok(Config { kind, name: String::new(), key: op.key, value: op.value, key_shape, value_shape })
}

//! The ops that make tables.

use super::table::{Config, Kind, Table};
use crate::prelude::*;
use crate::handle::{Shared, set_handle, set_reference};
use crate::variable::resource_name;
use levada_graph::Handle;
use std::sync::Arc;

/// How a handle is written and whether others find the table by its name.
#[derive(Clone, Copy)]
enum Form<'a> {
    Reference(&'a str, &'a str),
    Resource(&'a str, &'a str),
    Anonymous,
}

fn create(cx: &mut Cx<'_, '_>, form: Form<'_>, mut config: Config) -> Result<()> {
    match form {
        Form::Reference(container, name) => {
            config.name = resource_name(name, cx).to_owned();
            set_reference::<Table>(cx, container, name, config)
        }
        Form::Resource(container, name) => {
            config.name = resource_name(name, cx).to_owned();
            set_handle::<Table>(cx, container, name, config)
        }
        Form::Anonymous => {
            let name = cx.node().name.clone();
            config.name = name.to_string();
            let table = Arc::new(Table::make(config)?);
            cx.set(0, Tensor::scalar(Handle { container: "".into(), name, object: Some(table) }));
            Ok(())
        }
    }
}

fn scalars(kind: Kind, key: DType, value: DType) -> Result<Config> {
    let (key_shape, value_shape) = (Shape::scalar(), Shape::scalar());
    Ok(Config { kind, name: String::new(), key, value, key_shape, value_shape })
}

fn tensors(key: DType, value: DType, shape: &PartialShape) -> Result<Config> {
    let shape = shape.known().filter(|s| s.rank() == 1).ok_or_else(|| {
        Error::invalid(format!("Default value must be a vector, got shape {shape}")).attr("value_shape")
    })?;
    Ok(Config { value_shape: shape, ..scalars(Kind::Mutable, key, value)? })
}

fn dense(
    cx: &Cx<'_, '_>,
    key: DType,
    value: DType,
    shape: &PartialShape,
    buckets: i64,
    max_load: f32,
) -> Result<Config> {
    let (empty, deleted) = (cx.input(0)?.clone(), cx.input(1)?.clone());
    let value_shape = shape.known().ok_or_else(|| {
        Error::invalid("the shape of a table's values must be known").attr("value_shape").found(shape)
    })?;
    let key_shape = empty.shape().clone();
    let buckets = usize::try_from(buckets).unwrap_or(0);
    if buckets > 1 << 40 {
        return Err(Error::resource_exhausted(format!("a table of {buckets} buckets")).attr("initial_num_buckets"));
    }
    let kind = Kind::Dense { empty, deleted, buckets, max_load };
    Ok(Config { kind, name: String::new(), key, value, key_shape, value_shape })
}

macro_rules! tables {
    ($($(#[doc = $doc:literal])* [$v1:ident, $v2:ident, $anonymous:ident] ($($input:expr),*) { $($attrs:tt)* }
       |$op:ident, $cx:ident| $config:expr;)*) => {$(
        tables!(@shared $(#[doc = $doc])* $v1, Reference, arg("table_handle", is(DType::Str)).by_ref(), [$($input),*],
            { $($attrs)* }, $op, $cx, $config);
        tables!(@shared $(#[doc = $doc])* $v2, Resource, arg("table_handle", is(DType::Resource)), [$($input),*],
            { $($attrs)* }, $op, $cx, $config);
        tables!(@one $(#[doc = $doc])* $anonymous, arg("table_handle", is(DType::Resource)), [$($input),*],
            { $($attrs)* }, {}, Form::Anonymous, $op, $cx, $config);
    )*};
    (@shared $(#[doc = $doc:literal])* $name:ident, $form:ident, $output:expr, $inputs:tt, $attrs:tt, $op:ident, $cx:ident, $config:expr) => {
        tables!(@one $(#[doc = $doc])* $name, $output, $inputs, $attrs, {
            /// Container that holds the table; empty for the default one.
            container: String = Attr::string("container").or_str(""),
            /// Name in the container; empty for the node's.
            shared_name: String = Attr::string("shared_name").or_str(""),
            /// True where an empty `shared_name` stands for the node's name.
            use_node_name_sharing: bool = Attr::bool("use_node_name_sharing").or_bool(false),
        }, Form::$form(&$op.container, &$op.shared_name), $op, $cx, $config);
    };
    (@one $(#[doc = $doc:literal])* $name:ident, $output:expr, [$($input:expr),*], { $($attrs:tt)* }, { $($more:tt)* },
     $form:expr, $op:ident, $cx:ident, $config:expr) => {
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Dtype of the keys.
                key: DType = Attr::dtype("key_dtype", sets::ANY),
                /// Dtype of the values.
                value: DType = Attr::dtype("value_dtype", sets::ANY),
                $($attrs)*
                $($more)*
            }
        }

        impl Op for $name {
            const SPEC: Spec =
                Spec { name: stringify!($name), inputs: &[$($input),*], outputs: &[$output], ..Spec::STATEFUL };
        }

        impl Kernel<Cpu> for $name {
            fn compute(&self, $cx: &mut Cx<'_, '_>) -> Result<()> {
                let $op = self;
                let config = $config?;
                create($cx, $form, config)
            }
        }
    };
}

tables! {
    /// A table that is filled once.
    [HashTable, HashTableV2, AnonymousHashTable] () {} |op, cx| scalars(Kind::Immutable, op.key, op.value);
    /// A table that is filled and emptied as it goes.
    [MutableHashTable, MutableHashTableV2, AnonymousMutableHashTable] () {}
        |op, cx| scalars(Kind::Mutable, op.key, op.value);
    /// A table whose values are vectors.
    [MutableHashTableOfTensors, MutableHashTableOfTensorsV2, AnonymousMutableHashTableOfTensors] () {
        /// Shape of a value.
        value_shape: PartialShape = Attr::shape("value_shape").or(AttrDefault::Shape(Some(&[]))),
    } |op, cx| tensors(op.key, op.value, &op.value_shape);
    /// A table with two keys that stand for empty buckets.
    [MutableDenseHashTable, MutableDenseHashTableV2, AnonymousMutableDenseHashTable]
    (arg("empty_key", of("key_dtype")), arg("deleted_key", of("key_dtype"))) {
        /// Shape of a value.
        value_shape: PartialShape = Attr::shape("value_shape").or(AttrDefault::Shape(Some(&[]))),
        /// Number of buckets at first; a power of two.
        initial_num_buckets: i64 = Attr::int("initial_num_buckets").or_int(131_072),
        /// How full the buckets may be before there are more.
        max_load_factor: f32 = Attr::float("max_load_factor").or_float(0.8),
    } |op, cx| dense(cx, op.key, op.value, &op.value_shape, op.initial_num_buckets, op.max_load_factor);
}

//! The fields of the messages in protobuf's text format, by name: those of [`crate::proto`], and those that belong to
//! the same messages but are not read.

/// A message.
pub(super) struct Message {
    pub name: &'static str,
    pub fields: &'static [(&'static str, u32, Kind)],
}

/// The values of a field.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Text,
    Bytes,
    Bool,
    Int32,
    Int64,
    UInt32,
    UInt64,
    Float,
    Double,
    /// The enum of dtypes.
    Type,
    Of(&'static Message),
    /// Not needed by any graph: debug information and the like.
    Skipped,
    /// Needed, but not read in text.
    Unsupported,
}

use Kind::{Bool, Bytes, Double, Float, Int32, Int64, Of, Skipped, Text, Type, UInt32, UInt64, Unsupported};

const fn message(name: &'static str, fields: &'static [(&'static str, u32, Kind)]) -> Message {
    Message { name, fields }
}

pub(super) static SAVED_MODEL: Message =
    message("SavedModel", &[("saved_model_schema_version", 1, Int64), ("meta_graphs", 2, Of(&META_GRAPH_DEF))]);

pub(super) static META_GRAPH_DEF: Message = message(
    "MetaGraphDef",
    &[
        ("meta_info_def", 1, Of(&META_INFO_DEF)),
        ("graph_def", 2, Of(&GRAPH_DEF)),
        ("saver_def", 3, Of(&SAVER_DEF)),
        (
            "collection_def",
            4,
            Of(&message("CollectionDefEntry", &[("key", 1, Text), ("value", 2, Of(&COLLECTION_DEF))])),
        ),
        ("signature_def", 5, Of(&message("SignatureDefEntry", &[("key", 1, Text), ("value", 2, Of(&SIGNATURE_DEF))]))),
        ("asset_file_def", 6, Of(&ASSET_FILE_DEF)),
        ("object_graph_def", 7, Unsupported),
    ],
);

static META_INFO_DEF: Message = message(
    "MetaInfoDef",
    &[
        ("meta_graph_version", 1, Text),
        ("stripped_op_list", 2, Skipped),
        ("any_info", 3, Skipped),
        ("tags", 4, Text),
        ("tensorflow_version", 5, Text),
        ("tensorflow_git_version", 6, Text),
        ("stripped_default_attrs", 7, Bool),
        ("function_aliases", 8, Skipped),
    ],
);

static SAVER_DEF: Message = message(
    "SaverDef",
    &[
        ("filename_tensor_name", 1, Text),
        ("save_tensor_name", 2, Text),
        ("restore_op_name", 3, Text),
        ("max_to_keep", 4, Skipped),
        ("sharded", 5, Skipped),
        ("keep_checkpoint_every_n_hours", 6, Skipped),
        ("version", 7, Skipped),
    ],
);

static COLLECTION_DEF: Message = message(
    "CollectionDef",
    &[
        ("node_list", 1, Of(&message("NodeList", &[("value", 1, Text)]))),
        ("bytes_list", 2, Of(&message("BytesList", &[("value", 1, Bytes)]))),
        ("int64_list", 3, Of(&message("Int64List", &[("value", 1, Int64)]))),
        ("float_list", 4, Of(&message("FloatList", &[("value", 1, Float)]))),
        ("any_list", 5, Of(&message("AnyList", &[("value", 1, Of(&ANY))]))),
    ],
);

/// A message of any type, which the text has in place of `value` where the type is known.
pub(super) static ANY: Message = message("Any", &[("type_url", 1, Text), ("value", 2, Bytes)]);

/// The types that are read in an [`ANY`].
pub(super) static ANY_TYPES: &[&Message] = &[&ASSET_FILE_DEF];

static SIGNATURE_DEF: Message = message(
    "SignatureDef",
    &[
        ("inputs", 1, Of(&message("InputsEntry", &[("key", 1, Text), ("value", 2, Of(&TENSOR_INFO))]))),
        ("outputs", 2, Of(&message("OutputsEntry", &[("key", 1, Text), ("value", 2, Of(&TENSOR_INFO))]))),
        ("method_name", 3, Text),
        ("defaults", 4, Of(&message("DefaultsEntry", &[("key", 1, Text), ("value", 2, Of(&TENSOR_PROTO))]))),
    ],
);

static TENSOR_INFO: Message = message(
    "TensorInfo",
    &[
        ("name", 1, Text),
        ("dtype", 2, Type),
        ("tensor_shape", 3, Of(&TENSOR_SHAPE_PROTO)),
        (
            "coo_sparse",
            4,
            Of(&message(
                "CooSparse",
                &[
                    ("values_tensor_name", 1, Text),
                    ("indices_tensor_name", 2, Text),
                    ("dense_shape_tensor_name", 3, Text),
                ],
            )),
        ),
        ("composite_tensor", 5, Unsupported),
    ],
);

static ASSET_FILE_DEF: Message =
    message("AssetFileDef", &[("tensor_info", 1, Of(&TENSOR_INFO)), ("filename", 2, Text)]);

pub(super) static GRAPH_DEF: Message = message(
    "GraphDef",
    &[
        ("node", 1, Of(&NODE_DEF)),
        ("library", 2, Of(&FUNCTION_DEF_LIBRARY)),
        ("version", 3, Int32),
        ("versions", 4, Of(&VERSION_DEF)),
        ("debug_info", 5, Skipped),
    ],
);

static VERSION_DEF: Message =
    message("VersionDef", &[("producer", 1, Int32), ("min_consumer", 2, Int32), ("bad_consumers", 3, Int32)]);

static NODE_DEF: Message = message(
    "NodeDef",
    &[
        ("name", 1, Text),
        ("op", 2, Text),
        ("input", 3, Text),
        ("device", 4, Text),
        ("attr", 5, Of(&ATTR_ENTRY)),
        ("experimental_debug_info", 6, Skipped),
        ("experimental_type", 7, Skipped),
    ],
);

static ATTR_ENTRY: Message = message("AttrEntry", &[("key", 1, Text), ("value", 2, Of(&ATTR_VALUE))]);

static ATTR_VALUE: Message = message(
    "AttrValue",
    &[
        ("list", 1, Of(&LIST_VALUE)),
        ("s", 2, Bytes),
        ("i", 3, Int64),
        ("f", 4, Float),
        ("b", 5, Bool),
        ("type", 6, Type),
        ("shape", 7, Of(&TENSOR_SHAPE_PROTO)),
        ("tensor", 8, Of(&TENSOR_PROTO)),
        ("placeholder", 9, Text),
        ("func", 10, Of(&NAME_ATTR_LIST)),
    ],
);

static LIST_VALUE: Message = message(
    "ListValue",
    &[
        ("s", 2, Bytes),
        ("i", 3, Int64),
        ("f", 4, Float),
        ("b", 5, Bool),
        ("type", 6, Type),
        ("shape", 7, Of(&TENSOR_SHAPE_PROTO)),
        ("tensor", 8, Of(&TENSOR_PROTO)),
        ("func", 9, Of(&NAME_ATTR_LIST)),
    ],
);

static NAME_ATTR_LIST: Message = message("NameAttrList", &[("name", 1, Text), ("attr", 2, Of(&ATTR_ENTRY))]);

static TENSOR_SHAPE_PROTO: Message = message(
    "TensorShapeProto",
    &[("dim", 2, Of(&message("Dim", &[("size", 1, Int64), ("name", 2, Skipped)]))), ("unknown_rank", 3, Bool)],
);

static TENSOR_PROTO: Message = message(
    "TensorProto",
    &[
        ("dtype", 1, Type),
        ("tensor_shape", 2, Of(&TENSOR_SHAPE_PROTO)),
        ("version_number", 3, Skipped),
        ("tensor_content", 4, Bytes),
        ("float_val", 5, Float),
        ("double_val", 6, Double),
        ("int_val", 7, Int32),
        ("string_val", 8, Bytes),
        ("scomplex_val", 9, Float),
        ("int64_val", 10, Int64),
        ("bool_val", 11, Bool),
        ("dcomplex_val", 12, Double),
        ("half_val", 13, Int32),
        ("resource_handle_val", 14, Of(&RESOURCE_HANDLE_PROTO)),
        ("variant_val", 15, Of(&VARIANT_TENSOR_DATA_PROTO)),
        ("uint32_val", 16, UInt32),
        ("uint64_val", 17, UInt64),
        ("float8_val", 18, Bytes),
    ],
);

static RESOURCE_HANDLE_PROTO: Message = message(
    "ResourceHandleProto",
    &[
        ("device", 1, Skipped),
        ("container", 2, Skipped),
        ("name", 3, Text),
        ("hash_code", 4, Skipped),
        ("maybe_type_name", 5, Skipped),
        ("dtypes_and_shapes", 6, Skipped),
    ],
);

static VARIANT_TENSOR_DATA_PROTO: Message = message(
    "VariantTensorDataProto",
    &[("type_name", 1, Text), ("metadata", 2, Bytes), ("tensors", 3, Of(&TENSOR_PROTO))],
);

static FUNCTION_DEF_LIBRARY: Message = message(
    "FunctionDefLibrary",
    &[
        ("function", 1, Of(&FUNCTION_DEF)),
        ("gradient", 2, Of(&message("GradientDef", &[("function_name", 1, Text), ("gradient_func", 2, Text)]))),
        (
            "registered_gradients",
            3,
            Of(&message("RegisteredGradient", &[("gradient_func", 1, Text), ("registered_op_type", 2, Text)])),
        ),
    ],
);

static FUNCTION_DEF: Message = message(
    "FunctionDef",
    &[
        ("signature", 1, Of(&OP_DEF)),
        ("node_def", 3, Of(&NODE_DEF)),
        ("ret", 4, Of(&TEXT_ENTRY)),
        ("attr", 5, Of(&ATTR_ENTRY)),
        ("control_ret", 6, Of(&TEXT_ENTRY)),
        ("arg_attr", 7, Of(&message("ArgAttrEntry", &[("key", 1, UInt32), ("value", 2, Of(&ARG_ATTRS))]))),
        ("resource_arg_unique_id", 8, Of(&message("UniqueIdEntry", &[("key", 1, UInt32), ("value", 2, UInt32)]))),
    ],
);

static TEXT_ENTRY: Message = message("RetEntry", &[("key", 1, Text), ("value", 2, Text)]);

static ARG_ATTRS: Message = message("ArgAttrs", &[("attr", 1, Of(&ATTR_ENTRY))]);

static OP_DEF: Message = message(
    "OpDef",
    &[
        ("name", 1, Text),
        ("input_arg", 2, Of(&ARG_DEF)),
        ("output_arg", 3, Of(&ARG_DEF)),
        ("attr", 4, Of(&ATTR_DEF)),
        ("summary", 5, Text),
        ("description", 6, Text),
        ("deprecation", 8, Skipped),
        ("is_aggregate", 16, Skipped),
        ("is_stateful", 17, Bool),
        ("is_commutative", 18, Skipped),
        ("allows_uninitialized_input", 19, Skipped),
        ("control_output", 20, Text),
        ("is_distributed_communication", 21, Skipped),
    ],
);

static ARG_DEF: Message = message(
    "ArgDef",
    &[
        ("name", 1, Text),
        ("description", 2, Text),
        ("type", 3, Type),
        ("type_attr", 4, Text),
        ("number_attr", 5, Text),
        ("type_list_attr", 6, Text),
        ("handle_data", 7, Skipped),
        ("is_ref", 16, Bool),
        ("experimental_full_type", 17, Skipped),
    ],
);

static ATTR_DEF: Message = message(
    "AttrDef",
    &[
        ("name", 1, Text),
        ("type", 2, Text),
        ("default_value", 3, Of(&ATTR_VALUE)),
        ("description", 4, Text),
        ("has_minimum", 5, Bool),
        ("minimum", 6, Int64),
        ("allowed_values", 7, Of(&ATTR_VALUE)),
    ],
);

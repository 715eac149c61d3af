//! The messages of ONNX files (`onnx.proto`), as far as they are read. Numbers are those of the schema.

use bytes::Bytes;
use prost::Message;

/// A model: a graph, the operator sets that it uses, and functions of its own.
#[derive(Clone, PartialEq, Message)]
pub struct ModelProto {
    /// Version of the file format.
    #[prost(int64, tag = "1")]
    pub ir_version: i64,
    /// Name of the tool that wrote the model.
    #[prost(string, tag = "2")]
    pub producer_name: String,
    /// Version of that tool.
    #[prost(string, tag = "3")]
    pub producer_version: String,
    /// Namespace of the model, in reverse DNS notation.
    #[prost(string, tag = "4")]
    pub domain: String,
    /// Version of the model itself.
    #[prost(int64, tag = "5")]
    pub model_version: i64,
    /// Description of the model.
    #[prost(string, tag = "6")]
    pub doc_string: String,
    /// The graph to run.
    #[prost(message, optional, tag = "7")]
    pub graph: Option<GraphProto>,
    /// The operator sets that the graph uses, one version of each.
    #[prost(message, repeated, tag = "8")]
    pub opset_import: Vec<OperatorSetIdProto>,
    /// Named metadata.
    #[prost(message, repeated, tag = "14")]
    pub metadata_props: Vec<StringStringEntryProto>,
    /// Functions that nodes of the graph may call.
    #[prost(message, repeated, tag = "25")]
    pub functions: Vec<FunctionProto>,
}

/// Which version of which operator set a model uses.
#[derive(Clone, PartialEq, Message)]
pub struct OperatorSetIdProto {
    /// Domain of the operator set; empty for ONNX's own operators.
    #[prost(string, tag = "1")]
    pub domain: String,
    /// Version of the operator set.
    #[prost(int64, tag = "2")]
    pub version: i64,
}

/// A key and its value.
#[derive(Clone, PartialEq, Message)]
pub struct StringStringEntryProto {
    /// The key.
    #[prost(string, tag = "1")]
    pub key: String,
    /// The value.
    #[prost(string, tag = "2")]
    pub value: String,
}

/// Nodes in topological order, initializers, inputs and outputs.
#[derive(Clone, PartialEq, Message)]
pub struct GraphProto {
    /// The nodes in topological order.
    #[prost(message, repeated, tag = "1")]
    pub node: Vec<NodeProto>,
    /// Name of the graph.
    #[prost(string, tag = "2")]
    pub name: String,
    /// Constants, and default values of inputs, by name.
    #[prost(message, repeated, tag = "5")]
    pub initializer: Vec<TensorProto>,
    /// Initializers in sparse form, named by their `values`.
    #[prost(message, repeated, tag = "15")]
    pub sparse_initializer: Vec<SparseTensorProto>,
    /// Description of the graph.
    #[prost(string, tag = "10")]
    pub doc_string: String,
    /// The inputs, which may include initializers.
    #[prost(message, repeated, tag = "11")]
    pub input: Vec<ValueInfoProto>,
    /// The outputs.
    #[prost(message, repeated, tag = "12")]
    pub output: Vec<ValueInfoProto>,
    /// Types of values inside the graph, as far as the writer recorded them.
    #[prost(message, repeated, tag = "13")]
    pub value_info: Vec<ValueInfoProto>,
}

/// A call of an operator or a function.
#[derive(Clone, PartialEq, Message)]
pub struct NodeProto {
    /// Names of the input values; an empty name omits an optional input.
    #[prost(string, repeated, tag = "1")]
    pub input: Vec<String>,
    /// Names of the output values; an empty name omits an output.
    #[prost(string, repeated, tag = "2")]
    pub output: Vec<String>,
    /// Name of the node; may be empty.
    #[prost(string, tag = "3")]
    pub name: String,
    /// Name of the operator or function.
    #[prost(string, tag = "4")]
    pub op_type: String,
    /// Domain of the operator; empty for ONNX's own.
    #[prost(string, tag = "7")]
    pub domain: String,
    /// Which function of that name, if several share it.
    #[prost(string, tag = "8")]
    pub overload: String,
    /// The attributes.
    #[prost(message, repeated, tag = "5")]
    pub attribute: Vec<AttributeProto>,
}

/// A named attribute of a node, or a reference to one of the enclosing function.
#[derive(Clone, PartialEq, Message)]
pub struct AttributeProto {
    /// Name of the attribute.
    #[prost(string, tag = "1")]
    pub name: String,
    /// The attribute of the enclosing function that gives the value, if any.
    #[prost(string, tag = "21")]
    pub ref_attr_name: String,
    /// `AttributeProto.AttributeType`: which of the fields below holds the value.
    #[prost(int32, tag = "20")]
    pub r#type: i32,
    /// The value of a float.
    #[prost(float, optional, tag = "2")]
    pub f: Option<f32>,
    /// The value of an int.
    #[prost(int64, optional, tag = "3")]
    pub i: Option<i64>,
    /// The value of a string, in UTF-8.
    #[prost(bytes = "bytes", optional, tag = "4")]
    pub s: Option<Bytes>,
    /// The value of a tensor.
    #[prost(message, optional, tag = "5")]
    pub t: Option<TensorProto>,
    /// The value of a graph: the body of a branch or a loop.
    #[prost(message, optional, tag = "6")]
    pub g: Option<GraphProto>,
    /// The value of a sparse tensor.
    #[prost(message, optional, tag = "22")]
    pub sparse_tensor: Option<SparseTensorProto>,
    /// The value of a type.
    #[prost(message, optional, tag = "14")]
    pub tp: Option<TypeProto>,
    /// The values of a list of floats.
    #[prost(float, repeated, packed = "false", tag = "7")]
    pub floats: Vec<f32>,
    /// The values of a list of ints.
    #[prost(int64, repeated, packed = "false", tag = "8")]
    pub ints: Vec<i64>,
    /// The values of a list of strings.
    #[prost(bytes = "bytes", repeated, tag = "9")]
    pub strings: Vec<Bytes>,
    /// The values of a list of tensors.
    #[prost(message, repeated, tag = "10")]
    pub tensors: Vec<TensorProto>,
    /// The values of a list of graphs.
    #[prost(message, repeated, tag = "11")]
    pub graphs: Vec<GraphProto>,
}

/// The name and the type of a value.
#[derive(Clone, PartialEq, Message)]
pub struct ValueInfoProto {
    /// Name of the value.
    #[prost(string, tag = "1")]
    pub name: String,
    /// Its type; absent if not known.
    #[prost(message, optional, tag = "2")]
    pub r#type: Option<TypeProto>,
}

/// A tensor: in the message itself or in an external file.
#[derive(Clone, PartialEq, Message)]
pub struct TensorProto {
    /// Sizes of the axes; none for a scalar.
    #[prost(int64, repeated, packed = "false", tag = "1")]
    pub dims: Vec<i64>,
    /// `TensorProto.DataType` of the elements.
    #[prost(int32, tag = "2")]
    pub data_type: i32,
    /// Elements of float tensors, and pairs of parts of complex64 ones.
    #[prost(float, repeated, tag = "4")]
    pub float_data: Vec<f32>,
    /// Elements of integer tensors of up to 32 bits, of bool tensors, and the bits of 16-bit floats.
    #[prost(int32, repeated, tag = "5")]
    pub int32_data: Vec<i32>,
    /// Elements of string tensors.
    #[prost(bytes = "bytes", repeated, tag = "6")]
    pub string_data: Vec<Bytes>,
    /// Elements of int64 tensors.
    #[prost(int64, repeated, tag = "7")]
    pub int64_data: Vec<i64>,
    /// Name of the tensor.
    #[prost(string, tag = "8")]
    pub name: String,
    /// Elements of any fixed-size type as little-endian bytes.
    #[prost(bytes = "bytes", optional, tag = "9")]
    pub raw_data: Option<Bytes>,
    /// Elements of double tensors, and pairs of parts of complex128 ones.
    #[prost(double, repeated, tag = "10")]
    pub double_data: Vec<f64>,
    /// Elements of uint32 and uint64 tensors.
    #[prost(uint64, repeated, tag = "11")]
    pub uint64_data: Vec<u64>,
    /// The location of the elements in another file: `location`, `offset`, `length`.
    #[prost(message, repeated, tag = "13")]
    pub external_data: Vec<StringStringEntryProto>,
    /// 1 if the elements are in another file.
    #[prost(int32, tag = "14")]
    pub data_location: i32,
}

/// A tensor of which only some elements are not zero.
#[derive(Clone, PartialEq, Message)]
pub struct SparseTensorProto {
    /// The non-zero elements, as a vector.
    #[prost(message, optional, tag = "1")]
    pub values: Option<TensorProto>,
    /// Their positions: linear ones as a vector, or a matrix with one row for each element.
    #[prost(message, optional, tag = "2")]
    pub indices: Option<TensorProto>,
    /// Sizes of the axes of the dense tensor.
    #[prost(int64, repeated, packed = "false", tag = "3")]
    pub dims: Vec<i64>,
}

/// The type of a value.
#[derive(Clone, PartialEq, Message)]
pub struct TypeProto {
    /// Which kind of type, with its parameters; absent if not known.
    #[prost(oneof = "type_proto::Value", tags = "1, 4, 5, 8, 9")]
    pub value: Option<type_proto::Value>,
}

/// The kinds of types.
pub mod type_proto {
    use prost::{Message, Oneof};

    /// A tensor's element type and shape.
    #[derive(Clone, PartialEq, Message)]
    pub struct Tensor {
        /// `TensorProto.DataType` of the elements.
        #[prost(int32, tag = "1")]
        pub elem_type: i32,
        /// The shape; absent if not even the rank is known.
        #[prost(message, optional, tag = "2")]
        pub shape: Option<super::TensorShapeProto>,
    }

    /// A sequence, or an optional value, of elements of one type.
    #[derive(Clone, PartialEq, Message)]
    pub struct Of {
        /// Type of the elements.
        #[prost(message, optional, boxed, tag = "1")]
        pub elem_type: Option<Box<super::TypeProto>>,
    }

    /// A map from keys to values.
    #[derive(Clone, PartialEq, Message)]
    pub struct Map {
        /// `TensorProto.DataType` of the keys.
        #[prost(int32, tag = "1")]
        pub key_type: i32,
        /// Type of the values.
        #[prost(message, optional, boxed, tag = "2")]
        pub value_type: Option<Box<super::TypeProto>>,
    }

    /// One of the kinds.
    #[derive(Clone, PartialEq, Oneof)]
    pub enum Value {
        /// A dense tensor.
        #[prost(message, tag = "1")]
        Tensor(Tensor),
        /// A sequence of values of one type.
        #[prost(message, tag = "4")]
        Sequence(Of),
        /// A map.
        #[prost(message, tag = "5")]
        Map(Map),
        /// A sparse tensor.
        #[prost(message, tag = "8")]
        SparseTensor(Tensor),
        /// A value that may be absent.
        #[prost(message, tag = "9")]
        Optional(Of),
    }
}

/// The sizes of a tensor's axes.
#[derive(Clone, PartialEq, Message)]
pub struct TensorShapeProto {
    /// One dimension for each axis.
    #[prost(message, repeated, tag = "1")]
    pub dim: Vec<Dimension>,
}

/// A size: a number, or the name of an unknown one.
#[derive(Clone, PartialEq, Message)]
pub struct Dimension {
    /// The size, if known.
    #[prost(int64, optional, tag = "1")]
    pub dim_value: Option<i64>,
    /// The name of the size, if it is symbolic.
    #[prost(string, optional, tag = "2")]
    pub dim_param: Option<String>,
}

/// A function of the model: nodes with parameters and results.
#[derive(Clone, PartialEq, Message)]
pub struct FunctionProto {
    /// Name of the function, which nodes use as their operator.
    #[prost(string, tag = "1")]
    pub name: String,
    /// Names of the parameters.
    #[prost(string, repeated, tag = "4")]
    pub input: Vec<String>,
    /// Names of the results.
    #[prost(string, repeated, tag = "5")]
    pub output: Vec<String>,
    /// Names of the attributes that calls must set.
    #[prost(string, repeated, tag = "6")]
    pub attribute: Vec<String>,
    /// Attributes with default values.
    #[prost(message, repeated, tag = "11")]
    pub attribute_proto: Vec<AttributeProto>,
    /// The body, in topological order.
    #[prost(message, repeated, tag = "7")]
    pub node: Vec<NodeProto>,
    /// The operator sets that the body uses.
    #[prost(message, repeated, tag = "9")]
    pub opset_import: Vec<OperatorSetIdProto>,
    /// Domain of the function.
    #[prost(string, tag = "10")]
    pub domain: String,
    /// Distinguishes functions with the same name.
    #[prost(string, tag = "13")]
    pub overload: String,
    /// Types of values in the body, as far as the writer recorded them.
    #[prost(message, repeated, tag = "12")]
    pub value_info: Vec<ValueInfoProto>,
}

/// Several values of one type, as in the test data of models.
#[derive(Clone, PartialEq, Message)]
pub struct SequenceProto {
    /// Name of the sequence.
    #[prost(string, tag = "1")]
    pub name: String,
    /// `SequenceProto.DataType` of the elements.
    #[prost(int32, tag = "2")]
    pub elem_type: i32,
    /// The elements of a sequence of tensors.
    #[prost(message, repeated, tag = "3")]
    pub tensor_values: Vec<TensorProto>,
    /// The elements of a sequence of sequences.
    #[prost(message, repeated, tag = "5")]
    pub sequence_values: Vec<SequenceProto>,
}

/// An optional value, as in the test data of models.
#[derive(Clone, PartialEq, Message)]
pub struct OptionalProto {
    /// Name of the optional value.
    #[prost(string, tag = "1")]
    pub name: String,
    /// `OptionalProto.DataType` of the value.
    #[prost(int32, tag = "2")]
    pub elem_type: i32,
    /// The value, if it is a tensor.
    #[prost(message, optional, tag = "3")]
    pub tensor_value: Option<TensorProto>,
    /// The value, if it is a sequence.
    #[prost(message, optional, tag = "5")]
    pub sequence_value: Option<SequenceProto>,
}

//! ONNX types, and the dtypes that represent their elements.

use crate::proto::{TensorShapeProto, TypeProto, type_proto};
use levada_graph::{DType, Error, PartialShape, Result};
use std::fmt;

/// An element type of ONNX (`TensorProto.DataType`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Elem(pub i32);

macro_rules! elems {
    ($($name:ident = $number:literal, $text:literal, $dtype:ident;)*) => {
        impl Elem {
            $(#[doc = concat!("`", $text, "`")] pub const $name: Elem = Elem($number);)*

            /// Every element type, in the order of their numbers.
            pub const ALL: &'static [Elem] = &[$(Elem::$name),*];

            /// The name: `float`, `int64`, `float8e4m3fn`.
            pub const fn name(self) -> &'static str {
                match self.0 { $($number => $text,)* _ => "undefined" }
            }

            /// The dtype of tensors with such elements. Types that Levada lacks are stored with one element per byte:
            /// integers of 2 and 4 bits as 8-bit integers, floats of at most 8 bits as their codes in uint8.
            ///
            /// # Errors
            /// `INVALID_ARGUMENT` for a number that is not an element type.
            pub fn dtype(self) -> Result<DType> {
                match self.0 {
                    $($number => Ok(DType::$dtype),)*
                    _ => Err(Error::invalid("the number is not an element type of ONNX").found(self.0)),
                }
            }
        }
    };
}

elems! {
    FLOAT = 1, "float", F32;
    UINT8 = 2, "uint8", U8;
    INT8 = 3, "int8", I8;
    UINT16 = 4, "uint16", U16;
    INT16 = 5, "int16", I16;
    INT32 = 6, "int32", I32;
    INT64 = 7, "int64", I64;
    STRING = 8, "string", Str;
    BOOL = 9, "bool", Bool;
    FLOAT16 = 10, "float16", F16;
    DOUBLE = 11, "double", F64;
    UINT32 = 12, "uint32", U32;
    UINT64 = 13, "uint64", U64;
    COMPLEX64 = 14, "complex64", C64;
    COMPLEX128 = 15, "complex128", C128;
    BFLOAT16 = 16, "bfloat16", BF16;
    FLOAT8E4M3FN = 17, "float8e4m3fn", U8;
    FLOAT8E4M3FNUZ = 18, "float8e4m3fnuz", U8;
    FLOAT8E5M2 = 19, "float8e5m2", U8;
    FLOAT8E5M2FNUZ = 20, "float8e5m2fnuz", U8;
    UINT4 = 21, "uint4", U8;
    INT4 = 22, "int4", I8;
    FLOAT4E2M1 = 23, "float4e2m1", U8;
    FLOAT8E8M0 = 24, "float8e8m0", U8;
    UINT2 = 25, "uint2", U8;
    INT2 = 26, "int2", I8;
    FLOAT6E2M3 = 27, "float6e2m3", U8;
    FLOAT6E3M2 = 28, "float6e3m2", U8;
}

impl Elem {
    /// The element type of tensors of this dtype.
    pub fn of(dtype: DType) -> Elem {
        let plain = |elem: &&Elem| elem.0 <= 16 && elem.dtype() == Ok(dtype.storage());
        Elem::ALL.iter().find(plain).copied().unwrap_or(Elem(0))
    }

    /// True for types that Levada lacks, which are stored as 8-bit integers.
    pub fn is_narrow(self) -> bool {
        self.0 > 16
    }

    /// True for the integers of fewer than 8 bits.
    pub fn is_narrow_integer(self) -> bool {
        matches!(self, Elem::UINT4 | Elem::INT4 | Elem::UINT2 | Elem::INT2)
    }

    /// True for the floats of at most 8 bits.
    pub fn is_narrow_float(self) -> bool {
        self.is_narrow() && !self.is_narrow_integer()
    }
}

impl fmt::Display for Elem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The type of a value. Shapes belong to endpoints, not to types.
#[derive(Clone, PartialEq, Debug)]
pub enum Type {
    /// A tensor.
    Tensor(Elem),
    /// A sequence of values of one type; a variant in the graph.
    Sequence(Box<Type>),
    /// An optional value; a variant in the graph.
    Optional(Box<Type>),
    /// A map from keys to values; a variant in the graph.
    Map(Elem, Box<Type>),
}

impl Type {
    /// A sequence of values of this type.
    pub fn sequence(self) -> Type {
        Type::Sequence(Box::new(self))
    }

    /// An optional value of this type.
    pub fn optional(self) -> Type {
        Type::Optional(Box::new(self))
    }

    /// The dtype of the tensor that holds a value of this type in the graph.
    ///
    /// # Errors
    /// As [`Elem::dtype`].
    pub fn dtype(&self) -> Result<DType> {
        match self {
            Type::Tensor(elem) => elem.dtype(),
            _ => Ok(DType::Variant),
        }
    }

    /// The element type of a tensor.
    pub fn elem(&self) -> Option<Elem> {
        match self {
            Type::Tensor(elem) => Some(*elem),
            _ => None,
        }
    }

    /// The type that a file describes and, for a tensor, its known shape.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if it has no type, `UNIMPLEMENTED` for sparse tensors.
    pub fn of_proto(proto: &TypeProto) -> Result<(Type, PartialShape)> {
        use type_proto::Value;
        let inner = |proto: &Option<Box<TypeProto>>| match proto {
            Some(proto) => Ok(Type::of_proto(proto)?.0),
            None => Err(Error::invalid("a type lacks its element type")),
        };
        let scalar = PartialShape::scalar();
        Ok(match &proto.value {
            Some(Value::Tensor(tensor)) => {
                let elem = Elem(tensor.elem_type);
                elem.dtype()?;
                (Type::Tensor(elem), tensor.shape.as_ref().map_or(PartialShape::Unknown, shape))
            }
            Some(Value::Sequence(of)) => (inner(&of.elem_type)?.sequence(), scalar),
            Some(Value::Optional(of)) => (inner(&of.elem_type)?.optional(), scalar),
            Some(Value::Map(map)) => (Type::Map(Elem(map.key_type), Box::new(inner(&map.value_type)?)), scalar),
            Some(Value::SparseTensor(_)) => {
                return Err(Error::unimplemented("values that are sparse tensors are not supported"));
            }
            None => return Err(Error::invalid("a value has no type")),
        })
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Tensor(elem) => write!(f, "{elem}"),
            Type::Sequence(of) => write!(f, "sequence of {of}"),
            Type::Optional(of) => write!(f, "optional {of}"),
            Type::Map(key, value) => write!(f, "map from {key} to {value}"),
        }
    }
}

/// The known part of a shape; negative and named sizes are unknown.
fn shape(proto: &TensorShapeProto) -> PartialShape {
    PartialShape::new(proto.dim.iter().map(|dim| dim.dim_value.and_then(|size| usize::try_from(size).ok())))
}

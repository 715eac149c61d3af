//! Element types, their protobuf numbers and their names.

use std::fmt;

macro_rules! dtypes {
    ($($(#[$doc:meta])* $variant:ident = $number:literal, $name:literal, $proto:literal, $size:literal;)*) => {
        /// The type of a tensor's elements. Numbers and names are TensorFlow's.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum DType { $($(#[$doc])* $variant = $number,)* }

        impl DType {
            /// Every dtype, in the order of their numbers.
            pub const ALL: &'static [DType] = &[$(DType::$variant),*];

            /// The dtype with this protobuf number, reference types excluded.
            pub fn from_number(number: i32) -> Option<DType> {
                match number { $($number => Some(DType::$variant),)* _ => None }
            }

            /// The short name: `float32`, `int64`, `string`.
            pub const fn name(self) -> &'static str {
                match self { $(DType::$variant => $name,)* }
            }

            /// The name in protobuf's JSON mapping: `DT_FLOAT`.
            pub const fn proto_name(self) -> &'static str {
                match self { $(DType::$variant => $proto,)* }
            }

            /// Bytes per element; 0 for strings, resources and variants, which are objects.
            pub const fn size(self) -> usize {
                match self { $(DType::$variant => $size,)* }
            }
        }
    };
}

dtypes! {
    /// 32-bit float.
    F32 = 1, "float32", "DT_FLOAT", 4;
    /// 64-bit float.
    F64 = 2, "float64", "DT_DOUBLE", 8;
    /// 32-bit signed integer.
    I32 = 3, "int32", "DT_INT32", 4;
    /// 8-bit unsigned integer.
    U8 = 4, "uint8", "DT_UINT8", 1;
    /// 16-bit signed integer.
    I16 = 5, "int16", "DT_INT16", 2;
    /// 8-bit signed integer.
    I8 = 6, "int8", "DT_INT8", 1;
    /// Byte string of any length.
    Str = 7, "string", "DT_STRING", 0;
    /// Complex number of two 32-bit floats.
    C64 = 8, "complex64", "DT_COMPLEX64", 8;
    /// 64-bit signed integer.
    I64 = 9, "int64", "DT_INT64", 8;
    /// Truth value.
    Bool = 10, "bool", "DT_BOOL", 1;
    /// Quantized 8-bit signed integer.
    QI8 = 11, "qint8", "DT_QINT8", 1;
    /// Quantized 8-bit unsigned integer.
    QU8 = 12, "quint8", "DT_QUINT8", 1;
    /// Quantized 32-bit signed integer.
    QI32 = 13, "qint32", "DT_QINT32", 4;
    /// The upper half of a 32-bit float.
    BF16 = 14, "bfloat16", "DT_BFLOAT16", 2;
    /// Quantized 16-bit signed integer.
    QI16 = 15, "qint16", "DT_QINT16", 2;
    /// Quantized 16-bit unsigned integer.
    QU16 = 16, "quint16", "DT_QUINT16", 2;
    /// 16-bit unsigned integer.
    U16 = 17, "uint16", "DT_UINT16", 2;
    /// Complex number of two 64-bit floats.
    C128 = 18, "complex128", "DT_COMPLEX128", 16;
    /// IEEE half precision.
    F16 = 19, "float16", "DT_HALF", 2;
    /// Handle of a resource such as a variable or a queue.
    Resource = 20, "resource", "DT_RESOURCE", 0;
    /// Value of an opaque type, such as a list of tensors.
    Variant = 21, "variant", "DT_VARIANT", 0;
    /// 32-bit unsigned integer.
    U32 = 22, "uint32", "DT_UINT32", 4;
    /// 64-bit unsigned integer.
    U64 = 23, "uint64", "DT_UINT64", 8;
    /// 8-bit float with 5 exponent bits, infinities and NaNs.
    F8E5M2 = 24, "float8_e5m2", "DT_FLOAT8_E5M2", 1;
    /// 8-bit float with 4 exponent bits, no infinities and two NaNs.
    F8E4M3 = 25, "float8_e4m3fn", "DT_FLOAT8_E4M3FN", 1;
    /// 8-bit float with 4 exponent bits and a bias of 8, no infinities, one NaN and no negative zero.
    F8E4M3Uz = 26, "float8_e4m3fnuz", "DT_FLOAT8_E4M3FNUZ", 1;
    /// 8-bit float with 4 exponent bits and a bias of 11, no infinities, one NaN and no negative zero.
    F8E4M3B11 = 27, "float8_e4m3b11fnuz", "DT_FLOAT8_E4M3B11FNUZ", 1;
    /// 8-bit float with 5 exponent bits and a bias of 16, no infinities, one NaN and no negative zero.
    F8E5M2Uz = 28, "float8_e5m2fnuz", "DT_FLOAT8_E5M2FNUZ", 1;
    /// 4-bit signed integer, in a byte.
    I4 = 29, "int4", "DT_INT4", 1;
    /// 4-bit unsigned integer, in a byte.
    U4 = 30, "uint4", "DT_UINT4", 1;
    /// 2-bit signed integer, in a byte.
    I2 = 31, "int2", "DT_INT2", 1;
    /// 2-bit unsigned integer, in a byte.
    U2 = 32, "uint2", "DT_UINT2", 1;
    /// 4-bit float with 2 exponent bits, neither infinities nor NaNs, in a byte.
    F4E2M1 = 33, "float4_e2m1fn", "DT_FLOAT4_E2M1FN", 1;
}

impl DType {
    /// The protobuf number.
    pub const fn number(self) -> i32 {
        self as i32
    }

    /// The dtype with this name: `float32`, `float`, `half`, `double`, `DT_FLOAT` and the like. No reference types.
    pub fn parse(name: &str) -> Option<DType> {
        let found = |d: &&DType| d.name() == name || d.proto_name() == name;
        DType::ALL.iter().find(found).copied().or(match name {
            "float" => Some(DType::F32),
            "double" => Some(DType::F64),
            "half" => Some(DType::F16),
            _ => None,
        })
    }

    /// The dtype whose elements are stored the same way: that of the plain integer for a quantized type, uint8 for a
    /// [narrow](DType::is_narrow) one.
    pub const fn storage(self) -> DType {
        match self {
            _ if self.is_narrow() => DType::U8,
            DType::QI8 => DType::I8,
            DType::QU8 => DType::U8,
            DType::QI16 => DType::I16,
            DType::QU16 => DType::U16,
            DType::QI32 => DType::I32,
            other => other,
        }
    }

    /// True for a dtype that is stored as itself: any but the quantized and the narrow ones.
    pub const fn is_storage(self) -> bool {
        !self.is_quantized() && !self.is_narrow()
    }

    /// True for the quantized integers.
    pub const fn is_quantized(self) -> bool {
        matches!(self, DType::QI8 | DType::QU8 | DType::QI16 | DType::QU16 | DType::QI32)
    }

    /// True for f16, bf16, f32 and f64.
    pub const fn is_float(self) -> bool {
        matches!(self, DType::F16 | DType::BF16 | DType::F32 | DType::F64)
    }

    /// True for complex64 and complex128.
    pub const fn is_complex(self) -> bool {
        matches!(self, DType::C64 | DType::C128)
    }

    /// True for the signed and unsigned integers, quantized types excluded.
    pub const fn is_integer(self) -> bool {
        use DType::*;
        matches!(self, I8 | I16 | I32 | I64 | U8 | U16 | U32 | U64)
    }

    /// True if elements are bytes in a buffer, false for strings, resources and variants.
    pub const fn is_plain(self) -> bool {
        self.size() != 0
    }

    /// This dtype as the type of an edge that carries values.
    pub const fn value(self) -> EdgeType {
        EdgeType { dtype: self, is_ref: false }
    }
}

impl fmt::Debug for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The type of an edge: values of a dtype, or a reference to a variable of that dtype.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct EdgeType {
    /// The element type.
    pub dtype: DType,
    /// True if the edge carries a reference to a variable (`DT_FLOAT_REF`).
    pub is_ref: bool,
}

impl EdgeType {
    /// The protobuf number: 100 more than the dtype's for references.
    pub const fn number(self) -> i32 {
        self.dtype.number() + if self.is_ref { 100 } else { 0 }
    }

    /// The edge type with this protobuf number.
    pub fn from_number(number: i32) -> Option<EdgeType> {
        let is_ref = number > 100;
        DType::from_number(if is_ref { number - 100 } else { number }).map(|dtype| EdgeType { dtype, is_ref })
    }

    /// The edge type with this name: any name that [`DType::parse`] takes, optionally with the suffix `_ref` or `_REF`.
    pub fn parse(name: &str) -> Option<EdgeType> {
        let stem = name.strip_suffix("_REF").or_else(|| name.strip_suffix("_ref"));
        DType::parse(stem.unwrap_or(name)).map(|dtype| EdgeType { dtype, is_ref: stem.is_some() })
    }

    /// The name in protobuf's JSON mapping.
    pub fn proto_name(self) -> String {
        format!("{}{}", self.dtype.proto_name(), if self.is_ref { "_REF" } else { "" })
    }
}

impl From<DType> for EdgeType {
    fn from(dtype: DType) -> EdgeType {
        dtype.value()
    }
}

impl fmt::Display for EdgeType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.dtype, if self.is_ref { "_ref" } else { "" })
    }
}

impl fmt::Debug for EdgeType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Sets of dtypes that op specs allow.
pub mod sets {
    use super::DType::{self, *};

    /// Every dtype.
    pub const ANY: &[DType] = DType::ALL;
    /// f16, bf16, f32, f64.
    pub const FLOATS: &[DType] = &[BF16, F16, F32, F64];
    /// The floats and the complex types.
    pub const FLOATS_COMPLEX: &[DType] = &[BF16, F16, F32, F64, C64, C128];
    /// complex64, complex128.
    pub const COMPLEX: &[DType] = &[C64, C128];
    /// Signed and unsigned integers.
    pub const INTEGERS: &[DType] = &[I8, I16, I32, I64, U8, U16, U32, U64];
    /// Integers and floats.
    pub const REALS: &[DType] = &[F32, F64, I32, U8, I16, I8, I64, BF16, U16, F16, U32, U64];
    /// Integers, floats and complex types.
    pub const NUMBERS: &[DType] = &[F32, F64, I32, U8, I16, I8, C64, I64, BF16, U16, C128, F16, U32, U64];
    /// The dtypes of TensorFlow's `numbertype`: numbers and quantized integers.
    pub const NUMBERTYPE: &[DType] =
        &[F32, F64, I32, U8, I16, I8, C64, I64, QI8, QU8, QI32, BF16, QI16, QU16, U16, C128, F16, U32, U64];
    /// int32, int64: the dtypes of indices and shapes.
    pub const INDEX: &[DType] = &[I32, I64];
}

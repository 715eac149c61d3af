//! Element types of files: dtypes of graphs, and types that graphs do not support, which are kept as bytes.

use levada_graph::{DType, Error, Result, Shape};
use std::fmt;

/// The type of the elements of a tensor in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Element {
    /// A dtype of graphs.
    Graph(DType),
    /// A type that graphs do not support.
    Other(&'static Other),
}

/// An element type that graphs do not support.
#[derive(PartialEq, Eq, Debug)]
pub struct Other {
    /// The usual name.
    pub name: &'static str,
    /// Name in safetensors files.
    safetensors: &'static str,
    /// Bits per element.
    bits: usize,
}

const fn other(name: &'static str, safetensors: &'static str, bits: usize) -> Other {
    Other { name, safetensors, bits }
}

static OTHERS: &[Other] = &[
    other("float8_e8m0fnu", "F8_E8M0", 8),
    other("float6_e2m3fn", "F6_E2M3", 6),
    other("float6_e3m2fn", "F6_E3M2", 6),
    other("float4_e2m1fn_packed", "F4", 4),
];

/// Dtypes of graphs in safetensors files.
const SAFETENSORS: &[(DType, &str)] = &[
    (DType::Bool, "BOOL"),
    (DType::U8, "U8"),
    (DType::I8, "I8"),
    (DType::F8E5M2, "F8_E5M2"),
    (DType::F8E4M3, "F8_E4M3"),
    (DType::F8E4M3Uz, "F8_E4M3FNUZ"),
    (DType::F8E5M2Uz, "F8_E5M2FNUZ"),
    (DType::I16, "I16"),
    (DType::U16, "U16"),
    (DType::F16, "F16"),
    (DType::BF16, "BF16"),
    (DType::I32, "I32"),
    (DType::U32, "U32"),
    (DType::F32, "F32"),
    (DType::C64, "C64"),
    (DType::F64, "F64"),
    (DType::I64, "I64"),
    (DType::U64, "U64"),
];

/// The order of tensors in safetensors files, by their types: the last first.
const ORDER: &[&str] = &[
    "BOOL",
    "F4",
    "F6_E2M3",
    "F6_E3M2",
    "U8",
    "I8",
    "F8_E5M2",
    "F8_E4M3",
    "F8_E8M0",
    "F8_E4M3FNUZ",
    "F8_E5M2FNUZ",
    "I16",
    "U16",
    "F16",
    "BF16",
    "I32",
    "U32",
    "F32",
    "C64",
    "F64",
    "I64",
    "U64",
];

impl Element {
    /// The type with this number in TensorFlow's checkpoints.
    pub fn from_number(number: i32) -> Option<Element> {
        DType::from_number(number).map(Element::Graph)
    }

    /// The type with this name in safetensors files.
    pub fn from_safetensors(name: &str) -> Option<Element> {
        let graph = SAFETENSORS.iter().find(|(_, n)| *n == name).map(|(dtype, _)| Element::Graph(*dtype));
        graph.or_else(|| OTHERS.iter().find(|o| o.safetensors == name).map(Element::Other))
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Element::Graph(dtype) => dtype.name(),
            Element::Other(other) => other.name,
        }
    }

    /// Its number in TensorFlow's checkpoints; `None` if they do not have it.
    pub fn number(self) -> Option<i32> {
        match self {
            Element::Graph(dtype) => Some(dtype.number()),
            Element::Other(_) => None,
        }
    }

    /// Its name in safetensors files; `None` if they do not have it.
    pub fn safetensors(self) -> Option<&'static str> {
        match self {
            Element::Graph(dtype) => SAFETENSORS.iter().find(|(d, _)| *d == dtype).map(|(_, name)| *name),
            Element::Other(other) => Some(other.safetensors),
        }
    }

    /// The position of tensors of this type in safetensors files, by alignment.
    pub(crate) fn rank(self) -> usize {
        self.safetensors().and_then(|name| ORDER.iter().position(|n| *n == name)).unwrap_or(0)
    }

    /// The dtype, if graphs support it.
    ///
    /// # Errors
    /// `UNIMPLEMENTED` if they do not.
    pub fn dtype(self, name: &str) -> Result<DType> {
        match self {
            Element::Graph(dtype) => Ok(dtype),
            Element::Other(other) => Err(Error::unimplemented(format!(
                "{name} has elements of type {}, which graphs do not support",
                other.name
            ))
            .help("`levada checkpoint` lists, compares and converts such tensors")),
        }
    }

    /// Bytes that the elements of a tensor of this shape take; `None` for strings and other objects, and if that is not
    /// a whole number of bytes or is too large.
    pub fn bytes(self, shape: &Shape) -> Option<u64> {
        let bits = match self {
            Element::Graph(dtype) if dtype.is_plain() => dtype.size() * 8,
            Element::Graph(_) => return None,
            Element::Other(other) => other.bits,
        };
        let bits = (shape.num_elements() as u64).checked_mul(bits as u64)?;
        bits.is_multiple_of(8).then_some(bits / 8)
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

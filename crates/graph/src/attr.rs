//! Attr values: the parameters of a node besides its inputs.

use crate::dtype::EdgeType;
use crate::shape::PartialShape;
use crate::tensor::Tensor;
use bytes::Bytes;
use std::fmt;
use std::sync::Arc;

/// The value of an attr, as in `AttrValue` of the GraphDef schema.
#[derive(Clone, PartialEq, Debug)]
pub enum AttrValue {
    /// Byte string.
    S(Bytes),
    /// Integer.
    I(i64),
    /// Float.
    F(f32),
    /// Truth value.
    B(bool),
    /// Element type, possibly a reference.
    Type(EdgeType),
    /// Shape.
    Shape(PartialShape),
    /// Tensor.
    Tensor(Tensor),
    /// List of values of one kind.
    List(AttrList),
    /// Function with attrs.
    Func(Func),
    /// Name of an attr of the enclosing function, whose value replaces it when the function is instantiated.
    Placeholder(String),
}

/// A list in an attr.
#[derive(Clone, PartialEq, Debug)]
pub enum AttrList {
    /// No elements, so no kind.
    Empty,
    /// Byte strings.
    S(Vec<Bytes>),
    /// Integers.
    I(Vec<i64>),
    /// Floats.
    F(Vec<f32>),
    /// Truth values.
    B(Vec<bool>),
    /// Element types.
    Type(Vec<EdgeType>),
    /// Shapes.
    Shape(Vec<PartialShape>),
    /// Tensors.
    Tensor(Vec<Tensor>),
    /// Functions.
    Func(Vec<Func>),
}

impl AttrList {
    /// Number of elements.
    pub fn len(&self) -> usize {
        match self {
            AttrList::Empty => 0,
            AttrList::S(v) => v.len(),
            AttrList::I(v) => v.len(),
            AttrList::F(v) => v.len(),
            AttrList::B(v) => v.len(),
            AttrList::Type(v) => v.len(),
            AttrList::Shape(v) => v.len(),
            AttrList::Tensor(v) => v.len(),
            AttrList::Func(v) => v.len(),
        }
    }

    /// True for no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A function of the library with values for its attrs (`NameAttrList`).
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Func {
    /// Name of the function, or of an op.
    pub name: String,
    /// Values for its attrs.
    pub attrs: Attrs,
}

impl From<&str> for Func {
    /// The function with this name, without attrs.
    fn from(name: &str) -> Func {
        Func { name: name.to_owned(), attrs: Attrs::new() }
    }
}

/// The attrs of a node: names and values, sorted by name.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Attrs(Vec<(Arc<str>, AttrValue)>);

impl Attrs {
    /// No attrs.
    pub fn new() -> Attrs {
        Attrs::default()
    }

    /// The value of the attr `name`.
    pub fn get(&self, name: &str) -> Option<&AttrValue> {
        self.0.binary_search_by(|(n, _)| (**n).cmp(name)).ok().map(|i| &self.0[i].1)
    }

    /// Sets the attr `name`; returns the value it had.
    pub fn set(&mut self, name: impl Into<Arc<str>>, value: AttrValue) -> Option<AttrValue> {
        let name = name.into();
        match self.0.binary_search_by(|(n, _)| n.cmp(&name)) {
            Ok(i) => Some(std::mem::replace(&mut self.0[i].1, value)),
            Err(i) => {
                self.0.insert(i, (name, value));
                None
            }
        }
    }

    /// Removes the attr `name`.
    pub fn remove(&mut self, name: &str) -> Option<AttrValue> {
        self.0.binary_search_by(|(n, _)| (**n).cmp(name)).ok().map(|i| self.0.remove(i).1)
    }

    /// Names and values, sorted by name.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Arc<str>, &AttrValue)> {
        self.0.iter().map(|(n, v)| (n, v))
    }

    /// Number of attrs.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True for no attrs.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<N: Into<Arc<str>>> FromIterator<(N, AttrValue)> for Attrs {
    fn from_iter<I: IntoIterator<Item = (N, AttrValue)>>(iter: I) -> Attrs {
        let mut attrs: Vec<(Arc<str>, AttrValue)> = iter.into_iter().map(|(n, v)| (n.into(), v)).collect();
        attrs.sort_by(|a, b| a.0.cmp(&b.0));
        attrs.dedup_by(|later, first| {
            let same = later.0 == first.0;
            if same {
                std::mem::swap(&mut later.1, &mut first.1);
            }
            same
        });
        Attrs(attrs)
    }
}

/// The kinds of attrs in op specs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AttrKind {
    /// Byte string.
    S,
    /// Integer.
    I,
    /// Float.
    F,
    /// Truth value.
    B,
    /// Element type.
    Type,
    /// Shape.
    Shape,
    /// Tensor.
    Tensor,
    /// Function.
    Func,
    /// List of byte strings.
    ListS,
    /// List of integers.
    ListI,
    /// List of floats.
    ListF,
    /// List of truth values.
    ListB,
    /// List of element types.
    ListType,
    /// List of shapes.
    ListShape,
    /// List of tensors.
    ListTensor,
    /// List of functions.
    ListFunc,
}

impl AttrKind {
    /// True for the list kinds.
    pub const fn is_list(self) -> bool {
        self as u8 >= AttrKind::ListS as u8
    }

    /// In words, for messages: `a list of ints`.
    pub const fn words(self) -> &'static str {
        match self {
            AttrKind::S => "a string",
            AttrKind::I => "an int",
            AttrKind::F => "a float",
            AttrKind::B => "a bool",
            AttrKind::Type => "a dtype",
            AttrKind::Shape => "a shape",
            AttrKind::Tensor => "a tensor",
            AttrKind::Func => "a function",
            AttrKind::ListS => "a list of strings",
            AttrKind::ListI => "a list of ints",
            AttrKind::ListF => "a list of floats",
            AttrKind::ListB => "a list of bools",
            AttrKind::ListType => "a list of dtypes",
            AttrKind::ListShape => "a list of shapes",
            AttrKind::ListTensor => "a list of tensors",
            AttrKind::ListFunc => "a list of functions",
        }
    }

    /// True if `value` is of this kind. An empty list is of every list kind.
    pub fn fits(self, value: &AttrValue) -> bool {
        use AttrKind as K;
        match value {
            AttrValue::S(_) => self == K::S,
            AttrValue::I(_) => self == K::I,
            AttrValue::F(_) => self == K::F,
            AttrValue::B(_) => self == K::B,
            AttrValue::Type(_) => self == K::Type,
            AttrValue::Shape(_) => self == K::Shape,
            AttrValue::Tensor(_) => self == K::Tensor,
            AttrValue::Func(_) => self == K::Func,
            AttrValue::Placeholder(_) => false,
            AttrValue::List(list) => match list {
                AttrList::Empty => self.is_list(),
                AttrList::S(_) => self == K::ListS,
                AttrList::I(_) => self == K::ListI,
                AttrList::F(_) => self == K::ListF,
                AttrList::B(_) => self == K::ListB,
                AttrList::Type(_) => self == K::ListType,
                AttrList::Shape(_) => self == K::ListShape,
                AttrList::Tensor(_) => self == K::ListTensor,
                AttrList::Func(_) => self == K::ListFunc,
            },
        }
    }
}

impl fmt::Display for AttrValue {
    /// As an error message shows it: `the int 2`, `the list [1, 2]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AttrValue::S(v) => write!(f, "the string {:?}", String::from_utf8_lossy(v)),
            AttrValue::I(v) => write!(f, "the int {v}"),
            AttrValue::F(v) => write!(f, "the float {v:?}"),
            AttrValue::B(v) => write!(f, "the bool {v}"),
            AttrValue::Type(v) => write!(f, "the dtype {v}"),
            AttrValue::Shape(v) => write!(f, "the shape {v}"),
            AttrValue::Tensor(v) => write!(f, "the tensor {v}"),
            AttrValue::Func(v) => write!(f, "the function {}", v.name),
            AttrValue::Placeholder(v) => write!(f, "the placeholder {v}"),
            AttrValue::List(list) => match list {
                AttrList::Empty => f.write_str("the empty list"),
                AttrList::S(v) => {
                    write!(f, "the list {:?}", v.iter().map(|s| String::from_utf8_lossy(s)).collect::<Vec<_>>())
                }
                AttrList::I(v) => write!(f, "the list {v:?}"),
                AttrList::F(v) => write!(f, "the list {v:?}"),
                AttrList::B(v) => write!(f, "the list {v:?}"),
                AttrList::Type(v) => write!(f, "the list {v:?}"),
                AttrList::Shape(v) => write!(f, "the list {v:?}"),
                AttrList::Tensor(v) => write!(f, "a list of {} tensors", v.len()),
                AttrList::Func(v) => write!(f, "a list of {} functions", v.len()),
            },
        }
    }
}

//! The op contract: what an op definition provides, and the registry that finds ops by name.

use crate::attr::{AttrList, AttrValue, Attrs as AttrMap, Func};
use crate::batch::Vectorize;
use crate::dtype::{DType, EdgeType};
use crate::error::{Error, Result};
use crate::grad::Differentiate;
use crate::infer::ShapeCx;
use crate::shape::PartialShape;
use crate::spec::{AttrSpec, Primitive, Spec};
use crate::tensor::Tensor;
use bytes::Bytes;
use std::any::Any;
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// A struct whose fields are an op's attrs. Implemented by [`attrs!`](crate::attrs).
pub trait Attrs: Sized {
    /// The doc comment of the op, line by line; [`prose`](crate::spec::prose) joins it to text.
    const DOC: &'static str;
    /// The attrs, in the order of the fields.
    const ATTRS: &'static [AttrSpec];
    /// Decodes the fields from a node's attrs.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for an attr that is missing, of the wrong kind or not allowed.
    fn decode(attrs: &AttrMap) -> Result<Self>;
    /// Encodes the fields as attrs.
    fn encode(&self) -> AttrMap;
}

/// The op of a node: its decoded attrs, its spec and properties that follow from both.
pub trait AnyOp: Any + fmt::Debug + Send + Sync {
    /// Name, inputs, outputs.
    fn spec(&self) -> &'static Spec;
    /// Name of the op.
    fn name(&self) -> &str;
    /// Infers the shapes of the outputs from those of the inputs. Outputs that it does not set stay unknown.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if the shapes of the inputs are invalid.
    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()>;
    /// Floating-point operations of one run, if more than a few for each element of the outputs.
    fn flops(&self, inputs: &[PartialShape], outputs: &[PartialShape]) -> Option<f64>;
    /// Upper bound in bytes on the tensors that one run allocates on the host besides its outputs, with this many
    /// threads; `None` if it allocates none.
    fn workspace(&self, inputs: &[PartialShape], outputs: &[PartialShape], threads: usize) -> Option<f64> {
        let _ = (inputs, outputs, threads);
        None
    }
    /// The value, for ops of role [`Const`](crate::spec::Role::Const).
    fn constant(&self) -> Option<&Tensor>;
    /// True if this node, by its attrs, has state or side effects.
    fn is_stateful(&self) -> bool;
    /// [`Attrs::encode`]
    fn encode(&self) -> AttrMap;
}

/// An op in the registry.
#[derive(Clone, Copy)]
pub struct OpDef {
    /// Name, inputs, outputs.
    pub spec: &'static Spec,
    /// Its description: [`Attrs::DOC`].
    pub doc: &'static str,
    /// Attrs.
    pub attrs: &'static [AttrSpec],
    /// Decodes a node's attrs.
    pub decoder: &'static dyn Decode,
    /// Its gradient rule; `None` if it is not differentiable.
    pub grad: Option<&'static dyn Differentiate>,
    /// Its batch rule; `None` if it runs example by example.
    pub batch: Option<&'static dyn Vectorize>,
}

/// Makes the op of a node.
pub trait Decode: Sync {
    /// Decodes the attrs of a node whose op has the name `name`.
    ///
    /// # Errors
    /// As [`Attrs::decode`].
    fn decode(&'static self, name: &str, attrs: &AttrMap) -> Result<Arc<dyn AnyOp>>;
}

impl OpDef {
    /// The op of a node with these attrs.
    ///
    /// # Errors
    /// As [`Attrs::decode`].
    pub fn decode(&self, attrs: &AttrMap) -> Result<Arc<dyn AnyOp>> {
        self.decoder.decode(self.spec.name, attrs)
    }

    /// The attr named `name`.
    pub fn attr(&self, name: &str) -> Option<&'static AttrSpec> {
        self.attrs.iter().find(|a| a.name == name)
    }
}

impl fmt::Debug for OpDef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OpDef({})", self.spec.name)
    }
}

/// Ops by name.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    ops: HashMap<&'static str, OpDef>,
    primitives: HashMap<Primitive, &'static str>,
    /// Ops that the build leaves out, with the feature that enables each.
    left_out: HashMap<&'static str, &'static str>,
}

impl Registry {
    /// A registry of these ops. A later op replaces an earlier one with the same name.
    pub fn new(ops: impl IntoIterator<Item = OpDef>) -> Registry {
        let ops: HashMap<&'static str, OpDef> = ops.into_iter().map(|op| (op.spec.name, op)).collect();
        let primitives = ops.values().filter_map(|op| Some((op.spec.primitive?, op.spec.name))).collect();
        Registry { ops, primitives, left_out: HashMap::new() }
    }

    /// This registry with ops that the build leaves out, each with the feature that enables it.
    pub fn leaving_out(self, left_out: impl IntoIterator<Item = (&'static str, &'static str)>) -> Registry {
        Registry { left_out: left_out.into_iter().collect(), ..self }
    }

    /// The feature that enables the op named `name`, if the build leaves it out.
    pub fn missing_feature(&self, name: &str) -> Option<&'static str> {
        self.left_out.get(name).copied()
    }

    /// The op named `name`.
    pub fn get(&self, name: &str) -> Option<&OpDef> {
        self.ops.get(name)
    }

    /// Name of the op that gradient rules use for this primitive.
    pub fn primitive(&self, primitive: Primitive) -> Option<&'static str> {
        self.primitives.get(&primitive).copied()
    }

    /// Every op, in arbitrary order.
    pub fn iter(&self) -> impl Iterator<Item = &OpDef> {
        self.ops.values()
    }

    /// The op whose name is closest to `name`, for a hint.
    pub fn nearest(&self, name: &str) -> Option<&'static str> {
        nearest(name, self.ops.keys().copied())
    }
}

/// Longer names are not typed by hand, so they are not searched for typos.
const LONGEST_TYPED: usize = 1024;

/// The candidate that a typo most likely meant: at most a third of `name` differs, ignoring case.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    fn distance(name: &str, candidate: &str, limit: usize) -> Option<usize> {
        // No character takes more than four bytes.
        if candidate.len() > 4 * (name.len() + limit) {
            return None;
        }
        let candidate = candidate.to_lowercase();
        if candidate.chars().count().abs_diff(name.chars().count()) > limit {
            return None;
        }
        Some(strsim::osa_distance(name, &candidate)).filter(|d| *d <= limit)
    }
    if name.len() > LONGEST_TYPED {
        return None;
    }
    let name = name.to_lowercase();
    let limit = (name.chars().count() + 1) / 3;
    let scored = candidates.into_iter().filter_map(|c| Some((distance(&name, c, limit)?, c)));
    scored.min().map(|(_, c)| c)
}

/// A Rust type that an attr decodes to.
pub trait FromAttr: Sized {
    /// Decodes the value; `None` for a value of another kind.
    fn from_attr(value: &AttrValue) -> Option<Self>;
    /// Encodes the value.
    fn to_attr(&self) -> AttrValue;
}

macro_rules! from_attr {
    ($($ty:ty: $one:ident, $read:expr, $write:expr;)*) => {$(
        impl FromAttr for $ty {
            fn from_attr(value: &AttrValue) -> Option<Self> {
                match value { AttrValue::$one(v) => $read(v), _ => None }
            }
            fn to_attr(&self) -> AttrValue { AttrValue::$one($write(self)) }
        }
        impl FromAttr for Vec<$ty> {
            fn from_attr(value: &AttrValue) -> Option<Self> {
                match value {
                    AttrValue::List(AttrList::Empty) => Some(Vec::new()),
                    AttrValue::List(AttrList::$one(v)) => v.iter().map($read).collect(),
                    _ => None,
                }
            }
            fn to_attr(&self) -> AttrValue {
                AttrValue::List(if self.is_empty() { AttrList::Empty } else { AttrList::$one(self.iter().map($write).collect()) })
            }
        }
    )*};
}

from_attr! {
    i64: I, |v: &i64| Some(*v), |v: &i64| *v;
    f32: F, |v: &f32| Some(*v), |v: &f32| *v;
    bool: B, |v: &bool| Some(*v), |v: &bool| *v;
    Bytes: S, |v: &Bytes| Some(v.clone()), |v: &Bytes| v.clone();
    String: S, |v: &Bytes| String::from_utf8(v.to_vec()).ok(), |v: &String| Bytes::copy_from_slice(v.as_bytes());
    DType: Type, |v: &EdgeType| Some(v.dtype), |v: &DType| v.value();
    PartialShape: Shape, |v: &PartialShape| Some(v.clone()), |v: &PartialShape| v.clone();
    Tensor: Tensor, |v: &Tensor| Some(v.clone()), |v: &Tensor| v.clone();
    Func: Func, |v: &Func| Some(v.clone()), |v: &Func| v.clone();
}

/// Decodes the attr that is next in `specs`; [`attrs!`](crate::attrs) calls it for every field.
///
/// # Errors
/// `INVALID_ARGUMENT` if it is missing without a default, of another kind, or not allowed.
pub fn read_attr<T: FromAttr>(attrs: &AttrMap, specs: &mut std::slice::Iter<'_, AttrSpec>) -> Result<T> {
    let spec = specs.next().ok_or_else(|| Error::internal("an op has more fields than attrs"))?;
    let found = find_attr(attrs, spec)?;
    T::from_attr(&found).ok_or_else(|| unreadable(&found, spec))
}

#[cold]
fn unreadable(value: &AttrValue, spec: &AttrSpec) -> Error {
    Error::invalid(format!("the attr {} cannot be read", spec.name))
        .attr(spec.name)
        .expected(spec.kind.words())
        .found(value)
}

/// The value of an attr or its default, checked.
fn find_attr<'a>(attrs: &'a AttrMap, spec: &AttrSpec) -> Result<Cow<'a, AttrValue>> {
    let value = match (attrs.get(spec.name), spec.default) {
        (Some(value), _) => Cow::Borrowed(value),
        (None, Some(default)) => Cow::Owned(default.value()),
        (None, None) => {
            return Err(Error::invalid(format!("the attr {} is missing", spec.name))
                .attr(spec.name)
                .expected(spec.kind.words()));
        }
    };
    check_attr(&value, spec)?;
    Ok(value)
}

/// Encodes fields as attrs; [`attrs!`](crate::attrs) calls it.
pub fn write_attrs(specs: &[AttrSpec], values: Vec<AttrValue>) -> AttrMap {
    specs.iter().map(|spec| spec.name).zip(values).collect()
}

/// Checks the value of one attr against its spec.
///
/// # Errors
/// `INVALID_ARGUMENT` if it is of another kind, or not allowed.
pub fn check_attr(value: &AttrValue, spec: &AttrSpec) -> Result<()> {
    let wrong = |expected: String| {
        Err(Error::invalid(format!("the attr {} has an invalid value", spec.name))
            .attr(spec.name)
            .expected(expected)
            .found(value))
    };
    if !spec.kind.fits(value) {
        return wrong(spec.kind.words().to_owned());
    }
    let dtype_allowed = |t: &EdgeType| spec.dtypes.is_empty() || spec.dtypes.contains(&t.dtype);
    let dtypes_fit = match value {
        AttrValue::Type(t) => dtype_allowed(t),
        AttrValue::List(AttrList::Type(ts)) => ts.iter().all(dtype_allowed),
        _ => true,
    };
    if !dtypes_fit {
        return wrong(format!("one of {:?}", spec.dtypes));
    }
    let string_allowed = |s: &Bytes| spec.strings.is_empty() || spec.strings.iter().any(|a| a.as_bytes() == &s[..]);
    let strings_fit = match value {
        AttrValue::S(s) => string_allowed(s),
        AttrValue::List(AttrList::S(ss)) => ss.iter().all(string_allowed),
        _ => true,
    };
    if !strings_fit {
        return wrong(format!("one of {:?}", spec.strings));
    }
    match (value, spec.min) {
        (AttrValue::I(v), Some(min)) if *v < min => wrong(format!("at least {min}")),
        (AttrValue::List(list), Some(min)) if (list.len() as i64) < min => wrong(format!("at least {min} elements")),
        _ => Ok(()),
    }
}

/// Declares the struct of an op whose fields are its attrs. The doc comments also document the op and its attrs.
///
/// ```
/// use levada_graph::prelude::*;
///
/// attrs! {
///     /// Repeats `input`.
///     pub struct Tile {
///         /// Element type of the tensor being repeated.
///         dtype: DType = Attr::dtype("T", sets::ANY),
///         /// Element type of `multiples`.
///         index: DType = Attr::dtype("Tmultiples", sets::INDEX).or_type(DType::I32),
///     }
/// }
/// # use levada_graph::op::Attrs as _;
/// let mut attrs = levada_graph::attr::Attrs::new();
/// attrs.set("T", AttrValue::Type(DType::F32.value()));
/// assert_eq!(Tile::decode(&attrs).unwrap().index, DType::I32);
/// assert_eq!(levada_graph::spec::prose(Tile::DOC), "Repeats `input`.");
/// ```
#[macro_export]
macro_rules! attrs {
    ($(#[doc = $doc:expr])* $vis:vis struct $name:ident {
        $($(#[doc = $field_doc:expr])* $field:ident : $ty:ty = $spec:expr),* $(,)?
    }) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug)]
        $vis struct $name { $($(#[doc = $field_doc])* pub $field: $ty),* }

        impl $crate::op::Attrs for $name {
            const DOC: &'static str = concat!($($doc, "\n"),*);
            const ATTRS: &'static [$crate::spec::AttrSpec] =
                &[$($spec.documented(concat!($($field_doc, "\n"),*))),*];
            #[allow(unused_variables, unused_mut)]
            fn decode(attrs: &$crate::attr::Attrs) -> $crate::Result<Self> {
                let mut specs = Self::ATTRS.iter();
                Ok(Self { $($field: $crate::op::read_attr(attrs, &mut specs)?),* })
            }
            fn encode(&self) -> $crate::attr::Attrs {
                $crate::op::write_attrs(Self::ATTRS, vec![$($crate::op::FromAttr::to_attr(&self.$field)),*])
            }
        }
    };
}

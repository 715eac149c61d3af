//! Op specs: the inputs, outputs and attrs of an op, as constants.

use crate::attr::{AttrKind, AttrList, AttrValue};
use crate::dtype::{DType, EdgeType};
use crate::shape::PartialShape;
use bytes::Bytes;

/// The role of an op in placement, compilation and execution, independent of its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Computes outputs from inputs.
    Plain,
    /// A fixed value ([`crate::op::AnyOp::constant`]).
    Const,
    /// Stands for a value that the caller feeds.
    Placeholder,
    /// Passes its data input to one of two outputs; the other is dead.
    Switch,
    /// Passes on the first input that arrives alive.
    Merge,
    /// Takes its input into a child frame.
    Enter,
    /// Takes its input out of a frame.
    Exit,
    /// Takes its input into the next iteration.
    NextIteration,
    /// Decides whether a loop continues.
    LoopCond,
    /// Runs even if its control inputs are dead.
    ControlTrigger,
    /// Sends a tensor to another partition.
    Send,
    /// Receives a tensor from another partition; its output may be dead.
    Recv,
    /// Calls a function; not folded before the run.
    Call,
    /// Parameter of a function.
    Arg,
    /// Result of a function.
    Retval,
}

/// The effect of an op on a resource that other ops may wait on, such as a queue. The resource's handle is among its
/// inputs, or its attrs name the resource.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Act {
    /// Creates it; output 0 is its handle.
    Make,
    /// Puts elements in, which may wake a node that takes; may wait for room.
    Put,
    /// Takes elements; waits until there are enough.
    Take,
    /// Closes it: nodes that wait for elements learn that no more will arrive.
    Close,
}

/// The effect of an op on a store of tensors that lives as long as a step: a tensor array, a stack. The store's handle
/// is input 0, or output 0 of the op that makes the store.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Store {
    /// Makes it. Input 0 is its number of elements.
    Make,
    /// Makes one with as many elements of the same shapes as the store on input 0.
    Like,
    /// Writes this input to it, as an element.
    Put(usize),
    /// Writes the rows of this input to it, which share its memory.
    PutRows(usize),
    /// Returns an element.
    Take,
    /// Returns several elements as one new tensor.
    TakeRows,
}

/// The operations that gradient rules use through operators and methods of a value ([`crate::grad::V`]). An op declares
/// the primitive that it implements, and rules find it by that, not by its name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Primitive {
    /// The sum of two tensors, broadcast together.
    Add,
    /// Their difference.
    Sub,
    /// Their product.
    Mul,
    /// Their quotient.
    Div,
    /// The negative.
    Neg,
    /// The complex conjugate.
    Conj,
    /// Elements converted to another dtype: the attr `DstT`.
    Cast,
    /// A fixed tensor: the attrs `dtype` and `value`.
    Const,
    /// Zeros of a tensor's shape and dtype.
    ZerosLike,
    /// Ones of a tensor's shape and dtype.
    OnesLike,
    /// A tensor's shape.
    Shape,
    /// Its rank.
    Rank,
    /// Its elements in the shape given by the second input.
    Reshape,
    /// The part of a tensor that begins at the second input and has the size of the third.
    Slice,
    /// Elements of the second input where the first is true, else of the third.
    Select,
    /// The sum along the axes in the second input; the attr `keep_dims` keeps them with size 1.
    Sum,
    /// The product along axes.
    Prod,
    /// The axes along which tensors of two shapes are broadcast to each other.
    BroadcastGradientArgs,
}

/// The properties of an op that are the same for all its nodes, attrs aside.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// Name, as in TensorFlow's op list.
    pub name: &'static str,
    /// Inputs in order.
    pub inputs: &'static [Arg],
    /// Outputs in order.
    pub outputs: &'static [Arg],
    /// True if running it twice may differ from running it once; it is then never folded, merged or skipped.
    pub stateful: bool,
    /// Its role in the runtime.
    pub role: Role,
    /// True if its output 0 is always its input 0 and it does nothing else.
    pub forwards: bool,
    /// True if every output is always the input of the same number and it does nothing else.
    pub forwards_all: bool,
    /// True if its outputs may be parts of an input that share its memory.
    pub views: bool,
    /// True if it maps finite real numbers to finite ones. Ops that only move elements also do so for complex numbers;
    /// they need not set this if their outputs are declared as parts of an input.
    pub keeps_finite: bool,
    /// True if an output holds an infinity or a NaN whenever an input does, and a NaN whenever an input holds one.
    pub spreads: bool,
    /// Its effect on a resource that ops wait on.
    pub act: Option<Act>,
    /// Its effect on a store of the step.
    pub store: Option<Store>,
    /// True if it reads only its input's shape and not its elements, so that it is best placed with the input.
    pub metadata: bool,
    /// For an op that mostly computes shapes, loop counters and conditions if its tensors are int32: the attr that
    /// holds their dtype. A device with its own memory leaves such tensors on the host.
    pub counts: Option<&'static str>,
    /// Its effect on variables or its own state, for an op that never waits.
    pub effect: Option<Effect>,
    /// The primitive that it implements for gradient rules.
    pub primitive: Option<Primitive>,
}

/// The effect of a stateful op that never waits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Effect {
    /// Only reads variables.
    Reads,
    /// Changes variables that it is given.
    Changes,
    /// Has its own state, such as a stream of random numbers or a handle.
    Own,
}

impl Spec {
    /// An op without state. Fill in the rest with `..Spec::PURE`.
    pub const PURE: Spec = Spec {
        name: "",
        inputs: &[],
        outputs: &[],
        stateful: false,
        role: Role::Plain,
        forwards: false,
        forwards_all: false,
        views: false,
        keeps_finite: false,
        spreads: false,
        act: None,
        store: None,
        metadata: false,
        counts: None,
        effect: None,
        primitive: None,
    };
    /// An op with state or side effects.
    pub const STATEFUL: Spec = Spec { stateful: true, ..Spec::PURE };
}

/// The dtype of an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ty {
    /// Always this dtype.
    Is(DType),
    /// The value of the attr with this name.
    Of(&'static str),
    /// One argument for each dtype in the list attr with this name.
    Each(&'static str),
}

/// An input or output in a spec.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arg {
    /// Its name.
    pub name: &'static str,
    /// Its dtype.
    pub ty: Ty,
    /// The int attr that holds the number of tensors; `None` for one.
    pub times: Option<&'static str>,
    /// True for a reference to a variable.
    pub is_ref: bool,
}

impl Arg {
    /// Sets the int attr that holds the number of tensors.
    pub const fn times(mut self, attr: &'static str) -> Arg {
        self.times = Some(attr);
        self
    }

    /// Makes it a reference to a variable.
    pub const fn by_ref(mut self) -> Arg {
        self.is_ref = true;
        self
    }
}

/// An argument.
pub const fn arg(name: &'static str, ty: Ty) -> Arg {
    Arg { name, ty, times: None, is_ref: false }
}

/// The dtype in the attr `attr`.
pub const fn of(attr: &'static str) -> Ty {
    Ty::Of(attr)
}

/// Always `dtype`.
pub const fn is(dtype: DType) -> Ty {
    Ty::Is(dtype)
}

/// One argument for each dtype in the list attr `attr`.
pub const fn each(attr: &'static str) -> Ty {
    Ty::Each(attr)
}

/// An attr of an op. Made by the constructors of [`Attr`].
#[derive(Clone, Copy, Debug)]
pub struct AttrSpec {
    /// Its name.
    pub name: &'static str,
    /// The kind of its value.
    pub kind: AttrKind,
    /// The allowed dtypes, for dtypes and lists of them; empty allows all.
    pub dtypes: &'static [DType],
    /// The allowed strings; empty allows all.
    pub strings: &'static [&'static str],
    /// Minimum value of an int, minimum length of a list.
    pub min: Option<i64>,
    /// Value used if the node gives none.
    pub default: Option<AttrDefault>,
    /// Its doc comment, line by line; [`prose`] joins it to text.
    pub doc: &'static str,
}

/// The text of a doc comment: its lines, without their leading space, joined; paragraphs stay separate.
pub fn prose(doc: &str) -> String {
    let lines: Vec<&str> = doc.lines().map(str::trim).collect();
    let paragraphs = lines.split(|line| line.is_empty()).filter(|lines| !lines.is_empty());
    paragraphs.map(|lines| lines.join(" ")).collect::<Vec<_>>().join("\n\n")
}

/// The default of an attr.
#[derive(Clone, Copy, Debug)]
pub enum AttrDefault {
    /// An int.
    Int(i64),
    /// A float.
    Float(f32),
    /// A bool.
    Bool(bool),
    /// A string.
    Str(&'static str),
    /// A dtype.
    Type(DType),
    /// A shape, with -1 for unknown sizes; `None` for an unknown rank.
    Shape(Option<&'static [i64]>),
    /// A list of ints.
    Ints(&'static [i64]),
    /// A list of floats.
    Floats(&'static [f32]),
    /// A list of strings.
    Strs(&'static [&'static str]),
    /// A list of dtypes.
    Types(&'static [DType]),
    /// A vector of uint8.
    Octets(&'static [u8]),
    /// A list without elements.
    Empty,
    /// A function without a name.
    NoFunc,
}

impl AttrDefault {
    /// The default as an attr value.
    pub fn value(self) -> AttrValue {
        match self {
            AttrDefault::Int(v) => AttrValue::I(v),
            AttrDefault::Float(v) => AttrValue::F(v),
            AttrDefault::Bool(v) => AttrValue::B(v),
            AttrDefault::Str(v) => AttrValue::S(Bytes::from_static(v.as_bytes())),
            AttrDefault::Type(v) => AttrValue::Type(v.value()),
            AttrDefault::Shape(None) => AttrValue::Shape(PartialShape::Unknown),
            AttrDefault::Shape(Some(dims)) => AttrValue::Shape(PartialShape::from_signed(dims)),
            AttrDefault::Ints(v) => AttrValue::List(AttrList::I(v.to_vec())),
            AttrDefault::Floats(v) => AttrValue::List(AttrList::F(v.to_vec())),
            AttrDefault::Strs(v) => {
                AttrValue::List(AttrList::S(v.iter().map(|s| Bytes::from_static(s.as_bytes())).collect()))
            }
            AttrDefault::Types(v) => AttrValue::List(AttrList::Type(v.iter().map(|&d| EdgeType::from(d)).collect())),
            AttrDefault::Octets(v) => AttrValue::Tensor(crate::tensor::Tensor::vector(v.to_vec())),
            AttrDefault::Empty => AttrValue::List(AttrList::Empty),
            AttrDefault::NoFunc => AttrValue::Func(crate::attr::Func::default()),
        }
    }
}

/// Constructors of [`AttrSpec`].
pub struct Attr;

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $kind:ident;)*) => {
        $($(#[$doc])* pub const fn $name(name: &'static str) -> AttrSpec { Attr::of(name, AttrKind::$kind) })*
    };
}

impl Attr {
    const fn of(name: &'static str, kind: AttrKind) -> AttrSpec {
        AttrSpec { name, kind, dtypes: &[], strings: &[], min: None, default: None, doc: "" }
    }

    /// A dtype from `allowed`.
    pub const fn dtype(name: &'static str, allowed: &'static [DType]) -> AttrSpec {
        AttrSpec { dtypes: allowed, ..Attr::of(name, AttrKind::Type) }
    }

    /// A list of dtypes from `allowed`.
    pub const fn dtypes(name: &'static str, allowed: &'static [DType]) -> AttrSpec {
        AttrSpec { dtypes: allowed, ..Attr::of(name, AttrKind::ListType) }
    }

    /// A string from `allowed`.
    pub const fn one_of(name: &'static str, allowed: &'static [&'static str]) -> AttrSpec {
        AttrSpec { strings: allowed, ..Attr::of(name, AttrKind::S) }
    }

    kinds! {
        /// Any string.
        string = S;
        /// An int.
        int = I;
        /// A float.
        float = F;
        /// A bool.
        bool = B;
        /// A shape.
        shape = Shape;
        /// A tensor.
        tensor = Tensor;
        /// A function.
        func = Func;
        /// A list of strings.
        strings = ListS;
        /// A list of ints.
        ints = ListI;
        /// A list of floats.
        floats = ListF;
        /// A list of bools.
        bools = ListB;
        /// A list of shapes.
        shapes = ListShape;
        /// A list of tensors.
        tensors = ListTensor;
        /// A list of functions.
        funcs = ListFunc;
    }
}

impl AttrSpec {
    /// Sets the doc comment.
    pub const fn documented(mut self, doc: &'static str) -> AttrSpec {
        self.doc = doc;
        self
    }

    /// Sets the minimum value of an int or the minimum length of a list.
    pub const fn at_least(mut self, min: i64) -> AttrSpec {
        self.min = Some(min);
        self
    }

    /// Sets the value used if the node gives none.
    pub const fn or(mut self, default: AttrDefault) -> AttrSpec {
        self.default = Some(default);
        self
    }

    /// Sets the default dtype.
    pub const fn or_type(self, v: DType) -> AttrSpec {
        self.or(AttrDefault::Type(v))
    }

    /// Sets the default int.
    pub const fn or_int(self, v: i64) -> AttrSpec {
        self.or(AttrDefault::Int(v))
    }

    /// Sets the default float.
    pub const fn or_float(self, v: f32) -> AttrSpec {
        self.or(AttrDefault::Float(v))
    }

    /// Sets the default bool.
    pub const fn or_bool(self, v: bool) -> AttrSpec {
        self.or(AttrDefault::Bool(v))
    }

    /// Sets the default string.
    pub const fn or_str(self, v: &'static str) -> AttrSpec {
        self.or(AttrDefault::Str(v))
    }

    /// Makes an empty list the default.
    pub const fn or_empty(self) -> AttrSpec {
        self.or(AttrDefault::Empty)
    }

    /// Sets the default list of ints.
    pub const fn or_ints(self, v: &'static [i64]) -> AttrSpec {
        self.or(AttrDefault::Ints(v))
    }

    /// Makes an unknown shape the default.
    pub const fn or_unknown_shape(self) -> AttrSpec {
        self.or(AttrDefault::Shape(None))
    }
}

//! What an op is: its inputs, outputs and attrs, as constants that can be read without running anything.

use crate::attr::{AttrKind, AttrList, AttrValue};
use crate::dtype::{DType, EdgeType};
use crate::shape::PartialShape;
use bytes::Bytes;

/// What placing, compiling and executing need to know of an op, whatever its name.
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
    /// Says whether a loop goes on.
    LoopCond,
    /// Runs even where its control inputs are dead.
    ControlTrigger,
    /// Hands a tensor to another partition.
    Send,
    /// Takes a tensor from another partition; its output may be dead.
    Recv,
    /// Runs a function; not folded before the run.
    Call,
    /// Parameter of a function.
    Arg,
    /// Result of a function.
    Retval,
}

/// What an op does to a resource that other ops may wait on, such as a queue. The resource's handle is among
/// its inputs, or its attrs name the resource.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Act {
    /// Creates it; output 0 is its handle.
    Make,
    /// Puts elements in, which may wake a node that takes; may wait for room.
    Put,
    /// Takes elements; waits until there are enough.
    Take,
    /// Closes it: nodes that wait for elements learn that no more will come.
    Close,
}

/// What an op does at a store of tensors that lives as long as a step: a tensor array, a stack. The store's handle is input 0,
/// or output 0 of what makes it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Store {
    /// Makes it. Input 0 says how many elements it may have.
    Make,
    /// Makes one of as many elements as that on input 0 has, of the same shapes.
    Like,
    /// Puts this input into it, as an element.
    Put(usize),
    /// Puts the rows of this input into it, which share its memory.
    PutRows(usize),
    /// Gives an element.
    Take,
    /// Gives several elements as one tensor of its own.
    TakeRows,
}

/// What gradient rules build with by operators and methods of a value ([`crate::grad::V`]). An op says which it is, and
/// rules get it by that, not by its name.
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
    /// Elements as another dtype: the attr `DstT`.
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
    /// Its elements in the shape that the second input says.
    Reshape,
    /// The part of a tensor that begins at the second input and has the size that the third says.
    Slice,
    /// Elements of the second input where the first is true, else of the third.
    Select,
    /// The sum along the axes that the second input says; they stay where the attr `keep_dims` says so.
    Sum,
    /// The product along axes.
    Prod,
    /// The axes along which tensors of two shapes are broadcast to each other.
    BroadcastGradientArgs,
}

/// Everything about an op that is the same for all its nodes, attrs aside.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// Name, as in TensorFlow's op list.
    pub name: &'static str,
    /// Inputs in order.
    pub inputs: &'static [Arg],
    /// Outputs in order.
    pub outputs: &'static [Arg],
    /// True where running it twice may differ from running it once, so it is never folded, merged or skipped.
    pub stateful: bool,
    /// What the machinery does with it.
    pub role: Role,
    /// True where its output 0 always is its input 0, and it does nothing else.
    pub forwards: bool,
    /// True where every output always is the input of the same number, and it does nothing else.
    pub forwards_all: bool,
    /// True where its outputs may be parts of an input that share its memory.
    pub views: bool,
    /// True where it gives finite real numbers for finite ones. What takes its outputs from its inputs without computing does so
    /// for complex numbers too, and need not say it where it is said that its outputs are parts of an input.
    pub keeps_finite: bool,
    /// True where an output holds an infinity or a NaN if any input does, and a NaN if any input holds one.
    pub spreads: bool,
    /// What it does at a resource that ops wait at.
    pub act: Option<Act>,
    /// What it does at a store of the step.
    pub store: Option<Store>,
    /// True where it looks only at its input's shape and not at its elements, so that it best stays where the input is.
    pub metadata: bool,
    /// For an op that mostly computes shapes, loop counters and conditions where its tensors are of int32: the attr that
    /// says their dtype. A device with memory of its own leaves such tensors on the host.
    pub counts: Option<&'static str>,
    /// What it does with variables or with state of its own, for an op that never waits.
    pub effect: Option<Effect>,
    /// What gradient rules build with it.
    pub primitive: Option<Primitive>,
}

/// What a stateful op that never waits does with its state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Effect {
    /// Only reads variables.
    Reads,
    /// Changes variables that it is given.
    Changes,
    /// Has state of its own, such as a stream of random numbers or a handle.
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
    /// Always this one.
    Is(DType),
    /// What the attr of this name says.
    Of(&'static str),
    /// One argument for each dtype in the list attr of this name.
    Each(&'static str),
}

/// An input or output in a spec.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arg {
    /// Its name.
    pub name: &'static str,
    /// Its dtype.
    pub ty: Ty,
    /// The int attr that says how many there are of it; `None` for one.
    pub times: Option<&'static str>,
    /// True for a reference to a variable.
    pub is_ref: bool,
}

impl Arg {
    /// As many as the int attr `attr` says.
    pub const fn times(mut self, attr: &'static str) -> Arg {
        self.times = Some(attr);
        self
    }

    /// A reference to a variable.
    pub const fn by_ref(mut self) -> Arg {
        self.is_ref = true;
        self
    }
}

/// An argument.
pub const fn arg(name: &'static str, ty: Ty) -> Arg {
    Arg { name, ty, times: None, is_ref: false }
}

/// The dtype that attr `attr` says.
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
    /// What its value must be.
    pub kind: AttrKind,
    /// The dtypes allowed, for dtypes and lists of them; empty allows all.
    pub dtypes: &'static [DType],
    /// The strings allowed; empty allows all.
    pub strings: &'static [&'static str],
    /// Least value of an int, least length of a list.
    pub min: Option<i64>,
    /// Value where the node gives none.
    pub default: Option<AttrDefault>,
    /// Its doc comment, a line each; [`prose`] makes text of it.
    pub doc: &'static str,
}

/// The text of a doc comment: lines without the space they begin with, one behind the other; paragraphs stay apart.
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
    /// A shape, with -1 for sizes that are not known; `None` where nothing is known.
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
    /// As an attr value.
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

    /// A dtype out of `allowed`.
    pub const fn dtype(name: &'static str, allowed: &'static [DType]) -> AttrSpec {
        AttrSpec { dtypes: allowed, ..Attr::of(name, AttrKind::Type) }
    }

    /// A list of dtypes out of `allowed`.
    pub const fn dtypes(name: &'static str, allowed: &'static [DType]) -> AttrSpec {
        AttrSpec { dtypes: allowed, ..Attr::of(name, AttrKind::ListType) }
    }

    /// A string out of `allowed`.
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
    /// With this doc comment.
    pub const fn documented(mut self, doc: &'static str) -> AttrSpec {
        self.doc = doc;
        self
    }

    /// Least value of an int, least length of a list.
    pub const fn at_least(mut self, min: i64) -> AttrSpec {
        self.min = Some(min);
        self
    }

    /// The value where the node gives none.
    pub const fn or(mut self, default: AttrDefault) -> AttrSpec {
        self.default = Some(default);
        self
    }

    /// The default dtype.
    pub const fn or_type(self, v: DType) -> AttrSpec {
        self.or(AttrDefault::Type(v))
    }

    /// The default int.
    pub const fn or_int(self, v: i64) -> AttrSpec {
        self.or(AttrDefault::Int(v))
    }

    /// The default float.
    pub const fn or_float(self, v: f32) -> AttrSpec {
        self.or(AttrDefault::Float(v))
    }

    /// The default bool.
    pub const fn or_bool(self, v: bool) -> AttrSpec {
        self.or(AttrDefault::Bool(v))
    }

    /// The default string.
    pub const fn or_str(self, v: &'static str) -> AttrSpec {
        self.or(AttrDefault::Str(v))
    }

    /// An empty list by default.
    pub const fn or_empty(self) -> AttrSpec {
        self.or(AttrDefault::Empty)
    }

    /// The default list of ints.
    pub const fn or_ints(self, v: &'static [i64]) -> AttrSpec {
        self.or(AttrDefault::Ints(v))
    }

    /// Unknown shape by default.
    pub const fn or_unknown_shape(self) -> AttrSpec {
        self.or(AttrDefault::Shape(None))
    }
}

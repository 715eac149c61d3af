//! Programs for graphics processors, as trees that each backend prints in its own language.
//!
//! A program runs in groups of [`Program::group_size`] invocations. All invocations of a group share its
//! [`Program::shared`] arrays. What a group computes must not depend on other groups of the same launch.

use levada_graph::DType;
use std::fmt;
use std::ops;
use std::sync::Arc;

/// What an expression computes with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ty {
    /// True or false.
    Bool,
    /// 32-bit signed integer; wraps.
    I32,
    /// 32-bit unsigned integer; wraps.
    U32,
    /// 64-bit signed integer; wraps. Not every backend supports it.
    I64,
    /// 64-bit unsigned integer; wraps. Not every backend supports it.
    U64,
    /// 32-bit float.
    F32,
    /// 64-bit float. Not every backend supports it.
    F64,
}

impl Ty {
    /// The type that elements of a dtype are computed in; `None` for those that programs do not support.
    pub fn of(dtype: DType) -> Option<Ty> {
        Some(match dtype {
            DType::F32 | DType::F16 | DType::BF16 => Ty::F32,
            DType::F64 => Ty::F64,
            DType::I32 | DType::I16 | DType::I8 => Ty::I32,
            DType::U32 | DType::U16 | DType::U8 => Ty::U32,
            DType::I64 => Ty::I64,
            DType::U64 => Ty::U64,
            DType::Bool => Ty::Bool,
            _ => return None,
        })
    }

    /// True for floats.
    pub fn is_float(self) -> bool {
        matches!(self, Ty::F32 | Ty::F64)
    }

    /// Width in bits; 32 for booleans, which are stored in words.
    pub fn bits(self) -> u32 {
        match self {
            Ty::I64 | Ty::U64 | Ty::F64 => 64,
            _ => 32,
        }
    }
}

/// Functions of one argument.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Un {
    /// `-x`.
    Neg,
    /// `not x`, of a boolean or of every bit of an integer.
    Not,
    /// `|x|`.
    Abs,
    /// `e^x` of a float, like all that follow.
    Exp,
    /// The natural logarithm.
    Log,
    /// The square root.
    Sqrt,
    /// `sin x`.
    Sin,
    /// `cos x`.
    Cos,
    /// `tan x`.
    Tan,
    /// `arcsin x`.
    Asin,
    /// `arccos x`.
    Acos,
    /// `arctan x`.
    Atan,
    /// `tanh x`.
    Tanh,
    /// The largest integer not above `x`.
    Floor,
    /// The smallest integer not below `x`.
    Ceil,
    /// The integer part.
    Trunc,
    /// The nearest integer, ties to the even one.
    Round,
}

/// Functions of two arguments of one type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bin {
    /// `a + b`.
    Add,
    /// `a - b`.
    Sub,
    /// `a * b`.
    Mul,
    /// `a / b`, rounded towards zero for integers, whose divisor must not be 0.
    Div,
    /// The remainder of [`Bin::Div`], with the sign of `a`.
    Rem,
    /// The minimum; undefined if either is NaN.
    Min,
    /// The maximum; undefined if either is NaN.
    Max,
    /// And, of booleans or bitwise.
    And,
    /// Or, of booleans or bitwise.
    Or,
    /// Exclusive or, of booleans or bitwise.
    Xor,
    /// `a` shifted left by `b` bits, `b` below the width.
    Shl,
    /// `a` shifted right by `b` bits, arithmetically for signed types.
    Shr,
    /// `a == b`; a boolean, like all that follow but the last two.
    Eq,
    /// `a != b`.
    Ne,
    /// `a < b`.
    Lt,
    /// `a <= b`.
    Le,
    /// `a` to the power of `b`, `a` at least 0.
    Pow,
    /// The angle of the point (`b`, `a`).
    Atan2,
}

impl Bin {
    /// True for those that return a boolean.
    pub fn compares(self) -> bool {
        matches!(self, Bin::Eq | Bin::Ne | Bin::Lt | Bin::Le)
    }
}

/// A buffer among a program's [`Program::buffers`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Buf(pub usize);

/// An array among a program's [`Program::shared`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shared(pub usize);

/// An expression with its type. Cheap to clone.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct E {
    /// What it computes.
    pub node: Arc<Node>,
    /// Its type.
    pub ty: Ty,
}

/// What an expression computes.
#[derive(PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A value of the expression's type, as bits.
    Const(u64),
    /// A parameter of the launch.
    Param(usize),
    /// A variable.
    Var(usize),
    /// The index of this invocation in its group.
    Local,
    /// The index of the group.
    Group,
    /// The number of groups.
    Groups,
    /// The element of a buffer at an index of type [`Ty::U32`].
    Load(Buf, E),
    /// The element of a shared array at an index of type [`Ty::U32`].
    LoadShared(Shared, E),
    /// A function of one argument.
    Un(Un, E),
    /// A function of two arguments.
    Bin(Bin, E, E),
    /// The second if the first is true, else the third. Both may be computed.
    Select(E, E, E),
    /// A value converted to another type: floats round towards zero and saturate if they do not fit, integers wrap,
    /// `true` is 1; to a boolean: whether it is not 0.
    Cast(E),
    /// The same bits in another type of the same width.
    Bits(E),
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Stmt {
    /// Declares a variable with its initial value.
    Let(usize, E),
    /// Assigns a variable.
    Set(usize, E),
    /// Writes an element of a buffer.
    Store(Buf, E, E),
    /// Writes an element of a shared array.
    StoreShared(Shared, E, E),
    /// Atomically adds to an element of a buffer that is [`Access::Atomic`].
    AtomicAdd(Buf, E, E),
    /// The first statements if the condition holds, else the second.
    If(E, Vec<Stmt>, Vec<Stmt>),
    /// For a variable of type [`Ty::U32`] from a start, below an end, by a step.
    For(usize, E, E, E, Vec<Stmt>),
    /// While the condition holds.
    While(E, Vec<Stmt>),
    /// Waits until every invocation of the group has arrived here. All of them must reach it.
    Barrier,
}

/// What a program does with a buffer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Access {
    /// Only reads it.
    Read,
    /// Writes it, may read it.
    Write,
    /// Adds to its elements by [`Stmt::AtomicAdd`], of dtype float32, int32 or uint32, and nothing else.
    Atomic,
}

/// A program.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Program {
    /// Its name in traces and in the printed source, of letters, digits and `_`.
    pub name: String,
    /// Invocations in a group, at most 256.
    pub group_size: u32,
    /// Dtype and access of the buffers.
    pub buffers: Vec<(DType, Access)>,
    /// Types of the parameters, of 32 bits each.
    pub params: Vec<Ty>,
    /// Types and lengths of the arrays that a group shares, at most 16 KiB in total.
    pub shared: Vec<(Ty, u32)>,
    /// Types of the variables.
    pub vars: Vec<Ty>,
    /// What each invocation does.
    pub body: Vec<Stmt>,
}

impl E {
    fn new(node: Node, ty: Ty) -> E {
        E { node: Arc::new(node), ty }
    }

    /// A constant given as bits.
    pub fn bits(ty: Ty, bits: u64) -> E {
        E::new(Node::Const(bits), ty)
    }

    /// A constant of type `ty`, rounded to it.
    pub fn num(ty: Ty, value: f64) -> E {
        let bits = match ty {
            Ty::Bool => u64::from(value != 0.0),
            Ty::I32 => (value as i32) as u32 as u64,
            Ty::U32 => u64::from(value as u32),
            Ty::I64 => value as i64 as u64,
            Ty::U64 => value as u64,
            Ty::F32 => u64::from((value as f32).to_bits()),
            Ty::F64 => value.to_bits(),
        };
        E::bits(ty, bits)
    }

    /// A constant of [`Ty::U32`].
    pub fn u32(value: u32) -> E {
        E::bits(Ty::U32, u64::from(value))
    }

    /// A constant of [`Ty::I32`].
    pub fn i32(value: i32) -> E {
        E::bits(Ty::I32, u64::from(value as u32))
    }

    /// A constant of [`Ty::F32`].
    pub fn f32(value: f32) -> E {
        E::bits(Ty::F32, u64::from(value.to_bits()))
    }

    /// A constant of [`Ty::Bool`].
    pub fn bool(value: bool) -> E {
        E::bits(Ty::Bool, u64::from(value))
    }

    /// A constant of this expression's type.
    pub fn like(&self, value: f64) -> E {
        E::num(self.ty, value)
    }

    /// A placeholder for input `i` of an expression.
    pub fn input(i: usize, ty: Ty) -> E {
        E::new(Node::Param(i), ty)
    }

    /// The index of this invocation in its group.
    pub fn local() -> E {
        E::new(Node::Local, Ty::U32)
    }

    /// The index of the group.
    pub fn group() -> E {
        E::new(Node::Group, Ty::U32)
    }

    /// The number of groups.
    pub fn groups() -> E {
        E::new(Node::Groups, Ty::U32)
    }

    /// True if a part of it is of this type.
    pub fn uses(&self, ty: Ty) -> bool {
        self.ty == ty
            || match &*self.node {
                Node::Load(_, x) | Node::LoadShared(_, x) | Node::Un(_, x) | Node::Cast(x) | Node::Bits(x) => {
                    x.uses(ty)
                }
                Node::Bin(_, a, b) => a.uses(ty) || b.uses(ty),
                Node::Select(c, a, b) => c.uses(ty) || a.uses(ty) || b.uses(ty),
                Node::Const(_) | Node::Param(_) | Node::Var(_) | Node::Local | Node::Group | Node::Groups => false,
            }
    }

    /// A function of this expression.
    pub fn un(&self, f: Un) -> E {
        E::new(Node::Un(f, self.clone()), self.ty)
    }

    /// A function of this expression and `other`, which is of the same type.
    pub fn bin(&self, f: Bin, other: impl Into<E>) -> E {
        let other = other.into();
        debug_assert!(
            self.ty == other.ty || matches!(f, Bin::Shl | Bin::Shr),
            "{f:?} of {:?} and {:?}",
            self.ty,
            other.ty
        );
        E::new(Node::Bin(f, self.clone(), other), if f.compares() { Ty::Bool } else { self.ty })
    }

    /// `yes` if this is true, else `no`.
    pub fn select(&self, yes: impl Into<E>, no: impl Into<E>) -> E {
        let (yes, no) = (yes.into(), no.into());
        debug_assert!(self.ty == Ty::Bool && yes.ty == no.ty, "{:?} ? {:?} : {:?}", self.ty, yes.ty, no.ty);
        let ty = yes.ty;
        E::new(Node::Select(self.clone(), yes, no), ty)
    }

    /// This value converted to `ty`: [`Node::Cast`].
    pub fn to(&self, ty: Ty) -> E {
        if self.ty == ty { self.clone() } else { E::new(Node::Cast(self.clone()), ty) }
    }

    /// These bits as a `ty` of the same width.
    pub fn as_bits(&self, ty: Ty) -> E {
        if self.ty == ty { self.clone() } else { E::new(Node::Bits(self.clone()), ty) }
    }

    /// `-x`.
    pub fn neg(&self) -> E {
        self.un(Un::Neg)
    }
    /// `|x|`.
    pub fn abs(&self) -> E {
        self.un(Un::Abs)
    }
    /// `e^x`.
    pub fn exp(&self) -> E {
        self.un(Un::Exp)
    }
    /// The natural logarithm.
    pub fn ln(&self) -> E {
        self.un(Un::Log)
    }
    /// The square root.
    pub fn sqrt(&self) -> E {
        self.un(Un::Sqrt)
    }
    /// `floor x`.
    pub fn floor(&self) -> E {
        self.un(Un::Floor)
    }
    /// The minimum; undefined if either is NaN.
    pub fn min(&self, other: impl Into<E>) -> E {
        self.bin(Bin::Min, other)
    }
    /// The maximum; undefined if either is NaN.
    pub fn max(&self, other: impl Into<E>) -> E {
        self.bin(Bin::Max, other)
    }
    /// `a == b`.
    pub fn eq(&self, other: impl Into<E>) -> E {
        self.bin(Bin::Eq, other)
    }
    /// `a != b`.
    pub fn ne(&self, other: impl Into<E>) -> E {
        self.bin(Bin::Ne, other)
    }
    /// `a < b`.
    pub fn lt(&self, other: impl Into<E>) -> E {
        self.bin(Bin::Lt, other)
    }
    /// `a <= b`.
    pub fn le(&self, other: impl Into<E>) -> E {
        self.bin(Bin::Le, other)
    }
    /// `a > b`.
    pub fn gt(&self, other: impl Into<E>) -> E {
        other.into().bin(Bin::Lt, self)
    }
    /// `a >= b`.
    pub fn ge(&self, other: impl Into<E>) -> E {
        other.into().bin(Bin::Le, self)
    }
    /// `a and b`.
    pub fn and(&self, other: impl Into<E>) -> E {
        self.bin(Bin::And, other)
    }
    /// `a or b`.
    pub fn or(&self, other: impl Into<E>) -> E {
        self.bin(Bin::Or, other)
    }

    /// True for NaN. Looks at the bits, since compilers may assume that there are no NaNs.
    pub fn is_nan(&self) -> E {
        match self.ty {
            Ty::F32 => (self.as_bits(Ty::U32) & E::u32(0x7fff_ffff)).gt(E::u32(0x7f80_0000)),
            Ty::F64 => {
                let magnitude = self.as_bits(Ty::U64) & E::bits(Ty::U64, u64::MAX >> 1);
                magnitude.gt(E::bits(Ty::U64, f64::INFINITY.to_bits()))
            }
            _ => E::bool(false),
        }
    }
}

impl From<&E> for E {
    fn from(e: &E) -> E {
        e.clone()
    }
}

impl From<u32> for E {
    fn from(value: u32) -> E {
        E::u32(value)
    }
}

impl From<f32> for E {
    fn from(value: f32) -> E {
        E::f32(value)
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $f:ident;)*) => {$(
        impl<T: Into<E>> ops::$trait<T> for E {
            type Output = E;
            fn $method(self, other: T) -> E {
                self.bin(Bin::$f, other)
            }
        }
        impl<T: Into<E>> ops::$trait<T> for &E {
            type Output = E;
            fn $method(self, other: T) -> E {
                self.bin(Bin::$f, other)
            }
        }
    )*};
}

operators! {
    Add add Add;
    Sub sub Sub;
    Mul mul Mul;
    Div div Div;
    Rem rem Rem;
    BitAnd bitand And;
    BitOr bitor Or;
    BitXor bitxor Xor;
    Shl shl Shl;
    Shr shr Shr;
}

/// Builds a program.
///
/// ```
/// use levada_gpu::ir::{Access, Builder};
/// use levada_graph::DType;
///
/// let mut b = Builder::new("twice");
/// let n = b.param_u32();
/// let x = b.buffer(DType::F32, Access::Read);
/// let y = b.buffer(DType::F32, Access::Write);
/// b.for_each(&n, |b, i| {
///     let v = b.load(x, &i);
///     b.store(y, &i, &v + &v);
/// });
/// assert_eq!(b.finish().buffers.len(), 2);
/// ```
pub struct Builder {
    program: Program,
    /// The open blocks, innermost last.
    blocks: Vec<Vec<Stmt>>,
}

impl Builder {
    /// A program with groups of 256.
    pub fn new(name: impl Into<String>) -> Builder {
        let program = Program {
            name: name.into(),
            group_size: 256,
            buffers: Vec::new(),
            params: Vec::new(),
            shared: Vec::new(),
            vars: Vec::new(),
            body: Vec::new(),
        };
        Builder { program, blocks: vec![Vec::new()] }
    }

    /// Sets the number of invocations in a group.
    pub fn group_size(&mut self, size: u32) {
        self.program.group_size = size;
    }

    /// One more buffer of elements of a dtype that has a [`Ty`].
    pub fn buffer(&mut self, dtype: DType, access: Access) -> Buf {
        self.program.buffers.push((dtype, access));
        Buf(self.program.buffers.len() - 1)
    }

    /// One more parameter of 32 bits.
    pub fn param(&mut self, ty: Ty) -> E {
        self.program.params.push(ty);
        E::new(Node::Param(self.program.params.len() - 1), ty)
    }

    /// One more parameter of [`Ty::U32`].
    pub fn param_u32(&mut self) -> E {
        self.param(Ty::U32)
    }

    /// One more array that a group shares. Its elements are uninitialized.
    pub fn shared(&mut self, ty: Ty, len: u32) -> Shared {
        self.program.shared.push((ty, len));
        Shared(self.program.shared.len() - 1)
    }

    fn var(&mut self, ty: Ty) -> usize {
        self.program.vars.push(ty);
        self.program.vars.len() - 1
    }

    fn push(&mut self, stmt: Stmt) {
        if let Some(block) = self.blocks.last_mut() {
            block.push(stmt);
        }
    }

    /// Computes an expression here, once. Its value can be changed by [`Builder::set`].
    pub fn let_(&mut self, value: impl Into<E>) -> E {
        let value = value.into();
        let (ty, var) = (value.ty, self.var(value.ty));
        self.push(Stmt::Let(var, value));
        E::new(Node::Var(var), ty)
    }

    /// Assigns a variable that [`Builder::let_`] made.
    pub fn set(&mut self, var: &E, value: impl Into<E>) {
        let value = value.into();
        debug_assert_eq!(var.ty, value.ty);
        if let Node::Var(var) = *var.node {
            self.push(Stmt::Set(var, value));
        }
    }

    /// The element of a buffer, read where the expression is used: keep it with [`Builder::let_`] before it is written.
    pub fn load(&self, buffer: Buf, index: impl Into<E>) -> E {
        let ty = self.program.buffers.get(buffer.0).and_then(|b| Ty::of(b.0)).unwrap_or(Ty::F32);
        E::new(Node::Load(buffer, index.into()), ty)
    }

    /// Writes an element of a buffer, rounded to the buffer's dtype.
    pub fn store(&mut self, buffer: Buf, index: impl Into<E>, value: impl Into<E>) {
        self.push(Stmt::Store(buffer, index.into(), value.into()));
    }

    /// Adds to an element of a buffer that other invocations add to at the same time.
    pub fn atomic_add(&mut self, buffer: Buf, index: impl Into<E>, value: impl Into<E>) {
        self.push(Stmt::AtomicAdd(buffer, index.into(), value.into()));
    }

    /// The element of a shared array.
    pub fn load_shared(&self, array: Shared, index: impl Into<E>) -> E {
        let ty = self.program.shared.get(array.0).map_or(Ty::F32, |s| s.0);
        E::new(Node::LoadShared(array, index.into()), ty)
    }

    /// Writes an element of a shared array.
    pub fn store_shared(&mut self, array: Shared, index: impl Into<E>, value: impl Into<E>) {
        self.push(Stmt::StoreShared(array, index.into(), value.into()));
    }

    /// Waits until every invocation of the group has arrived here.
    pub fn barrier(&mut self) {
        self.push(Stmt::Barrier);
    }

    fn open(&mut self) {
        self.blocks.push(Vec::new());
    }

    fn close(&mut self) -> Vec<Stmt> {
        self.blocks.pop().unwrap_or_default()
    }

    /// The statements that `fill` adds, if `condition` holds.
    pub fn if_(&mut self, condition: impl Into<E>, fill: impl FnOnce(&mut Builder)) {
        self.if_else(condition, fill, |_| {});
    }

    /// The statements that `yes` adds if `condition` holds, else those that `no` adds.
    pub fn if_else(&mut self, condition: impl Into<E>, yes: impl FnOnce(&mut Builder), no: impl FnOnce(&mut Builder)) {
        self.open();
        yes(self);
        let then = self.close();
        self.open();
        no(self);
        self.close_if(condition.into(), then);
    }

    fn close_if(&mut self, condition: E, then: Vec<Stmt>) {
        let otherwise = self.close();
        self.push(Stmt::If(condition, then, otherwise));
    }

    /// The statements that `fill` adds, for values from `start`, below `end`, by `step`.
    pub fn for_(
        &mut self,
        start: impl Into<E>,
        end: impl Into<E>,
        step: impl Into<E>,
        fill: impl FnOnce(&mut Builder, E),
    ) {
        let var = self.var(Ty::U32);
        self.open();
        fill(self, E::new(Node::Var(var), Ty::U32));
        self.close_for(var, [start.into(), end.into(), step.into()]);
    }

    fn close_for(&mut self, var: usize, [start, end, step]: [E; 3]) {
        let body = self.close();
        self.push(Stmt::For(var, start, end, step, body));
    }

    /// The statements that `fill` adds, while `condition` holds.
    pub fn while_(&mut self, condition: impl Into<E>, fill: impl FnOnce(&mut Builder)) {
        self.open();
        fill(self);
        let body = self.close();
        self.push(Stmt::While(condition.into(), body));
    }

    /// The statements that `fill` adds, for each index below `count`, distributed over the invocations of all groups;
    /// an invocation handles several if there are fewer invocations.
    pub fn for_each(&mut self, count: &E, fill: impl FnOnce(&mut Builder, E)) {
        let size = self.program.group_size;
        let first = E::group() * size + E::local();
        self.for_(first, count, E::groups() * size, fill);
    }

    /// The program.
    pub fn finish(mut self) -> Program {
        self.program.body = self.blocks.pop().unwrap_or_default();
        self.program
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

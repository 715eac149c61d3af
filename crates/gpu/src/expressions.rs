//! A table of the ops that compute each element from one element of each input: what they compute, as an expression
//! that every backend prints.

use crate::ir::{Bin, E, Ty, Un};
use crate::kernels::dtypes;
use levada_graph::{AnyOp, DType, Error, Result, Shape};
use levada_kernel::def::OpAttrs;
use levada_kernel::{Def, Piecewise};
use levada_ops::types::{
    ABS, ACOS, ACOSH, ADD_N, ADD_V2, APPROXIMATE_EQUAL, ASIN, ASINH, ATAN, ATAN2, ATANH, BITWISE_AND, BITWISE_OR,
    BITWISE_XOR, CAST, CEIL, CLIP_BY_VALUE, COS, COSH, DIV, DIV_NO_NAN, ELU, ELU_GRAD, EQUAL, ERF, ERFC, EXP, EXPM1,
    FLOOR, FLOOR_DIV, FLOOR_MOD, GREATER, GREATER_EQUAL, INVERT, IS_FINITE, IS_INF, IS_NAN, LEAKY_RELU,
    LEAKY_RELU_GRAD, LEFT_SHIFT, LESS, LESS_EQUAL, LOG, LOG1P, LOGICAL_AND, LOGICAL_NOT, LOGICAL_OR, MAXIMUM, MINIMUM,
    MOD, MUL, MUL_NO_NAN, NEG, NOT_EQUAL, ONES_LIKE, POW, REAL_DIV, RECIPROCAL, RECIPROCAL_GRAD, RELU, RELU_GRAD,
    RELU6, RELU6_GRAD, RIGHT_SHIFT, RINT, ROUND, RSQRT, RSQRT_GRAD, SELECT, SELECT_V2, SELU, SELU_GRAD, SIGMOID,
    SIGMOID_GRAD, SIGN, SIN, SINH, SOFTPLUS, SOFTPLUS_GRAD, SOFTSIGN, SOFTSIGN_GRAD, SQRT, SQRT_GRAD, SQUARE,
    SQUARED_DIFFERENCE, SUB, TAN, TANH, TANH_GRAD, TRUNCATE_MOD, XDIVY, XLOG1PY, XLOGY, ZEROS_LIKE,
};
use std::sync::Arc;

/// An op of the table.
pub trait Row: Sync {
    /// Its name.
    fn name(&self) -> &'static str;
    /// All its names.
    fn names(&'static self) -> Vec<&'static str>;
    /// True if there is an expression for a node of the op with these attrs, whose first input has a dtype that is
    /// computed as `first`.
    fn handles(&self, op: &dyn AnyOp, first: Ty) -> bool;
    /// The output from the inputs, each in the type that its dtype is computed in.
    fn build(&self, op: &dyn AnyOp, inputs: &[E]) -> E;
    /// The shapes that the inputs may have.
    fn piecewise(&self, op: &dyn AnyOp) -> Piecewise;
    /// The shapes that the inputs are broadcast from, if they differ from [`Row::piecewise`].
    fn spread(&self) -> Option<Spread> {
        None
    }
    /// True for the sum of any number of inputs.
    fn is_sum(&self) -> bool {
        false
    }
}

/// The shapes that inputs of these shapes are broadcast from; an error if they do not fit each other.
pub type Spread = fn(&[Shape]) -> Result<Vec<Shape>>;

/// A function of `N` elements.
struct Function<A: 'static, const N: usize> {
    def: &'static Def<A>,
    /// The dtypes that its first input may have.
    takes: fn(Ty) -> bool,
    supports: fn(&A) -> bool,
    build: fn(&A, [&E; N]) -> E,
    spread: Option<Spread>,
}

const fn row<A, const N: usize>(
    def: &'static Def<A>,
    takes: fn(Ty) -> bool,
    build: fn(&A, [&E; N]) -> E,
) -> Function<A, N> {
    Function { def, takes, supports: |_| true, build, spread: None }
}

impl<A, const N: usize> Function<A, N> {
    /// With an expression for these attrs only.
    const fn supports(mut self, supports: fn(&A) -> bool) -> Self {
        self.supports = supports;
        self
    }

    /// With inputs that are broadcast from other shapes than their own.
    const fn spread(mut self, spread: Spread) -> Self {
        self.spread = Some(spread);
        self
    }
}

impl<A: OpAttrs, const N: usize> Row for Function<A, N> {
    fn name(&self) -> &'static str {
        self.def.name()
    }
    fn names(&'static self) -> Vec<&'static str> {
        self.def.ops().map(|op| op.spec.name).collect()
    }
    fn handles(&self, op: &dyn AnyOp, first: Ty) -> bool {
        self.def.attrs_of(op).is_some_and(|op| (self.takes)(first) && (self.supports)(op))
    }
    fn build(&self, op: &dyn AnyOp, inputs: &[E]) -> E {
        let inputs: Option<[&E; N]> = inputs.iter().collect::<Vec<_>>().try_into().ok();
        match (self.def.attrs_of(op), inputs) {
            (Some(op), Some(inputs)) => (self.build)(op, inputs),
            _ => E::bool(false),
        }
    }
    fn piecewise(&self, op: &dyn AnyOp) -> Piecewise {
        self.def.attrs_of(op).map_or(Piecewise::No, |op| self.def.pieces(op))
    }
    fn spread(&self) -> Option<Spread> {
        self.spread
    }
}

/// The sum of any number of elements.
struct Sum<A: 'static>(&'static Def<A>);

const fn sum<A>(def: &'static Def<A>) -> Sum<A> {
    Sum(def)
}

impl<A: OpAttrs> Row for Sum<A> {
    fn name(&self) -> &'static str {
        self.0.name()
    }
    fn names(&'static self) -> Vec<&'static str> {
        self.0.ops().map(|op| op.spec.name).collect()
    }
    fn handles(&self, op: &dyn AnyOp, first: Ty) -> bool {
        self.0.attrs_of(op).is_some() && numbers(first)
    }
    fn build(&self, _: &dyn AnyOp, inputs: &[E]) -> E {
        inputs.iter().cloned().reduce(|sum, x| sum + x).unwrap_or_else(|| E::bool(false))
    }
    fn piecewise(&self, op: &dyn AnyOp) -> Piecewise {
        self.0.attrs_of(op).map_or(Piecewise::No, |op| self.0.pieces(op))
    }
    fn is_sum(&self) -> bool {
        true
    }
}

/// What a node computes.
#[derive(Clone)]
pub struct Expression {
    /// The row.
    pub row: &'static dyn Row,
    /// Dtypes of the inputs.
    pub inputs: Vec<DType>,
    /// Dtype of the output.
    pub output: DType,
    op: Arc<dyn AnyOp>,
}

impl Expression {
    /// The output from the inputs.
    pub fn build(&self, inputs: &[E]) -> E {
        let out = self.row.build(&*self.op, inputs);
        // A row may compute in another type than the output's.
        Ty::of(self.output).map_or(out.clone(), |ty| out.to(ty))
    }

    /// Dtypes that a backend must support for it.
    pub fn needs(&self) -> Vec<DType> {
        let mut needs = self.inputs.clone();
        needs.push(self.output);
        let wide = [(Ty::I64, DType::I64), (Ty::U64, DType::U64), (Ty::F64, DType::F64)];
        let built = self.symbolic();
        needs.extend(wide.iter().filter(|(ty, _)| built.uses(*ty)).map(|w| w.1));
        needs
    }

    fn symbolic(&self) -> E {
        let input = |(i, &d): (usize, &DType)| E::input(i, Ty::of(d).unwrap_or(Ty::F32));
        self.build(&self.inputs.iter().enumerate().map(input).collect::<Vec<E>>())
    }

    /// A number that distinguishes expressions of one row with different attrs.
    pub fn key(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        (self.row.name(), &self.inputs, self.output, self.symbolic()).hash(&mut hasher);
        hasher.finish()
    }
    /// The shapes that the inputs may have.
    pub fn piecewise(&self) -> Piecewise {
        self.row.piecewise(&*self.op)
    }
}

/// The expression of a node; `None` for ops that have none with these attrs.
pub fn of(op: &Arc<dyn AnyOp>) -> Option<Expression> {
    let spec = op.spec();
    let inputs = dtypes(op, spec.inputs)?;
    let output = dtypes(op, spec.outputs)?.first().copied()?;
    let first = Ty::of(*inputs.first()?)?;
    let row = ALL.iter().find(|row| row.handles(&**op, first))?;
    let handled = inputs.iter().chain([&output]).all(|&d| Ty::of(d).is_some());
    handled.then(|| Expression { row: *row, inputs, output, op: op.clone() })
}

/// A value rounded to the precision of a dtype, or truncated to its bits, as if it had been stored and loaded.
pub fn narrowed(x: &E, dtype: DType) -> E {
    let cut = |bits: u32| (x << E::u32(bits)) >> E::u32(bits);
    match dtype {
        DType::I16 | DType::U16 => cut(16),
        DType::I8 | DType::U8 => cut(24),
        DType::BF16 => {
            let bits = x.as_bits(Ty::U32);
            let odd = (&bits >> E::u32(16)) & E::u32(1);
            let rounded = (&bits + E::u32(0x7fff) + odd) & E::u32(0xffff_0000);
            x.is_nan().select(x, rounded.as_bits(Ty::F32))
        }
        DType::F16 => {
            let bits = x.as_bits(Ty::U32);
            let (sign, size) = (&bits & E::u32(0x8000_0000), &bits & E::u32(0x7fff_ffff));
            // Below the smallest normal value, all are multiples of the smallest subnormal.
            let tiny = (x.like(2f64.powi(24)) * x).un(Un::Round) * x.like(2f64.powi(-24));
            let odd = (&size >> E::u32(13)) & E::u32(1);
            let rounded = (&size + E::u32(0xfff) + odd) & E::u32(0xffff_e000);
            let finite = rounded.gt(E::u32(0x477f_e000)).select(E::u32(0x7f80_0000), rounded);
            let normal = (sign | finite).as_bits(Ty::F32);
            x.is_nan().select(x, size.lt(E::u32(0x3880_0000)).select(tiny, normal))
        }
        _ => x.clone(),
    }
}

fn any(_: Ty) -> bool {
    true
}
fn numbers(ty: Ty) -> bool {
    ty != Ty::Bool
}
fn floats(ty: Ty) -> bool {
    ty.is_float()
}
fn singles(ty: Ty) -> bool {
    ty == Ty::F32
}
fn integers(ty: Ty) -> bool {
    !ty.is_float() && ty != Ty::Bool
}
fn bools(ty: Ty) -> bool {
    ty == Ty::Bool
}

/// The ops.
pub static ALL: &[&dyn Row] = &[
    &row(&ABS, numbers, |_, [x]| x.abs()),
    &row(&ACOS, floats, |_, [x]| x.un(Un::Acos)),
    &row(&ACOSH, floats, |_, [x]| acosh(x)),
    &sum(&ADD_N),
    &row(&ADD_V2, numbers, |_, [x, y]| x + y),
    &row(&APPROXIMATE_EQUAL, floats, |op, [x, y]| (x - y).abs().lt(x.like(op.tolerance.into()))),
    &row(&ASIN, floats, |_, [x]| x.un(Un::Asin)),
    &row(&ASINH, floats, |_, [x]| with_sign(x, asinh(&x.abs()))),
    &row(&ATAN, floats, |_, [x]| x.un(Un::Atan)),
    &row(&ATAN2, floats, |_, [y, x]| y.bin(Bin::Atan2, x)),
    &row(&ATANH, floats, |_, [x]| with_sign(x, atanh(&x.abs()))),
    &row(&BITWISE_AND, integers, |_, [x, y]| x & y),
    &row(&BITWISE_OR, integers, |_, [x, y]| x | y),
    &row(&BITWISE_XOR, integers, |_, [x, y]| x ^ y),
    &row(&CAST, any, |op, [x]| cast(x, op.to)),
    &row(&CEIL, floats, |_, [x]| x.un(Un::Ceil)),
    &row(&CLIP_BY_VALUE, numbers, |_, [x, low, high]| maximum(&minimum(x, high), low)),
    &row(&COS, floats, |_, [x]| x.un(Un::Cos)),
    &row(&COSH, floats, |_, [x]| cosh(x)),
    &row(&DIV, floats, |_, [x, y]| x / y),
    &row(&DIV_NO_NAN, floats, |_, [x, y]| y.eq(y.like(0.0)).select(x.like(0.0), x / y)),
    &row(&ELU, floats, |_, [x]| x.lt(x.like(0.0)).select(expm1(x), x)),
    &row(&ELU_GRAD, floats, |_, [dy, y]| y.lt(y.like(0.0)).select(dy * (y + y.like(1.0)), dy)),
    &row(&EQUAL, any, |_, [x, y]| x.eq(y)).supports(|op| op.incompatible_shape_error),
    &row(&ERF, singles, |_, [x]| erf(x)),
    &row(&ERFC, singles, |_, [x]| erfc(x)),
    &row(&EXP, floats, |_, [x]| x.exp()),
    &row(&EXPM1, floats, |_, [x]| expm1(x)),
    &row(&FLOOR, floats, |_, [x]| x.floor()),
    &row(&FLOOR_DIV, floats, |_, [x, y]| (x / y).floor()),
    &row(&FLOOR_MOD, floats, |_, [x, y]| {
        let (rest, zero) = (x % y, x.like(0.0));
        let other = rest.lt(&zero) ^ y.lt(&zero);
        (rest.ne(zero) & other).select(&rest + y, rest)
    }),
    &row(&GREATER, numbers, |_, [x, y]| x.gt(y)),
    &row(&GREATER_EQUAL, numbers, |_, [x, y]| x.ge(y)),
    &row(&INVERT, integers, |_, [x]| x.un(Un::Not)),
    &row(&IS_FINITE, floats, |_, [x]| x.abs().lt(x.like(f64::INFINITY)) & not(&x.is_nan())),
    &row(&IS_INF, floats, |_, [x]| x.abs().eq(x.like(f64::INFINITY))),
    &row(&IS_NAN, floats, |_, [x]| x.is_nan()),
    &row(&LEAKY_RELU, floats, |op, [x]| x.gt(x.like(0.0)).select(x, x * x.like(op.alpha.into()))),
    &row(&LEAKY_RELU_GRAD, floats, |op, [dy, x]| x.gt(x.like(0.0)).select(dy, dy * dy.like(op.alpha.into()))),
    &row(&LEFT_SHIFT, integers, |op, [x, y]| x << distance(y, op.dtype)),
    &row(&LESS, numbers, |_, [x, y]| x.lt(y)),
    &row(&LESS_EQUAL, numbers, |_, [x, y]| x.le(y)),
    &row(&LOG, floats, |_, [x]| x.ln()),
    &row(&LOG1P, floats, |_, [x]| log1p(x)),
    &row(&LOGICAL_AND, bools, |_, [x, y]| x & y),
    &row(&LOGICAL_NOT, bools, |_, [x]| not(x)),
    &row(&LOGICAL_OR, bools, |_, [x, y]| x | y),
    &row(&MAXIMUM, numbers, |_, [x, y]| maximum(x, y)),
    &row(&MINIMUM, numbers, |_, [x, y]| minimum(x, y)),
    &row(&MOD, floats, |_, [x, y]| x % y),
    &row(&MUL, numbers, |_, [x, y]| x * y),
    &row(&MUL_NO_NAN, floats, |_, [x, y]| y.eq(y.like(0.0)).select(x.like(0.0), x * y)),
    &row(&NEG, numbers, |_, [x]| x.neg()),
    &row(&NOT_EQUAL, any, |_, [x, y]| x.ne(y)).supports(|op| op.incompatible_shape_error),
    &row(&ONES_LIKE, any, |_, [x]| x.like(1.0)),
    &row(&POW, floats, |_, [x, y]| power(x, y)),
    &row(&REAL_DIV, floats, |_, [x, y]| x / y),
    &row(&RECIPROCAL, floats, |_, [x]| x.like(1.0) / x),
    &row(&RECIPROCAL_GRAD, floats, |_, [y, dy]| y.neg() * (y * dy)),
    &row(&RELU, numbers, |_, [x]| x.lt(x.like(0.0)).select(x.like(0.0), x)),
    &row(&RELU6, numbers, |_, [x]| relu6(x)),
    &row(&RELU6_GRAD, numbers, |_, [dy, x]| (x.gt(x.like(0.0)) & x.lt(x.like(6.0))).select(dy, dy.like(0.0))),
    &row(&RELU_GRAD, numbers, |_, [dy, x]| x.gt(x.like(0.0)).select(dy, dy.like(0.0))),
    &row(&RIGHT_SHIFT, integers, |op, [x, y]| x >> distance(y, op.dtype)),
    &row(&RINT, floats, |_, [x]| x.un(Un::Round)),
    &row(&ROUND, floats, |_, [x]| x.un(Un::Round)),
    &row(&RSQRT, floats, |_, [x]| x.like(1.0) / x.sqrt()),
    &row(&RSQRT_GRAD, floats, |_, [y, dy]| y * y * y * dy * y.like(-0.5)),
    &row(&SELECT, bools, |_, [c, x, y]| c.select(x, y)).spread(by_rows),
    &row(&SELECT_V2, bools, |_, [c, x, y]| c.select(x, y)),
    &row(&SELU, floats, |_, [x]| x.lt(x.like(0.0)).select(expm1(x) * x.like(SELU_SCALE_ALPHA), x * x.like(SELU_SCALE))),
    &row(&SELU_GRAD, floats, |_, [dy, y]| {
        y.lt(y.like(0.0)).select(dy * (y + y.like(SELU_SCALE_ALPHA)), dy * y.like(SELU_SCALE))
    }),
    &row(&SIGMOID, floats, |_, [x]| sigmoid(x)),
    &row(&SIGMOID_GRAD, floats, |_, [y, dy]| dy * y * (y.like(1.0) - y)),
    &row(&SIGN, numbers, |_, [x]| sign(x)),
    &row(&SIN, floats, |_, [x]| x.un(Un::Sin)),
    &row(&SINH, floats, |_, [x]| with_sign(x, sinh(&x.abs()))),
    &row(&SOFTPLUS, floats, |_, [x]| maximum(x, &x.like(0.0)) + log1p(&x.abs().neg().exp())),
    &row(&SOFTPLUS_GRAD, floats, |_, [dy, x]| dy * sigmoid(x)),
    &row(&SOFTSIGN, floats, |_, [x]| x / (x.abs() + x.like(1.0))),
    &row(&SOFTSIGN_GRAD, floats, |_, [dy, x]| {
        let d = x.abs() + x.like(1.0);
        dy / (&d * &d)
    }),
    &row(&SQRT, floats, |_, [x]| x.sqrt()),
    &row(&SQRT_GRAD, floats, |_, [y, dy]| dy.eq(dy.like(0.0)).select(dy, dy * y.like(0.5) / y)),
    &row(&SQUARE, numbers, |_, [x]| x * x),
    &row(&SQUARED_DIFFERENCE, numbers, |_, [x, y]| {
        let d = x - y;
        &d * &d
    }),
    &row(&SUB, numbers, |_, [x, y]| x - y),
    &row(&TAN, floats, |_, [x]| x.un(Un::Tan)),
    &row(&TANH, floats, |_, [x]| tanh(x)),
    &row(&TANH_GRAD, floats, |_, [y, dy]| dy * (y.like(1.0) - y * y)),
    &row(&TRUNCATE_MOD, floats, |_, [x, y]| x % y),
    &row(&XDIVY, floats, |_, [x, y]| x.eq(x.like(0.0)).select(x.like(0.0), x / y)),
    &row(&XLOG1PY, floats, |_, [x, y]| x.eq(x.like(0.0)).select(x.like(0.0), x * log1p(y))),
    &row(&XLOGY, floats, |_, [x, y]| x.eq(x.like(0.0)).select(x.like(0.0), x * y.ln())),
    &row(&ZEROS_LIKE, any, |_, [x]| x.like(0.0)),
];

/// The inputs of a `Select`: its condition is a scalar, or it has one element for each element or for each row.
fn by_rows(given: &[Shape]) -> Result<Vec<Shape>> {
    let [condition, t, e] = given else { return Err(Error::internal("a selection has three inputs")) };
    if t != e {
        return Err(Error::invalid(format!("'t' and 'e' must have the same size, but received shapes {t} and {e}")));
    }
    let rows = condition.rank() == 1 && !t.is_scalar() && condition[0] == t[0];
    if !condition.is_scalar() && condition != t && !rows {
        return Err(Error::invalid(format!(
            "'condition' must be a scalar, or have the shape of 't' or one element for each of its rows; condition: \
             {condition}, t: {t}"
        )));
    }
    let column = Shape::new(t.iter().enumerate().map(|(i, &d)| if i == 0 { d } else { 1 }))?;
    let condition = if rows && condition != t { column } else { condition.clone() };
    Ok(vec![condition, t.clone(), e.clone()])
}

const SELU_SCALE: f64 = 1.050_700_987_355_480_5;
const SELU_SCALE_ALPHA: f64 = 1.758_099_340_847_376_9;

/// As the CPU's instructions: values that do not fit the wide type become its minimum, and narrow types take the low
/// bits.
fn cast(x: &E, to: DType) -> E {
    let (to, narrow) = (Ty::of(to).unwrap_or(x.ty), to.size() < 4);
    if !x.ty.is_float() {
        return x.to(to);
    }
    let lowest = |ty: Ty| E::bits(ty, 1 << (ty.bits() - 1));
    let fitting = |x: &E, ty: Ty| x.lt(x.like(2f64.powi(ty.bits() as i32 - 1))).select(x.to(ty), lowest(ty));
    match to {
        Ty::I32 | Ty::I64 => fitting(x, to),
        Ty::U32 if narrow => fitting(x, Ty::I32).to(Ty::U32),
        Ty::U32 => fitting(x, Ty::I64).to(Ty::U32),
        Ty::U64 => {
            let half = x.like(2f64.powi(63));
            let upper = fitting(&(x - &half), Ty::I64).to(Ty::U64) | lowest(Ty::U64);
            x.ge(half).select(upper, fitting(x, Ty::I64).to(Ty::U64))
        }
        Ty::Bool | Ty::F32 | Ty::F64 => x.to(to),
    }
}

/// The number of bits to shift by, clamped to between 0 and one less than the width.
fn distance(y: &E, dtype: DType) -> E {
    let bits = dtype.size() as f64 * 8.0;
    let (zero, most) = (y.like(0.0), y.like(bits - 1.0));
    let y = y.lt(&zero).select(zero, y);
    y.gt(&most).select(most, y).to(Ty::U32)
}

fn not(x: &E) -> E {
    x.un(Un::Not)
}

/// The maximum; NaN if either is NaN.
pub(crate) fn maximum(x: &E, y: &E) -> E {
    x.is_nan().select(x, (y.is_nan() | x.lt(y)).select(y, x))
}

/// The minimum; NaN if either is NaN.
pub(crate) fn minimum(x: &E, y: &E) -> E {
    x.is_nan().select(x, (y.is_nan() | y.lt(x)).select(y, x))
}

fn relu6(x: &E) -> E {
    let six = x.like(6.0);
    let x = x.lt(x.like(0.0)).select(x.like(0.0), x);
    x.gt(&six).select(six, x)
}

fn sign(x: &E) -> E {
    let (zero, one) = (x.like(0.0), x.like(1.0));
    let below = x.lt(&zero).select(one.neg(), zero.clone());
    let sign = x.gt(&zero).select(one, below);
    if x.ty.is_float() { x.is_nan().select(x, sign) } else { sign }
}

/// `1 / (1 + exp(-x))` without overflow.
pub(crate) fn sigmoid(x: &E) -> E {
    let one = x.like(1.0);
    let small = x.abs().neg().exp();
    x.lt(x.like(0.0)).select(&small / (&one + &small), &one / (&one + &small))
}

/// `tanh x`; compilers may compute it from exponentials that overflow.
pub(crate) fn tanh(x: &E) -> E {
    x.abs().gt(x.like(20.0)).select(sign(x), x.is_nan().select(x, x.un(Un::Tanh)))
}

/// `e^x - 1`, after W. Kahan: with `u = e^x`, `(u - 1) x / ln u`.
fn expm1(x: &E) -> E {
    let (zero, one) = (x.like(0.0), x.like(1.0));
    let u = x.exp();
    let v = &u - &one;
    let close = &v * x / u.ln();
    let tiny = u.eq(&one);
    // If `e^x` is 0 or infinite its logarithm is of no help.
    let far = x.abs().gt(x.like(50.0));
    let plain = far.select(&v, close);
    tiny.select(x, plain.eq(&zero).select(&v, plain.clone()))
}

/// `ln(1 + x)`, after W. Kahan: with `u = 1 + x`, `ln u x / (u - 1)`.
fn log1p(x: &E) -> E {
    let one = x.like(1.0);
    let u = x + &one;
    let infinite = u.eq(x.like(f64::INFINITY));
    u.eq(&one).select(x, infinite.select(&u, u.ln() * x / (&u - &one)))
}

/// `magnitude` with the sign of `x`; NaN stays NaN.
fn with_sign(x: &E, magnitude: E) -> E {
    x.lt(x.like(0.0)).select(magnitude.neg(), magnitude)
}

/// For nonnegative values.
fn sinh(x: &E) -> E {
    let (one, half) = (x.like(1.0), x.like(0.5));
    let u = expm1(x);
    let close = (&u + &u / (&u + &one)) * half;
    // Half of `e^x` stays finite longer than `e^x`.
    let far = (x - x.like(std::f64::consts::LN_2)).exp();
    x.gt(x.like(20.0)).select(far, x.lt(x.like(1e-4)).select(x, close))
}

fn cosh(x: &E) -> E {
    let (x, ln2) = (x.abs(), x.like(std::f64::consts::LN_2));
    (&x - &ln2).exp() + (x.neg() - ln2).exp()
}

/// For nonnegative values.
fn asinh(x: &E) -> E {
    let one = x.like(1.0);
    let square = x * x;
    let close = log1p(&(x + &square / (&one + (&square + &one).sqrt())));
    x.gt(x.like(1e8)).select(x.ln() + x.like(std::f64::consts::LN_2), close)
}

fn acosh(x: &E) -> E {
    let above = x - x.like(1.0);
    let close = log1p(&(&above + (&above * &above + &above * x.like(2.0)).sqrt()));
    let inside = x.gt(x.like(1e8)).select(x.ln() + x.like(std::f64::consts::LN_2), close);
    x.lt(x.like(1.0)).select(x.like(f64::NAN), inside)
}

/// For nonnegative values.
fn atanh(x: &E) -> E {
    let one = x.like(1.0);
    let close = log1p(&(x * x.like(2.0) / (&one - x))) * x.like(0.5);
    let edge = x.gt(&one).select(x.like(f64::NAN), x.like(f64::INFINITY));
    x.ge(one).select(edge, close)
}

/// The complementary error function of a nonnegative value, to 7 digits: a Chebyshev fit from Press et al., "Numerical
/// Recipes", 6.2.
fn upper_erfc(x: &E) -> E {
    const FIT: [f64; 10] = [
        0.17087277,
        -0.82215223,
        1.48851587,
        -1.13520398,
        0.27886807,
        -0.18628806,
        0.09678418,
        0.37409196,
        1.00002368,
        -1.26551223,
    ];
    let t = x.like(1.0) / (x.like(1.0) + x * x.like(0.5));
    let fit = FIT[1..].iter().fold(x.like(FIT[0]), |sum, &c| sum * &t + x.like(c));
    &t * (fit - x * x).exp()
}

fn erfc(x: &E) -> E {
    let upper = upper_erfc(&x.abs());
    x.lt(x.like(0.0)).select(x.like(2.0) - &upper, upper)
}

fn erf(x: &E) -> E {
    // The series at 0, which alternates.
    const SERIES: [f64; 7] = [1.0 / 9360.0, -1.0 / 1320.0, 1.0 / 216.0, -1.0 / 42.0, 1.0 / 10.0, -1.0 / 3.0, 1.0];
    let square = x * x;
    let series = SERIES[1..].iter().fold(x.like(SERIES[0]), |sum, &c| sum * &square + x.like(c));
    let near = x * series * x.like(std::f64::consts::FRAC_2_SQRT_PI);
    let far = with_sign(x, x.like(1.0) - upper_erfc(&x.abs()));
    x.abs().lt(x.like(0.5)).select(near, far)
}

/// `x` to the power of `y`, also for negative `x`.
pub(crate) fn power(x: &E, y: &E) -> E {
    let (zero, one) = (x.like(0.0), x.like(1.0));
    let whole = y.un(Un::Trunc).eq(y);
    let half = y * y.like(0.5);
    let odd = &whole & half.un(Un::Trunc).ne(&half);
    let magnitude = x.abs().bin(Bin::Pow, y);
    let signed = odd.select(magnitude.neg(), magnitude.clone());
    let no_number = x.like(f64::NAN);
    let negative = whole.select(signed, x.like(f64::NAN));
    let power = x.lt(&zero).select(negative, magnitude);
    let power = (x.is_nan() | y.is_nan()).select(no_number, power);
    (y.eq(&zero) | x.eq(&one)).select(&one, power)
}

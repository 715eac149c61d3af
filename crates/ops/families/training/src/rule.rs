//! The definition of an optimizer: the inputs of its ops, its formula, and the number types for computing it. Each
//! family of optimizers has a file.

use super::apply::Step;
use half::{bf16, f16};
use levada_graph::spec::{Arg, arg, is, of};
use levada_graph::{Complex32, Complex64, DType, Error, Result};
use levada_ops_core::elementwise::{vector_math as vector, wide_math as wide};
use std::marker::PhantomData;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A number type for computing updates.
pub trait Field:
    Copy
    + PartialEq
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + Send
    + Sync
{
    /// Whether a loop over this type is vectorized.
    const WIDE: bool = false;
    /// 0.
    fn zero() -> Self;
    /// 1.
    fn one() -> Self;
    /// Returns the square root.
    fn sqrt(self) -> Self;
    /// Returns the nearest representable value.
    fn from_f64(value: f64) -> Self;
}

/// Number types with an order.
pub trait Real: Field + PartialOrd {
    /// Returns the absolute value.
    fn abs(self) -> Self;
    /// Raises this to a power.
    fn powf(self, exponent: Self) -> Self;
    /// Returns e to the power of this.
    fn exp(self) -> Self;

    /// -1, 0 or 1.
    #[inline(always)]
    fn sign(self) -> Self {
        if self > Self::zero() {
            Self::one()
        } else if self < Self::zero() {
            -Self::one()
        } else {
            self
        }
    }

    /// Returns the maximum of this and `low`.
    #[inline(always)]
    fn at_least(self, low: Self) -> Self {
        // NaN stays NaN.
        if self < low { low } else { self }
    }

    /// Returns the result of `yes` if this is greater than `other`, else that of `no`. Both may be called.
    #[inline(always)]
    fn if_above(self, other: Self, yes: impl FnOnce() -> Self, no: impl FnOnce() -> Self) -> Self {
        if self > other { yes() } else { no() }
    }

    /// Returns the result of `yes` if this equals `other`, else that of `no`. Both may be called.
    #[inline(always)]
    fn if_equal(self, other: Self, yes: impl FnOnce() -> Self, no: impl FnOnce() -> Self) -> Self {
        if self == other { yes() } else { no() }
    }
}

macro_rules! floats {
    ($($ty:ident: $powf:path, $exp:path;)*) => {$(
        impl Field for $ty {
            const WIDE: bool = true;
            #[inline(always)]
            fn zero() -> $ty { 0.0 }
            #[inline(always)]
            fn one() -> $ty { 1.0 }
            #[inline(always)]
            fn sqrt(self) -> $ty { $ty::sqrt(self) }
            #[inline(always)]
            fn from_f64(value: f64) -> $ty { value as $ty }
        }

        impl Real for $ty {
            #[inline(always)]
            fn abs(self) -> $ty { $ty::abs(self) }
            #[inline(always)]
            fn powf(self, exponent: $ty) -> $ty { $powf(self, exponent) }
            #[inline(always)]
            fn exp(self) -> $ty { $exp(self) }
        }
    )*};
}

floats!(f32: wide::pow, vector::exp; f64: f64::powf, wide::exp;);

/// 16-bit types, rounded after every operation, as in TensorFlow.
macro_rules! halves {
    ($($ty:ident)*) => {$(
        impl Field for $ty {
            #[inline(always)]
            fn zero() -> $ty { $ty::ZERO }
            #[inline(always)]
            fn one() -> $ty { $ty::ONE }
            #[inline(always)]
            fn sqrt(self) -> $ty { $ty::from_f32(self.to_f32().sqrt()) }
            #[inline(always)]
            fn from_f64(value: f64) -> $ty { $ty::from_f64(value) }
        }

        impl Real for $ty {
            #[inline(always)]
            fn abs(self) -> $ty { $ty::from_f32(self.to_f32().abs()) }
            #[inline(always)]
            fn powf(self, exponent: $ty) -> $ty { $ty::from_f32(self.to_f32().powf(exponent.to_f32())) }
            #[inline(always)]
            fn exp(self) -> $ty { $ty::from_f32(self.to_f32().exp()) }
        }
    )*};
}

halves!(f16 bf16);

macro_rules! complex {
    ($($ty:ident $part:ident)*) => {$(
        impl Field for $ty {
            fn zero() -> $ty { $ty::new(0.0, 0.0) }
            fn one() -> $ty { $ty::new(1.0, 0.0) }
            fn sqrt(self) -> $ty { $ty::sqrt(self) }
            fn from_f64(value: f64) -> $ty { $ty::new(value as $part, 0.0) }
        }
    )*};
}

complex!(Complex32 f32 Complex64 f64);

/// An optimizer.
pub trait Rule: 'static {
    /// The properties of the optimizer besides its formula.
    const FACTS: Facts;
}

/// The formula of an optimizer, for the number type `F`.
pub trait Formula<F>: Rule {
    /// Computes the new values of the variable (`v[0]`) and its slots from the gradient and the hyperparameters.
    /// `flag` is the attr named by [`Facts::flag`].
    fn apply(v: &mut [F], g: F, numbers: &[F], flag: bool);
}

/// The properties of an optimizer besides its formula.
#[derive(Clone, Copy)]
pub struct Facts {
    /// Its name.
    pub name: &'static str,
    /// The variable and its slots: the first inputs of its ops.
    pub slots: &'static [&'static str],
    /// The inputs that follow: hyperparameters, and `grad` or `delta` among them. In sparse ops it is `grad`, followed
    /// by `indices`.
    others: &'static [&'static str],
    flag: Flag,
    /// Whether rows without elements are refused.
    pub rows_have_elements: bool,
    /// Whether an out-of-range index prevents the update of all rows.
    pub checks_rows_first: bool,
    checks: Checks,
    /// The value that the last hyperparameter nearly always has, if the formula is simpler for it.
    pub(crate) usual: Option<f64>,
}

/// An attr that selects a variant of an optimizer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Flag {
    /// None.
    None,
    /// `use_nesterov`
    Nesterov,
    /// `update_slots`
    UpdateSlots,
    /// `multiply_linear_by_lr`
    LinearByRate,
}

/// Which ops of an optimizer refuse nonpositive learning rates and negative regularization strengths.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Checks {
    None,
    OfRows,
    All,
}

/// Returns an optimizer with this variable and these slots, whose ops have these other inputs.
pub const fn optimizer(name: &'static str, slots: &'static [&'static str], others: &'static [&'static str]) -> Facts {
    Facts {
        name,
        slots,
        others,
        flag: Flag::None,
        rows_have_elements: false,
        checks_rows_first: false,
        checks: Checks::None,
        usual: None,
    }
}

impl Facts {
    /// Adds an attr that selects the variant.
    pub const fn flag(mut self, flag: Flag) -> Facts {
        self.flag = flag;
        self
    }

    /// Names the value that the last hyperparameter nearly always has.
    pub const fn usually(mut self, value: f64) -> Facts {
        self.usual = Some(value);
        self
    }

    /// Refuses rows without elements.
    pub const fn rows_have_elements(mut self) -> Facts {
        self.rows_have_elements = true;
        self
    }

    /// Changes no row if an index is out of range.
    pub const fn checks_rows_first(mut self) -> Facts {
        self.checks_rows_first = true;
        self
    }

    /// Requires positive learning rates and nonnegative regularization strengths.
    pub const fn checks_numbers(mut self) -> Facts {
        self.checks = Checks::All;
        self
    }

    /// [`Facts::checks_numbers`] for sparse updates only.
    pub const fn checks_numbers_of_rows(mut self) -> Facts {
        self.checks = Checks::OfRows;
        self
    }

    /// Returns whether an op with this number of inputs is a sparse update.
    pub fn is_of_rows(&self, num_inputs: usize) -> bool {
        num_inputs > self.slots.len() + self.others.len()
    }

    /// Returns whether [`Facts::check`] refuses some values.
    pub const fn refuses(&self, rows: bool) -> bool {
        match self.checks {
            Checks::None => false,
            Checks::OfRows => rows,
            Checks::All => true,
        }
    }

    /// Returns the index of the gradient input; the next one holds the row indices in sparse ops.
    pub const fn gradient(&self) -> usize {
        let mut i = 0;
        while !is_gradient(self.others[i]) {
            i += 1;
        }
        self.slots.len() + i
    }

    /// Returns the names of the op's hyperparameters in order, with the indices of their inputs.
    pub fn numbers(&self, rows: bool) -> impl Iterator<Item = (&'static str, usize)> {
        let gradient = self.gradient() - self.slots.len();
        let slots = self.slots.len();
        let numbers = self.others.iter().enumerate().filter(move |(i, _)| *i != gradient);
        numbers.map(move |(i, name)| (*name, slots + i + usize::from(rows && i > gradient)))
    }

    /// Returns the number of hyperparameters.
    pub(crate) const fn num_numbers(&self) -> usize {
        self.others.len() - 1
    }

    /// Returns whether an attr selects a variant.
    pub(crate) const fn has_variant(&self) -> bool {
        !matches!(self.flag, Flag::None)
    }

    /// Returns whether a node's attrs select the variant.
    pub fn variant(&self, op: &Step) -> bool {
        match self.flag {
            Flag::None => false,
            Flag::Nesterov => op.use_nesterov,
            Flag::UpdateSlots => op.update_slots,
            Flag::LinearByRate => op.multiply_linear_by_lr,
        }
    }

    /// Checks the hyperparameters.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for one that is out of range.
    pub fn check(&self, rows: bool, numbers: &[f64]) -> Result<()> {
        if !self.refuses(rows) {
            return Ok(());
        }
        for ((name, _), &value) in self.numbers(rows).zip(numbers) {
            let (holds, what) = match name {
                "lr" => (value > 0.0, "a positive scalar"),
                "l1" | "l2" | "l2_shrinkage" => (value >= 0.0, "a non-negative scalar"),
                "lr_power" => (value <= 0.0, "a non-positive scalar"),
                _ => (true, ""),
            };
            if !holds {
                return Err(Error::invalid(format!("{name} is not {what}: {value}")));
            }
        }
        Ok(())
    }

    /// Returns the attrs of [`Step`] that the optimizer's ops lack.
    pub(crate) const fn lacks(&self, rows: bool) -> &'static [&'static str] {
        match (self.flag, rows) {
            (Flag::None, false) => &["Tindices", "use_nesterov", "update_slots", "multiply_linear_by_lr"],
            (Flag::None, true) => &["use_nesterov", "update_slots", "multiply_linear_by_lr"],
            (Flag::Nesterov, false) => &["Tindices", "update_slots", "multiply_linear_by_lr"],
            (Flag::Nesterov, true) => &["update_slots", "multiply_linear_by_lr"],
            (Flag::UpdateSlots, false) => &["Tindices", "use_nesterov", "multiply_linear_by_lr"],
            (Flag::UpdateSlots, true) => &["use_nesterov", "multiply_linear_by_lr"],
            (Flag::LinearByRate, false) => &["Tindices", "use_nesterov", "update_slots"],
            (Flag::LinearByRate, true) => &["use_nesterov", "update_slots"],
        }
    }
}

/// The inputs of an optimizer's ops: with references or handles, dense or sparse.
pub(crate) struct Inputs<R, const REFERENCES: bool, const ROWS: bool>(PhantomData<R>);

impl<R: Rule, const REFERENCES: bool, const ROWS: bool> Inputs<R, REFERENCES, ROWS> {
    const ARGS: List<Arg> = {
        let mut args = List { items: [arg("", of("T")); MOST], count: 0 };
        let mut i = 0;
        while i < R::FACTS.slots.len() {
            let name = R::FACTS.slots[i];
            args = args.with(if REFERENCES { arg(name, of("T")).by_ref() } else { arg(name, is(DType::Resource)) });
            i += 1;
        }
        i = 0;
        while i < R::FACTS.others.len() {
            let name = R::FACTS.others[i];
            args = match is_gradient(name) {
                true if ROWS => args.with(arg("grad", of("T"))).with(arg("indices", of("Tindices"))),
                false if same(name, "global_step") => args.with(arg(name, is(DType::I64))),
                _ => args.with(arg(name, of("T"))),
            };
            i += 1;
        }
        args
    };

    const CHECKED: List<isize> = {
        let mut checked = List { items: [0; MOST], count: 0 };
        let (gradient, mut i) = (R::FACTS.gradient(), R::FACTS.slots.len());
        while i < Self::ARGS.count && R::FACTS.refuses(ROWS) {
            if i != gradient && !(ROWS && i == gradient + 1) {
                checked = checked.with(i as isize);
            }
            i += 1;
        }
        checked
    };

    /// All of them.
    pub(crate) const ALL: &'static [Arg] = Self::ARGS.items.split_at(Self::ARGS.count).0;

    /// The hyperparameters, for ops that refuse some values: the host checks them.
    pub(crate) const ON_HOST: &'static [isize] = Self::CHECKED.items.split_at(Self::CHECKED.count).0;
}

/// Maximum number of inputs of an op.
pub(crate) const MOST: usize = 12;

/// A list built in constant evaluation.
struct List<T> {
    items: [T; MOST],
    count: usize,
}

impl<T: Copy> List<T> {
    const fn with(mut self, item: T) -> List<T> {
        self.items[self.count] = item;
        self.count += 1;
        self
    }
}

const fn is_gradient(name: &str) -> bool {
    same(name, "grad") || same(name, "delta")
}

const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

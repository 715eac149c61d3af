//! The formulas of the optimizers: what one element of a variable and of its slots becomes.

use half::{bf16, f16};
use levada_graph::{Error, Result};
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// The numbers in which updates are computed.
pub trait Real:
    Copy
    + PartialOrd
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
    /// True where a loop over these numbers becomes vector instructions.
    const WIDE: bool = false;
    /// 0.
    fn zero() -> Self;
    /// 1.
    fn one() -> Self;
    /// The square root.
    fn sqrt(self) -> Self;
    /// The number without its sign.
    fn abs(self) -> Self;
    /// A power.
    fn powf(self, exponent: Self) -> Self;
    /// A power of e.
    fn exp(self) -> Self;
    /// The number nearest to this one.
    fn from_f64(value: f64) -> Self;

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

    /// This or `low`, whichever is greater.
    #[inline(always)]
    fn at_least(self, low: Self) -> Self {
        // Numbers that are none stay so.
        if self < low { low } else { self }
    }

    /// What `yes` gives where this is above `other`, else what `no` gives. Both may be asked.
    #[inline(always)]
    fn if_above(self, other: Self, yes: impl FnOnce() -> Self, no: impl FnOnce() -> Self) -> Self {
        if self > other { yes() } else { no() }
    }

    /// What `yes` gives where this equals `other`, else what `no` gives. Both may be asked.
    #[inline(always)]
    fn if_equal(self, other: Self, yes: impl FnOnce() -> Self, no: impl FnOnce() -> Self) -> Self {
        if self == other { yes() } else { no() }
    }
}

macro_rules! reals {
    ($($ty:ident)*) => {$(
        impl Real for $ty {
            const WIDE: bool = true;
            #[inline(always)]
            fn zero() -> $ty { 0.0 }
            #[inline(always)]
            fn one() -> $ty { 1.0 }
            #[inline(always)]
            fn sqrt(self) -> $ty { $ty::sqrt(self) }
            #[inline(always)]
            fn abs(self) -> $ty { $ty::abs(self) }
            #[inline(always)]
            fn powf(self, exponent: $ty) -> $ty { $ty::powf(self, exponent) }
            #[inline(always)]
            fn exp(self) -> $ty { $ty::exp(self) }
            #[inline(always)]
            fn from_f64(value: f64) -> $ty { value as $ty }
        }
    )*};
}

reals!(f32 f64);

/// Numbers of 16 bits, which are rounded after every operation, as in TensorFlow.
macro_rules! halves {
    ($($ty:ident)*) => {$(
        impl Real for $ty {
            #[inline(always)]
            fn zero() -> $ty { $ty::ZERO }
            #[inline(always)]
            fn one() -> $ty { $ty::ONE }
            #[inline(always)]
            fn sqrt(self) -> $ty { $ty::from_f32(self.to_f32().sqrt()) }
            #[inline(always)]
            fn abs(self) -> $ty { $ty::from_f32(self.to_f32().abs()) }
            #[inline(always)]
            fn powf(self, exponent: $ty) -> $ty { $ty::from_f32(self.to_f32().powf(exponent.to_f32())) }
            #[inline(always)]
            fn exp(self) -> $ty { $ty::from_f32(self.to_f32().exp()) }
            #[inline(always)]
            fn from_f64(value: f64) -> $ty { $ty::from_f64(value) }
        }
    )*};
}

halves!(f16 bf16);

/// An optimizer.
pub trait Rule: 'static {
    /// Names of the numbers it takes, as its ops' inputs are called.
    const HYPER: &'static [&'static str];
    /// True where rows without elements are refused.
    const ROWS_HAVE_ELEMENTS: bool = false;
    /// True where no row changes when one of them is out of range.
    const CHECKS_ROWS_FIRST: bool = false;
    /// True where rates must be above 0 and penalties must not be negative.
    const CHECKS_NUMBERS: bool = false;

    /// The new values of the variable (`v[0]`) and its slots, from the gradient and those numbers. `flag` is the op's own
    /// attr, such as `use_nesterov`.
    fn apply<F: Real>(v: &mut [F], g: F, h: &[F], flag: bool);

    /// Checks the numbers.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for one that is out of range.
    fn check(h: &[f64]) -> Result<()> {
        if !Self::CHECKS_NUMBERS {
            return Ok(());
        }
        for (&name, &value) in Self::HYPER.iter().zip(h) {
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
}

macro_rules! rules {
    ($($(#[doc = $doc:literal])* $name:ident [$($hyper:literal),*] $({$($consts:tt)*})? |$v:ident, $g:ident, [$($h:ident),*], $flag:pat_param| $body:block)*) => {$(
        $(#[doc = $doc])*
        pub struct $name;

        impl Rule for $name {
            const HYPER: &'static [&'static str] = &[$($hyper),*];
            $($($consts)*)?

            #[inline(always)]
            fn apply<F: Real>($v: &mut [F], $g: F, h: &[F], $flag: bool) {
                let &[$($h),*] = h else { return };
                $body
            }
        }
    )*};
}

/// `x` moved towards 0 by `by`, not past it.
#[inline(always)]
fn shrink<F: Real>(x: F, by: F) -> F {
    x.sign() * (x.abs() - by).at_least(F::zero())
}

/// A step to `at` with the penalties `l1` and `l2`.
#[inline(always)]
fn proximal<F: Real>(at: F, rate: F, l1: F, l2: F) -> F {
    let at = l1.if_above(F::zero(), || shrink(at, rate * l1), || at);
    at / (F::one() + l2 * rate)
}

/// `x` to the power of `-power`, which is nearly always -1/2.
#[inline(always)]
fn root<F: Real>(x: F, power: F) -> F {
    power.if_equal(F::from_f64(-0.5), || x.sqrt(), || x.powf(-power))
}

/// "Follow the regularized leader" (McMahan et al., KDD 2013); `v` is the variable, the squares' sum, the linear term.
#[inline(always)]
fn ftrl<F: Real>(v: &mut [F], g: F, lr: F, [l1, l2, shrinkage, power]: [F; 4], linear_by_lr: bool) {
    let two = F::one() + F::one();
    let new = v[1] + g * g;
    let g = g + two * shrinkage * v[0];
    let (before, after) = (root(v[1], power), root(new, power));
    if linear_by_lr {
        v[2] += g * lr - (after - before) * v[0];
        let l1 = l1 * lr;
        let linear = v[2];
        v[0] = linear.abs().if_above(l1, || (linear.sign() * l1 - linear) / (after + two * l2 * lr), F::zero);
    } else {
        v[2] += g - (after - before) / lr * v[0];
        let linear = v[2];
        v[0] = linear.abs().if_above(l1, || (linear.sign() * l1 - linear) / (after / lr + two * l2), F::zero);
    }
    v[1] = new;
}

/// The moments of Adam (Kingma and Ba, ICLR 2015).
#[inline(always)]
fn moments<F: Real>(v: &mut [F], g: F, beta1: F, beta2: F) {
    let (m, s) = (v[1], v[2]);
    v[1] = m + (g - m) * (F::one() - beta1);
    v[2] = s + (g * g - s) * (F::one() - beta2);
}

rules! {
    GradientDescent ["alpha"] |v, g, [alpha], _| {
        v[0] -= g * alpha;
    }
    ProximalGradientDescent ["alpha", "l1", "l2"] {const ROWS_HAVE_ELEMENTS: bool = true;} |v, g, [alpha, l1, l2], _| {
        v[0] = proximal(v[0] - g * alpha, alpha, l1, l2);
    }
    Momentum ["lr", "momentum"] |v, g, [lr, momentum], nesterov| {
        v[1] = v[1] * momentum + g;
        v[0] -= if nesterov { g * lr + v[1] * momentum * lr } else { v[1] * lr };
    }
    KerasMomentum ["lr", "momentum"] |v, g, [lr, momentum], nesterov| {
        v[1] = v[1] * momentum - g * lr;
        v[0] += if nesterov { v[1] * momentum - g * lr } else { v[1] };
    }
    /// Duchi et al., JMLR 2011.
    Adagrad ["lr"] {
        const ROWS_HAVE_ELEMENTS: bool = true;
        const CHECKS_ROWS_FIRST: bool = true;
    } |v, g, [lr], update_slots| {
        if update_slots {
            v[1] += g * g;
        }
        v[0] -= g * lr * (F::one() / v[1].sqrt());
    }
    AdagradV2 ["lr", "epsilon"] {
        const ROWS_HAVE_ELEMENTS: bool = true;
        const CHECKS_ROWS_FIRST: bool = true;
    } |v, g, [lr, epsilon], update_slots| {
        if update_slots {
            v[1] += g * g;
        }
        v[0] -= g * lr / (v[1].sqrt() + epsilon);
    }
    ProximalAdagrad ["lr", "l1", "l2"] {
        const ROWS_HAVE_ELEMENTS: bool = true;
        const CHECKS_NUMBERS: bool = true;
    } |v, g, [lr, l1, l2], _| {
        v[1] += g * g;
        let rate = lr * (F::one() / v[1].sqrt());
        v[0] = proximal(v[0] - g * rate, rate, l1, l2);
    }
    AdagradDA ["lr", "l1", "l2", "global_step"] |v, g, [lr, l1, l2, step], _| {
        v[1] += g;
        v[2] += g * g;
        let sum = v[1];
        let sum = l1.if_above(F::zero(), || shrink(sum, l1 * step), || sum);
        v[0] = -lr * sum / (l2 * step * lr + v[2].sqrt());
    }
    /// [`AdagradDA`] in the order of operations that it has for rows.
    AdagradDARows ["lr", "l1", "l2", "global_step"] {const ROWS_HAVE_ELEMENTS: bool = true;} |v, g, [lr, l1, l2, step], _| {
        v[1] += g;
        v[2] += g * g;
        let sum = v[1];
        let shrunk = || sum.sign() * (sum.abs() / step - l1).at_least(F::zero());
        let mean = l1.if_above(F::zero(), shrunk, || sum / step);
        v[0] = -mean / (l2 + v[2].sqrt() / (step * lr));
    }
    /// Zeiler, 2012.
    Adadelta ["lr", "rho", "epsilon"] {const CHECKS_ROWS_FIRST: bool = true;} |v, g, [lr, rho, epsilon], _| {
        v[1] = v[1] * rho + g * g * (F::one() - rho);
        let update = (v[2] + epsilon).sqrt() * (F::one() / (v[1] + epsilon).sqrt()) * g;
        v[0] -= update * lr;
        v[2] = v[2] * rho + update * update * (F::one() - rho);
    }
    Adam ["beta1_power", "beta2_power", "lr", "beta1", "beta2", "epsilon"]
            |v, g, [power1, power2, lr, beta1, beta2, epsilon], nesterov| {
        let alpha = lr * (F::one() - power2).sqrt() / (F::one() - power1);
        moments(v, g, beta1, beta2);
        let m = if nesterov { g * (F::one() - beta1) + beta1 * v[1] } else { v[1] };
        v[0] -= m * alpha / (v[2].sqrt() + epsilon);
    }
    AdamWithAmsgrad ["beta1_power", "beta2_power", "lr", "beta1", "beta2", "epsilon"]
            |v, g, [power1, power2, lr, beta1, beta2, epsilon], _| {
        let alpha = lr * (F::one() - power2).sqrt() / (F::one() - power1);
        moments(v, g, beta1, beta2);
        v[3] = v[3].at_least(v[2]);
        v[0] -= v[1] * alpha / (v[3].sqrt() + epsilon);
    }
    AdaMax ["beta1_power", "lr", "beta1", "beta2", "epsilon"] |v, g, [power1, lr, beta1, beta2, epsilon], _| {
        v[1] = v[1] + (g - v[1]) * (F::one() - beta1);
        v[2] = (beta2 * v[2]).at_least(g.abs());
        v[0] -= lr / (F::one() - power1) * (v[1] / (v[2] + epsilon));
    }
    RMSProp ["lr", "rho", "momentum", "epsilon"] {const CHECKS_ROWS_FIRST: bool = true;} |v, g, [lr, rho, momentum, epsilon], _| {
        v[1] = v[1] + (g * g - v[1]) * (F::one() - rho);
        v[2] = v[2] * momentum + g * lr * (F::one() / (v[1] + epsilon).sqrt());
        v[0] -= v[2];
    }
    CenteredRMSProp ["lr", "rho", "momentum", "epsilon"] {const CHECKS_ROWS_FIRST: bool = true;} |v, g, [lr, rho, momentum, epsilon], _| {
        v[2] = v[2] + (g * g - v[2]) * (F::one() - rho);
        v[1] = v[1] + (g - v[1]) * (F::one() - rho);
        let spread = v[2] - v[1] * v[1] + epsilon;
        v[3] = v[3] * momentum + g * lr * (F::one() / spread.sqrt());
        v[0] -= v[3];
    }
    Ftrl ["lr", "l1", "l2", "lr_power"] |v, g, [lr, l1, l2, power], linear_by_lr| {
        ftrl(v, g, lr, [l1, l2, F::zero(), power], linear_by_lr);
    }
    FtrlV2 ["lr", "l1", "l2", "l2_shrinkage", "lr_power"] |v, g, [lr, l1, l2, shrinkage, power], linear_by_lr| {
        ftrl(v, g, lr, [l1, l2, shrinkage, power], linear_by_lr);
    }
    FtrlRows ["lr", "l1", "l2", "lr_power"] {
        const ROWS_HAVE_ELEMENTS: bool = true;
        const CHECKS_NUMBERS: bool = true;
    } |v, g, [lr, l1, l2, power], linear_by_lr| {
        ftrl(v, g, lr, [l1, l2, F::zero(), power], linear_by_lr);
    }
    FtrlV2Rows ["lr", "l1", "l2", "l2_shrinkage", "lr_power"] {
        const ROWS_HAVE_ELEMENTS: bool = true;
        const CHECKS_NUMBERS: bool = true;
    } |v, g, [lr, l1, l2, shrinkage, power], linear_by_lr| {
        ftrl(v, g, lr, [l1, l2, shrinkage, power], linear_by_lr);
    }
    /// Bello et al., ICML 2017.
    AddSign ["lr", "alpha", "sign_decay", "beta"] |v, g, [lr, alpha, decay, beta], _| {
        v[1] = v[1] * beta + g * (F::one() - beta);
        v[0] -= lr * (alpha + decay * g.sign() * v[1].sign()) * g;
    }
    /// Bello et al., ICML 2017.
    PowerSign ["lr", "logbase", "sign_decay", "beta"] |v, g, [lr, logbase, decay, beta], _| {
        v[1] = v[1] * beta + g * (F::one() - beta);
        v[0] -= lr * (logbase * decay * g.sign() * v[1].sign()).exp() * g;
    }
}

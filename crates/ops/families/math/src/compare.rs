//! Comparisons by order: `Less`, `LessEqual`, `Greater`, `GreaterEqual`.

use crate::elementwise::Map2;
use crate::prelude::*;

comparison_ops! {
    /// `x < y`.
    Less: sets::REALS, compare_reals;
    /// `x <= y`.
    LessEqual: sets::REALS, compare_reals;
    /// `x > y`.
    Greater: sets::REALS, compare_reals;
    /// `x >= y`.
    GreaterEqual: sets::REALS, compare_reals;
}

macro_rules! comparisons {
    ($($name:ident: $op:tt;)*) => {$(
        impl<T: Real> Map2<T> for $name {
            type Out = bool;
            #[inline(always)]
            fn call(&self, x: T, y: T) -> bool {
                x $op y
            }
        }
    )*};
}

comparisons! {
    Less: <;
    LessEqual: <=;
    Greater: >;
    GreaterEqual: >=;
}

//! Definitions of element-wise ops, and functions of elements for several types.

use crate::prelude::*;

attrs! {
    /// The attrs of element-wise functions.
    pub struct Elementwise {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

/// The CPU kernel of such an op.
pub type Compute = fn(&Elementwise, &mut Cx<'_, '_>) -> Result<()>;

/// Attrs of functions of all numeric types.
pub const NUMBERS: &[AttrSpec] = &[Attr::dtype("T", sets::NUMBERS)];
/// Attrs of functions of real types.
pub const REALS: &[AttrSpec] = &[Attr::dtype("T", sets::REALS)];
/// Attrs of functions of integer types.
pub const INTEGERS: &[AttrSpec] = &[Attr::dtype("T", sets::INTEGERS)];
/// Attrs of functions of floating-point types.
pub const FLOATS: &[AttrSpec] = &[Attr::dtype("T", sets::FLOATS)];
/// Attrs of functions of floating-point and complex types.
pub const FLOATS_COMPLEX: &[AttrSpec] = &[Attr::dtype("T", sets::FLOATS_COMPLEX)];

const X: &[Arg] = &[arg("x", of("T"))];
const Y: &[Arg] = &[arg("y", of("T"))];
const XY: &[Arg] = &[arg("x", of("T")), arg("y", of("T"))];
const Z: &[Arg] = &[arg("z", of("T"))];
const BOOLS: &[Arg] = &[arg("z", is(DType::Bool))];

/// Returns the definition of a function of one element that returns the same type.
pub const fn unary(name: &'static str, attrs: &'static [AttrSpec], kernel: Compute) -> Def<Elementwise> {
    op(name)
        .attrs(attrs)
        .inputs(X)
        .outputs(Y)
        .shape(same_as_input)
        .batch(elementwise)
        .kernel(kernel)
        .piecewise(|_| Piecewise::Broadcast)
}

/// Returns the definition of a function of two elements of the same type that returns that type; its inputs are
/// broadcast together.
pub const fn binary(name: &'static str, attrs: &'static [AttrSpec], kernel: Compute) -> Def<Elementwise> {
    op(name)
        .attrs(attrs)
        .inputs(XY)
        .outputs(Z)
        .shape(broadcast)
        .batch(elementwise)
        .kernel(kernel)
        .piecewise(|_| Piecewise::Broadcast)
}

/// Returns the definition of a comparison of two elements; its inputs are broadcast together.
pub const fn comparison(name: &'static str, attrs: &'static [AttrSpec], kernel: Compute) -> Def<Elementwise> {
    binary(name, attrs, kernel).outputs(BOOLS)
}

/// The strip kernel of a cheap function of float32.
pub fn basic(op: &Elementwise, basic: Basic) -> Option<Strip> {
    (op.dtype == DType::F32).then_some(Strip::Basic(basic))
}

/// The strip kernel of cheap functions of float32 one after the other: [`Strip::Series`].
pub fn series(op: &Elementwise, first: usize, then: &'static [(Basic, usize)]) -> Option<Strip> {
    (op.dtype == DType::F32).then_some(Strip::Series { first, then })
}

/// The strip kernel of any other function of one float32.
pub fn each(op: &Elementwise, each: fn(&[f32], &mut [f32])) -> Option<Strip> {
    (op.dtype == DType::F32).then_some(Strip::Each(each))
}

/// A function of one element, for several types or for all types of a trait: a value that implements
/// [`Map1`](super::Map1). Add `@ nanoseconds` for functions that are not vectorized, `@ nanoseconds, wide` for
/// expensive ones that are, and `-> type` if the result type differs from the argument type. A body with branches for a
/// few rare elements, which cannot be vectorized, is followed by one without them: `, usually body, unless is_rare`.
///
/// ```
/// use levada_ops_core::elementwise::Map1;
/// use levada_ops_core::map1;
///
/// let root = map1! {
///     [f32, f64] |x| x.sqrt();
///     [i32] @ 2.0 |x| x.isqrt();
/// };
/// assert_eq!((root.call(9.0f32), root.call(10)), (3.0, 3));
/// ```
#[macro_export]
macro_rules! map1 {
    (@types [$ty:ident: $bound:path], $nanos:tt, $x:ident, $out:tt, $body:expr, $usual:tt) => {
        $crate::map1!(@one [<$ty: $bound>], $ty, $nanos, $x, $out, $body, $usual);
    };
    (@types [$($ty:ty),*], $nanos:tt, $x:ident, $out:tt, $body:expr, $usual:tt) => {
        $($crate::map1!(@one [], $ty, $nanos, $x, $out, $body, $usual);)*
    };
    (@one $generic:tt, $ty:ty, $nanos:tt, $x:ident, [], $body:expr, $usual:tt) => {
        $crate::map1!(@one $generic, $ty, $nanos, $x, [$ty], $body, $usual);
    };
    (
        @one [$($generic:tt)*], $ty:ty, [$($nanos:literal $($wide:ident)?)?], $x:ident, [$out:ty], $body:expr,
        [$($usual:expr, $is_rare:expr)?]
    ) => {
        impl $($generic)* $crate::elementwise::Map1<$ty> for Function {
            type Out = $out;
            $(const NANOS: f64 = $nanos; const WIDE: bool = $crate::map1!(@is_wide $($wide)?);)?
            #[inline(always)]
            #[allow(unused_braces)]
            fn call(&self, $x: $ty) -> $out {
                $body
            }
            $(
                const HAS_RARE: bool = true;
                #[inline(always)]
                fn is_rare(&self, $x: $ty) -> bool {
                    $is_rare
                }
                #[inline(always)]
                fn usual(&self, $x: $ty) -> $out {
                    $usual
                }
            )?
        }
    };
    (@is_wide) => { false };
    (@is_wide wide) => { true };
    ($(
        $types:tt $(@ $nanos:literal $(, $wide:ident)?)? |$x:ident| $(-> $out:ident)? $body:expr
        $(, usually $usual:expr, unless $is_rare:expr)?;
    )*) => {{
        #[derive(Clone, Copy)]
        struct Function;
        $($crate::map1!(
            @types $types, [$($nanos $($wide)?)?], $x, [$($out)?], $body, [$($usual, $is_rare)?]
        );)*
        Function
    }};
}

/// A function of two elements, like [`map1!`]: a value that implements [`Map2`](super::Map2).
#[macro_export]
macro_rules! map2 {
    (@types [$ty:ident: $bound:path], $nanos:tt, $x:ident, $y:ident, $out:tt, $body:expr) => {
        $crate::map2!(@one [<$ty: $bound>], $ty, $nanos, $x, $y, $out, $body);
    };
    (@types [$($ty:ty),*], $nanos:tt, $x:ident, $y:ident, $out:tt, $body:expr) => {
        $($crate::map2!(@one [], $ty, $nanos, $x, $y, $out, $body);)*
    };
    (@one $generic:tt, $ty:ty, $nanos:tt, $x:ident, $y:ident, [], $body:expr) => {
        $crate::map2!(@one $generic, $ty, $nanos, $x, $y, [$ty], $body);
    };
    (@one [$($generic:tt)*], $ty:ty, [$($nanos:literal $($wide:ident)?)?], $x:ident, $y:ident, [$out:ty], $body:expr) => {
        impl $($generic)* $crate::elementwise::Map2<$ty> for Function {
            type Out = $out;
            $(const NANOS: f64 = $nanos; const WIDE: bool = $crate::map1!(@is_wide $($wide)?);)?
            #[inline(always)]
            #[allow(unused_braces)]
            fn call(&self, $x: $ty, $y: $ty) -> $out {
                $body
            }
        }
    };
    ($($types:tt $(@ $nanos:literal $(, $wide:ident)?)? |$x:ident, $y:ident| $(-> $out:ident)? $body:expr;)*) => {{
        #[derive(Clone, Copy)]
        struct Function;
        $($crate::map2!(@types $types, [$($nanos $($wide)?)?], $x, $y, [$($out)?], $body);)*
        Function
    }};
}

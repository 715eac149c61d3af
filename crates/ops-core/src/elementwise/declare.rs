//! Macros that declare families of elementwise ops, which differ in their name and their function only.

/// Ops of two inputs of one dtype, broadcast together, with an output of that dtype:
/// `Name(x, y) -> z: dtypes, runner dtypes_of_the_runner, check`. The optional `check` looks at the inputs first.
#[macro_export]
macro_rules! binary_ops {
    ($($(#[doc = $doc:literal])* $name:ident($x:ident, $y:ident) -> $z:ident: $set:expr, $run:ident $group:ident
       $(, $check:expr)?;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Element type.
                dtype: DType = Attr::dtype("T", $set),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[arg(stringify!($x), of("T")), arg(stringify!($y), of("T"))],
                outputs: &[arg(stringify!($z), of("T"))],
                ..Spec::PURE
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                cx.broadcast()
            }
        }

        impl Kernel<Cpu> for $name {
            fn supports(&self) -> bool {
                $crate::elementwise::group::$group.contains(&self.dtype)
            }

            fn piecewise(&self) -> Piecewise {
                Piecewise::Broadcast
            }

            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                $($check(self.dtype, cx)?;)?
                $crate::elementwise::binary::$run(self, self.dtype, cx)
            }
        }
    )*};
}

/// Ops of two inputs of one dtype, broadcast together, with an output of bools: `Name: dtypes, runner`.
#[macro_export]
macro_rules! comparison_ops {
    ($($(#[doc = $doc:literal])* $name:ident: $set:expr, $run:ident;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Element type.
                dtype: DType = Attr::dtype("T", $set),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[arg("x", of("T")), arg("y", of("T"))],
                outputs: &[arg("z", is(DType::Bool))],
                ..Spec::PURE
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                cx.broadcast()
            }
        }

        impl Kernel<Cpu> for $name {
            fn piecewise(&self) -> Piecewise {
                Piecewise::Broadcast
            }

            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                $crate::elementwise::binary::$run(self, self.dtype, cx)
            }
        }
    )*};
}

/// Ops of one input with an output of its dtype: `Name(x) -> y: dtypes, runner dtypes_of_the_runner`.
#[macro_export]
macro_rules! unary_ops {
    ($($(#[doc = $doc:literal])* $name:ident($x:ident) -> $y:ident: $set:expr, $run:ident $group:ident;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Element type.
                dtype: DType = Attr::dtype("T", $set),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[arg(stringify!($x), of("T"))],
                outputs: &[arg(stringify!($y), of("T"))],
                ..Spec::PURE
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                cx.same_as_input(0);
                Ok(())
            }
        }

        impl Kernel<Cpu> for $name {
            fn supports(&self) -> bool {
                $crate::elementwise::group::$group.contains(&self.dtype)
            }

            fn piecewise(&self) -> Piecewise {
                Piecewise::Broadcast
            }

            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                $crate::elementwise::unary::$run(self, self.dtype, cx)
            }
        }
    )*};
}

/// Functions of two elements for several types, by one body. `@ nanoseconds` for those that are not vectorised.
#[macro_export]
macro_rules! map2 {
    ($($name:ident: $types:tt $(@ $nanos:literal)? |$x:ident, $y:ident| $body:expr;)*) => {
        $(map2!(@types $name, $types, [$($nanos)?], $x, $y, $body);)*
    };
    (@types $name:ident, [$($ty:ty),*], $nanos:tt, $x:ident, $y:ident, $body:expr) => {
        $(map2!(@one $name, $ty, $nanos, $x, $y, $body);)*
    };
    (@one $name:ident, $ty:ty, [$($nanos:literal)?], $x:ident, $y:ident, $body:expr) => {
        impl $crate::elementwise::Map2<$ty> for $name {
            type Out = $ty;
            $(const NANOS: f64 = $nanos; const WIDE: bool = false;)?
            #[inline(always)]
            fn call(&self, $x: $ty, $y: $ty) -> $ty {
                $body
            }
        }
    };
}

/// Functions of one element for several types, by one body. `@ nanoseconds` for those that are not vectorised.
#[macro_export]
macro_rules! map1 {
    ($($name:ident: $types:tt $(@ $nanos:literal)? |$x:ident| $body:expr;)*) => {
        $(map1!(@types $name, $types, [$($nanos)?], $x, $body);)*
    };
    (@types $name:ident, [$($ty:ty),*], $nanos:tt, $x:ident, $body:expr) => {
        $(map1!(@one $name, $ty, $nanos, $x, $body);)*
    };
    (@one $name:ident, $ty:ty, [$($nanos:literal)?], $x:ident, $body:expr) => {
        impl $crate::elementwise::Map1<$ty> for $name {
            type Out = $ty;
            $(const NANOS: f64 = $nanos; const WIDE: bool = false;)?
            #[inline(always)]
            fn call(&self, $x: $ty) -> $ty {
                $body
            }
        }
    };
}

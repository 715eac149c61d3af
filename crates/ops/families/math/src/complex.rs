//! Complex numbers and their parts.

use crate::elementwise::{Map1, Map2, binary, unary};
use crate::prelude::*;

const REAL: &[DType] = &[DType::F32, DType::F64];

attrs! {
    /// `real + i * imag`.
    pub struct Complex {
        /// Element type of the parts.
        dtype: DType = Attr::dtype("T", REAL).or_type(DType::F32),
        /// Element type of the output.
        out: DType = Attr::dtype("Tout", sets::COMPLEX).or_type(DType::C64),
    }
}

impl Op for Complex {
    const SPEC: Spec = Spec {
        name: "Complex",
        inputs: &[arg("real", of("T")), arg("imag", of("T"))],
        outputs: &[arg("out", of("Tout"))],
        ..Spec::PURE
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.broadcast()
    }
}

impl<T: num_traits::Float + Sync> Map2<T> for Complex {
    type Out = num_complex::Complex<T>;
    #[inline(always)]
    fn call(&self, re: T, im: T) -> Self::Out {
        num_complex::Complex::new(re, im)
    }
}

impl Kernel<Cpu> for Complex {
    fn supports(&self) -> bool {
        is_part_of(self.dtype, self.out)
    }

    fn piecewise(&self) -> Piecewise {
        Piecewise::Broadcast
    }

    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        match self.dtype {
            DType::F32 => binary::to::<f32, Complex32, _>(self, cx),
            _ => binary::to::<f64, Complex64, _>(self, cx),
        }
    }
}

fn is_part_of(part: DType, whole: DType) -> bool {
    matches!((part, whole), (DType::F32, DType::C64) | (DType::F64, DType::C128))
}

macro_rules! parts {
    ($($(#[doc = $doc:literal])* $name:ident($input:ident) -> $output:ident: |$c:ident| $body:expr;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Element type of the input.
                dtype: DType = Attr::dtype("T", sets::COMPLEX).or_type(DType::C64),
                /// Element type of the output.
                out: DType = Attr::dtype("Tout", REAL).or_type(DType::F32),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[arg(stringify!($input), of("T"))],
                outputs: &[arg(stringify!($output), of("Tout"))],
                ..Spec::PURE
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                cx.same_as_input(0);
                Ok(())
            }
        }

        impl<T: num_traits::Float + Sync> Map1<num_complex::Complex<T>> for $name {
            type Out = T;
            #[inline(always)]
            fn call(&self, $c: num_complex::Complex<T>) -> T {
                $body
            }
        }

        impl Kernel<Cpu> for $name {
            fn supports(&self) -> bool {
                is_part_of(self.out, self.dtype)
            }

            fn piecewise(&self) -> Piecewise {
                Piecewise::Broadcast
            }

            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                match self.dtype {
                    DType::C64 => unary::to::<Complex32, f32, _>(self, cx),
                    _ => unary::to::<Complex64, f64, _>(self, cx),
                }
            }
        }
    )*};
}

parts! {
    /// The angle with the real axis.
    Angle(input) -> output: |c| c.im.atan2(c.re);
    /// The absolute value.
    ComplexAbs(x) -> y: |c| c.re.hypot(c.im);
    /// The imaginary part.
    Imag(input) -> output: |c| c.im;
    /// The real part.
    Real(input) -> output: |c| c.re;
}

attrs! {
    /// The complex conjugate.
    pub struct Conj {
        /// Element type.
        dtype: DType = Attr::dtype("T", &[DType::C64, DType::C128, DType::Variant]).or_type(DType::C64),
    }
}

impl Op for Conj {
    const SPEC: Spec =
        Spec { name: "Conj", inputs: &[arg("input", of("T"))], outputs: &[arg("output", of("T"))], ..Spec::PURE };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.same_as_input(0);
        Ok(())
    }
}

map1! {
    Conj: [Complex32, Complex64] |x| x.conj();
}

impl Kernel<Cpu> for Conj {
    fn supports(&self) -> bool {
        self.dtype.is_complex()
    }

    fn piecewise(&self) -> Piecewise {
        Piecewise::Broadcast
    }

    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        match self.dtype {
            DType::C64 => unary::same::<Complex32, _>(self, cx),
            DType::C128 => unary::same::<Complex64, _>(self, cx),
            other => Err(crate::elementwise::no_kernel(other)),
        }
    }
}

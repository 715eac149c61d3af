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

pub static COMPLEX: Def<Complex> = op("Complex")
    .inputs(&[arg("real", of("T")), arg("imag", of("T"))])
    .outputs(&[arg("out", of("Tout"))])
    .shape(|_, cx| cx.broadcast())
    .kernel(complex)
    .supports(|op| is_part_of(op.dtype, op.out))
    .piecewise(|_| Piecewise::Broadcast);

fn complex(op: &Complex, cx: &mut Cx<'_, '_>) -> Result<()> {
    match op.dtype {
        DType::F32 => binary::to::<f32, Complex32, _>(op, cx),
        _ => binary::to::<f64, Complex64, _>(op, cx),
    }
}

impl<T: num_traits::Float + Sync> Map2<T> for Complex {
    type Out = num_complex::Complex<T>;
    #[inline(always)]
    fn call(&self, re: T, im: T) -> Self::Out {
        num_complex::Complex::new(re, im)
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

pub static CONJ: Def<Conj> = op("Conj")
    .inputs(&[arg("input", of("T"))])
    .outputs(&[arg("output", of("T"))])
    .shape(|_, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .kernel(conj)
    .supports(|op| op.dtype.is_complex())
    .piecewise(|_| Piecewise::Broadcast);

fn conj(op: &Conj, cx: &mut Cx<'_, '_>) -> Result<()> {
    match op.dtype {
        DType::C64 => unary::same::<Complex32, _>(op, cx),
        DType::C128 => unary::same::<Complex64, _>(op, cx),
        other => Err(crate::elementwise::no_kernel(other)),
    }
}

map1! {
    Conj: [Complex32, Complex64] |x| x.conj();
}


//! Complex numbers and their parts.

use super::divide::DIV_NO_NAN;
use super::roots::RECIPROCAL;
use crate::elementwise::{Elementwise, Map1, Map2, binary, unary};
use crate::prelude::*;
use crate::rules::{one, real, two};

const PARTS: &[DType] = &[DType::F32, DType::F64];

attrs! {
    /// `real + i * imag`.
    pub struct Complex {
        /// Element type of the parts.
        dtype: DType = Attr::dtype("T", PARTS).or_type(DType::F32),
        /// Element type of the output.
        out: DType = Attr::dtype("Tout", sets::COMPLEX).or_type(DType::C64),
    }
}

pub static COMPLEX: Def<Complex> = op::<Complex>("Complex")
    .inputs(&[arg("real", of("T")), arg("imag", of("T"))])
    .outputs(&[arg("out", of("Tout"))])
    .shape(broadcast)
    .gradient(|_, g| two(g, |dy, _, _| (real(dy), imaginary(dy))))
    .kernel(|op, cx| match op.dtype {
        DType::F32 => binary::to::<f32, Complex32, _>(&Join, cx),
        _ => binary::to::<f64, Complex64, _>(&Join, cx),
    })
    .supports(|op| is_part_of(op.dtype, op.out))
    .piecewise(|_| Piecewise::Broadcast)
    .batch(elementwise);

#[derive(Clone, Copy)]
struct Join;

impl<T: num_traits::Float> Map2<T> for Join {
    type Out = num_complex::Complex<T>;
    #[inline(always)]
    fn call(&self, re: T, im: T) -> Self::Out {
        num_complex::Complex::new(re, im)
    }
}

fn is_part_of(part: DType, whole: DType) -> bool {
    matches!((part, whole), (DType::F32, DType::C64) | (DType::F64, DType::C128))
}

attrs! {
    /// The attrs of ops that extract a part of a complex number.
    pub struct Part {
        /// Element type of the input.
        dtype: DType = Attr::dtype("T", sets::COMPLEX).or_type(DType::C64),
        /// Element type of the output.
        out: DType = Attr::dtype("Tout", PARTS).or_type(DType::F32),
    }
}

const INPUT: &[Arg] = &[arg("input", of("T"))];
const OUTPUT: &[Arg] = &[arg("output", of("Tout"))];

const fn of_complex(name: &'static str, kernel: fn(&Part, &mut Cx<'_, '_>) -> Result<()>) -> Def<Part> {
    op(name)
        .inputs(INPUT)
        .outputs(OUTPUT)
        .shape(same_as_input)
        .kernel(kernel)
        .supports(|op| is_part_of(op.out, op.dtype))
        .piecewise(|_| Piecewise::Broadcast)
}

/// Computes a real-valued function of complex numbers.
fn compute<F>(op: &Part, cx: &mut Cx<'_, '_>, f: &F) -> Result<()>
where
    F: Map1<Complex32, Out = f32> + Map1<Complex64, Out = f64>,
{
    match op.dtype {
        DType::C64 => unary::to::<Complex32, f32, F>(f, cx),
        _ => unary::to::<Complex64, f64, F>(f, cx),
    }
}

pub static ANGLE: Def<Part> = of_complex("Angle", |op, cx| {
    let f = map1! {
        [Complex32] |c| -> f32 { c.im.atan2(c.re) };
        [Complex64] |c| -> f64 { c.im.atan2(c.re) };
    };
    compute(op, cx, &f)
})
.doc("The argument (phase angle) of a complex number.")
.gradient(|_, g| {
    one(g, |dy, z, _| {
        let inverse = RECIPROCAL.call([complex(imaginary(z), real(z))]);
        -(complex(dy, dy.like(0.0)) * inverse)
    })
})
.batch(elementwise);

/// The absolute value, whose square neither overflows nor vanishes in `f64`.
#[inline(always)]
fn length(c: Complex32) -> f32 {
    let (re, im) = (f64::from(c.re), f64::from(c.im));
    (re * re + im * im).sqrt() as f32
}

pub static COMPLEX_ABS: Def<Part> = of_complex("ComplexAbs", |op, cx| {
    let f = map1! {
        [Complex32] |c| -> f32 { c.re.hypot(c.im) }, usually length(c), unless c.re.is_infinite() | c.im.is_infinite();
        [Complex64] |c| -> f64 { c.re.hypot(c.im) };
    };
    compute(op, cx, &f)
})
.doc("The absolute value of a complex number.")
.inputs(&[arg("x", of("T"))])
.outputs(&[arg("y", of("Tout"))])
.gradient(|_, g| one(g, |dy, z, y| DIV_NO_NAN.call([complex(dy, dy.zeros_like()) * z, complex(y, y.zeros_like())])))
.batch(elementwise);

pub static IMAG: Def<Part> = of_complex("Imag", |op, cx| {
    let f = map1! {
        [Complex32] |c| -> f32 { c.im };
        [Complex64] |c| -> f64 { c.im };
    };
    compute(op, cx, &f)
})
.doc("The imaginary part of a complex number.")
.gradient(|_, g| one(g, |dy, _, _| complex(dy.like(0.0), dy)))
.batch(elementwise);

pub static REAL: Def<Part> = of_complex("Real", |op, cx| {
    let f = map1! {
        [Complex32] |c| -> f32 { c.re };
        [Complex64] |c| -> f64 { c.re };
    };
    compute(op, cx, &f)
})
.doc("The real part of a complex number.")
.gradient(|_, g| one(g, |dy, _, _| complex(dy, dy.like(0.0))))
.batch(elementwise);

/// Adds a [`COMPLEX`] node.
fn complex<'g>(re: V<'g>, im: V<'g>) -> V<'g> {
    let dtype = re.dtype();
    let out = if dtype == DType::F64 { DType::C128 } else { DType::C64 };
    COMPLEX.node(re.cx(), &Complex { dtype, out }, &[re, im])
}

/// The imaginary part of complex numbers.
fn imaginary(z: V<'_>) -> V<'_> {
    let dtype = z.dtype();
    let out = if dtype == DType::C128 { DType::F64 } else { DType::F32 };
    IMAG.node(z.cx(), &Part { dtype, out }, &[z])
}

pub static CONJ: Def<Elementwise> =
    unary("Conj", &[Attr::dtype("T", &[DType::C64, DType::C128, DType::Variant]).or_type(DType::C64)], |op, cx| {
        let conj = map1! {
            [Complex32, Complex64] |x| x.conj();
        };
        match op.dtype {
            DType::C64 => unary::same::<Complex32, _>(&conj, cx),
            DType::C128 => unary::same::<Complex64, _>(&conj, cx),
            _ => conjugate_of_variant(cx),
        }
    })
    .doc("The complex conjugate.")
    .inputs(INPUT)
    .outputs(&[arg("output", of("T"))])
    .primitive(Primitive::Conj)
    .gradient(|_, g| one(g, |dy, _, _| CONJ.call([dy])));

/// No variant type defines a conjugate.
fn conjugate_of_variant(cx: &Cx<'_, '_>) -> Result<()> {
    let first = cx.slice::<levada_graph::Variant>(0)?.first();
    let name = first.and_then(|variant| variant.0.as_ref()).map_or("", |value| value.type_name());
    Err(Error::internal(format!("No unary variant unary_op function found for op CONJ Variant type_name: {name}")))
}

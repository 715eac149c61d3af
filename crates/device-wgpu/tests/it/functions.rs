//! Every function and every conversion on difficult values.

use crate::{device, host, prepare, run};
use levada_gpu::Backend;
use levada_gpu::ir::{Access, Bin, Builder, E, Ty, Un};
use levada_graph::{DType, Tensor};
use std::sync::Arc;

const UNARY: [Un; 17] = [
    Un::Neg,
    Un::Not,
    Un::Abs,
    Un::Exp,
    Un::Log,
    Un::Sqrt,
    Un::Sin,
    Un::Cos,
    Un::Tan,
    Un::Asin,
    Un::Acos,
    Un::Atan,
    Un::Tanh,
    Un::Floor,
    Un::Ceil,
    Un::Trunc,
    Un::Round,
];

const BINARY: [Bin; 18] = [
    Bin::Add,
    Bin::Sub,
    Bin::Mul,
    Bin::Div,
    Bin::Rem,
    Bin::Min,
    Bin::Max,
    Bin::And,
    Bin::Or,
    Bin::Xor,
    Bin::Shl,
    Bin::Shr,
    Bin::Eq,
    Bin::Ne,
    Bin::Lt,
    Bin::Le,
    Bin::Pow,
    Bin::Atan2,
];

const TYPES: [(Ty, DType); 6] = [
    (Ty::F32, DType::F32),
    (Ty::I32, DType::I32),
    (Ty::U32, DType::U32),
    (Ty::I64, DType::I64),
    (Ty::U64, DType::U64),
    (Ty::Bool, DType::Bool),
];

/// Values of a type as words or as pairs of them, and the words' dtype.
fn edges(ty: Ty) -> Tensor {
    match ty {
        Ty::F32 => Tensor::vector(vec![
            0.0f32,
            -0.0,
            0.3,
            -0.3,
            0.5,
            -0.5,
            1.0,
            -1.0,
            1.5,
            -1.5,
            2.5,
            -2.5,
            3.0,
            -3.0,
            7.25,
            -7.25,
            19.5,
            -19.5,
            88.0,
            -88.0,
            1e3,
            -1e3,
            65_504.0,
            65_520.0,
            16_777_216.0,
            -16_777_216.0,
            2_147_483_520.0,
            2_147_483_648.0,
            -2_147_483_648.0,
            4_294_967_040.0,
            4_294_967_296.0,
            9.2e18,
            -9.3e18,
            1.9e19,
            3e38,
            -3e38,
            1e-30,
            -1e-30,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::NAN,
        ]),
        Ty::I32 => Tensor::vector(vec![0i32, 1, -1, 2, 3, -7, 31, 100, -128, 255, 65_535, i32::MAX, i32::MIN]),
        Ty::U32 => Tensor::vector(vec![0u32, 1, 2, 7, 31, 255, 65_535, 1 << 31, u32::MAX]),
        Ty::I64 => Tensor::vector(vec![
            0i64,
            1,
            -1,
            2,
            3,
            -7,
            31,
            63,
            1 << 31,
            1 << 32,
            -(1 << 33),
            (1 << 53) + 1,
            i64::MAX,
            i64::MIN,
        ]),
        Ty::U64 => Tensor::vector(vec![0u64, 1, 2, 7, 31, 63, 1 << 31, 1 << 32, 1 << 63, u64::MAX]),
        _ => Tensor::vector(vec![0u32, 1]),
    }
}

fn devices() -> Option<[Arc<dyn Backend>; 2]> {
    Some([device()?, host()])
}

/// The dtype of elements in which values of a type are stored.
fn kept(ty: Ty) -> DType {
    TYPES.iter().find(|(t, _)| *t == ty).unwrap().1
}

fn word(ty: Ty) -> DType {
    if ty == Ty::Bool { DType::U32 } else { kept(ty) }
}

fn zeros(ty: Ty, len: usize) -> Tensor {
    Tensor::zeros(word(ty), levada_graph::Shape::new([len]).unwrap())
}

/// Values as numbers, or bits for integers.
fn texts(t: &Tensor) -> Vec<(f64, String)> {
    match t.dtype() {
        DType::F32 => t.slice::<f32>().unwrap().iter().map(|v| (f64::from(*v), format!("{v:?}"))).collect(),
        DType::I32 => t.slice::<i32>().unwrap().iter().map(|v| (f64::NAN, v.to_string())).collect(),
        DType::U32 => t.slice::<u32>().unwrap().iter().map(|v| (f64::NAN, v.to_string())).collect(),
        DType::I64 => t.slice::<i64>().unwrap().iter().map(|v| (f64::NAN, v.to_string())).collect(),
        narrow if narrow.size() < 4 => {
            t.bytes().unwrap().chunks(narrow.size()).map(|bits| (f64::NAN, format!("{bits:x?}"))).collect()
        }
        _ => t.slice::<u64>().unwrap().iter().map(|v| (f64::NAN, v.to_string())).collect(),
    }
}

fn same(a: &(f64, String), b: &(f64, String), tolerance: f64) -> bool {
    a.1 == b.1 || (a.0 - b.0).abs() <= tolerance * b.0.abs().max(1e-3) || (a.0.abs() < 2e-38 && b.0.abs() < 2e-38)
}

/// Runs one program for each of `cases` on all of `inputs` together, and reports results that differ.
fn compare(
    what: &str,
    inputs: &[(Ty, Tensor)],
    out: Ty,
    tolerance: f64,
    skip: impl Fn(&[(f64, String)]) -> bool,
    build: impl Fn(&[E]) -> E,
    faults: &mut Vec<String>,
) {
    let Some(backends) = devices() else { return };
    let len = inputs[0].1.num_elements();
    let mut b = Builder::new("function");
    let buffers: Vec<_> = inputs.iter().map(|(ty, _)| b.buffer(kept(*ty), Access::Read)).collect();
    let to = b.buffer(kept(out), Access::Write);
    let n = b.param_u32();
    b.for_each(&n, |b, i| {
        let values: Vec<E> = buffers.iter().map(|&x| b.load(x, &i)).collect();
        b.store(to, &i, build(&values));
    });
    let program = prepare(b.finish());
    let mut given: Vec<Tensor> = inputs.iter().map(|(_, t)| t.clone()).collect();
    given.push(zeros(out, len));
    let results = backends.map(|backend| run(&backend, &program, 1, &given, &[len as u32]));
    let [found, expected] = match results {
        [Ok(found), Ok(expected)] => [texts(&found[inputs.len()]), texts(&expected[inputs.len()])],
        [found, expected] => {
            faults.push(format!("{what}: {:?} {:?}", found.err(), expected.err()));
            return;
        }
    };
    let given: Vec<_> = given.iter().map(texts).collect();
    for i in 0..len {
        let args: Vec<_> = given[..inputs.len()].iter().map(|g| g[i].clone()).collect();
        if !skip(&args) && !same(&found[i], &expected[i], tolerance) {
            let args: Vec<_> = args.iter().map(|a| a.1.as_str()).collect();
            faults.push(format!("{what}({}): {} instead of {}", args.join(", "), found[i].1, expected[i].1));
        }
    }
}

fn none(_: &[(f64, String)]) -> bool {
    false
}

fn has(ty: Ty) -> bool {
    device().is_some_and(|d| d.has(kept(ty)))
}

#[test]
fn functions_of_one_argument() {
    let mut faults = Vec::new();
    for f in UNARY {
        for (ty, _) in TYPES {
            let takes = match f {
                Un::Neg | Un::Abs => ty != Ty::Bool,
                Un::Not => ty != Ty::F32,
                _ => ty == Ty::F32,
            };
            if !takes || !has(ty) {
                continue;
            }
            let exact = matches!(f, Un::Neg | Un::Abs | Un::Floor | Un::Ceil | Un::Trunc | Un::Round);
            let tolerance = if exact { 0.0 } else { 1e-5 };
            let skip = |args: &[(f64, String)]| {
                let x = args[0].0;
                // Drivers reduce large angles inaccurately.
                match f {
                    Un::Sin | Un::Cos | Un::Tan => x.abs() > 100.0 && x.is_finite(),
                    _ => false,
                }
            };
            compare(&format!("{f:?} {ty:?}"), &[(ty, edges(ty))], ty, tolerance, skip, |x| x[0].un(f), &mut faults);
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Every pair of values.
fn pairs(x: &Tensor, y: &Tensor) -> [Tensor; 2] {
    let (n, m) = (x.num_elements(), y.num_elements());
    let take = |t: &Tensor, at: &dyn Fn(usize) -> usize| {
        let bytes = t.bytes().unwrap();
        let size = t.dtype().size();
        let all: Vec<u8> = (0..n * m).flat_map(|i| bytes[at(i) * size..(at(i) + 1) * size].to_vec()).collect();
        Tensor::from_bytes(t.dtype(), levada_graph::Shape::new([n * m]).unwrap(), &all).unwrap()
    };
    [take(x, &|i| i / m), take(y, &|i| i % m)]
}

#[test]
fn functions_of_two_arguments() {
    let mut faults = Vec::new();
    for f in BINARY {
        for (ty, _) in TYPES {
            let float = ty == Ty::F32;
            let takes = match f {
                Bin::And | Bin::Or | Bin::Xor => !float,
                Bin::Shl | Bin::Shr => !float && ty != Ty::Bool,
                Bin::Pow | Bin::Atan2 => float,
                Bin::Eq | Bin::Ne => true,
                _ => ty != Ty::Bool,
            };
            if !takes || !has(ty) {
                continue;
            }
            let shifts = matches!(f, Bin::Shl | Bin::Shr);
            let other = if shifts { Ty::U32 } else { ty };
            let second = if shifts { Tensor::vector(vec![0u32, 1, 5, 31]) } else { edges(ty) };
            let [x, y] = pairs(&edges(ty), &second);
            let tolerance = match f {
                Bin::Pow => 1e-4,
                Bin::Atan2 => 1e-5,
                Bin::Div => 1e-6,
                _ => 0.0,
            };
            let skip = |args: &[(f64, String)]| {
                let (x, y) = (args[0].0, args[1].0);
                let no_number = float && (x.is_nan() || y.is_nan());
                match f {
                    Bin::Min | Bin::Max => no_number,
                    Bin::Pow => args[0].1.starts_with('-'),
                    Bin::Rem if float => false,
                    Bin::Div if float => y.abs() > 1e30,
                    Bin::Div | Bin::Rem => args[1].1 == "0" || (args[0].1.starts_with("-") && args[1].1 == "-1"),
                    _ => false,
                }
            };
            let out = if f.compares() { Ty::Bool } else { ty };
            let inputs = [(ty, x), (other, y)];
            compare(&format!("{f:?} {ty:?}"), &inputs, out, tolerance, skip, |x| x[0].bin(f, &x[1]), &mut faults);
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn conversions() {
    let mut faults = Vec::new();
    for (from, _) in TYPES {
        for (to, _) in TYPES {
            if !has(from) || !has(to) {
                continue;
            }
            let what = format!("{from:?} to {to:?}");
            compare(&what, &[(from, edges(from))], to, 1e-7, none, |x| x[0].to(to), &mut faults);
            if from != Ty::Bool && to != Ty::Bool && from.bits() == to.bits() {
                let what = format!("bits of {from:?} as {to:?}");
                let skip = |args: &[(f64, String)]| args[0].1.contains("NaN");
                let x = edges(if to == Ty::F32 { Ty::F32 } else { from });
                if x.dtype() == kept(from) {
                    compare(&what, &[(from, x)], to, 0.0, skip, |x| x[0].as_bits(to), &mut faults);
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn narrow_elements_are_rounded_as_on_the_host() {
    let Some(backends) = devices() else { return };
    let floats: Vec<f32> = (0..4_096u32)
        .map(|i| f32::from_bits(i.wrapping_mul(0x9e37_79b9)))
        .chain([65_519.9, 65_520.0, 6e-8, 2.9e-8, 3.0e-8, 1e-5, -1e-7, f32::INFINITY, -0.0])
        .collect();
    let words: Vec<u32> = (0..4_096u32).map(|i| i.wrapping_mul(0x9e37_79b9)).collect();
    let mut faults = Vec::new();
    for (dtype, given) in [
        (DType::F16, Tensor::vector(floats.clone())),
        (DType::BF16, Tensor::vector(floats)),
        (DType::U8, Tensor::vector(words.clone())),
        (DType::U16, Tensor::vector(words.clone())),
        (DType::I8, Tensor::vector(words.iter().map(|w| *w as i32).collect())),
        (DType::I16, Tensor::vector(words.iter().map(|w| *w as i32).collect())),
    ] {
        let wide = Ty::of(dtype).unwrap();
        let mut b = Builder::new("narrow");
        let x = b.buffer(kept(wide), Access::Read);
        let y = b.buffer(dtype, Access::Write);
        let n = b.param_u32();
        b.for_each(&n, |b, i| {
            let value = b.load(x, &i);
            b.store(y, &i, value);
        });
        let program = prepare(b.finish());
        let len = given.num_elements();
        // If elements are stored in words, a word holds the rounded value.
        let in_words = backends[0].language().element_size(dtype) == Some(4);
        let to = if in_words { zeros(wide, len) } else { Tensor::zeros(dtype, given.shape().clone()) };
        let given = [given, to];
        let [found, expected] =
            backends.each_ref().map(|d| texts(&run(d, &program, 2, &given, &[len as u32]).unwrap()[1]));
        let x = texts(&given[0]);
        for i in 0..len {
            if !same(&found[i], &expected[i], 0.0) && !x[i].1.contains("NaN") {
                faults.push(format!("{dtype} of {}: {} instead of {}", x[i].1, found[i].1, expected[i].1));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn constants_of_every_kind() {
    let mut faults = Vec::new();
    for ty in [Ty::F32, Ty::I32, Ty::U32, Ty::I64, Ty::U64] {
        if !has(ty) {
            continue;
        }
        let values = edges(ty);
        let size = values.dtype().size();
        for (i, bytes) in values.bytes().unwrap().chunks(size).enumerate() {
            let mut word = [0; 8];
            word[..size].copy_from_slice(bytes);
            let bits = u64::from_le_bytes(word);
            let build = |x: &[E]| x[0].eq(E::bits(ty, bits)).select(E::bits(ty, bits), &x[0]);
            let skip = |args: &[(f64, String)]| args[0].1.contains("NaN");
            compare(&format!("constant {i} {ty:?}"), &[(ty, values.clone())], ty, 0.0, skip, build, &mut faults);
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn constant_expressions_compile() {
    let mut faults = Vec::new();
    type Function = fn(&E) -> E;
    let cases: [(&str, Function); 8] = [
        ("1 / 0", |x| (x.like(1.0) / x.like(0.0)).eq(x).to(Ty::F32)),
        ("3e38 * 10", |x| (x.like(3e38) * x.like(10.0)).eq(x).to(Ty::F32)),
        ("0 - 1 without sign", |x| (E::u32(0) - E::u32(1)).to(Ty::F32) * x),
        ("max + 1", |x| (E::i32(i32::MAX) + E::i32(1)).to(Ty::F32) * x.like(0.5)),
        ("no number", |x| (x.like(0.0) / x.like(0.0)).is_nan().select(x, x.like(7.0))),
        ("log of -1", |x| x.like(-1.0).ln().is_nan().select(x.like(1.0), x.like(1.0))),
        ("-1 as u32", |x| E::i32(-1).to(Ty::U32).eq(u32::MAX).select(x, x.like(7.0))),
        ("1e10 as i32", |x| x.like(1e10).to(Ty::I32).eq(E::i32(i32::MAX)).select(x, x.like(7.0))),
    ];
    for (what, build) in cases {
        let skip = |args: &[(f64, String)]| args[0].1.contains("NaN");
        compare(what, &[(Ty::F32, edges(Ty::F32))], Ty::F32, 0.0, skip, |x| build(&x[0]), &mut faults);
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

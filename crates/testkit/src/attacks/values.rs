//! Hostile values.

use super::dice::Dice;
use levada::graph::dispatch;
use levada::{Bytes, DType, Shape, Tensor};

/// What is hostile about the tensors of a graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mood {
    /// Nothing: small shapes, small numbers.
    Tame,
    /// Shapes.
    Shapes,
    /// Numbers and texts.
    Values,
    /// Both.
    Both,
}

impl Mood {
    pub(super) const ALL: [Mood; 4] = [Mood::Tame, Mood::Shapes, Mood::Values, Mood::Both];

    fn shapes(self) -> bool {
        matches!(self, Mood::Shapes | Mood::Both)
    }

    pub(super) fn values(self) -> bool {
        matches!(self, Mood::Values | Mood::Both)
    }
}

/// Extreme integers of types, and integers whose products and sums overflow.
pub(super) const INTEGERS: [i64; 28] = [
    0,
    1,
    -1,
    2,
    3,
    -2,
    7,
    16,
    100,
    127,
    -128,
    255,
    256,
    32_767,
    65_536,
    1 << 20,
    (1 << 28) + 1,
    1 << 30,
    i32::MAX as i64,
    i32::MIN as i64,
    i32::MAX as i64 + 1,
    u32::MAX as i64,
    1 << 33,
    1 << 40,
    1 << 62,
    i64::MAX,
    i64::MAX - 1,
    i64::MIN,
];

const FLOATS: [f64; 18] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    2.0,
    1e-45,
    1e-320,
    3.4e38,
    -3.4e38,
    1e308,
    2_147_483_648.0,
    -2_147_483_904.0,
    1e19,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::EPSILON,
];

/// Texts: numbers, patterns, formats, the beginnings of files, invalid UTF-8.
const TEXTS: [&[u8]; 44] = [
    b"",
    b"a",
    b"hello world",
    b"\0",
    b"\xff\xfe\xfd",
    b"0",
    b"-1",
    b"1e999",
    b"9223372036854775808",
    b"nan",
    b"%s%s%n",
    b"{}",
    b"{}{}{}{}",
    b"(a*)*b",
    b"((((((((((a?){20}){20}){20}){20})))))",
    b"[[:alpha:]",
    b"\\",
    b"\\1\\2\\9",
    b"(.*)",
    b"x{1000}{1000}",
    b"\xf0\x9f\x92\xa9\xcc\x81",
    b"UTF-8",
    b"NHWC",
    b"NCHW_VECT_C",
    b"SAME",
    b"ij,jk->ik",
    b"i...,j...->...ij",
    b",->",
    b"abcdefghijklmnopqrstuvwxyz,abcdefghijklmnopqrstuvwxyz->",
    b"/etc/passwd",
    b"../../x",
    b"ram://x",
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff\xff\xff\xff\xff\xff\xff\xff\x08\x06\0\0\0",
    b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01",
    b"GIF89a\xff\xff\xff\xff\x80\0\0",
    b"BM\xff\xff\xff\xff\0\0\0\0\x36\0\0\0\x28\0\0\0\xff\xff\xff\x7f\xff\xff\xff\x7f\x01\0\x18\0",
    b"RIFF\xff\xff\xff\xffWAVEfmt \x10\0\0\0\x01\0\xff\xff\xff\xff\xff\xff",
    b"\x1f\x8b\x08\0\0\0\0\0\0\x03",
    b"\x78\x9c\xed\xc1\x01\x01\0\0\0\x80\x90\xfe\xaf\xee\x08\x0a",
    b"\x0a\xff\xff\xff\xff\x0f",
    b"\x0a\x0d\x0a\x0b\x0a\x01x\x12\x06\x12\x04\x0a\x02\0\0",
    b"{\"a\": [1, 2",
    b"a,b,\"c\n,d",
    b"2147483648:2147483648",
];

/// A random text, occasionally a long one.
pub(super) fn text(dice: &mut Dice, mood: Mood) -> Bytes {
    if !mood.values() {
        return Bytes::from_static(TEXTS[dice.below(6)]);
    }
    match dice.below(12) {
        0 => dice.pick(TEXTS.as_slice()).repeat(1 + dice.below(2000)).into(),
        1 => (0..dice.below(40)).map(|_| dice.next() as u8).collect(),
        2 => b"(".repeat(1 + dice.below(20_000)).into(),
        _ => Bytes::from_static(dice.pick::<&[u8]>(&TEXTS)),
    }
}

/// The sizes of a shape from which others are derived.
pub(super) fn base(dice: &mut Dice, mood: Mood) -> Vec<usize> {
    let rank = *dice.pick(&[0, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4, 5]);
    (0..rank).map(|_| size(dice, mood)).collect()
}

fn size(dice: &mut Dice, mood: Mood) -> usize {
    match mood.shapes() {
        false => 1 + dice.below(4),
        true => *dice.pick(&[0, 0, 1, 1, 2, 3, 4, 5, 8, 17, 64, 1024]),
    }
}

/// A shape near `base`: with another size, another rank, empty, a scalar, or long.
fn shape(dice: &mut Dice, mood: Mood, base: &[usize]) -> Vec<usize> {
    let mut dims = base.to_vec();
    let choices = if mood.shapes() { 12 } else { 24 };
    match dice.below(choices) {
        0 => dims = vec![],
        1 => dims = vec![dice.below(5)],
        2 => dims.push(size(dice, mood)),
        3 => drop(dims.pop()),
        4 if !dims.is_empty() => {
            let at = dice.below(dims.len());
            dims[at] = size(dice, mood);
        }
        5 if mood.shapes() => dims = vec![*dice.pick(&[65_536, 30_011, 4096]), 1],
        6 if mood.shapes() => dims = vec![1, *dice.pick(&[65_536, 30_011, 4096])],
        7 if mood.shapes() => dims = vec![0, *dice.pick(&[1 << 20, 1 << 31, 1 << 40]), 3],
        8 if mood.shapes() => dims = vec![1; dice.below(12)],
        _ => {}
    }
    // The feeds themselves should not exhaust the memory.
    while dims.iter().product::<usize>() > 1 << 17 {
        let Some(largest) = dims.iter_mut().max() else { break };
        *largest = (*largest / 16).max(1);
    }
    dims
}

/// True for the names of arguments that hold sizes, axes or positions.
fn says_sizes(name: &str) -> bool {
    const WORDS: [&str; 32] = [
        "shape",
        "size",
        "sizes",
        "dim",
        "axis",
        "axes",
        "indices",
        "index",
        "begin",
        "end",
        "strides",
        "segment_ids",
        "num",
        "k",
        "depth",
        "limit",
        "start",
        "delta",
        "perm",
        "paddings",
        "pads",
        "multiples",
        "lengths",
        "splits",
        "block",
        "crops",
        "offset",
        "shift",
        "seq",
        "count",
        "n",
        "capacity",
    ];
    name.split('_').any(|part| WORDS.contains(&part)) || WORDS.contains(&name)
}

/// A tensor for an argument.
pub(super) fn tensor(dice: &mut Dice, mood: Mood, base_shape: &[usize], name: &str, dtype: DType) -> Tensor {
    let integers = matches!(dtype, DType::I32 | DType::I64);
    let (dims, sizes) = match integers && says_sizes(name) && !dice.once_in(6) {
        true => {
            let dims = match dice.below(4) {
                0 => vec![],
                1 => vec![dice.below(6), 1 + dice.below(3)],
                _ => vec![dice.below(6)],
            };
            (dims, true)
        }
        false => (shape(dice, mood, base_shape), false),
    };
    let fallback = || Tensor::zeros(dtype, Shape::scalar());
    let Ok(shape) = Shape::new(dims) else { return fallback() };
    let n = shape.num_elements();
    if n == 0 || matches!(dtype, DType::Resource | DType::Variant) {
        return Tensor::try_zeros(dtype, shape).unwrap_or_else(|_| fallback());
    }
    // A few distinct values, drawn once, trigger the same faults as many.
    let kinds = 1 + dice.below(8);
    if dtype == DType::Str {
        let texts: Vec<Bytes> = (0..kinds).map(|_| text(dice, mood)).collect();
        // Keeps their total size small.
        let most = if n > 64 { 64 } else { usize::MAX };
        let values = (0..n).map(|_| {
            let text = dice.pick(&texts);
            text.slice(..text.len().min(most))
        });
        return Tensor::from_vec(shape.clone(), values.collect()).unwrap_or_else(|_| fallback());
    }
    let ints: Vec<i64> = (0..kinds)
        .map(|_| match mood.values() && !dice.once_in(3) {
            true => *dice.pick(&INTEGERS),
            false if sizes => dice.below(6) as i64,
            false => dice.below(4) as i64,
        })
        .collect();
    let floats: Vec<f64> = (0..kinds)
        .map(|_| match mood.values() {
            true => *dice.pick(&FLOATS),
            false => dice.below(8) as f64 * 0.25,
        })
        .collect();
    let picks: Vec<usize> = (0..n).map(|_| dice.below(kinds)).collect();
    let made = match dtype {
        DType::F32 => Tensor::from_vec(shape.clone(), picks.iter().map(|&i| floats[i] as f32).collect()),
        DType::F64 => Tensor::from_vec(shape.clone(), picks.iter().map(|&i| floats[i]).collect()),
        DType::F16 => {
            Tensor::from_vec(shape.clone(), picks.iter().map(|&i| levada::f16::from_f64(floats[i])).collect())
        }
        DType::BF16 => {
            Tensor::from_vec(shape.clone(), picks.iter().map(|&i| levada::bf16::from_f64(floats[i])).collect())
        }
        DType::Bool => Tensor::from_vec(shape.clone(), picks.iter().map(|&i| ints[i] & 1 == 1).collect()),
        _ => dispatch!(dtype, integers, |T| {
            Tensor::from_vec(shape.clone(), picks.iter().map(|&i| ints[i] as T).collect())
        }, else {
            let bytes: Vec<u8> = (0..n * dtype.size()).map(|_| dice.next() as u8).collect();
            Tensor::from_bytes(dtype, shape.clone(), &bytes)
        }),
    };
    made.unwrap_or_else(|_| fallback())
}

//! Random numbers: the streams of the CPU's kernels, drawn in groups of four in parallel.

use super::entry::{self, Cx, cell, count};
use super::moves::number;
use crate::device::{Gpu, GpuCx};
use crate::ir::{Access, Bin, Buf, Builder, E, Program, Ty, Un};
use levada_graph::{DType, Error, Result, Shape};
use levada_kernel::def::{Cell, CellOfDef};
use levada_kernel::{Def, Io, KernelEntry};
use levada_ops::shared::{Philox, RESERVED_PER_VALUE, keyed, reserve, seeded, shape_input};
use levada_ops::types::*;

/// The kernel entries of this module.
pub(super) fn entries() -> impl Iterator<Item = KernelEntry<Gpu>> {
    entry::entries(CELLS)
}

static CELLS: &[&dyn CellOfDef<Gpu>] = &[
    &stateful(&RANDOM_STANDARD_NORMAL, |op, cx| draw_next(op, cx, Distribution::Normal)),
    &stateful(&RANDOM_UNIFORM, |op, cx| draw_next(op, cx, Distribution::Uniform)),
    &cell(&RANDOM_UNIFORM_INT, random_uniform_int).supports(|op| op.dtype == DType::I32),
    &by_seed(&STATELESS_RANDOM_NORMAL, |op, cx| draw_from(cx, seeded, Distribution::Normal, op.dtype)),
    &by_key(&STATELESS_RANDOM_NORMAL_V2, |op, cx| draw_from(cx, keyed, Distribution::Normal, op.dtype)),
    &by_seed(&STATELESS_RANDOM_UNIFORM, |op, cx| draw_from(cx, seeded, Distribution::Uniform, op.dtype)),
    &by_key(&STATELESS_RANDOM_UNIFORM_V2, |op, cx| draw_from(cx, keyed, Distribution::Uniform, op.dtype)),
    &by_seed(&STATELESS_TRUNCATED_NORMAL, |op, cx| draw_from(cx, seeded, Distribution::TruncatedNormal, op.dtype)),
    &by_key(&STATELESS_TRUNCATED_NORMAL_V2, |op, cx| draw_from(cx, keyed, Distribution::TruncatedNormal, op.dtype)),
    &stateful(&TRUNCATED_NORMAL, |op, cx| draw_next(op, cx, Distribution::TruncatedNormal)),
];

/// The distribution of the drawn values.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Distribution {
    Uniform,
    Normal,
    TruncatedNormal,
    /// Integers below a bound given as a parameter, plus another parameter.
    Int,
}

/// Dtypes of which 128 bits make four values.
fn is_drawn(dtype: DType) -> bool {
    matches!(dtype, DType::F32 | DType::F16 | DType::BF16)
}

/// Draws a tensor of `shape` from `philox`; `range` is for integers.
fn draw(
    cx: &mut Cx<'_, '_>,
    what: Distribution,
    dtype: DType,
    shape: &Shape,
    philox: Philox,
    range: [u32; 2],
) -> Result<()> {
    let out = cx.alloc(dtype, shape)?;
    let size = count(shape.num_elements())?;
    let program = cx.device.program("random", &[what as u64, number(dtype)], || drawing(what, dtype));
    let params: Vec<u32> = [size].into_iter().chain(philox.counter).chain(philox.key).chain(range).collect();
    cx.launch(&program, (size as usize).div_ceil(4), &[&out], &params)?;
    cx.set(0, out);
    Ok(())
}

/// The upper 32 bits of a product.
fn upper_product(b: &mut Builder, x: &E, by: u32) -> E {
    let (x0, x1) = (b.let_(x & E::u32(0xffff)), b.let_(x >> E::u32(16)));
    let (y0, y1) = (by & 0xffff, by >> 16);
    let (low, left, right) = (b.let_(&x0 * y0), b.let_(&x0 * y1), b.let_(&x1 * y0));
    let middle = (low >> 16u32) + (&left & E::u32(0xffff)) + (&right & E::u32(0xffff));
    b.let_(x1 * y1 + (left >> 16u32) + (right >> 16u32) + (middle >> 16u32))
}

/// The 128 bits that correspond to a counter.
fn encrypted(b: &mut Builder, counter: &[E; 4], key: &[E; 2]) -> [E; 4] {
    let mut x = counter.clone();
    let mut key = key.clone();
    for round in 0..10 {
        if round > 0 {
            key = [b.let_(&key[0] + 0x9E37_79B9u32), b.let_(&key[1] + 0xBB67_AE85u32)];
        }
        let (high_a, low_a) = (upper_product(b, &x[0], 0xD251_1F53), b.let_(&x[0] * 0xD251_1F53u32));
        let (high_b, low_b) = (upper_product(b, &x[2], 0xCD9E_8D57), b.let_(&x[2] * 0xCD9E_8D57u32));
        x = [b.let_(high_b ^ &x[1] ^ &key[0]), low_b, b.let_(high_a ^ &x[3] ^ &key[1]), low_a];
    }
    x
}

/// A counter advanced by `steps`, of which `more` are the bits above 32.
fn skipped(b: &mut Builder, counter: &[E; 4], steps: &E, more: &E) -> [E; 4] {
    let one = |condition: E| condition.select(E::u32(1), E::u32(0));
    let x0 = b.let_(&counter[0] + steps);
    let carry = b.let_(one(x0.lt(steps)));
    let with = b.let_(&counter[1] + more);
    let x1 = b.let_(&with + &carry);
    let carry = b.let_(one(with.lt(more) | x1.lt(&carry)));
    let x2 = b.let_(&counter[2] + &carry);
    let carry = one(x2.lt(&carry));
    let x3 = b.let_(&counter[3] + carry);
    [x0, x1, x2, x3]
}

/// A value in `[0, 1)` with the random bits of a mantissa of `bits`.
fn unit(word: &E, bits: u32) -> E {
    (word & E::u32((1 << bits) - 1)).to(Ty::F32) * 2f32.powi(-(bits as i32))
}

/// Two normal values, by the Box-Muller method.
fn normal(b: &mut Builder, first: &E, second: &E) -> [E; 2] {
    let radius = b.let_((unit(first, 23).max(1.0e-7f32).ln() * -2.0f32).sqrt());
    let turn = b.let_(unit(second, 23));
    // Near zero sines are exact on every device.
    let turn = turn.gt(0.5f32).select(&turn - 1.0f32, &turn);
    let angle = b.let_(turn * std::f32::consts::TAU);
    [b.let_(angle.un(Un::Sin) * &radius), b.let_(angle.un(Un::Cos) * &radius)]
}

fn store_below(b: &mut Builder, out: Buf, at: E, size: &E, value: E) {
    b.if_(at.lt(size), |b| b.store(out, &at, value));
}

fn drawing(what: Distribution, dtype: DType) -> Program {
    let mut b = Builder::new("random");
    let out = b.buffer(dtype, Access::Write);
    let size = b.param_u32();
    let counter = [b.param_u32(), b.param_u32(), b.param_u32(), b.param_u32()];
    let key = [b.param_u32(), b.param_u32()];
    let (low, range) = (b.param_u32(), b.param_u32());
    let groups = b.let_((&size + 3u32) / 4u32);
    let ty = Ty::of(dtype).unwrap_or(Ty::F32);
    b.for_each(&groups, |b, group| {
        let first = b.let_(&group * 4u32);
        if what == Distribution::TruncatedNormal {
            // Each group has as many steps as its four values may take.
            let steps = RESERVED_PER_VALUE as u32;
            let bits = steps.trailing_zeros();
            let start = skipped(b, &counter, &(&group << bits), &(&group >> (32 - bits)));
            let found = b.let_(0u32);
            let step = b.let_(0u32);
            b.while_(found.lt(4u32), |b| {
                let at = skipped(b, &start, &step, &E::u32(0));
                let x = encrypted(b, &at, &key);
                for (one, two) in [(0, 1), (2, 3)] {
                    for value in normal(b, &x[one], &x[two]) {
                        b.if_(value.abs().lt(2.0f32) & found.lt(4u32), |b| {
                            store_below(b, out, &first + &found, &size, value);
                            b.set(&found, &found + 1u32);
                        });
                    }
                }
                b.set(&step, &step + 1u32);
            });
            return;
        }
        let at = skipped(b, &counter, &group, &E::u32(0));
        let x = encrypted(b, &at, &key);
        let values: Vec<E> = match what {
            Distribution::Uniform => {
                let bits = match dtype {
                    DType::F16 => 10,
                    DType::BF16 => 7,
                    _ => 23,
                };
                x.iter().map(|word| unit(word, bits)).collect()
            }
            Distribution::Int => x.iter().map(|word| (word.bin(Bin::Rem, &range) + &low).as_bits(ty)).collect(),
            _ => [normal(b, &x[0], &x[1]), normal(b, &x[2], &x[3])].concat(),
        };
        for (i, value) in values.into_iter().enumerate() {
            store_below(b, out, &first + i as u32, &size, value);
        }
    });
    b.finish()
}

const fn stateful(
    def: &'static Def<RandomFloats>,
    compute: fn(&RandomFloats, &mut Cx<'_, '_>) -> Result<()>,
) -> Cell<Gpu, RandomFloats> {
    cell(def, compute).supports(|op| is_drawn(op.dtype))
}

const fn by_seed(
    def: &'static Def<SeededDraw>,
    compute: fn(&SeededDraw, &mut Cx<'_, '_>) -> Result<()>,
) -> Cell<Gpu, SeededDraw> {
    cell(def, compute).supports(|op| is_drawn(op.dtype))
}

const fn by_key(
    def: &'static Def<KeyedDraw>,
    compute: fn(&KeyedDraw, &mut Cx<'_, '_>) -> Result<()>,
) -> Cell<Gpu, KeyedDraw> {
    cell(def, compute).supports(|op| is_drawn(op.dtype))
}

/// Draws from the stream that continues from run to run.
fn draw_next(op: &RandomFloats, cx: &mut Cx<'_, '_>, what: Distribution) -> Result<()> {
    let shape = shape_input(cx, 0)?;
    count(shape.num_elements())?;
    let philox = reserve(cx, op.seed, op.seed2, shape.num_elements())?;
    draw(cx, what, op.dtype, &shape, philox, [0, 1])
}

/// Draws from the generator given by the inputs from 1 on.
fn draw_from(
    cx: &mut Cx<'_, '_>,
    generator: fn(&Io<'_>, usize) -> Result<Philox>,
    what: Distribution,
    dtype: DType,
) -> Result<()> {
    let shape = shape_input(cx, 0)?;
    let philox = generator(cx, 1)?;
    draw(cx, what, dtype, &shape, philox, [0, 1])
}

fn random_uniform_int(op: &RandomUniformInt, cx: &mut Cx<'_, '_>) -> Result<()> {
    let shape = shape_input(cx, 0)?;
    for (i, name) in [(1, "minval"), (2, "maxval")] {
        let shape = cx.input(i)?.shape();
        if !shape.is_scalar() {
            return Err(Error::invalid(format!("{name} must be 0-D, got shape {shape}")));
        }
    }
    let (low, high) = (cx.scalar::<i32>(1)?, cx.scalar::<i32>(2)?);
    if low >= high && shape.num_elements() > 0 {
        return Err(Error::invalid(format!("Need minval < maxval, got {low} >= {high}")));
    }
    count(shape.num_elements())?;
    let philox = reserve(cx, op.seed, op.seed2, shape.num_elements())?;
    let range = (high as u32).wrapping_sub(low as u32);
    draw(cx, Distribution::Int, DType::I32, &shape, philox, [low as u32, range])
}

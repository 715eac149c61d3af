//! Shared arrays, barriers, atomic additions, loops and branches.

use crate::{device, host, prepare, run};
use levada_gpu::ir::{Access, Builder, E, Program, Ty};
use levada_graph::{DType, Tensor};

fn check(program: Program, groups: u32, buffers: &[Tensor], params: &[u32]) {
    let Some(device) = device() else { return };
    let program = prepare(program);
    let found = run(&device, &program, groups, buffers, params).unwrap();
    let expected = run(&host(), &program, groups, buffers, params).unwrap();
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found.bytes(), expected.bytes(), "{}", program.program);
    }
}

#[test]
fn sums_through_shared_memory() {
    let mut b = Builder::new("sums");
    let x = b.buffer(DType::F32, Access::Read);
    let y = b.buffer(DType::F32, Access::Write);
    let n = b.param_u32();
    let part = b.shared(Ty::F32, 256);
    let sum = b.let_(E::f32(0.0));
    b.for_(E::group() * 256u32 + E::local(), &n, E::groups() * 256u32, |b, i| {
        let value = b.load(x, i);
        b.set(&sum, &sum + value);
    });
    b.store_shared(part, E::local(), &sum);
    b.barrier();
    let half = b.let_(E::u32(128));
    b.while_(half.gt(E::u32(0)), |b| {
        b.if_(E::local().lt(&half), |b| {
            let (own, other) = (b.load_shared(part, E::local()), b.load_shared(part, E::local() + &half));
            let sum = b.let_(own + other);
            b.store_shared(part, E::local(), sum);
        });
        b.barrier();
        b.set(&half, &half >> 1u32);
    });
    b.if_(E::local().eq(E::u32(0)), |b| {
        let sum = b.load_shared(part, E::u32(0));
        b.store(y, E::group(), sum);
    });
    let x: Vec<f32> = (0..10_000).map(|i| (i % 17) as f32).collect();
    check(b.finish(), 7, &[Tensor::vector(x), Tensor::vector(vec![0f32; 7])], &[10_000]);
}

#[test]
fn additions_from_many_groups() {
    for (dtype, zeros) in [
        (DType::F32, Tensor::vector(vec![0f32; 10])),
        (DType::I32, Tensor::vector(vec![0i32; 10])),
        (DType::U32, Tensor::vector(vec![0u32; 10])),
    ] {
        let mut b = Builder::new("histogram");
        let counts = b.buffer(dtype, Access::Atomic);
        let n = b.param_u32();
        let ty = Ty::of(dtype).unwrap();
        b.for_each(&n, |b, i| {
            let one = E::num(ty, 1.0) + (&i % 3u32).to(ty);
            b.atomic_add(counts, &i % 10u32, one);
        });
        check(b.finish(), 9, &[zeros], &[5_000]);
    }
}

#[test]
fn loops_and_branches() {
    // The number of steps of the Collatz sequence, and its maximum.
    let mut b = Builder::new("collatz");
    b.group_size(64);
    let steps = b.buffer(DType::U32, Access::Write);
    let top = b.buffer(DType::I32, Access::Write);
    let even = b.buffer(DType::Bool, Access::Write);
    let n = b.param_u32();
    let scale = b.param(Ty::F32);
    b.for_each(&n, |b, i| {
        let x = b.let_(&i + 1u32);
        let count = b.let_(E::u32(0));
        let most = b.let_(&x);
        b.while_(x.ne(E::u32(1)), |b| {
            b.if_else((&x % 2u32).eq(E::u32(0)), |b| b.set(&x, &x / 2u32), |b| b.set(&x, &x * 3u32 + 1u32));
            b.set(&most, most.max(&x));
            b.set(&count, &count + 1u32);
        });
        b.store(even, &i, (&count % 2u32).eq(E::u32(0)));
        b.store(steps, &i, &count);
        b.store(top, &i, (most.to(Ty::F32) * &scale).to(Ty::I32));
    });
    let len = 1_000;
    let buffers = [Tensor::vector(vec![0u32; len]), Tensor::vector(vec![0i32; len]), Tensor::vector(vec![0u32; len])];
    check(b.finish(), 5, &buffers, &[len as u32, 0.5f32.to_bits()]);
}

#[test]
fn transposes_tiles() {
    let mut b = Builder::new("tiles");
    let x = b.buffer(DType::F32, Access::Read);
    let y = b.buffer(DType::F32, Access::Write);
    let n = b.param_u32();
    let tile = b.shared(Ty::F32, 16 * 17);
    let across = b.let_(&n / 16u32);
    let (row, column) = (b.let_(E::local() / 16u32), b.let_(E::local() % 16u32));
    let (down, right) = (b.let_(E::group() / &across), b.let_(E::group() % &across));
    let value = b.load(x, (&down * 16u32 + &row) * &n + &right * 16u32 + &column);
    b.store_shared(tile, &row * 17u32 + &column, value);
    b.barrier();
    let value = b.load_shared(tile, &column * 17u32 + &row);
    b.store(y, (&right * 16u32 + &row) * &n + &down * 16u32 + &column, value);
    let x: Vec<f32> = (0..64 * 64).map(|i| i as f32).collect();
    check(b.finish(), 16, &[Tensor::vector(x), Tensor::vector(vec![0f32; 64 * 64])], &[64]);
}

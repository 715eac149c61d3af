//! Products of 16-bit floats.

use levada_gemm::halves::*;
use levada_gemm::{Finisher, Mat, Size, multiply_finished};
use levada_graph::{DType, Shape, Tensor, bf16, f16};
use levada_kernel::Pool;
use levada_kernel::{Finish, Function};

/// Small integers: every order of summation gives the same sums, which both types can represent.
fn numbers<T: HalfFactor>(n: usize, seed: usize) -> Vec<T> {
    (0..n).map(|i| T::narrow(((i * 7 + seed * 3 + i / 5) % 5) as f32 - 2.0)).collect()
}

/// Rows of overlapping pieces, as in a convolution, with results in wider rows.
fn check<T: HalfFactor>(isa: Isa, threads: usize, m: usize, [pieces, depth, n]: [usize; 3], add: bool) {
    let pool = Pool::new(threads);
    let start = |row: usize, piece: usize| row * 3 + piece * (depth + 1);
    let elements = numbers::<T>(m * 3 + pieces * (depth + 1) + depth, 1);
    let weights = numbers::<T>(pieces * depth * (n + 2), 2);
    let packed = Packed::of(isa, Some(&pool), Mat::new(&weights, n + 2), [pieces, depth, n]).unwrap();
    let lines = Lines {
        elements: &elements[..],
        rows: m,
        starts: |row: usize, out: &mut [usize]| {
            out.iter_mut().enumerate().for_each(|(piece, out)| *out = start(row, piece));
        },
    };
    let width = n + 5;
    let mut out = vec![T::narrow(-7.0); m * width];
    let place = Place { out: &mut out, width, column: 2, add, finisher: None };
    multiply(Some(&pool), &lines, &packed, place).unwrap();
    for i in 0..m {
        for j in 0..width {
            let sum = |j: usize| {
                let each = |k: usize| {
                    let (piece, at) = (k / depth, k % depth);
                    elements[start(i, piece) + at].widen() * weights[k * (n + 2) + j].widen()
                };
                (0..pieces * depth).map(each).sum::<f32>() - if add { 7.0 } else { 0.0 }
            };
            let expected = T::narrow(if (2..n + 2).contains(&j) { sum(j - 2) } else { -7.0 });
            assert!(out[i * width + j] == expected, "{isa:?} {m} x {pieces} x {depth} x {n} at {i},{j}");
        }
    }
}

fn check_all<T: HalfFactor>() {
    for isa in Isa::all::<T>() {
        for m in [0, 1, 2, 5, 6, 7, 12, 13, 25] {
            for n in [0, 1, 15, 16, 17, 32, 33, 48, 64, 65, 100] {
                for sizes in [[1, 1, n], [1, 4, n], [3, 7, n], [2, 0, n], [5, 12, n]] {
                    check::<T>(isa, 1, m, sizes, m % 2 == 0);
                }
            }
        }
        for threads in [1, 2] {
            check::<T>(isa, threads, 7, [3, 64, 300], false);
            check::<T>(isa, threads, 500, [2, 21, 40], false);
            check::<T>(isa, threads, 300, [1, 700, 70], true);
        }
    }
}

#[test]
fn all_instructions_give_the_same_sums() {
    check_all::<f16>();
    check_all::<bf16>();
}

#[test]
fn sums_are_finished_before_they_are_rounded() {
    let shape = Shape::new([3, 20]).unwrap();
    let addend = Tensor::from_vec(shape.clone(), vec![bf16::from_f32(-256.0); 60]).unwrap();
    let shift = [0.5; 20];
    let finish =
        Finish { shift: Some(&shift), addend: Some(&addend), function: Some(Function::Relu), ..Finish::default() };
    let finisher = Finisher::new(&finish, &shape, DType::BF16).unwrap();
    let (a, b) = (vec![bf16::ONE; 3 * 257], vec![bf16::ONE; 257 * 20]);
    let mut c = vec![bf16::ZERO; 60];
    let factors = (Mat::new(&a, 257), Mat::new(&b, 20));
    multiply_finished(&Pool::new(1), Size { m: 3, n: 20, k: 257 }, factors, &mut c, &finisher).unwrap();
    // The sum, 257, is not representable in bfloat16.
    assert_eq!(c, vec![bf16::from_f32(1.5); 60]);
}

#[test]
fn what_does_not_fit_is_refused() {
    let weights = [f16::ONE; 64];
    assert!(Packed::new(None, Mat::new(&weights, 1), [1, 65, 1]).is_err());
    assert!(Packed::new(None, Mat::new(&weights, 1), [usize::MAX, 2, 1]).is_err());
    for isa in Isa::all::<bf16>() {
        let weights = [bf16::ONE; 64];
        let packed = Packed::of(isa, None, Mat::new(&weights, 8), [1, 7, 8]).unwrap();
        let elements = [bf16::ONE; 15];
        let run = |first: usize, out: &mut [bf16]| {
            let starts = |row: usize, s: &mut [usize]| s[0] = first + row;
            let place = Place { out, width: 8, column: 0, add: false, finisher: None };
            multiply(None, &Lines { elements: &elements, rows: 2, starts }, &packed, place)
        };
        assert!(run(7, &mut [bf16::ZERO; 16]).is_ok());
        assert!(run(8, &mut [bf16::ZERO; 16]).is_err());
        assert!(run(0, &mut [bf16::ZERO; 15]).is_err());
    }
}

//! Products of all element types.

use levada_gemm::*;
use levada_graph::{Complex32, Complex64, DType, Shape, Tensor, bf16, f16};
use levada_kernel::{Finish, Pool};
use levada_ops_core::number::Number;

/// Small integers, so that every order of summation gives the same result.
fn numbers<T: Number>(n: usize, seed: usize) -> Vec<T> {
    (0..n).map(|i| T::from_usize((i * 7 + seed * 3 + i / 5) % 5)).collect()
}

fn at<T: Copy>(a: &Mat<'_, T>, i: usize, j: usize) -> T {
    a.data[i * a.row + j * a.col]
}

fn compare<T: Gemm>(pool: &Pool, size: Size, strides: [usize; 4], width: usize) {
    let Size { m, n, k } = size;
    let [ar, ac, br, bc] = strides;
    let a_data = numbers::<T>(m * ar + k * ac + 1, 1);
    let b_data = numbers::<T>(k * br + n * bc + 1, 2);
    let a = Mat { data: &a_data[..], row: ar, col: ac, conj: false };
    let b = Mat { data: &b_data[..], row: br, col: bc, conj: false };
    let mut sums = vec![T::Wide::zero(); m * n];
    for i in 0..m {
        for j in 0..n {
            let product = |p| at(&a, i, p).widen().mul(at(&b, p, j).widen());
            sums[i * n + j] = (0..k).fold(T::Wide::zero(), |sum, p| sum.add(product(p)));
        }
    }
    let expected: Vec<T> = sums.iter().map(|&sum| T::narrow(sum)).collect();
    let mut c = numbers::<T>(m * n, 3);
    multiply(pool, size, a, b, &mut c).unwrap();
    assert_eq!(c, expected, "{size:?} {strides:?}");
    // On this thread, added to existing values, in wider rows.
    let before = numbers::<T>(m * width + n, 4);
    let mut wide = before.clone();
    multiply_here(size, a, b, &mut wide, width, true).unwrap();
    for i in 0..m {
        for j in 0..width {
            let mut value = before[i * width + j];
            if j < n {
                value = T::narrow(value.widen().add(sums[i * n + j]));
            }
            assert_eq!(wide[i * width + j], value, "{size:?} {strides:?} at {i},{j}");
        }
    }
    let mut again = numbers::<T>(3 * m * n, 5);
    multiply_batch(pool, size, &mut again, |_| (a, b)).unwrap();
    again.chunks_exact((m * n).max(1)).for_each(|c| assert_eq!(c, expected));
}

fn compare_all<T: Gemm>() {
    let pool = Pool::new(2);
    for m in [0, 1, 2, 7, 33] {
        for n in [0, 1, 3, 65] {
            for k in [0, 1, 4, 37] {
                let size = Size { m, n, k };
                compare::<T>(&pool, size, [k, 1, n, 1], n);
                compare::<T>(&pool, size, [1, m, 1, k], n + 3);
                compare::<T>(&pool, size, [2 * k + 1, 2, 3, 3 * k + 5], n + 1);
                compare::<T>(&pool, size, [0, 1, 0, 1], n);
            }
        }
    }
    compare::<T>(&pool, Size { m: 130, n: 70, k: 300 }, [300, 1, 1, 300], 70);
    compare::<T>(&pool, Size { m: 33, n: 600, k: 70 }, [70, 1, 1, 75], 601);
    compare::<T>(&pool, Size { m: 1, n: 700, k: 900 }, [900, 1, 700, 1], 700);
    compare::<T>(&pool, Size { m: 1, n: 700, k: 900 }, [900, 1, 1, 900], 700);
    compare::<T>(&pool, Size { m: 700, n: 1, k: 900 }, [900, 1, 1, 1], 1);
}

#[test]
fn products_equal_the_naive_loop() {
    compare_all::<f32>();
    compare_all::<f64>();
    compare_all::<Complex32>();
    compare_all::<Complex64>();
    compare_all::<i32>();
    compare_all::<i8>();
}

#[test]
fn products_with_a_vector_or_of_a_large_inner_size_equal_the_naive_loop() {
    for threads in [1, 2] {
        let pool = Pool::new(threads);
        for k in [1, 2, 3, 4, 5, 15, 16, 40, 127, 128, 200] {
            compare::<f32>(&pool, Size { m: 70, n: 1, k }, [k, 1, 1, 1], 1);
            compare::<f32>(&pool, Size { m: 1, n: 70, k }, [k, 1, 1, k + 1], 70);
            compare::<f64>(&pool, Size { m: 70, n: 1, k }, [1, 70, 1, 1], 1);
        }
        for (n, k) in [(1, 3), (2, 1), (3, 3), (3, 4), (4, 2), (4, 4)] {
            for m in [5, 16, 47, 5000] {
                compare::<f32>(&pool, Size { m, n, k }, [k, 1, n, 1], n);
                compare::<f64>(&pool, Size { m, n, k }, [k, 1, 1, k], n);
                compare::<f32>(&pool, Size { m, n, k }, [k, 1, n, 1], n + 1);
            }
        }
        compare::<f32>(&pool, Size { m: 3, n: 5, k: 40_000 }, [1, 3, 5, 1], 5);
        compare::<f32>(&pool, Size { m: 1, n: 6, k: 32_769 }, [32_769, 1, 6, 1], 6);
    }
}

/// First factors that are packed by slabs, with an incomplete last slab and more columns than are packed side by
/// side, and a large one that is not.
#[test]
fn products_of_transposed_and_large_first_factors_equal_the_naive_loop() {
    let pool = Pool::new(2);
    compare::<f32>(&pool, Size { m: 131, n: 150, k: 300 }, [1, 131, 150, 1], 151);
    compare::<f32>(&pool, Size { m: 50, n: 130, k: 40 }, [82, 2, 1, 40], 130);
    compare::<f32>(&pool, Size { m: 250, n: 520, k: 600 }, [1, 250, 520, 1], 520);
    compare::<f32>(&pool, Size { m: 65, n: 515, k: 1700 }, [1, 66, 1, 1700], 515);
    // Zeros except for a few values: a naive loop would take long.
    let size = Size { m: 1401, n: 1030, k: 1600 };
    let (mut a, b) = (vec![0f32; size.m * size.k], numbers::<f32>(size.k * size.n, 2));
    let places = |i: usize| [i % size.k, (i * 37 + 11) % size.k, (i * 101 + 1590) % size.k];
    (0..size.m).for_each(|i| places(i).into_iter().for_each(|p| a[i * size.k + p] += (1 + i % 3) as f32));
    let mut found = vec![0f32; size.m * size.n];
    multiply(&pool, size, Mat::new(&a, size.k), Mat::new(&b, size.n), &mut found).unwrap();
    for (i, row) in found.chunks_exact(size.n).enumerate() {
        let expected = |j: usize| places(i).into_iter().map(|p| (1 + i % 3) as f32 * b[p * size.n + j]).sum::<f32>();
        assert!(row.iter().enumerate().all(|(j, &sum)| sum == expected(j)), "row {i}");
    }
}

#[test]
fn products_with_a_packed_factor_are_finished_as_others() {
    // The last two read enough for a few rows that panels are prefetched.
    let sizes = [
        (2, 20, 16, 1),
        (37, 100, 70, 2),
        (300, 70, 33, 2),
        (450, 600, 620, 3),
        (25, 48, 1600, 2),
        (40, 480, 1100, 1),
        (30, 700, 800, 2),
    ];
    for (m, n, k, threads) in sizes {
        let pool = Pool::new(threads);
        let (a, b) = (numbers::<f32>(m * k, 1), numbers::<f32>(k * n, 2));
        let (shift, addend) = (numbers::<f32>(n, 3), numbers::<f32>(m * n, 4));
        let shape = Shape::new([m, n]).unwrap();
        let addend = Tensor::from_vec(shape.clone(), addend).unwrap();
        let finish = Finish { shift: Some(&shift), addend: Some(&addend), ..Default::default() };
        let finisher = Finisher::new(&finish, &shape, DType::F32).unwrap();
        let size = Size { m, n, k };
        let mut expected = vec![0f32; m * n];
        multiply(&pool, size, Mat::new(&a, k), Mat::new(&b, n), &mut expected).unwrap();
        finisher.all(&pool, &mut expected);
        let packed = Packed::new(&pool, Mat::new(&b, n), (k, n)).unwrap();
        let mut found = vec![0f32; m * n];
        let factor = |factor| (Mat::new(&a, k), factor);
        multiply_packed(&pool, size, factor(Factor::Packed(&packed)), &mut found, Some(&finisher)).unwrap();
        assert!(found == expected, "{size:?}, packed");
        multiply_packed(&pool, size, factor(Factor::Matrix(Mat::new(&b, n))), &mut found, Some(&finisher)).unwrap();
        assert!(found == expected, "{size:?}, by panels");
        multiply_finished(&pool, size, (Mat::new(&a, k), Mat::new(&b, n)), &mut found, &finisher).unwrap();
        assert!(found == expected, "{size:?}");
    }
    assert!(Packed::new(&Pool::new(1), Mat::new(&[0f32; 5], 3), (2, 3)).is_err());
}

/// Values that are rounded: sums differ if they are added in another order.
#[test]
fn sums_are_added_in_one_order() {
    let draw = |n: usize, seed: usize| -> Vec<f32> {
        (0..n).map(|i| ((i * 7919 + seed * 104_729) % 1013) as f32 / 517.0 - 1.0).collect()
    };
    for (m, n, k, threads) in [(3, 100, MOST_ALIKE, 1), (30, 130, 70, 2), (500, 300, 512, 2), (64, 48, 16, 3)] {
        let (pool, size) = (Pool::new(threads), Size { m, n, k });
        let (a, b, before) = (draw(m * k, 1), draw(k * n, 2), draw(m * n, 3));
        for (a, b) in [(Mat::new(&a, k), Mat::new(&b, n)), (Mat::new(&a, m).t(), Mat::new(&b, k).t())] {
            let packed = Packed::new(&pool, b, (k, n)).unwrap();
            let (mut one, mut other) = (vec![0f32; m * n], vec![0f32; m * n]);
            multiply_packed(&pool, size, (a, Factor::Packed(&packed)), &mut one, None).unwrap();
            multiply_packed(&pool, size, (a, Factor::Matrix(b)), &mut other, None).unwrap();
            assert!(one == other, "{size:?}");
            assert_eq!(adds(size, &a, &b), m >= 24 && k <= 512);
            if adds(size, &a, &b) {
                let mut sum = before.clone();
                add_products(&pool, size, &[(a, b)], &mut sum).unwrap();
                multiply(&pool, size, a, b, &mut one).unwrap();
                assert!(sum.iter().zip(&before).zip(&one).all(|((&sum, &c), &ab)| sum == c + ab), "{size:?}");
            }
        }
    }
}

#[test]
fn several_products_are_added_one_after_the_other() {
    let draw = |n: usize, seed: usize| -> Vec<f32> {
        (0..n).map(|i| ((i * 7919 + seed * 104_729) % 1013) as f32 / 517.0 - 1.0).collect()
    };
    for (m, n, k, threads) in [(500, 300, 16, 2), (1000, 130, 64, 1), (30, 100, 512, 2), (64, 48, 20, 3)] {
        let (pool, size) = (Pool::new(threads), Size { m, n, k });
        let numbers: Vec<_> = (0..5).map(|i| (draw(m * k, 2 * i), draw(k * n, 2 * i + 1))).collect();
        let mats = |(a, b)| (Mat::new(a, m).t(), Mat::new(b, n));
        let factors: Vec<_> = numbers.iter().map(|(a, b)| mats((a, b))).collect();
        let mut expected = draw(m * n, 99);
        let mut found = expected.clone();
        for &factors in &factors {
            add_products(&pool, size, &[factors], &mut expected).unwrap();
        }
        add_products(&pool, size, &factors, &mut found).unwrap();
        assert!(found == expected, "{size:?}");
        add_products(&pool, size, &[], &mut found).unwrap();
        let short = (factors[0].0, Mat::new(&numbers[0].1[..k * n - 1], n));
        assert!(add_products(&pool, size, &[factors[1], short], &mut found).is_err());
        assert!(found == expected, "{size:?} stays as it was");
        // Nothing to add, and results in a larger slice.
        let nothing = Size { k: 0, ..size };
        add_products(&pool, nothing, &factors, &mut found).unwrap();
        add_products(&pool, Size { m: 0, ..size }, &factors, &mut found).unwrap();
        add_products(&pool, Size { n: 0, ..size }, &factors, &mut found).unwrap();
        assert!(found == expected, "{nothing:?}");
        found.push(7.0);
        expected.push(7.0);
        add_products(&pool, size, &factors, &mut found).unwrap();
        factors.iter().for_each(|&f| add_products(&pool, size, &[f], &mut expected).unwrap());
        assert!(found == expected, "{size:?} in a larger slice");
    }
}

#[test]
fn half_products_equal_the_naive_loop() {
    compare_all::<f16>();
    compare_all::<bf16>();
}

#[test]
fn half_products_add_in_f32() {
    let pool = Pool::new(2);
    let (a, b) = (vec![f16::ONE; 3 * 5000], vec![f16::ONE; 5000 * 2]);
    let mut c = vec![f16::ZERO; 6];
    multiply(&pool, Size { m: 3, n: 2, k: 5000 }, Mat::new(&a, 5000), Mat::new(&b, 2), &mut c).unwrap();
    assert_eq!(c, vec![f16::from_f32(5000.0); 6]);
    let (a, b) = (vec![bf16::ONE; 512], vec![bf16::ONE; 512]);
    let mut c = vec![bf16::ZERO; 1];
    multiply(&pool, Size { m: 1, n: 1, k: 512 }, Mat::new(&a, 512), Mat::new(&b, 1), &mut c).unwrap();
    assert_eq!(c, [bf16::from_f32(512.0)]);
}

#[test]
fn conjugates_are_read() {
    let i = Complex32::new(0.0, 1.0);
    let (a, b) = (vec![i; 4], vec![Complex32::new(1.0, 1.0); 4]);
    let pool = Pool::new(1);
    for (m, n) in [(2, 2), (1, 2), (2, 1)] {
        let size = Size { m, n, k: 2 };
        let mut c = vec![Complex32::default(); m * n];
        multiply(&pool, size, Mat::new(&a, 2).adjoint_if(true), Mat::new(&b, n), &mut c).unwrap();
        assert_eq!(c, vec![Complex32::new(2.0, -2.0); m * n]);
        multiply(&pool, size, Mat::new(&a, 2), Mat { conj: true, ..Mat::new(&b, n) }, &mut c).unwrap();
        assert_eq!(c, vec![Complex32::new(2.0, 2.0); m * n]);
    }
}

#[test]
fn matrices_that_are_too_small_are_refused() {
    let a = [1f32; 6];
    let mut c = [0f32; 4];
    let pool = Pool::new(1);
    let size = Size { m: 2, n: 2, k: 3 };
    assert!(multiply(&pool, size, Mat::new(&a, 3), Mat::new(&a, 2), &mut c).is_ok());
    assert!(multiply(&pool, size, Mat::new(&a[..5], 3), Mat::new(&a, 2), &mut c).is_err());
    assert!(multiply(&pool, size, Mat::new(&a, 3), Mat::new(&a[1..], 2), &mut c).is_err());
    assert!(multiply(&pool, size, Mat::new(&a, 3), Mat::new(&a, 2), &mut c[..3]).is_err());
    let huge = Mat { data: &a[..], row: usize::MAX, col: 1, conj: false };
    assert!(multiply_here(size, huge, Mat::new(&a, 2), &mut c, 2, false).is_err());
}

//! Rows at equal distances.

use levada_gemm::tile::Strided;

#[test]
fn rows_lie_at_equal_distances_and_may_overlap() {
    let elements: Vec<usize> = (0..11).collect();
    for (count, step, len) in [(4, 3, 2), (5, 2, 3), (3, 4, 3), (1, usize::MAX, 11), (2, 0, 5), (0, 7, 100)] {
        let rows = Strided::new(&elements, count, step, len);
        for i in 0..count {
            assert_eq!(rows.row(i), &elements[i * step..][..len], "{count} {step} {len}");
        }
    }
}

#[test]
#[should_panic(expected = "out of range")]
fn rows_end_within_the_elements() {
    Strided::new(&[0; 10], 4, 3, 2);
}

#[test]
#[should_panic(expected = "rows lie within memory")]
fn distances_may_not_overflow() {
    Strided::new(&[0; 10], 3, usize::MAX / 2 + 1, 2);
}

#[test]
#[should_panic(expected = "there is such a row")]
fn only_rows_that_there_are() {
    Strided::new(&[0; 10], 3, 3, 2).row(3);
}

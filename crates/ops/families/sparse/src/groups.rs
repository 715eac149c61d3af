//! Groups of adjacent elements of a sparse tensor that agree in some coordinates.

/// Returns the maximal runs of `0..len` whose neighbors belong together according to `same`.
pub(super) fn runs(len: usize, same: impl Fn(usize, usize) -> bool) -> Vec<std::ops::Range<usize>> {
    let mut runs = Vec::new();
    let mut start = 0;
    for i in 1..=len {
        if i == len || !same(i - 1, i) {
            runs.push(start..i);
            start = i;
        }
    }
    runs
}

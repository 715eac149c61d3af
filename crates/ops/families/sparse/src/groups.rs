//! Elements of a sparse tensor that lie next to each other and agree in some coordinates.

/// Runs of `0..len` of which `same` says that neighbours belong together.
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

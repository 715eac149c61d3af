//! The best of `n` items, in the order left by an incrementally filled binary heap. The steps are those of C++'s
//! `make_heap`, `push_heap` and `pop_heap`, which determine the order of unsorted results.

/// Writes the `found.len()` indices below `n` that come first under `before`, a strict total order. `n` must be larger.
pub(super) fn greatest(n: usize, found: &mut [usize], sorted: bool, before: impl Fn(usize, usize) -> bool) {
    let k = found.len();
    // The index that comes last is at the root.
    let mut heap: Vec<usize> = (0..=k).collect();
    for parent in (0..heap.len() / 2).rev() {
        sift(&mut heap, parent, &before);
    }
    pop(&mut heap, &before);
    heap.truncate(k);
    for i in k + 1..n {
        if before(i, heap[0]) {
            pop(&mut heap, &before);
            heap[k - 1] = i;
            push(&mut heap, &before);
        }
    }
    if sorted {
        (2..=k).rev().for_each(|len| pop(&mut heap[..len], &before));
    }
    found.copy_from_slice(&heap);
}

/// Moves the element at `at` down until both its children come before it.
fn sift(heap: &mut [usize], mut at: usize, before: impl Fn(usize, usize) -> bool) {
    loop {
        let mut child = 2 * at + 1;
        if child >= heap.len() {
            return;
        }
        if child + 1 < heap.len() && before(heap[child], heap[child + 1]) {
            child += 1;
        }
        if !before(heap[at], heap[child]) {
            return;
        }
        heap.swap(at, child);
        at = child;
    }
}

/// Moves the last element up into place.
fn push(heap: &mut [usize], before: impl Fn(usize, usize) -> bool) {
    let mut at = heap.len() - 1;
    while at > 0 {
        let parent = (at - 1) / 2;
        if !before(heap[parent], heap[at]) {
            return;
        }
        heap.swap(at, parent);
        at = parent;
    }
}

/// Moves the root to the end and restores the heap in the rest.
fn pop(heap: &mut [usize], before: impl Fn(usize, usize) -> bool) {
    let last = heap.len() - 1;
    heap.swap(0, last);
    sift(&mut heap[..last], 0, before);
}

//! Loads and stores of more than the caches hold: stores that do not bring what they overwrite into them, and hints of what is
//! read soon.
#![allow(unsafe_code)]

use levada_graph::Element;

/// Results of at least this many bytes are no longer in the caches when they are read.
const LARGE: usize = 16 << 20;

/// Stores to large results past the caches. What was stored is seen by other threads once this is dropped.
pub struct Stream(());

impl Stream {
    /// For a result of this many bytes; `None` where it is better stored as usual.
    pub fn to(bytes: usize) -> Option<Stream> {
        (cfg!(target_arch = "x86_64") && bytes >= LARGE).then_some(Stream(()))
    }

    /// Copies as many elements as both have.
    ///
    /// # Panics
    /// Where they are not as many.
    #[inline]
    pub fn copy<T: Element + Copy>(&mut self, from: &[T], to: &mut [T]) {
        assert_eq!(from.len(), to.len(), "a copy has the size of what is copied");
        #[cfg(target_arch = "x86_64")]
        x86::copy(from, to);
        #[cfg(not(target_arch = "x86_64"))]
        to.copy_from_slice(from);
    }
}

/// Elements of a cache line.
pub const fn line<T>() -> usize {
    if size_of::<T>() == 0 || size_of::<T>() > 64 { 1 } else { 64 / size_of::<T>() }
}

/// A hint that element `at`, counted from the start of the slice and perhaps beyond its end, is read soon: its cache line is
/// brought near meanwhile.
#[inline(always)]
pub fn prefetch<T>(x: &[T], at: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 has it, and it accesses nothing that a program could notice, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(x.as_ptr().wrapping_add(at).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (x, at);
}

#[cfg(target_arch = "x86_64")]
impl Drop for Stream {
    fn drop(&mut self) {
        // SAFETY: every x86-64 has it. These stores are ordered with no others but by this.
        unsafe { std::arch::x86_64::_mm_sfence() }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use levada_graph::Element;
    use std::arch::x86_64::{_mm256_loadu_ps, _mm256_stream_ps};

    /// Bytes of a cache line.
    const LINE: usize = 64;

    pub(super) fn copy<T: Element + Copy>(from: &[T], to: &mut [T]) {
        let size = size_of::<T>();
        let start = to.as_ptr().align_offset(LINE).min(to.len());
        let lines = (to.len() - start) * size / LINE;
        // Elements that divide a line, so that lines are whole elements, and have no bytes that are not set.
        if !T::DTYPE.is_plain() || !LINE.is_multiple_of(size) || lines == 0 || !is_x86_feature_detected!("avx") {
            return to.copy_from_slice(from);
        }
        let end = start + lines * (LINE / size);
        to[..start].copy_from_slice(&from[..start]);
        to[end..].copy_from_slice(&from[end..]);
        // SAFETY: both have so many lines, that of the result is at a multiple of a line, the machine has these instructions, and
        // every pattern of the bytes of an element is moved as it is.
        unsafe { copy_lines(from[start..end].as_ptr().cast(), to[start..end].as_mut_ptr().cast(), lines) }
    }

    /// # Safety
    /// `from` is readable and `to` writable for so many lines, `to` is at a multiple of a line, and they do not overlap.
    #[target_feature(enable = "avx")]
    unsafe fn copy_lines(from: *const f32, to: *mut f32, lines: usize) {
        for at in (0..lines * (LINE / size_of::<f32>())).step_by(LINE / size_of::<f32>()) {
            // SAFETY: as promised.
            unsafe {
                let (left, right) = (_mm256_loadu_ps(from.add(at)), _mm256_loadu_ps(from.add(at + 8)));
                _mm256_stream_ps(to.add(at), left);
                _mm256_stream_ps(to.add(at + 8), right);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_element_is_copied_from_any_place_to_any_place() {
        let from: Vec<f32> = (0..300).map(|i| i as f32).collect();
        for skip in 0..20 {
            for len in [0, 1, 15, 16, 17, 100, 200] {
                let mut to = vec![-1f32; 300];
                Stream(()).copy(&from[skip..skip + len], &mut to[2 * skip..2 * skip + len]);
                assert_eq!(to[2 * skip..2 * skip + len], from[skip..skip + len]);
                assert!(to[..2 * skip].iter().chain(&to[2 * skip + len..]).all(|&x| x == -1.0));
            }
        }
        let (from, mut to) = (vec![levada_graph::Complex64::new(1.0, 2.0); 99], vec![Default::default(); 99]);
        Stream(()).copy(&from, &mut to);
        assert_eq!(to, from);
        assert!(Stream::to(100).is_none());
    }
}

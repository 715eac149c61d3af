//! Loads and stores of more data than the caches hold: stores that bypass the caches, and prefetch hints.
#![allow(unsafe_code)]

use levada_graph::Element;
use pulp::Simd;

/// Results of at least this many bytes have left the caches by the time they are read.
const LARGE: usize = 16 << 20;

/// Stores large results without going through the caches. Other threads see what was stored once this is dropped.
pub struct Stream(());

impl Stream {
    /// For a result of this many bytes; `None` if ordinary stores are better.
    pub fn to(bytes: usize) -> Option<Stream> {
        (cfg!(target_arch = "x86_64") && bytes >= LARGE).then_some(Stream(()))
    }

    /// Copies all elements.
    ///
    /// # Panics
    /// If the lengths differ.
    #[inline]
    pub fn copy<T: Element + Copy>(&mut self, from: &[T], to: &mut [T]) {
        assert_eq!(from.len(), to.len(), "a copy has the size of what is copied");
        #[cfg(target_arch = "x86_64")]
        x86::copy(from, to);
        #[cfg(not(target_arch = "x86_64"))]
        to.copy_from_slice(from);
    }

    /// Stores vectors.
    ///
    /// # Panics
    /// If `to` does not have as many elements, or does not start at a multiple of a vector.
    #[inline(always)]
    pub(crate) fn vectors<S: Simd>(&mut self, simd: S, from: &[S::f32s], to: &mut [f32]) {
        let is_aligned = is_at(to, size_of::<S::f32s>());
        assert!(size_of_val(from) == size_of_val(to) && is_aligned, "vectors are stored where as many fit, aligned");
        #[cfg(target_arch = "x86_64")]
        x86::vectors(simd, from, to);
        #[cfg(not(target_arch = "x86_64"))]
        {
            let _ = simd;
            S::as_mut_simd_f32s(to).0.copy_from_slice(from);
        }
    }
}

/// True for a slice that starts at a multiple of a cache line.
pub(crate) fn is_at_line<T>(x: &[T]) -> bool {
    is_at(x, 64)
}

/// True for a slice that starts at a multiple of this many bytes.
#[inline(always)]
fn is_at<T>(x: &[T], bytes: usize) -> bool {
    (x.as_ptr() as usize).is_multiple_of(bytes)
}

/// Elements of a cache line.
pub const fn line<T>() -> usize {
    if size_of::<T>() == 0 || size_of::<T>() > 64 { 1 } else { 64 / size_of::<T>() }
}

/// Prefetches the cache line of element `at`, counted from the start of the slice and perhaps beyond its end, which is
/// read soon.
#[inline(always)]
pub fn prefetch<T>(x: &[T], at: usize) {
    hint::<T, true>(x, at);
}

/// As [`prefetch`], for data that is read later: the cache line is brought into the second-level cache, so that it does
/// not evict data that is read before it.
#[inline(always)]
pub fn prefetch_later<T>(x: &[T], at: usize) {
    hint::<T, false>(x, at);
}

#[inline(always)]
fn hint<T, const NEAREST: bool>(x: &[T], at: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _MM_HINT_T1, _mm_prefetch};
        let at = x.as_ptr().wrapping_add(at).cast();
        // SAFETY: every x86-64 processor has this instruction, and it has no effect that a program could notice,
        // whatever the address.
        unsafe {
            match NEAREST {
                true => _mm_prefetch::<_MM_HINT_T0>(at),
                false => _mm_prefetch::<_MM_HINT_T1>(at),
            }
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (x, at);
}

/// True if loops that read memory in order are faster with prefetch hints. AMD's processors (measured: Zen 4) detect
/// such loops themselves, and hints only get in their way.
pub fn needs_hints() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        static NEEDS: std::sync::LazyLock<bool> = std::sync::LazyLock::new(|| {
            let vendor = std::arch::x86_64::__cpuid(0);
            // The first four letters of "AuthenticAMD".
            vendor.ebx.to_le_bytes() != *b"Auth"
        });
        *NEEDS
    }
    #[cfg(not(target_arch = "x86_64"))]
    false
}

#[cfg(target_arch = "x86_64")]
impl Drop for Stream {
    fn drop(&mut self) {
        // SAFETY: every x86-64 processor has this instruction. These stores are ordered with others by nothing but
        // this.
        unsafe { std::arch::x86_64::_mm_sfence() }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use levada_graph::Element;
    use pulp::Simd;
    use pulp::x86::{V3, V4};
    use std::any::TypeId;
    use std::arch::x86_64::{__m256, __m512, _mm256_loadu_ps, _mm256_stream_ps, _mm512_stream_ps};

    /// Bytes of a cache line.
    const LINE: usize = 64;

    pub(super) fn copy<T: Element + Copy>(from: &[T], to: &mut [T]) {
        let size = size_of::<T>();
        let start = to.as_ptr().align_offset(LINE).min(to.len());
        let lines = (to.len() - start) * size / LINE;
        // Elements whose size divides a line, so that lines are whole elements, and that have no uninitialized bytes.
        if !T::DTYPE.is_plain() || !LINE.is_multiple_of(size) || lines == 0 || !is_x86_feature_detected!("avx") {
            return to.copy_from_slice(from);
        }
        let end = start + lines * (LINE / size);
        to[..start].copy_from_slice(&from[..start]);
        to[end..].copy_from_slice(&from[end..]);
        // SAFETY: both have this many lines, the result starts at a multiple of a line, the machine has these
        // instructions, and every byte pattern of an element is moved unchanged.
        unsafe { copy_lines(from[start..end].as_ptr().cast(), to[start..end].as_mut_ptr().cast(), lines) }
    }

    /// Stores vectors to as many elements at a multiple of a vector.
    #[inline(always)]
    pub(super) fn vectors<S: Simd>(_: S, from: &[S::f32s], to: &mut [f32]) {
        let is_512 = TypeId::of::<S>() == TypeId::of::<V4>();
        let is_256 = TypeId::of::<S>() == TypeId::of::<V3>();
        let to = if is_512 || is_256 { to } else { return S::as_mut_simd_f32s(to).0.copy_from_slice(from) };
        for (i, x) in from.iter().enumerate() {
            let at = to[i * S::F32_LANES..][..S::F32_LANES].as_mut_ptr();
            let x: *const S::f32s = x;
            // SAFETY: a `V4` or `V3` exists only on machines that have these instructions, its vectors have that many
            // bytes, as many are writable at `at`, and that is at a multiple of them, since the first of them is.
            unsafe {
                match is_512 {
                    true => _mm512_stream_ps(at, x.cast::<__m512>().read_unaligned()),
                    false => _mm256_stream_ps(at, x.cast::<__m256>().read_unaligned()),
                }
            }
        }
    }

    /// # Safety
    /// `from` is readable and `to` writable for this many lines, `to` is at a multiple of a line, and they do not
    /// overlap.
    #[target_feature(enable = "avx")]
    unsafe fn copy_lines(from: *const f32, to: *mut f32, lines: usize) {
        for at in (0..lines * (LINE / size_of::<f32>())).step_by(LINE / size_of::<f32>()) {
            // SAFETY: guaranteed by the caller.
            unsafe {
                let (left, right) = (_mm256_loadu_ps(from.add(at)), _mm256_loadu_ps(from.add(at + 8)));
                _mm256_stream_ps(to.add(at), left);
                _mm256_stream_ps(to.add(at + 8), right);
            }
        }
    }
}

/// Runs an operation with each instruction set that pulp chooses on some machine and this one has.
#[cfg(test)]
pub(crate) fn with_each_simd<W: pulp::WithSimd<Output = ()> + Copy>(operation: W) {
    Simd::vectorize(pulp::Scalar::new(), operation);
    #[cfg(target_arch = "x86_64")]
    {
        pulp::x86::V3::try_new().into_iter().for_each(|simd| Simd::vectorize(simd, operation));
        pulp::x86::V4::try_new().into_iter().for_each(|simd| Simd::vectorize(simd, operation));
    }
    #[cfg(not(target_arch = "x86_64"))]
    pulp::Arch::new().dispatch(operation);
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
    #[derive(Clone, Copy)]
    struct OneByOne;

    impl pulp::WithSimd for OneByOne {
        type Output = ();

        fn with_simd<S: Simd>(self, simd: S) {
            let from: Vec<f32> = (0..64).map(|i| i as f32).collect();
            let (vectors, _) = S::as_simd_f32s(&from);
            let mut to = vec![0f32; 64 + 16];
            let start = to.as_ptr().align_offset(64);
            for (x, to) in vectors.iter().zip(to[start..][..64].chunks_mut(S::F32_LANES)) {
                Stream(()).vectors(simd, &[*x], to);
            }
            assert_eq!(to[start..][..64], from);
        }
    }

    #[test]
    fn vectors_shorter_than_a_line_are_stored_one_by_one() {
        with_each_simd(OneByOne);
    }
}

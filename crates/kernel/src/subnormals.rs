//! Subnormal numbers are zeros in a step, as they are in TensorFlow's: operands count as zero, and results are zero.
//!
//! Many processors take some hundred cycles for an operation with them, so that a model whose activations, gradients or
//! moving averages vanish would run many times slower than one whose do not. Moves, comparisons of bits and
//! conversions from half precision keep them.
//!
//! All threads that kernels run on do so: the workers of a pool always, others while they work on a step
//! ([`lane::enter`](crate::lane::enter)).

#![allow(unsafe_code)]

use std::marker::PhantomData;

#[cfg(target_arch = "x86_64")]
mod control {
    use std::arch::asm;

    /// The bits "denormals are zeros" and "flush to zero" of MXCSR.
    pub(super) const FLUSH: u32 = 1 << 6 | 1 << 15;
    pub(super) type Bits = u32;

    pub(super) fn read() -> Bits {
        let mut bits = 0u32;
        // SAFETY: it writes four bytes to `bits`.
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut bits, options(nostack, preserves_flags)) };
        bits
    }

    /// # Safety
    /// `bits` is a value that was read, in which only bits of [`FLUSH`] may be changed.
    pub(super) unsafe fn write(bits: Bits) {
        // SAFETY: it reads four bytes from `bits`, of which no reserved one is set. The compiler assumes that the modes
        // have their defaults, so it may compute a constant, or move an operation over this line, in another mode. Such
        // an operation keeps a subnormal number or not, which every caller expects of it; nothing else depends on it.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const bits, options(nostack)) };
    }
}

#[cfg(target_arch = "aarch64")]
mod control {
    use std::arch::asm;

    /// The bit "flush to zero" of FPCR, for single and double precision.
    pub(super) const FLUSH: u64 = 1 << 24;
    pub(super) type Bits = u64;

    pub(super) fn read() -> Bits {
        let bits: u64;
        // SAFETY: it changes nothing but `bits`.
        unsafe { asm!("mrs {}, fpcr", out(reg) bits, options(nomem, nostack, preserves_flags)) };
        bits
    }

    /// # Safety
    /// `bits` is a value that was read, in which only bits of [`FLUSH`] may be changed.
    pub(super) unsafe fn write(bits: Bits) {
        // SAFETY: no reserved bit is set. The compiler may compute a constant, or move an operation over this line, in
        // another mode: it keeps a subnormal number then or not, and nothing else depends on it.
        unsafe { asm!("msr fpcr, {}", in(reg) bits, options(nostack)) };
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod control {
    pub(super) const FLUSH: u32 = 0;
    pub(super) type Bits = u32;

    pub(super) fn read() -> Bits {
        0
    }

    pub(super) unsafe fn write(_: Bits) {}
}

/// Guard: while it exists, this thread computes as chosen.
#[must_use]
pub struct Chosen {
    /// The modes before, if they were others.
    before: Option<control::Bits>,
    _of_this_thread: PhantomData<*const ()>,
}

/// Makes subnormal numbers zeros on this thread until the returned guard is dropped.
#[inline]
pub(crate) fn flush() -> Chosen {
    choose(control::FLUSH)
}

/// Keeps subnormal numbers on this thread until the returned guard is dropped, for code that takes them for something
/// else, such as integers in vectors of floats.
#[inline]
pub fn keep() -> Chosen {
    choose(0)
}

#[inline]
fn choose(bits: control::Bits) -> Chosen {
    let before = if levada_sync::MODELED { bits } else { control::read() };
    let is_other = before & control::FLUSH != bits;
    if is_other {
        // SAFETY: only these bits are changed.
        unsafe { control::write(before & !control::FLUSH | bits) };
    }
    Chosen { before: is_other.then_some(before), _of_this_thread: PhantomData }
}

impl Drop for Chosen {
    #[inline]
    fn drop(&mut self) {
        if let Some(before) = self.before {
            // SAFETY: it was read on this thread, which the guard has not left.
            unsafe { control::write(before) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;

    #[test]
    fn subnormal_numbers_are_zeros_while_a_guard_exists() {
        let products = || [black_box(1e-40f32) * black_box(1e30), black_box(1e-30f32) * black_box(1e-10)];
        let wide = || black_box(1e-310f64) * black_box(1e100);
        let kept = products();
        assert!(kept[0] > 0.0 && kept[1] > 0.0 && wide() > 0.0);
        {
            let _outer = flush();
            {
                let _inner = flush();
                assert_eq!((products(), wide()), ([0.0, 0.0], 0.0));
                let _kept = keep();
                assert!(products() == kept && wide() > 0.0);
            }
            assert_eq!((products(), wide()), ([0.0, 0.0], 0.0));
        }
        assert!(products() == kept && wide() > 0.0);
        let panics = std::panic::catch_unwind(|| {
            let _flushed = flush();
            panic!("in a kernel");
        });
        assert!(panics.is_err() && products() == kept);
    }
}

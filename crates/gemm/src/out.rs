//! Rows of a result that several threads write to.

#![allow(unsafe_code)]

use levada_kernel::stream::prefetch;
use std::marker::PhantomData;

/// Elements, some of which are written.
pub struct Out<'a, T> {
    start: *mut T,
    len: usize,
    of: PhantomData<&'a mut [T]>,
}

impl<'a, T> Out<'a, T> {
    /// `len` elements starting at `start`, some of which may belong to others.
    ///
    /// # Safety
    /// They exist for `'a`, and those that [`Out::row`] is called for are not accessed by others during that time.
    pub unsafe fn shared(start: *mut T, len: usize) -> Out<'a, T> {
        Out { start, len, of: PhantomData }
    }

    /// Prefetches the cache line of element number `place`.
    #[inline(always)]
    pub fn prefetch(&self, place: usize) {
        // SAFETY: it has no elements, and its start is that of live memory.
        prefetch(unsafe { std::slice::from_raw_parts(self.start, 0) }, place);
    }

    /// The `len` elements starting at number `place`.
    ///
    /// # Panics
    /// If there are fewer.
    #[inline(always)]
    pub fn row(&mut self, place: usize, len: usize) -> &mut [T] {
        assert!(place <= self.len && len <= self.len - place, "a row lies within the result");
        // SAFETY: these lie within the elements, as asserted, and are accessed only through this: it was made from an
        // exclusive borrow or as the contract of `shared` requires.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(place), len) }
    }
}

impl<'a, T> From<&'a mut [T]> for Out<'a, T> {
    fn from(all: &'a mut [T]) -> Out<'a, T> {
        Out { start: all.as_mut_ptr(), len: all.len(), of: PhantomData }
    }
}

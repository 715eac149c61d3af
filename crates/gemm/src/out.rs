//! Rows of a result that several threads write.

#![allow(unsafe_code)]

use std::marker::PhantomData;

/// Elements of which some are written.
pub struct Out<'a, T> {
    start: *mut T,
    len: usize,
    of: PhantomData<&'a mut [T]>,
}

impl<'a, T> Out<'a, T> {
    /// `len` elements from `start` on, of which others may have some.
    ///
    /// # Safety
    /// They exist for `'a`, and those that [`Out::row`] is asked for are nobody else's in that time.
    pub unsafe fn shared(start: *mut T, len: usize) -> Out<'a, T> {
        Out { start, len, of: PhantomData }
    }

    /// `len` elements from number `place` on.
    ///
    /// # Panics
    /// If there are fewer.
    #[inline(always)]
    pub fn row(&mut self, place: usize, len: usize) -> &mut [T] {
        assert!(place <= self.len && len <= self.len - place, "a row lies within the result");
        // SAFETY: these lie within the elements, as asserted, which this has alone: it was made of an exclusive borrow or as
        // the contract of `shared` says.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(place), len) }
    }
}

impl<'a, T> From<&'a mut [T]> for Out<'a, T> {
    fn from(all: &'a mut [T]) -> Out<'a, T> {
        Out { start: all.as_mut_ptr(), len: all.len(), of: PhantomData }
    }
}

//! Attrs with an erased type, and functions of them: code that uses these is compiled once and not for every op.
//!
//! Only the definition of an op knows the type. It provides both the functions and what opens an op for them, so these
//! are never called with attrs of another type.

#![allow(unsafe_code)]

use crate::def::{CutsOpaque, Facts, Finishing, FinishingOpaque};
use crate::kernel::KernelCx;
use crate::tiles::{Cuts, Given};
use levada_graph::{AnyOp, Result, Tensor};
use std::marker::PhantomData;
use std::mem::transmute;
use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::Arc;

/// A reference to the attrs of an op.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Opaque<'a>(NonNull<()>, PhantomData<&'a ()>);

impl<'a> Opaque<'a> {
    /// These attrs.
    pub fn of<A>(attrs: &'a A) -> Opaque<'a> {
        Opaque(NonNull::from(attrs).cast(), PhantomData)
    }
}

/// A function of attrs alone, for [`Opaque`] ones of the same type.
pub(crate) const fn question<A, R>(of: fn(&A) -> R) -> fn(Opaque<'_>) -> R {
    // SAFETY: functions that take a reference and those that take a transparent struct around a pointer have the same
    // calling convention.
    unsafe { transmute(of) }
}

/// As [`question`], for functions that also take an input.
pub(crate) const fn question_of<A, R>(of: fn(&A, &Tensor) -> R) -> fn(Opaque<'_>, &Tensor) -> R {
    // SAFETY: as above.
    unsafe { transmute(of) }
}

/// As [`question`], for what a kernel does.
pub(crate) const fn kernel<D, A>(
    compute: fn(&A, &mut KernelCx<'_, '_, D>) -> Result<()>,
) -> fn(Opaque<'_>, &mut KernelCx<'_, '_, D>) -> Result<()> {
    // SAFETY: as above.
    unsafe { transmute(compute) }
}

/// As [`question`], for functions that are given inputs as well.
pub(crate) const fn question_of_inputs<A>(of: fn(&A, &[Given<'_>]) -> Option<Cuts>) -> CutsOpaque {
    // SAFETY: as above.
    unsafe { transmute(of) }
}

/// As [`question`], for what a kernel does including the nodes after it.
pub(crate) const fn finishing<D, A>(compute: Finishing<D, A>) -> FinishingOpaque<D> {
    // SAFETY: as above.
    unsafe { transmute(compute) }
}

/// Returns the attrs of a node's op and the facts of its definition; `None` for an op with other attrs.
pub(crate) type Open = fn(&dyn AnyOp) -> Option<(Opaque<'_>, &'static Facts)>;

/// The op of a node, with its attrs at hand.
pub(crate) struct Opened {
    op: Arc<dyn AnyOp>,
    /// Within `op`.
    attrs: NonNull<()>,
    facts: &'static Facts,
}

// SAFETY: attrs are part of an op, which is both.
unsafe impl Send for Opened {}
// SAFETY: as above.
unsafe impl Sync for Opened {}

impl Opened {
    /// The op, opened by `open`.
    pub(crate) fn new(op: Arc<dyn AnyOp>, open: Open) -> Option<Opened> {
        let (Opaque(attrs, _), facts) = open(&*op)?;
        Some(Opened { op, attrs, facts })
    }

    /// Its attrs, which live as long as it does.
    #[inline]
    pub(crate) fn attrs(&self) -> Opaque<'_> {
        Opaque(self.attrs, PhantomData)
    }

    /// The facts of its definition.
    pub(crate) fn facts(&self) -> &'static Facts {
        self.facts
    }
}

impl Deref for Opened {
    type Target = dyn AnyOp;
    #[inline]
    fn deref(&self) -> &Self::Target {
        &*self.op
    }
}

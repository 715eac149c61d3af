//! How a family lists its ops.

use levada_graph::OpDef;
use levada_kernel::{Cpu, Kernel, KernelEntry, kernel};

/// An op of the library: its definition and its CPU kernel.
pub struct Entry {
    /// What it is.
    pub def: OpDef,
    /// What it does on the CPU.
    pub cpu: KernelEntry<Cpu>,
}

/// The entry of op `T`.
pub(crate) const fn entry<T: Kernel<Cpu>>() -> Entry {
    Entry { def: OpDef::of::<T>(), cpu: kernel::<Cpu, T>() }
}

/// Declares the files of a family and lists the ops in each: `file: Op, Op;`.
macro_rules! family {
    ($($vis:vis $file:ident: $($op:ident),+ $(,)?;)*) => {
        $($vis mod $file;)*
        /// The types of the ops of this family.
        pub(crate) mod types {
            $(pub use super::$file::{$($op),+};)*
        }
        /// The ops of this family.
        pub(crate) const OPS: &[$crate::family::Entry] = &[$($($crate::family::entry::<$file::$op>()),+),*];
    };
}

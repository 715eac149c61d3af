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
pub const fn entry<T: Kernel<Cpu>>() -> Entry {
    Entry { def: OpDef::of::<T>(), cpu: kernel::<Cpu, T>() }
}

/// Declares the files of a family and lists the ops in each: `file: Op, Op;`. `#[cfg(feature = "...")]` before a file leaves
/// it out of builds without that feature.
#[macro_export]
macro_rules! family {
    ($($(#[$meta:meta])* $vis:vis $file:ident: $($op:ident),+ $(,)?;)*) => {
        $($(#[$meta])* $vis mod $file;)*
        /// The types of the ops of this family.
        pub mod types {
            $($(#[$meta])* pub use super::$file::{$($op),+};)*
        }
        /// The ops of this family, file by file. A constant would have every op's code made again by each crate that reads it.
        pub static OPS: &[&[$crate::family::Entry]] =
            &[$($(#[$meta])* &[$($crate::family::entry::<$file::$op>()),+]),*];
    };
}

//! How a family lists its ops.

use levada_graph::OpDef;
use levada_kernel::def::OpAttrs;
use levada_kernel::{Cpu, Def, Kernel, KernelEntry, kernel};

/// An op of the library under one of its names: what it is, and its CPU kernel.
#[derive(Clone, Copy)]
pub struct Entry {
    /// What it is.
    pub def: OpDef,
    /// What it does on the CPU.
    pub cpu: KernelEntry<Cpu>,
}

/// The entry of op `T`.
pub fn entry<T: Kernel<Cpu>>() -> Entry {
    Entry { def: OpDef::of::<T>(), cpu: kernel::<Cpu, T>() }
}

/// The entries of a definition, one for each name.
pub fn entries<A: OpAttrs>(def: &'static Def<A>) -> impl Iterator<Item = Entry> {
    def.ops().zip(def.cpu_entries()).map(|(def, cpu)| Entry { def, cpu })
}

/// Declares the files of a family and lists the ops in each: `file = DEF, DEF;` where they are definitions, and
/// `file: Op, Op;` where they are types. `#[cfg(feature = "...")]` before a file leaves it out of builds without that feature.
#[macro_export]
macro_rules! family {
    (@file $vis:vis $file:ident { $($meta:tt)* } [$($op:ident)+] []) => { $($meta)* $vis mod $file; };
    // A definition is documented by its attrs or by `Def::doc`, which `docs/ops.md` and `levada::Ops` show.
    (@file $vis:vis $file:ident { $($meta:tt)* } [$($op:ident)*] [$($def:ident)+]) => {
        $($meta)* #[allow(missing_docs)] $vis mod $file;
    };
    (@export $file:ident { $($cfg:tt)* } [$($op:ident)+] []) => { $($cfg)* pub use super::$file::{$($op),+}; };
    (@export $file:ident { $($cfg:tt)* } [$($op:ident)*] [$($def:ident)+]) => { $($cfg)* pub use super::$file::*; };
    ($($(#[$meta:meta])* $vis:vis $file:ident $(: $($op:ident),+)? $(= $($def:ident),+)? $(,)?;)*) => {
        $($crate::family!(@file $vis $file { $(#[$meta])* } [$($($op)+)?] [$($($def)+)?]);)*
        /// The definitions and types of the ops of this family, and the attrs of the definitions.
        pub mod types {
            $($crate::family!(@export $file { $(#[$meta])* } [$($($op)+)?] [$($($def)+)?]);)*
        }
        /// The ops of this family, file by file, under all their names.
        pub fn ops() -> Vec<$crate::family::Entry> {
            let mut all = Vec::new();
            $($(#[$meta])* {
                $(all.extend([$($crate::family::entry::<$file::$op>()),+]);)?
                $($(all.extend($crate::family::entries(&$file::$def));)+)?
            })*
            all
        }
    };
}

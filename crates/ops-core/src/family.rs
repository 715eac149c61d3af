//! The list of a family's ops.

use levada_graph::OpDef;
use levada_kernel::def::AnyDef;
use levada_kernel::{Cpu, KernelEntry};

/// An op of the library under one of its names: its definition and its CPU kernel.
#[derive(Clone, Copy)]
pub struct Entry {
    /// Its definition.
    pub def: OpDef,
    /// Its CPU kernel.
    pub cpu: KernelEntry<Cpu>,
}

/// Returns the entries of the definitions in each file, one per name.
pub fn entries(files: &[&[&'static dyn AnyDef]]) -> Vec<Entry> {
    let defs = files.iter().copied().flatten();
    defs.flat_map(|def| def.ops().zip(def.cpu_entries())).map(|(def, cpu)| Entry { def, cpu }).collect()
}

/// Declares the files of a family and lists the definitions in each: `file = DEF, DEF;`. `#[cfg(feature = "...")]`
/// before a file excludes it from builds without that feature.
#[macro_export]
macro_rules! family {
    ($($(#[$meta:meta])* $vis:vis $file:ident = $($def:ident),+ $(,)?;)*) => {
        // A definition is documented by its attrs or by `Def::doc`, which appear in `docs/ops.md` and `levada::Ops`.
        $($(#[$meta])* #[allow(missing_docs)] $vis mod $file;)*
        /// The definitions of the ops of this family, and their attrs.
        pub mod types {
            $($(#[$meta])* pub use super::$file::*;)*
        }
        /// Returns the ops of this family, file by file, under all their names.
        pub fn ops() -> Vec<$crate::family::Entry> {
            $crate::family::entries(&[$($(#[$meta])* &[$(&$file::$def),+]),*])
        }
    };
}

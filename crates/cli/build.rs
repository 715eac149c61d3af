//! Passes linker options that make the command smaller.

#[path = "build/link.rs"]
mod link;

/// Packs relative relocations into bitmaps, which the system's loader must support.
const PACK: &str = "-Wl,-z,pack-relative-relocs";

fn main() {
    println!("cargo::rerun-if-changed=build/link.rs");
    link::ask("rustc-link-arg-bins", &[link::FOLD, PACK]);
}

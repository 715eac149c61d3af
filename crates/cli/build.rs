//! Makes the command smaller.

#[path = "build/link.rs"]
mod link;

/// Addresses that depend on where the program is loaded take bits instead of records, which a system's loader must know.
const PACK: &str = "-Wl,-z,pack-relative-relocs";

fn main() {
    println!("cargo::rerun-if-changed=build/link.rs");
    link::ask("rustc-link-arg-bins", &[link::FOLD, PACK]);
}

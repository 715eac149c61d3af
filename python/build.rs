//! Passes linker options that make the module smaller.

#[path = "../crates/cli/build/link.rs"]
mod link;

fn main() {
    println!("cargo::rerun-if-changed=../crates/cli/build/link.rs");
    // A wheel may be installed on older systems, so no options that the loader must support.
    link::ask("rustc-link-arg-cdylib", &[link::FOLD]);
}

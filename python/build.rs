//! Makes the module smaller.

#[path = "../crates/cli/build/link.rs"]
mod link;

fn main() {
    println!("cargo::rerun-if-changed=../crates/cli/build/link.rs");
    // A wheel may be installed on older systems than this one: no options that the loader must know.
    link::ask("rustc-link-arg-cdylib", &[link::FOLD]);
}

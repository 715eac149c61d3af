//! Linker options that make a program smaller, used if the linker and the system support them.

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

/// Merges functions with identical code.
pub const FOLD: &str = "-Wl,--icf=all";

/// Passes these options by a cargo instruction such as `rustc-link-arg-bins`.
pub fn ask(instruction: &str, options: &[&str]) {
    println!("cargo::rerun-if-changed=build.rs");
    let set = |name: &str| env::var(name).unwrap_or_default();
    // A program built for another system cannot be tried here, and test builds should link fast.
    if set("CARGO_CFG_TARGET_OS") != "linux" || set("TARGET") != set("HOST") || set("PROFILE") != "release" {
        return;
    }
    for option in options.iter().filter(|option| works(option)) {
        println!("cargo::{instruction}={option}");
    }
}

/// True if a program linked with this option runs.
fn works(option: &str) -> bool {
    let set = |name: &str| env::var_os(name);
    let (Some(rustc), Some(out)) = (set("RUSTC"), set("OUT_DIR")) else { return false };
    let (source, program) = (Path::new(&out).join("probe.rs"), Path::new(&out).join("probe"));
    if std::fs::write(&source, "fn main() {}").is_err() {
        return false;
    }
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    let mut command = Command::new(rustc);
    command.args(flags.split('\x1f').filter(|flag| !flag.is_empty()));
    if let Some(linker) = set("RUSTC_LINKER") {
        let mut option = OsString::from("-Clinker=");
        option.push(linker);
        command.arg(option);
    }
    command.arg("-o").arg(&program).arg(format!("-Clink-arg={option}")).arg(&source);
    let built = command.output().is_ok_and(|output| output.status.success());
    built && Command::new(&program).status().is_ok_and(|status| status.success())
}

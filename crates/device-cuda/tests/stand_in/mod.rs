//! Stand-ins for the libraries of CUDA, which compute on the processor: for machines without a graphics processor, and
//! stricter than one. They are built with a C++ compiler when they are first needed.
//!
//! `LEVADA_REQUIRE_STAND_IN=1` requires that there is a compiler.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Set in a process that was started by [`here_again`].
const INSIDE: &str = "LEVADA_STAND_IN";

const HEADERS: &[(&str, &str)] = &[
    ("driver.h", include_str!("driver.h")),
    ("numbers.h", include_str!("numbers.h")),
    ("world.h", include_str!("world.h")),
    ("memory.h", include_str!("memory.h")),
    ("streams.h", include_str!("streams.h")),
    ("kernels.h", include_str!("kernels.h")),
    ("api_streams.h", include_str!("api_streams.h")),
    ("api_programs.h", include_str!("api_programs.h")),
    ("api_graphs.h", include_str!("api_graphs.h")),
];
const SHIM: &str = include_str!("shim.h");

/// Source, name and soname of each library. The first is the one that the others use.
const LIBRARIES: &[(&str, &str, &str)] = &[
    ("cuda.cpp", include_str!("cuda.cpp"), "libcuda.so"),
    ("nvrtc.cpp", include_str!("nvrtc.cpp"), "libnvrtc.so"),
    ("cublaslt.cpp", include_str!("cublaslt.cpp"), "libcublasLt.so"),
    ("cudnn.cpp", include_str!("cudnn.cpp"), "libcudnn.so"),
];

fn compiler() -> String {
    std::env::var("LEVADA_STAND_IN_CXX").unwrap_or_else(|_| "c++".to_owned())
}

/// The folder with the libraries; `None` if there is no compiler.
fn libraries() -> Option<&'static Path> {
    static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();
    FOLDER.get_or_init(built).as_deref()
}

fn built() -> Option<PathBuf> {
    if Command::new(compiler()).arg("--version").output().is_err() {
        let required = std::env::var("LEVADA_REQUIRE_STAND_IN").is_ok_and(|v| v == "1");
        assert!(!required, "there is no C++ compiler");
        println!("skipped: no C++ compiler for the stand-ins of CUDA's libraries");
        return None;
    }
    let mut hasher = DefaultHasher::new();
    (HEADERS, SHIM, LIBRARIES, compiler()).hash(&mut hasher);
    let number = format!("{:016x}", hasher.finish());
    let beside = std::env::current_exe().unwrap().parent().unwrap().to_owned();
    let done = beside.join("stand_in").join(&number);
    if !done.exists() {
        let made = beside.join("stand_in").join(format!("{number}.{}", std::process::id()));
        std::fs::create_dir_all(made.join("programs")).unwrap();
        build(&made);
        // Another process may have been faster.
        if std::fs::rename(&made, &done).is_err() {
            let _ = std::fs::remove_dir_all(&made);
        }
    }
    Some(done)
}

fn build(folder: &Path) {
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    HEADERS.iter().for_each(|(name, text)| write(name, text));
    write("shim.inc", &format!("R\"shim({SHIM})shim\"\n"));
    for (i, (source, text, library)) in LIBRARIES.iter().enumerate() {
        write(source, text);
        let mut command = Command::new(compiler());
        command.current_dir(folder).args(["-std=c++17", "-O2", "-fPIC", "-shared", "-pthread", "-I.", "-o", library]);
        command.args([*source, &*format!("-Wl,-soname,{library}"), "-Wl,-rpath,$ORIGIN"]);
        match i {
            0 => command.arg("-ldl"),
            _ => command.args(["-L.", &format!("-l:{}", LIBRARIES[0].2)]),
        };
        let built = command.output().unwrap();
        assert!(built.status.success(), "{source}: {}", String::from_utf8_lossy(&built.stderr));
    }
}

/// True in a process that was started by [`here_again`].
pub fn inside() -> bool {
    std::env::var_os(INSIDE).is_some()
}

/// Runs tests of this program again, in a separate process that finds the stand-ins: those selected by the arguments,
/// with these settings. It is to be called by a test outside, and the selected tests must test something inside.
pub fn here_again(arguments: &[&str], settings: &[(&str, &str)]) {
    if inside() {
        return;
    }
    let Some(folder) = libraries() else { return };
    let mut command = Command::new(std::env::current_exe().unwrap());
    let path = std::env::var("LD_LIBRARY_PATH").map_or_else(|_| String::new(), |p| format!(":{p}"));
    command.env("LD_LIBRARY_PATH", format!("{}{path}", folder.display()));
    command.env("LEVADA_STAND_IN_CACHE", folder.join("programs"));
    command.env(INSIDE, "1").env_remove("RUST_TEST_THREADS").args(arguments).args(["--nocapture"]);
    // There are no drivers of Vulkan to find.
    command.env("VK_DRIVER_FILES", "/dev/null").env("VK_ICD_FILENAMES", "/dev/null");
    settings.iter().for_each(|(name, value)| {
        command.env(name, value);
    });
    let output = command.output().unwrap();
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    print!("{text}");
    assert!(output.status.success(), "on the stand-ins, with {arguments:?} and {settings:?}: {}", output.status);
    assert!(!text.contains("running 0 tests"), "{arguments:?} selects no tests");
}

//! Integration tests.

#[path = "../crates/device-cuda/tests/stand_in/mod.rs"]
pub mod stand_in;

use levada::gpus;
use levada_gpu::Processor;
use std::path::{Path, PathBuf};

/// The files of recorded cases in `folder` whose names end in `suffix`, in order.
pub fn recorded(folder: &str, suffix: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = folder.read_dir().into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let mut files: Vec<PathBuf> = entries.filter(|p| p.to_string_lossy().ends_with(suffix)).collect();
    files.sort();
    files
}

/// The GPUs of this machine. Without any there is nothing to test, unless `LEVADA_REQUIRE_GPU=1` says that there must
/// be some.
pub fn graphics_processors() -> Vec<&'static dyn Processor> {
    let found = gpus::found();
    for backend in gpus::backends() {
        if let Some(why) = &backend.absence {
            println!("no devices from {}: {why}", backend.backend);
        }
    }
    let required = std::env::var("LEVADA_REQUIRE_GPU").is_ok_and(|v| v == "1");
    let required = required || stand_in::inside();
    assert!(!found.is_empty() || !required, "there must be a graphics processor");
    found
}

/// Panics if a trace has an event that its graph does not allow, on the host or on a device, or if an event is missing.
pub fn allowed(trace: &levada::StepTrace) {
    let names: Vec<_> = trace.events.iter().flat_map(|e| e.nodes().iter().cloned()).collect();
    if let Err(violations) = levada::trace::check(trace, &names, &trace.edges) {
        panic!("{violations:?}\n{}", levada::trace::report::device_order(trace));
    }
    assert_eq!(trace.device_events_lost, 0);
}

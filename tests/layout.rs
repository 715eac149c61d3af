//! Crates depend on each other in one direction only; `docs/architecture.md` has the table.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// What each crate may depend on. `levada-testkit` is for tests and may be a dev-dependency of any.
const ALLOWED: &[(&str, &[&str])] = &[
    ("levada-graph", &[]),
    ("levada-trace", &["levada-graph"]),
    ("levada-kernel", &["levada-graph", "levada-trace"]),
    ("levada-decompose", &[]),
    ("levada-ops", &["levada-decompose", "levada-graph", "levada-kernel", "levada-records"]),
    ("levada-device-cuda", &["levada-graph", "levada-kernel", "levada-ops", "levada-gpu", "levada-trace"]),
    ("levada-gpu", &["levada-graph", "levada-kernel", "levada-ops", "levada-trace"]),
    ("levada-device-wgpu", &["levada-graph", "levada-kernel", "levada-gpu", "levada-trace"]),
    ("levada-placer", &["levada-graph", "levada-kernel"]),
    ("levada-executor", &["levada-graph", "levada-trace", "levada-kernel"]),
    ("levada-compile", &["levada-graph", "levada-kernel", "levada-placer", "levada-executor"]),
    (
        "levada-session",
        &["levada-graph", "levada-trace", "levada-kernel", "levada-placer", "levada-executor", "levada-compile"],
    ),
    ("levada-records", &["levada-graph"]),
    ("levada-replay", &["levada-graph"]),
    (
        "levada",
        &[
            "levada-graph",
            "levada-trace",
            "levada-kernel",
            "levada-ops",
            "levada-placer",
            "levada-executor",
            "levada-compile",
            "levada-session",
            "levada-records",
            "levada-replay",
            "levada-gpu",
            "levada-device-cuda",
            "levada-device-wgpu",
        ],
    ),
    ("levada-cli", &["levada"]),
    ("levada-testkit", &["levada"]),
    ("levada-tests", &["levada", "levada-device-cuda", "levada-gpu", "levada-testkit"]),
];

/// Crates from outside that belong to one of ours, so that a second one does not grow beside it.
const OWNED: &[(&str, &[&str])] = &[
    ("petgraph", &["levada-graph", "levada-compile", "levada-session"]),
    ("prost", &["levada-graph"]),
    ("gemm", &["levada-ops"]),
    ("rayon", &["levada-kernel", "levada-ops"]),
    ("cudarc", &["levada-device-cuda"]),
    ("crossbeam", &["levada-executor"]),
    ("clap", &["levada-cli"]),
    ("mimalloc", &["levada-cli"]),
    ("crc32c", &["levada-records"]),
    ("faer", &["levada-decompose"]),
    ("gif", &["levada-ops"]),
    ("jpeg-decoder", &["levada-ops"]),
    ("jpeg-encoder", &["levada-ops"]),
    ("png", &["levada-ops"]),
    ("realfft", &["levada-ops"]),
    ("rustfft", &["levada-ops"]),
    ("flate2", &["levada-records", "levada-replay"]),
    ("wgpu", &["levada-device-wgpu"]),
    ("zip", &["levada-cli"]),
];

fn dependencies(of: &Value) -> impl Iterator<Item = (&str, bool)> {
    let all = of["dependencies"].as_array().map(Vec::as_slice).unwrap_or_default();
    all.iter().filter_map(|d| Some((d["name"].as_str()?, d["kind"] == "dev")))
}

fn packages() -> BTreeMap<String, Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap().clone();
    packages.into_iter().map(|p| (p["name"].as_str().unwrap().to_owned(), p)).collect()
}

#[test]
fn no_crate_depends_on_one_that_it_must_not_know() {
    let packages = packages();
    let allowed: BTreeMap<&str, BTreeSet<&str>> =
        ALLOWED.iter().map(|(name, deps)| (*name, deps.iter().copied().collect())).collect();
    let mut faults = Vec::new();
    for (name, package) in &packages {
        let Some(allowed) = allowed.get(name.as_str()) else {
            faults.push(format!("{name} is not in the table"));
            continue;
        };
        for (dependency, is_dev) in dependencies(package).filter(|(d, _)| packages.contains_key(*d)) {
            let for_tests = is_dev && (dependency == "levada-testkit" || dependency == name);
            if !allowed.contains(dependency) && !for_tests {
                faults.push(format!("{name} must not depend on {dependency}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn outside_crates_stay_with_their_owner() {
    let packages = packages();
    let mut faults = Vec::new();
    for (outside, owners) in OWNED {
        for (name, package) in packages.iter().filter(|(name, _)| !owners.contains(&name.as_str())) {
            if dependencies(package).any(|(d, is_dev)| d == *outside && !is_dev) {
                faults.push(format!("{name} must not depend on {outside}; {} may", owners.join(" and ")));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

//! `levada devices`, and the devices of other verbs.

use crate::args::{Device, Devices, DevicesArgs};
use crate::fit::fit;
use crate::{print, quiet, show};
use levada::gpus::{self, Kind};
use levada::kernel::{AnyDevice, Arena};
use levada::{Result, SessionOptions};
use serde_json::{Value, json};
use std::fmt;
use std::process::ExitCode;
use std::sync::Arc;

impl Devices {
    /// Opens the devices; `lenient` accepts a machine with fewer than requested.
    ///
    /// # Errors
    /// `UNAVAILABLE` if there are too few.
    pub fn open(self, lenient: bool) -> Result<Vec<Arc<dyn AnyDevice>>> {
        if self.gpus > 0 {
            quiet::find_devices(false);
        }
        let options = SessionOptions { cpus: self.cpus, gpus: self.gpus, ..SessionOptions::default() };
        if !lenient {
            gpus::check(&options)?;
        }
        Ok(levada::devices(&options))
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "/device:{}:{}", self.kind, self.id)
    }
}

/// Lists the devices of this machine, and why other backends found none.
///
/// # Errors
/// None.
pub fn devices(args: &DevicesArgs) -> Result<ExitCode> {
    quiet::find_devices(args.drivers);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let memory_of_host = Arena::for_this_machine().limit() as u64;
    if args.json {
        print(&format!("{:#}\n", as_json(threads, memory_of_host)));
        return Ok(ExitCode::SUCCESS);
    }
    let cpu = [
        "CPU:0".to_owned(),
        show::count(threads, "thread"),
        String::new(),
        memory(Some(memory_of_host)),
        String::new(),
    ];
    let mut rows = vec![cpu];
    for (i, gpu) in gpus::found().into_iter().enumerate() {
        let info = gpu.info();
        let kind = if info.kind == Kind::Other { String::new() } else { info.kind.to_string() };
        let driver = format!("{}, {}", info.interface, info.driver);
        rows.push([format!("GPU:{i}"), info.name.clone(), kind, memory(info.memory), driver]);
    }
    let mut out = fit(&show::table("lllrl", &rows));
    for backend in gpus::backends() {
        if !backend.libraries.is_empty() {
            out.push_str(&format!("\n{} has {}\n", backend.backend, libraries(&backend.libraries)));
        }
        if let Some(why) = &backend.absence {
            out.push_str(&format!("\nno devices from {}: {why}\n", backend.backend));
        }
    }
    print(&out);
    Ok(ExitCode::SUCCESS)
}

/// Names of all devices, with the models of GPUs.
pub fn names() -> Vec<String> {
    quiet::find_devices(false);
    let gpus = gpus::found().into_iter().enumerate().map(|(i, gpu)| format!("GPU:{i} ({})", gpu.info().name));
    ["CPU:0".to_owned()].into_iter().chain(gpus).collect()
}

fn as_json(threads: usize, memory_of_host: u64) -> Value {
    let cpu = [json!({"name": "CPU:0", "threads": threads, "memory_bytes": memory_of_host})];
    let gpus = gpus::found().into_iter().enumerate().map(|(i, gpu)| {
        let info = gpu.info();
        json!({
            "name": format!("GPU:{i}"), "model": info.name, "kind": info.kind.to_string(), "memory_bytes": info.memory,
            "interface": info.interface, "driver": info.driver,
        })
    });
    let backends = gpus::backends().iter().map(|b| {
        let libraries = b.libraries.iter().map(|l| json!({"name": l.name, "version": l.version}));
        json!({
            "name": b.backend, "devices": b.found.len(), "absence": b.absence,
            "libraries": libraries.collect::<Vec<_>>(),
        })
    });
    let devices: Vec<Value> = cpu.into_iter().chain(gpus).collect();
    json!({"version": 1, "devices": devices, "backends": backends.collect::<Vec<_>>()})
}

/// `NVRTC 13.0 and cuBLASLt 13.0.2, but not cuDNN`.
fn libraries(all: &[gpus::Library]) -> String {
    let there = |l: &gpus::Library| Some(format!("{} {}", l.name, l.version.as_ref()?));
    let found: Vec<String> = all.iter().filter_map(there).collect();
    let missing: Vec<&str> = all.iter().filter(|l| l.version.is_none()).map(|l| l.name).collect();
    match (found.is_empty(), missing.is_empty()) {
        (_, true) => found.join(", "),
        (true, _) => format!("neither {}", missing.join(" nor ")),
        _ => format!("{}, but not {}", found.join(", "), missing.join(" and ")),
    }
}

fn memory(bytes: Option<u64>) -> String {
    bytes.map_or_else(|| "memory unknown".to_owned(), |b| format!("{:.1} GB", b as f64 / 1e9))
}

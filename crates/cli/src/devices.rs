//! `levada devices`, and devices as other verbs take them.

use crate::args::{Device, Devices};
use crate::{print, show};
use levada::gpus::{self, Kind};
use levada::kernel::{AnyDevice, Arena};
use levada::{Result, SessionOptions};
use std::fmt;
use std::process::ExitCode;
use std::sync::Arc;

impl Devices {
    /// The devices; without `lenient` only where the machine has as many as are asked for.
    ///
    /// # Errors
    /// `UNAVAILABLE` where it has not.
    pub fn open(self, lenient: bool) -> Result<Vec<Arc<dyn AnyDevice>>> {
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

/// Lists the devices of this machine, and why there are no others.
///
/// # Errors
/// None.
pub fn devices() -> Result<ExitCode> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let cpu = [
        "CPU:0".to_owned(),
        show::count(threads, "thread"),
        String::new(),
        memory(Some(Arena::for_this_machine().limit() as u64)),
        String::new(),
    ];
    let mut rows = vec![cpu];
    for (i, gpu) in gpus::found().into_iter().enumerate() {
        let info = gpu.info();
        let kind = if info.kind == Kind::Other { String::new() } else { info.kind.to_string() };
        let driver = format!("{}, {}", info.interface, info.driver);
        rows.push([format!("GPU:{i}"), info.name.clone(), kind, memory(info.memory), driver]);
    }
    let mut out = show::table("lllrl", &rows);
    for backend in gpus::backends() {
        if let Some(why) = &backend.absence {
            out.push_str(&format!("\nno devices from {}: {why}\n", backend.backend));
        }
    }
    print(&out);
    Ok(ExitCode::SUCCESS)
}

fn memory(bytes: Option<u64>) -> String {
    bytes.map_or_else(|| "memory unknown".to_owned(), |b| format!("{:.1} GB", b as f64 / 1e9))
}

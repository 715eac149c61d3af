//! Describes devices: compute speed, memory, and the bandwidth and latency of the links between them.

use crate::target::Targets;
use levada_graph::device::DeviceName;
use levada_graph::{Error, Result};
use levada_kernel::AnyDevice;
use serde::Deserialize;
use std::sync::Arc;

/// The performance of a device.
#[derive(Clone, Debug)]
pub struct DeviceSpec {
    /// Floating-point operations a second.
    pub flops: f64,
    /// Bytes a second between its processor and its memory.
    pub bandwidth: f64,
    /// Bytes that tensors may take; infinite for no limit.
    pub memory: f64,
    /// Fixed overhead of every node, in nanoseconds.
    pub overhead_ns: f64,
    /// The number of the thread pool that it shares with other devices; `None` for a processor of its own that runs one
    /// node at a time.
    pub pool: Option<usize>,
}

/// The performance of the link between two devices.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Link {
    /// Bytes a second; infinite where both share one memory.
    pub bandwidth: f64,
    /// Latency of every transfer, in nanoseconds.
    pub latency_ns: f64,
}

impl Link {
    /// Nanoseconds that a transfer of this many bytes takes.
    pub fn nanos(&self, bytes: f64) -> f64 {
        self.latency_ns + bytes / self.bandwidth * 1e9
    }

    /// True if the devices share memory, so that nothing is copied.
    pub fn is_shared_memory(&self) -> bool {
        self.bandwidth.is_infinite()
    }
}

/// Devices, the links between them, and thread pools.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// Names and types.
    pub targets: Targets,
    /// The performance of each device, by number.
    pub devices: Vec<DeviceSpec>,
    links: Vec<Link>,
    /// Threads of each pool.
    pub pools: Vec<usize>,
}

/// A hop between devices that share their memory: a send and a receive, in nanoseconds.
const HOP_NS: f64 = 80.0;
const SHARED: Link = Link { bandwidth: f64::INFINITY, latency_ns: HOP_NS };
/// The performance of a CPU core and its memory, used until it is measured.
const CPU_FLOPS: f64 = 100e9;
const CPU_BANDWIDTH: f64 = 20e9;
const CPU_OVERHEAD_NS: f64 = 20.0;

impl Cluster {
    /// The devices of a session; CPUs share `threads` threads.
    ///
    /// # Errors
    /// The errors of [`Targets::of`].
    pub fn of(devices: &[Arc<dyn AnyDevice>], threads: usize) -> Result<Cluster> {
        let targets = Targets::of(devices)?;
        let spec = |device: &Arc<dyn AnyDevice>| {
            let is_cpu = device.kind() == "CPU";
            DeviceSpec {
                flops: if is_cpu { CPU_FLOPS } else { 10e12 },
                bandwidth: if is_cpu { CPU_BANDWIDTH } else { 500e9 },
                memory: device.memory_limit().map_or(f64::INFINITY, |m| m as f64),
                overhead_ns: if is_cpu { CPU_OVERHEAD_NS } else { 5_000.0 },
                pool: is_cpu.then_some(0),
            }
        };
        let own = |i: usize| devices[i].memory().is_some();
        let n = devices.len();
        let link = |i: usize| match own(i / n) || own(i % n) {
            true => Link { bandwidth: 12e9, latency_ns: 10_000.0 },
            false => SHARED,
        };
        let specs = devices.iter().map(spec).collect();
        Ok(Cluster { targets, devices: specs, links: (0..n * n).map(link).collect(), pools: vec![threads.max(1)] })
    }

    /// Number of devices.
    pub fn len(&self) -> usize {
        self.devices.len()
    }

    /// True if there are no devices.
    pub fn is_empty(&self) -> bool {
        self.devices.is_empty()
    }

    /// The link from one device to another.
    pub fn link(&self, from: u32, to: u32) -> Link {
        self.links[from as usize * self.devices.len() + to as usize]
    }

    /// Sets the measured time of a hop between devices that share their memory, in nanoseconds, excluding the normal
    /// cost of the two nodes.
    pub fn measure_hop(&mut self, nanos: f64) {
        let overhead = self.devices.iter().filter(|d| d.pool.is_some()).map(|d| d.overhead_ns).fold(0.0, f64::max);
        for link in self.links.iter_mut().filter(|l| l.is_shared_memory()) {
            link.latency_ns = nanos + 2.0 * overhead;
        }
    }

    /// Sets the measured performance of copies between host memory and a device's own memory, to or from the device:
    /// latency in nanoseconds and bandwidth in bytes per second, as far as they are known.
    pub fn measure_copies(&mut self, device: u32, to_it: bool, latency_ns: Option<f64>, bandwidth: Option<f64>) {
        let n = self.devices.len() as u32;
        for host in (0..n).filter(|&d| d != device && self.devices[d as usize].pool.is_some()) {
            let (from, to) = if to_it { (host, device) } else { (device, host) };
            let link = &mut self.links[(from * n + to) as usize];
            if !link.is_shared_memory() {
                link.latency_ns = latency_ns.unwrap_or(link.latency_ns);
                link.bandwidth = bandwidth.filter(|b| b.is_finite() && *b > 0.0).unwrap_or(link.bandwidth);
            }
        }
    }

    /// Reads a description; see `docs/placement.md` for its fields.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if the text is malformed, a number is not positive, or a name is wrong.
    pub fn read(text: &str) -> Result<Cluster> {
        let written: ClusterFile = serde_json::from_str(text).map_err(|e| {
            Error::invalid(format!("this does not describe a cluster: {e}")).line(e.line()).column(e.column())
        })?;
        let mut names = Vec::new();
        let mut devices = Vec::new();
        let mut pools: Vec<(String, usize)> = Vec::new();
        for d in &written.devices {
            let fault = |what: &str| Err(Error::invalid(format!("the devices of type {} {what}", d.kind)));
            if !(1..=1024).contains(&d.count) {
                return fault("need a count from 1 to 1024");
            }
            let numbers = [d.gflops, d.memory_gbps, d.memory_gb.unwrap_or(1.0)];
            if numbers.iter().any(|v| !(v.is_finite() && *v > 0.0))
                || !d.overhead_us.is_none_or(|us| us.is_finite() && us >= 0.0)
            {
                return fault("need positive numbers");
            }
            let pool = d.pool.as_ref().map(|name| match pools.iter().position(|(p, _)| p == name) {
                Some(at) => at,
                None => {
                    pools.push((name.clone(), d.threads.unwrap_or(1).max(1)));
                    pools.len() - 1
                }
            });
            for _ in 0..d.count {
                let kinds_before = names.iter().filter(|n: &&DeviceName| {
                    n.kind.as_deref() == Some(&d.kind) && n.job == Some(d.job.clone()) && n.task == Some(d.task)
                });
                let id = kinds_before.count() as u32;
                let name = DeviceName {
                    job: Some(d.job.clone()),
                    replica: Some(0),
                    task: Some(d.task),
                    kind: Some(d.kind.clone()),
                    id: Some(id),
                };
                names.push(name);
                devices.push(DeviceSpec {
                    flops: d.gflops * 1e9,
                    bandwidth: d.memory_gbps * 1e9,
                    memory: d.memory_gb.map_or(f64::INFINITY, |gb| gb * 1e9),
                    overhead_ns: d
                        .overhead_us
                        .map_or(if pool.is_some() { CPU_OVERHEAD_NS } else { 0.0 }, |us| us * 1e3),
                    pool,
                });
            }
        }
        let texts: Vec<String> = names.iter().map(ToString::to_string).collect();
        let targets = Targets::new(texts.iter().map(String::as_str))?;
        let mut ways: Vec<(DeviceName, DeviceName, Link)> = Vec::new();
        for l in &written.links {
            let positive =
                l.gbps.is_none_or(|g| g.is_finite() && g > 0.0) && l.latency_us.is_finite() && l.latency_us >= 0.0;
            if !positive {
                return Err(Error::invalid(format!("the link from {} to {} needs positive numbers", l.from, l.to)));
            }
            let link = Link { bandwidth: l.gbps.map_or(f64::INFINITY, |g| g * 1e9), latency_ns: l.latency_us * 1e3 };
            ways.push((DeviceName::parse(&l.from)?, DeviceName::parse(&l.to)?, link));
        }
        let slow = Link { bandwidth: 10e9, latency_ns: 10_000.0 };
        let n = devices.len();
        let way = |from: usize, to: usize| {
            if devices[from].pool.is_some() && devices[from].pool == devices[to].pool {
                return SHARED;
            }
            let (a, b) = (&names[from], &names[to]);
            let fits = |(x, y, _): &&(DeviceName, DeviceName, Link)| {
                (x.matches(a) && y.matches(b)) || (x.matches(b) && y.matches(a))
            };
            ways.iter().find(fits).map_or(slow, |(.., link)| *link)
        };
        let links = (0..n * n).map(|i| way(i / n, i % n)).collect();
        Ok(Cluster { targets, devices, links, pools: pools.into_iter().map(|(_, threads)| threads).collect() })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClusterFile {
    /// A description for people.
    #[serde(default, rename = "about")]
    _about: String,
    devices: Vec<WrittenDevice>,
    #[serde(default)]
    links: Vec<WrittenLink>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenDevice {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default = "one")]
    count: usize,
    #[serde(default = "localhost")]
    job: String,
    #[serde(default)]
    task: u32,
    gflops: f64,
    memory_gbps: f64,
    memory_gb: Option<f64>,
    overhead_us: Option<f64>,
    pool: Option<String>,
    threads: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenLink {
    from: String,
    to: String,
    gbps: Option<f64>,
    latency_us: f64,
}

fn one() -> usize {
    1
}

fn localhost() -> String {
    "localhost".to_owned()
}

//! Finding devices.

use crate::backend::{Shared, Wgpu};
use crate::scope::ready;
use levada_gpu::discovery::{Info, Kind};
use levada_gpu::{Backend, Discovery, Processor};
use levada_graph::{Code, Error, Result};
use levada_kernel::Arena;
use parking_lot::Mutex;
use std::sync::Arc;

/// The interfaces that this crate uses, in order of preference.
const INTERFACES: [(wgpu::Backend, &str); 3] =
    [(wgpu::Backend::Metal, "Metal"), (wgpu::Backend::Vulkan, "Vulkan"), (wgpu::Backend::Dx12, "DX12")];

/// Features that are used if a device has them.
const FEATURES: wgpu::Features = wgpu::Features::SHADER_INT64
    .union(wgpu::Features::TIMESTAMP_QUERY)
    .union(wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS);

/// A device that was found.
struct Adapter {
    adapter: wgpu::Adapter,
    info: Info,
    /// It stays open once it has been opened: opening takes long, and programs are compiled for it.
    open: Mutex<Option<Arc<Shared>>>,
}

/// The devices of this machine, those with memory of their own first, software implementations last.
pub fn discover() -> Discovery {
    let backends = wgpu::Backends::VULKAN | wgpu::Backends::METAL | wgpu::Backends::DX12;
    if !wgpu::Instance::enabled_backend_features().intersects(backends) {
        return Discovery::none("wgpu", "no interface to graphics processors is known for this system");
    }
    let instance = instance(backends);
    let found = adapters(&instance, backends);
    if found.is_empty() {
        return Discovery::none("wgpu", absence(&instance));
    }
    let found = found.into_iter().map(|adapter| -> Arc<dyn Processor> { Arc::new(adapter) }).collect();
    Discovery { backend: "wgpu", found, absence: None, libraries: Vec::new() }
}

fn instance(backends: wgpu::Backends) -> wgpu::Instance {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = backends;
    // No validation layers: wgpu itself validates.
    descriptor.flags = wgpu::InstanceFlags::empty();
    wgpu::Instance::new(descriptor)
}

fn adapters(instance: &wgpu::Instance, backends: wgpu::Backends) -> Vec<Adapter> {
    let adapters = ready(instance.enumerate_adapters(backends)).unwrap_or_default();
    let mut found: Vec<(usize, Adapter)> = adapters.into_iter().filter_map(known).collect();
    // The same card occurs once for each interface that its driver supports.
    if let Some(first) = found.iter().filter(|(_, a)| a.info.kind != Kind::Software).map(|(i, _)| *i).min() {
        found.retain(|(interface, a)| *interface == first || a.info.kind == Kind::Software);
    }
    found.sort_by_key(|(interface, adapter)| (adapter.info.kind, *interface));
    found.into_iter().map(|(_, adapter)| adapter).collect()
}

/// Why there is no adapter, in wgpu's words about the interfaces that this crate uses.
fn absence(instance: &wgpu::Instance) -> String {
    let said = match ready(instance.request_adapter(&wgpu::RequestAdapterOptions::default())) {
        Some(Err(error)) => error.to_string(),
        _ => String::new(),
    };
    let reasons = said.split_once("; ").map_or("", |(_, reasons)| reasons).split(", ");
    let beside = ["not requested", "not compiled in", "not supported"];
    let told: Vec<&str> = reasons.filter(|r| !r.is_empty() && !beside.iter().any(|b| r.ends_with(b))).collect();
    match told.is_empty() {
        true => "no Vulkan, Metal or Direct3D 12 driver has a device that can compute".to_owned(),
        false => told.join(", "),
    }
}

/// An adapter that can compute, with the position of its interface in the order of preference.
fn known(adapter: wgpu::Adapter) -> Option<(usize, Adapter)> {
    let raw = adapter.get_info();
    let place = INTERFACES.iter().position(|(backend, _)| *backend == raw.backend)?;
    let limits = adapter.limits();
    let computes = adapter.get_downlevel_capabilities().flags.contains(wgpu::DownlevelFlags::COMPUTE_SHADERS);
    if !computes
        || limits.max_storage_buffers_per_shader_stage < 8
        || limits.max_compute_invocations_per_workgroup < 256
    {
        return None;
    }
    let kind = match raw.device_type {
        wgpu::DeviceType::DiscreteGpu => Kind::Discrete,
        wgpu::DeviceType::IntegratedGpu => Kind::Integrated,
        wgpu::DeviceType::Cpu => Kind::Software,
        wgpu::DeviceType::VirtualGpu | wgpu::DeviceType::Other => Kind::Other,
    };
    let bus = (!raw.device_pci_bus_id.is_empty()).then_some(raw.device_pci_bus_id);
    let driver = [raw.driver.trim(), raw.driver_info.trim()];
    let info = Info {
        name: raw.name,
        interface: INTERFACES[place].1,
        driver: driver.into_iter().filter(|s| !s.is_empty()).collect::<Vec<_>>().join(" "),
        kind,
        memory: memory(kind, bus.as_deref()),
        bus,
    };
    Some((place, Adapter { adapter, info, open: Mutex::default() }))
}

/// Bytes of memory, if the system reports them: wgpu does not.
fn memory(kind: Kind, bus: Option<&str>) -> Option<u64> {
    if matches!(kind, Kind::Software | Kind::Integrated) {
        // Half of what tensors may use on the host, which needs the rest.
        return Some(Arena::for_this_machine().limit() as u64 / 2);
    }
    // Reported by some drivers on Linux.
    let text = std::fs::read_to_string(format!("/sys/bus/pci/devices/{}/mem_info_vram_total", bus?)).ok()?;
    text.trim().parse().ok()
}

impl Processor for Adapter {
    fn info(&self) -> &Info {
        &self.info
    }

    fn open(&self) -> Result<Arc<dyn Backend>> {
        let mut open = self.open.lock();
        // A lost device is opened again.
        if let Some(shared) = open.as_ref().filter(|s| !s.is_lost()) {
            return Ok(Arc::new(Wgpu::new(shared.clone())));
        }
        let shared = self.request(FEATURES)?;
        *open = Some(shared.clone());
        Ok(Arc::new(Wgpu::new(shared)))
    }
}

impl Adapter {
    /// Opens it with those of these features that it supports.
    fn request(&self, wanted: wgpu::Features) -> Result<Arc<Shared>> {
        let features = self.adapter.features() & wanted;
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("levada"),
            required_features: features,
            required_limits: self.adapter.limits(),
            memory_hints: wgpu::MemoryHints::Performance,
            ..Default::default()
        };
        let failed = |why: String| Error::new(Code::Unavailable, format!("{} cannot be opened: {why}", self.info.name));
        let (device, queue) = ready(self.adapter.request_device(&descriptor))
            .ok_or_else(|| failed("its driver does not answer".to_owned()))?
            .map_err(|error| failed(error.to_string()))?;
        Shared::new(device, queue, &self.info)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use levada_graph::{DType, Shape, Tensor};
    use levada_trace::{DeviceEvent, NodeEvent, Origin, Recorder, StepTrace, Track};
    use std::sync::mpsc;

    /// What a device reports of some copies in a traced step, with at most these features.
    fn told(wanted: wgpu::Features) -> Option<Vec<DeviceEvent>> {
        let backends = wgpu::Backends::VULKAN | wgpu::Backends::METAL | wgpu::Backends::DX12;
        let adapter = adapters(&instance(backends), backends).into_iter().next()?;
        let device = Wgpu::new(adapter.request(wanted).unwrap());
        device.attach(&"/device:GPU:0".into());
        let recorder = Arc::new(Recorder::new(1, 1));
        let (node, function) = ("n".into(), "".into());
        let origin = Origin { recorder: recorder.clone(), node, worker: 0, function, iteration: None };
        let blocks = [(); 2].map(|()| device.alloc(400_000).unwrap());
        let entered = origin.enter();
        for bytes in [400, 400_000] {
            let zeros = Tensor::zeros(DType::F32, Shape::new([bytes / 4]).unwrap());
            device.write(&blocks[0], zeros.clone(), Box::new(|r| r.unwrap()));
            device.copy(&blocks[0], 0, &blocks[1], 0, bytes).unwrap();
            device.copy(&blocks[1], 0, &blocks[1], 200_000, bytes / 2).unwrap();
            let (send, receive) = mpsc::channel();
            device.read(&blocks[1], 0, zeros, Box::new(move |t| send.send(t.map(|_| ())).unwrap()));
            receive.recv().unwrap().unwrap();
        }
        // This one has not been waited for when the step ends.
        device.copy(&blocks[0], 0, &blocks[1], 0, 40).unwrap();
        drop(entered);
        recorder.settle(None);
        let trace = recorder.finish();
        assert_eq!(trace.device_events_lost, 0);
        let node = NodeEvent { end_ns: trace.wall_ns, ..NodeEvent::new("n".into(), "NoOp") };
        let trace = StepTrace { events: vec![node], ..trace };
        levada_trace::check(&trace, &["n".into()], &[]).unwrap();
        Some(trace.device_events)
    }

    #[test]
    fn a_traced_step_hears_when_copies_ran_with_and_without_a_clock() {
        let ways = [
            FEATURES,
            FEATURES - wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS,
            FEATURES - wgpu::Features::TIMESTAMP_QUERY - wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS,
        ];
        for (i, wanted) in ways.into_iter().enumerate() {
            let Some(events) = told(wanted) else { return };
            let bytes: Vec<u64> = events.iter().filter_map(|e| e.work.bytes()).collect();
            assert_eq!(bytes, [400, 400, 200, 400, 400_000, 400_000, 200_000, 400_000, 40]);
            let tracks = [Track::CopiesIn, Track::Compute(0), Track::Compute(0), Track::CopiesOut];
            assert!(events.iter().zip(tracks.iter().cycle()).take(8).all(|(e, track)| e.track == *track));
            assert!(i < 2 || events.iter().all(|e| e.approximate));
            let error = events.iter().map(|e| e.error_ns).max();
            println!("way {i}: about {}, clock known to {error:?} ns", events[0].approximate);
        }
    }

    #[test]
    fn a_lost_device_fails_every_use_and_is_opened_anew() {
        let backends = wgpu::Backends::VULKAN | wgpu::Backends::METAL | wgpu::Backends::DX12;
        let Some(adapter) = adapters(&instance(backends), backends).into_iter().next() else { return };
        let device = adapter.open().unwrap();
        let block = device.alloc(40).unwrap();
        let like = || Tensor::zeros(DType::F32, Shape::new([10]).unwrap());
        let read = |device: &Arc<dyn Backend>, block| {
            let (send, receive) = mpsc::channel();
            device.read(block, 0, like(), Box::new(move |t| send.send(t.map(|_| ())).unwrap()));
            receive.recv().unwrap()
        };
        device.write(&block, like(), Box::new(|r| r.unwrap()));
        read(&device, &block).unwrap();
        if let Some(shared) = &*adapter.open.lock() {
            shared.device.destroy();
        }
        read(&device, &block).unwrap_err();
        for _ in 0..2 {
            let (send, receive) = mpsc::channel();
            device.when_passed(Box::new(move |r| send.send(r).unwrap()));
            receive.recv().unwrap().unwrap_err();
            read(&device, &block).unwrap_err();
            device.alloc(40).unwrap_err();
            device.synchronize().unwrap_err();
        }
        let anew = adapter.open().unwrap();
        let block = anew.alloc(40).unwrap();
        anew.write(&block, like(), Box::new(|r| r.unwrap()));
        read(&anew, &block).unwrap();
    }
}

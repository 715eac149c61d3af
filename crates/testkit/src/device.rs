//! A device for tests: an address space of its own, an asynchronous queue, and seeded random delays, so that a missing
//! copy, a missing wait or a wrong order shows up on any machine.
//!
//! A kernel returns when its work is queued; the queue's thread does the work later, after a delay. Tensors are tokens:
//! what they hold is known at once, but reading it before the queue has written it is an error, and so is reading it
//! on the host or on another device.

use levada::graph::object::DeviceMemory;
use levada::graph::spec::Role;
use levada::graph::{AnyOp, Shape};
use levada::kernel::device::{OnCopied, OnPassed};
use levada::kernel::kernel::is_listed;
use levada::kernel::{AnyDevice, AnyKernel, Arena, Cpu, DeviceCopies, Entry, Io, KernelEntry};
use levada::{Error, Result, Tensor};
use std::any::Any;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

type Job = Box<dyn FnOnce() + Send>;

/// The device.
pub struct TestDevice {
    name: Arc<str>,
    number: usize,
    cpu: Arc<Cpu>,
    kernels: HashMap<&'static str, KernelEntry<Cpu>>,
    shared: Arc<Shared>,
    /// The end of the queue that jobs are put into. The thread ends with the last of its copies.
    jobs: Sender<Job>,
}

/// What jobs know of their device.
struct Shared {
    number: usize,
    /// The first hazard that was seen.
    fault: Mutex<Option<String>>,
    /// Copies in and out, and kernels, so far.
    copies: AtomicUsize,
    ran: AtomicUsize,
}

/// A tensor of the device. The value is written when the queue comes to it.
#[derive(Debug)]
struct Cell {
    device: Arc<str>,
    number: usize,
    value: Tensor,
    written: AtomicBool,
}

impl DeviceMemory for Cell {
    fn device(&self) -> &str {
        &self.device
    }
    fn len(&self) -> usize {
        self.value.num_bytes()
    }
}

impl Shared {
    fn blame(&self, text: String) {
        self.fault.lock().unwrap().get_or_insert(text);
    }
}

impl TestDevice {
    /// Device `GPU:number`, whose queue waits up to `delay` before each job, as `seed` says.
    pub fn new(number: usize, seed: u64, delay: Duration) -> TestDevice {
        let (send, receive) = channel::<Job>();
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let work = move || {
            for job in receive {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                // Most jobs wait a little, some not at all.
                let nanos = delay.as_nanos() as u64;
                if nanos > 0 && !state.is_multiple_of(3) {
                    std::thread::sleep(Duration::from_nanos((state >> 8) % nanos));
                }
                job();
            }
        };
        let shared = Shared { number, fault: Mutex::default(), copies: AtomicUsize::new(0), ran: AtomicUsize::new(0) };
        // Without a thread the queue is closed, and every job fails.
        let _ = std::thread::Builder::new().name(format!("test-device-{number}")).spawn(work);
        TestDevice {
            name: format!("/job:localhost/replica:0/task:0/device:GPU:{number}").into(),
            number,
            cpu: Arc::new(Cpu { arena: Arena::new(1 << 30, 1 << 20) }),
            kernels: levada::kernels().map(|k| (k.op, k)).collect(),
            shared: Arc::new(shared),
            jobs: send,
        }
    }

    /// What went wrong on the device: a read of what had not been written, or of another device's memory.
    pub fn fault(&self) -> Option<String> {
        self.shared.fault.lock().unwrap().clone()
    }

    /// Copies between the host and this device so far, and nodes that ran here.
    pub fn counts(&self) -> (usize, usize) {
        (self.shared.copies.load(Ordering::Relaxed), self.shared.ran.load(Ordering::Relaxed))
    }

    fn queue(&self) -> Queue {
        Queue { name: self.name.clone(), shared: self.shared.clone(), jobs: self.jobs.clone() }
    }
}

/// The way to the queue.
#[derive(Clone)]
struct Queue {
    name: Arc<str>,
    shared: Arc<Shared>,
    jobs: Sender<Job>,
}

impl Queue {
    fn push(&self, job: impl FnOnce() + Send + 'static) -> Result<()> {
        self.jobs.send(Box::new(job)).map_err(|_| Error::cancelled("the device has gone"))
    }

    /// A tensor of this device with this value, once the queue gets there. `inputs` must have been written by then.
    fn write(&self, values: Vec<Tensor>, inputs: Vec<Tensor>) -> Result<Vec<Tensor>> {
        let cells: Vec<Arc<Cell>> = values
            .into_iter()
            .map(|value| {
                let (device, number) = (self.name.clone(), self.shared.number);
                Arc::new(Cell { device, number, value, written: AtomicBool::new(false) })
            })
            .collect();
        let (written, shared) = (cells.clone(), self.shared.clone());
        self.push(move || {
            for input in &inputs {
                if let Err(error) = read(input, shared.number, true) {
                    shared.blame(error.message().to_owned());
                }
            }
            written.iter().for_each(|c| c.written.store(true, Ordering::Release));
        })?;
        let tensor = |c: Arc<Cell>| {
            let (dtype, shape): (_, Shape) = (c.value.dtype(), c.value.shape().clone());
            Tensor::on_device(dtype, shape, c)
        };
        Ok(cells.into_iter().map(tensor).collect())
    }
}

/// What a tensor of device `number` holds. `now`: it must have been written.
fn read(tensor: &Tensor, number: usize, now: bool) -> Result<Tensor> {
    let Some((memory, offset)) = tensor.device_memory() else {
        return Err(Error::internal("a tensor of the host was given to a device"));
    };
    let any: &dyn Any = &**memory;
    let cell = any.downcast_ref::<Cell>().ok_or_else(|| Error::internal("not a tensor of a test device"))?;
    if cell.number != number {
        return Err(Error::internal(format!("a tensor of GPU:{} was given to GPU:{number}", cell.number)));
    }
    if now && !cell.written.load(Ordering::Acquire) {
        return Err(Error::internal(format!("GPU:{number} read a tensor before it was written")));
    }
    if offset != 0 || cell.value.shape() != tensor.shape() {
        return Err(Error::internal("a view of a tensor of a test device"));
    }
    Ok(cell.value.clone())
}

impl AnyDevice for TestDevice {
    fn name(&self) -> &Arc<str> {
        &self.name
    }
    fn kernel(&self, op: &Arc<dyn AnyOp>) -> Option<Arc<dyn AnyKernel>> {
        let refused = matches!(op.spec().role, Role::Call | Role::Arg | Role::Retval | Role::Send | Role::Recv);
        // References stay with the host: what they refer to is there.
        let has_refs = op.spec().inputs.iter().chain(op.spec().outputs).any(|a| a.is_ref);
        if refused || has_refs || op.is_stateful() {
            return None;
        }
        let cpu = (self.kernels.get(op.spec().name)?.make)(op, &self.cpu)?;
        let (host_inputs, host_outputs) = host_arguments(op.spec().role, op.spec().metadata);
        Some(Arc::new(TestKernel { cpu, queue: self.queue(), host_inputs, host_outputs }))
    }
    fn knows(&self, op: &str) -> bool {
        self.kernels.contains_key(op)
    }
    fn kind(&self) -> &'static str {
        "GPU"
    }
    fn memory(&self) -> Option<&dyn DeviceCopies> {
        Some(self)
    }
    fn synchronize(&self) -> Result<()> {
        let (send, receive) = channel();
        self.queue().push(move || {
            // Nobody listens any more where the caller has given up.
            let _ = send.send(());
        })?;
        receive.recv().map_err(|_| Error::internal("the queue has ended"))?;
        match self.fault() {
            Some(fault) => Err(Error::internal(fault)),
            None => Ok(()),
        }
    }
}

/// Inputs and outputs that stay on the host, as on real accelerators: what decides control flow, and shapes.
fn host_arguments(role: Role, metadata: bool) -> (&'static [isize], &'static [isize]) {
    match role {
        Role::Switch => (&[1], &[]),
        Role::Merge => (&[], &[1]),
        Role::LoopCond => (&[0], &[0]),
        _ if metadata => (&[], &[0]),
        _ => (&[], &[]),
    }
}

impl DeviceCopies for TestDevice {
    fn copy_in(&self, tensor: Tensor, done: OnCopied) {
        if tensor.device_memory().is_some() {
            return done(Err(Error::internal("what is copied in is not on the host")));
        }
        self.shared.copies.fetch_add(1, Ordering::Relaxed);
        let queue = self.queue();
        match queue.write(vec![tensor], Vec::new()) {
            Err(error) => done(Err(error)),
            // Usable by everything that is queued later.
            Ok(mut tensors) => done(Ok(tensors.remove(0))),
        }
    }

    fn copy_out(&self, tensor: Tensor, done: OnCopied) {
        self.shared.copies.fetch_add(1, Ordering::Relaxed);
        let number = self.number;
        // Where the queue has ended, the callback is dropped with the job, which fails whoever waits.
        let _ = self.queue().push(move || done(read(&tensor, number, true)));
    }

    fn when_passed(&self, done: OnPassed) {
        let _ = self.queue().push(move || done(Ok(())));
    }
}

/// A CPU kernel whose tensors are the device's.
struct TestKernel {
    cpu: Arc<dyn AnyKernel>,
    queue: Queue,
    host_inputs: &'static [isize],
    host_outputs: &'static [isize],
}

impl AnyKernel for TestKernel {
    fn compute(&self, io: &mut Io<'_>) -> Result<()> {
        let count = io.num_inputs();
        let (mut used, mut constants) = (Vec::new(), Vec::new());
        for i in 0..count {
            let on_host = is_listed(self.host_inputs, i, count);
            let Some(entry) = io.entry(i) else { continue };
            let (Entry::Value(tensor) | Entry::Constant(tensor)) = &*entry else { continue };
            if on_host || !tensor.dtype().is_plain() {
                if tensor.device_memory().is_some() {
                    return Err(Error::internal(format!("input {i} is wanted on the host and is not there")));
                }
                continue;
            }
            let value = read(tensor, self.queue.shared.number, false)?;
            used.push(tensor.clone());
            let there = std::mem::replace(entry, Entry::Value(value));
            if matches!(there, Entry::Constant(_)) {
                constants.push((i, there));
            }
        }
        let computed = self.cpu.compute(io);
        // Constants stay where they are for the next time.
        for (i, constant) in constants {
            if let Some(entry) = io.entry(i) {
                *entry = constant;
            }
        }
        computed?;
        let outputs = io.num_outputs();
        self.queue.shared.ran.fetch_add(1, Ordering::Relaxed);
        for i in 0..outputs {
            let Some(entry) = io.output_entry(i) else { continue };
            let Entry::Value(value) = &*entry else { continue };
            if is_listed(self.host_outputs, i, outputs) || !value.dtype().is_plain() {
                continue;
            }
            let mut written = self.queue.write(vec![value.clone()], used.clone())?;
            *entry = Entry::Value(written.remove(0));
        }
        Ok(())
    }
    fn cost(&self) -> levada::kernel::Cost {
        self.cpu.cost()
    }
    fn host_inputs(&self) -> &'static [isize] {
        self.host_inputs
    }
    fn host_outputs(&self) -> &'static [isize] {
        self.host_outputs
    }
}

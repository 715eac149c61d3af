//! A device for tests: a separate address space, an asynchronous queue, and seeded random delays, so that a missing
//! copy, a missing wait or a wrong order shows up on any machine.
//!
//! A kernel returns when its work is queued; the queue's thread does the work later, after a delay. Tensors are tokens:
//! their contents are known immediately, but reading them before the queue has written them is an error, and so is
//! reading them on the host or on another device.
//!
//! With separate queues for copies, copies run concurrently with kernels, and a job waits for its inputs. In both cases
//! traces have the work of the queues.

use levada::graph::object::DeviceMemory;
use levada::graph::spec::Role;
use levada::graph::{AnyOp, Shape};
use levada::kernel::device::{OnCopied, OnPassed};
use levada::kernel::kernel::is_listed;
use levada::kernel::{AnyDevice, AnyKernel, Arena, Cpu, DeviceCopies, Entry, Io, KernelEntry};
use levada::trace::{Stamp, Track, Work, device};
use levada::{Error, Result, Tensor};
use std::any::Any;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a job waits for its inputs.
const PATIENCE: Duration = Duration::from_secs(10);

/// A job of a queue.
struct Job {
    /// Tensors that must have been written before, if queues wait for one another.
    after: Vec<Tensor>,
    stamp: Option<Stamp>,
    run: Box<dyn FnOnce() + Send>,
}

/// The device.
pub struct TestDevice {
    name: Arc<str>,
    number: usize,
    cpu: Arc<Cpu>,
    kernels: HashMap<&'static str, KernelEntry<Cpu>>,
    shared: Arc<Shared>,
    queues: Queues,
}

/// The sending ends of the queues. Their threads end with the last of these.
#[derive(Clone)]
struct Queues {
    kernels: Sender<Job>,
    copies_in: Sender<Job>,
    copies_out: Sender<Job>,
    /// True if these are three separate queues.
    are_apart: bool,
}

/// The state of the device that jobs share.
struct Shared {
    number: usize,
    /// The first detected hazard.
    fault: Mutex<Option<String>>,
    /// True once it is lost.
    is_lost: AtomicBool,
    /// Copies in and out, and kernels, so far.
    copies: AtomicUsize,
    ran: AtomicUsize,
    /// Notified when a tensor was written.
    changed: Condvar,
    writing: Mutex<()>,
}

/// A tensor of the device. The value is written when the queue reaches it.
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

    fn write(&self, cells: &[Arc<Cell>]) {
        let _writing = self.writing();
        cells.iter().for_each(|c| c.written.store(true, Ordering::Release));
        self.changed.notify_all();
    }

    fn writing(&self) -> MutexGuard<'_, ()> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until a tensor of this device has been written; after a timeout the read reports that it has not.
    fn wait_for(&self, tensor: &Tensor) {
        let end = Instant::now() + PATIENCE;
        let mut writing = self.writing();
        while read(tensor, self.number, false).is_ok() && read(tensor, self.number, true).is_err() {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            writing = self.changed.wait_timeout(writing, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// Starts a queue, which waits up to `delay` before each job, as `seed` says.
fn start(shared: &Arc<Shared>, seed: u64, delay: Duration) -> Sender<Job> {
    let (send, receive) = channel::<Job>();
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let (number, shared) = (shared.number, shared.clone());
    let work = move || {
        for job in receive {
            if shared.is_lost.load(Ordering::Acquire) {
                // Queued and future jobs are dropped.
                break;
            }
            job.after.iter().for_each(|tensor| shared.wait_for(tensor));
            let start = Instant::now();
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            // Most jobs take a little time, some none at all.
            let nanos = delay.as_nanos() as u64;
            if nanos > 0 && !state.is_multiple_of(3) {
                std::thread::sleep(Duration::from_nanos((state >> 8) % nanos));
            }
            if let Some(stamp) = job.stamp {
                stamp.ran(start, Instant::now(), Duration::ZERO);
            }
            (job.run)();
        }
    };
    // Without a thread the queue is closed, and every job fails.
    let _ = std::thread::Builder::new().name(format!("test-device-{number}")).spawn(work);
    send
}

impl TestDevice {
    /// Device `GPU:number`, whose queue waits up to `delay` before each job, as `seed` says.
    pub fn new(number: usize, seed: u64, delay: Duration) -> TestDevice {
        TestDevice::with_queues(number, |shared| {
            let jobs = start(shared, seed, delay);
            Queues { kernels: jobs.clone(), copies_in: jobs.clone(), copies_out: jobs, are_apart: false }
        })
    }

    /// As [`TestDevice::new`], with separate queues for copies in and copies out, where each copy takes up to
    /// `copy_delay`.
    pub fn with_copy_queues(number: usize, seed: u64, delay: Duration, copy_delay: Duration) -> TestDevice {
        TestDevice::with_queues(number, |shared| Queues {
            kernels: start(shared, seed, delay),
            copies_in: start(shared, seed + 1, copy_delay),
            copies_out: start(shared, seed + 2, copy_delay),
            are_apart: true,
        })
    }

    fn with_queues(number: usize, start: impl FnOnce(&Arc<Shared>) -> Queues) -> TestDevice {
        let shared = Arc::new(Shared {
            number,
            fault: Mutex::default(),
            is_lost: AtomicBool::new(false),
            copies: AtomicUsize::new(0),
            ran: AtomicUsize::new(0),
            changed: Condvar::new(),
            writing: Mutex::default(),
        });
        TestDevice {
            name: format!("/job:localhost/replica:0/task:0/device:GPU:{number}").into(),
            number,
            cpu: Arc::new(Cpu { arena: Arena::new(1 << 30, 1 << 20) }),
            kernels: levada::kernels().map(|k| (k.op, k)).collect(),
            queues: start(&shared),
            shared,
        }
    }

    /// The first fault on the device: a read of unwritten memory, or of another device's memory.
    pub fn fault(&self) -> Option<String> {
        self.shared.fault.lock().unwrap().clone()
    }

    /// Copies between the host and this device so far, and nodes that ran here.
    pub fn counts(&self) -> (usize, usize) {
        (self.shared.copies.load(Ordering::Relaxed), self.shared.ran.load(Ordering::Relaxed))
    }

    /// Keeps the queue of kernels busy for this time.
    pub fn pause(&self, time: Duration) {
        let _ = self.queue().push(None, Vec::new(), move || std::thread::sleep(time));
    }

    /// Loses the device: jobs that have not begun are dropped, and all requests fail.
    pub fn lose(&self) {
        self.shared.is_lost.store(true, Ordering::Release);
    }

    fn queue(&self) -> Queue {
        Queue { name: self.name.clone(), shared: self.shared.clone(), queues: self.queues.clone() }
    }
}

/// A stream to the queues.
#[derive(Clone)]
struct Queue {
    name: Arc<str>,
    shared: Arc<Shared>,
    queues: Queues,
}

impl Queue {
    fn push(&self, work: Option<Work>, reads: Vec<Tensor>, run: impl FnOnce() + Send + 'static) -> Result<()> {
        let (jobs, track) = match &work {
            Some(Work::CopyIn { .. }) => (&self.queues.copies_in, Track::CopiesIn),
            Some(Work::CopyOut { .. }) => (&self.queues.copies_out, Track::CopiesOut),
            _ => (&self.queues.kernels, Track::Compute(0)),
        };
        let stamp = work.and_then(|work| device::queue(&self.name, track, || work));
        let after = if self.queues.are_apart { reads } else { Vec::new() };
        jobs.send(Job { after, stamp, run: Box::new(run) }).map_err(|_| Error::cancelled("the device has gone"))
    }

    /// Calls `done` once all queues have processed their current jobs.
    fn passed(&self, done: impl FnOnce() + Send + 'static) -> Result<()> {
        let queues = [&self.queues.kernels, &self.queues.copies_in, &self.queues.copies_out];
        let last = Arc::new(Mutex::new(Some(done)));
        for jobs in &queues[..if self.queues.are_apart { 3 } else { 1 }] {
            let last = last.clone();
            let run = Box::new(move || {
                // The last queue holds the only reference.
                let done = Arc::into_inner(last).and_then(|l| l.into_inner().unwrap_or_else(PoisonError::into_inner));
                if let Some(done) = done {
                    done();
                }
            });
            let job = Job { after: Vec::new(), stamp: None, run };
            jobs.send(job).map_err(|_| Error::cancelled("the device has gone"))?;
        }
        // If all queues have already passed.
        if let Some(done) = Arc::into_inner(last).and_then(|l| l.into_inner().unwrap_or_else(PoisonError::into_inner)) {
            done();
        }
        Ok(())
    }

    /// Tensors of this device with these values, written when the queue gets there. `inputs` must have been written by
    /// then.
    fn write(&self, work: Work, values: Vec<Tensor>, inputs: Vec<Tensor>) -> Result<Vec<Tensor>> {
        let cells: Vec<Arc<Cell>> = values
            .into_iter()
            .map(|value| {
                let (device, number) = (self.name.clone(), self.shared.number);
                Arc::new(Cell { device, number, value, written: AtomicBool::new(false) })
            })
            .collect();
        let (written, shared) = (cells.clone(), self.shared.clone());
        self.push(Some(work), inputs.clone(), move || {
            for input in &inputs {
                if let Err(error) = read(input, shared.number, true) {
                    shared.blame(error.message().to_owned());
                }
            }
            shared.write(&written);
        })?;
        let tensor = |c: Arc<Cell>| {
            let (dtype, shape): (_, Shape) = (c.value.dtype(), c.value.shape().clone());
            Tensor::on_device(dtype, shape, c)
        };
        Ok(cells.into_iter().map(tensor).collect())
    }
}

/// The contents of a tensor of device `number`. `now`: it must have been written.
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
        // References stay on the host, where their variables are.
        let has_refs = op.spec().inputs.iter().chain(op.spec().outputs).any(|a| a.is_ref);
        if refused || has_refs || op.is_stateful() {
            return None;
        }
        let cpu = self.kernels.get(op.spec().name)?.make(op, &self.cpu)?;
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
        self.queue().passed(move || {
            // There is no receiver if the caller has given up.
            let _ = send.send(());
        })?;
        receive.recv().map_err(|_| Error::internal("the queue has ended"))?;
        match self.fault() {
            Some(fault) => Err(Error::internal(fault)),
            None => Ok(()),
        }
    }
}

/// Inputs and outputs that stay on the host, as on real accelerators: predicates of control flow, and shapes.
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
        let work = Work::CopyIn { bytes: tensor.num_bytes() as u64 };
        match queue.write(work, vec![tensor], Vec::new()) {
            Err(error) => done(Err(error)),
            // Usable by all jobs queued later.
            Ok(mut tensors) => done(Ok(tensors.remove(0))),
        }
    }

    fn copy_out(&self, tensor: Tensor, done: OnCopied) {
        self.shared.copies.fetch_add(1, Ordering::Relaxed);
        let number = self.number;
        // If the queue has ended, the callback is dropped with the job, which fails the waiting caller.
        let work = Work::CopyOut { bytes: tensor.num_bytes() as u64 };
        let _ = self.queue().push(Some(work), vec![tensor.clone()], move || done(read(&tensor, number, true)));
    }

    fn when_passed(&self, done: OnPassed) {
        let _ = self.queue().passed(move || done(Ok(())));
    }
}

/// A CPU kernel on tensors of the device.
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
        // Constants stay on the device for the next run.
        for (i, constant) in constants {
            if let Some(entry) = io.entry(i) {
                *entry = constant;
            }
        }
        computed?;
        let (outputs, op) = (io.num_outputs(), io.node().op);
        self.queue.shared.ran.fetch_add(1, Ordering::Relaxed);
        let mut values: Vec<(usize, Tensor)> = Vec::new();
        for i in 0..outputs {
            let Some(entry) = io.output_entry(i) else { continue };
            let Entry::Value(value) = &*entry else { continue };
            if !is_listed(self.host_outputs, i, outputs) && value.dtype().is_plain() {
                values.push((i, value.clone()));
            }
        }
        if values.is_empty() {
            return Ok(());
        }
        // One piece of work, regardless of the number of results.
        let (places, values): (Vec<usize>, Vec<Tensor>) = values.into_iter().unzip();
        let written = self.queue.write(Work::kernel(op), values, used)?;
        for (i, tensor) in places.into_iter().zip(written) {
            if let Some(entry) = io.output_entry(i) {
                *entry = Entry::Value(tensor);
            }
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

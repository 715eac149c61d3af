//! The interpreting backend with concurrent queues, each on a thread of its own with delays that are determined by a
//! seed. For tests: missing ordering ([`crate::hazards`]) leads to wrong results here.

use crate::backend::{Backend, Block, Launch, OnRead, Piece};
use crate::hazards::{BlockId, Hazards, Queues, Use, Uses};
use crate::host::Host;
use crate::ir::Access;
use crate::print::Language;
use crate::tracks::Tracks;
use levada_graph::{DType, Error, Result, Shape, Tensor};
use levada_kernel::device::OnPassed;
use levada_kernel::lane;
use levada_trace::{Stamp, Track};
use parking_lot::{Condvar, Mutex, MutexGuard};
use std::any::Any;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The interpreting backend with queues.
pub struct HostQueues {
    shared: Arc<Shared>,
}

/// What blocks and copies keep alive.
struct Shared {
    host: Host,
    queues: Queues,
    /// Held while something is queued.
    hazards: Mutex<Hazards<Event>>,
    senders: Vec<Sender<Job>>,
    fault: Arc<Mutex<Option<Error>>>,
    waits: AtomicUsize,
    tracks: Tracks,
}

/// An event, which passes once.
#[derive(Clone, Default, Debug)]
struct Event(Arc<(Mutex<bool>, Condvar)>);

impl Event {
    fn pass(&self) {
        *self.0.0.lock() = true;
        self.0.1.notify_all();
    }

    fn wait(&self) {
        let mut passed = self.0.0.lock();
        while !*passed {
            self.0.1.wait(&mut passed);
        }
    }

    fn is_done(&self) -> bool {
        *self.0.0.lock()
    }
}

enum Job {
    /// Work that takes time.
    Run(Option<Stamp>, Box<dyn FnOnce() -> Result<()> + Send>),
    /// A notification, without a delay.
    Tell(Box<dyn FnOnce(Result<()>) + Send>),
    Record(Event),
    Wait(Event),
}

/// Memory of the backend.
struct QueuedBlock {
    inner: Arc<dyn Block>,
    id: BlockId,
    len: usize,
    shared: Arc<Shared>,
}

impl Block for QueuedBlock {}

impl fmt::Debug for QueuedBlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("QueuedBlock").field("len", &self.len).finish_non_exhaustive()
    }
}

impl Drop for QueuedBlock {
    fn drop(&mut self) {
        // A late reader finds other bytes.
        let (shared, inner, len) = (self.shared.clone(), self.inner.clone(), self.len);
        let spoil = move || {
            let spoilt = Tensor::from_vec(Shape::vector(len), vec![0x5a_u8; len])?;
            shared.host.write(&inner, spoilt, Box::new(|_| {}));
            Ok(())
        };
        let memory = self.shared.queues.memory();
        let mut hazards = self.shared.hazards.lock();
        self.shared.queue(&mut hazards, memory, &[(self.id, Use::Write)], None, Job::Run(None, Box::new(spoil)));
        hazards.remove(self.id);
    }
}

fn block(block: &Arc<dyn Block>) -> Result<&QueuedBlock> {
    let any: &dyn Any = &**block;
    any.downcast_ref().ok_or_else(|| Error::internal("memory of another backend"))
}

fn work_off(jobs: &Receiver<Job>, mut state: u64, delay: Duration, fault: &Mutex<Option<Error>>) {
    for job in jobs {
        match job {
            Job::Run(stamp, work) => {
                let start = Instant::now();
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                match (state >> 33) % 4 {
                    0 => thread::sleep(delay.mul_f64((state >> 40) as f64 / (1u64 << 24) as f64)),
                    1 => thread::yield_now(),
                    _ => {}
                }
                if fault.lock().is_some() {
                    continue;
                }
                if let Err(error) = work() {
                    fault.lock().get_or_insert(error);
                }
                if let Some(stamp) = stamp {
                    stamp.ran(start, Instant::now(), Duration::ZERO);
                }
            }
            Job::Tell(tell) => {
                let fault = fault.lock().clone();
                tell(fault.map_or(Ok(()), Err));
            }
            Job::Record(event) => event.pass(),
            Job::Wait(event) => event.wait(),
        }
    }
}

impl HostQueues {
    /// A backend for `lanes` concurrent steps, whose work is delayed by up to `delay`.
    pub fn new(language: Language, limit: Option<u64>, lanes: usize, seed: u64, delay: Duration) -> HostQueues {
        let queues = Queues { lanes: lanes.max(1) };
        let fault: Arc<Mutex<Option<Error>>> = Arc::default();
        let senders = (0..queues.count() as u64).map(|i| {
            let (send, jobs) = channel();
            let (state, fault) = ((seed ^ i).wrapping_mul(0x9e37_79b9_7f4a_7c15), fault.clone());
            thread::spawn(move || work_off(&jobs, state, delay, &fault));
            send
        });
        HostQueues {
            shared: Arc::new(Shared {
                host: Host::new(language, limit),
                queues,
                hazards: Mutex::new(Hazards::new(queues.count())),
                senders: senders.collect(),
                fault,
                waits: AtomicUsize::new(0),
                tracks: Tracks::default(),
            }),
        }
    }

    /// How often a queue waited for another.
    pub fn waits(&self) -> usize {
        self.shared.waits.load(Ordering::Relaxed)
    }

    /// Holds back everything that the step with this lane queues from now on, until the returned function is called.
    pub fn hold(&self, lane: usize) -> impl FnOnce() + Send + 'static {
        let gate = Event::default();
        self.shared.send(self.shared.queues.compute(lane), Job::Wait(gate.clone()));
        move || gate.pass()
    }
}

impl Shared {
    fn send(&self, queue: usize, job: Job) {
        // A thread ends only after the last sender.
        let _ = self.senders[queue].send(job);
    }

    fn queue(
        &self,
        hazards: &mut MutexGuard<'_, Hazards<Event>>,
        queue: usize,
        uses: &[(BlockId, Use)],
        node: Option<&Arc<str>>,
        job: Job,
    ) -> u64 {
        let record = |on: usize| {
            let event = Event::default();
            self.send(on, Job::Record(event.clone()));
            Ok::<_, std::convert::Infallible>(event)
        };
        let wait = |event: &Event| {
            self.waits.fetch_add(1, Ordering::Relaxed);
            self.send(queue, Job::Wait(event.clone()));
            Ok(())
        };
        let Ok(()) = hazards.order(queue, uses, record, wait);
        self.send(queue, job);
        let (number, due) = hazards.queued(queue, uses, node);
        if due {
            let Ok(event) = record(queue);
            hazards.mark(queue, event);
            let Ok(()) = hazards.poll(queue, |event| Ok::<_, std::convert::Infallible>(event.is_done()));
        }
        number
    }

    fn lane(&self) -> usize {
        lane::current().unwrap_or(0)
    }

    fn check(&self) -> Result<()> {
        self.fault.lock().clone().map_or(Ok(()), Err)
    }
}

impl Backend for HostQueues {
    fn language(&self) -> Language {
        self.shared.host.language()
    }

    fn attach(&self, device: &Arc<str>) {
        self.shared.tracks.attach(device);
    }

    fn lanes(&self) -> usize {
        self.shared.queues.lanes
    }

    fn alloc(&self, bytes: usize) -> Result<Arc<dyn Block>> {
        let inner = self.shared.host.alloc(bytes)?;
        let id = self.shared.hazards.lock().add();
        Ok(Arc::new(QueuedBlock { inner, id, len: bytes, shared: self.shared.clone() }))
    }

    fn is_idle(&self, of: &Arc<dyn Block>) -> bool {
        let Ok(block) = block(of) else { return true };
        let mut hazards = self.shared.hazards.lock();
        for (queue, number) in hazards.users(block.id) {
            let record = || {
                let event = Event::default();
                self.shared.send(queue, Job::Record(event.clone()));
                Ok::<_, std::convert::Infallible>(event)
            };
            let Ok(_) = hazards.event(queue, number, record);
            let Ok(()) = hazards.poll(queue, |event| Ok::<_, std::convert::Infallible>(event.is_done()));
        }
        hazards.users(block.id).is_empty()
    }

    fn launch(&self, launch: Launch<'_>) -> Result<()> {
        self.shared.check()?;
        let program = launch.program.clone();
        if launch.buffers.len() != program.program.buffers.len() || launch.params.len() != program.program.params.len()
        {
            return Err(Error::internal(format!("{} has other arguments", program.program)));
        }
        let (mut uses, mut buffers) = (Uses::new(), Vec::new());
        for (piece, (_, access)) in launch.buffers.iter().zip(&program.program.buffers) {
            let block = block(&piece.block)?;
            uses.push((block.id, if *access == Access::Read { Use::Read } else { Use::Write }));
            buffers.push(Piece { block: block.inner.clone(), first: piece.first });
        }
        let (params, node, groups) = (launch.params.to_vec(), launch.node.clone(), launch.groups);
        let shared = self.shared.clone();
        let run = move || {
            let launch = Launch { program: &program, groups, buffers: &buffers, params: &params, node: &node };
            let failed = |e: Error| Error::new(e.code(), format!("{}; of node {node}", e.message()));
            shared.host.launch(launch).map_err(failed)
        };
        let queue = self.shared.queues.compute(self.shared.lane());
        let mut hazards = self.shared.hazards.lock();
        let stamp = self.shared.tracks.kernel(queue as u32, &launch.program.program.name);
        self.shared.queue(&mut hazards, queue, &uses, Some(launch.node), Job::Run(stamp, Box::new(run)));
        Ok(())
    }

    fn write(&self, to: &Arc<dyn Block>, bytes: Tensor, done: OnPassed) {
        let write = || {
            self.shared.check()?;
            let to = block(to)?;
            let (shared, inner, len) = (self.shared.clone(), to.inner.clone(), bytes.num_bytes());
            let run = move || {
                let (send, receive) = channel();
                shared.host.write(&inner, bytes, Box::new(move |done| drop(send.send(done))));
                receive.recv().unwrap_or(Ok(()))
            };
            let queue = self.shared.queues.uploads(self.shared.lane());
            let mut hazards = self.shared.hazards.lock();
            let stamp = self.shared.tracks.copy_in(len);
            self.shared.queue(&mut hazards, queue, &[(to.id, Use::Write)], None, Job::Run(stamp, Box::new(run)));
            Ok(())
        };
        done(write());
    }

    fn read(&self, from: &Arc<dyn Block>, at: usize, like: Tensor, done: OnRead) {
        let source = match self.shared.check().and_then(|()| block(from)) {
            Ok(source) => source,
            Err(error) => return done(Err(error)),
        };
        let (shared, keep, inner) = (self.shared.clone(), from.clone(), source.inner.clone());
        let queue = self.shared.queues.downloads(self.shared.lane());
        let mut hazards = self.shared.hazards.lock();
        let stamp = self.shared.tracks.copy_out(like.num_bytes());
        let tell = move |passed: Result<()>| match passed {
            Ok(()) => {
                let start = Instant::now();
                let stamped = move |read: Result<Tensor>| {
                    if let Some(stamp) = stamp {
                        stamp.ran(start, Instant::now(), Duration::ZERO);
                    }
                    done(read);
                };
                shared.host.read(&inner, at, like, Box::new(stamped));
                drop(keep);
            }
            Err(error) => done(Err(error)),
        };
        self.shared.queue(&mut hazards, queue, &[(source.id, Use::Read)], None, Job::Tell(Box::new(tell)));
    }

    fn copy(&self, from: &Arc<dyn Block>, from_at: usize, to: &Arc<dyn Block>, to_at: usize, len: usize) -> Result<()> {
        self.shared.check()?;
        let (from, to) = (block(from)?, block(to)?);
        let (shared, source, target) = (self.shared.clone(), from.inner.clone(), to.inner.clone());
        let run = move || shared.host.copy(&source, from_at, &target, to_at, len);
        let queue = self.shared.queues.compute(self.shared.lane());
        let uses = [(from.id, Use::Read), (to.id, Use::Write)];
        let mut hazards = self.shared.hazards.lock();
        let stamp = self.shared.tracks.copy(queue as u32, len);
        self.shared.queue(&mut hazards, queue, &uses, None, Job::Run(stamp, Box::new(run)));
        Ok(())
    }

    fn copy_from_peer(
        &self,
        to: &Arc<dyn Block>,
        peer: &dyn Any,
        from: &Arc<dyn Block>,
        from_at: usize,
        len: usize,
    ) -> Option<Result<()>> {
        let peer = peer.downcast_ref::<HostQueues>()?;
        let copy = || {
            self.shared.check()?;
            peer.shared.check()?;
            let (source, target) = (block(from)?, block(to)?);
            let (theirs, ours) = (&peer.shared, &self.shared);
            let ready = {
                let mut hazards = theirs.hazards.lock();
                let queue = theirs.queues.peers();
                theirs.queue(&mut hazards, queue, &[(source.id, Use::Read)], None, Job::Tell(Box::new(|_| {})));
                let ready = Event::default();
                theirs.send(queue, Job::Record(ready.clone()));
                ready
            };
            let done = Event::default();
            {
                let (shared, inner, keep, their_host) =
                    (ours.clone(), target.inner.clone(), source.inner.clone(), theirs.clone());
                let run = move || {
                    let like = Tensor::zeros(DType::U8, Shape::vector(len));
                    let (send, receive) = channel();
                    their_host.host.read(&keep, from_at, like, Box::new(move |read| drop(send.send(read))));
                    let bytes = receive.recv().map_err(|_| Error::internal("a copy was abandoned"))??;
                    let (send, receive) = channel();
                    shared.host.write(&inner, bytes, Box::new(move |done| drop(send.send(done))));
                    receive.recv().map_err(|_| Error::internal("a copy was abandoned"))?
                };
                let mut hazards = ours.hazards.lock();
                let queue = ours.queues.peers();
                ours.send(queue, Job::Wait(ready));
                let from = theirs.tracks.device().unwrap_or("another device");
                let stamp = ours.tracks.peer_copy(Track::PeerCopies, from, len);
                ours.queue(&mut hazards, queue, &[(target.id, Use::Write)], None, Job::Run(stamp, Box::new(run)));
                ours.send(queue, Job::Record(done.clone()));
            }
            // Writers of the source wait for the copy.
            let mut hazards = theirs.hazards.lock();
            let queue = theirs.queues.peers();
            theirs.send(queue, Job::Wait(done));
            theirs.queue(&mut hazards, queue, &[(source.id, Use::Read)], None, Job::Tell(Box::new(|_| {})));
            Ok(())
        };
        Some(copy())
    }

    fn when_passed(&self, done: OnPassed) {
        let shared = &self.shared;
        let mut hazards = shared.hazards.lock();
        let queue = match lane::current() {
            Some(lane) => shared.queues.compute(lane),
            // It is unknown whose work is meant: all compute queues.
            None => {
                let memory = shared.queues.memory();
                for lane in 0..shared.queues.lanes {
                    let event = Event::default();
                    shared.send(lane, Job::Record(event.clone()));
                    hazards.mark(lane, event.clone());
                    shared.send(memory, Job::Wait(event));
                }
                memory
            }
        };
        shared.send(queue, Job::Tell(done));
    }

    fn synchronize(&self) -> Result<()> {
        let events: Vec<Event> = {
            let _hazards = self.shared.hazards.lock();
            let record = |queue| {
                let event = Event::default();
                self.shared.send(queue, Job::Record(event.clone()));
                event
            };
            (0..self.shared.queues.count()).map(record).collect()
        };
        events.iter().for_each(Event::wait);
        self.shared.check()
    }

    fn memory_limit(&self) -> Option<u64> {
        self.shared.host.memory_limit()
    }
}

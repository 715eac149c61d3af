//! The interpreting backend with queues that run beside each other, each on a thread of its own with delays that a seed
//! decides. For tests: what is not kept in order ([`crate::hazards`]) comes out wrong here.

use crate::backend::{Backend, Block, Launch, OnRead, Piece};
use crate::hazards::{BlockId, Hazards, Queues, Use, Uses};
use crate::host::Host;
use crate::ir::Access;
use crate::print::Language;
use levada_graph::{DType, Error, Result, Shape, Tensor};
use levada_kernel::device::OnPassed;
use levada_kernel::lane;
use parking_lot::{Condvar, Mutex, MutexGuard};
use std::any::Any;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

/// The backend.
pub struct HostQueues {
    shared: Arc<Shared>,
}

/// What blocks and copies hold on to.
struct Shared {
    host: Host,
    queues: Queues,
    /// Held while something is queued.
    hazards: Mutex<Hazards<Event>>,
    senders: Vec<Sender<Job>>,
    fault: Arc<Mutex<Option<Error>>>,
    waits: AtomicUsize,
}

/// Passes once.
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
    /// Something that takes its time.
    Run(Box<dyn FnOnce() -> Result<()> + Send>),
    /// Something that is told at once.
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
        // Whoever comes too late finds other bytes.
        let (shared, inner, len) = (self.shared.clone(), self.inner.clone(), self.len);
        let spoil = move || {
            let spoilt = Tensor::from_vec(Shape::vector(len), vec![0x5a_u8; len])?;
            shared.host.write(&inner, spoilt, Box::new(|_| {}));
            Ok(())
        };
        let memory = self.shared.queues.memory();
        let mut hazards = self.shared.hazards.lock();
        self.shared.queue(&mut hazards, memory, &[(self.id, Use::Write)], None, Job::Run(Box::new(spoil)));
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
            Job::Run(work) => {
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
    /// A backend for as many steps at once as there are `lanes`, whose work is delayed by up to `delay`.
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
            }),
        }
    }

    /// How often a queue waited for another.
    pub fn waits(&self) -> usize {
        self.shared.waits.load(Ordering::Relaxed)
    }

    /// Holds back all that is queued from now on by the step with this lane, until what is returned is called.
    pub fn hold(&self, lane: usize) -> impl FnOnce() + Send + 'static {
        let gate = Event::default();
        self.shared.send(self.shared.queues.compute(lane), Job::Wait(gate.clone()));
        move || gate.pass()
    }
}

impl Shared {
    fn send(&self, queue: usize, job: Job) {
        // A thread ends after the last sender only.
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
        self.shared.queue(&mut hazards, queue, &uses, Some(launch.node), Job::Run(Box::new(run)));
        Ok(())
    }

    fn write(&self, to: &Arc<dyn Block>, bytes: Tensor, done: OnPassed) {
        let write = || {
            self.shared.check()?;
            let to = block(to)?;
            let (shared, inner) = (self.shared.clone(), to.inner.clone());
            let run = move || {
                let (send, receive) = channel();
                shared.host.write(&inner, bytes, Box::new(move |done| drop(send.send(done))));
                receive.recv().unwrap_or(Ok(()))
            };
            let queue = self.shared.queues.uploads(self.shared.lane());
            let mut hazards = self.shared.hazards.lock();
            self.shared.queue(&mut hazards, queue, &[(to.id, Use::Write)], None, Job::Run(Box::new(run)));
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
        let tell = move |passed: Result<()>| match passed {
            Ok(()) => {
                shared.host.read(&inner, at, like, Box::new(done));
                drop(keep);
            }
            Err(error) => done(Err(error)),
        };
        let queue = self.shared.queues.downloads(self.shared.lane());
        let mut hazards = self.shared.hazards.lock();
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
        self.shared.queue(&mut hazards, queue, &uses, None, Job::Run(Box::new(run)));
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
                    let bytes = receive.recv().map_err(|_| Error::internal("a copy was given up"))??;
                    let (send, receive) = channel();
                    shared.host.write(&inner, bytes, Box::new(move |done| drop(send.send(done))));
                    receive.recv().map_err(|_| Error::internal("a copy was given up"))?
                };
                let mut hazards = ours.hazards.lock();
                let queue = ours.queues.peers();
                ours.send(queue, Job::Wait(ready));
                ours.queue(&mut hazards, queue, &[(target.id, Use::Write)], None, Job::Run(Box::new(run)));
                ours.send(queue, Job::Record(done.clone()));
            }
            // Whoever writes the source waits for the copy.
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
            // Nobody knows whose work is meant: all that computes.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Prepared;
    use crate::device::GpuDevice;
    use crate::ir::Builder;
    use crate::memory::{Chunk, Pool};
    use levada_kernel::{AnyDevice, Scope};

    const LEN: usize = 6;

    struct Random(u64);

    impl Random {
        fn below(&mut self, n: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((self.0 >> 33) as usize) % n
        }
    }

    /// `z = 3 x + y + number`, and `z = z + x`.
    fn programs() -> [Arc<Prepared>; 2] {
        let mut b = Builder::new("mix");
        b.group_size(8);
        let (x, y) = (b.buffer(DType::U32, Access::Read), b.buffer(DType::U32, Access::Read));
        let z = b.buffer(DType::U32, Access::Write);
        let (size, number) = (b.param_u32(), b.param_u32());
        b.for_each(&size, |b, i| b.store(z, &i, b.load(x, &i) * 3u32 + b.load(y, &i) + &number));
        let mix = b.finish();
        let mut b = Builder::new("add");
        b.group_size(8);
        let (x, z) = (b.buffer(DType::U32, Access::Read), b.buffer(DType::U32, Access::Write));
        let size = b.param_u32();
        b.for_each(&size, |b, i| b.store(z, &i, b.load(z, &i) + b.load(x, &i)));
        let add = b.finish();
        [Arc::new(Prepared::new(mix)), Arc::new(Prepared::new(add))]
    }

    fn piece(chunk: &Arc<Chunk>) -> Piece {
        Piece { block: chunk.block.clone(), first: 0 }
    }

    fn tensor(values: &[u32]) -> Tensor {
        Tensor::vector(values.to_vec())
    }

    /// Reads of a block, with what must be found.
    type Reads = Vec<(Vec<u32>, std::sync::mpsc::Receiver<Result<Tensor>>)>;

    fn read(backend: &dyn Backend, chunk: &Arc<Chunk>, expected: &[u32], reads: &mut Reads) {
        let (send, receive) = channel();
        let like = Tensor::zeros(DType::U32, Shape::vector(LEN));
        backend.read(&chunk.block, 0, like, Box::new(move |read| drop(send.send(read))));
        reads.push((expected.to_vec(), receive));
    }

    #[test]
    fn blocks_that_several_lanes_use_are_as_if_all_came_one_after_the_other() {
        let [mix, add] = programs();
        let node: Arc<str> = "n".into();
        let mut waits = 0;
        for seed in 0..60u64 {
            let random = &mut Random(seed);
            let lanes = 1 + random.below(4);
            let make = |seed| {
                let backend = Arc::new(HostQueues::new(Language::Cuda, None, lanes, seed, Duration::from_micros(200)));
                let limit = if seed % 3 == 0 { 256 * 10 } else { usize::MAX };
                (backend.clone(), Pool::new("gpu".into(), backend, limit))
            };
            let devices = [make(seed), make(seed + 1000)];
            let scopes: Vec<Arc<Scope>> = (0..lanes + 1).map(|_| Arc::default()).collect();
            let mut reads = Reads::new();
            // On each device blocks with what they must hold.
            let mut blocks: [Vec<(Arc<Chunk>, Vec<u32>)>; 2] = [Vec::new(), Vec::new()];
            for turn in 0..150 {
                let _step = lane::enter(Some(scopes[random.below(scopes.len())].clone()));
                let d = if random.below(4) == 0 { 1 } else { 0 };
                let (backend, pool) = &devices[d];
                if blocks[d].len() < 3 {
                    let chunk = pool.alloc(LEN * 4, &node).unwrap();
                    let values: Vec<u32> = (0..LEN as u32).map(|i| i + turn).collect();
                    backend.write(&chunk.block, tensor(&values), Box::new(|r| r.unwrap()));
                    blocks[d].push((chunk, values));
                    continue;
                }
                let n = blocks[d].len();
                let (x, y, z) = (random.below(n), random.below(n), random.below(n));
                match random.below(9) {
                    0..=2 => {
                        let out = match random.below(2) {
                            // A new block, as most nodes have.
                            0 if n < 6 => {
                                blocks[d].push((pool.alloc(LEN * 4, &node).unwrap(), vec![0; LEN]));
                                n
                            }
                            _ => z,
                        };
                        let buffers = [x, y, out].map(|i| piece(&blocks[d][i].0));
                        let params = [LEN as u32, turn];
                        let launch =
                            Launch { program: &mix, groups: 1, buffers: &buffers, params: &params, node: &node };
                        backend.launch(launch).unwrap();
                        let values = (0..LEN).map(|i| {
                            let (x, y) = (blocks[d][x].1[i], blocks[d][y].1[i]);
                            x.wrapping_mul(3).wrapping_add(y).wrapping_add(turn)
                        });
                        blocks[d][out].1 = values.collect();
                    }
                    3 => {
                        let buffers = [x, z].map(|i| piece(&blocks[d][i].0));
                        let params = [LEN as u32];
                        let launch =
                            Launch { program: &add, groups: 1, buffers: &buffers, params: &params, node: &node };
                        backend.launch(launch).unwrap();
                        let added = blocks[d][x].1.clone();
                        blocks[d][z].1.iter_mut().zip(added).for_each(|(z, x)| *z = z.wrapping_add(x));
                    }
                    4 => {
                        let values: Vec<u32> = (0..LEN as u32).map(|i| i * turn).collect();
                        backend.write(&blocks[d][z].0.block, tensor(&values), Box::new(|r| r.unwrap()));
                        blocks[d][z].1 = values;
                    }
                    5 if x != z => {
                        let (from, to) = (blocks[d][x].0.block.clone(), blocks[d][z].0.block.clone());
                        backend.copy(&from, 0, &to, 0, LEN * 4).unwrap();
                        blocks[d][z].1 = blocks[d][x].1.clone();
                    }
                    6 if blocks[1 - d].len() > 2 => {
                        let (from, values) = blocks[1 - d][0].clone();
                        let peer = &*devices[1 - d].0;
                        let to = &blocks[d][z].0.block;
                        backend.copy_from_peer(to, peer, &from.block, 0, LEN * 4).unwrap().unwrap();
                        blocks[d][z].1 = values;
                    }
                    // The pool hands the memory out again.
                    7 => drop(blocks[d].swap_remove(x)),
                    _ => {
                        let (chunk, values) = &blocks[d][x];
                        read(&**backend, chunk, values, &mut reads);
                    }
                }
            }
            for (i, (backend, _)) in devices.iter().enumerate() {
                blocks[i].iter().for_each(|(chunk, values)| read(&**backend, chunk, values, &mut reads));
                backend.synchronize().unwrap();
                waits += backend.waits();
            }
            for (i, (expected, found)) in reads.into_iter().enumerate() {
                let found = found.recv().unwrap().unwrap();
                assert_eq!(found.slice::<u32>().unwrap(), expected, "read {i} with seed {seed}");
            }
        }
        assert!(waits > 100, "{waits}");
    }

    #[test]
    fn a_step_does_not_wait_for_another_that_it_has_nothing_to_do_with() {
        let [mix, _] = programs();
        let node: Arc<str> = "n".into();
        let backend = Arc::new(HostQueues::new(Language::Cuda, None, 2, 1, Duration::ZERO));
        let device = GpuDevice::new(0, backend.clone(), None);
        let (a, b): (Arc<Scope>, Arc<Scope>) = Default::default();
        // Lanes of the process are shared with other tests: take until two are on different queues.
        let mut spare = vec![b];
        while spare.last().unwrap().lane() % 2 == a.lane() % 2 {
            spare.push(Arc::default());
        }
        let b = spare.pop().unwrap();
        let run = |scope: &Arc<Scope>| {
            let _step = lane::enter(Some(scope.clone()));
            let pool = &device.gpu().pool;
            let (x, z) = (pool.alloc(LEN * 4, &node).unwrap(), pool.alloc(LEN * 4, &node).unwrap());
            backend.write(&x.block, tensor(&[1; LEN]), Box::new(|r| r.unwrap()));
            let buffers = [&x, &x, &z].map(piece);
            let params = [LEN as u32, 0];
            backend
                .launch(Launch { program: &mix, groups: 1, buffers: &buffers, params: &params, node: &node })
                .unwrap();
            let mut reads = Reads::new();
            read(&*backend, &z, &[4; LEN], &mut reads);
            let (send, passed) = channel();
            device.memory().unwrap().when_passed(Box::new(move |r| drop(send.send(r))));
            (reads.pop().unwrap(), passed)
        };
        // What the first one leaves in the pool is not what the second one waits for.
        let release = backend.hold(a.lane());
        let (held, held_passed) = run(&a);
        let (free, free_passed) = run(&b);
        let (send, everybody) = channel();
        backend.when_passed(Box::new(move |r| drop(send.send(r))));
        let found = free.1.recv_timeout(Duration::from_secs(30)).unwrap().unwrap();
        assert_eq!(found.slice::<u32>().unwrap(), free.0);
        free_passed.recv().unwrap().unwrap();
        assert!(held.1.try_recv().is_err() && held_passed.try_recv().is_err() && everybody.try_recv().is_err());
        release();
        backend.synchronize().unwrap();
        assert_eq!(held.1.recv().unwrap().unwrap().slice::<u32>().unwrap(), held.0);
        held_passed.recv().unwrap().unwrap();
        everybody.recv().unwrap().unwrap();
    }

    #[test]
    fn what_goes_wrong_fails_what_comes_later() {
        let [mix, _] = programs();
        let node: Arc<str> = "culprit".into();
        let backend = HostQueues::new(Language::Cuda, None, 2, 1, Duration::ZERO);
        let small = backend.alloc(4).unwrap();
        let buffers: [Piece; 3] = std::array::from_fn(|_| Piece { block: small.clone(), first: 0 });
        let params = [LEN as u32, 0];
        backend.launch(Launch { program: &mix, groups: 1, buffers: &buffers, params: &params, node: &node }).unwrap();
        let error = backend.synchronize().unwrap_err();
        assert!(error.message().contains("culprit"), "{error}");
        let (send, read) = channel();
        backend.read(&small, 0, Tensor::zeros(DType::U32, Shape::vector(1)), Box::new(move |r| drop(send.send(r))));
        assert_eq!(read.recv().unwrap().unwrap_err().message(), error.message());
    }
}

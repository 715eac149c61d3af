//! The host cost of a node on a GPU: `cargo bench -p levada-tests --bench launches`.
//!
//! Chains of elementwise nodes run in a session on a device that does nothing, so this measures the executor, the
//! kernel and the queueing, without the cost of a driver. `chain` has consecutive unary nodes on vectors, which reuse
//! their input's memory; `wide` has additions of two vectors, whose results are all kept until the end; `broadcast`
//! adds a row to a matrix.

use levada::Output;
use levada::kernel::AnyDevice;
use levada::{Builder, CallableOptions, DType, Error, PartialShape, SessionOptions, Shape, Tensor};
use levada_gpu::GpuDevice;
use levada_gpu::backend::{Backend, Block, Launch, OnRead};
use levada_gpu::hazards::{Hazards, Queues, Use, Uses};
use levada_gpu::ir::Access;
use levada_gpu::print::Language;
use std::any::Any;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

const NODES: usize = 1000;

/// Accepts all work and does nothing except keep its order, as a device with several queues does.
struct Nothing {
    queues: Queues,
    hazards: Arc<Mutex<Hazards<()>>>,
    launches: AtomicU64,
}

#[derive(Debug)]
struct NoMemory(levada_gpu::hazards::BlockId);

impl Block for NoMemory {}

impl Backend for Nothing {
    fn language(&self) -> Language {
        Language::Cuda
    }
    fn lanes(&self) -> usize {
        self.queues.lanes
    }
    fn alloc(&self, _: usize) -> levada::Result<Arc<dyn Block>> {
        Ok(Arc::new(NoMemory(self.hazards.lock().unwrap().add())))
    }
    fn launch(&self, launch: Launch<'_>) -> levada::Result<()> {
        let mut uses = Uses::new();
        for (piece, (_, access)) in launch.buffers.iter().zip(&launch.program.program.buffers) {
            let any: &dyn Any = &*piece.block;
            let block: &NoMemory = any.downcast_ref().ok_or_else(|| Error::internal("memory of another backend"))?;
            uses.push((block.0, if *access == Access::Read { Use::Read } else { Use::Write }));
        }
        let queue = self.queues.compute(levada::kernel::lane::current().unwrap_or(0));
        let mut hazards = self.hazards.lock().unwrap();
        hazards.order(queue, &uses, |_| Ok::<_, Error>(()), |()| Ok(()))?;
        if hazards.queued(queue, &uses, Some(launch.node)).1 {
            hazards.mark(queue, ());
            hazards.poll(queue, |()| Ok::<_, Error>(true))?;
        }
        self.launches.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
    fn write(&self, _: &Arc<dyn Block>, _: Tensor, done: levada::kernel::device::OnPassed) {
        done(Ok(()));
    }
    fn read(&self, _: &Arc<dyn Block>, _: usize, like: Tensor, done: OnRead) {
        done(Ok(like));
    }
    fn copy(&self, _: &Arc<dyn Block>, _: usize, _: &Arc<dyn Block>, _: usize, _: usize) -> levada::Result<()> {
        Ok(())
    }
    fn when_passed(&self, done: levada::kernel::device::OnPassed) {
        done(Ok(()));
    }
    fn synchronize(&self) -> levada::Result<()> {
        Ok(())
    }
    fn memory_limit(&self) -> Option<u64> {
        None
    }
}

/// Nanoseconds per launch, for the best of many steps.
fn measure(name: &str, build: impl FnOnce(&mut Builder) -> Output) -> Result<(), Error> {
    let mut b = Builder::new(levada::registry());
    let last = build(&mut b);
    b.node("Identity").name("y").input(last).add();
    let queues = Queues { lanes: 4 };
    let hazards = Arc::new(Mutex::new(Hazards::new(queues.count())));
    let backend = Arc::new(Nothing { queues, hazards, launches: AtomicU64::new(0) });
    let options = SessionOptions { threads: 1, allow_soft_placement: true, plain: true, ..SessionOptions::default() };
    let mut devices = levada::devices(&options);
    devices.push(Arc::new(GpuDevice::new(0, backend.clone(), None)) as Arc<dyn AnyDevice>);
    let session = levada::session::Session::with_devices(b.finish()?, levada::registry(), devices, options)?;
    let callable = session.callable(&CallableOptions::new(["x"], ["y"], None::<&str>))?;
    let input = Tensor::zeros(DType::F32, Shape::new([16, 64])?);
    let mut best = f64::INFINITY;
    let mut launches = 0;
    for _ in 0..200 {
        let (before, start) = (backend.launches.load(Ordering::Relaxed), Instant::now());
        callable.run(std::slice::from_ref(&input))?;
        launches = backend.launches.load(Ordering::Relaxed) - before;
        best = best.min(start.elapsed().as_nanos() as f64 / launches.max(1) as f64);
    }
    println!("{name:<10} {best:>6.0} ns a node, {launches} launches in a step");
    Ok(())
}

fn main() -> ExitCode {
    let x = |b: &mut Builder| b.placeholder("x", DType::F32, PartialShape::new([Some(16), Some(64)]));
    let measured = measure("chain", |b| {
        let mut y = x(b);
        for _ in 0..NODES {
            y = b.node("Neg").input(y).add();
        }
        y
    })
    .and_then(|()| {
        measure("wide", |b| {
            let x = x(b);
            let mut y = x;
            for _ in 0..NODES {
                y = b.node("AddV2").input(y).input(x).add();
            }
            y
        })
    })
    .and_then(|()| {
        measure("broadcast", |b| {
            let (mut y, row) = (x(b), b.constant(Tensor::zeros(DType::F32, Shape::vector(64))));
            for _ in 0..NODES {
                y = b.node("AddV2").input(y).input(row).add();
            }
            y
        })
    });
    match measured {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

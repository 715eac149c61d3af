//! Several concurrent steps on the interpreting backend, with concurrent queues.

use crate::work::{LEN, Reads, piece, programs, random_work, read, tensor};
use levada_gpu::backend::{Backend, Launch, Piece};
use levada_gpu::host::Host;
use levada_gpu::host_queues::HostQueues;
use levada_gpu::print::Language;
use levada_gpu::{Blocking, GpuDevice};
use levada_graph::{DType, Shape, Tensor};
use levada_kernel::{AnyDevice, Scope, lane};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

#[test]
fn blocks_that_several_lanes_use_are_as_if_all_came_one_after_the_other() {
    let mut waits = 0;
    for seed in 0..60u64 {
        let make = |seed: u64| {
            let lanes = 1 + (seed % 4) as usize;
            Arc::new(HostQueues::new(Language::Cuda, None, lanes, seed, Duration::from_micros(200)))
        };
        let devices = [make(seed), make(seed / 4 + 1000)];
        random_work(&devices.each_ref().map(|d| d.clone() as Arc<dyn Backend>), seed, 150, true);
        waits += devices.iter().map(|d| d.waits()).sum::<usize>();
    }
    assert!(waits > 100, "{waits}");
}

#[test]
fn launches_that_read_the_same_blocks_in_different_orders_end() {
    let [mix, _] = programs();
    let host = Host::new(Language::Cuda, None);
    let [x, y, z, w] = [(); 4].map(|()| Piece { block: host.alloc(LEN * 4).unwrap(), first: 0 });
    let launch = |buffers: &[Piece]| {
        let params = [LEN as u32, 0];
        for _ in 0..20_000 {
            host.launch(Launch { program: &mix, groups: 1, buffers, params: &params, node: &"n".into() }).unwrap();
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| launch(&[x.clone(), y.clone(), z]));
        scope.spawn(|| launch(&[y.clone(), x.clone(), w]));
    });
    assert_eq!(host.launches(), 40_000);
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
        backend.launch(Launch { program: &mix, groups: 1, buffers: &buffers, params: &params, node: &node }).unwrap();
        let mut reads = Reads::new();
        read(&(backend.clone() as Arc<dyn Backend>), &z, &[4; LEN], &mut reads);
        let (send, passed) = channel();
        device.memory().unwrap().when_passed(Box::new(move |r| drop(send.send(r))));
        (reads.pop().unwrap(), passed)
    };
    // The second step does not wait for what the first one returned to the pool.
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
    assert!(error.message().contains("culprit"), "{error}");
    let (send, read) = channel();
    backend.read(&small, 0, Tensor::zeros(DType::U32, Shape::vector(1)), Box::new(move |r| drop(send.send(r))));
    assert_eq!(read.recv().unwrap().unwrap_err().message(), error.message());
}

#[test]
fn where_everything_is_waited_for_the_node_fails_that_is_wrong() {
    let [mix, _] = programs();
    let backend: Arc<dyn Backend> = Arc::new(HostQueues::new(Language::Cuda, None, 2, 1, Duration::from_micros(200)));
    let blocking: Arc<dyn Backend> = Arc::new(Blocking::new(backend));
    let blocks = [blocking.alloc(4 * LEN).unwrap(), blocking.alloc(4).unwrap()];
    let params = [LEN as u32, 0];
    let launch = |i: usize, name: &str| {
        let buffers: [Piece; 3] = std::array::from_fn(|_| Piece { block: blocks[i].clone(), first: 0 });
        blocking.launch(Launch { program: &mix, groups: 1, buffers: &buffers, params: &params, node: &name.into() })
    };
    launch(0, "a").unwrap();
    launch(0, "b").unwrap();
    let error = launch(1, "c").unwrap_err();
    assert!(error.message().starts_with("program mix of node c failed"), "{error}");
    assert!(launch(0, "d").is_err());
    // Copies between devices go to the inner backend.
    let make = |seed| -> Arc<dyn Backend> {
        Arc::new(Blocking::new(Arc::new(HostQueues::new(Language::Cuda, None, 2, seed, Duration::from_micros(20)))))
    };
    random_work(&[make(1), make(2)], 1, 60, true);
}

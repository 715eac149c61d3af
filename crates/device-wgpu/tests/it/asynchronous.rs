//! Order, pieces, copies, batches and errors.

use crate::{device, prepare, read, write};
use levada_gpu::backend::{Launch, Piece};
use levada_gpu::ir::{Access, Builder, E, Node, Program, Stmt, Ty};
use levada_gpu::{Backend, Prepared};
use levada_graph::{Code, DType, Tensor};
use std::sync::{Arc, mpsc};
use std::time::Instant;

/// Adds a parameter to every element.
fn add() -> Arc<Prepared> {
    let mut b = Builder::new("add");
    let x = b.buffer(DType::F32, Access::Read);
    let y = b.buffer(DType::F32, Access::Write);
    let (n, by) = (b.param_u32(), b.param(Ty::F32));
    b.for_each(&n, |b, i| {
        let value = b.load(x, &i);
        b.store(y, &i, value + &by);
    });
    prepare(b.finish())
}

fn launch(device: &Arc<dyn Backend>, program: &Arc<Prepared>, x: &Piece, y: &Piece, n: u32, by: f32) {
    let buffers = [x.clone(), y.clone()];
    let params = [n, by.to_bits()];
    device.launch(Launch { program, groups: 1, buffers: &buffers, params: &params, node: &"n".into() }).unwrap();
}

#[test]
fn thousands_of_launches_run_in_order() {
    let Some(device) = device() else { return };
    let program = add();
    let x = write(&device, &Tensor::vector(vec![0f32; 10]));
    let start = Instant::now();
    for i in 0..3_000 {
        launch(&device, &program, &x, &x, 10, (i % 3) as f32);
    }
    let queued = start.elapsed();
    assert_eq!(read(&device, &x, DType::F32, 10).unwrap().slice::<f32>().unwrap(), [3_000f32; 10]);
    println!("a launch took {:?} to queue, {:?} to run", queued / 3_000, start.elapsed() / 3_000);
}

#[test]
fn writes_launches_copies_and_reads_follow_each_other() {
    let Some(device) = device() else { return };
    let program = add();
    let x = write(&device, &Tensor::vector(vec![1f32; 100_000]));
    let y = write(&device, &Tensor::vector(vec![0f32; 100_000]));
    let (send, receive) = mpsc::channel();
    for round in 0..20 {
        launch(&device, &program, &x, &y, 10, 1.0);
        device.write(
            &x.block,
            Tensor::vector(vec![round as f32; if round % 2 == 0 { 10 } else { 50_000 }]),
            Box::new(|r| r.unwrap()),
        );
        launch(&device, &program, &y, &y, 10, 0.5);
        device.copy(&y.block, 0, &y.block, 40, 40).unwrap();
        let send = send.clone();
        let like = Tensor::vector(vec![0f32; 20]);
        device.read(&y.block, 0, like, Box::new(move |t| send.send((round, t.unwrap())).unwrap()));
    }
    for expected in 0..20 {
        let (round, tensor) = receive.recv().unwrap();
        assert_eq!(round, expected);
        let value = if round == 0 { 2.5 } else { (round - 1) as f32 + 1.5 };
        assert_eq!(tensor.slice::<f32>().unwrap(), [value; 20]);
    }
}

#[test]
fn pieces_start_within_a_block() {
    let Some(device) = device() else { return };
    let program = add();
    let x = write(&device, &Tensor::vector((0..100).map(|i| i as f32).collect()));
    let (from, to) = (Piece { first: 10, ..x.clone() }, Piece { first: 71, ..x.clone() });
    launch(&device, &program, &from, &to, 3, 0.25);
    assert_eq!(read(&device, &to, DType::F32, 3).unwrap().slice::<f32>().unwrap(), [10.25, 11.25, 12.25]);
}

#[test]
fn whoever_waits_hears_once_all_has_passed() {
    let Some(device) = device() else { return };
    let program = add();
    let x = write(&device, &Tensor::vector(vec![0f32; 1_000]));
    launch(&device, &program, &x, &x, 1_000, 1.0);
    let (send, receive) = mpsc::channel();
    device.when_passed(Box::new(move |r| send.send(r).unwrap()));
    receive.recv().unwrap().unwrap();
    device.synchronize().unwrap();
    device.synchronize().unwrap();
}

#[test]
fn what_cannot_be_compiled_is_an_error_with_the_programs_name() {
    let Some(device) = device() else { return };
    let x = write(&device, &Tensor::vector(vec![0f32; 10]));
    let program = Program {
        name: "broken".to_owned(),
        group_size: 64,
        buffers: vec![(DType::F32, Access::Write)],
        params: Vec::new(),
        shared: Vec::new(),
        vars: Vec::new(),
        // A variable that was never declared.
        body: vec![Stmt::Store(levada_gpu::ir::Buf(0), E::u32(0), E { node: Arc::new(Node::Var(0)), ty: Ty::F32 })],
    };
    let program = prepare(program);
    let launched = device.launch(Launch {
        program: &program,
        groups: 1,
        buffers: std::slice::from_ref(&x),
        params: &[],
        node: &"n".into(),
    });
    let error = launched.unwrap_err();
    assert_eq!(error.code(), Code::Internal);
    assert!(error.to_string().contains("broken"), "{error}");
    // The device still works.
    launch(&device, &add(), &x, &x, 10, 1.0);
    assert_eq!(read(&device, &x, DType::F32, 1).unwrap().slice::<f32>().unwrap(), [1.0]);
}

#[test]
fn too_much_memory_is_an_error() {
    let Some(device) = device() else { return };
    let error = device.alloc(1 << 50).unwrap_err();
    assert_eq!(error.code(), Code::ResourceExhausted);
    let x = write(&device, &Tensor::vector(vec![0f32; 10]));
    assert!(device.copy(&x.block, 0, &x.block, 1 << 20, 40).is_err());
    assert_eq!(read(&device, &x, DType::F32, 10).unwrap().num_elements(), 10);
}

#[test]
fn several_threads_share_a_device() {
    let Some(device) = device() else { return };
    let program = add();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (device, program) = (&device, &program);
            scope.spawn(move || {
                for round in 0..50 {
                    let x = write(device, &Tensor::vector(vec![thread as f32; 256]));
                    (0..5).for_each(|_| launch(device, program, &x, &x, 256, 1.0));
                    let found = read(device, &x, DType::F32, 256).unwrap();
                    assert_eq!(found.slice::<f32>().unwrap(), [thread as f32 + 5.0; 256], "round {round}");
                }
            });
        }
    });
}

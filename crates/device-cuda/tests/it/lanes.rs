//! Several concurrent steps and several devices.

use crate::stand_in;
use crate::work::{LEN, programs, random_work};
use levada_gpu::Backend;
use levada_gpu::backend::{Launch, Piece};
use levada_graph::{DType, Shape, Tensor};
use std::sync::Arc;
use std::sync::mpsc::channel;

fn devices() -> Vec<Arc<dyn Backend>> {
    levada_device_cuda::discover().found.iter().map(|found| found.open().unwrap()).collect()
}

#[test]
fn work_of_several_steps_is_as_if_it_came_one_after_the_other() {
    let found = devices();
    let Some(first) = found.first() else { return };
    let second = found.get(1).unwrap_or(first);
    for seed in 0..8 {
        random_work(&[first.clone(), second.clone()], seed, 120, true);
    }
}

#[test]
fn two_devices_on_the_stand_in() {
    for peers in ["0", "1"] {
        let settings = [("LEVADA_STAND_IN_DEVICES", "2"), ("LEVADA_STAND_IN_PEERS", peers)];
        stand_in::here_again(&["work_of_several_steps"], &settings);
    }
}

/// Launches as nodes `n0`, `n1` and so on, one of which the stand-in lets fail.
#[test]
fn a_fault_names_the_nodes_that_had_not_run() {
    if std::env::var("LEVADA_STAND_IN_FAIL").is_err() {
        return;
    }
    let device = devices().remove(0);
    let [mix, _] = programs();
    let block = device.alloc(4 * LEN).unwrap();
    device.write(&block, Tensor::vector(vec![0u32; LEN]), Box::new(|r| r.unwrap()));
    let buffers: [Piece; 3] = std::array::from_fn(|_| Piece { block: block.clone(), first: 0 });
    let launch = |i: usize| {
        let node = format!("n{i}").into();
        let launch = Launch { program: &mix, groups: 1, buffers: &buffers, params: &[LEN as u32, 0], node: &node };
        device.launch(launch)
    };
    (0..5).for_each(|i| launch(i).unwrap());
    // Everything queued so far is known to have run.
    device.synchronize().unwrap();
    let _ = (5..8).try_for_each(launch);
    let (send, read) = channel();
    device.read(&block, 0, Tensor::zeros(DType::U32, Shape::vector(1)), Box::new(move |r| send.send(r).unwrap()));
    let error = read.recv().unwrap().unwrap_err();
    let text = error.message();
    assert!(text.contains("CUDA device 0") && text.contains("n6") && !text.contains("n4"), "{text}");
    assert_eq!(device.synchronize().unwrap_err().message(), text);
    assert_eq!(launch(9).unwrap_err().message(), text);
}

#[test]
fn a_fault_on_the_stand_in() {
    stand_in::here_again(&["a_fault_names"], &[("LEVADA_STAND_IN_FAIL", "launch:7")]);
}

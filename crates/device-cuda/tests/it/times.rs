//! Times of work in traced steps.

use crate::{device, prepare, read, write};
use levada_gpu::backend::{Launch, MatMul};
use levada_gpu::ir::{Access, Builder};
use levada_graph::{DType, Tensor};
use levada_trace::{DeviceEvent, NodeEvent, Origin, Recorder, StepTrace, Track, Work};
use std::sync::Arc;

#[test]
fn a_traced_step_hears_when_its_work_ran() {
    let Some(device) = device() else { return };
    device.attach(&"/device:GPU:0".into());
    let mut b = Builder::new("twice");
    let x = b.buffer(DType::F32, Access::Write);
    let n = b.param_u32();
    b.for_each(&n, |b, i| {
        let value = b.load(x, &i);
        b.store(x, &i, value.clone() + &value);
    });
    let program = prepare(b.finish());
    let node: Arc<str> = "n".into();
    for step in 0..3 {
        let recorder = Arc::new(Recorder::new(step, 1));
        let function = "".into();
        let origin = Origin { recorder: recorder.clone(), node: node.clone(), worker: 0, function, iteration: None };
        let entered = origin.enter();
        let [x, y, out] = [(); 3].map(|()| write(&device, &Tensor::vector(vec![1f32; 64 * 64])));
        for _ in 0..3 {
            let buffers = [x.clone()];
            let params = [64 * 64];
            device
                .launch(Launch { program: &program, groups: 8, buffers: &buffers, params: &params, node: &node })
                .unwrap();
        }
        device.copy(&x.block, 0, &y.block, 0, 4096).unwrap();
        let product = MatMul {
            node: &node,
            dtype: DType::F32,
            sizes: [64, 64, 64],
            batch: 1,
            a: x.clone(),
            b: y.clone(),
            out: out.clone(),
            transpose_a: false,
            transpose_b: false,
            leading: [64, 64],
            strides: [4096, 4096],
            tf32: false,
        };
        let products = device.matmul(&product).map_or(0, |r| r.map(|()| 1).unwrap());
        assert_eq!(read(&device, &x, DType::F32, 64 * 64).unwrap().slice::<f32>().unwrap(), [8f32; 64 * 64]);
        drop(entered);
        // Work outside of a traced step is not in its trace.
        read(&device, &out, DType::F32, 64).unwrap();
        recorder.settle(None);
        let trace = recorder.finish();
        assert_eq!(trace.device_events_lost, 0);
        let event = NodeEvent { end_ns: trace.wall_ns, ..NodeEvent::new("n".into(), "NoOp") };
        let trace = StepTrace { events: vec![event], ..trace };
        if let Err(found) = levada_trace::check(&trace, &["n".into()], &[]) {
            panic!("{found:?} in {:#?}", trace.device_events);
        }

        let on = |track| trace.device_events.iter().filter(|e| e.track == track).collect::<Vec<&DeviceEvent>>();
        let copies = (on(Track::CopiesIn), on(Track::CopiesOut));
        assert_eq!((copies.0.len(), copies.1.len()), (3, 1));
        let computed: Vec<&str> = on(Track::Compute(0)).iter().map(|e| e.work.name()).collect();
        let all = ["twice", "twice", "twice", "copy", "cuBLASLt"];
        assert_eq!(computed, all[..4 + products]);
        assert!(matches!(copies.1[0].work, Work::CopyOut { bytes: 16_384 }));
        assert!(trace.device_events.iter().all(|e| !e.approximate));
        let error = trace.device_events.iter().map(|e| e.error_ns).max();
        println!("step {step}: {} pieces of work, clock known to {error:?} ns", trace.device_events.len());
    }
}

//! The GPU kernels return the same as the CPU's, on the recorded cases. Their programs are interpreted, with both
//! element layouts that backends use, and run on the GPUs of the machine.

use levada::replay::{Limits, Outcome, Suite, read_lines};
use levada::{Replayer, SessionOptions};
use levada_device_cuda::{Form, can_compile, compile};
use levada_gpu::host::Host;
use levada_gpu::print::Language;
use levada_gpu::{Backend, Gpu, GpuDevice, Prepared};
use levada_tests::{graphics_processors, recorded, stand_in};
use std::sync::Arc;
use std::thread::available_parallelism;

/// Cases with an index out of range, which is not reported, as on GPUs in TensorFlow.
const UNHEARD: &[&str] = &[
    "GatherNd/range",
    "GatherV2/empty",
    "GatherV2/negative",
    "GatherV2/range",
    "ResourceSparseApplyAdadelta/index",
    "ResourceSparseApplyAdagrad/index",
    "ResourceSparseApplyAdagradV2/index",
    "ResourceSparseApplyCenteredRMSProp/index",
    "ResourceSparseApplyFtrl/index",
    "ResourceSparseApplyFtrlV2/index",
    "ResourceSparseApplyKerasMomentum/index",
    "ResourceSparseApplyMomentum/index",
    "ResourceSparseApplyProximalAdagrad/index",
    "ResourceSparseApplyProximalGradientDescent/index",
    "ResourceSparseApplyRMSProp/index",
    "ScatterNd/range",
    "state/odd_scatters",
    "state/resource/bad_indices_policy",
    "state/resource/empty",
    "state/resource/gather",
];

/// Cases with a duplicate index, where either update may be the last.
const UNORDERED: &[&str] = &[
    "state/resource/scatter_update/float16",
    "state/resource/scatter_update/float32",
    "state/resource/scatter_update/int32",
    "state/resource/scatter_update/uint8",
];

/// A function with an op that has no kernel for the device of the variable that it changes.
const WITHOUT_KERNEL: &[&str] = &["captured/of_rows/float64"];

/// Cases with an iterator on the CPU, for an op without a kernel, whose handle as a string is read on the device.
const READ_ELSEWHERE: &[&str] = &["IteratorFromStringHandle"];

/// A family of cases that is for the CPU: what a GPU makes of subnormal numbers is its own matter.
const OF_THE_CPU: &str = "subnormals.jsonl";

/// Every how-manyth session in `conformance` is replayed: there are many, and interpreted kernels are slow.
const SAMPLED: usize = 12;

/// Replays all golden cases and a sample of the sessions; returns the device and the number of nodes that ran on it.
fn replay(name: &str, backend: Arc<dyn Backend>) -> (GpuDevice, usize) {
    let device = GpuDevice::new(0, backend, None);
    let log = Some(Arc::new(|_: &str| ()) as Arc<levada::kernel::env::Log>);
    let options = SessionOptions { threads: 2, log, ..SessionOptions::default() };
    let runtime = Arc::new(Replayer::on_device(options, vec![Arc::new(device.clone())], "/device:GPU:0"));
    let jobs = available_parallelism().map_or(1, usize::from);
    let suite = Suite { filter: None, jobs, limits: Limits { tolerance: 10.0, ..Limits::default() } };
    let mut faults = Vec::new();
    let (mut golden, conformance) = (recorded("golden", ".jsonl"), recorded("conformance", ".jsonl.gz"));
    golden.retain(|file| !file.ends_with(OF_THE_CPU));
    let every = golden.iter().map(|file| (file, 1)).chain(conformance.iter().map(|file| (file, SAMPLED)));
    for (file, step) in every {
        let lines: Vec<String> = read_lines(file).unwrap().into_iter().step_by(step).collect();
        let rows = suite.run(&runtime, &lines, &|_| ()).unwrap();
        faults.extend(rows.into_iter().filter_map(|row| match row.outcome {
            Outcome::Passed => None,
            Outcome::Failed(why)
                if UNHEARD.contains(&&*row.name) && why.ends_with("INVALID_ARGUMENT, did not fail") =>
            {
                None
            }
            Outcome::Failed(why)
                if READ_ELSEWHERE.contains(&&*row.name) && why.contains("from handle defined on device") =>
            {
                None
            }
            Outcome::Skipped(why) if WITHOUT_KERNEL.contains(&&*row.name) && why.contains("has no kernel for it") => {
                None
            }
            Outcome::Failed(why) if UNORDERED.contains(&&*row.name) && why.contains("differ") => None,
            Outcome::Failed(why) | Outcome::Skipped(why) => Some(format!("{}: {}: {why}", file.display(), row.name)),
        }));
    }
    assert!(faults.is_empty(), "{} cases\n{}", faults.len(), faults.join("\n"));
    let (there, all) = runtime.ran();
    println!("{name}: {there} of {all} nodes ran on {}", <Gpu as levada::kernel::Device>::TYPE);
    (device, there)
}

#[test]
fn recorded_cases_pass_with_elements_in_words() {
    assert!(replay("words", Arc::new(Host::new(Language::Wgsl, None))).1 > 1000);
}

#[test]
fn recorded_cases_pass_on_the_devices_of_this_machine() {
    for gpu in graphics_processors() {
        assert!(replay(&gpu.info().name, gpu.open().unwrap()).1 > 1000);
    }
}

#[test]
fn recorded_cases_pass_on_the_stand_in_for_cuda() {
    stand_in::here_again(&["recorded_cases_pass_on_the_devices_of_this_machine"], &[]);
}

#[test]
fn recorded_cases_pass_with_elements_as_on_the_host_and_their_programs_compile() {
    let (device, there) = replay("bytes", Arc::new(Host::new(Language::Cuda, None)));
    assert!(there > 1000);
    if !can_compile() {
        assert!(std::env::var_os("LEVADA_REQUIRE_NVRTC").is_none(), "there is no NVRTC");
        println!("not compiled: there is no NVRTC");
        return;
    }
    let programs = device.gpu().programs();
    let jobs = available_parallelism().map_or(1, usize::from);
    let faults_of = |some: &[Arc<Prepared>]| -> Vec<String> {
        let compiled = some.iter().map(|p| compile(&p.program, (8, 0), Form::Ptx));
        compiled.filter_map(|compiled| compiled.err().map(|e| e.message().to_owned())).collect()
    };
    let faults: Vec<String> = std::thread::scope(|scope| {
        let parts = programs.chunks(programs.len().div_ceil(jobs).max(1));
        let running: Vec<_> = parts.map(|some| scope.spawn(|| faults_of(some))).collect();
        running.into_iter().flat_map(|part| part.join().unwrap()).collect()
    });
    assert!(faults.is_empty(), "{} of {} programs\n{}", faults.len(), programs.len(), faults.join("\n"));
}

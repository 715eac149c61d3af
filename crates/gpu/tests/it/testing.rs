//! Runs single ops on the CPU and on the interpreting backend, and compares.

use half::{bf16, f16};
use levada_gpu::GpuDevice;
use levada_gpu::host::Host;
use levada_gpu::print::Language;
use levada_graph::{AnyOp, DType, Error, Result, Shape, Tensor};
use levada_kernel::kernel::is_listed;
use levada_kernel::{
    AnyDevice, AnyKernel, Arena, Completion, Cpu, DeviceCopies, Entry, Env, Io, KernelEntry, NodeMeta, Parker, Pool,
    Resources, StepCx, Wait,
};
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

pub(crate) const F32: DType = DType::F32;
pub(crate) const I32: DType = DType::I32;

/// A vector of int32.
pub(crate) fn ints(values: &[i32]) -> Tensor {
    Tensor::vector(values.to_vec())
}

/// A scalar of int32.
pub(crate) fn int(value: i32) -> Tensor {
    Tensor::scalar(value)
}

struct NeverParks;

impl Parker for NeverParks {
    fn park(&mut self, _: Wait) -> Completion {
        Completion::new(|_| ())
    }
}

/// A device with a session of its own: variables that one op makes exist for the next.
pub(crate) struct Runner {
    /// Its name in messages.
    pub name: &'static str,
    gpu: Option<GpuDevice>,
    step: StepCx,
}

impl Runner {
    fn new(name: &'static str, gpu: Option<GpuDevice>) -> Runner {
        let env = Arc::new(Env::new(Arc::new(Pool::new(1)), Arc::new(Resources::new())));
        Runner { name, gpu, step: StepCx::alone(env) }
    }

    /// The CPU.
    pub(crate) fn cpu() -> Runner {
        Runner::new("CPU", None)
    }

    /// The interpreting backend, once for each language's way to store elements.
    pub(crate) fn gpus() -> [Runner; 2] {
        let gpu = |language| GpuDevice::new(0, Arc::new(Host::new(language, None)), None);
        [Runner::new("WGSL", Some(gpu(Language::Wgsl))), Runner::new("CUDA", Some(gpu(Language::Cuda)))]
    }

    /// True if the device has a kernel for this op with these attrs.
    pub(crate) fn has(&self, op: &Arc<dyn AnyOp>) -> bool {
        self.kernel(op).is_some()
    }

    fn kernel(&self, op: &Arc<dyn AnyOp>) -> Option<Arc<dyn AnyKernel>> {
        static TABLE: OnceLock<HashMap<&'static str, KernelEntry<Cpu>>> = OnceLock::new();
        match &self.gpu {
            Some(gpu) => gpu.kernel(op),
            None => {
                let table = TABLE.get_or_init(|| levada_ops::all().map(|entry| (entry.cpu.op, entry.cpu)).collect());
                let cpu = Arc::new(Cpu { arena: Arena::for_this_machine() });
                table.get(op.spec().name)?.make(op, &cpu)
            }
        }
    }

    /// The outputs of an op, from inputs on the host.
    pub(crate) fn run(&self, op: &Arc<dyn AnyOp>, inputs: &[Tensor]) -> Result<Vec<Tensor>> {
        let name = op.spec().name;
        let missing = || Error::unimplemented(format!("no kernel of {name} on {}", self.name));
        let kernel = self.kernel(op).ok_or_else(missing)?;
        let outputs = levada_gpu::dtypes(op, op.spec().outputs).expect("outputs have one dtype");
        let node = NodeMeta {
            name: "test".into(),
            op: name,
            device: "".into(),
            outputs: outputs.clone().into(),
            used: None,
            in_loop: false,
        };
        let mut entries = Vec::new();
        for (i, input) in inputs.iter().enumerate() {
            let stays = is_listed(kernel.host_inputs(), i, inputs.len()) || !input.dtype().is_plain();
            entries.push(Entry::Value(match &self.gpu {
                Some(gpu) if !stays => passed(|done| gpu.copy_in(input.clone(), done))?,
                _ => input.clone(),
            }));
        }
        let mut slots = vec![Entry::Empty; outputs.len()];
        kernel.compute(&mut Io::new(&mut entries, &mut slots, &node, &self.step, &mut NeverParks))?;
        let mut found = Vec::new();
        for (i, slot) in slots.iter().enumerate() {
            let tensor = slot.tensor().cloned().ok_or_else(|| Error::internal("an output was not set"))?;
            found.push(match &self.gpu {
                Some(gpu) => {
                    let stays = is_listed(kernel.host_outputs(), i, outputs.len()) || !tensor.dtype().is_plain();
                    let on_host = tensor.device_memory().is_none();
                    assert!(tensor.num_elements() == 0 || on_host == stays, "output {i} of {name} is elsewhere");
                    passed(|done| gpu.copy_out(tensor, done))?
                }
                None => tensor,
            });
        }
        Ok(found)
    }
}

/// The result of a copy that is done by the time it returns.
fn passed(copy: impl FnOnce(levada_kernel::device::OnCopied)) -> Result<Tensor> {
    let (send, receive) = std::sync::mpsc::channel();
    copy(Box::new(move |copied| send.send(copied).expect("the receiver waits")));
    receive.recv().expect("every copy is done")
}

/// Checks that a backend agrees with the CPU: floats within `tolerance` of the maximum of 1 and the value, anything
/// else exactly. If the CPU's kernel fails, the backend's must fail with the same code.
pub(crate) fn agree(op: impl AnyOp, inputs: &[Tensor], tolerance: f64) {
    let op: Arc<dyn AnyOp> = Arc::new(op);
    let expected = Runner::cpu().run(&op, inputs);
    for gpu in Runner::gpus() {
        let found = gpu.run(&op, inputs);
        match (&expected, &found) {
            (Ok(expected), Ok(found)) => {
                assert_eq!(expected.len(), found.len());
                for (i, (e, f)) in expected.iter().zip(found).enumerate() {
                    if let Some(difference) = difference(e, f, tolerance) {
                        panic!("{} output {i} of {op:?}: {difference}", gpu.name);
                    }
                }
            }
            (Err(expected), Err(found)) => {
                assert_eq!(expected.code(), found.code(), "{} {op:?}: {expected} {found}", gpu.name);
            }
            (expected, found) => panic!("{} {op:?}: {expected:?} {found:?}", gpu.name),
        }
    }
}

/// A description of where two tensors differ.
pub(crate) fn difference(expected: &Tensor, found: &Tensor, tolerance: f64) -> Option<String> {
    if expected.dtype() != found.dtype() || expected.shape() != found.shape() {
        let words = |t: &Tensor| format!("{} of shape {}", t.dtype(), t.shape());
        return Some(format!("expected {}, found {}", words(expected), words(found)));
    }
    let (Some(e), Some(f)) = (floats(expected), floats(found)) else {
        return (expected != found).then(|| format!("expected {expected:?}, found {found:?}"));
    };
    let near = |e: f64, f: f64| e == f || (e.is_nan() && f.is_nan()) || (e - f).abs() <= tolerance * e.abs().max(1.0);
    let at = e.iter().zip(&f).position(|(&e, &f)| !near(e, f))?;
    Some(format!("element {at} of shape {}: expected {}, found {}", expected.shape(), e[at], f[at]))
}

/// The elements of a tensor of floats.
pub(crate) fn floats(tensor: &Tensor) -> Option<Vec<f64>> {
    Some(match tensor.dtype() {
        DType::F32 => tensor.slice::<f32>().ok()?.iter().map(|&v| v.into()).collect(),
        DType::F64 => tensor.slice::<f64>().ok()?.to_vec(),
        DType::F16 => tensor.slice::<f16>().ok()?.iter().map(|&v| v.into()).collect(),
        DType::BF16 => tensor.slice::<bf16>().ok()?.iter().map(|&v| v.into()).collect(),
        _ => return None,
    })
}

/// A tensor of these values.
pub(crate) fn tensor(dtype: DType, dims: &[usize], values: &[f64]) -> Tensor {
    let shape = Shape::new(dims.iter().copied()).unwrap();
    macro_rules! of {
        ($($name:ident: $ty:ty),*) => {
            match dtype {
                $(DType::$name => Tensor::from_vec(shape, values.iter().map(|&v| v as $ty).collect()),)*
                DType::F16 => Tensor::from_vec(shape, values.iter().map(|&v| f16::from_f64(v)).collect()),
                DType::BF16 => Tensor::from_vec(shape, values.iter().map(|&v| bf16::from_f64(v)).collect()),
                DType::Bool => Tensor::from_vec(shape, values.iter().map(|&v| v > 0.0).collect()),
                other => panic!("no tensors of {other}"),
            }
        };
    }
    of!(F32: f32, F64: f64, I8: i8, I16: i16, I32: i32, I64: i64, U8: u8, U16: u16, U32: u32, U64: u64).unwrap()
}

/// Random values between -1 and 1, different for each seed. Some occur more than once.
pub(crate) fn random(dtype: DType, dims: &[usize], seed: u64) -> Tensor {
    scaled(dtype, dims, seed, 1.0)
}

/// Random values between `-by` and `by`, different for each seed. Some occur more than once.
pub(crate) fn scaled(dtype: DType, dims: &[usize], seed: u64, by: f64) -> Tensor {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 54) as f64 - 512.0) / 512.0 * by
    };
    let values: Vec<f64> = (0..dims.iter().product()).map(|_| next()).collect();
    tensor(dtype, dims, &values)
}

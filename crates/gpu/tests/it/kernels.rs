//! Kernels on the interpreting backend against those of the CPU.

use crate::testing::{F32, I32, Runner, agree, difference, int, ints, random, scaled, tensor};
use levada_gpu::GpuDevice;
use levada_gpu::host::Host;
use levada_gpu::print::Language;
use levada_graph::{AnyOp, DType, Tensor};
use levada_kernel::Def;
use levada_kernel::def::Bound;
use levada_ops::shared::Step;
use levada_ops::types::*;
use std::sync::Arc;

const DTYPES: [DType; 7] = [DType::F32, DType::F16, DType::BF16, DType::I32, DType::I64, DType::F64, DType::Bool];

#[test]
fn tensors_are_rearranged() {
    for dtype in DTYPES {
        let x = scaled(dtype, &[3, 5, 7], 1, 100.0);
        let empty = random(dtype, &[3, 0, 7], 1);
        let transpose = TRANSPOSE.of(Transpose { dtype, index: I32 });
        for perm in [[0, 1, 2], [2, 1, 0], [1, 0, 2], [1, 2, 0], [-1, 0, 1], [0, 0, 1]] {
            agree(transpose.clone(), &[x.clone(), ints(&perm)], 0.0);
            agree(transpose.clone(), &[empty.clone(), ints(&perm)], 0.0);
        }
        let large = scaled(dtype, &[2, 40, 3, 33], 2, 100.0);
        for perm in [[0, 3, 2, 1], [3, 2, 1, 0], [2, 3, 0, 1], [1, 3, 0, 2], [0, 2, 3, 1], [3, 0, 1, 2]] {
            agree(transpose.clone(), &[large.clone(), ints(&perm)], 0.0);
        }
        let slice = SLICE.of(Slice { dtype, index: I32 });
        for (begin, size) in
            [([1, 2, 3], [2, -1, 3]), ([0, 0, 1], [3, 5, 6]), ([1, 0, 0], [1, 5, 7]), ([0, 6, 0], [1, 1, 1])]
        {
            agree(slice.clone(), &[x.clone(), ints(&begin), ints(&size)], 0.0);
        }
        let pad = PAD.of(Pad { dtype, index: I32 });
        let margins = |m: [i32; 6]| Tensor::from_vec(levada_graph::Shape::new([3, 2]).unwrap(), m.to_vec()).unwrap();
        for m in [[1, 2, 0, 0, 3, 1], [0, 0, 1, 0, 0, 0], [0; 6], [-1, 0, 0, 0, 0, 0]] {
            agree(pad.clone(), &[x.clone(), margins(m)], 0.0);
            agree(pad.clone(), &[empty.clone(), margins(m)], 0.0);
            let value = scaled(dtype, &[], 9, 100.0);
            agree(PAD.called("PadV2", Pad { dtype, index: I32 }).unwrap(), &[x.clone(), margins(m), value], 0.0);
        }
        for mode in ["REFLECT", "SYMMETRIC"] {
            let mirror = MIRROR_PAD.of(MirrorPad { dtype, index: I32, mode: mode.into() });
            agree(mirror.clone(), &[x.clone(), margins([2, 1, 4, 3, 0, 6])], 0.0);
            agree(mirror, &[x.clone(), margins([4, 0, 0, 0, 0, 0])], 0.0);
        }
        let tile = TILE.of(Tile { dtype, index: I32 });
        for times in [[2, 1, 3], [1, 1, 1], [1, 0, 1], [3, 2, 1], [-1, 1, 1]] {
            agree(tile.clone(), &[x.clone(), ints(&times)], 0.0);
        }
        let broadcast = BROADCAST_TO.of(BroadcastTo { dtype, index: I32 });
        let row = scaled(dtype, &[5, 1], 3, 100.0);
        for to in [&[5, 4][..], &[2, 5, 3], &[5, 1], &[4, 4]] {
            agree(broadcast.clone(), &[row.clone(), ints(to)], 0.0);
        }
        let reverse = REVERSE_V2.of(ReverseV2 { index: I32, dtype });
        for axes in [&[0][..], &[-1, 0], &[1], &[], &[3], &[0, 0]] {
            agree(reverse.clone(), &[x.clone(), ints(axes)], 0.0);
        }
        let roll = ROLL.of(Roll { dtype, shift: I32, axis: I32 });
        agree(roll.clone(), &[x.clone(), ints(&[2, -3]), ints(&[1, -1])], 0.0);
        agree(roll, &[x.clone(), ints(&[2]), ints(&[5])], 0.0);
        let image = scaled(dtype, &[2, 4, 6, 3], 4, 100.0);
        let depth = SPACE_TO_DEPTH.of(SpaceToDepth { dtype, block_size: 2, format: "NHWC".into() });
        agree(depth, std::slice::from_ref(&image), 0.0);
        let deep = scaled(dtype, &[2, 2, 3, 8], 4, 100.0);
        agree(DEPTH_TO_SPACE.of(DepthToSpace { dtype, block_size: 2, format: "NHWC".into() }), &[deep], 0.0);
    }
}

#[test]
fn strided_slices_and_their_gradients() {
    let plain = StridedSlice {
        dtype: F32,
        index: I32,
        begin_mask: 0,
        end_mask: 0,
        ellipsis_mask: 0,
        new_axis_mask: 0,
        shrink_axis_mask: 0,
    };
    let x = random(F32, &[4, 9, 5], 1);
    /// Begin, end, strides, masks.
    type Case = ([i32; 3], [i32; 3], [i32; 3], [i64; 5]);
    let cases: &[Case] = &[
        ([0, 1, 2], [4, 8, 5], [1, 2, 1], [0; 5]),
        ([3, 8, 4], [0, 0, 0], [-1, -3, -2], [0; 5]),
        ([1, 0, -1], [0, 0, 0], [1, 1, 1], [0, 0, 2, 0, 5]),
        ([1, 0, 0], [3, 0, 0], [1, 1, 1], [0, 6, 0, 0, 0]),
        ([0, 0, 3], [2, 0, 0], [1, 1, -1], [0, 4, 0, 2, 0]),
        ([0, 0, 0], [9, 9, 9], [1, 0, 1], [0; 5]),
        ([2, 3, 1], [2, 9, 2], [1, 1, 1], [0; 5]),
    ];
    for (begin, end, strides, masks) in cases {
        let op = STRIDED_SLICE.of(StridedSlice {
            begin_mask: masks[0],
            end_mask: masks[1],
            ellipsis_mask: masks[2],
            new_axis_mask: masks[3],
            shrink_axis_mask: masks[4],
            ..plain.clone()
        });
        let spec = [ints(begin), ints(end), ints(strides)];
        let inputs: Vec<Tensor> = [x.clone()].into_iter().chain(spec.clone()).collect();
        agree(op.clone(), &inputs, 0.0);
        let op: Arc<dyn AnyOp> = Arc::new(op);
        let Ok(sliced) = Runner::cpu().run(&op, &inputs) else { continue };
        let grad = STRIDED_SLICE_GRAD.of(StridedSlice {
            dtype: F32,
            index: I32,
            begin_mask: masks[0],
            end_mask: masks[1],
            ellipsis_mask: masks[2],
            new_axis_mask: masks[3],
            shrink_axis_mask: masks[4],
        });
        let dims: Vec<usize> = sliced[0].shape().to_vec();
        let dy = random(F32, &dims, 5);
        let inputs: Vec<Tensor> = [ints(&[4, 9, 5])].into_iter().chain(spec).chain([dy]).collect();
        agree(grad, &inputs, 0.0);
    }
}

#[test]
fn tensors_are_joined_and_cut() {
    for dtype in DTYPES {
        let part = |n: usize, seed| scaled(dtype, &[3, n, 2], seed, 100.0);
        let parts: Vec<Tensor> =
            [1, 4, 0, 2, 7, 1, 1, 3, 2, 5, 1].iter().enumerate().map(|(i, &n)| part(n, i as u64)).collect();
        for count in [2, 3, 11] {
            for axis in [1, -2, 3] {
                let op = CONCAT_V2.of(ConcatV2 { count: count as i64, dtype, index: I32 });
                let inputs: Vec<Tensor> = parts[..count].iter().cloned().chain([int(axis)]).collect();
                agree(op, &inputs, 0.0);
            }
        }
        let one = || part(4, 3);
        agree(CONCAT.of(Concat { count: 2, dtype }), &[int(0), one(), part(4, 5)], 0.0);
        for axis in [0, 1, -1, 4] {
            let pack = PACK.of(Pack { count: 3, dtype, axis });
            agree(pack, &[one(), part(4, 6), part(4, 7)], 0.0);
            agree(UNPACK.of(Unpack { count: 4, dtype, axis: if axis == 4 { 1 } else { axis } }), &[one()], 0.0);
            agree(SPLIT.of(Split { count: 2, dtype }), &[int(axis as i32), one()], 0.0);
        }
        let splits = SPLIT_V.of(SplitV { count: 3, dtype, sizes: I32 });
        agree(splits.clone(), &[one(), ints(&[1, -1, 2]), int(1)], 0.0);
        agree(splits.clone(), &[one(), ints(&[1, 0, 2]), int(0)], 0.0);
        agree(splits, &[one(), ints(&[1, 0, 1]), int(0)], 0.0);
    }
}

#[test]
fn elements_are_gathered() {
    for dtype in DTYPES {
        for index in [I32, DType::I64] {
            let along = |batch_dims| Gather { batch_dims, validate: true, dtype, index, axis: I32 };
            let x = scaled(dtype, &[4, 6, 5], 1, 100.0);
            let indices = tensor(index, &[2, 3], &[0.0, 3.0, 1.0, 2.0, 2.0, 0.0]);
            for axis in [0, 1, -1] {
                agree(GATHER.of(along(0)), &[x.clone(), indices.clone(), int(axis)], 0.0);
            }
            let batched = tensor(index, &[4, 2], &[0.0, 3.0, 1.0, 2.0, 2.0, 0.0, 4.0, 4.0]);
            for axis in [1, 2, 0] {
                agree(GATHER.of(along(1)), &[x.clone(), batched.clone(), int(axis)], 0.0);
            }
            agree(GATHER.called("Gather", along(0)).unwrap(), &[x.clone(), indices.clone()], 0.0);
            agree(GATHER.called("Gather", along(0)).unwrap(), &[x.clone(), tensor(index, &[0], &[])], 0.0);
            let policy = || String::new();
            let nd = |n: &[usize], v: &[f64]| [x.clone(), tensor(index, n, v)];
            agree(GATHER_ND.of(GatherNd { dtype, index, policy: policy() }), &nd(&[2, 2], &[0.0, 5.0, 3.0, 1.0]), 0.0);
            agree(GATHER_ND.of(GatherNd { dtype, index, policy: policy() }), &nd(&[1, 3], &[2.0, 5.0, 4.0]), 0.0);
            agree(GATHER_ND.of(GatherNd { dtype, index, policy: policy() }), &nd(&[2, 0], &[]), 0.0);
            agree(GATHER_ND.of(GatherNd { dtype, index, policy: policy() }), &nd(&[2, 4], &[0.0; 8]), 0.0);
            let on = || scaled(dtype, &[], 5, 100.0);
            for axis in [-1, 0, 1] {
                let op = ONE_HOT.of(OneHot { axis, dtype, index });
                let wild = tensor(index, &[2, 3], &[0.0, 3.0, -1.0, 2.0, 7.0, 0.0]);
                agree(op.clone(), &[wild, int(4), on(), scaled(dtype, &[], 6, 100.0)], 0.0);
                agree(op, &[indices.clone(), int(-4), on(), on()], 0.0);
            }
        }
        agree(FILL.of(Fill { dtype, index: I32 }), &[ints(&[3, 50]), scaled(dtype, &[], 5, 100.0)], 0.0);
        agree(FILL.of(Fill { dtype, index: I32 }), &[ints(&[3, 0]), scaled(dtype, &[], 5, 100.0)], 0.0);
        agree(FILL.of(Fill { dtype, index: I32 }), &[ints(&[3, -1]), scaled(dtype, &[], 5, 100.0)], 0.0);
    }
    agree(RANGE.of(Range { dtype: F32 }), &[Tensor::scalar(0f32), Tensor::scalar(5f32), Tensor::scalar(0.75f32)], 0.0);
    agree(
        LIN_SPACE.of(LinSpace { dtype: F32, index: I32 }),
        &[Tensor::scalar(0f32), Tensor::scalar(5f32), int(7)],
        0.0,
    );
}

#[test]
fn axes_are_reduced() {
    let shapes: &[(&[usize], &[&[i32]])] = &[
        (&[7], &[&[0], &[-1], &[], &[1]]),
        (&[], &[&[]]),
        (&[0], &[&[0]]),
        (&[3, 0, 2], &[&[0], &[1], &[2], &[0, 1, 2]]),
        (&[5, 70], &[&[0], &[1], &[0, 1], &[0, 0]]),
        (&[70, 5], &[&[0], &[1]]),
        (&[2, 3, 4, 5], &[&[0, 2], &[1, 3], &[-1, 1], &[0, 1, 2]]),
        (&[3, 1, 300], &[&[2], &[0]]),
        (&[1300, 3], &[&[0]]),
        (&[2, 9000], &[&[1]]),
        (&[20_000], &[&[0]]),
        (&[2, 600, 3], &[&[0, 1], &[1]]),
    ];
    for (dims, all) in shapes {
        for axes in *all {
            for keep_dims in [false, true] {
                for dtype in [F32, DType::F16, DType::BF16, DType::F64, I32, DType::I8, DType::U8] {
                    if dims.iter().product::<usize>() > 1000 && (dtype != F32 || keep_dims) {
                        continue;
                    }
                    let tolerance = match dtype {
                        DType::F16 => 2e-3,
                        DType::BF16 => 2e-2,
                        _ => 2e-5,
                    };
                    let whole = !dtype.is_float();
                    let x = scaled(dtype, dims, 1, if whole { 50.0 } else { 1.0 });
                    let inputs = [x, ints(axes)];
                    agree(SUM.of(Reduction { keep_dims, dtype, index: I32 }), &inputs, tolerance);
                    agree(MAX.of(Reduction { keep_dims, dtype, index: I32 }), &inputs, 0.0);
                    agree(MIN.of(Reduction { keep_dims, dtype, index: I32 }), &inputs, 0.0);
                    agree(PROD.of(Reduction { keep_dims, dtype, index: I32 }), &inputs, tolerance);
                    if !whole {
                        agree(MEAN.of(Reduction { keep_dims, dtype, index: I32 }), &inputs, tolerance);
                        agree(EUCLIDEAN_NORM.of(Reduction { keep_dims, dtype, index: I32 }), &inputs, tolerance);
                    }
                }
                let x = scaled(DType::Bool, dims, 1, 1.0);
                agree(ALL.of(LogicalReduction { keep_dims, index: I32 }), &[x.clone(), ints(axes)], 0.0);
                agree(ANY.of(LogicalReduction { keep_dims, index: I32 }), &[x, ints(axes)], 0.0);
            }
        }
    }
    let mut numbers: Vec<f64> = (0..500).map(f64::from).collect();
    numbers[77] = f64::NAN;
    agree(
        MAX.of(Reduction { keep_dims: false, dtype: F32, index: I32 }),
        &[tensor(F32, &[500], &numbers), ints(&[0])],
        0.0,
    );
}

#[test]
fn running_totals() {
    for dtype in [F32, DType::F16, I32, DType::I64] {
        for (exclusive, reverse) in [(false, false), (false, true), (true, false), (true, true)] {
            for axis in [0, 1, -1, 3] {
                let x = scaled(dtype, &[3, 4, 5], 1, if dtype.is_float() { 1.0 } else { 50.0 });
                let tolerance = if dtype == DType::F16 { 2e-3 } else { 1e-5 };
                agree(CUMSUM.of(Running { exclusive, reverse, dtype, index: I32 }), &[x.clone(), int(axis)], tolerance);
                agree(CUMPROD.of(Running { exclusive, reverse, dtype, index: I32 }), &[x, int(axis)], tolerance);
            }
        }
    }
}

#[test]
fn rows_are_scattered() {
    for dtype in [F32, DType::F16, DType::BF16, I32] {
        let indices = tensor(I32, &[4, 1], &[1.0, 4.0, 1.0, 0.0]);
        let updates = scaled(dtype, &[4, 3], 1, 8.0);
        let tolerance = if dtype == DType::BF16 { 2e-2 } else { 2e-3 };
        let policy = String::new;
        let op = SCATTER_ND.of(ScatterNd { dtype, index: I32, policy: policy() });
        agree(op.clone(), &[indices.clone(), updates.clone(), ints(&[5, 3])], tolerance);
        agree(op.clone(), &[indices.clone(), updates.clone(), ints(&[5, 2])], tolerance);
        agree(op, &[tensor(I32, &[0, 1], &[]), scaled(dtype, &[0, 3], 1, 8.0), ints(&[5, 3])], tolerance);
        let x = scaled(dtype, &[5, 3], 2, 8.0);
        let inputs = [x.clone(), indices.clone(), updates.clone()];
        agree(TENSOR_SCATTER_ADD.of(TensorScatter { dtype, index: I32, policy: policy() }), &inputs, tolerance);
        agree(TENSOR_SCATTER_SUB.of(TensorScatter { dtype, index: I32, policy: policy() }), &inputs, tolerance);
        let once = tensor(I32, &[4, 1], &[1.0, 4.0, 2.0, 0.0]);
        agree(
            TENSOR_SCATTER_UPDATE.of(TensorScatter { dtype, index: I32, policy: policy() }),
            &[x, once, updates.clone()],
            0.0,
        );
        let sums = UNSORTED_SEGMENT_SUM.of(UnsortedSegment { dtype, index: I32, num: I32 });
        agree(sums.clone(), &[updates.clone(), ints(&[2, -1, 0, 2]), int(4)], tolerance);
        agree(sums.clone(), &[updates.clone(), ints(&[2, -1, 0]), int(4)], tolerance);
        agree(sums, &[updates, ints(&[2, -1, 0, 2]), int(-4)], tolerance);
    }
}

/// Runs an op twice in one session on each device, and compares.
fn twice(op: impl AnyOp, inputs: &[Tensor], tolerance: f64) {
    let op: Arc<dyn AnyOp> = Arc::new(op);
    let cpu = Runner::cpu();
    let gpus = Runner::gpus();
    for run in 0..2 {
        let expected = cpu.run(&op, inputs).unwrap().remove(0);
        for gpu in &gpus {
            let found = gpu.run(&op, inputs).unwrap().remove(0);
            if let Some(difference) = difference(&expected, &found, tolerance) {
                panic!("{} run {run} of {op:?}: {difference}", gpu.name);
            }
        }
    }
}

#[test]
fn random_streams_are_those_of_the_cpu() {
    for dtype in [F32, DType::F16, DType::BF16] {
        let rough = if dtype == F32 { 1e-5 } else { 1e-2 };
        for shape in [&[7][..], &[3, 50], &[0], &[1]] {
            let shape = ints(shape);
            let (seed, seed2) = (87_654_321, 5 << 40 | 77);
            let floats = RandomFloats { seed, seed2, dtype, index: I32 };
            let once = std::slice::from_ref(&shape);
            twice(RANDOM_UNIFORM.of(floats.clone()), once, 0.0);
            twice(RANDOM_STANDARD_NORMAL.of(floats.clone()), once, rough);
            twice(TRUNCATED_NORMAL.of(floats), once, rough);
            let seeds = Tensor::vector(vec![3i64, -1]);
            let inputs = [shape.clone(), seeds];
            let seeded = SeededDraw { dtype, index: I32, seed: DType::I64 };
            agree(STATELESS_RANDOM_UNIFORM.of(seeded.clone()), &inputs, 0.0);
            agree(STATELESS_RANDOM_NORMAL.of(seeded.clone()), &inputs, rough);
            agree(STATELESS_TRUNCATED_NORMAL.of(seeded), &inputs, rough);
            let counter = Tensor::vector(vec![u64::MAX - 3, u64::MAX]);
            let inputs = [shape, Tensor::vector(vec![1u64 << 50 | 9]), counter, int(1)];
            let keyed = KeyedDraw { dtype, index: I32 };
            agree(STATELESS_RANDOM_UNIFORM_V2.of(keyed.clone()), &inputs, 0.0);
            agree(STATELESS_TRUNCATED_NORMAL_V2.of(keyed), &inputs, rough);
        }
    }
    let op = RANDOM_UNIFORM_INT.of(RandomUniformInt { seed: 3, seed2: 9, dtype: I32, index: I32 });
    twice(op.clone(), &[ints(&[33]), int(-5), int(1000)], 0.0);
    agree(op, &[ints(&[33]), int(5), int(5)], 0.0);
}

/// Assigns each of the first `slots` inputs to a variable, runs the op on the variables and the other inputs, and
/// compares the resulting variables.
fn changes(op: impl AnyOp, slots: usize, inputs: &[Tensor], tolerance: f64) {
    let op: Arc<dyn AnyOp> = Arc::new(op);
    let run = |runner: &Runner, steps: usize| -> levada_graph::Result<Vec<Tensor>> {
        let mut handles = Vec::new();
        let read = |handle: &Tensor, dtype| {
            runner.run(
                &(Arc::new(READ_VARIABLE_OP.of(ReadVariableOp { dtype })) as Arc<dyn AnyOp>),
                std::slice::from_ref(handle),
            )
        };
        for (i, value) in inputs[..slots].iter().enumerate() {
            let dtype = value.dtype();
            let shape = levada_graph::PartialShape::Unknown;
            let make: Arc<dyn AnyOp> = Arc::new(VAR_HANDLE_OP.of(VarHandleOp {
                container: String::new(),
                shared_name: format!("v{i}"),
                debug_name: String::new(),
                dtype,
                shape,
                allowed_devices: Vec::new(),
            }));
            let handle = runner.run(&make, &[])?.remove(0);
            let assign: Arc<dyn AnyOp> =
                Arc::new(ASSIGN_VARIABLE_OP.of(AssignVariableOp { dtype, validate_shape: false }));
            runner.run(&assign, &[handle.clone(), value.clone()])?;
            handles.push(handle);
        }
        let all: Vec<Tensor> = handles.iter().chain(&inputs[slots..]).cloned().collect();
        for _ in 0..steps {
            runner.run(&op, &all)?;
        }
        let mut found = Vec::new();
        for (handle, value) in handles.iter().zip(inputs) {
            found.extend(read(handle, value.dtype())?);
        }
        Ok(found)
    };
    for steps in [1, 3] {
        let expected = run(&Runner::cpu(), steps);
        for gpu in Runner::gpus() {
            match (&expected, run(&gpu, steps)) {
                (Ok(expected), Ok(found)) => {
                    for (i, (e, f)) in expected.iter().zip(&found).enumerate() {
                        if let Some(difference) = difference(e, f, tolerance) {
                            panic!("{} variable {i} of {op:?}: {difference}", gpu.name);
                        }
                    }
                }
                (Err(e), Err(f)) => assert_eq!(e.code(), f.code(), "{op:?}: {e} {f}"),
                (e, f) => panic!("{} {op:?}: {e:?} {f:?}", gpu.name),
            }
        }
    }
}

/// The resource form of an optimizer's op.
fn applied(def: &'static Def<Step>, dtype: DType, flag: bool) -> Bound<Step> {
    let flags = Step {
        dtype,
        index: I32,
        use_locking: false,
        use_nesterov: flag,
        update_slots: flag,
        multiply_linear_by_lr: flag,
    };
    let name = def.ops().map(|op| op.spec.name).find(|name| name.starts_with("Resource"));
    def.called(name.unwrap(), flags).unwrap()
}

#[test]
fn variables_are_changed() {
    for dtype in [F32, DType::F16, DType::BF16, DType::F64] {
        let tolerance = match dtype {
            DType::F16 => 4e-3,
            DType::BF16 => 3e-2,
            _ => 1e-5,
        };
        let x = |seed| random(dtype, &[5, 3], seed);
        let positive = |seed| {
            let values: Vec<f64> = crate::testing::floats(&random(F32, &[15], seed)).unwrap();
            tensor(dtype, &[5, 3], &values.iter().map(|v| v.abs() + 0.5).collect::<Vec<_>>())
        };
        let n = |v: f64| tensor(dtype, &[], &[v]);
        changes(ASSIGN_ADD_VARIABLE_OP.of(AssignAddVariableOp { dtype }), 1, &[x(1), x(2)], tolerance);
        changes(ASSIGN_SUB_VARIABLE_OP.of(AssignAddVariableOp { dtype }), 1, &[x(1), x(2)], tolerance);
        changes(
            ASSIGN_SUB_VARIABLE_OP.of(AssignAddVariableOp { dtype }),
            1,
            &[x(1), random(dtype, &[3, 5], 1)],
            tolerance,
        );
        changes(applied(&APPLY_GRADIENT_DESCENT, dtype, false), 1, &[x(1), n(0.1), x(2)], tolerance);
        changes(applied(&APPLY_GRADIENT_DESCENT, dtype, false), 1, &[x(1), random(dtype, &[1], 2), x(2)], tolerance);
        for use_nesterov in [false, true] {
            let inputs = [x(1), x(2), n(0.1), x(3), n(0.9)];
            changes(applied(&APPLY_MOMENTUM, dtype, use_nesterov), 2, &inputs, tolerance);
            changes(applied(&APPLY_KERAS_MOMENTUM, dtype, use_nesterov), 2, &inputs, tolerance);
            let inputs = [x(1), x(2), positive(3), n(0.9), n(0.99), n(0.1), n(0.9), n(0.99), n(0.01), x(4)];
            changes(applied(&APPLY_ADAM, dtype, use_nesterov), 3, &inputs, tolerance);
        }
        for update_slots in [false, true] {
            let inputs = [x(1), positive(2), n(0.1), x(3)];
            changes(applied(&APPLY_ADAGRAD, dtype, update_slots), 2, &inputs, tolerance);
            let inputs = [x(1), positive(2), n(0.1), n(0.01), x(3)];
            changes(applied(&APPLY_ADAGRAD_V2, dtype, update_slots), 2, &inputs, tolerance);
        }
        let inputs = [x(1), positive(2), positive(3), n(0.1), n(0.9), n(0.01), x(4)];
        changes(applied(&APPLY_ADADELTA, dtype, false), 3, &inputs, tolerance);
        let inputs = [x(1), positive(2), x(3), n(0.1), n(0.9), n(0.5), n(0.01), x(4)];
        changes(applied(&APPLY_RMS_PROP, dtype, false), 3, &inputs, tolerance);
        let inputs =
            [x(1), tensor(dtype, &[5, 3], &[0.1; 15]), positive(3), x(4), n(0.1), n(0.9), n(0.5), n(0.01), x(5)];
        changes(applied(&APPLY_CENTERED_RMS_PROP, dtype, false), 4, &inputs, tolerance);
        let inputs = [x(1), x(2), positive(3), n(0.9), n(0.1), n(0.9), n(0.99), n(0.01), x(4)];
        changes(applied(&APPLY_ADA_MAX, dtype, false), 3, &inputs, tolerance);
        let inputs = [x(1), x(2), n(0.1), n(0.5), n(0.9), n(0.8), x(4)];
        changes(applied(&APPLY_ADD_SIGN, dtype, false), 2, &inputs, tolerance);
        changes(applied(&APPLY_POWER_SIGN, dtype, false), 2, &inputs, tolerance);
        if dtype != DType::F64 {
            let rows = [x(1), ints(&[1, 4, 1]), random(dtype, &[3, 3], 7)];
            changes(RESOURCE_SCATTER_ADD.of(ResourceScatterRows { dtype, index: I32 }), 1, &rows, tolerance);
            changes(RESOURCE_SCATTER_SUB.of(ResourceScatterRows { dtype, index: I32 }), 1, &rows, tolerance);
            let rows = [x(1), ints(&[1, 4, 0]), n(0.25)];
            changes(RESOURCE_SCATTER_UPDATE.of(ResourceScatterRows { dtype, index: I32 }), 1, &rows, tolerance);
        }
    }
}

#[test]
fn hyperbolic_and_error_functions() {
    for dtype in [F32, DType::F16, DType::F64] {
        let tolerance = if dtype == DType::F16 { 2e-3 } else { 2e-6 };
        let mut values: Vec<f64> = (-60..60).map(|i| f64::from(i) / 12.0).collect();
        values.extend([
            0.0,
            -0.0,
            1e-5,
            -1e-7,
            0.3,
            1.0,
            -1.0,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            80.0,
            -11.0,
        ]);
        let x = tensor(dtype, &[values.len()], &values);
        agree(SINH.of(Elementwise { dtype }), std::slice::from_ref(&x), tolerance * 4.0);
        agree(COSH.of(Elementwise { dtype }), std::slice::from_ref(&x), tolerance * 4.0);
        agree(ASINH.of(Elementwise { dtype }), std::slice::from_ref(&x), tolerance);
        agree(ACOSH.of(Elementwise { dtype }), std::slice::from_ref(&x), tolerance);
        agree(ATANH.of(Elementwise { dtype }), std::slice::from_ref(&x), tolerance * 4.0);
        let y = tensor(dtype, &[values.len()], &values.iter().rev().copied().collect::<Vec<_>>());
        agree(XLOGY.of(Elementwise { dtype }), &[x.clone(), y.clone()], tolerance);
        agree(XDIVY.of(Elementwise { dtype }), &[x.clone(), y.clone()], tolerance);
        agree(XLOG1PY.of(Elementwise { dtype }), &[x.clone(), y.clone()], tolerance);
        if dtype != DType::F64 {
            agree(ERF.of(Elementwise { dtype }), std::slice::from_ref(&x), tolerance);
            agree(ERFC.of(Elementwise { dtype }), std::slice::from_ref(&x), tolerance);
        }
        if dtype != DType::F16 {
            agree(APPROXIMATE_EQUAL.of(ApproximateEqual { dtype, tolerance: 0.5 }), &[x, y], 0.0);
        }
    }
}

#[test]
fn what_was_read_of_a_variable_stays() {
    let host = Arc::new(Host::new(Language::Cuda, None));
    let device = GpuDevice::new(0, host, None);
    let (gpu, node) = (device.gpu(), Arc::from("node"));
    let mut value = gpu.upload(&node, &Tensor::vector(vec![1f32, 2.0])).unwrap();
    let place = |t: &Tensor| gpu.piece(t).unwrap().block;
    let first = place(&value);
    gpu.unshare(&node, &mut value).unwrap();
    assert!(Arc::ptr_eq(&first, &place(&value)));
    let read = value.clone();
    gpu.unshare(&node, &mut value).unwrap();
    assert!(value.is_unique() && Arc::ptr_eq(&first, &place(&read)) && !Arc::ptr_eq(&first, &place(&value)));
}

#[test]
fn elementwise_ops_agree() {
    for dtype in [DType::F32, DType::F16, DType::BF16, DType::F64, DType::I32, DType::I8] {
        let add = ADD_V2.of(Elementwise { dtype });
        agree(add.clone(), &[scaled(dtype, &[3, 1, 5], 1, 100.0), scaled(dtype, &[4, 1], 2, 50.0)], 0.0);
        agree(add, &[random(dtype, &[2, 3], 1), random(dtype, &[4], 2)], 0.0);
    }
    agree(RELU.of(Elementwise { dtype: DType::F32 }), &[random(DType::F32, &[0, 3], 1)], 0.0);
    let divide: Arc<dyn AnyOp> = Arc::new(DIV.of(Elementwise { dtype: DType::I32 }));
    assert!(Runner::gpus().iter().all(|gpu| !gpu.has(&divide)));
}

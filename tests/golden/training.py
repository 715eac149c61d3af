"""Optimizer steps on variables: dense and sparse, by reference and by handle."""

import numpy as np
import tensorflow

from record import case, fed, step, write

DTYPES = ["float32", "float64", "float16", "bfloat16", "complex64", "complex128"]
SLOTS = {
    "var", "m", "v", "vhat", "accum", "accum_update", "ms", "mom", "mg", "linear",
    "gradient_accumulator", "gradient_squared_accumulator",
}
HYPER = {
    "lr": 0.1, "alpha": 0.3, "rho": 0.9, "epsilon": 1e-3, "momentum": 0.8, "beta1": 0.9, "beta2": 0.99, "beta": 0.9,
    "beta1_power": 0.81, "beta2_power": 0.9801, "l1": 0.05, "l2": 0.1, "l2_shrinkage": 0.2, "lr_power": -0.5,
    "logbase": 1.0, "sign_decay": 0.95,
}
CHECKED = {
    "ApplyProximalAdagrad", "SparseApplyProximalAdagrad", "SparseApplyFtrl", "SparseApplyFtrlV2",
}
FLAGS = {"use_nesterov", "update_slots", "multiply_linear_by_lr"}


def op_defs():
    from tensorflow.core.framework import op_def_pb2
    from tensorflow.python.framework import op_def_registry

    for name in sorted(dir(tensorflow.raw_ops)):
        if name.removeprefix("Resource").removeprefix("Sparse").startswith("Apply"):
            yield name, op_def_registry.get(name)


def values(rng, name, dtype, shape):
    """Values that every formula is defined for."""
    numbers = rng.normal(size=shape)
    if name not in ("var", "m", "linear", "mom", "gradient_accumulator"):
        numbers = np.abs(numbers) + 0.5
    return turned(rng, numbers, dtype)


def turned(rng, numbers, dtype):
    """The numbers in this type, with imaginary parts if it is complex."""
    if "complex" in dtype:
        numbers = numbers + 1j * rng.normal(size=numbers.shape)
    return numbers.astype(tensorflow.as_dtype(dtype).as_numpy_dtype)


def made(tf, v1, definition, dtype, shape, flag=False, seed=0, fault=None):
    """The op on its own variables: two steps, with all variables read after each; or one that fails."""
    rng = np.random.default_rng(seed)
    kind = tf.as_dtype(dtype)
    numpy = kind.as_numpy_dtype
    resource = definition.name.startswith("Resource")
    rows = []
    if "Sparse" in definition.name:
        rows = [2, 0, 2, 1] if shape[0] > 2 else [0] * min(shape[0], 1)
        if fault == "index":
            rows[1] = shape[0]
    args, slots, inits, feeds = {}, [], [], {}
    for arg in definition.input_arg:
        name = arg.name
        if name in SLOTS:
            own = list(shape) + [2] if fault == "slot" and name != "var" else shape
            own = own[:1] + [0] if fault == "inner" else own
            start = v1.constant(values(rng, name, dtype, own))
            if resource:
                variable = tf.raw_ops.VarHandleOp(dtype=kind, shape=None, shared_name=name, container="", name=name)
                init = tf.raw_ops.AssignVariableOp(resource=variable, value=start)
                slots.append(tf.raw_ops.ReadVariableOp(resource=variable, dtype=kind))
            else:
                variable = tf.raw_ops.VariableV2(dtype=kind, shape=None, shared_name="", container="", name=name)
                init = tf.raw_ops.Assign(ref=variable, value=start, validate_shape=False).op
                slots.append(tf.raw_ops.Identity(input=variable))
            if name != "var" if fault == "unset var" else fault != "unset" or name == "var":
                inits.append(init)
            args[name] = variable
        elif name in ("grad", "delta"):
            own = [len(rows)] + list(shape[1:]) if "Sparse" in definition.name else list(shape)
            own += [2] if fault == "gradient" else []
            own = own[:1] + [0] if fault == "inner" else own
            args[name] = fed(turned(rng, rng.normal(size=own), dtype))
        elif name == "indices":
            args[name] = fed(np.array(rows, np.int64 if seed % 2 else np.int32))
        elif name == "global_step":
            args[name] = fed(np.int64(3), "int64")
        else:
            number = np.asarray(-1.0 if name == fault else HYPER[name] * (1 + 0.1j if "complex" in dtype else 1), numpy)
            args[name] = fed(np.stack([number, number]) if fault == "vector" else number, dtype)
    for attr in definition.attr:
        if attr.name in FLAGS:
            args[attr.name] = flag
        elif attr.name == "use_locking":
            args[attr.name] = bool(seed % 2)
    update = getattr(tf.raw_ops, definition.name)(**args)
    update = getattr(update, "op", update)
    steps = [step([], targets=inits)]
    if fault:
        unset = "INTERNAL" if resource else "FAILED_PRECONDITION"
        code = unset if fault.startswith("unset") else "INVALID_ARGUMENT"
        failed = steps + [step([], targets=[update], error=code)]
        # A bad index may leave the rows before it changed.
        return failed if fault == "unset var" else failed + [step(slots if fault == "index" else slots[0])]
    for _ in range(2):
        steps += [step([], targets=[update]), step(slots)]
    return steps


for seed, (name, definition) in enumerate(op_defs()):
    sparse = "Sparse" in name
    flags = [False, True] if any(a.name in FLAGS for a in definition.attr) else [False]
    for flag in flags:
        for dtype in DTYPES:
            if dtype != "float32" and (flag or seed % 3 and "64" not in dtype):
                continue
            shape = [4, 2] if sparse else [5]

            label = f"{name}/{dtype}{'/flag' if flag else ''}"
            options = {"definition": definition, "dtype": dtype, "shape": shape, "flag": flag, "seed": seed}
            try:
                case(label, lambda tf, v1, o=options: made(tf, v1, **o))
            except (tensorflow.errors.InvalidArgumentError, AssertionError) as e:
                # Some have no kernel for half precision or complex numbers on a CPU.
                print(label, str(e).splitlines()[0])
    for shape in [[0, 2]] if sparse else [[], [0]]:
        options = {"definition": definition, "dtype": "float32", "shape": shape, "seed": seed}
        case(f"{name}/shape {shape}", lambda tf, v1, o=options: made(tf, v1, **o))
    faults = ["gradient", "unset", "unset var", "slot", "vector"] + ["index", "inner"] * sparse
    if name.removeprefix("Resource") in CHECKED:
        faults += [a.name for a in definition.input_arg if a.name in ("lr", "l1", "l2", "l2_shrinkage")]
    for fault in faults:
        options = {"definition": definition, "dtype": "float32", "shape": [4, 2], "seed": seed, "fault": fault}
        try:
            case(f"{name}/{fault}", lambda tf, v1, o=options: made(tf, v1, **o))
        except AssertionError as e:
            print("not kept:", str(e).splitlines()[0])



def unset(tf, **numbers):
    variable = tf.raw_ops.VariableV2(dtype=tf.float32, shape=[2], shared_name="", container="")
    numbers = {name: fed(value, "float32") for name, value in numbers.items()}
    return getattr(tf.raw_ops, "ApplyProximalGradientDescent" if "l1" in numbers else "ApplyGradientDescent")(
        var=variable, delta=fed([1.0, 2.0], "float32"), **numbers)


# A variable without a value is reported before faults of the numbers.
case("ApplyGradientDescent/unset vector", lambda tf, v1: unset(tf, alpha=[0.1]), error="FAILED_PRECONDITION")
case("ApplyProximalGradientDescent/unset vector", lambda tf, v1: unset(tf, alpha=0.1, l1=[0.1], l2=0.1), error="FAILED_PRECONDITION")

write(__file__)

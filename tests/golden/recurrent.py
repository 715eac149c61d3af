"""Fused cells of recurrent networks: LSTM and GRU, for one time step or a whole sequence, and their gradients."""

import numpy as np
import tensorflow

from record import case, fed, write

INVALID = "INVALID_ARGUMENT"
PARTS = ["i", "cs", "f", "o", "ci", "co", "h"]
random = np.random.RandomState(5)


def some(*shape, dtype="float32"):
    return fed(random.uniform(-1, 1, shape).astype(dtype), dtype)


def lstm(tf, batch=2, inputs=3, cell=2, time=None, dtype="float32", **wrong):
    """Operands; `wrong` replaces some shapes."""
    front = [] if time is None else [time]
    shapes = dict(x=[*front, batch, inputs], cs_prev=[batch, cell], h_prev=[batch, cell], w=[inputs + cell, 4 * cell], wci=[cell], wcf=[cell], wco=[cell], b=[4 * cell])
    shapes.update(wrong)
    return {name: some(*shape, dtype=dtype) for name, shape in shapes.items()}


def gru(tf, batch=2, inputs=3, cell=2, **wrong):
    shapes = dict(x=[batch, inputs], h_prev=[batch, cell], w_ru=[inputs + cell, 2 * cell], w_c=[inputs + cell, cell], b_ru=[2 * cell], b_c=[cell])
    shapes.update(wrong)
    return {name: some(*shape) for name, shape in shapes.items()}


def values(out):
    return [getattr(out, name) for name in PARTS]


OPTIONS = {"plain": {}, "peephole": dict(use_peephole=True), "clip": dict(cell_clip=0.3), "no_clip": dict(cell_clip=-1.0, forget_bias=0.5)}

for name, options in OPTIONS.items():
    for dtype in ["float32", "float16"]:

        def cell(tf, v1):
            args = lstm(tf, dtype=dtype)
            out = tf.raw_ops.LSTMBlockCell(**args, **options)
            peephole = options.get("use_peephole", False)
            past = {k: getattr(out, k) for k in PARTS[:-1]}
            grad = tf.raw_ops.LSTMBlockCellGrad(**args, **past, cs_grad=some(2, 2, dtype=dtype), h_grad=some(2, 2, dtype=dtype), use_peephole=peephole)
            return values(out) + (list(grad) if peephole else list(grad)[:2])

        case(f"LSTMBlockCell/{name}/{dtype}", cell)

        for version in ["", "V2"]:
            given = {k: v for k, v in options.items() if k != "forget_bias" or not version}

            def sequence(tf, v1, n=3):
                args = lstm(tf, time=3, dtype=dtype)
                out = getattr(tf.raw_ops, "BlockLSTM" + version)(seq_len_max=fed(n, "int64"), **args, **given)
                peephole = options.get("use_peephole", False)
                past = {k: getattr(out, k) for k in PARTS}
                grad = getattr(tf.raw_ops, "BlockLSTMGrad" + version)(seq_len_max=fed(n, "int64"), **args, **past, cs_grad=some(3, 2, 2, dtype=dtype), h_grad=some(3, 2, 2, dtype=dtype), use_peephole=peephole)
                return (values(out) if n == 3 else [out.cs, out.h]) + [g for i, g in enumerate(grad) if peephole or i not in (4, 5, 6)]

            case(f"BlockLSTM{version}/{name}/{dtype}", sequence)
            if dtype == "float32":
                case(f"BlockLSTM{version}/short/{name}", lambda tf, v1: sequence(tf, v1, 2))

for name, wrong in {
    "x": dict(x=[2, 4]), "cs_prev": dict(cs_prev=[3, 2]), "h_prev": dict(h_prev=[2, 3]), "w": dict(w=[4, 8]),
    "w_columns": dict(w=[5, 7]), "b": dict(b=[7]), "wci_rank": dict(wci=[]), "empty": dict(batch=0), "no_cell": dict(cell=0),
}.items():
    case(f"LSTMBlockCell/refused/{name}", lambda tf, v1: tf.raw_ops.LSTMBlockCell(**lstm(tf, **wrong)).h, error=INVALID)

for name, wrong in {"cs_prev": dict(cs_prev=[3, 2]), "h_prev": dict(h_prev=[2, 3]), "w": dict(w=[4, 8]), "w_columns": dict(w=[5, 7]), "b": dict(b=[7]), "wci": dict(wci=[3])}.items():
    for version in ["", "V2"]:
        case(f"BlockLSTM{version}/refused/{name}", lambda tf, v1: getattr(tf.raw_ops, "BlockLSTM" + version)(seq_len_max=fed(2, "int64"), **lstm(tf, time=2, **wrong)).h, error=INVALID)


for version in ["", "V2"]:
    case(f"BlockLSTM{version}/refused/seq_len_max", lambda tf, v1: getattr(tf.raw_ops, "BlockLSTM" + version)(seq_len_max=fed([2], "int64"), **lstm(tf, time=2)).h, error=INVALID)


for name, sizes in {"time": dict(time=0), "batch": dict(time=2, batch=0), "input": dict(time=2, inputs=0), "cell": dict(time=2, cell=0)}.items():
    case(f"BlockLSTM/zero/{name}", lambda tf, v1: tf.raw_ops.BlockLSTM(seq_len_max=fed(sizes["time"], "int64"), **lstm(tf, **sizes)).h)
    case(f"GRUBlockCell/zero/{name}", lambda tf, v1: list(tf.raw_ops.GRUBlockCell(**gru(tf, **{k: v for k, v in sizes.items() if k != "time"}))))

for name, sizes in {"plain": {}, "one": dict(batch=1, inputs=1, cell=1), "wide": dict(batch=3, inputs=5, cell=7)}.items():

    def cell(tf, v1):
        args = gru(tf, **sizes)
        out = tf.raw_ops.GRUBlockCell(**args)
        shape = [sizes.get("batch", 2), sizes.get("cell", 2)]
        grad = tf.raw_ops.GRUBlockCellGrad(**args, r=out.r, u=out.u, c=out.c, d_h=some(*shape))
        return [*out, *grad]

    case(f"GRUBlockCell/{name}", cell)

for name, wrong in {"x": dict(x=[2, 4]), "h_prev": dict(h_prev=[3, 2]), "w_ru": dict(w_ru=[5, 5]), "w_c": dict(w_c=[4, 2]), "b_ru": dict(b_ru=[5]), "b_c": dict(b_c=[3])}.items():
    case(f"GRUBlockCell/refused/{name}", lambda tf, v1: tf.raw_ops.GRUBlockCell(**gru(tf, **wrong)).h, error=INVALID)

write(__file__)

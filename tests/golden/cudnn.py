"""CudnnRNN. TensorFlow has no CPU kernels for it: the expected values are the results and gradients of Keras's LSTM and
GRU, or of the same equations, for the same parameters."""

import numpy as np
import tensorflow as tf

from record import same, write

from tf_keras.src.layers.rnn.gru import standard_gru
from tf_keras.src.layers.rnn.lstm import standard_lstm

raw = tf.raw_ops
GATES = {"rnn_relu": 1, "rnn_tanh": 1, "lstm": 4, "gru": 3}
rng = np.random.RandomState(7)


def number_of(mode, layers, directions, units, size, skips=False):
    """The number of parameters of the matrices, and the total."""
    inputs = [0 if skips else size] + [units * directions] * (layers - 1)
    weights = sum((n + units) * units * GATES[mode] * directions for n in inputs)
    return weights, weights + layers * directions * 2 * GATES[mode] * units


def parts(params, mode, layers, directions, units, size, skips=False):
    """For each cell the matrices [units, ...] for the input and for the state, and the biases, each a list over the
    gates."""
    n = GATES[mode]
    at, cells = 0, []
    bias_at = number_of(mode, layers, directions, units, size, skips)[0]
    for cell in range(layers * directions):
        inputs = (0 if skips else size) if cell < directions else units * directions
        both = []
        for columns in (inputs, units):
            both.append([tf.reshape(params[at + g * units * columns:at + (g + 1) * units * columns], [units, columns]) for g in range(n)])
            at += n * units * columns
        biases = [params[bias_at + g * units:bias_at + (g + 1) * units] for g in range(2 * n)]
        bias_at += 2 * n * units
        cells.append((*both, biases[:n], biases[n:]))
    return cells


def equations(x, h, mode, w, r, bw, br, lengths):
    """A plain RNN, one time step after the other."""
    f = tf.nn.relu if mode == "rnn_relu" else tf.tanh
    outputs = []
    for step in range(x.shape[0]):
        new = f(tf.matmul(x[step], w[0], transpose_b=True) + tf.matmul(h, r[0], transpose_b=True) + bw[0] + br[0])
        here = (step < lengths)[:, None]
        outputs.append(tf.where(here, new, tf.zeros_like(new)))
        h = tf.where(here, new, h)
    return tf.stack(outputs), h, None


def cell(x, h, c, mode, part, lengths, skips):
    """One layer in one direction, by Keras."""
    w, r, bw, br = part
    if skips:
        w = [tf.eye(x.shape[2], dtype=x.dtype)] * len(w)
    if GATES[mode] == 1:
        return equations(x, h, mode, w, r, bw, br, lengths)
    kernel, recurrent = [lambda order, ms=ms: tf.transpose(tf.concat([ms[i] for i in order], 0)) for ms in (w, r)]
    mask = tf.transpose(tf.sequence_mask(lengths, x.shape[0]))
    common = dict(mask=mask, time_major=True, go_backwards=False, sequence_lengths=None, zero_output_for_mask=True, return_sequences=True)
    if mode == "lstm":
        order = [0, 1, 2, 3]
        _, y, h, c, _ = standard_lstm(x, h, c, kernel(order), recurrent(order), tf.concat([a + b for a, b in zip(bw, br)], 0), **common)
        return y, h, c
    order = [1, 0, 2]  # Keras has the update gate first.
    bias = tf.stack([tf.concat([b[i] for i in order], 0) for b in (bw, br)])
    _, y, h, _ = standard_gru(x, h, kernel(order), recurrent(order), bias, **common)
    return y, h, None


def by_keras(x, h, c, params, mode, layers, directions, lengths, skips=False):
    """Output and last states, with time first."""
    units, count = h.shape[2], layers * directions
    cells = parts(params, mode, layers, directions, units, x.shape[2], skips)
    last_h, last_c = [], []
    for layer in range(layers):
        ys = []
        for direction in range(directions):
            i = layer * directions + direction
            turn = lambda x: tf.reverse_sequence(x, lengths, seq_axis=0, batch_axis=1) if direction else x
            y, hi, ci = cell(turn(x), h[i], c[i] if mode == "lstm" else None, mode, cells[i], lengths, skips and layer == 0)
            y.set_shape([x.shape[0], x.shape[1], units])
            ys.append(turn(y))
            last_h.append(hi)
            last_c.append(ci)
        x = tf.concat(ys, 2)
    assert len(last_h) == count
    return x, tf.stack(last_h), tf.stack(last_c) if mode == "lstm" else tf.zeros([], x.dtype)


def network(label, mode, layers=1, directions=1, dtype="float32", version=1, steps=4, batch=3, units=3, size=2, lengths=None,
            time_major=True, input_mode="linear_input"):
    """The results of a network, and the gradients by all its inputs."""
    kind = tf.as_dtype(dtype)
    wide = kind if kind.size >= 4 else tf.float32
    array = lambda *shape: rng.uniform(-1, 1, shape).astype(kind.as_numpy_dtype)
    skips = input_mode == "skip_input" or (input_mode == "auto_select" and units == size)
    _, count = number_of(mode, layers, directions, units, size, skips)
    cells = layers * directions
    order = (lambda shape: shape) if time_major else (lambda shape: [shape[1], shape[0], shape[2]])
    shapes = [[steps, batch, size], [cells, batch, units], [cells, batch, units]]
    results = [[steps, batch, units * directions], [cells, batch, units], [cells, batch, units]]
    feeds = [array(*order(shape)) for shape in shapes] + [array(count)] + [array(*order(shape)) for shape in results]
    times = np.full([batch], steps, np.int32) if lengths is None else np.int32(lengths)
    attrs = dict(rnn_mode=mode, direction="bidirectional" if directions == 2 else "unidirectional", input_mode=input_mode)

    def all_of(outputs, inputs, factors):
        """The outputs, and the gradients of the sum of their products with random factors."""
        outputs = list(outputs[:2 if mode != "lstm" else 3])
        by = [inputs[0], inputs[1], inputs[3]] + ([inputs[2]] if mode == "lstm" else [])
        return outputs + tf.gradients(outputs, by, list(factors[:len(outputs)]))

    def ours(x, h, c, params, *factors):
        if version == 3:
            outputs = raw.CudnnRNNV3(input=x, input_h=h, input_c=c, params=params, sequence_lengths=times, time_major=time_major, **attrs)
        else:
            f = raw.CudnnRNN if version == 1 else raw.CudnnRNNV2
            outputs = f(input=x, input_h=h, input_c=c, params=params, **attrs)
        return all_of(outputs, (x, h, c, params), factors)

    def theirs(x, h, c, params, *factors):
        turn = (lambda x: x) if time_major else (lambda x: tf.transpose(x, [1, 0, 2]))
        outputs = by_keras(*[turn(tf.cast(x, wide)) for x in (x, h, c)], tf.cast(params, wide), mode, layers, directions, tf.constant(times), skips)
        outputs = [tf.cast(turn(y) if len(y.shape) == 3 else y, kind) for y in outputs]
        return all_of(outputs, (x, h, c, params), factors)

    rtol, atol = {"float64": (1e-9, 1e-10), "float32": (1e-4, 1e-5), "float16": (4e-3, 4e-3), "bfloat16": (4e-2, 4e-2)}[dtype]
    same(f"CudnnRNN/{label}", feeds, ours, theirs, rtol, atol)


for mode in GATES:
    network(f"{mode}/one", mode)
    network(f"{mode}/float64", mode, dtype="float64")
    network(f"{mode}/both", mode, directions=2)
    network(f"{mode}/layers", mode, layers=3, version=2)
    network(f"{mode}/layers_both", mode, layers=2, directions=2, dtype="float64", version=2)
    network(f"{mode}/lengths", mode, layers=2, directions=2, version=3, lengths=[3, 1, 4])
    network(f"{mode}/sequences_first", mode, layers=2, version=3, lengths=[0, 4, 2], time_major=False)
    network(f"{mode}/sequences_first_both", mode, directions=2, version=3, batch=2, time_major=False, dtype="float64")
    network(f"{mode}/skip", mode, layers=2, size=3, input_mode="skip_input")
    network(f"{mode}/auto", mode, directions=2, size=3, input_mode="auto_select")
    network(f"{mode}/auto_linear", mode, size=4, input_mode="auto_select")
    for dtype in ["float16", "bfloat16"]:
        network(f"{mode}/{dtype}", mode, dtype=dtype, steps=2)
network("lstm/single", "lstm", steps=1, batch=1, units=1, size=1)

# Parameters: to the matrices and biases of the gates, and back.


def canonical(label, mode, layers, directions, units, size, second, dtype="float32"):
    weights, count = number_of(mode, layers, directions, units, size)
    n = 2 * GATES[mode] * layers * directions
    attrs = dict(rnn_mode=mode, direction="bidirectional" if directions == 2 else "unidirectional")
    sizes = dict(num_layers=layers, num_units=units, input_size=size)
    numbers = [dict(num_params_weights=n, num_params_biases=n)] if second else [dict(num_params=n)]
    params = np.arange(count).astype(dtype)

    def split(params):
        all_parts = parts(params, mode, layers, directions, units, size)
        return [m for w, r, _, _ in all_parts for m in w + r], [b for _, _, bw, br in all_parts for b in bw + br]

    def ours(params):
        to = raw.CudnnRNNParamsToCanonicalV2 if second else raw.CudnnRNNParamsToCanonical
        back = raw.CudnnRNNCanonicalToParamsV2 if second else raw.CudnnRNNCanonicalToParams
        ws, bs = to(params=params, **sizes, **numbers[0], **attrs)
        counts = [raw.CudnnRNNParamsSize(T=tf.as_dtype(dtype), S=index, **sizes, **attrs) for index in (tf.int32, tf.int64)]
        return list(ws) + list(bs) + [back(weights=ws, biases=bs, **sizes, **attrs)] + counts

    def theirs(params):
        ws, bs = split(params)
        return ws + bs + [tf.identity(params)] + [tf.constant([count], index) for index in (tf.int32, tf.int64)]

    same(f"CudnnRNNParams/{label}", [params], ours, theirs, 0, 0)


for mode in GATES:
    canonical(f"{mode}/1", mode, 1, 1, 2, 3, False)
    canonical(f"{mode}/2", mode, 2, 2, 3, 2, True, "float64")


write(__file__)

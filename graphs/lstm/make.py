#!/usr/bin/env python3
"""Writes the graphs of the character LSTM, its text and what TensorFlow answers.

    pip install tensorflow-cpu
    pip download --no-deps --no-binary :all: Brotli==1.1.0
    python graphs/lstm/make.py Brotli-1.1.0.tar.gz

Brotli's sources carry the text among their test data. Everything is seeded and TensorFlow runs one op at a time on one
thread. The network is trained for as many steps as `STEPS` says, which takes a few minutes. README.md describes the files.
"""

import copy
import os
import sys
import tarfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")

import numpy as np
import tensorflow as tf
from writing import plain, write_graph, write_json

v1 = tf.compat.v1
v1.disable_eager_execution()
v1.disable_control_flow_v2()
v1.logging.set_verbosity(v1.logging.ERROR)

HERE = Path(__file__).parent
TEXT = "paradise_lost.txt"
SEED = 1667
BATCH = 32
LENGTH = 32
CELLS = 128
STEPS = int(os.environ.get("STEPS", 5000))
RECORDED = 100
LEARNING_RATE = 0.004
GREATEST_NORM = 5.0
WEIGHTS = ("cell/input_weights", "cell/state_weights", "cell/biases", "output/weights", "output/biases")


def main():
    if len(sys.argv) > 1:
        write_text(sys.argv[1])
    text = (HERE / TEXT).read_bytes()
    alphabet = bytes(sorted(set(text)))

    train = training_graph(alphabet, len(text))
    losses, trained = run_training(train)
    generate = generating_graph(trained, alphabet)
    write_graph(HERE / "train.json", train)
    write_graph(HERE / "generate.json", generate)
    expected = {"prompt": "Of Man's first disobedience", "length": 300, "temperature": 0.6, "seed": [1667, 8]}
    expected["text"] = run_generating(generate, expected)
    write_json(HERE / "expected.json", expected)
    write_json(HERE / "train_losses.json", {"losses": plain(losses[:RECORDED])})
    print(f"loss {losses[0]:.4f} -> {np.mean(losses[-100:]):.4f}\n{expected['text']}")


def write_text(archive):
    """The poem alone: without the note that precedes it, and without the blank at the end of each line."""
    with tarfile.open(archive) as sources:
        text = sources.extractfile("Brotli-1.1.0/tests/testdata/plrabn12.txt").read().decode("ascii")
    lines = [line.rstrip() for line in text.splitlines()]
    lines = lines[lines.index("Book I"):]
    lines = [line for line in lines if not line.startswith("[The End]")]
    poem = "\n".join(lines).strip() + "\n"
    while "\n\n\n" in poem:
        poem = poem.replace("\n\n\n", "\n\n")
    (HERE / TEXT).write_text(poem)


def initial_weights(characters):
    """By name. They are drawn when the variables are initialized, always the same."""
    seed = iter(range(5))

    def uniform(*shape):
        limit = np.sqrt(6 / sum(shape)).astype(np.float32)
        return (2 * tf.raw_ops.StatelessRandomUniform(shape=shape, seed=[SEED, next(seed)]) - 1) * limit

    # The gates in order: input, candidate, forget, output. A cell that forgets nothing at first learns sooner.
    return {
        "cell/input_weights": uniform(characters, 4 * CELLS),
        "cell/state_weights": uniform(CELLS, 4 * CELLS),
        "cell/biases": tf.constant(np.repeat(np.float32([0, 0, 1, 0]), CELLS)),
        "output/weights": uniform(CELLS, characters),
        "output/biases": tf.zeros([characters]),
    }


def cell(x, c, h, weights):
    """A step of the LSTM: `x` is the input already multiplied by its weights."""
    z = x + tf.matmul(h, weights["cell/state_weights"]) + weights["cell/biases"]
    i, g, f, o = tf.split(z, 4, axis=1)
    c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
    return c, tf.sigmoid(o) * tf.tanh(c)


def logits_of(h, weights):
    return tf.matmul(h, weights["output/weights"]) + weights["output/biases"]


def codes_of(data, alphabet):
    """Numbers of characters, for bytes; what is not in the alphabet counts as a blank."""
    table = [alphabet.index(byte if byte in alphabet else b" ") for byte in range(256)]
    return tf.gather(tf.constant(table, name="codes/table"), tf.cast(tf.io.decode_raw(data, tf.uint8), tf.int32))


def training_graph(alphabet, text_length):
    graph = tf.Graph()
    with graph.as_default():
        def variable(name, value, trainable=False):
            v = v1.get_variable(name, initializer=value, use_resource=True, trainable=trainable)
            return v, tf.raw_ops.ReadVariableOp(resource=v.handle, dtype=v.dtype, name=f"{name}/value")

        variables, weights = {}, {}
        for name, value in initial_weights(len(alphabet)).items():
            variables[name], weights[name] = variable(name, value, trainable=True)
        step = v1.train.get_or_create_global_step()
        c_variable, c = variable("state/c", np.zeros([BATCH, CELLS], np.float32))
        h_variable, h = variable("state/h", np.zeros([BATCH, CELLS], np.float32))

        # The text is read once, by `init`, and goes into a variable.
        file = tf.constant(f"graphs/lstm/{TEXT}", name="file")
        codes = codes_of(tf.raw_ops.ReadFile(filename=file), alphabet)
        codes.set_shape([text_length])
        text = v1.get_variable("text", initializer=codes, use_resource=True, trainable=False, validate_shape=True)

        # Each row of a batch goes through a part of the text of its own, from where the step before has left it.
        part = text_length // BATCH
        parts = tf.constant(np.arange(BATCH, dtype=np.int64)[:, np.newaxis] * part, name="batch/parts")
        within = tf.constant(np.arange(LENGTH + 1, dtype=np.int64), name="batch/within")
        at = tf.math.floormod(step.read_value() * LENGTH, part - LENGTH)
        batch = tf.raw_ops.GatherV2(params=text.read_value(), indices=parts + at + within, axis=0, name="batch")

        times = tf.transpose(batch)
        x = tf.one_hot(tf.reshape(times[:-1], [-1]), len(alphabet))
        x = tf.reshape(tf.matmul(x, weights["cell/input_weights"]), [LENGTH, BATCH, 4 * CELLS])
        xs = tf.TensorArray(tf.float32, LENGTH, name="xs").unstack(x)
        hs = tf.TensorArray(tf.float32, LENGTH, name="hs")

        def body(t, c, h, hs):
            c, h = cell(xs.read(t), c, h, weights)
            return t + 1, c, h, hs.write(t, h)

        _, c, h, hs = tf.while_loop(lambda t, *_: t < LENGTH, body, [0, c, h, hs], name="lstm")
        logits = logits_of(tf.reshape(hs.stack(), [LENGTH * BATCH, CELLS]), weights)
        entropy = tf.raw_ops.SparseSoftmaxCrossEntropyWithLogits(
            features=logits, labels=tf.reshape(times[1:], [-1])).loss
        loss = tf.raw_ops.Mean(input=entropy, axis=tf.constant([0]), name="loss")

        trained = list(variables.values())
        gradients, norm = tf.clip_by_global_norm(tf.gradients(loss, trained), GREATEST_NORM)
        tf.identity(norm, name="gradient_norm")
        # The state is left to the next step once this one has used it.
        with tf.control_dependencies(gradients):
            left = [c_variable.assign(c, read_value=False), h_variable.assign(h, read_value=False)]
        adam = v1.train.AdamOptimizer(LEARNING_RATE)
        with tf.control_dependencies(left):
            adam.apply_gradients(zip(gradients, trained), global_step=step, name="train_op")
        with tf.name_scope("generate"):
            generated = generator(weights, alphabet)
        tf.identity(generated, name="generated")
        v1.global_variables_initializer()
    return used(graph, ["init", "train_op", "loss", "gradient_norm", "generated"])


def generator(weights, alphabet, name="text"):
    """Text that the network writes: it reads the prompt, then always what it has written itself."""
    def default(value, dtype, name, shape=()):
        return tf.raw_ops.PlaceholderWithDefault(input=tf.constant(value, dtype), shape=shape, name=name)

    prompt = default("Of Man's first disobedience", tf.string, "prompt")
    length = default(400, tf.int32, "length")
    temperature = default(0.6, tf.float32, "temperature")
    seed = default([SEED, 1], tf.int32, "seed", [2])

    codes = codes_of(tf.strings.join(["\n", prompt]), alphabet)
    given = tf.size(codes)
    steps = given + length - 1
    # The greatest of logit and Gumbel noise is a sample of the softmax.
    uniform = tf.raw_ops.StatelessRandomUniform(shape=tf.stack([steps, len(alphabet)]), seed=seed)
    noise = -tf.math.log(-tf.math.log(uniform + 1e-20) + 1e-20)

    def body(t, code, c, h, codes_written):
        code = v1.cond(t < given, lambda: tf.gather(codes, t), lambda: code)
        x = tf.gather(weights["cell/input_weights"], tf.expand_dims(code, 0))
        c, h = cell(x, c, h, weights)
        scores = logits_of(h, weights) / temperature + tf.gather(noise, t)
        code = tf.squeeze(tf.argmax(scores, 1, output_type=tf.int32), [0])
        return t + 1, code, c, h, codes_written.write(t, code)

    state = tf.zeros([1, CELLS])
    written = tf.TensorArray(tf.int32, steps, name="written")
    loop = tf.while_loop(lambda t, *_: t < steps, body, [0, 0, state, state, written], name="loop")
    characters = tf.gather(tf.constant([bytes([b]) for b in alphabet], name="alphabet"), loop[-1].stack()[given - 1:])
    return tf.strings.join([prompt, v1.reduce_join(characters, 0)], name=name)


def generating_graph(values, alphabet):
    """The generator alone, its weights as constants in half precision."""
    graph = tf.Graph()
    with graph.as_default():
        weights = {
            name: tf.cast(tf.constant(value, tf.float16, name=f"{name}/half"), tf.float32, name=name)
            for name, value in values.items()
        }
        generator(weights, alphabet)
    return used(graph, ["text"])


def used(graph, nodes):
    part = v1.graph_util.extract_sub_graph(graph.as_graph_def(), nodes)
    part.ClearField("library")
    return part


def session(graph_def):
    graph_def = copy.deepcopy(graph_def)  # import_graph_def adds default attrs to what it is given
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(graph_def, name="")
    one_thread = v1.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
    return v1.Session(graph=graph, config=one_thread)


def run_training(graph_def):
    losses = []
    with session(graph_def) as s:
        s.run("init", {"file:0": str(HERE / TEXT)})
        for step in range(STEPS):
            losses.append(s.run(["loss:0", "train_op"])[0])
        values = s.run({name: f"{name}/value:0" for name in WEIGHTS})
    return np.array(losses), values


def run_generating(graph_def, feeds):
    with session(graph_def) as s:
        names = ("prompt", "length", "temperature", "seed")
        return s.run("text:0", {f"{n}:0": feeds[n] for n in names}).decode("ascii")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Writes the digits graphs, their data and what TensorFlow answers.

    pip install tensorflow-cpu scikit-learn
    python make.py

The graph of `train.json` is built and trained here, fed batch by batch, then its weights are frozen into `infer.json`.
Everything is seeded and TensorFlow runs one op at a time on one thread, so two runs on one machine
write the same bytes. README.md describes the files.
"""

import copy
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")

import numpy as np
import tensorflow as tf
from tensorflow.core.protobuf import meta_graph_pb2
from tensorflow.core.protobuf.rewriter_config_pb2 import RewriterConfig
from sklearn.datasets import load_digits
from writing import plain, write_graph, write_json

v1 = tf.compat.v1
v1.disable_eager_execution()
v1.logging.set_verbosity(v1.logging.ERROR)

HERE = Path(__file__).parent
SEED = 1998
TEST = 360
BATCH = 64
STEPS = 900
RECORDED = 100
LEARNING_RATE = 0.002
# From these weights, the losses of the first hundred steps do not depend on the last bits of the weights. From many
# others they do: a ReLU or a pool whose two greatest inputs are equal but for rounding then parts the curves.
WEIGHTS_SEED = 23
SHARDS = [f"train-{shard:05d}-of-00004.tfrecord.gz" for shard in range(4)]

# The layers in order: name, shape of the weights.
LAYERS = [
    ("conv1", [3, 3, 1, 16]),
    ("conv2", [3, 3, 16, 32]),
    ("dense1", [128, 64]),
    ("dense2", [64, 10]),
]


def main():
    train, test = digits()
    initial = initial_weights()

    graph = training_program(initial).graph_def
    trained, losses = run_training(graph, batches(train), STEPS)
    first = tuple(a[:BATCH] for a in train)
    _, fixed_losses = run_training(graph, lambda step: first, RECORDED)

    infer = inference_graph(trained)
    answers = run_inference(infer, test)

    write_records(train)
    write_graph(HERE / "train.json", training_program(initial))
    write_graph(HERE / "infer.json", infer)
    np.save(HERE / "train_images.npy", np.rint(train[0] * 16).astype(np.uint8))
    np.save(HERE / "train_labels.npy", train[1])
    np.save(HERE / "batch_images.npy", first[0])
    np.save(HERE / "batch_labels.npy", first[1])
    np.save(HERE / "test_images.npy", test[0])
    np.save(HERE / "test_labels.npy", test[1])
    np.save(HERE / "test_logits.npy", answers["logits"])
    write_json(HERE / "train_losses.json", {
        "batch_size": BATCH,
        "losses": plain(losses[:RECORDED]),
        "fixed_batch_losses": plain(fixed_losses),
    })
    write_json(HERE / "expected.json", {k: plain(answers[k]) for k in ("accuracy", "predictions", "confusion")})

    print(f"test accuracy {answers['accuracy']:.4f}, loss {losses[0]:.4f} -> {losses[-1]:.4f}")
    assert answers["accuracy"] >= 0.97


def digits():
    """The data as (images, labels) twice: for training and for testing."""
    data = load_digits()
    order = np.random.RandomState(SEED).permutation(len(data.target))
    images = (data.images[order] / 16).astype(np.float32)[..., np.newaxis]
    labels = data.target[order].astype(np.int64)
    return (images[TEST:], labels[TEST:]), (images[:TEST], labels[:TEST])


def batches(data):
    """Step `i` takes the 64 rows from `i * 64` on, beginning anew after the last row."""
    images, labels = data

    def batch(step):
        rows = (step * BATCH + np.arange(BATCH)) % len(labels)
        return images[rows], labels[rows]

    return batch


def initial_weights():
    """Glorot-uniform weights and zero biases, by variable name."""
    random = np.random.RandomState(WEIGHTS_SEED)
    values = {}
    for name, shape in LAYERS:
        receptive = int(np.prod(shape[:-2]))
        limit = np.sqrt(6 / (receptive * (shape[-2] + shape[-1])))
        values[f"{name}/weights"] = random.uniform(-limit, limit, shape).astype(np.float32)
        values[f"{name}/biases"] = np.zeros(shape[-1], np.float32)
    return values


def write_records(data):
    """The training data as `Example` messages in gzipped TFRecords: `image`, 64 bytes from 0 to 16, and `label`."""
    images, labels = np.rint(data[0] * 16).astype(np.uint8), data[1]
    for shard, file in enumerate(SHARDS):
        with tf.io.TFRecordWriter(str(HERE / file), "GZIP") as out:
            for image, label in zip(images[shard::len(SHARDS)], labels[shard::len(SHARDS)]):
                features = {
                    "image": tf.train.Feature(bytes_list=tf.train.BytesList(value=[image.tobytes()])),
                    "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[label])),
                }
                example = tf.train.Example(features=tf.train.Features(feature=features))
                out.write(example.SerializeToString(deterministic=True))


def pipeline():
    """Batches of the records, without end: file names, a reader, decoding, and a queue that shuffles."""
    names = [f"graphs/digits/{file}" for file in SHARDS]
    files = v1.train.string_input_producer(names, seed=SEED, name="files")
    options = tf.io.TFRecordOptions(compression_type="GZIP")
    _, record = v1.TFRecordReader(name="reader", options=options).read(files, name="read")
    image, label = tf.raw_ops.ParseSingleExample(
        serialized=record, dense_defaults=[tf.constant(b""), tf.constant(-1, tf.int64)], num_sparse=0,
        sparse_keys=[], sparse_types=[], dense_keys=["image", "label"], dense_shapes=[[], []],
        name="example").dense_values
    pixels = tf.reshape(tf.io.decode_raw(image, tf.uint8), [8, 8, 1])
    return v1.train.shuffle_batch(
        [tf.cast(pixels, tf.float32) / 16, label], BATCH, capacity=800, min_after_dequeue=600, num_threads=4,
        seed=SEED, name="batch")


def inputs():
    """Placeholders for the images and the labels."""
    images = v1.placeholder(tf.float32, [None, 8, 8, 1], name="images")
    return images, v1.placeholder(tf.int64, [None], name="labels")


def inputs_from_pipeline():
    """Placeholders that take batches of the records where they are not fed."""
    with tf.name_scope("input"):
        images, labels = pipeline()
    images = tf.raw_ops.PlaceholderWithDefault(input=images, shape=[None, 8, 8, 1], name="images")
    return images, tf.raw_ops.PlaceholderWithDefault(input=labels, shape=[None], name="labels")


def classifier(images, labels, parameter):
    """Adds the classifier and its endpoints to the graph; `parameter(name)` gives a weight tensor."""

    def layer(name, op, x, *args):
        x = op(x, parameter(f"{name}/weights"), *args, name=f"{name}/{op.__name__}")
        return tf.raw_ops.BiasAdd(value=x, bias=parameter(f"{name}/biases"), name=f"{name}/BiasAdd")

    def Conv2D(x, weights, name):
        return tf.raw_ops.Conv2D(input=x, filter=weights, strides=[1, 1, 1, 1], padding="SAME", name=name)

    def MatMul(x, weights, name):
        return tf.raw_ops.MatMul(a=x, b=weights, name=name)

    def pool(name, x):
        return tf.raw_ops.MaxPool(input=x, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME", name=name)

    def relu(name, x):
        return tf.raw_ops.Relu(features=x, name=f"{name}/Relu")

    x = pool("pool1", relu("conv1", layer("conv1", Conv2D, images)))
    x = pool("pool2", relu("conv2", layer("conv2", Conv2D, x)))
    x = tf.raw_ops.Reshape(tensor=x, shape=tf.constant([-1, 128], name="flatten/shape"), name="flatten")
    x = relu("dense1", layer("dense1", MatMul, x))
    logits = tf.identity(layer("dense2", MatMul, x), name="logits")

    classes = tf.constant(1, name="predictions/dimension")
    predictions = tf.raw_ops.ArgMax(input=logits, dimension=classes, name="predictions")
    correct = tf.raw_ops.Equal(x=predictions, y=labels, name="correct")
    mean_of("accuracy", tf.cast(correct, tf.float32, name="accuracy/Cast"))
    return logits, predictions


def mean_of(name, values):
    return tf.raw_ops.Mean(input=values, axis=tf.constant([0], name=f"{name}/axis"), name=name)


def training_program(initial):
    """The classifier on resource variables, with its gradients, Adam, its input and the runners of that."""
    graph = tf.Graph()
    with graph.as_default():
        variables = {
            name: v1.get_variable(name, initializer=value, use_resource=True)
            for name, value in initial.items()
        }

        def read(name):
            return tf.raw_ops.ReadVariableOp(
                resource=variables[name].handle, dtype=tf.float32, name=f"{name}/value")

        images, labels = inputs_from_pipeline()
        logits, _ = classifier(images, labels, read)
        entropy = tf.raw_ops.SparseSoftmaxCrossEntropyWithLogits(
            features=logits, labels=labels, name="cross_entropy")
        loss = mean_of("loss", entropy.loss)
        gradients = tf.gradients(loss, list(variables.values()))
        adam = v1.train.AdamOptimizer(LEARNING_RATE)
        adam.apply_gradients(zip(gradients, variables.values()), name="train_op")
        v1.global_variables_initializer()
        runners = [r.to_proto() for r in v1.get_collection(v1.GraphKeys.QUEUE_RUNNERS)]
    nodes = ["init", "train_op", "loss", "accuracy"]
    for runner in runners:
        nodes += [*runner.enqueue_op_name, runner.close_op_name, runner.cancel_op_name]
    # TensorFlow adds nodes that nothing here uses, such as one per variable that tells whether it is initialized.
    used = v1.graph_util.extract_sub_graph(graph.as_graph_def(), nodes)
    used.ClearField("library")
    program = meta_graph_pb2.MetaGraphDef(graph_def=used)
    program.collection_def["init_op"].node_list.value.append("init")
    program.collection_def["queue_runners"].bytes_list.value.extend(
        r.SerializeToString(deterministic=True) for r in runners)
    return program


def inference_graph(values):
    """The classifier on constants, with the confusion matrix."""
    graph = tf.Graph()
    with graph.as_default():
        images, labels = inputs()
        logits, predictions = classifier(images, labels, lambda name: tf.constant(values[name], name=name))
        tf.raw_ops.Softmax(logits=logits, name="probabilities")
        depth = tf.constant(10, name="confusion/depth")
        on, off = tf.constant(1.0, name="confusion/on"), tf.constant(0.0, name="confusion/off")
        true, predicted = (
            tf.raw_ops.OneHot(indices=x, depth=depth, on_value=on, off_value=off, name=f"confusion/{name}")
            for name, x in (("true", labels), ("predicted", predictions)))
        counts = tf.raw_ops.MatMul(a=true, b=predicted, transpose_a=True, name="confusion/MatMul")
        tf.raw_ops.Cast(x=counts, DstT=tf.int32, name="confusion")
    frozen = graph.as_graph_def()
    for node in frozen.node:
        for training_only in ("grad_a", "grad_b"):
            node.attr.pop(training_only, None)
    return frozen


def session(graph_def):
    graph_def = copy.deepcopy(graph_def)  # import_graph_def adds default attrs to what it is given
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(graph_def, name="")
    one_thread = v1.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
    # With it, TensorFlow makes a run that feeds the images wait for the queue all the same.
    one_thread.graph_options.rewrite_options.dependency_optimization = RewriterConfig.OFF
    return v1.Session(graph=graph, config=one_thread)


def run_training(graph_def, batch, steps):
    """Trains from the initial weights; returns the trained weights and the loss before each update."""
    losses = []
    with session(graph_def) as s:
        s.run("init")
        for step in range(steps):
            images, labels = batch(step)
            feeds = {"images:0": images, "labels:0": labels}
            losses.append(s.run(["loss:0", "train_op"], feeds)[0])
        names = [f"{layer}/{part}" for layer, _ in LAYERS for part in ("weights", "biases")]
        values = s.run({name: f"{name}/value:0" for name in names})
    return values, np.array(losses)


def run_inference(graph_def, data):
    fetches = {n: f"{n}:0" for n in ("logits", "probabilities", "predictions", "accuracy", "confusion")}
    with session(graph_def) as s:
        return s.run(fetches, {"images:0": data[0], "labels:0": data[1]})


if __name__ == "__main__":
    main()

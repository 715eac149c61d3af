"""Writes MetaGraphs as exported by TensorFlow 1 training scripts, and the results of their steps.

    python tests/meta/make.py tests/meta

Each function below is an abridged script: it builds a graph with saver, summaries and so on, and returns how a step is
run. `expected.json` has, for each graph, the feeds and the values that TensorFlow fetches in each of some steps.
"""

import gzip
import json
import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
os.environ.setdefault("TF_USE_LEGACY_KERAS", "1")
import numpy as np
import tensorflow as tf2

tf = tf2.compat.v1
tf.disable_eager_execution()
random = np.random.RandomState(7)


def data(*shape):
    return random.uniform(-1, 1, shape).astype(np.float32)


def dense(x, units, name, activation=None):
    with tf.variable_scope(name):
        w = tf.get_variable("w", [int(x.shape[-1]), units], initializer=tf.glorot_uniform_initializer(seed=3))
        b = tf.get_variable("b", [units], initializer=tf.zeros_initializer())
        y = tf.nn.xw_plus_b(x, w, b)
    return activation(y) if activation else y


def regression(features=4):
    x = tf.placeholder(tf.float32, [None, features], "x")
    y = tf.placeholder(tf.float32, [None, 1], "y")
    return x, y, {"x:0": data(6, features), "y:0": data(6, 1)}


def named_loss(loss):
    return tf.identity(loss, "loss")


def saver_v2():
    """A current saver, sharded, with all kinds of summaries written to a file."""
    x, y, feeds = regression()
    loss = named_loss(tf.losses.mean_squared_error(y, dense(dense(x, 5, "hidden", tf.nn.relu), 1, "out")))
    step = tf.train.get_or_create_global_step()
    tf.train.AdamOptimizer(0.01).minimize(loss, step, name="train_op")
    tf.summary.scalar("loss_summary", loss)
    for v in tf.trainable_variables():
        tf.summary.histogram(v.op.name, v)
    tf.summary.image("picture", tf.reshape(x, [1, -1, 4, 1]))
    tf.summary.audio("sound", tf.reshape(x, [1, -1]), 8000.0)
    tf.summary.text("words", tf.as_string(step))
    tf.summary.merge_all()
    tf.train.Saver(sharded=True, max_to_keep=3)
    return feeds, ["loss:0"]


def saver_v1():
    """The first saver's format, of reference variables."""
    x, y, feeds = regression()
    w = tf.Variable(tf.truncated_normal([4, 1], stddev=0.1, seed=5), use_resource=False, name="w")
    b = tf.Variable(tf.zeros([1]), use_resource=False, name="b")
    loss = named_loss(tf.reduce_mean(tf.square(tf.matmul(x, w) + b - y)))
    tf.train.GradientDescentOptimizer(0.1).minimize(loss, name="train_op")
    tf.train.Saver(write_version=tf.train.SaverDef.V1)
    return feeds, ["loss:0"]


def partitioned():
    """Variables in slices, an embedding over several of them, saved by slice."""
    ids = tf.placeholder(tf.int64, [None], "ids")
    y = tf.placeholder(tf.float32, [None, 1], "y")
    with tf.variable_scope("emb", partitioner=tf.fixed_size_partitioner(3)):
        table = tf.get_variable("table", [10, 4], initializer=tf.random_uniform_initializer(-1, 1, seed=11))
    rows = tf.nn.embedding_lookup(table, ids, partition_strategy="div")
    loss = named_loss(tf.losses.mean_squared_error(y, dense(rows, 1, "out")))
    tf.train.AdagradOptimizer(0.1).minimize(loss, name="train_op")
    tf.train.Saver()
    return {"ids:0": np.array([1, 9, 4, 4, 0], np.int64), "y:0": data(5, 1)}, ["loss:0"]


def queue_runners():
    """An input pipeline of queues with runners, beside the saver and the summaries of its sizes."""
    xs, ys = tf.constant(data(16, 4)), tf.constant(data(16, 1))
    x, y = tf.train.slice_input_producer([xs, ys], shuffle=False)
    x, y = tf.train.batch([x, y], 4, num_threads=1, capacity=32)
    loss = named_loss(tf.losses.mean_squared_error(y, dense(x, 1, "out")))
    tf.train.GradientDescentOptimizer(0.05).minimize(loss, name="train_op")
    tf.summary.scalar("loss_summary", loss)
    tf.train.Saver()
    return {}, ["loss:0"]


def tables():
    """Words to numbers through a table, with its initializer among the collections."""
    words = tf.placeholder(tf.string, [None], "words")
    y = tf.placeholder(tf.float32, [None, 1], "y")
    table = tf.lookup.StaticVocabularyTable(
        tf.lookup.KeyValueTensorInitializer(["a", "b", "c"], tf.constant([0, 1, 2], tf.int64)), 2
    )
    emb = tf.get_variable("emb", [5, 3], initializer=tf.random_normal_initializer(seed=2))
    loss = named_loss(tf.losses.mean_squared_error(y, dense(tf.gather(emb, table.lookup(words)), 1, "out")))
    tf.train.RMSPropOptimizer(0.01).minimize(loss, name="train_op")
    tf.train.Saver()
    return {"words:0": ["a", "c", "c", "a"], "y:0": data(4, 1)}, ["loss:0"]


def dropout_batch_norm():
    """Dropout and batch normalization, with update ops and a switch for training."""
    x = tf.placeholder(tf.float32, [None, 8, 8, 3], "x")
    labels = tf.placeholder(tf.int32, [None], "labels")
    training = tf.placeholder_with_default(True, [], "training")
    kernel = tf.get_variable("kernel", [3, 3, 3, 4], initializer=tf.glorot_uniform_initializer(seed=1))
    h = tf.nn.conv2d(x, kernel, 1, "SAME")
    scale, offset = tf.get_variable("scale", initializer=tf.ones([4])), tf.get_variable("offset", initializer=tf.zeros([4]))
    mean = tf.get_variable("mean", initializer=tf.zeros([4]), trainable=False)
    variance = tf.get_variable("variance", initializer=tf.ones([4]), trainable=False)

    def train():
        y, m, v = tf.nn.fused_batch_norm(h, scale, offset)
        with tf.control_dependencies([mean.assign_sub(0.1 * (mean - m)), variance.assign_sub(0.1 * (variance - v))]):
            return tf.identity(y)

    h = tf.cond(training, train, lambda: tf.nn.fused_batch_norm(h, scale, offset, mean, variance, is_training=False)[0])
    h = tf.nn.dropout(tf.nn.max_pool2d(tf.nn.relu(h), 2, 2, "VALID"), rate=0.25, seed=9)
    logits = dense(tf.reshape(h, [-1, 64]), 3, "logits")
    loss = named_loss(tf.losses.sparse_softmax_cross_entropy(labels, logits))
    tf.train.MomentumOptimizer(0.05, 0.9, use_nesterov=True).minimize(loss, name="train_op")
    tf.summary.image("input", x)
    tf.train.Saver()
    return {"x:0": data(4, 8, 8, 3), "labels:0": np.array([0, 1, 2, 1], np.int32)}, ["loss:0"]


def lstm():
    """A recurrent cell unrolled by a while loop, with gradients through it and clipping by global norm."""
    x = tf.placeholder(tf.float32, [None, 5, 3], "x")
    lengths = tf.placeholder(tf.int32, [None], "lengths")
    y = tf.placeholder(tf.float32, [None, 1], "y")
    with tf.variable_scope("rnn", initializer=tf.glorot_uniform_initializer(seed=4)):
        cell = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.BasicLSTMCell(4), tf.nn.rnn_cell.GRUCell(3)])
        _, state = tf.nn.dynamic_rnn(cell, x, lengths, dtype=tf.float32)
    loss = named_loss(tf.losses.mean_squared_error(y, dense(state[1], 1, "out")))
    optimizer = tf.train.AdamOptimizer(0.02)
    grads, variables = zip(*optimizer.compute_gradients(loss))
    grads, norm = tf.clip_by_global_norm(grads, 1.0)
    optimizer.apply_gradients(zip(grads, variables), name="train_op")
    tf.summary.histogram("norm", norm)
    tf.train.Saver()
    return {"x:0": data(4, 5, 3), "lengths:0": np.array([5, 3, 1, 4], np.int32), "y:0": data(4, 1)}, ["loss:0"]


def estimator():
    """An estimator's graph: global step, scaffold with init and ready ops, checks, hooks' summaries."""
    x, y, feeds = regression()
    step = tf.train.create_global_step()
    rate = tf.train.exponential_decay(0.1, step, 2, 0.9, staircase=True)
    prediction = dense(x, 1, "out")
    loss = named_loss(tf.losses.mean_squared_error(y, prediction) + tf.add_n([tf.nn.l2_loss(v) * 0.01 for v in tf.trainable_variables()]))
    tf.metrics.mean(loss, name="mean_loss")
    with tf.control_dependencies([tf.check_numerics(loss, "loss"), tf.assert_greater(loss, 0.0)]):
        tf.train.FtrlOptimizer(rate).minimize(loss, step, name="train_op")
    tf.summary.scalar("rate", rate)
    tf.add_to_collection(tf.GraphKeys.READY_OP, tf.report_uninitialized_variables())
    tf.add_to_collection(tf.GraphKeys.LOCAL_INIT_OP, tf.train.Scaffold.default_local_init_op())
    tf.train.Saver(defer_build=False)
    return feeds, ["loss:0"]


def averages():
    """Exponential moving averages that a saver writes under the variables' names."""
    x, y, feeds = regression()
    loss = named_loss(tf.losses.mean_squared_error(y, dense(x, 1, "out")))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    ema = tf.train.ExponentialMovingAverage(0.9, zero_debias=True)
    with tf.control_dependencies([train]):
        average = ema.apply(tf.trainable_variables() + [loss])
    tf.group(average, name="train_op")
    tf.identity(ema.average(tf.trainable_variables()[0]), "average")
    tf.train.Saver(ema.variables_to_restore())
    # The update is concurrent with a read of the average, so only the loss has a deterministic value.
    return feeds, ["loss:0"]


def sparse():
    """Sparse placeholders, a weighted embedding of them, and wide columns."""
    words = tf.sparse_placeholder(tf.int64, [None, None], "words")
    weights = tf.sparse_placeholder(tf.float32, [None, None], "weights")
    y = tf.placeholder(tf.float32, [None, 1], "y")
    with tf.variable_scope("emb", partitioner=tf.fixed_size_partitioner(2)):
        table = tf.get_variable("table", [8, 3], initializer=tf.random_uniform_initializer(-1, 1, seed=8))
    rows = tf.nn.safe_embedding_lookup_sparse(table, words, weights, combiner="sqrtn")
    loss = named_loss(tf.losses.mean_squared_error(y, dense(rows, 1, "out")))
    tf.train.AdamOptimizer(0.05).minimize(loss, name="train_op")
    tf.train.Saver()
    at = np.array([[0, 0], [0, 1], [2, 0]], np.int64)
    shape = np.array([3, 2], np.int64)
    feeds = {"words/values:0": np.array([1, 7, 3], np.int64), "weights/values:0": np.array([1, 2, 0.5], np.float32), "y:0": data(3, 1)}
    for name in ("words", "weights"):
        feeds[name + "/indices:0"], feeds[name + "/shape:0"] = at, shape
    return feeds, ["loss:0"]


def images():
    """Images are decoded and augmented beside the model, which takes its batch from a placeholder with a default."""
    contents = tf.placeholder(tf.string, [], "contents")
    picture = tf.image.decode_jpeg(contents, channels=3)
    picture = tf.image.random_flip_left_right(tf.image.convert_image_dtype(picture, tf.float32), seed=1)
    picture = tf.image.random_saturation(tf.image.random_hue(picture, 0.1, seed=2), 0.5, 1.5, seed=3)
    boxes = tf.zeros([1, 1, 4])
    begin, size, drawn = tf.image.sample_distorted_bounding_box(tf.shape(picture), boxes, seed=4, min_object_covered=0.1)
    picture = tf.image.resize_images(tf.slice(picture, begin, size), [6, 6])
    batch = tf.placeholder_with_default(tf.expand_dims(picture, 0), [None, 6, 6, 3], "batch")
    tf.summary.image("drawn", tf.image.draw_bounding_boxes(batch, drawn))
    kernel = tf.get_variable("kernel", [3, 3, 3, 2], initializer=tf.glorot_uniform_initializer(seed=1))
    loss = named_loss(tf.reduce_mean(tf.square(tf.nn.depthwise_conv2d(batch, kernel, [1, 1, 1, 1], "VALID"))))
    tf.train.AdadeltaOptimizer(1.0).minimize(loss, name="train_op")
    tf.train.Saver()
    return {"batch:0": data(2, 6, 6, 3)}, ["loss:0"]


def py_func():
    """A Python function, a data set and a barrier that the training step does not need."""
    x, y, feeds = regression()
    loss = named_loss(tf.losses.mean_squared_error(y, dense(x, 1, "out")))
    tf.train.GradientDescentOptimizer(0.1).minimize(loss, name="train_op")
    plotted = tf.py_func(lambda v: v + 1, [loss], tf.float32, name="plotted")
    plotted.set_shape([])
    tf.summary.scalar("plotted_summary", tf.sqrt(plotted))
    iterator = tf.data.make_initializable_iterator(tf.data.Dataset.range(10).map(lambda v: v * 2).batch(2))
    tf.identity(iterator.get_next(), "unused")
    tf.train.Saver()
    return feeds, ["loss:0"]


def data_set():
    """The model's batch comes from a dataset; a feed replaces the iterator's element."""
    pairs = tf.data.Dataset.from_tensor_slices((data(8, 4), data(8, 1))).shuffle(8, seed=1).repeat().batch(4)
    x, y = tf.data.make_one_shot_iterator(pairs).get_next()
    loss = named_loss(tf.losses.mean_squared_error(y, dense(x, 1, "out")))
    tf.train.AdamOptimizer(0.1).minimize(loss, name="train_op")
    tf.train.Saver()
    return {"IteratorGetNext:0": data(4, 4), "IteratorGetNext:1": data(4, 1)}, ["loss:0"]


def colocation():
    """Towers on devices, colocated variables and slots, gradients averaged by hand."""
    x, y, feeds = regression()
    optimizer = tf.train.MomentumOptimizer(0.1, 0.9)
    grads = []
    for i in range(2):
        with tf.device("/cpu:0"), tf.name_scope("tower_%d" % i), tf.variable_scope("model", reuse=i > 0):
            loss = tf.losses.mean_squared_error(y[i::2], dense(x[i::2], 1, "out"))
            grads.append(optimizer.compute_gradients(loss, colocate_gradients_with_ops=True))
    mean = [(sum(g for g, _ in pairs) / 2.0, pairs[0][1]) for pairs in zip(*grads)]
    optimizer.apply_gradients(mean, name="train_op")
    named_loss(tf.add_n(tf.get_collection(tf.GraphKeys.LOSSES)))
    tf.train.Saver()
    return feeds, ["loss:0"]


def while_v1():
    """A while loop of version 1 with gradients, and conditionals within it."""
    x = tf.placeholder(tf.float32, [3], "x")
    w = tf.get_variable("w", initializer=tf.constant([0.5, -0.3, 0.8]))

    def body(i, v):
        return i + 1, tf.cond(tf.equal(i % 2, 0), lambda: tf.tanh(v * w), lambda: v + w * x)

    _, out = tf.while_loop(lambda i, v: i < 5, body, [0, x], parallel_iterations=4, swap_memory=True)
    loss = named_loss(tf.reduce_sum(out * out))
    tf.train.GradientDescentOptimizer(0.05).minimize(loss, name="train_op")
    tf.train.Saver()
    return {"x:0": data(3)}, ["loss:0"]


def while_v2():
    """Control flow as functions: While, If, and the lists of tensors between them."""
    x = tf.placeholder(tf.float32, [3], "x")
    w = tf.get_variable("w", initializer=tf.constant([0.5, -0.3, 0.8]), use_resource=True)
    _, out = tf.while_loop(
        lambda i, v: i < 4, lambda i, v: (i + 1, tf.cond(i > 1, lambda: tf.tanh(v * w), lambda: v + w)), [0, x]
    )
    loss = named_loss(tf.reduce_sum(out * out))
    tf.train.AdamOptimizer(0.05).minimize(loss, name="train_op")
    tf.train.Saver()
    return {"x:0": data(3)}, ["loss:0"]


def sampled():
    """Word vectors with sampled candidates, negative sampling and a learning rate that is polled."""
    words = tf.placeholder(tf.int32, [None], "words")
    context = tf.placeholder(tf.int32, [None, 1], "context")
    emb = tf.Variable(tf.random_uniform([20, 6], -1.0, 1.0, seed=1), name="emb")
    weights = tf.Variable(tf.truncated_normal([20, 6], stddev=0.4, seed=2), name="weights")
    biases = tf.Variable(tf.zeros([20]), name="biases")
    loss = named_loss(tf.reduce_mean(tf.nn.nce_loss(
                weights, biases, context, tf.nn.embedding_lookup(emb, words), 4, 20,
                sampled_values=tf.random.log_uniform_candidate_sampler(tf.to_int64(context), 1, 4, True, 20, seed=3),
            )))
    tf.train.GradientDescentOptimizer(1.0).minimize(loss, name="train_op")
    norm = tf.sqrt(tf.reduce_sum(tf.square(emb), 1, keepdims=True))
    tf.nn.top_k(tf.matmul(emb / norm, emb / norm, transpose_b=True), 3, name="nearest")
    tf.train.Saver()
    return {"words:0": np.array([1, 5, 7], np.int32), "context:0": np.array([[2], [6], [8]], np.int32)}, ["loss:0"]


def strategy():
    """The graph of a single-machine distribution strategy: device strings of jobs and tasks, a chief's queue of
    tokens."""
    with tf.device(tf.train.replica_device_setter(ps_tasks=0, worker_device="/job:localhost/task:0")):
        x, y, feeds = regression()
        step = tf.train.get_or_create_global_step()
        loss = named_loss(tf.losses.huber_loss(y, dense(x, 1, "out")))
        optimizer = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.1), 1, 1)
        grads = optimizer.compute_gradients(loss)
        optimizer.apply_gradients(grads, step)
        tf.train.GradientDescentOptimizer(0.1).apply_gradients(grads, name="train_op")
        optimizer.get_init_tokens_op()
    tf.train.Saver()
    return feeds, ["loss:0"]


GRAPHS = [
    saver_v2, saver_v1, partitioned, queue_runners, tables, dropout_batch_norm, lstm, estimator, averages, sparse, images,
    py_func, data_set, colocation, while_v1, while_v2, sampled, strategy,
]  # fmt: skip
STEPS = 4


def value(array):
    array = np.asarray(array)
    return {"dtype": array.dtype.name if array.dtype.kind not in "OSU" else "string", "value": array.tolist()}


def record(build, folder):
    global random
    random = np.random.RandomState(7)
    tf.reset_default_graph()
    (tf.enable_control_flow_v2 if build is while_v2 else tf.disable_control_flow_v2)()
    with tf.Graph().as_default() as graph:
        tf.set_random_seed(1)
        feeds, fetches = build()
        tf.group(tf.global_variables_initializer(), tf.local_variables_initializer(), tf.tables_initializer(), name="init_all")
        meta = tf.train.export_meta_graph()
        with tf.Session() as session:
            session.run("init_all")
            coordinator = tf.train.Coordinator()
            threads = tf.train.start_queue_runners(session, coordinator)
            steps = []
            for _ in range(STEPS):
                found = session.run([*fetches, graph.get_operation_by_name("train_op")], feeds)
                steps.append([value(v) for v in found[:-1]])
            coordinator.request_stop()
        path = os.path.join(folder, build.__name__ + ".meta.gz")
        with gzip.GzipFile(path, "wb", mtime=0) as file:
            file.write(meta.SerializeToString(deterministic=True))
    return {
        "name": build.__name__,
        "feeds": {k: value(v) for k, v in feeds.items()},
        "fetches": fetches,
        "runners": bool(threads),
        "steps": steps,
    }


def main(folder):
    rows = [record(build, folder) for build in GRAPHS]
    with open(os.path.join(folder, "expected.json"), "w") as file:
        file.write("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n")


if __name__ == "__main__":
    main(sys.argv[1])

"""Writes graphs.jsonl.gz: graphs built by TensorFlow's own training code, and the same with a planted race.

    python tests/lint/graphs.py        # needs tensorflow 2.21

A line is {"name", "graph" (GraphDef as JSON), "targets", "fetches" (empty: no run is given), "race" (the two nodes, or null)}.
A race is planted by removing the control inputs of a node, or by adding an unordered read.
"""

import gzip
import json
import pathlib

import tensorflow as tf
from google.protobuf import json_format

v1 = tf.compat.v1
v1.disable_v2_behavior()
OUT = pathlib.Path(__file__).with_name("graphs.jsonl.gz")
lines = []


def keep(name, graph, race=None, fetches=(), targets=(), without_controls=None, of=None):
    definition = graph.as_graph_def()
    if without_controls:
        (node,) = [n for n in definition.node if n.name == without_controls]
        inputs = [i for i in node.input if not i.startswith("^") or (of and i != "^" + of)]
        assert len(inputs) < len(node.input), f"{name}: {without_controls} has no control inputs"
        del node.input[:]
        node.input.extend(inputs)
    document = json_format.MessageToDict(definition)
    lines.append(
        {"name": name, "graph": document, "fetches": list(fetches), "targets": list(targets), "race": race}
    )


def dense(x, units, name, activation=None):
    w = v1.get_variable(f"{name}/w", [x.shape[-1], units], initializer=v1.truncated_normal_initializer(stddev=0.1, seed=1))
    b = v1.get_variable(f"{name}/b", [units], initializer=v1.zeros_initializer())
    y = tf.matmul(x, w) + b
    return activation(y) if activation else y


def model():
    x = v1.placeholder(tf.float32, [None, 8], "x")
    y = v1.placeholder(tf.int64, [None], "y")
    h = dense(x, 16, "first", tf.nn.relu)
    h = dense(h, 16, "second", tf.tanh)
    logits = dense(h, 4, "third")
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits), name="loss")
    return x, y, logits, loss


OPTIMIZERS = {
    "descent": lambda: v1.train.GradientDescentOptimizer(0.1),
    "momentum": lambda: v1.train.MomentumOptimizer(0.1, 0.9, use_nesterov=True),
    "adam": lambda: v1.train.AdamOptimizer(0.01),
    "rmsprop": lambda: v1.train.RMSPropOptimizer(0.01, centered=True),
    "adagrad": lambda: v1.train.AdagradOptimizer(0.1),
    "adadelta": lambda: v1.train.AdadeltaOptimizer(),
    "ftrl": lambda: v1.train.FtrlOptimizer(0.1),
    "proximal": lambda: v1.train.ProximalAdagradOptimizer(0.1, l1_regularization_strength=0.01),
}

for resource in (False, True):
    kind = "resource" if resource else "reference"
    for name, optimizer in OPTIMIZERS.items():
        with tf.Graph().as_default() as graph, v1.variable_scope("", use_resource=resource):
            _, _, _, loss = model()
            step = v1.train.get_or_create_global_step()
            optimizer().minimize(loss, global_step=step, name="train_op")
            v1.global_variables_initializer()
            v1.train.Saver()
            keep(f"{name}_{kind}", graph)

    # A decaying learning rate, clipped gradients, moving averages after the step.
    with tf.Graph().as_default() as graph, v1.variable_scope("", use_resource=resource):
        _, _, _, loss = model()
        step = v1.train.get_or_create_global_step()
        rate = v1.train.exponential_decay(0.1, step, 100, 0.9)
        optimizer = v1.train.MomentumOptimizer(rate, 0.9)
        gradients, variables = zip(*optimizer.compute_gradients(loss))
        gradients, _ = tf.clip_by_global_norm(gradients, 1.0)
        apply = optimizer.apply_gradients(zip(gradients, variables), global_step=step)
        averages = v1.train.ExponentialMovingAverage(0.99, step)
        with tf.control_dependencies([apply]):
            averages.apply(v1.trainable_variables())
        v1.global_variables_initializer()
        keep(f"averages_{kind}", graph)

    # Batch normalization by the old layers, with its updates before the step.
    with tf.Graph().as_default() as graph, v1.variable_scope("", use_resource=resource):
        x = v1.placeholder(tf.float32, [None, 8, 8, 3], "x")
        w = v1.get_variable("w", [3, 3, 3, 4], initializer=v1.truncated_normal_initializer(seed=2))
        h = tf.nn.conv2d(x, w, 1, "SAME")
        scale, shift = v1.get_variable("scale", [4]), v1.get_variable("shift", [4])
        mean = v1.get_variable("mean", [4], trainable=False)
        variance = v1.get_variable("variance", [4], trainable=False)
        h, m, v = v1.nn.fused_batch_norm(h, scale, shift, is_training=True)
        updates = [v1.assign_sub(mean, 0.1 * (mean - m)), v1.assign_sub(variance, 0.1 * (variance - v))]
        loss = tf.reduce_mean(tf.square(tf.nn.relu(h)), name="loss")
        with tf.control_dependencies(updates):
            v1.train.GradientDescentOptimizer(0.1).minimize(loss, name="train_op")
        keep(f"normalization_{kind}", graph)

    # A conditional that changes in one branch what it reads in the other.
    with tf.Graph().as_default() as graph, v1.variable_scope("", use_resource=resource):
        v = v1.get_variable("v", [], initializer=v1.zeros_initializer())
        p = v1.placeholder(tf.bool, [], "p")

        def change():
            with tf.control_dependencies([v1.assign_add(v, 1.0)]):
                return tf.constant(1.0)

        out = tf.cond(p, change, lambda: v.read_value() if resource else tf.identity(v) + 0.0)
        tf.identity(out, "out")
        keep(f"conditional_{kind}", graph)

    # A loop that counts in a variable.
    with tf.Graph().as_default() as graph, v1.variable_scope("", use_resource=resource):
        v = v1.get_variable("v", [], initializer=v1.zeros_initializer())

        def body(i):
            with tf.control_dependencies([v1.assign_add(v, 1.0)]):
                return i + 1

        done = v1.while_loop(lambda i: i < 10, body, [tf.constant(0)], parallel_iterations=1)
        with tf.control_dependencies([done]):
            tf.identity(v.read_value() if resource else v + 0.0, "count")
        keep(f"loop_{kind}", graph)

    # Planted: a read concurrent with an update.
    with tf.Graph().as_default() as graph, v1.variable_scope("", use_resource=resource):
        v = v1.get_variable("v", [3], initializer=v1.zeros_initializer())
        read = v.read_value() if resource else tf.add(v, 0.0)
        update = v1.assign_add(v, tf.ones([3]), name="update")
        change = "update" if not resource else [op.name for op in graph.get_operations() if op.type == "AssignAddVariableOp"][0]
        total = tf.reduce_sum(read) + tf.reduce_sum(update if not resource else v1.placeholder_with_default(0.0, []))
        with tf.control_dependencies([graph.get_operation_by_name(change)]):
            tf.identity(total, "y")
        source = read.op.inputs[0].op.name if resource and read.op.type == "Identity" else read.op.name
        keep(f"read_beside_update_{kind}", graph, race=[source, change])

    # Planted: two assignments of one value.
    with tf.Graph().as_default() as graph, v1.variable_scope("", use_resource=resource):
        v = v1.get_variable("v", [], initializer=v1.zeros_initializer())
        v1.assign(v, 1.0, name="one")
        v1.assign(v, 2.0, name="two")
        kinds = ("Assign", "AssignVariableOp")
        both = [op for op in graph.get_operations() if op.type in kinds and "Initializer" not in op.name and op.name != "v/Assign"]
        tf.group(*both, name="both")
        keep(f"two_assignments_{kind}", graph, race=[op.name for op in both])

    # Planted: the loss with a penalty is fetched with the step; the penalty reads what the step changes.
    with tf.Graph().as_default() as graph, v1.variable_scope("", use_resource=resource):
        _, _, _, loss = model()
        w = [v for v in v1.trainable_variables() if v.name == "second/w:0"][0]
        penalty = tf.nn.l2_loss(w, name="penalty")
        total = tf.add(loss, penalty, name="total")
        v1.train.GradientDescentOptimizer(0.1).minimize(loss, name="train_op")
        reader = penalty.op.inputs[0].op.name if resource else "penalty"
        change = [op.name for op in graph.get_operations() if op.type in ("ApplyGradientDescent", "ResourceApplyGradientDescent") and "second/w" in op.name][0]
        keep(f"penalty_beside_step_{kind}", graph, race=[reader, change], fetches=["total"], targets=["train_op"])
        keep(f"penalty_alone_{kind}", graph, fetches=["total"])

    # Planted: the moving average no longer waits for the step.
    with tf.Graph().as_default() as graph, v1.variable_scope("", use_resource=resource):
        v = v1.get_variable("v", [4], initializer=v1.ones_initializer())
        loss = tf.reduce_sum(tf.square(v))
        apply = v1.train.GradientDescentOptimizer(0.1).minimize(loss)
        two = tf.constant(2.0)
        with tf.control_dependencies([apply]):
            seen = v.read_value() if resource else tf.multiply(v, two, name="seen")
        node = seen.op.inputs[0].op.name if resource and seen.op.type == "Identity" else seen.op.name
        with tf.control_dependencies([apply]):
            tf.identity(seen, "out")
        change = [op.name for op in graph.get_operations() if "GradientDescent" in op.type][0]
        keep(f"average_before_step_{kind}", graph, race=[node, change], without_controls=node)
        keep(f"average_after_step_{kind}", graph)

    # Planted: an update of statistics that another update reads.
    with tf.Graph().as_default() as graph, v1.variable_scope("", use_resource=resource):
        a = v1.get_variable("a", [], initializer=v1.zeros_initializer())
        b = v1.get_variable("b", [], initializer=v1.zeros_initializer())
        read = a.read_value() if resource else a + 0.0
        first = v1.assign(b, read, name="copy")
        second = v1.assign_add(a, 1.0, name="count")
        changes = [op.name for op in graph.get_operations() if op.type in ("AssignAdd", "AssignAddVariableOp")]
        copies = [op for op in graph.get_operations() if op.type in ("Assign", "AssignVariableOp") and op.name.startswith("copy")] or [first.op]
        tf.group(copies[0], graph.get_operation_by_name(changes[0]), name="step")
        reader = read.op.inputs[0].op.name if resource and read.op.type == "Identity" else read.op.name
        keep(f"copy_beside_count_{kind}", graph, race=[reader, changes[0]])

# Queues as in training programs, and their faults.
with tf.Graph().as_default() as graph:
    queue = v1.FIFOQueue(10, [tf.float32], [[]], name="q")
    enqueue = queue.enqueue(1.0, name="enqueue")
    v1.train.add_queue_runner(v1.train.QueueRunner(queue, [enqueue] * 2))
    tf.reduce_sum(queue.dequeue_many(4), name="batch")
    keep("queue", graph)
with tf.Graph().as_default() as graph:
    x = v1.placeholder(tf.float32, [8], "x")
    y = v1.train.shuffle_batch([x], 4, 100, 10)
    tf.identity(y, "batch")
    keep("shuffle_batch", graph)
with tf.Graph().as_default() as graph:
    queue = v1.FIFOQueue(10, [tf.float32], [[]], name="q")
    a, b = queue.enqueue(1.0, name="a"), queue.enqueue(2.0, name="b")
    with tf.control_dependencies([a, b]):
        tf.identity(queue.dequeue(), "first")
    keep("two_enqueues", graph, race=["a", "b"])
with tf.Graph().as_default() as graph:
    queue = v1.FIFOQueue(10, [tf.float32], [[]], name="q")
    a = queue.enqueue(1.0, name="a")
    with tf.control_dependencies([a]):
        b = queue.enqueue(2.0, name="b")
    with tf.control_dependencies([b]):
        tf.identity(queue.dequeue(), "first")
    keep("enqueues_in_order", graph)
with tf.Graph().as_default() as graph:
    queue = v1.FIFOQueue(10, [tf.float32], [[]], name="q")
    a, close = queue.enqueue(1.0, name="a"), queue.close(name="close")
    tf.group(a, close, name="both")
    keep("close_beside_enqueue", graph, race=["a", "close"])

# A function with automatic control dependencies, and one without its ordering.
with tf.Graph().as_default() as graph:
    v = v1.get_variable("v", [], initializer=v1.zeros_initializer(), use_resource=True)

    @tf.function(autograph=False)
    def f():
        v.assign_add(1.0)
        return v.read_value()

    a = f()
    with tf.control_dependencies([a]):
        b = f()
    tf.add(a, b, name="y")
    keep("calls_in_order", graph)
with tf.Graph().as_default() as graph:
    v = v1.get_variable("v", [], initializer=v1.zeros_initializer(), use_resource=True)

    @tf.function(autograph=False)
    def g():
        v.assign_add(1.0)
        return v.read_value()

    a, b = g(), g()
    tf.add(a, b, name="y")
    calls = [op.name for op in graph.get_operations() if op.type == "StatefulPartitionedCall"]
    keep("calls_in_no_order", graph, race=calls)
# Random numbers from one generator.
with tf.Graph().as_default() as graph:
    generator = v1.get_variable("state", [3], tf.int64, initializer=v1.zeros_initializer(), use_resource=True)
    draw = lambda name: tf.raw_ops.StatefulStandardNormalV2(resource=generator.handle, algorithm=tf.constant(1, tf.int64), shape=tf.constant([2]), name=name)
    tf.add(draw("first"), draw("second"), name="y")
    keep("one_generator", graph, race=["first", "second"])
# Static loops and recurrent layers.
with tf.Graph().as_default() as graph:
    x = v1.placeholder(tf.float32, [4, 5, 3], "x")
    w = v1.get_variable("w", [8, 5], initializer=v1.truncated_normal_initializer(seed=3))

    def cell(state, inputs):
        return tf.tanh(tf.matmul(tf.concat([state, inputs], 1), w))

    states = tf.scan(cell, tf.transpose(x, [1, 0, 2]), tf.zeros([4, 5]))
    loss = tf.reduce_mean(tf.square(states))
    v1.train.AdamOptimizer(0.01).minimize(loss, name="train_op")
    v1.global_variables_initializer()
    keep("recurrent", graph)

with gzip.GzipFile(OUT, "wb", mtime=0) as file:
    for line in lines:
        file.write((json.dumps(line, sort_keys=True, separators=(",", ":")) + "\n").encode())
print(len(lines), "graphs,", sum(bool(line["race"]) for line in lines), "with a race")

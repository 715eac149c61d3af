#!/usr/bin/env python3
"""Writes the graphs of the recursive network, its trees and what TensorFlow answers.

    pip install tensorflow-cpu
    python graphs/tree/make.py

Everything is seeded and TensorFlow runs one op at a time on one thread. README.md describes the files.
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
from tensorflow.python.framework.graph_to_function_def import graph_to_function_def
from writing import plain, write_graph, write_json

v1 = tf.compat.v1
ops = tf.raw_ops
v1.disable_eager_execution()
v1.logging.set_verbosity(v1.logging.ERROR)

HERE = Path(__file__).parent
SEED = 1847
WIDTH = 16
TRAIN, TEST = 512, 200
BATCH = 16
STEPS = int(os.environ.get("STEPS", 400))
RECORDED = 100
LEARNING_RATE = 0.01
TOKENS = ["false", "true", "and", "or"]

# Arguments of the recursive functions: where to start, the tree, the weights.
TREE = {"node": tf.int32, "left": tf.int32, "right": tf.int32, "token": tf.int32}
NET = {"weights": tf.float32, "biases": tf.float32, "words": tf.float32}
HEAD = {"head": tf.float32, "head_bias": tf.float32}
RECURSIVE = TREE | NET
SHAPES = {
    "node": [], "weights": [2 * WIDTH, WIDTH], "biases": [WIDTH], "words": [len(TOKENS), WIDTH], "head": [WIDTH],
    "head_bias": [], "value": [WIDTH], "d_value": [WIDTH], "i": [],
}


def main():
    forest = plant()
    train = training_graph(forest, initial_weights())
    losses, accuracy, trained = run_training(train)
    infer = inference_graph(trained)
    write_graph(HERE / "train.json", train)
    write_graph(HERE / "infer.json", infer)
    write_json(HERE / "train_losses.json", {"losses": plain(losses[:RECORDED]), "test_accuracy": plain(accuracy)})

    formulas = [
        True, [True, "and", False], [False, "or", True], [[True, "and", True], "and", [False, "or", True]],
        [[[False, "or", False], "or", [True, "and", True]], "and", False],
    ]
    rows = [{"formula": text(f), **arrays(f)} for f in formulas]
    with session(infer) as s:
        for row in rows:
            fetched = s.run(["value:0", "probability:0"], {f"{n}:0": row[n] for n in ("left", "right", "token")})
            row["value"], row["probability"] = map(plain, fetched)
            print(row["probability"], row["formula"])
    write_json(HERE / "expected.json", {"trees": rows})
    print(f"loss {losses[0]:.4f} -> {losses[-1]:.4f}, accuracy on new formulas {accuracy:.4f}")


# Formulas and trees. A formula is True, False or [formula, "and" or "or", formula].

def formula(random, operands):
    if operands == 1:
        return bool(random.randint(2))
    left = random.randint(1, operands)
    return [formula(random, left), ["and", "or"][random.randint(2)], formula(random, operands - left)]


def holds(f):
    if isinstance(f, bool):
        return f
    left, right = holds(f[0]), holds(f[2])
    return left and right if f[1] == "and" else left or right


def text(f):
    return str(f).lower() if isinstance(f, bool) else f"({text(f[0])} {f[1]} {text(f[2])})"


def arrays(*formulas):
    """Trees in arrays: the children of each node, -1 at leaves, and the words of leaves, -1 elsewhere. The root of a tree comes
    after all its other nodes. `a op b` is a tree of `(a op)` and `b`."""
    left, right, token = [], [], []

    def add(*node):
        for array, value in zip((left, right, token), node):
            array.append(value)
        return len(left) - 1

    def leaf(word):
        return add(-1, -1, TOKENS.index(word))

    def grow(f):
        if isinstance(f, bool):
            return leaf(text(f))
        first = grow(f[0])
        partial = add(first, leaf(f[1]), -1)
        return add(partial, grow(f[2]), -1)

    roots = [grow(f) for f in formulas]
    return {"left": left, "right": right, "token": token} | ({"root": roots} if len(roots) > 1 else {})


def plant():
    """Formulas to train with have up to 8 operands, those to test with up to 16."""
    random = np.random.RandomState(SEED)
    formulas = [formula(random, random.randint(2, 9)) for _ in range(TRAIN)]
    formulas += [formula(random, random.randint(2, 17)) for _ in range(TEST)]
    return arrays(*formulas), [float(holds(f)) for f in formulas]


# The functions. They stand in the library of the graph, where one may call the other by its name.

def function(name, arguments, results, build):
    """A function of tensors; `build` takes them by name and returns the results."""
    graph = tf.Graph()
    with graph.as_default():
        inputs = [v1.placeholder(dtype, SHAPES.get(n, [None]), name=n) for n, dtype in arguments.items()]
        outputs = [tf.identity(r, name=f"result_{n}") for n, r in zip(results, build(**dict(zip(arguments, inputs))))]
    inner = [op for op in graph.get_operations() if op.type != "Placeholder"]
    definition = graph_to_function_def(graph, inner, inputs, outputs, out_names=list(results))
    definition.signature.name = name
    for node in definition.node_def:
        if node.op == "PartitionedCall":
            by_name(node, definition.node_def)
    return definition


def by_name(call, nodes):
    """Makes a PartitionedCall a node whose op is the function: TensorFlow crashes where a PartitionedCall leads to itself."""
    call.op = call.attr["f"].func.name
    call.attr.clear()
    results = [f"d_{n}" for n in RECURSIVE] if call.op == "TreeGradient" else ["value"]
    for node in nodes:
        for i, name in enumerate(node.input):
            if name.startswith(f"{call.name}:output:"):
                node.input[i] = f"{call.name}:{results[int(name.rsplit(':')[-1])]}:0"


def call(name, results, *arguments):
    return ops.PartitionedCall(args=arguments, Tout=[tf.float32] * results, f=name)


def library():
    def value(node, left, **rest):
        is_leaf = tf.gather(left, node) < 0
        arguments = [node, left, *rest.values()]
        return ops.StatelessIf(
            cond=is_leaf, input=arguments, Tout=[tf.float32], then_branch="LeafValue", else_branch="InnerValue")

    def leaf_value(node, token, words, **_):
        return [tf.gather(words, tf.gather(token, node))]

    def inner_value(node, left, right, token, weights, biases, words):
        net = (left, right, token, weights, biases, words)
        values = [call("TreeValue", 1, tf.gather(side, node), *net)[0] for side in (left, right)]
        both = tf.expand_dims(tf.concat(values, 0), 0)
        return [tf.squeeze(tf.tanh(tf.matmul(both, weights) + biases), [0])]

    d_net = {f"d_{n}": t for n, t in NET.items()}
    d_all = {f"d_{n}": t for n, t in RECURSIVE.items()}

    def gradient(d_value, **arguments):
        left, node = arguments["left"], arguments["node"]
        grads = ops.StatelessIf(
            cond=tf.gather(left, node) < 0, input=[*arguments.values(), d_value], Tout=[tf.float32] * 3,
            then_branch="LeafGradient", else_branch="InnerGradient")
        return [tf.zeros_like(arguments[n]) for n in TREE] + grads

    def leaf_gradient(node, token, weights, biases, words, d_value, **_):
        at = tf.reshape(tf.gather(token, node), [1, 1])
        d_words = tf.scatter_nd(at, tf.expand_dims(d_value, 0), tf.shape(words))
        return [tf.zeros_like(weights), tf.zeros_like(biases), d_words]

    def inner_gradient(node, left, right, token, weights, biases, words, d_value):
        net = (left, right, token, weights, biases, words)
        first, second = tf.gather(left, node), tf.gather(right, node)
        a, b = call("TreeValue", 1, first, *net)[0], call("TreeValue", 1, second, *net)[0]
        both = tf.expand_dims(tf.concat([a, b], 0), 0)
        result = tf.tanh(tf.matmul(both, weights) + biases)
        d_sum = tf.expand_dims(d_value, 0) * (1 - result * result)
        d_both = tf.squeeze(tf.matmul(d_sum, weights, transpose_b=True), [0])
        d_a, d_b = tf.split(d_both, 2)
        below = zip(gradient_call(first, *net, d_a), gradient_call(second, *net, d_b))
        here = [tf.matmul(both, d_sum, transpose_a=True), tf.squeeze(d_sum, [0]), tf.zeros_like(words)]
        return [tf.add_n([h, x, y]) for h, (x, y) in zip(here, below)]

    trees = {n: t for n, t in TREE.items() if n != "node"}
    given = {"batch": tf.int32, "root": tf.int32, "label": tf.float32} | trees | NET | HEAD

    def logit_of(i, batch, root, left, right, token, weights, biases, words, head, head_bias, **_):
        node = tf.gather(root, tf.gather(batch, i))
        arguments = (node, left, right, token, weights, biases, words)
        result = call("TreeValue", 1, *arguments)[0]
        return arguments, result, tf.reduce_sum(head * result) + head_bias

    def learn(**a):
        arguments, result, logit = logit_of(**a)
        label = tf.gather(a["label"], tf.gather(a["batch"], a["i"]))
        # The cross entropy, and what it is by the logit.
        loss = tf.nn.softplus(logit) - label * logit
        d_logit = tf.sigmoid(logit) - label
        grads = tree_gradient(*arguments, d_logit * a["head"]) + [d_logit * result, d_logit]
        sums = [a["sum_loss"] + loss] + [a[f"sum_{n}"] + g for n, g in zip(NET | HEAD, grads)]
        return [a[n] for n in given] + sums

    def test(**a):
        _, _, logit = logit_of(**a)
        at = tf.reshape(a["i"], [1, 1])
        return [a[n] for n in given] + [tf.tensor_scatter_nd_update(a["logits"], at, tf.reshape(logit, [1]))]

    sums = {"sum_loss": tf.float32} | {f"sum_{n}": tf.float32 for n in NET | HEAD}
    SHAPES.update({"sum_loss": []} | {f"sum_{n}": SHAPES[n] for n in NET | HEAD})
    i = {"i": tf.int32}
    functions = [
        function("TreeValue", RECURSIVE, ["value"], value),
        function("LeafValue", RECURSIVE, ["value"], leaf_value),
        function("InnerValue", RECURSIVE, ["value"], inner_value),
        function("TreeGradient", RECURSIVE | {"d_value": tf.float32}, d_all, gradient),
        function("LeafGradient", RECURSIVE | {"d_value": tf.float32}, d_net, leaf_gradient),
        function("InnerGradient", RECURSIVE | {"d_value": tf.float32}, d_net, inner_gradient),
        function("LearnTree", i | given | sums, list(given | sums), learn),
        function("TestTree", i | given | {"logits": tf.float32}, [*given, "logits"], test),
    ]
    return functions


def tree_gradient(*arguments):
    """What the value of a tree is by the weights; the library says which function computes it."""
    types = list(RECURSIVE.values())
    return ops.SymbolicGradient(input=arguments, Tout=types, f="TreeValue")[len(TREE):]


def gradient_call(*arguments):
    return ops.PartitionedCall(args=arguments, Tout=list(RECURSIVE.values()), f="TreeGradient")[len(TREE):]


def initial_weights():
    random = np.random.RandomState(SEED)

    def uniform(*shape):
        limit = np.sqrt(6 / sum(shape))
        return random.uniform(-limit, limit, shape).astype(np.float32)

    return {
        "weights": uniform(2 * WIDTH, WIDTH), "biases": np.zeros(WIDTH, np.float32),
        "words": uniform(len(TOKENS), WIDTH), "head": uniform(WIDTH), "head_bias": np.float32(0),
    }


def training_graph(forest, initial):
    trees, labels = forest
    graph = tf.Graph()
    with graph.as_default():
        variables = {n: v1.get_variable(n, initializer=x, use_resource=True) for n, x in initial.items()}
        weights = {n: ops.ReadVariableOp(resource=v.handle, dtype=tf.float32, name=f"{n}/value")
                   for n, v in variables.items()}
        step = v1.train.get_or_create_global_step()

        next_trees = tf.cast(step.read_value(), tf.int32) * BATCH + tf.range(BATCH)
        batch = ops.PlaceholderWithDefault(input=next_trees % TRAIN, shape=[None], name="batch")
        order = ("root", "label", "left", "right", "token")
        data = trees | {"label": np.float32(labels)}
        constants = [tf.constant(data[n], tf.float32 if n == "label" else tf.int32, name=n) for n in order]

        def over(batch, body, loop_variables):
            given = [batch, *constants, *weights.values()]
            results = ops.For(start=0, limit=tf.size(batch), delta=1, input=[*given, *loop_variables], body=body)
            return results[len(given):]

        size = tf.cast(tf.size(batch), tf.float32)
        sums = over(batch, "LearnTree", [0.0] + [tf.zeros_like(w) for w in weights.values()])
        means = [x / size for x in sums]
        tf.identity(tf.reshape(means[0], []), name="loss")
        gradients = [tf.reshape(g, w.shape) for g, w in zip(means[1:], variables.values())]
        adam = v1.train.AdamOptimizer(LEARNING_RATE)
        adam.apply_gradients(zip(gradients, variables.values()), global_step=step, name="train_op")

        test = tf.range(TRAIN, TRAIN + TEST, name="test")
        logits = over(test, "TestTree", [tf.zeros([TEST])])[0]
        right = tf.equal(logits > 0, tf.gather(constants[1], test) > 0.5)
        tf.reduce_mean(tf.cast(right, tf.float32), name="test_accuracy")
        v1.global_variables_initializer()
    return with_library(graph, ["init", "train_op", "loss", "test_accuracy"])


def inference_graph(values):
    graph = tf.Graph()
    with graph.as_default():
        tree = [v1.placeholder(tf.int32, [None], name=n) for n in ("left", "right", "token")]
        weights = {n: tf.constant(x, name=n) for n, x in values.items()}
        root = tf.size(tree[0], name="root/size") - 1
        value = call("TreeValue", 1, root, *tree, *(weights[n] for n in NET))
        value = tf.reshape(value[0], [WIDTH], name="value")
        logit = tf.reduce_sum(weights["head"] * value) + weights["head_bias"]
        tf.sigmoid(logit, name="probability")
    return with_library(graph, ["probability"], ["TreeValue", "LeafValue", "InnerValue"])


def with_library(graph, nodes, names=None):
    part = v1.graph_util.extract_sub_graph(graph.as_graph_def(), nodes)
    part.ClearField("library")
    part.library.function.extend(f for f in library() if names is None or f.signature.name in names)
    if names is None:
        part.library.gradient.add(function_name="TreeValue", gradient_func="TreeGradient")
    return part


def session(graph_def):
    graph_def = copy.deepcopy(graph_def)  # import_graph_def adds default attrs to what it is given
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(graph_def, name="")
    one_thread = v1.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
    # TensorFlow's rewrites do not end on functions that call themselves.
    one_thread.graph_options.rewrite_options.disable_meta_optimizer = True
    return v1.Session(graph=graph, config=one_thread)


def run_training(graph_def):
    with session(graph_def) as s:
        s.run("init")
        losses = np.array([s.run(["loss:0", "train_op"])[0] for _ in range(STEPS)])
        names = [*NET, *HEAD]
        return losses, s.run("test_accuracy:0"), s.run({n: f"{n}/value:0" for n in names})


if __name__ == "__main__":
    main()

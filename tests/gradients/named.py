"""Records the gradients of nodes that request them by name, in named.json: python named.py, with tensorflow."""

import json
import os

os.environ["CUDA_VISIBLE_DEVICES"] = ""

import numpy as np
import tensorflow as tf
from google.protobuf import json_format

tf1 = tf.compat.v1
HERE = os.path.dirname(os.path.abspath(__file__))
X = np.array([0.5, -1.25, 2.0], np.float32)


@tf.RegisterGradient("Triple")
def triple(op, dy):
    return dy * 3.0


@tf.RegisterGradient("TimesInput")
def times_input(op, dy):
    return dy * op.inputs[0]


def function(name, body, arguments):
    concrete = tf.function(body, input_signature=[tf.TensorSpec(None, tf.float32)] * arguments).get_concrete_function()
    definition = concrete.function_def
    definition.signature.name = name
    return definition


def record(op_type):
    with tf.Graph().as_default() as graph:
        x = tf1.placeholder(tf.float32, [3], name="x")
        with graph.gradient_override_map({"Identity": op_type}):
            y = tf.identity(x * x, name="named")
        z = tf.exp(y, name="z")
        (gradient,) = tf1.gradients(z, x)
        definition = graph.as_graph_def()
        with tf1.Session() as session:
            expected = session.run(gradient, {x: X})
    kept = tf1.graph_util.extract_sub_graph(definition, ["z"])
    registered = {
        "Triple": ("triple_gradient", lambda dy: dy * 3.0, 1),
        "TimesInput": ("times_input_gradient", lambda x, dy: dy * x, 2),
    }
    if op_type in registered:
        name, body, arguments = registered[op_type]
        kept.library.function.append(function(name, body, arguments))
        kept.library.registered_gradients.add(gradient_func=name, registered_op_type=op_type)
    return {
        "graph": json_format.MessageToDict(kept), "x": json_format.MessageToDict(tf.make_tensor_proto(X)),
        "gradient": json_format.MessageToDict(tf.make_tensor_proto(expected)),
    }


with open(os.path.join(HERE, "named.json"), "w") as file:
    json.dump({op_type: record(op_type) for op_type in ["Triple", "TimesInput", "Neg"]}, file, indent=1, sort_keys=True)
    file.write("\n")

"""Writes model.meta: a graph with one of each thing that `levada inspect` lists, as TensorFlow exports it.

    pip install tensorflow-cpu
    python make_model.py
"""

import os

import tensorflow as tf

tf1 = tf.compat.v1
HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    graph = tf1.Graph()
    with graph.as_default(), tf1.device("/cpu:0"):
        tf1.disable_resource_variables()
        examples = tf1.FIFOQueue(32, [tf.float32, tf.int32], shapes=[[4], []], name="examples")
        fill = examples.enqueue([tf.zeros([4]), tf.constant(1)], name="fill")
        tf1.train.add_queue_runner(tf1.train.QueueRunner(examples, [fill] * 2))
        x = tf1.placeholder(tf.float32, [None, 4], name="x")
        w = tf1.get_variable("w", [4, 3], initializer=tf1.zeros_initializer())
        b = tf1.get_variable("b", [3], initializer=tf1.zeros_initializer(), use_resource=True)
        steps = tf1.get_variable("steps", [], dtype=tf.int64, initializer=tf1.zeros_initializer(), trainable=False)
        logits = tf1.nn.bias_add(tf1.matmul(x, w), b, name="logits")
        words = tf.lookup.StaticHashTable(
            tf.lookup.KeyValueTensorInitializer(tf.constant(["a", "b"]), tf.constant([0, 1], tf.int64)), -1, name="words")
        tf.identity(words.lookup(tf1.placeholder(tf.string, [], name="word")), name="number")
        tf1.assign_add(steps, 1, name="step")

        @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32)])
        def twice(y):
            return y + y

        tf.identity(twice(logits), name="doubled")
        tf1.global_variables_initializer()
        tf1.add_to_collection("losses", logits)
        saver = tf1.train.Saver()
        signature = tf1.saved_model.predict_signature_def({"rows": x}, {"scores": logits})
        meta = tf1.train.export_meta_graph(graph=graph, saver_def=saver.as_saver_def(), strip_default_attrs=True)
        meta.signature_def["serving_default"].CopyFrom(signature)
        meta.meta_info_def.Clear()
        # Only the file's saver section matters: the save ops are not part of the test.
        kept = [node for node in meta.graph_def.node if not node.name.startswith("save/")]
        del meta.graph_def.node[:]
        meta.graph_def.node.extend(kept)
        for function in meta.graph_def.library.function:
            print("function", function.signature.name)
        with open(os.path.join(HERE, "model.meta"), "wb") as file:
            file.write(meta.SerializeToString(deterministic=True))


if __name__ == "__main__":
    main()

"""Makes the SavedModels of this directory, and records TensorFlow's results in expected.json.

    python make.py            # with tensorflow and tf_keras

Each model is a directory; saved_model.pb is compressed with gzip, since most of it is repetitive text.
"""

import gzip
import json
import os
import shutil
import sys
import tempfile

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["CUDA_VISIBLE_DEVICES"] = ""

import numpy as np
import tensorflow as tf
import tf_keras
from google.protobuf import json_format

HERE = os.path.dirname(os.path.abspath(__file__))
tf1 = tf.compat.v1
RNG = np.random.default_rng(7)
CASES = []


def proto(array):
    return json_format.MessageToDict(tf.make_tensor_proto(array))


def text_file(name, lines):
    path = os.path.join(tempfile.mkdtemp(), name)
    with open(path, "w") as file:
        file.write("\n".join(lines) + "\n")
    return path


def case(model, signature, feeds, outputs, tags=None):
    CASES.append({
        "model": model,
        "tags": tags,
        "signature": signature,
        "feeds": {name: proto(value) for name, value in feeds.items()},
        "outputs": {name: proto(value) for name, value in outputs.items()},
    })


def serve(name, directory, feeds, tags=("serve",)):
    """Records every signature of a model in a session of version 1."""
    with tf1.Session(graph=tf.Graph()) as session:
        meta = tf1.saved_model.load(session, list(tags), directory)
        for signature, definition in meta.signature_def.items():
            if signature.startswith("__saved_model"):
                continue
            given = {}
            for key, info in definition.inputs.items():
                if info.WhichOneof("encoding") == "coo_sparse":
                    sparse = info.coo_sparse
                    given[f"{key}.indices"] = (sparse.indices_tensor_name, feeds[f"{key}.indices"])
                    given[f"{key}.values"] = (sparse.values_tensor_name, feeds[f"{key}.values"])
                    given[f"{key}.dense_shape"] = (sparse.dense_shape_tensor_name, feeds[f"{key}.dense_shape"])
                else:
                    given[key] = (info.name, feeds[key])
            fetches = {key: info.name for key, info in definition.outputs.items()}
            values = session.run(fetches, {endpoint: value for endpoint, value in given.values()})
            case(name, signature, {key: value for key, (_, value) in given.items()}, values, list(tags))


def new(name):
    directory = os.path.join(HERE, name)
    shutil.rmtree(directory, ignore_errors=True)
    return directory


X = RNG.normal(size=(3, 4)).astype(np.float32)
WORDS = np.array([b"cat", b"fish", b"dog", b""])


def tf1_simple():
    directory = new("tf1_simple")
    with tf1.Session(graph=tf.Graph()) as session:
        x = tf1.placeholder(tf.float32, [None, 4], name="x")
        w = tf1.get_variable("w", [4, 2], use_resource=False)
        b = tf1.get_variable("b", [2], use_resource=True, initializer=tf1.ones_initializer())
        y = tf.nn.relu(tf.matmul(x, w) + b, name="y")
        session.run(tf1.global_variables_initializer())
        tf1.saved_model.simple_save(session, directory, {"x": x}, {"y": y})
    serve("tf1_simple", directory, {"x": X})


def tf1_tables():
    directory = new("tf1_tables")
    vocabulary = text_file("animals.txt", ["cat", "dog", "bird"])
    with tf1.Session(graph=tf.Graph()) as session:
        asset = tf1.constant(vocabulary, name="vocabulary")
        tf1.add_to_collection(tf1.GraphKeys.ASSET_FILEPATHS, asset)
        words = tf1.placeholder(tf.string, [None], name="words")
        numbers = tf1.placeholder(tf.int64, [None], name="numbers")
        initializer = tf.lookup.TextFileInitializer(
            asset, tf.string, tf.lookup.TextFileIndex.WHOLE_LINE, tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER)
        table = tf.lookup.StaticVocabularyTable(initializer, 2)
        back = tf.lookup.StaticHashTable(tf.lookup.TextFileInitializer(
            asset, tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER, tf.string, tf.lookup.TextFileIndex.WHOLE_LINE), "?")
        scale = tf1.get_variable("scale", [], initializer=tf1.constant_initializer(3.0))
        ids, names = table.lookup(words), back.lookup(numbers)
        scaled = tf.cast(ids, tf.float32) * scale
        session.run([tf1.global_variables_initializer(), tf1.tables_initializer()])
        predict = tf1.saved_model.predict_signature_def
        builder = tf1.saved_model.Builder(directory)
        builder.add_meta_graph_and_variables(
            session, ["serve"],
            signature_def_map={
                "ids": predict({"words": words}, {"ids": ids, "scaled": scaled}),
                "names": predict({"numbers": numbers}, {"names": names}),
            },
            assets_collection=tf1.get_collection(tf1.GraphKeys.ASSET_FILEPATHS), main_op=tf1.tables_initializer())
        builder.save()
    serve("tf1_tables", directory, {"words": WORDS, "numbers": np.array([2, 0, 9])})


def tf1_tags():
    """Two MetaGraphs; the second adds to the first, and takes sparse tensors."""
    directory = new("tf1_tags")
    builder = tf1.saved_model.Builder(directory)
    for i, tags in enumerate((["train"], ["serve", "gpu"])):
        with tf1.Session(graph=tf.Graph()) as session:
            x = tf1.placeholder(tf.float32, [None, 4], name="x")
            w = tf1.get_variable("w", [4], initializer=tf1.constant_initializer([1.0, 2.0, 3.0, 4.0]))
            signatures = {"serving_default": tf1.saved_model.predict_signature_def({"x": x}, {"y": x * w + float(i)})}
            session.run(tf1.global_variables_initializer())
            if i == 0:
                builder.add_meta_graph_and_variables(session, tags, signature_def_map=signatures)
            else:
                s = tf1.sparse_placeholder(tf.float32, [None, 4], name="s")
                info = tf1.saved_model.build_tensor_info
                signatures["sum"] = tf1.saved_model.build_signature_def(
                    {"s": info(s)}, {"sum": info(tf.sparse.reduce_sum(s, 1))}, "tensorflow/serving/predict")
                builder.add_meta_graph(tags, signature_def_map=signatures)
    builder.save()
    sparse = {
        "s.indices": np.array([[0, 1], [1, 3]]), "s.values": np.array([1.5, 2.5], np.float32),
        "s.dense_shape": np.array([2, 4]),
    }
    serve("tf1_tags", directory, {"x": X}, ["train"])
    serve("tf1_tags", directory, {"x": X, **sparse}, ["serve", "gpu"])


def tf1_partitioned():
    directory = new("tf1_partitioned")
    with tf1.Session(graph=tf.Graph()) as session:
        ids = tf1.placeholder(tf.int64, [None], name="ids")
        with tf1.variable_scope("v", partitioner=tf1.fixed_size_partitioner(3)):
            table = tf1.get_variable("table", [10, 3])
        rows = tf1.nn.embedding_lookup(table, ids, partition_strategy="div")
        session.run(tf1.global_variables_initializer())
        tf1.saved_model.simple_save(session, directory, {"ids": ids}, {"rows": rows})
    serve("tf1_partitioned", directory, {"ids": np.array([0, 9, 5, 3])})


def module():
    """Functions of a module, with and without signatures, that capture variables, an asset, a table and a constant."""
    vocabulary = text_file("words.txt", ["cat", "dog"])

    class Module(tf.Module):
        def __init__(self):
            self.scale = tf.Variable([1.0, 2.0, 3.0, 4.0], name="Variable")
            self.sum = tf.Variable([0.5, 0.5, 0.5, 0.5], name="Variable")
            self.inner = tf.Module()
            self.inner.bias = tf.Variable([[1.0], [2.0], [3.0], [4.0]])
            self.table = tf.lookup.StaticHashTable(
                tf.lookup.TextFileInitializer(vocabulary, tf.string, -2, tf.int64, -1), -1)
            self.vocabulary = tf.saved_model.Asset(vocabulary)
            self.constant = tf.constant([10.0, 20.0, 30.0, 40.0])

        @tf.function(input_signature=[tf.TensorSpec([None, 4], tf.float32, name="x")])
        def affine(self, x):
            return x * self.scale + self.constant

        @tf.function
        def add(self, x, negate=False):
            self.sum.assign_add(-x if negate else x)
            return {"sum": self.sum.read_value(), "more": [x, self.scale @ self.inner.bias if x.shape.rank == 3 else x]}

        @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
        def look(self, words):
            return self.table.lookup(words), tf.io.read_file(self.vocabulary.asset_path)

        @tf.function(input_signature=[tf.TensorSpec([], tf.int32), tf.TensorSpec([4], tf.float32)])
        def __call__(self, n, x):
            for _ in tf.range(n):
                x = x * 0.5 + tf.squeeze(self.inner.bias, 1)
            return x if n > 2 else -x

    m = Module()
    m.add(tf.ones([4]))
    m.add(tf.ones([4]), negate=True)
    m.sum.assign([0.5] * 4)
    directory = new("functions")
    tf.saved_model.save(m, directory)
    loaded = tf.saved_model.load(directory)
    case("functions", "affine", {"x": X}, {"output_0": loaded.affine(X).numpy()})
    ids, text = loaded.look(WORDS)
    case("functions", "look", {"words": WORDS}, {"output_0": ids.numpy(), "output_1": text.numpy()})
    for n in (1, 5):
        case("functions", "__call__", {"n": np.int32(n), "x": X[0]}, {"output_0": loaded(n, X[0]).numpy()})
    out = loaded.add(X[0])
    case("functions", "add.0", {"x": X[0]}, {"sum": out["sum"].numpy(), "more/0": X[0], "more/1": X[0]})

    directory = new("signatures")
    tf.saved_model.save(m, directory, signatures={"serving_default": m.affine, "look": m.look, "loop": m.__call__})
    loaded = tf.saved_model.load(directory)
    feeds = {"serving_default": {"x": X}, "look": {"words": WORDS}, "loop": {"n": np.int32(3), "x": X[0]}}
    for name, given in feeds.items():
        outputs = loaded.signatures[name](**{key: tf.constant(value) for key, value in given.items()})
        case("signatures", name, given, {key: value.numpy() for key, value in outputs.items()})


def keras(name, model, inputs, library=tf.keras):
    directory = new(name)
    if library is tf_keras:
        model.save(directory)
    else:
        model.export(directory, verbose=False)
    loaded = tf.saved_model.load(directory).signatures["serving_default"]
    keys = sorted(loaded.structured_input_signature[1])
    feeds = dict(zip(keys, inputs))
    outputs = loaded(**{key: tf.constant(value) for key, value in feeds.items()})
    case(name, "serving_default", feeds, {key: value.numpy() for key, value in outputs.items()})


def sequence_model(library, layer):
    inputs = library.Input([5, 3])
    hidden = layer(inputs)
    return library.Model(inputs, library.layers.Dense(2, activation="tanh")(hidden))


def keras_models():
    layers = tf.keras.layers
    x = RNG.normal(size=(2, 5, 3)).astype(np.float32)
    image = RNG.normal(size=(2, 8, 8, 3)).astype(np.float32)
    convolution = [
        lambda l: l.Conv2D(4, 3, padding="same", activation="relu"), lambda l: l.BatchNormalization(),
        lambda l: l.DepthwiseConv2D(3), lambda l: l.GlobalAveragePooling2D(), lambda l: l.Dropout(0.5),
        lambda l: l.Dense(3, activation="softmax"),
    ]
    keras("keras_convolution", tf.keras.Sequential([tf.keras.Input([8, 8, 3])] + [f(layers) for f in convolution]), [image])
    keras("keras_lstm", sequence_model(tf.keras, layers.Bidirectional(layers.LSTM(4))), [x])
    keras("keras_gru", sequence_model(tf.keras, layers.GRU(4, return_sequences=True)), [x])
    inputs = tf.keras.Input([5, 4])
    attention = layers.MultiHeadAttention(2, 3)(inputs, inputs, use_causal_mask=True)
    output = layers.LayerNormalization()(layers.Add()([inputs, attention]))
    keras("keras_attention", tf.keras.Model(inputs, layers.Dense(2, activation="gelu")(output)),
          [RNG.normal(size=(2, 5, 4)).astype(np.float32)])

    normalization = layers.Normalization()
    normalization.adapt(RNG.normal(size=(50, 3)).astype(np.float32))
    words, text, numbers = (
        tf.keras.Input([1], dtype="string", name="words"), tf.keras.Input([1], dtype="string", name="text"),
        tf.keras.Input([3], name="numbers"))
    vectorization = layers.TextVectorization(max_tokens=20, output_sequence_length=6, ngrams=2)
    vectorization.adapt(["the cat sat", "the dog, sat!", "a bird"])
    outputs = {
        "ids": layers.StringLookup(vocabulary=["cat", "dog"], num_oov_indices=2)(words),
        "one_hot": layers.StringLookup(vocabulary=["cat", "dog"], output_mode="multi_hot")(words),
        "tokens": vectorization(text),
        "normal": normalization(numbers),
        "hashed": layers.Hashing(num_bins=7)(words),
        "bucket": layers.Discretization(bin_boundaries=[-1.0, 0.0, 1.0])(numbers),
        "numbers_out": layers.IntegerLookup(vocabulary=[1, 2, 3])(layers.Discretization(bin_boundaries=[-1.0, 0.0])(numbers)),
    }
    feeds = {
        "words": np.array([[b"cat"], [b"fish"]]), "text": np.array([[b"The CAT sat; the bird?"], [b"dog"]]),
        "numbers": RNG.normal(size=(2, 3)).astype(np.float32),
    }
    keras("keras_preprocessing", tf.keras.Model([words, text, numbers], outputs), [feeds[k] for k in sorted(feeds)])

    old = tf_keras.layers
    keras("tf_keras_lstm", sequence_model(tf_keras, old.LSTM(4)), [x], tf_keras)
    keras("tf_keras_convolution",
          tf_keras.Sequential([tf_keras.Input([8, 8, 3])] + [f(old) for f in convolution]), [image], tf_keras)


def main():
    tf.keras.utils.set_random_seed(1)
    tf1_simple()
    tf1_tables()
    tf1_tags()
    tf1_partitioned()
    module()
    keras_models()
    for name in sorted({case["model"] for case in CASES}):
        directory = os.path.join(HERE, name)
        path = os.path.join(directory, "saved_model.pb")
        with open(path, "rb") as file, open(path + ".gz", "wb") as out:
            out.write(gzip.compress(file.read(), 9, mtime=0))
        for extra in ("saved_model.pb", "fingerprint.pb", "keras_metadata.pb"):
            if os.path.exists(os.path.join(directory, extra)):
                os.remove(os.path.join(directory, extra))
    with open(os.path.join(HERE, "expected.json"), "w") as file:
        file.write("[\n" + ",\n".join(json.dumps(case, sort_keys=True) for case in CASES) + "\n]\n")


if __name__ == "__main__":
    sys.exit(main())

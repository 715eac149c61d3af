"""Records the output of TensorFlow's summary writers in events.json.

    python record.py

A case is a graph and the nodes to run, step by step; the events are those of the file, without their times. Images are
stored as pixels, since compressed bytes depend on the compression library.
"""

import base64
import io
import json
import os
import re
import socket
import tempfile

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["CUDA_VISIBLE_DEVICES"] = ""

import numpy as np
import tensorflow as tf
from PIL import Image

tf1 = tf.compat.v1
tf1.disable_eager_execution()
raw = tf.raw_ops
RANDOM = np.random.RandomState(3)


def summary(*tags):
    message = tf1.Summary()
    for i, tag in enumerate(tags):
        message.value.add(tag=tag, simple_value=i + 0.5)
    return message.SerializeToString()


def scalar(value, dtype):
    return lambda w: raw.WriteScalarSummary(writer=w, step=7, tag="a/b", value=tf.constant(value, dtype))


def histogram(values, dtype):
    return lambda w: raw.WriteHistogramSummary(writer=w, step=-3, tag="h", values=tf.constant(values, dtype))


def image(values, dtype, bad=(255, 0, 0, 255), most=3):
    return lambda w: raw.WriteImageSummary(
        writer=w, step=1 << 40, tag="i", tensor=tf.constant(values, dtype), bad_color=tf.constant(bad, tf.uint8),
        max_images=most)


def kept_image(values, dtype, bad=(255, 0, 0, 255), most=3):
    """The summary of `ImageSummary`, unchanged."""
    color = tf.make_tensor_proto(np.array(bad, np.uint8))
    return lambda w: raw.WriteRawProtoSummary(writer=w, step=2, tensor=raw.ImageSummary(
        tag="i", tensor=tf.constant(values, dtype), bad_color=color, max_images=most))


def audio(values, rate, most=3):
    return lambda w: raw.WriteAudioSummary(
        writer=w, step=0, tag="s", tensor=tf.constant(values, tf.float32), sample_rate=rate, max_outputs=most)


def tensor(values, dtype, metadata=b""):
    return lambda w: raw.WriteSummary(
        writer=w, step=5, tensor=tf.constant(values, dtype), tag="t", summary_metadata=metadata)


def event(step, text):
    message = tf1.Event(wall_time=12.5, step=step, summary=tf1.Summary.FromString(summary(text)))
    return message.SerializeToString()


REALS = ["float32", "float64", "int32", "uint8", "int16", "int8", "int64", "uint16", "float16", "uint32", "uint64"]
NAN, INF = float("nan"), float("inf")
METADATA = tf1.SummaryMetadata(
    plugin_data=tf1.SummaryMetadata.PluginData(plugin_name="scalars"), display_name="x").SerializeToString()
GRAPH = tf1.GraphDef(node=[tf1.NodeDef(name="n", op="NoOp")]).SerializeToString()

CASES = {
    **{f"scalar/{d}": [scalar(3, d)] for d in REALS},
    "scalar/large": [scalar(1e300, "float64"), scalar(2**63 + 12345, "uint64"), scalar(NAN, "float32"), scalar(-INF, "float16")],
    **{f"histogram/{d}": [histogram(RANDOM.randint(0, 100, 300).reshape(3, 100).tolist(), d)] for d in REALS},
    "histogram/bool": [histogram([True, False, True], "bool")],
    "histogram/random": [histogram((RANDOM.randn(1000) * 10.0 ** RANDOM.randint(-14, 22, 1000)).tolist(), "float64")],
    "histogram/float": [histogram((RANDOM.randn(500)).astype(np.float32).tolist(), "float32")],
    "histogram/half": [histogram((RANDOM.randn(500) * 100).tolist(), "float16")],
    "histogram/edges": [histogram([1.1 ** k * 1e-12 for k in range(0, 300, 7)], "float64")],
    "histogram/empty": [histogram([], "float32")],
    "histogram/one": [histogram(4.25, "float32")],
    "histogram/largest": [histogram([1.7e308, -1.7e308, 1e20, -1e20, 1e-300], "float64")],
    "tensor/float": [tensor([[1.5, NAN]], "float32", METADATA)],
    "tensor/string": [tensor([b"x", b"", b"\xff"], "string", METADATA)],
    "tensor/none": [tensor([], "int64"), tensor(3, "int32")],
    "tensor/complex": [tensor([1 + 2j], "complex64", METADATA)],
    "tensor/others": [tensor([1, 2], d) for d in ["bfloat16", "float16", "uint64", "int8"]] + [tensor([True], "bool")],
    "raw": [lambda w: raw.WriteRawProtoSummary(writer=w, step=9, tensor=tf.constant([summary("p"), summary("q", "r")]))],
    "graph": [lambda w: raw.WriteGraphSummary(writer=w, step=4, tensor=GRAPH)],
    "event": [lambda w: raw.ImportEvent(writer=w, event=event(11, "e"))],
    "merged": [lambda w: raw.WriteRawProtoSummary(writer=w, step=3, tensor=raw.MergeSummary(inputs=[
        raw.ScalarSummary(tags=["a", "b"], values=[1.0, 2.0]), raw.HistogramSummary(tag="h", values=[1.0, 2.0]),
        raw.TensorSummaryV2(tag="t", tensor=[1, 2], serialized_summary_metadata=METADATA)]))],
    "audio/mono": [audio([[0.0, 0.5, -0.5, 1.0, -1.0, 2.0, -2.0, 1e-5]], 44100.0)],
    "audio/several": [audio(np.linspace(-1, 1, 30).reshape(5, 6).tolist(), 8000.0)],
    "audio/one": [audio(np.linspace(-1, 1, 30).reshape(5, 6).tolist(), 8000.5, 1)],
    "audio/stereo": [audio(np.linspace(-1.2, 1.2, 24).reshape(2, 6, 2).tolist(), 16000.0)],
    "audio/rounding": [audio([[(k + 0.5) / 32768 for k in range(-20, 20)], [k / 32767 for k in range(-20, 20)]], 100.0)],
    "audio/silence": [audio([[]], 100.0)],
    "audio/nan": [audio([[INF, -INF, 0.25]], 100.0)],
}
for write, kind in [(image, "image"), (kept_image, "kept image")]:
    floats = RANDOM.randn(2, 5, 7, 3).round(3).tolist()
    positive = RANDOM.rand(2, 5, 7, 3).round(3).tolist()
    for dtype in ["float32", "float16", "float64"]:
        CASES[f"{kind}/random {dtype}"] = [write(floats, dtype)]
        CASES[f"{kind}/positive {dtype}"] = [write(positive, dtype)]
    CASES.update({
        f"{kind}/uint8": [write(RANDOM.randint(0, 256, (1, 3, 4, 4)).tolist(), "uint8")],
        f"{kind}/gray": [write(RANDOM.rand(4, 3, 4, 1).tolist(), "float32", most=2)],
        f"{kind}/first": [write(RANDOM.rand(4, 3, 4, 1).tolist(), "float32", most=1)],
        f"{kind}/bad": [write([[[[1.0, 2.0, 3.0], [NAN, 0.5, 0.25], [1.0, INF, 0.0]]]], "float32", (1, 2, 3))],
        f"{kind}/bad gray": [write([[[[1.0], [NAN], [-0.5]]]], "float32", (9, 8, 7, 6))],
        f"{kind}/bad alpha": [write([[[[1.0, 0.2, 0.3, 0.4], [1.0, -INF, 0.3, 0.4]]]], "float64", (9, 8, 7, 6))],
        f"{kind}/all bad": [write([[[[NAN], [INF]]]], "float16", (5,))],
        f"{kind}/small": [write([[[[1e-7], [0.0], [-1e-8]]]], "float32"), write([[[[1e-7], [0.0]]]], "float32")],
        f"{kind}/beyond float": [write([[[[1e300], [1e10], [1.0]]]], "float64")],
        f"{kind}/none": [write(np.zeros((0, 2, 2, 3)).tolist() or np.zeros((0, 2, 2, 3)), "float32")],
    })


def varied(path):
    """The file's name without the parts that vary from run to run."""
    name = os.path.basename(path).replace(socket.gethostname(), "HOST").replace(f".{os.getpid()}.", ".PID.")
    return re.sub(r"PID\.\d+", "PID.N", re.sub(r"tfevents\.\d{10}", "tfevents.TIME", name))


def plain(data):
    """An event without its time, images as pixels."""
    message = tf1.Event.FromString(data)
    message.ClearField("wall_time")
    pixels = []
    for value in message.summary.value:
        if value.HasField("image"):
            picture = np.asarray(Image.open(io.BytesIO(value.image.encoded_image_string)))
            pixels.append(picture.reshape(-1).tolist())
            value.image.ClearField("encoded_image_string")
    return {"event": base64.b64encode(message.SerializeToString(deterministic=True)).decode(), "pixels": pixels}


def run(writes, suffix):
    with tf.Graph().as_default() as graph, tempfile.TemporaryDirectory() as folder:
        writer = raw.SummaryWriter(shared_name="w")
        logdir = tf1.placeholder(tf.string, [], "logdir")
        create = raw.CreateSummaryFileWriter(
            writer=writer, logdir=logdir, max_queue=10, flush_millis=120000, filename_suffix=suffix)
        targets = [create.name]
        for write in writes:
            targets.append(write(writer).name)
        targets.append(raw.FlushSummaryWriter(writer=writer).name)
        targets.append(raw.CloseSummaryWriter(writer=writer).name)
        errors = {}
        with tf1.Session() as session:
            for target in targets:
                try:
                    session.run(target, {logdir: folder} if target == create.name else {})
                except tf.errors.OpError as error:
                    errors[target] = error.error_code
        [name] = os.listdir(folder)
        records = list(tf1.io.tf_record_iterator(os.path.join(folder, name)))
        return {
            "graph": base64.b64encode(graph.as_graph_def().SerializeToString(deterministic=True)).decode(),
            "targets": [[target, errors.get(target, 0)] for target in targets],
            "file": varied(name),
            "events": [plain(record) for record in records],
        }


def main():
    cases = []
    for name, writes in CASES.items():
        try:
            cases.append({"name": name, **run(writes, "")})
        except (TypeError, ValueError) as error:
            print(name, error)
    cases.append({"name": "suffix", **run([], ".v2")})
    cases.append({"name": "suffix without a dot", **run([], "x")})
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "events.json")
    with open(path, "w") as file:
        json.dump(cases, file, separators=(",", ":"))
        file.write("\n")


if __name__ == "__main__":
    main()

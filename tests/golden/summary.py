"""Summaries of numbers, images, sound and tensors, as messages."""

import numpy as np

from record import case, fed, step, write

NAN, INF = float("nan"), float("inf")
REALS = ["float32", "float64", "int32", "uint8", "int16", "int8", "int64", "bfloat16", "uint16", "float16", "uint32",
         "uint64"]

for dtype in REALS:
    case(f"ScalarSummary/{dtype}", lambda tf, v1, dtype=dtype: tf.raw_ops.ScalarSummary(
        tags=fed([b"a", b"b/c"]), values=fed([1, 7], dtype)))
    case(f"HistogramSummary/{dtype}", lambda tf, v1, dtype=dtype: tf.raw_ops.HistogramSummary(
        tag=fed(b"h"), values=fed([[0, 1], [100, 7]], dtype)))
case("ScalarSummary/zero", lambda tf, v1: tf.raw_ops.ScalarSummary(tags=fed(b""), values=fed(0.0)))
case("ScalarSummary/shapes", lambda tf, v1: tf.raw_ops.ScalarSummary(tags=fed([b"a"]), values=fed(0.0)),
     error="INVALID_ARGUMENT")
case("HistogramSummary/wide", lambda tf, v1: tf.raw_ops.HistogramSummary(
    tag=fed(b"h"), values=fed([1.0, -2.0, 0.0, -0.0, 1e30, -1e30, 3.0, 1e-13, -1e-13, 1e-12, 1.1e-12], "float64")))
case("HistogramSummary/many", lambda tf, v1: tf.raw_ops.HistogramSummary(
    tag=fed(b"h"), values=fed(np.linspace(-3, 5, 200).astype(np.float32))))
case("HistogramSummary/none", lambda tf, v1: tf.raw_ops.HistogramSummary(tag=fed(b"h"), values=fed([], "float32")))
for name, value in [("nan", NAN), ("inf", INF), ("negative_inf", -INF)]:
    case(f"HistogramSummary/{name}", lambda tf, v1, value=value: tf.raw_ops.HistogramSummary(
        tag=fed(b"h"), values=fed([1.0, value])), error="INVALID_ARGUMENT")
case("HistogramSummary/tags", lambda tf, v1: tf.raw_ops.HistogramSummary(tag=fed([b"a", b"b"]), values=fed([1.0])),
     error="INVALID_ARGUMENT")


def image(name, value, dtype="float32", **attrs):
    def build(tf, v1):
        value_ = fed(value, dtype)
        summary = tf.raw_ops.ImageSummary(tag=fed(b"i"), tensor=value_, max_images=1, **attrs)
        # tag "i/image": 2 + 7 bytes behind the header of the value, then the header of the image and three sizes and
        # the header of the file, all of two bytes.
        return tf.raw_ops.DecodePng(contents=tf.strings.substr(summary, 2 + 2 + 7 + 2 + 6 + 2, 10000))
    case(f"ImageSummary/{name}", build)


image("gray", [[[[1.0], [2.0]], [[0.5], [3.0]]]])
image("negative", [[[[1.0], [-2.0]], [[0.5], [3.0]]]])
image("most_negative", [[[[1.0], [-4.0]], [[0.5], [3.0]]]])
image("zero", [[[[0.0], [0.0]]]])
image("small", [[[[1e-7], [0.0]]]])
image("color", [[[[1.0, 2.0, 3.0], [0.0, 0.5, 0.25]]]])
image("alpha", [[[[1.0, 2.0, 3.0, 4.0], [0.0, 0.5, 0.25, 1.0]]]])
image("bad", [[[[1.0, 2.0, 3.0], [NAN, 0.5, 0.25], [1.0, INF, 0.0]]]])
image("bad_gray", [[[[1.0], [NAN], [0.5]]]])
image("all_bad", [[[[NAN], [INF]]]])
image("uint8", [[[[1, 2, 3], [250, 0, 255]]]], "uint8")
image("half", [[[[1.0], [2.0], [-0.7]]]], "float16")
image("double", [[[[1.0], [2.0], [-0.7], [0.1]]]], "float64")
image("first_of_two", [[[[1.0], [2.0]]], [[[5.0], [2.0]]]])
case("ImageSummary/rank", lambda tf, v1: tf.raw_ops.ImageSummary(tag=fed(b"i"), tensor=fed([[[1.0]]])),
     error="INVALID_ARGUMENT")
case("ImageSummary/channels", lambda tf, v1: tf.raw_ops.ImageSummary(tag=fed(b"i"), tensor=fed([[[[1.0, 2.0]]]])),
     error="INVALID_ARGUMENT")
case("ImageSummary/tags", lambda tf, v1: tf.raw_ops.ImageSummary(tag=fed([b"i"]), tensor=fed([[[[1.0]]]])),
     error="INVALID_ARGUMENT")

SOUND = [[0.0, 0.5, -0.5, 1.0, -1.0, 2.0, -2.0, 0.00001]]
case("AudioSummaryV2/mono", lambda tf, v1: tf.raw_ops.AudioSummaryV2(
    tag=fed(b"a"), tensor=fed(SOUND), sample_rate=fed(44100.0)))
case("AudioSummaryV2/one", lambda tf, v1: tf.raw_ops.AudioSummaryV2(
    tag=fed(b"a"), tensor=fed(SOUND + SOUND), sample_rate=fed(8000.0), max_outputs=1))
case("AudioSummaryV2/stereo", lambda tf, v1: tf.raw_ops.AudioSummaryV2(
    tag=fed(b"a"), tensor=fed(np.linspace(-1, 1, 5 * 3 * 2).reshape(5, 3, 2).tolist(), "float32"), sample_rate=fed(8000.5),
    max_outputs=4))
case("AudioSummaryV2/rank", lambda tf, v1: tf.raw_ops.AudioSummaryV2(
    tag=fed(b"a"), tensor=fed([1.0]), sample_rate=fed(8000.0)), error="INVALID_ARGUMENT")
case("AudioSummaryV2/rate", lambda tf, v1: tf.raw_ops.AudioSummaryV2(
    tag=fed(b"a"), tensor=fed(SOUND), sample_rate=fed(0.0)), error="INVALID_ARGUMENT")

case("TensorSummary/int32", lambda tf, v1: tf.raw_ops.TensorSummary(tensor=fed([1, 2]), description="d", name="t/s"))
case("TensorSummary/string", lambda tf, v1: tf.raw_ops.TensorSummary(tensor=fed([b"x", b""]), name="s"))
case("TensorSummaryV2/float", lambda tf, v1: tf.raw_ops.TensorSummaryV2(
    tag=fed(b"t"), tensor=fed([[1.5]]), serialized_summary_metadata=fed(b"\x12\x01x")))
case("TensorSummaryV2/empty", lambda tf, v1: tf.raw_ops.TensorSummaryV2(
    tag=fed(b""), tensor=fed([], "float64"), serialized_summary_metadata=fed(b"")))


def merged(tags):
    def build(tf, v1):
        return tf.raw_ops.MergeSummary(inputs=[tf.raw_ops.ScalarSummary(tags=fed(t), values=fed([1.0] * len(t)))
                                               for t in tags])
    return build


case("MergeSummary/two", merged([[b"a", b"b"], [b"c"]]))
case("MergeSummary/one", merged([[b"a"]]))
case("MergeSummary/duplicate", merged([[b"a", b"b"], [b"a"]]), error="INVALID_ARGUMENT")
case("MergeSummary/not_one", lambda tf, v1: tf.raw_ops.MergeSummary(inputs=[fed(b"\xff\xff")]), error="INVALID_ARGUMENT")
case("MergeSummary/tensors", lambda tf, v1: tf.raw_ops.MergeSummary(inputs=[
    tf.raw_ops.TensorSummary(tensor=fed([1.0]), name="a"), tf.raw_ops.TensorSummary(tensor=fed([2.0]), name="b")]))


def not_open(tf, v1):
    writer = tf.raw_ops.SummaryWriter(shared_name="w")
    return [step([], targets=[tf.raw_ops.WriteScalarSummary(writer=writer, step=fed(1, "int64"), tag=fed(b"t"),
                                                            value=fed(1.0))], error="NOT_FOUND")]


case("WriteScalarSummary/not_open", not_open)

write(__file__)

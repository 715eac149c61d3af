#!/usr/bin/env python3
"""Writes a graph for each of many ops and small models, in the sizes that models use, as benchmark folders.

    pip install tensorflow-cpu
    python benches/op_graphs.py --out DIR [--typed] [NAME ...]
    python benches/against_tensorflow.py --folder DIR --threads 2 --rounds 2 --seconds 0.1

Writes DIR/NAME with a graph.pb and the files that against_tensorflow.py reads beside it. With `--typed` the graphs are
single elementwise ops of 512 x 1024 numbers, for several dtypes each (`Sin_float64`, `Cast_float32_uint8`). Ops that draw random numbers
are targets, so that nothing is compared. A loss that only serves to have a gradient is a sum of products, so that
nothing else counts.
"""
import argparse
import json
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import numpy as np
import tensorflow as tf

v1 = tf.compat.v1
random = np.random.RandomState(0)
GRAPHS = {}


def normal(*shape):
    return random.randn(*shape).astype(np.float32)


def uniform(*shape):
    return random.rand(*shape).astype(np.float32)


def integers(high, *shape):
    return random.randint(0, high, shape).astype(np.int32)


def graph(feeds, **functions):
    """Graphs that return a function of the feeds, by name."""
    for name, function in functions.items():
        GRAPHS[name] = (feeds if isinstance(feeds, tuple) else (feeds,), function)


def weights(name, *shape, scale=0.05):
    start = np.random.RandomState(len(name)).randn(*shape) * scale
    return v1.get_variable(name, initializer=start.astype(np.float32))


def gradients(feed, **functions):
    """Graphs that return the gradient of a function with respect to the feeds."""
    of = lambda function: lambda x: tf.gradients((lambda y: tf.reduce_sum(y * y))(function(x)), [x])[0]
    graph(feed, **{f"{name}_grad": of(function) for name, function in functions.items()})


def trained(feeds, optimizer, **functions):
    """Graphs that perform an optimizer step on the mean of a function."""
    of = lambda function: lambda *x: optimizer().minimize(tf.reduce_mean(function(*x)))
    graph(feeds, **{f"{name}_train": of(function) for name, function in functions.items()})


def dense(x, units, name, activation=lambda x: x):
    w, b = weights(f"{name}w", int(x.shape[-1]), units), weights(f"{name}b", units)
    return activation(tf.matmul(x, w) + b)


def cross_entropy(logits, labels):
    return tf.nn.sparse_softmax_cross_entropy_with_logits(logits=logits, labels=labels)


def attention(heads, mask=None):
    """Attention of `[batch, positions, heads * size]` to itself, without projections; `mask` is added to the scores."""
    def function(x):
        batch, positions, width = x.shape
        split = tf.transpose(tf.reshape(x, [batch, positions, heads, width // heads]), [0, 2, 1, 3])
        scores = tf.matmul(split, split * 0.125, transpose_b=True)
        sums = tf.matmul(tf.nn.softmax(scores if mask is None else scores + mask), split)
        return tf.reshape(tf.transpose(sums, [0, 2, 1, 3]), [batch, positions, width])

    return function


def layer_norm(x):
    mean, variance = tf.nn.moments(x, [-1], keepdims=True)
    return (x - mean) * tf.math.rsqrt(variance + 1e-6)


table, positive, counts = normal(512, 1024), uniform(512, 1024) + 0.1, integers(1000, 512, 1024)
graph(table, gelu=tf.nn.gelu, gelu_tanh=lambda x: tf.nn.gelu(x, approximate=True), swish=tf.nn.silu, elu=tf.nn.elu)
graph(table, softplus=tf.nn.softplus, erf=tf.math.erf, atan=tf.atan, sin=tf.sin, cos=tf.cos, tan=tf.tan, sinh=tf.sinh, cosh=tf.cosh)
graph(positive, pow=lambda x: tf.pow(x, 2.3), log1p=tf.math.log1p, lgamma=tf.math.lgamma, sqrt=tf.sqrt, cumprod=lambda x: tf.math.cumprod(x, 1))
graph(table, log_softmax=tf.nn.log_softmax, argmax=lambda x: tf.argmax(x, 1), top_k=lambda x: tf.nn.top_k(x, 10).values, sort=lambda x: tf.sort(x, 1))
graph(table, cumsum=lambda x: tf.cumsum(x, 1), tile=lambda x: tf.tile(x, [2, 2]), pad=lambda x: tf.pad(x, [[3, 3], [5, 5]]), where=lambda x: tf.where(x > 0))
graph(table, boolean_mask=lambda x: tf.boolean_mask(x, x > 0), unique=lambda x: tf.unique(tf.reshape(tf.cast(x * 100, tf.int32), [-1])).y)
graph(table, rfft2d=lambda x: tf.abs(tf.signal.rfft2d(x)), stft=lambda x: tf.abs(tf.signal.stft(tf.reshape(x, [-1])[:160000], 400, 160)))
graph(table, transpose_3=lambda x: tf.transpose(tf.reshape(x, [32, 64, 256]), [2, 0, 1]), matmul_ta=lambda x: tf.matmul(x, x, transpose_a=True))
graph(table, einsum=lambda x: tf.einsum("bihd,bjhd->bhij", tf.reshape(x, [4, 128, 16, 64]), tf.reshape(x, [4, 128, 16, 64])))
graph(table, in_top_k=lambda x: tf.nn.in_top_k(predictions=x, targets=tf.zeros([512], tf.int32), k=5))
graph(table, scan=lambda x: tf.scan(lambda a, b: a * 0.9 + b, x[:200]), map_fn=lambda x: tf.map_fn(lambda a: a * 2 + 1, x[:200]))
graph(table, random_normal=lambda x: (tf.random.normal([512, 1024]) + x).op, truncated_normal=lambda x: (tf.random.truncated_normal([512, 1024]) + x).op)
graph(table, multinomial=lambda x: tf.random.categorical(x, 3).op)
graph(counts, bincount=tf.math.bincount, floor_mod=lambda x: x % 7, equal=lambda x: tf.equal(x, 3), one_hot=lambda x: tf.one_hot(x[:16], 1000))
graph(normal(8, 128, 512), attention_128=attention(8))
graph(normal(4, 197, 768), attention_197=attention(12))
graph(normal(2, 512, 768), attention_512=attention(12))
graph(normal(1, 1024, 768), attention_causal=attention(12, np.triu(np.full((1024, 1024), -1e9, np.float32), 1)))
graph(random.randn(512, 512), exp_64=tf.exp, tanh_64=tf.tanh, matmul_64=lambda x: tf.matmul(x, x), softmax_64=tf.nn.softmax)
graph(table.astype(np.float16), matmul_16=lambda x: tf.matmul(x, x, transpose_b=True), softmax_16=tf.nn.softmax)
gradients(table, gelu=tf.nn.gelu, softmax=tf.nn.softmax, layer_norm=layer_norm, cumsum=lambda x: tf.cumsum(x, 1), strided=lambda x: x[:, ::2])

graph(table, select=lambda x: tf.raw_ops.Select(condition=x > 0, x=x, y=-x), add_n=lambda x: tf.add_n([x, x + 1, x, x * 2]))
graph(table, fake_quant=tf.quantization.fake_quant_with_min_max_args, contrast=lambda x: tf.image.adjust_contrast(tf.reshape(x, [8, 128, 128, 4]), 1.5))
graph(table, quantize_and_dequantize=lambda x: tf.quantization.quantize_and_dequantize_v2(x, -3.0, 3.0, range_given=True))
graph(table, clip=lambda x: tf.clip_by_value(x, -1.0, 1.0) * 2.0, logical=lambda x: tf.logical_or(x > 1.0, tf.logical_not(x > 0.0)))
graph(table, dropout_mask=lambda x: tf.where(x * 0.5 >= 0.1, x * 2.0, 0.0), hinge=lambda x: tf.maximum(1.0 - (2.0 * tf.cast(x > 0.0, tf.float32) - 1.0) * x, 0.0))
graph((normal(10000, 80), normal(10000, 1)), scores=lambda x, y: tf.reduce_max(tf.sigmoid(x) * tf.sigmoid(y), 1))
graph((normal(4096, 128),), dense_wide=lambda x: tf.matmul(x, weights("w", 128, 512)), dense_narrow=lambda x: tf.matmul(x, weights("w", 128, 64)))
gradients(table, softplus=tf.nn.softplus)
for name in "Adadelta Adagrad Adam Ftrl GradientDescent ProximalAdagrad RMSProp".split():
    optimizer = getattr(v1.train, f"{name}Optimizer")
    graph(table, **{f"{name}_update": lambda g, of=optimizer: of(0.001).apply_gradients([(g, weights("w", 512, 1024))])})

images = normal(8, 56, 56, 64)
kernel = lambda *shape: tf.constant((np.random.RandomState(1).randn(*shape) * 0.1).astype(np.float32))
graph(images, max_pool=lambda x: tf.nn.max_pool2d(x, 3, 2, "SAME"), avg_pool=lambda x: tf.nn.avg_pool2d(x, 3, 2, "SAME"), lrn=tf.nn.lrn)
graph(images, conv_3x3=lambda x: tf.nn.conv2d(x, kernel(3, 3, 64, 64), 1, "SAME"), conv_5x5=lambda x: tf.nn.conv2d(x, kernel(5, 5, 64, 32), 2, "SAME"))
graph(images, conv_grouped=lambda x: tf.nn.conv2d(x, kernel(3, 3, 16, 64), 1, "SAME"), conv_dilated=lambda x: tf.nn.conv2d(x, kernel(3, 3, 64, 64), 1, "SAME", dilations=2))
graph(images, conv_1d=lambda x: tf.nn.conv1d(tf.reshape(x, [8, 56 * 56, 64]), kernel(5, 64, 64), 1, "SAME"))
graph(images, conv_transposed=lambda x: tf.nn.conv2d_transpose(x, kernel(4, 4, 32, 64), [8, 112, 112, 32], 2))
graph(images, depthwise=lambda x: tf.nn.depthwise_conv2d(x, kernel(3, 3, 64, 1), [1, 1, 1, 1], "SAME"))
graph(images, depthwise_by_2=lambda x: tf.nn.depthwise_conv2d(x, kernel(5, 5, 64, 2), [1, 2, 2, 1], "SAME"))
graph(images, dilation=lambda x: tf.nn.dilation2d(x, kernel(3, 3, 64), [1] * 4, "SAME", "NHWC", [1] * 4))
resized = {method: lambda x, method=method: tf.image.resize(x, [112, 112], method) for method in ("bilinear", "bicubic", "area", "nearest")}
graph(images, **{f"resize_{method}": function for method, function in resized.items()})
graph(images, crop_and_resize=lambda x: tf.image.crop_and_resize(x, [[0.0, 0.0, 0.5, 0.5], [0.2, 0.2, 0.9, 0.9]] * 8, list(range(8)) * 2, [24, 24]))
gradients(images, max_pool=lambda x: tf.nn.max_pool2d(x, 3, 2, "SAME"), avg_pool=lambda x: tf.nn.avg_pool2d(x, 3, 2, "SAME"), lrn=tf.nn.lrn)
gradients(images, resize_bilinear=resized["bilinear"], resize_nearest=resized["nearest"])
graph(integers(255, 8, 256, 256, 3).astype(np.uint8), image_input=lambda x: (tf.image.resize(tf.cast(x, tf.float32) / 255.0, [224, 224]) - 0.5) * 2)

plain = lambda: v1.train.GradientDescentOptimizer(1e-3)
square = lambda y: y * y
trained(images, plain, conv_3x3=lambda x: square(tf.nn.conv2d(x, weights("w", 3, 3, 64, 64), 1, "SAME")))
trained(images, plain, depthwise=lambda x: square(tf.nn.depthwise_conv2d(x, weights("w", 3, 3, 64, 1), [1, 1, 1, 1], "SAME")))
trained(images, plain, conv_transposed=lambda x: square(tf.nn.conv2d_transpose(x, weights("w", 4, 4, 32, 64), [8, 112, 112, 32], 2)))
adam, labels, tokens = lambda: v1.train.AdamOptimizer(1e-3), integers(10, 64), integers(20000, 64, 100)
trained((normal(64, 784), labels), adam, perceptron=lambda x, y: cross_entropy(dense(dense(x, 512, "a", tf.nn.relu), 10, "b"), y))
bag = lambda x, y: cross_entropy(dense(tf.reduce_mean(tf.nn.embedding_lookup(weights("table", 20000, 128), x), 1), 10, "a"), y)
trained((tokens, labels), adam, embedding_bag=bag)
trained((tokens, labels), lambda: v1.train.FtrlOptimizer(0.1), embedding_bag_ftrl=bag)
graph((normal(64, 10000), integers(10000, 64)), vocabulary=lambda x, y: tf.gradients(cross_entropy(x, y), [x])[0])
turned = [[0.9, -0.2, 20.0, 0.2, 0.9, -10.0, 0.0, 0.0]]
transform = lambda x, how: tf.raw_ops.ImageProjectiveTransformV2(images=x, transforms=turned, output_shape=[224, 224], interpolation=how, fill_mode="REFLECT")
graph(normal(8, 224, 224, 3), turn=lambda x: transform(x, "BILINEAR"), turn_nearest=lambda x: transform(x, "NEAREST"))
graph(table, histogram=lambda x: tf.histogram_fixed_width(x, [-3.0, 3.0], 100), roll=lambda x: tf.roll(x, [3, -2], [0, 1]))
graph((normal(500, 64), normal(400, 64)), distances=lambda a, b: tf.reduce_sum((a[:, None] - b[None]) ** 2, -1))
graph((normal(5000, 16), normal(10, 16)), nearest=lambda a, b: tf.argmin(tf.reduce_sum((a[:, None] - b[None]) ** 2, -1), 1))
graph((normal(20000, 128), tokens), gather=lambda x, i: tf.gather(x, i))
graph((normal(20000, 64), integers(5000, 20000, 1)), scatter_nd=lambda x, i: tf.scatter_nd(i, x, [5000, 64]))


def typed():
    """Graphs of single elementwise ops, by name and dtype."""
    found = {}
    inside, outside = np.clip(table * 0.3, -0.99, 0.99), np.abs(table) + 1.01
    arguments = {"Acos": inside, "Asin": inside, "Atanh": inside, "Erfinv": inside, "Acosh": outside, "Ndtri": (inside + 1) / 2}
    above_zero = "Log Lgamma Sqrt Rsqrt Digamma Log1p Reciprocal Spence Expint".split()
    arguments.update({name: np.abs(table) + 0.1 for name in above_zero})
    features = "Elu Relu Relu6 LeakyRelu Selu Softplus Softsign".split()
    others = "Abs Asinh Atan BesselI0e BesselI1e Ceil Cos Cosh Erf Erfc Exp Expm1 Floor IsFinite IsNan Neg Rint Round Sigmoid Sign Sin Sinh Square Tan Tanh"
    for name in [*arguments, *features, *others.split()]:
        for dtype in ("float16", "float32", "float64"):
            if dtype != "float16" or name in ("Exp", "Tanh", "Sigmoid", "Relu", "Sqrt", "Neg"):
                function = lambda x, op=getattr(tf.raw_ops, name), key="features" if name in features else "x": op(**{key: x})
                found[f"{name}_{dtype}"] = ((arguments.get(name, table).astype(dtype),), function)
    for name in "Abs Cos Exp Log Rsqrt Sigmoid Sin Sqrt Square Tanh".split():
        op = tf.raw_ops.ComplexAbs if name == "Abs" else getattr(tf.raw_ops, name)
        found[f"{name}_complex64"] = ((table + 1j * table[::-1]).astype("complex64"),), lambda x, op=op: op(x=x)
    for name in "Add Sub Mul RealDiv Maximum Minimum Pow FloorDiv FloorMod SquaredDifference Atan2 Xlogy DivNoNan Less Equal".split():
        for dtype in ("float32", "float64", "int32", "int64"):
            if dtype.startswith("float") or name not in ("RealDiv", "Pow", "Atan2", "Xlogy", "DivNoNan"):
                pair = tuple((integers(100, 512, 1024) + 1).astype(dtype) for _ in range(2))
                found[f"{name}_{dtype}"] = pair, lambda x, y, op=getattr(tf.raw_ops, name): op(x=x, y=y)
    dtypes = ("float16", "float32", "float64", "int32", "int64", "uint8", "int8", "bool")
    for source in dtypes:
        for target in dtypes:
            if source != target:
                found[f"Cast_{source}_{target}"] = (np.abs(table * 20).astype(source),), lambda x, to=target: tf.cast(x, to)
    return found


def write(name, out):
    feeds, function = GRAPHS[name]
    folder = os.path.join(out, name)
    os.makedirs(folder, exist_ok=True)
    meta = {"feeds": {}, "fetches": [], "targets": [], "init": []}
    if any(feed.dtype == np.float16 for feed in feeds):
        meta["rtol"] = 2e-3
    with tf.Graph().as_default() as built:
        v1.set_random_seed(1)
        inputs = [v1.placeholder(feed.dtype, feed.shape, name=f"x{i}") for i, feed in enumerate(feeds)]
        result = function(*inputs)
        if isinstance(result, tf.Operation):
            meta["targets"].append(result.name)
        else:
            meta["fetches"].append(result.name)
        if v1.global_variables():
            meta["init"].append(v1.global_variables_initializer().name)
    for x, feed in zip(inputs, feeds):
        meta["feeds"][x.name] = f"{x.op.name}.npy"
        np.save(os.path.join(folder, f"{x.op.name}.npy"), feed)
    with open(os.path.join(folder, "graph.pb"), "wb") as file:
        file.write(built.as_graph_def().SerializeToString())
    with open(os.path.join(folder, "meta.json"), "w") as file:
        json.dump(meta, file, indent=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", required=True)
    parser.add_argument("--typed", action="store_true")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    if args.typed:
        GRAPHS.clear()
        GRAPHS.update(typed())
    v1.disable_eager_execution()
    v1.disable_control_flow_v2()
    for name in args.names or GRAPHS:
        write(name, args.out)


if __name__ == "__main__":
    main()

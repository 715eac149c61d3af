#!/usr/bin/env python3
"""Writes small models of many kinds, inferring and training, as benchmark folders.

    pip install tensorflow-cpu
    python benches/model_graphs.py --out DIR [NAME ...]
    python benches/against_tensorflow.py --folder DIR --threads 2 --rounds 2 --seconds 0.3

Writes DIR/NAME with a graph.pb and the files that against_tensorflow.py reads beside it. Loops are TensorFlow 1's
frames. A trained model is a target: its optimizer's step.
"""
import argparse

import op_graphs
from op_graphs import GRAPHS, adam, cross_entropy, dense, graph, integers, layer_norm, normal, plain, square, tf, trained, uniform, v1, weights

import numpy as np

GRAPHS.clear()
LAST = [0]


def fresh(kind):
    """A variable's name that is not taken."""
    LAST[0] += 1
    return f"{kind}{LAST[0]}"


def conv(x, filters, size=3, stride=1, activation=tf.nn.relu, **more):
    w = weights(fresh("kernel"), size, size, int(x.shape[-1]), filters)
    return activation(tf.nn.conv2d(x, w, stride, "SAME", **more) + weights(fresh("bias"), filters))


def conv_transposed(x, filters, size=4, activation=tf.nn.relu):
    batch, height, width, depth = (int(n) for n in x.shape)
    w = weights(fresh("kernel"), size, size, filters, depth)
    return activation(tf.nn.conv2d_transpose(x, w, [batch, 2 * height, 2 * width, filters], 2) + weights(fresh("bias"), filters))


def conv_1d(x, filters, size=3, activation=tf.nn.relu, dilation=1, padding="SAME"):
    w = weights(fresh("kernel"), size, int(x.shape[-1]), filters)
    return activation(tf.nn.conv1d(x, w, 1, padding, dilations=dilation) + weights(fresh("bias"), filters))


def normed(x, axes):
    """Batch or instance normalization by the moments of the input."""
    mean, variance = tf.nn.moments(x, axes, keepdims=True)
    scale, offset = (weights(fresh("scale"), int(x.shape[-1]), scale=1.0), weights(fresh("offset"), int(x.shape[-1])))
    return tf.nn.batch_normalization(x, mean, variance, offset, scale, 1e-3)


def layer(x, units, activation=tf.identity):
    """A dense layer of the last axis."""
    flat = tf.reshape(x, [-1, int(x.shape[-1])])
    return tf.reshape(dense(flat, units, fresh("dense"), activation), [*x.shape[:-1], units])


def heads_of(x, heads):
    batch, positions, width = (int(n) for n in x.shape)
    return tf.transpose(tf.reshape(x, [batch, positions, heads, width // heads]), [0, 2, 1, 3])


def attend(query, keys, heads, mask=None):
    q, k, v = (heads_of(layer(x, int(x.shape[-1])), heads) for x in (query, keys, keys))
    scores = tf.matmul(q, k, transpose_b=True) / np.sqrt(float(q.shape[-1]))
    sums = tf.matmul(tf.nn.softmax(scores if mask is None else scores + mask), v)
    return layer(tf.reshape(tf.transpose(sums, [0, 2, 1, 3]), query.shape), int(query.shape[-1]))


def scaled(x):
    return layer_norm(x) * weights(fresh("scale"), int(x.shape[-1]), scale=1.0) + weights(fresh("offset"), int(x.shape[-1]))


def encoder(x, heads, mask=None, rate=0.0):
    drop = (lambda y: tf.nn.dropout(y, rate=rate)) if rate else tf.identity
    x = scaled(x + drop(attend(x, x, heads, mask)))
    return scaled(x + drop(layer(layer(x, 4 * int(x.shape[-1]), tf.nn.gelu), int(x.shape[-1]))))


def bert(layers, width, heads, rate=0.0):
    def model(ids, lengths):
        mask = (1.0 - tf.cast(tf.sequence_mask(lengths, int(ids.shape[1])), tf.float32)) * -1e4
        x = tf.nn.embedding_lookup(weights(fresh("words"), 8000, width), ids) + weights(fresh("positions"), int(ids.shape[1]), width)
        x = scaled(x)
        for _ in range(layers):
            x = encoder(x, heads, mask[:, None, None, :], rate)
        return x

    return model


def lstm_cell(x, h, c, units, w, b):
    i, j, f, o = tf.split(tf.matmul(tf.concat([x, h], 1), w) + b, 4, 1)
    c = c * tf.sigmoid(f + 1.0) + tf.sigmoid(i) * tf.tanh(j)
    return tf.tanh(c) * tf.sigmoid(o), c


def recurrent(x, units, lengths=None, kind="lstm"):
    """A recurrent layer by a while loop over `[batch, times, depth]`, as tf.nn.dynamic_rnn builds it."""
    batch, times, depth = (int(n) for n in x.shape)
    inputs = tf.TensorArray(tf.float32, times).unstack(tf.transpose(x, [1, 0, 2]))
    w = weights(fresh("kernel"), depth + units, (4 if kind == "lstm" else 2) * units)
    b = weights(fresh("bias"), (4 if kind == "lstm" else 2) * units)
    if kind == "gru":
        candidate, shift = weights(fresh("kernel"), depth + units, units), weights(fresh("bias"), units)

    def body(t, h, c, outputs):
        given = inputs.read(t)
        given.set_shape([batch, depth])
        if kind == "lstm":
            new_h, new_c = lstm_cell(given, h, c, units, w, b)
        else:
            reset, update = tf.split(tf.sigmoid(tf.matmul(tf.concat([given, h], 1), w) + b), 2, 1)
            proposed = tf.tanh(tf.matmul(tf.concat([given, reset * h], 1), candidate) + shift)
            new_h = new_c = update * h + (1.0 - update) * proposed
        if lengths is not None:
            ended = tf.tile((t >= lengths)[:, None], [1, units])
            new_h, new_c = tf.where(ended, h, new_h), tf.where(ended, c, new_c)
        return t + 1, new_h, new_c, outputs.write(t, new_h)

    zeros = tf.zeros([batch, units])
    _, _, _, outputs = tf.while_loop(lambda t, *_: t < times, body, (0, zeros, zeros, tf.TensorArray(tf.float32, times)))
    outputs = tf.transpose(outputs.stack(), [1, 0, 2])
    outputs.set_shape([batch, times, units])
    return outputs


def loss_of(logits, labels):
    return cross_entropy(tf.reshape(logits, [-1, int(logits.shape[-1])]), tf.reshape(labels, [-1]))


# Recurrent models.
def language_model(kind):
    def model(ids, targets):
        x = tf.nn.embedding_lookup(weights(fresh("words"), 5000, 128), ids)
        x = recurrent(recurrent(x, 128, kind=kind), 128, kind=kind)
        return loss_of(layer(x, 5000), targets)

    return model


def tagger(ids, lengths, labels):
    x = tf.nn.embedding_lookup(weights(fresh("words"), 5000, 64), ids)
    forward = recurrent(x, 64, lengths)
    backward = tf.reverse_sequence(recurrent(tf.reverse_sequence(x, lengths, seq_axis=1), 64, lengths), lengths, seq_axis=1)
    weight = tf.cast(tf.sequence_mask(lengths, int(ids.shape[1])), tf.float32)
    return loss_of(layer(tf.concat([forward, backward], 2), 20), labels) * tf.reshape(weight, [-1])


def unrolled(x, labels):
    h = c = tf.zeros([int(x.shape[0]), 128])
    w, b = weights("kernel", int(x.shape[2]) + 128, 512), weights("bias", 512)
    for t in range(int(x.shape[1])):
        h, c = lstm_cell(x[:, t], h, c, 128, w, b)
    return cross_entropy(dense(h, 10, "out"), labels)


def decoder(memory):
    """Greedy decoding with additive attention."""
    batch, _, width = (int(n) for n in memory.shape)
    words, keys = weights("words", 4000, width), layer(memory, width)
    w, b, query = weights("kernel", 3 * width, 4 * width), weights("bias", 4 * width), weights("query", width, width)
    score, out = weights("score", width), weights("out", width, 4000)

    def body(t, token, h, c, tokens):
        energy = tf.reduce_sum(tf.tanh(keys + tf.matmul(h, query)[:, None]) * score, 2)
        context = tf.reduce_sum(tf.nn.softmax(energy)[:, :, None] * memory, 1)
        h, c = lstm_cell(tf.concat([tf.gather(words, token), context], 1), h, c, width, w, b)
        token = tf.argmax(tf.matmul(h, out), 1, output_type=tf.int32)
        return t + 1, token, h, c, tokens.write(t, token)

    zeros = tf.zeros([batch, width])
    start = (0, tf.zeros([batch], tf.int32), zeros, zeros, tf.TensorArray(tf.int32, 30))
    return tf.while_loop(lambda t, *_: t < 30, body, start)[4].stack()


def viterbi(unary):
    steps, tags = int(unary.shape[1]), int(unary.shape[2])
    trans = weights("trans", tags, tags)

    def body(t, best, back):
        through = best[:, :, None] + trans
        return t + 1, tf.reduce_max(through, 1) + tf.gather(unary, t, axis=1), back.write(t, tf.argmax(through, 1, output_type=tf.int32))

    _, best, back = tf.while_loop(lambda t, *_: t < steps, body, (1, unary[:, 0], tf.TensorArray(tf.int32, steps, clear_after_read=False)))
    last = tf.argmax(best, 1, output_type=tf.int32)

    def follow(t, tag, path):
        tag = tf.gather(back.read(t), tag, batch_dims=1)
        return t - 1, tag, path.write(t - 1, tag)

    path = tf.TensorArray(tf.int32, steps).write(steps - 1, last)
    return tf.while_loop(lambda t, *_: t > 0, follow, (steps - 1, last, path))[2].stack()


text, targets, spans = integers(5000, 16, 40), integers(5000, 16, 40), integers(40, 16) + 1
trained((text, targets), adam, lstm_language=language_model("lstm"), gru_language=language_model("gru"))
graph((text, targets), lstm_language=language_model("lstm"), gru_language=language_model("gru"))
trained((text, spans, integers(20, 16, 40)), adam, tagger=tagger)
trained((normal(32, 20, 64), integers(10, 32)), plain, unrolled_lstm=unrolled)
graph(normal(8, 50, 128), attention_decoder=decoder)
graph(normal(16, 60, 24), viterbi=viterbi)


# Transformers.
def classifier(model):
    return lambda ids, lengths, labels: cross_entropy(layer(model(ids, lengths)[:, 0], 10), labels)


def vision_transformer(images):
    patches = tf.reshape(conv(images, 192, 16, 16, tf.identity), [int(images.shape[0]), -1, 192]) + weights("positions", 196, 192)
    for _ in range(4):
        patches = patches + attend(scaled(patches), scaled(patches), 3)
        patches = patches + layer(layer(scaled(patches), 768, tf.nn.gelu), 192)
    return layer(tf.reduce_mean(patches, 1), 1000)


sentences, filled = integers(8000, 8, 64), integers(64, 8) + 1
graph((sentences, filled), bert_small=bert(4, 256, 4), bert_tiny=bert(2, 128, 2))
trained((sentences, filled, integers(10, 8)), adam, bert_small=classifier(bert(2, 256, 4, 0.1)))
graph(normal(2, 224, 224, 3), vision_transformer=vision_transformer)


# Images.
def unet(x, filters=16):
    skips = []
    for _ in range(3):
        x = conv(conv(x, filters), filters)
        skips.append(x)
        x, filters = tf.nn.max_pool2d(x, 2, 2, "SAME"), 2 * filters
    x = conv(conv(x, filters), filters)
    for skip in reversed(skips):
        filters //= 2
        x = conv(conv(tf.concat([conv_transposed(x, filters, 2), skip], 3), filters), filters)
    return conv(x, 2, 1, 1, tf.identity)


def generator(z):
    x = tf.reshape(dense(z, 4 * 4 * 256, fresh("dense")), [int(z.shape[0]), 4, 4, 256])
    for filters in (128, 64, 32):
        x = tf.nn.relu(normed(conv_transposed(tf.nn.relu(x), filters, activation=tf.identity), [0, 1, 2]))
    return conv_transposed(x, 3, activation=tf.tanh)


def discriminator(x):
    for filters in (32, 64, 128, 256):
        x = tf.nn.leaky_relu(conv(x, filters, 4, 2, tf.identity))
    return layer(tf.reshape(x, [int(x.shape[0]), -1]), 1)


def adversarial(z, real):
    logits = discriminator(tf.concat([real, generator(z)], 0))
    labels = tf.concat([tf.ones([int(z.shape[0]), 1]), tf.zeros([int(z.shape[0]), 1])], 0)
    return tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)


def autoencoder(x):
    h = dense(x, 400, "encoder", tf.nn.relu)
    mean, deviation = dense(h, 20, "mean"), dense(h, 20, "deviation")
    z = mean + tf.exp(0.5 * deviation) * tf.random.normal(mean.shape)
    logits = dense(dense(z, 400, "decoder", tf.nn.relu), 784, "image")
    reconstruction = tf.reduce_sum(tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.sigmoid(x), logits=logits), 1)
    return reconstruction - 0.5 * tf.reduce_sum(1 + deviation - mean ** 2 - tf.exp(deviation), 1)


def residual_net(x, labels):
    x = tf.nn.relu(normed(conv(x, 16, activation=tf.identity), [0, 1, 2]))
    for filters, stride in ((16, 1), (32, 2), (64, 2)):
        short = x if stride == 1 else conv(x, filters, 1, stride, tf.identity)
        y = tf.nn.relu(normed(conv(x, filters, 3, stride, tf.identity), [0, 1, 2]))
        x = tf.nn.relu(short + normed(conv(y, filters, activation=tf.identity), [0, 1, 2]))
    return cross_entropy(layer(tf.reduce_mean(x, [1, 2]), 10), labels)


def style(x):
    padded = lambda y, by: tf.pad(y, [[0, 0], [by, by], [by, by], [0, 0]], "REFLECT")
    x = tf.nn.relu(normed(conv(padded(x, 4), 16, 9, activation=tf.identity), [1, 2]))
    for filters in (32, 64):
        x = tf.nn.relu(normed(conv(padded(x, 1), filters, 3, 2, tf.identity), [1, 2]))
    for _ in range(3):
        y = tf.nn.relu(normed(conv(padded(x, 1), 64, activation=tf.identity), [1, 2]))
        x = x + normed(conv(y, 64, activation=tf.identity), [1, 2])[:, 1:-1, 1:-1]
    for filters in (32, 16):
        height, width = 2 * int(x.shape[1]), 2 * int(x.shape[2])
        x = tf.nn.relu(normed(conv(tf.compat.v1.image.resize_nearest_neighbor(x, [height, width]), filters, activation=tf.identity), [1, 2]))
    return conv(x, 3, 9, activation=tf.tanh)


def upscaled(x):
    x = conv(conv(x, 64, 5, activation=tf.tanh), 32, activation=tf.tanh)
    return tf.nn.depth_to_space(conv(x, 27, activation=tf.identity), 3)


def detector(x):
    for filters in (16, 32, 64, 64):
        x = conv(x, filters, 3, 2)
    boxes, scores = (tf.reshape(conv(x, n, activation=tf.identity), [-1, n // 6]) for n in (24, 12))
    corners = tf.sigmoid(boxes)
    boxes = tf.concat([tf.minimum(corners[:, :2], corners[:, 2:]), tf.maximum(corners[:, :2], corners[:, 2:])], 1)
    best = tf.image.non_max_suppression(boxes, tf.nn.softmax(scores)[:, 1], 50, 0.5)
    return tf.gather(boxes, best)


def augmented(images):
    x = tf.image.resize(tf.cast(images, tf.float32) / 255.0, [160, 160])
    x = tf.image.flip_left_right(tf.image.adjust_saturation(tf.image.adjust_hue(x[:, 8:152, 8:152], 0.1), 1.2))
    return tf.image.per_image_standardization(tf.image.adjust_contrast(x, 1.1))


def shuffled(x, groups=4):
    """Units of ShuffleNet."""
    x = conv(x, 64, 3, 2)
    for _ in range(4):
        left, right = tf.split(x, 2, 3)
        right = conv(right, 32, 1)
        right = tf.nn.depthwise_conv2d(right, weights(fresh("depthwise"), 3, 3, 32, 1), [1] * 4, "SAME")
        x = tf.concat([left, conv(right, 32, 1)], 3)
        batch, height, width, depth = (int(n) for n in x.shape)
        x = tf.reshape(tf.transpose(tf.reshape(x, [batch, height, width, 2, depth // 2]), [0, 1, 2, 4, 3]), x.shape)
    return layer(tf.reduce_mean(x, [1, 2]), 100)


small = normal(16, 32, 32, 3)
trained((normal(2, 128, 128, 3), integers(2, 2, 128, 128)), adam, unet=lambda x, y: loss_of(unet(x), y))
graph(normal(1, 128, 128, 3), unet=unet, style=style, upscaled=upscaled)
graph(normal(32, 100), generator=generator)
trained((normal(16, 100), normal(16, 64, 64, 3)), adam, adversarial=adversarial)
trained(normal(128, 784), adam, variational_autoencoder=autoencoder)
trained((normal(32, 32, 32, 3), integers(10, 32)), adam, residual_net=residual_net)
graph(normal(1, 300, 300, 3), detector=detector)
graph(integers(255, 8, 192, 192, 3).astype(np.uint8), augmented=augmented)
graph(normal(4, 128, 128, 3), shuffled=shuffled)


# Sound, sequences and points.
def wavenet(x):
    x, skips = conv_1d(x, 32, 1), 0
    for dilation in (1, 2, 4, 8, 16, 32):
        padded = tf.pad(x, [[0, 0], [dilation, 0], [0, 0]])
        gate = tf.tanh(conv_1d(padded, 32, 2, tf.identity, dilation, "VALID")) * tf.sigmoid(conv_1d(padded, 32, 2, tf.identity, dilation, "VALID"))
        skips, x = skips + conv_1d(gate, 64, 1, tf.identity), x + conv_1d(gate, 32, 1, tf.identity)
    return conv_1d(tf.nn.relu(skips), 256, 1, tf.identity)


def characters(ids):
    x = tf.nn.embedding_lookup(weights("characters", 70, 64), ids)
    for size in (7, 3, 3):
        x = tf.nn.max_pool1d(conv_1d(x, 128, size), 3, 3, "SAME")
    return layer(tf.reduce_max(x, 1), 10)


def spotting(sound):
    spectra = tf.abs(tf.signal.stft(sound, 400, 160, 512))
    mel = tf.tensordot(spectra, tf.signal.linear_to_mel_weight_matrix(40, 257, 16000), 1)
    x = conv(conv(tf.math.log(mel + 1e-6)[..., None], 32, activation=tf.nn.relu), 32, 3, 2)
    return layer(tf.reduce_mean(x, [1, 2]), 12)


def points(x):
    for width in (64, 64, 128, 512):
        x = layer(x, width, tf.nn.relu)
    return layer(layer(tf.reduce_max(x, 1), 256, tf.nn.relu), 40)


def labelling(x, labels):
    logits = layer(recurrent(x, 128), 30)
    return v1.nn.ctc_loss_v2(labels, tf.transpose(logits, [1, 0, 2]), tf.fill([8], 10), tf.fill([8], 50), blank_index=0)


graph(normal(1, 4000, 1), wavenet=wavenet)
graph(integers(70, 32, 300), characters=characters)
graph(normal(8, 16000), spotting=spotting)
graph(normal(8, 1024, 3), points=points)
trained((normal(8, 50, 40), integers(29, 8, 10) + 1), adam, labelling=labelling)


# Tables, recommendations, policies.
def wide_and_deep(ids, numbers, labels):
    deep = [tf.nn.embedding_lookup(weights(fresh("table"), 10000, 16), ids[:, i]) for i in range(8)]
    x = tf.concat([numbers, *deep], 1)
    for width in (256, 128):
        x = layer(x, width, tf.nn.relu)
    wide = tf.add_n([tf.nn.embedding_lookup(weights(fresh("wide"), 10000, 1), ids[:, i]) for i in range(8)])
    return tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=layer(x, 1) + wide)


def crossed(ids, numbers):
    vectors = [tf.nn.embedding_lookup(weights(fresh("table"), 10000, 32), ids[:, i]) for i in range(8)]
    vectors = tf.stack([*vectors, layer(layer(numbers, 64, tf.nn.relu), 32, tf.nn.relu)], 1)
    pairs = tf.matmul(vectors, vectors, transpose_b=True)
    flat = tf.boolean_mask(tf.transpose(pairs, [1, 2, 0]), np.tril(np.ones((9, 9), bool), -1))
    return tf.sigmoid(layer(layer(tf.reshape(tf.transpose(flat), [512, 36]), 128, tf.nn.relu), 1))


def factors(users, items, ratings):
    u, i = (tf.nn.embedding_lookup(weights(name, 20000, 32), x) for name, x in (("users", users), ("items", items)))
    return square(tf.reduce_sum(u * i, 1) - ratings)


def skip_gram(center, context):
    x = tf.nn.embedding_lookup(weights("words", 20000, 128), center)
    return tf.nn.nce_loss(weights("out", 20000, 128), weights("bias", 20000), context[:, None], x, 64, 20000)


def deep_q(states, actions, rewards):
    x = tf.cast(states, tf.float32) / 255.0
    for filters, size, stride in ((32, 8, 4), (64, 4, 2), (64, 3, 1)):
        x = conv(x, filters, size, stride)
    values = layer(layer(tf.reshape(x, [32, -1]), 512, tf.nn.relu), 6)
    error = tf.reduce_sum(values * tf.one_hot(actions, 6), 1) - rewards
    return tf.where(tf.abs(error) < 1, 0.5 * square(error), tf.abs(error) - 0.5)


def mixture(x):
    means, deviations = weights("means", 16, 8), tf.exp(weights("deviations", 16, 8))
    logs = -0.5 * tf.reduce_sum(tf.math.squared_difference(x[:, None], means) / square(deviations), 2) - tf.reduce_sum(tf.math.log(deviations), 1)
    return -tf.reduce_logsumexp(logs, 1)


ids, numbers = integers(10000, 512, 8), normal(512, 13)
trained((ids, numbers, uniform(512, 1)), lambda: v1.train.AdagradOptimizer(0.1), wide_and_deep=wide_and_deep)
graph((ids, numbers), crossed=crossed)
trained((integers(20000, 1024), integers(20000, 1024), uniform(1024)), plain, factors=factors)
trained((integers(20000, 256), integers(20000, 256).astype(np.int64)), plain, skip_gram=skip_gram)
trained((integers(255, 32, 84, 84, 4).astype(np.uint8), integers(6, 32), uniform(32)), lambda: v1.train.RMSPropOptimizer(1e-3), deep_q=deep_q)
trained(normal(4096, 8), adam, mixture=mixture)


# Numerical programs.
def repeated(count, function, *start):
    return tf.while_loop(lambda t, *_: t < count, lambda t, *x: (t + 1, *function(*x)), (0, *start))[1]


def conjugate_gradients(matrix, b):
    system = tf.matmul(matrix, matrix, transpose_b=True) + 500.0 * tf.eye(500)

    def step(x, r, p):
        ap = tf.linalg.matvec(system, p)
        size = tf.reduce_sum(r * r)
        along = size / tf.reduce_sum(p * ap)
        rest = r - along * ap
        return x + along * p, rest, rest + tf.reduce_sum(rest * rest) / size * p

    return repeated(30, step, tf.zeros_like(b), b, b)


def escape(real, imaginary):
    def step(x, y, counts):
        x, y = x * x - y * y + real, 2.0 * x * y + imaginary
        inside = x * x + y * y < 4.0
        return tf.where(inside, x, tf.fill(x.shape, 2.0)), tf.where(inside, y, tf.zeros_like(y)), counts + tf.cast(inside, tf.int32)

    zeros = tf.zeros_like(real)
    return tf.while_loop(lambda t, *_: t < 50, lambda t, *x: (t + 1, *step(*x)), (0, zeros, zeros, tf.cast(zeros, tf.int32)))[3]


def life(cells):
    around = tf.constant(np.array([[1, 1, 1], [1, 0, 1], [1, 1, 1]], np.float32)[:, :, None, None])

    def step(x):
        near = tf.nn.conv2d(x, around, 1, "SAME")
        return (tf.cast(tf.logical_or(tf.equal(near, 3.0), tf.logical_and(tf.equal(near, 2.0), x > 0.5)), tf.float32),)

    return repeated(20, step, cells)


def bodies(places, speeds):
    def step(x, v):
        apart = x[None] - x[:, None]
        near = tf.reduce_sum(square(apart), 2) + 0.01
        v = v + 1e-3 * tf.reduce_sum(apart * (near ** -1.5)[:, :, None], 1)
        return x + 1e-3 * v, v

    return repeated(10, step, places, speeds)


def clusters(x):
    def step(centers):
        nearest = tf.argmin(tf.reduce_sum(square(x[:, None] - centers), 2), 1, output_type=tf.int32)
        sums, counts = tf.math.unsorted_segment_sum(x, nearest, 16), tf.math.unsorted_segment_sum(tf.ones([2000, 1]), nearest, 16)
        return (sums / tf.maximum(counts, 1.0),)

    return repeated(10, step, x[:16])


def ranks(edges):
    sources, ends = edges[:, 0], edges[:, 1]
    degrees = tf.maximum(tf.math.unsorted_segment_sum(tf.ones([20000]), sources, 2000), 1.0)
    step = lambda r: (0.15 / 2000 + 0.85 * tf.math.unsorted_segment_sum(tf.gather(r / degrees, sources), ends, 2000),)
    return repeated(20, step, tf.fill([2000], 1 / 2000))


def regression(x, y):
    def step(w):
        predicted = tf.sigmoid(tf.matmul(x, w))
        return (w - 0.01 * tf.matmul(x, predicted - y, transpose_a=True),)

    return repeated(50, step, tf.zeros([64, 1]))


def filtered(x):
    gain, move, see = tf.eye(4) * 0.1, tf.constant(np.eye(4, k=1, dtype=np.float32) * 0.1 + np.eye(4, dtype=np.float32)), tf.eye(4)
    values = tf.TensorArray(tf.float32, 100).unstack(x)

    def step(t, state, spread):
        state, spread = tf.matmul(move, state), tf.matmul(move, tf.matmul(spread, move, transpose_b=True)) + gain
        share = tf.matmul(spread, tf.linalg.inv(spread + see))
        return t + 1, state + tf.matmul(share, values.read(t) - state), tf.matmul(see - share, spread)

    return tf.while_loop(lambda t, *_: t < 100, step, (0, tf.zeros([4, 1]), tf.eye(4)))[1]


graph((normal(500, 500), normal(500)), conjugate_gradients=conjugate_gradients)
graph((normal(256, 256), normal(256, 256)), escape=escape)
graph((random := (uniform(1, 256, 256, 1) > 0.7).astype(np.float32)), life=life)
graph((normal(200, 3), normal(200, 3)), bodies=bodies)
graph(normal(2000, 16), clusters=clusters)
graph(integers(2000, 20000, 2), ranks=ranks)
graph((normal(1000, 64), uniform(1000, 1)), regression=regression)
graph(normal(100, 4, 1), filtered=filtered)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", required=True)
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    v1.disable_eager_execution()
    v1.disable_control_flow_v2()
    for name in args.names or GRAPHS:
        op_graphs.write(name, args.out)


if __name__ == "__main__":
    main()

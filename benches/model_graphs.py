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
    made = dense(flat, units, fresh("dense"), activation)
    return made if x.shape.rank == 2 else tf.reshape(made, [*x.shape[:-1], units])


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
graph((uniform(1, 256, 256, 1) > 0.7).astype(np.float32), life=life)
graph((normal(200, 3), normal(200, 3)), bodies=bodies)
graph(normal(2000, 16), clusters=clusters)
graph(integers(2000, 20000, 2), ranks=ranks)
graph((normal(1000, 64), uniform(1000, 1)), regression=regression)
graph(normal(100, 4, 1), filtered=filtered)


# Graphs and sets.
def sparse_network(x, edges):
    """Layers of a graph convolution by a sparse adjacency matrix."""
    adjacency = tf.sparse.reorder(tf.SparseTensor(tf.cast(edges, tf.int64), tf.fill([8000], 0.1), [1000, 1000]))
    for width in (64, 16):
        x = tf.nn.relu(tf.sparse.sparse_dense_matmul(adjacency, layer(x, width)))
    return tf.nn.log_softmax(x)


def graph_attention(x, sources, ends):
    h = layer(x, 64)
    energy = tf.nn.leaky_relu(tf.gather(layer(h, 1), sources) + tf.gather(layer(h, 1), ends))
    highest = tf.gather(tf.math.unsorted_segment_max(energy, ends, 1000), ends)
    share = tf.exp(energy - highest)
    share /= tf.gather(tf.math.unsorted_segment_sum(share, ends, 1000), ends) + 1e-9
    return tf.nn.elu(tf.math.unsorted_segment_sum(share * tf.gather(h, sources), ends, 1000))


def bags(ids, rows, labels):
    lengths = tf.stack([tf.cast(rows, tf.int64), tf.cast(tf.range(2000), tf.int64)], 1)
    sparse = tf.SparseTensor(lengths, ids, [128, 2000])
    x = tf.nn.embedding_lookup_sparse(weights(fresh("table"), 10000, 64), sparse, None, combiner="mean")
    x.set_shape([None, 64])
    return cross_entropy(layer(layer(x, 64, tf.nn.relu), 10), labels)


def machine(ids, values):
    """A factorization machine."""
    v = tf.nn.embedding_lookup(weights(fresh("factors"), 10000, 16), ids) * values[:, :, None]
    pairs = 0.5 * tf.reduce_sum(square(tf.reduce_sum(v, 1)) - tf.reduce_sum(square(v), 1), 1)
    linear = tf.reduce_sum(tf.nn.embedding_lookup(weights(fresh("linear"), 10000, 1), ids)[:, :, 0] * values, 1)
    return tf.sigmoid(linear + pairs)


graph((normal(1000, 128), np.unique(integers(1000, 20000, 2), axis=0)[:8000].astype(np.int32)), sparse_network=sparse_network)
graph((normal(1000, 128), integers(1000, 8000), integers(1000, 8000)), graph_attention=graph_attention)
trained((integers(10000, 2000), np.sort(integers(128, 2000)), integers(10, 128)), adam, bags=bags)
graph((integers(10000, 512, 20), uniform(512, 20)), machine=machine)


# More of images.
def video(x):
    for filters in (8, 16, 32):
        w = weights(fresh("kernel"), 3, 3, 3, int(x.shape[-1]), filters)
        x = tf.nn.max_pool3d(tf.nn.relu(tf.nn.conv3d(x, w, [1] * 5, "SAME")), 2, 2, "SAME")
    return layer(tf.reduce_mean(x, [1, 2, 3]), 10)


def separable(x, labels):
    for filters in (32, 64, 128):
        d = int(x.shape[-1])
        x = tf.nn.separable_conv2d(x, weights(fresh("depthwise"), 3, 3, d, 1), weights(fresh("pointwise"), 1, 1, d, filters), [1] * 4, "SAME")
        x = tf.nn.max_pool2d(tf.nn.relu(normed(x, [0, 1, 2])), 2, 2, "SAME")
    return cross_entropy(layer(tf.reduce_mean(x, [1, 2]), 10), labels)


def excited(x, labels):
    """Grouped convolutions with squeeze and excitation."""
    x = conv(x, 32)
    for _ in range(2):
        y = tf.nn.relu(normed(tf.nn.conv2d(x, weights(fresh("grouped"), 3, 3, 8, 32), 1, "SAME"), [0, 1, 2]))
        share = layer(layer(tf.reduce_mean(y, [1, 2]), 8, tf.nn.relu), 32, tf.sigmoid)
        x = x + y * share[:, None, None]
    return cross_entropy(layer(tf.reduce_mean(x, [1, 2]), 10), labels)


def convolutional_lstm(x):
    w = weights("kernel", 3, 3, 3 + 16, 64)

    def body(t, h, c):
        i, j, f, o = tf.split(tf.nn.conv2d(tf.concat([x[:, t], h], 3), w, 1, "SAME"), 4, 3)
        c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(j)
        return t + 1, tf.sigmoid(o) * tf.tanh(c), c

    zeros = tf.zeros([4, 32, 32, 16])
    return tf.while_loop(lambda t, *_: t < 10, body, (0, zeros, zeros))[1]


def contrastive(a, b):
    def embedded(x):
        return tf.nn.l2_normalize(layer(tf.reduce_mean(conv(conv(x, 32, 3, 2), 64, 3, 2), [1, 2]), 64), 1)

    logits = tf.matmul(embedded(a), embedded(b), transpose_b=True) * 10.0
    return cross_entropy(logits, tf.range(32)) + cross_entropy(tf.transpose(logits), tf.range(32))


def mixer(images):
    x = tf.reshape(conv(images, 128, 16, 16, tf.identity), [4, 196, 128])
    for _ in range(4):
        y = tf.transpose(scaled(x), [0, 2, 1])
        x = x + tf.transpose(layer(layer(y, 64, tf.nn.gelu), 196), [0, 2, 1])
        x = x + layer(layer(scaled(x), 512, tf.nn.gelu), 128)
    return layer(tf.reduce_mean(x, 1), 100)


def regions(features, boxes):
    crops = tf.image.crop_and_resize(features, boxes, tf.zeros([100], tf.int32), [7, 7])
    h = layer(layer(tf.reshape(crops, [100, -1]), 256, tf.nn.relu), 256, tf.nn.relu)
    scores, deltas = tf.nn.softmax(layer(h, 21)), tf.reshape(layer(h, 84), [100, 21, 4])
    best = tf.image.combined_non_max_suppression((boxes[:, None] + 0.1 * deltas)[None], scores[None], 10, 20)
    return best.nmsed_boxes


def fake_images(images, labels):
    """The gradient of a loss with respect to the images, as in adversarial examples."""
    x = conv(conv(images, 32, 3, 2), 64, 3, 2)
    loss = cross_entropy(layer(tf.reshape(x, [16, -1]), 10), labels)
    return images + 0.01 * tf.sign(tf.gradients(loss, images)[0])


corners = np.sort(uniform(100, 2, 2), axis=1).reshape(100, 4)
graph(normal(2, 16, 32, 32, 3), video=video)
trained((small, integers(10, 16)), adam, separable=separable, excited=excited)
graph(normal(4, 10, 32, 32, 3), convolutional_lstm=convolutional_lstm)
trained((normal(32, 32, 32, 3), normal(32, 32, 32, 3)), adam, contrastive=contrastive)
graph(normal(4, 224, 224, 3), mixer=mixer)
graph((normal(1, 38, 38, 64), corners), regions=regions)
graph((small, integers(10, 16)), fake_images=fake_images)


# More of sequences.
def experts(x):
    """Two of eight experts for each position, chosen by a gate."""
    gates = tf.nn.softmax(layer(x, 8))
    values, chosen = tf.nn.top_k(gates, 2)
    share = tf.reduce_sum(tf.one_hot(chosen, 8) * values[..., None], 1)
    up, down = weights("up", 8, 128, 256), weights("down", 8, 256, 128)
    hidden = tf.nn.relu(tf.einsum("nd,edh->neh", x, up))
    return tf.einsum("neh,ehd,ne->nd", hidden, down, share)


def cached(token, keys, values):
    """A step of a decoder with the keys and values of the positions before."""
    x = token
    for i in range(4):
        y = scaled(x)
        q, k, v = (tf.reshape(layer(y, 256), [1, 4, 1, 64]) for _ in range(3))
        all_keys, all_values = tf.concat([keys[i], k], 2), tf.concat([values[i], v], 2)
        sums = tf.matmul(tf.nn.softmax(tf.matmul(q, all_keys, transpose_b=True) * 0.125), all_values)
        x = x + layer(tf.reshape(sums, [1, 256]), 256)
        x = x + layer(layer(scaled(x), 1024, tf.nn.gelu), 256)
    return layer(x, 8000)


def beams(x):
    """A beam search over a recurrent cell."""
    w, out, table = weights("kernel", 128, 64), weights("out", 64, 500), weights("words", 500, 64)

    def body(t, h, scores, tokens):
        h = tf.tanh(tf.matmul(tf.concat([tf.gather(table, tokens[:, -1]), h], 1), w))
        total = tf.reshape(scores[:, None] + tf.nn.log_softmax(tf.matmul(h, out)), [-1])
        scores, best = tf.nn.top_k(total, 5)
        beam = best // 500
        return t + 1, tf.gather(h, beam), scores, tf.concat([tf.gather(tokens, beam), (best % 500)[:, None]], 1)

    start = (0, tf.tile(x, [5, 1]), tf.zeros([5]), tf.zeros([5, 1], tf.int32))
    shapes = (tf.TensorShape([]), tf.TensorShape([5, 64]), tf.TensorShape([5]), tf.TensorShape([5, None]))
    return tf.while_loop(lambda t, *_: t < 20, body, start, shape_invariants=shapes)[3]


def temporal(x, labels):
    for dilation in (1, 2, 4, 8):
        padded = tf.pad(x, [[0, 0], [2 * dilation, 0], [0, 0]])
        y = conv_1d(padded, 32, 3, tf.nn.relu, dilation, "VALID")
        x = y + (x if int(x.shape[-1]) == 32 else conv_1d(x, 32, 1, tf.identity))
    return cross_entropy(layer(x[:, -1], 10), labels)


def translated(source, target):
    """An encoder and a decoder, trained."""
    words = weights(fresh("words"), 4000, 128)
    memory, x = tf.nn.embedding_lookup(words, source), tf.nn.embedding_lookup(words, target)
    memory = encoder(encoder(memory, 4), 4)
    causal = tf.constant(np.triu(np.full((32, 32), -1e9, np.float32), 1))
    x = scaled(x + attend(x, x, 4, causal))
    x = scaled(x + attend(x, memory, 4))
    x = scaled(x + layer(layer(x, 512, tf.nn.relu), 128))
    return loss_of(tf.matmul(tf.reshape(x, [-1, 128]), words, transpose_b=True), target)


graph(normal(256, 128), experts=experts)
graph((normal(1, 256), normal(4, 1, 4, 200, 64), normal(4, 1, 4, 200, 64)), cached=cached)
graph(normal(1, 64), beams=beams)
trained((normal(16, 200, 8), integers(10, 16)), adam, temporal=temporal)
trained((integers(4000, 8, 32), integers(4000, 8, 32)), adam, translated=translated)


# Policies, probability and linear algebra.
def policy(states, actions, rewards):
    returns = tf.scan(lambda total, r: r + 0.99 * total, rewards, reverse=True)
    logits = layer(layer(states, 64, tf.tanh), 4)
    advantage = (returns - tf.reduce_mean(returns)) / (tf.math.reduce_std(returns) + 1e-6)
    return cross_entropy(logits, actions) * tf.stop_gradient(advantage)


def flow(x):
    """Affine couplings."""
    total = 0.0
    for i in range(4):
        a, b = tf.split(x, 2, 1)
        scale, shift = tf.split(layer(layer(a, 64, tf.nn.relu), 32), 2, 1)
        scale = tf.tanh(scale)
        x, total = tf.concat([b * tf.exp(scale) + shift, a], 1), total + tf.reduce_sum(scale, 1)
    return 0.5 * tf.reduce_sum(square(x), 1) - total


def process(x, y, where):
    """The prediction of a Gaussian process."""
    kernel = lambda a, b: tf.exp(-0.5 * tf.reduce_sum(tf.math.squared_difference(a[:, None], b[None]), 2))
    factor = tf.linalg.cholesky(kernel(x, x) + 0.1 * tf.eye(300))
    return tf.matmul(kernel(where, x), tf.linalg.cholesky_solve(factor, y))


def components(x):
    centered = x - tf.reduce_mean(x, 0)
    values, vectors = tf.linalg.eigh(tf.matmul(centered, centered, transpose_a=True) / 1000.0)
    return tf.matmul(centered, vectors[:, -4:]) / tf.sqrt(values[-4:])


def least_squares(x, y):
    q, r = tf.linalg.qr(x)
    return tf.linalg.triangular_solve(r, tf.matmul(q, y, transpose_a=True), lower=False)


def spectra(x):
    return tf.math.real(tf.signal.ifft2d(tf.signal.fft2d(tf.cast(x, tf.complex64)) * tf.cast(tf.sigmoid(x), tf.complex64)))


def doubles(x):
    for i in range(3):
        w = tf.constant(np.random.RandomState(i).randn(256, 256) * 0.06)
        x = tf.tanh(tf.matmul(x, w))
    return tf.reduce_sum(x * x, 1)


def ising(spins):
    near = lambda x: tf.roll(x, 1, 0) + tf.roll(x, -1, 0) + tf.roll(x, 1, 1) + tf.roll(x, -1, 1)
    checkered = tf.constant((np.indices((128, 128)).sum(0) % 2).astype(np.float32))

    def step(x):
        for mask in (checkered, 1.0 - checkered):
            x = tf.where(tf.logical_and(mask > 0.5, x * near(x) < 1.0), -x, x)
        return (x,)

    return repeated(20, step, spins)


def descent(x, y):
    """Gradient descent within the graph."""
    def step(w, b):
        loss = tf.reduce_mean(square(tf.matmul(x, w)[:, 0] + b - y))
        dw, db = tf.gradients(loss, [w, b])
        return w - 0.1 * dw, b - 0.1 * db

    return repeated(30, step, tf.zeros([32, 1]), tf.zeros([]))


def order(x):
    places = tf.argsort(x, direction="DESCENDING")
    ranked = tf.gather(x, places, batch_dims=1)
    gains = tf.cumsum(ranked / tf.math.log(tf.range(2.0, 502.0)), 1)
    return tf.reduce_max(gains, 1) + tf.cast(tf.math.count_nonzero(x > 0.0, 1), tf.float32)


trained((normal(200, 16), integers(4, 200), uniform(200)), plain, policy=policy)
trained(normal(256, 32), adam, flow=flow)
graph((normal(300, 4), normal(300, 1), normal(500, 4)), process=process)
graph(normal(1000, 64), components=components)
graph((normal(400, 50), normal(400, 1)), least_squares=least_squares)
graph(normal(4, 128, 128), spectra=spectra)
graph(np.random.RandomState(5).randn(128, 256), doubles=doubles)
graph(np.sign(normal(128, 128)), ising=ising)
graph((normal(500, 32), normal(500)), descent=descent)
graph(normal(64, 500), order=order)


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

"""Records TensorFlow's answers to random input pipelines, to find differences that no written case has.

    pip install tensorflow-cpu
    python tests/golden/random_pipelines.py pipelines.jsonl --seed 0 --count 500
    levada verify pipelines.jsonl

A pipeline is a source and up to six transformations, read to its end and from the start again, by an iterator of its own
or by two that share its datasets. A seed gives the same pipeline on every run of one TensorFlow version. Pipelines that
TensorFlow refuses are left out; those that crash it (seed 230) end the script.
"""

import random

import numpy as np
from record import step, tf, v1, write_random

Data = tf.data.Dataset
# Elements that are read, at most.
MOST = 14


def spec_of(dataset):
    return tf.nest.flatten(dataset.element_spec)


def is_dense(dataset):
    return all(isinstance(spec, tf.TensorSpec) for spec in spec_of(dataset))


def has_rows(dataset):
    """Whether every component has a first dimension, of one size."""
    shapes = [spec.shape for spec in spec_of(dataset)]
    return is_dense(dataset) and all(shape.rank for shape in shapes) and len({shape[0] for shape in shapes}) == 1


def flat(element):
    return tf.nest.flatten(element, expand_composites=True)


def number(*element):
    """An int64 that depends on the first component."""
    x = flat(element)[0]
    if x.dtype == tf.string:
        x = tf.strings.length(x)
    if x.dtype.is_floating:
        x = tf.floor(tf.clip_by_value(x, -1e6, 1e6))
    return tf.reduce_sum(tf.cast(x, tf.int64) % 1000)


def single(*element):
    return element[0] if len(element) == 1 else element


class Pipeline:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.numbers = np.random.RandomState(seed)

    def chance(self, probability):
        return self.random.random() < probability

    def some(self, *values):
        return self.random.choice(values)

    def source(self):
        n = self.random.randint(1, 12)
        words = [" ".join(f"w{j * 7 % 5}" for j in range(i % 4 + 1)) for i in range(n)]
        rows = [list(self.numbers.randint(0, 9, self.random.randint(0, 4))) for _ in range(n)]
        return self.some(
            lambda: Data.range(n), lambda: Data.range(self.random.randint(-3, 3), n * 2, self.random.randint(1, 3)),
            lambda: Data.from_tensor_slices(self.numbers.randn(n, 3).astype(np.float32)),
            lambda: Data.from_tensor_slices({"a": self.numbers.randint(0, 9, n).astype(np.int32), "b": self.numbers.randn(n).astype(np.float32)}),
            lambda: Data.from_tensor_slices((self.numbers.randint(0, 9, (n, 2)), np.array(words, dtype="S"))),
            lambda: Data.random(seed=self.random.randint(1, 99)).take(n), lambda: Data.range(n).map(lambda x: tf.range(x % 4)),
            lambda: Data.from_tensor_slices(tf.ragged.constant(rows, dtype=tf.int64, ragged_rank=1)),
            lambda: Data.from_tensor_slices(tf.sparse.from_dense(self.numbers.randint(0, 3, (n, 4)))),
            lambda: Data.from_tensor_slices(np.array(words, dtype="S")).map(tf.strings.split),
            lambda: Data.range(n).map(lambda x: {"x": x, "y": tf.fill([x % 3], x)}),
        )()

    def changed(self, x):
        """A function of a component."""
        if not isinstance(x, tf.Tensor) or x.dtype == tf.bool:
            return x
        if x.dtype == tf.string:
            return tf.strings.join([x, "x"])
        c = self.random.randint(1, 5)
        return self.some(
            lambda: x + tf.cast(c, x.dtype), lambda: tf.cast(x, tf.float32) * 0.5, lambda: tf.cast(x, tf.int64), lambda: tf.reduce_sum(x),
            lambda: tf.stack([x, x]), lambda: tf.where(x > tf.cast(c, x.dtype), x, -x),
        )()

    def branch(self, *element):
        n = number(*element)
        return tf.cond(n % 2 == 0, lambda: tf.cast(n, tf.float32) * 0.5, lambda: 1.0)

    def loop(self, *element):
        n = number(*element) % 5
        return tf.while_loop(lambda i, _: i < n, lambda i, x: (i + 1, x * 2), [tf.constant(0, tf.int64), tf.constant(1, tf.int64)])[1]

    def noise(self, *element):
        return number(*element) + tf.random.uniform([], 0, 100, tf.int64, seed=self.random.randint(1, 9))

    def added(self, total, *element):
        total += number(*element)
        return total, total

    def transformed(self, data):
        c, seed, parallel = self.random.randint(1, 4), self.random.randint(1, 99), self.some(None, 2, tf.data.AUTOTUNE)
        rest = self.chance(0.4)
        zero = tf.constant(0, tf.int64)
        choices = Data.from_tensor_slices(np.array([self.random.randrange(2) for _ in range(9)]))
        return self.some(
            lambda: data.map(lambda *x: tf.nest.map_structure(self.changed, single(*x)), parallel), lambda: data.map(self.branch), lambda: data.map(self.loop),
            lambda: data.map(self.noise), lambda: data.map(lambda *x: (single(*x), number(*x))),
            lambda: data.map(lambda *x: Data.range(number(*x) % 5).reduce(zero, lambda total, y: total + y)),
            lambda: data.map(lambda *x: tf.debugging.check_numerics(1.0 / tf.cast(number(*x) - c, tf.float32), "zero")).ignore_errors(),
            lambda: data.filter(lambda *x: number(*x) % (c + 1) != 0), lambda: data.take_while(lambda *x: number(*x) < 10 * c),
            lambda: data.batch(c, rest, self.some(None, 2)), lambda: data.ragged_batch(c, rest), lambda: data.unbatch() if has_rows(data) else data.batch(c).unbatch(),
            lambda: data.padded_batch(c, drop_remainder=rest) if is_dense(data) else data.batch(c),
            lambda: data.rebatch(c, rest) if has_rows(data) else data.batch(c).rebatch(2, rest),
            lambda: data.shuffle(self.random.randint(1, 8), seed, self.some(None, True, False)), lambda: data.repeat(self.random.randint(1, 3)),
            lambda: data.take(self.random.randint(0, 9)), lambda: data.skip(c), lambda: data.shard(self.some(2, 3), self.some(0, 1)), lambda: data.enumerate(c),
            lambda: data.cache(), lambda: data.prefetch(self.some(0, 1, 3, tf.data.AUTOTUNE)), lambda: Data.zip((data, Data.counter(c, 2))),
            lambda: Data.zip((data, data)), lambda: Data.zip((data.skip(1), data)), lambda: data.concatenate(data.take(2)),
            lambda: Data.choose_from_datasets([data, data.skip(1)], choices, self.chance(0.5)),
            lambda: Data.sample_from_datasets([data, data.take(3)], [0.6, 0.4], seed, self.chance(0.5)),
            lambda: data.interleave(lambda *x: Data.range(number(*x) % 4), self.random.randint(1, 4), self.random.randint(1, 3), parallel),
            lambda: data.flat_map(lambda *x: Data.from_tensors(single(*x)).repeat(number(*x) % 3)),
            lambda: data.flat_map(lambda *x: Data.range(number(*x) % 4).map(self.noise)),
            lambda: data.scan(zero, lambda total, *x: self.added(total, *x)),
            lambda: data.window(self.random.randint(1, 4), self.random.randint(1, 3), self.some(1, 2), rest).flat_map(lambda *w: tf.nest.flatten(w)[0].batch(5)),
            lambda: data.group_by_window(lambda *x: number(*x) % 3, lambda key, w: Data.zip((Data.from_tensors(key).repeat(), w.take(3))), window_size=c),
        )()

    def build(self, tf, v1):
        """The steps of the pipeline."""
        v1.set_random_seed(self.random.randint(1, 1000))
        data = self.source()
        for _ in range(self.random.randint(1, 6)):
            data = self.transformed(data)
        if self.chance(0.4):
            options = tf.data.Options()
            options.experimental_optimization.apply_default_optimizations = self.some(True, False)
            if self.chance(0.5):
                options.deterministic = True
            data = data.with_options(options)
        iterators = [v1.data.make_initializable_iterator(part) for part in self.some([data], [data], [data.take(5), data.skip(1)])]
        first = [step([], targets=[it.initializer]) for it in iterators]
        following = [x for it in iterators for x in flat(it.get_next())]
        with v1.Session() as session:
            n = self.read(session, first, following)
        steps = [*first, *[step(following)] * n]
        if n < MOST:
            steps.append(step(following, error="OUT_OF_RANGE"))
        if self.chance(0.5):
            steps += [*first, *[step(following)] * min(n, 4)]
        if n < MOST and self.chance(0.3):
            steps.append(step(data.reduce(tf.constant(0, tf.int64), lambda total, *x: total + number(*x))))
        return steps

    @staticmethod
    def read(session, first, following):
        """How many elements there are, up to MOST."""
        for made in first:
            session.run(made["targets"])
        for n in range(MOST):
            try:
                session.run(following)
            except tf.errors.OutOfRangeError:
                return n
        return MOST


if __name__ == "__main__":
    write_random("pipeline", __doc__, lambda seed: (Pipeline(seed).build, {}))

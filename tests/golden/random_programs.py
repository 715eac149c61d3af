"""Records TensorFlow's answers to random programs, to find differences that no written case has.

    pip install tensorflow-cpu
    python tests/golden/random_programs.py programs.jsonl --seed 0 --count 500
    levada verify programs.jsonl

A program computes with matrices, rows, columns and scalars of one dtype, in nested conditions, loops and TensorArrays of either
kind of control flow. It may have variables that its steps change, gradients, and control dependencies on all that it
returns. A seed gives the same program on every run of one TensorFlow version. Programs that TensorFlow refuses are left
out.

Values are clipped, so that rounding errors stay small; where they decide a comparison or a cast to an integer, results differ all the
same.
"""

import random

import numpy as np
from record import step, tf, v1, write_random

SIZES = [1, 2, 3, 5, 8, 17]
# Loops within loops, at most.
DEPTH = 2


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.dtype = self.random.choice([tf.float32, tf.float32, tf.float32, tf.float64])
        self.shape = [self.random.choice(SIZES) for _ in range(2)]
        self.depth = 0

    def chance(self, probability):
        return self.random.random() < probability

    def numbers(self, shape):
        count = int(np.prod(shape))
        return np.array([self.random.gauss(0, 1) for _ in range(count)]).reshape(shape).astype(self.dtype.as_numpy_dtype)

    def whole(self, x):
        return x + tf.zeros(self.shape, self.dtype)

    def some(self, pool):
        return self.random.choice(pool)

    def node(self, pool):
        """A function of values in the pool."""
        if self.depth < DEPTH and self.chance(0.16):
            self.depth += 1
            made = self.random.choice([self.condition, self.loop, self.loop, self.rows, self.array])(pool)
            self.depth -= 1
            return made
        x, y = self.some(pool), self.some(pool)
        rows, columns = self.shape
        axis = self.random.randrange(2)
        simple = [
            lambda: x + y, lambda: x - y, lambda: clipped(x * y), lambda: x / (1.0 + tf.square(y)), lambda: tf.maximum(x, y),
            lambda: tf.tanh(x), lambda: tf.sigmoid(x), lambda: tf.nn.relu(x), lambda: tf.exp(-tf.abs(x)), lambda: tf.sqrt(tf.abs(x) + 0.1),
            lambda: tf.square(clipped(x)), lambda: tf.identity(x), lambda: tf.stop_gradient(x), lambda: tf.constant(self.numbers([])) * x,
            lambda: tf.cast(tf.cast(clipped(x) * 3.0, tf.int32) % 4, self.dtype),
        ]
        of_matrices = [
            lambda a, b: tf.where(a > b, a, b * 0.5), lambda a, b: tf.add_n([a, b, self.whole(self.some(pool))]),
            lambda a, b: tf.concat([a, b], 1)[:, -columns:], lambda a, b: tf.concat([a, b], 0)[:rows],
            lambda a, b: tf.reduce_sum(a, axis, keepdims=True) * 0.2, lambda a, b: tf.reduce_mean(a), lambda a, b: tf.nn.softmax(a),
            lambda a, b: clipped(tf.matmul(a, tf.constant(self.numbers([columns, columns])))),
            lambda a, b: tf.matmul(a, b, transpose_a=True)[:1] * 0.1, lambda a, b: tf.transpose(tf.transpose(a) * 2.0),
            lambda a, b: tf.reverse(a, [axis]), lambda a, b: tf.cumsum(a, axis) * 0.3,
            lambda a, b: tf.gather(a, tf.constant([self.random.randrange(rows) for _ in range(rows)])),
            lambda a, b: tf.stack(tf.unstack(a, rows)[::-1]), lambda a, b: tf.concat(tf.split(a, columns, 1)[::-1], 1),
        ]
        if self.chance(0.5):
            return self.random.choice(simple)()
        return self.random.choice(of_matrices)(self.whole(x), self.whole(y))

    def grown(self, pool, count):
        pool = list(pool)
        for _ in range(count):
            pool.append(self.node(pool))
        return pool

    def result(self, pool, most):
        return clipped(self.whole(self.grown(pool, self.random.randint(1, most))[-1]))

    def condition(self, pool):
        is_true = tf.reduce_sum(self.some(pool)) > self.random.gauss(0, 1)
        return tf.cond(is_true, lambda: self.result(pool, 4), lambda: self.result(pool, 3))

    def loop(self, pool):
        count, carried, ends_early = self.random.randint(0, 5), self.random.randint(1, 2), self.chance(0.3)

        def goes_on(i, *values):
            return tf.logical_and(i < count, tf.reduce_sum(values[0]) < 50.0) if ends_early else i < count

        def body(i, *values):
            inner = self.grown([*pool, *values, tf.cast(i, self.dtype)], self.random.randint(carried, 4))
            return i + 1, *[clipped(self.whole(x)) for x in inner[-carried:]]

        start = [self.whole(self.some(pool)) for _ in range(carried)]
        iterations = self.random.choice([1, 10])
        return tf.while_loop(goes_on, body, [tf.constant(0), *start], parallel_iterations=iterations)[-1]

    def rows(self, pool):
        x, y = self.whole(self.some(pool)), self.some(pool)
        if self.chance(0.5):
            return tf.map_fn(lambda row: clipped(tf.tanh(row) * row + tf.reduce_mean(y)), x)
        return tf.scan(lambda total, row: clipped(total * 0.5 + row), x, initializer=tf.zeros(self.shape[1:], self.dtype))

    def array(self, pool):
        x, y, count = self.some(pool), self.some(pool), self.random.randint(1, 5)

        def body(i, array):
            return i + 1, array.write(i, clipped(self.whole(x) * tf.cast(i, self.dtype) + y))

        start = tf.TensorArray(self.dtype, count, element_shape=self.shape)
        array = tf.while_loop(lambda i, _: i < count, body, [0, start])[1]
        return tf.reduce_sum(array.stack(), 0) if self.chance(0.5) else array.read(self.random.randrange(count))

    def build(self, tf, v1):
        """The steps of the program."""
        (v1.enable_control_flow_v2 if self.chance(0.5) else v1.disable_control_flow_v2)()
        rows, columns = self.shape
        shapes = [[rows, columns], [rows, columns], [rows, 1], [1, columns], []]
        is_known = self.chance(0.6)
        inputs = [v1.placeholder(self.dtype, s if is_known else [None] * len(s), f"x{i}") for i, s in enumerate(shapes)]
        variables = [v1.get_variable(f"v{i}", initializer=self.numbers(self.shape), use_resource=self.chance(0.5))
                     for i in range(self.random.randint(0, 2))]
        pool = self.grown([*inputs, *[v.read_value() for v in variables]], self.random.randint(8, 45))
        loss = tf.reduce_mean(clipped(pool[-1]) * self.whole(self.some(pool[-5:])))
        fetches, targets = [pool[-1], self.some(pool)], []
        if self.chance(0.6):
            gradients = tf.gradients(loss, inputs + variables)
            fetches += [tf.convert_to_tensor(g) for g in gradients if g is not None]
            if any(g is not None for g in gradients[len(inputs):]):
                with tf.control_dependencies(fetches):
                    targets.append(v1.train.GradientDescentOptimizer(0.05).minimize(loss, var_list=variables))
        elif variables:
            with tf.control_dependencies(fetches):
                targets.append(v1.assign(variables[0], clipped(self.whole(pool[-1]))).op)
        steps = [step([], targets=[v1.global_variables_initializer()])] if variables else []
        for _ in range(self.random.randint(1, 3)):
            steps.append(step(fetches, {x: self.numbers(s) for x, s in zip(inputs, shapes)}, targets))
        return steps


def clipped(x):
    return tf.clip_by_value(x, -10.0, 10.0)


def of_seed(seed):
    program = Program(seed)
    rtol, atol = (1e-8, 1e-9) if program.dtype == tf.float64 else (2e-4, 2e-5)
    return program.build, {"rtol": rtol, "atol": atol}


if __name__ == "__main__":
    write_random("program", __doc__, of_seed)

"""Handwritten digits, learned by a program of TensorFlow 1: a queue of shuffled batches, summaries, a saver.

    python digits.py                                  runs it on TensorFlow and on Levada, and compares
    python -m levada.compat.tensorflow digits.py one  runs it unmodified, on Levada
"""

import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import tensorflow.compat.v1 as tf

DIGITS = Path(__file__).parents[2] / "graphs" / "digits"
STEPS = 200


def train(directory):
    """A typical old TensorFlow script. Returns the accuracy on the test images."""
    images = np.load(DIGITS / "train_images.npy").reshape(-1, 64).astype(np.float32)
    labels = np.load(DIGITS / "train_labels.npy").astype(np.int64)
    with tf.Graph().as_default():
        tf.set_random_seed(1)
        image, label = tf.train.slice_input_producer([tf.constant(images), tf.constant(labels)], seed=2)
        x, y = tf.train.shuffle_batch([image, label], 32, capacity=256, min_after_dequeue=64, seed=3)
        x = tf.placeholder_with_default(x, [None, 64])
        w = tf.get_variable("w", [64, 10], initializer=tf.zeros_initializer(), use_resource=False)
        b = tf.get_variable("b", [10], initializer=tf.zeros_initializer(), use_resource=False)
        logits = tf.matmul(x, w) + b
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
        step = tf.train.get_or_create_global_step()
        minimize = tf.train.AdamOptimizer(0.01).minimize(loss, global_step=step)
        tf.summary.scalar("loss", loss)
        summaries, saver = tf.summary.merge_all(), tf.train.Saver()
        with tf.Session() as session:
            session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
            coordinator = tf.train.Coordinator()
            threads = tf.train.start_queue_runners(session, coordinator)
            writer = tf.summary.FileWriter(directory)
            for i in range(STEPS):
                if i % 50:
                    session.run(minimize)
                else:
                    writer.add_summary(session.run([minimize, summaries])[1], i)
            writer.close()
            path = saver.save(session, str(Path(directory) / "digits"), global_step=step)
            coordinator.request_stop()
            coordinator.join(threads)
        with tf.Session() as session:
            saver.restore(session, path)
            found = session.run(logits, {x: np.load(DIGITS / "test_images.npy").reshape(-1, 64)}).argmax(1)
    return float((found == np.load(DIGITS / "test_labels.npy")).mean())


def timed(run):
    with tempfile.TemporaryDirectory() as directory:
        start = time.perf_counter()
        accuracy = run(directory)
        return accuracy, time.perf_counter() - start


if __name__ == "__main__":
    tf.disable_eager_execution()
    if sys.argv[1:] == ["one"]:
        print(f"accuracy {timed(train)[0]:.3f}")
    else:
        import levada.compat.tensorflow as compat

        timed(train)
        tensorflow, seconds = timed(train)
        with compat.use():
            levada, ours = timed(train)
        print(f"TensorFlow: accuracy {tensorflow:.3f} in {seconds:.2f} s")
        print(f"Levada:     accuracy {levada:.3f} in {ours:.2f} s")

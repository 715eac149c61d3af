"""Makes the pipelines here with TensorFlow, and records their results with one thread.

    python record.py        # TensorFlow 2.x

Each `NAME.json` is a MetaGraphDef, as tf.compat.v1.train.export_meta_graph writes it, of a pipeline with several threads.
`NAME.expected.json` has the results of the same pipeline with one thread, batch by batch, if that determines the order
of its input.
"""

import json
import os
import struct

import tensorflow as tf
from google.protobuf import json_format

os.environ["CUDA_VISIBLE_DEVICES"] = ""
tf1 = tf.compat.v1
tf1.disable_eager_execution()
tf1.disable_control_flow_v2()
os.chdir(os.path.dirname(os.path.abspath(__file__)))

FILES = [f"part{i}.csv" for i in range(3)]
LINES = [7, 12, 4]


def files():
    number = 0
    for name, lines in zip(FILES, LINES):
        with open(name, "w") as out:
            for _ in range(lines):
                out.write(f"{number},line {number}\n")
                number += 1
    with tf1.python_io.TFRecordWriter("numbers.tfrecords") as out:
        for i in range(23):
            out.write(struct.pack("<i", i * i))


def lines(queue):
    reader = tf1.TextLineReader()
    _, line = reader.read(queue)
    return tf1.decode_csv(line, [[0], [""]])


def names(**options):
    """The files, one after the other. A test puts the directory into the constant before their names."""
    directory = tf.constant("", name="directory")
    return tf1.train.string_input_producer(tf.strings.join([directory, tf.constant(FILES)]), **options)


def batch(threads):
    number, text = lines(names(num_epochs=2, shuffle=True, seed=7))
    noise = tf1.random_uniform([], seed=3)
    number = tf.add(number * 10, tf.cast(noise * 10, tf.int32))
    return tf1.train.batch([number, text], 5, num_threads=threads, capacity=8, allow_smaller_final_batch=True)


def kept(threads):
    number, text = lines(names(num_epochs=1, shuffle=False))
    keep = tf.equal(tf.math.floormod(number, 3), 0)
    return tf1.train.maybe_batch(
        [number, text], keep, 3, num_threads=threads, capacity=5, allow_smaller_final_batch=True
    )


def records(threads):
    """Two queues one after the other, the first of which also has several threads, and decoded records."""
    reader = tf1.TFRecordReader()
    directory = tf.constant("", name="directory")
    _, record = reader.read(tf1.train.string_input_producer([directory + "numbers.tfrecords"], num_epochs=1))
    number = tf.reshape(tf1.decode_raw(record, tf.int32), [])
    first = tf.queue.FIFOQueue(4, [tf.int32], [[]], name="first")
    runner = tf1.train.QueueRunner(first, [first.enqueue(number)] * threads)
    tf1.train.add_queue_runner(runner)
    again = first.dequeue()
    return tf1.train.batch([again, tf.as_string(again)], 4, num_threads=threads, allow_smaller_final_batch=True)


def rows(threads):
    """Batches of batches."""
    number, text = lines(names(num_epochs=1, shuffle=False))
    number, text = tf.stack([number, -number]), tf.stack([text, text + "'"])
    return tf1.train.batch(
        [number, text], 6, num_threads=threads, enqueue_many=True, allow_smaller_final_batch=True, capacity=7
    )


def join(threads):
    queue = names(num_epochs=1, shuffle=False)
    return tf1.train.batch_join([lines(queue) for _ in range(threads)], 5, allow_smaller_final_batch=True)


def shuffled(threads):
    number, text = lines(names(num_epochs=1, shuffle=False))
    return tf1.train.shuffle_batch(
        [number, text], 5, 9, 3, num_threads=threads, seed=5, allow_smaller_final_batch=True
    )


def no_seed(threads):
    number, _ = lines(names(num_epochs=1, shuffle=False))
    noise = tf1.random_uniform([], name="noise")
    return tf1.train.batch([number, noise], 5, num_threads=threads)


def no_shuffle_seed(threads):
    number, text = lines(names(num_epochs=1, shuffle=False))
    return tf1.train.shuffle_batch([number, text], 5, 9, 3, num_threads=threads)


def shared_reader(threads):
    reader = tf1.TextLineReader(name="reader")
    queue = names(num_epochs=1, shuffle=False)
    one = reader.read(queue, name="one")
    other = reader.read(queue, name="other")
    one = tf1.train.batch([one[1]], 2, num_threads=threads, name="batch_of_one")
    other = tf1.train.batch([other[1]], 2, num_threads=threads, name="batch_of_other")
    return [one, other]


def shared_read(threads):
    del threads
    number, text = lines(names(num_epochs=1, shuffle=False))
    return tf1.train.batch_join([[number, text], [number + 1, text]], 5)


def conditional_read(threads):
    queue = names(num_epochs=1, shuffle=False)
    numbers = tf1.train.range_input_producer(9, shuffle=False)
    line = tf1.cond(tf1.less(numbers.dequeue(), 4), lambda: tf1.TextLineReader().read(queue)[1], lambda: tf.constant("no"))
    line = tf.reshape(line, [])
    return [tf1.train.batch([line], 2, num_threads=threads)]


def prioritized(threads):
    number, text = lines(names(num_epochs=1, shuffle=False))
    queue = tf.queue.PriorityQueue(8, [tf.string], [[]], name="by_number")
    enqueue = queue.enqueue([tf.cast(number, tf.int64), text])
    tf1.train.add_queue_runner(tf1.train.QueueRunner(queue, [enqueue] * threads))
    return queue.dequeue()


def build(make, threads):
    graph = tf1.Graph()
    with graph.as_default():
        for i, output in enumerate(make(threads)):
            tf.identity(output, name=f"fetch{i}")
        tf1.add_to_collection(tf1.GraphKeys.LOCAL_INIT_OP, tf1.local_variables_initializer())
    return graph


def run(graph):
    with graph.as_default(), tf1.Session(config=tf1.ConfigProto(inter_op_parallelism_threads=1)) as session:
        session.run(tf1.get_collection(tf1.GraphKeys.LOCAL_INIT_OP))
        coordinator = tf1.train.Coordinator()
        threads = tf1.train.start_queue_runners(session, coordinator)
        batches = []
        try:
            while True:
                number, text = session.run(["fetch0:0", "fetch1:0"])
                batches.append([number.tolist(), [t.decode() for t in text]])
        except tf.errors.OutOfRangeError:
            pass
        coordinator.request_stop()
        coordinator.join(threads)
    return batches


def record(make, expected):
    name = make.__name__
    graph = build(make, 4)
    with graph.as_default():
        meta = tf1.train.export_meta_graph(clear_devices=True)
    meta.ClearField("meta_info_def")
    with open(f"{name}.json", "w") as out:
        out.write(json_format.MessageToJson(meta, indent=None))
    if expected:
        with open(f"{name}.expected.json", "w") as out:
            json.dump(run(build(make, 1)), out)
            out.write("\n")


if __name__ == "__main__":
    files()
    for make in [batch, kept, records, rows]:
        record(make, True)
    for make in [
        join, shuffled, no_seed, no_shuffle_seed, shared_reader, shared_read, conditional_read, prioritized,
    ]:
        record(make, False)

"""Feeds a queue from a Python generator, while steps dequeue batches from it."""

import threading

import levada

graph = levada.Graph()
queue = graph.ops.fifo_queue_v2(["float32"], shapes=[[]], capacity=8, name="queue")
number = graph.placeholder("float32", [], name="number")
put = graph.ops.queue_enqueue_v2(queue, [number])
close = graph.ops.queue_close_v2(queue)
(batch,) = graph.ops.queue_dequeue_up_to_v2(queue, 4, ["float32"])


def numbers():
    for i in range(10):
        yield float(i)


with levada.Session(graph) as session:

    def produce():
        for value in numbers():
            session.run(put, {number: value})
        session.run(close)

    producer = threading.Thread(target=produce)
    producer.start()
    total = 0.0
    while True:
        try:
            total += float(session.run(batch).sum())
        except levada.errors.OutOfRangeError:
            break
    producer.join()
    print("the sum is", total)

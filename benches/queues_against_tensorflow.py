#!/usr/bin/env python3
"""Times queues and the batching pipelines of `benches/queues.rs` against TensorFlow's, alternating, on this machine.

    pip install tensorflow-cpu
    cargo bench -p levada-tests --bench queues --no-run
    python benches/queues_against_tensorflow.py [--rounds 3]

TensorFlow's queue runners are its own (`tf.compat.v1.train.batch` and `shuffle_batch`), its calls prepared callables.
The table has the medians over the rounds.
"""

import argparse
import collections
import json
import os
import statistics
import subprocess
import sys
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
BATCH, DIM, TIME = 128, 64, 0.7


def tensorflow():
    """{(name, threads, runners): elements per second}"""
    import numpy as np
    import tensorflow as tf
    from tensorflow.core.protobuf import config_pb2

    v1 = tf.compat.v1
    v1.disable_eager_execution()
    v1.logging.set_verbosity(v1.logging.ERROR)

    def prepared(session, feeds=(), fetches=(), targets=()):
        options = config_pb2.CallableOptions(feed=list(feeds), fetch=list(fetches), target=list(targets))
        return session._make_callable_from_options(options)

    def rate(call):
        best = 0
        for _ in range(4):
            start, calls = time.perf_counter(), 0
            while time.perf_counter() < start + TIME / 4:
                for _ in range(8):
                    call()
                calls += 8
            best = max(best, calls / (time.perf_counter() - start))
        return best

    def config(threads):
        return v1.ConfigProto(intra_op_parallelism_threads=threads, inter_op_parallelism_threads=threads)

    out = {}
    for threads in (1, 2):
        with tf.Graph().as_default(), v1.Session(config=config(threads)) as session:
            q = v1.FIFOQueue(10, [tf.float32], shapes=[[]])
            v = v1.placeholder(tf.float32, [], name="v")
            put = prepared(session, ["v:0"], targets=[q.enqueue([v]).name])
            take = prepared(session, fetches=[q.dequeue().name])
            value = np.float32(3)

            def both():
                put(value)
                take()

            out["pingpong", threads, 0] = rate(both)
    for name in ("batch", "many", "shuffle"):
        for runners in (1, 2, 4):
            per = 32 if name == "many" else 1
            with tf.Graph().as_default(), v1.Session(config=config(2)) as session:
                x = tf.random.uniform([per, DIM] if per > 1 else [DIM], seed=5)
                if name == "shuffle":
                    y = v1.train.shuffle_batch([x], BATCH, capacity=10000, min_after_dequeue=5000, num_threads=runners, seed=5)
                else:
                    y = v1.train.batch([x], BATCH, num_threads=runners, capacity=10000, enqueue_many=per > 1)
                coordinator = v1.train.Coordinator()
                threads = v1.train.start_queue_runners(session, coordinator)
                take = prepared(session, fetches=[y.name])
                for _ in range(200):
                    take()
                out[name, 2, runners] = rate(take) * BATCH
                coordinator.request_stop()
                session.close()
                coordinator.join(threads, stop_grace_period_secs=20, ignore_live_threads=True)
    return out


def levada():
    command = ["cargo", "bench", "-q", "-p", "levada-tests", "--bench", "queues", "--", "--json", "pingpong", "batch", "many",
               "shuffle"]
    done = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    rows = map(json.loads, done.stdout.splitlines())
    return {(r["name"], r["threads"], r["runners"]): r["per_second"] for r in rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--tensorflow", action="store_true", help="print TensorFlow's figures only, as JSON")
    args = parser.parse_args()
    if args.tensorflow:
        print(json.dumps([[*key, value] for key, value in tensorflow().items()]))
        return
    ours, theirs = collections.defaultdict(list), collections.defaultdict(list)
    for _ in range(args.rounds):
        for key, value in levada().items():
            ours[key].append(value)
        # A separate process, so that its threads do not exist while the other side is timed.
        done = subprocess.run([sys.executable, __file__, "--tensorflow"],
                              check=True, stdout=subprocess.PIPE, text=True)
        for *key, value in json.loads(done.stdout):
            theirs[tuple(key)].append(value)
    print(f"{'':10} {'threads':>7} {'runners':>7} {'Levada/s':>12} {'TensorFlow/s':>13} {'ratio':>6}")
    for key in ours:
        a, b = statistics.median(ours[key]), statistics.median(theirs[key])
        print(f"{key[0]:10} {key[1]:7} {key[2]:7} {a:12.0f} {b:13.0f} {a / b:6.1f}")


if __name__ == "__main__":
    main()

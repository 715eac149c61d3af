"""Runs one session from several threads."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

import levada

graph = levada.Graph()
x = graph.placeholder("float32", [None, 64], name="x")
y = graph.ops.softmax(x @ np.eye(64, dtype=np.float32), name="y")

with levada.Session(graph) as session:
    call = session.make_callable(y, [x])
    batches = [np.full((8, 64), i, np.float32) for i in range(100)]
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(call, batches))
    print(len(results), "batches, each row adds up to", round(float(results[0][0].sum()), 3))

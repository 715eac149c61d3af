"""Builds a graph, trains it, saves it."""

import tempfile

import numpy as np

import levada
from levada import train

graph = levada.Graph()
x = graph.placeholder("float32", [None], name="x")
w = graph.variable(0.0, name="w")
b = graph.variable(0.0, name="b")
error = w * x + b - (3 * x - 1)
loss = graph.ops.mean(error * error, 0)
step = train.AdamOptimizer(0.1).minimize(loss)
init = graph.global_variables_initializer()

with levada.Session(graph) as session, tempfile.TemporaryDirectory() as folder:
    session.run(init)
    for _ in range(300):
        session.run(step, {x: np.linspace(-1, 1, 32)})
    print("w = {:.2f}, b = {:.2f}".format(*session.run([w, b])))
    print("saved", train.Saver(session).save(f"{folder}/line").name)

"""Graphs built in Python."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import levada
from levada import errors, train


def run(graph: levada.Graph, fetches, feeds=None):
    with levada.Session(graph) as session:
        return session.run(fetches, feeds)


def test_the_methods_are_those_of_the_ops():
    import generate_ops

    assert generate_ops.TARGET.read_text() == generate_ops.generate(), "run python tests/generate_ops.py"


def test_methods_say_what_they_take():
    from levada.ops import Ops

    signature = inspect.signature(Ops.top_k_v2)
    assert list(signature.parameters) == ["self", "input", "k", "sorted", "index_type", "name", "device", "after"]
    assert signature.parameters["sorted"].default is True
    assert Ops.mat_mul.__doc__ and "transpose_a" in Ops.mat_mul.__doc__


def test_operators_are_nodes():
    g = levada.Graph()
    x = g.placeholder("float32", [None, 2], name="x")
    y = 2 * x + 1 - x / 4
    z = (x @ np.ones((2, 3), np.float32))[:, 0] ** 2
    values = np.array([[1, 2], [3, 4]], np.float32)
    fetched = run(g, {"y": y, "z": z, "big": x > 2, "row": x[1], "last": x[..., -1], "new": x[None, 1:]}, {x: values})
    np.testing.assert_allclose(fetched["y"], 2 * values + 1 - values / 4)
    np.testing.assert_allclose(fetched["z"], (values @ np.ones((2, 3)))[:, 0] ** 2)
    np.testing.assert_array_equal(fetched["big"], values > 2)
    np.testing.assert_array_equal(fetched["row"], values[1])
    np.testing.assert_array_equal(fetched["last"], values[..., -1])
    np.testing.assert_array_equal(fetched["new"], values[None, 1:])
    assert (y.dtype, y.shape, z.shape) == ("float32", (None, 2), (None,))
    assert x.op.type == "Placeholder" and [i.name for i in y.op.inputs][1].startswith("RealDiv")
    with pytest.raises(TypeError):
        bool(x > 2)
    with pytest.raises(TypeError):
        iter(x)


def test_ops_with_several_outputs_name_them():
    g = levada.Graph()
    x = g.constant([3, 1, 2])
    best = g.ops.top_k_v2(x, 2, name="best")
    parts = g.ops.split(0, g.constant([[1.0, 2.0], [3.0, 4.0]]), 2)
    nothing = g.ops.no_op(after=[best.values])
    values, indices, part, none = run(g, [best.values, best.indices, parts[1], nothing])
    assert values.tolist() == [3, 2] and indices.tolist() == [0, 2] and part.tolist() == [[3, 4]] and none is None
    assert isinstance(nothing, type(g.operation("best")))
    joined = g.ops.concat_v2([x, [7]], 0)
    assert run(g, joined).tolist() == [3, 1, 2, 7]


def test_mistakes_are_raised_at_once():
    g = levada.Graph()
    x = g.placeholder("float32", [2, 3], name="x")
    before = len(g)
    with pytest.raises(errors.InvalidArgumentError):
        g.ops.mat_mul(x, g.placeholder("int32"))
    with pytest.raises(TypeError, match="attr shape"):
        g.ops.placeholder("float32", shape="wide")
    with pytest.raises(ValueError, match="another graph"):
        levada.Graph().ops.neg(x)
    with pytest.raises(errors.NotFoundError):
        g.output("nowhere")
    assert len(g) == before + 1
    assert run(g, x + 1, {x: np.zeros((2, 3))}).shape == (2, 3)


def test_scopes_devices_and_control():
    g = levada.Graph()
    with g.scope("outer"), g.device("/cpu:0"):
        x = g.constant(1.0, name="x")
        with g.control_dependencies([x]):
            y = g.constant(2.0, name="y")
    assert (x.name, y.name) == ("outer/x:0", "outer/y:0")
    assert y.op.device == "/cpu:0" and [before.name for before in y.op.control_inputs] == ["outer/x"]
    assert x in {x: 1} and x != y


def test_gradients():
    g = levada.Graph()
    x = g.placeholder("float32", [])
    y = g.placeholder("float32", [])
    (dx, dy) = g.gradients(x * x * y, [x, y])
    assert run(g, [dx, dy], {x: 3.0, y: 2.0}) == [12, 9]
    assert g.gradients(x, [y]) == [None]


@pytest.mark.parametrize(
    "optimizer",
    [
        train.GradientDescentOptimizer(0.1),
        train.MomentumOptimizer(0.05, 0.9, use_nesterov=True),
        train.AdagradOptimizer(0.5),
        train.AdadeltaOptimizer(50.0),
        train.AdamOptimizer(0.1),
        train.AdaMaxOptimizer(0.1),
        train.RMSPropOptimizer(0.05, centered=True),
        train.FtrlOptimizer(0.5),
    ],
    ids=lambda optimizer: type(optimizer).__name__,
)
def test_optimizers_find_the_line(optimizer):
    g = levada.Graph()
    x = g.placeholder("float32", [None])
    w = g.variable(0.0, name="w")
    b = g.variable(0.0, name="b")
    step = g.global_step()
    error = w * x + b - (3 * x - 1)
    loss = g.ops.mean(error * error, 0)
    minimize = optimizer.minimize(loss, global_step=step)
    init = g.global_variables_initializer()
    points = np.linspace(-1, 1, 32)
    with levada.Session(g) as session:
        session.run(init)
        first = session.run(loss, {x: points})
        for _ in range(300):
            session.run(minimize, {x: points})
        assert session.run(loss, {x: points}) < first / 20
        assert session.run(step) == 300
        assert [v.handle.op.name for v in g.trainable_variables()] == ["w", "b"]


def test_variables_are_assigned():
    g = levada.Graph()
    v = g.variable([1.0, 2.0], name="v")
    init, add, to, scatter = g.global_variables_initializer(), v.assign_add([1.0, 1.0]), v.assign([5.0, 5.0]), v.scatter_add([1], [[2.0]][0])
    with levada.Session(g) as session:
        session.run(init)
        session.run(add)
        assert session.run(v).tolist() == [2, 3]
        session.run(scatter)
        assert session.run(v + 1).tolist() == [3, 6]
        session.run(to)
        assert session.run(v).tolist() == [5, 5]


def test_queues_feed_a_pipeline():
    g = levada.Graph()
    numbers = train.range_input_producer(g.constant(6), shuffle=False)
    (number,) = [g.ops.queue_dequeue_v2(numbers, ["int32"])[0]]
    batch = train.batch({"n": number, "square": number * number}, 4)
    with levada.Session(g) as session, train.Coordinator() as coordinator:
        assert coordinator.start_queue_runners(session) == 2
        assert session.run(batch["square"]).tolist() == [0, 1, 4, 9]
        assert session.run(batch["n"]).tolist() == [4, 5, 0, 1]


def test_the_end_of_the_input_ends_the_run():
    g = levada.Graph()
    queue = train.string_input_producer(g.constant(["a", "b"]), num_epochs=1, shuffle=False)
    word = g.ops.queue_dequeue_v2(queue, ["string"])[0]
    init = g.local_variables_initializer()
    with levada.Session(g) as session, train.Coordinator() as coordinator:
        session.run(init)
        coordinator.start_queue_runners(session)
        assert [session.run(word), session.run(word)] == [b"a", b"b"]
        with pytest.raises(errors.OutOfRangeError):
            session.run(word)


def test_a_coordinator_raises_what_stopped_it():
    coordinator = train.Coordinator()
    coordinator.request_stop(KeyError("lost"))
    assert coordinator.should_stop()
    with pytest.raises(KeyError, match="lost"):
        coordinator.join(1)


def test_savers_restore(tmp_path):
    g = levada.Graph()
    v = g.variable([1.0, 2.0], name="v")
    init, change = g.global_variables_initializer(), v.assign([0.0, 0.0])
    with levada.Session(g) as session:
        session.run(init)
        saver = train.Saver(session, max_to_keep=1)
        prefix = saver.save(tmp_path / "model", 3)
        session.run(change)
        saver.restore(prefix)
        assert session.run(v).tolist() == [1, 2]
        assert {name: value.tolist() for name, value in saver.values().items()} == {"v": [1, 2]}
        later = saver.save(tmp_path / "model", 4)
        assert saver.restore_latest(tmp_path) == later
        # The graph still grows.
        w = v + 1
        assert session.run(w).tolist() == [2, 3]


def test_a_graph_goes_to_a_file_and_back(tmp_path):
    g = levada.Graph()
    x = g.placeholder("float32", name="x")
    g.ops.neg(x, name="y")
    for name in ("graph.pb", "graph.json"):
        g.save(tmp_path / name)
        assert levada.Graph(tmp_path / name).nodes == ["x", "y"]
    assert levada.Graph(g.to_bytes()).nodes == levada.Graph(g.to_json()).nodes == ["x", "y"]
    assert "x" in g and "z" not in g

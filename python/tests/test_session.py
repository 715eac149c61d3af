"""Runs: fetches, feeds, options, callables, partial runs."""

from __future__ import annotations

import collections
import gc
import json
import sys
import threading
import time
import weakref

import numpy as np
import pytest
from conftest import graph, placeholder

import levada
from levada import errors


def arithmetic() -> levada.Graph:
    return graph(
        placeholder("a"),
        placeholder("b"),
        ("sum", "AddV2", ["a", "b"]),
        ("product", "Mul", ["a", "b"]),
        ("both", "NoOp", ["^sum", "^product"]),
    )


FEEDS = {"a": 3.0, "b": 4.0}


def test_fetches_come_back_nested_as_they_were_asked_for():
    Pair = collections.namedtuple("Pair", "first second")
    with levada.Session(arithmetic()) as session:
        assert session.run("sum", FEEDS) == 7
        assert session.run("sum:0", {"a:0": 3, "b:0": 4}) == 7
        assert session.run(["sum", ("product", None)], FEEDS) == [7, (12, None)]
        assert session.run({"s": "sum", "p": ["product"]}, FEEDS) == {"s": 7, "p": [12]}
        assert session.run(Pair("sum", "product"), FEEDS) == Pair(7, 12)
        assert session.run(collections.OrderedDict(z="sum", a="product"), FEEDS) == {"z": 7, "a": 12}
        assert isinstance(session.run(collections.OrderedDict(z="sum"), FEEDS), collections.OrderedDict)
        assert session.run([], FEEDS) == []
        assert session.run("both", FEEDS) is None
        assert session.run("^sum", FEEDS) is None
        assert session.run(["sum", "both", "sum"], FEEDS) == [7, None, 7]


def test_objects_with_names_are_names():
    class Named:
        def __init__(self, name, **more):
            self.name = name
            self.__dict__.update(more)

    class Variable:
        def _as_graph_element(self):
            return Named("product:0")

    operation = Named("sum", outputs=[])
    with levada.Session(arithmetic()) as session:
        feeds = {Named("a:0"): 3.0, Named("b:0"): 4.0}
        assert session.run([Named("sum:0"), Variable(), operation], feeds) == [7, 12, None]
        with pytest.raises(TypeError, match="neither a name nor"):
            session.run(3.5, FEEDS)


def test_conversions_make_fetches_and_feeds_of_other_types():
    class Both:
        pass

    levada.register_conversion(
        Both,
        fetch=lambda _: (["sum", "product"], lambda values: tuple(values)),
        feed=lambda _, value: [("a", value[0]), ("b", value[1])],
    )

    class Derived(Both):
        pass

    with levada.Session(arithmetic()) as session:
        assert session.run([Both(), "sum"], {Derived(): (3, 4)}) == [(7, 12), 7]


def test_errors_have_codes_and_places():
    with levada.Session(arithmetic()) as session:
        with pytest.raises(errors.NotFoundError, match="total") as caught:
            session.run("total", FEEDS)
        assert (caught.value.code, caught.value.code_name) == (errors.NOT_FOUND, "NOT_FOUND")
        with pytest.raises(errors.InvalidArgumentError) as caught:
            session.run("sum", {"a": [1.0, 2.0], "b": [1.0, 2.0, 3.0]})
        error = caught.value
        assert (error.node, error.op) == ("sum", "AddV2")
        assert error.message in str(error) and "node:     sum (AddV2)" in str(error)
        with pytest.raises(errors.InvalidArgumentError):
            session.run("sum", {"a": 1.0})
        assert session.run("sum", FEEDS) == 7
    with pytest.raises(errors.CancelledError, match="closed"):
        session.run("sum", FEEDS)


def test_every_fault_of_a_graph_is_told():
    nodes = [{"name": "y", "op": "Nag", "input": ["x"]}, {"name": "z", "op": "Neg", "input": ["nowhere"]}]
    with pytest.raises(errors.OpError) as caught:
        levada.Graph(json.dumps({"node": nodes}))
    found = [caught.value, *caught.value.others]
    assert {error.node for error in found} == {"y", "z"}
    assert all(error.line == 1 for error in found)


def test_errors_can_be_pickled():
    import pickle

    with levada.Session(arithmetic()) as session, pytest.raises(errors.NotFoundError) as caught:
        session.run("total")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (type(copy), str(copy), copy.code) == (errors.NotFoundError, str(caught.value), errors.NOT_FOUND)


def test_callables_take_values_in_order():
    with levada.Session(arithmetic()) as session:
        call = session.make_callable({"s": "sum", "p": "product"}, ["b", "a"])
        assert call(1.0, 2.0) == {"s": 3, "p": 2}
        with pytest.raises(TypeError, match="takes 2 values"):
            call(1.0)
        with pytest.raises(TypeError, match="accept_options"):
            call(1.0, 2.0, options=levada.RunOptions(trace=True))
        traced = session.make_callable("sum", ["a", "b"], accept_options=True)
        metadata = levada.RunMetadata()
        assert traced(1, 2, options=levada.RunOptions(trace=True), run_metadata=metadata) == 3
        assert metadata.trace is not None


def test_a_session_follows_its_graph_and_can_be_extended():
    g = graph(placeholder("x"), ("y", "Neg", ["x"]))
    with levada.Session(g) as session:
        assert session.run("y", {"x": 2.0}) == -2
        session.extend('{"node": [{"name": "z", "op": "Neg", "input": ["y"]}]}')
        assert session.run("z", {"x": 2.0}) == 2
        with pytest.raises(errors.OpError):
            session.extend('{"node": [{"name": "y", "op": "Neg", "input": ["x"]}]}')
        g.extend('{"node": [{"name": "w", "op": "Square", "input": ["y"]}]}')
        assert session.run("w", {"x": 3.0}) == 9


def test_traces_and_timeouts():
    with levada.Session(arithmetic(), plain=True) as session:
        metadata = levada.RunMetadata()
        session.run("sum", FEEDS, levada.RunOptions(trace=True), metadata)
        trace = metadata.trace
        assert metadata.step_id == trace.step_id == 1
        assert "AddV2" in trace.order() and "AddV2" in trace.by_op() and "sum" in trace.critical_path()
        assert any(event["node"] == "sum" for event in trace.events)
        assert "<svg" in trace._repr_html_() and "AddV2" in trace._repr_html_()
        assert json.loads(trace.to_chrome()) and json.loads(trace.to_step_stats())["devStats"]


def queue(*more: tuple) -> levada.Graph:
    return graph(
        placeholder("x", "float32", []),
        ("queue", "FIFOQueueV2", [], {"component_types": ["float32"], "shapes": [[]], "capacity": 10}),
        ("put", "QueueEnqueueV2", ["queue", "x"]),
        ("take", "QueueDequeueV2", ["queue"], {"component_types": ["float32"]}),
        ("close", "QueueCloseV2", ["queue"]),
        *more,
    )


def test_a_run_that_would_wait_for_ever_says_why():
    with levada.Session(queue()) as session:
        with pytest.raises(errors.AbortedError, match="would wait forever") as caught:
            session.run("take")
        assert caught.value.waiting["nodes"][0]["node"] == "take"
        session.run("put", {"x": 5.0})
        assert session.run("take") == 5
        with pytest.raises(errors.DeadlineExceededError):
            session.run("take", options=levada.RunOptions(timeout=0.05))


def test_another_thread_may_end_the_waiting():
    with levada.Session(queue()) as session:
        taken = []
        thread = threading.Thread(target=lambda: taken.append(session.run("take")))
        thread.start()
        time.sleep(0.3)
        assert thread.is_alive() and session.waiting().nodes[0]["node"] == "take"
        session.run("put", {"x": 1.5})
        thread.join()
        assert taken == [1.5]


def test_threads_that_wait_for_each_other_are_all_told():
    with levada.Session(queue()) as session:
        raised = []

        def take():
            try:
                session.run("take")
            except errors.AbortedError as error:
                raised.append(error)

        threads = [threading.Thread(target=take) for _ in range(2)]
        for thread in threads:
            thread.start()
        take()
        for thread in threads:
            thread.join()
        assert len(raised) == 3


def test_partial_runs_are_fed_bit_by_bit():
    g = graph(
        placeholder("a"),
        placeholder("b"),
        ("double", "AddV2", ["a", "a"]),
        ("product", "Mul", ["double", "b"]),
    )
    with levada.Session(g) as session:
        handle = session.partial_run_setup(["double", "product"], ["a", "b"])
        first = session.partial_run(handle, "double", {"a": 3.0})
        assert first == 6
        assert session.partial_run(handle, ["product"], {"b": first}) == [36]
        assert handle.is_over
        with pytest.raises(errors.InvalidArgumentError):
            session.partial_run(handle, "product")


def test_nothing_is_kept_of_runs():
    class Array(np.ndarray):
        pass

    with levada.Session(graph(placeholder("x"), ("y", "Neg", ["x"]))) as session:
        x = np.ones(100_000, np.float32).view(Array)
        y = session.run("y", {"x": x})
        gone = weakref.ref(x)
        del x
        session.run("y", {"x": 1.0})
        gc.collect()
        assert gone() is None
        assert y[0] == -1

    leak = levada.Session(graph(placeholder("x"), ("y", "Neg", ["x"])))
    value = object()
    before = sys.getrefcount(value)
    for _ in range(100):
        with pytest.raises(TypeError):
            leak.run("y", {"x": value})
    assert sys.getrefcount(value) == before
    leak.close()


def test_many_threads_share_a_session():
    with levada.Session(arithmetic(), threads=2) as session:
        wrong = []

        def work(number):
            for i in range(200):
                a, b = float(number), float(i)
                if session.run(["sum", "product"], {"a": a, "b": b}) != [a + b, a * b]:
                    wrong.append((a, b))

        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not wrong


def test_queues_and_placement_are_data_and_pictures():
    with levada.Session(queue(("neg", "Neg", ["x"])), telemetry=True, devices="cpu:2") as session:
        assert len(session.devices) == 2
        for value in (1.0, 2.0):
            session.run("put", {"x": value})
        session.run("take")
        (usage,) = session.queues()
        assert (usage["name"], usage["largest"]) == ("queue", 2)
        assert "<svg" in session.queues()._repr_html_() and "queue" in str(session.queues())
        placement = session.placement()
        node = placement.nodes["neg"]
        assert node["device"].endswith("CPU:0") and node["because"] and node["cost"]["estimated_ns"] > 0
        assert "neg (Neg) is on" in placement.explain("neg")
        assert "<svg" in placement._repr_html_() and "neg" in str(placement)
        assert not session.waiting() and "nothing" in session.waiting()._repr_html_()

"""Python functions that nodes call."""

from __future__ import annotations

import threading
import time
import traceback

import numpy as np
import pytest
from conftest import graph, placeholder

import levada
from levada import errors


def calling(*types, op="PyFunc", outputs=("float32",), threads=2, **options) -> levada.Session:
    inputs = [f"x{i}" for i in range(len(types))]
    attrs = {"token": "f", "Tin": list(types), "Tout": list(outputs)}
    nodes = [placeholder(name, dtype) for name, dtype in zip(inputs, types)]
    return levada.Session(graph(*nodes, ("f", op, inputs, attrs)), threads=threads, **options)


def test_functions_get_arrays_and_give_arrays():
    seen = []

    def function(a, b):
        seen.append((a, b))
        return a + 1, "text", [1, 2]

    with calling("float32", "string", outputs=["float32", "string", "int64"]) as session:
        session.register("f", function)
        a, text, numbers = session.run(["f:0", "f:1", "f:2"], {"x0": [[1.0]], "x1": "in"})
    assert a.tolist() == [[2]] and text == b"text" and numbers.tolist() == [1, 2] and numbers.dtype == np.int64
    assert seen[0][0].tolist() == [[1]] and seen[0][1] == b"in"


def test_only_what_is_granted_is_called():
    with calling("float32") as session:
        with pytest.raises(errors.PermissionDeniedError, match='"f"') as caught:
            session.run("f", {"x0": 1.0})
        assert caught.value.node == "f"
    with calling("float32", host_functions={"f": lambda x: x * 2}) as session:
        assert session.run("f", {"x0": 3.0}) == 6
        session.unregister("f")
        with pytest.raises(errors.PermissionDeniedError):
            session.run("f", {"x0": 3.0})
    with calling("float32", host_functions=lambda token: {"f": np.negative}.get(token)) as session:
        assert session.run("f", {"x0": 3.0}) == -3


def test_an_exception_fails_the_step_with_its_traceback():
    def broken(x):
        raise ValueError("on purpose")

    def ends(x):
        raise StopIteration

    with calling("float32", host_functions={"f": broken}) as session:
        with pytest.raises(errors.InvalidArgumentError, match="on purpose") as caught:
            session.run("f", {"x0": 1.0})
        error = caught.value
        assert error.node == "f" and "Traceback" in error.message and "in broken" in error.message
        assert isinstance(error.__cause__, ValueError)
        assert "broken" in [frame.name for frame in traceback.extract_tb(error.__cause__.__traceback__)]
        session.register("f", ends)
        with pytest.raises(errors.OutOfRangeError):
            session.run("f", {"x0": 1.0})
        session.register("f", lambda x: np.float64(1))
        with pytest.raises(errors.InvalidArgumentError, match="0-th value returned by f is float64, but expects float32"):
            session.run("f", {"x0": 1.0})
        session.register("f", lambda x: (1.0, 2.0))
        with pytest.raises(errors.InvalidArgumentError, match="returns 2 values"):
            session.run("f", {"x0": 1.0})


def test_functions_that_wait_for_each_other_hold_no_thread():
    barrier = threading.Barrier(2, timeout=30)

    def wait(x):
        barrier.wait()
        return x

    nodes = [("left", "PyFunc", ["x"]), ("right", "PyFunc", ["x"])]
    attrs = {"Tin": ["float32"], "Tout": ["float32"]}
    g = graph(
        placeholder("x"),
        *[(name, op, inputs, {"token": name, **attrs}) for name, op, inputs in nodes],
        ("sum", "AddV2", ["left", "right"]),
    )
    with levada.Session(g, threads=1, host_functions={"left": wait, "right": wait}) as session:
        assert session.run("sum", {"x": 1.0}) == 2


def test_a_function_may_run_the_session_itself():
    with calling("float32") as session:
        session.extend('{"node": [{"name": "y", "op": "Neg", "input": ["x0"]}]}')
        session.register("f", lambda x: session.run("y", {"x0": x}) * 2)
        assert session.run("f", {"x0": 3.0}) == -6


def test_a_step_that_times_out_does_not_wait_for_its_functions():
    go_on = threading.Event()
    with calling("float32", host_functions={"f": lambda x: go_on.wait(30) and x}) as session:
        start = time.monotonic()
        with pytest.raises(errors.DeadlineExceededError):
            session.run("f", {"x0": 1.0}, levada.RunOptions(timeout=0.1))
        assert time.monotonic() - start < 10
        go_on.set()


def test_the_time_of_a_function_is_in_the_trace():
    import json

    with calling("float32", host_functions={"f": lambda x: time.sleep(0.02) or x}) as session:
        metadata = levada.RunMetadata()
        session.run("f", {"x0": 1.0}, levada.RunOptions(trace=True), metadata)
        event = next(e for e in json.loads(metadata.trace.to_json())["events"] if e["node"] == "f")
        assert event["end_ns"] - event["start_ns"] >= 20_000_000

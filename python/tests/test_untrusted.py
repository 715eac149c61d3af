"""Untrusted graphs: exceeding a limit raises an exception that names it, and the session stays usable."""

from __future__ import annotations

import json

import numpy as np
import pytest
from conftest import placeholder

import levada
from levada import errors

# A loop that counts forever.
LOOP = [
    ("zero", "Const", [], {"dtype": "int64", "value": 0}),
    ("one", "Const", [], {"dtype": "int64", "value": 1}),
    ("enter", "Enter", ["zero"], {"frame_name": "loop"}),
    ("enter_one", "Enter", ["one"], {"frame_name": "loop", "is_constant": True}),
    ("merge", "Merge", ["enter", "next"]),
    ("test", "GreaterEqual", ["merge", "merge"]),
    ("cond", "LoopCond", ["test"]),
    ("switch", "Switch", ["merge", "cond"]),
    ("add", "AddV2", ["switch:1", "enter_one"]),
    ("next", "NextIteration", ["add"]),
    ("endless", "Exit", ["switch:0"]),
]

NODES = [
    *LOOP,
    placeholder("x"),
    ("y", "Neg", ["x"]),
    placeholder("dims", "int32"),
    ("large", "Fill", ["dims", "zero_f"]),
    ("zero_f", "Const", [], {"dtype": "float32", "value": 0.0}),
    ("sum", "Sum", ["large", "axes"]),
    ("axes", "Const", [], {"dtype": "int32", "value": [0]}),
    placeholder("text", "string"),
    ("joined", "StringJoin", ["text", "text"], {"N": 2}),
    ("queue", "FIFOQueueV2", [], {"component_types": ["float32"], "capacity": -1}),
    ("put", "QueueEnqueueManyV2", ["queue", "x"]),
    ("recursive", "PartitionedCall", ["x"], {"Tin": ["float32"], "Tout": ["float32"], "f": {"func": {"name": "again"}}}),
    ("call", "PyFunc", [], {"token": "token", "Tin": [], "Tout": ["float32"]}),
    ("name", "Const", [], {"dtype": "string", "value": "/etc/hostname"}),
    ("read", "ReadFile", ["name"]),
]

FUNCTION = {
    "signature": {
        "name": "again",
        "inputArg": [{"name": "a", "type": "DT_FLOAT"}],
        "outputArg": [{"name": "b", "type": "DT_FLOAT"}],
    },
    "nodeDef": [
        {
            "name": "inner",
            "op": "PartitionedCall",
            "input": ["a"],
            "attr": {
                "Tin": {"list": {"type": ["DT_FLOAT"]}},
                "Tout": {"list": {"type": ["DT_FLOAT"]}},
                "f": {"func": {"name": "again"}},
            },
        }
    ],
    "ret": {"b": "inner:output:0"},
}


def hostile() -> levada.Graph:
    nodes = [dict(zip(("name", "op", "input", "attr"), node)) for node in NODES]
    return levada.Graph(json.dumps({"node": nodes, "library": {"function": [FUNCTION]}}))


@pytest.mark.parametrize(
    ("limits", "fetch", "feeds", "error"),
    [
        ({"memory": 1 << 20}, "sum", {"dims": [1 << 20]}, errors.ResourceExhaustedError),
        ({"memory_of_step": 1 << 20}, "sum", {"dims": [1 << 20]}, errors.ResourceExhaustedError),
        ({"memory_of_step": 1 << 10}, "y", {"x": np.ones(1 << 10)}, errors.ResourceExhaustedError),
        ({"time": 0.2}, "endless", {}, errors.DeadlineExceededError),
        ({"processor_time": 0.02}, "endless", {}, errors.ResourceExhaustedError),
        ({"nodes": 1000}, "endless", {}, errors.ResourceExhaustedError),
        ({"iterations": 1000}, "endless", {}, errors.ResourceExhaustedError),
        ({"depth": 100}, "recursive", {"x": 1.0}, errors.ResourceExhaustedError),
        ({"queue_elements": 10}, "put", {"x": np.ones(11)}, errors.ResourceExhaustedError),
        ({"string_bytes": 1000}, "joined", {"text": b"a" * 600}, errors.ResourceExhaustedError),
        ({"output_bytes": 1000}, "y", {"x": np.ones(1 << 10)}, errors.ResourceExhaustedError),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) and value else None,
)
def test_every_limit_is_an_exception_that_names_it(limits, fetch, feeds, error):
    with levada.Session(hostile(), untrusted=limits) as session:
        for _ in range(2):
            with pytest.raises(error) as caught:
                session.run(fetch, feeds)
            assert caught.value.limit == next(iter(limits))
            assert f"limit:    {caught.value.limit}" in str(caught.value)
            assert session.run("y", {"x": 1.0}) == -1


def test_a_run_may_ask_for_less_time_but_not_for_more():
    with levada.Session(hostile(), untrusted={"time": 0.2}, timeout=1000) as session:
        with pytest.raises(errors.DeadlineExceededError):
            session.run("endless", options=levada.RunOptions(timeout=1000))
    with levada.Session(hostile(), untrusted=True) as session:
        with pytest.raises(errors.DeadlineExceededError):
            session.run("endless", options=levada.RunOptions(timeout=0.1))


def test_nothing_of_the_program_is_reached():
    called = []
    with levada.Session(hostile(), untrusted=True, host_functions={"token": lambda: called.append(1)}) as session:
        for fetch in ("call", "read"):
            with pytest.raises(errors.PermissionDeniedError):
                session.run(fetch)
        assert not called and session.run("y", {"x": 1.0}) == -1


def test_what_is_no_limit_is_refused():
    for wrong, kind in (({"nods": 1}, ValueError), (1.5, TypeError), ({"nodes": -1}, OverflowError), ({"time": -1.0}, ValueError)):
        with pytest.raises(kind):
            levada.Session(hostile(), untrusted=wrong)
    with levada.Session(hostile(), untrusted=False, timeout=0.1) as session, pytest.raises(errors.DeadlineExceededError) as caught:
        session.run("endless")
    assert caught.value.limit is None

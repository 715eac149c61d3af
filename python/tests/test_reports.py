"""Reports on a graph or a run besides its results: memory, time, races, differences, the origin of a NaN."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest
from conftest import graph, placeholder

import levada
from levada import errors


def logarithm(op: str = "AddV2") -> levada.Graph:
    return graph(
        placeholder("a", "float32", [None, 4]),
        placeholder("b", "float32", [None, 4]),
        ("sum", op, ["a", "b"]),
        ("log", "Log", ["sum"]),
        ("product", "Mul", ["log", "b"]),
    )


ONES = {"a": np.ones((2, 4)), "b": np.ones((2, 4))}


def racing() -> tuple[levada.Graph, levada.Operation, levada.Operation]:
    g = levada.Graph()
    v = g.variable(1.0, name="v")
    both = g.group(v.assign_add(2.0), v.assign(5.0), name="both")
    return g, both, g.global_variables_initializer()


def test_memory_is_known_before_a_run():
    with levada.Session(logarithm(), threads=1) as session:
        memory = session.memory(["product"], {"a": (3200, 4), "b": np.zeros((3200, 4))})
        (device,) = memory.devices
        assert device["device"].endswith("CPU:0") and memory.bound == device["any_order"]["bytes"]
        # Two feeds, and at least one result.
        assert memory.bound >= memory.expected >= 3 * 3200 * 4 * 4 and not memory.unknown
        larger = session.memory(["product"], {"a": (6400, 4), "b": (6400, 4)})
        assert larger.bound > memory.bound
        vague = session.memory("product", {"a": (None, 4)})
        assert {tensor["node"] for tensor in vague.unknown} >= {"a", "b"} and "not known" in str(vague)
        assert "product" in memory._repr_html_() and "any order" in str(memory) and "bytes expected" in repr(memory)
        with pytest.raises(errors.NotFoundError):
            session.memory("nothing")


def test_the_time_on_other_numbers_of_threads():
    with levada.Session(logarithm(), threads=2) as session:
        times = session.time("product", ONES, threads=[1, 4], steps=3)
        assert [row["threads"] for row in times] == [1, 2, 4]
        assert [row["measured_ns"] is not None for row in times] == [False, True, False]
        assert all(row["expected_ns"] > 0 for row in times)
        assert "<table>" in times._repr_html_() and "threads" in str(times) and "4: " in repr(times)
        with pytest.raises(errors.InvalidArgumentError):
            session.time([], {})


def test_races_and_their_cures():
    g, both, _ = racing()
    findings = g.lint(both)
    (race,) = findings.faults
    assert race["rule"] == "race" and race["resource"] == "v" and len(race["fixes"]) == 2
    assert findings[0] == race and "race" in str(findings) and "race" in findings._repr_html_() and "1 faults" in repr(findings)
    assert len(logarithm().lint("product", ["a", "b"])) == 0
    with pytest.raises(errors.NotFoundError):
        g.lint("nothing")


def test_other_orders_give_other_results():
    g, both, init = racing()
    found = g.explore(both, init=init, orders=50)
    assert found and found.is_complete and found.orders > 0
    assert {found.differences[0]["changes"][0][key] for key in ("usual", "other")} == {"5.0", "7.0"}
    assert "the variable v" in str(found) and "<pre>" in found._repr_html_() and "1 differences" in repr(found)
    assert not logarithm().explore("product", ONES)


def test_feeds_reach_what_initializes():
    g = levada.Graph()
    start = g.placeholder("float32", [], name="start")
    v = g.variable(start, name="v")
    both = g.group(v.assign_add(2.0), v.assign_sub(1.0))
    found = g.explore(both, {start: 3.0}, init=g.global_variables_initializer())
    assert not found and found.orders > 0


def test_sessions_are_compared_node_by_node():
    with levada.Session(logarithm()) as one, levada.Session(logarithm("Sub")) as other:
        compared = one.compare(other, "product", {"a": 3 * np.ones((2, 4)), "b": np.ones((2, 4))})
        assert not compared and [cause["node"] for cause in compared.causes] == ["sum"]
        assert {output["output"] for output in compared.outputs if not output["equal"]} == {"sum", "log", "product"}
        assert "in the second it is Sub" in str(compared) and "differs" in compared._repr_html_() and "3 of 3" in repr(compared)
        assert one.compare(one, feed_dict=ONES).is_equal
        assert one.compare({"log": np.log(np.full((2, 4), 2, np.float32))}, "log", ONES)
        assert not one.compare({"log": np.ones((2, 4), np.float32)}, "log", ONES)
        assert one.compare({"log": np.ones((2, 4), np.float32)}, "log", ONES, rtol=1)
        with pytest.raises(errors.InvalidArgumentError, match="operation"):
            one.compare(other, "^sum", ONES)


def test_the_first_nan_has_its_origin():
    with levada.Session(logarithm(), watch="nan") as session:
        with pytest.raises(errors.InvalidArgumentError, match="made NaN") as caught:
            session.run("product", {"a": [[-3, 1, 1, 1]], "b": [[1, 1, 1, 1]]})
        nan = caught.value.nan
        assert (nan["node"], nan["op"], nan["path"]) == ("log", "Log", ["a", "sum", "log"])
        assert nan["first"] == {"index": [0, 0], "value": "NaN"} and nan["nans"] == 1
        np.testing.assert_array_equal(nan["inputs"]["sum"], np.float32([[-2, 2, 2, 2]]))
        assert np.isnan(nan["result"][0, 0])
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(caught.value)).nan["inputs"]["sum"], nan["inputs"]["sum"])
        assert np.isfinite(session.run("product", ONES)).all()
        with pytest.raises(errors.InvalidArgumentError, match="infinity"):
            session.run("product", {"a": [[-1, 1, 1, 1]], "b": [[1, 1, 1, 1]]})
    with levada.Session(logarithm(), watch="nan-only") as session:
        assert session.run("product", {"a": [[-1, 1, 1, 1]], "b": [[1, 1, 1, 1]]})[0, 0] == -np.inf
    with levada.Session(logarithm(), watch="nan,feeds") as session, pytest.raises(errors.InvalidArgumentError):
        session.run("sum", {"a": [[np.nan, 1, 1, 1]], "b": [[1, 1, 1, 1]]})
    with pytest.raises(ValueError, match="nan-only"):
        levada.Session(logarithm(), watch="everything")


def test_data_is_plain():
    g, both, init = racing()
    with levada.Session(logarithm()) as session:
        for report in (
            session.memory("product", {"a": (2, 4), "b": (2, 4)}),
            session.time("product", ONES, threads=[], steps=1),
            session.compare(session, "product", ONES),
            g.lint(both),
            g.explore(both, init=init),
        ):
            assert json.loads(json.dumps(report.data)) == report.data and "\x1b" not in str(report)

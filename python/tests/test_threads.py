"""Threads that share sessions, with and without the GIL."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import textwrap
import threading

import numpy as np
import pytest
from conftest import graph, placeholder

import levada
from levada import errors

THREADS = 4


def together(work) -> None:
    """Calls `work` with a number concurrently in several threads, and raises the exception of one of them."""
    barrier, raised = threading.Barrier(THREADS), []

    def run(number: int) -> None:
        try:
            barrier.wait()
            work(number)
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if raised:
        raise raised[0]


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="this Python has its lock")
def test_the_lock_stays_off():
    code = "import levada, sys; assert not sys._is_gil_enabled()"
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def test_runs_of_one_form_and_of_many():
    nodes = [placeholder("x"), *((f"y{i}", "AddV2", ["x", "x" if i == 0 else f"y{i - 1}"]) for i in range(30))]
    with levada.Session(graph(*nodes)) as session:
        one = session.make_callable(["y0", {"y": "y29"}], ["x"])

        def work(number: int) -> None:
            for i in range(300):
                x = float(number * 1000 + i)
                assert one(x) == [2 * x, {"y": 31 * x}]
                at = (number + i) % 30
                value = session.run({"a": f"y{at}"}, {"x": np.full(3, x, np.float32)})["a"]
                assert value.tolist() == [(at + 2) * x] * 3

        together(work)


def test_a_graph_that_grows_while_others_run_it():
    g = levada.Graph()
    x = g.placeholder("float32", [], name="x")
    with levada.Session(g) as session:

        def work(number: int) -> None:
            y, factor = x, 1
            for _ in range(20):
                y, factor = y + x, factor + 1
                assert session.run(y, {x: 2.0}) == 2 * factor
                assert len(g) >= factor

        together(work)


def test_faults_are_told_to_all():
    with levada.Session(graph(placeholder("x"), ("y", "Neg", ["x"]))) as session:

        def work(number: int) -> None:
            for _ in range(100):
                with pytest.raises(errors.NotFoundError):
                    session.run(f"nothing{number}")
                with pytest.raises(errors.OpError):
                    session.extend('{"node": [{"name": "y", "op": "Neg", "input": ["x"]}]}')
                assert session.run("y", {"x": 1.0}) == -1

        together(work)


def test_functions_of_the_program_called_from_many_runs():
    nodes = [placeholder("x"), ("f", "PyFunc", ["x"], {"token": "f", "Tin": ["float32"], "Tout": ["float32"]})]
    calls = []

    def function(x):
        calls.append(1)
        return x * 2

    with levada.Session(graph(*nodes), host_functions={"f": function}) as session:

        def work(number: int) -> None:
            for i in range(100):
                assert session.run("f", {"x": np.float32(i + number)}) == 2 * (i + number)

        together(work)
    assert len(calls) == THREADS * 100


def test_metadata_and_conversions_are_shared():
    metadata = levada.RunMetadata()
    with levada.Session(graph(placeholder("x"), ("y", "Neg", ["x"])), plain=True) as session:

        def work(number: int) -> None:
            class Mine:
                pass

            levada.register_conversion(Mine, fetch=lambda _: ("y", lambda value: (number, float(value))))
            for i in range(100):
                assert session.run(Mine(), {"x": float(i)}, levada.RunOptions(trace=True), metadata) == (number, -i)
                assert len(metadata.trace) > 0

        together(work)


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read as Linux tells it")
def test_a_hundred_thousand_runs_keep_nothing():
    code = """
    import levada, numpy as np, os
    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    nodes = '{"node": [{"name": "x", "op": "Placeholder", "attr": {"dtype": "float32"}}, {"name": "y", "op": "Neg", "input": ["x"]}]}'
    session = levada.Session(nodes)
    call, x = session.make_callable({"y": ["y"]}, ["x"]), np.ones(2000, np.float32)
    def some(count):
        for _ in range(count):
            session.run(["y", {"y": "y"}], {"x": x})
            call(1.0)
            try:
                session.run("y", {"x": "text"})
            except ValueError:
                pass
    some(10_000)
    before = resident()
    some(100_000)
    print(resident() - before)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    # A leak of 40 bytes per run would exceed this.
    assert int(done.stdout) < 4_000_000

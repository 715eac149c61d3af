"""Signals, forks and processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest
from conftest import graph, placeholder

import levada
from levada import errors


def run(code: str, **options) -> subprocess.CompletedProcess:
    """Runs a program in a separate process."""
    # Ctrl-C is ignored by all that a shell has started in the background, unless they say otherwise.
    code = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n" + textwrap.dedent(code)
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, **options)


WAITS = """
    import levada, threading, signal, os, time
    session = levada.Session('''{"node": [
        {"name": "queue", "op": "FIFOQueueV2", "attr": {"component_types": ["float32"]}},
        {"name": "take", "op": "QueueDequeueV2", "input": ["queue"], "attr": {"component_types": ["float32"]}}]}''')
    threading.Thread(target=time.sleep, args=(100,), daemon=True).start()
"""


@pytest.mark.skipif(os.name != "posix", reason="there are no such signals")
def test_ctrl_c_ends_a_run_that_waits():
    done = run(
        WAITS
        + """
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        session.run("take")
    except KeyboardInterrupt:
        print("interrupted")
    """
    )
    assert done.stdout == "interrupted\n", done.stderr


@pytest.mark.skipif(os.name != "posix", reason="there are no such signals")
def test_handlers_of_signals_run_while_a_run_waits():
    done = run(
        WAITS
        + """
    def handler(*_):
        raise TimeoutError("too long")
    signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        session.run("take")
    except TimeoutError as error:
        print(error)
    """
    )
    assert done.stdout == "too long\n", done.stderr


@pytest.mark.skipif(os.name != "posix", reason="there are no such signals")
def test_ctrl_c_ends_a_run_that_computes():
    done = run(
        """
    import levada, threading, signal, os
    # A loop that counts for ever.
    nodes = [
        {"name": "zero", "op": "Const", "attr": {"dtype": "int64", "value": 0}},
        {"name": "one", "op": "Const", "attr": {"dtype": "int64", "value": 1}},
        {"name": "enter", "op": "Enter", "input": ["zero"], "attr": {"frame_name": "loop"}},
        {"name": "enter_one", "op": "Enter", "input": ["one"], "attr": {"frame_name": "loop", "is_constant": True}},
        {"name": "merge", "op": "Merge", "input": ["enter", "next"]},
        {"name": "test", "op": "GreaterEqual", "input": ["merge", "merge"]},
        {"name": "cond", "op": "LoopCond", "input": ["test"]},
        {"name": "switch", "op": "Switch", "input": ["merge", "cond"]},
        {"name": "add", "op": "AddV2", "input": ["switch:1", "enter_one"]},
        {"name": "next", "op": "NextIteration", "input": ["add"]},
        {"name": "exit", "op": "Exit", "input": ["switch:0"]}]
    import json
    session = levada.Session(json.dumps({"node": nodes}))
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        session.run("exit")
    except KeyboardInterrupt:
        print("interrupted")
    """
    )
    assert done.stdout == "interrupted\n", done.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_session_in_a_forked_child_says_so():
    done = run(
        """
    import gc, os, sys, warnings
    import levada
    from levada import errors
    warnings.simplefilter("ignore")
    text = '{"node": [{"name": "x", "op": "Placeholder", "attr": {"dtype": "float32"}}, {"name": "y", "op": "Neg", "input": ["x"]}]}'
    session = levada.Session(text)
    call = session.make_callable("y", ["x"])
    session.run("y", {"x": 1.0})
    child = os.fork()
    if child == 0:
        code = 1
        try:
            for use in (lambda: session.run("y", {"x": 1.0}), lambda: call(1.0), session.close, lambda: session.devices):
                try:
                    use()
                except errors.FailedPreconditionError as error:
                    assert "fork" in str(error)
                else:
                    raise AssertionError("it ran")
            del session, call
            gc.collect()
            with levada.Session(text) as own:
                assert own.run("y", {"x": 2.0}) == -2
            code = 0
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert session.run("y", {"x": 1.0}) == -1
    print("fine")
    """
    )
    assert done.stdout == "fine\n", done.stderr


def negate(x: float) -> float:
    with levada.Session(graph(placeholder("x"), ("y", "Neg", ["x"]))) as session:
        return float(session.run("y", {"x": x}))


def test_processes_that_are_spawned_have_sessions_of_their_own():
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert pool.map(negate, [1.0, 2.0, 3.0]) == [-1, -2, -3]


def test_the_command_comes_with_the_package():
    done = subprocess.run([sys.executable, "-m", "levada", "--version"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and levada.__version__ in done.stdout
    wrong = subprocess.run([sys.executable, "-m", "levada", "run"], capture_output=True, text=True, timeout=120)
    assert wrong.returncode == 2


def test_a_program_may_end_while_functions_run():
    start = time.monotonic()
    done = run(
        """
    import levada, threading
    g = '{"node": [{"name": "f", "op": "PyFunc", "attr": {"token": "f", "Tin": [], "Tout": ["float32"]}}]}'
    session = levada.Session(g, host_functions={"f": lambda: threading.Event().wait(60)})
    threading.Thread(target=session.run, args=("f",), daemon=True).start()
    import time
    time.sleep(0.3)
    """
    )
    assert done.returncode == 0 and time.monotonic() - start < 30, done.stderr


def test_errors_are_told_apart():
    assert {errors.error_class(code).code for code in range(1, 16)} == set(range(1, 16))

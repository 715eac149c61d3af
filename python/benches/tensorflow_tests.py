#!/usr/bin/env python3
"""Runs TensorFlow's own tests twice: unmodified, and within `levada.compat.tensorflow.use()`.

    pip install tensorflow-cpu ./python
    python python/benches/tensorflow_tests.py [--timeout 60] [--json results.json] DIRECTORY/fifo_queue_test.py ...

The files are those of TensorFlow's sources at the installed version. Each file runs in separate processes; a test that hangs or crashes
ends its process, and the next tests get a new one. Only tests that pass in TensorFlow and run a session there count.
"""

from __future__ import annotations

import argparse
import ast
import collections
import contextlib
import faulthandler
import importlib
import json
import os
import pathlib
import re
import sys
import tempfile
import traceback
import unittest
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")


def flatten(suite: Any) -> Any:
    for one in suite:
        if isinstance(one, unittest.TestSuite):
            yield from flatten(one)
        else:
            yield one


def load(file: pathlib.Path) -> Any:
    """The module of a file, set up as when its tests run as a program."""
    sys.path.insert(0, str(file.parent))
    module = importlib.import_module(file.stem)
    for node in ast.parse(file.read_text()).body:
        if isinstance(node, ast.If) and "__main__" in ast.unparse(node.test):
            before = [line for line in node.body if not re.search(r"\bmain\(", ast.unparse(line))]
            exec(compile(ast.Module(before, []), str(file), "exec"), vars(module))
    return module


def work(file: pathlib.Path, mode: str, skip: set[str], log: Any, timeout: int) -> None:
    """Runs the tests of a file except the skipped ones, with a log line for each."""
    from absl import flags
    from tensorflow.python.client import session

    def say(**line: Any) -> None:
        log.write(json.dumps(line) + "\n")
        log.flush()

    sys.argv = [str(file)]
    flags.FLAGS(sys.argv)
    used = False

    def noting(theirs: Any) -> Any:
        def method(self: Any, *args: Any, **kwargs: Any) -> Any:
            nonlocal used
            used = True
            return theirs(self, *args, **kwargs)

        return method

    if mode == "tensorflow":
        for name in ("run", "partial_run_setup", "make_callable", "_make_callable_from_options"):
            setattr(session.BaseSession, name, noting(getattr(session.BaseSession, name)))
    within: Any = contextlib.nullcontext()
    if mode == "levada":
        from levada.compat import tensorflow as compat

        within = compat.use()
    with within:
        try:
            suite = unittest.defaultTestLoader.loadTestsFromModule(load(file))
        except BaseException as error:
            say(test="", outcome="error", text="".join(traceback.format_exception(error)))
            return
        for test in flatten(suite):
            if test.id() in skip:
                continue
            say(test=test.id(), outcome="begun")
            used = False
            faulthandler.dump_traceback_later(timeout, exit=True)
            result = unittest.TestResult()
            # One by one, with what a class sets up.
            with contextlib.suppress(SystemExit):
                unittest.TestSuite([test]).run(result)
            faulthandler.cancel_dump_traceback_later()
            bad = [*result.failures, *result.errors]
            outcome = "fail" if bad else "skip" if result.skipped else "pass"
            if not bad and not result.testsRun and not result.skipped:
                outcome = "fail"
            say(test=test.id(), outcome=outcome, session=used, text="\n".join(text for _, text in bad))


def run(file: pathlib.Path, mode: str, timeout: int) -> dict[str, dict[str, Any]]:
    """The outcomes of a file's tests."""
    results: dict[str, dict[str, Any]] = {}
    while True:
        with tempfile.TemporaryDirectory() as scratch:
            log, noise = os.path.join(scratch, "log"), os.path.join(scratch, "noise")
            child = os.fork()
            if child == 0:
                os.environ["TEST_TMPDIR"] = scratch
                with open(noise, "w") as out:
                    os.dup2(out.fileno(), 1)
                    os.dup2(out.fileno(), 2)
                try:
                    with open(log, "w") as out:
                        work(file, mode, set(results), out, timeout)
                    os._exit(0)
                except BaseException:
                    traceback.print_exc()
                    os._exit(1)
            _, status = os.waitpid(child, 0)
            begun = None
            for line in open(log):
                said = json.loads(line)
                test = said.pop("test")
                begun = test if said["outcome"] == "begun" else None
                results[test] = said
            if begun is None:
                if status:
                    results["(end)"] = {"outcome": "crash", "text": pathlib.Path(noise).read_text(errors="replace")[-3000:]}
                return results
            text = pathlib.Path(noise).read_text(errors="replace")[-6000:]
            results[begun] = {"outcome": "hang" if "Timeout (" in text else "crash", "text": f"status {status}\n{text}"}


def cause(text: str) -> str:
    """The last informative line of a traceback."""
    lines = [line for line in text.strip().splitlines() if line and not line.startswith((" ", "\t", "-"))]
    errors = [line for line in lines if re.match(r"[\w.]+(Error|Exception|Warning|Exit)\b", line)]
    return re.sub(r"0x[0-9a-f]+", "0x", (errors or lines or [""])[-1])[:160]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    parser.add_argument("--timeout", type=int, default=60, help="seconds that a test may take")
    parser.add_argument("--json", type=pathlib.Path, help="where the outcomes go")
    parser.add_argument("--known", type=pathlib.Path, help="outcomes of another time, of which TensorFlow's are taken over")
    parser.add_argument("--v1", action="store_true", help="with disable_v2_behavior()")
    options = parser.parse_args()

    import tensorflow as tf

    if options.v1:
        tf.compat.v1.disable_v2_behavior()
    known = json.loads(options.known.read_text()) if options.known and options.known.exists() else {}
    outcomes: dict[str, Any] = {}
    causes: collections.Counter[str] = collections.Counter()
    rows = []
    for file in options.files:
        name = file.stem
        theirs = known[name]["tensorflow"] if name in known else run(file, "tensorflow", options.timeout)
        ours = run(file, "levada", options.timeout)
        outcomes[name] = {"tensorflow": theirs, "levada": ours}
        if options.json:
            options.json.write_text(json.dumps(outcomes, indent=1))
        counted = [test for test, said in theirs.items() if said["outcome"] == "pass" and said.get("session")]
        good = 0
        for test in counted:
            said = ours.get(test, {"outcome": "missing", "text": ""})
            if said["outcome"] == "pass":
                good += 1
            else:
                causes[f"{said['outcome']}: {cause(said.get('text', ''))}"] += 1
                print(f"  {test} {said['outcome']}: {cause(said.get('text', ''))}")
        passed = sum(said["outcome"] == "pass" for said in theirs.values())
        rows.append((name, len(theirs), passed, len(counted), good))
        print("{:40} {:5} tests, {:5} pass in TensorFlow, {:5} of these with a session, {:5} pass on Levada".format(*rows[-1]), flush=True)
    if not rows:
        return
    total = [sum(column) for column in list(zip(*rows))[1:]]
    print("\n| file | tests | pass in TensorFlow | of these with a session | pass on Levada |\n|---|--:|--:|--:|--:|")
    for row in rows:
        print("| {} | {} | {} | {} | {} |".format(*row))
    print("| | {} | {} | {} | {} |".format(*total))
    if total[2]:
        print(f"\n{100 * total[3] / total[2]:.1f}%")
    for text, count in causes.most_common():
        print(f"{count:5} {text}")


if __name__ == "__main__":
    main()

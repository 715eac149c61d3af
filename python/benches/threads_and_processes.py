#!/usr/bin/env python3
"""One process with N threads on one session against N processes with a session each.

    pip install ./python
    python python/benches/threads_and_processes.py [--seconds 1] [--rounds 5] [N ...]

Measures calls per second of all callers together, and the memory of all processes. Sessions have a single thread, so all parallelism comes
from the callers. The two variants alternate; the table has the medians over the rounds.
"""

from __future__ import annotations

import argparse
import multiprocessing
import statistics
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import levada


def tiny() -> tuple[levada.Session, Callable[[], Any]]:
    """x + 1 of a scalar"""
    graph = levada.Graph()
    x = graph.placeholder("float32", [], name="x")
    session = levada.Session(graph, threads=1)
    call = session.make_callable(x + 1.0, [x])
    return session, lambda: call(1.0)


def layers() -> tuple[levada.Session, Callable[[], Any]]:
    """four layers of 1,024 units, 16 MB of weights, a batch of 16"""
    graph, random = levada.Graph(), np.random.default_rng(0)
    x = y = graph.placeholder("float32", [None, 1024], name="x")
    for i in range(4):
        w = graph.variable(random.standard_normal((1024, 1024), np.float32) / 32, name=f"w{i}")
        y = graph.ops.relu(y @ w)
    init = graph.global_variables_initializer()
    session = levada.Session(graph, threads=1)
    session.run(init)
    call, batch = session.make_callable(y, [x]), np.ones((16, 1024), np.float32)
    return session, lambda: call(batch)


WORK = {"tiny": tiny, "layers": layers}


def memory() -> float:
    """Megabytes that are private to this process."""
    try:
        with open("/proc/self/smaps_rollup") as file:
            return sum(int(line.split()[1]) for line in file if line.startswith("Private_")) / 1024
    except OSError:
        return float("nan")


def calls_until(call: Callable[[], Any], end: float) -> int:
    count = 0
    while time.monotonic() < end:
        call()
        count += 1
    return count


def serve(name: str, pipe: Any) -> None:
    """A process that counts calls until each deadline that it receives."""
    session, call = WORK[name]()
    with session:
        call()
        while True:
            pipe.send(memory())
            end = pipe.recv()
            if end is None:
                return
            pipe.send(calls_until(call, end))


def threads(call: Callable[[], Any], n: int, seconds: float) -> float:
    counts: list[int] = []
    end = time.monotonic() + seconds
    all_of_them = [threading.Thread(target=lambda: counts.append(calls_until(call, end))) for _ in range(n)]
    for one in all_of_them:
        one.start()
    for one in all_of_them:
        one.join()
    return sum(counts) / seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("callers", nargs="*", type=int, default=[1, 2, 4])
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    spawn = multiprocessing.get_context("spawn")
    print("| | N | N threads | N processes | memory of threads | of processes |\n|---|--:|--:|--:|--:|--:|")
    for name, work in WORK.items():
        for n in options.callers:
            # The threads' session has a separate process too, so that memory can be attributed.
            one, *many = [spawn.Pipe() for _ in range(n + 1)]
            hosts = [spawn.Process(target=serve_threads, args=(name, n, options.seconds, one[1]), daemon=True)]
            hosts += [spawn.Process(target=serve, args=(name, theirs), daemon=True) for _, theirs in many]
            for host in hosts:
                host.start()
            by_threads, by_processes = [], []
            taken = [one[0].recv(), sum(ours.recv() for ours, _ in many)]
            for _ in range(options.rounds):
                one[0].send(True)
                by_threads.append(one[0].recv())
                taken[0] = one[0].recv()
                end = time.monotonic() + options.seconds
                for ours, _ in many:
                    ours.send(end)
                by_processes.append(sum(ours.recv() for ours, _ in many) / options.seconds)
                taken[1] = sum(ours.recv() for ours, _ in many)
            for ours, _ in (one, *many):
                ours.send(None)
            for host in hosts:
                host.join()
            first, second = statistics.median(by_threads), statistics.median(by_processes)
            print(
                f"| {work.__doc__} | {n} | {first:,.0f}/s | {second:,.0f}/s | {taken[0]:.0f} MB | {taken[1]:.0f} MB |", flush=True
            )


def serve_threads(name: str, n: int, seconds: float, pipe: Any) -> None:
    """A process with one session that counts the calls of N threads on request."""
    session, call = WORK[name]()
    with session:
        call()
        while True:
            pipe.send(memory())
            if pipe.recv() is None:
                return
            pipe.send(threads(call, n, seconds))


if __name__ == "__main__":
    main()

"""Sessions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from levada import _levada
from levada._shown import Comparison, Memory, Placement, Queues, Times, Waiting


class Session(_levada.Session):
    """Runs a graph, any number of times and from any number of threads, and keeps the state of its variables and queues
    from run to run.

    The session follows its graph as it grows. A ``with`` statement closes it at the end. A session belongs to the process that made
    it: in a child of ``fork()`` every use raises ``FailedPreconditionError``.

    Args:
        graph: a ``Graph``, or anything that ``Graph`` accepts.
        devices: which devices to use and how many of each: ``"cpu:2,gpu:1"`` or ``{"cpu": 2, "gpu": 1}``; one CPU by default.
        threads: number of threads; 0 for one per core. With 1 nodes run in the same order each time.
        soft_placement: let a node whose device does not exist, or has no kernel for it, run elsewhere.
        placer: how to choose among devices: ``"first-fit"``, ``"heft"``, ``"m-etf"`` or ``"m-sct"``.
        timeout: seconds after which every run fails, unless its own options say otherwise.
        plain: run the nodes of the graph unchanged: no folding, merging or fusion.
        fusion: fuse chains and trees of elementwise nodes.
        memory_limit: bytes that tensors may take on the CPU; 0 for the machine's memory.
        gpu_memory_limit: bytes that tensors may take on each GPU; 0 for all of its memory.
        files: directories whose files ops may access; none by default.
        host_functions: functions that ``PyFunc`` nodes may call: a dict by token, or a function that returns the function of a token.
        on_stall: ``"raise"``: a deadlocked run that no other thread of the program could unblock raises ``AbortedError`` and says which
            node waits for what. ``"wait"``: it waits.
        report_waits: seconds after which a waiting run reports once which node waits for what.
        telemetry: record how full queues are, for ``queues()``.
        untrusted: do not trust the graph: limit its memory, time, nodes, iterations, recursion, queues, strings and results, and call no
            functions of the program. A dict overrides single limits: ``memory``, ``memory_of_step``, ``time``, ``processor_time`` (in
            seconds), ``nodes``, ``iterations``, ``depth``, ``queue_elements``, ``string_bytes``, ``output_bytes``.
        watch: ``"nan"``: a run stops at the node that produces the first NaN or infinity, with an error whose ``nan`` has the node's
            inputs. ``"nan-only"``: infinities pass. With ``",feeds"`` appended, feeds, constants, variables and files are checked, too.
        log: a function that receives the output of ``Print`` and the like; standard error by default.
    """

    def waiting(self) -> Waiting:
        """Which nodes of runs in progress wait, for what, and which nodes could end the wait."""
        return Waiting(*self._waiting())

    def queues(self) -> Queues:
        """How full queues were and which nodes waited, if the session was made with ``telemetry=True``."""
        return Queues(*self._queues())

    def placement(self) -> Placement:
        """Where the nodes are, why, and their estimated costs."""
        return Placement(*self._placement())

    def memory(self, fetches: Any, feeds: Mapping[Any, Any] | None = None, *, threads: int = 0) -> Memory:
        """Predicts the memory of a run without running it: the expected peak, and a bound for any order of nodes.

        Args:
            fetches: as for ``run``.
            feeds: shapes by name, a tuple or list of sizes, with None for unknown ones; or arrays of these shapes.
            threads: number of threads; 0 for those of the session.
        """
        shapes = [(key, _shape(value)) for key, value in (feeds or {}).items()]
        return Memory(*self._memory(fetches, shapes, threads))

    def compare(
        self,
        other: Session | Mapping[str, Any],
        fetches: Any = None,
        feed_dict: Mapping[Any, Any] | None = None,
        *,
        rtol: float = 1e-5,
        atol: float = 1e-6,
    ) -> Comparison:
        """Compares the values of nodes here and in another session, with other devices, dtypes or another version of the graph: where
        they differ, and whose arithmetic is to blame.

        Args:
            other: the other session, or arrays by the names of tensors.
            fetches: compares everything that these need. None for everything that can be computed from the feeds without changing
                state.
            feed_dict: values by name.
            rtol: tolerance relative to the other value.
            atol: absolute tolerance.
        """
        other = other if isinstance(other, _levada.Session) else dict(other)
        return Comparison(*self._compare(other, fetches, _plain(feed_dict), rtol, atol))

    def time(
        self,
        fetches: Any,
        feed_dict: Mapping[Any, Any] | None = None,
        *,
        threads: Iterable[int] = (1, 2, 4, 8),
        steps: int = 20,
    ) -> Times:
        """Predicts the time of a run on these thread counts, from ``steps`` measured runs and some traced ones. State changes as in any
        other run."""
        return Times(*self._time(fetches, _plain(feed_dict), list(threads), steps))


def _shape(value: Any) -> list[int | None]:
    shape = value if isinstance(value, (list, tuple)) else value.shape
    return [None if size is None else int(size) for size in shape]


def _plain(feeds: Mapping[Any, Any] | None) -> dict[Any, Any] | None:
    return None if feeds is None else dict(feeds)

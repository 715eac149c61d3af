"""Sessions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from levada import _levada
from levada._shown import Comparison, Memory, Placement, Queues, Times, Waiting


class Session(_levada.Session):
    """Runs a graph, any number of times and from any number of threads, and keeps the state of its variables and queues
    from run to run.

    The session follows its graph as that grows. Used in a ``with`` statement it is closed at the end. A session stays
    with the process that made it: in a child of ``fork()`` every use raises ``FailedPreconditionError``.

    Args:
        graph: a ``Graph``, or whatever one can be made of.
        devices: which devices there are and how many of each: ``"cpu:2,gpu:1"`` or ``{"cpu": 2, "gpu": 1}``; one CPU by default.
        threads: number of threads; 0 for one per core. With 1 nodes run in the same order each time.
        soft_placement: let a node whose device does not exist, or has no kernel for it, run elsewhere.
        placer: how to choose among devices: ``"first-fit"``, ``"heft"``, ``"m-etf"`` or ``"m-sct"``.
        timeout: seconds after which every run fails, unless its own options say otherwise.
        plain: run nodes as the graph has them: nothing is folded, merged or computed as one.
        fusion: compute chains and trees of elementwise nodes as one.
        memory_limit: bytes that tensors may take on the CPU; 0 for what the machine has.
        gpu_memory_limit: bytes that tensors may take on each GPU; 0 for what it has.
        files: directories whose files ops may reach; none by default.
        host_functions: functions that nodes ``PyFunc`` may call: a dict by token, or a function that gives the function of a token.
        on_stall: ``"raise"``: a run in which everything waits, while no other thread of the program could change that, raises
            ``AbortedError`` with who waits for what. ``"wait"``: it waits.
        report_waits: seconds after which a run that waits writes who waits for what, once.
        telemetry: record how full queues are, for ``queues()``.
        untrusted: treat the graph as nobody's: runs are held to limits of memory, time, nodes, iterations, recursion, queues, strings
            and results, and call no functions of the program. A dict sets some of the limits: ``memory``, ``memory_of_step``, ``time``,
            ``processor_time`` (in seconds), ``nodes``, ``iterations``, ``depth``, ``queue_elements``, ``string_bytes``, ``output_bytes``.
        watch: ``"nan"``: a run ends where a node makes the first NaN or infinity, with an error that has the node's inputs as ``nan``.
            ``"nan-only"``: infinities are fine. With ``",feeds"`` behind it feeds, constants, variables and files are looked at, too.
        log: a function that gets what ``Print`` and the like write; standard error by default.
    """

    def waiting(self) -> Waiting:
        """Which nodes of runs under way wait, at what, and who could end that."""
        return Waiting(*self._waiting())

    def queues(self) -> Queues:
        """How full queues were and who waited there, where the session was made with ``telemetry=True``."""
        return Queues(*self._queues())

    def placement(self) -> Placement:
        """Where the nodes are, why, and what they are estimated to cost."""
        return Placement(*self._placement())

    def memory(self, fetches: Any, feeds: Mapping[Any, Any] | None = None, *, threads: int = 0) -> Memory:
        """How much memory a run takes, without running it: what is expected, and the most that any order of nodes can take.

        Args:
            fetches: as those of ``run``.
            feeds: shapes by names, a tuple or list of sizes, with None for what is not known; or arrays of these shapes.
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
        """What nodes give here and in another session, with other devices, dtypes or another version of the graph; where they differ,
        and whose arithmetic is to blame.

        Args:
            other: the other session, or arrays by the names of tensors.
            fetches: what the comparison is for: everything that these need is compared. None for everything that can be computed
                from the feeds without changing state.
            feed_dict: values by names.
            rtol: how far values may be apart, relative to the other one.
            atol: how far they may be apart besides.
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
        """How long a run is expected to take on these numbers of threads, from ``steps`` runs, which are measured, and some that are
        traced. State changes as by any other run."""
        return Times(*self._time(fetches, _plain(feed_dict), list(threads), steps))


def _shape(value: Any) -> list[int | None]:
    shape = value if isinstance(value, (list, tuple)) else value.shape
    return [None if size is None else int(size) for size in shape]


def _plain(feeds: Mapping[Any, Any] | None) -> dict[Any, Any] | None:
    return None if feeds is None else dict(feeds)

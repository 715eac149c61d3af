"""Sessions."""

from __future__ import annotations

from levada import _levada
from levada._shown import Placement, Queues, Waiting


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
            and results, and call no functions of the program.
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

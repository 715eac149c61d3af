"""How many of the program's threads could begin a run."""

from __future__ import annotations

import threading

# Threads of these packages begin no runs.
_BYSTANDERS = frozenset({"IPython", "asyncio", "debugpy", "ipykernel", "prompt_toolkit", "pydevd", "tornado", "tqdm", "zmq"})


def _is_bystander(thread: threading.Thread) -> bool:
    target = getattr(thread, "_target", None)
    modules = (type(thread).__module__, getattr(target, "__module__", None))
    return any(module and module.partition(".")[0] in _BYSTANDERS for module in modules)


def count() -> int:
    """The number of threads that could begin a run of a session."""
    return sum(not _is_bystander(thread) for thread in threading.enumerate())

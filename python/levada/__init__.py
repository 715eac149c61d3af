"""Runs TensorFlow-style dataflow graphs, without TensorFlow.

    import levada

    session = levada.Session("model.pb")
    y = session.run("y", {"x": [1.0, 2.0]})

``Graph`` reads or builds a graph, ``Session`` runs it, ``levada.train`` is for training, and ``levada.errors`` has the exceptions.
``levada.compat.tensorflow`` replaces ``tf.compat.v1.Session`` in existing programs.
"""

from levada import errors, train
from levada._build import Operation, Output, Variable
from levada._graph import Graph
from levada._levada import (
    Callable,
    PartialRun,
    RunMetadata,
    RunOptions,
    Tensor,
    Trace,
    __version__,
    register_conversion,
)
from levada._session import Session
from levada._shown import Comparison, Exploration, Findings, Memory, Placement, Queues, Times, Waiting

__all__ = [
    "Callable",
    "Comparison",
    "Exploration",
    "Findings",
    "Graph",
    "Memory",
    "Operation",
    "Output",
    "PartialRun",
    "Placement",
    "Queues",
    "RunMetadata",
    "RunOptions",
    "Session",
    "Tensor",
    "Times",
    "Trace",
    "Variable",
    "Waiting",
    "__version__",
    "errors",
    "register_conversion",
    "train",
]

"""Graphs."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from levada import _levada
from levada._build import DTypeLike, Operation, Output, ShapeLike, Value, Variable, _natural
from levada._shown import Exploration, Findings

if TYPE_CHECKING:
    from levada.ops import Ops


class Graph(_levada.Graph):
    """A dataflow graph.

    It is read from a file or the like, or built node by node: start with ``placeholder``, ``constant`` and ``variable``; outputs have
    operators, and ``ops`` has a method for every op. A session follows its graph as it grows.

        graph = levada.Graph()
        x = graph.placeholder("float32", [None, 3], name="x")
        y = graph.ops.softmax(2 * x + 1, name="y")
        levada.Session(graph).run(y, {x: [[1, 2, 3]]})

    Args:
        source: the path of a file (a GraphDef or MetaGraphDef, JSON or binary; an ONNX model; the directory of a SavedModel), JSON text,
            the bytes of a GraphDef, a ``tf.Graph`` or GraphDef object; None for an empty graph.
        tags: the tags of the MetaGraph of a SavedModel, if it has several.
        strict: refuse a graph with unsupported parts, whether or not a run will reach them.

    Raises:
        levada.errors.OpError: all faults of the graph, each with its location.
    """

    def __init__(self, source: Any = None, *, tags: Any = None, strict: bool = False) -> None:
        self._devices: list[str] = []
        self._before: list[Any] = []

    @cached_property
    def ops(self) -> Ops:
        """A method for every op."""
        # A large module, imported only when a graph is built.
        from levada.ops import Ops

        return Ops(self)

    def _add_node(
        self,
        op: str,
        inputs: list[str],
        attrs: dict[str, Any],
        name: str | None,
        device: str | None,
        after: Iterable[Any],
    ) -> tuple[str, list[str]]:
        before = [value if isinstance(value, str) else value.name for value in (*self._before, *after)]
        device = device or (self._devices[-1] if self._devices else None)
        return self._node((op, inputs, attrs, name, device, before))

    def placeholder(self, dtype: DTypeLike, shape: ShapeLike | None = None, *, name: str | None = None) -> Output:
        """A value to be fed."""
        made, _ = self._add_node("Placeholder", [], {"dtype": dtype, "shape": shape}, name, None, ())
        return Output(self, f"{made}:0")

    def constant(self, value: Any, dtype: DTypeLike | None = None, *, name: str | None = None) -> Output:
        """A fixed value. Python numbers are float32 and int32 unless a dtype is given."""
        tensor = _levada.Tensor(_natural(value) if dtype is None else value, dtype)
        made, _ = self._add_node("Const", [], {"dtype": tensor.dtype, "value": tensor}, name, None, ())
        return Output(self, f"{made}:0")

    def variable(
        self,
        initial_value: Value,
        dtype: DTypeLike | None = None,
        *,
        name: str = "Variable",
        trainable: bool = True,
    ) -> Variable:
        """A variable, which keeps its value from run to run. ``trainable``: optimizers change it."""
        initial = initial_value if isinstance(initial_value, Output) else self.constant(initial_value, dtype)
        return Variable(self, *self._variable(name, initial.name, trainable))

    def global_step(self) -> Variable:
        """The counter of training steps; the graph's own if it has one."""
        return Variable(self, *self._global_step())

    def trainable_variables(self) -> list[Variable]:
        """The variables that optimizers change."""
        return [Variable(self, *names) for names in self._trainable_variables()]

    def global_variables_initializer(self) -> Operation:
        """A node that initializes every variable. Make it after the variables."""
        return Operation(self, self._initializer(False))

    def local_variables_initializer(self) -> Operation:
        """A node that initializes every variable that is not saved, such as epoch counters."""
        return Operation(self, self._initializer(True))

    def gradients(
        self,
        ys: Output | Iterable[Output],
        xs: Output | Iterable[Output],
        grad_ys: Iterable[Output | None] = (),
        *,
        stop_gradients: Iterable[Output] = (),
        name: str | None = None,
    ) -> list[Output | None]:
        """The gradients of the sum of ``ys`` with respect to each of ``xs``; None if ``ys`` do not depend on it."""
        ys, xs = ([one] if isinstance(one, Output) else list(one) for one in (ys, xs))
        given = [None if grad is None else grad.name for grad in grad_ys]
        names = self._gradients(
            [y.name for y in ys],
            [x.handle.name if isinstance(x, Variable) else x.name for x in xs],
            given,
            [stop.name for stop in stop_gradients],
            name,
        )
        return [None if name is None else Output(self, name) for name in names]

    def group(self, *operations: Any, name: str | None = None) -> Operation:
        """A node that runs after all of these."""
        made, _ = self._add_node("NoOp", [], {}, name or "group", None, operations)
        return Operation(self, made)

    def operation(self, name: str) -> Operation:
        """The node of this name."""
        self._describe(name)
        return Operation(self, name)

    def output(self, name: str) -> Output:
        """The output of this name: ``"node"`` or ``"node:1"``."""
        full = name if ":" in name else f"{name}:0"
        self._dtype(full)
        return Output(self, full)

    @contextlib.contextmanager
    def scope(self, name: str) -> Iterator[None]:
        """Prefixes the names of nodes added within with ``name/``."""
        self._scope(name)
        try:
            yield
        finally:
            self._scope(None)

    @contextlib.contextmanager
    def device(self, name: str) -> Iterator[None]:
        """Requests this device, such as ``"/gpu:0"``, for nodes added within."""
        self._devices.append(name)
        try:
            yield
        finally:
            self._devices.pop()

    @contextlib.contextmanager
    def control_dependencies(self, operations: Iterable[Any]) -> Iterator[None]:
        """Makes nodes added within run only after these."""
        added = list(operations)
        self._before.extend(added)
        try:
            yield
        finally:
            del self._before[len(self._before) - len(added) :]

    def lint(self, fetches: Any = None, feeds: Iterable[Any] = ()) -> Findings:
        """Finds races, stalls and waste: in the whole graph, or in the run that fetches ``fetches`` and feeds ``feeds``."""
        return Findings(*self._lint(fetches, list(feeds)))

    def explore(
        self,
        fetches: Any,
        feed_dict: Mapping[Any, Any] | None = None,
        *,
        init: Any = None,
        orders: int = 200,
        seed: int = 0,
        timeout: float = 10.0,
        files: Any = None,
    ) -> Exploration:
        """Runs the graph in other orders of its nodes, each in a separate session, and reports which results depend on the order.

        Args:
            fetches: as for ``Session.run``.
            feed_dict: values by name.
            init: nodes to run first, in the usual order, such as the initializer of variables.
            orders: maximum number of other orders to try.
            seed: seed of the random orders.
            timeout: seconds that a run may take.
            files: directories whose files ops may access; none by default.
        """
        feeds = None if feed_dict is None else dict(feed_dict)
        asked = dict(fetches=fetches, feeds=feeds, init=init, orders=orders, seed=seed, timeout=timeout, files=files)
        return Exploration(*self._explore(asked))

    def save(self, path: Any) -> None:
        """Writes the GraphDef to a file that TensorFlow reads: JSON if its name ends in ``.json``, else binary."""
        with open(path, "wb") as file:
            file.write(self.to_json().encode() if str(path).endswith(".json") else self.to_bytes())



"""Building blocks of graphs: outputs of nodes, operations, variables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from levada import _levada

if TYPE_CHECKING:
    from levada._graph import Graph

#: A dtype: ``"float32"``, ``np.float32``, ``np.dtype("float32")``, ``tf.float32``.
DTypeLike = Any
#: An input of a node: an output of another node, or a value, which becomes a constant.
Value = Any
#: A shape, with None for unknown sizes.
ShapeLike = Sequence["int | None"]


class Operation:
    """A node of a graph."""

    __slots__ = ("graph", "name")

    def __init__(self, graph: Graph, name: str) -> None:
        self.graph = graph
        #: Its name.
        self.name = name

    @property
    def type(self) -> str:
        """Its op."""
        return self.graph._describe(self.name)[0]

    @property
    def inputs(self) -> list[Output]:
        """Its data inputs."""
        names = self.graph._describe(self.name)[1]
        return [Output(self.graph, name) for name in names if not name.startswith("^")]

    @property
    def control_inputs(self) -> list[Operation]:
        """The nodes that run before it."""
        names = self.graph._describe(self.name)[1]
        return [Operation(self.graph, name[1:]) for name in names if name.startswith("^")]

    @property
    def outputs(self) -> list[Output]:
        """Its outputs."""
        types = self.graph._describe(self.name)[3]
        return [Output(self.graph, f"{self.name}:{i}") for i in range(len(types))]

    @property
    def device(self) -> str:
        """Its requested device."""
        return self.graph._describe(self.name)[2]

    def __repr__(self) -> str:
        return f"<levada.Operation {self.name!r}, op {self.type}>"


class Output:
    """An output of a node: a tensor of the graph, for use in arithmetic and as an input of other nodes."""

    __slots__ = ("_dtype", "graph", "name")

    # NumPy arrays defer binary operators to outputs.
    __array_ufunc__ = None

    def __init__(self, graph: Graph, name: str) -> None:
        self.graph = graph
        #: Its name, such as ``"node:0"``.
        self.name = name
        self._dtype: str | None = None

    @property
    def op(self) -> Operation:
        """The node that produces it."""
        return Operation(self.graph, self.name.partition(":")[0])

    @property
    def dtype(self) -> str:
        """Name of its dtype."""
        if self._dtype is None:
            self._dtype = self.graph._dtype(self.name)
        return self._dtype

    @property
    def shape(self) -> tuple[int | None, ...] | None:
        """Its shape as far as known: None for an unknown size, or if even the rank is unknown."""
        shape = self.graph._shape(self.name)
        return None if shape is None else tuple(shape)

    def __repr__(self) -> str:
        return f"<levada.Output {self.name!r}, {self.dtype}, shape {self.shape}>"

    def __bool__(self) -> bool:
        raise TypeError("an output has no value before a run: use graph.ops.select_v2, or fetch it and look at that")

    def __iter__(self) -> Any:
        raise TypeError("an output cannot be iterated over: use graph.ops.unpack")

    def __len__(self) -> int:
        raise TypeError("an output has no length before a run: use its shape, or graph.ops.shape")

    def _binary(self, op: str, other: Value, swapped: bool = False) -> Output:
        left, right = (other, self) if swapped else (self, other)
        return self.graph.ops._add(op, (left, right))

    def __add__(self, other: Value) -> Output:
        return self._binary("AddV2", other)

    def __radd__(self, other: Value) -> Output:
        return self._binary("AddV2", other, swapped=True)

    def __sub__(self, other: Value) -> Output:
        return self._binary("Sub", other)

    def __rsub__(self, other: Value) -> Output:
        return self._binary("Sub", other, swapped=True)

    def __mul__(self, other: Value) -> Output:
        return self._binary("Mul", other)

    def __rmul__(self, other: Value) -> Output:
        return self._binary("Mul", other, swapped=True)

    def __truediv__(self, other: Value) -> Output:
        return self._binary("RealDiv", other)

    def __rtruediv__(self, other: Value) -> Output:
        return self._binary("RealDiv", other, swapped=True)

    def __floordiv__(self, other: Value) -> Output:
        return self._binary("FloorDiv", other)

    def __rfloordiv__(self, other: Value) -> Output:
        return self._binary("FloorDiv", other, swapped=True)

    def __mod__(self, other: Value) -> Output:
        return self._binary("FloorMod", other)

    def __rmod__(self, other: Value) -> Output:
        return self._binary("FloorMod", other, swapped=True)

    def __pow__(self, other: Value) -> Output:
        return self._binary("Pow", other)

    def __rpow__(self, other: Value) -> Output:
        return self._binary("Pow", other, swapped=True)

    def __matmul__(self, other: Value) -> Output:
        shape = self.shape
        return self._binary("MatMul" if shape is not None and len(shape) == 2 else "BatchMatMulV2", other)

    def __rmatmul__(self, other: Value) -> Output:
        return self._binary("BatchMatMulV2", other, swapped=True)

    def __lt__(self, other: Value) -> Output:
        return self._binary("Less", other)

    def __le__(self, other: Value) -> Output:
        return self._binary("LessEqual", other)

    def __gt__(self, other: Value) -> Output:
        return self._binary("Greater", other)

    def __ge__(self, other: Value) -> Output:
        return self._binary("GreaterEqual", other)

    def _logical(self, name: str, other: Value, swapped: bool = False) -> Output:
        return self._binary(f"Logical{name}" if self.dtype == "bool" else f"Bitwise{name}", other, swapped)

    def __and__(self, other: Value) -> Output:
        return self._logical("And", other)

    def __rand__(self, other: Value) -> Output:
        return self._logical("And", other, swapped=True)

    def __or__(self, other: Value) -> Output:
        return self._logical("Or", other)

    def __ror__(self, other: Value) -> Output:
        return self._logical("Or", other, swapped=True)

    def __invert__(self) -> Output:
        return self.graph.ops._add("LogicalNot" if self.dtype == "bool" else "Invert", (self,))

    def __neg__(self) -> Output:
        return self.graph.ops._add("Neg", (self,))

    def __abs__(self) -> Output:
        return self.graph.ops._add("ComplexAbs" if self.dtype.startswith("complex") else "Abs", (self,))

    def __getitem__(self, index: Any) -> Output:
        """Indexes it with integers, slices, ``...`` and None as for arrays. Integers may be outputs."""
        items = index if isinstance(index, tuple) else (index,)
        begin: list[Any] = []
        end: list[Any] = []
        strides: list[Any] = []
        masks = dict.fromkeys(("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"), 0)
        for bit, item in enumerate(items):
            first, last, step = 0, 0, 1
            if item is Ellipsis:
                masks["ellipsis_mask"] |= 1 << bit
            elif item is None:
                masks["new_axis_mask"] |= 1 << bit
            elif isinstance(item, slice):
                step = 1 if item.step is None else item.step
                if item.start is None:
                    masks["begin_mask"] |= 1 << bit
                else:
                    first = item.start
                if item.stop is None:
                    masks["end_mask"] |= 1 << bit
                else:
                    last = item.stop
            else:
                masks["shrink_axis_mask"] |= 1 << bit
                first, last = item, item + 1
            begin.append(first)
            end.append(last)
            strides.append(step)
        ops = self.graph.ops
        parts = [ops._vector(part) for part in (begin, end, strides)]
        return ops._add("StridedSlice", (self, *parts), masks)


class Variable(Output):
    """A variable: as an output it is its value. ``graph.global_variables_initializer()`` returns the node that initializes it."""

    __slots__ = ("handle", "initial_value")

    def __init__(self, graph: Graph, handle: str, value: str, initial: str | None) -> None:
        super().__init__(graph, value)
        #: The handle of the variable itself.
        self.handle = Output(graph, handle)
        #: Its initial value.
        self.initial_value = None if initial is None else Output(graph, initial)

    def _update(self, how: str, *values: Value) -> Operation:
        types = ("int32", self.dtype) if how == "scatter_add" else (self.dtype,)
        names = [self.graph.ops._name(value, dtype) for value, dtype in zip(values, types)]
        return Operation(self.graph, self.graph._update(how, self.handle.name, names))

    def assign(self, value: Value) -> Operation:
        """A node that sets it."""
        return self._update("assign", value)

    def assign_add(self, value: Value) -> Operation:
        """A node that adds to it."""
        return self._update("assign_add", value)

    def assign_sub(self, value: Value) -> Operation:
        """A node that subtracts from it."""
        return self._update("assign_sub", value)

    def scatter_add(self, indices: Value, rows: Value) -> Operation:
        """A node that adds rows to it."""
        return self._update("scatter_add", indices, rows)

    def __repr__(self) -> str:
        return f"<levada.Variable {self.handle.op.name!r}, {self.dtype}, shape {self.shape}>"


_specs: dict[str, dict[str, Any]] = {}


def spec(op: str) -> dict[str, Any]:
    """The spec of an op."""
    if not _specs:
        _specs.update((one["name"], one) for ops in _levada.op_specs().values() for one in ops)
    return _specs[op]


def _natural(value: Any) -> np.ndarray:
    """A value as an array, with Python numbers as float32 and int32, as in TensorFlow."""
    array = np.asarray(value)
    if isinstance(value, (np.ndarray, np.generic)):
        return array
    if array.dtype == np.float64:
        return array.astype(np.float32)
    if array.dtype == np.int64 and (array.size == 0 or (array.min() >= -(2**31) and array.max() < 2**31)):
        return array.astype(np.int32)
    return array


class Adder:
    """Adds nodes to a graph."""

    __slots__ = ("_graph",)

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def _name(self, value: Value, dtype: str | None = None) -> str:
        """The name of an output, or of a constant."""
        if isinstance(value, Operation):
            (value,) = value.outputs
        if isinstance(value, Output):
            if value.graph is not self._graph:
                raise ValueError(f"{value!r} belongs to another graph")
            return value.name
        return self._graph.constant(value, dtype).name

    def _vector(self, numbers: list[Any]) -> Value:
        """A vector of int32: a constant if no number is an output."""
        if not any(isinstance(number, Output) for number in numbers):
            return np.asarray(numbers, np.int32)
        return self._add("Pack", (numbers,))

    def _operands(self, op: dict[str, Any], values: Iterable[Any]) -> tuple[list[str], dict[str, int]]:
        """The names of the inputs in order, and the numeric attrs that follow from the inputs."""
        arguments = list(zip(op["inputs"], values))
        known: dict[str, str] = {}
        counts: dict[str, int] = {}
        for argument, value in arguments:
            items = value if isinstance(value, (list, tuple)) else (value,)
            if argument["times"] is not None:
                counts[argument["times"]] = len(items)
            elif argument["each"]:
                counts[argument["attr"]] = len(items)
            if argument["attr"] is not None and not argument["each"]:
                for item in items:
                    if isinstance(item, Output):
                        known.setdefault(argument["attr"], item.dtype)
        names: list[str] = []
        for argument, value in arguments:
            dtype = argument["dtype"] or (None if argument["each"] else known.get(argument["attr"]))
            if argument["times"] is None and not argument["each"]:
                names.append(self._name(value, dtype))
            else:
                names.extend(self._name(item, dtype) for item in value)
            if argument["attr"] is not None and not argument["each"] and names:
                # The first value determines the dtype of those that follow.
                known.setdefault(argument["attr"], Output(self._graph, names[-1]).dtype)
        return names, counts

    def _add(
        self,
        name: str,
        inputs: Iterable[Any] = (),
        attrs: dict[str, Any] | None = None,
        result: Any = None,
        *,
        called: str | None = None,
        device: str | None = None,
        after: Iterable[Any] = (),
    ) -> Any:
        """Adds a node. Returns an output, a list or named tuple of them, or an operation, depending on the op's outputs."""
        op = spec(name)
        names, counts = self._operands(op, inputs)
        kinds = {attr["name"]: attr["kind"] for attr in op["attrs"]}
        attrs = {key: value for key, value in (attrs or {}).items() if value is not None or kinds[key] == "Shape"}
        made, types = self._graph._add_node(name, names, attrs, called, device, after)
        outputs = [Output(self._graph, f"{made}:{i}") for i in range(len(types))]
        if not op["outputs"]:
            return Operation(self._graph, made)
        groups: list[Any] = []
        for argument in op["outputs"]:
            attr = argument["times"] or (argument["attr"] if argument["each"] else None)
            if attr is None:
                groups.append(outputs.pop(0))
                continue
            given = attrs.get(attr, counts.get(attr, 0))
            count = given if isinstance(given, int) else len(given)
            groups.append(outputs[:count])
            del outputs[:count]
        return groups[0] if len(groups) == 1 else result(*groups) if result else tuple(groups)

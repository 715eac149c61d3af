"""Writes `levada/ops.py`, the methods of `graph.ops`, from the op specs: run `python tests/generate_ops.py` after a change of
an op. A test checks that the file is current."""

from __future__ import annotations

import keyword
import re
import textwrap
from pathlib import Path
from typing import Any

from levada import _levada

TARGET = Path(__file__).parents[1] / "levada" / "ops.py"

HEAD = '''"""The ops, as methods of ``graph.ops``.

Inputs are outputs of other nodes, or values, which become constants. A method gives an output, a named tuple or list of outputs
where the op has several, and an operation where it has none. Every method takes ``name``; ``device``, which the node asks for; and
``after``, nodes that run before it.

Written by tests/generate_ops.py; do not edit.
"""

# ruff: noqa: A002, D417, E501, FBT001, N802, PLR0913
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from levada._build import Adder, DTypeLike, Operation, Output, ShapeLike, Value
'''

TYPES = {
    "S": "str | bytes",
    "I": "int",
    "F": "float",
    "B": "bool",
    "Type": "DTypeLike",
    "Shape": "ShapeLike | None",
    "Tensor": "Any",
    "Func": "str",
}
TAKEN = {"self", "name", "device", "after", "type"}


def snake(name: str) -> str:
    """A name in Python style, as for the methods of Rust's `Ops`."""
    out = ""
    for i, letter in enumerate(name):
        before = name[i - 1] if i else ""
        next_is_lower = name[i + 1 : i + 2].islower()
        starts_word = letter.isupper() and (
            before.islower()
            or (before.isupper() and next_is_lower)
            or (before.isdigit() and next_is_lower)
            or (before != "" and re.fullmatch("V[0-9]+", name[i:]) is not None)
        )
        if starts_word and not out.endswith("_"):
            out += "_"
        out += letter.lower()
    return free(out)


def free(name: str) -> str:
    return f"{name}_" if keyword.iskeyword(name) else name


def parameter(name: str, taken: set[str]) -> str:
    """A unique name for an argument."""
    name = snake(name)
    while name in taken or name in TAKEN:
        name += "_"
    taken.add(name)
    return name


def is_list(argument: dict[str, Any]) -> bool:
    return argument["times"] is not None or argument["each"]


def kind(attr: dict[str, Any]) -> str:
    name = attr["kind"]
    if name.startswith("List"):
        inner = TYPES[name.removeprefix("List")]
        return f"Sequence[{inner}]"
    return TYPES[name]


def default(attr: dict[str, Any]) -> tuple[str, str]:
    """The type and the default of an optional attr."""
    value = attr["default"]
    if value is None:
        text = kind(attr)
        return (text if "None" in text else f"{text} | None"), "None"
    if isinstance(value, list):
        return kind(attr), repr(tuple(value))
    return kind(attr), repr(value)


def wrapped(text: str, indent: str) -> list[str]:
    width = 120 - len(indent)
    lines: list[str] = []
    for paragraph in text.split("\n\n"):
        lines += textwrap.wrap(paragraph, width, break_long_words=False, break_on_hyphens=False) + [""]
    return [f"{indent}{line}".rstrip() for line in lines[:-1]]


def literal(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')


def method(op: dict[str, Any]) -> tuple[str, str]:
    """The method of an op, and the class of its results if there are several."""
    taken: set[str] = set()
    given = {argument["times"] for argument in op["inputs"]} | {argument["attr"] for argument in op["inputs"]}
    inputs = [(parameter(argument["name"], taken), argument) for argument in op["inputs"]]
    attrs = [attr for attr in op["attrs"] if attr["name"] not in given]
    required = [(parameter(attr["name"], taken), attr) for attr in attrs if attr["required"]]
    optional = [(parameter(attr["name"], taken), attr) for attr in attrs if not attr["required"]]

    signature = ["self"]
    signature += [f"{name}: {'Sequence[Value]' if is_list(argument) else 'Value'}" for name, argument in inputs]
    signature += [f"{name}: {kind(attr)}" for name, attr in required]
    signature.append("*")
    signature += [f"{name}: {default(attr)[0]} = {default(attr)[1]}" for name, attr in optional]
    signature += ["name: str | None = None", "device: str | None = None", "after: Iterable[Any] = ()"]

    results, result, made = op["outputs"], "None", ""
    if not results:
        returns = "Operation"
    elif len(results) == 1:
        returns = "list[Output]" if is_list(results[0]) else "Output"
    else:
        result = returns = f"{op['name'].lstrip('_')}Outputs"
        fields: set[str] = set()
        lines = [f"\n\nclass {result}(NamedTuple):", f'    """What ``{op["name"]}`` gives."""\n']
        for argument in results:
            name = snake(argument["name"]).lstrip("_")
            while name in fields or name in ("count", "index"):
                name += "_"
            fields.add(name)
            lines.append(f"    {name}: {'list[Output]' if is_list(argument) else 'Output'}")
        made = "\n".join(lines) + "\n"

    doc = literal(op["doc"])
    documented = [(name, attr) for name, attr in required + optional if attr["doc"]]
    lines = [f"    def {snake(op['name'])}("]
    lines += [f"        {part}," for part in signature]
    lines.append(f"    ) -> {returns}:")
    text = wrapped(doc, "        ") or [""]
    text[0] = f'        """{text[0].strip()}'
    if documented:
        text += ["", "        Args:"]
        for name, attr in documented:
            first, *rest = wrapped(literal(f"{name}: {attr['doc']}"), "            ")
            text += [first, *[f"    {line}" if line else line for line in rest]]
        text.append('        """')
    else:
        text[-1] += '"""' if not text[-1].endswith('"') else ' """'
    lines += text
    operands = "".join(f"{name}, " for name, _ in inputs)
    values = ", ".join(f'"{attr["name"]}": {name}' for name, attr in required + optional)
    lines.append(f'        return self._add("{op["name"]}", ({operands.rstrip() if len(inputs) == 1 else operands.rstrip(", ")}), {{{values}}}, {result}, called=name, device=device, after=after)')
    return "\n".join(lines) + "\n", made


def generate() -> str:
    """The module."""
    methods, classes = [], []
    for family, ops in _levada.op_specs().items():
        methods.append(f"\n    # {family}\n")
        for op in ops:
            text, made = method(op)
            methods.append("\n" + text)
            classes.append(made)
    return f'{HEAD}{"".join(classes)}\n\nclass Ops(Adder):\n    """A method for every op."""\n\n    __slots__ = ()\n{"".join(methods)}'


if __name__ == "__main__":
    TARGET.write_text(generate())

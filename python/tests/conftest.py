"""Shared test helpers."""

from __future__ import annotations

import json

import pytest

import levada


def graph(*nodes: dict | tuple) -> levada.Graph:
    """A graph of nodes in the short form: ``("y", "Neg", ["x"], {"T": "float32"})``."""

    def node(name, op, inputs=(), attrs=None):
        return {"name": name, "op": op, "input": list(inputs), "attr": attrs or {}}

    return levada.Graph(json.dumps({"node": [n if isinstance(n, dict) else node(*n) for n in nodes]}))


def placeholder(name: str, dtype: str = "float32", shape=None) -> tuple:
    attrs = {"dtype": dtype}
    if shape is not None:
        attrs["shape"] = shape
    return (name, "Placeholder", [], attrs)


@pytest.fixture
def echo():
    """A session with a node `y` that passes on the value fed to `x`."""
    sessions = []

    def make(dtype: str, **options) -> levada.Session:
        sessions.append(levada.Session(graph(placeholder("x", dtype), ("y", "Identity", ["x"])), **options))
        return sessions[-1]

    yield make
    for session in sessions:
        session.close()

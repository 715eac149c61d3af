"""Reports of sessions, as data, as text, and as pictures in notebooks."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator
from typing import Any


def _table(heads: list[str], rows: list[list[Any]]) -> str:
    """A table in HTML."""

    def cells(tag: str, values: list[Any]) -> str:
        return "".join(f"<{tag}>{html.escape(str(value))}</{tag}>" for value in values)

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f"<table><thead><tr>{cells('th', heads)}</tr></thead><tbody>{body}</tbody></table>"


class Waiting:
    """Which nodes of runs in progress wait, for what, and which nodes could end the wait.

    ``nodes`` has a dict for each: ``step``, ``node``, ``op``, ``waited_ms``, ``place``, ``need``, ``obstacle``, ``partners``.
    """

    def __init__(self, data: str, text: str) -> None:
        self.nodes: list[dict[str, Any]] = json.loads(data)["nodes"]
        self._text = text

    def __bool__(self) -> bool:
        return bool(self.nodes)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<levada.Waiting of {len(self.nodes)} nodes>"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self._text or 'nothing waits')}</pre>"


class Queues:
    """How full queues were, and which nodes waited there: a dict for each queue."""

    def __init__(self, data: str, text: str) -> None:
        self._queues: list[dict[str, Any]] = json.loads(data)
        self._text = text

    def __len__(self) -> int:
        return len(self._queues)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self._queues)

    def __getitem__(self, index: int) -> dict[str, Any]:
        return self._queues[index]

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<levada.Queues: {', '.join(queue['name'] for queue in self._queues)}>"

    def _repr_html_(self) -> str:
        pictures = "".join(
            f"<figure><figcaption>{html.escape(queue['name'])}</figcaption>{_occupancy(queue)}</figure>" for queue in self._queues
        )
        return f"{pictures}<pre>{html.escape(self._text)}</pre>"


def _occupancy(queue: dict[str, Any], width: int = 640, height: int = 80) -> str:
    """How full a queue was over time, as a picture."""
    sizes, span = queue["sizes"], max(queue["span_ns"], 1)
    top = max(queue["largest"], 1)
    points, last = [], 0
    for at, size in [*sizes, [span, None]]:
        x = width * min(at / span, 1)
        points.append(f"{x:.1f},{height - height * last / top:.1f}")
        last = last if size is None else size
        points.append(f"{x:.1f},{height - height * last / top:.1f}")
    area = " ".join([f"0,{height}", *points, f"{width},{height}"])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
        f'<polygon points="{area}" fill="#4c78a8"/></svg>'
    )


class Placement:
    """Where the nodes of a graph are.

    ``nodes`` has a dict for each by its name: ``device``, ``requested``, ``kernels``, ``candidates``, the ``rule`` that decided,
    ``because`` (the chain of reasons, as sentences), and ``cost`` (``estimated_ns``, ``output_bytes``, ``resident_bytes``).
    """

    def __init__(self, data: str, text: str, svg: str) -> None:
        decoded = json.loads(data)
        #: Name of the placer.
        self.placer: str = decoded["placer"]
        self.nodes: dict[str, dict[str, Any]] = {node["node"]: node for node in decoded["nodes"]}
        #: The graph as a picture, with a colour for each device.
        self.svg = svg
        self._text = text

    def explain(self, name: str) -> str:
        """Why a node is where it is."""
        node = self.nodes[name]
        return "\n".join([f"{name} ({node['op']}) is on {node['device']}", *(f"  {line}" for line in node["because"])])

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<levada.Placement of {len(self.nodes)} nodes>"

    def _repr_html_(self) -> str:
        rows = [
            [name, node["op"], node["device"], node["rule"], f"{node['cost']['estimated_ns'] / 1e3:.1f}"]
            for name, node in self.nodes.items()
        ]
        return self.svg + _table(["node", "op", "device", "rule", "estimated us"], rows)


class _Report:
    """Data, and a text about it."""

    def __init__(self, data: str, text: str) -> None:
        #: The data that ``--json`` of the command prints.
        self.data: dict[str, Any] = json.loads(data)
        self._text = text

    def __str__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self._text)}</pre>"


class Memory(_Report):
    """The memory of a run.

    ``devices`` has a dict for each: ``device``, the memory in use ``all_the_time``, the ``expected`` peak, and the peak of ``any_order``; each with
    its ``bytes`` and the tensors that are ``alive``. ``unknown`` lists tensors whose size is not known before the run.
    """

    @property
    def devices(self) -> list[dict[str, Any]]:
        return self.data["devices"]

    @property
    def unknown(self) -> list[dict[str, Any]]:
        return self.data["unknown"]

    @property
    def expected(self) -> int:
        """Bytes of the largest expected peak of a device."""
        return max((device["expected"]["bytes"] for device in self.devices), default=0)

    @property
    def bound(self) -> int:
        """Bytes that no order of nodes exceeds, on the device with the most."""
        return max((device["any_order"]["bytes"] for device in self.devices), default=0)

    def __repr__(self) -> str:
        return f"<levada.Memory: {self.expected:,} bytes expected, at most {self.bound:,}>"

    def _repr_html_(self) -> str:
        parts = []
        for device in self.devices:
            peak = device["any_order"]
            rows = [[t["node"], t["output"], t["dtype"], t["shape"], f"{t['bytes']:,}", t["why"]] for t in peak["alive"]]
            parts.append(
                f"<p><b>{html.escape(device['device'])}</b>: {device['all_the_time']['bytes']:,} bytes all the time, "
                f"{device['expected']['bytes']:,} expected, {peak['bytes']:,} in any order; alive then:</p>"
                + _table(["node", "output", "dtype", "shape", "bytes", "why"], rows)
            )
        return "".join(parts)


class Findings(_Report):
    """Possible faults of a graph: a list of dicts, each with its ``rule``, ``nodes``, ``message``, ``fixes``, and whether it is a ``fault``."""

    @property
    def faults(self) -> list[dict[str, Any]]:
        """Races and stalls; the other findings are hints."""
        return [finding for finding in self if finding["fault"]]

    def __len__(self) -> int:
        return len(self.data["findings"])

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.data["findings"])

    def __getitem__(self, index: int) -> dict[str, Any]:
        return self.data["findings"][index]

    def __repr__(self) -> str:
        return f"<levada.Findings: {len(self.faults)} faults, {len(self) - len(self.faults)} hints>"

    def _repr_html_(self) -> str:
        def fixes(finding: dict[str, Any]) -> str:
            return "; ".join(f"add {fix['input']} to the inputs of {fix['node']}" for fix in finding["fixes"])

        return _table(["rule", "what", "fixes"], [[one["rule"], one["message"], fixes(one)] for one in self])


class Exploration(_Report):
    """Which results depend on the order of nodes.

    ``differences`` has a dict for each: the ``pair`` of nodes that were exchanged, the ``changes``, and both orders. True as a condition if there
    are differences.
    """

    @property
    def orders(self) -> int:
        """How many other orders were run."""
        return self.data["orders"]

    @property
    def is_complete(self) -> bool:
        """True if there are no other orders."""
        return self.data["complete"]

    @property
    def differences(self) -> list[dict[str, Any]]:
        return self.data["differences"]

    def __bool__(self) -> bool:
        return bool(self.differences)

    def __repr__(self) -> str:
        return f"<levada.Exploration: {len(self.differences)} differences in {self.orders} orders>"


class Comparison(_Report):
    """A comparison of two sessions, tensor by tensor.

    ``outputs`` has a dict for each pair: ``output``, ``other``, ``equal``, ``distance``. ``causes`` are the nodes that differ although their inputs do not.
    """

    @property
    def is_equal(self) -> bool:
        return self.data["equal"]

    @property
    def outputs(self) -> list[dict[str, Any]]:
        return self.data["outputs"]

    @property
    def causes(self) -> list[dict[str, Any]]:
        return self.data["causes"]

    def __bool__(self) -> bool:
        return self.is_equal

    def __repr__(self) -> str:
        differing = sum(not output["equal"] for output in self.outputs)
        return f"<levada.Comparison: {differing} of {len(self.outputs)} outputs differ>"

    def _repr_html_(self) -> str:
        def number(output: dict[str, Any], name: str) -> str:
            value = (output["distance"] or {}).get(name)
            return f"{value:.3e}" if isinstance(value, float) else "" if value is None else str(value)

        rows = [
            [o["output"], o["op"], "same" if o["equal"] else "differs", number(o, "max"), number(o, "mean")] for o in self.outputs
        ]
        return _table(["output", "op", "", "largest distance", "mean"], rows) + super()._repr_html_()


class Times(_Report):
    """The predicted time of a run: a dict for each number of ``threads``, with ``expected_ns`` and, if measured, ``measured_ns``."""

    def __len__(self) -> int:
        return len(self.data["steps"])

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.data["steps"])

    def __getitem__(self, index: int) -> dict[str, Any]:
        return self.data["steps"][index]

    def __repr__(self) -> str:
        rows = (f"{row['threads']}: {row['expected_ns'] / 1e3:.1f} us" for row in self)
        return f"<levada.Times: {', '.join(rows)}>"

    def _repr_html_(self) -> str:
        def micros(value: float | None) -> str:
            return "" if value is None else f"{value / 1e3:.1f}"

        rows = [[row["threads"], micros(row["expected_ns"]), micros(row["measured_ns"])] for row in self]
        return _table(["threads", "expected us", "measured us"], rows)


def trace_html(events: list[dict[str, Any]], wall_ns: int, width: int = 960, height: int = 18) -> str:
    """A step as a picture: a row for each thread of each device, a bar for each node; beside it the most expensive nodes."""
    rows: dict[tuple[str, int], int] = {}
    bars = []
    for event in events:
        row = rows.setdefault((event["device"], event["worker"]), len(rows))
        x = width * event["start_ns"] / max(wall_ns, 1)
        wide = max(width * (event["end_ns"] - event["start_ns"]) / max(wall_ns, 1), 0.5)
        hue = sum(map(ord, event["op"])) * 47 % 360
        took = (event["end_ns"] - event["start_ns"]) / 1e3
        title = html.escape(f"{event['node']} ({event['op']}), {took:.1f} us")
        bars.append(
            f'<rect x="{x:.1f}" y="{row * height + 1}" width="{wide:.1f}" height="{height - 2}" fill="hsl({hue},55%,60%)">'
            f"<title>{title}</title></rect>"
        )
    tall = max(len(rows), 1) * height
    names = "".join(
        f'<text x="2" y="{row * height + height - 5}" font-size="10">{html.escape(device)} worker {worker}</text>'
        for (device, worker), row in rows.items()
    )
    picture = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {tall}" width="{width}" height="{tall}">'
        f"{''.join(bars)}{names}</svg>"
    )
    dearest = sorted(events, key=lambda event: event["start_ns"] - event["end_ns"])[:10]
    table = [[e["node"], e["op"], f"{(e['end_ns'] - e['start_ns']) / 1e3:.1f}"] for e in dearest]
    return f"<div>{picture}{_table(['node', 'op', 'us'], table)}</div>"

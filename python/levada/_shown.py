"""What sessions tell, as data, as text, and as pictures in notebooks."""

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
    """Which nodes of runs under way wait, at what, and who could end that.

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
    """How full queues were, and who waited there: a dict for each queue."""

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


def trace_html(events: list[dict[str, Any]], wall_ns: int, width: int = 960, height: int = 18) -> str:
    """A step as a picture: a row for each thread of each device, a bar for each node; beside it the dearest nodes."""
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

#!/usr/bin/env python3
"""Draws how much longer TensorFlow takes than Levada: python3 docs/pictures/performance.py [ROWS.json [OUT.svg]]

ROWS.json is what `benches/against_tensorflow.py --json` writes; of its rows `graph`, `threads` and `ratio` are used. Without
it the rows of the table in docs/performance.md are drawn, to docs/pictures/performance.svg. Nothing but Python's own library
is needed.
"""

import html
import json
import math
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent


def of_table():
    """The rows of the table: a graph, what it does, the ratio."""
    text = (HERE.parent / "performance.md").read_text()
    rows = re.findall(r"^\| `(\w+)` \|.*\| ([\d.]+) \|$", text, re.M)
    return [{"graph": graph, "ratio": float(ratio)} for graph, ratio in rows]


def draw(rows):
    """A bar for each row on a logarithmic scale, from 1: to the right Levada is faster, to the left TensorFlow."""
    left, width, height = 190, 520, 22
    powers = [math.log2(row["ratio"]) for row in rows]
    low, high = min(-1, math.floor(min(powers))), max(1, math.ceil(max(powers)))
    x = lambda power: left + (power - low) / (high - low) * width
    bottom = 16 + height * len(rows)
    svg = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 60}" height="{bottom + 40}" '
        'font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="#fff"/>',
    ]
    for power in range(low, high + 1):
        svg.append(f'<line x1="{x(power):.1f}" y1="8" x2="{x(power):.1f}" y2="{bottom}" stroke="{"#555" if power == 0 else "#ddd"}"/>')
        svg.append(f'<text x="{x(power):.1f}" y="{bottom + 14}" text-anchor="middle">{2.0**power:g}</text>')
    for i, (row, power) in enumerate(zip(rows, powers)):
        y = 12 + height * i
        label = row["graph"] + (f", {row['threads']} threads" if "threads" in row else "")
        start, end = sorted((x(0), x(power)))
        svg.append(f'<text x="{left - 8}" y="{y + 14}" text-anchor="end">{html.escape(label)}</text>')
        colour = "#66a61e" if power >= 0 else "#d95f02"
        svg.append(f'<rect x="{start:.1f}" y="{y + 2}" width="{max(end - start, 1):.1f}" height="{height - 6}" fill="{colour}"/>')
        svg.append(f'<text x="{x(high) + 8:.1f}" y="{y + 14}">{row["ratio"]:.2f}</text>')
    svg.append(f'<text x="{left + width / 2}" y="{bottom + 32}" text-anchor="middle">time of TensorFlow / time of Levada</text>')
    return "\n".join(svg + ["</svg>", ""])


def main():
    rows = json.loads(pathlib.Path(sys.argv[1]).read_text())["rows"] if len(sys.argv) > 1 else of_table()
    out = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else HERE / "performance.svg"
    out.write_text(draw(sorted(rows, key=lambda row: -row["ratio"])))


if __name__ == "__main__":
    main()

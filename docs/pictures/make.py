#!/usr/bin/env python3
"""Makes the README's pictures of a placement and of a trace: python3 docs/pictures/make.py [LEVADA]

LEVADA is the command, target/release/levada by default. Nothing but Python's own library is needed. The traced step is the
last of some, as it ran on this machine with two threads.
"""

import html
import json
import pathlib
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
GRAPH = HERE / "towers.json"
SIDE = 384
COLOURS = ["#8dd3c7", "#fdb462", "#bebada", "#fb8072", "#80b1d3", "#b3de69", "#fccde5", "#d9d9d9"]


def levada(command, *arguments):
    subprocess.run([command, *map(str, arguments)], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def write_npy(path):
    """A matrix with small numbers of both signs."""
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({SIDE}, {SIDE}), }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    values = [((31 * i) % 17 - 8) / 64 for i in range(SIDE * SIDE)]
    head = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
    path.write_bytes(head + struct.pack(f"<{len(values)}f", *values))


def draw(trace, steps):
    """The last step of a trace as bars, a row for each worker."""
    events = [e for e in trace["traceEvents"] if e["ph"] == "X" and e["args"].get("step") == steps]
    start = min(e["ts"] for e in events)
    end = max(e["ts"] + e["dur"] for e in events)
    names = {(e["pid"], e.get("tid")): e["args"]["name"] for e in trace["traceEvents"] if e["name"] == "thread_name"}
    devices = {e["pid"]: e["args"]["name"] for e in trace["traceEvents"] if e["name"] == "process_name"}
    rows = sorted({(e["pid"], e["tid"]) for e in events})
    ops = sorted({e["args"]["op"] for e in events})
    left, width, height = 130, 770, 34
    scale = width / (end - start)
    bottom = 30 + height * len(rows)
    svg = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 20}" height="{bottom + 56}" '
        'font-family="sans-serif" font-size="11">',
        '<rect width="100%" height="100%" fill="#fff"/>',
    ]
    for row, key in enumerate(rows):
        y = 20 + height * row
        device = devices[key[0]].rsplit("device:")[-1]
        svg.append(f'<text x="8" y="{y + 18}">{html.escape(device)}, {html.escape(names.get(key, str(key[1])))}</text>')
        svg.append(f'<line x1="{left}" y1="{y + height - 4}" x2="{left + width}" y2="{y + height - 4}" stroke="#ddd"/>')
    for event in events:
        row = rows.index((event["pid"], event["tid"]))
        x, w = left + (event["ts"] - start) * scale, max(event["dur"] * scale, 0.8)
        y = 20 + height * row
        name, op = event["name"], event["args"]["op"]
        colour = COLOURS[ops.index(op) % len(COLOURS)]
        svg.append(
            f'<g><title>{html.escape(name)} ({html.escape(op)}), {event["dur"]:.0f} us</title>'
            f'<rect x="{x:.1f}" y="{y}" width="{w:.1f}" height="26" rx="2" fill="{colour}" stroke="#555" stroke-width="0.5"/>'
        )
        if w > 6.2 * len(name):
            svg.append(f'<text x="{x + 4:.1f}" y="{y + 17}">{html.escape(name)}</text>')
        svg.append("</g>")
    total = end - start
    step = next(s for s in (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10**4, 10**5, 10**6, 10**9) if total / s <= 10)
    for tick in range(0, int(total) + 1, step):
        x = left + tick * scale
        svg.append(f'<line x1="{x:.1f}" y1="{bottom - 6}" x2="{x:.1f}" y2="{bottom}" stroke="#555"/>')
        svg.append(f'<text x="{x:.1f}" y="{bottom + 12}" text-anchor="middle" fill="#444">{tick}</text>')
    svg.append(f'<text x="8" y="{bottom + 12}" fill="#444">microseconds</text>')
    x = left
    for i, op in enumerate(ops):
        svg.append(f'<rect x="{x}" y="{bottom + 28}" width="12" height="12" fill="{COLOURS[i % len(COLOURS)]}" stroke="#555"/>')
        svg.append(f'<text x="{x + 16}" y="{bottom + 38}">{html.escape(op)}</text>')
        x += 34 + 7 * len(op)
    svg.append("</svg>\n")
    return "\n".join(svg)


def main():
    command = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "target/release/levada")
    levada(command, "place", GRAPH, "--devices", "cpu:2", "--svg", HERE / "placement.svg")
    with tempfile.TemporaryDirectory() as folder:
        feed, file = pathlib.Path(folder) / "x.npy", pathlib.Path(folder) / "trace.json"
        write_npy(feed)
        steps = 50
        levada(command, "run", GRAPH, "--devices", "cpu:2", "--threads", 2, "--no-fusion", "--feed", f"x=@{feed}",
               "--fetch", "y", "--steps", steps, "--trace", file)
        (HERE / "trace.svg").write_text(draw(json.loads(file.read_text()), steps))


if __name__ == "__main__":
    main()

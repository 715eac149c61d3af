// Tables of nodes, ops, scopes and devices, which also describe the pictures for screen readers.

const ROW = 26;

class Table {
  // Columns: [title, value of a row, text of a value or null for texts, class].
  constructor(box, label) {
    this.box = box;
    this.label = label;
    this.columns = [];
    this.rows = [];
    this.shown = [];
    this.sort = { column: 0, down: true };
    this.words = "";
    box.addEventListener("scroll", () => this.draw());
  }
  set(columns, rows, sort) {
    Object.assign(this, { columns, rows });
    this.sort = sort;
    this.head = make("tr", { "aria-rowindex": 1 }, ...columns.map(([title, , , kind], i) => make("th", { scope: "col", class: kind ?? "" },
      make("button", { onclick: () => {
        this.sort = { column: i, down: this.sort.column === i ? !this.sort.down : kind === "number" };
        this.update();
      } }, title))));
    this.body = make("tbody", {});
    this.table = make("table", { class: "rows", "aria-label": this.label }, make("thead", {}, this.head), this.body);
    this.box.replaceChildren(this.table);
    this.update();
  }
  update() {
    const { column, down } = this.sort, get = this.columns[column][1], words = this.words.toLowerCase().split(/\s+/).filter((w) => w);
    this.shown = words.length ? this.rows.filter((r) => words.every((w) => r.find.includes(w))) : this.rows.slice();
    const rank = (v) => (v === null || v === undefined || Number.isNaN(v) ? -Infinity : v);
    this.shown.sort((a, b) => {
      const x = rank(get(a)), y = rank(get(b)), order = typeof x === "string" && typeof y === "string" ? x.localeCompare(y) : x < y ? -1 : x > y ? 1 : 0;
      return down ? -order : order;
    });
    [...this.head.children].forEach((th, i) => th.setAttribute("aria-sort", i === column ? (down ? "descending" : "ascending") : "none"));
    this.table.setAttribute("aria-rowcount", this.shown.length + 1);
    this.box.scrollTop = 0;
    this.draw(true);
  }
  draw(force) {
    if (!this.table) return;
    const room = Math.ceil((this.box.clientHeight || 400) / ROW) + 20, first = Math.max(0, Math.min(Math.floor(this.box.scrollTop / ROW) - 10, this.shown.length - room));
    if (!force && this.first === first && this.room === room) return;
    Object.assign(this, { first, room });
    const rows = this.shown.slice(first, first + room).map((r, k) => make("tr", {
      "aria-rowindex": first + k + 2, class: r.node === selected.node && r.node >= 0 ? "selected" : "", onclick: () => r.pick?.(),
    }, ...this.columns.map(([, get, text, kind], i) => {
      const v = get(r), shown = text ? (v === null || v === undefined ? "" : text(v)) : v;
      return make("td", { class: kind ?? "" }, i === 0 && r.pick ? make("a", { href: r.href ?? "#", onclick: (e) => e.preventDefault() }, shown) : shown);
    })));
    const blank = (h) => make("tr", { class: "blank", "aria-hidden": "true", style: `height:${h}px` });
    this.body.replaceChildren(blank(first * ROW), ...rows, blank(Math.max(0, this.shown.length - first - rows.length) * ROW));
  }
}

const table = new Table($("rows"), "Nodes, with what they took");
const changes = new Table($("changes"), "Nodes before and after");

function nodeRow(node) {
  const name = fullName(node), op = opOf(node), device = deviceOf(node);
  const dtype = node < graph.n ? outputsOf(node)[0] ?? "" : "";
  return {
    node, name, op, device: short(device), dtype, runs: totals.runs[node], time: totals.time[node], wait: totals.wait[node], work: totals.work[node],
    bytes: totals.bytes[node] || (node < graph.n && graph.size[node] ? graph.size[node] - 1 : null), slack: totals.runs[node] ? totals.slack[node] : null,
    flops: node < graph.n && graph.flops[node] ? graph.flops[node] - 1 : null,
    find: `${name} ${op} ${device} ${dtype}`.toLowerCase(), pick: () => select({ node }, { go: true }), href: hashOf({ node }),
  };
}

function fillTable() {
  const by = $("by").value, nodes = [];
  for (let i = 0; i < graph.n + (trace?.others.length ?? 0); i++) nodes.push(nodeRow(i));
  let rows = nodes;
  if (by !== "node") {
    const groups = new Map();
    const keys = (r) => {
      if (by === "op") return [r.op];
      if (by === "device") return [r.device || "no device"];
      const parts = r.name.split("/"), out = [];
      for (let k = 1; k < Math.min(parts.length, 4); k++) out.push(parts.slice(0, k).join("/"));
      return out.length ? out : ["(no scope)"];
    };
    for (const r of nodes) for (const key of keys(r)) {
      let g = groups.get(key);
      if (!g) {
        g = { node: -1, name: key, op: "", device: "", nodes: 0, runs: 0, time: 0, wait: 0, work: 0, bytes: 0, flops: 0, slack: null, find: key.toLowerCase() };
        if (by === "op") g.pick = () => {
          $("search").value = `op:${key}`;
          search();
        };
        groups.set(key, g);
      }
      g.nodes++;
      for (const f of ["runs", "time", "wait", "work", "bytes", "flops"]) g[f] += r[f] ?? 0;
      if (r.slack !== null) g.slack = g.slack === null ? r.slack : Math.min(g.slack, r.slack);
    }
    rows = [...groups.values()];
  }
  const all = nodes.reduce((sum, r) => sum + r.time, 0), number = (v) => v.toLocaleString("en");
  const columns = [[{ node: "node", op: "op", scope: "scope", device: "device" }[by], (r) => r.name]];
  if (by === "node") columns.push(["op", (r) => r.op], ["output", (r) => r.dtype], ["device", (r) => r.device]);
  else columns.push(["nodes", (r) => r.nodes, number, "number"]);
  if (trace) columns.push(["runs", (r) => r.runs, number, "number"], ["running", (r) => r.time, time, "number"], ["share", (r) => (all ? r.time / all : 0), (v) => `${(100 * v).toFixed(1)}%`, "number"],
    ["each", (r) => (r.runs ? r.time / r.runs : null), time, "number"], ["waiting", (r) => r.wait, time, "number"], ["slack", (r) => r.slack, time, "number"]);
  if (trace?.tracks.some((t) => t.isWork)) columns.push(["on device", (r) => r.work, time, "number"]);
  columns.push(["operations", (r) => r.flops, number, "number"], ["bytes", (r) => r.bytes, size, "number"]);
  table.set(columns, rows, trace ? { column: columns.findIndex(([t]) => t === "running"), down: true } : { column: 0, down: false });
}

function fillChanges() {
  if (!change) return;
  const rows = [...change.of.values(), ...change.gone].map((c) => ({
    ...c, delta: (c.after ?? 0) - (c.before ?? 0), moved: c.from && c.to && c.from !== c.to ? `${short(c.from)} → ${short(c.to)}` : c.before === null ? "new" : c.after === null ? "gone" : "",
    find: `${c.name} ${c.op} ${c.from} ${c.to}`.toLowerCase(), pick: c.node >= 0 ? () => select({ node: c.node }, { go: true }) : null,
  }));
  rows.forEach((r) => (r.off = Math.abs(r.delta)));
  const signed = (v) => (v > 0 ? "+" : v < 0 ? "−" : "") + time(Math.abs(v));
  changes.set([["node", (r) => r.name], ["op", (r) => r.op], ["before", (r) => r.before, time, "number"], ["after", (r) => r.after, time, "number"],
    ["difference", (r) => r.delta, signed, "number"], ["ratio", (r) => (r.before && r.after !== null ? r.after / r.before : null), (v) => `${v.toFixed(2)}×`, "number"], ["by", (r) => r.off, time, "number"], ["moved", (r) => r.moved]],
  rows, { column: 6, down: true });
  const mean = (steps, wall) => wall / Math.max(steps, 1);
  const was = mean(data.before.steps, data.before.wall), now = mean(trace.called.length, trace.called.reduce((s, t) => s + t.wall, 0));
  const slower = rows.filter((r) => r.delta > 0).length, moved = rows.filter((r) => r.moved.includes("→")).length;
  $("change-text").textContent = `A step took ${time(was)} before and takes ${time(now)} now (${was ? (now / was).toFixed(2) : "–"}×). ${count(slower, "node")} slower, ${rows.filter((r) => r.delta < 0).length} faster, ${moved} on another device.`;
}

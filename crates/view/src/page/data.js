// Data: the graph and the trace as the page uses them, decoded from JSON and packed columns.

performance.mark("parsed");
const data = JSON.parse(document.getElementById("data").textContent);

function fromBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const out = new Uint8Array(binary.length);
  for (let i = 0; i < out.length; i++) out[i] = binary.charCodeAt(i);
  return out;
}

// Columns of unsigned variable-length numbers, and of signed ones, whose sign is the lowest bit.
class Columns {
  constructor(directory, bytes) {
    this.bytes = bytes;
    this.directory = new Map(directory.map(([name, at, size, count]) => [name, { at, size, count }]));
  }
  // A column as an array of this type; it is decoded on every call.
  read(name, Type = Uint32Array) {
    const { at, size, count } = this.directory.get(name) ?? { at: 0, size: 0, count: 0 }, bytes = this.bytes, out = new Type(count);
    if (size === count) {
      for (let i = 0; i < count; i++) out[i] = bytes[at + i];
      return out;
    }
    let p = at;
    for (let i = 0; i < count; i++) {
      let byte = bytes[p++], n = byte & 127;
      if (byte > 127) {
        byte = bytes[p++];
        n += (byte & 127) * 128;
        for (let scale = 16384; byte > 127; scale *= 128) {
          byte = bytes[p++];
          n += (byte & 127) * scale;
        }
      }
      out[i] = n;
    }
    return out;
  }
  signed(name) {
    const out = this.read(name, Float64Array);
    for (let i = 0; i < out.length; i++) out[i] = out[i] % 2 ? -(out[i] + 1) / 2 : out[i] / 2;
    return out;
  }
}
const first = new Columns(data.columns, fromBase64(document.getElementById("bytes").textContent));

// A property that is computed on first use.
function lazily(object, name, make) {
  Object.defineProperty(object, name, { configurable: true, enumerable: true, get() {
    const value = make();
    Object.defineProperty(object, name, { value, enumerable: true });
    return value;
  } });
}

const KIND = {
  PLAIN: 0, CONST: 1, PLACEHOLDER: 2, STATE: 3, STORE: 4, SWITCH: 5, MERGE: 6, ENTER: 7, EXIT: 8, NEXT: 9,
  COND: 10, SEND: 11, RECV: 12, CALL: 13, ARG: 14, RETVAL: 15, ORDER: 16,
};
const KIND_NAMES = [
  "", "constant", "placeholder", "state", "store", "switch", "merge", "enters a loop", "leaves a loop",
  "next iteration", "loop condition", "send", "receive", "call", "parameter", "result", "order only",
];

// Control characters and those that change text direction could disguise a name.
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
const plain = (text) => text.replace(HIDDEN, (c) => (c < " " ? String.fromCharCode(0x2400 + c.charCodeAt(0)) : "\ufffd"));

const graph = (() => {
  const g = data.graph, n = g.count;
  const starts = (counts) => {
    const out = new Uint32Array(n + 1);
    for (let i = 0; i < n; i++) out[i + 1] = out[i] + counts[i];
    return out;
  };
  const numbers = (name) => first.read("node_" + name);
  const ins = numbers("inputs"), controls = numbers("controls");
  const edgeStart = new Uint32Array(n + 1), bodyOf = new Uint32Array(n);
  g.bodies.forEach(([, start, count], b) => bodyOf.fill(b, start, start + count));
  for (let i = 0; i < n; i++) edgeStart[i + 1] = edgeStart[i] + ins[i] + controls[i];
  const edge = new Uint32Array(edgeStart[n]), delta = first.signed("edge");
  // Distances are within a body, in which both ends have a place.
  for (let i = 0; i < n; i++) for (let e = edgeStart[i]; e < edgeStart[i + 1]; e++) edge[e] = i - delta[e];
  const outStart = new Uint32Array(n + 1);
  for (let e = 0; e < edge.length; e++) outStart[edge[e] + 1]++;
  for (let i = 0; i < n; i++) outStart[i + 1] += outStart[i];
  const out = new Uint32Array(edge.length), outEdge = new Uint32Array(edge.length), next = outStart.slice();
  for (let i = 0; i < n; i++) for (let e = edgeStart[i]; e < edgeStart[i + 1]; e++) {
    outEdge[next[edge[e]]] = e;
    out[next[edge[e]]++] = i;
  }
  const flops = first.read("node_flops", Float64Array), size = first.read("node_bytes", Float64Array);
  const graph = {
    n, names: g.names.map(plain), texts: g.texts.map(plain), bodies: g.bodies, bodyOf, scopes: g.scopes, ops: g.ops,
    op: numbers("op"), kind: numbers("kind"), scope: numbers("scope"), asked: numbers("asked"),
    placed: numbers("device"), why: numbers("why"), size, flops, ins, edgeStart, edge, edgeOutput: first.read("edge_output"),
    outStart, out, outEdge, outputs: first.read("output"), outputStart: starts(numbers("outputs")), attrs: first.read("attr"),
    attrStart: starts(numbers("attrs")), constants: new Map(g.constants), acts: new Map(), actors: new Map(),
    calls: new Map(), callers: new Map(), partner: new Map(g.partners), gradients: new Map(), runners: g.runners,
  };
  for (const [node, store, act] of g.acts) {
    graph.acts.set(node, { store, act });
    if (!graph.actors.has(store)) graph.actors.set(store, []);
    graph.actors.get(store).push({ node, act });
  }
  for (const [node, attr, body] of g.calls) {
    if (!graph.calls.has(node)) graph.calls.set(node, []);
    graph.calls.get(node).push({ attr, body });
    if (!graph.callers.has(body)) graph.callers.set(body, []);
    graph.callers.get(body).push(node);
  }
  for (const [node, forward] of g.partners) {
    if (!graph.gradients.has(forward)) graph.gradients.set(forward, []);
    graph.gradients.get(forward).push(node);
  }
  lazily(graph, "byName", () => {
    const numbers = new Map();
    g.bodies.forEach(([name, start, count], b) => {
      for (let i = start; i < start + count; i++) numbers.set((b ? plain(name) + " → " : "") + graph.names[i], i);
    });
    return numbers;
  });
  return graph;
})();

// The trace. Its events come later: until then there are none, although their number is known.
const trace = data.trace && (() => {
  const t = data.trace, lanes = [];
  const tracks = t.tracks.map(([device, isWork, slot, worker, queue, own], track) => {
    const of = own.map(([at], lane) => ({ track, lane, at, count: 0 }));
    lanes.push(...of);
    return { device: plain(device), isWork, slot, worker, queue: plain(queue), lanes: of };
  });
  const texts = t.texts.map((text) => text.split("\n").map(plain).join("\n")), steps = t.steps.map((s) => ({ ...s, runner: plain(s.runner) })), none = new Float64Array(0);
  const trace = {
    n: 0, all: t.events, end: t.end, steps, tracks, lanes, texts, bottleneck: t.bottleneck, leftOut: t.left_out,
    others: t.others.map(plain), queues: t.queues, pipelines: t.pipelines.split("\n").map(plain).join("\n"),
    // The steps of callers, without those of queue runners.
    called: steps.filter((s) => !s.runner), leads: new Map(Object.entries(t.fused).map(([node, lead]) => [+node, lead])), start: none, took: none, busy: none, node: none, flags: none, ofNode: () => [],
  };
  for (const q of trace.queues) q.times = q.values = none;
  return trace;
})();

// Reads the events. Columns that only details need are read on demand.
async function readEvents() {
  let bytes = fromBase64(document.getElementById("events").textContent);
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  bytes = new Uint8Array(await new Response(unpacked).arrayBuffer());
  document.getElementById("events").remove();
  const columns = new Columns(data.event_columns, bytes), n = trace.all;
  const start = columns.read("event_start", Float64Array), took = columns.read("event_took", Float64Array), trackOf = new Uint32Array(n);
  trace.tracks.forEach((track, t) => track.lanes.forEach((lane, l) => {
    lane.count = data.trace.tracks[t][5][l][1];
    for (let i = lane.at + 1; i < lane.at + lane.count; i++) start[i] += start[i - 1];
    trackOf.fill(t, lane.at, lane.at + lane.count);
  }));
  // Running sums of the durations in a lane: how busy the lane was between any two events.
  const busy = new Float64Array(n + 1);
  for (let i = 0; i < n; i++) busy[i + 1] = busy[i] + took[i];
  Object.assign(trace, { n, start, took, busy, trackOf, node: columns.read("event_node"), flags: columns.read("event_flags", Uint8Array) });
  for (const name of ["text", "step", "frame", "inputs", "outputs", "why"]) lazily(trace, name, () => columns.read("event_" + name));
  for (const name of ["wait", "number", "bytes", "held", "slack", "paused", "resumed"]) lazily(trace, name, () => columns.read("event_" + name, Float64Array));
  lazily(trace, "cause", () => Int32Array.from(columns.signed("event_cause"), (d, i) => (d === 0 ? -1 : i - d)));
  // The events of each node, by number.
  lazily(trace, "byNode", () => {
    const nodes = graph.n + trace.others.length, begin = new Uint32Array(nodes + 1), list = new Uint32Array(n);
    for (let i = 0; i < n; i++) begin[trace.node[i] + 1]++;
    for (let i = 0; i < nodes; i++) begin[i + 1] += begin[i];
    const next = begin.slice();
    for (let i = 0; i < n; i++) list[next[trace.node[i]]++] = i;
    return { begin, list };
  });
  const own = (node) => trace.byNode.list.subarray(trace.byNode.begin[node], trace.byNode.begin[node + 1]);
  trace.ofNode = (node) => own(leadOf(node));
  trace.queues.forEach((q, i) => {
    q.times = columns.read(`queue_${i}_time`, Float64Array);
    for (let k = 1; k < q.times.length; k++) q.times[k] += q.times[k - 1];
    q.values = columns.read(`queue_${i}_size`, Float64Array);
  });
}

// The node in whose events a node ran: itself, or the one that it was fused into.
const leadOf = (node) => (trace?.leads.has(node) && !totals.runs[node] ? trace.leads.get(node) : node);

// The name of a step.
const stepName = (step) => step.runner ? `step ${step.id} of the runner of ${step.runner}` : `step ${step.id}`;

const FLAG = { DEAD: 1, FAILED: 2, WORK: 4, APPROXIMATE: 8, PATH: 16, COPY: 32 };

// The totals of nodes over all runs.
const totals = (() => {
  const nodes = graph.n + (trace ? trace.others.length : 0), number = (name) => first.read("total_" + name, Float64Array);
  const totals = {
    time: new Float64Array(nodes), wait: new Float64Array(nodes), runs: new Uint32Array(nodes), bytes: new Float64Array(nodes),
    work: new Float64Array(nodes), slack: new Float64Array(nodes).fill(Infinity), path: new Uint8Array(nodes), device: new Array(nodes).fill(""), op: new Array(nodes).fill(""),
  };
  if (!trace) return totals;
  const ran = number("node"), [time, wait, work, runs, bytes, slack, path, device, op] = ["time", "wait", "work", "runs", "bytes", "slack", "path", "device", "op"].map(number);
  for (let i = 0, node = 0; i < ran.length; i++) {
    node += ran[i];
    totals.time[node] = time[i];
    totals.wait[node] = wait[i];
    totals.work[node] = work[i];
    totals.runs[node] = runs[i];
    totals.bytes[node] = bytes[i];
    if (slack[i]) totals.slack[node] = slack[i] - 1;
    totals.path[node] = path[i];
    totals.device[node] = trace.texts[device[i]];
    totals.op[node] = trace.texts[op[i]].split("\n")[0];
  }
  return totals;
})();

const short = (device) => {
  const at = device.lastIndexOf("/device:");
  return at < 0 ? device : device.slice(at + 8);
};
const nameOf = (node) => (node < graph.n ? graph.names[node] : trace.others[node - graph.n]);
const fullName = (node) => {
  const body = node < graph.n ? graph.bodyOf[node] : 0;
  return (body ? plain(graph.bodies[body][0]) + " → " : "") + nameOf(node);
};
const leafOf = (node) => {
  const name = nameOf(node), at = name.lastIndexOf("/");
  return at < 0 || at === name.length - 1 ? name : name.slice(at + 1);
};
const opOf = (node) => (node < graph.n ? graph.texts[graph.op[node]] : totals.op[node]);
const familyOf = (node) => graph.ops[opOf(node)]?.[0] || "other";
// Graphs request devices by partial names: if a placement or the trace has the full name, that one is meant.
const wholeNames = new Map();
for (const device of [...new Set(graph.placed)].map((t) => graph.texts[t]).concat(trace?.tracks.map((t) => t.device) ?? [])) wholeNames.set(short(device), device);
const deviceOf = (node) => {
  const ran = totals.device[leadOf(node)];
  if (node >= graph.n) return ran;
  const asked = graph.texts[graph.asked[node]];
  return graph.texts[graph.placed[node]] || ran || (wholeNames.get(short(asked)) ?? asked);
};
const outputsOf = (node) =>
  node < graph.n ? Array.from(graph.outputs.subarray(graph.outputStart[node], graph.outputStart[node + 1]), (t) => graph.texts[t]) : [];
const inputsOf = (node) => {
  const out = [];
  if (node >= graph.n) return out;
  for (let e = graph.edgeStart[node]; e < graph.edgeStart[node + 1]; e++) {
    out.push({ node: graph.edge[e], output: graph.edgeOutput[e], control: e - graph.edgeStart[node] >= graph.ins[node] });
  }
  return out;
};
const usersOf = (node) => {
  const out = [];
  if (node >= graph.n) return out;
  for (let i = graph.outStart[node]; i < graph.outStart[node + 1]; i++) {
    const e = graph.outEdge[i], user = graph.out[i];
    out.push({ node: user, output: graph.edgeOutput[e], control: e - graph.edgeStart[user] >= graph.ins[user] });
  }
  return out;
};
const isControl = (e, user) => e - graph.edgeStart[user] >= graph.ins[user];

// Numbers in readable form.
const digits = (v) => (v >= 100 ? v.toFixed(0) : v >= 10 ? v.toFixed(1) : v.toFixed(2));
function time(ns) {
  if (!isFinite(ns)) return "–";
  const a = Math.abs(ns);
  return a < 1e3 ? `${Math.round(ns)} ns` : a < 1e6 ? `${digits(ns / 1e3)} µs` : a < 1e9 ? `${digits(ns / 1e6)} ms` : `${digits(ns / 1e9)} s`;
}
const size = (b) =>
  b < 1e3 ? `${Math.round(b)} B` : b < 1e6 ? `${digits(b / 1e3)} KB` : b < 1e9 ? `${digits(b / 1e6)} MB` : `${digits(b / 1e9)} GB`;
const count = (n, what) => `${n.toLocaleString("en")} ${what}${n === 1 ? "" : what.endsWith("h") ? "es" : "s"}`;
const value = (v) => (typeof v === "string" ? v : Number.isInteger(v) ? String(v) : String(+v.toPrecision(6)));

// Elements of the page; text is never read as HTML.
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value != null) element.setAttribute(key, value);
  }
  element.append(...children.filter((c) => c != null && c !== false));
  return element;
}
const $ = (id) => document.getElementById(id);

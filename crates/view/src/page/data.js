// Data: the graph and the trace as the page uses them, out of JSON and packed columns.

const data = JSON.parse(document.getElementById("data").textContent);

const bytes = (() => {
  const text = document.getElementById("bytes").textContent;
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const out = new Uint8Array(binary.length);
  for (let i = 0; i < out.length; i++) out[i] = binary.charCodeAt(i);
  return out;
})();

const directory = new Map(data.columns.map(([name, at, size, count]) => [name, { at, size, count }]));

// A column of unsigned numbers, as an array of this type; read once, since it is large.
function column(name, Type = Uint32Array) {
  const { at, count } = directory.get(name) ?? { at: 0, count: 0 };
  const out = new Type(count);
  let p = at;
  for (let i = 0; i < count; i++) {
    let byte = bytes[p++], n = byte & 127, scale = 128;
    while (byte > 127) {
      byte = bytes[p++];
      n += (byte & 127) * scale;
      scale *= 128;
    }
    out[i] = n;
  }
  return out;
}

// Signed numbers: the sign is the lowest bit.
function signed(name) {
  const out = column(name, Float64Array);
  for (let i = 0; i < out.length; i++) out[i] = out[i] % 2 ? -(out[i] + 1) / 2 : out[i] / 2;
  return out;
}

const KIND = {
  PLAIN: 0, CONST: 1, PLACEHOLDER: 2, STATE: 3, STORE: 4, SWITCH: 5, MERGE: 6, ENTER: 7, EXIT: 8, NEXT: 9,
  COND: 10, SEND: 11, RECV: 12, CALL: 13, ARG: 14, RETVAL: 15, ORDER: 16,
};
const KIND_NAMES = [
  "", "constant", "placeholder", "state", "store", "switch", "merge", "enters a loop", "leaves a loop",
  "next iteration", "loop condition", "send", "receive", "call", "parameter", "result", "order only",
];

// Control characters and those that change the direction of text would hide what a name is.
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
const plain = (text) => text.replace(HIDDEN, (c) => (c < " " ? String.fromCharCode(0x2400 + c.charCodeAt(0)) : "\ufffd"));

const graph = (() => {
  const g = data.graph, n = g.count;
  const starts = (counts) => {
    const out = new Uint32Array(n + 1);
    for (let i = 0; i < n; i++) out[i + 1] = out[i] + counts[i];
    return out;
  };
  const numbers = (name) => column("node_" + name);
  const ins = numbers("inputs"), controls = numbers("controls");
  const edgeStart = new Uint32Array(n + 1), bodyOf = new Uint32Array(n);
  g.bodies.forEach(([, start, count], b) => bodyOf.fill(b, start, start + count));
  for (let i = 0; i < n; i++) edgeStart[i + 1] = edgeStart[i] + ins[i] + controls[i];
  const edge = new Uint32Array(edgeStart[n]), delta = signed("edge");
  // Distances are within a body, of which both ends have their place.
  for (let i = 0; i < n; i++) for (let e = edgeStart[i]; e < edgeStart[i + 1]; e++) edge[e] = i - delta[e];
  const outStart = new Uint32Array(n + 1);
  for (let e = 0; e < edge.length; e++) outStart[edge[e] + 1]++;
  for (let i = 0; i < n; i++) outStart[i + 1] += outStart[i];
  const out = new Uint32Array(edge.length), outEdge = new Uint32Array(edge.length), next = outStart.slice();
  for (let i = 0; i < n; i++) for (let e = edgeStart[i]; e < edgeStart[i + 1]; e++) {
    outEdge[next[edge[e]]] = e;
    out[next[edge[e]]++] = i;
  }
  const flops = column("node_flops", Float64Array), size = column("node_bytes", Float64Array);
  const graph = {
    n, names: g.names.map(plain), texts: g.texts.map(plain), bodies: g.bodies, bodyOf, scopes: g.scopes, ops: g.ops,
    op: numbers("op"), kind: numbers("kind"), scope: numbers("scope"), asked: numbers("asked"),
    placed: numbers("device"), why: numbers("why"), size, flops, ins, edgeStart, edge, edgeOutput: column("edge_output"),
    outStart, out, outEdge, outputs: column("output"), outputStart: starts(numbers("outputs")), attrs: column("attr"),
    attrStart: starts(numbers("attrs")), constants: new Map(g.constants), acts: new Map(), actors: new Map(),
    calls: new Map(), callers: new Map(), partner: new Map(g.partners), gradients: new Map(), runners: g.runners,
    byName: new Map(),
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
  g.bodies.forEach(([name, start, count], b) => {
    for (let i = start; i < start + count; i++) graph.byName.set((b ? plain(name) + " → " : "") + graph.names[i], i);
  });
  return graph;
})();

const trace = data.trace && (() => {
  const t = data.trace, n = t.events;
  const numbers = (name, Type) => column("event_" + name, Type);
  const start = numbers("start", Float64Array), took = numbers("took", Float64Array);
  const lanes = [];
  const tracks = t.tracks.map(([device, isWork, slot, worker, queue, own], track) => {
    const first = lanes.length;
    own.forEach(([at, count], lane) => {
      for (let i = at + 1; i < at + count; i++) start[i] += start[i - 1];
      lanes.push({ track, lane, at, count });
    });
    return { device: plain(device), isWork, slot, worker, queue: plain(queue), lanes: lanes.slice(first) };
  });
  const trackOf = new Uint32Array(n);
  lanes.forEach((l) => trackOf.fill(l.track, l.at, l.at + l.count));
  // Running sums of what events of a lane took: how busy a lane was between any two of them.
  const busy = new Float64Array(n + 1);
  for (let i = 0; i < n; i++) busy[i + 1] = busy[i] + took[i];
  const cause = signed("event_cause");
  const trace = {
    n, steps: t.steps.map((s) => ({ ...s, runner: plain(s.runner) })), tracks, lanes, trackOf, busy, start, took, wait: numbers("wait", Float64Array), node: numbers("node"),
    text: numbers("text"), step: numbers("step"), frame: numbers("frame"), number: numbers("number", Float64Array),
    flags: numbers("flags", Uint8Array), inputs: numbers("inputs"), outputs: numbers("outputs"),
    bytes: numbers("bytes", Float64Array), held: numbers("held", Float64Array), slack: numbers("slack", Float64Array),
    paused: numbers("paused", Float64Array), resumed: numbers("resumed", Float64Array), why: numbers("why"),
    bottleneck: t.bottleneck, leftOut: t.left_out,
    texts: t.texts.map(plain), others: t.others.map(plain), queues: t.queues, pipelines: t.pipelines.split("\n").map(plain).join("\n"), ofNode: null,
    cause: Int32Array.from(cause, (d, i) => (d === 0 ? -1 : i - d)),
  };
  // The events of each node, by number.
  const nodes = graph.n + trace.others.length;
  const first = new Uint32Array(nodes + 1);
  for (let i = 0; i < n; i++) first[trace.node[i] + 1]++;
  for (let i = 0; i < nodes; i++) first[i + 1] += first[i];
  const list = new Uint32Array(n), next = first.slice();
  for (let i = 0; i < n; i++) list[next[trace.node[i]]++] = i;
  // The steps of callers, without those of queue runners.
  trace.called = trace.steps.filter((s) => !s.runner);
  trace.ofNode = (node) => list.subarray(first[node], first[node + 1]);
  return trace;
})();

// What a step is called.
const stepName = (step) => step.runner ? `step ${step.id} of the runner of ${step.runner}` : `step ${step.id}`;

const FLAG = { DEAD: 1, FAILED: 2, WORK: 4, APPROXIMATE: 8, PATH: 16, COPY: 32 };

// What nodes took, all runs together.
const totals = (() => {
  const nodes = graph.n + (trace ? trace.others.length : 0);
  const totals = {
    time: new Float64Array(nodes), wait: new Float64Array(nodes), runs: new Uint32Array(nodes),
    bytes: new Float64Array(nodes), work: new Float64Array(nodes), slack: new Float64Array(nodes).fill(Infinity),
    path: new Uint8Array(nodes), device: new Array(nodes).fill(""),
  };
  for (let i = 0; trace && i < trace.n; i++) {
    const node = trace.node[i], flags = trace.flags[i];
    if (flags & FLAG.PATH) totals.path[node] = 1;
    if (flags & FLAG.WORK) { totals.work[node] += trace.took[i]; continue; }
    if (flags & FLAG.DEAD) continue;
    totals.time[node] += trace.took[i];
    totals.wait[node] += trace.wait[i];
    totals.runs[node]++;
    totals.bytes[node] = Math.max(totals.bytes[node], trace.bytes[i]);
    totals.slack[node] = Math.min(totals.slack[node], trace.slack[i]);
    totals.device[node] ||= trace.tracks[trace.trackOf[i]].device;
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
const opOf = (node) => {
  if (node < graph.n) return graph.texts[graph.op[node]];
  const events = trace.ofNode(node);
  return events.length ? trace.texts[trace.text[events[0]]].split("\n")[0] : "";
};
const familyOf = (node) => graph.ops[opOf(node)]?.[0] || "other";
const deviceOf = (node) =>
  (node < graph.n && (graph.texts[graph.placed[node]] || totals.device[node] || graph.texts[graph.asked[node]])) || totals.device[node];
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

// Numbers as people read them.
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

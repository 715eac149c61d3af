// Layout: groups of nodes in layers from top to bottom, computed for a group when it is opened. The largest groups,
// called fields here, come with precomputed positions.

// Scopes in the order of a depth-first walk from the top, so that the contents of a scope are a range.
const tree = (() => {
  const n = graph.scopes.length, children = Array.from({ length: n }, () => []), roots = [];
  graph.scopes.forEach(([parent], s) => (parent < 0 ? roots : children[parent]).push(s));
  const enter = new Uint32Array(n), leave = new Uint32Array(n), nodes = Array.from({ length: n }, () => []);
  let clock = 0;
  for (const root of roots) {
    const stack = [root];
    while (stack.length) {
      const s = stack.pop();
      if (s < 0) { leave[~s] = clock; continue; }
      enter[s] = clock++;
      stack.push(~s);
      for (let i = children[s].length - 1; i >= 0; i--) stack.push(children[s][i]);
    }
  }
  for (let i = 0; i < graph.n; i++) nodes[graph.scope[i]].push(i);
  const total = new Uint32Array(n);
  const order = Array.from({ length: n }, (_, s) => s).sort((a, b) => enter[b] - enter[a]);
  for (const s of order) {
    total[s] += nodes[s].length;
    if (graph.scopes[s][0] >= 0) total[graph.scopes[s][0]] += total[s];
  }
  return { children, enter, leave, nodes, total, roots };
})();

// Constants with a single consumer in the same group are shown within it.
const host = new Int32Array(graph.n).fill(-1);
const chips = new Map();
for (let i = 0; i < graph.n; i++) {
  if (graph.kind[i] !== KIND.CONST || graph.outStart[i + 1] - graph.outStart[i] !== 1) continue;
  const user = graph.out[graph.outStart[i]];
  if (graph.scope[user] !== graph.scope[i] || isControl(graph.outEdge[graph.outStart[i]], user)) continue;
  if (graph.edgeStart[i + 1] > graph.edgeStart[i]) continue;
  host[i] = user;
  if (!chips.has(user)) chips.set(user, []);
  chips.get(user).push(i);
}

// A large group: items, which are nodes or, as negative numbers, groups, from top to bottom and from left to right.
const CELL = { w: data.graph.fields.width, h: data.graph.fields.height };
const cellOf = new Int32Array(graph.n).fill(-1);
class Field {
  constructor(scope, item, x, y) {
    Object.assign(this, { scope, item, x, y, w: CELL.w, h: CELL.h, cellOfScope: new Map() });
    for (let k = 0; k < item.length; k++) {
      if (item[k] >= 0) cellOf[item[k]] = k;
      else this.cellOfScope.set(-1 - item[k], k);
      if (x[k] + CELL.w > this.w) this.w = x[k] + CELL.w;
      if (y[k] + CELL.h > this.h) this.h = y[k] + CELL.h;
    }
  }
  // The cell that shows a node; -1 for nodes elsewhere.
  cell(node) {
    let s = graph.scope[node];
    if (s === this.scope) return cellOf[host[node] >= 0 ? host[node] : node];
    while (s >= 0 && graph.scopes[s][0] !== this.scope) s = graph.scopes[s][0];
    return s < 0 ? -1 : this.cellOfScope.get(s);
  }
}
const fields = (() => {
  const sums = (deltas) => {
    const out = new Int32Array(deltas.length);
    for (let k = 0, sum = 0; k < out.length; k++) out[k] = sum += deltas[k];
    return out;
  };
  const groups = data.graph.fields.groups, out = new Map();
  if (!groups.length) return out;
  const columns = [first.signed("field_item"), first.signed("field_x"), first.read("field_y")];
  groups.forEach(([scope, from], i) => out.set(scope, new Field(scope, ...columns.map((c) => sums(c.subarray(from, groups[i + 1]?.[1]))))));
  return out;
})();

const GROUP = { SCOPE: 0, LOOP: 1, CONDITIONAL: 2, BODY: 3, CALL: 4 };
const HEADER = 30, PAD = 22, SHOWN_CHIPS = 3, COMPACT = 1500, HUB = 48;

// A group: a scope, or a call with the functions that it calls. Groups in a call are its own, so keys are paths.
class Group {
  constructor(parent, scope, call = -1, label = "") {
    this.parent = parent;
    this.scope = scope;
    this.call = call;
    this.key = parent ? `${parent.key}/${call >= 0 ? "c" + call : scope}` : String(scope);
    this.open = false;
    this.layout = null;
    this.subs = new Map();
    this.kind = call >= 0 ? GROUP.CALL : graph.scopes[scope][2];
    this.name = label || plain(call >= 0 ? nameOf(call) : graph.scopes[scope][1]);
  }
  sub(scope, label) {
    if (!this.subs.has(scope)) this.subs.set(scope, new Group(this, scope, -1, label));
    return this.subs.get(scope);
  }
  callGroup(node) {
    const key = "c" + node;
    if (!this.subs.has(key)) this.subs.set(key, new Group(this, -1, node));
    return this.subs.get(key);
  }
  // Its contents: groups and nodes.
  get groups() {
    if (this.call < 0) return tree.children[this.scope].map((s) => this.sub(s));
    return graph.calls.get(this.call).map(({ attr, body }) => {
      const name = plain(graph.bodies[body][0]);
      return this.sub(tree.roots[body], attr === "f" ? name : `${attr}: ${name}`);
    });
  }
  get nodes() {
    return this.call < 0 ? tree.nodes[this.scope] : [];
  }
  get total() {
    return this.call < 0 ? tree.total[this.scope] : this.groups.reduce((sum, g) => sum + g.total, 0);
  }
  changed() {
    for (let g = this; g; g = g.parent) g.layout = null;
  }
  get depth() {
    let d = 0;
    for (let g = this.parent; g; g = g.parent) d++;
    return d;
  }
}

const measure = (() => {
  const context = document.createElement("canvas").getContext("2d"), known = new Map();
  return (text, font) => {
    const key = font + text;
    if (!known.has(key)) {
      context.font = font;
      known.set(key, context.measureText(text).width);
    }
    return known.get(key);
  };
})();
const SANS = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
const FONT = { op: `600 12.5px ${SANS}`, name: `11px ${SANS}`, chip: `10.5px ${SANS}`, group: `600 12.5px ${SANS}` };

const cut = (text, most) => (text.length > most ? text.slice(0, most - 1) + "…" : text);
function preview(node) {
  const c = graph.constants.get(node);
  if (!c) return "";
  const list = c.values ?? c.texts;
  if (list && list.length === 0) return "[]";
  if (list && !c.shape.length) return c.texts ? JSON.stringify(cut(plain(list[0]), 18)) : value(list[0]);
  if (list && list.length <= 4 && c.shape.length === 1) return cut(`[${list.map((v) => plain(value(v))).join(", ")}]`, 18);
  return `${c.dtype} [${c.shape.join("×")}]`;
}

function nodeItem(node, compact) {
  const kind = graph.kind[node], op = opOf(node), leaf = leafOf(node), own = chips.get(node) ?? [];
  if (compact) return { node, group: null, w: 72, h: 26, chips: own };
  if (kind === KIND.CONST) {
    const w = Math.max(measure(cut(leaf, 24), FONT.name), measure(preview(node), FONT.chip)) + 28;
    return { node, group: null, w, h: 36, chips: [] };
  }
  const rows = Math.min(own.length, SHOWN_CHIPS) + (own.length > SHOWN_CHIPS ? 1 : 0);
  let w = Math.max(measure(op, FONT.op), measure(cut(leaf, 30), FONT.name));
  if (kind === KIND.STORE) w += 52;
  for (const chip of own.slice(0, SHOWN_CHIPS)) w = Math.max(w, measure(chipText(node, chip), FONT.chip) + 4);
  return { node, group: null, w: Math.max(84, Math.min(w, 330) + 30), h: 42 + (rows ? rows * 15 + 5 : 0), chips: own };
}
function chipText(node, chip) {
  const names = ["x", "y"];
  const at = inputsOf(node).findIndex((i) => i.node === chip);
  const leaf = leafOf(chip);
  return `${cut(/^(Const|.*\/?y|.*\/?x)(_\d+)?$/.test(leaf) ? names[at] ?? leaf : leaf, 16)} = ${preview(chip)}`;
}

// The summary of a closed group.
const about = (group) => {
  const took = group.call < 0 && heats.scopes.time[group.scope];
  return [GROUP_MARKS[group.kind], count(group.total, "node"), took ? time(took) : ""].filter((t) => t).join(" · ");
};

// Lays out a group and everything that is open within it. Positions are relative to its corner.
function layOut(group) {
  if (group.layout) return group.layout;
  const field = group.call < 0 && fields.get(group.scope);
  if (field) return (group.layout = layField(group, field));
  const groups = group.groups, compact = group.nodes.length > COMPACT;
  const items = [], itemOfScope = new Map(), itemOfNode = new Map();
  for (const g of groups) {
    if (g.open) {
      const inner = layOut(g);
      items.push({ node: -1, group: g, w: Math.max(inner.w, measure(g.name, FONT.group) + 90), h: inner.h, chips: [] });
    } else {
      const w = Math.max(128, Math.min(measure(cut(g.name, 34), FONT.group), 240) + 46, measure(about(g), FONT.name) + 42);
      items.push({ node: -1, group: g, w, h: 50, chips: [] });
    }
    itemOfScope.set(g.scope, items.length - 1);
  }
  for (const node of group.nodes) {
    if (host[node] >= 0) continue;
    itemOfNode.set(node, items.length);
    const sub = graph.calls.has(node) ? group.callGroup(node) : null;
    if (sub?.open) {
      const inner = layOut(sub);
      items.push({ node, group: sub, w: Math.max(inner.w, measure(sub.name, FONT.group) + 90), h: inner.h, chips: chips.get(node) ?? [] });
    } else {
      const item = nodeItem(node, compact);
      item.group = sub;
      if (sub && !compact) item.w += 16;
      items.push(item);
    }
  }
  for (const node of group.nodes) if (host[node] >= 0) itemOfNode.set(node, itemOfNode.get(host[node]));
  const built = edgesOf(group, items, itemOfScope, itemOfNode);
  const placed = arrange(items, built.edges, built.ports, group.parent ? HEADER : 0);
  group.layout = { items, edges: built.edges.filter((e) => e.points), ...placed, ports: built.ports };
  return group.layout;
}

// The cells of a field in place, except that open groups push others down and to the right.
function layField(group, field) {
  const header = group.parent ? HEADER : 0, open = [...group.subs.values()].filter((g) => g.open);
  const x = Int32Array.from(field.x, (v) => v + PAD), y = Int32Array.from(field.y, (v) => v + PAD + header), n = x.length;
  const items = open.map((g) => {
    const k = g.call >= 0 ? cellOf[g.call] : field.cellOfScope.get(g.scope), inner = layOut(g);
    const w = Math.max(inner.w, measure(g.name, FONT.group) + 90), cx = x[k], cy = y[k], right = Math.ceil(Math.max(0, w - CELL.w)), down = Math.ceil(Math.max(0, inner.h - CELL.h));
    for (let i = 0; i < n; i++) {
      if (y[i] >= cy + CELL.h) y[i] += down;
      else if (x[i] > cx && y[i] > cy - CELL.h) x[i] += right;
    }
    return { node: g.call, group: g, cell: k, w, h: inner.h, chips: [] };
  });
  let w = 0, h = 0;
  for (const item of items) {
    item.x = x[item.cell];
    item.y = y[item.cell];
    w = Math.max(w, item.x + item.w);
    h = Math.max(h, item.y + item.h);
  }
  for (let i = 0; i < n; i++) {
    if (x[i] + CELL.w > w) w = x[i] + CELL.w;
    if (y[i] + CELL.h > h) h = y[i] + CELL.h;
  }
  w += PAD;
  h += PAD;
  const ports = { list: [{ side: "in", x: w / 2, y: 0 }, { side: "out", x: w / 2, y: h }], find: (side) => (side === "in" ? 0 : 1) };
  return { items, edges: [], w, h, ports, field, x, y };
}

// The edges between a group's items, and to the ports through which values enter and leave.
function edgesOf(group, items, itemOfScope, itemOfNode) {
  const edges = new Map(), list = [], ports = { numbers: new Map(), list: [], find: () => -1 };
  if (group.call >= 0) return { edges: [], ports };
  const scope = group.scope, low = tree.enter[scope], high = tree.leave[scope];
  const item = new Int32Array(high - low).fill(-1);
  for (const child of tree.children[scope]) {
    item.fill(itemOfScope.get(child), tree.enter[child] - low, tree.leave[child] - low);
  }
  const itemOf = (node) => {
    const at = tree.enter[graph.scope[node]];
    if (at < low || at >= high) return -1;
    return graph.scope[node] === scope ? itemOfNode.get(node) : item[at - low];
  };
  // Values enter and leave at ports: one for each item, or for each port of an open group.
  const place = (side, node) => {
    const i = itemOf(node), inner = items[i].group;
    return inner?.open ? `${side}${i}#${inner.layout.ports.find(side, node)}` : side + i;
  };
  ports.find = (side, node) => ports.numbers.get(place(side, node)) ?? -1;
  const port = (side, node) => {
    if (!group.parent || group.parent.call >= 0) return -1;
    const key = place(side, node);
    if (!ports.numbers.has(key)) {
      ports.numbers.set(key, ports.list.length);
      ports.list.push({ side, x: 0, y: 0 });
    }
    return -2 - ports.numbers.get(key);
  };
  // The edges of a node that is an item itself come one after the other: for each item, the last consumer in it and
  // that edge identify edges that are equal. All others are looked up by key.
  const takenBy = new Int32Array(items.length).fill(-1), lastEdge = new Array(items.length);
  // From a node in item a to a node in item b; if one is outside, its item is the port at the other.
  const add = (a, b, from, to, source, user, e, back, flow) => {
    if (a === b || a === -1 || b === -1) return;
    const end = (i, node, side) => (i >= 0 && items[i].group?.open ? items[i].group.layout.ports.find(side, node) : -1);
    const pa = end(a, from, "out"), pb = end(b, to, "in");
    const alone = a >= 0 && b >= 0 && pa < 0 && !items[b].group && flow !== "put";
    // A numeric key is faster to look up than a string.
    const key = alone ? 0 : pa < 0 && pb < 0 ? (a + 2 ** 25) * 2 ** 26 + b + 2 ** 25 : `${a},${pa},${b},${pb}`;
    let edge = alone ? (takenBy[a] === b ? lastEdge[a] : undefined) : edges.get(key);
    if (!edge) {
      edge = { a, b, pa, pb, source, user, output: graph.edgeOutput[e], count: 0, control: true, cross: false, back, flow, hub: false, via: null, points: null };
      list.push(edge);
      if (alone) {
        takenBy[a] = b;
        lastEdge[a] = edge;
      } else edges.set(key, edge);
    }
    edge.count++;
    edge.control &&= isControl(e, user);
    edge.back &&= back;
    edge.cross ||= deviceOf(source) !== deviceOf(user) && deviceOf(source) !== "" && deviceOf(user) !== "";
  };
  // A value put into a store flows from the node to the store, although the handle flows the other way.
  const flowOf = (source, user) => {
    const act = graph.acts.get(user);
    return act?.store === source ? act.act : "";
  };
  const visit = (node) => {
    const own = itemOf(node);
    for (let e = graph.edgeStart[node]; e < graph.edgeStart[node + 1]; e++) {
      const source = graph.edge[e];
      if (host[source] === node) continue;
      const other = itemOf(source), flow = flowOf(source, node);
      const back = graph.kind[source] === KIND.NEXT && graph.kind[node] === KIND.MERGE;
      if (flow === "put") add(own, other < 0 ? port("out", node) : other, node, source, source, node, e, false, flow);
      else add(other < 0 ? port("in", node) : other, own, source, node, source, node, e, back, flow);
    }
    for (let i = graph.outStart[node]; i < graph.outStart[node + 1]; i++) {
      const user = graph.out[i];
      if (itemOf(user) >= 0) continue;
      const flow = flowOf(node, user);
      if (flow === "put") add(port("in", node), own, user, node, node, user, graph.outEdge[i], false, flow);
      else add(own, port("out", node), node, user, node, user, graph.outEdge[i], false, flow);
    }
  };
  const within = [scope];
  while (within.length) {
    const s = within.pop();
    tree.nodes[s].forEach(visit);
    within.push(...tree.children[s]);
  }
  // Edges of a value with very many consumers are drawn only when it is selected.
  const fan = new Uint32Array(items.length + ports.list.length + 2), from = (e) => (e.a >= 0 ? e.a : items.length - 2 - e.a);
  for (const e of list) fan[from(e)]++;
  const many = list.length > 200;
  for (const e of list) e.hub = many && fan[from(e)] > HUB;
  return { edges: list, ports };
}

// Places items in layers: components next to each other, each from top to bottom.
function arrange(items, edges, ports, header) {
  const n = items.length, all = n + ports.list.length;
  const end = (i) => (i >= 0 ? i : n + (-2 - i));
  const links = edges.filter((e) => !e.back).map((e) => ({ edge: e, a: end(e.a), b: end(e.b) }));
  // Components, by union-find.
  const parent = Int32Array.from({ length: all }, (_, i) => i);
  const find = (i) => {
    while (parent[i] !== i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (const l of links) if (!l.edge.hub) parent[find(l.a)] = find(l.b);
  const parts = new Map();
  const part = (i) => {
    const root = ports.list.length ? -1 : find(i);
    if (!parts.has(root)) parts.set(root, { members: [], links: [] });
    return parts.get(root);
  };
  for (let i = 0; i < all; i++) part(i).members.push(i);
  for (const l of links) if (!l.edge.hub) part(l.a).links.push(l);
  const list = [...parts.values()].sort((p, q) => q.members.length - p.members.length);
  const local = new Uint32Array(all), width = (i) => (i < n ? items[i].w : 8), height = (i) => (i < n ? items[i].h : 0);
  for (const p of list) {
    if (p.members.length === 1) {
      const i = p.members[0];
      Object.assign(p, { w: width(i), h: height(i), x: [width(i) / 2], y: [0] });
    } else layered(p, local, width, height, (i) => (i < n ? "" : ports.list[i - n].side));
  }
  // Rows of components, about as wide as a screen.
  const area = list.reduce((sum, p) => sum + (p.w + 40) * (p.h + 40), 0);
  const most = Math.max(list[0]?.w ?? 0, Math.sqrt(area * 1.8));
  let x = 0, y = 0, row = 0, w = 0;
  for (const p of list) {
    if (x > 0 && x + p.w > most) {
      x = 0;
      y += row + 40;
      row = 0;
    }
    p.left = x;
    p.top = y;
    x += p.w + 40;
    row = Math.max(row, p.h);
    w = Math.max(w, x - 40);
  }
  const h = y + row, X = new Float64Array(all), Y = new Float64Array(all);
  for (const p of list) p.members.forEach((i, k) => {
    X[i] = p.left + p.x[k];
    Y[i] = p.top + p.y[k];
  });
  for (let i = 0; i < n; i++) {
    items[i].x = PAD + X[i] - items[i].w / 2;
    items[i].y = PAD + header + Y[i];
  }
  ports.list.forEach((port, i) => {
    port.x = PAD + X[n + i];
    port.y = port.side === "in" ? 0 : PAD * 2 + header + h;
  });
  route(items, edges, ports, list, header);
  return { w: w + 2 * PAD, h: h + header + 2 * PAD };
}

// Layers of a component, order within them, and positions. Long edges get a place in every layer that they cross.
function layered(p, local, width, height, side) {
  const members = p.members, m = members.length;
  members.forEach((i, k) => (local[i] = k));
  const outs = Array.from({ length: m }, () => []), ins = Array.from({ length: m }, () => []);
  for (const l of p.links) {
    l.from = local[l.a];
    l.to = local[l.b];
    outs[l.from].push(l);
  }
  // Edges that close a cycle are reversed.
  const state = new Uint8Array(m);
  const starts = Array.from({ length: m }, (_, k) => k);
  const indegree = new Uint32Array(m);
  for (const l of p.links) indegree[l.to]++;
  starts.sort((a, b) => Math.min(indegree[a], 1) - Math.min(indegree[b], 1) || a - b);
  for (const s of starts) {
    if (state[s]) continue;
    const stack = [[s, 0]];
    state[s] = 1;
    while (stack.length) {
      const top = stack[stack.length - 1];
      if (top[1] === outs[top[0]].length) {
        state[top[0]] = 2;
        stack.pop();
        continue;
      }
      const l = outs[top[0]][top[1]++];
      if (state[l.to] === 1) l.turned = true;
      else if (!state[l.to]) {
        state[l.to] = 1;
        stack.push([l.to, 0]);
      }
    }
  }
  outs.forEach((list) => (list.length = 0));
  for (const l of p.links) {
    if (l.turned) [l.from, l.to] = [l.to, l.from];
    outs[l.from].push(l.to);
    ins[l.to].push(l.from);
  }
  const layer = new Int32Array(m), wait = Uint32Array.from(ins, (list) => list.length), order = [];
  for (let k = 0; k < m; k++) if (!wait[k]) order.push(k);
  for (let at = 0; at < order.length; at++) {
    const k = order[at];
    for (const to of outs[k]) {
      layer[to] = Math.max(layer[to], layer[k] + 1);
      if (!--wait[to]) order.push(to);
    }
  }
  let deepest = 0;
  for (const k of order) deepest = Math.max(deepest, layer[k]);
  // Items with more successors than predecessors move down to their successors.
  for (let at = order.length - 1; at >= 0; at--) {
    const k = order[at];
    if (!outs[k].length || side(members[k]) === "in" || ins[k].length >= Math.max(outs[k].length, 1)) continue;
    let next = Infinity;
    for (const to of outs[k]) next = Math.min(next, layer[to]);
    layer[k] = Math.max(layer[k], next - 1);
  }
  for (let k = 0; k < m; k++) {
    if (side(members[k]) === "in") layer[k] = 0;
    if (side(members[k]) === "out") layer[k] = deepest;
  }
  // Points along long edges.
  let extra = 0;
  for (const l of p.links) extra += Math.max(0, layer[l.to] - layer[l.from] - 1);
  const bends = extra <= 20000;
  const total = m + (bends ? extra : 0), lay = new Int32Array(total), w = new Float64Array(total);
  const up = bends ? Array.from({ length: total }, () => []) : ins, down = bends ? Array.from({ length: total }, () => []) : outs;
  lay.set(layer);
  for (let k = 0; k < m; k++) w[k] = width(members[k]);
  let next = m;
  if (bends) for (const l of p.links) {
    l.via = [];
    let last = l.from;
    for (let y = layer[l.from] + 1; y < layer[l.to]; y++) {
      lay[next] = y;
      w[next] = 6;
      up[next].push(last);
      down[last].push(next);
      l.via.push(next);
      last = next++;
    }
    if (layer[l.to] > layer[l.from]) {
      up[l.to].push(last);
      down[last].push(l.to);
    }
  }
  const layers = Array.from({ length: deepest + 1 }, () => []);
  // Initial order: a depth-first walk from the top, which keeps related items together.
  const seen = new Uint8Array(total), roots = Array.from({ length: m }, (_, k) => k).sort((a, b) => layer[a] - layer[b] || a - b);
  for (const root of roots) {
    const stack = [root];
    while (stack.length) {
      const i = stack.pop();
      if (seen[i]) continue;
      seen[i] = 1;
      layers[lay[i]].push(i);
      for (let d = down[i].length - 1; d >= 0; d--) stack.push(down[i][d]);
    }
  }
  const pos = new Float64Array(total);
  const number = (list) => list.forEach((i, at) => (pos[i] = at));
  layers.forEach(number);
  const key = new Float64Array(total);
  const sort = (list, near) => {
    for (const i of list) {
      let sum = 0;
      for (const o of near[i]) sum += pos[o];
      key[i] = near[i].length ? sum / near[i].length : pos[i];
    }
    list.sort((a, b) => key[a] - key[b] || pos[a] - pos[b]);
    number(list);
  };
  const crossings = () => {
    let sum = 0;
    for (const list of layers) for (let at = 1; at < list.length; at++) {
      for (const a of down[list[at - 1]]) for (const b of down[list[at]]) sum += pos[a] > pos[b];
    }
    return sum;
  };
  const sweeps = total > 30000 ? 2 : total > 4000 ? 6 : 14;
  let best = null, least = Infinity;
  for (let s = 0; s < sweeps; s++) {
    if (s % 2) for (let y = deepest - 1; y >= 0; y--) sort(layers[y], down);
    else for (let y = 1; y <= deepest; y++) sort(layers[y], up);
    const now = total > 30000 ? 0 : crossings();
    if (now < least || total > 30000) {
      least = now;
      best = layers.map((list) => list.slice());
    }
  }
  (best ?? layers).forEach((list, y) => {
    layers[y] = list;
    number(list);
  });
  const x = positions(layers, w, up, down, m, total);
  // Heights, then columns if a component is much taller than wide, rows if a layer is much wider than tall.
  const Y = new Float64Array(total), heights = layers.map((list) => list.reduce((h, i) => Math.max(h, i < m ? height(members[i]) : 0), 0));
  let left = Infinity, right = -Infinity;
  for (let i = 0; i < total; i++) {
    left = Math.min(left, x[i] - w[i] / 2);
    right = Math.max(right, x[i] + w[i] / 2);
  }
  // A layer much wider than the height of all layers is broken into rows.
  const rows = new Map(), high = heights.reduce((sum, h) => sum + h + 60, 0);
  if (m > 400 && right - left > 12 * high) {
    layers.forEach((list, d) => {
      const wide = list.reduce((sum, i) => sum + w[i] + 18, 0), each = heights[d] + 14;
      const n = Math.ceil(wide / Math.sqrt(wide * each * 2)), per = Math.ceil(list.length / n);
      if (n < 2) return;
      list.forEach((i, at) => {
        rows.set(i, Math.floor(at / per) * each);
        x[i] = ((at % per) - (Math.min(per, list.length) - 1) / 2) * (wide / list.length);
      });
      heights[d] += (n - 1) * each;
    });
    const [left0, right0] = [left, right];
    left = Infinity;
    right = -Infinity;
    for (let i = 0; i < total; i++) {
      if (!rows.has(i)) x[i] -= (left0 + right0) / 2;
      left = Math.min(left, x[i] - w[i] / 2);
      right = Math.max(right, x[i] + w[i] / 2);
    }
  }
  const gap = (y) => 30 + Math.min(240, Math.sqrt(layers[y].length) * 7);
  let y = 0;
  const tops = layers.map((list, d) => {
    const top = y;
    y += heights[d] + (d < deepest ? gap(d) : 0);
    return top;
  });
  let W = right - left, H = y;
  const columns = H > 5 * W && deepest > 60 && !members.some((i) => side(i)) ? Math.ceil(Math.sqrt(H / (W + 80) / 1.8)) : 1;
  const tall = H / columns, pitch = W + 80;
  // Where each column begins.
  const columnOf = (d) => Math.min(columns - 1, Math.floor(tops[d] / tall)), bases = new Map([[0, 0]]);
  tops.forEach((top, d) => bases.has(columnOf(d)) || bases.set(columnOf(d), top));
  layers.forEach((list, d) => {
    const c = columnOf(d), base = bases.get(c);
    for (const i of list) {
      Y[i] = tops[d] - base + (rows.get(i) ?? (i < m ? (heights[d] - height(members[i])) / 2 : heights[d] / 2));
      x[i] += c * (W + 80) - left;
    }
  });
  if (columns > 1) {
    W = columns * (W + 80) - 80;
    H = 0;
    for (let k = 0; k < m; k++) H = Math.max(H, Y[k] + height(members[k]));
  }
  p.pitch = columns > 1 ? pitch : 0;
  p.w = W;
  p.h = H;
  p.x = x;
  p.y = Y;
  p.bend = (i) => [x[i], Y[i]];
}

// Positions along layers: every node as close as possible to the middle of its neighbours, without overlaps. For a
// fixed order this is an isotonic regression, which pooling of adjacent violators solves exactly.
function positions(layers, w, up, down, m, total) {
  const x = new Float64Array(total), gap = 18;
  for (const list of layers) {
    let at = 0;
    for (const i of list) {
      x[i] = at + w[i] / 2;
      at += w[i] + gap;
    }
    for (const i of list) x[i] -= at / 2;
  }
  // Offsets of a layer, and the blocks that its nodes form: sums of targets, weights and numbers of nodes.
  const longest = layers.reduce((most, list) => Math.max(most, list.length), 0);
  const offsets = new Float64Array(longest), sums = new Float64Array(longest), weights = new Float64Array(longest), sizes = new Uint32Array(longest);
  const fit = (list, wish, weight) => {
    // Offsets of a tightly packed layer; the remaining shifts only have to be non-decreasing.
    let offset = 0, blocks = 0;
    for (let at = 0; at < list.length; at++) {
      const i = list[at];
      if (at > 0) offset += (w[list[at - 1]] + w[i]) / 2 + gap * (i >= m || list[at - 1] >= m ? 0.7 : 1);
      offsets[at] = offset;
      let heavy = weight(i), sum = (wish(i) - offset) * heavy, nodes = 1;
      while (blocks > 0 && sums[blocks - 1] / weights[blocks - 1] > sum / heavy) {
        blocks--;
        sum += sums[blocks];
        heavy += weights[blocks];
        nodes += sizes[blocks];
      }
      sums[blocks] = sum;
      weights[blocks] = heavy;
      sizes[blocks++] = nodes;
    }
    for (let block = 0, at = 0; block < blocks; block++) {
      const mean = sums[block] / weights[block];
      for (let k = 0; k < sizes[block]; k++, at++) x[list[at]] = mean + offsets[at];
    }
  };
  const mean = (near, i) => {
    let sum = 0;
    for (const o of near[i]) sum += x[o];
    return near[i].length ? sum / near[i].length : x[i];
  };
  const weight = (near) => (i) => (near[i].length ? (i >= m ? 6 : 1) + near[i].length : 0.05);
  const rounds = total > 30000 ? 4 : 16;
  for (let r = 0; r < rounds; r++) {
    if (r % 2) for (let y = layers.length - 2; y >= 0; y--) fit(layers[y], (i) => mean(down, i), weight(down));
    else for (let y = 1; y < layers.length; y++) fit(layers[y], (i) => mean(up, i), weight(up));
  }
  const both = (i) => {
    const n = up[i].length + down[i].length;
    return n ? (mean(up, i) * up[i].length + mean(down, i) * down[i].length) / n : x[i];
  };
  for (let r = 0; r < (total > 30000 ? 1 : 12); r++) for (const list of layers) fit(list, both, (i) => (i >= m ? 4 : 1));
  return x;
}

// Paths of edges: from the bottom of an item, through the places of its layers, to the top of another.
function route(items, edges, ports, parts, header) {
  const n = items.length;
  const spot = (i, port, side) => {
    if (i < 0) return [ports.list[-2 - i].x, ports.list[-2 - i].y];
    const item = items[i], inner = item.group?.open && item.group.layout.ports.list[port];
    return [item.x + (inner ? inner.x : item.w / 2), side === "top" ? item.y : item.y + item.h];
  };
  for (const p of parts) for (const l of p.links) {
    if (!l.via?.length) continue;
    const via = l.via.map((i) => {
      const [x, y] = p.bend(i);
      return [PAD + p.left + x, PAD + header + p.top + y];
    });
    l.edge.via = l.turned ? via.reverse() : via;
  }
  // Edges between columns.
  parts.filter((p) => p.pitch).forEach((p) => p.links.forEach((l, i) => (l.edge.fold = { left: PAD + p.left, pitch: p.pitch, least: 200, off: ((i % 7) - 3) * 7 })));
  const tops = new Array(n);
  for (const e of edges) {
    const start = spot(e.a, e.pa, "bottom"), stop = spot(e.b, e.pb, "top");
    e.points = e.via ? [start, ...e.via, stop] : [start, stop];
    if (e.b >= 0 && !items[e.b].group?.open) {
      if (tops[e.b]) tops[e.b].push(e);
      else tops[e.b] = [e];
    }
  }
  // Edges that end at the same item end next to each other, in the order in which they arrive.
  for (let b = 0; b < n; b++) {
    const list = tops[b];
    if (!list || list.length < 2) continue;
    list.sort((e, f) => e.points[e.points.length - 2][0] - f.points[f.points.length - 2][0]);
    const room = Math.min(items[b].w - 24, (list.length - 1) * 14);
    for (let k = 0; k < list.length; k++) list[k].points[list[k].points.length - 1][0] += (k / (list.length - 1) - 0.5) * room;
  }
}

// The graph: groups, nodes and edges on a canvas.

const FAMILY_GROUPS = [
  ["math", "math", "linalg", "fft", "onnx", "clustering"],
  ["networks", "nn", "ctc", "detection", "quantize"],
  ["reductions", "reduce", "sets"],
  ["arrays", "array", "sparse", "ragged", "tensor_array", "variants"],
  ["state", "state", "training", "checkpoint"],
  ["control", "control", "batching"],
  ["queues and data", "queues", "data", "io", "parsing", "tables", "host"],
  ["random", "random"],
  ["text, images, sound", "strings", "image", "audio"],
  ["summaries", "summary", "logging"],
  ["other", "other"],
];
const familyIndex = new Map(FAMILY_GROUPS.flatMap(([, ...families], i) => families.map((f) => [f, i])));
const PALETTE = {
  light: ["#3b6fd4", "#158a74", "#0f8fb3", "#7a6bd1", "#b7791f", "#a352b8", "#c8572d", "#c2477f", "#5f8a2c", "#64748b", "#8a8f98"],
  dark: ["#7aa5f5", "#4fc3a9", "#55c1e0", "#a99cf0", "#e0ab57", "#d08be0", "#f08c66", "#ee86b5", "#9cc765", "#9aa9bd", "#8b929c"],
};
const HEAT = {
  light: ["#e8edf4", "#f9dfa6", "#f5b35c", "#e8743b", "#b8312f"],
  dark: ["#2c3440", "#5d4a2a", "#99642a", "#d4702f", "#f25c4a"],
};
const theme = { dark: false, css: {} };
function readTheme() {
  theme.dark = document.documentElement.dataset.theme === "dark";
  const style = getComputedStyle(document.documentElement);
  for (const name of ["bg", "card", "text", "muted", "faint", "line", "edge", "accent", "group", "group2", "put", "take", "cross", "path", "wait", "bad"]) {
    theme.css[name] = style.getPropertyValue("--" + name).trim();
  }
}
const mixes = new Map();
function mix(a, b, t) {
  const key = a + b + t;
  if (mixes.has(key)) return mixes.get(key);
  const parts = [a, b].map((c) => [1, 3, 5].map((i) => parseInt(c.slice(i, i + 2), 16)));
  const out = "#" + parts[0].map((v, i) => Math.round(v + (parts[1][i] - v) * t).toString(16).padStart(2, "0")).join("");
  if (mixes.size < 5000) mixes.set(key, out);
  return out;
}
function heat(t) {
  const ramp = HEAT[theme.dark ? "dark" : "light"], at = Math.max(0, Math.min(1, t)) * (ramp.length - 1), i = Math.min(Math.floor(at), ramp.length - 2);
  return mix(ramp[i], ramp[i + 1], Math.round((at - i) * 20) / 20);
}

const devices = (() => {
  const names = new Set();
  for (let i = 0; i < graph.n; i++) names.add(deviceOf(i));
  trace?.tracks.forEach((t) => names.add(t.device));
  return [...names].filter((d) => d).sort();
})();
const deviceIndex = new Map(devices.map((d, i) => [d, i]));

// Before and after: how much longer each node takes per step than in the other trace.
const change = data.before && trace && (() => {
  const change = new Map(), steps = Math.max(trace.called.length, 1), before = new Map();
  for (const [id, name, op, device, runs, ns] of data.before.nodes) {
    const key = id >= 0 ? id : plain(name), known = before.get(key);
    const each = ns / Math.max(data.before.steps, 1);
    if (known) Object.assign(known, { time: known.time + each, runs: known.runs + runs });
    else before.set(key, { id, name: plain(name), op: plain(op), device: plain(device), time: each, runs });
  }
  for (let i = 0; i < graph.n + trace.others.length; i++) {
    const was = before.get(i) ?? before.get(nameOf(i)), now = totals.time[i] / steps;
    if (!was && !totals.runs[i]) continue;
    before.delete(i);
    before.delete(nameOf(i));
    change.set(i, { node: i, name: fullName(i), op: opOf(i), before: was?.time ?? null, after: totals.runs[i] ? now : null, from: was?.device ?? "", to: totals.device[i] });
  }
  const gone = [...before.values()].map((w) => ({ node: w.id, name: w.name, op: w.op, before: w.time, after: null, from: w.device, to: "" }));
  return { of: change, gone };
})();

const heats = (() => {
  const most = (values) => {
    let m = 0;
    for (const v of values) if (v > m && isFinite(v)) m = v;
    return m || 1;
  };
  const memory = Float64Array.from({ length: graph.n }, (_, i) => totals.bytes[i] || Math.max(0, graph.size[i] - 1));
  const time = totals.time.map((t, i) => Math.max(t, totals.work[i]));
  let changed = 1;
  change?.of.forEach((c) => (changed = Math.max(changed, Math.abs((c.after ?? 0) - (c.before ?? 0)))));
  const sums = (values) => {
    const out = new Float64Array(graph.scopes.length);
    for (let i = 0; i < graph.n; i++) out[graph.scope[i]] += values[i];
    const order = Array.from(out, (_, s) => s).sort((a, b) => tree.enter[b] - tree.enter[a]);
    for (const s of order) if (graph.scopes[s][0] >= 0) out[graph.scopes[s][0]] += out[s];
    return out;
  };
  const scopes = { time: sums(time), memory: sums(memory) };
  return { memory, time, changed, most: { time: most(time), memory: most(memory) }, scopes };
})();
const scaled = (v, most) => Math.log1p((v / most) * 999) / Math.log(1000);

const view = {
  canvas: $("graph"), x: 0, y: 0, scale: 1, root: new Group(null, tree.roots[0]), items: [], edges: [], fields: [], mode: "family",
  frame: 0, hover: -1, byNode: new Map(), byGroup: new Map(),
};
view.root.open = true;

function colorOf(node) {
  const palette = PALETTE[theme.dark ? "dark" : "light"];
  switch (view.mode) {
    case "device": {
      const d = deviceIndex.get(deviceOf(node));
      return d === undefined ? palette[10] : palette[[0, 4, 1, 5, 6, 2, 7, 3, 8, 9][d % 10]];
    }
    case "time": return heat(heats.time[node] ? 0.12 + 0.88 * scaled(heats.time[node], heats.most.time) : 0);
    case "memory": return heat(heats.memory[node] ? 0.12 + 0.88 * scaled(heats.memory[node], heats.most.memory) : 0);
    case "change": {
      const c = change?.of.get(node);
      if (!c) return mix(theme.css.line, theme.css.line, 0);
      const d = ((c.after ?? 0) - (c.before ?? 0)) / heats.changed, t = Math.round(Math.sqrt(Math.abs(d)) * 20) / 20;
      return mix(HEAT[theme.dark ? "dark" : "light"][0], d > 0 ? palette[6] : palette[1], t);
    }
    default: return palette[familyIndex.get(familyOf(node)) ?? 10];
  }
}

// The colour of a group: the most common one of its nodes, or their total time.
const groupColors = new Map();
function groupColor(group) {
  const key = `${group.key} ${view.mode} ${theme.dark}`;
  if (groupColors.has(key)) return groupColors.get(key);
  let color;
  if (group.call >= 0) color = colorOf(group.call);
  else if (view.mode === "time" || view.mode === "memory") {
    const v = heats.scopes[view.mode][group.scope];
    color = heat(v ? 0.12 + 0.88 * scaled(Math.min(v, heats.most[view.mode]), heats.most[view.mode]) : 0);
  } else {
    const counts = new Map(), stack = [group.scope];
    let seen = 0;
    while (stack.length && seen < 4000) {
      const s = stack.pop();
      for (const node of tree.nodes[s]) {
        if (graph.kind[node] === KIND.CONST && view.mode === "family") continue;
        const c = colorOf(node);
        counts.set(c, (counts.get(c) ?? 0) + 1);
        seen++;
      }
      stack.push(...tree.children[s]);
    }
    color = [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? theme.css.faint;
  }
  groupColors.set(key, color);
  return color;
}

// The scale at which the text of nodes is readable.
const READABLE = 0.72;

// The items to draw, in drawing order, with absolute positions.
function flatten() {
  const layout = layOut(view.root);
  view.items = [];
  view.edges = [];
  view.fields = [];
  view.byNode.clear();
  view.byGroup.clear();
  const place = (node, shown) => {
    const known = view.byNode.get(node);
    if (known) known.push(shown);
    else view.byNode.set(node, [shown]);
  };
  const add = (layout, x, y, depth, group) => {
    if (layout.field) view.fields.push(new ShownField(group, layout, x, y, depth));
    for (const edge of layout.edges) {
      const points = x || y ? edge.points.map(([px, py]) => [px + x, py + y]) : edge.points;
      let l = Infinity, t = Infinity, r = -Infinity, b = -Infinity;
      for (let i = 0; i < points.length; i++) {
        const px = points[i][0], py = points[i][1];
        if (px < l) l = px;
        if (px > r) r = px;
        if (py < t) t = py;
        if (py > b) b = py;
      }
      const from = edge.a >= 0 ? layout.items[edge.a] : null, to = edge.b >= 0 ? layout.items[edge.b] : null;
      view.edges.push({ edge, points, l: l - 30, t, r: r + 60, b, from, to, x, y });
    }
    for (const item of layout.items) {
      const shown = { item, x: x + item.x, y: y + item.y, w: item.w, h: item.h, depth, open: !!item.group?.open, number: view.items.length };
      view.items.push(shown);
      item.shown = shown;
      if (item.group) view.byGroup.set(item.group, shown);
      if (item.node >= 0) {
        place(item.node, shown);
        for (const chip of item.chips) place(chip, shown);
      }
      if (shown.open) add(item.group.layout, shown.x, shown.y, depth + 1, item.group);
    }
  };
  add(layout, 0, 0, 0, view.root);
  view.w = layout.w;
  view.h = layout.h;
}

function relayout(keep) {
  const before = keep && shownGroup(keep), at = before && [before.x * view.scale + view.x, before.y * view.scale + view.y];
  flatten();
  const after = keep && shownGroup(keep);
  if (at && after) {
    view.x = at[0] - after.x * view.scale;
    view.y = at[1] - after.y * view.scale;
  }
  redraw();
}

// Opens small groups while the picture stays clear.
function openFirst() {
  const within = (group) => tree.nodes[group.scope].filter((n) => host[n] < 0).length + tree.children[group.scope].length;
  let room = 46 - within(view.root);
  const next = [view.root];
  while (next.length) {
    for (const sub of next.shift().groups.sort((a, b) => a.total - b.total)) {
      const more = within(sub) - 1;
      if (more > room || sub.depth > 3) continue;
      sub.open = true;
      room -= more;
      next.push(sub);
    }
  }
}

// Fits everything or, with `readable`, the top if everything would be too small to read, except for very many nodes.
function fit(readable = false) {
  const { clientWidth: w, clientHeight: h } = view.canvas;
  const scale = Math.min((w - 48) / view.w, (h - 72) / view.h, 1.15);
  const near = readable && scale < READABLE && view.items.length < 400 && !view.fields.length;
  view.scale = near ? READABLE : scale;
  view.x = (w - view.w * view.scale) / 2;
  view.y = near ? 20 : (h - 28 - view.h * view.scale) / 2;
  if (near && view.w * READABLE > w - 48) {
    // Centre on part of the top layer, as far as there is something on both sides of it; with several columns, the
    // first is at the left.
    const folded = view.edges.some((e) => e.edge.fold), off = (o) => (folded ? o.x : Math.abs(o.x + o.w / 2 - view.w / 2));
    const top = view.items.filter((o) => o.depth === 0).reduce((a, b) => (b.y < a.y || (b.y === a.y && off(b) < off(a)) ? b : a));
    view.x = folded ? 24 : Math.max(w - view.w * READABLE - 24, Math.min(24, w / 2 - (top.x + top.w / 2) * READABLE));
  }
  redraw();
}

function show(shown, scale = Math.max(view.scale, 0.7)) {
  view.scale = scale;
  view.x = view.canvas.clientWidth / 2 - (shown.x + shown.w / 2) * scale;
  view.y = view.canvas.clientHeight / 2 - (shown.y + Math.min(shown.h, 200) / 2) * scale;
  redraw();
}
function bringIntoView(shown) {
  const { clientWidth: w, clientHeight: h } = view.canvas, s = view.scale;
  const [l, t] = [shown.x * s + view.x, shown.y * s + view.y];
  if (s < 0.35 || l < 8 || t < 8 || l + Math.min(shown.w * s, w) > w - 8 || t + Math.min(shown.h * s, h) > h - 8) show(shown);
  else redraw();
}

function redraw() {
  if (!view.frame) view.frame = requestAnimationFrame(() => {
    view.frame = 0;
    drawGraph();
  });
}

function sized(canvas) {
  const ratio = window.devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight;
  if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) {
    canvas.width = Math.round(w * ratio);
    canvas.height = Math.round(h * ratio);
  }
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, w, h);
  return { context, w, h, ratio };
}

function rounded(c, x, y, w, h, r) {
  c.beginPath();
  c.roundRect(x, y, w, h, Math.min(r, h / 2, w / 2));
}

function drawGraph() {
  const { context: c, w, h, ratio } = sized(view.canvas);
  if (!w || !h) return;
  view.key = colorKey();
  const s = view.scale, left = -view.x / s, top = -view.y / s, right = left + w / s, bottom = top + h / s;
  const inside = (o) => o.x < right && o.x + o.w > left && o.y < bottom && o.y + o.h > top;
  c.save();
  c.translate(view.x, view.y);
  c.scale(s, s);
  const visible = [];
  for (const shown of view.items) if (inside(shown)) visible.push(shown);
  for (const shown of visible) if (shown.open) drawOpen(c, shown, s);
  drawEdges(c, s, left, top, right, bottom);
  const tiny = [], closed = [];
  for (const shown of visible) if (!shown.open) (shown.h * s < 2.6 ? tiny : closed).push(shown);
  if (s < 0.3) {
    // Too small for text: boxes, drawn one colour at a time.
    const colors = new Map();
    for (const shown of closed) {
      const color = itemColor(shown);
      if (!colors.has(color)) colors.set(color, []);
      colors.get(color).push(shown);
    }
    for (const [color, list] of colors) {
      c.fillStyle = color;
      for (const o of list) c.fillRect(o.x, o.y, o.w, o.h);
    }
    for (const shown of closed) if (isSelected(shown)) outline(c, shown, s);
  } else for (const shown of closed) drawItem(c, shown, s);
  for (const field of view.fields) field.draw(c, s, left, top, right, bottom);
  c.restore();
  const far = view.fields.filter((f) => f.isFar(s));
  if (tiny.length || far.length) drawDots(c, tiny, far, s, w, h, ratio);
  drawHints(c, w, h);
}

// Boxes smaller than a few pixels are drawn pixel by pixel.
const dots = { canvas: document.createElement("canvas"), image: null, pixels: null };
// A colour as a pixel.
const pixel = (color) => (0xff000000 | (parseInt(color.slice(5, 7), 16) << 16) | (parseInt(color.slice(3, 5), 16) << 8) | parseInt(color.slice(1, 3), 16)) >>> 0;
function drawDots(c, list, far, s, w, h, ratio) {
  const W = Math.round(w * ratio), H = Math.round(h * ratio);
  if (dots.image?.width !== W || dots.image.height !== H) {
    dots.canvas.width = W;
    dots.canvas.height = H;
    dots.image = c.createImageData(W, H);
    dots.pixels = new Uint32Array(dots.image.data.buffer);
  }
  const { pixels } = dots, numbers = new Map(), k = s * ratio, dx = view.x * ratio, dy = view.y * ratio;
  pixels.fill(0);
  // A pixel is as opaque as the covered part of it, and shows the last colour.
  const dot = (x, y, w, h, n) => {
    const l = Math.max(0, x * k + dx), t = Math.max(0, y * k + dy), r = Math.min(W, (x + w) * k + dx), b = Math.min(H, (y + h) * k + dy), rgb = n & 0xffffff;
    for (let py = t | 0; py < b; py++) {
      const part = (Math.min(py + 1, b) - Math.max(py, t)) * 255;
      for (let px = l | 0, p = py * W + px; px < r; px++, p++) {
        const alpha = (pixels[p] >>> 24) + part * (Math.min(px + 1, r) - Math.max(px, l)) + 0.5;
        pixels[p] = rgb | ((alpha > 255 ? 255 : alpha) << 24);
      }
    }
  };
  for (const f of far) f.dots(dot);
  for (const o of list) {
    const color = itemColor(o);
    let n = numbers.get(color);
    if (n === undefined) numbers.set(color, (n = pixel(color)));
    dot(o.x, o.y, o.w, o.h, n);
  }
  dots.canvas.getContext("2d").putImageData(dots.image, 0, 0);
  c.drawImage(dots.canvas, 0, 0, w, h);
  for (const o of list) if (isSelected(o)) {
    c.strokeStyle = theme.css.accent;
    c.lineWidth = 2;
    c.beginPath();
    c.arc((o.x + o.w / 2) * s + view.x, (o.y + o.h / 2) * s + view.y, 7, 0, 7);
    c.stroke();
  }
}

// Colours are cached until the mode or the theme changes.
const colorKey = () => view.mode + theme.dark;
function itemColor(shown) {
  if (shown.key !== view.key) {
    shown.key = view.key;
    shown.color = shown.item.group && shown.item.node < 0 ? groupColor(shown.item.group) : colorOf(shown.item.node);
  }
  return shown.color;
}
const isSelected = ({ item }) =>
  (selected.group && item.group === selected.group) || (selected.node >= 0 && (item.node === selected.node || item.chips.includes(selected.node)));

function outline(c, o, s) {
  c.strokeStyle = theme.css.accent;
  c.lineWidth = Math.max(2.2, 1.6 / s);
  rounded(c, o.x - 3, o.y - 3, o.w + 6, o.h + 6, 10);
  c.stroke();
}

const GROUP_MARKS = ["", "loop", "conditional", "function", "call"];
function drawOpen(c, o, s) {
  const { group } = o.item, css = theme.css;
  rounded(c, o.x, o.y, o.w, o.h, 12);
  c.fillStyle = o.depth % 2 ? css.group2 : css.group;
  c.fill();
  c.lineWidth = Math.max(1, 0.8 / s);
  c.strokeStyle = group.kind === GROUP.SCOPE ? css.line : mix(groupColor(group), css.line, 0.3);
  c.setLineDash(group.kind === GROUP.CONDITIONAL ? [6, 4] : []);
  c.stroke();
  if (group.kind === GROUP.LOOP) {
    rounded(c, o.x + 3, o.y + 3, o.w - 6, o.h - 6, 10);
    c.stroke();
  }
  c.setLineDash([]);
  if (s > 0.22) {
    c.font = FONT.group;
    c.textBaseline = "middle";
    c.fillStyle = css.muted;
    c.fillText("▾", o.x + 12, o.y + 17);
    c.fillText(cut(group.name, Math.max(8, Math.floor((o.w - 90) / 6.6))), o.x + 28, o.y + 17);
    const mark = GROUP_MARKS[group.kind];
    c.font = FONT.chip;
    if (mark) {
      c.textAlign = "right";
      c.fillStyle = css.faint;
      c.fillText(mark, o.x + o.w - 14, o.y + 17);
      c.textAlign = "left";
    }
  }
  if (isSelected(o)) outline(c, o, s);
}

function drawItem(c, o, s) {
  const { item } = o, css = theme.css, { node, group } = item;
  const color = itemColor(o), text = s > 0.34;
  if (group && node < 0) return drawClosed(c, o, s, color);
  const kind = graph.kind[node], compact = o.h < 30;
  const dim = trace && view.mode === "time" && !heats.time[node];
  c.globalAlpha = dim ? 0.6 : 1;
  const shape = () => {
    if (kind === KIND.CONST || kind === KIND.PLACEHOLDER || kind === KIND.ARG || kind === KIND.RETVAL) rounded(c, o.x, o.y, o.w, o.h, 18);
    else rounded(c, o.x, o.y, o.w, o.h, 7);
  };
  if (group) {
    rounded(c, o.x + 4, o.y + 4, o.w, o.h, 7);
    c.fillStyle = css.group2;
    c.strokeStyle = mix(color, css.line, 0.5);
    c.fill();
    c.stroke();
  }
  shape();
  c.fillStyle = css.card;
  c.fill();
  c.save();
  c.clip();
  c.fillStyle = color;
  if (kind === KIND.CONST) c.globalAlpha *= 0.22;
  if (view.mode === "time" || view.mode === "memory" || view.mode === "change") {
    c.globalAlpha *= 0.62;
    c.fillRect(o.x, o.y, o.w, o.h);
  } else if (kind === KIND.CONST) c.fillRect(o.x, o.y, o.w, o.h);
  else c.fillRect(o.x, o.y, compact ? o.w : 5, o.h);
  c.restore();
  shape();
  c.lineWidth = totals.path[node] && trace ? 2 : 1;
  c.strokeStyle = totals.path[node] && trace ? css.path : mix(color, css.line, 0.65);
  if (kind === KIND.PLACEHOLDER || kind === KIND.ARG) c.setLineDash([4, 3]);
  c.stroke();
  c.setLineDash([]);
  if (kind === KIND.STORE) drawStore(c, o, color);
  if (text) {
    c.textBaseline = "middle";
    const op = opOf(node), x = o.x + (kind === KIND.CONST ? 14 : 15);
    if (compact) {
      c.fillStyle = css.card;
      c.font = FONT.chip;
      c.fillText(cut(op, 11), o.x + 7, o.y + 13);
    } else if (kind === KIND.CONST) {
      c.fillStyle = css.text;
      c.font = FONT.chip;
      c.fillText(cut(preview(node), 34), x, o.y + 12);
      c.fillStyle = css.muted;
      c.font = FONT.name;
      c.fillText(cut(leafOf(node), 24), x, o.y + 25);
    } else {
      c.fillStyle = css.text;
      c.font = FONT.op;
      c.fillText(fitted(c, op, o.w - (kind === KIND.STORE ? 72 : group ? 40 : 24)), x, o.y + 15);
      if (group) {
        c.fillStyle = css.muted;
        c.fillText("▸", o.x + o.w - 18, o.y + 15);
      }
      c.fillStyle = css.muted;
      c.font = FONT.name;
      c.fillText(fitted(c, leafOf(node), o.w - 24), x, o.y + 30);
      if (item.chips.length) drawChips(c, o);
    }
  }
  c.globalAlpha = 1;
  if (isSelected(o)) outline(c, o, s);
}

// A text truncated to a width in pixels.
function fitted(c, text, width) {
  if (measure(text, c.font) <= width) return text;
  let most = Math.max(3, Math.floor((text.length * width) / measure(text, c.font)));
  while (most > 3 && measure(cut(text, most), c.font) > width) most--;
  return cut(text, most);
}

function drawChips(c, o) {
  const { node, chips } = o.item, css = theme.css;
  c.strokeStyle = css.line;
  c.lineWidth = 1;
  c.beginPath();
  c.moveTo(o.x + 12, o.y + 41);
  c.lineTo(o.x + o.w - 8, o.y + 41);
  c.stroke();
  c.font = FONT.chip;
  chips.slice(0, SHOWN_CHIPS).forEach((chip, i) => {
    c.fillStyle = chip === selected.node ? css.accent : css.muted;
    c.fillText(fitted(c, chipText(node, chip), o.w - 26), o.x + 15, o.y + 51 + i * 15);
  });
  if (chips.length > SHOWN_CHIPS) {
    c.fillStyle = css.faint;
    c.fillText(`and ${chips.length - SHOWN_CHIPS} more`, o.x + 15, o.y + 51 + SHOWN_CHIPS * 15);
  }
}

// A store: cells, filled to its mean occupancy.
function drawStore(c, o, color) {
  const queue = trace?.queues.find((q) => q.id === o.item.node);
  const cells = 6, w = 5, full = queue ? Math.round((queue.mean / (queue.capacity && queue.capacity < 2 ** 31 - 1 ? queue.capacity : queue.largest || 1)) * cells) : 0;
  for (let i = 0; i < cells; i++) {
    c.beginPath();
    c.rect(o.x + o.w - 10 - (cells - i) * (w + 1.5), o.y + 10, w, 10);
    c.lineWidth = 1;
    c.strokeStyle = color;
    c.stroke();
    if (i < full) {
      c.fillStyle = color;
      c.fill();
    }
  }
}

function drawClosed(c, o, s, color) {
  const { group } = o.item, css = theme.css;
  rounded(c, o.x + 3.5, o.y + 3.5, o.w, o.h, 9);
  c.fillStyle = css.group2;
  c.fill();
  c.lineWidth = 1;
  c.strokeStyle = mix(color, css.line, 0.6);
  c.stroke();
  rounded(c, o.x, o.y, o.w, o.h, 9);
  c.fillStyle = css.card;
  c.fill();
  c.save();
  c.clip();
  c.globalAlpha = view.mode === "time" || view.mode === "memory" ? 0.75 : 0.16;
  c.fillStyle = color;
  c.fillRect(o.x, o.y, o.w, o.h);
  c.restore();
  rounded(c, o.x, o.y, o.w, o.h, 9);
  c.stroke();
  if (s > 0.3) {
    c.textBaseline = "middle";
    c.fillStyle = css.muted;
    c.font = FONT.group;
    c.fillText("▸", o.x + 12, o.y + 18);
    c.fillStyle = css.text;
    c.fillText(fitted(c, group.name, o.w - 40), o.x + 28, o.y + 18);
    c.fillStyle = css.muted;
    c.font = FONT.name;
    c.fillText(about(group), o.x + 28, o.y + 35);
  }
  if (isSelected(o)) outline(c, o, s);
}

function drawEdges(c, s, left, top, right, bottom) {
  const css = theme.css, visible = [], chosen = [];
  for (const e of view.edges) {
    if (e.r < left || e.l > right || e.b < top || e.t > bottom) continue;
    const touches = touchesSelection(e);
    if (touches) chosen.push(e);
    else if (!e.edge.hub) visible.push(e);
  }
  const far = s < 0.12, most = far ? 2500 : 9000, stride = Math.max(1, Math.ceil(visible.length / most));
  const pass = (list, style, width, dash, alpha) => {
    if (!list.length) return;
    c.globalAlpha = alpha;
    c.strokeStyle = style;
    c.lineWidth = width;
    c.setLineDash(dash);
    c.beginPath();
    for (const e of list) trail(c, e, far);
    c.stroke();
    c.setLineDash([]);
    if (s > 0.25) {
      c.fillStyle = style;
      for (const e of list) arrow(c, e, s);
    }
    c.globalAlpha = 1;
  };
  const sorted = { plain: [], heavy: [], control: [], cross: [], put: [], take: [], back: [] };
  for (let i = 0; i < visible.length; i += stride) {
    const e = visible[i], d = e.edge;
    sorted[d.back ? "back" : d.flow === "put" ? "put" : d.flow === "take" ? "take" : d.cross ? "cross" : d.control ? "control" : d.count > 4 ? "heavy" : "plain"].push(e);
  }
  const thin = Math.min(Math.max(1.1, 0.7 / s), 60), fade = selected.node >= 0 || selected.group ? 0.7 : 1, dense = stride > 1 || far ? 0.35 : 1;
  pass(sorted.control, css.edge, thin * 0.8, [4, 4], 0.55 * fade * dense);
  pass(sorted.plain, css.edge, thin, [], 0.9 * fade * dense);
  pass(sorted.heavy, css.edge, thin * 2, [], 0.9 * fade * dense);
  pass(sorted.back, PALETTE[theme.dark ? "dark" : "light"][5], thin * 1.3, [7, 4], fade);
  pass(sorted.put, css.put, thin * 1.8, [], fade);
  pass(sorted.take, css.take, thin * 1.8, [], fade);
  pass(sorted.cross, css.cross, thin * 1.8, [], fade);
  pass(chosen, css.accent, thin * 2, [], 1);
  const rows = new Map();
  if (s > 0.62) for (const e of visible.length < 1500 ? visible : []) label(c, e, rows);
  if (s > 0.3) for (const e of [...visible, ...chosen]) if (e.edge.cross) badge(c, e);
}
const touchesSelection = (e) => {
  if (selected.node < 0 && !selected.group) return false;
  const is = (item) => item && !item.group?.open && isSelected({ item });
  if (is(e.from) || is(e.to)) return true;
  return selected.node >= 0 && (e.edge.source === selected.node || e.edge.user === selected.node) && e.edge.count === 1;
};

function trail(c, e, far) {
  const p = e.points;
  if (e.edge.back && e.from && e.to) {
    const [ax, ay] = [e.from.shown.x + e.from.w, e.from.shown.y + e.from.h / 2], [bx, by] = [e.to.shown.x + e.to.w, e.to.shown.y + e.to.h / 2];
    const out = Math.max(ax, bx) + 40;
    c.moveTo(ax, ay);
    c.bezierCurveTo(out, ay, out, by, bx + 2, by);
    return;
  }
  c.moveTo(p[0][0], p[0][1]);
  if (far) return c.lineTo(p[p.length - 1][0], p[p.length - 1][1]);
  // Through the points, vertical at both ends.
  const slope = (i) => {
    if (i === 0 || i === p.length - 1) return 0;
    const dy = p[i + 1][1] - p[i - 1][1];
    return dy > 1 ? (p[i + 1][0] - p[i - 1][0]) / dy : 0;
  };
  for (let i = 1; i < p.length; i++) {
    const [ax, ay] = p[i - 1], [bx, by] = p[i], dy = by - ay;
    const { fold } = e.edge;
    if (fold && dy < -fold.least) {
      // To the top of another column, between the columns.
      const gap = e.x + fold.left + Math.floor((bx - e.x - fold.left) / fold.pitch) * fold.pitch - 40 + fold.off;
      c.bezierCurveTo(ax, ay + 44, gap, ay + 44, gap, ay);
      c.lineTo(gap, by);
      c.bezierCurveTo(gap, by - 36, bx, by - 36, bx, by);
    } else if (dy <= 0) {
      const bend = Math.min(60, 20 - dy * 0.3);
      c.bezierCurveTo(ax, ay + bend, bx, by - bend, bx, by);
    } else {
      const k = p.length === 2 ? dy * 0.5 : dy * 0.38;
      c.bezierCurveTo(ax + slope(i - 1) * k, ay + k, bx - slope(i) * k, by - k, bx, by);
    }
  }
}
function arrow(c, e, s) {
  const z = Math.min(5, 4 / s);
  if (e.edge.back && e.to) {
    const [x, y] = [e.to.shown.x + e.to.w, e.to.shown.y + e.to.h / 2];
    c.beginPath();
    c.moveTo(x + 1, y);
    c.lineTo(x + 2 + z * 1.6, y - z);
    c.lineTo(x + 2 + z * 1.6, y + z);
    c.fill();
    return;
  }
  if (!e.to || e.to.group?.open) return;
  const [x, y] = e.points[e.points.length - 1];
  c.beginPath();
  c.moveTo(x, y);
  c.lineTo(x - z * 0.8, y - z * 1.7);
  c.lineTo(x + z * 0.8, y - z * 1.7);
  c.fill();
}
// The shape on an edge, if there is room for it.
function label(c, e, rows) {
  const d = e.edge;
  if (d.control || d.count > 1 || d.flow || !e.to || e.to.h < 30) return;
  const text = outputsOf(d.source)[d.output], at = text?.indexOf("[") ?? -1;
  if (at < 0) return;
  const shape = text.slice(at + 1, -1).replaceAll(",", "×").replaceAll("×-1", "×?").replace(/^-1/, "?");
  if (!/\d/.test(shape) || shape.length > 22) return;
  const [x, y] = e.points[e.points.length - 1], [fx, fy] = e.points[e.points.length - 2];
  if (y - fy < 26) return;
  const mx = x + (fx - x) * 0.18, my = y - Math.min(16, (y - fy) * 0.4), w = measure(shape, FONT.chip), row = Math.round(my / 12);
  const taken = [row - 1, row, row + 1].flatMap((r) => rows.get(r) ?? []);
  if (taken.some((t) => Math.abs(t[0] - mx) < (t[1] + w) / 2 + 6)) return;
  if (!rows.has(row)) rows.set(row, []);
  rows.get(row).push([mx, w]);
  c.font = FONT.chip;
  c.textAlign = "center";
  c.textBaseline = "middle";
  c.fillStyle = theme.css.bg;
  c.globalAlpha = 0.85;
  c.fillRect(mx - w / 2 - 2, my - 6, w + 4, 12);
  c.globalAlpha = 1;
  c.fillStyle = theme.css.muted;
  c.fillText(shape, mx, my);
  c.textAlign = "left";
}
// A send and a receive are shown where an edge leaves a device.
function badge(c, e) {
  const k = Math.floor((e.points.length - 1) / 2), [ax, ay] = e.points[k], [bx, by] = e.points[k + 1];
  badgeAt(c, (ax + bx) / 2, (ay + by) / 2);
}
function badgeAt(c, x, y) {
  c.fillStyle = theme.css.card;
  c.strokeStyle = theme.css.cross;
  c.lineWidth = 1.2;
  rounded(c, x - 13, y - 8, 26, 16, 8);
  c.fill();
  c.stroke();
  c.fillStyle = theme.css.cross;
  c.font = FONT.chip;
  c.textAlign = "center";
  c.textBaseline = "middle";
  c.fillText("⇅", x, y);
  c.textAlign = "left";
}

// The position of the selection if it is not in the picture.
function drawHints(c, w, h) {
  const at = selected.node >= 0 ? shownOf(selected.node)[0] : null;
  if (!at) return;
  const x = (at.x + at.w / 2) * view.scale + view.x, y = (at.y + at.h / 2) * view.scale + view.y;
  if (x > 0 && x < w && y > 0 && y < h) return;
  const px = Math.max(14, Math.min(w - 14, x)), py = Math.max(14, Math.min(h - 14, y)), angle = Math.atan2(y - py, x - px);
  c.save();
  c.translate(px, py);
  c.rotate(angle);
  c.fillStyle = theme.css.accent;
  c.beginPath();
  c.moveTo(8, 0);
  c.lineTo(-5, -7);
  c.lineTo(-5, 7);
  c.fill();
  c.restore();
}

// The innermost item at a position of the canvas.
function hit(px, py) {
  const x = (px - view.x) / view.scale, y = (py - view.y) / view.scale, slack = view.scale < 0.1 ? 2 / view.scale : 0;
  for (let i = view.items.length - 1; i >= 0; i--) {
    const o = view.items[i];
    if (x < o.x - slack || x > o.x + o.w + slack || y < o.y - slack || y > o.y + o.h + slack) continue;
    if (!o.open) return o;
    const cell = view.fields.find((f) => f.group === o.item.group)?.at(x, y, slack);
    if (cell) return cell;
    if (y < o.y + HEADER) return o;
  }
  return view.fields.find((f) => f.group === view.root)?.at(x, y, slack) ?? null;
}
function chipAt(o, px, py) {
  const y = (py - view.y) / view.scale - o.y - 43, at = Math.floor(y / 15);
  return y >= 0 && at < SHOWN_CHIPS && view.scale > 0.34 ? o.item.chips[at] ?? -1 : -1;
}

function toggle(group) {
  if (group === view.root) return;
  group.open = !group.open;
  // A call initially has its functions open.
  if (group.open && group.call >= 0) group.groups.forEach((g) => (g.open = g.total < 200));
  group.changed();
  relayout(group);
  const shown = shownGroup(group);
  if (group.open && shown) {
    const s = Math.min(view.scale, (view.canvas.clientWidth - 40) / shown.w, Math.max(0.3, (view.canvas.clientHeight - 40) / shown.h));
    if (s < view.scale || view.scale < 0.3) show(shown, s);
  }
  say(`${group.name} ${group.open ? "opened" : "closed"}, ${count(group.total, "node")}`);
}

// Opens all groups that contain a node. False if nothing shows it, such as a function that nothing calls.
function reveal(node) {
  if (node >= graph.n) return false;
  if (shownOf(node).length) return true;
  const path = (node, seen) => {
    const chain = [];
    for (let s = graph.scope[node]; s >= 0; s = graph.scopes[s][0]) chain.unshift(s);
    const body = graph.bodyOf[node];
    if (body === 0) return [{ group: view.root }, ...chain.slice(1).map((scope) => ({ scope }))];
    for (const caller of graph.callers.get(body) ?? []) {
      if (seen.has(graph.bodyOf[caller])) continue;
      seen.add(graph.bodyOf[caller]);
      const outer = path(caller, seen);
      if (outer) return [...outer, { call: caller }, ...chain.map((scope) => ({ scope }))];
    }
    return null;
  };
  const steps = path(node, new Set([graph.bodyOf[node]]));
  if (!steps) return false;
  let group = view.root;
  for (const step of steps.slice(1)) {
    group = step.call !== undefined ? group.callGroup(step.call) : group.call >= 0 ? group.groups.find((g) => g.scope === step.scope) : group.sub(step.scope);
    group.open = true;
  }
  group.changed();
  relayout();
  return true;
}

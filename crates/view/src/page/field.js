// Fields: groups of thousands of items, drawn from arrays. Distant ones are drawn as dots, near ones with their edges.

// With more visible cells than this, only some of their edges are drawn, this many at a time.
const CROWD = 2500, SOME = 900;

// A field on the picture, with its corner.
class ShownField {
  constructor(group, { field, x, y, w, h }, left, top, depth) {
    Object.assign(this, { group, field, x, y, w, h, left, top, depth, known: new Map(), key: "", lines: null });
    // Open groups are drawn separately.
    this.open = new Map([...group.subs.values()].filter((g) => g.open).map((g) => [g.call >= 0 ? cellOf[g.call] : field.cellOfScope.get(g.scope), g]));
  }
  isFar(s) {
    return CELL.h * s < 4;
  }
  // The first cell that begins at or below this height, relative to the field.
  below(y) {
    let low = 0, high = this.y.length;
    while (low < high) {
      const mid = (low + high) >> 1;
      if (this.y[mid] < y) low = mid + 1;
      else high = mid;
    }
    return low;
  }
  // The colour of each cell, as a number in a list.
  paint() {
    if (this.key === view.key) return;
    const numbers = new Map(), ofOp = new Map(), { item } = this.field;
    this.key = view.key;
    this.colors = [];
    this.pixels = [];
    this.color = new Uint16Array(item.length);
    const number = (color) => {
      if (!numbers.has(color)) {
        numbers.set(color, this.colors.length);
        this.colors.push(color);
        this.pixels.push(pixel(color));
      }
      return numbers.get(color);
    };
    for (let k = 0; k < item.length; k++) {
      const node = item[k];
      if (node < 0) this.color[k] = number(groupColor(this.group.sub(-1 - node)));
      else if (view.mode === "family") {
        const op = graph.op[node];
        if (!ofOp.has(op)) ofOp.set(op, number(colorOf(node)));
        this.color[k] = ofOp.get(op);
      } else this.color[k] = number(colorOf(node));
    }
  }
  dots(dot) {
    this.paint();
    const { x, y, left, top, color, pixels } = this;
    for (let k = 0; k < x.length; k++) dot(left + x[k], top + y[k], CELL.w, CELL.h, pixels[color[k]]);
  }
  draw(c, s, left, top, right, bottom) {
    this.paint();
    const { x, y, color } = this, l = left - this.left - CELL.w, r = right - this.left;
    const from = this.below(top - this.top - CELL.h), to = this.below(bottom - this.top);
    const seen = [];
    if (!this.isFar(s)) for (let k = from; k < to; k++) if (x[k] > l && x[k] < r && !this.open.has(k)) seen.push(k);
    c.save();
    c.translate(this.left, this.top);
    if (this.isFar(s) || seen.length > CROWD) this.drawSome(c, s);
    else this.drawEdges(c, s, seen);
    this.drawChosen(c, s);
    if (CELL.h * s < 12) {
      const by = this.colors.map(() => []);
      for (const k of seen) by[color[k]].push(k);
      by.forEach((list, n) => {
        c.fillStyle = this.colors[n];
        for (const k of list) c.fillRect(x[k], y[k], CELL.w, CELL.h);
      });
    } else for (const k of seen) this.drawCell(c, k, s);
    c.restore();
    const chosen = this.chosen();
    if (chosen >= 0 && !this.isFar(s)) outline(c, this.shown(chosen), s);
  }
  // The cell of the selection.
  chosen() {
    if (selected.node >= 0 && selected.node < graph.n) {
      const k = this.field.cell(selected.node);
      return this.open.has(k) ? -1 : k;
    }
    return selected.group?.parent === this.group && selected.group.call < 0 ? this.field.cellOfScope.get(selected.group.scope) : -1;
  }
  // A sample of the edges, as straight lines.
  drawSome(c, s) {
    if (!this.lines) {
      const { item } = this.field, { x, y } = this, stride = Math.max(1, item.length / SOME);
      this.lines = new Path2D();
      for (let at = 0; at < item.length; at += stride) {
        const k = Math.floor(at);
        if (item[k] < 0) continue;
        const e = graph.edgeStart[item[k]];
        if (e === graph.edgeStart[item[k] + 1]) continue;
        const a = this.field.cell(graph.edge[e]);
        if (a < 0 || a === k) continue;
        this.lines.moveTo(x[a] + CELL.w / 2, y[a] + CELL.h);
        this.lines.lineTo(x[k] + CELL.w / 2, y[k]);
      }
    }
    c.globalAlpha = 0.3;
    c.strokeStyle = theme.css.edge;
    c.lineWidth = 0.8 / s;
    c.stroke(this.lines);
    c.globalAlpha = 1;
  }
  // From the bottom of cell a to the top of cell b, at end number part of several.
  trail(path, a, b, part = 0.5) {
    const { x, y } = this, ax = x[a] + CELL.w / 2, ay = y[a] + (this.open.get(a)?.layout.h ?? CELL.h), bx = x[b] + 14 + (CELL.w - 28) * part, by = y[b];
    path.moveTo(ax, ay);
    const bend = by > ay ? (by - ay) / 2 : Math.min(60, 20 + (ay - by) * 0.3);
    path.bezierCurveTo(ax, ay + bend, bx, by - bend, bx, by);
    return [bx, by];
  }
  // Calls f for every edge of these cells, with both cells, the edge, the consuming node, and where it ends.
  edges(cells, f) {
    const seen = new Set(cells), done = new Set(), { field } = this, many = this.x.length;
    const each = (a, b, e, user, part) => {
      if (a < 0 || b < 0 || a === b) return;
      const key = a * many + b;
      if (done.has(key)) return;
      done.add(key);
      f(a, b, e, user, part);
    };
    for (const k of cells) for (const node of this.nodesOf(k)) {
      const from = graph.edgeStart[node], to = graph.edgeStart[node + 1];
      for (let e = from; e < to; e++) if (host[graph.edge[e]] !== node) each(field.cell(graph.edge[e]), k, e, node, to - from > 1 ? (e - from) / (to - from - 1) : 0.5);
      const last = Math.min(graph.outStart[node + 1], graph.outStart[node] + (cells.length > 1 ? HUB : 2000));
      for (let i = graph.outStart[node]; i < last; i++) {
        const user = graph.out[i], b = field.cell(user), e = graph.outEdge[i], own = graph.edgeStart[user], n = graph.edgeStart[user + 1] - own;
        if (!seen.has(b)) each(k, b, e, user, n > 1 ? (e - own) / (n - 1) : 0.5);
      }
    }
  }
  nodesOf(k) {
    const item = this.field.item[k];
    if (item >= 0) return [item];
    const nodes = [], stack = [-1 - item];
    while (stack.length && nodes.length < 300) {
      const s = stack.pop();
      nodes.push(...tree.nodes[s].slice(0, 300));
      stack.push(...tree.children[s]);
    }
    return nodes;
  }
  drawEdges(c, s, cells) {
    const css = theme.css, kinds = { plain: css.edge, control: css.edge, cross: css.cross, put: css.put, take: css.take, back: PALETTE[theme.dark ? "dark" : "light"][5] };
    const paths = {}, arrows = {}, z = Math.min(5, 4 / s), marks = [];
    for (const kind of Object.keys(kinds)) [paths[kind], arrows[kind]] = [new Path2D(), new Path2D()];
    this.edges([...cells, ...this.open.keys()], (a, b, e, user, part) => {
      const source = graph.edge[e], act = graph.acts.get(user), flow = act?.store === source ? act.act : "";
      const crosses = deviceOf(source) !== deviceOf(user) && deviceOf(source) && deviceOf(user);
      const back = graph.kind[source] === KIND.NEXT && graph.kind[user] === KIND.MERGE;
      const kind = back ? "back" : flow === "put" || flow === "take" ? flow : crosses ? "cross" : isControl(e, user) ? "control" : "plain";
      const [x, y] = flow === "put" ? this.trail(paths[kind], b, a) : this.trail(paths[kind], a, b, part), way = arrows[kind];
      way.moveTo(x, y);
      way.lineTo(x - z * 0.8, y - z * 1.7);
      way.lineTo(x + z * 0.8, y - z * 1.7);
      if (kind === "cross" && marks.length < 200) marks.push([a, b, part]);
    });
    const fade = selected.node >= 0 || selected.group ? 0.5 : 1, thin = Math.max(1.1, 0.7 / s);
    for (const [kind, style] of Object.entries(kinds)) {
      c.globalAlpha = fade * (kind === "control" ? 0.55 : 0.9);
      c.strokeStyle = c.fillStyle = style;
      c.lineWidth = kind === "plain" || kind === "control" ? thin : thin * 1.7;
      c.setLineDash(kind === "control" ? [4, 4] : kind === "back" ? [7, 4] : []);
      c.stroke(paths[kind]);
      c.setLineDash([]);
      if (CELL.h * s >= 12) c.fill(arrows[kind]);
    }
    c.globalAlpha = 1;
    for (const [a, b, part] of s > 0.3 ? marks : []) badgeAt(c, (this.x[a] + CELL.w / 2 + this.x[b] + 14 + (CELL.w - 28) * part) / 2, (this.y[a] + CELL.h + this.y[b]) / 2);
  }
  drawChosen(c, s) {
    const k = this.chosen();
    if (k < 0) return;
    const path = new Path2D();
    this.edges([k], (a, b, e, user, part) => this.trail(path, a, b, part));
    c.strokeStyle = theme.css.accent;
    c.lineWidth = Math.max(2, 1.6 / s);
    c.stroke(path);
  }
  drawCell(c, k, s) {
    const x = this.x[k], y = this.y[k], item = this.field.item[k], color = this.colors[this.color[k]], css = theme.css, { w, h } = CELL;
    const whole = item < 0 || view.mode === "time" || view.mode === "memory" || view.mode === "change";
    if (item < 0 || graph.calls.has(item)) {
      rounded(c, x + 3, y + 3, w, h, 7);
      c.fillStyle = css.group2;
      c.fill();
    }
    rounded(c, x, y, w, h, 7);
    c.fillStyle = css.card;
    c.fill();
    c.fillStyle = color;
    if (whole) {
      c.globalAlpha = item < 0 && !heats[view.mode] ? 0.16 : 0.62;
      c.fill();
      c.globalAlpha = 1;
    } else {
      c.beginPath();
      c.roundRect(x, y, 5, h, [7, 0, 0, 7]);
      c.fill();
    }
    const onPath = item >= 0 && trace && totals.path[item];
    rounded(c, x, y, w, h, 7);
    c.lineWidth = onPath ? 2 : 1;
    c.strokeStyle = onPath ? css.path : mix(color, css.line, 0.65);
    c.stroke();
    if (s <= 0.4) return;
    c.textBaseline = "middle";
    c.fillStyle = css.text;
    c.font = FONT.op;
    const group = item < 0 ? this.group.sub(-1 - item) : null;
    c.fillText(fitted(c, group ? `▸ ${group.name}` : opOf(item), w - 20), x + 12, y + 12);
    c.fillStyle = css.muted;
    c.font = FONT.chip;
    c.fillText(fitted(c, group ? count(group.total, "node") : leafOf(item), w - 20), x + 12, y + 26);
  }
  // A cell in the form of the picture's other items.
  shown(k) {
    if (!this.known.has(k)) {
      const item = this.field.item[k], x = this.left + this.x[k], y = this.top + this.y[k];
      const group = item < 0 ? this.group.sub(-1 - item) : graph.calls.has(item) ? this.group.callGroup(item) : null;
      this.known.set(k, { item: { node: Math.max(item, -1), group, chips: chips.get(item) ?? [], ...CELL }, x, y, ...CELL, depth: this.depth, open: false, field: this, cell: k });
    }
    return this.known.get(k);
  }
  // The cell at a position in the picture.
  at(px, py, slack) {
    const x = px - this.left, y = py - this.top, end = this.below(y + slack);
    for (let k = this.below(y - CELL.h - slack); k < end; k++) {
      if (x > this.x[k] - slack && x < this.x[k] + CELL.w + slack && !this.open.has(k)) return this.shown(k);
    }
    return null;
  }
  // The neighbour of a cell in the direction of an arrow key.
  beside(k, step) {
    const { x, y } = this, cells = [];
    if (step === "left" || step === "right") {
      const next = step === "left" ? k - 1 : k + 1;
      if (y[next] === y[k]) cells.push(next);
    } else this.edges([k], (a, b) => (step === "up" ? b === k && cells.push(a) : a === k && cells.push(b)));
    return cells.map((next) => this.shown(next));
  }
}
const besideInField = (shown, step) => shown.field.beside(shown.cell, step);

// The position of a node or a group in the picture.
function shownOf(node) {
  const known = view.byNode.get(node);
  if (known || node < 0 || node >= graph.n) return known ?? [];
  return view.fields.flatMap((f) => {
    const k = graph.scope[node] === f.field.scope ? f.field.cell(node) : -1;
    return k < 0 ? [] : [f.shown(k)];
  });
}
function shownGroup(group) {
  const known = view.byGroup.get(group);
  if (known) return known;
  const field = view.fields.find((f) => f.group === group.parent);
  if (!field) return null;
  const k = group.call >= 0 ? cellOf[group.call] : field.field.cellOfScope.get(group.scope);
  return k === undefined || k < 0 ? null : field.shown(k);
}

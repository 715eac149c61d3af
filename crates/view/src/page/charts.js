// Memory and queues over time.

const memory = { canvas: $("memory"), devices: null, at: null };

// Sorts non-negative integers by radix, with digits of 16 bits.
function sorted(values) {
  const n = values.length, counts = new Uint32Array(65537);
  let order = Uint32Array.from(values, (_, i) => i), next = new Uint32Array(n), most = 0;
  for (let i = 0; i < n; i++) if (values[i] > most) most = values[i];
  for (let scale = 1; scale <= most; scale *= 65536) {
    counts.fill(0);
    for (let i = 0; i < n; i++) counts[(Math.floor(values[i] / scale) % 65536) + 1]++;
    for (let d = 0; d < 65536; d++) counts[d + 1] += counts[d];
    for (let i = 0; i < n; i++) next[counts[Math.floor(values[order[i]] / scale) % 65536]++] = order[i];
    [order, next] = [next, order];
  }
  return order;
}

// For each device, when its bytes change, and to what; computed on first use.
function memoryOf() {
  if (memory.devices) return memory.devices;
  const lists = new Map(), { bytes, flags, start, took, held } = trace;
  for (const { track, at, count } of trace.lanes) {
    const { device } = trace.tracks[track];
    if (!lists.has(device)) lists.set(device, []);
    const list = lists.get(device);
    for (let i = at; i < at + count; i++) if (bytes[i] && !(flags[i] & FLAG.DEAD)) list.push(i);
  }
  memory.devices = [...lists].filter(([, list]) => list.length).map(([device, list]) => {
    const made = Float64Array.from(list, (i) => start[i] + took[i]), gone = Float64Array.from(list, (i, k) => made[k] + held[i]);
    const up = sorted(made), down = sorted(gone), n = list.length, times = new Float64Array(n * 2), sizes = new Float64Array(n * 2);
    let u = 0, d = 0, now = 0, peak = 0, peakAt = 0;
    for (let k = 0; k < n * 2; k++) {
      // Outputs are allocated before the inputs are freed.
      const isUp = u < n && made[up[u]] <= gone[down[d]], at = isUp ? up[u++] : down[d++], t = isUp ? made[at] : gone[at];
      now += isUp ? bytes[list[at]] : -bytes[list[at]];
      times[k] = t;
      sizes[k] = now;
      if (now > peak) [peak, peakAt] = [now, t];
    }
    return { device, times, sizes, peak, peakAt };
  });
  memory.at ??= memory.devices.length ? Math.max(...memory.devices.map((d) => d.peak)) && memory.devices.reduce((a, b) => (b.peak > a.peak ? b : a)).peakAt : 0;
  return memory.devices;
}
function aliveAt(t) {
  const alive = [], { n, start, took, bytes, flags, held } = trace;
  for (let i = 0; i < n; i++) {
    const end = start[i] + took[i];
    if (bytes[i] && !(flags[i] & FLAG.DEAD) && end <= t && t <= end + held[i]) alive.push(i);
  }
  return alive.sort((a, b) => bytes[b] - bytes[a]);
}

// The steps of a curve; the highest if there are many in one pixel.
function curve(c, times, sizes, x, y, from, to, base) {
  let low = 0, high = times.length;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (times[mid] < from) low = mid + 1;
    else high = mid;
  }
  let last = low > 0 ? sizes[low - 1] : 0;
  c.moveTo(x(from), base);
  c.lineTo(x(from), y(last));
  for (let k = low; k < times.length && times[k] <= to; ) {
    const px = Math.floor(x(times[k]));
    let top = last;
    c.lineTo(px, y(last));
    while (k < times.length && times[k] <= to && Math.floor(x(times[k])) === px) top = Math.max(top, (last = sizes[k++]));
    c.lineTo(px, y(top));
    c.lineTo(px + 1, y(last));
  }
  c.lineTo(x(to), y(last));
  c.lineTo(x(to), base);
}

function drawMemory() {
  if (!trace || !memory.canvas.clientWidth) return;
  const { context: c, w, h } = sized(memory.canvas), css = theme.css, list = memoryOf();
  if (!list.length) return;
  const each = (h - AXIS) / list.length, x = (t) => lineX(t, w), palette = PALETTE[theme.dark ? "dark" : "light"];
  c.save();
  c.beginPath();
  c.rect(LABELS, 0, w - LABELS, h);
  c.clip();
  const { step, list: marks } = ticks(line.from, line.to, (w - LABELS) / 110);
  list.forEach((d, k) => {
    const base = AXIS + (k + 1) * each - 6, y = (v) => base - (v / (d.peak || 1)) * (each - 24);
    c.beginPath();
    curve(c, d.times, d.sizes, x, y, line.from, line.to, base);
    c.fillStyle = palette[[0, 4, 1, 5, 6][k % 5]];
    c.globalAlpha = 0.22;
    c.fill();
    c.globalAlpha = 1;
    c.strokeStyle = c.fillStyle;
    c.lineWidth = 1.5;
    c.stroke();
    c.strokeStyle = css.line;
    c.lineWidth = 1;
    c.strokeRect(LABELS, base + 0.5, w, 0);
    c.fillStyle = css.path;
    c.beginPath();
    c.arc(x(d.peakAt), y(d.peak), 3.5, 0, 7);
    c.fill();
  });
  if (memory.at !== null) {
    c.strokeStyle = css.accent;
    c.lineWidth = 1.5;
    c.beginPath();
    c.moveTo(x(memory.at), AXIS);
    c.lineTo(x(memory.at), h);
    c.stroke();
  }
  c.restore();
  c.font = FONT.chip;
  c.textBaseline = "middle";
  c.fillStyle = css.muted;
  for (const t of marks) {
    const at = lineX(t, w), text = tickText(t, step);
    if (at > LABELS - 1 && at + 6 + measure(text, FONT.chip) < w) c.fillText(text, at + 4, AXIS / 2);
  }
  list.forEach((d, k) => {
    c.fillStyle = css.text;
    c.font = FONT.group;
    c.fillText(fitted(c, short(d.device) || "no device", LABELS - 24), 12, AXIS + k * each + 16);
    c.fillStyle = css.muted;
    c.font = FONT.name;
    c.fillText(`peak ${size(d.peak)}`, 12, AXIS + k * each + 32);
  });
}

function showMemory() {
  const list = memoryOf(), box = $("memory-text");
  $("memory-empty").hidden = list.length > 0;
  box.replaceChildren();
  if (!list.length) return;
  const alive = aliveAt(memory.at), peak = list.some((d) => d.peakAt === memory.at), step = trace.called.find((s) => memory.at >= s.start && memory.at <= s.start + s.wall);
  const all = alive.reduce((sum, i) => sum + trace.bytes[i], 0), by = new Map();
  for (const i of alive) {
    const op = opOf(trace.node[i]);
    by.set(op, (by.get(op) ?? 0) + trace.bytes[i]);
  }
  const top = [...by].sort((a, b) => b[1] - a[1]).slice(0, 3).map(([op, b]) => `${op} ${Math.round((100 * b) / (all || 1))}%`);
  box.append(
    make("p", {}, `${peak ? "Peak" : "At"} ${time(memory.at - (step?.start ?? 0))}${step ? ` of ${stepName(step)}` : ""}: ${count(alive.length, "tensor")}, ${size(all)}${top.length ? `; outputs of ${top.join(", ")}` : ""}.`),
    make("table", {}, make("thead", {}, make("tr", {}, ...["tensor of", "op", "shape", "bytes", "alive until"].map((t, i) => make("th", { scope: "col", class: i > 2 ? "number" : "" }, t)))),
      make("tbody", {}, ...alive.slice(0, 60).map((i) => make("tr", {},
        make("td", { class: "name" }, link(i, -1)), make("td", {}, opOf(trace.node[i])), make("td", { class: "name" }, trace.texts[trace.outputs[i]]),
        make("td", { class: "number" }, size(trace.bytes[i])), make("td", { class: "number" }, time(trace.start[i] + trace.took[i] + trace.held[i] - (step?.start ?? 0))))))),
  );
  if (alive.length > 60) box.append(make("p", { class: "muted" }, `and ${alive.length - 60} more`));
  box.append(make("p", { class: "muted" }, "Bytes of outputs, from the end of their node to the end of the last node that took them. Variables and constants, which stay from step to step, are not counted."));
}

// Queues: occupancy, who waited, and what to do.
function showQueues() {
  const box = $("queues");
  if (!trace) return;
  const limit = trace.bottleneck && make("p", { class: "advice", id: "limit" }, make("strong", {}, "Limit: "), `${plain(trace.bottleneck.text)}. Confidence: ${trace.bottleneck.confidence}.`);
  box.replaceChildren(...(limit ? [limit] : []), ...trace.queues.map((q) => {
    const canvas = make("canvas", { class: "fill", role: "img", "aria-label": `occupancy of ${plain(q.name)} over time: mean ${q.mean.toFixed(1)}, largest ${q.largest}` });
    q.canvas = canvas;
    const limit = q.capacity && q.capacity < 2 ** 31 - 1 ? `capacity ${q.capacity}` : "no limit";
    const acts = { put: "puts", take: "takes", other: "" }, share = (ns) => `${((100 * ns) / Math.max(q.span_ns, 1)).toFixed(0)}%`;
    return make("section", { class: "queue" },
      make("h3", {}, q.id === null ? plain(q.name) : link(-1, q.id, plain(q.name)), make("span", { class: "muted" }, ` ${plain(q.kind)}, ${limit}, mean ${q.mean.toFixed(1)}, largest ${q.largest}, full ${share(q.full_ns)}, empty ${share(q.empty_ns)}`)),
      canvas,
      make("p", { class: "advice" }, plain(q.advice)),
      make("table", {}, make("thead", {}, make("tr", {}, ...["node", "op", "", "times", "waits", "waited", "longest"].map((t) => make("th", { scope: "col" }, t)))),
        make("tbody", {}, ...q.actors.map((a) => make("tr", {},
          make("td", {}, a.id === null ? plain(a.node) : link(-1, a.id)), make("td", {}, plain(a.op)), make("td", {}, acts[a.act] ?? ""),
          ...[a.times, a.waits].map((v) => make("td", { class: "number" }, v.toLocaleString("en"))),
          ...[a.total_ns, a.longest_ns].map((v) => make("td", { class: "number" }, time(v))))))));
  }));
  if (trace.pipelines) box.append(make("section", { class: "queue" }, make("h3", {}, "Input pipelines"), make("pre", {}, trace.pipelines)));
  drawQueues();
}
function drawQueues() {
  for (const q of trace?.queues ?? []) {
    if (!q.canvas?.clientWidth) continue;
    const { context: c, w, h } = sized(q.canvas), top = q.capacity && q.capacity < 2 ** 31 - 1 ? q.capacity : q.largest || 1;
    c.beginPath();
    curve(c, q.times, q.values, (t) => 34 + (t / Math.max(q.span_ns, 1)) * (w - 40), (v) => h - 4 - (v / top) * (h - 12), 0, q.span_ns, h - 4);
    c.fillStyle = theme.css.put;
    c.globalAlpha = 0.25;
    c.fill();
    c.globalAlpha = 1;
    c.strokeStyle = theme.css.put;
    c.stroke();
    c.fillStyle = theme.css.muted;
    c.font = FONT.chip;
    c.textBaseline = "middle";
    c.textAlign = "right";
    c.fillText(String(top), 28, 9);
    c.fillText("0", 28, h - 6);
    c.textAlign = "left";
  }
}

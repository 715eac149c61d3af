// Details of the selection, in words and numbers.

function link(event, node = -1, text = "") {
  const target = node >= 0 ? node : trace.node[event];
  const label = text || fullName(target) + (event >= 0 && trace.frame[event] ? ` [${trace.texts[trace.frame[event]]} ${trace.number[event]}]` : "");
  return make("a", { href: hashOf({ node: target }), title: label, onclick: (e) => {
    e.preventDefault();
    select({ node: target, event: event >= 0 ? event : undefined }, { go: true });
  } }, label);
}
const section = (title, ...children) => make("section", {}, make("h3", {}, title), ...children);
const pairs = (list) => make("dl", {}, ...list.filter(([, v]) => v != null && v !== "").flatMap(([k, v]) => [make("dt", {}, k), make("dd", {}, v)]));

function list(items, draw, most = 12) {
  const box = make("ul", {});
  items.slice(0, most).forEach((item) => box.append(make("li", {}, draw(item))));
  if (items.length > most) {
    const more = make("button", { class: "more", onclick: () => {
      more.parentElement.remove();
      items.slice(most, 2000).forEach((item) => box.append(make("li", {}, draw(item))));
    } }, `${items.length - most} more`);
    box.append(make("li", {}, more));
  }
  return box;
}

function showDetails() {
  const box = $("details");
  if (selected.node >= 0) box.replaceChildren(...nodeDetails(selected.node));
  else if (selected.group) box.replaceChildren(...groupDetails(selected.group));
  else box.replaceChildren(...overview());
  box.scrollTop = 0;
}

function overview() {
  const bodies = graph.bodies.slice(1), main = graph.bodies[0][2];
  const out = [make("h2", {}, plain(data.title)), make("p", { class: "muted" }, `${count(main, "node")}${bodies.length ? `, ${count(bodies.length, "function")}` : ""}`)];
  if (trace) {
    const wall = trace.called.reduce((sum, s) => sum + s.wall, 0), ofRunners = trace.steps.length - trace.called.length;
    out.push(section("Trace", pairs([
      ["steps", String(trace.called.length)], ["a step", time(wall / Math.max(trace.called.length, 1))],
      ["of queue runners", ofRunners ? `${count(ofRunners, "step")}${trace.leftOut ? `, ${count(trace.leftOut, "step")} left out` : ""}` : ""],
      ["events", trace.all.toLocaleString("en")], ["threads", String(Math.max(0, ...trace.steps.map((s) => s.threads)))],
      ["lost", trace.steps.some((s) => s.lost) ? String(trace.steps.reduce((n, s) => n + s.lost, 0)) : ""],
    ])));
    const top = Array.from(totals.time, (t, i) => [t, i]).filter(([t]) => t > 0).sort((a, b) => b[0] - a[0]).slice(0, 8);
    if (top.length) out.push(section("Most time", list(top, ([t, i]) => row(link(-1, i), time(t)))));
  }
  const ops = new Map();
  for (let i = 0; i < main; i++) ops.set(opOf(i), (ops.get(opOf(i)) ?? 0) + 1);
  out.push(section("Ops", list([...ops].sort((a, b) => b[1] - a[1]), ([op, n]) => row(make("a", { href: "#", onclick: (e) => {
    e.preventDefault();
    $("search").value = `op:${op}`;
    search();
    $("search").focus();
  } }, op), n.toLocaleString("en")))));
  if (bodies.length) out.push(section("Functions", list(bodies, ([name, , n], i) => row(plain(name), count(n, "node")))));
  return out;
}
const row = (left, right) => make("span", { class: "row" }, make("span", { class: "left" }, left), make("span", { class: "number" }, right));

function groupDetails(group) {
  const nodes = [], stack = group.call < 0 ? [group.scope] : group.groups.map((g) => g.scope);
  while (stack.length) {
    const s = stack.pop();
    for (const n of tree.nodes[s]) nodes.push(n);
    stack.push(...tree.children[s]);
  }
  let t = 0, wait = 0, bytes = 0;
  const ops = new Map();
  for (const n of nodes) {
    t += totals.time[n];
    wait += totals.wait[n];
    bytes += totals.bytes[n];
    ops.set(opOf(n), (ops.get(opOf(n)) ?? 0) + 1);
  }
  return [
    make("h2", {}, group.name), make("p", { class: "muted" }, [GROUP_MARKS[group.kind] || "scope", count(nodes.length, "node")].join(" · ")),
    group === view.root ? null : make("p", {}, make("button", { onclick: () => toggle(group) }, group.open ? "Close" : "Open")),
    trace && section("In the trace", pairs([["running", time(t)], ["waiting", time(wait)], ["outputs", bytes ? size(bytes) : ""]])),
    section("Ops", list([...ops].sort((a, b) => b[1] - a[1]), ([op, n]) => row(op, n.toLocaleString("en")))),
  ].filter((e) => e);
}

function nodeDetails(node) {
  const known = node < graph.n, op = opOf(node), doc = graph.ops[op]?.[1], out = [];
  out.push(make("p", { class: "op" }, make("i", { class: "dot", style: `background:${known ? colorOf(node) : theme.css.faint}` }), op,
    known && KIND_NAMES[graph.kind[node]] ? make("span", { class: "muted" }, ` ${KIND_NAMES[graph.kind[node]]}`) : null));
  out.push(make("h2", {}, fullName(node)));
  if (doc) out.push(make("p", { class: "doc" }, ...doc.split("`").map((part, i) => (i % 2 ? make("code", {}, part) : part))));
  if (known && graph.calls.has(node)) {
    out.push(section("Calls", list(graph.calls.get(node), ({ attr, body }) => row(attr, plain(graph.bodies[body][0])))));
    out.push(make("p", {}, make("button", { onclick: () => openCall(node) }, "Open in place")));
  }
  if (trace && trace.ofNode(node).length) out.push(eventDetails(node));
  if (graph.constants.has(node)) out.push(constantDetails(graph.constants.get(node)));
  const ins = inputsOf(node), users = usersOf(node), shapes = outputsOf(node);
  const end = (i) => make("span", {}, i.control ? make("span", { class: "muted" }, "after ") : null, link(-1, i.node), i.output ? `:${i.output}` : "",
    i.control ? null : make("span", { class: "type" }, " ", outputsOf(i.node)[i.output] ?? ""));
  if (shapes.length) out.push(section("Outputs", list(shapes.map((t, i) => [t, i]), ([t, i]) => row(String(i), t))));
  if (ins.length) out.push(section(`Inputs`, list(ins, end)));
  if (users.length) out.push(section(`Used by ${users.length}`, list(users, (u) => make("span", {}, u.control ? make("span", { class: "muted" }, "before ") : null, link(-1, u.node)))));
  if (known) {
    const store = graph.acts.get(node), actors = graph.actors.get(node);
    if (store) out.push(section("Store", make("p", {}, { put: "Puts into ", take: "Takes from ", close: "Closes " }[store.act], link(-1, store.store))));
    if (actors) {
      for (const [act, title] of [["put", "Filled by"], ["take", "Emptied by"], ["close", "Closed by"]]) {
        const who = actors.filter((a) => a.act === act);
        if (who.length) out.push(section(title, list(who, (a) => link(-1, a.node))));
      }
      const runner = graph.runners.find(([queue]) => plain(queue) === nameOf(node));
      if (runner) out.push(make("p", { class: "muted" }, `${count(runner[1].length, "thread")} of a queue runner`));
    }
    const partner = graph.partner.get(node), gradients = graph.gradients.get(node);
    if (partner !== undefined) out.push(section("Gradient of", make("p", {}, link(-1, partner))));
    if (gradients) out.push(section("Gradient", list(gradients, (g) => link(-1, g), 6)));
    const asked = graph.texts[graph.asked[node]], placed = graph.texts[graph.placed[node]];
    out.push(section("Device", pairs([["on", deviceOf(node) || "not placed"], ["asks for", asked], ["because", placed && graph.texts[graph.why[node]]]])));
    out.push(section("Costs", pairs([
      ["operations", graph.flops[node] ? (graph.flops[node] - 1).toLocaleString("en") : ""],
      ["output", graph.size[node] ? size(graph.size[node] - 1) : "unknown size"],
      ["ran", leadOf(node) !== node ? make("span", {}, "as one with ", link(-1, leadOf(node))) : totals.runs[node] ? count(totals.runs[node], "time") : trace ? "not in the trace" : ""],
      ["running", totals.runs[node] ? `${time(totals.time[node])}${totals.runs[node] > 1 ? `, ${time(totals.time[node] / totals.runs[node])} each` : ""}` : ""],
      ["on the device", totals.work[node] ? time(totals.work[node]) : ""],
      ["waiting", totals.runs[node] ? time(totals.wait[node]) : ""],
    ])));
    const c = change?.of.get(node);
    if (c) out.push(section("A step, before and after", pairs([["before", c.before === null ? "did not run" : time(c.before)], ["after", c.after === null ? "did not run" : time(c.after)], ["moved", c.from && c.to && c.from !== c.to ? `${short(c.from)} → ${short(c.to)}` : ""]])));
  }
  if (known && graph.attrStart[node + 1] > graph.attrStart[node]) {
    const attrs = [];
    for (let a = graph.attrStart[node]; a < graph.attrStart[node + 1]; a++) attrs.push([graph.texts[graph.attrs[2 * a]], graph.texts[graph.attrs[2 * a + 1]]]);
    out.push(section("Attrs", pairs(attrs)));
  }
  return out;
}

function eventDetails(node) {
  const events = trace.ofNode(node), at = events.indexOf(selected.event), i = at >= 0 ? selected.event : events[0], step = trace.steps[trace.step[i]];
  const go = (k) => select({ node, event: events[Math.max(0, Math.min(events.length - 1, k))] }, { go: true });
  const many = events.length > 1 && make("p", { class: "steps" },
    make("button", { "aria-label": "previous run", onclick: () => go(Math.max(0, at) - 1) }, "‹"), ` run ${Math.max(0, at) + 1} of ${events.length} `,
    make("button", { "aria-label": "next run", onclick: () => go(Math.max(0, at) + 1) }, "›"));
  const text = trace.texts[trace.text[i]].split("\n"), track = trace.tracks[trace.trackOf[i]];
  const reason = make("p", { class: "why" }, ...whyStarted(i).map((p) => (typeof p === "string" ? p : p.event !== undefined ? link(p.event) : link(-1, p.node))));
  return section("Run", many || "", pairs([
    ["step", step.runner ? `${step.id} of the runner of ${step.runner}` : String(step.id)], ["iteration", trace.frame[i] ? `${trace.number[i]} of ${trace.texts[trace.frame[i]]}` : ""],
    ["on", `${short(track.device)} ${track.isWork ? track.queue : `worker ${track.worker}`}`],
    ["started", time(trace.start[i] - step.start)], ["took", time(trace.took[i]) + (trace.flags[i] & FLAG.APPROXIMATE ? " (approximate)" : "")],
    ["waited", time(trace.wait[i])], ["slack", trace.flags[i] & FLAG.PATH ? "none: on the critical path" : time(trace.slack[i])],
    ["inputs", trace.texts[trace.inputs[i]]], ["outputs", trace.flags[i] & FLAG.DEAD ? "nothing: on a branch not taken" : trace.texts[trace.outputs[i]]],
    ["", text.slice(1).join(" ")],
  ]), make("h4", {}, "Why then"), reason);
}

function openCall(node) {
  if (!reveal(node)) return;
  const shown = shownOf(node).find((s) => s.item.group && !s.open);
  if (shown) toggle(shown.item.group);
}

function constantDetails(c) {
  const out = section("Value", make("p", { class: "type" }, `${c.dtype}[${c.shape.join(",")}], ${size(c.bytes)}`));
  if (c.texts) out.append(make("p", { class: "values" }, c.texts.map((t) => JSON.stringify(plain(t))).join(", ")));
  if (c.values) {
    const last = c.shape[c.shape.length - 1];
    if (c.shape.length === 2 && last <= 12) {
      const rows = [];
      for (let r = 0; r * last < c.values.length; r++) rows.push(make("tr", {}, ...c.values.slice(r * last, (r + 1) * last).map((v) => make("td", { class: "number" }, value(v)))));
      out.append(make("table", { class: "matrix" }, make("tbody", {}, ...rows)));
    } else out.append(make("p", { class: "values" }, c.values.map(value).join(", ")));
  }
  if (c.bins) {
    const most = Math.max(...c.bins), canvas = make("canvas", { class: "histogram", role: "img", "aria-label": `histogram from ${value(c.min)} to ${value(c.max)}` });
    requestAnimationFrame(() => {
      const { context, w, h } = sized(canvas), each = w / c.bins.length;
      context.fillStyle = PALETTE[theme.dark ? "dark" : "light"][0];
      c.bins.forEach((n, i) => context.fillRect(i * each, h - (n / most) * h, Math.max(each - 1, 1), (n / most) * h));
    });
    out.append(canvas, make("p", { class: "scale" }, make("span", {}, value(c.min)), make("span", {}, value(c.max))),
      pairs([["mean", value(c.mean)], ["deviation", value(c.std)], ["zeros", c.zeros.toLocaleString("en")], ["not finite", c.not_finite ? c.not_finite.toLocaleString("en") : ""],
        ["first", c.first.map(value).join(", ")]]));
  }
  if (c.picture) {
    const { width, height, pixels } = c.picture, canvas = make("canvas", { class: "picture", width, height, role: "img", "aria-label": "the values as a picture, dark to light" });
    const raw = atob(pixels), context = canvas.getContext("2d"), image = context.createImageData(width, height);
    for (let i = 0; i < raw.length; i++) image.data.set([raw.charCodeAt(i), raw.charCodeAt(i), raw.charCodeAt(i), 255], i * 4);
    context.putImageData(image, 0, 0);
    canvas.style.aspectRatio = `${width} / ${height}`;
    out.append(canvas);
  }
  return out;
}

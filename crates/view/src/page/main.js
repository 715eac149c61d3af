// The page as a whole: selection, panels, search, keys, addresses.

const selected = { node: -1, event: -1, group: null };
let say = (text) => ($("status").textContent = text);
const tabs = { timeline: !!trace, memory: !!trace, queues: !!(trace?.queues.length || trace?.pipelines), table: true, changes: !!change };
let tab = null;

// Selects a node, one of its runs, or a group, in every view.
function select({ node = -1, event, group = null }, { go = false, quiet = false } = {}) {
  selected.node = node;
  selected.group = group;
  if (node >= 0 && trace?.n) {
    const events = trace.ofNode(node);
    selected.event = event ?? (events.includes(selected.event) ? selected.event : events[0] ?? -1);
  } else selected.event = -1;
  if (node >= 0 && go) {
    if (reveal(node)) bringIntoView(shownOf(node)[0]);
  }
  if (selected.event >= 0 && go && tab === "timeline") {
    const i = selected.event, t = trace.start[i], span = line.to - line.from;
    if (t < line.from || t > line.to || trace.took[i] / span < 0.02) {
      const around = Math.max(trace.took[i] * 12, trace.steps[trace.step[i]].wall / 40, 50);
      zoomTo(t - around / 2, t + trace.took[i] + around / 2, 0);
    }
    const y = rowOf(i);
    if (y < line.top || y > line.top + line.canvas.clientHeight - AXIS - LANE) line.top = Math.max(0, y - 60);
  }
  showDetails();
  redraw();
  redrawLine();
  table.draw(true);
  changes.draw(true);
  if (!quiet) {
    keepAddress();
    if (node >= 0) say(`${opOf(node)} ${fullName(node)} selected, ${count(inputsOf(node).length, "input")}, used by ${usersOf(node).length}${trace && totals.runs[node] ? `, ${time(totals.time[node])}` : ""}`);
    else if (group) say(`${group.name}, ${count(group.total, "node")}, ${group.open ? "open" : "closed"}`);
  }
}

// Addresses: the selection, and how it is viewed.
function hashOf({ node = selected.node, open = tab, mode = view.mode } = {}) {
  const parts = [];
  if (node >= 0) parts.push(`node=${encodeURIComponent(fullName(node))}`);
  const run = node === selected.node && selected.event >= 0 ? trace.ofNode(node).indexOf(selected.event) : 0;
  if (run > 0) parts.push(`run=${run}`);
  if (selected.group && node < 0) parts.push(`group=${encodeURIComponent(selected.group.key)}`);
  if (open) parts.push(`tab=${open}`);
  if (mode !== "family") parts.push(`color=${mode}`);
  return "#" + parts.join("&");
}
function keepAddress() {
  try {
    history.replaceState(null, "", hashOf() === "#" ? location.pathname + location.search : hashOf());
  } catch { /* A page without an address of its own, such as one in a frame. */ }
}
function groupByKey(key) {
  let group = view.root;
  for (const part of key.split("/").slice(1)) {
    group = group && (part.startsWith("c") ? (graph.calls.has(+part.slice(1)) ? group.callGroup(+part.slice(1)) : null) : group.groups.find((g) => g.scope === +part));
    if (group && group.parent && group.parent !== view.root && !group.parent.open) {
      group.parent.open = true;
      group.parent.changed();
    }
  }
  return group;
}
// The number of a node of the graph or of the trace.
function nodeNamed(name) {
  const other = trace ? trace.others.indexOf(name) : -1;
  return graph.byName.get(name) ?? (other >= 0 ? graph.n + other : -1);
}
function readAddress() {
  const asked = new Map(location.hash.slice(1).split("&").map((p) => {
    const at = p.indexOf("=");
    try {
      return [p.slice(0, at), decodeURIComponent(p.slice(at + 1))];
    } catch {
      return [p.slice(0, at), ""];
    }
  }));
  if (asked.has("color") && [...$("color").options].some((o) => o.value === asked.get("color"))) setMode(asked.get("color"));
  if (asked.has("tab")) openTab(tabs[asked.get("tab")] ? asked.get("tab") : null);
  const node = nodeNamed(asked.get("node"));
  if (node >= 0) {
    select({ node, event: trace?.ofNode(node)[+(asked.get("run") ?? 0)] }, { go: true, quiet: true });
  } else if (asked.has("group")) {
    const group = groupByKey(asked.get("group"));
    if (group) {
      relayout();
      select({ group }, { quiet: true });
      const shown = shownGroup(group);
      if (shown) bringIntoView(shown);
    }
  }
}

function setMode(mode) {
  view.mode = mode;
  $("color").value = mode;
  groupColors.clear();
  showLegend();
  redraw();
  redrawLine();
  showDetails();
}
function showLegend() {
  const box = $("legend"), palette = PALETTE[theme.dark ? "dark" : "light"], item = (color, text) => make("span", {}, make("i", { class: "dot", style: `background:${color}` }), text);
  if (view.mode === "family") {
    const used = new Set();
    for (const [family] of Object.values(graph.ops)) used.add(familyIndex.get(family) ?? 10);
    box.replaceChildren(...FAMILY_GROUPS.map(([name], i) => (used.has(i) ? item(palette[i], name) : "")).filter((x) => x));
  } else if (view.mode === "device") {
    box.replaceChildren(...devices.slice(0, 10).map((d, i) => item(palette[[0, 4, 1, 5, 6, 2, 7, 3, 8, 9][i % 10]], short(d))));
    if (!devices.length) box.replaceChildren(make("span", {}, "nothing is placed: use --place or --trace"));
  } else if (view.mode === "change") box.replaceChildren(item(palette[6], "slower"), item(palette[1], "faster"));
  else {
    const ramp = HEAT[theme.dark ? "dark" : "light"], most = view.mode === "time" ? time(heats.most.time) : size(heats.most.memory);
    box.replaceChildren(make("span", {}, "0"), make("i", { class: "ramp", style: `background:linear-gradient(90deg,${ramp.join(",")})` }), make("span", {}, most));
  }
}

// The panel below the graph.
function openTab(name) {
  tab = name;
  document.body.classList.toggle("docked", !!name);
  for (const button of document.querySelectorAll("[role=tab]")) {
    const on = button.dataset.tab === name;
    button.setAttribute("aria-selected", on);
    button.tabIndex = on || (!name && button.dataset.tab === "table") ? 0 : -1;
    $("panel-" + button.dataset.tab).hidden = !on;
  }
  if (name === "table" && !table.table) fillTable();
  if (name === "changes" && !changes.table) fillChanges();
  if (name === "memory") {
    memoryOf();
    showMemory();
  }
  if (name === "queues" && !$("queues").childElementCount) showQueues();
  redrawAll();
}
function redrawAll() {
  redraw();
  redrawLine();
  if (tab === "memory") drawMemory();
  if (tab === "queues") drawQueues();
  if (tab === "table") table.draw(true);
  if (tab === "changes") changes.draw(true);
}

// Search: parts of names, and op:, dtype: and device: for other properties.
let found = [], at = -1;
function search() {
  const words = $("search").value.toLowerCase().split(/\s+/).filter((w) => w), box = $("results");
  found = [];
  let total = 0;
  if (words.length) {
    const test = words.map((w) => {
      const [, key, rest] = w.match(/^(op|dtype|device):(.*)$/) ?? [null, "", w];
      return { op: (i) => opOf(i).toLowerCase() === rest || (rest.length > 2 && opOf(i).toLowerCase().includes(rest)), dtype: (i) => outputsOf(i).some((t) => t.toLowerCase().startsWith(rest)),
        device: (i) => deviceOf(i).toLowerCase().includes(rest), "": (i) => fullName(i).toLowerCase().includes(rest) || opOf(i).toLowerCase() === rest }[key];
    });
    for (let i = 0; i < graph.n; i++) if (test.every((t) => t(i))) {
      total++;
      if (found.length < 200) found.push(i);
    }
  }
  at = -1;
  box.hidden = !words.length;
  box.replaceChildren(...found.map((node, k) => make("li", { role: "option", id: `found-${k}`, "aria-selected": "false", onmousedown: (e) => e.preventDefault(), onclick: () => pick(k) },
    make("i", { class: "dot", style: `background:${colorOf(node)}` }), make("span", { class: "name" }, fullName(node)), make("span", { class: "muted" }, opOf(node)))));
  if (words.length) box.append(make("li", { class: "muted", role: "presentation" }, total > found.length ? `${found.length} of ${count(total, "match")}` : count(total, "match")));
  $("search").setAttribute("aria-expanded", !box.hidden);
}
function pick(k) {
  const node = found[k];
  if (node === undefined) return;
  at = k;
  [...$("results").children].forEach((li, i) => {
    li.setAttribute("aria-selected", i === k);
    if (i === k) li.scrollIntoView({ block: "nearest" });
  });
  $("search").setAttribute("aria-activedescendant", `found-${k}`);
  select({ node }, { go: true });
}

function drag(element, onStart, onMove, onEnd) {
  element.addEventListener("pointerdown", (e) => {
    if (e.button !== 0 && e.button !== 1) return;
    const start = onStart(e);
    if (start === false) return;
    element.setPointerCapture(e.pointerId);
    let moved = false;
    const move = (m) => {
      moved ||= Math.abs(m.clientX - e.clientX) + Math.abs(m.clientY - e.clientY) > 3;
      if (moved) onMove(m, start, e);
    };
    const up = (u) => {
      element.removeEventListener("pointermove", move);
      element.removeEventListener("pointerup", up);
      element.removeEventListener("pointercancel", up);
      onEnd?.(u, moved);
    };
    element.addEventListener("pointermove", move);
    element.addEventListener("pointerup", up);
    element.addEventListener("pointercancel", up);
  });
}

function zoom(px, py, factor) {
  const scale = Math.max(0.002, Math.min(6, view.scale * factor)), k = scale / view.scale;
  view.x = px - (px - view.x) * k;
  view.y = py - (py - view.y) * k;
  view.scale = scale;
  redraw();
}

function setUpGraph() {
  const canvas = view.canvas;
  drag(canvas, () => [view.x, view.y], (m, [x, y], e) => {
    view.x = x + m.clientX - e.clientX;
    view.y = y + m.clientY - e.clientY;
    redraw();
  }, (u, moved) => {
    if (moved) return;
    const shown = hit(u.offsetX, u.offsetY);
    if (!shown) return select({});
    const { item } = shown;
    if (item.group && item.node < 0) return u.offsetX < (shown.x + 28) * view.scale + view.x && selected.group === item.group ? toggle(item.group) : select({ group: item.group });
    const chip = chipAt(shown, u.offsetX, u.offsetY);
    select({ node: chip >= 0 ? chip : item.node });
    if (tab === "timeline") select({ node: selected.node }, { go: false, quiet: true });
  });
  canvas.addEventListener("dblclick", (e) => {
    const group = hit(e.offsetX, e.offsetY)?.item.group;
    if (group) toggle(group);
  });
  canvas.addEventListener("wheel", (e) => {
    e.preventDefault();
    if (e.ctrlKey || e.metaKey || Math.abs(e.deltaY) >= 50 && e.deltaX === 0) zoom(e.offsetX, e.offsetY, Math.exp(-e.deltaY * (e.ctrlKey ? 0.01 : 0.0016)));
    else {
      view.x -= e.deltaX;
      view.y -= e.deltaY;
      redraw();
    }
  }, { passive: false });
  canvas.addEventListener("pointermove", (e) => {
    const shown = hit(e.offsetX, e.offsetY);
    canvas.style.cursor = shown ? "pointer" : "grab";
    canvas.title = shown ? (shown.item.node >= 0 ? `${opOf(shown.item.node)}\n${fullName(shown.item.node)}` : `${shown.item.group.name}\n${count(shown.item.group.total, "node")}`) : "";
  });
  canvas.addEventListener("keydown", graphKey);
}

// Arrow keys follow edges up and down, and move to neighbours left and right.
function graphKey(e) {
  const step = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" }[e.key];
  const current = selected.group ? shownGroup(selected.group) : shownOf(selected.node)[0];
  const choose = (o) => {
    if (!o) return;
    if (o.item.group && o.item.node < 0) select({ group: o.item.group });
    else select({ node: o.item.node });
    bringIntoView(o);
  };
  if (step && e.shiftKey) {
    view.x += { left: 80, right: -80 }[step] ?? 0;
    view.y += { up: 80, down: -80 }[step] ?? 0;
    redraw();
  } else if (step && !current) choose(view.items.find((o) => !o.open) ?? view.fields[0]?.shown(0));
  else if (step) {
    const center = (o) => [o.x + o.w / 2, o.y + o.h / 2], [cx, cy] = center(current);
    const next = current.field ? besideInField(current, step) : step === "up" || step === "down"
      ? view.edges.filter((x) => (step === "up" ? x.to : x.from)?.shown === current).map((x) => (step === "up" ? x.from : x.to)?.shown).filter((o) => o)
      : view.items.filter((o) => o !== current && o.depth === current.depth && Math.abs(center(o)[1] - cy) < 30 && (step === "left" ? center(o)[0] < cx : center(o)[0] > cx));
    next.sort((a, b) => Math.hypot(center(a)[0] - cx, center(a)[1] - cy) - Math.hypot(center(b)[0] - cx, center(b)[1] - cy));
    choose(next[0]);
  } else if (e.key === "Enter") {
    const group = selected.group ?? current?.item.group;
    if (group) toggle(group);
    else if (selected.node >= 0) $("details").focus();
  } else if (e.key === "Backspace") {
    const inner = selected.group ?? null, parent = inner ? inner.parent : groupOf(selected.node);
    if (parent && parent !== view.root) select({ group: parent });
  } else return;
  e.preventDefault();
}
// The innermost open group that shows a node.
function groupOf(node) {
  const shown = shownOf(node)[0];
  let best = null;
  for (const o of view.items) if (shown && o.open && o.x <= shown.x && o.y <= shown.y && o.x + o.w >= shown.x + shown.w && o.y + o.h >= shown.y + shown.h) best = o;
  return best?.item.group ?? null;
}

function setUpTime(canvas, onPick) {
  drag(canvas, () => [line.from, line.to, line.top], (m, [from, to, top], e) => {
    const w = canvas.clientWidth, shift = ((e.clientX - m.clientX) / (w - LABELS)) * (to - from);
    line.from = from + shift;
    line.to = to + shift;
    if (canvas === line.canvas) line.top = top - (m.clientY - e.clientY);
    redrawLine();
    if (tab === "memory") drawMemory();
  }, (u, moved) => !moved && onPick(u.offsetX, u.offsetY));
  canvas.addEventListener("wheel", (e) => {
    e.preventDefault();
    const w = canvas.clientWidth;
    if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) {
      const shift = ((e.deltaX || e.deltaY) / (w - LABELS)) * (line.to - line.from);
      line.from += shift;
      line.to += shift;
    } else if (e.altKey) line.top += e.deltaY;
    else zoomLine(lineTime(e.offsetX, w), Math.exp(e.deltaY * 0.0022));
    redrawLine();
    if (tab === "memory") drawMemory();
  }, { passive: false });
  canvas.addEventListener("keydown", (e) => {
    const span = line.to - line.from, mid = selected.event >= 0 ? trace.start[selected.event] : (line.from + line.to) / 2;
    const move = (d) => {
      line.from += d * span;
      line.to += d * span;
    };
    const neighbour = (d) => {
      const i = selected.event >= 0 ? selected.event : firstAfter(trace.lanes[0], line.from) - d;
      const lane = trace.lanes.find((l) => i >= l.at && i < l.at + l.count) ?? trace.lanes[0];
      const next = Math.max(lane.at, Math.min(lane.at + lane.count - 1, i + d));
      select({ node: trace.node[next], event: next }, { go: true });
    };
    if (e.key === "ArrowLeft" && !e.shiftKey) neighbour(-1);
    else if (e.key === "ArrowRight" && !e.shiftKey) neighbour(1);
    else if (e.key === "ArrowLeft" || e.key === "a") move(-0.2);
    else if (e.key === "ArrowRight" || e.key === "d") move(0.2);
    else if (e.key === "+" || e.key === "w" || e.key === "=") zoomLine(mid, 0.7);
    else if (e.key === "-" || e.key === "s") zoomLine(mid, 1.4);
    else if (e.key === "ArrowUp" && selected.event >= 0 && trace.cause[selected.event] >= 0) select({ node: trace.node[trace.cause[selected.event]], event: trace.cause[selected.event] }, { go: true });
    else if (e.key === "0" || e.key === "f") zoomTo(0, line.end);
    else return;
    e.preventDefault();
    e.stopPropagation();
    redrawLine();
    if (tab === "memory") drawMemory();
  });
}
function zoomLine(around, factor) {
  const span = Math.max(20, Math.min((line.to - line.from) * factor, line.end * 4)), k = span / (line.to - line.from);
  line.from = around - (around - line.from) * k;
  line.to = line.from + span;
}

function goToStep(d) {
  const mid = (line.from + line.to) / 2, now = trace.called.findIndex((s) => s.start <= mid && mid <= s.start + s.wall && line.to - line.from < s.wall * 3);
  if (!trace.called.length) return;
  const last = trace.called.length - 1, next = now < 0 ? (d > 0 ? 0 : last) : Math.max(0, Math.min(last, now + d)), step = trace.called[next];
  zoomTo(step.start, step.start + step.wall);
  $("step").textContent = step.id === next + 1 ? `step ${step.id} of ${last + 1}` : `step ${step.id}, ${next + 1} of ${last + 1}`;
  if (tab === "memory") drawMemory();
  say(`step ${next + 1}, ${time(step.wall)}, ${count(step.events, "event")}`);
}

function setTheme(dark, keep) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  readTheme();
  mixes.clear();
  groupColors.clear();
  $("theme").setAttribute("aria-pressed", dark);
  if (keep) try { localStorage.setItem("levada-theme", dark ? "dark" : "light"); } catch { /* Not kept. */ }
  showLegend();
  showDetails();
  redrawAll();
}

function setUp() {
  const wish = matchMedia("(prefers-color-scheme: dark)");
  let kept = null;
  try { kept = localStorage.getItem("levada-theme"); } catch { /* Nothing is kept. */ }
  document.documentElement.dataset.theme = (kept ?? (wish.matches ? "dark" : "light"));
  readTheme();
  $("theme").setAttribute("aria-pressed", theme.dark);
  $("title").textContent = plain(data.title);
  for (const button of document.querySelectorAll("[role=tab]")) {
    button.hidden = !tabs[button.dataset.tab];
    button.addEventListener("click", () => {
      openTab(tab === button.dataset.tab ? null : button.dataset.tab);
      keepAddress();
    });
  }
  document.querySelector("[role=tablist]").addEventListener("keydown", (e) => {
    const list = [...document.querySelectorAll("[role=tab]:not([hidden])")], now = list.indexOf(document.activeElement), d = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
    if (d && now >= 0) list[(now + d + list.length) % list.length].focus();
  });
  for (const option of [...$("color").options]) {
    if ((option.value === "time" && !trace) || (option.value === "change" && !change)) option.remove();
  }
  $("color").addEventListener("change", () => {
    setMode($("color").value);
    keepAddress();
  });
  $("theme").addEventListener("click", () => setTheme(!theme.dark, true));
  wish.addEventListener("change", () => setTheme(wish.matches));
  $("fit").addEventListener("click", () => fit());
  $("in").addEventListener("click", () => zoom(view.canvas.clientWidth / 2, view.canvas.clientHeight / 2, 1.4));
  $("out").addEventListener("click", () => zoom(view.canvas.clientWidth / 2, view.canvas.clientHeight / 2, 1 / 1.4));
  $("help").addEventListener("click", () => $("keys").showModal());
  $("search").addEventListener("input", search);
  $("search").addEventListener("keydown", (e) => {
    const d = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (d && found.length) {
      e.preventDefault();
      pick((at + d + found.length) % found.length);
    } else if (e.key === "Enter") {
      if (at < 0) pick(0);
      $("results").hidden = true;
      view.canvas.focus();
    } else if (e.key === "Escape") {
      $("search").value = "";
      search();
      view.canvas.focus();
    }
  });
  $("search").addEventListener("blur", () => setTimeout(() => ($("results").hidden = true), 150));
  $("search").addEventListener("focus", () => $("search").value && search());
  $("filter").addEventListener("input", () => {
    table.words = $("filter").value;
    table.update();
  });
  $("by").addEventListener("change", fillTable);
  $("change-filter").addEventListener("input", () => {
    changes.words = $("change-filter").value;
    changes.update();
  });
  document.addEventListener("keydown", (e) => {
    if (e.target.matches("input, select") || e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.key === "/") $("search").focus();
    else if (e.key === "?") $("keys").showModal();
    else if (e.key === "Escape" && !$("keys").open) select({});
    else if (e.key === "f" || e.key === "0") fit();
    else if (e.key === "+" || e.key === "=") $("in").click();
    else if (e.key === "-") $("out").click();
    else return;
    e.preventDefault();
  });
  const bar = $("bar"), height = (h) => document.body.style.setProperty("--dock", `${Math.max(120, Math.min(innerHeight - 160, h))}px`);
  drag(bar, () => $("dock").clientHeight, (m, h, e) => {
    height(h + e.clientY - m.clientY);
    redrawAll();
  });
  bar.addEventListener("keydown", (e) => {
    const d = { ArrowUp: 40, ArrowDown: -40 }[e.key];
    if (!d) return;
    e.preventDefault();
    height($("dock").clientHeight + d);
    redrawAll();
  });
  setUpGraph();
  if (trace) {
    setUpTimeline();
    setUpTime(line.canvas, (x, y) => {
      const i = eventAt(x, y);
      if (i < 0) return select({});
      select({ node: trace.node[i], event: i });
      if (reveal(trace.node[i])) bringIntoView(shownOf(trace.node[i])[0]);
    });
    line.canvas.addEventListener("pointermove", (e) => {
      const i = eventAt(e.offsetX, e.offsetY);
      line.canvas.title = i < 0 ? "" : `${fullName(trace.node[i])}\n${trace.texts[trace.text[i]].split("\n")[0]}, ${time(trace.took[i])}, waited ${time(trace.wait[i])}`;
    });
    line.canvas.addEventListener("dblclick", (e) => {
      const i = eventAt(e.offsetX, e.offsetY);
      if (i >= 0) zoomTo(trace.start[i], trace.start[i] + trace.took[i], 0.3);
    });
    setUpTime(memory.canvas, (x) => {
      memory.at = Math.max(0, lineTime(x, memory.canvas.clientWidth));
      drawMemory();
      showMemory();
    });
    $("peak").addEventListener("click", () => {
      memory.at = memoryOf().reduce((a, b) => (b.peak > a.peak ? b : a)).peakAt;
      if (memory.at < line.from || memory.at > line.to) zoomTo(0, line.end);
      drawMemory();
      showMemory();
    });
    $("before").addEventListener("click", () => goToStep(-1));
    $("after").addEventListener("click", () => goToStep(1));
    $("all").addEventListener("click", () => {
      zoomTo(0, line.end);
      $("step").textContent = count(trace.called.length, "step");
    });
    $("step").textContent = count(trace.called.length, "step");
    $("path").addEventListener("click", () => {
      line.pathOnly = !line.pathOnly;
      $("path").setAttribute("aria-pressed", line.pathOnly);
      redrawLine();
    });
  }
  performance.mark("decoded");
  openFirst();
  flatten();
  performance.mark("laid out");
  openTab(trace ? "timeline" : null);
  showLegend();
  select({}, { quiet: true });
  fit(true);
  readAddress();
  addEventListener("hashchange", readAddress);
  // Drawn immediately: a frame later, the old picture would be shown stretched.
  new ResizeObserver(() => {
    drawGraph();
    drawTimeline();
    redrawAll();
  }).observe(view.canvas);
  addEventListener("beforeprint", () => {
    if (!theme.dark) return;
    setTheme(false);
    drawGraph();
    addEventListener("afterprint", () => setTheme(true), { once: true });
  });
  drawGraph();
  performance.mark("drawn");
}

// For scripts: what is shown and selected.
window.levada = {
  nodes: () => graph.n,
  edges: () => graph.edge.length,
  events: () => trace?.n ?? 0,
  names: () => [...graph.byName.keys(), ...(trace?.others ?? [])],
  shown: () => [...view.items, ...view.fields.flatMap((f) => Array.from(f.x, (_, k) => f.shown(k)))].map(({ item }) => (item.node >= 0 ? fullName(item.node) : item.group.name)),
  selected: () => (selected.node >= 0 ? fullName(selected.node) : null),
  select: (name) => select({ node: nodeNamed(name) }, { go: true }),
  tab: (name) => openTab(name),
};

// After the first picture: the events of the trace.
async function setUpRest() {
  await shownOnScreen();
  performance.mark("picture");
  if (trace) {
    if (document.readyState === "loading") await new Promise((done) => document.addEventListener("DOMContentLoaded", done, { once: true }));
    try {
      await readEvents();
    } catch (e) {
      $("step").textContent = "This browser cannot read the events of the trace";
      throw e;
    }
    performance.mark("events read");
    memory.devices = null;
    readAddress();
    openTab(tab);
    drawTimeline();
    await shownOnScreen();
  }
  performance.mark("ready");
  document.body.dataset.ready = "true";
}
// The end of the next frame.
const shownOnScreen = () => new Promise((done) => requestAnimationFrame(() => {
  const channel = new MessageChannel();
  channel.port1.onmessage = done;
  channel.port2.postMessage(0);
}));

setUp();
levada.ready = setUpRest();

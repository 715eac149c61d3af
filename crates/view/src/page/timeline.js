// The timeline: what ran on which track, and what it waited for.

const line = {
  canvas: $("timeline"), from: 0, to: 1, top: 0, frame: 0, rows: [], height: 0, hover: -1, end: 1, pathOnly: false, lead: -1,
};
const LABELS = 168, AXIS = 26, LANE = 20, TRACK_GAP = 8, DEVICE = 24;

function setUpTimeline() {
  if (!trace) return;
  line.end = Math.max(line.end, trace.end);
  for (const step of trace.steps) line.end = Math.max(line.end, step.start + step.wall);
  let y = 4, device = null;
  trace.tracks.forEach((track, t) => {
    if (track.device !== device) {
      device = track.device;
      line.rows.push({ kind: "device", y, h: DEVICE, text: short(device) || "no device" });
      y += DEVICE;
    }
    const h = track.lanes.length * LANE;
    const text = track.isWork ? track.queue : track.queue ? `${track.worker} · ${track.queue}` : `worker ${track.worker}`;
    line.rows.push({ kind: "track", y, h, track: t, text: track.slot ? `${text} · ${track.slot + 1}` : text });
    y += h + TRACK_GAP;
  });
  line.height = y;
  zoomTo(0, line.end);
}

function zoomTo(from, to, pad = 0.02) {
  const span = Math.max(to - from, 1);
  line.from = from - span * pad;
  line.to = to + span * pad;
  redrawLine();
}
function redrawLine() {
  if (!line.frame) line.frame = requestAnimationFrame(() => {
    line.frame = 0;
    drawTimeline();
  });
}
const lineX = (t, w) => LABELS + ((t - line.from) / (line.to - line.from)) * (w - LABELS);
const lineTime = (x, w) => line.from + ((x - LABELS) / (w - LABELS)) * (line.to - line.from);

// The first event of a lane that ends after a time; those of a lane follow each other.
function firstAfter(lane, t) {
  let low = lane.at, high = lane.at + lane.count;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (trace.start[mid] + trace.took[mid] < t) low = mid + 1;
    else high = mid;
  }
  return low;
}

function ticks(from, to, room) {
  const rough = (to - from) / Math.max(room, 1), power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
  const step = [1, 2, 5, 10].map((k) => k * power).find((k) => k >= rough) ?? power * 10;
  const list = [];
  for (let t = Math.ceil(from / step) * step; t <= to; t += step) list.push(t || 0);
  return { step, list };
}
function tickText(t, step) {
  const [unit, name] = step >= 1e8 ? [1e9, "s"] : step >= 1e5 ? [1e6, "ms"] : step >= 100 ? [1e3, "µs"] : [1, "ns"];
  return `${(t / unit).toLocaleString("en", { maximumFractionDigits: 1 })} ${name}`;
}
// A text with the middle left out if it is too wide.
function fittedBetween(c, text, width) {
  if (measure(text, c.font) <= width) return text;
  const cut = (n) => text.slice(0, 5) + "…" + text.slice(text.length - n);
  let n = text.length - 6;
  while (n > 3 && measure(cut(n), c.font) > width) n--;
  return cut(n);
}

function eventColor(i) {
  if (trace.flags[i] & FLAG.FAILED) return theme.css.bad;
  if (trace.flags[i] & FLAG.DEAD) return theme.css.faint;
  if (trace.flags[i] & FLAG.COPY) return theme.css.cross;
  const node = trace.node[i];
  return view.mode === "family" || view.mode === "device" ? (node < graph.n || view.mode === "family" ? colorOf(node) : PALETTE[theme.dark ? "dark" : "light"][10]) : PALETTE[theme.dark ? "dark" : "light"][familyIndex.get(familyOf(node)) ?? 10];
}

function drawTimeline() {
  if (!trace || !line.canvas.clientWidth) return;
  const { context: c, w, h } = sized(line.canvas), css = theme.css;
  line.lead = leadOf(selected.node);
  line.top = Math.max(0, Math.min(line.top, line.height + AXIS - h));
  const y0 = AXIS - line.top, scale = (w - LABELS) / (line.to - line.from);
  // Steps, alternately lighter and darker.
  c.save();
  c.beginPath();
  c.rect(LABELS, 0, w - LABELS, h);
  c.clip();
  trace.called.forEach((step, i) => {
    const x = lineX(step.start, w), end = lineX(step.start + step.wall, w);
    if (end < LABELS || x > w) return;
    c.fillStyle = i % 2 ? css.group2 : css.group;
    c.fillRect(x, AXIS, Math.max(end - x, 1), h);
    if (end - x > 60) {
      c.fillStyle = css.faint;
      c.font = FONT.chip;
      c.textBaseline = "bottom";
      c.fillText(stepName(step), Math.max(x, LABELS) + 4, h - 3);
    }
  });
  const { step, list } = ticks(line.from, line.to, (w - LABELS) / 110);
  c.strokeStyle = css.line;
  c.lineWidth = 1;
  c.beginPath();
  for (const t of list) {
    const x = Math.round(lineX(t, w)) + 0.5;
    c.moveTo(x, AXIS - 6);
    c.lineTo(x, h);
  }
  c.stroke();
  const near = new Set();
  if (selected.event >= 0) for (let e = selected.event, k = 0; e >= 0 && k < 200; e = trace.cause[e], k++) near.add(e);
  const places = new Map();
  for (const row of line.rows) {
    if (row.kind !== "track" || row.y + y0 > h || row.y + row.h + y0 < AXIS) continue;
    trace.tracks[row.track].lanes.forEach((lane, l) => drawLane(c, lane, row.y + y0 + l * LANE, w, scale, places));
  }
  drawLinks(c, w, y0);
  c.restore();
  // Axis and labels.
  c.fillStyle = css.card;
  c.fillRect(0, 0, w, AXIS);
  c.fillRect(0, 0, LABELS, h);
  c.fillStyle = css.muted;
  c.font = FONT.chip;
  c.textBaseline = "middle";
  for (const t of list) {
    const x = lineX(t, w);
    const text = tickText(t, step);
    if (x > LABELS - 1 && x + 6 + measure(text, FONT.chip) < w) c.fillText(text, x + 4, AXIS / 2);
  }
  c.save();
  c.beginPath();
  c.rect(0, AXIS, LABELS, h);
  c.clip();
  for (const row of line.rows) {
    const y = row.y + y0 + (row.kind === "device" ? row.h / 2 : LANE / 2);
    c.fillStyle = row.kind === "device" ? css.text : css.muted;
    c.font = row.kind === "device" ? FONT.group : FONT.name;
    c.fillText(fittedBetween(c, row.text, LABELS - 30), row.kind === "device" ? 12 : 22, y);
  }
  c.restore();
  c.strokeStyle = css.line;
  c.beginPath();
  c.moveTo(0, AXIS - 0.5);
  c.lineTo(w, AXIS - 0.5);
  c.moveTo(LABELS - 0.5, 0);
  c.lineTo(LABELS - 0.5, h);
  c.stroke();
}

// Events of a lane. Those narrower than a pixel are drawn together, with the opacity of the lane's load.
function drawLane(c, lane, y, w, scale, places) {
  const end = lane.at + lane.count, css = theme.css, H = LANE - 4;
  let i = firstAfter(lane, line.from);
  while (i < end) {
    const start = trace.start[i], took = trace.took[i], x = LABELS + (start - line.from) * scale;
    if (x > w) break;
    const width = took * scale;
    if (width < 1.5 && i + 1 < end && (trace.start[i + 1] - start) * scale < 1.5) {
      // All events that begin within this pixel.
      const until = start + 1.5 / scale;
      let low = i + 1, high = Math.min(end, i + 64);
      while (high < end && trace.start[high] < until) high = Math.min(end, high + (high - i));
      while (low < high) {
        const mid = (low + high) >> 1;
        if (trace.start[mid] < until) low = mid + 1;
        else high = mid;
      }
      // Events of a lane follow each other: only the last may extend beyond the pixel.
      if (low - 1 > i && trace.took[low - 1] * scale >= 1.5) low--;
      const share = (trace.busy[low] - trace.busy[i]) / (until - start);
      let longest = i;
      for (let k = i, stride = Math.max(1, (low - i) >> 3); k < low; k += stride) if (trace.took[k] > trace.took[longest]) longest = k;
      c.globalAlpha = Math.min(1, 0.3 + 0.7 * share);
      c.fillStyle = eventColor(longest);
      c.fillRect(x, y, 1.6, H);
      c.globalAlpha = 1;
      i = low;
      continue;
    }
    drawEvent(c, i, x, y, width, H, scale, w);
    i++;
  }
}

function drawEvent(c, i, x, y, width, H, scale, w) {
  const css = theme.css, wait = trace.wait[i] * scale, onPath = trace.flags[i] & FLAG.PATH;
  if (i === selected.event || (line.pathOnly && width > 2)) drawSlack(c, i, x + width, y, H, scale, w);
  const isNode = trace.node[i] === line.lead, off = line.pathOnly && !onPath;
  if (wait > 3 && width > 1) {
    // Waiting: below what ran in the meantime.
    c.fillStyle = css.wait;
    c.fillRect(Math.max(LABELS, x - wait), y + H - 3, Math.min(wait, x - LABELS), 3);
  }
  c.globalAlpha = off ? 0.25 : selected.node >= 0 && !isNode ? 0.75 : 1;
  c.fillStyle = eventColor(i);
  if (width > 5) {
    rounded(c, x, y, width - 0.5, H, 3);
    c.fill();
  } else c.fillRect(x, y, Math.max(width, 1), H);
  c.globalAlpha = 1;
  if (onPath && width > 1) {
    c.fillStyle = css.path;
    c.fillRect(x, y - 2, Math.max(width - 0.5, 1), 2);
  }
  if (isNode) {
    c.strokeStyle = i === selected.event ? css.accent : css.text;
    c.lineWidth = i === selected.event ? 2.5 : 1.2;
    rounded(c, x - 1, y - 1, Math.max(width, 2) + 1, H + 2, 4);
    c.stroke();
  }
  if (width > 34) {
    c.save();
    c.beginPath();
    c.rect(Math.max(x, LABELS), y, Math.min(width, w) - 3, H);
    c.clip();
    c.fillStyle = theme.dark ? "#10141a" : "#ffffff";
    c.font = FONT.chip;
    c.textBaseline = "middle";
    const number = trace.frame[i] ? ` [${trace.number[i]}]` : "";
    const text = (trace.flags[i] & FLAG.WORK ? trace.texts[trace.text[i]].split("\n")[0] : leafOf(trace.node[i])) + number;
    c.fillText(text, Math.max(x, LABELS) + 5, y + H / 2 + 0.5);
    c.restore();
  }
}

// How much later an event could have ended: a band up to there.
function drawSlack(c, i, x, y, H, scale, w) {
  const slack = trace.slack[i] * scale, own = i === selected.event;
  if (slack < 2 || trace.flags[i] & FLAG.PATH) return;
  const end = Math.min(x + slack, w + 2), from = Math.max(x, LABELS);
  c.fillStyle = c.strokeStyle = own ? theme.css.accent : theme.css.faint;
  c.globalAlpha = own ? 0.14 : 0.1;
  c.fillRect(from, y + (own ? 1 : H - 4), end - from, own ? H - 2 : 3);
  c.globalAlpha = own ? 0.9 : 0.4;
  c.fillRect(end - 1, y + (own ? 0 : H - 6), 1.2, own ? H : 6);
  c.globalAlpha = 1;
  const text = `slack ${time(trace.slack[i])}`;
  if (!own || end - from < measure(text, FONT.chip) + 16) return;
  c.font = FONT.chip;
  c.textBaseline = "middle";
  c.fillText(text, Math.max(from, x) + 8, y + H / 2 + 0.5);
}

const rowOf = (i) => {
  const row = line.rows.find((r) => r.track === trace.trackOf[i]), track = trace.tracks[trace.trackOf[i]];
  return row.y + track.lanes.findIndex((l) => i >= l.at && i < l.at + l.count) * LANE;
};
// From what the selected event waited for to the event, back to the start of the step.
function drawLinks(c, w, y0) {
  let e = selected.event;
  if (e < 0) return;
  c.strokeStyle = theme.css.accent;
  c.lineWidth = 1.4;
  for (let k = 0; k < 60 && trace.cause[e] >= 0; k++, e = trace.cause[e]) {
    const from = trace.cause[e], x = lineX(trace.start[from] + trace.took[from], w), to = lineX(trace.start[e], w);
    const y = rowOf(from) + y0 + 8, ty = rowOf(e) + y0 + 8, bend = Math.max(12, Math.abs(to - x) / 3);
    c.globalAlpha = Math.max(0.2, 1 - k / 8);
    c.beginPath();
    c.moveTo(x, y);
    c.bezierCurveTo(x + bend, y, to - bend, ty, to, ty);
    c.stroke();
  }
  c.globalAlpha = 1;
}

function eventAt(px, py) {
  const w = line.canvas.clientWidth, y0 = AXIS - line.top;
  if (px < LABELS || py < AXIS) return -1;
  const row = line.rows.find((r) => r.kind === "track" && py - y0 >= r.y && py - y0 < r.y + r.h);
  if (!row) return -1;
  const lane = trace.tracks[row.track].lanes[Math.floor((py - y0 - row.y) / LANE)];
  if (!lane) return -1;
  const slack = (3 * (line.to - line.from)) / (w - LABELS), t = lineTime(px, w), end = lane.at + lane.count;
  let best = -1, least = slack;
  for (let i = firstAfter(lane, t - slack); i < end && trace.start[i] <= t + slack; i++) {
    const off = Math.max(trace.start[i] - t, t - trace.start[i] - trace.took[i], 0);
    if (off < least || (off === 0 && least > 0)) [best, least] = [i, off];
    if (off === 0) break;
  }
  return best;
}

// What ran before an event on its worker, or in its device queue.
function before(i) {
  const track = trace.trackOf[i];
  let best = -1;
  trace.tracks.forEach((other, t) => {
    const own = trace.tracks[track];
    // Callers' threads all have the number 0; the others are the session's.
    const same = t === track || (!other.isWork && !own.isWork && other.worker === own.worker && (own.worker > 0 || other.slot === own.slot));
    if (!same) return;
    for (const lane of other.lanes) {
      let at = firstAfter(lane, trace.start[i] + 0.5);
      while (at > lane.at && (at >= lane.at + lane.count || trace.start[at] + trace.took[at] > trace.start[i])) at--;
      if (at < lane.at + lane.count && at !== i && (own.worker > 0 || trace.step[at] === trace.step[i]) && trace.start[at] + trace.took[at] <= trace.start[i]) {
        if (best < 0 || trace.start[at] + trace.took[at] > trace.start[best] + trace.took[best]) best = at;
      }
    }
  });
  return best;
}

// In words: why an event started when it did. Parts are texts, or events to jump to.
function whyStarted(i) {
  const start = trace.start[i], step = trace.steps[trace.step[i]], ready = start - trace.wait[i], cause = trace.cause[i];
  const parts = [], at = (t) => time(t - step.start);
  if (trace.flags[i] & FLAG.WORK) {
    parts.push(`Queued at ${at(ready)}`);
    if (cause >= 0) parts.push(" by ", { event: cause });
    const last = before(i);
    if (last >= 0 && trace.start[last] + trace.took[last] > ready && trace.wait[i] > 0) parts.push(`; the device was busy until ${at(trace.start[last] + trace.took[last])} with `, { event: last });
    else if (trace.wait[i] > 0) parts.push(`; started ${time(trace.wait[i])} later, with nothing before it in its queue`);
    parts.push(".");
    return parts;
  }
  if (cause >= 0) parts.push("The last input came from ", { event: cause }, `, which ended at ${at(trace.start[cause] + trace.took[cause])}. `);
  else parts.push(ready - step.start > 0 ? `Ready at ${at(ready)}: nothing that was traced came before it. ` : "Ready when the step began. ");
  if (trace.wait[i] < 1000) {
    parts.push(`It started ${time(trace.wait[i])} after it was ready.`);
    return parts;
  }
  const node = trace.node[i], act = node < graph.n ? graph.acts.get(node) : null, last = before(i);
  const busy = last >= 0 ? [": no worker was free. Its worker ran ", { event: last }, ...(trace.step[last] !== trace.step[i] ? [` of ${stepName(trace.steps[trace.step[last]])}`] : []), ` until ${at(trace.start[last] + trace.took[last])}.`] : null;
  if (trace.paused[i]) {
    // It had started and waited.
    const first = trace.wait[i] - trace.paused[i];
    parts.push(`It was ready at ${at(ready)}, began within ${time(first)}, and waited ${time(trace.paused[i] - trace.resumed[i])} ${trace.texts[trace.why[i]]}.`);
    if (act && act.act !== "close") parts.push(" The place is ", { node: act.store }, ".");
    if (trace.resumed[i] >= 1000) parts.push(` Then it waited ${time(trace.resumed[i])} for a worker`, ...(busy && trace.start[last] + trace.took[last] > start - trace.resumed[i] ? busy : ["."]));
    return parts;
  }
  parts.push(`It was ready at ${at(ready)} and waited ${time(trace.wait[i])}`);
  if (act && act.act !== "close") parts.push(` at `, { node: act.store }, act.act === "take" ? ", for elements or for its turn." : ", for room or for its turn.");
  else if (busy && trace.start[last] + trace.took[last] > ready) parts.push(...busy);
  else parts.push(": no worker took it earlier.");
  return parts;
}

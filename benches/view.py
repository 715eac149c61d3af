#!/usr/bin/env python3
"""Measure pages of `levada view` in headless Chromium.

  view.py [--rounds 3] [--pictures DIR] [--window 1400x900] [--script FILE.js] PAGE.html ...

Opens each page anew for each round and prints medians:

  parsed    from the start of the navigation until the page's script begins: reading and parsing the file
  decoded, laid out, drawn   phases up to the first picture, from the page's own marks
  picture   from the start of the navigation until the first picture is on the screen
  ready     until everything that follows the first picture is done
  pan       milliseconds between frames while the graph is panned and zoomed, with a wheel event for every frame:
            median, 95th percentile, maximum; and the share of frames that took longer than 20 ms
  script    milliseconds of script in those frames: median and maximum
  timeline  the same for the timeline, if the page has one

No package is needed: Chromium is driven over a pipe. --pictures keeps a picture of each page.
"""
import argparse
import base64
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

BROWSERS = ["chromium", "chromium-browser", "google-chrome"]


class Browser:
    """A headless Chromium, controlled by messages that end in a zero byte."""

    def __init__(self, window="1400x900", scale=1):
        path = next((p for p in map(shutil.which, BROWSERS) if p), None)
        if not path:
            sys.exit("no Chromium is installed")
        self.profile = tempfile.mkdtemp(prefix="levada-view-")
        (read_in, write_in), (read_out, write_out) = os.pipe(), os.pipe()

        def ends():
            # The browser reads from 3 and writes to 4.
            a, b = os.dup(read_in), os.dup(write_out)
            os.dup2(a, 3)
            os.dup2(b, 4)

        self.process = subprocess.Popen(
            [path, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe",
             f"--force-device-scale-factor={scale}", f"--window-size={window.replace('x', ',')}",
             f"--user-data-dir={self.profile}", "about:blank"],
            preexec_fn=ends, pass_fds=(3, 4), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(read_in)
        os.close(write_out)
        self.out, self.into = write_in, os.fdopen(read_out, "rb", buffering=0)
        self.rest, self.number, self.events = b"", 0, []
        target = self("Target.createTarget", url="about:blank")["targetId"]
        self.session = self("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        width, height = map(int, window.split("x"))
        self("Page.enable")
        self("Runtime.enable")
        self("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False)

    def receive(self):
        parts = [self.rest]
        while b"\0" not in parts[-1]:
            got = os.read(self.into.fileno(), 1 << 20)
            if not got:
                raise EOFError("the browser has gone")
            parts.append(got)
        message, self.rest = b"".join(parts).split(b"\0", 1)
        return json.loads(message)

    def __call__(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if hasattr(self, "session"):
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            got = self.receive()
            if got.get("id") == self.number:
                if "error" in got:
                    raise RuntimeError(f"{method}: {got['error']['message']}")
                return got["result"]
            self.events.append(got)

    def run(self, script):
        """The value of a script, awaited."""
        got = self("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in got:
            details = got["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description") or details["text"])
        return got["result"].get("value")

    def open(self, url):
        self("Page.navigate", url="about:blank")
        self.events.clear()
        self("Page.navigate", url=url)
        for _ in range(3000):
            ready = self.run("document.body?.dataset.ready ?? ''")
            if ready == "true":
                return
            time.sleep(0.02)
        raise RuntimeError(f"{url} is not ready after a minute")

    def errors(self):
        return [e["params"]["exceptionDetails"]["exception"].get("description", "") for e in self.events
                if e.get("method") == "Runtime.exceptionThrown"]

    def picture(self, path):
        got = self("Page.captureScreenshot", format="png")
        with open(path, "wb") as file:
            file.write(base64.b64decode(got["data"]))

    def close(self):
        try:
            self("Browser.close")
        except (EOFError, RuntimeError, OSError):
            pass
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)


# Turns the wheel over a canvas once per frame; returns the milliseconds between frames and of script.
PAN = """(async (id, events) => {
  const canvas = document.getElementById(id), box = canvas.getBoundingClientRect();
  if (!box.width) return null;
  const frame = () => new Promise(requestAnimationFrame), gaps = [], scripts = [];
  for (const event of events) {
    const before = await frame();
    const start = performance.now();
    canvas.dispatchEvent(new WheelEvent("wheel", { bubbles: true, cancelable: true, clientX: box.left + box.width * 0.6, clientY: box.top + box.height / 2, ...event }));
    // What the page draws in its own callback, before the next one of ours.
    const next = await new Promise((done) => requestAnimationFrame((t) => { done([t, performance.now() - t]); }));
    scripts.push(performance.now() - start > 0 ? next[1] : 0);
    gaps.push(next[0] - before);
  }
  return { gaps, scripts };
})"""


def spread(values):
    values = sorted(values)
    return statistics.median(values), values[int(len(values) * 0.95)], values[-1]


def measure(browser, url):
    browser.open(url)
    marks = browser.run(
        "Object.fromEntries(performance.getEntriesByType('mark').map((m) => [m.name, m.startTime]))")
    out = {"marks": marks, "bytes": browser.run("performance.getEntriesByType('navigation')[0].decodedBodySize")}
    pan = [{"deltaX": 9, "deltaY": 6}] * 60 + [{"deltaY": -120}] * 20 + [{"deltaX": -9, "deltaY": -6}] * 40
    out["pan"] = browser.run(f"{PAN}('graph', {json.dumps(pan)})")
    move = [{"deltaY": -60}] * 40 + [{"deltaX": 40}] * 60 + [{"deltaY": 60}] * 20
    out["timeline"] = browser.run(f"{PAN}('timeline', {json.dumps(move)})")
    out["errors"] = browser.errors()
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="+")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--window", default="1400x900")
    parser.add_argument("--pictures", help="directory for a picture of each page")
    args = parser.parse_args()
    print(f"{'page':28} {'MB':>6} {'parsed':>7} {'decoded':>8} {'laid out':>9} {'drawn':>6} {'picture':>8} {'ready':>7}   "
          f"{'pan: median/95%/most, slow':>28} {'script':>12}   {'timeline':>28} {'script':>12}")
    for page in args.pages:
        rounds = []
        for _ in range(args.rounds):
            browser = Browser(args.window)
            try:
                rounds.append(measure(browser, "file://" + os.path.abspath(page)))
                if args.pictures and len(rounds) == 1:
                    os.makedirs(args.pictures, exist_ok=True)
                    browser.open("file://" + os.path.abspath(page) + "#")
                    browser.picture(os.path.join(args.pictures, os.path.basename(page)[:-5] + ".png"))
            finally:
                browser.close()
        mark = lambda name: statistics.median(r["marks"].get(name, float("nan")) for r in rounds)
        texts = []
        for view in ("pan", "timeline"):
            if not rounds[0][view]:
                texts.append(f"{'–':>28} {'–':>12}")
                continue
            gaps = [g for r in rounds for g in r[view]["gaps"]]
            scripts = [s for r in rounds for s in r[view]["scripts"]]
            mid, high, most = spread(gaps)
            slow = sum(g > 20 for g in gaps) / len(gaps)
            texts.append(f"{mid:6.1f} {high:6.1f} {most:6.1f} {slow:6.1%} {statistics.median(scripts):5.1f} {max(scripts):6.1f}")
        print(f"{os.path.basename(page)[:28]:28} {rounds[0]['bytes'] / 1e6:6.1f} {mark('parsed'):7.0f} {mark('decoded') - mark('parsed'):8.0f} "
              f"{mark('laid out') - mark('decoded'):9.0f} {mark('drawn') - mark('laid out'):6.0f} {mark('picture'):8.0f} {mark('ready'):7.0f}   {texts[0]}   {texts[1]}",
              flush=True)
        for error in sorted({e for r in rounds for e in r["errors"]}):
            print("  error:", error)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Plants faults in a copy of the code, one after the other, and says which check finds each.

    .ci/faults.py [--only WORDS] [--checker loom|shuttle] [--markdown]

A fault is a piece of a file and what stands there instead. Loom is asked first; what it does not find, shuttle is asked.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TARGET = os.path.abspath(os.environ.get("LEVADA_MODEL_TARGET", os.path.join(ROOT, "target/models")))
COPY = os.path.join(TARGET, "copy")
# Seconds for the models of a crate: where a fault makes them go round for ever, it is found.
LIMIT = 120

ACTIVATION = "crates/executor/src/activation.rs"
HOLDS = "crates/executor/src/holds.rs"
OUTCOME = "crates/executor/src/outcome.rs"
PARK = "crates/executor/src/park.rs"
PARTIAL = "crates/executor/src/partial.rs"
SCHEDULE = "crates/executor/src/schedule.rs"
FIRE = "crates/executor/src/fire.rs"
CANCEL = "crates/kernel/src/cancel.rs"
RENDEZVOUS = "crates/kernel/src/rendezvous.rs"
ACTIVITY = "crates/stall/src/activity.rs"
LISTING = "crates/stall/src/listing.rs"
MONITOR = "crates/ops/families/queues/src/monitor.rs"

# What it is, where, what stands there, what is planted, whose models look.
FAULTS = [
    ("a dropped release: the count of a node's inputs", ACTIVATION,
     "pending.now.fetch_sub(1, Ordering::AcqRel)", "pending.now.fetch_sub(1, Ordering::Relaxed)", "executor"),
    ("a dropped release: the count with control flow", ACTIVATION,
     "pending.fetch_add(delta, Ordering::AcqRel)", "pending.fetch_add(delta, Ordering::Relaxed)", "executor"),
    ("a dropped release: the holds on a step", HOLDS,
     "self.0.fetch_sub(1, Ordering::AcqRel)", "self.0.fetch_sub(1, Ordering::Relaxed)", "executor"),
    ("two stores in the wrong order: a count before its slot", ACTIVATION,
     """        unsafe { self.act.put(self.edge.slot, value) };
        (self.edge.node != FETCH && self.act.arrive(self.edge.node))
            .then(|| Ready::new(self.edge.node, false, self.act))""",
     """        let is_last = self.edge.node != FETCH && self.act.arrive(self.edge.node);
        unsafe { self.act.put(self.edge.slot, value) };
        is_last.then(|| Ready::new(self.edge.node, false, self.act))""", "executor"),
    ("two stores in the wrong order: told before it is there", OUTCOME,
     """                self.outcome.status.lock().ended = Some(ended);
                self.outcome.done.notify_all();""",
     """                self.outcome.done.notify_all();
                self.outcome.status.lock().ended = Some(ended);""", "executor"),
    ("a slot written twice", ACTIVATION,
     """        unsafe { self.act.put(self.edge.slot, value) };
        (self.edge.node != FETCH""",
     """        unsafe { self.act.put(self.edge.slot, value.clone()) };
        unsafe { self.act.put(self.edge.slot, value) };
        (self.edge.node != FETCH""", "executor"),
    ("a slot written after its merge has run", ACTIVATION,
     "if old & 1 == 1 {", "if old != u64::MAX {", "executor"),
    ("a slot that is not emptied", FIRE,
     """        let deferral = parker.deferral;
        clear(inputs);""",
     """        let deferral = parker.deferral;""", "executor"),
    ("a count that is not set back", ACTIVATION,
     "            pending.now.store(pending.start, Ordering::Relaxed);\n", "", "executor"),
    ("a completion called twice: a step ends with a hold left", HOLDS,
     "(before == 1).then_some(Ended(()))", "(before <= 2).then_some(Ended(()))", "executor"),
    ("a hold that is not counted", HOLDS,
     "self.0.fetch_add(1, Ordering::Relaxed);", "self.0.fetch_add(0, Ordering::Relaxed);", "executor"),
    ("a missed wake: nobody is called for a node that was finished", PARK,
     "        self.step.call_helper();\n", "", "executor"),
    ("a missed wake: no second look before a thread leaves", SCHEDULE,
     "if self.work.list.is_empty() || !self.work.activity.join(self.work.max_threads) {", "if self.work.max_threads > 0 {",
     "executor"),
    ("a missed wake: the second look comes before leaving", SCHEDULE,
     """                    let last = self.work.activity.leave();
                    // Work shared before this thread left would wait forever: check once more.
                    if self.work.list.is_empty() ||""",
     """                    let is_empty = self.work.list.is_empty();
                    let last = self.work.activity.leave();
                    if is_empty ||""", "executor"),
    ("a missed wake: a kernel's return and its completion pass each other", PARK,
     """                *state = DeferralState::Waiting(ready, self.step.work.holds.another(hold));
                None""",
     """                *state = DeferralState::Running;
                drop(state);
                *self.state.lock() = DeferralState::Waiting(ready, self.step.work.holds.another(hold));
                None""", "executor"),
    ("a missed wake: a feed and its node pass each other", PARTIAL,
     """            Feed::Unfed => state.feeds[feed] = Feed::Given(value),""",
     """            Feed::Unfed => {
                drop(state);
                self.exchange.state.lock().feeds[feed] = Feed::Given(value);
            }""", "executor"),
    ("a missed wake: a listener and a cancellation pass each other", CANCEL,
     """        let mut listeners = self.0.listeners.lock();
        if let Some(reason) = listeners.reason.clone() {
            drop(listeners);
            callback(&reason);
            return Registration(None);
        }
        let id""",
     """        if let Some(reason) = self.reason() {
            callback(&reason);
            return Registration(None);
        }
        let mut listeners = self.0.listeners.lock();
        let id""", "executor"),
    ("a value lost: a send and a receive pass each other", RENDEZVOUS,
     """        let receiver = {
            let mut slots = self.slots.lock();
            match slots.entry(key) {
                hash_map::Entry::Vacant(free) => {
                    free.insert(Slot::Sent(value));""",
     """        let receiver = {
            let slots = self.slots.lock();
            let is_new = !slots.contains_key(&key);
            drop(slots);
            let mut slots = self.slots.lock();
            if is_new {
                slots.insert(key, Slot::Sent(value));
                return Ok(());
            }
            match slots.entry(key) {
                hash_map::Entry::Vacant(free) => {
                    free.insert(Slot::Sent(value));""", "executor"),
    ("two threads where one may be: a count that is read and then written", ACTIVITY,
     """        let room = |n: usize| (n < most).then_some(n + 1);
        self.threads.fetch_update(Ordering::SeqCst, Ordering::SeqCst, room).is_ok()""",
     """        let n = self.threads.load(Ordering::SeqCst);
        if n < most {
            self.threads.store(n + 1, Ordering::SeqCst);
        }
        n < most""", "executor"),
    ("a step that stays on the watch's list", LISTING,
     """        let mut state = self.state.lock();
        if matches!(*state, State::Unlisted) {
            *state = State::Listed(enter());
        }""",
     """        let is_new = matches!(*self.state.lock(), State::Unlisted);
        if is_new {
            *self.state.lock() = State::Listed(enter());
        }""", "executor"),
    ("a batch that is given up and not put back", MONITOR,
     "        inner.state.give_up(&self.config, want);\n        inner.flush", "        drop(want);\n        inner.flush", "ops-queues"),
    ("a missed wake: who waits at a queue is not served", MONITOR,
     "            if inner.lanes.iter().any(|l| !l.is_empty()) {", "            if inner.lanes.is_empty() {", "ops-queues"),
    ("a missed wake: a waiter is cancelled before it is in line", MONITOR,
     """        let (node, cancel, done) = wait(Wait::On(self.clone(), id));""",
     """        let (node, cancel, done) = wait(Wait::On(self.clone(), id));
        if cancel.is_cancelled() {
            drop(inner);
            std::mem::forget(done);
            return None;
        }""", "ops-queues"),
]


def copy():
    """A copy of the tracked and new files, which keeps the times of what has not changed."""
    names = subprocess.check_output(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, text=True).splitlines()
    for name in names:
        source, there = os.path.join(ROOT, name), os.path.join(COPY, name)
        if not (name.startswith(("crates/", "benches/", "tests/")) or "/" not in name) or not os.path.isfile(source):
            continue
        if name.startswith("tests/") and not name.endswith((".rs", ".toml")):
            continue
        if os.path.exists(there) and open(there, "rb").read() == open(source, "rb").read():
            continue
        os.makedirs(os.path.dirname(there), exist_ok=True)
        shutil.copy(source, there)


def look(checker, crate):
    """None where all models of the crate hold; else what was found."""
    env = {**os.environ, "RUSTFLAGS": f"--cfg {checker}", "RUST_BACKTRACE": "0"}
    command = ["cargo", "test", "--profile", "model", "--lib", "-p", f"levada-{crate}", "--target-dir", f"{TARGET}/{checker}"]
    build = subprocess.run([*command, "--no-run"], cwd=COPY, env=env, capture_output=True, text=True)
    if build.returncode != 0:
        sys.exit(f"the copy does not build:\n{build.stderr[-4000:]}")
    program = re.search(r"\((\S+)\)\s*$", build.stderr.strip()).group(1)
    try:
        run = subprocess.run([program, "models::", "--test-threads", "2"], cwd=COPY, env=env, capture_output=True, text=True,
                             timeout=LIMIT, errors="replace")
    except subprocess.TimeoutExpired:
        return "goes round for ever"
    if run.returncode == 0:
        return None
    said = run.stdout + run.stderr
    failed = re.search(r"^test models::(\w+) \.\.\. FAILED", said, re.M) or re.search(r"thread 'models::(\w+)'", said)
    why = re.search(r"panicked at [^\n]*\n([^\n]*)", said)
    name = failed.group(1) if failed else f"exit {run.returncode}"
    return f"{name}: {why.group(1).strip()[:80]}" if why else name


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="faults whose names contain this")
    parser.add_argument("--checker", choices=["loom", "shuttle"], help="asks this one only")
    parser.add_argument("--markdown", action="store_true", help="prints a table for docs/concurrency.md")
    options = parser.parse_args()
    os.makedirs(COPY, exist_ok=True)
    found = total = 0
    for name, file, before, after, crate in (f for f in FAULTS if options.only in f[0]):
        copy()
        path = os.path.join(COPY, file)
        text = open(path).read()
        if text.count(before) != 1:
            sys.exit(f"{name}: {file} has {text.count(before)} places for it in place of 1")
        with open(path, "w") as there:
            there.write(text.replace(before, after))
        total += 1
        start, by, what = time.time(), None, None
        for checker in [options.checker] if options.checker else ["loom", "shuttle"]:
            what = look(checker, crate)
            if what:
                by = checker
                break
        found += by is not None
        if options.markdown:
            print(f"| {name} | {by or 'not found'} | {what.split(':')[0] if what else ''} |", flush=True)
        else:
            print(f"{by or 'NOT FOUND':9} {time.time() - start:5.0f} s  {name}: {what}", flush=True)
    copy()
    print(f"{found} of {total} found")
    return 0 if found == total else 1


if __name__ == "__main__":
    sys.exit(main())
